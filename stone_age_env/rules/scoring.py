"""Points by category, at any moment, as if the game ended now. Rules document, "the two signals of the end, and the
reckoning of the civilization"."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel
from stone_age_env.state import BUILDER, FARMER, SHAMAN, TOOLMAKER

CATEGORIES: Final = (
    "buildings",
    "cards",
    "hunger",
    "culture",
    "farmers",
    "toolmakers",
    "builders",
    "shamans",
    "resources",
)
"""Score columns; the total and the tie-break follow."""
TOTAL: Final = len(CATEGORIES)
TIE_BREAK: Final = TOTAL + 1
FREE_RESOURCES: Final = 2
"""What a card of free resources gives; one still face up is cashed before the game is scored."""


@kernel
def culture_points(game, seat):
    """Sets of different symbols, as large as possible, squared: the j-th set has those owned at least j times."""
    points = np.int64(0)
    owned = np.int64(1)
    while True:
        kinds = np.int64(0)
        for symbol in range(8):
            kinds += 1 if game["culture"][seat, symbol] >= owned else 0
        if kinds == 0:
            return points
        points += kinds * kinds
        owned += 1


@kernel
def tool_sum(game, seat):
    """Sum of the values of the normal tools."""
    return (
        np.int64(game["tools"][seat, 0]) + np.int64(game["tools"][seat, 1]) + np.int64(game["tools"][seat, 2])
    )


@kernel
def score(game, tables, out):
    """Write points by category, total and tie-break into ``out`` (int32[4, 11]); rows of absent seats are zero."""
    for row in range(out.shape[0]):
        for column in range(TIE_BREAK + 1):
            out[row, column] = 0
    for seat in range(np.int64(game["num_players"])):
        for column in range(3):
            out[seat, column] = game["points"][seat, column]
        tools = tool_sum(game, seat)
        agriculture = np.int64(game["agriculture"][seat])
        people = np.int64(game["people"][seat])
        out[seat, 3] = culture_points(game, seat)
        out[seat, 4] = np.int64(game["figures"][seat, FARMER]) * agriculture
        out[seat, 5] = np.int64(game["figures"][seat, TOOLMAKER]) * tools
        out[seat, 6] = np.int64(game["figures"][seat, BUILDER]) * np.int64(game["buildings"][seat])
        out[seat, 7] = np.int64(game["figures"][seat, SHAMAN]) * people
        resources = FREE_RESOURCES * np.int64(game["free_cards"][seat])
        for resource in range(4):
            resources += np.int64(game["resources"][seat, resource])
        out[seat, 8] = resources * np.int64(tables["resource_vp"])
        total = np.int64(0)
        for category in range(TOTAL):
            total += np.int64(out[seat, category])
        out[seat, TOTAL] = total
        out[seat, TIE_BREAK] = agriculture + tools + people
