"""The referee of 7 Wonders, checked on its own: the rulings one by one, and whole random games.

A ruling is a situation where game programs go wrong, and its right outcome. Positions are set up by hand; the
name of a test says which rule it is about.
"""

import copy
import random
import tomllib
from itertools import chain, permutations, product
from pathlib import Path

import pytest

from referees.seven_wonders import BUILD, SELL, STAGE, WAIT, Referee, card_action
from referees.seven_wonders_city import SCIENCE
from referees.seven_wonders_payment import cheapest, possible_payments, undominated

DATA = Path(__file__).parents[1] / "seven_wonders_env" / "data" / "second_edition.toml"
TABLE = tomllib.loads(DATA.read_text(encoding="utf-8"))
CARDS = TABLE["cards"] + TABLE["guilds"]
KIND = {card["id"]: kind for kind, card in enumerate(CARDS)}
WONDERS = [wonder["id"] for wonder in TABLE["wonders"]]

# Boards whose resource is a manufactured one: neighbours that sell no raw material at the start.
ALEXANDRIA, EPHESOS, HALIKARNASSOS = ("alexandria", "day"), ("ephesos", "day"), ("halikarnassos", "day")
BABYLON, GIZAH, OLYMPIA, RHODOS = ("babylon", "day"), ("gizah", "day"), ("olympia", "day"), ("rhodos", "day")
QUIET = [ALEXANDRIA, EPHESOS, HALIKARNASSOS]  # glass, papyrus, loom

FREE_CARDS = ["altar", "well", "tavern", "stone_pit", "ore_vein", "clay_pool", "lumber_yard"]


def kinds(*names):
    return [KIND[name] for name in names]


def build(name):
    return card_action(KIND[name], BUILD)


def stage(name):
    return card_action(KIND[name], STAGE)


def sell(name):
    return card_action(KIND[name], SELL)


def pay(coins_to_the_left):
    return 241 + coins_to_the_left


def position(
    boards=QUIET,
    *,
    table=TABLE,
    payments="cheapest",
    age=1,
    turn=1,
    hands=None,
    cities=None,
    coins=None,
    stages=None,
    discard=(),
):
    """A game in the given position, at the choice of cards. Hands, cities, coins, stages: {seat: value}."""
    game = Referee(table, boards, lambda age: [kinds(*FREE_CARDS) for _ in boards], payments)
    game.age, game.turn = age, turn
    left_in_hand = 8 - turn
    game.hands = [kinds(*FREE_CARDS)[:left_in_hand] for _ in boards]
    for seat, names in (hands or {}).items():
        game.hands[seat] = kinds(*names)
    for seat, names in (cities or {}).items():
        game.cities[seat].kinds = kinds(*names)
    for seat, number in (coins or {}).items():
        game.cities[seat].coins = number
    for seat, number in (stages or {}).items():
        game.cities[seat].stages_built = number
    game.discard = kinds(*discard)
    return game


def with_cost(name, cost):
    """The table with another cost on one card (resources; no coins, no chain)."""
    table = copy.deepcopy(TABLE)
    card = (table["cards"] + table["guilds"])[KIND[name]]
    card.update(cost=cost, cost_coins=0, free_from=[])
    return table


def can_build(cost, *, own=(), boards=QUIET, **setup):
    """May seat 0, whose city holds `own`, build a card of that cost?"""
    cities = {0: list(own), **setup.pop("cities", {})}
    game = position(
        boards, table=with_cost("town_hall", cost), hands={0: ["town_hall"]}, cities=cities, **setup
    )
    return build("town_hall") in game.legal(0)


def play(game, **actions):
    """One turn: play(game, s0=..., s2=...); the other seats sell their first card."""
    turn = {seat: actions.get(f"s{seat}") for seat in game.deciders()}
    for seat, action in turn.items():
        if action is None:
            turn[seat] = card_action(game.hands[seat][0], SELL)
    game.step(turn)
    return game


def coins(game):
    return game.state()["coins"]


# ---------------------------------------------------------------------- the rulings


def test_ruling_01_each_choice_symbol_picks_its_own_resource():
    def setup(cost):
        return can_build(cost, own=["caravansery"], stages={0: 2}, coins={0: 0})

    assert setup({"wood": 2})
    assert setup({"wood": 1, "clay": 1})
    assert not setup({"wood": 3})


def test_ruling_02_two_units_from_one_neighbour_need_two_symbols():
    assert not can_build({"stone": 2}, cities={1: ["stone_pit"]}, coins={0: 10})
    game = position(
        table=with_cost("town_hall", {"stone": 2}),
        hands={0: ["town_hall"] + FREE_CARDS[1:]},
        cities={1: ["quarry"]},
        coins={0: 10, 1: 0},
    )
    play(game, s0=build("town_hall"))
    assert coins(game)[:2] == [6, 4 + 3]  # seat 1 also sold a card


def test_ruling_03_one_symbol_serves_its_owner_and_both_neighbours():
    hand = ["baths"] + FREE_CARDS[:6]  # the Baths cost a stone
    game = position(hands={0: hand, 1: hand, 2: hand}, cities={1: ["stone_pit"]}, coins={0: 2, 1: 0, 2: 2})
    play(game, s0=build("baths"), s1=build("baths"), s2=build("baths"))
    assert coins(game) == [0, 4, 0]
    assert all(KIND["baths"] in city for city in game.state()["cities"])


