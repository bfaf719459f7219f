"""Memory that is asked for ahead: which it is, and that asking for it changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from antiquity import Batch, ahead, stepping
from antiquity.game import Game
from env_games import WONDERS, both_games


def written(batch: Batch) -> np.ndarray[Any, Any]:
    sizes = (batch.observation_size, batch.num_actions)
    settings = {"max_cycles": stepping.NO_LIMIT}
    return ahead.written(batch.game, batch.tables, batch._options, batch.num_seats, sizes, settings)


@both_games
def test_what_a_position_shows_is_written(game: Game) -> None:
    for players in (game.min_players, game.max_players):
        batch = Batch(game, 20, players, seed=1)
        found = written(batch)
        assert found.shape == (batch.observation_size,)
        assert found[batch.reset()[0].any(axis=(0, 1))].all()


def test_blocks_of_absent_seats_are_not_written() -> None:
    found = written(Batch(WONDERS, 1, 4))
    absent = [field for field in WONDERS.layout.fields if field.name.startswith(("other_2", "other_4"))]
    assert absent and not any(found[field.start : field.start + field.size].any() for field in absent)
    city = WONDERS.layout["other_1_city"]
    assert found[city.start : city.start + city.size].all()


def test_a_line_for_each_piece_that_is_wanted() -> None:
    wanted = np.zeros(100, np.bool_)
    wanted[[0, 15, 16, 17, 40, 99]] = True  # bytes 0, 60, 64, 68, 160 and 396
    assert ahead.lines(wanted, 1).tolist() == [0, 64, 128, 163, 384, 399]
    assert ahead.lines(wanted, 2).tolist() == [0, 64, 128, 163, 384, 399, 400, 464, 528, 563, 784, 799]
    assert len(ahead.lines(np.zeros(100, np.bool_), 2)) == 0


@both_games
@pytest.mark.parametrize("options", [{}, {"memory": True, "threads": 3}], ids=["plain", "memory, threads"])
def test_asking_ahead_changes_nothing(
    game: Game, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = [game.min_players, game.max_players] * 4
    plain = Batch(game, 8, counts, seed=3, copy=False, **options)
    monkeypatch.setattr(stepping, "CACHED", 0)
    fetching, rows = (Batch(game, 8, counts, seed=3, copy=False, **options) for _ in range(2))
    for batch in (plain, fetching, rows):
        batch.reset()
    found: Any = rows.rows()
    for _ in range(60):
        assert np.array_equal(fetching.observations, plain.observations)
        assert np.array_equal(fetching.masks, plain.masks)
        assert np.array_equal(found.observations, plain.observations[found.game, found.seat])
        assert np.array_equal(found.masks, plain.masks[found.game, found.seat])
        actions = plain.sample()
        plain.step(actions)
        fetching.step(actions)
        found = rows.step_rows(actions[found.game, found.seat])
    assert fetching.games.tobytes() == plain.games.tobytes() == rows.games.tobytes()
