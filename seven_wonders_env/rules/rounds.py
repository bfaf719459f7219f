"""What comes between turns: the deal of an Age, the passing of hands, and the conflicts at the end of an Age.

Rules document, section "pass the hands, compare at the end of the Age".
"""

from __future__ import annotations

import numpy as np

from antiquity.game.random import below
from antiquity.game.setup import nth_bit
from antiquity.kernels import kernel
from seven_wonders_env.state import CHOOSE, DRAW_DEAL, DRAW_GUILDS, HAND

from .payment import left_of


@kernel
def _row_of(index):
    """``index // HAND`` for up to HAND * HAND cards: numba's division would look at the signs."""
    return (index * 37) >> 8


@kernel
def _sort_hand(game, seat):
    """Each card goes to the place that the number of cards before it gives: no branch that shuffled cards mislead."""
    word = np.uint64(0)
    for position in range(HAND):
        kind = game["hands"][seat, position]
        before = 0
        for other in range(HAND):
            before += game["hands"][seat, other] < kind
            if other < position:
                before += game["hands"][seat, other] == kind
        word |= np.uint64(kind) << np.uint64(8 * before)
    for position in range(HAND):
        game["hands"][seat, position] = np.int64((word >> np.uint64(8 * position)) & np.uint64(255))


@kernel
def start_age(game, tables):
    """Deal the Age's deck, shuffled, straight into the hands: 7 cards a seat use it up exactly."""
    players = np.int64(game["num_players"])
    age = np.int64(game["age"])
    cards = np.int64(tables["deck_size"][players - 3, age])
    for index in range(cards):
        game["hands"][index // HAND, index % HAND] = tables["deck"][players - 3, age, index]
    guilds = HAND * players - cards
    free = (1 << np.int64(tables["guild_count"])) - 1
    for index in range(guilds):
        left = np.int64(tables["guild_count"]) - index
        guild = nth_bit(free, below(game["seed"], DRAW_GUILDS, index, left))
        free &= ~(1 << guild)
        game["hands"][(cards + index) // HAND, (cards + index) % HAND] = tables["guilds"][guild]
    for index in range(HAND * players - 1, 0, -1):
        other = below(game["seed"], DRAW_DEAL + age, index, index + 1)
        row, other_row = _row_of(index), _row_of(other)
        kind = game["hands"][row, index - HAND * row]
        game["hands"][row, index - HAND * row] = game["hands"][other_row, other - HAND * other_row]
        game["hands"][other_row, other - HAND * other_row] = kind
    for seat in range(players):
        game["hand_size"][seat] = HAND
        _sort_hand(game, seat)
    game["turn"] = 0
    game["phase"] = CHOOSE
    game["deciders"] = (1 << players) - 1


@kernel
def pass_hands(game, tables):
    """Ages I and III to the left neighbour, Age II to the right. All hands have the same size here."""
    players = np.int64(game["num_players"])
    size = np.int64(game["hand_size"][0])
    to_left = game["age"] != 1
    for position in range(size):
        if to_left:
            carried = game["hands"][players - 1, position]
            for seat in range(players - 1, 0, -1):
                game["hands"][seat, position] = game["hands"][seat - 1, position]
            game["hands"][0, position] = carried
        else:
            carried = game["hands"][0, position]
            for seat in range(players - 1):
                game["hands"][seat, position] = game["hands"][seat + 1, position]
            game["hands"][players - 1, position] = carried


@kernel
def end_age(game, tables):
    """The conflicts: each seat against its left neighbour is every pair of neighbours once."""
    players = np.int64(game["num_players"])
    age = np.int64(game["age"])
    for seat in range(players):
        left = left_of(game, seat)
        winner = loser = np.int64(-1)
        if game["shields"][seat] > game["shields"][left]:
            winner, loser = seat, left
        elif game["shields"][seat] < game["shields"][left]:
            winner, loser = left, seat
        if winner >= 0:
            game["victory"][winner] += tables["win_vp"][age]
            game["defeats"][loser] += 1
    if age == 2:
        game["over"] = 1
        game["deciders"] = 0
        return
    game["age"] = age + 1
    start_age(game, tables)
