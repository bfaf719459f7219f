"""What all tests share: surroundings in which they come out the same everywhere."""

from __future__ import annotations

import os
from importlib.metadata import version

from hypothesis import HealthCheck, settings

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
