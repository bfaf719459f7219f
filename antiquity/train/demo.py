"""The demo: train by self-play, play a tournament, leave everything in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from antiquity.agents.network import NetworkAgent
from antiquity.arena.match import MatchResult, play_match
from antiquity.game import make_game
from antiquity.replay.log import game_log
from antiquity.train.maskable_ppo import plot_curve, train

if TYPE_CHECKING:
    from rich.console import Console

DEALS = 250


def run_demo(
    game_name: str,
    *,
    console: Console,
    seconds: float = 120.0,
    deals: int = DEALS,
    seed: int = 0,
    folder: str | Path = "runs",
    **game_options: Any,
) -> list[MatchResult]:
    """Train, save, play against greedy and random with balanced seats, print the tables.

    Leaves ``model.zip`` (stable-baselines3), ``policy.npz`` (the network alone, see
    :class:`antiquity.agents.network.NetworkAgent`), ``curve.png`` and ``game.txt`` in ``folder/<game>``.
    """
    game = make_game(game_name)
    target = Path(folder) / game.name
    target.mkdir(parents=True, exist_ok=True)
    console.print(
        f"{game.title}, {game.default_players} players: self-play with MaskablePPO for {seconds:.0f} s"
    )
    training = train(game, seconds=seconds, seed=seed, console=console, **game_options)
    training.model.save(target / "model.zip")
    training.policy.save(target / "policy.npz")
    plot_curve(training, target / "curve.png")
    policy = NetworkAgent.load(target / "policy.npz", game)

    others = game.default_players - 1
    results = []
    for name in ("random", "greedy"):
        result = play_match(game, [policy, *[name] * others], deals=deals, seed=seed + 2, **game_options)
        console.print(
            result.table(
                f"one policy against {others} {name}: {deals} deals in all seatings, par is {1 / (others + 1):.0%}"
            )
        )
        results.append(result)
    (target / "game.txt").write_text(
        game_log(game, [policy, *["greedy"] * others], seed=seed, **game_options), encoding="utf-8"
    )
    console.print(f"model.zip, policy.npz, curve.png and game.txt (one game in words) are in {target}/")
    return results
