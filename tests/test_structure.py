"""How the house is built: floors, entries, file lengths, who may use what, and where games are stepped."""

from __future__ import annotations

import ast
import functools
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from antiquity import Batch

ROOT = Path(__file__).parent.parent
FLOORS = (
    "kernels",
    "game",
    "render",
    "batch",
    "agents",
    "envs",
    "arena",
    "study",
    "train",
    "play",
    "cli",
    "testing",
)
"""The folders of antiquity/, each of which imports from those before it."""
ROOMS = ("state", "options", "actions", "data", "rules", "seats", "views")
"""What every game package has beside its ``__init__``."""
GAMES = ("dice_env", "seven_wonders_env", "stone_age_env")
MOST_LINES = 400
MOST_ENTRIES = 12

NEED_AN_EXTRA = {"antiquity.envs.sb3", "antiquity.play.server", "antiquity.train.api"}
"""Modules that cannot be imported without an optional package, and so are imported where that is needed."""
TYPES_ALONE = {("antiquity.envs.ids", "antiquity.game")}
"""Imports for types that stay: ``import antiquity`` registers ids, and would load numba for a name in a hint."""

FENCED = {("antiquity.kernels.mode", "antiquity.kernels.linked")}
"""The one way to numba's insides, which only a numba that was tried may be asked for."""


@dataclass(frozen=True)
class Import:
    """One import of one of our modules."""

    by: str
    of: str
    late: bool


