"""New deals of the hidden cards that agree with the picks from the discard.

A pick tells more than the hands seen. Whoever picked saw the whole pile, so it knows which cards came to it between two
of its picks, though not from where. All others know that the picked card lay in the pile, or, when the stage was built
and no pick followed, that all the pile had names of buildings in that city.

So certain kinds are **needed** in the pile, in places that came to it between certain events, and some places are
masked: they can hold some kinds only. A search puts the needed cards down one by one, the one with the fewest cells (a
group and a class of places) first, and goes back when a matching shows that the rest can no longer be met. It is
complete, so it finds a world wherever there is one, and every world can come out of it. What is left is dealt freely.
"""

from __future__ import annotations

from typing import Final

from antiquity.jit import kernel

from .redraw import CELLS, EVENTS, GROUPS, NOTHING, POOL, draw
from .state import GUILD_START, KINDS, NO_CARD
from .timeline import sold_by

SCALE: Final = 55_440  # many divisors: weights that are fractions become whole numbers
FIRST_BUDGET: Final = 256  # nodes before the search starts again in another order, then twice as many
REJECTIONS: Final = 64


@kernel
def list_needs(game, tables, work, seat, age, wanted):
    """List what a seat knows to have been in the pile, its own cards apart; ``wanted`` is one more such kind, or -1."""
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
    if wanted >= 0:
        _add_need(work, wanted, 0, work["events"] - 1, 1)


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
    for kind in range(KINDS):
        work["tally"][kind] = 0
    for group in range(GROUPS):
        for index in range(work["size"][group]):
            if low <= work["class"][group, index] <= high:
                work["tally"][work["kind"][group, index]] += 1
    for kind in range(KINDS):
        if work["tally"][kind]:
            _add_need(work, kind, low, high, work["tally"][kind])


@kernel
def is_bound(work):
    """Whether picks say anything about the hidden places at hand."""
    if work["needs"]:
        return True
    if work["masked"]:
        for group in range(GROUPS):
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
        if not _search(work):
            return False
        _deal_out(work)
        # A world in which a needed kind lies in the pile k times is found in k ways: keep one in k of them.
        ways = 1
        if work["picker"] != seat:
            for need in range(work["needs"]):
                ways *= _count_in_pile(work, need)
        if ways == 1 or draw(work, ways) == 0:
            return True
    return True


@kernel
def _count_in_pile(work, need):
    """Hidden places that meet a need in the deal at hand; its kind is not in any other place of the pile."""
    number = 0
    for group in range(GROUPS):
        for index in range(work["size"][group]):
            if work["kind"][group, index] == work["need_kind"][need]:
                if work["need_low"][need] <= work["class"][group, index] <= work["need_high"][need]:
                    number += 1
    return number


@kernel
def _search(work):
    """Find a cell for every needed card; False when there is no way. Fills ``met``, ``cell`` and ``depth``."""
    budget = FIRST_BUDGET
    while True:
        _take_up(work)
        found = _search_within(work, budget)
        if found >= 0:
            return found == 1
        budget *= 2


@kernel
def _take_up(work):
    """All cards of the places at hand become supply, all places free."""
    work["depth"] = 0
    for group in range(GROUPS):
        for kind in range(KINDS):
            work["supply"][group, kind] = 0
        for event in range(EVENTS):
            work["room"][group, event] = 0
        work["left"][group] = work["size"][group]
        for index in range(work["size"][group]):
            work["supply"][group, work["kind"][group, index]] += 1
            if work["class"][group, index] < EVENTS:
                work["room"][group, work["class"][group, index]] += 1
    for need in range(work["needs"]):
        work["open"][need] = work["need"][need]
    cells = 0
    for group in range(GROUPS):
        for event in range(work["events"]):
            if work["room"][group, event]:
                work["cell_group"][cells] = group
                work["cell_class"][cells] = event
                cells += 1
    work["cells"] = cells


@kernel
def _search_within(work, budget):
    """1: found; 0: there is no way; -1: given up after so many nodes."""
    for group in range(GROUPS):
        if not _fits(work, group):
            return 0
    if not _can_meet(work):
        return 0
    if not _open(work, 0):
        return 1
    depth = 0
    while True:
        if work["options"][depth] == 0:
            if depth == 0:
                return 0
            depth -= 1
            _place(work, depth, -1)
            continue
        if budget == 0:
            while depth > 0:
                depth -= 1
                _place(work, depth, -1)
            return -1
        budget -= 1
        cell = _choose_cell(work, depth)
        work["options"][depth] &= ~(1 << cell)
        work["cell"][depth] = cell
        _place(work, depth, 1)
        if _fits(work, work["cell_group"][cell]) and _can_meet(work):
            depth += 1
            if not _open(work, depth):
                work["depth"] = depth
                return 1
        else:
            _place(work, depth, -1)


@kernel
def _place(work, depth, number):
    """Put the card of this depth down (1) or take it up again (-1)."""
    need = work["met"][depth]
    group = work["cell_group"][work["cell"][depth]]
    work["open"][need] -= number
    work["supply"][group, work["need_kind"][need]] -= number
    work["room"][group, work["cell_class"][work["cell"][depth]]] -= number
    work["left"][group] -= number


@kernel
def _open(work, depth):
    """Take the need with the fewest cells to choose from as the one to be met at this depth; False: none is left."""
    fewest = CELLS + 1
    for need in range(work["needs"]):
        if work["open"][need] == 0:
            continue
        options = 0
        number = 0
        for cell in range(work["cells"]):
            if _suits(work, need, cell):
                options |= 1 << cell
                number += 1
        if number < fewest:
            fewest = number
            work["met"][depth] = need
            work["options"][depth] = options
    return fewest <= CELLS


