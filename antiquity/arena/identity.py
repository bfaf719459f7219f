"""What makes two players, or two printed games, the same: so that a results file never mixes what is not.

Two agents of one name are the same when the code that they are made of and their settings are. The code is that of the
module of their class, with the modules beside it when it lies in a package; what that imports from elsewhere is not
looked at. Code is compared byte by byte, so an edited comment counts.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import shutil
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from antiquity.agents import Agent, CallableAgent
from antiquity.agents.external import ExternalAgent
from antiquity.game import Game
from antiquity.game.tables import tables_hash

MOST_BYTES: Final = 64 << 20
"""Of a program; of a longer one the size alone counts."""


def release() -> str:
    """The installed release of Antiquity."""
    try:
        return importlib.metadata.version("antiquity")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def printed_games(game: Game, options: dict[str, Any]) -> dict[str, str]:
    """Number of players -> hash of the printed game, for those that the options are for."""
    found = {}
    for players in range(game.min_players, game.max_players + 1):
        try:
            tables, _ = game.setup(players, **options)
        except (ValueError, TypeError):
            continue
        found[str(players)] = tables_hash(tables)
    return found


def code_of_game(game: Game) -> str:
    """A hash of the package that a game lies in."""
    return _code(game.origin.partition(":")[0].partition(".")[0], True)


def fingerprint(agent: Agent) -> str:
    """A hash of an agent's code and plain settings; of an external one, of its program."""
    found = hashlib.blake2b(digest_size=16)

    def add(*parts: object) -> None:
        found.update(repr(parts).encode())

    kind = type(agent)
    add(kind.__module__, kind.__qualname__, _code(kind.__module__))
    for name, value in sorted(vars(agent).items()):
        if name.startswith("_") or name in ("name", "memory_layout"):
            continue
        if isinstance(value, (bool, int, float, str, bytes, type(None))):
            add(name, value)
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            add(name, value.dtype.str, value.shape, hashlib.sha256(value.tobytes()).hexdigest())
    if isinstance(agent, CallableAgent):
        function = getattr(agent.function, "__func__", agent.function)
        code = getattr(function, "__code__", None)
        add(_code(getattr(function, "__module__", None) or type(function).__module__))
        add(
            code
            and (
                code.co_code,
                code.co_names,
                [each for each in code.co_consts if isinstance(each, (int, float, str))],
            )
        )
    if isinstance(agent, ExternalAgent):
        for place, part in enumerate(agent.command):
            path = Path((shutil.which(part) if place == 0 else None) or part)
            add(part, _file(path) if path.is_file() else "")
    return found.hexdigest()


def _file(path: Path) -> str:
    size = path.stat().st_size
    return hashlib.sha256(path.read_bytes()).hexdigest() if size <= MOST_BYTES else str(size)


@functools.lru_cache(maxsize=256)
def _code(module: str, whole: bool = False) -> str:
    """A hash of a module's file and those beside it, with `whole` also of those below."""
    found = hashlib.blake2b(digest_size=16)
    loaded = sys.modules.get(module)
    file = getattr(loaded, "__file__", None)
    if file is not None:
        path = Path(file)
        beside = bool(getattr(loaded, "__package__", ""))
        files = path.parent.glob("**/*.py" if whole else "*.py") if beside else [path]
        for each in sorted(files):
            found.update(each.name.encode() + b"\0" + each.read_bytes())
    return found.hexdigest()


def difference(known: dict[str, Any], wanted: dict[str, Any]) -> str:
    """What the games of two plans do not have in common (see ``Plan.about``), in words; empty if nothing."""
    for name in ("game", "agents", "seed", "options"):
        if known.get(name) != wanted[name] and (name != "options" or "release" in known):
            return f"its {name} is {known.get(name)}, not {wanted[name]}"
    if "release" not in known:
        return "it was begun by an earlier release, which did not write down what its games follow from"
    if known["version"] != wanted["version"]:
        return f"its games are of version {known['version']}, not {wanted['version']}"
    if known["release"] != wanted["release"]:
        return f"it was played by Antiquity {known['release']}, and this is {wanted['release']}"
    if known.get("tables") != wanted["tables"]:
        given = ", ".join(f"{name}={value}" for name, value in wanted["options"].items()) or "no options"
        return f"the printed game ({given}) has changed since"
    for name, code in wanted["code"].items():
        if known.get("code", {}).get(name) != code:
            return f"agent {name!r} has changed since" if name else "the game's code has changed since"
    return ""
