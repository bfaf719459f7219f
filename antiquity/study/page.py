"""A replay as one self-contained HTML page: no server, nothing loaded from anywhere.

The page shows the table step by step, from each seat's view or with all open, with what was chosen and what else was
legal, and the points over time. Its address with ``#step=12&view=0`` opens that step and view.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.batch import Batch, replacing
from antiquity.game import Game
from antiquity.render.svg import ROOMS
from antiquity.study.analysis import Analysis
from antiquity.study.replay import Position, Replay

ALL = "all"
"""The view with everything open."""
_PIECES = re.compile(r"(?<=>)(?=<)|(?<=\n)")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def write_page(
    replay: Replay,
    path: str | os.PathLike[str],
    *,
    views: Sequence[int | None] | None = None,
    analysis: Analysis | None = None,
) -> Path:
    """Write :func:`replay_page` to a file; it appears whole or not at all."""
    target = Path(path)
    text = replay_page(replay, views=views, analysis=analysis)
    with replacing(target) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")
    return target


def replay_page(
    replay: Replay, *, views: Sequence[int | None] | None = None, analysis: Analysis | None = None
) -> str:
    """The page as text.

    Args:
        replay: what to show; it is checked against the rules on the way.
        views: the seats whose view is offered, None for all open; by default all open and every seat. What none of
            them sees is not in the page.
        analysis: of this game; it can be switched off in the page.

    Raises:
        ValueError: the replay doesn't fit the rules, or there is no such seat.
    """
    seats = [None, *range(replay.num_players)] if views is None else list(views)
    strange = [seat for seat in seats if seat is not None and not 0 <= seat < replay.num_players]
    if strange or not seats:
        raise ValueError(
            f"views are seats from 0 to {replay.num_players - 1}, or None for all open, not {seats}"
        )
    packed = gzip.compress(
        json.dumps(_data(replay, seats, analysis), separators=(",", ":")).encode(), mtime=0
    )
    title = f"{replay.game.title}: replay"
    script = read_asset("replay.js")
    return fill(
        read_asset("replay.html"),
        title=html.escape(title),
        policy=policy(script),
        style=read_asset("page.css") + read_asset("replay.css"),
        script=script,
        data=base64.b64encode(packed).decode(),
    )


def read_asset(name: str, package: str = "antiquity.study") -> str:
    """A file that lies in the folder ``data`` of a package."""
    return (files(package) / "data" / name).read_text(encoding="utf-8")


def fill(template: str, **parts: str) -> str:
    """Replace each ``{{name}}`` with its part."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], template)


