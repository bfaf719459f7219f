"""The contract of Antiquity by one call, and the rules of Nim."""

from __future__ import annotations

import pytest

from antiquity import Batch
from antiquity.testing import Table, check_game, fuzz_records
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


def test_records_that_cannot_be_are_refused() -> None:
    for changes, words in (
        ({"heaps": [8, 0, 0]}, "heaps is .*8, 0, 0.*, expected 0 to 7"),
        ({"heaps": [0, 0, 0]}, "heaps is .*0, 0, 0"),
        ({"winner": 1}, "winner is 1"),
        ({"deciders": 3}, "deciders is 3"),
    ):
        games = Table(GAME, num_players=2).games
        for field, value in changes.items():
            games[field] = value
        with pytest.raises(ValueError, match=words):
            Batch(GAME, 1).set_games(games)


def test_other_records_do_no_harm() -> None:
    fuzz_records(GAME, 200)


def test_actions_have_words() -> None:
    assert Table(GAME, num_players=2).words(0, 2 + MOST) == "take 2 from heap 2"
