"""What stands in a box of the sheet: the effect of a space as a small drawing, and in words."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.game.tables import text
from antiquity.render.parts import ink_on
from antiquity.render.svg import LEAST, Canvas
from dice_env.actions import space_words
from dice_env.state import (
    ACTION,
    ARGUMENT,
    BUILDINGS,
    COLOURS,
    CROSS,
    DIE_COLOUR,
    FREE,
    KIND_MASK,
    SPECIAL_DIE,
    SPECIALS,
    WAREHOUSE,
)

from .text import item_words

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
BUILDING_COLOURS: Final = {
    "warehouse": "grey",
    "agora": "blue",
    "market": "yellow",
    "barracks": "red",
    "university": "green",
    "guild_court": "purple",
    "gallery": "teal",
    "wonder": "wonder",
}


def die_fill(die: int) -> str:
    colour = COLOURS[DIE_COLOUR[die]]
    return colour if colour in PALETTE or colour in ("black", "white") else "grey"


def effect_words(tables: np.ndarray, board: int, slot: int) -> str:
    """What crossing a space brings, in words."""
    table = tables[0]
    parts = []
    if table["building_of"][slot] == WAREHOUSE:
        parts.append("+1 resource")
    for field, words in (("attack", "point"), ("vp", "point"), ("coins", "coin")):
        if table[field][board, slot]:
            attack = " for an attack, less the defences" if field == "attack" else ""
            parts.append(f"+{_number(int(table[field][board, slot]), words)}{attack}")
    if table["discount"][board, slot]:
        parts.append(f"{int(table['discount'][board, slot])} off every die")
    counted = BUILDINGS[int(table["counted"][board, slot])].replace("_", " ")
    each = [
        f"+{_number(int(table[field][board, slot]), words)}"
        for field, words in (("coins_per", "coin"), ("vp_per", "point"))
        if table[field][board, slot]
    ]
    if each:
        parts.append(f"{' and '.join(each)} for each space of the {counted}")
    if table["free"][board, slot]:
        names = [name for bit, name in enumerate(COLOURS) if int(table["free"][board, slot]) >> bit & 1]
        parts.append(f"{' and '.join(names)} dice cost nothing")
    if table["income"][board, slot]:
        name = COLOURS[int(table["income_colour"][board, slot])]
        parts.append(f"+{_number(int(table['income'][board, slot]), 'coin')} for choosing a {name} die")
    if table["unlock"][board, slot]:
        names = [name for bit, name in enumerate(SPECIALS) if int(table["unlock"][board, slot]) >> bit & 1]
        parts.append(f"unlocks the {' and '.join(names)} die")
    if table["item"][board, slot]:
        parts.append(item_words(tables, int(table["item"][board, slot])))
    return ", ".join(parts)


def _number(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


class Signs:
    """Draws effects; the panels that extend it say where."""

    canvas: Canvas
    tables: Any
    all_tables: np.ndarray

    def words(self, board: int, slot: int) -> str:
        """A space in words, for the pointer."""
        cost = int(self.tables["cost"][board, slot])
        gains = effect_words(self.all_tables, board, slot)
        return f"{space_words(self.all_tables, board, slot)}: costs {cost}" + (f", {gains}" if gains else "")

    def effect(self, board: int, slot: int, x: float, y: float, size: float) -> None:
        """The effect of a space as a small sign around (x, y)."""
        canvas, table = self.canvas, self.tables
        half = size / 2

        def die(fill: str, mark: str) -> None:
            canvas.rect(x - half, y - half, size, size, fill, "line", radius=size / 4)
            if mark:
                canvas.text(x, y + size * 0.26, mark, size * 0.66, ink_on(fill), anchor="middle", bold=True)

        def small(building: int) -> None:
            fill = BUILDING_COLOURS[BUILDINGS[building]]
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
            die(die_fill(SPECIAL_DIE[bit]), "!")
        elif item & KIND_MASK == CROSS:
            named = [number for number in range(len(BUILDINGS)) if item >> ARGUMENT + number & 1]
            fill = BUILDING_COLOURS[BUILDINGS[named[0]]] if named else "grey"
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
            letters = size * 0.76
            canvas.text(
                x, y + size * 0.3, name[:2].capitalize(), letters, anchor="middle", bold=letters > LEAST
            )
        else:
            canvas.sign("shield", x - half, y - half, size, "grey")

    def seal(self, x: float, y: float, size: float, value: int) -> None:
        self.canvas.sign("seal", x - size / 2, y - size / 2, size, "points")
        self.canvas.text(x, y + size * 0.23, str(value), size * 0.66, "white", anchor="middle", bold=True)
