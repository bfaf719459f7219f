"""The hidden cards of one Age, grouped by what a seat knows of them, and new deals of them.

A seat that looks into a hand knows exactly which cards are in it. So the face-down places of an Age fall into groups,
each with cards that the seat knows, though not their order: what was taken from a hand between two of its looks, what
was taken after the last one together with what is still there, and one pool of everything it never saw (in Age III
with the guilds left in the box). Every order within the groups is consistent with the hands seen; what a pick from the
discard tells beyond that is up to ``placement``.

The result depends only on what the seat knows and on the seed: places come in a public order, cards sorted.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game.random import below
from antiquity.kernels import kernel
from seven_wonders_env import state as s
from seven_wonders_env.seats.timeline import (
    MOMENTS,
    holder,
    kind_of,
    picking_seat,
    picks_from_discard,
    sale_moment,
    use_of,
)

GROUPS: Final = s.TURNS + 1  # the pool, and one for each look into a hand
POOL: Final = 0
PLACES: Final = 64  # in a group, at least six hands and the box
EVENTS: Final = s.MAX_STAGES
NO_EVENT: Final = EVENTS  # class of a place whose card was not in the pile at any event
CELLS: Final = GROUPS * EVENTS

# Codes of places: 8 * turn + seat in the history, then these + seat.
IN_HAND: Final = 64
PLANNED: Final = 72
IN_BOX: Final = 80

NOTHING: Final = -1  # no card of the pile was legal
NOT_YET: Final = -2  # the pick is being chosen now

WORK_DTYPE: Final = np.dtype(
    [
        ("seed", "u8"),
        ("draws", "i8"),  # made so far
        # Events: the moments at which the discard was open to a pick, in order, whether or not one came of it.
        ("picker", "i8"),
        ("events", "i8"),
        ("moment", "i8", EVENTS),
        ("picked", "i8", EVENTS),  # kind, NOTHING or NOT_YET
        (
            "interval",
            "i8",
            EVENTS + 1,
        ),  # of each class: the first event with a pick from then on, -1 for none
        ("masked", "i8"),  # classes below this one can hold only kinds that were illegal at some event
        # The hidden places of one Age, by group.
        ("groups", "i8"),  # in use
        ("size", "i8", GROUPS),
        ("boxed", "i8"),  # the last places of the pool are the box
        ("filled", "i8", s.MAX_SEATS),  # cards dealt into a hand so far, -1 where a hand stays as it is
        # What the search for a placement has left to do, and how it got there (placement.py).
        ("needs", "i8"),
        ("depth", "i8"),
        ("left", "i8", GROUPS),  # places without a card
        ("room", "i8", (GROUPS, EVENTS)),  # of them those of a class
        ("options", "i8", PLACES),  # cells still to be tried at each depth, as bits
        ("open", "i8", PLACES),  # cards of each need without a cell
        ("met", "i8", PLACES),  # need met at each depth
        ("cell", "i8", PLACES),  # and where
        ("cells", "i8"),  # a cell: the places of one group and one class
        ("cell_group", "i8", CELLS),
        ("cell_class", "i8", CELLS),
        ("supply", "i8", (GROUPS, s.KINDS)),  # cards without a place
        ("tally", "i8", s.KINDS),
        ("weight", "i8", (3, s.KINDS)),  # of each kind as the one that makes a pick possible (worlds.py)
        ("odds", "i8", CELLS),
        ("load", "i8", CELLS),
        ("via_need", "i8", CELLS),
        ("via_cell", "i8", PLACES),
        ("queue", "i8", PLACES),
        ("need_kind", "i8", PLACES),  # this kind must lie in the pile ...
        ("need_low", "i8", PLACES),  # ... in a place of a class from this one ...
        ("need_high", "i8", PLACES),  # ... to this one
        ("need", "i8", PLACES),  # so many of them
        ("place", "u1", (GROUPS, PLACES)),
        ("kind", "u1", (GROUPS, PLACES)),
        ("class", "u1", (GROUPS, PLACES)),  # first event at which the card lay in the pile, or NO_EVENT
        ("allowed", "u1", (EVENTS, s.KINDS)),  # 1 for each kind that a place of the class can hold
        ("flow", "u1", (PLACES, CELLS)),
    ]
)
"""All that one redraw needs to remember, so that it takes memory only once."""


@kernel
def draw(work, n):
    """An unbiased draw from 0 ... n - 1."""
    work["draws"] += 1
    return below(work["seed"], s.REDRAW_CARDS, work["draws"], n)


@kernel
def find_events(game, tables, work):
    """List the moments at which the discard was open to a pick, and what each says about the pile."""
    work["events"] = 0
    work["masked"] = 0
    picker = picking_seat(game, tables)
    work["picker"] = picker
    if picker < 0:
        return
    low = high = np.uint64(0)  # bits of the kinds in its city
    stages = 0
    for moment in range(MOMENTS * (np.int64(game["age"]) + 1)):
        action = np.int64(game["history"][moment // MOMENTS, moment % MOMENTS, picker])
        if action == 0 or use_of(action) == s.SELL:
            continue
        kind = np.int64(-1)
        if use_of(action) == s.BUILD:
            kind = kind_of(action)
        else:
            if picks_from_discard(game, tables, picker, stages):
                kind = _add_event(game, work, stages, moment)
                if kind == NOTHING:
                    _allow_names_only(tables, work, low, high)
            stages += 1
        if kind >= 0:
            bit = np.uint64(1) << np.uint64(kind % 64)
            if kind < 64:
                low |= bit
            else:
                high |= bit
    interval = np.int64(-1)
    for event in range(EVENTS, -1, -1):
        if event < work["events"] and work["picked"][event] != NOTHING:
            interval = np.int64(event)
        work["interval"][event] = interval


@kernel
def _add_event(game, work, stage, moment):
    picked = np.int64(game["picks"][stage]) - 1
    if picked < 0 and game["phase"] == s.PICK:
        if stage == np.int64(game["built"][work["picker"], s.STAGES_COLUMN]) - 1:
            picked = np.int64(NOT_YET)
    event = work["events"]
    work["moment"][event] = moment
    work["picked"][event] = picked
    work["events"] = event + 1
    return picked


@kernel
def _allow_names_only(tables, work, low, high):
    """No card was legal: all that lay in the pile had the names of buildings in the city (these bits)."""
    # A city only grows, so the first such event after a card came to the pile says most about it.
    for kind in range(s.KINDS):
        known = (low & tables["same_name"][kind, 0]) | (high & tables["same_name"][kind, 1])
        for event in range(work["masked"], work["events"]):
            work["allowed"][event, kind] = 1 if known != np.uint64(0) else 0
    work["masked"] = work["events"]


@kernel
def collect(game, tables, work, seat, age):
    """Sort the places of an Age that are hidden from a seat, with their cards, into groups."""
    players = np.int64(game["num_players"])
    for group in range(GROUPS):
        work["size"][group] = 0
    work["groups"] = 1
    work["boxed"] = 0
    for other in range(s.MAX_SEATS):
        work["filled"][other] = -1
    for hand in range(players):
        group = np.int64(POOL)
        for turn in range(MOMENTS):
            owner = holder(players, age, hand, turn)
            action = np.int64(game["history"][age, turn, owner])
            if action == 0:
                _collect_hand(game, work, seat, holder(players, age, hand, game["turn"]), group)
                break
            if owner == seat:
                group = np.int64(turn + 1)
                if turn < s.TURNS:
                    work["groups"] = max(work["groups"], group + 1)
            elif use_of(action) != s.BUILD:
                event = np.int64(NO_EVENT)
                if use_of(action) == s.SELL and work["events"]:
                    event = _first_event(work, sale_moment(game, tables, age, turn, owner))
                _add_place(work, group, 8 * turn + owner, kind_of(action), event)
    if age == 2:
        _collect_box(game, tables, work)


@kernel
def _add_place(work, group, place, kind, event):
    index = work["size"][group]
    work["place"][group, index] = place
    work["kind"][group, index] = kind
    work["class"][group, index] = event
    work["size"][group] = index + 1


@kernel
def _first_event(work, moment):
    for event in range(work["events"]):
        if moment <= work["moment"][event]:
            return np.int64(event)
    return np.int64(NO_EVENT)


@kernel
def _collect_hand(game, work, seat, owner, group):
    if owner == seat:
        return
    work["filled"][owner] = 0
    known = np.int64(-1)  # the card of a revealed action has a place of its own, or is no secret
    planned = np.int64(game["planned"][owner])
    if planned:
        known = kind_of(planned)
        if use_of(planned) != s.BUILD:
            _add_place(work, group, PLANNED + owner, known, NO_EVENT)
    for position in range(np.int64(game["hand_size"][owner])):
        kind = np.int64(game["hands"][owner, position])
        if kind == known:
            known = np.int64(-1)
        else:
            _add_place(work, group, IN_HAND + owner, kind, NO_EVENT)


@kernel
def _collect_box(game, tables, work):
    """The guilds that are not in play lie in the box."""
    dealt = 0
    for other in range(np.int64(game["num_players"])):
        for turn in range(MOMENTS):
            action = np.int64(game["history"][2, turn, other])
            if action and kind_of(action) >= s.GUILD_START:
                dealt |= 1 << (kind_of(action) - s.GUILD_START)
        for position in range(np.int64(game["hand_size"][other])):
            kind = np.int64(game["hands"][other, position])
            if kind >= s.GUILD_START:
                dealt |= 1 << (kind - s.GUILD_START)
    for index in range(np.int64(tables["guild_count"])):
        kind = np.int64(tables["guilds"][index])
        if not (dealt >> (kind - s.GUILD_START)) & 1:
            _add_place(work, POOL, IN_BOX, kind, NO_EVENT)
            work["boxed"] += 1


@kernel
def sort_groups(work):
    """Bring the cards of each group into ascending order, so that nothing of the true order is left."""
    for group in range(work["groups"]):
        for index in range(1, work["size"][group]):
            kind = work["kind"][group, index]
            while index > 0 and work["kind"][group, index - 1] > kind:
                work["kind"][group, index] = work["kind"][group, index - 1]
                index -= 1
            work["kind"][group, index] = kind


@kernel
def shuffle_groups(work):
    """Give the (sorted) cards of each group to its places in a random order: all orders are equally likely."""
    for group in range(work["groups"]):
        size = work["size"][group]
        if group == POOL and work["boxed"]:
            guilds = 0
            while guilds < size and work["kind"][group, size - 1 - guilds] >= s.GUILD_START:
                guilds += 1
            for boxed in range(work["boxed"]):
                _swap(work, group, size - 1, size - 1 - draw(work, guilds - boxed))
                size -= 1
        for index in range(size - 1, 0, -1):
            _swap(work, group, index, draw(work, index + 1))


@kernel
def _swap(work, group, one, other):
    kind = work["kind"][group, one]
    work["kind"][group, one] = work["kind"][group, other]
    work["kind"][group, other] = kind


@kernel
def write_back(game, work, age):
    """Put the cards of all groups into their places in the record."""
    for seat in range(s.MAX_SEATS):
        planned = np.int64(game["planned"][seat])
        if work["filled"][seat] == 0 and planned and use_of(planned) == s.BUILD:
            _put_in_hand(game, work, seat, kind_of(planned))
    for group in range(work["groups"]):
        for index in range(work["size"][group]):
            place = np.int64(work["place"][group, index])
            kind = np.int64(work["kind"][group, index])
            if place < IN_HAND:
                if use_of(game["history"][age, place // 8, place % 8]) == s.SELL:
                    game["discard"][kind] += 1
            elif place < PLANNED:
                _put_in_hand(game, work, place - IN_HAND, kind)
            elif place < IN_BOX:
                seat = place - PLANNED
                game["planned"][seat] = s.CARD_ACTIONS + s.USES * kind + use_of(game["planned"][seat])
                _put_in_hand(game, work, seat, kind)
    # The old cards leave the discard after the new ones are in it: no count goes below zero in between.
    for group in range(work["groups"]):
        for index in range(work["size"][group]):
            place = np.int64(work["place"][group, index])
            if place < IN_HAND:
                action = np.int64(game["history"][age, place // 8, place % 8])
                if use_of(action) == s.SELL:
                    game["discard"][kind_of(action)] -= 1
                kind = np.int64(work["kind"][group, index])
                game["history"][age, place // 8, place % 8] = s.CARD_ACTIONS + s.USES * kind + use_of(action)


@kernel
def _put_in_hand(game, work, seat, kind):
    position = work["filled"][seat]
    work["filled"][seat] = position + 1
    while position > 0 and game["hands"][seat, position - 1] > kind:
        game["hands"][seat, position] = game["hands"][seat, position - 1]
        position -= 1
    game["hands"][seat, position] = kind
