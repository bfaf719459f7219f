"""The roll that waits for tools, in words."""

from __future__ import annotations

from typing import Any


def faces(game: Any) -> list[int]:
    """The dice of the roll in a record, ascending; none if nothing was rolled, or in games saved long ago."""
    return [face + 1 for face, number in enumerate(game["thrown"].tolist()) for _ in range(number)]


def roll(game: Any) -> str:
    """``"rolled 3 4 6 = 13"``, ``"rolled 3 4 6, with tools 15"``."""
    thrown = faces(game)
    total = int(game["total"])
    if not thrown:
        return f"rolled {total} in all"
    words = f"rolled {' '.join(map(str, thrown))}"
    return f"{words} = {total}" if total == sum(thrown) else f"{words}, with tools {total}"