@pytest.mark.parametrize("seat", range(3))
def test_ruling_04_money_received_this_turn_comes_too_late(seat):
    left, right = (seat + 1) % 3, (seat - 1) % 3
    game = position(
        hands={seat: ["guard_tower"] + FREE_CARDS[:6], right: ["baths"] + FREE_CARDS[1:]},
        cities={left: ["clay_pool"], seat: ["stone_pit"]},
        coins={seat: 1, right: 2},
    )
    assert build("guard_tower") not in game.legal(seat)
    play(game, **{f"s{right}": build("baths"), f"s{seat}": build("altar")})
    assert coins(game)[seat] == 1 + 2


def test_ruling_05_buildings_and_discounts_count_from_the_next_turn():
    game = position(
        hands={
            0: ["guard_tower"] + FREE_CARDS[:6],
            1: ["clay_pool"] + FREE_CARDS[:6],
            2: ["guard_tower"] + FREE_CARDS[:6],
        }
    )
    assert build("guard_tower") not in game.legal(0)
    play(game, s1=build("clay_pool"), s2=sell("altar"))
    assert build("guard_tower") in game.legal(0)  # the hand of seat 2 came round

    game = position(
        cities={1: ["lumber_yard"]},
        coins={0: 1},
        hands={0: ["west_trading_post", "stockade"] + FREE_CARDS[:5], 2: ["stockade"] + FREE_CARDS[:6]},
    )
    assert build("stockade") not in game.legal(0)
    play(game, s0=build("west_trading_post"), s2=sell("altar"))
    assert build("stockade") in game.legal(0)
    play(game, s0=build("stockade"))
    assert coins(game)[0] == 0


def test_ruling_06_neighbours_sell_their_first_resource_and_brown_and_grey_cards_only():
    boards = [HALIKARNASSOS, RHODOS, ALEXANDRIA]
    setup = {"boards": boards, "cities": {1: ["caravansery", "forum"]}, "stages": {2: 2}, "coins": {0: 2}}
    assert can_build({"ore": 1}, **setup)
    assert not can_build({"wood": 1}, **setup)
    assert not can_build({"papyrus": 1}, **setup)
    assert can_build({"glass": 1}, **setup)


def test_ruling_07_purchases_may_be_split():
    setup = {"own": ["west_trading_post"], "cities": {1: ["clay_pit"], 2: ["clay_pool"]}}
    assert can_build({"clay": 1, "ore": 1}, coins={0: 3}, **setup)
    assert not can_build({"clay": 1, "ore": 1}, coins={0: 2}, **setup)


def test_ruling_08_at_equal_prices_the_buyer_chooses_whom_to_pay():
    def game(payments):
        game = position(
            payments=payments,
            hands={0: ["guard_tower"] + FREE_CARDS[:6]},
            cities={1: ["clay_pool"], 2: ["clay_pool"]},
            coins={0: 2, 1: 0, 2: 0},
        )
        return play(game, s0=build("guard_tower"), s1=build("altar"), s2=build("altar"))

    for to_left, expected in ((0, [0, 0, 2]), (2, [0, 2, 0])):
        asked = game("choose")
        assert asked.phase == "pay" and asked.deciders() == [0]
        assert asked.legal(0) == [pay(0), pay(2)] and asked.legal(1) == [WAIT]
        asked.step({0: pay(to_left)})
        assert coins(asked) == expected
    assert coins(game("cheapest")) == [0, 0, 2]


def test_ruling_09_a_stage_is_paid_like_a_card():
    boards = [BABYLON, EPHESOS, HALIKARNASSOS]  # stage 1: 2 clay
    setup = {"boards": boards, "cities": {2: ["brickyard"]}}
    game = position(coins={0: 4, 2: 0}, **setup)
    play(game, s0=stage("altar"), s2=build("well"))
    assert coins(game)[0] == 0 and coins(game)[2] == 4 and game.state()["stages"][0] == 1
    assert stage("altar") not in position(coins={0: 3}, **setup).legal(0)

    game = position(boards, cities={0: ["clay_pool", "clay_pit"]}, coins={0: 0, 1: 0, 2: 0})
    play(game, s0=stage("altar"), s1=build("well"), s2=build("well"))
    assert coins(game) == [0, 0, 0] and game.state()["stages"] == [1, 0, 0]


@pytest.mark.parametrize(("age", "receiver"), [(1, 1), (2, 2), (3, 1)])
def test_ruling_10_hands_pass_left_right_left(age, receiver):
    hands = {0: ["altar", "well"], 1: ["theater", "tavern"], 2: ["stone_pit", "ore_vein"]}
    game = play(position(age=age, hands=hands))  # each sells the first
    assert game.hands[receiver] == kinds("well")
    assert sorted(chain(*game.hands)) == sorted(kinds("well", "tavern", "ore_vein"))
    game = play(position(age=age, turn=6, hands=hands))
    assert game.turn == 1 or game.over  # no pass: the left-overs went to the pile
    assert sorted(game.discard) == sorted(kinds(*chain(*hands.values())))


