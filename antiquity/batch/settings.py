"""How a batch plays its game: :class:`Settings`; and what sees every step: :class:`Hook`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import DTypeLike

from antiquity.batch import loop
from antiquity.batch.forms import FORMS
from antiquity.batch.own_rewards import Reward, checked_reward
from antiquity.game import Game, Layout
from antiquity.game.checks import one_of, whole

DTYPES: Final = ("float32", "uint8")
"""Of observations."""
SEATS: Final = ("all", "table")
"""Whose blocks observations have."""


@dataclass
class Settings:
    """What :class:`antiquity.Batch` and the environments take beside the game and its own options.

    Attributes:
        reward: ``"win"``: at the end 1/k to each of k winners. ``"rank"``: at the end (n - mean rank) / (n - 1).
            ``"margin"``: at the end (own total - best other total) / margin_scale; a seat that has lost by an illegal
            action counts as one margin_scale below the lowest total. ``"points"``: the change of the total at every
            step, the first including the starting value. ``"mix"``: at the end, half the share of the win and half the
            sigmoid of (own total - mean of the others' totals) / margin_scale; with a lost seat as under margin.
            A dict of weights by category, such as ``{"military": 1.0, "total": 0.1}`` ("total" and "tiebreak" among
            them): as under points, the change of the weighted sum. A function ``(before, after, ended, ranks) ->
            float[k, S]`` of the k games that were stepped (:data:`antiquity.batch.own_rewards.RewardFunction`): what it
            gives; where that has another shape or is not finite, the step is made and a ValueError says so.
        on_illegal: ``"raise"``: a ValueError, and nothing is changed. ``"lose"``: the game ends, the offenders rank
            last. ``"random"``: a legal action is drawn instead.
        memory: observations include the memory part of the layout.
        max_cycles: games are truncated after this many steps; all rewards but points are 0 then.
        autoreset: True: in the step in which a game ends the next one begins (SAME_STEP), and what ended is in
            ``ended``. False: a game that has ended stays as it is, all seats waiting, until ``reset(index=...)``.
        copy: True: returned arrays are the caller's own; their memory is recycled once nobody holds them any more, nor
            a view of them. False: they are the batch's buffers, which the next call overwrites: only read them.
        threads: the number of shards the batch is split into; several are stepped by a pool of threads.
        dtype: of observations: ``"float32"``, or ``"uint8"``: a quarter of the memory, in whole numbers that
            :meth:`antiquity.game.Layout.floats` takes back. What a byte cannot hold (such as coins above 255) becomes
            the nearest that it can. A TypeError where the game's kernel observe writes floats alone.
        observation: ``"vector"``, ``"dict"`` or ``"tokens"``: the form of observations in results
            (:class:`antiquity.batch.Form`).
        seats: ``"all"``: observations have a block for each seat that the game can have, so that one network serves all
            tables. ``"table"``: only for those of the largest table of the batch. A TypeError where the game's kernels
            cannot do that.

    Raises:
        TypeError, ValueError: a setting cannot be used; the message says which and why.
    """

    reward: Reward = "win"
    on_illegal: str = "raise"
    memory: bool = False
    max_cycles: int | None = None
    autoreset: bool = True
    copy: bool = True
    threads: int = 1
    dtype: DTypeLike = "float32"
    observation: str = "vector"
    seats: str = "all"

    def __post_init__(self) -> None:
        self.reward = checked_reward(self.reward)
        self.on_illegal = one_of("on_illegal", self.on_illegal, loop.ON_ILLEGAL)
        self.memory, self.autoreset, self.copy = bool(self.memory), bool(self.autoreset), bool(self.copy)
        self.max_cycles = None if self.max_cycles is None else whole("max_cycles", self.max_cycles, 1)
        self.threads = whole("threads", self.threads, 1)
        self.dtype = one_of("dtype", dtype_name(self.dtype), DTYPES)
        self.observation = one_of("observation", self.observation, FORMS)
        self.seats = one_of("seats", self.seats, SEATS)

    def layout(self, game: Game, seats: int) -> Layout:
        """The layout of observations at tables of at most so many seats."""
        return game.observation_layout(self.memory, seats if self.seats == "table" else None)


def dtype_name(dtype: DTypeLike) -> str:
    """``"uint8"`` for ``np.uint8``, and so on; TypeError for what is no dtype."""
    return np.dtype(dtype).name


class Hook(Protocol):
    """An observer of every step of a batch (:attr:`antiquity.Batch.hook`), such as a recorder."""

    def before_step(self) -> None:
        """The batch is about to be stepped."""

    def after_step(self, committed: bool) -> None:
        """It was stepped, by its ``actions`` or (True) by earlier commitments."""
