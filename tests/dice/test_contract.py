"""The contract of a game, as :func:`antiquity.testing.check_game` examines it."""

from __future__ import annotations

import pytest

from antiquity.testing import check_game
from dice_env import GAME

from .test_against_referee import builder


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (3, {"max_turns": 9, "barracks_bonus": "both_sides"}),
        (4, {}),
        (5, {"max_turns": 9, "middle_bonus": "four_colours"}),
        (7, {"max_turns": 9}),
    ],
)
def test_the_game_keeps_the_contract(players: int, options: dict[str, object]) -> None:
    check_game(GAME, games=1, players=[players], options=[options], choose=builder(0.8))
