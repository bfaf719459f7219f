"""The table as text for the terminal."""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.jit import entry

from .actions import action_name, board_name, kind_name
from .scoring import CATEGORIES, score
from .state import CARD_ACTIONS, COLOURS, KINDS, MAX_SEATS, PHASES, STAGES_COLUMN, TURNS, USES
from .tables import pack, subset_counts

WIDTH = 118
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
_SHORT = {"wood": "Wo", "stone": "St", "clay": "Cl", "ore": "Or", "glass": "Gl", "loom": "Lo", "papyrus": "Pa"}
_AGES = ("I", "II", "III")
_ASKED = ("choose a card", "choose a payment", "choose from the discard", "play the seventh card")


@entry
def _score(games, index, tables, out):
    score(games[index], tables[0], out)


def points(games: np.ndarray, index: int, tables: np.ndarray) -> np.ndarray:
    """Points by category, total and tie-break as they stand, int32[7, 9]."""
    out = np.zeros((MAX_SEATS, len(CATEGORIES) + 2), np.int32)
    _score(games, index, tables, out)
    return out


def _kinds(game: Any, seat: int) -> list[int]:
    city = [int(word) for word in game["city"][seat]]
    return [kind for kind in range(KINDS) if city[kind // 64] >> kind % 64 & 1]


def _styled(tables: np.ndarray, kind: int) -> str:
    style = COLOUR_STYLES[COLOURS[int(tables[0]["colour"][kind])]]
    return f"[{style}]{kind_name(tables, kind)}[/]"


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


def render(games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None) -> str:
    """The table as ANSI text: all open for ``seat=None``, else with that seat's hand alone."""
    from io import StringIO

    from rich.console import Console
    from rich.table import Table

    game = games[index]
    players = int(game["num_players"])
    totals = points(games, index, tables)[:, -2]
    out = StringIO()
    console = Console(file=out, force_terminal=True, color_system="truecolor", width=WIDTH, highlight=False)
    console.print(f"[bold]7 Wonders[/]  {_headline(game)}")
    table = Table(show_lines=True, pad_edge=False, expand=True)
    for heading, justify in (("seat", "left"), ("points", "right"), ("coins", "right"), ("army", "right")):
        table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for heading in ("wonder", "science", "makes", "city"):
        table.add_column(heading, ratio=4 if heading == "city" else None)
    for s in range(players):
        decides = int(game["deciders"]) >> s & 1
        board = int(game["board"][s])
        stages, size = int(game["built"][s, STAGES_COLUMN]), int(tables[0]["stage_count"][board])
        science = "".join(
            symbol * int(count) for symbol, count in zip(_SYMBOL_STYLES.values(), game["science"][s], strict=True)
        )
        table.add_row(
            f"[bold]{'>' if decides else ' '}{s}{' (you)' if s == seat else ''}[/]",
            str(int(totals[s])),
            str(int(game["coins"][s])),
            f"{int(game['shields'][s])} [dim]+{int(game['victory'][s])} -{int(game['defeats'][s])}[/]",
            f"{board_name(tables, board)}\n{'■' * stages}{'□' * (size - stages)}",
            science,
            _makes(game["own"][s]),
            ", ".join(_styled(tables, kind) for kind in _kinds(game, s)) or "[dim]-[/]",
        )
    console.print(table)
    for s in range(players) if seat is None else (seat,):
        hand = [int(kind) for kind in game["hands"][s][: int(game["hand_size"][s])]]
        console.print(f"hand of {s}: " + (", ".join(_styled(tables, kind) for kind in hand) or "[dim]empty[/]"))
    for s in range(players):
        planned = int(game["planned"][s])
        if planned:
            console.print(f"seat {s} is about to {_announced(tables, planned, open_card=seat is None or s == seat)}")
    if seat is None or (PHASES[int(game["phase"])] == "pick" and int(game["deciders"]) >> seat & 1):
        pile = [kind for kind in range(KINDS) for _ in range(int(game["discard"][kind]))]
        console.print("discard: " + (", ".join(_styled(tables, kind) for kind in pile) or "[dim]empty[/]"))
    else:
        count = int(game["discard"].sum())
        console.print(f"discard: {count} {'card' if count == 1 else 'cards'}, face down")
    return out.getvalue()


def _announced(tables: np.ndarray, action: int, *, open_card: bool) -> str:
    use = (action - CARD_ACTIONS) % USES
    if use == 0 or open_card:
        return action_name(tables, action)
    return ("", "build the next wonder stage", "sell a card")[use]


def _headline(game: Any) -> str:
    if game["over"]:
        return "the game is over"
    turn = int(game["turn"])
    when = "seventh card" if turn == TURNS else f"turn {turn + 1}"
    deciders = [s for s in range(int(game["num_players"])) if int(game["deciders"]) >> s & 1]
    who = "all seats" if len(deciders) == int(game["num_players"]) else "seat " + ", ".join(map(str, deciders))
    return f"Age {_AGES[int(game['age'])]}, {when}: {who} {_ASKED[int(game['phase'])]}"
