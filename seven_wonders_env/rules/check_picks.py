"""The part of the verb check that goes through the discard as it grew, to every pick that there was from it."""

from __future__ import annotations

import numpy as np

from antiquity.kernels import kernel
from seven_wonders_env import state as s

from .check_seats import AT, ended

PICKS, PICKER = AT["picks"], AT["picker"]
_ZERO = np.uint64(0)
_ONE = np.uint64(1)


@kernel
def picks(game, tables):
    """Every card picked lay in the pile and could be built, and where none was picked there was none.

    Left-overs come to the pile in the sixth turn, but the cards of those who may play them in the seventh.
    """
    players = np.int64(game["num_players"])
    owner = np.int64(-1)
    for seat in range(players):
        if np.int64(game["powers"][seat]) & s.BUILD_FROM_DISCARD:
            owner = seat
    if owner < 0:
        for stage in range(s.MAX_STAGES):
            if game["picks"][stage]:
                return PICKS
        return PICKER if game["picker"] else np.int64(0)
    pile_a, pile_b, city_a, city_b = _ZERO, _ZERO, _ZERO, _ZERO
    stages, late, used = (
        np.int64(0),
        np.int64(0),
        np.int64(0),
    )  # four bits for each seat; bits of seats, of stages
    for moment in range((s.TURNS + 1) * (np.int64(game["age"]) + 1)):
        age, turn = moment // (s.TURNS + 1), moment % (s.TURNS + 1)
        event = np.int64(-1)
        for seat in range(players):
            action = np.int64(game["history"][age, turn, seat])
            if action == 0:
                continue
            kind = (action - s.CARD_ACTIONS) // s.USES
            use = action - s.CARD_ACTIONS - s.USES * kind
            if use == s.SELL:
                if turn < s.TURNS or (late >> seat) & 1:
                    pile_a, pile_b = _with(pile_a, pile_b, kind)
            elif use == s.STAGE:
                stage = (stages >> 4 * seat) & 15
                stages += 1 << 4 * seat
                item = s.KINDS + np.int64(game["board"][seat]) * s.MAX_STAGES + stage
                powers = np.int64(tables["powers"][item])
                late |= np.int64(powers & s.PLAY_LAST_CARD != 0) << seat
                if powers & s.BUILD_FROM_DISCARD:
                    event = stage
            elif seat == owner:
                city_a, city_b = _with(city_a, city_b, kind)
        if turn == s.TURNS - 1:
            for seat in range(players):
                action = np.int64(game["history"][age, s.EXTRA_TURN, seat])
                if action and not (late >> seat) & 1:
                    pile_a, pile_b = _with(pile_a, pile_b, (action - s.CARD_ACTIONS) // s.USES)
        if event < 0:
            continue
        picked = np.int64(game["picks"][event]) - 1
        if picked >= 0:
            used |= 1 << event
            lies = (
                (pile_a >> np.uint64(picked)) & _ONE
                if picked < 64
                else (pile_b >> np.uint64(picked - 64)) & _ONE
            )
            if lies == _ZERO or _has_name(tables, city_a, city_b, picked):
                return PICKS
            city_a, city_b = _with(city_a, city_b, picked)
            if _copies(game, picked, moment, late) <= _picked_before(game, picked, event):
                pile_a, pile_b = _without(pile_a, pile_b, picked)
            continue
        offered = False
        for kind in range(s.KINDS):
            lies = (
                (pile_a >> np.uint64(kind)) & _ONE if kind < 64 else (pile_b >> np.uint64(kind - 64)) & _ONE
            )
            offered |= lies != _ZERO and not _has_name(tables, city_a, city_b, kind)
        last = event == np.int64(game["built"][owner, s.STAGES_COLUMN]) - 1
        waits = game["phase"] == s.PICK and not ended(game) and game["picker"] == owner + 1 and last
        if offered != waits:
            return PICKER
    for stage in range(s.MAX_STAGES):
        if game["picks"][stage] and not (used >> stage) & 1:
            return PICKS
    return np.int64(0)


@kernel
def _with(a, b, kind):
    if kind < 64:
        return a | (_ONE << np.uint64(kind)), b
    return a, b | (_ONE << np.uint64(kind - 64))


@kernel
def _without(a, b, kind):
    if kind < 64:
        return a & ~(_ONE << np.uint64(kind)), b
    return a, b & ~(_ONE << np.uint64(kind - 64))


@kernel
def _has_name(tables, city_a, city_b, kind):
    return ((city_a & tables["same_name"][kind, 0]) | (city_b & tables["same_name"][kind, 1])) != _ZERO


@kernel
def _picked_before(game, kind, event):
    """How many cards of a kind the picks up to this one have taken."""
    number = 0
    for stage in range(event + 1):
        number += np.int64(game["picks"][stage]) == kind + 1
    return number


@kernel
def _copies(game, kind, moment, late):
    """How many cards of a kind had come to the pile by a moment. `late`: seats that play their last card."""
    sale = s.CARD_ACTIONS + s.USES * kind + s.SELL
    copies = 0
    for past in range(moment + 2):
        age, turn = past // (s.TURNS + 1), past % (s.TURNS + 1)
        if past > moment and turn != s.EXTRA_TURN:
            break
        for seat in range(np.int64(game["num_players"])):
            if past <= moment or not (late >> seat) & 1:
                copies += np.int64(game["history"][age, turn, seat]) == sale
    return copies
