"""The network that is trained: a shared trunk with a policy, a value and, if wanted, weights of the appraisals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from antiquity.agents import Network

BLOCKED = -1e9
"""The logit of a slot that holds no legal action."""


class Heads(nn.Module):  # type: ignore[misc]  # torch's types are not read
    """Logits of the legal actions and the value of a position, from what a trunk makes of what the seat sees.

    The logit of an action is that of the policy head, plus its appraisals (the verb ``appraise``: greedy's own value
    of it, and other numbers about it) weighted by what the trunk says and a learnt bias. At first only greedy's value
    counts, so that an untrained network plays like a hesitant greedy agent.

    Args:
        trunk: from observations to float[N, size].
        size: of what it gives.
        actions: how many actions the game has.
        appraisals: how many appraisals are read of every action; 0: none.
        trust: the weight of greedy's value at the start.
    """

    def __init__(self, trunk: nn.Module, size: int, actions: int, appraisals: int, trust: float) -> None:
        super().__init__()
        self.trunk = trunk
        self.policy = nn.Linear(size, actions)
        self.value = nn.Linear(size, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)
        self.appraisal = nn.Linear(size, appraisals) if appraisals else None
        heads = [self.value] if self.appraisal is None else [self.value, self.appraisal]
        for head in heads:
            nn.init.zeros_(head.weight)
        for head in (*heads, self.policy):
            nn.init.zeros_(head.bias)
        if self.appraisal is not None:
            with torch.no_grad():
                self.appraisal.bias[0] = trust

    def forward(
        self, observations: Tensor, legal: Tensor, counts: Tensor, appraisals: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """Logits float32[N, L] and values float32[N].

        Args:
            observations: [N, inputs], the columns that are read.
            legal: int64[N, L], action numbers, of which the first ``counts`` are legal.
            counts: int64[N].
            appraisals: float32[N, L, K or more], or None for a network that reads none.
        """
        found = self.trunk(observations)
        logits = self.policy(found).gather(1, legal).float()
        if self.appraisal is not None:
            assert appraisals is not None
            weights = self.appraisal(found).float()
            logits = logits + torch.bmm(appraisals[:, :, : weights.shape[1]], weights[:, :, None])[:, :, 0]
        slots = torch.arange(legal.shape[1])
        logits = logits.masked_fill(slots >= counts[:, None], BLOCKED)
        return logits, self.value(found).float()[:, 0]


class PolicyValue(Heads):
    """A trunk of fully connected layers.

    Args:
        inputs: how many columns of the observation are read.
        hidden: sizes of the trunk's layers.
        actions, appraisals, trust: see :class:`Heads`.
    """

    def __init__(
        self, inputs: int, hidden: Sequence[int], actions: int, appraisals: int = 0, trust: float = 1.0
    ) -> None:
        sizes = [inputs, *hidden]
        layers = (module for size, after in pairwise(sizes) for module in (nn.Linear(size, after), nn.ReLU()))
        super().__init__(nn.Sequential(*layers), sizes[-1], actions, appraisals, trust)

    def network(self, columns: NDArray[np.int32]) -> Network:
        """The same as plain arrays, for kernels and policy files. `columns`: int32[inputs], those that are read."""

        def array(tensor: Tensor) -> NDArray[np.float32]:
            return np.ascontiguousarray(tensor.detach().float().numpy())

        layers = [module for module in self.trunk if isinstance(module, nn.Linear)]
        size = self.policy.in_features
        none = (np.zeros((size, 0), np.float32), np.zeros(0, np.float32))
        head = self.appraisal
        return Network.make(
            columns=columns,
            hidden=[(array(layer.weight.T), array(layer.bias)) for layer in layers],
            policy=(array(self.policy.weight.T), array(self.policy.bias)),
            value=(array(self.value.weight[0]), array(self.value.bias)),
            appraisal=none if head is None else (array(head.weight.T), array(head.bias)),
        )

    @torch.no_grad()
    def take_over(self, network: Network, columns: NDArray[np.int32]) -> None:
        """Begin as a network that was trained before, perhaps on fewer columns, actions or appraisals.

        `columns`: int32[inputs], those that this model reads; what the other did not know counts nothing at first.

        Raises:
            ValueError: its layers have other sizes, or it has no value.
        """
        layers = [module for module in self.trunk if isinstance(module, nn.Linear)]
        sizes = [layer.out_features for layer in layers]
        known, mine = network.sizes[1:].tolist(), 0 if self.appraisal is None else self.appraisal.out_features
        if known != sizes or network.tanh or not network.has_value or len(network.appraisal_bias) > mine:
            raise ValueError(
                f"a network of {known} units and {len(network.appraisal_bias)} appraisals cannot be gone on with in "
                f"one of {sizes} and {mine}"
            )
        for number, (layer, (weights, bias)) in enumerate(zip(layers, network.hidden(), strict=True)):
            if number == 0:
                _, here, there = np.intersect1d(columns, network.columns, return_indices=True)
                spread = np.zeros((len(columns), weights.shape[1]), np.float32)
                spread[here] = weights[there]
                weights = spread
            layer.weight.copy_(torch.from_numpy(weights.T.copy()))
            layer.bias.copy_(torch.from_numpy(bias.copy()))
        heads = [(self.policy, network.policy_weights, network.policy_bias)]
        if self.appraisal is not None:
            nn.init.zeros_(self.appraisal.bias)
            heads.append((self.appraisal, network.appraisal_weights, network.appraisal_bias))
        for head, weights, bias in heads:
            head.weight[: len(bias)].copy_(torch.from_numpy(weights.copy()))
            head.bias[: len(bias)].copy_(torch.from_numpy(bias.copy()))
        self.value.weight.copy_(torch.from_numpy(network.value_weights[None].copy()))
        self.value.bias.copy_(torch.from_numpy(network.value_bias.copy()))
