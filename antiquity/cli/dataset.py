"""``antiquity dataset``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from antiquity.cli.common import GameName, Options, Seed, console, read_options
from antiquity.game import make_game
from antiquity.study.dataset import write_dataset


def dataset(
    game: GameName,
    agents: Annotated[
        str, typer.Option(metavar="A,B,...", help="one agent for all seats, or one for each; they rotate")
    ] = "greedy",
    games: Annotated[int, typer.Option(help="how many games", min=1)] = 1000,
    players: Annotated[
        int | None, typer.Option(help="seats at the table; the game's default if none")
    ] = None,
    option: Options = None,
    reward: Annotated[str, typer.Option(help="win, rank, margin, points or mix")] = "win",
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="a folder; data/GAME if none")] = None,
) -> None:
    """Write the decisions of many games for learners: observation, mask, action, reward, return.

    Shards of numpy archives. When the command is given again, a run that was stopped goes on where it was, and more
    games can be added.

    Example: antiquity dataset seven_wonders --agents greedy,greedy,random,random --games 5000

    Then: see examples/behaviour_cloning.py
    """
    found = make_game(game)
    folder = out or Path("data") / found.name
    with console.status("playing") as status:
        written = write_dataset(
            found,
            [name.strip() for name in agents.split(",")],
            games,
            folder,
            players=players,
            options=read_options(option),
            reward=reward,
            seed=seed,
            told=lambda done: status.update(f"{done:,} of {games:,} games"),
        )
    there = f" ({written.skipped} shards were there already)" if written.skipped else ""
    console.print(f"{written.decisions:,} decisions{there}; {written.games:,} games are in {folder}/")
