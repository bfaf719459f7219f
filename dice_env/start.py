"""The start of a game: an empty table, a board and coins for every seat, and the first dice thrown."""

from __future__ import annotations

from typing import Final

from antiquity.dealing import begin, deal
from antiquity.jit import kernel

from .rounds import note_start, start_turn
from .state import (
    BOARDS,
    COLOURS,
    FIRST_FORUM,
    MAX_SEATS,
    NUM_DICE,
    STACK,
)

# Purposes of random draws; those of rounds.py go on from here.
DRAW_BOARDS: Final = 1

_NUM_COLOURS: Final = len(COLOURS)


@kernel
def init(game, tables, num_players, options, seed):
    """A new game: boards dealt, coins given, the first dice thrown."""
    begin(game, num_players, seed)
    for seat in range(MAX_SEATS):
        _clear_seat(game, seat)
    for die in range(NUM_DICE):
        game["face"][die] = 0
        game["quadrant"][die] = 0
    for index in range(3):
        game["unused"][index] = 0
    game["agora_first"] = 0
    game["last_turn"] = 0
    game["max_turns"] = options["max_turns"]
    game["forum"] = FIRST_FORUM
    game["turn"] = 0
    deal(options["boards"], BOARDS, num_players, seed, DRAW_BOARDS, game["board"])
    for seat in range(num_players):
        game["coins"][seat] = tables["start_coins"]
    start_turn(game, tables)


@kernel
def _clear_seat(game, seat):
    game["crossed"][seat] = 0
    game["chosen"][seat] = 0
    game["coins"][seat] = 0
    for place in range(STACK):
        game["stack"][seat, place] = 0
    game["depth"][seat] = 0
    game["board"][seat] = 0
    game["bonuses"][seat] = 0
    game["resources"][seat] = 0
    for side in range(2):
        game["attack"][seat, side] = 0
    game["discount"][seat] = 0
    game["free"][seat] = 0
    game["unlocked"][seat] = 0
    for colour in range(_NUM_COLOURS):
        game["income"][seat, colour] = 0
    game["first_action"][seat] = 0
    game["last_action"][seat] = 0
    note_start(game, seat)
