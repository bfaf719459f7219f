"""What actions are about, for studies: cards that are built, laid under a wonder or sold, and the boards."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game.subjects import NO_SUBJECT, Found, Subjects
from seven_wonders_env import state as s
from seven_wonders_env.actions import board_name, kind_name

WAYS = ("build", "wonder stage", "sell")


def _find(
    games: NDArray[Any],
    index: NDArray[np.int64],
    seats: NDArray[np.int64],
    actions: NDArray[np.int64],
    tables: NDArray[Any],
) -> Found:
    kinds, uses = np.divmod(actions - s.CARD_ACTIONS, s.USES)
    about = (actions >= s.CARD_ACTIONS) & (actions < s.PAYMENT_ACTIONS)
    # A pick from the discard is another choice than one from a hand.
    about &= games["phase"][index] != s.PICK
    return np.where(about, kinds, NO_SUBJECT), uses


SUBJECTS = Subjects(
    what="card",
    ways=WAYS,
    moments=("Age I", "Age II", "Age III"),
    names=lambda tables: tuple(kind_name(tables, kind) for kind in range(s.KINDS)),
    find=_find,
    moment=lambda games: games["age"].astype(np.int64),
    boards=lambda tables: tuple(board_name(tables, board) for board in range(s.BOARDS * s.SIDES)),
    board=lambda games: games["board"].astype(np.int64),
)
