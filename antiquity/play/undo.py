"""Taking back one's own choice, as long as it has revealed nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.batch import Batch
from antiquity.study.parsing import Choice

WORLDS = 8
"""In so many other worlds that the person thinks possible the choice must have led to the same sight."""


class Moment(NamedTuple):
    """A game before a choice of the person."""

    batch: Batch
    events: list[Any]
    entries: int

    @property
    def step(self) -> int:
        """How many steps the game had taken."""
        return int(self.batch.games[0]["steps"])


def reveals(
    moment: Moment, seat: int, steps: Sequence[tuple[Choice, ...]], seen: NDArray[np.float32]
) -> bool:
    """Whether what a seat sees after some steps tells it more than it knew, such as a roll of dice or a new card.

    The same steps are played in worlds in which all that the seat did not know, the future's randomness included, is
    drawn anew: if they lead to the same sight there, nothing was learnt.

    Args:
        moment: before the steps.
        steps: the choices of all.
        seen: float32[n], the seat's observation after them.
    """
    for seed in range(WORLDS):
        world = moment.batch.clone()
        world.determinize(0, seat, seed)
        sight = None
        for step in steps:
            row = np.zeros((1, world.num_seats), np.int64)
            for choice in step:
                row[0, choice.seat] = choice.action
            try:
                sight = world.step(row).observations[0, seat]
            except ValueError:  # what another has chosen there is not legal here
                return True
        if sight is None or not np.array_equal(sight, seen):
            return True
    return False
