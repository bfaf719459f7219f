"""What a game package tells the rest of Antiquity about its game: the :class:`Game`.

Antiquity itself knows no game. A game package builds one :class:`Game`, registers its kernels (see
:mod:`antiquity.verbs`) and names the Game in its packaging metadata, where :func:`make_game` finds it::

    [project.entry-points."antiquity.games"]
    seven_wonders = "seven_wonders_env:GAME"
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rich.table import Table

ENDED = 1
"""Value of ``over`` in the record of a game that has ended by its rules."""
CUT_OFF = 2
"""Value of ``over`` in the record of a game that a limit of its own has cut off: truncated, not terminated."""

HEADER = np.dtype(
    [
        ("seed", "u8"),  # everything random in the game is a hash of it
        ("steps", "u4"),  # decisions resolved so far
        ("num_players", "u1"),
        ("over", "u1"),  # ENDED or CUT_OFF when nobody decides any more
        ("deciders", "u1"),  # bit s: seat s must choose now
        ("forfeits", "u1"),  # bit s: seat s has lost by an illegal action, and ranks after all others
    ]
)
"""The first 16 bytes of every game's record."""


def check_dtype(dtype: np.dtype[Any]) -> None:
    """See that `dtype` can be the record of a game.

    Raises:
        ValueError: it does not begin with :data:`HEADER`, has no field ``chosen`` (u2, one for each seat), has padding
            bytes (equal games would differ in them), a size that is no multiple of 8, or a bool or object field.
    """
    if dtype.names is None or dtype.fields is None:
        raise ValueError(f"a game's record is a structured dtype, not {dtype}")
    for name in HEADER.names or ():
        found, expected = dtype.fields.get(name), HEADER.fields[name]  # type: ignore[index]
        if found is None or found[:2] != expected[:2]:
            raise ValueError(
                f"the record must begin with the fields of antiquity.game.HEADER; {name} is {found}"
            )
    chosen = dtype.fields.get("chosen")
    if chosen is None or chosen[0].base != np.dtype("u2") or len(chosen[0].shape) != 1:
        raise ValueError("the record needs a field chosen, one u2 for each seat")
    used = 0
    for name in dtype.names:
        kind = dtype.fields[name][0]
        used += kind.itemsize
        if kind.base.kind in "bOV" or kind.base.hasobject:
            raise ValueError(
                f"the field {name} is {kind.base}; use integers and floats (u1 for a truth value)"
            )
    if used != dtype.itemsize or dtype.itemsize % 8:
        raise ValueError(
            f"the record has {dtype.itemsize} bytes, its fields {used}: leave no padding, and make it a multiple of 8"
        )


@dataclass(frozen=True)
class Field:
    """Some neighbouring elements of an observation.

    Attributes:
        name: unique in its layout.
        start: index of the first element.
        size: number of elements.
        low: least value that an element can have, after scaling.
        high: greatest value.
        scale: what the value in the game is divided by.
        meaning: one line, with units.
    """

    name: str
    start: int
    size: int
    low: float
    high: float
    scale: float
    meaning: str


