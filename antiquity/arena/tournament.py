"""Tournaments: any number of agents at tables of any size, until the intervals are narrow enough or deals run out.

>>> from antiquity.arena import tournament
>>> summary = tournament("seven_wonders", ["greedy", "random"], players=[3, 4], deals=50)
>>> print(summary)  # doctest: +SKIP
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from antiquity.agents import AgentLike
from antiquity.arena import statistics
from antiquity.arena.block import BlockResult
from antiquity.arena.executors import Executor, InProcess, Processes
from antiquity.arena.plan import Block, Plan, make_plan
from antiquity.arena.store import Results
from antiquity.game import Game
from antiquity.game.checks import whole

FIRST: Final = 100
"""Deals before the intervals are checked for the first time."""
GROWTH: Final = 1.5
"""The factor from one check to the next; checks at fixed numbers of deals do not depend on the workers' speed."""

Observer = Callable[[BlockResult], None]


@dataclass(frozen=True)
class Summary:
    """The figures of a results file.

    Attributes:
        game, title: what was played.
        seed: of the tournament.
        names: the entrants, in their order.
        agents: name -> what it is.
        tables: the figures for each player count.
        ratings: over all player counts, best first; empty where openskill isn't installed.
        incidents: the forfeited moves.
        seconds: time of play, all workers together.
    """

    game: str
    title: str
    seed: int
    names: tuple[str, ...]
    agents: dict[str, str]
    categories: tuple[str, ...]
    tables: list[statistics.Table]
    ratings: dict[str, statistics.Rating]
    incidents: list[dict[str, Any]]
    seconds: float = field(compare=False)

    def __str__(self) -> str:
        lines = []
        for each in self.tables:
            lines.append(f"{self.title}, {each.players} players: {each.games} games of {each.deals} deals")
            lines += [
                f"  {s.name:20s} wins {s.wins!s:16s} rank {s.rank:.2f}  points {s.points['total']:.1f}"
                for s in each.standings
            ]
        return "\n".join(lines)


def summarize(results: Results) -> Summary:
    """The figures of everything in a results file.

    Raises:
        ResultsError: the file is damaged.
    """
    all_games = [results.games(players) for players in results.player_counts()]
    categories = results.game.categories
    try:
        rated = statistics.ratings(all_games, results.names)
    except ImportError:
        rated = {}
    return Summary(
        game=results.game.name,
        title=results.game.title,
        seed=int(results.about["seed"]),
        names=results.names,
        agents={str(name): str(agent) for name, agent, _ in results.agents},
        categories=categories,
        tables=[statistics.table(games, results.names, categories) for games in all_games],
        ratings=rated,
        incidents=results.incidents(),
        seconds=results.effort()[0],
    )


def looks(deals: int, precision: float | None) -> Iterator[int]:
    """The numbers of deals after which the intervals are checked; the last is all of them."""
    look = FIRST
    while precision is not None and look < deals:
        yield look
        look = int(look * GROWTH)
    yield deals


def play(
    plan: Plan,
    results: Results,
    *,
    players: Sequence[int],
    deals: int,
    precision: float | None = None,
    executor: Executor | None = None,
    observer: Observer | None = None,
) -> None:
    """Play what is missing in a results file.

    Args:
        plan: the tournament.
        results: its file; what it holds isn't played again.
        players: player counts.
        deals: of each player count; the most of them, with ``precision``.
        precision: stop at a player count when half the width of the interval of every agent's share of wins is at
            most this. Checked after 100 deals, 150, 225 and so on.
        executor: who plays; None: this process.
        observer: called with every block after it was written.

    Raises:
        ValueError, TypeError: an agent's answer was not a legal action; ResultsError, WorkerLostError. What is
            finished is in the file.
    """
    executor = executor or InProcess()
    open_counts = sorted(set(players))
    for look in looks(deals, precision):
        missing: list[Block] = []
        for count in open_counts:
            missing += plan.missing(count, results.have(count), look)
        # Large tables take longest: first come, first done.
        missing.sort(key=lambda block: (block.first, -block.players))
        if missing:
            work = executor.run(plan, missing)
            try:
                for result in work:
                    results.add(result)
                    if observer is not None:
                        observer(result)
            finally:
                close = getattr(work, "close", None)
                if close is not None:
                    close()
        if precision is not None:
            open_counts = [count for count in open_counts if _width(plan, results, count, look) > precision]
            if not open_counts:
                return


def _width(plan: Plan, results: Results, players: int, deals: int) -> float:
    games = results.games(players, deals)
    return max(statistics.wins(games, number).half for number in range(len(plan.entrants)))


def tournament(
    game: str | Game,
    agents: Sequence[AgentLike],
    *,
    players: int | Sequence[int] | None = None,
    deals: int = 100,
    precision: float | None = None,
    seed: int = 0,
    results: str | os.PathLike[str] | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    block: int | None = None,
    trust: bool = False,
    observer: Observer | None = None,
    **game_options: Any,
) -> Summary:
    """Play a tournament, or the remainder of one.

    Every deal is played in all rotations of its line-up. The same seed gives the same games and, with agents that
    depend on nothing else, the same results, whoever plays them.

    Args:
        game: a game's name, or a Game.
        agents: two or more: names with or without options, policy files, ``"name=agent"``, Agents, functions.
        players: player counts; None: the game's default.
        deals: deals of each player count (the most of them, with ``precision``).
        precision: stop when half the 95% interval of every share of wins is at most this.
        seed: an int in [0, 2**64).
        results: the results file; an existing one is continued. None: none is kept.
        workers: processes of this machine; 1: this process.
        executor: instead, who plays, such as :class:`antiquity.arena.ray_executor.RayExecutor`; the caller closes it.
        block: deals that a worker plays in one go; None: chosen by the speed of the agents. No result depends on it.
        trust: whether ``.zip`` files of stable-baselines3, which can run code, may be opened.
        observer: called with every block after it was written.
        game_options: the game's own.

    Raises:
        ValueError, TypeError, KeyError, FileNotFoundError: an agent, a player count or an option is invalid;
            ResultsError: the file cannot be used; WorkerLostError: a worker died. What is finished is in the file.
    """
    plan = make_plan(game, agents, seed=seed, options=game_options, block=block, trust=trust)
    counts = player_counts(plan.game, players)
    whole("deals", deals, 1)
    if precision is not None and not 0 < precision < 1:
        raise ValueError(f"precision is {precision}; it is half the width of an interval, between 0 and 1")
    own = executor is None
    chosen = executor or (InProcess() if whole("workers", workers, 1) == 1 else Processes(workers))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(results) if results is not None else Path(folder) / "results.sqlite"
        with Results.create_or_resume(path, plan) as file:
            try:
                play(
                    plan,
                    file,
                    players=counts,
                    deals=deals,
                    precision=precision,
                    executor=chosen,
                    observer=observer,
                )
            finally:
                if own:
                    chosen.close()
            return summarize(file)


def player_counts(game: Game, players: int | Sequence[int] | None) -> list[int]:
    """Player counts, checked.

    Raises:
        ValueError: the game isn't for that many.
    """
    wanted = (
        [game.default_players]
        if players is None
        else [players]
        if isinstance(players, int)
        else list(players)
    )
    for count in wanted:
        if not game.min_players <= count <= game.max_players:
            raise ValueError(
                f"{game.title} is for {game.min_players} to {game.max_players} players, not {count}"
            )
    if not wanted:
        raise ValueError("at least one player count is needed")
    return wanted
