"""How kernels are compiled in this process, and why.

The compiler here goes beyond what numba promises to keep (:mod:`antiquity.kernels.linked`), so it is used with releases
of numba that it was tried with, and where it finds what it builds on. Elsewhere kernels go through plain
``numba.njit``: the same results, but slower to compile, anew in every process.
"""

from __future__ import annotations

import os
import re
import warnings
from typing import Any, Final

import numba
from numba.core import config as numba_config

PYTHON: Final = "python"
"""``NUMBA_DISABLE_JIT=1``: kernels are plain Python functions."""
PLAIN: Final = "plain"
"""``numba.njit`` and what else numba's documentation promises."""
LINKED: Final = "linked"
"""Antiquity's own use of numba's compiler, with a store on disk."""

OLDEST, NEWEST = (0, 61), (0, 68)
"""Releases of numba that LINKED was tried with, both ends included."""


def _look_inside() -> Any:
    """The module :mod:`antiquity.kernels.linked`, or in words why it can't be used."""
    release = tuple(int(part) for part in re.findall(r"\d+", numba.__version__)[:2])
    if not OLDEST <= release <= NEWEST:
        return f"numba {numba.__version__} is not one of the releases {name(OLDEST)} to {name(NEWEST)}"
    try:
        from antiquity.kernels import linked

        linked.check()
    except (ImportError, AttributeError, TypeError) as error:
        return f"numba {numba.__version__} is not as expected ({error})"
    return linked


def name(release: tuple[int, int]) -> str:
    """A release in words."""
    return ".".join(map(str, release))


def _choose() -> tuple[str, Any]:
    if numba_config.DISABLE_JIT:
        return PYTHON, None
    if os.environ.get("ANTIQUITY_PLAIN_NJIT") == "1":
        return PLAIN, None
    found = _look_inside()
    if not isinstance(found, str):
        return LINKED, found
    warnings.warn(
        f"{found}: kernels are compiled by plain numba.njit, which takes longer, and in every process anew. "
        f"The remedy is a numba from {name(OLDEST)} to {name(NEWEST)}; ANTIQUITY_PLAIN_NJIT=1 silences this.",
        stacklevel=2,
    )
    return PLAIN, None


MODE: str
"""PYTHON, PLAIN or LINKED."""
linked: Any
"""The module of that name in the mode LINKED: the only way to it, so that no other mode touches numba's insides."""
MODE, linked = _choose()
