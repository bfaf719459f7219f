"""Other worlds: what a seat cannot know, redrawn consistently with all that it has seen (see ``seats/memory.py``)."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game.random import mix
from antiquity.kernels import kernel
from seven_wonders_env import state as s
from seven_wonders_env.rules.legality import has_name

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

TRIES: Final = 32
"""Redraws until the pile happens to offer a pick; after that a card to pick is put there on purpose."""


@kernel(allocates=True)
def determinize(game, tables, seat, seed):
    """Redraw in place all that a seat cannot know, the future included, consistently with all that it has seen.

    What the seat observes and remembers, its legal actions and every public field stay as they are; committed choices
    of others are forgotten. The result depends on what the seat knows and on ``seed`` (64 bits) alone: the game's own
    seed is never read, and is replaced by a hash of ``seed``. Every world that agrees with what the seat has seen can
    come out. Where no pick from the discard tells anything, all are equally likely (a world says for every single card,
    two of a kind told apart, where it lies); with picks they are nearly so.

    A record set up by hand may be such that no deal agrees with its picks. Then they are disregarded.
    """
    work = np.zeros(1, WORK_DTYPE)[0]
    work["seed"] = seed
    if game["phase"] != s.SIDE:  # before the deal nothing lies hidden, and open sides are chosen anew
        _redraw_cards(game, tables, work, seat)
    game["seed"] = mix(seed, s.REDRAW_FUTURE, 0)


@kernel
def _redraw_cards(game, tables, work, seat):
    find_events(game, tables, work)
    picker = work["picker"]
    must_offer = game["phase"] == s.PICK and picker != seat and picker >= 0
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
                work["weight"][wanted // s.KINDS, wanted % s.KINDS] = 0
            wanted = _choose_offer(work)
            if wanted < 0:
                break


@kernel
def _offers(game, tables, picker):
    """Whether a card that the picker may build lies in the discard."""
    for kind in range(s.KINDS):
        if game["discard"][kind] and not has_name(game, tables, picker, kind):
            return True
    return False


@kernel
def _weigh_offers(game, tables, work, age):
    """For each kind that the picker may build, how many would be in the pile if hidden cards were placed at random."""
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
    for slot in range(3 * s.KINDS):
        total += work["weight"][slot // s.KINDS, slot % s.KINDS]
    if total == 0:
        return np.int64(-1)
    at = draw(work, total)
    slot = np.int64(-1)
    while at >= 0:
        slot += 1
        at -= work["weight"][slot // s.KINDS, slot % s.KINDS]
    return slot
