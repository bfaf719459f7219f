"""A trained network as a player, without torch: layers in one file of plain arrays, inference in numpy.

The file is a numpy ``.npz`` without any pickle in it, so a policy from somebody else can be opened safely. It names the
game, the version of its layout and whether it was trained with memory, and is refused where these do not fit.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.agents.base import Agent, Decisions
from antiquity.game import Game, make_game

FORMAT = 1


def _relu(values: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.maximum(values, 0))


ACTIVATIONS: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {"tanh": np.tanh, "relu": _relu}

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]


class NetworkAgent(Agent):
    """A multi-layer perceptron that maps an observation to one logit for each action.

    Illegal actions are masked out. Actions are drawn from the remaining distribution, or, with ``deterministic``, the
    most probable one is taken.

    Args:
        game: what it plays; a name or a Game.
        layers: (weights float32[inputs, outputs], bias float32[outputs]) of each layer, the last one giving the logits.
        activation: between the layers: ``"tanh"`` or ``"relu"``.
        memory: whether it reads observations with the memory block.
        deterministic: take the most probable action instead of drawing one.
        name: for tables and logs.

    Raises:
        ValueError: layers that do not fit each other, the observation or the actions.
    """

    def __init__(
        self,
        game: str | Game,
        layers: Sequence[Layer],
        activation: str = "tanh",
        memory: bool = False,
        deterministic: bool = False,
        name: str = "policy",
    ) -> None:
        self.game = make_game(game)
        self.layers = [
            (np.ascontiguousarray(weights, np.float32), np.ascontiguousarray(bias, np.float32))
            for weights, bias in layers
        ]
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation {activation!r}: must be one of {', '.join(ACTIVATIONS)}")
        self.activation = activation
        self.memory = bool(memory)
        self.deterministic = bool(deterministic)
        self.name = name
        self._check()

    def _check(self) -> None:
        size = self.game.observation_layout(self.memory).size
        for number, (weights, bias) in enumerate(self.layers):
            if weights.ndim != 2 or bias.shape != weights.shape[1:] or weights.shape[0] != size:
                raise ValueError(
                    f"layer {number} has weights {weights.shape} and bias {bias.shape}; it is given {size} numbers"
                )
            if not (np.isfinite(weights).all() and np.isfinite(bias).all()):
                raise ValueError(f"layer {number} has numbers that are not finite")
            size = weights.shape[1]
        if size != self.game.num_actions:
            raise ValueError(
                f"the network ends in {size} logits; {self.game.title} has {self.game.num_actions} actions"
            )

    def logits(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32[R, A]: what the network says before masking."""
        values = observations
        activate = ACTIVATIONS[self.activation]
        for weights, bias in self.layers[:-1]:
            values = activate(values @ weights + bias)
        weights, bias = self.layers[-1]
        return values @ weights + bias

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if decisions.game is not self.game:
            raise ValueError(f"policy {self.name!r} plays {self.game.title}, not {decisions.game.title}")
        decisions = decisions.remember(self.memory)
        logits = np.where(decisions.masks == 1, self.logits(decisions.observations), -np.inf)
        if self.deterministic:
            return np.asarray(logits.argmax(axis=1), np.int64)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True)).astype(np.float64)
        sums = weights.cumsum(axis=1)
        # The first column whose sum exceeds the threshold has a weight above zero.
        return np.asarray((sums > decisions.uniform()[:, None] * sums[:, -1:]).argmax(axis=1), np.int64)

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
                layers.append(
                    (module.weight.detach().cpu().numpy().T.copy(), module.bias.detach().cpu().numpy().copy())
                )
            elif kind.lower() in ACTIVATIONS:
                activations.add(kind.lower())
            else:
                raise ValueError(f"a layer of type {kind} has no counterpart here")
        if len(activations) > 1:
            raise ValueError(f"one activation for all layers is expected, not {sorted(activations)}")
        inputs = layers[0][0].shape[0]
        memory = inputs == game.observation_layout(True).size
        return cls(game, layers, activations.pop() if activations else "tanh", memory, name=name)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the policy file; an interruption leaves no half file behind. Returns its path (``.npz``)."""
        path = Path(path).with_suffix(".npz")
        path.parent.mkdir(parents=True, exist_ok=True)
        header = {
            "format": FORMAT,
            "game": self.game.name,
            "version": self.game.version,
            "memory": self.memory,
            "activation": self.activation,
            "layers": len(self.layers),
        }
        arrays: dict[str, NDArray[Any]] = {"header": np.frombuffer(json.dumps(header).encode(), np.uint8)}
        for number, (weights, bias) in enumerate(self.layers):
            arrays[f"weights_{number}"] = weights
            arrays[f"bias_{number}"] = bias
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return path

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], game: str | Game | None = None, deterministic: bool = False
    ) -> NetworkAgent:
        """Read a policy file.

        Args:
            path: what :meth:`save` has written.
            game: the game it is wanted for; another one is refused.
            deterministic: take the most probable action instead of drawing one.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: not a policy file, damaged, for another game or another version of it.
        """
        path = Path(path)
        if not path.is_file():
            raise FileNotFoundError(f"no policy file {path}")
        return cls.from_bytes(path.read_bytes(), path, game, deterministic)

    @classmethod
    def from_bytes(
        cls,
        content: bytes,
        path: str | os.PathLike[str],
        game: str | Game | None = None,
        deterministic: bool = False,
    ) -> NetworkAgent:
        """The same from what a policy file holds; ``path`` is for messages and the name."""
        path = Path(path)
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as data:
                header = json.loads(bytes(data["header"]).decode())
                layers = [(data[f"weights_{k}"], data[f"bias_{k}"]) for k in range(int(header["layers"]))]
        except (
            OSError,
            ValueError,
            KeyError,
            TypeError,
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
        ) as error:
            raise ValueError(f"{path} is no policy file, or it is damaged: {error}") from error
        if header.get("format") != FORMAT:
            raise ValueError(
                f"{path} has format {header.get('format')!r}; this release reads format {FORMAT}"
            )
        if not str(header.get("game")).isidentifier():
            raise ValueError(f"{path} is no policy file: it names the game {header.get('game')!r}")
        wanted, named = None if game is None else make_game(game), str(header["game"])
        if wanted is not None and wanted.name != named:
            raise ValueError(f"{path} is a policy for {named}, not for {wanted.title}")
        made_for = wanted or make_game(named)
        if header["version"] != made_for.version:
            raise ValueError(
                f"{path} was trained on version {header['version']} of {made_for.title}, this is {made_for.version}: "
                "rules, actions or observations have changed since"
            )
        return cls(
            made_for,
            layers,
            str(header["activation"]),
            bool(header["memory"]),
            deterministic,
            name=path.stem,
        )
