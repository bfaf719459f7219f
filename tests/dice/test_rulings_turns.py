"""Rulings on spaces, bonuses, turns and the score of 7 Wonders Dice, and on the switches for what is doubtful."""

from __future__ import annotations

from pathlib import Path

import pytest

from .positions import (
    BONUS,
    BONUS_AGAIN,
    BONUS_COINS,
    BONUS_SPACE,
    BONUSES,
    PAIR,
    PASS,
    RICH,
    STOP,
    WAIT,
    WONDER,
    Position,
)

At = type[Position]


# --- the wonder, effects ---


def test_wonder_from_left_to_right(position: At) -> None:
    table = position(coins=RICH)
    table.do(0, WONDER)
    # 2 coins for each space, this one included
    assert table.crossed(0) == {"wonder1"} and table.coins(0) == RICH - 3 + 2
    assert table.points(0, "wonder") == 2
    table.do(0, WONDER, PASS)
    assert table.crossed(0) == {"wonder1", "wonder2"}
    table.do(0, WONDER, BONUS_COINS)
    assert table.has(0, "wonder3") and not table.can(0, WONDER)


def test_counting_effects_count_their_own_space(position: At) -> None:
    table = position(coins=4)  # Giza's middle2: a coin and a point for each space of the university
    table.cross(0, "middle1", "lower1", "lower2")
    table.lay("green", "tablet")
    table.do(0, "green")
    assert table.coins(0) == 4 and table.points(0, "university") == 4
    table.cross(0, "upper1")
    assert table.points(0, "university") == 5  # at the end, whatever is crossed by then


def test_coins_for_spaces_now_and_points_at_the_end(position: At) -> None:
    table = position(coins=3)
    table.cross(0, "A1", "A2", "A3", "B1", "B2")
    table.lay("yellow", "chest")
    table.do(0, "yellow", "R3")
    assert table.coins(0) == 5 and table.points(0, "market") == 5
    table.cross(0, "B3")
    assert table.coins(0) == 5 and table.points(0, "market") == 6

    table = position(coins=3)
    table.cross(0, "WA1", "WA2", "EA1", "ED1", "ED2")
    table.lay("yellow", "camel")
    table.do(0, "yellow", "L3")  # both sides of the barracks together
    assert table.coins(0) == 5 and table.points(0, "market") == 5


def test_declining_a_building_without_die_cost_gives_nothing(position: At) -> None:
    table = position(("halicarnassus", "giza", "rhodes"), coins=4)
    table.cross(0, "wonder1")
    table.lay("grey1", "stone", quadrant=3)
    table.do(0, WONDER, STOP)
    assert table.coins(0) == 0 and table.turn == 1


def test_effect_with_nothing_to_do_is_skipped(position: At) -> None:
    table = position(("halicarnassus", "giza", "rhodes"), coins=4)
    table.cross(0, "wonder1")
    table.do(0, WONDER)  # no die lies in the forum
    assert table.turn == 1


def test_extra_action_with_pass_alone_happens_by_itself(position: At) -> None:
    table = position(coins=1)  # Giza: wonder2 is another action
    table.cross(0, "wonder1")
    table.do(0, WONDER)
    assert table.coins(0) == 3 and table.turn == 1


def test_up_to_two_are_of_one_building(position: At) -> None:
    """Rhodes crosses two spaces of the barracks, whose two sides are one building there."""
    table = position(("rhodes", "giza", "olympia"), coins=RICH)
    table.cross(0, "wonder1")
    table.do(0, WONDER)
    assert table.offered(0) == {"WA1", "WD1", "EA1", "ED1"}
    table.do(0, "WA1")
    assert table.offered(0) == {"WA2", "WD1", "EA1", "ED1"}
    table.do(0, STOP)
    assert table.turn == 1 and len(table.pending(0)) == 1


def test_up_to_two_of_several_buildings_are_of_one(position: At, tmp_path: Path) -> None:
    path = tmp_path / "sheet.toml"
    effect = '{ kind = "cross", buildings = ["agora", "barracks", "market"], up_to = 2 }'
    body = f'[[boards]]\nid = "giza"\nspaces = [{{ id = "wonder1", effect = {effect} }}]\n'
    path.write_text(f'extends = "base"\n{body}', encoding="utf-8")
    table = position(coins=20, sheet=str(path))
    table.do(0, WONDER)
    assert table.pending(0) == [["cross", ["agora", "market", "barracks"], 2]]
    table.do(0, "WD1")
    assert table.pending(0) == [["cross", ["barracks"], 1]]
    assert table.offered(0) == {"WA1", "WD2", "EA1", "ED1"}


