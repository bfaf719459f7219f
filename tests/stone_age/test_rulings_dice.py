"""The rulings on dice and tools (numbers 10 to 13), on the kernels and on the referee."""

from __future__ import annotations

import itertools

import pytest

from referees.stone_age_actions import (
    CLAY_PIT,
    FIELD,
    FOREST,
    GATHERING,
    HUNT,
    HUT,
    QUARRY,
    RIVER,
    TOOL_MAKER,
    card_spot,
)
from stone_age.play import At, Words
from stone_age.positions import CARD, EACH_SEAT, LOTTERY, ONE_USE_4, SPOTS, TOOL_CARD


def test_ruling_10_one_die_for_each_person(position: At) -> None:
    """More than seven dice of a hunt are one total with the others: 25."""
    faces = [1, 2, 3, 4, 5, 6, 1, 3]
    game = position(2, placed={0: {HUNT: 8, **SPOTS}}, seats={0: {"people": 10}}, rolls={(0, HUNT): faces})
    assert game.do("resolve", HUNT).of(0, "food") == 12 + 12


@EACH_SEAT
@pytest.mark.parametrize(
    ("place", "gained"), [(HUNT, 10), (FOREST, 6), (CLAY_PIT, 5), (QUARRY, 4), (RIVER, 3)]
)
def test_ruling_11_divisors(position: At, me: int, place: int, gained: int) -> None:
    """Total 20: divided by 2, 3, 4, 5, 6 for food, wood, clay, stone, gold, rounded down."""
    rolls = {(me, place): [6, 5, 4, 3, 2]}
    game = position(
        placed={me: {place: 5, FIELD: 0}, (me + 1) % 3: {TOOL_MAKER: 1, HUT: 2}}, rolls=rolls, start=me
    )
    stock = [gained if place == where else 0 for where in GATHERING]
    assert game.of(me, "resources") == stock and game.of(me, "food") == 12 + (gained if place == HUNT else 0)


@pytest.mark.parametrize("people", [8, 9])
def test_ruling_11_more_dice_than_seven(position: At, people: int) -> None:
    """A hunt with more than seven dice is one total."""
    placed = {0: {HUNT: people, FIELD: 1}, 1: {FOREST: 5}}
    faces = [1, 2, 3, 4, 5, 6, 1, 2, 3][:people]
    game = position(
        2, seats={0: {"people": people + 1}}, placed=placed, phase="place", start=1, rolls={(0, HUNT): faces}
    )
    assert (
        game.phase == "resolve" and game.decider == 0
    )  # nobody is left at home, and seat 1 has one place alone
    assert game.offers == [("resolve", FIELD), ("resolve", HUNT)]
    game.do("resolve", HUNT)
    # The field was forced, and all are fed.
    assert game.of(0, "food") == 12 + sum(faces) // 2 + 1 - (people + 1)


@EACH_SEAT
def test_ruling_12_using_tools(position: At, me: int) -> None:
    """Each tool once a round, with its full value, any number on one roll, decided after seeing the dice."""
    game = position(
        seats={me: {"tools": [2, 2, 2]}},
        placed={me: {RIVER: 2, FOREST: 1, **SPOTS}},
        rolls={(me, RIVER): [3, 4], (me, FOREST): [5]},
        start=me,
    ).do("resolve", RIVER)
    assert (game.phase, game["place"], game["total"], game.decider) == ("tools", RIVER, 7, me)
    for used in ([0, 0, 1], [0, 1, 1]):  # of equal tools the rightmost is used
        assert game.offers == [("no more tools",), ("tool", 2)]  # not split: no 1 is offered
        game.do("tool", 2)
        assert game.of(me, "used") == used
    game.do("tool", 2)  # nothing else to decide: the gold is taken
    assert game.of(me, "used") == [1, 1, 1] and game.of(me, "resources") == [0, 0, 0, 2]  # 13
    game.do("resolve", FOREST)  # 5 brings one
    assert game.phase == "resolve" and game.of(me, "resources") == [1, 0, 0, 2]
    game.do("decline card", 3)
    assert game["round"] == 1 and game.of(me, "used") == [0, 0, 0]


def test_ruling_12_one_use_tools(position: At) -> None:
    """They are added like the others, together with them, and are gone."""
    game = position(
        2,
        seats={0: {"tools": [1, 0, 0], "one_use": [0, 1, 0, 2]}},
        placed={0: {RIVER: 1, QUARRY: 1, HUT: 2}},
        rolls={(0, RIVER): [1], (0, QUARRY): [2]},
    ).do("resolve", RIVER)
    assert game.offers == [("no more tools",), ("tool", 1), ("one-use tool", 2), ("one-use tool", 4)]
    game.do("one-use tool", 4).do("tool", 1)
    assert game["total"] == 6 and game.offers == [
        ("no more tools",),
        ("one-use tool", 2),
        ("one-use tool", 4),
    ]
    game.do("no more tools").do("resolve", QUARRY)
    assert game.of(0, "resources") == [0, 0, 0, 1]
    assert game.offers == [("no more tools",), ("one-use tool", 2), ("one-use tool", 4)]
    assert game.of(0, "one_use") == [0, 1, 0, 1]


