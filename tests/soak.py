"""A long run of all that only time brings to light: ``make soak``, an hour, or ``make soak MINUTES=10``.

Random games against the referees, records that were tampered with, hidden things under every view, tournaments and
training runs that are killed and go on, a Ray cluster that loses a node, and batches that play for a long time and
must not grow. Each part gets its share of the time; one table says what came of it, and the exit status is 1 if
anything failed.

    python tests/soak.py [--minutes 60] [--only TEXT]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from antiquity import Batch
from antiquity.arena import Results
from antiquity.game import GAMES

ROOT = Path(__file__).parents[1]
GROWTH = 48 << 20
"""Bytes that a long run may grow by: first uses of what is compiled late."""
DECISIONS = {"seven_wonders": 1_500, "stone_age": 1_200, "dice": 1_500}
"""Decisions a second that kernels and referee make together, roughly: how many a share of the time is."""

RECORDS = 300
"""Tampered with in one process."""
ENDLESS = 1_200
"""Seconds after which a record is held to loop for ever."""


@dataclass(frozen=True)
class Part:
    """One kind of trial.

    Attributes:
        name: in the table.
        share: of the time.
        run: ``run(seconds)`` -> what was done, in words; raises where something is wrong.
    """

    name: str
    share: float
    run: Callable[[float], str]


def pytest_run(words: list[str], **variables: str) -> str:
    """Run tests in a process of their own; what they say last."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *words],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stdout.strip().splitlines()[-1:] or [done.stderr[-200:]]
    if done.returncode:
        raise AssertionError(f"{' '.join(words)}: {done.stdout[-2000:]}")
    return last[0].strip("= ")


def against_referee(name: str) -> Callable[[float], str]:
    """Random games through kernels and referee."""

    def run(seconds: float) -> str:
        wanted = max(1_000, round(seconds * DECISIONS[name]))
        said = pytest_run(
            [f"tests/{name}/test_against_referee.py", "-k", "fuzz"], ANTIQUITY_FUZZ_DECISIONS=str(wanted)
        )
        return f"{wanted:,} decisions; {said}"

    return run


