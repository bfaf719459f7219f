"""Positions (:mod:`antiquity.game.position`) as files, and as batches of one game.

>>> from antiquity.batch.positions import batch_of, read_position
>>> batch = batch_of(read_position("position.toml"))   # doctest: +SKIP
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from antiquity.batch.batch import Batch
from antiquity.batch.files import replacing
from antiquity.game import Game
from antiquity.game.files import file_options, installed_game, one_line, read_bytes
from antiquity.game.position import FORMAT, Position, Words

MOST_BYTES: Final = 1 << 17
"""A longer file is not read."""


def write_position(position: Position, path: str | os.PathLike[str]) -> Path:
    """Write a position as TOML; the file appears whole or not at all."""
    target = Path(path)
    with replacing(target) as partial:
        partial.write_text(position.toml(), encoding="utf-8")
    return target


def read_position(
    path: str | os.PathLike[str],
    *,
    game: str | Game | None = None,
    options: Mapping[str, Any] | None = None,
) -> Position:
    """A position from a file.

    Args:
        game: where the game is found, when it isn't installed under its name.
        options: replacements for the file's options; needed for those that name a file, since no file is opened because
            a file names it.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it holds no position, or one that no game can come to.
    """
    try:
        data = tomllib.loads(read_bytes(path, MOST_BYTES).decode("utf-8"))
        said = Words(data, "the file")
        number = said.take("position", int)
        if number != FORMAT:
            raise ValueError(f"position = {number}: this Antiquity reads format {FORMAT}")
        found = installed_game(said.take("game", str), said.take("version", int), game)
        own = dict(said.take("options", dict, {}))
        if missing := file_options(own, dict(options or {})):
            raise ValueError(f"it names a file, {missing[0]}={own[missing[0]]!r}: give it as an option")
        position = Position.make(found, said.rest(), own | dict(options or {}))
        batch_of(position)  # raises where no game can come to it
    except FileNotFoundError:
        raise
    except (ValueError, TypeError, KeyError, OSError, RecursionError) as error:
        raise ValueError(f"{path}: {one_line(error)}") from error
    return position


def batch_of(position: Position, **settings: Any) -> Batch:
    """A batch of one game that stands in a position.

    Args:
        position: of a game.
        settings: of the batch, see :class:`antiquity.Batch`.

    Raises:
        ValueError: no game can come to this position; the message names the field and the seat.
    """
    batch = Batch(
        position.game, 1, position.num_players, **{"autoreset": False} | settings, **position.options
    )
    batch.reset(seed=0)
    batch.set_games(position.record)
    return batch


def stand_in(batch: Batch, position: Position | str | os.PathLike[str]) -> None:
    """Put the game of a batch of one into a position, given itself or as a file.

    Raises:
        ValueError: it is of another game, number of players or printed game, or no game can come to it.
    """
    if not isinstance(position, Position):
        position = read_position(position, game=batch.game, options=batch.game_options)
    if position.game is not batch.game or position.num_players != int(batch.player_counts[0]):
        raise ValueError(
            f"the position is of {position.game.title} with {position.num_players} players, and this is "
            f"{batch.game.title} with {batch.player_counts[0]}"
        )
    if position.tables.tobytes() != batch.tables.tobytes():
        raise ValueError(
            f"the position's printed game (options {position.options}) is not the one that is played here"
        )
    batch.set_games(position.record)


def begin_game(batch: Batch, seed: int | None, options: Mapping[str, Any] | None) -> None:
    """Begin the game of a batch of one, in the ``position`` that the options of a reset name, if they do."""
    batch.reset(seed)
    if options and "position" in options:
        stand_in(batch, options["position"])
