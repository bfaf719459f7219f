"""Self-play with stable-baselines3's MaskablePPO, in one file.

    python examples/maskable_ppo_sb3.py --game seven_wonders --seconds 120

Where all seats decide at once, every seat of every game is a row of the VecEnv and one policy plays them all. In other
games a row is the learning seat of one game, and the rest of the table is played by the policy as it was at the last
rollout.

It learns to beat random play by far in a minute, and not the greedy agent: `antiquity train` and examples/ppo.py, which
know of legal lists, of live columns and of greedy's own values, are for that.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecNormalize

from antiquity.agents import Network, NetworkAgent
from antiquity.arena import play_match
from antiquity.envs.sb3 import GameVecEnv
from antiquity.game import make_game


def untrained(game):
    """A network that gives all actions the same probability."""
    layer = (np.zeros((game.layout.size, game.num_actions)), np.zeros(game.num_actions))
    return NetworkAgent(game, Network.of_layers([layer]), name="former self")


class Clock(BaseCallback):
    """Stops when time is up; hands the opponents the policy as it is; measures now and then."""

    def __init__(self, game, players, seconds, opponent, every=20.0):
        super().__init__()
        self.game, self.players, self.seconds, self.opponent, self.every = (
            game,
            players,
            seconds,
            opponent,
            every,
        )
        self.started = self.measured = time.perf_counter()

    def _on_rollout_start(self):
        policy = NetworkAgent.from_sb3(self.model, self.game)
        if self.opponent is not None:
            self.opponent.network = policy.network
        if time.perf_counter() - self.measured > self.every:
            self.measured = time.perf_counter()
            print(f"{self.measured - self.started:4.0f} s  {self.num_timesteps:9,} steps")
            print(measure(policy, "random", self.players, deals=30))

    def _on_step(self):
        return time.perf_counter() - self.started < self.seconds


def measure(policy, other, players, deals):
    """One seat of the policy among others, every deal in all seatings."""
    policy.deterministic = True
    return play_match(policy.game, [policy, *[other] * (players - 1)], deals=deals, seed=1)


def train(game, players, seconds, games=64, seed=0):
    """Train for some seconds of the clock; returns the model."""
    torch.set_num_threads(1)
    opponent = None if game.simultaneous else untrained(game)
    rows = GameVecEnv(
        game, num_games=games, num_players=players, seed=seed, reward="points", opponents=opponent
    )
    # Points of a game add up to dozens: the value function learns faster on rewards of about unit size.
    env = VecNormalize(rows, norm_obs=False, norm_reward=True, gamma=1.0)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=max(32, 8192 // rows.num_envs),
        batch_size=1024,
        n_epochs=3,
        gamma=1.0,
        gae_lambda=0.95,
        learning_rate=7e-4,
        ent_coef=0.01,
        target_kl=0.05,
        policy_kwargs={"net_arch": [256, 128]},
        seed=seed,
        device="cpu",
    )
    model.learn(total_timesteps=10**9, callback=Clock(game, players, seconds, opponent))
    env.close()
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="seven_wonders")
    parser.add_argument("--players", type=int, default=0, help="the game's default if 0")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--folder", type=Path, default=Path("runs/sb3"))
    args = parser.parse_args()
    game = make_game(args.game)
    players = args.players or game.default_players
    model = train(game, players, args.seconds, args.games, args.seed)
    policy = NetworkAgent.from_sb3(model, game)
    for other in ("random", "greedy"):
        print(f"one policy among {players - 1} {other}, par is {1 / players:.0%}")
        print(measure(policy, other, players, args.deals))
    model.save(args.folder / "model.zip")
    print(f"{policy.save(args.folder / 'policy.npz')} can sit at a table wherever an agent is named")


if __name__ == "__main__":
    main()
