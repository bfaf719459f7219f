"""What a perfect memory of all that a seat has seen knows beyond its observation.

A seat sees its own hand at every turn, and so each hand whenever it comes by; its own sold, tucked and left-over cards;
and the whole discard at its own picks. All else that lies face down is hidden from it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.kernels import add, kernel, put
from seven_wonders_env import state as s

from .timeline import (
    MOMENTS,
    hand_of,
    holder,
    kind_of,
    picking_seat,
    sale_moment,
    sold_by,
    stage_moment,
    use_of,
)

MEMORY_LAYOUT: Final = Layout.build(
    *(
        (
            f"memory_hand_{step}",
            s.KINDS,
            0,
            s.HAND,
            1,
            f"cards of each kind that the hand now {step} to the left may still hold: those last seen in it, less the "
            "one taken then and those built from it since",
        )
        for step in range(1, s.MAX_SEATS)
    ),
    ("memory_discard", s.KINDS, 0, s.MAX_SEATS * s.HAND, 1, "cards of each kind known to be in the discard"),
)
_AT: Final = MEMORY_LAYOUT.starts
_ONE: Final = np.float32(1)


@kernel
def memory(game, tables, seat, out):
    """Write what a perfect memory knows beyond the observation into ``out`` (MEMORY_LAYOUT.size zeros).

    First, for the seats clockwise from the left neighbour on, the cards that the seat's hand may still hold: what was
    last seen in that hand in this Age, less the card taken then and the buildings built openly from it since. Cards
    that others took from it face down are still counted. Zero where the hand was not seen in this Age or is empty.
    Then the cards known to be in the discard: the seat's own sales and left-overs of all Ages, and the whole pile as it
    was at its last pick, less what was picked since.
    """
    players = np.int64(game["num_players"])
    for step in range(1, players):
        if game["hand_size"][(seat + step) % players]:
            _remember_hand(game, seat, step, _AT.memory_hand_1 + (step - 1) * s.KINDS, out)
    _remember_discard(game, tables, seat, _AT.memory_discard, out)


@kernel
def _remember_hand(game, seat, step, start, out):
    players = np.int64(game["num_players"])
    age = np.int64(game["age"])
    turn = min(np.int64(game["turn"]), s.TURNS - 1)
    other = (seat + step) % players
    hand = hand_of(players, age, other, turn)
    seen = turn - (players - step if age == 1 else step)
    if seen < 0:
        return
    for position in range(np.int64(game["hand_size"][other])):
        add(out, start + np.int64(game["hands"][other, position]), 1, _ONE)
    planned = np.int64(game["planned"][other])
    if planned and use_of(planned) == s.BUILD:
        add(out, start + kind_of(planned), -1, _ONE)
    for past in range(seen + 1, turn + 1):
        action = np.int64(game["history"][age, past, holder(players, age, hand, past)])
        if action and use_of(action) != s.BUILD:
            add(out, start + kind_of(action), 1, _ONE)


@kernel
def _remember_discard(game, tables, seat, start, out):
    picker = picking_seat(game, tables)
    if picker == seat and game["phase"] == s.PICK:
        for kind in range(s.KINDS):
            put(out, start + kind, np.int64(game["discard"][kind]), _ONE)
        return
    seen = np.int64(-1)  # moment of the last pick of the seat itself
    if picker == seat:
        for stage in range(s.MAX_STAGES):
            if game["picks"][stage]:
                seen = stage_moment(game, seat, stage)
    players = np.int64(game["num_players"])
    for other in range(players):
        if other != seat and seen < 0:
            continue
        for age in range(np.int64(game["age"]) + 1):
            for turn in range(MOMENTS):
                action = np.int64(game["history"][age, turn, other])
                if action and use_of(action) == s.SELL:
                    if other == seat or sale_moment(game, tables, age, turn, other) <= seen:
                        add(out, start + kind_of(action), 1, _ONE)
    if picker < 0:
        return
    for stage in range(s.MAX_STAGES):
        if game["picks"][stage]:
            kind = np.int64(game["picks"][stage]) - 1
            if picker == seat or sold_by(game, tables, seat, kind, stage_moment(game, picker, stage)):
                add(out, start + kind, -1, _ONE)
