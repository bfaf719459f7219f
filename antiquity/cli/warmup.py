"""Compile in advance: everything that a first step, a rollout or an agent would compile when it is first used."""

from __future__ import annotations

import time

import numpy as np

from antiquity.agents import make_agent
from antiquity.agents.base import Decisions
from antiquity.batch import Batch
from antiquity.game import Game, make_game


def warm_up(game: str | Game) -> float:
    """Compile a game's kernels, or take them from the store; returns the seconds it took.

    Raises:
        KeyError: there is no such game.
    """
    started = time.perf_counter()
    game = make_game(game)
    batch = Batch(game, num_games=2, seed=0)
    for memory in (False, True):
        batch = Batch(game, num_games=2, seed=0, memory=memory)
        batch.reset()
        batch.step(batch.sample())
        rows = batch.rows()
        batch.step_rows(batch.sample_rows())
        for name in ("random", "greedy"):
            asked = Decisions(game, batch.games, batch.tables, rows.game[:1] * 0, np.flatnonzero([1]), memory)
            if int(batch.games[0]["deciders"]) & 1:
                make_agent(name, game).act(asked)
            _ = asked.observations
    batch.set_games(batch.games.copy())
    batch.determinize(0, 0, 1)
    batch.scores()
    for policy in ("random", "greedy"):
        batch.rollout(policy)
    return time.perf_counter() - started
