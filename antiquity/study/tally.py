"""What is counted over many games, and the rates and intervals that follow from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.game import Game

SIGMAS: Final = 1.96


class Mean(NamedTuple):
    """A mean with half its 95% interval; NaN where there is nothing to say."""

    value: float
    half: float
    times: int


@dataclass
class Tally:
    """Sums over games, by moment, item and way.

    Attributes:
        game: what was played.
        items, ways, moments, boards, categories: the names.
        games: how many games.
        taken, offered: int64[moments, items, ways]: how often it was chosen, and how often it could have been.
        wins, squares: float64 likewise: sums over what was taken of the seat's share of the win in units of par, and
            of its squares.
        by_rank: int64[moments, items, ways, ranks]: how often it was chosen by who ended at which rank.
        board_games, board_wins, board_squares: [boards, seats], likewise of boards.
        points: float64[ranks, categories]: sums of points of who ended at which rank; `rank_seats`: int64[ranks].
        gains: (moment, item) -> differences between first way and last, [policy's value, played out].
    """

    game: Game
    items: tuple[str, ...]
    ways: tuple[str, ...]
    moments: tuple[str, ...]
    boards: tuple[str, ...]
    games: int = 0
    taken: NDArray[np.int64] = field(init=False)
    offered: NDArray[np.int64] = field(init=False)
    wins: NDArray[np.float64] = field(init=False)
    squares: NDArray[np.float64] = field(init=False)
    by_rank: NDArray[np.int64] = field(init=False)
    board_games: NDArray[np.int64] = field(init=False)
    board_wins: NDArray[np.float64] = field(init=False)
    board_squares: NDArray[np.float64] = field(init=False)
    points: NDArray[np.float64] = field(init=False)
    rank_seats: NDArray[np.int64] = field(init=False)
    gains: dict[tuple[int, int], list[tuple[float, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = (len(self.moments), len(self.items), len(self.ways))
        seats = self.game.max_players
        self.taken, self.offered = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.wins, self.squares = np.zeros(shape), np.zeros(shape)
        self.by_rank = np.zeros((*shape, seats), np.int64)
        self.board_games = np.zeros((len(self.boards), seats), np.int64)
        self.board_wins, self.board_squares = (np.zeros((len(self.boards), seats)) for _ in range(2))
        self.points = np.zeros((seats, len(self.game.categories) + 1))
        self.rank_seats = np.zeros(seats, np.int64)

    # --- what it says ---

    def pick_rate(self, moment: int, item: int, way: int) -> Mean:
        """How often it was chosen where it could be."""
        count = int(self.offered[moment, item, way])
        rate = self.taken[moment, item, way] / count if count else float("nan")
        half = SIGMAS * np.sqrt(rate * (1 - rate) / count) if count > 1 else float("nan")
        return Mean(float(rate), float(half), count)

    def win_rate(self, moment: int, item: int, way: int) -> Mean:
        """The share of the win of who has chosen it, in units of par: 1 is as good as anything."""
        where = (moment, item, way)
        return _mean(self.wins[where], self.squares[where], int(self.taken[where]))

    def board_rate(self, board: int, seat: int | None = None) -> Mean:
        """The share of the win of who has a board, in units of par; in one seat or in all."""
        part = slice(None) if seat is None else slice(seat, seat + 1)
        total, squares = (array[board, part].sum() for array in (self.board_wins, self.board_squares))
        return _mean(total, squares, int(self.board_games[board, part].sum()))

    def gain(self, item: int, played_out: bool, moment: int | None = None) -> Mean:
        """What the first way is worth beside the last, from -1 to 1: by the policy's value, or played out."""
        found = [
            pair[played_out]
            for (when, what), pairs in self.gains.items()
            if what == item and moment in (None, when)
            for pair in pairs
        ]
        return _mean(float(np.sum(found)), float(np.sum(np.square(found))), len(found))


def _mean(total: float, squares: float, count: int) -> Mean:
    if count < 2:
        return Mean(float("nan"), float("nan"), count)
    value = total / count
    variance = max(squares / count - value**2, 0.0) * count / (count - 1)
    return Mean(float(value), float(SIGMAS * np.sqrt(variance / count)), count)
