"""The rulings on Stone Age, on the kernels: feeding, placing, dice and tools (numbers 1 to 13).

A ruling is a situation where game programs go wrong, and its right outcome; its rule stands in the test's docstring.
What depends on a seat is tried from every seat. Numbers 14 to 22 are in test_stone_age_rules_buying.py, 23 to 28 in
test_stone_age_rules_scoring.py.
"""

from __future__ import annotations

from collections import Counter

import pytest

from antiquity.game import WAIT
from stone_age_env import GAME, roll
from stone_age_env.actions import pay_action, place_action
from stone_age_env.state import (
    BUILDING,
    CARD_SPOT,
    FEED_NOTHING,
    FEED_RESOURCES,
    FIELD,
    FOREST,
    GOODS,
    HUNT,
    HUT,
    PHASES,
    RESOURCES,
    STOP,
    TOOL_MAKER,
)
from test_stone_age_positions import (
    CLAY_PIT,
    EACH_SEAT,
    QUARRY,
    RIVER,
    Position,
    climb_ladder,
    gather,
    once,
    tool,
)

# --- feeding ----------------------------------------------------------------------------------------------------------


@EACH_SEAT
def test_ruling_01_harvest_above_need(me: int) -> None:
    """First as much food as the agriculture value, then one for each person; what is left stays."""
    game = Position(seats={me: {"agriculture": 8, "food": 0}})
    assert game.record["round"] == 1
    assert game.of(me, "food") == 3
    assert game.points(me, "hunger") == 0


@EACH_SEAT
def test_ruling_02_feeding_with_resources_is_a_choice(me: int) -> None:
    """Any resource counts as one food; the player may prefer the loss."""
    seats = {me: {"food": 4, "people": 6, "resources": [1, 0, 0, 2]}}
    game = Position(seats=seats)
    assert game.phase == "feed" and game.decider == me
    assert game.menu == [FEED_RESOURCES, FEED_NOTHING]
    wood_and_gold = game.after(FEED_RESOURCES, pay_action("wood", 1))
    assert wood_and_gold.of(me, "resources") == [0, 0, 0, 1]
    two_gold = game.after(FEED_RESOURCES, pay_action("wood", 0))
    assert two_gold.of(me, "resources") == [1, 0, 0, 0]
    for paid in (wood_and_gold, two_gold):
        assert paid.of(me, "food") == 0 and paid.points(me, "hunger") == 0 and paid.record["round"] == 1
    game.play(FEED_NOTHING)
    assert game.of(me, "resources") == [1, 0, 0, 2] and game.of(me, "food") == 0
    assert game.points(me, "hunger") == -10


@EACH_SEAT
def test_ruling_02_all_of_the_shortage_or_nothing(me: int) -> None:
    """With fewer resources than are missing there is nothing to choose: ten points are lost, the resources stay."""
    game = Position(seats={me: {"food": 2, "resources": [1, 0, 0, 1]}})
    assert game.record["round"] == 1
    assert game.of(me, "resources") == [1, 0, 0, 1] and game.points(me, "hunger") == -10


@EACH_SEAT
def test_ruling_03_penalty(me: int) -> None:
    """The loss is always ten; points may be negative; no person is lost."""
    other = (me + 1) % 3
    game = Position(seats={me: {"food": 4, "points": [3, 0, 0]}, other: {"food": 0}})
    assert game.record["round"] == 1
    assert game.points(me, "total") == -7 and game.points(other, "total") == -10
    assert game.of(me, "people") == game.of(other, "people") == 5
    for seat in range(3):
        seen, layout = game.observe(seat), GAME.layout
        assert (seen >= layout.low).all() and (seen <= layout.high).all()
        assert seen[layout.slice("me_points")][0] == pytest.approx([-7, -10, 0][(seat - me) % 3] / 50)


