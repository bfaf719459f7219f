"""The printed effects and costs as small signs, read from the tables."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.render.svg import Canvas, text_width
from seven_wonders_env import state as s
from seven_wonders_env.data.tables import pack, subset_counts

PALETTE: Final = {
    "brown": ("#8a5a33", "#8f6039"),
    "grey": ("#6c747c", "#6f7780"),
    "blue": ("#2f6db5", "#3571b8"),
    "yellow": ("#d9a520", "#cf9d1f"),
    "red": ("#b8332b", "#b93a33"),
    "green": ("#2f8048", "#328049"),
    "purple": ("#74459c", "#7c4ea3"),
    "wood": ("#7a4a1e", "#96602c"),
    "stone": ("#6f767d", "#6f767d"),
    "clay": ("#b5502f", "#b85836"),
    "ore": ("#3d434b", "#5d6670"),
    "glass": ("#237f8b", "#237f8b"),
    "loom": ("#8e4f8a", "#9a5a96"),
    "papyrus": ("#85722e", "#85722e"),
}
GOODS: Final = (*s.RAW, *s.MANUFACTURED)
INKS: Final = {"yellow": "black"}
"""Letters on a card of that colour, where they aren't white."""

POWER_WORDS: Final = {
    "build_from_discard": "from discard",
    "play_last_card": "7th card",
    "first_card_of_each_colour_free": "1st of colour free",
    "first_card_of_each_age_free": "1st of Age free",
    "last_card_of_each_age_free": "last of Age free",
}
_SCIENCE_PATHS: Final = {
    "compass": "M8 0 A2 2 0 0 1 9.3 3.6 L14.5 15 L12 16 L8 6.5 L4 16 L1.5 15 L6.7 3.6 A2 2 0 0 1 8 0 Z "
    "M4.8 10 H11.2 V11.8 H4.8 Z",
    "gear": "M6.6 0 H9.4 L9.8 2.2 L11.6 3 L13.4 1.7 L14.9 3.9 L13.7 5.4 L14 7 L16 7.6 V9.6 L13.9 10.2 L13 12 "
    "L14.2 13.8 L12 15.4 L10.4 14 L9 14.4 L8.6 16 H6.4 L6 14.2 L4.2 13.6 L2.4 14.8 L.9 12.4 L2.2 11 L1.8 9.2 L0 8.8 "
    "V6.6 L2 6 L2.8 4.4 L1.6 2.6 L3.8 1.2 L5.2 2.4 L6.4 2 Z M8 5.4 A2.7 2.7 0 1 0 8 10.8 A2.7 2.7 0 1 0 8 5.4 Z",
    "tablet": "M3 1 H7.6 V15 H1 V3 A2 2 0 0 1 3 1 Z M8.4 1 H13 A2 2 0 0 1 15 3 V15 H8.4 Z",
}
_COUNTS = {name: np.asarray(pack(subset_counts([[name]])), "<u8").view("u1") for name in GOODS}
# The subset of one resource alone is the first that contains it.
_ALONE = {name: int(np.flatnonzero(counts)[0]) for name, counts in _COUNTS.items()}

Symbol = tuple[str, ...]
"""What one symbol of production can make: one resource, or several to choose from."""


def symbols(words: Any) -> list[Symbol]:
    """The production of one item, from its ``own`` words."""
    data = np.asarray(words, "<u8").view("u1")
    makes = {name: int(data[place]) for name, place in _ALONE.items() if data[place]}
    for goods, last in ((s.RAW, 15), (s.MANUFACTURED, 23)):
        able = tuple(name for name in goods if name in makes)
        # Several resources from one symbol: a choice. The last subset of a class holds all its resources.
        if len(able) > 1 and int(data[last]) == 1:
            for name in able:
                del makes[name]
            makes["/".join(able)] = 1
    return [tuple(name.split("/")) for name, count in makes.items() for _ in range(count)]


