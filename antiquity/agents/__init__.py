"""Players: random, greedy, tree search, programs, callables and trained policies, and the names they go by.

>>> from antiquity.agents import make_agent
>>> make_agent("greedy", game)        # doctest: +SKIP
>>> make_agent("search:simulations=500,rollout=greedy", game)  # doctest: +SKIP
>>> make_agent("runs/policy.npz", game)  # doctest: +SKIP

May import :mod:`antiquity.kernels`, :mod:`antiquity.game`, :mod:`antiquity.render` and :mod:`antiquity.batch`.
"""

from __future__ import annotations

from antiquity.agents.base import PYTHON, Agent, CallableAgent, Decisions, checked_actions
from antiquity.agents.kernel import KernelAgent, greedy_agent, random_agent
from antiquity.agents.names import AGENTS, AgentLike, make_agent, split_name
from antiquity.agents.network import Evaluation, NetworkAgent
from antiquity.agents.pool import SELF, OpponentPool
from antiquity.agents.shipped import load_policy, shipped_policy
from antiquity.agents.weights import Network

__all__ = [
    "AGENTS",
    "PYTHON",
    "SELF",
    "Agent",
    "AgentLike",
    "CallableAgent",
    "Decisions",
    "Evaluation",
    "KernelAgent",
    "Network",
    "NetworkAgent",
    "OpponentPool",
    "checked_actions",
    "greedy_agent",
    "load_policy",
    "make_agent",
    "random_agent",
    "shipped_policy",
    "split_name",
]
