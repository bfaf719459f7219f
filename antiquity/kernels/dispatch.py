"""One name for many kernels: which one a call means follows from the record type of its first argument.

Shared kernels call a verb, and while compiling numba puts the kernel of that record type in its place, so there is one
loop in the source and a specialised, inlined one for each game. Without compilation, and when called from Python, the
same name looks the kernel up by the dtype of the record.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numba
import numpy as np
from numba.core import errors, types
from numba.core.typing.templates import builtin_registry

from antiquity.kernels import cache, jit

_by_dtype: dict[np.dtype[Any], dict[str, Callable[..., Any]]] = {}
_by_record: dict[types.Record, dict[str, Callable[..., Any]]] = {}


def Verb(declaration: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate the declaration of a verb: a function whose arguments and docstring are the contract."""
    name = declaration.__name__

    @functools.wraps(declaration)
    def verb(game: Any, *arguments: Any) -> Any:
        return bound(game.dtype)[name](game, *arguments)

    if jit.ENABLED:
        builtin_registry.register_global(verb, _VerbType(name))
    return verb


def bind(dtype: np.dtype[Any], kernels: dict[str, Callable[..., Any]], modules: Iterable[str]) -> None:
    """Make `kernels` what the verbs of their names mean for records of `dtype`.

    Args:
        modules: names of the modules that define the game's kernels; code compiled for the record depends on them.
    """
    _by_dtype[dtype] = kernels
    if jit.ENABLED:
        _by_record[numba.from_dtype(dtype)] = kernels
        cache.associate(dtype, modules)


def bound(dtype: np.dtype[Any]) -> dict[str, Callable[..., Any]]:
    """The kernels bound to `dtype`, by the names of their verbs. KeyError where there are none."""
    found = _by_dtype.get(dtype)
    if found is None:
        raise KeyError(f"no game has registered verbs for the record {dtype}; import its package first")
    return found


@jit.opaque
class _VerbType(types.Callable, types.Dummy):  # type: ignore[misc]
    """numba's type of a verb: a call has the type, and the code, of the kernel of the first argument's record.

    An overload that calls the kernel would do too, and would be one more function to compile for every verb.
    """

    def __init__(self, verb: str) -> None:
        self._verb = verb
        super().__init__(f"verb({verb})")

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
