"""Action numbers and words.

258 actions, the same for every seat and option: 0 is WAIT; ``1 + 3 * kind + use`` plays a card (use 0 builds it, 1
builds the next wonder stage with it, 2 sells it); ``241 + l`` pays the left neighbour l coins and the right one the
least that then suffices; 256 and 257 choose the day and the night side of the wonder. A pick from the discard is the
build action of the picked kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.game.tables import text
from antiquity.kernels import entry

from . import state as s
from .data.tables import SIDE_NAMES
from .rules.legality import item_of
from .rules.payment import NONE, frontier, payment_right

USE_NAMES = {"build": s.BUILD, "stage": s.STAGE, "sell": s.SELL}


@entry
def coins_to_right(games, index, tables, seat, to_left):
    """Coins to the right neighbour that go with ``to_left`` in a payment; NONE where there is none."""
    game = games[index]
    item = item_of(game, tables[0], seat, np.int64(game["planned"][seat]))
    return payment_right(frontier(game, tables[0], seat, item), to_left)


def card_action(kind: int, use: str) -> int:
    """Number of the action that plays a card: use ``"build"``, ``"stage"`` or ``"sell"``."""
    if not 0 <= kind < s.KINDS:
        raise ValueError(f"kind {kind}: card kinds are 0 to {s.KINDS - 1}")
    if use not in USE_NAMES:
        raise ValueError(f"use {use!r}: a card is used to {', '.join(USE_NAMES)}")
    return s.CARD_ACTIONS + s.USES * kind + USE_NAMES[use]


def payment_action(to_left: int) -> int:
    """Number of the action that pays ``to_left`` coins to the left neighbour."""
    if not 0 <= to_left <= s.MAX_PAYMENT:
        raise ValueError(f"{to_left} coins to the left: a payment is 0 to {s.MAX_PAYMENT}")
    return s.PAYMENT_ACTIONS + to_left


def side_action(side: str) -> int:
    """Number of the action that chooses a side of the wonder board: ``"day"`` or ``"night"``."""
    if side not in SIDE_NAMES:
        raise ValueError(f"side {side!r}: a board has the sides {' and '.join(SIDE_NAMES)}")
    return s.SIDE_ACTIONS + SIDE_NAMES.index(side)


def kind_name(tables: np.ndarray, kind: int) -> str:
    """Printed name of a card kind."""
    return text(tables[0]["kind_name"][kind])


def wonder_name(tables: np.ndarray, board: int) -> str:
    """Name of the wonder of a board (2 * wonder + side): ``"Gizah"``."""
    return text(tables[0]["board_name"][board // s.SIDES])


def board_name(tables: np.ndarray, board: int) -> str:
    """Name and side of a board (2 * wonder + side): ``"Gizah (day)"``."""
    return f"{wonder_name(tables, board)} ({SIDE_NAMES[board % s.SIDES]})"


def seen_board(game: Any, tables: np.ndarray, seat: int) -> str:
    """What everybody sees of a seat's board: :func:`board_name`, or the wonder alone while its side is open."""
    named = wonder_name if int(game["open_sides"]) >> seat & 1 else board_name
    return named(tables, int(game["board"][seat]))


def action_name(tables: np.ndarray, action: int) -> str:
    """An action in words, without the game it is taken in."""
    if not 0 <= action < s.NUM_ACTIONS:
        return f"action {action} (there are {s.NUM_ACTIONS}: 0 to {s.NUM_ACTIONS - 1})"
    if action == s.WAIT:
        return "wait"
    if action >= s.SIDE_ACTIONS:
        return f"choose the {SIDE_NAMES[action - s.SIDE_ACTIONS]} side of the wonder"
    if action >= s.PAYMENT_ACTIONS:
        return f"pay {_coins(action - s.PAYMENT_ACTIONS)} to the left"
    kind, use = divmod(action - s.CARD_ACTIONS, s.USES)
    name = kind_name(tables, kind)
    return (f"build {name}", f"build the next wonder stage with {name}", f"sell {name}")[use]


def describe(games: np.ndarray, index: int, tables: np.ndarray, seat: int, action: int) -> str:
    """An action of a seat in words, in its game: stage's number, both parts of a payment, a pick as such."""
    words = action_name(tables, action)
    if not s.WAIT < action < s.NUM_ACTIONS:
        return words
    game: Any = games[index]
    if action >= s.SIDE_ACTIONS:
        side = SIDE_NAMES[action - s.SIDE_ACTIONS]
        return f"choose the {side} side of {wonder_name(tables, int(game['board'][seat]))}"
    if action >= s.PAYMENT_ACTIONS:
        if game["phase"] != s.PAY or not game["planned"][seat]:
            return words
        to_right = int(coins_to_right(games, index, tables, seat, action - s.PAYMENT_ACTIONS))
        return words if to_right == NONE else f"{words} and {_coins(to_right)} to the right"
    kind, use = divmod(action - s.CARD_ACTIONS, s.USES)
    if use == s.STAGE:
        return f"build wonder stage {int(game['built'][seat, s.STAGES_COLUMN]) + 1} with {kind_name(tables, kind)}"
    if use == s.BUILD and game["phase"] == s.PICK:
        return f"build {kind_name(tables, kind)} from the discard"
    return words


def describe_openly(games: np.ndarray, index: int, tables: np.ndarray, seat: int, action: int) -> str:
    """What the others see of an action: a building is open, the card that is sold or lies under the wonder is not."""
    if s.CARD_ACTIONS <= action < s.PAYMENT_ACTIONS:
        use = (action - s.CARD_ACTIONS) % s.USES
        if use == s.STAGE:
            return f"build wonder stage {int(games[index]['built'][seat, s.STAGES_COLUMN]) + 1}"
        if use == s.SELL:
            return "sell a card"
    return describe(games, index, tables, seat, action)


def _coins(number: int) -> str:
    return "1 coin" if number == 1 else f"{number} coins"
