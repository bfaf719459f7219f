"""What a game's actions are about, for studies of many games: :class:`Subjects`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

NO_SUBJECT = -1
"""The item of an action that is about none."""
Found = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True)
class Subjects:
    """The things that are chosen in a game, such as cards, and the ways of choosing them, such as building.

    Attributes:
        what: the noun for one of them.
        ways: what can be done with one. Of something that can be had in the first way and in the last at the same
            decision it is asked what the first is worth beside the last.
        moments: the parts of a game, such as its Ages.
        names: ``names(tables)`` -> the names of the items, in order.
        find: ``find(games, index, seats, actions, tables)`` -> item and way of each action, int64[R] each:
            ``actions[r]`` of seat ``seats[r]`` in ``games[index[r]]``. :data:`NO_SUBJECT` where it is about none.
        moment: ``moment(games)`` -> the part each game is in, int64[G].
        boards: ``boards(tables)`` -> the names of what seats play with; None where all have the same.
        board: ``board(games)`` -> which of them each seat has, int64[G, S].
    """

    what: str
    ways: tuple[str, ...]
    moments: tuple[str, ...]
    names: Callable[[NDArray[Any]], tuple[str, ...]]
    find: Callable[
        [NDArray[Any], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[Any]], Found
    ]
    moment: Callable[[NDArray[Any]], NDArray[np.int64]]
    boards: Callable[[NDArray[Any]], tuple[str, ...]] | None = None
    board: Callable[[NDArray[Any]], NDArray[np.int64]] | None = None
