"""Rulings on the buildings of 7 Wonders Dice: what a space needs, costs and brings."""

from __future__ import annotations

import pytest

from .positions import (
    ACTION,
    BONUS_COINS,
    PAIR,
    PASS,
    RICH,
    TRIO,
    WONDER,
    Position,
)

At = type[Position]


@pytest.mark.parametrize(
    ("counts", "holds"),
    [
        ((2, 2, 1), True),
        ((2, 1, 2), True),
        ((2, 3, 1), False),
        ((2, 1, 3), False),
        ((2, 2), False),
        ((3, 2), True),
        ((2, 3), False),
    ],
)
@pytest.mark.parametrize("building", ["barracks", "wonder", "warehouse", "market", "agora", "university"])
def test_ruling_01_guild_court_ties(
    position: At, building: str, counts: tuple[int, ...], holds: bool
) -> None:
    table = position(TRIO[: len(counts)], coins=RICH)
    more = (
        4 if building == "university" else 0
    )  # the first six spaces have in them what unlocks the purple die
    table.unlock(0, "purple")
    for seat, count in enumerate(counts):
        table.first(seat, building, count + more)
    table.lay("purple", building)
    assert table.can(0, "purple") == holds


def test_ruling_01_spaces_of_this_turn_do_not_count(position: At) -> None:
    table = position(PAIR, coins=RICH)
    table.unlock(0, "purple")
    table.cross(0, "wonder1")
    table.lay("purple", "barracks")
    table.lay("red", "axe")
    table.do(0, WONDER)  # another action: Giza's second space
    assert not table.can(0, "purple")
    table.do(0, "red")  # own 1, other 0, but only since this turn
    assert table.turn == 1 and table.can(0, "purple")

    table = position(PAIR, coins=RICH)
    table.unlock(0, "purple")
    table.cross(0, "wonder1", "WA1")
    table.lay("purple", "barracks")
    table.lay("red", "axe")
    table.together({0: WONDER, 1: "red"})  # the other draws level in this turn: too late
    assert table.can(0, "purple")
    table.do(0, PASS)
    assert not table.can(0, "purple")


def test_ruling_01_of_three_seats(position: At) -> None:
    table = position(coins=RICH)
    table.unlock(0, "purple")
    table.cross(0, "wonder1")
    table.cross(1, "wonder1")
    table.lay("purple", "wonder")
    assert table.can(0, "purple")  # 1, 1, 0
    table.cross(1, "wonder2")
    table.relay()
    assert not table.can(0, "purple")
    table.do(0, WONDER)  # now two spaces of the wonder as well, in this turn
    assert table.pending(0) == [ACTION] and not table.can(0, "purple")


@pytest.mark.parametrize(("symbol", "space", "side"), [("axe", "WA", "west"), ("sword", "EA", "east")])
def test_ruling_02_resources_stay(position: At, symbol: str, space: str, side: str) -> None:
    """Two turns in a row: the same three resources pay again."""
    table = position()
    table.cross(0, "stone", "wood", "clay", f"{space}1", f"{space}2")
    table.lay("red", symbol)
    table.do(0, "red")
    assert table.has(0, f"{space}3") and table.coins(0) == 0
    table.do(0, "red")
    assert table.has(0, f"{space}4") and table.coins(0) == 0
    assert table.has(0, "stone", "wood", "clay") and not table.has(0, f"{space}5")


@pytest.mark.parametrize(("coins", "legal"), [(4, True), (3, False)])
def test_ruling_03_paying_a_shortage(position: At, coins: int, legal: bool) -> None:
    table = position(coins=coins)
    table.cross(0, "stone", "wood", "WA1", "WA2", "WA3", "WA4")  # the next attack costs 4
    table.lay("red", "axe", quadrant=2)
    assert table.can(0, "red") == legal
    if legal:
        table.do(0, "red")
        assert table.coins(0) == 0 and table.has(0, "WA5")


def test_ruling_04_full_warehouse_gives_no_bonus(position: At) -> None:
    table = position()
    table.all_but(0, "warehouse", "textile")
    table.lay("grey1", "textile")
    table.do(0, "grey1")
    assert table.crossed(0) == {"stone", "wood", "clay", "glass", "papyrus", "textile"}
    assert table.turn == 1 and table.bonuses(0) == []  # nothing was asked, the turn is over


def test_ruling_05_special_dice_are_personal(position: At) -> None:
    table = position(coins=RICH)
    table.first(0, "upper", 3)
    table.lay("black", "market")
    assert table.can(0, "black") and not table.can(1, "black") and not table.can(2, "black")
    assert table.legal(1) == [WONDER, PASS]
    table.lay("green", "compass")
    table.do(1, "green", "green")
    assert not table.can(1, "black")
    table.do(1, "green")
    assert table.can(1, "black") and not table.can(2, "black") and table.unlocked(1) == ["black"]


