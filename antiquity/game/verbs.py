"""The verbs: the contract of a game's kernels, declared once.

A game is one record of a structured array. Its package writes these kernels over its own record type and hands them to
its :class:`antiquity.game.Game`. Shared kernels call ``verbs.observe(games[i], tables[0], seat, out)``, and numba puts
the game's own kernel in its place (:mod:`antiquity.kernels.dispatch`). What goes the same way in every game, such as
waiting and committing, is :mod:`antiquity.game.flow`.

Arguments that all verbs share:

* ``game``: one record, changed in place. It begins with :data:`antiquity.game.HEADER`.
* ``tables``: one record, the printed game, read only.
* ``seat``: 0 to ``num_players - 1``; the left neighbour of seat s is ``(s + 1) % num_players``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from antiquity.game.random import below, mix
from antiquity.kernels import Verb, bind, kernel

RESEED = 1
"""Purpose of the seed of a redrawn future in games that hide nothing."""


# --- the declarations -----------------------------------------------------------------------------------------------


@Verb
def init(game: Any, tables: Any, options: Any) -> None:
    """Set up a new game: boards, hands, deciders. The record holds zeros but for ``seed`` and ``num_players``.

    Args:
        options: a record of the game's options_dtype.
    """


@Verb
def legal(game: Any, tables: Any, seat: int, out: Any) -> Any:
    """Write the numbers of the legal actions of a seat that decides, ascending, to the front of `out`.

    Returns how many there are, at least 1. WAIT is never among them, and none leads into a dead end. Changes nothing.

    Args:
        out: uint16, one-dimensional, at least the game's max_legal long. What follows them is not defined.
    """


@Verb
def advance(game: Any, tables: Any) -> None:
    """Resolve ``game["chosen"]`` of all deciders at once and go on to the next decision, or to the end.

    Sets ``deciders``, or ``over``. Antiquity counts ``steps`` and clears ``chosen`` afterwards.
    """


@Verb
def observe(game: Any, tables: Any, seat: int, out: Any) -> None:
    """Write what the seat may see, and nothing else.

    Args:
        out: float32 (or uint8, in games with ``bytes=True``), one-dimensional, zeros. Its length is ``layout.size``, or
            that plus ``memory_layout.size`` if the memory part is wanted.
    """


@Verb
def observe_seats(game: Any, tables: Any, seats: int, out: Any) -> None:
    """Write the observations of several seats, as :func:`observe` does; for games where they have much in common.

    Args:
        seats: bit s set: the observation of seat s is wanted.
        out: float32[k, F], zeros, a row for each of the k seats, in their order.
    """


@Verb
def reveal(game: Any, tables: Any, out: Any) -> None:
    """Write the whole table, for centralised critics. `out`: float32[state_layout.size], zeros."""


@Verb
def score(game: Any, tables: Any, out: Any) -> None:
    """Write the points as they stand, at any moment; changes nothing.

    Args:
        out: int32[max_players, len(categories) + 2]: points by category, their total, and the value that breaks ties
            (higher is better). Every element is written; rows of absent seats are 0.
    """


@Verb
def determinize(game: Any, tables: Any, seat: int, seed: int) -> None:
    """Redraw all that `seat` cannot know, the future's randomness included, in agreement with all it has seen.

    Args:
        seed: 64 bits; another seed gives another world.
    """


@Verb
def greedy(game: Any, tables: Any, seat: int, legal: Any, n: int, noise: int) -> Any:
    """The action of the game's one-ply greedy agent, one of ``legal[:n]``. `noise`, 64 bits, breaks ties."""


@Verb
def appraise(game: Any, tables: Any, seat: int, legal: Any, n: int, out: Any) -> None:
    """Say in numbers what the legal actions of a seat that decides are good for, by all that this seat may know.

    Column 0 is the value by which :func:`greedy` chooses: its choice is the largest, ties broken by noise. The others
    are what a network cannot easily see in the observation, such as what an action costs in all.

    Args:
        legal: uint16, the seat's legal actions as :func:`legal` lists them; `n`: how many.
        out: float32[n or more, K], zeros; row k is for ``legal[k]``. K and the meanings of the columns are those of
            the game's ``appraisal`` layout.
    """


