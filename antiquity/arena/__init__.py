"""Matches and tournaments between agents, fair and precise: balanced seats, the same deals for every arrangement,
intervals that say how sure a result is.

>>> from antiquity.arena import play_match
>>> result = play_match("seven_wonders", ["greedy", "random", "random", "random"], deals=100, seed=0)
>>> print(result)  # doctest: +SKIP

:func:`tournament` plays any number of agents at tables of several sizes, on one machine or many, into a results file.

May import everything from :mod:`antiquity.kernels` up to :mod:`antiquity.agents`; no environments.
"""

from __future__ import annotations

from antiquity.arena.executors import Executor, InProcess, Processes, WorkerLostError
from antiquity.arena.match import MatchResult, Standing, play_match
from antiquity.arena.store import Results, ResultsError
from antiquity.arena.tournament import Summary, summarize, tournament

__all__ = [
    "Executor",
    "InProcess",
    "MatchResult",
    "Processes",
    "Results",
    "ResultsError",
    "Standing",
    "Summary",
    "WorkerLostError",
    "play_match",
    "summarize",
    "tournament",
]
