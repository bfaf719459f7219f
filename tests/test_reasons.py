"""Why something is not possible, and what it costs: words for everything, and true."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from antiquity import Batch
from antiquity.agents.rows import legal_rows
from antiquity.game import GAMES

POSITIONS = int(os.environ.get("ANTIQUITY_REASON_POSITIONS", "60"))
"""Of each game; 10,000 is a long run."""


def positions(name: str) -> Iterator[tuple[Batch, int]]:
    """Positions with a seat that decides."""
    rng, number = np.random.default_rng(9), 0
    stride = {"seven_wonders": 4, "stone_age": 20, "dice": 6}[name]
    while number < POSITIONS:
        players = int(
            rng.choice({"seven_wonders": [3, 5, 7], "stone_age": [2, 3, 4], "dice": [2, 4, 7]}[name])
        )
        batch = Batch(name, 1, players, seed=int(rng.integers(1 << 40)), autoreset=False)
        batch.reset()
        step = 0
        while batch.deciders() and number < POSITIONS:
            if step % stride == number % stride:
                yield batch, int(rng.choice(batch.deciders()))
                number += 1
            batch.step(batch.sample("greedy" if rng.random() < 0.6 else "random"))
            step += 1


def changed(batch: Batch, seat: int, **values: Any) -> NDArray[Any]:
    """Legal actions of the seat after some of its fields are set, whatever the rules say."""
    other = batch.clone()
    for name, value in values.items():
        other.games[name][0, seat] = value
    legal = np.zeros(other.game.max_legal, np.uint16)
    counts = np.zeros(1, np.int64)
    legal_rows(other.games, other.tables, np.zeros(1, np.int64), np.array([seat]), legal[None], counts)
    return legal[: counts[0]]


def test_every_action_has_a_reason_or_a_price() -> None:
    for name in GAMES:
        for batch, seat in positions(name):
            legal = batch.legal_actions(0, seat).tolist()
            for action in range(batch.num_actions):
                if action in legal:
                    words = batch.price(0, seat, action)
                    assert words == words.strip() and "\n" not in words
                else:
                    words = batch.why_not(0, seat, action)
                    assert words and words != "not possible now" and "\n" not in words, (name, action)


def test_reasons_of_7_wonders_are_true() -> None:
    seen: dict[str, int] = {}
    for batch, seat in positions("seven_wonders"):
        record: Any = batch.games[0]
        if record["phase"] not in (0, 3):
            continue
        legal = batch.legal_actions(0, seat).tolist()
        hand = record["hands"][seat, : int(record["hand_size"][seat])].tolist()
        rich = changed(batch, seat, coins=1_000).tolist()
        for action in range(1, 241):
            kind, use = divmod(action - 1, 3)
            if action in legal:
                continue
            why = batch.why_not(0, seat, action)
            seen[re.sub(r"\d+|clay|wood|ore|stone|glass|loom|papyrus|and ", "", why)] = 1
            assert (why == "not in your hand") == (kind not in hand), why
            if why.startswith("costs"):
                # With money it would be possible, and the price is the least that makes it so.
                price, have = (int(each) for each in re.findall(r"\d+", why))
                assert action in rich and have == record["coins"][seat] < price
                assert action in changed(batch, seat, coins=price) and action not in changed(
                    batch, seat, coins=price - 1
                )
            elif "nobody sells" in why:
                assert action not in rich
            elif why == "already in your city":
                names = batch.tables[0]["same_name"][kind]
                assert use == 0 and any(
                    int(a) & int(b) for a, b in zip(record["city"][seat], names, strict=True)
                )
            elif why == "your wonder is complete":
                assert use == 1 and record["built"][seat, 7] >= 3 - 1
    assert len(seen) >= 4


def test_prices_of_7_wonders_are_what_is_paid() -> None:
    """Where a seat has one way to pay: its coins fall by what was said, the neighbours' rise by it."""
    compared = 0
    for batch, seat in positions("seven_wonders"):
        if batch.games[0]["phase"] != 0 or batch.games[0]["turn"] > 4:
            continue
        players = int(batch.games[0]["num_players"])
        for action in batch.legal_actions(0, seat).tolist():
            words = batch.price(0, seat, action)
            if ", or " in words or (action - 1) % 3 == 2:
                continue
            paid = int(re.findall(r"-(\d+) coin", words)[0]) if words.startswith("-") else 0
            other = batch.clone()
            row = other.sample().copy()
            # The others sell, which pays nobody.
            for each in range(players):
                row[0, each] = 1 + 3 * int(other.games["hands"][0, each, 0]) + 2
            row[0, seat] = action
            other.step(row)
            change = other.games["coins"][0].astype(int) - batch.games["coins"][0]
            gained = int(other.tables[0]["coins"][(action - 1) // 3]) if (action - 1) % 3 == 0 else None
            if gained is None or other.tables[0]["counts"][(action - 1) // 3]:
                continue
            assert change[seat] == gained - paid, (words, change)
            bought = change[:players].sum() - 3 * (players - 1) - gained + paid
            assert ("from the" in words) == (bought > 0)
            compared += 1
    assert compared > 40


def test_reasons_of_stone_age_are_true() -> None:
    seen = set()
    for batch, seat in positions("stone_age"):
        record: Any = batch.games[0]
        legal = batch.legal_actions(0, seat).tolist()
        for action in range(1, batch.num_actions):
            if action in legal:
                continue
            why = batch.why_not(0, seat, action)
            seen.add(re.sub(r"\d+", "n", why))
            found = re.fullmatch(r"(\d+) resources? needed, you have (\d+)", why)
            if found:
                needed, have = map(int, found.groups())
                assert have == record["resources"][seat].sum() < needed
                assert action in changed(batch, seat, resources=[needed] * 4)
            found = re.fullmatch(r"(\d+) (?:people|person) needed, you have (\d+) left", why)
            if found:
                assert int(found[2]) == record["in_hand"][seat] < int(found[1])
                assert action in changed(batch, seat, in_hand=int(found[1]))
            if why == "place full" and 1 <= action <= 3:
                assert record["placed"][:, action - 1].any()
    assert len(seen) > 15


def test_rolls_of_stone_age_add_up() -> None:
    told = 0
    batch = Batch("stone_age", 1, 3, seed=5, autoreset=False)
    batch.reset()
    while batch.deciders():
        (seat,) = batch.deciders()
        for action in batch.legal_actions(0, seat).tolist():
            words = batch.price(0, seat, action)
            found = re.match(r"rolled ([\d ]+) = (\d+)(?: \+ (\d+))?: \+(\d+) (\w+)", words)
            if not found:
                continue
            told += 1
            dice = [int(each) for each in found[1].split()]
            assert sum(dice) == int(found[2]) and all(1 <= each <= 6 for each in dice)
            if found[3] is None:
                # Without further tools that is what it brings.
                other = batch.clone()
                row = np.zeros((1, other.num_seats), np.int64)
                row[0, seat] = action
                other.step(row)
                good = {"food": "food"}.get(found[5], "resources")
                before, after = (int(each.games[good][0, seat].sum()) for each in (batch, other))
                assert after - before == int(found[4]) or other.games["round"][0] > batch.games["round"][0]
        batch.step(batch.sample("random"))
    assert told > 20


def test_reasons_of_dice_are_true() -> None:
    seen = set()
    for batch, seat in positions("dice"):
        record: Any = batch.games[0]
        legal = batch.legal_actions(0, seat).tolist()
        for action in range(1, batch.num_actions):
            if action in legal:
                continue
            why = batch.why_not(0, seat, action)
            seen.add(re.sub(r"\d+", "n", why))
            if why == "crossed already":
                assert int(record["crossed"][seat]) >> (action - 17) & 1
            if why == "not in the forum":
                assert not int(record["forum"]) >> (action - 1) & 1
            found = re.fullmatch(r"costs (\d+) coins?(?: beside your \d+ resources)?, you have (\d+)", why)
            if found:
                price, have = map(int, found.groups())
                assert have == record["coins"][seat] < price
                if action >= 17 or action == 11:
                    assert action in changed(batch, seat, coins=price)
    assert len(seen) > 12


@pytest.mark.parametrize("name", GAMES)
def test_errors_of_a_batch_say_why(name: str) -> None:
    batch = Batch(name, 1, seed=0, autoreset=False)
    batch.reset()
    seat = batch.deciders()[0]
    legal = batch.legal_actions(0, seat).tolist()
    illegal = next(action for action in range(1, batch.num_actions) if action not in legal)
    row = batch.sample().copy()
    row[0, seat] = illegal
    with pytest.raises(
        ValueError, match=re.escape(f"is not legal now: {batch.why_not(0, seat, illegal)}. Legal:")
    ):
        batch.step(row)
