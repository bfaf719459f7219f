"""How well the agents play, as a table: from what ``python -m benchmarks strength`` has written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.strength import HEADINGS, rows
from game_page import table

NONE = "No tournament has been kept yet. `python -m benchmarks strength` plays one."


def read(folder: Path) -> dict[str, Any] | None:
    """The newest results in the folder, or None."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    return max(found, key=lambda each: str(each["machine"]["date"]), default=None)


def strength(folder: Path) -> str:
    """One row a game and table size, and the speed of the search."""
    results = read(folder)
    if results is None:
        return NONE
    speeds = " ".join(
        f"{game}: {measured['simulations_a_second']['random']:,.0f} with random rollouts, "
        f"{measured['simulations_a_second']['greedy']:,.0f} with greedy ones."
        for game, measured in results["games"].items()
    )
    return "\n\n".join(
        (
            table(HEADINGS, rows(results), right=range(1, len(HEADINGS))),
            f"{results['simulations']} simulations a decision; ± is half the 95% interval; par is 1 / players. "
            f"Simulations a second on one core of an {results['machine']['cpu']}: {speeds}",
        )
    )
