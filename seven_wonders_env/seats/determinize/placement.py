"""New deals of the hidden cards that are consistent with the picks from the discard.

A pick tells more than the hands seen. The picking seat saw the whole pile, so it knows which cards were added between
two of its picks, though not by whom. The others know that the picked card was in the pile or, when the stage was built
and no pick followed, that every card of the pile had the name of a building in that city.

So certain kinds are **needed** in the pile, in places added between certain events, and some places are masked: they
can hold some kinds only. ``search`` finds places for the needed cards; the rest is dealt freely.
"""

from __future__ import annotations

from typing import Final

from antiquity.kernels import kernel
from seven_wonders_env import state as s
from seven_wonders_env.seats.timeline import sold_by

from .redraw import NOTHING, PLACES, POOL, draw
from .search import fits, search

REJECTIONS: Final = 64  # worlds turned down for fairness before one is kept as it is
STIRS: Final = 8  # exchanges tried for each place of the pile


@kernel
def list_needs(game, tables, work, seat, age, wanted):
    """List what a seat knows to have been in the pile, its own cards apart.

    ``wanted`` is one more such card, as KINDS * Age + kind, or -1.
    """
    work["needs"] = 0
    low = 0
    for event in range(work["events"]):
        picked = work["picked"][event]
        if picked == NOTHING:
            continue
        if work["picker"] == seat:
            _need_all(work, low, event)
            low = event + 1
        elif picked >= 0 and tables["age_of"][picked] == age:
            if not sold_by(game, tables, seat, picked, work["moment"][event]):
                _add_need(work, picked, 0, event, 1)
    if wanted // s.KINDS == age:
        _add_need(work, wanted % s.KINDS, 0, work["events"] - 1, 1)


@kernel
def _add_need(work, kind, low, high, number):
    need = work["needs"]
    work["need_kind"][need] = kind
    work["need_low"][need] = low
    work["need_high"][need] = high
    work["need"][need] = number
    work["needs"] = need + 1


@kernel
def _need_all(work, low, high):
    """All cards that came to the pile between two picks of the seat: it has seen which they are."""
    for kind in range(s.KINDS):
        work["tally"][kind] = 0
    for group in range(work["groups"]):
        for index in range(work["size"][group]):
            if low <= work["class"][group, index] <= high:
                work["tally"][work["kind"][group, index]] += 1
    for kind in range(s.KINDS):
        if work["tally"][kind]:
            _add_need(work, kind, low, high, work["tally"][kind])


@kernel
def is_bound(work):
    """Whether picks say anything about the hidden places of this Age."""
    if work["needs"]:
        return True
    if work["masked"]:
        for group in range(work["groups"]):
            for index in range(work["size"][group]):
                if work["class"][group, index] < work["masked"]:
                    return True
    return False


@kernel
def deal_bound(work, seat):
    """Give the (sorted) cards of each group to its places, in agreement with needs and masks.

    Returns False, with nothing changed, when there is no such deal.
    """
    for _ in range(REJECTIONS):
        if not search(work):
            return False
        _deal_out(work)
        if work["picker"] == seat:
            _stir(work)
            return True
        # A world in which a needed kind lies in the pile k times is found in k ways: keep one in k of them.
        ways = 1
        for need in range(work["needs"]):
            ways *= _count_in_pile(work, need)
        if ways == 1 or draw(work, ways) == 0:
            return True
    return True


@kernel
def _count_in_pile(work, need):
    """Hidden places that meet a need in the current deal; its kind is in no other place of the pile."""
    number = 0
    for group in range(work["groups"]):
        for index in range(work["size"][group]):
            if work["kind"][group, index] == work["need_kind"][need]:
                if work["need_low"][need] <= work["class"][group, index] <= work["need_high"][need]:
                    number += 1
    return number


@kernel
def _deal_out(work):
    """Give all places their cards: the needed ones where the search put them, then masked places, box and the rest."""
    for group in range(work["groups"]):
        size = work["size"][group]
        if group == POOL:
            size -= work["boxed"]
        for index in range(size - 1, 0, -1):
            _swap_places(work, group, index, draw(work, index + 1))
        for index in range(work["size"][group]):
            work["kind"][group, index] = s.NO_CARD
    for depth in range(work["depth"]):
        group = work["cell_group"][work["cell"][depth]]
        event = work["cell_class"][work["cell"][depth]]
        index = 0
        while work["kind"][group, index] != s.NO_CARD or work["class"][group, index] != event:
            index += 1
        work["kind"][group, index] = work["need_kind"][work["met"][depth]]
    for group in range(work["groups"]):
        for event in range(work["masked"]):
            for index in range(work["size"][group]):
                if work["kind"][group, index] == s.NO_CARD and work["class"][group, index] == event:
                    work["kind"][group, index] = _take_allowed(work, group, event)
        size = work["size"][group]
        if group == POOL:
            for _ in range(work["boxed"]):
                size -= 1
                work["kind"][group, size] = _take(work, group, s.GUILD_START)
        for index in range(size):
            if work["kind"][group, index] == s.NO_CARD:
                work["kind"][group, index] = _take(work, group, 0)


