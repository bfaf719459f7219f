"""The table as a picture: one self-contained SVG.

A panel for every city: points as they stand, coins, army, science, production, the stages of the wonder with cost and
effect, the cards by colour. Below, from a seat's view, what that seat may choose: its hand, its payments, or the
discard. With all open every city shows its hand instead.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.show.parts import places, points_bar, results, winners
from antiquity.show.reading import legal_actions
from antiquity.show.svg import Canvas, grid, text_width

from .actions import _payment_right as payment_right
from .actions import board_name, describe, kind_name
from .drawing import points
from .scoring import CATEGORIES
from .signs import (
    INKS,
    PALETTE,
    Symbol,
    cost,
    draw_cost,
    draw_effects,
    draw_science,
    draw_symbol,
    symbols,
)
from .state import (
    BUILD,
    CARD_ACTIONS,
    COLOURS,
    KINDS,
    MAX_STAGES,
    NO_CARD,
    PAY,
    PAYMENT_ACTIONS,
    PICK,
    SCIENCE,
    SELL,
    SIDES,
    STAGE,
    STAGES_COLUMN,
    TURNS,
    USES,
)

WIDTH: Final = 1280
_MARGIN: Final = 14
_GAP: Final = 10
_COLUMNS: Final = {3: 3, 4: 2, 5: 3, 6: 3, 7: 4}
_CHIPS: Final = {2: 5, 3: 3, 4: 2}
"""Cards in a row of a city, by the number of cities in a row."""
_MOST_CARDS: Final = 20
_CHIP: Final = 20
_AGES: Final = ("I", "II", "III")
_ORDER: Final = ("brown", "grey", "yellow", "blue", "green", "red", "purple")
_CATEGORY_COLOURS: Final = {
    "wonder": "ore",
    "coins": "coin",
    "military": "red",
    "civilian": "blue",
    "commerce": "yellow",
    "science": "green",
    "guilds": "purple",
}
_CHOOSES: Final = "chooses"
_ASKED: Final = (
    "a card and its use",
    "a payment",
    "a building from the discard",
    "the use of the seventh card",
)


def draw(games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None) -> str:
    """The table as SVG: all open for ``seat=None``, else what that seat sees, with its legal actions marked."""
    return _Picture(games, index, tables, seat).svg()


class _Picture:
    def __init__(self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> None:
        self.games, self.index, self.all_tables, self.seat = games, index, tables, seat
        self.game: Any = games[index]
        self.tables: Any = tables[0]
        self.players = int(self.game["num_players"])
        self.scores = points(games, index, tables)[: self.players]
        self.legal = [] if seat is None else legal_actions(games, index, tables, seat, KINDS)
        columns = _COLUMNS[self.players]
        rows = -(-self.players // columns)
        self.chips = _CHIPS[columns]
        self.panel_width = (WIDTH - 2 * _MARGIN - (columns - 1) * _GAP) / columns
        self.city_rows = -(-_MOST_CARDS // self.chips)
        self.hand_rows = -(-7 // self.chips) if seat is None else 0
        self.panel_height = (
            168 + self.city_rows * _CHIP + (self.hand_rows * _CHIP + 20 if seat is None else 0)
        )
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

    def deciders(self) -> list[int]:
        return [seat for seat in range(self.players) if int(self.game["deciders"]) >> seat & 1]

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
        for number in range(TURNS + 1):
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

    # --- a city ---

    def city(self, seat: int, x: float, y: float) -> None:
        canvas, game, width = self.canvas, self.game, self.panel_width
        decides = seat in self.deciders()
        canvas.panel(x, y, width, self.panel_height, marked=decides)
        inner, left = width - 24, x + 12
        board = int(game["board"][seat])
        at = left + canvas.text(left, y + 23, f"Seat {seat}", 16, bold=True) + 7
        total = int(self.scores[seat, -2])
        canvas.sign("seal", x + width - 12 - 20, y + 7, 20, "points")
        end = x + width - 38 - canvas.text(x + width - 38, y + 24, str(total), 19, anchor="end", bold=True)
        name = board_name(self.all_tables, board).rsplit(" (", 1)[0]
        for words, fill, ink in self.tags(seat):
            wide = text_width(words, 10.5, True) + 12
            if words == _CHOOSES and at + wide + 5 + text_width(name, 13) > end - 30:
                continue  # the frame says it too
            canvas.chip(at, y + 10, wide, 17, words, fill, ink, size=10.5, bold=True)
            at += wide + 5
        canvas.sign("moon" if board % SIDES else "sun", end - 20, y + 11, 13, "muted")
        canvas.text(end - 25, y + 22.5, name, 13, "muted", anchor="end", width=end - 30 - at)
        self.stats(seat, left, y + 34, inner)
        self.production(seat, left, y + 59, inner)
        self.wonder(seat, left, y + 80, inner)
        top = y + 128
        self.cards(seat, left, top, inner)
        top += self.city_rows * _CHIP + 4
        if self.seat is None:
            self.open_hand(seat, left, top, inner)
        self.foot(seat, left, y + self.panel_height - 34, inner)

    def tags(self, seat: int) -> list[tuple[str, str, str]]:
        found = []
        if self.seat is not None:
            if seat == self.seat:
                found.append(("you", "ink", "panel"))
            elif seat == (self.seat + 1) % self.players:
                found.append(("left", "inset", "ink"))
            elif seat == (self.seat - 1) % self.players:
                found.append(("right", "inset", "ink"))
        if self.game["over"]:
            found.append((f"{places(self.scores, int(self.game['forfeits']))[seat]}.", "accent", "on-accent"))
        elif seat in self.deciders() and len(self.deciders()) < self.players:
            found.append((_CHOOSES, "accent", "on-accent"))
        return found

    def stats(self, seat: int, x: float, y: float, width: float) -> None:
        canvas, game = self.canvas, self.game
        canvas.coin(x, y, 20, "")
        at = x + 24 + canvas.text(x + 24, y + 15.5, str(int(game["coins"][seat])), 15, bold=True) + 10
        canvas.shield(at, y, 20, "red", "")
        at += 23
        at += canvas.text(at, y + 15.5, str(int(game["shields"][seat])), 15, bold=True) + 8
        won, lost = int(game["victory"][seat]), int(game["defeats"][seat])
        words = " ".join(part for part in (f"+{won}" if won else "", f"-{lost}" if lost else "") if part)
        if words:
            at += canvas.text(at, y + 15, words, 12.5, "muted") + 8
        at += 6
        for name, count in zip(SCIENCE, game["science"][seat], strict=True):
            if count:
                draw_science(canvas, at, y + 2, 16, name)
                at += 19
                at += canvas.text(at, y + 15.5, str(int(count)), 15, bold=True) + 8
        if not game["over"]:
            size = int(game["hand_size"][seat])
            with canvas.group(hint=f"{size} cards in hand"):
                canvas.rect(x + width - 30, y + 2, 12, 16, "inset", "muted", radius=2.5)
                canvas.text(x + width, y + 15.5, str(size), 14, "muted", anchor="end", bold=True)

    def items(self, seat: int) -> tuple[list[int], list[int]]:
        """Kinds and stages built by a seat, as items of the tables."""
        city = [int(word) for word in self.game["city"][seat]]
        kinds = [kind for kind in range(KINDS) if city[kind // 64] >> kind % 64 & 1]
        board = int(self.game["board"][seat])
        start = KINDS + board * MAX_STAGES
        return kinds, list(range(start, start + int(self.game["built"][seat, STAGES_COLUMN])))

    def production(self, seat: int, x: float, y: float, width: float) -> None:
        canvas, tables = self.canvas, self.tables
        kinds, stages = self.items(seat)
        shared: list[Symbol] = symbols(tables["start"][int(self.game["board"][seat])])
        own: list[Symbol] = []
        for item in (*kinds, *stages):
            (shared if tables["sell"][item].any() else own).extend(symbols(tables["own"][item]))
        shared.sort(key=lambda symbol: (len(symbol), symbol))
        size = 15.0
        needed = sum(len(symbol) * size + 5 for symbol in (*shared, *own)) + (60 if own else 0)
        size *= min(1.0, (width - 4) / max(needed, 1))
        at = x
        for symbol in shared:
            at += draw_symbol(canvas, at, y, size, symbol) + 3
        if own:
            canvas.line(at + 3, y - 1, at + 3, y + 16, "muted")
            at += 9
            for symbol in own:
                at += draw_symbol(canvas, at, y, size, symbol) + 3
            if x + width - at > 50:
                canvas.text(at + 2, y + 12, "not sold", 10.5, "muted")

    def wonder(self, seat: int, x: float, y: float, width: float) -> None:
        canvas, tables = self.canvas, self.tables
        board = int(self.game["board"][seat])
        size, built = int(tables["stage_count"][board]), int(self.game["built"][seat, STAGES_COLUMN])
        wide = (width - (size - 1) * 6) / size
        for stage in range(size):
            at, done = x + stage * (wide + 6), stage < built
            item = KINDS + board * MAX_STAGES + stage
            canvas.rect(
                at, y, wide, 42, "inset", "accent" if done else "line", radius=6, line=2 if done else 1,
                dashed=not done,
            )  # fmt: skip
            units, coins = cost(tables, item)
            step = min(13.0, (wide - (28 if done else 10)) / max(1, len(units) + (coins > 0)) - 1.5)
            with canvas.group(opacity=1 if not done else 0.6):
                draw_cost(canvas, at + 6, y + 5, step, tables, item)
            if done:
                canvas.sign("check", at + wide - 17, y + 4, 13, "accent")
            self.fitted_effects(at + 6, y + 22, wide - 12, 16, item)

    def fitted_effects(self, x: float, y: float, width: float, size: float, item: int) -> None:
        """Effects in a row, smaller where they would be too wide."""
        trial = Canvas(1, 1, "", PALETTE)
        needed = draw_effects(trial, 0, 0, size, self.tables, item)
        scaled = size * min(1.0, width / max(needed, 1))
        draw_effects(self.canvas, x, y + (size - scaled) / 2, scaled, self.tables, item)

    def cards(self, seat: int, x: float, y: float, width: float) -> None:
        kinds, _ = self.items(seat)
        by_colour = sorted(kinds, key=lambda kind: (_ORDER.index(self.colour(kind)), kind))
        wide = (width - (self.chips - 1) * 4) / self.chips
        if not by_colour:
            self.canvas.text(x, y + 14, "nothing built yet", 11.5, "muted", italic=True)
        for kind, (left, top) in zip(
            by_colour, grid(len(kinds), self.chips, x, y, wide, _CHIP - 4, 4), strict=True
        ):
            self.chip(kind, left, top, wide)

    def colour(self, kind: int) -> str:
        return COLOURS[int(self.tables["colour"][kind])]

    def chip(self, kind: int, x: float, y: float, width: float, *, in_hand: bool = False) -> None:
        """A card as a label: filled in a city, framed in a hand."""
        canvas, colour = self.canvas, self.colour(kind)
        trial = Canvas(1, 1, "", PALETTE)
        signs = draw_effects(trial, 0, 0, 11, self.tables, kind, brief=True)
        name = kind_name(self.all_tables, kind)
        with canvas.group(hint=name):
            if in_hand:
                canvas.rect(x, y, width, _CHIP - 4, "inset", "line", radius=4)
                canvas.rect(x, y, 7, _CHIP - 4, colour, radius=2)
                canvas.text(x + 11, y + 12, name, 11, width=width - 14)
                return
            canvas.rect(x, y, width, _CHIP - 4, colour, radius=4)
            canvas.text(x + 5, y + 12, name, 11, INKS.get(colour, "white"), width=width - signs - 9)
            draw_effects(canvas, x + width - signs, y + 2.5, 11, self.tables, kind, brief=True, on=colour)

    def hand(self, seat: int) -> list[int]:
        found: list[int] = [int(kind) for kind in self.game["hands"][seat] if kind != NO_CARD]
        return found

    def open_hand(self, seat: int, x: float, y: float, width: float) -> None:
        hand = self.hand(seat)
        if not self.game["over"]:
            self.canvas.text(x, y + 10, "Hand" if hand else "No cards in hand", 11, "muted", bold=True)
        wide = (width - (self.chips - 1) * 4) / self.chips
        for kind, (left, top) in zip(
            hand, grid(len(hand), self.chips, x, y + 15, wide, _CHIP - 4, 4), strict=True
        ):
            self.chip(kind, left, top, wide, in_hand=True)

    def foot(self, seat: int, x: float, y: float, width: float) -> None:
        """What the seat did last or is about to do, and its points by category."""
        canvas = self.canvas
        words = self.latest(seat)
        if words:
            canvas.text(x, y + 6, words, 11.5, "muted", italic=True, width=width)
        points_bar(canvas, x, y + 12, width, CATEGORIES, self.scores, seat, _CATEGORY_COLOURS, 60)

    def latest(self, seat: int) -> str:
        game = self.game
        planned = int(game["planned"][seat])
        open_card = self.seat is None or self.seat == seat
        if planned:
            return f"about to {self.words(planned, open_card)}"
        if game["over"]:
            return ""
        age, turn = int(game["age"]), int(game["turn"])
        if turn == 0:
            return ""
        done = int(game["history"][age, turn - 1, seat])
        return f"last: {self.words(done, open_card, past=True)}" if done else ""

    def words(self, action: int, open_card: bool, *, past: bool = False) -> str:
        """A card action; the card of a sale or a stage lies face down for the others."""
        kind, use = divmod(action - CARD_ACTIONS, USES)
        name = kind_name(self.all_tables, kind)
        if use == BUILD:
            return f"{'built' if past else 'build'} {name}"
        card = name if open_card else "a card"
        if use == STAGE:
            return f"{'built' if past else 'build'} a wonder stage with {card}"
        return f"{'sold' if past else 'sell'} {card}"

    # --- what the seat may choose ---

    def hand_area(self) -> None:
        assert self.seat is not None
        canvas, y = self.canvas, self.below
        phase, decides = int(self.game["phase"]), bool(self.legal)
        title = "Your hand" if self.hand(self.seat) else "Your hand is empty"
        if self.game["over"]:
            title = "The game is over"
        elif decides and phase == PAY:
            title = f"You are {self.latest(self.seat)}: how do you pay?"
        elif decides and phase == PICK:
            title = "Build one of these from the discard, at no cost"
        elif not decides:
            title += " (others choose)"
        canvas.text(_MARGIN + 2, y + 16, title, 14, bold=True, width=WIDTH - 2 * _MARGIN)
        if self.game["over"]:
            boards = [board_name(self.all_tables, int(board)) for board in self.game["board"][: self.players]]
            names = [f"Seat {seat}, {board}" for seat, board in enumerate(boards)]
            results(
                canvas, _MARGIN, y + 26, WIDTH - 2 * _MARGIN, names, CATEGORIES, self.scores,
                int(self.game["forfeits"]), _CATEGORY_COLOURS, self.seat,
            )  # fmt: skip
        elif decides and phase == PAY:
            self.payments(y + 26)
        elif decides and phase == PICK:
            self.discard(y + 26)
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
        first = CARD_ACTIONS + USES * kind
        able = [action for action in range(first, first + USES) if action in self.legal]
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
                for other in range(KINDS)
                if int(self.tables["free_from"][kind][other // 64]) >> other % 64 & 1
            ]
            if parents:
                canvas.text(x + 9, y + 64, "free with " + " or ".join(parents), 11, "muted", width=width - 18)
            self.fitted_effects(x + 9, y + 80, width - 18, 25, kind)
            for use, label in ((BUILD, "build"), (STAGE, "stage"), (SELL, "sell")):
                self.button(
                    first + use, label, x + 6 + use * (width - 12) / 3, y + height - 32, (width - 12) / 3
                )

    def button(self, action: int, label: str, x: float, y: float, width: float) -> None:
        canvas = self.canvas
        if action in self.legal:
            assert self.seat is not None
            with canvas.group([action], describe(self.games, self.index, self.all_tables, self.seat, action)):
                canvas.chip(x + 2, y, width - 4, 24, label, "accent", "on-accent", size=12, bold=True)
        else:
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
                canvas.coin(x + wide / 2 - 46, y + 14, 34, action - PAYMENT_ACTIONS)
                to_left = action - PAYMENT_ACTIONS
                right = int(payment_right(self.games, self.index, self.all_tables, self.seat, to_left))
                canvas.coin(x + wide / 2 + 12, y + 14, 34, right)
                canvas.text(x + wide / 2 - 29, y + 68, "left", 12, "muted", anchor="middle")
                canvas.text(x + wide / 2 + 29, y + 68, "right", 12, "muted", anchor="middle")
                neighbours = (self.seat + 1) % self.players, (self.seat - 1) % self.players
                for step, other in zip((-29, 29), neighbours, strict=True):
                    canvas.text(x + wide / 2 + step, y + 84, f"seat {other}", 12, anchor="middle")

    def discard(self, y: float) -> None:
        wide = (WIDTH - 2 * _MARGIN - 7 * 6) / 8
        for action, (x, top) in zip(
            self.legal, grid(len(self.legal), 8, _MARGIN, y, wide, 24, 6), strict=True
        ):
            kind = (action - CARD_ACTIONS) // USES
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
