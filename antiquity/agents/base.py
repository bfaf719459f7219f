"""Players: :class:`Agent`, and :class:`Decisions`, what an agent is asked.

An agent answers many decisions at once, so that a network runs one batch and a kernel one loop. It keeps no state
between calls: all it may remember is in the game record. Its randomness is :attr:`Decisions.noise`, a hash of the
game's seed, the step and the seat, so what it plays in a game doesn't depend on which other games are played beside it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from antiquity.agents.rows import appraise_rows, legal_rows, mask_rows, noise_rows, observe_rows
from antiquity.batch import OUTSIDE
from antiquity.game import Game

PYTHON = OUTSIDE
"""Value of :attr:`Agent.kernel` of an agent whose ``act`` is Python."""

Batched = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], Any]


class Decisions:
    """Decisions to take: row r is seat ``seats[r]`` of game ``games[index[r]]``, a seat that must choose now.

    Attributes:
        game: the game's description.
        games: the records, structured array. They hold what is hidden from the seat, too: an honest player works
            from the observations, or on records that ``determinize`` has redrawn.
        tables: the printed game, structured array of one.
        index: int64[R], row -> game.
        seats: int64[R], row -> seat.
        memory: whether :attr:`observations` ends with the memory block.
    """

    __slots__ = (
        "_counts",
        "_legal",
        "_masks",
        "_observations",
        "game",
        "games",
        "index",
        "memory",
        "seats",
        "tables",
    )

    def __init__(
        self,
        game: Game,
        games: npt.NDArray[Any],
        tables: npt.NDArray[Any],
        index: npt.NDArray[np.int64],
        seats: npt.NDArray[np.int64],
        memory: bool = False,
    ) -> None:
        self.game = game
        self.games = games
        self.tables = tables
        self.index = index
        self.seats = seats
        self.memory = memory
        self._legal: npt.NDArray[np.uint16] | None = None
        self._counts: npt.NDArray[np.int64] | None = None
        self._masks: npt.NDArray[np.int8] | None = None
        self._observations: npt.NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.index)

    def remember(self, memory: bool) -> Decisions:
        """The same decisions, observed with or without the memory block."""
        if memory == self.memory:
            return self
        return Decisions(self.game, self.games, self.tables, self.index, self.seats, memory)

    @property
    def legal(self) -> npt.NDArray[np.uint16]:
        """uint16[R, max_legal]: the numbers of the legal actions, ascending; row r has ``counts[r]`` of them."""
        if self._legal is None:
            self._legal = np.zeros((len(self.index), self.game.max_legal), np.uint16)
            self._counts = np.zeros(len(self.index), np.int64)
            legal_rows(self.games, self.tables, self.index, self.seats, self._legal, self._counts)
        return self._legal

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """int64[R]: how many actions are legal, at least one."""
        _ = self.legal
        assert self._counts is not None
        return self._counts

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """int8[R, num_actions]: 1 where the action is legal."""
        if self._masks is None:
            self._masks = np.zeros((len(self.index), self.game.num_actions), np.int8)
            mask_rows(self.legal, self.counts, self._masks)
        return self._masks

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """float32[R, F]: what each of the seats may see."""
        if self._observations is None:
            size = self.game.layout.size + (self.game.memory_layout.size if self.memory else 0)
            self._observations = np.zeros((len(self.index), size), np.float32)
            observe_rows(self.games, self.tables, self.index, self.seats, self._observations)
        return self._observations

    def appraisals(self) -> npt.NDArray[np.float32]:
        """float32[R, max_legal, K]: the columns of ``game.appraisal`` for each of :attr:`legal`."""
        found = np.zeros((*self.legal.shape, self.game.appraisal.size), np.float32)
        appraise_rows(self.games, self.tables, self.index, self.seats, self.legal, self.counts, found)
        return found

    @property
    def noise(self) -> npt.NDArray[np.uint64]:
        """uint64[R]: random bits for each decision, which follow from the game, the step and the seat."""
        noise = np.empty(len(self.index), np.uint64)
        noise_rows(self.games, self.index, self.seats, noise)
        return noise

    def uniform(self) -> npt.NDArray[np.float64]:
        """float64[R], uniform in [0, 1), from :attr:`noise`."""
        return (self.noise >> np.uint64(11)).astype(np.float64) * 2.0**-53


class Agent(ABC):
    """A player. Subclasses write :meth:`act`.

    Attributes:
        name: for tables and logs.
        kernel: the number by which kernels play this agent without coming back to Python (see
            :mod:`antiquity.agents.kernel`), or :data:`PYTHON`.
        slow: a decision takes milliseconds; tournaments hand out its games in small blocks.
        reproducible: the same decision always gets the same answer; False for agents that depend on the clock or on
            another program.
    """

    name: str = "agent"
    kernel: int = PYTHON
    slow: bool = False
    reproducible: bool = True

    @abstractmethod
    def act(self, decisions: Decisions) -> npt.NDArray[np.integer[Any]]:
        """Choose: int[R], a legal action for every row."""

    def choose(self, env: Any, agent: str) -> int:
        """One action, for one agent of a ``ParallelGameEnv`` or ``AECGameEnv``."""
        return int(self.act(env.decisions(agent))[0])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        # An agent has no state, so a copied environment can share it.
        return self


class CallableAgent(Agent):
    """A function as a player: ``function(observations float32[R, F], masks int8[R, A]) -> int[R]``."""

    def __init__(self, function: Batched, memory: bool = False) -> None:
        self.function = function
        self.memory = memory
        self.name = getattr(function, "__name__", type(function).__name__)

    def act(self, decisions: Decisions) -> npt.NDArray[np.integer[Any]]:
        decisions = decisions.remember(self.memory)
        return np.asarray(self.function(decisions.observations, decisions.masks))


def checked_actions(agent: Agent, decisions: Decisions) -> npt.NDArray[np.int64]:
    """Ask ``agent`` and check its answer.

    Raises:
        TypeError: the answer isn't an array of integers.
        ValueError: it has the wrong shape or contains an illegal action.
    """
    actions = np.asarray(agent.act(decisions))
    if not np.issubdtype(actions.dtype, np.integer):
        raise TypeError(f"agent {agent.name!r} must return whole numbers, it returned {actions.dtype}")
    if actions.shape != (len(decisions),):
        raise ValueError(
            f"agent {agent.name!r} must return one action for each of the {len(decisions)} decisions, "
            f"it returned an array of shape {actions.shape}"
        )
    actions = actions.astype(np.int64)
    inside = (actions >= 0) & (actions < decisions.game.num_actions)
    legal = inside & (decisions.masks[np.arange(len(actions)), np.where(inside, actions, 0)] == 1)
    if not legal.all():
        row = int(np.argmin(legal))
        numbers = decisions.legal[row, : decisions.counts[row]].tolist()
        raise ValueError(
            f"agent {agent.name!r} chose the illegal action {actions[row]} for seat {decisions.seats[row]}; "
            f"legal are {numbers}"
        )
    return actions
