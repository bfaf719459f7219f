"""``python -m benchmarks``: see ``--help``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from antiquity.cli.common import read_options
from antiquity.game import GAMES, make_game
from benchmarks import plan, report
from benchmarks.running import run

RESULTS = Path("runs/benchmarks")

app = typer.Typer(
    help="How fast the games run on this machine, beside others: a table, JSON and a plot.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
# Tables are wide; where output goes to a file, 80 columns would break them.
console = Console(highlight=False, width=None if sys.stdout.isatty() else 150)
errors = Console(stderr=True, highlight=False)

Games = Annotated[
    list[str] | None, typer.Option("--game", metavar="GAME", help="this game; may be repeated (default: all)")
]
Quick = Annotated[bool, typer.Option("--quick", help="about a minute a game: less of everything")]


@app.callback()
def main(
    context: typer.Context,
    game: Games = None,
    quick: Quick = False,
    starts: Annotated[bool, typer.Option(help="also a cold start, which compiles all kernels")] = True,
    json: Annotated[Path, typer.Option(help="where the results go as JSON")] = RESULTS / "results.json",
    plot: Annotated[Path, typer.Option(help="where the plot goes")] = RESULTS / "throughput.png",
) -> None:
    # No docstring: it would take the place of the help above.
    if context.invoked_subcommand is not None:
        return
    names = _names(game)
    effort = plan.QUICK if quick else plan.FULL
    with errors.status("measuring") as status:
        results = run(names, effort, with_starts=starts, say=status.update)
    report.show(results, console)
    report.write_json(results, json)
    console.print(f"results: {json}")
    try:
        from benchmarks.plot import draw

        draw(results, plot)
        console.print(f"plot: {plot}")
    except ImportError as error:
        console.print(f"no plot: {error}")


@app.command()
def compare(
    revision: Annotated[str, typer.Argument(help="anything that git knows as a commit")],
    game: Games = None,
    quick: Quick = False,
    json: Annotated[Path, typer.Option(help="where the results go as JSON")] = RESULTS / "compare.json",
) -> None:
    """This tree (as it lies on disk) against another revision, in turn, on the same machine.

    Ends with status 1 where a line has no ratio because one of the trees cannot run it.
    """
    from benchmarks import compare as comparing

    names = _names(game)
    effort = comparing.QUICK if quick else comparing.FULL
    with errors.status("preparing") as status:
        results = comparing.compare(revision, names, effort, say=status.update)
    console.print(comparing.table(results))
    report.write_json(results, json)
    console.print(f"results: {json}")
    failures = comparing.failures(results)
    for line in failures:
        errors.print(f"failed, {line}", style="red", markup=False, soft_wrap=True)
    if failures:
        raise typer.Exit(1)


@app.command()
def strength(
    game: Games = None,
    simulations: Annotated[int, typer.Option(min=1, help="of a decision of the search")] = 100,
    deals: Annotated[int, typer.Option(min=1, help="of each table size, each in all seatings")] = 60,
    workers: Annotated[int, typer.Option(min=1, help="processes")] = 1,
    folder: Annotated[Path, typer.Option(help="results files; those that are there are continued")] = RESULTS,
    json: Annotated[Path, typer.Option(help="where the results go as JSON")] = RESULTS / "strength.json",
) -> None:
    """How well the agents play: a rated ladder of all of them at every table size (an hour or two for all games)."""
    from benchmarks import strength as playing

    names = _names(game)
    with errors.status("preparing") as status:
        results = playing.measure(names, simulations, deals, workers, folder, say=status.update)
    for each in playing.as_tables(results):
        console.print(each)
    report.write_json(results, json)
    console.print(f"results: {json}")


@app.command()
def curves(
    game: Annotated[str, typer.Argument(help="one game, at its usual table")],
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant", metavar="NAME:SETTING=VALUE;...", help="settings to compare; the game's own if none"
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="runs of each variant")] = 3,
    cpu_seconds: Annotated[float, typer.Option(min=0.1, help="of each run")] = 300.0,
    deals: Annotated[int, typer.Option(min=1, help="to measure what came out, each in all seatings")] = 500,
    folder: Annotated[Path, typer.Option(help="the runs; those that are there are not repeated")] = RESULTS
    / "curves",
    json: Annotated[Path, typer.Option(help="where the results go as JSON")] = RESULTS / "curves.json",
    plot: Annotated[Path, typer.Option(help="where the picture goes")] = RESULTS / "curves.png",
) -> None:
    """How well training works: learning curves over several seeds, with bands."""
    from benchmarks import curves as training

    chosen = [_variant(text) for text in variant or ["default"]]
    with errors.status("preparing") as status:
        results = training.measure(game, chosen, seeds, cpu_seconds, deals, folder, say=status.update)
    console.print(training.as_table(results))
    report.write_json(results, json)
    training.draw([results], plot)
    console.print(f"results: {json}; picture: {plot}")


def _variant(text: str) -> Any:
    """A variant of ``"name:hidden=[512,512];past=0.2"``."""
    from benchmarks.curves import Variant

    name, _, settings = text.partition(":")
    changes = read_options([part for part in settings.split(";") if part], "--variant")
    if "hidden" in changes:
        changes["hidden"] = tuple(changes["hidden"])
    return Variant(name, changes)


def _names(given: list[str] | None) -> list[str]:
    names = given or list(GAMES)
    for name in names:
        make_game(name)
    return names


if __name__ == "__main__":
    try:
        app()
    except (ValueError, TypeError, KeyError, RuntimeError) as error:
        errors.print(f"benchmarks: {error.args[0] if error.args else error}", markup=False, soft_wrap=True)
        sys.exit(2)