def cost(tables: Any, item: int) -> tuple[list[str], int]:
    """What an item costs: resources, one entry a unit, and coins to the bank."""
    data = np.asarray(tables["need"][item], "<u8").view("u1")
    units = [name for name in GOODS for _ in range(128 - int(data[_ALONE[name]]))]
    return units, int(tables["bank"][item])


def draw_good(canvas: Canvas, x: float, y: float, size: float, name: str) -> None:
    """One resource: a disc for a raw material, a square for a manufactured good, with its initial."""
    half = size / 2
    if name in s.RAW:
        canvas.circle(x + half, y + half, half, name)
    else:
        canvas.rect(x, y, size, size, name, radius=size / 5)
    canvas.text(
        x + half, y + half + size * 0.27, name[0].upper(), size * 0.76, "white", anchor="middle", bold=True
    )


def draw_symbol(canvas: Canvas, x: float, y: float, size: float, symbol: Symbol) -> float:
    """What one symbol makes, choices held together by a frame. Returns the width used."""
    if len(symbol) == 1:
        draw_good(canvas, x, y, size, symbol[0])
        return size
    width = len(symbol) * size + 2
    canvas.rect(x - 1, y - 1.5, width + 2, size + 3, "white", "ink", radius=(size + 3) / 2.4)
    for place, name in enumerate(symbol):
        draw_good(canvas, x + 1 + place * size, y + 0.5, size - 1, name)
    return width


def draw_science(canvas: Canvas, x: float, y: float, size: float, name: str, fill: str = "green") -> None:
    """A scientific symbol; "choice" stands for any of the three."""
    if name == "choice":
        canvas.circle(x + size / 2, y + size / 2, size / 2, fill)
        canvas.text(x + size / 2, y + size * 0.77, "?", size * 0.8, "white", anchor="middle", bold=True)
    else:
        canvas.path(_SCIENCE_PATHS[name], x, y, size / 16, fill)


def draw_points(canvas: Canvas, x: float, y: float, size: float, value: object) -> None:
    """Victory points: a seal with a number."""
    canvas.sign("seal", x, y, size, "points")
    canvas.text(x + size / 2, y + size * 0.73, str(value), size * 0.66, "white", anchor="middle", bold=True)


def draw_cost(canvas: Canvas, x: float, y: float, size: float, tables: Any, item: int) -> float:
    """The cost of an item in a row; nothing where it is free. Returns the width used."""
    units, coins = cost(tables, item)
    at = x
    if coins:
        canvas.coin(at, y, size, coins)
        at += size + 2
    for name in units:
        draw_good(canvas, at, y, size, name)
        at += size + 1.5
    return at - x


def draw_legend(canvas: Canvas, x: float, y: float, width: float) -> float:
    """The goods with their names, in as many rows as they need; returns the height used."""
    at, top, size = x, y, 13.0
    for name in (*s.RAW, *s.MANUFACTURED):
        needed = size + 4 + text_width(name, 11)
        if at > x and at + needed > x + width:
            at, top = x, top + 20
        draw_good(canvas, at, top, size, name)
        canvas.text(at + size + 4, top + 10.5, name, 11, "muted")
        at += needed + 12
    return top + 20 - y


