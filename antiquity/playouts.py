"""Kernels that play whole games, and those that look at them: rollouts, scores, the whole table, determinizations.

The arrays are those of :mod:`antiquity.loops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity import random, verbs
from antiquity.jit import entry, kernel
from antiquity.loops import SEAT_INDEX, begin
from antiquity.rewards import rank


@kernel
def _totals(game: Any, tables: Any, work: Any, out: Any, i: Any) -> None:
    verbs.score(game, tables, work["scores"])
    total = work["scores"].shape[1] - 2
    for s in range(out.shape[1]):
        out[i, s] = work["scores"][s, total]


@entry
def rollout_random(
    games: Any, tables: Any, options: Any, slots: Any, work: Any, legal: Any, out: Any, start: int, stop: int
) -> None:
    """Play every game to its end, uniformly at random; slots marked for a restart begin a new game first.

    The choices are those of :func:`antiquity.loops.sample_random`. `out`: int32[G, S], the totals.
    """
    for i in range(start, stop):
        game, slot, scratch = games[i], slots[i], legal[i, 0]
        if slot["restart"]:
            begin(game, tables[0], options, slot)
        players = np.int64(game["num_players"])
        while not game["over"]:
            deciders = np.int64(game["deciders"])
            base = np.int64(game["steps"]) * SEAT_INDEX
            for s in range(players):
                if (deciders >> s) & 1:
                    n = verbs.legal(game, tables[0], s, scratch)
                    k = random.below(game["seed"], random.POLICY, base + s, n)
                    verbs.choose(game, tables[0], s, np.int64(scratch[k]))
            verbs.advance(game, tables[0])
        slot["stopped"] = 1
        _totals(game, tables[0], work[0], out, i)


@entry
def rollout_greedy(
    games: Any, tables: Any, options: Any, slots: Any, work: Any, legal: Any, out: Any, start: int, stop: int
) -> None:
    """As :func:`rollout_random`, with the game's greedy agent on every seat."""
    for i in range(start, stop):
        game, slot, scratch = games[i], slots[i], legal[i, 0]
        if slot["restart"]:
            begin(game, tables[0], options, slot)
        players = np.int64(game["num_players"])
        while not game["over"]:
            deciders = np.int64(game["deciders"])
            base = np.int64(game["steps"]) * SEAT_INDEX
            for s in range(players):
                if (deciders >> s) & 1:
                    n = verbs.legal(game, tables[0], s, scratch)
                    noise = random.mix(game["seed"], random.POLICY, base + s)
                    action = np.int64(verbs.greedy(game, tables[0], s, scratch, n, noise))
                    verbs.choose(game, tables[0], s, action)
            verbs.advance(game, tables[0])
        slot["stopped"] = 1
        _totals(game, tables[0], work[0], out, i)


@entry
def standings(games: Any, tables: Any, scores: Any, ranks: Any, start: int, stop: int) -> None:
    """The scores (int32[G, P, columns]) and ranks (int64[G, P]) of every game as it stands."""
    for i in range(start, stop):
        verbs.score(games[i], tables[0], scores[i])
        rank(scores[i], np.int64(games[i]["num_players"]), np.int64(games[i]["forfeits"]), ranks[i])


@entry
def reveal(games: Any, tables: Any, out: Any, start: int, stop: int) -> None:
    """The whole table of every game. `out`: float32[G, state_layout.size]."""
    for i in range(start, stop):
        verbs.reveal(games[i], tables[0], out[i])


@entry
def determinize(games: Any, tables: Any, seeds: Any, i: int, seat: int) -> None:
    """Redraw, in game i, what the seat cannot know. `seeds`: uint64[1]."""
    verbs.determinize(games[i], tables[0], seat, seeds[0])
