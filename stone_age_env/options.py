"""The options of a game of Stone Age, checked and put into the record that ``init`` reads."""

from __future__ import annotations

from os import PathLike
from typing import Any, Final

import numpy as np

from antiquity.game import Option

from .state import MAX_SEATS, MIN_PLAYERS, OPTIONS_DTYPE, RANDOM
from .tables import load_tables

MOST_ROUNDS: Final = 1000

OPTIONS: Final = (
    Option("cards", "base", "table of cards and tiles: 'base' or a TOML file"),
    Option(
        "max_rounds",
        100,
        f"1 to {MOST_ROUNDS}: a game that has not ended after so many rounds is truncated (the rules know no limit, "
        "and a game in which nobody buys never ends)",
    ),
    Option("start_player", "random", "who has the start marker in the first round: a seat, or 'random'"),
)


def _whole(value: Any, name: str, low: int, high: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}={value!r}: must be {what}")
    if not low <= value <= high:
        raise ValueError(f"{name}={value}: must be {what}")
    return int(value)


def setup(
    num_players: int,
    cards: str | PathLike[str] = "base",
    max_rounds: int = 100,
    start_player: int | str = "random",
) -> tuple[np.ndarray, np.ndarray]:
    """Check the options; returns (tables[1], options[1]).

    Raises:
        ValueError: an option that is not what :data:`OPTIONS` says, or a table that breaks a rule.
        TypeError: an option of the wrong type.
    """
    players = _whole(
        num_players,
        "num_players",
        MIN_PLAYERS,
        MAX_SEATS,
        f"a whole number from {MIN_PLAYERS} to {MAX_SEATS}",
    )
    options = np.zeros(1, OPTIONS_DTYPE)
    options["max_rounds"] = _whole(
        max_rounds, "max_rounds", 1, MOST_ROUNDS, f"a whole number from 1 to {MOST_ROUNDS}"
    )
    if isinstance(start_player, str):
        if start_player != "random":
            raise ValueError(
                f"start_player={start_player!r}: must be a seat (0 to {players - 1}) or 'random'"
            )
        options["start_player"] = RANDOM
    else:
        options["start_player"] = _whole(
            start_player, "start_player", 0, players - 1, f"a seat (0 to {players - 1}) or 'random'"
        )
    return load_tables(str(cards)), options
