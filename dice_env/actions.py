"""Action numbers and words.

81 actions, the same for every seat, board and option: 0 is WAIT; ``1 + d`` chooses die d (grey1, grey2, grey3, green,
blue, red, yellow, purple, black, white); 11 builds the next space of the wonder; 12 passes; 13 declines the rest of an
effect; ``14 + b`` takes bonus b; ``17 + i`` crosses the space in slot i (see ``dice_env.state.GROUPS``).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.game.tables import text
from antiquity.kernels import entry

from .rules.legality import die_cost, price
from .state import (
    BONUS_ACTIONS,
    DICE,
    DIE_ACTIONS,
    FREE,
    KIND_MASK,
    NUM_ACTIONS,
    NUM_BONUSES,
    NUM_DICE,
    PASS,
    SPACE_ACTIONS,
    SPACES,
    STOP,
    WAIT,
    WONDER,
    WONDER_SPACES,
    WONDER_START,
)

_FIXED: Final = {
    WAIT: "wait",
    WONDER: "build the next wonder space",
    PASS: "pass",
    STOP: "cross nothing more",
}


@entry
def _die_cost(games, index, tables, seat, die):
    return die_cost(games[index], tables[0], seat, die)


@entry
def _price(games, index, tables, seat, space):
    return price(games[index], tables[0], seat, space)


def die_action(die: str) -> int:
    """Number of the action that chooses a die: ``"grey1"`` ... ``"white"``."""
    if die not in DICE:
        raise ValueError(f"die {die!r}: the dice are {', '.join(DICE)}")
    return DIE_ACTIONS + DICE.index(die)


def bonus_action(bonus: int) -> int:
    """Number of the action that takes a bonus, 0 to 2 in the order of the sheet."""
    if not 0 <= bonus < NUM_BONUSES:
        raise ValueError(f"bonus {bonus}: bonuses are 0 to {NUM_BONUSES - 1}")
    return BONUS_ACTIONS + bonus


def space_action(slot: int) -> int:
    """Number of the action that crosses the space in a slot."""
    if not 0 <= slot < SPACES:
        raise ValueError(f"slot {slot}: spaces have the slots 0 to {SPACES - 1}")
    return SPACE_ACTIONS + slot


def space_name(tables: np.ndarray, board: int, slot: int) -> str:
    """The id of a space on a board's sheet; ``"slot 5"`` where the sheet has none."""
    return text(tables[0]["space_name"][board, slot]) or f"slot {slot}"


def face_name(tables: np.ndarray, die: int, face: int) -> str:
    """The symbol on a face of a die."""
    return text(tables[0]["face_name"][die, face])


def action_name(tables: np.ndarray, action: int, board: int = 0) -> str:
    """An action in words, without the game it is taken in."""
    if not 0 <= action < NUM_ACTIONS:
        return f"action {action} (there are {NUM_ACTIONS}: 0 to {NUM_ACTIONS - 1})"
    if action in _FIXED:
        return _FIXED[action]
    if action < DIE_ACTIONS + NUM_DICE:
        return f"choose the {DICE[action - DIE_ACTIONS]} die"
    if action < SPACE_ACTIONS:
        return f"take the bonus {text(tables[0]['bonus_name'][action - BONUS_ACTIONS])}"
    return f"cross {space_name(tables, board, action - SPACE_ACTIONS)}"


def describe(games: np.ndarray, index: int, tables: np.ndarray, seat: int, action: int) -> str:
    """An action of a seat in words, in its game: the symbol of a die, and what it costs."""
    game: Any = games[index]
    board = int(game["board"][seat])
    words = action_name(tables, action, board)
    if not WAIT < action < NUM_ACTIONS:
        return words
    if action < WONDER:
        die = action - DIE_ACTIONS
        if not int(game["forum"]) >> die & 1:
            return words
        depth = int(game["depth"][seat])
        free = depth and int(game["stack"][seat, depth - 1]) & KIND_MASK == FREE
        cost = 0 if free else int(_die_cost(games, index, tables, seat, die))
        return f"{words} ({face_name(tables, die, int(game['face'][die]))}) for {_coins(cost)}"
    if action == WONDER:
        built = int(game["crossed"][seat]) >> WONDER_START & (1 << WONDER_SPACES) - 1
        slot = WONDER_START + built.bit_count()
        if slot == WONDER_START + WONDER_SPACES or not int(tables[0]["printed"][board]) >> slot & 1:
            return words
        return f"build {space_name(tables, board, slot)} for {_coins(int(_price(games, index, tables, seat, slot)))}"
    if action == PASS:
        return f"pass for {_coins(int(tables[0]['pass_coins']))}"
    if action >= SPACE_ACTIONS and int(tables[0]["printed"][board]) >> (action - SPACE_ACTIONS) & 1:
        return f"{words} for {_coins(int(_price(games, index, tables, seat, action - SPACE_ACTIONS)))}"
    return words


def _coins(number: int) -> str:
    return "1 coin" if number == 1 else f"{number} coins"
