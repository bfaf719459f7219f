"""One game of any kind, driven verb by verb: :class:`Table`."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from antiquity.game import Game, entry, flow, verbs


@entry
def _init(games, index, tables, num_players, options, seed):
    flow.begin(games[index], tables[0], num_players, options[0], np.uint64(seed))


@entry
def _legal(games, index, tables, seat, out):
    return flow.legal(games[index], tables[0], seat, out)


@entry
def _choose(games, index, seat, action):
    flow.choose(games[index], seat, action)


@entry
def _advance(games, index, tables):
    flow.advance(games[index], tables[0])


@entry
def _observe(games, index, tables, seat, out):
    verbs.observe(games[index], tables[0], seat, out)


@entry
def _observe_seats(games, index, tables, seats, out):
    verbs.observe_seats(games[index], tables[0], seats, out)


@entry
def _reveal(games, index, tables, out):
    verbs.reveal(games[index], tables[0], out)


@entry
def _score(games, index, tables, out):
    verbs.score(games[index], tables[0], out)


@entry
def _determinize(games, index, tables, seat, seed):
    flow.determinize(games[index], tables[0], seat, np.uint64(seed))


class Table:
    """A game in progress: ``record`` is its record, to be read and (to set up a position) written."""

    def __init__(self, game: Game, num_players: int, seed: int = 0, **options: Any) -> None:
        self.game = game
        self.tables, self.options = game.setup(num_players, **options)
        self.games = np.zeros(1, game.dtype)
        self._out = np.zeros(game.max_legal, np.uint16)
        _init(self.games, 0, self.tables, num_players, self.options, seed)

    @property
    def record(self) -> Any:
        return self.games[0]

    @property
    def num_players(self) -> int:
        return int(self.record["num_players"])

    @property
    def over(self) -> bool:
        return bool(self.record["over"])

    def deciders(self) -> list[int]:
        return [seat for seat in range(self.num_players) if int(self.record["deciders"]) >> seat & 1]

    def legal(self, seat: int) -> list[int]:
        n = _legal(self.games, 0, self.tables, seat, self._out)
        return [int(action) for action in self._out[:n]]

    def step(self, actions: dict[int, int]) -> None:
        """Commit the actions of all deciders and resolve them."""
        assert sorted(actions) == self.deciders()
        for seat, action in actions.items():
            assert action in self.legal(seat), self.words(seat, action)
            _choose(self.games, 0, seat, action)
        _advance(self.games, 0, self.tables)

    def play_on(self, rng: random.Random) -> None:
        """Random legal actions until the end."""
        while not self.over:
            self.step({seat: rng.choice(self.legal(seat)) for seat in self.deciders()})

    def words(self, seat: int, action: int) -> str:
        return self.game.describe(self.games, 0, self.tables, seat, action)

    def observe(self, seat: int, *, memory: bool = False) -> np.ndarray:
        out = np.zeros(self.game.observation_layout(memory).size, np.float32)
        self.observe_into(seat, out)
        return out

    def observe_into(self, seat: int, out: np.ndarray) -> None:
        """Into an array that may hold an earlier observation."""
        _observe(self.games, 0, self.tables, seat, out)

    def observe_seats(self, seats: int, out: np.ndarray) -> None:
        """Of the seats whose bits are set, into the rows of `out`."""
        _observe_seats(self.games, 0, self.tables, seats, out)

    def reveal(self) -> np.ndarray:
        out = np.zeros(self.game.state_layout.size, np.float32)
        self.reveal_into(out)
        return out

    def reveal_into(self, out: np.ndarray) -> None:
        """Into an array that may hold an earlier state."""
        _reveal(self.games, 0, self.tables, out)

    def score(self) -> np.ndarray:
        """int32[num_players, categories + 2]"""
        out = np.zeros((self.game.max_players, len(self.game.categories) + 2), np.int32)
        _score(self.games, 0, self.tables, out)
        return out[: self.num_players]

    def determinize(self, seat: int, seed: int) -> None:
        _determinize(self.games, 0, self.tables, seat, seed)

    def copy(self) -> Table:
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.games = self.games.copy()
        other._out = self._out.copy()
        return other
