"""Whole games of Stone Age as text, see :mod:`antiquity.testing.playthroughs`.

The seats play at random, though they rarely decline what they could buy or build. What is rare comes up: lotteries,
one-use tools, extra cards, hunger paid for with resources and with points, tools added to a roll, and a game that is
cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from antiquity.testing.playthroughs import Stories, decide, numbers
from antiquity.testing.table import Table
from stone_age_env import GAME, plain_state
from stone_age_env.actions import card_name, tile_name
from stone_age_env.state import BUILD, CASH, DECLINE_BUILDING, DECLINE_CARD

GAMES: dict[int, dict[str, Any]] = {
    2: {"seed": 35, "start_player": 1},
    3: {"seed": 79},
    4: {"seed": 57, "max_rounds": 6},
}
OFTEN = 6  # all but one of so many decisions do not look at declining while there is something else


def declines(action: int) -> bool:
    return DECLINE_CARD <= action < BUILD or DECLINE_BUILDING <= action < CASH


def heading(table: Table, view: dict[str, Any]) -> Iterator[str]:
    cards = (card_name(table.tables, card) if card is not None else "-" for card in view["open"])
    tiles = (f"{tile_name(table.tables, pile[0])} ({len(pile)})" if pile else "-" for pile in view["piles"])
    yield f"Round {view['round'] + 1}, seat {view['start']} has the start marker"
    yield f"  cards by price: {' | '.join(cards)}"
    yield f"  tiles: {' | '.join(tiles)}"


def decision(table: Table, seat: int, action: int, view: dict[str, Any]) -> str:
    """A line for what one seat does: the action, among how many, and what lies before it."""
    source = ""
    if view["phase"] == "tools":
        source = f" tools {view['tools'][seat]} used {view['used'][seat]}"
    elif view["phase"] == "lottery":
        source = " dice: " + " ".join(str(1 + face) for face, n in enumerate(view["dice"]) for _ in range(n))
    elif view["phase"] in ("feed", "pay"):
        source = f" to pay: {view['pay_left']} of {view['resources'][seat]}"
    return f"  seat {seat}: {table.words(seat, action):<64} ({len(table.legal(seat))} legal){source}"


def standing(table: Table) -> str:
    game, n = table.record, table.num_players
    names = ("people", "food", "agriculture", "buildings", "cards")
    return numbers({**{name: game[name][:n] for name in names}, "points": table.score()[:, -2]})


def story(table: Table) -> Iterator[str]:
    turn = -1
    while not table.over:
        view = plain_state(table.games, 0, table.tables)
        if view["round"] != turn:
            turn = view["round"]
            yield ""
            yield from heading(table, view)
        [seat] = table.deciders()
        action = decide(table, seat, OFTEN, declines)
        yield decision(table, seat, action, view)
        table.step({seat: action})
        if table.over or int(table.record["round"]) != turn:
            yield standing(table)


STORIES = Stories(
    GAME, GAMES, story=story, folder=Path(__file__).parents[1] / "playthroughs", tie="tie-break", width=11
)


@pytest.mark.parametrize("players", GAMES)
def test_playthrough(players: int) -> None:
    assert STORIES.text(players) == STORIES.kept(players)


def test_what_is_rare_comes_up() -> None:
    for words in (
        "dice: ",
        "use a one-use tool of value",
        "use a tool of value",
        "buy the card at 1 (extra card / writing)",
        "from a card of free resources",
        "pay with resources for the missing food",
        "go hungry",
        "decline the card",
        "decline the tile",
        "(1-7 of any kind)",
        "still due for the food",
        "still due for the card at 4",
        "still due for the pile 1",
    ):
        assert STORIES.how_many_tell(words) >= 1, words
    assert "(cut off)" in STORIES.kept(4)


if __name__ == "__main__":
    STORIES.write()
