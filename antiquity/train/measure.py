"""How good a policy is against the greedy agent, while it is trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from antiquity.agents import Agent
from antiquity.arena.match import SIGMAS, play_match
from antiquity.game import Game
from antiquity.train.settings import TableKind


class Measured(NamedTuple):
    """One seat against greedy in all others, over kinds of tables."""

    win_share: float
    """in units of par, the mean over the kinds: 1 is as good as greedy"""
    interval: float
    """half the width of the 95% interval of it"""
    shares: tuple[float, ...]
    """the share of wins at each kind of table"""
    points: float
    greedy_points: float


def against_greedy(
    game: Game, policy: Agent, kinds: Sequence[TableKind], *, deals: int, seed: int
) -> Measured:
    """Play a policy against greedy on fixed deals: `deals` in all at the kinds of tables, each in all seatings."""
    each = max(2, deals // len(kinds))
    shares, errors, points = [], [], []
    for number, kind in enumerate(kinds):
        line_up = [policy, *["greedy"] * (kind.players - 1)]
        result = play_match(game, line_up, deals=each, seed=seed + number, **kind.options)
        by_deal = result.shares[:, :, 0].mean(axis=1)
        shares.append(float(by_deal.mean()))
        errors.append(kind.players * by_deal.std(ddof=1) / np.sqrt(each))
        totals = result.scores[..., -2].mean(axis=(0, 1))
        points.append((totals[0], totals[1:].mean()))
    mean = float(np.mean([share * kind.players for share, kind in zip(shares, kinds, strict=True)]))
    interval = float(SIGMAS * np.sqrt(np.sum(np.square(errors))) / len(kinds))
    own, others = np.mean(points, axis=0)
    return Measured(mean, interval, tuple(shares), float(own), float(others))
