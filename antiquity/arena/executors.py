"""Who plays the blocks of a tournament: this process, several processes, or a Ray cluster.

An executor takes blocks and returns results in any order. What is played does not depend on it.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from antiquity.arena.block import BlockResult, forget_agents, play_block
from antiquity.arena.plan import Block, Plan
from antiquity.game.checks import whole

TRIES = 4
"""How often a block is handed out before it is given up."""
AHEAD = 2
"""Blocks in flight for each worker, so that none waits for the next one."""


class WorkerLostError(ConnectionError):
    """A block was lost with its worker too many times."""


class Executor(ABC):
    """Plays blocks."""

    @abstractmethod
    def run(self, plan: Plan, blocks: Sequence[Block]) -> Iterator[BlockResult]:
        """Play the blocks; results come in any order. Closing the iterator ends the work."""

    def close(self) -> None:
        """Stop the workers and the programs of agents."""
        forget_agents()


class InProcess(Executor):
    """One block after the other, in this process."""

    def run(self, plan: Plan, blocks: Sequence[Block]) -> Iterator[BlockResult]:
        for block in blocks:
            yield play_block(plan, block)


_shared: list[Plan] = []


def _start(plan: Plan) -> None:
    _shared[:] = [plan]
    threading.Thread(target=_end_with_driver, daemon=True).start()


def _end_with_driver() -> None:
    """End this process when the one that started it has ended in whatever way: the pool would wait for ever."""
    driver = multiprocessing.parent_process()
    if driver is not None:
        driver.join()
        os._exit(1)


def _work(block: Block) -> BlockResult:
    return play_block(_shared[0], block)


class Processes(Executor):
    """Several processes of this machine, started afresh (``spawn``), so threads and locks here do not matter.

    A script that uses it needs the usual ``if __name__ == "__main__":``. When a process dies, all are restarted and
    lost blocks are played again.

    Args:
        workers: how many; None: one for each processor.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = whole("workers", workers or os.cpu_count() or 1, 1)
        self._pool: ProcessPoolExecutor | None = None
        self._key = ""

    def _running(self, plan: Plan) -> ProcessPoolExecutor:
        if self._pool is None or self._key != plan.key:
            self.close()
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, context, initializer=_start, initargs=(plan,))
            self._key = plan.key
        return self._pool

    def run(self, plan: Plan, blocks: Sequence[Block]) -> Iterator[BlockResult]:
        waiting = deque(blocks)
        flying: dict[Future[BlockResult], Block] = {}
        tries: Counter[Block] = Counter()
        try:
            while waiting or flying:
                broken = False
                while waiting and len(flying) < AHEAD * self.workers and not broken:
                    try:
                        flying[self._running(plan).submit(_work, waiting[0])] = waiting[0]
                        waiting.popleft()
                    except BrokenProcessPool:
                        broken = True
                done, _ = wait(flying, return_when=FIRST_COMPLETED) if not broken else (set(flying), None)
                for future in done:
                    block = flying.pop(future)
                    try:
                        result = future.result()
                    except BrokenProcessPool as error:
                        broken = True
                        tries[block] += 1
                        if tries[block] >= TRIES:
                            raise WorkerLostError(lost(block, tries[block])) from error
                        waiting.appendleft(block)
                    else:
                        yield result
                if broken:
                    self._drop()
        finally:
            for future in flying:
                future.cancel()

    def _drop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def lost(block: Block, tries: int) -> str:
    """The error for a block that was lost too often."""
    return (
        f"the workers on deals {block.first} to {block.stop - 1} with {block.players} players were lost {tries} times: "
        "out of memory, or an agent that ends its process? Finished blocks are kept; "
        "the same command goes on from there"
    )
