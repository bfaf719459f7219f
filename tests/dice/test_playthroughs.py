"""Whole games of 7 Wonders Dice as text, see :mod:`antiquity.testing.playthroughs`.

The seats play at random, though they rarely pass while there is something to build.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from antiquity.game.tables import text as name_of
from antiquity.testing.playthroughs import Stories, decide, numbers
from antiquity.testing.table import Table
from dice_env import GAME
from dice_env.actions import face_name
from dice_env.state import DICE, PASS, STOP
from dice_env.views.text import item_words

GAMES: dict[int, dict[str, Any]] = {
    2: {"seed": 3, "boards": ["rhodes", "babylon"]},
    3: {"seed": 8, "boards": ["giza", "halicarnassus", "olympia"]},
    4: {"seed": 5, "barracks_bonus": "both_sides", "wonder_bonus": False},
    5: {"seed": 1, "grey_dice": "six_resources", "middle_bonus": "four_colours"},
    6: {"seed": 2, "max_turns": 12},
    7: {"seed": 4},
}
OFTEN = 10  # all but one of so many decisions do not look at a pass, or at declining, while there is something else


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


def standing(table: Table) -> str:
    game, n = table.record, table.num_players
    return numbers(
        {
            "coins": game["coins"][:n],
            "resources": game["resources"][:n],
            "bonuses": [int(bits).bit_count() for bits in game["bonuses"][:n]],
            "points": table.score()[:, -2],
        }
    )


def city(table: Table, seat: int) -> str:
    return name_of(table.tables[0]["city"][int(table.record["board"][seat])])


def story(table: Table) -> Iterator[str]:
    turn = -1
    while not table.over:
        if table.record["turn"] != turn:
            turn = int(table.record["turn"])
            yield ""
            yield f"Turn {turn + 1}{', the last one' if table.record['last_turn'] else ''}"
            yield f"  forum by cost: {forum(table)}"
        actions = {
            seat: decide(table, seat, OFTEN, lambda action: action in (PASS, STOP))
            for seat in table.deciders()
        }
        yield from (decision(table, seat, action) for seat, action in actions.items())
        table.step(actions)
        if table.over or table.record["turn"] != turn:
            yield standing(table)


STORIES = Stories(
    GAME,
    GAMES,
    seat_line=city,
    story=story,
    folder=Path(__file__).parents[1] / "playthroughs",
    tie="coins left",
    width=15,
)


@pytest.mark.parametrize("players", GAMES)
def test_playthrough(players: int) -> None:
    assert STORIES.text(players) == STORIES.kept(players)


def test_what_is_rare_comes_up() -> None:
    for words in (
        "the last one",
        "white die",
        "purple die",
        "black die",
        "take the bonus: another action",
        "take the bonus: cross a space",
        "take the bonus: 7 coins",
        "without die cost",
        "an action, then",
        "cross up to 2",
        "pick a space for the yellow die",
        "pick a space for the red die",
        "pick a space for the black die",
        "build the wonder, step 3",
    ):
        assert STORIES.how_many_tell(words) >= 1, words
    assert "(cut off)" in STORIES.kept(6)


if __name__ == "__main__":
    STORIES.write()
