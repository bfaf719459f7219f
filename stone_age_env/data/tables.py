"""The printed game as data: a TOML file becomes one read-only record of arrays, checked.

A table names ``[rules]``, ``[[cards]]`` and ``[[tiles]]``; ``data/base.toml`` is the complete example. A file that
starts with ``extends = "base"`` (or the path of another table) changes only what it names: an entry with a known ``id``
replaces the keys it gives, ``replaces = "old_id"`` puts a new card or tile into the place (and so the number) of an old
one, and a tile whose id and replaces are new is added. The copies of all tiles must add up to 28.

Tops of cards: ``lottery`` (a die for everybody), ``food {n}``, ``resource {resource, n}``, ``dice_resource {resource}``
(two dice, like a gathering), ``points {n}``, ``tool``, ``agriculture``, ``extra_card``, ``one_use_tool {value}`` and
``any_resources`` (two of free choice, at any later moment). Bottoms: ``{symbol}`` or ``{person, figures}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from antiquity.game.tables import TableFiles, mapping, merge_entries
from stone_age_env import state as s

from .checks import HEADINGS, TILE_MODES, TOPS, check_table

BUILT_IN: Final = ("base",)

# Numbers of the tops, and of the ways to pay for a tile.
LOTTERY, FOOD, RESOURCE, DICE_RESOURCE, POINTS, TOOL, AGRICULTURE, EXTRA_CARD, ONE_USE_TOOL, ANY_RESOURCES = (
    range(10)
)
FIXED, CHOICE, ANY = range(3)

# What the features of a card and of a tile kind are divided by, in the order of the observation layout.
CARD_SCALES: Final = (1, 1, 5, 2, 2, 2, 2, 1, 1, 1, 1, 3, 1, 1, 1, s.MAX_TOOL, 1, *(1,) * 8, *(3,) * 4)
TILE_SCALES: Final = (1, 1, 1, 2, 2, 2, 2, 10, s.MAX_PIECES, s.MAX_PIECES, 4)
CARD_FEATURES: Final = len(CARD_SCALES)
TILE_FEATURES: Final = len(TILE_SCALES)

TABLES_DTYPE: Final = np.dtype(
    [
        # What an observation says of a card and of a tile kind; the last row, all zero, is the empty place.
        ("card_features", "f4", (s.CARDS + 1, CARD_FEATURES)),
        ("tile_features", "f4", (s.TILE_KINDS + 1, TILE_FEATURES)),
        ("top", "u1", s.CARDS),  # number in TOPS
        ("top_what", "u1", s.CARDS),  # resource, or value of a one-use tool
        ("top_n", "u1", s.CARDS),  # how many
        ("symbol", "u1", s.CARDS),  # number in SYMBOLS, NO_CARD = none
        ("person", "u1", s.CARDS),  # number in PERSONS, NO_CARD = none
        ("figures", "u1", s.CARDS),
        ("tile_mode", "u1", s.TILE_KINDS),  # FIXED, CHOICE, ANY
        ("tile_cost", "u1", (s.TILE_KINDS, 4)),  # FIXED: wood, clay, stone, gold
        ("tile_points", "u1", s.TILE_KINDS),  # FIXED
        ("tile_least", "u1", s.TILE_KINDS),  # fewest resources to be paid
        ("tile_most", "u1", s.TILE_KINDS),  # most resources to be paid
        ("tile_kinds", "u1", s.TILE_KINDS),  # CHOICE: exactly so many kinds
        ("tile_copies", "u1", s.TILE_KINDS),
        ("tiles", "u1", s.TILES),  # kind of each tile
        ("divisor", "u1", 5),  # of GOODS
        ("value", "u1", 4),  # points for each resource that pays for a CHOICE or ANY tile
        ("start_people", "u1"),
        ("start_food", "u1"),
        ("max_agriculture", "u1"),
        ("hunger_penalty", "u1"),
        ("resource_vp", "u1"),
    ]
)


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **base,
        "rules": _merge_rules(base["rules"], mapping(changes.get("rules", {}), "[rules]")),
        "cards": merge_entries(base["cards"], changes.get("cards", []), "cards"),
        "tiles": merge_entries(base["tiles"], changes.get("tiles", []), "tiles", _merge_tile, may_add=True),
    }


def _merge_rules(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**base, **changes}
    for key in ("divisor", "value"):
        if isinstance(changes.get(key), Mapping):
            merged[key] = {**base[key], **changes[key]}
    return merged


def _merge_tile(tile: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    # What another kind of tile costs has nothing to do with what the old one did.
    kept = tile if "kind" not in change else {"id": tile["id"], "copies": tile.get("copies")}
    return {**kept, **change}


FILES: Final = TableFiles(
    "stone_age_env",
    {name: (name,) for name in BUILT_IN},
    option="cards",
    headings=HEADINGS,
    merge=_merge,
    check=check_table,
)


def read_table(cards: str | Path) -> dict[str, Any]:
    """The table as plain data, with everything it extends merged in and all checks passed.

    Args:
        cards: ``"base"`` or the path of a TOML file.

    Raises:
        TableError: a broken table; the message names the file and the entry.
    """
    return FILES.read(cards)


def _write_card(tables: np.void, number: int, card: Mapping[str, Any]) -> None:
    top, bottom = card["top"], card["bottom"]
    kind = TOPS.index(top["kind"])
    tables["top"][number] = kind
    if "resource" in top:
        tables["top_what"][number] = s.RESOURCES.index(top["resource"])
    if "value" in top:
        tables["top_what"][number] = top["value"]
    tables["top_n"][number] = top.get("n", 1)
    features = np.zeros(CARD_FEATURES)
    features[0] = 1
    where = {LOTTERY: 1, FOOD: 2, POINTS: 11, TOOL: 12, AGRICULTURE: 13, EXTRA_CARD: 14, ANY_RESOURCES: 16}
    if kind == RESOURCE:
        features[3 + tables["top_what"][number]] = tables["top_n"][number]
    elif kind == DICE_RESOURCE:
        features[7 + tables["top_what"][number]] = 1
    elif kind == ONE_USE_TOOL:
        features[15] = tables["top_what"][number]
    else:
        features[where[kind]] = tables["top_n"][number]
    tables["symbol"][number] = tables["person"][number] = s.NO_CARD
    if "symbol" in bottom:
        tables["symbol"][number] = symbol = s.SYMBOLS.index(bottom["symbol"])
        features[17 + symbol] = 1
    else:
        tables["person"][number] = person = s.PERSONS.index(bottom["person"])
        tables["figures"][number] = bottom["figures"]
        features[25 + person] = bottom["figures"]
    tables["card_features"][number] = features / CARD_SCALES


def _write_tile(tables: np.void, number: int, tile: Mapping[str, Any]) -> None:
    mode = TILE_MODES.index(tile["kind"])
    tables["tile_mode"][number] = mode
    tables["tile_copies"][number] = tile["copies"]
    if mode == FIXED:
        tables["tile_cost"][number] = [tile["cost"].get(name, 0) for name in s.RESOURCES]
        tables["tile_points"][number] = tile["points"]
        least = most = sum(tile["cost"].values())
    elif mode == CHOICE:
        tables["tile_kinds"][number] = tile["kinds"]
        least = most = tile["pieces"]
    else:
        least, most = tile["pieces_min"], tile["pieces_max"]
    tables["tile_least"][number] = least
    tables["tile_most"][number] = most
    features = np.zeros(TILE_FEATURES)
    features[mode] = 1
    features[3:7] = tables["tile_cost"][number]
    features[7:] = tables["tile_points"][number], least, most, tables["tile_kinds"][number]
    tables["tile_features"][number] = features / TILE_SCALES


def compile_table(data: Mapping[str, Any]) -> np.ndarray:
    """The tables record of a checked table: read-only array of shape (1,), dtype ``TABLES_DTYPE``."""
    array = np.zeros(1, TABLES_DTYPE)
    tables = array[0]
    for number, card in enumerate(data["cards"]):
        _write_card(tables, number, card)
    for number, tile in enumerate(data["tiles"]):
        _write_tile(tables, number, tile)
    tables["tiles"] = np.repeat(np.arange(s.TILE_KINDS), tables["tile_copies"])
    rules = data["rules"]
    tables["divisor"] = [rules["divisor"][name] for name in s.GOODS]
    tables["value"] = [rules["value"][name] for name in s.RESOURCES]
    for key in ("start_people", "start_food", "max_agriculture", "hunger_penalty", "resource_vp"):
        tables[key] = rules[key]
    array.flags.writeable = False
    return array


@lru_cache(maxsize=8)
def _compiled(name: str) -> np.ndarray:
    return compile_table(read_table(name))


def load_tables(cards: str | Path) -> np.ndarray:
    """The tables record for a name or a path, see :func:`read_table`; shape (1,), read-only."""
    return _compiled(str(cards)) if str(cards) in BUILT_IN else compile_table(read_table(cards))
