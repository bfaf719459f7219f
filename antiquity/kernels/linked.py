"""Antiquity's own use of numba's compiler: one machine code for each entry, a store on disk, verbs without wrappers.

All that goes beyond numba's public interface is here, in :mod:`antiquity.kernels.linking` and in the store
(:mod:`antiquity.kernels.cache`). It is imported only in the mode LINKED (:mod:`antiquity.kernels.mode`).
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import re
import secrets
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from numba.core import compiler, errors, types
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import builtin_registry
from numba.core.untyped_passes import ExtractByteCode
from numba.extending import models, register_model

from antiquity.kernels import cache, linking

_EXPECTED = {
    compiler.Compiler: ("compile_extra", "_compile_bytecode"),
    compiler.CompileResult: ("_fields", "_reduce", "_rebuild"),
    CPUDispatcher: ("compile", "add_overload", "get_overload", "_numba_type_"),
    FunctionIdentity: ("_unique_ids", "from_function"),
    JITCodeLibrary: (
        *("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals"),
        *("_get_module_for_linking", "serialize_using_object_code"),
    ),
    types.Dispatcher: ("get_call_type", "get_impl_key"),
}
"""What is overridden or used here, and must be there."""


_MAKES_ARRAYS = re.compile("NRT required|<built-in function (array|copy|empty|full|ones|zeros)>")
"""How numba complains of a kernel that makes arrays and doesn't say so."""


def check() -> None:
    """AttributeError where numba's insides are not as expected."""
    for holder, names in _EXPECTED.items():
        for name in names:
            getattr(holder, name)


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
        _announce()
        self.state.func_id = _Identity.from_function(func)
        ExtractByteCode().run_pass(self.state)
        self.state.lifted = ()
        self.state.lifted_from = None
        return self._compile_bytecode()


class _InnerCompiler(_Compiler):
    """For kernels that other kernels call."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """As the method of the base class."""
        self.state.library = linking.LinkedLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        self.state.flags.no_compile = True
        return super().compile_extra(func)


def _opaque(kind: type[types.Type]) -> type[types.Type]:
    """Class decorator: values of the numba type `kind` carry no data of their own."""
    register_model(kind)(models.OpaqueModel)
    return kind


@_opaque
class _Callee(types.Dispatcher):  # type: ignore[misc]
    """Numba's type of a kernel that another kernel calls.

    Numba would compile it anew for every constant that it is called with; here a constant is a number like any other.
    """

    def get_call_type(self, context: Any, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        named = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_type(context, tuple(types.unliteral(kind) for kind in args), named)

    def get_impl_key(self, sig: Any) -> Any:
        return self.dispatcher.key(sig)


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that Python calls.

    Args:
        function: the function.
        allocates: whether it makes arrays. Without that numba counts no references, which a kernel has no use for: each
            slice of an array would cost two locked instructions.
        options: more of numba's.
    """

    made: ClassVar[weakref.WeakSet[Kernel]] = weakref.WeakSet()
    """All that there are in this process."""

    _compiler_class: type[_Compiler] = _Compiler

    def __init__(self, function: Callable[..., Any], allocates: bool, **options: Any) -> None:
        fixed = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        options = fixed | options | {"_nrt": allocates}
        super().__init__(function, {}, options, pipeline_class=self._compiler_class)
        self._cache = cache.KernelCache(self)
        self.made.add(self)

    @property
    def _numba_type_(self) -> types.Type:
        return _Callee(self)

    def compile(self, sig: Any) -> Any:
        """Compile for a signature, or take the code from the store."""
        try:
            with _uncollected():
                return super().compile(sig)
        except errors.NumbaError as error:
            if _MAKES_ARRAYS.search(str(error)):
                error.add_note(
                    "A kernel that makes an array says so: kernel(allocates=True), entry(allocates=True)."
                )
            raise

    def add_overload(self, cres: Any) -> None:
        """Keep what was compiled or loaded."""
        linking.connect_environments(cres)
        super().add_overload(cres)

    def key(self, sig: Any) -> Any:
        """What numba knows the code for a signature by."""
        return self.get_overload(sig.args)


class InnerKernel(Kernel):
    """A compiled function that kernels call: there is no machine code of it by itself."""

    _compiler_class = _InnerCompiler

    def __init__(self, function: Callable[..., Any], allocates: bool) -> None:
        super().__init__(function, allocates, no_cpython_wrapper=True)

    def __call__(self, *arguments: Any) -> Any:
        """Python calls it: then it is compiled once more, with machine code of its own."""
        return self._entry(*arguments)

    @functools.cached_property
    def _entry(self) -> Kernel:
        return Kernel(self.py_func, self.targetoptions["_nrt"])

    def add_overload(self, cres: Any) -> None:
        """Keep what was compiled or loaded."""
        self.overloads[tuple(cres.signature.args)] = cres
        self.targetctx.insert_user_function(cres.fndesc, cres.fndesc, [cres.library])

    def key(self, sig: Any) -> Any:
        """What numba knows the code for a signature by."""
        return self.overloads[tuple(sig.args)].fndesc


@_opaque
class _StandIn(types.Callable, types.Dummy):  # type: ignore[misc]
    """Numba's type of a Python function in whose place kernels call a kernel.

    An overload that calls the kernel would do too, and would be one more function to compile for every call type.
    """

    def __init__(self, name: str, find: Callable[..., Any], kinds: tuple[types.Type, ...] | None) -> None:
        self._find = find
        self._kinds = kinds
        super().__init__(f"stand_in({name})")

    def get_call_type(self, context: Any, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        """The signature of the call, once the kernel is compiled for it."""
        if kws:
            raise errors.TypingError(f"give the arguments of {self.name} in their order, without names")
        return self._find(args)._numba_type_.get_call_type(context, self._kinds or args, kws)

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        """None are known beforehand."""
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        """The compiled kernel for a signature that get_call_type gave."""
        return self._find(sig.args)._numba_type_.get_impl_key(sig)


def stand_in(
    function: Callable[..., Any],
    find: Callable[[tuple[types.Type, ...]], Any],
    kinds: tuple[types.Type, ...] | None,
    describe: Callable[[str], Any],
) -> None:
    """Let kernels that call `function` call another kernel instead.

    Args:
        function: what they name.
        find: the kernel for arguments of these types; numba's TypingError where there is none.
        kinds: types that the arguments are converted to; None: they are left as they are.
        describe: all kernels that `find` may give in code for arguments of the types that a text names.
    """
    name = f"{function.__module__}.{function.__qualname__}"
    builtin_registry.register_global(function, _StandIn(name, find, kinds))
    cache.stand_ins[function] = lambda named: [kinds, describe(named)]


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection meanwhile: compiling makes millions of objects, and few that it could free.

    Where several threads are in here, the one that has found it enabled enables it again.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@functools.cache
def _announce() -> None:
    """Say once, on the terminal, that a wait of some seconds is a compilation and where its result goes."""
    if not (os.environ.get("ANTIQUITY_VERBOSE") == "1" or (sys.stderr is not None and sys.stderr.isatty())):
        return
    folder = next(iter(cache.folders()[-1:]), None)
    kept = "no folder for them can be written, so every process does this anew"
    if folder and os.access(folder, os.W_OK):
        kept = f"kept in {folder}"
    print(f"antiquity: compiling kernels for this machine, once ({kept}) ...", file=sys.stderr, flush=True)