def test_ruling_11_a_name_only_once():
    for board, stages in ((OLYMPIA, 0), (OLYMPIA, 2), (("olympia", "night"), 2)):
        game = position(
            [board, EPHESOS, HALIKARNASSOS],
            age=2,
            hands={0: ["press_2"] + FREE_CARDS[:6]},
            cities={0: ["press_1", "quarry", "sawmill", "brickyard"]},
            stages={0: stages},
        )
        assert build("press_2") not in game.legal(0)
        assert sell("press_2") in game.legal(0)
    assert stage("press_2") in position(
        [OLYMPIA, EPHESOS, HALIKARNASSOS], hands={0: ["press_2"]}, cities={0: ["press_1", "quarry"]}
    ).legal(0)

    table = copy.deepcopy(TABLE)
    table["cards"][KIND["press_2"]]["free_from"] = ["altar"]
    game = position(table=table, hands={0: ["press_2"]}, cities={0: ["press_1", "altar"]})
    assert build("press_2") not in game.legal(0)


@pytest.mark.parametrize("parent", ["west_trading_post", "east_trading_post"])
def test_ruling_12_either_parent_makes_the_forum_free(parent):
    game = position(age=2, hands={0: ["forum"] + FREE_CARDS[:6]}, cities={0: [parent]}, coins={0: 0})
    play(game, s0=build("forum"))
    assert coins(game)[0] == 0
    assert game.state()["cities"][0] == sorted(kinds(parent, "forum"))


def test_ruling_13_first_card_of_each_colour():
    game = position(
        [OLYMPIA, EPHESOS, HALIKARNASSOS],
        age=2,
        stages={0: 2},
        coins={0: 0},
        cities={0: ["lumber_yard", "stockade", "altar"]},
        hands={0: ["caravansery", "aqueduct"] + FREE_CARDS[:5], 1: ["chamber_of_commerce"] + FREE_CARDS[:6]},
    )  # Age II passes to the right
    assert build("caravansery") in game.legal(0)
    assert build("aqueduct") not in game.legal(0)
    assert stage("aqueduct") not in game.legal(0)
    play(game, s0=build("caravansery"), s1=sell("altar"))
    assert build("chamber_of_commerce") not in game.legal(0)
    assert coins(game)[0] == 0


def test_ruling_13_a_free_building_saves_its_coins_too():
    game = position(
        [OLYMPIA, EPHESOS, HALIKARNASSOS],
        stages={0: 2},
        coins={0: 0},
        hands={0: ["tree_farm"] + FREE_CARDS[:6]},
    )
    play(game, s0=build("tree_farm"))
    assert coins(game)[0] == 0


def test_ruling_14_first_and_last_card_of_the_age():
    night = [("olympia", "night"), EPHESOS, HALIKARNASSOS]

    def palace(age, turn, stages, hand=("palace", "altar")):
        game = position(night, age=age, turn=turn, stages={0: stages}, coins={0: 0}, hands={0: list(hand)})
        return build("palace") in game.legal(0)

    first, last = 1, 2  # stage 1 has the first, stage 2 the last card
    for age in (1, 2, 3):
        assert palace(age, 1, first)
        assert not palace(age, 2, first)
        assert not palace(age, 6, first)
        assert palace(age, 6, last)
        assert not palace(age, 5, last)
        assert not palace(age, 6, 0)

    # Sold on the first turn: lost for this Age. Nor is a stage free.
    game = position(
        night,
        age=2,
        stages={0: last},
        coins={0: 0},
        hands={0: ["palace"] + FREE_CARDS[:6], 1: ["palace"] + FREE_CARDS[:6]},
    )
    assert stage("palace") not in game.legal(0)
    play(game, s0=sell("palace"), s1=sell("altar"))
    assert build("palace") not in game.legal(0)


def test_ruling_14_a_power_built_in_age_one_works_from_age_two_on():
    night = [("olympia", "night"), EPHESOS, HALIKARNASSOS]
    game = position(night, turn=6, cities={0: ["foundry"]}, hands={0: ["altar", "well"]})
    game.deal = lambda age: [kinds("palace", *FREE_CARDS[:6]) for _ in range(3)]
    play(game, s0=stage("altar"))
    assert (game.age, game.turn) == (2, 1) and build("palace") in game.legal(0)


def test_ruling_14_the_seventh_card_is_not_covered():
    table = copy.deepcopy(TABLE)
    babylon = next(w for w in table["wonders"] if w["id"] == "babylon")
    night = next(s for s in babylon["sides"] if s["side"] == "night")
    night["stages"][0]["effects"] += [
        {"type": "power", "power": f"{which}_card_of_each_age_free"} for which in ("first", "last")
    ]
    game = position(
        [("babylon", "night"), EPHESOS, HALIKARNASSOS],
        table=table,
        turn=6,
        stages={0: 1},
        hands={0: ["altar", "palace"]},
    )
    assert build("palace") in game.legal(0)
    play(game, s0=sell("altar"))
    assert game.phase == "last" and game.turn == 7
    assert game.legal(0) == [sell("palace")]


