"""Positions on the kernels, and the kernels' record in the referee's words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from antiquity import Batch
from antiquity.game import CUT_OFF, ENDED
from antiquity.game.tables import text
from antiquity.kernels import entry
from antiquity.testing import Table
from dice_env import GAME
from dice_env import state as s
from dice_env.rules.rounds import compare_guild

from .positions import Position

SIDES = {"west": "barracks_west", "east": "barracks_east"}


@entry
def _guild(games, index, tables):
    game = games[index]
    game["guild"] = 0
    if (np.int64(game["forum"]) >> s.PURPLE) & 1:
        compare_guild(game, tables[0])


def words_of_item(item: int) -> list[Any]:
    """An item of a stack as the referee writes it."""
    kind = item & s.KIND_MASK
    if kind == s.CROSS:
        buildings = [name for b, name in enumerate(s.BUILDINGS) if item >> s.ARGUMENT + b & 1]
        return ["cross", buildings, item >> s.REMAINING]
    if kind == s.PICK:
        return ["pick", s.DICE[item >> s.ARGUMENT]]
    return [{s.ACTION: "action", s.FREE: "free", s.BONUS: "bonus"}[kind]]


def forum(table: Table) -> dict[str, list[int]]:
    """The dice in the forum: quadrant and number of the face."""
    game = table.record
    return {
        die: [int(game["quadrant"][d]), int(game["face"][d])]
        for d, die in enumerate(s.DICE)
        if int(game["forum"]) >> d & 1
    }


def plain_state(table: Table) -> dict[str, Any]:
    """The kernels' record in the referee's words."""
    game, n = table.record, table.num_players
    return {
        "num_players": n,
        "turn": int(game["turn"]),
        "over": bool(game["over"]),
        "truncated": bool(game["over"] == CUT_OFF),
        "last_turn": bool(game["last_turn"]),
        "deciders": table.deciders(),
        "forum": forum(table),
        "agora_first": [seat for seat in range(n) if int(game["agora_first"]) >> seat & 1],
        "seats": [
            {
                "board": text(table.tables[0]["board_id"][int(game["board"][seat])]),
                "coins": int(game["coins"][seat]),
                "crossed": [i for i in range(s.SPACES) if int(game["crossed"][seat]) >> i & 1],
                "bonuses": [b for b in range(s.NUM_BONUSES) if int(game["bonuses"][seat]) >> b & 1],
                "attack": [int(points) for points in game["attack"][seat]],
                "unlocked": [
                    die for bit, die in enumerate(s.SPECIALS) if int(game["unlocked"][seat]) >> bit & 1
                ],
                "stack": [
                    words_of_item(int(item)) for item in game["stack"][seat][: int(game["depth"][seat])]
                ],
            }
            for seat in range(n)
        ],
    }


class OnKernels(Position):
    """A position on the kernels; ``table`` is its game."""

    def start(self, sheet: str, options: dict[str, Any]) -> None:
        self.table = Table(GAME, len(self.boards), boards=list(self.boards), sheet=sheet, **options)
        self.clear_forum()

    @property
    def record(self) -> Any:
        """The record of the game."""
        return self.table.record

    def have(self, field: str, seat: int, value: Any) -> None:
        """Set a field of a seat, now and at the start of the turn."""
        self.record[field][seat] = value
        self.record[f"start_{field}"][seat] = value

    def give(
        self,
        seat: int,
        *,
        coins: int | None = None,
        bonuses: Iterable[int] | None = None,
        attack: tuple[int, int] | None = None,
    ) -> None:
        if coins is not None:
            self.have("coins", seat, coins)
        if bonuses is not None:
            self.have("bonuses", seat, sum(1 << bonus for bonus in bonuses))
        if attack is not None:
            self.have("attack", seat, attack)

    def slot(self, seat: int, name: str) -> int:
        names = self.table.tables[0]["space_name"][int(self.record["board"][seat])]
        return [text(each) for each in names].index(name)

    def name(self, seat: int, slot: int) -> str:
        return text(self.table.tables[0]["space_name"][int(self.record["board"][seat]), slot])

    def slots(self, seat: int, name: str) -> list[int]:
        board, tables = int(self.record["board"][seat]), self.table.tables[0]
        if name in s.BUILDINGS:
            bits = int(tables["building"][board, s.BUILDINGS.index(name)])
        elif name in SIDES:
            unit = s.UNITS.index(SIDES[name])
            bits = sum(1 << slot for slot in range(s.SPACES) if int(tables["unit_of"][slot]) == unit)
        else:
            start, size = next(group[1:3] for group in s.GROUPS if group[0] == name)
            bits = ((1 << size) - 1) << start
        return [slot for slot in range(s.SPACES) if bits & int(tables["printed"][board]) & 1 << slot]

    def cross(self, seat: int, *names: str | int) -> None:
        board, tables, game = int(self.record["board"][seat]), self.table.tables[0], self.record
        for name in names:
            slot = name if isinstance(name, int) else self.slot(seat, name)
            bits = int(game["crossed"][seat])
            assert not bits >> slot & 1
            self.have("crossed", seat, bits | 1 << slot)
            self.have("resources", seat, int(game["resources"][seat]) + (slot < s.RESOURCES))
            self.have("discount", seat, int(game["discount"][seat]) + int(tables["discount"][board, slot]))
            self.have("free", seat, int(game["free"][seat]) | int(tables["free"][board, slot]))
            self.have("unlocked", seat, int(game["unlocked"][seat]) | int(tables["unlock"][board, slot]))
            income = game["income"][seat].copy()
            income[int(tables["income_colour"][board, slot])] += int(tables["income"][board, slot])
            self.have("income", seat, income)
        self.relay()

    def relay(self) -> None:
        for die, (symbol, quadrant) in self.lying.items():
            d = s.DICE.index(die)
            faces = [text(face) for face in self.table.tables[0]["face_name"][d]]
            self.record["forum"] |= 1 << d
            self.record["face"][d] = faces.index(symbol)
            self.record["quadrant"][d] = quadrant
        _guild(self.table.games, 0, self.table.tables)

    def clear_forum(self) -> None:
        self.lying.clear()
        for field in ("forum", "face", "quadrant", "guild"):
            self.record[field] = 0

    def legal(self, seat: int) -> list[int]:
        return self.table.legal(seat)

    def deciders(self) -> list[int]:
        return self.table.deciders()

    def carry_out(self, actions: dict[int, int]) -> None:
        turn = int(self.record["turn"])
        self.table.step(actions)
        if self.record["turn"] != turn:
            self.relay()

    def state(self) -> dict[str, Any]:
        return plain_state(self.table)

    def score(self) -> list[dict[str, int]]:
        columns = (*GAME.categories, "total", "tiebreak")
        return [dict(zip(columns, row, strict=True)) for row in self.table.score().tolist()]

    def ranks(self) -> list[int]:
        batch = Batch(GAME, num_players=self.table.num_players, autoreset=False)
        batch.reset()
        ended = self.table.games.copy()
        ended["over"], ended["deciders"] = ENDED, 0
        batch.games[:] = ended  # set_games would ask for the dice and spaces that go with it
        ranks: list[int] = batch.ranks()[0, : self.table.num_players].tolist()
        return ranks
