"""Points by category, at any moment, as if the game ended now. Rules document, "squares and sets of science"."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel
from seven_wonders_env.state import COLOURS, KINDS, MAX_STAGES, STAGES_COLUMN

from .payment import city_of

CATEGORIES: Final = ("wonder", "coins", "military", "civilian", "commerce", "science", "guilds")
"""Score columns; the total and the coins (tie-break) follow."""
WONDER: Final = 0
COINS: Final = 1
MILITARY: Final = 2
SCIENCE_POINTS: Final = 5
TOTAL: Final = len(CATEGORIES)
TIE_BREAK: Final = TOTAL + 1
COLOUR_CATEGORY: Final = tuple(
    {"yellow": 4, "red": MILITARY, "green": SCIENCE_POINTS, "purple": 6}.get(colour, 3) for colour in COLOURS
)
"""Category of the points printed on a card of each colour."""


@kernel
def science_points(gears, tablets, compasses, choices, set_vp):
    """Squares plus sets, the choice symbols placed jointly where they are worth most."""
    best = np.int64(0)
    for first in range(choices + 1):
        for second in range(choices - first + 1):
            a = gears + first
            b = tablets + second
            c = compasses + choices - first - second
            points = a * a + b * b + c * c + set_vp * min(a, b, c)
            best = max(best, points)
    return best


@kernel
def end_points(game, tables, seat, item):
    """Points of one item at the end: printed, counted in the three cities, and for the complete wonder."""
    points = np.int64(tables["vp"][item])
    if (
        tables["vp_complete"][item]
        and game["built"][seat, STAGES_COLUMN] == tables["stage_count"][game["board"][seat]]
    ):
        points += np.int64(tables["vp_complete"][item])
    if tables["_vp_counts"][item]:
        for city in range(3):
            owner = city_of(game, seat, city)
            for column in range(8):
                points += np.int64(tables["vp_per"][item, city, column]) * np.int64(
                    game["built"][owner, column]
                )
    return points


@kernel
def score(game, tables, out):
    """Write points by category, total and tie-break into ``out`` (int32[7, 9]); rows of absent seats are zero."""
    for row in range(out.shape[0]):
        for column in range(TIE_BREAK + 1):
            out[row, column] = 0
    for seat in range(np.int64(game["num_players"])):
        board = np.int64(game["board"][seat])
        for stage in range(np.int64(game["built"][seat, STAGES_COLUMN])):
            out[seat, WONDER] += end_points(game, tables, seat, KINDS + board * MAX_STAGES + stage)
        coins = np.int64(game["coins"][seat])
        out[seat, COINS] = coins // np.int64(tables["coins_per_vp"])
        out[seat, MILITARY] = np.int64(game["victory"][seat]) - np.int64(tables["loss_vp"]) * np.int64(
            game["defeats"][seat]
        )
        for index in range(np.int64(tables["scorer_count"])):
            kind = np.int64(tables["scorers"][index])
            if (game["city"][seat, kind >> 6] >> np.uint64(kind & 63)) & np.uint64(1):
                category = COLOUR_CATEGORY[tables["colour"][kind]]
                out[seat, category] += end_points(game, tables, seat, kind)
        out[seat, SCIENCE_POINTS] += science_points(
            np.int64(game["science"][seat, 1]),
            np.int64(game["science"][seat, 2]),
            np.int64(game["science"][seat, 0]),
            np.int64(game["science"][seat, 3]),
            np.int64(tables["set_vp"]),
        )
        for category in range(TOTAL):
            out[seat, TOTAL] += out[seat, category]
        out[seat, TIE_BREAK] = coins
