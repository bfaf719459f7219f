"""What a turn is said to bring, against the purses before and after it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from antiquity import Batch
from antiquity.play.session import Session
from seven_wonders_env import state as s

PAID = re.compile(r"seat (\d) pays (\d+) coins? to (?:seat (\d)|the bank)(?: for (.+))?")
GAINED = re.compile(r"seat (\d): \+(\d+) coins?")
CONFLICT = re.compile(r"conflict, seat \d \(\d+\) and seat \d \(\d+\): .+")


def bought(goods: str) -> list[str]:
    """The goods of words such as "clay and 2 wood", one by one."""
    found = []
    for part in goods.split(" and "):
        number, _, name = part.rpartition(" ")
        found += [name] * int(number or 1)
    return found


@pytest.mark.parametrize("payments", ["choose", "cheapest"])
def test_purses_change_as_the_news_say(payments: str) -> None:
    rng, told, conflicts = np.random.default_rng(3), 0, 0
    for seed in range(8):
        players = 3 + seed % 5
        batch = Batch("seven_wonders", 1, players, seed=seed, autoreset=False, payments=payments)
        batch.reset()
        while batch.deciders():
            before = batch.games.copy()
            row = batch.sample("greedy" if rng.random() < 0.7 else "random").copy()
            before["chosen"][0, :players] = row[0, :players]
            batch.step(row)
            lines = batch.game.news(before, batch.games, batch.tables)
            change = np.zeros(players, np.int64)
            for line in lines:
                if found := PAID.fullmatch(line):
                    coins = int(found[2])
                    payer = int(found[1])
                    change[payer] -= coins
                    if found[3] is None:
                        continue
                    other = int(found[3])
                    change[other] += coins
                    assert (other - payer) % players in (1, players - 1)
                    # A unit is two coins, or one with a trading post.
                    goods = bought(found[4])
                    assert set(goods) <= {*s.RAW, *s.MANUFACTURED}, line
                    assert len(goods) <= coins <= 2 * len(goods), line
                    if not before["discounts"][0, payer]:
                        assert coins == 2 * len(goods), line
                    told += 1
                elif found := GAINED.fullmatch(line):
                    change[int(found[1])] += int(found[2])
                else:
                    assert CONFLICT.fullmatch(line), line
                    conflicts += 1
            gone = batch.games["coins"][0, :players].astype(int) - before["coins"][0, :players]
            assert change.tolist() == gone.tolist(), lines
    assert told > 100 and conflicts == 3 * sum(3 + seed % 5 for seed in range(8))


def test_log_says_who_paid_whom_and_speaks_to_the_seat_that_reads() -> None:
    """Also for a stage, whose card stays secret; a price that speaks of "yours" is the reader's own."""
    session = Session("seven_wonders", ["greedy"] * 3, seed=11)
    while not session.over:
        session.choose(session.legal()[0])
    log = session.log
    lines = [line for entry in log for line in entry["news"]]
    assert any(PAID.fullmatch(line) for line in lines)
    assert sum(line.startswith("conflict") for line in lines) == 3 * 4
    for entry in log:
        for choice in entry["choices"]:
            assert choice["seat"] == session.seat or "yours" not in choice["price"]
    secret = [entry for entry in log for each in entry["choices"] if each["words"] == "build wonder stage 2"]
    assert secret
