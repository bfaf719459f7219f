"""Programs as players, in any language: one JSON object per line, over the program's standard input and output.

Antiquity writes a line, the program answers with a line, in turn. At the start::

    > {"type": "hello", "protocol": 1, "game": "seven_wonders", "version": 1, "num_actions": 258,
       "observation": [["age", 0, 1, "..."], ...], "memory": false}
    < {"type": "ready", "name": "mine"}

and for every decision::

    > {"type": "act", "id": 17, "match": "5d0c...", "num_players": 4, "seat": 2, "step": 12,
       "legal": [3, 90, 171], "words": ["build Altar", ...], "observation": [0.0, ...], "noise": 3141592653}
    < {"id": 17, "action": 90}

``observation`` of the greeting lists name, first element, number of elements and meaning of each field. ``match`` tells
games apart. ``noise`` is 53 random bits that follow from the game and the decision: a program that takes
its random numbers from them is reproducible. Nothing in the lines tells what is hidden from the seat. The
end of the input means that there are no more games: the program should exit.

The end of what the program writes to its standard error is kept for the reports. A decision with a single legal action
is not asked. **A move is forfeited** when the program answers with an illegal action, with anything but an answer to
the question, too late or not at all: the move is then a random legal one, drawn from a stream of its own, and the
incident is reported (:attr:`ExternalAgent.incidents`; tournaments write it into the results file). After a late answer,
a line that cannot be read, or its exit, the program is restarted for the next decision, up to ``restarts`` times;
after that all its moves are random, each of them reported.

``seconds`` is the time for reading the question and answering it. An answer is at most 64 KiB long. Output that nobody
has asked for stays in the pipes, so a program that writes without end stops there. The program runs in a session and
process group of its own: the terminal's Ctrl-C does not reach it, and when it is ended, half a second after the end of
its input, everything that it has started goes with it, also if this process is killed.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.agents.base import Agent, Decisions
from antiquity.agents.program import Program, ProgramError
from antiquity.game import Game, make_game
from antiquity.game.checks import printable, whole
from antiquity.game.random import ILLEGAL, below

PROTOCOL: Final = 1
STARTING: Final = 30.0
"""Seconds that a program has for its first line, unless it has longer for a decision."""


@dataclass(frozen=True)
class Incident:
    """A forfeited move.

    Attributes:
        index: of the game among those of the decisions.
        seat: whose move it was.
        step: number of the decision in the game.
        kind: ``"illegal"``, ``"unreadable"``, ``"late"``, ``"crashed"`` or ``"gone"`` (it is not started again).
        detail: what happened, in words.
    """

    index: int
    seat: int
    step: int
    kind: str
    detail: str


def _exchange(program: Program, question: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Ask a program, and read its answer."""
    line = program.ask(json.dumps(question, separators=(",", ":")).encode(), seconds)
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise ProgramError("unreadable", f"no JSON object: {line[:80]!r}")
    return answer


