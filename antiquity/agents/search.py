"""Information-set Monte Carlo tree search, in one kernel for all games.

Every simulation draws a world that agrees with all the seat knows (the verb ``determinize``), walks down the tree,
plays the rest of the game at random or greedily, and remembers what came of it.

* A node is what the searching seat sees: a hash of its observation and of the number of steps. Worlds that look the
  same to it share a node, whatever lies hidden (information-set search).
* Where several seats decide at once, each chooses by its own statistics, without knowing what the others choose
  (decoupled selection). Other seats' statistics are kept by action, and an action's chance counts only from worlds in
  which it was legal.
* The first action tried at a node is that of the game's greedy agent, and others join it as visits grow (progressive
  widening), those first that the greedy agent likes better: with few simulations a search improves on the greedy agent
  instead of spreading over everything.
* The k-th try of every action of the decision is played in the same world, so that luck weighs on all alike.
* What a simulation is worth to a seat is half its share of the win and half its lead over the others.

The random numbers of a search follow from what the seat sees and from the agent's ``seed``, not from the game's: two
games that look the same to the seat are searched alike, and nothing of the game's own randomness can leak.
"""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.agents.base import Agent, Decisions
from antiquity.agents.tree import ENTRY_DTYPE, THEMSELVES, root_visits, simulate
from antiquity.batch import GREEDY, RANDOM, STREAM
from antiquity.game import Game, make_game
from antiquity.game.checks import one_of, one_seed, whole

ROLLOUTS: Final = {"random": STREAM, "greedy": GREEDY}
OPPONENTS: Final = {"search": THEMSELVES, "greedy": GREEDY, "random": RANDOM}
CHUNK: Final = 128
"""Simulations between two looks at the clock."""
EXPLORATION: Final = 0.3
WIDENING: Final = 0.4
MAX_ENTRIES: Final = 1 << 20


class _Tree:
    """The table of one search, and of which game it is while it is kept."""

    def __init__(self, size: int) -> None:
        self.entries = np.zeros(size, ENTRY_DTYPE)
        self.used = np.zeros(1, np.int64)
        self._game = -1
        self._steps = -1

    def clear(self) -> None:
        """Forget everything."""
        self.entries[:] = 0
        self.used[0] = 0

    def go_on(self, game: int, steps: int) -> None:
        """Keep what is known if this is a later decision of the same game and there is room, else forget it."""
        if game != self._game or steps <= self._steps or 4 * self.used[0] > len(self.entries):
            self.clear()
        self._game, self._steps = game, steps


