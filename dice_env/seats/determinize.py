"""Redraws whatever a seat cannot know.

At the start of a turn everything is open. During a turn a seat does not know what the others do in it, and never what
the dice of later turns will show. Nothing else is hidden.
"""

from __future__ import annotations

import numpy as np

from antiquity.kernels import kernel
from dice_env import state as s


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
    for colour in range(s.NUM_COLOURS):
        game["income"][seat, colour] = game["start_income"][seat, colour]
    for place in range(s.STACK):
        game["stack"][seat, place] = s.NOTHING
    game["stack"][seat, 0] = s.ACTION
    game["depth"][seat] = 1
    game["first_action"][seat] = 0
