"""Files that others have made: read within bounds, and never followed to where they point."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from antiquity.game.registry import GAMES
from antiquity.game.spec import Game, make_game

_PLAIN_NAME = re.compile(r"\w[\w \-]*")


def read_bytes(path: str | os.PathLike[str], most: int) -> bytes:
    """All of a file.

    Args:
        path: a regular file; one that would keep its reader waiting, such as a FIFO, is not opened.
        most: bytes; a longer file is refused unread.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no regular file, or too long.
        OSError: it cannot be read.
    """
    regular(path)
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it is longer than {most >> 20} MiB")
    return data


def regular(path: str | os.PathLike[str]) -> int:
    """The size of a regular file. ValueError for what is none, FileNotFoundError for what is not there."""
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("it is no regular file")
    return found.st_size


def one_line(error: BaseException) -> str:
    """What an error says, as one line of moderate length."""
    words = " ".join(str(error).split())[:300]
    return words or type(error).__name__


def installed_game(name: Any, version: Any, game: str | Game | None = None) -> Game:
    """The game that a file says it holds: an installed one, or the one that the caller hands over.

    Raises:
        ValueError: there is none of that name, or another version of it. What the file names is not imported.
    """
    if game is None and (not isinstance(name, str) or name not in GAMES):
        raise ValueError(
            f"it is a game of {str(name)[:80]!r}, which is not installed; installed are: {', '.join(GAMES) or 'none'}"
        )
    found = make_game(name if game is None else game)
    if found.name != name or not found.reads(version):
        raise ValueError(
            f"it has games of {str(name)[:80]} version {str(version)[:20]}; "
            f"this is {found.name} version {found.version}"
        )
    return found


def file_options(options: dict[str, Any], given: dict[str, Any]) -> tuple[str, ...]:
    """The names of those of a file's game options that look like files, and that the caller has not given anew."""
    return tuple(name for name, value in options.items() if name not in given and names_a_file(value))


def names_a_file(value: Any) -> bool:
    """Whether an option may name a file rather than something that the game has built in."""
    if isinstance(value, (list, tuple)):
        return any(map(names_a_file, value))
    return isinstance(value, str) and (_PLAIN_NAME.fullmatch(value) is None or Path(value).is_file())


def plain(name: str, value: Any) -> Any:
    """The value of an option as JSON can hold it; ValueError if it cannot."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Sequence):
        return [plain(name, each) for each in value]
    raise ValueError(f"the option {name}={value!r} cannot be written to a file")
