"""How a batch is stepped: all seats at once, by decision rows, or one seat at a time."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity import ahead, checks, loops
from antiquity.checks import whole
from antiquity.games import Games
from antiquity.results import Ended, Rows, RowStep, Step
from antiquity.rewards import REWARDS
from antiquity.slices import Array, Outputs, Slice, Team, code, cut
from antiquity.spare import Spare

if TYPE_CHECKING:
    from antiquity.show.recording import Recorder

_REFRESH = loops.BEGIN | loops.LISTS | loops.FULL
CACHED = 1 << 19
"""Observation elements that stay in a core's own cache, so that they need not be asked for ahead: 2 MiB."""
NO_LIMIT = np.iinfo(np.int64).max
_PLAY = loops.BEGIN | loops.PLAY | loops.LISTS


class Stepping(Games):
    """The part of :class:`antiquity.Batch` that steps the games."""

    copy: bool
    reward: str
    on_illegal: str
    autoreset: bool
    observation_size: int
    _max_cycles: int | None
    _recorder: Recorder | None = None

    def _allocate(self) -> None:
        """Everything that is not part of the games' state."""
        games, seats, game = self.num_games, self.num_seats, self.game
        self._actions = np.zeros((2, games * seats), np.int64)
        self.actions: NDArray[np.int64] = self._actions[0].reshape(games, seats)
        """int64[G, S]: what :meth:`play` plays."""
        self._legal = np.zeros((games, seats, game.max_legal + 1), np.uint16)
        self._legal[:, :, -1] = 1
        self.legal_lists = self._legal[:, :, :-1]
        """uint16[G, S, max_legal]: the legal actions of each seat, ascending; only the first legal_counts count."""
        self.legal_counts = self._legal[:, :, -1]
        """uint16[G, S]: how many there are."""
        self._where = np.zeros((2, games * seats), np.int64)
        rows = games * seats
        self._spare = (
            Spare((rows, self.observation_size), np.float32),
            Spare((rows, self.num_actions), np.int8),
        )
        self._clear = loops.CLEAR if self.copy else 0  # who was given an array may have left anything in it
        self._set_outputs(self._new_outputs())
        self._row_outputs: tuple[Array, Array] | None = None
        settings = {
            "margin_scale": game.margin_scale,
            "max_cycles": NO_LIMIT if self._max_cycles is None else self._max_cycles,
            "cached": CACHED,
            "reward": REWARDS.index(self.reward),
            "illegal": loops.ON_ILLEGAL.index(self.on_illegal),
            "autoreset": self.autoreset,
        }
        sizes = (self.observation_size, self.num_actions)
        lines = ahead.NOTHING
        if games * seats * self.observation_size > CACHED:
            wanted = ahead.written(game, self.tables, self._options, seats, sizes, settings)
            lines = ahead.lines(wanted, seats)
        shared = (
            self.games,
            self.tables,
            self._options,
            self._slots,
            self._actions,
            self._legal,
            self._where,
            lines,
        )
        pieces = cut(games, self.threads)
        self._team = Team([Slice(game, start, stop, shared, sizes, settings) for start, stop in pieces])
        self._samplers: dict[str, Callable[..., int]] = {}
        self._commit: Callable[[int, int, int], int] | None = None
        self._check = loops.CHECK if self.on_illegal == "raise" else 0
        self._stale = False  # the lists of legal actions are not those of the games as they stand
        self._ended: Ended | None = None

    def _new_outputs(self) -> Outputs:
        """Arrays for what a step gives, which nobody holds. New ones are zero, as games may trust in."""
        observations, masks = self._spare
        return observations.take(), masks.take(), *self._new_results()

    def _new_results(self) -> tuple[Array, Array]:
        return np.zeros((self.num_games, self.num_seats), np.float32), np.zeros((2, self.num_games), np.bool_)

    def _set_outputs(self, outputs: Outputs) -> None:
        """Let the attributes be these arrays."""
        observations, masks, rewards, done = self._outputs = outputs
        shape = (self.num_games, self.num_seats, -1)
        self.observations: NDArray[np.float32] = observations.reshape(shape)
        """float32[G, S, F] of the last reset or step."""
        self.masks: NDArray[np.int8] = masks.reshape(shape)
        """int8[G, S, A] of the last reset or step."""
        self.rewards: NDArray[np.float32] = rewards
        """float32[G, S] of the last step."""
        self.terminated: NDArray[np.bool_] = done[0]
        """bool[G] of the last step."""
        self.truncated: NDArray[np.bool_] = done[1]
        """bool[G] of the last step."""
        self._done = done

    @property
    def max_cycles(self) -> int | None:
        """Steps after which a game is truncated, or None; it may be changed at any time."""
        return self._max_cycles

    @max_cycles.setter
    def max_cycles(self, value: int | None) -> None:
        self._max_cycles = None if value is None else whole("max_cycles", value, 1)
        for each in self._team.slices:
            each.work["max_cycles"] = NO_LIMIT if self._max_cycles is None else self._max_cycles

    # --- stepping ---

    def reset(
        self, seed: int | ArrayLike | None = None, *, index: ArrayLike | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Begin new games.

        Args:
            seed: begin the streams of seeds anew, as in the constructor; None goes on with them.
            index: in these slots alone (ints, or a bool for each game); None: in all. An array of seeds then has one
                for each of them.

        Returns:
            observations float32[G, S, F] and masks int8[G, S, A] of the whole batch.
        """
        if index is not None:
            self._require_begun()
        places = None if index is None else checks.slots(index, self.num_games)
        if seed is not None:
            self._seed_slots(seed, places)
        self._slots["restart"][slice(None) if places is None else places] = 1
        outputs = (
            (*self._new_outputs()[:2], self.rewards.copy(), self._done.copy()) if self.copy else self._outputs
        )
        self._begun = True
        self._ended = None
        self._run(_REFRESH | loops.RESTART | self._clear, outputs)
        self._set_outputs(outputs)
        self._stale = False
        return self.observations, self.masks

    def step(self, actions: ArrayLike) -> Step:
        """Everybody's action at once.

        Args:
            actions: int[G, S], action numbers; WAIT (0) for a seat that waits, anything for an absent one.

        Returns:
            Observations and masks of the next decision, rewards and ends of this one. Details of the games that have
            ended: :attr:`ended`.

        Raises:
            ValueError: an action is illegal (``on_illegal="raise"``) or the shape is wrong; no game has changed.
            TypeError: the actions are not integers.
        """
        checks.copy_actions(actions, self.actions)
        self.play()
        return Step(self.observations, self.rewards, self.terminated, self.truncated, self.masks)

    def play(self) -> None:
        """:meth:`step` with the actions that stand in :attr:`actions`, the results in the attributes of their names.

        With ``copy=False`` nothing is allocated: the way for environments of one game. Errors as in :meth:`step`.
        """
        if self._stale or not self._begun:
            self._freshen()
        outputs = self._new_outputs() if self.copy else self._outputs
        self._run(self._check | _PLAY | loops.FULL | self._clear, outputs)
        self._ended = None
        if self.copy:
            self._set_outputs(outputs)

    def rows(self) -> Rows:
        """The seats that have something to choose now, with their observations and masks alone."""
        if self._stale or not self._begun:
            self._freshen()
        observations, masks = self._row_arrays()
        self._team.place_rows()
        outputs = (observations, masks, self.rewards, self._done)
        self._run(loops.BEGIN | loops.ROWS | self._clear, outputs)
        return self._take_rows(observations, masks)

    def step_rows(self, actions: ArrayLike) -> RowStep:
        """Everybody's action at once, given for the decision rows alone.

        Args:
            actions: int[R], one for each row of the last :meth:`rows` or :meth:`step_rows`.

        Returns:
            The next decision rows, and the rewards and ends of all games. The full arrays (:attr:`observations`,
            :attr:`masks`) are not written.

        Raises:
            ValueError, TypeError: as in :meth:`step`.
        """
        if self._stale or not self._begun:
            self._freshen()
        count = self._team.count_rows()
        checks.copy_actions(actions, self._actions[1, :count])
        self._team.place_rows()
        observations, masks = self._row_arrays()
        results = self._new_results() if self.copy else (self.rewards, self._done)
        ops = self._check | _PLAY | loops.SPREAD | loops.ROWS | self._clear
        self._run(ops, (observations, masks, *results))
        self._ended = None
        if self.copy:
            self._set_outputs((*self._outputs[:2], *results))
        return RowStep(*self._take_rows(observations, masks), self.rewards, self.terminated, self.truncated)

    def _row_arrays(self) -> tuple[Array, Array]:
        if self._row_outputs is None or self.copy:
            observations, masks = self._spare
            self._row_outputs = observations.take(), masks.take()
        return self._row_outputs

    def _take_rows(self, observations: Array, masks: Array) -> Rows:
        count = self._team.count_rows()
        where = self._where[:, :count]
        if self.copy:
            where, self._row_outputs = where.copy(), None
        return Rows(where[0], where[1], observations[:count], masks[:count])

    def _run(self, ops: int, outputs: Outputs) -> None:
        recorder = self._recorder if ops & loops.PLAY else None
        before = None if recorder is None else recorder.look()
        offender = self._team.run(ops, outputs)
        if offender >= 0:
            game, seat = divmod(offender, self.num_seats)
            raise ValueError(checks.illegal_action(self, game, seat, int(self.actions[game, seat])))
        if recorder is not None and before is not None:
            self._ended = None
            recorder.note(before, outputs[3], committed=False)

    def _freshen(self) -> None:
        self._require_begun()
        self._run(loops.BEGIN | loops.LISTS, self._outputs)
        self._stale = False

    @property
    def ended(self) -> Ended:
        """The games that ended in the last step, in compact arrays of one's own; k = 0 when there are none."""
        if self._ended is None:
            records = self.ended_records
            parts = [each.ended()[1:] for each in self._team.slices]
            observations, masks = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
            seats = self.num_seats
            self._ended = Ended(
                index=records["index"].copy(),
                observations=observations,
                masks=masks,
                scores=records["scores"][:, :seats].copy(),
                ranks=records["ranks"][:, :seats].copy(),
                rewards=records["rewards"][:, :seats].copy(),
                lengths=records["length"].copy(),
            )
        return self._ended

    @property
    def ended_records(self) -> Array:
        """The same games as they are kept, without their arrays: structured[k], see :func:`slots.ended_dtype`.

        For a batch in one slice a view, which the next step writes over.
        """
        records = [each.ended()[0] for each in self._team.slices]
        return records[0] if len(records) == 1 else np.concatenate(records)

    # --- one seat at a time ---

    def legal_actions(self, index: int, seat: int) -> NDArray[np.uint16]:
        """The legal actions of a seat now, ascending, uint16[n]; WAIT alone for one that waits."""
        if self._stale or not self._begun:
            self._freshen()
        index, seat = self._place(index, seat)
        return self.legal_lists[index, seat, : self.legal_counts[index, seat]].copy()

    def commit(self, index: int, seat: int, action: int) -> int:
        """Commit one seat's secret choice in game `index`; choosing again before :meth:`resolve` replaces it.

        Returns:
            How many deciders of the game have not chosen yet.

        Raises:
            ValueError: the action is illegal and ``on_illegal="raise"``, or there is no such game or seat; nothing
                has changed.
            TypeError: the action is no int.
        """
        if self._stale or not self._begun:
            self._freshen()
        if self._commit is None:
            arrays = (
                self.games,
                self.tables,
                self._slots,
                self._team.slices[0].work,
                self._actions,
                self._legal,
            )
            self._commit = functools.partial(code(loops.commit, arrays, 3), *arrays)
        action = operator.index(action)
        missing = self._commit(index, seat, action)
        if missing < 0:
            index, seat = self._place(index, seat)
            raise ValueError(checks.illegal_action(self, index, seat, action))
        return missing

    def resolve(self, index: int = 0, *, complete: bool = False) -> None:
        """Take what the deciders of game `index` have committed: a step of this game alone.

        The results stand in :attr:`observations`, :attr:`masks`, :attr:`rewards`, :attr:`terminated`,
        :attr:`truncated` and :attr:`ended`, as after a step.

        Args:
            complete: the last :meth:`commit` in this game has returned 0, so that nobody need be looked for.

        Raises:
            ValueError: a decider has not chosen yet, or there is no such game.
        """
        if index:
            index = whole("the index of a game", index, 0, self.num_games - 1)
        missing = () if complete else self.missing(index)
        if missing:
            raise ValueError(
                f"seats {', '.join(map(str, missing))} of game {index} have not chosen yet; "
                "commit an action for each of batch.missing(index) first"
            )
        if self._stale or not self._begun:
            self._freshen()
        if self.copy:
            observations, masks, rewards, done = self._outputs
            self._set_outputs((observations.copy(), masks.copy(), rewards.copy(), done.copy()))
        self._ended = None
        before = None if self._recorder is None else self._recorder.look()
        self._team.run_one(index, _PLAY | loops.COMMITTED | loops.FULL, self._outputs)
        if self._recorder is not None and before is not None:
            self._recorder.note(before, self._done, committed=True)
