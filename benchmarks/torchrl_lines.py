"""The lines of TorchRL, of which revisions before its environment know nothing; not among those that are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.clock import Count, Task

if TYPE_CHECKING:
    from benchmarks.measures import Spec

SEED = 1


def batched(spec: Spec) -> Task:
    """A unit is a step of all seats of all games in TorchRL, actions from the batch's ``sample()``; no network.

    Raises:
        ImportError: torchrl isn't installed.
    """
    import torch

    from antiquity.envs.torchrl import GROUP, GameEnv

    env = GameEnv(spec.game, spec.games, spec.players, seed=SEED, threads=spec.threads, **spec.options)
    found = env.reset()

    def play(units: int) -> Count:
        nonlocal found
        decisions = done = 0
        for _ in range(units):
            actions = env.games.sample()
            decisions += int(np.count_nonzero(actions))
            found[GROUP, "action"] = torch.from_numpy(actions)
            stepped, found = env.step_and_maybe_reset(found)
            done += int(stepped["next", "done"].sum())
        return Count(decisions, done)

    return play


def wrapped(spec: Spec) -> Task:
    """The same by TorchRL's own wrapper of the PettingZoo environment: one game.

    Raises:
        ImportError: torchrl isn't installed.
    """
    import torch
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

    from antiquity.envs.parallel import ParallelGameEnv

    game = ParallelGameEnv(spec.game, spec.players, flat_observations=True, **spec.options)
    env = PettingZooWrapper(game, use_mask=False, categorical_actions=True, seed=SEED)
    found = env.reset()

    def play(units: int) -> Count:
        nonlocal found
        decisions = done = 0
        for _ in range(units):
            actions = game.batch.sample()[0]
            decisions += int(np.count_nonzero(actions))
            found["player", "action"] = torch.from_numpy(actions.copy())
            stepped, found = env.step_and_maybe_reset(found)
            done += int(stepped["next", "done"].any())
        return Count(decisions, done)

    return play
