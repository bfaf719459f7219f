"""PettingZoo's own tests, and SuperSuit's way to stable-baselines3."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.test.state_test import state_test

from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.game import Game
from env_games import TOY, WONDERS, both_games

# It warns of Dict observations, which its own classic games have too; of fields of the state that never change (absent
# seats); and of the toy's state, which is zero at the end.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*[Oo]bservation"),
    pytest.mark.filterwarnings("ignore:.*maximum and minimum"),
    pytest.mark.filterwarnings("ignore:State numpy array is all zeros"),
]


@both_games
@pytest.mark.parametrize("flat", [False, True])
def test_api(game: Game, flat: bool) -> None:
    api_test(AECGameEnv(game, flat_observations=flat, on_illegal="random"), num_cycles=100)


@both_games
@pytest.mark.parametrize("flat", [False, True])
def test_parallel_api(game: Game, flat: bool) -> None:
    parallel_api_test(ParallelGameEnv(game, flat_observations=flat, on_illegal="random"), num_cycles=100)


@both_games
def test_seed(game: Game) -> None:
    seed_test(lambda: AECGameEnv(game), num_cycles=50)


@both_games
def test_parallel_seed(game: Game) -> None:
    # It samples without masks.
    parallel_seed_test(lambda: ParallelGameEnv(game, on_illegal="random"), num_cycles=50)


@both_games
def test_state(game: Game) -> None:
    state_test(AECGameEnv(game, on_illegal="random"), ParallelGameEnv(game, on_illegal="random"))


@both_games
def test_render(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: AECGameEnv(game, render_mode=render_mode))
    assert capsys.readouterr().out


def test_max_cycles() -> None:
    # It wants every seat to act at every step, and samples without masks.
    options: dict[str, Any] = {"payments": "cheapest", "on_illegal": "random"}
    max_cycles_test(
        SimpleNamespace(
            parallel_env=lambda max_cycles: ParallelGameEnv(WONDERS, max_cycles=max_cycles, **options),
            env=lambda max_cycles: AECGameEnv(WONDERS, max_cycles=max_cycles, **options),
        )
    )


def test_the_native_environment_and_pettingzoos_conversion_give_the_same_rewards() -> None:
    from pettingzoo.utils.conversions import parallel_to_aec

    native, converted = (
        AECGameEnv(TOY, reward="points"),
        parallel_to_aec(ParallelGameEnv(TOY, reward="points")),
    )
    totals = []
    for env in (native, converted):
        env.reset(seed=5)
        sums: dict[str, float] = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            sums[agent] += reward
            env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
        totals.append(sums)
    assert totals[0] == totals[1]


def test_supersuit_and_plain_ppo() -> None:
    supersuit = pytest.importorskip("supersuit")
    sb3 = pytest.importorskip("stable_baselines3")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = ParallelGameEnv(TOY, flat_observations=True, on_illegal="random")
        rows = supersuit.concat_vec_envs_v1(
            supersuit.pettingzoo_env_to_vec_env_v1(env), 2, num_cpus=1, base_class="stable_baselines3"
        )
        model = sb3.PPO(
            "MlpPolicy", rows, n_steps=16, batch_size=32, n_epochs=1, policy_kwargs={"net_arch": [8]}
        )
        model.learn(192)
    assert model.num_timesteps == 192


@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested")
def test_torchrl() -> None:
    pettingzoo = pytest.importorskip("torchrl.envs.libs.pettingzoo")
    parallel = pettingzoo.PettingZooWrapper(
        ParallelGameEnv(WONDERS), use_mask=False, categorical_actions=True
    )
    # Its random policy follows the masks, or the environment would refuse an action.
    found = parallel.rollout(100)
    assert found["next", "done"][-1].item() and len(found) >= 18
    in_turn = pettingzoo.PettingZooWrapper(AECGameEnv(WONDERS), use_mask=True, categorical_actions=True)
    assert in_turn.rollout(200)["next", "done"][-1].item()


def test_torchrl_by_the_id() -> None:
    torchrl = pytest.importorskip("torchrl.envs")
    env = torchrl.GymEnv("antiquity/SevenWonders-v1", opponents="greedy", num_players=3)
    assert env.reset()["observation"].shape[0] == WONDERS.layout.size


def test_tianshou() -> None:
    tianshou = pytest.importorskip("tianshou.env")
    env = tianshou.PettingZooEnv(AECGameEnv(WONDERS))
    observation, info = env.reset(seed=0)
    rewards: list[float] = []
    done = False
    while not done:
        observation, rewards, terminated, truncated, info = env.step(observation["mask"].index(True))
        done = terminated or truncated
    assert sum(rewards) == pytest.approx(1) and info["rank"] >= 1
