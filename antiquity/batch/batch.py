"""Many games in one array, stepped together: :class:`Batch`."""

from __future__ import annotations

import copy as copylib
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from antiquity.batch import checks, files, loop
from antiquity.batch.core import Array, Outputs
from antiquity.batch.drive import PLAYERS
from antiquity.batch.engine import Engine
from antiquity.batch.forms import Form
from antiquity.batch.interruption import settled
from antiquity.batch.own_rewards import Reward
from antiquity.batch.results import Choices, Ended, Rows, RowStep, Step
from antiquity.batch.settings import Hook, Settings
from antiquity.batch.views import Views
from antiquity.game import Game, make_game
from antiquity.game.checks import copy_actions, fresh_seed, one_of, one_seed, whole

_COPIED = ("game", "game_options", "player_counts", "tables", "_options")  # beside the engine's state


class Batch(Views):
    """Many games of one kind in one array, stepped together.

    >>> from antiquity import Batch
    >>> batch = Batch("seven_wonders", num_games=64, num_players=4, seed=1)
    >>> observations, masks = batch.reset()
    >>> step = batch.step(batch.sample())

    G games, S seats (of the largest table), A actions, F observation elements, C score categories. Absent seats have
    zeros (their mask: WAIT alone), and what is sent for them is ignored. A seat that waits must send WAIT (0).

    What a game does follows from its seed alone. Game number n (from 0) of slot i has the seed
    ``mix(mix(seed, BATCH, i), BATCH, n)``, whatever the number of games and threads; with an array of seeds, the first
    game of slot i has ``seed[i]`` itself and the later ones ``mix(seed[i], BATCH, n)``.

    A batch is for one thread at a time. Methods raise ValueError before the first :meth:`reset`. Ctrl-C splits no step.

    Args:
        game: a game's name, or a Game.
        num_games: how many games, 1 or more.
        num_players: an int for all games, or one for each; the game's default when None.
        seed: an int in [0, 2**64), an array of one for each game, or None for fresh entropy (found in ``seed``).
        threads, copy, reward, on_illegal, memory, max_cycles, autoreset, dtype, observation: see
            :class:`antiquity.batch.Settings`. Below, observations are said to be float32[..., F]: with
            ``dtype="uint8"`` they are that, and in another form than the vector, results have a dict of arrays.
        game_options: the game's own. KeyError, TypeError or ValueError for an argument that is invalid says why.
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int = 1,
        num_players: int | Sequence[int] | Array | None = None,
        *,
        seed: int | ArrayLike | None = None,
        threads: int = 1,
        copy: bool = True,
        reward: Reward = "win",
        on_illegal: str = "raise",
        memory: bool = False,
        max_cycles: int | None = None,
        autoreset: bool = True,
        dtype: DTypeLike = "float32",
        observation: str = "vector",
        seats: str = "all",
        **game_options: Any,
    ) -> None:
        self.game, self.game_options = make_game(game), game_options
        self.game.check_options(game_options, Batch)
        self.player_counts = checks.players(self.game, whole("num_games", num_games, 1), num_players)
        """int64[G]: the seats of each game."""
        self.tables, self._options = checks.setup(self.game, self.player_counts, game_options)
        self._build(
            Settings(
                reward, on_illegal, memory, max_cycles, autoreset, copy, threads, dtype, observation, seats
            )
        )
        self._engine.seed_slots(fresh_seed() if seed is None else seed, np.arange(self.num_games))

    def _build(self, settings: Settings) -> None:
        """Make the engine, and views of its arrays."""
        self._engine = Engine(self.game, self.player_counts, self.tables, self._options, settings)
        core = self._engine.core
        self.copy, self.threads, self.memory = settings.copy, settings.threads, settings.memory
        self.reward, self.autoreset = settings.reward, settings.autoreset
        self.on_illegal, self.dtype = settings.on_illegal, self._engine.dtype
        self.num_games, self.num_seats = core.legal.shape[:2]
        self.layout = settings.layout(self.game, self.num_seats)
        """The names of the observation's elements."""
        self.form = Form(self.game, self.layout, settings.observation, self.dtype, self.num_seats)
        """What observations look like in results."""
        self.observation_size, self.num_actions = self.layout.size, self.game.num_actions
        self.games: Array = core.games
        """The records, structured[G]. Call :meth:`refresh` after changing them by hand."""
        self.actions: NDArray[np.int64] = core.actions[0].reshape(self.num_games, self.num_seats)
        """int64[G, S]: what :meth:`play` plays."""
        lists = core.legal.view()
        lists.flags.writeable = False
        self.legal_lists, self.legal_counts = lists[:, :, :-1], lists[:, :, -1]
        """uint16[G, S, max_legal]: legal actions, ascending, of which the first legal_counts (uint16[G, S]) count."""
        self.hook: Hook | None = None
        """An observer of every step, such as a recorder; it does not see rollouts."""
        self._ended: Ended | None = None
        self._show()

    def _show(self) -> None:
        """Point the attributes at the arrays of the last results."""
        observations, masks, rewards, done = self._engine.outputs
        shape = (self.num_games, self.num_seats, -1)
        self.observations: NDArray[np.float32] = observations.reshape(shape)
        """float32[G, S, F] of the last reset or step: the vector, whatever the form of results."""
        self.masks: NDArray[np.int8] = masks.reshape(shape)
        """int8[G, S, A] of the last reset or step."""
        self.rewards: NDArray[np.float32] = rewards
        """float32[G, S] of the last step."""
        self.terminated: NDArray[np.bool_] = done[0]
        self.truncated: NDArray[np.bool_] = done[1]
        """bool[G] each, of the last step."""

    def __repr__(self) -> str:
        counts = "-".join(map(str, sorted({self.player_counts.min(), self.player_counts.max()})))
        return f"<Batch of {self.num_games} games of {self.game.title}, {counts} players>"

    def reset(
        self, seed: int | ArrayLike | None = None, *, index: ArrayLike | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Begin new games.

        Args:
            seed: start the streams of seeds again, as in the constructor; None continues them.
            index: in these slots alone (ints, or a bool for each game); None: in all. An array of seeds then has one
                for each of them.

        Returns observations float32[G, S, F] and masks int8[G, S, A] of the whole batch.
        """
        self._engine.begin(seed, index)
        return self._written()

    def refresh(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """List the legal actions and write observations and masks again, after :attr:`games` was changed by hand.

        ValueError where they are no games that could have come about: it names record, field and seat, and only
        :attr:`games` has changed then.
        """
        self._engine.check()
        return self._written()

    def _written(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        self._engine.write()
        self._ended = None
        if self.copy:
            self._show()
        return self.form.of(self.observations), self.masks

    @property
    def seed(self) -> int | NDArray[np.uint64]:
        """What the streams of all slots began with: an int, or uint64[G]."""
        return self._engine.seed

    @property
    def begun(self) -> bool:
        """Whether there are games yet: False before the first reset."""
        return self._engine.begun

    @property
    def max_cycles(self) -> int | None:
        """Steps after which a game is truncated, or None; it can be changed at any time."""
        return self._engine.settings.max_cycles

    @max_cycles.setter
    def max_cycles(self, value: int | None) -> None:
        self._engine.limit(None if value is None else whole("max_cycles", value, 1))

    def step(self, actions: ArrayLike) -> Step:
        """Everybody's action at once.

        `actions`: int[G, S], action numbers; WAIT (0) for a seat that waits, anything for an absent one. Returns
        observations and masks of the next decision, rewards and ends of this one; see also :attr:`ended`.

        Raises:
            ValueError: an action is illegal (``on_illegal="raise"``) or the shape is wrong; no game has changed.
            TypeError: the actions are not integers.
        """
        copy_actions(actions, self.actions)
        self.play()
        return Step(
            self.form.of(self.observations), self.rewards, self.terminated, self.truncated, self.masks
        )

    def play(self) -> None:
        """:meth:`step` with the actions in :attr:`actions`; the results are in the attributes of the same names.

        With ``copy=False`` nothing is allocated, which suits environments of one game. Errors as in :meth:`step`.
        """
        engine = self._engine
        if engine.stale:
            engine.list_legal()
        self._step(loop.FULL, engine.new_outputs() if self.copy else engine.outputs)

    def _step(self, ops: int, outputs: Outputs) -> None:
        if self.hook is not None:
            self.hook.before_step()
        try:
            offender = self._engine.step(ops, outputs)
            if offender < 0:
                return self._stepped(committed=False)
        except BaseException:
            self._written()
            raise
        raise ValueError(checks.illegal_step(self, offender))

    def _stepped(self, committed: bool) -> None:
        self._ended = None
        try:
            self._engine.pay()
        finally:
            if self.copy:
                self._show()
        if self.hook is not None:
            self.hook.after_step(committed)

    def rows(self) -> Rows:
        """The seats that have something to choose now, with their observations and masks alone."""
        game, seat, observations, masks = self._engine.taken_rows(self._engine.write_rows())
        return Rows(game, seat, self.form.of(observations), masks)

    def step_rows(self, actions: ArrayLike) -> RowStep:
        """Everybody's action at once, given for the decision rows alone.

        `actions`: int[R], for the rows of the last :meth:`rows` or :meth:`step_rows`. Returns the next rows and the
        rewards and ends of all games; :attr:`observations`, :attr:`masks` are not written. Errors as in :meth:`step`.
        """
        engine = self._engine
        copy_actions(actions, engine.row_actions())
        outputs = engine.row_outputs(engine.new_results() if self.copy else engine.outputs[2:])
        self._step(loop.SPREAD | loop.ROWS, outputs)
        game, seat, observations, masks = engine.taken_rows(outputs)
        return RowStep(
            game, seat, self.form.of(observations), masks, self.rewards, self.terminated, self.truncated
        )

    @property
    def ended(self) -> Ended:
        """The games that ended in the last step, in compact arrays of their own; k = 0 if there are none."""
        if self._ended is None:
            found = self._engine.ended()
            self._ended = found._replace(observations=self.form.of(found.observations))
        return self._ended

    def rollout(self, policy: str = "random") -> NDArray[np.int32]:
        """Play every game to its end inside a kernel, without observations.

        If no game is in progress, the slot's next game is begun first, unless ``autoreset=False`` and a game has ended
        there. `policy`: as for :meth:`sample`, with the very same choices. Returns the totals, int32[G, S].
        """
        one_of("policy", policy, tuple(PLAYERS))
        self._ended = None
        return self._engine.roll_out(PLAYERS[policy])

    def sample(self, policy: str = "random", *, salt: int = 0) -> NDArray[np.int64]:
        """An action for every seat, int64[G, S]: WAIT for those that wait, for the others a legal one.
        ``copy=False``: in :attr:`actions`. `policy`: ``"random"``, each legal action with the same chance, or
        ``"greedy"``, the game's greedy agent. They follow from the game's seed, its position and `salt` in [0, 2**63).
        """
        out = np.empty_like(self.actions) if self.copy else self.actions
        self._engine.sample(policy, salt, out, rows=0)
        return out

    def sample_rows(self, policy: str = "random", *, salt: int = 0) -> NDArray[np.int64]:
        """The same for the decision rows alone, int64[R]: what :meth:`step_rows` takes."""
        out = np.empty((1, len(self._engine.row_actions())), np.int64)
        self._engine.sample(policy, salt, out, rows=1)
        return np.asarray(out[0])

    def sampler(self, policy: str = "random") -> Callable[[int], NDArray[np.int64]]:
        """:meth:`sample` as a function of the salt, for loops over few games: always into the same array."""
        return self._engine.sampler(policy)

    def legal_actions(self, index: int, seat: int) -> NDArray[np.uint16]:
        """The legal actions of a seat now, ascending, uint16[n]; WAIT alone for one that waits."""
        if self._engine.stale:
            self._engine.list_legal()
        index, seat = self._checked(index, seat)
        return self.legal_lists[index, seat, : self.legal_counts[index, seat]].copy()

    def choices(self, index: ArrayLike, seats: ArrayLike) -> Choices:
        """What seat ``seats[r]`` of game ``index[r]`` may do, int[R] each, and what the game can say of each action.

        With ``index, seats = rows.game, rows.seat`` for the decision rows. The arrays are the caller's own. See
        :class:`antiquity.batch.Choices`; the columns of its appraisals are ``batch.game.appraisal``.
        """
        return self._engine.choices(index, seats)

    def commit(self, index: int, seat: int, action: int) -> int:
        """Commit one seat's secret choice in game `index`; choosing again before :meth:`resolve` replaces it.

        Returns how many deciders have not chosen yet. ValueError if there is no such seat or the action is refused.
        """
        if self._engine.stale:
            self._engine.list_legal()
        index, seat, action = operator.index(index), operator.index(seat), operator.index(action)
        missing: int = self._engine.commit(index, seat, action)
        if missing < 0:
            raise ValueError(checks.illegal_action(self, *self._checked(index, seat), action))
        return missing

    @settled
    def resolve(self, index: int = 0, *, complete: bool = False) -> None:
        """Take what the deciders of game `index` have committed: a step of this game alone.

        The results stand in the attributes, as after a step. `complete`: the last :meth:`commit` in this game returned
        0, so that nobody is looked for. ValueError where a decider has not chosen yet.
        """
        index = whole("the index of a game", index, 0, self.num_games - 1) if index else 0
        if not complete and (missing := self.missing(index)):
            raise ValueError(checks.not_chosen(index, missing))
        if self.hook is not None:
            self.hook.before_step()
        self._engine.resolve(index)
        self._stepped(committed=True)

    def set_games(self, games: Array) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Go on from given records, such as ``other.games``; the streams of seeds stay.

        `games`: structured[G] of the game's dtype, with numbers of players that this batch was made for. ValueError
        for records that no game can have come to: it names record, field and seat, and nothing has changed then.
        """
        checks.records(self.game, games, self.tables, self.num_games, self._engine.known_counts)
        self.player_counts[:] = games["num_players"]
        self._engine.set_games(games)
        return self._written()

    @settled
    def determinize(self, index: int, seat: int, seed: int) -> None:
        """Redraw in game `index` what the seat cannot know, in agreement with what it has seen; others choose again."""
        self._engine.determinize(*self._checked(index, seat), one_seed(seed))
        self._show()

    def clone(self) -> Batch:
        """An independent copy that continues as this one would, but for what ended in the last step."""
        return copylib.copy(self)

    def __getstate__(self) -> dict[str, Any]:
        copied = {name: getattr(self, name) for name in _COPIED}
        settings = copylib.copy(self._engine.settings)
        return {"copied": copied, "settings": settings} | self._engine.state()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state["copied"])
        self.player_counts = self.player_counts.copy()
        self._build(state["settings"])
        self._engine.restore(state)
        self._show()

    def save(self, path: files.PathLike) -> None:
        """Write it to a file (npz), whole or not at all, without pickle. ValueError for options unfit for JSON."""
        files.save(path, self._engine, self.game_options)

    @classmethod
    def load(
        cls,
        path: files.PathLike,
        *,
        game: str | Game | None = None,
        threads: int = 1,
        copy: bool = True,
        **game_options: Any,
    ) -> Batch:
        """A batch from a file that :meth:`save` has written; it continues as the saved one would.

        `game`: where it is, if not installed. `game_options`: in place of the file's, needed where those name files.
        ValueError for a file that is damaged, no batch, or of another game, version or table.
        """
        found, arguments, arrays = files.load(path, game, game_options)
        batch = files.made(path, lambda: cls(found, threads=threads, copy=copy, **arguments))
        files.restore(path, batch._engine, batch.game_options, arrays)
        batch._show()
        return batch
