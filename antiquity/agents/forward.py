"""The forward pass of a trained network, for one decision, in kernels.

Inputs and activations that are zero are skipped: of the 1,181 numbers that a seat sees in 7 Wonders about 150 are not
zero, and of 256 rectified activations about half. Logits are computed for the legal actions alone. Sums are taken in
one fixed order, so a policy plays the same on every machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.agents.weights import Network
from antiquity.batch import GREEDY, choose
from antiquity.game import Game, flow, random, verbs
from antiquity.kernels import entry, kernel


class Scratch(NamedTuple):
    """What the forward pass writes: its results for one decision, and space to work in."""

    observation: NDArray[np.float32]
    """float32[F]: what the seat sees."""
    legal: NDArray[np.uint16]
    """uint16[L]: its legal actions."""
    appraisals: NDArray[np.float32]
    """float32[L, K of the game]."""
    logits: NDArray[np.float32]
    """float32[L]: of the legal actions."""
    chances: NDArray[np.float64]
    """float64[L]: of the legal actions."""
    dense: NDArray[np.float32]
    """float32[W]: the sums of a layer."""
    places: NDArray[np.uint32]
    """uint32[W]: which units are not zero."""
    values: NDArray[np.float32]
    """float32[W]: what they are."""

    @classmethod
    def make(cls, game: Game, network: Network, memory: bool = False) -> Scratch:
        """Space for a network that plays a game."""
        width = max(int(network.sizes.max()), 1)
        return cls(
            np.zeros(game.observation_layout(memory).size, np.float32),
            np.zeros(game.max_legal, np.uint16),
            np.zeros((game.max_legal, game.appraisal.size), np.float32),
            np.zeros(game.max_legal, np.float32),
            np.zeros(game.max_legal, np.float64),
            np.zeros(width, np.float32),
            np.zeros(width, np.uint32),
            np.zeros(width, np.float32),
        )


# --- the forward pass ------------------------------------------------------------------------------------------------


@kernel
def _trunk(network: Any, observation: Any, dense: Any, places: Any, values: Any) -> Any:
    """The last hidden layer: which units are not zero, and what they are. Returns how many."""
    count = 0
    for k in range(len(network.columns)):
        x = observation[np.int64(network.columns[k])]
        if x != np.float32(0):
            places[count] = k
            values[count] = x
            count += 1
    first, place = 0, 0
    for layer in range(len(network.sizes) - 1):
        units = network.sizes[layer + 1]
        bias = network.biases[place : place + units]
        for j in range(units):
            dense[j] = bias[j]
        # Four rows at a time: the sums are loaded and stored a quarter as often.
        k = 0
        while k + 4 <= count:
            at = first + np.int64(places[k]) * units
            row_a = network.weights[at : at + units]
            at = first + np.int64(places[k + 1]) * units
            row_b = network.weights[at : at + units]
            at = first + np.int64(places[k + 2]) * units
            row_c = network.weights[at : at + units]
            at = first + np.int64(places[k + 3]) * units
            row_d = network.weights[at : at + units]
            a, b, c, d = values[k], values[k + 1], values[k + 2], values[k + 3]
            for j in range(units):
                dense[j] = dense[j] + a * row_a[j] + b * row_b[j] + c * row_c[j] + d * row_d[j]
            k += 4
        while k < count:
            at = first + np.int64(places[k]) * units
            row = network.weights[at : at + units]
            a = values[k]
            for j in range(units):
                dense[j] = dense[j] + a * row[j]
            k += 1
        first += network.sizes[layer] * units
        place += units
        count = 0
        for j in range(units):
            x = dense[j]
            if network.tanh != 0:
                x = np.float32(np.tanh(x))
            if x > np.float32(0) or (network.tanh != 0 and x != np.float32(0)):
                places[count] = j
                values[count] = x
                count += 1
    return count


@kernel
def _product(row: Any, places: Any, values: Any, count: Any) -> Any:
    """The product of a row with the units that are not zero; four sums that do not wait for each other."""
    a, b, c, d = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    k = 0
    while k + 4 <= count:
        a += values[k] * row[places[k]]
        b += values[k + 1] * row[places[k + 1]]
        c += values[k + 2] * row[places[k + 2]]
        d += values[k + 3] * row[places[k + 3]]
        k += 4
    while k < count:
        a += values[k] * row[places[k]]
        k += 1
    return (a + b) + (c + d)


@kernel
def _heads(network: Any, legal: Any, n: Any, count: Any, scratch: Any) -> Any:
    """The logits of ``legal[:n]`` from the last hidden layer and the appraisals; returns the value."""
    places, values, logits = scratch.places, scratch.values, scratch.logits
    for k in range(n):
        action = np.int64(legal[k])
        if action < len(network.policy_bias):
            logits[k] = network.policy_bias[action] + _product(
                network.policy_weights[action], places, values, count
            )
        else:
            logits[k] = np.float32(-np.inf)  # an action that came after the network was trained
    for j in range(len(network.appraisal_bias)):
        weight = network.appraisal_bias[j] + _product(network.appraisal_weights[j], places, values, count)
        for k in range(n):
            logits[k] += weight * scratch.appraisals[k, j]
    value = network.value_bias[0]
    if len(network.value_weights) > 0:
        value += _product(network.value_weights, places, values, count)
    return np.float64(value)


@kernel
def consult(network: Any, game: Any, tables: Any, seat: Any, legal: Any, n: Any, scratch: Any) -> Any:
    """What the network says of a seat's decision: ``scratch.logits[:n]`` of ``legal[:n]``; returns the value."""
    scratch.observation[:] = 0
    verbs.observe(game, tables, seat, scratch.observation)
    if len(network.appraisal_bias) > 0 and n > 0:
        scratch.appraisals[:n, :] = 0
        verbs.appraise(game, tables, seat, legal, n, scratch.appraisals)
    count = _trunk(network, scratch.observation, scratch.dense, scratch.places, scratch.values)
    return _heads(network, legal, n, count, scratch)


