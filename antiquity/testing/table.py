"""One game of any kind, driven verb by verb: :class:`Table`."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from antiquity.game import Game, entry, flow, verbs
from antiquity.render.text import WIDTH


@entry
def _init(games: Any, index: Any, tables: Any, num_players: Any, options: Any, seed: Any) -> None:
    flow.begin(games[index], tables[0], num_players, options[0], np.uint64(seed))


@entry
def _legal(games: Any, index: Any, tables: Any, seat: Any, out: Any) -> int:
    return int(flow.legal(games[index], tables[0], seat, out))


@entry
def _choose(games: Any, index: Any, seat: Any, action: Any) -> None:
    flow.choose(games[index], seat, action)


@entry
def _advance(games: Any, index: Any, tables: Any) -> None:
    flow.advance(games[index], tables[0])


@entry
def _observe(games: Any, index: Any, tables: Any, seat: Any, out: Any) -> None:
    verbs.observe(games[index], tables[0], seat, out)


@entry
def _observe_seats(games: Any, index: Any, tables: Any, seats: Any, out: Any) -> None:
    verbs.observe_seats(games[index], tables[0], seats, out)


@entry
def _reveal(games: Any, index: Any, tables: Any, out: Any) -> None:
    verbs.reveal(games[index], tables[0], out)


@entry
def _score(games: Any, index: Any, tables: Any, out: Any) -> None:
    verbs.score(games[index], tables[0], out)


@entry
def _greedy(games: Any, index: Any, tables: Any, seat: Any, legal: Any, n: Any, noise: Any) -> int:
    return int(verbs.greedy(games[index], tables[0], seat, legal, n, np.uint64(noise)))


@entry
def _determinize(games: Any, index: Any, tables: Any, seat: Any, seed: Any) -> None:
    flow.determinize(games[index], tables[0], seat, np.uint64(seed))


class Table:
    """A game in progress, driven verb by verb.

    >>> from antiquity import make_game
    >>> table = Table(make_game("dice"), num_players=3, seed=1)
    >>> while not table.over:
    ...     table.step({seat: table.greedy(seat) for seat in table.deciders()})
    >>> table.score().shape
    (3, 10)

    Args:
        game: the game.
        num_players: seats at the table.
        seed: everything random in the game follows from it.
        options: the game's own options.

    Attributes:
        games: the record, structured[1]: to be read and, to set up a position, written.
        tables: the printed game, structured[1].
        options: what ``init`` has read, structured[1].
        seed: as it was given.
        game_options: as they were given.
    """

    def __init__(self, game: Game, num_players: int, seed: int = 0, **options: Any) -> None:
        self.game = game
        self.seed, self.game_options = seed, options
        self.tables, self.options = game.setup(num_players, **options)
        self.games: NDArray[Any] = np.zeros(1, game.dtype)
        self._out = np.zeros(game.max_legal, np.uint16)
        _init(self.games, 0, self.tables, num_players, self.options, seed)

    def where(self, seat: int | None = None) -> str:
        """The game, its players, options and seed, the step and the seat: how an error begins."""
        options = "".join(f", {name}={value!r}" for name, value in self.game_options.items())
        at = "" if seat is None else f", seat {seat}"
        return (
            f"{self.game.title}, {self.num_players} players{options}, seed {self.seed}, "
            f"step {int(self.record['steps'])}{at}"
        )

    def __repr__(self) -> str:
        return f"<Table: {self.where()}>"

    @property
    def record(self) -> Any:
        """The record of the game, a view of ``games[0]``."""
        return self.games[0]

    @property
    def num_players(self) -> int:
        """How many seats there are."""
        return int(self.record["num_players"])

    @property
    def over(self) -> bool:
        """Whether nobody decides any more."""
        return bool(self.record["over"])

    def deciders(self) -> list[int]:
        """The seats that must choose now."""
        return [seat for seat in range(self.num_players) if int(self.record["deciders"]) >> seat & 1]

    # --- playing ---

    def legal(self, seat: int) -> list[int]:
        """The seat's legal actions, ascending; WAIT alone for one that waits."""
        n = self.legal_into(seat, self._out)
        return [int(action) for action in self._out[:n]]

    def legal_into(self, seat: int, out: NDArray[np.uint16]) -> int:
        """The same at the front of `out`, uint16[max_legal or more]; returns how many there are."""
        return int(_legal(self.games, 0, self.tables, seat, out))

    def commit(self, seat: int, action: int) -> None:
        """Commit a decider's choice, in secret."""
        _choose(self.games, 0, seat, action)

    def step(self, actions: Mapping[int, int]) -> None:
        """Commit the actions of all deciders, in the order given, and resolve them.

        Raises:
            AssertionError: other seats than the deciders act, or an action is illegal.
        """
        assert sorted(actions) == self.deciders(), (
            f"{self.where()}: {self.deciders()} decide, not {[*actions]}"
        )
        for seat, action in actions.items():
            assert action in self.legal(seat), f"{self.where(seat)}: illegal: {self.words(seat, action)}"
            self.commit(seat, action)
        _advance(self.games, 0, self.tables)

    def play_on(self, rng: random.Random) -> None:
        """Random legal actions until the end."""
        while not self.over:
            self.step({seat: rng.choice(self.legal(seat)) for seat in self.deciders()})

    def greedy(self, seat: int, noise: int = 0) -> int:
        """What the game's greedy agent does for a seat that decides."""
        n = self.legal_into(seat, self._out)
        return int(_greedy(self.games, 0, self.tables, seat, self._out, n, noise))

    def words(self, seat: int, action: int) -> str:
        """The action in words."""
        return self.game.describe(self.games, 0, self.tables, seat, action)

    # --- looking ---

    def observe(self, seat: int, *, memory: bool = False, dtype: DTypeLike = np.float32) -> NDArray[Any]:
        """What the seat sees: float32[F], with or without the memory part; or uint8[F]."""
        out = np.zeros(self.game.observation_layout(memory).size, dtype)
        self.observe_into(seat, out)
        return out

    def observe_into(self, seat: int, out: NDArray[Any]) -> None:
        """The same, into zeros; their number says whether the memory part is wanted."""
        _observe(self.games, 0, self.tables, seat, out)

    def observe_seats(self, seats: int, out: NDArray[np.float32]) -> None:
        """The observations of the seats whose bits are set, into as many rows of zeros."""
        _observe_seats(self.games, 0, self.tables, seats, out)

    def reveal(self) -> NDArray[np.float32]:
        """The whole table: float32[state_layout.size]."""
        out = np.zeros(self.game.state_layout.size, np.float32)
        self.reveal_into(out)
        return out

    def reveal_into(self, out: NDArray[np.float32]) -> None:
        """The same, into zeros."""
        _reveal(self.games, 0, self.tables, out)

    def score(self) -> NDArray[np.int32]:
        """The points as they stand, int32[num_players, categories + 2]: by category, total, tie-break."""
        out = np.zeros((self.game.max_players, len(self.game.categories) + 2), np.int32)
        self.score_into(out)
        return out[: self.num_players]

    def score_into(self, out: NDArray[np.int32]) -> None:
        """The same for all seats there can be, into int32[max_players, categories + 2]."""
        _score(self.games, 0, self.tables, out)

    def text(self, seat: int | None = None, width: int = WIDTH) -> str:
        """The table as text, as one seat sees it or (None) all of it."""
        return self.game.render(self.games, 0, self.tables, seat, width)

    # --- other games like this one ---

    def determinize(self, seat: int, seed: int) -> None:
        """Redraw all that the seat cannot know."""
        _determinize(self.games, 0, self.tables, seat, seed)

    def copy(self) -> Table:
        """An independent table with the same game."""
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.games = self.games.copy()
        other._out = self._out.copy()
        return other
