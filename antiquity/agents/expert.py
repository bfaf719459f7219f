"""The expert: a search that a trained network guides, in one kernel for all games.

Every simulation draws a world that agrees with all the seat knows (the verb ``determinize``), tries one action in it,
lets the others choose, and asks what has become of the seat when it must choose again.

* Which action is tried next follows from what its tries were worth so far and from how likely the policy finds it
  (PUCT). The policy's logits are divided by a temperature first: a sharp policy would leave nothing to search.
* The others choose as the greedy agent does, as the policy does, or as both by turns. Which is best depends on who they
  are: greedy is nearly always right about greedy, and too simple for better players.
* A position is worth the mean of the network's value and of what a greedy rollout from it brings.
* The k-th try of every action is played in the same world, so that luck weighs on all alike.

The random numbers follow from what the seat sees and from the agent's ``seed``, not from the game's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.agents.base import Agent, Decisions
from antiquity.agents.network import NetworkAgent
from antiquity.agents.puct import BY_BOTH, BY_GREEDY, BY_POLICY, Space, Terms, expert_rows
from antiquity.agents.shipped import load_policy
from antiquity.game import Game, make_game
from antiquity.game.checks import one_of, one_seed, whole

DEFAULTS: Final = {"exploration": 0.15, "temperature": 10.0, "rollouts": 0.5, "opponents": "both"}
"""Chosen in 7 Wonders, among greedy agents and among policies."""
OPPONENTS: Final = {"greedy": BY_GREEDY, "policy": BY_POLICY, "both": BY_BOTH}


@dataclass(frozen=True, eq=False)
class Searched:
    """What the expert found out about R decisions.

    Attributes:
        actions: int64[R]: what it chooses.
        legal: uint16[R, L]: the legal actions, ascending.
        counts: int64[R]: how many there are.
        visits: float32[R, L]: tries of each; none where only one action is legal.
        means: float32[R, L]: what the tries were worth to the seat, from 0 to 1; without any, the network's.
        values: float32[R]: what the network alone expects.
    """

    actions: NDArray[np.int64]
    legal: NDArray[np.uint16]
    counts: NDArray[np.int64]
    visits: NDArray[np.float32]
    means: NDArray[np.float32]
    values: NDArray[np.float32]


class ExpertAgent(Agent):
    """Search guided by a policy network.

    Args:
        game: what it plays; a name or a Game.
        path: a policy file with a value; None: the policy that comes with the game.
        simulations: tries a decision, 1 or more.
        exploration: weight of the prior and of what was tried little.
        temperature: what the policy's logits are divided by.
        rollouts: weight of rollouts beside the network's value, from 0 to 1.
        opponents: how the other seats choose in the search: ``"greedy"``, ``"policy"``, or ``"both"`` by turns. These
            four, where None, are what the policy file recommends (``trained_on["expert"]``), else :data:`DEFAULTS`.
        seed: another one gives other searches.
        name: for tables and logs.

    Raises:
        ValueError, TypeError: an argument cannot be used, or there is no policy; the message says which and why.
    """

    slow = True

    def __init__(
        self,
        game: str | Game,
        path: str | None = None,
        simulations: int = 100,
        exploration: float | None = None,
        temperature: float | None = None,
        rollouts: float | None = None,
        opponents: str | None = None,
        seed: int = 0,
        name: str = "expert",
    ) -> None:
        self.game = game = make_game(game)
        self.policy: NetworkAgent = load_policy(game, path)
        if not self.policy.network.has_value:
            raise ValueError(f"the policy {path or 'of the game'} has no value, which the expert needs")
        if self.policy.memory:
            raise ValueError("the expert's policy must do without the memory block")
        given = {
            "exploration": exploration,
            "temperature": temperature,
            "rollouts": rollouts,
            "opponents": opponents,
        }
        recommended = self.policy.trained_on.get("expert")
        chosen = DEFAULTS | (recommended if isinstance(recommended, dict) else {})
        chosen |= {what: value for what, value in given.items() if value is not None}
        self.terms = Terms(
            whole("simulations", simulations, 1),
            _number("exploration", chosen["exploration"], above=True),
            _number("temperature", chosen["temperature"], above=True),
            _number("rollouts", chosen["rollouts"], most=1.0),
            OPPONENTS[one_of("opponents", chosen["opponents"], tuple(OPPONENTS))],
            float(game.margin_scale),
        )
        self.name = name
        self._seed = np.array([one_seed(seed)], np.uint64)
        self._scratch = self.policy.scratch()
        self._space = Space.make(game)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        return self.search(decisions).actions

    def search(self, decisions: Decisions) -> Searched:
        """Search every decision, and tell what was found out."""
        if decisions.game is not self.game:
            raise ValueError(f"agent {self.name!r} plays {self.game.title}, not {decisions.game.title}")
        count = len(decisions)
        found: dict[str, NDArray[Any]] = {
            "actions": np.zeros(count, np.int64),
            "visits": np.zeros((count, self.game.max_legal), np.float32),
            "means": np.zeros((count, self.game.max_legal), np.float32),
            "values": np.zeros(count, np.float32),
        }
        expert_rows(
            decisions.games,
            decisions.tables,
            decisions.index,
            decisions.seats,
            self.policy.network,
            self._scratch,
            self._space,
            self.terms,
            self._seed,
            *found.values(),
        )
        return Searched(legal=decisions.legal, counts=decisions.counts, **found)


def _number(name: str, value: Any, *, above: bool = False, most: float = math.inf) -> float:
    """A number from 0 on; ValueError or TypeError that calls it `name`."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {value!r}")
    if not 0 <= value <= most or (above and value == 0) or math.isinf(value):
        limits = "above zero" if above else f"from 0 to {most:g}"
        raise ValueError(f"{name} is {value}; it must be a number {limits}")
    return float(value)
