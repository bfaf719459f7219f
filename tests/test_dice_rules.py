"""The rules of 7 Wonders Dice on the kernels: every ruling, and every open point as it is decided, in a position."""

from __future__ import annotations

import random

import numpy as np
import pytest

from antiquity import Batch
from antiquity.game import CUT_OFF, ENDED
from antiquity.testing.table import Table
from dice_env import GAME
from dice_env.actions import bonus_action
from dice_env.state import PASS, SPECIALS, STOP, WONDER
from dice_positions import A_SPACE, AGAIN, COINS, TRIO, Position

WAIT_ONLY = [0]
PAIR = ("giza", "rhodes")
FAR_RICH = 40


# --- the rulings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "holds"),
    [
        ((2, 2, 1), True),
        ((2, 3, 1), False),
        ((2, 1, 3), False),
        ((2, 2), False),
        ((3, 2), True),
        ((2, 3), False),
    ],
)
def test_ruling_01_guild_court_ties(counts: tuple[int, ...], holds: bool) -> None:
    table = Position(TRIO if len(counts) == 3 else PAIR, coins=FAR_RICH)
    for seat, count in enumerate(counts):
        table.crossed(seat, *table.slots(seat, "market")[:count])
    table.unlocked(0, "purple")
    table.lies("purple", "market")
    assert table.can(0, "purple") == holds


def test_ruling_02_resources_stay() -> None:
    table = Position()
    table.crossed(0, "stone", "wood", "clay", "WA1", "WA2", "WA3")
    table.lies("red", "axe")
    table.do(0, "red")
    assert table.has(0, "WA4") and table.coins(0) == 0 and table.record["resources"][0] == 3
    table = Position()
    table.crossed(0, "stone", "wood", "clay", "EA1", "EA2", "EA3", "WA1", "WA2", "WA3", "WA4")
    table.lies("red", "sword")
    table.do(0, "red")
    assert table.has(0, "EA4") and table.coins(0) == 0 and table.record["resources"][0] == 3


def test_ruling_02_two_turns_in_a_row() -> None:
    """The same game goes on: a turn later the same resources pay again."""
    table = Position()
    table.crossed(0, "stone", "wood", "clay", "WA1", "WA2", "WA3", "EA1", "EA2", "EA3")
    table.lies("red", "axe")
    table.do(0, "red")
    table.record["forum"] = 0
    table.have("coins", 0, 0)
    table.lies("red", "sword")
    table.do(0, "red")
    assert table.has(0, "WA4") and table.has(0, "EA4")
    assert table.coins(0) == 0


@pytest.mark.parametrize(("coins", "legal"), [(4, True), (3, False)])
def test_ruling_03_paying_a_shortage(coins: int, legal: bool) -> None:
    table = Position(coins=coins)
    table.crossed(0, "stone", "wood", "WA1", "WA2", "WA3", "WA4")  # the next attack costs 4
    table.lies("red", "axe", quadrant=2)
    assert table.can(0, "red") == legal
    if legal:
        table.do(0, "red")
        assert table.coins(0) == 0 and table.has(0, "WA5")


def test_ruling_04_full_warehouse_gives_no_bonus() -> None:
    table = Position()
    table.all_but(0, "warehouse", "textile")
    table.lies("grey1", "textile")
    table.do(0, "grey1")
    assert table.record["resources"][0] == 6
    assert (
        table.record["turn"] == 1 and table.record["bonuses"][0] == 0
    )  # nothing was asked, the turn is over


def test_ruling_05_special_dice_are_personal() -> None:
    table = Position(coins=FAR_RICH)
    table.unlocked(0, "black")
    table.lies("black", "market")
    assert table.can(0, "black") and not table.can(1, "black") and not table.can(2, "black")
    assert table.legal(1) == [WONDER, PASS]


def test_ruling_06_end_of_the_game() -> None:
    table = Position()
    for seat in (0, 1):
        table.have("bonuses", seat, 0b011)
        table.all_but(seat, "guild_court", "guild3")
        table.have("coins", seat, FAR_RICH)
        table.unlocked(seat, "purple")
    table.crossed(0, "stone")
    table.lies("purple", "warehouse")  # only seat 0 stands the comparison
    assert table.record["last_turn"] == 0
    table.do(0, "purple")  # the third bonus is the only one left: no choice
    assert table.record["bonuses"][0] == 0b111
    assert table.record["turn"] == 1 and table.record["last_turn"] == 1 and not table.over
    assert table.deciders() == [0, 1, 2]
    # In that last turn another seat crosses its third bonus: no further turn.
    table.crossed(1, "stone", "wood")
    table.record["forum"] = 0
    table.lies("purple", "warehouse")
    table.do(1, "purple")
    assert table.record["bonuses"][1] == 0b111
    assert table.record["over"] == ENDED and table.deciders() == []


