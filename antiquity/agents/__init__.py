"""Players: random, greedy, tree search, callables and trained policies, and the names by which they are called.

>>> from antiquity.agents import make_agent
>>> make_agent("greedy", game)        # doctest: +SKIP
>>> make_agent("runs/model.zip", game)  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from antiquity.agents.base import PYTHON, Agent, CallableAgent, Decisions, checked_actions
from antiquity.agents.kernel import KernelAgent, greedy_agent, random_agent

if TYPE_CHECKING:
    from antiquity.game import Game

__all__ = [
    "AGENTS",
    "PYTHON",
    "Agent",
    "AgentLike",
    "CallableAgent",
    "Decisions",
    "KernelAgent",
    "checked_actions",
    "make_agent",
]

AgentLike = Any
"""An :class:`Agent`, a name of :data:`AGENTS`, the path of a policy file (``.npz``, or ``.zip`` of stable-baselines3),
or a function ``(observations float32[R, F], masks int8[R, A]) -> int[R]``."""



def _search(game: Game) -> Agent:
    from antiquity.agents.search import SearchAgent

    return SearchAgent(game)


AGENTS: dict[str, Callable[[Game], Agent]] = {
    "random": lambda game: random_agent(),
    "greedy": lambda game: greedy_agent(),
    "search": _search,
}
"""Name -> what makes the agent for a game. A package may add names of its own."""


def make_agent(agent: AgentLike, game: Game) -> Agent:
    """The player that ``agent`` means in ``game``.

    Raises:
        ValueError: no agent has this name.
        TypeError: ``agent`` is nothing that can play.
        FileNotFoundError: there is no such policy file.
    """
    if isinstance(agent, Agent):
        return agent
    if isinstance(agent, str) and agent in AGENTS:
        return AGENTS[agent](game)
    if isinstance(agent, str | os.PathLike):
        suffix = os.path.splitext(agent)[1]
        if suffix == ".npz":
            from antiquity.agents.network import NetworkAgent

            return NetworkAgent.load(agent, game)
        if suffix == ".zip":
            from antiquity.agents.policy import PolicyAgent

            return PolicyAgent(agent)
        raise ValueError(
            f"no agent is called {os.fspath(agent)!r}; known are {', '.join(map(repr, AGENTS))}, "
            "and paths of policy files (.npz, or .zip of stable-baselines3)"
        )
    if callable(agent):
        return CallableAgent(agent)
    raise TypeError(
        f"an agent is a name, the path of a policy file, an Agent or a function, not {type(agent).__name__}"
    )
