"""The rulings on Stone Age, on the kernels: cards and buildings (numbers 14 to 22), the end, and the tops of cards."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from antiquity.game import CUT_OFF, ENDED, WAIT
from antiquity.testing.table import Table
from stone_age_env import GAME
from stone_age_env.actions import build_action, pay_action
from stone_age_env.state import (
    BUILDING,
    CARD_SPOT,
    CASH,
    DECLINE_BUILDING,
    FEED_NOTHING,
    FEED_RESOURCES,
    FIELD,
    FOREST,
    HUT,
    PILE,
    STOP,
    TOOL_MAKER,
)
from test_stone_age_positions import (
    ANY_TILE,
    CARD,
    DICE_WOOD,
    EACH_SEAT,
    EXTRA,
    FIELD_CARD,
    FOOD_7,
    LOTTERY,
    ONE_USE_4,
    POINTS_3,
    STONE_2,
    TABLE,
    TOOL_CARD,
    TWO_FREE,
    Position,
    buy,
    decline,
    die,
    gather,
    payments,
    tool,
)

# --- cards ------------------------------------------------------------------------------------------------------------


def test_ruling_14_gather_then_pay() -> None:
    """Own places in any order; what is gained may pay at once."""
    placed = {0: {CARD_SPOT: 1, FOREST: 3}}
    game = Position(2, placed=placed, cards=[FOOD_7], rolls={(0, FOREST): [2, 3, 4]})
    assert game.menu == [gather(FOREST), decline(1)]
    game.play(gather(FOREST))
    assert game.of(0, "resources") == [3, 0, 0, 0] and game.menu == [buy(1), decline(1)]
    game.play(buy(1))
    assert game.of(0, "resources") == [2, 0, 0, 0] and game.of(0, "food") == 500 + 7 - 5

    rolls = {(0, FOREST): [2, 3, 4], (0, CARD_SPOT): [5, 6]}
    game = Position(2, seats={0: {"resources": [0, 0, 0, 1]}}, placed=placed, cards=[DICE_WOOD], rolls=rolls)
    assert buy(1) in game.menu
    game.play(
        buy(1)
    )  # paid with gold; the dice on the card bring wood, and the forest is left, which is forced
    assert game.of(0, "resources") == [3 + 3, 0, 0, 0]
    assert game.of(0, "figures") == [0, 0, 0, 2]


def test_ruling_15_tools_and_the_dice_on_cards() -> None:
    """Two dice on a card are an ordinary gathering; the row of faces cannot be changed by tools."""
    seats = {0: {"resources": [1, 0, 0, 0], "tools": [1, 0, 0]}}
    placed = {0: {CARD_SPOT: 1, HUT: 2}}
    game = Position(2, seats=seats, placed=placed, cards=[DICE_WOOD], rolls={(0, CARD_SPOT): [2, 3]})
    game.play(buy(1))
    assert game.phase == "tools" and game.record["total"] == 5 and game.menu == [STOP, tool(1)]
    game.play(tool(1))
    assert game.of(0, "resources") == [2, 0, 0, 0]

    game = Position(2, seats=seats, placed=placed, cards=[LOTTERY], rolls={(0, CARD_SPOT): [4, 2]})
    game.play(buy(1))
    assert game.phase == "lottery" and game.menu == [die(2), die(4)]


def test_ruling_16_the_row_of_faces_for_everyone() -> None:
    """As many dice as players; the buyer first, then clockwise, one die each; a die taken is gone."""
    game = Position(
        3,
        seats={1: {"resources": [1, 0, 0, 0]}},
        placed={1: {CARD_SPOT: 1, HUT: 2, TOOL_MAKER: 1}},
        cards=[LOTTERY],
        rolls={(1, CARD_SPOT): [5, 6, 6]},
        start=1,
    ).play(buy(1))
    assert game.decider == 1 and game.menu == [die(5), die(6)]
    after = game.after(die(6))
    assert after.decider == 2 and after.menu == [die(5), die(6)]
    after.play(die(6))  # the last die is forced
    assert [after.of(seat, "agriculture") for seat in range(3)] == [0, 1, 1]
    assert [after.of(seat, "tools")[0] for seat in range(3)] == [1, 0, 0]
    assert after.phase == "resolve" and after.decider == 1
    game.play(die(5))  # two equal dice are left: both seats are forced
    assert [game.of(seat, "agriculture") for seat in range(3)] == [1, 0, 1]
    assert game.phase == "resolve" and game.decider == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_16_number_of_dice(players: int) -> None:
    """All dice are used, each brings its good."""
    goods = [1, 2, 3, 4][:players]
    game = Position(
        players,
        seats={0: {"resources": [0, 0, 0, 1]}},
        placed={0: {CARD_SPOT: 1, HUT: 2, FIELD: 1}},
        cards=[LOTTERY],
        rolls={(0, CARD_SPOT): goods},
    ).play(buy(1))
    for seat, face in enumerate(goods[:-1]):
        assert game.decider == seat and int(game.record["dice"].sum()) == players - seat
        game.play(die(face))
    assert game.record["dice"].sum() == 0
    for seat, face in enumerate(goods):
        assert game.of(seat, "resources") == [int(face == one) for one in (1, 2, 3, 4)]


def test_ruling_17_card_prices_and_refilling() -> None:
    """The rest slides to the cheap side and is filled up from the right, at the end of the round."""
    names = [POINTS_3, FOOD_7, STONE_2, FIELD_CARD]  # W X Y Z at 1 2 3 4
    game = Position(
        2,
        seats={0: {"resources": [9, 0, 0, 0]}},
        placed={0: {CARD_SPOT + 1: 1, CARD_SPOT + 2: 1, FIELD: 1}},
        cards=names,
    )
    following = game.record["deck"][4:6].tolist()
    game.play(buy(2), buy(3))
    assert game.of(0, "resources") == [4, 0, 2, 0]
    assert game.record["round"] == 1  # the field was forced
    assert game.record["open"].tolist() == [CARD[POINTS_3], CARD[FIELD_CARD], *following]

    game = Position(
        2,
        seats={0: {"resources": [9, 0, 0, 0]}},
        placed={0: {CARD_SPOT + 1: 1, CARD_SPOT + 2: 1, CARD_SPOT + 3: 1, FIELD: 1}},
        cards=names,
    ).play(buy(2), buy(3))
    assert game.record["open"].tolist() == [
        CARD[POINTS_3],
        255,
        255,
        CARD[FIELD_CARD],
    ]  # no shift in the round
    before = sum(game.of(0, "resources"))
    game.play(buy(4))
    assert game.phase == "pay"
    game.play(pay_action("wood", 4))
    assert before - sum(game.of(0, "resources")) == 4


# --- buildings --------------------------------------------------------------------------------------------------------


def test_ruling_18_last_tile_of_a_pile() -> None:
    """That round is finished: the others resolve, all are fed, and then the game is over."""
    game = Position(
        3,
        seats={0: {"resources": [2, 1, 0, 0]}, 2: {"food": 1}},
        placed={0: {BUILDING: 1}, 1: {FIELD: 1, TOOL_MAKER: 1}, 2: {}},
        tiles=["wood2_clay1"],
    )
    game.record["piles"][0, 0] = game.record["piles"][0, PILE - 1]
    game.record["piles"][0, 1:] = 0
    game.record["pile_left"][0] = 1
    start = int(game.record["start"])
    game.play(build_action(0, 3))
    assert not game.over and game.decider == 1 and game.points(0, "buildings") == 10
    game.play(gather(FIELD))
    assert game.record["over"] == ENDED and game.deciders() == []
    assert game.of(1, "agriculture") == 1 and game.of(1, "tools") == [1, 0, 0]
    assert game.of(1, "food") == 500 + 1 - 5 and game.points(2, "hunger") == -10
    assert game.record["round"] == 0 and game.record["start"] == start
    assert all(game.legal(seat) == [WAIT] for seat in range(3))


def test_end_when_four_cards_cannot_be_shown() -> None:
    """At the start of the next round; the last round's feeding is done."""
    for left, over in ((0, True), (1, False)):
        game = Position(2, seats={0: {"resources": [1, 0, 0, 0], "food": 0}}, placed={0: {CARD_SPOT: 1}})
        last = game.record["deck"][35]
        game.record["deck"][: 36 - left] = 255
        game.record["deck_next"] = 36 - left
        game.play(buy(1))
        while game.phase != "place" and not game.over:
            game.play(game.menu[-1])
        assert game.over == over and game.points(0, "hunger") == -10
        assert game.record["round"] == (0 if over else 1)
        if not over:
            assert game.record["open"][3] == last and game.record["deck_next"] == 36