def test_ruling_06_two_third_bonuses_in_one_turn() -> None:
    table = Position()
    for seat in (0, 1):
        table.have("bonuses", seat, 0b011)
        table.all_but(seat, "guild_court", "guild3")
        table.have("coins", seat, FAR_RICH)
        table.unlocked(seat, "purple")
    table.lies("purple", "warehouse")
    table.step({0: table.number(0, "purple"), 1: table.number(1, "purple"), 2: PASS})
    assert table.record["last_turn"] == 1 and not table.over
    table.step(dict.fromkeys(range(3), PASS))
    assert table.over and table.record["turn"] == 1


def test_ruling_07_bonuses() -> None:
    table = Position(coins=FAR_RICH)
    table.all_but(0, "market", "L1")
    table.all_but(0, "barracks_west", "WA5")
    table.lies("yellow", "camel")
    table.lies("red", "axe")
    table.do(0, "yellow")
    assert table.deciders() == [0] and table.legal(1) == WAIT_ONLY
    assert table.legal(0) == [AGAIN, A_SPACE, COINS]
    before = table.coins(0)
    table.do(0, AGAIN)
    assert table.record["bonuses"][0] == 0b001
    assert table.can(0, "red") and table.can(0, PASS)  # at once: the other action
    table.do(0, "red")
    assert table.legal(0) == [A_SPACE, COINS]  # the one taken is gone
    paid = before - table.coins(0)
    table.do(0, COINS)
    assert table.coins(0) == before - paid + 7


def test_ruling_08_passing() -> None:
    table = Position()
    table.crossed(0, "WA1")
    table.lies("red", "axe")
    assert table.legal(0) == [PASS]  # nothing can be paid
    assert table.can(1, PASS) and table.can(1, "red")  # nor has one to build
    table.do(0, PASS)
    assert table.coins(0) == 3


def test_ruling_09_agora_tracks() -> None:
    table = Position(coins=FAR_RICH)
    table.lies("blue", "mask")
    table.do(0, "blue")
    assert table.has(0, "A1")
    table.record["forum"] = 0
    table.lies("blue", "scales")
    table.do(0, "blue")
    assert table.has(0, "A2")
    assert not any(table.has(0, name) for name in ("A3", "B1", "C1"))


def test_ruling_10_first_to_fill_the_agora() -> None:
    table = Position(coins=FAR_RICH)
    for seat in (0, 1):
        table.have("bonuses", seat, 0b110)
        table.all_but(seat, "agora", "C2")
    table.lies("blue", "owl")
    table.do(0, "blue", PASS)
    assert table.record["agora_first"] == 0b001
    table.record["forum"] = 0
    table.lies("blue", "owl")
    agora = sum(int(table.tables[0]["vp"][0][slot]) for slot in table.slots(0, "agora"))
    table.do(1, "blue", PASS)
    assert table.record["agora_first"] == 0b001
    assert [table.points(seat, "agora") for seat in (0, 1)] == [agora + 3, agora]


def test_ruling_10_same_turn_counts_for_both() -> None:
    table = Position(coins=FAR_RICH)
    for seat in (0, 2):
        table.have("bonuses", seat, 0b011)
        table.all_but(seat, "agora", "C2")
    table.lies("blue", "owl")
    table.step({0: table.number(0, "blue"), 1: PASS, 2: table.number(2, "blue")})
    assert table.record["agora_first"] == 0b101


def test_ruling_11_barracks_with_two_players() -> None:
    for symbol, space, points in (("axe", "WA1", 2), ("sword", "EA1", 3)):
        table = Position(PAIR)
        table.crossed(1, "ED1")
        table.lies("red", symbol)
        table.do(0, "red")
        assert table.has(0, space)
        assert table.record["attack"][0].sum() == points


@pytest.mark.parametrize("me", range(3))
def test_ruling_11_whose_defences_count(me: int) -> None:
    """West against the left neighbour's east, east against the right neighbour's west, and no other defence."""
    table = Position()
    left, right = (me + 1) % 3, (me - 1) % 3
    table.crossed(left, "ED1", "ED2", "WD1")
    table.crossed(right, "WD1", "ED1", "ED2")
    table.crossed(me, "WD1", "WD2", "ED1", "ED2")
    table.lies("red", "axe")
    table.do(me, "red")
    assert table.record["attack"][me].tolist() == [1, 0]
    table.record["forum"] = 0
    table.lies("red", "sword")
    table.do(me, "red")
    assert table.record["attack"][me].tolist() == [1, 2]
    assert table.points(me, "barracks_west") == 1 and table.points(me, "barracks_east") == 2


