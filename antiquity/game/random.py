"""Counter-based random numbers: every draw is a hash of (seed, purpose, index).

Nothing here has a state. A draw depends on what it is for and not on how many draws came before it, on the thread, the
batch or the platform, so the same seed gives the same game everywhere.

`purpose` is a small number that names what is drawn (a deal, a die, a guild); each game has its own, counted from 1.
Those from :data:`RESERVED` on belong to Antiquity. `index` tells draws of one purpose apart.

All three functions work from Python, with plain ints, and inside kernels, where words are ``uint64``; the results are
the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.kernels import kernel, twin

RESERVED = 1_000_000
"""Purposes from here on are Antiquity's own."""

POLICY = RESERVED
"""Random choices of actions: :meth:`antiquity.Batch.sample` and rollouts. Index: ``steps * 64 + seat``."""
ILLEGAL = RESERVED + 1
"""The legal action that stands in for an illegal one under ``on_illegal="random"``. Index: as for POLICY."""
BATCH = RESERVED + 2
"""Seeds of slots and games in a batch. Index: the slot, or the number of the game in its slot."""
SHUFFLE = RESERVED + 3
"""The swaps inside :func:`shuffle`. Index: the position."""

SEAT_INDEX = 64
"""Draws for a seat have the index ``steps * SEAT_INDEX + seat``."""

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15  # 2^64 / golden ratio, as in SplitMix64
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


def mix(seed: int, purpose: int, index: int) -> int:
    """A hash of 64 bits of the three numbers (two rounds of the SplitMix64 finaliser).

    Args:
        seed: the 64-bit seed of the game.
        purpose: what the number is for; 0 or more.
        index: which of the numbers for that purpose; 0 or more.

    Returns:
        An int in [0, 2**64); ``uint64`` in kernels. For one seed and purpose no two indices give the same.
    """
    return _finish(_finish(int(seed) + _STEP * (int(purpose) + 1)) + _STEP * (int(index) + 1))


def _finish(word: int) -> int:
    word &= _MASK
    word = ((word ^ (word >> 30)) * _FIRST) & _MASK
    word = ((word ^ (word >> 27)) * _SECOND) & _MASK
    return word ^ (word >> 31)


def mix_many(seeds: Any, purpose: int, indices: Any) -> NDArray[np.uint64]:
    """:func:`mix` for arrays of seeds and indices, of one shape or either a single number. Not for kernels."""
    seeds, indices = (
        np.atleast_1d(np.asarray(seeds, np.uint64)),
        np.atleast_1d(np.asarray(indices, np.uint64)),
    )
    word = _finish_many(seeds + np.uint64((_STEP * (int(purpose) + 1)) & _MASK))
    return _finish_many(word + np.uint64(_STEP) * (indices + np.uint64(1)))


def _finish_many(word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    word = (word ^ (word >> np.uint64(30))) * np.uint64(_FIRST)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(_SECOND)
    return word ^ (word >> np.uint64(31))


def below(seed: int, purpose: int, index: int, n: int) -> int:
    """An unbiased draw from 0, 1, ... n-1 (Lemire's method on the upper 32 bits; the rare rejected word is hashed on).

    Args:
        seed: the 64-bit seed of the game.
        purpose: what the number is for; 0 or more.
        index: which of the numbers for that purpose; 0 or more.
        n: how many values there are: 1 to 2**31 - 1.

    Returns:
        An int in [0, n); ``int64`` in kernels.
    """
    word = mix(seed, purpose, index)
    product = (word >> 32) * int(n)
    if product & 0xFFFFFFFF < n:
        threshold = (1 << 32) % int(n)
        while product & 0xFFFFFFFF < threshold:
            word = _finish(word + _STEP)
            product = (word >> 32) * int(n)
    return product >> 32


def shuffle(values: Any, n: int, seed: int, purpose: int, index: int) -> None:
    """Put the first `n` of `values` (an array, or in Python a list) into a random order, in place.

    Args:
        values: one-dimensional.
        n: how many of them take part; at most their number.
        seed: the 64-bit seed of the game.
        purpose: what the order is for; 0 or more.
        index: which of the orders for that purpose; 0 or more.
    """
    key = mix(seed, purpose, index)
    for last in range(int(n) - 1, 0, -1):
        other = below(key, SHUFFLE, last, last + 1)
        value = values[last]
        values[last] = values[other]
        values[other] = value


# --- the same for kernels -------------------------------------------------------------------------------------------
# numba's words wrap around at 64 bits by themselves, and a mixture of uint64 and int64 would become a float64.

_U_STEP, _U_FIRST, _U_SECOND = np.uint64(_STEP), np.uint64(_FIRST), np.uint64(_SECOND)
_U1, _U27, _U30, _U31, _U32 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_U_LOW = np.uint64(0xFFFFFFFF)
_DRAW = (np.uint64, np.int64, np.int64)


@twin(mix, _DRAW)
def _mix(seed: Any, purpose: Any, index: Any) -> Any:
    word = np.uint64(seed) + _U_STEP * (np.uint64(purpose) + _U1)
    word = (word ^ (word >> _U30)) * _U_FIRST
    word = (word ^ (word >> _U27)) * _U_SECOND
    word = (word ^ (word >> _U31)) + _U_STEP * (np.uint64(index) + _U1)
    word = (word ^ (word >> _U30)) * _U_FIRST
    word = (word ^ (word >> _U27)) * _U_SECOND
    return word ^ (word >> _U31)


@twin(below, (*_DRAW, np.int64))
def _below(seed: Any, purpose: Any, index: Any, n: Any) -> Any:
    size = np.uint64(n)
    word = mix(seed, purpose, index)
    product = (word >> _U32) * size
    if product & _U_LOW < size:
        threshold = (_U_LOW + _U1) % size
        while product & _U_LOW < threshold:
            word = word + _U_STEP
            word = (word ^ (word >> _U30)) * _U_FIRST
            word = (word ^ (word >> _U27)) * _U_SECOND
            word = word ^ (word >> _U31)
            product = (word >> _U32) * size
    return np.int64(product >> _U32)


@twin(shuffle)
def _shuffle(values: Any, n: Any, seed: Any, purpose: Any, index: Any) -> None:
    key = mix(seed, purpose, index)
    for last in range(np.int64(n) - 1, 0, -1):
        other = below(key, SHUFFLE, last, last + 1)
        value = values[last]
        values[last] = values[other]
        values[other] = value


@kernel
def next_word(word: Any) -> Any:
    """The word after this one, uint64, of Marsaglia's xorshift: many small noises from one word, for kernels alone.

    Far cheaper than a draw, and no more than noise; 0 is followed by 0.
    """
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    return word


@kernel
def from_word(word: Any, n: Any) -> Any:
    """A number in [0, n) from the upper half of a random word, for kernels alone: nearly unbiased for small n."""
    return np.int64(((word >> _U32) * np.uint64(n)) >> _U32)


@kernel
def at(steps: Any, seat: Any) -> Any:
    """The index of draws for the decision of `seat` after `steps` steps."""
    return np.int64(steps) * SEAT_INDEX + seat