def test_ruling_08_passing(position: At) -> None:
    table = position()
    table.cross(0, "WA1")
    table.lay("red", "axe")
    assert table.legal(0) == [PASS]  # nothing can be paid
    assert table.pending(0) == [ACTION]  # the first action of a turn is asked even so
    assert table.can(1, PASS) and table.can(1, "red")  # nor has one to build
    table.do(0, PASS)
    assert table.coins(0) == 3


def test_ruling_09_agora_tracks(position: At) -> None:
    table = position(coins=RICH)
    table.lay("blue", "mask")
    table.do(0, "blue")
    assert table.crossed(0) == {"A1"}
    table.lay("blue", "scales")
    table.do(0, "blue")
    assert table.crossed(0) == {"A1", "A2"}


@pytest.mark.parametrize("second", [0, 1])
def test_ruling_10_first_to_fill_the_agora(position: At, second: int) -> None:
    """Seat 0 fills it in the first turn, seat 2 in the same turn or the next."""
    table = position(coins=9)
    for seat in (0, 2):
        table.all_but(seat, "agora", "C2")
    table.lay("blue", "owl")
    for turn in range(2):
        table.together({0: PASS if turn else "blue", 1: PASS, 2: "blue" if turn == second else PASS})
        assert table.points(0, "agora") == (27 if turn else 24)  # fixed at the end of the turn
        while table.turn == turn:
            table.together(dict.fromkeys(table.deciders(), BONUS_COINS))
    assert table.agora_first == ([0, 2] if second == 0 else [0])
    assert [table.points(seat, "agora") for seat in range(3)] == [27, 0, 27 if second == 0 else 24]


@pytest.mark.parametrize(("symbol", "space", "points"), [("axe", "WA1", [2, 0]), ("sword", "EA1", [0, 3])])
def test_ruling_11_barracks_with_two_players(
    position: At, symbol: str, space: str, points: list[int]
) -> None:
    table = position(PAIR)
    table.cross(1, "ED1")
    table.lay("red", symbol)
    table.do(0, "red")
    assert table.has(0, space) and table.attack(0) == points


@pytest.mark.parametrize(("symbol", "attacked", "side"), [("axe", 1, "E"), ("sword", 2, "W")])
def test_ruling_11_west_attacks_the_left_neighbour_east_the_right(
    position: At, symbol: str, attacked: int, side: str
) -> None:
    for seat in range(3):
        for where in "EW":
            table = position()
            table.cross(seat, f"{where}D1", f"{where}D2")
            table.lay("red", symbol)
            table.do(0, "red")
            assert sum(table.attack(0)) == (1 if (seat, where) == (attacked, side) else 3)


@pytest.mark.parametrize("me", range(3))
def test_ruling_11_whose_defences_count(position: At, me: int) -> None:
    """West against the left neighbour's east, east against the right neighbour's west, and no other defence."""
    table = position()
    left, right = (me + 1) % 3, (me - 1) % 3
    table.cross(left, "ED1", "ED2", "WD1")
    table.cross(right, "WD1", "ED1", "ED2")
    table.cross(me, "WD1", "WD2", "ED1", "ED2")
    table.lay("red", "axe")
    table.do(me, "red")
    assert table.attack(me) == [1, 0]
    table.lay("red", "sword")
    table.do(me, "red")
    assert table.attack(me) == [1, 2]
    assert table.points(me, "barracks_west") == 1 and table.points(me, "barracks_east") == 2


def test_ruling_12_attack_points_are_written_down(position: At) -> None:
    table = position(coins=9)
    table.lay("red", "axe")
    table.do(0, "red")
    table.lay("red", "shield")
    table.do(1, "red", "ED1", "red", "ED2")
    assert table.has(1, "ED1", "ED2")
    assert table.attack(0) == [3, 0] and table.points(0, "barracks_west") == 3
    table.lay("red", "axe")
    table.do(0, "red")  # the second attack: 3 - 2
    assert table.attack(0) == [4, 0]


def test_ruling_12_defences_of_this_turn_come_too_late(position: At) -> None:
    table = position(coins=RICH)
    table.first(0, "upper", 3)
    table.cross(1, "WD1", "WD2")
    table.lay("black", "barracks")
    table.lay("red", "shield")
    table.together({0: "black", 1: "red", 2: PASS})
    assert table.has(1, "ED1") and table.deciders() == [0]
    table.do(0, "WA1")
    assert table.attack(0) == [3, 0]
    table.do(0, "black", "WA2")
    assert table.attack(0) == [3 + 2, 0]  # in the next turn it counts


def test_ruling_12_defence_and_attack_in_one_turn(position: At) -> None:
    """Rhodes crosses a defence of its east in the step in which Halicarnassus attacks there."""
    table = position(("halicarnassus", "rhodes", "giza"), coins=RICH)
    table.cross(0, "wonder1")
    table.cross(1, "wonder1")
    table.lay("red", "axe")
    table.together({0: WONDER, 1: WONDER, 2: PASS})
    table.together({0: "red", 1: "ED1"})
    assert table.attack(0) == [3, 0]
