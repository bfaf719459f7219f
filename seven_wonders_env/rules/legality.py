"""What a seat may do now: the list of its legal actions."""

from __future__ import annotations

import numpy as np

from antiquity.kernels import kernel
from seven_wonders_env import state as s

from .payment import HIGH, NONE, cheapest_class, frontier, left_of, payment_right, prices, right_of


@kernel
def next_stage(game, tables, seat):
    """Item number of the next wonder stage of a seat, -1 when the wonder is complete."""
    board = np.int64(game["board"][seat])
    stage = np.int64(game["built"][seat, s.STAGES_COLUMN])
    if stage >= tables["stage_count"][board]:
        return np.int64(-1)
    return s.KINDS + board * s.MAX_STAGES + stage


@kernel
def item_of(game, tables, seat, action):
    """Item that a build or stage action pays for, -1 for a sale."""
    use = (action - s.CARD_ACTIONS) % s.USES
    if use == s.BUILD:
        return np.int64((action - s.CARD_ACTIONS) // s.USES)
    if use == s.STAGE:
        return next_stage(game, tables, seat)
    return np.int64(-1)


@kernel
def has_name(game, tables, seat, kind):
    """Whether a building of the same name stands in the seat's city already."""
    return (
        (game["city"][seat, 0] & tables["same_name"][kind, 0])
        | (game["city"][seat, 1] & tables["same_name"][kind, 1])
    ) != np.uint64(0)


@kernel
def is_free(game, tables, seat, kind):
    """Whether the building costs nothing at all: by its chain or by a power of the wonder."""
    chained = (game["city"][seat, 0] & tables["free_from"][kind, 0]) | (
        game["city"][seat, 1] & tables["free_from"][kind, 1]
    )
    free = chained != np.uint64(0)
    powers = np.int64(game["powers"][seat])
    if powers & (s.FREE_COLOUR | s.FREE_FIRST | s.FREE_LAST):
        free |= powers & s.FREE_COLOUR != 0 and game["built"][seat, tables["colour"][kind]] == 0
        free |= powers & s.FREE_FIRST != 0 and game["turn"] == 0
        free |= powers & s.FREE_LAST != 0 and game["turn"] == s.TURNS - 1
    return free


@kernel
def legal(game, tables, seat, out):
    """Write the numbers of the seat's legal actions, ascending, into ``out`` (uint16); return how many."""
    if game["phase"] == s.PAY:
        return _legal_payments(game, tables, seat, out)
    if game["phase"] == s.PICK:
        return _legal_picks(game, tables, seat, out)
    if game["phase"] == s.SIDE:
        for side in range(s.SIDES):
            out[side] = s.SIDE_ACTIONS + side
        return np.int64(s.SIDES)
    return _legal_cards(game, tables, seat, out)


@kernel
def _legal_cards(game, tables, seat, out):
    left = left_of(game, seat)
    right = right_of(game, seat)
    coins = np.int64(game["coins"][seat])
    own_a, own_b, own_c = game["own"][seat, 0], game["own"][seat, 1], game["own"][seat, 2]
    left_a, left_b, left_c = game["sell"][left, 0], game["sell"][left, 1], game["sell"][left, 2]
    right_a, right_b, right_c = game["sell"][right, 0], game["sell"][right, 1], game["sell"][right, 2]
    all_a, all_b, all_c = left_a + right_a, left_b + right_b, left_c + right_c
    raw_left_price, raw_right_price, goods_left_price, goods_right_price = prices(game, tables, seat)

    # Everything is worked out for every card, and only then written: what a card costs is too random for branches to
    # be predicted. The same test of a cost serves the cards and, behind them, the wonder stage.
    size = np.int64(game["hand_size"][seat])
    stage = next_stage(game, tables, seat)
    buildable = 0  # a bit for each position in the hand, and one for the stage
    for position in range(size + 1):
        item = np.int64(game["hands"][seat, position]) if position < size else stage
        if item < 0:
            continue
        a = own_a + tables["need"][item, 0]
        b = own_b + tables["need"][item, 1]
        c = own_c + tables["need"][item, 2]
        price = cheapest_class(a, b, left_a, left_b, right_a, right_b, raw_left_price, raw_right_price)
        price += cheapest_class(c, c, left_c, left_c, right_c, right_c, goods_left_price, goods_right_price)
        allowed = ((a + all_a) & (b + all_b) & (c + all_c) & HIGH) == HIGH
        allowed &= price + np.int64(tables["bank"][item]) <= coins
        if position < size:
            allowed |= is_free(game, tables, seat, item)
            allowed &= not has_name(game, tables, seat, item)
        buildable |= np.int64(allowed) << position

    stage_legal = np.uint64(buildable >> size)
    n = np.uint64(0)
    previous = -1
    for position in range(size):
        item = np.int64(game["hands"][seat, position])
        if item == previous:
            continue
        previous = item
        # What is not legal is written too, and overwritten by what comes next.
        action = s.CARD_ACTIONS + s.USES * item
        out[n] = action + s.BUILD
        n += np.uint64((buildable >> position) & 1)
        out[n] = action + s.STAGE
        n += stage_legal
        out[n] = action + s.SELL
        n += np.uint64(1)
    return np.int64(n)


@kernel
def _legal_payments(game, tables, seat, out):
    word = frontier(game, tables, seat, item_of(game, tables, seat, np.int64(game["planned"][seat])))
    n = 0
    for to_left in range(s.MAX_PAYMENT + 1):
        if payment_right(word, to_left) != NONE:
            out[n] = s.PAYMENT_ACTIONS + to_left
            n += 1
    return n


@kernel
def _legal_picks(game, tables, seat, out):
    n = 0
    for kind in range(s.KINDS):
        if game["discard"][kind] and not has_name(game, tables, seat, kind):
            out[n] = s.CARD_ACTIONS + s.USES * kind + s.BUILD
            n += 1
    return n
