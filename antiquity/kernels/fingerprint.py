"""What a kernel is compiled from, as one hash: its bytecode, its constants, and the same of every kernel that it calls.

Numba freezes the globals that a function names, so functions with the same bytecode, the same constants among those
globals and the same callees compile to the same code. Nothing else counts: not comments, not the file, not what the
module imports besides. No file is read for it.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types

_FOREIGN = sys.stdlib_module_names | {"llvmlite", "numba", "numpy"}  # their code is known by their versions
_CONSTANTS = (int, float, complex, str, bytes, type(None), np.generic, np.dtype)

stand_ins: dict[Any, Callable[[frozenset[types.Record]], Any]] = {}
"""Python functions that kernels name -> what stands in for them in code for these records."""


def digest(*parts: object) -> str:
    """A hash of the representations of `parts`."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def fingerprint(function: Callable[..., Any], kinds: Iterable[types.Type]) -> str | None:
    """A hash of all that the code of `function` for arguments of these types is made of.

    None where a global can't be compared between processes: such code must not be stored.
    """
    records = frozenset(_records(kinds))
    found: dict[Any, Any] = {}
    waiting: list[Any] = [function]
    try:
        while waiting:
            each = waiting.pop()
            if each in found:
                continue
            if each in stand_ins:
                found[each] = each.__qualname__, _describe(stand_ins[each](records), (), waiting)
            else:
                found[each], calls = _read(each)
                waiting += calls
    except ValueError:
        return None
    return digest(
        found[function], sorted(map(repr, found.values())), [_describe_type(kind) for kind in kinds]
    )


def _records(kinds: Iterable[types.Type]) -> Iterator[types.Record]:
    """The record types among argument types, also of arrays and inside tuples."""
    for kind in kinds:
        inner = kind.dtype if isinstance(kind, types.Array) else kind
        if isinstance(inner, types.Record):
            yield inner
        elif isinstance(inner, types.BaseTuple):
            yield from _records(inner)


def _describe_type(kind: Any) -> str:
    if isinstance(kind, types.BaseTuple):  # their own text leaves the names of fields out
        return f"{getattr(kind, 'fields', '')}({', '.join(map(_describe_type, kind))})"
    return str(kind)


@functools.cache
def _read(function: Any) -> tuple[str, list[Any]]:
    """A hash of `function` by itself, and the functions that it names."""
    codes = list(_codes(function.__code__))
    names = {name for code in codes for name in code.co_names}
    cells = (cell.cell_contents for cell in function.__closure__ or ())
    values = {name: function.__globals__[name] for name in names & function.__globals__.keys()}
    values |= dict(zip(function.__code__.co_freevars, cells, strict=True))
    calls: list[Any] = []
    texts = [(name, _describe(values[name], sorted(names), calls)) for name in sorted(values)]
    own = [
        (
            *(code.co_code, code.co_flags, code.co_argcount, code.co_kwonlyargcount, code.co_names),
            *(code.co_varnames, code.co_freevars, code.co_cellvars),
            [each for each in code.co_consts if not isinstance(each, CodeType)],
        )
        for code in codes
    ]
    return digest(function.__module__, function.__qualname__, function.__defaults__, own, texts), calls


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and that of the functions inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _describe(value: Any, names: Iterable[str], calls: list[Any]) -> Any:
    """A global in words; functions among it go to `calls`. `names`: attributes that may be taken from it."""
    if isinstance(value, _CONSTANTS):
        return type(value).__name__, repr(value)
    if isinstance(value, (tuple, list)):
        return [_describe(each, names, calls) for each in value]
    if isinstance(value, np.ndarray):
        return digest(value.dtype, value.shape, value.tobytes())
    if isinstance(value, (types.Type, ir.Type)):
        return _describe_type(value)
    inner = getattr(value, "py_func", None) or getattr(value, "_defn", value)  # of a kernel, of an intrinsic
    home = value.__name__ if isinstance(value, ModuleType) else getattr(inner, "__module__", None) or ""
    label = getattr(inner, "__qualname__", getattr(inner, "__name__", ""))
    if label and home.partition(".")[0] in _FOREIGN:
        return home, label
    if isinstance(value, ModuleType):
        held = vars(value)
        return home, [(each, _describe(held[each], names, calls)) for each in names if each in held]
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return home, [repr(member) for member in value]
    if isinstance(value, type) and hasattr(value, "_fields"):
        return home, label, value._fields
    if not isinstance(inner, FunctionType):
        raise ValueError(f"{value!r} may be another one in the next process")
    calls.append(inner)
    return label, sorted(getattr(value, "targetoptions", {}).items())
