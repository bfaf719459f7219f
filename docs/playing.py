"""How well the agents play, as a table: from what ``python -m benchmarks strength`` has written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from antiquity.game import make_game
from benchmarks.strength import HEADINGS, SCHEMA, rows
from game_page import table
from kept import newest

NONE = "No tournament has been kept yet. `python -m benchmarks strength` plays one."


def read(folder: Path) -> dict[str, Any] | None:
    """The newest tournaments in the folder, or None; ValueError for a file that holds none."""
    return newest(folder, SCHEMA)


def strength(folder: Path) -> str:
    """One table per game with one row per table size, and the speed of the search."""
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
