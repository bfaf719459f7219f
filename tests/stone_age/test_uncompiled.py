"""Kernels as plain Python: the same bytes, without overflow."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

from antiquity.game import require_sound
from antiquity.testing import Table
from stone_age_env import GAME


def digest() -> str:
    """Of games as they are played out, and of all that is asked of them on the way."""
    found = hashlib.sha256()
    for players in (2, 3, 4):
        table = Table(GAME, players, seed=2**63 - players)
        rng = random.Random(players)
        for step in range(250):
            if table.over:
                break
            [seat] = table.deciders()
            legal = table.legal(seat)
            table.step({seat: rng.choice(legal)})
            found.update(table.games.tobytes() + bytes(legal))
            if step % 25 == 0:
                found.update(table.observe(seat, memory=True).tobytes() + table.reveal().tobytes())
                found.update(table.score().tobytes())
                world = table.copy()
                world.determinize(seat, step)
                for each in (table, world):
                    require_sound(GAME, each.games, each.tables)
                found.update(world.games.tobytes())
    return found.hexdigest()


def test_plain_python_plays_the_same_game() -> None:
    """Compiled or not (NUMBA_DISABLE_JIT): the same bytes, and no overflow."""
    tests = Path(__file__).parents[1]
    path = os.pathsep.join([str(tests), str(tests.parent)])
    code = "from stone_age.test_uncompiled import digest; print(digest())"
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest()
