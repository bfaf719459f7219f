"""The course of a game: throwing the dice, committing choices, resolving them, ending turns.

What a seat has still to resolve is its stack (state.py); whoever has something on it decides, all such seats at once.
Seats look at others, and at the guild comparison, as of the start of the turn alone, so within a turn they can't
influence each other. Rules document, sections on the actions of a turn, the buildings, the effects and the bonuses.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import CUT_OFF, ENDED
from antiquity.jit import kernel
from antiquity.random import below

from .legality import (
    count,
    crossable,
    dice_options,
    die_cost,
    is_single,
    lowest,
    pickable,
    price,
    wonder_payable,
)
from .state import (
    ACTION,
    AGORA,
    ALL_BONUSES,
    ARGUMENT,
    BOARDS,
    BONUS,
    BONUS_ACTIONS,
    COLOURS,
    CROSS,
    DIE_ACTIONS,
    DIE_COLOUR,
    EAST_ATTACK,
    EAST_DEFENCE,
    FACES,
    FIRST_FORUM,
    FREE,
    GREYS,
    KIND_MASK,
    MAX_SEATS,
    NO_UNIT,
    NOTHING,
    NUM_BONUSES,
    NUM_DICE,
    PASS,
    PICK,
    PURPLE,
    QUADRANTS,
    RANDOM,
    REMAINING,
    SPACE_ACTIONS,
    SPECIAL_DIE,
    SPECIALS,
    STACK,
    STOP,
    WAREHOUSE,
    WEST_DEFENCE,
    WONDER,
)

# Purposes of random draws.
DRAW_BOARDS: Final = 1
DRAW_DICE: Final = 2  # index: turn * NUM_DICE + die
DRAW_GREY: Final = 3  # index: the special die that comes in

_NONE: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_NUM_COLOURS: Final = len(COLOURS)
_NUM_SPECIALS: Final = len(SPECIALS)


@kernel
def init(game, tables, num_players, options, seed):
    """A new game: boards dealt, coins given, the first dice thrown."""
    game["seed"] = seed
    game["steps"] = 0
    game["num_players"] = num_players
    game["over"] = 0
    game["forfeits"] = 0
    for seat in range(MAX_SEATS):
        _clear_seat(game, seat)
    for die in range(NUM_DICE):
        game["face"][die] = 0
        game["quadrant"][die] = 0
    for index in range(3):
        game["unused"][index] = 0
    game["agora_first"] = 0
    game["last_turn"] = 0
    game["max_turns"] = options["max_turns"]
    game["forum"] = FIRST_FORUM
    game["turn"] = 0
    _deal_boards(game, tables, num_players, options)
    _start_turn(game, tables)


@kernel
def _clear_seat(game, seat):
    game["crossed"][seat] = 0
    game["chosen"][seat] = 0
    game["coins"][seat] = 0
    for place in range(STACK):
        game["stack"][seat, place] = 0
    game["depth"][seat] = 0
    game["board"][seat] = 0
    game["bonuses"][seat] = 0
    game["resources"][seat] = 0
    for side in range(2):
        game["attack"][seat, side] = 0
    game["discount"][seat] = 0
    game["free"][seat] = 0
    game["unlocked"][seat] = 0
    for colour in range(_NUM_COLOURS):
        game["income"][seat, colour] = 0
    game["first_action"][seat] = 0
    game["last_action"][seat] = 0
    _note_start(game, seat)


@kernel
def _note_start(game, seat):
    """The position now is what others see of the seat until the turn ends."""
    game["start_crossed"][seat] = game["crossed"][seat]
    game["start_coins"][seat] = game["coins"][seat]
    game["start_bonuses"][seat] = game["bonuses"][seat]
    game["start_resources"][seat] = game["resources"][seat]
    for side in range(2):
        game["start_attack"][seat, side] = game["attack"][seat, side]
    game["start_discount"][seat] = game["discount"][seat]
    game["start_free"][seat] = game["free"][seat]
    game["start_unlocked"][seat] = game["unlocked"][seat]
    for colour in range(_NUM_COLOURS):
        game["start_income"][seat, colour] = game["income"][seat, colour]


@kernel
def _deal_boards(game, tables, num_players, options):
    free = (1 << BOARDS) - 1
    left = BOARDS
    for seat in range(num_players):
        board = np.int64(options["boards"][seat])
        if board != RANDOM:
            free &= ~(1 << board)
            left -= 1
    for seat in range(num_players):
        board = np.int64(options["boards"][seat])
        if board == RANDOM:
            skip = below(game["seed"], DRAW_BOARDS, seat, left)
            board = np.int64(0)
            while skip > 0 or not (free >> board) & 1:
                if (free >> board) & 1:
                    skip -= 1
                board += 1
            free &= ~(1 << board)
            left -= 1
        game["board"][seat] = board
        game["coins"][seat] = tables["start_coins"]


@kernel
def _start_turn(game, tables):
    """Throw the dice in the forum; all seats are to choose an action."""
    players = np.int64(game["num_players"])
    forum = np.int64(game["forum"])
    throw = np.int64(game["turn"]) * NUM_DICE
    for die in range(NUM_DICE):
        if (forum >> die) & 1:
            drawn = below(game["seed"], DRAW_DICE, throw + die, FACES * QUADRANTS)
            game["face"][die] = drawn >> 2
            game["quadrant"][die] = drawn & 3
    for seat in range(players):
        _note_start(game, seat)
        game["stack"][seat, 0] = ACTION
        game["depth"][seat] = 1
        game["first_action"][seat] = 0
    game["guild"] = 0
    if (forum >> PURPLE) & 1:
        _compare_guild(game, tables)
    game["deciders"] = (1 << players) - 1


@kernel
def _compare_guild(game, tables):
    """Which seats have, of the building on the purple face, no fewer spaces than either neighbour.

    With two players equal is not enough.
    """
    players = np.int64(game["num_players"])
    building = np.int64(tables["face_compares"][PURPLE, np.int64(game["face"][PURPLE])]) - 1
    holds = 0
    for seat in range(players):
        if building < 0:
            holds |= 1 << seat
            continue
        own = _crossed_of(game, tables, seat, building)
        left = _crossed_of(game, tables, (seat + 1) % players, building)
        if players == 2:
            if own > left:
                holds |= 1 << seat
        elif own >= left and own >= _crossed_of(game, tables, (seat + players - 1) % players, building):
            holds |= 1 << seat
    game["guild"] = holds


@kernel
def _crossed_of(game, tables, seat, building):
    return count(game["crossed"][seat] & tables["building"][np.int64(game["board"][seat]), building])


@kernel
def choose(game, tables, seat, action):
    """Commit one seat's choice, secretly."""
    game["chosen"][seat] = action