@EACH_SEAT
def test_ruling_04_the_newcomer(me: int) -> None:
    """A new person eats in this round and works from the next one on."""
    game = Position(
        seats={me: {"food": 6}}, placed={me: {HUT: 2, TOOL_MAKER: 1}, (me + 1) % 3: {}}, start=me
    ).play(gather(HUT))
    assert game.record["round"] == 1  # the tool maker was forced
    assert game.of(me, "people") == 6 and game.of(me, "food") == 0 and game.points(me, "hunger") == 0
    assert game.of(me, "in_hand") == 6
    hungry = Position(seats={me: {"food": 5}}, placed={me: {HUT: 2}}, start=me)
    assert hungry.points(me, "hunger") == -10


def test_ruling_04_the_newcomer_is_not_placed_in_the_round() -> None:
    """It is not among the people at home before the next round begins."""
    game = Position(2, placed={0: {HUT: 2, TOOL_MAKER: 1, FIELD: 1}}).play(gather(HUT))
    assert game.phase == "resolve" and game.of(0, "people") == 6
    assert game.of(0, "in_hand") == 3


# --- placing ----------------------------------------------------------------------------------------------------------


@EACH_SEAT
def test_ruling_05_no_topping_up(me: int) -> None:
    """Nobody adds people to a place where it has some; the hunt knows no limit, and the same ban."""
    game = Position(seats={me: {"people": 6}}, placed={me: {FOREST: 3, HUNT: 1}}, phase="place", start=me)
    assert game.decider == me and game.of(me, "in_hand") == 2
    for people in (1, 2):
        assert place_action(FOREST, people) not in game.menu
        assert place_action(HUNT, people) not in game.menu
        assert place_action(CLAY_PIT, people) in game.menu


