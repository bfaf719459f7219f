"""The part of the verb check that looks at one seat: board, hand, and all that follows from what was played."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import fault_codes
from antiquity.kernels import kernel
from seven_wonders_env import state as s
from seven_wonders_env.data.tables import WEIGHTS

AT: Final = fault_codes(s.GAME_DTYPE)
"""The codes of the fields."""
CITY, OWN, SELL, COINS, PAY = (AT[name] for name in ("city", "own", "sell", "coins", "pay"))
HANDS, HAND_SIZE, BOARD, BUILT, SHIELDS = (
    AT[name] for name in ("hands", "hand_size", "board", "built", "shields")
)
# Not POWERS, which is a dict in state: the store of kernels looks up every name in both.
SCIENCE, DISCOUNTS, POWER_BITS = AT["science"], AT["discounts"], AT["powers"]
HISTORY, PICKS = AT["history"], AT["picks"]
_ZERO: Final = np.uint64(0)
_ONE: Final = np.uint64(1)


@kernel
def ended(game):
    """Whether the game was played to its end."""
    return game["over"] != 0 and game["forfeits"] == 0


@kernel
def _resolved(game):
    """How many turns of this Age are resolved, the extra one not counted."""
    if ended(game) or game["phase"] == s.PICK:
        return min(np.int64(game["turn"]) + 1, s.TURNS)
    return min(np.int64(game["turn"]), s.TURNS)


@kernel
def _cards_left(game, seat):
    """How many cards the seat's hand must hold."""
    if ended(game) or game["phase"] == s.SIDE:
        return np.int64(0)
    left = s.TURNS - _resolved(game)
    if left:
        return left + 1
    # The turns are over: who has the power still holds its last card, until that is played as well.
    played = game["phase"] == s.PICK and game["turn"] == s.EXTRA_TURN
    return np.int64(1) if np.int64(game["powers"][seat]) & s.PLAY_LAST_CARD and not played else np.int64(0)


@kernel
def stands(game, tables, seat):
    """Board, hand, and all that follows from what the seat has played."""
    board = np.int64(game["board"][seat])
    if board >= s.BOARDS * s.SIDES or ((np.int64(game["open_sides"]) >> seat) & 1 and board & 1):
        return BOARD + seat
    for other in range(seat):
        if game["board"][other] >> 1 == board >> 1:
            return BOARD + seat
    size = _cards_left(game, seat)
    if game["hand_size"][seat] != size:
        return HAND_SIZE + seat
    previous = np.int64(0)
    for position in range(s.HAND):
        kind = np.int64(game["hands"][seat, position])
        if position < size:
            if kind >= s.KINDS or kind < previous or tables["age_of"][kind] != game["age"]:
                return HANDS + seat
            previous = kind
        elif kind != s.NO_CARD:
            return HANDS + seat
    return np.int64(0)


@kernel
def nobody(game, seat):
    """A seat that is not there leaves no trace."""
    for position in range(s.HAND):
        if game["hands"][seat, position] != s.NO_CARD:
            return HANDS + seat
    for word in range(s.WORDS):
        if game["own"][seat, word] or game["sell"][seat, word]:
            return OWN + seat
        if game["pay"][seat, word]:
            return PAY + seat
    for column in range(8):
        if game["built"][seat, column]:
            return BUILT + seat
    for symbol in range(4):
        if game["science"][seat, symbol]:
            return SCIENCE + seat
    for age in range(3):
        for turn in range(s.TURNS + 1):
            if game["history"][age, turn, seat]:
                return HISTORY
    if game["city"][seat, 0] or game["city"][seat, 1]:
        return CITY + seat
    if game["coins"][seat] or game["planned"][seat] or game["hand_size"][seat] or game["board"][seat]:
        return COINS + seat
    if game["shields"][seat] or game["victory"][seat] or game["defeats"][seat]:
        return SHIELDS + seat
    if game["discounts"][seat] or game["powers"][seat]:
        return POWER_BITS + seat
    return np.int64(0)


