"""Analysis of a recorded game: what each decision was worth, who was going to win, and which moves lost most.

Every decision is judged from what its seat knew, never from what lay hidden: the same game with other hidden cards gets
the same analysis up to where somebody could have noticed.

A move that an agent would not have made is compared with the one it recommends in the same worlds, over at least 4,000
simulations. The difference is called a mistake only where it exceeds two standard errors: with hundreds of decisions in
a game some would look bad by luck alone.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import Decisions, NetworkAgent, make_agent, shipped_policy
from antiquity.agents.base import Agent
from antiquity.agents.expert import ExpertAgent
from antiquity.agents.judge import Judge
from antiquity.agents.search import SearchAgent
from antiquity.batch import Batch, replacing
from antiquity.game import Game
from antiquity.game.checks import whole
from antiquity.study.replay import Replay

FORMAT: Final = 1
"""Number of the format of analyses as JSON; a change that readers notice raises it."""
SIMULATIONS: Final = 4000
"""Fewest simulations that a loss is judged by."""
SIGMAS: Final = 2.0
"""Standard errors that a loss must exceed to be called a mistake."""
WORLDS: Final = 100
"""Worlds in which the chances to win are counted."""
SPREAD: Final = 600
"""Simulations that all actions of a decision share alike, for their values."""


@dataclass(frozen=True)
class Option:
    """A legal action.

    Attributes:
        action, words: what it is.
        share: how much of its attention the agent gives it, from 0 to 1: tries of a search, probability of a policy.
        value: what it is worth to the seat, from 0 to 1: half the share of the win, half a squashed lead.
        error: standard error of the value.
    """

    action: int
    words: str
    share: float
    value: float
    error: float


@dataclass(frozen=True)
class Judged:
    """A decision of a seat that had a choice.

    Attributes:
        step: steps made before it.
        seat: whose it was.
        played: the action that was chosen; None for a game that is still to go on.
        best: what the agent recommends.
        options: the legal actions, most attention first.
        loss: by how much what was played is worth less than what is recommended; 0 where they are the same, and
            negative where what was played did better.
        error: standard error of the loss.
        mistake: whether the loss exceeds two standard errors.
    """

    step: int
    seat: int
    played: int | None
    best: int
    options: tuple[Option, ...]
    loss: float
    error: float
    mistake: bool


@dataclass(frozen=True)
class Analysis:
    """What :func:`analyse` returns.

    Attributes:
        game: its name.
        agent: who was asked.
        simulations: with which every loss was judged.
        names: of the seats.
        decisions: in their order; forced ones are left out.
        steps: the steps at which the chances to win were counted.
        chances: for each of them and each seat the chance to win, from 0 to 1, as far as that seat could know.
    """

    game: str
    agent: str
    simulations: int
    names: tuple[str, ...]
    decisions: tuple[Judged, ...]
    steps: tuple[int, ...]
    chances: tuple[tuple[float, ...], ...]

    def mistakes(self) -> list[Judged]:
        """The moves that lost most, the worst first: only what exceeds two standard errors."""
        return sorted((each for each in self.decisions if each.mistake), key=lambda each: -each.loss)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"analysis": FORMAT, **asdict(self)}

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write it as JSON; the file appears whole or not at all."""
        target = Path(path)
        with replacing(target) as partial:
            partial.write_text(json.dumps(self.as_dict(), ensure_ascii=False), encoding="utf-8")
        return target


class Advisor(Protocol):
    """What an agent thinks of one decision: the action it recommends, and the share of its attention for each."""

    def __call__(self, decisions: Decisions) -> tuple[int, dict[int, float]]: ...


def advisor(agent: str | None, game: Game) -> tuple[str, Advisor]:
    """An agent that can be asked: ``"expert"``, ``"search"`` or ``"policy"``, with options, or a policy file.

    None: the expert, or search where the game has no policy.

    Raises:
        ValueError: an agent that does not say what it thinks.
    """
    if agent is None:
        agent = "search:simulations=500" if shipped_policy(game) is None else "expert:simulations=500"
    made = make_agent(agent, game)
    if isinstance(made, ExpertAgent):
        return agent, lambda decisions: _expert(made, decisions)
    if isinstance(made, SearchAgent):
        return agent, lambda decisions: made.decide(
            decisions.games, decisions.tables, int(decisions.index[0]), int(decisions.seats[0])
        )
    if isinstance(made, NetworkAgent):
        return agent, lambda decisions: _policy(made, decisions)
    raise ValueError(f"{agent!r} does not say what it thinks; ask expert, search, policy or a policy file")


def _expert(agent: ExpertAgent, decisions: Decisions) -> tuple[int, dict[int, float]]:
    found = agent.search(decisions)
    legal = found.legal[0, : found.counts[0]].tolist()
    shares = found.visits[0, : len(legal)] / max(float(found.visits[0].sum()), 1.0)
    return int(found.actions[0]), dict(zip(legal, shares.tolist(), strict=True))


