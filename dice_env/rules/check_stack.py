"""The part of the verb check that looks at what a seat has still to resolve."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import fault_codes
from antiquity.kernels import kernel
from dice_env import state as s

from .bits import NONE, ONE, is_single, lowest
from .legality import crossable, dice_options, pickable, wonder_payable

_AT: Final = fault_codes(s.GAME_DTYPE)
STACK, DEPTH = _AT["stack"], _AT["depth"]
BUILDINGS: Final = sum(
    1 << s.BUILDINGS.index(name) for name in s.BUILDINGS if name not in ("guild_court", "wonder")
)
"""Of which effects may cross spaces."""


@kernel
def stack(game, tables, seat):
    """The code of what is wrong with the stack of a seat, or 0.

    Beneath the top lie only bonuses and the rests of "up to two" effects: see
    :func:`dice_env.data.checks.stack_bound`.
    """
    depth = np.int64(game["depth"][seat])
    if depth > s.STACK:
        return DEPTH + seat
    above = np.int64(0)
    for place in range(depth, s.STACK):
        above |= np.int64(game["stack"][seat, place])
    if above:
        return STACK + seat
    if game["first_action"][seat] == 0:
        # At the start of a turn there is one action to take; once the game has ended there is nothing.
        ended = game["over"] != 0 and game["forfeits"] == 0
        if depth != (0 if ended else 1):
            return DEPTH + seat
        return np.int64(0) if ended or game["stack"][seat, 0] == s.ACTION else STACK + seat
    if depth == 0:
        return np.int64(0)
    rests = np.int64(0)
    for place in range(depth - 1):
        item = np.int64(game["stack"][seat, place])
        if item != s.BONUS:
            if not _is_rest(item):
                return STACK + seat
            rests += 1
    top = np.int64(game["stack"][seat, depth - 1])
    is_due, twofold = _sources(game, tables, seat, top)
    kind = top & s.KIND_MASK
    if kind == s.CROSS and not is_due and _is_rest(top):
        is_due = True
        rests += 1
    if rests > twofold or not (is_due or kind == s.PICK or top == s.BONUS):
        return STACK + seat
    return np.int64(0) if _leaves_a_choice(game, tables, seat, top) else STACK + seat


@kernel
def _is_rest(item):
    """Whether this is what is left of an effect that crosses up to two spaces of one building."""
    buildings = (item >> s.ARGUMENT) & s.BUILDING_MASK
    single = buildings != 0 and buildings & (buildings - 1) == 0 and buildings & ~BUILDINGS == 0
    return item & s.KIND_MASK == s.CROSS and item >> s.REMAINING == 1 and single


@kernel
def _sources(game, tables, seat, top):
    """Whether something of this turn has left the top item, and how many effects of this turn cross two spaces."""
    board = np.int64(game["board"][seat])
    is_due, twofold = False, np.int64(0)
    left = game["crossed"][seat] & ~game["start_crossed"][seat]
    while left != NONE:
        item = np.int64(tables["item"][board, lowest(left)])
        left &= left - ONE
        is_due |= item != s.NOTHING and item == top
        twofold += np.int64(item & s.KIND_MASK == s.CROSS and item >> s.REMAINING > 1)
    taken = np.int64(game["bonuses"][seat]) & ~np.int64(game["start_bonuses"][seat])
    for bonus in range(s.NUM_BONUSES):
        if (taken >> bonus) & 1:
            item = np.int64(tables["bonus_item"][bonus])
            is_due |= item != s.NOTHING and item == top
            twofold += np.int64(item & s.KIND_MASK == s.CROSS and item >> s.REMAINING > 1)
    return is_due, twofold


@kernel
def _leaves_a_choice(game, tables, seat, item):
    """Whether the seat is asked about an item: what leaves no choice happens by itself (turn.py)."""
    kind = item & s.KIND_MASK
    if kind == s.CROSS:
        return crossable(game, tables, seat, item) != NONE
    if kind == s.FREE:
        return dice_options(game, tables, seat, True) != 0
    if kind == s.ACTION:
        return dice_options(game, tables, seat, False) != 0 or wonder_payable(game, tables, seat) != NONE
    if kind == s.BONUS:
        open_ = s.ALL_BONUSES & ~np.int64(game["bonuses"][seat])
        return open_ & (open_ - 1) != 0
    die = item >> s.ARGUMENT
    if die >= s.NUM_DICE or (np.int64(game["forum"]) >> die) & 1 == 0:
        return False
    if (
        s.DIE_UNLOCK[die] & ~np.int64(game["unlocked"][seat])
        or tables["face_coins"][die, np.int64(game["face"][die])]
    ):
        return False
    spaces = pickable(game, tables, seat, die)
    return spaces != NONE and not is_single(spaces)
