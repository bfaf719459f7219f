"""Which memory of an observation is worth asking for ahead of its use: what a game writes in every position."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity import loops
from antiquity.game import Game
from antiquity.prefetch import LINE
from antiquity.slices import Array, Slice
from antiquity.slots import slot_dtype

NOTHING: NDArray[np.int64] = np.zeros(0, np.int64)
"""No line is asked for."""


def written(
    game: Game, tables: Array, options: Array, seats: int, sizes: tuple[int, int], settings: dict[str, Any]
) -> NDArray[np.bool_]:
    """Which elements of an observation the first position of a game writes: bool[F].

    A game is begun aside, and shown into rows of negative zeros: zeros for whoever compares them, and yet to be told
    from zeros that are written.
    """
    slots = np.zeros(1, slot_dtype(game.max_players))
    slots["num_players"], slots["restart"], slots["stopped"] = seats, 1, 1
    shared = (
        np.zeros(1, game.dtype),
        tables,
        options,
        slots,
        np.zeros((2, seats), np.int64),
        np.zeros((1, seats, game.max_legal + 1), np.uint16),
        np.zeros((2, seats), np.int64),
        NOTHING,
    )
    observations = np.full((seats, sizes[0]), -0.0, np.float32)
    masks = np.empty((seats, sizes[1]), np.int8)
    results = np.zeros((1, seats), np.float32), np.zeros((2, 1), np.bool_)
    aside = Slice(game, 0, 1, shared, sizes, settings)
    aside.run(loops.BEGIN | loops.RESTART | loops.LISTS | loops.FULL, (observations, masks, *results))
    untouched = np.float32(-0.0).view(np.uint32)
    return np.asarray((observations.view(np.uint32) != untouched).any(axis=0))


def lines(wanted: NDArray[np.bool_], rows: int) -> NDArray[np.int64]:
    """A byte in each line of memory with wanted elements, counted from the first of so many rows of float32.

    Rows begin anywhere in a line, so that a stretch of elements may reach into one more line than its length says: the
    last byte of each is among them.
    """
    places = np.flatnonzero(wanted) * 4
    if not len(places):
        return NOTHING
    pieces = places // LINE
    is_last = np.append(np.diff(pieces) > 1, True)
    found = np.union1d(pieces * LINE, places[is_last] + 3)
    begins = np.arange(rows)[:, None] * 4 * len(wanted)
    return np.asarray(begins + found, np.int64).reshape(-1)
