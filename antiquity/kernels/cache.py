"""Machine code on disk: a file for each compiled signature of a kernel, named by a hash of all that it was made from.

Numba freezes the globals that a function names, so functions with the same bytecode, the same constants among those
globals and the same callees compile to the same code; no comment counts, no other file, and nothing else in the module.
What lies in a file is unpickled and run, so nothing is read that another user may have written.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
import tempfile
import time
import uuid
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from llvmlite import ir
from numba.core import config, types
from numba.core.caching import NullCache
from numba.misc import appdirs

from antiquity.kernels import linking

KEEP = 30 * 86_400  # seconds; kernels unused for longer are removed when something new is stored

stand_ins: dict[Any, Callable[[str], Any]] = {}
"""Python functions that kernels name -> what may stand in for them in code for the types that this text names."""

_SETTINGS = (
    "OPT",
    "BOUNDSCHECK",
    "DEBUGINFO_DEFAULT",
    "SLP_VECTORIZE",
    "LOOP_VECTORIZE",
)  # numba's, for code
_FOREIGN = sys.stdlib_module_names | {"llvmlite", "numba", "numpy"}  # their code is known by their versions
_SCALARS = (int, float, complex, str, bytes, type(None), np.dtype)
_CODE = ("code", "flags", "argcount", "kwonlyargcount", "names", "varnames", "freevars", "cellvars")


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


_SOURCES = [file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py"))]
_MAKERS = _digest(sys.version, numba.__version__, llvmlite.__version__, np.__version__, _SOURCES)


class KernelCache(NullCache):  # type: ignore[misc]
    """What numba asks for the compiled signatures of `kernel`."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    def _name(self, signature: Any, codegen: Any) -> str:
        """The name of the file with the code for `signature`; empty when it must not be stored."""
        function, options = self._kernel.py_func, sorted(self._kernel.targetoptions.items())
        code = fingerprint(function, getattr(signature, "args", signature))
        settings = [getattr(config, name, None) for name in _SETTINGS]
        key = _digest(code, type(self._kernel).__name__, options, settings, _MAKERS, codegen.magic_tuple())
        return code and f"{function.__module__}.{function.__name__.strip('<>')}-{key[:32]}.kernel"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The stored code for `sig`, or None."""
        target_context.refresh()
        name = self._name(sig, target_context.codegen())
        payload = next(filter(None, (_read(folder / name) for folder in folders() if name)), None)
        return payload and linking.rebuild(target_context, payload)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the code in `data` for `sig`; where that fails, the next process compiles it again."""
        name = "" if data.lifted or data.library.has_dynamic_globals else self._name(sig, data.codegen)
        for folder in folders()[-1:] if name else ():
            partial = folder / f"{name}.{uuid.uuid4().hex}.partial"
            with suppress(OSError):
                partial.touch(mode=0o644)  # whatever the umask says, others must not write to it
                partial.write_bytes(zlib.compress(pickle.dumps(data._reduce()), level=0))  # for the checksum
                partial.replace(folder / name)
                _clean(folder)
            with suppress(OSError):
                partial.unlink()


def fingerprint(function: Callable[..., Any], kinds: Iterable[types.Type]) -> str:
    """A hash of all that the code of `function` for arguments of these types is made of.

    Empty where a global can't be compared between processes: such code must not be stored.
    """
    arguments = repr(_describe(tuple(kinds), (), []))
    found: dict[Any, Any] = {}
    functions: list[Any] = [function]
    with suppress(ValueError):
        for each in functions:  # more of them are found on the way
            if each in stand_ins and each not in found:
                found[each] = each.__qualname__, _describe(stand_ins[each](arguments), (), functions)
            elif each not in found:
                found[each], calls = _read_function(each)
                functions += calls
        return _digest(arguments, list(found.values()))
    return ""