@pytest.mark.parametrize(("age", "points"), [(1, 1), (3, 5)])
def test_ruling_15_the_pick_comes_before_the_conflicts(age, points):
    game = position(
        [("halikarnassos", "day"), EPHESOS, ALEXANDRIA],
        age=age,
        turn=6,
        stages={0: 1},
        cities={0: ["press_1"]},
        discard=["stockade"],
        hands={0: ["altar", "well"]},
    )
    play(game, s0=stage("altar"))
    assert game.phase == "pick" and game.turn == 6 and not game.over
    assert game.deciders() == [0] and game.legal(1) == [WAIT]
    # The sold cards and the left-overs of this very turn lie there as well; the tucked card does not.
    assert build("stockade") in game.legal(0) and build("well") in game.legal(0)
    assert game.discard.count(KIND["altar"]) == 2
    game.step({0: build("stockade")})
    state = game.state()
    assert state["victory_points"] == [2 * points, 0, 0] and state["defeats"] == [0, 1, 1]
    assert game.over == (age == 3)
    assert state["stages"][0] == 2 and KIND["stockade"] not in state["discard"]


@pytest.mark.parametrize("pile", [[], ["altar", "press_2"]])
def test_ruling_16_nothing_to_pick_is_no_decision(pile):
    game = position(
        [("halikarnassos", "day"), EPHESOS, ALEXANDRIA],
        stages={0: 1},
        discard=pile,
        cities={0: ["press_1", "altar"], 1: ["well"], 2: ["well"]},
        hands={0: ["altar", *FREE_CARDS[1:]]},
    )
    play(game, s0=stage("altar"), s1=build("altar"), s2=build("altar"))
    assert game.phase == "choose" and game.turn == 2
    assert game.discard == kinds(*pile)


def test_ruling_16_the_picked_card_pays_at_once_what_then_stands():
    game = position(
        [("halikarnassos", "day"), EPHESOS, ALEXANDRIA],
        stages={0: 1},
        discard=["vineyard"],
        cities={0: ["press_1"], 1: ["lumber_yard"]},
        coins={0: 2},
        hands={1: ["clay_pool"] * 7},
    )
    play(game, s0=stage("altar"), s1=build("clay_pool"), s2=build("stone_pit"))
    assert game.legal(0) == [build("vineyard")]
    game.step({0: build("vineyard")})
    assert coins(game)[0] == 3  # glass bought for 2 is gone, press own; three brown cards around
    assert game.phase == "choose" and game.turn == 2


def test_ruling_17_the_left_over_card_is_discarded_unpaid():
    game = position(turn=6, coins={0: 0})
    play(game, s0=build("altar"))
    assert KIND["well"] in game.discard and coins(game)[0] == 0
    assert (game.age, game.turn) == (2, 1)


def test_ruling_18_the_last_card_power_works_on_the_turn_it_is_built():
    game = position(
        [("babylon", "night"), EPHESOS, HALIKARNASSOS],
        turn=6,
        cities={0: ["quarry"]},
        hands={0: ["altar", "well"]},
        discard=["tavern"],
    )
    play(game, s0=stage("altar"))
    assert (game.phase, game.age, game.turn) == ("last", 1, 7)
    assert game.deciders() == [0] and game.legal(1) == game.legal(2) == [WAIT]
    assert game.legal(0) == [build("well"), sell("well")]
    assert game.discard.count(KIND["well"]) == 2  # those of the two others
    game.step({0: build("well")})
    assert (game.phase, game.age, game.turn) == ("choose", 2, 1)
    assert KIND["well"] in game.state()["cities"][0]


def test_ruling_18_the_extra_turn_is_a_full_turn_with_its_own_payment():
    boards = [("babylon", "night"), EPHESOS, HALIKARNASSOS]
    setup = {"turn": 6, "stages": {0: 1}, "cities": {1: ["clay_pool"], 2: ["clay_pool"]}, "coins": {0: 0}}
    game = position(boards, payments="choose", hands={0: ["altar", "guard_tower"]}, **setup)
    play(game, s0=sell("altar"))  # the 3 coins of turn 6 may be spent on the extra turn
    assert game.phase == "last"
    assert game.legal(0) == [build("guard_tower"), sell("guard_tower")]
    before = coins(game)
    game.step({0: build("guard_tower")})
    assert game.phase == "pay" and game.turn == 7 and game.legal(0) == [pay(0), pay(2)]
    game.step({0: pay(2)})
    assert coins(game) == [before[0] - 2, before[1] + 2, before[2]]
    assert game.state()["victory_points"] == [2, 0, 0]  # its shield counts in the conflicts of this Age

    game = position(boards, hands={0: ["altar", "well"]}, **setup)
    play(game, s0=build("altar"))
    game.step({0: sell("well")})
    assert coins(game)[0] == 3 and KIND["well"] in game.discard


def test_ruling_18_the_pick_of_turn_six_comes_before_the_seventh_card():
    game = position(
        [("babylon", "night"), ("halikarnassos", "day"), EPHESOS],
        turn=6,
        stages={0: 1, 1: 1},
        cities={1: ["glassworks_1"]},
        hands={0: ["altar", "stockade"]},
    )
    play(game, s0=build("altar"), s1=stage("altar"))
    assert game.phase == "pick" and game.deciders() == [1]
    assert build("stockade") not in game.legal(1)  # Babylon's seventh card is not in the pile
    game.step({1: build("well")})
    assert game.phase == "last" and game.deciders() == [0]


