"""Rulings on the dice of 7 Wonders Dice: what they allow, cost and bring, and how special dice come in."""

from __future__ import annotations

import pytest

from .positions import BONUS_AGAIN, FREE, PAIR, PASS, RICH, STOP, WAIT, WONDER, Position

At = type[Position]
BARRACKS = {"WA1", "WD1", "EA1", "ED1"}
AGORA, UNIVERSITY = {"A1", "B1", "C1"}, {"upper1", "middle1", "lower1"}
MARKET = {"L1", "L2", "L3", "R1", "R2", "R3"}


# --- what they allow ---


@pytest.mark.parametrize(
    ("die", "symbol", "spaces"),
    [
        ("grey1", "glass", {"glass"}),
        ("green", "compass", {"upper1"}),
        ("green", "tablet", {"middle1"}),
        ("green", "gear", {"lower1"}),
        ("blue", "mask", {"A1"}),
        ("blue", "scales", {"A1"}),
        ("blue", "fountain", {"B1"}),
        ("blue", "temple", {"B1"}),
        ("blue", "owl", {"C1"}),
        ("blue", "caduceus", {"C1"}),
        ("red", "axe", {"WA1"}),
        ("red", "sword", {"EA1"}),
        ("red", "shield", {"WD1", "ED1"}),
        ("yellow", "camel", {"L1", "L2", "L3"}),
        ("yellow", "chest", {"R1", "R2", "R3"}),
        ("white", "laurel", {"laurel1"}),
        *(
            ("white", f"{colour}_leader", {f"{colour}_leader"})
            for colour in ("red", "green", "blue", "yellow")
        ),
        ("black", "market", MARKET),
        ("black", "university", UNIVERSITY),
        ("black", "agora", AGORA),
        ("black", "warehouse", {"stone", "wood", "clay", "glass", "papyrus", "textile"}),
        ("black", "barracks", BARRACKS),
        ("black", "any", MARKET | UNIVERSITY | AGORA | BARRACKS),
    ],
)
def test_what_a_face_allows(position: At, die: str, symbol: str, spaces: set[str]) -> None:
    table = position(coins=RICH)
    if die in ("black", "white"):
        table.unlock(0, die)
    before = table.crossed(0)
    table.lay(die, symbol)
    table.do(0, die)
    if len(spaces) == 1:
        assert table.crossed(0) >= before | spaces
    else:
        assert table.pending(0) == [["pick", die]]
        assert table.offered(0) == spaces - before
        assert not table.can(0, STOP)  # a die that is chosen is used


@pytest.mark.parametrize(
    ("symbol", "spaces"),
    [
        ("barracks", BARRACKS - {"WA1"}),
        ("agora", AGORA - {"A1"} | {"A2"}),
        ("market", MARKET - {"L1"}),
        ("university", UNIVERSITY - {"upper1"}),
        ("any", (BARRACKS | AGORA | MARKET | UNIVERSITY) - {"WA1", "A1", "L1", "upper1"} | {"A2"}),
    ],
)
def test_black_die_crosses_any_next_space_of_its_building(
    position: At, symbol: str, spaces: set[str]
) -> None:
    table = position(coins=20)
    table.first(0, "upper", 3)
    table.first(0, "west_attack", 5)
    table.cross(0, "A1", "L1")
    table.lay("black", symbol)
    table.do(0, "black")
    assert table.offered(0) == spaces


@pytest.mark.parametrize("symbol", ["laurel", "red_leader", "green_leader", "blue_leader", "yellow_leader"])
def test_white_die_crosses_its_space_unasked(position: At, symbol: str) -> None:
    table = position(coins=2)
    table.first(0, "lower", 3)
    table.lay("white", symbol)
    table.do(0, "white")
    space = "laurel1" if symbol == "laurel" else symbol
    assert table.crossed(0) == {"lower1", "lower2", "lower3", space}


def test_die_that_allows_nothing_cannot_be_chosen(position: At) -> None:
    table = position(coins=1)
    table.cross(0, "stone", "WD1", "WD2", "ED1", "ED2", "A1", "A2", "A3")
    table.lay("grey1", "stone")
    table.lay("red", "shield")
    table.lay("blue", "mask")
    assert table.legal(0) == [PASS]


