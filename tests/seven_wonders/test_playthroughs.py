"""Whole games of 7 Wonders as text, see :mod:`playthrough`.

The seats play at random, though they rarely sell what they could build. Boards and seeds are such that what is rare
comes up: picks from the discard, seventh cards, payments to choose from, chains and other free buildings.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from antiquity.kernels import entry
from antiquity.testing.playthroughs import Stories, decide, numbers
from antiquity.testing.table import Table
from seven_wonders_env import GAME
from seven_wonders_env.actions import kind_name, seen_board
from seven_wonders_env.rules.legality import is_free
from seven_wonders_env.state import KINDS, PHASES, TURNS

DAY, NIGHT = "day", "night"
GAMES: dict[int, dict[str, Any]] = {
    3: {"seed": 4, "sides": NIGHT, "boards": ["halikarnassos", "olympia", "babylon"]},
    4: {"seed": 62, "sides": "random", "cards": "second_edition_print"},
    5: {"seed": 1, "sides": DAY, "boards": ["olympia", None, "halikarnassos", None, None]},
    6: {
        "seed": 7,
        "sides": [NIGHT, DAY, NIGHT, DAY, NIGHT, DAY],
        "boards": ["babylon", "halikarnassos", "olympia", None, None, None],
        "payments": "cheapest",
    },
    7: {"seed": 13, "sides": "random"},
}
CHOOSING: dict[int, dict[str, Any]] = {
    3: {"seed": 21, "sides": "choose"},
    5: {"seed": 22, "sides": ["choose", DAY, "choose", "random", "choose"]},
}
AGES = ("I", "II", "III")
OFTEN = 8  # all but one of so many decisions do not look at sales while there is something else


@entry
def _is_free(games, index, tables, seat, kind):
    return is_free(games[index], tables[0], seat, kind)


def is_sale(action: int) -> bool:
    return action <= 3 * KINDS and (action - 1) % 3 == 2


def heading(table: Table) -> str:
    game = table.record
    phase, turn = PHASES[int(game["phase"])], int(game["turn"])
    if phase == "side":
        return "Before Age I: the sides of the boards"
    when = f"Age {AGES[int(game['age'])]}, {'the seventh card' if turn == TURNS else f'turn {turn + 1}'}"
    return when + {"choose": "", "pay": ": payments", "pick": ": a card from the discard", "last": ""}[phase]


def names(table: Table, kinds: list[int]) -> str:
    return ", ".join(kind_name(table.tables, kind) for kind in kinds) or "nothing"


def decision(table: Table, seat: int, action: int) -> str:
    """A line for what one seat does: the action, among how many, and what it was chosen from."""
    game = table.record
    phase = PHASES[int(game["phase"])]
    words = table.words(seat, action)
    building = phase in ("choose", "last") and (action - 1) % 3 == 0
    if building and _is_free(table.games, 0, table.tables, seat, (action - 1) // 3):
        words += " for nothing"
    legal = table.legal(seat)
    if phase in ("pay", "side"):
        source = "not: " + ", ".join(table.words(seat, other) for other in legal if other != action)
    elif phase == "pick":
        source = "pile: " + names(table, [k for k in range(KINDS) for _ in range(int(game["discard"][k]))])
    else:
        hand = game["hands"][seat][: int(game["hand_size"][seat])]
        source = "hand: " + names(table, [int(kind) for kind in hand])
    return f"  seat {seat}: {words:<50} ({len(legal)} legal) {source}"


def standing(table: Table, *fields: str) -> str:
    n = table.num_players
    columns = {
        "points": table.score()[:, -2],
        "coins": table.record["coins"][:n],
        "shields": table.record["shields"][:n],
        "victory tokens": table.record["victory"][:n],
        "defeats": table.record["defeats"][:n],
    }
    return numbers({name: columns[name] for name in fields})


def board(table: Table, seat: int) -> str:
    return seen_board(table.record, table.tables, seat)


def story(table: Table) -> Iterator[str]:
    while not table.over:
        age = int(table.record["age"])
        yield ""
        yield heading(table)
        actions = {seat: decide(table, seat, OFTEN, is_sale) for seat in table.deciders()}
        yield from (decision(table, seat, action) for seat, action in actions.items())
        table.step(actions)
        yield standing(table, "coins", "shields", "points")
        if table.over or int(table.record["age"]) != age:
            yield ""
            yield f"The conflicts of Age {AGES[age]}"
            yield standing(table, "victory tokens", "defeats", "points")


def stories(games: dict[int, dict[str, Any]], name: str) -> Stories:
    folder = Path(__file__).parents[1] / "playthroughs"
    return Stories(
        GAME, games, seat_line=board, story=story, folder=folder, tie="coins left", width=11, name=name
    )


STORIES = stories(GAMES, "seven_wonders")
OF_SIDES = stories(CHOOSING, "seven_wonders_sides")


@pytest.mark.parametrize("players", GAMES)
def test_playthrough(players: int) -> None:
    assert STORIES.text(players) == STORIES.kept(players)


@pytest.mark.parametrize("players", CHOOSING)
def test_playthrough_with_a_choice_of_sides(players: int) -> None:
    assert OF_SIDES.text(players) == OF_SIDES.kept(players)


def test_what_is_rare_comes_up() -> None:
    for words in (
        "from the discard",
        "the seventh card",
        ": payments",
        "for nothing",
        "build wonder stage 3",
    ):
        assert STORIES.how_many_tell(words) >= 2, words
    assert STORIES.how_many_tell("Age III, turn 6") == len(GAMES)


if __name__ == "__main__":
    STORIES.write()
    OF_SIDES.write()
