"""Stone Age keeps the contract of a game: what holds for every game is examined by :func:`check_game`."""

from __future__ import annotations

import pytest

from antiquity.testing import check_game
from stone_age.policies import buyer
from stone_age_env import GAME


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_game_keeps_the_contract(players: int) -> None:
    options = [{"start_player": 1}, {"max_rounds": 4}]
    check_game(GAME, games=1, players=[players], options=options, choose=buyer, environments=False)