def test_truncation() -> None:
    """The option max_rounds cuts a game off after the feeding of that round, and says so."""
    game = Table(GAME, 2, max_rounds=2)
    assert game.record["max_rounds"] == 2
    seen = []
    while not game.over:
        [seat] = game.deciders()
        game.step({seat: game.legal(seat)[-1]})
        seen.append(int(game.record["round"]))
    assert game.record["over"] == CUT_OFF and max(seen) == 1


def test_ruling_19_new_top_tile() -> None:
    """The next tile is shown and nobody can take it in this round; a declined tile stays."""
    game = Position(
        2,
        seats={0: {"resources": [2, 1, 0, 0]}},
        placed={0: {BUILDING: 1, HUT: 2}, 1: {BUILDING + 1: 1, FIELD: 1}},
        tiles=["wood2_clay1", ANY_TILE],
    )
    assert game.menu == [gather(HUT), build_action(0, 3), DECLINE_BUILDING]
    below = int(game.record["piles"][0, PILE - 2])
    declined = game.after(DECLINE_BUILDING)
    assert declined.record["pile_left"][0] == PILE and declined.of(0, "placed")[BUILDING] == 0
    assert declined.of(0, "resources") == [2, 1, 0, 0] and declined.points(0, "buildings") == 0
    game.play(build_action(0, 3))
    assert game.record["pile_left"][0] == PILE - 1 and game.record["piles"][0, PILE - 2] == below
    seen = game.observe(1)[GAME.layout.slice("pile_0")]
    assert seen[0] == pytest.approx(6 / 7)
    assert (seen[1:] == game.tables[0]["tile_features"][below - 1]).all()
    # Seat 1 stands on the other pile alone.
    assert game.decider == 1 and not {build_action(0, pieces) for pieces in range(1, 8)} & set(game.menu)