def test_ruling_19_conflicts_once_an_age_from_minus_6_to_18():
    game = position(
        [("babylon", "night"), EPHESOS, HALIKARNASSOS], stages={0: 1}, cities={1: ["barracks"], 0: ["walls"]}
    )
    while not game.over:
        play(game)
    assert game.state()["victory_points"] == [18, 9, 0]
    assert game.state()["defeats"] == [0, 3, 6]
    assert [sheet["military"] for sheet in game.score()] == [18, 6, -6]


def test_ruling_20_left_and_right_are_compared_apart():
    def tokens(left):
        game = position(age=2, turn=6, cities={0: ["walls", "training_ground"], 1: left, 2: ["stables"]})
        play(game)
        return game.state()["victory_points"][0], game.state()["defeats"][0]

    assert tokens(["walls", "training_ground", "stockade"]) == (3, 1)
    assert tokens(["walls", "training_ground"]) == (3, 0)


@pytest.mark.parametrize("seat", range(3))
def test_ruling_21_income_counts_what_neighbours_build_now(seat):
    left, right = (seat + 1) % 3, (seat - 1) % 3
    game = position(
        age=2,
        hands={seat: ["vineyard"] * 7},
        coins={seat: 0},
        cities={seat: ["lumber_yard"], left: ["lumber_yard"]},
    )
    play(
        game,
        **{f"s{seat}": build("vineyard"), f"s{left}": build("stone_pit"), f"s{right}": build("clay_pool")},
    )
    assert coins(game)[seat] == 4


def test_ruling_22_coins_by_the_number_now_points_by_the_number_at_the_end():
    game = position(
        age=3,
        hands={0: ["lighthouse"] + FREE_CARDS[:6], 2: ["tavern"] * 7},
        coins={0: 0},
        cities={0: ["marketplace", "caravansery"]},
    )
    play(game, s0=build("lighthouse"))
    assert coins(game)[0] == 3
    play(game, s0=build("tavern"))
    assert coins(game)[0] == 3 + 5
    assert game.score()[0]["commerce"] == 4


def test_ruling_23_scientists_guild():
    game = position(cities={0: ["apothecary", "dispensary", "workshop", "scientists_guild"]})
    assert game.score()[0]["science"] == 13
    assert game.state()["science"][0] == [2, 1, 0, 1]


def test_ruling_23_two_choices_may_differ():
    babylon = ("babylon", "day")
    game = position(
        [babylon, EPHESOS, HALIKARNASSOS], stages={0: 2}, cities={0: ["apothecary", "scientists_guild"]}
    )
    assert game.score()[0]["science"] == 10  # one of each: 1 + 1 + 1 + 7


def test_ruling_24_all_guilds_score():
    game = position(
        cities={
            0: ["workers_guild", "traders_guild"],
            1: ["lumber_yard", "quarry", "tavern"],
            2: ["ore_vein", "bazar"],
        }
    )
    assert game.score()[0]["guilds"] == 3 + 2


def test_ruling_25_whose_cards_a_guild_counts():
    green = ["apothecary", "workshop", "scriptorium", "school"]
    game = position(cities={0: ["philosophers_guild", *green], 1: green[:2], 2: green[:1]})
    assert game.score()[0]["guilds"] == 3
    game = position(cities={0: ["builders_guild"]}, stages={0: 2, 1: 1, 2: 3})
    assert game.score()[0]["guilds"] == 6
    game = position(
        cities={0: ["shipowners_guild", "workers_guild", "lumber_yard", "quarry", "mine", "press_1"]}
    )
    assert game.score()[0]["guilds"] == 6
    assert position(cities={0: ["decorators_guild"]}, stages={0: 2}).score()[0]["guilds"] == 0
    assert position(cities={0: ["decorators_guild"]}, stages={0: 3}).score()[0]["guilds"] == 7


def test_ruling_26_seven_cards_a_player_in_each_age():
    for players in range(3, 8):
        for age in (1, 2, 3):
            assert len(deck(players, age, random.Random(players))) == 7 * players
        guilds = [
            kind for kind in deck(players, 3, random.Random(players)) if CARDS[kind]["colour"] == "purple"
        ]
        assert len(guilds) == len(set(guilds)) == players + 2


def test_ruling_27_starting_resources():
    expected = {
        "alexandria": "glass",
        "babylon": "wood",
        "ephesos": "papyrus",
        "gizah": "stone",
        "halikarnassos": "loom",
        "olympia": "clay",
        "rhodos": "ore",
    }
    for side in ("day", "night"):
        game = position([(wonder, side) for wonder in WONDERS])
        for wonder, city in zip(WONDERS, game.cities, strict=True):
            assert city.own_symbols() == city.symbols_for_sale() == [(expected[wonder],)]


