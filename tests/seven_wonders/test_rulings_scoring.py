"""The rulings on 7 Wonders: points, decks, starting resources and ranks (numbers 23 to 29).

See test_rulings_paying.py.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from antiquity.testing import Table
from seven_wonders.positions import (
    ALEXANDRIA,
    BABYLON,
    CARDS,
    EACH_SEAT,
    EPHESOS,
    GIZAH,
    HALIKARNASSOS,
    OLYMPIA,
    TABLE,
    around,
    night,
)
from seven_wonders.referee_positions import Side
from seven_wonders_env import GAME
from seven_wonders_env.data.tables import read_table
from seven_wonders_env.state import MANUFACTURED, POWERS, RAW

STARTING_RESOURCES = {
    "alexandria": "glass",
    "babylon": "wood",
    "ephesos": "papyrus",
    "gizah": "stone",
    "halikarnassos": "loom",
    "olympia": "clay",
    "rhodos": "ore",
}


@EACH_SEAT
def test_ruling_23_scientists_guild(position: Side, me: int) -> None:
    """The choice symbol becomes the best of the three; squares and sets both count."""
    game = position(cities={me: ["apothecary", "dispensary", "workshop", "scientists_guild"]})
    assert game.points(me, "science") == 4 + 1 + 1 + 7 and game.science(me) == [2, 1, 0, 1]
    two = position(boards={me: BABYLON}, stages={me: 2}, cities={me: ["apothecary", "scientists_guild"]})
    assert two.points(me, "science") == 1 + 1 + 1 + 7  # two choices fall on different symbols
    many = position(
        boards={me: BABYLON},
        stages={me: 2},
        cities={me: ["apothecary", "dispensary", "lodge", "workshop", "scientists_guild"]},
    )
    assert many.points(me, "science") == max(25 + 1, 16 + 4, 9 + 9, 16 + 1 + 1 + 7, 9 + 4 + 1 + 7)
    plain = position(cities={me: ["workshop", "laboratory", "study", "scriptorium", "school", "apothecary"]})
    assert plain.points(me, "science") == 21  # the example of the rules document: 3, 2, 1


@EACH_SEAT
def test_ruling_24_several_guilds(position: Side, me: int) -> None:
    """All guild cards score."""
    left, right = around(me)
    game = position(
        cities={
            me: ["workers_guild", "traders_guild"],
            left: ["lumber_yard", "quarry", "tavern"],
            right: ["ore_vein", "bazar"],
        }
    )
    assert game.points(me, "guilds") == 3 + 2


@EACH_SEAT
def test_ruling_25_whose_cards_a_guild_counts(position: Side, me: int) -> None:
    """Neighbours only; three cities for stages; own brown, grey and purple; 7 for the complete wonder alone."""
    left, right = around(me)
    green = ["apothecary", "workshop", "scriptorium", "school"]
    game = position(cities={me: ["philosophers_guild", *green], left: green[:2], right: green[:1]})
    assert game.points(me, "guilds") == 3
    game = position(cities={me: ["builders_guild"]}, stages={me: 2, left: 1, right: 3})
    assert game.points(me, "guilds") == 6
    own = ["shipowners_guild", "scientists_guild", "lumber_yard", "quarry", "mine", "press_1"]
    assert position(cities={me: own, left: own[2:]}).points(me, "guilds") == 6
    for stages, points in ((2, 0), (3, 7)):
        assert position(cities={me: ["decorators_guild"]}, stages={me: stages}).points(me, "guilds") == points
    for board, size in ((night(GIZAH), 4), (night(BABYLON), 2)):
        for stages in range(size + 1):
            game = position(boards={me: board}, cities={me: ["decorators_guild"]}, stages={me: stages})
            assert game.points(me, "guilds") == (7 if stages == size else 0)


@EACH_SEAT
def test_ruling_25_the_other_guilds(position: Side, me: int) -> None:
    left, right = around(me)
    cities = {
        left: ["loom_1", "press_1", "altar", "well", "stockade"],
        right: ["glassworks_1", "palace", "walls", "barracks"],
    }
    for name, points in (("craftsmens_guild", 2 * 3), ("magistrates_guild", 3), ("spies_guild", 3)):
        own = ["loom_2", "theater", "castrum"]  # never counted
        assert position(cities={**cities, me: [name, *own]}).points(me, "guilds") == points, name


@pytest.mark.parametrize("players", range(3, 8))
def test_ruling_26_cards_per_player_count(players: int) -> None:
    """Cards whose number is at most n, 7n an Age; in Age III n+2 random guilds among them."""
    guilds_seen = set()
    for seed in range(30):
        game = Table(GAME, players, seed=seed)
        for age in (1, 2, 3):
            dealt = Counter(int(kind) for kind in game.record["hands"][:players].ravel())
            assert sum(dealt.values()) == 7 * players
            guilds = {kind for kind in dealt if CARDS[kind]["colour"] == "purple"}
            assert len(guilds) == (players + 2 if age == 3 else 0)
            assert all(dealt[kind] == 1 for kind in guilds)
            wanted = {
                kind: sum(least <= players for least in card["copies"])
                for kind, card in enumerate(TABLE["cards"])
                if card["age"] == age
            }
            assert {kind: count for kind, count in dealt.items() if kind not in guilds} == {
                kind: count for kind, count in wanted.items() if count
            }
            if age == 3:
                guilds_seen |= guilds
                break
            while game.record["age"] == age - 1:
                game.step({seat: game.legal(seat)[-1] for seat in game.deciders()})
    assert len(guilds_seen) == 10  # each of them is drawn at times


def test_ruling_26_two_marks_are_two_copies() -> None:
    """'3+ 5+': one copy from three players on and a second from five."""
    assert next(card for card in CARDS if card["id"] == "stone_pit")["copies"] == [3, 5]
    copies = []
    for players in range(3, 8):
        hands = Table(GAME, players).record["hands"]
        copies.append(int(np.count_nonzero(hands[:players] == 1)))
    assert CARDS[1]["id"] == "stone_pit" and copies == [1, 1, 2, 2, 2]


def test_ruling_27_starting_resources(position: Side) -> None:
    """The resource at the top left of the board: each of the seven once, to use and to sell."""
    assert sorted(STARTING_RESOURCES.values()) == sorted([*RAW, *MANUFACTURED])
    for side in ("day", "night"):
        for wonder, resource in STARTING_RESOURCES.items():
            game = position(boards={0: (wonder, side)})
            made = {resource: 1, "any raw" if resource in RAW else "any manufactured": 1}
            assert game.makes(0) == game.makes(0, for_sale=True) == made


def test_ruling_28_ranks(position: Side) -> None:
    """More coins wins a tie; still equal is shared."""

    def ranks(coins: tuple[int, ...]) -> list[int]:
        totals = (50, 50, 40, 40)
        tokens = {seat: (total - coins[seat] // 3, 0) for seat, total in enumerate(totals)}
        game = position(players=4, coins=dict(enumerate(coins)), tokens=tokens)
        assert tuple(game.points(seat, "total") for seat in range(4)) == totals
        assert tuple(game.points(seat, "tiebreak") for seat in range(4)) == coins
        return game.ranks()

    assert ranks((4, 7, 1, 1)) == [2, 1, 3, 3]
    assert ranks((7, 7, 1, 1)) == [1, 1, 3, 3]


@EACH_SEAT
def test_ruling_29_no_board_copies_a_guild(position: Side, me: int) -> None:
    """No power of the rules does so; Olympia's night side has the first and the last card of an Age instead."""
    stages = [each for wonder in TABLE["wonders"] for side in wonder["sides"] for each in side["stages"]]
    printed = {e["power"] for each in stages for e in each["effects"] if e["type"] == "power"}
    assert (
        printed
        == set(POWERS)
        == {
            "build_from_discard",
            "play_last_card",
            "first_card_of_each_colour_free",
            "first_card_of_each_age_free",
            "last_card_of_each_age_free",
        }
    )
    left, right = around(me)
    guilds = ["workers_guild", "spies_guild", "shipowners_guild"]
    game = position(
        boards={me: night(OLYMPIA)},
        stages={me: 3},
        cities={left: guilds, right: ["builders_guild"], me: ["lumber_yard"]},
    )
    assert game.points(me, "guilds") == 0
    assert game.points(me, "wonder") == 2 + 3 + 5


