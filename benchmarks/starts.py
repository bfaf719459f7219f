"""How long a first step takes in a new process, with and without compiled kernels on disk; and bytes a game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from typing import Any

from antiquity import Batch, make_game
from antiquity.kernels import jit

FIRST_STEP = """
import json, sys, time
began = time.perf_counter()
from antiquity.envs.parallel import ParallelGameEnv
imported = time.perf_counter()
env = ParallelGameEnv(sys.argv[1])
env.reset(seed=0)
env.step(env.sample_actions())
ended = time.perf_counter()
from antiquity.kernels import jit
print(json.dumps({
    "seconds": ended - began, "import_seconds": imported - began, "cpu_seconds": time.process_time(),
    "compiled": jit.statistics()["misses"], "loaded": jit.statistics()["hits"],
}))
"""
"""The first step of one game in a ParallelEnv. ``seconds`` run from the first import to the end of the step."""


def kernels_in(folder: str | os.PathLike[str]) -> dict[str, str]:
    """Environment variables for a process that finds compiled kernels in this folder, and nowhere else.

    The user's own folder is not found either: it would be used if this one couldn't be written.
    """
    nowhere = os.path.join(folder, "no-home")
    elsewhere = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"), nowhere)
    return {"ANTIQUITY_CACHE_DIR": str(folder), **elsewhere}


def first_step(game: str, cache: str) -> dict[str, Any]:
    """The first step of a game in a process of its own.

    Args:
        cache: folder of the compiled kernels.

    Returns:
        ``seconds`` from import to the end of the step, ``import_seconds`` of them, ``process_seconds`` with the start
        and the end of the interpreter, ``cpu_seconds`` of the process, and how many kernels were ``compiled`` and
        ``loaded``.
    """
    path = os.pathsep.join(entry for entry in sys.path if entry)
    environment = {**os.environ, "PYTHONPATH": path, **kernels_in(cache)}
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", FIRST_STEP, game], env=environment, capture_output=True, text=True, check=False
    )
    taken = time.perf_counter() - started
    if done.returncode:
        raise RuntimeError(f"the first step of {game} failed in a process of its own:\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return {**found, "process_seconds": taken}


def starts(game: str, warm: int) -> dict[str, Any]:
    """One cold start, with an empty folder for kernels, and so many warm ones with what it has left there."""
    with tempfile.TemporaryDirectory(prefix="antiquity-bench-") as cache:
        cold = first_step(game, cache)
        if jit.ENABLED and not cold["compiled"]:
            raise RuntimeError(f"a start with an empty folder for kernels has compiled none: {cold}")
        size = sum(
            os.path.getsize(os.path.join(folder, file))
            for folder, _, files in os.walk(cache)
            for file in files
        )
        first_step(game, cache)  # brings the files of all modules into memory
        return {
            "game": game,
            "cold": cold,
            "warm": [first_step(game, cache) for _ in range(warm)],
            "cache_bytes": size,
        }


def memory(game: str, players: int, games: int = 1024) -> dict[str, Any]:
    """Bytes a game: of the record, of all that a batch in place holds, and of the outputs that are among it."""
    found = make_game(game)
    warm = Batch(found, 1, players, copy=False)  # what loads or compiles the kernels is no part of a game
    warm.reset()
    warm.step(warm.sample())
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        batch = Batch(found, games, players, seed=1, copy=False)
        batch.reset()
        batch.step(batch.sample())
        held = (tracemalloc.get_traced_memory()[0] - before) / games
    finally:
        tracemalloc.stop()
    return {
        "game": game,
        "players": players,
        "record": found.dtype.itemsize,
        "batch": held,
        "outputs": players * (4 * found.layout.size + found.num_actions),
    }