class SearchAgent(Agent):
    """Tree search from every decision, on worlds that agree with what the seat knows.

    Args:
        game: what it plays; a name or a Game.
        simulations: how many simulations a decision gets, 1 or more.
        milliseconds: instead, how long a decision may take; results then depend on the machine.
        rollout: how simulations are played to the end: ``"greedy"`` (stronger) or ``"random"`` (faster,
            twice so in 7 Wonders, hardly in Stone Age).
        opponents: how the other seats choose in the tree: ``"search"``, by statistics of their own, ``"greedy"`` or
            ``"random"``.
        exploration: weight of the upper bounds.
        widening: after v visits of a node a seat has tried about this times the square root of v of its actions.
        reuse: keep what was found out at earlier decisions of the same game. Each game and seat then has a table of
            its own (24 bytes for each of two entries a simulation and seat, and room to keep), so results still do not
            depend on what is played beside.
        seed: another one gives other searches.
        name: for tables and logs.

    Raises:
        ValueError, TypeError: an argument cannot be used; the message says which and why.
    """

    slow = True

    def __init__(
        self,
        game: str | Game,
        simulations: int = 1000,
        milliseconds: float | None = None,
        rollout: str = "greedy",
        opponents: str = "search",
        exploration: float = EXPLORATION,
        widening: float = WIDENING,
        reuse: bool = False,
        seed: int = 0,
        name: str = "search",
    ) -> None:
        self.game = game = make_game(game)
        self.simulations = whole("simulations", simulations, 1)
        self.milliseconds = None if milliseconds is None else _positive("milliseconds", milliseconds)
        self.reproducible = milliseconds is None
        self.rollout = ROLLOUTS[one_of("rollout", rollout, tuple(ROLLOUTS))]
        self.opponents = OPPONENTS[one_of("opponents", opponents, tuple(OPPONENTS))]
        self.exploration = _positive("exploration", exploration)
        self.widening = _positive("widening", widening)
        self.reuse = bool(reuse)
        self.name = name
        self._seed = np.array([one_seed(seed)], np.uint64)
        # A budget of time is not known in simulations.
        wanted = MAX_ENTRIES if milliseconds is not None else 2 * self.simulations * game.max_players
        self._size = min(1 << max(12, wanted.bit_length() + 2 * self.reuse), MAX_ENTRIES)
        self._tree = _Tree(self._size)
        self._kept: dict[tuple[int, int], _Tree] = {}
        self._worlds = np.zeros(2, game.dtype)
        self._path = np.zeros((512, 2), np.int64)
        self._legal = np.zeros(game.max_legal, np.uint16)
        self._observation = np.zeros(game.layout.size + game.layout.size % 2, np.float32)
        self._scores = np.zeros((game.max_players, len(game.categories) + 2), np.int32)
        self._ranks = np.zeros(game.max_players, np.int64)
        self._values = np.zeros(game.max_players, np.float64)
        self.done = 0
        """Simulations of the last decision; 0 where only one action was legal."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if decisions.game is not self.game:
            raise ValueError(f"agent {self.name!r} plays {self.game.title}, not {decisions.game.title}")
        actions = np.empty(len(decisions), np.int64)
        for row in range(len(decisions)):
            if decisions.counts[row] == 1:
                actions[row], self.done = decisions.legal[row, 0], 0
            else:
                index, seat = int(decisions.index[row]), int(decisions.seats[row])
                actions[row] = self.decide(decisions.games, decisions.tables, index, seat)[0]
        return actions

    def decide(
        self, games: NDArray[Any], tables: NDArray[Any], index: int, seat: int
    ) -> tuple[int, dict[int, float]]:
        """Search one decision.

        Args:
            games: records, structured array.
            tables: the printed game, structured array of one.
            index, seat: whose decision it is: a seat of ``games[index]`` that must choose now.

        Returns:
            The action, and for each legal one the share of the tries that went to it.
        """
        tree = self._tree
        if self.reuse:
            if (index, seat) not in self._kept:
                self._kept[index, seat] = _Tree(self._size)
            tree = self._kept[index, seat]
            tree.go_on(int(games[index]["seed"]), int(games[index]["steps"]))
        else:
            tree.clear()
        self.done = 0
        root = (games, index, tables, seat)
        size = self.game.layout.size
        started = time.perf_counter()
        while True:
            wanted = CHUNK if self.milliseconds is not None else self.simulations
            ran = simulate(
                *root,
                self._worlds,
                tree.entries,
                tree.used,
                self._path,
                self._legal,
                self._observation,
                size,
                self._scores,
                self._ranks,
                self._values,
                self.exploration,
                self.widening,
                self.game.margin_scale,
                self.rollout,
                self.opponents,
                self._seed,
                wanted,
            )
            self.done += ran
            if self.milliseconds is None or ran < wanted:
                break
            if 1000 * (time.perf_counter() - started) >= self.milliseconds:
                break
        visits = np.zeros(self.game.max_legal)
        count = root_visits(*root, tree.entries, self._legal, self._observation, size, visits)
        shares = visits[:count] / max(visits[:count].sum(), 1e-9)
        actions = self._legal[:count].tolist()
        return int(actions[int(shares.argmax())]), dict(zip(actions, shares.tolist(), strict=True))


def _positive(name: str, value: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    if not 0 < number < float("inf"):
        raise ValueError(f"{name} is {value}; it must be a number above zero")
    return number
