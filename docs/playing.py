"""How well the agents play, as tables: from what ``python -m benchmarks strength`` and ``curves`` have written."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from antiquity.game import make_game
from benchmarks import curves, strength
from game_page import table
from kept import newest

PICTURE = "learning.png"
NONE = "Nothing has been kept yet."


def read(folder: Path) -> dict[str, Any] | None:
    """The newest ladders in the folder, or None; ValueError for a file that holds none."""
    return newest(folder, strength.SCHEMA)


def ladders(folder: Path) -> str:
    """One table per game with one row per table size, one of longer searches, and the speed of the search."""
    results = read(folder)
    if results is None:
        return NONE
    headings, found, longer = (
        strength.headings(results),
        strength.rows(results),
        strength.longer_rows(results),
    )
    machine = results["machine"]
    parts = [
        "Share of wins of a seat ± half its 95% interval, and in brackets the rating (Plackett-Luce, 25 in the "
        f"middle). Par is 1 / players. {machine['cpu']}, {machine['date'][:10]}."
    ]
    for name, measured in results["games"].items():
        title, speeds = make_game(name).title, measured["simulations_a_second"]
        players = make_game(name).default_players
        parts += [
            f"**{title}**",
            table(
                headings[1:], [row[1:] for row in found if row[0] == title], right=range(len(headings) - 1)
            ),
            f"With {players} players, search and expert with ten times the simulations among them; milliseconds are "
            "CPU time for one decision, asked for one at a time:",
            table(
                strength.LONG_HEADINGS[1:],
                [row[1:] for row in longer if row[0] == title],
                right=range(1, len(strength.LONG_HEADINGS) - 1),
            ),
            f"The search runs {speeds['greedy']:,.0f} simulations a CPU-second with greedy rollouts, "
            f"{speeds['random']:,.0f} with random ones.",
        ]
    return "\n\n".join(parts)


def kept_curves(folder: Path) -> list[dict[str, Any]]:
    """The learning curves of a folder, those of the games' own settings first."""
    found = [curves.read(path) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda each: len(each["variants"]))


def learning(folder: Path) -> str:
    """What the runs reached that were kept, as one table, and the curves of the games' own settings."""
    # A comparison repeats the run that it compares with.
    lines = list(dict.fromkeys(row for results in kept_curves(folder) for row in curves.rows(results)))
    picture = f"![Learning curves of each game, three seeds with bands]({PICTURE})"
    return f"{picture}\n\n{table(curves.HEADINGS, lines, right=range(2, len(curves.HEADINGS)))}"


def picture(folder: Path) -> bytes:
    """The curves of the games' own settings, PNG."""
    own = [
        each
        for each in kept_curves(folder)
        if [found["variant"] for found in each["variants"]] == ["default"]
    ]
    with tempfile.TemporaryDirectory() as place:
        curves.draw(own, Path(place) / PICTURE)
        return (Path(place) / PICTURE).read_bytes()
