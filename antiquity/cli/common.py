"""What the commands share: their common arguments, printing, and ``name=value`` options.

A command imports what it needs when it runs, so that ``antiquity --help`` stays quick.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.console import Console

WIDE = 160
"""Columns of what goes into a file or a pipe, where nothing is gained by breaking lines."""

# Names of agents and files are no markup.
console = Console(highlight=False, markup=False)
if not console.is_terminal:
    console.width = WIDE
GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game's name, see `antiquity games`")]
Seed = Annotated[int, typer.Option(help="an int from 0 to 2**64 - 1", min=0)]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="one of the game's own options; may be repeated"
    ),
]
Place = Annotated[
    str | None,
    typer.Option("--game", metavar="MODULE:GAME", help="where the file's game is, when it is not installed"),
]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON for programs")]


def print_json(value: Any) -> None:
    """Print a value as indented JSON to the standard output."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    json.dump(value, sys.stdout, indent=2, ensure_ascii=not unicode, allow_nan=False)
    sys.stdout.write("\n")


def read_options(texts: Sequence[str] | None, flag: str = "--option") -> dict[str, Any]:
    """``["sides=night", "max_rounds=20"]`` as a dict; values are read as JSON if they are JSON, as strings otherwise.

    `flag`: what they were given by, for messages.

    Raises:
        ValueError: one has no ``=``, or a name appears twice.
    """
    options: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(f"{flag} {text}: write {flag} NAME=VALUE, such as {flag} sides=night")
        if name in options:
            raise ValueError(f"{flag} {name} is given twice")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options
