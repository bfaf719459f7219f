"""The table as a picture: one self-contained SVG.

The places with everybody's people on them, the four cards and the piles of tiles, then a panel for every seat: people,
food, agriculture, resources, tools, the lower halves of its cards, points. From a seat's view, below, what it may
choose; the extra cards of the others are left out, in their points too.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.show.parts import ink_on, places, points_bar, results, winners
from antiquity.show.reading import legal_actions
from antiquity.show.svg import Canvas, grid, text_width

from .actions import DIE_NAMES, card_name, describe, tile_name
from .checks import TOPS
from .drawing import points, seen
from .scoring import CATEGORIES
from .state import (
    BUILD,
    BUILDING,
    BUY_CARD,
    CARD_SPOT,
    CARDS,
    CASH,
    COUNTS,
    CUT_OFF,
    DECLINE_BUILDING,
    DECLINE_CARD,
    FEED,
    FEED_NOTHING,
    FEED_RESOURCES,
    FEEDING,
    FIELD,
    FOREST,
    GOODS,
    HUNT,
    HUT,
    LOTTERY,
    MAX_LEGAL,
    MAX_PIECES,
    MAX_SEATS,
    MAX_TOOL,
    NO_CARD,
    PAIRS,
    PAY,
    PAY_COUNT,
    PERSONS,
    PHASES,
    PILES,
    PLACE_ACTIONS,
    PLACE_BUILDING,
    PLACE_CARD,
    PLACE_HUNT,
    PLACE_RESOURCE,
    PLACES,
    RESOLVE_ACTIONS,
    RESOURCES,
    RINGS,
    SPOTS,
    STOP,
    SYMBOLS,
    TAKE_DIE,
    TOOL_MAKER,
    TOOLS,
    USE_ONE_USE,
    USE_TOOL,
)
from .tables import FIXED

WIDTH: Final = 1280
_MARGIN: Final = 14
_GAP: Final = 10
_TILE: Final = (WIDTH - 2 * _MARGIN - 7 * _GAP) / 8
_PLACE_HEIGHT: Final = 118
_OFFER_HEIGHT: Final = 132
_PANEL_HEIGHT: Final = 246
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
_CATEGORY_COLOURS: Final = {
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
_PERSON_FILLS: Final = ("food", "tool", "clay", "stone")
_ASKED: Final = {
    "place": "places people",
    "resolve": "resolves its places",
    "tools": "may add tools",
    "lottery": "takes a die",
    "feed": "is short of food",
    "pay": "pays",
}


def draw(games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None) -> str:
    """The table as SVG: all open for ``seat=None``, else what that seat sees, with its legal actions marked."""
    return _Picture(games, index, tables, seat).svg()


class _Picture:
    def __init__(self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> None:
        self.games, self.index, self.all_tables, self.seat = games, index, tables, seat
        self.game: Any = games[index]
        self.tables: Any = tables[0]
        self.players = int(self.game["num_players"])
        shown = seen(games, index, tables, seat)
        self.now: Any = shown[0]
        self.scores = points(shown, 0, tables)[: self.players]
        self.legal = [] if seat is None else legal_actions(games, index, tables, seat, MAX_LEGAL)
        self.offers_top = 56 + _PLACE_HEIGHT + _GAP
        self.seats_top = self.offers_top + _OFFER_HEIGHT + _GAP
        self.choice_top = self.seats_top + _PANEL_HEIGHT + _GAP
        height = self.choice_top + (4 if seat is None else _CHOICE_HEIGHT)
        self.panel_width = (WIDTH - 2 * _MARGIN - (self.players - 1) * _GAP) / self.players
        self.canvas = Canvas(WIDTH, height, f"Stone Age, {self.players} players: {self.headline()}", PALETTE)

    def svg(self) -> str:
        self.header()
        for place in range(CARD_SPOT):
            self.place(place, _MARGIN + place * (_TILE + _GAP), 56)
        for spot in range(SPOTS):
            # As on the board, the dearest card is on the left.
            self.card(spot, _MARGIN + (SPOTS - 1 - spot) * (_TILE + _GAP), self.offers_top)
        for pile in range(PILES):
            self.pile(pile, _MARGIN + (SPOTS + pile) * (_TILE + _GAP), self.offers_top)
        corners = grid(
            self.players, self.players, _MARGIN, self.seats_top, self.panel_width, _PANEL_HEIGHT, _GAP
        )
        for seat, (x, y) in enumerate(corners):
            self.player(seat, x, y)
        if self.seat is not None:
            self.choices(_MARGIN, self.choice_top)
        return self.canvas.svg()

    # --- the head ---

    def decider(self) -> int:
        """The seat that decides; -1 when nobody does."""
        bits = int(self.game["deciders"])
        return bits.bit_length() - 1 if bits else -1

    def headline(self) -> str:
        game = self.game
        if game["over"]:
            if game["over"] == CUT_OFF:
                return f"Cut off after {int(game['round']) + 1} rounds"
            return winners(self.scores, int(game["forfeits"]))
        phase = int(game["phase"])
        words = f"Seat {self.decider()} {_ASKED[PHASES[phase]]}"
        if phase == TOOLS:
            return f"{words}: {int(game['total'])} so far for {GOODS[int(game['gather'])]}"
        if phase == PAY:
            what = "its food" if game["place"] == FEEDING else f"the {PLACES[int(game['place'])]}"
            return f"{words} {int(game['pay_left'])} more for {what}"
        if phase == FEED:
            return f"{words} by {int(game['pay_left'])}"
        return words

    def header(self) -> None:
        canvas, game = self.canvas, self.game
        x = _MARGIN + canvas.text(_MARGIN + 2, 36, "Stone Age", 22, bold=True) + 18
        x += canvas.text(x, 35.5, f"round {int(game['round']) + 1}", 15, bold=True) + 18
        view = "all open" if self.seat is None else f"seen by seat {self.seat}"
        left = CARDS - int(game["deck_next"])
        right = f"{left} {'card' if left == 1 else 'cards'} in the deck  ·  {view}"
        canvas.text(WIDTH - _MARGIN, 35, right, 12, "muted", anchor="end")
        room = WIDTH - _MARGIN - text_width(right, 12) - 20 - x
        canvas.text(x, 35.5, self.headline(), 15, "accent", bold=True, width=room)

    # --- the board ---

    def people_at(self, place: int) -> list[tuple[int, int]]:
        """Who is at a place: seats and numbers."""
        there = [(seat, int(self.game["placed"][seat, place])) for seat in range(self.players)]
        return [(seat, number) for seat, number in there if number]

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
            x, y, _TILE, height, "panel", "accent" if active else "line", radius=8, line=2.5 if active else 1
        )
        canvas.rect(x + 1, y + 1, _TILE - 2, 24, fill, radius=7)
        canvas.text(x + 9, y + 18, title, 13, ink_on(fill), bold=True, width=_TILE - 40)

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
        if place < FOREST:
            low = high = PLACE_ACTIONS + place
        elif place < HUNT:
            low = PLACE_RESOURCE + RINGS * (place - FOREST)
            high = low + RINGS - 1
        else:
            low, high = PLACE_HUNT, PLACE_CARD - 1
        able = [action for action in self.legal if low <= action <= high]
        resolve = RESOLVE_ACTIONS + place
        if resolve in self.legal:
            able.append(resolve)
        active = int(game["place"]) == place and int(game["phase"]) in (TOOLS, PAY) and not game["over"]
        with canvas.group(able, hint=PLACES[place]):
            self.box(x, y, _PLACE_HEIGHT, _PLACE_FILLS[place], PLACES[place], active=active or bool(able))
            if place == TOOL_MAKER:
                words = "raise a tool"
            elif place == FIELD:
                words = "agriculture +1"
            elif place == HUT:
                words = "2 people make 1 more"
            else:
                good = place - FOREST + 1 if place < HUNT else 0
                words = f"1 {GOODS[good]} for each {int(self.tables['divisor'][good])}"
            canvas.text(x + 9, y + 43, words, 11.5, "muted", width=_TILE - 18)
            self.people(place, x + 9, y + 53, _TILE - 18)
            if able:
                if able == [resolve]:
                    labels = ["resolve"]
                elif place < FOREST:
                    labels = ["place 2" if place == HUT else "place 1"]
                else:
                    labels = [str(action - low + 1) for action in able]
                # Up to ten numbers: in two rows where they are many.
                half = 5 if len(able) > 7 else len(able)
                bottom = y + _PLACE_HEIGHT - 27
                self.numbers(
                    x + 8, bottom - (22 if len(able) > half else 0), _TILE - 16, able[:half], labels[:half]
                )
                if len(able) > half:
                    self.numbers(x + 8, bottom, _TILE - 16, able[half:], labels[half:])

    def card(self, spot: int, x: float, y: float) -> None:
        canvas, card = self.canvas, int(self.game["open"][spot])
        name = f"card for {spot + 1}"
        if card == NO_CARD:
            canvas.rect(x, y, _TILE, _OFFER_HEIGHT, "inset", "line", radius=8, dashed=True)
            canvas.text(x + _TILE / 2, y + 70, f"{name}: taken", 11.5, "muted", anchor="middle", italic=True)
            return
        able = [
            action
            for action in (PLACE_CARD + spot, BUY_CARD + spot, DECLINE_CARD + spot)
            if action in self.legal
        ]
        active = bool(able) or (
            int(self.game["place"]) == CARD_SPOT + spot and int(self.game["phase"]) == PAY
        )
        with canvas.group(able, hint=card_name(self.all_tables, card)):
            self.box(x, y, _OFFER_HEIGHT, "card", name, active=active)
            self.top(card, x + 9, y + 34)
            canvas.line(x + 8, y + 62, x + _TILE - 8, y + 62)
            self.bottom(card, x + 9, y + 67)
            self.people(CARD_SPOT + spot, x + 9, y + 89, _TILE - 18)
            labels = {PLACE_CARD: "place 1", BUY_CARD: "buy", DECLINE_CARD: "decline"}
            self.numbers_if(x, y, able, [labels[action - spot] for action in able])

    def numbers_if(self, x: float, y: float, able: list[int], labels: list[str]) -> None:
        if able:
            self.numbers(x + 8, y + _OFFER_HEIGHT - 27, _TILE - 16, able, labels)

    def token(self, x: float, y: float, size: float, good: str) -> None:
        """A good: a leaf for food, a block for a resource."""
        if good == "food":
            self.canvas.sign("drop", x, y, size, "food")
        else:
            self.canvas.rect(x, y, size, size, good, "line", radius=size / 5)
            self.canvas.text(
                x + size / 2,
                y + size * 0.76,
                good[0].upper(),
                size * 0.72,
                ink_on(good),
                anchor="middle",
                bold=True,
            )

    def top(self, card: int, x: float, y: float) -> None:
        """The upper half of a card: what it brings at once."""
        canvas, table = self.canvas, self.tables
        kind = TOPS[int(table["top"][card])]
        what, number = int(table["top_what"][card]), int(table["top_n"][card])
        words = card_name(self.all_tables, card).split(" / ")[0]
        at = x
        if kind in ("food", "resource"):
            good = "food" if kind == "food" else RESOURCES[what]
            self.token(at, y, 20, good)
            at += 25
            words = f"{number} {good}"
        elif kind == "points":
            canvas.sign("seal", at, y, 21, "points")
            canvas.text(at + 10.5, y + 15.5, str(number), 13, "white", anchor="middle", bold=True)
            at += 26
            words = "points"
        elif kind in ("tool", "one_use_tool"):
            canvas.chip(at, y, 24, 20, "+1" if kind == "tool" else str(what), "tool", size=12, bold=True)
            at += 29
            words = "tool" if kind == "tool" else "tool, once"
        elif kind in ("lottery", "dice_resource"):
            canvas.rect(at, y, 20, 20, "white", "ink", radius=4)
            for across, down in ((5, 5), (15, 5), (10, 10), (5, 15), (15, 15)):
                canvas.circle(at + across, y + down, 1.8, "black")
            at += 25
            if kind == "dice_resource":
                self.token(at, y, 18, RESOURCES[what])
                at += 22
                words = "2 dice"
        elif kind == "agriculture":
            canvas.chip(at, y, 24, 20, "+1", "food", size=12, bold=True)
            at += 29
        canvas.text(at, y + 15, words, 12.5, width=x + _TILE - 18 - at)

    def bottom(self, card: int, x: float, y: float) -> None:
        """The lower half of a card: what it counts for at the end."""
        canvas, table = self.canvas, self.tables
        if int(table["symbol"][card]) != NO_CARD:
            canvas.chip(
                x, y, _TILE - 18, 20, SYMBOLS[int(table["symbol"][card])], "culture", size=12, bold=True
            )
            return
        person, number = int(table["person"][card]), int(table["figures"][card])
        words = f"{number} {PERSONS[person]}{'s' if number > 1 else ''}"
        canvas.chip(x, y, _TILE - 18, 20, words, _PERSON_FILLS[person], size=12, bold=True)

    def pile(self, pile: int, x: float, y: float) -> None:
        canvas, game = self.canvas, self.game
        left = int(game["pile_left"][pile])
        if pile >= self.players or not left:
            words = "not in play" if pile >= self.players else f"pile {pile}: empty"
            canvas.rect(x, y, _TILE, _OFFER_HEIGHT, "inset", "line", radius=8, dashed=True)
            canvas.text(x + _TILE / 2, y + 70, words, 11.5, "muted", anchor="middle", italic=True)
            return
        kind = int(game["piles"][pile, left - 1]) - 1
        first = BUILD + MAX_PIECES * pile
        able = [
            action
            for action in (
                PLACE_BUILDING + pile, *range(first, first + MAX_PIECES), DECLINE_BUILDING + pile,
            )
            if action in self.legal
        ]  # fmt: skip
        active = bool(able) or (int(game["place"]) == BUILDING + pile and int(game["phase"]) == PAY)
        with canvas.group(able, hint=tile_name(self.all_tables, kind)):
            self.box(x, y, _OFFER_HEIGHT, "wood", f"pile {pile}", active=active)
            self.people(BUILDING + pile, x + 9, y + 89, _TILE - 70)
            table = self.tables
            if int(table["tile_mode"][kind]) == FIXED:
                at = x + 9
                for name, number in zip(RESOURCES, table["tile_cost"][kind], strict=True):
                    for _ in range(int(number)):
                        self.token(at, y + 36, 20, name)
                        at += 23
                canvas.sign("seal", x + 9, y + 62, 26, "points")
                value = str(int(table["tile_points"][kind]))
                canvas.text(x + 22, y + 80, value, 14, "white", anchor="middle", bold=True)
            else:
                canvas.text(x + 9, y + 51, tile_name(self.all_tables, kind), 14, bold=True, width=_TILE - 18)
                canvas.text(x + 9, y + 75, "worth what is paid", 11.5, "muted", width=_TILE - 60)
            canvas.text(x + _TILE - 9, y + 99, f"{left} left", 11.5, "muted", anchor="end")
            labels = []
            for action in able:
                if action == PLACE_BUILDING + pile:
                    labels.append("place 1")
                elif action == DECLINE_BUILDING + pile:
                    labels.append("decline" if len(able) < 4 else "x")
                else:
                    labels.append("build" if len(able) == 2 else str(action - first + 1))
            self.numbers_if(x, y, able, labels)

    # --- a seat ---

    def player(self, seat: int, x: float, y: float) -> None:
        canvas, game, width = self.canvas, self.game, self.panel_width
        left, inner = x + 12, width - 24
        canvas.panel(x, y, width, _PANEL_HEIGHT, marked=seat == self.decider())
        canvas.sign("person", left, y + 8, 19, f"seat{seat}")
        at = left + 24 + canvas.text(left + 24, y + 24, f"Seat {seat}", 16, bold=True) + 7
        for words, fill, ink in self.tags(seat):
            wide = text_width(words, 10.5, True) + 12
            canvas.chip(at, y + 11, wide, 17, words, fill, ink, size=10.5, bold=True)
            at += wide + 5
        canvas.sign("seal", x + width - 32, y + 8, 20, "points")
        canvas.text(x + width - 38, y + 25, str(int(self.scores[seat, -2])), 19, anchor="end", bold=True)
        self.goods(seat, left, y + 38, inner)
        self.tools(seat, left, y + 70, inner)
        self.halves(seat, left, y + 103, inner)
        built, cards = int(game["buildings"][seat]), int(game["cards"][seat])
        extra = int(np.count_nonzero(game["owner"] == 1 + MAX_SEATS + seat))
        words = f"{built} {'building' if built == 1 else 'buildings'}, {cards} {'card' if cards == 1 else 'cards'}"
        if extra:
            hidden = self.seat not in (None, seat) and not game["over"]
            words += f", {extra} of them {'face down' if hidden else 'extra'}"
        canvas.text(left, y + _PANEL_HEIGHT - 30, words, 11.5, "muted", width=inner)
        points_bar(
            canvas, left, y + _PANEL_HEIGHT - 22, inner, CATEGORIES, self.scores, seat, _CATEGORY_COLOURS, 120
        )

    def tags(self, seat: int) -> list[tuple[str, str, str]]:
        found = []
        if seat == self.seat:
            found.append(("you", "ink", "panel"))
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
            canvas.text(x + 18, y + 17, people, 13.5, bold=True)
        for place, name in enumerate(("food", *RESOURCES)):
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
        for value in range(MAX_TOOL):
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

    def halves(self, seat: int, x: float, y: float, width: float) -> None:
        """The lower halves of the cards: symbols, then figures."""
        canvas, now = self.canvas, self.now
        columns = 3 if self.players == MAX_SEATS else 4
        wide, tall = (width - (columns - 1) * 4) / columns, 20 if columns == 3 else 27
        entries = [
            (name, int(number), "culture") for name, number in zip(SYMBOLS, now["culture"][seat], strict=True)
        ]
        entries += [
            (f"{name}s", int(number), fill)
            for name, number, fill in zip(PERSONS, now["figures"][seat], _PERSON_FILLS, strict=True)
        ]
        for (name, number, fill), (left, top) in zip(
            entries, grid(12, columns, x, y, wide, tall, 4), strict=True
        ):
            held = number > 0
            canvas.rect(left, top, wide, tall, fill if held else "inset", None if held else "line", radius=5)
            ink = ink_on(fill) if held else "muted"
            canvas.text(left + 6, top + tall / 2 + 4, name, 11.5, ink, width=wide - (24 if held else 10))
            if held:
                canvas.text(
                    left + wide - 6, top + tall / 2 + 4.5, str(number), 13.5, ink, anchor="end", bold=True
                )

    # --- what the seat may choose ---

    def choices(self, x: float, y: float) -> None:
        assert self.seat is not None
        canvas, seat = self.canvas, self.seat
        if self.game["over"]:
            names = [f"Seat {other}" for other in range(self.players)]
            results(
                canvas, x, y + 4, WIDTH - 2 * _MARGIN, names, CATEGORIES, self.scores, int(self.game["forfeits"]),
                _CATEGORY_COLOURS, seat,
            )  # fmt: skip
            return
        if not self.legal:
            canvas.text(x + 4, y + 22, f"Wait for seat {self.decider()}", 14, "muted", italic=True)
            return
        phase = PHASES[int(self.game["phase"])]
        title = {
            "place": "Place people on one of the framed places",
            "resolve": "Resolve one of the framed places",
            "tools": f"You have {int(self.game['total'])} for {GOODS[int(self.game['gather'])]}: add a tool?",
            "lottery": "Take one of the dice",
            "feed": f"You are short of {int(self.game['pay_left'])} food",
            "pay": f"You pay {int(self.game['pay_left'])} more: how many are {self.pay_kind()}?",
        }[phase]
        canvas.text(x + 4, y + 18, title, 15, bold=True)
        rest = [action for action in self.legal if action >= CASH]
        at, top = x + 4, y + 32
        for action in rest:
            words = self.short(action)
            wide = max(44.0, text_width(words, 13, True) + 26)
            if at + wide > WIDTH - _MARGIN:
                at, top = x + 4, top + 36
            hint = describe(self.games, self.index, self.all_tables, seat, action)
            with canvas.group([action], hint):
                canvas.chip(at, top, wide, 30, words, "accent", "on-accent", size=13, bold=True)
            at += wide + 8
        if int(self.game["phase"]) == LOTTERY:
            left = sum(int(number) for number in self.game["dice"])
            canvas.text(at + 6, top + 20, f"{left} dice are left", 12.5, "muted", italic=True)

    def pay_kind(self) -> str:
        return RESOURCES[int(self.game["pay_kind"])] if int(self.game["phase"]) == PAY else ""

    def short(self, action: int) -> str:
        """An action in few words, for a button."""
        if action < STOP:
            first, second = PAIRS[action - CASH]
            return f"free: {RESOURCES[first]} + {RESOURCES[second]}"
        if action == STOP:
            return "no more tools"
        if action < USE_ONE_USE:
            return f"tool {action - USE_TOOL + 1}"
        if action < TAKE_DIE:
            return f"one-use tool {action - USE_ONE_USE + 1}"
        if action < FEED_RESOURCES:
            return f"{action - TAKE_DIE + 1}: {DIE_NAMES[action - TAKE_DIE]}"
        if action == FEED_RESOURCES:
            return "pay with resources"
        if action == FEED_NOTHING:
            return f"go hungry, lose {int(self.tables['hunger_penalty'])} points"
        kind, number = divmod(action - PAY_COUNT, COUNTS)
        return f"{number} {RESOURCES[kind]}"
