"""Deliberate faults in the kernels, each of which its game's tests must find: ``make mutants``.

``tests/mutants/GAME.toml`` lists them. Every mutant names a file, a text that stands in it exactly once, the text that
takes its place, and why it matters. The tree is copied to a scratch folder, one copy for each worker; a mutant is put
into it, the tests of its game run until one fails, and the file is put back.

The test files under ``uncompiled`` run first, with the kernels as plain Python: nothing has to be compiled, so most
mutants are caught within seconds. What passes those meets the rest of the game's tests, compiled, those under
``compiled_first`` before the others. The tests must pass without a mutant, or nothing would be shown.

    python tests/mutants/run.py [--game dice] [--only TEXT] [--jobs 2]
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

ROOT = Path(__file__).parents[2]
LISTS = Path(__file__).parent
KEYS = {"file", "old", "new", "why"}
LIMIT_UNCOMPILED, LIMIT_COMPILED = 120, 900
"""Seconds of CPU time that a process of tests may take: a mutant that makes a loop endless is caught, too."""
CRASH = "pytest"
CANNOT_RUN = re.compile(
    r"\b(SyntaxError|IndentationError|ImportError|ModuleNotFoundError|NameError|TypingError)\b"
)


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One deliberate fault."""

    game: str
    file: str
    old: str
    new: str
    why: str

    def applied(self, source: str) -> str:
        """The source with the fault in it; ValueError where the text does not stand there exactly once."""
        found = source.count(self.old)
        if found != 1:
            raise ValueError(f"{self.file}: {self.old!r} occurs {found} times, not once")
        if self.old == self.new:
            raise ValueError(f"{self.file}: {self.old!r} is replaced by itself")
        return source.replace(self.old, self.new)


