"""The kernels of the tree search: one for all games, on the verbs. What it does is said in :mod:`.search`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.batch import GREEDY, choose, outcome, play_to_end, rank
from antiquity.game import flow, verbs
from antiquity.game.random import RESERVED, mix
from antiquity.kernels import entry, kernel

SEARCH: Final = RESERVED + 30
"""Purpose of the seeds of the worlds that a search draws. Index: how often the action was tried before."""
THEMSELVES: Final = -1
"""The other seats choose by statistics of their own, and not as a kernel player does."""
ENTRY_DTYPE: Final = np.dtype(
    [
        ("key", "u8"),  # hash of node, seat and action; 0 = a hole
        ("value", "f8"),  # sum of what its simulations were worth to the seat
        ("visits", "i4"),
        ("offered", "i4"),  # how often it was legal when its node was visited
    ]
)
"""One action of one seat at one node. The tree is a hash table of them."""
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_FNV: Final = np.uint64(0x100000001B3)
_SHIFT: Final = np.uint64(29)


@kernel
def _node(game: Any, tables: Any, seat: Any, buffer: Any, size: Any) -> Any:
    """Hash of what the seat sees now. ``buffer``: float32, the observation's ``size``, made even."""
    buffer[:] = 0
    verbs.observe(game, tables, seat, buffer[:size])
    key = np.uint64(game["steps"]) + _GOLDEN
    for word in buffer.view(np.uint64):
        key = (key ^ word) * _FNV
        key ^= key >> _SHIFT
    return key


@kernel
def _find(entries: Any, key: Any) -> Any:
    """Place of a key in the table, or of the hole where it would go."""
    mask = np.uint64(len(entries) - 1)
    place = key & mask
    while entries[place]["key"] != np.uint64(0) and entries[place]["key"] != key:
        place = (place + np.uint64(1)) & mask
    return np.int64(place)


@kernel
def _key(node: Any, seat: Any, action: Any) -> Any:
    return mix(node, np.int64(seat), np.int64(action)) | np.uint64(1)


@kernel
def _select(
    entries: Any,
    node: Any,
    game: Any,
    tables: Any,
    seat: Any,
    legal: Any,
    count: Any,
    exploration: Any,
    widening: Any,
) -> Any:
    """The action to try.

    As long as few have been tried for the visits there were, the one that the game's greedy agent likes best of those
    untried; else the one with the best upper bound.

    Returns (place in the table, action, whether its entry is new). ``legal`` is overwritten.
    """
    best, place, action = -1.0, np.int64(0), np.int64(legal[0])
    tried, untried, visited = 0, 0, 0
    for index in range(count):
        here = _find(entries, _key(node, seat, legal[index]))
        entry = entries[here]
        if entry["key"] == np.uint64(0):
            legal[untried] = legal[index]
            untried += 1
            continue
        tried += 1
        entry["offered"] += 1
        visits = np.float64(entry["visits"])
        visited += np.int64(entry["visits"])
        bound = entry["value"] / visits + exploration * np.sqrt(np.log(np.float64(entry["offered"])) / visits)
        if bound > best:
            best, place, action = bound, here, np.int64(legal[index])
    if untried == 0 or tried > widening * np.sqrt(np.float64(visited)):
        return place, action, False
    action = choose(GREEDY, game, tables, seat, legal, untried)
    key = _key(node, seat, action)
    place = _find(entries, key)
    entries[place]["key"] = key
    entries[place]["offered"] = 1
    return place, action, True


@kernel
def value_of(game: Any, tables: Any, scores: Any, ranks: Any, scale: Any, values: Any) -> None:
    """What the finished game is worth to each seat, in [0, 1]."""
    players, forfeits = np.int64(game["num_players"]), np.int64(game["forfeits"])
    verbs.score(game, tables, scores)
    rank(scores, players, forfeits, ranks)
    outcome(scores, ranks, players, forfeits, scale, values)


