"""Ranks, and the rewards that follow from scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.game import verbs
from antiquity.kernels import kernel

REWARDS = ("win", "rank", "margin", "points", "mix")
WIN, RANK, MARGIN, POINTS, MIX, WEIGHTS, OWN = range(7)
"""The last two are no names: a dict of weights, and a function that is asked outside of kernels."""


@kernel
def rank(scores: Any, num_players: Any, forfeits: Any, ranks: Any) -> None:
    """Write the rank of each seat, from 1; ties share the best rank, absent seats get 0.

    By total, then by tie-break value (the last two columns of `scores`); seats with a bit in `forfeits` come after all
    others.
    """
    tie = scores.shape[1] - 1
    ranks[:] = 0
    for s in range(num_players):
        lost = (forfeits >> s) & 1
        place = 1
        for t in range(num_players):
            other = (forfeits >> t) & 1
            if other != lost:
                place += lost
            elif scores[t, tie - 1] != scores[s, tie - 1]:
                place += scores[t, tie - 1] > scores[s, tie - 1]
            else:
                place += scores[t, tie] > scores[s, tie]
        ranks[s] = place


@kernel
def outcome(scores: Any, ranks: Any, num_players: Any, forfeits: Any, scale: Any, values: Any) -> None:
    """Write what a finished game is worth to each seat, from 0 to 1: half for the win, half for the lead.

    The share of the win (1/k for each of k winners), and the sigmoid of (own total - mean of the others') / `scale`. A
    seat with a bit in `forfeits` counts as one `scale` below the lowest total.

    `scores`, `ranks`: as from :func:`rank`. `values`: float[num_players or more].
    """
    total = scores.shape[1] - 2
    lowest, points, winners = np.float64(scores[0, total]), 0.0, 0
    for s in range(1, num_players):
        lowest = min(lowest, np.float64(scores[s, total]))
    for s in range(num_players):
        winners += ranks[s] == 1
        points += lowest - scale if (forfeits >> s) & 1 else np.float64(scores[s, total])
    for s in range(num_players):
        own = lowest - scale if (forfeits >> s) & 1 else np.float64(scores[s, total])
        lead = own - (points - own) / max(num_players - 1, 1)
        value = 0.5 / (1.0 + np.exp(-lead / scale))
        if ranks[s] == 1:
            value += 0.5 / winners
        values[s] = value


@kernel
def _end_rewards(work: Any, num_players: Any, forfeits: Any, rewards: Any, i: Any) -> None:
    """Write the rewards of a finished game under all but points; `work` has its scores and ranks."""
    scores, ranks = work["scores"], work["ranks"]
    if work["reward"] == MIX:
        outcome(scores, ranks, num_players, forfeits, work["margin_scale"], rewards[i])
        return
    total = scores.shape[1] - 2
    if work["reward"] == MARGIN:
        lowest = np.int64(scores[0, total])
        for s in range(1, num_players):
            lowest = min(lowest, np.int64(scores[s, total]))
        scale = work["margin_scale"]
        for s in range(num_players):
            own, best = np.float64(scores[s, total]), -np.inf
            if (forfeits >> s) & 1:
                own = lowest - scale
            for t in range(num_players):
                if t != s:
                    points = np.float64(scores[t, total])
                    if (forfeits >> t) & 1:
                        points = lowest - scale
                    best = max(best, points)
            if num_players == 1:
                best = 0.0
            rewards[i, s] = (own - best) / scale
        return
    for s in range(num_players):
        ties = 0
        for t in range(num_players):
            ties += ranks[t] == ranks[s]
        if work["reward"] == WIN:
            rewards[i, s] = 1.0 / ties if ranks[s] == 1 else 0.0
        elif num_players == 1:
            rewards[i, s] = 1.0
        else:
            mean = ranks[s] + (ties - 1) / 2
            rewards[i, s] = (num_players - mean) / (num_players - 1)


@kernel
def write_rewards(
    game: Any, tables: Any, slot: Any, paid: Any, work: Any, rewards: Any, i: Any, over: Any, cut: Any
) -> None:
    """Write the rewards of the step that has led here, and scores and ranks when the game has ended."""
    players = np.int64(game["num_players"])
    rewards[i, :] = 0
    if over or cut or work["reward"] == POINTS or work["reward"] == WEIGHTS:
        verbs.score(game, tables, work["scores"])
    if over or cut:
        rank(work["scores"], players, np.int64(game["forfeits"]), work["ranks"])
    if work["reward"] == POINTS:
        total = work["scores"].shape[1] - 2
        for s in range(players):
            points = work["scores"][s, total]
            rewards[i, s] = points - slot["totals"][s]
            slot["totals"][s] = points
    elif work["reward"] == WEIGHTS:
        for s in range(players):
            worth = 0.0
            for column in range(work["scores"].shape[1]):
                worth += work["weights"][column] * work["scores"][s, column]
            rewards[i, s] = worth - paid[i, s]
            paid[i, s] = worth
    elif over and work["reward"] != OWN:
        _end_rewards(work, players, np.int64(game["forfeits"]), rewards, i)
