"""This tree against another revision: ``python -m benchmarks compare REV``, for use before a merge.

Both sides run the same benchmark code, each in a process of its own with a folder of compiled kernels of its own:
A, this tree as it lies on disk, and B, the revision in a git worktree in a temporary folder. They measure by turns,
A B B A A B ..., so that whatever else the machine does meets both. A pair of neighbours gives a ratio. The processes
are started anew several times, because memory lies differently in each of them, and that alone can move a figure by
some percent.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from antiquity import make_game
from benchmarks import machine, measures, plan
from benchmarks.clock import Summary
from benchmarks.starts import kernels_in

SCHEMA = 1

Say = Callable[[str], None]

KINDS = (
    "rollout_random",
    "rollout_greedy",
    "step",
    "step_rows",
    "parallel",
    "aec",
    "search",
    "sb3_seats",
    "sb3_learner",
)
"""What is compared, at the default number of players; the first and third also by the games' variants."""

AGREE = 0.9
"""So large a part of the pairs must be on one side of 1 before a difference is called one."""


@dataclass(frozen=True)
class Effort:
    """How much a comparison does."""

    processes: int
    """Pairs of processes, one after the other."""
    pairs: int
    """Ratios from each pair of processes, for each line."""
    seconds: float
    """Of a repetition, about."""


FULL = Effort(3, 8, 0.15)
QUICK = Effort(2, 4, 0.08)