@kernel
def advance(game, tables):
    """All deciders have chosen: carry that out, and end the turn when nobody has anything left to resolve."""
    game["steps"] += 1
    asked = np.int64(0)
    deciders = np.int64(game["deciders"])
    for seat in range(np.int64(game["num_players"])):
        if (deciders >> seat) & 1:
            action = np.int64(game["chosen"][seat])
            game["chosen"][seat] = 0
            if game["first_action"][seat] == 0:
                game["first_action"][seat] = action
            _carry_out(game, tables, seat, action)
            if game["depth"][seat]:
                _settle(game, tables, seat)
                if game["depth"][seat]:
                    asked |= 1 << seat
    game["deciders"] = asked
    if asked == 0:
        _end_turn(game, tables)


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
    game["stack"][seat, depth] = NOTHING
    game["depth"][seat] = depth
    return item


@kernel
def _settle(game, tables, seat):
    """Carry out what leaves no choice, until the seat has one or nothing is left."""
    while game["depth"][seat]:
        item = np.int64(game["stack"][seat, np.int64(game["depth"][seat]) - 1])
        kind = item & KIND_MASK
        action = np.int64(STOP)
        if kind == CROSS:
            if crossable(game, tables, seat, item) != _NONE:
                return
        elif kind == FREE:
            if dice_options(game, tables, seat, True):
                return
        elif kind == ACTION:
            if dice_options(game, tables, seat, False) or wonder_payable(game, tables, seat) != _NONE:
                return
            action = np.int64(PASS)
        elif kind == BONUS:
            crossed = np.int64(game["bonuses"][seat])
            left = ALL_BONUSES & ~crossed
            if left & (left - 1):
                return
            action = BONUS_ACTIONS + (left >> 1)  # 1, 2, 4 -> 0, 1, 2
        else:
            spaces = pickable(game, tables, seat, item >> ARGUMENT)
            if not is_single(spaces):
                return
            action = SPACE_ACTIONS + lowest(spaces)
        _carry_out(game, tables, seat, action)