def sources() -> Iterator[tuple[str, Path, ast.Module]]:
    """Module name, file and syntax tree of everything that is installed."""
    for package in ("antiquity", *GAMES):
        for file in sorted((ROOT / package).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(part for part in parts if part != "__init__")
            yield name, file, ast.parse(file.read_text(encoding="utf-8"))


def is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def targets(node: ast.AST, package: str) -> Iterator[str]:
    """The modules that an import statement names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        origin = node.module or ""
        if node.level:
            base = package.split(".")[: len(package.split(".")) - node.level + 1]
            origin = ".".join([*base, origin] if origin else base)
        for alias in node.names:
            yield f"{origin}.{alias.name}" if is_module(f"{origin}.{alias.name}") else origin


@functools.cache
def imports() -> tuple[Import, ...]:
    found = []
    for name, file, tree in sources():
        package = name if file.name == "__init__.py" else name.rpartition(".")[0]
        at_top = {id(node) for node in tree.body}
        for node in ast.walk(tree):
            for target in targets(node, package):
                if target.partition(".")[0] in ("antiquity", *GAMES):
                    found.append(Import(name, target, id(node) not in at_top))
    assert len(found) > 300
    return tuple(found)


def floor(module: str) -> int:
    """The floor of a module of antiquity; the package itself lies above all, as it only names what is below."""
    parts = module.split(".")
    return FLOORS.index(parts[1]) if len(parts) > 1 else len(FLOORS)


def test_imports_go_down_the_floors() -> None:
    up = [
        each
        for each in imports()
        if each.by.startswith("antiquity.")
        and (not each.of.startswith("antiquity.") or floor(each.of) > floor(each.by))
    ]
    assert up == []


def test_game_packages_know_the_shared_part_and_themselves() -> None:
    """In a game: state, options and actions, data, rules, seats, views, one way; of antiquity what authors need."""
    allowed = {"antiquity.game", "antiquity.kernels", "antiquity.render", "antiquity.envs.makers"}
    for each in imports():
        package = each.by.partition(".")[0]
        if package not in GAMES or each.of == package:
            continue
        if each.of.startswith("antiquity"):
            assert any(f"{each.of}.".startswith(f"{name}.") for name in allowed), each
        else:
            assert each.of.partition(".")[0] == package, each


def test_there_are_no_circles() -> None:
    """Going by all imports, those inside functions and for types among them."""
    edges: dict[str, set[str]] = {}
    for each in imports():
        if (each.by, each.of) not in TYPES_ALONE and each.by != "antiquity":
            edges.setdefault(each.by, set()).add(each.of)
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path[path.index(module) :], module))
        if module not in done:
            for other in sorted(edges.get(module, ())):
                visit(other, (*path, module))
            done.add(module)

    for module in sorted(edges):
        visit(module, ())


def test_only_what_needs_an_extra_is_imported_late() -> None:
    late = {
        (each.by, each.of)
        for each in imports()
        if each.late and each.by != "antiquity" and each.of not in NEED_AN_EXTRA
    }
    assert late == TYPES_ALONE | FENCED


def test_top_levels_are_short() -> None:
    kept = ("__init__.py", "py.typed", "__pycache__")
    entries = {entry.name for entry in (ROOT / "antiquity").iterdir()} - set(kept)
    assert entries == set(FLOORS) and len(entries) <= MOST_ENTRIES
    for package in GAMES:
        names = {entry.stem for entry in (ROOT / package).iterdir() if entry.name not in kept}
        assert names == set(ROOMS), package


@pytest.mark.parametrize("folder", ["antiquity", *GAMES, "benchmarks", "docs", "examples"])
def test_no_file_is_long(folder: str) -> None:
    files = list((ROOT / folder).rglob("*.py"))
    lengths = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    assert files and {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_folders_say_what_they_are_for() -> None:
    packages = [file for _, file, _ in sources() if file.name == "__init__.py"]
    assert len(packages) > len(FLOORS)
    for file in packages:
        text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        assert len(text) > 60 and "TODO" not in text, file


# --- who uses what --------------------------------------------------------------------------------------------------


def private_uses(tree: ast.Module) -> Iterator[str]:
    """Private names that are taken from something other than the object or the class itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            owner = node.value
            if isinstance(owner, ast.Name) and owner.id in ("self", "cls"):
                continue
            if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super":
                continue
            yield ast.unparse(node)


def test_nobody_reaches_into_a_batch() -> None:
    """Only its own package knows the inside of a batch."""
    for name, _, tree in sources():
        if not name.startswith("antiquity.batch"):
            for use in private_uses(tree):
                assert "batch." not in use and "driver." not in use, f"{name}: {use}"


def public_names(module: str) -> set[str]:
    return set(importlib.import_module(module).__all__)


def test_the_batch_is_used_by_its_public_names() -> None:
    """What adapters, agents and the arena import is what the package exports, and the reference page shows."""
    page = (ROOT / "docs/pages/reference/batch.md").read_text(encoding="utf-8")
    exported = public_names("antiquity.batch")
    for name in exported:
        assert name in page, f"{name} is not on the reference page of the batch"
    for name, _, tree in sources():
        if name.startswith("antiquity.batch") or name == "antiquity":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("antiquity.batch"):
                assert node.module == "antiquity.batch", f"{name} imports from {node.module}"
                assert {alias.name for alias in node.names} <= exported, name


def test_what_is_asked_of_a_batch_is_documented() -> None:
    """Attributes of anything called batch are public members of Batch."""
    batch = Batch("dice")
    members = {member for member in (*dir(Batch), *vars(batch)) if not member.startswith("_")}
    uses = 0
    for name, _, tree in sources():
        if name.startswith("antiquity.batch"):
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute):
                continue
            owner = node.value
            called = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
            if called == "batch":
                uses += 1
                assert node.attr in members, f"{name}: batch.{node.attr}"
    assert uses > 100


# --- where games are stepped ------------------------------------------------------------------------------------------

STEPPING = {
    "antiquity.batch.loop",
    "antiquity.batch.drive",
    "antiquity.agents.puct",
    "antiquity.agents.tree",
    "antiquity.testing.table",
}
"""The batch's loop, the driver, the search, and the tests' table."""


def test_games_are_stepped_in_few_places() -> None:
    found = set()
    for name, _, tree in sources():
        if name in ("antiquity.game.flow", "antiquity.game.verbs"):
            continue  # where it is declared
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "flow.advance",
                "verbs.advance",
                "advance",
            ):
                found.add(name)
    assert found == STEPPING


def test_numba_and_llvm_stay_behind_the_fence() -> None:
    """Whatever touches numba's insides is in one folder; the rest names none of them."""
    fenced = 0
    for name, _, tree in sources():
        for node in ast.walk(tree):
            named: list[str] = []
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                named = [node.module or ""]
            if any(each.partition(".")[0] in ("numba", "llvmlite") for each in named):
                assert name.startswith("antiquity.kernels"), name
                fenced += 1
    assert fenced > 5
