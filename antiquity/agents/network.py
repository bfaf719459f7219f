"""A trained network as a player, without torch: it observes, appraises and chooses in one kernel."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import forward
from antiquity.agents.base import Agent, Decisions
from antiquity.agents.forward import Scratch
from antiquity.agents.policy_file import Policy, appraisal_names, parse_policy, read_policy, write_policy
from antiquity.agents.weights import ACTIVATIONS, Layer, Network
from antiquity.game import Game, make_game


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What a network says of R decisions.

    Attributes:
        legal: uint16[R, L]: the legal actions, ascending.
        counts: int64[R]: how many there are.
        logits: float32[R, L]: of each of them; those behind the last are zero.
        values: float32[R]: what the seat can expect, between 0 and 1; 0 from a network without a value.
    """

    legal: NDArray[np.uint16]
    counts: NDArray[np.int64]
    logits: NDArray[np.float32]
    values: NDArray[np.float32]


class NetworkAgent(Agent):
    """A network that maps an observation to a logit for each legal action.

    Actions are drawn in proportion to ``exp(logit)``, or, with ``deterministic``, the likeliest one is taken. Where it
    knows none of the legal actions, because they came with a later version of the game, the greedy agent chooses.

    Args:
        game: what it plays; a name or a Game.
        network: its arrays.
        memory: whether it reads observations with the memory block.
        deterministic: take the likeliest action instead of drawing one.
        name: for tables and logs.
        players: table sizes that it was trained for; for the policy file alone.
        trained_on: what made it, as plain values; for the policy file alone.

    Raises:
        ValueError: a network that reads more, or ends in more logits, than the game has.
    """

    def __init__(
        self,
        game: str | Game,
        network: Network,
        memory: bool = False,
        deterministic: bool = False,
        name: str = "policy",
        *,
        players: Sequence[int] = (),
        trained_on: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = make_game(game)
        self.network = network
        self.memory = bool(memory)
        self.deterministic = bool(deterministic)
        self.name = name
        self.players = tuple(players)
        self.trained_on = dict(trained_on or {})
        size = self.game.observation_layout(self.memory).size
        if network.columns.size and network.columns[-1] >= size:
            raise ValueError(
                f"the network reads column {network.columns[-1]}; {self.game.title} shows {size} numbers"
            )
        if len(network.policy_bias) > self.game.num_actions:
            raise ValueError(
                f"the network ends in {len(network.policy_bias)} logits; "
                f"{self.game.title} has {self.game.num_actions} actions"
            )
        if len(network.appraisal_bias) > len(appraisal_names(self.game)):
            raise ValueError(
                f"the network reads {len(network.appraisal_bias)} appraisals of an action; "
                f"{self.game.title} has {len(appraisal_names(self.game))}"
            )

    def scratch(self) -> Scratch:
        """Space for the kernels; each call of one needs its own."""
        return Scratch.make(self.game, self.network, self.memory)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        self._check(decisions)
        actions = np.empty(len(decisions), np.int64)
        forward.decide_rows(
            decisions.games,
            decisions.tables,
            decisions.index,
            decisions.seats,
            self.network,
            self.scratch(),
            0.0 if self.deterministic else 1.0,
            actions,
        )
        return actions

    def evaluate(self, decisions: Decisions) -> Evaluation:
        """The logits of the legal actions, and the values."""
        self._check(decisions)
        logits = np.zeros((len(decisions), self.game.max_legal), np.float32)
        values = np.zeros(len(decisions), np.float32)
        forward.consult_rows(
            decisions.games,
            decisions.tables,
            decisions.index,
            decisions.seats,
            self.network,
            self.scratch(),
            logits,
            values,
        )
        return Evaluation(decisions.legal, decisions.counts, logits, values)

    def logits(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32[R, A]: what the policy head says of all actions, without appraisals, for float32[R, F]."""
        size = self.game.observation_layout(self.memory).size
        if observations.ndim != 2 or observations.shape[1] != size:
            raise ValueError(f"observations are float32[R, {size}], not {observations.shape}")
        logits = np.zeros((len(observations), len(self.network.policy_bias)), np.float32)
        forward.logit_rows(
            np.ascontiguousarray(observations, np.float32), self.network, self.scratch(), logits
        )
        return logits

    def _check(self, decisions: Decisions) -> None:
        if decisions.game is not self.game:
            raise ValueError(f"policy {self.name!r} plays {self.game.title}, not {decisions.game.title}")

    @classmethod
    def from_sb3(cls, model: Any, game: str | Game, name: str = "policy") -> NetworkAgent:
        """The policy of a stable-baselines3 model (``MlpPolicy`` over flat observations) as a network.

        Raises:
            ValueError: a policy of another shape, or for another game.
        """
        game = make_game(game)
        policy = model.policy
        extractor = getattr(policy, "mlp_extractor", None)
        if extractor is None or not hasattr(policy, "action_net"):
            raise ValueError("only actor-critic policies with an MLP can be turned into a network")
        modules = [*extractor.policy_net, policy.action_net]
        layers: list[Layer] = []
        activations = set()
        for module in modules:
            kind = type(module).__name__
            if kind == "Linear":
                layers.append((module.weight.detach().cpu().numpy().T, module.bias.detach().cpu().numpy()))
            elif kind.lower() in ACTIVATIONS:
                activations.add(kind.lower())
            else:
                raise ValueError(f"a layer of type {kind} has no counterpart here")
        if len(activations) > 1:
            raise ValueError(f"one activation for all layers is expected, not {sorted(activations)}")
        network = Network.of_layers(layers, activations.pop() if activations else "tanh")
        memory = int(network.sizes[0]) == game.observation_layout(True).size
        return cls(game, network, memory, name=name)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the policy file (:mod:`antiquity.agents.policy_file`). Returns its path (``.npz``).

        An interruption leaves no half file behind.
        """
        return write_policy(path, Policy(self.game, self.network, self.memory, self.players, self.trained_on))

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], game: str | Game | None = None, deterministic: bool = False
    ) -> NetworkAgent:
        """Read a policy file.

        Args:
            path: what :meth:`save` has written.
            game: the game it is wanted for; another one is refused. None: the installed game that it names.
            deterministic: take the likeliest action instead of drawing one.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: not a policy file, damaged, too large, for another game or another version of it.
        """
        return cls._of(read_policy(path, game), Path(path).stem, deterministic)

    @classmethod
    def from_bytes(
        cls,
        content: bytes,
        path: str | os.PathLike[str],
        game: str | Game | None = None,
        deterministic: bool = False,
    ) -> NetworkAgent:
        """The same from what a policy file holds; ``path`` is for messages and the name."""
        return cls._of(parse_policy(content, path, game), Path(path).stem, deterministic)

    @classmethod
    def _of(cls, policy: Policy, name: str, deterministic: bool) -> NetworkAgent:
        return cls(
            policy.game,
            policy.network,
            policy.memory,
            deterministic,
            name,
            players=policy.players,
            trained_on=policy.trained_on,
        )
