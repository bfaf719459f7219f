"""Many games in one array, stepped together: :class:`Batch`."""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity.batch import checks, files, loop
from antiquity.batch.core import Array, Outputs
from antiquity.batch.drive import PLAYERS
from antiquity.batch.engine import Engine
from antiquity.batch.results import Ended, Rows, RowStep, Step
from antiquity.batch.rewards import REWARDS
from antiquity.batch.workers import code
from antiquity.game import Game, make_game
from antiquity.game.checks import fresh_seed, one_of, one_seed, whole
from antiquity.render.text import NARROWEST, WIDTH

SETTINGS = ("reward", "on_illegal", "memory", "max_cycles", "autoreset")
"""The settings that copies and files take over; the arrays are those of ``Engine.state``."""
_COPIED = (
    "game",
    "num_games",
    "threads",
    "copy",
    "reward",
    "on_illegal",
    "memory",
    "autoreset",
    "_max_cycles",
)
_COPIED += ("game_options", "player_counts", "_known_counts", "tables", "_options", "seed", "begun")


class Hook(Protocol):
    """What wants to see every step of a batch (:attr:`antiquity.Batch.hook`), as a recorder does."""

    def before_step(self) -> None:
        """The batch is about to be stepped."""

    def after_step(self, committed: bool) -> None:
        """It was stepped, by its ``actions`` or (True) by what had been committed before."""


