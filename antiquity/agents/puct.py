"""The kernel of the expert's search; what it does is said in :mod:`.expert`."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.agents.forward import consult, decide, evaluate, soften
from antiquity.agents.tree import value_of
from antiquity.batch import GREEDY, choose, play_to_end
from antiquity.game import Game, flow, random, verbs
from antiquity.game.random import RESERVED, mix
from antiquity.kernels import entry, kernel

EXPERT: Final = RESERVED + 31
"""Purpose of the seeds of the worlds that the expert draws. Index: how often the action was tried before."""
TRIAL: Final = RESERVED + 32
CHANCE: Final = RESERVED + 33
"""Purposes of the seeds of the worlds in which positions are judged. Index: of the world."""
SPREAD: Final = 0.1
"""The part of the prior that all legal actions share alike."""
BY_GREEDY: Final = 0
BY_POLICY: Final = 1
BY_BOTH: Final = 2


class Terms(NamedTuple):
    """How the expert searches."""

    simulations: int
    exploration: float
    temperature: float
    """What the policy's logits are divided by."""
    rollouts: float
    """Weight of a greedy rollout's outcome beside the network's value."""
    opponents: int
    """BY_GREEDY, BY_POLICY, or BY_BOTH, by turns."""
    scale: float
    """Points of a lead that count as one; see :func:`antiquity.batch.outcome`."""


class Space(NamedTuple):
    """What the kernel works in, beside the network's scratch."""

    worlds: NDArray[Any]
    """structured[2]: records."""
    legal: NDArray[np.uint16]
    """uint16[L]: of the decision."""
    priors: NDArray[np.float64]
    """float64[L]"""
    sums: NDArray[np.float64]
    """float64[L]: what the tries of each action were worth, in all."""
    scores: NDArray[np.int32]
    ranks: NDArray[np.int64]
    values: NDArray[np.float64]

    @classmethod
    def make(cls, game: Game) -> Space:
        """Space for a game."""
        seats, most = game.max_players, game.max_legal
        return cls(
            np.zeros(2, game.dtype),
            np.zeros(most, np.uint16),
            np.zeros(most),
            np.zeros(most),
            np.zeros((seats, len(game.categories) + 2), np.int32),
            np.zeros(seats, np.int64),
            np.zeros(seats),
        )


@kernel
def _until_next(
    game: Any, tables: Any, seat: Any, action: Any, network: Any, scratch: Any, by_policy: Any, word: Any
) -> None:
    """Play `action`, and on until the seat has a choice again or the game is over."""
    legal, chosen = scratch.legal, np.int64(action)
    while True:
        deciders = np.int64(game["deciders"])
        for other in range(np.int64(game["num_players"])):
            if not (deciders >> other) & 1:
                continue
            if other != seat:
                n = verbs.legal(game, tables, other, legal)
                if by_policy != 0:
                    word = random.next_word(word)
                    uniform = np.float64(word >> np.uint64(11)) * 2.0**-53
                    flow.choose(
                        game, other, decide(network, game, tables, other, legal, n, scratch, 1.0, uniform)
                    )
                else:
                    flow.choose(game, other, choose(GREEDY, game, tables, other, legal, n))
            else:
                flow.choose(game, seat, chosen)
        flow.advance(game, tables)
        if game["over"]:
            return
        if (np.int64(game["deciders"]) >> seat) & 1:
            if verbs.legal(game, tables, seat, legal) > 1:
                return
            chosen = np.int64(legal[0])


@kernel
def _worth(game: Any, tables: Any, seat: Any, network: Any, scratch: Any, space: Any, terms: Any) -> Any:
    """What the position is worth to the seat, from 0 to 1; the game is played on by a rollout."""
    estimate, share = 0.0, 1.0
    if not game["over"]:
        share = terms.rollouts
        if share < 1.0:
            estimate = evaluate(network, game, tables, seat, scratch)
        if share > 0.0:
            play_to_end(GREEDY, game, tables, scratch.legal, np.uint64(0))
    if share > 0.0:
        value_of(game, tables, space.scores, space.ranks, terms.scale, space.values)
        estimate = (1.0 - share) * estimate + share * space.values[seat]
    return estimate


@kernel
def _stream(observation: Any, steps: Any, seed: Any) -> Any:
    """The seed of all draws of a decision.

    What the seat sees decides, not the game's own seed: nothing of the hidden randomness can leak.
    """
    stream = np.uint64(steps) ^ seed
    for k in range(len(observation)):
        if observation[k] != np.float32(0):
            stream = mix(stream, np.int64(k), np.int64(observation[k] * np.float32(1024)))
    return stream


