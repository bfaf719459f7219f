"""Large arrays that are given away and, once nobody holds them any more, written again.

New memory of some megabytes at every step costs as much as the step: the system clears each page when it is first
touched. An array that the caller has dropped is as good as a new one, but for what stands in it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

KEPT = 3
"""Arrays that are remembered: the last one, the one before, which the caller often still holds, and one more."""

_EXAMPLE = [np.zeros(1)]
_ALONE = sys.getrefcount(_EXAMPLE[0])
"""What is counted for an array that a list alone holds."""

# Without the interpreter's lock such a count says nothing.
_COUNTED: bool = getattr(sys, "_is_gil_enabled", lambda: True)()


class Spare:
    """Arrays of one shape.

    An array is held as long as there is a view of it, a tensor on its memory, or anything else with a reference to it.
    """

    def __init__(self, shape: tuple[int, ...], dtype: DTypeLike) -> None:
        self._shape, self._dtype = shape, dtype
        self._made: list[NDArray[Any]] = []

    def take(self) -> NDArray[Any]:
        """An array that nobody holds: of zeros, or one with anything in it."""
        made = self._made
        for place in range(len(made) if _COUNTED else 0):
            if sys.getrefcount(made[place]) == _ALONE:
                made.append(made.pop(place))
                return made[-1]
        made.append(np.zeros(self._shape, self._dtype))
        del made[:-KEPT]
        return made[-1]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_made": []}
