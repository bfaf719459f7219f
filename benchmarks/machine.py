"""On what, with what and of what the figures are."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = (
    "antiquity",
    "numpy",
    "numba",
    "llvmlite",
    "gymnasium",
    "pettingzoo",
    "stable-baselines3",
    "open_spiel",
)

ROOT = Path(__file__).resolve().parent.parent
"""The repository that this file lies in."""


def cpu_model() -> str:
    """The processor's name, as the system gives it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def usable_cores() -> int:
    """Processors that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def physical_memory() -> int:
    """Bytes of memory of the machine."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def git(*arguments: str) -> str:
    """What git says about the repository; RuntimeError with its words when it fails."""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise RuntimeError("git is not installed") from None
    if done.returncode:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


def revision() -> str | None:
    """The commit, with ``-dirty`` when files differ from it; None outside a git repository."""
    try:
        dirty = git("status", "--porcelain", "--untracked-files=no")
        return git("rev-parse", "--short=12", "HEAD") + ("-dirty" if dirty else "")
    except RuntimeError:
        return None


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def describe() -> dict[str, Any]:
    """Machine, versions, revision, date and load, for JSON."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "revision": revision(),
        "cpu": cpu_model(),
        "cores": usable_cores(),
        "memory_gib": round(physical_memory() / 2**30, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {package: _version(package) for package in PACKAGES},
        "load": load(),
    }


def load() -> list[float]:
    """Load averages over 1, 5 and 15 minutes: processes that wanted to run, this one among them."""
    return [round(value, 2) for value in os.getloadavg()]
