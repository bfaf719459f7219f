"""Many games in one array, stepped together: :class:`Batch`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity import checks, loops, playouts, saving
from antiquity.checks import one_of, whole
from antiquity.game import Game
from antiquity.results import Ended, Rows, RowStep, Step
from antiquity.rewards import REWARDS
from antiquity.slices import Array, Slice, code
from antiquity.stepping import Stepping

__all__ = ["POLICIES", "Batch", "Ended", "RowStep", "Rows", "Step"]

POLICIES = ("random", "greedy")
"""The policies that kernels know."""

# What a copy of a batch takes over: as it is, and as arrays of its own. The rest follows from these.
_SETTINGS = (
    "copy",
    "reward",
    "on_illegal",
    "memory",
    "_max_cycles",
    "autoreset",
    "layout",
    "observation_size",
)
_GAMES = (
    "game",
    "num_games",
    "threads",
    "game_options",
    "num_seats",
    "num_actions",
    "seed",
    "_known_counts",
    "_begun",
)
_ARRAYS = ("games", "_slots", "tables", "_options", "player_counts", "rewards", "_done", "_actions")


class Batch(Stepping):
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
        copy: True: returned arrays are the caller's own; one that nobody holds any more, nor a view of it, may be
            given again. False: they are the batch's buffers, which the next call writes over: read them only.
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
        self.copy = bool(copy)
        self.reward = one_of("reward", reward, REWARDS)
        self.on_illegal = one_of("on_illegal", on_illegal, loops.ON_ILLEGAL)
        self.memory = bool(memory)
        self._max_cycles = None if max_cycles is None else whole("max_cycles", max_cycles, 1)
        self.autoreset = bool(autoreset)
        super().__init__(game, num_games, num_players, seed, threads, game_options)
        self.layout = self.game.observation_layout(self.memory)
        """The names of the observation's elements."""
        self.observation_size = self.layout.size
        self._allocate()

    def __repr__(self) -> str:
        counts = "-".join(
            str(count) for count in sorted({self.player_counts.min(), self.player_counts.max()})
        )
        return f"<Batch of {self.num_games} games of {self.game.title}, {counts} players>"

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
        arrays: tuple[Array, ...] = (self.games, self._legal, out)
        if policy != "random":
            one_of("policy", policy, POLICIES)
            arrays = (self.games, self.tables, self._legal, out)
        call = self._samplers.get(policy)
        if call is None:
            function = loops.sample_random if policy == "random" else loops.sample_greedy
            call = self._samplers[policy] = code(function, arrays, 5)
        if self.threads == 1:
            call(*arrays, salt, rows, 0, 0, self.num_games)
            return
        self._team.map(
            lambda each: call(*arrays, salt, rows, int(each.work["first_row"][0]), each.start, each.stop)
        )

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
        slots["restart"] = slots["stopped"] if self.autoreset else not self._begun
        out = np.empty((self.num_games, self.num_seats), np.int32)
        function = playouts.rollout_random if policy == "random" else playouts.rollout_greedy

        def play(each: Slice) -> None:
            arrays = (self.games, self.tables, self._options, slots, each.work, self._legal, out)
            code(function, arrays, 2)(*arrays, each.start, each.stop)

        self._team.map(play)
        self._begun = self._stale = True
        self._ended = None
        self._team.forget_ended()
        return out

    # --- changing and copying ---

    def refresh(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """List the legal actions and write observations and masks anew, after :attr:`games` was changed by hand."""
        self._require_begun()
        if self.copy:
            self._set_outputs((*self._new_outputs()[:2], self.rewards, self._done))
        self._run(loops.BEGIN | loops.LISTS | loops.FULL | self._clear, self._outputs)
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
        strange = set(counts.tolist()) - self._known_counts
        if strange:
            known = ", ".join(map(str, sorted(self._known_counts)))
            raise ValueError(f"there are records of {min(strange)} players; this batch was made for {known}")
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

        What others have committed is unknown to it too: they are to choose again. Observations and masks of the game
        are written anew, also under ``copy=True``.

        Args:
            seed: an int in [0, 2**64); another one gives another world.
        """
        if self._stale or not self._begun:
            self._freshen()
        seeds = np.array([checks.one_seed(seed)], np.uint64)
        index, seat = self._place(index, seat)
        chosen = self.games["chosen"][index]
        chosen[np.arange(len(chosen)) != seat] = 0
        self._slots["pending"][index] &= 1 << seat
        arrays = (self.games, self.tables, seeds)
        code(playouts.determinize, arrays, 2)(*arrays, index, seat)
        self._team.run_one(index, loops.BEGIN | loops.LISTS | loops.FULL, self._outputs)

    def clone(self) -> Batch:
        """An independent copy: it goes on as this one would. What ended in the last step is not in it."""
        twin = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __deepcopy__(self, _memo: dict[int, Any]) -> Batch:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in (*_SETTINGS, *_GAMES)}
        return state | {name: getattr(self, name).copy() for name in _ARRAYS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        rewards, done, actions = state.pop("rewards"), state.pop("_done"), state.pop("_actions")
        self.__dict__.update(state)
        self._allocate()
        self._actions[:] = actions
        if self._begun:
            self._set_outputs((*self._outputs[:2], rewards, done))
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
