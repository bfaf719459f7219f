"""The documentation says what is so: its snippets run, its commands and files exist.

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
import io
import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from antiquity.cli.main import app

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
    if re.search(r"^\s*>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
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
