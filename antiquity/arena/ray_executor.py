"""Blocks on a Ray cluster: ``pip install "antiquity[ray]"`` on every machine.

The driver hands out a few blocks more than there are processors and writes what comes back; workers hold nothing but
the plan. When a node dies, Ray starts its tasks elsewhere; what cannot be recovered that way is handed out again
here. So no finished block is lost, and every lost block is played again.
"""

from __future__ import annotations

import logging
import socket
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any

from antiquity.arena.block import BlockResult, play_block
from antiquity.arena.executors import AHEAD, TRIES, Executor, WorkerLostError, lost
from antiquity.arena.plan import Block, Plan

LOOK = 5.0
"""Seconds between two checks of the size of the cluster."""


def _knock(address: str) -> None:
    """Check that the address answers: Ray itself tries for minutes and then ends the process."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except OSError as error:
        raise ConnectionError(f"no Ray cluster at {address!r}: {error}") from error


class RayExecutor(Executor):
    """A Ray cluster.

    Args:
        address: of a running cluster (``"host:6379"``, ``"auto"``, ``"ray://host:10001"``), or ``"local"`` to start
            one on this machine. If this process is already connected to Ray, that connection is used.
        workers: processors of a cluster that is started here; None: all.

    Raises:
        ImportError: Ray isn't installed.
        ConnectionError: there is no cluster at the address.
    """

    def __init__(self, address: str = "local", workers: int | None = None) -> None:
        try:
            import ray
        except ImportError as error:
            raise ImportError('Ray isn\'t installed: pip install "antiquity[ray]"') from error
        self._ray = ray
        self._own = not ray.is_initialized()
        if not self._own:
            return
        quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
        if address == "local":
            ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
            return
        _knock(address)
        try:
            ray.init(address=address, **quiet)
        except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
            raise ConnectionError(f"no Ray cluster at {address!r}: {error}") from error

    def processors(self) -> int:
        """How many processors the cluster has now, at least 1."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def run(self, plan: Plan, blocks: Sequence[Block]) -> Iterator[BlockResult]:
        ray = self._ray
        errors = (ray.exceptions.RayError, ConnectionError)
        task = ray.remote(num_cpus=1, max_retries=TRIES, scheduling_strategy="SPREAD")(play_block)
        shared = ray.put(plan)
        waiting = deque(blocks)
        flying: dict[Any, Block] = {}
        tries: Counter[Block] = Counter()
        room = AHEAD * self.processors()
        try:
            while waiting or flying:
                while waiting and len(flying) < room:
                    block = waiting.popleft()
                    flying[task.remote(shared, block)] = block
                done, _ = ray.wait(list(flying), num_returns=1, timeout=LOOK)
                if not done:
                    room = AHEAD * self.processors()
                for reference in done:
                    block = flying.pop(reference)
                    try:
                        result = ray.get(reference)
                    except ray.exceptions.RayTaskError as error:
                        if isinstance(error.cause, ray.exceptions.RayError):
                            raise ConnectionError(
                                "a worker could not begin; are Antiquity, the game and the agents installed on every "
                                f"node? {str(error.cause).splitlines()[0]}"
                            ) from error
                        # What the agent raised, not what Ray made of it.
                        raise error.cause from error
                    except errors as error:
                        tries[block] += 1
                        if tries[block] >= TRIES:
                            raise WorkerLostError(f"{lost(block, tries[block])} ({error})") from error
                        waiting.appendleft(block)
                        room = AHEAD * self.processors()
                    else:
                        yield result
        finally:
            for reference in flying:
                ray.cancel(reference, force=True)

    def close(self) -> None:
        if self._own and self._ray.is_initialized():
            self._ray.shutdown()
