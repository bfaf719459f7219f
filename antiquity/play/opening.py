"""A game that is being set up: the first start on a machine compiles its rules, and the page is there meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np

from antiquity.agents.base import PYTHON, Agent, Decisions
from antiquity.agents.expert import ExpertAgent
from antiquity.agents.network import NetworkAgent
from antiquity.agents.search import SearchAgent
from antiquity.kernels import statistics
from antiquity.play.session import Session
from antiquity.play.watching import Watching

SECONDS = 3.0
"""So long a start may take without a word, where nothing is compiled."""
Set = TypeVar("Set", bound=Session | Watching)


class Opening(Generic[Set]):
    """A game that is set up in another thread, which begins at once.

    Args:
        make: makes the game.
        title: what is being set up.
    """

    def __init__(self, make: Callable[[], Set], title: str = "Antiquity") -> None:
        self.title = title
        self._make = make
        self._found: Set | None = None
        self._error: BaseException | None = None
        self._done = threading.Event()
        self._compiled = statistics()["misses"]
        self._started = time.monotonic()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            found = self._make()
            warm(found)
            self._found = found
        except BaseException as error:
            self._error = error
        finally:
            self._done.set()

    @property
    def ready(self) -> bool:
        """Whether the game is there, or never will be."""
        return self._done.is_set()

    @property
    def compiling(self) -> bool:
        """Whether it has had to compile something."""
        return statistics()["misses"] > self._compiled

    def wait(self, seconds: float = SECONDS) -> None:
        """Wait until the game is there, something is compiled or so much time has passed."""
        end = time.monotonic() + seconds
        while not self._done.wait(0.02) and time.monotonic() < end and not self.compiling:
            pass

    def result(self) -> Set:
        """The game; waits for it, and raises what making it has raised."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        assert self._found is not None
        return self._found

    def status(self) -> dict[str, Any]:
        """``ready``, ``compiling``, the ``seconds`` since the start, and the ``error`` in words, or ""."""
        return {
            "ready": self.ready,
            "compiling": self.compiling,
            "seconds": time.monotonic() - self._started,
            "error": "" if self._error is None else str(self._error),
        }

    def close(self) -> None:
        """Close the game, if there is one."""
        if self._found is not None:
            self._found.close()


def warm(game: Session | Watching) -> None:
    """Compile what the first decisions will use, so that none of them has to wait for it; the game stays as it is."""
    game.view()
    batch = game.batch.clone()
    deciders = batch.deciders(0)
    if not deciders:
        return
    agents = game.agents.values() if isinstance(game, Session) else game.agents
    for agent in agents:
        quick = _quick(agent)
        if quick is not None:
            quick.act(
                Decisions(
                    batch.game, batch.games, batch.tables, np.zeros(1, np.int64), np.array(deciders[:1])
                )
            )
    row = np.zeros((1, batch.num_seats), np.int64)
    for seat in deciders:
        row[0, seat] = batch.legal_actions(0, seat)[0]
    batch.step(row)
    if batch.deciders(0):
        batch.determinize(0, 0, 0)


def _quick(agent: Agent) -> Agent | None:
    """An agent that uses the same kernels at once and remembers nothing; None where there is none."""
    if isinstance(agent, SearchAgent):
        return SearchAgent(agent.game, simulations=1)
    return agent if agent.kernel != PYTHON or isinstance(agent, (ExpertAgent, NetworkAgent)) else None
