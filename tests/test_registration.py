"""The ids in the registries of Gymnasium and PettingZoo."""

from __future__ import annotations

import functools
import json
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from antiquity.envs import ids as registration
from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.envs.vector import GameVectorEnv
from env_games import WONDERS

ID = "antiquity/SevenWonders-v1"


@pytest.fixture(autouse=True)
def registered() -> None:
    registration.register(WONDERS)


def test_the_id_follows_from_name_and_version() -> None:
    assert registration.id_of(WONDERS) == ID


def test_the_ids_of_the_packages_are_those_of_their_games() -> None:
    from importlib.metadata import entry_points

    points = entry_points(group="antiquity.games")
    assert ID in {f"antiquity/{point.name}" for point in points}
    for point in points:
        assert registration.id_of(point.load()) == f"antiquity/{point.name}"


def test_registering_again_changes_nothing() -> None:
    before = dict(gymnasium.registry)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        registration.register(WONDERS)
        registration.register_installed()
    assert {name: gymnasium.registry[name] for name in before} == before


def test_gymnasium_makes_one() -> None:
    env = gymnasium.make(ID, opponents="greedy", seat="rotate", num_players=5)
    assert isinstance(env.unwrapped, SingleAgentEnv)
    observation, info = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    while True:
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        if terminated or truncated:
            break
    assert env.spec is not None
    assert json.loads(env.spec.to_json())["id"] == ID
    assert pickle.loads(pickle.dumps(env.spec)).id == ID


def test_gymnasiums_own_check_with_all_render_modes(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, on_illegal="random").unwrapped)
    assert capsys.readouterr().out


def test_ids_in_processes_that_begin_afresh() -> None:
    """They have not imported what their parent has: the id names the module to import."""
    made = functools.partial(gymnasium.make, f"antiquity:{ID}", num_players=3)
    env = gymnasium.vector.AsyncVectorEnv([made, made], context="spawn")
    try:
        observations, _ = env.reset(seed=[1, None])
        assert observations.shape == (2, WONDERS.layout.size)
    finally:
        env.close()


def test_gymnasium_makes_many() -> None:
    env = gymnasium.make_vec(ID, num_envs=3, opponents="greedy", autoreset_mode="SameStep")
    assert isinstance(env, GameVectorEnv) and env.num_envs == 3
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    env.reset(seed=0)
    env.step(env.action_masks().argmax(axis=1))
    single = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync")
    observations, infos = single.reset(seed=0)
    single.step(infos["action_mask"].argmax(axis=1))
    assert np.isfinite(observations).all()


def test_pettingzoo_makes_both() -> None:
    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry")
    parallel = pettingzoo.make("parallel", ID, num_players=3)
    assert isinstance(parallel, ParallelGameEnv)
    parallel.reset(seed=0)
    parallel.step(parallel.sample_actions())
    assert isinstance(pettingzoo.make("aec", "antiquity/SevenWonders", max_cycles=5), AECGameEnv)


def test_importing_the_game_is_enough_and_imports_no_torch() -> None:
    program = f"""
import sys, gymnasium
import seven_wonders_env
env = gymnasium.make({ID!r})
env.reset(seed=0)
seven_wonders_env.parallel_env().reset(seed=0)
seven_wonders_env.env().reset(seed=0)
heavy = [name for name in ("torch", "stable_baselines3", "matplotlib", "pygame") if name in sys.modules]
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
