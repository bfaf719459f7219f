"""The table as text for the terminal."""

from __future__ import annotations

from io import StringIO
from typing import Any

import numpy as np

from antiquity.game import CUT_OFF
from antiquity.render.reading import points
from antiquity.render.text import WIDE, WIDTH, ansi_console, in_columns, literal
from stone_age_env import state as s
from stone_age_env.actions import card_name, tile_name
from stone_age_env.rules.scoring import CATEGORIES

from .rolls import roll

RESOURCE_STYLES = {"wood": "dark_orange3", "clay": "red1", "stone": "grey62", "gold": "gold1"}
ASKED = {
    "place": "places people",
    "resolve": "resolves its places",
    "tools": "may add tools",
    "lottery": "takes a die",
    "feed": "is short of food",
    "pay": "pays",
}


def seen(games: np.ndarray, index: int, tables: np.ndarray, seat: int | None) -> np.ndarray:
    """The game as a seat can count it, a batch of one: the extra cards of the others are left out until the end."""
    shown = games[index : index + 1].copy()
    game: Any = shown[0]
    if seat is None or game["over"]:  # at the end all cards are counted, and so turned up
        return shown
    table: Any = tables[0]
    for other in range(int(game["num_players"])):
        if other == seat:
            continue
        game["culture"][other], game["figures"][other] = 0, 0
        for card in np.flatnonzero(game["owner"] == 1 + other):
            if int(table["symbol"][card]) != s.NO_CARD:
                game["culture"][other, int(table["symbol"][card])] += 1
            else:
                game["figures"][other, int(table["person"][card])] += int(table["figures"][card])
    return shown


def seen_scores(games: np.ndarray, index: int, tables: np.ndarray, seat: int) -> np.ndarray:
    """Points as a seat can count them, int32[4, 11]."""
    return points(seen(games, index, tables, seat), 0, tables, len(CATEGORIES))


def _people(game: Any, place: int) -> str:
    """Who is at a place: ``"0:3 2:1"``."""
    there = [(seat, int(game["placed"][seat, place])) for seat in range(int(game["num_players"]))]
    return " ".join(f"{seat}:{number}" for seat, number in there if number)


def _tools(game: Any, seat: int) -> str:
    normal = [
        f"[dim]{int(value)}[/]" if used else str(int(value))
        for value, used in zip(game["tools"][seat], game["used"][seat], strict=True)
    ]
    once = [f"+{value + 1}" for value in range(4) for _ in range(int(game["one_use"][seat, value]))]
    return " ".join(normal + once)


def _cards(game: Any, tables: np.ndarray, owner: int, *, known: bool) -> str:
    """A seat's cards: all that everybody saw, and its extra cards where they are known."""
    names, hidden = [], []
    for card in range(s.CARDS):
        held = int(game["owner"][card])
        if held == 1 + owner:
            names.append(literal(card_name(tables, card).split(" / ")[1]))
        elif held == 1 + s.MAX_SEATS + owner and known:
            names.append(f"{literal(card_name(tables, card).split(' / ')[1])} (extra)")
        elif held == 1 + s.MAX_SEATS + owner:
            hidden.append("(extra)")
    names += hidden  # last: its place among the others would narrow down which card it is
    names += ["2 free resources"] * int(game["free_cards"][owner])
    return ", ".join(names) or "[dim]-[/]"


def render(
    games: np.ndarray, index: int, tables: np.ndarray, seat: int | None = None, width: int = WIDTH
) -> str:
    """The table as ANSI text: all open for ``seat=None``, else without what that seat does not know."""
    from rich.table import Table

    game = games[index]
    out = StringIO()
    console = ansi_console(out, width)
    console.print(f"[bold]Stone Age[/]  {_headline(game)}")
    console.print("[dim]who is where, as seat:people[/]")
    places = [f"{s.PLACES[place]:10s} {_people(game, place) or '-'}" for place in range(s.CARD_SPOT)]
    console.print("\n".join(in_columns(places, width)))
    offers = Table(show_header=False, pad_edge=False, expand=True)
    for _ in range(s.SPOTS):
        offers.add_column(ratio=1)
    offers.add_row(
        *(
            f"card at {spot + 1}: {literal(card_name(tables, card))} {_people(game, s.CARD_SPOT + spot)}"
            for spot, card in enumerate(game["open"].tolist())
        )
    )
    offers.add_row(*(_pile(game, tables, pile) for pile in range(s.PILES)))
    console.print(offers)
    console.print(_seats(game, index, games, tables, seat, width >= WIDE))
    left = s.CARDS - int(game["deck_next"])
    console.print(f"[dim]{left} {'card' if left == 1 else 'cards'} in the deck[/]")
    return out.getvalue()


