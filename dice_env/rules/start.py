"""The start of a game: an empty table, a board and coins for every seat, and the first dice thrown."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game.setup import deal
from antiquity.kernels import kernel
from dice_env.state import BOARDS, FIRST_FORUM

from .rounds import start_turn

# Purposes of random draws; those of rounds.py go on from here.
DRAW_BOARDS: Final = 1


@kernel
def init(game, tables, options):
    """A new game: boards dealt, coins given, the first dice thrown."""
    num_players = np.int64(game["num_players"])
    game["max_turns"] = options["max_turns"]
    game["forum"] = FIRST_FORUM
    deal(options["boards"], BOARDS, num_players, game["seed"], DRAW_BOARDS, game["board"])
    for seat in range(num_players):
        game["coins"][seat] = tables["start_coins"]
    start_turn(game, tables)
