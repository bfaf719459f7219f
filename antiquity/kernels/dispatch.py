"""Python functions in whose place kernels call a compiled one.

A twin is always the same one. A verb is one name for many kernels: which one a call means follows from the record type
of its first argument. Shared kernels call a verb, and while compiling numba puts the kernel of that record type in its
place, so there is one loop in the source and a specialised, inlined one for each game. Without compilation, and when
called from Python, the same name looks the kernel up by the dtype of the record.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import TypingError

from antiquity.kernels.jit import PLAIN_OPTIONS, Function, kernel
from antiquity.kernels.mode import LINKED, MODE, PLAIN, PYTHON, linked

_by_dtype: dict[np.dtype[Any], dict[str, Callable[..., Any]]] = {}
_by_record: dict[types.Record, dict[str, Callable[..., Any]]] = {}


def twin(
    function: Callable[..., Any],
    kinds: tuple[type[np.generic], ...] | None = None,
    plain: Callable[..., Any] | None = None,
) -> Callable[[Function], Function]:
    """Decorate the compiled twin of a plain Python `function`: kernels that call `function` call the twin instead.

    Args:
        function: what Python calls, and kernels name.
        kinds: numpy types that the arguments are converted to, so that the twin is compiled only once. The twin must
            not rely on it: plain njit does not convert.
        plain: what takes the twin's place under plain njit, where the twin is made of instructions for LLVM.
    """

    def decorate(replacement: Function) -> Function:
        if MODE == LINKED:
            compiled: Any = kernel(replacement)
            converted = kinds and tuple(numba.from_dtype(np.dtype(kind)) for kind in kinds)
            linked.stand_in(function, lambda _: compiled, converted, lambda _: compiled)
        elif MODE == PLAIN:
            in_place_of(function, lambda *_: plain or replacement)
        return replacement

    return decorate


def by_dtype(floats: Callable[..., Any], integers: Callable[..., Any]) -> Callable[..., Any]:
    """A function of two meanings, chosen while compiling: by whether its first argument, an array, holds integers."""
    meanings = floats, integers
    if MODE != PYTHON:
        meanings = kernel(floats), kernel(integers)

    @functools.wraps(floats)
    def chosen(out: Any, *arguments: Any) -> Any:
        return meanings[out.dtype.kind in "iu"](out, *arguments)

    def find(kinds: tuple[types.Type, ...]) -> Any:
        return meanings[isinstance(kinds[0].dtype, types.Integer)]

    if MODE == LINKED:
        linked.stand_in(chosen, find, None, lambda _: list(meanings))
    elif MODE == PLAIN:
        in_place_of(chosen, lambda *kinds: find(kinds).py_func)
    return chosen


def Verb(declaration: Callable[..., Any]) -> Callable[..., Any]:  # noqa: N802 (reads as the kind of thing it makes)
    """Decorate the declaration of a verb: a function whose arguments and docstring are the contract."""
    name = declaration.__name__

    @functools.wraps(declaration)
    def verb(game: Any, *arguments: Any) -> Any:
        return bound(game.dtype)[name](game, *arguments)

    def find(arguments: tuple[types.Type, ...]) -> Any:
        found = _by_record.get(arguments[0])
        if found is None:
            raise TypingError(f"no game has registered the verb {name} for {arguments[0]}")
        return found[name]

    def every(named: str) -> list[Any]:
        return [_by_record[record][name] for record in sorted(_by_record, key=str) if str(record) in named]

    if MODE == LINKED:
        linked.stand_in(verb, find, None, every)
    elif MODE == PLAIN:
        in_place_of(verb, lambda *arguments: find(arguments).py_func)
    return verb


def in_place_of(function: Callable[..., Any], find: Callable[..., Any]) -> None:
    """Let plain njit compile, in the place of `function`, what `find` gives for the types of the arguments."""
    numba.extending.overload(function, jit_options=PLAIN_OPTIONS, strict=False)(find)


def bind(dtype: np.dtype[Any], kernels: dict[str, Callable[..., Any]]) -> None:
    """Make `kernels` what the verbs of their names mean for records of `dtype`."""
    _by_dtype[dtype] = kernels
    if MODE != PYTHON:
        _by_record[numba.from_dtype(dtype)] = kernels


def bound(dtype: np.dtype[Any]) -> dict[str, Callable[..., Any]]:
    """The kernels bound to `dtype`, by the names of their verbs. KeyError where there are none."""
    found = _by_dtype.get(dtype)
    if found is None:
        raise KeyError(f"no game has registered verbs for the record {dtype}; import its package first")
    return found
