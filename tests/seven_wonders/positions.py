"""Positions of 7 Wonders in words, for the kernels (:class:`KernelPosition`) and, by the same words, for the referee.

Cards are named by their id in the table. Seats that a position does not mention get a quiet city: a board whose
resource is a manufactured good, the day side, seven cards that cost nothing, three coins.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from antiquity.testing import Table
from seven_wonders_env import GAME
from seven_wonders_env import state as s
from seven_wonders_env.actions import card_action, payment_action
from seven_wonders_env.data.tables import compile_table, read_table

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
SEAT_FIELDS = [name for name in s.GAME_DTYPE.names or () if s.GAME_DTYPE[name].shape[:1] == (s.MAX_SEATS,)]
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


@dataclass
class Words:
    """A position at the choice of cards.

    Attributes:
        boards: {seat: (wonder, side)}; the others are dealt from ``QUIET``.
        hands, cities: {seat: ids}. A hand not given is made of free cards; all hands end up equally long.
        stages, coins: {seat: number}.
        tokens: {seat: (points of victory tokens, number of defeat tokens)}.
        discard: ids in the pile.
        age, turn: from 1, as people count.
        table: the card table as plain data (see ``with_cost``).
    """

    players: int = 3
    boards: Mapping[int, Board] = field(default_factory=dict)
    hands: Mapping[int, Sequence[str]] = field(default_factory=dict)
    cities: Mapping[int, Sequence[str]] = field(default_factory=dict)
    stages: Mapping[int, int] = field(default_factory=dict)
    coins: Mapping[int, int] = field(default_factory=dict)
    tokens: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    discard: Sequence[str] = ()
    age: int = 1
    turn: int = 1
    payments: str = "cheapest"
    table: dict[str, Any] | None = None

    def all_boards(self) -> list[Board]:
        taken = {wonder for wonder, _ in self.boards.values()}
        rest = iter(board for board in QUIET if board[0] not in taken)
        return [self.boards.get(seat) or next(rest) for seat in range(self.players)]

    def hand(self, seat: int) -> list[str]:
        size = 8 - self.turn
        names = list(self.hands.get(seat, FREE_CARDS))[:size]
        return names + [name for name in FREE_CARDS if name not in names][: size - len(names)]


# --- the record, written by hand --------------------------------------------------------------------------------------


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
    number = int(game["built"][seat, s.STAGES_COLUMN])
    assert number < tables["stage_count"][game["board"][seat]]
    add_item(game, tables, seat, s.KINDS + int(game["board"][seat]) * s.MAX_STAGES + number)
    game["built"][seat, s.STAGES_COLUMN] += 1


def set_hand(game: Any, seat: int, kinds: Iterable[int]) -> None:
    hand = sorted(kinds)
    game["hands"][seat] = hand + [s.NO_CARD] * (s.HAND - len(hand))
    game["hand_size"][seat] = len(hand)


def kinds_built(game: Any, seat: int) -> list[int]:
    return [kind for kind in range(s.KINDS) if int(game["city"][seat, kind // 64]) >> kind % 64 & 1]


class KernelPosition(Table):
    """A game of the kernels in a position given in :class:`Words`."""

    def __init__(self, *, seed: int = 0, **position: Any) -> None:
        words = Words(**position)
        boards = words.all_boards()
        super().__init__(
            GAME,
            words.players,
            seed=seed,
            boards=[wonder for wonder, _ in boards],
            sides=[side for _, side in boards],
            payments=words.payments,
        )
        if words.table is not None:
            self.tables = compile_table(words.table)
        game, tables = self.record, self.tables[0]
        game["age"], game["turn"] = words.age - 1, words.turn - 1
        for seat in range(words.players):
            self.set_hand(seat, words.hand(seat))
            for name in words.cities.get(seat, ()):
                add_building(game, tables, seat, KIND[name])
            for _ in range(words.stages.get(seat, 0)):
                add_stage(game, tables, seat)
            game["coins"][seat] = words.coins.get(seat, 3)
            game["victory"][seat], game["defeats"][seat] = words.tokens.get(seat, (0, 0))
        for name in words.discard:
            game["discard"][KIND[name]] += 1
        assert game["phase"] == s.CHOOSE

    def set_hand(self, seat: int, names: Iterable[str]) -> None:
        set_hand(self.record, seat, [KIND[name] for name in names])

    def set_coins(self, seat: int, coins: int) -> None:
        self.record["coins"][seat] = coins

    def can(self, seat: int, action: int) -> bool:
        return action in self.legal(seat)

    def play(self, actions: Mapping[int, int] | None = None) -> KernelPosition:
        """One decision of all; those who are not mentioned sell the first card of their hand."""
        chosen = {seat: (actions or {}).get(seat) or sell(self.hand(seat)[0]) for seat in self.deciders()}
        assert set(actions or {}) <= set(chosen)
        self.step(chosen)
        return self

    @property
    def phase(self) -> str:
        return "over" if self.over else s.PHASES[int(self.record["phase"])]

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
        return [(int(game["victory"][seat]), int(game["defeats"][seat])) for seat in range(self.num_players)]

    @property
    def stages(self) -> list[int]:
        """Wonder stages of each seat."""
        return [int(number) for number in self.record["built"][: self.num_players, s.STAGES_COLUMN]]

    @property
    def shields(self) -> list[int]:
        return [int(number) for number in self.record["shields"][: self.num_players]]

    @property
    def pile(self) -> list[str]:
        """What lies in the discard, by kind."""
        return [
            CARDS[kind]["id"] for kind in range(s.KINDS) for _ in range(int(self.record["discard"][kind]))
        ]

    def science(self, seat: int) -> list[int]:
        """Compasses, gears, tablets and choices."""
        return [int(number) for number in self.record["science"][seat]]

    def hand(self, seat: int) -> list[str]:
        """Ids in a hand, by kind."""
        size = int(self.record["hand_size"][seat])
        return [CARDS[int(kind)]["id"] for kind in self.record["hands"][seat][:size]]

    def city(self, seat: int) -> set[str]:
        return {CARDS[kind]["id"] for kind in kinds_built(self.record, seat)}

    def makes(self, seat: int, *, for_sale: bool = False) -> dict[str, int]:
        """Symbols that can make each resource, or any of a class; of what the seat or (sold) its neighbours may use."""
        names = (*s.RAW, "any raw", *s.MANUFACTURED, "any manufactured")
        counts = self.observe(seat)[GAME.layout.slice("me_sells" if for_sale else "me_makes")] * 4
        return {name: int(count) for name, count in zip(names, counts, strict=True) if count}

    def points(self, seat: int, category: str) -> int:
        return int(self.score()[seat, (*GAME.categories, "total", "tiebreak").index(category)])

    def ranks(self) -> list[int]:
        batch = Batch(GAME, num_games=1, num_players=self.num_players)
        batch.reset(seed=0)
        batch.games[:] = self.games  # set_games would ask for the hands and the history that go with it
        return [int(rank) for rank in batch.ranks()[0]]


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
    for name in ("deciders", "forfeits", "open_sides"):
        new[name] = sum((int(old[name]) >> seat & 1) << (seat + steps) % n for seat in range(n))
    new["picker"] = 0 if not old["picker"] else (int(old["picker"]) - 1 + steps) % n + 1
    return turned


def random_tables(seed: int, number: int, *, style: float = 0.8) -> Iterator[Table]:
    """Random games of 3 to 7 players, shown at every decision."""
    rng = random.Random(seed)
    for _ in range(number):
        n = rng.randint(3, 7)
        # More picks and seventh cards than chance gives.
        boards = ["halikarnassos", "babylon", *[None] * (n - 2)]
        rng.shuffle(boards)
        table = Table(
            GAME,
            n,
            seed=rng.getrandbits(62),
            sides=rng.choice(("night", "night", "random", "choose")),
            boards=boards,
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
