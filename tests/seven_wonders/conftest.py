"""Every ruling is tried on the kernels and on the referee."""

from __future__ import annotations

import pytest

from seven_wonders.positions import KernelPosition
from seven_wonders.referee_positions import RefereePosition, Side

SIDES: dict[str, Side] = {"kernels": KernelPosition, "referee": RefereePosition}


@pytest.fixture(params=SIDES)
def position(request: pytest.FixtureRequest) -> Side:
    """``position(players=4, cities={0: ["altar"]}, ...)``: a game in a position given in words, of either side."""
    return SIDES[request.param]