@functools.cache
def _read_function(function: Any) -> tuple[str, list[Any]]:
    """A hash of `function` by itself, and the functions that it names."""
    codes = [function.__code__]
    for code in codes:
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]  # of functions inside it
    own = [[getattr(code, f"co_{part}") for part in _CODE] for code in codes]
    constants = [[each for each in code.co_consts if not isinstance(each, CodeType)] for code in codes]
    names = sorted({name for code in codes for name in code.co_names})
    values = {name: function.__globals__[name] for name in names if name in function.__globals__}
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    calls: list[Any] = []
    used = _describe([*values.values(), *cells, function.__defaults__], names, calls)
    return _digest(function.__module__, function.__qualname__, own, constants, [*values], used), calls


def _describe(value: Any, names: Iterable[str], calls: list[Any]) -> Any:
    """A global in words; functions among it go to `calls`. `names`: attributes that may be taken from it."""
    if isinstance(value, (tuple, list, types.BaseTuple)):
        fields = getattr(value, "_fields", getattr(value, "fields", ""))  # a text of numba's leaves them out
        return fields, [_describe(each, names, calls) for each in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, (types.Type, ir.Type)):
        return str(value)  # what stands in for a verb goes by the text of records
    inner = getattr(value, "py_func", None) or getattr(value, "_defn", value)  # of a kernel, of an intrinsic
    label = getattr(inner, "__qualname__", None) or getattr(inner, "__name__", "")
    home = str(getattr(inner, "__module__", None) or label)  # a module's is itself
    if label and home.partition(".")[0] in _FOREIGN:
        return home, label
    if isinstance(value, ModuleType):
        held = vars(value)
        return label, [(each, _describe(held[each], names, calls)) for each in names if each in held]
    if isinstance(value, type) and (fields := getattr(value, "_fields", getattr(value, "__members__", None))):
        return label, fields  # of a bundle, of an enum
    if not isinstance(inner, FunctionType):
        raise ValueError(f"{value!r} may be another one in the next process")
    calls.append(inner)
    return label, sorted(getattr(value, "targetoptions", {}).items())


def _read(path: Path) -> Any:
    """The contents of a stored file; None where there is none, it is damaged or may be another user's."""
    with suppress(OSError, zlib.error), path.open("rb") as file:
        if not _danger(os.fstat(file.fileno())):
            body = zlib.decompress(file.read())
            with suppress(OSError):
                os.utime(path)  # in use: `_clean` goes by this
            return pickle.loads(body)
    return None


@functools.cache
def _clean(folder: Path) -> None:
    for file in folder.rglob("*.kernel*"):
        if file.stat().st_mtime < time.time() - KEEP:
            file.unlink(missing_ok=True)


@functools.cache
def folders() -> list[Path]:
    """Where kernels are read from, in this order; the last folder is the one that is written to, if it can be."""
    usable = []
    for folder in map(Path, filter(os.path.isabs, _candidates())):
        with suppress(OSError):
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            if danger := _danger(folder.stat(), folder.lstat()):
                warnings.warn(
                    f"no compiled kernels are taken from {folder}: {danger.format(folder)}", stacklevel=2
                )
                continue
            usable.append(folder)
            if os.access(folder, os.W_OK):
                break  # those behind it are not even read
    return usable


def _candidates() -> Iterator[str]:
    if own := os.environ.get("ANTIQUITY_CACHE_DIR"):
        yield os.path.abspath(own)
    yield appdirs.user_cache_dir("antiquity", appauthor=False)
    with suppress(FileNotFoundError):  # there is no folder for temporary files
        yield f"{tempfile.gettempdir()}/antiquity-{getattr(os, 'getuid', str)()}"


def _danger(*found: os.stat_result) -> str:
    """Why a file may be somebody else's, and the remedy; empty where it is one's own, or root's as in an image."""
    if not hasattr(os, "getuid"):
        return ""
    if not {each.st_uid for each in found} <= {os.getuid(), 0}:
        return "it belongs to another user; name a folder of your own in ANTIQUITY_CACHE_DIR"
    return "others can write to it, until you `chmod go-w {}`" if found[0].st_mode & 0o022 else ""
