"""What comes between rounds: the end of the game or fresh cards, and everybody's people back in hand.

Rules document, section "the two signals of the end".
"""

from __future__ import annotations

import numpy as np

from antiquity.game import CUT_OFF, ENDED
from antiquity.kernels import kernel
from stone_age_env import state as s

from .effects import draw_card


@kernel
def begin_round(game):
    for seat in range(np.int64(game["num_players"])):
        game["in_hand"][seat] = game["people"][seat]
        for slot in range(s.TOOL_SLOTS):
            game["used"][seat, slot] = 0
    game["active"] = game["start"]
    game["phase"] = s.PLACE


@kernel
def end_round(game, tables):
    """All are fed: the end of the game, or the next round."""
    over = False
    for pile in range(np.int64(game["num_players"])):
        over = over or game["pile_left"][pile] == 0
    cards = s.CARDS - np.int64(game["deck_next"])
    for spot in range(s.SPOTS):
        cards += 1 if game["open"][spot] != s.NO_CARD else 0
    if over or cards < s.SPOTS:
        game["over"] = ENDED
        return
    if np.int64(game["round"]) + 1 >= np.int64(game["max_rounds"]):
        game["over"] = CUT_OFF
        return
    game["round"] += 1
    game["start"] = (np.int64(game["start"]) + 1) % np.int64(game["num_players"])
    _refill(game)
    begin_round(game)


@kernel
def _refill(game):
    """Cards slide to the cheap side, and the empty spots are filled from there on."""
    filled = 0
    for spot in range(s.SPOTS):
        card = game["open"][spot]
        if card != s.NO_CARD:
            game["open"][spot] = s.NO_CARD
            game["open"][filled] = card
            filled += 1
    for spot in range(filled, s.SPOTS):
        game["open"][spot] = draw_card(game)
