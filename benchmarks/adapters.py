"""The environments of one game, that of stable-baselines3, and the search, as tasks.

Here and in :mod:`benchmarks.measures`, only what every revision that is compared has under the same name is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from antiquity import Batch, make_game
from antiquity.agents import Decisions, make_agent
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


def settings(dtype: str) -> dict[str, Any]:
    """What a batch is told of its observations: nothing that a revision before them would not know."""
    return {} if dtype == "float32" else {"dtype": dtype}


def sb3_seats(spec: Spec, running: NDArray[Any], dtype: str) -> Task:
    """A unit is a step of all seats of all games, actions from the batch's ``sample()``; no network.

    Args:
        running: records for all games, from the middle of play.
        dtype: of the observations.
    """
    from antiquity.envs.sb3 import GameVecEnv

    env = GameVecEnv(
        spec.game,
        spec.games,
        spec.players,
        rows="seats",
        seed=SEED,
        threads=spec.threads,
        **settings(dtype),
        **spec.options,
    )
    env.reset()
    env.batch.set_games(running)

    def play(units: int) -> Count:
        decisions = done = 0
        for _ in range(units):
            actions = env.batch.sample().reshape(-1)
            decisions += int(np.count_nonzero(actions))
            _, _, dones, _ = env.step(actions)
            done += int(np.count_nonzero(dones))
        return Count(decisions, done / spec.players)

    return play


def sb3_learner(spec: Spec, decisions_per_game: float) -> Task:
    """A unit is a step of the learning seat of every game, its opponents playing at random inside; no network.

    Decisions are the learners' own; those of the opponents cost time and don't count.

    Args:
        decisions_per_game: of one seat, about: so many steps are played beforehand, while the games are begun anew at
            different times, so that they are all at different moments afterwards.
    """
    from antiquity.envs.sb3 import GameVecEnv

    env = GameVecEnv(
        spec.game, spec.games, spec.players, rows="learner", seed=SEED, threads=spec.threads, **spec.options
    )
    env.reset()
    games: Any = getattr(env, "games", None) or getattr(env, "tables")  # noqa: B009 (the name in older trees)
    everywhere = np.arange(spec.games)

    def step() -> int:
        _, _, dones, _ = env.step(env.batch.sample()[everywhere, games.learners])
        return int(np.count_nonzero(dones))

    moments = max(1, round(decisions_per_game))
    for moment in range(moments):
        step()
        games.begin(None, everywhere[moment::moments])

    def play(units: int) -> Count:
        done = sum(step() for _ in range(units))
        return Count(units * spec.games, done)

    return play


def search(spec: Spec, running: NDArray[Any], decisions_per_game: float) -> Task:
    """A unit is a decision of the tree search, 100 simulations of it.

    Args:
        running: records from the middle of play, whose decisions are taken in turn.
        decisions_per_game: of all seats.
    """
    game = make_game(spec.game)
    agent = make_agent("search:simulations=100", game)
    batch = Batch(spec.game, len(running), spec.players, seed=SEED, **spec.options)
    batch.set_games(running)
    places = [np.array([index, seat]) for index in range(len(running)) for seat in batch.deciders(index)]
    taken = 0

    def play(units: int) -> Count:
        nonlocal taken
        for _ in range(units):
            place = places[taken % len(places)]
            agent.act(Decisions(game, batch.games, batch.tables, place[:1], place[1:]))
            taken += 1
        return Count(units, units / decisions_per_game)

    return play
