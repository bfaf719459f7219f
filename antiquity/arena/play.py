"""Playing games of agents against each other, many at once.

Kernel agents play inside a kernel, and forced moves are made there; Python is asked only where an agent of its own has
something to choose, and then for all games together. All agents that choose at the same time are asked before any of
their choices is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity import playouts, verbs
from antiquity.agents.base import PYTHON, Agent, Decisions, checked_actions
from antiquity.agents.kernel import choose
from antiquity.game import Game
from antiquity.jit import entry

Progress = Callable[[int], None]


@entry
def begin_games(games: Any, tables: Any, options: Any, num_players: int, seeds: Any) -> None:
    """A new game in every record. ``seeds``: uint64[G]."""
    for i in range(len(games)):
        verbs.init(games[i], tables[0], num_players, options[0], seeds[i])


@entry
def play_until_asked(games: Any, tables: Any, players: Any, legal: Any, index: Any, seats: Any) -> int:
    """Play every game on until an agent of Python must choose, or to its end; returns how many decisions wait.

    ``players`` int64[G, S]: the number of the kernel agent in each seat, or PYTHON. Game and seat of the decisions are
    written to ``index`` and ``seats``, int64[G * S].
    """
    rows = 0
    for i in range(len(games)):
        game = games[i]
        asked = 0
        while asked == 0 and not game["over"]:
            deciders = np.int64(game["deciders"])
            for seat in range(np.int64(game["num_players"])):
                if (deciders >> seat) & 1 and players[i, seat] == PYTHON and game["chosen"][seat] == 0:
                    count = verbs.legal(game, tables[0], seat, legal)
                    if count == 1:
                        verbs.choose(game, tables[0], seat, np.int64(legal[0]))  # type: ignore[arg-type]
                    else:
                        index[rows + asked] = i
                        seats[rows + asked] = seat
                        asked += 1
            if asked == 0:
                for seat in range(np.int64(game["num_players"])):
                    if (deciders >> seat) & 1 and players[i, seat] != PYTHON:
                        count = verbs.legal(game, tables[0], seat, legal)
                        action = choose(players[i, seat], game, tables[0], seat, legal, count)
                        verbs.choose(game, tables[0], seat, action)
                verbs.advance(game, tables[0])
        rows += asked
    return rows


@entry
def commit_rows(games: Any, tables: Any, index: Any, seats: Any, actions: Any) -> None:
    """Commit what the agents of Python have chosen: int64[R] each."""
    for row in range(len(index)):
        verbs.choose(games[index[row]], tables[0], seats[row], actions[row])


@dataclass(frozen=True, eq=False)
class Played:
    """Finished games, by seat.

    Attributes:
        scores: int32[G, S, categories + 2].
        ranks: int64[G, S], from 1; equals share the best of their ranks.
        lengths: int64[G]: steps of each game.
        incidents: (game, seat, step, agent number, kind, detail) of every forfeited move.
    """

    scores: NDArray[np.int32]
    ranks: NDArray[np.int64]
    lengths: NDArray[np.int64]
    incidents: tuple[tuple[int, int, int, int, str, str], ...] = ()

    @property
    def shares(self) -> NDArray[np.float64]:
        """float64[G, S]: 1/k for a win shared by k seats."""
        winners = self.ranks == 1
        return np.asarray(winners / winners.sum(axis=-1, keepdims=True))

    @property
    def mean_ranks(self) -> NDArray[np.float64]:
        """float64[G, S]: equals share the mean of their ranks."""
        equals = (self.ranks[..., :, None] == self.ranks[..., None, :]).sum(axis=-1)
        return np.asarray(self.ranks + (equals - 1) / 2)


def set_up(game: Game, num_players: int, options: dict[str, Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Tables and options of a game, checked.

    Raises:
        ValueError, TypeError: a number of players or an option that the game doesn't know.
    """
    if not game.min_players <= num_players <= game.max_players:
        raise ValueError(
            f"{game.title} is for {game.min_players} to {game.max_players} players, not {num_players}"
        )
    known = [option.name for option in game.options]
    for name in options:
        if name not in known:
            raise TypeError(f"{game.title} has no option {name!r}; it has: {', '.join(known) or 'none'}")
    return game.setup(num_players, **options)


def play_games(
    game: Game,
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    options: dict[str, Any] | None = None,
    progress: Progress | None = None,
) -> Played:
    """Play G games to their ends.

    What happens in one of them depends on its seed and its agents alone, as long as those are
    :attr:`antiquity.agents.Agent.repeatable`.

    Args:
        game: what is played.
        agents: the players.
        seating: int64[G, S]: which of the agents sits where; S is the number of players.
        seeds: uint64[G]: of the games.
        options: the game's own.
        progress: called with how many games have ended since the last call.

    Raises:
        ValueError, TypeError: an agent of this process answered with something illegal, or an option is unknown.
    """
    count, num_seats = seating.shape
    tables, chosen_options = set_up(game, num_seats, options or {})
    games = np.zeros(count, game.dtype)
    begin_games(games, tables, chosen_options, num_seats, np.ascontiguousarray(seeds, np.uint64))
    kernels = np.array([agent.kernel for agent in agents], np.int64)
    players = np.ascontiguousarray(kernels[seating])
    legal = np.zeros(game.max_legal, np.uint16)
    index = np.zeros(count * num_seats, np.int64)
    seats = np.zeros(count * num_seats, np.int64)
    incidents: list[tuple[int, int, int, int, str, str]] = []
    ended = 0
    while rows := play_until_asked(games, tables, players, legal, index, seats):
        actions = np.zeros(rows, np.int64)
        asking = seating[index[:rows], seats[:rows]]
        for number in np.unique(asking):
            mine = np.flatnonzero(asking == number)
            asked = Decisions(game, games, tables, index[mine], seats[mine])
            actions[mine] = checked_actions(agents[number], asked)
            incidents += _incidents(agents[number], int(number))
        commit_rows(games, tables, index[:rows], seats[:rows], actions)
        if progress is not None:
            now = int(np.count_nonzero(games["over"]))
            progress(now - ended)
            ended = now
    if progress is not None:
        progress(count - ended)
    scores = np.empty((count, game.max_players, len(game.categories) + 2), np.int32)
    ranks = np.empty((count, game.max_players), np.int64)
    playouts.standings(games, tables, scores, ranks, 0, count)
    return Played(
        scores[:, :num_seats].copy(),
        ranks[:, :num_seats].copy(),
        games["steps"].astype(np.int64),
        tuple(incidents),
    )


def _incidents(agent: Agent, number: int) -> list[tuple[int, int, int, int, str, str]]:
    take = getattr(agent, "take_incidents", None)
    if take is None:
        return []
    return [(each.index, each.seat, each.step, number, each.kind, each.detail) for each in take()]


def rotations(line_ups: NDArray[np.int64]) -> NDArray[np.int64]:
    """All rotations of line-ups int64[D, S], one after the other: int64[D * S, S].

    In rotation r, place p of a line-up sits in seat (p + r) mod S, so everybody keeps the neighbours.
    """
    deals, size = line_ups.shape
    places = (np.arange(size)[None, :] - np.arange(size)[:, None]) % size
    return np.ascontiguousarray(line_ups[:, places].reshape(deals * size, size))
