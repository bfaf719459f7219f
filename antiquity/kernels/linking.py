"""Inner kernels as code that only ever becomes part of other code.

Numba optimises each function by itself, makes machine code of it, and does both again in every function that calls it,
into which it links the whole. Kernels call each other several levels deep, and Python calls the outermost alone: so
here the inner ones stay as they are, and all the optimising is done once, where everything has come together. For 7
Wonders that takes a third off the time of the first compilation, and a fifth off that of a step.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.environment import lookup_environment

_LINKED = "linked"
_ENVIRONMENT = "_ZN08NumbaEnv"


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an inner kernel: linked into its callers, and never made machine code of by itself."""

    def _optimize_final_module(self) -> None:
        """Left to the callers."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No function has an address."""
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """For the store: what numba would keep beside the machine code."""
        return self.name, _LINKED, self._get_module_for_linking().as_bitcode()

    @classmethod
    def restore(cls, codegen: Any, name: str, code: bytes) -> LinkedLibrary:
        """What was serialised."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = llvm.parse_bitcode(code)
        library._finalized = True
        return library


def rebuild(target_context: Any, payload: Any) -> CompileResult:
    """What `CompileResult._reduce` gave, of an inner kernel or an outer one."""
    name, kind, code = payload[0]
    if kind != _LINKED:
        return CompileResult._rebuild(target_context, *payload)
    _, description, environment, signature, objectmode, lifted, annotation, reload_init, environments = (
        payload
    )
    for function in reload_init:
        function()
    fields = dict.fromkeys(CompileResult._fields)
    fields |= {
        "typing_context": target_context.typing_context,
        "target_context": target_context,
        "library": LinkedLibrary.restore(target_context.codegen(), name, code),
        "fndesc": description,
        "environment": environment,
        "signature": signature,
        "objectmode": objectmode,
        "lifted": lifted,
        "type_annotation": annotation,
        "reload_init": reload_init,
        "referenced_envs": environments,
    }
    return CompileResult(**fields)


def connect_environments(result: CompileResult) -> None:
    """Give outer code the environments of the inner kernels in it, which hold the exceptions that it may raise."""
    codegen = result.library.codegen
    for variable in result.library._final_module.global_variables:
        if variable.name.startswith(_ENVIRONMENT):
            environment = lookup_environment(variable.name)
            if environment is not None and codegen._engine.get_global_value_address(variable.name):
                codegen.set_env(variable.name, environment)
