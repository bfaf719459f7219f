"""The contract of Antiquity by one call, and the rules of Nim."""

from __future__ import annotations

from antiquity.testing import Table, check_game
from nim_env import GAME, MOST


def test_the_game_keeps_the_contract() -> None:
    check_game(GAME)


def test_whoever_takes_the_last_stone_wins() -> None:
    table = Table(GAME, num_players=2, seed=3)
    table.record["heaps"][:] = [0, 2, 1]
    assert table.legal(0) == [1 + MOST, 2 + MOST, 1 + 2 * MOST]
    table.step({0: 2 + MOST})
    assert table.deciders() == [1] and table.score()[:, -2].tolist() == [0, 0]
    table.step({1: 1 + 2 * MOST})
    assert table.over and table.score()[:, -2].tolist() == [0, 1]


def test_actions_have_words() -> None:
    assert Table(GAME, num_players=2).words(0, 2 + MOST) == "take 2 from heap 2"
