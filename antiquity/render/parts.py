"""Parts that the pictures of several games have in common: ranks, the bar of points, the table of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from antiquity.render.svg import BASE, Canvas

DARK_LETTERS = ("coin", "yellow", "white", "gold")
"""Fill colours on which text is dark."""


def plot_colours(categories: Mapping[str, str], palette: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The colours of categories, given by their names in a palette, for ``Game.colours``."""
    found = {**BASE, **palette}
    return {category: found[name][0] for category, name in categories.items() if category != "total"}


def around(players: int, below: int = 0) -> list[list[int]]:
    """The seats in rows as they sit around the table, seen from one of them.

    The last row is the left neighbour, at the left, then the seat itself, then the right neighbour; the row before
    it, if there are others, is those who sit behind.
    """
    left, right = (below + 1) % players, (below - 1) % players
    near = [left, below] if players == 2 else [left, below, right]
    behind = [(below + step) % players for step in range(2, players - 1)]
    return [behind, near] if behind else [near]


def ink_on(fill: str) -> str:
    """The colour of text on a fill colour."""
    if fill == "accent":
        return "on-accent"
    return "black" if fill in DARK_LETTERS else "white"


def places(scores: NDArray[Any], forfeits: int) -> list[int]:
    """Ranks as the points stand, from 1; ties share the best rank.

    Args:
        scores: int[seats, categories + 2], the total and the tie-break last.
        forfeits: bits of the seats that rank after all others.
    """
    keys = [(not forfeits >> seat & 1, int(row[-2]), int(row[-1])) for seat, row in enumerate(scores)]
    return [1 + sum(other > key for other in keys) for key in keys]


def winners(scores: NDArray[Any], forfeits: int) -> str:
    """Who has won, in words: ``"Seat 2 wins with 54 points"``."""
    first = [seat for seat, place in enumerate(places(scores, forfeits)) if place == 1]
    names = " and ".join(f"Seat {seat}" for seat in first)
    return f"{names} {'wins' if len(first) == 1 else 'win'} with {int(scores[first[0], -2])} points"


def points_bar(
    canvas: Canvas,
    x: float,
    y: float,
    width: float,
    categories: Sequence[str],
    scores: NDArray[Any],
    seat: int,
    colours: Mapping[str, str],
    most: int,
) -> None:
    """A seat's points by category in one bar, whose length is in proportion to the points.

    Args:
        most: points of a full bar, where nobody has more.
    """
    count = len(categories)
    canvas.rect(x, y, width, 14, "inset", radius=3)
    unit = width / max(most, int(scores[:, :count].clip(0).sum(axis=1).max()))
    for category, value in zip(categories, scores[seat, :count].tolist(), strict=True):
        if value <= 0:
            continue
        fill, wide = colours[category], value * unit
        with canvas.group(hint=f"{category.replace('_', ' ')}: {value}"):
            canvas.rect(x, y, wide, 14, fill)
            if wide > (11 if value < 10 else 15):
                canvas.text(x + wide / 2, y + 11, str(value), 10.5, ink_on(fill), anchor="middle", bold=True)
        x += wide


def results(
    canvas: Canvas,
    x: float,
    y: float,
    width: float,
    names: Sequence[str],
    categories: Sequence[str],
    scores: NDArray[Any],
    forfeits: int,
    colours: Mapping[str, str],
    marked: int | None,
) -> None:
    """The points of all seats by category, the winner first; 18.5 units of height per seat, and 22 for the heading."""
    order = places(scores, forfeits)
    columns = [*categories, "total"]
    left, wide = x + 220, (width - 224) / len(columns)
    for place, name in enumerate(columns):
        fill = colours.get(name, "points")
        words = name.replace("_", " ")
        canvas.chip(left + place * wide + 3, y, wide - 6, 18, words, fill, ink_on(fill), size=11.5, bold=True)
    for row, seat in enumerate(sorted(range(len(scores)), key=lambda seat: (order[seat], seat))):
        base = y + 34 + row * 18.5
        canvas.text(x + 4, base, f"{order[seat]}.  {names[seat]}", 13, bold=seat == marked, width=212)
        for place in range(len(columns)):
            value, bold = str(int(scores[seat, place])), place == len(columns) - 1
            canvas.text(left + (place + 0.5) * wide, base, value, 13, anchor="middle", bold=bold)
