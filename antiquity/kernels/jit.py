"""The one way a kernel is compiled, and where the result is kept.

Two decorators, as :func:`numba.njit` is one: :func:`kernel` for inner functions, which other kernels call, and
:func:`entry` for those that Python calls. The compiled code of both is kept on disk.

Numba's own disk cache looks at the file of the cached function only, so an edit of a kernel that it calls in another
file goes unnoticed. Here code is stored under a fingerprint of the contents of every source file that can have a part
in it, of the values of the globals that its kernels name (see :mod:`antiquity.kernels.cache`), of the versions of
Python, numba, llvmlite and numpy, and of the processor. The store is a folder of plain files, one for each compiled
signature, written under another name and then renamed: processes that start together may compile the same thing twice
but never read half a file.

Where the store lies, the first of these that can be written:

1. ``$ANTIQUITY_CACHE_DIR``;
2. the user's cache folder: ``$XDG_CACHE_HOME/antiquity`` or ``~/.cache/antiquity`` (Linux),
   ``~/Library/Caches/antiquity`` (macOS), ``%LOCALAPPDATA%\\antiquity\\Cache`` (Windows);
3. ``antiquity-<user id>`` in the folder for temporary files;
4. nowhere: the machine code lives as long as the process.

A folder before it in this list, which can be read but not written (an image built ahead with ``antiquity warmup``), is
still read from; one behind it is not touched, so ``ANTIQUITY_CACHE_DIR`` keeps everything in one place. Nothing of
numba's global configuration is changed. Under ``NUMBA_DISABLE_JIT=1`` both decorators return the function as it is.

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
from numba.core import compiler, errors, types
from numba.core import config as numba_config
from numba.core.bytecode import FunctionIdentity
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import builtin_registry
from numba.core.untyped_passes import ExtractByteCode
from numba.extending import models, register_model

from antiquity.kernels import cache as kernel_cache
from antiquity.kernels import linking

Function = TypeVar("Function", bound=Callable[..., Any])

ENABLED: bool = not numba_config.DISABLE_JIT
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


def opaque(kind: type[types.Type]) -> type[types.Type]:
    """Class decorator: values of the numba type `kind` carry no data of their own."""
    register_model(kind)(models.OpaqueModel)
    return kind


class _InnerCompiler(_Compiler):
    """For kernels that other kernels call."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """As the method of the base class."""
        self.state.library = linking.LinkedLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        self.state.flags.no_compile = True
        return super().compile_extra(func)


@opaque
class _Callee(types.Dispatcher):  # type: ignore[misc]
    """Numba's type of a kernel that another kernel calls.

    Numba would compile it anew for every constant that it is called with; here a constant is a number like any other.
    """

    def get_call_type(self, context: Any, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        named = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_type(context, tuple(types.unliteral(kind) for kind in args), named)

    def get_impl_key(self, sig: Any) -> Any:
        return self.dispatcher.key(sig)


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that Python calls.

    Args:
        function: the function.
        inner: what kernels call in its place; None: itself.
        options: more of numba's.
    """

    _compiler_class: type[_Compiler] = _Compiler

    def __init__(
        self, function: Callable[..., Any], inner: _InnerKernel | None = None, **options: Any
    ) -> None:
        fixed = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        super().__init__(function, {}, fixed | options, pipeline_class=self._compiler_class)
        self._callee = self if inner is None else inner
        if function.__closure__ is None:  # what a closure holds is in no source file
            variant = type(self).__name__
            self._cache = kernel_cache.KernelCache(function, variant, on_compile=_announce)

    @property
    def _numba_type_(self) -> types.Type:
        return _Callee(self._callee)

    def add_overload(self, cres: Any) -> None:
        """Keep what was compiled or loaded."""
        linking.connect_environments(cres)
        super().add_overload(cres)

    def key(self, sig: Any) -> Any:
        """What numba knows the code for a signature by."""
        return self.get_overload(sig.args)


class _InnerKernel(_Kernel):
    """A compiled function that kernels call: there is no machine code of it by itself."""

    _compiler_class = _InnerCompiler

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, no_cpython_wrapper=True)

    def add_overload(self, cres: Any) -> None:
        """Keep what was compiled or loaded."""
        self.overloads[tuple(cres.signature.args)] = cres
        self.targetctx.insert_user_function(cres.fndesc, cres.fndesc, [cres.library])

    def key(self, sig: Any) -> Any:
        """What numba knows the code for a signature by."""
        return self.overloads[tuple(sig.args)].fndesc


def _compile(function: Any, *, called_by_kernels: bool) -> Any:
    kernel_cache.note(function)
    return _Kernel(function, _InnerKernel(function) if called_by_kernels else None)


def kernel(function: Function) -> Function:
    """Compile an inner kernel: one that other kernels call.

    Integer division follows numpy (no exception on zero), and nothing in it may raise. Its code ends up in the entries
    that call it (see :mod:`antiquity.kernels.linking`), and in a file of its own, so that no other entry need compile it
    again. Python may call it too, which compiles it once more.
    """
    return _compile(function, called_by_kernels=True) if ENABLED else function


def entry(function: Function) -> Function:
    """Compile a kernel that Python calls. It releases the GIL.

    Give it arrays and plain numbers. A record of a structured array costs 17-31 microseconds to hand over, the array
    and an index less than one.
    """
    return _compile(function, called_by_kernels=False) if ENABLED else function


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


@opaque
class _Twin(types.Callable, types.Dummy):  # type: ignore[misc]
    """numba's type of a Python function that has a compiled twin."""

    def __init__(self, function: Callable[..., Any], twin: Any, kinds: tuple[types.Type, ...] | None) -> None:
        self._twin = twin
        self._kinds = kinds
        super().__init__(f"twin({function.__module__}.{function.__qualname__})")

    def get_call_type(self, context: Any, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        if kws:
            raise errors.TypingError(f"give the arguments of {self.name} in their order, without names")
        return self._twin._numba_type_.get_call_type(context, self._kinds or args, kws)

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        return self._twin._numba_type_.get_impl_key(sig)


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
