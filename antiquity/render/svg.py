"""Helpers for drawing a table as SVG: a canvas, text that fits, chips, panels, signs, a light and a dark theme.

A drawing is one self-contained SVG. Colours are names (``"ink"``, ``"panel"``, those of the game), written as classes
``f-<name>`` (fill) and ``s-<name>`` (stroke) over CSS variables ``--aq-<name>``. The theme follows
``prefers-color-scheme``; the class ``light`` or ``dark`` on the root ``<svg class="aq">`` fixes it.

Groups that stand for something to choose carry ``data-actions="12 13"``, the numbers of legal actions.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

THEMES = ("light", "dark")
ROOMS = (360, 720, 1040, 1280)
"""The widths, in CSS pixels, for which games lay out their pictures (``Game.draw_at``)."""
LEAST = 11
"""The size of the smallest letters, in units of the drawing."""
AFTER = 0.22
"""How much wider than reckoned bold text may be in another font: what follows it stands so much further right."""
FONT = "Arial, 'Liberation Sans', Helvetica, 'DejaVu Sans', sans-serif"
BASE: Mapping[str, tuple[str, str]] = {
    "ground": ("#efe8da", "#14161a"),
    "panel": ("#fffdf7", "#20242b"),
    "inset": ("#f5efe2", "#2a2f38"),
    "ink": ("#25211b", "#f0ebe0"),
    "muted": ("#6f6656", "#a7a194"),
    "line": ("#d6ccb8", "#3d434e"),
    "accent": ("#b1470f", "#ffab57"),
    "on-accent": ("#ffffff", "#1d1206"),
    "white": ("#ffffff", "#ffffff"),
    "black": ("#1b1b1b", "#1b1b1b"),
    "points": ("#8a2c57", "#b8487c"),
    "coin": ("#e3b23c", "#e3b23c"),
    "coin-edge": ("#8f6a12", "#8f6a12"),
    "seat0": ("#b8332b", "#e2665c"),
    "seat1": ("#2f6db5", "#5c9be6"),
    "seat2": ("#2f8048", "#4fb36f"),
    "seat3": ("#b27a08", "#e3a52e"),
    "seat4": ("#7a4fb0", "#c3a2f2"),
    "seat5": ("#008b8b", "#56d2d2"),
    "seat6": ("#b03a76", "#f08fbd"),
}
"""Colours of every drawing: name -> (light, dark). Those of the seats are the pages' too (``data/page.css``)."""

SIGNS: Mapping[str, str] = {
    "shield": "M8 1 L14 3 V8 C14 12 11 14 8 15.5 C5 14 2 12 2 8 V3 Z",
    "star": "M8 .8 L10.2 5.6 L15.4 6.2 L11.5 9.7 L12.6 14.9 L8 12.3 L3.4 14.9 L4.5 9.7 L.6 6.2 L5.8 5.6 Z",
    "sun": "M8 0 L9.6 3.6 L13.7 2.3 L12.4 6.4 L16 8 L12.4 9.6 L13.7 13.7 L9.6 12.4 L8 16 L6.4 12.4 L2.3 13.7 "
    "L3.6 9.6 L0 8 L3.6 6.4 L2.3 2.3 L6.4 3.6 Z",
    "moon": "M11.5 1 A7.5 7.5 0 1 0 15 11.5 A6 6 0 0 1 11.5 1 Z",
    "right": "M1 6 H9 V2 L15.5 8 L9 14 V10 H1 Z",
    "left": "M15 6 H7 V2 L.5 8 L7 14 V10 H15 Z",
    "both": "M0 8 L5 2.5 V6 H11 V2.5 L16 8 L11 13.5 V10 H5 V13.5 Z",
    "check": "M1.5 8.5 L4 6 L6.8 9 L12.5 2.5 L15 5 L6.8 13.5 Z",
    "cross": "M3.5 1 L8 5.5 L12.5 1 L15 3.5 L10.5 8 L15 12.5 L12.5 15 L8 10.5 L3.5 15 L1 12.5 L5.5 8 L1 3.5 Z",
    "person": "M8 .5 A3 3 0 0 1 10 5.8 C13 6.5 15 8 15 9.5 L11.5 10 L14 15.5 H9.5 L8 12.5 L6.5 15.5 H2 L4.5 10 "
    "L1 9.5 C1 8 3 6.5 6 5.8 A3 3 0 0 1 8 .5 Z",
    "drop": "M8 .5 C10.5 4.5 13 7 13 10.2 A5 5 0 0 1 3 10.2 C3 7 5.5 4.5 8 .5 Z",
    "hex": "M4.5 1.5 H11.5 L15.5 8 L11.5 14.5 H4.5 L.5 8 Z",
    "house": "M8 1 L15.5 7.5 H13.3 V15 H2.7 V7.5 H.5 Z",
    "seal": "M8.0 0.0 L10.0 1.7 L12.7 1.5 L13.3 4.1 L15.6 5.5 L14.6 8.0 L15.6 10.5 L13.3 11.9 L12.7 14.5 L10.0 14.3 "
    "L8.0 16.0 L6.0 14.3 L3.3 14.5 L2.7 11.9 L0.4 10.5 L1.4 8.0 L0.4 5.5 L2.7 4.1 L3.3 1.5 L6.0 1.7 Z",
}
"""Paths in a box of 16 x 16."""