def _pile(game: Any, tables: np.ndarray, pile: int) -> str:
    if pile >= int(game["num_players"]):
        return "[dim]-[/]"
    left = int(game["pile_left"][pile])
    if not left:
        return f"pile {pile}: empty"
    name = literal(tile_name(tables, int(game["piles"][pile, left - 1]) - 1))
    return f"pile {pile} ({left}): {name} {_people(game, s.CARD_SPOT + s.SPOTS + pile)}"


def _seats(
    game: Any, index: int, games: np.ndarray, tables: np.ndarray, viewer: int | None, wide: bool
) -> Any:
    from rich.table import Table

    totals = points(seen(games, index, tables, viewer), 0, tables, len(CATEGORIES))[:, -2]
    table = Table(show_lines=True, pad_edge=False, expand=True)
    narrow = ("seat", "resources", "tools")
    headings = ("seat", "points [dim](all)[/]", "people", "food", "fields", *s.RESOURCES, "tools", "built")
    for heading in headings if wide else narrow:
        left = heading == "seat" or not wide
        table.add_column(heading, justify="left" if left else "right", no_wrap=True)
    table.add_column("cards", ratio=1)
    for seat in range(int(game["num_players"])):
        # At the end all cards are counted, and so turned up.
        known = viewer is None or viewer == seat or bool(game["over"])
        decides = int(game["deciders"]) >> seat & 1
        marker = "*" if seat == int(game["start"]) else ""
        name = f"[bold]{'>' if decides else ' '}{seat}{marker}{' (you)' if seat == viewer else ''}[/]"
        # In brackets with all that is counted at the end, as far as the viewer knows it.
        scored = f"{int(game['points'][seat].sum())} [dim]({int(totals[seat])})[/]"
        people = f"{int(game['people'][seat])} [dim]({int(game['in_hand'][seat])})[/]"
        food, fields, built = (int(game[field][seat]) for field in ("food", "agriculture", "buildings"))
        held = list(zip(s.RESOURCES, game["resources"][seat].tolist(), strict=True))
        tools, cards = _tools(game, seat), _cards(game, tables, seat, known=known)
        if wide:
            goods = [f"[{RESOURCE_STYLES[name]}]{number}[/]" for name, number in held]
            table.add_row(name, scored, people, str(food), str(fields), *goods, tools, str(built), cards)
        else:
            numbers = [name, f" {scored} points", f" {people} people", f" {food} food", f" {fields} fields"]
            goods = [f"[{RESOURCE_STYLES[name]}]{number} {name}[/]" for name, number in held]
            table.add_row("\n".join(numbers), "\n".join(goods), f"{tools}\n{built} built", cards)
    return table


def _headline(game: Any) -> str:
    if game["over"]:
        return "the game is cut off" if game["over"] == CUT_OFF else "the game is over"
    phase = int(game["phase"])
    who = int(game["picker" if phase == s.LOTTERY else "active"])
    words = f"round {int(game['round']) + 1}: seat {who} {ASKED[s.PHASES[phase]]}"
    if phase == s.TOOLS:
        words += f": {roll(game)} for {s.GOODS[int(game['gather'])]}"
    elif phase == s.LOTTERY:
        left = [face + 1 for face in range(6) for _ in range(int(game["dice"][face]))]
        words += f": {', '.join(map(str, left))}"
    elif phase in (s.FEED, s.PAY):
        place = int(game["place"])
        what = "food" if phase == s.FEED or place == s.FEEDING else s.PLACES[place]
        words += (
            f", {int(game['pay_left'])} due for the {what}"
            if phase == s.PAY
            else f" by {int(game['pay_left'])}"
        )
    return words
