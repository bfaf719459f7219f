"""Machine code on disk: one file for each compiled signature of a kernel.

Its name holds the fingerprint of all that the code was made from (:mod:`antiquity.kernels.fingerprint`), and its folder
that of what has made it: the versions of Python, numba, llvmlite and numpy, the processor, and this package.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.resources
import os
import pickle
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from numba.core import config as numba_config
from numba.core.caching import NullCache

from antiquity.kernels import linking
from antiquity.kernels.fingerprint import digest, fingerprint
from antiquity.kernels.folders import clean, folders

COUNTS: Counter[str] = Counter(hits=0, misses=0)
"""Kernels taken from the store and compiled, in this process."""

_MAGIC = b"antiquity kernel 2\n"

# numba's settings (NUMBA_...) that change the machine code.
_CODE_SETTINGS = ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "SLP_VECTORIZE", "LOOP_VECTORIZE")


class KernelCache(NullCache):  # type: ignore[misc]
    """What numba asks for the compiled signatures of one kernel.

    Args:
        function: the kernel.
        variant: tells apart what is compiled of one function in different ways.
        on_compile: called when something has to be compiled.
    """

    def __init__(self, function: Callable[..., Any], variant: str, on_compile: Callable[[], None]) -> None:
        self._function = function
        self._variant = variant
        self._on_compile = on_compile

    def _place(self, signature: Any, codegen: Any) -> str | None:
        """The path, below a store's folder, of the code for `signature`; None when it must not be stored."""
        source = fingerprint(self._function, getattr(signature, "args", signature))
        if source is None:
            return None
        settings = [str(getattr(numba_config, name, None)) for name in _CODE_SETTINGS]
        name = f"{self._function.__module__}.{self._function.__qualname__}".replace("<", "").replace(">", "")
        made_by = digest(_machinery(), codegen.magic_tuple(), settings)
        return os.path.join(made_by[:16], f"{name}-{digest(source, self._variant)[:24]}.kernel")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The stored code for `sig`, or None."""
        target_context.refresh()
        place = self._place(sig, target_context.codegen())
        for folder in folders()[0] if place else ():
            payload = _read(folder / str(place))
            if payload is not None:
                COUNTS["hits"] += 1
                return linking.rebuild(target_context, payload)
        COUNTS["misses"] += 1
        self._on_compile()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the code in `data` for `sig`, where that is possible."""
        folder = folders()[1]
        place = None if data.lifted or data.library.has_dynamic_globals else self._place(sig, data.codegen)
        if folder is not None and place is not None:
            try:
                _write(folder / place, pickle.dumps(data._reduce(), protocol=pickle.HIGHEST_PROTOCOL))
                _clean_once(folder)
            except OSError:
                pass  # a full or vanished disk costs the next process a compilation, and this one nothing


@functools.cache
def _machinery() -> str:
    """A hash of what makes machine code of kernels."""
    files = sorted(importlib.resources.files(__package__ or "").iterdir(), key=lambda file: file.name)
    sources = [file.read_bytes() for file in files if file.name.endswith(".py")]
    return digest(sys.version, numba.__version__, llvmlite.__version__, np.__version__, sources)


_clean_once = functools.cache(clean)


def _read(path: Path) -> Any:
    """The contents of a stored file; None where there is none or it is damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > 86_400:
            os.utime(path)  # in use: `clean` goes by this
    head, body = data[: len(_MAGIC) + 32], data[len(_MAGIC) + 32 :]
    return pickle.loads(body) if head == _MAGIC + hashlib.sha256(body).digest() else None


def _write(path: Path, body: bytes) -> None:
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}.partial")
    try:
        partial.touch(mode=0o644)  # whatever the umask says, others must not write to it
        partial.write_bytes(_MAGIC + hashlib.sha256(body).digest() + body)
        os.replace(partial, path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
