"""Records from outside: whether they are games that could have come about, so that kernels may trust them.

A kernel reads a record without looking: an index in it is an index, a phase a phase. So whatever comes from a caller or
a file is checked at the border, by the verb ``check`` of its game, and never again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game import verbs
from antiquity.game.record import fault_codes
from antiquity.game.spec import Game
from antiquity.kernels import entry

SEATS = 8
"""Codes of one field, one for each seat."""


@entry
def _first_fault(games: Any, tables: Any, chosen: int, legal: Any, found: Any) -> None:
    """Write the index of the first record that is no game, and the code of its fault: ``found`` int64[2]."""
    for index in range(len(games)):
        game = games[index]
        code = np.int64(verbs.check(game, tables[0]))
        if code == 0:
            for seat in range(len(game["chosen"])):
                committed = np.int64(game["chosen"][seat])
                if (np.int64(game["deciders"]) >> seat) & 1:
                    n = verbs.legal(game, tables[0], seat, legal)
                    known = committed == 0 and n > 0
                    for k in range(n):
                        known |= np.int64(legal[k]) == committed
                    if not known:
                        code = np.int64(chosen + seat)
                elif committed != 0:
                    code = np.int64(chosen + seat)
        if code != 0:
            found[0], found[1] = index, code
            return


def require_sound(game: Game, games: NDArray[Any], tables: NDArray[Any]) -> None:
    """See that records with valid headers are games that could have come about.

    Args:
        game: whose they are.
        games: structured[N] of its dtype.
        tables: the printed game, structured[1].

    Raises:
        ValueError: one is not; the message names the record, the field and the seat. Nothing has changed.
    """
    found = np.zeros(2, np.int64)
    legal = np.zeros(game.max_legal, np.uint16)
    _first_fault(games, tables, fault_codes(game.dtype)["chosen"], legal, found)
    index, code = found.tolist()
    if not code:
        return
    name = (game.dtype.names or ())[(code - 1) // SEATS]
    value, seat = games[index][name], (code - 1) % SEATS
    whose = ""
    if np.ndim(value) and len(value) == game.max_players:
        value, whose = value[seat], f" of seat {seat}"
    shown = np.array2string(np.asarray(value), threshold=24, max_line_width=10_000).replace("\n", "")
    raise ValueError(
        f"record {index} is no game of {game.title} that could have come about: {name}{whose} is {shown}, which the "
        "rules and the rest of the record do not allow. Take records from a batch, or build them with "
        "the game's position()"
    )
