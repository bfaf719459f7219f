"""Positions in the middle of a round, written by hand into a record, and the referee at the same positions.

Cards and tiles are named by their id in the table. What a position does not mention is as at the start of a game.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from antiquity.kernels import entry
from antiquity.testing import Table
from referees.stone_age import Referee
from stone_age_env import GAME, plain_state, roll
from stone_age_env import state as s
from stone_age_env.data.tables import compile_table, read_table
from stone_age_env.rules.turn import run_on

TABLE = read_table("base")
CARD = {card["id"]: number for number, card in enumerate(TABLE["cards"])}
TILE = {tile["id"]: number for number, tile in enumerate(TABLE["tiles"])}

# Some cards by their tops.
FOOD_7, LOTTERY, EXTRA, FIELD_CARD, TWO_FREE, TOOL_CARD = "C01", "C02", "C03", "C07", "C10", "C11"
STONE_2, POINTS_3, ONE_USE_4, DICE_WOOD = "C05", "C13", "C22", "C36"
ANY_TILE = "any_1_to_7"

SPOTS: dict[int, int] = {10: 1, 11: 1}
"""Placed on the cards at 3 and 4: who has no resources can only decline, in two orders, and so is asked."""
EACH_SEAT = pytest.mark.parametrize("me", range(3))

Rolls = Mapping[tuple[int, int], Sequence[int]]


@entry
def _run_on(games, tables):
    run_on(games[0], tables[0], np.int64(0))


class Position(Table):
    """A game in the middle of a round. What is forced has not happened yet: see :meth:`settle`.

    Args:
        players: at the table.
        seats: {seat: {field: value}}. Beside the fields of the record: ``points`` by category; ``cards`` and ``extra``,
            ids of cards that the seat has; ``bottoms``, lower halves that its cards have in a table of their own.
        placed: {seat: {place: people}}. The others of the seat are at home.
        cards: ids of the open cards, from price 1 up, and of those on top of the deck.
        deck: how many cards are left in it; None: all that are not open.
        tiles: ids of the top tiles, from pile 0 up.
        left: {pile: tiles left}.
        rolls: {(seat, place): faces} of this round, in any order; the other dice fall as they will.
        phase: "place", or "resolve" from the seat ``start`` on.
        start: seat with the start marker.
        active: seat that places; None: ``start``.
        printed: the table of cards and tiles as plain data.
        max_rounds: as the option.
    """

    def __init__(
        self,
        players: int = 3,
        *,
        seats: Mapping[int, Mapping[str, Any]] | None = None,
        placed: Mapping[int, Mapping[int, int]] | None = None,
        cards: Iterable[str] = (),
        deck: int | None = None,
        tiles: Iterable[str] = (),
        left: Mapping[int, int] | None = None,
        rolls: Rolls | None = None,
        phase: str = "resolve",
        start: int = 0,
        active: int | None = None,
        printed: Mapping[str, Any] = TABLE,
        max_rounds: int = 100,
    ) -> None:
        super().__init__(GAME, players, start_player=start, max_rounds=max_rounds)
        self.printed: dict[str, Any] = copy.deepcopy(dict(printed))
        held: dict[int, list[tuple[int, bool]]] = {seat: [] for seat in range(players)}
        unused = iter(range(s.CARDS))
        for seat, fields in (seats or {}).items():
            for bottom in fields.get("bottoms", ()):
                card = next(unused)
                self.printed["cards"][card]["bottom"] = bottom
                held[seat].append((card, False))
            held[seat] += [
                (CARD[card], name == "extra") for name in ("cards", "extra") for card in fields.get(name, ())
            ]
        self.tables = compile_table(self.printed)
        game = self.record
        for seat, owned in held.items():
            for card, extra in owned:
                self.give(seat, card, extra=extra)
            for name, value in (seats or {}).get(seat, {}).items():
                if name == "points":
                    for category, points in value.items():
                        game["points"][seat, GAME.categories.index(category)] = points
                elif name not in ("bottoms", "cards", "extra"):
                    game[name][seat] = value
            for place, people in (placed or {}).get(seat, {}).items():
                game["placed"][seat, place] = people
            game["in_hand"][seat] = int(game["people"][seat]) - int(game["placed"][seat].sum())
        for slot, name in enumerate(cards):
            self._bring(slot, CARD[name])
        if deck is not None:
            game["deck"][: s.CARDS - deck] = s.NO_CARD
            game["deck_next"] = s.CARDS - deck
        for pile, name in enumerate(tiles):
            self._bring_tile(pile, TILE[name] + 1)
        for pile, number in (left or {}).items():
            game["piles"][pile] = [*game["piles"][pile, s.PILE - number :], *[0] * (s.PILE - number)]
            game["pile_left"][pile] = number
        game["phase"] = s.PHASES.index(phase)
        game["active"] = start if active is None else active
        game["seed"] = seed_of(rolls or {})

    def give(self, seat: int, card: int, *, extra: bool = False) -> None:
        """A card of those in the deck or open goes to a seat."""
        game, tables = self.record, self.tables[0]
        self._bring(s.SPOTS, card)
        top = int(game["deck_next"])
        game["deck"][top] = s.NO_CARD
        game["deck_next"] = top + 1
        game["owner"][card] = 1 + seat + (s.MAX_SEATS if extra else 0)
        game["cards"][seat] += 1
        if tables["symbol"][card] != s.NO_CARD:
            game["culture"][seat, tables["symbol"][card]] += 1
        else:
            game["figures"][seat, tables["person"][card]] += tables["figures"][card]

    def _bring(self, slot: int, card: int) -> None:
        """Swap a card into a slot: 0 to 3 are the open ones, those of the deck follow."""
        game = self.record
        slots = [(game["open"], spot) for spot in range(s.SPOTS)]
        slots += [(game["deck"], place) for place in range(int(game["deck_next"]), s.CARDS)]
        [(row, place)] = [(row, place) for row, place in slots if row[place] == card]
        target, where = slots[slot]
        row[place], target[where] = target[where], card

    def _bring_tile(self, pile: int, kind: int) -> None:
        """Swap a tile to the top of a pile; the tops before it stay."""
        tiles = self.record["piles"].reshape(s.TILES)
        tops = {s.PILE * other + s.PILE - 1 for other in range(pile)}
        other = next(place for place in range(s.TILES) if tiles[place] == kind and place not in tops)
        top = s.PILE * pile + s.PILE - 1
        tiles[[top, other]] = tiles[[other, top]]

    def settle(self) -> None:
        """What is forced happens, up to the next decision."""
        _run_on(self.games, self.tables)


def seed_of(rolls: Rolls, when: int = 0) -> int:
    """A seed with which these dice fall in a round."""
    return next(
        seed
        for seed in itertools.count()
        if all(
            sorted(roll(seed, when, seat, place, len(faces))) == sorted(faces)
            for (seat, place), faces in rolls.items()
        )
    )


def referee_at(table: Table, printed: Mapping[str, Any]) -> Referee:
    """A referee at the position of a table, in the phase place or resolve; its dice are those of the table."""
    found, game = plain_state(table.games, 0, table.tables), table.record
    seed = int(game["seed"])
    shown = [card for card in found["open"] if card is not None] + found["deck"]
    referee = Referee(
        printed,
        table.num_players,
        shown + sorted(set(range(s.CARDS)) - set(shown)),
        found["piles"],
        lambda rounds, seat, place, number: roll(seed, rounds, seat, place, number),
        start=found["start"],
        max_rounds=int(game["max_rounds"]),
    )
    referee.open, referee.deck = found["open"], found["deck"]
    for seat, player in enumerate(referee.players):
        for name in SAME_NAMES:
            setattr(player, name, found[name][seat])
        player.used = [bool(used) for used in found["used"][seat]]
        player.tiles = found["buildings"][seat]
        player.points = dict(zip(GAME.categories[:3], game["points"][seat].tolist(), strict=True))
    if found["phase"] == "place":
        referee._next_to_place(found["active"])
    else:
        referee.queue = referee.clockwise_from(referee.start)
        referee._next_to_resolve()
    return referee


SAME_NAMES = (
    "people", "in_hand", "placed", "food", "resources", "agriculture", "tools", "one_use", "free_cards", "cards",
    "extra",
)  # fmt: skip
