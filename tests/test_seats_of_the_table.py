"""``seats="table"``: the observation without the blocks of seats that this table does not have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.batch import Batch
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.envs.sb3 import GameVecEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.game import GAMES, make_game
from env_games import TOY

TABLES = [
    (name, players)
    for name in sorted(GAMES)
    for players in range(make_game(name).min_players, make_game(name).max_players + 1)
]


def columns(batch: Batch, whole: Batch) -> np.ndarray[Any, Any]:
    """Where the elements of one layout lie in the other."""
    numbers = np.arange(whole.layout.size)
    return np.concatenate([numbers[whole.layout.slice(each.name)] for each in batch.layout])


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize(("memory", "dtype"), [(False, "float32"), (True, "uint8")])
def test_what_is_left_is_the_same(game: str, players: int, memory: bool, dtype: str) -> None:
    options: dict[str, Any] = {"seed": players, "memory": memory, "dtype": dtype}
    batch = Batch(game, 3, players, seats="table", **options)
    whole = Batch(game, 3, players, **options)
    left = columns(batch, whole)
    absent = np.setdiff1d(np.arange(whole.observation_size), left)
    assert len(left) == batch.observation_size == batch.observations.shape[-1]
    assert (len(absent) == 0) == (players == batch.game.max_players)
    batch.reset()
    whole.reset()
    nothing = whole.observations[0, 0, absent].copy()
    for number in range(40):
        if number % 2:
            batch.step(batch.sample())
            whole.step(whole.sample())
            assert (batch.observations == whole.observations[:, :, left]).all()
            assert (whole.observations[:, :, absent] == nothing).all()
        else:
            rows = batch.step_rows(batch.sample_rows())
            others = whole.step_rows(whole.sample_rows())
            assert (rows.observations == others.observations[:, left]).all()
    assert (batch.games == whole.games).all()


def test_the_largest_table_of_a_batch_counts() -> None:
    batch, whole = (Batch("seven_wonders", 3, [3, 5, 4], seed=2, seats=seats) for seats in ("table", "all"))
    batch.reset()
    whole.reset()
    assert "other_2_coins" in batch.layout and "other_3_coins" not in batch.layout
    assert (batch.observations == whole.observations[:, :, columns(batch, whole)]).all()


def test_all_forms_and_environments_have_it(tmp_path: Path) -> None:
    blocks, _ = Batch("stone_age", 2, 2, seats="table", observation="dict", seed=0).reset()
    assert "left" in blocks and "left_2" not in blocks
    short, long = (
        Batch("stone_age", 2, 2, seats=seats, observation="tokens", seed=0) for seats in ("table", "all")
    )
    one: Any = short.reset()[0]
    other: Any = long.reset()[0]
    assert (one["present"] == other["present"]).all() and (one["types"] == other["types"]).all()
    size = short.layout.size
    env = ParallelGameEnv("stone_age", 2, seats="table")
    assert env.reset(seed=0)[0]["player_0"]["observation"].shape == (size,)
    assert SingleAgentEnv("stone_age", 2, seats="table").observation_space.shape == (size,)
    assert GameVecEnv("stone_age", 2, num_players=2, seats="table").observation_space.shape == (size,)
    short.save(tmp_path / "batch.npz")
    assert Batch.load(tmp_path / "batch.npz").layout.size == size


def test_games_without_blocks_are_refused() -> None:
    with pytest.raises(TypeError, match="Toy bids has no observations of the seats at the table alone"):
        Batch(TOY, 1, seats="table")
    with pytest.raises(ValueError, match="seats"):
        Batch("dice", 1, seats="some")
