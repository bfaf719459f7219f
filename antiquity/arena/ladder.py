"""A ladder: successive versions of a policy, played against each other, and the curve of their ratings.

The versions are policy files in one folder, in the order of the numbers in their names (``policy_000.npz``,
``policy_050.npz``); fixed agents such as ``greedy`` keep the scale. Ratings come from one tournament between all of
them, so a version is measured against all that came before and after it, not only against the last.

Versions can be added: the games of each set of versions lie in a results file of their own.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from antiquity.agents import AgentLike
from antiquity.arena.executors import Executor
from antiquity.arena.report import as_html
from antiquity.arena.statistics import Rating, Share
from antiquity.arena.tournament import Observer, Summary, tournament
from antiquity.game import Game, make_game

ANCHORS: Final = ("random", "greedy")
MOST: Final = 12
"""The most versions that are taken: the first, the last, and others evenly spaced between them."""


@dataclass(frozen=True)
class Step:
    """One version of the policy.

    Attributes:
        name: of the version.
        place: the number in its name, or its position in the order.
        rating: by openskill.
        wins: share of wins of its seats at the ladder's tables.
    """

    name: str
    place: int
    rating: Rating
    wins: Share


@dataclass(frozen=True)
class Ladder:
    """What :func:`ladder` returns: the versions in their order, the fixed agents, and the tournament."""

    steps: list[Step]
    anchors: dict[str, Rating]
    summary: Summary


def versions(folder: str | os.PathLike[str], most: int = MOST) -> list[Path]:
    """The policy files of a folder, by the last number in their names, then by name.

    Raises:
        FileNotFoundError: there is no such folder, or no policy file in it.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(f"no folder {folder}")
    found = sorted(folder.glob("*.npz"), key=lambda path: (_number(path.stem), path.stem))
    if not found:
        raise FileNotFoundError(f"{folder} has no policy files (.npz)")
    if most < 2:
        raise ValueError(f"most is {most}; a ladder has two versions or more")
    if len(found) <= most:
        return found
    return [found[round(k * (len(found) - 1) / (most - 1))] for k in range(most)]


def _number(stem: str) -> int:
    numbers = re.findall(r"\d+", stem)
    return int(numbers[-1]) if numbers else -1


def ladder(
    game: str | Game,
    folder: str | os.PathLike[str],
    *,
    anchors: Sequence[AgentLike] = ANCHORS,
    most: int = MOST,
    players: int | None = None,
    deals: int = 200,
    precision: float | None = None,
    seed: int = 0,
    results: str | os.PathLike[str] | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    observer: Observer | None = None,
    **game_options: Any,
) -> Ladder:
    """Play the versions of a policy against each other.

    Args:
        game: a game's name, or a Game.
        folder: of the policy files.
        anchors: fixed agents that take part.
        most: the most versions to take, including the first and the last.
        players: seats at the table; the game's default when None.
        deals, precision, seed, workers, executor, observer, game_options: as in
            :func:`antiquity.arena.tournament.tournament`.
        results: a folder for results files, one for each set of versions; None: none are kept.

    Raises:
        FileNotFoundError: no policy files.
        ImportError: openskill isn't installed.
        ValueError, TypeError: an argument is invalid; the message says why.
    """
    game = make_game(game)
    paths = versions(folder, most)
    entrants = [(path.stem, str(path)) for path in paths]
    path = None
    if results is not None:
        content = hashlib.blake2b(digest_size=6)
        for each in paths:
            content.update(each.name.encode() + each.read_bytes())
        content.update(repr([str(anchor) for anchor in anchors]).encode())
        path = Path(results) / f"ladder-{content.hexdigest()}-{seed}.sqlite"
    summary = tournament(
        game,
        [*entrants, *anchors],
        players=players,
        deals=deals,
        precision=precision,
        seed=seed,
        results=path,
        workers=workers,
        executor=executor,
        observer=observer,
        **game_options,
    )
    if not summary.ratings:
        raise ImportError('a ladder needs openskill: pip install "antiquity[arena]"')
    wins = {each.name: each.wins for each in summary.tables[0].standings}
    steps = [
        Step(name, number if number >= 0 else place, summary.ratings[name], wins[name])
        for place, (name, number) in enumerate((path.stem, _number(path.stem)) for path in paths)
        if name in summary.ratings
    ]
    names = {each.name for each in steps}
    fixed = {name: rating for name, rating in summary.ratings.items() if name not in names}
    return Ladder(steps, fixed, summary)


def plot(found: Ladder) -> Any:
    """The curve as a matplotlib Figure."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError('plots need matplotlib: pip install "antiquity[arena]"') from error
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axis = figure.subplots()
    places = [step.place for step in found.steps]
    mu = [step.rating.mu for step in found.steps]
    low, high = ([step.rating.mu + sign * 2 * step.rating.sigma for step in found.steps] for sign in (-1, 1))
    axis.fill_between(places, low, high, alpha=0.2, color="#33658a")
    axis.plot(places, mu, marker="o", color="#33658a", label="versions of the policy")
    for number, (name, rating) in enumerate(found.anchors.items()):
        axis.axhline(
            rating.mu, color=("#c8553d", "#588b8b", "#f2a541", "#7d5ba6")[number % 4], linestyle="--"
        )
        axis.annotate(name, (1, rating.mu), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    axis.set(
        xlabel="version", ylabel="skill (mu ± 2 sigma)", title=f"{found.summary.title}: self-play history"
    )
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(axis="y", alpha=0.3)
    return figure


def save_plot(found: Ladder, path: str | os.PathLike[str]) -> Path:
    """The curve as a file: ``.png``, ``.svg`` and whatever else matplotlib writes; ``.html``: with all figures."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".html":
        plot(found).savefig(path, dpi=120)
        return path
    text = io.StringIO()
    plot(found).savefig(text, format="svg")
    svg = text.getvalue()
    curve = f"<section><h2>Ratings of the versions</h2>{svg[svg.index('<svg') :]}</section>"
    head, foot = as_html(found.summary).split("<section>", 1)
    path.write_text(f"{head}{curve}<section>{foot}", encoding="utf-8")
    return path
