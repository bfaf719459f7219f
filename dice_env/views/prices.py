"""What an action costs or brings, and why one is not possible: in words, from what the seat sees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.kernels import entry
from dice_env import state as s
from dice_env.actions import (
    cost_of_die,
    cost_of_space,
    die_words,
    face_words,
    space_words,
    wonder_slot,
)
from dice_env.rules.legality import allowed, crossable, open_spaces

from .signs import effect_words


@entry
def _spaces(games: Any, index: int, tables: Any, seat: int, item: int, out: Any) -> None:
    """What is open; what an item allows, at any cost."""
    game, table = games[index], tables[0]
    out[0] = open_spaces(game, table, seat)
    if item & s.KIND_MASK == s.PICK:
        out[1] = allowed(game, table, seat, item >> s.ARGUMENT)
    elif item & s.KIND_MASK == s.CROSS:
        out[1] = crossable(game, table, seat, item)


def _top(game: Any, seat: int) -> int:
    """The item that the seat resolves now."""
    depth = int(game["depth"][seat])
    return int(game["stack"][seat, depth - 1]) if depth else s.NOTHING


def price(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    """What a legal action costs or brings; see :class:`antiquity.game.Game`."""
    game: Any = games[index]
    board = int(game["board"][seat])
    if action in (s.WAIT, s.STOP):
        return ""
    if action < s.WONDER:
        return _of_die(games, index, tables, seat, action - s.DIE_ACTIONS)
    if action == s.PASS:
        return f"+{_coins(int(tables[0]['pass_coins']))}"
    if action in range(s.BONUS_ACTIONS, s.SPACE_ACTIONS):
        coins = int(tables[0]["bonus_coins"][action - s.BONUS_ACTIONS])
        return f"+{_coins(coins)}" if coins else ""
    slot = wonder_slot(games, index, tables, seat) if action == s.WONDER else action - s.SPACE_ACTIONS
    if slot is None:
        return ""
    cost = int(cost_of_space(games, index, tables, seat, slot))
    gains = effect_words(tables, board, slot)
    paid = f"-{_coins(cost)}" if cost else "free"
    return f"{paid}: {gains}" if gains else paid


def _of_die(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, die: int) -> str:
    game: Any = games[index]
    free = _top(game, seat) & s.KIND_MASK == s.FREE
    cost = 0 if free else int(cost_of_die(games, index, tables, seat, die))
    gained = int(game["income"][seat, s.DIE_COLOUR[die]]) + int(
        tables[0]["face_coins"][die, int(game["face"][die])]
    )
    parts = [f"-{_coins(cost)}" if cost else "free"] + ([f"+{_coins(gained)}"] if gained else [])
    return ", ".join(parts)


# --- why not --------------------------------------------------------------------------------------------------------


def why_not(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    """Why an action is not possible now; see :class:`antiquity.game.Game`."""
    game: Any = games[index]
    if game["over"]:
        return "the game is over"
    if not int(game["deciders"]) >> seat & 1:
        return "you have nothing left to resolve in this turn"
    if not s.WAIT < action < s.NUM_ACTIONS:
        return "there is a choice to make"
    item = _top(game, seat)
    kind = item & s.KIND_MASK
    if action < s.WONDER:
        if kind not in (s.ACTION, s.FREE):
            return f"no die is chosen now: {_asked(kind)}"
        return _not_the_die(games, index, tables, seat, action - s.DIE_ACTIONS, kind == s.FREE)
    if action in (s.WONDER, s.PASS):
        if kind != s.ACTION:
            return (
                "only a die can be chosen now"
                if kind == s.FREE
                else f"no action is taken now: {_asked(kind)}"
            )
        return _not_the_wonder(games, index, tables, seat)
    if action == s.STOP:
        return "there is no effect to decline"
    if action < s.SPACE_ACTIONS:
        return "taken already" if kind == s.BONUS else "no bonus is due now"
    return _not_the_space(games, index, tables, seat, action - s.SPACE_ACTIONS, item)


def _asked(kind: int) -> str:
    return {
        s.BONUS: "a bonus is",
        s.PICK: "a space for the die is",
        s.CROSS: "a space for the effect is",
    }.get(kind, "an action is")


def _not_the_die(
    games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, die: int, free: bool
) -> str:
    game: Any = games[index]
    if not int(game["forum"]) >> die & 1:
        return "not in the forum"
    if s.DIE_UNLOCK[die] & ~int(game["unlocked"][seat]):
        return f"you have not unlocked {die_words(die)}"
    cost = 0 if free else int(cost_of_die(games, index, tables, seat, die))
    coins = int(game["coins"][seat])
    if cost > coins:
        return f"costs {_coins(cost)}, you have {coins}"
    if die == s.PURPLE and not int(game["guild"]) >> seat & 1:
        return "you do not have as many of that building as your neighbours"
    return f"nothing that {face_words(tables, die, int(game['face'][die]))} allows is open to you and within your coins"


def _not_the_wonder(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int) -> str:
    slot = wonder_slot(games, index, tables, seat)
    return "your wonder is complete" if slot is None else _too_dear(games, index, tables, seat, slot)


def _not_the_space(
    games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, slot: int, item: int
) -> str:
    game: Any = games[index]
    board = int(game["board"][seat])
    if not int(tables[0]["printed"][board]) >> slot & 1:
        return "not on your sheet"
    if int(game["crossed"][seat]) >> slot & 1:
        return "crossed already"
    kind = item & s.KIND_MASK
    if kind not in (s.PICK, s.CROSS):
        return (
            f"no space is crossed now: {_asked(kind)}"
            if kind == s.BONUS
            else "first choose a die, or the wonder"
        )
    found = np.zeros(2, np.uint64)
    _spaces(games, index, tables, seat, item, found)
    if kind == s.PICK:
        die = item >> s.ARGUMENT
        if not int(found[1]) >> slot & 1:
            return f"{face_words(tables, die, int(game['face'][die]))} does not allow it"
    else:
        building = s.BUILDINGS[int(tables[0]["building_of"][slot])]
        if not (item >> s.ARGUMENT) >> s.BUILDINGS.index(building) & 1:
            return f"the effect is not for the {building.replace('_', ' ')}"
    if not int(found[0]) >> slot & 1:
        return f"{space_words(tables, board, slot - 1)} comes before it"
    return _too_dear(games, index, tables, seat, slot)


def _too_dear(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, slot: int) -> str:
    game: Any = games[index]
    cost, coins = int(cost_of_space(games, index, tables, seat, slot)), int(game["coins"][seat])
    resources = int(game["resources"][seat])
    less = f" beside your {resources} resources" if resources else ""
    return f"costs {_coins(cost)}{less}, you have {coins}"


def _coins(number: int) -> str:
    return "1 coin" if number == 1 else f"{number} coins"
