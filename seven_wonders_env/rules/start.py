"""The start of a game: an empty table, a board and coins for every seat, and the first Age dealt.

With ``sides="choose"`` the seats choose the sides of their boards in between: the rules document has all play the day
side, the online help document (section "preparing the game") has each player draw a board and choose its side. All that
choose do so at once and in secret, before any card is seen.
"""

from __future__ import annotations

import numpy as np

from antiquity.game.random import below
from antiquity.game.setup import RANDOM, deal
from antiquity.kernels import kernel
from seven_wonders_env import state as s

from .rounds import start_age


@kernel
def init(game, tables, options):
    """A new game: boards dealt, coins given, the first Age dealt unless sides are to be chosen first."""
    for seat in range(s.MAX_SEATS):
        for position in range(s.HAND):
            game["hands"][seat, position] = s.NO_CARD
    game["payments"] = options["payments"]
    _deal_boards(game, tables, options)
    if game["open_sides"]:
        game["phase"] = s.SIDE
        game["deciders"] = game["open_sides"]
    else:
        start_age(game, tables)


@kernel
def turn_boards(game, tables):
    """The chosen sides are shown, all at once, and the first Age is dealt.

    A wonder starts with the same resource on both sides.
    """
    for seat in range(np.int64(game["num_players"])):
        if (np.int64(game["open_sides"]) >> seat) & 1:
            game["board"][seat] += np.int64(game["chosen"][seat]) - s.SIDE_ACTIONS
    game["open_sides"] = 0
    start_age(game, tables)


@kernel
def _deal_boards(game, tables, options):
    num_players = np.int64(game["num_players"])
    deal(options["wonders"], s.BOARDS, num_players, game["seed"], s.DRAW_BOARDS, game["board"])
    for seat in range(num_players):
        side = np.int64(options["sides"][seat])
        if side == RANDOM:
            side = below(game["seed"], s.DRAW_SIDES, seat, s.SIDES)
        elif side == s.CHOSEN:
            side = np.int64(0)
            game["open_sides"] |= 1 << seat
        board = s.SIDES * np.int64(game["board"][seat]) + side
        game["board"][seat] = board
        game["coins"][seat] = tables["start_coins"]
        for word in range(s.WORDS):
            game["own"][seat, word] = tables["start"][board, word]
            game["sell"][seat, word] = tables["start"][board, word]
