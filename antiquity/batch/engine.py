"""The engine of a :class:`antiquity.Batch`: its arrays, its streams of seeds, and the calls of its kernels."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity.batch import checks, drive, loop
from antiquity.batch.choosing import Choosing
from antiquity.batch.core import Array, Core, Outputs, slot_dtype
from antiquity.batch.interruption import Deferred
from antiquity.batch.own_rewards import OwnRewards, weights_of
from antiquity.batch.pool import ArrayPool
from antiquity.batch.results import Ended
from antiquity.batch.rewards import OWN, REWARDS, WEIGHTS
from antiquity.batch.settings import Settings
from antiquity.batch.workers import Shard, Workers, code
from antiquity.game import Game, require_sound

NO_LIMIT = np.iinfo(np.int64).max
_LIST = loop.BEGIN | loop.RESTART | loop.LISTS


class Engine(Choosing):
    """G games in arrays, stepped by kernels.

    Args:
        game: what is played.
        counts: int64[G], the seats of each game.
        tables: structured[1], the printed game.
        options: structured[P + 1], by number of players.
        settings: the batch's.
    """

    def __init__(
        self, game: Game, counts: NDArray[np.int64], tables: Array, options: Array, settings: Settings
    ) -> None:
        games, seats = len(counts), int(counts.max())
        self.game, self.counts, self.settings, self.copy = game, counts, settings, settings.copy
        self.core = Core(
            games=np.zeros(games, game.dtype),
            tables=tables,
            options=options,
            slots=np.zeros(games, slot_dtype(game.max_players)),
            actions=np.zeros((2, games * seats), np.int64),
            legal=np.zeros((games, seats, game.max_legal + 1), np.uint16),
            rows=np.zeros((2, games * seats), np.int64),
            paid=np.zeros((games, seats), np.float64),
        )
        self.slots = self.core.slots
        self.slots["num_players"], self.slots["stopped"] = counts, 1
        self.seed: int | NDArray[np.uint64] = 0
        """What the streams of all slots began with."""
        self.known_counts = np.bincount(counts) > 0
        """bool, by number of players: whether there are options for it."""
        self.core.legal[:, :, -1] = 1
        self.sizes = (settings.layout(game, seats).size, game.num_actions)
        self.dtype = np.dtype(settings.dtype)
        """Of the observations."""
        if self.dtype == np.uint8 and not game.bytes:
            raise TypeError(
                f"{game.title} has no observations of uint8: its kernel observe writes floats alone"
            )
        self._pools = self._pools_of(games * seats)
        self._game_pools = self._pools_of(games)
        self.outputs = self.new_outputs()
        self._row_outputs: tuple[Array, Array] | None = None
        self.workers = Workers(game, self.core, settings.threads, self.outputs)
        reward, columns = settings.reward, len(game.categories) + 2
        self.own = OwnRewards(reward, self.core, columns) if callable(reward) else None
        """The function that gives the rewards, if it is a user's own."""
        self.weights = weights_of(game, reward)
        """float64[C + 2]: what a point of each category is worth, if there are weights."""
        self.workers.configure(
            margin_scale=game.margin_scale,
            reward=REWARDS.index(reward) if isinstance(reward, str) else OWN if self.own else WEIGHTS,
            weights=self.weights,
            illegal=loop.ON_ILLEGAL.index(settings.on_illegal),
            autoreset=settings.autoreset,
        )
        self.limit(settings.max_cycles)
        self._step_ops = loop.BEGIN | loop.PLAY | loop.LISTS
        if settings.on_illegal == "raise":
            self._step_ops |= loop.CHECK
        self._flip = 0
        self.begun = False
        self.stale = True
        """The lists of legal actions are out of date."""
        self._begin_choosing()

    def limit(self, max_cycles: int | None) -> None:
        """Truncate games after this many steps."""
        self.settings.max_cycles = max_cycles
        self.workers.configure(max_cycles=NO_LIMIT if max_cycles is None else max_cycles)

    # --- arrays for results ---

    def _pools_of(self, rows: int) -> tuple[ArrayPool, ArrayPool]:
        return ArrayPool((rows, self.sizes[0]), self.dtype), ArrayPool((rows, self.sizes[1]), np.int8)

    def new_results(self) -> tuple[Array, Array]:
        """Rewards and ends, zero."""
        games, seats = self.core.legal.shape[:2]
        return np.zeros((games, seats), np.float32), np.zeros((2, games), np.bool_)

    def new_outputs(self) -> Outputs:
        """Arrays for the results of a step, which nobody else holds."""
        observations, masks = self._pools
        return Outputs(observations.take(), masks.take(), *self.new_results())

    def game_arrays(self) -> tuple[Array, Array]:
        """Arrays for the observation and mask of one seat per game, which nobody else holds."""
        observations, masks = self._game_pools
        return observations.take(), masks.take()

    def own_outputs(self) -> None:
        """Continue in copies, so that arrays that the caller holds stay as they are."""
        if self.copy:
            self.outputs = Outputs(*(array.copy() for array in self.outputs))

    def row_outputs(self, results: tuple[Array, Array]) -> Outputs:
        """Arrays for the observations and masks of decision rows, beside these results."""
        if self._row_outputs is None or self.copy:
            observations, masks = self._pools
            self._row_outputs = observations.take(), masks.take()
        return Outputs(*self._row_outputs, *results)

    def row_actions(self) -> Array:
        """Where the actions of the decision rows go, int64[R]."""
        if self.stale:
            self.list_legal()
        self.workers.place_rows()
        return self.core.actions[1, : self.workers.count_rows()]

    def taken_rows(self, outputs: Outputs) -> tuple[Array, Array, Array, Array]:
        """The decision rows that were written: game, seat, observations, masks."""
        count = self.workers.count_rows()
        where = self.core.rows[:, :count]
        if self.copy:
            where, self._row_outputs = where.copy(), None
        return where[0], where[1], outputs.observations[:count], outputs.masks[:count]

    # --- beginning and stepping ---

    def seed_slots(self, seed: Any, places: NDArray[np.int64]) -> None:
        """Give the slots at `places` new streams."""
        checked, streams, first = checks.streams(seed, places)
        slots = self.slots
        slots["seed"][places], slots["next"][places], slots["episode"][places] = streams, first, 0
        if len(places) == len(slots):
            self.seed = checked

    def begin(self, seed: Any, index: ArrayLike | None) -> None:
        """Begin the next games at `index` (None: all) when the lists are next brought up to date."""
        if index is not None:
            self.require_begun()
        places = slice(None) if index is None else checks.slots(index, len(self.slots))
        if seed is not None:
            self.seed_slots(seed, np.arange(len(self.slots))[places])
        self.slots["restart"][places] = 1
        if self.own is not None:
            self.own.before[places] = 0
        self.begun = self.stale = True

    def require_begun(self) -> None:
        """ValueError before the first reset."""
        if not self.begun:
            raise ValueError("this batch has not begun: call reset() first")

    def list_legal(self) -> None:
        """Bring the lists of legal actions up to date, beginning new games that are due."""
        self.require_begun()
        if self.slots["restart"].any():
            self.own_outputs()  # beginning a game clears its rewards and ends
        self.workers.run(_LIST, self.outputs)
        self.stale = False

    def write(self) -> None:
        """The same, and write observations and masks of all seats."""
        self.require_begun()
        if self.copy:
            observations, masks = self._pools
            rewards, done = self.outputs.rewards.copy(), self.outputs.done.copy()
            self.outputs = Outputs(observations.take(), masks.take(), rewards, done)
        self.workers.run(_LIST | loop.FULL, self.outputs)
        self.stale = False

    def write_rows(self) -> Outputs:
        """Write observations and masks of the decision rows."""
        self.row_actions()
        outputs = self.row_outputs(self.outputs[2:])
        self.workers.run(loop.BEGIN | loop.ROWS, outputs)
        return outputs

    def step(self, ops: int, outputs: Outputs) -> int:
        """One step of all games; returns the index (game * S + seat) of an illegal action, or -1."""
        flip = self._flip ^ loop.FLIP
        if self.own is not None:
            self.own.note()
        try:
            if len(self.workers.shards) == 1:
                offender = self.workers.shards[0].run(self._step_ops | flip | ops, outputs)
            else:
                with Deferred():
                    offender = self.workers.run(self._step_ops | flip | ops, outputs)
            if offender < 0:
                self._flip = flip
                self.outputs = outputs if ops & loop.FULL else Outputs(*self.outputs[:2], *outputs[2:])
        except BaseException:
            # Ctrl-C, which comes between two calls of kernels: the step has been made or begun, or it has not.
            last = self.workers.shards[-1]
            while last.work["flip"][0] == flip | 1:
                last.resume(self._step_ops | flip | ops, outputs)
            if last.work["flip"][0] == flip:
                self._flip = flip
                self.outputs = outputs if ops & loop.FULL else Outputs(*self.outputs[:2], *outputs[2:])
            raise
        return offender

    @functools.cached_property
    def commit(self) -> Callable[[int, int, int], int]:
        """Commit one choice (index, seat, action): :func:`antiquity.batch.loop.commit` on these games."""
        arrays = (self.core, self.workers.shards[0].work)
        return functools.partial(code(loop.commit, arrays, 3), *arrays)

    def resolve(self, index: int) -> None:
        """One step of one game, by what was committed."""
        if self.stale:
            self.list_legal()
        self.own_outputs()
        if self.own is not None:
            self.own.note()
        ops = loop.BEGIN | loop.PLAY | loop.LISTS | loop.COMMITTED | loop.FULL
        self.workers.run_one(index, ops, self.outputs)

    def pay(self) -> None:
        """Ask the user's own function, if there is one, for the rewards of the step that was made."""
        if self.own is not None:
            finished = [each.finished().records for each in self.workers.shards]
            self.own.pay(self.outputs, finished, self.standings, self.settings.autoreset)

    @contextlib.contextmanager
    def paid_at_once(self) -> Iterator[None]:
        """A block after which the user's own function is asked once, for all the steps that were made in it."""
        own, self.own = self.own, None
        if own is not None:
            own.note()
        try:
            yield
        finally:
            self.own = own
        self.pay()

    def ended(self) -> Ended:
        """The games that ended in the last step, in arrays of their own."""
        parts = [each.finished() for each in self.workers.shards]
        if len(parts) == 1:  # several times faster than to concatenate one
            records, observations, masks = (array.copy() for array in parts[0])
        else:
            records, observations, masks = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        seats = self.core.legal.shape[1]
        return Ended(
            index=records["index"],
            observations=observations,
            masks=masks,
            scores=records["scores"][:, :seats],
            ranks=records["ranks"][:, :seats],
            rewards=records["rewards"][:, :seats],
            lengths=records["length"],
        )

    # --- looking ---

    def roll_out(self, player: int) -> NDArray[np.int32]:
        """Play every game to its end, beginning games where none is going on; the totals, int32[G, S]."""
        self.slots["restart"] |= (
            self.slots["stopped"] if self.settings.autoreset else np.uint8(not self.begun)
        )
        totals = np.empty(self.core.legal.shape[:2], np.int32)
        self.workers.call(drive.roll_out, (self.core, Shard, totals), player)
        self.begun = self.stale = True
        self.workers.forget_finished()
        return totals

    def standings(self, index: ArrayLike | None = None) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Scores int32[R, S, C + 2] and ranks int64[R, S] of the games at `index` (None: all) as they stand."""
        self.require_begun()
        where = (
            np.arange(len(self.core.games)) if index is None else checks.slots(index, len(self.core.games))
        )
        players, seats = self.game.max_players, self.core.legal.shape[1]
        scores = np.empty((len(where), players, len(self.game.categories) + 2), np.int32)
        ranks = np.empty((len(where), players), np.int64)
        arguments = (self.core, where, scores, ranks)
        self.workers.entry(drive.standings, arguments, 2)(*arguments, 0, len(where))
        return scores[:, :seats].copy(), ranks[:, :seats].copy()

    def reveal(self) -> NDArray[np.float32]:
        """The whole table of every game, float32[G, state_layout.size]."""
        self.require_begun()
        out = np.zeros((len(self.core.games), self.game.state_layout.size), np.float32)
        self.workers.call(drive.reveal, (self.core, out))
        return out

    def determinize(self, index: int, seat: int, seed: int) -> None:
        """Redraw what a seat cannot know, and write the game's lists, observations and masks anew."""
        if self.stale:
            self.list_legal()
        self.slots["pending"][index] &= 1 << seat
        arguments = (self.core, np.array([seed], np.uint64))
        self.workers.entry(drive.determinize, arguments, 2)(*arguments, index, seat)
        self.own_outputs()
        self.workers.run_one(index, loop.BEGIN | loop.LISTS | loop.FULL, self.outputs)

    # --- taking over ---

    def check(self) -> None:
        """See that the records, changed by hand, are still games that could have come about, of the same players."""
        self.require_begun()
        games, slots = self.core.games, self.slots
        due = slots["restart"] != 0
        require_sound(self.game, games, self.core.tables, due)
        strange = (games["num_players"] != slots["num_players"]) & ~due
        if strange.any():
            index = int(np.argmax(strange))
            raise ValueError(
                f"record {index} has {games['num_players'][index]} players, and game {index} was begun with "
                f"{slots['num_players'][index]}: set_games() goes on from other games"
            )
        slots["stopped"] |= (games["over"] != 0) & ~due

    def set_games(self, games: Array) -> None:
        """Go on from these records, which were checked; the streams of seeds stay."""
        self.core.games[:] = games
        slots = self.slots
        slots["num_players"], slots["stopped"] = games["num_players"], games["over"] != 0
        slots["pending"] = slots["restart"] = 0
        self.begun = self.stale = True
        scores = self.standings()[0]
        slots["totals"][:, : self.core.legal.shape[1]] = scores[:, :, -2]
        self.core.paid[:] = scores @ self.weights
        if self.own is not None:
            self.own.before[:] = scores

    def state(self) -> dict[str, Any]:
        """Copies of all that files and copies of a batch need; everything else follows from it."""
        rewards, done = self.outputs[2:]
        arrays = {"games": self.core.games, "slots": self.slots, "actions": self.core.actions[0]}
        arrays["paid"] = self.core.paid
        if self.own is not None:
            arrays["before"] = self.own.before
        copies = {name: array.copy() for name, array in (arrays | {"rewards": rewards, "done": done}).items()}
        return {"begun": self.begun, "seed": self.seed} | copies

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what :meth:`state` gave."""
        self.core.games[:], self.slots[:] = state["games"], state["slots"]
        self.core.actions[0], self.core.paid[:] = state["actions"], state["paid"]
        if self.own is not None:
            self.own.before[:] = state["before"]
        self.outputs.rewards[:], self.outputs.done[:] = state["rewards"], state["done"]
        self.begun, self.stale, self.seed = bool(state["begun"]), True, state["seed"]
        if self.begun:
            self.write()
