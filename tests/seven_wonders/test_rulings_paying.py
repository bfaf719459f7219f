"""The rulings on 7 Wonders: paying, passing, names and chains (numbers 1 to 12).

A ruling is a situation where game programs go wrong, and its right outcome; its rule stands in the test's docstring.
Each is tried on the kernels and on the referee and, where it depends on a seat's place at the table, from every seat.
Numbers 13 to 18 are in test_rulings_powers.py, 19 to 22 and 30 in test_rulings_conflicts.py, 23 to 29 in
test_rulings_scoring.py.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from seven_wonders.positions import (
    ALEXANDRIA,
    BABYLON,
    CARDS,
    EACH_SEAT,
    EPHESOS,
    GIZAH,
    HALIKARNASSOS,
    KIND,
    OLYMPIA,
    RHODOS,
    TABLE,
    WAIT_ONLY,
    Board,
    around,
    build,
    night,
    pay,
    sell,
    stage,
    with_cost,
)
from seven_wonders.referee_positions import Game, Side

PAID = "town_hall"  # the card that a test gives a cost of its own
CHANGED = copy.deepcopy(TABLE)  # a table with rarer combinations than the printed one
CHANGED["cards"][KIND["press_2"]]["free_from"] = ["altar"]


def can_build(position: Side, me: int, cost: dict[str, int], **setup: Any) -> bool:
    """May the seat build a card of that cost?"""
    game = position(table=with_cost(PAID, cost), hands={me: [PAID]}, **setup)
    return game.can(me, build(PAID))


@EACH_SEAT
def test_ruling_01_two_equal_choice_producers(position: Side, me: int) -> None:
    """One symbol is one resource a turn, and each choice symbol picks its own."""
    setup: dict[str, Any] = {
        "boards": {me: ALEXANDRIA},
        "stages": {me: 2},
        "cities": {me: ["caravansery"]},
        "coins": {me: 0},
    }
    assert can_build(position, me, {"wood": 2}, **setup)
    assert can_build(position, me, {"wood": 1, "clay": 1}, **setup)
    assert not can_build(position, me, {"wood": 3}, **setup)
    game = position(table=with_cost(PAID, {"wood": 2}), hands={me: [PAID]}, **setup)
    game.play({me: build(PAID)})
    assert game.coins[me] == 0 and PAID in game.city(me)


@EACH_SEAT
def test_ruling_02_two_units_from_one_neighbour(position: Side, me: int) -> None:
    """Two units of one resource need two symbols of the neighbour; a card with two symbols has them."""
    left, right = around(me)
    for seller in (left, right):
        assert not can_build(position, me, {"stone": 2}, cities={seller: ["stone_pit"]}, coins={me: 10})
        game = position(
            table=with_cost(PAID, {"stone": 2}),
            hands={me: [PAID], seller: ["altar"]},
            cities={seller: ["quarry"]},
            coins={me: 10, seller: 0},
        )
        game.play({me: build(PAID), seller: build("altar")})
        assert game.coins[me] == 6 and game.coins[seller] == 4


def test_ruling_03_one_symbol_several_users(position: Side) -> None:
    """Selling uses nothing up, nobody can refuse, and both neighbours may buy the same symbol."""
    for b in range(3):
        a, c = around(b)
        game = position(
            hands={seat: ["baths"] for seat in (a, b, c)},  # they cost a stone
            cities={b: ["stone_pit"]},
            coins={a: 2, b: 0, c: 2},
        )
        game.play(dict.fromkeys((a, b, c), build("baths")))
        assert (game.coins[a], game.coins[b], game.coins[c]) == (0, 4, 0)
        assert all("baths" in game.city(seat) for seat in (a, b, c))


@EACH_SEAT
def test_ruling_04_money_received_this_turn(position: Side, me: int) -> None:
    """Only coins held at the start of the turn may be spent."""
    left, right = around(me)
    game = position(
        hands={me: ["guard_tower"], right: ["baths"]},
        cities={left: ["clay_pool"], me: ["stone_pit"]},
        coins={me: 1, right: 2},
    )
    assert not game.can(me, build("guard_tower"))
    game.play({right: build("baths"), me: build("altar")})
    assert game.coins[me] == 1 + 2 and game.coins[right] == 0


@EACH_SEAT
def test_ruling_05_buildings_of_this_very_turn(position: Side, me: int) -> None:
    """What goes up at the same moment produces and sells from the next turn on."""
    left, right = around(me)
    game = position(hands={me: ["guard_tower"], right: ["guard_tower"], left: ["clay_pool"]})
    assert not game.can(me, build("guard_tower"))
    game.play({left: build("clay_pool"), right: sell("altar")})
    assert game.can(me, build("guard_tower"))  # the right neighbour's hand came round


@EACH_SEAT
def test_ruling_05_discounts_of_this_very_turn(position: Side, me: int) -> None:
    """A discount counts from the next turn on."""
    left, right = around(me)
    game = position(
        hands={me: ["west_trading_post", "stockade"], right: ["stockade"]},
        cities={left: ["lumber_yard"]},
        coins={me: 1},
    )
    assert not game.can(me, build("stockade"))
    game.play({me: build("west_trading_post"), right: sell("altar")})
    assert game.coins[me] == 1 and game.can(me, build("stockade"))
    game.play({me: build("stockade")})
    assert game.coins[me] == 0


@EACH_SEAT
def test_ruling_06_what_neighbours_sell(position: Side, me: int) -> None:
    """Their starting resource, brown and grey cards; never yellow cards or wonder stages."""
    left, right = around(me)
    for seller in (left, right):
        other = left if seller == right else right
        setup: dict[str, Any] = {
            "boards": {seller: RHODOS, other: ALEXANDRIA, me: HALIKARNASSOS},
            "cities": {seller: ["caravansery", "forum"]},
            "stages": {other: 2},
            "coins": {me: 2},
        }
        assert can_build(position, me, {"ore": 1}, **setup)
        assert can_build(position, me, {"glass": 1}, **setup)
        assert not can_build(position, me, {"wood": 1}, **setup)
        assert not can_build(position, me, {"papyrus": 1}, **setup)


@EACH_SEAT
def test_ruling_06_what_is_built_for_oneself_is_not_for_sale(position: Side, me: int) -> None:
    """A yellow card or a wonder stage produces for its owner from the next turn on, and never for a neighbour."""
    left, right = around(me)
    game = position(
        table=with_cost(PAID, {"clay": 1}),
        age=2,
        boards={right: ALEXANDRIA},
        cities={left: ["sawmill"], right: ["quarry", "foundry"]},
        stages={right: 1},
        hands={left: ["caravansery"]},
    )
    game.play({left: build("caravansery"), right: stage("altar")})
    assert game.stages[right] == 2 and "caravansery" in game.city(left)
    for seat in range(3):
        game.set_hand(seat, [PAID, *game.hand(seat)[1:]])
    assert not game.can(me, build(PAID))
    assert game.can(left, build(PAID)) and game.can(right, build(PAID))


@EACH_SEAT
def test_ruling_07_splitting_purchases(position: Side, me: int) -> None:
    """Any split between the two sides is allowed; each symbol gives once."""
    left, right = around(me)
    setup: dict[str, Any] = {"cities": {me: ["west_trading_post"], left: ["clay_pit"], right: ["clay_pool"]}}
    cost = {"clay": 1, "ore": 1}
    assert can_build(position, me, cost, coins={me: 3}, **setup)
    assert not can_build(position, me, cost, coins={me: 2}, **setup)
    game = position(
        table=with_cost(PAID, cost), hands={me: [PAID]}, coins={me: 3, left: 0, right: 0}, **setup
    )
    game.play({me: build(PAID), left: build("altar"), right: build("altar")})
    assert (game.coins[me], game.coins[left], game.coins[right]) == (0, 1, 2)


@EACH_SEAT
def test_ruling_08_same_price_left_and_right(position: Side, me: int) -> None:
    """If both neighbours make it, the buyer is free to choose; the cheapest pays the right one."""
    left, right = around(me)

    def asked(payments: str) -> Game:
        game = position(
            payments=payments,
            hands={me: ["guard_tower"]},
            cities={left: ["clay_pool"], right: ["clay_pool"]},
            coins={me: 2, left: 0, right: 0},
        )
        return game.play({me: build("guard_tower"), left: build("altar"), right: build("altar")})

    for to_left, to_right in ((0, 2), (2, 0)):
        game = asked("choose")
        assert game.phase == "pay" and game.deciders() == [me]
        assert game.legal(me) == [pay(0), pay(2)]
        assert game.legal(left) == game.legal(right) == WAIT_ONLY
        assert "guard_tower" not in game.city(me) and "guard_tower" in game.hand(me)  # nothing is done yet
        game.play({me: pay(to_left)})
        assert (game.coins[me], game.coins[left], game.coins[right]) == (0, to_left, to_right)
        assert "guard_tower" in game.city(me) and game.phase == "choose" and game.when == (1, 2)
    game = asked("cheapest")
    assert (game.coins[me], game.coins[left], game.coins[right]) == (0, 0, 2)


@EACH_SEAT
def test_ruling_09_paying_for_wonder_stages(position: Side, me: int) -> None:
    """A stage's cost is paid like a card's: own production with choices, and purchases."""
    left, right = around(me)
    setup: dict[str, Any] = {"boards": {me: BABYLON}, "cities": {right: ["brickyard"]}}  # stage 1: 2 clay
    game = position(coins={me: 4, right: 0}, **setup)
    game.play({me: stage("altar"), right: build("well")})
    assert game.coins[me] == 0 and game.coins[right] == 4 and game.stages[me] == 1
    assert "altar" not in game.city(me) and "altar" not in game.hand(left)
    assert not position(coins={me: 3}, **setup).can(me, stage("altar"))

    game = position(
        boards={me: BABYLON}, cities={me: ["clay_pool", "clay_pit"]}, coins={me: 0, left: 0, right: 0}
    )
    game.play({me: stage("altar"), left: build("well"), right: build("well")})
    assert game.coins == [0, 0, 0] and game.stages[me] == 1


@pytest.mark.parametrize("players", range(3, 8))
@pytest.mark.parametrize(("age", "step"), [(1, 1), (2, -1), (3, 1)])
def test_ruling_10_passing_direction(position: Side, players: int, age: int, step: int) -> None:
    """Left, right, left; nothing is passed after the sixth turn."""
    game = position(players=players, age=age)
    for seat in range(players):
        game.set_hand(seat, [CARDS[kind]["id"] for kind in range(10 * seat, 10 * seat + 7)])
    rest = {(seat + step) % players: list(range(10 * seat + 1, 10 * seat + 7)) for seat in range(players)}
    game.play()  # each sells the first
    for seat in range(players):
        assert [KIND[name] for name in game.hand(seat)] == rest[seat]
    for _ in range(4):
        game.play()
    left_over = [game.hand(seat)[1] for seat in range(players)]
    game.play()  # the sixth
    assert all(name in game.pile for name in left_over)
    assert game.over if age == 3 else game.when == (age + 1, 1)


@EACH_SEAT
def test_ruling_11_same_name_twice(position: Side, me: int) -> None:
    """Never two buildings of one name, not even free or by a chain; selling and stages stay possible."""
    city = ["press_1", "glassworks_1", "loom_1", "quarry", "sawmill", "brickyard", "foundry"]
    for board, stages in ((OLYMPIA, 0), (OLYMPIA, 2), (night(OLYMPIA), 1), (night(OLYMPIA), 2)):
        for turn in (1, 6):
            game = position(
                boards={me: board},
                stages={me: stages},
                cities={me: city},
                hands={me: ["press_2"]},
                age=2,
                turn=turn,
            )
            assert not game.can(me, build("press_2"))
            assert game.can(me, sell("press_2")) and game.can(me, stage("press_2"))
    game = position(table=CHANGED, hands={me: ["press_2"]}, cities={me: ["altar"]}, coins={me: 0})
    assert game.can(me, build("press_2"))
    game = position(table=CHANGED, hands={me: ["press_2"]}, cities={me: ["altar", "press_1"]})
    assert not game.can(me, build("press_2"))


@EACH_SEAT
@pytest.mark.parametrize("parent", ["west_trading_post", "east_trading_post"])
def test_ruling_12_two_parents_of_one_chain(position: Side, me: int, parent: str) -> None:
    """One matching symbol makes the building free and is not used up; without it the price works too."""
    game = position(age=2, hands={me: ["forum"]}, cities={me: [parent]}, coins={me: 0})
    game.play({me: build("forum")})
    assert game.coins[me] == 0 and game.city(me) == {parent, "forum"}

    left, _ = around(me)
    setup: dict[str, Any] = {"age": 2, "hands": {me: ["forum"]}, "cities": {left: ["brickyard"]}}
    assert not position(coins={me: 3}, **setup).can(me, build("forum"))
    game = position(coins={me: 4}, **setup).play({me: build("forum")})
    assert game.coins[me] == 0 and game.city(me) == {"forum"}


@EACH_SEAT
def test_ruling_12_a_free_building_asks_for_no_payment(position: Side, me: int) -> None:
    """Where a chain makes a building free, nothing is bought, though two ways of paying would exist."""
    left, right = around(me)
    game = position(
        payments="choose",
        age=2,
        hands={me: ["forum"]},
        cities={me: ["west_trading_post"], left: ["brickyard"], right: ["brickyard"]},
        coins={me: 9},
    )
    game.play({me: build("forum")})
    assert game.phase == "choose" and game.coins[me] == 9


# What the rules document says beside the rulings.


@EACH_SEAT
def test_stages_go_up_in_order_and_none_after_the_last(position: Side, me: int) -> None:
    everything = ["quarry", "foundry", "sawmill", "brickyard", "loom_1", "glassworks_1", "press_1"]
    for board, size in ((GIZAH, 3), (night(GIZAH), 4), (night(RHODOS), 2)):
        cities = {me: [*everything, "caravansery", "mine", "clay_pit", "stone_pit", "ore_vein"]}
        for built in range(size + 1):
            game = position(boards={me: board}, cities=cities, stages={me: built})
            assert game.can(me, stage("altar")) == (built < size)
            if built < size:
                game.play({me: stage("altar")})
                assert game.stages[me] == built + 1


@EACH_SEAT
def test_coins_of_a_card_go_to_the_bank_and_are_apart_from_trade(position: Side, me: int) -> None:
    left, right = around(me)
    assert not position(hands={me: ["tree_farm"]}, coins={me: 0}).can(me, build("tree_farm"))
    setup: dict[str, Any] = {
        "table": with_cost("tree_farm", {"stone": 1}, coins=1),
        "hands": {me: ["tree_farm"]},
        "cities": {left: ["stone_pit"]},
    }
    assert not position(coins={me: 2}, **setup).can(me, build("tree_farm"))
    game = position(coins={me: 3, left: 0, right: 0}, **setup)
    game.play({me: build("tree_farm"), left: build("altar"), right: build("altar")})
    assert (game.coins[me], game.coins[left], game.coins[right]) == (0, 2, 0)


@EACH_SEAT
def test_two_neighbours_of_one_seller_pay_at_once(position: Side, me: int) -> None:
    """Two buyers choose their payments in one step; what they chose stays secret until both have."""
    left, right = around(me, 4)
    across = (me + 2) % 4
    game = position(
        players=4,
        payments="choose",
        boards={me: ALEXANDRIA, left: HALIKARNASSOS, right: EPHESOS, across: BABYLON},
        hands={me: ["guard_tower"], across: ["guard_tower"]},
        cities={left: ["clay_pool"], right: ["clay_pool"]},
        coins={left: 0, right: 0},
    )
    tower = build("guard_tower")
    game.play({me: tower, across: tower, left: build("altar"), right: build("altar")})
    assert game.phase == "pay" and game.deciders() == sorted([me, across])
    game.play({me: pay(2), across: pay(0)})  # both to the same seat
    assert (game.coins[me], game.coins[across], game.coins[left], game.coins[right]) == (1, 1, 4, 0)


@EACH_SEAT
def test_discounts_by_side_and_kind_of_goods(position: Side, me: int) -> None:
    """West and east trading post: raw materials of the left and right neighbour; marketplace: both, manufactured."""

    def price(own: str, board: Board, seller: int) -> int:
        resource = next(wonder["resource"] for wonder in TABLE["wonders"] if wonder["id"] == board[0])
        boards = {me: HALIKARNASSOS, seller: board}
        cities = {me: [own] if own else []}
        able = (
            n
            for n in range(9)
            if can_build(position, me, {resource: 1}, boards=boards, cities=cities, coins={me: n})
        )
        return next(able)

    left, right = around(me)
    assert (price("west_trading_post", GIZAH, left), price("west_trading_post", GIZAH, right)) == (1, 2)
    assert (price("east_trading_post", GIZAH, left), price("east_trading_post", GIZAH, right)) == (2, 1)
    assert (price("marketplace", ALEXANDRIA, left), price("marketplace", ALEXANDRIA, right)) == (1, 1)
    assert (price("marketplace", GIZAH, left), price("", GIZAH, left)) == (2, 2)


@EACH_SEAT
def test_a_payment_no_better_on_either_side_is_not_offered(position: Side, me: int) -> None:
    """With an own symbol clay/ore, ore at 1 on the left and clay at 2 on the right: (1, 0) or (0, 2), not (1, 2)."""
    left, right = around(me)
    game = position(
        table=with_cost(PAID, {"clay": 1, "ore": 1}),
        payments="choose",
        hands={me: [PAID]},
        cities={me: ["clay_pit", "west_trading_post"], left: ["ore_vein"], right: ["clay_pool"]},
    )
    game.play({me: build(PAID)})
    assert game.phase == "pay" and game.legal(me) == [pay(0), pay(1)]
    assert game.coins == [3, 3, 3] and PAID in game.hand(me)  # nothing has happened yet


@EACH_SEAT
def test_only_affordable_payments_are_offered(position: Side, me: int) -> None:
    """With one coin only the discounted side is left, and is paid without asking."""
    left, right = around(me)
    setup: dict[str, Any] = {
        "payments": "choose",
        "hands": {me: ["guard_tower"]},
        "cities": {me: ["west_trading_post"], left: ["clay_pool"], right: ["clay_pool"]},
    }
    game = position(coins={me: 1}, **setup).play({me: build("guard_tower")})
    assert game.phase == "choose" and game.coins[me] == 0
    assert position(coins={me: 2}, **setup).play({me: build("guard_tower")}).phase == "pay"