def _policy(agent: Agent, decisions: Decisions) -> tuple[int, dict[int, float]]:
    assert isinstance(agent, NetworkAgent)
    logits = agent.evaluate(decisions).logits[0, : decisions.counts[0]].astype(np.float64)
    shares = np.exp(logits - logits.max())
    legal = decisions.legal[0, : decisions.counts[0]].tolist()
    return legal[int(shares.argmax())], dict(zip(legal, (shares / shares.sum()).tolist(), strict=True))


class Analyst:
    """Judges decisions of one game.

    Args:
        game: what is played.
        agent: who is asked, see :func:`advisor`.
        simulations: for each loss; 4,000 or more.
    """

    def __init__(self, game: Game, agent: str | None = None, simulations: int = SIMULATIONS) -> None:
        self.game = game
        self.simulations = whole("simulations", simulations, SIMULATIONS)
        self.agent, self._ask = advisor(agent, game)
        self._judge = Judge(game)

    def decision(self, batch: Batch, seat: int, played: int | None = None) -> Judged:
        """Judge a decision of a seat that must choose now in the only game of a batch.

        Args:
            batch: of one game.
            seat: whose decision it is.
            played: what was chosen; None: the decision is still open.
        """
        games, tables = batch.games, batch.tables
        asked = Decisions(self.game, games, tables, np.zeros(1, np.int64), np.array([seat], np.int64))
        best, shares = self._ask(asked)
        actions = np.array(list(shares), np.int64)
        worlds = max(20, SPREAD // len(actions))
        worths = self._judge.worths(games, tables, 0, seat, actions, worlds)
        options = [
            Option(
                action,
                batch.describe(0, seat, action),
                round(shares[action], 4),
                round(float(worths[:, column].mean()), 4),
                round(_error(worths[:, column]), 4),
            )
            for column, action in enumerate(actions.tolist())
        ]
        loss, error = 0.0, 0.0
        if played is not None and played != best:
            pair = np.array([best, played], np.int64)
            # Other worlds than those above: the recommendation was not chosen by these.
            tried = self._judge.worths(games, tables, 0, seat, pair, math.ceil(self.simulations / 2), salt=1)
            difference = tried[:, 0] - tried[:, 1]
            loss, error = float(difference.mean()), _error(difference)
        order = sorted(options, key=lambda each: (-each.share, -each.value))
        step = int(games[0]["steps"])
        mistake = loss > SIGMAS * error and loss > 0
        return Judged(step, seat, played, best, tuple(order), round(loss, 4), round(error, 4), mistake)

    def chance(self, batch: Batch, seat: int, worlds: int = WORLDS) -> float:
        """A seat's chance to win the only game of a batch, as far as it knows, if all play on as the policy does."""
        return float(self._judge.wins(batch.games, batch.tables, 0, seat, worlds).mean())


def analyse(
    replay: Replay,
    *,
    agent: str | None = None,
    simulations: int = SIMULATIONS,
    seats: Sequence[int] | None = None,
    told: Callable[[int, int], None] = lambda _done, _all: None,
) -> Analysis:
    """Judge every decision of a recorded game.

    Args:
        replay: the game.
        agent: who is asked, see :func:`advisor`.
        simulations: for each loss; 4,000 or more.
        seats: whose decisions; all if None.
        told: is called with how many steps are done, and how many there are.

    Raises:
        ValueError: the replay does not fit the rules, there is no such seat, or the agent does not say what it thinks.
    """
    strange = [seat for seat in seats or () if not 0 <= seat < replay.num_players]
    if strange:
        raise ValueError(f"there is no seat {strange[0]}; they are 0 to {replay.num_players - 1}")
    analyst = Analyst(replay.game, agent, simulations)
    judged: list[Judged] = []
    steps: list[int] = []
    chances: list[tuple[float, ...]] = []
    for position in replay.positions():
        told(position.step, len(replay.steps))
        batch = position.batch
        everybody = range(replay.num_players)
        steps.append(position.step)
        chances.append(tuple(round(analyst.chance(batch, seat), 4) for seat in everybody))
        for choice in position.choices:
            wanted = seats is None or choice.seat in seats
            if wanted and not choice.illegal and len(position.legal.get(choice.seat, ())) > 1:
                judged.append(analyst.decision(batch, choice.seat, choice.action))
    return Analysis(
        replay.game.name,
        analyst.agent,
        analyst.simulations,
        tuple(replay.agents),
        tuple(judged),
        tuple(steps),
        tuple(chances),
    )


def _error(values: NDArray[np.float32]) -> float:
    """Standard error of a mean."""
    return float(values.astype(np.float64).std(ddof=1) / math.sqrt(len(values)))
