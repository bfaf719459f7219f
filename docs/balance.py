"""Cards and boards of 7 Wonders in games of the shipped agents, beside another project's study: tables and a picture.

Everything is read from ``docs/results/insight``: what ``antiquity insight --csv`` wrote of two agents, and the figures
that were published.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from game_page import table

PICTURE = "cards.png"
AGENTS = ("policy", "expert")
AGES = ("Age I", "Age II", "Age III")
CARDS = (
    "card",
    "worth",
    "played out",
    "published worth",
    "published played out",
    "policy builds",
    "expert builds",
    "published builds",
)
BOARDS = ("board", "policy wins", "policy takes the side", "expert wins", "expert takes it", "published wins")
PAR = 25.0
"""Wins of a seat among four, of 100."""
Row = dict[str, str]


def read(path: Path) -> list[Row]:
    """The rows of a CSV file by the names of its columns."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def points(share: str, half: str = "") -> str:
    """``+6.2 ± 1.1``: a share as points of 100."""
    return f"{100 * float(share):+.1f}" + (f" ± {100 * float(half):.1f}" if half else "")


def _builds(folder: Path, agent: str) -> dict[tuple[str, str], str]:
    rows = read(folder / agent / "items.csv")
    return {
        (row["moment"], row["item"]): f"{float(row['pick_rate']):.0%}"
        for row in rows
        if row["way"] == "build"
    }


def _gains(folder: Path) -> dict[tuple[str, str], Row]:
    return {(row["moment"], row["item"]): row for row in read(folder / "policy" / "gains.csv")}


def _published(folder: Path) -> dict[tuple[str, str], Row]:
    return {(row["moment"], row["item"]): row for row in read(folder / "published_cards.csv")}


def cards(folder: Path) -> str:
    """A table for each Age, what is worth most first."""
    gains, published = _gains(folder), _published(folder)
    builds = [_builds(folder, agent) for agent in AGENTS]
    parts = []
    for age in AGES:
        found = sorted(
            (key for key in gains if key[0] == age), key=lambda key: -float(gains[key]["by_policy"])
        )
        lines = []
        for key in found:
            own, other = gains[key], published[key]
            lines.append(
                (
                    key[1],
                    points(own["by_policy"], own["by_policy_half"]),
                    points(own["played_out"], own["played_out_half"]),
                    points(other["by_value"]),
                    points(other["played_out"]),
                    *(each[key] for each in builds),
                    f"{float(other['pick_rate']):.0%}",
                )
            )
        parts += [f"**{age}**", table(CARDS, lines, right=range(1, len(CARDS)))]
    return "\n\n".join(parts)


def board_shares(folder: Path, agent: str) -> dict[str, tuple[int, float, float]]:
    """Of each side: how many games, the share of them that it won, and half the 95% interval."""
    found: dict[str, tuple[int, float, float]] = {}
    rows = read(folder / agent / "boards.csv")
    for name in {row["board"] for row in rows}:
        own = [row for row in rows if row["board"] == name]
        games = np.array([int(row["games"]) for row in own])
        wins = np.array([float(row["wins_to_par"]) for row in own])
        halves = np.array([float(row["wins_to_par_half"]) for row in own])
        share = games / games.sum()
        half = np.sqrt(np.sum(np.square(share * np.nan_to_num(halves))))
        found[name] = (int(games.sum()), float(share @ wins) * PAR, float(half) * PAR)
    return found


def _wonder(board: str) -> str:
    return board.partition(" (")[0]


def boards(folder: Path) -> str:
    """What each side wins, and how often who could choose took it."""
    own = [board_shares(folder, agent) for agent in AGENTS]
    published = {row["board"]: row for row in read(folder / "published_boards.csv")}
    names = sorted(set().union(*own, published), key=lambda name: -own[0].get(name, (0, 0.0, 0.0))[1])
    lines = []
    for name in names:
        cells = [name]
        for found in own:
            wonder = sum(games for board, (games, _, _) in found.items() if _wonder(board) == _wonder(name))
            if name in found:
                games, wins, half = found[name]
                cells += [f"{wins:.1f}% ± {half:.1f}%", f"{games / wonder:.0%}"]
            else:
                cells += ["-", "never"]
        other = published.get(name)
        cells.append(
            "-" if other is None else f"{100 * float(other['wins']):.1f}% of {int(other['games']):,}"
        )
        lines.append(cells)
    return table(BOARDS, lines, right=range(1, len(BOARDS)))


def by_rank(folder: Path) -> str:
    """Mean points of who ended at each rank, by category."""
    lines = []
    for agent in AGENTS:
        for row in read(folder / agent / "points.csv"):
            numbers = [f"{float(value):.1f}" for name, value in row.items() if name not in ("rank", "seats")]
            lines.append((agent, row["rank"], *numbers))
    columns = [name for name in read(folder / AGENTS[0] / "points.csv")[0] if name not in ("rank", "seats")]
    return table(("agent", "rank", *columns), lines, right=range(1, len(columns) + 2))


def agreement(folder: Path) -> str:
    """How far the two studies agree, as a table of correlations over the cards of an Age."""
    gains, published = _gains(folder), _published(folder)
    builds = _builds(folder, "policy")
    lines = []
    for age in (*AGES, "all"):
        keys = [key for key in gains if age in (key[0], "all")]

        def of(
            rows: dict[tuple[str, str], Row], column: str, keys: Sequence[tuple[str, str]] = keys
        ) -> list[float]:
            return [float(rows[key][column]) for key in keys]

        chosen = [float(builds[key].rstrip("%")) for key in keys]
        pairs = (
            (of(gains, "by_policy"), of(published, "by_value")),
            (of(gains, "played_out"), of(published, "played_out")),
            (chosen, of(published, "pick_rate")),
        )
        lines.append((age, len(keys), *(f"{np.corrcoef(*pair)[0, 1]:.2f}" for pair in pairs)))
    return table(("", "cards", "worth", "played out", "how often built"), lines, right=range(1, 5))


def picture(folder: Path) -> bytes:
    """What each card is worth, here and as published, a panel for each Age, PNG."""
    from matplotlib.figure import Figure

    gains, published = _gains(folder), _published(folder)
    figure = Figure(figsize=(10.5, 7.5), layout="constrained")
    for axes, age in zip(figure.subplots(1, 3), AGES, strict=True):
        keys = sorted((key for key in gains if key[0] == age), key=lambda key: float(gains[key]["by_policy"]))
        here, halves = (
            [100 * float(gains[key][column]) for key in keys] for column in ("by_policy", "by_policy_half")
        )
        there = [100 * float(published[key]["by_value"]) for key in keys]
        places = range(len(keys))
        axes.hlines(places, np.minimum(here, there), np.maximum(here, there), color="#cccccc", zorder=0)
        axes.errorbar(here, places, xerr=halves, fmt="o", color="#2a6f97", markersize=5, label="here")
        axes.plot(there, places, "D", color="#c1666b", markersize=4, label="published")
        axes.set_yticks(places, [key[1] for key in keys], fontsize=8)
        axes.set(title=age, xlabel="points of 100", ylim=(-0.7, len(keys) - 0.3))
        axes.grid(axis="x", color="#eeeeee")
        axes.set_axisbelow(True)
    figure.axes[0].legend(loc="center right")
    figure.suptitle("What building a card is worth more than selling it, in chances to win")
    file = io.BytesIO()
    figure.savefig(file, dpi=110, format="png")
    return file.getvalue()
