"""The piece of work that executors hand out: playing one block of a plan."""

from __future__ import annotations

import hashlib
import os
import socket
import threading
import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import Agent
from antiquity.arena.plan import Block, Plan
from antiquity.arena.play import Played, play_games


@dataclass(frozen=True, eq=False)
class BlockResult:
    """A played block, by seat. G games of S players: deal by deal, and of each deal all rotations.

    Attributes:
        block: which one.
        seating: int64[G, S]: numbers of the entrants.
        played: scores, ranks, lengths, forfeited moves.
        seconds: how long it took, on the clock.
        worker: the name of the worker that played it.
    """

    block: Block
    seating: NDArray[np.int64]
    played: Played
    seconds: float = 0.0
    worker: str = field(default="", compare=False)

    def digest(self) -> str:
        """A hash of the results, the same wherever they were played."""
        found = hashlib.blake2b(repr(tuple(self.block)).encode(), digest_size=16)
        for array in (self.seating, self.played.scores, self.played.ranks, self.played.lengths):
            found.update(np.ascontiguousarray(array, "<i8").tobytes())
        return found.hexdigest()


_agents = threading.local()


def _made(plan: Plan) -> list[Agent]:
    """The plan's agents, made once per thread, so that each network is loaded and each program started only once."""
    if getattr(_agents, "key", None) != plan.key or any(not isinstance(e.agent, str) for e in plan.entrants):
        forget_agents()
        _agents.made = plan.agents()
        _agents.key = plan.key
    return _agents.made  # type: ignore[no-any-return]


def forget_agents() -> None:
    """Release the agents of this thread; their programs are terminated."""
    for agent in getattr(_agents, "made", []):
        close = getattr(agent, "close", None)
        if close is not None:
            close()
    _agents.key, _agents.made = None, []


def play_block(plan: Plan, block: Block) -> BlockResult:
    """Play the deals of a block in all rotations."""
    started = time.perf_counter()
    seating, seeds = plan.seating(block)
    played = play_games(plan.game, _made(plan), seating, seeds, plan.options, record=True)
    seconds = time.perf_counter() - started
    return BlockResult(block, seating, played, seconds, f"{socket.gethostname()}:{os.getpid()}")
