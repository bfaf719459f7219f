"""Batches in files: npz archives of plain arrays and one JSON text, without any pickle.

The archive's own checksums detect damage, the check of every record (:mod:`antiquity.game.faults`) what no game could
have come to. A file is unpacked within bounds (:mod:`antiquity.game.archive`), and names
nothing that is imported or opened: its game is an installed one, and options that name files are given by the caller.
"""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from antiquity.batch import checks
from antiquity.batch.core import Array, slot_dtype
from antiquity.batch.engine import Engine
from antiquity.game import Game
from antiquity.game.archive import reading
from antiquity.game.files import file_options, installed_game, one_line
from antiquity.game.tables import printed

Batched = TypeVar("Batched")
SAVED = ("reward", "on_illegal", "memory", "max_cycles", "autoreset", "dtype", "observation", "seats")
"""The settings that a file stores; the others are arguments of loading it."""
_SINCE = {"dtype": "float32", "observation": "vector", "seats": "all"}
"""Those that older files lack."""
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
    if engine.own is not None:
        raise ValueError("a batch whose reward is a function cannot be saved: a file holds no code")
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


def load(
    path: PathLike, game: str | Game | None, given: dict[str, Any]
) -> tuple[Game, dict[str, Any], dict[str, Any]]:
    """The game, the other arguments of a batch, and the arrays of a file; ValueError if they are invalid.

    `given`: game options that take the place of the file's.
    """
    about, arrays = _read(path)
    try:
        found = installed_game(about["game"], about["version"], game)
        options = about["settings"].pop("game_options")
        about["settings"] = _SINCE | about["settings"]
        strange = about["settings"].keys() ^ set(SAVED)
        if not isinstance(options, dict) or strange:
            raise ValueError(f"its settings are not {', '.join(SAVED)} and game_options")
        if missing := file_options(options, given):
            name = missing[0]
            raise ValueError(
                f"it was saved with {name}={options[name]!r}, which looks like a file, and files that a file names "
                f"are not opened: say where it is, such as Batch.load(path, {name}={options[name]!r})"
            )
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise ValueError(f"{path}: {one_line(error)}") from error
    games, slots = arrays["games"], arrays["slots"]
    if games.dtype != found.dtype and _same_but_spare(games.dtype, found.dtype):
        # What has come since lies in bytes that were spare, and zero.
        arrays["games"] = games = games.view(found.dtype)
    if games.ndim != 1 or games.size == 0 or games.dtype != found.dtype:
        raise ValueError(f"{path}: the records are not those of {found.title} as it is here")
    if slots.shape != games.shape or slots.dtype != slot_dtype(found.max_players):
        raise ValueError(f"{path} is damaged: {games.size} games and slots {slots.dtype}{list(slots.shape)}")
    _check_slots(path, found, games, slots, about)
    made = {
        "num_games": len(games),
        "num_players": slots["num_players"].astype(np.int64),
        "seed": about["seed"],
    }
    return found, made | about["settings"] | options | given, arrays | {"begun": about["begun"]}


def _check_slots(path: PathLike, game: Game, games: Array, slots: Array, about: dict[str, Any]) -> None:
    """See that the slots stand as a batch leaves them."""
    sound = (slots["stopped"] <= 1) & (slots["restart"] <= 1)
    sound &= slots["pending"].astype(np.int64) >> slots["num_players"].astype(np.int64) == 0
    sound &= (slots["pending"] == 0) | (about["settings"]["on_illegal"] == "lose")
    if not about["begun"]:
        sound &= (slots["stopped"] == 1) & (games == np.zeros(1, game.dtype))
    _require(path, sound)


def _same_but_spare(old: Any, new: Any) -> bool:
    """Whether two records are the same but for what used to be unused."""
    if old.names is None or old.itemsize != new.itemsize:
        return False
    fields = {name: old.fields[name][:2] for name in old.names if name != "unused"}
    return all(name in new.fields and new.fields[name][:2] == field for name, field in fields.items())


def _check_games(path: PathLike, engine: Engine, games: Array, slots: Array) -> None:
    """See that the records are games that could have come about, in slots that go with them."""
    try:
        checks.records(engine.game, games, engine.core.tables, len(slots))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if (games["num_players"] != slots["num_players"]).any():
        raise ValueError(f"{path} is damaged: the games and their slots have different numbers of players")
    _require(path, (games["over"] == 0) | (slots["stopped"] == 1))


def _require(path: PathLike, sound: Array) -> None:
    if not sound.all():
        raise ValueError(
            f"{path} is damaged: slot {int(np.argmin(sound))} is none that a batch leaves behind"
        )


def made(path: PathLike, make: Callable[[], Batched]) -> Batched:
    """What `make` makes of a file's settings; ValueError that names the file if it cannot."""
    try:
        return make()
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise ValueError(f"{path}: {one_line(error)}") from error


def restore(path: PathLike, engine: Engine, options: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Go on from loaded arrays, if they fit the engine that was made for them."""
    own = engine.state() | {"tables": printed(engine.core.tables)}
    if arrays["tables"].dtype != own["tables"].dtype or arrays["tables"].tobytes() != own["tables"].tobytes():
        named = ", ".join(options) or "its tables"
        raise ValueError(f"{path}: the printed game ({named}) has changed since it was saved")
    for name in ("slots", "rewards", "done", "actions", "paid"):
        if arrays[name].dtype != own[name].dtype or arrays[name].shape != own[name].shape:
            raise ValueError(f"{path} was written by another version of Antiquity")
    if arrays["begun"]:
        _check_games(path, engine, arrays["games"], arrays["slots"])
    engine.restore(arrays | {"seed": engine.seed})


def _read(path: PathLike) -> tuple[dict[str, Any], dict[str, Array]]:
    with reading(path, "saved batch") as archive:
        about = archive.json("about")
        if about["format"] != FORMAT:
            raise ValueError(f"format {about['format']}, and this Antiquity reads {FORMAT}")
        missing = {"game", "version", "begun", "seed", "settings"} - about.keys()
        if missing:
            raise ValueError(f"it lacks {', '.join(sorted(missing))}")
        if not isinstance(about["begun"], bool) or not isinstance(about["settings"], dict):
            raise ValueError("begun is true or false, and settings are an object")
        arrays = {name: archive.array(name) for name in ("games", "slots", "tables", "rewards", "done")}
        # Older files have no weights of categories, which pay out bit by bit, and no actions that wait to be resolved.
        shape = arrays["rewards"].shape
        arrays["paid"] = archive.array("paid") if "paid" in archive.names else np.zeros(shape)
        waiting = "actions" in archive.names
        arrays["actions"] = (
            archive.array("actions") if waiting else np.zeros(arrays["rewards"].size, np.int64)
        )
    return about, arrays
