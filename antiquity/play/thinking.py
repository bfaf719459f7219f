"""Which agent is thinking, for how long already, and how long it usually does."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from antiquity.agents.base import Agent


class Thinking:
    """Times the agents of a game.

    Args:
        names: of the agent in every seat; agents of one name take alike.
        agents: who sits where.
    """

    def __init__(self, names: Sequence[str], agents: Mapping[int, Agent]) -> None:
        self._names, self._agents = names, agents
        self._former: dict[str, list[float]] = {}
        self._now: tuple[int, float] | None = None

    @property
    def seat(self) -> int | None:
        """The seat whose agent is asked."""
        now = self._now
        return None if now is None else now[0]

    @contextmanager
    def of(self, seat: int, choices: int) -> Iterator[None]:
        """The agent of a seat is asked meanwhile; `choices`: how many actions are legal, of one it makes nothing."""
        started = time.monotonic()
        self._now = seat, started
        try:
            yield
        finally:
            self._now = None
        if choices > 1:
            self._former.setdefault(self._names[seat], []).append(time.monotonic() - started)

    def usual(self, seat: int) -> float | None:
        """How many seconds a decision of the seat usually takes: what it was given, or the median of the former."""
        given = getattr(self._agents.get(seat), "milliseconds", None)
        if given is not None:
            return float(given) / 1000
        former = self._former.get(self._names[seat])
        return None if former is None else statistics.median(former)

    def report(self) -> dict[str, Any]:
        """``seat``, ``seconds`` so far and the ``usual`` seconds; each None if unknown, or if nobody is thinking."""
        now = self._now
        if now is None:
            return {"seat": None, "seconds": None, "usual": None}
        seat, started = now
        return {"seat": seat, "seconds": time.monotonic() - started, "usual": self.usual(seat)}
