"""One game with one person at the table: whose turn it is, the legal choices, what has happened, the saved file."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from antiquity.agents import AgentLike, make_agent
from antiquity.agents.base import Agent, Decisions, checked_actions
from antiquity.batch import Batch
from antiquity.game import Game, make_game
from antiquity.game.checks import fresh_seed, one_seed, whole
from antiquity.play.advice import Advice
from antiquity.play.chronicle import Chronicle, reasons
from antiquity.play.saved import is_safe
from antiquity.play.showing import common, past
from antiquity.play.thinking import Thinking
from antiquity.play.undo import Moment, reveals
from antiquity.study.page import open_words
from antiquity.study.recording import Recorder
from antiquity.study.replay import Position, Replay

HUMAN = "human"
"""The name of the person's seat in replays."""


class StaleError(ValueError):
    """A choice for a decision that is over."""


class _TakenBackError(Exception):
    """The person has taken back the choice that the others were thinking about."""


class Session:
    """A game of one person against agents.

    The game is saved after every choice of the person, as an unfinished replay; :meth:`resume` continues
    it. Agents move as soon as it is their turn. Methods may be called from several threads.

    Args:
        game: a game's name, or a Game.
        against: the agents of the other seats, clockwise from the person's left neighbour.
        seat: where the person sits.
        seed: of the game; None for fresh entropy.
        save: the file for the game; None: it is not saved.
        game_options: the game's own options.

    Raises:
        ValueError, TypeError, KeyError: the agents, the seat or the options are invalid; the message says why.
    """

    def __init__(
        self,
        game: str | Game,
        against: Sequence[AgentLike],
        *,
        seat: int = 0,
        seed: int | None = None,
        save: str | os.PathLike[str] | None = None,
        **game_options: Any,
    ) -> None:
        game = make_game(game)
        players = len(against) + 1
        seed = fresh_seed() if seed is None else one_seed(seed)
        batch = Batch(
            game, num_players=players, seed=np.array([seed], np.uint64), autoreset=False, **game_options
        )
        self._sit_down(batch, against, whole("the seat", seat, 0, players - 1), save)
        batch.reset()
        self._advance()
        self.save()

    def _sit_down(
        self, batch: Batch, against: Sequence[AgentLike], seat: int, save: str | os.PathLike[str] | None
    ) -> None:
        self.batch, self.game, self.seat = batch, batch.game, seat
        self.path = None if save is None else Path(save)
        self.agents: dict[int, Agent] = {}
        names = [HUMAN] * batch.num_seats
        for place, agent in enumerate(against, 1):
            where = (seat + place) % batch.num_seats
            self.agents[where] = make_agent(agent, batch.game)
            names[where] = agent if isinstance(agent, str) else self.agents[where].name
        self.names = tuple(names)
        self._events: list[tuple[int, int, str, int]] = []
        self.chronicle = Chronicle(batch, seat)
        self._recorder = Recorder(batch, agents=self.names)
        self._advice = Advice()
        self._moments: list[Moment] = []
        self._cancelled = False
        self.thinking = Thinking(self.names, self.agents)
        self._lock = threading.RLock()

    @classmethod
    def resume(
        cls,
        path: str | os.PathLike[str],
        *,
        against: Sequence[AgentLike] | None = None,
        game: str | Game | None = None,
        options: dict[str, Any] | None = None,
    ) -> Self:
        """Resume a saved game.

        Args:
            path: where it was saved, and will be saved again.
            against: who plays the other seats now; None: the agents that played them.
            game, options: as for :meth:`antiquity.study.replay.Replay.read`.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it is not a saved game, does not fit the rules, or its agents must be named again.
        """
        replay = Replay.read(path, game=game, options=options, check=False)
        if replay.agents.count(HUMAN) != 1:
            raise ValueError(
                f"{path}: in a saved game one seat is played by {HUMAN!r}, here they are {replay.agents}"
            )
        seat = replay.agents.index(HUMAN)
        return cls._go_on(path, replay, len(replay.steps), seat, against, path)

    @classmethod
    def play_on(
        cls,
        path: str | os.PathLike[str],
        step: int,
        *,
        seat: int | None = None,
        against: Sequence[AgentLike] | None = None,
        save: str | os.PathLike[str] | None = None,
        game: str | Game | None = None,
        options: dict[str, Any] | None = None,
    ) -> Self:
        """Play on from a moment of a recorded game, as another game that says where it branched.

        Args:
            path: a replay, finished or not; it is not changed.
            step: how many steps of it are kept.
            seat: where the person sits; None: where one sat, else seat 0.
            against: who plays the other seats; None: the agents that played them.
            save: the file for the new game; None: it is not saved.
            game, options: as for :meth:`antiquity.study.replay.Replay.read`.

        Raises:
            FileNotFoundError, ValueError: as for :meth:`resume`, or there is no such step or seat.
        """
        replay = Replay.read(path, game=game, options=options, check=False)
        step = whole("the step", step, 0, len(replay.steps))
        if seat is None:
            seat = replay.agents.index(HUMAN) if HUMAN in replay.agents else 0
        seat = whole("the seat", seat, 0, replay.num_players - 1)
        session = cls._go_on(path, replay, step, seat, against, save)
        session._recorder.branch = f"{Path(path).name}, step {step}"
        session.save()
        return session

    @classmethod
    def _go_on(
        cls,
        path: str | os.PathLike[str],
        replay: Replay,
        step: int,
        seat: int,
        against: Sequence[AgentLike] | None,
        save: str | os.PathLike[str] | None,
    ) -> Self:
        """The game of a replay after so many steps, with a person in a seat."""
        if against is None:
            against = [*replay.agents[seat + 1 :], *replay.agents[:seat]]
            strange = [name for name in against if not is_safe(name)]
            if strange:
                raise ValueError(
                    f"{path}: the agent {strange[0]!r} is not started just because a file names it; "
                    "say who plays: --against with one agent for each of the other seats"
                )
        if len(against) != replay.num_players - 1:
            raise ValueError(f"{path}: {replay.num_players - 1} agents are needed, not {len(against)}")
        session = object.__new__(cls)
        try:
            positions = replay.positions()
            start = next(positions)
            session._sit_down(start.batch, against, seat, save)
            if step:
                session._note_again(start)
            session._recorder.branch = replay.branch
            # After the last step comes the check of the end, which a game that is cut short here does not reach.
            for position in positions if step else ():
                if position.step:
                    session.chronicle.after()
                if position.step == step < len(replay.steps):
                    break
                session._note_again(position)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        session._advance()
        return session

    def _note_again(self, position: Position) -> None:
        """Write down a step of a game that is resumed."""
        row = np.zeros((1, self.batch.num_seats), np.int64)
        for choice in position.choices:
            row[0, choice.seat] = choice.action
        if position.choices:
            self.chronicle.before(row)

    # --- playing ---

    @property
    def step(self) -> int:
        """How many steps the game has taken; a choice names it, so that it cannot count for another decision."""
        return int(self.batch.games[0]["steps"])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.batch.deciders(0)

    def legal(self) -> list[int]:
        """What the person may choose now, ascending; nothing when the game is over."""
        return [] if self.over else self.batch.legal_actions(0, self.seat).tolist()

    def choose(self, action: int, step: int | None = None) -> None:
        """Take the person's choice, and let the agents play to the person's next decision or the end.

        Args:
            action: the number of a legal action.
            step: the step it is meant for, see :attr:`step`; None: the present one.

        Raises:
            StaleError: that decision is over.
            ValueError, TypeError: the action is not legal; nothing has changed.
        """
        with self._lock:
            if self.over or (step is not None and step != self.step):
                raise StaleError("this decision is over" if not self.over else "the game is over")
            action = whole("the action", action, 0, self.game.num_actions - 1)
            if action not in self.legal():
                words, why = (say(0, self.seat, action) for say in (self.batch.describe, self.batch.why_not))
                raise ValueError(f"action {action} ({words}) is not legal now: {why}")
            moment = Moment(self.batch.clone(), self._events, self.chronicle.steps)
            self._events, self._cancelled = self._secrets(), False
            try:
                self._play({self.seat: action})
                self._advance()
            except _TakenBackError:
                self._events = moment.events
                return
            self._moments = [*self._moments, moment] if self._may_return_to(moment) else []
            self.save()

    def take_back(self, step: int | None = None) -> None:
        """Take back the person's latest choice: one that has revealed nothing, or that the others still think about.

        Args:
            step: the step it is asked at, see :attr:`step`; None: the present one.

        Raises:
            StaleError: the game is at another step.
            ValueError: there is nothing that can be taken back.
        """
        if self.thinking.seat is not None:
            self._cancelled = True
            with self._lock:  # until the agent in thought is done
                if self._cancelled and step in (None, self.step):
                    self._cancelled = False
                    return
        with self._lock:
            if step not in (None, self.step):
                raise StaleError("this decision is over")
            if not self._moments:
                raise ValueError("nothing can be taken back: what was chosen has shown something new")
            moment = self._moments.pop()
            self.batch.set_games(moment.batch.games)
            self._recorder.back_to(moment.step)
            self.chronicle.back_to(moment.entries)
            self._events = moment.events
            self.save()

    def _may_return_to(self, moment: Moment) -> bool:
        """Whether the person has learnt nothing since."""
        if self.over or any(seat != self.seat for at, seat, _ in self.events if at >= moment.step):
            return False
        return not reveals(moment, self.seat, self.replay().steps[moment.step :], self._seen)

    def _advance(self) -> None:
        while not self.over and self.seat not in self.batch.deciders(0):
            self._play({})

    def _play(self, given: dict[int, int]) -> None:
        """One step: the given choices, and the agents'."""
        batch, step = self.batch, self.step
        row = np.zeros((1, batch.num_seats), np.int64)
        for seat in batch.deciders(0):
            if seat in given:
                row[0, seat] = given[seat]
                words = batch.describe(0, seat, given[seat])
            else:
                asked = Decisions(
                    self.game, batch.games, batch.tables, np.zeros(1, np.int64), np.array([seat])
                )
                with self.thinking.of(seat, int(asked.counts[0])):
                    row[0, seat] = checked_actions(self.agents[seat], asked)[0]
                words = open_words(batch, seat, int(row[0, seat]))
            self._events.append((step, seat, words, self._moment()))
        if self._cancelled and given:
            raise _TakenBackError
        self.chronicle.before(row)
        self._seen = batch.step(row).observations[0, self.seat].copy()
        self.chronicle.after()

    @property
    def log(self) -> list[dict[str, Any]]:
        """The whole game, step by step; see :meth:`antiquity.play.chronicle.Chronicle.entries`."""
        with self._lock:
            return self.chronicle.entries(self.over)

    def close(self) -> None:
        """Stop what the agents have started, such as their programs, and the advice."""
        self._advice.close()
        for agent in self.agents.values():
            end = getattr(agent, "close", None)
            if end is not None:
                end()

    # --- looking ---

    def advice(self) -> dict[str, Any] | None:
        """What an analysis says of the person's decision (:class:`antiquity.study.analysis.Judged`).

        Worked out in a process of its own; None until it is ready, and where there is nothing to choose.
        """
        with self._lock:
            return None if len(self.legal()) < 2 else self._advice.of(self.batch, self.seat, self.step)

    @property
    def events(self) -> list[tuple[int, int, str]]:
        """Step, seat and words of what was chosen since the person's last decision, and that itself.

        What the others have chosen in a turn that is revealed as a whole comes when the turn is over.
        """
        secret = set(self._secrets())
        return [event[:3] for event in self._events if event not in secret]

    def _moment(self) -> int:
        return self.chronicle.moment()

    def _secrets(self) -> list[tuple[int, int, str, int]]:
        """The events that the person is not to see yet."""
        if self.over:
            return []
        return [event for event in self._events if event[1] != self.seat and event[3] == self._moment()]

    def replay(self) -> Replay:
        """The game so far."""
        with self._lock:
            return self._recorder.replays[0] if self._recorder.replays else self._recorder.replay()

    def save(self) -> Path | None:
        """Write the game to its file, if it has one."""
        return None if self.path is None else self.replay().write(self.path)

    def view(self, room: int | None = None) -> dict[str, Any]:
        """All that the person may see now, as plain values for JSON; nothing hidden is in it.

        `room`: the width for the picture in CSS pixels; None: it is drawn in full width, to be scaled.
        """
        with self._lock:
            batch = self.batch
            # When the game is over nothing is secret any more.
            return common(self, None if self.over else self.seat, room) | {
                "seat": self.seat,
                "actions": [
                    [action, batch.describe(0, self.seat, action), batch.price(0, self.seat, action)]
                    for action in self.legal()
                ],
                "reasons": reasons(batch, self.seat, self.legal()),
                "undo": bool(self._moments),
                "events": [list(event) for event in self.events],
                "saved": None if self.path is None else str(self.path),
            }

    def past(self, step: int, room: int | None = None) -> dict[str, Any]:
        """The table as the person saw it before a step of the log; ValueError if it is not there."""
        with self._lock:
            return past(self, step, room)
