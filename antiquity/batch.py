"""Many games in one array, stepped together: :class:`Batch`."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity import checks, loops, playouts, random, saving
from antiquity.checks import one_of, whole
from antiquity.game import Game, make_game
from antiquity.slices import Slice, Team, code, cut

Array = NDArray[Any]

POLICIES = ("random", "greedy")
"""The policies that kernels know."""

# What a copy of a batch takes over as it is; arrays are copied, and the rest follows from these.
STATE = frozenset(
    "game num_games threads copy reward on_illegal memory max_cycles autoreset game_options num_seats num_actions "
    "layout observation_size seed _begun".split()
)


class Step(NamedTuple):
    """What a step of the whole batch gives. G games, S seats, F elements, A actions."""

    observations: NDArray[np.float32]
    """float32[G, S, F]: what each seat sees now; of a game that has ended, the first of the next game."""
    rewards: NDArray[np.float32]
    """float32[G, S]: for this step."""
    terminated: NDArray[np.bool_]
    """bool[G]: the game has ended by the rules."""
    truncated: NDArray[np.bool_]
    """bool[G]: the game was cut off at max_cycles."""
    masks: NDArray[np.int8]
    """int8[G, S, A]: 1 for each legal action. A waiting or absent seat has WAIT (0) alone."""


class Rows(NamedTuple):
    """The R seats that have something to choose, ordered by game and seat."""

    game: NDArray[np.int64]
    """int64[R]"""
    seat: NDArray[np.int64]
    """int64[R]"""
    observations: NDArray[np.float32]
    """float32[R, F]"""
    masks: NDArray[np.int8]
    """int8[R, A]"""


class RowStep(NamedTuple):
    """What a step by decision rows gives: the rows that decide next, and what the step has brought to all seats."""

    game: NDArray[np.int64]
    """int64[R]"""
    seat: NDArray[np.int64]
    """int64[R]"""
    observations: NDArray[np.float32]
    """float32[R, F]"""
    masks: NDArray[np.int8]
    """int8[R, A]"""
    rewards: NDArray[np.float32]
    """float32[G, S]: of every seat, also of those without a row."""
    terminated: NDArray[np.bool_]
    """bool[G]"""
    truncated: NDArray[np.bool_]
    """bool[G]"""


class Ended(NamedTuple):
    """The k games that ended in the last step, ordered by game."""

    index: NDArray[np.int64]
    """int64[k]: their places in the batch."""
    observations: NDArray[np.float32]
    """float32[k, S, F]: the last observations."""
    masks: NDArray[np.int8]
    """int8[k, S, A]: WAIT alone, but for games that were cut off."""
    scores: NDArray[np.int32]
    """int32[k, S, C + 2]: points by category, total, tie-break value."""
    ranks: NDArray[np.int64]
    """int64[k, S]: from 1; equals share the best of their ranks, absent seats have 0."""
    rewards: NDArray[np.float32]
    """float32[k, S]: of the last step."""
    lengths: NDArray[np.int64]
    """int64[k]: steps that the games took."""


class Batch:
    """Many games of one kind in one array, stepped together.

    >>> from antiquity import Batch
    >>> batch = Batch("seven_wonders", num_games=64, num_players=4, seed=1)
    >>> observations, masks = batch.reset()
    >>> step = batch.step(batch.sample())

    G games, S seats (of the largest table), A actions, F observation elements. Arrays by game and seat have a place for
    every seat up to S; those of absent seats are zero (their mask: WAIT alone), and what is sent for them is ignored. A
    seat that waits must send WAIT (0).

    What a game does follows from its seed alone. Game number n (from 0) of slot i has the seed
    ``mix(mix(seed, BATCH, i), BATCH, n)``, whatever the number of games and threads; with an array of seeds, the first
    game of slot i has ``seed[i]`` itself and the later ones ``mix(seed[i], BATCH, n)``.

    One batch is to be used from one thread at a time.

    Args:
        game: a game's name, or a Game.
        num_games: how many games, 1 or more.
        num_players: an int for all games, or one for each; the game's default when None.
        seed: an int in [0, 2**64), an array of one such for each game, or None for fresh entropy (found in ``seed``).
        threads: into how many slices the batch is split; more than one run in a pool of threads.
        copy: True: returned arrays are the caller's own. False: they are the batch's buffers, which the next call
            writes over.
        reward: ``"win"``: at the end 1/k to each of k winners. ``"rank"``: at the end (n - mean rank) / (n - 1), equals
            sharing the mean of their ranks. ``"margin"``: at the end (own total - best other total) / margin_scale; a
            seat that has lost by an illegal action counts as one margin_scale below the lowest total. ``"points"``: the
            change of the total at every step, the first including the starting value.
        on_illegal: ``"raise"``: a ValueError, and nothing is changed. ``"lose"``: the game ends, the offenders rank
            last. ``"random"``: a legal action is drawn instead.
        memory: observations include the part for what has been seen before.
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
        self.threads = whole("threads", threads, 1)
        self.copy = bool(copy)
        self.reward = one_of("reward", reward, loops.REWARDS)
        self.on_illegal = one_of("on_illegal", on_illegal, loops.ON_ILLEGAL)
        self.memory = bool(memory)
        self.max_cycles = None if max_cycles is None else whole("max_cycles", max_cycles, 1)
        self.autoreset = bool(autoreset)
        self.game_options = dict(game_options)
        self.player_counts = self._count_players(num_players)
        """int64[G]: the seats of each game."""
        self.num_seats = int(self.player_counts.max())
        self.num_actions = self.game.num_actions
        self.layout = self.game.observation_layout(self.memory)
        self.observation_size = self.layout.size
        self.tables, self._options = self._set_up()
        self.games: Array = np.zeros(self.num_games, self.game.dtype)
        """The records, structured[G]. Call :meth:`refresh` after changing them by hand."""
        self._slots = np.zeros(self.num_games, loops.slot_dtype(self.game.max_players))
        self._slots["num_players"] = self.player_counts
        self._slots["stopped"] = 1
        self._allocate()
        self._seed_slots(checks.fresh_seed() if seed is None else seed, slice(None))

    # --- setting up ---

    def _count_players(self, num_players: Any) -> NDArray[np.int64]:
        game = self.game
        given = game.default_players if num_players is None else num_players
        if np.ndim(given) == 0:
            given = [given] * self.num_games
        if np.ndim(given) != 1 or len(given) != self.num_games:
            raise ValueError(
                f"num_players has shape {np.shape(given)}; give one number, or one for each of {self.num_games} games"
            )
        distinct = {whole("num_players", count, 1) for count in set(np.asarray(given).tolist())}
        for count in distinct:
            if not game.min_players <= count <= game.max_players:
                raise ValueError(
                    f"{game.title} is for {game.min_players} to {game.max_players} players, not {count}"
                )
        return np.asarray(given, dtype=np.int64)

    def _set_up(self) -> tuple[Array, Array]:
        game = self.game
        known = {option.name for option in game.options}
        for name in self.game_options:
            if name not in known:
                raise TypeError(
                    f"Batch has no argument {name!r}, and {game.title} no such option; "
                    f"its own options are: {', '.join(sorted(known)) or 'none'}"
                )
        options = np.zeros(game.max_players + 1, game.options_dtype)
        tables = None
        for count in np.unique(self.player_counts):
            found, chosen = game.setup(int(count), **self.game_options)
            if tables is not None and found.tobytes() != tables.tobytes():
                raise ValueError(
                    f"{game.title}: with these options, games of {count} players need tables of their own"
                )
            tables, options[count] = found, chosen[0]
        if tables is None or tables.dtype != game.tables_dtype or tables.shape != (1,):
            raise TypeError(f"{game.title}: setup gave no tables of the game's tables_dtype")
        return tables, options

    def _allocate(self) -> None:
        """Everything that is not part of the games' state."""
        games, seats, game = self.num_games, self.num_seats, self.game
        self._actions = np.zeros((2, games * seats), np.int64)
        self.actions = self._actions[0].reshape(games, seats)
        """int64[G, S]: what :meth:`play` plays."""
        self._legal = np.zeros((games, seats, game.max_legal + 1), np.uint16)
        self._legal[:, :, -1] = 1
        self.legal_lists = self._legal[:, :, :-1]
        """uint16[G, S, max_legal]: the legal actions of each seat, ascending; only the first legal_counts count."""
        self.legal_counts = self._legal[:, :, -1]
        """uint16[G, S]: how many there are."""
        self._where = np.zeros((2, games * seats), np.int64)
        self._set_outputs(np.zeros((games, seats), np.float32), np.zeros((2, games), np.bool_))
        self._row_outputs: tuple[Array, Array] | None = None
        shared = (
            self.games,
            self.tables,
            self._options,
            self._slots,
            self._actions,
            self._legal,
            self._where,
        )
        settings = {
            "margin_scale": game.margin_scale,
            "max_cycles": np.iinfo(np.int64).max if self.max_cycles is None else self.max_cycles,
            "reward": loops.REWARDS.index(self.reward),
            "illegal": loops.ON_ILLEGAL.index(self.on_illegal),
            "autoreset": self.autoreset,
        }
        sizes = (self.observation_size, self.num_actions)
        pieces = cut(games, self.threads)
        self._team = Team([Slice(game, start, stop, shared, sizes, settings) for start, stop in pieces])
        self._samplers: dict[str, Callable[..., int]] = {}
        self._commit: Callable[[int, int, int], int] | None = None
        self._begun = False
        self._stale = False  # the lists of legal actions are not those of the games as they stand
        self._ended: Ended | None = None

    def _set_outputs(self, rewards: Array, done: Array) -> None:
        """New arrays for what a step gives."""
        games, seats = self.num_games, self.num_seats
        self.observations = np.zeros((games, seats, self.observation_size), np.float32)
        """float32[G, S, F] of the last reset or step."""
        self.masks = np.empty((games, seats, self.num_actions), np.int8)
        """int8[G, S, A] of the last reset or step."""
        self._set_results(rewards, done)
        self._outputs = (
            self.observations.reshape(games * seats, -1),
            self.masks.reshape(games * seats, -1),
            rewards,
            done,
        )

    def _set_results(self, rewards: Array, done: Array) -> None:
        self.rewards: NDArray[np.float32] = rewards
        """float32[G, S] of the last step."""
        self.terminated: NDArray[np.bool_] = done[0]
        """bool[G] of the last step."""
        self.truncated: NDArray[np.bool_] = done[1]
        """bool[G] of the last step."""
        self._done = done

    def _new_results(self) -> tuple[Array, Array]:
        return np.empty((self.num_games, self.num_seats), np.float32), np.empty((2, self.num_games), np.bool_)

    def _seed_slots(self, seed: Any, where: Any) -> None:
        """Give the slots in `where` their streams."""
        slots = self._slots
        if np.ndim(seed) == 0:
            self.seed: int | NDArray[np.uint64] = checks.one_seed(seed)
            indices = np.arange(self.num_games, dtype=np.uint64)[where]
            streams = random.mix_many(np.uint64(self.seed), random.BATCH, indices)
            first = random.mix_many(streams, random.BATCH, np.uint64(0))
        else:
            streams = first = checks.seed_array(seed, len(slots[where]))
            self.seed = streams.copy()
        slots["seed"][where], slots["next"][where], slots["episode"][where] = streams, first, 0

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
        where = slice(None) if index is None else checks.slots(index, self.num_games)
        if index is not None and not self._begun:
            raise ValueError("this batch has not begun: call reset() without index first")
        if seed is not None:
            self._seed_slots(seed, where)
        self._slots["restart"][where] = 1
        if self.copy:
            self._set_outputs(self.rewards.copy(), self._done.copy())
        self._begun = True
        self._ended = None
        self._run(loops.BEGIN | loops.RESTART | loops.LISTS | loops.FULL, self._outputs)
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
        if self.copy:
            self._set_outputs(*self._new_results())
        self._ended = None
        check = loops.CHECK if self.on_illegal == "raise" else 0
        self._run(check | loops.BEGIN | loops.PLAY | loops.LISTS | loops.FULL, self._outputs)

    def rows(self) -> Rows:
        """The seats that have something to choose now, with their observations and masks alone."""
        if self._stale or not self._begun:
            self._freshen()
        observations, masks = self._row_arrays()
        self._team.place_rows()
        self._run(loops.BEGIN | loops.ROWS, (observations, masks, self.rewards, self._done))
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
        observations, masks = self._row_arrays()
        rewards, done = self._new_results() if self.copy else (self.rewards, self._done)
        self._ended = None
        ops = loops.BEGIN | loops.SPREAD | loops.PLAY | loops.LISTS | loops.ROWS
        ops |= loops.CHECK if self.on_illegal == "raise" else 0
        self._run(ops, (observations, masks, rewards, done))
        if self.copy:
            self._set_results(rewards, done)
            self._outputs = (*self._outputs[:2], rewards, done)
        return RowStep(*self._take_rows(observations, masks), self.rewards, self.terminated, self.truncated)

    def _row_arrays(self) -> tuple[Array, Array]:
        if self._row_outputs is None or self.copy:
            most = self.num_games * self.num_seats
            self._row_outputs = (
                np.zeros((most, self.observation_size), np.float32),
                np.empty((most, self.num_actions), np.int8),
            )
        return self._row_outputs

    def _take_rows(self, observations: Array, masks: Array) -> Rows:
        count = self._team.count_rows()
        where = self._where[:, :count]
        if self.copy:
            where, self._row_outputs = where.copy(), None
        return Rows(where[0], where[1], observations[:count], masks[:count])

    def _run(self, ops: int, outputs: tuple[Array, Array, Array, Array]) -> None:
        offender = self._team.run(ops, outputs)
        if offender >= 0:
            game, seat = divmod(offender, self.num_seats)
            raise ValueError(checks.illegal_action(self, game, seat, int(self.actions[game, seat])))

    def _freshen(self) -> None:
        if not self._begun:
            raise ValueError("this batch has not begun: call reset() first")
        self._run(loops.BEGIN | loops.LISTS, self._outputs)
        self._stale = False

    @property
    def ended(self) -> Ended:
        """The games that ended in the last step, in compact arrays of one's own; k = 0 when there are none."""
        if self._ended is None:
            parts = [each.ended() for each in self._team.slices]
            records, observations, masks = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
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

    # --- one seat at a time ---

    def commit(self, index: int, seat: int, action: int) -> int:
        """Commit one seat's secret choice in game `index`; choosing again before :meth:`resolve` replaces it.

        Returns:
            How many deciders of the game have not chosen yet.

        Raises:
            ValueError: the action is illegal and ``on_illegal="raise"``; nothing has changed.
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
        missing = self._commit(index, seat, action)
        if missing < 0:
            raise ValueError(checks.illegal_action(self, index, seat, action))
        return missing

    def resolve(self, index: int = 0) -> None:
        """Take what the deciders of game `index` have committed: a step of this game alone.

        The results stand in :attr:`observations`, :attr:`masks`, :attr:`rewards`, :attr:`terminated`,
        :attr:`truncated` and :attr:`ended`, as after a step.

        Raises:
            ValueError: a decider has not chosen yet.
        """
        missing = self.missing(index)
        if missing:
            raise ValueError(
                f"seats {', '.join(map(str, missing))} of game {index} have not chosen yet; "
                "commit an action for each of batch.missing(index) first"
            )
        if self._stale or not self._begun:
            self._freshen()
        if self.copy:
            observations, masks = self.observations, self.masks
            self._set_outputs(self.rewards.copy(), self._done.copy())
            self.observations[:], self.masks[:] = observations, masks
        self._ended = None
        self._team.run_one(
            index, loops.BEGIN | loops.COMMITTED | loops.PLAY | loops.LISTS | loops.FULL, self._outputs
        )
        self._stale = self.num_games > 1  # the other games' rows are not counted

    def deciders(self, index: int = 0) -> tuple[int, ...]:
        """The seats of game `index` that must choose at this decision."""
        bits = 0 if self._slots["stopped"][index] else int(self.games["deciders"][index])
        return tuple(seat for seat in range(self.num_seats) if bits >> seat & 1)

    def missing(self, index: int = 0) -> tuple[int, ...]:
        """The deciders of game `index` that have not committed a choice yet."""
        chosen, pending = self.games["chosen"][index], int(self._slots["pending"][index])
        return tuple(seat for seat in self.deciders(index) if not chosen[seat] and not pending >> seat & 1)

    # --- choosing ---

    def sample(self, policy: str = "random", *, salt: int = 0) -> NDArray[np.int64]:
        """An action for every seat, int64[G, S]: WAIT for those that wait, for the others a legal one.

        With ``copy=False`` they are written to :attr:`actions`, and that is what is returned.

        Args:
            policy: ``"random"``: each legal action with the same chance. ``"greedy"``: the game's greedy agent.
            salt: an int in [0, 2**63). The actions follow from the game's seed, its position and this number, so the
                same call in the same position gives the same actions.
        """
        out = np.empty_like(self.actions) if self.copy else self.actions
        self._sample(policy, salt, out.reshape(-1), rows=0)
        return out

    def sample_rows(self, policy: str = "random", *, salt: int = 0) -> NDArray[np.int64]:
        """The same for the decision rows alone, int64[R]: what :meth:`step_rows` takes."""
        if self._stale or not self._begun:
            self._freshen()
        out = np.empty(self._team.count_rows(), np.int64)
        self._team.place_rows()
        self._sample(policy, salt, out, rows=1)
        return out

    def _sample(self, policy: str, salt: int, out: Array, rows: int) -> None:
        if self._stale or not self._begun:
            self._freshen()
        if type(salt) is not int or not 0 <= salt < 1 << 63:
            salt = whole("salt", salt, 0, (1 << 63) - 1)
        if policy == "random":
            function, arrays = loops.sample_random, (self.games, self._legal, out)
        else:
            one_of("policy", policy, POLICIES)
            function, arrays = loops.sample_greedy, (self.games, self.tables, self._legal, out)
        call = self._samplers.get(policy)
        if call is None:
            call = self._samplers[policy] = code(function, arrays, 5)
        if self.threads == 1:
            call(*arrays, salt, rows, 0, 0, self.num_games)
            return
        self._team.map(
            lambda each: call(*arrays, salt, rows, int(each.work["first_row"][0]), each.start, each.stop)
        )

    def legal_actions(self, index: int, seat: int) -> NDArray[np.uint16]:
        """The legal actions of a seat now, ascending, uint16[n]; WAIT alone for one that waits."""
        if self._stale or not self._begun:
            self._freshen()
        return self.legal_lists[index, seat, : self.legal_counts[index, seat]].copy()

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
        one_of("policy", policy, POLICIES)
        slots = self._slots
        slots["restart"] = slots["stopped"] if self.autoreset else slots["episode"] == 0
        out = np.empty((self.num_games, self.num_seats), np.int32)
        function = playouts.rollout_random if policy == "random" else playouts.rollout_greedy

        def play(each: Slice) -> None:
            arrays = (self.games, self.tables, self._options, slots, each.work, self._legal, out)
            code(function, arrays, 2)(*arrays, each.start, each.stop)

        self._team.map(play)
        self._begun = self._stale = True
        self._ended = None
        for each in self._team.slices:
            each.forget_ended()
        return out

    # --- looking ---

    def scores(self) -> NDArray[np.int32]:
        """The points as they stand, int32[G, S, C + 2]: by category, their total, the value that breaks ties."""
        return self._standings()[0]

    def ranks(self) -> NDArray[np.int64]:
        """The ranks as they stand, int64[G, S], from 1; equals share the best of their ranks, absent seats have 0."""
        return self._standings()[1]

    def _standings(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        self._require_begun()
        players, columns = self.game.max_players, len(self.game.categories) + 2
        scores = np.empty((self.num_games, players, columns), np.int32)
        ranks = np.empty((self.num_games, players), np.int64)
        arrays = (self.games, self.tables, scores, ranks)
        call = code(playouts.standings, arrays, 2)
        self._team.map(lambda each: call(*arrays, each.start, each.stop))
        return scores[:, : self.num_seats].copy(), ranks[:, : self.num_seats].copy()

    def state(self) -> NDArray[np.float32]:
        """The whole table of every game, for centralised critics: float32[G, state_layout.size]."""
        self._require_begun()
        out = np.empty((self.num_games, self.game.state_layout.size), np.float32)
        arrays = (self.games, self.tables, out)
        call = code(playouts.reveal, arrays, 2)
        self._team.map(lambda each: call(*arrays, each.start, each.stop))
        return out

    def describe(self, index: int, seat: int, action: int) -> str:
        """An action of a seat in game `index`, in words."""
        return self.game.describe(self.games, index, self.tables, seat, action)

    def render(self, index: int = 0, seat: int | None = None) -> str:
        """The table of game `index` as text for the terminal; as one seat sees it, or (None) all of it."""
        return self.game.render(self.games, index, self.tables, seat)

    # --- changing and copying ---

    def refresh(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """List the legal actions and write observations and masks anew, after :attr:`games` was changed by hand."""
        self._require_begun()
        if self.copy:
            self._set_outputs(self.rewards, self._done)
        self._run(loops.BEGIN | loops.LISTS | loops.FULL, self._outputs)
        self._stale = False
        return self.observations, self.masks

    def set_games(self, games: Array) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Go on from given records, such as ``other.games``; the streams of seeds stay.

        Args:
            games: structured[G] of the game's dtype, with numbers of players that this batch was made for.

        Returns:
            Their observations and masks, as from :meth:`reset`.
        """
        checks.records(self.game, games, self.num_games)
        counts = games["num_players"].astype(np.int64)
        strange = set(counts.tolist()) - set(self.player_counts.tolist())
        if strange:
            raise ValueError(
                f"records of {sorted(strange)} players; this batch was made for {set(self.player_counts)}"
            )
        self.games[:] = games
        self.player_counts[:] = counts
        slots = self._slots
        slots["num_players"], slots["stopped"], slots["pending"] = counts, games["over"], 0
        self._begun = True
        self._ended = None
        slots["totals"][:, : self.num_seats] = self.scores()[:, :, -2]
        return self.refresh()

    def determinize(self, index: int, seat: int, seed: int) -> None:
        """Redraw in game `index` all that the seat cannot know, in agreement with all that it has seen.

        Args:
            seed: an int in [0, 2**64); another one gives another world.
        """
        self._require_begun()
        seeds = np.array([checks.one_seed(seed)], np.uint64)
        index, seat = self._place(index, seat)
        arrays = (self.games, self.tables, seeds)
        code(playouts.determinize, arrays, 2)(*arrays, index, seat)
        self._team.run_one(index, loops.BEGIN | loops.LISTS | loops.FULL, self._outputs)
        self._stale = True

    def _place(self, index: int, seat: int) -> tuple[int, int]:
        index = whole("index", index, 0, self.num_games - 1)
        return index, whole("seat", seat, 0, int(self.player_counts[index]) - 1)

    def _require_begun(self) -> None:
        if not self._begun:
            raise ValueError("this batch has not begun: call reset() first")

    def clone(self) -> Batch:
        """An independent copy: it goes on as this one would."""
        twin = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __deepcopy__(self, _memo: dict[int, Any]) -> Batch:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name in STATE}
        for name in (
            "games",
            "_slots",
            "tables",
            "_options",
            "player_counts",
            "rewards",
            "_done",
            "_actions",
        ):
            state[name] = getattr(self, name).copy()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        rewards, done, actions = state.pop("rewards"), state.pop("_done"), state.pop("_actions")
        begun = state.pop("_begun")
        self.__dict__.update(state)
        self._allocate()
        self._actions[:] = actions
        if begun:
            self._begun = True
            self._set_outputs(rewards, done)
            self.refresh()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the batch to a file (npz): the games, the streams of seeds and the settings, without any pickle.

        The file appears whole or not at all. ValueError for options that cannot be written as JSON.
        """
        saving.save(self, path)

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
        return saving.load(cls, path, game, threads, copy)
