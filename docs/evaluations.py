"""What agents reach by the protocol of ``antiquity evaluate``, as tables: from the reports that were kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from antiquity.arena.statistics import Share
from antiquity.game import make_game
from game_page import table

HEADINGS = ("game", "players (par)", "policy among greedy", "expert among greedy", "expert among policies")
COLUMNS = (("policy", "greedy"), ("expert", "greedy"), ("expert", "policy"))
"""Agent, and who sits in all other seats."""
GAMES = ("seven_wonders", "stone_age", "dice")


def reports(folder: Path) -> Iterator[dict[str, Any]]:
    """The reports of a folder."""
    for path in sorted(folder.glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))


def rows(folder: Path) -> list[tuple[str, ...]]:
    """One row a game and table size: shares of wins of one seat, with half their 95% intervals."""
    found: dict[tuple[str, int, str, str], str] = {}
    for report in reports(folder):
        for line in report["results"]:
            low, high = line["interval"]
            share = Share(line["win_share"], low, high)
            found[report["game"], line["players"], report["agent"], line["opponent"]] = str(share)
    lines = []
    for name in GAMES:
        game = make_game(name)
        for players in range(game.min_players, game.max_players + 1):
            cells = [found.get((name, players, *column), "-") for column in COLUMNS]
            lines.append((game.title, f"{players} ({1 / players:.0%})", *cells))
    return lines


def summary(folder: Path) -> str:
    """The table as Markdown."""
    return table(HEADINGS, rows(folder), right=range(1, len(HEADINGS)))
