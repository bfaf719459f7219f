"""Paying in 7 Wonders: the kernels against brute force, on random rich cities.

Two brute forces: the referee's (every assignment of units to symbols, by dynamic programming over the symbols) and, for
small cases, one of our own (all orders of all symbols). Both know symbols and prices only, neither Hall's condition nor
anything of the kernels.
"""

from __future__ import annotations

import copy
import random
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from antiquity.game.tables import text
from antiquity.kernels import entry
from antiquity.testing.table import Table
from referees.seven_wonders import Referee
from referees.seven_wonders_payment import cheapest, symbols_of
from seven_wonders.positions import (
    CARDS,
    EPHESOS,
    KIND,
    TABLE,
    KernelPosition,
    add_building,
    add_stage,
    around,
    build,
    pay,
    sell,
    set_hand,
    stage,
    with_cost,
)
from seven_wonders_env import GAME
from seven_wonders_env.data.tables import SIDE_NAMES, compile_table, cost_word
from seven_wonders_env.rules.payment import NONE, cheapest_payment, count_payments, frontier, payment_right
from seven_wonders_env.state import ITEMS, KINDS, MANUFACTURED, MAX_PAYMENT, MAX_STAGES, RAW

Pairs = list[tuple[int, int]]

PAIRS = 6_000  # (city, cost) pairs against the referee
SMALL_PAIRS = 2_000  # and against all orders of all symbols
SCRATCH = KIND["palace"]  # the card that gets the random costs; it stands in no city
POSTS = [KIND[name] for name in ("east_trading_post", "west_trading_post", "marketplace")]
MAKERS = [kind for kind, card in enumerate(CARDS) if symbols_of(card["effects"])]


@entry
def _payments(games, index, tables, seat, item, out):
    """Coins to the right for every number of coins to the left into `out`; how many there are, and the cheapest."""
    word = frontier(games[index], tables[0], seat, item)
    for to_left in range(MAX_PAYMENT + 1):
        out[to_left] = payment_right(word, to_left)
    return count_payments(word), cheapest_payment(word)


def kernel_payments(game: Table, seat: int, item: int) -> tuple[Pairs, int]:
    """(the pairs that the kernel offers, coins to the left of its cheapest)."""
    out = np.zeros(MAX_PAYMENT + 1, np.int64)
    count, best = _payments(game.games, 0, game.tables, seat, item, out)
    pairs = [(to_left, int(right)) for to_left, right in enumerate(out) if right != NONE]
    assert count == len(pairs)
    return pairs, int(best)


def with_prices(full: int, reduced: int) -> dict[str, Any]:
    table = copy.deepcopy(TABLE)
    table["rules"].update(resource_price=full, discount_price=reduced)
    return table


TABLES = {(2, 1): TABLE, (1, 1): with_prices(1, 1), (3, 1): with_prices(3, 1), (1, 2): with_prices(1, 2)}


