"""What drawings ask about a game: the legal actions of a seat."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game import verbs
from antiquity.kernels import entry


@entry
def _legal(games: Any, index: int, tables: Any, seat: int, out: Any) -> Any:
    return verbs.legal(games[index], tables[0], seat, out)


def legal_actions(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, most: int) -> list[int]:
    """The numbers of the seat's legal actions, ascending; empty for a seat that waits.

    Args:
        most: the game's ``max_legal``.
    """
    if not int(games["deciders"][index]) >> seat & 1:
        return []
    out = np.zeros(most, np.uint16)
    count = _legal(games, index, tables, seat, out)
    found: list[int] = out[: int(count)].tolist()
    return found