@kernel
def _swap_places(work, group, one, other):
    place = work["place"][group, one]
    work["place"][group, one] = work["place"][group, other]
    work["place"][group, other] = place
    event = work["class"][group, one]
    work["class"][group, one] = work["class"][group, other]
    work["class"][group, other] = event


@kernel
def _take(work, group, first):
    """A random card from the supply of a group, of a kind from ``first`` on."""
    total = 0
    for kind in range(first, s.KINDS):
        total += work["supply"][group, kind]
    at = draw(work, total)
    kind = first - 1
    while at >= 0:
        kind += 1
        at -= work["supply"][group, kind]
    work["supply"][group, kind] -= 1
    return kind


@kernel
def _take_allowed(work, group, event):
    """A random card from the supply of a group for a masked place, such that the others and the box can be filled."""
    total = 0
    for kind in range(s.KINDS):
        work["tally"][kind] = work["supply"][group, kind] if work["allowed"][event, kind] else 0
        total += work["tally"][kind]
    work["room"][group, event] -= 1
    while True:
        at = draw(work, total)
        kind = -1
        while at >= 0:
            kind += 1
            at -= work["tally"][kind]
        work["supply"][group, kind] -= 1
        if fits(work, group):
            return kind
        work["supply"][group, kind] += 1
        total -= work["tally"][kind]
        work["tally"][kind] = 0


@kernel
def _stir(work):
    """Turn the current deal into a fair one for the seat that has seen the pile: a walk through the deals it allows.

    A step exchanges two cards of the pile with the same two kinds outside of it, across two groups, so that the pile as
    a whole stays what was seen; in the limit all deals are equally likely (Metropolis-Hastings).
    """
    piled = 0
    for group in range(work["groups"]):
        for index in range(work["size"][group]):
            if work["interval"][work["class"][group, index]] >= 0:
                work["queue"][piled] = PLACES * group + index
                piled += 1
    for _ in range(STIRS * piled):
        one = work["queue"][draw(work, piled)]
        other = work["queue"][draw(work, piled)]
        _try_exchange(work, one // PLACES, one % PLACES, other // PLACES, other % PLACES)


@kernel
def _try_exchange(work, group, index, other_group, other_index):
    """One step: cards a and b of the pile, of two groups, change places with a b and an a from outside the interval."""
    a = work["kind"][group, index]
    b = work["kind"][other_group, other_index]
    interval = work["interval"][work["class"][group, index]]
    if (
        a == b
        or group == other_group
        or work["interval"][work["class"][other_group, other_index]] != interval
    ):
        return
    # The steps forth and back are proposed unequally often where there are several such cards: that is made up for.
    forth = 0
    back = 1
    for i in range(work["size"][group]):
        if work["interval"][work["class"][group, i]] != interval:
            if work["kind"][group, i] == b:
                forth += 1
            elif work["kind"][group, i] == a:
                back += 1
    if forth == 0:
        return
    at = draw(work, forth)
    partner = -1
    while at >= 0:
        partner += 1
        if work["kind"][group, partner] == b and work["interval"][work["class"][group, partner]] != interval:
            at -= 1
    outside = work["interval"][work["class"][group, partner]]
    others_forth = 0
    others_back = 1
    for i in range(work["size"][other_group]):
        if work["interval"][work["class"][other_group, i]] == outside:
            if work["kind"][other_group, i] == a:
                others_forth += 1
            elif work["kind"][other_group, i] == b:
                others_back += 1
    if others_forth == 0 or draw(work, back * others_back) >= forth * others_forth:
        return
    at = draw(work, others_forth)
    other_partner = -1
    while at >= 0:
        other_partner += 1
        if (
            work["kind"][other_group, other_partner] == a
            and work["interval"][work["class"][other_group, other_partner]] == outside
        ):
            at -= 1
    if not (_can_hold(work, group, index, b) and _can_hold(work, group, partner, a)):
        return
    if not (_can_hold(work, other_group, other_index, a) and _can_hold(work, other_group, other_partner, b)):
        return
    work["kind"][group, index] = b
    work["kind"][group, partner] = a
    work["kind"][other_group, other_index] = a
    work["kind"][other_group, other_partner] = b


@kernel
def _can_hold(work, group, index, kind):
    if group == POOL and index >= work["size"][group] - work["boxed"] and kind < s.GUILD_START:
        return False
    event = work["class"][group, index]
    return event >= work["masked"] or work["allowed"][event, kind] != 0