def test_ruling_28_ranks():
    def ranks(money):
        game = position([ALEXANDRIA, BABYLON, EPHESOS, GIZAH], coins=dict(enumerate(money)))
        for city, total in zip(game.cities, (50, 50, 40, 40), strict=True):
            city.victory_points = total - city.coins // 3
        assert [sheet["total"] for sheet in game.score()] == [50, 50, 40, 40]
        return game.ranks()

    assert ranks((4, 7, 1, 1)) == [2, 1, 3, 3]
    assert ranks((7, 7, 1, 1)) == [1, 1, 3, 3]


def test_ruling_29_no_board_copies_a_guild():
    powers = {
        effect["power"]
        for wonder in TABLE["wonders"]
        for side in wonder["sides"]
        for stage in side["stages"]
        for effect in stage["effects"]
        if effect["type"] == "power"
    }
    assert powers == {
        "build_from_discard",
        "play_last_card",
        "first_card_of_each_colour_free",
        "first_card_of_each_age_free",
        "last_card_of_each_age_free",
    }


def test_ruling_30_shields_of_rhodes():
    game = position([RHODOS, EPHESOS, HALIKARNASSOS], stages={0: 2})
    assert game.state()["shields"] == [2, 0, 0]


# ---------------------------------------------------------------------- more of the rules


def test_selling_pays_three_and_a_tucked_card_is_out_of_the_game():
    game = position([GIZAH, EPHESOS, HALIKARNASSOS], cities={0: ["sawmill"]}, coins={0: 0})
    play(game, s0=stage("altar"))
    assert coins(game)[0] == 0 and game.state()["stages"] == [1, 0, 0]
    assert game.state()["cities"][0] == kinds("sawmill")
    assert game.state()["discard"] == kinds("altar", "altar")  # of the two that sold
    assert coins(game)[1:] == [6, 6]


def test_stages_are_built_in_order_and_none_after_the_last():
    complete = position(cities={0: ["quarry", "foundry", "loom_1", "press_1"]}, stages={0: 3})
    assert stage("altar") not in complete.legal(0)
    game = position([("ephesos", "night"), ALEXANDRIA, HALIKARNASSOS], cities={0: ["quarry"]})
    play(game, s0=stage("altar"))
    assert coins(game)[0] == 3 + 4 and game.score()[0]["wonder"] == 2


def test_coins_on_the_card_go_to_the_bank_and_are_apart_from_trade():
    game = position(hands={0: ["tree_farm"]}, coins={0: 0})
    assert game.legal(0) == [sell("tree_farm")]
    play(position(hands={0: ["tree_farm"]}, coins={0: 1}), s0=build("tree_farm"))
    table = with_cost("tree_farm", {"stone": 1})
    table["cards"][KIND["tree_farm"]]["cost_coins"] = 1
    for money, possible in ((2, False), (3, True)):
        game = position(table=table, hands={0: ["tree_farm"]}, cities={1: ["stone_pit"]}, coins={0: money})
        assert (build("tree_farm") in game.legal(0)) == possible
    play(game, s0=build("tree_farm"))
    assert coins(game) == [0, 3 + 2 + 3, 3 + 3]


def test_discounts_by_side_and_kind_of_goods():
    def price(own, board, seat_of_seller):
        boards = [HALIKARNASSOS, EPHESOS, EPHESOS]
        boards[seat_of_seller] = board
        resource = next(w["resource"] for w in TABLE["wonders"] if w["id"] == board[0])
        return next(n for n in range(9) if can_build({resource: 1}, own=own, boards=boards, coins={0: n}))

    left, right = 1, 2
    assert price(["west_trading_post"], GIZAH, left) == 1 and price(["west_trading_post"], GIZAH, right) == 2
    assert price(["east_trading_post"], GIZAH, left) == 2 and price(["east_trading_post"], GIZAH, right) == 1
    assert price(["marketplace"], ALEXANDRIA, left) == price(["marketplace"], ALEXANDRIA, right) == 1
    assert price(["marketplace"], GIZAH, left) == price([], GIZAH, left) == 2


def test_a_payment_no_better_on_either_side_is_not_offered():
    # Own choice symbol clay/ore; the left sells ore at 1 (discount), the right clay at 2.
    game = position(
        table=with_cost("town_hall", {"clay": 1, "ore": 1}),
        payments="choose",
        hands={0: ["town_hall"] + FREE_CARDS[:6]},
        coins={0: 3},
        cities={0: ["clay_pit", "west_trading_post"], 1: ["ore_vein"], 2: ["clay_pool"]},
    )
    play(game, s0=build("town_hall"))
    assert game.phase == "pay" and game.legal(0) == [pay(0), pay(1)]  # (0, 2) or (1, 0); not (1, 2)
    assert coins(game) == [3, 3, 3] and KIND["town_hall"] in game.hands[0]  # nothing has happened yet


def test_only_affordable_payments_are_offered():
    setup = {
        "payments": "choose",
        "hands": {0: ["guard_tower"] + FREE_CARDS[:6]},
        "cities": {0: ["west_trading_post"], 1: ["clay_pool"], 2: ["clay_pool"]},
    }
    game = play(position(coins={0: 1}, **setup), s0=build("guard_tower"))
    assert game.phase == "choose" and coins(game)[0] == 0  # one coin: only the left, taken without asking
    game = play(position(coins={0: 2}, **setup), s0=build("guard_tower"))
    assert game.phase == "pay"


