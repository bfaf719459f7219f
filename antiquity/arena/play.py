"""Playing games of agents against each other, many at once.

Kernel agents play inside a kernel, and forced moves are made there; Python is asked only when a Python agent has
something to choose, and then for all games together. All agents that choose at the same time are asked before any of
their choices is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import Agent, Decisions, checked_actions
from antiquity.batch import Batch, Driver
from antiquity.game import Game

Progress = Callable[[int], None]


def _nothing() -> NDArray[Any]:
    return np.zeros(0, np.uint16)


@dataclass(frozen=True, eq=False)
class Played:
    """Finished games, by seat.

    Attributes:
        scores: int32[G, S, categories + 2].
        ranks: int64[G, S], from 1; ties share the best rank.
        lengths: int64[G]: steps of each game.
        incidents: (game, seat, step, agent number, kind, detail) of every forfeited move.
        actions: uint16[N]: what was chosen, one game after the other, of each step the choices of its deciders by seat;
            empty unless it was recorded.
        counts: int64[G]: how many of them are each game's.
    """

    scores: NDArray[np.int32]
    ranks: NDArray[np.int64]
    lengths: NDArray[np.int64]
    incidents: tuple[tuple[int, int, int, int, str, str], ...] = ()
    actions: NDArray[np.uint16] = field(default_factory=_nothing)
    counts: NDArray[np.int64] = field(default_factory=_nothing)

    @property
    def shares(self) -> NDArray[np.float64]:
        """float64[G, S]: 1/k for a win shared by k seats."""
        winners = self.ranks == 1
        return np.asarray(winners / winners.sum(axis=-1, keepdims=True))

    @property
    def mean_ranks(self) -> NDArray[np.float64]:
        """float64[G, S]: ties share the mean of their ranks."""
        ties = (self.ranks[..., :, None] == self.ranks[..., None, :]).sum(axis=-1)
        return np.asarray(self.ranks + (ties - 1) / 2)


def play_games(
    game: Game,
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    options: dict[str, Any] | None = None,
    progress: Progress | None = None,
    record: bool = False,
) -> Played:
    """Play G games to their ends.

    Each of them depends on its seed and its agents alone, as long as those are
    :attr:`antiquity.agents.Agent.reproducible`.

    Args:
        game: what is played.
        agents: the players.
        seating: int64[G, S]: which of the agents sits where; S is the number of players.
        seeds: uint64[G]: of the games.
        options: the game's own.
        progress: called with how many games have ended since the last call.
        record: keep what was chosen.

    Raises:
        ValueError, TypeError: an agent of this process answered with something illegal, or an option is unknown.
    """
    count, num_seats = seating.shape
    batch = Batch(
        game,
        count,
        num_seats,
        seed=np.asarray(seeds, np.uint64),
        copy=False,
        autoreset=False,
        **options or {},
    )
    kernels = np.array([agent.kernel for agent in agents], np.int64)
    driver = Driver(batch, kernels[seating], forced=True, record=record)
    driver.begin()
    incidents: list[tuple[int, int, int, int, str, str]] = []
    ended = 0
    while True:
        index, seats = driver.play()
        if progress is not None:
            now = count - int(driver.running.sum())
            progress(now - ended)
            ended = now
        if not len(index):
            break
        actions = np.zeros(len(index), np.int64)
        asking = seating[index, seats]
        for number in np.unique(asking):
            mine = np.flatnonzero(asking == number)
            asked = Decisions(game, batch.games, batch.tables, index[mine], seats[mine])
            actions[mine] = checked_actions(agents[number], asked)
            incidents += _incidents(agents[number], int(number))
        driver.commit(index, seats, actions)
    lengths = batch.games["steps"].astype(np.int64)
    chosen = driver.history() if record else ()
    return Played(batch.scores(), batch.ranks(), lengths, tuple(incidents), *chosen)


def _incidents(agent: Agent, number: int) -> list[tuple[int, int, int, int, str, str]]:
    take = getattr(agent, "take_incidents", None)
    if take is None:
        return []
    return [(each.index, each.seat, each.step, number, each.kind, each.detail) for each in take()]


def rotations(line_ups: NDArray[np.int64]) -> NDArray[np.int64]:
    """All rotations of line-ups int64[D, S], one after the other: int64[D * S, S].

    In rotation r, position p of a line-up sits in seat (p + r) mod S, so everybody keeps the neighbours.
    """
    deals, size = line_ups.shape
    places = (np.arange(size)[None, :] - np.arange(size)[:, None]) % size
    return np.ascontiguousarray(line_ups[:, places].reshape(deals * size, size))
