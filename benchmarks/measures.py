"""What is measured: each kind of use of a game as a task for :mod:`benchmarks.clock`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from antiquity import Batch, make_game
from benchmarks import adapters, torchrl_lines
from benchmarks.clock import Count, Task
from benchmarks.positions import Tally, middle_of_play, tally

if TYPE_CHECKING:
    from antiquity import Game

SEED = 1
SEARCHED = 64
"""Games whose decisions the search takes."""


@dataclass(frozen=True)
class Spec:
    """One line of the results."""

    kind: str
    """A name in :data:`KINDS`."""
    game: str
    players: int
    games: int = 1
    threads: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    """The game's own options, where they aren't the defaults."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self.__dict__, "options": dict(self.options)}

    def __str__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        threads = f", {self.threads} threads" if self.threads > 1 else ""
        games = f", {self.games:,} games" if self.games > 1 else ""
        return f"{self.game}: {KINDS[self.kind].title}, {self.players} players{games}{threads}{options}"


@dataclass(frozen=True)
class Kind:
    """A way to use a game."""

    title: str
    build: Callable[[Spec], Task]
    outputs: int
    """How many times the arrays of all seats' observations and masks are held."""
    policy: str = "random"
    batched: bool = True
    """Many games are stepped together; False: one game."""
    needs: tuple[str, ...] = ()
    """What the game must have: ``"bytes"`` for observations of uint8, ``"seat_blocks"`` for ``seats="table"``."""


@functools.cache
def _tally(game: Game, players: int, options: tuple[tuple[str, Any], ...], policy: str) -> Tally:
    return tally(game, players, dict(options), policy)


@functools.cache
def _middle_of_play(
    game: Game, players: int, options: tuple[tuple[str, Any], ...], games: int
) -> NDArray[Any]:
    return middle_of_play(game, players, dict(options), games, _tally(game, players, options, "random").steps)


def running_games(spec: Spec, games: int | None = None) -> NDArray[Any]:
    """Records for all games of this line (or so many), each at another moment; made once, and not to be written to."""
    return _middle_of_play(
        make_game(spec.game), spec.players, tuple(sorted(spec.options.items())), games or spec.games
    )


def tally_of(spec: Spec) -> Tally:
    """Means of a game of this line, counted once."""
    return _tally(
        make_game(spec.game), spec.players, tuple(sorted(spec.options.items())), KINDS[spec.kind].policy
    )


def bytes_of_outputs(spec: Spec) -> int:
    """Observations and masks of all seats, as often as they are held; what limits the size of a batch."""
    game = make_game(spec.game)
    row = 4 * game.layout.size + game.num_actions
    return KINDS[spec.kind].outputs * spec.games * spec.players * row


def _batch(spec: Spec, *, copy: bool, running: bool, dtype: str, **settings: Any) -> Batch:
    """The batch; when `running`, in the middle of its games, each at another moment."""
    batch = Batch(
        spec.game,
        spec.games,
        spec.players,
        seed=SEED,
        threads=spec.threads,
        copy=copy,
        **adapters.settings(dtype),
        **settings,
        **spec.options,
    )
    if running:
        batch.set_games(running_games(spec))
    return batch


def _rollouts(spec: Spec) -> Task:
    """A unit plays a new game in every slot. Decisions: games times the mean of a game, see :class:`Tally`."""
    batch = _batch(spec, copy=False, running=False, dtype="float32")
    policy = KINDS[spec.kind].policy
    decisions = tally_of(spec).decisions

    def play(units: int) -> Count:
        for _ in range(units):
            batch.rollout(policy)
        games = units * spec.games
        return Count(games * decisions, games)

    return play