class ExternalAgent(Agent):
    """A program that answers line by line; see :mod:`antiquity.agents.external`.

    Args:
        game: what it plays; a name or a Game.
        command: the program and its arguments, as a list or as one text (no shell reads it).
        seconds: time limit of a decision.
        restarts: how often the program is started again after it has failed.
        memory: whether it is sent observations with the memory block.
        words: whether it is told the legal actions in words, too.
        name: for tables and logs; else what the program calls itself.

    Raises:
        ValueError: there is no command, or a number that cannot be used.
    """

    slow = True
    reproducible = False

    def __init__(
        self,
        game: str | Game,
        command: str | Sequence[str],
        seconds: float = 5.0,
        restarts: int = 10,
        memory: bool = False,
        words: bool = False,
        name: str = "",
    ) -> None:
        self.game = make_game(game)
        self.command = shlex.split(command) if isinstance(command, str) else [str(part) for part in command]
        if not self.command:
            raise ValueError("an external agent needs a command")
        if not 0 < float(seconds) < float("inf"):
            raise ValueError(f"seconds is {seconds}; a decision needs some time")
        self.seconds = float(seconds)
        self.restarts = whole("restarts", restarts, 0)
        self.memory, self.words = bool(memory), bool(words)
        self.name = name or "external"
        self._named = bool(name)
        self.incidents: list[Incident] = []
        """The forfeited moves since :meth:`take_incidents`."""
        self._program: Program | None = None
        self._starts = 0
        self._asked = 0

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_program": None, "incidents": []}

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if decisions.game is not self.game:
            raise ValueError(f"agent {self.name!r} plays {self.game.title}, not {decisions.game.title}")
        decisions = decisions.remember(self.memory)
        actions = decisions.legal[:, 0].astype(np.int64)
        for row in np.flatnonzero(decisions.counts > 1):
            actions[row] = self._act(decisions, int(row))
        return actions

    def _act(self, decisions: Decisions, row: int) -> int:
        index, seat = int(decisions.index[row]), int(decisions.seats[row])
        game = decisions.games[index]
        step, legal = int(game["steps"]), decisions.legal[row, : decisions.counts[row]].tolist()
        try:
            answer = self._ask(decisions, row, legal, step)
            action = answer.get("action")
            if type(action) is int and action in legal:
                return action
            kind, detail = "illegal", f"{repr(action)[:80]} is not among the legal {legal}"[:300]
        except ProgramError as error:
            kind, detail = error.kind, str(error)
        self.incidents.append(Incident(index, seat, step, kind, detail))
        return int(legal[below(int(game["seed"]), ILLEGAL, step * 64 + seat, len(legal))])

    def _ask(self, decisions: Decisions, row: int, legal: list[int], step: int) -> dict[str, Any]:
        index, seat = int(decisions.index[row]), int(decisions.seats[row])
        game = decisions.games[index]
        # Antiquity's own hash can be undone, and the seed tells everything; this one cannot.
        secret = f"{int(game['seed'])} {step} {seat}".encode()
        place = f"{int(game['seed'])} {index}".encode()
        self._asked += 1
        question = {
            "type": "act",
            "id": self._asked,
            "match": hashlib.blake2b(place, digest_size=8).hexdigest(),
            "num_players": int(game["num_players"]),
            "seat": seat,
            "step": step,
            "legal": legal,
            "observation": decisions.observations[row].tolist(),
            "noise": int.from_bytes(hashlib.blake2b(secret, digest_size=8).digest()) >> 11,
        }
        if self.words:
            tell = self.game.describe
            question["words"] = [
                tell(decisions.games, index, decisions.tables, seat, action) for action in legal
            ]
        try:
            answer = _exchange(self._running(), question, self.seconds)
            if answer.get("id") != self._asked:
                said = repr(answer.get("id"))[:80]
                raise ProgramError("unreadable", f"the answer to {said}, not to {self._asked}")
        except BaseException:  # after Ctrl-C, too: its answer would be taken for that to the next question
            self.close()
            raise
        return answer

    def _running(self) -> Program:
        if self._program is None:
            if self._starts > self.restarts:
                raise ProgramError("gone", f"it has failed {self._starts} times and is not started again")
            self._starts += 1
            self._program = Program(self.command)
            fields = self.game.observation_layout(self.memory).fields
            answer = _exchange(
                self._program,
                {
                    "type": "hello",
                    "protocol": PROTOCOL,
                    "game": self.game.name,
                    "version": self.game.version,
                    "num_actions": self.game.num_actions,
                    "observation": [[each.name, each.start, each.size, each.meaning] for each in fields],
                    "memory": self.memory,
                },
                max(STARTING, self.seconds),
            )
            if answer.get("type") != "ready":
                raise ProgramError("unreadable", f"the greeting was answered with {str(answer)[:80]}")
            if not self._named and isinstance(answer.get("name"), str):
                self.name = printable(answer["name"][:40])
        return self._program

    def take_incidents(self) -> list[Incident]:
        """The forfeited moves since the last call."""
        taken, self.incidents = self.incidents, []
        return taken

    def close(self) -> None:
        """End the program; the next decision starts it anew."""
        if self._program is not None:
            self._program.close()
            self._program = None
