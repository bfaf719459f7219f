"""The table as text for the terminal."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from antiquity.game import CUT_OFF
from antiquity.game.tables import text
from antiquity.render.reading import points
from antiquity.render.text import WIDE, WIDTH, ansi_console, literal
from dice_env.actions import face_name
from dice_env.rules.scoring import CATEGORIES, TOTAL
from dice_env.state import (
    ARGUMENT,
    BUILDINGS,
    CROSS,
    DICE,
    DIE_COLOUR,
    GROUPS,
    ITEM_KINDS,
    KIND_MASK,
    NUM_BONUSES,
    PICK,
    REMAINING,
    SPECIALS,
    STARTED,
)

STYLES: Final = (
    "grey70",
    "green3",
    "dodger_blue1",
    "red1",
    "gold1",
    "medium_orchid",
    "grey46",
    "bright_white",
)
"""Of the dice colours."""
_BUILDING_STYLES: Final = {
    "warehouse": "grey70",
    "agora": "dodger_blue1",
    "market": "gold1",
    "barracks": "red1",
    "university": "green3",
    "guild_court": "medium_orchid",
    "gallery": "bright_white",
    "wonder": "dark_orange3",
}


def seen(games: np.ndarray, index: int, seat: int | None) -> np.ndarray:
    """The game as a seat sees it, a batch of one: the others as they stood at the start of the turn."""
    shown = games[index : index + 1].copy()
    for other in range(int(shown[0]["num_players"])):
        if seat is not None and other != seat:
            for name in STARTED:
                shown[0][name][other] = shown[0][f"start_{name}"][other]
    return shown


def seen_scores(games: np.ndarray, index: int, tables: np.ndarray, seat: int) -> np.ndarray:
    """Points as a seat can count them, int32[7, 10]."""
    return points(seen(games, index, seat), 0, tables, len(CATEGORIES))


def item_words(tables: np.ndarray, item: int) -> str:
    """Something still to be resolved, in words."""
    kind = item & KIND_MASK
    if kind == CROSS:
        names = [name for b, name in enumerate(BUILDINGS) if item >> ARGUMENT + b & 1]
        return f"cross up to {item >> REMAINING} of {' or '.join(names)}"
    if kind == PICK:
        return f"pick a space for the {DICE[item >> ARGUMENT]} die"
    return {1: "an action", 2: "a building without die cost", 3: "a bonus"}.get(kind, ITEM_KINDS[kind - 1])


def _sheet(tables: np.ndarray, board: int, crossed: int) -> str:
    """All tracks of a sheet: a full square for a space crossed, an open one for one that is not."""
    printed = int(tables[0]["printed"][board])
    lines: dict[str, str] = {}
    for _, start, size, building, _, ordered in GROUPS:
        marks = ""
        for slot in range(start, start + size):
            if printed >> slot & 1:
                gap = " " if marks and ordered and int(tables[0]["first"][board]) >> slot & 1 else ""
                marks += gap + ("■" if crossed >> slot & 1 else "□")
        lines[building] = f"{lines[building]}  {marks}" if building in lines else marks
    return "\n".join(
        f"[{_BUILDING_STYLES[name]}]{name.replace('_', ' '):11s} {marks}[/]" for name, marks in lines.items()
    )


def _forum(game: Any, tables: np.ndarray) -> str:
    quadrants: list[list[str]] = [[] for _ in tables[0]["quadrant_cost"]]
    for die, name in enumerate(DICE):
        if int(game["forum"]) >> die & 1:
            symbol = face_name(tables, die, int(game["face"][die]))
            style = STYLES[DIE_COLOUR[die]]
            quadrants[int(game["quadrant"][die])].append(
                f"[{style}]{name} {literal(symbol.replace('_', ' '))}[/]"
            )
    return "\n".join(
        f"{int(cost)} {'coin: ' if cost == 1 else 'coins:'} {', '.join(dice) or '[dim]no die[/]'}"
        for cost, dice in zip(tables[0]["quadrant_cost"], quadrants, strict=True)
    )


def render(
    games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None, width: int = WIDTH
) -> str:
    """The table as ANSI text: as it is now for ``seat=None``, else with the others as at the start of the turn."""
    from io import StringIO

    from rich.table import Table

    game = games[index]
    players = int(game["num_players"])
    shown = seen(games, index, seat)
    now = shown[0]
    totals = points(shown, 0, tables, len(CATEGORIES))[:, TOTAL]
    out = StringIO()
    console, wide = ansi_console(out, width), width >= WIDE
    console.print(f"[bold]7 Wonders Dice[/]  {_headline(game, seat)}")
    console.print(_forum(game, tables))
    table = Table(show_lines=True, pad_edge=False)
    headings = ["seat", "points", "coins", "city", "sheet", "attacks", "bonuses", "special dice"]
    for heading in headings if wide else ["seat", "sheet", "attacks, bonuses, dice"]:
        table.add_column(
            heading,
            justify="right" if heading in ("points", "coins") else "left",
            no_wrap=heading != headings[-1],
        )
    for s in range(players):
        board = int(now["board"][s])
        decides = int(game["deciders"]) >> s & 1 and seat in (None, s)
        bonuses = [
            literal(text(tables[0]["bonus_name"][b]))
            for b in range(NUM_BONUSES)
            if int(now["bonuses"][s]) >> b & 1
        ]
        dice = [name for bit, name in enumerate(SPECIALS) if int(now["unlocked"][s]) >> bit & 1]
        name = f"[bold]{'>' if decides else ' '}{s}{' (you)' if s == seat else ''}[/]"
        city, wonder = (literal(text(tables[0][field][board])) for field in ("city", "wonder"))
        sheet = _sheet(tables, board, int(now["crossed"][s]))
        attacks = f"west {int(now['attack'][s][0])}\neast {int(now['attack'][s][1])}"
        total, coins = int(totals[s]), int(now["coins"][s])
        if wide:
            table.add_row(
                name, str(total), str(coins), f"{city}\n[dim]{wonder}[/]", sheet, attacks,
                "\n".join(bonuses) or "[dim]-[/]", "\n".join(dice) or "[dim]-[/]",
            )  # fmt: skip
        else:
            rest = [attacks, *(f"bonus {each} taken" for each in bonuses), *(f"{each} die" for each in dice)]
            table.add_row(
                f"{name}\n {total} points\n {coins} coins\n {city}\n[dim] {wonder}[/]", sheet, "\n".join(rest)
            )
    console.print(table)
    for s in range(players) if seat is None else (seat,):
        depth = int(game["depth"][s])
        if depth and game["first_action"][s]:
            items = [item_words(tables, int(game["stack"][s][place])) for place in range(depth - 1, -1, -1)]
            console.print(f"seat {s} has to resolve: " + ", then ".join(items))
    return out.getvalue()


def _headline(game: Any, seat: int | None) -> str:
    if game["over"]:
        return "the game is over" + (" (max_turns)" if game["over"] == CUT_OFF else "")
    turn = f"turn {int(game['turn']) + 1}" + (", the last one" if game["last_turn"] else "")
    players = int(game["num_players"])
    deciders = [s for s in range(players) if int(game["deciders"]) >> s & 1]
    if seat is not None:  # who of the others is still busy would tell what they have done in this turn
        return f"{turn}: you decide" if seat in deciders else f"{turn}: wait for the others"
    if len(deciders) == players:
        return f"{turn}: all seats decide"
    who = ", ".join(map(str, deciders))
    return f"{turn}: seat {who} decides" if len(deciders) == 1 else f"{turn}: seats {who} decide"
