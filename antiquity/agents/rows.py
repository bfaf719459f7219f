"""Entry kernels over rows of decisions: row r is seat ``seats[r]`` of game ``games[index[r]]``."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from antiquity import verbs
from antiquity.jit import entry, kernel
from antiquity.loops import SEAT_INDEX
from antiquity.random import POLICY, mix

Records = npt.NDArray[Any]
Integers = npt.NDArray[np.int64]


@kernel
def decision_index(game: Any, seat: int) -> Any:
    """The index of draws for the decision that ``seat`` has now."""
    return np.int64(game["steps"]) * SEAT_INDEX + seat


@kernel
def decision_noise(game: Any, seat: int) -> Any:
    """Random bits (64) of the decision that ``seat`` has now."""
    return mix(game["seed"], POLICY, decision_index(game, seat))


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
        counts[row] = verbs.legal(games[index[row]], tables[0], seats[row], legal[row])


@entry
def mask_rows(legal: npt.NDArray[np.uint16], counts: Integers, masks: npt.NDArray[np.int8]) -> None:
    """Spread lists of legal actions over ``masks[R, num_actions]``, which must be zero."""
    for row in range(len(counts)):
        for slot in range(counts[row]):
            masks[row, legal[row, slot]] = 1


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
        noise[row] = decision_noise(games[index[row]], seats[row])
