"""What a batch does for those who choose: actions of kernel players, choices of a seat with their appraisals."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity.batch import checks, drive, loop
from antiquity.batch.core import Array, Core
from antiquity.batch.pool import ArrayPool
from antiquity.batch.results import Choices
from antiquity.batch.workers import Workers, code
from antiquity.game import Game
from antiquity.game.checks import one_of, whole


class Choosing:
    """The part of an engine that chooses; see :class:`antiquity.batch.engine.Engine`."""

    game: Game
    core: Core
    workers: Workers
    stale: bool

    def _begin_choosing(self) -> None:
        self._choice_pools: tuple[ArrayPool, ArrayPool] | None = None
        self._samplers: dict[str, Callable[..., int]] = {}

    def list_legal(self) -> None:
        """Bring the lists of legal actions up to date."""
        raise NotImplementedError

    def sample(self, policy: str, salt: int, out: Array, rows: int) -> None:
        """Write the actions of a kernel player to `out`, int64: for all seats, or with `rows` for the decision rows."""
        if self.stale:
            self.list_legal()
        if type(salt) is not int or not 0 <= salt < 1 << 63:
            salt = whole("salt", salt, 0, (1 << 63) - 1)
        call = self._samplers.get(policy)
        if call is None:
            one_of("policy", policy, tuple(drive.PLAYERS))
            function = loop.sample_random if policy == "random" else loop.sample_greedy
            call = self._samplers[policy] = code(function, (self.core, out), 5)
        if len(self.workers.shards) == 1:
            call(self.core, out, salt, rows, 0, 0, len(self.core.games))
            return
        if rows:
            self.workers.place_rows()
        self.workers.map(
            lambda each: call(
                self.core, out, salt, rows, int(each.work["first_row"][0]), each.start, each.stop
            )
        )

    def sampler(self, policy: str) -> Callable[[int], NDArray[np.int64]]:
        """See :meth:`antiquity.Batch.sampler`."""
        games, seats = self.core.legal.shape[:2]
        out = np.empty((games, seats), np.int64)
        self.sample(policy, 0, out, rows=0)
        call = functools.partial(self._samplers[policy], self.core, out)

        def sample(salt: int = 0) -> NDArray[np.int64]:
            if self.stale:
                self.list_legal()
            call(salt, 0, 0, 0, games)
            return out

        return sample

    def choices(self, index: ArrayLike, seats: ArrayLike) -> Choices:
        """See :meth:`antiquity.Batch.choices`."""
        if self.stale:
            self.list_legal()
        games, room = self.core.legal.shape[:2]
        where = checks.places(index, seats, games, room)
        count, most, columns = len(where[0]), self.game.max_legal, self.game.appraisal.size
        if self._choice_pools is None or count > self._choice_pools[0].shape[0]:
            rows = max(count, games * room)
            self._choice_pools = (
                ArrayPool((rows, most), np.uint16),
                ArrayPool((rows * most, columns), np.float32),
            )
        legal, appraisals = (pool.take() for pool in self._choice_pools)
        counts = np.empty(count, np.int64)
        arguments = (self.core, *where, legal, counts, appraisals)
        call = self.workers.entry(drive.choices, arguments, 2)
        self.workers.map(
            lambda each: call(*arguments, count * each.start // games, count * each.stop // games)
        )
        shape = (count, most, columns)
        return Choices(legal[:count], counts, appraisals[: count * most].reshape(shape))