def test_only_space_is_crossed_unasked_and_a_choice_is_asked(position: At) -> None:
    table = position(coins=2)
    table.cross(0, "ED1", "ED2")
    table.lay("red", "shield")
    table.do(0, "red")
    assert table.turn == 1 and table.has(0, "WD1")

    table = position(coins=2)
    table.lay("red", "shield")
    table.do(0, "red")
    assert table.pending(0) == [["pick", "red"]] and table.offered(0) == {"WD1", "ED1"}
    assert len(table.legal(0)) == 2 and table.coins(0) == 2 and table.legal(1) == [WAIT]


def test_only_spaces_that_can_be_paid_are_offered(position: At) -> None:
    table = position(coins=3)
    table.lay("yellow", "chest", quadrant=1)
    table.do(0, "yellow")
    assert table.offered(0) == {"R1", "R2"}  # 2 coins are left


def test_halves_of_the_market_have_no_order(position: At) -> None:
    table = position(coins=20)
    table.lay("yellow", "camel")
    table.do(0, "yellow", "L3", "yellow", "L1", "yellow")
    assert table.crossed(0) == {"L1", "L2", "L3"}


def test_dice_are_shared(position: At) -> None:
    table = position()
    table.lay("grey1", "stone")
    table.together(dict.fromkeys(range(3), "grey1"))
    assert all(table.has(seat, "stone") for seat in range(3))


# --- what they cost and bring ---


@pytest.mark.parametrize("quadrant", range(4))
def test_die_costs_its_quadrant(position: At, quadrant: int) -> None:
    table = position(coins=quadrant)
    table.lay("grey1", "stone", quadrant)
    table.do(0, "grey1")
    assert table.coins(0) == 0 and table.has(0, "stone")
    if quadrant:
        table = position(coins=quadrant - 1)
        table.lay("grey1", "stone", quadrant)
        assert table.legal(0) == [PASS]


def test_coins_face_crosses_nothing_and_costs_the_die(position: At) -> None:
    table = position(coins=3)
    table.lay("yellow", "coins7", quadrant=3)
    table.do(0, "yellow")
    assert table.coins(0) == 7 and table.crossed(0) == set()


def test_coins_face_with_income_and_discount(position: At) -> None:
    table = position(coins=1)
    table.cross(0, "L1")  # 2 coins for a yellow die
    table.lay("yellow", "coins7", quadrant=2)
    assert not table.can(0, "yellow")  # they come after the die is paid
    table = position(coins=2)
    table.all_but(0, "market")  # R2: a coin off every die
    table.lay("yellow", "coins7", quadrant=2)
    table.do(0, "yellow")
    assert table.coins(0) == 2 - 1 + 2 + 7


@pytest.mark.parametrize(
    ("coins", "quadrant", "legal"),
    [(2, 2, True), (1, 2, False), (2, 1, True), (1, 1, False), (0, 1, False), (2, 3, False)],
)
def test_income_pays_for_the_space_but_not_for_the_die(
    position: At, coins: int, quadrant: int, legal: bool
) -> None:
    table = position(coins=coins)
    table.cross(0, "upper1")  # Giza: 2 coins for a red die
    table.first(0, "west_attack", 4 - quadrant)  # the next costs 4 - quadrant
    table.lay("red", "axe", quadrant)
    assert table.can(0, "red") == legal
    if legal:
        table.do(0, "red")
        assert table.coins(0) == 2 + coins - quadrant - (4 - quadrant)
    else:
        assert table.legal(0) == [PASS]


def test_income_of_the_space_itself_comes_too_late(position: At) -> None:
    table = position(coins=1)
    table.lay("yellow", "camel")
    table.do(0, "yellow")
    assert table.has(0, "L1") and table.coins(0) == 0
    table.lay("yellow", "coins7")
    table.do(0, "yellow")
    assert table.coins(0) == 2 + 7

    table = position(("rhodes", "giza"), coins=2)
    table.lay("green", "compass")
    table.lay("blue", "mask")
    table.do(0, "green")  # the space that gives 2 coins for blue dice
    assert table.coins(0) == 0
    table.do(0, "blue")
    assert table.coins(0) == 2


def test_income_also_without_die_cost(position: At) -> None:
    table = position(("halicarnassus", "giza", "rhodes"), coins=4)
    table.cross(0, "wonder1", "L1")
    table.lay("yellow", "coins7", quadrant=3)
    table.do(0, WONDER, "yellow")
    assert table.coins(0) == 2 + 7 and table.turn == 1


def test_free_action_may_use_the_die_that_gave_it(position: At) -> None:
    table = position(("rhodes", "giza"), coins=2 + 3 + 6)
    table.cross(0, "lower1")
    table.lay("grey1", "stone", quadrant=3)
    table.lay("green", "gear", quadrant=2)
    table.do(0, "green")
    assert table.pending(0) == [FREE] and table.can(0, "green") and table.can(0, STOP)
    table.do(0, "green")
    assert table.coins(0) == 0 and table.unlocked(0) == ["white"]