@kernel
def played(game, tables, seat):
    """City, built, production, shields, science, discounts and powers are what the history brings.

    Returns a code, then of all cards played the sums of both weights, of those sold the first, the most coins that the
    seat can have gained, and as bits the guilds played and those of them that lie in the discard.
    """
    board = np.int64(game["board"][seat])
    resolved = _resolved(game)
    city_a, city_b, colours, marks = _ZERO, _ZERO, _ZERO, _ZERO
    own_a, own_b, own_c = tables["start"][board, 0], tables["start"][board, 1], tables["start"][board, 2]
    sell_a, sell_b, sell_c = own_a, own_b, own_c
    cards, more, sold, most = np.int64(0), np.int64(0), np.int64(0), np.int64(tables["start_coins"])
    guilds, away = np.int64(0), np.int64(0)
    traits, stages = np.int64(0), np.int64(0)
    code = np.int64(0)
    last = (np.int64(game["age"]) + 1) * (s.TURNS + 1)
    for step in range(last + s.MAX_STAGES):
        if step < last:
            age, turn = step // (s.TURNS + 1), step % (s.TURNS + 1)
            action = np.int64(game["history"][age, turn, seat])
            if (action != 0) != _is_past(game, seat, age, turn, resolved) or action >= s.PAYMENT_ACTIONS:
                code = HISTORY
                break
            if action == 0:
                continue
            item = np.int64((action - s.CARD_ACTIONS) // s.USES)
            use = action - s.CARD_ACTIONS - s.USES * item
            if tables["age_of"][item] != age:
                code = HISTORY
                break
            cards += WEIGHTS[0, item]
            more += WEIGHTS[1, item]
            if item >= s.GUILD_START:
                if (guilds >> item - s.GUILD_START) & 1:
                    code = HISTORY
                    break
                guilds |= 1 << item - s.GUILD_START
                away |= np.int64(use == s.SELL) << item - s.GUILD_START
            if use == s.SELL:
                sold += WEIGHTS[0, item]
                most += np.int64(tables["sell_coins"])
                continue
            if use == s.STAGE:
                if stages >= tables["stage_count"][board]:
                    code = HISTORY
                    break
                item = s.KINDS + board * s.MAX_STAGES + stages
                stages += 1
        else:
            # A pick from the discard belongs to the wonder whose stage allows it.
            stage = step - last
            if game["picks"][stage] == 0:
                continue
            if not np.int64(tables["powers"][s.KINDS + board * s.MAX_STAGES + stage]) & s.BUILD_FROM_DISCARD:
                continue
            item = np.int64(game["picks"][stage]) - 1
            waiting = game["picker"] == seat + 1 and stage == stages - 1
            if item >= s.KINDS or stage >= stages or waiting or tables["age_of"][item] > game["age"]:
                code = PICKS
                break
            sold -= WEIGHTS[0, item]
        if item < s.KINDS:
            if (city_a & tables["same_name"][item, 0]) | (city_b & tables["same_name"][item, 1]):
                code = HISTORY
                break
            bit = _ONE << np.uint64(item & 63)
            if item < 64:
                city_a |= bit
            else:
                city_b |= bit
            colours += _ONE << np.uint64(8 * np.int64(tables["colour"][item]))
        own_a += tables["own"][item, 0]
        own_b += tables["own"][item, 1]
        own_c += tables["own"][item, 2]
        sell_a += tables["sell"][item, 0]
        sell_b += tables["sell"][item, 1]
        sell_c += tables["sell"][item, 2]
        marks += tables["_marks"][item]
        traits |= np.int64(tables["_traits"][item])
        most += np.int64(tables["coins"][item])
        if tables["counts"][item]:
            most += _most_gained(game, tables, seat, item)
    if code == 0:
        if game["city"][seat, 0] != city_a or game["city"][seat, 1] != city_b:
            code = CITY + seat
        elif _bytes(game["built"][seat], 8) != colours + (
            np.uint64(stages) << np.uint64(8 * s.STAGES_COLUMN)
        ):
            code = BUILT + seat
        elif game["own"][seat, 0] != own_a or game["own"][seat, 1] != own_b or game["own"][seat, 2] != own_c:
            code = OWN + seat
        elif (
            game["sell"][seat, 0] != sell_a
            or game["sell"][seat, 1] != sell_b
            or game["sell"][seat, 2] != sell_c
        ):
            code = SELL + seat
        elif _bytes(game["science"][seat], 4) != marks & np.uint64(0xFFFFFFFF):
            code = SCIENCE + seat
        elif game["shields"][seat] != marks >> np.uint64(32):
            code = SHIELDS + seat
        elif game["discounts"][seat] != traits & 255:
            code = DISCOUNTS + seat
        elif game["powers"][seat] != traits >> 8:
            code = POWER_BITS + seat
    return code, cards, more, sold, most, guilds, away


@kernel
def _bytes(row, count):
    """Some bytes as one word."""
    word = _ZERO
    for place in range(count):
        word |= np.uint64(row[place]) << np.uint64(8 * place)
    return word


@kernel
def _is_past(game, seat, age, turn, resolved):
    """Whether the seat has played a card, or left its last one, in a turn of an Age up to the present one."""
    if age != game["age"]:
        return True
    if turn < s.TURNS:
        return turn < resolved
    return resolved == s.TURNS and game["hand_size"][seat] == 0


@kernel
def _most_gained(game, tables, seat, item):
    """Coins that an item brought at most: no city ever shrinks, so never more than it would bring now."""
    players = np.int64(game["num_players"])
    gained = np.int64(0)
    for city in range(3):
        owner = (seat + (0, 1, players - 1)[city]) % players
        for column in range(8):
            gained += np.int64(tables["coins_per"][item, city, column]) * np.int64(
                game["built"][owner, column]
            )
    return gained