def policy(script: str, connect: str = "'none'") -> str:
    """A Content-Security-Policy that runs this script alone and loads nothing."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )


def picture(game: Game, batch: Batch, seat: int | None, room: int | None = None) -> str:
    """The table as one seat sees it, or (None) all of it: SVG if the game has pictures, else plain text.

    `room`: its width in CSS pixels, where the game lays it out for that; None: full width.
    """
    if game.draw_at is not None and room is not None:
        fitting = [width for width in ROOMS if width <= room]
        return game.draw_at(batch.games, 0, batch.tables, seat, fitting[-1] if fitting else ROOMS[0])
    if game.draw is not None:
        return game.draw(batch.games, 0, batch.tables, seat)
    return _ANSI.sub("", batch.render(0, seat))


def open_words(batch: Batch, seat: int, action: int) -> str:
    """What the others see of an action."""
    game = batch.game
    if game.describe_openly is not None:
        return game.describe_openly(batch.games, 0, batch.tables, seat, action)
    return batch.describe(0, seat, action)


def unseen_choices(replay: Replay) -> dict[int, list[tuple[int, str]]]:
    """The steps whose choices the other seats do not see before a later one: each one's seats and words.

    Empty for games in which every decision is revealed as soon as all have chosen (``Game.revealed_with``).
    """
    name = replay.game.revealed_with
    found: dict[int, list[tuple[int, str]]] = {}
    if not name:
        return found
    before, latest = None, [(0, "")]
    for position in replay.positions():
        record = position.batch.games[0]
        moment = None if record["over"] else int(record[name])
        if moment is not None and moment == before:
            found[position.step - 1] = latest
        before = moment
        latest = [
            (choice.seat, open_words(position.batch, choice.seat, choice.action))
            for choice in position.choices
        ]
    return found


def revealed_with(unseen: Mapping[int, list[tuple[int, str]]], step: int) -> list[tuple[int, str]]:
    """What was chosen in secret in earlier steps and is revealed together with the choices of a step."""
    if step in unseen:
        return []
    first = step
    while first - 1 in unseen:
        first -= 1
    return [choice for earlier in range(first, step) for choice in unseen[earlier]]


def _data(replay: Replay, seats: Sequence[int | None], analysis: Analysis | None) -> dict[str, Any]:
    game = replay.game
    pieces: dict[str, int] = {}
    names = {seat: ALL if seat is None else str(seat) for seat in seats}
    # A drawing for a small window and one for others: each room more makes the page larger by half.
    rooms = (ROOMS[0], ROOMS[2]) if game.draw_at is not None else (0,)
    frames: dict[str, list[list[int]]] = {f"{name} {room}": [] for name in names.values() for room in rooms}
    counts: dict[str, int] = {}
    points: dict[str, list[int]] = {name: [] for name in names.values()}
    steps = []
    headings: list[str] = []
    ranks: list[int] = []
    for position in replay.positions():
        for seat, name in names.items():
            for room in rooms:
                parts = _PIECES.split(picture(game, position.batch, seat, room or None))
                frames[f"{name} {room}"].append([pieces.setdefault(part, len(pieces)) for part in parts])
            count = json.dumps(_points(position, seat).tolist())
            points[name].append(counts.setdefault(count, len(counts)))
        steps.append(_choices(position, seats))
        headings.append(game.heading(position.batch.games, 0))
        ranks = position.batch.ranks()[0].tolist()
    changed = {
        name: value
        for name, value in replay.options.items()
        if name not in {option.name for option in game.options} or value != game.option(name).default
    }
    return {
        "players": replay.num_players,
        # From the seed anybody could deal the game again, and look at every hand.
        "seed": str(replay.seed) if None in seats else "",
        "options": ", ".join(f"{name}={value}" for name, value in changed.items()) or "ordinary rules",
        "agents": list(replay.agents),
        "columns": [*game.categories, "total", "tie-break"],
        "views": list(names.values()),
        "drawn": game.draw is not None,
        "end": replay.end,
        "branch": replay.branch,
        "ranks": ranks,
        "pieces": list(pieces),
        "rooms": rooms,
        "frames": frames,
        "counts": [json.loads(count) for count in counts],
        "points": points,
        "counted": game.seen_scores is None,
        "unseen": sorted(unseen_choices(replay)),
        "steps": steps,
        "headings": headings,
        "analysis": None if analysis is None else _analysed(analysis, seats),
    }


def _analysed(analysis: Analysis, seats: Sequence[int | None]) -> dict[str, Any]:
    """What the seats in view know of an analysis: what another seat thinks tells what it holds."""
    shown = [seat for seat in range(len(analysis.names)) if None in seats or seat in seats]
    return {
        "agent": analysis.agent,
        "simulations": analysis.simulations,
        "decisions": [asdict(each) for each in analysis.decisions if each.seat in shown],
        "chances": [
            [row[seat] if seat in shown else None for seat in range(len(row))] for row in analysis.chances
        ],
    }


def _points(position: Position, seat: int | None) -> NDArray[np.int32]:
    """int32[S, categories + 2]: the points as a seat can count them, or (None) all of them."""
    batch = position.batch
    if seat is None or batch.game.seen_scores is None:
        return position.scores
    return batch.game.seen_scores(batch.games, 0, batch.tables, seat)[: batch.num_seats]


def _choices(position: Position, seats: Sequence[int | None]) -> list[dict[str, Any]]:
    found = []
    for choice in position.choices:
        entry: dict[str, Any] = {
            "seat": choice.seat,
            "open": open_words(position.batch, choice.seat, choice.action),
            "illegal": choice.illegal,
        }
        if None in seats or choice.seat in seats:
            legal = position.legal.get(choice.seat, ())
            entry |= {
                "action": choice.action,
                "words": choice.words,
                "price": "" if choice.illegal else position.batch.price(0, choice.seat, choice.action),
                "legal": [
                    [
                        action,
                        position.words(choice.seat, action),
                        position.batch.price(0, choice.seat, action),
                    ]
                    for action in legal
                ],
            }
        found.append(entry)
    return found
