"""The course of a turn: what was chosen is carried out, and what it leaves behind is resolved.

What a seat still has to resolve is on its stack (state.py); every seat with something on it decides, all at once.
Other seats and the guild comparison count as they stood at the start of the turn, so within a turn seats can't
influence each other. Rules document, sections on the actions of a turn, the buildings, the effects and the bonuses.
"""

from __future__ import annotations

import numpy as np

from antiquity.kernels import kernel
from dice_env import state as s

from .bits import NONE, ONE, is_single, lowest
from .legality import (
    crossable,
    crossed_of,
    dice_options,
    die_cost,
    pickable,
    price,
    wonder_payable,
)
from .rounds import end_turn


@kernel
def advance(game, tables):
    """Carry out what the deciders have chosen; end the turn once nobody has anything left to resolve."""
    asked = np.int64(0)
    deciders = np.int64(game["deciders"])
    for seat in range(np.int64(game["num_players"])):
        if (deciders >> seat) & 1:
            action = np.int64(game["chosen"][seat])
            if game["first_action"][seat] == 0:
                game["first_action"][seat] = action
            _carry_out(game, tables, seat, action)
            if game["depth"][seat]:
                _settle(game, tables, seat)
                if game["depth"][seat]:
                    asked |= 1 << seat
    game["deciders"] = asked
    if asked == 0:
        end_turn(game, tables)


# --- the stack of a seat --------------------------------------------------------------------------------------------


@kernel
def _push(game, seat, item):
    depth = np.int64(game["depth"][seat])
    game["stack"][seat, depth] = item
    game["depth"][seat] = depth + 1


@kernel
def _pop(game, seat):
    depth = np.int64(game["depth"][seat]) - 1
    item = np.int64(game["stack"][seat, depth])
    game["stack"][seat, depth] = s.NOTHING
    game["depth"][seat] = depth
    return item


@kernel
def _settle(game, tables, seat):
    """Carry out what leaves no choice, until the seat has one or nothing is left."""
    while game["depth"][seat]:
        item = np.int64(game["stack"][seat, np.int64(game["depth"][seat]) - 1])
        kind = item & s.KIND_MASK
        action = np.int64(s.STOP)
        if kind == s.CROSS:
            if crossable(game, tables, seat, item) != NONE:
                return
        elif kind == s.FREE:
            if dice_options(game, tables, seat, True):
                return
        elif kind == s.ACTION:
            if dice_options(game, tables, seat, False) or wonder_payable(game, tables, seat) != NONE:
                return
            action = np.int64(s.PASS)
        elif kind == s.BONUS:
            crossed = np.int64(game["bonuses"][seat])
            left = s.ALL_BONUSES & ~crossed
            if left & (left - 1):
                return
            action = s.BONUS_ACTIONS + (left >> 1)  # 1, 2, 4 -> 0, 1, 2
        else:
            spaces = pickable(game, tables, seat, item >> s.ARGUMENT)
            if not is_single(spaces):
                return
            action = s.SPACE_ACTIONS + lowest(spaces)
        _carry_out(game, tables, seat, action)


@kernel
def _carry_out(game, tables, seat, action):
    """Take the top item off the stack and do what was chosen for it."""
    item = _pop(game, seat)
    if action >= s.SPACE_ACTIONS:
        space = action - s.SPACE_ACTIONS
        more = (item >> s.REMAINING) - 1
        if item & s.KIND_MASK == s.CROSS and more > 0:
            building = np.int64(tables["building_of"][space])
            _push(game, seat, s.CROSS | (1 << (building + s.ARGUMENT)) | (more << s.REMAINING))
        _cross(game, tables, seat, space)
    elif action >= s.BONUS_ACTIONS:
        bonus = action - s.BONUS_ACTIONS
        game["bonuses"][seat] |= 1 << bonus
        game["coins"][seat] += np.int64(tables["bonus_coins"][bonus])
        if tables["bonus_item"][bonus]:
            _push(game, seat, np.int64(tables["bonus_item"][bonus]))
    elif action < s.WONDER:
        _take_die(game, tables, seat, action - s.DIE_ACTIONS, item & s.KIND_MASK == s.FREE)
    elif action == s.WONDER:
        _cross(game, tables, seat, lowest(wonder_payable(game, tables, seat)))
    elif action == s.PASS:
        game["coins"][seat] += np.int64(tables["pass_coins"])


