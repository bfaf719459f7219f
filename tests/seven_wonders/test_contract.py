"""7 Wonders keeps the contract that every game does."""

from __future__ import annotations

import random
from typing import Any

import pytest

from antiquity.testing import Table, check_game
from seven_wonders_env import GAME

OPTIONS: tuple[dict[str, Any], ...] = (
    {"sides": "night"},
    {"sides": "choose"},
    {"sides": "random", "payments": "cheapest"},
)


def building(rng: random.Random, table: Table, seat: int, legal: list[int]) -> int:
    """At random, though a seat builds more often than not: richer cities."""
    preferred = [action for action in legal if (action - 1) % 3 != 2 or action > 240]
    return rng.choice(preferred if preferred and rng.random() < 0.7 else legal)


@pytest.mark.parametrize("players", range(GAME.min_players, GAME.max_players + 1))
def test_the_game_keeps_the_contract(players: int) -> None:
    options = OPTIONS[players % len(OPTIONS)]
    check_game(GAME, games=1, players=[players], options=[options], choose=building, environments=False)


@pytest.mark.parametrize("options", [{}, {"sides": ["choose", "day", "choose", "choose"]}], ids=str)
def test_the_environments_keep_the_contract(options: dict[str, Any]) -> None:
    check_game(GAME, games=0, players=[4] if options else None, options=[options])
