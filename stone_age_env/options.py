"""The options of a game of Stone Age, checked and put into the record that ``init`` reads."""

from __future__ import annotations

from os import PathLike
from typing import Final

import numpy as np

from antiquity.game import Option
from antiquity.game.checks import whole
from antiquity.game.setup import RANDOM

from .data.tables import load_tables
from .state import MAX_SEATS, MIN_PLAYERS, MOST_ROUNDS, OPTIONS_DTYPE

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
    players = whole("num_players", num_players, MIN_PLAYERS, MAX_SEATS)
    options = np.zeros(1, OPTIONS_DTYPE)
    options["max_rounds"] = whole("max_rounds", max_rounds, 1, MOST_ROUNDS)
    options["start_player"] = _start_player(start_player, players)
    return load_tables(str(cards)), options


def _start_player(value: int | str, players: int) -> int:
    if isinstance(value, str) and value == "random":
        return RANDOM
    try:
        return whole("start_player", value, 0, players - 1)
    except (TypeError, ValueError) as error:
        kind = ValueError if isinstance(value, str) else type(error)
        raise kind(f"start_player={value!r}: must be a seat (0 to {players - 1}) or 'random'") from None
