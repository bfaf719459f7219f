"""The rulings on the reckoning, the start, rounds and limits (numbers 23 to 28), on the kernels and on the referee."""

from __future__ import annotations

import itertools

import pytest

from referees.stone_age_actions import (
    CLAY_PIT,
    FIELD,
    FOREST,
    HUNT,
    HUT,
    QUARRY,
    TOOL_MAKER,
    VILLAGE,
    card_spot,
)
from stone_age.play import At
from stone_age.positions import EACH_SEAT, FIELD_CARD, LOTTERY, TABLE, TOOL_CARD
from stone_age_env.state import SYMBOLS

FIGURES = {"farmers": [2, 2, 1], "toolmakers": [1, 2], "builders": [3], "shamans": [2]}


@EACH_SEAT
@pytest.mark.parametrize(
    ("symbols", "points"),
    [
        ([2, 1, 1, 1, 1, 0, 0, 0], 26),
        ([2] * 8, 128),
        ([2, 2, 2, 0, 0, 0, 0, 0], 18),
        ([2, 2, 1, 1, 1, 0, 0, 0], 29),
        ([3, 1, 0, 0, 0, 0, 0, 0], 6),
        ([0] * 8, 0),
    ],
)
def test_ruling_23_culture_sets(position: At, me: int, symbols: list[int], points: int) -> None:
    """Sets without repeats, their size squared; what is left over makes the next set."""
    bottoms = [{"symbol": name} for name, number in zip(SYMBOLS, symbols, strict=True) for _ in range(number)]
    game = position(seats={me: {"bottoms": bottoms}}, phase="place")
    assert [game.sheet(seat)["culture"] for seat in range(3)] == [
        points if seat == me else 0 for seat in range(3)
    ]


@EACH_SEAT
def test_ruling_24_people_on_sand_cards(position: At, me: int) -> None:
    """The number of figures drawn times the value; no base."""
    levels = {"agriculture": 7, "people": 9, "buildings": 4, "tools": [3, 2, 2], "one_use": [0, 1, 1, 1]}
    plain = position(seats={me: levels}, phase="place").sheet(me)
    assert [plain[name] for name in FIGURES] == [0, 0, 0, 0]
    bottoms = [
        {"person": name[:-1], "figures": number} for name, numbers in FIGURES.items() for number in numbers
    ]
    sheet = position(seats={me: levels | {"bottoms": bottoms}}, phase="place").sheet(me)
    assert [sheet[name] for name in FIGURES] == [35, 21, 12, 18]
    assert sheet["culture"] == 0 and sheet["tiebreak"] == 7 + 7 + 9


@EACH_SEAT
def test_ruling_25_left_over_resources(position: At, me: int) -> None:
    """One point for each resource, none for food; free resources not yet taken are two."""
    stock = {"resources": [2, 0, 0, 3], "food": 11}
    sheet = position(seats={me: stock}, phase="place").sheet(me)
    assert sheet["resources"] == sheet["total"] == 5
    assert position(seats={me: stock | {"free_cards": 1}}, phase="place").sheet(me)["resources"] == 7


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_26_starting_values(position: At, players: int) -> None:
    """Five people, twelve food, no points, no fields; a pile for each player, four open cards."""
    game = position(players, phase="place", start=players - 1)
    assert game["people"] == game["in_hand"] == [5] * players and game["food"] == [12] * players
    assert game["agriculture"] == [0] * players and game["resources"] == [[0, 0, 0, 0]] * players
    assert game["tools"] == game["used"] == [[0, 0, 0]] * players
    assert [game.sheet(seat)["total"] for seat in range(players)] == [0] * players
    assert [len(pile) for pile in game["piles"]] == [7] * players
    assert sorted(game["open"] + game["deck"]) == list(range(36)) and len(game["open"]) == 4
    assert (game["round"], game.phase, game["decider"], game["start"]) == (
        0,
        "place",
        players - 1,
        players - 1,
    )
    assert game.places == set(range(12 + players))


def test_ruling_27_round_order(position: At) -> None:
    """Clockwise from the start marker, skipping those without people; the marker moves left."""
    a, b, c, d = range(4)
    game = position(
        4,
        phase="place",
        start=b,
        seats={a: {"tools": [1, 0, 0]}},
        rolls={(a, HUNT): [1, 2], (a, QUARRY): [4, 1]},
    )
    steps = [(b, HUNT, 5), (c, HUNT, 2), (d, HUNT, 2), (a, HUNT, 2), (c, FOREST, 2), (d, CLAY_PIT, 2)]
    steps += [(a, QUARRY, 2), (c, TOOL_MAKER, 1), (d, FIELD, 1), (a, card_spot(1), 1)]
    for seat, place, people in steps:
        assert game.decider == seat
        game.do("place", place, people)
    # Seat b had one place alone, the hunt, and was not asked.
    resolved = []
    while game["round"] == 0:
        seat = game.decider
        resolved.append(seat)
        assert not any(any(game.of(other, "placed")) for other in {*resolved} - {seat})
        if game.phase == "tools":
            assert seat == a and game["total"] == 3
            game.do("tool", 1)
        else:
            game.do(*(("resolve", HUNT) if ("resolve", HUNT) in game.offers else game.offers[-1]))
    assert [seat for seat, _ in itertools.groupby(resolved)] == [c, d, a]
    assert game.of(a, "food") == 12 + 2 - 5 and game.of(a, "resources") == [0, 0, 1, 0]
    assert game["start"] == game.decider == c
    assert game["used"] == [[0, 0, 0]] * 4


def test_next_round_the_village_is_open(position: At) -> None:
    """And all people are in hand."""
    game = position(3, placed={0: {TOOL_MAKER: 1, FIELD: 1}}).do("resolve", FIELD)
    assert game["round"] == 1 and game.places >= set(VILLAGE) and game["in_hand"] == [5, 5, 5]


@EACH_SEAT
def test_ruling_28_upper_limits(position: At, me: int) -> None:
    """Ten is the upper limit of agriculture; ten people at most. The field stays open, without effect."""
    full = {"agriculture": 10, "tools": [4, 4, 4], "people": 10, "resources": [2, 0, 0, 0]}
    game = position(seats={me: full}, phase="place", start=me)
    assert {("place", FIELD, 1), ("place", TOOL_MAKER, 1)} <= set(game.offers)  # to keep others away
    assert ("place", HUT, 2) not in game.offers
    for card in (FIELD_CARD, TOOL_CARD):
        placed = {me: {FIELD: 1, TOOL_MAKER: 1, card_spot(1): 1, card_spot(3): 1}}
        game = position(seats={me: full}, placed=placed, cards=[card], start=me)
        game.do("resolve", FIELD).do("resolve", TOOL_MAKER).do("buy", 1)
        assert game.of(me, "agriculture") == 10 and game.of(me, "tools") == [4, 4, 4]
    lottery = position(
        seats={me: full},
        placed={me: {card_spot(1): 1, FIELD: 1}},
        cards=[LOTTERY],
        rolls={(me, card_spot(1)): [6, 5, 1]},
        start=me,
    ).do("buy", 1)
    assert lottery.offers == [("die", 1), ("die", 5), ("die", 6)]
    for face in (5, 6):
        after = lottery.after("die", face)
        assert after.of(me, "agriculture") == 10 and after.of(me, "tools") == [4, 4, 4]


def test_the_table_has_the_limit_of_agriculture() -> None:
    assert TABLE["rules"]["max_agriculture"] == 10
