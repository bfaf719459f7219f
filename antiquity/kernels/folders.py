"""Where compiled kernels lie: the folders that are read from, and the one that is written to."""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from numba.misc import appdirs

KEEP_DAYS = 30
"""Kernels unused for longer are removed when something new is stored."""


def _candidates() -> Iterator[Path]:
    """One's own, the user's cache folder, and one among everybody's temporary files."""
    own = os.environ.get("ANTIQUITY_CACHE_DIR")
    if own:
        yield Path(own)
    user = Path(appdirs.user_cache_dir("antiquity", appauthor=False))
    if user.is_absolute():
        yield user
    with contextlib.suppress(OSError):  # no folder for temporary files, or none that can be written
        name = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
        temporary = Path(tempfile.gettempdir(), f"antiquity-{name}")
        temporary.mkdir(mode=0o700, exist_ok=True)
        if not temporary.is_symlink():
            yield temporary


def _danger(folder: Path) -> str | None:
    """Why what lies in `folder` may be somebody else's; None where it is one's own, or root's as in an image."""
    if not hasattr(os, "getuid") or not folder.exists():
        return None
    found = folder.stat()
    if found.st_uid not in (os.getuid(), 0) or folder.lstat().st_uid not in (os.getuid(), 0):
        return "it belongs to another user"
    if found.st_mode & 0o022:
        return f"others can write to it, until you `chmod go-w {folder}`"
    return None


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@functools.lru_cache(maxsize=8)
def _find(_settings: tuple[str | None, ...]) -> tuple[tuple[Path, ...], Path | None]:
    read: list[Path] = []
    for folder in _candidates():
        writable, danger = _is_writable(folder), _danger(folder)
        if danger:
            warnings.warn(
                f"no compiled kernels are kept in {folder}, as they are unpickled and run: {danger}. "
                "ANTIQUITY_CACHE_DIR names another folder.",
                stacklevel=2,
            )
            continue
        read.append(folder)
        if writable:
            return tuple(read), folder  # those behind it are not even read
    return tuple(read), None


def folders() -> tuple[tuple[Path, ...], Path | None]:
    """The folders that are read from, in order, and the one that is written to (None: none can be)."""
    names = ("ANTIQUITY_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA", "TMPDIR")
    return _find(tuple(os.environ.get(name) for name in names))


def clean(root: Path, days: float = KEEP_DAYS) -> int:
    """Remove the kernels under `root` that nobody has used for `days`; returns how many."""
    oldest = time.time() - days * 86_400
    old = [file for file in root.glob("*/*.kernel*") if file.stat().st_mtime < oldest]
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)
