"""Commands that study games: ``analyse``, ``insight``, ``compare``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from antiquity.arena.store import Results
from antiquity.cli.common import AsJson, GameName, Options, Place, Seed, console, print_json, read_options
from antiquity.game import make_game
from antiquity.study.analysis import SIMULATIONS, Analysis, analyse
from antiquity.study.compare import compare
from antiquity.study.insight import from_replays, from_results, play_and_study, study
from antiquity.study.insight_page import write_csv, write_insight
from antiquity.study.page import write_page
from antiquity.study.replay import Replay
from antiquity.study.tally import Tally


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


def insight(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|FOLDER|GAME",
            help="results of a tournament, replays, a folder of them, or a game to play",
        ),
    ],
    html: Annotated[
        Path, typer.Option("--output", "-O", "--html", metavar="FILE.html", help="the page")
    ] = Path("runs/insight.html"),
    csv: Annotated[
        Path | None, typer.Option("--folder", "--csv", metavar="FOLDER", help="also write CSV files here")
    ] = None,
    against: Annotated[
        str, typer.Option(metavar="AGENT,...", help="who plays, where a game is to be played")
    ] = "policy",
    games: Annotated[int, typer.Option(help="how many games are played", min=1)] = 10_000,
    players: Annotated[int | None, typer.Option(help="seats at the table")] = None,
    compare: Annotated[
        bool, typer.Option("--compare/--no-compare", help="what one way of choosing is worth beside another")
    ] = True,
    seed: Seed = 0,
    option: Options = None,
) -> None:
    """What is chosen and what it is worth, over thousands of games: pick rates, win rates, boards, points.

    Example: antiquity insight seven_wonders --games 100000 --against greedy --no-compare

    Example: antiquity insight t.sqlite --html insight.html --csv insight
    """
    columns = (
        TextColumn("studying"),
        BarColumn(),
        TextColumn("{task.completed:,} games"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)

        def told(done: int) -> None:
            progress.update(task, completed=done)

        if len(sources) == 1 and not Path(sources[0]).exists():
            game = make_game(sources[0])
            progress.update(task, total=games)
            found = play_and_study(
                game,
                against.split(","),
                games,
                players=players,
                seed=seed,
                compare=compare,
                told=told,
                **read_options(option),
            )
        else:
            found = _read(sources, read_options(option), compare, told)
    title = f"{found.game.title}: what is chosen, and what it is worth"
    console.print(f"{write_insight(found, html, title)}: {found.games:,} games, open it in a browser")
    for path in [] if csv is None else write_csv(found, csv):
        console.print(str(path))


def compare_agents(
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="AGENT", help="by name or file")],
    second: Annotated[str, typer.Argument(metavar="AGENT", help="by name or file")],
    games: Annotated[int, typer.Option(help="that the positions are from", min=1)] = 20,
    players: Annotated[int | None, typer.Option(help="seats at the table")] = None,
    seed: Seed = 0,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Two agents on the same positions: agreement, where they differ, and what the difference costs.

    Example: antiquity compare seven_wonders expert greedy --games 10
    """
    from rich.table import Table

    columns = (TextColumn("comparing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=games)
        found = compare(
            game,
            first,
            second,
            games=games,
            players=players,
            seed=seed,
            told=lambda done, _all: progress.update(task, completed=done),
            **read_options(option),
        )
    if as_json:
        print_json(found.as_dict())
        return
    rate, half = found.agreement
    console.print(
        f"{found.decisions:,} decisions of {found.games} games: {found.names[0]} and {found.names[1]} agree on "
        f"{rate:.1%} ± {half:.1%}"
    )
    if not found.differences:
        return
    table = Table(title=f"what {found.names[0]} gains where they differ, of 100; ± is half the 95% interval")
    for heading in ("part of the game", "differences", "gain"):
        table.add_column(heading, justify="left" if heading == "part of the game" else "right")
    for words, low, high in (
        ("all", 0.0, 1.0),
        ("first third", 0.0, 1 / 3),
        ("second", 1 / 3, 2 / 3),
        ("last", 2 / 3, 1.0),
    ):
        count = sum(low <= each.share <= high for each in found.differences)
        gain, width = found.gain(low, high)
        table.add_row(words, f"{count}", "-" if count < 2 else f"{100 * gain:+.1f} ± {100 * width:.1f}")
    console.print(table)
    worst = Table(title="the largest differences")
    for heading in ("step", "seat", *found.names, "gain"):
        worst.add_column(heading, justify="right" if heading in ("step", "seat", "gain") else "left")
    for each in sorted(found.differences, key=lambda one: -abs(one.gain))[:10]:
        gained = f"{100 * each.gain:+.1f} ± {100 * each.error:.1f}"
        worst.add_row(f"{each.step + 1}", f"{each.seat}", *each.words, gained)
    console.print(worst)


def _read(sources: list[str], options: dict[str, Any], compare: bool, told: Callable[[int], None]) -> Tally:
    paths = [path for each in sources for path in _files(Path(each))]
    results = [path for path in paths if path.suffix == ".sqlite"]
    if results:
        if len(paths) > 1:
            raise ValueError("study the results of one tournament, or replays")
        with Results.open(results[0]) as opened:
            return study(opened.game, from_results(opened), compare=compare, told=told)
    replays = [Replay.read(path, options=options, check=False) for path in paths]
    if not replays:
        raise ValueError(f"no replays in {', '.join(sources)}")
    names = {replay.game.name for replay in replays}
    if len(names) > 1:
        raise ValueError(f"study replays of one game, not of {', '.join(sorted(names))}")
    return study(replays[0].game, from_replays(replays), compare=compare, told=told)


def _files(path: Path) -> list[Path]:
    return sorted(path.glob("*.jsonl")) if path.is_dir() else [path]


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
