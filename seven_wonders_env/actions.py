"""Action numbers and words.

256 actions, the same for every seat and option: 0 is WAIT; ``1 + 3 * kind + use`` plays a card (use 0 builds it, 1
builds the next wonder stage with it, 2 sells it); ``241 + l`` pays the left neighbour l coins and the right one the
least that then suffices. A pick from the discard is the build action of the picked kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.game.tables import text
from antiquity.kernels import entry

from .data.tables import SIDE_NAMES
from .rules.legality import item_of
from .rules.payment import NONE, frontier, payment_right
from .state import (
    BUILD,
    CARD_ACTIONS,
    KINDS,
    MAX_PAYMENT,
    NUM_ACTIONS,
    PAY,
    PAYMENT_ACTIONS,
    PICK,
    SELL,
    SIDES,
    STAGE,
    STAGES_COLUMN,
    USES,
    WAIT,
)

USE_NAMES = {"build": BUILD, "stage": STAGE, "sell": SELL}


@entry
def _payment_right(games, index, tables, seat, to_left):
    game = games[index]
    item = item_of(game, tables[0], seat, np.int64(game["planned"][seat]))
    return payment_right(frontier(game, tables[0], seat, item), to_left)


def card_action(kind: int, use: str) -> int:
    """Number of the action that plays a card: use ``"build"``, ``"stage"`` or ``"sell"``."""
    if not 0 <= kind < KINDS:
        raise ValueError(f"kind {kind}: card kinds are 0 to {KINDS - 1}")
    if use not in USE_NAMES:
        raise ValueError(f"use {use!r}: a card is used to {', '.join(USE_NAMES)}")
    return CARD_ACTIONS + USES * kind + USE_NAMES[use]


def payment_action(to_left: int) -> int:
    """Number of the action that pays ``to_left`` coins to the left neighbour."""
    if not 0 <= to_left <= MAX_PAYMENT:
        raise ValueError(f"{to_left} coins to the left: a payment is 0 to {MAX_PAYMENT}")
    return PAYMENT_ACTIONS + to_left


def kind_name(tables: np.ndarray, kind: int) -> str:
    """Printed name of a card kind."""
    return text(tables[0]["kind_name"][kind])


def board_name(tables: np.ndarray, board: int) -> str:
    """Name and side of a board (2 * wonder + side): ``"Gizah (day)"``."""
    return f"{text(tables[0]['board_name'][board // SIDES])} ({SIDE_NAMES[board % SIDES]})"


def action_name(tables: np.ndarray, action: int) -> str:
    """An action in words, without the game it is taken in."""
    if not 0 <= action < NUM_ACTIONS:
        return f"action {action} (there are {NUM_ACTIONS}: 0 to {NUM_ACTIONS - 1})"
    if action == WAIT:
        return "wait"
    if action >= PAYMENT_ACTIONS:
        return f"pay {_coins(action - PAYMENT_ACTIONS)} to the left"
    kind, use = divmod(action - CARD_ACTIONS, USES)
    name = kind_name(tables, kind)
    return (f"build {name}", f"build the next wonder stage with {name}", f"sell {name}")[use]


def describe(games: np.ndarray, index: int, tables: np.ndarray, seat: int, action: int) -> str:
    """An action of a seat in words, in its game: the stage's number, both parts of a payment, a pick as such."""
    words = action_name(tables, action)
    if not WAIT < action < NUM_ACTIONS:
        return words
    game: Any = games[index]
    if action >= PAYMENT_ACTIONS:
        if game["phase"] != PAY or not game["planned"][seat]:
            return words
        to_right = int(_payment_right(games, index, tables, seat, action - PAYMENT_ACTIONS))
        return words if to_right == NONE else f"{words} and {_coins(to_right)} to the right"
    kind, use = divmod(action - CARD_ACTIONS, USES)
    if use == STAGE:
        return (
            f"build wonder stage {int(game['built'][seat, STAGES_COLUMN]) + 1} with {kind_name(tables, kind)}"
        )
    if use == BUILD and game["phase"] == PICK:
        return f"build {kind_name(tables, kind)} from the discard"
    return words


def describe_openly(games: np.ndarray, index: int, tables: np.ndarray, seat: int, action: int) -> str:
    """What the others see of an action: a building is open, the card that is sold or lies under the wonder is not."""
    if CARD_ACTIONS <= action < PAYMENT_ACTIONS:
        use = (action - CARD_ACTIONS) % USES
        if use == STAGE:
            return f"build wonder stage {int(games[index]['built'][seat, STAGES_COLUMN]) + 1}"
        if use == SELL:
            return "sell a card"
    return describe(games, index, tables, seat, action)


def _coins(number: int) -> str:
    return "1 coin" if number == 1 else f"{number} coins"
