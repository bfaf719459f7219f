"""What actions are about, for studies: the places, the civilization cards and the huts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game.subjects import NO_SUBJECT, Found, Subjects
from stone_age_env import state as s
from stone_age_env.actions import card_name, tile_name

WAYS = ("take", "decline")
PHASES = ("rounds 1-3", "rounds 4-6", "rounds 7 and later")
ROUNDS = 3
"""Rounds of a part of the game."""
_PLACES = s.CARD_SPOT
"""Places that do not change: the village, the resources and the hunt. Then come the cards, then the tiles."""
_TILES = _PLACES + s.CARDS


def _names(tables: NDArray[Any]) -> tuple[str, ...]:
    cards = (f"card: {card_name(tables, card)}" for card in range(s.CARDS))
    tiles = (f"hut: {tile_name(tables, kind)}" for kind in range(s.TILE_KINDS))
    places = (f"place: {place}" for place in s.PLACES[:_PLACES])
    return (*places, *cards, *tiles)


def _find(
    games: NDArray[Any],
    index: NDArray[np.int64],
    seats: NDArray[np.int64],
    actions: NDArray[np.int64],
    tables: NDArray[Any],
) -> Found:
    items = np.full(len(actions), NO_SUBJECT, np.int64)
    ways = np.zeros(len(actions), np.int64)

    def between(first: int, end: int) -> NDArray[np.int64]:
        return np.flatnonzero((actions >= first) & (actions < end))

    rows = between(s.PLACE_ACTIONS, s.PLACE_RESOURCE)
    items[rows] = actions[rows] - s.PLACE_ACTIONS
    rows = between(s.PLACE_RESOURCE, s.PLACE_HUNT)
    items[rows] = s.FOREST + (actions[rows] - s.PLACE_RESOURCE) // s.RINGS
    items[between(s.PLACE_HUNT, s.PLACE_CARD)] = s.HUNT
    for first, way in ((s.BUY_CARD, 0), (s.DECLINE_CARD, 1)):
        rows = between(first, first + s.SPOTS)
        items[rows] = _PLACES + games["open"][index[rows], actions[rows] - first].astype(np.int64)
        ways[rows] = way
    for first, end, width, way in (
        (s.BUILD, s.DECLINE_BUILDING, s.MAX_PIECES, 0),
        (s.DECLINE_BUILDING, s.CASH, 1, 1),
    ):
        rows = between(first, end)
        piles = (actions[rows] - first) // width
        heights = games["pile_left"][index[rows], piles].astype(np.int64) - 1
        items[rows] = _TILES + games["piles"][index[rows], piles, heights].astype(np.int64) - 1
        ways[rows] = way
    return items, ways


SUBJECTS = Subjects(
    what="place, card or hut",
    ways=WAYS,
    moments=PHASES,
    names=_names,
    find=_find,
    moment=lambda games: np.minimum(games["round"].astype(np.int64) // ROUNDS, len(PHASES) - 1),
)
