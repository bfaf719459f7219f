"""The table as a picture: one self-contained SVG.

The places with everybody's people on them, the four cards and the piles of tiles, and around them a panel for every
seat, where it sits: people, food, agriculture, resources, tools, the lower halves of its cards, points. From a seat's
view, below, what it may choose; the extra cards of the others are left out, in their points too.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.game import CUT_OFF
from antiquity.render.parts import around, ink_on, winners
from antiquity.render.reading import points
from antiquity.render.svg import AFTER, Canvas, grid, text_width
from stone_age_env import state as s
from stone_age_env.actions import card_name, describe, tile_name
from stone_age_env.data.tables import FIXED
from stone_age_env.rules.scoring import CATEGORIES

from .choices import NARROW, ROOMY, TARGET, Choices
from .panels import panel_height
from .rolls import roll
from .signs import GAP, MARGIN, WIDTH
from .text import ASKED, seen

_PLACE_HEIGHT: Final = 118
_OFFER_HEIGHT: Final = 132
PALETTE: Final = {
    "wood": ("#8a5a2b", "#a06b36"),
    "clay": ("#b5502f", "#bd5733"),
    "stone": ("#6f767d", "#6f767d"),
    "gold": ("#d9a520", "#d3a226"),
    "food": ("#4f7a2c", "#55802f"),
    "tool": ("#5a5346", "#766e60"),
    "card": ("#2f6db5", "#3571b8"),
    "culture": ("#2f8048", "#328449"),
    "people": ("#94683c", "#94683c"),
    "hunger": ("#555555", "#707070"),
}
_PLACE_FILLS: Final = ("tool", "food", "people", "wood", "clay", "stone", "gold", "food")


def draw(
    games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None, width: int = WIDTH
) -> str:
    """The table as SVG: all open for ``seat=None``, else what that seat sees, with its legal actions marked.

    `width`: of the drawing, laid out so that nothing in it has to be scaled down.
    """
    return _Picture(games, index, tables, seat, width).svg()


class _Picture(Choices):
    def __init__(
        self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None, width: int
    ) -> None:
        super().__init__(games, index, tables, seat)
        shown = seen(games, index, tables, seat)
        self.now: Any = shown[0]
        self.scores = points(shown, 0, tables, len(CATEGORIES))[: self.players]
        self.width, self.narrow = width, width < NARROW
        self.columns = 8 if width >= ROOMY else 2 if self.narrow else 4
        self.tile = (width - 2 * MARGIN - (self.columns - 1) * GAP) / self.columns
        self.button = TARGET if self.narrow else 20
        self.tall_place = _PLACE_HEIGHT + (14 if self.narrow else 0)
        self.tall_offer = _OFFER_HEIGHT + (24 if self.narrow else 0)
        own = 0 if seat is None else seat
        *behind, near = around(self.players, own)
        top = 56.0 if width >= ROOMY else 84.0
        self.choice_top = top
        if self.narrow and seat is not None:
            top += self.choice_height() + GAP
        self.seats: list[tuple[int, float, float, float]] = []
        if not self.narrow:
            top = self.sit(behind, top)
        self.places_top = top
        rows = 8 // self.columns
        self.offers_top = top + rows * (self.tall_place + GAP)
        top = self.offers_top + rows * (self.tall_offer + GAP)
        if self.narrow:
            others = [*(other for other in near if other != own), *(other for row in behind for other in row)]
            top = self.sit([[own], *([other] for other in others)], top)
        else:
            apart = width < ROOMY and self.players > 2
            top = self.sit([[near[0], near[-1]], [own]] if apart else [near], top)
            self.choice_top = top
            if seat is not None:
                top += self.choice_height()
        self.canvas = Canvas(width, top + 4, f"Stone Age, {self.players} players: {self.headline()}", PALETTE)

    def sit(self, rows: list[list[int]], top: float) -> float:
        """Places panels in rows; where the next thing comes."""
        for row in rows:
            wide = (self.width - 2 * MARGIN - (len(row) - 1) * GAP) / len(row)
            for place, seat in enumerate(row):
                self.seats.append((seat, MARGIN + place * (wide + GAP), top, wide))
            top += panel_height(wide) + GAP
        return top

    def svg(self) -> str:
        self.header()
        corners = list(grid(8, self.columns, MARGIN, self.places_top, self.tile, self.tall_place, GAP))
        for place in range(s.CARD_SPOT):
            self.place(place, *corners[place])
        corners = list(grid(8, self.columns, MARGIN, self.offers_top, self.tile, self.tall_offer, GAP))
        for spot in range(s.SPOTS):
            # As on the board, the dearest card is on the left.
            self.card(spot, *corners[s.SPOTS - 1 - spot])
        for pile in range(s.PILES):
            self.pile(pile, *corners[s.SPOTS + pile])
        for seat, x, y, wide in self.seats:
            self.player(seat, x, y, wide)
        if self.seat is not None:
            self.choices(MARGIN, self.choice_top)
        return self.canvas.svg()

    # --- the head ---

    def headline(self) -> str:
        game = self.game
        if game["over"]:
            if game["over"] == CUT_OFF:
                return f"Cut off after {int(game['round']) + 1} rounds"
            return winners(self.scores, int(game["forfeits"]))
        phase = int(game["phase"])
        words = f"Seat {self.decider()} {ASKED[s.PHASES[phase]]}"
        if phase == s.TOOLS:
            thrown = f"{int(game['total'])}" if self.narrow else roll(game)
            return f"{words}: {thrown} for {s.GOODS[int(game['gather'])]}"
        if phase == s.PAY:
            what = "its food" if game["place"] == s.FEEDING else f"the {s.PLACES[int(game['place'])]}"
            return f"{words} {int(game['pay_left'])} more for {what}"
        if phase == s.FEED:
            return f"{words} by {int(game['pay_left'])}"
        return words

    def header(self) -> None:
        canvas, game = self.canvas, self.game
        size = 18 if self.narrow else 22
        x = MARGIN + canvas.text(MARGIN + 2, 36, "Stone Age", size, bold=True) * (1 + AFTER) + 12
        x += canvas.text(x, 35.5, f"round {int(game['round']) + 1}", 15, bold=True) * (1 + AFTER) + 12
        view = "all open" if self.seat is None else f"seen by seat {self.seat}"
        left = s.CARDS - int(game["deck_next"])
        right = f"{left} {'card' if left == 1 else 'cards'} in the deck  ·  {view}"
        if self.narrow:
            right = f"deck {left}  ·  {'all open' if self.seat is None else f'seat {self.seat}'}"
        if self.width < ROOMY:
            canvas.text(
                self.width - MARGIN, 35, right, 12, "muted", anchor="end", width=self.width - MARGIN - x
            )
            canvas.text(
                MARGIN + 2, 66, self.headline(), 15, "accent", bold=True, width=self.width - 2 * MARGIN
            )
            return
        canvas.text(self.width - MARGIN, 35, right, 12, "muted", anchor="end")
        room = self.width - MARGIN - text_width(right, 12) - 20 - x
        canvas.text(x, 35.5, self.headline(), 15, "accent", bold=True, width=room)

    # --- the board ---

    def people(self, place: int, x: float, y: float, width: float) -> None:
        """The people at a place, in the colours of their seats; many as one with a number."""
        canvas, there = self.canvas, self.people_at(place)
        room = width / max(1, sum(number for _, number in there))
        at = x
        for seat, number in there:
            with canvas.group(hint=f"seat {seat}: {number}"):
                if room >= 13:
                    for _ in range(number):
                        canvas.sign("person", at, y, 15, f"seat{seat}")
                        at += 15
                else:
                    canvas.sign("person", at, y, 15, f"seat{seat}")
                    at += 16 + canvas.text(at + 16, y + 12.5, str(number), 12.5, bold=True) + 3

    def box(self, x: float, y: float, height: float, fill: str, title: str, *, active: bool) -> None:
        """A place with its title."""
        canvas = self.canvas
        canvas.rect(
            x,
            y,
            self.tile,
            height,
            "panel",
            "accent" if active else "line",
            radius=8,
            line=2.5 if active else 1,
        )
        canvas.rect(x + 1, y + 1, self.tile - 2, 24, fill, radius=7)
        canvas.text(x + 9, y + 18, title, 13, ink_on(fill), bold=True, width=self.tile - 40)

    def numbers(self, x: float, y: float, width: float, actions: list[int], labels: list[str]) -> None:
        """Small buttons in a row, each with an action of its own."""
        assert self.seat is not None
        count = len(actions)
        wide = min(width, (width - (count - 1) * 3) / max(1, count))
        for place, (action, label) in enumerate(zip(actions, labels, strict=True)):
            words = describe(self.games, self.index, self.all_tables, self.seat, action)
            with self.canvas.group([action], words):
                self.canvas.chip(
                    x + place * (wide + 3),
                    y,
                    wide,
                    self.button,
                    label,
                    "accent",
                    "on-accent",
                    size=11.5,
                    bold=True,
                    edge=4 if wide > 30 else 0,
                )

    def place(self, place: int, x: float, y: float) -> None:
        canvas, game = self.canvas, self.game
        if place < s.FOREST:
            low = high = s.PLACE_ACTIONS + place
        elif place < s.HUNT:
            low = s.PLACE_RESOURCE + s.RINGS * (place - s.FOREST)
            high = low + s.RINGS - 1
        else:
            low, high = s.PLACE_HUNT, s.PLACE_CARD - 1
        able = [action for action in self.legal if low <= action <= high]
        resolve = s.RESOLVE_ACTIONS + place
        if resolve in self.legal:
            able.append(resolve)
        active = int(game["place"]) == place and int(game["phase"]) in (s.TOOLS, s.PAY) and not game["over"]
        with canvas.group(able, hint=s.PLACES[place]):
            self.box(x, y, self.tall_place, _PLACE_FILLS[place], s.PLACES[place], active=active or bool(able))
            if place == s.TOOL_MAKER:
                words = "raise a tool"
            elif place == s.FIELD:
                words = "agriculture +1"
            elif place == s.HUT:
                words = "2 make 1 more"
            else:
                good = place - s.FOREST + 1 if place < s.HUNT else 0
                words = f"1 {s.GOODS[good]} for each {int(self.tables['divisor'][good])}"
            canvas.text(x + 9, y + 43, words, 11.5, "muted", width=self.tile - 18)
            self.people(place, x + 9, y + 53, self.tile - 18)
            if able:
                if able == [resolve]:
                    labels = ["resolve"]
                elif place < s.FOREST:
                    labels = ["place 2" if place == s.HUT else "place 1"]
                else:
                    labels = [str(action - low + 1) for action in able]
                bottom = y + self.tall_place - 7 - self.button
                if self.narrow and len(able) > 2:
                    # Fingers point at the place, and choose the number from the page's menu.
                    words = f"place {labels[0]} to {labels[-1]}"
                    canvas.chip(
                        x + 8,
                        bottom,
                        self.tile - 16,
                        self.button,
                        words,
                        "accent",
                        "on-accent",
                        size=12,
                        bold=True,
                    )
                    return
                # Up to ten numbers: in two rows where they are many.
                half = 5 if len(able) > 7 else len(able)
                self.numbers(
                    x + 8,
                    bottom - (22 if len(able) > half else 0),
                    self.tile - 16,
                    able[:half],
                    labels[:half],
                )
                if len(able) > half:
                    self.numbers(x + 8, bottom, self.tile - 16, able[half:], labels[half:])

    def card(self, spot: int, x: float, y: float) -> None:
        canvas, card = self.canvas, int(self.game["open"][spot])
        name = f"card for {spot + 1}"
        if card == s.NO_CARD:
            canvas.rect(x, y, self.tile, self.tall_offer, "inset", "line", radius=8, dashed=True)
            canvas.text(
                x + self.tile / 2, y + 70, f"{name}: taken", 11.5, "muted", anchor="middle", italic=True
            )
            return
        able = [
            action
            for action in (s.PLACE_CARD + spot, s.BUY_CARD + spot, s.DECLINE_CARD + spot)
            if action in self.legal
        ]
        active = bool(able) or (
            int(self.game["place"]) == s.CARD_SPOT + spot and int(self.game["phase"]) == s.PAY
        )
        with canvas.group(able, hint=card_name(self.all_tables, card)):
            self.box(x, y, self.tall_offer, "card", name, active=active)
            self.top(card, x + 9, y + 34)
            canvas.line(x + 8, y + 62, x + self.tile - 8, y + 62)
            self.bottom(card, x + 9, y + 67)
            self.people(s.CARD_SPOT + spot, x + 9, y + 89, self.tile - 18)
            labels = {s.PLACE_CARD: "place 1", s.BUY_CARD: "buy", s.DECLINE_CARD: "decline"}
            self.numbers_if(x, y, able, [labels[action - spot] for action in able])

    def numbers_if(self, x: float, y: float, able: list[int], labels: list[str]) -> None:
        if not able:
            return
        bottom = y + self.tall_offer - 7 - self.button
        if self.narrow and len(able) > 3:
            self.canvas.chip(
                x + 8,
                bottom,
                self.tile - 16,
                self.button,
                "build or decline",
                "accent",
                "on-accent",
                size=12,
                bold=True,
            )
            return
        self.numbers(x + 8, bottom, self.tile - 16, able, labels)

    def pile(self, pile: int, x: float, y: float) -> None:
        canvas, game = self.canvas, self.game
        left = int(game["pile_left"][pile])
        if pile >= self.players or not left:
            words = "not in play" if pile >= self.players else f"pile {pile}: empty"
            canvas.rect(x, y, self.tile, self.tall_offer, "inset", "line", radius=8, dashed=True)
            canvas.text(x + self.tile / 2, y + 70, words, 11.5, "muted", anchor="middle", italic=True)
            return
        kind = int(game["piles"][pile, left - 1]) - 1
        first = s.BUILD + s.MAX_PIECES * pile
        able = [
            action
            for action in (
                s.PLACE_BUILDING + pile, *range(first, first + s.MAX_PIECES), s.DECLINE_BUILDING + pile,
            )
            if action in self.legal
        ]  # fmt: skip
        active = bool(able) or (int(game["place"]) == s.BUILDING + pile and int(game["phase"]) == s.PAY)
        with canvas.group(able, hint=tile_name(self.all_tables, kind)):
            self.box(x, y, self.tall_offer, "wood", f"pile {pile}", active=active)
            self.people(s.BUILDING + pile, x + 9, y + 89, self.tile - 70)
            table = self.tables
            if int(table["tile_mode"][kind]) == FIXED:
                at = x + 9
                for name, number in zip(s.RESOURCES, table["tile_cost"][kind], strict=True):
                    for _ in range(int(number)):
                        self.token(at, y + 36, 20, name)
                        at += 23
                canvas.sign("seal", x + 9, y + 62, 26, "points")
                value = str(int(table["tile_points"][kind]))
                canvas.text(x + 22, y + 80, value, 14, "white", anchor="middle", bold=True)
            else:
                canvas.text(
                    x + 9, y + 51, tile_name(self.all_tables, kind), 14, bold=True, width=self.tile - 18
                )
                canvas.text(x + 9, y + 75, "worth what is paid", 11.5, "muted", width=self.tile - 18)
            canvas.text(x + self.tile - 9, y + 99, f"{left} left", 11.5, "muted", anchor="end")
            labels = []
            for action in able:
                if action == s.PLACE_BUILDING + pile:
                    labels.append("place 1")
                elif action == s.DECLINE_BUILDING + pile:
                    labels.append("decline" if len(able) < 4 else "x")
                else:
                    labels.append("build" if len(able) == 2 else str(action - first + 1))
            self.numbers_if(x, y, able, labels)
