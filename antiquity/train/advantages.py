"""Generalised advantages over decision rows: what a seat's decision was worth beyond what it had expected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Decided(NamedTuple):
    """The rows of one step: R seats that have chosen."""

    game: NDArray[np.int64]
    """int64[R]"""
    seat: NDArray[np.int64]
    """int64[R]"""
    values: NDArray[np.float32]
    """float32[R]: what each seat expected of the game before it chose."""


def advantages(
    steps: Sequence[Decided], outcome: NDArray[np.float32], lam: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Advantages and returns of all rows, float32[sum of R], in their order.

    Each seat's decisions are a chain of their own: what follows a decision is the same seat's next one, whoever decided
    in between. Rewards come at the end alone (gamma is 1).

    Args:
        steps: the rows of each step of whole games, in order.
        outcome: float32[G, S]: what the games brought each seat.
        lam: lambda, from 0 (the next value alone) to 1 (the outcome alone).
    """
    after = outcome.astype(np.float32)
    gain = np.zeros_like(after)
    gains: list[NDArray[np.float32]] = [after[:0, 0]] * len(steps)
    for number in range(len(steps) - 1, -1, -1):
        game, seat, values = steps[number]
        found = after[game, seat] - values + np.float32(lam) * gain[game, seat]
        after[game, seat], gain[game, seat] = values, found
        gains[number] = found
    joined = np.concatenate(gains) if gains else np.zeros(0, np.float32)
    expected = np.concatenate([step.values for step in steps]) if steps else joined
    return joined, joined + expected
