"""The rulings on feeding and placing (numbers 1 to 9), on the kernels and on the referee.

A ruling is a situation where game programs go wrong, and its right outcome; its rule stands in the test's docstring.
What depends on a seat is tried from every seat. Numbers 10 to 13 are in test_rulings_dice.py, 14 to
17 in test_rulings_cards.py, 18 to 22 in test_rulings_buildings.py, 23 to 28 in test_rulings_scoring.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from referees.stone_age_actions import (
    CLAY_PIT,
    FIELD,
    FOREST,
    GATHERING,
    HUNT,
    HUT,
    NUMBER,
    QUARRY,
    RIVER,
    TOOL_MAKER,
    VILLAGE,
    WAIT,
    WOOD,
    card_spot,
    pile_place,
)
from stone_age.play import At
from stone_age.positions import EACH_SEAT, SPOTS

# --- feeding ----------------------------------------------------------------------------------------------------------


@EACH_SEAT
def test_ruling_01_harvest_above_need(position: At, me: int) -> None:
    """First as much food as the agriculture value, then one for each person; what is left stays."""
    game = position(seats={me: {"agriculture": 8, "food": 0}})
    assert game["round"] == 1
    assert game["food"] == [3 if seat == me else 12 - 5 for seat in range(3)]
    assert game.sheet(me)["hunger"] == 0


@EACH_SEAT
def test_ruling_02_feeding_with_resources_is_a_choice(position: At, me: int) -> None:
    """Any resource counts as one food; the player may prefer the loss."""
    game = position(seats={me: {"food": 3, "agriculture": 1, "people": 6, "resources": [1, 0, 0, 2]}})
    assert game.phase == "feed" and game.decider == me
    assert game.offers == [("feed",), ("go hungry",)]
    assert game["pay_left"] == 2 and game["place"] is None
    paying = game.after("feed")
    assert paying.phase == "pay" and paying["place"] == 16
    assert paying.offers == [("pay", WOOD, 0), ("pay", WOOD, 1)]
    wood_and_gold, two_gold = paying.after("pay", WOOD, 1), paying.after("pay", WOOD, 0)
    assert wood_and_gold.of(me, "resources") == [0, 0, 0, 1]
    assert two_gold.of(me, "resources") == [1, 0, 0, 0]
    for paid in (wood_and_gold, two_gold):
        assert paid.of(me, "food") == 0 and paid.sheet(me)["hunger"] == 0 and paid["round"] == 1
    game.do("go hungry")
    assert game.of(me, "resources") == [1, 0, 0, 2] and game.of(me, "food") == 0
    assert game.sheet(me)["hunger"] == -10


@EACH_SEAT
def test_ruling_02_all_of_the_shortage_or_nothing(position: At, me: int) -> None:
    """With fewer resources than are missing there is nothing to choose: ten points are lost, the resources stay."""
    game = position(seats={me: {"food": 2, "resources": [1, 0, 0, 1]}})
    assert game["round"] == 1
    assert game.of(me, "resources") == [1, 0, 0, 1] and game.sheet(me)["hunger"] == -10


@EACH_SEAT
def test_ruling_03_penalty(position: At, me: int) -> None:
    """The loss is always ten; points may be negative; no person is lost."""
    other = (me + 1) % 3
    game = position(seats={me: {"food": 4, "points": {"buildings": 3}}, other: {"food": 0}})
    assert game["round"] == 1
    assert game.sheet(me)["total"] == -7 and game.sheet(other)["total"] == -10
    assert game["people"] == [5, 5, 5]


def test_ruling_03_every_shortage_adds_its_own_ten(position: At) -> None:
    game = position(seats={0: {"food": 0, "points": {"hunger": -10}}})
    assert game.sheet(0)["hunger"] == -20


@EACH_SEAT
def test_ruling_04_the_newcomer(position: At, me: int) -> None:
    """A new person eats in this round and works from the next one on."""
    game = position(seats={me: {"food": 6}}, placed={me: {HUT: 2, TOOL_MAKER: 1}}, start=me).do(
        "resolve", HUT
    )
    assert game["round"] == 1  # the tool maker was forced
    assert game.of(me, "people") == 6 and game.of(me, "food") == 0 and game.sheet(me)["hunger"] == 0
    assert game.of(me, "in_hand") == 6
    hungry = position(seats={me: {"food": 5}}, placed={me: {HUT: 2}}, start=me)
    assert hungry.sheet(me)["hunger"] == -10


def test_ruling_04_the_newcomer_is_not_placed_in_the_round(position: At) -> None:
    """It is not among the people at home before the next round begins."""
    game = position(2, placed={0: {HUT: 2, **SPOTS}}).do("resolve", HUT)
    assert game.phase == "resolve" and game.of(0, "people") == 6
    assert game.of(0, "in_hand") == 3  # two are still at the cards
    game.go_home()
    assert game["food"] == [6, 7] and game["round"] == 1 and game["in_hand"] == [6, 5]


def test_feeding_goes_clockwise_from_the_start_marker(position: At) -> None:
    stocks = {seat: {"food": 0, "resources": [5, 0, 0, 0]} for seat in range(3)}
    game = position(placed={1: {card_spot(1): 1}}, start=1, seats=stocks)
    assert game.decider == 1
    game.do("decline card", 1)
    order = []
    while game.phase == "feed":
        order.append(game.decider)
        game.do("go hungry")
    assert order == [1, 2, 0]


# --- placing ----------------------------------------------------------------------------------------------------------


@EACH_SEAT
def test_ruling_05_no_topping_up(position: At, me: int) -> None:
    """Nobody adds people to a place where it has some; the hunt knows no limit, and the same ban."""
    setup = {
        "seats": {me: {"people": 6}},
        "placed": {me: {FOREST: 3, HUNT: 1}},
        "phase": "place",
        "start": me,
    }
    game = position(4, **setup)
    assert game.decider == me and game.of(me, "in_hand") == 2
    assert game.places == {TOOL_MAKER, FIELD, HUT, CLAY_PIT, QUARRY, RIVER, *range(8, 16)}
    assert {("place", CLAY_PIT, 1), ("place", CLAY_PIT, 2)} <= set(game.offers)
    other = position(4, **setup, active=(me + 1) % 4)
    assert {("place", FOREST, 4), ("place", HUNT, 5)} <= set(other.offers)


@EACH_SEAT
@pytest.mark.parametrize(
    ("people", "home", "legal"), [(5, 1, False), (5, 2, True), (10, 2, False), (9, 2, True), (9, 5, True)]
)
def test_ruling_06_hut(position: At, me: int, people: int, home: int, legal: bool) -> None:
    """The same player's two at once; never with ten people."""
    game = position(
        seats={me: {"people": people}}, placed={me: {HUNT: people - home}}, phase="place", start=me
    )
    assert (("place", HUT, 2) in game.offers) == legal
    assert ("place", HUT, 1) not in NUMBER


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("closed", VILLAGE)
@pytest.mark.parametrize("same_seat", [True, False])
def test_ruling_07_village_places(position: At, players: int, closed: int, same_seat: bool) -> None:
    """With two or three players only two of tool maker, field and hut are used in a round, whichever."""
    taken = {place: 2 if place == HUT else 1 for place in VILLAGE if place != closed}
    placed = {0: taken} if same_seat else {seat: {place: n} for seat, (place, n) in enumerate(taken.items())}
    for seat in range(players):
        game = position(players, placed=placed, seats={0: {"people": 8}}, phase="place", active=seat)
        assert game.decider == seat
        assert game.places & set(VILLAGE) == ({closed} if players == 4 else set())
    # Next round all three are open again, and another one may stay empty.
    game = position(players, placed=placed)
    while game.phase == "resolve":
        game.do(*game.offers[0])
    assert game["round"] == 1
    assert game.offers[:3] == [("place", TOOL_MAKER, 1), ("place", FIELD, 1), ("place", HUT, 2)]


