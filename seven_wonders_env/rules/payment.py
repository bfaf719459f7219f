"""Paying: exact in constant time.

A production symbol makes one resource a turn, so what a set of symbols can make is a transversal matroid over the
units of a cost, and Hall's condition decides everything: a cost is covered by the symbols X if and only if for every
subset T of the resources at least as many symbols of X can make something in T as the cost has units in T.

Both sides of that comparison are kept a byte for each T (16 subsets of the raw materials in two words, 8 of the
manufactured goods in one; no symbol mixes the two). ``need`` bytes are 128 minus the units in T, so after adding the
production the high bit of a byte is set where Hall's condition holds: three additions decide a cost.

The units that X leaves uncovered, the *shortfall*, are the largest violation; units bought on the left and on the
right may be exchanged one by one between the bounds that the shortfalls of own+left and own+right give. Rules
document, "costs are met by production, what is missing is bought from the neighbours".
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel, least_byte
from seven_wonders_env.state import MANUFACTURED_LEFT, MANUFACTURED_RIGHT, MAX_PAYMENT, RAW_LEFT, RAW_RIGHT

HIGH: Final = np.uint64(0x8080808080808080)
NONE: Final = 15
"""Nibble of a frontier that stands for no payment."""
EMPTY_FRONTIER: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_NIBBLE: Final = np.uint64(NONE)
_LAST_NONE: Final = np.uint64(NONE << 60)
_LOW_BITS: Final = np.uint64(0x1111111111111111)
_ONE, _TWO, _THREE, _FOUR = (np.uint64(bits) for bits in (1, 2, 3, 4))


@kernel
def left_of(game, seat):
    """The next seat clockwise. (A division would cost more than all else in a step.)"""
    return seat + 1 if seat + 1 < np.int64(game["num_players"]) else 0


@kernel
def right_of(game, seat):
    """The next seat anticlockwise."""
    return seat - 1 if seat > 0 else np.int64(game["num_players"]) - 1


@kernel
def city_of(game, seat, city):
    """The seat whose city counts: 0 the own, 1 the left neighbour's, 2 the right one's."""
    if city == 0:
        return seat
    return left_of(game, seat) if city == 1 else right_of(game, seat)


@kernel
def is_covered(game, tables, seat, item):
    """Whether the seat's own production meets the whole cost in resources."""
    return (
        (game["own"][seat, 0] + tables["need"][item, 0])
        & (game["own"][seat, 1] + tables["need"][item, 1])
        & (game["own"][seat, 2] + tables["need"][item, 2])
        & HIGH
    ) == HIGH


@kernel
def shortfall(a, b):
    """Units left uncovered, given the two words (production + need) of one class of goods."""
    return max(128 - least_byte(a, b), 0)


@kernel
def cheapest_class(a, b, left_a, left_b, right_a, right_b, left_price, right_price):
    """Least coins that buy the shortfall of one class of goods; a, b: own production + need; known to be buyable."""
    units = shortfall(a, b)
    if left_price == right_price:
        return units * left_price
    if left_price < right_price:
        dear = shortfall(a + left_a, b + left_b)
        return (units - dear) * left_price + dear * right_price
    dear = shortfall(a + right_a, b + right_b)
    return (units - dear) * right_price + dear * left_price


@kernel
def prices(game, tables, seat):
    """Price of a unit: (raw left, raw right, manufactured left, manufactured right)."""
    bits = np.int64(game["discounts"][seat])
    full = np.int64(tables["price"][0])
    low = np.int64(tables["price"][1])
    return (
        low if bits & RAW_LEFT else full,
        low if bits & RAW_RIGHT else full,
        low if bits & MANUFACTURED_LEFT else full,
        low if bits & MANUFACTURED_RIGHT else full,
    )


