"""Paying with resources in small decisions: how many wood, how many clay, how many stone; gold follows.

A number is legal when the rest can still be paid with the later kinds. Without a condition on the kinds that is one
inequality: what is left is at most the sum of the later stocks. Where exactly m kinds must be used, what is left for
m of the later kinds lies between m and the sum of the m largest of their stocks. So no payment has two spellings and
no number leads into a dead end. Rules document, sections on civilization cards, buildings and feeding.
"""

from __future__ import annotations

import numpy as np

from antiquity.kernels import kernel
from stone_age_env.state import ANY_KINDS, COUNTS

_ZERO = np.uint64(0)
_ONE = np.uint64(1)


@kernel
def stock(game, seat):
    """Number of resources of a seat, all kinds together."""
    return (
        np.int64(game["resources"][seat, 0])
        + np.int64(game["resources"][seat, 1])
        + np.int64(game["resources"][seat, 2])
        + np.int64(game["resources"][seat, 3])
    )


@kernel
def can_pay_kinds(game, seat, first, pieces, kinds):
    """Whether a seat can pay so many pieces of exactly so many kinds, with the kinds from ``first`` on."""
    if kinds <= 0 or pieces < kinds:
        return kinds == 0 and pieces == 0
    largest = np.int64(0)
    taken = np.int64(0)  # bits of the kinds whose stocks are counted
    for _ in range(kinds):
        best = np.int64(0)
        best_kind = np.int64(0)
        for kind in range(first, 4):
            have = np.int64(game["resources"][seat, kind])
            if have > best and not (taken >> kind) & 1:
                best = have
                best_kind = np.int64(kind)
        if best == 0:
            return False
        taken |= 1 << best_kind
        largest += best
    return pieces <= largest


@kernel
def counts(game, seat):
    """The legal numbers of the kind that is asked for, as bits ``COUNTS * kind + number``."""
    kind = np.int64(game["pay_kind"])
    left = np.int64(game["pay_left"])
    kinds = np.int64(game["pay_kinds"])
    most = min(left, np.int64(game["resources"][seat, kind]))
    word = _ZERO
    if kinds == ANY_KINDS:
        later = np.int64(0)
        for other in range(kind + 1, 4):
            later += np.int64(game["resources"][seat, other])
        least = max(np.int64(0), left - later)
        word = (_ONE << np.uint64(most + 1)) - (_ONE << np.uint64(least))
    else:
        for number in range(most + 1):
            if can_pay_kinds(game, seat, kind + 1, left - number, kinds - (1 if number else 0)):
                word |= _ONE << np.uint64(number)
    return word << np.uint64(COUNTS * kind)