# What the rules document says beside the rulings.


def test_theater_is_worth_two_points_and_three_as_printed(position: Side) -> None:
    """The rules document says 2, the printed second edition 3."""
    assert position(cities={0: ["theater"]}).points(0, "civilian") == 2
    printed = read_table("second_edition_print")
    assert position(table=printed, cities={0: ["theater"]}).points(0, "civilian") == 3


@EACH_SEAT
def test_every_category_of_the_score_sheet(position: Side, me: int) -> None:
    """Stages, a third of the coins, tokens, blue, yellow, green and purple; the total is their sum."""
    left, right = around(me)
    game = position(
        boards={me: HALIKARNASSOS, left: ALEXANDRIA, right: EPHESOS},
        stages={me: 3},
        coins={me: 11},
        tokens={me: (4, 2)},
        cities={
            me: [
                "palace",
                "altar",
                "arena",
                "workshop",
                "laboratory",
                "decorators_guild",
                "walls",
                "lumber_yard",
            ],
            left: ["stockade"],
        },
    )
    expected = {
        "wonder": 10,
        "coins": 3,
        "military": 4 - 2,
        "civilian": 8 + 3,
        "commerce": 3,
        "science": 4,
        "guilds": 7,
    }
    assert {category: game.points(me, category) for category in GAME.categories} == expected
    assert game.points(me, "total") == sum(expected.values()) and game.points(me, "tiebreak") == 11


def test_science_over_all_distributions(position: Side) -> None:
    """Two choice symbols and up to four of each other: the choices fall as is best together."""
    green = (
        ["apothecary", "dispensary", "lodge", "academy"],
        ["workshop", "laboratory", "observatory", "study"],
        ["scriptorium", "library", "school", "university"],
    )
    for counts in itertools.product(range(5), repeat=3):
        names = [name for some, n in zip(green, counts, strict=True) for name in some[:n]]
        game = position(boards={0: BABYLON}, stages={0: 2}, cities={0: [*names, "scientists_guild"]})
        best = 0
        for first, second in itertools.product(range(3), repeat=2):
            c = list(counts)
            c[first] += 1
            c[second] += 1
            best = max(best, c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + 7 * min(c))
        assert game.points(0, "science") == best, counts
