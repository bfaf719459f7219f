"""How well the agents play: search against greedy against random at every table size, and how fast the search is."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from antiquity.agents.search import SearchAgent
from antiquity.arena import tournament
from antiquity.arena.statistics import Share
from antiquity.arena.tables import as_dict
from antiquity.batch import Batch
from antiquity.game import make_game
from benchmarks.machine import describe

SCHEMA = 1
"""Of the results as JSON; a change that readers notice raises it."""
POSITIONS = 40
"""Decisions that the speed of the search is taken from, spread over a whole game of random moves."""
SIMULATIONS = 200


def measure(
    names: list[str], simulations: int, deals: int, workers: int, folder: Path, say: Callable[[str], None]
) -> dict[str, Any]:
    """Tournaments of ``search``, ``greedy`` and ``random`` at every table size of each game; speed of the search.

    Their results files lie in ``folder`` and are continued if they are there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    agents = [f"search=search:simulations={simulations}", "greedy", "random"]
    games = {}
    for name in names:
        game = make_game(name)
        say(f"{game.title}: simulations a second")
        speeds = {rollout: simulations_a_second(name, rollout) for rollout in ("greedy", "random")}
        say(f"{game.title}: playing")
        summary = tournament(
            game,
            agents,
            players=list(range(game.min_players, game.max_players + 1)),
            deals=deals,
            workers=workers,
            results=folder / f"strength-{name}-{simulations}.sqlite",
        )
        games[name] = {"simulations_a_second": speeds, "tournament": as_dict(summary)}
    return {"schema": SCHEMA, "machine": describe(), "simulations": simulations, "games": games}


def simulations_a_second(name: str, rollout: str) -> float:
    """Simulations a processor second of a search at the usual table size, over decisions from the first to the last."""
    game = make_game(name)
    agent = SearchAgent(game, simulations=SIMULATIONS, rollout=rollout)
    moments = []
    batch = Batch(game, 1, num_players=game.default_players, seed=0, autoreset=False)
    batch.reset()
    while not batch.games["over"][0]:
        rows = batch.rows()
        for seat in rows.seat[rows.masks.sum(axis=1) > 1][:1].tolist():
            moments.append((batch.games.copy(), seat))
        batch.step(batch.sample())
    chosen = [moments[k] for k in np.linspace(0, len(moments) - 1, POSITIONS).astype(int)]
    agent.decide(chosen[0][0], batch.tables, 0, chosen[0][1])
    started = time.process_time()
    for games, seat in chosen:
        agent.decide(games, batch.tables, 0, seat)
    return POSITIONS * SIMULATIONS / (time.process_time() - started)


def rows(results: dict[str, Any]) -> list[tuple[str, ...]]:
    """The results as texts: one row a game and table size."""
    found = []
    for name, measured in results["games"].items():
        for table in measured["tournament"]["tables"]:
            wins = {each["agent"]: each["wins"] for each in table["standings"]}
            duels = table["duels"]
            found.append(
                (
                    make_game(name).title,
                    str(table["players"]),
                    str(table["games"]),
                    *(_share(wins.get(agent)) for agent in ("search", "greedy", "random")),
                    _share(duels.get("search", {}).get("greedy")),
                    _share(duels.get("greedy", {}).get("random")),
                )
            )
    return found


HEADINGS = (
    "game",
    "players",
    "games",
    "search wins",
    "greedy wins",
    "random wins",
    "search before greedy",
    "greedy before random",
)


def as_table(results: dict[str, Any]) -> Table:
    """For the terminal."""
    speeds = ", ".join(
        f"{make_game(name).title} {measured['simulations_a_second']['random']:,.0f} "
        f"({measured['simulations_a_second']['greedy']:,.0f} greedy)"
        for name, measured in results["games"].items()
    )
    table = Table(
        caption=f"simulations a second with random rollouts: {speeds}",
        title=f"{results['simulations']} simulations a decision; ± is half the 95% interval",
    )
    for place, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="right" if place else "left")
    for row in rows(results):
        table.add_row(*row)
    return table


def _share(share: dict[str, float] | None) -> str:
    return "-" if share is None else str(Share(**share))
