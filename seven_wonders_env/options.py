"""The options of a game of 7 Wonders, checked and put into the record that ``init`` reads."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, Final

import numpy as np

from antiquity.game import Option
from antiquity.tables import text

from .state import BOARDS, MAX_SEATS, MIN_PLAYERS, OPTIONS_DTYPE, RANDOM
from .tables import SIDE_NAMES, load_tables

PAYMENTS: Final = ("cheapest", "choose")

OPTIONS: Final = (
    Option("sides", "day", "side of the wonder boards: 'day', 'night', 'random', or one of them for each seat"),
    Option("boards", None, "wonder of each seat by id, 'random' or None for one dealt at random; None deals all"),
    Option("cards", "second_edition", "card table: 'second_edition', 'second_edition_print' or a TOML file"),
    Option(
        "payments",
        "choose",
        "'choose': a seat that can split a payment in several undominated ways chooses, as a small step of its own; "
        "'cheapest': the cheapest is taken (of equals the one with less to the left), so a turn is one step",
    ),
)


def setup(
    num_players: int,
    sides: str | Sequence[str] = "day",
    boards: Sequence[str | None] | None = None,
    cards: str | PathLike[str] = "second_edition",
    payments: str = "choose",
) -> tuple[np.ndarray, np.ndarray]:
    """Check the options; returns (tables[1], options[1]).

    Raises:
        ValueError: an option that is not what :data:`OPTIONS` says, or a card table that breaks a rule.
        TypeError: an option of the wrong type.
    """
    if isinstance(num_players, bool) or not isinstance(num_players, (int, np.integer)):
        raise TypeError(f"num_players={num_players!r}: must be a whole number from {MIN_PLAYERS} to {MAX_SEATS}")
    if not MIN_PLAYERS <= num_players <= MAX_SEATS:
        raise ValueError(f"num_players={num_players}: 7 Wonders is for {MIN_PLAYERS} to {MAX_SEATS} players")
    if payments not in PAYMENTS:
        raise ValueError(f"payments={payments!r}: must be 'choose' or 'cheapest'")
    tables = load_tables(str(cards))
    options = np.zeros(1, OPTIONS_DTYPE)
    options["payments"] = PAYMENTS.index(payments)
    options["sides"][0, :num_players] = _sides(sides, num_players)
    options["wonders"][0, :num_players] = _wonders(boards, num_players, tables)
    return tables, options


def _each(value: Any, name: str, num_players: int) -> list[Any]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"{name}={value!r}: must be a list with one entry for each seat")
    if len(value) != num_players:
        raise ValueError(f"{name} has {len(value)} entries for {num_players} players: give one for each seat")
    return list(value)


def _sides(sides: str | Sequence[str], num_players: int) -> list[int]:
    known = (*SIDE_NAMES, "random")
    wanted = [sides] * num_players if isinstance(sides, str) else _each(sides, "sides", num_players)
    for seat, side in enumerate(wanted):
        if side not in known:
            where = "sides" if isinstance(sides, str) else f"sides[{seat}]"
            raise ValueError(f"{where}={side!r}: a side is one of {', '.join(map(repr, known))}")
    return [RANDOM if side == "random" else SIDE_NAMES.index(side) for side in wanted]


def _wonders(boards: Sequence[str | None] | None, num_players: int, tables: np.ndarray) -> list[int]:
    if boards is None:
        return [RANDOM] * num_players
    ids = [text(tables[0]["board_id"][wonder]) for wonder in range(BOARDS)]
    wonders = []
    for seat, board in enumerate(_each(boards, "boards", num_players)):
        if board is None or board == "random":
            wonders.append(RANDOM)
            continue
        if board not in ids:
            raise ValueError(f"boards[{seat}]={board!r}: the wonders are {', '.join(ids)}, or 'random'")
        if ids.index(board) in wonders:
            raise ValueError(f"boards[{seat}]={board!r}: each wonder exists once, and another seat has it already")
        wonders.append(ids.index(board))
    return wonders
