"""How long games are, and positions from the middle of play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity import Batch

if TYPE_CHECKING:
    from antiquity import Game

COUNTED = 1024
"""Games that are counted out for :func:`tally`."""

SEED = 7


class Tally(NamedTuple):
    """Means over random (or greedy) games, from the first decision to the last."""

    decisions: float
    """Seats with something to choose, summed over the steps of a game."""
    free: float
    """Those of them with more than one legal action."""
    rows: float
    """Rows of seats, the waiting ones among them."""
    steps: float


def tally(
    game: Game, players: int, options: Mapping[str, Any], policy: str = "random", games: int = COUNTED
) -> Tally:
    """Play games to their ends, step by step, and count."""
    batch = Batch(game, games, players, seed=SEED, copy=False, autoreset=False, **options)
    batch.reset()
    decisions = free = steps = 0
    while True:
        deciding = batch.legal_lists[:, :, 0] != 0
        going = int(np.count_nonzero(deciding.any(axis=1)))
        if not going:
            return Tally(decisions / games, free / games, steps * players / games, steps / games)
        decisions += int(np.count_nonzero(deciding))
        free += int(np.count_nonzero(deciding & (batch.legal_counts > 1)))
        steps += going
        batch.step(batch.sample(policy))


def middle_of_play(
    game: Game, players: int, options: Mapping[str, Any], games: int, steps: float
) -> NDArray[Any]:
    """Records of games at random moments, structured[games]; no two are the same game at the same moment.

    A batch that begins all its games at once goes through their phases in step for a long time. One that goes on from
    these shows every phase at once, as often as it is in a whole game.

    Args:
        steps: how many a game takes, about.
    """
    few = min(games, 64)
    moments = max(-(-games // few), round(2 * steps))
    batch = Batch(game, few, players, seed=SEED + 1, copy=False, **options)
    batch.reset()
    rng = np.random.default_rng(SEED)
    pieces = []
    for moment in range(moments):
        count = games * (moment + 1) // moments - games * moment // moments
        pieces.append(batch.games[rng.permutation(few)[:count]])
        batch.step(batch.sample())
    records: NDArray[Any] = np.concatenate(pieces)
    return records[rng.permutation(games)]
