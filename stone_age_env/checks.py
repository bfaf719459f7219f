"""What a table of cards and tiles must keep for the action numbers and the kernels to hold; errors name the entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from .state import (
    CARDS,
    GOODS,
    MAX_PEOPLE,
    MAX_PIECES,
    MAX_TOOL,
    PERSONS,
    RESOURCES,
    SYMBOLS,
    TILE_KINDS,
    TILES,
)

RULES: Final = {
    "start_people": (1, MAX_PEOPLE),
    "start_food": (0, 99),
    "max_agriculture": (0, 20),
    "hunger_penalty": (0, 30),
    "resource_vp": (0, 9),
}
TOPS: Final = (
    "lottery",
    "food",
    "resource",
    "dice_resource",
    "points",
    "tool",
    "agriculture",
    "extra_card",
    "one_use_tool",
    "any_resources",
)
"""Kinds of card tops; their order is that of the numbers in the tables record."""
TILE_MODES: Final = ("fixed", "choice", "any")
TOP_KEYS: Final = {
    "food": ("n",),
    "resource": ("resource", "n"),
    "dice_resource": ("resource",),
    "points": ("n",),
    "one_use_tool": ("value",),
}
MOST: Final = 15
"""The largest n of a card's top."""


class TableError(ValueError):
    """A table that breaks a rule; the message names the entry and what would be right."""


def check_table(data: Mapping[str, Any]) -> None:
    """Raise :class:`TableError` unless the (merged) table keeps everything that the rest relies on."""
    _check_rules(data.get("rules"))
    cards = data.get("cards")
    if not isinstance(cards, list) or len(cards) != CARDS:
        raise TableError(f"[[cards]]: a table has exactly {CARDS} of them")
    tiles = data.get("tiles")
    if not isinstance(tiles, list) or not 1 <= len(tiles) <= TILE_KINDS:
        raise TableError(f"[[tiles]]: a table has 1 to {TILE_KINDS} kinds of them")
    for card in cards:
        _check_card(card)
    for tile in tiles:
        _check_tile(tile)
    for label, entries in (("card", cards), ("tile", tiles)):
        names = [entry["id"] for entry in entries]
        for name in names:
            if names.count(name) > 1:
                raise TableError(f"{label} {name!r}: the id is used twice")
    total = sum(tile["copies"] for tile in tiles)
    if total != TILES:
        raise TableError(f"[[tiles]]: the copies add up to {total}; four piles of seven are {TILES}")


def _integer(value: Any, low: int, high: int, where: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise TableError(f"{where} = {value!r}: must be a whole number from {low} to {high}")


def _one_of(value: Any, known: Sequence[str], where: str) -> None:
    if value not in known:
        raise TableError(f"{where} = {value!r}: must be one of {', '.join(known)}")


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TableError(f"{where} must be a table of keys")
    return value


def _keys(value: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in value:
        _one_of(key, known, f"{where}: key")


def _id(entry: Any, label: str) -> str:
    name = _mapping(entry, f"[[{label}s]]").get("id")
    if not isinstance(name, str) or not name:
        raise TableError(f"{label}: id is missing")
    return f"{label} {name!r}"


def _check_rules(rules: Any) -> None:
    rules = _mapping(rules, "[rules]")
    _keys(rules, (*RULES, "divisor", "value"), "[rules]")
    for key, (low, high) in RULES.items():
        _integer(rules.get(key), low, high, f"[rules] {key}")
    for key, names in (("divisor", GOODS), ("value", RESOURCES)):
        numbers = _mapping(rules.get(key), f"[rules] {key}")
        _keys(numbers, names, f"[rules] {key}")
        for name in names:
            _integer(numbers.get(name), 1 if key == "value" else 2, 20, f"[rules] {key}.{name}")


def _check_card(card: Any) -> None:
    where = _id(card, "card")
    _keys(card, ("id", "top", "bottom", "verified"), where)
    top = _mapping(card.get("top"), f"{where}: top")
    kind = top.get("kind")
    _one_of(kind, TOPS, f"{where}: top.kind")
    keys = TOP_KEYS.get(str(kind), ())
    _keys(top, ("kind", *keys), f"{where}: top")
    if "n" in keys:
        _integer(top.get("n"), 1, MOST, f"{where}: top.n")
    if "resource" in keys:
        _one_of(top.get("resource"), RESOURCES, f"{where}: top.resource")
    if "value" in keys:
        _integer(top.get("value"), 1, MAX_TOOL, f"{where}: top.value")
    bottom = _mapping(card.get("bottom"), f"{where}: bottom")
    if "symbol" in bottom:
        _keys(bottom, ("symbol",), f"{where}: bottom")
        _one_of(bottom["symbol"], SYMBOLS, f"{where}: bottom.symbol")
    else:
        _keys(bottom, ("person", "figures"), f"{where}: bottom")
        _one_of(bottom.get("person"), PERSONS, f"{where}: bottom.person")
        _integer(bottom.get("figures"), 1, 5, f"{where}: bottom.figures")


def _check_tile(tile: Any) -> None:
    where = _id(tile, "tile")
    kind = tile.get("kind")
    _one_of(kind, TILE_MODES, f"{where}: kind")
    _integer(tile.get("copies"), 0, TILES, f"{where}: copies")
    own = {"fixed": ("cost", "points"), "choice": ("pieces", "kinds"), "any": ("pieces_min", "pieces_max")}[
        kind
    ]
    _keys(tile, ("id", "kind", "copies", "verified", *own), where)
    if kind == "fixed":
        cost = _mapping(tile.get("cost"), f"{where}: cost")
        _keys(cost, RESOURCES, f"{where}: cost")
        for name, number in cost.items():
            _integer(number, 1, MAX_PIECES, f"{where}: cost.{name}")
        _integer(sum(cost.values()), 1, MAX_PIECES, f"{where}: the number of resources")
        _integer(tile.get("points"), 0, 60, f"{where}: points")
    elif kind == "choice":
        _integer(tile.get("kinds"), 1, len(RESOURCES), f"{where}: kinds")
        _integer(tile.get("pieces"), tile["kinds"], MAX_PIECES, f"{where}: pieces")
    else:
        _integer(tile.get("pieces_min"), 1, MAX_PIECES, f"{where}: pieces_min")
        _integer(tile.get("pieces_max"), tile["pieces_min"], MAX_PIECES, f"{where}: pieces_max")
