"""Games in the environments of RLlib and Tianshou, which `make rllib-test` installs; TorchRL and SuperSuit are tested
with PettingZoo's own suite, and training with each of them in the documentation's examples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.game import GAMES, make_game

all_games = pytest.mark.parametrize("name", list(GAMES))


@all_games
def test_rllib_plays_a_game(name: str) -> None:
    wrappers = pytest.importorskip("ray.rllib.env.wrappers.pettingzoo_env")
    game = ParallelGameEnv(name, make_game(name).min_players)
    env = wrappers.ParallelPettingZooEnv(game)
    assert set(env.possible_agents) == set(game.possible_agents)
    observations, _ = env.reset(seed=1)
    rng = np.random.default_rng(0)
    while True:
        assert env.observation_space.contains(observations)
        actions = {
            agent: int(rng.choice(np.flatnonzero(seen["action_mask"])))
            for agent, seen in observations.items()
        }
        assert env.action_space.contains(actions)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        if terminated["__all__"]:
            break
    assert not truncated["__all__"]
    assert sum(rewards.values()) == pytest.approx(1)
    assert min(info["rank"] for info in infos.values()) == 1


@all_games
def test_tianshou_collects_games(name: str) -> None:
    pytest.importorskip("tianshou")
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, CollectStats, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    players = make_game(name).min_players

    def make_env() -> Any:
        return PettingZooEnv(AECGameEnv(name, players))

    env = make_env()
    agents = [
        MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in range(players)
    ]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=agents, env=env)
    envs = DummyVectorEnv([make_env, make_env])
    # Its random policy follows the masks, or the environment would refuse an action.
    collector = Collector[CollectStats](algorithm, envs, VectorReplayBuffer(10_000, 2))
    collector.reset()
    found = collector.collect(n_episode=2)
    assert found.n_collected_episodes == 2
    assert found.returns.sum(axis=1) == pytest.approx([1, 1])