@EACH_SEAT
def test_ruling_20_free_choice_buildings(me: int) -> None:
    """Exactly so many pieces of exactly so many kinds; 3, 4, 5, 6 points a piece."""
    position: dict[str, Any] = {
        "seats": {me: {"resources": [4, 0, 3, 1]}},
        "placed": {me: {BUILDING: 1, FIELD: 1}},
        "tiles": ["choice_4_of_2"],
        "start": me,
    }
    game = Position(**position)
    assert game.menu == [gather(FIELD), build_action(0, 4), DECLINE_BUILDING]
    game.play(build_action(0, 4), pay_action("wood", 1))  # then three stone: three of two kinds cannot be
    assert game.points(me, "buildings") == 18 and game.of(me, "resources") == [3, 0, 0, 1]
    found = payments(Position(**position), build_action(0, 4), me)
    assert found == {(1, 0, 3, 0): 18, (2, 0, 2, 0): 16, (3, 0, 1, 0): 14, (3, 0, 0, 1): 15, (0, 0, 3, 1): 21}


@pytest.mark.parametrize(
    "stock", [(9, 9, 9, 9), (4, 0, 3, 1), (1, 1, 1, 1), (5, 0, 0, 5), (2, 1, 6, 0), (0, 3, 0, 2)]
)
@pytest.mark.parametrize("tile", [tile["id"] for tile in TABLE["tiles"] if tile["kind"] == "choice"])
def test_ruling_20_every_payment_once(tile: str, stock: tuple[int, ...]) -> None:
    """All payments that the tile allows can be made, each in one way, and no others."""
    entry = next(each for each in TABLE["tiles"] if each["id"] == tile)
    expected = {
        paid: sum(number * value for number, value in zip(paid, (3, 4, 5, 6), strict=True))
        for paid in itertools.product(*(range(min(have, 7) + 1) for have in stock))
        if sum(paid) == entry["pieces"] and sum(number > 0 for number in paid) == entry["kinds"]
    }
    game = Position(
        2, seats={0: {"resources": list(stock)}}, placed={0: {BUILDING: 1, FIELD: 1}}, tiles=[tile]
    )
    action = build_action(0, entry["pieces"])
    assert (action in game.menu) == bool(expected)
    if expected:
        assert payments(game, action, 0) == expected


@EACH_SEAT
def test_ruling_21_one_to_seven(me: int) -> None:
    """Free kinds, one to seven pieces."""
    position: dict[str, Any] = {
        "seats": {me: {"resources": [1, 0, 0, 9]}},
        "placed": {me: {BUILDING: 1, FIELD: 1}},
        "tiles": [ANY_TILE],
        "start": me,
    }
    game = Position(**position)
    assert game.menu == [
        gather(FIELD),
        *(build_action(0, pieces) for pieces in range(1, 8)),
        DECLINE_BUILDING,
    ]
    assert payments(game, build_action(0, 7), me) == {(0, 0, 0, 7): 42, (1, 0, 0, 6): 39}
    assert payments(game, build_action(0, 1), me) == {(1, 0, 0, 0): 3, (0, 0, 0, 1): 6}
    with pytest.raises(ValueError, match="1 to 7"):
        build_action(0, 8)
    poor = Position(**(position | {"seats": {me: {"resources": [0, 2, 0, 0]}}}))
    assert poor.menu == [gather(FIELD), build_action(0, 1), build_action(0, 2), DECLINE_BUILDING]
    number = len(
        payments(
            Position(**(position | {"seats": {me: {"resources": [9, 9, 9, 9]}}})), build_action(0, 7), me
        )
    )
    assert number == 120


