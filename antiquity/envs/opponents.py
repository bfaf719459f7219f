"""Games with one learning seat and its opponents: the basis of the single-agent environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from antiquity.agents import PYTHON, Agent, AgentLike, Decisions, checked_actions, make_agent
from antiquity.batch import OUTSIDE, Batch, Driver, Reward, stand_in, standing
from antiquity.game import Game
from antiquity.game.checks import whole
from antiquity.game.position import Position
from antiquity.game.random import RESERVED, mix_many

SEAT = RESERVED + 20
"""Purpose of the draw that says where ``seat="rotate"`` begins. Index: 0."""

SEATS = ("rotate",)


class LearnerGames:
    """G games with one learning seat each, played on until that seat has something to choose.

    The opponents of the learning seat are numbered clockwise from its left neighbour. Kernel agents (``"random"``,
    ``"greedy"``) play without a return to Python between two decisions of the learner; the others are asked for all
    games at once.

    Args:
        game, num_games, num_players, threads, reward, on_illegal, memory, max_cycles, dtype, observation, seats,
            game_options: as for :class:`antiquity.Batch`.
        seat: the learning seat: a number, a name such as ``"player_2"``, or ``"rotate"``: the next one in every game,
            beginning in game i with a seat that follows from the seed and i.
        opponents: one agent for all other seats, or a sequence with one for each, clockwise from the learner's left.
            An agent is a name, the path of a policy file, a function or an Agent (:func:`antiquity.agents.make_agent`).
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int = 1,
        num_players: int | Sequence[int] | None = None,
        *,
        seat: int | str = 0,
        opponents: AgentLike | Sequence[AgentLike] = "random",
        threads: int = 1,
        reward: Reward = "win",
        on_illegal: str = "raise",
        memory: bool = False,
        max_cycles: int | None = None,
        dtype: DTypeLike = "float32",
        observation: str = "vector",
        seats: str = "all",
        **game_options: Any,
    ) -> None:
        self.batch = Batch(
            game,
            num_games,
            num_players,
            threads=threads,
            copy=False,
            reward=reward,
            on_illegal=on_illegal,
            memory=memory,
            max_cycles=max_cycles,
            autoreset=False,
            dtype=dtype,
            observation=observation,
            seats=seats,
            **game_options,
        )
        batch = self.batch
        self.game = batch.game
        self.num_games = batch.num_games
        self.fixed_seat = self._read_seat(seat)
        games, table = batch.num_games, batch.num_seats
        self.learners = np.zeros(games, np.int64)
        """int64[G]: the learning seat of each game."""
        self.results = np.zeros((games, table, len(self.game.categories) + 2), np.int32)
        """int32[G, S, C + 2]: the scores of the game that ended last in each slot."""
        self.ranks = np.zeros((games, table), np.int64)
        """int64[G, S]: its ranks."""
        self.terminated, self.truncated = np.zeros((2, games), np.bool_)
        """bool[G] each: the games that ended in the last step."""
        self._driver = Driver(batch, OUTSIDE)
        self._waiting = (np.zeros(0, np.int64), np.zeros(0, np.int64))
        self._gained = np.zeros(games, np.float64)
        self.set_opponents(opponents)

    def _read_seat(self, seat: int | str) -> int | None:
        fewest = int(self.batch.player_counts.min())
        if isinstance(seat, str):
            if seat in SEATS:
                return None
            prefix, _, number = seat.partition("_")
            if prefix != "player" or not number.isdecimal():
                raise ValueError(f"seat is {seat!r}; it must be a number, 'player_0' ... or 'rotate'")
            seat = int(number)
        return whole("seat", seat, 0, fewest - 1)

    def set_opponents(self, opponents: AgentLike | Sequence[AgentLike]) -> None:
        """Replace the opponents, also in games in progress.

        Raises:
            ValueError, TypeError: not an agent, or the wrong number of them; the opponents stay as they were.
        """
        count = self.batch.num_seats - 1
        listed = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        wanted = list(opponents) if listed else [opponents] * count
        if len(wanted) != count:
            raise ValueError(
                f"{len(wanted)} opponents for {count} other seats; give one for all, or one for each"
            )
        made: dict[int, Agent] = {}
        for agent in wanted:
            if id(agent) not in made:
                made[id(agent)] = make_agent(agent, self.game)
        self.opponents = [made[id(agent)] for agent in wanted]
        self._asked = [agent for agent in made.values() if agent.kernel == PYTHON]
        # The number of each opponent among those that are asked in Python; -1 for kernel agents.
        self._numbers = np.array(
            [self._asked.index(agent) if agent.kernel == PYTHON else -1 for agent in self.opponents], np.int64
        )
        self._kernels = np.array([agent.kernel for agent in self.opponents], np.int64)
        self._seat_opponents(np.arange(self.num_games))
        if self.batch.begun:
            self._play()  # other seats may have to be asked now

    def _seat_opponents(self, index: NDArray[np.int64]) -> None:
        """Who plays which seat in these games."""
        counts, learners = self.batch.player_counts[index], self.learners[index]
        for offset in range(1, self.batch.num_seats):
            here = offset < counts
            seats = (learners[here] + offset) % counts[here]
            self._driver.players[index[here], seats] = self._kernels[offset - 1]
        self._driver.players[index, learners] = OUTSIDE

    def seat_names(self, index: int) -> tuple[str, ...]:
        """Who sits where in game `index`: ``"learner"``, or the name of an opponent."""
        players = int(self.batch.player_counts[index])
        names = ["learner", *(agent.name for agent in self.opponents[: players - 1])]
        first = int(self.learners[index])
        return tuple(names[(seat - first) % players] for seat in range(players))

    def about(self) -> str:
        """Seats and opponents in words, for the reprs of environments."""
        counts = "-".join(map(str, sorted({self.batch.player_counts.min(), self.batch.player_counts.max()})))
        seat = "any seat" if self.fixed_seat is None else f"seat {self.fixed_seat}"
        names = ", ".join(dict.fromkeys(agent.name for agent in self.opponents)) or "nobody"
        return f"{counts} players, {seat} against {names}"

    # --- beginning and stepping ---

    def begin(
        self,
        seed: int | ArrayLike | None = None,
        index: NDArray[np.int64] | None = None,
        position: Position | str | None = None,
    ) -> None:
        """Begin the next game in the slots `index` (all: None), and play to the learner's first decision.

        Args:
            seed: begin the streams of seeds anew, see :class:`antiquity.Batch`.
            position: where a game alone begins, itself or the path of its file; None: at its start.
        """
        where = np.arange(self.num_games) if index is None else index
        while len(where):
            self._driver.begin(seed, index=None if len(where) == self.num_games else where)
            seed = None
            if position is not None:
                stand_in(self.batch, position)
                position = None
            self._choose_seats(where)
            self._seat_opponents(where)
            self._gained[where] = 0
            self._play()
            # A game that ended before the learner's first decision is skipped.
            where = where[~self._driver.running[where]]

    def _choose_seats(self, index: NDArray[np.int64]) -> None:
        if self.fixed_seat is not None:
            self.learners[index] = self.fixed_seat
            return
        seed = self.batch.seed
        streams = np.uint64(seed) if isinstance(seed, int) else self._driver.streams[index]
        first = (mix_many(streams, SEAT, np.uint64(0)) >> np.uint64(33)).astype(np.int64)
        self.learners[index] = (first + index + self._driver.episodes[index]) % self.batch.player_counts[
            index
        ]

    def step(
        self, index: NDArray[np.int64], actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Take the learners' actions in the games `index`, all of which are in progress.

        Returns:
            The rewards float64[len(index)], and the indices of the games that ended with this step.

        Raises:
            ValueError: an action is illegal under ``on_illegal="raise"``; nothing has changed.
        """
        rows = (index, self.learners[index], np.asarray(actions, np.int64))
        if self._asked:  # they choose together with the learner, and without knowing what it has chosen
            self._driver.check(*rows)
            games, seats = self._waiting
            others = np.isin(games, index) & (seats != self.learners[games])
            asked = self._ask(games[others], seats[others])
            rows = tuple(np.concatenate(pair) for pair in zip(rows, asked, strict=True))  # type: ignore[assignment]
        self._driver.commit(*rows)
        self._play()
        ended = index[~self._driver.running[index]]
        if len(ended):
            self.results[ended], self.ranks[ended] = self.batch.scores(ended), self.batch.ranks(ended)
        rewards = self._gained[index]
        self._gained[index] = 0
        return rewards, ended

    def _play(self) -> None:
        """Play on until the learner of every game in progress has something to choose."""
        batch, every = self.batch, np.arange(self.num_games)
        done = np.zeros((2, self.num_games), np.bool_)
        while True:
            games, seats = self._driver.play()
            self._gained += batch.rewards[every, self.learners]
            done |= (batch.terminated, batch.truncated)
            if not self._asked:
                break
            learning = seats == self.learners[games]
            free = ~np.isin(games, games[learning])
            if not free.any():
                break
            self._driver.commit(*self._ask(games[free], seats[free]))
        self._waiting = (games, seats)
        self.terminated, self.truncated = done

    def _ask(
        self, index: NDArray[np.int64], seats: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The choices of the Python opponents: games, seats, actions."""
        batch = self.batch
        actions = np.zeros(len(index), np.int64)
        numbers = self._numbers[(seats - self.learners[index]) % batch.player_counts[index] - 1]
        for number, agent in enumerate(self._asked):
            mine = np.flatnonzero(numbers == number)
            if len(mine):
                asked = Decisions(self.game, batch.games, batch.tables, index[mine], seats[mine])
                actions[mine] = checked_actions(agent, asked)
        return index, seats, actions

    # --- looking ---

    def show(self, index: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """What the learners of the games `index` see, float32[R, F], and their masks, int8[R, A].

        The arrays are the caller's own; those for all games are recycled once nobody holds them any more.
        """
        return self._driver.observe(index, self.learners[index])

    def going(self) -> NDArray[np.int64]:
        """The indices of the games in progress."""
        return np.flatnonzero(self._driver.running)

    def result(self, index: int) -> dict[str, Any]:
        """The learner's result in the game that ended last in slot `index`: scores, total, tiebreak, rank."""
        seat = self.learners[index]
        return standing(self.game, self.results[index, seat], self.ranks[index, seat])
