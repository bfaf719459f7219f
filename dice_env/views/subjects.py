"""What actions are about, for studies: the dice, the spaces of the sheet, the wonder and passing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game.subjects import NO_SUBJECT, Found, Subjects
from antiquity.game.tables import text
from dice_env import state as s

PARTS = ("turns 1-5", "turns 6-10", "turns 11 and later")
TURNS = 5
"""Turns of a part of the game."""
_WONDER = s.NUM_COLOURS
_PASS = _WONDER + 1
_GROUPS = _PASS + 1
_GROUP_OF = np.repeat(np.arange(len(s.GROUPS)), [group[2] for group in s.GROUPS])
_COLOUR_OF = np.array(s.DIE_COLOUR)


def _names(tables: NDArray[Any]) -> tuple[str, ...]:
    groups = (f"cross {group[0].replace('_', ' ')}" for group in s.GROUPS)
    return (*(f"{colour} die" for colour in s.COLOURS), "the wonder", "pass", *groups)


def _find(
    games: NDArray[Any],
    index: NDArray[np.int64],
    seats: NDArray[np.int64],
    actions: NDArray[np.int64],
    tables: NDArray[Any],
) -> Found:
    items = np.full(len(actions), NO_SUBJECT, np.int64)
    rows = np.flatnonzero((actions >= s.DIE_ACTIONS) & (actions < s.WONDER))
    items[rows] = _COLOUR_OF[actions[rows] - s.DIE_ACTIONS]
    items[actions == s.WONDER] = _WONDER
    items[actions == s.PASS] = _PASS
    rows = np.flatnonzero(actions >= s.SPACE_ACTIONS)
    items[rows] = _GROUPS + _GROUP_OF[actions[rows] - s.SPACE_ACTIONS]
    return items, np.zeros(len(actions), np.int64)


SUBJECTS = Subjects(
    what="die or space",
    ways=("take",),
    moments=PARTS,
    names=_names,
    find=_find,
    moment=lambda games: np.minimum(games["turn"].astype(np.int64) // TURNS, len(PARTS) - 1),
    boards=lambda tables: tuple(text(name) for name in tables[0]["city"]),
    board=lambda games: games["board"].astype(np.int64),
)
