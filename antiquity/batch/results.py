"""The results of a :class:`antiquity.Batch`. G games, S seats, F observation elements, A actions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.game import Game


class Step(NamedTuple):
    """What a step of the whole batch gives."""

    observations: NDArray[np.float32]
    """float32[G, S, F]: what each seat sees now; of a game that has ended, the first of the next game."""
    rewards: NDArray[np.float32]
    """float32[G, S]: for this step."""
    terminated: NDArray[np.bool_]
    """bool[G]: the game has ended by the rules."""
    truncated: NDArray[np.bool_]
    """bool[G]: the game was cut off at max_cycles."""
    masks: NDArray[np.int8]
    """int8[G, S, A]: 1 for each legal action. A waiting or absent seat has WAIT (0) alone."""


class Rows(NamedTuple):
    """The R seats that have something to choose, ordered by game and seat."""

    game: NDArray[np.int64]
    """int64[R]"""
    seat: NDArray[np.int64]
    """int64[R]"""
    observations: NDArray[np.float32]
    """float32[R, F]"""
    masks: NDArray[np.int8]
    """int8[R, A]"""


class Choices(NamedTuple):
    """What R seats may do, and what their game's greedy agent and its author can say of it: slots 0 to count - 1.

    L is the game's ``max_legal``, K the size of its ``appraisal`` layout; what follows the slots in use is 0.
    """

    legal: NDArray[np.uint16]
    """uint16[R, L]: the legal actions, ascending; WAIT (0) alone for a seat that waits."""
    counts: NDArray[np.int64]
    """int64[R]: how many there are."""
    appraisals: NDArray[np.float32]
    """float32[R, L, K]: the columns of ``game.appraisal`` for each of them; 0 for a seat that waits."""


class RowStep(NamedTuple):
    """What a step by decision rows gives: the rows that decide next, and the rewards and ends for all seats."""

    game: NDArray[np.int64]
    """int64[R]"""
    seat: NDArray[np.int64]
    """int64[R]"""
    observations: NDArray[np.float32]
    """float32[R, F]"""
    masks: NDArray[np.int8]
    """int8[R, A]"""
    rewards: NDArray[np.float32]
    """float32[G, S]: of every seat, also of those without a row."""
    terminated: NDArray[np.bool_]
    """bool[G]"""
    truncated: NDArray[np.bool_]
    """bool[G]"""


class Ended(NamedTuple):
    """The k games that ended in the last step, ordered by game."""

    index: NDArray[np.int64]  # type: ignore[assignment]  # hides tuple.index, which nobody needs here
    """int64[k]: their indices in the batch."""
    observations: NDArray[np.float32]
    """float32[k, S, F]: the last observations."""
    masks: NDArray[np.int8]
    """int8[k, S, A]: WAIT alone, but for games that were cut off."""
    scores: NDArray[np.int32]
    """int32[k, S, C + 2]: points by category, total, tie-break value."""
    ranks: NDArray[np.int64]
    """int64[k, S]: from 1; ties share the best rank, absent seats have 0."""
    rewards: NDArray[np.float32]
    """float32[k, S]: of the last step."""
    lengths: NDArray[np.int64]
    """int64[k]: steps that the games took."""


def standing(game: Game, scores: NDArray[np.int32], rank: int) -> dict[str, Any]:
    """One seat's result in words: ``scores`` by category, ``total``, ``tiebreak`` and ``rank``.

    Args:
        scores: int32[categories + 2], one row of a score array.
        rank: from 1.
    """
    *points, total, tiebreak = scores.tolist()
    by_category = dict(zip(game.categories, points, strict=True))
    return {"scores": by_category, "total": total, "tiebreak": tiebreak, "rank": int(rank)}
