"""Matches between agents, fair and precise: balanced seats, the same deals for every arrangement, intervals that say
how sure a result is.

>>> from antiquity.arena import play_match
>>> result = play_match("seven_wonders", ["greedy", "random", "random", "random"], deals=100, seed=0)
>>> print(result)  # doctest: +SKIP
"""

from __future__ import annotations

from antiquity.arena.match import MatchResult, Standing, play_match

__all__ = ["MatchResult", "Standing", "play_match"]
