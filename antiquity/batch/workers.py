"""The work on a batch, in shards, by one thread or a pool of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from antiquity.batch import loop
from antiquity.batch.core import Core, Finished, Outputs, finished_dtype, work_dtype
from antiquity.game import Game
from antiquity.kernels import specialise

Result = TypeVar("Result")
_ONCE = loop.SPREAD | loop.CHECK | loop.BEGIN

ROOM = 8
"""Finished games that a shard has room for at first; it grows as needed."""


def _stand_in(argument: Any) -> Any:
    """An empty array of the same type, or a tuple of them."""
    if isinstance(argument, tuple):
        return type(argument)(*map(_stand_in, argument))
    return np.zeros((0,) * argument.ndim, argument.dtype)


_compiled: dict[tuple[Any, ...], Callable[..., Any]] = {}


def code(function: Callable[..., Any], arguments: tuple[Any, ...], numbers: int) -> Callable[..., Any]:
    """The machine code of an entry for arrays (or tuples of arrays) like `arguments` followed by this many ints.

    The arrays of every call must be of the same types, C-contiguous and writable.
    """
    kinds = []
    for argument in arguments:
        for array in argument if isinstance(argument, tuple) else (argument,):
            kinds += [array.dtype, array.ndim]
    key = (function, numbers, *kinds)
    found = _compiled.get(key)
    if found is None:
        stand_ins = tuple(map(_stand_in, arguments))
        found = _compiled[key] = specialise(function, (*stand_ins, *(0,) * numbers))
    return found


class Shard:
    """A contiguous range of the games of a batch, with what one thread needs to work on it."""

    def __init__(self, game: Game, core: Core, start: int, stop: int, outputs: Outputs) -> None:
        self.start, self.stop = start, stop
        self.core = core
        columns = len(game.categories) + 2
        self.work = np.zeros(1, work_dtype(game.max_players, columns))
        seats = core.legal.shape[1]
        self._finished = Finished(
            np.zeros(0, finished_dtype(game.max_players, columns)),
            np.empty((0, seats, outputs.observations.shape[1]), outputs.observations.dtype),
            np.empty((0, seats, outputs.masks.shape[1]), np.int8),
        )
        self._make_room(min(ROOM, stop - start))
        self._run: Callable[..., int] | None = None

    def _make_room(self, room: int) -> None:
        """Make room for this many finished games, keeping those that are there."""
        wider = []
        for old in self._finished:
            new = np.zeros((room, *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            wider.append(new)
        self._finished = Finished(*wider)

    def run(self, ops: int, outputs: Outputs, start: int | None = None, stop: int | None = None) -> int:
        """Do `ops` to the shard, or to a part of it. Returns the index of an illegal action, or -1."""
        if self._run is None:
            self._run = code(loop.run, (self.core, self.work, outputs, self._finished), 3)
        at = self.start if start is None else start
        end = self.stop if stop is None else stop
        return self._go_on(ops, outputs, at, end)

    def resume(self, ops: int, outputs: Outputs) -> None:
        """Go on where a run was interrupted between two calls of the kernel."""
        self._more_room()
        self._go_on(ops & ~_ONCE, outputs, int(self.work["at"][0]), self.stop)

    def _go_on(self, ops: int, outputs: Outputs, at: int, end: int) -> int:
        assert self._run is not None
        while True:
            at = self._run(self.core, self.work, outputs, self._finished, ops, at, end)
            if at == end:
                return -1
            if at < 0:
                return -1 - at
            # No room for the next game that has ended: make some, and go on with that game.
            self._more_room()
            ops &= ~_ONCE

    def _more_room(self) -> None:
        self._make_room(min(2 * len(self._finished.records), self.stop - self.start))

    def finished(self) -> Finished:
        """The games that ended in the last step, k of them; no copies."""
        count = int(self.work["finished"][0])
        return Finished(*(array[:count] for array in self._finished))

    def forget_finished(self) -> None:
        """No game has ended in the last step."""
        self.work["finished"] = 0

    def count(self, index: int) -> int:
        """Seats of game `index` with something to choose, going by its list."""
        return int(np.count_nonzero(self.core.legal[index, :, 0]))

    @property
    def deciding(self) -> int:
        """Seats with something to choose, as counted when the legal actions were last listed."""
        return int(self.work["deciding"][0])


class Workers:
    """The shards of a batch, and the threads that work on them.

    Args:
        game: the game.
        core: the arrays of the whole batch.
        threads: the most shards; none is empty.
        outputs: arrays like those that the steps will write.
    """

    def __init__(self, game: Game, core: Core, threads: int, outputs: Outputs) -> None:
        games = len(core.games)
        threads = min(threads, games)
        edges = [games * part // threads for part in range(threads + 1)]
        self.shards = [Shard(game, core, *ends, outputs) for ends in pairwise(edges)]
        self._entries: dict[Callable[..., Any], Callable[..., Any]] = {}
        self._process = -1
        self._executor: ThreadPoolExecutor | None = None

    def configure(self, **settings: Any) -> None:
        """Set fields of every shard's work record."""
        for each in self.shards:
            for name, value in settings.items():
                each.work[name] = value

    def map(self, function: Callable[[Shard], Result]) -> list[Result]:
        """`function` of every slice: the first in this thread, the others in the pool's."""
        if len(self.shards) == 1:
            return [function(self.shards[0])]
        if self._executor is None or self._process != os.getpid():
            # Threads are made when first needed, and again after a fork, which does not copy the parent's.
            self._executor = ThreadPoolExecutor(len(self.shards) - 1, "antiquity")
            self._process = os.getpid()
        others = [self._executor.submit(function, each) for each in self.shards[1:]]
        first = function(self.shards[0])
        return [first, *(each.result() for each in others)]

    def entry(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], numbers: int
    ) -> Callable[..., Any]:
        """:func:`code`, found quickly: for one batch the types of an entry's arguments never change."""
        found = self._entries.get(function)
        if found is None:
            found = self._entries[function] = code(function, arguments, numbers)
        return found

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], *numbers: int) -> None:
        """Call an entry with `arguments` (``Shard`` stands for a shard's work), `numbers`, start and stop."""
        if len(self.shards) == 1:
            self._call_on(self.shards[0], function, arguments, numbers)
        else:
            self.map(lambda shard: self._call_on(shard, function, arguments, numbers))

    def _call_on(
        self, shard: Shard, function: Callable[..., Any], arguments: tuple[Any, ...], numbers: tuple[int, ...]
    ) -> None:
        own = tuple(shard.work if each is Shard else each for each in arguments)
        self.entry(function, own, len(numbers) + 2)(*own, *numbers, shard.start, shard.stop)

    def run(self, ops: int, outputs: Outputs) -> int:
        """Do `ops` to the whole batch. Returns the index of the first illegal action (nothing is changed), or -1."""
        if len(self.shards) == 1:
            return self.shards[0].run(ops, outputs)
        # Nothing may change before all shards are checked, and rows can only be placed once all are counted.
        before, after = ops & (loop.SPREAD | loop.CHECK), ops & loop.ROWS
        between = ops & ~(before | after | loop.BEGIN)
        if before:
            offenders = [found for found in self.map(lambda each: each.run(before, outputs)) if found >= 0]
            if offenders:
                return min(offenders)
        if between:
            self.map(lambda each: each.run(between | loop.BEGIN, outputs))
        if after:
            self.place_rows()
            self.map(lambda each: each.run(after | loop.BEGIN, outputs))
        return -1

    def run_one(self, index: int, ops: int, outputs: Outputs) -> None:
        """Do `ops`, BEGIN among them, to game `index` alone. The legal actions of all games must be listed."""
        if self.shards[0].stop == 1 and len(self.shards) == 1:
            self.shards[0].run(ops, outputs)  # the only game: there are no counts of others to keep
            return
        if ops & loop.PLAY:
            self.forget_finished()
        own = next(each for each in self.shards if each.start <= index < each.stop)
        before, others = own.deciding, own.deciding - own.count(index)
        own.run(ops, outputs, index, index + 1)
        own.work["deciding"] = others + own.deciding if ops & loop.LISTS else before

    def forget_finished(self) -> None:
        """No game has ended in the last step."""
        for each in self.shards:
            each.forget_finished()

    def place_rows(self) -> None:
        """Tell the shards where their decision rows begin."""
        row = 0
        for each in self.shards:
            each.work["first_row"] = row
            row += each.deciding

    def count_rows(self) -> int:
        """Decision rows of the whole batch."""
        return sum(each.deciding for each in self.shards)
