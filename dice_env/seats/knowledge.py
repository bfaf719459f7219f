"""What a seat knows, and worlds that agree with it.

At the start of a turn everything is open. During a turn a seat does not know what the others do in it, and never what
the dice of later turns will show. There is nothing else to remember; the memory part of an observation says with which
action everybody began the turn before, which tells something about players, not about the position.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel
from dice_env.state import ACTION, COLOURS, MAX_SEATS, NOTHING, PASS, STACK

BLOCKS: Final = ("me", "left", "right", "other_1", "other_2", "other_3", "other_4")
FIRST_ACTIONS: Final = PASS
"""Actions that a turn can begin with: the dice, the wonder, a pass; numbers 1 to PASS."""

MEMORY_FIELDS: Final = tuple(
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

_ZERO: Final = np.float32(0)
_UNIT: Final = np.float32(1)
_NUM_COLOURS: Final = len(COLOURS)


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
    for index in range(MAX_SEATS * FIRST_ACTIONS):
        out[start + index] = _ZERO
    for block in range(MAX_SEATS):
        # With two players the opponent is shown as left and as right neighbour.
        if block < max(players, 3):
            action = np.int64(game["last_action"][seat_of_block(block, seat, players)])
            if action:
                out[start + block * FIRST_ACTIONS + action - 1] = _UNIT


@kernel
def determinize(game, tables, seat, seed):
    """Redraw what the seat cannot know: the dice to come, and what the others do in this turn.

    The others are put back to the start of the turn and are to choose again, beside whatever the seat has to decide;
    the seat's own position, its committed choice and the dice on the table stay.
    """
    game["seed"] = seed
    if game["over"]:
        return
    for other in range(np.int64(game["num_players"])):
        if other != seat:
            _back_to_start(game, other)
            game["deciders"] |= 1 << other


@kernel
def _back_to_start(game, seat):
    game["crossed"][seat] = game["start_crossed"][seat]
    game["coins"][seat] = game["start_coins"][seat]
    game["bonuses"][seat] = game["start_bonuses"][seat]
    game["resources"][seat] = game["start_resources"][seat]
    for side in range(2):
        game["attack"][seat, side] = game["start_attack"][seat, side]
    game["discount"][seat] = game["start_discount"][seat]
    game["free"][seat] = game["start_free"][seat]
    game["unlocked"][seat] = game["start_unlocked"][seat]
    for colour in range(_NUM_COLOURS):
        game["income"][seat, colour] = game["start_income"][seat, colour]
    for place in range(STACK):
        game["stack"][seat, place] = NOTHING
    game["stack"][seat, 0] = ACTION
    game["depth"][seat] = 1
    game["first_action"][seat] = 0
