"""Positions of 7 Wonders Dice, set up by hand at the start of a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.game.tables import text
from antiquity.kernels import entry
from antiquity.testing.table import Table
from dice_env import GAME
from dice_env.actions import bonus_action, die_action, space_action
from dice_env.rules.rounds import compare_guild
from dice_env.state import (
    BUILDINGS,
    DICE,
    FACES,
    NO_UNIT,
    NUM_DICE,
    PASS,
    PURPLE,
    SPACES,
    SPECIALS,
    UNITS,
    WONDER,
)

AGAIN, A_SPACE, COINS = (bonus_action(bonus) for bonus in range(3))
TRIO = ("giza", "rhodes", "alexandria")
START_FIELDS = (
    "crossed",
    "coins",
    "bonuses",
    "resources",
    "attack",
    "discount",
    "free",
    "unlocked",
    "income",
)


@entry
def _guild(games, index, tables):
    game = games[index]
    game["guild"] = 0
    if (np.int64(game["forum"]) >> PURPLE) & 1:
        compare_guild(game, tables[0])


class Position(Table):
    """A game at the start of its first turn: nothing crossed, the forum empty, and every seat has `coins`."""

    def __init__(self, boards: tuple[str, ...] = TRIO, coins: int = 0, **options: Any) -> None:
        super().__init__(GAME, len(boards), boards=list(boards), **options)
        self.record["forum"] = 0
        self.record["face"] = 0
        self.record["quadrant"] = 0
        for seat in range(self.num_players):
            self.have("coins", seat, coins)

    # --- setting up -------------------------------------------------------------------------------------------------

    def have(self, field: str, seat: int, value: Any) -> None:
        """Set a field of a seat, now and at the start of the turn."""
        self.record[field][seat] = value
        self.record[f"start_{field}"][seat] = value

    def slot(self, seat: int, name: str) -> int:
        """The slot of a space, by its id."""
        board = int(self.record["board"][seat])
        names = [text(name) for name in self.tables[0]["space_name"][board]]
        return names.index(name)

    def slots(self, seat: int, name: str) -> list[int]:
        """The slots of a building or of what gives a bonus."""
        board, printed = (
            int(self.record["board"][seat]),
            int(self.tables[0]["printed"][int(self.record["board"][seat])]),
        )
        if name in BUILDINGS:
            bits = int(self.tables[0]["building"][board, BUILDINGS.index(name)])
        else:
            unit = UNITS.index(name)
            of = self.tables[0]["unit_of"]
            bits = sum(1 << slot for slot in range(SPACES) if int(of[slot]) == unit and of[slot] != NO_UNIT)
        return [slot for slot in range(SPACES) if bits & printed & 1 << slot]

    def crossed(self, seat: int, *names: str | int) -> None:
        """Spaces crossed in earlier turns, with their lasting effects; coins and attack points are left alone."""
        board, tables = int(self.record["board"][seat]), self.tables[0]
        for name in names:
            slot = name if isinstance(name, int) else self.slot(seat, name)
            bits = int(self.record["crossed"][seat])
            assert not bits >> slot & 1
            self.have("crossed", seat, bits | 1 << slot)
            self.have("resources", seat, int(self.record["resources"][seat]) + (slot < 6))
            self.have(
                "discount", seat, int(self.record["discount"][seat]) + int(tables["discount"][board, slot])
            )
            self.have("free", seat, int(self.record["free"][seat]) | int(tables["free"][board, slot]))
            self.have(
                "unlocked", seat, int(self.record["unlocked"][seat]) | int(tables["unlock"][board, slot])
            )
            income = self.record["income"][seat].copy()
            income[int(tables["income_colour"][board, slot])] += int(tables["income"][board, slot])
            self.have("income", seat, income)
        self.compare_guild()

    def all_but(self, seat: int, name: str, *missing: str) -> None:
        """All spaces of a building, or of what gives a bonus, but those named."""
        left = [self.slot(seat, one) for one in missing]
        self.crossed(seat, *(slot for slot in self.slots(seat, name) if slot not in left))

    def unlocked(self, seat: int, *dice: str) -> None:
        bits = sum(1 << SPECIALS.index(die) for die in dice)
        self.have("unlocked", seat, bits)

    def lies(self, die: str, symbol: str, quadrant: int = 0) -> None:
        """Put a die into the forum."""
        d = DICE.index(die)
        faces = [text(self.tables[0]["face_name"][d, face]) for face in range(FACES)]
        self.record["forum"] |= 1 << d
        self.record["face"][d] = faces.index(symbol)
        self.record["quadrant"][d] = quadrant
        self.compare_guild()

    def compare_guild(self) -> None:
        _guild(self.games, 0, self.tables)

    # --- playing and looking ----------------------------------------------------------------------------------------

    def can(self, seat: int, action: int | str) -> bool:
        """Whether an action, a die or a space (by name) is among the legal ones."""
        return self.number(seat, action) in self.legal(seat)

    def number(self, seat: int, action: int | str) -> int:
        if isinstance(action, int):
            return action
        return die_action(action) if action in DICE else space_action(self.slot(seat, action))

    def do(self, seat: int, *actions: int | str) -> None:
        """One action after the other of a seat; whoever decides beside it passes."""
        for action in actions:
            others = {other: PASS for other in self.deciders() if other != seat}
            self.step({seat: self.number(seat, action), **others})

    def coins(self, seat: int) -> int:
        return int(self.record["coins"][seat])

    def has(self, seat: int, name: str) -> bool:
        return bool(int(self.record["crossed"][seat]) >> self.slot(seat, name) & 1)

    def points(self, seat: int, category: str) -> int:
        columns = (*GAME.categories, "total", "tiebreak")
        return int(self.score()[seat][columns.index(category)])

    def spaces_offered(self, seat: int) -> set[str]:
        """Ids of the spaces among the legal actions."""
        board = int(self.record["board"][seat])
        first = space_action(0)
        return {
            text(self.tables[0]["space_name"][board, action - first])
            for action in self.legal(seat)
            if action >= first
        }

    def dice_offered(self, seat: int) -> set[str]:
        return {DICE[action - 1] for action in self.legal(seat) if 1 <= action <= NUM_DICE}


__all__ = ["AGAIN", "A_SPACE", "COINS", "PASS", "START_FIELDS", "TRIO", "WONDER", "Position"]