# Widths of Helvetica's letters in thousandths of the size, by group.
_WIDTHS = {
    "ijl|'": 222, ".,:;!/ft[]I ": 280, "r()-`": 333, "\"*": 370, "ckszvxyJ": 500, "FTLZ": 600,
    "abdeghnopqu0123456789?_$#+<>=": 570, "ABEKPSVXY&": 667, "CDHNRUw": 722, "GOQ": 778, "Mm": 833,
    "%": 889, "W@—…": 944, "·": 300,
}  # fmt: skip
_WIDTH = {letter: width / 1000 for letters, width in _WIDTHS.items() for letter in letters}


def number(value: float) -> str:
    """A coordinate, as short as it can be."""
    return f"{value:.1f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The approximate width of a text: by the widths of Helvetica, with a little to spare."""
    return sum(_WIDTH.get(letter, 0.62) for letter in text) * size * (1.1 if bold else 1.03)


class Canvas:
    """A drawing that is being made.

    Args:
        width, height: of the view box; text is legible where the drawing is shown at this width.
        label: what the picture shows, for those who can't see it.
        palette: the game's colours: name -> (light, dark).
    """

    def __init__(
        self, width: float, height: float, label: str, palette: Mapping[str, tuple[str, str]] | None = None
    ) -> None:
        self.width, self.height, self.label = width, height, label
        self.palette = {**BASE, **(palette or {})}
        self._parts: list[str] = []
        self._fills: set[str] = set()
        self._strokes: set[str] = set()

    def _paint(self, fill: str | None, stroke: str | None, width: float, opacity: float = 1) -> str:
        for name, used in ((fill, self._fills), (stroke, self._strokes)):
            if name is not None:
                if name not in self.palette:
                    raise KeyError(f"no colour is called {name!r}; there are {', '.join(self.palette)}")
                used.add(name)
        classes = ([f"f-{fill}"] if fill else []) + ([f"s-{stroke}"] if stroke else [])
        rest = "" if fill else ' fill="none"'
        if stroke and width != 1:
            rest += f' stroke-width="{number(width)}"'
        if opacity != 1:
            rest += f' opacity="{opacity:g}"'
        return (f' class="{" ".join(classes)}"' if classes else "") + rest

    def raw(self, part: str) -> None:
        """Add markup as it is."""
        self._parts.append(part)

    @contextmanager
    def group(self, actions: Sequence[int] = (), hint: str = "", opacity: float = 1) -> Iterator[None]:
        """What is drawn inside belongs together; `actions` can be chosen there, `hint` shows under the pointer."""
        self._parts.append("<g")
        if actions:
            self._parts.append(f' data-actions="{" ".join(map(str, actions))}"')
        if opacity != 1:
            self._parts.append(f' opacity="{opacity:g}"')
        self._parts.append(">" + (f"<title>{html.escape(hint, quote=False)}</title>" if hint else ""))
        yield
        self._parts.append("</g>")

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str | None = "panel",
        stroke: str | None = None,
        *,
        radius: float = 0,
        line: float = 1,
        opacity: float = 1,
        dashed: bool = False,
    ) -> None:
        """A rectangle, with round corners if asked for."""
        corner = f' rx="{number(radius)}"' if radius else ""
        dashes = ' stroke-dasharray="3 3"' if dashed else ""
        self._parts.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"{corner}{dashes}'
            f"{self._paint(fill, stroke, line, opacity)}/>"
        )

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str | None = "panel",
        stroke: str | None = None,
        *,
        line: float = 1,
        opacity: float = 1,
    ) -> None:
        """A circle around (x, y)."""
        self._parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
            f"{self._paint(fill, stroke, line, opacity)}/>"
        )

    def line(
        self, x: float, y: float, to_x: float, to_y: float, stroke: str = "line", line: float = 1
    ) -> None:
        """A straight line."""
        self._parts.append(
            f'<line x1="{number(x)}" y1="{number(y)}" x2="{number(to_x)}" y2="{number(to_y)}"'
            f"{self._paint(None, stroke, line)}/>"
        )

    def path(
        self,
        path: str,
        x: float = 0,
        y: float = 0,
        scale: float = 1,
        fill: str | None = "ink",
        stroke: str | None = None,
        *,
        line: float = 1,
        opacity: float = 1,
    ) -> None:
        """A path, moved to (x, y) and scaled."""
        place = f' transform="translate({number(x)} {number(y)})'
        place += f' scale({scale:.3g})"' if scale != 1 else '"'
        self._parts.append(f'<path d="{path}"{place}{self._paint(fill, stroke, line, opacity)}/>')

    def sign(
        self, name: str, x: float, y: float, size: float, fill: str = "ink", stroke: str | None = None
    ) -> None:
        """A sign of :data:`SIGNS` with its corner at (x, y)."""
        self.path(SIGNS[name], x, y, size / 16, fill, stroke)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 12,
        fill: str = "ink",
        *,
        anchor: str = "start",
        bold: bool = False,
        width: float = 0,
        italic: bool = False,
    ) -> float:
        """A line of text on the base line y; made smaller, then cut, where it would be wider than `width`.

        No letter is smaller than :data:`LEAST`.

        Returns:
            Its approximate width.
        """
        size = max(size, LEAST)
        wide = text_width(text, size, bold)
        squeeze = ""
        if width and wide > width * 0.9:
            size = max(LEAST, size * 0.82, size * min(1.0, width / wide))
            while len(text) > 1 and text_width(text, size, bold) > width + 0.01:  # it fits but for rounding
                text = text.rstrip("…")[:-1].rstrip() + "…"
            wide = text_width(text, size, bold)
            # In a font with wider letters it still has to fit.
            squeeze = f' textLength="{number(min(wide, width))}" lengthAdjust="spacingAndGlyphs"'
        style = ' font-weight="bold"' if bold else ""
        style += ' font-style="italic"' if italic else ""
        style += f' text-anchor="{anchor}"' if anchor != "start" else ""
        self._parts.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{style}{squeeze}'
            f"{self._paint(fill, None, 0)}>{html.escape(text, quote=False)}</text>"
        )
        return wide

    def lines(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        width: float,
        count: int,
        fill: str = "ink",
        **style: Any,
    ) -> int:
        """A text over at most `count` lines; returns how many it took."""
        rows = wrap(words, size, width, bool(style.get("bold")))
        if len(rows) > count:
            rows = [*rows[: count - 1], " ".join(rows[count - 1 :])]
        for place, row in enumerate(rows):
            self.text(x, y + place * size * 1.22, row, size, fill, width=width, **style)
        return len(rows)

    def chip(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        text: str,
        fill: str,
        ink: str = "white",
        *,
        size: float = 11,
        bold: bool = False,
        anchor: str = "middle",
        stroke: str | None = None,
        edge: float = 4,
    ) -> None:
        """A coloured label; `edge`: the room left and right of its text."""
        self.rect(x, y, width, height, fill, stroke, radius=min(4, height / 3))
        at = x + width / 2 if anchor == "middle" else x + 6
        self.text(
            at,
            y + height / 2 + size * 0.36,
            text,
            size,
            ink,
            anchor=anchor,
            bold=bold,
            width=width - 2 * edge,
        )

    def coin(self, x: float, y: float, size: float, value: object = "") -> None:
        """A coin with its corner at (x, y)."""
        half = size / 2
        self.circle(x + half, y + half, half - 0.6, "coin", "coin-edge", line=1.2)
        if str(value):
            self.text(
                x + half, y + half + size * 0.25, str(value), size * 0.68, "black", anchor="middle", bold=True
            )

    def shield(self, x: float, y: float, size: float, fill: str, value: object = "") -> None:
        """A shield with a number."""
        self.sign("shield", x, y, size, fill)
        if str(value):
            self.text(
                x + size / 2, y + size * 0.7, str(value), size * 0.62, "white", anchor="middle", bold=True
            )

    def panel(self, x: float, y: float, width: float, height: float, *, marked: bool = False) -> None:
        """A panel on the table; marked for a seat that decides."""
        self.rect(
            x, y, width, height, "panel", "accent" if marked else "line", radius=10, line=2.5 if marked else 1
        )

    def svg(self) -> str:
        """The whole drawing."""
        names = [name for name in self.palette if name in self._fills | self._strokes | {"ground", "ink"}]

        def values(theme: int) -> str:
            return ";".join(f"--aq-{name}:{self.palette[name][theme]}" for name in names)

        light, dark = values(0), values(1)
        rules = "".join(f".aq .f-{name}{{fill:var(--aq-{name})}}" for name in names if name in self._fills)
        rules += "".join(
            f".aq .s-{name}{{stroke:var(--aq-{name})}}" for name in names if name in self._strokes
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="aq" viewBox="0 0 {number(self.width)} '
            f'{number(self.height)}" width="{number(self.width)}" height="{number(self.height)}" role="img" '
            f'aria-label="{html.escape(self.label)}" font-family="{FONT}" style="max-width:100%;height:auto">'
            f"<style>.aq{{{light}}}"
            f"@media (prefers-color-scheme:dark){{.aq{{{dark}}}}}"
            f".aq.light{{{light}}}.aq.dark{{{dark}}}.aq .f-ground{{fill:var(--aq-ground)}}{rules}</style>"
            f'<rect class="f-ground" width="{number(self.width)}" height="{number(self.height)}"/>'
            f"{''.join(self._parts)}</svg>"
        )


