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
def cost_of_space(games, index, tables, seat, space):
    """Coins that crossing a space costs the seat: one for each resource that it lacks."""
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


def space_words(tables: np.ndarray, board: int, slot: int) -> str:
    """A space in words: ``"west attack 2"``, ``"wonder, step 1"``."""
    name = text(tables[0]["space_name"][board, slot])
    if not name:
        return f"slot {slot}"
    group, first = next((each[0], each[1]) for each in s.GROUPS if each[1] <= slot < each[1] + each[2])
    number = slot - first + 1
    return {
        "warehouse": f"{name} in the warehouse",
        "agora": f"agora {name}",
        "leaders": name.replace("_", " "),
        "wonder": f"wonder, step {number}",
        "upper": f"university, upper {number}",
        "middle": f"university, middle {number}",
        "lower": f"university, lower {number}",
    }.get(group, f"{group.replace('_', ' ')} {number}")


def die_words(die: int) -> str:
    """A die in words: the three grey ones have numbers."""
    name = s.DICE[die]
    return f"grey die {name[-1]}" if die < s.GREYS else f"the {name} die"


def face_words(tables: np.ndarray, die: int, face: int) -> str:
    """The symbol on a face of a die, in words."""
    coins = int(tables[0]["face_coins"][die, face])
    return _coins(coins) if coins else face_name(tables, die, face).replace("_", " ")


def bonus_words(tables: np.ndarray, bonus: int) -> str:
    """What a bonus is, in words."""
    coins = int(tables[0]["bonus_coins"][bonus])
    if coins:
        return _coins(coins)
    words = {"again": "another action", "cross": "cross a space"}
    name = text(tables[0]["bonus_name"][bonus])
    return words.get(name, name)


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
        return f"choose {die_words(action - s.DIE_ACTIONS)}"
    if action < s.SPACE_ACTIONS:
        return f"take the bonus: {bonus_words(tables, action - s.BONUS_ACTIONS)}"
    return f"cross {space_words(tables, board, action - s.SPACE_ACTIONS)}"


def describe(games: np.ndarray, index: int, tables: np.ndarray, seat: int, action: int) -> str:
    """An action of a seat in words, in its game: the symbol of a die, the step of the wonder."""
    game: Any = games[index]
    board = int(game["board"][seat])
    words = action_name(tables, action, board)
    if s.WAIT < action < s.WONDER:
        die = action - s.DIE_ACTIONS
        if int(game["forum"]) >> die & 1:
            return f"{words} ({face_words(tables, die, int(game['face'][die]))})"
    if action == s.WONDER:
        slot = wonder_slot(games, index, tables, seat)
        return words if slot is None else f"build the {space_words(tables, board, slot)}"
    return words


def wonder_slot(games: np.ndarray, index: int, tables: np.ndarray, seat: int) -> int | None:
    """The slot of the next step of a seat's wonder; None when it is complete."""
    built = int(games[index]["crossed"][seat]) >> s.WONDER_START & (1 << s.WONDER_SPACES) - 1
    slot = s.WONDER_START + built.bit_count()
    board = int(games[index]["board"][seat])
    if slot == s.WONDER_START + s.WONDER_SPACES or not int(tables[0]["printed"][board]) >> slot & 1:
        return None
    return slot


def _coins(number: int) -> str:
    return "1 coin" if number == 1 else f"{number} coins"
