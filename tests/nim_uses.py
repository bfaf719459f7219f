"""What an installed game of a stranger can do: run by tests/test_nim_example.py where nim_env is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test
from typer.testing import CliRunner

import nim_env
from antiquity import Batch, make_game
from antiquity.agents.search import SearchAgent
from antiquity.arena import play_match, tournament
from antiquity.cli.main import app
from antiquity.game import GAMES

ROOT = Path(__file__).parents[1]


def test_it_is_installed_and_found_by_name() -> None:
    assert not Path(nim_env.__file__).is_relative_to(ROOT)
    assert "nim" in GAMES and make_game("nim") is nim_env.GAME
    assert "antiquity/Nim-v0" in gymnasium.registry


def test_batch() -> None:
    batch = Batch("nim", num_games=32, seed=1)
    batch.reset()
    ended = 0
    for _ in range(30):
        step = batch.step(batch.sample())
        ended += int(step.terminated.sum())
        assert (step.rewards.sum(axis=1) == step.terminated).all()
    assert ended > 32
    assert (batch.rollout().sum(axis=1) == 1).all()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo() -> None:
    parallel_api_test(nim_env.parallel_env(on_illegal="random"), num_cycles=50)
    api_test(nim_env.env(on_illegal="random"), num_cycles=50)
    env = nim_env.env(render_mode="ansi")
    env.reset(seed=1)
    assert "heaps: [" in str(env.render()) and "seed" not in str(env.render())


def test_gymnasium() -> None:
    one: Any = gymnasium.make("antiquity/Nim-v0", opponents="random")
    _, info = one.reset(seed=0)
    done, reward = False, 0.0
    while not done:
        _, reward, done, _, info = one.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert info["rank"] == (1 if reward else 2)
    many: Any = gymnasium.make_vec("antiquity/Nim-v0", num_envs=8)
    observations, infos = many.reset(seed=0)
    for _ in range(20):
        actions = [int(np.flatnonzero(mask)[0]) for mask in infos["action_mask"]]
        observations, *_, infos = many.step(np.array(actions))
    assert observations.shape == (8, nim_env.LAYOUT.size)


def test_stable_baselines3() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    from antiquity.envs.sb3 import GameVecEnv

    env = GameVecEnv("nim", num_games=8)
    model = contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1)
    model.learn(512)
    assert model.num_timesteps >= 512


def test_search_beats_chance() -> None:
    search = SearchAgent(nim_env.GAME, simulations=100)
    best = play_match("nim", [search, "random"], deals=20, seed=1).standings()[0]
    assert best.name != "random" and best.win_share > 0.8


def test_tournament() -> None:
    summary = tournament("nim", ["random", "greedy", "search:simulations=20"], deals=10, seed=1)
    assert "search" in str(summary)


def test_demo(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    options = ["--seconds", "1", "--deals", "4", "--folder", str(tmp_path)]
    done = CliRunner().invoke(app, ["demo", "nim", *options])
    assert done.exit_code == 0, done.output
    assert "take" in (tmp_path / "nim-demo" / "game.txt").read_text(encoding="utf-8")
    assert (tmp_path / "nim-demo" / "policy.npz").is_file()
