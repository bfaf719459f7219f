"""Commands that train: ``train`` and ``demo``."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from antiquity.cli.common import AsJson, GameName, Options, Seed, console, print_json, read_options
from antiquity.game import make_game

Folder = Annotated[Path, typer.Option(help="where the results go, in a folder named after the game")]
Seconds = Annotated[float, typer.Option(help="how long to train on the wall clock", min=0.1)]


def train(
    game: GameName,
    seconds: Annotated[
        float | None,
        typer.Option(help="how long to train on the wall clock; 120 unless said otherwise", min=0.1),
    ] = None,
    cpu_seconds: Annotated[
        float | None, typer.Option(help="or: in CPU-seconds of one process", min=0.1)
    ] = None,
    decisions: Annotated[
        int | None, typer.Option(help="or: in decisions, which makes a run repeatable to the last bit", min=1)
    ] = None,
    players: Annotated[
        str | None, typer.Option(help="table sizes, such as 4 or 3,4,5; the game's default if none")
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            metavar="players=N,NAME=VALUE,weight=W",
            help="a kind of table to mix in, with the game's own options; may be repeated, instead of --players",
        ),
    ] = None,
    option: Options = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="one of antiquity.train.Settings, such as hidden=[512,512]"
        ),
    ] = None,
    processes: Annotated[int, typer.Option(help="processes of this machine", min=1)] = 1,
    seed: Seed = 0,
    folder: Folder = Path("runs"),
    resume: Annotated[
        bool, typer.Option("--resume", help="go on with the folder's run, to the same end")
    ] = False,
    init: Annotated[Path | None, typer.Option(help="a policy file to begin with")] = None,
    as_json: AsJson = False,
) -> None:
    """Train one policy for all seats by self-play: proximal policy optimisation over whole games.

    Leaves policy.npz (the best), history/policy_NNN.npz (former selves, for `antiquity ladder`), checkpoint.npz,
    curve.png and TensorBoard's files; a policy can sit at a table wherever an agent is named.

    Example: antiquity train stone_age --seconds 600 --players 2,3,4

    Example: antiquity train seven_wonders --table players=4,sides=day --table players=5,sides=random --set past=0.2

    Then: antiquity play stone_age --against runs/stone_age/policy.npz
    """
    training = _training()
    found = make_game(game)
    if table and (players or option):
        raise ValueError("--table says players and options itself: leave --players and --option away")
    changes: dict[str, Any] = read_options(setting, "--set")
    if "hidden" in changes:
        changes["hidden"] = tuple(changes["hidden"])
    if table:
        changes["tables"] = tuple(_table(text, training.TableKind) for text in table)
    given = (seconds, cpu_seconds, decisions)
    budget = training.Budget(*(given if any(each is not None for each in given) else (120.0, None, None)))
    settings = training.settings_for(
        found, players=_numbers(players), options=read_options(option), seed=seed, **changes
    )
    done = training.train(
        found,
        settings,
        budget,
        folder / found.name,
        processes=processes,
        resume=resume,
        init=init,
        console=None if as_json else console,
    )
    last = done.checks[-1]
    if as_json:
        curve = [dataclasses.asdict(check) for check in done.checks]
        print_json(
            {"game": found.name, "settings": done.settings.as_dict(), "curve": curve, "spent": done.spent}
        )
        return
    shares = ", ".join(
        f"{share:.1%} with {kind.players} players"
        for share, kind in zip(last.shares, done.settings.tables, strict=True)
    )
    console.print(f"{done.games:,} games, {done.decisions:,} decisions; wins against greedy: {shares}")
    spent = sum(done.spent.values()) or 1.0
    parts = ", ".join(f"{name} {seconds / spent:.0%}" for name, seconds in done.spent.items())
    console.print(
        f"CPU time: {parts}; {done.decisions / spent:,.0f} decisions a CPU-second of the first process"
    )
    console.print(f"everything is in {done.folder.path}/")


def demo(
    game: GameName = "seven_wonders",
    seconds: Seconds = 120.0,
    players: Annotated[
        int | None, typer.Option(help="seats at the table; the game's default if none")
    ] = None,
    deals: Annotated[
        int, typer.Option(help="deals of each match; every deal is played in all seatings", min=1)
    ] = 250,
    seed: Seed = 0,
    folder: Folder = Path("runs"),
) -> None:
    """Train an agent by self-play and play it against greedy and random.

    Example: antiquity demo seven_wonders --seconds 600
    """
    _training().run_demo(
        game, console=console, players=players, seconds=seconds, deals=deals, seed=seed, folder=folder
    )


def _training() -> Any:
    """The trainer, which needs torch. ImportError that says how to get it."""
    try:
        import antiquity.train.api
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("antiquity"):
            raise
        raise ImportError(f'training needs {error.name}: pip install "antiquity[train]"') from None
    return antiquity.train.api


def _numbers(text: str | None) -> tuple[int, ...]:
    """Table sizes of ``"3,4,5"``."""
    try:
        return tuple(int(part) for part in (text or "").split(",") if part)
    except ValueError:
        raise ValueError(f"--players {text}: write whole numbers, such as 3,4,5") from None


def _table(text: str, kind: Any) -> Any:
    """A kind of table of ``"players=4,sides=random,weight=2"``."""
    options = read_options(text.split(","), "--table")
    if not isinstance(options.get("players"), int):
        raise ValueError(f"--table {text}: say how many players, such as players=4")
    return kind(options.pop("players"), weight=float(options.pop("weight", 1.0)), options=options)
