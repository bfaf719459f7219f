"""What all tests share: surroundings in which they come out the same everywhere."""

from __future__ import annotations

import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import tiny_package as tiny

os.environ.setdefault("MPLBACKEND", "Agg")  # no display is needed; set before anything imports matplotlib

# The first example of a test may compile kernels for seconds, which is neither a deadline missed nor a slow strategy.
settings.register_profile(
    "antiquity",
    parent=settings.get_profile("ci" if os.environ.get("CI") else "default"),
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("antiquity")


def pytest_report_header() -> str:
    """What the results may depend on, and no line of pytest's own says."""
    compiled = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
    kernels = "compiled" if compiled else "plain Python (NUMBA_DISABLE_JIT)"
    return f"antiquity: numpy {version('numpy')}, numba {version('numba')}, kernels {kernels}"


@pytest.fixture
def tiny_package(tmp_path: Path) -> Path:
    """The folder of a package of two kernels (:mod:`tiny_package`)."""
    tiny.write(tmp_path / "tiny")
    return tmp_path / "tiny"


@pytest.fixture
def run_tiny(tiny_package: Path, tmp_path: Path) -> tiny.Runner:
    """Run the package in a process of its own: the sum it computes, and the hits and misses of the store."""

    def start(**options: Any) -> tuple[int, dict[str, int]]:
        options["env"] = {"ANTIQUITY_CACHE_DIR": str(tmp_path / "store")} | options.get("env", {})
        found = tiny.python(options.pop("before", "") + tiny.RUN, [tmp_path], **options)
        result, counts = json.loads(found.stdout)
        return result, counts

    return start
