"""Machine code on disk: the store behind :mod:`antiquity.kernels.jit`.

One file holds one compiled signature of one kernel, in a folder named after a fingerprint of everything that the code
was made from. See :mod:`antiquity.kernels.jit` for where the store lies and why numba's own cache is not used.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from numba.core import config as numba_config
from numba.core import types
from numba.core.caching import _Cache

from antiquity.kernels import linking

COUNTS: Counter[str] = Counter(hits=0, misses=0)
"""Kernels taken from the store and compiled, in this process."""

KEEP_DAYS = 30
"""Fingerprint folders unused for longer are removed when something new is stored."""

_MAGIC = b"antiquity kernel 1\n"

# numba's settings (NUMBA_...) that change the machine code.
_CODE_SETTINGS = ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "SLP_VECTORIZE", "LOOP_VECTORIZE")

# Top-level packages (or lone modules) that have kernels: imports are followed within these alone.
_packages: set[str] = {"antiquity"}

# Module name -> its kernels, as plain functions.
_kernels: defaultdict[str, list[Callable[..., Any]]] = defaultdict(list)

# numba type of a game's record -> names of the modules that define its kernels.
_modules_of_record: dict[types.Record, frozenset[str]] = {}


# --- what the code was made from ------------------------------------------------------------------------------------


def note(function: Callable[..., Any]) -> None:
    """Remember that `function` is a kernel."""
    _packages.add(function.__module__.partition(".")[0])
    if "<locals>" not in function.__qualname__:
        _kernels[function.__module__].append(function)


def associate(dtype: np.dtype[Any], modules: Iterable[str]) -> None:
    """Tell that code for arrays of `dtype` contain kernels defined in `modules` (their names)."""
    _modules_of_record[numba.from_dtype(dtype)] = frozenset(modules)


_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^#\n]*)|import[ \t]+([^#\n]+))",
    re.MULTILINE,
)


def imports(source: str, module: str, is_package: bool) -> Iterator[tuple[str, str]]:
    """What `source`, the text of `module`, may import, as (module, name in it or "").

    Rather too much than too little: what merely looks like an import counts.
    """
    parent = module if is_package else module.rpartition(".")[0]
    for match in _IMPORT.finditer(source):
        origin, names, plain = match.groups()
        if plain is not None:
            yield from ((part.split()[0], "") for part in plain.split(",") if part.split())
            continue
        dots = len(origin) - len(origin.lstrip("."))
        if dots:
            base = parent
            for _ in range(dots - 1):
                base = base.rpartition(".")[0]
            origin = ".".join(part for part in (base, origin[dots:]) if part)
        for part in re.sub(r"#[^\n]*", "", names).strip("()").split(","):
            if part.split():
                yield origin, part.split()[0]


def _read_module(name: str) -> tuple[bytes, bool] | None:
    """The source of a module and whether it is a package, without importing anything; None where there is none."""
    top, _, rest = name.partition(".")
    root = sys.modules.get(top)
    if root is None:
        return None
    loader = getattr(getattr(root, "__spec__", None), "loader", None)
    places = list(getattr(root, "__path__", []))
    if places:
        bases = [os.path.join(place, *rest.split(".")) if rest else place for place in places]
        candidates = [(os.path.join(base, "__init__.py"), True) for base in bases]
        candidates += [(base + ".py", False) for base in bases if rest]
    else:
        file = getattr(root, "__file__", None)
        candidates = [(file, False)] if file and not rest else []
    for path, is_package in candidates:
        try:
            # A zipped package has no files of its own; its loader reads them.
            data = (
                Path(path).read_bytes() if os.path.exists(path) or loader is None else loader.get_data(path)
            )
        except OSError:
            continue
        return data, is_package
    return None


def sources(modules: Iterable[str]) -> dict[str, bytes]:
    """The contents of `modules` and of everything in packages with kernels that they import, however indirectly."""
    found: dict[str, bytes] = {}
    waiting = [(name, "") for name in modules]
    while waiting:
        origin, inner = waiting.pop()
        if origin.partition(".")[0] not in _packages:
            continue
        # `from package import name`: a module of that name, or else something that the package's own file defines.
        for name in (f"{origin}.{inner}", origin) if inner else (origin,):
            read = (found[name], False) if name in found else _read_module(name)
            if read is None:
                continue
            if name not in found:
                found[name] = read[0]
                waiting += imports(read[0].decode("utf-8", "replace"), name, read[1])
            break
    return found


def _digest(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(repr, parts)).encode()).hexdigest()


def _constants(function: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """The numbers, texts and arrays among the globals that `function` names: numba takes them for constants."""
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, (int, float, complex, str, bytes, tuple, np.generic)):
            yield name, repr(value)
        elif isinstance(value, np.ndarray):
            yield name, _digest(value.dtype, value.shape, value.tobytes())


@functools.lru_cache(maxsize=256)
def _content_digest(modules: frozenset[str]) -> str | None:
    """Of all that code from `modules` is made of; None where there is a module without readable source."""
    found = sources(modules)
    if not modules <= found.keys():
        return None
    return _digest(
        sorted((name, hashlib.sha256(data).hexdigest()) for name, data in found.items()),
        # A kernel may be defined in one way or another, and a global be read from a file, while the source is the same.
        [
            (function.__qualname__, function.__code__.co_firstlineno, *_constants(function))
            for name in sorted(found)
            for function in _kernels.get(name, ())
        ],
    )


def _records(kinds: Iterable[types.Type]) -> Iterator[types.Record]:
    for kind in kinds:
        inner = kind.dtype if isinstance(kind, types.Array) else kind
        if isinstance(inner, types.Record):
            yield inner
        elif isinstance(inner, types.BaseTuple):
            yield from _records(inner.types)


# --- where it is kept -----------------------------------------------------------------------------------------------


def _user_folder() -> Path | None:
    """The user's cache folder, also without a HOME; None for a user unknown to the system."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return Path(base) / "antiquity" / "Cache" if base else None
    base = os.environ.get("XDG_CACHE_HOME")
    if base and os.path.isabs(base) and sys.platform != "darwin":
        return Path(base) / "antiquity"
    home = os.environ.get("HOME") or os.path.expanduser("~")
    if not os.path.isabs(home):
        return None
    return Path(home) / ("Library/Caches/antiquity" if sys.platform == "darwin" else ".cache/antiquity")


