"""A game of agents that is watched: one step at a time, everything open."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from antiquity.agents import AgentLike, Decisions, checked_actions, make_agent
from antiquity.batch import Batch
from antiquity.game import Game, make_game
from antiquity.game.checks import fresh_seed, one_seed
from antiquity.play.chronicle import Chronicle
from antiquity.play.session import StaleError
from antiquity.play.showing import common, past
from antiquity.study.recording import Recorder
from antiquity.study.replay import Replay


class Watching:
    """A game of agents alone, played on whenever somebody asks for the next step.

    Args:
        game: a game's name, or a Game.
        agents: one for each seat.
        seed: of the game; None for fresh entropy.
        save: the file for the game, written at its end; None: it is not saved.
        game_options: the game's own options.

    Raises:
        ValueError, TypeError, KeyError: the agents or the options are invalid; the message says why.
    """

    def __init__(
        self,
        game: str | Game,
        agents: Sequence[AgentLike],
        *,
        seed: int | None = None,
        save: str | os.PathLike[str] | None = None,
        **game_options: Any,
    ) -> None:
        self.game = make_game(game)
        seed = fresh_seed() if seed is None else one_seed(seed)
        seeds = np.array([seed], np.uint64)
        self.batch = Batch(self.game, 1, len(agents), seed=seeds, autoreset=False, **game_options)
        self.agents = [make_agent(agent, self.game) for agent in agents]
        self.names = tuple(
            agent if isinstance(agent, str) else made.name
            for agent, made in zip(agents, self.agents, strict=True)
        )
        self.path = None if save is None else Path(save)
        self._recorder = Recorder(self.batch, agents=self.names)
        self.chronicle = Chronicle(self.batch, None)
        self._lock = threading.RLock()
        self.batch.reset()

    @property
    def step(self) -> int:
        """How many steps the game has taken."""
        return int(self.batch.games[0]["steps"])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.batch.deciders(0)

    def next(self, step: int) -> None:
        """Play one step. StaleError if the game is over, or at another step already."""
        with self._lock:
            if self.over or step != self.step:
                raise StaleError("the game is over" if self.over else "that step was played already")
            batch = self.batch
            row = np.zeros((1, batch.num_seats), np.int64)
            for seat in batch.deciders(0):
                asked = Decisions(
                    self.game, batch.games, batch.tables, np.zeros(1, np.int64), np.array([seat])
                )
                row[0, seat] = checked_actions(self.agents[seat], asked)[0]
            self.chronicle.before(row)
            batch.step(row)
            self.chronicle.after()
            if self.over and self.path is not None:
                self.replay().write(self.path)

    def replay(self) -> Replay:
        """The game so far."""
        with self._lock:
            return self._recorder.replays[0] if self._recorder.replays else self._recorder.replay()

    def close(self) -> None:
        """Stop what the agents have started, such as their programs."""
        for agent in self.agents:
            end = getattr(agent, "close", None)
            if end is not None:
                end()

    def view(self, room: int | None = None) -> dict[str, Any]:
        """All that there is to see, as :meth:`antiquity.play.session.Session.view` has it."""
        with self._lock:
            log = self.chronicle.entries(self.over)
            events = (
                [[log[-1]["step"], each["seat"], each["words"]] for each in log[-1]["choices"]] if log else []
            )
            return common(self, None, room) | {
                "watch": True,
                "seat": -1,
                "actions": [],
                "reasons": [],
                "undo": False,
                "events": events,
                "saved": None if self.path is None or not self.over else str(self.path),
            }

    def past(self, step: int, room: int | None = None) -> dict[str, Any]:
        """The table as it was before a step of the log; ValueError if it is not there."""
        with self._lock:
            return past(self, step, room)
