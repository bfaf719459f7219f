"""Executors: wherever games are played they are the same, and no worker's end loses any."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from antiquity.arena import Processes, WorkerLostError
from antiquity.arena.block import BlockResult
from antiquity.arena.store import Results
from arena_games import AGENTS, Deadly, First, Wrong, played, toy_plan
from env_games import TOY

Started = TypeVar("Started")


@pytest.fixture
def ray_finds_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray's workers see the modules that the tests see."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


def start(make: Callable[[], Started]) -> Started:
    """Start something of Ray's, which gives a node half a minute: a busy machine needs it again now and then."""
    for _ in range(3):
        try:
            return make()
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
    return make()


needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason='Ray isn\'t installed: pip install "antiquity[ray]"'
)


def test_processes_play_the_same_and_survive(tmp_path: Path) -> None:
    """Several processes, one of which dies in the middle."""
    here = played(tmp_path / "here.sqlite", toy_plan([First(), *AGENTS]), 12)
    plan = toy_plan([("first", Deadly(tmp_path)), *AGENTS], block=3)
    executor = Processes(2)
    workers = set()

    def look(result: BlockResult) -> None:
        workers.add(result.worker)

    try:
        there = played(tmp_path / "there.sqlite", plan, 12, executor=executor, observer=look)
    finally:
        executor.close()
    assert (tmp_path / "died").exists() and workers
    assert there.tables == here.tables


def test_a_worker_that_is_always_lost(tmp_path: Path) -> None:
    plan = toy_plan([("deadly", Deadly(tmp_path, always=True)), "greedy"], block=2)
    executor = Processes(1)
    try:
        with pytest.raises(WorkerLostError, match=r"with 2 players were lost 4 times.*goes on from there"):
            played(tmp_path / "t.sqlite", plan, 2, players=[2], executor=executor)
    finally:
        executor.close()
    with Results.open(tmp_path / "t.sqlite", game=TOY) as results:
        assert results.have(2) == []


def test_an_error_in_a_worker_is_told(tmp_path: Path) -> None:
    executor = Processes(1)
    try:
        with pytest.raises(ValueError, match="chose the illegal action 99"):
            played(tmp_path / "t.sqlite", toy_plan([Wrong(), "greedy"]), 2, executor=executor)
    finally:
        executor.close()


@needs_ray
@pytest.mark.usefixtures("ray_finds_tests")
def test_a_ray_node_is_killed_in_the_middle(tmp_path: Path) -> None:
    import ray
    from ray.cluster_utils import Cluster

    from antiquity.arena.ray_executor import RayExecutor

    agents = ["greedy", "random", "search:simulations=100"]
    here = played(tmp_path / "here.sqlite", toy_plan(agents), 16, players=[3])
    cluster = Cluster(shutdown_at_exit=False)
    # A dead node is missed within seconds.
    health = {"health_check_period_ms": 500, "health_check_failure_threshold": 6}
    try:
        start(lambda: cluster.add_node(num_cpus=1, include_dashboard=False, _system_config=health))
        nodes = [start(lambda: cluster.add_node(num_cpus=1)) for _ in range(2)]
        cluster.wait_for_nodes()
        executor = RayExecutor(cluster.address)
        done: list[Any] = []
        moment = random.SystemRandom().randrange(1, 12)
        print(f"the node dies after block {moment} of 16")

        def kill(result: BlockResult) -> None:
            done.append(result.block)
            if len(done) == moment:
                cluster.remove_node(nodes[0], allow_graceful=False)

        assert executor.processors() == 3
        there = played(
            tmp_path / "there.sqlite",
            toy_plan(agents, block=1),
            16,
            players=[3],
            executor=executor,
            observer=kill,
        )
        executor.close()
        assert there == here
        assert sorted(done) == sorted(set(done)) and len(done) == 16
    finally:
        if ray.is_initialized():
            ray.shutdown()
        cluster.shutdown()


@needs_ray
@pytest.mark.usefixtures("ray_finds_tests")
def test_an_error_in_a_ray_task_is_told(tmp_path: Path) -> None:
    from antiquity.arena.ray_executor import RayExecutor

    executor = start(lambda: RayExecutor("local", 1))
    try:
        with pytest.raises(ValueError, match="chose the illegal action 99"):
            played(tmp_path / "t.sqlite", toy_plan([Wrong(), "greedy"]), 2, executor=executor)
    finally:
        executor.close()
    with pytest.raises(ConnectionError, match="no Ray cluster at"):
        RayExecutor("127.0.0.1:1")


SCRIPT = """
import subprocess
import sys
from pathlib import Path
from antiquity.arena import Processes
from arena_games import Slow, played, toy_plan

if __name__ == "__main__":
    played(
        Path(sys.argv[1]), toy_plan([Slow(), "greedy"], block=1), 4000, players=[2],
        executor=Processes(2), observer=lambda result: print(result.worker.rpartition(":")[2], flush=True),
    )
"""


def test_workers_end_with_their_driver(tmp_path: Path) -> None:
    script = tmp_path / "driver.py"
    script.write_text(SCRIPT)
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "t.sqlite")], env=surroundings, stdout=subprocess.PIPE
    ) as driver:
        assert driver.stdout is not None
        workers: set[int] = set()
        for line in driver.stdout:
            workers.add(int(line))
            if len(workers) == 2:
                break
        driver.kill()
        try:
            # Workers hold the other end of this pipe, and so does what else the driver has started.
            driver.communicate(timeout=30)
        finally:
            for pid in workers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
    assert len(workers) == 2
