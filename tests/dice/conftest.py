"""Every ruling is tried on the kernels and on the referee."""

from __future__ import annotations

import pytest

from .on_kernels import OnKernels
from .on_referee import OnReferee
from .positions import Position

SIDES: dict[str, type[Position]] = {"kernels": OnKernels, "referee": OnReferee}


@pytest.fixture(params=SIDES)
def position(request: pytest.FixtureRequest) -> type[Position]:
    """``position(boards, coins=..., **options)``: a game at the start of a turn, of either side."""
    return SIDES[request.param]
