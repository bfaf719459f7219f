"""The documentation says what is so: its snippets run, its commands exist, its tables can be made.

What a page shows is taken as it stands:

* A block of ``python`` is run, in the order of the page and in one namespace, in an empty folder. A block ``text
  title="output"`` behind it is what it prints. Blocks of ``pycon`` are doctests.
* A block whose title is the name of a file (``toml title="my_cards.toml"``) is that file.
* ``<!-- needs: ray.rllib -->``: the page is left out where that package is not installed.
* ``<!-- in tests: 100_000 -> 1_000 -->`` before a block makes it shorter here.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import inspect
import io
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import antiquity
import game_page
import markup
import speed
from antiquity.cli import app
from antiquity.game import GAMES, make_game
from benchmarks.running import SCHEMA

with contextlib.suppress(ImportError):
    import torch

    # Small networks lose more time to threads that wait for each other than they win.
    torch.set_num_threads(1)

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs" / "pages"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
MODULES = [
    path.relative_to(ROOT)
    for package in ("antiquity", *sorted(folder.name for folder in ROOT.glob("*_env")))
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>>" in path.read_text(encoding="utf-8")
]

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)(?: title=\"(?P<title>[^\"]*)\")?$")
NEEDS = re.compile(r"^<!-- needs: ([\w.]+) -->$", re.MULTILINE)
SHORTER = re.compile(r"^ *<!-- in tests: (.+) -> (.+) -->$")


@dataclass
class Block:
    """A fenced block of a page."""

    line: int
    """Of its first line of content, from 1."""
    language: str
    title: str
    text: str
    shorter: list[tuple[str, str]] = field(default_factory=list)

    def code(self) -> str:
        """What is run in tests, on the lines that it has in the page."""
        text = self.text
        for old, new in self.shorter:
            assert old in text, f"line {self.line}: {old!r} is not in the block that it should make shorter"
            text = text.replace(old, new)
        return "\n" * (self.line - 1) + text


def blocks(page: str) -> Iterator[Block]:
    lines = page.splitlines()
    shorter: list[tuple[str, str]] = []
    at = 0
    while at < len(lines):
        mark, fence = SHORTER.match(lines[at]), FENCE.match(lines[at])
        if mark:
            shorter.append((mark[1], mark[2]))
        if fence:
            end = next(n for n in range(at + 1, len(lines)) if lines[n] == fence["indent"] + "```")
            text = textwrap.dedent("\n".join(lines[at + 1 : end])) + "\n"
            yield Block(at + 2, fence["language"], fence["title"] or "", text, shorter)
            shorter = []
            at = end
        at += 1
    assert not shorter, "a shorter form is given for a block that does not follow"


def show(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def run(page: Path, text: str, folder: Path) -> None:
    """Run the blocks of a page in a folder."""
    space: dict[str, Any] = {"__name__": "__main__"}
    printed: str | None = None
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for block in blocks(text):
        if block.language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(block.code(), show(page), "exec"), space)
            printed = out.getvalue()
        elif block.language == "pycon":
            test = parser.get_doctest(block.text, space, show(page), show(page), block.line - 1)
            assert runner.run(test, clear_globs=False).failed == 0
            space.update(test.globs)
        elif block.title == "output":
            assert printed == block.text, f"{show(page)}, line {block.line}: another output is shown"
        elif block.title:
            (folder / block.title).write_text(block.text, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=show)
def test_snippets_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    for package in NEEDS.findall(text):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    run(page, text, tmp_path)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_docstrings_run(module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted and not found.failed


def test_a_wrong_snippet_is_found(tmp_path: Path) -> None:
    page = ROOT / "README.md"
    with pytest.raises(ZeroDivisionError) as caught:
        run(page, "text\n\n```python\nx = 1\nx / 0\n```\n", tmp_path)
    assert caught.traceback[-1].lineno == 4  # counted from 0: the line of the page
    with pytest.raises(AssertionError, match="another output"):
        run(page, '```python\nprint(1)\n```\n\n```text title="output"\n2\n```\n', tmp_path)
    with pytest.raises(AssertionError, match="is not in the block"):
        run(page, "<!-- in tests: 5 -> 1 -->\n```python\nx = 4\n```\n", tmp_path)
    with pytest.raises(AssertionError):
        run(page, "```pycon\n>>> 1 + 1\n3\n```\n", tmp_path)


def commands() -> Iterator[tuple[str, list[str]]]:
    """The lines of the shell blocks, split into words, with where they stand."""
    for page in PAGES:
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.language == "sh":
                for number, line in enumerate(block.text.splitlines()):
                    words = shlex.split(line, comments=True)
                    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
                        words.pop(0)
                    if words:
                        yield f"{show(page)}, line {block.line + number}", words


def test_files_that_pages_name_exist() -> None:
    folders = "|".join(folder.name for folder in ROOT.iterdir() if folder.is_dir())
    named = re.compile(rf"`((?:{folders})/[\w./-]+)`")
    seen = 0
    for page in PAGES:
        for path in named.findall(page.read_text(encoding="utf-8")):
            is_id = re.search(r"-v\d+$", path)
            if not is_id and not path.startswith(("build/", "runs/")):
                seen += 1
                assert (ROOT / path).exists(), f"{show(page)}: there is no {path}"
    assert seen


def test_commands_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    known = {each.name or each.callback.__name__ for each in app.registered_commands if each.callback}
    known |= {each.name for each in app.registered_groups if each.name}
    seen = 0
    for place, (program, *arguments) in commands():
        seen += 1
        name = Path(program).name
        if name == "make":
            named = [each for each in arguments if "=" not in each]
            assert named and set(named) <= targets, place
        elif name == "antiquity":
            assert arguments[0] in known | {"--help"}, place
        elif name == "python" and arguments[0] == "-m":
            assert importlib.util.find_spec(arguments[1]), place
    assert seen


def test_docstrings_become_markdown() -> None:
    text = inspect.cleandoc(
        """
        Says :meth:`reset` and :class:`~antiquity.batch.Batch`, as in::

            x = 1
              y

        Then.

        >>> f(x)  # doctest: +SKIP
        3

        ====  =======
        0     wait
        1-2   go | or
              stay
        ====  =======
        """
    )
    link = {"reset": "antiquity.Batch.reset"}
    assert markup.to_markdown(text, lambda name: link.get(name, name)).splitlines() == [
        'Says <autoref optional identifier="antiquity.Batch.reset"><code>reset</code></autoref> and '
        '<autoref optional identifier="antiquity.batch.Batch"><code>Batch</code></autoref>, as in:',
        "",
        "```python",
        "x = 1",
        "  y",
        "```",
        "",
        "Then.",
        "",
        "```pycon",
        ">>> f(x)",
        "3",
        "```",
        "",
        "",
        "|   |   |",
        "| --- | --- |",
        "| 0 | wait |",
        "| 1-2 | go \\| or stay |",
    ]
    assert markup.to_markdown(":attr:`games`") == "`games`"


def test_shared_entries_are_given_to_each_name() -> None:
    text = (
        "Args:\n    a, b: one\n        two\n    c: three, four: five\nRaises:\n    A, B: bad\n\nOf a, b: no"
    )
    assert markup.one_each(text).splitlines() == [
        "Args:",
        "    a: one",
        "        two",
        "    b: one",
        "        two",
        "    c: three, four: five",
        "Raises:",
        "    A: bad",
        "    B: bad",
        "",
        "Of a, b: no",
    ]


@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_has_a_page(name: str) -> None:
    game = make_game(name)
    page = game_page.page(game)
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    assert headings[0] == game.title
    for heading in (
        "Example",
        "Observation",
        "Actions",
        "Decisions",
        "Rewards",
        "Score",
        "Options",
        "Versions",
    ):
        assert headings.count(heading) == 1, heading
    assert any(heading.startswith("Open questions") for heading in headings)
    for each in (*game.layout, *game.memory_layout, *game.state_layout):
        assert f"| `{each.name}` |" in page
    for option in game.options:
        assert f"| `{option.name}` | `{option.default!r}` |" in page
    assert f"| {game.num_actions - 1} |" in page
    assert f"v{game.version}" in page.rpartition("## Versions")[2]
    example = next(block for block in blocks(page) if block.language == "python")
    exec(compile(example.text, f"{name}.md", "exec"), {})


def test_a_game_page_without_a_section_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("seven_wonders")
    module = importlib.import_module("seven_wonders_env")
    monkeypatch.setattr(module, "__doc__", str(module.__doc__).replace("**Actions.**", "**Acts.**"))
    with pytest.raises(ValueError, match="no section Actions"):
        game_page.page(game)


SUMMARY = {"median": 1234567.0, "low": 1.2e6, "high": 1.3e6}
SLOW = {"median": 4.5, "low": 4.0, "high": 5.0}
MEASURE = {
    "kind": "step",
    "game": "seven_wonders",
    "players": 4,
    "games": 1024,
    "threads": 1,
    "options": {},
    "group": "players",
    "decisions_per_second": SUMMARY,
    "games_per_second": SUMMARY,
    "ratio": SLOW,
    "speedup": None,
}
RUN: dict[str, Any] = {
    "schema": SCHEMA,
    "machine": {
        "date": "2026-05-04T03:02:01+00:00",
        "revision": "abc",
        "cpu": "Some CPU",
        "cores": 2,
        "memory_gib": 8.0,
        "system": "Linux",
        "python": "3.11.7",
        "versions": {"numba": "0.1", "open_spiel": None},
        "load": [0.1, 0, 0],
    },
    "load_after": [1.0, 0, 0],
    "games": [{"game": "seven_wonders", "title": "7 Wonders", "default_players": 4}],
    "measures": [
        MEASURE,
        MEASURE | {"options": {"payments": "cheapest"}, "decisions_per_second": SLOW},
        MEASURE | {"group": "sizes", "games": 64},
        MEASURE | {"group": "threads", "threads": 2, "speedup": SLOW},
    ],
    "starts": [
        {"game": "seven_wonders", "cold": {"seconds": 12.34}, "warm": [{"seconds": 0.5}, {"seconds": 0.7}]}
    ],
    "memory": [{"game": "seven_wonders", "record": 944, "batch": 30000.4}],
    "peers": [{"title": "Hearts", "decisions_per_second": SUMMARY, "games_per_second": SLOW, "ratio": None}],
    "peer_notes": ["a note"],
    "goals": [
        {
            "game": "seven_wonders",
            "goal": "the goal",
            "at_least": True,
            "bound": 10.0,
            "unit": "x",
            "value": 9.999,
            "reached": False,
        }
    ],
    "left_out": ["something"],
}


def test_tables_of_speed(tmp_path: Path) -> None:
    assert speed.summary(tmp_path) == speed.report(tmp_path) == speed.NONE
    assert speed.plot(tmp_path) is None
    older = RUN | {"machine": RUN["machine"] | {"date": "2025-01-01T00:00:00+00:00", "cpu": "Old CPU"}}
    for name, run_ in (("a", RUN), ("b", older)):
        (tmp_path / f"{name}.json").write_text(json.dumps(run_), encoding="utf-8")
    summary = speed.summary(tmp_path)
    assert "| batch step, in place | 1.23 M |" in summary
    assert "Measured on 2026-05-04 at revision `abc`: Some CPU, 2 cores" in summary
    report = speed.report(tmp_path)
    for line in (
        "With numba 0.1.",
        "| batch step, in place | 4 | 1,024 | 1.23 M (1.2 M to 1.3 M) | 1.23 M | 4.50 (4.00 to 5.00) |",
        '| batch step, in place, `payments="cheapest"` | 4 | 1,024 | 4.5 (4 to 5) | 1.23 M | 4.50 (4.00 to 5.00) |',
        "| 64 | 1.23 M |",
        "| batch step, in place | 1,024 | 2 | 1.23 M (1.2 M to 1.3 M) | 4.50 (4.00 to 5.00) |",
        "| `seven_wonders` | 12.3 | 0.60 | 944 | 30,000 |",
        "| Hearts | 1.23 M (1.2 M to 1.3 M) | 4.5 | - |",
        "| 7 Wonders | the goal | at least 10 | 9.999 | x | **no** |",
        "- a note",
        "- something",
    ):
        assert line in report.splitlines(), line
    assert "were busy" not in report
    plot = speed.plot(tmp_path)
    assert plot is not None and plot == speed.plot(tmp_path) and "batch step, in place" in plot
    (tmp_path / "c.json").write_text(json.dumps(RUN | {"load_after": [5, 0, 0]}), encoding="utf-8")
    (tmp_path / "a.json").unlink()
    assert "were busy" in speed.report(tmp_path)
    (tmp_path / "d.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="schema None"):
        speed.report(tmp_path)


README_ROWS = {
    "rollouts inside the kernel": "rollout_random",
    "batch of 1,024 games in place": "step",
    "the same by decision rows": "step_rows",
    "PettingZoo `ParallelEnv`": "parallel",
    "stable-baselines3 `VecEnv`, all seats": "sb3_seats",
}


def test_figures_of_the_readme_are_those_of_the_reference_run() -> None:
    results = speed.read(ROOT / "docs" / "results")
    assert results is not None
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## How fast\n")[2]
    rows = [line.strip("| ").split("|") for line in section.splitlines() if line.startswith("|")]
    titles = [cell.strip() for cell in rows[0]]
    games = {game["title"]: game for game in results["games"]}
    assert set(titles) == set(games)
    seen = set()
    for label, *cells in rows[2 : 2 + len(README_ROWS)]:
        (kind,) = (kind for start, kind in README_ROWS.items() if label.startswith(start))
        seen.add(kind)
        for title, cell in zip(titles, cells, strict=True):
            number, unit = cell.split()
            scale = {"k": 1e3, "M": 1e6}[unit]
            half = 0.5 * scale * 10.0 ** -len(number.partition(".")[2])
            line = speed.default_line(results, games[title], kind)
            assert line is not None
            measured = line["decisions_per_second"]["median"]
            assert abs(float(number) * scale - measured) <= half, f"{label}, {title}: {measured:,.0f}"
    assert seen == set(README_ROWS.values())


def test_the_site_is_whole(tmp_path: Path) -> None:
    """Built strictly, so a link or an anchor that leads nowhere is an error; and it needs nothing from elsewhere."""
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {
        path.relative_to(tmp_path).as_posix(): path.read_text("utf-8") for path in tmp_path.rglob("*.html")
    }
    assert {"index.html", "contributing.html", *(f"games/{name}.html" for name in GAMES)} <= pages.keys()
    for name, page in pages.items():
        outside = re.findall(r"<(?:script|img|iframe|link)\b[^>]*(?:src|href)=\"?https?:[^>]*>", page)
        assert not outside, name
        assert not re.search(r"<!-- table|:(?:class|meth|attr|func|mod|data):`", page), name
    public = {f"antiquity.{each}" for each in antiquity.__all__ if not each.startswith("_")}
    public |= {f"antiquity.arena.match.{each}" for each in ("play_match", "MatchResult", "Standing")}
    anchors = set(re.findall(r'id="(antiquity[\w.]*)"', "".join(pages.values())))
    assert public - {"antiquity.Game", "antiquity.make_game"} <= anchors
    assert {"antiquity.game.Game", "antiquity.game.make_game", "antiquity.Batch.legal_lists"} <= anchors
