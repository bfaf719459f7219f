"""examples/nim_env: a game of somebody else's, installed into a folder of its own, and all that then works."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "nim_env"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder it is installed into, from a copy, so that nothing is left behind in the checkout."""
    source, target = tmp_path_factory.mktemp("source") / "nim_env", tmp_path_factory.mktemp("installed")
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    command = [sys.executable, "-m", "pip", "install", *options, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def test_it_says_where_its_game_is(installed: Path) -> None:
    (found,) = (each for each in distributions(path=[str(installed)]) if each.name == "nim-env")
    (point,) = found.entry_points
    assert (point.group, point.name, point.value) == ("antiquity.games", "Nim-v0", "nim_env:GAME")
    assert (installed / "nim_env" / "py.typed").is_file()


def test_everything_works_with_it(installed: Path) -> None:
    """tests/nim_uses.py, and the example's own tests, in a process that finds it installed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTHONPATH"] = os.pathsep.join((str(installed), str(ROOT)))
    files = [str(ROOT / "tests" / "nim_uses.py"), str(EXAMPLE / "tests")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_rules_are_short_and_need_two_modules() -> None:
    """The six kernels: about 50 lines, with nothing but what is meant for authors of games."""
    source = (EXAMPLE / "nim_env" / "__init__.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    modules = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert {name for name in modules if (name or "").startswith("antiquity")} == {
        "antiquity.game",
        "antiquity.envs.makers",
    }
    kernels = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    assert [each.name for each in kernels] == ["init", "legal", "advance", "observe", "score", "check"]
    lines = sum((each.end_lineno or 0) - each.lineno + 2 for each in kernels)
    assert lines <= 50
