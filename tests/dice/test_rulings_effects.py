"""Rulings on bonuses, effects and the end of the game of 7 Wonders Dice."""

from __future__ import annotations

import pytest

from .positions import (
    ACTION,
    BONUS,
    BONUS_AGAIN,
    BONUS_COINS,
    BONUS_SPACE,
    BONUSES,
    FREE,
    PASS,
    RICH,
    STOP,
    WAIT,
    WONDER,
    Position,
)

At = type[Position]


@pytest.mark.parametrize("second", [None, 2, 3, 4])
def test_ruling_06_one_more_turn_after_a_third_bonus(position: At, second: int | None) -> None:
    """Seat 0 crosses its third bonus in turn 3; another seat never, before, in the same turn, or in the next."""
    table = position()
    for seat in (0, 1):
        table.first(seat, "wonder", 2)
        table.all_but(seat, "warehouse")
        table.give(seat, bonuses=[0, 1])
    ends = min(3, 3 if second is None else second) + 1
    for turn in range(ends + 1):
        assert table.turn == turn and not table.over and table.last_turn == (turn == ends)
        assert table.deciders() == [0, 1, 2]
        # The third bonus is the only one left: no choice.
        table.together({0: WONDER if turn == 3 else PASS, 1: WONDER if turn == second else PASS, 2: PASS})
    assert table.over and not table.truncated and table.turn == ends and table.last_turn
    assert table.deciders() == [] and [table.legal(seat) for seat in range(3)] == [[WAIT]] * 3
    assert table.bonuses(0) == [0, 1, 2] and table.bonuses(1) == ([0, 1] if second is None else [0, 1, 2])
    assert table.coins(0) == 3 * ends + 7 and table.coins(2) == 3 * (ends + 1)


def test_ruling_07_bonuses(position: At) -> None:
    table = position(coins=RICH)
    table.all_but(0, "market", "L1")
    table.all_but(0, "west", "WA5")
    table.lay("yellow", "camel")
    table.lay("red", "axe")
    table.do(0, "yellow")
    assert table.turn == 0 and table.deciders() == [0] and table.legal(1) == [WAIT]
    assert table.legal(0) == BONUSES
    before = table.coins(0)
    table.do(0, BONUS_AGAIN)
    assert table.bonuses(0) == [0] and table.pending(0) == [ACTION]
    assert table.can(0, "red") and table.can(0, PASS)  # at once: the other action
    table.do(0, "red")
    assert table.legal(0) == [BONUS_SPACE, BONUS_COINS]  # the one taken is gone
    paid = before - table.coins(0)
    table.do(0, BONUS_COINS)
    assert table.coins(0) == before - paid + 7


def test_ruling_07_bonuses_of_two_turns(position: At) -> None:
    """The last space of the wonder, and a turn later the last one of the agora."""
    table = position(coins=9)
    table.all_but(0, "warehouse")
    table.first(0, "wonder", 2)
    table.all_but(0, "agora", "A3")
    table.lay("blue", "mask")
    table.lay("red", "axe")
    table.do(0, WONDER)
    assert table.turn == 0 and table.legal(0) == BONUSES
    table.do(0, BONUS_COINS)
    assert table.coins(0) == 9 + 7 and table.turn == 1
    table.do(0, "blue")
    assert table.legal(0) == [BONUS_AGAIN, BONUS_SPACE]
    table.do(0, BONUS_AGAIN)
    assert table.pending(0) == [ACTION] and table.can(0, PASS) and table.turn == 1
    table.do(0, PASS)
    assert table.bonuses(0) == [0, 2] and table.coins(0) == 16 + 3


def test_ruling_13_extra_action(position: At) -> None:
    table = position(coins=RICH)  # Giza: the second space of the wonder is another action
    table.cross(0, "wonder1")
    table.all_but(0, "west", "WA5")
    table.lay("red", "axe")
    table.lay("blue", "owl", quadrant=3)
    lying = table.forum()
    table.do(0, "red", BONUS_AGAIN)  # the die completes the west, whose bonus is another action
    assert table.turn == 0 and table.attack(0) == [6, 0]
    assert table.forum() == lying
    assert table.dice_offered(0) == {"blue"} and table.can(0, WONDER) and table.can(0, PASS)
    before = table.coins(0)
    table.do(0, WONDER)
    assert table.coins(0) == before - 1  # its cost is paid again
    assert table.can(0, "blue") and table.can(0, WONDER)
    before = table.coins(0)
    table.do(0, "blue")
    assert table.coins(0) == before - 3 - 1