@kernel
def evaluate(network: Any, game: Any, tables: Any, seat: Any, scratch: Any) -> Any:
    """The value alone, for a seat that need not decide."""
    return consult(network, game, tables, seat, scratch.legal, 0, scratch)


@kernel
def soften(logits: Any, n: Any, temperature: Any, chances: Any) -> Any:
    """Write ``softmax(logits[:n] / temperature)`` into `chances`; returns the place of the highest logit.

    -1, and chances that are all the same, if the network knows none of the actions.
    """
    best, top = -np.inf, -1
    for k in range(n):
        if np.float64(logits[k]) > best:
            best = np.float64(logits[k])
            top = k
    total = 0.0
    for k in range(n):
        chances[k] = 1.0
        if top >= 0:
            chances[k] = np.exp((np.float64(logits[k]) - best) / temperature)
        total += chances[k]
    for k in range(n):
        chances[k] /= total
    return top


@kernel
def decide(
    network: Any,
    game: Any,
    tables: Any,
    seat: Any,
    legal: Any,
    n: Any,
    scratch: Any,
    temperature: Any,
    uniform: Any,
) -> Any:
    """The network's choice among ``legal[:n]``: the likeliest at temperature 0, else drawn by `uniform` in [0, 1).

    Greedy chooses where the network knows none of the actions.
    """
    if n == 1:
        return np.int64(legal[0])
    consult(network, game, tables, seat, legal, n, scratch)
    warmth = temperature if temperature > 0.0 else 1.0
    top = soften(scratch.logits, n, warmth, scratch.chances)
    if top < 0:
        return choose(GREEDY, game, tables, seat, legal, n)
    if temperature > 0.0:
        reached = 0.0
        for k in range(n):
            reached += scratch.chances[k]
            if scratch.chances[k] > 0.0:
                top = k
            if reached > uniform:
                break
    return np.int64(legal[top])


# --- over rows -------------------------------------------------------------------------------------------------------


@entry
def decide_rows(
    games: Any,
    tables: Any,
    index: Any,
    seats: Any,
    network: Any,
    scratch: Any,
    temperature: float,
    actions: Any,
) -> None:
    """Write the network's choice for every row into ``actions`` int64[R]."""
    for row in range(len(index)):
        game, seat = games[index[row]], seats[row]
        n = flow.legal(game, tables[0], seat, scratch.legal)
        noise = random.mix(game["seed"], random.POLICY, random.at(game["steps"], seat))
        uniform = np.float64(noise >> np.uint64(11)) * 2.0**-53
        actions[row] = decide(network, game, tables[0], seat, scratch.legal, n, scratch, temperature, uniform)


@entry
def consult_rows(
    games: Any,
    tables: Any,
    index: Any,
    seats: Any,
    network: Any,
    scratch: Any,
    logits: Any,
    values: Any,
) -> None:
    """Write what the network says of every row: ``logits`` float32[R, L], zeros before, and ``values`` float32[R]."""
    for row in range(len(index)):
        game, seat = games[index[row]], seats[row]
        n = flow.legal(game, tables[0], seat, scratch.legal)
        values[row] = consult(network, game, tables[0], seat, scratch.legal, n, scratch)
        for k in range(n):
            logits[row, k] = scratch.logits[k]


@entry
def logit_rows(observations: Any, network: Any, scratch: Any, logits: Any) -> None:
    """Write the policy head's logits of all actions, float32[R, A], for observations float32[R, F]."""
    for row in range(len(observations)):
        count = _trunk(network, observations[row], scratch.dense, scratch.places, scratch.values)
        for action in range(len(network.policy_bias)):
            logits[row, action] = network.policy_bias[action] + _product(
                network.policy_weights[action], scratch.places, scratch.values, count
            )
