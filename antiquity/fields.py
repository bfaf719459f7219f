"""What layouts are built of (see :meth:`antiquity.game.Layout.build`): parts, and the same parts for every seat."""

from __future__ import annotations

from collections.abc import Iterable

Part = tuple[str, int, float, float, float, str]
"""Name, size, least and greatest value (scaled), scale, meaning."""


def for_each(names: Iterable[str], parts: Iterable[Part]) -> list[Part]:
    """All parts once for every name, which comes before the part's own: ``me_coins``."""
    parts = tuple(parts)
    return [(f"{name}_{part[0]}", *part[1:]) for name in names for part in parts]


def size_of(parts: Iterable[Part]) -> int:
    """How many elements of an observation they take."""
    return sum(size for _, size, *_ in parts)
