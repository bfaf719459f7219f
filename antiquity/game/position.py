"""Positions in words: a table as one would describe it, made into a record, and the other way round.

>>> import seven_wonders_env
>>> position = seven_wonders_env.GAME.position(
...     age=2, turn=3, seats=[{"board": "gizah", "built": ["Stone Pit", "Altar"], "coins": 5}, {}, {}]
... )
>>> print(position.render(seat=0).splitlines()[0])   # doctest: +SKIP

What is not said gets a lawful value: decks are shuffled, hands dealt and past turns filled by the position's ``seed``.
What comes out is checked like every record from outside. :mod:`antiquity.batch.positions` writes a position to a small
TOML file, and reads it.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

FORMAT: Final = 1
"""Number of the format of position files."""
_REQUIRED = object()


Placing = Any
"""The :class:`antiquity.game.Game`, which knows of positions and so cannot be imported here."""


@dataclass(frozen=True, eq=False)
class Position:
    """A position of a game, from :meth:`antiquity.game.Game.position` or a file (:mod:`antiquity.batch.positions`).

    Attributes:
        game: of which game.
        num_players: seats at the table.
        options: the game's own options that are not as usual.
        words: the position as it was described.
        record: structured[1], for ``batch.set_games`` of a batch of one game with these options.
        tables: the printed game, structured[1].
    """

    game: Placing
    num_players: int
    options: dict[str, Any]
    words: dict[str, Any]
    record: NDArray[Any] = field(repr=False)
    tables: NDArray[Any] = field(repr=False)

    @classmethod
    def make(cls, game: Placing, words: Mapping[str, Any], options: Mapping[str, Any]) -> Position:
        """The position that words describe; it has still to be checked.

        Raises:
            ValueError: there is no such position; the message says what is wrong and, of a misspelt name, what may have
                been meant.
        """
        if game.place is None:
            raise ValueError(f"{game.title} makes no positions from words (Game.place)")
        said = Words(words, "the position")
        seats = said.take("seats", list)
        if not game.min_players <= len(seats) <= game.max_players:
            raise ValueError(f"seats: {game.title} is for {game.min_players} to {game.max_players} players")
        given = dict(options)
        tables, _ = game.setup(len(seats), **given)
        record = np.zeros(1, game.dtype)
        record["num_players"] = len(seats)
        record["seed"] = said.take("seed", int, 0, low=0, high=(1 << 64) - 1)
        record["steps"] = said.take("steps", int, 0, low=0, high=(1 << 32) - 1)
        game.place(record, tables, said, [Words(seat, f"seat {k}") for k, seat in enumerate(seats)], given)
        said.finish()
        return cls(game, len(seats), given, dict(words), record, tables)

    @classmethod
    def of(
        cls, game: Placing, games: NDArray[Any], index: int, tables: NDArray[Any], options: Mapping[str, Any]
    ) -> Position:
        """The position of a record, in words. `options`: the game's own, those that are not as usual."""
        if game.words is None:
            raise ValueError(f"{game.title} has no words for positions (Game.words)")
        record = games[index : index + 1].copy()
        words = {"seed": int(record["seed"][0]), "steps": int(record["steps"][0])}
        words |= game.words(games, index, tables)
        return cls(game, int(record["num_players"][0]), dict(options), words, record, tables)

    def render(self, seat: int | None = None, width: int = 118) -> str:
        """The table as text, as one seat sees it or (None) all of it."""
        return str(self.game.render(self.record, 0, self.tables, seat, width))

    def draw(self, seat: int | None = None) -> str:
        """The same as SVG. ValueError where the game has no picture."""
        if self.game.draw is None:
            raise ValueError(f"{self.game.title} has no picture")
        return str(self.game.draw(self.record, 0, self.tables, seat))

    def _repr_svg_(self) -> str | None:
        return None if self.game.draw is None else self.draw()

    # --- files ---

    def toml(self) -> str:
        """The file's text."""
        words = {key: value for key, value in self.words.items() if key != "seats"}
        head = {"position": FORMAT, "game": self.game.name, "version": self.game.version}
        lines = [*_pairs(head | words)]
        if self.options:
            lines += ["", "[options]", *_pairs(self.options)]
        for seat in self.words["seats"]:
            lines += ["", "[[seats]]", *_pairs(seat)]
        return "\n".join(lines) + "\n"