def test_ruling_12_attack_points_are_written_down() -> None:
    table = Position(coins=FAR_RICH)
    table.lies("red", "axe")
    table.do(0, "red")
    assert table.points(0, "barracks_west") == 3
    table.record["forum"] = 0
    table.lies("red", "shield")
    table.do(1, "red", "ED1")
    table.crossed(1, "ED2")
    assert table.points(0, "barracks_west") == 3


def test_ruling_13_extra_action() -> None:
    table = Position(coins=FAR_RICH)  # Giza: the second space of the wonder is another action
    table.crossed(0, "wonder1")
    table.lies("red", "axe", quadrant=0)
    table.lies("blue", "owl", quadrant=3)
    table.all_but(0, "barracks_west", "WA5")
    dice = table.record["face"].copy(), table.record["quadrant"].copy(), int(table.record["forum"])
    table.do(0, "red", AGAIN)  # the die completes the west, whose bonus is another action
    assert (table.record["face"] == dice[0]).all() and (table.record["quadrant"] == dice[1]).all()
    assert table.record["forum"] == dice[2]
    assert table.dice_offered(0) == {"blue"} and table.can(0, WONDER) and table.can(0, PASS)
    before = table.coins(0)
    table.do(0, WONDER)
    assert table.coins(0) == before - 1  # its cost is paid again
    assert table.can(0, "blue") and table.can(0, WONDER)
    before = table.coins(0)
    table.do(0, "blue")
    assert table.coins(0) == before - 3 - 1


def test_ruling_13_the_same_die_again() -> None:
    table = Position(coins=FAR_RICH)
    table.crossed(0, "wonder1")
    table.lies("red", "axe", quadrant=0)
    table.all_but(0, "gallery", "laurel3")
    table.unlocked(0, "white")
    table.lies("white", "laurel")
    table.do(0, "white", AGAIN)
    assert table.can(0, "red")
    table.do(0, "red")
    assert table.has(0, "WA1") and not table.has(0, "WA2")
    table = Position(coins=FAR_RICH)
    table.crossed(0, *table.slots(0, "market")[:2], "WA1", "WA2", "WA3", "WD1", "WD2")
    table.crossed(0, "wonder1")
    table.lies("red", "axe", quadrant=1)
    before = table.coins(0)
    table.do(0, WONDER, "red")
    assert table.has(0, "WA4") and table.coins(0) == before - 1 - 1 - 3


@pytest.mark.parametrize(("coins", "legal"), [(3, True), (2, False)])
def test_ruling_14_action_without_die_cost(coins: int, legal: bool) -> None:
    """Halicarnassus: the second space of the wonder is a building without die cost."""
    table = Position(("halicarnassus", "giza", "rhodes"), coins=2 + coins)
    table.crossed(0, "stone", "wood", "wonder1", "middle1", "middle2")  # middle3 costs 5
    table.lies("green", "tablet", quadrant=3)
    table.lies("yellow", "coins7", quadrant=3)
    table.do(0, WONDER)  # 4, with two resources: 2 coins
    assert table.coins(0) == coins
    assert table.dice_offered(0) == ({"green", "yellow"} if legal else {"yellow"})
    assert table.can(0, STOP) and not table.can(0, PASS) and not table.can(0, WONDER)
    if legal:
        table.do(0, "green")
        assert table.has(0, "middle3") and table.coins(0) == 0


def test_ruling_15_discounts() -> None:
    table = Position(("olympia", "halicarnassus", "rhodes"))
    table.crossed(1, "R2", "lower1", "lower2")
    assert table.record["discount"][1] == 2  # the market and the university's lower lane
    table.lies("red", "axe", quadrant=1)
    table.do(1, "red")
    assert table.has(1, "WA1") and table.coins(1) == 0
    table = Position(("rhodes", "giza", "olympia"))
    table.crossed(0, "R2", "upper1", "upper2")  # red dice cost nothing
    table.lies("red", "axe", quadrant=3)
    table.lies("yellow", "coins7", quadrant=3)
    assert table.dice_offered(0) == {"red"}
    table.do(0, "red")
    assert table.coins(0) == 0


def test_ruling_16_equal_totals() -> None:
    table = Position()
    for seat, (coins, attack) in enumerate([(4, 60), (4, 60), (9, 55)]):
        table.have("coins", seat, coins)
        table.have("attack", seat, [attack, 0])
    table.record["over"], table.record["deciders"] = 1, 0
    batch = Batch(GAME, num_players=3, autoreset=False)
    batch.reset()
    batch.set_games(table.games)
    assert batch.scores()[0, :3, -2:].tolist() == [[60, 4], [60, 4], [55, 9]]  # coins are no points
    assert batch.ranks()[0, :3].tolist() == [1, 1, 3]
    table.have("coins", 1, 5)
    batch.set_games(table.games)
    assert batch.ranks()[0, :3].tolist() == [2, 1, 3]


