"""The printed game as one read-only record of arrays, compiled from data and checked (:mod:`dice_env.data.reading`).

Everything about spaces is kept by board and slot, so that a kernel needs no exceptions for wonder and university.

Effects in the data: ``cross {buildings, up_to}``, ``coins {n}``, ``build_free_die``, ``extra_action``, ``per_space
{building, coins, vp}``, ``die_discount {n}``, ``die_free {color}``, ``die_income {color, coins}``, ``unlock {die}``,
``vp {n}``, ``gallery_vp``. A bonus has one of ``cross``, ``coins``, ``build_free_die``, ``extra_action``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

from antiquity.game.tables import name_bytes
from dice_env import state as s

from .checks import check_sheet
from .reading import BUILT_IN, read_sheet
from .sheets import board_spaces, reached

COSTS: Final = 16
"""Printed costs are 0 to 15."""
NAME_BYTES: Final = 32
SHORT_NAME_BYTES: Final = 16

TABLES_DTYPE: Final = np.dtype(
    [
        ("first", "u8", s.BOARDS),  # spaces that need no space before them
        ("printed", "u8", s.BOARDS),  # all spaces of the sheet
        ("scoring", "u8", s.BOARDS),  # spaces worth points at the end, attacks apart
        ("within", "u8", (s.BOARDS, COSTS)),  # spaces with a printed cost of at most so many
        ("building", "u8", (s.BOARDS, s.NUM_BUILDINGS)),  # spaces of each building
        ("unit", "u8", (s.BOARDS, len(s.UNITS))),  # spaces that complete a unit, 0 where that gives no bonus
        ("face", "u8", (s.BOARDS, s.NUM_DICE, s.FACES)),  # spaces that a face allows
        ("_acting", "u8", s.BOARDS),  # spaces whose effect acts at once
        ("item", "u2", (s.BOARDS, s.SPACES)),  # what the effect leaves to be resolved, see state.ACTION ...
        ("bonus_item", "u2", s.NUM_BONUSES),  # likewise
        ("cost", "u1", (s.BOARDS, s.SPACES)),
        ("attack", "u1", (s.BOARDS, s.SPACES)),  # points written down for an attack, before defences
        ("vp", "u1", (s.BOARDS, s.SPACES)),  # other points, printed or by the effect
        ("acts", "u1", (s.BOARDS, s.SPACES)),  # 1 when one of the next arrays has something for the space
        ("coins", "u1", (s.BOARDS, s.SPACES)),
        ("counted", "u1", (s.BOARDS, s.SPACES)),  # building that coins_per and vp_per count
        ("coins_per", "u1", (s.BOARDS, s.SPACES)),
        ("vp_per", "u1", (s.BOARDS, s.SPACES)),
        ("discount", "u1", (s.BOARDS, s.SPACES)),
        ("free", "u1", (s.BOARDS, s.SPACES)),  # bit of the colour
        ("income", "u1", (s.BOARDS, s.SPACES)),
        ("income_colour", "u1", (s.BOARDS, s.SPACES)),
        ("unlock", "u1", (s.BOARDS, s.SPACES)),  # bit of the special die
        ("building_of", "u1", s.SPACES),
        ("unit_of", "u1", s.SPACES),  # NO_UNIT for the warehouse
        ("face_coins", "u1", (s.NUM_DICE, s.FACES)),  # coins instead of a space, 0 = a space
        ("face_compares", "u1", (s.NUM_DICE, s.FACES)),  # 1 + building to be compared, 0 = none
        ("bonus_coins", "u1", s.NUM_BONUSES),
        ("quadrant_cost", "u1", s.QUADRANTS),
        ("start_coins", "u1"),
        ("pass_coins", "u1"),
        ("first_agora_vp", "u1"),
        ("space_name", "u1", (s.BOARDS, s.SPACES, SHORT_NAME_BYTES)),  # UTF-8, zero padded, as all names
        ("face_name", "u1", (s.NUM_DICE, s.FACES, SHORT_NAME_BYTES)),
        ("bonus_name", "u1", (s.NUM_BONUSES, SHORT_NAME_BYTES)),
        ("board_id", "u1", (s.BOARDS, NAME_BYTES)),
        ("city", "u1", (s.BOARDS, NAME_BYTES)),
        ("wonder", "u1", (s.BOARDS, NAME_BYTES)),
    ]
)


def building_bits(names: Iterable[str]) -> int:
    """A set of buildings as bits."""
    return sum(1 << s.BUILDINGS.index(name) for name in names)


def item_of(effect: Mapping[str, Any] | None) -> int:
    """What an effect leaves to be resolved: an item for the stack, NOTHING when it has acted at once."""
    if effect is None:
        return s.NOTHING
    kind = effect["kind"]
    if kind == "cross":
        return (
            s.CROSS | building_bits(effect["buildings"]) << s.ARGUMENT | int(effect["up_to"]) << s.REMAINING
        )
    return s.FREE if kind == "build_free_die" else s.ACTION if kind == "extra_action" else s.NOTHING


def _write_effect(tables: np.void, place: tuple[int, int], effect: Mapping[str, Any]) -> None:
    kind = effect["kind"]
    tables["item"][place] = item_of(effect)
    if kind == "vp":
        tables["vp"][place] += effect["n"]
    elif kind == "coins":
        tables["coins"][place] = effect["n"]
    elif kind == "per_space":
        tables["counted"][place] = s.BUILDINGS.index(effect["building"])
        tables["coins_per"][place] = effect["coins"]
        tables["vp_per"][place] = effect["vp"]
    elif kind == "gallery_vp":
        tables["counted"][place] = s.BUILDINGS.index("gallery")
        tables["vp_per"][place] = 1
    elif kind == "die_discount":
        tables["discount"][place] = effect["n"]
    elif kind == "die_free":
        tables["free"][place] = 1 << s.COLOURS.index(effect["color"])
    elif kind == "die_income":
        tables["income"][place] = effect["coins"]
        tables["income_colour"][place] = s.COLOURS.index(effect["color"])
    elif kind == "unlock":
        tables["unlock"][place] = 1 << s.SPECIALS.index(effect["die"])
    tables["acts"][place] = kind in ("coins", "per_space", "die_discount", "die_free", "die_income", "unlock")


def _write_board(tables: np.void, number: int, data: Mapping[str, Any]) -> None:
    board = data["boards"][number]
    bits = dict.fromkeys(("first", "printed", "scoring", "_acting"), 0)
    within, buildings, units = [0] * COSTS, [0] * s.NUM_BUILDINGS, [0] * len(s.UNITS)
    for space in board_spaces(data, board):
        place, bit = (number, space.slot), 1 << space.slot
        tables["cost"][place] = space.cost
        tables["attack" if space.track in ("west_attack", "east_attack") else "vp"][place] = space.vp
        if space.effect is not None:
            _write_effect(tables, place, space.effect)
        tables["space_name"][place] = name_bytes(space.id, SHORT_NAME_BYTES)
        bits["printed"] |= bit
        bits["first"] |= bit if space.first else 0
        bits["_acting"] |= bit if tables["acts"][place] else 0
        bits["scoring"] |= bit if tables["vp"][place] or tables["vp_per"][place] else 0
        for cost in range(space.cost, COSTS):
            within[cost] |= bit
        buildings[s.BUILDINGS.index(space.building)] |= bit
        tables["building_of"][space.slot] = s.BUILDINGS.index(space.building)
        tables["unit_of"][space.slot] = s.NO_UNIT
        if space.unit is not None:
            tables["unit_of"][space.slot] = s.UNITS.index(space.unit)
            units[s.UNITS.index(space.unit)] |= bit
    for field, word in bits.items():
        tables[field][number] = word
    tables["within"][number] = within
    tables["building"][number] = buildings
    tables["unit"][number] = units
    for d, die in enumerate(data["dice"]):
        symbols = {symbol["id"]: symbol for symbol in die["symbols"]}
        for f, face in enumerate(die["faces"]):
            tables["face"][number, d, f] = reached(data, board, symbols[face].get("spaces", []))
    for field, key in (("board_id", "id"), ("city", "city"), ("wonder", "wonder")):
        tables[field][number] = name_bytes(board[key], NAME_BYTES)


def compile_tables(data: Mapping[str, Any]) -> np.ndarray:
    """The tables record of checked data: read-only array of shape (1,), dtype ``TABLES_DTYPE``."""
    array = np.zeros(1, TABLES_DTYPE)
    tables = array[0]
    tables["unit_of"] = s.NO_UNIT
    for number in range(s.BOARDS):
        _write_board(tables, number, data)
    west, east = s.UNITS.index("barracks_west"), s.UNITS.index("barracks_east")
    if data["switches"]["barracks_bonus"] == "both_sides":
        both = tables["unit"][:, west] | tables["unit"][:, east]
        tables["unit"][:, west] = both
        tables["unit"][:, east] = both
    if not data["switches"]["wonder_bonus"]:
        tables["unit"][:, s.UNITS.index("wonder")] = 0
    for d, die in enumerate(data["dice"]):
        symbols = {symbol["id"]: symbol for symbol in die["symbols"]}
        for f, face in enumerate(die["faces"]):
            tables["face_coins"][d, f] = symbols[face].get("coins", 0)
            compares = symbols[face].get("compares")
            tables["face_compares"][d, f] = 0 if compares is None else 1 + s.BUILDINGS.index(compares)
            tables["face_name"][d, f] = name_bytes(face, SHORT_NAME_BYTES)
    for b, bonus in enumerate(data["bonuses"]):
        tables["bonus_item"][b] = item_of(bonus["effect"])
        tables["bonus_coins"][b] = bonus["effect"]["n"] if bonus["effect"]["kind"] == "coins" else 0
        tables["bonus_name"][b] = name_bytes(bonus["id"], SHORT_NAME_BYTES)
    for rule in ("quadrant_cost", "start_coins", "pass_coins", "first_agora_vp"):
        tables[rule] = data["rules"][rule]
    array.flags.writeable = False
    return array


def with_switches(
    data: Mapping[str, Any],
    wonder_bonus: bool | None = None,
    barracks_bonus: str | None = None,
    grey_dice: str = "photographed",
    middle_bonus: str = "any",
) -> dict[str, Any]:
    """The data with the disputed points settled as the options say (see :data:`dice_env.OPTIONS`)."""
    switched = dict(data)
    switches = dict(data["switches"])
    if wonder_bonus is not None:
        switches["wonder_bonus"] = wonder_bonus
    if barracks_bonus is not None:
        switches["barracks_bonus"] = barracks_bonus
    switched["switches"] = switches
    if grey_dice == "six_resources":
        switched["dice"] = [
            {**die, "faces": die["six_faces"]} if "six_faces" in die else die for die in data["dice"]
        ]
    if middle_bonus == "four_colours":
        switched["bonuses"] = [
            {**bonus, "effect": {**bonus["effect"], "buildings": bonus["narrow_buildings"]}}
            if "narrow_buildings" in bonus
            else bonus
            for bonus in data["bonuses"]
        ]
    return switched


@lru_cache(maxsize=16)
def _built_in(switches: tuple[tuple[str, Any], ...]) -> np.ndarray:
    return _compiled(BUILT_IN, dict(switches))


def _compiled(sheet: str, switches: dict[str, Any]) -> np.ndarray:
    data = read_sheet(sheet)
    check_sheet(data)
    return compile_tables(with_switches(data, **switches))


def load_tables(sheet: str = BUILT_IN, **switches: Any) -> np.ndarray:
    """The tables record of a sheet: shape (1,), read-only.

    Args:
        sheet: ``"base"`` or the path of a TOML file.
        switches: as for :func:`with_switches`.

    Raises:
        TableError: data that breaks a rule.
    """
    if sheet == BUILT_IN:
        return _built_in(tuple(sorted(switches.items())))
    return _compiled(sheet, switches)
