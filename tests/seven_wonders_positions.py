"""Positions of 7 Wonders, written by hand into the record, for tests of the kernels.

Cards are named by their id in the table; seats that a position does not mention get a quiet city: a board whose
resource is a manufactured good, the day side, seven cards that cost nothing, three coins.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from antiquity.testing.table import Table
from seven_wonders_env import GAME
from seven_wonders_env.actions import card_action, payment_action
from seven_wonders_env.data.tables import compile_table, read_table
from seven_wonders_env.state import CHOOSE, GAME_DTYPE, HAND, KINDS, MAX_SEATS, MAX_STAGES, NO_CARD, PHASES

TABLE = read_table("second_edition")
CARDS = [*TABLE["cards"], *TABLE["guilds"]]
KIND = {card["id"]: kind for kind, card in enumerate(CARDS)}

Board = tuple[str, str]
ALEXANDRIA, BABYLON, EPHESOS, GIZAH, HALIKARNASSOS, OLYMPIA, RHODOS = (
    (wonder["id"], "day") for wonder in TABLE["wonders"]
)
QUIET = (EPHESOS, ALEXANDRIA, HALIKARNASSOS, OLYMPIA, GIZAH, RHODOS, BABYLON)
FREE_CARDS = ("altar", "well", "tavern", "stone_pit", "ore_vein", "clay_pool", "lumber_yard")
WAIT_ONLY = [0]
SEAT_FIELDS = [name for name in GAME_DTYPE.names or () if GAME_DTYPE[name].shape[:1] == (MAX_SEATS,)]
"""Fields of the record with one element for each seat, in order of the seats."""
EACH_SEAT = pytest.mark.parametrize("me", range(3))
"""What is true of a seat is true of every seat."""


def around(me: int, players: int = 3) -> tuple[int, int]:
    """The left and the right neighbour."""
    return (me + 1) % players, (me - 1) % players


def build(name: str) -> int:
    return card_action(KIND[name], "build")


def stage(name: str) -> int:
    return card_action(KIND[name], "stage")


def sell(name: str) -> int:
    return card_action(KIND[name], "sell")


def pay(to_left: int) -> int:
    return payment_action(to_left)


def night(board: Board) -> Board:
    return board[0], "night"


def with_cost(name: str, cost: Mapping[str, int], coins: int = 0) -> dict[str, Any]:
    """The table with another cost, and no chain, on one card."""
    table = copy.deepcopy(TABLE)
    [*table["cards"], *table["guilds"]][KIND[name]].update(cost=dict(cost), cost_coins=coins, free_from=[])
    return table


def add_item(game: Any, tables: Any, seat: int, item: int) -> None:
    """Give a city the lasting effects of a kind or stage, as the tables have them."""
    game["own"][seat] += tables["own"][item]
    game["sell"][seat] += tables["sell"][item]
    game["shields"][seat] += tables["shields"][item]
    game["science"][seat] += tables["science"][item]
    game["discounts"][seat] |= tables["discounts"][item]
    game["powers"][seat] |= tables["powers"][item]


def add_building(game: Any, tables: Any, seat: int, kind: int) -> None:
    game["city"][seat, kind // 64] |= np.uint64(1 << kind % 64)
    game["built"][seat, tables["colour"][kind]] += 1
    add_item(game, tables, seat, kind)


def add_stage(game: Any, tables: Any, seat: int) -> None:
    """The next stage of the seat's wonder."""
    number = int(game["built"][seat, 7])
    assert number < tables["stage_count"][game["board"][seat]]
    add_item(game, tables, seat, KINDS + int(game["board"][seat]) * MAX_STAGES + number)
    game["built"][seat, 7] += 1


def set_hand(game: Any, seat: int, kinds: Iterable[int]) -> None:
    hand = sorted(kinds)
    game["hands"][seat] = hand + [NO_CARD] * (HAND - len(hand))
    game["hand_size"][seat] = len(hand)


