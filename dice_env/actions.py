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
from dice_env import state as s

from .rules.legality import die_cost, price

_FIXED: Final = {
    s.WAIT: "wait",
    s.WONDER: "build the next wonder space",
    s.PASS: "pass",
    s.STOP: "cross nothing more",
}


@entry
def cost_of_die(games, index, tables, seat, die):
    """Coins that choosing a die costs the seat."""
    return die_cost(games[index], tables[0], seat, die)


@entry
def _price(games, index, tables, seat, space):
    return price(games[index], tables[0], seat, space)


def die_action(die: str) -> int:
    """Number of the action that chooses a die: ``"grey1"`` ... ``"white"``."""
    if die not in s.DICE:
        raise ValueError(f"die {die!r}: the dice are {', '.join(s.DICE)}")
    return s.DIE_ACTIONS + s.DICE.index(die)


def bonus_action(bonus: int) -> int:
    """Number of the action that takes a bonus, 0 to 2 in the order of the sheet."""
    if not 0 <= bonus < s.NUM_BONUSES:
        raise ValueError(f"bonus {bonus}: bonuses are 0 to {s.NUM_BONUSES - 1}")
    return s.BONUS_ACTIONS + bonus


def space_action(slot: int) -> int:
    """Number of the action that crosses the space in a slot."""
    if not 0 <= slot < s.SPACES:
        raise ValueError(f"slot {slot}: spaces have the slots 0 to {s.SPACES - 1}")
    return s.SPACE_ACTIONS + slot


def space_name(tables: np.ndarray, board: int, slot: int) -> str:
    """The id of a space on a board's sheet; ``"slot 5"`` where the sheet has none."""
    return text(tables[0]["space_name"][board, slot]) or f"slot {slot}"


def face_name(tables: np.ndarray, die: int, face: int) -> str:
    """The symbol on a face of a die."""
    return text(tables[0]["face_name"][die, face])


def action_name(tables: np.ndarray, action: int, board: int = 0) -> str:
    """An action in words, without the game it is taken in."""
    if not 0 <= action < s.NUM_ACTIONS:
        return f"action {action} (there are {s.NUM_ACTIONS}: 0 to {s.NUM_ACTIONS - 1})"
    if action in _FIXED:
        return _FIXED[action]
    if action < s.DIE_ACTIONS + s.NUM_DICE:
        return f"choose the {s.DICE[action - s.DIE_ACTIONS]} die"
    if action < s.SPACE_ACTIONS:
        return f"take the bonus {text(tables[0]['bonus_name'][action - s.BONUS_ACTIONS])}"
    return f"cross {space_name(tables, board, action - s.SPACE_ACTIONS)}"


def describe(games: np.ndarray, index: int, tables: np.ndarray, seat: int, action: int) -> str:
    """An action of a seat in words, in its game: the symbol of a die, and what it costs."""
    game: Any = games[index]
    board = int(game["board"][seat])
    words = action_name(tables, action, board)
    if not s.WAIT < action < s.NUM_ACTIONS:
        return words
    if action < s.WONDER:
        die = action - s.DIE_ACTIONS
        if not int(game["forum"]) >> die & 1:
            return words
        depth = int(game["depth"][seat])
        free = depth and int(game["stack"][seat, depth - 1]) & s.KIND_MASK == s.FREE
        cost = 0 if free else int(cost_of_die(games, index, tables, seat, die))
        return f"{words} ({face_name(tables, die, int(game['face'][die]))}) for {_coins(cost)}"
    if action == s.WONDER:
        built = int(game["crossed"][seat]) >> s.WONDER_START & (1 << s.WONDER_SPACES) - 1
        slot = s.WONDER_START + built.bit_count()
        if slot == s.WONDER_START + s.WONDER_SPACES or not int(tables[0]["printed"][board]) >> slot & 1:
            return words
        return f"build {space_name(tables, board, slot)} for {_coins(int(_price(games, index, tables, seat, slot)))}"
    if action == s.PASS:
        return f"pass for {_coins(int(tables[0]['pass_coins']))}"
    if action >= s.SPACE_ACTIONS and int(tables[0]["printed"][board]) >> (action - s.SPACE_ACTIONS) & 1:
        return f"{words} for {_coins(int(_price(games, index, tables, seat, action - s.SPACE_ACTIONS)))}"
    return words


def _coins(number: int) -> str:
    return "1 coin" if number == 1 else f"{number} coins"
