"""The kernels of 7 Wonders as plain Python (``NUMBA_DISABLE_JIT=1``): no warning, and the very same games.

This file is also the script that the test runs without compilation; what it prints must be what it says compiled.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from antiquity.game import require_sound
from antiquity.kernels import ENABLED, entry
from antiquity.testing.table import Table
from seven_wonders_env import GAME
from seven_wonders_env.seats.greedy import greedy

# (players, sides, payments, seed, share of decisions that the greedy agent takes)
GAMES = [
    (3, "night", "choose", 1, 0.5),
    (5, "night", "choose", 2, 0.0),
    (4, "random", "cheapest", 3, 1.0),
    (7, "random", "choose", 4, 0.9),
    (3, "day", "cheapest", 2**63 - 1, 0.3),
    (6, "night", "choose", 6, 0.7),
    (4, "choose", "choose", 7, 0.5),
]


@entry
def _greedy(games, index, tables, seat, legal, n, noise):
    return greedy(games[index], tables[0], seat, legal, n, np.uint64(noise))


def digest(*parts: Any) -> str:
    return hashlib.blake2b(b"|".join(bytes(part) for part in parts), digest_size=8).hexdigest()


def transcript() -> Iterator[str]:
    """A line for every decision of the games: digests of the record, of what all see, of scores and redrawn worlds."""
    for players, sides, payments, seed, share in GAMES:
        table = Table(GAME, players, seed=seed, sides=sides, payments=payments)
        rng = random.Random(seed)
        while True:
            seat = rng.randrange(players)
            world = table.copy()
            world.determinize(seat, rng.getrandbits(62))
            for each in (table, world):
                require_sound(GAME, each.games, each.tables)
            rows = np.zeros((players, GAME.observation_layout(memory=True).size), np.float32)
            table.observe_seats((1 << players) - 1, rows)
            yield (
                f"{players} players, {sides}, step {int(table.record['steps'])}: record {digest(table.games)} "
                f"seen {digest(rows, table.observe(seat, memory=True))} all {digest(table.reveal())} "
                f"score {digest(table.score())} redrawn for {seat} {digest(world.games)}"
            )
            if table.over:
                break
            actions = {}
            for seat in table.deciders():
                legal = np.array(table.legal(seat), np.uint16)
                advice = int(
                    _greedy(table.games, 0, table.tables, seat, legal, len(legal), rng.getrandbits(62))
                )
                actions[seat] = advice if rng.random() < share else int(rng.choice(legal.tolist()))
            table.step(actions)


def test_plain_python_plays_the_same_games() -> None:
    here = Path(__file__)
    paths = [str(here.parents[1]), str(here.parents[2]), os.environ.get("PYTHONPATH", "")]
    result = subprocess.run(
        [sys.executable, str(here)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    plain = result.stdout.splitlines()
    assert plain[0] == "plain Python"
    compiled = list(transcript())
    for here_line, there_line in zip(compiled, plain[1:], strict=True):
        assert here_line == there_line
    assert len(compiled) > 100


if __name__ == "__main__":
    warnings.simplefilter(
        "error"
    )  # an overflow of a NumPy number warns, and would be silent in compiled code
    print("compiled" if ENABLED else "plain Python")
    for line in transcript():
        print(line)