@entry
def simulate(
    games: Any,
    index: int,
    tables: Any,
    seat: int,
    worlds: Any,
    entries: Any,
    used: Any,
    path: Any,
    legal: Any,
    observation: Any,
    size: int,
    scores: Any,
    ranks: Any,
    values: Any,
    exploration: float,
    widening: float,
    scale: float,
    rollout: int,
    opponents: int,
    seed: Any,
    count: int,
) -> int:
    """Run ``count`` simulations from the decision of ``seat`` in ``games[index]``; returns how many were run.

    Fewer when the table is half full. ``worlds``: two records to work on; ``path``: int64[length, 2]; ``observation``:
    float32 of even length; ``used``: int64[1], entries in the table; ``opponents``: THEMSELVES, or the number of a
    kernel player; ``seed``: uint64[1], of the agent.
    """
    root = _node(games[index], tables[0], seat, observation, size)
    stream = mix(root ^ seed[0], SEARCH, np.int64(seat))
    worlds[1] = games[index]
    flow.determinize(worlds[1], tables[0], seat, mix(stream, SEARCH, 0))
    for simulation in range(count):
        if 2 * used[0] > len(entries):
            return simulation
        choices = flow.legal(games[index], tables[0], seat, legal)
        place, first_action, fresh = _select(
            entries,
            root,
            worlds[1],
            tables[0],
            seat,
            legal,
            choices,
            exploration,
            widening,
        )
        # The k-th try of any action meets the k-th world: what two actions differ by is not the luck of their worlds.
        noise = mix(stream, SEARCH, np.int64(entries[place]["visits"]))
        worlds[0] = games[index]
        game = worlds[0]
        flow.determinize(game, tables[0], seat, noise)
        path[0, 0] = place
        path[0, 1] = seat
        used[0] += fresh
        length = 1
        node = root
        while True:
            deciders = np.int64(game["deciders"])
            for decider in range(np.int64(game["num_players"])):
                if not (deciders >> decider) & 1:
                    continue
                if node != root or decider != seat:
                    choices = verbs.legal(game, tables[0], decider, legal)
                    action = np.int64(legal[0])
                    if opponents != THEMSELVES and decider != seat:
                        action = choose(opponents, game, tables[0], decider, legal, choices)
                    elif choices > 1:
                        place, action, new = _select(
                            entries,
                            node,
                            game,
                            tables[0],
                            decider,
                            legal,
                            choices,
                            exploration,
                            widening,
                        )
                        used[0] += new
                        fresh |= new
                        path[length, 0] = place
                        path[length, 1] = decider
                        length += 1
                    flow.choose(game, decider, action)
                else:
                    flow.choose(game, decider, first_action)
            flow.advance(game, tables[0])
            if game["over"] or fresh or length + len(values) > len(path):
                break
            node = _node(game, tables[0], seat, observation, size)
        play_to_end(rollout, game, tables[0], legal, noise | np.uint64(1))
        value_of(game, tables[0], scores, ranks, scale, values)
        for step in range(length):
            entries[path[step, 0]]["visits"] += 1
            entries[path[step, 0]]["value"] += values[path[step, 1]]
    return count


@entry
def root_visits(
    games: Any,
    index: int,
    tables: Any,
    seat: int,
    entries: Any,
    legal: Any,
    observation: Any,
    size: int,
    visits: Any,
) -> int:
    """Write how often each legal action of the decision was tried, in order of action; returns how many there are."""
    node = _node(games[index], tables[0], seat, observation, size)
    count = flow.legal(games[index], tables[0], seat, legal)
    for k in range(count):
        entry = entries[_find(entries, _key(node, seat, legal[k]))]
        # Of equally tried actions the one worth more: a value is less than one visit.
        visits[k] = np.float64(entry["visits"])
        if entry["visits"] > 0:
            visits[k] += 0.5 * entry["value"] / np.float64(entry["visits"])
    return np.int64(count)