class Layout:
    """The named elements of an observation, in order and without gaps.

    Args:
        fields: each starts where the one before ends; the first starts at 0.

    Raises:
        ValueError: a gap, an overlap, an empty field, a name used twice, or bounds the wrong way round.
    """

    def __init__(self, fields: Iterable[Field]) -> None:
        self.fields = tuple(fields)
        self.size = 0
        """Number of elements of the whole vector."""
        self._by_name: dict[str, Field] = {}
        for each in self.fields:
            if each.name in self._by_name:
                raise ValueError(f"two fields are called {each.name}")
            if each.start != self.size or each.size < 1:
                raise ValueError(
                    f"{each.name} starts at {each.start} with {each.size} elements, expected {self.size}"
                )
            if not each.low <= each.high or each.scale == 0:
                raise ValueError(f"{each.name} has bounds {each.low} to {each.high} and scale {each.scale}")
            self._by_name[each.name] = each
            self.size += each.size
        self.low = self._spread("low")
        """Least values, float32[size], read only."""
        self.high = self._spread("high")
        """Greatest values, float32[size], read only."""

    @classmethod
    def build(cls, *parts: tuple[str, int, float, float, float, str]) -> Layout:
        """A layout from (name, size, low, high, scale, meaning), with the starts counted up."""
        fields, start = [], 0
        for name, size, low, high, scale, meaning in parts:
            fields.append(Field(name, start, size, low, high, scale, meaning))
            start += size
        return cls(fields)

    def _spread(self, attribute: str) -> NDArray[np.float32]:
        values = np.array([getattr(each, attribute) for each in self.fields], dtype=np.float32)
        spread = np.repeat(values, [each.size for each in self.fields])
        spread.flags.writeable = False
        return spread

    def slice(self, name: str) -> slice:
        """Where the field lies: ``observation[layout.slice("coins")]``. KeyError for an unknown name."""
        each = self[name]
        return slice(each.start, each.start + each.size)

    def __getitem__(self, name: str) -> Field:
        if name not in self._by_name:
            raise KeyError(f"no field is called {name!r}; there are {', '.join(self._by_name) or 'none'}")
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __add__(self, other: Layout) -> Layout:
        """This layout with the other's fields behind it, as in an observation with memory."""
        return Layout.build(
            *(
                (each.name, each.size, each.low, each.high, each.scale, each.meaning)
                for each in (*self, *other)
            )
        )

    def table(self, title: str = "") -> Table:
        """The layout as a table for the terminal (needs rich)."""
        from rich.table import Table

        table = Table(title=title or None)
        for heading in ("field", "from", "size", "low", "high", "scale", "meaning"):
            table.add_column(heading, justify="left" if heading in ("field", "meaning") else "right")
        for each in self.fields:
            numbers = (f"{each.low:g}", f"{each.high:g}", f"{each.scale:g}")
            table.add_row(each.name, str(each.start), str(each.size), *numbers, each.meaning)
        return table

    def __str__(self) -> str:
        width = max((len(each.name) for each in self.fields), default=0)
        return "\n".join(
            f"{each.start:5d} +{each.size:<4d} {each.name:{width}s}  "
            f"[{each.low:g}, {each.high:g}] /{each.scale:g}  {each.meaning}"
            for each in self.fields
        )

    def __repr__(self) -> str:
        return f"<Layout of {len(self.fields)} fields, {self.size} elements>"


@dataclass(frozen=True)
class Option:
    """One of a game's own options, passed by name to every environment of the game."""

    name: str
    default: Any
    doc: str