@pytest.mark.parametrize("place", GATHERING)
def test_ruling_08_players_per_resource_place(position: At, place: int) -> None:
    """Three players: two per place of resources; two players: one; seven heads in any case."""

    def numbers(players: int, *people: int, **setup: Any) -> list[int]:
        placed = {seat: {place: there} for seat, there in enumerate(people)}
        game = position(players, placed=placed, phase="place", active=len(people) % players, **setup)
        assert ("place", HUNT, 5) in game.offers
        assert ("place", card_spot(1), 1) in game.offers and ("place", pile_place(0), 1) in game.offers
        return [there for _, where, there in game.offers if where == place]

    assert numbers(3, 3, 2) == []
    assert numbers(3, 3) == [1, 2, 3, 4]
    assert numbers(2, 1) == []
    assert numbers(4, 3, 2, 1) == numbers(4, 2, 2, 2) == [1]
    assert numbers(4, 3, 2, 2) == []
    assert numbers(2, seats={0: {"people": 10}}) == [1, 2, 3, 4, 5, 6, 7]


def test_ruling_08_no_limit_elsewhere(position: At) -> None:
    """Everybody may hunt, with any number; a seat may stand on several cards and piles, each takes one person."""
    game = position(2, placed={0: {HUNT: 5}}, phase="place", active=1)
    assert [people for _, place, people in game.offers if place == HUNT] == [1, 2, 3, 4, 5]
    board = {0: {card_spot(1): 1, pile_place(0): 1}, 1: {card_spot(2): 1, pile_place(1): 1}}
    game = position(3, placed=board, phase="place", active=2)
    assert {card_spot(3), card_spot(4), pile_place(2)} <= game.places  # each for one person
    assert not {card_spot(1), card_spot(2), pile_place(0), pile_place(1), pile_place(3)} & game.places
    game = position(3, placed=board, phase="place", active=0)
    assert {card_spot(3), pile_place(2)} <= game.places  # several by one player
    game.do("place", card_spot(3), 1)
    assert game.decider == 1 and card_spot(3) not in game.places