def test_warehouse_space_does_not_pay_for_itself(position: At) -> None:
    table = position(coins=2)
    table.lay("grey1", "glass")
    table.do(0, "grey1")
    assert table.coins(0) == 0 and table.crossed(0) == {"glass"}


def test_resources_of_this_very_turn_pay(position: At) -> None:
    """Ephesus' university crosses a warehouse space, whose resource pays for the second of "up to two"."""
    table = position(("ephesus", "giza", "rhodes"), coins=2 + 3 + 2)
    table.unlock(0, "white")
    table.cross(0, "upper1")  # upper2 costs 3
    table.lay("white", "green_leader")
    table.do(0, "white", "middle1")
    assert table.coins(0) == 2 and table.offered(0) == {
        "stone",
        "wood",
        "clay",
        "glass",
        "papyrus",
        "textile",
    }
    table.do(0, "stone")
    assert table.offered(0) == {"upper2", "lower1"}
    table.do(0, "upper2")
    assert table.coins(0) == 0


# --- special dice ---


def unlocking(position: At, *dice: str) -> Position:
    """A table where seats 0 ... are one space before unlocking these dice."""
    table = position(coins=RICH)
    lanes = {"black": ("upper", "compass"), "purple": ("middle", "tablet"), "white": ("lower", "gear")}
    for grey in ("grey1", "grey2", "grey3"):
        table.lay(grey, "stone", quadrant=3)
    for seat, die in enumerate(dice):
        lane, symbol = lanes[die]
        table.first(seat, lane, 2)
        if seat == 0:
            table.lay("green", symbol)
    return table


def greys(table: Position) -> int:
    return sum(die.startswith("grey") for die in table.forum())


@pytest.mark.parametrize("die", ["black", "purple", "white"])
def test_first_unlock_replaces_a_grey_die_at_the_end_of_the_turn(position: At, die: str) -> None:
    """Two seats unlock the same die in one turn, a third one a turn later: only one grey die leaves."""
    table = unlocking(position, die, die, die)
    for grey in ("grey1", "grey2", "grey3"):
        table.lying.pop(grey)
    table.together({0: "green", 1: "green", 2: PASS})
    assert table.turn == 1 and set(table.forum()) - {"grey1", "grey2", "grey3"} == {"green", die}
    assert greys(table) == 2
    assert [table.unlocked(seat) for seat in range(3)] == [[die], [die], []]
    forum = set(table.forum())
    table.together({0: PASS, 1: PASS, 2: "green"})
    assert set(table.forum()) == forum and table.unlocked(2) == [die]


def test_three_colours_leave_no_grey_die(position: At) -> None:
    table = unlocking(position, "black")
    table.lying.clear()
    table.lay("green", "compass")
    table.unlock(1, "white")
    table.unlock(2, "purple")
    table.do(0, "green")
    assert set(table.forum()) == {"green", "black", "purple", "white"}
    table.do(0, PASS)
    assert set(table.forum()) == {"green", "black", "purple", "white"}


def test_unlocked_die_in_the_forum_may_be_chosen_at_once(position: At) -> None:
    """The last space of the university unlocks black and brings a bonus: another action, with the black die."""
    table = unlocking(position, "black")
    table.lay("black", "agora")
    table.all_but(0, "university", "upper3")
    assert not table.can(0, "black")
    table.do(0, "green", BONUS_AGAIN)
    assert table.turn == 0 and table.can(0, "black") and not table.can(1, "black")


def test_newly_unlocked_die_comes_in_at_the_end_of_the_turn(position: At) -> None:
    table = unlocking(position, "black")
    table.lying.clear()
    table.lay("green", "compass")
    table.all_but(0, "university", "upper3")
    table.do(0, "green", BONUS_AGAIN)
    assert "black" not in table.forum() and not table.can(0, "black")
    table.do(0, PASS)
    assert {"black", "purple", "white"} < set(table.forum())


def test_new_die_at_the_very_end_is_not_thrown(position: At) -> None:
    table = position(PAIR, coins=9, max_turns=1)
    table.first(0, "upper", 2)
    table.lay("green", "compass")
    table.lay("grey1", "stone", quadrant=2)
    table.do(0, "green")
    assert table.over and table.truncated and table.turn == 0 and not table.last_turn
    assert table.forum() == {"green": [0, 0], "black": [0, 0]}