def _temporary_folder() -> Path | None:
    """A folder of one's own among everybody's temporary files; None when somebody else has put it there.

    What lies in the store is unpickled and run, so a folder that others can write to is not used.
    """
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    folder = Path(tempfile.gettempdir()) / f"antiquity-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    if hasattr(os, "getuid") and (
        folder.is_symlink() or found.st_uid != os.getuid() or found.st_mode & 0o022
    ):
        return None
    return folder


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@functools.lru_cache(maxsize=8)
def _find_folders(_settings: tuple[str | None, ...]) -> tuple[tuple[Path, ...], Path | None]:
    own = os.environ.get("ANTIQUITY_CACHE_DIR")
    folders = [folder for folder in (Path(own) if own else None, _user_folder()) if folder is not None]
    for place, folder in enumerate(folders):
        if _is_writable(folder):
            return tuple(folders[: place + 1]), folder  # those behind it are not even read
    try:
        temporary = _temporary_folder()
    except FileNotFoundError:  # Python finds no folder for temporary files at all
        temporary = None
    if temporary is None or not _is_writable(temporary):
        return tuple(folders), None
    return (*folders, temporary), temporary


def folders() -> tuple[tuple[Path, ...], Path | None]:
    """The folders that are read from, in order, and the one that is written to (None: none can be)."""
    names = ("ANTIQUITY_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA", "TMPDIR")
    return _find_folders(tuple(os.environ.get(name) for name in names))


def writable_folder() -> Path | None:
    """The folder that new machine code goes to, or None."""
    return folders()[1]


def clean(root: Path, keep: str, days: float = KEEP_DAYS) -> int:
    """Remove the fingerprint folders under `root` that nobody has used for `days`; `keep` stays. Returns how many."""
    removed = 0
    oldest = time.time() - days * 86_400
    for folder in root.iterdir():
        try:
            if folder.name != keep and folder.is_dir() and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
                removed += 1
        except OSError:
            continue  # another process removes it at the same time
    return removed


# --- the store of one kernel -----------------------------------------------------------------------------------------


class KernelCache(_Cache):  # type: ignore[misc]
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
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        folder = writable_folder()
        return str(folder) if folder else None

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing to do: every file is complete when it appears."""

    def place(self, signature: Any, codegen: Any) -> str | None:
        """The path, below a store's folder, of the code for `signature`; None when it must not be stored."""
        kinds = signature if isinstance(signature, tuple) else signature.args
        modules = {self._function.__module__, __name__}
        for record in _records(kinds):
            modules |= _modules_of_record.get(record, frozenset())
        source = _content_digest(frozenset(modules))
        if source is None:
            return None
        fingerprint = _digest(
            source,
            (sys.version, numba.__version__, llvmlite.__version__, np.__version__),
            codegen.magic_tuple(),
            [str(getattr(numba_config, name, None)) for name in _CODE_SETTINGS],
        )
        name = f"{self._function.__module__}.{self._function.__qualname__}".replace("<", "").replace(">", "")
        return os.path.join(fingerprint[:24], f"{name}-{_digest(str(kinds), self._variant)[:16]}.kernel")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The stored code for `sig`, or None."""
        target_context.refresh()
        place = self.place(sig, target_context.codegen()) if self._enabled else None
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
        folder = writable_folder()
        if not self._enabled or folder is None or data.lifted or data.library.has_dynamic_globals:
            return
        place = self.place(sig, data.codegen)
        if place is None:
            return
        path = folder / place
        try:
            is_new = not path.parent.exists()
            _write(path, pickle.dumps(data._reduce(), protocol=pickle.HIGHEST_PROTOCOL))
            if is_new:
                clean(folder, path.parent.name)
        except OSError:
            return  # a full or vanished disk costs the next process a compilation, and this one nothing


def _read(path: Path) -> Any:
    """The contents of a stored file; None where there is none or it is damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head, body = data[: len(_MAGIC) + 32], data[len(_MAGIC) + 32 :]
    if head != _MAGIC + hashlib.sha256(body).digest():
        return None
    try:
        if time.time() - path.parent.stat().st_mtime > 86_400:
            os.utime(path.parent)  # in use: `clean` goes by this
    except OSError:
        pass
    return pickle.loads(body)


def _write(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}.partial")
    try:
        partial.write_bytes(_MAGIC + hashlib.sha256(body).digest() + body)
        os.replace(partial, path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
