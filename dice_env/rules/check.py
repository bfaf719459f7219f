"""The verb check: whether a record is a position of a game of 7 Wonders Dice, so that kernels may trust it.

What can be worked out from elsewhere is compared with that: warehouse, discounts, income, unlocked dice and bonuses
with the spaces that are crossed, now and at the start of the turn, and the stack with the spaces of this turn. Coins
and earlier attacks, whose past the record does not keep, are held to the most that they can have come to.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import CUT_OFF, ENDED, fault_codes
from antiquity.kernels import kernel
from dice_env import state as s

from .bits import NONE, ONE, count, lowest
from .check_stack import stack

_AT: Final = fault_codes(s.GAME_DTYPE)
CROSSED, START_CROSSED, COINS, START_COINS, BONUSES, START_BONUSES, RESOURCES, START_RESOURCES = (
    _AT[name] for now in ("crossed", "coins", "bonuses", "resources") for name in (now, f"start_{now}")
)
ATTACK, START_ATTACK, DISCOUNT, START_DISCOUNT, FREE, START_FREE, UNLOCKED, START_UNLOCKED = (
    _AT[name] for now in ("attack", "discount", "free", "unlocked") for name in (now, f"start_{now}")
)
INCOME, START_INCOME, FIRST_ACTION, LAST_ACTION, BOARD, TURN, MAX_TURNS, FORUM = (
    _AT[name]
    for name in (
        "income",
        "start_income",
        "first_action",
        "last_action",
        "board",
        "turn",
        "max_turns",
        "forum",
    )
)
FACE, QUADRANT, AGORA_FIRST, GUILD, LAST_TURN, DECIDERS, UNUSED = (
    _AT[name] for name in ("face", "quadrant", "agora_first", "guild", "last_turn", "deciders", "unused")
)
COLOURED: Final = s.FIRST_FORUM & ~((1 << s.GREYS) - 1)
"""Dice that never leave the forum."""
ALLOWED: Final = {
    "crossed": "spaces of the board, the tracks crossed in their order, none before the first action of a turn",
    "start_crossed": "some of the spaces in crossed, the tracks crossed in their order",
    "coins": "no more than the turns and spaces so far can have brought",
    "start_coins": "no more than the turns and spaces so far can have brought",
    "stack": "what the spaces crossed and bonuses taken in this turn leave to resolve, an action first",
    "depth": "how many items lie on the stack",
    "bonuses": "a bonus for each completed building, as far as they are not on the stack, three at most",
    "start_bonuses": "a bonus for each building completed at the start of the turn, three at most",
    "resources": "as many as warehouse spaces are crossed",
    "start_resources": "as many as warehouse spaces were crossed at the start of the turn",
    "attack": "points of the attack spaces crossed, less the neighbour's defences",
    "start_attack": "points of the attack spaces crossed, less the neighbour's defences",
    **dict.fromkeys(("discount", "free", "unlocked", "income"), "what the crossed spaces give"),
    **dict.fromkeys(
        ("start_discount", "start_free", "start_unlocked", "start_income"),
        "what the spaces crossed at the start of the turn give",
    ),
    "board": "0 to 6, another for each seat, and nothing where nobody sits",
    "turn": "less than max_turns",
    "max_turns": f"1 to {s.MAX_TURNS}",
    "forum": "seven dice: green to yellow, the special dice unlocked before this turn, greys for the rest",
    "face": "0 to 5, and 0 for dice outside the forum",
    "quadrant": "0 to 3, and 0 for dice outside the forum",
    "first_action": "a die of the forum, the wonder or a pass, and 0 before the seat has acted",
    "last_action": "a die, the wonder or a pass, and 0 in the first turn",
    "agora_first": "the seats that filled the agora first",
    "guild": "the seats for which the comparison of the purple die holds",
    "last_turn": "1 once a seat has three bonuses at the start of a turn, else 0",
    "deciders": "the seats that have something on their stacks, and none once the game is over",
    "unused": "0",
}
"""What the fields may hold, in words."""


@kernel
def check(game, tables):
    """0 for a position of a game, else where it is none: see :func:`antiquity.game.fault_codes`."""
    code = _table(game)
    if code != 0:
        return code
    players = np.int64(game["num_players"])
    for seat in range(players, s.MAX_SEATS):
        if not _is_empty(game, seat):
            return BOARD + seat
    boards = np.int64(0)
    for seat in range(players):
        board = np.int64(game["board"][seat])
        if board >= s.BOARDS or (boards >> board) & 1:
            return BOARD + seat
        boards |= 1 << board
    code = _between_seats(game, tables)
    if code != 0:
        return code
    richest = np.int64(tables["pass_coins"])
    for die in range(s.NUM_DICE):
        for face in range(s.FACES):
            richest = max(richest, np.int64(tables["face_coins"][die, face]))
    asked = np.int64(0)
    for seat in range(players):
        code = _spaces(game, tables, seat)
        if code == 0:
            code = _effects(game, tables, seat, richest)
        if code == 0:
            code = _turn(game, seat)
        if code == 0:
            code = stack(game, tables, seat)
        if code != 0:
            return code
        asked |= np.int64(game["depth"][seat] != 0) << seat
    return np.int64(0) if game["over"] or game["deciders"] == asked else DECIDERS


@kernel
def _ended(game):
    """Whether the game was played to its end, or cut off: no turn is under way."""
    return game["over"] != 0 and game["forfeits"] == 0


@kernel
def _table(game):
    """Turn, dice and what nobody owns."""
    turn, most = np.int64(game["turn"]), np.int64(game["max_turns"])
    if most == 0 or most > s.MAX_TURNS:
        return MAX_TURNS
    if turn >= most or (game["over"] == CUT_OFF and turn + 1 != most):
        return TURN
    forum = np.int64(game["forum"])
    if forum >> s.NUM_DICE or forum & COLOURED != COLOURED:
        return FORUM
    lying = np.int64(0)
    for die in range(s.NUM_DICE):
        lies = (forum >> die) & 1
        lying += lies
        if game["face"][die] >= (s.FACES if lies else 1):
            return FACE
        if game["quadrant"][die] >= (s.QUADRANTS if lies else 1):
            return QUADRANT
    if lying != s.NUM_DICE - s.NUM_SPECIALS:
        return FORUM
    unused = np.int64(0)
    for place in range(len(game["unused"])):
        unused |= np.int64(game["unused"][place])
    return np.int64(0) if unused == 0 else UNUSED


@kernel
def _is_empty(game, seat):
    """Whether nothing is there of a seat where nobody sits."""
    words = game["crossed"][seat] | game["start_crossed"][seat]
    left = np.int64(game["coins"][seat]) | np.int64(game["start_coins"][seat])
    for place in range(s.STACK):
        left |= np.int64(game["stack"][seat, place])
    left |= np.int64(game["depth"][seat]) | np.int64(game["board"][seat])
    left |= np.int64(game["bonuses"][seat]) | np.int64(game["start_bonuses"][seat])
    left |= np.int64(game["resources"][seat]) | np.int64(game["start_resources"][seat])
    left |= np.int64(game["discount"][seat]) | np.int64(game["start_discount"][seat])
    left |= np.int64(game["free"][seat]) | np.int64(game["start_free"][seat])
    left |= np.int64(game["unlocked"][seat]) | np.int64(game["start_unlocked"][seat])
    left |= np.int64(game["first_action"][seat]) | np.int64(game["last_action"][seat])
    for side in range(2):
        left |= np.int64(game["attack"][seat, side]) | np.int64(game["start_attack"][seat, side])
    for colour in range(s.NUM_COLOURS):
        left |= np.int64(game["income"][seat, colour]) | np.int64(game["start_income"][seat, colour])
    return words == NONE and left == 0


@kernel
def _between_seats(game, tables):
    """Special dice, the first agora, the comparison of the purple die and the last turn."""
    players = np.int64(game["num_players"])
    unlocked, filled, finished = np.int64(0), np.int64(0), np.int64(0)
    for seat in range(players):
        unlocked |= np.int64(game["start_unlocked"][seat])
        agora = tables["building"][np.int64(game["board"][seat]), s.AGORA]
        if agora != NONE and game["start_crossed"][seat] & agora == agora:
            filled |= 1 << seat
        finished |= np.int64(np.int64(game["start_bonuses"][seat]) == s.ALL_BONUSES)
    for special in range(s.NUM_SPECIALS):
        if ((np.int64(game["forum"]) >> s.SPECIAL_DIE[special]) & 1) != (unlocked >> special) & 1:
            return FORUM
    first = np.int64(game["agora_first"])
    if first & ~filled or (first == 0) != (filled == 0):
        return AGORA_FIRST
    last = np.int64(game["last_turn"])
    # A game that is cut off may end in the turn in which somebody finishes.
    if last != finished and not (game["over"] == CUT_OFF and last == 0):
        return LAST_TURN
    if _ended(game) and last != np.int64(game["over"] == ENDED):
        return LAST_TURN
    holds = np.int64(0)
    if (np.int64(game["forum"]) >> s.PURPLE) & 1 and not _ended(game):
        holds = _guild(game, tables)
    return np.int64(0) if game["guild"] == holds else GUILD


@kernel
def _guild(game, tables):
    """As :func:`dice_env.rules.rounds.compare_guild` had it at the start of the turn."""
    players = np.int64(game["num_players"])
    building = np.int64(tables["face_compares"][s.PURPLE, np.int64(game["face"][s.PURPLE])]) - 1
    if building < 0:
        return (np.int64(1) << players) - 1
    holds = np.int64(0)
    first = _at_start(game, tables, np.int64(0), building)
    right, own = _at_start(game, tables, players - 1, building), first
    for seat in range(players):
        left = _at_start(game, tables, seat + 1, building) if seat + 1 < players else first
        ahead = own > left if players == 2 else own >= left and own >= right
        holds |= np.int64(ahead) << seat
        right, own = own, left
    return holds


@kernel
def _at_start(game, tables, seat, building):
    return count(game["start_crossed"][seat] & tables["building"][np.int64(game["board"][seat]), building])


@kernel
def _spaces(game, tables, seat):
    """The sheet now and at the start of the turn, and the resources and bonuses that follow from it."""
    board = np.int64(game["board"][seat])
    crossed, before = game["crossed"][seat], game["start_crossed"][seat]
    first, printed = tables["first"][board], tables["printed"][board]
    if crossed & ~(printed & ((crossed << ONE) | first)) != NONE:
        return CROSSED + seat
    if before & ~(crossed & ((before << ONE) | first)) != NONE:
        return START_CROSSED + seat
    warehouse = tables["building"][board, s.WAREHOUSE]
    if game["resources"][seat] != count(crossed & warehouse):
        return RESOURCES + seat
    if game["start_resources"][seat] != count(before & warehouse):
        return START_RESOURCES + seat
    complete, earlier = np.int64(0), np.int64(0)
    for unit in range(len(s.UNITS)):
        whole = tables["unit"][board, unit]
        # Both sides of the barracks may be one unit.
        if whole != NONE and not (unit == s.UNIT_EAST and whole == tables["unit"][board, s.UNIT_WEST]):
            complete += np.int64(crossed & whole == whole)
            earlier += np.int64(before & whole == whole)
    bonuses, had = np.int64(game["bonuses"][seat]), np.int64(game["start_bonuses"][seat])
    taken, waiting = _bonuses(bonuses), np.int64(0)
    for place in range(min(np.int64(game["depth"][seat]), s.STACK)):
        waiting += np.int64(game["stack"][seat, place] == s.BONUS)
    if bonuses > s.ALL_BONUSES or taken + waiting != min(complete, s.NUM_BONUSES):
        return BONUSES + seat
    if had & ~bonuses or _bonuses(had) != min(earlier, s.NUM_BONUSES):
        return START_BONUSES + seat
    return np.int64(0)


@kernel
def _bonuses(bits):
    return (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1)


@kernel
def _effects(game, tables, seat, richest):
    """What the crossed spaces give, now and at the start of the turn."""
    board = np.int64(game["board"][seat])
    crossed, before = game["crossed"][seat], game["start_crossed"][seat]
    code = _attacks(game, tables, seat, board, 0)
    if code == 0:
        code = _attacks(game, tables, seat, board, 1)
    if code != 0:
        return code
    less, free, unlocked, income = np.int64(0), np.int64(0), np.int64(0), NONE
    was_less, was_free, was_unlocked, had_income = np.int64(0), np.int64(0), np.int64(0), NONE
    most = np.int64(tables["start_coins"])
    left = crossed & tables["_acting"][board]
    while left != NONE:
        space = lowest(left)
        old = (before >> np.uint64(space)) & ONE
        left &= left - ONE
        gained = np.uint64(tables["income"][board, space]) << np.uint64(
            8 * np.int64(tables["income_colour"][board, space])
        )
        less += np.int64(tables["discount"][board, space])
        free |= np.int64(tables["free"][board, space])
        unlocked |= np.int64(tables["unlock"][board, space])
        income += gained
        most += np.int64(tables["coins"][board, space])
        most += np.int64(tables["coins_per"][board, space]) * s.SPACES
        if old != NONE:
            was_less += np.int64(tables["discount"][board, space])
            was_free |= np.int64(tables["free"][board, space])
            was_unlocked |= np.int64(tables["unlock"][board, space])
            had_income += gained
    if game["discount"][seat] != less:
        return DISCOUNT + seat
    if game["start_discount"][seat] != was_less:
        return START_DISCOUNT + seat
    if game["free"][seat] != free:
        return FREE + seat
    if game["start_free"][seat] != was_free:
        return START_FREE + seat
    if game["unlocked"][seat] != unlocked:
        return UNLOCKED + seat
    if game["start_unlocked"][seat] != was_unlocked:
        return START_UNLOCKED + seat
    now, then, sums = NONE, NONE, np.int64(0)
    for colour in range(s.NUM_COLOURS):
        now |= np.uint64(game["income"][seat, colour]) << np.uint64(8 * colour)
        then |= np.uint64(game["start_income"][seat, colour]) << np.uint64(8 * colour)
        sums += np.int64(game["income"][seat, colour])
    if now != income:
        return INCOME + seat
    if then != had_income:
        return START_INCOME + seat
    # Effects and bonuses give further actions in a turn.
    actions = np.int64(game["turn"]) + 1 + count(crossed) + s.NUM_BONUSES
    most += actions * (richest + sums)
    for bonus in range(s.NUM_BONUSES):
        most += np.int64(tables["bonus_coins"][bonus])
    if game["coins"][seat] > most:
        return COINS + seat
    return np.int64(0) if game["start_coins"][seat] <= most else START_COINS + seat


@kernel
def _attacks(game, tables, seat, board, side):
    """Points written down: of this turn to the point, of earlier ones at least what today's defences would leave."""
    players = np.int64(game["num_players"])
    first = s.WEST_ATTACK if side == 0 else s.EAST_ATTACK
    defender = (seat + (1 if side == 0 else players - 1)) % players
    wall = game["start_crossed"][defender] >> np.uint64(s.EAST_DEFENCE if side == 0 else s.WEST_DEFENCE)
    defences = np.int64(wall & ONE) + np.int64((wall >> ONE) & ONE)
    crossed = game["crossed"][seat] >> np.uint64(first)
    before = game["start_crossed"][seat] >> np.uint64(first)
    least, most, new = np.int64(0), np.int64(0), np.int64(0)
    for place in range(s.ATTACKS):
        if (crossed >> np.uint64(place)) & ONE == NONE:
            break
        points = np.int64(tables["attack"][board, first + place])
        if (before >> np.uint64(place)) & ONE:
            least += max(points - defences, np.int64(0))
            most += points
        else:
            new += max(points - defences, np.int64(0))
    had = np.int64(game["start_attack"][seat, side])
    if had < least or had > most:
        return START_ATTACK + seat
    return np.int64(0) if game["attack"][seat, side] == had + new else ATTACK + seat


@kernel
def _turn(game, seat):
    """With what the seat began this turn and the one before, and that before its first action all is as it was."""
    first, last = np.int64(game["first_action"][seat]), np.int64(game["last_action"][seat])
    if last > s.PASS or (last != 0 and game["turn"] == 0 and not _ended(game)):
        return LAST_ACTION + seat
    if first > s.PASS or (first != 0 and _ended(game)):
        return FIRST_ACTION + seat
    if 0 < first < s.WONDER and (np.int64(game["forum"]) >> (first - s.DIE_ACTIONS)) & 1 == 0:
        return FIRST_ACTION + seat
    if first == 0:
        if game["crossed"][seat] != game["start_crossed"][seat]:
            return CROSSED + seat
        if game["coins"][seat] != game["start_coins"][seat]:
            return COINS + seat
        if game["bonuses"][seat] != game["start_bonuses"][seat]:
            return BONUSES + seat
    return np.int64(0)
