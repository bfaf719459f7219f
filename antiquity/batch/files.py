"""Batches in files: npz archives of plain arrays and one JSON text, without any pickle.

The archive's own checksums detect damage, not forgery: a forged file can hold positions that the rules never reach, so
only load files from people you trust.
"""

from __future__ import annotations

import contextlib
import json
import os
import uuid
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from antiquity.batch import checks
from antiquity.batch.core import Array
from antiquity.batch.engine import Engine
from antiquity.game import Game, make_game
from antiquity.game.tables import printed

SAVED = ("reward", "on_illegal", "memory", "max_cycles", "autoreset")
"""The settings that a file stores; the others are arguments of loading it."""
PathLike = str | os.PathLike[str]
FORMAT = 1
"""Number of the file format."""


@contextlib.contextmanager
def replacing(path: PathLike) -> Iterator[Path]:
    """A temporary path to write to, renamed to `path` at the end, so that the file appears whole or not at all."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.{uuid.uuid4().hex[:12]}.partial")
    try:
        yield partial
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def save(path: PathLike, engine: Engine, game_options: dict[str, Any]) -> None:
    """Write where an engine stands. ValueError for options that JSON cannot hold."""
    state = engine.state() | {"tables": printed(engine.core.tables)}
    settings = {name: getattr(engine.settings, name) for name in SAVED}
    seed = state.pop("seed")
    text = {
        "format": FORMAT,
        "game": engine.game.name,
        "version": engine.game.version,
        "begun": state.pop("begun"),
        "seed": seed if isinstance(seed, int) else seed.tolist(),
        "settings": settings | {"game_options": game_options},
    }
    try:
        note = json.dumps(text).encode()
    except TypeError as error:
        raise ValueError(f"the game's options cannot be written as JSON: {error}") from None
    with replacing(path) as partial, open(partial, "wb") as file:
        np.savez_compressed(file, about=np.frombuffer(note, np.uint8), **state)


def load(path: PathLike, game: str | Game | None) -> tuple[Game, dict[str, Any], dict[str, Any]]:
    """The game, the other arguments of a batch, and the arrays of a file; ValueError if they are invalid."""
    about, arrays = _read(path)
    found = make_game(about["game"] if game is None else game)
    if found.name != about["game"] or not found.reads(about["version"]):
        raise ValueError(
            f"{path} has games of {about['game']} version {about['version']}; "
            f"this is {found.name} version {found.version}"
        )
    games, slots = arrays["games"], arrays["slots"]
    if games.ndim != 1 or games.size == 0 or games.dtype != found.dtype:
        raise ValueError(f"{path}: the records are not those of {found.title} as it is here")
    if slots.shape != games.shape:
        raise ValueError(f"{path} is damaged: {games.size} games and {slots.size} slots")
    settings = dict(about["settings"])
    options = settings.pop("game_options")
    made = {
        "num_games": len(games),
        "num_players": slots["num_players"].astype(np.int64),
        "seed": about["seed"],
    }
    return found, made | settings | options, arrays | {"begun": about["begun"]}


def check(path: PathLike, engine: Engine, options: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Check that loaded arrays fit the engine that was made for them."""
    own = engine.state() | {"tables": printed(engine.core.tables)}
    if arrays["tables"].dtype != own["tables"].dtype or arrays["tables"].tobytes() != own["tables"].tobytes():
        named = ", ".join(options) or "its tables"
        raise ValueError(f"{path}: the printed game ({named}) has changed since it was saved")
    for name in ("slots", "rewards", "done", "actions"):
        if arrays[name].dtype != own[name].dtype or arrays[name].shape != own[name].shape:
            raise ValueError(f"{path} was written by another version of Antiquity")
    arrays["seed"] = engine.seed
    if arrays["begun"]:
        games = arrays["games"]
        checks.records(engine.game, games, games.size)
        if (games["num_players"] != arrays["slots"]["num_players"]).any():
            raise ValueError(
                f"{path} is damaged: the games and their slots have different numbers of players"
            )


def _read(path: PathLike) -> tuple[dict[str, Any], dict[str, Array]]:
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            names = ("about", "games", "slots", "tables", "rewards", "done")
            arrays = {name: archive[name] for name in names}
            # Older files have no actions that wait to be resolved.
            waiting = (
                archive["actions"] if "actions" in archive else np.zeros(arrays["rewards"].size, np.int64)
            )
            arrays["actions"] = waiting
        about = json.loads(arrays.pop("about").tobytes())
        if about["format"] != FORMAT:
            raise ValueError(f"format {about['format']}, and this Antiquity reads {FORMAT}")
        missing = {"game", "version", "begun", "seed", "settings"} - about.keys()
        if missing:
            raise KeyError(f"{sorted(missing)}")
        return about, arrays
    except FileNotFoundError:
        raise
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        EOFError,
        OSError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise ValueError(f"{path} is damaged or no saved batch: {error}") from error
