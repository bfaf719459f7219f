"""What agents reach by the protocol of ``antiquity evaluate``, as tables: from the reports that were kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from antiquity.arena.statistics import Share
from antiquity.game import make_game
from antiquity.game.checks import printable
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


LEADERBOARD = ("game", "agent", "among", "players (par)", "wins", "games", "report")


def leaderboard(folder: Path) -> str:
    """Every line of every report, as Markdown: by game, opponents and table size, the best first."""
    lines = []
    for path in sorted(folder.glob("*.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        game, place = make_game(report["game"]), GAMES.index(report["game"])
        for line in report["results"]:
            low, high = line["interval"]
            share = Share(line["win_share"], low, high)
            players = f"{line['players']} ({1 / line['players']:.0%})"
            who = printable(report["agent"]).replace("|", "\\|")
            cells = (game.title, who, line["opponent"], players, str(share), f"{line['games']:,}", path.name)
            lines.append(((place, line["opponent"], line["players"], -line["win_share"]), cells))
    return table(LEADERBOARD, [cells for _, cells in sorted(lines)], right=(4, 5))


def summary(folder: Path) -> str:
    """The table as Markdown."""
    return table(HEADINGS, rows(folder), right=range(1, len(HEADINGS)))
