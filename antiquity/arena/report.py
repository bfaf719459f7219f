"""A summary as one HTML file with plots in it: it loads nothing from elsewhere and runs no script."""

from __future__ import annotations

import html
import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from antiquity.arena.statistics import Share, Table
from antiquity.arena.tournament import Summary
from antiquity.game import GAMES, make_game

AGENTS = (
    "#4477aa",
    "#cc6677",
    "#44aa99",
    "#ddaa33",
    "#aa4499",
    "#88aa33",
    "#66ccee",
    "#997755",
    "#8888cc",
    "#bb5566",
)
"""Colours of the agents."""
CATEGORIES = (
    "#5f6b73",
    "#a08060",
    "#7f9f7f",
    "#c2a14d",
    "#8f7f9f",
    "#6f8fa8",
    "#b07f7f",
    "#93937a",
    "#7a9a9a",
    "#a08fa0",
)
"""Colours of the categories of a game that has none of its own (``Game.colours``)."""
STYLE = """
:root { color-scheme: light dark; --ink: #23272b; --muted: #5d6468; --page: #f6f4f0; --card: #fff; --line: #e2dccf;
font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
@media (prefers-color-scheme: dark) { :root { --ink: #f0ebe0; --muted: #a7a194; --page: #14161a; --card: #20242b;
--line: #3d434e; } }
body { max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { margin: 2.2rem 0 .6rem; border-bottom: 2px solid var(--line); }
.about { color: var(--muted); } section { background: var(--card); padding: .4rem 1.4rem 1.2rem; border-radius: 8px;
margin: 1.2rem 0; box-shadow: 0 1px 3px #0002; } svg { max-width: 100%; height: auto; display: block;
fill: currentColor; }
table { border-collapse: collapse; margin: .6rem 0 1rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .55rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { white-space: normal; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; } td.words { text-align: left; white-space: normal; }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .5em; }
.scroll { overflow-x: auto; } .scroll table { font-size: .85rem; } .scroll th, .scroll td { padding: .25rem .4rem; }
.small { color: var(--muted); font-size: .88rem; }
"""


def write_report(summary: Summary, path: str | os.PathLike[str]) -> Path:
    """Write the report; an interruption leaves no partial file.

    Raises:
        ImportError: matplotlib isn't installed.
    """
    path = Path(path)
    text = as_html(summary)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    return path


def as_html(summary: Summary) -> str:
    """The report as text."""
    colours = {name: AGENTS[number % len(AGENTS)] for number, name in enumerate(summary.names)}
    games = sum(table.games for table in summary.tables)
    title = f"{summary.title}: tournament"
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        f'<p class="about">{games:,} games, seed {summary.seed}, {_time(summary.seconds)} of playing. '
        "Every deal is played in all rotations of its line-up; bars and ± are 95% intervals over deals.</p>",
    ]
    if summary.ratings:
        rows = [
            [_dot(name, colours), f"{r.mu:.1f}", f"{r.sigma:.2f}", f"{r.ordinal:.1f}", f"{r.games:,}"]
            for name, r in summary.ratings.items()
        ]
        body = [
            _rating_plot(summary, colours),
            _rows(["agent", "mu", "sigma", "mu − 3 sigma", "games"], rows),
        ]
        parts.append(_section("Ratings over all tables (Plackett–Luce)", body))
    for table in summary.tables:
        heading = f"{table.players} players: {table.games:,} games of {table.deals:,} deals"
        body = [
            _table_plots(table, summary, colours),
            _standings(table, summary, colours),
            _duels(table, colours),
        ]
        mean, deviation, least, most = table.length
        body.append(
            f'<p class="small">Length of a game: {mean:.1f} ± {deviation:.1f} steps, from {least} to {most}.</p>'
        )
        parts.append(_section(heading, body))
    if summary.incidents:
        keys = ("agent", "kind", "players", "deal", "rotation", "seat", "step", "detail")
        rows = [[html.escape(str(each[key])) for key in keys] for each in summary.incidents[:50]]
        more = f"<p>{len(summary.incidents):,} in all; the first of them:</p>"
        parts.append(_section("Forfeited moves", [more, _rows(keys, rows)]))
    agents = [[_dot(name, colours), html.escape(agent)] for name, agent in summary.agents.items()]
    parts.append(_section("Agents", [_rows(["name", "agent"], agents)]))
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{STYLE}</style>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}{view}</head>\n<body>\n'
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _time(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.1f} h"
    )


def _section(heading: str, body: Iterable[str]) -> str:
    return f"<section><h2>{html.escape(heading)}</h2>\n" + "\n".join(body) + "</section>"


def _dot(name: str, colours: dict[str, str]) -> str:
    return f'<span class="dot" style="background:{colours[name]}"></span>{html.escape(name)}'


