"""How well the agents play: one rated ladder of all of them at every table size, and how long each thinks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from antiquity.agents import Agent, make_agent, shipped_policy
from antiquity.agents.base import Decisions
from antiquity.agents.search import SearchAgent
from antiquity.arena import tournament
from antiquity.arena.statistics import Share
from antiquity.arena.tables import as_dict
from antiquity.batch import Batch
from antiquity.game import Game, make_game
from benchmarks.machine import describe

SCHEMA = 2
"""Of the results as JSON; a change that readers notice raises it."""
POSITIONS = 40
"""Decisions that times are taken from, spread over a whole game of random moves."""
SIMULATIONS = 200
LONG = 10
"""Search and expert also play with this many times the simulations, at the game's usual table."""
LONG_DEALS = 35
"""Deals of that, at most: every group of four of seven agents once."""


def measure(
    names: list[str], simulations: int, deals: int, workers: int, folder: Path, say: Callable[[str], None]
) -> dict[str, Any]:
    """A tournament of all agents for each table size of each game, one with longer searches, and how long they think.

    ``policy`` and ``expert`` take part where the game ships a policy. The results files lie in ``folder`` and are
    continued if they are there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return {
        "schema": SCHEMA,
        "machine": describe(),
        "simulations": simulations,
        "games": {name: _game(make_game(name), simulations, deals, workers, folder, say) for name in names},
    }


def _game(
    game: Game, simulations: int, deals: int, workers: int, folder: Path, say: Callable[[str], None]
) -> dict[str, Any]:
    say(f"{game.title}: how long the agents think")
    agents = entrants(game, simulations)
    longer = entrants(game, simulations, long=True)
    moments = list(_moments(game))
    found: dict[str, Any] = {
        "simulations_a_second": {
            rollout: POSITIONS
            * SIMULATIONS
            / _seconds(SearchAgent(game, simulations=SIMULATIONS, rollout=rollout), game, moments)
            for rollout in ("greedy", "random")
        },
        "milliseconds": {
            name: 1000 * _seconds(make_agent(agent, game), game, moments) / POSITIONS
            for name, agent in longer.items()
        },
        "tables": [],
    }
    for players in range(game.min_players, game.max_players + 1):
        say(f"{game.title}: {players} players")
        found["tables"].append(_ladder(game, agents, players, deals, workers, folder, f"{simulations}"))
    say(f"{game.title}: {game.default_players} players, longer searches")
    found["longer"] = _ladder(
        game, longer, game.default_players, min(deals, LONG_DEALS), workers, folder, f"{simulations}-longer"
    )
    return found


def entrants(game: Game, simulations: int, long: bool = False) -> dict[str, str]:
    """Name -> agent, as a tournament takes it."""
    kinds = ["search", *(["expert"] if shipped_policy(game) is not None else [])]
    found = {"random": "random", "greedy": "greedy"}
    if shipped_policy(game) is not None:
        found["policy"] = "policy"
    for many in (simulations, *([LONG * simulations] if long else [])):
        found |= {f"{kind} {many}": f"{kind}:simulations={many}" for kind in kinds}
    return found


def _ladder(
    game: Game, agents: dict[str, str], players: int, deals: int, workers: int, folder: Path, label: str
) -> dict[str, Any]:
    """One tournament as plain values."""
    summary = tournament(
        game,
        list(agents.items()),
        players=players,
        deals=deals,
        workers=workers,
        results=folder / f"strength-{game.name}-{players}-{label}.sqlite",
    )
    whole = as_dict(summary)
    return {**whole["tables"][0], "ratings": whole["ratings"]}


def _moments(game: Game) -> Iterator[tuple[NDArray[Any], int]]:
    """Positions with a seat that has a choice, from a game's first decisions to its last, at the usual table."""
    found = []
    batch = Batch(game, 1, num_players=game.default_players, seed=0, autoreset=False)
    batch.reset()
    while not batch.games["over"][0]:
        rows = batch.rows()
        for seat in rows.seat[rows.masks.sum(axis=1) > 1][:1].tolist():
            found.append((batch.games.copy(), seat))
        batch.step(batch.sample())
    for place in np.linspace(0, len(found) - 1, POSITIONS).astype(int):
        yield found[place]


def _seconds(agent: Agent, game: Game, moments: list[tuple[NDArray[Any], int]]) -> float:
    """Processor seconds for one decision in each of these positions, without what it takes to compile."""
    batch = Batch(game, 1, num_players=game.default_players, seed=0)
    batch.reset()
    first = np.zeros(1, np.int64)
    asked = [Decisions(game, games, batch.tables, first, first + seat) for games, seat in moments]
    agent.act(asked[0])
    started = time.process_time()
    for decisions in asked:
        agent.act(decisions)
    return time.process_time() - started


AGENTS = ("random", "greedy", "search", "policy", "expert")


def headings(results: dict[str, Any]) -> tuple[str, ...]:
    """Of :func:`rows`."""
    return ("game", "players", "games", *(_called(agent, results["simulations"]) for agent in AGENTS))


def rows(results: dict[str, Any]) -> list[tuple[str, ...]]:
    """One row a game and table size: of each agent the share of wins, and its rating in brackets."""
    return [
        (
            make_game(name).title,
            f"{ladder['players']}",
            f"{ladder['games']}",
            *(_cell(ladder, _called(agent, results["simulations"])) for agent in AGENTS),
        )
        for name, measured in results["games"].items()
        for ladder in measured["tables"]
    ]


LONG_HEADINGS = ("game", "agent", "wins (rating)", "points", "ms a decision")


def longer_rows(results: dict[str, Any]) -> list[tuple[str, ...]]:
    """One row a game and agent at the usual table, search and expert with ten times the simulations among them."""
    found: list[tuple[str, ...]] = []
    for name, measured in results["games"].items():
        ladder = measured["longer"]
        for each in sorted(ladder["standings"], key=lambda one: ladder["ratings"][one["agent"]]["mu"]):
            took = measured["milliseconds"][each["agent"]]
            points = f"{each['points']['total']:.1f}"
            cell = _cell(ladder, each["agent"])
            found.append((make_game(name).title, each["agent"], cell, points, f"{took:.2g}"))
    return found


def as_tables(results: dict[str, Any]) -> Iterator[Table]:
    """For the terminal."""
    speeds = ", ".join(
        f"{make_game(name).title} {measured['simulations_a_second']['random']:,.0f} "
        f"({measured['simulations_a_second']['greedy']:,.0f} greedy)"
        for name, measured in results["games"].items()
    )
    for title, names, lines in (
        ("share of wins ± half the 95% interval (rating)", headings(results), rows(results)),
        (f"simulations a second with random rollouts: {speeds}", LONG_HEADINGS, longer_rows(results)),
    ):
        table = Table(title=title)
        for place, heading in enumerate(names):
            table.add_column(heading, justify="right" if place else "left")
        for line in lines:
            table.add_row(*line)
        yield table


def _called(agent: str, simulations: int) -> str:
    return f"{agent} {simulations}" if agent in ("search", "expert") else agent


def _cell(ladder: dict[str, Any], agent: str) -> str:
    wins = {each["agent"]: each["wins"] for each in ladder["standings"]}
    if agent not in wins:
        return "-"
    return f"{Share(**wins[agent])} ({ladder['ratings'][agent]['mu']:.0f})"
