"""Self-play training with stable-baselines3's MaskablePPO, with a progress bar and a curve against the greedy agent.

:func:`train` is what ``make demo`` runs. It is short on purpose: the example to start your own loop from.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antiquity.agents import Network, NetworkAgent
from antiquity.arena.match import play_match
from antiquity.game import Game, make_game

if TYPE_CHECKING:
    from rich.console import Console
    from sb3_contrib import MaskablePPO

CHECK_SECONDS = 12.0
"""Time between two measurements against the greedy agent."""
CHECK_DEALS = 20


@dataclass
class Checkpoint:
    """One measurement during training.

    Attributes:
        seconds: since the start of training.
        steps: decisions trained on.
        games: games finished in training.
        points: mean total of the policy, one seat against the greedy agent in all others.
        greedy_points: mean total of the greedy agent in these games.
        win_share: share of wins of the policy; 1/n is par.
    """

    seconds: float
    steps: int
    games: int
    points: float
    greedy_points: float
    win_share: float


@dataclass
class Training:
    """What :func:`train` returns: the model, the policy as a network, and the curve."""

    game: Game
    num_players: int
    model: MaskablePPO
    policy: NetworkAgent
    curve: list[Checkpoint] = field(default_factory=list)


def train(
    game: str | Game,
    *,
    num_players: int | None = None,
    seconds: float = 120.0,
    num_games: int = 64,
    seed: int = 0,
    console: Console | None = None,
    **game_options: Any,
) -> Training:
    """Train one policy for all seats by playing it against itself.

    Args:
        game: a game's name, or a Game.
        num_players: seats at the table; the game's default when None.
        seconds: how long to train, on the wall clock.
        num_games: games played side by side.
        seed: of the games, the network and the draws; how far training gets still depends on the clock.
        console: where to show progress; None is silent.
        game_options: the game's own options.
    """
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecNormalize

    from antiquity.envs.sb3 import GameVecEnv

    # Networks this small lose more time to threads that wait for each other than they gain.
    torch.set_num_threads(1)
    game = make_game(game)
    players = num_players or game.default_players
    # Where all seats decide at once, every seat is a row and the policy plays itself. In the other games a row is the
    # learning seat of one game, and the rest of the table is played by the policy as it was at the last rollout.
    opponent = None if game.simultaneous else untrained(game)
    rows = GameVecEnv(
        game,
        num_games=num_games,
        num_players=players,
        seed=seed,
        reward="points",
        opponents=opponent,
        **game_options,
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
    training = Training(game, players, model, NetworkAgent.from_sb3(model, game))
    _learn(training, rows, opponent, seconds, seed, console, game_options)
    env.close()
    return training


def untrained(game: Game) -> NetworkAgent:
    """A network that gives all actions the same probability."""
    layer = (
        np.zeros((game.layout.size, game.num_actions), np.float32),
        np.zeros(game.num_actions, np.float32),
    )
    return NetworkAgent(game, Network.of_layers([layer]), name="untrained")


def _learn(
    training: Training,
    rows: Any,
    opponent: NetworkAgent | None,
    seconds: float,
    seed: int,
    console: Console | None,
    game_options: dict[str, Any],
) -> None:
    from rich.console import Console as RichConsole
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from stable_baselines3.common.callbacks import BaseCallback

    progress = Progress(
        TextColumn("[bold]training"),
        BarColumn(),
        TimeRemainingColumn(),
        TextColumn(
            "{task.fields[games]:>7,} games  {task.fields[speed]:>7,.0f} steps/s  {task.fields[note]}"
        ),
        console=console or RichConsole(quiet=True),
    )

    class Clock(BaseCallback):
        """Moves the bar, measures now and then, and stops when time is up."""

        def __init__(self) -> None:
            super().__init__()
            self.started = time.perf_counter()
            self.checked = -np.inf
            self.games = 0
            self.task = progress.add_task("", total=seconds, games=0, speed=0.0, note="")

        def _on_step(self) -> bool:
            self.games += int(np.count_nonzero(self.locals["dones"])) // (
                rows.num_envs // rows.batch.num_games
            )
            elapsed = time.perf_counter() - self.started
            progress.update(
                self.task,
                completed=min(elapsed, seconds),
                games=self.games,
                speed=self.num_timesteps / elapsed,
            )
            return elapsed < seconds

        def _on_rollout_start(self) -> None:
            if opponent is not None:
                opponent.network = NetworkAgent.from_sb3(self.model, training.game).network
            elapsed = time.perf_counter() - self.started
            if elapsed - self.checked >= CHECK_SECONDS:
                self.check()
                self.checked = elapsed

        def check(self) -> None:
            point = measure(training, self.num_timesteps, self.games, self.started, seed, game_options)
            training.curve.append(point)
            progress.update(
                self.task, note=f"{point.points:.1f} points against {point.greedy_points:.1f} of greedy"
            )

    clock = Clock()
    with progress:
        training.model.learn(total_timesteps=10**9, callback=clock)
        clock.check()
        progress.update(clock.task, completed=seconds)


def measure(
    training: Training, steps: int, games: int, started: float, seed: int, game_options: dict[str, Any]
) -> Checkpoint:
    """The policy as it is, one seat against the greedy agent in all others."""
    training.policy = NetworkAgent.from_sb3(training.model, training.game)
    line_up = [training.policy, *["greedy"] * (training.num_players - 1)]
    result = play_match(training.game, line_up, deals=CHECK_DEALS, seed=seed + 1, **game_options)
    by_name = {standing.name: standing for standing in result.standings()}
    policy, greedy = by_name[training.policy.name], by_name["greedy"]
    return Checkpoint(
        seconds=time.perf_counter() - started,
        steps=steps,
        games=games,
        points=policy.points["total"],
        greedy_points=greedy.points["total"],
        win_share=policy.win_share,
    )


def plot_curve(training: Training, path: str | Path) -> Path:
    """The curve of a training as a PNG."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    steps = [point.steps / 1000 for point in training.curve]
    figure, (points, wins) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    points.plot(steps, [point.points for point in training.curve], marker="o", label="policy")
    points.plot(
        steps, [point.greedy_points for point in training.curve], marker="o", label="greedy (the others)"
    )
    points.set(xlabel="decisions trained on (thousands)", ylabel="mean points", title="Points at the table")
    points.legend()
    wins.plot(steps, [100 * point.win_share for point in training.curve], marker="o")
    wins.axhline(100 / training.num_players, color="grey", linestyle="--", label="par")
    wins.set(
        xlabel="decisions trained on (thousands)", ylabel="wins (%)", title="One seat against greedy", ylim=0
    )
    wins.legend()
    figure.suptitle(f"{training.game.title}, {training.num_players} players: self-play")
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return path