@kernel
def _suits(work, need, cell):
    """Whether a card of this need could come from the group, and lie in the class, of a cell."""
    kind = work["need_kind"][need]
    group = work["cell_group"][cell]
    event = work["cell_class"][cell]
    if work["supply"][group, kind] == 0 or work["room"][group, event] == 0:
        return False
    if event < work["need_low"][need] or event > work["need_high"][need]:
        return False
    return event >= work["masked"] or work["allowed"][event, kind] != 0


@kernel
def _choose_cell(work, depth):
    """One of the options, each as likely as the free deals of its group that have the card in this cell."""
    kind = work["need_kind"][work["met"][depth]]
    options = work["options"][depth]
    total = 0
    for cell in range(work["cells"]):
        if (options >> cell) & 1:
            total += _weight(work, cell, kind)
    at = draw(work, total)
    cell = -1
    while at >= 0:
        cell += 1
        if (options >> cell) & 1:
            at -= _weight(work, cell, kind)
    return cell


@kernel
def _weight(work, cell, kind):
    group = work["cell_group"][cell]
    weight = SCALE * work["room"][group, work["cell_class"][cell]] * work["supply"][group, kind]
    if group != POOL or not work["boxed"]:
        return max(weight // work["left"][group], 1)
    weight //= work["left"][group] - work["boxed"]
    if kind >= GUILD_START:
        guilds = _guilds_left(work)
        weight = weight * (guilds - work["boxed"]) // guilds
    return max(weight, 1)


@kernel
def _guilds_left(work):
    guilds = 0
    for kind in range(GUILD_START, KINDS):
        guilds += work["supply"][POOL, kind]
    return guilds


@kernel
def _fits(work, group):
    """Whether the masked places of a group and the box can be filled from its supply (Hall's condition)."""
    # A class is masked at least as much as the next one, so only the places up to a class have to be looked at.
    boxed = work["boxed"] if group == POOL else 0
    if boxed and boxed > _guilds_left(work):
        return False
    places = 0
    for event in range(work["masked"]):
        if work["room"][group, event] == 0:
            continue
        places += work["room"][group, event]
        cards = 0
        more_guilds = 0
        for kind in range(KINDS):
            if work["allowed"][event, kind]:
                cards += work["supply"][group, kind]
            elif kind >= GUILD_START:
                more_guilds += work["supply"][group, kind]
        if places > cards or (boxed and places + boxed > cards + more_guilds):
            return False
    return True


@kernel
def _can_meet(work):
    """Whether the needs still open can be met, by maximum flow.

    Never wrong when it says no. Yes is certain only where no two cells share the supply of a kind; else the search
    finds out.
    """
    for cell in range(work["cells"]):
        work["load"][cell] = 0
        for need in range(work["needs"]):
            work["flow"][need, cell] = 0
    for need in range(work["needs"]):
        for _ in range(work["open"][need]):
            if not _augment(work, need):
                return False
    return True


@kernel
def _augment(work, need):
    """Send one more card of a need to some cell, moving others where that helps (breadth first)."""
    cells_seen = 0
    needs_seen = 1 << need
    work["queue"][0] = need
    head, tail = 0, 1
    while head < tail:
        at = work["queue"][head]
        head += 1
        for cell in range(work["cells"]):
            if (cells_seen >> cell) & 1 or not _suits(work, at, cell):
                continue
            group = work["cell_group"][cell]
            if work["flow"][at, cell] >= work["supply"][group, work["need_kind"][at]]:
                continue
            cells_seen |= 1 << cell
            work["via_need"][cell] = at
            if work["load"][cell] < work["room"][group, work["cell_class"][cell]]:
                work["load"][cell] += 1
                _send(work, need, cell)
                return True
            for other in range(work["needs"]):
                if not (needs_seen >> other) & 1 and work["flow"][other, cell]:
                    needs_seen |= 1 << other
                    work["via_cell"][other] = cell
                    work["queue"][tail] = other
                    tail += 1
    return False


@kernel
def _send(work, need, cell):
    """Change the flow along the path that was found, from its end back to the need."""
    while True:
        at = work["via_need"][cell]
        work["flow"][at, cell] += 1
        if at == need:
            return
        cell = work["via_cell"][at]
        work["flow"][at, cell] -= 1


@kernel
def _deal_out(work):
    """Give all places their cards: the needed ones where the search put them, then masked places, box and the rest."""
    for group in range(GROUPS):
        size = work["size"][group]
        if group == POOL:
            size -= work["boxed"]
        for index in range(size - 1, 0, -1):
            _swap_places(work, group, index, draw(work, index + 1))
        for index in range(work["size"][group]):
            work["kind"][group, index] = NO_CARD
    for depth in range(work["depth"]):
        group = work["cell_group"][work["cell"][depth]]
        event = work["cell_class"][work["cell"][depth]]
        index = 0
        while work["kind"][group, index] != NO_CARD or work["class"][group, index] != event:
            index += 1
        work["kind"][group, index] = work["need_kind"][work["met"][depth]]
    for group in range(GROUPS):
        for event in range(work["masked"]):
            for index in range(work["size"][group]):
                if work["kind"][group, index] == NO_CARD and work["class"][group, index] == event:
                    work["kind"][group, index] = _take_allowed(work, group, event)
        size = work["size"][group]
        if group == POOL:
            for _ in range(work["boxed"]):
                size -= 1
                work["kind"][group, size] = _take(work, group, GUILD_START)
        for index in range(size):
            if work["kind"][group, index] == NO_CARD:
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
    for kind in range(first, KINDS):
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
    for kind in range(KINDS):
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
        if _fits(work, group):
            return kind
        work["supply"][group, kind] += 1
        total -= work["tally"][kind]
        work["tally"][kind] = 0