def test_two_seats_pay_at_once():
    game = position(
        payments="choose",
        hands={0: ["guard_tower"] * 7, 2: ["guard_tower"] * 7},
        boards=[ALEXANDRIA, EPHESOS, HALIKARNASSOS, EPHESOS],
        coins={1: 0, 3: 0},
        cities={1: ["clay_pool"], 3: ["clay_pool"]},
    )
    play(game, s0=build("guard_tower"), s1=build("altar"), s2=build("guard_tower"), s3=build("altar"))
    assert game.deciders() == [0, 2] and game.legal(1) == [WAIT]
    game.step({0: pay(2), 2: pay(0)})  # seat 1 is left of 0 and right of 2
    assert coins(game) == [1, 4, 1, 0]


def test_illegal_steps_raise_and_change_nothing():
    game = position()
    before = game.state()
    good = {seat: sell("altar") for seat in range(3)}
    for actions in (
        {},
        {0: sell("altar")},
        {**good, 1: WAIT},
        {**good, 2: sell("palace")},
        {**good, 3: WAIT},
        {**good, 0: build("palace")},
        {**good, 0: pay(0)},
    ):
        with pytest.raises(ValueError, match=r"decide, not|cannot do"):
            game.step(actions)
        assert game.state() == before
    with pytest.raises(ValueError, match="not a game for 2 players"):
        position(boards=QUIET[:2])


def test_unknown_effects_are_refused():
    table = copy.deepcopy(TABLE)
    table["cards"][0]["effects"] = [{"type": "copy_a_guild"}]
    with pytest.raises(ValueError, match="unknown effect"):
        position(table=table)


def test_effects_work_on_any_card_or_stage():
    table = copy.deepcopy(TABLE)
    table["cards"][KIND["altar"]]["effects"] = [
        {"type": "power", "power": "build_from_discard"},
        {"type": "shields", "amount": 2},
        {"type": "coins", "amount": 1},
        {"type": "end_vp_per", "count": ["red_cards"], "amount": 2, "cities": ["left"]},
    ]
    rhodos = next(w for w in table["wonders"] if w["id"] == "rhodos")
    rhodos["sides"][0]["stages"][0]["effects"] = [
        {"type": "science", "symbol": "gear"},
        {"type": "trade_discount", "goods": "raw", "side": "both"},
        {"type": "end_vp_if_wonder_complete", "amount": 5},
        {"type": "coins_per", "count": ["wonder_stages"], "amount": 2, "cities": ["self", "right"]},
    ]
    game = position(
        [RHODOS, EPHESOS, HALIKARNASSOS],
        table=table,
        coins={0: 0},
        discard=["tavern"],
        cities={0: ["sawmill"], 1: ["stockade"]},
        stages={2: 1},
    )
    play(game, s0=stage("altar"), s1=build("well"), s2=build("well"))
    assert coins(game)[0] == 4 and game.state()["science"][0] == [0, 1, 0, 0]
    assert game.prices(0, "left")["wood"] == game.prices(0, "right")["ore"] == 1
    game.hands[0] = kinds(*FREE_CARDS[:6])
    play(game, s0=build("altar"), s1=build("stone_pit"), s2=build("stone_pit"))
    assert game.phase == "pick" and game.legal(0) == [build("tavern")]
    game.step({0: build("tavern")})
    assert coins(game)[0] == 4 + 1 + 5 and game.state()["shields"][0] == 2
    assert game.score()[0]["civilian"] == 2 and game.score()[0]["wonder"] == 0
    game.cities[0].stages_built = 3
    assert game.score()[0]["wonder"] == 5 + 7


# ---------------------------------------------------------------------- payments against a plainer search


def payments_by_permutations(cost, own, left, right, left_price, right_price):
    """Every unit in turn takes a symbol of its own: all orders of all symbols."""
    units = [resource for resource, number in cost.items() for _ in range(number)]
    symbols = (
        [(s, {}, {}) for s in own]
        + [(s, left_price, {}) for s in left]
        + [(s, {}, right_price) for s in right]
    )
    found = set()
    for taken in permutations(symbols, len(units)):
        if all(unit in symbol for unit, (symbol, _, _) in zip(units, taken, strict=True)):
            found.add(
                tuple(
                    sum(price.get(unit, 0) for unit, price in zip(units, prices, strict=True))
                    for prices in ([t[1] for t in taken], [t[2] for t in taken])
                )
            )
    return found


def test_payments_against_all_permutations():
    rng = random.Random(7)
    resources = ["wood", "stone", "glass"]
    some_paid = 0
    for _ in range(400):
        cost = {r: n for r in resources if (n := rng.choice([0, 0, 1, 2]))}
        if sum(cost.values()) > 4:
            continue
        sides = [
            [tuple(sorted(rng.sample(resources, rng.choice([1, 1, 2])))) for _ in range(rng.randrange(4))]
            for _ in range(3)
        ]
        prices = [dict.fromkeys(resources, rng.choice([1, 2])) for _ in range(2)]
        expected = payments_by_permutations(cost, *sides, *prices)
        assert possible_payments(cost, *sides, *prices) == expected
        some_paid += len(expected) > 1
    assert some_paid > 50


