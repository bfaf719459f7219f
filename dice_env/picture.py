"""The table as a picture: one self-contained SVG.

The forum with its four quadrants, then a panel for every seat: the sheet with a box for every space (its cost above,
its effect below, crossed when used), coins, bonuses, special dice, points. From a seat's view its own sheet is large,
with what it may choose, and the others are as they stood at the start of the turn.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.game import CUT_OFF
from antiquity.show.parts import ink_on, places, points_bar, results, winners
from antiquity.show.reading import legal_actions
from antiquity.show.svg import Canvas, grid, text_width
from antiquity.tables import text

from .actions import _die_cost as die_cost_of
from .actions import action_name, describe, face_name
from .drawing import item_words, points, seen
from .scoring import CATEGORIES
from .state import (
    ACTION,
    ARGUMENT,
    BONUS_ACTIONS,
    BUILDINGS,
    COLOURS,
    CROSS,
    DICE,
    DIE_ACTIONS,
    DIE_COLOUR,
    FREE,
    GROUPS,
    KIND_MASK,
    MAX_LEGAL,
    NUM_BONUSES,
    PASS,
    SPACE_ACTIONS,
    SPECIAL_DIE,
    SPECIALS,
    STOP,
    WONDER,
)

WIDTH: Final = 1280
_MARGIN: Final = 14
_GAP: Final = 10
_FORUM: Final = 128
PALETTE: Final = {
    "grey": ("#6c747c", "#6e767f"),
    "green": ("#2f8048", "#328449"),
    "blue": ("#2f6db5", "#3a78c2"),
    "red": ("#b8332b", "#c23f37"),
    "yellow": ("#d9a520", "#cf9d1f"),
    "purple": ("#74459c", "#8252ac"),
    "gold": ("#b07d2b", "#b98a3a"),
    "teal": ("#1f7f86", "#1f7f86"),
    "wonder": ("#a3552a", "#a85a2b"),
}
_BUILDING_COLOURS: Final = {
    "warehouse": "grey",
    "agora": "blue",
    "market": "yellow",
    "barracks": "red",
    "university": "green",
    "guild_court": "purple",
    "gallery": "teal",
    "wonder": "wonder",
}
_CATEGORY_COLOURS: Final = {
    **{name: _BUILDING_COLOURS[name.split("_west")[0].split("_east")[0]] for name in CATEGORIES},
    "total": "points",
}
# Titles over the tracks of the sheet, in the order in which they are laid out.
_BLOCKS: Final = (
    ("warehouse", ("warehouse",)),
    ("wonder", ("wonder",)),
    ("agora", ("agora",)),
    ("west", ("west_attack", "west_defence")),
    ("east", ("east_attack", "east_defence")),
    ("market", ("market_left", "market_right")),
    ("guild court", ("guild_court",)),
    ("university", ("upper", "middle", "lower")),
    ("laurels", ("laurel",)),
    ("leaders", ("leaders",)),
)
_FACES: Final = {"coins7": "7 coins"}
_BONUSES: Final = {"again": "another action", "cross": "cross spaces", "coins": "coins"}

Block = tuple[str, str, list[list[int]]]
"""Title, colour, and the slots of each track."""


def draw(games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None) -> str:
    """The table as SVG: as it is now for ``seat=None``, else what that seat sees, with its legal actions marked."""
    return _Picture(games, index, tables, seat).svg()


def _die_fill(die: int) -> str:
    colour = COLOURS[DIE_COLOUR[die]]
    return colour if colour in PALETTE or colour in ("black", "white") else "grey"


class _Flow:
    """Where the spaces of a sheet lie, in rows as wide as there is room.

    Args:
        unit: width of a box with its gap.
        tall: height of a box.
    """

    def __init__(self, blocks: list[Block], width: float, unit: float, tall: float, label: float) -> None:
        self.unit, self.tall, self.label = unit, tall, label
        self.titles: list[tuple[str, float, float]] = []
        self.boxes: list[tuple[int, str, float, float]] = []
        pitch = tall + label + 6
        used: list[float] = []
        for title, colour, tracks in blocks:
            wide = max(sum(map(len, tracks)) * unit + 5 * (len(tracks) - 1), text_width(title, label) + 4)
            # The first row that has room for it.
            row = next((row for row, taken in enumerate(used) if taken + wide <= width), len(used))
            if row == len(used):
                used.append(0.0)
            at = used[row]
            used[row] += wide + 12
            self.titles.append((title, at, row * pitch))
            for track in tracks:
                for slot in track:
                    self.boxes.append((slot, colour, at, row * pitch + label + 3))
                    at += unit
                at += 5
        self.height = len(used) * pitch


class _Picture:
    def __init__(self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> None:
        self.games, self.index, self.all_tables, self.seat = games, index, tables, seat
        self.game: Any = games[index]
        self.tables: Any = tables[0]
        self.players = int(self.game["num_players"])
        shown = seen(games, index, seat)
        self.now: Any = shown[0]
        self.scores = points(shown, 0, tables)[: self.players]
        self.legal = [] if seat is None else legal_actions(games, index, tables, seat, MAX_LEGAL)
        self.panels = [other for other in range(self.players) if other != seat]
        count = len(self.panels)
        columns = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3, 7: 4}[count]
        rows = -(-count // columns)
        self.panel_width = (WIDTH - 2 * _MARGIN - (columns - 1) * _GAP) / columns
        unit = 21.0 if columns > 2 else 30.0 if columns == 2 else 44.0
        self.flows = [
            _Flow(self.blocks(board), self.panel_width - 24, unit, 30, 10)
            for board in range(len(self.tables["printed"]))
        ]
        self.panel_height = 66 + max(flow.height for flow in self.flows) + 42
        top = 56 + _FORUM + _GAP
        self.below = top + rows * (self.panel_height + _GAP)
        height = self.below + 4
        if seat is not None:
            self.own_flows = [
                _Flow(self.blocks(board), WIDTH - 2 * _MARGIN - 28, 42, 44, 12)
                for board in range(len(self.tables["printed"]))
            ]
            self.own_height = 112 + max(flow.height for flow in self.own_flows) + 36
            height = self.below + self.own_height + 12
        self.canvas = Canvas(
            WIDTH, height, f"7 Wonders Dice, {self.players} players: {self.headline()}", PALETTE
        )
        self.corners = list(grid(count, columns, _MARGIN, top, self.panel_width, self.panel_height, _GAP))

    def blocks(self, board: int) -> list[Block]:
        """The tracks of a board's sheet, without the slots that it does not print."""
        printed, first = int(self.tables["printed"][board]), int(self.tables["first"][board])
        groups = {name: (start, size, building) for name, start, size, building, _, _ in GROUPS}
        found: list[Block] = []
        for title, names in _BLOCKS:
            tracks: list[list[int]] = []
            for name in names:
                start, size, _ = groups[name]
                track: list[int] = []
                for slot in range(start, start + size):
                    if not printed >> slot & 1:
                        continue
                    if name == "agora" and first >> slot & 1 and track:
                        tracks.append(track)
                        track = []
                    track.append(slot)
                if track:
                    tracks.append(track)
            if tracks:
                found.append((title, _BUILDING_COLOURS[groups[names[0]][2]], tracks))
        return found

    def svg(self) -> str:
        self.header()
        self.forum(_MARGIN, 56)
        for seat, (x, y) in zip(self.panels, self.corners, strict=True):
            self.player(seat, x, y)
        if self.seat is not None:
            self.own(_MARGIN, self.below)
        return self.canvas.svg()

    # --- the head and the forum ---

    def deciders(self) -> list[int]:
        """Who decides, as far as it is known: from a seat's view only whether it does itself."""
        seats = range(self.players) if self.seat is None else (self.seat,)
        return [seat for seat in seats if int(self.game["deciders"]) >> seat & 1]

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
        x = _MARGIN + canvas.text(_MARGIN + 2, 36, "7 Wonders Dice", 22, bold=True) + 18
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
        canvas, fill = self.canvas, _die_fill(die)
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
                    0 if free else int(die_cost_of(self.games, self.index, self.all_tables, self.seat, die))
                )
                printed = int(self.tables["quadrant_cost"][int(self.game["quadrant"][die])])
                if cost != printed:
                    canvas.coin(x + width - 15, y - 5, 17, cost)

    # --- a seat ---

    def title(self, seat: int, x: float, y: float, width: float) -> None:
        """Name, city and points."""
        canvas = self.canvas
        at = x + canvas.text(x, y, f"Seat {seat}", 16, bold=True) + 7
        tags = []
        if self.seat is not None:
            if seat == self.seat:
                tags.append(("you", "ink", "panel"))
            else:
                sides = [
                    side
                    for side, step in (("left", 1), ("right", -1))
                    if seat == (self.seat + step) % self.players
                ]
                tags += [(" and ".join(sides), "inset", "ink")] if sides else []
        if self.game["over"]:
            tags.append((f"{places(self.scores, int(self.game['forfeits']))[seat]}.", "accent", "on-accent"))
        for words, fill, ink in tags:
            wide = text_width(words, 10.5, True) + 12
            canvas.chip(at, y - 13, wide, 17, words, fill, ink, size=10.5, bold=True)
            at += wide + 5
        canvas.sign("seal", x + width - 20, y - 16, 20, "points")
        total = str(int(self.scores[seat, -2]))
        end = x + width - 26 - canvas.text(x + width - 26, y + 1, total, 19, anchor="end", bold=True)
        board = int(self.now["board"][seat])
        city = text(self.tables["city"][board])
        canvas.text(end - 10, y - 0.5, city, 13, "muted", anchor="end", width=end - 16 - at)

    def stats(self, seat: int, x: float, y: float, width: float) -> None:
        """Coins, attacks, special dice, what makes dice cheaper, bonuses."""
        canvas, now = self.canvas, self.now
        canvas.coin(x, y, 20)
        at = x + 24 + canvas.text(x + 24, y + 15.5, str(int(now["coins"][seat])), 15, bold=True) + 9
        west, east = map(int, now["attack"][seat])
        if west or east:
            canvas.sign("shield", at, y + 1, 18, "red")
            at += 21 + canvas.text(at + 21, y + 15, f"{west}/{east}", 13, bold=True) + 9
        for bit, name in enumerate(SPECIALS):
            if int(now["unlocked"][seat]) >> bit & 1:
                with canvas.group(hint=f"may choose the {name} die"):
                    canvas.rect(at, y + 2, 15, 15, _die_fill(SPECIAL_DIE[bit]), "line", radius=4)
                at += 18
        if now["discount"][seat]:
            with canvas.group(hint="coins off every die"):
                at += canvas.text(at, y + 15, f"-{int(now['discount'][seat])}", 13, bold=True) + 4
        for number, name in enumerate(COLOURS):
            fill = name if name in PALETTE or name in ("black", "white") else "grey"
            free = int(now["free"][seat]) >> number & 1
            income = int(now["income"][seat, number])
            for words, hint in (
                ("0" if free else "", f"{name} dice cost nothing"),
                (f"+{income}" if income else "", f"{income} coins for choosing a {name} die"),
            ):
                if words:
                    with canvas.group(hint=hint):
                        canvas.rect(at, y + 2, 19, 15, fill, "line", radius=4)
                        canvas.text(at + 9.5, y + 13.5, words, 10.5, ink_on(fill), anchor="middle", bold=True)
                    at += 22
        end = x + width - NUM_BONUSES * 22 - 5
        if end - at > 50:
            canvas.text(end, y + 14, "bonuses", 11, "muted", anchor="end")
        for bonus in range(NUM_BONUSES):
            taken = int(now["bonuses"][seat]) >> bonus & 1
            name = text(self.tables["bonus_name"][bonus])
            left = x + width - (NUM_BONUSES - bonus) * 22
            with canvas.group(hint=f"bonus: {_BONUSES.get(name, name)}"):
                canvas.rect(left, y, 19, 19, "accent" if taken else "inset", "line", radius=9)
                if taken:
                    canvas.sign("cross", left + 4.5, y + 4.5, 10, "on-accent")
                else:
                    self.mark(bonus, left + 9.5, y + 9.5)

    def mark(self, bonus: int, x: float, y: float) -> None:
        """What a bonus gives, as a small sign around (x, y)."""
        canvas, item, coins = (
            self.canvas,
            int(self.tables["bonus_item"][bonus]),
            int(self.tables["bonus_coins"][bonus]),
        )
        if coins:
            canvas.coin(x - 7, y - 7, 14, coins)
        elif item & KIND_MASK == CROSS:
            canvas.sign("check", x - 5, y - 5, 10, "muted")
        else:
            words = "+1" if item & KIND_MASK == ACTION else "0"
            canvas.text(x, y + 3.5, words, 10, "muted", anchor="middle", bold=True)

    def player(self, seat: int, x: float, y: float) -> None:
        canvas, width = self.canvas, self.panel_width
        canvas.panel(x, y, width, self.panel_height, marked=seat in self.deciders())
        left, inner = x + 12, width - 24
        self.title(seat, left, y + 23, inner)
        self.stats(seat, left, y + 36, inner)
        self.sheet(seat, self.flows[int(self.now["board"][seat])], left, y + 64)
        words = self.latest(seat)
        if words:
            canvas.text(left, y + self.panel_height - 28, words, 11.5, "muted", italic=True, width=inner)
        points_bar(
            canvas,
            left,
            y + self.panel_height - 22,
            inner,
            CATEGORIES,
            self.scores,
            seat,
            _CATEGORY_COLOURS,
            60,
        )

    def latest(self, seat: int) -> str:
        if self.game["over"]:
            return ""
        if self.seat is None:
            depth = int(self.game["depth"][seat])
            if depth and self.game["first_action"][seat]:
                stack = self.game["stack"][seat, :depth][::-1]
                return "to resolve: " + ", then ".join(
                    item_words(self.all_tables, int(item)) for item in stack
                )
        done = int(self.game["last_action"][seat])
        return (
            f"last turn: {action_name(self.all_tables, done, int(self.now['board'][seat]))}" if done else ""
        )

    def sheet(self, seat: int, flow: _Flow, x: float, y: float) -> None:
        canvas = self.canvas
        board, crossed = int(self.now["board"][seat]), int(self.now["crossed"][seat])
        for title, left, top in flow.titles:
            canvas.text(x + left, y + top + flow.label * 0.95, title, flow.label, "muted")
        for slot, colour, left, top in flow.boxes:
            self.space(seat, board, slot, colour, x + left, y + top, flow, bool(crossed >> slot & 1))

    def space(
        self, seat: int, board: int, slot: int, colour: str, x: float, y: float, flow: _Flow, crossed: bool
    ) -> None:
        canvas, wide, tall = self.canvas, flow.unit - 2, flow.tall
        action = SPACE_ACTIONS + slot
        able = seat == self.seat and action in self.legal
        if not able and seat == self.seat and WONDER in self.legal and self.next_wonder(seat) == slot:
            action, able = WONDER, True
        hint = (
            describe(self.games, self.index, self.all_tables, seat, action)
            if able
            else self.words(board, slot)
        )
        with canvas.group([action] if able else [], hint):
            canvas.rect(
                x, y, wide, tall, colour if crossed else "inset", "accent" if able else colour, radius=4,
                line=3.5 if able else 1.3,
            )  # fmt: skip
            size = min(wide * 0.62, tall * 0.5)
            if crossed:
                canvas.sign("cross", x + (wide - size) / 2, y + (tall - size) / 2, size, ink_on(colour))
                return
            cost = int(self.tables["cost"][board, slot])
            canvas.text(
                x + wide / 2, y + tall * 0.36, str(cost), tall * 0.33, "muted", anchor="middle", bold=True
            )
            self.effect(board, slot, x + wide / 2, y + tall * 0.71, min(wide - 2, tall * 0.52))

    def next_wonder(self, seat: int) -> int:
        board, crossed = int(self.now["board"][seat]), int(self.now["crossed"][seat])
        start, size = next((start, size) for name, start, size, *_ in GROUPS if name == "wonder")
        open_slots = [
            slot
            for slot in range(start, start + size)
            if int(self.tables["printed"][board]) >> slot & 1 and not crossed >> slot & 1
        ]
        return open_slots[0] if open_slots else -1

    def words(self, board: int, slot: int) -> str:
        """A space in words, for the pointer."""
        table = self.tables
        parts = [
            f"{text(table['space_name'][board, slot]).replace('_', ' ')}: costs {int(table['cost'][board, slot])}"
        ]
        for field, words in (
            ("attack", "points for an attack"), ("vp", "points"), ("coins", "coins"), ("discount", "off every die"),
        ):  # fmt: skip
            if table[field][board, slot]:
                parts.append(f"{int(table[field][board, slot])} {words}")
        counted = BUILDINGS[int(table["counted"][board, slot])].replace("_", " ")
        for field, words in (("coins_per", "coins"), ("vp_per", "points")):
            if table[field][board, slot]:
                parts.append(f"{int(table[field][board, slot])} {words} for each space of the {counted}")
        if table["free"][board, slot]:
            names = [name for bit, name in enumerate(COLOURS) if int(table["free"][board, slot]) >> bit & 1]
            parts.append(f"{' and '.join(names)} dice cost nothing")
        if table["income"][board, slot]:
            name = COLOURS[int(table["income_colour"][board, slot])]
            parts.append(f"{int(table['income'][board, slot])} coins for choosing a {name} die")
        if table["unlock"][board, slot]:
            names = [
                name for bit, name in enumerate(SPECIALS) if int(table["unlock"][board, slot]) >> bit & 1
            ]
            parts.append(f"unlocks the {' and '.join(names)} die")
        if table["item"][board, slot]:
            parts.append(item_words(self.all_tables, int(table["item"][board, slot])))
        return ", ".join(parts)

    def effect(self, board: int, slot: int, x: float, y: float, size: float) -> None:
        """The effect of a space as a small sign around (x, y)."""
        canvas, table = self.canvas, self.tables
        half = size / 2

        def die(fill: str, mark: str) -> None:
            canvas.rect(x - half, y - half, size, size, fill, "line", radius=size / 4)
            if mark:
                canvas.text(x, y + size * 0.26, mark, size * 0.66, ink_on(fill), anchor="middle", bold=True)

        def small(building: int) -> None:
            fill = _BUILDING_COLOURS[BUILDINGS[building]]
            canvas.circle(x + half * 0.95, y + half * 0.7, size * 0.24, fill, "panel")

        building = BUILDINGS[int(table["building_of"][slot])]
        item = int(table["item"][board, slot])
        if table["attack"][board, slot]:
            canvas.shield(x - half, y - half, size, "red", int(table["attack"][board, slot]))
        elif table["vp_per"][board, slot] or table["coins_per"][board, slot]:
            if table["coins_per"][board, slot]:
                canvas.coin(x - half, y - half, size, int(table["coins_per"][board, slot]))
            else:
                self.seal(x, y, size, int(table["vp_per"][board, slot]))
            small(int(table["counted"][board, slot]))
        elif table["vp"][board, slot]:
            self.seal(x, y, size, int(table["vp"][board, slot]))
        elif table["coins"][board, slot]:
            canvas.coin(x - half, y - half, size, int(table["coins"][board, slot]))
        elif table["income"][board, slot]:
            fill = COLOURS[int(table["income_colour"][board, slot])]
            die(fill, f"+{int(table['income'][board, slot])}")
        elif table["free"][board, slot]:
            fill = next(
                name for bit, name in enumerate(COLOURS) if int(table["free"][board, slot]) >> bit & 1
            )
            die(fill, "0")
        elif table["discount"][board, slot]:
            die("inset", "")
            canvas.text(
                x,
                y + size * 0.26,
                f"-{int(table['discount'][board, slot])}",
                size * 0.7,
                anchor="middle",
                bold=True,
            )
        elif table["unlock"][board, slot]:
            bit = next(bit for bit in range(len(SPECIALS)) if int(table["unlock"][board, slot]) >> bit & 1)
            die(_die_fill(SPECIAL_DIE[bit]), "!")
        elif item & KIND_MASK == CROSS:
            named = [number for number in range(len(BUILDINGS)) if item >> ARGUMENT + number & 1]
            fill = _BUILDING_COLOURS[BUILDINGS[named[0]]] if named else "grey"
            canvas.sign("cross", x - half * 0.8, y - half * 0.8, size * 0.8, fill)
            if len(named) > 1:
                small(named[1])
        elif item & KIND_MASK == ACTION:
            die("accent", "+1")
        elif item & KIND_MASK == FREE:
            die("inset", "")
            canvas.text(x, y + size * 0.26, "0", size * 0.7, anchor="middle", bold=True)
        elif building == "warehouse":
            name = text(table["space_name"][board, slot])
            canvas.text(x, y + size * 0.3, name[:2].capitalize(), size * 0.76, anchor="middle", bold=True)
        else:
            canvas.sign("shield", x - half, y - half, size, "grey")

    def seal(self, x: float, y: float, size: float, value: int) -> None:
        self.canvas.sign("seal", x - size / 2, y - size / 2, size, "points")
        self.canvas.text(x, y + size * 0.23, str(value), size * 0.66, "white", anchor="middle", bold=True)

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
                _CATEGORY_COLOURS, seat,
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
            _CATEGORY_COLOURS,
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
