"""The start of a game: an empty table, people and food for every seat, cards and tiles shuffled."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game.random import below, shuffle
from antiquity.game.setup import RANDOM
from antiquity.kernels import kernel
from stone_age_env.state import CARDS, PILE, PILES, SPOTS, TILES

from .effects import draw_card
from .rounds import begin_round
from .turn import run_on

# Purposes of random draws; effects.DRAW_DICE is 1.
DRAW_DECK: Final = 2
DRAW_TILES: Final = 3
DRAW_START: Final = 4


@kernel
def init(game, tables, options):
    """A new game: cards and tiles shuffled, five people and twelve food for everybody, the first round begun."""
    num_players = np.int64(game["num_players"])
    for seat in range(num_players):
        game["people"][seat] = tables["start_people"]
        game["food"][seat] = tables["start_food"]
    game["max_rounds"] = options["max_rounds"]
    for card in range(CARDS):
        game["deck"][card] = card
    shuffle(game["deck"], CARDS, game["seed"], DRAW_DECK, 0)
    for spot in range(SPOTS):
        game["open"][spot] = draw_card(game)
    _shuffle_tiles(game, tables, num_players)
    start = np.int64(options["start_player"])
    if start == RANDOM:
        start = below(game["seed"], DRAW_START, 0, num_players)
    game["start"] = start
    begin_round(game)
    run_on(game, tables, np.int64(0))


@kernel
def _shuffle_tiles(game, tables, num_players):
    for index in range(TILES):
        game["piles"][index // PILE, index % PILE] = tables["tiles"][index] + 1
    for index in range(TILES - 1, 0, -1):
        other = below(game["seed"], DRAW_TILES, index, index + 1)
        kind = game["piles"][index // PILE, index % PILE]
        game["piles"][index // PILE, index % PILE] = game["piles"][other // PILE, other % PILE]
        game["piles"][other // PILE, other % PILE] = kind
    for pile in range(PILES):
        game["pile_left"][pile] = PILE if pile < num_players else 0