@EACH_SEAT
def test_ruling_09_no_passing(position: At, me: int) -> None:
    """As long as there are people and a legal place, they must be placed."""
    game = position(placed={me: {FOREST: 1, RIVER: 1, FIELD: 1}}, phase="place", start=me)
    assert game.decider == me and WAIT not in game.legal(me)
    assert {verb for verb, *_ in game.offers} == {"place"}
    assert {("place", HUNT, 1), ("place", HUNT, 2)} <= set(game.offers)


def test_ruling_09_stuck(position: At) -> None:
    """Who has people left and no legal place is passed over, and the resolution begins."""
    one_each = dict.fromkeys([*GATHERING, TOOL_MAKER, FIELD, *map(card_spot, range(1, 5))], 1)
    placed = {0: one_each, 1: {HUNT: 1, pile_place(0): 1, pile_place(1): 1}}
    game = position(2, seats={0: {"people": 10}}, placed=placed, phase="place", start=1)
    assert game.phase == "resolve" and game.decider == 1
    assert game.of(1, "in_hand") == 2

    full = dict.fromkeys([*range(8, 14), CLAY_PIT, QUARRY], 1)
    placed = {0: {TOOL_MAKER: 1, FIELD: 1, HUNT: 1, FOREST: 1}, 1: full}
    game = position(2, placed=placed, seats={1: {"people": 10}}, phase="place", active=1)
    assert game.places == {RIVER, HUNT}
    game.do("place", RIVER, 1)  # seat 0 has one person and no place left, seat 1 only the hunt
    assert game.phase == "resolve" and game["in_hand"] == [1, 0] and game.of(1, "placed")[HUNT] == 1


def test_what_is_forced_is_not_asked(position: At) -> None:
    """Nor is anybody asked who waits."""
    game = position(2, placed={0: {HUNT: 5}, 1: {TOOL_MAKER: 1, HUNT: 4}}, rolls={(0, HUNT): [6, 6, 6, 5, 5]})
    assert game.decider == 1 and game.of(0, "food") == 12 + 14 and len(game.offers) == 2
    assert game.legal(0) == [WAIT]
