"""The rulings on Stone Age, on the kernels: the reckoning, the start, rounds and limits (numbers 23 to 28)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from antiquity.testing.table import Table
from stone_age_env import GAME
from stone_age_env.actions import place_action
from stone_age_env.state import (
    CARD_SPOT,
    FIELD,
    FOREST,
    HUNT,
    HUT,
    TOOL_MAKER,
)
from test_stone_age_positions import (
    CLAY_PIT,
    EACH_SEAT,
    FIELD_CARD,
    LOTTERY,
    QUARRY,
    Position,
    buy,
    die,
    gather,
)


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
def test_ruling_23_culture_sets(me: int, symbols: list[int], points: int) -> None:
    """Sets without repeats, their size squared; what is left over makes the next set."""
    assert Position(seats={me: {"culture": symbols}}, phase="place").points(me, "culture") == points


@EACH_SEAT
def test_ruling_24_people_on_sand_cards(me: int) -> None:
    """The number of figures drawn times the value; no base."""
    plain = Position(seats={me: {"agriculture": 7, "people": 9, "buildings": 4}}, phase="place")
    people = ("farmers", "toolmakers", "builders", "shamans")
    assert [plain.points(me, name) for name in people] == [0, 0, 0, 0]
    seats = {"agriculture": 7, "people": 9, "buildings": 4, "tools": [3, 2, 2], "figures": [5, 3, 3, 2]}
    game = Position(seats={me: seats | {"one_use": [1, 1, 1, 1]}}, phase="place")
    assert [game.points(me, name) for name in people] == [35, 21, 12, 18]
    assert game.points(me, "tiebreak") == 7 + 7 + 9


@EACH_SEAT
def test_ruling_25_left_over_resources(me: int) -> None:
    """One point for each resource, none for food; free resources not yet taken are two."""
    game = Position(seats={me: {"resources": [2, 0, 0, 3], "food": 11}}, phase="place")
    assert game.points(me, "resources") == game.points(me, "total") == 5
    game.record["free_cards"][me] = 1
    assert game.points(me, "resources") == 7


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_26_starting_values(players: int) -> None:
    """Five people, twelve food, no points, no fields; a pile for each player, four open cards."""
    game = Table(GAME, players, seed=9)
    record = game.record
    assert record["people"].tolist() == [5] * players + [0] * (4 - players)
    assert record["food"].tolist() == [12] * players + [0] * (4 - players)
    assert not record["agriculture"].any() and not record["tools"].any() and not record["resources"].any()
    assert not game.score()[:, :-1].any()
    assert record["pile_left"].tolist() == [7] * players + [0] * (4 - players)
    assert sorted([*record["open"], *record["deck"][4:]]) == list(range(36)) and record["deck_next"] == 4
    copies = np.bincount(record["piles"].ravel() - 1, minlength=28)
    assert (copies == game.tables[0]["tile_copies"]).all()
    # Nobody sees the piles out of play, nor what lies under the tops.
    unseen = game.observe(0)[GAME.layout.slice("unseen_tiles")] * 2
    assert unseen.sum() == 28 - players
    starts = {int(Table(GAME, players, seed=seed).record["start"]) for seed in range(60)}
    assert starts == set(range(players))


def test_ruling_27_round_order() -> None:
    """Clockwise from the start marker, skipping those without people; the marker moves left."""
    game = Table(GAME, 4, start_player=1)
    steps = [
        (1, place_action(HUNT, 5)),
        (2, place_action(HUNT, 2)),
        (3, place_action(HUNT, 2)),
        (0, place_action(HUNT, 2)),
        (2, place_action(FOREST, 2)),
        (3, place_action(CLAY_PIT, 2)),
        (0, place_action(QUARRY, 2)),
        (2, place_action(TOOL_MAKER, 1)),
        (3, place_action(FIELD, 1)),
        (0, place_action(CARD_SPOT, 1)),
    ]
    for seat, action in steps:
        assert game.deciders() == [seat]
        game.step({seat: action})
    # Seat 1 had one place alone, the hunt, and was not asked; seat 2 has three, then 3 and 0 follow.
    order = []
    game.record["used"][0] = [1, 0, 0]
    while int(game.record["round"]) == 0:
        [seat] = game.deciders()
        order.append(seat)
        game.step({seat: game.legal(seat)[-1]})
    assert [seat for seat, _ in itertools.groupby(order)] == [2, 3, 0]
    assert game.record["start"] == 2 and game.deciders() == [2]
    assert not game.record["used"].any()


@EACH_SEAT
def test_ruling_28_upper_limits(me: int) -> None:
    """Ten is the upper limit of agriculture; ten people at most. The field stays open, without effect."""
    full = {"agriculture": 10, "tools": [4, 4, 4], "people": 10, "resources": [1, 0, 0, 0]}
    game = Position(seats={me: full}, phase="place", start=me)
    assert {place_action(FIELD, 1), place_action(TOOL_MAKER, 1)} <= set(game.menu)
    assert place_action(HUT, 2) not in game.menu
    resolving = Position(
        seats={me: full}, placed={me: {FIELD: 1, TOOL_MAKER: 1, CARD_SPOT: 1}}, cards=[FIELD_CARD], start=me
    )
    resolving.play(gather(FIELD), gather(TOOL_MAKER), buy(1))
    assert resolving.of(me, "agriculture") == 10 and resolving.of(me, "tools") == [4, 4, 4]
    lottery = Position(
        seats={me: full},
        placed={me: {CARD_SPOT: 1, FIELD: 1}},
        cards=[LOTTERY],
        rolls={(me, CARD_SPOT): [6, 5, 1]},
        start=me,
    ).play(buy(1))
    assert lottery.menu == [die(1), die(5), die(6)]
    for face in (5, 6):
        after = lottery.after(die(face))
        assert after.of(me, "agriculture") == 10 and after.of(me, "tools") == [4, 4, 4]
