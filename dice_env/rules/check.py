"""The verb check: whether a record is a position of a game of 7 Wonders Dice, so that kernels may trust it.

What can be worked out from elsewhere is compared with that: warehouse, discounts, income and unlocked dice with the
spaces that are crossed, now and at the start of the turn. Coins and attacks, whose past the record does not keep, are
held to the most that they can have come to.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import fault_codes
from antiquity.kernels import kernel
from dice_env import state as s

from .bits import NONE, ONE, count, lowest

_AT: Final = fault_codes(s.GAME_DTYPE)
CROSSED, START_CROSSED, COINS, START_COINS, STACK, TURN, FORUM, DEPTH, BOARD = (
    _AT[name]
    for name in (
        "crossed",
        "start_crossed",
        "coins",
        "start_coins",
        "stack",
        "turn",
        "forum",
        "depth",
        "board",
    )
)
BONUSES, RESOURCES, ATTACK, DISCOUNT, FREE, UNLOCKED, INCOME = (
    _AT[name] for name in ("bonuses", "resources", "attack", "discount", "free", "unlocked", "income")
)
FIRST_ACTION, LAST_ACTION, FACE, QUADRANT, AGORA_FIRST, GUILD, LAST_TURN = (
    _AT[name]
    for name in ("first_action", "last_action", "face", "quadrant", "agora_first", "guild", "last_turn")
)
DECIDERS, UNUSED = _AT["deciders"], _AT["unused"]
_ALL_COLOURS: Final = (1 << s.NUM_COLOURS) - 1
_ALL_SPECIALS: Final = (1 << s.NUM_SPECIALS) - 1


@kernel
def check(game, tables):
    """0 for a position of a game, else where it is none: see :func:`antiquity.game.fault_codes`."""
    code = _table(game)
    asked = np.int64(0)
    for seat in range(s.MAX_SEATS if code == 0 else 0):
        code = _seat(game, tables, seat) if seat < game["num_players"] else _nobody(game, seat)
        if code != 0:
            return code
        asked |= np.int64(game["depth"][seat] != 0) << seat
    if code == 0:
        code = _between_seats(game, tables)
    if code == 0 and not game["over"] and game["deciders"] != asked:
        return DECIDERS
    return code


@kernel
def _table(game):
    """Turn and forum."""
    if game["max_turns"] == 0 or game["turn"] >= game["max_turns"]:
        return TURN
    forum = np.int64(game["forum"])
    colours = s.FIRST_FORUM & ~((1 << s.GREYS) - 1)
    if (
        forum >> s.NUM_DICE
        or forum & colours != colours
        or count(np.uint64(forum)) != count(np.uint64(s.FIRST_FORUM))
    ):
        return FORUM
    for die in range(s.NUM_DICE):
        lies = (forum >> die) & 1
        if game["face"][die] >= (s.FACES if lies else 1):
            return FACE
        if game["quadrant"][die] >= (s.QUADRANTS if lies else 1):
            return QUADRANT
    if game["last_turn"] > 1:
        return LAST_TURN
    for place in range(len(game["unused"])):
        if game["unused"][place]:
            return UNUSED
    return np.int64(0)


@kernel
def _seat(game, tables, seat):
    board = np.int64(game["board"][seat])
    if board >= s.BOARDS:
        return BOARD + seat
    for other in range(seat):
        if game["board"][other] == board:
            return BOARD + seat
    crossed, before = game["crossed"][seat], game["start_crossed"][seat]
    reach = (crossed << ONE) | tables["first"][board]
    if crossed & ~(tables["printed"][board] & reach) != NONE:
        return CROSSED + seat
    if before & ~crossed != NONE or before & ~((before << ONE) | tables["first"][board]) != NONE:
        return START_CROSSED + seat
    code = _earned(
        tables, board, seat, crossed, game["bonuses"][seat], game["resources"][seat], game["attack"][seat],
        game["discount"][seat], game["free"][seat], game["unlocked"][seat], game["income"][seat],
    )  # fmt: skip
    if code == 0:
        code = _earned(
            tables, board, seat, before, game["start_bonuses"][seat], game["start_resources"][seat],
            game["start_attack"][seat], game["start_discount"][seat], game["start_free"][seat],
            game["start_unlocked"][seat], game["start_income"][seat],
        )  # fmt: skip
    if code == 0 and game["start_bonuses"][seat] & ~game["bonuses"][seat]:
        code = BONUSES + seat
    for side in range(2 if code == 0 else 0):
        if game["start_attack"][seat, side] > game["attack"][seat, side]:
            code = ATTACK + seat
    if code == 0:
        most = _most_coins(game, tables, seat, board, crossed)
        if game["coins"][seat] > most:
            code = COINS + seat
        elif game["start_coins"][seat] > most:
            code = START_COINS + seat
    return code if code != 0 else _stack(game, tables, seat, board, crossed == before)


@kernel
def _earned(tables, board, seat, crossed, bonuses, resources, attack, discount, free, unlocked, income):
    """What follows from the spaces that are crossed."""
    warehouse, west, east, less, nothing, special = (
        np.int64(0),
        np.int64(0),
        np.int64(0),
        np.int64(0),
        np.int64(0),
        np.int64(0),
    )
    gains = np.uint64(0)
    left = crossed
    while left != NONE:
        space = lowest(left)
        left &= left - ONE
        warehouse += tables["building_of"][space] == s.WAREHOUSE
        if tables["attack"][board, space]:
            if space < s.EAST_ATTACK:
                west += np.int64(tables["attack"][board, space])
            else:
                east += np.int64(tables["attack"][board, space])
        if tables["acts"][board, space]:
            less += np.int64(tables["discount"][board, space])
            nothing |= np.int64(tables["free"][board, space])
            special |= np.int64(tables["unlock"][board, space])
            if tables["income"][board, space]:
                colour = np.uint64(8 * np.int64(tables["income_colour"][board, space]))
                gains += np.uint64(tables["income"][board, space]) << colour
    if resources != warehouse:
        return RESOURCES + seat
    if attack[0] > west or attack[1] > east:
        return ATTACK + seat
    if discount != less:
        return DISCOUNT + seat
    if free != nothing:
        return FREE + seat
    if unlocked != special:
        return UNLOCKED + seat
    for colour in range(s.NUM_COLOURS):
        if np.uint64(income[colour]) != (gains >> np.uint64(8 * colour)) & np.uint64(255):
            return INCOME + seat
    complete = np.int64(0)
    for unit in range(len(s.UNITS)):
        whole = tables["unit"][board, unit]
        complete += np.int64(whole != NONE and crossed & whole == whole)
    taken = (bonuses & 1) + ((bonuses >> 1) & 1) + ((bonuses >> 2) & 1)
    return np.int64(0) if bonuses <= s.ALL_BONUSES and taken <= complete else BONUSES + seat


@kernel
def _most_coins(game, tables, seat, board, crossed):
    """More coins than the seat can have had: what its spaces bring now, and the best of every action."""
    most, income, face_coins = np.int64(tables["start_coins"]), np.int64(0), np.int64(0)
    left = crossed
    while left != NONE:
        space = lowest(left)
        left &= left - ONE
        if tables["acts"][board, space]:
            most += np.int64(tables["coins"][board, space])
            most += np.int64(tables["coins_per"][board, space]) * s.SPACES
            income += np.int64(tables["income"][board, space])
    for die in range(s.NUM_DICE):
        for face in range(s.FACES):
            face_coins = max(face_coins, np.int64(tables["face_coins"][die, face]))
    for bonus in range(s.NUM_BONUSES):
        most += np.int64(tables["bonus_coins"][bonus])
    # Effects and bonuses give further actions in a turn.
    actions = np.int64(game["turn"]) + 1 + count(crossed) + s.NUM_BONUSES
    return most + actions * (max(np.int64(tables["pass_coins"]), face_coins) + income)


@kernel
def _stack(game, tables, seat, board, unchanged):
    """What the seat has still to resolve, and what it began with."""
    depth, over = np.int64(game["depth"][seat]), game["over"] != 0
    if depth > s.STACK or (over and game["forfeits"] == 0 and depth):
        return DEPTH + seat
    for place in range(s.STACK):
        item = np.int64(game["stack"][seat, place])
        kind = item & s.KIND_MASK
        if place >= depth:
            sound = item == s.NOTHING
        elif kind in (s.ACTION, s.FREE, s.BONUS):
            sound = item == kind
        elif kind == s.PICK:
            die = item >> s.ARGUMENT
            sound = die < s.NUM_DICE and (np.int64(game["forum"]) >> die) & 1 != 0 and place == depth - 1
        else:
            buildings = (item >> s.ARGUMENT) & s.BUILDING_MASK
            sound = kind == s.CROSS and buildings != 0 and item >> s.REMAINING > 0
        if not sound:
            return STACK + seat
    if game["last_action"][seat] > s.PASS or (game["turn"] == 0 and game["last_action"][seat] and not over):
        return LAST_ACTION + seat
    first = np.int64(game["first_action"][seat])
    if first > s.PASS or (over and game["forfeits"] == 0 and first):
        return FIRST_ACTION + seat
    if first == 0 and (not over or depth):
        # Nothing chosen yet: the seat stands as at the start of the turn, with an action to take.
        if depth != 1 or game["stack"][seat, 0] != s.ACTION:
            return STACK + seat
        if not unchanged or game["coins"][seat] != game["start_coins"][seat]:
            return CROSSED + seat
    # Every item comes from a space, a die or a bonus: no more of them than what can be left of one turn.
    rest = count(tables["printed"][board] & ~game["start_crossed"][seat]) + s.NUM_BONUSES + 1
    return np.int64(0) if depth <= rest else DEPTH + seat


@kernel
def _between_seats(game, tables):
    """Special dice, the first agora, the comparison of the purple die and the last turn."""
    players = np.int64(game["num_players"])
    ended = game["over"] != 0 and game["forfeits"] == 0
    unlocked, filled, finished = np.int64(0), np.int64(0), False
    for seat in range(players):
        unlocked |= np.int64(game["start_unlocked"][seat])
        agora = tables["building"][np.int64(game["board"][seat]), s.AGORA]
        if agora != NONE and game["start_crossed"][seat] & agora == agora:
            filled |= 1 << seat
        finished |= np.int64(game["start_bonuses"][seat]) == s.ALL_BONUSES
    for special in range(s.NUM_SPECIALS):
        if ((np.int64(game["forum"]) >> s.SPECIAL_DIE[special]) & 1) != (unlocked >> special) & 1:
            return FORUM
    if np.int64(game["agora_first"]) & ~filled or (game["agora_first"] == 0) != (filled == 0):
        return AGORA_FIRST
    # In the last turn others may finish too, and a game that was cut off may end with somebody finished.
    if not ended and finished != (game["last_turn"] != 0):
        return LAST_TURN
    holds = np.int64(0)
    if (np.int64(game["forum"]) >> s.PURPLE) & 1 and not ended:
        holds = _guild(game, tables)
    return np.int64(0) if game["guild"] == holds else GUILD


@kernel
def _guild(game, tables):
    """As :func:`dice_env.rules.rounds.compare_guild` had it at the start of the turn."""
    players = np.int64(game["num_players"])
    building = np.int64(tables["face_compares"][s.PURPLE, np.int64(game["face"][s.PURPLE])]) - 1
    holds = np.int64(0)
    for seat in range(players):
        if building < 0:
            holds |= 1 << seat
            continue
        own = _at_start(game, tables, seat, building)
        left = _at_start(game, tables, (seat + 1) % players, building)
        if players == 2:
            holds |= np.int64(own > left) << seat
        elif own >= left and own >= _at_start(game, tables, (seat + players - 1) % players, building):
            holds |= 1 << seat
    return holds


@kernel
def _at_start(game, tables, seat, building):
    return count(game["start_crossed"][seat] & tables["building"][np.int64(game["board"][seat]), building])


@kernel
def _nobody(game, seat):
    """A seat that is not there leaves no trace."""
    left = np.int64(game["crossed"][seat] != NONE) | np.int64(game["start_crossed"][seat] != NONE)
    left |= (
        np.int64(game["coins"][seat]) | np.int64(game["start_coins"][seat]) | np.int64(game["depth"][seat])
    )
    left |= (
        np.int64(game["board"][seat]) | np.int64(game["bonuses"][seat]) | np.int64(game["resources"][seat])
    )
    left |= np.int64(game["discount"][seat]) | np.int64(game["free"][seat]) | np.int64(game["unlocked"][seat])
    left |= np.int64(game["start_bonuses"][seat]) | np.int64(game["start_resources"][seat])
    left |= np.int64(game["start_discount"][seat]) | np.int64(game["start_free"][seat])
    left |= np.int64(game["start_unlocked"][seat])
    left |= np.int64(game["first_action"][seat]) | np.int64(game["last_action"][seat])
    for side in range(2):
        left |= np.int64(game["attack"][seat, side]) | np.int64(game["start_attack"][seat, side])
    for colour in range(s.NUM_COLOURS):
        left |= np.int64(game["income"][seat, colour]) | np.int64(game["start_income"][seat, colour])
    for place in range(s.STACK):
        left |= np.int64(game["stack"][seat, place])
    return np.int64(0) if left == 0 else BOARD + seat
