"""What each legal action costs and brings, in numbers: the verb ``appraise``.

The first column is what the greedy agent thinks of the action, by the same kernels. The others are what takes several
steps to read from an observation: exact prices, points, conflicts turned, and what the card is worth to whom it would
go next. All follows from open cities and the seat's own hand.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.kernels import kernel
from seven_wonders_env import state as s
from seven_wonders_env.rules.legality import has_name, is_free, item_of, next_stage
from seven_wonders_env.rules.payment import (
    EMPTY_FRONTIER,
    cheapest_payment,
    frontier,
    left_of,
    payment_right,
    right_of,
)
from seven_wonders_env.rules.scoring import end_points, science_points

from .greedy import (
    cheapest,
    item_value,
    left_bias,
    payment_value,
    sale_value,
    side_value,
    spent_value,
    stage_value,
    stages_alike,
)

APPRAISAL: Final = Layout.build(
    ("greedy", 1, -20, 20, 1, "what the greedy agent thinks of the action, in points"),
    ("cost", 1, 0, 3, 5, "coins paid in all, the cheapest way"),
    ("to_left", 1, 0, 3, 5, "coins of them for the left neighbour"),
    ("to_right", 1, 0, 3, 5, "coins of them for the right neighbour"),
    ("coins", 1, 0, 3, 10, "coins afterwards, with what the action brings at once"),
    (
        "points",
        1,
        0,
        3,
        5,
        "points that it brings at the end, going by the cities as they stand; science and conflicts apart",
    ),
    ("shields", 1, 0, 3, 3, "shields gained"),
    (
        "conflict_left",
        1,
        0,
        2,
        1,
        "1 where they turn a defeat by the left neighbour into a draw or that into a victory",
    ),
    ("conflict_right", 1, 0, 2, 1, "likewise against the right neighbour"),
    ("science", 1, 0, 3, 5, "points of science gained, as if the game ended now"),
    ("stage", 1, 0, 1, 1, "1: the card goes under a stage of the wonder"),
    ("sell", 1, 0, 1, 1, "1: the card is sold"),
    ("free", 1, 0, 1, 1, "1: the building costs nothing, by its chain, a power or a pick from the discard"),
    (
        "denied",
        1,
        0,
        3,
        5,
        "what the card is worth to the neighbour who gets the hand next, by the greedy agent",
    ),
    ("chains", 1, 0, 3, 2, "buildings of later Ages that the building makes free"),
)
_AT: Final = APPRAISAL.starts
_MOST: Final = 3.0  # of any column but the first


@kernel
def _scaled(number, scale):
    return min(np.float64(number) / scale, _MOST)


@kernel
def _sign(mine, theirs):
    return np.int64(mine > theirs) - np.int64(mine < theirs)


@kernel
def _write_payment(game, seat, to_left, to_right, bank, gained, out):
    out[_AT.cost] = _scaled(to_left + to_right + bank, 5.0)
    out[_AT.to_left] = _scaled(to_left, 5.0)
    out[_AT.to_right] = _scaled(to_right, 5.0)
    left = np.int64(game["coins"][seat]) - to_left - to_right - bank + gained
    out[_AT.coins] = _scaled(max(left, 0), 10.0)


@kernel
def _coins_gained(game, tables, seat, item):
    """Coins that an item brings at once, as the cities stand."""
    gained = np.int64(tables["coins"][item])
    if tables["counts"][item]:
        for city in range(3):
            owner = seat if city == 0 else (left_of(game, seat) if city == 1 else right_of(game, seat))
            for column in range(8):
                each = np.int64(tables["coins_per"][item, city, column])
                gained += each * np.int64(game["built"][owner, column])
        column = np.int64(tables["colour"][item]) if item < s.KINDS else s.STAGES_COLUMN
        gained += np.int64(tables["coins_per"][item, 0, column])
    return gained


@kernel
def _write_item(game, tables, seat, item, card, free, out):
    """All columns of building an item with this card of the hand, the value of denying the card apart."""
    to_left, to_right, bank = np.int64(0), np.int64(0), np.int64(0)
    value = (
        item_value(game, tables, seat, item)
        if item < s.KINDS
        else stage_value(game, tables, seat, item, card)
    )
    if free:
        out[_AT.free] = 1.0
    else:
        to_left, to_right = cheapest(game, tables, seat, item)
        bank = np.int64(tables["bank"][item])
        value -= spent_value(game, tables, item, to_left + to_right)
    out[_AT.greedy] = min(max(value, -20.0), 20.0)
    _write_payment(game, seat, to_left, to_right, bank, _coins_gained(game, tables, seat, item), out)
    # What is built is itself among what it counts.
    column = np.int64(tables["colour"][item]) if item < s.KINDS else s.STAGES_COLUMN
    points = end_points(game, tables, seat, item) + np.int64(tables["vp_per"][item, 0, column])
    out[_AT.points] = _scaled(points, 5.0)
    shields = np.int64(tables["shields"][item])
    if shields:
        out[_AT.shields] = _scaled(shields, 3.0)
        mine = np.int64(game["shields"][seat])
        left, right = (
            np.int64(game["shields"][left_of(game, seat)]),
            np.int64(game["shields"][right_of(game, seat)]),
        )
        out[_AT.conflict_left] = np.float64(_sign(mine + shields, left) - _sign(mine, left))
        out[_AT.conflict_right] = np.float64(_sign(mine + shields, right) - _sign(mine, right))
    compass, gear = np.int64(tables["science"][item, 0]), np.int64(tables["science"][item, 1])
    tablet, choice = np.int64(tables["science"][item, 2]), np.int64(tables["science"][item, 3])
    if compass + gear + tablet + choice:
        compasses, gears = np.int64(game["science"][seat, 0]), np.int64(game["science"][seat, 1])
        tablets, choices = np.int64(game["science"][seat, 2]), np.int64(game["science"][seat, 3])
        set_vp = np.int64(tables["set_vp"])
        after = science_points(gears + gear, tablets + tablet, compasses + compass, choices + choice, set_vp)
        out[_AT.science] = _scaled(after - science_points(gears, tablets, compasses, choices, set_vp), 5.0)
    if item < s.KINDS:
        out[_AT.chains] = _scaled(np.int64(tables["_heirs"][item, np.int64(game["age"])]), 2.0)


@kernel
def _denied(game, tables, seat, kind):
    """What a card of the hand is worth to the neighbour who gets the hand next, 0 where nobody does."""
    if game["phase"] != s.CHOOSE or game["turn"] >= s.TURNS - 1:
        return 0.0
    other = right_of(game, seat) if game["age"] == 1 else left_of(game, seat)
    if has_name(game, tables, other, kind):
        return 0.0
    value = item_value(game, tables, other, kind)
    if not is_free(game, tables, other, kind):
        word = frontier(game, tables, other, kind)
        if word == EMPTY_FRONTIER:
            return 0.0
        to_left = cheapest_payment(word)
        value -= spent_value(game, tables, kind, to_left + payment_right(word, to_left))
    return _scaled(max(value, 0.0), 5.0)


@kernel
def appraise(game, tables, seat, legal, n, out):
    """Write the columns of :data:`APPRAISAL` for each action: see :mod:`antiquity.game.verbs`."""
    if game["phase"] == s.PAY:
        _appraise_payments(game, tables, seat, legal, n, out)
        return
    if game["phase"] == s.SIDE:
        for index in range(n):
            value = side_value(game, tables, seat, np.int64(legal[index]) - s.SIDE_ACTIONS)
            out[index, _AT.greedy] = min(max(value, -20.0), 20.0)
        return
    pick = game["phase"] == s.PICK
    alike = stages_alike(game, tables, seat)
    stage_row = -1  # the first row with the stage
    known, denied = np.int64(-1), 0.0
    for index in range(n):
        kind = (np.int64(legal[index]) - s.CARD_ACTIONS) // s.USES
        use = (np.int64(legal[index]) - s.CARD_ACTIONS) % s.USES
        if kind != known:
            known, denied = kind, _denied(game, tables, seat, kind)
        if use == s.BUILD:
            free = pick or is_free(game, tables, seat, kind)
            _write_item(game, tables, seat, kind, kind, free, out[index])
        elif use == s.SELL:
            out[index, _AT.greedy] = sale_value(game, tables)
            out[index, _AT.sell] = 1.0
            none = np.int64(0)
            _write_payment(game, seat, none, none, none, np.int64(tables["sell_coins"]), out[index])
        elif stage_row < 0 or not alike:
            stage_row = index
            _write_item(game, tables, seat, next_stage(game, tables, seat), kind, False, out[index])
            out[index, _AT.stage] = 1.0
        else:
            for column in range(out.shape[1]):
                out[index, column] = out[stage_row, column]
        out[index, _AT.denied] = denied


@kernel
def _appraise_payments(game, tables, seat, legal, n, out):
    item = item_of(game, tables, seat, np.int64(game["planned"][seat]))
    word = frontier(game, tables, seat, item)
    bias, bank = left_bias(game, seat), np.int64(tables["bank"][item])
    for index in range(n):
        to_left = np.int64(legal[index]) - s.PAYMENT_ACTIONS
        out[index, _AT.greedy] = payment_value(word, bias, legal[index])
        to_right = payment_right(word, to_left)
        _write_payment(
            game, seat, to_left, to_right, bank, _coins_gained(game, tables, seat, item), out[index]
        )
