"""What a table of cards and tiles must keep for the action numbers and the kernels to hold; errors name the entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from antiquity.game.tables import (
    TableError,
    check_headings,
    distinct,
    integer,
    known_keys,
    mapping,
    notes,
    one_of,
)
from stone_age_env import state as s

HEADINGS: Final = ("rules", "cards", "tiles")
RULES: Final = {
    "start_people": (1, s.MAX_PEOPLE),
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


def check_table(data: Mapping[str, Any]) -> None:
    """Raise :class:`TableError` unless the (merged) table keeps everything that the rest relies on."""
    check_headings(data, HEADINGS)
    _check_rules(data.get("rules"))
    cards = data.get("cards")
    if not isinstance(cards, list) or len(cards) != s.CARDS:
        raise TableError(f"[[cards]]: a table has exactly {s.CARDS} of them")
    tiles = data.get("tiles")
    if not isinstance(tiles, list) or not 1 <= len(tiles) <= s.TILE_KINDS:
        raise TableError(f"[[tiles]]: a table has 1 to {s.TILE_KINDS} kinds of them")
    for card in cards:
        _check_card(card)
    for tile in tiles:
        _check_tile(tile)
    for label, entries in (("card", cards), ("tile", tiles)):
        distinct([entry["id"] for entry in entries], label)
    total = sum(tile["copies"] for tile in tiles)
    if total != s.TILES:
        raise TableError(f"[[tiles]]: the copies add up to {total}; four piles of seven are {s.TILES}")


def _id(entry: Any, label: str) -> str:
    name = mapping(entry, f"[[{label}s]]").get("id")
    if not isinstance(name, str) or not name:
        raise TableError(f"{label}: id is missing")
    return f"{label} {name!r}"


def _check_rules(rules: Any) -> None:
    rules = mapping(rules, "[rules]")
    known_keys(rules, (*RULES, "divisor", "value"), "[rules]")
    for key, (low, high) in RULES.items():
        integer(rules.get(key), low, high, f"[rules] {key}")
    for key, names in (("divisor", s.GOODS), ("value", s.RESOURCES)):
        numbers = mapping(rules.get(key), f"[rules] {key}")
        known_keys(numbers, names, f"[rules] {key}")
        for name in names:
            integer(numbers.get(name), 1 if key == "value" else 2, 20, f"[rules] {key}.{name}")


def _check_card(card: Any) -> None:
    where = _id(card, "card")
    known_keys(card, ("id", "top", "bottom", "verified"), where)
    notes(card, where)
    top = mapping(card.get("top"), f"{where}: top")
    kind = top.get("kind")
    one_of(kind, TOPS, f"{where}: top.kind")
    keys = TOP_KEYS.get(str(kind), ())
    known_keys(top, ("kind", *keys), f"{where}: top")
    if "n" in keys:
        integer(top.get("n"), 1, MOST, f"{where}: top.n")
    if "resource" in keys:
        one_of(top.get("resource"), s.RESOURCES, f"{where}: top.resource")
    if "value" in keys:
        integer(top.get("value"), 1, s.MAX_TOOL, f"{where}: top.value")
    bottom = mapping(card.get("bottom"), f"{where}: bottom")
    if "symbol" in bottom:
        known_keys(bottom, ("symbol",), f"{where}: bottom")
        one_of(bottom["symbol"], s.SYMBOLS, f"{where}: bottom.symbol")
    else:
        known_keys(bottom, ("person", "figures"), f"{where}: bottom")
        one_of(bottom.get("person"), s.PERSONS, f"{where}: bottom.person")
        integer(bottom.get("figures"), 1, 5, f"{where}: bottom.figures")


def _check_tile(tile: Any) -> None:
    where = _id(tile, "tile")
    kind = tile.get("kind")
    one_of(kind, TILE_MODES, f"{where}: kind")
    integer(tile.get("copies"), 0, s.TILES, f"{where}: copies")
    own = {"fixed": ("cost", "points"), "choice": ("pieces", "kinds"), "any": ("pieces_min", "pieces_max")}[
        kind
    ]
    known_keys(tile, ("id", "kind", "copies", "verified", *own), where)
    notes(tile, where)
    if kind == "fixed":
        cost = mapping(tile.get("cost"), f"{where}: cost")
        known_keys(cost, s.RESOURCES, f"{where}: cost")
        for name, number in cost.items():
            integer(number, 1, s.MAX_PIECES, f"{where}: cost.{name}")
        integer(sum(cost.values()), 1, s.MAX_PIECES, f"{where}: the number of resources")
        integer(tile.get("points"), 0, 60, f"{where}: points")
    elif kind == "choice":
        integer(tile.get("kinds"), 1, len(s.RESOURCES), f"{where}: kinds")
        integer(tile.get("pieces"), tile["kinds"], s.MAX_PIECES, f"{where}: pieces")
    else:
        integer(tile.get("pieces_min"), 1, s.MAX_PIECES, f"{where}: pieces_min")
        integer(tile.get("pieces_max"), tile["pieces_min"], s.MAX_PIECES, f"{where}: pieces_max")
