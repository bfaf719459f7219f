"""Kernels of 7 Wonders Dice as plain Python compute the same as compiled ones."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

from antiquity.game import require_sound
from antiquity.testing import Table
from dice_env import GAME

SCRIPT = """
import hashlib, random, sys
sys.path[:0] = [{tests!r}, {root!r}]
from dice.test_uncompiled import digest
print(digest())
"""


def digest() -> str:
    """What five short games come to: every record, observation, score and world on the way."""
    sha = hashlib.sha256()
    for players in (2, 3, 4, 5, 7):
        rng = random.Random(players)
        table = Table(GAME, players, seed=players, max_turns=25)
        while not table.over:
            sha.update(table.games.tobytes())
            world = table.copy()
            world.determinize(players - 1, 5)
            for each in (table, world):
                require_sound(GAME, each.games, each.tables)
            sha.update(world.games.tobytes())
            sha.update(table.observe(0, memory=True).tobytes())
            sha.update(table.score().tobytes())
            actions = {}
            for seat in table.deciders():
                actions[seat] = rng.choice([a for a in table.legal(seat) if a != 12] or [12])
            table.step(actions)
        sha.update(table.reveal().tobytes())
    return sha.hexdigest()


def test_without_compilation_the_same_games() -> None:
    root = Path(__file__).parents[2]
    script = SCRIPT.format(tests=str(root / "tests"), root=str(root))
    code = [sys.executable, "-W", "error::RuntimeWarning", "-c", script]
    results = set()
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        done = subprocess.run(code, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        results.add(done.stdout.strip())
    assert len(results) == 1