@kernel
def _carry_out(game, tables, seat, action):
    """Take the top item off the stack and do what was chosen for it."""
    item = _pop(game, seat)
    if action >= SPACE_ACTIONS:
        space = action - SPACE_ACTIONS
        more = (item >> REMAINING) - 1
        if item & KIND_MASK == CROSS and more > 0:
            building = np.int64(tables["building_of"][space])
            _push(game, seat, CROSS | (1 << (building + ARGUMENT)) | (more << REMAINING))
        _cross(game, tables, seat, space)
    elif action >= BONUS_ACTIONS:
        bonus = action - BONUS_ACTIONS
        game["bonuses"][seat] |= 1 << bonus
        game["coins"][seat] += np.int64(tables["bonus_coins"][bonus])
        if tables["bonus_item"][bonus]:
            _push(game, seat, np.int64(tables["bonus_item"][bonus]))
    elif action < WONDER:
        _take_die(game, tables, seat, action - DIE_ACTIONS, item & KIND_MASK == FREE)
    elif action == WONDER:
        _cross(game, tables, seat, lowest(wonder_payable(game, tables, seat)))
    elif action == PASS:
        game["coins"][seat] += np.int64(tables["pass_coins"])


@kernel
def _take_die(game, tables, seat, die, costs_nothing):
    coins = np.int64(game["coins"][seat])
    if not costs_nothing:
        coins -= die_cost(game, tables, seat, die)
    coins += np.int64(game["income"][seat, DIE_COLOUR[die]])
    face_coins = np.int64(tables["face_coins"][die, np.int64(game["face"][die])])
    game["coins"][seat] = coins + face_coins
    if face_coins == 0:
        _push(game, seat, PICK | (die << ARGUMENT))


# --- crossing a space -----------------------------------------------------------------------------------------------


@kernel
def _cross(game, tables, seat, space):
    """Pay for a space and cross it; what it leaves to be resolved goes on the stack, a bonus beneath the effect."""
    board = np.int64(game["board"][seat])
    game["coins"][seat] = np.int64(game["coins"][seat]) - price(game, tables, seat, space)
    crossed = game["crossed"][seat] | (_ONE << np.uint64(space))
    game["crossed"][seat] = crossed
    if tables["building_of"][space] == WAREHOUSE:
        game["resources"][seat] += 1
        return
    if tables["attack"][board, space]:
        _attack(game, tables, seat, space)
    if tables["acts"][board, space]:
        _act(game, tables, seat, board, space)
    unit = np.int64(tables["unit_of"][space])
    if unit != NO_UNIT:
        whole = tables["unit"][board, unit]
        if whole != _NONE and crossed & whole == whole and _bonus_left(game, seat):
            _push(game, seat, np.int64(BONUS))
    if tables["item"][board, space]:
        _push(game, seat, np.int64(tables["item"][board, space]))


@kernel
def _bonus_left(game, seat):
    """Whether a bonus is left that neither is crossed nor will be for a building completed before."""
    bonuses = np.int64(game["bonuses"][seat])
    taken = np.int64(0)
    for bonus in range(NUM_BONUSES):
        taken += (bonuses >> bonus) & 1
    for place in range(np.int64(game["depth"][seat])):
        if game["stack"][seat, place] == BONUS:
            taken += 1
    return taken < NUM_BONUSES