@kernel
def _search(
    games: Any,
    index: Any,
    tables: Any,
    seat: Any,
    network: Any,
    scratch: Any,
    space: Any,
    terms: Any,
    seed: Any,
    visits: Any,
    means: Any,
) -> Any:
    """Search one decision: tries float32[L] and mean worth float32[L] of each action; returns the network's value."""
    legal, priors, sums = space.legal, space.priors, space.sums
    n = flow.legal(games[index], tables, seat, legal)
    root = consult(network, games[index], tables, seat, legal, n, scratch)
    soften(scratch.logits, n, terms.temperature, scratch.chances)
    stream = _stream(scratch.observation, games[index]["steps"], seed)
    for k in range(n):
        priors[k] = (1.0 - SPREAD) * scratch.chances[k] + SPREAD / n
        sums[k] = 0.0
        visits[k] = 0
    if n > 1:
        for simulation in range(terms.simulations):
            spur = terms.exploration * np.sqrt(np.float64(simulation + 1))
            best, pick = -np.inf, 0
            for k in range(n):
                mean = sums[k] / visits[k] if visits[k] > 0 else root
                bound = mean + spur * priors[k] / (1.0 + visits[k])
                if bound > best:
                    best, pick = bound, k
            # The k-th try of every action meets the k-th world: what two actions differ by is not the luck of theirs.
            turn = np.int64(visits[pick])
            noise = mix(stream, EXPERT, turn)
            space.worlds[0] = games[index]
            game = space.worlds[0]
            flow.determinize(game, tables, seat, noise)
            by_policy = terms.opponents if terms.opponents != BY_BOTH else turn & 1
            _until_next(game, tables, seat, legal[pick], network, scratch, by_policy, noise | np.uint64(1))
            sums[pick] += _worth(game, tables, seat, network, scratch, space, terms)
            visits[pick] += 1
    for k in range(n):
        means[k] = sums[k] / visits[k] if visits[k] > 0 else root
    return root


@entry
def expert_rows(
    games: Any,
    tables: Any,
    index: Any,
    seats: Any,
    network: Any,
    scratch: Any,
    space: Any,
    terms: Any,
    seed: Any,
    actions: Any,
    visits: Any,
    means: Any,
    roots: Any,
) -> None:
    """Search every row: ``actions`` int64[R], ``visits`` and ``means`` float32[R, L], ``roots`` float32[R]."""
    for row in range(len(index)):
        seat = seats[row]
        roots[row] = _search(
            games,
            index[row],
            tables[0],
            seat,
            network,
            scratch,
            space,
            terms,
            seed[0],
            visits[row],
            means[row],
        )
        n = flow.legal(games[index[row]], tables[0], seat, space.legal)
        best, pick = -np.inf, 0
        for k in range(n):
            # Of equally tried actions the one worth more: a mean is less than one try.
            bound = np.float64(visits[row, k]) + 0.5 * np.float64(means[row, k])
            if bound > best:
                best, pick = bound, k
        actions[row] = np.int64(space.legal[pick])


@entry
def trial_rows(
    games: Any,
    index: int,
    tables: Any,
    seat: int,
    actions: Any,
    network: Any,
    scratch: Any,
    space: Any,
    terms: Any,
    seed: Any,
    worths: Any,
) -> None:
    """Try ``actions`` int64[K] of one decision, each in the same worlds: ``worths`` float32[worlds, K]."""
    scratch.observation[:] = 0
    verbs.observe(games[index], tables[0], seat, scratch.observation)
    stream = _stream(scratch.observation, games[index]["steps"], seed[0])
    for world in range(len(worths)):
        noise = mix(stream, TRIAL, world)
        by_policy = terms.opponents if terms.opponents != BY_BOTH else world & 1
        for k in range(len(actions)):
            space.worlds[0] = games[index]
            game = space.worlds[0]
            flow.determinize(game, tables[0], seat, noise)
            _until_next(game, tables[0], seat, actions[k], network, scratch, by_policy, noise | np.uint64(1))
            worths[world, k] = _worth(game, tables[0], seat, network, scratch, space, terms)


@entry
def chance_rows(
    games: Any,
    index: int,
    tables: Any,
    seat: int,
    network: Any,
    scratch: Any,
    space: Any,
    terms: Any,
    seed: Any,
    shares: Any,
) -> None:
    """Play on to the end in worlds that the seat can imagine: its share of each win, ``shares`` float32[worlds]."""
    scratch.observation[:] = 0
    verbs.observe(games[index], tables[0], seat, scratch.observation)
    stream = _stream(scratch.observation, games[index]["steps"], seed[0])
    for world in range(len(shares)):
        noise = mix(stream, CHANCE, world)
        space.worlds[0] = games[index]
        game = space.worlds[0]
        if not game["over"]:
            flow.determinize(game, tables[0], seat, noise)
        if terms.opponents == BY_GREEDY:
            play_to_end(GREEDY, game, tables[0], scratch.legal, np.uint64(0))
        word = noise | np.uint64(1)
        while not game["over"]:
            deciders = np.int64(game["deciders"])
            for other in range(np.int64(game["num_players"])):
                if (deciders >> other) & 1:
                    n = verbs.legal(game, tables[0], other, scratch.legal)
                    word = random.next_word(word)
                    uniform = np.float64(word >> np.uint64(11)) * 2.0**-53
                    action = decide(network, game, tables[0], other, scratch.legal, n, scratch, 1.0, uniform)
                    flow.choose(game, other, action)
            flow.advance(game, tables[0])
        value_of(game, tables[0], space.scores, space.ranks, terms.scale, space.values)
        winners = 0
        for other in range(np.int64(game["num_players"])):
            winners += space.ranks[other] == 1
        shares[world] = np.float32(1.0 / winners if space.ranks[seat] == 1 else 0.0)
