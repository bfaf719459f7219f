"""The stable-baselines3 VecEnv, and learning on it."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.agents import make_agent
from antiquity.envs.single import SingleAgentEnv
from antiquity.game import Game
from env_games import TOY, WONDERS, both_games, legal_choice, same

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

from antiquity.agents.policy import PolicyAgent, draw
from antiquity.batch import Batch
from antiquity.envs.sb3 import GameVecEnv

TINY: dict[str, Any] = {
    "n_steps": 16,
    "batch_size": 64,
    "n_epochs": 1,
    "policy_kwargs": {"net_arch": [8]},
    "device": "cpu",
}


def choose_all(rng: np.random.Generator, env: GameVecEnv) -> np.ndarray[Any, Any]:
    return np.array([legal_choice(rng, mask) for mask in env.masks()])


@both_games
def test_rows_of_seats_are_the_batch(game: Game) -> None:
    env = GameVecEnv(game, 3, seed=4, reward="points")
    batch = Batch(game, 3, seed=4, reward="points")
    seats = batch.num_seats
    assert env.rows == "seats" and env.num_envs == 3 * seats
    observations: Any = env.reset()
    expected, masks = batch.reset()
    assert same(observations, expected.reshape(env.num_envs, -1))
    rng = np.random.default_rng(0)
    endings = 0
    for _ in range(40):
        assert same(env.masks(), masks.reshape(env.num_envs, -1).astype(bool))
        actions = choose_all(rng, env)
        observations, rewards, dones, infos = env.step(actions)
        step = batch.step(actions.reshape(3, seats))
        masks = step.masks
        assert same(observations, step.observations.reshape(env.num_envs, -1))
        assert same(rewards, step.rewards.reshape(-1))
        assert same(dones, np.repeat(step.terminated, seats))
        for row, info in enumerate(infos):
            assert bool(info) == bool(dones[row])
        for k, index in enumerate(batch.ended.index):
            for seat in range(seats):
                info = infos[index * seats + seat]
                assert same(info["terminal_observation"], batch.ended.observations[k, seat])
                assert info["TimeLimit.truncated"] is False and info["seat"] == seat
                assert info["total"] == batch.ended.scores[k, seat, -2] == info["episode"]["r"]
                assert info["episode"]["l"] == batch.ended.lengths[k]
                endings += 1
    assert endings


@both_games
def test_rows_of_learners_never_wait(game: Game) -> None:
    env = GameVecEnv(game, 6, rows="learner", opponents="greedy", seed=0, reward="points")
    env.reset()
    assert env.num_envs == 6
    rng = np.random.default_rng(0)
    endings = 0
    for _ in range(60):
        assert not env.masks()[:, 0].any()
        observations: Any
        observations, _, dones, infos = env.step(choose_all(rng, env))
        assert env.observation_space.contains(observations[0])
        for row in np.flatnonzero(dones):
            assert infos[row]["total"] == infos[row]["episode"]["r"]
            endings += 1
    assert endings
    assert len(set(env.get_attr("seat"))) > 1


def test_a_row_of_a_learner_is_the_single_environment() -> None:
    env = GameVecEnv(TOY, 1, rows="learner", seat=1, opponents="greedy", seed=3)
    single = SingleAgentEnv(TOY, seat=1, opponents="greedy")
    assert same(env.reset()[0], single.reset(seed=3)[0])
    for _ in range(30):
        action = int(env.masks()[0].argmax())
        observations: Any
        observations, rewards, dones, infos = env.step(np.array([action]))
        observation, reward, terminated, truncated, info = single.step(action)
        assert rewards[0] == reward and dones[0] == (terminated or truncated)
        if dones[0]:
            assert same(infos[0]["terminal_observation"], observation)
            assert infos[0]["scores"] == info["scores"] and infos[0]["rank"] == info["rank"]
            observation, _ = single.reset()
        assert same(observations[0], observation)


@pytest.mark.parametrize("rows", ["seats", "learner"])
def test_truncation_is_announced(rows: str) -> None:
    env = GameVecEnv(TOY, 2, rows=rows, max_cycles=1, seed=0)
    env.reset()
    _, rewards, dones, infos = env.step(choose_all(np.random.default_rng(0), env))
    assert dones.all() and not rewards.any()
    assert all(info["TimeLimit.truncated"] is True for info in infos)


@pytest.mark.parametrize("rows", ["seats", "learner"])
def test_masks_as_sb3_contrib_asks_for_them(rows: str) -> None:
    env = GameVecEnv(TOY, 2, rows=rows, seed=0)
    env.reset()
    assert is_masking_supported(env) and is_masking_supported(VecMonitor(env))
    masks = get_action_masks(env)
    assert same(masks, env.masks()) and masks.dtype == bool
    assert same(env.env_method("action_masks", indices=[1])[0], masks[1])
    assert env.env_method("legal_actions", indices=0) == [np.flatnonzero(masks[0]).tolist()]
    assert env.env_method("describe", int(masks[0].argmax()), indices=0)[0].startswith("bid")
    assert env.env_method("render", indices=0)[0].startswith("round 1")
    assert not env.has_attr("something") and env.get_attr("render_mode") == [None] * env.num_envs
    assert env.env_is_wrapped(VecMonitor) == [False] * env.num_envs  # type: ignore[arg-type]


@pytest.mark.parametrize("rows", ["seats", "learner"])
def test_pictures_of_rows(rows: str) -> None:
    env = GameVecEnv(WONDERS, 2, num_players=3, rows=rows, render_mode="rgb_array")
    for look in (env.get_images, env.masks):
        with pytest.raises(ValueError, match="reset"):
            look()
    env.reset()
    images = env.get_images()
    assert len(images) == env.num_envs
    assert all(image is not None and image.dtype == np.uint8 and image.shape[2] == 3 for image in images)
    tiled = env.render()
    assert tiled is not None and tiled.shape[0] > images[0].shape[0]  # type: ignore[union-attr]
    assert f"rows='{rows}'" in repr(env)
    with pytest.raises(ValueError, match='render_mode="rgb_array"'):
        GameVecEnv(WONDERS, 1, rows=rows).get_images()


def test_seeds() -> None:
    env, other = GameVecEnv(WONDERS, 2, seed=5), GameVecEnv(WONDERS, 2)
    other.seed(5)
    first = env.reset()
    assert same(first, other.reset())
    assert not same(first, env.reset())
    env.seed(5)
    assert same(first, env.reset())


def test_copies_go_on_alike() -> None:
    for rows in ("seats", "learner"):
        env = GameVecEnv(TOY, 2, rows=rows, seed=1)
        env.reset()
        twin = pickle.loads(pickle.dumps(env))
        for _ in range(12):
            actions = env.masks().argmax(axis=1)
            assert same(env.step(actions), twin.step(actions))


def test_bad_calls_are_refused() -> None:
    with pytest.raises(ValueError, match="rows"):
        GameVecEnv(TOY, 1, rows="games")
    with pytest.raises(ValueError, match="every seat learns"):
        GameVecEnv(TOY, 1, rows="seats", opponents="random")
    env = GameVecEnv(TOY, 1)
    with pytest.raises(ValueError, match="reset"):
        env.step(np.array([1, 1, 1]))
    env.reset()
    with pytest.raises(ValueError, match="seat 1"):
        env.step(env.masks().argmax(axis=1) * [1, 0, 1])
    with pytest.raises(ValueError, match="opponents"):
        env.set_opponents("greedy")


@pytest.mark.parametrize("rows", ["seats", "learner"])
def test_maskable_ppo_learns(rows: str, tmp_path: Path) -> None:
    env = GameVecEnv(WONDERS, 4, rows=rows, seed=0)
    model = MaskablePPO("MlpPolicy", env, seed=0, **TINY)
    model.learn(16 * env.num_envs * 2)
    assert model.num_timesteps == 16 * env.num_envs * 2
    assert len(model.ep_info_buffer or []) > 0
    model.save(tmp_path / "model.zip")
    agent = make_agent(str(tmp_path / "model.zip"), WONDERS)
    assert isinstance(agent, PolicyAgent) and agent.name == "model"
    versus = GameVecEnv(WONDERS, 4, rows="learner", opponents=agent, seed=0)
    versus.reset()
    rng = np.random.default_rng(0)
    ended = sum(versus.step(choose_all(rng, versus))[2].sum() for _ in range(25))
    assert ended >= 4


class Copies(GameVecEnv):
    """Gives copies, which nothing can write over."""

    def reset(self) -> Any:
        return super().reset().copy()

    def step_wait(self) -> Any:
        observations, rewards, dones, infos = super().step_wait()
        return observations.copy(), rewards.copy(), dones.copy(), copy.deepcopy(infos)

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **options: Any) -> Any:
        return copy.deepcopy(super().env_method(method_name, *arguments, indices=indices, **options))


@pytest.mark.parametrize("rows", ["seats", "learner"])
def test_what_is_learned_from_is_not_written_over(rows: str) -> None:
    """Arrays are written again once nobody holds them, and the learner holds two steps at a time."""
    buffers = []
    for kind in (GameVecEnv, Copies):
        model = MaskablePPO("MlpPolicy", kind(WONDERS, 4, rows=rows, seed=0), seed=0, **TINY)
        model.learn(16 * 4 * (model.n_envs // 4) * 3)
        buffers.append(model.rollout_buffer)
    one, other = buffers
    for name in ("observations", "action_masks", "actions", "rewards", "episode_starts", "values"):
        assert same(getattr(one, name), getattr(other, name)), name
    assert len(np.unique(one.observations.reshape(16, -1), axis=0)) == 16


@pytest.mark.parametrize("rows", ["seats", "learner"])
def test_returned_arrays_stay_as_they_are(rows: str) -> None:
    env = GameVecEnv(TOY, 3, rows=rows, seed=0)
    kept: list[Any] = [env.reset()]
    for _ in range(20):
        kept.extend([*env.step(env.masks().argmax(axis=1)), env.masks()])
    again = GameVecEnv(TOY, 3, rows=rows, seed=0)
    expected: list[Any] = [copy.deepcopy(again.reset())]
    for _ in range(20):
        step: Any = again.step(again.masks().argmax(axis=1))
        expected.extend([*copy.deepcopy(step), again.masks()])
        step[0][:] = np.nan  # whoever was given it may do with it what they like
    assert same(kept, expected)


def test_frozen_policies_as_opponents_of_the_one_that_learns() -> None:
    env = GameVecEnv(TOY, 8, rows="learner", seed=0, memory=True)
    model = MaskablePPO("MlpPolicy", env, seed=0, **TINY)
    env.set_opponents(["greedy", PolicyAgent(model, deterministic=True)])
    model.learn(16 * 8 * 2)
    single = SingleAgentEnv(WONDERS, opponents=PolicyAgent(model))
    single.reset(seed=0)
    with pytest.raises(ValueError, match="takes 26 numbers"):
        single.step(single.legal_actions()[0])


def test_plain_ppo_learns_without_masks(tmp_path: Path) -> None:
    env = GameVecEnv(TOY, 4, on_illegal="random", seed=0)
    model = PPO("MlpPolicy", env, seed=0, **TINY)
    model.learn(16 * env.num_envs * 2)
    model.save(tmp_path / "plain")
    agent = PolicyAgent(tmp_path / "plain.zip")
    assert type(agent.model) is PPO
    single = SingleAgentEnv(TOY, opponents=agent)
    single.reset(seed=0)
    while not single.step(int(single.action_masks().argmax()))[2]:
        pass


def test_maskable_ppo_learns_on_the_single_environment() -> None:
    model = MaskablePPO("MlpPolicy", SingleAgentEnv(TOY, seat="rotate"), seed=0, **TINY)
    model.learn(64)
    assert model.num_timesteps == 64


def test_drawing_from_logits_follows_their_weights() -> None:
    rng = np.random.default_rng(0)
    logits = np.tile(np.log([1.0, 2.0, 1e-300, 5.0]), (20_000, 1))
    logits[:, 2] = -np.inf
    drawn = draw(logits, rng.random(20_000))
    shares = np.bincount(drawn, minlength=4) / 20_000
    assert shares == pytest.approx([1 / 8, 2 / 8, 0, 5 / 8], abs=0.02)
    assert draw(logits[:1], np.array([0.0])) == [0]
    assert draw(logits[:1], np.array([1.0 - 2.0**-53])) == [3]
