"""Redrawn worlds of 7 Wonders against all worlds: each that agrees with what was seen comes out, and equally often."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from operator import sub
from typing import Any

import pytest

from antiquity.testing.table import Table
from seven_wonders.worlds import (
    OTHERWISE_NOW,
    PICKING,
    Played,
    all_worlds,
    card_tables,
    holder,
    number_of_worlds,
    picked,
    redrawn,
    split,
)
from seven_wonders_env.state import (
    BUILD,
    GUILD_START,
    KINDS,
    NO_CARD,
    PAY,
    PICK,
    SELL,
    TURNS,
)


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return card_tables(tmp_path_factory.mktemp("tables"))


def identity(world: Any) -> bytes:
    world = world.copy()
    world["seed"] = 0
    world["chosen"] = 0
    return bytes(world.tobytes())


def picked_and_sold(world: Any) -> int:
    """How many cards of kinds that were picked have been sold."""
    kinds = {int(pick) - 1 for pick in world["picks"] if pick}
    cards = [split(int(action)) for action in world["history"].flat if action]
    return sum(kind in kinds and use == SELL for kind, use in cards)


def deviation(expected: Counter[bytes], drawn: Counter[bytes]) -> float:
    """Of the counts from what is expected, as a standard normal deviate (chi-squared, Wilson-Hilferty)."""
    freedom = len(expected) - 1
    draws, total = sum(drawn.values()), sum(expected.values())
    squares: float = sum(
        (drawn[key] - draws * n / total) ** 2 / (draws * n / total) for key, n in expected.items()
    )
    variance = 2 / (9 * freedom)
    return (math.cbrt(squares / freedom) - 1 + variance) / math.sqrt(variance)


def found_nothing(table: Table) -> bool:
    """The picking seat (0) has a stage without a pick, though cards were in the pile."""
    stages = int(table.record["built"][0, 7])
    return stages > 0 and table.record["phase"] != PICK and not table.record["picks"][:stages].all()


SITUATIONS: dict[str, tuple[Callable[[Table], bool], str, bool]] = {
    # name: (which positions, card table, whether seat 0, the picker, looks)
    "no picks": (lambda t: not picked(t) and t.record["built"][0, 7] == 0, "second edition", False),
    "payments": (lambda t: bool(t.record["phase"] == PAY), "second edition", False),
    "after a pick": (picked, "second edition", False),
    "after a pick, few kinds": (picked, "few kinds", False),
    "after the own pick": (picked, "second edition", True),
    "after the own pick, few kinds": (picked, "few kinds", True),
    "at the own pick": (lambda t: bool(t.record["phase"] == PICK), "second edition", True),
    "another picks": (lambda t: bool(t.record["phase"] == PICK), "few names", False),
    "nothing to pick": (found_nothing, "few names", False),
    "nothing to pick oneself": (found_nothing, "few names", True),
}


SEEDS: dict[str, tuple[int, ...]] = {"another picks": (157, 293, 319)}
"""Games in which a situation is known to come up, where it is so rare that looking for it takes a minute."""


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_world_comes_out(situation: str, cards: dict[str, str]) -> None:
    """Small positions of three players: the redrawn worlds are all that agree with what was seen, equally likely."""
    fits, table_name, picker_looks = SITUATIONS[situation]
    wanted = {"another picks": 3, "after a pick, few kinds": 4}.get(situation, 6)
    looked_at = 0
    most = 0.0
    for seed in SEEDS.get(situation, itertools.count()):
        game = Played(
            3, seed, (0.75, 0.75), coins=30, sides="night", boards=PICKING[:3], cards=cards[table_name]
        )
        for table in game.positions():
            if table.record["age"] == 2:
                break
            if not fits(table):
                continue
            seat = 0 if picker_looks else game.rng.randrange(1, 3)
            if not 20 <= number_of_worlds(table, seat) <= 800:
                continue
            judged = [(game.same_for(seat, world), world) for world in all_worlds(table, seat)]
            worlds = [world for fault, world in judged if fault == ""]
            if situation == "another picks" and all(fault != OTHERWISE_NOW for fault, _ in judged):
                continue  # the pile offers a card in every world
            if (
                situation == "after a pick, few kinds"
                and len({picked_and_sold(world) for world in worlds}) == 1
            ):
                continue  # the cards that may have been picked are equally many in all worlds
            expected = Counter(map(identity, worlds))
            drawn = Counter(
                identity(redrawn(table, seat, number).record) for number in range(300 * len(expected))
            )
            assert drawn.keys() == expected.keys()
            if len(expected) > 1:
                most = max(most, deviation(expected, drawn))
                looked_at += 1
        if looked_at >= wanted:
            break
    assert looked_at >= wanted and most < 4


def looks(table: Table, seat: int) -> dict[tuple[int, ...], list[tuple[int, bool]]]:
    """Hidden cards of Age I by what the seat knows of them, as (kind, whether it lies in the discard).

    The seat knows which cards were in a hand at its last look before they were taken, or left, as (hand, turn) says;
    all cards taken before its first look, or never seen, are one lot: ().
    """
    game, n = table.record, table.num_players
    lots: dict[tuple[int, ...], list[tuple[int, bool]]] = {}
    for hand in range(n):
        lot: tuple[int, ...] = ()
        for turn in range(TURNS + 1):
            other = holder(n, 0, hand, turn)
            action = int(game["history"][0, turn, other])
            if action == 0:
                other = holder(n, 0, hand, int(game["turn"]))
                if other != seat:
                    lots.setdefault(lot, []).extend(
                        (int(k), False) for k in game["hands"][other] if k != NO_CARD
                    )
                break
            kind, use = split(action)
            if other == seat:
                lot = (hand, turn)
            elif use != BUILD:
                lots.setdefault(lot, []).append((kind, use == SELL))
    return lots


def expected_in_pile(lots: list[list[tuple[int, bool]]]) -> dict[tuple[int, int], float]:
    """Expected cards of each (lot, kind) in the discard; all deals with the same cards in it are equally likely."""
    kinds = sorted({kind for lot in lots for kind, piled in lot if piled})
    pile = tuple(sum(lot.count((kind, True)) for lot in lots) for kind in kinds)
    have = [[sum(card[0] == kind for card in lot) for kind in kinds] for lot in lots]
    size = [sum(piled for _, piled in lot) for lot in lots]

    @cache
    def deals(first: int, left: tuple[int, ...]) -> int:
        """In how many ways the lots from ``first`` on can have put the cards that are left into the discard."""
        if first == len(lots):
            return int(not any(left))
        return sum(ways * deals(first + 1, tuple(map(sub, left, part))) for part, ways in parts(first, left))

    def parts(lot: int, left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        for part in itertools.product(*(range(min(pair) + 1) for pair in zip(have[lot], left, strict=True))):
            if sum(part) == size[lot]:
                yield part, math.prod(map(math.comb, have[lot], part))

    expected: Counter[tuple[int, int]] = Counter()
    reached = {pile: 1}
    total = deals(0, pile)
    for lot in range(len(lots)):
        after: Counter[tuple[int, ...]] = Counter()
        for left, ways_here in reached.items():
            for part, ways in parts(lot, left):
                rest = tuple(map(sub, left, part))
                after[rest] += ways_here * ways
                for kind, number in zip(kinds, part, strict=True):
                    expected[lot, kind] += number * ways_here * ways * deals(lot + 1, rest)
        reached = dict(after)
    return {key: value / total for key, value in expected.items()}


@pytest.mark.parametrize("n", [5, 7])
def test_a_pile_once_seen_is_divided_fairly(n: int, cards: dict[str, str]) -> None:
    """At its own pick a seat sees the whole discard, and cannot tell which card of it came from which hand."""
    draws, looked_at, most = 400, 0, 0.0
    for seed in itertools.count():
        game = Played(n, seed, (0.4, 0.2), 30, sides="night", boards=PICKING[:n], cards=cards["few kinds"])
        table = next(t for t in game.positions() if t.record["phase"] == PICK or t.record["age"] == 1)
        lots = looks(table, 0)
        if table.record["age"] == 1 or sum(piled for lot in lots.values() for _, piled in lot) < 2 * n:
            continue
        expected = expected_in_pile(list(lots.values()))
        sums: Counter[tuple[int, int]] = Counter()
        squares: Counter[tuple[int, int]] = Counter()
        for number in range(draws):
            for lot, some in enumerate(looks(redrawn(table, 0, number), 0).values()):
                for kind, count in Counter(kind for kind, piled in some if piled).items():
                    sums[lot, kind] += count
                    squares[lot, kind] += count**2
        for key, mean in expected.items():
            variance = squares[key] / draws - (sums[key] / draws) ** 2
            if variance == 0:
                assert sums[key] / draws == pytest.approx(mean, abs=0.02)
            else:
                most = max(most, abs(sums[key] / draws - mean) / math.sqrt(variance / draws))
        looked_at += 1
        if looked_at >= 5:
            break
    assert most < 4.5


def test_every_choice_of_guilds_comes_out() -> None:
    """At the start of Age III nothing is known of the guilds but that n + 2 of them are in play."""
    game = Played(3, 1, (0.0, 0.9))
    table = next(table for table in game.positions() if table.record["age"] == 2)
    own = {int(kind) for kind in table.record["hands"][0] if GUILD_START <= kind < KINDS}
    guilds = {int(kind) for kind in table.tables[0]["guilds"][: int(table.tables[0]["guild_count"])]}
    expected = Counter(
        {
            bytes(sorted(own | set(more))): 1
            for more in itertools.combinations(sorted(guilds - own), 5 - len(own))
        }
    )
    drawn: Counter[bytes] = Counter()
    for number in range(100 * len(expected)):
        hands = redrawn(table, 0, number).record["hands"]
        drawn[bytes(sorted(int(kind) for kind in hands.flat if GUILD_START <= kind < KINDS))] += 1
    assert drawn.keys() == expected.keys()
    assert deviation(expected, drawn) < 4