def wrap(words: str, size: float, width: float, bold: bool = False) -> list[str]:
    """A text broken at spaces into lines of at most `width`, where words are short enough."""
    rows: list[str] = []
    for word in words.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and text_width(longer, size, bold) <= width:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


def grid(
    count: int, columns: int, left: float, top: float, width: float, height: float, gap: float
) -> Iterable[tuple[float, float]]:
    """Corners of `count` boxes, row after row."""
    for place in range(count):
        row, column = divmod(place, columns)
        yield left + column * (width + gap), top + row * (height + gap)


def with_theme(svg: str, theme: str) -> str:
    """The drawing with a fixed theme, whatever the reader's screen is set to."""
    if theme not in THEMES:
        raise ValueError(f"theme must be one of {', '.join(THEMES)}, not {theme!r}")
    return svg.replace('class="aq"', f'class="aq {theme}"', 1)


def resolved(svg: str, theme: str) -> str:
    """The drawing with all variables replaced by one theme's colours, for renderers without CSS variables."""
    if theme not in THEMES:
        raise ValueError(f"theme must be one of {', '.join(THEMES)}, not {theme!r}")
    found = re.search(rf"\.aq\.{theme}\{{([^}}]*)\}}", svg)
    if found is None:
        return svg
    colours = dict(part.split(":", 1) for part in found[1].split(";"))
    start, end = svg.index("<style>"), svg.index("</style>")
    rules = "".join(re.findall(r"\.aq \.[fs]-[^{]*\{[^}]*\}", svg[start:end]))
    rules = re.sub(r"var\((--aq-[a-z0-9-]+)\)", lambda match: colours[match[1]], rules)
    return svg[: start + len("<style>")] + rules + svg[end:]
