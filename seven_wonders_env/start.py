"""The start of a game: an empty table, a board and coins for every seat, and the first Age dealt."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.dealing import RANDOM, begin, deal
from antiquity.jit import kernel
from antiquity.random import below

from .rounds import start_age
from .state import BOARDS, HAND, KINDS, MAX_SEATS, MAX_STAGES, NO_CARD, SIDES, TURNS, WORDS

# Purposes of random draws; those of rounds.py go on from here.
DRAW_BOARDS: Final = 1
DRAW_SIDES: Final = 2


@kernel
def init(game, tables, num_players, options, seed):
    """A new game: boards dealt, coins given, the first Age dealt."""
    begin(game, num_players, seed)
    for seat in range(MAX_SEATS):
        _clear_seat(game, seat)
    for kind in range(KINDS):
        game["discard"][kind] = 0
    for age in range(3):
        for turn in range(TURNS + 1):
            for seat in range(MAX_SEATS):
                game["history"][age, turn, seat] = 0
    for stage in range(MAX_STAGES):
        game["picks"][stage] = 0
    for index in range(6):
        game["unused"][index] = 0
    game["picker"] = 0
    game["payments"] = options["payments"]
    _deal_boards(game, tables, num_players, options)
    game["age"] = 0
    start_age(game, tables)


@kernel
def _clear_seat(game, seat):
    for index in range(2):
        game["city"][seat, index] = 0
    for purse in range(3):
        game["pay"][seat, purse] = 0
    for word in range(WORDS):
        game["own"][seat, word] = 0
        game["sell"][seat, word] = 0
    for position in range(HAND):
        game["hands"][seat, position] = NO_CARD
    for column in range(8):
        game["built"][seat, column] = 0
    for symbol in range(4):
        game["science"][seat, symbol] = 0
    game["chosen"][seat] = 0
    game["coins"][seat] = 0
    game["planned"][seat] = 0
    game["hand_size"][seat] = 0
    game["board"][seat] = 0
    game["shields"][seat] = 0
    game["victory"][seat] = 0
    game["defeats"][seat] = 0
    game["discounts"][seat] = 0
    game["powers"][seat] = 0


@kernel
def _deal_boards(game, tables, num_players, options):
    deal(options["wonders"], BOARDS, num_players, game["seed"], DRAW_BOARDS, game["board"])
    for seat in range(num_players):
        side = np.int64(options["sides"][seat])
        if side == RANDOM:
            side = below(game["seed"], DRAW_SIDES, seat, SIDES)
        board = SIDES * np.int64(game["board"][seat]) + side
        game["board"][seat] = board
        game["coins"][seat] = tables["start_coins"]
        for word in range(WORDS):
            game["own"][seat, word] = tables["start"][board, word]
            game["sell"][seat, word] = tables["start"][board, word]
