"""Positions of Stone Age in words.

Cards are named by their number and what is on them, ``"C07: 7 food / pottery"``; the number alone will do. Huts by
what is on them. Of the table: ``round`` (from 1), ``max_rounds``, ``start`` and ``active`` (seats), ``phase``, ``open``
(four cards, "" where one is taken), ``deck`` (in order), ``piles`` (huts from the bottom up, one list for each pile;
those out of play last). Of a seat: ``people``, ``food``, ``resources``, ``tools``, ``used`` tools, ``one_use`` tools by
value, ``agriculture``, ``placed`` people by place, ``cards``, ``extra`` (cards that lie face down), ``free_cards`` that
are not cashed yet, ``buildings`` and their ``building_points``, ``hunger`` (points lost). Of what is going on:
``total``, ``thrown``, ``gather``, ``place``, ``pay_left``, ``pay_kinds``, ``pay_kind``, ``dice``, ``picker``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game.position import Words, index_of
from antiquity.kernels import entry
from stone_age_env import state as s
from stone_age_env.actions import card_name, tile_name
from stone_age_env.data import tables as t
from stone_age_env.rules.legality import decider

PLACES = (*s.PLACES, "feeding")


@entry
def _decider(games: Any) -> Any:
    return decider(games[0])


def _card_names(tables: NDArray[Any]) -> list[str]:
    return [f"C{card + 1:02d}: {card_name(tables, card)}" for card in range(s.CARDS)]


def _tile_names(tables: NDArray[Any]) -> list[str]:
    kinds = [kind for kind in range(s.TILE_KINDS) if tables[0]["tile_copies"][kind]]
    return [tile_name(tables, kind) if kind in kinds else "" for kind in range(s.TILE_KINDS)]


class _Box:
    """The cards and huts that lie nowhere yet."""

    def __init__(self, tables: NDArray[Any]) -> None:
        self.names, self.tiles = _card_names(tables), _tile_names(tables)
        self.cards = list(range(s.CARDS))
        self.huts = tables[0]["tiles"].tolist()

    def card(self, name: Any, where: str) -> int:
        """A card, taken out."""
        short = [each[:3] for each in self.names]
        known = short if isinstance(name, str) and name in short else self.names
        card = index_of(name, known, where)
        if card not in self.cards:
            raise ValueError(f"{where}: {self.names[card]!r} lies somewhere else already")
        self.cards.remove(card)
        return card

    def hut(self, name: Any, where: str) -> int:
        """A hut, taken out."""
        kind = index_of(name, self.tiles, where)
        if kind not in self.huts:
            raise ValueError(f"{where}: there is no further {name!r}")
        self.huts.remove(kind)
        return kind


def place(
    record: NDArray[Any], tables: NDArray[Any], said: Words, seats: list[Words], options: Mapping[str, Any]
) -> None:
    """Fill a record; see :class:`antiquity.game.Game`."""
    game: Any = record[0]
    players = len(seats)
    rng = np.random.default_rng([int(game["seed"]), players])
    game["round"] = said.take("round", int, 1, low=1, high=65_535) - 1
    game["max_rounds"] = said.take("max_rounds", int, int(options.get("max_rounds", 100)), low=1, high=65_535)
    for name in ("start", "active", "picker"):
        game[name] = said.take(
            name, int, 0 if name != "active" else int(game["start"]), low=0, high=players - 1
        )
    game["phase"] = said.name("phase", s.PHASES, "place")
    game["place"] = said.name("place", PLACES, PLACES[0]) if "place" in said else 0
    game["gather"] = said.name("gather", s.GOODS, s.GOODS[0])
    for name in ("total", "pay_left", "pay_kinds", "pay_kind"):
        game[name] = said.take(name, int, 0, low=0, high=255 if name != "total" else 65_535)
    game["dice"] = said.numbers("dice", 6, high=s.MAX_SEATS)
    game["thrown"] = said.numbers("thrown", 6, high=s.MAX_PEOPLE)
    box = _Box(tables)
    for number, seat in enumerate(seats):
        _seat(game, tables, box, seat, number)
    named = said.take("open", list, None)
    if named is not None and len(named) != s.SPOTS:
        raise ValueError(f'open: say {s.SPOTS} cards, "" where one is taken')
    opened = [s.NO_CARD if name == "" else box.card(name, "open") for name in named or []]
    deck = [box.card(name, "deck") for name in said.take("deck", list, [])]
    rest = rng.permutation(box.cards).tolist()
    while len(opened) < s.SPOTS and named is None:
        opened.append(rest.pop(0) if rest else s.NO_CARD)
    deck += rest
    game["open"] = opened
    game["deck"] = s.NO_CARD
    game["deck_next"] = s.CARDS - len(deck)
    game["deck"][s.CARDS - len(deck) :] = deck
    _piles(game, box, said, players, rng)
    record["deciders"] = 1 << int(_decider(record))
    for seat in seats:
        seat.finish()


def _seat(game: Any, tables: NDArray[Any], box: _Box, seat: Words, number: int) -> None:
    table = tables[0]
    game["people"][number] = seat.take("people", int, int(table["start_people"]), low=1, high=s.MAX_PEOPLE)
    game["food"][number] = seat.take("food", int, int(table["start_food"]), low=0, high=65_535)
    game["resources"][number] = _amounts(seat, "resources", s.RESOURCES)
    game["agriculture"][number] = seat.take("agriculture", int, 0, low=0, high=255)
    game["tools"][number] = seat.numbers("tools", s.TOOL_SLOTS, high=s.MAX_TOOL)
    game["used"][number] = seat.numbers("used", s.TOOL_SLOTS, high=1)
    game["one_use"][number] = seat.numbers("one_use", s.MAX_TOOL, high=255)
    game["placed"][number] = _amounts(seat, "placed", s.PLACES)
    away = int(game["placed"][number].sum())
    game["in_hand"][number] = seat.take(
        "in_hand", int, max(int(game["people"][number]) - away, 0), low=0, high=s.MAX_PEOPLE
    )
    game["buildings"][number] = seat.take("buildings", int, 0, low=0, high=s.TILES)
    points = seat.take("building_points", int, 0, low=0, high=32_767)
    hunger = seat.take("hunger", int, 0, low=0, high=32_767)
    free, of_cards = 0, 0
    for key, offset in (("cards", 0), ("extra", s.MAX_SEATS)):
        for name in seat.take(key, list, []):
            card = box.card(name, f"{seat.where}: {key}")
            game["owner"][card] = 1 + number + offset
            game["cards"][number] += 1
            if table["symbol"][card] != s.NO_CARD:
                game["culture"][number, table["symbol"][card]] += 1
            if table["person"][card] != s.NO_CARD:
                game["figures"][number, table["person"][card]] += table["figures"][card]
            free += not offset and table["top"][card] == t.ANY_RESOURCES
            of_cards += int(table["top_n"][card]) if not offset and table["top"][card] == t.POINTS else 0
    game["free_cards"][number] = seat.take("free_cards", int, 0, low=0, high=int(free))
    game["points"][number] = (points, of_cards, -hunger)


def _amounts(seat: Words, key: str, names: tuple[str, ...]) -> list[int]:
    """Numbers by name, as a list in the order of the names."""
    found = [0] * len(names)
    for name, number in seat.take(key, dict, {}).items():
        if type(number) is not int or not 0 <= number <= 65_535:
            raise ValueError(f"{seat.where}: {key}.{name} = {number!r} must be a whole number")
        found[index_of(name, names, f"{seat.where}: {key}")] = number
    return found


def _piles(game: Any, box: _Box, said: Words, players: int, rng: np.random.Generator) -> None:
    """The huts that were named, and others for as many as must lie there."""
    named = said.take("piles", list, [])
    piles = [
        [box.hut(name, "piles") for name in (pile if isinstance(pile, list) else [])]
        for pile in named[: s.PILES]
    ]
    if not named:
        # As many have gone as were built, from the first pile on.
        built = int(game["buildings"].sum())
        rest = rng.permutation(box.huts).tolist()
        for pile in range(s.PILES):
            gone = min(built, s.PILE) if pile < players else 0
            built -= gone
            piles.append([rest.pop() for _ in range(s.PILE - gone)])
    for pile, kinds in enumerate(piles):
        game["piles"][pile, : len(kinds)] = [kind + 1 for kind in kinds]
        game["pile_left"][pile] = len(kinds) if pile < players else 0


def words(games: NDArray[Any], index: int, tables: NDArray[Any]) -> dict[str, Any]:
    """A record in words; see :class:`antiquity.game.Game`."""
    game: Any = games[index]
    cards, tiles = _card_names(tables), _tile_names(tables)
    players = int(game["num_players"])
    found: dict[str, Any] = {
        "round": int(game["round"]) + 1,
        "max_rounds": int(game["max_rounds"]),
        "start": int(game["start"]),
        "active": int(game["active"]),
        "phase": s.PHASES[int(game["phase"])],
        "open": ["" if card == s.NO_CARD else cards[card] for card in game["open"].tolist()],
        "deck": [cards[card] for card in game["deck"][int(game["deck_next"]) :].tolist()],
        "piles": [[tiles[kind - 1] for kind in pile if kind] for pile in game["piles"].tolist()],
    }
    if game["place"] or game["phase"] != s.PLACE:
        found["place"] = PLACES[int(game["place"])]
        found["gather"] = s.GOODS[int(game["gather"])]
        found |= {name: int(game[name]) for name in ("total", "pay_left", "pay_kinds", "pay_kind", "picker")}
        found["dice"] = game["dice"].tolist()
        found["thrown"] = game["thrown"].tolist()
    seats = []
    for seat in range(players):
        owned = game["owner"].tolist()
        seats.append(
            {
                "people": int(game["people"][seat]),
                "in_hand": int(game["in_hand"][seat]),
                "food": int(game["food"][seat]),
                "resources": _named(game["resources"][seat], s.RESOURCES),
                "tools": game["tools"][seat].tolist(),
                "used": game["used"][seat].tolist(),
                "one_use": game["one_use"][seat].tolist(),
                "agriculture": int(game["agriculture"][seat]),
                "placed": _named(game["placed"][seat], s.PLACES),
                "cards": [cards[card] for card in range(s.CARDS) if owned[card] == seat + 1],
                "extra": [cards[card] for card in range(s.CARDS) if owned[card] == seat + 1 + s.MAX_SEATS],
                "free_cards": int(game["free_cards"][seat]),
                "buildings": int(game["buildings"][seat]),
                "building_points": int(game["points"][seat, 0]),
                "hunger": -int(game["points"][seat, 2]),
            }
        )
    return found | {"seats": seats}


def _named(numbers: NDArray[Any], names: tuple[str, ...]) -> dict[str, int]:
    return {name: number for name, number in zip(names, numbers.tolist(), strict=True) if number}