def draw_effects(
    canvas: Canvas,
    x: float,
    y: float,
    size: float,
    tables: Any,
    item: int,
    *,
    brief: bool = False,
    on: str = "",
    room: float = 0,
) -> float:
    """What an item does, in a row.

    Args:
        brief: only what has a sign of its own, for small labels.
        on: colour of the ground, to keep green signs off a green ground.
        room: the width there is, in which words are cut; 0: as much as they need.

    Returns:
        The width used.
    """
    at = x
    for symbol in symbols(tables["own"][item]):
        at += draw_symbol(canvas, at, y, size, symbol) + 3
    if tables["coins"][item]:
        canvas.coin(at, y, size, int(tables["coins"][item]))
        at += size + 3
    if tables["shields"][item]:
        count, fill = int(tables["shields"][item]), "white" if on == "red" else "red"
        if brief and count > 1:
            canvas.text(
                at + size / 2, y + size * 0.82, str(count), size * 0.95, fill, anchor="middle", bold=True
            )
            at, count = at + size * 0.85, 1
        for _ in range(count):
            canvas.sign("shield", at, y, size, fill)
            at += size + 1
        at += 2
    for name, count in zip(s.SCIENCE, tables["science"][item], strict=True):
        for _ in range(int(count)):
            draw_science(
                canvas, at, y, size, name, "white" if on == "green" and name != "choice" else "green"
            )
            at += size + 3
    if tables["vp"][item]:
        if brief:
            canvas.text(
                at + size / 2,
                y + size * 0.82,
                str(int(tables["vp"][item])),
                size * 0.95,
                "white",
                anchor="middle",
                bold=True,
            )
        else:
            draw_points(canvas, at, y, size, int(tables["vp"][item]))
        at += size + 3
    if brief:
        return at - x
    at += draw_discounts(canvas, at, y, size, int(tables["discounts"][item]), tables)
    for field in ("coins_per", "vp_per"):
        at += _draw_per(canvas, at, y, size, tables[field][item], field == "coins_per")
    if tables["vp_complete"][item]:
        draw_points(canvas, at, y, size, int(tables["vp_complete"][item]))
        at += size + 3 + canvas.text(at + size + 3, y + size * 0.75, "if complete", size * 0.66)
    for name, bit in s.POWERS.items():
        if int(tables["powers"][item]) & bit:
            left = max(1.0, x + room - at) if room else 0
            at += canvas.text(at, y + size * 0.75, POWER_WORDS[name], size * 0.66, width=left) + 3
    return at - x


def draw_discounts(canvas: Canvas, x: float, y: float, size: float, bits: int, tables: Any) -> float:
    """For how much less which goods are bought from which neighbour; returns the width used."""
    at = x
    for goods, left, right in (
        (s.RAW, s.RAW_LEFT, s.RAW_RIGHT),
        (s.MANUFACTURED, s.MANUFACTURED_LEFT, s.MANUFACTURED_RIGHT),
    ):
        if not bits & (left | right):
            continue
        if bits & left:
            canvas.sign("left", at, y + 1, size - 2, "ink")
            at += size
        canvas.coin(at, y, size, int(tables["price"][1]))
        at += size + 2
        disc = max(11.0, size * 0.7)  # for a letter
        for name in goods:
            draw_good(canvas, at, y + (size - disc) / 2, disc, name)
            at += disc + 1
        if bits & right:
            canvas.sign("right", at + 2, y + 1, size - 2, "ink")
            at += size
        at += 4
    return at - x


def _draw_per(canvas: Canvas, x: float, y: float, size: float, amounts: Any, coins: bool) -> float:
    """Coins or points for each thing counted, and whose things: the own city's, the left one's, the right one's."""
    amounts = np.asarray(amounts)
    if not amounts.any():
        return 0
    at = x
    if coins:
        canvas.coin(at, y, size, int(amounts.max()))
    else:
        draw_points(canvas, at, y, size, int(amounts.max()))
    at += size + 1
    at += canvas.text(at, y + size * 0.8, "/", size * 0.9) + 1
    small = size * 0.62
    for column in np.flatnonzero(amounts.any(axis=0)):
        name = s.COUNTED[column]
        if name == "wonder_stages":
            canvas.path("M8 1 L16 15 H0 Z", at, y + size * 0.2, small / 16, "ink")
        else:
            canvas.rect(at, y + size * 0.12, small * 0.85, size * 0.78, name, "ink", radius=1.5, line=0.7)
        at += small + 1
    own, left, right = amounts.any(axis=1)
    for used, sign in ((left, "left"), (own, "house"), (right, "right")):
        if used:
            canvas.sign(sign, at + 1, y + size * 0.25, small, "muted")
            at += small + 2
    return at - x + 3
