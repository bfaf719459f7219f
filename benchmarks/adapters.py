"""The environments of one game, and that of stable-baselines3, as tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from benchmarks.clock import Count, Task

if TYPE_CHECKING:
    from benchmarks.measures import Spec

SEED = 1


def parallel(spec: Spec) -> Task:
    """A unit is a whole game, reset included, with the dictionaries of ``sample_actions()``.

    Who waits sends 0, so the decisions are counted from the actions; that costs about a hundredth of a step.
    """
    env = ParallelGameEnv(spec.game, spec.players, **spec.options)
    env.reset(seed=SEED)

    def play(units: int) -> Count:
        decisions = 0
        for _ in range(units):
            env.reset()
            while env.agents:
                actions = env.sample_actions()
                decisions += len(actions) - list(actions.values()).count(0)
                env.step(actions)
        return Count(decisions, units)

    return play


def aec(spec: Spec) -> Task:
    """A unit is a whole game as PettingZoo plays it: reset, agent_iter, last (with the observation), step.

    The visits after the end, which want the action None, take their time and are no decisions.
    """
    env = AECGameEnv(spec.game, spec.players, **spec.options)
    env.reset(seed=SEED)

    def play(units: int) -> Count:
        visits = 0
        for _ in range(units):
            env.reset()
            for _agent in env.agent_iter():
                env.last()
                env.step(env.sample_action())
                visits += 1
        return Count(visits - units * spec.players, units)

    return play


def sb3(spec: Spec, *, rows: str) -> Task:
    """A unit is a step of all rows, actions from the batch's ``sample()``; no network.

    With ``rows="learner"`` the decisions are the learners' own; those of their opponents (random) cost time and don't
    count.
    """
    from antiquity.envs.sb3 import GameVecEnv

    env = GameVecEnv(
        spec.game, spec.games, spec.players, rows=rows, seed=SEED, threads=spec.threads, **spec.options
    )
    env.reset()
    everywhere = np.arange(spec.games)
    seats = spec.players if rows == "seats" else 1

    def play(units: int) -> Count:
        decisions = done = 0
        for _ in range(units):
            actions = env.batch.sample()
            if env.tables is not None:
                actions = actions[everywhere, env.tables.learners]
            decisions += int(np.count_nonzero(actions))
            _, _, dones, _ = env.step(actions.reshape(-1))
            done += int(np.count_nonzero(dones))
        return Count(decisions, done / seats)

    return play
