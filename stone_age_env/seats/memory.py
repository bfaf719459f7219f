"""What a perfect memory knows beyond what its seat sees now.

Everybody saw each card that was bought while it lay open, so a perfect memory knows all lower halves but those of
other seats' extra cards.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.game.layout import Part
from antiquity.kernels import add, kernel, put
from stone_age_env import state as s

BOTTOM_FIELDS: Final[tuple[Part, ...]] = (
    ("culture", 8, 0, s.CARDS, 1, f"culture symbols of the cards: {', '.join(s.SYMBOLS)}"),
    ("figures", 4, 0, 60, 3, f"figures on the cards: {', '.join(s.PERSONS)}"),
)
"""Of the lower halves of a seat's cards."""
BOTTOM: Final = Layout.build(*BOTTOM_FIELDS)
BOTTOM_AT: Final = BOTTOM.starts
BOTTOM_SIZE: Final = BOTTOM.size

MEMORY_LAYOUT: Final = Layout.build(
    *(
        part
        for step, block in enumerate(("left", "left_2", "left_3"), 1)
        for part in (
            (
                f"memory_{block}_culture",
                8,
                0,
                s.CARDS,
                1,
                f"culture symbols of the cards that the seat {step} to the left bought openly: {', '.join(s.SYMBOLS)}",
            ),
            (f"memory_{block}_figures", 4, 0, 60, 3, f"figures on them: {', '.join(s.PERSONS)}"),
        )
    ),
    (
        "memory_unseen_cards",
        s.CARDS,
        0,
        1,
        1,
        "1 for each card never seen: it is in the deck, or another seat's extra card",
    ),
)
UNSEEN_CARDS: Final = MEMORY_LAYOUT["memory_unseen_cards"].start

_ONE: Final = np.float32(1)
_THIRD: Final = np.float32(1 / 3)


@kernel
def _is_open(game, card):
    for spot in range(game["open"].shape[0]):
        if game["open"][spot] == card:
            return True
    return False


@kernel
def is_hidden(game, seat, card):
    """Whether the seat does not know where the card is: in the deck, or another seat's extra card."""
    owner = np.int64(game["owner"][card])
    if owner == 0:
        return not _is_open(game, card)
    return owner > s.MAX_SEATS and owner != 1 + seat + s.MAX_SEATS


@kernel
def memory(game, tables, seat, out):
    """Write what a perfect memory knows beyond the observation into ``out`` (MEMORY_LAYOUT.size zeros)."""
    players = np.int64(game["num_players"])
    for card in range(s.CARDS):
        if is_hidden(game, seat, card):
            put(out, UNSEEN_CARDS + card, 1, _ONE)
        owner = np.int64(game["owner"][card])
        if owner == 0 or owner > s.MAX_SEATS or owner == 1 + seat:
            continue
        start = BOTTOM_SIZE * ((owner - 1 - seat) % players - 1)
        symbol = np.int64(tables["symbol"][card])
        if symbol != s.NO_CARD:
            add(out, start + BOTTOM_AT.culture + symbol, 1, _ONE)
        person = np.int64(tables["person"][card])
        if person != s.NO_CARD:
            add(out, start + BOTTOM_AT.figures + person, np.int64(tables["figures"][card]), _THIRD)