def test_up_to_two_spaces_may_be_declined_and_void_effects_are_skipped(position: At) -> None:
    table = position(coins=2)
    table.first(0, "lower", 3)
    table.lay("white", "blue_leader")
    table.do(0, "white")  # A1 costs nothing, then nothing can be paid
    assert table.can(0, STOP) and table.offered(0) == {"A1"}
    table.do(0, "A1")
    assert table.turn == 1

    table = position(coins=9)
    table.first(0, "lower", 3)
    table.all_but(0, "agora")
    table.lay("white", "blue_leader")
    table.do(0, "white")
    assert table.turn == 1 and table.coins(0) == 7


# --- bonuses ---


@pytest.mark.parametrize(
    ("building", "die", "symbol", "last"),
    [
        ("west", "red", "axe", "WA5"),
        ("east", "red", "sword", "EA5"),
        ("agora", "blue", "owl", "C2"),
        ("market", "yellow", "camel", "L1"),
        ("university", "green", "gear", "lower3"),
        ("guild_court", "purple", "warehouse", "guild3"),
        ("gallery", "white", "laurel", "laurel3"),
    ],
)
def test_every_building_of_the_city_gives_a_bonus(
    position: At, building: str, die: str, symbol: str, last: str
) -> None:
    table = position(coins=50)
    if die in ("purple", "white"):
        table.unlock(0, die)
    table.all_but(0, building, last)
    table.lay(die, symbol)
    table.do(0, die)
    assert table.has(0, last) and table.pending(0) == [BONUS] and table.legal(0) == BONUSES


def test_completed_buildings_after_the_third_bonus_give_nothing(position: At) -> None:
    table = position(coins=RICH)
    table.give(0, bonuses=[0, 1, 2])
    table.all_but(0, "west", "WA5")
    table.lay("red", "axe")
    table.do(0, "red")
    assert table.has(0, "WA5") and table.turn == 1 and table.coins(0) == RICH - 4


def test_last_bonus_is_taken_unasked(position: At) -> None:
    table = position(coins=RICH)
    table.give(0, bonuses=[0, 1])
    table.all_but(0, "west", "WA5")
    table.lay("red", "axe")
    table.do(0, "red")
    assert table.coins(0) == RICH - 4 + 7 and table.turn == 1 and table.last_turn


@pytest.mark.parametrize("taken", [[1], [0, 1]])
def test_no_more_bonuses_wait_than_are_left(position: At, taken: list[int]) -> None:
    """The red leader completes the gallery, then a space that it crosses completes the west barracks."""
    table = position(coins=20)
    table.first(0, "lower", 3)
    table.give(0, bonuses=taken)
    table.all_but(0, "west", "WA5")
    table.all_but(0, "east", "EA5")
    table.all_but(0, "gallery", "red_leader")
    table.lay("white", "red_leader")
    table.do(0, "white", "WA5")
    waiting = [BONUS, ["cross", ["barracks"], 1]]
    if len(taken) == 2:
        assert table.pending(0) == waiting
        table.do(0, STOP)
        assert table.bonuses(0) == [0, 1, 2] and table.turn == 1
        return
    assert table.pending(0) == [*waiting, BONUS] and table.legal(0) == [BONUS_AGAIN, BONUS_COINS]
    table.do(0, BONUS_COINS, "EA5")  # completes the east: nothing more is due
    assert table.bonuses(0) == [0, 1, 2]  # the gallery's, taken unasked: the only one left


def test_last_bonus_may_be_one_that_crosses(position: At) -> None:
    table = position(coins=20)
    table.first(0, "lower", 3)
    table.give(0, bonuses=[0])
    table.all_but(0, "west", "WA5")
    table.all_but(0, "gallery", "red_leader")
    table.lay("white", "red_leader")
    table.do(0, "white", "WA5", BONUS_COINS, STOP)  # the other one, a space, follows unasked
    assert table.pending(0)[-1][0] == "cross" and table.bonuses(0) == [0, 1, 2]


# --- the score ---


def test_points_by_category(position: At) -> None:
    table = position()
    table.all_but(0, "wonder")
    table.cross(0, "A1", "B1", "L3", "R1", "guild1", "laurel1", "red_leader", "stone", "wood", "WD1", "WA1")
    table.give(0, attack=(3, 0))
    assert table.score()[0] == {
        "wonder": 2 * 3 + 7,
        "barracks_west": 3,
        "barracks_east": 0,
        "agora": 1 + 2,
        "market": 2 + 2,  # barracks spaces, warehouse spaces
        "university": 0,
        "guild_court": 5,
        "gallery": 2,
        "total": 30,
        "tiebreak": 0,
    }


def test_score_sheet(position: At) -> None:
    table = position(PAIR)
    table.first(0, "warehouse", 4)
    table.cross(0, "A1", "A2", "C1", "C2")  # 1 + 3 + 2 + 4
    table.all_but(0, "market")  # 2 x 3 spaces of the wonder, 3 barracks, 4 warehouse, 4 agora
    table.cross(0, "WA1", "WA2", "ED1")
    table.cross(0, "middle1", "middle2", "lower1")  # 3 spaces of the university
    table.cross(0, "guild1", "guild2")  # 5 + 6
    table.cross(0, "laurel1", "laurel2", "blue_leader")  # 2 x 3 spaces
    table.all_but(0, "wonder")  # 2 x 3 spaces, and 7
    table.give(0, attack=(5, 0), coins=2)
    assert table.score()[0] == {
        "wonder": 13,
        "barracks_west": 5,
        "barracks_east": 0,
        "agora": 10,
        "market": 17,
        "university": 3,
        "guild_court": 11,
        "gallery": 6,
        "total": 65,
        "tiebreak": 2,  # coins are no points
    }
    assert set(table.score()[1].values()) == {0}