@EACH_SEAT
@pytest.mark.parametrize(
    ("people", "home", "legal"), [(5, 1, False), (5, 2, True), (10, 2, False), (9, 5, True)]
)
def test_ruling_06_hut(me: int, people: int, home: int, legal: bool) -> None:
    """The same player's two at once; never with ten people."""
    game = Position(
        seats={me: {"people": people}}, placed={me: {RIVER: people - home}}, phase="place", start=me
    )
    assert (place_action(HUT, 2) in game.menu) == legal
    with pytest.raises(ValueError, match="hut"):
        place_action(HUT, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("taken", [(TOOL_MAKER, FIELD), (TOOL_MAKER, HUT), (FIELD, HUT)])
@pytest.mark.parametrize("same_seat", [True, False])
def test_ruling_07_village_places(players: int, taken: tuple[int, int], same_seat: bool) -> None:
    """With two or three players only two of tool maker, field and hut are used in a round, whichever."""
    first, second = taken
    people = {place: 2 if place == HUT else 1 for place in taken}
    placed = {0: people} if same_seat else {0: {first: people[first]}, 1: {second: people[second]}}
    game = Position(players, placed=placed, phase="place", start=1)
    [third] = {TOOL_MAKER, FIELD, HUT} - set(taken)
    for seat in range(players):
        game.record["active"] = seat
        game.settle()
        village = [action for action in game.menu if action < place_action(FOREST, 1)]
        assert village == ([place_action(third, 2 if third == HUT else 1)] if players == 4 else [])
    # Next round all three are open again, and another one may stay empty.
    game.record["placed"] = 0
    game.record["phase"] = PHASES.index("resolve")
    game.record["active"] = game.record["start"]
    game.settle()
    assert game.record["round"] == 1
    assert game.menu[:3] == [place_action(TOOL_MAKER, 1), place_action(FIELD, 1), place_action(HUT, 2)]


@pytest.mark.parametrize("place", [FOREST, CLAY_PIT, QUARRY, RIVER])
def test_ruling_08_players_per_resource_place(place: int) -> None:
    """Three players: two per place of resources; two players: one; seven heads in any case."""
    three = Position(3, placed={0: {place: 3}, 1: {place: 2}}, phase="place", start=2)
    assert not any(place_action(place, people) in three.menu for people in range(1, 8))
    two = Position(2, placed={0: {place: 1}}, phase="place", start=1)
    assert not any(place_action(place, people) in two.menu for people in range(1, 8))
    four = Position(4, placed={0: {place: 3}, 1: {place: 2}, 2: {place: 1}}, phase="place", start=3)
    assert [people for people in range(1, 8) if place_action(place, people) in four.menu] == [1]
    for game in (two, three, four):
        assert place_action(HUNT, 5) in game.menu
        assert place_action(CARD_SPOT, 1) in game.menu and place_action(BUILDING, 1) in game.menu


def test_ruling_08_no_limit_elsewhere() -> None:
    """Everybody may hunt, with any number; a seat may stand on several cards and piles, each takes one person."""
    game = Position(
        2,
        seats={0: {"people": 10}, 1: {"people": 10}},
        placed={0: {HUNT: 7, CARD_SPOT: 1}, 1: {HUNT: 4}},
        phase="place",
    )
    assert {place_action(CARD_SPOT + spot, 1) for spot in (1, 2, 3)} <= set(game.menu)
    assert place_action(CARD_SPOT, 1) not in game.menu
    assert {place_action(BUILDING + pile, 1) for pile in (0, 1)} <= set(game.menu)
    game.play(place_action(CARD_SPOT + 1, 1))
    assert game.decider == 1 and place_action(CARD_SPOT + 1, 1) not in game.menu


@EACH_SEAT
def test_ruling_09_no_passing(me: int) -> None:
    """As long as there are people and a legal place, they must be placed."""
    game = Position(placed={me: {FOREST: 1, RIVER: 1, FIELD: 1}}, phase="place", start=me)
    assert WAIT not in game.menu
    assert {place_action(HUNT, 1), place_action(HUNT, 2)} <= set(game.menu)


def test_ruling_09_stuck() -> None:
    """Who has people left and no legal place is passed over, and the resolution begins."""
    one_each = (FOREST, CLAY_PIT, QUARRY, RIVER, TOOL_MAKER, FIELD, *range(CARD_SPOT, CARD_SPOT + 4))
    placed = {0: dict.fromkeys(one_each, 1), 1: {HUNT: 1, BUILDING: 1, BUILDING + 1: 1}}
    game = Position(2, seats={0: {"people": 10}}, placed=placed, phase="place", start=1)
    assert game.phase == "resolve" and game.decider == 1
    assert game.of(1, "in_hand") == 2


# --- dice and tools ---------------------------------------------------------------------------------------------------


def test_ruling_10_dice() -> None:
    """Ordinary dice: 20,000 of one seed."""
    faces = Counter(
        face
        for when in range(250)
        for seat in range(4)
        for place, number in ((FOREST, 7), (HUNT, 10), (CARD_SPOT, 3))
        for face in roll(2026, when, seat, place, number)
    )
    total = sum(faces.values())
    assert total == 20_000 and set(faces) == {1, 2, 3, 4, 5, 6}
    # Five standard deviations: 5 * sqrt(20000 * 5) / 6 = 264; of the mean 5 * 1.708 / sqrt(20000) = 0.06.
    assert all(abs(number - total / 6) < 264 for number in faces.values())
    assert abs(sum(face * number for face, number in faces.items()) / total - 3.5) < 0.06


@EACH_SEAT
@pytest.mark.parametrize(
    ("place", "gained"), [(HUNT, 10), (FOREST, 6), (CLAY_PIT, 5), (QUARRY, 4), (RIVER, 3)]
)
def test_ruling_11_divisors(me: int, place: int, gained: int) -> None:
    """Total 20: divided by 2, 3, 4, 5, 6 for food, wood, clay, stone, gold, rounded down."""
    game = Position(
        placed={me: {place: 5, FIELD: 0}, (me + 1) % 3: {TOOL_MAKER: 1, HUT: 2}},
        rolls={(me, place): [6, 5, 4, 3, 2]},
        start=me,
    )
    good = GOODS[0] if place == HUNT else GOODS[1 + place - FOREST]
    if good == "food":
        assert game.of(me, "food") == 500 + gained
    else:
        assert game.of(me, "resources")[RESOURCES.index(good)] == gained
        assert sum(game.of(me, "resources")) == gained


@pytest.mark.parametrize("people", [8, 9])
def test_ruling_11_more_dice_than_seven(people: int) -> None:
    """A hunt with more than seven dice is one total."""
    placed = {0: {HUNT: people, FIELD: 1}, 1: {FOREST: 5}}
    game = Position(2, seats={0: {"people": people + 1}}, placed=placed, phase="place", start=1)
    faces = roll(int(game.record["seed"]), 0, 0, HUNT, people)
    assert (
        game.phase == "resolve" and game.decider == 0
    )  # nobody is left at home, and seat 1 has one place alone
    assert game.menu == [gather(FIELD), gather(HUNT)]
    game.play(gather(HUNT))
    # The field was forced, and all are fed.
    assert game.of(0, "food") == 500 + sum(faces) // 2 + 1 - (people + 1)


@EACH_SEAT
def test_ruling_12_using_tools(me: int) -> None:
    """Each tool once a round, with its full value, any number on one roll, decided after seeing the dice."""
    game = Position(
        seats={me: {"tools": [2, 2, 2]}},
        placed={me: {RIVER: 2, FOREST: 1}},
        rolls={(me, RIVER): [3, 4], (me, FOREST): [5]},
        start=me,
    ).play(gather(RIVER))
    assert game.phase == "tools" and game.record["total"] == 7
    assert game.menu == [STOP, tool(2)]  # not split: no 1 is offered
    game.play(tool(2), tool(2))
    assert game.of(me, "used") == [0, 1, 1]  # of equal tools the rightmost is used
    game.play(tool(2))
    # 13 for two gold; nothing is left for the wood, where 5 brings one. Then the round was over.
    assert game.of(me, "resources") == [1, 0, 0, 2]
    assert game.record["round"] == 1 and game.of(me, "used") == [0, 0, 0]


def test_ruling_12_one_use_tools() -> None:
    """They are added like the others, together with them, and are gone."""
    game = Position(
        2,
        seats={0: {"tools": [1, 0, 0], "one_use": [0, 1, 0, 2]}},
        placed={0: {RIVER: 1, QUARRY: 1, HUT: 2}},
        rolls={(0, RIVER): [1], (0, QUARRY): [2]},
    ).play(gather(RIVER))
    assert game.menu == [STOP, tool(1), once(2), once(4)]
    game.play(once(4), tool(1))
    assert game.record["total"] == 6 and game.menu == [STOP, once(2), once(4)]
    game.play(STOP, gather(QUARRY))
    assert game.of(0, "resources") == [0, 0, 0, 1]
    assert game.menu == [STOP, once(2), once(4)] and game.of(0, "one_use") == [0, 1, 0, 1]


@EACH_SEAT
def test_ruling_13_gaining_tools(me: int) -> None:
    """Three frames, one step at a time, lowest first, at most four each."""
    ladder = [
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 1],
        [2, 1, 1],
        [2, 2, 1],
        [2, 2, 2],
        [3, 2, 2],
        [3, 3, 2],
        [3, 3, 3],
    ]
    ladder += [[4, 3, 3], [4, 4, 3], [4, 4, 4], [4, 4, 4]]
    game = Position(phase="place")
    for expected in ladder:
        climb_ladder(game.games, me)
        assert game.of(me, "tools") == expected


def test_ruling_13_a_raised_tool_keeps_its_mark() -> None:
    """A used tool that is raised stays used; a tool put into an empty frame can be used at once."""
    for tools, used, after, left in (
        ([1, 1, 1], [1, 0, 0], [2, 1, 1], [tool(1)]),
        ([1, 0, 0], [1, 0, 0], [1, 1, 0], [tool(1)]),
    ):
        game = Position(
            2,
            seats={0: {"tools": tools, "used": used}},
            placed={0: {TOOL_MAKER: 1, RIVER: 1, HUT: 2}},
        ).play(gather(TOOL_MAKER), gather(RIVER))
        assert game.of(0, "tools") == after
        assert game.menu == [STOP, *left]
