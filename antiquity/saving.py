"""Batches in files: npz archives of plain arrays and one JSON text, without any pickle.

The archive's own checksums find damage. They are no seal: a file that somebody has forged can hold positions that the
rules never reach, so load files from people you trust.
"""

from __future__ import annotations

import json
import os
import uuid
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antiquity import checks
from antiquity.game import Game, make_game

if TYPE_CHECKING:
    from antiquity.batch import Batch

FORMAT = 1
"""Number of the file format."""

_SETTINGS = ("reward", "on_illegal", "memory", "max_cycles", "autoreset", "game_options")


def save(batch: Batch, path: str | os.PathLike[str]) -> None:
    """See :meth:`antiquity.Batch.save`."""
    try:
        about = json.dumps(
            {
                "format": FORMAT,
                "game": batch.game.name,
                "version": batch.game.version,
                "begun": batch._begun,
                "seed": batch.seed if isinstance(batch.seed, int) else batch.seed.tolist(),
                "settings": {name: getattr(batch, name) for name in _SETTINGS},
            }
        )
    except TypeError as error:
        raise ValueError(f"the game's options cannot be written as JSON: {error}") from None
    target = Path(path)
    partial = target.with_name(f"{target.name}.{uuid.uuid4().hex[:12]}.partial")
    try:
        with open(partial, "wb") as file:
            np.savez_compressed(
                file,
                about=np.frombuffer(about.encode(), np.uint8),
                games=batch.games,
                slots=batch._slots,
                tables=batch.tables,
                rewards=batch.rewards,
                done=batch._done,
            )
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def load(
    kind: type[Batch], path: str | os.PathLike[str], game: str | Game | None, threads: int, copy: bool
) -> Batch:
    """See :meth:`antiquity.Batch.load`."""
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
    settings = dict(about["settings"])
    options = settings.pop("game_options")
    if slots.shape != games.shape:
        raise ValueError(f"{path} is damaged: {games.size} games and {slots.size} slots")
    batch = kind(
        found,
        games.size,
        slots["num_players"].astype(np.int64),
        seed=0,
        threads=threads,
        copy=copy,
        **settings,
        **options,
    )
    if arrays["tables"].dtype != batch.tables.dtype or arrays["tables"].tobytes() != batch.tables.tobytes():
        raise ValueError(
            f"{path}: the printed game ({', '.join(options) or 'its tables'}) has changed since it was saved"
        )
    if slots.dtype != batch._slots.dtype or arrays["rewards"].shape != batch.rewards.shape:
        raise ValueError(f"{path} was written by another version of Antiquity")
    seed = about["seed"]
    batch.seed = seed if isinstance(seed, int) else checks.seed_array(seed, games.size)
    if about["begun"]:
        checks.records(found, games, games.size)
        if (games["num_players"] != slots["num_players"]).any():
            raise ValueError(
                f"{path} is damaged: the games and their slots have different numbers of players"
            )
        batch.set_games(games)
    batch._slots[:] = slots
    batch._slots["pending"] = 0
    if about["begun"]:
        batch.rewards[:], batch._done[:] = arrays["rewards"], arrays["done"]
        batch.refresh()
    return batch


def _read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {
                name: archive[name] for name in ("about", "games", "slots", "tables", "rewards", "done")
            }
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
