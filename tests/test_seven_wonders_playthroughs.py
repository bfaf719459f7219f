"""Whole games of 7 Wonders as text that a person can follow; the files in ``playthroughs/`` must come out exactly.

A change of the rules, the card table, the deals or the action numbers shows as a difference in these files. When it is
meant, write them anew and read the difference before committing it::

    python tests/test_seven_wonders_playthroughs.py

The seats play at random, though they rarely sell what they could build. Boards and seeds are such that what is rare
comes up: picks from the discard, seventh cards, payments to choose from, chains and other free buildings.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from antiquity.jit import entry
from antiquity.random import below
from harness import Table
from seven_wonders_env import GAME
from seven_wonders_env.actions import board_name, kind_name
from seven_wonders_env.legality import is_free
from seven_wonders_env.state import KINDS, PHASES, TURNS

FOLDER = Path(__file__).parent / "playthroughs"
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
AGES = ("I", "II", "III")
PURPOSE = 77  # of the draws made here; the game's own purposes are smaller
BUILDING = 7  # of 8 decisions do not look at sales while there is something else


@entry
def _is_free(games, index, tables, seat, kind):
    return is_free(games[index], tables[0], seat, kind)


def draw(table: Table, seat: int, n: int, index: int) -> int:
    """A draw that is the same in every release of Python."""
    game = table.record
    return int(below(int(game["seed"]), PURPOSE + index, int(game["steps"]) * 8 + seat, n))


def decide(table: Table, seat: int) -> int:
    legal = table.legal(seat)
    if draw(table, seat, 8, 0) < BUILDING:
        legal = [action for action in legal if action > 3 * KINDS or (action - 1) % 3 != 2] or legal
    return legal[draw(table, seat, len(legal), 1)]


def heading(table: Table) -> str:
    game = table.record
    phase, turn = PHASES[int(game["phase"])], int(game["turn"])
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
    if phase == "pay":
        source = "not: " + ", ".join(table.words(seat, other) for other in legal if other != action)
    elif phase == "pick":
        source = "pile: " + names(table, [k for k in range(KINDS) for _ in range(int(game["discard"][k]))])
    else:
        hand = game["hands"][seat][: int(game["hand_size"][seat])]
        source = "hand: " + names(table, [int(kind) for kind in hand])
    return f"  seat {seat}: {words:<50} ({len(legal)} legal) {source}"


def numbers(table: Table, *fields: str) -> str:
    n = table.num_players
    columns = {
        "points": table.score()[:, -2],
        "coins": table.record["coins"][:n],
        "shields": table.record["shields"][:n],
        "victory tokens": table.record["victory"][:n],
        "defeats": table.record["defeats"][:n],
    }
    return "  = " + " | ".join(f"{name} {' '.join(str(int(x)) for x in columns[name])}" for name in fields)


def playthrough(players: int) -> Iterator[str]:
    """The game, line by line."""
    options = GAMES[players]
    table = Table(GAME, players, **options)
    yield f"{GAME.title}, {players} players"
    yield from (f"{name}: {value}" for name, value in options.items())
    yield ""
    yield from (
        f"seat {seat}: {board_name(table.tables, int(table.record['board'][seat]))}"
        for seat in range(players)
    )
    yield "The left neighbour of a seat is the next one, that of the last is seat 0."
    while not table.over:
        age = int(table.record["age"])
        yield ""
        yield heading(table)
        actions = {seat: decide(table, seat) for seat in table.deciders()}
        yield from (decision(table, seat, action) for seat, action in actions.items())
        table.step(actions)
        yield numbers(table, "coins", "shields", "points")
        if table.over or int(table.record["age"]) != age:
            yield ""
            yield f"The conflicts of Age {AGES[age]}"
            yield numbers(table, "victory tokens", "defeats", "points")
    yield ""
    yield "The final score"
    columns = (*GAME.categories, "total", "coins left")
    yield " " * 8 + "".join(f"{name:>11}" for name in columns)
    yield from (
        f"  seat {seat}" + "".join(f"{int(points):>11}" for points in row)
        for seat, row in enumerate(table.score())
    )


def text(players: int) -> str:
    return "\n".join(playthrough(players)) + "\n"


def file_of(players: int) -> Path:
    return FOLDER / f"seven_wonders_{players}.txt"


@pytest.mark.parametrize("players", GAMES)
def test_playthrough(players: int) -> None:
    assert text(players) == file_of(players).read_text(encoding="utf-8")


def test_what_is_rare_comes_up() -> None:
    stories = {players: file_of(players).read_text(encoding="utf-8") for players in GAMES}
    for words in (
        "from the discard",
        "the seventh card",
        ": payments",
        "for nothing",
        "build wonder stage 3",
    ):
        assert sum(words in story for story in stories.values()) >= 2, words
    assert all("Age III, turn 6" in story for story in stories.values())


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for number in GAMES:
        file_of(number).write_text(text(number), encoding="utf-8")
        print(f"written: {file_of(number)}")
