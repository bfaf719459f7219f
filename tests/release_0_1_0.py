"""What release 0.1.0 had of today's observations and masks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from antiquity import Batch

ACTIONS = {"seven_wonders": 256}
"""How many actions a game had, where there are more now."""
LATER = {"seven_wonders": {"sides"}}
"""Fields of observations and of the whole table that came later."""


LATER_IN_RECORDS = {"stone_age": ("thrown",)}
"""Fields of records that came later, in bytes that were spare."""


def records_as_released(batch: Batch) -> Any:
    """The records of a batch as the release kept them."""
    records = batch.games.copy()
    for name in LATER_IN_RECORDS.get(batch.game.name, ()):
        records[name] = 0
    return records


def as_released(batch: Batch, *arrays: Any) -> Iterator[Any]:
    """The arrays of a batch without the actions and fields that have come since, which must be zero."""
    game = batch.game
    layouts = {each.size: each for each in (game.layout, game.observation_layout(True), game.state_layout)}
    later = LATER.get(game.name, set())
    for array in arrays:
        width = array.shape[-1]
        if array.dtype == np.int8 and width == game.num_actions:
            kept = np.arange(width) < ACTIONS.get(game.name, width)
        elif array.dtype == np.float32 and width in layouts:
            kept = np.repeat(
                [each.name not in later for each in layouts[width]], [each.size for each in layouts[width]]
            )
        else:
            yield array
            continue
        assert not array[..., ~kept].any(), f"{game.title}: what came later must stay zero in these games"
        yield array[..., kept]
