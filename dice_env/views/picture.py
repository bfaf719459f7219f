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
from antiquity.render.parts import ink_on, points_bar, results, winners
from antiquity.render.reading import points
from antiquity.render.svg import Canvas, grid, text_width
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

from .panels import CATEGORY_COLOURS, Flow, Panels
from .signs import PALETTE, die_fill
from .text import item_words, seen

WIDTH: Final = 1280
_MARGIN: Final = 14
_GAP: Final = 10
_FORUM: Final = 128
_FACES: Final = {"coins7": "7 coins"}


def draw(games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None) -> str:
    """The table as SVG: as it is now for ``seat=None``, else what that seat sees, with its legal actions marked."""
    return _Picture(games, index, tables, seat).svg()


class _Picture(Panels):
    def __init__(self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> None:
        super().__init__(games, index, tables, seat)
        shown = seen(games, index, seat)
        self.now: Any = shown[0]
        self.scores = points(shown, 0, tables, len(CATEGORIES))[: self.players]
        self.panels = [other for other in range(self.players) if other != seat]
        count = len(self.panels)
        columns = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3, 7: 4}[count]
        rows = -(-count // columns)
        self.panel_width = (WIDTH - 2 * _MARGIN - (columns - 1) * _GAP) / columns
        unit = 21.0 if columns > 2 else 30.0 if columns == 2 else 44.0
        self.flows = [
            Flow(self.blocks(board), self.panel_width - 24, unit, 30, 10)
            for board in range(len(self.tables["printed"]))
        ]
        self.panel_height = 66 + max(flow.height for flow in self.flows) + 42
        top = 56 + _FORUM + _GAP
        self.below = top + rows * (self.panel_height + _GAP)
        height = self.below + 4
        if seat is not None:
            self.own_flows = [
                Flow(self.blocks(board), WIDTH - 2 * _MARGIN - 28, 42, 44, 12)
                for board in range(len(self.tables["printed"]))
            ]
            self.own_height = 112 + max(flow.height for flow in self.own_flows) + 36
            height = self.below + self.own_height + 12
        self.canvas = Canvas(
            WIDTH, height, f"7 Wonders Dice, {self.players} players: {self.headline()}", PALETTE
        )
        self.corners = list(grid(count, columns, _MARGIN, top, self.panel_width, self.panel_height, _GAP))

    def svg(self) -> str:
        self.header()
        self.forum(_MARGIN, 56)
        for seat, (x, y) in zip(self.panels, self.corners, strict=True):
            self.player(seat, x, y)
        if self.seat is not None:
            self.own(_MARGIN, self.below)
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
        x = _MARGIN + canvas.text(_MARGIN + 2, 36, "7 Wonders Dice", 22, bold=True) + 34
        x += canvas.text(x, 35.5, f"turn {int(game['turn']) + 1}", 15, bold=True) + 12
        if game["last_turn"] and not game["over"]:
            canvas.chip(x, 20, 84, 22, "last turn", "accent", "on-accent", size=12, bold=True)
            x += 96
        view = (
            "all open"
            if self.seat is None
            else f"seen by seat {self.seat}, others as at the start of the turn"
        )
        canvas.text(WIDTH - _MARGIN, 35, view, 12, "muted", anchor="end")
        room = WIDTH - _MARGIN - text_width(view, 12) - 20 - x
        canvas.text(x + 6, 35.5, self.headline(), 15, "accent", bold=True, width=room)

    def forum(self, x: float, y: float) -> None:
        """Four quadrants with what a die in them costs, and the dice."""
        canvas, game = self.canvas, self.game
        wide = (WIDTH - 2 * _MARGIN - 3 * _GAP) / 4
        for quadrant, cost in enumerate(self.tables["quadrant_cost"].tolist()):
            left = x + quadrant * (wide + _GAP)
            canvas.rect(left, y, wide, _FORUM, "panel", "line", radius=10)
            canvas.coin(left + 10, y + 10, 28, cost)
            canvas.text(left + 24, y + 54, "free" if not cost else "coins" if cost > 1 else "coin", 11, "muted",
                        anchor="middle")  # fmt: skip
            dice = [
                die
                for die in range(len(DICE))
                if int(game["forum"]) >> die & 1 and int(game["quadrant"][die]) == quadrant
            ]
            if not dice:
                canvas.text(left + 52, y + 28, "no die", 12, "muted", italic=True)
            across = (wide - 66) / 3
            tall = min(48.0, (_FORUM - 20) / max(1, -(-len(dice) // 3)) - 4)
            corners = grid(len(dice), 3, left + 50, y + 10, across, tall, 4)
            for die, (at, top) in zip(dice, corners, strict=True):
                self.die(die, at, top, across, tall)

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
            canvas.text(
                x + width / 2,
                y + tall / 2 + 4.5,
                shown,
                12.5,
                ink_on(fill),
                anchor="middle",
                bold=True,
                width=width - 10,
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
        canvas, seat, width = self.canvas, self.seat, WIDTH - 2 * _MARGIN
        canvas.panel(x, y, width, self.own_height, marked=seat in self.deciders())
        left, inner = x + 14, width - 28
        self.title(seat, left, y + 26, inner)
        self.stats(seat, left, y + 40, inner)
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
        self.sheet(seat, self.own_flows[int(self.now["board"][seat])], left, y + 110)
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

    def buttons(self, x: float, y: float) -> None:
        """The legal actions that are neither a die nor a space, and what is still to be resolved."""
        assert self.seat is not None
        canvas, at = self.canvas, x
        for action in self.legal:
            if action not in (WONDER, PASS, STOP) and not BONUS_ACTIONS <= action < SPACE_ACTIONS:
                continue
            words = describe(self.games, self.index, self.all_tables, self.seat, action)
            wide = text_width(words, 12.5, True) + 24
            with canvas.group([action], words):
                canvas.chip(at, y, wide, 26, words, "accent", "on-accent", size=12.5, bold=True)
            at += wide + 8
        depth = int(self.game["depth"][self.seat])
        if depth and self.game["first_action"][self.seat]:
            stack = self.game["stack"][self.seat, :depth][::-1]
            words = "to resolve: " + ", then ".join(item_words(self.all_tables, int(item)) for item in stack)
        elif not self.legal:
            words = "done for this turn"
        else:
            words = "or one of the framed dice above" if self.legal != [PASS] else ""
        canvas.text(at + 6, y + 17, words, 13, "muted", italic=True, width=x + WIDTH - 2 * _MARGIN - 40 - at)
