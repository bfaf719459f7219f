"""Batches in files: npz archives of plain arrays and one JSON text, without any pickle.

The archive's own checksums find damage. They are no seal: a file that somebody has forged can hold positions that the
rules never reach, so load files from people you trust.
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
from antiquity.game import Game, make_game

FORMAT = 1
"""Number of the file format."""


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Where to write what shall stand at `path` whole or not at all: a file beside it, renamed at the end."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.{uuid.uuid4().hex[:12]}.partial")
    try:
        yield partial
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def save(path: str | os.PathLike[str], about: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Write a batch. ValueError for what JSON does not know."""
    try:
        text = json.dumps({"format": FORMAT, **about})
    except TypeError as error:
        raise ValueError(f"the game's options cannot be written as JSON: {error}") from None
    with replacing(path) as partial, open(partial, "wb") as file:
        np.savez_compressed(file, about=np.frombuffer(text.encode(), np.uint8), **arrays)  # type: ignore[arg-type]


def load(
    path: str | os.PathLike[str], game: str | Game | None
) -> tuple[Game, dict[str, Any], dict[str, Array]]:
    """The game, what :func:`save` was told, and the arrays; ValueError where they cannot be a batch's."""
    about, arrays = _read(path)
    found = make_game(about["game"] if game is None else game)
    if (found.name, found.version) != (about["game"], about["version"]):
        raise ValueError(
            f"{path} has games of {about['game']} version {about['version']}; "
            f"this is {found.name} version {found.version}"
        )
    games, slots = arrays["games"], arrays["slots"]
    if games.ndim != 1 or games.size == 0 or games.dtype != found.dtype:
        raise ValueError(f"{path}: the records are not those of {found.title} as it is here")
    if slots.shape != games.shape:
        raise ValueError(f"{path} is damaged: {games.size} games and {slots.size} slots")
    return found, about, arrays


def check(
    path: str | os.PathLike[str], game: Game, arrays: dict[str, Array], own: dict[str, Array], begun: bool
) -> None:
    """See that loaded arrays fit those of the batch that was made for them, `own`."""
    if arrays["tables"].dtype != own["tables"].dtype or arrays["tables"].tobytes() != own["tables"].tobytes():
        raise ValueError(f"{path}: the printed game has changed since it was saved")
    for name in ("slots", "rewards", "done", "actions"):
        if arrays[name].dtype != own[name].dtype or arrays[name].shape != own[name].shape:
            raise ValueError(f"{path} was written by another version of Antiquity")
    if begun:
        games = arrays["games"]
        checks.records(game, games, games.size)
        if (games["num_players"] != arrays["slots"]["num_players"]).any():
            raise ValueError(
                f"{path} is damaged: the games and their slots have different numbers of players"
            )


def _read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Array]]:
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
