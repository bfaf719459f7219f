"""Commands that study games: ``analyse``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from antiquity.cli.common import AsJson, Options, Place, console, print_json, read_options
from antiquity.study.analysis import SIMULATIONS, Analysis, analyse
from antiquity.study.page import write_page
from antiquity.study.replay import Replay


def analyse_game(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a replay")],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="write the replay's page with the analysis in it")
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            help="who is asked: expert, search, policy (with options) or a policy file; the best if none"
        ),
    ] = None,
    simulations: Annotated[int, typer.Option(help="for each loss", min=SIMULATIONS)] = SIMULATIONS,
    seat: Annotated[int | None, typer.Option(help="this seat's decisions alone", min=0)] = None,
    game: Place = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """What every decision of a game was worth, each seat's chance to win, and the moves that lost most.

    Decisions are judged by what their seat knew. A loss is named only where it exceeds two standard errors.

    Example: antiquity analyse runs/game.jsonl --html game.html

    Example: antiquity analyse runs/game.jsonl --agent search:simulations=2000 --json
    """
    replay = Replay.read(file, game=game, options=read_options(option))
    columns = (TextColumn("analysing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(replay.steps))
        found = analyse(
            replay,
            agent=agent,
            simulations=simulations,
            seats=None if seat is None else [seat],
            told=lambda done, _all: progress.update(task, completed=done),
        )
    if html is not None:
        views = None if seat is None else [seat]
        write_page(replay, html, views=views, analysis=found)
    if as_json:
        print_json(found.as_dict())
        return
    _print(found)
    if html is not None:
        console.print(f"{html}: open it in a browser")


def _print(found: Analysis) -> None:
    from rich.table import Table

    worst = found.mistakes()
    table = Table(
        title=f"moves that lost most, beside what {found.agent} recommends",
        caption="lost: of 100, which is a sure win by far; ± is a standard error, and only losses above two are named",
    )
    for heading in ("step", "seat", "played", "recommended"):
        table.add_column(heading, justify="right" if heading == "step" else "left")
    table.add_column("lost", justify="right")
    for each in worst[:12]:
        words = {option.action: option.words for option in each.options}
        name = f"{each.seat} {found.names[each.seat]}".strip()
        cost = f"{100 * each.loss:.1f} ± {100 * each.error:.1f}"
        table.add_row(f"{each.step + 1}", name, words[each.played or 0], words[each.best], cost)
    console.print(table)
    for seat, name in enumerate(found.names):
        own = [each for each in found.decisions if each.seat == seat]
        agreed = sum(each.played == each.best for each in own)
        lost = sum(each.loss for each in own if each.mistake)
        chances = ", ".join(f"{row[seat]:.0%}" for row in _spread(found.chances))
        console.print(
            f"seat {seat} {name}: {agreed} of {len(own)} decisions as recommended, "
            f"{100 * lost:.0f} lost by mistakes; chance to win over the game {chances}"
        )


def _spread(rows: tuple[tuple[float, ...], ...]) -> list[tuple[float, ...]]:
    """Five of them, from the first to the last."""
    return [rows[round(k * (len(rows) - 1) / 4)] for k in range(5)]