def tampered(name: str) -> Callable[[float], str]:
    """Records that were tampered with, under bounds checks, until the time is over."""

    def run(seconds: float) -> str:
        started, refused, accepted = time.monotonic(), 0, 0
        while not refused or time.monotonic() - started < seconds:
            seed = random.SystemRandom().randrange(1 << 30)
            done = subprocess.run(
                [sys.executable, "tests/record_fuzz.py", name, str(RECORDS), str(seed)],
                cwd=ROOT,
                env=os.environ | {"NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(ROOT)},
                capture_output=True,
                text=True,
                check=False,
                timeout=ENDLESS,
            )
            if done.returncode:
                raise AssertionError(f"seed {seed}, exit status {done.returncode}: {done.stderr[-2000:]}")
            found = json.loads(done.stdout)
            refused, accepted = refused + found[0], accepted + found[1]
        return f"{refused:,} records refused, {accepted:,} accepted and harmless"

    return run


def hidden(seconds: float) -> str:
    """Every view of what must not be seen."""
    positions = max(20, round(seconds * 3))
    said = pytest_run(["tests/test_hidden.py"], ANTIQUITY_HIDDEN_POSITIONS=str(positions))
    return f"{positions:,} positions a game; {said}"


def killed_tournaments(seconds: float) -> str:
    """Tournaments that are killed at random moments and continued come to the games of one that was not."""
    started, kills, ended = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder, "whole.sqlite")
        words = [
            "tournament",
            "dice",
            "greedy",
            "random",
            "search:simulations=20",
            "--players",
            "3",
            "--deals",
            "12",
        ]
        command = [sys.executable, "-m", "antiquity.cli", *words, "--results"]
        subprocess.run([*command, str(whole)], cwd=ROOT, check=True, capture_output=True)
        broken = Path(folder, "broken.sqlite")
        while not ended or time.monotonic() - started < seconds:
            running = subprocess.Popen(
                [*command, str(broken)],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                # When the time is over the last one may come to its end, so that there is one to compare.
                late = time.monotonic() - started >= seconds
                running.wait(timeout=None if late else random.uniform(0.2, 6.0))
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
                kills += 1
                continue
            assert running.returncode == 0, "a continued tournament failed"
            assert content(whole) == content(broken), "a killed tournament came to other games"
            broken.unlink()
            ended += 1
    return f"{kills} kills; {ended} ended in the same games"


def content(path: Path) -> str:
    """A hash of all games of a results file."""
    with Results.open(path):
        pass  # raises where it is damaged
    with sqlite3.connect(path) as db:
        rows = [
            db.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4").fetchall()
            for table in ("games", "seats")
        ]
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def killed_training(seconds: float) -> str:
    """Training that is killed and goes on ends in the same weights."""
    return repeated(["tests/test_train.py", "-k", "killed_and_resumed"], seconds)


def killed_nodes(times: int) -> Callable[[float], str]:
    """A Ray cluster of three nodes loses one at a random moment."""
    return lambda seconds: repeated(
        ["tests/test_arena_executors.py", "-k", "ray_node_is_killed"], seconds, times
    )


def repeated(words: list[str], seconds: float, least: int = 1) -> str:
    """Tests, again and again."""
    started, count, said = time.monotonic(), 0, ""
    while count < least or time.monotonic() - started < seconds:
        said = pytest_run(words)
        count += 1
    return f"{count} times; {said}"


def long_run(seconds: float) -> str:
    """Batches of all games play on and on, and the process does not grow."""
    batches = [Batch(name, 256, seed=0, copy=copy) for name in GAMES for copy in (True, False)]
    for batch in batches:
        batch.reset()
        for _ in range(200):
            batch.step(batch.sample())
    before, started, steps = memory(), time.monotonic(), 0
    while time.monotonic() - started < seconds:
        for batch in batches:
            for _ in range(20):
                batch.step(batch.sample("greedy" if steps % 3 else "random", salt=steps))
                steps += 1
    grown = memory() - before
    assert grown < GROWTH, f"grew by {grown / 1e6:.0f} MB in {steps:,} steps"
    return f"{steps:,} steps of 256 games; grew by {grown / 1e6:.1f} MB"


def memory() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def parts(minutes: float) -> list[Part]:
    """Everything, with its share of the time."""
    found = [Part(f"{name} against the referee", 0.12, against_referee(name)) for name in GAMES]
    found += [Part(f"{name}: records tampered with", 0.06, tampered(name)) for name in GAMES]
    found.append(Part("what is hidden", 0.1, hidden))
    found.append(Part("tournaments killed", 0.1, killed_tournaments))
    found.append(Part("training killed", 0.06, killed_training))
    found.append(Part("Ray nodes killed", 0.1, killed_nodes(10 if minutes >= 30 else 1)))
    found.append(Part("long runs", 0.1, long_run))
    return found


def soak(minutes: float, only: str = "") -> Table:
    """Run all parts whose name has a text in it; the table, whose title says whether anything failed."""
    console = Console(stderr=True)
    table = Table(title="soak: all well")
    for heading in ("part", "seconds", "what was done"):
        table.add_column(heading, justify="right" if heading == "seconds" else "left")
    for part in parts(minutes):
        if only not in part.name:
            continue
        started = time.monotonic()
        with console.status(part.name):
            try:
                said = part.run(60 * minutes * part.share)
            except Exception as error:
                said = f"FAILED: {type(error).__name__}: {error}"
                table.title = "soak: something failed"
        table.add_row(part.name, f"{time.monotonic() - started:.0f}", said)
    return table


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--only", default="", help="parts whose name has this text in it")
    given = parser.parse_args()
    table = soak(given.minutes, given.only)
    Console(width=None if sys.stdout.isatty() else 160).print(table)
    sys.exit("failed" in str(table.title))


if __name__ == "__main__":
    main()
