"""How well the agents play, as a table: from what ``python -m benchmarks strength`` has written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from antiquity.game import make_game
from benchmarks.strength import HEADINGS, rows
from game_page import table

NONE = "No tournament has been kept yet. `python -m benchmarks strength` plays one."


def read(folder: Path) -> dict[str, Any] | None:
    """The newest results in the folder, or None."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    return max(found, key=lambda each: str(each["machine"]["date"]), default=None)


def strength(folder: Path) -> str:
    """A table a game with one row a table size, and the speed of the search."""
    results = read(folder)
    if results is None:
        return NONE
    parts = [
        f"{results['simulations']} simulations a decision; ± is half the 95% interval; par is 1 / players."
    ]
    found = rows(results)
    for name, measured in results["games"].items():
        title, speeds = make_game(name).title, measured["simulations_a_second"]
        parts.append(
            f"**{title}** - {speeds['greedy']:,.0f} simulations a second with greedy rollouts, "
            f"{speeds['random']:,.0f} with random ones, on one core of an {results['machine']['cpu']}."
        )
        parts.append(table(HEADINGS[1:], [row[1:] for row in found if row[0] == title], right=range(7)))
    return "\n\n".join(parts)
