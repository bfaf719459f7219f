"""The demo: train by self-play, play a tournament, leave everything in a folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from antiquity.arena.match import MatchResult, play_match
from antiquity.game import make_game
from antiquity.study.log import game_log
from antiquity.train.run import train
from antiquity.train.settings import settings_for
from antiquity.train.trainer import Budget

if TYPE_CHECKING:
    from rich.console import Console

DEALS = 250


def run_demo(
    game_name: str,
    *,
    console: Console,
    players: int | None = None,
    seconds: float = 120.0,
    deals: int = DEALS,
    seed: int = 0,
    folder: str | Path = "runs",
) -> list[MatchResult]:
    """Train, play against greedy and random with balanced seats, print the tables.

    Leaves what :func:`antiquity.train.run.train` leaves, and ``game.txt``, in ``folder/<game>-demo``, in place of an
    earlier demo.
    """
    game = make_game(game_name)
    players = players or game.default_players
    target = Path(folder) / f"{game.name}-demo"
    if (target / "checkpoint.npz").exists():
        shutil.rmtree(target)
    console.print(f"{game.title}, {players} players: self-play for {seconds:.0f} s")
    policy = train(
        game,
        settings_for(game, players=(players,), seed=seed),
        Budget(seconds=seconds),
        target,
        console=console,
    ).policy

    others = players - 1
    results = []
    for name in ("random", "greedy"):
        result = play_match(game, [policy, *[name] * others], deals=deals, seed=seed + 2)
        console.print(
            result.table(
                f"one policy against {others} {name}: {deals} deals in all seatings, par is {1 / (others + 1):.0%}"
            )
        )
        results.append(result)
    (target / "game.txt").write_text(
        game_log(game, [policy, *["greedy"] * others], seed=seed), encoding="utf-8"
    )
    console.print(f"policy.npz, history/, curve.png and game.txt (one game in words) are in {target}/")
    return results
