"""The games that the tests of the environments run on: the tiny one, and 7 Wonders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import seven_wonders_env
import toy_game
from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.game import Game

TOY = toy_game.GAME
WONDERS = seven_wonders_env.GAME

both_games = pytest.mark.parametrize("game", [TOY, WONDERS], ids=["toy", "seven_wonders"])


def same(one: Any, other: Any) -> bool:
    """Whether two nests of dicts, tuples, arrays and numbers are equal, types and dtypes included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        if one.dtype == object:
            return same(one.tolist(), other.tolist())
        if one.dtype != other.dtype or one.shape != other.shape:
            return False
        return bool(one.tobytes() == other.tobytes())
    return bool(one == other)


def legal_choice(rng: np.random.Generator, mask: np.ndarray[Any, Any]) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def play_parallel(env: ParallelGameEnv, rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    """Random legal actions to the end; what every step has given."""
    while env.agents:
        yield env.step({agent: legal_choice(rng, env.action_mask(agent)) for agent in env.agents})


def play_aec(env: AECGameEnv, rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    """Random legal actions to the end; the agents and what each was shown."""
    for agent in env.agent_iter():
        shown = env.last()
        yield agent, *shown
        env.step(None if shown[2] or shown[3] else legal_choice(rng, env.action_mask(agent)))


def fill_up(env: ParallelGameEnv, rng: np.random.Generator, steps: int) -> None:
    """Some random steps from a fresh reset, fewer when the game ends."""
    for _, _ in zip(range(steps), play_parallel(env, rng), strict=False):
        pass


def first_illegal(game: Game, mask: np.ndarray[Any, Any]) -> int:
    return int(np.flatnonzero(mask == 0)[-1])
