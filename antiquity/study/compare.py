"""Two agents on the same positions: how often they agree, where they differ, and what the difference costs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import Agent, AgentLike, Decisions, checked_actions, make_agent
from antiquity.agents.judge import Judge
from antiquity.batch import Batch
from antiquity.game import Game, make_game

WORLDS: Final = 200
"""Worlds in which a difference is played out; both choices are tried in each."""
SIGMAS: Final = 1.96


@dataclass(frozen=True)
class Difference:
    """A decision in which two agents chose differently.

    Attributes:
        step, seat: of the game that was played.
        words: what each of them chose.
        gain: what the first one's choice is worth more than the second one's to the seat, from -1 to 1.
        error: standard error of it.
        legal: how many actions were legal.
        share: how much of the game was over, from 0 to 1; by steps.
    """

    step: int
    seat: int
    words: tuple[str, str]
    gain: float
    error: float
    legal: int
    share: float


@dataclass(frozen=True)
class Comparison:
    """What :func:`compare` returns.

    Attributes:
        names: of the two agents.
        decisions: how many were put to both, those with one legal action not counted.
        differences: where they chose differently, in order.
        games: how many games the positions are from; the agents took turns in playing them.
    """

    names: tuple[str, str]
    decisions: int
    differences: tuple[Difference, ...]
    games: int

    @property
    def agreement(self) -> tuple[float, float]:
        """The share of decisions on which they agree, and half its 95% interval."""
        rate = 1 - len(self.differences) / max(self.decisions, 1)
        return rate, SIGMAS * math.sqrt(rate * (1 - rate) / max(self.decisions, 1))

    def gain(self, first: float = 0.0, end: float = 1.0) -> tuple[float, float]:
        """What the first agent's choice gains where they differ, in a part of the game, and half its 95% interval."""
        found = [each.gain for each in self.differences if first <= each.share <= end]
        if len(found) < 2:
            return float("nan"), float("nan")
        return float(np.mean(found)), float(SIGMAS * np.std(found, ddof=1) / math.sqrt(len(found)))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        rate, half = self.agreement
        return {
            "agents": list(self.names),
            "games": self.games,
            "decisions": self.decisions,
            "agreement": [rate, half],
            "gain": list(self.gain()) if len(self.differences) > 1 else None,
            "differences": [vars(each) for each in self.differences],
        }


def compare(
    game: str | Game,
    first: AgentLike,
    second: AgentLike,
    *,
    games: int = 20,
    players: int | None = None,
    seed: int = 0,
    told: Callable[[int, int], None] = lambda _done, _all: None,
    **options: Any,
) -> Comparison:
    """Put the same positions to two agents.

    The positions are those of games that one of them plays with itself, the first in one game and the second in the
    next.

    Args:
        game: a game's name, or a Game.
        first, second: the agents.
        games: how many games.
        players: seats at the table; the game's default if None.
        seed: of the games.
        told: is called with how many games are done, and how many there are.
        options: the game's own.

    Raises:
        ValueError, TypeError: an argument is invalid; the message says why.
    """
    game = make_game(game)
    agents = [make_agent(agent, game) for agent in (first, second)]
    judge = Judge(game)
    decisions, differences = 0, []
    for number in range(games):
        batch = Batch(game, 1, players, seed=seed + number, copy=False, autoreset=False, **options)
        batch.reset()
        rows = batch.rows()
        found: list[tuple[int, int, tuple[str, str], float, float, int]] = []
        while len(rows.game):
            asked = Decisions(game, batch.games, batch.tables, rows.game.copy(), rows.seat.copy())
            chosen = [checked_actions(agent, asked) for agent in agents]
            decisions += int((asked.counts > 1).sum())
            for row in np.flatnonzero(chosen[0] != chosen[1]).tolist():
                found.append(_differ(batch, judge, asked, row, chosen))
            rows = batch.step_rows(chosen[number % 2])  # type: ignore[assignment]
        steps = int(batch.games["steps"][0])
        differences += [Difference(*each, share=each[0] / steps) for each in found]
        told(number + 1, games)
    return Comparison(_names(first, second, agents), decisions, tuple(differences), games)


def _differ(
    batch: Batch, judge: Judge, asked: Decisions, row: int, chosen: list[NDArray[np.int64]]
) -> tuple[int, int, tuple[str, str], float, float, int]:
    seat = int(asked.seats[row])
    pair = np.array([actions[row] for actions in chosen], np.int64)
    worths = judge.worths(batch.games, batch.tables, 0, seat, pair, WORLDS).astype(np.float64)
    gains = worths[:, 0] - worths[:, 1]
    words = (batch.describe(0, seat, int(pair[0])), batch.describe(0, seat, int(pair[1])))
    error = float(gains.std(ddof=1) / math.sqrt(WORLDS))
    return int(batch.games["steps"][0]), seat, words, float(gains.mean()), error, int(asked.counts[row])


def _names(first: AgentLike, second: AgentLike, agents: list[Agent]) -> tuple[str, str]:
    one, other = (
        given if isinstance(given, str) else agent.name
        for given, agent in zip((first, second), agents, strict=True)
    )
    return one, other
