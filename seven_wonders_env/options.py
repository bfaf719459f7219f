"""The options of a game of 7 Wonders, checked and put into the record that ``init`` reads."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Final

import numpy as np

from antiquity.game import Option
from antiquity.game.checks import whole
from antiquity.game.setup import RANDOM, asked_for, for_each_seat
from antiquity.game.tables import text

from .data.tables import SIDE_NAMES, load_tables
from .state import BOARDS, CHOSEN, MAX_SEATS, MIN_PLAYERS, OPTIONS_DTYPE

PAYMENTS: Final = ("cheapest", "choose")

OPTIONS: Final = (
    Option(
        "sides",
        "day",
        "side of the wonder boards: 'day', 'night', 'random', 'choose' (the seat chooses, in a step of its own before "
        "Age I is dealt), or one of them for each seat",
    ),
    Option(
        "boards", None, "wonder of each seat by id, 'random' or None for one dealt at random; None deals all"
    ),
    Option("cards", "second_edition", "card table: 'second_edition', 'second_edition_print' or a TOML file"),
    Option(
        "payments",
        "choose",
        "'choose': a seat that can split a payment in several undominated ways chooses, as a small step of its own; "
        "'cheapest': the cheapest is taken (of several, the one that pays least to the left), so a turn is one step",
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
    whole("num_players", num_players, MIN_PLAYERS, MAX_SEATS)
    if payments not in PAYMENTS:
        raise ValueError(f"payments={payments!r}: must be 'choose' or 'cheapest'")
    tables = load_tables(str(cards))
    options = np.zeros(1, OPTIONS_DTYPE)
    options["payments"] = PAYMENTS.index(payments)
    options["sides"][0, :num_players] = _sides(sides, num_players)
    ids = [text(tables[0]["board_id"][wonder]) for wonder in range(BOARDS)]
    options["wonders"][0, :num_players] = asked_for("boards", boards, num_players, ids)
    return tables, options


def _sides(sides: str | Sequence[str], num_players: int) -> list[int]:
    known = (*SIDE_NAMES, "choose", "random")
    wanted = [sides] * num_players if isinstance(sides, str) else for_each_seat("sides", sides, num_players)
    for seat, side in enumerate(wanted):
        if side not in known:
            where = "sides" if isinstance(sides, str) else f"sides[{seat}]"
            raise ValueError(f"{where}={side!r}: a side is one of {', '.join(map(repr, known))}")
    numbers = {"random": RANDOM, "choose": CHOSEN}
    return [numbers[side] if side in numbers else SIDE_NAMES.index(side) for side in wanted]
