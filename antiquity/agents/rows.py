"""Entry kernels over rows of decisions: row r is seat ``seats[r]`` of game ``games[index[r]]``."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from antiquity.game import WAIT, flow, random, verbs
from antiquity.kernels import entry

Records = npt.NDArray[Any]
Integers = npt.NDArray[np.int64]


@entry
def legal_rows(
    games: Records,
    tables: Records,
    index: Integers,
    seats: Integers,
    legal: npt.NDArray[np.uint16],
    counts: Integers,
) -> None:
    """Write every row's legal actions into ``legal[R, max_legal]`` and their number into ``counts[R]``."""
    for row in range(len(index)):
        counts[row] = flow.legal(games[index[row]], tables[0], seats[row], legal[row])


@entry
def mask_rows(legal: npt.NDArray[np.uint16], counts: Integers, masks: npt.NDArray[np.int8]) -> None:
    """Spread lists of legal actions over ``masks[R, num_actions]``, which must be zero."""
    for row in range(len(counts)):
        for slot in range(counts[row]):
            masks[row, legal[row, slot]] = 1


@entry
def appraise_rows(
    games: Records,
    tables: Records,
    index: Integers,
    seats: Integers,
    legal: npt.NDArray[np.uint16],
    counts: Integers,
    appraisals: npt.NDArray[np.float32],
) -> None:
    """Write what every row's game says of its legal actions into ``appraisals[R, L, K]``, zeros."""
    for row in range(len(index)):
        if legal[row, 0] != WAIT:
            game = games[index[row]]
            verbs.appraise(game, tables[0], seats[row], legal[row], counts[row], appraisals[row])


@entry
def observe_rows(
    games: Records, tables: Records, index: Integers, seats: Integers, observations: npt.NDArray[np.float32]
) -> None:
    """Write what every row's seat sees into ``observations[R, F]``."""
    for row in range(len(index)):
        verbs.observe(games[index[row]], tables[0], seats[row], observations[row])


@entry
def noise_rows(games: Records, index: Integers, seats: Integers, noise: npt.NDArray[np.uint64]) -> None:
    """Write every row's random bits into ``noise[R]``."""
    for row in range(len(index)):
        game = games[index[row]]
        noise[row] = random.mix(game["seed"], random.POLICY, random.at(game["steps"], seats[row]))