@EACH_SEAT
def test_ruling_22_food_buys_nothing(me: int) -> None:
    """Cards and buildings are paid with wood, clay, stone, gold only."""
    game = Position(placed={me: {CARD_SPOT: 1, BUILDING: 1}}, tiles=[ANY_TILE], start=me)
    before = game.record["open"].tolist()
    assert game.menu == [decline(1), DECLINE_BUILDING]
    game.play(decline(1))
    assert game.record["round"] == 1 and game.of(me, "in_hand") == 5
    assert game.record["open"].tolist() == before and game.record["pile_left"].tolist() == [7, 7, 7, 0]


# --- what the rulings leave out ---------------------------------------------------------------------------------------


def test_every_kind_of_card_top() -> None:
    """What each card brings, and where it counts at the end."""
    for name, field, value in (
        (FOOD_7, "food", 500 + 7),
        (STONE_2, "resources", [0, 0, 2, 0]),
        (POINTS_3, "points", [0, 3, 0]),
        (TOOL_CARD, "tools", [1, 0, 0]),
        (FIELD_CARD, "agriculture", 1),
        (ONE_USE_4, "one_use", [0, 0, 0, 1]),
        (TWO_FREE, "free_cards", 1),
    ):
        game = Position(
            2,
            seats={0: {"resources": [1, 0, 0, 0]}},
            placed={0: {CARD_SPOT: 1, HUT: 2, FOREST: 1}},
            cards=[name],
        ).play(buy(1))
        assert game.of(0, field) == value
        assert game.record["owner"][CARD[name]] == 1
        bottom = TABLE["cards"][CARD[name]]["bottom"]
        assert sum(game.of(0, "culture")) == ("symbol" in bottom)
        assert sum(game.of(0, "figures")) == bottom.get("figures", 0)


def test_extra_card() -> None:
    """The top card of the deck; its upper half is never used, its lower half counts."""
    position: dict[str, Any] = {
        "seats": {0: {"resources": [1, 0, 0, 0]}},
        "placed": {0: {CARD_SPOT: 1, HUT: 2, FOREST: 1}},
        "cards": [EXTRA],
    }
    game = Position(2, **position)
    deck = game.record["deck"]
    place = deck.tolist().index(CARD[ONE_USE_4]) if CARD[ONE_USE_4] in deck else None
    if place is None:
        spot = game.record["open"].tolist().index(CARD[ONE_USE_4])
        deck[4], game.record["open"][spot] = game.record["open"][spot], deck[4]
    else:
        deck[4], deck[place] = deck[place], deck[4]
    game.play(buy(1))
    assert game.record["owner"][CARD[ONE_USE_4]] == 5 and game.record["deck_next"] == 5
    assert not any(game.of(0, "one_use")) and game.of(0, "figures") == [0, 1, 0, 0]
    empty = Position(2, **position)
    empty.record["deck"] = 255
    empty.record["deck_next"] = 36
    empty.play(buy(1))
    assert not empty.over and (empty.record["owner"] > 0).sum() == 1


def test_two_free_resources() -> None:
    """Cashed from the menu of the resolving seat, or when its people are short of food; not elsewhere."""
    game = Position(
        2,
        seats={0: {"free_cards": 1, "food": 4}},
        placed={0: {CARD_SPOT + 1: 1, FIELD: 1}},
    )
    assert [action for action in game.menu if action >= CASH] == list(range(CASH, STOP))
    paid = game.after(CASH + 5)  # clay and stone
    assert paid.of(0, "resources") == [0, 1, 1, 0] and paid.of(0, "free_cards") == 0
    assert paid.menu == [gather(FIELD), buy(2), decline(2)]
    paid.play(buy(2))
    assert paid.of(0, "resources") == [0, 0, 0, 0]

    hungry = Position(2, seats={0: {"free_cards": 1, "food": 4}})
    assert hungry.phase == "feed" and hungry.menu == [*range(CASH, STOP), FEED_NOTHING]
    hungry.play(CASH)
    assert hungry.menu == [FEED_RESOURCES, FEED_NOTHING]
    hungry.play(FEED_RESOURCES)
    assert hungry.of(0, "resources") == [1, 0, 0, 0] and hungry.points(0, "hunger") == 0
    assert Position(2, seats={0: {"free_cards": 1}}, phase="place").menu[-1] < CASH


@pytest.mark.parametrize("price", [1, 2, 3, 4])
def test_card_payments(price: int) -> None:
    """Exactly the price in any resources: every multiset once."""
    for stock in ((9, 9, 9, 9), (0, 1, 0, 3), (2, 0, 2, 0)):
        game = Position(
            2,
            seats={0: {"resources": list(stock)}},
            placed={0: {CARD_SPOT + price - 1: 1, FIELD: 1}},
            cards=[POINTS_3, "C14", "C31", FIELD_CARD],
        )
        expected = {
            paid
            for paid in itertools.product(*(range(min(have, price) + 1) for have in stock))
            if sum(paid) == price
        }
        assert set(payments(game, buy(price), 0)) == expected
