"""Rewards of a user's own: weights of the score's categories, which stay in the kernel, or a function of two scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity.batch.core import Array, Core, Outputs
from antiquity.batch.rewards import REWARDS
from antiquity.game import Game
from antiquity.game.checks import one_of

RewardFunction = Callable[
    [NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_], NDArray[np.int64]], ArrayLike
]
"""``(before, after, ended, ranks) -> float[k, S]``, for the k games that were stepped.

``before`` and ``after``, int32[k, S, C + 2], are the points by category, total and tie-break value as they stood before
and stand now (zeros before a game's first step); ``ended``, bool[k], the games that are over (not those that are cut
off); ``ranks``, int64[k, S], those of ``after``. Absent seats have zeros, and what they are given is ignored.
"""
Reward = str | Mapping[str, float] | RewardFunction


def checked_reward(reward: Any) -> Reward:
    """A reward as the settings keep it: a name, a dict of numbers or a function.

    Raises:
        TypeError, ValueError: it is none of these.
    """
    if isinstance(reward, str):
        return one_of("reward", reward, REWARDS)
    if isinstance(reward, Mapping):
        if not reward:
            raise ValueError("reward is an empty dict; give weights of categories, such as {'total': 1.0}")
        for name, weight in reward.items():
            number = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
            if not isinstance(name, str) or not number:
                raise TypeError(f"reward has {name!r}: {weight!r}; it maps names of categories to numbers")
            if not math.isfinite(weight):
                raise ValueError(f"reward gives {name!r} the weight {weight!r}; weights are finite")
        return {name: float(weight) for name, weight in reward.items()}
    if callable(reward):
        own: RewardFunction = reward
        return own
    raise TypeError(
        f"reward is {reward!r}; it must be one of {', '.join(map(repr, REWARDS))}, a dict of weights by category, or a "
        "function (before, after, ended, ranks) -> float[games, seats]"
    )


def weights_of(game: Game, reward: Reward) -> NDArray[np.float64]:
    """float64[C + 2]: what a point of each column of the scores is worth; zeros for all other rewards.

    Raises:
        ValueError: the game has no such category.
    """
    columns = (*game.categories, "total", "tiebreak")
    weights = np.zeros(len(columns))
    for name, weight in (reward if isinstance(reward, Mapping) else {}).items():
        weights[columns.index(one_of(f"a category in reward of {game.title}", name, columns))] = weight
    return weights


class OwnRewards:
    """Asks a function for the rewards of the games that were stepped."""

    def __init__(self, function: RewardFunction, core: Core, columns: int) -> None:
        self.function = function
        self.core = core
        games, seats = core.legal.shape[:2]
        self.before = np.zeros((games, seats, columns), np.int32)
        """int32[G, S, C + 2]: the scores that the last rewards were about."""
        self.note()

    def note(self) -> None:
        """Remember how far the games have come, before a step."""
        slots = self.core.slots
        self._steps, self._episodes = self.core.games["steps"].copy(), slots["episode"].copy()
        self._stopped = slots["stopped"] != 0

    def _stepped(self, done: Array) -> NDArray[np.int64]:
        """The games that have been stepped since, int64[k]. `done`: bool[2, G], as after that step."""
        games, slots = self.core.games, self.core.slots
        same = slots["episode"] == self._episodes
        moved = np.where(same, games["steps"] != self._steps, games["steps"] > 0)
        return np.flatnonzero(moved | (done.any(axis=0) & ~self._stopped))

    def pay(
        self,
        outputs: Outputs,
        finished: Sequence[Array],
        standings: Callable[[NDArray[np.int64]], tuple[NDArray[np.int32], NDArray[np.int64]]],
        autoreset: bool,
    ) -> None:
        """Write the rewards of the games that were stepped to `outputs`, and to the records of those that ended.

        Args:
            outputs: of the step.
            finished: the records of the games that have ended in it, of every shard; in their slots the next games may
                have begun.
            standings: scores and ranks of games as they stand.
            autoreset: whether games follow each other by themselves.

        Raises:
            ValueError: the function gave something else, or numbers that are not finite; the rewards are 0 then.
        """
        rewards, done = outputs.rewards, outputs.done
        index = self._stepped(done)
        if not len(index):
            return
        after, ranks = standings(index)
        row = np.zeros(len(done[0]), np.int64)
        row[index] = np.arange(len(index))
        seats = after.shape[1]
        for records in finished:
            where = row[records["index"]]
            after[where], ranks[where] = records["scores"][:, :seats], records["ranks"][:, :seats]
        before = self.before[index]
        self.before[index] = after
        if autoreset:
            self.before[done.any(axis=0)] = 0
        rewards[index] = 0
        rewards[index] = self._checked(index, self.function(before, after, done[0, index], ranks))
        for records in finished:
            records["rewards"][:, :seats] = rewards[records["index"]]

    def _checked(self, index: NDArray[np.int64], values: ArrayLike) -> NDArray[np.float32]:
        """What the function gave for the games `index`, as float32[k, S]."""
        given = np.asarray(values)
        shape = (len(index), self.before.shape[1])
        if given.shape != shape or given.dtype.kind not in "fiub":
            wanted = f"float[games, seats] = {list(shape)}"
            raise ValueError(
                f"the reward function gave {given.dtype}{list(given.shape)}; it must give {wanted}"
            )
        counts = self.core.games["num_players"][index].astype(np.int64)
        found = np.where(np.arange(shape[1]) < counts[:, None], given, 0).astype(np.float32)
        if not np.isfinite(found).all():
            place, seat = np.argwhere(~np.isfinite(found))[0].tolist()
            raise ValueError(
                f"the reward function gave {given[place, seat]} for game {index[place]}, seat {seat}: "
                "rewards are finite float32"
            )
        return found
