"""Games in which one seat learns and the others are played for it: what the single-agent environments stand on."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity import checks
from antiquity.agents import PYTHON, Agent, AgentLike, Decisions, checked_actions, make_agent
from antiquity.batch import Batch
from antiquity.checks import whole
from antiquity.envs.one_game import Info, standing
from antiquity.envs.play_on import OUTSIDE, first_illegal, play_on, show
from antiquity.game import Game
from antiquity.random import RESERVED, mix_many
from antiquity.slices import Slice, code
from antiquity.spare import Spare

SEAT = RESERVED + 20
"""Purpose of the draw that says where ``seat="rotate"`` begins. Index: 0."""

SEATS = ("rotate",)


class LearnerGames:
    """G games with one learning seat each, played on inside until that seat has something to choose.

    The opponents of the learning seat are numbered clockwise from its left neighbour. Those that live in kernels
    (``"random"``, ``"greedy"``) cost no way back to Python between two decisions of the learner; the others are asked
    for all games at once.

    Args:
        game, num_games, num_players, threads, reward, on_illegal, memory, max_cycles, game_options: as for
            :class:`antiquity.Batch`.
        seat: the learning seat: a number, a name such as ``"player_2"``, or ``"rotate"``: the next one in every game,
            beginning in game i with one that follows from the seed, plus i.
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
        reward: str = "win",
        on_illegal: str = "raise",
        memory: bool = False,
        max_cycles: int | None = None,
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
            **game_options,
        )
        batch = self.batch
        self.game = batch.game
        self.num_games = batch.num_games
        self.fixed_seat = self._read_seat(seat)
        games, seats = batch.num_games, batch.num_seats
        self.learners = np.zeros(games, np.int64)
        """int64[G]: the learning seat of each game."""
        self.results = np.zeros((games, self.game.max_players, len(self.game.categories) + 2), np.int32)
        """int32[G, P, C + 2]: the scores of the last game that has ended in each slot."""
        self.places = np.zeros((games, self.game.max_players), np.int64)
        """int64[G, P]: its ranks."""
        self._spare = (
            Spare((games, batch.observation_size), np.float32),
            Spare((games, batch.num_actions), np.int8),
        )
        self._players = np.full((games, seats), OUTSIDE, np.int64)
        self._given = np.zeros(games, np.int64)
        self._wanted = np.zeros(games, np.int64)
        self._gained = np.zeros(games, np.float64)
        self._calls: dict[int, Callable[[int, int], None]] = {}
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
        """Play against others from now on, also in the games that are going on.

        Raises:
            ValueError, TypeError: not an agent, or the wrong number of them; the opponents stay as they were.
        """
        others = self.batch.num_seats - 1
        listed = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        wanted = list(opponents) if listed else [opponents] * others
        if len(wanted) != others:
            raise ValueError(
                f"{len(wanted)} opponents for {others} other seats; give one for all, or one for each"
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
            # Whose actions are wanted from outside is another question now.
            self.batch._team.map(self._play_slice)

    def _seat_opponents(self, index: NDArray[np.int64]) -> None:
        """Who plays which seat in these games."""
        counts, learners = self.batch.player_counts[index], self.learners[index]
        for offset in range(1, self.batch.num_seats):
            here = offset < counts
            seats = (learners[here] + offset) % counts[here]
            self._players[index[here], seats] = self._kernels[offset - 1]
        self._players[index, learners] = OUTSIDE

    # --- beginning and stepping ---

    def begin(self, seed: int | ArrayLike | None = None, index: NDArray[np.int64] | None = None) -> None:
        """Begin the next game in the slots `index` (all: None), and play to the learner's first decision.

        Args:
            seed: begin the streams of seeds anew, see :class:`antiquity.Batch`.
        """
        batch = self.batch
        where = np.arange(self.num_games) if index is None else index
        if seed is not None:
            batch._seed_slots(seed, index)
        batch._begun = True
        while len(where):
            self._choose_seats(where)
            self._seat_opponents(where)
            batch._slots["restart"][where] = 1
            batch._done[:, where] = False
            self._play()
            # A game that has ended before the learner had any decision isn't worth showing.
            where = where[batch._slots["stopped"][where] == 1]

    def _choose_seats(self, index: NDArray[np.int64]) -> None:
        if self.fixed_seat is not None:
            self.learners[index] = self.fixed_seat
            return
        seed = self.batch.seed
        streams = np.uint64(seed) if isinstance(seed, int) else self.batch._slots["seed"][index]
        first = (mix_many(streams, SEAT, np.uint64(0)) >> np.uint64(33)).astype(np.int64)
        episodes = self.batch._slots["episode"][index].astype(np.int64)
        self.learners[index] = (first + index + episodes) % self.batch.player_counts[index]

    def step(
        self, index: NDArray[np.int64], actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The learners' actions in the games `index`, all of which are going on.

        Returns:
            The rewards float64[len(index)], and the places of the games that have ended with this step.

        Raises:
            ValueError: an action is illegal under ``on_illegal="raise"``; nothing has changed.
        """
        batch, seats = self.batch, self.learners[index]
        if batch.on_illegal == "raise":
            row = first_illegal(batch._legal, seats, index, actions)
            if row >= 0:
                raise ValueError(
                    checks.illegal_action(batch, int(index[row]), int(seats[row]), int(actions[row]))
                )
        bits = 1 << seats
        batch.actions[index, seats] = actions
        self._given[index] |= bits
        self._wanted[index] &= ~bits
        batch._done[:] = False
        self._play()
        rewards = self._gained[index]
        self._gained[index] = 0
        return rewards, index[batch._slots["stopped"][index] == 1]

    def _play(self) -> None:
        while True:
            rows = self._rows_to_ask() if self._asked else None
            if rows is not None:
                self._ask(*rows)
            self.batch._team.map(self._play_slice)
            if rows is None and (not self._asked or self._rows_to_ask() is None):
                return

    def _play_slice(self, piece: Slice) -> None:
        call = self._calls.get(piece.start)
        if call is None:
            batch = self.batch
            arrays = (
                batch.games,
                batch.tables,
                batch._options,
                batch._slots,
                piece.work,
                batch._actions,
                batch._legal,
                batch.rewards,
                batch._done,
                self.learners,
                self._players,
                self._given,
                self._wanted,
                self._gained,
                self.results,
                self.places,
            )
            call = functools.partial(code(play_on, arrays, 2), *arrays)
            self._calls[piece.start] = call
        call(piece.start, piece.stop)

    def _rows_to_ask(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """Games and seats of the opponents that are to be asked in Python now: where the learner isn't awaited."""
        free = (self._wanted >> self.learners) & 1 == 0
        bits = np.where(free & (self.batch._slots["stopped"] == 0), self._wanted, 0)
        if not bits.any():
            return None
        index, seats = np.nonzero((bits[:, None] >> np.arange(self.batch.num_seats)) & 1)
        return index, seats

    def _ask(self, index: NDArray[np.int64], seats: NDArray[np.int64]) -> None:
        batch = self.batch
        offsets = (seats - self.learners[index]) % batch.player_counts[index]
        numbers = self._numbers[offsets - 1]
        for number, agent in enumerate(self._asked):
            mine = np.flatnonzero(numbers == number)
            if len(mine):
                asked = Decisions(self.game, batch.games, batch.tables, index[mine], seats[mine])
                batch.actions[index[mine], seats[mine]] = checked_actions(agent, asked)
        np.bitwise_or.at(self._given, index, 1 << seats)
        self._wanted[index] &= ~self._given[index]

    # --- looking ---

    def show(self, index: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """What the learners of the games `index` see, float32[R, F], and their masks, int8[R, A].

        The arrays are the caller's own; those of all games may be given again when nobody holds them any more.
        """
        batch = self.batch
        if len(index) == self.num_games:
            observations, masks = (spare.take() for spare in self._spare)
        else:
            observations = np.empty((len(index), batch.observation_size), np.float32)
            masks = np.empty((len(index), batch.num_actions), np.int8)
        arrays = (batch.games, batch.tables, batch._legal, self.learners, index, observations, masks)
        code(show, arrays, 2)(*arrays, 0, len(index))
        return observations, masks

    def going(self) -> NDArray[np.int64]:
        """The places of the games that are going on."""
        return np.flatnonzero(self.batch._slots["stopped"] == 0)

    def result(self, index: int) -> Info:
        """The learner's result in the game that has ended last in slot `index`: scores, total, tiebreak, rank."""
        seat = self.learners[index]
        return standing(self.game, self.results[index, seat], self.places[index, seat])

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_calls"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._calls = {}