class Batch:
    """Many games of one kind in one array, stepped together.

    >>> from antiquity import Batch
    >>> batch = Batch("seven_wonders", num_games=64, num_players=4, seed=1)
    >>> observations, masks = batch.reset()
    >>> step = batch.step(batch.sample())

    G games, S seats (of the largest table), A actions, F observation elements, C score categories. Arrays by game and
    seat have a place for every seat up to S; those of absent seats are zero (their mask: WAIT alone), and what is sent
    for them is ignored. A seat that waits must send WAIT (0).

    What a game does follows from its seed alone. Game number n (from 0) of slot i has the seed
    ``mix(mix(seed, BATCH, i), BATCH, n)``, whatever the number of games and threads; with an array of seeds, the first
    game of slot i has ``seed[i]`` itself and the later ones ``mix(seed[i], BATCH, n)``.

    One batch is to be used from one thread at a time. Methods raise ValueError before the first :meth:`reset`.

    Args:
        game: a game's name, or a Game.
        num_games: how many games, 1 or more.
        num_players: an int for all games, or one for each; the game's default when None.
        seed: an int in [0, 2**64), an array of one such for each game, or None for fresh entropy (found in ``seed``).
        threads: into how many slices the batch is split; more than one run in a pool of threads.
        copy: True: returned arrays are the caller's own; their memory is recycled once nobody holds them any more, nor
            a view of them. False: they are the batch's buffers, which the next call overwrites: only read them.
        reward: ``"win"``: at the end 1/k to each of k winners. ``"rank"``: at the end (n - mean rank) / (n - 1).
            ``"margin"``: at the end (own total - best other total) / margin_scale; a seat that has lost by an illegal
            action counts as one margin_scale below the lowest total. ``"points"``: the change of the total at every
            step, the first including the starting value.
        on_illegal: ``"raise"``: a ValueError, and nothing is changed. ``"lose"``: the game ends, the offenders rank
            last. ``"random"``: a legal action is drawn instead.
        memory: observations include the memory part of the layout.
        max_cycles: games are truncated after so many steps; rewards win, rank and margin are 0 then.
        autoreset: True: in the step in which a game ends the next one begins (SAME_STEP), and what ended is in
            :attr:`ended`. False: a game that has ended stays as it is, all seats waiting, until ``reset(index=...)``.
        game_options: the game's own options.

    Raises:
        KeyError: no such game.
        TypeError, ValueError: an argument cannot be used; the message says which and why.
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
        reward: str = "win",
        on_illegal: str = "raise",
        memory: bool = False,
        max_cycles: int | None = None,
        autoreset: bool = True,
        **game_options: Any,
    ) -> None:
        self.game = make_game(game)
        self.num_games = whole("num_games", num_games, 1)
        self.threads, self.copy = whole("threads", threads, 1), bool(copy)
        self.reward = one_of("reward", reward, REWARDS)
        self.on_illegal = one_of("on_illegal", on_illegal, loop.ON_ILLEGAL)
        self.memory, self.autoreset = bool(memory), bool(autoreset)
        self._max_cycles = None if max_cycles is None else whole("max_cycles", max_cycles, 1)
        self.game_options = dict(game_options)
        self.player_counts = checks.players(self.game, self.num_games, num_players)
        """int64[G]: the seats of each game."""
        self._known_counts = set(self.player_counts.tolist())
        self.tables, self._options = checks.setup(self.game, self._known_counts, self.game_options)
        self.hook: Hook | None = None
        """What sees every step, such as a recorder; rollouts and drivers go unseen."""
        self.seed: int | NDArray[np.uint64]
        """What the streams of all slots began with."""
        self._build()
        self.seed = self._engine.seed(fresh_seed() if seed is None else seed, np.arange(self.num_games))

    def _build(self) -> None:
        """The engine, and views of its arrays."""
        self.layout = self.game.observation_layout(self.memory)
        """The names of the observation's elements."""
        self.observation_size, self.num_actions = self.layout.size, self.game.num_actions
        self.num_seats = int(self.player_counts.max())
        self._engine = Engine(
            self.game,
            self.player_counts,
            self.tables,
            self._options,
            threads=self.threads,
            copy=self.copy,
            observation_size=self.observation_size,
            on_illegal=self.on_illegal,
            reward=self.reward,
            max_cycles=self._max_cycles,
            autoreset=self.autoreset,
        )
        core = self._engine.core
        self.games: Array = core.games
        """The records, structured[G]. Call :meth:`refresh` after changing them by hand."""
        self.actions: NDArray[np.int64] = core.actions[0].reshape(self.num_games, self.num_seats)
        """int64[G, S]: what :meth:`play` plays."""
        lists = core.legal.view()
        lists.flags.writeable = False
        self.legal_lists: NDArray[np.uint16] = lists[:, :, :-1]
        """uint16[G, S, max_legal]: the legal actions of each seat, ascending; only the first legal_counts count."""
        self.legal_counts: NDArray[np.uint16] = lists[:, :, -1]
        """uint16[G, S]: how many there are."""
        self._ended: Ended | None = None
        self._commit: Callable[[int, int, int], int] | None = None
        self._show()

    def _show(self) -> None:
        """Let the attributes be the arrays of the last results."""
        observations, masks, rewards, done = self._engine.outputs
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

    def __repr__(self) -> str:
        counts = "-".join(map(str, sorted({self.player_counts.min(), self.player_counts.max()})))
        return f"<Batch of {self.num_games} games of {self.game.title}, {counts} players>"

    # --- beginning ---

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
        self._begin(seed, index)
        return self.refresh()

    def _begin(self, seed: int | ArrayLike | None, index: ArrayLike | None) -> None:
        if index is not None:
            self._engine.require_begun()
        places = np.arange(self.num_games) if index is None else checks.slots(index, self.num_games)
        if seed is not None:
            checked = self._engine.seed(seed, places)
            self.seed = checked if len(places) == self.num_games else self.seed
        self._engine.begin(places)
        self._ended = None

    def refresh(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """List the legal actions and write observations and masks anew, after :attr:`games` was changed by hand."""
        self._engine.write()
        self._show()
        return self.observations, self.masks

    @property
    def begun(self) -> bool:
        """Whether there are games yet: False before the first reset."""
        return self._engine.begun

    @property
    def max_cycles(self) -> int | None:
        """Steps after which a game is truncated, or None; it may be changed at any time."""
        return self._max_cycles

    @max_cycles.setter
    def max_cycles(self, value: int | None) -> None:
        self._max_cycles = None if value is None else whole("max_cycles", value, 1)
        self._engine.limit(self._max_cycles)

    # --- stepping ---

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
        engine = self._engine
        if engine.stale:
            engine.list_legal()
        self._step(loop.FULL, engine.new_outputs() if self.copy else engine.outputs)

    def _step(self, ops: int, outputs: Outputs) -> None:
        if self.hook is not None:
            self.hook.before_step()
        offender = self._engine.step(ops, outputs)
        if offender >= 0:
            game, seat = divmod(offender, self.num_seats)
            raise ValueError(checks.illegal_action(self, game, seat, int(self.actions[game, seat])))
        self._stepped(committed=False)

    def _stepped(self, committed: bool) -> None:
        self._ended = None
        if self.copy:
            self._show()
        if self.hook is not None:
            self.hook.after_step(committed)

    def rows(self) -> Rows:
        """The seats that have something to choose now, with their observations and masks alone."""
        return Rows(*self._engine.taken_rows(self._engine.write_rows()))

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
        engine = self._engine
        checks.copy_actions(actions, engine.row_actions())
        outputs = engine.row_outputs(engine.new_results() if self.copy else engine.outputs[2:])
        self._step(loop.SPREAD | loop.ROWS, outputs)
        return RowStep(*engine.taken_rows(outputs), self.rewards, self.terminated, self.truncated)

    @property
    def ended(self) -> Ended:
        """The games that ended in the last step, in compact arrays of one's own; k = 0 when there are none."""
        if self._ended is None:
            self._ended = self._engine.ended()
        return self._ended

    def rollout(self, policy: str = "random") -> NDArray[np.int32]:
        """Play every game to its end inside a kernel, without observations.

        Where nothing is going on (before the first reset, or after a rollout) the slot's next game is begun first,
        unless ``autoreset=False`` and a game has ended there. Afterwards every game is over; :meth:`scores`,
        :meth:`ranks` and :attr:`games` tell how, and :meth:`reset` begins the next ones.

        Args:
            policy: ``"random"``: with the very choices of :meth:`sample`. ``"greedy"``: the game's greedy agent.

        Returns:
            The totals, int32[G, S]; 0 for absent seats.
        """
        one_of("policy", policy, PLAYERS)
        self._ended = None
        return self._engine.roll_out(PLAYERS[policy], self.autoreset)

    # --- choosing ---

    def sample(
        self, policy: str = "random", *, salt: int = 0, out: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """An action for every seat, int64[G, S]: WAIT for those that wait, for the others a legal one.

        They are written to `out`, or else with ``copy=False`` to :attr:`actions`; that is what is returned.

        Args:
            policy: ``"random"``: each legal action with the same chance. ``"greedy"``: the game's greedy agent.
            salt: an int in [0, 2**63). The actions follow from the game's seed, its position and this number, so the
                same call in the same position gives the same actions.
        """
        if out is None:
            out = np.empty_like(self.actions) if self.copy else self.actions
        self._engine.sample(policy, salt, out.reshape(-1), rows=0)
        return out

    def sample_rows(self, policy: str = "random", *, salt: int = 0) -> NDArray[np.int64]:
        """The same for the decision rows alone, int64[R]: what :meth:`step_rows` takes."""
        out = np.empty(len(self._engine.row_actions()), np.int64)
        self._engine.sample(policy, salt, out, rows=1)
        return out

    def legal_actions(self, index: int, seat: int) -> NDArray[np.uint16]:
        """The legal actions of a seat now, ascending, uint16[n]; WAIT alone for one that waits."""
        if self._engine.stale:
            self._engine.list_legal()
        index, seat = self._place(index, seat)
        return self.legal_lists[index, seat, : self.legal_counts[index, seat]].copy()

    def commit(self, index: int, seat: int, action: int) -> int:
        """Commit one seat's secret choice in game `index`; choosing again before :meth:`resolve` replaces it.

        Returns:
            How many deciders of the game have not chosen yet.

        Raises:
            ValueError: the action is illegal and ``on_illegal="raise"``, or there is no such game or seat; nothing
                has changed.
            TypeError: a number is no int.
        """
        engine = self._engine
        if engine.stale:
            engine.list_legal()
        if self._commit is None:
            arrays = (engine.core, engine.workers.slices[0].work)
            self._commit = functools.partial(code(loop.commit, arrays, 3), *arrays)
        index, seat, action = operator.index(index), operator.index(seat), operator.index(action)
        missing = self._commit(index, seat, action)
        if missing < 0:
            raise ValueError(checks.illegal_action(self, *self._place(index, seat), action))
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
        if not complete:
            missing = self.missing(whole("the index of a game", index, 0, self.num_games - 1))
            if missing:
                raise ValueError(
                    f"seats {', '.join(map(str, missing))} of game {index} have not chosen yet; "
                    "commit an action for each of batch.missing(index) first"
                )
        if self.hook is not None:
            self.hook.before_step()
        self._engine.resolve(index)
        self._stepped(committed=True)

    # --- looking ---

    def _place(self, index: int, seat: int) -> tuple[int, int]:
        """Checked: the place of a game and a seat of it."""
        index = whole("the index of a game", index, 0, self.num_games - 1)
        return index, whole("the seat", seat, 0, int(self.player_counts[index]) - 1)

    def deciders(self, index: int = 0) -> tuple[int, ...]:
        """The seats of game `index` that must choose at this decision."""
        bits = 0 if self._engine.slots["stopped"][index] else int(self.games["deciders"][index])
        return tuple(seat for seat in range(self.num_seats) if bits >> seat & 1)

    def missing(self, index: int = 0) -> tuple[int, ...]:
        """The deciders of game `index` that have not committed a choice yet."""
        chosen, pending = self.games["chosen"][index], int(self._engine.slots["pending"][index])
        return tuple(seat for seat in self.deciders(index) if not chosen[seat] and not pending >> seat & 1)

    def scores(self, index: ArrayLike | None = None) -> NDArray[np.int32]:
        """The points as they stand, int32[G, S, C + 2]: by category, their total, the value that breaks ties.

        `index`: of these games alone, in this order; the same for :meth:`ranks`.
        """
        return self._engine.standings(index)[0]

    def ranks(self, index: ArrayLike | None = None) -> NDArray[np.int64]:
        """The ranks as they stand, int64[G, S], from 1; ties share the best rank, absent seats have 0."""
        return self._engine.standings(index)[1]

    def state(self) -> NDArray[np.float32]:
        """The whole table of every game, for centralised critics: float32[G, state_layout.size]."""
        return self._engine.reveal()

    def describe(self, index: int, seat: int, action: int) -> str:
        """An action of a seat in game `index`, in words."""
        index, seat = self._place(index, seat)
        return self.game.describe(self.games, index, self.tables, seat, action)

    def render(self, index: int = 0, seat: int | None = None, width: int = WIDTH) -> str:
        """The table of game `index` as text, as one seat sees it or (None) all of it, for 80 to 118 columns."""
        self._engine.require_begun()
        if seat is not None:
            index, seat = self._place(index, seat)
        return self.game.render(self.games, index, self.tables, seat, min(max(width, NARROWEST), WIDTH))

    def draw(self, index: int = 0, seat: int | None = None) -> str:
        """The table of game `index` as one self-contained SVG: as one seat sees it, or (None) all of it.

        Raises:
            ValueError: there is no such game or seat, or the game has no picture.
        """
        self._engine.require_begun()
        if self.game.draw is None:
            raise ValueError(f"{self.game.title} has no picture, only text: use render()")
        if seat is not None:
            index, seat = self._place(index, seat)
        return self.game.draw(self.games, index, self.tables, seat)

    # --- changing, copying, files ---

    def set_games(self, games: Array) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Go on from given records, such as ``other.games``; the streams of seeds stay.

        Args:
            games: structured[G] of the game's dtype, with numbers of players that this batch was made for.

        Returns:
            Their observations and masks, as from :meth:`reset`.
        """
        checks.records(self.game, games, self.num_games, self._known_counts)
        self.player_counts[:] = games["num_players"]
        self._ended = None
        self._engine.set_games(games)
        return self.refresh()

    def determinize(self, index: int, seat: int, seed: int) -> None:
        """Redraw in game `index` all that the seat cannot know, in agreement with all that it has seen.

        What others have committed is unknown to it too: they are to choose again. Observations and masks of the game
        are written anew.

        Args:
            seed: an int in [0, 2**64); another one gives another world.
        """
        self._engine.determinize(*self._place(index, seat), one_seed(seed))
        self._show()

    def clone(self) -> Batch:
        """An independent copy: it goes on as this one would. What ended in the last step is not in it."""
        twin = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __deepcopy__(self, _memo: dict[int, Any]) -> Batch:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _COPIED} | {
            "arrays": self._engine.state(),
            "hook": None,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays = state.pop("arrays")
        begun = state.pop("begun")
        self.__dict__.update(state)
        self._build()
        self._engine.restore(arrays, begun)
        self._show()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the batch to a file (npz): the games, the streams of seeds and the settings, without any pickle.

        The file appears whole or not at all. ValueError for options that cannot be written as JSON.
        """
        about = {
            "game": self.game.name,
            "version": self.game.version,
            "begun": self.begun,
            "seed": self.seed if isinstance(self.seed, int) else self.seed.tolist(),
            "settings": {name: getattr(self, name) for name in (*SETTINGS, "game_options")},
        }
        files.save(path, about, self._engine.state() | {"tables": self.tables})

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        game: str | Game | None = None,
        threads: int = 1,
        copy: bool = True,
    ) -> Batch:
        """A batch from a file that :meth:`save` has written; it goes on as the saved one would.

        Args:
            game: where the game is found, when not under its name.
            threads, copy: as in the constructor.

        Raises:
            ValueError: the file is damaged, no batch, of another game or version, or of another printed table.
        """
        found, about, arrays = files.load(path, game)
        settings = dict(about["settings"])
        options = settings.pop("game_options")
        counts = arrays["slots"]["num_players"].astype(np.int64)
        batch = cls(found, len(counts), counts, seed=0, threads=threads, copy=copy, **settings, **options)
        files.check(path, found, arrays, batch._engine.state() | {"tables": batch.tables}, about["begun"])
        seed = about["seed"]
        batch.seed = seed if isinstance(seed, int) else checks.seed_array(seed, len(counts))
        batch._engine.restore(arrays, about["begun"])
        batch._show()
        return batch