def test_ruling_13_an_action_that_cannot_be_paid(position: At) -> None:
    table = position()
    table.all_but(0, "west", "WA5")
    table.all_but(0, "warehouse")
    table.lay("red", "axe")
    table.lay("blue", "mask", quadrant=1)
    table.do(0, "red", BONUS_AGAIN)
    assert table.turn == 0 and table.legal(0) == [
        WONDER,
        PASS,
    ]  # the track is full, the blue die costs a coin


def test_ruling_13_the_same_die_again(position: At) -> None:
    table = position(("babylon", "giza"), coins=20)
    table.cross(0, "lower1")
    table.lay("green", "gear", quadrant=1)
    table.lay("red", "sword")
    table.do(0, "green")  # 1 + 3 coins; Babylon's space gives another action
    assert table.turn == 0 and table.coins(0) == 16
    assert table.dice_offered(0) == {"green", "red"} and table.can(0, WONDER) and table.can(0, PASS)
    assert table.forum()["green"] == [1, 2]  # as it lay
    table.lay("white", "laurel")  # lower3 will unlock it
    table.do(0, "green")  # the same die, paid again: 1 + 6
    assert table.coins(0) == 9 and table.turn == 1


@pytest.mark.parametrize(("coins", "legal"), [(3, True), (2, False)])
def test_ruling_14_action_without_die_cost(position: At, coins: int, legal: bool) -> None:
    """Halicarnassus: the second space of the wonder is a building without die cost."""
    table = position(("halicarnassus", "giza", "rhodes"), coins=2 + coins)
    table.cross(0, "stone", "wood", "wonder1", "middle1", "middle2")  # middle3 costs 5
    table.lay("green", "tablet", quadrant=3)
    table.lay("yellow", "coins7", quadrant=3)
    table.lay("grey1", "clay")
    table.do(0, WONDER)  # 4, with two resources: 2 coins
    assert table.coins(0) == coins and table.pending(0) == [FREE]
    assert table.dice_offered(0) == {"yellow", "grey1"} | ({"green"} if legal else set())
    assert table.can(0, STOP) and not table.can(0, PASS) and not table.can(0, WONDER)
    table.do(0, "green" if legal else STOP)
    assert table.has(0, "middle3") == legal and table.coins(0) == (0 if legal else coins) and table.turn == 1


@pytest.mark.parametrize(
    ("board", "crossed", "quadrant", "coins", "left"),
    [
        ("olympia", [], 1, 9, 8),
        ("olympia", ["wonder1"], 1, 9, 9),
        ("olympia", ["wonder1", "R2"], 1, 9, 9),
        ("olympia", ["wonder1", "R2"], 3, 9, 8),
        ("olympia", ["wonder1", "R2"], 3, 0, None),
        ("halicarnassus", ["R2", "lower1", "lower2"], 2, 0, 0),
        ("alexandria", ["wonder1"], 3, 9, 9),  # grey dice cost nothing
        ("alexandria", ["wonder1", "R2"], 1, 9, 9),
    ],
)
def test_ruling_15_discounts(
    position: At, board: str, crossed: list[str], quadrant: int, coins: int, left: int | None
) -> None:
    table = position((board, "rhodes"), coins=coins)
    table.cross(0, *crossed)
    table.lay("grey1", "stone", quadrant)
    assert table.can(0, "grey1") == (left is not None)
    if left is not None:
        table.do(0, "grey1")
        assert table.coins(0) == left


def test_ruling_15_a_colour_that_costs_nothing(position: At) -> None:
    table = position(("rhodes", "giza", "olympia"))
    table.cross(0, "R2", "upper1", "upper2")  # red dice cost nothing
    table.lay("red", "axe", quadrant=3)
    table.lay("yellow", "coins7", quadrant=3)
    assert table.dice_offered(0) == {"red"}
    table.do(0, "red")
    assert table.coins(0) == 0


@pytest.mark.parametrize("option", ["any", "four_colours"])
def test_ruling_17_middle_bonus(position: At, option: str) -> None:
    table = position(coins=2 + 1, middle_bonus=option)
    table.first(0, "wonder", 2)
    table.first(0, "warehouse", 4)
    table.cross(0, "A1")
    table.do(0, WONDER, BONUS_SPACE)  # 6 - 4; one coin is left, 4 resources
    expected = {"A2", "B1", "C1", "L1", "L2", "L3", "R1", "R2", "R3", "WA1", "WD1", "EA1", "ED1"}
    expected |= {"upper1", "middle1", "lower1"}
    buildings = ["agora", "market", "barracks", "university"]
    if option == "any":
        expected |= {"papyrus", "textile", "laurel1"}
        expected |= {f"{colour}_leader" for colour in ("red", "green", "blue", "yellow")}
        buildings = ["warehouse", *buildings, "gallery"]
    assert table.pending(0) == [["cross", buildings, 1]]
    assert table.offered(0) == expected and table.can(0, STOP)  # neither wonder nor guild court
    table.do(0, "A2")
    assert table.has(0, "A2") and table.coins(0) == 1 and table.turn == 1

    table = position(coins=6 + 3, middle_bonus=option)
    table.first(0, "wonder", 2)
    table.cross(0, "B1", "B2")
    table.do(0, WONDER, BONUS_SPACE)  # the third space of B costs 4
    assert not table.can(0, "B3") and table.can(0, "A1") and not table.can(0, "A2")
    table.do(0, "L3")
    assert table.coins(0) == 0 and table.has(0, "L3")