SIX = {
    "stone",
    "A1",
    "L1",
    "R1",
    "WA1",
    "WD1",
    "EA1",
    "ED1",
    "upper1",
    "middle1",
    "lower1",
    "laurel1",
    "red_leader",
}


@pytest.mark.parametrize("option", ["any", "four_colours"])
def test_ruling_17_middle_bonus(option: str) -> None:
    table = Position(coins=FAR_RICH, middle_bonus=option)
    table.all_but(0, "guild_court", "guild3")
    table.unlocked(0, "purple")
    table.lies("purple", "warehouse")
    table.do(0, "purple", A_SPACE)
    offered = table.spaces_offered(0)
    assert table.can(0, STOP)
    assert not any(name.startswith(("wonder", "guild")) for name in offered)
    if option == "any":
        assert offered >= SIX
        before = table.coins(0)
        table.do(0, "laurel1")
        assert table.has(0, "laurel1") and table.coins(0) == before - 2
    else:
        assert offered == {
            *("A1", "B1", "C1", "L1", "L2", "L3", "R1", "R2", "R3"),
            *("WA1", "WD1", "EA1", "ED1", "upper1", "middle1", "lower1"),
        }


def test_ruling_17_nothing_to_cross() -> None:
    table = Position(coins=4)
    table.crossed(0, "WA1", "EA1", "stone", "wood", "clay", "A1", "lower1")
    table.have("resources", 0, 0)
    table.all_but(0, "guild_court", "guild3")
    table.unlocked(0, "purple")
    table.lies("purple", "warehouse")
    table.do(0, "purple")
    assert table.coins(0) == 0
    table.do(0, A_SPACE)  # spent, with nothing that could be paid
    assert table.record["bonuses"][0] == 0b010 and table.record["turn"] == 1


def test_ruling_18_depth_first() -> None:
    """Two university spaces by the white die; what the first one causes is finished before the second is offered."""
    table = Position(coins=FAR_RICH)
    table.unlocked(0, "white")
    table.lies("white", "green_leader")
    table.do(0, "white")
    assert table.spaces_offered(0) == {"upper1", "middle1", "lower1"}
    table.do(0, "middle1")  # Giza: a space of the agora
    assert table.spaces_offered(0) == {"A1", "B1", "C1"}
    table.do(0, "B1")
    assert table.spaces_offered(0) == {"upper1", "middle2", "lower1"}  # the second of "up to two"
    table.do(0, "lower1")
    assert table.record["turn"] == 1


def test_ruling_18_effect_before_bonus() -> None:
    """The space that completes Babylon's university gives an action; the bonus comes after it."""
    table = Position(("babylon", "giza", "rhodes"), coins=FAR_RICH)
    table.all_but(0, "university", "lower2")  # Babylon: another action
    table.lies("green", "gear")
    table.do(0, "green")
    assert table.can(0, PASS)  # the effect of the space
    table.do(0, PASS)
    assert table.legal(0) == [AGAIN, A_SPACE, COINS]  # then the bonus of the building it completes


def test_ruling_18_bonus_before_the_rest() -> None:
    """The first of "up to two" completes a building: the bonus comes before the second."""
    table = Position(coins=FAR_RICH)
    table.all_but(0, "barracks_west", "WA5")
    table.unlocked(0, "white")
    table.lies("white", "red_leader")
    table.do(0, "white")
    table.do(0, "WA5")
    assert table.legal(0) == [AGAIN, A_SPACE, COINS]
    table.do(0, COINS)
    assert table.spaces_offered(0) == {"EA1", "ED1"} and table.can(0, STOP)


