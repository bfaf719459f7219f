"""What a seat may choose that is not on the board, as buttons; after the game the table of points."""

from __future__ import annotations

from typing import Final

from antiquity.render.parts import results
from antiquity.render.svg import text_width
from stone_age_env import state as s
from stone_age_env.actions import DIE_NAMES, describe
from stone_age_env.rules.scoring import CATEGORIES

from .panels import CATEGORY_COLOURS, Panels
from .signs import MARGIN, WIDTH

_CHOICE_HEIGHT: Final = 116
ROOMY: Final = 1000
"""From this width on the whole table lies as it is; in less room fewer things stand side by side."""
NARROW: Final = 600
TARGET: Final = 40
"""What fingers can point at."""


class Choices(Panels):
    """Draws what may be chosen; the picture that extends it says where."""

    width: float
    narrow: bool

    def choices(self, x: float, y: float) -> None:
        assert self.seat is not None
        canvas, seat = self.canvas, self.seat
        if self.game["over"] and self.width < ROOMY:
            return  # the table of points stands beside the picture
        if self.game["over"]:
            names = [f"Seat {other}" for other in range(self.players)]
            results(
                canvas, x, y + 4, self.width - 2 * MARGIN, names, CATEGORIES, self.scores, int(self.game["forfeits"]),
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
        canvas.text(x + 4, y + 18, title, 15, bold=True, width=self.width - 2 * MARGIN)
        for action, at, top, wide in self.buttons(x, y):
            hint = describe(self.games, self.index, self.all_tables, seat, action)
            with canvas.group([action], hint):
                tall = TARGET if self.narrow else 30
                canvas.chip(
                    at, top, wide, tall, self.short(action), "accent", "on-accent", size=13, bold=True
                )
        if int(self.game["phase"]) == s.LOTTERY:
            left = sum(int(number) for number in self.game["dice"])
            canvas.text(
                self.width - MARGIN, y + 18, f"{left} dice are left", 12.5, "muted", anchor="end", italic=True
            )

    def buttons(self, x: float, y: float) -> list[tuple[int, float, float, float]]:
        """The actions that are not on the board, each with its place and width."""
        found = []
        at, top = x + 4, y + 32
        for action in self.legal:
            if action < s.CASH:
                continue
            wide = max(44.0, text_width(self.short(action), 13, True) + 26)
            if at + wide > self.width - MARGIN:
                at, top = x + 4, top + (TARGET + 6 if self.narrow else 36)
            found.append((action, at, top, wide))
            at += wide + 8
        return found

    def choice_height(self) -> float:
        """The room for what the seat may choose; always the same where the picture has its full width."""
        if self.width >= WIDTH:
            return _CHOICE_HEIGHT
        tops = [top for _, _, top, _ in self.buttons(MARGIN, 0)]
        least = 34 if self.narrow else _CHOICE_HEIGHT
        return max(least, *(top + 46 for top in tops)) if tops else least

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
