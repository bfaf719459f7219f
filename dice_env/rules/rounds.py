"""What comes between turns: the throw and the guild comparison; the agora, special dice and the end of the game.

Rules document, sections on the buildings, the effects and the bonuses.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import CUT_OFF, ENDED
from antiquity.game.random import below
from antiquity.game.setup import nth_bit
from antiquity.kernels import kernel
from dice_env import state as s

from .bits import NONE
from .legality import crossed_of

# Purposes of random draws; start.py has 1.
DRAW_DICE: Final = 2  # index: turn * NUM_DICE + die
DRAW_GREY: Final = 3  # index: the special die that comes in


@kernel
def start_turn(game, tables):
    """Throw the dice in the forum; all seats are to choose an action."""
    players = np.int64(game["num_players"])
    forum = np.int64(game["forum"])
    throw = np.int64(game["turn"]) * s.NUM_DICE
    for die in range(s.NUM_DICE):
        if (forum >> die) & 1:
            drawn = below(game["seed"], DRAW_DICE, throw + die, s.FACES * s.QUADRANTS)
            game["face"][die] = drawn >> 2
            game["quadrant"][die] = drawn & 3
    for seat in range(players):
        note_start(game, seat)
        game["stack"][seat, 0] = s.ACTION
        game["depth"][seat] = 1
        game["first_action"][seat] = 0
    game["guild"] = 0
    if (forum >> s.PURPLE) & 1:
        compare_guild(game, tables)
    game["deciders"] = (1 << players) - 1


@kernel
def note_start(game, seat):
    """Make the present position what others see of the seat until the turn ends."""
    game["start_crossed"][seat] = game["crossed"][seat]
    game["start_coins"][seat] = game["coins"][seat]
    game["start_bonuses"][seat] = game["bonuses"][seat]
    game["start_resources"][seat] = game["resources"][seat]
    for side in range(2):
        game["start_attack"][seat, side] = game["attack"][seat, side]
    game["start_discount"][seat] = game["discount"][seat]
    game["start_free"][seat] = game["free"][seat]
    game["start_unlocked"][seat] = game["unlocked"][seat]
    for colour in range(s.NUM_COLOURS):
        game["start_income"][seat, colour] = game["income"][seat, colour]


@kernel
def compare_guild(game, tables):
    """Which seats have, of the building on the purple face, no fewer spaces than either neighbour.

    With two players a tie is not enough.
    """
    players = np.int64(game["num_players"])
    building = np.int64(tables["face_compares"][s.PURPLE, np.int64(game["face"][s.PURPLE])]) - 1
    holds = 0
    for seat in range(players):
        if building < 0:
            holds |= 1 << seat
            continue
        own = crossed_of(game, tables, seat, building)
        left = crossed_of(game, tables, (seat + 1) % players, building)
        if players == 2:
            if own > left:
                holds |= 1 << seat
        elif own >= left and own >= crossed_of(game, tables, (seat + players - 1) % players, building):
            holds |= 1 << seat
    game["guild"] = holds


@kernel
def end_turn(game, tables):
    """Agora, special dice, the end of the game; then the next turn."""
    players = np.int64(game["num_players"])
    unlocked = np.int64(0)
    filled = np.int64(0)
    finished = False
    for seat in range(players):
        unlocked |= np.int64(game["unlocked"][seat])
        agora = tables["building"][np.int64(game["board"][seat]), s.AGORA]
        if agora != NONE and game["crossed"][seat] & agora == agora:
            filled |= 1 << seat
        if np.int64(game["bonuses"][seat]) == s.ALL_BONUSES:
            finished = True
        game["last_action"][seat] = game["first_action"][seat]
    if game["agora_first"] == 0:
        game["agora_first"] = filled
    if unlocked:
        _bring_in_special_dice(game, unlocked)
    turn = np.int64(game["turn"])
    if game["last_turn"]:
        game["over"] = ENDED
    elif turn + 1 == np.int64(game["max_turns"]):
        game["over"] = CUT_OFF
    if game["over"]:
        for seat in range(players):
            note_start(game, seat)
            game["first_action"][seat] = 0
        game["guild"] = 0
        return
    if finished:
        game["last_turn"] = 1
    game["turn"] = turn + 1
    start_turn(game, tables)


@kernel
def _bring_in_special_dice(game, unlocked):
    """Each colour unlocked for the first time takes the place of a grey die drawn at random."""
    for special in range(s.NUM_SPECIALS):
        forum = np.int64(game["forum"])
        die = s.SPECIAL_DIE[special]
        if not (unlocked >> special) & 1 or (forum >> die) & 1:
            continue
        greys = np.int64(0)
        for grey in range(s.GREYS):
            greys += (forum >> grey) & 1
        grey = nth_bit(forum, below(game["seed"], DRAW_GREY, special, greys))
        game["forum"] = (forum & ~(1 << grey)) | (1 << die)
        game["face"][grey] = 0
        game["quadrant"][grey] = 0
