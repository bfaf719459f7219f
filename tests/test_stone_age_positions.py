"""Positions of Stone Age, written by hand into the record, for tests of the kernels; and tests that they come out so.

Cards and tiles are named by their id in the table; seats that a position does not mention have food for many rounds.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from antiquity.kernels import entry
from antiquity.testing.table import Table
from stone_age_env import GAME, roll
from stone_age_env.data.tables import read_table
from stone_age_env.rules.effects import raise_tool
from stone_age_env.rules.turn import run_on
from stone_age_env.state import (
    BUY_CARD,
    DECLINE_CARD,
    FOREST,
    HUNT,
    PHASES,
    PILE,
    RESOLVE_ACTIONS,
    TAKE_DIE,
    TILES,
    USE_ONE_USE,
    USE_TOOL,
)

TABLE = read_table("base")
CARD = {card["id"]: number for number, card in enumerate(TABLE["cards"])}
TILE = {tile["id"]: number for number, tile in enumerate(TABLE["tiles"])}
CLAY_PIT, QUARRY, RIVER = FOREST + 1, FOREST + 2, FOREST + 3
ANY_TILE = "any_1_to_7"

# Some cards by their tops.
FOOD_7, LOTTERY, EXTRA, FIELD_CARD, TWO_FREE, TOOL_CARD = "C01", "C02", "C03", "C07", "C10", "C11"
STONE_2, POINTS_3, ONE_USE_4, DICE_WOOD = "C05", "C13", "C22", "C36"

EACH_SEAT = pytest.mark.parametrize("me", range(3))
"""What is true of a seat is true of every seat."""


@entry
def _run_on(games, tables):
    run_on(games[0], tables[0], np.int64(0))


@entry
def climb_ladder(games, seat):
    raise_tool(games[0], seat)


def gather(place: int) -> int:
    return RESOLVE_ACTIONS + place


def buy(price: int) -> int:
    return BUY_CARD + price - 1


def decline(price: int) -> int:
    return DECLINE_CARD + price - 1


def die(face: int) -> int:
    return TAKE_DIE + face - 1


def tool(value: int) -> int:
    return USE_TOOL + value - 1


def once(value: int) -> int:
    return USE_ONE_USE + value - 1


class Position(Table):
    """A game in the middle of a round.

    Args:
        seats: {seat: {field of the record: value}}; seats that are not mentioned have food for many rounds.
        placed: {seat: {place: people}}. The others of the seat are at home.
        cards: ids of the open cards, from price 1 up; the rest as it comes.
        tiles: ids of the top tiles, from pile 0 up.
        rolls: {(seat, place): faces}, in any order.
        phase: "place", or "resolve" from the seat ``start`` on.
    """

    def __init__(
        self,
        players: int = 3,
        *,
        seats: Mapping[int, Mapping[str, Any]] | None = None,
        placed: Mapping[int, Mapping[int, int]] | None = None,
        cards: Sequence[str] = (),
        tiles: Sequence[str] = (),
        rolls: Mapping[tuple[int, int], Sequence[int]] | None = None,
        phase: str = "resolve",
        start: int = 0,
    ) -> None:
        super().__init__(GAME, players, start_player=start)
        game = self.record
        for spot, card in enumerate(cards):
            self._swap_card(spot, CARD[card])
        for pile, tile in enumerate(tiles):
            self._swap_tile(pile, TILE[tile] + 1)
        for seat in range(players):
            game["food"][seat] = 500
            for field, value in (seats or {}).get(seat, {}).items():
                game[field][seat] = value
            for place, people in (placed or {}).get(seat, {}).items():
                game["placed"][seat, place] = people
            game["in_hand"][seat] = int(game["people"][seat]) - int(game["placed"][seat].sum())
        game["phase"] = PHASES.index(phase)
        self.fix(rolls or {})
        self.settle()

    def _swap_card(self, spot: int, card: int) -> None:
        game = self.record
        row, place = (game["open"], game["open"].tolist().index(card)) if card in game["open"] else (None, 0)
        if row is None:
            row, place = game["deck"], game["deck"].tolist().index(card)
        row[place], game["open"][spot] = game["open"][spot], card

    def _swap_tile(self, pile: int, kind: int) -> None:
        tiles = self.record["piles"].reshape(TILES)
        tops = {PILE * other + PILE - 1 for other in range(pile)}
        other = next(i for i in range(TILES) if tiles[i] == kind and i not in tops)
        top = PILE * pile + PILE - 1
        tiles[[top, other]] = tiles[[other, top]]

    def fix(self, rolls: Mapping[tuple[int, int], Sequence[int]]) -> None:
        """Another seed, with which these dice will fall in this round."""
        when = int(self.record["round"])
        self.record["seed"] = next(
            seed
            for seed in itertools.count()
            if all(
                sorted(roll(seed, when, seat, place, len(faces))) == sorted(faces)
                for (seat, place), faces in rolls.items()
            )
        )

    def settle(self) -> None:
        """What is forced happens."""
        _run_on(self.games, self.tables)

    @property
    def phase(self) -> str:
        return "over" if self.over else PHASES[int(self.record["phase"])]

    @property
    def decider(self) -> int:
        [seat] = self.deciders()
        return seat

    @property
    def menu(self) -> list[int]:
        """Legal actions of the seat that decides."""
        return self.legal(self.decider)

    def play(self, *actions: int) -> Position:
        """One action after the other, each of the seat that decides then."""
        for action in actions:
            self.step({self.decider: action})
        return self

    def after(self, *actions: int) -> Position:
        """A copy, played on."""
        other = object.__new__(Position)
        other.__dict__.update(self.copy().__dict__)
        return other.play(*actions)

    def of(self, seat: int, field: str) -> Any:
        return self.record[field][seat].tolist()

    def points(self, seat: int, category: str) -> int:
        return int(self.score()[seat, (*GAME.categories, "total", "tiebreak").index(category)])


def payments(game: Position, action: int, seat: int) -> dict[tuple[int, ...], int]:
    """Every payment that an action can be paid with: what is paid -> points; each may come up only once."""
    found: dict[tuple[int, ...], int] = {}
    stock, before = game.of(seat, "resources"), game.points(seat, "buildings")

    def follow(at: Position) -> None:
        if at.phase == "pay":
            for number in at.menu:
                follow(at.after(number))
            return
        paid = tuple(had - has for had, has in zip(stock, at.of(seat, "resources"), strict=True))
        assert paid not in found
        found[paid] = at.points(seat, "buildings") - before

    follow(game.after(action))
    return found


def test_a_position_is_what_was_asked_for() -> None:
    """Cards and tiles lie where they were put, nothing is there twice, and the dice fall as they should."""
    rolls = {(2, FOREST): [2, 4, 4], (0, HUNT): [6]}
    game = Position(3, cards=[TWO_FREE, LOTTERY], tiles=[ANY_TILE, "wood2_clay1"], rolls=rolls, phase="place")
    assert game.record["open"][:2].tolist() == [CARD[TWO_FREE], CARD[LOTTERY]]
    assert game.record["piles"][:2, PILE - 1].tolist() == [TILE[ANY_TILE] + 1, TILE["wood2_clay1"] + 1]
    assert sorted([*game.record["open"], *game.record["deck"][4:]]) == list(range(36))
    assert (
        np.bincount(game.record["piles"].ravel() - 1, minlength=28) == game.tables[0]["tile_copies"]
    ).all()
    for (seat, place), faces in rolls.items():
        assert sorted(roll(int(game.record["seed"]), 0, seat, place, len(faces))) == faces