def _steps(spec: Spec, *, copy: bool, dtype: str = "float32", **settings: Any) -> Task:
    """A unit is a step with actions from ``sample()``."""
    batch = _batch(spec, copy=copy, running=True, dtype=dtype, **settings)

    def play(units: int) -> Count:
        decisions = games = 0
        for _ in range(units):
            actions = batch.sample()
            decisions += int(np.count_nonzero(actions))
            step = batch.step(actions)
            games += int(np.count_nonzero(step.terminated))
        return Count(decisions, games)

    return play


def _row_steps(spec: Spec, *, copy: bool, dtype: str = "float32") -> Task:
    """A unit is a step over decision rows with actions from ``sample_rows()``."""
    batch = _batch(spec, copy=copy, running=True, dtype=dtype)
    batch.rows()

    def play(units: int) -> Count:
        decisions = games = 0
        for _ in range(units):
            actions = batch.sample_rows()
            decisions += len(actions)
            step = batch.step_rows(actions)
            games += int(np.count_nonzero(step.terminated))
        return Count(decisions, games)

    return play


def _sb3_seats(spec: Spec, dtype: str = "float32") -> Task:
    return adapters.sb3_seats(spec, running_games(spec), dtype)


def _sb3_learner(spec: Spec) -> Task:
    return adapters.sb3_learner(spec, tally_of(spec).decisions / spec.players)


def _search(spec: Spec) -> Task:
    return adapters.search(spec, running_games(spec, SEARCHED), tally_of(spec).decisions)


KINDS: dict[str, Kind] = {
    "rollout_random": Kind("rollouts, random", _rollouts, 0),
    "rollout_greedy": Kind("rollouts, greedy", _rollouts, 0, policy="greedy"),
    "step": Kind("batch step, in place", functools.partial(_steps, copy=False), 1),
    "step_rows": Kind("decision rows, in place", functools.partial(_row_steps, copy=False), 2),
    "step_fresh": Kind("batch step, fresh arrays", functools.partial(_steps, copy=True), 2),
    "rows_fresh": Kind("decision rows, fresh arrays", functools.partial(_row_steps, copy=True), 3),
    "step_bytes": Kind(
        "batch step, fresh arrays of bytes",
        functools.partial(_steps, copy=True, dtype="uint8"),
        2,
        needs=("bytes",),
    ),
    "rows_bytes": Kind(
        "decision rows, fresh arrays of bytes",
        functools.partial(_row_steps, copy=True, dtype="uint8"),
        3,
        needs=("bytes",),
    ),
    "step_table": Kind(
        "batch step, fresh arrays, seats of the table",
        functools.partial(_steps, copy=True, seats="table"),
        2,
        needs=("seat_blocks",),
    ),
    "bytes_table": Kind(
        "batch step, fresh arrays of bytes, seats of the table",
        functools.partial(_steps, copy=True, dtype="uint8", seats="table"),
        2,
        needs=("bytes", "seat_blocks"),
    ),
    "parallel": Kind("ParallelEnv, dictionaries", adapters.parallel, 1, batched=False),
    "aec": Kind("AEC, agent_iter and last", adapters.aec, 1, batched=False),
    "search": Kind("tree search, 100 simulations", _search, 0, batched=False),
    "sb3_seats": Kind('SB3 VecEnv, rows="seats"', _sb3_seats, 2),
    "sb3_bytes": Kind(
        'SB3 VecEnv, rows="seats", bytes', functools.partial(_sb3_seats, dtype="uint8"), 2, needs=("bytes",)
    ),
    "torchrl": Kind("TorchRL GameEnv", torchrl_lines.batched, 2),
    "torchrl_wrapper": Kind("TorchRL, its wrapper of ParallelEnv", torchrl_lines.wrapped, 1, batched=False),
    "sb3_learner": Kind('SB3 VecEnv, rows="learner"', _sb3_learner, 2),
}
"""Every kind, by the name it has in JSON."""


def build(spec: Spec) -> Task:
    """The task of a line.

    Raises:
        ImportError: the kind needs a package that isn't installed.
    """
    return KINDS[spec.kind].build(spec)
