"""What the tests of the arena share: a tiny tournament and agents that misbehave."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from antiquity.agents import Agent, Decisions
from antiquity.arena.plan import Plan, make_plan
from antiquity.arena.store import Results
from antiquity.arena.tournament import Summary, play, summarize
from env_games import TOY

AGENTS = ("greedy", "random", "search:simulations=8")


class First(Agent):
    """Takes the first legal action."""

    name = "first"

    def act(self, decisions: Decisions) -> np.ndarray[Any, Any]:
        return decisions.legal[:, 0].astype(np.int64)


class Deadly(First):
    """Ends its process at the first decision, unless that has happened in this folder."""

    def __init__(self, folder: Path, always: bool = False) -> None:
        self.folder, self.always = folder, always

    def act(self, decisions: Decisions) -> np.ndarray[Any, Any]:
        mark = self.folder / "died"
        if self.always or not mark.exists():
            mark.touch()
            os._exit(3)
        return super().act(decisions)


class Slow(First):
    """Takes its time."""

    def act(self, decisions: Decisions) -> np.ndarray[Any, Any]:
        time.sleep(0.02)
        return super().act(decisions)


class Wrong(First):
    """Plays what isn't legal."""

    def act(self, decisions: Decisions) -> np.ndarray[Any, Any]:
        return np.full(len(decisions), 99)


def toy_plan(agents: Any = AGENTS, block: int | None = 4, seed: int = 3) -> Plan:
    return make_plan(TOY, agents, seed=seed, block=block)


def played(path: Path, plan: Plan, deals: int = 20, **options: Any) -> Summary:
    """Play into a file and tell what is in it."""
    with Results.create_or_resume(path, plan) as results:
        play(plan, results, players=options.pop("players", [2, 3]), deals=deals, **options)
        return summarize(results)
