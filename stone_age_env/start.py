"""The start of a game: an empty table, people and food for every seat, cards and tiles shuffled."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.dealing import RANDOM, begin
from antiquity.jit import kernel
from antiquity.random import below, shuffle

from .effects import draw_card
from .rounds import begin_round
from .state import CARDS, MAX_SEATS, NUM_PLACES, PILE, PILES, SPOTS, TILES, TOOL_SLOTS
from .turn import run_on

# Purposes of random draws; effects.DRAW_DICE is 1.
DRAW_DECK: Final = 2
DRAW_TILES: Final = 3
DRAW_START: Final = 4


@kernel
def init(game, tables, num_players, options, seed):
    """A new game: cards and tiles shuffled, five people and twelve food for everybody, the first round begun."""
    begin(game, num_players, seed)
    for seat in range(MAX_SEATS):
        _clear_seat(game, seat)
    for seat in range(num_players):
        game["people"][seat] = tables["start_people"]
        game["food"][seat] = tables["start_food"]
    _clear_decision(game)
    game["max_rounds"] = options["max_rounds"]
    for index in range(6):
        game["unused"][index] = 0
    for card in range(CARDS):
        game["owner"][card] = 0
        game["deck"][card] = card
    shuffle(game["deck"], CARDS, seed, DRAW_DECK, 0)
    game["deck_next"] = 0
    for spot in range(SPOTS):
        game["open"][spot] = draw_card(game)
    _shuffle_tiles(game, tables, num_players)
    start = np.int64(options["start_player"])
    if start == RANDOM:
        start = below(seed, DRAW_START, 0, num_players)
    game["start"] = start
    game["round"] = 0
    begin_round(game)
    run_on(game, tables, np.int64(0))


@kernel
def _clear_seat(game, seat):
    for column in range(3):
        game["points"][seat, column] = 0
    for index in range(4):
        game["resources"][seat, index] = 0
        game["one_use"][seat, index] = 0
        game["figures"][seat, index] = 0
    for place in range(NUM_PLACES):
        game["placed"][seat, place] = 0
    for slot in range(TOOL_SLOTS):
        game["tools"][seat, slot] = 0
        game["used"][seat, slot] = 0
    for symbol in range(8):
        game["culture"][seat, symbol] = 0
    game["food"][seat] = 0
    game["chosen"][seat] = 0
    game["people"][seat] = 0
    game["in_hand"][seat] = 0
    game["agriculture"][seat] = 0
    game["free_cards"][seat] = 0
    game["buildings"][seat] = 0
    game["cards"][seat] = 0


@kernel
def _clear_decision(game):
    game["total"] = 0
    for face in range(6):
        game["dice"][face] = 0
    game["picker"] = 0
    game["place"] = 0
    game["gather"] = 0
    game["pay_left"] = 0
    game["pay_kinds"] = 0
    game["pay_kind"] = 0


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
