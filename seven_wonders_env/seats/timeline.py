"""Who held which hand when, and when a card came to the discard: read from the record alone.

A hand is named by the seat it was dealt to. Hands travel to the left neighbour in Ages I and III and to the right one
in Age II, and stay where they are after the sixth turn. A moment is the number ``MOMENTS * Age + turn``; what
happens in one turn at one moment is in the order: sales, left-overs (on the sixth turn), the pick from the discard.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel
from seven_wonders_env import state as s

MOMENTS: Final = s.TURNS + 1


@kernel
def kind_of(action):
    """The card of a card action."""
    return (np.int64(action) - s.CARD_ACTIONS) // s.USES


@kernel
def use_of(action):
    """What a card action does with its card: BUILD, STAGE or SELL."""
    return (np.int64(action) - s.CARD_ACTIONS) % s.USES


@kernel
def holder(players, age, hand, turn):
    """The seat that holds a hand in a turn of an Age."""
    passed = min(np.int64(turn), s.TURNS - 1)
    return (hand + passed * (players - 1 if age == 1 else 1)) % players


@kernel
def hand_of(players, age, seat, turn):
    """The hand that a seat holds in a turn of an Age."""
    passed = min(np.int64(turn), s.TURNS - 1)
    return (seat + passed * (1 if age == 1 else players - 1)) % players


@kernel
def sale_moment(game, tables, age, turn, seat):
    """When the card of a SELL entry of the history came to the discard.

    An entry at EXTRA_TURN is a left-over of the sixth turn, unless the seat could already play its last card then.
    """
    if turn == s.EXTRA_TURN and not _could_play_last(game, tables, age, seat):
        return np.int64(MOMENTS * age + s.TURNS - 1)
    return np.int64(MOMENTS * age + turn)


@kernel
def _could_play_last(game, tables, age, seat):
    if not np.int64(game["powers"][seat]) & s.PLAY_LAST_CARD:
        return False
    stages = 0
    for moment in range(MOMENTS * age + s.TURNS):
        action = np.int64(game["history"][moment // MOMENTS, moment % MOMENTS, seat])
        if action and use_of(action) == s.STAGE:
            if np.int64(tables["powers"][_stage_item(game, seat, stages)]) & s.PLAY_LAST_CARD:
                return True
            stages += 1
    return False


@kernel
def _stage_item(game, seat, stage):
    return s.KINDS + np.int64(game["board"][seat]) * s.MAX_STAGES + stage


@kernel
def picks_from_discard(game, tables, seat, stage):
    """Whether building this stage of a seat's wonder lets it pick from the discard."""
    return (np.int64(tables["powers"][_stage_item(game, seat, stage)]) & s.BUILD_FROM_DISCARD) != 0


@kernel
def picking_seat(game, tables):
    """The seat whose board has a stage that picks from the discard (one wonder at most has any), or -1."""
    for seat in range(np.int64(game["num_players"])):
        for stage in range(np.int64(tables["stage_count"][game["board"][seat]])):
            if picks_from_discard(game, tables, seat, stage):
                return np.int64(seat)
    return np.int64(-1)


@kernel
def stage_moment(game, seat, stage):
    """When a seat built this stage of its wonder, -1 when it has not."""
    stages = 0
    for moment in range(MOMENTS * (np.int64(game["age"]) + 1)):
        action = np.int64(game["history"][moment // MOMENTS, moment % MOMENTS, seat])
        if action and use_of(action) == s.STAGE:
            if stages == stage:
                return np.int64(moment)
            stages += 1
    return np.int64(-1)


@kernel
def sold_by(game, tables, seat, kind, moment):
    """Whether the seat itself had put a card of this kind into the discard by that moment."""
    for past in range(MOMENTS * (np.int64(game["age"]) + 1)):
        age = past // MOMENTS
        action = np.int64(game["history"][age, past % MOMENTS, seat])
        if action and use_of(action) == s.SELL and kind_of(action) == kind:
            if sale_moment(game, tables, age, past % MOMENTS, seat) <= moment:
                return True
    return False


@kernel
def discard_known(game, tables, seat):
    """What a seat whose board picks from the discard knows of the pile.

    Its own sales and left-overs, and the whole pile as it lay at its last pick. Nobody else takes cards out, and what
    the seat took stands in its city.

    Returns the bits of the kinds, in two words, and how many cards it has not seen.
    """
    seen = np.int64(-1)  # moment of the last pick
    for stage in range(s.MAX_STAGES):
        if game["picks"][stage]:
            seen = stage_moment(game, seat, stage)
    low, high, unseen = np.uint64(0), np.uint64(0), np.int64(0)
    for age in range(np.int64(game["age"]) + 1):
        for turn in range(MOMENTS):
            for other in range(np.int64(game["num_players"])):
                action = np.int64(game["history"][age, turn, other])
                if action == 0 or use_of(action) != s.SELL:
                    continue
                if other != seat and (seen < 0 or sale_moment(game, tables, age, turn, other) > seen):
                    unseen += 1
                elif kind_of(action) < 64:
                    low |= np.uint64(1) << np.uint64(kind_of(action))
                else:
                    high |= np.uint64(1) << np.uint64(kind_of(action) - 64)
    return low, high, unseen