def kinds_built(game: Any, seat: int) -> list[int]:
    return [kind for kind in range(KINDS) if int(game["city"][seat, kind // 64]) >> kind % 64 & 1]


class Position(Table):
    """A game at the choice of cards.

    Args:
        boards: {seat: (wonder, side)}; the others are dealt from ``QUIET``.
        hands, cities: {seat: ids}. A hand not given is made of free cards; all hands end up equally long.
        stages, coins: {seat: number}.
        discard: ids in the pile.
        age, turn: from 1, as people count.
        table: the card table as plain data (see ``with_cost``).
    """

    def __init__(
        self,
        *,
        players: int = 3,
        boards: Mapping[int, Board] | None = None,
        hands: Mapping[int, Sequence[str]] | None = None,
        cities: Mapping[int, Sequence[str]] | None = None,
        stages: Mapping[int, int] | None = None,
        coins: Mapping[int, int] | None = None,
        discard: Sequence[str] = (),
        age: int = 1,
        turn: int = 1,
        payments: str = "cheapest",
        table: dict[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        given = dict(boards or {})
        taken = {wonder for wonder, _ in given.values()}
        rest = iter(board for board in QUIET if board[0] not in taken)
        dealt = [given.get(seat) or next(rest) for seat in range(players)]
        super().__init__(
            GAME,
            players,
            seed=seed,
            boards=[wonder for wonder, _ in dealt],
            sides=[side for _, side in dealt],
            payments=payments,
        )
        if table is not None:
            self.tables = compile_table(table)
        game, tables = self.record, self.tables[0]
        game["age"], game["turn"] = age - 1, turn - 1
        size = 8 - turn
        for seat in range(players):
            names = list((hands or {}).get(seat, FREE_CARDS))[:size]
            names += [name for name in FREE_CARDS if name not in names][: size - len(names)]
            set_hand(game, seat, [KIND[name] for name in names])
            for name in (cities or {}).get(seat, ()):
                add_building(game, tables, seat, KIND[name])
            for _ in range((stages or {}).get(seat, 0)):
                add_stage(game, tables, seat)
            game["coins"][seat] = (coins or {}).get(seat, 3)
        for name in discard:
            game["discard"][KIND[name]] += 1
        assert game["phase"] == CHOOSE

    def can(self, seat: int, action: int) -> bool:
        return action in self.legal(seat)

    def play(self, actions: Mapping[int, int] | None = None) -> Position:
        """One decision of all; those who are not mentioned sell the first card of their hand."""
        chosen = {
            seat: (actions or {}).get(seat) or card_action(int(self.record["hands"][seat, 0]), "sell")
            for seat in self.deciders()
        }
        assert set(actions or {}) <= set(chosen)
        self.step(chosen)
        return self

    @property
    def phase(self) -> str:
        return "over" if self.over else PHASES[int(self.record["phase"])]

    @property
    def when(self) -> tuple[int, int]:
        """(Age, turn), from 1."""
        return int(self.record["age"]) + 1, int(self.record["turn"]) + 1

    @property
    def coins(self) -> list[int]:
        return [int(number) for number in self.record["coins"][: self.num_players]]

    @property
    def tokens(self) -> list[tuple[int, int]]:
        """(points of victory tokens, number of defeat tokens) of each seat."""
        game = self.record
        return [(int(game["victory"][s]), int(game["defeats"][s])) for s in range(self.num_players)]

    def hand(self, seat: int) -> list[str]:
        size = int(self.record["hand_size"][seat])
        return [CARDS[int(kind)]["id"] for kind in self.record["hands"][seat][:size]]

    def city(self, seat: int) -> set[str]:
        return {CARDS[kind]["id"] for kind in kinds_built(self.record, seat)}

    @property
    def pile(self) -> list[str]:
        return [CARDS[kind]["id"] for kind in range(KINDS) for _ in range(int(self.record["discard"][kind]))]

    def points(self, seat: int, category: str) -> int:
        return int(self.score()[seat, (*GAME.categories, "total", "tiebreak").index(category)])


def rotated(games: np.ndarray, steps: int) -> np.ndarray:
    """The same game with everybody moved so many seats to the left: seat s + steps has what seat s had."""
    turned = games.copy()
    old, new = games[0], turned[0]
    n = int(old["num_players"])
    for name in SEAT_FIELDS:
        for seat in range(n):
            new[name][(seat + steps) % n] = old[name][seat]
    for seat in range(n):
        new["history"][:, :, (seat + steps) % n] = old["history"][:, :, seat]
    for name in ("deciders", "forfeits"):
        new[name] = sum((int(old[name]) >> seat & 1) << (seat + steps) % n for seat in range(n))
    new["picker"] = 0 if not old["picker"] else (int(old["picker"]) - 1 + steps) % n + 1
    return turned


def random_tables(seed: int, number: int, *, style: float = 0.8) -> Iterator[Table]:
    """Random games of 3 to 7 players, shown at every decision."""
    rng = random.Random(seed)
    for _ in range(number):
        n = rng.randint(3, 7)
        boards = [
            "halikarnassos",
            "babylon",
            *[None] * (n - 2),
        ]  # more picks and seventh cards than chance gives
        rng.shuffle(boards)
        table = Table(
            GAME, n, seed=rng.getrandbits(62), sides=rng.choice(("night", "night", "random")), boards=boards
        )
        while True:
            yield table
            if table.over:
                break
            actions = {}
            for seat in table.deciders():
                legal = table.legal(seat)
                stages = [a for a in legal if a < 241 and (a - 1) % 3 == 1]
                builds = [a for a in legal if a > 240 or (a - 1) % 3 != 2]
                wanted = stages or builds if rng.random() < style else legal
                actions[seat] = rng.choice(wanted or legal)
            table.step(actions)
