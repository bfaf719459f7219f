"""The search that finds places for the cards that picks from the discard show to have been in the pile.

Needed cards (``placement`` lists them) are put into cells one by one, a cell being the places of one group and one
class. The need with the fewest cells goes first, and the search turns back as soon as it sees that the rest cannot be
met any more. It is complete: it finds a way wherever there is one, and every way can come out.
"""

from __future__ import annotations

from typing import Final

from antiquity.kernels import kernel
from seven_wonders_env import state as s

from .redraw import CELLS, EVENTS, POOL, draw

SCALE: Final = 55_440  # many divisors: weights that are fractions become whole numbers
FIRST_BUDGET: Final = 256  # nodes before the search starts again in another order, then twice as many


@kernel
def search(work):
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
    """Take up all cards: they become supply, and every place is free."""
    work["depth"] = 0
    for group in range(work["groups"]):
        for kind in range(s.KINDS):
            work["supply"][group, kind] = 0
        for event in range(work["events"]):
            work["room"][group, event] = 0
        work["left"][group] = work["size"][group]
        for index in range(work["size"][group]):
            work["supply"][group, work["kind"][group, index]] += 1
            if work["class"][group, index] < EVENTS:
                work["room"][group, work["class"][group, index]] += 1
    for need in range(work["needs"]):
        work["open"][need] = work["need"][need]
    cells = 0
    for group in range(work["groups"]):
        for event in range(work["events"]):
            if work["room"][group, event]:
                work["cell_group"][cells] = group
                work["cell_class"][cells] = event
                cells += 1
    work["cells"] = cells


@kernel
def _search_within(work, budget):
    """1: found; 0: there is no way; -1: given up after so many nodes."""
    depth = 0
    while True:
        if not _is_open(work):
            work["options"][depth] = 0
        elif not _take_need(work, depth):
            work["depth"] = depth
            return 1
        while work["options"][depth] == 0:
            if depth == 0:
                return 0
            depth -= 1
            _place(work, depth, -1)
        if budget == 0:
            return -1
        budget -= 1
        cell = _choose_cell(work, depth)
        work["options"][depth] &= ~(1 << cell)
        work["cell"][depth] = cell
        _place(work, depth, 1)
        depth += 1


@kernel
def _is_open(work):
    """Whether nothing shows yet that the open needs cannot be met."""
    for group in range(work["groups"]):
        if not fits(work, group):
            return False
    return _can_meet(work)


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
def _take_need(work, depth):
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
        work["odds"][cell] = _weight(work, cell, kind) if (options >> cell) & 1 else 0
        total += work["odds"][cell]
    at = draw(work, total)
    cell = -1
    while at >= 0:
        cell += 1
        at -= work["odds"][cell]
    return cell


@kernel
def _weight(work, cell, kind):
    group = work["cell_group"][cell]
    weight = SCALE * work["room"][group, work["cell_class"][cell]] * work["supply"][group, kind]
    if group != POOL or not work["boxed"]:
        return max(weight // work["left"][group], 1)
    weight //= work["left"][group] - work["boxed"]
    if kind >= s.GUILD_START:
        guilds = _guilds_left(work)
        weight = weight * (guilds - work["boxed"]) // guilds
    return max(weight, 1)


@kernel
def _guilds_left(work):
    guilds = 0
    for kind in range(s.GUILD_START, s.KINDS):
        guilds += work["supply"][POOL, kind]
    return guilds


@kernel
def fits(work, group):
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
        for kind in range(s.KINDS):
            if work["allowed"][event, kind]:
                cards += work["supply"][group, kind]
            elif kind >= s.GUILD_START:
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
