"""Recycles large arrays that the caller no longer references.

Fresh memory of some megabytes at every step costs as much as the step itself, because the system zeroes each page on
first touch. An array that nobody holds any more is as good as a new one; only its contents are stale.
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
"""The reference count of an array that a list alone holds."""

# Without the interpreter's lock a reference count says nothing.
_COUNTED: bool = getattr(sys, "_is_gil_enabled", lambda: True)()


class ArrayPool:
    """Arrays of one shape.

    An array counts as held while a view of it, a tensor on its memory or anything else refers to it.
    """

    def __init__(self, shape: tuple[int, ...], dtype: DTypeLike) -> None:
        self.shape, self._dtype = shape, dtype
        self._made: list[NDArray[Any]] = []

    def take(self) -> NDArray[Any]:
        """An array that nobody holds; its contents are arbitrary."""
        made = self._made
        for place in range(len(made) if _COUNTED else 0):
            if sys.getrefcount(made[place]) == _ALONE:
                made.append(made.pop(place))
                return made[-1]
        made.append(np.zeros(self.shape, self._dtype))
        del made[:-KEPT]
        return made[-1]
