"""The table as a picture: one self-contained SVG.

A panel for every city: points as they stand, coins, army, science, production, the stages of the wonder with cost and
effect, the cards by colour. Below, from a seat's view, what that seat may choose: its hand, its payments, or the
discard. With everything open every city shows its hand instead.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.render.parts import results, winners
from antiquity.render.reading import points
from antiquity.render.svg import Canvas, grid, text_width
from seven_wonders_env import state as s
from seven_wonders_env.actions import coins_to_right, describe, kind_name, seen_board
from seven_wonders_env.data.tables import SIDE_NAMES
from seven_wonders_env.rules.scoring import CATEGORIES

from .panels import CATEGORY_COLOURS, CHIP, SIDE_SIGNS, Panels
from .prices import price, why_not
from .signs import (
    INKS,
    PALETTE,
    cost,
    draw_cost,
    draw_effects,
)

WIDTH: Final = 1280
_MARGIN: Final = 14
_GAP: Final = 10
_COLUMNS: Final = {3: 3, 4: 2, 5: 3, 6: 3, 7: 4}
_CHIPS: Final = {2: 5, 3: 3, 4: 2}
"""Cards in a row of a city, by the number of cities in a row."""
_MOST_CARDS: Final = 20
_AGES: Final = ("I", "II", "III")
_ASKED: Final = (
    "a card and its use",
    "a payment",
    "a building from the discard",
    "the use of the seventh card",
    "a side of the wonder board",
)


def draw(games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None) -> str:
    """The table as SVG: everything for ``seat=None``, else what that seat sees, with its legal actions marked."""
    return _Picture(games, index, tables, seat).svg()


class _Picture(Panels):
    def __init__(self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> None:
        super().__init__(games, index, tables, seat)
        self.scores = points(games, index, tables, len(CATEGORIES))[: self.players]
        columns = _COLUMNS[self.players]
        rows = -(-self.players // columns)
        self.chips = _CHIPS[columns]
        self.panel_width = (WIDTH - 2 * _MARGIN - (columns - 1) * _GAP) / columns
        self.city_rows = -(-_MOST_CARDS // self.chips)
        self.hand_rows = -(-7 // self.chips) if seat is None else 0
        self.panel_height = 168 + self.city_rows * CHIP + (self.hand_rows * CHIP + 20 if seat is None else 0)
        top = 56
        below = top + rows * (self.panel_height + _GAP)
        self.below = below
        height = below + (4 if seat is None else 196)
        self.canvas = Canvas(WIDTH, height, f"7 Wonders, {self.players} players: {self.headline()}", PALETTE)
        self.corners = list(
            grid(self.players, columns, _MARGIN, top, self.panel_width, self.panel_height, _GAP)
        )

    def svg(self) -> str:
        self.header()
        for seat, (x, y) in enumerate(self.corners):
            self.city(seat, x, y)
        if self.seat is not None:
            self.hand_area()
        return self.canvas.svg()

    # --- the head ---

    def headline(self) -> str:
        game = self.game
        if game["over"]:
            return winners(self.scores, int(game["forfeits"]))
        deciders = self.deciders()
        if len(deciders) == self.players:
            who = "All seats choose"
        elif len(deciders) == 1:
            who = f"Seat {deciders[0]} chooses"
        else:
            who = f"Seats {', '.join(map(str, deciders))} choose"
        return f"{who} {_ASKED[int(game['phase'])]}"

    def header(self) -> None:
        canvas, game = self.canvas, self.game
        x = _MARGIN + canvas.text(_MARGIN + 2, 36, "7 Wonders", 22, bold=True) + 20
        age, turn = int(game["age"]), int(game["turn"])
        for number, name in enumerate(_AGES):
            here = number == age
            canvas.rect(x, 16, 38, 28, "accent" if here else "inset", None if here else "line", radius=6)
            canvas.text(x + 19, 35, name, 14, "on-accent" if here else "muted", anchor="middle", bold=True)
            x += 42
        x += 8
        for number in range(s.TURNS + 1):
            done = number < turn or game["over"]
            here = number == turn and not game["over"]
            canvas.circle(x, 30, 6, "accent" if here else "muted" if done else "inset", "line")
            x += 17
        canvas.sign("left" if age == 1 else "right", x + 2, 22, 16, "muted")
        x += 24
        # Hands go to the left neighbour, the next seat, in Ages I and III.
        x += (
            canvas.text(
                x, 35, "hands go to the " + ("previous seat" if age == 1 else "next seat"), 12, "muted"
            )
            + 20
        )
        view = "all open" if self.seat is None else f"seen by seat {self.seat}"
        count = int(game["discard"].sum())
        right = f"discard {count} {'card' if count == 1 else 'cards'}  ·  {view}"
        canvas.text(WIDTH - _MARGIN, 35, right, 12, "muted", anchor="end")
        room = WIDTH - _MARGIN - text_width(right, 12) - 20 - x
        canvas.text(x, 35.5, self.headline(), 15, "accent", bold=True, width=room)

    # --- what the seat may choose ---

    def hand_area(self) -> None:
        assert self.seat is not None
        canvas, y = self.canvas, self.below
        phase, decides = int(self.game["phase"]), bool(self.legal)
        title = "Your hand" if self.hand(self.seat) else "Your hand is empty"
        if phase == s.SIDE:
            title = "No cards are dealt yet"
        if self.game["over"]:
            title = "The game is over"
        elif decides and phase == s.PAY:
            title = f"You are {self.latest(self.seat)}: how do you pay?"
        elif decides and phase == s.PICK:
            title = "Build one of these from the discard, at no cost"
        elif decides and phase == s.SIDE:
            title = f"Which side of {seen_board(self.game, self.all_tables, self.seat)} do you play?"
        elif not decides:
            title += " (others choose)"
        canvas.text(_MARGIN + 2, y + 16, title, 14, bold=True, width=WIDTH - 2 * _MARGIN)
        if self.game["over"]:
            names = [
                f"Seat {seat}, {seen_board(self.game, self.all_tables, seat)}" for seat in range(self.players)
            ]
            results(
                canvas, _MARGIN, y + 26, WIDTH - 2 * _MARGIN, names, CATEGORIES, self.scores,
                int(self.game["forfeits"]), CATEGORY_COLOURS, self.seat,
            )  # fmt: skip
        elif decides and phase == s.PAY:
            self.payments(y + 26)
        elif decides and phase == s.PICK:
            self.discard(y + 26)
        elif decides and phase == s.SIDE:
            self.sides(y + 26)
        else:
            self.hand_cards(y + 26)

    def hand_cards(self, y: float) -> None:
        assert self.seat is not None
        hand = self.hand(self.seat)
        wide = (WIDTH - 2 * _MARGIN - 6 * _GAP) / 7
        for place, kind in enumerate(hand):
            self.card(kind, _MARGIN + place * (wide + _GAP), y, wide, 158)

    def card(self, kind: int, x: float, y: float, width: float, height: float) -> None:
        canvas, colour = self.canvas, self.colour(kind)
        first = s.CARD_ACTIONS + s.USES * kind
        able = [action for action in range(first, first + s.USES) if action in self.legal]
        with canvas.group(able, hint=kind_name(self.all_tables, kind)):
            canvas.rect(x, y, width, height, "panel", colour, radius=8, line=2)
            canvas.rect(x, y, width, 26, colour, radius=8)
            canvas.rect(x, y + 16, width, 10, colour)
            canvas.text(
                x + 9, y + 18, kind_name(self.all_tables, kind), 13.5, INKS.get(colour, "white"), bold=True,
                width=width - 18,
            )  # fmt: skip
            units, coins = cost(self.tables, kind)
            canvas.text(x + 9, y + 45, "cost" if units or coins else "costs nothing", 11, "muted")
            draw_cost(canvas, x + 38, y + 33, 15, self.tables, kind)
            parents = [
                kind_name(self.all_tables, other)
                for other in range(s.KINDS)
                if int(self.tables["free_from"][kind][other // 64]) >> other % 64 & 1
            ]
            if parents:
                canvas.text(x + 9, y + 64, "free with " + " or ".join(parents), 11, "muted", width=width - 18)
            self.fitted_effects(x + 9, y + 80, width - 18, 25, kind)
            for use, label in ((s.BUILD, "build"), (s.STAGE, "stage"), (s.SELL, "sell")):
                self.button(
                    first + use, label, x + 6 + use * (width - 12) / 3, y + height - 32, (width - 12) / 3
                )

    def button(self, action: int, label: str, x: float, y: float, width: float) -> None:
        canvas = self.canvas
        if action in self.legal:
            assert self.seat is not None
            words = describe(self.games, self.index, self.all_tables, self.seat, action)
            paid = price(self.games, self.index, self.all_tables, self.seat, action)
            with canvas.group([action], f"{words}: {paid}"):
                canvas.chip(x + 2, y, width - 4, 24, label, "accent", "on-accent", size=12, bold=True)
        else:
            assert self.seat is not None
            why = why_not(self.games, self.index, self.all_tables, self.seat, action)
            with canvas.group(hint=f"{label}: {why}"):
                canvas.chip(x + 2, y, width - 4, 24, label, "inset", "muted", size=12)

    def payments(self, y: float) -> None:
        canvas = self.canvas
        assert self.seat is not None
        count = len(self.legal)
        wide = min(190.0, (WIDTH - 2 * _MARGIN - (count - 1) * _GAP) / max(1, count))
        for place, action in enumerate(self.legal):
            x = _MARGIN + place * (wide + _GAP)
            words = describe(self.games, self.index, self.all_tables, self.seat, action)
            with canvas.group([action], words):
                canvas.rect(x, y, wide, 96, "panel", "accent", radius=8, line=2)
                canvas.coin(x + wide / 2 - 46, y + 14, 34, action - s.PAYMENT_ACTIONS)
                to_left = action - s.PAYMENT_ACTIONS
                right = int(coins_to_right(self.games, self.index, self.all_tables, self.seat, to_left))
                canvas.coin(x + wide / 2 + 12, y + 14, 34, right)
                canvas.text(x + wide / 2 - 29, y + 68, "left", 12, "muted", anchor="middle")
                canvas.text(x + wide / 2 + 29, y + 68, "right", 12, "muted", anchor="middle")
                neighbours = (self.seat + 1) % self.players, (self.seat - 1) % self.players
                for step, other in zip((-29, 29), neighbours, strict=True):
                    canvas.text(x + wide / 2 + step, y + 84, f"seat {other}", 12, anchor="middle")

    def sides(self, y: float) -> None:
        canvas = self.canvas
        assert self.seat is not None
        wide = (WIDTH - 2 * _MARGIN - _GAP) / s.SIDES
        for side, action in enumerate(self.legal):
            x = _MARGIN + side * (wide + _GAP)
            board = int(self.game["board"][self.seat]) + side
            with canvas.group([action], describe(self.games, self.index, self.all_tables, self.seat, action)):
                canvas.rect(x, y, wide, 110, "panel", "accent", radius=8, line=2)
                canvas.sign(SIDE_SIGNS[side], x + 12, y + 12, 17, "accent")
                canvas.text(x + 36, y + 26, f"the {SIDE_NAMES[side]} side", 14, bold=True)
                self.stages(board, 0, x + 12, y + 48, wide - 24)

    def discard(self, y: float) -> None:
        wide = (WIDTH - 2 * _MARGIN - 7 * 6) / 8
        for action, (x, top) in zip(
            self.legal, grid(len(self.legal), 8, _MARGIN, y, wide, 24, 6), strict=True
        ):
            kind = (action - s.CARD_ACTIONS) // s.USES
            with self.canvas.group([action], f"build {kind_name(self.all_tables, kind)} from the discard"):
                colour = self.colour(kind)
                signs = draw_effects(Canvas(1, 1, "", PALETTE), 0, 0, 14, self.tables, kind, brief=True)
                self.canvas.rect(x, top, wide, 24, colour, radius=5)
                name = kind_name(self.all_tables, kind)
                self.canvas.text(
                    x + 7, top + 16.5, name, 12.5, INKS.get(colour, "white"), width=wide - signs - 14
                )
                draw_effects(
                    self.canvas, x + wide - signs - 4, top + 5, 14, self.tables, kind, brief=True, on=colour
                )
