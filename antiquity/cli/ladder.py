"""``antiquity ladder``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from antiquity.arena.ladder import ANCHORS, save_plot
from antiquity.arena.ladder import ladder as play
from antiquity.arena.tables import as_dict
from antiquity.cli.common import AsJson, GameName, Options, Seed, console, print_json, read_options


def ladder(
    game: GameName,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="of policy files, such as policy_010.npz")],
    against: Annotated[
        list[str] | None,
        typer.Option("--against", help="fixed agents beside them; random and greedy if none"),
    ] = None,
    most: Annotated[int, typer.Option(help="versions that play at most", min=2)] = 12,
    players: Annotated[int | None, typer.Option(help="seats at the table")] = None,
    deals: Annotated[int, typer.Option(help="deals, each in all rotations", min=1)] = 200,
    seed: Seed = 0,
    results: Annotated[
        Path | None, typer.Option("--folder", "--results", help="folder for results files, to be continued")
    ] = None,
    workers: Annotated[int, typer.Option(help="processes of this machine", min=1)] = 1,
    plot: Annotated[
        Path | None,
        typer.Option("--output", "-O", "--plot", help="write the curve here: .png, .svg or .html"),
    ] = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Past versions of a policy against each other: the curve of their ratings.

    Example: antiquity ladder seven_wonders runs/seven_wonders/history --plot ladder.png
    """
    from rich.table import Table

    with Console(stderr=True, highlight=False).status("playing"):
        found = play(
            game,
            folder,
            anchors=against or ANCHORS,
            most=most,
            players=players,
            deals=deals,
            seed=seed,
            results=results,
            workers=workers,
            **read_options(option),
        )
    if plot is not None:
        print(f"plot: {save_plot(found, plot)}", file=sys.stderr)
    if as_json:
        steps = [
            {"version": each.name, "place": each.place, "mu": each.rating.mu, "sigma": each.rating.sigma}
            for each in found.steps
        ]
        print_json({"steps": steps, **as_dict(found.summary)})
        return
    table = Table(title=f"{found.summary.title}: {len(found.steps)} versions")
    table.add_column("version")
    for heading in ("mu", "sigma", "wins", "±"):
        table.add_column(heading, justify="right")
    for step in found.steps:
        shares = (f"{step.wins.value:.1%}", f"{step.wins.half:.1%}")
        table.add_row(step.name, f"{step.rating.mu:.1f}", f"{step.rating.sigma:.2f}", *shares)
    for name, rating in found.anchors.items():
        table.add_row(f"({name})", f"{rating.mu:.1f}", f"{rating.sigma:.2f}", "", "")
    console.print(table)