@kernel
def _take_die(game, tables, seat, die, costs_nothing):
    coins = np.int64(game["coins"][seat])
    if not costs_nothing:
        coins -= die_cost(game, tables, seat, die)
    coins += np.int64(game["income"][seat, s.DIE_COLOUR[die]])
    face_coins = np.int64(tables["face_coins"][die, np.int64(game["face"][die])])
    game["coins"][seat] = coins + face_coins
    if face_coins == 0:
        _push(game, seat, s.PICK | (die << s.ARGUMENT))


# --- crossing a space -----------------------------------------------------------------------------------------------


@kernel
def _cross(game, tables, seat, space):
    """Pay for a space and cross it; what it leaves to be resolved goes on the stack, a bonus beneath the effect."""
    board = np.int64(game["board"][seat])
    game["coins"][seat] = np.int64(game["coins"][seat]) - price(game, tables, seat, space)
    crossed = game["crossed"][seat] | (ONE << np.uint64(space))
    game["crossed"][seat] = crossed
    if tables["building_of"][space] == s.WAREHOUSE:
        game["resources"][seat] += 1
        return
    if tables["attack"][board, space]:
        _attack(game, tables, seat, space)
    if tables["acts"][board, space]:
        _act(game, tables, seat, board, space)
    unit = np.int64(tables["unit_of"][space])
    if unit != s.NO_UNIT:
        whole = tables["unit"][board, unit]
        if whole != NONE and crossed & whole == whole and _bonus_left(game, seat):
            _push(game, seat, np.int64(s.BONUS))
    if tables["item"][board, space]:
        _push(game, seat, np.int64(tables["item"][board, space]))


@kernel
def _bonus_left(game, seat):
    """Whether a bonus is left that is neither taken nor due to a building completed earlier."""
    bonuses = np.int64(game["bonuses"][seat])
    taken = np.int64(0)
    for bonus in range(s.NUM_BONUSES):
        taken += (bonuses >> bonus) & 1
    for place in range(np.int64(game["depth"][seat])):
        if game["stack"][seat, place] == s.BONUS:
            taken += 1
    return taken < s.NUM_BONUSES


@kernel
def _attack(game, tables, seat, space):
    """Write down the points of an attack: west against the left neighbour's east, east against the right one's west.

    Defences that stood at the start of the turn lessen them, for good.
    """
    players = np.int64(game["num_players"])
    if space < s.EAST_ATTACK:
        side = 0
        defender = (seat + 1) % players
        wall = np.int64((game["start_crossed"][defender] >> np.uint64(s.EAST_DEFENCE)) & np.uint64(3))
    else:
        side = 1
        defender = (seat + players - 1) % players
        wall = np.int64((game["start_crossed"][defender] >> np.uint64(s.WEST_DEFENCE)) & np.uint64(3))
    defences = (wall & 1) + (wall >> 1)
    points = np.int64(tables["attack"][np.int64(game["board"][seat]), space]) - defences
    game["attack"][seat, side] = np.int64(game["attack"][seat, side]) + max(points, np.int64(0))


@kernel
def _act(game, tables, seat, board, space):
    """Apply whatever part of an effect needs no decision."""
    gained = np.int64(tables["coins"][board, space])
    if tables["coins_per"][board, space]:
        counted = np.int64(tables["counted"][board, space])
        gained += np.int64(tables["coins_per"][board, space]) * crossed_of(game, tables, seat, counted)
    game["coins"][seat] = np.int64(game["coins"][seat]) + gained
    game["discount"][seat] = np.int64(game["discount"][seat]) + np.int64(tables["discount"][board, space])
    game["free"][seat] |= tables["free"][board, space]
    game["unlocked"][seat] |= tables["unlock"][board, space]
    if tables["income"][board, space]:
        colour = np.int64(tables["income_colour"][board, space])
        game["income"][seat, colour] = np.int64(game["income"][seat, colour]) + np.int64(
            tables["income"][board, space]
        )
