"""The table as a picture: one self-contained SVG.

The places with everybody's people on them, the four cards and the piles of tiles, then a panel for every seat: people,
food, agriculture, resources, tools, the lower halves of its cards, points. From a seat's view, below, what it may
choose; the extra cards of the others are left out, in their points too.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.game import CUT_OFF
from antiquity.render.parts import ink_on, results, winners
from antiquity.render.reading import points
from antiquity.render.svg import Canvas, grid, text_width
from stone_age_env import state as s
from stone_age_env.actions import DIE_NAMES, card_name, describe, tile_name
from stone_age_env.data.tables import FIXED
from stone_age_env.rules.scoring import CATEGORIES

from .panels import CATEGORY_COLOURS, PANEL_HEIGHT, Panels
from .rolls import roll
from .signs import GAP, MARGIN, TILE, WIDTH
from .text import ASKED, seen

_PLACE_HEIGHT: Final = 118
_OFFER_HEIGHT: Final = 132
_CHOICE_HEIGHT: Final = 116
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


def draw(games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None) -> str:
    """The table as SVG: all open for ``seat=None``, else what that seat sees, with its legal actions marked."""
    return _Picture(games, index, tables, seat).svg()


class _Picture(Panels):
    def __init__(self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> None:
        super().__init__(games, index, tables, seat)
        shown = seen(games, index, tables, seat)
        self.now: Any = shown[0]
        self.scores = points(shown, 0, tables, len(CATEGORIES))[: self.players]
        self.offers_top = 56 + _PLACE_HEIGHT + GAP
        self.seats_top = self.offers_top + _OFFER_HEIGHT + GAP
        self.choice_top = self.seats_top + PANEL_HEIGHT + GAP
        height = self.choice_top + (4 if seat is None else _CHOICE_HEIGHT)
        self.panel_width = (WIDTH - 2 * MARGIN - (self.players - 1) * GAP) / self.players
        self.canvas = Canvas(WIDTH, height, f"Stone Age, {self.players} players: {self.headline()}", PALETTE)

    def svg(self) -> str:
        self.header()
        for place in range(s.CARD_SPOT):
            self.place(place, MARGIN + place * (TILE + GAP), 56)
        for spot in range(s.SPOTS):
            # As on the board, the dearest card is on the left.
            self.card(spot, MARGIN + (s.SPOTS - 1 - spot) * (TILE + GAP), self.offers_top)
        for pile in range(s.PILES):
            self.pile(pile, MARGIN + (s.SPOTS + pile) * (TILE + GAP), self.offers_top)
        corners = grid(
            self.players, self.players, MARGIN, self.seats_top, self.panel_width, PANEL_HEIGHT, GAP
        )
        for seat, (x, y) in enumerate(corners):
            self.player(seat, x, y)
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
            return f"{words}: {roll(game)} for {s.GOODS[int(game['gather'])]}"
        if phase == s.PAY:
            what = "its food" if game["place"] == s.FEEDING else f"the {s.PLACES[int(game['place'])]}"
            return f"{words} {int(game['pay_left'])} more for {what}"
        if phase == s.FEED:
            return f"{words} by {int(game['pay_left'])}"
        return words

    def header(self) -> None:
        canvas, game = self.canvas, self.game
        x = MARGIN + canvas.text(MARGIN + 2, 36, "Stone Age", 22, bold=True) + 18
        x += canvas.text(x, 35.5, f"round {int(game['round']) + 1}", 15, bold=True) + 18
        view = "all open" if self.seat is None else f"seen by seat {self.seat}"
        left = s.CARDS - int(game["deck_next"])
        right = f"{left} {'card' if left == 1 else 'cards'} in the deck  ·  {view}"
        canvas.text(WIDTH - MARGIN, 35, right, 12, "muted", anchor="end")
        room = WIDTH - MARGIN - text_width(right, 12) - 20 - x
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
            x, y, TILE, height, "panel", "accent" if active else "line", radius=8, line=2.5 if active else 1
        )
        canvas.rect(x + 1, y + 1, TILE - 2, 24, fill, radius=7)
        canvas.text(x + 9, y + 18, title, 13, ink_on(fill), bold=True, width=TILE - 40)

    def numbers(self, x: float, y: float, width: float, actions: list[int], labels: list[str]) -> None:
        """Small buttons in a row, each with an action of its own."""
        assert self.seat is not None
        count = len(actions)
        wide = min(width, (width - (count - 1) * 3) / max(1, count))
        for place, (action, label) in enumerate(zip(actions, labels, strict=True)):
            words = describe(self.games, self.index, self.all_tables, self.seat, action)
            with self.canvas.group([action], words):
                self.canvas.chip(
                    x + place * (wide + 3), y, wide, 20, label, "accent", "on-accent", size=11.5, bold=True
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
            self.box(x, y, _PLACE_HEIGHT, _PLACE_FILLS[place], s.PLACES[place], active=active or bool(able))
            if place == s.TOOL_MAKER:
                words = "raise a tool"
            elif place == s.FIELD:
                words = "agriculture +1"
            elif place == s.HUT:
                words = "2 people make 1 more"
            else:
                good = place - s.FOREST + 1 if place < s.HUNT else 0
                words = f"1 {s.GOODS[good]} for each {int(self.tables['divisor'][good])}"
            canvas.text(x + 9, y + 43, words, 11.5, "muted", width=TILE - 18)
            self.people(place, x + 9, y + 53, TILE - 18)
            if able:
                if able == [resolve]:
                    labels = ["resolve"]
                elif place < s.FOREST:
                    labels = ["place 2" if place == s.HUT else "place 1"]
                else:
                    labels = [str(action - low + 1) for action in able]
                # Up to ten numbers: in two rows where they are many.
                half = 5 if len(able) > 7 else len(able)
                bottom = y + _PLACE_HEIGHT - 27
                self.numbers(
                    x + 8, bottom - (22 if len(able) > half else 0), TILE - 16, able[:half], labels[:half]
                )
                if len(able) > half:
                    self.numbers(x + 8, bottom, TILE - 16, able[half:], labels[half:])

    def card(self, spot: int, x: float, y: float) -> None:
        canvas, card = self.canvas, int(self.game["open"][spot])
        name = f"card for {spot + 1}"
        if card == s.NO_CARD:
            canvas.rect(x, y, TILE, _OFFER_HEIGHT, "inset", "line", radius=8, dashed=True)
            canvas.text(x + TILE / 2, y + 70, f"{name}: taken", 11.5, "muted", anchor="middle", italic=True)
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
            self.box(x, y, _OFFER_HEIGHT, "card", name, active=active)
            self.top(card, x + 9, y + 34)
            canvas.line(x + 8, y + 62, x + TILE - 8, y + 62)
            self.bottom(card, x + 9, y + 67)
            self.people(s.CARD_SPOT + spot, x + 9, y + 89, TILE - 18)
            labels = {s.PLACE_CARD: "place 1", s.BUY_CARD: "buy", s.DECLINE_CARD: "decline"}
            self.numbers_if(x, y, able, [labels[action - spot] for action in able])

    def numbers_if(self, x: float, y: float, able: list[int], labels: list[str]) -> None:
        if able:
            self.numbers(x + 8, y + _OFFER_HEIGHT - 27, TILE - 16, able, labels)

    def pile(self, pile: int, x: float, y: float) -> None:
        canvas, game = self.canvas, self.game
        left = int(game["pile_left"][pile])
        if pile >= self.players or not left:
            words = "not in play" if pile >= self.players else f"pile {pile}: empty"
            canvas.rect(x, y, TILE, _OFFER_HEIGHT, "inset", "line", radius=8, dashed=True)
            canvas.text(x + TILE / 2, y + 70, words, 11.5, "muted", anchor="middle", italic=True)
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
            self.box(x, y, _OFFER_HEIGHT, "wood", f"pile {pile}", active=active)
            self.people(s.BUILDING + pile, x + 9, y + 89, TILE - 70)
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
                canvas.text(x + 9, y + 51, tile_name(self.all_tables, kind), 14, bold=True, width=TILE - 18)
                canvas.text(x + 9, y + 75, "worth what is paid", 11.5, "muted", width=TILE - 60)
            canvas.text(x + TILE - 9, y + 99, f"{left} left", 11.5, "muted", anchor="end")
            labels = []
            for action in able:
                if action == s.PLACE_BUILDING + pile:
                    labels.append("place 1")
                elif action == s.DECLINE_BUILDING + pile:
                    labels.append("decline" if len(able) < 4 else "x")
                else:
                    labels.append("build" if len(able) == 2 else str(action - first + 1))
            self.numbers_if(x, y, able, labels)

    # --- what the seat may choose ---

    def choices(self, x: float, y: float) -> None:
        assert self.seat is not None
        canvas, seat = self.canvas, self.seat
        if self.game["over"]:
            names = [f"Seat {other}" for other in range(self.players)]
            results(
                canvas, x, y + 4, WIDTH - 2 * MARGIN, names, CATEGORIES, self.scores, int(self.game["forfeits"]),
                CATEGORY_COLOURS, seat,
            )  # fmt: skip
            return
        if not self.legal:
            canvas.text(x + 4, y + 22, f"Wait for seat {self.decider()}", 14, "muted", italic=True)
            return
        phase = s.PHASES[int(self.game["phase"])]
        title = {
            "place": "Place people on one of the framed places",
            "resolve": "Resolve one of the framed places",
            "tools": f"You have {int(self.game['total'])} for {s.GOODS[int(self.game['gather'])]}: add a tool?",
            "lottery": "Take one of the dice",
            "feed": f"You are short of {int(self.game['pay_left'])} food",
            "pay": f"You pay {int(self.game['pay_left'])} more: how many are {self.pay_kind()}?",
        }[phase]
        canvas.text(x + 4, y + 18, title, 15, bold=True)
        rest = [action for action in self.legal if action >= s.CASH]
        at, top = x + 4, y + 32
        for action in rest:
            words = self.short(action)
            wide = max(44.0, text_width(words, 13, True) + 26)
            if at + wide > WIDTH - MARGIN:
                at, top = x + 4, top + 36
            hint = describe(self.games, self.index, self.all_tables, seat, action)
            with canvas.group([action], hint):
                canvas.chip(at, top, wide, 30, words, "accent", "on-accent", size=13, bold=True)
            at += wide + 8
        if int(self.game["phase"]) == s.LOTTERY:
            left = sum(int(number) for number in self.game["dice"])
            canvas.text(at + 6, top + 20, f"{left} dice are left", 12.5, "muted", italic=True)

    def pay_kind(self) -> str:
        return s.RESOURCES[int(self.game["pay_kind"])] if int(self.game["phase"]) == s.PAY else ""

    def short(self, action: int) -> str:
        """An action in few words, for a button."""
        if action < s.STOP:
            first, second = s.PAIRS[action - s.CASH]
            return f"free: {s.RESOURCES[first]} + {s.RESOURCES[second]}"
        if action == s.STOP:
            return "no more tools"
        if action < s.USE_ONE_USE:
            return f"tool {action - s.USE_TOOL + 1}"
        if action < s.TAKE_DIE:
            return f"one-use tool {action - s.USE_ONE_USE + 1}"
        if action < s.FEED_RESOURCES:
            return f"{action - s.TAKE_DIE + 1}: {DIE_NAMES[action - s.TAKE_DIE]}"
        if action == s.FEED_RESOURCES:
            return "pay with resources"
        if action == s.FEED_NOTHING:
            return f"go hungry, lose {int(self.tables['hunger_penalty'])} points"
        kind, number = divmod(action - s.PAY_COUNT, s.COUNTS)
        return f"{number} {s.RESOURCES[kind]}"
