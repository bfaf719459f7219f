"""The records that stand beside the games of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np


def slot_dtype(max_players: int) -> np.dtype[Any]:
    """What the batch remembers beside each game."""
    return np.dtype(
        [
            ("seed", "u8"),  # of the slot: game number n has the seed mix(seed, BATCH, n)
            ("next", "u8"),  # seed of the next game in this slot
            ("episode", "u8"),  # games begun in this slot
            ("totals", "i4", (max_players,)),  # points that reward="points" has paid out
            ("num_players", "u1"),
            ("restart", "u1"),  # 1: RESTART begins a new game
            ("stopped", "u1"),  # 1: over, cut off or not begun; nothing happens until a restart
            ("pending", "u1"),  # bit s: the action of seat s waits in `actions`, being illegal
        ],
        align=True,
    )


def work_dtype(max_players: int, columns: int) -> np.dtype[Any]:
    """Settings, counters and scratch space of one slice."""
    return np.dtype(
        [
            ("margin_scale", "f8"),
            ("max_cycles", "i8"),
            ("cached", "i8"),  # observation elements that need not be asked for ahead
            ("ended", "i8"),  # games written to `ended`
            ("deciding", "i8"),  # seats with something to choose, counted by LISTS
            ("first_row", "i8"),  # where the slice's decision rows begin
            ("rows", "i8"),  # where its next decision row goes
            ("scores", "i4", (max_players, columns)),
            ("ranks", "i8", (max_players,)),
            ("reward", "u1"),
            ("illegal", "u1"),
            ("autoreset", "u1"),
        ],
        align=True,
    )


def ended_dtype(max_players: int, columns: int) -> np.dtype[Any]:
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
