"""What all tests share: how long random tests run, and surroundings in which they come out the same everywhere.

A test marked ``fuzz`` plays at random until it has made as many decisions as its argument ``decisions`` says. Such
tests run under ``make fuzz`` (``pytest -m fuzz --decisions 1000000``) alone; a plain ``pytest`` leaves them out.
"""

from __future__ import annotations

import os
from importlib.metadata import version

import pytest
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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--decisions", type=int, metavar="N", help="also run the fuzz tests, for N decisions each")


def pytest_report_header() -> str:
    compiled = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
    kernels = "compiled" if compiled else "plain Python (NUMBA_DISABLE_JIT)"
    return f"antiquity: numpy {version('numpy')}, numba {version('numba')}, kernels {kernels}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--decisions") is not None:
        return
    fuzz = [item for item in items if item.get_closest_marker("fuzz")]
    if fuzz:
        config.hook.pytest_deselected(items=fuzz)
        items[:] = [item for item in items if not item.get_closest_marker("fuzz")]


@pytest.fixture
def decisions(request: pytest.FixtureRequest) -> int:
    """How many decisions a fuzz test makes."""
    number: int = request.config.getoption("--decisions")
    return number
