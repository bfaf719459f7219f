"""How a batch is worked on: in slices, by one thread or a pool of them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from antiquity import jit, loops
from antiquity.game import Game
from antiquity.slots import ended_dtype, work_dtype

Array = NDArray[Any]
Outputs = tuple[Array, Array, Array, Array]
"""Observations [rows, F], masks [rows, A], rewards [G, S], done [2, G]."""
Result = TypeVar("Result")

ROOM = 8
"""Ended games that a slice has room for at first; it makes more as they come."""


def cut(games: int, parts: int) -> list[tuple[int, int]]:
    """[0, games) in at most `parts` pieces of about the same length, none empty."""
    parts = min(parts, games)
    edges = [games * part // parts for part in range(parts + 1)]
    return [(edges[part], edges[part + 1]) for part in range(parts)]


class Slice:
    """Some neighbouring games of a batch, with what one thread needs to work on them.

    Args:
        game: the game.
        start, stop: the places of the games in the batch.
        shared: games, tables, options, slots, actions, legal, where, ahead: the batch's arrays.
        sizes: observation elements and actions.
        settings: values of the fields of :func:`antiquity.slots.work_dtype`.
    """

    def __init__(
        self,
        game: Game,
        start: int,
        stop: int,
        shared: tuple[Array, ...],
        sizes: tuple[int, int],
        settings: dict[str, Any],
    ) -> None:
        self.start, self.stop = start, stop
        columns = len(game.categories) + 2
        self.work = np.zeros(1, work_dtype(game.max_players, columns))
        for name, value in settings.items():
            self.work[name] = value
        games, tables, options, slots, actions, legal, where, lines = shared
        self._before: tuple[Array, ...] = (games, tables, options, slots, self.work, actions)
        self._between: tuple[Array, ...] = (legal, where, lines)
        seats = legal.shape[1]
        self._kept: tuple[Array, ...] = (
            np.zeros(0, ended_dtype(game.max_players, columns)),
            np.empty((0, seats, sizes[0]), np.float32),
            np.empty((0, seats, sizes[1]), np.int8),
        )
        self._make_room(min(ROOM, stop - start))

    def _make_room(self, room: int) -> None:
        """Room for so many ended games, those that are there staying."""
        wider = []
        for old in self._kept:
            new = np.zeros((room, *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            wider.append(new)
        self._kept = tuple(wider)
        self._outputs: Outputs | None = None

    def run(self, ops: int, outputs: Outputs, start: int | None = None, stop: int | None = None) -> int:
        """Do `ops` to the slice, or to a part of it. Returns the index of an illegal action, or -1."""
        if outputs is not self._outputs:  # with copy=False they stay, and so does the call
            arguments = (*self._before, *outputs, *self._between, *self._kept)
            self._call: Callable[[int, int, int], int] = functools.partial(
                code(loops.run, arguments, 3), *arguments
            )
            self._outputs = outputs
        end = self.stop if stop is None else stop
        at = self._call(ops, self.start if start is None else start, end)
        if at == end:
            return -1
        if at < 0:
            return -1 - at
        # No room for the next game that has ended: make some, and go on with that game.
        self._make_room(min(2 * len(self._kept[0]), self.stop - self.start))
        return self.run(ops & ~(loops.BEGIN | loops.SPREAD | loops.CHECK), outputs, at, end)

    def ended(self) -> tuple[Array, ...]:
        """What has been kept of the ended games: records [k], observations [k, S, F], masks [k, S, A]; no copies."""
        count = int(self.work["ended"][0])
        return tuple(array[:count] for array in self._kept)

    def count(self, index: int) -> int:
        """Seats of game `index` with something to choose, going by its list."""
        return int(np.count_nonzero(self._between[0][index, :, 0]))

    @property
    def deciding(self) -> int:
        """Seats with something to choose, as counted when the legal actions were last listed."""
        return int(self.work["deciding"][0])


@functools.lru_cache(maxsize=256)
def _code_for(function: Callable[..., Any], kinds: tuple[Any, ...], numbers: int) -> Callable[..., Any]:
    examples = tuple(np.zeros((0,) * dimensions, dtype) for dtype, dimensions in kinds)
    return jit.specialise(function, (*examples, *(0,) * numbers))


def code(function: Callable[..., Any], arrays: tuple[Array, ...], numbers: int) -> Callable[..., Any]:
    """The machine code of an entry for C-contiguous, writable arrays like these and so many ints behind them."""
    return _code_for(function, tuple((array.dtype, array.ndim) for array in arrays), numbers)


class Pool:
    """Threads that are made when they are first needed, and anew in a process that was forked off."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._process = -1
        self._executor: ThreadPoolExecutor | None = None

    def map(self, function: Callable[[Slice], Result], slices: list[Slice]) -> list[Result]:
        """`function` of each slice: the first in this thread, the others in the pool's."""
        if len(slices) == 1:
            return [function(slices[0])]
        if self._executor is None or self._process != os.getpid():
            # The threads of a parent process do not exist in a forked one.
            self._executor, self._process = ThreadPoolExecutor(self._threads - 1, "antiquity"), os.getpid()
        others = [self._executor.submit(function, each) for each in slices[1:]]
        first = function(slices[0])
        return [first, *(each.result() for each in others)]


class Team:
    """The slices of a batch, and the threads that work on them."""

    def __init__(self, slices: list[Slice]) -> None:
        self.slices = slices
        self._pool = Pool(len(slices))

    def run(self, ops: int, outputs: Outputs) -> int:
        """Do `ops` to the whole batch. Returns the index of the first illegal action (nothing is changed), or -1."""
        if len(self.slices) == 1:
            return self.slices[0].run(ops, outputs)
        # Nothing may change before all slices are checked, and rows have their places once all are counted.
        before, after = ops & (loops.SPREAD | loops.CHECK), ops & loops.ROWS
        clear = ops & loops.CLEAR
        between = ops & ~(before | after | clear | loops.BEGIN)
        if before:
            offenders = [found for found in self.map(lambda each: each.run(before, outputs)) if found >= 0]
            if offenders:
                return min(offenders)
        if between:
            self.map(lambda each: each.run(between | clear | loops.BEGIN, outputs))
        if after:
            self.place_rows()
            self.map(lambda each: each.run(after | clear | loops.BEGIN, outputs))
        return -1

    def run_one(self, index: int, ops: int, outputs: Outputs) -> None:
        """Do `ops`, BEGIN among them, to game `index` alone. The legal actions of all games must be listed."""
        if self.slices[0].stop == 1 and len(self.slices) == 1:
            self.slices[0].run(ops, outputs)  # the only game: there are no counts of others to keep
            return
        if ops & loops.PLAY:
            self.forget_ended()
        own = next(each for each in self.slices if each.start <= index < each.stop)
        before, others = own.deciding, own.deciding - own.count(index)
        own.run(ops, outputs, index, index + 1)
        own.work["deciding"] = others + own.deciding if ops & loops.LISTS else before

    def forget_ended(self) -> None:
        """No game has ended in the last step."""
        for each in self.slices:
            each.work["ended"] = 0

    def map(self, function: Callable[[Slice], Result]) -> list[Result]:
        """`function` of every slice, in the threads."""
        return self._pool.map(function, self.slices)

    def place_rows(self) -> None:
        """Tell the slices where their decision rows begin."""
        if len(self.slices) == 1:
            return
        row = 0
        for each in self.slices:
            each.work["first_row"] = row
            row += each.deciding

    def count_rows(self) -> int:
        """Decision rows of the whole batch."""
        return sum(each.deciding for each in self.slices)
