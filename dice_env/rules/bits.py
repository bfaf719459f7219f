"""A sheet as a word of 64 bits, one bit for each space (state.py)."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel

NONE: Final = np.uint64(0)
ONE: Final = np.uint64(1)


@kernel
def lowest(word):
    """Index of the lowest set bit of a word that is not zero."""
    place = np.int64(0)
    if word & np.uint64(0xFFFFFFFF) == NONE:
        word >>= np.uint64(32)
        place += 32
    if word & np.uint64(0xFFFF) == NONE:
        word >>= np.uint64(16)
        place += 16
    if word & np.uint64(0xFF) == NONE:
        word >>= np.uint64(8)
        place += 8
    if word & np.uint64(0xF) == NONE:
        word >>= np.uint64(4)
        place += 4
    if word & np.uint64(0x3) == NONE:
        word >>= np.uint64(2)
        place += 2
    if word & ONE == NONE:
        place += 1
    return place


@kernel
def count(word):
    """How many bits are set: sums over pairs, fours and eights, then over all bytes."""
    word -= (word >> ONE) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    word += word >> np.uint64(8)
    word += word >> np.uint64(16)
    word += word >> np.uint64(32)
    return np.int64(word & np.uint64(0x7F))


@kernel
def is_single(word):
    """Whether exactly one bit is set in a word that is not zero."""
    return word & (word - ONE) == NONE
