"""The rulings on cards (numbers 14 to 17), and what each card brings, on the kernels and on the referee."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from referees.stone_age_actions import (
    CLAY,
    FIELD,
    FOREST,
    GOLD,
    HUT,
    STONE,
    TOOL_MAKER,
    WAIT,
    WOOD,
    card_spot,
)
from stone_age.play import At
from stone_age.positions import (
    CARD,
    DICE_WOOD,
    EXTRA,
    FIELD_CARD,
    FOOD_7,
    LOTTERY,
    ONE_USE_4,
    POINTS_3,
    SPOTS,
    STONE_2,
    TABLE,
    TWO_FREE,
)

# --- cards ------------------------------------------------------------------------------------------------------------


def test_ruling_14_gather_then_pay(position: At) -> None:
    """Own places in any order; what is gained may pay at once."""
    placed = {0: {card_spot(1): 1, FOREST: 3}}
    game = position(2, placed=placed, cards=[FOOD_7], rolls={(0, FOREST): [2, 3, 4]})
    assert game.offers == [("resolve", FOREST), ("decline card", 1)]
    game.do("resolve", FOREST)
    assert game.of(0, "resources") == [3, 0, 0, 0]
    assert game.offers == [("buy", 1), ("decline card", 1)]
    game.do("buy", 1)
    assert game.of(0, "resources") == [2, 0, 0, 0] and game.of(0, "cards") == [CARD[FOOD_7]]
    assert game.of(0, "food") == 12 + 7 - 5

    game = position(
        2,
        seats={0: {"resources": [0, 0, 0, 1]}},
        placed={0: {card_spot(1): 1, FOREST: 3}},
        cards=[DICE_WOOD],
        rolls={(0, FOREST): [2, 3, 4], (0, card_spot(1)): [5, 6]},
    )
    assert ("buy", 1) in game.offers
    game.do(
        "buy", 1
    )  # paid with gold; the dice on the card bring wood, and the forest is left, which is forced
    assert game.of(0, "resources") == [3 + 3, 0, 0, 0]
    assert game.of(0, "cards") == [CARD[DICE_WOOD]]


def test_ruling_15_tools_and_the_dice_on_cards(position: At) -> None:
    """Two dice on a card are an ordinary gathering; the row of faces cannot be changed by tools."""
    setup = {
        "seats": {0: {"resources": [1, 0, 0, 0], "tools": [1, 0, 0]}},
        "placed": {0: {card_spot(1): 1, **SPOTS}},
    }
    game = position(2, **setup, cards=[DICE_WOOD], rolls={(0, card_spot(1)): [2, 3]}).do("buy", 1)
    assert game.phase == "tools" and game["total"] == 5 and game["place"] == card_spot(1)
    assert game.offers == [("no more tools",), ("tool", 1)]
    assert game["open"][0] is None and game.of(0, "cards") == [CARD[DICE_WOOD]]
    assert game.do("tool", 1).of(0, "resources") == [2, 0, 0, 0]

    game = position(2, **setup, cards=[LOTTERY], rolls={(0, card_spot(1)): [4, 2]}).do("buy", 1)
    assert game.phase == "lottery" and game.offers == [("die", 2), ("die", 4)]


def test_ruling_16_the_row_of_faces_for_everyone(position: At) -> None:
    """As many dice as players; the buyer first, then clockwise, one die each; a die taken is gone."""
    game = position(
        3,
        seats={1: {"resources": [1, 0, 0, 0]}},
        placed={1: {card_spot(1): 1, HUT: 2, TOOL_MAKER: 1}},
        cards=[LOTTERY],
        rolls={(1, card_spot(1)): [5, 6, 6]},
        start=1,
    ).do("buy", 1)
    assert game.decider == game["active"] == 1 and game.offers == [("die", 5), ("die", 6)]
    assert game["dice"] == [0, 0, 0, 0, 1, 2] and game["place"] == card_spot(1)
    after = game.after("die", 6)
    assert after.decider == 2 and after["active"] == 1 and after.offers == [("die", 5), ("die", 6)]
    assert after.legal(0) == after.legal(1) == [WAIT]
    after.do("die", 6)  # the last die is forced: seat 0 takes the 5
    assert after["agriculture"] == [0, 1, 1] and after["tools"] == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert after.phase == "resolve" and after.decider == 1
    game.do("die", 5)  # two equal dice are left: both seats are forced
    assert game["agriculture"] == [1, 0, 1] and game["tools"] == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert game.phase == "resolve" and game.decider == 1 and game["dice"] == [0] * 6


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_16_number_of_dice(position: At, players: int) -> None:
    """All dice are used, each brings its good."""
    goods = [1, 2, 3, 4][:players]
    game = position(
        players,
        seats={0: {"resources": [0, 0, 0, 1]}},
        placed={0: {card_spot(1): 1, HUT: 2, FIELD: 1}},
        cards=[LOTTERY],
        rolls={(0, card_spot(1)): goods},
    ).do("buy", 1)
    for seat, face in enumerate(goods[:-1]):
        assert game.decider == seat and sum(game["dice"]) == players - seat
        game.do("die", face)
    assert sum(game["dice"]) == 0
    for seat, face in enumerate(goods):
        assert game.of(seat, "resources") == [int(face == one) for one in (1, 2, 3, 4)]


@pytest.mark.parametrize("face", range(1, 7))
def test_ruling_16_every_face(position: At, face: int) -> None:
    """Equal dice alone: nobody is asked."""
    game = position(
        3,
        placed={1: {card_spot(1): 1, **SPOTS}},
        cards=[LOTTERY],
        seats={1: {"resources": [1, 0, 0, 0]}},
        rolls={(1, card_spot(1)): [face] * 3},
    ).do("buy", 1)
    for seat in range(3):
        assert game.of(seat, "resources") == [int(face == kind + 1) for kind in range(4)]
        assert game.of(seat, "tools") == ([1, 0, 0] if face == 5 else [0, 0, 0])
        assert game.of(seat, "agriculture") == int(face == 6)


def test_ruling_17_card_prices_and_refilling(position: At) -> None:
    """The rest slides to the cheap side and is filled up from the right, at the end of the round."""
    names = [POINTS_3, FOOD_7, STONE_2, FIELD_CARD, "C14", "C15"]  # W X Y Z at 1 2 3 4, and two in the deck
    w, x, y, z, first, second = (CARD[name] for name in names)
    game = position(
        2,
        seats={0: {"resources": [9, 0, 0, 0]}},
        placed={0: {card_spot(2): 1, card_spot(3): 1, FIELD: 1}},
        cards=names,
    )
    game.do("buy", 2).do("buy", 3)
    assert game.of(0, "resources") == [4, 0, 2, 0]
    assert game["round"] == 1  # the field was forced
    assert game["open"] == [w, z, first, second] and len(game["deck"]) == 30
    assert game.of(0, "cards") == sorted([x, y])

    placed = {0: {card_spot(price): 1 for price in range(1, 5)}}
    game = (
        position(2, seats={0: {"resources": [10, 0, 0, 0]}}, placed=placed, cards=names)
        .do("buy", 2)
        .do("buy", 3)
    )
    assert game["open"] == [w, None, None, z] and len(game["deck"]) == 32  # no shift in the round
    assert ("buy", 1) in game.offers and ("buy", 4) in game.offers
    assert game.of(0, "resources") == [5, 0, 2, 0]
    game.do("buy", 4)
    assert game.phase == "pay"
    game.do("pay", WOOD, 4)
    assert game.of(0, "resources") == [1, 0, 2, 0] and game["open"] == [w, None, None, None]
    assert game.sheet(0)["buildings"] == 0 and game.sheet(0)["resources"] == 3


@pytest.mark.parametrize("price", [1, 2, 3, 4])
@pytest.mark.parametrize("stock", [(9, 9, 9, 9), (0, 1, 0, 3), (2, 0, 2, 0)])
def test_card_payments(position: At, price: int, stock: tuple[int, ...]) -> None:
    """Exactly the price in any resources: every multiset once."""
    game = position(
        2,
        seats={0: {"resources": list(stock)}},
        placed={0: {card_spot(price): 1, FIELD: 1}},
        cards=[POINTS_3, "C14", "C31", FIELD_CARD],
    )
    ways = itertools.product(*(range(min(have, price) + 1) for have in stock))
    assert set(game.payments("buy", price)) == {paid for paid in ways if sum(paid) == price}


# --- the tops of cards ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", TABLE["cards"], ids=lambda card: card["id"])
def test_every_card_once(position: At, card: dict[str, Any]) -> None:
    """What each card brings at once, and that its lower half counts."""
    top, bottom = card["top"], card["bottom"]
    game = position(
        2,
        placed={0: {card_spot(1): 1, **SPOTS}},
        cards=[card["id"]],
        seats={0: {"resources": [0, 0, 0, 1], "agriculture": 2, "tools": [1, 0, 0]}},
        rolls={(0, card_spot(1)): [6, 6]},
    ).do("buy", 1)
    if top["kind"] == "dice_resource":
        game.do("no more tools")
    assert game.of(0, "cards") == [CARD[card["id"]]] and game["open"][0] is None and game.phase == "resolve"
    assert game.of(0, "food") == 12 + (top["n"] if top["kind"] == "food" else 0)
    gained = dict.fromkeys(("wood", "clay", "stone", "gold"), 0)
    if top["kind"] == "resource":
        gained[top["resource"]] = top["n"]
    if top["kind"] == "dice_resource":
        gained[top["resource"]] = 12 // TABLE["rules"]["divisor"][top["resource"]]
    assert game.of(0, "resources") == list(gained.values())
    sheet = game.sheet(0)
    assert sheet["cards"] == (3 if top["kind"] == "points" else 0)
    field = top["kind"] in ("agriculture", "lottery")
    assert game["agriculture"] == [2 + field, int(top["kind"] == "lottery")]
    assert game.of(0, "tools") == ([1, 1, 0] if top["kind"] == "tool" else [1, 0, 0])
    assert game.of(0, "one_use") == [int(top.get("value") == value) for value in range(1, 5)]
    assert game.of(0, "free_cards") == int(top["kind"] == "any_resources")
    assert len(game.of(0, "extra")) == int(top["kind"] == "extra_card")
    if top["kind"] != "extra_card":
        figures = bottom.get("figures", 0)
        assert sheet["culture"] == ("symbol" in bottom)
        level = {"farmer": 2 + field, "toolmaker": sum(game.of(0, "tools")), "builder": 0, "shaman": 5}
        for person, value in level.items():
            assert sheet[f"{person}s"] == (figures * value if bottom.get("person") == person else 0)


def test_the_extra_card_counts_with_its_lower_half_only(position: At) -> None:
    """The top card of the deck; its upper half is never used."""
    setup = {
        "placed": {0: {card_spot(1): 1, **SPOTS}},
        "seats": {0: {"resources": [0, 0, 0, 1], "tools": [1, 0, 0]}},
    }
    game = position(2, **setup, cards=[EXTRA, "C02", "C04", "C05", TWO_FREE]).do("buy", 1)
    assert game["extra"] == [[CARD[TWO_FREE]], []] and game["cards"] == [[CARD[EXTRA]], []]
    assert game["free_cards"] == [0, 0] and len(game["deck"]) == 31
    assert game.sheet(0)["culture"] == 4  # writing and healing
    game = position(2, **setup, cards=[EXTRA, "C02", "C04", "C05", ONE_USE_4]).do("buy", 1)
    assert game["extra"] == [[CARD[ONE_USE_4]], []] and not any(game.of(0, "one_use"))
    assert game.sheet(0)["toolmakers"] == 1


def test_the_extra_card_of_an_empty_deck(position: At) -> None:
    """Nothing comes, and the game ends with the round."""
    placed = {0: {card_spot(1): 1, **SPOTS}}
    game = position(2, placed=placed, cards=[EXTRA], deck=0, seats={0: {"resources": [0, 0, 0, 1]}}).do(
        "buy", 1
    )
    assert game["extra"] == [[], []] and not game["over"]
    game.go_home()
    assert game["over"] and not game["truncated"]


def test_two_free_resources_while_resolving(position: At) -> None:
    """Cashed from the menu of the resolving seat, in any of ten pairs; till then worth two points."""
    game = position(
        2,
        placed={0: {card_spot(1): 1, card_spot(3): 1, TOOL_MAKER: 1}},
        cards=[TWO_FREE, FIELD_CARD, FOOD_7],
        seats={0: {"resources": [0, 0, 0, 2]}},
    ).do("buy", 1)
    assert game["free_cards"] == [1, 0] and ("buy", 3) not in game.offers
    assert len(game.offered("cash")) == 10 and game.offers[-10:] == game.offered("cash")
    assert game.sheet(0)["resources"] == 1 + 2
    mixed = game.after("cash", CLAY, STONE)
    assert mixed.of(0, "resources") == [0, 1, 1, 1] and mixed["free_cards"] == [0, 0]
    assert mixed.offers == [("resolve", TOOL_MAKER), ("buy", 3), ("decline card", 3)]
    assert mixed.do("buy", 3).of(0, "resources") == [0, 0, 0, 0]  # the tool maker was forced
    game.do("cash", CLAY, CLAY)
    assert game.of(0, "resources") == [0, 2, 0, 1] and game["free_cards"] == [0, 0]
    assert game.of(0, "placed")[card_spot(3)] == 1 and ("buy", 3) in game.offers
    assert not game.offered("cash") and game.of(0, "cards") == [CARD[TWO_FREE]]
    placing = position(2, seats={0: {"free_cards": 1}}, phase="place")
    assert {words[0] for words in placing.offers} == {"place"}


def test_two_free_resources_against_hunger(position: At) -> None:
    """When the people are short of food a card can be cashed first; what it brings may still be too little."""
    game = position(2, seats={0: {"food": 3, "free_cards": 1}})
    assert game.phase == "feed" and len(game.offered("cash")) == 10
    assert game.offers == [*game.offered("cash"), ("go hungry",)]
    game.do("cash", WOOD, GOLD)
    assert game.offers == [("feed",), ("go hungry",)]
    game.do("feed")  # both, without asking
    assert game["round"] == 1 and game.of(0, "resources") == [0, 0, 0, 0] and game.sheet(0)["hunger"] == 0
    game = position(2, seats={0: {"food": 4, "free_cards": 1}}).do("cash", WOOD, WOOD).do("feed")
    assert game.of(0, "resources") == [1, 0, 0, 0] and game.sheet(0)["hunger"] == 0
    game = position(2, seats={0: {"food": 3, "free_cards": 1, "people": 6}}).do("cash", WOOD, GOLD)
    # Two of three: hunger is all that is left.
    assert game["round"] == 1 and game.of(0, "resources") == [1, 0, 0, 1] and game.sheet(0)["hunger"] == -10
