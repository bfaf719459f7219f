"""Commands that train: ``train`` and ``demo``."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from antiquity.cli.common import AsJson, GameName, Options, Seed, console, print_json, read_options
from antiquity.game import make_game
from antiquity.train.demo import run_demo
from antiquity.train.maskable_ppo import plot_curve
from antiquity.train.maskable_ppo import train as train_policy

Folder = Annotated[Path, typer.Option(help="where the results go, in a folder named after the game")]


def train(
    game: GameName,
    seconds: Annotated[float, typer.Option(help="how long to train", min=0.1)] = 120.0,
    players: Annotated[
        int | None, typer.Option(help="seats at the table; the game's default if none")
    ] = None,
    games: Annotated[int, typer.Option(help="games played side by side", min=1)] = 64,
    seed: Seed = 0,
    option: Options = None,
    folder: Folder = Path("runs"),
    json: AsJson = False,
) -> None:
    """Train one policy for all seats by self-play, and write it down.

    Leaves model.zip (stable-baselines3), policy.npz (the network alone) and curve.png; both files can sit at a table
    wherever an agent is named.

    Example: antiquity train stone_age --seconds 600 --players 2

    Then: antiquity play stone_age --against runs/stone_age/policy.npz
    """
    found = make_game(game)
    options = read_options(option)
    training = train_policy(
        found,
        num_players=players,
        seconds=seconds,
        num_games=games,
        seed=seed,
        console=None if json else console,
        **options,
    )
    target = folder / found.name
    target.mkdir(parents=True, exist_ok=True)
    training.model.save(target / "model.zip")
    training.policy.save(target / "policy.npz")
    plot_curve(training, target / "curve.png")
    files = {name: str(target / name) for name in ("model.zip", "policy.npz", "curve.png")}
    if json:
        curve = [dataclasses.asdict(point) for point in training.curve]
        print_json({"game": found.name, "players": training.num_players, "curve": curve, "files": files})
        return
    last = training.curve[-1]
    console.print(
        f"{last.games:,} games, {last.steps:,} decisions: {last.points:.1f} points against {last.greedy_points:.1f} of "
        f"greedy, {last.win_share:.0%} of wins (par is {1 / training.num_players:.0%})"
    )
    console.print(f"{', '.join(files)} are in {target}/")


def demo(
    game: GameName = "seven_wonders",
    seconds: Annotated[float, typer.Option(help="how long to train", min=1.0)] = 120.0,
    deals: Annotated[
        int, typer.Option(help="deals of each match; every deal is played in all seatings", min=1)
    ] = 250,
    seed: Seed = 0,
    folder: Folder = Path("runs"),
) -> None:
    """Train an agent by self-play and play it against greedy and random.

    Example: antiquity demo seven_wonders --seconds 600
    """
    run_demo(game, console=console, seconds=seconds, deals=deals, seed=seed, folder=folder)
