"""The description of a game that its package gives to Antiquity: the :class:`Game`."""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game import registry, verbs
from antiquity.game.checks import known_options
from antiquity.game.entities import Entity, completed
from antiquity.game.layout import Layout, for_each
from antiquity.game.position import Position
from antiquity.game.record import HEADER, check_dtype
from antiquity.game.subjects import Subjects

NOTHING = np.dtype([("unused", "u8")])
"""The record of tables or options that a game has none of."""
_NEVER = {*(HEADER.names or ()), "chosen"}
"""Fields that the default text leaves out: the seed tells the future, and what is chosen is secret."""
NO_FIELDS = Layout(())
GREEDY_VALUE = Layout.build(
    ("greedy", 1, -20, 20, 1, "what the greedy agent thinks of the action, in its own points")
)
"""The appraisal of a game that has no further columns."""
Kernel = Callable[..., Any]


def _nothing(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    return ""


def _no_heading(games: NDArray[Any], index: int) -> str:
    return ""


def _no_news(before: NDArray[Any], after: NDArray[Any], tables: NDArray[Any]) -> list[str]:
    return []


def _not_now(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    return "not possible now"


@dataclass(frozen=True)
class Option:
    """One of a game's own options, passed by name to every environment of the game."""

    name: str
    default: Any
    doc: str


@dataclass(frozen=True, eq=False)
class Game:
    """Everything that shared code needs to know about a game. Making one binds its kernels to its record.

    The kernels are decorated with :func:`antiquity.game.kernel`; their contracts are in :mod:`antiquity.game.verbs`.
    Functions for people take ``(games, index, tables, ...)``: the array of records, an index in it, the printed game.

    Attributes:
        name: identifier, as in ``make_game("seven_wonders")``.
        title: for people.
        dtype: the record of one game (see :func:`check_dtype`).
        layout: the observation.
        num_actions: action numbers are 0 (WAIT) to ``num_actions - 1``.
        min_players, max_players: seats at the table.
        init, legal, advance, observe, score: the kernels of every game.
        determinize: needed unless `hidden` is False.
        greedy, appraise, reveal, observe_seats, check: kernels that a game may leave to Antiquity.
        bounds: lowest and highest value of fields, ``{"heaps": (0, 7)}``, to which records from outside are held before
            the kernel check looks at them.
        allowed: what a field may hold, in words, ``{"turn": "less than max_turns"}``, for errors about such records.
        hidden: False where every seat sees everything but the future.
        bytes: whether the kernel observe writes uint8 as well, that is through :func:`antiquity.kernels.put` and its
            siblings alone; the layout's ``byte_scale`` and ``byte_offset`` then say what the bytes stand for.
        seat_blocks: whether the kernels observe and observe_seats leave out what :attr:`entities` says is never there
            with so many players, where rows are shorter by that (:func:`antiquity.kernels.lacking`).
        version: raised when the rules, the action numbers or the observation layout change.
        earlier: versions before it whose files (batches, replays, results, policies) are read as well, each with its
            own ``(num_actions, layout.size)``. For versions that only lacked something: their games, with the default
            of every option that came later, go the same way from the same seed and actions; their actions and
            observation columns are the first ones of today, and so are the bytes of the record (a new field may take
            spare ones, which were zero).
        default_players: ``min_players`` unless given.
        max_legal: the most legal actions that a seat ever has at once; ``num_actions`` unless given.
        categories: names of the score columns; the columns total and tie-break follow them in every score array.
        tables_dtype: the record of the printed game. Fields with names like ``_this`` are worked out from the others.
        options_dtype: the record that ``init`` reads.
        options: the game's own options.
        setup: ``setup(num_players, **options)`` -> (tables[1], options[1]); raises a ValueError or
            TypeError for invalid options.
        entities: what the layout describes, such as seats and cards, for structured observations
            (:mod:`antiquity.game.entities`); every field is a thing of its own unless given.
        memory_layout: what ``memory=True`` appends to the observation.
        state_layout: the whole table, for centralised critics; the observations of all seats unless given.
        appraisal: the columns that the kernel appraise writes for each legal action. The first is the greedy agent's
            value, from -20 to 20; the others should lie between about -3 and 3.
        margin_scale: ``reward="margin"`` is divided by this many points, and so is the lead in ``reward="mix"``.
        simultaneous: most decisions are taken by all seats at once.
        describe: ``describe(games, index, tables, seat, action)`` -> the action in words.
        render: ``render(games, index, tables, seat or None, width)`` -> the table as text for a terminal of `width`
            columns, 80 to 118; the record's fields unless given.
        draw: ``draw(games, index, tables, seat or None)`` -> the table as a picture, one self-contained SVG: all open
            for None, else nothing but what that seat sees, in the markup as well. Groups that stand for something the
            seat may choose carry its legal actions as ``data-actions="12 13"``. None where a game has no picture.
        draw_at: as ``draw``, with one more argument: the width of the room in CSS pixels, one of
            ``antiquity.render.svg.ROOMS``, in which it is read without scrolling sideways. Letters have 11 pixels, and
            in the narrowest room targets have 40. None: the drawing is scaled.
        colours: category -> its colour in plots, such as ``"#b8332b"``.
        price: ``price(games, index, tables, seat, action)`` -> what a legal action costs or brings and why, beside
            ``describe``: "free by chain from Theater", "+3 coins"; "" where there is nothing to say.
        why_not: ``why_not(games, index, tables, seat, action)`` -> why an action is illegal, from what that seat sees:
            "needs 2 clay, nobody sells"; "not possible now" unless given.
        heading: ``heading(games, index)`` -> the part of the game in words, such as "Age II, turn 3", by which a record
            of a game is parted; "" where there is nothing to say.
        news: ``news(before, after, tables)`` -> what a step has brought beside what was chosen, such as conflicts, in
            words that all seats may read: two records, structured[1] each, and what was chosen in the ``chosen`` of
            the first, if it is to be told; nothing unless given.
        describe_openly: as ``describe``, but only what the other seats see of the action once it is revealed; None:
            they see all of it.
        seen_scores: ``seen_scores(games, index, tables, seat)`` -> int32[max seats, categories + 2], the points so far
            as that seat can count them, without what lies hidden from it; None: all seats can count all points.
        place: ``place(record, tables, said, seats, options)`` fills a record (structured[1], with seed and number of
            players) with the position that words describe (:mod:`antiquity.game.position`); None: it makes none.
        words: ``words(games, index, tables)`` -> the same in words, a dict with ``seats``.
        subjects: what its actions are about, for ``antiquity insight``; None: nothing can be said.
        revealed_with: the field of the record that counts the turns whose choices are all revealed together, at their
            end; "" where every decision is revealed as soon as all have chosen.
        origin: where the Game is found when its package isn't installed, as ``"module:attribute"``; by default
            ``"<name>_env:GAME"``. Needed for pickling batches.
    """

    name: str
    title: str
    dtype: np.dtype[Any]
    layout: Layout
    num_actions: int
    min_players: int
    max_players: int
    init: Kernel = field(repr=False)
    legal: Kernel = field(repr=False)
    advance: Kernel = field(repr=False)
    observe: Kernel = field(repr=False)
    score: Kernel = field(repr=False)
    determinize: Kernel | None = field(default=None, repr=False)
    greedy: Kernel | None = field(default=None, repr=False)
    appraise: Kernel | None = field(default=None, repr=False)
    reveal: Kernel | None = field(default=None, repr=False)
    check: Kernel | None = field(default=None, repr=False)
    observe_seats: Kernel | None = field(default=None, repr=False)
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict, repr=False)
    allowed: Mapping[str, str] = field(default_factory=dict, repr=False)
    hidden: bool = True
    bytes: bool = False
    seat_blocks: bool = False
    version: int = 0
    earlier: Mapping[int, tuple[int, int]] = field(default_factory=dict, repr=False)
    default_players: int = 0
    max_legal: int = 0
    categories: tuple[str, ...] = ("points",)
    tables_dtype: np.dtype[Any] = NOTHING
    options_dtype: np.dtype[Any] = NOTHING
    options: tuple[Option, ...] = ()
    setup: Callable[..., tuple[NDArray[Any], NDArray[Any]]] = field(default=None, repr=False)  # type: ignore[assignment]
    entities: tuple[Entity, ...] = field(default=(), repr=False)
    memory_layout: Layout = NO_FIELDS
    state_layout: Layout = None  # type: ignore[assignment]
    appraisal: Layout = GREEDY_VALUE
    margin_scale: float = 1.0
    simultaneous: bool = False
    describe: Callable[[NDArray[Any], int, NDArray[Any], int, int], str] = field(default=None, repr=False)  # type: ignore[assignment]
    price: Callable[[NDArray[Any], int, NDArray[Any], int, int], str] = field(default=_nothing, repr=False)
    why_not: Callable[[NDArray[Any], int, NDArray[Any], int, int], str] = field(default=_not_now, repr=False)
    heading: Callable[[NDArray[Any], int], str] = field(default=_no_heading, repr=False)
    news: Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], list[str]] = field(
        default=_no_news, repr=False
    )
    render: Callable[..., str] = field(default=None, repr=False)  # type: ignore[assignment]
    draw: Callable[[NDArray[Any], int, NDArray[Any], int | None], str] | None = field(
        default=None, repr=False
    )
    draw_at: Callable[[NDArray[Any], int, NDArray[Any], int | None, int], str] | None = field(
        default=None, repr=False
    )
    colours: Mapping[str, str] = field(default_factory=dict, repr=False)
    describe_openly: Callable[[NDArray[Any], int, NDArray[Any], int, int], str] | None = field(
        default=None, repr=False
    )
    seen_scores: Callable[[NDArray[Any], int, NDArray[Any], int], NDArray[np.int32]] | None = field(
        default=None, repr=False
    )
    place: Callable[..., None] | None = field(default=None, repr=False)
    words: Callable[[NDArray[Any], int, NDArray[Any]], dict[str, Any]] | None = field(
        default=None, repr=False
    )
    subjects: Subjects | None = field(default=None, repr=False)
    revealed_with: str = field(default="", repr=False)
    origin: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_dtype(self.dtype)
        if self.reveal is not None and self.state_layout is None:
            raise TypeError(f"{self.name}: a game with a kernel reveal has a state_layout")
        if self.determinize is None and self.hidden:
            raise TypeError(f"{self.name}: needs a kernel determinize, or hidden=False if nothing is hidden")
        if self.render is None and self.hidden:
            raise TypeError(f"{self.name}: needs a render that hides what is hidden, or hidden=False")
        self._default(
            default_players=self.default_players or self.min_players,
            max_legal=self.max_legal or self.num_actions,
            origin=self.origin or f"{self.name}_env:GAME",
            setup=functools.partial(_no_options, self) if self.setup is None else self.setup,
            describe=_number if self.describe is None else self.describe,
            render=functools.partial(_fields, self) if self.render is None else self.render,
            state_layout=self.state_layout or _all_seats(self.layout, self.max_players),
        )
        if not 1 <= self.min_players <= self.default_players <= self.max_players <= 8:
            raise ValueError("players: 1 <= min_players <= default_players <= max_players <= 8")
        if self.dtype["chosen"].shape != (self.max_players,):
            raise ValueError(f"chosen must have {self.max_players} elements, one for each seat")
        if not 2 <= self.num_actions <= 65_536 or not 1 <= self.max_legal <= self.num_actions:
            raise ValueError("actions are 16-bit numbers, and max_legal is at most num_actions")
        if strange := (self.bounds.keys() | self.allowed.keys()) - set(self.dtype.names or ()):
            raise ValueError(f"bounds and allowed are for fields of the record, which has no {min(strange)}")
        for version, (actions, size) in self.earlier.items():
            if not (
                version < self.version and 2 <= actions <= self.num_actions and 1 <= size <= self.layout.size
            ):
                raise ValueError(
                    f"earlier[{version}] = ({actions}, {size}): an earlier version than {self.version} has at most "
                    f"{self.num_actions} actions and {self.layout.size} elements of the observation"
                )
        completed(self.entities, self.observation_layout(True), self.layout.size)
        given = {name: getattr(self, name) for name in verbs.NAMES}
        verbs.register(self.dtype, **{name: kernel for name, kernel in given.items() if kernel is not None})

    def _default(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def reads(self, version: Any) -> bool:
        """Whether files of this version of the game can be read: of today's, or of one of :attr:`earlier`."""
        return isinstance(version, int) and (version == self.version or version in self.earlier)

    def option(self, name: str) -> Option:
        """The game's own option of that name. KeyError for an unknown one, with those that exist."""
        for each in self.options:
            if each.name == name:
                return each
        known = ", ".join(each.name for each in self.options) or "none"
        raise KeyError(f"{self.title} has no option {name!r}; its own options are: {known}")

    def check_options(self, given: Iterable[str], *takers: Callable[..., Any]) -> None:
        """TypeError for the name of an option that neither the game has nor `takers` (classes, functions) take.

        The message names what is written alike, and all that are known.
        """
        known_options(self.title, (each.name for each in self.options), given, *takers)

    def position(self, *, options: Mapping[str, Any] | None = None, **said: Any) -> Position:
        """A position from words; what is not said gets a lawful value. It is checked where a batch takes it.

        Args:
            options: the game's own options that are not as usual.
            said: ``seats``, a list with what is said of each seat, ``seed``, and what the game knows of (the docs' page
                "Positions").

        Raises:
            ValueError: there is no such position; the message says what is wrong.
        """
        return Position.make(self, said, options or {})

    def position_of(
        self,
        games: NDArray[Any],
        index: int,
        tables: NDArray[Any],
        options: Mapping[str, Any] | None = None,
    ) -> Position:
        """The position of a record, in words. `options`: the game's own, those that are not as usual."""
        return Position.of(self, games, index, tables, options or {})

    def observation_layout(self, memory: bool = False, players: int | None = None) -> Layout:
        """The layout of an observation, with or without the memory part.

        Args:
            memory: with what a perfect memory knows behind it.
            players: leave out the blocks of seats that are never there with so many players.

        Raises:
            TypeError: the game's kernels cannot leave out blocks.
        """
        whole = self._layout_with_memory if memory else self.layout
        if players is None:
            return whole
        if not self.seat_blocks:
            raise TypeError(f"{self.title} has no observations of the seats at the table alone")
        absent = {name for each in self.entities if each.players > players for name in each.fields}
        return Layout.build(*(part for part in whole.parts() if part[0] not in absent))

    @functools.cached_property
    def _layout_with_memory(self) -> Layout:
        return self.layout + self.memory_layout

    def __reduce__(self) -> tuple[Callable[[str, str], Game], tuple[str, str]]:
        # Functions and kernels stay where they are defined: a Game travels by its name.
        return _restore, (self.name, self.origin)

    def __deepcopy__(self, _memo: dict[int, Any]) -> Game:
        return self


def make_game(name: str | Game) -> Game:
    """The game called `name`.

    Args:
        name: a name in :data:`antiquity.game.GAMES`, the name of a game whose package is called ``<name>_env``, as
            ``"module:attribute"``, or a Game, which is returned as it is.

    Raises:
        KeyError: there is no such game; the message lists those that are installed.
        TypeError: neither a string nor a Game.
    """
    if isinstance(name, Game):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a game is given by its name or as a Game, not as {type(name).__name__}")
    key = name.replace("-", "_").lower() if ":" not in name else name
    place = key if ":" in key else registry.GAMES.get(key, f"{key}_env:GAME")
    return _found(place, name)


def _found(place: str, name: str) -> Game:
    game = registry.load(place, name)
    if not isinstance(game, Game):
        raise KeyError(f"{place} is not a Game, though it is named as the place of {name!r}")
    return game


def _restore(name: str, origin: str) -> Game:
    """A game that was pickled."""
    return _found(registry.GAMES.get(name, origin), name)


def _no_options(game: Game, num_players: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The setup of a game without tables and options."""
    return np.zeros(1, game.tables_dtype), np.zeros(1, game.options_dtype)


def _number(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    return f"action {action}" if action else "wait"


def _fields(
    game: Game, games: NDArray[Any], index: int, tables: NDArray[Any], seat: int | None, width: int
) -> str:
    """The record, field by field, without what nobody may know; a game that hides more has a view of its own."""
    record = games[index]
    seats = [str(each) for each in range(game.max_players) if int(record["deciders"]) >> each & 1]
    turn = "the game is over" if record["over"] else f"to choose: seat {', '.join(seats)}"
    lines = [f"{game.title}, {record['num_players']} players, step {record['steps']}, {turn}"]
    lines += [
        f"{name}: {games[name][index].tolist()}" for name in games.dtype.names or () if name not in _NEVER
    ]
    return "\n".join(part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  "))


def _all_seats(layout: Layout, seats: int) -> Layout:
    names = (f"seat_{seat}" for seat in range(seats))
    parts = [(*part[:2], min(part[2], 0), max(part[3], 0), *part[4:]) for part in layout.parts()]
    return Layout.build(*for_each(names, parts))
