"""Pictures in notebooks: a cell that ends with an environment, or with ``picture(batch, 3)``, shows the table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.render.modes import Shown
from antiquity.render.pixels import to_png, to_rgb
from antiquity.render.svg import ROOMS, with_theme

CELL: Final = ROOMS[1]
"""The room for which a game is drawn: a cell is 700 to 900 pixels wide."""


class Picture:
    """A drawing that a notebook shows, and that can be saved.

    Attributes:
        svg: the drawing itself.
    """

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} characters of SVG>"

    def rgb(self, *, width: int | None = None, theme: str = "light") -> NDArray[np.uint8]:
        """The pixels, uint8[height, width, 3] (see :func:`antiquity.render.pixels.to_rgb`)."""
        return to_rgb(self.svg, width=width, theme=theme)

    def save(
        self, path: str | os.PathLike[str], *, width: int | None = None, theme: str | None = None
    ) -> Path:
        """Write it to a file.

        Args:
            path: ends with ``.svg`` or ``.png``.
            width: pixels of a PNG.
            theme: ``"light"`` or ``"dark"``; None: light for a PNG, the reader's own for an SVG.

        Raises:
            ValueError: another kind of file, or no such theme.
        """
        target = Path(path)
        if target.suffix == ".svg":
            target.write_text(self.svg if theme is None else with_theme(self.svg, theme), encoding="utf-8")
        elif target.suffix == ".png":
            target.write_bytes(to_png(self.svg, width=width, theme=theme or "light"))
        else:
            raise ValueError(f"{target.name}: a picture is saved as .svg or .png")
        return target


def picture(batch: Shown, index: int = 0, seat: int | None = None) -> Picture:
    """The table of one game of a batch: as one seat sees it, or (None) all open, laid out for a cell of a notebook."""
    return Picture(_drawn(batch, index, seat))


def _drawn(batch: Shown, index: int, seat: int | None) -> str:
    game = batch.game
    if game.draw_at is None:
        return batch.draw(index, seat)
    return game.draw_at(batch.games, index, batch.tables, seat, CELL)


def mimebundle(batch: Shown, text: str) -> dict[str, Any]:
    """What a notebook shows for an environment: the picture where there is one, and `text` where it can't be shown."""
    bundle = {"text/plain": text}
    if batch.begun and batch.game.draw is not None:
        bundle["image/svg+xml"] = _drawn(batch, 0, None)
    return bundle