# --- dice and what they allow ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "symbol", "spaces"),
    [
        ("grey1", "glass", {"glass"}),
        ("green", "compass", {"upper1"}),
        ("green", "tablet", {"middle1"}),
        ("green", "gear", {"lower1"}),
        ("blue", "mask", {"A1"}),
        ("blue", "temple", {"B1"}),
        ("blue", "caduceus", {"C1"}),
        ("red", "axe", {"WA1"}),
        ("red", "sword", {"EA1"}),
        ("red", "shield", {"WD1", "ED1"}),
        ("yellow", "camel", {"L1", "L2", "L3"}),
        ("yellow", "chest", {"R1", "R2", "R3"}),
        ("white", "laurel", {"laurel1"}),
        ("white", "yellow_leader", {"yellow_leader"}),
        ("black", "market", {"L1", "L2", "L3", "R1", "R2", "R3"}),
        ("black", "university", {"upper1", "middle1", "lower1"}),
        ("black", "agora", {"A1", "B1", "C1"}),
        ("black", "warehouse", {"stone", "wood", "clay", "glass", "papyrus", "textile"}),
        ("black", "barracks", {"WA1", "WD1", "EA1", "ED1"}),
        (
            "black",
            "any",
            {
                *("L1", "L2", "L3", "R1", "R2", "R3", "upper1", "middle1", "lower1"),
                *("A1", "B1", "C1", "WA1", "WD1", "EA1", "ED1"),
            },
        ),
    ],
)
def test_what_a_face_allows(die: str, symbol: str, spaces: set[str]) -> None:
    table = Position(coins=FAR_RICH)
    table.unlocked(0, *SPECIALS)
    table.lies(die, symbol)
    table.do(0, die)
    if len(spaces) == 1:
        assert table.has(0, next(iter(spaces)))
    else:
        assert table.spaces_offered(0) == spaces
        assert not table.can(0, STOP)  # a die that is chosen is used


@pytest.mark.parametrize("quadrant", range(4))
def test_die_costs_its_quadrant(quadrant: int) -> None:
    table = Position(coins=quadrant)
    table.lies("grey1", "stone", quadrant)
    table.do(0, "grey1")
    assert table.coins(0) == 0
    if quadrant:
        table = Position(coins=quadrant - 1)
        table.lies("grey1", "stone", quadrant)
        assert table.legal(0) == [PASS]


def test_coins_face_crosses_nothing_and_costs_the_die() -> None:
    table = Position(coins=3)
    table.lies("yellow", "coins7", quadrant=3)
    table.do(0, "yellow")
    assert table.coins(0) == 7 and table.record["crossed"][0] == 0


def test_dice_are_shared() -> None:
    table = Position()
    table.lies("grey1", "stone")
    table.step(dict.fromkeys(range(3), table.number(0, "grey1")))
    assert all(table.has(seat, "stone") for seat in range(3))


def test_income_comes_between_die_cost_and_construction_cost() -> None:
    table = Position(coins=2)
    table.crossed(0, "WA1", "WA2", "upper1")  # Giza: 2 coins for a red die; the next attack costs 2
    table.lies("red", "axe", quadrant=2)
    table.do(0, "red")
    assert table.has(0, "WA3") and table.coins(0) == 0
    table = Position(coins=1)
    table.crossed(0, "WA1", "WA2", "upper1")
    table.lies("red", "axe", quadrant=2)
    assert table.legal(0) == [PASS]  # it does not pay the die itself


def test_income_of_the_space_itself_comes_too_late() -> None:
    table = Position(coins=1)
    table.lies("yellow", "camel")
    table.do(0, "yellow")
    assert table.has(0, "L1") and table.coins(0) == 0
    assert table.record["income"][0].sum() == 2


def test_income_also_without_die_cost() -> None:
    table = Position(("halicarnassus", "giza", "rhodes"), coins=4)
    table.crossed(0, "wonder1", "L1")
    table.lies("yellow", "coins7", quadrant=3)
    table.do(0, WONDER, "yellow")
    assert table.coins(0) == 2 + 7


def test_warehouse_space_does_not_pay_for_itself() -> None:
    table = Position(coins=2)
    table.lies("grey1", "glass")
    table.do(0, "grey1")
    assert table.coins(0) == 0 and table.record["resources"][0] == 1


def test_resources_of_this_very_turn_pay() -> None:
    """Ephesus' university crosses a warehouse space, whose resource pays for the second of "up to two"."""
    table = Position(("ephesus", "giza", "rhodes"), coins=2 + 3 + 1)
    table.unlocked(0, "white")
    table.crossed(0, "upper1")  # upper2 costs 3
    table.lies("white", "green_leader")
    table.do(0, "white", "middle1")
    assert table.coins(0) == 1 and table.spaces_offered(0) == {"stone", "wood", "clay"}
    table.have("coins", 0, 2)
    table.do(0, "stone")
    assert table.spaces_offered(0) == {"upper2", "lower1"}
    table.do(0, "upper2")
    assert table.coins(0) == 0


# --- the wonder, effects --------------------------------------------------------------------------------------------


def test_wonder_from_left_to_right() -> None:
    table = Position(coins=FAR_RICH)
    table.do(0, WONDER)
    assert (
        table.has(0, "wonder1") and table.coins(0) == FAR_RICH - 3 + 2
    )  # 2 coins for each space, this one included
    table.do(0, WONDER, PASS)
    assert table.has(0, "wonder2") and not table.has(0, "wonder3")
    table.do(0, WONDER, COINS)
    assert not table.can(0, WONDER)


