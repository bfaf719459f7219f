"""Observations of uint8: the same facts as float32, in a quarter of the memory."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity import Batch, make_game
from antiquity.agents import make_agent
from antiquity.agents.base import Decisions
from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.envs.vector import GameVectorEnv
from antiquity.game import Layout
from antiquity.testing import Table
from env_games import TOY

NAMES = ("seven_wonders", "stone_age", "dice")


def equal(layout: Layout, bytes_: Any, floats: Any) -> Any:
    """Whether bytes stand for these floats; rows of absent seats are zeros in both."""
    there = (floats != 0).any(axis=-1)
    assert not bytes_[~there].any()
    return np.isclose(layout.floats(bytes_), floats, rtol=1e-6, atol=1e-6) | ~there[..., None]


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_bytes_stand_for_the_floats_of_whole_games(name: str, memory: bool) -> None:
    """Greedy agents among random ones; nothing that they reach is too much for a byte, but for hunger at random."""
    game = make_game(name)
    for players in (game.min_players, game.max_players):
        floats, bytes_ = (
            Batch(game, 8, players, seed=3, memory=memory, dtype=dtype) for dtype in ("float32", np.uint8)
        )
        expected, found = floats.reset()[0], bytes_.reset()[0]
        for _ in range(120):
            assert found.dtype == np.uint8 and found.shape == expected.shape
            assert equal(floats.layout, found, expected).all()
            actions = floats.sample("greedy")
            expected, found = floats.step(actions).observations, bytes_.step(actions).observations
            assert equal(floats.layout, bytes_.ended.observations, floats.ended.observations).all()
        assert (floats.games == bytes_.games).all()


@pytest.mark.parametrize("name", NAMES)
def test_hardly_anything_saturates_where_agents_play_well(name: str) -> None:
    """Below one game in a thousand is promised; here a few dozen, in which there must be none."""
    game = make_game(name)
    batch = Batch(game, 32, seed=5, autoreset=False)
    batch.reset()
    agent = make_agent("policy", game)
    least, most = (batch.layout.floats(np.full(batch.layout.size, byte, np.uint8)) for byte in (0, 255))
    rows = batch.rows()
    while len(rows.game):
        assert (rows.observations >= least - 1e-6).all() and (rows.observations <= most + 1e-6).all()
        decisions = Decisions(game, batch.games, batch.tables, rows.game, rows.seat)
        rows = batch.step_rows(agent.act(decisions))  # type: ignore[assignment]


def test_what_a_byte_cannot_hold_is_the_nearest() -> None:
    wonders = Table(make_game("seven_wonders"), 3, seed=0)
    wonders.games["coins"][0, 0] = 300
    assert wonders.observe(0, dtype=np.uint8)[wonders.game.layout["me_coins"].start] == 255
    stone = Table(make_game("stone_age"), 2, seed=0)
    points = stone.game.layout["me_points"]
    for total, byte in ((-300, 0), (-7, -7 - points.byte_offset), (1000, 255)):
        stone.games["points"][0, 0, 2] = total
        assert stone.observe(0, dtype=np.uint8)[points.start] == byte


@pytest.mark.parametrize("threads", [1, 2])
def test_rows_ends_copies_and_files(tmp_path: Path, threads: int) -> None:
    batch = Batch("dice", 6, 3, seed=2, dtype="uint8", threads=threads)
    batch.reset()
    rows = batch.rows()
    seen = 0
    for _ in range(60):
        step = batch.step_rows(batch.sample_rows("random"))
        assert step.observations.dtype == np.uint8
        seen += len(batch.ended.index)
        assert batch.ended.observations.dtype == np.uint8
    assert rows.observations.dtype == np.uint8 and seen
    batch.save(tmp_path / "batch.npz")
    for twin in (copy.deepcopy(batch), batch.clone(), Batch.load(tmp_path / "batch.npz")):
        assert twin.dtype == np.uint8
        assert (twin.rows().observations == batch.rows().observations).all()


@pytest.mark.parametrize("flat", [False, True])
def test_environments_give_them_within_their_spaces(flat: bool) -> None:
    options: dict[str, Any] = {"dtype": "uint8", "flat_observations": flat}
    env = ParallelGameEnv("stone_age", 3, **options)
    observations, _ = env.reset(seed=1)
    space = env.observation_space("player_0")
    assert space.contains(observations["player_0"])
    vector = observations["player_0"] if flat else observations["player_0"]["observation"]
    assert vector.dtype == np.uint8
    aec = AECGameEnv("stone_age", 3, **options)
    aec.reset(seed=1)
    assert aec.observation_space("player_0").contains(aec.observe("player_0"))
    one = SingleAgentEnv("stone_age", 3, **options)
    assert one.observation_space.contains(one.reset(seed=1)[0])
    many = GameVectorEnv("stone_age", 4, 3, **options)
    assert many.observation_space.contains(many.reset(seed=1)[0])


def test_stable_baselines_gets_them() -> None:
    sb3 = pytest.importorskip("antiquity.envs.sb3")
    env = sb3.GameVecEnv("seven_wonders", 2, 3, dtype="uint8", seed=1)
    observations = env.reset()
    assert observations.dtype == np.uint8 and env.observation_space.contains(observations[0])


def test_torch_makes_floats_of_them() -> None:
    torch = pytest.importorskip("torch")
    from antiquity.train.floats import Floats

    batch = Batch("stone_age", 4, 4, seed=1, dtype="uint8")
    observations, _ = batch.reset()
    found = Floats(batch.layout)(torch.from_numpy(observations))
    assert found.dtype == torch.float32
    np.testing.assert_allclose(found.numpy(), batch.layout.floats(observations), rtol=1e-6)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match=r"dtype.*float32.*uint8"):
        Batch("dice", dtype="float16")
    with pytest.raises(TypeError, match="no observations of uint8"):
        Batch(TOY, dtype="uint8")
    with pytest.raises(TypeError):
        ParallelGameEnv(TOY, dtype=np.uint8)
