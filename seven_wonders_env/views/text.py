"""The table as text for the terminal."""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.render.reading import points
from antiquity.render.text import WIDE, WIDTH, ansi_console, literal
from seven_wonders_env import state as s
from seven_wonders_env.actions import action_name, kind_name, seen_board
from seven_wonders_env.data.tables import SIDE_NAMES, pack, subset_counts
from seven_wonders_env.rules.scoring import CATEGORIES

from .signs import POWER_WORDS, cost, symbols

COLOUR_STYLES = {
    "brown": "dark_orange3",
    "grey": "grey62",
    "blue": "dodger_blue1",
    "yellow": "gold1",
    "red": "red1",
    "green": "green3",
    "purple": "medium_orchid",
}
_SYMBOL_STYLES = {"compass": "C", "gear": "G", "tablet": "T", "choice": "?"}
_SHORT = {
    "wood": "Wo",
    "stone": "St",
    "clay": "Cl",
    "ore": "Or",
    "glass": "Gl",
    "loom": "Lo",
    "papyrus": "Pa",
}
_AGES = ("I", "II", "III")
_ASKED = (
    "choose a card",
    "choose a payment",
    "choose from the discard",
    "use the seventh card",
    "choose a side of the board",
)


def _kinds(game: Any, seat: int) -> list[int]:
    city = [int(word) for word in game["city"][seat]]
    return [kind for kind in range(s.KINDS) if city[kind // 64] >> kind % 64 & 1]


def _styled(tables: np.ndarray, kind: int) -> str:
    style = COLOUR_STYLES[s.COLOURS[int(tables[0]["colour"][kind])]]
    return f"[{style}]{literal(kind_name(tables, kind))}[/]"


def _makes(words: np.ndarray) -> str:
    """How many symbols can make each resource, where any can."""
    parts = []
    data = np.asarray(words, "<u8").view("u1")
    for name, short in _SHORT.items():
        single = np.asarray(pack(subset_counts([[name]])), "<u8").view("u1")
        # The one-resource subset is the first that contains the resource.
        count = int(data[int(np.flatnonzero(single)[0])])
        if count:
            parts.append(f"{short}{count}" if count > 1 else short)
    return " ".join(parts)


def _cost(tables: np.ndarray, item: int) -> str:
    units, coins = cost(tables[0], item)
    counts = [(short, units.count(name)) for name, short in _SHORT.items()]
    parts = [f"{short}{count}" if count > 1 else short for short, count in counts if count]
    return " ".join([str(coins)] * bool(coins) + parts)


def _side(tables: np.ndarray, board: int) -> str:
    """The stages on a side of a board: ``3 points for St2, Wo/St/Cl/Or for Or2, 7 points for Lo Pa``."""
    table, stages = tables[0], []
    for item in range(s.KINDS + board * s.MAX_STAGES, s.KINDS + (board + 1) * s.MAX_STAGES):
        if item - s.KINDS - board * s.MAX_STAGES == int(table["stage_count"][board]):
            break
        does = ["/".join(_SHORT[name] for name in symbol) for symbol in symbols(table["own"][item])]
        for field, unit in (("shields", "shield"), ("coins", "coin"), ("vp", "point")):
            number = int(table[field][item])
            does += [f"{number} {unit}{'s' * (number > 1)}"] * (number > 0)
        does += [
            "any science" if name == "choice" else name
            for name, count in zip(s.SCIENCE, table["science"][item], strict=True)
            for _ in range(int(count))
        ]
        does += [POWER_WORDS[name] for name, bit in s.POWERS.items() if int(table["powers"][item]) & bit]
        stages.append(f"{' + '.join(does) or 'a stage'} for {_cost(tables, item) or 'nothing'}")
    return ", ".join(stages)


def _priced(tables: np.ndarray, kind: int) -> str:
    """A card with its cost: ``Baths St``, ``Palace Wo St Cl Or Gl Lo Pa``, ``Tree Farm 1``."""
    words = _cost(tables, kind)
    return f"{_styled(tables, kind)} [dim]{words}[/]" if words else _styled(tables, kind)


def render(
    games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None, width: int = WIDTH
) -> str:
    """The table as ANSI text: everything for ``seat=None``, else that seat's hand only."""
    from io import StringIO

    from rich.table import Table

    game = games[index]
    players, wide = int(game["num_players"]), width >= WIDE
    totals = points(games, index, tables, len(CATEGORIES))[:, -2]
    out = StringIO()
    console = ansi_console(out, width)
    console.print(f"[bold]7 Wonders[/]  {_headline(game)}")
    table = Table(show_lines=True, pad_edge=False, expand=True)
    headings = [("seat", "left")]
    if wide:
        headings += [("points", "right"), ("coins", "right"), ("army", "right")]
    for heading, justify in headings:
        table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    table.add_column("wonder", no_wrap=wide)
    if wide:
        table.add_column("science", no_wrap=True)
        table.add_column("makes", max_width=14)
    table.add_column("city", ratio=1)
    for each in range(players):
        decides = int(game["deciders"]) >> each & 1
        board = int(game["board"][each])
        stages, size = int(game["built"][each, s.STAGES_COLUMN]), int(tables[0]["stage_count"][board])
        science = "".join(
            symbol * int(count)
            for symbol, count in zip(_SYMBOL_STYLES.values(), game["science"][each], strict=True)
        )
        name = f"[bold]{'>' if decides else ' '}{each}{' (you)' if each == seat else ''}[/]"
        army = f"{int(game['shields'][each])} [dim]+{int(game['victory'][each])} -{int(game['defeats'][each])}[/]"
        wonder = f"{literal(seen_board(game, tables, each))}\n{'■' * stages}{'□' * (size - stages)}"
        if int(game["open_sides"]) >> each & 1:
            wonder = f"{literal(seen_board(game, tables, each))}\nside open"
        makes, coins = _makes(game["own"][each]), int(game["coins"][each])
        city = ", ".join(_styled(tables, kind) for kind in _kinds(game, each)) or "[dim]-[/]"
        if wide:
            table.add_row(name, str(int(totals[each])), str(coins), army, wonder, science, makes, city)
        else:
            numbers = f"{name}\n {int(totals[each])} points\n {coins} coins\n army {army}"
            table.add_row(numbers, "\n".join(filter(None, (wonder, science, makes))), city)
    console.print(table)
    for each in range(players) if seat is None else (seat,):
        if int(game["open_sides"]) >> each & 1:
            for side, name in enumerate(SIDE_NAMES):
                console.print(f"{name} side of {each}: {_side(tables, int(game['board'][each]) + side)}")
            continue
        hand = [int(kind) for kind in game["hands"][each][: int(game["hand_size"][each])]]
        console.print(
            f"hand of {each}: " + (", ".join(_priced(tables, kind) for kind in hand) or "[dim]empty[/]")
        )
    for each in range(players):
        planned = int(game["planned"][each])
        if planned:
            console.print(
                f"seat {each} is about to "
                + literal(_announced(tables, planned, open_card=seat is None or each == seat))
            )
    if seat is None or (s.PHASES[int(game["phase"])] == "pick" and int(game["deciders"]) >> seat & 1):
        pile = [kind for kind in range(s.KINDS) for _ in range(int(game["discard"][kind]))]
        console.print("discard: " + (", ".join(_styled(tables, kind) for kind in pile) or "[dim]empty[/]"))
    else:
        count = int(game["discard"].sum())
        console.print(f"discard: {count} {'card' if count == 1 else 'cards'}, face down")
    return out.getvalue()


def _announced(tables: np.ndarray, action: int, *, open_card: bool) -> str:
    use = (action - s.CARD_ACTIONS) % s.USES
    if use == 0 or open_card:
        return action_name(tables, action)
    return ("", "build the next wonder stage", "sell a card")[use]


def _headline(game: Any) -> str:
    if game["over"]:
        return "the game is over"
    turn = int(game["turn"])
    when = "seventh card" if turn == s.TURNS else f"turn {turn + 1}"
    when = "before the first turn" if game["phase"] == s.SIDE else when
    deciders = [seat for seat in range(int(game["num_players"])) if int(game["deciders"]) >> seat & 1]
    asked = _ASKED[int(game["phase"])]
    if len(deciders) == 1:
        verb, _, rest = asked.partition(" ")
        return f"Age {_AGES[int(game['age'])]}, {when}: seat {deciders[0]} {verb}s {rest}"
    who = (
        "all seats" if len(deciders) == int(game["num_players"]) else f"seats {', '.join(map(str, deciders))}"
    )
    return f"Age {_AGES[int(game['age'])]}, {when}: {who} {asked}"
