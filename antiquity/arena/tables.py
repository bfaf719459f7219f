"""A summary as tables for the terminal, as plain values for JSON, and as rows for CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from antiquity.arena.statistics import Share, Table
from antiquity.arena.tournament import Summary

if TYPE_CHECKING:
    from rich.console import RenderableType


def _share(share: Share) -> dict[str, float]:
    return {"value": share.value, "low": share.low, "high": share.high}


def as_dict(summary: Summary) -> dict[str, Any]:
    """Everything as dicts, lists, numbers and strings."""
    return {
        "game": summary.game,
        "seed": summary.seed,
        "agents": summary.agents,
        "ratings": {
            name: {"mu": r.mu, "sigma": r.sigma, "ordinal": r.ordinal, "games": r.games}
            for name, r in summary.ratings.items()
        },
        "tables": [_table(each) for each in summary.tables],
        "incidents": summary.incidents,
        "seconds": summary.seconds,
    }


def _table(table: Table) -> dict[str, Any]:
    mean, deviation, least, most = table.length
    return {
        "players": table.players,
        "deals": table.deals,
        "games": table.games,
        "par": 1 / table.players,
        "standings": [
            {
                "agent": each.name,
                "games": each.games,
                "wins": _share(each.wins),
                "rank": each.rank,
                "points": each.points,
            }
            for each in table.standings
        ],
        "duels": {
            one: {two: _share(share) for two, share in row.items() if share.value == share.value}
            for one, row in table.duels.items()
        },
        "length": {"mean": mean, "deviation": deviation, "least": least, "most": most},
    }


def as_csv(summary: Summary) -> str:
    """One line for each agent and player count, with a heading."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    points = [*summary.categories, "total"]
    head = ["players", "agent", "games", "wins", "wins_low", "wins_high", "rank", "mu", "sigma"]
    writer.writerow([*head, *(f"points_{name}" for name in points)])
    for table in summary.tables:
        for each in table.standings:
            rating = summary.ratings.get(each.name)
            rated = (f"{rating.mu:.4f}", f"{rating.sigma:.4f}") if rating is not None else ("", "")
            shares = (f"{value:.6f}" for value in each.wins)
            row = [table.players, each.name, each.games, *shares, f"{each.rank:.4f}", *rated]
            writer.writerow([*row, *(f"{each.points[name]:.3f}" for name in points)])
    return text.getvalue()


def as_tables(summary: Summary) -> list[RenderableType]:
    """Tables for the terminal: standings, duels, ratings, forfeited moves."""
    from rich.table import Table as RichTable

    found: list[RenderableType] = []
    for table in summary.tables:
        title = f"{summary.title}, {table.players} players: {table.games:,} games of {table.deals:,} deals"
        found += [_standings(table, title), _points(table, summary.categories)]
        if len(table.standings) > 2:
            duels = RichTable(
                title=f"{table.players} players: how often the left one ends before the upper one"
            )
            duels.add_column("")
            for name in table.duels:
                duels.add_column(name, justify="right")
            for one in table.duels:
                cells = (_cell(table.duels[one].get(two)) for two in table.duels)
                duels.add_row(one, *cells)
            found.append(duels)
    if summary.ratings:
        rated = RichTable(title="ratings over all tables (Plackett-Luce)")
        rated.add_column("agent")
        for heading in ("mu", "sigma", "mu - 3 sigma", "games"):
            rated.add_column(heading, justify="right")
        for name, r in summary.ratings.items():
            rated.add_row(name, f"{r.mu:.1f}", f"{r.sigma:.2f}", f"{r.ordinal:.1f}", f"{r.games:,}")
        found.append(rated)
    if summary.incidents:
        kinds: dict[tuple[str, str], list[str]] = {}
        for each in summary.incidents:
            kinds.setdefault((each["agent"], each["kind"]), []).append(each["detail"])
        forfeited = RichTable("agent", "what", "moves", "the first of them", title="forfeited moves")
        for (agent, kind), details in kinds.items():
            forfeited.add_row(agent, kind, f"{len(details):,}", details[0])
        found.append(forfeited)
    return found


def _standings(table: Table, title: str) -> RenderableType:
    from rich.table import Table as RichTable

    found = RichTable(title=title, caption=f"par is {1 / table.players:.1%}; ± is half the 95% interval")
    found.add_column("agent")
    for heading in ("games", "wins", "±", "rank", "points"):
        found.add_column(heading, justify="right")
    for each in table.standings:
        share = (f"{each.wins.value:.1%}", f"{each.wins.half:.1%}")
        found.add_row(each.name, f"{each.games:,}", *share, f"{each.rank:.2f}", f"{each.points['total']:.1f}")
    return found


def _points(table: Table, categories: tuple[str, ...]) -> RenderableType:
    from rich.table import Table as RichTable

    found = RichTable(title=f"{table.players} players: points by category")
    found.add_column("agent")
    for category in categories:
        found.add_column(category, justify="right")
    for each in table.standings:
        found.add_row(each.name, *(f"{each.points[name]:.1f}" for name in categories))
    return found


def _cell(share: Share | None) -> str:
    if share is None or share.value != share.value:
        return ""
    return f"{share.value:.0%} ± {100 * share.half:.1f}"
