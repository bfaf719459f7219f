"""What a picture shows of a seat: its city with wonder and cards, and what it did last."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from antiquity.render.parts import places, points_bar
from antiquity.render.reading import legal_actions
from antiquity.render.svg import AFTER, LEAST, Canvas, grid, text_width
from seven_wonders_env import state as s
from seven_wonders_env.actions import kind_name, wonder_name
from seven_wonders_env.rules.scoring import CATEGORIES

from .signs import (
    INKS,
    PALETTE,
    Symbol,
    cost,
    draw_cost,
    draw_discounts,
    draw_effects,
    draw_science,
    draw_symbol,
    symbols,
)

CHIP: Final = 20
TALLEST_CHIP: Final = 46
TWO_LINES: Final = 36
"""A label at least so high shows below its name all that the card does."""
HALVES: Final = 900
"""A panel wider than this has the cards of the city beside its other things, not below them."""
HALVES_GAP: Final = 20
_ORDER: Final = ("brown", "grey", "yellow", "blue", "green", "red", "purple")
CATEGORY_COLOURS: Final = {
    "wonder": "ore",
    "coins": "coin",
    "military": "red",
    "civilian": "blue",
    "commerce": "yellow",
    "science": "green",
    "guilds": "purple",
}
SIDE_SIGNS: Final = ("sun", "moon")
_CHOOSES: Final = "chooses"


def either(names: list[str]) -> str:
    """``"East or West Trading Post"``: the last words once, where all names share them."""
    words = [name.split() for name in names]
    same = 0
    while all(len(each) > same + 1 and each[-1 - same] == words[0][-1 - same] for each in words):
        same += 1
    if len(words) < 2 or not same:
        return " or ".join(names)
    return " ".join([" or ".join(" ".join(each[:-same]) for each in words), *words[0][-same:]])


class Box(NamedTuple):
    """Where the panel of a city lies, and the cards in it: how many in a row, and rows there is room for."""

    seat: int
    x: float
    y: float
    width: float
    height: float
    chips: int
    rows: int


class Panels:
    """Draws what belongs to one seat; the picture that extends it says where, and sets what is only declared here."""

    canvas: Canvas
    scores: np.ndarray

    def __init__(self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> None:
        self.games, self.index, self.all_tables, self.seat = games, index, tables, seat
        self.game: Any = games[index]
        self.tables: Any = tables[0]
        self.players = int(self.game["num_players"])
        self.legal = [] if seat is None else legal_actions(games, index, tables, seat, s.KINDS)

    def deciders(self) -> list[int]:
        return [seat for seat in range(self.players) if int(self.game["deciders"]) >> seat & 1]

    # --- a city ---

    def city(self, box: Box) -> None:
        canvas, game = self.canvas, self.game
        seat, x, y, width = box.seat, box.x, box.y, box.width
        canvas.panel(x, y, width, box.height, marked=seat in self.deciders())
        inner, left = width - 24, x + 12
        board = int(game["board"][seat])
        at = left + canvas.text(left, y + 23, f"Seat {seat}", 16, bold=True) * (1 + AFTER) + 5
        total = int(self.scores[seat, -2])
        canvas.sign("seal", x + width - 12 - 20, y + 7, 20, "points")
        end = x + width - 38 - canvas.text(x + width - 38, y + 24, str(total), 19, anchor="end", bold=True)
        side_open = int(game["open_sides"]) >> seat & 1
        name = wonder_name(self.all_tables, board)
        for words, fill, ink in self.tags(seat):
            wide = text_width(words, 10.5, True) + 12
            if words == _CHOOSES and at + wide + 5 + text_width(name, 13) > end - 30:
                continue  # the frame says it too
            canvas.chip(at, y + 10, wide, 17, words, fill, ink, size=10.5, bold=True)
            at += wide + 5
        if not side_open:
            canvas.sign(SIDE_SIGNS[board % s.SIDES], end - 20, y + 11, 13, "muted")
        canvas.text(end - 25, y + 22.5, name, 13, "muted", anchor="end", width=end - 30 - at)
        halves = width > HALVES
        part = (inner - HALVES_GAP) / 2 if halves else inner
        self.stats(seat, left, y + 34, part)
        self.production(seat, left, y + 59, part)
        if side_open:
            canvas.rect(left, y + 80, part, 42, "inset", "line", radius=6, dashed=True)
            canvas.text(
                left + part / 2, y + 105, "its side is still open", 12, "muted", anchor="middle", italic=True
            )
        else:
            self.stages(board, int(game["built"][seat, s.STAGES_COLUMN]), left, y + 80, part)
        at, top = (left + part + HALVES_GAP, y + 34) if halves else (left, y + 128)
        self.cards(box, at, top, part)
        if self.seat is None:
            self.open_hand(box, at, top + box.rows * CHIP + 4, part)
        self.foot(seat, left, y + box.height - 34, inner)

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
        for name, count in zip(s.SCIENCE, game["science"][seat], strict=True):
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
        kinds = [kind for kind in range(s.KINDS) if city[kind // 64] >> kind % 64 & 1]
        board = int(self.game["board"][seat])
        start = s.KINDS + board * s.MAX_STAGES
        return kinds, list(range(start, start + int(self.game["built"][seat, s.STAGES_COLUMN])))

    def production(self, seat: int, x: float, y: float, width: float) -> None:
        canvas, tables = self.canvas, self.tables
        kinds, stages = self.items(seat)
        shared: list[Symbol] = symbols(tables["start"][int(self.game["board"][seat])])
        own: list[Symbol] = []
        for item in (*kinds, *stages):
            (shared if tables["sell"][item].any() else own).extend(symbols(tables["own"][item]))
        shared.sort(key=lambda symbol: (len(symbol), symbol))
        size = 15.0
        discounts = int(self.game["discounts"][seat])
        needed = sum(len(symbol) * size + 5 for symbol in (*shared, *own)) + (60 if own else 0)
        cheaper = draw_discounts(Canvas(1, 1, "", PALETTE), 0, 0, 15, discounts, tables)
        # Where the goods would have to shrink for them, the cards below alone say what is cheaper.
        if discounts and needed + cheaper <= width - 4:
            with canvas.group(hint="what it pays to its neighbours for these goods"):
                draw_discounts(canvas, x + width - cheaper, y, 15, discounts, tables)
            width -= cheaper
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

    def stages(self, board: int, built: int, x: float, y: float, width: float) -> None:
        """The stages of a board in a row, of which so many are built."""
        canvas, tables = self.canvas, self.tables
        size = int(tables["stage_count"][board])
        wide = (width - (size - 1) * 6) / size
        for stage in range(size):
            at, done = x + stage * (wide + 6), stage < built
            item = s.KINDS + board * s.MAX_STAGES + stage
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
        draw_effects(self.canvas, x, y + (size - scaled) / 2, scaled, self.tables, item, room=width)

    def cards(self, box: Box, x: float, y: float, width: float) -> None:
        """The cards of a city, the larger the fewer they are."""
        kinds, _ = self.items(box.seat)
        by_colour = sorted(kinds, key=lambda kind: (_ORDER.index(self.colour(kind)), kind))
        if not by_colour:
            self.canvas.text(x, y + 14, "nothing built yet", 11.5, "muted", italic=True)
        chips = box.chips
        if chips > 2 and -(-len(kinds) // (chips - 1)) <= box.rows and self.too_long(kinds, box, width):
            chips -= 1
        wide = (width - (chips - 1) * 4) / chips
        rows = -(-len(kinds) // chips)
        tall = min(TALLEST_CHIP, box.rows * CHIP / max(1, rows)) - 4
        for kind, (left, top) in zip(by_colour, grid(len(kinds), chips, x, y, wide, tall, 4), strict=True):
            self.chip(kind, left, top, wide, tall)

    def too_long(self, kinds: list[int], box: Box, width: float) -> bool:
        """Whether a name would be cut with so many labels side by side."""
        wide = (width - (box.chips - 1) * 4) / box.chips
        tall = min(TALLEST_CHIP, box.rows * CHIP / max(1, -(-len(kinds) // box.chips))) - 4
        if tall >= TWO_LINES:
            return False
        trial, size = Canvas(1, 1, "", PALETTE), min(15.0, tall - 3)
        return any(
            text_width(kind_name(self.all_tables, kind), LEAST)
            > wide - 9 - draw_effects(trial, 0, 0, size, self.tables, kind, brief=True)
            for kind in kinds
        )

    def colour(self, kind: int) -> str:
        return s.COLOURS[int(self.tables["colour"][kind])]

    def chip(
        self, kind: int, x: float, y: float, width: float, tall: float = CHIP - 4, *, in_hand: bool = False
    ) -> None:
        """A card as a label: filled in a city, framed in a hand."""
        canvas, colour = self.canvas, self.colour(kind)
        trial = Canvas(1, 1, "", PALETTE)
        size = min(15.0, tall - 3)
        signs = draw_effects(trial, 0, 0, size, self.tables, kind, brief=True)
        name = kind_name(self.all_tables, kind)
        with canvas.group(hint=name):
            if in_hand:
                canvas.rect(x, y, width, CHIP - 4, "inset", "line", radius=4)
                canvas.rect(x, y, 7, CHIP - 4, colour, radius=2)
                canvas.text(x + 11, y + 12, name, 11, width=width - 14)
                return
            canvas.rect(x, y, width, tall, colour, radius=4)
            if tall >= TWO_LINES:
                line = 19 if tall >= TWO_LINES + 3 else 16  # of a low label the signs get more
                letters, ink = 12.5 if line > 16 else LEAST, INKS.get(colour, "white")
                canvas.text(x + 5, y + line - 4, name, letters, ink, width=width - 9)
                canvas.rect(x + 1.5, y + line, width - 3, tall - line - 1.5, "panel", radius=3)
                self.fitted_effects(x + 6, y + line + 2.5, width - 12, tall - line - 5.5, kind)
                return
            letters = 11 + (tall - CHIP + 4) / 8
            canvas.text(
                x + 5, y + tall / 2 + 4, name, letters, INKS.get(colour, "white"), width=width - signs - 9
            )
            draw_effects(
                canvas,
                x + width - signs,
                y + (tall - size) / 2,
                size,
                self.tables,
                kind,
                brief=True,
                on=colour,
            )

    def hand(self, seat: int) -> list[int]:
        found: list[int] = [int(kind) for kind in self.game["hands"][seat] if kind != s.NO_CARD]
        return found

    def open_hand(self, box: Box, x: float, y: float, width: float) -> None:
        hand = self.hand(box.seat)
        if not self.game["over"]:
            self.canvas.text(x, y + 10, "Hand" if hand else "No cards in hand", 11, "muted", bold=True)
        wide = (width - (box.chips - 1) * 4) / box.chips
        for kind, (left, top) in zip(
            hand, grid(len(hand), box.chips, x, y + 15, wide, CHIP - 4, 4), strict=True
        ):
            self.chip(kind, left, top, wide, in_hand=True)

    def foot(self, seat: int, x: float, y: float, width: float) -> None:
        """What the seat did last or is about to do, and its points by category."""
        canvas = self.canvas
        words = self.latest(seat)
        if words:
            canvas.text(x, y + 6, words, 11.5, "muted", italic=True, width=width)
        points_bar(canvas, x, y + 12, width, CATEGORIES, self.scores, seat, CATEGORY_COLOURS, 60)

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
        kind, use = divmod(action - s.CARD_ACTIONS, s.USES)
        name = kind_name(self.all_tables, kind)
        if use == s.BUILD:
            return f"{'built' if past else 'build'} {name}"
        card = name if open_card else "a card"
        if use == s.STAGE:
            return f"{'built' if past else 'build'} a wonder stage with {card}"
        return f"{'sold' if past else 'sell'} {card}"
