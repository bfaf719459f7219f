"""Players that live in kernels: ``random`` and ``greedy``.

Kernels play them by number (:func:`antiquity.batch.drive.choose`), so a game against them never comes back to Python
between two decisions of the learning seat.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from antiquity.agents.base import Agent, Decisions
from antiquity.agents.rows import Integers, Records
from antiquity.batch import GREEDY, RANDOM, choose
from antiquity.kernels import entry


@entry
def choose_rows(
    kind: int,
    games: Records,
    tables: Records,
    index: Integers,
    seats: Integers,
    legal: npt.NDArray[np.uint16],
    counts: Integers,
    actions: Integers,
) -> None:
    """Write the choice of kernel agent number ``kind`` for every row into ``actions[R]``."""
    for row in range(len(index)):
        actions[row] = choose(kind, games[index[row]], tables[0], seats[row], legal[row], counts[row])


class KernelAgent(Agent):
    """A player of :func:`choose`."""

    def __init__(self, name: str, kernel: int) -> None:
        self.name = name
        self.kernel = kernel

    def act(self, decisions: Decisions) -> npt.NDArray[np.int64]:
        actions = np.empty(len(decisions), np.int64)
        choose_rows(
            self.kernel,
            decisions.games,
            decisions.tables,
            decisions.index,
            decisions.seats,
            decisions.legal,
            decisions.counts,
            actions,
        )
        return actions


def random_agent() -> KernelAgent:
    """Every legal action with the same probability."""
    return KernelAgent("random", RANDOM)


def greedy_agent() -> KernelAgent:
    """The game's own one-ply player: the verb ``greedy``."""
    return KernelAgent("greedy", GREEDY)
