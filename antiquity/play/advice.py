"""Advice beside a game: what an analysis says of the person's decision, worked out in a process of its own.

The page asks again until it is there, so nothing waits for it. The process gets what the person may know and nothing
else matters to it: an analysis judges by what a seat knows.
"""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict
from typing import Any

from antiquity.batch import Batch
from antiquity.study.analysis import Analyst


def judge(batch: Batch, seat: int, agent: str | None) -> dict[str, Any]:
    """Judge an open decision; in the other process."""
    analyst = Analyst(batch.game, agent)
    return asdict(analyst.decision(batch, seat)) | {
        "chance": analyst.chance(batch, seat),
        "agent": analyst.agent,
    }


class Advice:
    """Judges one decision after the other.

    Args:
        agent: who is asked, see :func:`antiquity.study.analysis.advisor`; None: the best that the game has.
    """

    def __init__(self, agent: str | None = None) -> None:
        self.agent = agent
        self._pool: ProcessPoolExecutor | None = None
        self._asked: tuple[int, Future[dict[str, Any]]] | None = None

    def of(self, batch: Batch, seat: int, step: int) -> dict[str, Any] | None:
        """What is known of the seat's decision at a step; None while it is being worked out, or if it failed."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        if self._asked is None or self._asked[0] != step:
            if self._asked is not None:
                self._asked[1].cancel()
            self._asked = step, self._pool.submit(judge, batch.clone(), seat, self.agent)
        future = self._asked[1]
        return (
            future.result() if future.done() and not future.cancelled() and not future.exception() else None
        )

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
