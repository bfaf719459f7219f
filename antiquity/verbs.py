"""The verbs: what every game can do, declared once.

A game is one record of a structured array. Each game package writes the same kernels over its own record type and
registers them::

    from antiquity import verbs

    verbs.register(GAME_DTYPE, init=init, legal=legal, choose=choose, advance=advance, observe=observe,
                   reveal=reveal, score=score, determinize=determinize, greedy=greedy)

Shared kernels call ``verbs.legal(games[i], tables[0], seat, out)`` and numba puts the kernel of that record type in its
place while compiling, so there is one loop in the source and a specialised, inlined one for each game. Without
compilation (``NUMBA_DISABLE_JIT=1``), and when called from Python, the same names look the kernel up by the dtype of
the record.

Arguments that all verbs share:

* ``game``: one record, changed in place. It begins with :data:`antiquity.game.HEADER`.
* ``tables``: one record, the printed game, read only.
* ``seat``: 0 to ``num_players - 1``; the left neighbour of seat s is ``(s + 1) % num_players``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import errors, types
from numba.core.typing.templates import builtin_registry

from antiquity import jit, kernel_cache
from antiquity.game import check_dtype

WAIT = 0
"""The action of a seat that has nothing to choose, in every game."""

OPTIONAL = ("observe_seats",)
"""Verbs that a game may leave to Antiquity."""
NAMES = ("init", "legal", "choose", "advance", "observe", "reveal", "score", "determinize", "greedy")
"""What every game registers."""

_by_dtype: dict[np.dtype[Any], dict[str, Callable[..., Any]]] = {}
_by_record: dict[types.Record, dict[str, Callable[..., Any]]] = {}


def register(dtype: np.dtype[Any], **kernels: Callable[..., Any]) -> None:
    """Make `kernels` the verbs of games whose record is `dtype`.

    Args:
        dtype: the game's structured dtype, with Antiquity's header (see :func:`antiquity.game.check_dtype`).
        kernels: one function for each of :data:`NAMES`, and for those of :data:`OPTIONAL` that the game can do faster
            than Antiquity, decorated with :func:`antiquity.jit.kernel`.

    Raises:
        TypeError: a verb is missing, unknown, or takes other arguments than declared here.
        ValueError: the dtype is not one of a game, or another game has the very same record.
    """
    check_dtype(dtype)
    missing, unknown = set(NAMES) - kernels.keys(), kernels.keys() - {*NAMES, *OPTIONAL}
    if missing or unknown:
        raise TypeError(
            f"verbs missing: {sorted(missing)}, unknown: {sorted(unknown)}; a game registers {list(NAMES)}"
        )
    for name, function in kernels.items():
        given = list(inspect.signature(getattr(function, "py_func", function)).parameters)
        declared = list(inspect.signature(globals()[name]).parameters)
        if given != declared:
            raise TypeError(f"the verb {name} takes ({', '.join(declared)}), not ({', '.join(given)})")
    modules = {function.__module__ for function in kernels.values()}
    kernels.setdefault("observe_seats", _observe_each)
    before = _by_dtype.get(dtype)
    if before is not None and before["init"].__module__ not in modules:
        raise ValueError(
            f"the record of {sorted(modules)} is the same as that of another game; rename a field"
        )
    _by_dtype[dtype] = kernels
    if jit.ENABLED:
        _by_record[numba.from_dtype(dtype)] = kernels
        kernel_cache.associate(dtype, modules)


def kernel(name: str, dtype: np.dtype[Any]) -> Callable[..., Any]:
    """The kernel that `dtype`'s game has registered for the verb `name`.

    Raises:
        KeyError: no game has registered this dtype.
    """
    found = _by_dtype.get(dtype)
    if found is None:
        raise KeyError(f"no game has registered verbs for the record {dtype}; import its package first")
    return found[name]


# --- the declarations -----------------------------------------------------------------------------------------------


def init(game: Any, tables: Any, num_players: int, options: Any, seed: int) -> None:
    """A new game in place: every byte of `game` is written, unused slots are cleared.

    Args:
        num_players: at least the game's min_players, at most its max_players.
        options: a record of the game's options_dtype.
        seed: 64 bits; everything random in the game is a hash of it.
    """
    kernel("init", game.dtype)(game, tables, num_players, options, seed)


def legal(game: Any, tables: Any, seat: int, out: Any) -> int:
    """Write the numbers of the seat's n legal actions, ascending, to the front of `out`; returns n, at least 1.

    A seat that waits, and every seat of a finished game, has exactly one: :data:`WAIT`. A seat that must choose never
    has WAIT. Changes nothing.

    Args:
        out: uint16, one-dimensional, at least the game's max_legal long. What lies behind the n is not defined.
    """
    return kernel("legal", game.dtype)(game, tables, seat, out)  # type: ignore[no-any-return]


def choose(game: Any, tables: Any, seat: int, action: int) -> None:
    """Commit the seat's secret choice to ``game["chosen"]``. The action is legal; choosing again replaces it."""
    kernel("choose", game.dtype)(game, tables, seat, action)


