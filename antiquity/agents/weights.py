"""A trained network as plain arrays, which kernels take: :class:`Network`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Layer = tuple[ArrayLike, ArrayLike]
"""Weights and bias."""
ACTIVATIONS = ("relu", "tanh")


class Network(NamedTuple):
    """A trained network, as kernels take it: read-only arrays. Make it with :meth:`make` or :meth:`of_layers`.

    It reads I columns of the observation and has hidden layers, the last of H units h. The logit of action a is
    ``h @ policy_weights[a] + policy_bias[a]``, plus each of the action's K appraisals (the verb ``appraise``) times
    ``h @ appraisal_weights[j] + appraisal_bias[j]``.
    """

    columns: NDArray[np.int32]
    """int32[I]: the columns of the observation that are read, ascending."""
    sizes: NDArray[np.int64]
    """int64[n + 1]: I, and the number of units of each of the n hidden layers."""
    weights: NDArray[np.float32]
    """float32: the weights of the hidden layers one behind the other, each [inputs, units], row by row."""
    biases: NDArray[np.float32]
    """float32: those of the hidden layers, one behind the other."""
    policy_weights: NDArray[np.float32]
    """float32[A, H]: a row for each action."""
    policy_bias: NDArray[np.float32]
    """float32[A]."""
    value_weights: NDArray[np.float32]
    """float32[H], or float32[0] in a network that gives no value."""
    value_bias: NDArray[np.float32]
    """float32[1]."""
    appraisal_weights: NDArray[np.float32]
    """float32[K, H]: a row for each appraisal that is read."""
    appraisal_bias: NDArray[np.float32]
    """float32[K]."""
    tanh: int
    """1: tanh between the layers; 0: ReLU."""

    @classmethod
    def make(
        cls,
        *,
        columns: ArrayLike,
        hidden: Sequence[Layer],
        policy: Layer,
        value: Layer | None = None,
        appraisal: Layer | None = None,
        activation: str = "relu",
    ) -> Network:
        """A network from arrays as they are trained and written down.

        Args:
            columns: int[I], ascending: the columns of the observation that are read.
            hidden: weights float32[inputs, units] and bias float32[units] of each hidden layer.
            policy: float32[H, A], float32[A].
            value: float32[H], float32[1]: what the seat can expect, between 0 and 1; None without.
            appraisal: float32[H, K], float32[K]; None where appraisals are not read.
            activation: after each hidden layer: ``"relu"`` or ``"tanh"``.

        Raises:
            ValueError: shapes that do not fit each other, or numbers that are not finite.
        """
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation {activation!r}: must be one of {', '.join(ACTIVATIONS)}")
        chosen = np.asarray(columns)
        if chosen.ndim != 1 or (chosen.size and (chosen[0] < 0 or (np.diff(chosen) <= 0).any())):
            raise ValueError("columns must be a list of different numbers from 0, ascending")
        sizes = [len(chosen)]
        weights, biases = [], []
        for number, (one, other) in enumerate(hidden):
            weight, bias = _layer(f"layer {number}", one, other, sizes[-1])
            weights.append(weight.ravel())
            biases.append(bias)
            sizes.append(len(bias))
        policy_weights, policy_bias = _layer("the policy", *policy, sizes[-1])
        extra: Layer = (np.zeros((sizes[-1], 0)), np.zeros(0)) if appraisal is None else appraisal
        appraisal_weights, appraisal_bias = _layer("the appraisal", *extra, sizes[-1])
        value_weights, value_bias = np.zeros((0, 1), np.float32), np.zeros(1, np.float32)
        if value is not None and np.size(value[0]):
            value_weights, value_bias = _layer(
                "the value", np.reshape(value[0], (-1, 1)), value[1], sizes[-1]
            )
        none = [np.zeros(0, np.float32)]
        return cls(
            columns=_fixed(chosen, np.int32),
            sizes=_fixed(sizes, np.int64),
            weights=_fixed(np.concatenate(weights or none), np.float32),
            biases=_fixed(np.concatenate(biases or none), np.float32),
            policy_weights=_fixed(policy_weights.T, np.float32),
            policy_bias=_fixed(policy_bias, np.float32),
            value_weights=_fixed(value_weights[:, 0], np.float32),
            value_bias=_fixed(value_bias, np.float32),
            appraisal_weights=_fixed(appraisal_weights.T, np.float32),
            appraisal_bias=_fixed(appraisal_bias, np.float32),
            tanh=int(activation == "tanh"),
        )

    @classmethod
    def of_layers(cls, layers: Sequence[Layer], activation: str = "tanh") -> Network:
        """A plain multi-layer perceptron without a value, as in policy files of format 1.

        Args:
            layers: weights float32[inputs, outputs] and bias float32[outputs] of each; the last gives the logits.
            activation: between the layers.

        Raises:
            ValueError: as :meth:`make`.
        """
        if not layers:
            raise ValueError("a network has one layer or more")
        inputs = len(np.asarray(layers[0][0]))
        return cls.make(
            columns=np.arange(inputs), hidden=layers[:-1], policy=layers[-1], activation=activation
        )

    @property
    def activation(self) -> str:
        """What comes after each hidden layer, by name."""
        return ACTIVATIONS[self.tanh]

    @property
    def has_value(self) -> bool:
        """Whether it gives a value."""
        return self.value_weights.size > 0

    def hidden(self) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Weights float32[inputs, units] and bias float32[units] of each hidden layer."""
        found, row, place = [], 0, 0
        for inputs, units in zip(self.sizes[:-1].tolist(), self.sizes[1:].tolist(), strict=True):
            weights = self.weights[row : row + inputs * units].reshape(inputs, units)
            found.append((weights, self.biases[place : place + units]))
            row, place = row + inputs * units, place + units
        return found


def _layer(name: str, weights: ArrayLike, bias: ArrayLike, inputs: int) -> tuple[NDArray[Any], NDArray[Any]]:
    weights, bias = np.asarray(weights, np.float32), np.asarray(bias, np.float32)
    if weights.ndim != 2 or bias.shape != weights.shape[1:] or weights.shape[0] != inputs:
        raise ValueError(
            f"{name} has weights {weights.shape} and bias {bias.shape}; it is given {inputs} numbers"
        )
    if not (np.isfinite(weights).all() and np.isfinite(bias).all()):
        raise ValueError(f"{name} has numbers that are not finite")
    return weights, bias


def _fixed(values: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
    """A read-only copy."""
    array = np.array(values, dtype, order="C")
    array.flags.writeable = False
    return array