@kernel
def frontier(game, tables, seat, item):
    """The undominated payments for an item, as 16 nibbles: nibble l = least coins to the right if l go to the left.

    NONE stands for: not possible, not affordable beside the cost to the bank, or no better than paying less to the
    left. Coins, production and discounts are those of the game as it stands.
    """
    left = left_of(game, seat)
    right = right_of(game, seat)
    budget = np.int64(game["coins"][seat]) - np.int64(tables["bank"][item])
    raw_a = game["own"][seat, 0] + tables["need"][item, 0]
    raw_b = game["own"][seat, 1] + tables["need"][item, 1]
    goods = game["own"][seat, 2] + tables["need"][item, 2]
    raw_right_a, raw_right_b = raw_a + game["sell"][right, 0], raw_b + game["sell"][right, 1]
    goods_left, goods_right = goods + game["sell"][left, 2], goods + game["sell"][right, 2]
    # The bounds below say which splits there are of a purchase that is possible at all.
    everything = (raw_right_a + game["sell"][left, 0]) & (raw_right_b + game["sell"][left, 1])
    if (everything & (goods_right + game["sell"][left, 2]) & HIGH) != HIGH:
        return EMPTY_FRONTIER
    raw_left_price, raw_right_price, goods_left_price, goods_right_price = prices(game, tables, seat)

    raw = shortfall(raw_a, raw_b)
    raw_low = shortfall(raw_right_a, raw_right_b)
    raw_high = raw - shortfall(raw_a + game["sell"][left, 0], raw_b + game["sell"][left, 1])
    made = shortfall(goods, goods)
    made_low = shortfall(goods_right, goods_right)
    made_high = made - shortfall(goods_left, goods_left)

    word = EMPTY_FRONTIER
    if raw_low == raw_high and made_low == made_high:
        to_left = raw_low * raw_left_price + made_low * goods_left_price
        to_right = (raw - raw_low) * raw_right_price + (made - made_low) * goods_right_price
        return _with_payment(word, to_left, to_right) if to_left + to_right <= budget else word
    for raw_units in range(raw_low, raw_high + 1):
        for made_units in range(made_low, made_high + 1):
            to_left = raw_units * raw_left_price + made_units * goods_left_price
            to_right = (raw - raw_units) * raw_right_price + (made - made_units) * goods_right_price
            if to_left + to_right <= budget and to_right < payment_right(word, to_left):
                word = _with_payment(word, to_left, to_right)
    best = NONE
    for to_left in range(MAX_PAYMENT + 1):
        to_right = payment_right(word, to_left)
        if to_right < best:
            best = to_right
        else:
            word |= _NIBBLE << np.uint64(4 * to_left)
    return word


@kernel
def _with_payment(word, to_left, to_right):
    shift = np.uint64(4 * to_left)
    return (word & ~(_NIBBLE << shift)) | (np.uint64(to_right) << shift)


@kernel
def payment_right(word, to_left):
    """Coins to the right neighbour that go with ``to_left`` coins to the left; NONE where there is no such payment."""
    return np.int64((word >> np.uint64(4 * to_left)) & _NIBBLE)


@kernel
def count_payments(word):
    """How many payments a frontier offers."""
    offered = ~(word & (word >> _ONE) & (word >> _TWO) & (word >> _THREE)) & _LOW_BITS
    for shift in (np.uint64(32), np.uint64(16), np.uint64(8), np.uint64(4)):
        offered += (
            offered >> shift
        )  # adds up the nibbles; there are at most 15 payments, which a nibble can hold
    return np.int64(offered & _NIBBLE)


@kernel
def cheapest_payment(word):
    """Coins to the left of the cheapest payment: fewest coins in total; of several, the one with least to the left."""
    best = 2 * NONE
    best_left = 0
    to_left = 0
    while word != EMPTY_FRONTIER:
        to_right = np.int64(word & _NIBBLE)
        if to_right != NONE and to_left + to_right < best:
            best = to_left + to_right
            best_left = to_left
        word = (word >> _FOUR) | _LAST_NONE
        to_left += 1
    return best_left