def test_counting_effects_count_their_own_space() -> None:
    table = Position()  # Giza's middle2: a coin and a point for each space of the university
    table.have("coins", 0, 4)
    table.crossed(0, "middle1", "lower1", "lower2")
    table.lies("green", "tablet")
    table.do(0, "green")
    assert table.coins(0) == 4 and table.points(0, "university") == 4
    table.crossed(0, "upper1")
    assert table.points(0, "university") == 5  # at the end, whatever is crossed by then


def test_points_by_category() -> None:
    table = Position()
    table.crossed(
        0, "wonder1", "wonder2", "wonder3", "A1", "B1", "L3", "R1", "guild1", "laurel1", "red_leader"
    )
    table.crossed(0, "stone", "wood", "WD1", "WA1")
    table.have("attack", 0, [3, 0])
    names = (*GAME.categories, "total", "tiebreak")
    assert dict(zip(names, table.score()[0].tolist(), strict=True)) == {
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


def test_declining_a_building_without_die_cost_gives_nothing() -> None:
    table = Position(("halicarnassus", "giza", "rhodes"), coins=4)
    table.crossed(0, "wonder1")
    table.lies("grey1", "stone", quadrant=3)
    table.do(0, WONDER, STOP)
    assert table.coins(0) == 0 and table.record["turn"] == 1


def test_effect_with_nothing_to_do_is_skipped() -> None:
    table = Position(("halicarnassus", "giza", "rhodes"), coins=4)
    table.crossed(0, "wonder1")
    table.do(0, WONDER)  # no die lies in the forum
    assert table.record["turn"] == 1


def test_extra_action_with_pass_alone_happens_by_itself() -> None:
    table = Position(coins=1)  # Giza: wonder2 is another action
    table.crossed(0, "wonder1")
    table.do(0, WONDER)
    assert table.coins(0) == 3 and table.record["turn"] == 1


def test_up_to_two_are_of_one_building() -> None:
    """Rhodes crosses two spaces of the barracks, whose two sides are one building there."""
    table = Position(("rhodes", "giza", "olympia"), coins=FAR_RICH)
    table.crossed(0, "wonder1")
    table.do(0, WONDER)
    assert table.spaces_offered(0) == {"WA1", "WD1", "EA1", "ED1"}
    table.do(0, "WA1")
    assert table.spaces_offered(0) == {"WA2", "WD1", "EA1", "ED1"}
    table.do(0, STOP)
    assert table.record["turn"] == 1 and table.record["depth"][0] == 1


def test_completed_buildings_after_the_third_bonus_give_nothing() -> None:
    table = Position(coins=FAR_RICH)
    table.have("bonuses", 0, 0b111)
    table.all_but(0, "barracks_west", "WA5")
    table.lies("red", "axe")
    table.do(0, "red")
    assert table.has(0, "WA5") and table.record["turn"] == 1


def test_the_last_bonus_is_taken_without_asking() -> None:
    table = Position(coins=FAR_RICH)
    table.have("bonuses", 0, 0b011)
    table.all_but(0, "barracks_west", "WA5")
    table.lies("red", "axe")
    before = table.coins(0)
    table.do(0, "red")
    assert table.coins(0) == before - 4 + 7 and table.record["last_turn"] == 1


def test_no_more_bonuses_wait_than_are_left() -> None:
    """Two bonuses are crossed, one waits, and the crossing below it completes another building: nothing more is due."""
    table = Position(coins=FAR_RICH)
    table.have("bonuses", 0, 0b010)
    table.all_but(0, "barracks_west", "WA5")
    table.all_but(0, "barracks_east", "EA5")
    table.all_but(0, "gallery", "red_leader")
    table.unlocked(0, "white")
    table.lies("white", "red_leader")
    table.do(0, "white")  # completes the gallery, whose bonus waits beneath the crossings
    table.do(0, "WA5")
    assert table.legal(0) == [AGAIN, COINS]
    table.do(0, COINS)
    table.do(0, "EA5")
    assert table.record["bonuses"][0] == 0b111  # the gallery's, taken without asking: the only one left


# --- the start of the turn ------------------------------------------------------------------------------------------


def test_defences_of_this_turn_do_not_count() -> None:
    table = Position(coins=FAR_RICH)
    table.crossed(0, "wonder1")
    table.lies("red", "shield")
    table.lies("grey1", "stone")
    # Seat 1 defends its east at once, seat 0 attacks there later in the same turn, by its extra action.
    table.step({0: WONDER, 1: table.number(1, "red"), 2: PASS})
    assert table.deciders() == [0, 1]
    table.step({0: PASS, 1: table.number(1, "ED1")})
    assert table.record["turn"] == 1
    table.record["forum"] = 0
    table.lies("red", "axe")
    table.do(0, "red")
    assert table.record["attack"][0, 0] == 2  # in the next turn it counts


def test_defence_and_attack_in_one_turn() -> None:
    table = Position(("halicarnassus", "rhodes", "giza"), coins=FAR_RICH)
    table.crossed(1, "wonder1")
    table.crossed(0, "wonder1")
    table.lies("red", "axe")
    # Rhodes (seat 1) crosses both defences of its east in the first step, seat 0 attacks in a later one.
    table.step({0: WONDER, 1: WONDER, 2: PASS})
    table.step({0: table.number(0, "red"), 1: table.number(1, "ED1")})
    assert table.record["attack"][0, 0] == 3


def test_guild_comparison_ignores_this_turn() -> None:
    table = Position(coins=FAR_RICH)
    table.crossed(0, "wonder1")
    table.crossed(1, "wonder1")
    table.unlocked(0, "purple")
    table.lies("purple", "wonder")
    assert table.can(0, "purple")  # 1, 1, 0
    table.crossed(1, "wonder2")
    assert not table.can(0, "purple")
    table.do(0, WONDER)  # now two wonder spaces as well, in this turn
    assert table.record["depth"][0] and not table.can(0, "purple")


# --- special dice ---------------------------------------------------------------------------------------------------


def unlocking(*dice: str) -> Position:
    """A table where seat 0 ... are one space before unlocking these dice."""
    table = Position(coins=FAR_RICH)
    lanes = {"black": ("upper", "compass"), "purple": ("middle", "tablet"), "white": ("lower", "gear")}
    table.record["forum"] = 0b0000111
    for seat, die in enumerate(dice):
        lane, symbol = lanes[die]
        table.crossed(seat, f"{lane}1", f"{lane}2")
        if seat == 0:
            table.lies("green", symbol)
    return table


@pytest.mark.parametrize("die", ["black", "purple", "white"])
def test_special_die_replaces_a_grey_one(die: str) -> None:
    greys = set()
    for seed in range(12):
        table = unlocking(die)
        table.record["seed"] = seed
        assert table.can(0, "green")
        table.do(0, "green")
        assert table.record["turn"] == 1
        forum = int(table.record["forum"])
        assert bin(forum).count("1") == 4 and bin(forum & 0b111).count("1") == 2
        assert forum >> {"purple": 7, "black": 8, "white": 9}[die] & 1
        greys.add(forum & 0b111)
    assert greys == {0b011, 0b101, 0b110}  # any of the three


def test_second_unlock_of_a_colour_replaces_nothing() -> None:
    table = unlocking("black", "black")
    table.do(0, "green")
    forum = int(table.record["forum"])
    table.record["face"][3] = next(i for i in range(6) if int(table.tables[0]["face"][1][3][i]) & 1 << 38)
    table.record["quadrant"][3] = 0
    table.do(1, "green")
    assert table.record["unlocked"][1] == 0b001 and table.record["forum"] == forum


def test_same_colour_by_two_seats_in_one_turn() -> None:
    table = unlocking("black", "black")
    green = table.number(0, "green")
    table.step({0: green, 1: green, 2: PASS})
    assert bin(int(table.record["forum"]) & 0b111).count("1") == 2


def test_three_colours_leave_no_grey_die() -> None:
    table = Position(coins=FAR_RICH)
    table.record["forum"] = 0b1111111
    for seat, die in enumerate(SPECIALS):
        table.unlocked(seat, die)
    table.step(dict.fromkeys(range(3), PASS))
    assert table.record["forum"] == 0b1111111000


def test_unlocked_die_in_the_forum_may_be_chosen_at_once() -> None:
    """The last space of the university unlocks black and brings a bonus: another action, with the black die."""
    table = unlocking("black")
    table.lies("black", "agora")
    table.all_but(0, "university", "upper3", "upper1", "upper2")
    assert not table.can(0, "black")
    table.do(0, "green", AGAIN)
    assert table.can(0, "black") and not table.can(1, "black")


def test_newly_unlocked_die_comes_in_at_the_end_of_the_turn() -> None:
    table = unlocking("black")
    table.all_but(0, "university", "upper3", "upper1", "upper2")
    table.do(0, "green", AGAIN)
    assert not int(table.record["forum"]) >> 8 & 1 and not table.can(0, "black")
    table.do(0, PASS)
    assert int(table.record["forum"]) >> 8 & 1


# --- switches, turns, deciding --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bonus", [True, False])
def test_wonder_bonus_is_a_switch(bonus: bool) -> None:
    table = Position(coins=FAR_RICH, wonder_bonus=bonus)
    table.all_but(0, "wonder", "wonder3")
    table.do(0, WONDER)
    assert (table.deciders() == [0]) == bonus


@pytest.mark.parametrize("option", ["each_side", "both_sides"])
def test_barracks_bonus_is_a_switch(option: str) -> None:
    table = Position(coins=FAR_RICH, barracks_bonus=option)
    table.all_but(0, "barracks_west", "WA5")
    table.lies("red", "axe")
    table.do(0, "red")
    assert (table.deciders() == [0]) == (option == "each_side")
    table = Position(coins=FAR_RICH, barracks_bonus=option)
    table.all_but(0, "barracks_west")
    table.all_but(0, "barracks_east", "ED2")
    table.lies("red", "shield")
    table.do(0, "red")
    assert table.deciders() == [0]  # the second side: a bonus either way


def test_grey_dice_are_a_switch() -> None:
    photographed = GAME.setup(3)[0][0]["face_name"]
    six = GAME.setup(3, grey_dice="six_resources")[0][0]["face_name"]
    for die in range(3):
        assert len({bytes(name) for name in photographed[die]}) == 5
        assert len({bytes(name) for name in six[die]}) == 6


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_max_turns_truncates(turns: int) -> None:
    table = Table(GAME, 3, max_turns=turns)
    for turn in range(turns):
        assert not table.over and table.record["turn"] == turn
        table.step(dict.fromkeys(range(3), PASS))
    assert table.record["over"] == CUT_OFF and table.record["turn"] == turns - 1
    assert [table.legal(seat) for seat in range(3)] == [WAIT_ONLY] * 3


def test_last_turn_at_max_turns_is_an_end() -> None:
    table = Position(max_turns=2)
    table.have("bonuses", 0, 0b111)
    table.step(dict.fromkeys(range(3), PASS))
    table.step(dict.fromkeys(range(3), PASS))
    assert table.record["over"] == ENDED


def test_all_decide_at_once_and_small_decisions_meet() -> None:
    table = Position(coins=FAR_RICH)
    table.lies("yellow", "camel")
    table.lies("red", "shield")
    table.lies("grey1", "stone")
    table.step({0: table.number(0, "yellow"), 1: table.number(1, "red"), 2: table.number(2, "grey1")})
    assert table.deciders() == [0, 1] and table.legal(2) == WAIT_ONLY
    table.step({0: table.number(0, "L2"), 1: table.number(1, "WD1")})
    assert table.record["turn"] == 1 and table.deciders() == [0, 1, 2]


def test_boards_are_dealt_without_repeats() -> None:
    seen = set()
    for seed in range(60):
        boards = Table(GAME, 7, seed=seed).record["board"].tolist()
        assert sorted(boards) == list(range(7))
        seen.add(boards[0])
    assert seen == set(range(7))
    assert Table(GAME, 2, boards=[None, "giza"]).record["board"][1] == 0


def test_throws_are_uniform() -> None:
    """24 outcomes of each die, chi-squared with 23 degrees of freedom: 49.7 is passed once in a thousand."""
    counts = np.zeros((7, 24), int)
    for seed in range(40):
        table = Table(GAME, 2, seed=seed, max_turns=60)
        while not table.over:
            for die in range(7):
                counts[die, int(table.record["face"][die]) * 4 + int(table.record["quadrant"][die])] += 1
            table.step({0: PASS, 1: PASS})
    expected = counts.sum(axis=1) / 24
    chi = ((counts - expected[:, None]) ** 2 / expected[:, None]).sum(axis=1)
    assert (chi < 49.7).all(), chi


def test_same_seed_same_game_whatever_is_chosen() -> None:
    """Dice do not depend on what the seats do."""
    one, other = Table(GAME, 3, seed=5), Table(GAME, 3, seed=5)
    rng = random.Random(1)
    other_turns: dict[int, list[int]] = {}
    while not other.over:
        other_turns.setdefault(int(other.record["turn"]), other.record["quadrant"][3:7].tolist())
        other.step({seat: rng.choice(other.legal(seat)) for seat in other.deciders()})
    for turn in range(10):
        assert one.record["quadrant"][3:7].tolist() == other_turns[turn]
        one.step(dict.fromkeys(range(3), PASS))


def test_bonus_numbers() -> None:
    assert [bonus_action(bonus) for bonus in range(3)] == [AGAIN, A_SPACE, COINS]
    with pytest.raises(ValueError, match="bonuses are 0 to 2"):
        bonus_action(3)
