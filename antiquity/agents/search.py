"""Information-set Monte Carlo tree search, in one kernel for all games.

Every simulation draws a world that agrees with all the seat knows (the verb ``determinize``), walks down the tree,
plays the rest of the game at random or greedily, and remembers what came of it.

* A node is what the searching seat sees: a hash of its observation and of the number of steps. Worlds that look the
  same to it share a node, whatever lies hidden (information-set search).
* Where several seats decide at once, each chooses by its own statistics, without knowing what the others choose
  (decoupled selection). Other seats' statistics are kept by action, and an action's chance counts only from worlds in
  which it was legal.
* The first action tried at a node is that of the game's greedy agent, and others join it as visits grow (progressive
  widening): with few simulations a search improves on the greedy agent instead of spreading over everything.
* What a simulation is worth to a seat is half its share of the win and half its lead over the others.

The random numbers of a search follow from what the seat sees and from the agent's ``seed``, not from the game's: two
games that look the same to the seat are searched alike, and nothing of the game's own randomness can leak.
"""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity import verbs
from antiquity.agents.base import Agent, Decisions
from antiquity.agents.kernel import GREEDY, RANDOM, choose
from antiquity.checks import one_of, one_seed, whole
from antiquity.game import Game, make_game
from antiquity.jit import entry, kernel
from antiquity.random import RESERVED, mix
from antiquity.rewards import rank

SEARCH: Final = RESERVED + 30
"""Purpose of the seeds of the worlds that a search draws. Index: the number of the simulation."""
ROLLOUTS: Final = ("random", "greedy")
CHUNK: Final = 128
"""Simulations between two looks at the clock."""
EXPLORATION: Final = 0.7
WIDENING: Final = 1.0
MAX_ENTRIES: Final = 1 << 20
ENTRY_DTYPE: Final = np.dtype(
    [
        ("key", "u8"),  # hash of node, seat and action; 0 = a hole
        ("value", "f8"),  # sum of what its simulations were worth to the seat
        ("visits", "i4"),
        ("offered", "i4"),  # how often it was legal when its node was visited
    ]
)
"""One action of one seat at one node. The tree is a hash table of them."""
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_FNV: Final = np.uint64(0x100000001B3)
_SHIFT: Final = np.uint64(29)


@kernel
def _node(game: Any, tables: Any, seat: Any, buffer: Any, size: Any) -> Any:
    """Hash of what the seat sees now. ``buffer``: float32, the observation's ``size``, made even."""
    verbs.observe(game, tables, seat, buffer[:size])
    key = np.uint64(game["steps"]) + _GOLDEN
    for word in buffer.view(np.uint64):
        key = (key ^ word) * _FNV
        key ^= key >> _SHIFT
    return key


@kernel
def _find(entries: Any, key: Any) -> Any:
    """Place of a key in the table, or of the hole where it would go."""
    mask = np.uint64(len(entries) - 1)
    place = key & mask
    while entries[place]["key"] != np.uint64(0) and entries[place]["key"] != key:
        place = (place + np.uint64(1)) & mask
    return np.int64(place)


@kernel
def _key(node: Any, seat: Any, action: Any) -> Any:
    return mix(node, np.int64(seat), np.int64(action)) | np.uint64(1)


@kernel
def _next_random(word: Any) -> Any:
    """One step of a xorshift generator."""
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    return word ^ (word << np.uint64(17))