class Words:
    """What is said of something, taken word by word; what is left over at the end is an error."""

    def __init__(self, given: Any, where: str) -> None:
        if not isinstance(given, Mapping):
            raise ValueError(f"{where} is described by keys and values, not by {given!r}")
        self.given, self.where, self._known = dict(given), where, set[str]()

    def __contains__(self, key: str) -> bool:
        return key in self.given

    def take(
        self,
        key: str,
        kind: type[Any],
        default: Any = _REQUIRED,
        *,
        low: int | None = None,
        high: int | None = None,
    ) -> Any:
        """The value of a key, checked; the default if nothing was said."""
        self._known.add(key)
        if key not in self.given:
            if default is _REQUIRED:
                raise ValueError(f"{self.where}: say {key}")
            return default
        value: Any = self.given[key]
        sound: bool = isinstance(value, kind) and (not isinstance(value, bool) or kind is bool)
        if not sound:
            named = {
                int: "a whole number",
                str: "a text",
                list: "a list",
                dict: "a table",
                bool: "true or false",
            }
            raise ValueError(f"{self.where}: {key} = {value!r} must be {named[kind]}")
        if low is not None and (value < low or (high is not None and value > high)):
            raise ValueError(f"{self.where}: {key} = {value}: it is {low} to {high}")
        return value

    def names(self, key: str, known: Sequence[str], default: Sequence[str] = ()) -> list[int]:
        """A list of names as indices; a misspelt one is an error that says what may have been meant."""
        return [index_of(name, known, f"{self.where}: {key}") for name in self.take(key, list, list(default))]

    def name(self, key: str, known: Sequence[str], default: str) -> int:
        """One name as an index."""
        return index_of(self.take(key, str, default), known, f"{self.where}: {key}")

    def numbers(
        self, key: str, size: int, default: Sequence[int] | None = None, high: int = 65_535
    ) -> list[int]:
        """A list of so many whole numbers from 0 to `high`."""
        found: list[int] = self.take(key, list, list(default or [0] * size))
        if len(found) != size or any(type(each) is not int or not 0 <= each <= high for each in found):
            raise ValueError(f"{self.where}: {key} = {found!r} must be {size} whole numbers from 0 to {high}")
        return found

    def finish(self) -> None:
        """See that nothing is left over."""
        for key in self.given:
            if key not in self._known:
                near = difflib.get_close_matches(key, self._known, 1)
                hint = (
                    f"; did you mean {near[0]!r}?"
                    if near
                    else f"; there are {', '.join(sorted(self._known))}"
                )
                raise ValueError(f"{self.where}: nothing is called {key!r}{hint}")

    def rest(self) -> dict[str, Any]:
        """What has not been taken."""
        return {key: value for key, value in self.given.items() if key not in self._known}


def index_of(name: Any, known: Sequence[str], where: str) -> int:
    """The index of a name; ValueError that says what may have been meant."""
    if isinstance(name, str):
        if name in known:
            return list(known).index(name)
        lower = [each.lower() for each in known]
        if lower.count(name.lower()) == 1:
            return lower.index(name.lower())
        near = difflib.get_close_matches(name, known, 3)
        if near:
            raise ValueError(
                f"{where}: nothing is called {name!r}; did you mean {' or '.join(map(repr, near))}?"
            )
    few = [each for each in known if each]
    raise ValueError(
        f"{where}: nothing is called {name!r}; there are {', '.join(few[:12])}{' ...' if len(few) > 12 else ''}"
    )


def _pairs(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        if value is not None:
            yield f"{key} = {_toml(value)}"


def _toml(value: Any) -> str:
    """A value in TOML; long lists of lists go over several lines."""
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{json.dumps(str(key))} = {_toml(each)}" for key, each in value.items()) + " }"
        )
    if isinstance(value, (list, tuple)):
        if any(isinstance(each, (list, tuple, Mapping)) for each in value):
            return "[\n" + "".join(f"    {_toml(each)},\n" for each in value) + "]"
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False)
