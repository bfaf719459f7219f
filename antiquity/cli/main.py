"""The command line: ``antiquity --help``."""

from __future__ import annotations

import importlib.metadata
import io
import os
import sys
from typing import Annotated

import typer

from antiquity.cli.dataset import dataset
from antiquity.cli.evaluate import evaluate
from antiquity.cli.ladder import ladder
from antiquity.cli.looks import games, layout, rules
from antiquity.cli.play import play, watch
from antiquity.cli.replay import replay
from antiquity.cli.speed import bench, warmup
from antiquity.cli.study import analyse_game, compare_agents, insight
from antiquity.cli.tournament import report, tournament
from antiquity.cli.train import demo, train
from antiquity.game.checks import printable

app = typer.Typer(
    epilog="Examples: antiquity games | antiquity rules stone_age | antiquity demo --seconds 60. "
    "Exit status: 0 done, 2 refused (one line says why), 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"antiquity {importlib.metadata.version('antiquity')}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", help="print the version and stop", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Reinforcement-learning environments for 7 Wonders, Stone Age and 7 Wonders Dice."""


# One line per command, in the order of `antiquity --help`.
app.command()(games)
app.command()(rules)
app.command()(layout)
app.command()(play)
app.command()(watch)
app.command()(replay)
app.command("analyse")(analyse_game)
app.command()(insight)
app.command("compare")(compare_agents)
app.command()(demo)
app.command()(train)
app.command()(dataset)
app.command()(evaluate)
app.command()(tournament)
app.command()(report)
app.command()(ladder)
app.command()(bench)
app.command()(warmup)

REFUSED = 2
"""Exit status when something that a user asked for cannot be done."""
INTERRUPTED = 130


def main() -> None:
    """Run the command line; what a user got wrong ends in one line and exit status 2, never in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # A sign that the locale cannot write is no reason to lose what was played.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except BrokenPipeError:
        # Whoever read our output has read enough, as `head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (ValueError, TypeError, KeyError, OSError, ImportError) as error:
        message = error.args[0] if isinstance(error, KeyError) and error.args else error
        print(f"antiquity: {' '.join(map(printable, str(message).split()))}", file=sys.stderr)
        sys.exit(REFUSED)
    except KeyboardInterrupt:
        print("antiquity: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
