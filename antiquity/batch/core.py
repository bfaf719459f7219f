"""The arrays behind a batch: one bundle for the kernels, and the records beside those of the games.

G games with S seats, A actions, observations of F elements, at most P players, L legal actions and C score categories.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Core(NamedTuple):
    """The arrays that every kernel over a batch works on."""

    games: Array
    """structured[G]: the records."""
    tables: Array
    """structured[1]: the printed game."""
    options: Array
    """structured[P + 1]: the options of a new game, by number of players."""
    slots: Array
    """:func:`slot_dtype` [G]: what the batch keeps of each game."""
    actions: Array
    """int64[2, G * S]: by game and seat; in the second row, one for each decision row."""
    legal: Array
    """uint16[G, S, L + 1]: the legal actions of each seat, ascending, and in the last element their number."""
    rows: Array
    """int64[2, G * S]: game and seat of each decision row."""
    paid: Array
    """float64[G, S]: what weights of the score's categories have paid out in the game."""


class Outputs(NamedTuple):
    """What a step writes."""

    observations: Array
    """float32[G * S, F]: all seats of all games, or the decision rows alone."""
    masks: Array
    """int8[G * S, A]: likewise."""
    rewards: Array
    """float32[G, S]."""
    done: Array
    """bool[2, G]: terminated, truncated."""


class Finished(NamedTuple):
    """The games of one shard that ended in the last step, up to K."""

    records: Array
    """:func:`finished_dtype` [K]."""
    observations: Array
    """float32[K, S, F]."""
    masks: Array
    """int8[K, S, A]."""


def slot_dtype(max_players: int) -> np.dtype[Any]:
    """What the batch keeps of each game."""
    return np.dtype(
        [
            ("seed", "u8"),  # of the slot: game number n has the seed mix(seed, BATCH, n)
            ("next", "u8"),  # seed of the next game in this slot
            ("episode", "u8"),  # games begun in this slot
            ("totals", "i4", (max_players,)),  # points that reward="points" has paid out
            ("num_players", "u1"),
            ("restart", "u1"),  # 1: RESTART begins a new game
            ("stopped", "u1"),  # 1: over, truncated or not begun; nothing happens until a restart
            ("pending", "u1"),  # bit s: the action of seat s waits in `actions`, being illegal
        ],
        align=True,
    )


def work_dtype(max_players: int, columns: int) -> np.dtype[Any]:
    """Settings, counters and scratch space of one shard."""
    return np.dtype(
        [
            ("margin_scale", "f8"),
            ("max_cycles", "i8"),
            ("flip", "i8"),  # the bit FLIP of the last step that was made; with 1 when it has only come to
            ("at", "i8"),  # this game
            ("finished", "i8"),  # games written to `Finished`
            ("deciding", "i8"),  # seats with something to choose, counted by LISTS
            ("first_row", "i8"),  # where the shard's decision rows begin
            ("rows", "i8"),  # where its next decision row goes
            ("scores", "i4", (max_players, columns)),
            ("ranks", "i8", (max_players,)),
            ("weights", "f8", (columns,)),  # what a point of each category is worth
            ("reward", "u1"),
            ("illegal", "u1"),
            ("autoreset", "u1"),
        ],
        align=True,
    )


def finished_dtype(max_players: int, columns: int) -> np.dtype[Any]:
    """What is kept of a game that has ended, beside its last observations and masks."""
    return np.dtype(
        [
            ("index", "i8"),
            ("length", "i8"),
            ("ranks", "i8", (max_players,)),
            ("rewards", "f4", (max_players,)),
            ("scores", "i4", (max_players, columns)),
        ],
        align=True,
    )
