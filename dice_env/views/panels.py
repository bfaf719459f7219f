"""What a picture shows of a seat: its panel with coins and bonuses, and its sheet with a box for every space."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from antiquity.game.tables import text
from antiquity.render.parts import ink_on, places, points_bar
from antiquity.render.reading import legal_actions
from antiquity.render.svg import AFTER, text_width
from dice_env.actions import action_name, describe
from dice_env.rules.scoring import CATEGORIES
from dice_env.state import (
    ACTION,
    COLOURS,
    CROSS,
    GROUPS,
    KIND_MASK,
    MAX_LEGAL,
    NUM_BONUSES,
    SPACE_ACTIONS,
    SPECIAL_DIE,
    SPECIALS,
    WONDER,
)

from .signs import BUILDING_COLOURS, PALETTE, Signs, die_fill
from .text import item_words

CATEGORY_COLOURS: Final = {
    **{name: BUILDING_COLOURS[name.split("_west")[0].split("_east")[0]] for name in CATEGORIES},
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
_BONUSES: Final = {"again": "another action", "cross": "cross spaces", "coins": "coins"}
Block = tuple[str, str, list[list[int]]]
"""Title, colour, and the slots of each track."""


class Flow:
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
        for title, colour, tracks in (part for block in blocks for part in self.parts(block, width)):
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

    def parts(self, block: Block, width: float) -> list[Block]:
        """A block that is wider than there is room, track after track below each other."""
        title, colour, tracks = block
        found: list[Block] = []
        for track in tracks:
            together = [*found[-1][2], track] if found else [track]
            if found and sum(map(len, together)) * self.unit + 5 * len(together) <= width:
                found[-1] = (*found[-1][:2], together)
            else:
                found.append((title, colour, [track]))
        return found


class Box(NamedTuple):
    """Where the panel of a seat lies, and how the sheets of the boards lie in it."""

    seat: int
    x: float
    y: float
    width: float
    height: float
    flows: list[Flow]


class Panels(Signs):
    """Draws what belongs to one seat; the picture that extends it says where, and sets what is only declared here."""

    now: Any
    scores: np.ndarray

    def __init__(self, games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> None:
        self.games, self.index, self.all_tables, self.seat = games, index, tables, seat
        self.game: Any = games[index]
        self.tables: Any = tables[0]
        self.players = int(self.game["num_players"])
        self.legal = [] if seat is None else legal_actions(games, index, tables, seat, MAX_LEGAL)

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
                found.append((title, BUILDING_COLOURS[groups[names[0]][2]], tracks))
        return found

    def deciders(self) -> list[int]:
        """Who decides, as far as it is known: from a seat's view only whether it does itself."""
        seats = range(self.players) if self.seat is None else (self.seat,)
        return [seat for seat in seats if int(self.game["deciders"]) >> seat & 1]

    # --- a seat ---

    def title(self, seat: int, x: float, y: float, width: float) -> None:
        """Name, city and points."""
        canvas = self.canvas
        at = x + canvas.text(x, y, f"Seat {seat}", 16, bold=True) * (1 + AFTER) + 5
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
                    canvas.rect(at, y + 2, 15, 15, die_fill(SPECIAL_DIE[bit]), "line", radius=4)
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

    def player(self, box: Box) -> None:
        canvas = self.canvas
        seat, x, y, width, tall, flows = box
        canvas.panel(x, y, width, tall, marked=seat in self.deciders())
        left, inner = x + 12, width - 24
        self.title(seat, left, y + 23, inner)
        self.stats(seat, left, y + 36, inner)
        self.sheet(seat, flows[int(self.now["board"][seat])], left, y + 64)
        words = self.latest(seat)
        if words:
            canvas.text(left, y + tall - 28, words, 11.5, "muted", italic=True, width=inner)
        points_bar(
            canvas,
            left,
            y + tall - 22,
            inner,
            CATEGORIES,
            self.scores,
            seat,
            CATEGORY_COLOURS,
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

    def sheet(self, seat: int, flow: Flow, x: float, y: float) -> None:
        canvas = self.canvas
        board, crossed = int(self.now["board"][seat]), int(self.now["crossed"][seat])
        for title, left, top in flow.titles:
            canvas.text(x + left, y + top + flow.label * 0.95, title, flow.label, "muted")
        for slot, colour, left, top in flow.boxes:
            self.space(seat, board, slot, colour, x + left, y + top, flow, bool(crossed >> slot & 1))

    def space(
        self, seat: int, board: int, slot: int, colour: str, x: float, y: float, flow: Flow, crossed: bool
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
