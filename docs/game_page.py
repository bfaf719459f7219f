"""A game's page: from the docstring of its package, and tables of what the package says about itself."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

from antiquity.batch import Batch
from antiquity.cli.looks import action_words, how_to_play
from antiquity.envs.ids import id_of
from antiquity.game import Game, Layout
from antiquity.render.svg import with_theme
from markup import code_of, escape, to_markdown

THEMES = ("light", "dark")
_SECTION = re.compile(r"^\*\*(?P<title>[^*]+?)\.?\*\*[ \t]*(?P<rest>.*)$")


def page(game: Game) -> str:
    """The page as Markdown."""
    package = importlib.import_module(game.origin.partition(":")[0])
    intro, sections = split(inspect.cleandoc(package.__doc__ or ""))
    added: dict[str, Callable[[], str]] = {
        "Observation": lambda: _layouts(game),
        "Actions": lambda: _actions(game, package),
        "Rewards": lambda: _rewards(game),
        "Options": lambda: _options(game),
    }
    if "Options" not in sections:
        sections = dict(_with_options(sections))
    parts = [f"# {game.title}", to_markdown(_without_example(intro)), _glance(game)]
    if game.draw is not None:
        parts.append(pictures(game))
    if told := how_to_play(game):
        # Its title goes, and its headings come a level lower.
        body = told.partition("\n")[2].replace("\n## ", "\n### ").strip()
        parts += ["## How to play", body]
    parts += ["## Example", f"```python\n{code_of(intro)}\n```"]
    for title, text in sections.items():
        parts += [f"## {title}", to_markdown(text)]
        if title in added:
            parts.append(added.pop(title)())
    if added:
        raise ValueError(f"the docstring of {package.__name__} has no section {', '.join(added)}")
    return "\n\n".join(parts) + "\n"


def _with_options(sections: dict[str, str]) -> Iterator[tuple[str, str]]:
    for title, text in sections.items():
        yield title, text
        if title == "Rewards":
            yield "Options", "The game's own options, given by name to every environment and batch."


def split(docstring: str) -> tuple[str, dict[str, str]]:
    """What comes before the first bold heading, and the sections by heading, in their order."""
    intro: list[str] = []
    sections: dict[str, list[str]] = {}
    lines = intro
    before = ""
    for line in docstring.splitlines():
        match = None if before.strip() else _SECTION.match(line)
        if match:
            lines = sections.setdefault(match["title"], [])
            line = match["rest"]
            if line.startswith("(see"):  # the table stands on this very page
                line = line.partition(")")[2].lstrip(" :.")
            line = line[:1].upper() + line[1:] if line[1:2].isalpha() else line
        lines.append(line)
        before = line
    return "\n".join(intro).strip(), {title: "\n".join(text).strip() for title, text in sections.items()}


def overview(games: Iterable[Game]) -> str:
    """One row per game."""
    rows = [
        (
            f"[{game.title}]({game.name}.md)",
            f"`{game.name}`",
            f"`{id_of(game)}`",
            players(game),
            "all seats at once" if game.simultaneous else "one seat at a time",
            game.num_actions,
            game.layout.size,
        )
        for game in games
    ]
    return table(("game", "name", "id", "players", "who decides", "actions", "observation"), rows)


def players(game: Game) -> str:
    """As in ``2 to 4``."""
    return f"{game.min_players} to {game.max_players}"


def table(headings: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> str:
    """A Markdown table; the columns `right` are set flush right."""
    lines = ["| " + " | ".join(headings) + " |"]
    lines.append("|" + "|".join(" ---: " if n in right else " --- " for n in range(len(headings))) + "|")
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _without_example(intro: str) -> str:
    return "\n".join(line for line in intro.splitlines() if not line.startswith((">>>", "..."))).strip()


def _folded(title: str, body: str) -> str:
    """A block that is closed until somebody opens it."""
    return f'??? note "{title}"\n\n' + "\n".join(f"    {line}" if line else "" for line in body.splitlines())


def pictures(game: Game, folder: str = "") -> str:
    """Both pictures, which lie in `folder`; the site shows the one of its theme."""
    words = f"A game of {game.title} as seat 0 sees it"
    names = [(folder + picture_name(game, theme), theme) for theme in THEMES]
    return "\n".join(f"[![{words}]({name}#only-{theme})]({name})" for name, theme in names)


def picture_name(game: Game, theme: str) -> str:
    """The file of :func:`picture`."""
    return f"{game.name}-{theme}.svg"


def picture(game: Game, theme: str) -> str:
    """A table in the middle of a game between greedy agents, as SVG."""
    batch = Batch(game, seed=0, autoreset=False)
    batch.reset()
    whole = Batch(game, seed=0)
    whole.rollout("greedy")
    for _ in range(int(whole.games[0]["steps"]) // 2):
        batch.step(batch.sample("greedy"))
    while 0 not in batch.deciders(0):
        batch.step(batch.sample("greedy"))
    return with_theme(batch.draw(0, 0), theme)


def _glance(game: Game) -> str:
    whole = game.observation_layout(memory=True)
    rows = [
        ("name", f'`"{game.name}"`'),
        ("id", f"`{id_of(game)}`"),
        ("players", f"{players(game)}; {game.default_players} unless you say otherwise"),
        ("decisions", "mostly by all seats at once" if game.simultaneous else "by one seat at a time"),
        ("actions", f"`Discrete({game.num_actions})`; at most {game.max_legal} of them are legal at once"),
        ("observation", f"float32[{game.layout.size}]; with `memory=True` float32[{whole.size}]"),
        ("whole table", f"float32[{game.state_layout.size}], from `state()`"),
        ("one game", f"{game.dtype.itemsize} bytes"),
    ]
    return table((" ", " "), [(f"**{name}**", value) for name, value in rows])


def _layouts(game: Game) -> str:
    start = game.layout.size
    memory = game.memory_layout
    blocks = [
        "An element is the value in the game divided by the scale. The bounds are those of the space; no value is "
        "clipped to them.",
        _folded(f"The observation, {game.layout.size} elements", _layout(game.layout)),
        _folded(f"What memory=True adds behind it, {memory.size} elements", _layout(memory, start)),
        _folded(f"The whole table, state(), {game.state_layout.size} elements", _layout(game.state_layout)),
    ]
    return "\n\n".join(blocks)


def _layout(layout: Layout, offset: int = 0) -> str:
    rows = [
        (
            f"`{field.name}`",
            field.start + offset,
            field.size,
            f"{field.low:g} to {field.high:g}",
            f"{field.scale:g}",
            escape(field.meaning),
        )
        for field in layout
    ]
    return table(("field", "from", "size", "bounds", "scale", "meaning"), rows, right=(1, 2, 4))


def _actions(game: Game, package: ModuleType) -> str:
    module = importlib.import_module(f"{package.__name__}.actions")
    parts = []
    grid = re.search(
        r"^=+ =+$.*^=+ =+$", inspect.cleandoc(module.__doc__ or ""), flags=re.MULTILINE | re.DOTALL
    )
    if grid:
        parts.append(to_markdown(grid[0]).strip().replace("|   |   |", "| numbers | action |", 1))
    rows = [(number, escape(words)) for number, words in enumerate(action_words(game))]
    parts.append(
        _folded(
            f"All {game.num_actions} actions in words",
            table(("number", "action"), rows, right=(0,)),
        )
    )
    parts.append(
        "`describe` of an environment or a batch gives an action in words in the game that is going on: `env.describe"
        '("player_0", 7)`, `batch.describe(index, seat, 7)`.'
    )
    return "\n\n".join(parts)


def _rewards(game: Game) -> str:
    names = [*game.categories, "total", "tiebreak"]
    meanings = ["points"] * len(game.categories) + [
        "the sum of these",
        "decides between equal totals; more is better",
    ]
    rows = [
        (number, f"`{name}`", meaning)
        for number, (name, meaning) in enumerate(zip(names, meanings, strict=True))
    ]
    return (
        "### Score\n\nThe columns of a score array, and the names in infos.\n\n"
        + table(("column", "name", "holds"), rows, right=(0,))
        + "\n\nRewards are the same four kinds in every game: see [rewards](../environments/common.md#rewards)."
    )


def _options(game: Game) -> str:
    rows = [(f"`{each.name}`", f"`{each.default!r}`", escape(each.doc)) for each in game.options]
    return table(("option", "default", "meaning"), rows)
