"""Proximal policy optimisation: what is learnt from one rollout."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor, nn

from antiquity.train.model import Heads
from antiquity.train.rollout import Rollout
from antiquity.train.settings import Settings


class Progress(NamedTuple):
    """Means over the last epoch of an update."""

    entropy: float
    """of the policy, in nats"""
    value_error: float
    """mean square, in units of the variance of the returns; 1: nothing is foreseen"""
    divergence: float
    """approximate Kullback-Leibler divergence from the policy that has played"""
    clipped: float
    """share of the decisions whose ratio was clipped"""


def total(*numbers: float) -> list[float]:
    """Sums over all processes."""
    if not dist.is_initialized():
        return list(numbers)
    tensor = torch.tensor(numbers, dtype=torch.float64)
    dist.all_reduce(tensor)
    return [float(each) for each in tensor]


class Updater:
    """Improves a model, with Adam, from one rollout after the other.

    With several processes each has rollouts of its own and the gradients are summed, as if one process had them all.
    """

    def __init__(self, model: Heads, settings: Settings, bf16: bool) -> None:
        self.model, self.settings, self.bf16 = model, settings, bf16
        self.optimizer = torch.optim.Adam(model.parameters(), settings.learning_rate, eps=1e-5, fused=True)

    def update(self, rollout: Rollout, done: float, seed: int) -> Progress:
        """Go through the rollout as often as the settings say.

        Args:
            rollout: of this process.
            done: how much of the training is over, from 0 to 1; learning rate and entropy follow from it.
            seed: of the order.
        """
        settings = self.settings
        own = len(rollout.slots)
        gains, returns = rollout.advantages.double(), rollout.returns.double()
        count, gain, gain2, value, value2 = total(
            own, *(float(each.sum()) for each in (gains, gains**2, returns, returns**2))
        )
        mean = gain / count
        spread = max(gain2 / count - mean**2, 0.0) ** 0.5
        rollout = rollout._replace(advantages=(rollout.advantages - mean) / (spread + 1e-8))
        variance = max(value2 / count - (value / count) ** 2, 1e-3)
        for group in self.optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1 + (settings.learning_rate_end - 1) * done)
        entropy = settings.entropy * (1 + (settings.entropy_end - 1) * done)
        generator = torch.Generator().manual_seed(seed)
        # All processes take equally many steps, whoever has a few decisions more.
        pieces = max(1, round(count / settings.minibatch))
        sums = [0.0] * 4
        for _ in range(settings.epochs):
            sums = [0.0] * 4
            order = torch.randperm(own, generator=generator)
            for rows in order.tensor_split(pieces):
                found = self._step(rollout, rows, entropy, variance)
                sums = [a + b for a, b in zip(sums, found, strict=True)]
        means = [each / count for each in total(*sums)]
        return Progress(means[0], means[1] / variance, means[2], means[3])

    def _step(self, rollout: Rollout, rows: Tensor, entropy: float, variance: float) -> list[float]:
        """One gradient step; returns sums over the rows of this process."""
        settings = self.settings
        width = int(rollout.counts[rows].max())
        # The shortest lists that hold these rows' legal actions.
        lists = {"legal": rollout.legal[:, :width]}
        if rollout.appraisals is not None:
            lists["appraisals"] = rollout.appraisals[:, :width]
        part = Rollout(*(None if each is None else each[rows] for each in rollout._replace(**lists)))
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            logits, values = self.model(part.observations, part.legal, part.counts, part.appraisals)
        chances = torch.log_softmax(logits, 1)
        change = chances.gather(1, part.slots[:, None])[:, 0] - part.chances
        ratio = change.exp()
        gains = part.advantages
        clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
        gained = torch.minimum(ratio * gains, clipped * gains).sum()
        chaos = -(chances.exp() * chances.clamp(min=-30)).sum()
        error = ((values - part.returns) ** 2).sum()
        loss = -gained - entropy * chaos + settings.value_weight * error / variance
        (count,) = total(len(rows))
        self.optimizer.zero_grad(set_to_none=True)
        (loss / count).backward()
        if dist.is_initialized():
            gradients = [each.grad for each in self.model.parameters() if each.grad is not None]
            joined = torch.cat([each.flatten() for each in gradients])
            dist.all_reduce(joined)
            for each, summed in zip(gradients, joined.split([g.numel() for g in gradients]), strict=True):
                each.copy_(summed.view_as(each))
        nn.utils.clip_grad_norm_(self.model.parameters(), settings.gradient_norm)
        self.optimizer.step()
        with torch.no_grad():
            outside = (ratio - clipped).abs() > 1e-9
            # k3 of Schulman's estimators of the divergence
            divergence = (ratio - 1 - change).sum()
            return [float(each) for each in (chaos, error, divergence, outside.sum())]
