"""The one way a kernel is compiled, and where the result is kept.

Two decorators over :func:`numba.njit`: :func:`kernel` for inner functions, which other kernels call, and :func:`entry`
for those that Python calls. The machine code of both is kept on disk.

Numba's own disk cache looks at the file of the cached function only, so an edit of a kernel that it calls in another
file goes unnoticed. Here code is stored under a fingerprint of the contents of every source file that can have a part
in it, of the values of the globals that its kernels name (see :mod:`antiquity.kernel_cache`), of the versions of
Python, numba, llvmlite and numpy, and of the processor. The store is a folder of plain files, one for each compiled
signature, written under another name and then renamed: processes that start together may compile the same thing twice
but never read half a file.

Where the store lies, the first of these that can be used:

1. ``$ANTIQUITY_CACHE_DIR``;
2. the user's cache folder: ``$XDG_CACHE_HOME/antiquity`` or ``~/.cache/antiquity`` (Linux),
   ``~/Library/Caches/antiquity`` (macOS), ``%LOCALAPPDATA%\\antiquity\\Cache`` (Windows);
3. ``antiquity-<user id>`` in the folder for temporary files;
4. nowhere: the machine code lives as long as the process.

A folder that can be read but not written (an image built ahead with ``antiquity warmup``) is still read from. Nothing
of numba's global configuration is changed. Under ``NUMBA_DISABLE_JIT=1`` both decorators return the function as it is.

For whoever writes kernels: a first step compiles all that it touches, a tenth of a second for a small kernel. Copying
one slice of an array to another (``a[:] = b``) drags in numba's text formatting and costs four seconds; write the loop.
"""

from __future__ import annotations

import functools
import os
import secrets
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import compiler, types
from numba.core import config as numba_config
from numba.core.bytecode import FunctionIdentity
from numba.core.typing.templates import builtin_registry
from numba.core.untyped_passes import ExtractByteCode
from numba.extending import models, register_model

from antiquity import kernel_cache

Function = TypeVar("Function", bound=Callable[..., Any])

ENABLED: bool = not getattr(numba_config, "DISABLE_JIT")  # noqa: B009 (numba sets its settings at run time)
"""False under ``NUMBA_DISABLE_JIT=1``: kernels are plain Python functions then."""


class _Identity(FunctionIdentity):  # type: ignore[misc]
    """Gives every compiled kernel a number that no other process gives.

    Numba makes the names of machine code of numbers that it counts up in each process, so code from the store and code
    compiled here could have the same name, and the linker take one for the other.
    """

    _unique_ids = iter(lambda: secrets.randbits(62), None)  # from the system: forked processes differ too


class _Compiler(compiler.Compiler):  # type: ignore[misc]
    """Numba's own compiler, with our identities."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """As the method of the base class."""
        self.state.func_id = _Identity.from_function(func)
        ExtractByteCode().run_pass(self.state)
        self.state.lifted = ()
        self.state.lifted_from = None
        return self._compile_bytecode()


_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "pipeline_class": _Compiler,
}


def kernel(function: Function) -> Function:
    """Compile an inner kernel: one that other kernels call.

    Integer division follows numpy (no exception on zero), and nothing in it may raise. Its code ends up in the entries
    that call it, and in a file of its own, so that another entry need not compile it again.
    """
    return _compile(function) if ENABLED else function


def entry(function: Function) -> Function:
    """Compile a kernel that Python calls. It releases the GIL.

    Give it arrays and plain numbers. A record of a structured array costs 17-31 microseconds to hand over, the array
    and an index less than one.
    """
    return _compile(function) if ENABLED else function


def _compile(function: Function) -> Function:
    kernel_cache.note(function)
    dispatcher = numba.njit(**_OPTIONS)(function)
    if function.__closure__ is None:  # what a closure holds is in no source file
        dispatcher._cache = kernel_cache.KernelCache(function, on_compile=_announce)
    return dispatcher  # type: ignore[no-any-return]


def specialise(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The machine code of an entry for arguments of these types, without numba's look at the types at every call.

    Args:
        function: what :func:`entry` returned.
        arguments: an example of all arguments.

    Returns:
        A callable, compiled or taken from the store before this returns. It trusts its callers: every call must give
        arrays of the very same types, and plain Python ints for ints.
    """
    if not ENABLED:
        return function
    return function.compile(tuple(numba.typeof(argument) for argument in arguments))  # type: ignore[attr-defined, no-any-return]


def opaque(kind: type[types.Type]) -> type[types.Type]:
    """Class decorator: values of the numba type `kind` carry no data of their own."""
    register_model(kind)(models.OpaqueModel)
    return kind


@opaque
class _Twin(types.Callable, types.Dummy):  # type: ignore[misc]
    """numba's type of a Python function that has a compiled twin."""

    def __init__(self, function: Callable[..., Any], twin: Any, kinds: tuple[types.Type, ...] | None) -> None:
        self._dispatcher = twin
        self._kinds = kinds
        super().__init__(f"twin({function.__module__}.{function.__qualname__})")

    def get_call_type(self, context: Any, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        _, folded = self._dispatcher._compiler.fold_argument_types(args, kws)
        return types.Dispatcher(self._dispatcher).get_call_type(context, self._kinds or folded, {})

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        return types.Dispatcher(self._dispatcher).get_impl_key(sig)


def twin(
    function: Callable[..., Any], kinds: tuple[types.Type, ...] | None = None
) -> Callable[[Function], Function]:
    """Decorate the compiled twin of a plain Python `function`: kernels that call `function` call the twin instead.

    Args:
        function: what Python calls, and kernels name.
        kinds: numba types that the arguments are converted to, so that the twin is compiled only once.
    """

    def decorate(replacement: Function) -> Function:
        if ENABLED:
            compiled = kernel(replacement)
            builtin_registry.register_global(function, _Twin(function, compiled, kinds))
        return replacement

    return decorate


def statistics() -> dict[str, int]:
    """How many kernels this process has taken from the store (``"hits"``) and compiled itself (``"misses"``)."""
    return dict(kernel_cache.COUNTS)


@functools.cache
def _announce() -> None:
    """Say once, on the terminal, that a wait of some seconds is a compilation and where its result goes."""
    if not (os.environ.get("ANTIQUITY_VERBOSE") == "1" or (sys.stderr is not None and sys.stderr.isatty())):
        return
    folder = kernel_cache.writable_folder()
    kept = (
        f"kept in {folder}"
        if folder
        else "no folder for them can be written, so every process does this anew"
    )
    print(f"antiquity: compiling kernels for this machine, once ({kept}) ...", file=sys.stderr, flush=True)