@kernel
def _attack(game, tables, seat, space):
    """Write down the points of an attack: west against the left neighbour's east, east against the right one's west.

    Defences that stood at the start of the turn lessen them, for good.
    """
    players = np.int64(game["num_players"])
    if space < EAST_ATTACK:
        side = 0
        defender = (seat + 1) % players
        wall = np.int64((game["start_crossed"][defender] >> np.uint64(EAST_DEFENCE)) & np.uint64(3))
    else:
        side = 1
        defender = (seat + players - 1) % players
        wall = np.int64((game["start_crossed"][defender] >> np.uint64(WEST_DEFENCE)) & np.uint64(3))
    defences = (wall & 1) + (wall >> 1)
    points = np.int64(tables["attack"][np.int64(game["board"][seat]), space]) - defences
    game["attack"][seat, side] = np.int64(game["attack"][seat, side]) + max(points, np.int64(0))


@kernel
def _act(game, tables, seat, board, space):
    """Everything about an effect that needs no decision."""
    gained = np.int64(tables["coins"][board, space])
    if tables["coins_per"][board, space]:
        counted = np.int64(tables["counted"][board, space])
        gained += np.int64(tables["coins_per"][board, space]) * _crossed_of(game, tables, seat, counted)
    game["coins"][seat] = np.int64(game["coins"][seat]) + gained
    game["discount"][seat] = np.int64(game["discount"][seat]) + np.int64(tables["discount"][board, space])
    game["free"][seat] |= tables["free"][board, space]
    game["unlocked"][seat] |= tables["unlock"][board, space]
    if tables["income"][board, space]:
        colour = np.int64(tables["income_colour"][board, space])
        game["income"][seat, colour] = np.int64(game["income"][seat, colour]) + np.int64(
            tables["income"][board, space]
        )


# --- the end of a turn ----------------------------------------------------------------------------------------------


@kernel
def _end_turn(game, tables):
    """Agora, special dice, the end of the game; then the next turn."""
    players = np.int64(game["num_players"])
    unlocked = np.int64(0)
    filled = np.int64(0)
    finished = False
    for seat in range(players):
        unlocked |= np.int64(game["unlocked"][seat])
        agora = tables["building"][np.int64(game["board"][seat]), AGORA]
        if agora != _NONE and game["crossed"][seat] & agora == agora:
            filled |= 1 << seat
        if np.int64(game["bonuses"][seat]) == ALL_BONUSES:
            finished = True
        game["last_action"][seat] = game["first_action"][seat]
    if game["agora_first"] == 0:
        game["agora_first"] = filled
    if unlocked:
        _bring_in_special_dice(game, unlocked)
    turn = np.int64(game["turn"])
    if game["last_turn"]:
        game["over"] = ENDED
    elif turn + 1 == np.int64(game["max_turns"]):
        game["over"] = CUT_OFF
    if game["over"]:
        for seat in range(players):
            _note_start(game, seat)
            game["first_action"][seat] = 0
        game["guild"] = 0
        return
    if finished:
        game["last_turn"] = 1
    game["turn"] = turn + 1
    _start_turn(game, tables)


@kernel
def _bring_in_special_dice(game, unlocked):
    """Each colour unlocked for the first time takes the place of a grey die drawn at random."""
    for special in range(_NUM_SPECIALS):
        forum = np.int64(game["forum"])
        die = SPECIAL_DIE[special]
        if not (unlocked >> special) & 1 or (forum >> die) & 1:
            continue
        greys = np.int64(0)
        for grey in range(GREYS):
            greys += (forum >> grey) & 1
        skip = below(game["seed"], DRAW_GREY, special, greys)
        grey = np.int64(0)
        while skip > 0 or not (forum >> grey) & 1:
            skip -= (forum >> grey) & 1
            grey += 1
        game["forum"] = (forum & ~(1 << grey)) | (1 << die)
        game["face"][grey] = 0
        game["quadrant"][grey] = 0
