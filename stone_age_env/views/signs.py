"""The small drawings of cards and goods: a good as a token, the upper and the lower half of a card."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.render.parts import ink_on
from antiquity.render.svg import Canvas
from stone_age_env.actions import card_name
from stone_age_env.data.checks import TOPS
from stone_age_env.state import (
    NO_CARD,
    PERSONS,
    RESOURCES,
    SYMBOLS,
)

WIDTH: Final = 1280
MARGIN: Final = 14
GAP: Final = 10
PERSON_FILLS: Final = ("food", "tool", "clay", "stone")


class Signs:
    """Draws cards and goods; the panels that extend it say where."""

    canvas: Canvas
    tile: float
    """The width of a place."""
    tables: Any
    all_tables: np.ndarray

    def token(self, x: float, y: float, size: float, good: str) -> None:
        """A good: a leaf for food, a block for a resource."""
        if good == "food":
            self.canvas.sign("drop", x, y, size, "food")
        else:
            self.canvas.rect(x, y, size, size, good, "line", radius=size / 5)
            self.canvas.text(
                x + size / 2,
                y + size * 0.76,
                good[0].upper(),
                size * 0.72,
                ink_on(good),
                anchor="middle",
                bold=True,
            )

    def top(self, card: int, x: float, y: float) -> None:
        """The upper half of a card: what it brings at once."""
        canvas, table = self.canvas, self.tables
        kind = TOPS[int(table["top"][card])]
        what, number = int(table["top_what"][card]), int(table["top_n"][card])
        words = card_name(self.all_tables, card).split(" / ")[0]
        at = x
        if kind in ("food", "resource"):
            good = "food" if kind == "food" else RESOURCES[what]
            self.token(at, y, 20, good)
            at += 25
            words = f"{number} {good}"
        elif kind == "points":
            canvas.sign("seal", at, y, 21, "points")
            canvas.text(at + 10.5, y + 15.5, str(number), 13, "white", anchor="middle", bold=True)
            at += 26
            words = "points"
        elif kind in ("tool", "one_use_tool"):
            canvas.chip(at, y, 24, 20, "+1" if kind == "tool" else str(what), "tool", size=12, bold=True)
            at += 29
            words = "tool" if kind == "tool" else "tool, once"
        elif kind in ("lottery", "dice_resource"):
            canvas.rect(at, y, 20, 20, "white", "ink", radius=4)
            for across, down in ((5, 5), (15, 5), (10, 10), (5, 15), (15, 15)):
                canvas.circle(at + across, y + down, 1.8, "black")
            at += 25
            if kind == "dice_resource":
                self.token(at, y, 18, RESOURCES[what])
                at += 22
                words = "2 dice"
        elif kind == "agriculture":
            canvas.chip(at, y, 24, 20, "+1", "food", size=12, bold=True)
            at += 29
        canvas.text(at, y + 15, words, 12.5, width=x + self.tile - 18 - at)

    def bottom(self, card: int, x: float, y: float) -> None:
        """The lower half of a card: what it counts for at the end."""
        canvas, table = self.canvas, self.tables
        if int(table["symbol"][card]) != NO_CARD:
            canvas.chip(
                x, y, self.tile - 18, 20, SYMBOLS[int(table["symbol"][card])], "culture", size=12, bold=True
            )
            return
        person, number = int(table["person"][card]), int(table["figures"][card])
        words = f"{number} {PERSONS[person]}{'s' if number > 1 else ''}"
        canvas.chip(x, y, self.tile - 18, 20, words, PERSON_FILLS[person], size=12, bold=True)