@pytest.mark.parametrize(
    ("totals", "coins", "ranks"),
    [
        ((60, 60, 55), (4, 4, 9), [1, 1, 3]),
        ((60, 60, 55), (4, 5, 9), [2, 1, 3]),
        ((55, 60, 60), (9, 4, 4), [3, 1, 1]),
    ],
)
def test_ruling_16_equal_totals(
    position: At, totals: tuple[int, ...], coins: tuple[int, ...], ranks: list[int]
) -> None:
    table = position()
    for seat in range(3):
        table.give(seat, coins=coins[seat], attack=(totals[seat], 0))
    sheets = table.score()
    assert [(sheet["total"], sheet["tiebreak"]) for sheet in sheets] == [*zip(totals, coins, strict=True)]
    assert table.ranks() == ranks


# --- turns ---


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_max_turns_truncates(position: At, turns: int) -> None:
    table = position(max_turns=turns)
    for turn in range(turns):
        assert not table.over and table.turn == turn
        table.together(dict.fromkeys(range(3), PASS))
    assert table.over and table.truncated and table.turn == turns - 1 and table.deciders() == []
    assert [table.legal(seat) for seat in range(3)] == [[WAIT]] * 3


def test_last_turn_at_max_turns_is_an_end(position: At) -> None:
    table = position(max_turns=2)
    table.give(0, bonuses=[0, 1])
    table.all_but(0, "warehouse")
    table.first(0, "wonder", 2)
    table.do(0, WONDER, PASS)
    assert table.over and not table.truncated and table.last_turn and table.turn == 1


def test_all_decide_at_once_and_small_decisions_meet(position: At) -> None:
    table = position(coins=RICH)
    table.lay("yellow", "camel")
    table.lay("red", "shield")
    table.lay("grey1", "stone")
    table.together({0: "yellow", 1: "red", 2: "grey1"})
    assert table.deciders() == [0, 1] and table.legal(2) == [WAIT] and table.pending(2) == []
    table.together({0: "L2", 1: "WD1"})
    assert table.turn == 1 and table.deciders() == [0, 1, 2]


# --- what is doubtful, and so a switch ---


@pytest.mark.parametrize("bonus", [True, False])
def test_wonder_bonus_is_a_switch(position: At, bonus: bool) -> None:
    table = position(coins=RICH, wonder_bonus=bonus)
    table.all_but(0, "wonder", "wonder3")
    table.do(0, WONDER)
    assert table.has(0, "wonder3") and table.coins(0) == RICH - 6
    assert table.turn == (0 if bonus else 1)
    if bonus:
        assert table.pending(0) == [BONUS]


@pytest.mark.parametrize("option", ["each_side", "both_sides"])
def test_barracks_bonus_is_a_switch(position: At, option: str) -> None:
    table = position(coins=RICH, barracks_bonus=option)
    table.all_but(0, "west", "WA5")
    table.lay("red", "axe")
    table.do(0, "red")
    assert table.turn == (0 if option == "each_side" else 1)
    for last, symbol in (("WA5", "axe"), ("ED2", "shield")):
        table = position(coins=RICH, barracks_bonus=option)
        table.all_but(0, "barracks", last)
        table.lay("red", symbol)
        table.do(0, "red")
        assert table.pending(0) == [BONUS]  # the second side: a bonus either way


@pytest.mark.parametrize("option", ["photographed", "six_resources"])
def test_grey_dice_are_a_switch(position: At, option: str) -> None:
    resources = ["stone", "wood", "clay", "textile", "glass", "papyrus"]
    for die in ("grey1", "grey2", "grey3"):
        crossed = set()
        for resource in resources:
            table = position(coins=9, grey_dice=option)
            try:
                table.lay(die, resource)
            except ValueError:  # the die has no such face
                continue
            table.do(0, die)
            crossed |= table.crossed(0)
        assert len(crossed) == (5 if option == "photographed" else 6)


def test_bonus_space_is_not_asked_where_it_is_the_last(position: At) -> None:
    """Taken unasked, it still asks which space."""
    table = position(coins=RICH)
    table.give(0, bonuses=[0, 2])
    table.all_but(0, "west", "WA5")
    table.lay("red", "axe")
    table.do(0, "red")
    assert table.bonuses(0) == [0, 1, 2] and table.can(0, STOP) and table.can(0, "laurel1")
    assert not table.can(0, BONUS_SPACE)