def _rows(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{html.escape(heading)}</th>" for heading in headings)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _standings(table: Table, summary: Summary, colours: dict[str, str]) -> str:
    rows = [
        [
            _dot(each.name, colours),
            f"{each.games:,}",
            f"{each.wins.value:.1%}",
            f"{each.wins.half:.1%}",
            f"{each.rank:.2f}",
            *(f"{each.points[name]:.1f}" for name in ("total", *summary.categories)),
        ]
        for each in table.standings
    ]
    categories = [category.replace("_", " ") for category in summary.categories]
    return _rows(["agent", "games", "wins", "±", "rank", "points", *categories], rows)


def _duels(table: Table, colours: dict[str, str]) -> str:
    def cell(share: Share | None) -> str:
        if share is None or share.value != share.value:
            return ""
        # From one colour through none to the other.
        strength = abs(share.value - 0.5) * 2
        base = "68,119,170" if share.value >= 0.5 else "204,102,119"
        style = f"background:rgba({base},{0.55 * strength:.2f});padding:.15rem .4rem;border-radius:4px"
        return f'<span style="{style}">{share.value:.0%} ± {100 * share.half:.1f}</span>'

    rows = [
        [_dot(one, colours), *(cell(row.get(two)) for two in table.duels)] for one, row in table.duels.items()
    ]
    note = (
        '<p class="small">How often the agent on the left ends before the one above, ties counting half:</p>'
    )
    return note + _rows(["", *table.duels], rows)


# --- plots ---

_INK = "#000000"


def _own_colours(name: str) -> dict[str, str]:
    """The game's own colours of its categories; none where the game is not installed here (a file imports nothing)."""
    return dict(make_game(name).colours) if name in GAMES else {}


def _figure(width: float, height: float, columns: int) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError('reports need matplotlib: pip install "antiquity[arena]"') from error
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(1, columns, squeeze=False)[0]
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Any) -> str:
    import matplotlib

    text = io.StringIO()
    # Without a date, and with names that do not change: the same results give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "antiquity"}):
        metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(text, format="svg", metadata=metadata, transparent=True)
    # Letters and axes have the colour of the page's letters, light or dark.
    found = text.getvalue().replace(_INK, "currentColor")
    return found[found.index("<svg") :]


def _rating_plot(summary: Summary, colours: dict[str, str]) -> str:
    names = list(summary.ratings)[::-1]
    figure, (axis,) = _figure(9, 0.9 + 0.34 * len(names), 1)
    for place, name in enumerate(names):
        rating = summary.ratings[name]
        axis.errorbar(
            rating.mu, place, xerr=2 * rating.sigma, fmt="o", color=colours[name], capsize=4, markersize=7
        )
    axis.set_yticks(range(len(names)), names, parse_math=False)
    axis.set(xlabel="skill (mu ± 2 sigma)", ylim=(-0.6, len(names) - 0.4))
    axis.grid(axis="x", alpha=0.3)
    return _svg(figure)


def _table_plots(table: Table, summary: Summary, colours: dict[str, str]) -> str:
    standings = table.standings[::-1]
    names = [each.name for each in standings]
    figure, (wins, points, lengths) = _figure(13, 1.6 + 0.42 * max(4, len(names)), 3)
    for place, each in enumerate(standings):
        errors = [[max(0.0, each.wins.value - each.wins.low)], [max(0.0, each.wins.high - each.wins.value)]]
        wins.barh(place, each.wins.value, color=colours[each.name], alpha=0.85)
        wins.errorbar(each.wins.value, place, xerr=errors, color=_INK, capsize=3)
    wins.axvline(1 / table.players, color="#888", linestyle="--", linewidth=1)
    wins.annotate(
        "par", (1 / table.players, 1.0), xycoords=("data", "axes fraction"), ha="center", fontsize=8
    )
    wins.set_yticks(range(len(names)), names, parse_math=False)
    wins.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    wins.set_title("share of wins of a seat", fontsize=10, pad=12)
    above, below = [0.0] * len(names), [0.0] * len(names)
    own = _own_colours(summary.game)
    for number, category in enumerate(summary.categories):
        values = [each.points[category] for each in standings]
        starts = [a if v >= 0 else b for v, a, b in zip(values, above, below, strict=True)]
        points.barh(
            range(len(names)),
            values,
            left=starts,
            color=own.get(category, CATEGORIES[number % len(CATEGORIES)]),
            label=category.replace("_", " "),
            edgecolor="#ffffff",
            linewidth=0.5,
        )
        above = [a + max(v, 0.0) for v, a in zip(values, above, strict=True)]
        below = [b + min(v, 0.0) for v, b in zip(values, below, strict=True)]
    points.set_yticks(range(len(names)), [""] * len(names))
    points.set_title("points by category", fontsize=10, pad=12)
    points.legend(fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.12), frameon=False)
    steps, counts = zip(*table.lengths, strict=True)
    lengths.bar(steps, counts, width=1.0, color="#8a8f93")
    lengths.set_title("steps of a game", fontsize=10, pad=12)
    lengths.set_ylabel("games", fontsize=9)
    return _svg(figure)
