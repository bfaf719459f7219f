"""The rulings on buildings (numbers 18 to 22) and the end of a game, on the kernels and on the referee."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from referees.stone_age_actions import (
    CLAY,
    FIELD,
    FOREST,
    HUNT,
    HUT,
    NUMBER,
    STONE,
    TOOL_MAKER,
    WAIT,
    WOOD,
    card_spot,
    pile_place,
)
from stone_age.play import At, Play
from stone_age.positions import (
    ANY_TILE,
    EACH_SEAT,
    FOOD_7,
    SPOTS,
    TABLE,
    TILE,
)

# --- buildings --------------------------------------------------------------------------------------------------------


def test_ruling_18_last_tile_of_a_pile(position: At) -> None:
    """That round is finished: the others resolve, all are fed, and then the game is over."""
    game = position(
        3,
        placed={0: {pile_place(0): 1, **SPOTS}, 1: {TOOL_MAKER: 1, FIELD: 1}, 2: {FOREST: 3, HUNT: 1}},
        seats={0: {"resources": [2, 1, 0, 0]}, 2: {"food": 4}},
        tiles=["wood2_clay1"],
        left={0: 1},
        rolls={(2, HUNT): [1], (2, FOREST): [1, 1, 1]},
    ).do("build", 0, 3)
    assert game["piles"][0] == [] and not game["over"] and game.sheet(0)["buildings"] == 10
    game.do("decline card", 3)
    assert game.decider == 1
    game.do("resolve", FIELD)
    assert game.of(1, "tools") == [1, 0, 0] and game.of(1, "agriculture") == 1 and game.decider == 2
    game.do("resolve", HUNT)  # a die of 1 gives no food; then the forest, three dice of 1, one wood
    assert game.phase == "feed" and game.decider == 2
    game.do("go hungry")
    assert game["over"] and not game["truncated"] and game["round"] == 0 and game["start"] == 0
    assert game["decider"] is None and game.deciders() == []
    assert [game.sheet(seat)["hunger"] for seat in range(3)] == [0, 0, -10]
    assert game["buildings"] == [1, 0, 0] and game.of(1, "food") == 12 + 1 - 5
    assert all(game.legal(seat) == [WAIT] for seat in range(3))


def test_ruling_19_new_top_tile(position: At) -> None:
    """The next tile is shown and nobody can take it in this round; a declined tile stays."""
    game = position(
        2,
        seats={0: {"resources": [3, 1, 0, 0]}, 1: {"resources": [9, 9, 9, 9]}},
        placed={0: {pile_place(0): 1, HUT: 2}, 1: {pile_place(1): 1, FIELD: 1}},
        tiles=["wood2_clay1", ANY_TILE],
    )
    assert game.offers == [("resolve", HUT), ("build", 0, 3), ("decline tile", 0)]
    second = game["piles"][0][1]
    declined = game.after("decline tile", 0)
    assert declined["piles"][0][0] == TILE["wood2_clay1"] and len(declined["piles"][0]) == 7
    assert (
        declined.of(0, "placed")[pile_place(0)] == 0 and declined.of(0, "in_hand") == 5
    )  # the hut was forced
    assert declined.of(0, "resources") == [3, 1, 0, 0] and declined.sheet(0)["buildings"] == 0
    assert declined["buildings"] == [0, 0]
    game.do("build", 0, 3)
    assert len(game["piles"][0]) == 6 and game["piles"][0][0] == second
    # Seat 1 stands on the other pile alone.
    assert game.decider == 1 and {pile for _, pile, _ in game.offered("build")} == {1}


CHOICES = [tile for tile in TABLE["tiles"] if tile["kind"] == "choice"]


def building(position: At, tile: str, stock: tuple[int, ...], me: int = 0) -> Play:
    """A seat stands on a pile with that tile, and on the field."""
    placed = {me: {pile_place(0): 1, FIELD: 1}}
    return position(3, placed=placed, tiles=[tile], seats={me: {"resources": list(stock)}}, start=me)


@EACH_SEAT
def test_ruling_20_free_choice_buildings(position: At, me: int) -> None:
    """Exactly so many pieces of exactly so many kinds; 3, 4, 5, 6 points a piece."""
    game = building(position, "choice_4_of_2", (4, 0, 3, 1), me)
    assert game.offers == [("resolve", FIELD), ("build", 0, 4), ("decline tile", 0)]
    assert game.payments("build", 0, 4) == {
        (1, 0, 3, 0): 18,
        (2, 0, 2, 0): 16,
        (3, 0, 1, 0): 14,
        (3, 0, 0, 1): 15,
        (0, 0, 3, 1): 21,
    }
    game.do("build", 0, 4)
    assert (game.phase, game["pay_left"], game["pay_kinds"], game["pay_kind"]) == ("pay", 4, 2, WOOD)
    assert game["place"] == pile_place(0) and game.of(me, "placed")[pile_place(0)] == 0
    game.do("pay", WOOD, 1)  # then three stone: clay is out of the question, and gold would be a third kind
    assert game.of(me, "resources") == [3, 0, 0, 1]
    assert game.sheet(me)["buildings"] == 18 and game.of(me, "buildings") == 1


@pytest.mark.parametrize(
    "stock", [(9, 9, 9, 9), (4, 0, 3, 1), (1, 1, 1, 1), (5, 0, 0, 5), (2, 1, 6, 0), (0, 3, 0, 2)]
)
@pytest.mark.parametrize(
    "tile", [tile for tile in TABLE["tiles"] if tile["kind"] == "choice"], ids=lambda tile: tile["id"]
)
def test_ruling_20_every_payment_once(position: At, tile: Any, stock: tuple[int, ...]) -> None:
    """All payments that the tile allows can be made, each in one way, and no others."""
    expected = {
        paid: sum(number * value for number, value in zip(paid, (3, 4, 5, 6), strict=True))
        for paid in itertools.product(*(range(min(have, 7) + 1) for have in stock))
        if sum(paid) == tile["pieces"] and sum(number > 0 for number in paid) == tile["kinds"]
    }
    game = building(position, tile["id"], stock)
    assert (("build", 0, tile["pieces"]) in game.offers) == bool(expected)
    if expected:
        assert game.payments("build", 0, tile["pieces"]) == expected


@pytest.mark.parametrize(
    ("tile", "stock", "possible"),
    [
        ("choice_4_of_1", (4, 3, 0, 0), True),
        ("choice_4_of_1", (3, 3, 3, 3), False),
        ("choice_4_of_2", (9, 0, 0, 0), False),
        ("choice_5_of_2", (2, 2, 0, 0), False),
        ("choice_5_of_3", (1, 3, 0, 1), True),
        ("choice_5_of_4", (9, 9, 9, 0), False),
        ("choice_4_of_4", (1, 1, 1, 1), True),
        ("choice_5_of_4", (1, 1, 1, 1), False),
    ],
)
def test_ruling_20_when_a_choice_building_can_be_had(
    position: At, tile: Any, stock: tuple[int, ...], possible: bool
) -> None:
    assert bool(building(position, tile, stock).offered("build")) == possible


def test_paying_kind_by_kind(position: At) -> None:
    """What is paid is gone and counted at once; the tile is the last to come."""
    game = building(position, "choice_5_of_3", (3, 3, 3, 3)).do("build", 0, 5)
    seen = []
    for kind, number in ((WOOD, 2), (CLAY, 0), (STONE, 1)):
        seen.append((game["pay_kind"], game["pay_left"], game["pay_kinds"], game.sheet(0)["buildings"]))
        if kind == STONE:
            assert game.offers == [("pay", STONE, 1), ("pay", STONE, 2)]
        assert game.of(0, "buildings") == 0 and len(game["piles"][0]) == 7
        game.do("pay", kind, number)
    assert seen == [(WOOD, 5, 3, 0), (CLAY, 3, 2, 6), (STONE, 3, 2, 6)]
    assert game.sheet(0)["buildings"] == 6 + 5 + 12 and game.of(0, "resources") == [1, 3, 2, 1]
    assert game.of(0, "buildings") == 1 and len(game["piles"][0]) == 6
    assert [game[name] for name in ("pay_left", "pay_kinds", "pay_kind", "place")] == [0, None, None, None]


@EACH_SEAT
def test_ruling_21_one_to_seven(position: At, me: int) -> None:
    """Free kinds, one to seven pieces."""
    game = building(position, ANY_TILE, (1, 0, 0, 9), me)
    seven = [("build", 0, pieces) for pieces in range(1, 8)]
    assert game.offers == [("resolve", FIELD), *seven, ("decline tile", 0)]
    assert game.payments("build", 0, 7) == {(0, 0, 0, 7): 42, (1, 0, 0, 6): 39}
    assert game.payments("build", 0, 1) == {(1, 0, 0, 0): 3, (0, 0, 0, 1): 6}
    paying = game.after("build", 0, 7)
    assert paying["pay_kinds"] is None and paying.offers == [("pay", WOOD, 0), ("pay", WOOD, 1)]
    assert ("build", 0, 0) not in NUMBER and ("build", 0, 8) not in NUMBER
    poor = building(position, ANY_TILE, (0, 2, 0, 0), me)
    assert poor.offers == [("resolve", FIELD), ("build", 0, 1), ("build", 0, 2), ("decline tile", 0)]
    assert building(position, ANY_TILE, (1, 0, 1, 0), me).offered("build") == seven[:2]
    assert len(building(position, ANY_TILE, (9, 9, 9, 9), me).payments("build", 0, 7)) == 120


def test_a_fixed_tile_costs_what_is_printed(position: At) -> None:
    game = building(position, "wood1_clay1_stone1", (1, 1, 1, 0)).do("build", 0, 3)
    assert game.sheet(0)["buildings"] == 12 and game.of(0, "resources") == [0, 0, 0, 0]
    assert game.of(0, "buildings") == 1
    assert not building(position, "wood1_clay1_stone1", (9, 9, 0, 9)).offered("build")


@EACH_SEAT
def test_ruling_22_food_buys_nothing(position: At, me: int) -> None:
    """Cards and buildings are paid with wood, clay, stone, gold only."""
    placed = {me: {card_spot(1): 1, pile_place(0): 1}}
    game = position(seats={me: {"food": 20}}, placed=placed, tiles=[ANY_TILE], start=me)
    cards, piles = game["open"], game["piles"]
    assert game.offers == [("decline card", 1), ("decline tile", 0)]
    game.do("decline card", 1)
    assert game["round"] == 1 and game.of(me, "in_hand") == 5 and game.of(me, "food") == 15
    assert game["open"] == cards and game["piles"] == piles


# --- the end of a game ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_deck", [0, 1])
def test_end_when_four_cards_cannot_be_shown(position: At, in_deck: int) -> None:
    """At the start of the next round; the last round's feeding is done."""
    game = position(
        2,
        placed={0: {card_spot(1): 1, card_spot(2): 1}},
        cards=[FOOD_7],
        deck=in_deck,
        seats={0: {"resources": [0, 0, 0, 1]}, 1: {"food": 1}},
    )
    rest = game["deck"]
    game.do("buy", 1)  # the other card is forced: nothing is left to buy it with
    assert game["over"] == (in_deck == 0) and not game["truncated"] and game.sheet(1)["hunger"] == -10
    assert game["round"] == game["start"] == (0 if game["over"] else 1)
    assert (game["open"][0] is None) == game["over"]
    if in_deck:
        assert game["open"][3:] == rest and game["deck"] == []


def test_the_most_rounds_truncate(position: At) -> None:
    """After the feeding of that round; an ordinary end in the same round is one."""
    game = position(2, placed={0: SPOTS}, max_rounds=1).go_home()
    assert game["over"] and game["truncated"] and game["round"] == 0 and game["start"] == 0
    game = position(
        2,
        placed={0: {pile_place(0): 1, **SPOTS}},
        max_rounds=1,
        tiles=[ANY_TILE],
        left={0: 1},
        seats={0: {"resources": [1, 0, 0, 0]}},
    )
    game.do("build", 0, 1).go_home()
    assert game["over"] and not game["truncated"]
