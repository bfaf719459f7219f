"""Insight as one self-contained page, and as CSV: one file for the items, one for the boards, one for the points."""

from __future__ import annotations

import csv
import html
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from antiquity.batch import replacing
from antiquity.study.page import fill, read_asset
from antiquity.study.tally import Mean, Tally

LEAST = 30
"""What was chosen less often is left out of the page."""


def write_insight(tally: Tally, path: str | os.PathLike[str], title: str) -> Path:
    """Write the page; the file appears whole or not at all."""
    target = Path(path)
    sections = [*_items(tally), _boards(tally), _points(tally)]
    text = fill(
        read_asset("insight.html"),
        title=html.escape(title),
        style=read_asset("page.css") + read_asset("insight.css"),
        about=f"{tally.games:,} games. ± is half the 95% interval; what was chosen in fewer than {LEAST} games is "
        "left out.",
        sections="\n".join(sections),
    )
    with replacing(target) as partial:
        partial.write_text(text, encoding="utf-8")
    return target


def write_csv(tally: Tally, folder: str | os.PathLike[str]) -> list[Path]:
    """Write ``items.csv``, ``boards.csv`` and ``points.csv`` into a folder."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    ranks = [f"taken_rank_{rank + 1}" for rank in range(tally.by_rank.shape[-1])]
    items: list[list[Any]] = [
        ["moment", "item", "way", "offered", "taken", *_names("pick_rate"), *_names("wins_to_par"), *ranks]
    ]
    for m, moment in enumerate(tally.moments):
        for i, item in enumerate(tally.items):
            for w, way in enumerate(tally.ways):
                if tally.offered[m, i, w]:
                    counts = (int(tally.offered[m, i, w]), int(tally.taken[m, i, w]))
                    rates = (*tally.pick_rate(m, i, w)[:2], *tally.win_rate(m, i, w)[:2])
                    items.append([moment, item, way, *counts, *rates, *tally.by_rank[m, i, w].tolist()])
    boards: list[list[Any]] = [["board", "seat", "games", *_names("wins_to_par")]]
    for b, board in enumerate(tally.boards):
        for seat in range(tally.board_games.shape[1]):
            if tally.board_games[b, seat]:
                rate = tally.board_rate(b, seat)
                boards.append([board, seat, rate.times, rate.value, rate.half])
    points: list[list[Any]] = [["rank", "seats", *tally.game.categories, "total"]]
    for rank, seats in enumerate(tally.rank_seats.tolist()):
        if seats:
            points.append([rank + 1, seats, *(tally.points[rank] / seats).round(3).tolist()])
    gains: list[list[Any]] = [["moment", "item", "compared", *_names("by_policy"), *_names("played_out")]]
    for m, i in np.ndindex(tally.taken.shape[:2]):
        by_policy, out = (tally.gain(i, way, m) for way in (False, True))
        if out.times > 1:
            gains.append([tally.moments[m], tally.items[i], out.times, *by_policy[:2], *out[:2]])
    written = []
    for name, rows in (("items", items), ("boards", boards), ("points", points), ("gains", gains)):
        written.append(place / f"{name}.csv")
        with replacing(written[-1]) as partial, open(partial, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    return written


def _names(name: str) -> list[str]:
    return [name, f"{name}_half"]


def _items(tally: Tally) -> Iterator[str]:
    last = len(tally.ways) - 1 if tally.gains else 0
    for m, moment in enumerate(tally.moments):
        shown = [
            i
            for i in range(len(tally.items))
            if tally.taken[m, i, 0] >= LEAST or tally.offered[m, i].sum() >= LEAST
        ]
        if not shown:
            continue
        shown.sort(key=lambda i: -_sortable(tally.pick_rate(m, i, 0)))
        head = [tally.game.subjects.what if tally.game.subjects is not None else "item"]
        for way in tally.ways:
            head += [f"{way}: chosen", "wins, 1 is par"]
        if last:
            head += [f"{tally.ways[0]}, not {tally.ways[last]}: policy", "played out"]
        rows = []
        for i in shown:
            cells = [f"<th>{html.escape(tally.items[i])}</th>"]
            for w in range(len(tally.ways)):
                picked, won = tally.pick_rate(m, i, w), tally.win_rate(m, i, w)
                cells.append(_cell(picked, lambda value: f"{value:.0%}", picked.value, LEAST))
                cells.append(_cell(won, lambda value: f"{value:.2f}", won.value / 2, LEAST))
            if last:
                for out in (False, True):
                    gain = tally.gain(i, out, m)
                    cells.append(_cell(gain, lambda value: f"{100 * value:+.1f}", 0.5 + 2 * gain.value, 5))
            rows.append("".join(cells))
        note = ""
        if last:
            note = (
                f"<p class='muted'>{tally.ways[0]}, not {tally.ways[last]}: what the one is worth more than the other "
                "at the same decision, in the same worlds, of 100; by the policy's value, and played out by greedy.</p>"
            )
        yield _section(moment, head, rows, note)


def _boards(tally: Tally) -> str:
    seats = [seat for seat in range(tally.board_games.shape[1]) if tally.board_games[:, seat].any()]
    shown = [b for b in range(len(tally.boards)) if tally.board_games[b].sum() >= LEAST]
    if not shown:
        return ""
    shown.sort(key=lambda b: -_sortable(tally.board_rate(b)))
    rows = []
    for b in shown:
        means = [tally.board_rate(b), *(tally.board_rate(b, seat) for seat in seats)]
        cells = [_cell(mean, lambda value: f"{value:.2f}", mean.value / 2, LEAST) for mean in means]
        rows.append(f"<th>{html.escape(tally.boards[b])}</th>{''.join(cells)}")
    head = ["board", "all seats", *(f"seat {seat}" for seat in seats)]
    return _section("Boards: wins, 1 is par", head, rows)


def _points(tally: Tally) -> str:
    rows = []
    for rank, seats in enumerate(tally.rank_seats.tolist()):
        if seats:
            means = (tally.points[rank] / seats).tolist()
            rows.append(f"<th>{rank + 1}</th>" + "".join(f"<td>{mean:.1f}</td>" for mean in means))
    names = [name.replace("_", " ") for name in tally.game.categories]
    return _section("Mean points by rank", ["rank", *names, "total"], rows)


def _section(title: str, head: list[str], rows: list[str], note: str = "") -> str:
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f"<section><h2>{html.escape(title)}</h2>{note}<div class='scroll'><table><thead><tr>{top}</tr></thead>"
        f"<tbody>{body}</tbody></table></div></section>"
    )


def _cell(mean: Mean, words: Callable[[float], str], heat: float, least: int) -> str:
    """A cell, the warmer the higher; `heat` from 0 to 1."""
    if math.isnan(mean.value) or mean.times < least:
        return "<td></td>"
    share = round(100 * min(max(heat, 0.0), 1.0))
    said = words(mean.half) if not math.isnan(mean.half) else "?"
    return f"<td style='--heat:{share}%' title='± {said.lstrip('+')}, {mean.times:,} times'>{words(mean.value)}</td>"


def _sortable(mean: Mean) -> float:
    return -1.0 if math.isnan(mean.value) else mean.value
