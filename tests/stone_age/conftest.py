"""What the tests of Stone Age share."""

from __future__ import annotations

import pytest

from stone_age.play import At, OnKernels, OnReferee


@pytest.fixture(params=[OnKernels, OnReferee], ids=["kernels", "referee"])
def position(request: pytest.FixtureRequest) -> At:
    """Sets up a position on the kernels, and again on the referee: :class:`.positions.Position` has its arguments."""
    at: At = request.param.at
    return at
