"""Which columns of an observation can be anything but zero."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from antiquity.batch import Batch, Rows
from antiquity.game import Game
from antiquity.train.settings import TableKind

GAMES = 128
SEED = 12_345


def live_columns(game: Game, kinds: Sequence[TableKind]) -> NDArray[np.int32]:
    """The columns that are not zero throughout the games of some kinds of tables, int32[I], ascending.

    Found by playing, half at random and half by greedy: always the same games, so always the same columns. With four
    players the seats of the other three, and much else in 7 Wonders, are always zero: about half of what a network
    would multiply.
    """
    used = np.zeros(game.layout.size, bool)
    for kind in kinds:
        batch = Batch(game, GAMES, kind.players, seed=SEED, copy=False, autoreset=False, **kind.options)
        batch.reset()
        rows = batch.rows()
        random = np.random.default_rng(SEED)
        while len(rows.game):
            used |= rows.observations.any(axis=0)
            greedy, any_ = batch.sample_rows("greedy"), batch.sample_rows("random", salt=1)
            step = batch.step_rows(np.where(random.random(len(greedy)) < 0.5, greedy, any_))
            rows = Rows(*step[:4])
    return np.flatnonzero(used).astype(np.int32)
