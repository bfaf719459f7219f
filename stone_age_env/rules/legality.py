"""What the deciding seat may do now, as a word of bits, and as the list of its legal actions.

The actions of each phase lie within 64 numbers from ``PHASE_BASE`` on: bit b stands for action base + b.
"""

from __future__ import annotations

import numpy as np

from antiquity.kernels import kernel
from stone_age_env import state as s
from stone_age_env.data.tables import CHOICE, FIXED

from .payment import can_pay_kinds, counts, stock

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_CASH_WORD = np.uint64((1 << len(s.PAIRS)) - 1)


@kernel
def decider(game):
    """The seat that decides in the present phase."""
    if game["phase"] == s.LOTTERY:
        return np.int64(game["picker"])
    return np.int64(game["active"])


@kernel
def menu(game, tables):
    """The deciding seat's legal actions, as bits above the phase's base; 0 where it has nothing to do."""
    phase = game["phase"]
    if phase == s.PLACE:
        return _placements(game, np.int64(game["active"]))
    if phase == s.RESOLVE:
        return _resolutions(game, tables, np.int64(game["active"]))
    if phase == s.TOOLS:
        return tools(game, np.int64(game["active"]))
    if phase == s.LOTTERY:
        return _dice(game)
    if phase == s.FEED:
        return _feedings(game, np.int64(game["active"]))
    return counts(game, np.int64(game["active"]))


@kernel
def _placements(game, seat):
    hand = np.int64(game["in_hand"][seat])
    if hand == 0:
        return _ZERO
    players = np.int64(game["num_players"])
    word = _ZERO
    used = np.int64(0)  # bits of the village places where somebody is
    for place in range(s.TOOL_MAKER, s.HUT + 1):
        for other in range(players):
            if game["placed"][other, place]:
                used |= 1 << place
    if (used & 1) + ((used >> 1) & 1) + (used >> 2) < s.OPEN_VILLAGE[players - s.MIN_PLAYERS]:
        word = np.uint64(~used & 7)
        if hand < s.HUT_PEOPLE or game["people"][seat] >= s.MAX_PEOPLE:
            word &= np.uint64((1 << s.TOOL_MAKER) | (1 << s.FIELD))
    for resource in range(4):
        place = s.FOREST + resource
        if game["placed"][seat, place]:
            continue
        heads = np.int64(0)
        seats = np.int64(0)
        for other in range(players):
            there = np.int64(game["placed"][other, place])
            heads += there
            seats += 1 if there else 0
        most = min(hand, s.RINGS - heads)
        if most > 0 and seats < s.SEATS_AT_RESOURCE[players - s.MIN_PLAYERS]:
            word |= np.uint64((1 << most) - 1) << np.uint64(s.PLACE_RESOURCE - 1 + s.RINGS * resource)
    if not game["placed"][seat, s.HUNT]:
        word |= np.uint64((1 << hand) - 1) << np.uint64(s.PLACE_HUNT - 1)
    for place in range(s.CARD_SPOT, s.CARD_SPOT + s.SPOTS):
        free = game["open"][place - s.CARD_SPOT] < 255
        for other in range(players):
            free = free and not game["placed"][other, place]
        if free:
            word |= _ONE << np.uint64(s.PLACE_CARD - 1 + place - s.CARD_SPOT)
    for place in range(s.BUILDING, s.BUILDING + players):
        free = game["pile_left"][place - s.BUILDING] > 0
        for other in range(players):
            free = free and not game["placed"][other, place]
        if free:
            word |= _ONE << np.uint64(s.PLACE_BUILDING - 1 + place - s.BUILDING)
    return word


@kernel
def _resolutions(game, tables, seat):
    word = _ZERO
    for place in range(s.CARD_SPOT):
        if game["placed"][seat, place]:
            word |= _ONE << np.uint64(place)
    have = stock(game, seat)
    for spot in range(s.SPOTS):
        if game["placed"][seat, s.CARD_SPOT + spot]:
            word |= _ONE << np.uint64(s.DECLINE_CARD - s.RESOLVE_ACTIONS + spot)
            if have > spot:
                word |= _ONE << np.uint64(s.BUY_CARD - s.RESOLVE_ACTIONS + spot)
    for pile in range(s.PILES):
        if game["placed"][seat, s.BUILDING + pile]:
            word |= _ONE << np.uint64(s.DECLINE_BUILDING - s.RESOLVE_ACTIONS + pile)
            word |= _payable(game, tables, seat, pile, have) << np.uint64(
                s.BUILD - s.RESOLVE_ACTIONS + s.MAX_PIECES * pile - 1
            )
    if word and game["free_cards"][seat]:
        word |= _CASH_WORD << np.uint64(s.CASH - s.RESOLVE_ACTIONS)
    return word


@kernel
def _payable(game, tables, seat, pile, have):
    """The numbers of resources that the seat can pay for the top tile of a pile, as bits."""
    left = np.int64(game["pile_left"][pile])
    if left == 0:
        return _ZERO
    kind = np.int64(game["piles"][pile, left - 1]) - 1
    least = np.int64(tables["tile_least"][kind])
    if have < least:
        return _ZERO
    mode = tables["tile_mode"][kind]
    if mode == FIXED:
        for resource in range(4):
            if game["resources"][seat, resource] < tables["tile_cost"][kind, resource]:
                return _ZERO
        return _ONE << np.uint64(least)
    if mode == CHOICE:
        if can_pay_kinds(game, seat, 0, least, np.int64(tables["tile_kinds"][kind])):
            return _ONE << np.uint64(least)
        return _ZERO
    most = min(have, np.int64(tables["tile_most"][kind]))
    return (_ONE << np.uint64(most + 1)) - (_ONE << np.uint64(least))


@kernel
def tools(game, seat):
    """After a roll: to stop, the values of unused tools, the values of one-use tools."""
    word = _ONE
    for slot in range(s.TOOL_SLOTS):
        value = np.int64(game["tools"][seat, slot])
        if value and not game["used"][seat, slot]:
            word |= _ONE << np.uint64(value)
    for value in range(1, s.MAX_TOOL + 1):
        if game["one_use"][seat, value - 1]:
            word |= _ONE << np.uint64(s.USE_ONE_USE - s.USE_TOOL + value)
    return word


@kernel
def _dice(game):
    word = _ZERO
    for face in range(6):
        if game["dice"][face]:
            word |= _ONE << np.uint64(face)
    return word


@kernel
def _feedings(game, seat):
    word = _ONE << np.uint64(s.FEED_NOTHING - s.CASH)
    if stock(game, seat) >= np.int64(game["pay_left"]):
        word |= _ONE << np.uint64(s.FEED_RESOURCES - s.CASH)
    if game["free_cards"][seat]:
        word |= _CASH_WORD
    return word


@kernel
def legal(game, tables, seat, out):
    """Write the numbers of the seat's legal actions, ascending, into ``out`` (uint16); return how many."""
    word = menu(game, tables)
    action = s.PHASE_BASE[np.int64(game["phase"])]
    n = 0
    while word:
        if word & _ONE:
            out[n] = action
            n += 1
        word >>= _ONE
        action += 1
    return n
