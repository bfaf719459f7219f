"""What is the same in every game: beginning, waiting, committing, resolving.

Shared kernels call these around the verbs, so that no game has to: a game's ``init`` gets a record of zeros with its
header filled in, its ``legal`` is asked for deciders alone, and its ``advance`` neither counts steps nor
clears choices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.game import verbs
from antiquity.game.record import ENDED, WAIT
from antiquity.kernels import clear, kernel


@kernel
def begin(game: Any, tables: Any, num_players: Any, options: Any, seed: Any) -> None:
    """Begin a new game in a record, whatever it holds."""
    clear(game)
    game["seed"] = seed
    game["num_players"] = num_players
    verbs.init(game, tables, options)


@kernel
def legal(game: Any, tables: Any, seat: Any, out: Any) -> Any:
    """Write the seat's legal actions to the front of `out`, ascending; WAIT alone for one that is not a decider.

    Returns how many there are, at least 1.
    """
    if (np.int64(game["deciders"]) >> seat) & 1 == 0:
        out[0] = WAIT
        return 1
    return verbs.legal(game, tables, seat, out)


@kernel
def choose(game: Any, seat: Any, action: Any) -> None:
    """Commit a decider's choice, in secret; choosing again replaces it."""
    game["chosen"][seat] = action


@kernel
def advance(game: Any, tables: Any) -> None:
    """All deciders have chosen: resolve, and go on to the next decision or to the end."""
    verbs.advance(game, tables)
    _settle(game)


@kernel
def forfeit(game: Any, seats: Any) -> None:
    """End the game by the illegal actions of some seats (bits), which lose it."""
    game["forfeits"] = seats
    game["over"] = ENDED
    game["deciders"] = 0
    _settle(game)


@kernel
def _settle(game: Any) -> None:
    game["steps"] += 1
    for seat in range(np.int64(game["num_players"])):
        game["chosen"][seat] = 0


@kernel
def determinize(game: Any, tables: Any, seat: Any, seed: Any) -> None:
    """Redraw what the seat cannot know, the others' commitments included: they choose again."""
    for other in range(np.int64(game["num_players"])):
        if other != seat:
            game["chosen"][other] = 0
    verbs.determinize(game, tables, seat, seed)