def test_ruling_17_nothing_to_cross(position: At) -> None:
    """The bonus is spent, with nothing left that could be paid, or nothing left at all."""
    table = position(coins=6, middle_bonus="four_colours")
    table.first(0, "wonder", 2)
    table.cross(0, "A1", "WA1", "EA1", "lower1")
    table.do(0, WONDER)
    assert table.coins(0) == 0
    table.do(0, BONUS_SPACE)
    assert table.bonuses(0) == [1] and table.turn == 1

    table = position()
    for die in ("black", "purple", "white"):
        table.lay(die, {"black": "any", "purple": "market", "white": "laurel"}[die])
    for building in ("warehouse", "agora", "market", "barracks", "university", "gallery"):
        table.all_but(0, building)
    table.first(0, "wonder", 2)
    table.do(0, WONDER, BONUS_SPACE)
    assert table.bonuses(0) == [1] and table.turn == 1


def test_ruling_18_depth_first(position: At) -> None:
    """Two university spaces by the white die; what the first one causes is finished before the second is offered."""
    table = position(coins=RICH)
    table.unlock(0, "white")
    table.lay("white", "green_leader")
    table.do(0, "white")
    assert table.offered(0) == {"upper1", "middle1", "lower1"}
    table.do(0, "middle1")  # Giza: a space of the agora
    assert table.offered(0) == {"A1", "B1", "C1"}
    table.do(0, "B1")
    assert table.offered(0) == {"upper1", "middle2", "lower1"}  # the second of "up to two"
    table.do(0, "lower1")
    assert table.turn == 1


def test_ruling_18_an_action_within_an_effect(position: At) -> None:
    table = position(("babylon", "giza"), coins=20)
    table.all_but(0, "warehouse")
    table.unlock(0, "white")
    table.cross(0, "lower1")
    table.lay("white", "green_leader")
    table.lay("red", "axe")
    table.do(0, "white")
    assert table.pending(0) == [["cross", ["university"], 2]]
    table.do(0, "lower2")  # Babylon: another action
    assert table.pending(0) == [["cross", ["university"], 1], ACTION]
    table.do(0, "red")
    assert table.pending(0) == [["cross", ["university"], 1]]
    table.do(0, STOP)
    assert table.turn == 1


def test_ruling_18_effect_before_bonus(position: At) -> None:
    table = position(coins=20)
    table.unlock(0, "white")
    table.all_but(0, "gallery", "red_leader")
    table.lay("white", "red_leader")
    table.do(0, "white")
    assert table.pending(0) == [BONUS, ["cross", ["barracks"], 2]]
    table.do(0, "WA1", "WA2")
    assert table.pending(0) == [BONUS] and table.legal(0) == BONUSES

    table = position(("babylon", "giza", "rhodes"), coins=RICH)
    table.all_but(0, "university", "lower2")  # Babylon: another action
    table.lay("green", "gear")
    table.do(0, "green")
    assert table.pending(0) == [BONUS, ACTION] and table.can(0, PASS)  # the effect of the space
    table.do(0, PASS)
    assert table.legal(0) == BONUSES  # then the bonus of the building that it completes


def test_ruling_18_bonus_before_the_rest(position: At) -> None:
    """The first of "up to two" completes a building: the bonus, and what it brings, come before the second."""
    table = position(coins=RICH)
    table.unlock(0, "white")
    table.all_but(0, "west", "WA5")
    table.lay("white", "red_leader")
    table.do(0, "white", "WA5")
    assert table.pending(0) == [["cross", ["barracks"], 1], BONUS] and table.legal(0) == BONUSES
    table.do(0, BONUS_SPACE)
    assert table.pending(0)[0] == ["cross", ["barracks"], 1] and table.pending(0)[1][0] == "cross"
    table.do(0, "laurel1")
    assert table.offered(0) == {"EA1", "ED1"} and table.can(0, STOP)
