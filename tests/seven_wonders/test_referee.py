"""The referee of 7 Wonders on its own: errors, payments by a plainer search, and whole random games.

The rulings are tried on it, too, in test_rulings_*.py.
"""

from __future__ import annotations

import copy
import random
from itertools import permutations

import pytest

from referees.seven_wonders import WAIT, Referee
from referees.seven_wonders_payment import cheapest, possible_payments, undominated
from seven_wonders.positions import (
    EPHESOS,
    FREE_CARDS,
    HALIKARNASSOS,
    KIND,
    RHODOS,
    TABLE,
    build,
    pay,
    sell,
    stage,
)
from seven_wonders.referee_positions import RefereePosition, deck

WONDERS = [wonder["id"] for wonder in TABLE["wonders"]]


def test_illegal_steps_raise_and_change_nothing():
    game = RefereePosition()
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
        RefereePosition(players=2)


def test_unknown_effects_are_refused():
    table = copy.deepcopy(TABLE)
    table["cards"][0]["effects"] = [{"type": "copy_a_guild"}]
    with pytest.raises(ValueError, match="unknown effect"):
        RefereePosition(table=table)


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
    game = RefereePosition(
        boards={0: RHODOS, 1: EPHESOS, 2: HALIKARNASSOS},
        table=table,
        coins={0: 0},
        discard=["tavern"],
        cities={0: ["sawmill"], 1: ["stockade"]},
        stages={2: 1},
    )
    game.play({0: stage("altar"), 1: build("well"), 2: build("well")})
    assert game.coins[0] == 4 and game.science(0) == [0, 1, 0, 0]
    assert game.prices(0, "left")["wood"] == game.prices(0, "right")["ore"] == 1
    game.set_hand(0, FREE_CARDS[:6])
    game.play({0: build("altar"), 1: build("stone_pit"), 2: build("stone_pit")})
    assert game.phase == "pick" and game.legal(0) == [build("tavern")]
    game.step({0: build("tavern")})
    assert game.coins[0] == 4 + 1 + 5 and game.shields[0] == 2
    assert game.points(0, "civilian") == 2 and game.points(0, "wonder") == 0
    game.cities[0].stages_built = 3
    assert game.points(0, "wonder") == 5 + 7


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
@pytest.mark.parametrize("sides", [["day"], ["night"], ["day", "choose"]])
@pytest.mark.parametrize("players", range(3, 8))
def test_random_games_to_the_end(players, sides, payments):
    rng = random.Random(f"{players} {sides} {payments}")
    game = random_game(players, sides, payments, rng)
    turns = []
    while not game.over:
        check_position(game, 0 if game.phase == "side" else 7 * players * game.age)
        seats = game.deciders()
        assert seats and game.phase in ("choose", "pay", "pick", "last", "side")
        assert payments == "choose" or game.phase != "pay"
        for seat in range(players):
            legal = game.legal(seat)
            assert (
                legal == sorted(set(legal))
                and legal[0] >= 0
                and legal[-1] < (258 if game.phase == "side" else 256)
            )
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
