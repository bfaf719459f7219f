"""The blocks of an observation, and its memory part: the action with which every seat began the previous turn.

It says something about the players, not about the position, which is open at the start of every turn.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.kernels import kernel, put
from dice_env import state as s

BLOCKS: Final = ("me", "left", "right", "other_1", "other_2", "other_3", "other_4")
FIRST_ACTIONS: Final = s.PASS
"""Actions that a turn can begin with: the dice, the wonder, a pass; numbers 1 to PASS."""

MEMORY_LAYOUT: Final = Layout.build(
    *(
        (
            f"{block}_last_action",
            FIRST_ACTIONS,
            0,
            1,
            1,
            "one-hot: first action of the last turn: dice, wonder, pass",
        )
        for block in BLOCKS
    )
)


@kernel
def seat_of_block(block, seat, players):
    """The seat that a block of an observation shows: me, left, right, then clockwise from the left's left."""
    if block == 0:
        return seat
    if block == 1:
        return (seat + 1) % players
    if block == 2:
        return (seat + players - 1) % players
    return (seat + block - 1) % players


@kernel
def block_of_seat(shown, seat, players):
    """The block in which an observation of ``seat`` shows another seat: the inverse of :func:`seat_of_block`."""
    step = (shown - seat + players) % players
    if step < 2:
        return step
    return np.int64(2) if step == players - 1 else step + 1


@kernel
def memory(game, seat, start, out):
    """Write the memory part of an observation into ``out`` from index ``start`` on."""
    players = np.int64(game["num_players"])
    # With two players the opponent is shown as left and as right neighbour.
    for block in range(max(players, 3)):
        action = np.int64(game["last_action"][seat_of_block(block, seat, players)])
        if action:
            put(out, start + block * FIRST_ACTIONS + action - 1, 1, np.float32(1))
