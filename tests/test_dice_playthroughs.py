"""Whole games of 7 Wonders Dice as text that a person can follow; the files in ``playthroughs/`` must come out exactly.

A change of the rules, the printed numbers, the throws or the action numbers shows as a difference in these files. When
it is meant, write them anew and read the difference before committing it::

    python tests/test_dice_playthroughs.py

The seats play at random, though they rarely pass while there is something to build.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from antiquity.game import CUT_OFF
from antiquity.random import below
from antiquity.tables import text as name_of
from dice_env import GAME
from dice_env.actions import face_name
from dice_env.drawing import item_words
from dice_env.state import DICE, PASS, STOP
from harness import Table

FOLDER = Path(__file__).parent / "playthroughs"
GAMES: dict[int, dict[str, Any]] = {
    2: {"seed": 3, "boards": ["rhodes", "babylon"]},
    3: {"seed": 8, "boards": ["giza", "halicarnassus", "olympia"]},
    4: {"seed": 5, "barracks_bonus": "both_sides", "wonder_bonus": False},
    5: {"seed": 1, "grey_dice": "six_resources", "middle_bonus": "four_colours"},
    6: {"seed": 2, "max_turns": 12},
    7: {"seed": 4},
}
PURPOSE = 77  # of the draws made here; the game's own purposes are smaller
BUILDING = 9  # of 10 decisions do not look at a pass, or at declining, while there is something else


def draw(table: Table, seat: int, n: int, index: int) -> int:
    """A draw that is the same in every release of Python."""
    game = table.record
    return int(below(int(game["seed"]), PURPOSE + index, int(game["steps"]) * 8 + seat, n))


def decide(table: Table, seat: int) -> int:
    legal = table.legal(seat)
    if draw(table, seat, 10, 0) < BUILDING:
        legal = [action for action in legal if action not in (PASS, STOP)] or legal
    return legal[draw(table, seat, len(legal), 1)]


def forum(table: Table) -> str:
    game = table.record
    quadrants: list[list[str]] = [[], [], [], []]
    for die, name in enumerate(DICE):
        if int(game["forum"]) >> die & 1:
            quadrants[int(game["quadrant"][die])].append(
                f"{name} {face_name(table.tables, die, int(game['face'][die]))}"
            )
    return " | ".join(f"{cost}: {', '.join(dice) or '-'}" for cost, dice in enumerate(quadrants))


def decision(table: Table, seat: int, action: int) -> str:
    """A line for what one seat does: the action, among how many, and for what effect or bonus."""
    game = table.record
    pending = ""
    depth = int(game["depth"][seat])
    if game["first_action"][seat]:
        pending = " to resolve: " + ", then ".join(
            item_words(table.tables, int(game["stack"][seat][place])) for place in range(depth - 1, -1, -1)
        )
    return (
        f"  seat {seat}: {table.words(seat, action):<44} ({len(table.legal(seat))} legal){pending}".rstrip()
    )


def numbers(table: Table) -> str:
    game, n = table.record, table.num_players
    columns = {
        "coins": game["coins"][:n],
        "resources": game["resources"][:n],
        "bonuses": [bin(int(bits)).count("1") for bits in game["bonuses"][:n]],
        "points": table.score()[:, -2],
    }
    return "  = " + " | ".join(
        f"{name} {' '.join(str(int(x)) for x in column)}" for name, column in columns.items()
    )


def playthrough(players: int) -> Iterator[str]:
    """The game, line by line."""
    options = GAMES[players]
    table = Table(GAME, players, **options)
    yield f"{GAME.title}, {players} players"
    yield from (f"{name}: {value}" for name, value in options.items())
    yield ""
    for seat in range(players):
        yield f"seat {seat}: {name_of(table.tables[0]['city'][int(table.record['board'][seat])])}"
    yield "The left neighbour of a seat is the next one, that of the last is seat 0."
    turn = -1
    while not table.over:
        if table.record["turn"] != turn:
            turn = int(table.record["turn"])
            yield ""
            yield f"Turn {turn + 1}{', the last one' if table.record['last_turn'] else ''}"
            yield f"  forum by cost: {forum(table)}"
        actions = {seat: decide(table, seat) for seat in table.deciders()}
        yield from (decision(table, seat, action) for seat, action in actions.items())
        table.step(actions)
        if table.over or table.record["turn"] != turn:
            yield numbers(table)
    yield ""
    yield "The final score" + (" (cut off)" if table.record["over"] == CUT_OFF else "")
    columns = (*(name.replace("_", " ") for name in GAME.categories), "total", "coins left")
    yield " " * 8 + "".join(f"{name:>15}" for name in columns)
    yield from (
        f"  seat {seat}" + "".join(f"{int(points):>15}" for points in row)
        for seat, row in enumerate(table.score())
    )


def text(players: int) -> str:
    return "\n".join(playthrough(players)) + "\n"


def file_of(players: int) -> Path:
    return FOLDER / f"dice_{players}.txt"


@pytest.mark.parametrize("players", GAMES)
def test_playthrough(players: int) -> None:
    assert text(players) == file_of(players).read_text(encoding="utf-8")


def test_what_is_rare_comes_up() -> None:
    stories = {players: file_of(players).read_text(encoding="utf-8") for players in GAMES}
    for words in (
        "the last one",
        "white die",
        "purple die",
        "black die",
        "take the bonus again",
        "take the bonus cross",
        "take the bonus coins",
        "without die cost",
        "an action, then",
        "cross up to 2",
        "pick a space for the yellow die",
        "pick a space for the red die",
        "pick a space for the black die",
        "build wonder3",
    ):
        assert sum(words in story for story in stories.values()) >= 1, words
    assert "(cut off)" in stories[6]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for number in GAMES:
        file_of(number).write_text(text(number), encoding="utf-8")
        print(f"written: {file_of(number)}")