@Verb
def check(game: Any, tables: Any) -> Any:
    """Whether a record can have come about: 0, or the code of what is wrong, from :func:`antiquity.game.fault_codes`.

    Asked of records from outside alone, never while games are played. `num_players`, `over`, `deciders` and
    `forfeits` fit each other already, and `chosen` is compared with the legal actions afterwards. Everything else may
    hold anything. Where it returns 0, all other verbs must be safe to call, and playing on must end: every index, count
    and sum is what the rules allow, and fields agree with each other. What play can reach is never refused.
    """


# --- what a game may leave to Antiquity -----------------------------------------------------------------------------


@kernel
def _observe_each(game: Any, tables: Any, seats: int, out: Any) -> None:
    """The verb observe_seats: one after the other."""
    row = 0
    for seat in range(np.int64(game["num_players"])):
        if (seats >> seat) & 1:
            observe(game, tables, seat, out[row])
            row += 1


@kernel
def _reveal_each(game: Any, tables: Any, out: Any) -> None:
    """The verb reveal: what all seats see, one behind the other."""
    size = len(out) // len(game["chosen"])
    for seat in range(np.int64(game["num_players"])):
        observe(game, tables, seat, out[seat * size : (seat + 1) * size])


@kernel
def _reseed(game: Any, tables: Any, seat: int, seed: int) -> None:
    """The verb determinize where nothing is hidden: another future."""
    game["seed"] = mix(seed, RESEED, 0)


@kernel
def _any(game: Any, tables: Any, seat: int, legal: Any, n: int, noise: int) -> Any:
    """The verb greedy: any legal action."""
    return np.int64(legal[below(noise, RESEED, 0, n)])


@kernel
def _no_opinion(game: Any, tables: Any, seat: int, legal: Any, n: int, out: Any) -> None:
    """The verb appraise: all actions are worth 0."""


@kernel
def _unchecked(game: Any, tables: Any) -> Any:
    """The verb check: for a game whose kernels are safe whatever lies behind a sound header."""
    return np.int64(0)


_DEFAULTS: dict[str, Callable[..., Any]] = {
    "observe_seats": _observe_each,
    "reveal": _reveal_each,
    "determinize": _reseed,
    "greedy": _any,
    "appraise": _no_opinion,
    "check": _unchecked,
}
_DECLARED: dict[str, Callable[..., Any]] = {
    verb.__name__: verb
    for verb in (
        init,
        legal,
        advance,
        observe,
        observe_seats,
        reveal,
        score,
        determinize,
        greedy,
        appraise,
        check,
    )
}
NAMES = tuple(_DECLARED)
"""All verbs."""
_taken: dict[np.dtype[Any], set[str]] = {}


def register(dtype: np.dtype[Any], **kernels: Callable[..., Any]) -> None:
    """Make `kernels` the verbs of games whose record is `dtype`.

    Raises:
        TypeError: a verb is missing, or takes other arguments than declared here.
        ValueError: another game has the very same record.
    """
    missing = _DECLARED.keys() - _DEFAULTS.keys() - kernels.keys()
    if missing:
        raise TypeError(f"kernels missing: {', '.join(sorted(missing))}")
    for name, function in kernels.items():
        given = list(inspect.signature(getattr(function, "py_func", function)).parameters)
        declared = list(inspect.signature(_DECLARED[name]).parameters)
        if given != declared:
            raise TypeError(f"the verb {name} takes ({', '.join(declared)}), not ({', '.join(given)})")
    modules = {function.__module__ for function in kernels.values()}
    if dtype in _taken and not _taken[dtype] & modules:
        raise ValueError(
            f"the record of {sorted(modules)} is the same as that of another game; rename a field"
        )
    _taken[dtype] = modules
    bind(dtype, _DEFAULTS | kernels)
