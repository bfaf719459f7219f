"""What a picture shows of a seat: its panel with people, goods, tools and the lower halves of its cards."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.render.parts import ink_on, places, points_bar
from antiquity.render.reading import legal_actions
from antiquity.render.svg import AFTER, grid, text_width
from stone_age_env import state as s
from stone_age_env.rules.scoring import CATEGORIES

from .signs import PERSON_FILLS, Signs

WIDE: Final = 900
"""A panel wider than this is flat, with everything side by side."""
CATEGORY_COLOURS: Final = {
    "buildings": "wood",
    "cards": "card",
    "hunger": "hunger",
    "culture": "culture",
    "farmers": "food",
    "toolmakers": "tool",
    "builders": "clay",
    "shamans": "stone",
    "resources": "gold",
}


def panel_height(width: float) -> float:
    """The height of a panel of that width."""
    return 126 if width > WIDE else 246


class Panels(Signs):
    """Draws what belongs to one seat; the picture that extends it says where, and sets what is only declared here."""

    now: Any
    scores: np.ndarray

    def __init__(self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> None:
        self.games, self.index, self.all_tables, self.seat = games, index, tables, seat
        self.game: Any = games[index]
        self.tables: Any = tables[0]
        self.players = int(self.game["num_players"])
        self.legal = [] if seat is None else legal_actions(games, index, tables, seat, s.MAX_LEGAL)

    def decider(self) -> int:
        """The seat that decides; -1 when nobody does."""
        bits = int(self.game["deciders"])
        return bits.bit_length() - 1 if bits else -1

    def people_at(self, place: int) -> list[tuple[int, int]]:
        """Who is at a place: seats and numbers."""
        there = [(seat, int(self.game["placed"][seat, place])) for seat in range(self.players)]
        return [(seat, number) for seat, number in there if number]

    # --- a seat ---

    def player(self, seat: int, x: float, y: float, width: float) -> None:
        canvas, game, tall = self.canvas, self.game, panel_height(width)
        left, inner, flat = x + 12, width - 24, width > WIDE
        canvas.panel(x, y, width, tall, marked=seat == self.decider())
        canvas.sign("person", left, y + 8, 19, f"seat{seat}")
        at = left + 24 + canvas.text(left + 24, y + 24, f"Seat {seat}", 16, bold=True) * (1 + AFTER) + 5
        for words, fill, ink in self.tags(seat):
            wide = text_width(words, 10.5, True) + 12
            canvas.chip(at, y + 11, wide, 17, words, fill, ink, size=10.5, bold=True)
            at += wide + 5
        canvas.sign("seal", x + width - 32, y + 8, 20, "points")
        canvas.text(x + width - 38, y + 25, str(int(self.scores[seat, -2])), 19, anchor="end", bold=True)
        self.goods(seat, left, y + 38, inner * 0.36 if flat else inner)
        if flat:
            self.tools(seat, left + inner * 0.4, y + 37, inner * 0.3)
            self.halves(seat, left, y + 70, inner, 12)
        else:
            self.tools(seat, left, y + 70, inner)
            self.halves(seat, left, y + 103, inner, 4 if inner > 300 else 3)
        built, cards = int(game["buildings"][seat]), int(game["cards"][seat])
        extra = int(np.count_nonzero(game["owner"] == 1 + s.MAX_SEATS + seat))
        words = f"{built} {'building' if built == 1 else 'buildings'}, {cards} {'card' if cards == 1 else 'cards'}"
        if extra:
            hidden = self.seat not in (None, seat) and not game["over"]
            words += f", {extra} of them {'face down' if hidden else 'extra'}"
        if flat:
            canvas.text(x + width - 12, y + 54, words, 11.5, "muted", anchor="end", width=inner * 0.29)
        else:
            canvas.text(left, y + tall - 30, words, 11.5, "muted", width=inner)
        points_bar(canvas, left, y + tall - 22, inner, CATEGORIES, self.scores, seat, CATEGORY_COLOURS, 120)

    def tags(self, seat: int) -> list[tuple[str, str, str]]:
        found = []
        if seat == self.seat:
            found.append(("you", "ink", "panel"))
        elif self.seat is not None:
            steps = {"left": (self.seat + 1) % self.players, "right": (self.seat - 1) % self.players}
            sides = " and ".join(side for side, other in steps.items() if other == seat)
            found += [(sides, "inset", "ink")] if sides else []
        if seat == int(self.game["start"]):
            found.append(("start", "inset", "ink"))
        if self.game["over"]:
            place = places(self.scores, int(self.game["forfeits"]))[seat]
            found.append((f"{place}.", "accent", "on-accent"))
        return found

    def goods(self, seat: int, x: float, y: float, width: float) -> None:
        """People, food with agriculture, resources."""
        canvas, game = self.canvas, self.game
        step = width / 6
        with canvas.group(hint="people at home, of all"):
            canvas.sign("person", x, y + 2, 17, f"seat{seat}")
            people = f"{int(game['in_hand'][seat])}/{int(game['people'][seat])}"
            canvas.text(x + 20, y + 17, people, 13.5, bold=True, width=step - 12)
        for place, name in enumerate(("food", *s.RESOURCES)):
            at = x + (place + 1) * step + 12 - place * 2.4
            held = int(game["food"][seat]) if place == 0 else int(game["resources"][seat, place - 1])
            with canvas.group(hint=name):
                self.token(at, y + 2, 17, name)
                canvas.text(at + 20, y + 17, str(held), 14.5, bold=True, width=step - 21)

    def tools(self, seat: int, x: float, y: float, width: float) -> None:
        """Agriculture, tools (used ones dim), one-use tools, cards of free resources."""
        canvas, game = self.canvas, self.game
        with canvas.group(hint="agriculture"):
            canvas.chip(x, y, 60, 22, f"food +{int(game['agriculture'][seat])}", "food", size=11.5, bold=True)
        at = x + 67
        for value, used in zip(game["tools"][seat].tolist(), game["used"][seat].tolist(), strict=True):
            with canvas.group(
                hint="tool, used in this round" if used else "tool", opacity=0.4 if used else 1
            ):
                if value:
                    canvas.chip(at, y, 24, 22, str(value), "tool", size=13, bold=True)
                else:
                    canvas.rect(at, y, 24, 22, "inset", "line", radius=4, dashed=True)
            at += 27
        at += 5
        for value in range(s.MAX_TOOL):
            for _ in range(int(game["one_use"][seat, value])):
                with canvas.group(hint="tool that is used once"):
                    canvas.circle(at + 11, y + 11, 11, "tool")
                    canvas.text(at + 11, y + 15.5, str(value + 1), 13, "white", anchor="middle", bold=True)
                at += 25
        free = int(game["free_cards"][seat])
        if free:
            words = "2 free" if free == 1 else f"{free} x 2 free"
            with canvas.group(hint="card of two free resources"):
                canvas.chip(at + 2, y, min(74, x + width - at - 2), 22, words, "card", size=12, bold=True)

    def halves(self, seat: int, x: float, y: float, width: float, columns: int) -> None:
        """The lower halves of the cards: symbols, then figures."""
        canvas, now = self.canvas, self.now
        wide, tall = (width - (columns - 1) * 4) / columns, 20 if columns == 3 else 27
        entries = [
            (name, int(number), "culture")
            for name, number in zip(s.SYMBOLS, now["culture"][seat], strict=True)
        ]
        entries += [
            (f"{name}s", int(number), fill)
            for name, number, fill in zip(s.PERSONS, now["figures"][seat], PERSON_FILLS, strict=True)
        ]
        for (name, number, fill), (left, top) in zip(
            entries, grid(12, columns, x, y, wide, tall, 4), strict=True
        ):
            held = number > 0
            canvas.rect(left, top, wide, tall, fill if held else "inset", None if held else "line", radius=5)
            ink = ink_on(fill) if held else "muted"
            edge = 6 if wide > 80 else 3
            room = wide - edge - (14 if held else 4)
            canvas.text(left + edge, top + tall / 2 + 4, name, 11.5, ink, width=room)
            if held:
                canvas.text(
                    left + wide - edge,
                    top + tall / 2 + 4.5,
                    str(number),
                    13 if wide > 80 else 12,
                    ink,
                    anchor="end",
                    bold=True,
                )
