"""The course of a turn: committing choices, and resolving them all at once.

One turn: all seats choose a card and its use; choices are revealed; seats with more than one undominated payment
choose it; costs are paid with the coins of the start of the turn; cards are placed; immediate coins are counted with
all cards in place; after the sixth turn the left-over cards go to the discard; then comes the pick from the discard,
then the hands are passed (or a seventh card is played, and the Age ends with the conflicts). Rules document, sections
"choose one card" and "pass the hands, compare at the end of the Age".
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel
from seven_wonders_env import state as s

from .legality import has_name, is_free, item_of, next_stage
from .payment import (
    cheapest_payment,
    city_of,
    count_payments,
    frontier,
    is_covered,
    left_of,
    payment_right,
    right_of,
)
from .rounds import end_age, pass_hands
from .start import turn_boards

# Columns of ``pay``.
LEFT: Final = 0
RIGHT: Final = 1
BANK: Final = 2

_ONE: Final = np.uint64(1)
_SIX_BITS: Final = np.int64(63)


@kernel
def advance(game, tables):
    """All deciders have chosen: resolve and move on to the next decision."""
    phase = game["phase"]
    if phase == s.PAY:
        settle_chosen_payments(game, tables)
    elif phase == s.PICK:
        _pick(game, tables)
        _after_pick(game, tables)
        return
    elif phase == s.SIDE:
        turn_boards(game, tables)
        return
    elif plan(game, tables):
        return
    _resolve(game, tables)


@kernel
def plan(game, tables):
    """Reveal the chosen actions; True when some seat has to choose its payment first."""
    asked = 0
    for seat in range(np.int64(game["num_players"])):
        action = np.int64(game["chosen"][seat])
        game["planned"][seat] = action
        if action == 0:
            continue
        item = item_of(game, tables, seat, action)
        if item < 0 or (item < s.KINDS and is_free(game, tables, seat, item)):
            continue
        game["pay"][seat, BANK] = tables["bank"][item]
        if is_covered(game, tables, seat, item):
            continue
        word = frontier(game, tables, seat, item)
        if game["payments"] and count_payments(word) > 1:
            asked |= 1 << seat
        else:
            _settle(game, seat, word, cheapest_payment(word))
    if asked:
        game["phase"] = s.PAY
        game["deciders"] = asked
    return asked != 0


@kernel
def _settle(game, seat, word, to_left):
    game["pay"][seat, LEFT] = to_left
    game["pay"][seat, RIGHT] = payment_right(word, to_left)


@kernel
def settle_chosen_payments(game, tables):
    """Write down what the seats that had to choose a payment pay."""
    for seat in range(np.int64(game["num_players"])):
        action = np.int64(game["chosen"][seat])
        if action:
            item = item_of(game, tables, seat, np.int64(game["planned"][seat]))
            _settle(game, seat, frontier(game, tables, seat, item), action - s.PAYMENT_ACTIONS)


@kernel
def _resolve(game, tables):
    """Carry out the planned actions of all seats at once."""
    players = np.int64(game["num_players"])
    age = np.int64(game["age"])
    turn = np.int64(game["turn"])
    for seat in range(players):
        action = np.int64(game["planned"][seat])
        if action == 0:
            continue
        to_left = np.int64(game["pay"][seat, LEFT])
        to_right = np.int64(game["pay"][seat, RIGHT])
        game["coins"][seat] -= to_left + to_right + np.int64(game["pay"][seat, BANK])
        game["coins"][left_of(game, seat)] += to_left
        game["coins"][right_of(game, seat)] += to_right
        for purse in range(3):
            game["pay"][seat, purse] = 0
        kind = (action - s.CARD_ACTIONS) // s.USES
        use = action - s.CARD_ACTIONS - s.USES * kind
        game["history"][age, turn, seat] = action
        _remove_from_hand(game, seat, kind)
        if use == s.SELL:
            game["coins"][seat] += tables["sell_coins"]
            game["discard"][kind] += 1
        elif use == s.BUILD:
            _place_card(game, tables, seat, kind)
        else:
            stage = next_stage(game, tables, seat)
            _place(game, tables, seat, stage)
            game["built"][seat, s.STAGES_COLUMN] += 1
            if np.int64(tables["powers"][stage]) & s.BUILD_FROM_DISCARD:
                game["picker"] = seat + 1
    for seat in range(players):
        action = np.int64(game["planned"][seat])
        if action == 0:
            continue
        game["planned"][seat] = 0
        kind = (action - s.CARD_ACTIONS) // s.USES
        use = action - s.CARD_ACTIONS - s.USES * kind
        if use == s.BUILD:
            _gain_coins(game, tables, seat, kind)
        elif use == s.STAGE:
            board = np.int64(game["board"][seat])
            _gain_coins(
                game,
                tables,
                seat,
                s.KINDS + board * s.MAX_STAGES + np.int64(game["built"][seat, s.STAGES_COLUMN]) - 1,
            )
    if turn == s.TURNS - 1:
        _discard_left_overs(game, tables)
    _before_pick(game, tables)


@kernel
def _remove_from_hand(game, seat, kind):
    size = np.int64(game["hand_size"][seat])
    passed = 0
    for position in range(size - 1):
        passed |= np.int64(game["hands"][seat, position] == kind)
        game["hands"][seat, position] = game["hands"][seat, position + passed]
    game["hands"][seat, size - 1] = s.NO_CARD
    game["hand_size"][seat] = size - 1


@kernel
def _place_card(game, tables, seat, kind):
    game["city"][seat, kind >> 6] |= _ONE << np.uint64(kind & _SIX_BITS)
    game["built"][seat, tables["colour"][kind]] += 1
    _place(game, tables, seat, kind)


@kernel
def _place(game, tables, seat, item):
    """Take over the lasting effects of an item. Production adds up byte by byte: no byte ever overflows."""
    for word in range(s.WORDS):
        game["own"][seat, word] += tables["own"][item, word]
        game["sell"][seat, word] += tables["sell"][item, word]
    game["shields"][seat] += tables["shields"][item]
    for symbol in range(4):
        game["science"][seat, symbol] += tables["science"][item, symbol]
    game["discounts"][seat] |= tables["discounts"][item]
    game["powers"][seat] |= tables["powers"][item]


@kernel
def _gain_coins(game, tables, seat, item):
    """Immediate coins of an item, counted with everything of this turn in place."""
    gained = np.int64(tables["coins"][item])
    if tables["counts"][item]:
        for city in range(3):
            owner = city_of(game, seat, city)
            for column in range(8):
                gained += np.int64(tables["coins_per"][item, city, column]) * np.int64(
                    game["built"][owner, column]
                )
    game["coins"][seat] += gained


@kernel
def _discard_left_overs(game, tables):
    """After the sixth turn the last card goes face down to the discard, unless a power will play it."""
    for seat in range(np.int64(game["num_players"])):
        if not np.int64(game["powers"][seat]) & s.PLAY_LAST_CARD:
            kind = np.int64(game["hands"][seat, 0])
            game["discard"][kind] += 1
            game["history"][game["age"], s.EXTRA_TURN, seat] = s.CARD_ACTIONS + s.USES * kind + s.SELL
            game["hands"][seat, 0] = s.NO_CARD
            game["hand_size"][seat] = 0


@kernel
def _before_pick(game, tables):
    """Ask the builder of a discard stage for its pick where a legal card lies in the pile; otherwise go on."""
    seat = np.int64(game["picker"]) - 1
    if seat >= 0:
        for kind in range(s.KINDS):
            if game["discard"][kind] and not has_name(game, tables, seat, kind):
                game["phase"] = s.PICK
                game["deciders"] = 1 << seat
                return
    _after_pick(game, tables)


@kernel
def _pick(game, tables):
    seat = np.int64(game["picker"]) - 1
    kind = (np.int64(game["chosen"][seat]) - s.CARD_ACTIONS) // s.USES
    game["picks"][np.int64(game["built"][seat, s.STAGES_COLUMN]) - 1] = kind + 1
    game["discard"][kind] -= 1
    _place_card(game, tables, seat, kind)
    _gain_coins(game, tables, seat, kind)


@kernel
def _after_pick(game, tables):
    game["picker"] = 0
    turn = np.int64(game["turn"])
    if turn < s.TURNS - 1:
        pass_hands(game, tables)
        game["turn"] = turn + 1
        game["phase"] = s.CHOOSE
        game["deciders"] = (1 << np.int64(game["num_players"])) - 1
        return
    if turn == s.TURNS - 1:
        deciders = 0
        for seat in range(np.int64(game["num_players"])):
            if game["hand_size"][seat]:
                deciders |= 1 << seat
        if deciders:
            game["turn"] = s.EXTRA_TURN
            game["phase"] = s.LAST
            game["deciders"] = deciders
            return
    end_age(game, tables)
