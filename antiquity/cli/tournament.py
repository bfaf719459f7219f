"""``antiquity tournament`` and ``antiquity report``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from antiquity.arena import tables
from antiquity.arena.block import BlockResult
from antiquity.arena.executors import Executor
from antiquity.arena.ray_executor import RayExecutor
from antiquity.arena.report import write_report
from antiquity.arena.store import Results
from antiquity.arena.tournament import summarize
from antiquity.arena.tournament import tournament as play
from antiquity.cli.common import AsJson, GameName, Options, Place, Seed, console, print_json, read_options
from antiquity.game import make_game

ROLES = "agents: random, greedy, search:simulations=500, a policy file, external:COMMAND, name=AGENT"


def tournament(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help=ROLES)],
    players: Annotated[str, typer.Option(help="player counts: 4, 3-7 or 3,5")] = "",
    deals: Annotated[
        int, typer.Option(help="deals of each player count, each in all rotations", min=1)
    ] = 200,
    precision: Annotated[
        float | None,
        typer.Option(help="stop earlier, when no interval is wider than ± this: 0.01 is one percent"),
    ] = None,
    seed: Seed = 0,
    results: Annotated[Path | None, typer.Option(help="results file; one that exists is continued")] = None,
    workers: Annotated[int, typer.Option(help="processes of this machine", min=1)] = 1,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="play on a Ray cluster; local starts one")
    ] = None,
    block: Annotated[int | None, typer.Option(help="deals that a worker plays in one go", min=1)] = None,
    option: Options = None,
    report: Annotated[
        Path | None, typer.Option("--output", "-O", "--report", help="write an HTML report here")
    ] = None,
    as_json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="print the figures as CSV")] = False,
    trust_zip: Annotated[
        bool, typer.Option("--trust-zip", help="open stable-baselines3 .zip files, which can run code")
    ] = False,
) -> None:
    """Agents against each other at tables of one or more sizes, with balanced seats and intervals.

    Example: antiquity tournament seven_wonders greedy random search:simulations=200 --players 3-5 --results t.sqlite
    """
    found = make_game(game)
    executor: Executor | None = None
    if ray is not None:
        executor = RayExecutor(ray, workers if workers > 1 else None)
    # Progress goes where it doesn't mix with figures.
    try:
        with Console(stderr=True, highlight=False).status(f"{found.title}: playing") as status:
            games = 0

            def tell(result: BlockResult) -> None:
                nonlocal games
                games += len(result.seating)
                status.update(f"{found.title}: {games:,} games played")

            summary = play(
                found,
                agents,
                players=_counts(players),
                deals=deals,
                precision=precision,
                seed=seed,
                results=results,
                workers=workers,
                executor=executor,
                block=block,
                trust=trust_zip,
                observer=tell,
                **read_options(option),
            )
    except KeyboardInterrupt:
        if results is not None:
            print(f"antiquity: what is finished is in {results}; the same command goes on", file=sys.stderr)
        raise
    finally:
        if executor is not None:
            executor.close()
    _show(summary, as_json, csv, report)


def report(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="the results file of a tournament")],
    output: Annotated[Path | None, typer.Option("--output", "-O", help="write an HTML report here")] = None,
    as_json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="print the figures as CSV")] = False,
    game: Place = None,
) -> None:
    """The figures of a results file, also of one that is still being written.

    Example: antiquity report t.sqlite --output t.html
    """
    with Results.open(results, game=game) as file:
        _show(summarize(file), as_json, csv, output)


def _show(summary: Any, as_json: bool, csv: bool, report: Path | None) -> None:
    if report is not None:
        print(f"report: {write_report(summary, report)}", file=sys.stderr)
    if as_json:
        print_json(tables.as_dict(summary))
    elif csv:
        print(tables.as_csv(summary), end="")
    else:
        for table in tables.as_tables(summary):
            console.print(table)


def _counts(text: str) -> list[int] | None:
    """Player counts from ``"4"``, ``"3-7"``, ``"3,5"``."""
    if not text:
        return None
    found: list[int] = []
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            found += range(int(first), int(last or first) + 1)
    except ValueError:
        raise ValueError(f"--players {text}: write 4, 3-7 or 3,5") from None
    if not found:
        raise ValueError(f"--players {text} names no player count")
    return found
