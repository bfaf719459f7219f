"""The start of a game: an empty table, people and food for every seat, cards and tiles shuffled."""

from __future__ import annotations

import numpy as np

from antiquity.game.random import below, shuffle
from antiquity.game.setup import RANDOM
from antiquity.kernels import kernel
from stone_age_env import state as s

from .effects import draw_card
from .rounds import begin_round
from .turn import run_on


@kernel
def init(game, tables, options):
    """A new game: cards and tiles shuffled, five people and twelve food for everybody, the first round begun."""
    num_players = np.int64(game["num_players"])
    for seat in range(num_players):
        game["people"][seat] = tables["start_people"]
        game["food"][seat] = tables["start_food"]
    game["max_rounds"] = options["max_rounds"]
    for card in range(s.CARDS):
        game["deck"][card] = card
    shuffle(game["deck"], s.CARDS, game["seed"], s.DRAW_DECK, 0)
    for spot in range(s.SPOTS):
        game["open"][spot] = draw_card(game)
    _shuffle_tiles(game, tables, num_players)
    start = np.int64(options["start_player"])
    if start == RANDOM:
        start = below(game["seed"], s.DRAW_START, 0, num_players)
    game["start"] = start
    begin_round(game)
    run_on(game, tables, np.int64(0))


@kernel
def _shuffle_tiles(game, tables, num_players):
    for index in range(s.TILES):
        game["piles"][index // s.PILE, index % s.PILE] = tables["tiles"][index] + 1
    for index in range(s.TILES - 1, 0, -1):
        other = below(game["seed"], s.DRAW_TILES, index, index + 1)
        kind = game["piles"][index // s.PILE, index % s.PILE]
        game["piles"][index // s.PILE, index % s.PILE] = game["piles"][other // s.PILE, other % s.PILE]
        game["piles"][other // s.PILE, other % s.PILE] = kind
    for pile in range(s.PILES):
        game["pile_left"][pile] = s.PILE if pile < num_players else 0