def test_undominated_and_cheapest():
    pairs = {(0, 4), (1, 4), (2, 2), (4, 0), (3, 1), (3, 3)}
    assert undominated(pairs) == [(0, 4), (2, 2), (3, 1), (4, 0)]
    assert cheapest(pairs) == (0, 4)
    assert cheapest([(0, 5), (2, 2), (3, 1)]) == (2, 2)


def test_science_over_all_distributions():
    game = position([("babylon", "day"), EPHESOS, HALIKARNASSOS], stages={0: 2})
    green = {
        "compass": ["apothecary", "dispensary", "lodge", "academy"],
        "gear": ["workshop", "laboratory", "observatory", "study"],
        "tablet": ["scriptorium", "library", "school", "university"],
    }
    for counts in product(range(5), repeat=3):
        names = [name for symbol, n in zip(SCIENCE, counts, strict=True) for name in green[symbol][:n]]
        game.cities[0].kinds = kinds(*names, "scientists_guild")
        best = 0
        for first, second in product(range(3), repeat=2):
            c = list(counts)
            c[first] += 1
            c[second] += 1
            best = max(best, c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + 7 * min(c))
        assert game.score()[0]["science"] == best


# ---------------------------------------------------------------------- whole games


def deck(players, age, rng):
    """The shuffled cards of an Age for that many players."""
    cards = [
        kind
        for kind, card in enumerate(TABLE["cards"])
        if card["age"] == age
        for least in card["copies"]
        if least <= players
    ]
    if age == 3:
        cards += rng.sample(range(len(TABLE["cards"]), len(CARDS)), players + 2)
    rng.shuffle(cards)
    return cards


def random_game(players, sides, payments, rng, table=TABLE):
    def deal(age):
        cards = deck(players, age, rng)
        return [cards[7 * seat : 7 * seat + 7] for seat in range(players)]

    boards = [(wonder, rng.choice(sides)) for wonder in rng.sample(WONDERS, players)]
    return Referee(table, boards, deal, payments)


def random_actions(game, rng):
    """Any legal actions, but sales only where nothing else is possible: richer games."""
    legal = {seat: game.legal(seat) for seat in game.deciders()}
    return {
        seat: rng.choice([a for a in actions if a > 240 or a % 3 != 0] or actions)
        for seat, actions in legal.items()
    }


def check_position(game, cards_dealt):
    state = game.state()
    assert all(coins >= 0 for coins in state["coins"])
    cards = sum(map(len, state["hands"])) + len(state["discard"]) + sum(map(len, state["cities"]))
    assert cards + sum(state["stages"]) == cards_dealt  # a stage has one card under it
    for city in game.cities:
        names = [card["name"] for card in city.buildings()]
        assert len(names) == len(set(names))
    for sheet in game.score():
        assert sheet["total"] == sum(
            sheet[c] for c in ("wonder", "coins", "military", "civilian", "commerce", "science", "guilds")
        )


@pytest.mark.parametrize("payments", ["choose", "cheapest"])
@pytest.mark.parametrize("sides", [["day"], ["night"]])
@pytest.mark.parametrize("players", range(3, 8))
def test_random_games_to_the_end(players, sides, payments):
    rng = random.Random(f"{players} {sides} {payments}")
    game = random_game(players, sides, payments, rng)
    turns = []
    while not game.over:
        check_position(game, 7 * players * game.age)
        seats = game.deciders()
        assert seats and game.phase in ("choose", "pay", "pick", "last")
        assert payments == "choose" or game.phase != "pay"
        for seat in range(players):
            legal = game.legal(seat)
            assert legal == sorted(set(legal)) and legal[0] >= 0 and legal[-1] < 256
            assert (WAIT in legal) == (seat not in seats)
        if game.phase == "choose":
            turns.append((game.age, game.turn))
            assert all(len(hand) == 8 - game.turn for hand in game.hands)
        game.step(random_actions(game, rng))
    assert turns == [(age, turn) for age in (1, 2, 3) for turn in range(1, 7)]
    check_position(game, 21 * players)
    assert not any(game.hands)
    assert game.deciders() == [] and all(game.legal(seat) == [WAIT] for seat in range(players))
    assert min(game.ranks()) == 1
    with pytest.raises(ValueError, match="the game is over"):
        game.step({})


@pytest.mark.parametrize("seed", range(12))
def test_random_games_with_effects_shuffled_over_all_cards_and_stages(seed):
    rng = random.Random(seed)
    table = copy.deepcopy(TABLE)
    things = (
        table["cards"]
        + table["guilds"]
        + [stage for wonder in table["wonders"] for side in wonder["sides"] for stage in side["stages"]]
    )
    effects = [thing["effects"] for thing in things]
    rng.shuffle(effects)
    for thing, its_effects in zip(things, effects, strict=True):
        thing["effects"] = its_effects
    players = rng.randrange(3, 8)
    game = random_game(players, ["day", "night"], rng.choice(["choose", "cheapest"]), rng, table)
    while not game.over:
        check_position(game, 7 * players * game.age)
        game.step(random_actions(game, rng))
    check_position(game, 21 * players)
