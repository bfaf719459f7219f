"""Games that are played until a seat that is controlled from outside must choose: :class:`Driver`.

>>> import numpy as np
>>> from antiquity import Batch
>>> from antiquity.batch import GREEDY, OUTSIDE, Driver
>>> batch = Batch("seven_wonders", 8, 4, seed=0, autoreset=False)
>>> driver = Driver(batch, np.array([OUTSIDE, GREEDY, GREEDY, GREEDY]))
>>> driver.begin()
>>> index, seats = driver.play()
>>> while len(index):
...     legal = [batch.legal_actions(*row)[0] for row in zip(index, seats)]
...     driver.commit(index, seats, np.array(legal))
...     index, seats = driver.play()
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity.batch import checks, drive
from antiquity.batch.batch import Batch
from antiquity.batch.core import Array, Outputs
from antiquity.batch.workers import Shard

FIRST_LOG = 256
"""Choices of a game that there is room for at first."""


class Driver:
    """Plays the games of a batch until a seat that is controlled from outside must choose, or to their ends.

    Kernel players need no return to Python. Games that have ended stay as they are until :meth:`begin`. The batch's
    scores, ranks, legal actions and rewards are those of the games as they stand; its observations and masks of all
    seats are only written by :meth:`antiquity.Batch.refresh`, those of some seats by :meth:`observe`. If the batch has
    a hook, it sees every step.

    Args:
        batch: with ``autoreset=False``.
        players: int64[S] for all games or int64[G, S]: who plays each seat, ``RANDOM``, ``GREEDY`` or ``OUTSIDE``.
        forced: seats controlled from outside are not asked if only one action is legal.
        record: keep the choices of all seats, see :meth:`history`; not beside a hook.

    Raises:
        ValueError: the batch begins new games by itself, or there is no such player.
    """

    def __init__(
        self, batch: Batch, players: ArrayLike, *, forced: bool = False, record: bool = False
    ) -> None:
        if batch.autoreset:
            raise ValueError(
                "a Driver leaves games that have ended alone: make the batch with autoreset=False"
            )
        self.batch = batch
        self.players: NDArray[np.int64] = np.array(
            np.broadcast_to(np.asarray(players, np.int64), (batch.num_games, batch.num_seats))
        )
        """int64[G, S]; you may write to it between calls."""
        if not np.isin(self.players, (drive.RANDOM, drive.GREEDY, drive.OUTSIDE)).all():
            raise ValueError("players are RANDOM, GREEDY or OUTSIDE")
        self.forced = bool(forced)
        self._awaited = np.zeros(batch.num_games, np.int64)
        self._log = np.zeros((batch.num_games, FIRST_LOG if record else 0), np.uint16)
        self._logged = np.zeros(batch.num_games, np.int64)

    @property
    def running(self) -> NDArray[np.bool_]:
        """bool[G]: the games in progress."""
        return np.asarray(self.batch._engine.slots["stopped"] == 0)

    @property
    def episodes(self) -> NDArray[np.int64]:
        """int64[G]: how many games of its current stream of seeds each slot has begun."""
        return self.batch._engine.slots["episode"].astype(np.int64)

    @property
    def streams(self) -> NDArray[np.uint64]:
        """uint64[G]: the seed of each slot's stream of games."""
        return self.batch._engine.slots["seed"].copy()

    def begin(self, seed: int | ArrayLike | None = None, *, index: ArrayLike | None = None) -> None:
        """Begin new games, as :meth:`antiquity.Batch.reset` does, without writing observations and masks."""
        self.batch._engine.begin(seed, index)

    def play(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Play on.

        Afterwards the batch's ``rewards`` are the sums since the last call, and its ``terminated`` and ``truncated``
        mark the games that have ended in this one.

        Returns:
            Game and seat, int64[R] each, of the choices to make: :meth:`commit` them, and call again.
        """
        engine = self.batch._engine
        engine.require_begun()
        if engine.copy:
            engine.outputs = Outputs(*engine.outputs[:2], *engine.new_results())
        with engine.paid_at_once():
            if self.batch.hook is None:
                self._drive()
            elif self._log.size:
                raise ValueError(
                    "a Driver with record=True plays inside kernels: take the hook off the batch"
                )
            else:
                self._play_by_steps()
            engine.workers.forget_finished()
        engine.stale = True  # only those who must choose have their legal actions listed
        self.batch._show()
        index, seats = np.nonzero(self._awaited[:, None] >> np.arange(self.batch.num_seats) & 1)
        return index, seats

    def _drive(self) -> None:
        """Play inside kernels, making room for choices where there is none."""
        engine, players = self.batch._engine, np.ascontiguousarray(self.players)
        rewards, done = engine.outputs[2:]
        before: tuple[NDArray[np.float32], NDArray[np.bool_]] | None = None
        while True:
            arguments = (engine.core, Shard, players, self._awaited, rewards, done, self._log, self._logged)
            engine.workers.call(drive.drive, arguments, int(self.forced))
            if before is not None:
                rewards += before[0]
                done |= before[1]
            if not (self._awaited & drive.FULL).any():
                return
            self._log = np.concatenate([self._log, np.zeros_like(self._log)], axis=1)
            before = rewards.copy(), done.copy()

    def history(self) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """What was chosen in the steps of the games, with ``record=True``.

        Returns:
            The choices of all games, one game after the other: of each step those of its deciders, by seat; and
            int64[G], how many each game has.
        """
        kept = np.arange(self._log.shape[1]) < self._logged[:, None]
        return self._log[kept], self._logged.copy()

    def _play_by_steps(self) -> None:
        """The same with every step seen by the batch's hook."""
        batch, engine = self.batch, self.batch._engine
        if engine.stale:
            engine.list_legal()
        rewards, done = engine.new_results()
        for index in range(batch.num_games):
            self._awaited[index] = self._outside(index)
            while self._awaited[index] == 0 and engine.slots["stopped"][index] == 0:
                for seat in batch.missing(index):
                    batch.commit(index, seat, self._choice(index, seat))
                batch.resolve(index, complete=True)
                rewards[index] += batch.rewards[index]
                done[:, index] = batch.terminated[index], batch.truncated[index]
                self._awaited[index] = self._outside(index)
        engine.outputs.rewards[:], engine.outputs.done[:] = rewards, done

    def _outside(self, index: int) -> int:
        """Bits of the seats of a game that must be asked; forced choices are committed."""
        found = 0
        for seat in self.batch.missing(index):
            if self.players[index, seat] == drive.OUTSIDE:
                legal = self.batch.legal_actions(index, seat)
                if self.forced and len(legal) == 1:
                    self.batch.commit(index, seat, int(legal[0]))
                else:
                    found |= 1 << seat
        return found

    def _choice(self, index: int, seat: int) -> int:
        """What a kernel player chooses."""
        policy = "greedy" if self.players[index, seat] == drive.GREEDY else "random"
        actions = np.empty((self.batch.num_games, self.batch.num_seats), np.int64)
        self.batch._engine.sample(policy, 0, actions, rows=0)
        return int(actions[index, seat])

    def check(self, index: ArrayLike, seats: ArrayLike, actions: ArrayLike) -> None:
        """Check that choices are legal, if ``on_illegal="raise"``; the ValueError names the first that is not."""
        if self.batch.on_illegal != "raise":
            return
        given = [np.ascontiguousarray(each, np.int64) for each in (index, seats, actions)]
        engine = self.batch._engine
        arguments = (engine.core, *given)
        row = engine.workers.entry(drive.first_illegal, arguments, 0)(*arguments)
        if row >= 0:
            raise ValueError(checks.illegal_action(self.batch, *(int(each[row]) for each in given)))

    def commit(self, index: ArrayLike, seats: ArrayLike, actions: ArrayLike) -> None:
        """Commit choices: row r is seat ``seats[r]`` of game ``index[r]``; int[R] each.

        Raises:
            ValueError: an action is illegal and ``on_illegal="raise"``; nothing has changed.
        """
        engine = self.batch._engine
        given = [np.ascontiguousarray(each, np.int64) for each in (index, seats, actions)]
        arguments = (engine.core, engine.workers.shards[0].work, *given)
        row = engine.workers.entry(drive.commit_rows, arguments, 0)(*arguments)
        if row >= 0:
            raise ValueError(checks.illegal_action(self.batch, *(int(each[row]) for each in given)))

    def observe(self, index: ArrayLike, seats: ArrayLike) -> tuple[Array, NDArray[np.int8]]:
        """What seat ``seats[r]`` of game ``index[r]`` sees, [R, F] of the batch's dtype, and its mask, int8[R, A]."""
        engine, count = self.batch._engine, np.size(index)
        if count == self.batch.num_games:
            observations, masks = engine.game_arrays()
        else:
            observations = np.empty((count, engine.sizes[0]), engine.dtype)
            masks = np.empty((count, engine.sizes[1]), np.int8)
        given = (np.ascontiguousarray(index, np.int64), np.ascontiguousarray(seats, np.int64))
        arguments = (engine.core, *given, observations, masks)
        engine.workers.entry(drive.observe_rows, arguments, 2)(*arguments, 0, count)
        return observations, masks
