"""A position is what was asked for, on the kernels and on the referee."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from referees.stone_age_actions import FOREST, HUNT
from stone_age.play import OnKernels, OnReferee
from stone_age.positions import ANY_TILE, CARD, EXTRA, LOTTERY, TILE, TWO_FREE, Position
from stone_age_env import roll
from stone_age_env import state as s

SETUPS = [
    {"placed": {0: {FOREST: 2, HUNT: 1}, 2: {HUNT: 4}}, "phase": "place", "active": 1},
    {
        "seats": {
            0: {
                "cards": ["C04"],
                "extra": ["C05"],
                "points": {"hunger": -10},
                "tools": [2, 1, 1],
                "used": [1, 0, 0],
            },
            2: {"resources": [1, 2, 3, 4], "food": 3, "free_cards": 1},
        },
        "placed": {1: {FOREST: 2, HUNT: 1}},
        "cards": [TWO_FREE, LOTTERY],
        "deck": 3,
        "tiles": [ANY_TILE],
        "left": {0: 2, 1: 1},
        "start": 2,
    },
]


def test_cards_tiles_and_dice_are_those_asked_for() -> None:
    """Cards and tiles lie where they were put, nothing is there twice, and the dice fall as they should."""
    rolls = {(2, FOREST): [2, 4, 4], (0, HUNT): [6]}
    cards = [TWO_FREE, LOTTERY, "C12", "C20", EXTRA]
    seats = {1: {"cards": ["C04"], "extra": ["C05"]}}
    game = Position(
        3, seats=seats, cards=cards, tiles=[ANY_TILE, "wood2_clay1"], rolls=rolls, phase="place"
    ).record
    assert [*game["open"], game["deck"][6]] == [CARD[name] for name in cards] and game["deck_next"] == 6
    assert game["piles"][:2, s.PILE - 1].tolist() == [TILE[ANY_TILE] + 1, TILE["wood2_clay1"] + 1]
    owned = np.flatnonzero(game["owner"])
    assert sorted([*game["open"], *game["deck"][6:], *owned]) == list(range(36))
    assert game["owner"][owned].tolist() == [2, 6] and game["cards"].tolist() == [0, 2, 0, 0]
    table = Position(3)
    assert (np.bincount(game["piles"].ravel() - 1, minlength=28) == table.tables[0]["tile_copies"]).all()
    for (seat, place), faces in rolls.items():
        assert sorted(roll(int(game["seed"]), 0, seat, place, len(faces))) == faces


@pytest.mark.parametrize("setup", SETUPS)
def test_kernels_and_referee_stand_at_the_same_position(setup: dict[str, Any]) -> None:
    kernels, referee = OnKernels.at(3, **setup), OnReferee.at(3, **setup)
    assert kernels.state() == {name: referee[name] for name in kernels.state()}
    for seat in range(3):
        assert kernels.sheet(seat) == referee.sheet(seat)
        assert kernels.legal(seat) == referee.legal(seat)
