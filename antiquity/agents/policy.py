"""A trained stable-baselines3 policy as a player. torch and stable-baselines3 load on first use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from antiquity.agents.base import Agent, Decisions


class PolicyAgent(Agent):
    """A ``MaskablePPO``, ``PPO`` or ``A2C`` model over flat observations and ``Discrete`` actions.

    Illegal actions are masked out whether or not the model was trained with masks. Loading a model file runs code that
    is in it (it is a pickle inside): open only files that you trust.

    Args:
        model: a model, or the path of one saved with ``model.save``.
        deterministic: take the most probable action instead of drawing one.
        device: where to put a model that is loaded from a file.
    """

    def __init__(
        self, model: Any, deterministic: bool = False, device: str = "cpu", name: str | None = None
    ) -> None:
        if isinstance(model, str | os.PathLike):
            path = Path(model)
            name = name or path.stem
            model = load_model(path, device)
        self.model = model
        self.deterministic = deterministic
        self.name = name or type(model).__name__
        self._size = int(np.prod(model.observation_space.shape))

    def act(self, decisions: Decisions) -> npt.NDArray[np.int64]:
        plain = decisions.game.layout.size
        sizes = {plain: False, plain + decisions.game.memory_layout.size: True}
        if self._size not in sizes or self.model.action_space.n != decisions.game.num_actions:
            raise ValueError(
                f"policy {self.name!r} takes {self._size} numbers and has {self.model.action_space.n} actions; "
                f"{decisions.game.name} shows {sorted(sizes)} numbers and has {decisions.game.num_actions} actions"
            )
        decisions = decisions.remember(sizes[self._size])
        logits = self.logits(decisions.observations)
        logits[decisions.masks == 0] = -np.inf
        if self.deterministic:
            return np.asarray(logits.argmax(axis=1))
        return draw(logits, decisions.uniform())

    def logits(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """float64[R, A]: what the network says before masking."""
        import torch

        policy = self.model.policy
        policy.set_training_mode(False)
        with torch.no_grad():
            tensor = torch.as_tensor(observations, device=policy.device)
            logits = policy.get_distribution(tensor).distribution.logits
        return logits.cpu().numpy().astype(np.float64)  # type: ignore[no-any-return]


def draw(logits: npt.NDArray[np.float64], uniform: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Draw one column of every row of ``logits`` (-inf: never) by the inverse of the distribution function."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    sums = weights.cumsum(axis=1)
    # The first column whose sum exceeds the threshold has a weight above zero.
    return np.asarray((sums > uniform[:, None] * sums[:, -1:]).argmax(axis=1))


def load_model(path: str | os.PathLike[str], device: str = "cpu") -> Any:
    """Load a stable-baselines3 model file, taking the class from the policy it was trained with.

    Raises:
        FileNotFoundError: there is no such file.
        ImportError: stable-baselines3 or sb3-contrib isn't installed (``pip install "antiquity[sb3]"``).
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"no policy file {path}")
    try:
        from sb3_contrib import MaskablePPO
        from stable_baselines3 import A2C, PPO
        from stable_baselines3.common.save_util import load_from_zip_file
    except ImportError as error:
        raise ImportError('policy files need stable-baselines3: pip install "antiquity[sb3]"') from error
    data, _, _ = load_from_zip_file(path, device=device, load_data=True)
    assert data is not None
    if data["policy_class"].__module__.startswith("sb3_contrib"):
        return MaskablePPO.load(path, device=device)
    return (PPO if "clip_range" in data else A2C).load(path, device=device)
