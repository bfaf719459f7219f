"""The command line: ``antiquity --help``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

app = typer.Typer(
    help="Reinforcement-learning environments for 7 Wonders, Stone Age and 7 Wonders Dice.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
console = Console(highlight=False)
GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game's name, see `antiquity games`")]


@app.command()
def games() -> None:
    """The games that are installed."""
    from rich.table import Table

    from antiquity.game import GAMES, make_game

    table = Table("game", "title", "players", "actions", "observation")
    for name in GAMES:
        game = make_game(name)
        players = f"{game.min_players}-{game.max_players}"
        table.add_row(name, game.title, players, str(game.num_actions), str(game.layout.size))
    console.print(table)


@app.command()
def demo(
    game: GameName = "seven_wonders",
    seconds: Annotated[float, typer.Option(help="how long to train", min=1.0)] = 120.0,
    deals: Annotated[int, typer.Option(help="deals of each match; every deal is played in all seatings", min=1)] = 250,
    seed: Annotated[int, typer.Option(help="seed of games, network and draws", min=0)] = 0,
    folder: Annotated[Path, typer.Option(help="where the results go, in a folder named after the game")] = Path("runs"),
) -> None:
    """Train an agent by self-play and play it against greedy and random.

    Example: antiquity demo seven_wonders --seconds 600
    """
    from antiquity.demo import run_demo

    run_demo(game, console=console, seconds=seconds, deals=deals, seed=seed, folder=folder)


@app.command()
def layout(
    game: GameName,
    memory: Annotated[bool, typer.Option("--memory", help="with the part that a perfect memory adds")] = False,
) -> None:
    """The fields of a game's observation.

    Example: antiquity layout seven_wonders --memory
    """
    from antiquity.game import make_game

    found = make_game(game)
    console.print(found.observation_layout(memory).table(f"{found.title}: observation"))


@app.command()
def warmup(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="all installed games if none")] = None,
) -> None:
    """Compile the kernels ahead, so that no later start has to.

    Example: antiquity warmup seven_wonders
    """
    from antiquity.game import GAMES
    from antiquity.warmup import warm_up

    for name in games or list(GAMES):
        console.print(f"{name}: {warm_up(name):.1f} s")


def main() -> None:
    """Run the command line; what a user got wrong ends in one line and exit status 2, never in a traceback."""
    try:
        app()
    except (ValueError, TypeError, KeyError, FileNotFoundError, ImportError) as error:
        message = error.args[0] if isinstance(error, KeyError) and error.args else error
        print(f"antiquity: {message}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("antiquity: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
