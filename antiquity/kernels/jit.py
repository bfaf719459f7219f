"""The one way a kernel is compiled, and where the result is kept.

Two decorators, as :func:`numba.njit` is one: :func:`kernel` for inner functions, which other kernels call, and
:func:`entry` for those that Python calls. The compiled code of both is kept on disk.

Numba's own disk cache looks at the file of the cached function only, so an edit of a kernel that it calls in another
file goes unnoticed. Here code is stored under a fingerprint of what it was made from: the bytecode of the kernel and of
all that it calls, the values of the globals that they name (see :mod:`antiquity.kernels.cache`), the versions of
Python, numba, llvmlite and numpy, and the processor. An edit that changes none of them, such as that of a page, a
picture or a comment, compiles nothing anew. The store is a folder of plain files, one for each compiled signature,
written under another name and then renamed: processes that start together may compile the same thing twice but never
read half a file.

Where the store lies, the first of these that can be written:

1. ``$ANTIQUITY_CACHE_DIR``;
2. the user's cache folder: ``$XDG_CACHE_HOME/antiquity`` or ``~/.cache/antiquity`` (Linux),
   ``~/Library/Caches/antiquity`` (macOS), ``%LOCALAPPDATA%\\antiquity\\Cache`` (Windows);
3. ``antiquity-<user id>`` in the folder for temporary files;
4. nowhere: the machine code lives as long as the process.

A folder before it in this list, which can be read but not written (an image built ahead with ``antiquity warmup``), is
still read from; one behind it is not touched, so ``ANTIQUITY_CACHE_DIR`` keeps everything in one place. A folder that
belongs to another user than oneself or root, or that others can write to, is not used: what lies in it is run. Nothing
of numba's global configuration is changed.

Under ``NUMBA_DISABLE_JIT=1`` both decorators return the function as it is. Under ``ANTIQUITY_PLAIN_NJIT=1``, and by
itself (with a warning) under a release of numba that this was not tried with, they are :func:`numba.njit`: the same
results without a store (see :mod:`antiquity.kernels.mode`).

For whoever writes kernels: a first step compiles all that it touches, a tenth of a second for a small kernel. Copying
one slice of an array to another (``a[:] = b``) drags in numba's text formatting and costs four seconds; write the loop.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, TypeVar, overload

import numba

from antiquity.kernels.mode import LINKED, MODE, PLAIN, PYTHON, linked

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]

ENABLED: bool = MODE != PYTHON
"""False under ``NUMBA_DISABLE_JIT=1``: kernels are plain Python functions then."""

PLAIN_OPTIONS = {"nogil": True, "error_model": "numpy"}
_plain: weakref.WeakSet[Any] = weakref.WeakSet()


def _compile(function: Any, allocates: bool, called_by_kernels: bool) -> Any:
    if MODE == PYTHON:
        return function
    if MODE == PLAIN:
        compiled = numba.njit(**PLAIN_OPTIONS)(function)
        _plain.add(compiled)
        return compiled
    return (linked.InnerKernel if called_by_kernels else linked.Kernel)(function, allocates)


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(*, allocates: bool) -> Decorator: ...  # type: ignore[type-arg]
def kernel(function: Any = None, *, allocates: bool = False) -> Any:
    """Compile an inner kernel: one that other kernels call.

    Integer division follows numpy (no exception on zero), and nothing in it may raise. Its code ends up in the entries
    that call it (see :mod:`antiquity.kernels.linking`), and in a file of its own, so that another entry need not
    compile it again. Python may call it too, which compiles it once more.

    Args:
        function: the function; left out where the decorator is given options.
        allocates: whether it makes arrays itself. Numba counts their references, and those of all others in it.
    """
    if function is None:
        return lambda given: _compile(given, allocates, called_by_kernels=True)
    return _compile(function, allocates, called_by_kernels=True)


@overload
def entry(function: Function) -> Function: ...
@overload
def entry(*, allocates: bool) -> Decorator: ...  # type: ignore[type-arg]
def entry(function: Any = None, *, allocates: bool = False) -> Any:
    """Compile a kernel that Python calls. It releases the GIL.

    Give it arrays and plain numbers. A record of a structured array costs 17-31 microseconds to hand over, the array
    and an index less than one.

    Args:
        function: the function; left out where the decorator is given options.
        allocates: whether it makes arrays itself, as for :func:`kernel`.
    """
    if function is None:
        return lambda given: _compile(given, allocates, called_by_kernels=False)
    return _compile(function, allocates, called_by_kernels=False)


def specialise(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The machine code of an entry for arguments of these types, without numba's look at the types at every call.

    Args:
        function: what :func:`entry` returned.
        arguments: an example of all arguments.

    Returns:
        A callable, compiled or taken from the store before this returns. It trusts its callers: every call must give
        arrays of the very same types, and plain Python ints for ints.
    """
    if MODE != LINKED:
        return function
    return function.compile(tuple(numba.typeof(argument) for argument in arguments))  # type: ignore[attr-defined, no-any-return]


def statistics() -> dict[str, int]:
    """How many kernels this process has taken from the store (``"hits"``) and compiled itself (``"misses"``)."""
    found = [each.stats for each in (linked.Kernel.made if MODE == LINKED else _plain)]
    return {
        "hits": sum(sum(each.cache_hits.values()) for each in found),
        "misses": sum(sum(each.cache_misses.values()) for each in found),
    }
