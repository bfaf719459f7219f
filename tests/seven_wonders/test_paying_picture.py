"""What the picture shows of the ways to pay: the goods, from whom, the coins left after, and the hand."""

from __future__ import annotations

import html
import re

import pytest

from antiquity import Batch
from seven_wonders_env import state as s
from seven_wonders_env.actions import kind_name


def paying() -> tuple[Batch, int]:
    """A game in which a seat with a trading post has to choose how it pays."""
    for seed in range(50):
        batch = Batch("seven_wonders", 1, 4, seed=seed, autoreset=False)
        batch.reset()
        while batch.deciders():
            seat = batch.deciders()[0]
            if batch.games["phase"][0] == s.PAY and batch.games["discounts"][0, seat]:
                return batch, seat
            batch.step(batch.sample("greedy"))
    raise AssertionError("nobody had to choose")


@pytest.mark.parametrize("room", [360, 720, 1040, 1280])
def test_ways_to_pay_say_what_is_left_and_keep_the_hand_in_sight(room: int) -> None:
    batch, seat = paying()
    drawn = batch.game.draw_at
    assert drawn is not None
    texts = re.findall(r">([^<>]+)<", html.unescape(drawn(batch.games, 0, batch.tables, seat, room)))
    for action in batch.legal_actions(0, seat).tolist():
        # What the neighbours pay in the same turn comes too late for it.
        paid = int(re.findall(r"-(\d+) coin", batch.price(0, seat, action))[0])
        assert f"coins left: {int(batch.games['coins'][0, seat]) - paid}" in texts
    hand = [int(kind) for kind in batch.games["hands"][0, seat] if kind != s.NO_CARD]
    assert hand and all(kind_name(batch.tables, kind) in texts for kind in hand)


def test_letters_of_goods_have_a_legend_and_discounts_are_shown() -> None:
    batch, seat = paying()
    drawn = batch.game.draw
    assert drawn is not None
    for eyes in (None, seat):
        texts = re.findall(r">([^<>]+)<", drawn(batch.games, 0, batch.tables, eyes))
        assert {*s.RAW, *s.MANUFACTURED} <= set(texts)
    hint = "what it pays to its neighbours for these goods"
    assert hint in drawn(batch.games, 0, batch.tables, seat)
    batch.games["discounts"][:] = 0
    assert hint not in drawn(batch.games, 0, batch.tables, seat)


def test_a_card_says_beforehand_in_which_ways_it_can_be_paid() -> None:
    """The payment is chosen after the cards are revealed, so what it can be is said with the card."""
    several = 0
    for seed in range(8):
        batch = Batch("seven_wonders", 1, 4, seed=seed, autoreset=False)
        batch.reset()
        said: dict[int, str] = {}
        while batch.deciders():
            row = batch.sample("greedy")
            for seat in batch.deciders():
                prices = [batch.price(0, seat, action) for action in batch.legal_actions(0, seat).tolist()]
                if batch.games["phase"][0] == s.PAY:
                    several += 1
                    assert len(prices) > 1
                    # The cheapest comes first there, and what is said now is what was said then.
                    before = said[seat].split(", or ")
                    assert sorted(before) == sorted(prices) or "other way" in before[-1]
                    assert all(re.search(r"leaves \d+$", price) for price in prices)
                else:
                    said[seat] = batch.price(0, seat, int(row[0, seat]))
            batch.step(row)
    assert several > 5