@kernel
def _draw(word: Any, n: Any) -> Any:
    """A number in [0, n) from the upper half of a random word."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def _select(
    entries: Any,
    node: Any,
    game: Any,
    tables: Any,
    seat: Any,
    legal: Any,
    count: Any,
    exploration: Any,
    widening: Any,
    word: Any,
) -> Any:
    """The action to try.

    At a new node that of the game's greedy agent; then, as long as few have been tried for the visits there were, one
    more at random; else the one with the best upper bound.

    Returns (place in the table, action, whether its entry is new, the random word).
    """
    best, place, action = -1.0, np.int64(0), np.int64(legal[0])
    new_place, new_action, tried, untried, visited = np.int64(0), np.int64(0), 0, 0, 0
    for index in range(count):
        here = _find(entries, _key(node, seat, legal[index]))
        entry = entries[here]
        if entry["key"] == np.uint64(0):
            untried += 1
            word = _next_random(word)
            if _draw(word, untried) == 0:
                new_place, new_action = here, np.int64(legal[index])
            continue
        tried += 1
        entry["offered"] += 1
        visits = np.float64(entry["visits"])
        visited += np.int64(entry["visits"])
        bound = entry["value"] / visits + exploration * np.sqrt(np.log(np.float64(entry["offered"])) / visits)
        if bound > best:
            best, place, action = bound, here, np.int64(legal[index])
    if untried == 0 or tried > widening * np.sqrt(np.float64(visited)):
        return place, action, False, word
    if tried == 0:
        new_action = choose(GREEDY, game, tables, seat, legal, count)
        new_place = _find(entries, _key(node, seat, new_action))
    entries[new_place]["key"] = _key(node, seat, new_action)
    entries[new_place]["offered"] = 1
    return new_place, new_action, True, word


@kernel
def _roll_out(kind: Any, game: Any, tables: Any, legal: Any, word: Any) -> None:
    """Play the game to its end: ``kind`` is the number of a kernel agent."""
    while not game["over"]:
        deciders = np.int64(game["deciders"])
        for seat in range(np.int64(game["num_players"])):
            if (deciders >> seat) & 1:
                count = verbs.legal(game, tables, seat, legal)
                if kind == RANDOM:
                    word = _next_random(word)
                    action = np.int64(legal[_draw(word, count)])
                else:
                    action = choose(kind, game, tables, seat, legal, count)
                verbs.choose(game, tables, seat, action)
        verbs.advance(game, tables)


@kernel
def _values(game: Any, tables: Any, scores: Any, ranks: Any, scale: Any, values: Any) -> None:
    """What the finished game is worth to each seat, in [0, 1]."""
    players = np.int64(game["num_players"])
    verbs.score(game, tables, scores)
    rank(scores, players, np.int64(game["forfeits"]), ranks)
    total = scores.shape[1] - 2
    winners, points = 0, 0.0
    for seat in range(players):
        winners += ranks[seat] == 1
        points += np.float64(scores[seat, total])
    for seat in range(players):
        own = np.float64(scores[seat, total])
        lead = own - (points - own) / (players - 1)
        values[seat] = 0.5 / (1.0 + np.exp(-lead / scale))
        if ranks[seat] == 1:
            values[seat] += 0.5 / winners


@entry
def simulate(
    games: Any,
    index: int,
    tables: Any,
    seat: int,
    world: Any,
    entries: Any,
    used: Any,
    path: Any,
    legal: Any,
    observation: Any,
    size: int,
    scores: Any,
    ranks: Any,
    values: Any,
    exploration: float,
    widening: float,
    scale: float,
    rollout: int,
    seed: Any,
    first: int,
    count: int,
) -> int:
    """Run ``count`` simulations from the decision of ``seat`` in ``games[index]``; returns how many were run.

    Fewer when the table is half full. ``world``: a record to work on; ``path``: int64[length, 2]; ``observation``:
    float32 of even length; ``used``: int64[1], entries in the table; ``seed``: uint64[1], of the agent.
    """
    root = _node(games[index], tables[0], seat, observation, size)
    stream = mix(root ^ seed[0], SEARCH, np.int64(seat))
    for simulation in range(first, first + count):
        if 2 * used[0] > len(entries):
            return simulation - first
        noise = mix(stream, SEARCH, simulation)
        world[0] = games[index]
        game = world[0]
        verbs.determinize(game, tables[0], seat, noise)
        word = noise | np.uint64(1)
        length = 0
        fresh = False
        while not game["over"] and not fresh and length + len(values) < len(path):
            node = _node(game, tables[0], seat, observation, size)
            deciders = np.int64(game["deciders"])
            for decider in range(np.int64(game["num_players"])):
                if (deciders >> decider) & 1:
                    n = verbs.legal(game, tables[0], decider, legal)
                    action = np.int64(legal[0])
                    if n > 1:
                        place, action, new, word = _select(
                            entries, node, game, tables[0], decider, legal, n, exploration, widening, word
                        )
                        used[0] += new
                        fresh |= new
                        path[length, 0] = place
                        path[length, 1] = decider
                        length += 1
                    verbs.choose(game, tables[0], decider, action)
            verbs.advance(game, tables[0])
        _roll_out(rollout, game, tables[0], legal, word)
        _values(game, tables[0], scores, ranks, scale, values)
        for step in range(length):
            entries[path[step, 0]]["visits"] += 1
            entries[path[step, 0]]["value"] += values[path[step, 1]]
    return count


@entry
def root_visits(
    games: Any,
    index: int,
    tables: Any,
    seat: int,
    entries: Any,
    legal: Any,
    observation: Any,
    size: int,
    visits: Any,
) -> int:
    """Write how often each legal action of the decision was tried, in order of action; returns how many there are."""
    node = _node(games[index], tables[0], seat, observation, size)
    count = verbs.legal(games[index], tables[0], seat, legal)
    for k in range(count):
        entry = entries[_find(entries, _key(node, seat, legal[k]))]
        # Of equally tried actions the one worth more: a value is less than one visit.
        visits[k] = np.float64(entry["visits"])
        if entry["visits"] > 0:
            visits[k] += 0.5 * entry["value"] / np.float64(entry["visits"])
    return np.int64(count)


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
            three times so in 7 Wonders).
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
        exploration: float = EXPLORATION,
        widening: float = WIDENING,
        reuse: bool = False,
        seed: int = 0,
        name: str = "search",
    ) -> None:
        self.game = game = make_game(game)
        self.simulations = whole("simulations", simulations, 1)
        self.milliseconds = None if milliseconds is None else _positive("milliseconds", milliseconds)
        self.repeatable = milliseconds is None
        self.rollout = ROLLOUTS.index(one_of("rollout", rollout, ROLLOUTS))
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
        self._world = np.zeros(1, game.dtype)
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
                self._world,
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
                self._seed,
                self.done,
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