@dataclasses.dataclass(frozen=True)
class Game:
    """The mutants of one game, and the order of its tests."""

    name: str
    mutants: tuple[Mutant, ...]
    uncompiled: tuple[str, ...]
    compiled: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What the tests say: ``test`` is the one that failed, or None."""

    test: str | None
    fault: str
    seconds: float


def files_of(game: str) -> list[str]:
    """All test files of a game, by name."""
    tests = ROOT / "tests"
    found = [*tests.glob(f"{game}/test_*.py"), *tests.glob(f"test_{game}*.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def read(path: Path) -> Game:
    """The list of a game; ValueError where it names keys or test files that there are not."""
    data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    name, known = path.stem, files_of(path.stem)
    uncompiled = tuple(data.pop("uncompiled", ()))
    first = tuple(data.pop("compiled_first", ()))
    entries = data.pop("mutant")
    if data:
        raise ValueError(f"{path.name}: unknown entry {min(data)!r}")
    for test in (*uncompiled, *first):
        if test not in known:
            raise ValueError(f"{path.name}: {name} has no tests {test!r}")
    for entry in entries:
        if entry.keys() != KEYS:
            raise ValueError(f"{path.name}: a mutant has {sorted(KEYS)}, not {sorted(entry)}")
    rest = tuple(test for test in known if test not in first)
    return Game(name, tuple(Mutant(name, **entry) for entry in entries), uncompiled, first + rest)


def lists() -> list[Game]:
    """The lists of all games."""
    return [read(path) for path in sorted(LISTS.glob("*.toml"))]


class Worker:
    """A copy of the tree; all copies share a store of compiled kernels, which goes by contents."""

    def __init__(self, folder: Path, name: str) -> None:
        self.tree, self.store = folder / name, folder / "store"
        self.store.mkdir(mode=0o700, exist_ok=True)
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for each in names.split("\0"):
            if each and (ROOT / each).is_file():
                (self.tree / each).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / each, self.tree / each)
        where = self._start([sys.executable, "-c", "import antiquity; print(antiquity.__file__)"], {})
        here, _ = where.communicate()
        if not Path(here.strip()).is_relative_to(self.tree):
            raise RuntimeError(f"tests would import {here.strip()}, not the copy in {self.tree}")

    def _start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
        return subprocess.Popen(
            command,
            cwd=self.tree,
            env={
                **inherited,
                "PYTHONPATH": str(self.tree),
                "PYTHONDONTWRITEBYTECODE": "1",
                "ANTIQUITY_CACHE_DIR": str(self.store),
                "CI": "1",  # hypothesis: the same examples every time
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _run(self, tests: tuple[str, ...], compiled: bool) -> tuple[str | None, str]:
        """The first test that fails, and why; (None, "") when all pass."""
        options = ["-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", "-p", "no:xdist"]
        limit = LIMIT_COMPILED if compiled else LIMIT_UNCOMPILED
        command = ["sh", "-c", f'ulimit -t {limit}; exec "$@"', "tests", sys.executable, "-m", "pytest"]
        running = self._start([*command, *options, *tests], {"NUMBA_DISABLE_JIT": "0" if compiled else "1"})
        output, _ = running.communicate()
        if running.returncode == 0:
            return None, ""
        if running.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return f"{'compiled' if compiled else 'uncompiled'} tests", f"ran for more than {limit} s"
        failed = re.search(r"^(?:FAILED|ERROR) ([^\s\[]+(?:\[.*?\])?)(?: - (.*))?$", output, re.MULTILINE)
        if running.returncode != 1 or failed is None:
            return CRASH, f"pytest gave up with {running.returncode}:\n{output[-2000:]}"
        return failed[1].removeprefix("tests/"), failed[2] or ""

    def outcome(self, game: Game, mutant: Mutant | None) -> Outcome:
        """Run the tests of the game with a fault in the tree, or without any."""
        started = time.perf_counter()
        test, fault = None, ""
        path = self.tree / mutant.file if mutant else None
        source = path.read_text(encoding="utf-8") if path else ""
        if mutant and path:
            path.write_text(mutant.applied(source), encoding="utf-8")
        try:
            if game.uncompiled:
                test, fault = self._run(game.uncompiled, compiled=False)
            if test is None:
                test, fault = self._run(game.compiled, compiled=True)
        finally:
            if path:
                path.write_text(source, encoding="utf-8")
        return Outcome(test, fault, time.perf_counter() - started)


def _each(workers: list[Worker], tasks: list[Any], work: Callable[[Worker, Any], None]) -> None:
    """Every task once, each worker on one at a time."""
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def one(task: Any) -> None:
        worker = idle.get()
        try:
            work(worker, task)
        finally:
            idle.put(worker)

    with ThreadPoolExecutor(len(workers)) as pool:
        list(pool.map(one, tasks))


def main() -> int:
    """Try all mutants; 0 when the tests catch every one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--game", help="of one game alone")
    parser.add_argument("--only", default="", help="those whose file, texts or reason contain this")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (2)")
    asked = parser.parse_args()
    games = {game.name: game for game in lists() if asked.game in (None, game.name)}
    wanted = [
        mutant
        for game in games.values()
        for mutant in game.mutants
        if asked.only in " ".join((mutant.file, mutant.old, mutant.new, mutant.why))
    ]
    if not wanted:
        parser.error("there is no such mutant")
    started, lock = time.perf_counter(), threading.Lock()
    verdicts: list[str] = []

    def say(verdict: str, outcome: Outcome, what: str) -> None:
        by = outcome.test or "no test fails"
        if outcome.test and verdict != "caught":
            by += f": {outcome.fault}"
        with lock:
            verdicts.append(verdict)
            print(f"{verdict:<8} {outcome.seconds:5.0f} s  {what}\n{'':18}{by}", flush=True)

    def unharmed(worker: Worker, game: Game) -> None:
        outcome = worker.outcome(game, None)
        say("passes" if outcome.test is None else "FAILS", outcome, f"{game.name} without any fault")

    def harmed(worker: Worker, mutant: Mutant) -> None:
        outcome = worker.outcome(games[mutant.game], mutant)
        verdict = "caught"
        if outcome.test is None:
            verdict = "SURVIVED"
        elif outcome.test == CRASH or CANNOT_RUN.search(outcome.fault):
            verdict = "BROKEN"  # it cannot run at all: no proof of anything
        say(verdict, outcome, f"{mutant.file}: {mutant.why}")

    with tempfile.TemporaryDirectory(prefix="antiquity-mutants-") as scratch:
        workers = [Worker(Path(scratch), str(number)) for number in range(max(1, asked.jobs))]
        _each(workers, [game for game in games.values() if game.mutants], unharmed)
        if "FAILS" not in verdicts:
            _each(workers, wanted, harmed)
    caught, minutes = verdicts.count("caught"), (time.perf_counter() - started) / 60
    print(f"{caught} of {len(wanted)} mutants caught in {minutes:.1f} minutes")
    return int(caught < len(wanted))


if __name__ == "__main__":
    sys.exit(main())
