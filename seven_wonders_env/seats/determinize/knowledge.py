"""What a seat knows of the hidden cards: its memory, and other worlds that agree with all it has seen.

A seat sees its own hand at every turn, and so each hand whenever it comes by; its own sold, tucked and left-over cards;
and the whole discard at its own picks. All else that lies face down is hidden from it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game.random import mix
from antiquity.kernels import kernel
from seven_wonders_env.rules.legality import has_name
from seven_wonders_env.state import BUILD, HAND, KINDS, MAX_SEATS, MAX_STAGES, PICK, SELL, TURNS

from .placement import deal_bound, is_bound, list_needs
from .redraw import (
    NO_EVENT,
    WORK_DTYPE,
    collect,
    draw,
    find_events,
    shuffle_groups,
    sort_groups,
    write_back,
)
from .search import SCALE
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

FUTURE: Final = 8
"""Purpose of the draw that makes the seed of a redrawn game; those before it are ``turn``'s and ``redraw``'s."""

MEMORY_FIELDS: Final = (
    *(
        (
            f"memory_hand_{step}",
            KINDS,
            0,
            HAND,
            1,
            f"cards of each kind that the hand now {step} to the left may still hold: those last seen in it, less the "
            "one taken then and those built out of it since",
        )
        for step in range(1, MAX_SEATS)
    ),
    ("memory_discard", KINDS, 0, MAX_SEATS * HAND, 1, "cards of each kind known to lie in the discard"),
)
"""(name, size, low, high, scale, meaning) of the parts of a memory."""
MEMORY_SIZE: Final = MAX_SEATS * KINDS

TRIES: Final = 32
"""Redraws in the hope that the pile offers a pick, before a card to pick is put there on purpose."""

_ZERO: Final = np.float32(0)
_ONE: Final = np.float32(1)


@kernel
def memory(game, tables, seat, out):
    """Write what a perfect memory knows beyond the observation into ``out`` (float32[MEMORY_SIZE], every element).

    First, for the seats clockwise from the left neighbour on, the cards that the seat's hand may still hold: what was
    last seen in that hand in this Age, less the card taken then and the buildings put up openly out of it since. Cards
    that others took from it face down are still counted. Zero where the hand was not seen in this Age or is empty.
    Then the cards known to lie in the discard: the own sales and left-overs of all Ages and the whole pile as it was
    at the own last pick, less what was picked since.
    """
    for index in range(MEMORY_SIZE):
        out[index] = _ZERO
    players = np.int64(game["num_players"])
    for step in range(1, players):
        if game["hand_size"][(seat + step) % players]:
            _remember_hand(game, seat, step, (step - 1) * KINDS, out)
    _remember_discard(game, tables, seat, (MAX_SEATS - 1) * KINDS, out)


@kernel
def _remember_hand(game, seat, step, start, out):
    players = np.int64(game["num_players"])
    age = np.int64(game["age"])
    turn = min(np.int64(game["turn"]), TURNS - 1)
    other = (seat + step) % players
    hand = hand_of(players, age, other, turn)
    seen = turn - (players - step if age == 1 else step)
    if seen < 0:
        return
    for position in range(np.int64(game["hand_size"][other])):
        out[start + np.int64(game["hands"][other, position])] += _ONE
    planned = np.int64(game["planned"][other])
    if planned and use_of(planned) == BUILD:
        out[start + kind_of(planned)] -= _ONE
    for past in range(seen + 1, turn + 1):
        action = np.int64(game["history"][age, past, holder(players, age, hand, past)])
        if action and use_of(action) != BUILD:
            out[start + kind_of(action)] += _ONE


@kernel
def _remember_discard(game, tables, seat, start, out):
    picker = picking_seat(game, tables)
    if picker == seat and game["phase"] == PICK:
        for kind in range(KINDS):
            out[start + kind] = np.float32(np.int64(game["discard"][kind]))
        return
    seen = np.int64(-1)  # moment of the own last pick
    if picker == seat:
        for stage in range(MAX_STAGES):
            if game["picks"][stage]:
                seen = stage_moment(game, seat, stage)
    players = np.int64(game["num_players"])
    for other in range(players):
        if other != seat and seen < 0:
            continue
        for age in range(np.int64(game["age"]) + 1):
            for turn in range(MOMENTS):
                action = np.int64(game["history"][age, turn, other])
                if action and use_of(action) == SELL:
                    if other == seat or sale_moment(game, tables, age, turn, other) <= seen:
                        out[start + kind_of(action)] += _ONE
    if picker < 0:
        return
    for stage in range(MAX_STAGES):
        if game["picks"][stage]:
            kind = np.int64(game["picks"][stage]) - 1
            if picker == seat or sold_by(game, tables, seat, kind, stage_moment(game, picker, stage)):
                out[start + kind] -= _ONE


@kernel
def determinize(game, tables, seat, seed):
    """Redraw in place all that a seat cannot know, the future included, in agreement with all that it has seen.

    What the seat observes and remembers, its legal actions and every public field stay as they are; committed choices
    of others are forgotten. The result depends on what the seat knows and on ``seed`` (64 bits) alone: the game's own
    seed is never read, and is replaced by a hash of ``seed``. Every world that agrees with what the seat has seen can
    come out. Where no pick from the discard tells anything, all are equally likely (a world says for every single card,
    two of a kind told apart, where it lies); with picks they are nearly so.

    A record set up by hand may be such that no deal agrees with its picks. Then they are disregarded.
    """
    work = np.zeros(1, WORK_DTYPE)[0]
    work["seed"] = seed
    find_events(game, tables, work)
    picker = work["picker"]
    must_offer = game["phase"] == PICK and picker != seat and picker >= 0
    wanted = np.int64(-1)  # KINDS * Age + kind of a card to be put into the pile
    tries = 0
    while True:
        done = True
        for age in range(np.int64(game["age"]) + 1):
            collect(game, tables, work, seat, age)
            if tries == TRIES - 1:
                _weigh_offers(game, tables, work, age)
            list_needs(game, tables, work, seat, age, wanted)
            sort_groups(work)
            if not is_bound(work):
                shuffle_groups(work)
            elif not deal_bound(work, seat):
                shuffle_groups(work)
                done = False
            write_back(game, work, age)
        tries += 1
        if not must_offer or (done and _offers(game, tables, picker)):
            break
        if tries >= TRIES:
            if wanted >= 0:
                work["weight"][wanted // KINDS, wanted % KINDS] = 0
            wanted = _choose_offer(work)
            if wanted < 0:
                break
    game["seed"] = mix(seed, FUTURE, 0)


@kernel
def _offers(game, tables, picker):
    """Whether a card that the picker may build lies in the discard."""
    for kind in range(KINDS):
        if game["discard"][kind] and not has_name(game, tables, picker, kind):
            return True
    return False


@kernel
def _weigh_offers(game, tables, work, age):
    """For each kind that the picker may build, how many would lie in the pile if hidden cards lay at random."""
    for group in range(work["groups"]):
        piled = 0
        for index in range(work["size"][group]):
            if work["class"][group, index] != NO_EVENT:
                piled += 1
        for index in range(work["size"][group]):
            kind = np.int64(work["kind"][group, index])
            if piled and not has_name(game, tables, work["picker"], kind):
                work["weight"][age, kind] += SCALE * piled // work["size"][group]


@kernel
def _choose_offer(work):
    """A card to be put into the pile, as KINDS * Age + kind; -1 when none is left to try."""
    total = 0
    for slot in range(3 * KINDS):
        total += work["weight"][slot // KINDS, slot % KINDS]
    if total == 0:
        return np.int64(-1)
    at = draw(work, total)
    slot = np.int64(-1)
    while at >= 0:
        slot += 1
        at -= work["weight"][slot // KINDS, slot % KINDS]
    return slot
