"""Random games through the kernels and through the referee: both must agree at every decision."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from dice_env import GAME
from dice_env.state import (
    ACTION,
    ARGUMENT,
    BONUS,
    BUILDINGS,
    CROSS,
    DICE,
    FREE,
    GREYS,
    KIND_MASK,
    PASS,
    PICK,
    REMAINING,
    SPACES,
    SPECIALS,
    STOP,
)
from dice_env.tables import text
from harness import Table
from referees.dice import Referee

DATA = Path(__file__).parents[1] / "dice_env" / "data"
SHEET, PRINTED_DICE, BOARDS = (
    tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8")) for name in ("sheet", "dice", "boards")
)
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"wonder_bonus": False, "barracks_bonus": "both_sides"},
    {"grey_dice": "six_resources", "middle_bonus": "four_colours"},
    {"barracks_bonus": "both_sides", "middle_bonus": "four_colours", "max_turns": 25},
)


def words_of_item(item: int) -> list[Any]:
    """An item of a stack as the referee writes it."""
    kind = item & KIND_MASK
    if kind == CROSS:
        return [
            "cross",
            [name for b, name in enumerate(BUILDINGS) if item >> ARGUMENT + b & 1],
            item >> REMAINING,
        ]
    if kind == PICK:
        return ["pick", DICE[item >> ARGUMENT]]
    return [{ACTION: "action", FREE: "free", BONUS: "bonus"}[kind]]


def forum(table: Table) -> dict[str, list[int]]:
    game = table.record
    return {
        die: [int(game["quadrant"][d]), int(game["face"][d])]
        for d, die in enumerate(DICE)
        if int(game["forum"]) >> d & 1
    }


def plain_state(table: Table) -> dict[str, Any]:
    """The kernel's record in the referee's words."""
    game, n = table.record, table.num_players
    return {
        "num_players": n,
        "turn": int(game["turn"]),
        "over": bool(game["over"]),
        "truncated": bool(game["truncated"]),
        "last_turn": bool(game["last_turn"]),
        "deciders": table.deciders(),
        "forum": forum(table),
        "agora_first": [s for s in range(n) if int(game["agora_first"]) >> s & 1],
        "seats": [
            {
                "board": text(table.tables[0]["board_id"][int(game["board"][s])]),
                "coins": int(game["coins"][s]),
                "crossed": [i for i in range(SPACES) if int(game["crossed"][s]) >> i & 1],
                "bonuses": [b for b in range(3) if int(game["bonuses"][s]) >> b & 1],
                "attack": [int(points) for points in game["attack"][s]],
                "unlocked": [die for bit, die in enumerate(SPECIALS) if int(game["unlocked"][s]) >> bit & 1],
                "stack": [words_of_item(int(item)) for item in game["stack"][s][: int(game["depth"][s])]],
            }
            for s in range(n)
        ],
    }


class Remembering(Referee):
    """A referee that works out what a seat may do once, until that seat does something."""

    def __init__(self, *printed: Any, **options: Any) -> None:
        self.known: dict[int, list[int]] = {}
        super().__init__(*printed, **options)

    def legal(self, seat: int) -> list[int]:
        if seat not in self.known:
            self.known[seat] = super().legal(seat)
        return self.known[seat]

    def _carry_out(self, seat: int, action: int) -> None:
        self.known.pop(seat, None)
        super()._carry_out(seat, action)

    def _end_turn(self) -> None:
        self.known.clear()
        super()._end_turn()


class Chance:
    """What the referee asks of chance, answered from the kernel's game: it has gone one step ahead."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.greys: list[str] = [die for die in forum(table) if die in DICE[:GREYS]]

    def deal(self) -> list[str]:
        boards = self.table.record["board"][: self.table.num_players]
        return [text(self.table.tables[0]["board_id"][int(board)]) for board in boards]

    def throw(self, turn: int, dice: list[str]) -> dict[str, tuple[int, int]]:
        lying = forum(self.table)
        assert sorted(dice) == sorted(lying)
        return {die: (quadrant, face) for die, (quadrant, face) in lying.items()}

    def replaced(self, colour: str) -> str:
        assert colour in forum(self.table)
        gone = next(die for die in self.greys if die not in forum(self.table))
        self.greys.remove(gone)
        return gone


def compare_scores(table: Table, referee: Referee) -> None:
    names = (*(name.replace("_", " ") for name in GAME.categories), "total", "tiebreak")
    for seat, (ours, theirs) in enumerate(zip(table.score().tolist(), referee.score(), strict=True)):
        assert dict(zip(names, ours, strict=True)) == theirs, f"score of seat {seat}"


def compare_game(num_players: int, options: dict[str, Any], seed: int, style: float) -> int:
    """One game through both; returns the number of decisions. ``style``: how often building is preferred."""
    rng = random.Random(seed)
    table = Table(GAME, num_players, seed=seed, **options)
    chance = Chance(table)
    referee = Remembering(
        SHEET,
        PRINTED_DICE["dice"],
        BOARDS["boards"],
        deal=chance.deal,
        throw=chance.throw,
        replaced=chance.replaced,
        **options,
    )
    decisions = 0
    while True:
        theirs = referee.state()
        assert plain_state(table) == theirs
        if theirs["over"] or len(theirs["deciders"]) < num_players:
            compare_scores(table, referee)
        for seat in range(num_players):
            legal = table.legal(seat)
            assert legal == referee.legal(seat), f"legal actions of seat {seat}"
            assert (seat in theirs["deciders"]) == (legal != [0])
        if table.over:
            return decisions
        actions = {}
        for seat in table.deciders():
            legal = table.legal(seat)
            # Building more than chance would brings more chains, special dice and bonuses.
            preferred = [action for action in legal if action not in (PASS, STOP)]
            actions[seat] = rng.choice(preferred if preferred and rng.random() < style else legal)
        decisions += len(actions)
        table.step(actions)
        referee.step(actions)


GAMES_OF = {2: 620, 3: 440, 4: 320, 5: 240, 6: 200, 7: 180}
"""2,000 in all."""
CASES = [(players, number) for players in GAMES_OF for number in range(len(OPTIONS))]


@pytest.mark.parametrize(("num_players", "number"), CASES)
def test_random_games_agree(num_players: int, number: int) -> None:
    for game in range(GAMES_OF[num_players] // len(OPTIONS)):
        seed = 100_000 * num_players + 10_000 * number + game
        compare_game(num_players, OPTIONS[number], seed, style=(0.0, 0.7, 0.95)[game % 3])
