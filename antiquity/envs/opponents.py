"""Games with one learning seat and its opponents: the basis of the single-agent environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from antiquity.agents import PYTHON, Agent, AgentLike, Decisions, OpponentPool, checked_actions, make_agent
from antiquity.agents.pool import check_names, from_file, name_of
from antiquity.batch import OUTSIDE, Batch, Driver, Reward, stand_in, standing
from antiquity.game import Game
from antiquity.game.checks import whole
from antiquity.game.position import Position
from antiquity.game.random import RESERVED, mix_many

SEAT = RESERVED + 20
"""Purpose of the draw that says where ``seat="rotate"`` begins. Index: 0."""
EPISODE = RESERVED + 22
"""Purpose of what opponents are drawn by. Index: the number of the game in its slot's stream."""

SEATS = ("rotate",)
Opponents = AgentLike | Sequence[AgentLike] | OpponentPool
"""One agent for all seats but the learner's, one for each, or a pool that is drawn from."""


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
            An :class:`antiquity.agents.OpponentPool`: at the beginning of every game a member is drawn for each of
            the other seats, from the pool's seed, that of the slot's stream of games and the number of the game in it;
            so the draws of a slot depend on other games only by what the pool has learnt from them. Results are
            recorded in the pool when a game ends: for each opponent whether the learner ranks ahead of it, level or
            behind. Games that are cut off or given up, and those that end before the learner's first decision, are not.
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int = 1,
        num_players: int | Sequence[int] | None = None,
        *,
        seat: int | str = 0,
        opponents: Opponents = "random",
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
        batch = Batch(
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
        self._set_up(batch, seat)
        self.set_opponents(opponents)

    def _set_up(self, batch: Batch, seat: int | str) -> None:
        self.batch = batch
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
        self.drawn = np.zeros((games, table - 1), np.int64)
        """int64[G, S - 1]: who plays the other seats, clockwise from the learner's left: the numbers of agents."""
        self.pool: OpponentPool | None = None

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

    def set_opponents(self, opponents: Opponents) -> None:
        """Replace the opponents, also in games in progress.

        Raises:
            ValueError, TypeError: not an agent, the wrong number of them, a pool of nobody or of another game; the
                opponents stay as they were.
        """
        count = self.batch.num_seats - 1
        if isinstance(opponents, OpponentPool):
            if opponents.game.name != self.game.name:
                raise ValueError(f"the pool is for {opponents.game.title}, and this is {self.game.title}")
            opponents.draw_seats([0], count)  # refuses a pool of nobody
            self.pool = opponents
            # A game in progress has been counted as begun.
            self._draw(np.arange(self.num_games), int(self.batch.begun))
        else:
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
            self.pool = None
            self._names = [
                name_of(agent, made[id(agent)]) for agent in {id(each): each for each in wanted}.values()
            ]
            self._know(list(made.values()))
            self.drawn[:] = [list(made).index(id(agent)) for agent in wanted]
        self._seat_opponents(np.arange(self.num_games))
        if self.batch.begun:
            self._play()  # other seats may have to be asked now

    def _know(self, agents: list[Agent]) -> None:
        """The agents that :attr:`drawn` counts."""
        self.agents = agents
        self._kernels = np.array([agent.kernel for agent in agents], np.int64)

    def _draw(self, index: NDArray[np.int64], begun: int) -> None:
        """Draw the opponents of these games, `begun` of which per slot are counted as begun, from the pool."""
        assert self.pool is not None
        self._know([member.agent for member in self.pool.members])
        keys = mix_many(self._driver.streams[index], EPISODE, self._driver.episodes[index] - begun)
        self.drawn[index] = self.pool.draw_seats(keys, self.drawn.shape[1])

    def _seat_opponents(self, index: NDArray[np.int64]) -> None:
        """Who plays which seat in these games."""
        counts, learners = self.batch.player_counts[index], self.learners[index]
        for offset in range(1, self.batch.num_seats):
            here = offset < counts
            seats = (learners[here] + offset) % counts[here]
            self._driver.players[index[here], seats] = self._kernels[self.drawn[index[here], offset - 1]]
        self._driver.players[index, learners] = OUTSIDE
        self._asked = bool((self._kernels[self.drawn] == PYTHON).any())

    def seat_names(self, index: int) -> tuple[str, ...]:
        """Who sits where in game `index`: ``"learner"``, or the name of an opponent."""
        players = int(self.batch.player_counts[index])
        names = ["learner", *(self.agents[number].name for number in self.drawn[index, : players - 1])]
        first = int(self.learners[index])
        return tuple(names[(seat - first) % players] for seat in range(players))

    def about(self) -> str:
        """Seats and opponents in words, for the reprs of environments."""
        counts = "-".join(map(str, sorted({self.batch.player_counts.min(), self.batch.player_counts.max()})))
        seat = "any seat" if self.fixed_seat is None else f"seat {self.fixed_seat}"
        names = ", ".join(dict.fromkeys(agent.name for agent in self.agents)) or "nobody"
        if self.pool is not None:
            names = f"a pool of {len(self.pool)}, {self.pool.sampling}"
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
            if self.pool is not None:
                self._draw(where, 0)
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
            if self.pool is not None:
                self._record(self.pool, ended[~self.truncated[ended]])
        rewards = self._gained[index]
        self._gained[index] = 0
        return rewards, ended

    def _record(self, pool: OpponentPool, index: NDArray[np.int64]) -> None:
        """Tell the pool how these games have ended, seat by seat."""
        counts, learners = self.batch.player_counts[index], self.learners[index]
        for offset in range(1, self.batch.num_seats):
            here = offset < counts
            games, own = index[here], learners[here]
            behind = self.ranks[games, (own + offset) % counts[here]] - self.ranks[games, own]
            pool.record(self.drawn[games, offset - 1], 0.5 + 0.5 * np.sign(behind))

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
        offsets = (seats - self.learners[index]) % batch.player_counts[index] - 1
        numbers = self.drawn[index, offsets]
        for number in np.unique(numbers):
            mine = np.flatnonzero(numbers == number)
            asked = Decisions(self.game, batch.games, batch.tables, index[mine], seats[mine])
            actions[mine] = checked_actions(self.agents[number], asked)
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

    # --- files ---

    def notes(self) -> dict[str, Any]:
        """What a file holds beside the batch, as JSON knows it: the seats, and the names of the opponents.

        Raises:
            ValueError: opponents that no name tells apart.
        """
        opponents: Any
        if self.pool is not None:
            opponents = self.pool.as_dict()
        else:
            check_names(
                [(name, agent, named) for (name, named), agent in zip(self._names, self.agents, strict=True)]
            )
            opponents = self._names
        return {
            "seat": self.fixed_seat,
            "learners": self.learners.tolist(),
            "gained": self._gained.tolist(),
            "drawn": self.drawn.tolist(),
            "opponents": opponents,
        }

    @classmethod
    def restored(cls, batch: Batch, notes: Mapping[str, Any], agents: Mapping[str, AgentLike]) -> Self:
        """The games of a batch from a file and of the :meth:`notes` in it.

        Args:
            batch: without autoreset.
            notes: as JSON gives them.
            agents: what the file cannot hold, by the names in it.

        Raises:
            ValueError, TypeError, KeyError: the notes do not fit the batch, or an agent is missing.
        """
        games = object.__new__(cls)
        games._set_up(batch, "rotate" if notes["seat"] is None else notes["seat"])
        told = notes["opponents"]
        if isinstance(told, dict):
            games.pool = OpponentPool.from_dict(told, game=games.game, agents=agents)
            games._know([member.agent for member in games.pool.members])
        else:
            games._names = [(name, bool(named)) for name, named in told]
            games._know([from_file(name, named, games.game, agents) for name, named in games._names])
        games.learners[:] = _whole(notes["learners"], games.learners.shape, batch.player_counts)
        games.drawn[:] = _whole(notes["drawn"], games.drawn.shape, len(games.agents))
        gained = np.array(notes["gained"], np.float64)
        if gained.shape != games._gained.shape or not np.isfinite(gained).all():
            raise ValueError("what the learners have gained is not a number for each game")
        if games.fixed_seat is not None and (games.learners != games.fixed_seat).any():
            raise ValueError(f"the learners do not have the seat {games.fixed_seat}")
        games._gained[:] = gained
        games._seat_opponents(np.arange(games.num_games))
        if batch.begun:
            games._play()  # plays nothing, and finds out who is waited for
        return games


def _whole(given: Any, shape: tuple[int, ...], below: Any) -> NDArray[np.int64]:
    """Whole numbers from a file, in [0, below)."""
    found = np.array(given, np.int64 if np.size(given) == 0 else None)
    if found.shape != shape or found.dtype.kind not in "iu" or ((found < 0) | (found >= below)).any():
        raise ValueError(f"its seats and opponents are not those of {shape[0]} games")
    return found.astype(np.int64)
