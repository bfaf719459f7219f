"""The referee in positions given in words, with the same face as the kernels' ``KernelPosition``."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Mapping
from typing import Any

from referees.seven_wonders import Referee
from seven_wonders.positions import CARDS, KIND, TABLE, KernelPosition, Words, sell
from seven_wonders_env.state import MANUFACTURED, RAW


def deck(players: int, age: int, rng: random.Random) -> list[int]:
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


class RefereePosition(Referee):
    """A game of the referee in a position given in :class:`~seven_wonders.positions.Words`."""

    def __init__(self, *, seed: int = 0, **position: Any) -> None:
        words = Words(**position)
        rng = random.Random(seed)

        def deal(age: int) -> list[list[int]]:
            cards = deck(words.players, age, rng)
            return [cards[7 * seat : 7 * seat + 7] for seat in range(words.players)]

        super().__init__(words.table or TABLE, words.all_boards(), deal, words.payments)
        self.age, self.turn = words.age, words.turn
        for seat, city in enumerate(self.cities):
            self.set_hand(seat, words.hand(seat))
            city.kinds = [KIND[name] for name in words.cities.get(seat, ())]
            city.stages_built = words.stages.get(seat, 0)
            city.coins = words.coins.get(seat, 3)
            city.victory_points, city.defeats = words.tokens.get(seat, (0, 0))
        self.discard = [KIND[name] for name in words.discard]

    def set_hand(self, seat: int, names: Iterable[str]) -> None:
        self.hands[seat] = [KIND[name] for name in names]

    def set_coins(self, seat: int, coins: int) -> None:
        self.cities[seat].coins = coins

    def can(self, seat: int, action: int) -> bool:
        return action in self.legal(seat)

    def play(self, actions: Mapping[int, int] | None = None) -> RefereePosition:
        """One decision of all; those who are not mentioned sell the first card of their hand."""
        chosen = {seat: (actions or {}).get(seat) or sell(self.hand(seat)[0]) for seat in self.deciders()}
        assert set(actions or {}) <= set(chosen)
        self.step(chosen)
        return self

    def copy(self) -> RefereePosition:
        """An independent game in the same position."""
        return copy.deepcopy(self)

    @property
    def when(self) -> tuple[int, int]:
        """(Age, turn)."""
        return self.age, self.turn

    @property
    def coins(self) -> list[int]:
        return [city.coins for city in self.cities]

    @property
    def tokens(self) -> list[tuple[int, int]]:
        """(points of victory tokens, number of defeat tokens) of each seat."""
        return [(city.victory_points, city.defeats) for city in self.cities]

    @property
    def stages(self) -> list[int]:
        """Wonder stages of each seat."""
        return [city.stages_built for city in self.cities]

    @property
    def shields(self) -> list[int]:
        return [city.shields() for city in self.cities]

    @property
    def pile(self) -> list[str]:
        """What lies in the discard, by kind."""
        return [CARDS[kind]["id"] for kind in sorted(self.discard)]

    def science(self, seat: int) -> list[int]:
        """Compasses, gears, tablets and choices."""
        return list(self.cities[seat].science())

    def hand(self, seat: int) -> list[str]:
        """Ids in a hand, by kind."""
        return [CARDS[kind]["id"] for kind in sorted(self.hands[seat])]

    def city(self, seat: int) -> set[str]:
        return {CARDS[kind]["id"] for kind in self.cities[seat].kinds}

    def makes(self, seat: int, *, for_sale: bool = False) -> dict[str, int]:
        """Symbols that can make each resource, or any of a class; of what the seat or (sold) its neighbours may use."""
        city = self.cities[seat]
        symbols = city.symbols_for_sale() if for_sale else city.own_symbols()
        groups = {name: (name,) for name in (*RAW, *MANUFACTURED)} | {
            "any raw": RAW,
            "any manufactured": MANUFACTURED,
        }
        counts = {
            name: sum(any(each in group for each in symbol) for symbol in symbols)
            for name, group in groups.items()
        }
        return {name: count for name, count in counts.items() if count}

    def points(self, seat: int, category: str) -> int:
        return int(self.score()[seat][category])


Game = KernelPosition | RefereePosition
Side = type[KernelPosition] | type[RefereePosition]
"""Who plays: what the fixture ``position`` is."""
