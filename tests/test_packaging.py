"""What is shipped: the wheel holds every module and every table, and what is said about the release agrees."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import Distribution, distributions, version
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import antiquity
from antiquity.envs.ids import NAMESPACE, id_of
from antiquity.game import Game, make_game
from antiquity.game.registry import name_of

ROOT = Path(__file__).parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]
GAME_PACKAGES = sorted(folder.name for folder in ROOT.glob("*_env") if (folder / "__init__.py").is_file())
GAMES: dict[str, str] = PROJECT["entry-points"]["antiquity.games"]

# Runs with the unpacked wheel as its first argument, which comes before the checkout on the path.
USE_THE_WHEEL = """
import sys
sys.path.insert(0, sys.argv[1])
from importlib.metadata import distributions
(installed,) = (each for each in distributions(path=[sys.argv[1]]) if each.name == "antiquity")
for point in installed.entry_points.select(group="antiquity.games"):
    game = point.load()
    home = sys.modules[point.module].__file__
    assert home.startswith(sys.argv[1]), home
    for players in range(game.min_players, game.max_players + 1):
        tables, options = game.setup(players)
        assert tables.shape == options.shape == (1,)
    print(point.name)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy, so that nothing is left behind in the checkout and nothing stale comes along."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for package in ("antiquity", *GAME_PACKAGES):
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, source)
    build = [
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--wheel-dir",
        str(target),
        str(source),
    ]
    done = subprocess.run([sys.executable, "-m", "pip", *build], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = target.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def shipped(unpacked: Path) -> Distribution:
    (found,) = (each for each in distributions(path=[str(unpacked)]) if each.name == "antiquity")
    return found


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(unpacked: Path) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for package in ("antiquity", *GAME_PACKAGES)
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    }
    files = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    held = {name for name in files if not name.startswith("antiquity-")}
    assert held == wanted
    assert "seven_wonders_env/data/second_edition.toml" in held
    assert "seven_wonders_env/data/rules.md" in held


@pytest.mark.parametrize("package", ["antiquity", *GAME_PACKAGES])
def test_every_package_is_marked_as_typed(package: str, unpacked: Path) -> None:
    assert (unpacked / package / "py.typed").is_file()


def test_games_play_from_the_wheel_alone(unpacked: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", USE_THE_WHEEL, str(unpacked)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == list(GAMES)


def test_the_wheel_names_its_version_licence_extras_and_command(shipped: Distribution) -> None:
    assert shipped.version == antiquity.__version__
    assert shipped.metadata["License-Expression"] == "MIT"
    assert set(shipped.metadata.get_all("Provides-Extra") or ()) == set(PROJECT["optional-dependencies"])
    (command,) = shipped.entry_points.select(group="console_scripts")
    assert command.name == "antiquity"
    assert callable(command.load())


def test_one_version_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    cited = re.findall(r"^version: (\S+)$", citation, flags=re.MULTILINE)
    released = re.findall(r"^## (\S+) - (?:unreleased|\d{4}-\d{2}-\d{2})$", changelog, flags=re.MULTILINE)
    assert cited == [PROJECT["version"]]
    assert released[0] == PROJECT["version"]
    assert antiquity.__version__ == PROJECT["version"]
    assert version("antiquity") == PROJECT["version"]


def test_every_game_package_is_found_by_name() -> None:
    assert sorted(place.partition(":")[0] for place in GAMES.values()) == GAME_PACKAGES
    for name in GAMES:
        game = make_game(name_of(name))
        assert isinstance(game, Game)
        assert game.name == name_of(name)


def test_every_game_has_the_id_of_its_version() -> None:
    declared = {f"{NAMESPACE}/{name}": place for name, place in GAMES.items()}
    assert declared == {id_of(make_game(place)): place for place in GAMES.values()}


def test_every_requirement_has_a_pin_that_satisfies_it() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    releases = {}
    for pin in pins:
        (only,) = pin.specifier
        assert only.operator == "==", pin
        releases[canonicalize_name(pin.name)] = only.version
    assert len(releases) == len(pins)
    optional = chain.from_iterable(PROJECT["optional-dependencies"].values())
    for text in (*PYPROJECT["build-system"]["requires"], *PROJECT["dependencies"], *optional):
        wanted = Requirement(text)
        if wanted.name == PROJECT["name"]:
            assert wanted.extras <= set(PROJECT["optional-dependencies"]), text
            continue
        assert releases[canonicalize_name(wanted.name)] in wanted.specifier, text