class Side:
    """A process that measures a tree.

    Args:
        tree: what is imported as ``antiquity`` and the games.
        code: a folder with the package ``benchmarks`` and nothing else.
        cache: folder of the compiled kernels.
    """

    def __init__(self, tree: Path, code: Path, cache: Path) -> None:
        # PYTHONPATH comes before installed packages, an editable install of this very tree among them.
        path = os.pathsep.join((str(metadata(tree, cache)), str(tree)))
        environment = {**os.environ, "PYTHONPATH": path, **kernels_in(cache)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=code,
            env=environment,
        )
        try:
            where = self.ask({"where": None})
            if Path(where.get("where", "")).resolve() != tree.resolve():
                raise RuntimeError(f"the process for {tree} has imported antiquity from elsewhere: {where}")
        except BaseException:
            self.close()
            raise

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request, see :mod:`benchmarks.worker`. RuntimeError when the process has died."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise RuntimeError(f"a measuring process has ended with status {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def __enter__(self) -> Side:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def metadata(tree: Path, folder: Path) -> Path:
    """Write to `folder`, and return, a folder that tells what `tree` would tell if it were installed.

    Games are found by entry points. Without it both sides would have those of the installed package, and the two
    revisions may name their games, or the group, differently.
    """
    home = folder / "installed"
    project = tree / "pyproject.toml"
    if project.exists():
        about = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
        inside = home / f"{about['name']}-{about['version']}.dist-info"
        inside.mkdir(parents=True, exist_ok=True)
        name = f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n"
        (inside / "METADATA").write_text(name, encoding="utf-8")
        lines = []
        for group, points in about.get("entry-points", {}).items():
            lines += [f"[{group}]", *(f"{point} = {place}" for point, place in points.items())]
        (inside / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return home


@contextmanager
def worktree(revision: str) -> Iterator[tuple[str, Path]]:
    """The revision's commit, and its files in a temporary folder.

    Raises:
        RuntimeError: git knows no such commit, or this is no git repository.
    """
    try:
        commit = machine.git("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    except RuntimeError as error:
        raise RuntimeError(f"git knows no commit {revision!r} ({error})") from None
    with tempfile.TemporaryDirectory(prefix="antiquity-compare-") as folder:
        tree = Path(folder) / "tree"
        machine.git("worktree", "add", "--detach", str(tree), commit)
        try:
            yield commit, tree
        finally:
            machine.git("worktree", "remove", "--force", str(tree))


def specs(games: Sequence[str]) -> list[measures.Spec]:
    """The lines that are compared."""
    found = []
    for game in games:
        players = make_game(game).default_players
        for kind in KINDS:
            size = plan.BATCH if measures.KINDS[kind].batched else 1
            found.append(measures.Spec(kind, game, players, size))
            if kind in ("rollout_random", "step"):
                found += [
                    measures.Spec(kind, game, players, size, options=options)
                    for options in plan.VARIANTS.get(game, [])
                ]
    return found


def compare(
    revision: str, games: Sequence[str], effort: Effort, *, say: Say = lambda _line: None
) -> dict[str, Any]:
    """Measure this tree and the revision by turns.

    Returns:
        For JSON: ``schema``, ``machine``, ``revision`` (what was asked for), ``commit``, ``effort`` and ``lines``, each
        with ``this`` and ``other`` (decisions a CPU-second), ``ratio``, ``ratios`` and ``verdict``, or with ``error``.
    """
    wanted = specs(games)
    rates: list[list[tuple[float, float]]] = [[] for _ in wanted]
    broken: dict[int, str] = {}
    with (
        worktree(revision) as (commit, other),
        tempfile.TemporaryDirectory(prefix="antiquity-compare-") as folder,
    ):
        code = Path(folder) / "code"
        shutil.copytree(
            Path(__file__).parent, code / "benchmarks", ignore=shutil.ignore_patterns("__pycache__")
        )
        for process in range(effort.processes):
            with ExitStack() as stack:
                sides = [
                    stack.enter_context(Side(tree, code, Path(folder) / name))
                    for name, tree in (("this", machine.ROOT), ("other", other))
                ]
                for number, spec in enumerate(wanted):
                    if number not in broken:
                        say(f"processes {process + 1} of {effort.processes}: {spec}")
                        found = by_turns(sides, spec, effort)
                        if isinstance(found, str):
                            broken[number] = found
                        else:
                            rates[number] += found
    return {
        "schema": SCHEMA,
        "machine": machine.describe(),
        "revision": revision,
        "commit": commit,
        "effort": asdict(effort),
        "lines": [
            {
                **spec.as_dict(),
                **({"error": broken[number]} if number in broken else judge(rates[number])),
            }
            for number, spec in enumerate(wanted)
        ],
    }


def by_turns(sides: Sequence[Side], spec: measures.Spec, effort: Effort) -> list[tuple[float, float]] | str:
    """The rates of both sides, a pair for each turn; or, in words, which side cannot run the line and why."""
    for name, side in zip(("this tree", "the other revision"), sides, strict=True):
        answer = side.ask({"open": spec.as_dict(), "seconds": effort.seconds})
        if "error" in answer:
            return f"{name}: {answer['error']}"
    pairs = []
    for turn in range(effort.pairs):
        order = (0, 1) if turn % 2 == 0 else (1, 0)
        pair = {number: sides[number].ask({"sample": None}) for number in order}
        for name, number in (("this tree", 0), ("the other revision", 1)):
            if "error" in pair[number]:
                return f"{name}: {pair[number]['error']}"
        pairs.append((float(pair[0]["rate"]), float(pair[1]["rate"])))
    return pairs


def judge(pairs: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Medians, the ratio with its quartiles, and what they say."""
    ratios = [this / other for this, other in pairs]
    enough = AGREE * len(ratios)
    faster, slower = sum(ratio > 1 for ratio in ratios), sum(ratio < 1 for ratio in ratios)
    verdict = "faster" if faster >= enough else "slower" if slower >= enough else "no difference seen"
    return {
        "this": Summary.of([this for this, _ in pairs]).median,
        "other": Summary.of([other for _, other in pairs]).median,
        "ratio": Summary.of(ratios)._asdict(),
        "ratios": ratios,
        "verdict": verdict,
    }


def failures(results: dict[str, Any]) -> list[str]:
    """The lines without a ratio, and why they have none."""
    return [f"{_spec(line)}: {line['error']}" for line in results["lines"] if "error" in line]


def _spec(line: dict[str, Any]) -> measures.Spec:
    return measures.Spec(**{name: line[name] for name in measures.Spec.__dataclass_fields__})


def table(results: dict[str, Any]) -> Table:
    """A comparison for the terminal."""
    from benchmarks.report import short

    title = (
        f"This tree ({results['machine']['revision']}) against {results['revision']} ({results['commit'][:12]}): "
        f"decisions per CPU-second, 1 thread"
    )
    caption = (
        f"Ratios of {results['effort']['processes'] * results['effort']['pairs']} pairs measured by turns, median and "
        f"quartiles. A verdict needs {AGREE:.0%} of the pairs on one side of 1."
    )
    made = Table(title=title, title_justify="left", title_style="bold", header_style="", caption=caption)
    made.add_column("what")
    for column in ("this tree", results["revision"], "ratio", "verdict"):
        made.add_column(column, justify="right")
    for line in results["lines"]:
        spec = _spec(line)
        if "error" in line:
            made.add_row(str(spec), "", "", "", "failed")
            continue
        ratio = "{median:.3f} ({low:.3f} to {high:.3f})".format(**line["ratio"])
        made.add_row(str(spec), short(line["this"]), short(line["other"]), ratio, line["verdict"])
    return made
