"""Points by category, at any moment, as if the game ended now. Rules document, sections on buildings and effects."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel
from dice_env.state import UNIT_AGORA, UNIT_EAST, UNIT_WEST, UNITS

from .bits import NONE, ONE, count, lowest

CATEGORIES: Final = UNITS
"""Score columns, the rows of the score sheet; the total and the coins (tie-break) follow."""
TOTAL: Final = len(CATEGORIES)
TIE_BREAK: Final = TOTAL + 1


@kernel
def space_points(tables, board, crossed, space):
    """Points of a crossed space: printed, by its effect, and for every crossed space of the building it counts."""
    points = np.int64(tables["vp"][board, space])
    each = np.int64(tables["vp_per"][board, space])
    if each:
        points += each * count(crossed & tables["building"][board, np.int64(tables["counted"][board, space])])
    return points


@kernel
def spaces_total(tables, board, crossed):
    """Points of all crossed spaces of a sheet, without attacks and the first agora."""
    total = np.int64(0)
    left = crossed & tables["scoring"][board]
    while left != NONE:
        total += space_points(tables, board, crossed, lowest(left))
        left &= left - ONE
    return total


@kernel
def score(game, tables, out):
    """Write points by category, total and tie-break into ``out`` (int32[7, 10]); rows of absent seats are zero."""
    for row in range(out.shape[0]):
        for column in range(TIE_BREAK + 1):
            out[row, column] = 0
    for seat in range(np.int64(game["num_players"])):
        board = np.int64(game["board"][seat])
        crossed = game["crossed"][seat]
        left = crossed & tables["scoring"][board]
        while left != NONE:
            space = lowest(left)
            out[seat, np.int64(tables["unit_of"][space])] += space_points(tables, board, crossed, space)
            left &= left - ONE
        out[seat, UNIT_WEST] += np.int64(game["attack"][seat, 0])
        out[seat, UNIT_EAST] += np.int64(game["attack"][seat, 1])
        if (np.int64(game["agora_first"]) >> seat) & 1:
            out[seat, UNIT_AGORA] += np.int64(tables["first_agora_vp"])
        for category in range(TOTAL):
            out[seat, TOTAL] += out[seat, category]
        out[seat, TIE_BREAK] = np.int64(game["coins"][seat])
