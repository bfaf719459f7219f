"""The referee on its own: its numbers of actions, what it refuses, its payments against an inequality.

The rulings are tried on it together with the kernels, and random games in test_against_referee.py.
"""

from __future__ import annotations

import copy
from itertools import product
from typing import Any

import pytest

from referees.stone_age import Referee
from referees.stone_age_actions import (
    ACTIONS,
    CLAY,
    FIELD,
    FOREST,
    GOLD,
    HUNT,
    HUT,
    NUMBER,
    RIVER,
    STONE,
    TOOL_MAKER,
    WAIT,
    WOOD,
    card_spot,
    pile_place,
)
from referees.stone_age_payment import all_payments
from stone_age.positions import SPOTS, TABLE

DECK = list(range(36))
TILES = [number for number, tile in enumerate(TABLE["tiles"]) for _ in range(tile["copies"])]
PILES = [TILES[7 * pile : 7 * pile + 7] for pile in range(4)]


def ones(rounds, seat, place, number):
    """Dice that all show 1."""
    return [1] * number


def new_game(players=2, *, table=TABLE, roll=ones, **options):
    return Referee(table, players, DECK, PILES, roll, **options)


def test_every_action_has_one_number() -> None:
    assert len(ACTIONS) == len(NUMBER) == 158
    expected = {
        ("wait",): 0,
        ("place", TOOL_MAKER, 1): 1,
        ("place", FIELD, 1): 2,
        ("place", HUT, 2): 3,
        ("place", FOREST, 1): 4,
        ("place", RIVER, 7): 31,
        ("place", HUNT, 10): 41,
        ("place", card_spot(1), 1): 42,
        ("place", pile_place(3), 1): 49,
        ("resolve", TOOL_MAKER): 50,
        ("resolve", HUNT): 57,
        ("buy", 1): 58,
        ("decline card", 4): 65,
        ("build", 0, 1): 66,
        ("build", 2, 5): 84,
        ("build", 3, 7): 93,
        ("decline tile", 0): 94,
        ("cash", WOOD, WOOD): 98,
        ("cash", WOOD, GOLD): 101,
        ("cash", CLAY, CLAY): 102,
        ("cash", STONE, STONE): 105,
        ("cash", GOLD, GOLD): 107,
        ("no more tools",): 108,
        ("tool", 1): 109,
        ("one-use tool", 4): 116,
        ("die", 1): 117,
        ("feed",): 123,
        ("go hungry",): 124,
        ("pay", WOOD, 0): 125,
        ("pay", CLAY, 0): 136,
        ("pay", STONE, 10): 157,
    }
    assert {words: NUMBER[words] for words in expected} == expected


def test_ranks() -> None:
    game = new_game(4)
    for player, (points, agriculture) in zip(game.players, [(5, 1), (9, 0), (5, 1), (5, 2)], strict=True):
        player.points["buildings"], player.agriculture = points, agriculture
    assert game.ranks() == [3, 1, 3, 2]
    assert [sheet["tiebreak"] for sheet in game.score()] == [6, 5, 6, 7]


def test_illegal_steps_raise_and_change_nothing() -> None:
    game = new_game()
    before = game.state()
    for actions in (
        {},
        {0: WAIT},
        {1: WAIT},
        {0: NUMBER["resolve", HUNT]},
        {0: NUMBER["place", HUNT, 6]},
        {0: NUMBER["place", HUNT, 1], 1: WAIT},
        {0: -1},
        {0: 158},
    ):
        with pytest.raises(ValueError, match="seat"):
            game.step(actions)
        assert game.state() == before
    for wrong in ({"players": 5}, {"players": 1}, {"start": 2}, {"max_rounds": 0}):
        with pytest.raises(ValueError, match=r"players|seat|round"):
            new_game(**wrong)
    with pytest.raises(ValueError, match="deck"):
        Referee(TABLE, 2, DECK[1:], PILES, ones)
    for too_few in (PILES[:1], [PILES[0], []]):
        with pytest.raises(ValueError, match="pile"):
            Referee(TABLE, 2, DECK, too_few, ones)


@pytest.mark.parametrize(
    ("where", "wrong"),
    [
        ("top", {"kind": "steal"}),
        ("top", {"kind": "resource", "resource": "food", "n": 1}),
        ("bottom", {"person": "king", "figures": 1}),
    ],
)
def test_unknown_words_in_the_table_are_refused(where: str, wrong: dict[str, Any]) -> None:
    table = copy.deepcopy(TABLE)
    table["cards"][0][where] = wrong
    with pytest.raises(ValueError, match="unknown"):
        new_game(table=table)


def can_be_completed(pieces_left, kinds_left, later_stocks):
    """Whether so many pieces can be paid in exactly so many of the kinds that are still to come."""
    if kinds_left is None:
        return 0 <= pieces_left <= sum(later_stocks)
    if kinds_left < 0:
        return False
    if kinds_left == 0:
        return pieces_left == 0
    largest = sorted(later_stocks, reverse=True)[:kinds_left]
    return len(largest) == kinds_left and min(largest) > 0 and kinds_left <= pieces_left <= sum(largest)


@pytest.mark.parametrize("kinds", [None, 1, 2, 3, 4])
def test_payments_are_those_of_the_inequality(kinds: int | None) -> None:
    for stock in product(range(5), repeat=4):
        for number in (1, 4, 5, 7):
            ways = all_payments(stock, number, kinds)
            assert bool(ways) == can_be_completed(number, kinds, stock)
            first = {way[0] for way in ways}
            assert first == {
                x
                for x in range(min(stock[0], number) + 1)
                if can_be_completed(number - x, None if kinds is None else kinds - (x > 0), stock[1:])
            }


def test_numbers_of_payments() -> None:
    # Facts that do not depend on how they are found: C(n+3, 3) ways for n free pieces, and those of exact kinds.
    assert [len(all_payments([10] * 4, n)) for n in range(1, 11)] == [
        4,
        10,
        20,
        35,
        56,
        84,
        120,
        165,
        220,
        286,
    ]
    assert [len(all_payments([9] * 4, 4, kinds)) for kinds in range(1, 5)] == [4, 18, 12, 1]
    assert [len(all_payments([9] * 4, 5, kinds)) for kinds in range(1, 5)] == [4, 24, 24, 4]


# --- dice ---


def hunting(roll, people):
    game = new_game(roll=roll)
    player = game.players[0]
    player.people = 10
    player.placed[HUNT], player.in_hand = people, 10 - people
    for place, there in SPOTS.items():
        player.placed[place] = there
    game.queue = game.clockwise_from(0)
    game._next_to_resolve()
    return game


def test_one_die_for_each_person_is_asked_for() -> None:
    asked = []

    def roll(*what: int) -> list[int]:
        asked.append(what)
        return [1, 2, 3, 4, 5, 6, 1, 3]

    game = hunting(roll, 8)
    game.step({0: NUMBER["resolve", HUNT]})
    assert asked == [(0, 0, HUNT, 8)] and game.players[0].food == 12 + 12


@pytest.mark.parametrize("faces", [[1, 2], [1, 2, 7], [0, 1, 2]])
def test_dice_that_cannot_be(faces: list[int]) -> None:
    with pytest.raises(ValueError, match="dice"):
        hunting(lambda *what: faces, 3).step({0: NUMBER["resolve", HUNT]})


def test_nobody_steps_when_the_game_is_over() -> None:
    game = new_game(max_rounds=1)
    while not game.over:
        game.step({game.decider(): game.legal(game.decider())[0]})
    with pytest.raises(ValueError, match="over"):
        game.step({0: WAIT})
