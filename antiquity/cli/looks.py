"""Commands that tell about the games: ``games``, ``layout``, ``rules``."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Sequence
from importlib.resources import files
from typing import Annotated, Any

import typer

from antiquity.batch import Batch
from antiquity.cli.common import AsJson, GameName, console, print_json
from antiquity.game import GAMES, Game, Layout, make_game
from antiquity.game.checks import printable


def games(json: AsJson = False) -> None:
    """The games that are installed.

    Example: antiquity games --json
    """
    from rich.table import Table

    found = [make_game(name) for name in GAMES]
    if json:
        print_json([_about(game) for game in found])
        return
    table = Table("game", "title", "players", "actions", "observation")
    for game in found:
        players = f"{game.min_players}-{game.max_players}"
        table.add_row(game.name, game.title, players, str(game.num_actions), str(game.layout.size))
    console.print(table)


def _about(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "version": game.version,
        "min_players": game.min_players,
        "max_players": game.max_players,
        "default_players": game.default_players,
        "simultaneous": game.simultaneous,
        "num_actions": game.num_actions,
        "observation_size": game.layout.size,
        "categories": list(game.categories),
        "options": [
            {"name": option.name, "default": option.default, "doc": option.doc} for option in game.options
        ],
    }


def layout(
    game: GameName,
    memory: Annotated[
        bool, typer.Option("--memory", help="with the part that a perfect memory adds")
    ] = False,
    json: AsJson = False,
) -> None:
    """The fields of a game's observation, and its actions.

    Example: antiquity layout seven_wonders --memory
    """
    from rich.table import Table

    found = make_game(game)
    words = action_words(found)
    fields = found.observation_layout(memory)
    if json:
        print_json({"game": found.name, "observation": _fields(fields), "actions": words})
        return
    console.print(fields.table(f"{found.title}: observation"))
    table = Table("action", "in words", title=f"{found.title}: actions")
    for number, text in enumerate(words):
        table.add_row(str(number), text)
    console.print(table)


def _fields(fields: Layout) -> list[dict[str, Any]]:
    names = ("name", "start", "size", "low", "high", "scale", "meaning")
    return [{name: getattr(each, name) for name in names} for each in fields]


def action_words(game: Game) -> list[str]:
    """Every action in words, apart from any position.

    Taken from ``action_name`` in the module ``actions`` of the game's package; a game without one is asked for the
    words of its first position.
    """
    package = game.origin.partition(":")[0]
    try:
        name = importlib.import_module(f"{package}.actions").action_name
    except (ImportError, AttributeError):
        batch = Batch(game, seed=0)
        batch.reset()
        return [batch.describe(0, 0, action) for action in range(game.num_actions)]
    if next(iter(inspect.signature(name).parameters)) == "tables":
        tables, _ = game.setup(game.default_players)
        return [name(tables, action) for action in range(game.num_actions)]
    return [name(action) for action in range(game.num_actions)]


READABLE = 100
"""Columns of text that the eye can follow."""


def rules(
    game: GameName,
    more: Annotated[
        bool,
        typer.Option(
            "--more", help="the game's page: actions, observation, and how open questions are settled"
        ),
    ] = False,
) -> None:
    """How a game is played: its goal, a turn step by step, its end, its points, and the words in its actions.

    What the printed rules leave open stands at the end.

    Example: antiquity rules stone_age

    Example: antiquity rules dice --more
    """
    from rich.markdown import Markdown
    from rich.table import Table

    found = make_game(game)
    wide = min(console.width, READABLE)
    module = importlib.import_module(found.origin.partition(":")[0])
    page = inspect.cleandoc(module.__doc__ or f"{found.title} has no page.").split("\n\n")
    told = None if more else how_to_play(found)
    # What a program does with it is for the documentation.
    parts = [part for part in page if not part.startswith(">>>")] if told is None else [told, *_settled(page)]
    console.print(Markdown(_plain("\n\n".join(parts))), width=wide)
    table = Table("option", "default", "meaning", title="Options")
    for option in found.options:
        table.add_row(option.name, repr(option.default), option.doc)
    console.print()
    console.print(table)
    console.print(
        f"To play it: antiquity play {found.name}. What programs see of it: antiquity rules {found.name} --more"
    )


def _settled(page: Sequence[str]) -> list[str]:
    """The paragraphs of a page that say how open questions of the rules are settled; none where it has no such part."""
    starts = [number for number, part in enumerate(page) if part.startswith("**Open questions")]
    if not starts:
        return []
    rest = page[starts[0] + 1 :]
    end = next((number for number, part in enumerate(rest) if part.startswith("**")), len(rest))
    return ["## " + page[starts[0]].strip("*"), *rest[:end]]


def _plain(text: str) -> str:
    """A text of a package, without characters that a terminal obeys."""
    return "\n".join(printable(line) for line in text.expandtabs().split("\n"))


def how_to_play(game: Game) -> str | None:
    """The text ``data/rules.md`` in a game's package, for people; None where a game has none."""
    try:
        file = files(game.origin.partition(":")[0]) / "data" / "rules.md"
    except TypeError:  # a module by itself has no data
        return None
    return file.read_text(encoding="utf-8") if file.is_file() else None