@dataclass(frozen=True, eq=False)
class Game:
    """Everything that shared code needs to know about a game, beside its verbs.

    Attributes:
        name: identifier, as in ``make_game("seven_wonders")``.
        title: for people.
        version: raised when the rules, the action numbers or the observation layout change.
        dtype: the record of one game (see :func:`check_dtype`).
        tables_dtype: the record of the printed game.
        options_dtype: the record that ``init`` reads.
        num_actions: action numbers are 0 (WAIT) to ``num_actions - 1``.
        max_legal: the most legal actions that a seat ever has at once.
        min_players, max_players, default_players: seats at the table.
        categories: names of the score columns; the columns total and tie-break follow them in every score array.
        layout: the observation.
        memory_layout: what ``memory=True`` adds behind it.
        state_layout: the whole table, for centralised critics.
        options: the game's own options.
        margin_scale: ``reward="margin"`` is divided by this many points.
        simultaneous: most decisions are taken by all seats at once.
        setup: ``setup(num_players, **options)`` -> (tables[1], options[1]); refuses what it cannot use with a
            ValueError or TypeError.
        describe: ``describe(games, index, tables, seat, action)`` -> the action in words.
        render: ``render(games, index, tables, seat or None, width)`` -> the table as text for a terminal of so many
            columns, 80 to 118.
        draw: ``draw(games, index, tables, seat or None)`` -> the table as a picture, one self-contained SVG: all open
            for None, else nothing but what that seat sees, in the markup as well. Groups that stand for something the
            seat may choose carry its legal actions as ``data-actions="12 13"``. None where a game has no picture.
        origin: where the Game is found when its name is not in the packaging metadata, as ``"module:attribute"``.
            Default ``"<name>_env:GAME"``. Needed for pickling batches.
        describe_openly: as ``describe``, but only what the other seats see of the action once it is revealed; None:
            they see all of it.
        seen_scores: ``seen_scores(games, index, tables, seat)`` -> int32[max seats, categories + 2], the points so far
            as that seat can count them, without what lies hidden from it; None: all seats can count all points.
        revealed_with: the field of the record that counts the turns whose choices are all revealed together, at their
            end; "" where every decision is revealed as soon as all have chosen.
    """

    name: str
    title: str
    version: int
    dtype: np.dtype[Any]
    tables_dtype: np.dtype[Any]
    options_dtype: np.dtype[Any]
    num_actions: int
    max_legal: int
    min_players: int
    max_players: int
    default_players: int
    categories: tuple[str, ...]
    layout: Layout
    memory_layout: Layout
    state_layout: Layout
    options: tuple[Option, ...]
    margin_scale: float
    simultaneous: bool
    setup: Callable[..., tuple[NDArray[Any], NDArray[Any]]] = field(repr=False)
    describe: Callable[[NDArray[Any], int, NDArray[Any], int, int], str] = field(repr=False)
    render: Callable[..., str] = field(repr=False)
    draw: Callable[[NDArray[Any], int, NDArray[Any], int | None], str] | None = field(
        default=None, repr=False
    )
    describe_openly: Callable[[NDArray[Any], int, NDArray[Any], int, int], str] | None = field(
        default=None, repr=False
    )
    seen_scores: Callable[[NDArray[Any], int, NDArray[Any], int], NDArray[np.int32]] | None = field(
        default=None, repr=False
    )
    revealed_with: str = field(default="", repr=False)
    origin: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_dtype(self.dtype)
        if not self.origin:
            object.__setattr__(self, "origin", f"{self.name}_env:GAME")
        if not 1 <= self.min_players <= self.default_players <= self.max_players <= 8:
            raise ValueError("players: 1 <= min_players <= default_players <= max_players <= 8")
        if self.dtype["chosen"].shape != (self.max_players,):
            raise ValueError(f"chosen must have {self.max_players} elements, one for each seat")
        if not 2 <= self.num_actions <= 65_536 or not 1 <= self.max_legal <= self.num_actions:
            raise ValueError("actions are 16-bit numbers, and max_legal is at most num_actions")

    def option(self, name: str) -> Option:
        """The game's own option of that name. KeyError for an unknown one, with those that exist."""
        for each in self.options:
            if each.name == name:
                return each
        known = ", ".join(each.name for each in self.options) or "none"
        raise KeyError(f"{self.title} has no option {name!r}; its own options are: {known}")

    def observation_layout(self, memory: bool = False) -> Layout:
        """The layout of an observation, with or without the memory part."""
        return self.layout + self.memory_layout if memory else self.layout

    def __reduce__(self) -> tuple[Callable[[str, str], Game], tuple[str, str]]:
        # Functions and kernels stay where they are defined: a Game travels by its name.
        return _restore, (self.name, self.origin)

    def __deepcopy__(self, _memo: dict[int, Any]) -> Game:
        return self


class _Games(Mapping[str, str]):
    """The games that are installed: name -> where they are, as ``"module:attribute"``. Importing none of them."""

    def _entries(self) -> dict[str, str]:
        return {point.name: point.value for point in importlib.metadata.entry_points(group="antiquity.games")}

    def __getitem__(self, name: str) -> str:
        return self._entries()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries()))

    def __len__(self) -> int:
        return len(self._entries())

    def __repr__(self) -> str:
        return f"GAMES({', '.join(self)})"


GAMES = _Games()
"""Names of the installed games, from the entry points of the group ``antiquity.games``."""


def make_game(name: str | Game) -> Game:
    """The game called `name`.

    Args:
        name: a name in :data:`GAMES`, the name of a game whose package is called ``<name>_env``, a place
            ``"module:attribute"``, or a Game, which is returned as it is.

    Raises:
        KeyError: there is no such game; the message lists those that are installed.
        TypeError: neither a text nor a Game.
    """
    if isinstance(name, Game):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a game is given by its name or as a Game, not as {type(name).__name__}")
    key = name.replace("-", "_").lower() if ":" not in name else name
    place = key if ":" in key else GAMES.get(key, f"{key}_env:GAME")
    return _load(place, name)


def _load(place: str, name: str) -> Game:
    module_name, _, attribute = place.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # the game is there, and something that it needs is not
        raise KeyError(f"no game is called {name!r}; installed are: {', '.join(GAMES) or 'none'}") from None
    found = getattr(module, attribute, None)
    if not isinstance(found, Game):
        raise KeyError(f"{place} is not a Game, though it is named as the place of {name!r}")
    return found


def _restore(name: str, origin: str) -> Game:
    place = GAMES.get(name, origin)
    return _load(place, name)