def test_one_use_tools_are_bought_used_once_and_count_no_points(position: At) -> None:
    game = position(
        2,
        placed={0: {card_spot(1): 1, FOREST: 1, CLAY_PIT: 1, **SPOTS}},
        cards=[ONE_USE_4],
        seats={0: {"resources": [0, 0, 0, 1], "tools": [1, 0, 0]}},
        rolls={(0, FOREST): [1], (0, CLAY_PIT): [1]},
    ).do("buy", 1)
    assert game.of(0, "one_use") == [0, 0, 0, 1]
    game.do("resolve", FOREST)
    assert game.offers == [("no more tools",), ("tool", 1), ("one-use tool", 4)]
    game.do("one-use tool", 4).do("tool", 1)
    assert game.of(0, "resources") == [2, 0, 0, 0] and game.of(0, "one_use") == [0, 0, 0, 0]
    game.do("resolve", CLAY_PIT)
    assert game.phase == "resolve"  # nothing is left to add
    game.go_home()
    assert game["round"] == 1 and game.of(0, "one_use") == [0, 0, 0, 0] and game.of(0, "used") == [0, 0, 0]
    toolmakers = [{"person": "toolmaker", "figures": 2}]
    counted = position(2, seats={0: {"bottoms": toolmakers, "one_use": [0, 0, 0, 1]}}, phase="place")
    assert counted.sheet(0)["toolmakers"] == 0


@EACH_SEAT
def test_ruling_13_gaining_tools(position: At, me: int) -> None:
    """Three frames, one step at a time, lowest first, at most four each."""
    ladder = [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 1],
        [2, 1, 1],
        [2, 2, 1],
        [2, 2, 2],
        [3, 2, 2],
        [3, 3, 2],
    ]
    ladder += [[3, 3, 3], [4, 3, 3], [4, 4, 3], [4, 4, 4], [4, 4, 4]]
    for before, after in itertools.pairwise(ladder):
        game = position(seats={me: {"tools": before}}, placed={me: {TOOL_MAKER: 1, **SPOTS}}, start=me)
        assert game.do("resolve", TOOL_MAKER).of(me, "tools") == after


def test_ruling_13_tools_from_the_tool_maker_a_card_and_a_die(position: At) -> None:
    game = position(
        2,
        placed={0: {TOOL_MAKER: 1, card_spot(1): 1, card_spot(2): 1, **SPOTS}},
        cards=[TOOL_CARD, LOTTERY],
        seats={0: {"tools": [4, 2, 2], "resources": [3, 0, 0, 0]}},
        rolls={(0, card_spot(2)): [5, 1]},
    )
    assert game.do("resolve", TOOL_MAKER).of(0, "tools") == [4, 3, 2]
    assert game.do("buy", 1).of(0, "tools") == [4, 3, 3] and game.of(0, "cards") == [CARD[TOOL_CARD]]
    assert game.do("buy", 2).do("die", 5).of(0, "tools") == [4, 4, 3]


@pytest.mark.parametrize(
    ("tools", "used", "after", "left"),
    [
        ([1, 1, 1], [1, 0, 0], [2, 1, 1], [("tool", 1)]),
        ([1, 1, 1], [1, 0, 1], [2, 1, 1], [("tool", 1)]),
        ([1, 0, 0], [1, 0, 0], [1, 1, 0], [("tool", 1)]),
    ],
)
def test_ruling_13_a_raised_tool_keeps_its_mark(
    position: At, tools: list[int], used: list[int], after: list[int], left: list[Words]
) -> None:
    """A used tool that is raised stays used; a tool put into an empty frame can be used at once."""
    game = position(
        2,
        seats={0: {"tools": tools, "used": used}},
        placed={0: {TOOL_MAKER: 1, FOREST: 2, **SPOTS}},
        rolls={(0, FOREST): [1, 1]},
    ).do("resolve", TOOL_MAKER)
    assert game.of(0, "tools") == after and game.of(0, "used") == used
    game.do("resolve", FOREST)
    assert game.offers == [("no more tools",), *left]
    if used == [1, 0, 0]:
        game.do("tool", 1)
        if game.phase == "tools":
            game.do("no more tools")
        assert game.of(0, "resources") == [1, 0, 0, 0]
        assert game.of(0, "used") == ([1, 1, 0] if after == [1, 1, 0] else [1, 0, 1])
