"""What a seat may do now: open spaces, dice, the list of legal actions.

A sheet is a word of bits (see state.py), so questions about all its spaces at once are a few operations on words: a
space is open when it begins a track or follows a crossed one, and is not crossed itself.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel
from dice_env import state as s

from .bits import NONE, ONE, count, lowest

_DEAREST: Final = np.int64(15)


@kernel
def crossed_of(game, tables, seat, building):
    """How many spaces of a building a seat has crossed."""
    return count(game["crossed"][seat] & tables["building"][np.int64(game["board"][seat]), building])


@kernel
def open_spaces(game, tables, seat):
    """The spaces that come next in their order, as bits."""
    board = np.int64(game["board"][seat])
    crossed = game["crossed"][seat]
    return ((crossed << ONE) | tables["first"][board]) & tables["printed"][board] & ~crossed


@kernel
def payable(game, tables, seat, coins):
    """The open spaces that so many coins can pay for, a coin for each missing resource."""
    reach = min(coins + np.int64(game["resources"][seat]), _DEAREST)
    return open_spaces(game, tables, seat) & tables["within"][np.int64(game["board"][seat]), reach]


@kernel
def price(game, tables, seat, space):
    """Coins that crossing a space costs: its printed cost less the resources."""
    cost = np.int64(tables["cost"][np.int64(game["board"][seat]), space])
    return max(cost - np.int64(game["resources"][seat]), np.int64(0))


@kernel
def die_cost(game, tables, seat, die):
    """Coins that choosing a die costs the seat."""
    if (np.int64(game["free"][seat]) >> s.DIE_COLOUR[die]) & 1:
        return np.int64(0)
    cost = np.int64(tables["quadrant_cost"][np.int64(game["quadrant"][die])]) - np.int64(
        game["discount"][seat]
    )
    return max(cost, np.int64(0))


@kernel
def allowed(game, tables, seat, die):
    """The spaces that the upper face of a die allows the seat, open or not, at any cost."""
    if die == s.PURPLE and not (np.int64(game["guild"]) >> seat) & 1:
        return NONE
    return tables["face"][np.int64(game["board"][seat]), die, np.int64(game["face"][die])]


@kernel
def dice_options(game, tables, seat, costs_nothing):
    """The dice that the seat may choose, as bits: it can pay for them and do something with them."""
    board = np.int64(game["board"][seat])
    coins = np.int64(game["coins"][seat])
    resources = np.int64(game["resources"][seat])
    crossed = game["crossed"][seat]
    free = np.int64(game["free"][seat])
    discount = np.int64(game["discount"][seat])
    unlocked = np.int64(game["unlocked"][seat])
    forum = np.int64(game["forum"])
    reachable = ((crossed << ONE) | tables["first"][board]) & tables["printed"][board] & ~crossed
    options = np.int64(0)
    for die in range(s.NUM_DICE):
        if not (forum >> die) & 1 or s.DIE_UNLOCK[die] & ~unlocked:
            continue
        colour = s.DIE_COLOUR[die]
        left = coins
        if not costs_nothing and not (free >> colour) & 1:
            cost = np.int64(tables["quadrant_cost"][np.int64(game["quadrant"][die])]) - discount
            if cost > 0:
                left -= cost
        if left < 0:
            continue
        face = np.int64(game["face"][die])
        if tables["face_coins"][die, face]:
            options |= 1 << die
            continue
        if die == s.PURPLE and not (np.int64(game["guild"]) >> seat) & 1:
            continue
        reach = min(left + np.int64(game["income"][seat, colour]) + resources, _DEAREST)
        if tables["face"][board, die, face] & reachable & tables["within"][board, reach] != NONE:
            options |= 1 << die
    return options


@kernel
def wonder_payable(game, tables, seat):
    """The next space of the wonder as a bit; zero when there is none or the seat can't pay for it."""
    wonder = tables["building"][np.int64(game["board"][seat]), s.WONDER_BUILDING]
    return payable(game, tables, seat, np.int64(game["coins"][seat])) & wonder


@kernel
def pickable(game, tables, seat, die):
    """The spaces that a die already paid for lets the seat cross."""
    return payable(game, tables, seat, np.int64(game["coins"][seat])) & allowed(game, tables, seat, die)


@kernel
def crossable(game, tables, seat, item):
    """The spaces that a CROSS item lets the seat cross."""
    board = np.int64(game["board"][seat])
    buildings = (item >> s.ARGUMENT) & s.BUILDING_MASK
    spaces = NONE
    for building in range(s.WONDER_BUILDING + 1):
        if (buildings >> building) & 1:
            spaces |= tables["building"][board, building]
    return payable(game, tables, seat, np.int64(game["coins"][seat])) & spaces


@kernel
def _list_spaces(spaces, out, n):
    while spaces != NONE:
        out[n] = s.SPACE_ACTIONS + lowest(spaces)
        n += 1
        spaces &= spaces - ONE
    return n


@kernel
def legal(game, tables, seat, out):
    """Write the numbers of the seat's legal actions, ascending, into ``out`` (uint16); return how many."""
    item = np.int64(game["stack"][seat, np.int64(game["depth"][seat]) - 1])
    kind = item & s.KIND_MASK
    n = 0
    if kind in (s.ACTION, s.FREE):
        dice = dice_options(game, tables, seat, kind == s.FREE)
        for die in range(s.NUM_DICE):
            if (dice >> die) & 1:
                out[n] = s.DIE_ACTIONS + die
                n += 1
        if kind == s.FREE:
            out[n] = s.STOP
            return n + 1
        if wonder_payable(game, tables, seat) != NONE:
            out[n] = s.WONDER
            n += 1
        out[n] = s.PASS
        return n + 1
    if kind == s.BONUS:
        for bonus in range(s.NUM_BONUSES):
            if not (np.int64(game["bonuses"][seat]) >> bonus) & 1:
                out[n] = s.BONUS_ACTIONS + bonus
                n += 1
        return n
    if kind == s.CROSS:
        out[0] = s.STOP
        return _list_spaces(crossable(game, tables, seat, item), out, 1)
    return _list_spaces(pickable(game, tables, seat, item >> s.ARGUMENT), out, 0)
