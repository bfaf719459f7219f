"""Commands about speed: ``bench`` and ``warmup``."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from typing import Annotated, Any

import typer

from antiquity.batch import Batch
from antiquity.cli.common import AsJson, GameName, console, print_json
from antiquity.cli.warmup import warm_up
from antiquity.game import GAMES, make_game


def bench(
    game: GameName,
    players: Annotated[
        int | None, typer.Option(help="seats at the table; the game's default if none")
    ] = None,
    games: Annotated[int, typer.Option(help="games in the batch", min=1)] = 256,
    threads: Annotated[int, typer.Option(help="shards of the batch", min=1)] = 1,
    seconds: Annotated[float, typer.Option(help="how long each way is measured", min=0.05)] = 2.0,
    json: AsJson = False,
) -> None:
    """How fast a game is on this machine, with random legal actions.

    Three ways: whole games inside a kernel, their decisions counted by the mean of the batch's first games; steps with
    observations and masks of the seats that decide; steps with those of all seats. A quick look: `python -m benchmarks`
    in a checkout measures with care, and compares.

    Example: antiquity bench stone_age --players 2 --threads 4
    """
    found = make_game(game)
    batch = Batch(found, games, players, seed=0, threads=threads, copy=False)
    batch.reset()
    length = _decisions_a_game(Batch(found, games, players, seed=0, threads=threads, autoreset=False))
    ways: dict[str, Callable[[], tuple[float, int]]] = {
        "rollout": lambda: _rollout(batch, length),
        "decision rows": lambda: _rows(batch),
        "full steps": lambda: _full(batch),
    }
    results = []
    for name, way in ways.items():
        batch.reset(0)
        way()  # compiles, and warms up
        started = time.perf_counter()
        decisions, ended = 0.0, 0
        while time.perf_counter() - started < seconds:
            more, ends = way()
            decisions, ended = decisions + more, ended + ends
        elapsed = time.perf_counter() - started
        results.append(
            {"way": name, "decisions_per_second": decisions / elapsed, "games_per_second": ended / elapsed}
        )
    about = {
        "game": found.name,
        "players": batch.num_seats,
        "games": games,
        "threads": threads,
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "results": results,
    }
    if json:
        print_json(about)
        return
    _show(about, found.title)


def _show(about: dict[str, Any], title: str) -> None:
    from rich.table import Table

    counts = (
        f"{about['players']} players, {about['games']} games, {about['threads']} of {about['cores']} cores"
    )
    table = Table(title=f"{title}: {counts}")
    table.add_column("way")
    for heading in ("decisions/s", "games/s"):
        table.add_column(heading, justify="right")
    for row in about["results"]:
        speeds = (
            f"{row[key]:,.0f}" if row[key] else "-" for key in ("decisions_per_second", "games_per_second")
        )
        table.add_row(row["way"], *speeds)
    console.print(table)
    console.print("a decision: one seat's choice among several; seats that wait are not counted", style="dim")


def _decisions_a_game(batch: Batch) -> float:
    """Decisions of a random game, by the mean of the first games of a batch; the kernel of rollouts counts none."""
    batch.reset()
    decisions = 0
    while len(actions := batch.sample_rows()):
        batch.step_rows(actions)
        decisions += len(actions)
    return decisions / batch.num_games


def _rollout(batch: Batch, length: float) -> tuple[float, int]:
    batch.rollout()
    return length * batch.num_games, batch.num_games


def _rows(batch: Batch) -> tuple[int, int]:
    actions = batch.sample_rows()
    batch.step_rows(actions)
    return len(actions), int((batch.terminated | batch.truncated).sum())


def _full(batch: Batch) -> tuple[int, int]:
    decisions = int((batch.sample() != 0).sum())
    batch.play()
    return decisions, int((batch.terminated | batch.truncated).sum())


def warmup(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME...", help="all installed games if none")
    ] = None,
) -> None:
    """Compile the kernels ahead, so that no later start has to.

    Example: antiquity warmup seven_wonders
    """
    for name in games or list(GAMES):
        console.print(f"{name}: {warm_up(name):.1f} s")
