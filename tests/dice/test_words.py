"""Actions of 7 Wonders Dice in words, and the table as text."""

from __future__ import annotations

import pytest

from antiquity.game.tables import text
from dice_env import GAME
from dice_env.actions import bonus_action
from dice_env.state import NUM_ACTIONS
from dice_env.views.text import render

from .on_kernels import OnKernels
from .positions import BONUSES, PASS, TRIO


def test_actions_in_words() -> None:
    position = OnKernels(coins=20)
    position.lay("red", "shield", quadrant=2)
    position.lay("yellow", "coins7", quadrant=3)
    position.cross(0, "R2", "stone")
    table = position.table
    words = {action: table.words(0, action) for action in range(NUM_ACTIONS)}
    assert words[0] == "wait" and words[6] == "choose the red die (shield)"
    assert words[7] == "choose the yellow die (7 coins)"
    assert words[11] == "build the wonder, step 1" and words[12] == "pass"
    assert words[13] == "cross nothing more" and words[14] == "take the bonus: another action"
    assert words[17 + position.slot(0, "middle3")] == "cross university, middle 3"
    assert words[17 + position.slot(0, "WA2")] == "cross west attack 2"
    assert words[17 + position.slot(0, "red_leader")] == "cross red leader"
    assert words[1] == "choose grey die 1"  # it is not in the forum
    prices = {action: GAME.price(table.games, 0, table.tables, 0, action) for action in (6, 7, 11, 12)}
    assert prices == {
        6: "-1 coin",
        7: "-2 coins, +7 coins",
        11: "-2 coins: +2 coins and +2 points for each space of the wonder",
        12: "+3 coins",
    }
    assert len(set(words.values())) == NUM_ACTIONS
    assert "there are 81" in table.words(0, 81)


def test_drawing_shows_the_table_and_hides_this_turn() -> None:
    position = OnKernels(coins=40)
    position.cross(0, "wonder1")
    position.lay("red", "shield", quadrant=1)
    position.lay("yellow", "camel")
    table = position.table
    seen = render(table.games, 0, table.tables, 0)
    assert "shield" in seen and "Giza" in seen and "(you)" in seen
    position.together({0: "yellow", 1: "red", 2: PASS})
    same = table.copy()
    position.together({0: "L1", 1: "WD1"})
    assert render(same.games, 0, same.tables, 0) != render(same.games, 0, same.tables, None)
    assert "pick a space for the yellow die" in render(same.games, 0, same.tables, 0)
    assert "pick a space for the red die" not in render(same.games, 0, same.tables, 0)
    table.record["over"] = 1
    assert "over" in render(table.games, 0, table.tables)
    assert text(table.tables[0]["city"][0]) == "Giza" and TRIO[0] == "giza"


def test_bonus_numbers() -> None:
    assert [bonus_action(bonus) for bonus in range(3)] == BONUSES
    with pytest.raises(ValueError, match="bonuses are 0 to 2"):
        bonus_action(3)
