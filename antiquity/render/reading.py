"""What texts and pictures ask about a game: the legal actions of a seat, the points as they stand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game import verbs
from antiquity.kernels import entry


@entry
def _legal(games: Any, index: int, tables: Any, seat: int, out: Any) -> Any:
    return verbs.legal(games[index], tables[0], seat, out)


@entry
def _score(games: Any, index: int, tables: Any, out: Any) -> None:
    verbs.score(games[index], tables[0], out)


def points(games: NDArray[Any], index: int, tables: NDArray[Any], categories: int) -> NDArray[np.int32]:
    """The points as they stand, int32[max seats, categories + 2]: by category, total, tie-break."""
    out = np.zeros((games["chosen"].shape[1], categories + 2), np.int32)
    _score(games, index, tables, out)
    return out


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
