"""The table as a picture: one self-contained SVG.

The forum with its four quadrants, then a panel for every seat: the sheet with a box for every space (its cost above,
its effect below, crossed when used), coins, bonuses, special dice, points. From a seat's view its own sheet is large,
with what it may choose, and the others are as they stood at the start of the turn.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.game import CUT_OFF
from antiquity.game.tables import text
from antiquity.render.parts import around, ink_on, points_bar, results, winners
from antiquity.render.reading import points
from antiquity.render.svg import AFTER, LEAST, Canvas, grid, text_width, wrap
from dice_env.actions import cost_of_die, describe, face_name
from dice_env.rules.scoring import CATEGORIES
from dice_env.state import (
    BONUS_ACTIONS,
    DICE,
    DIE_ACTIONS,
    FREE,
    KIND_MASK,
    PASS,
    SPACE_ACTIONS,
    STOP,
    WONDER,
)

from .panels import CATEGORY_COLOURS, Box, Flow, Panels
from .signs import PALETTE, die_fill
from .text import item_words, seen

WIDTH: Final = 1280
_MARGIN: Final = 14
_GAP: Final = 10
_FORUM: Final = 128
_ROOMY: Final = 1000
"""From this width on the whole table lies as it is; in less room fewer things stand side by side."""
_NARROW: Final = 600
_TARGET: Final = 40
"""What fingers can point at."""
_FACES: Final = {"coins7": "7 coins"}
_BROKEN: Final = {"warehouse": "ware- house", "university": "univer- sity", "caduceus": "cadu- ceus"}
"""Where a name may be broken."""


def draw(
    games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None, width: int = WIDTH
) -> str:
    """The table as SVG: as it is now for ``seat=None``, else what that seat sees, with its legal actions marked.

    `width`: of the drawing, laid out so that nothing in it has to be scaled down.
    """
    return _Picture(games, index, tables, seat, width).svg()


class _Picture(Panels):
    def __init__(
        self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None, width: int
    ) -> None:
        super().__init__(games, index, tables, seat)
        shown = seen(games, index, seat)
        self.now: Any = shown[0]
        self.scores = points(shown, 0, tables, len(CATEGORIES))[: self.players]
        self.width, self.narrow = width, width < _NARROW
        self.boxes: list[Box] = []
        top = 56.0 if width >= _ROOMY else 84.0
        self.forum_top = top
        self.forum_tall = self.forum_height()
        top += self.forum_tall + _GAP
        boards = range(len(self.tables["printed"]))
        if seat is not None:
            unit = 41.0 if self.narrow else 42.0
            self.own_flows = [
                Flow(self.blocks(board), width - 2 * _MARGIN - 28, unit, 44, 12) for board in boards
            ]
            self.button_rows = self.placed_buttons(_MARGIN + 14, 0)
            lines = self.button_rows[-1][2] if self.button_rows and width < WIDTH else 0
            self.sheet_top = 110 + lines + (26 if self.narrow else 0)
            self.own_height = self.sheet_top + 2 + max(flow.height for flow in self.own_flows) + 36
        self.own_top = top
        if seat is not None and self.narrow:
            top += self.own_height + 12
        for row in self.rows():
            wide = (width - 2 * _MARGIN - (len(row) - 1) * _GAP) / len(row)
            unit = 21.0 if wide < 500 else 30.0 if wide < 900 else 44.0
            flows = [Flow(self.blocks(board), wide - 24, unit, 30, 10) for board in boards]
            tall = 66 + max(flow.height for flow in flows) + 42
            for place, other in enumerate(row):
                self.boxes.append(Box(other, _MARGIN + place * (wide + _GAP), top, wide, tall, flows))
            top += tall + _GAP
        if seat is not None and not self.narrow:
            self.own_top = top
            top += self.own_height + 8
        self.canvas = Canvas(
            width, top + 4, f"7 Wonders Dice, {self.players} players: {self.headline()}", PALETTE
        )

    def rows(self) -> list[list[int]]:
        """Whose panels lie side by side: those behind, then the neighbours, the left one at the left."""
        own = 0 if self.seat is None else self.seat
        *behind, near = around(self.players, own)
        if self.seat is not None:
            near = [other for other in near if other != own]
            if self.players == 4 and self.width >= _ROOMY:
                return [[near[0], *behind[0], near[1]]]
        rows = [*behind, near]
        if self.narrow:
            return [[other] for row in reversed(rows) for other in row]
        if self.width < _ROOMY:
            return [row[start : start + 2] for row in rows for start in range(0, len(row), 2)]
        return rows

    def svg(self) -> str:
        self.header()
        self.forum(_MARGIN, self.forum_top)
        for box in self.boxes:
            self.player(box)
        if self.seat is not None:
            self.own(_MARGIN, self.own_top)
        return self.canvas.svg()

    # --- the head and the forum ---

    def headline(self) -> str:
        game = self.game
        if game["over"]:
            words = winners(self.scores, int(game["forfeits"]))
            return f"cut off after {int(game['turn'])} turns" if game["over"] == CUT_OFF else words
        deciders = self.deciders()
        if self.seat is not None:
            return self.asked(self.seat) if deciders else "Wait for the others"
        if len(deciders) == self.players:
            return "All seats decide"
        return f"Seat{'s' if len(deciders) > 1 else ''} {', '.join(map(str, deciders))} to decide"

    def asked(self, seat: int) -> str:
        depth = int(self.game["depth"][seat])
        if not depth or not self.game["first_action"][seat]:
            return "Choose a die, the wonder, or pass"
        return "To resolve: " + item_words(self.all_tables, int(self.game["stack"][seat, depth - 1]))

    def header(self) -> None:
        canvas, game = self.canvas, self.game
        size = 18 if self.narrow else 22
        x = _MARGIN + canvas.text(_MARGIN + 2, 36, "7 Wonders Dice", size, bold=True) * (1 + AFTER) + 12
        x += canvas.text(x, 35.5, f"turn {int(game['turn']) + 1}", 15, bold=True) * (1 + AFTER) + 6
        if game["last_turn"] and not game["over"]:
            canvas.chip(x, 20, 84, 22, "last turn", "accent", "on-accent", size=12, bold=True)
            x += 96
        view = (
            "all open"
            if self.seat is None
            else f"seen by seat {self.seat}, others as at the start of the turn"
        )
        if self.width < _ROOMY:
            room = self.width - _MARGIN - x
            view = view.partition(",")[0] if self.narrow else view
            if room > 60:
                canvas.text(self.width - _MARGIN, 35, view, 12, "muted", anchor="end", width=room)
            canvas.text(
                _MARGIN + 2, 66, self.headline(), 15, "accent", bold=True, width=self.width - 2 * _MARGIN
            )
            return
        canvas.text(self.width - _MARGIN, 35, view, 12, "muted", anchor="end")
        room = self.width - _MARGIN - text_width(view, 12) - 20 - x
        canvas.text(x + 6, 35.5, self.headline(), 15, "accent", bold=True, width=room)

    def dice_in(self, quadrant: int) -> list[int]:
        game = self.game
        return [
            die
            for die in range(len(DICE))
            if int(game["forum"]) >> die & 1 and int(game["quadrant"][die]) == quadrant
        ]

    def forum_height(self) -> float:
        """The room for the forum; always the same where the picture has its full width."""
        if not self.narrow:
            return _FORUM
        return sum(self.quadrant_rows(first) for first in (0, 2)) + _GAP

    def quadrant_rows(self, first: int) -> float:
        """The height of two quadrants side by side, two dice in a row."""
        most = max(len(self.dice_in(quadrant)) for quadrant in (first, first + 1))
        return 20 + max(1, -(-most // 2)) * (_TARGET + 4)

    def forum(self, x: float, y: float) -> None:
        """Four quadrants with what a die in them costs, and the dice."""
        canvas = self.canvas
        columns, across = (2, 2) if self.narrow else (4, 3 if self.width >= _ROOMY else 2)
        wide = (self.width - 2 * _MARGIN - (columns - 1) * _GAP) / columns
        high: float = _FORUM
        for quadrant, cost in enumerate(self.tables["quadrant_cost"].tolist()):
            if self.narrow and quadrant % 2 == 0:
                y += high + _GAP if quadrant else 0
                high = self.quadrant_rows(quadrant)
            left = x + quadrant % columns * (wide + _GAP)
            canvas.rect(left, y, wide, high, "panel", "line", radius=10)
            canvas.coin(left + 8, y + 10, 28, cost)
            canvas.text(left + 22, y + 54, "free" if not cost else "coins" if cost > 1 else "coin", 11, "muted",
                        anchor="middle")  # fmt: skip
            dice = self.dice_in(quadrant)
            if not dice:
                canvas.text(left + 52, y + 28, "no die", 12, "muted", italic=True)
            tight = self.width < _ROOMY
            each = (wide - (46 if tight else 66)) / across
            tall = _TARGET if self.narrow else min(48.0, (_FORUM - 20) / max(1, -(-len(dice) // across)) - 4)
            corners = grid(len(dice), across, left + (40 if tight else 50), y + 10, each, tall, 4)
            for die, (at, top) in zip(dice, corners, strict=True):
                self.die(die, at, top, each, tall)

    def die(self, die: int, x: float, y: float, width: float, tall: float) -> None:
        canvas, fill = self.canvas, die_fill(die)
        action = DIE_ACTIONS + die
        able = action in self.legal
        name = face_name(self.all_tables, die, int(self.game["face"][die]))
        words = f"{DICE[die]} die: {name.replace('_', ' ')}"
        if able:
            assert self.seat is not None
            words = describe(self.games, self.index, self.all_tables, self.seat, action)
        with canvas.group([action] if able else [], words):
            edge = "accent" if able else "line"
            canvas.rect(x + 1, y, width - 2, tall, fill, edge, radius=8, line=3 if able else 1)
            shown = _FACES.get(name, name.replace("_", " "))
            fits = text_width(shown, LEAST, True) <= width - 6
            rows = [shown] if fits else wrap(_BROKEN.get(shown, shown), LEAST, width - 6, True)
            for row, part in enumerate(rows):
                base = y + tall / 2 + 4.5 + (row - (len(rows) - 1) / 2) * 13
                canvas.text(
                    x + width / 2, base, part, 12.5, ink_on(fill), anchor="middle", bold=True, width=width - 6
                )
            if able and self.seat is not None:
                stack_top = int(self.game["stack"][self.seat, max(0, int(self.game["depth"][self.seat]) - 1)])
                free = stack_top & KIND_MASK == FREE
                cost = (
                    0 if free else int(cost_of_die(self.games, self.index, self.all_tables, self.seat, die))
                )
                printed = int(self.tables["quadrant_cost"][int(self.game["quadrant"][die])])
                if cost != printed:
                    canvas.coin(x + width - 15, y - 5, 17, cost)

    # --- the seat whose view it is ---

    def own(self, x: float, y: float) -> None:
        assert self.seat is not None
        canvas, seat, width = self.canvas, self.seat, self.width - 2 * _MARGIN
        canvas.panel(x, y, width, self.own_height, marked=seat in self.deciders())
        left, inner = x + 14, width - 28
        self.title(seat, left, y + 26, inner)
        self.stats(seat, left, y + 40, inner)
        if self.game["over"] and self.width < _ROOMY:
            return  # the table of points stands beside the picture
        if self.game["over"]:
            names = [
                f"Seat {s}, {text(self.tables['city'][int(self.now['board'][s])])}"
                for s in range(self.players)
            ]
            results(
                canvas, left, y + 72, inner, names, CATEGORIES, self.scores, int(self.game["forfeits"]),
                CATEGORY_COLOURS, seat,
            )  # fmt: skip
            return
        self.buttons(left, y + 70)
        self.sheet(seat, self.own_flows[int(self.now["board"][seat])], left, y + self.sheet_top)
        points_bar(
            canvas,
            left,
            y + self.own_height - 26,
            inner,
            CATEGORIES,
            self.scores,
            seat,
            CATEGORY_COLOURS,
            60,
        )

    def placed_buttons(self, x: float, y: float) -> list[tuple[int, float, float, float]]:
        """The legal actions that are neither a die nor a space, each with its place and width."""
        found: list[tuple[int, float, float, float]] = []
        at = x
        for action in self.legal:
            if action not in (WONDER, PASS, STOP) and not BONUS_ACTIONS <= action < SPACE_ACTIONS:
                continue
            assert self.seat is not None
            words = describe(self.games, self.index, self.all_tables, self.seat, action)
            wide = min(max(_TARGET, text_width(words, 12.5, True) + 24), self.width - 2 * _MARGIN - 28)
            if self.width < WIDTH and found and at + wide > self.width - _MARGIN - 14:
                at, y = x, y + (_TARGET + 6 if self.narrow else 32)
            found.append((action, at, y, wide))
            at += wide + 8
        return found

    def buttons(self, x: float, y: float) -> None:
        """The buttons, and what is still to be resolved."""
        assert self.seat is not None
        canvas, at = self.canvas, x
        for action, left, top, wide in self.button_rows:
            words = describe(self.games, self.index, self.all_tables, self.seat, action)
            with canvas.group([action], words):
                tall = _TARGET if self.narrow else 26
                canvas.chip(left, y + top, wide, tall, words, "accent", "on-accent", size=12.5, bold=True)
            at = left + wide + 8
        if self.button_rows:
            y += self.button_rows[-1][2]
        if self.narrow:
            at, y = x, y + (_TARGET if self.button_rows else 0)
        depth = int(self.game["depth"][self.seat])
        if depth and self.game["first_action"][self.seat]:
            stack = self.game["stack"][self.seat, :depth][::-1]
            words = "to resolve: " + ", then ".join(item_words(self.all_tables, int(item)) for item in stack)
        elif not self.legal:
            words = "done for this turn"
        else:
            words = "or one of the framed dice above" if self.legal != [PASS] else ""
        canvas.text(
            at + 6, y + 17, words, 13, "muted", italic=True, width=x + self.width - 2 * _MARGIN - 40 - at
        )
