"""The table as a picture: one self-contained SVG.

A panel for every city, where its seat sits at the table: points as they stand, coins, army, science, production, the
stages of the wonder with cost and effect, the cards by colour. Below, from a seat's view, what that seat may choose:
its hand, its payments, or the discard. With everything open every city shows its hand instead.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.render.parts import around, results, winners
from antiquity.render.reading import points
from antiquity.render.svg import AFTER, Canvas, grid, text_width
from seven_wonders_env import state as s
from seven_wonders_env.actions import coins_to_right, describe, kind_name, seen_board
from seven_wonders_env.data.tables import SIDE_NAMES
from seven_wonders_env.rules.scoring import CATEGORIES

from .panels import CATEGORY_COLOURS, CHIP, HALVES, HALVES_GAP, SIDE_SIGNS, Box, Panels, either
from .prices import price, purchase, why_not
from .signs import (
    INKS,
    PALETTE,
    cost,
    draw_cost,
    draw_effects,
    draw_good,
    draw_legend,
)

WIDTH: Final = 1280
_MARGIN: Final = 14
_GAP: Final = 10
_ROOMY: Final = 1000
"""From this width on the whole table lies as it is; in less room fewer cities and cards stand side by side."""
_NARROW: Final = 600
_MOST_CARDS: Final = 20
_MOST_HAND: Final = 7
_CARD: Final = 158
_CARD_NARROW: Final = 176
_WAY: Final = 100
"""The height of a way to pay."""
_TARGET: Final = 40
"""What fingers can point at."""
_AGES: Final = ("I", "II", "III")
_ASKED: Final = (
    "a card and its use",
    "a payment",
    "a building from the discard",
    "the use of the seventh card",
    "a side of the wonder board",
)


def draw(
    games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None, width: int = WIDTH
) -> str:
    """The table as SVG: everything for ``seat=None``, else what that seat sees, with its legal actions marked.

    `width`: of the drawing, laid out so that nothing in it has to be scaled down.
    """
    return _Picture(games, index, tables, seat, width).svg()


class _Picture(Panels):
    def __init__(
        self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None, width: int
    ) -> None:
        super().__init__(games, index, tables, seat)
        self.width, self.narrow = width, width < _NARROW
        self.scores = points(games, index, tables, len(CATEGORIES))[: self.players]
        self.cities: list[Box] = []
        top = 56.0 if width >= _ROOMY else 102.0
        below = top
        own = 0 if seat is None else seat
        *behind, near = around(self.players, own)
        if self.narrow:
            # In one column: what is to be chosen, the own city, its neighbours, the others.
            below, top = top, top + (0 if seat is None else self.choice_height() + _GAP)
            rows = [
                [own],
                *([other] for other in near if other != own),
                *([other] for row in behind for other in row),
            ]
        elif width < _ROOMY:
            rows = [row[start : start + 2] for row in behind for start in range(0, len(row), 2)]
            rows += [[near[0], near[-1]], [own]]
        else:
            # Four cities side by side need the full width, or costs of stages would run into each other.
            rows = [near]
            for row in behind:
                step = 2 if len(row) > 3 and width < WIDTH else len(row)
                rows = [*(row[start : start + step] for start in range(0, len(row), step)), *rows]
        for row in rows:
            wide = (width - 2 * _MARGIN - (len(row) - 1) * _GAP) / len(row)
            boxes = [
                self.box(other, _MARGIN + place * (wide + _GAP), top, wide) for place, other in enumerate(row)
            ]
            self.cities += boxes
            top += boxes[0].height + _GAP
        self.below = below if self.narrow else top
        self.foot_at = top + (0 if seat is None or self.narrow else self.choice_height()) + 4
        legend = draw_legend(Canvas(1, 1, "", PALETTE), 0, 0, width - 2 * _MARGIN - 4)
        self.canvas = Canvas(
            width, self.foot_at + legend + 4, f"7 Wonders, {self.players} players: {self.headline()}", PALETTE
        )

    def box(self, seat: int, x: float, y: float, width: float) -> Box:
        """The panel of a city, as high as it is with all the cards that it can come to have."""
        wide = (width - 24 - HALVES_GAP) / 2 if width > HALVES else width - 24
        chips = max(2, int(wide // 118))
        # In one column every panel is as high as its own cards, elsewhere always as high as it can come to be.
        most = 1.2 * len(self.items(seat)[0]) + 1 if self.narrow else _MOST_CARDS
        held = len(self.hand(seat)) if self.narrow else _MOST_HAND
        rows, hand_rows = -int(-most // chips), -(-held // chips) if self.seat is None else 0
        hand = hand_rows * CHIP + 20 if hand_rows else 0
        body = max(128.0, 34 + rows * CHIP + hand) if width > HALVES else 128 + rows * CHIP + 4 + hand
        if self.game["over"]:
            rows += int(hand // CHIP)  # where the hand lay
        return Box(seat, x, y, width, body + 36, chips, rows)

    def choice_height(self) -> float:
        """The room for what the seat may choose; always the same, but where it lies above the cities."""
        if not self.narrow:
            return 30 + self.card_rows() * (_CARD + _GAP) if self.width < _ROOMY else 192
        if self.game["over"] or not self.legal or self.game["phase"] in (s.CHOOSE, s.LAST):
            cards = 0 if self.game["over"] or self.seat is None else len(self.hand(self.seat))
            return 30 + -(-cards // 2) * (_CARD_NARROW + _GAP)
        each, columns = {s.PAY: (_WAY + _GAP, 2), s.PICK: (46, 2)}.get(int(self.game["phase"]), (120, 1))
        held = 24 + 2 * CHIP * 2 if self.game["phase"] == s.PAY else 0
        return 30 + -(-len(self.legal) // columns) * each + held

    def across(self) -> int:
        """Cards of the hand side by side."""
        return 2 if self.narrow else 4 if self.width < _ROOMY else _MOST_HAND

    def card_rows(self) -> int:
        return -(-_MOST_HAND // self.across())

    def svg(self) -> str:
        self.header()
        for box in self.cities:
            self.city(box)
        if self.seat is not None:
            self.hand_area()
        draw_legend(self.canvas, _MARGIN + 2, self.foot_at, self.width - 2 * _MARGIN - 4)
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
        size = 18 if self.narrow else 22
        x = _MARGIN + canvas.text(_MARGIN + 2, 36, "7 Wonders", size, bold=True) * (1 + AFTER) + 16
        age, turn = int(game["age"]), int(game["turn"])
        for number, name in enumerate(_AGES):
            here = number == age
            wide = 26 if self.narrow else 38
            canvas.rect(x, 16, wide, 28, "accent" if here else "inset", None if here else "line", radius=6)
            canvas.text(
                x + wide / 2, 35, name, 14, "on-accent" if here else "muted", anchor="middle", bold=True
            )
            x += wide + 4
        x += 8
        for number in range(s.TURNS + 1):
            done = number < turn or game["over"]
            here = number == turn and not game["over"]
            canvas.circle(
                x, 30, 5 if self.narrow else 6, "accent" if here else "muted" if done else "inset", "line"
            )
            x += 13 if self.narrow else 17
        # Hands go to the left neighbour, the next seat, in Ages I and III; the left neighbour sits at the left.
        canvas.sign("right" if age == 1 else "left", x + 2, 22, 16, "muted")
        x += 24
        side = "right" if age == 1 else "left"
        view = "all open" if self.seat is None else f"seen by seat {self.seat}"
        count = int(game["discard"].sum())
        right = f"discard {count} {'card' if count == 1 else 'cards'}  ·  {view}"
        if self.width < _ROOMY:
            rest = f"hands go {side}  ·  {right}"
            canvas.text(_MARGIN + 2, 64, rest, 12, "muted", width=self.width - 2 * _MARGIN)
            canvas.text(
                _MARGIN + 2, 88, self.headline(), 15, "accent", bold=True, width=self.width - 2 * _MARGIN
            )
            return
        words = f"hands go to the {side} neighbour" if self.width >= WIDTH else f"hands go {side}"
        x += canvas.text(x, 35, words, 12, "muted") + 20
        canvas.text(self.width - _MARGIN, 35, right, 12, "muted", anchor="end")
        room = self.width - _MARGIN - text_width(right, 12) - 20 - x
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
            kind, use = divmod(int(self.game["planned"][self.seat]) - s.CARD_ACTIONS, s.USES)
            title = f"You are {self.latest(self.seat)}: how do you pay?"
            if self.narrow:
                what = kind_name(self.all_tables, kind) if use == s.BUILD else "the wonder stage"
                title = f"How do you pay for {what}?"
        elif decides and phase == s.PICK:
            title = "Build one of these from the discard, at no cost"
        elif decides and phase == s.SIDE:
            title = f"Which side of {seen_board(self.game, self.all_tables, self.seat)} do you play?"
        elif not decides:
            title += " (others choose)"
        canvas.text(_MARGIN + 2, y + 16, title, 14, bold=True, width=self.width - 2 * _MARGIN)
        if self.game["over"] and self.width >= _ROOMY:
            names = [
                f"Seat {seat}, {seen_board(self.game, self.all_tables, seat)}" for seat in range(self.players)
            ]
            results(
                canvas, _MARGIN, y + 26, self.width - 2 * _MARGIN, names, CATEGORIES, self.scores,
                int(self.game["forfeits"]), CATEGORY_COLOURS, self.seat,
            )  # fmt: skip
        elif self.game["over"]:
            pass  # the table of points stands beside the picture
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
        hand, across = self.hand(self.seat), self.across()
        wide = (self.width - 2 * _MARGIN - (across - 1) * _GAP) / across
        tall = _CARD_NARROW if self.narrow else _CARD
        for kind, (x, top) in zip(hand, grid(len(hand), across, _MARGIN, y, wide, tall, _GAP), strict=True):
            self.card(kind, x, top, wide, tall)

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
            size = min(15.0, (width - 44) / max(1, len(units) + (coins > 0)) - 1.5)
            draw_cost(canvas, x + 38, y + 33 + (15 - size) / 2, size, self.tables, kind)
            parents = [
                kind_name(self.all_tables, other)
                for other in range(s.KINDS)
                if int(self.tables["free_from"][kind][other // 64]) >> other % 64 & 1
            ]
            if parents:
                words = f"free with {either(parents)}"
                up = 5 if text_width(words, 11) > width - 18 else 0
                canvas.lines(x + 9, y + 64 - up, words, 11, width - 18, 2, "muted")
            self.fitted_effects(x + 9, y + 80, width - 18, 25, kind)
            for use, label in ((s.BUILD, "build"), (s.STAGE, "stage"), (s.SELL, "sell")):
                each, tall = (width - 8) / 3, _TARGET if self.narrow else 24
                self.button(first + use, label, x + 4 + use * each, y + height - tall - 8, each, tall)

    def button(self, action: int, label: str, x: float, y: float, width: float, tall: float) -> None:
        canvas = self.canvas
        if action in self.legal:
            assert self.seat is not None
            words = describe(self.games, self.index, self.all_tables, self.seat, action)
            paid = price(self.games, self.index, self.all_tables, self.seat, action)
            with canvas.group([action], f"{words}: {paid}"):
                canvas.chip(
                    x + 1, y, width - 2, tall, label, "accent", "on-accent", size=12, bold=True, edge=0
                )
        else:
            assert self.seat is not None
            why = why_not(self.games, self.index, self.all_tables, self.seat, action)
            with canvas.group(hint=f"{label}: {why}"):
                canvas.chip(x + 1, y, width - 2, tall, label, "inset", "muted", size=12, edge=0)

    def payments(self, top: float) -> None:
        """The ways to pay: which goods from whom, and the coins left after; below them the hand."""
        canvas, seat = self.canvas, self.seat
        assert seat is not None
        count = len(self.legal)
        across = 2 if self.narrow else max(1, count)
        wide = min(190.0, (self.width - 2 * _MARGIN - (across - 1) * _GAP) / across)
        planned = int(self.game["planned"][seat])
        kind, use = divmod(planned - s.CARD_ACTIONS, s.USES)
        item = kind
        if use == s.STAGE:
            item = s.KINDS + int(self.game["board"][seat]) * s.MAX_STAGES
            item += int(self.game["built"][seat, s.STAGES_COLUMN])
        purse = int(self.game["coins"][seat]) - int(self.game["pay"][seat, 2])
        corners = grid(count, across, _MARGIN, top, wide, _WAY, _GAP)
        for action, (x, y) in zip(self.legal, corners, strict=True):
            asked = self.games, self.index, self.all_tables, seat
            to_left = action - s.PAYMENT_ACTIONS
            to_right = int(coins_to_right(*asked, to_left))
            bought = purchase(*asked, item, to_left, to_right)
            with canvas.group([action], f"{describe(*asked, action)}: {price(*asked, action)}"):
                canvas.rect(x, y, wide, _WAY, "panel", "accent", radius=8, line=2)
                for row, (side, other, coins, goods) in enumerate(
                    (("left", seat + 1, to_left, bought[0]), ("right", seat - 1, to_right, bought[1]))
                ):
                    line = y + 8 + row * 35
                    canvas.coin(x + 9, line + 2, 26, coins)
                    canvas.text(x + 42, line + 11, f"{side}, seat {other % self.players}", 11.5)
                    for number, name in enumerate(goods):
                        draw_good(canvas, x + 42 + 15 * number, line + 16, 13, name)
                    if not goods:
                        canvas.text(x + 42, line + 26, "nothing", 11, "muted")
                left = purse - to_left - to_right
                canvas.text(x + 11, y + _WAY - 9, f"coins left: {left}", 12, "muted", bold=True)
        self.held(top + -(-count // across) * (_WAY + _GAP), kind)

    def held(self, top: float, planned: int) -> None:
        """The hand in short, the card that is about to be used framed."""
        assert self.seat is not None
        hand, across = self.hand(self.seat), 2 if self.narrow else _MOST_HAND
        self.canvas.text(_MARGIN + 2, top + 11, "Your hand", 11, "muted", bold=True)
        wide = (self.width - 2 * _MARGIN - (across - 1) * 4) / across
        corners = grid(len(hand), across, _MARGIN, top + 17, wide, CHIP - 4, 4)
        for kind, (x, y) in zip(hand, corners, strict=True):
            self.chip(kind, x, y, wide, in_hand=True)
            if kind == planned:
                self.canvas.rect(x, y, wide, CHIP - 4, None, "accent", radius=4, line=2)

    def sides(self, top: float) -> None:
        canvas = self.canvas
        assert self.seat is not None
        across = 1 if self.narrow else s.SIDES
        wide = (self.width - 2 * _MARGIN - (across - 1) * _GAP) / across
        corners = grid(len(self.legal), across, _MARGIN, top, wide, 110, _GAP)
        for side, (action, (x, y)) in enumerate(zip(self.legal, corners, strict=True)):
            board = int(self.game["board"][self.seat]) + side
            with canvas.group([action], describe(self.games, self.index, self.all_tables, self.seat, action)):
                canvas.rect(x, y, wide, 110, "panel", "accent", radius=8, line=2)
                canvas.sign(SIDE_SIGNS[side], x + 12, y + 12, 17, "accent")
                canvas.text(x + 36, y + 26, f"the {SIDE_NAMES[side]} side", 14, bold=True)
                self.stages(board, 0, x + 12, y + 48, wide - 24)

    def discard(self, y: float) -> None:
        across, tall = (2, _TARGET) if self.narrow else (8 if self.width >= _ROOMY else 5, 24)
        wide = (self.width - 2 * _MARGIN - (across - 1) * 6) / across
        for action, (x, top) in zip(
            self.legal, grid(len(self.legal), across, _MARGIN, y, wide, tall, 6), strict=True
        ):
            kind = (action - s.CARD_ACTIONS) // s.USES
            with self.canvas.group([action], f"build {kind_name(self.all_tables, kind)} from the discard"):
                colour = self.colour(kind)
                signs = draw_effects(Canvas(1, 1, "", PALETTE), 0, 0, 14, self.tables, kind, brief=True)
                self.canvas.rect(x, top, wide, tall, colour, radius=5)
                name = kind_name(self.all_tables, kind)
                self.canvas.text(
                    x + 7,
                    top + tall / 2 + 4.5,
                    name,
                    12.5,
                    INKS.get(colour, "white"),
                    width=wide - signs - 14,
                )
                draw_effects(
                    self.canvas,
                    x + wide - signs - 4,
                    top + tall / 2 - 7,
                    14,
                    self.tables,
                    kind,
                    brief=True,
                    on=colour,
                )