class Market:
    """The same random cities, to the kernel and to the referee."""

    def __init__(self, rng: random.Random, prices: tuple[int, int], richness: float) -> None:
        table = copy.deepcopy(TABLE)
        table["rules"].update(resource_price=prices[0], discount_price=prices[1])
        # Costs of the printed cards may be more than a payment holds at such prices; only SCRATCH is paid for here.
        self.players = rng.choice((3, 3, 4, 5))
        self.seat = rng.randrange(self.players)
        self.highest = max(prices)
        self.game = Table(GAME, self.players, seed=rng.randrange(1 << 32), sides="random")
        self.game.tables = self.game.tables.copy()
        self.game.tables["price"] = prices
        boards = [
            (text(self.game.tables[0]["board_id"][board // 2]), SIDE_NAMES[board % 2])
            for board in map(int, self.game.record["board"][: self.players])
        ]
        self.referee = Referee(table, boards, lambda age: [[] for _ in boards])
        for seat in range(self.players):
            self._furnish(rng, seat, richness)
        self.game.record["powers"] = 0  # everything has to be paid for

    def _furnish(self, rng: random.Random, seat: int, richness: float) -> None:
        game, tables, city = self.game.record, self.game.tables[0], self.referee.cities[seat]
        city.kinds = [kind for kind in MAKERS if rng.random() < richness]
        city.kinds += [kind for kind in POSTS if rng.random() < 0.5]
        for kind in city.kinds:
            add_building(game, tables, seat, kind)
        city.stages_built = rng.randint(0, len(city.stages))
        for _ in range(city.stages_built):
            add_stage(game, tables, seat)
        city.coins = rng.choice((rng.randint(0, 6), rng.randint(0, 20)))
        game["coins"][seat] = city.coins

    def random_cost(self, rng: random.Random) -> dict[str, Any]:
        """1 to 7 units, as many as a payment holds; sometimes coins to the bank."""
        goods = rng.choice(
            ([*RAW, *MANUFACTURED], RAW, RAW, MANUFACTURED, rng.sample([*RAW, *MANUFACTURED], 2))
        )
        cost: dict[str, int] = {}
        for _ in range(rng.randint(1, min(7, MAX_PAYMENT // self.highest))):
            resource = rng.choice(goods)
            cost[resource] = cost.get(resource, 0) + 1
        return {"cost": cost, "cost_coins": rng.choice((0, 0, 1, 3))}

    def put_price(self, thing: dict[str, Any]) -> None:
        self.game.tables[0]["need"][SCRATCH] = cost_word(thing["cost"])
        self.game.tables[0]["bank"][SCRATCH] = thing["cost_coins"]

    def brute_force(self, thing: dict[str, Any]) -> Pairs:
        """The undominated pairs that the seat can afford."""
        return self.referee.ways_to_pay_cost(self.seat, thing)  # type: ignore[no-any-return]


@pytest.mark.parametrize("prices", TABLES)
def test_payments_against_the_referee(prices: tuple[int, int]) -> None:
    """Legality, the whole set of undominated affordable pairs, and the cheapest with its tie rule."""
    rng = random.Random(sum(prices) * 100 + prices[0])
    seen: set[int] = set()
    ties = bought_dear = 0
    for number in range(PAIRS // len(TABLES) // 8):
        market = Market(rng, prices, richness=(0.08, 0.2, 0.35)[number % 3])
        set_hand(market.game.record, market.seat, [SCRATCH])
        for _ in range(8):
            thing = market.random_cost(rng)
            market.put_price(thing)
            expected = market.brute_force(thing)
            pairs, best = kernel_payments(market.game, market.seat, SCRATCH)
            assert pairs == expected, thing
            assert (build("palace") in market.game.legal(market.seat)) == bool(expected)
            if expected:
                assert (best, dict(pairs)[best]) == cheapest(expected)
                totals = sorted(map(sum, expected))
                ties += totals.count(totals[0]) > 1
                bought_dear += totals[0] != totals[-1]
            seen.add(len(expected))
    assert {0, 1, 2, 3} <= seen  # not payable, no choice, a choice
    assert ties > 20 and (bought_dear > 20 or prices == (1, 1))


def test_printed_items_against_the_referee() -> None:
    """Every card and stage at its own cost, in random cities."""
    rng = random.Random(4)
    for number in range(25):
        market = Market(rng, (2, 1), richness=(0.08, 0.2, 0.35)[number % 3])
        city = market.referee.cities[market.seat]
        for kind, card in enumerate(CARDS):
            assert kernel_payments(market.game, market.seat, kind)[0] == market.brute_force(card), card["id"]
        board = int(market.game.record["board"][market.seat])
        for index, thing in enumerate(city.stages):
            item = KINDS + board * MAX_STAGES + index
            assert kernel_payments(market.game, market.seat, item)[0] == market.brute_force(thing)
        set_hand(market.game.record, market.seat, [SCRATCH])
        stages_legal = stage("palace") in market.game.legal(market.seat)
        assert stages_legal == bool(city.next_stage() and market.brute_force(city.next_stage()))


def payments_by_permutations(
    units: list[str], symbols: list[tuple[tuple[str, ...], int, int]]
) -> set[tuple[int, int]]:
    """What every way of giving each unit a symbol of its own costs; a symbol: (makes, price left, price right)."""
    found = set()
    for taken in permutations(symbols, len(units)):
        if all(unit in makes for unit, (makes, _, _) in zip(units, taken, strict=True)):
            found.add((sum(left for _, left, _ in taken), sum(right for _, _, right in taken)))
    return found


def test_small_payments_against_all_permutations() -> None:
    """A third opinion, which shares not even the idea of the referee's search."""
    rng = random.Random(11)
    goods = {**dict.fromkeys(RAW, "raw"), **dict.fromkeys(MANUFACTURED, "manufactured")}
    payable = done = 0
    while done < SMALL_PAIRS:
        market = Market(rng, (2, 1), richness=0.06)
        own, left, right = market.referee.with_neighbours(market.seat)
        offers = [
            (own.own_symbols(), None),
            (left.symbols_for_sale(), "left"),
            (right.symbols_for_sale(), "right"),
        ]
        if not 4 <= sum(len(symbols) for symbols, _ in offers) <= 8:
            continue
        for _ in range(6):
            thing = market.random_cost(rng)
            units = [resource for resource, number in thing["cost"].items() for _ in range(number)]
            units = units[: rng.randint(1, 4)]
            thing["cost"] = {resource: units.count(resource) for resource in units}
            symbols = []
            for made, side in offers:
                for symbol in made:
                    price = 0
                    if side:
                        price = 1 if own.has_discount(goods[symbol[0]], side) else 2
                    symbols.append((symbol, price if side == "left" else 0, price if side == "right" else 0))
            budget = own.coins - thing["cost_coins"]
            found = {pair for pair in payments_by_permutations(units, symbols) if sum(pair) <= budget}
            wanted = sorted(
                pair
                for pair in found
                if not any(x <= pair[0] and y <= pair[1] and (x, y) != pair for x, y in found)
            )
            market.put_price(thing)
            pairs, best = kernel_payments(market.game, market.seat, SCRATCH)
            assert pairs == wanted, (thing, symbols)
            if wanted:
                assert (best, dict(pairs)[best]) == min(wanted, key=lambda pair: (sum(pair), pair[0]))
                payable += 1
            done += 1
    assert payable > SMALL_PAIRS // 4


@pytest.mark.parametrize("me", range(4))
def test_every_offered_payment_moves_exactly_its_coins(me: int) -> None:
    """Through whole turns: who asks is who has a choice, and what is chosen (or cheapest) is what is paid."""
    rng = random.Random(me)
    left, right = around(me, 4)
    asked = 0
    for _ in range(60):
        cost = {
            resource: rng.randint(1, 2) for resource in rng.sample([*RAW, *MANUFACTURED], rng.randint(1, 3))
        }
        position: dict[str, Any] = {
            "players": 4,
            "table": with_cost("palace", cost),
            "hands": {me: ["palace"]},
            "cities": {
                me: [CARDS[kind]["id"] for kind in POSTS if rng.random() < 0.4],
                left: [CARDS[kind]["id"] for kind in MAKERS if rng.random() < 0.3],
                right: [CARDS[kind]["id"] for kind in MAKERS if rng.random() < 0.3],
            },
            "coins": {me: rng.randint(0, 14)},
        }
        game = KernelPosition(payments="choose", **position)
        if not game.can(me, build("palace")):
            continue
        pairs, best = kernel_payments(game, me, SCRATCH)
        others = {seat: sell(game.hand(seat)[0]) for seat in range(4) if seat != me}
        coins = game.coins
        game.play({me: build("palace"), **others})
        assert (game.phase == "pay") == (len(pairs) > 1)
        options: list[tuple[Table, tuple[int, int]]] = [(game, pairs[0])]
        if game.phase == "pay":
            asked += 1
            assert game.deciders() == [me] and game.legal(me) == [pay(to_left) for to_left, _ in pairs]
            options.clear()
            for pair in pairs:
                other = game.copy()
                other.step({me: pay(pair[0])})
                options.append((other, pair))
        cheap = KernelPosition(payments="cheapest", **position).play({me: build("palace"), **others})
        options.append((cheap, (best, dict(pairs)[best])))
        for after, (to_left, to_right) in options:
            change = {seat: int(after.record["coins"][seat]) - coins[seat] for seat in range(4)}
            assert change[me] == -to_left - to_right
            assert change[left] == 3 + to_left and change[right] == 3 + to_right
            assert change[(me + 2) % 4] == 3
    assert asked > 10


def test_a_whole_palace_may_be_bought_on_either_side() -> None:
    """One unit of everything, all from the neighbours: the coins to the left run from 0 to 14."""
    everything = ["mine", "tree_farm", "timber_yard", "clay_pit", "loom_1", "glassworks_1", "press_1"]
    position: dict[str, Any] = {
        "boards": {0: EPHESOS},
        "hands": {0: ["palace"]},
        "cities": {1: everything, 2: everything},
        "coins": {0: 14},
        "payments": "choose",
        "age": 3,
    }
    game = KernelPosition(**position)
    assert game.can(0, build("palace"))
    game.record["own"][0] = 0  # as if Ephesos made no papyrus
    game.play({0: build("palace")})
    assert game.legal(0) == [pay(to_left) for to_left in range(0, 15, 2)]
    for to_left in range(0, 15, 2):
        other = game.copy()
        other.step({0: pay(to_left)})
        assert int(other.record["coins"][0]) == 0 and int(other.record["coins"][1]) == 3 + 3 + to_left


def test_never_more_than_twelve_payments() -> None:
    """The most payments that any printed card or stage ever offers, with neighbours who sell everything."""
    rng = random.Random(5)
    everything = [CARDS[kind]["id"] for kind in MAKERS]
    most = 0
    for wonder in TABLE["wonders"]:
        for posts in range(1 << len(POSTS)):
            own = [CARDS[kind]["id"] for bit, kind in enumerate(POSTS) if posts >> bit & 1]
            own += rng.choice(([], rng.sample(everything, 2)))
            game = KernelPosition(
                boards={0: (wonder["id"], "night")},
                cities={0: own, 1: everything, 2: everything},
                coins={0: 99},
            )
            for start in (True, False):
                if not start:
                    game.record["own"][0] = 0  # as if the board made nothing
                for item in range(ITEMS):
                    pairs, _ = kernel_payments(game, 0, item)
                    assert all(0 <= right <= MAX_PAYMENT for _, right in pairs)
                    assert [right for _, right in pairs] == sorted(
                        {right for _, right in pairs}, reverse=True
                    )
                    most = max(most, len(pairs))
    assert most == 12


def test_costs_are_words_that_add_up() -> None:
    """A cost's bytes, subset by subset, against counting."""
    cost = {"wood": 2, "ore": 1, "papyrus": 3}
    data = cost_word(cost).astype("<u8").view("u1")
    for subset in range(16):
        units = sum(cost.get(name, 0) for bit, name in enumerate(RAW) if subset >> bit & 1)
        assert data[subset] == 128 - units
    for subset in range(8):
        units = sum(cost.get(name, 0) for bit, name in enumerate(MANUFACTURED) if subset >> bit & 1)
        assert data[16 + subset] == 128 - units
    assert compile_table(TABLE)[0]["need"][SCRATCH].tolist() == cost_word(CARDS[SCRATCH]["cost"]).tolist()