def advance(game: Any, tables: Any) -> None:
    """Resolve the choices of all deciders at once and go on to the next decision, or to the end.

    Clears ``chosen``, adds one to ``steps`` and sets ``deciders`` (never none unless the game is ``over``).
    """
    kernel("advance", game.dtype)(game, tables)


def observe(game: Any, tables: Any, seat: int, out: Any) -> None:
    """Write what the seat may see, and nothing else.

    Args:
        out: float32, one-dimensional. Its length says what is wanted: ``layout.size``, or that plus
            ``memory_layout.size``. It holds zeros or what an earlier call has written, so that a game need not write
            again what is zero in most positions.
    """
    kernel("observe", game.dtype)(game, tables, seat, out)


def observe_seats(game: Any, tables: Any, seats: int, out: Any) -> None:
    """Write the observations of several seats, as :func:`observe` does. Optional: much of them may be the same.

    Args:
        seats: bit s set: the observation of seat s is wanted.
        out: float32[k, F], a row for each of the k seats, in their order.
    """
    kernel("observe_seats", game.dtype)(game, tables, seats, out)


def reveal(game: Any, tables: Any, out: Any) -> None:
    """Write the whole table, for centralised critics. `out`: float32[state_layout.size], every element is written."""
    kernel("reveal", game.dtype)(game, tables, out)


def score(game: Any, tables: Any, out: Any) -> None:
    """Write the points as they stand, at any moment; changes nothing.

    Args:
        out: int32[max_players, len(categories) + 2]: points by category, their total, and the value that breaks ties
            (higher is better). Every element is written; rows of absent seats are 0.
    """
    kernel("score", game.dtype)(game, tables, out)


def determinize(game: Any, tables: Any, seat: int, seed: int) -> None:
    """Redraw all that `seat` cannot know, the future's randomness included, in agreement with all it has seen.

    Args:
        seed: 64 bits; another seed gives another world.
    """
    kernel("determinize", game.dtype)(game, tables, seat, seed)


def greedy(game: Any, tables: Any, seat: int, legal: Any, n: int, noise: int) -> int:
    """The action of the game's one-ply greedy agent, one of ``legal[:n]``. `noise`, 64 bits, breaks ties."""
    return kernel("greedy", game.dtype)(game, tables, seat, legal, n, noise)  # type: ignore[no-any-return]


@jit.kernel
def _observe_each(game: Any, tables: Any, seats: int, out: Any) -> None:
    """The verb observe_seats of games that have none of their own."""
    row = 0
    for seat in range(np.int64(game["num_players"])):
        if (seats >> seat) & 1:
            observe(game, tables, seat, out[row])
            row += 1


# --- the same for kernels -------------------------------------------------------------------------------------------


@jit.opaque
class VerbType(types.Callable, types.Dummy):  # type: ignore[misc]
    """numba's type of a verb: a call has the type, and the code, of the kernel of the first argument's record.

    An overload that calls the kernel would do too, and would be one more function to compile for every verb.
    """

    def __init__(self, verb: Callable[..., Any]) -> None:
        self._verb = verb.__name__
        super().__init__(f"verb({self._verb})")

    def get_call_type(self, context: Any, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        """The signature of the call, once the kernel is compiled for it."""
        found = _by_record.get(args[0])
        if found is None:
            raise errors.TypingError(f"no game has registered the verb {self._verb} for {args[0]}")
        return numba.typeof(found[self._verb]).get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        """None are known beforehand; they depend on the record."""
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        """The compiled kernel for a signature that get_call_type gave."""
        return numba.typeof(_by_record[sig.args[0]][self._verb]).get_impl_key(sig)


if jit.ENABLED:
    for _verb in (init, legal, choose, advance, observe, observe_seats, reveal, score, determinize, greedy):
        builtin_registry.register_global(_verb, VerbType(_verb))
