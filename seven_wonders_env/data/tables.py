"""The printed game as data: a TOML file becomes one read-only record of arrays, checked.

A table names ``[rules]``, ``[[cards]]``, ``[[guilds]]`` and ``[[wonders]]``; ``data/second_edition.toml`` is the
complete example. A file that starts with ``extends = "second_edition"`` (or the path of another table) changes only
what it names: an entry with a known ``id`` replaces the keys it gives, ``replaces = "old_id"`` puts a new card into the
place (and so the action numbers) of an old one, ``copies = []`` leaves a card out.

Effects: ``produce {resources, neighbours_may_buy}``, ``produce_choice {one_of, neighbours_may_buy}``,
``trade_discount {goods = "raw" | "manufactured", side = "left" | "right" | "both"}``, ``coins {amount}``,
``coins_per`` and ``end_vp_per {count = ["brown_cards", ..., "wonder_stages"], amount, cities = ["self", "left",
"right"]}``, ``vp {amount}``, ``end_vp_if_wonder_complete {amount}``, ``shields {amount}``, ``science {symbol}``,
``science_choice {one_of}`` and, on wonder stages only, ``power {power}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from antiquity.game.tables import TableError, TableFiles, mapping, merge_entries, name_bytes
from seven_wonders_env import state as s

from .checks import HEADINGS, NAME_BYTES, check_table

PLAYER_COUNTS: Final = s.MAX_SEATS - s.MIN_PLAYERS + 1
CITIES: Final = ("self", "left", "right")
SIDE_NAMES: Final = ("day", "night")
BUILT_IN: Final = ("second_edition", "second_edition_print")

WEIGHTS: Final = np.random.default_rng(20_100).integers(0, 1 << 50, (2, s.KINDS), np.int64)
"""Two random numbers of 50 bits for each kind, whose sums tell rules/check.py that all cards are there, in any order.

Guilds have none: which of them are in the game is not known, and each is there once."""
WEIGHTS[:, s.GUILD_START :] = 0

TABLES_DTYPE: Final = np.dtype(
    [
        ("need", "u8", (s.ITEMS, s.WORDS)),  # cost, as 128 - units in T for every subset T (payment.py)
        ("own", "u8", (s.ITEMS, s.WORDS)),  # production gained: symbols that can make something in T
        ("sell", "u8", (s.ITEMS, s.WORDS)),  # of it what the neighbours may buy
        ("start", "u8", (s.BOARDS * s.SIDES, s.WORDS)),  # starting resource of a board
        ("same_name", "u8", (s.KINDS, 2)),  # bits of the kinds with the same name
        ("free_from", "u8", (s.KINDS, 2)),  # bits of the kinds that make this one free
        ("bank", "u1", s.ITEMS),  # coins to the bank
        ("coins", "u1", s.ITEMS),  # coins gained when built
        ("counts", "u1", s.ITEMS),  # 1 when coins_per has an entry
        ("shields", "u1", s.ITEMS),
        ("science", "u1", (s.ITEMS, 4)),  # compass, gear, tablet, choice
        ("discounts", "u1", s.ITEMS),
        ("powers", "u1", s.ITEMS),
        ("vp", "u1", s.ITEMS),
        ("vp_complete", "u1", s.ITEMS),  # points when the wonder is complete at the end
        ("coins_per", "u1", (s.ITEMS, 3, 8)),  # coins for each thing counted: own, left, right city x COUNTED
        ("vp_per", "u1", (s.ITEMS, 3, 8)),  # points at the end, likewise
        ("colour", "u1", s.KINDS),
        ("age_of", "u1", s.KINDS),
        ("stage_count", "u1", s.BOARDS * s.SIDES),
        ("deck_size", "u1", (PLAYER_COUNTS, 3)),  # cards of an Age, guilds not counted
        ("deck", "u1", (PLAYER_COUNTS, 3, s.MAX_SEATS * s.HAND)),
        ("guild_count", "u1"),
        ("guilds", "u1", s.KINDS - s.GUILD_START),
        ("scorer_count", "u1"),
        ("scorers", "u1", s.KINDS),  # kinds that are worth points at the end, science apart
        ("start_coins", "u1"),
        ("sell_coins", "u1"),
        ("price", "u1", 2),  # of a resource: full, with a discount
        ("win_vp", "u1", 3),  # victory token of each Age
        ("loss_vp", "u1"),  # points lost for a defeat token
        ("coins_per_vp", "u1"),
        ("set_vp", "u1"),  # points for three different science symbols
        ("kind_name", "u1", (s.KINDS, NAME_BYTES)),  # UTF-8, zero padded
        ("board_name", "u1", (s.BOARDS, NAME_BYTES)),
        ("board_id", "u1", (s.BOARDS, NAME_BYTES)),
        # Worked out from the others:
        ("_heirs", "u1", (s.KINDS, 3)),  # kinds of later Ages than this one that the kind makes free
        ("_sums", "i8", (PLAYER_COUNTS, 3, 2)),  # of the weights of the cards in play up to an Age
        ("_marks", "u8", s.ITEMS),  # science and shields, a byte each
        ("_traits", "u2", s.ITEMS),  # discounts and powers, a byte each
        ("_vp_counts", "u1", s.ITEMS),  # 1 when vp_per has an entry
    ]
)


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**base, "rules": {**base["rules"], **mapping(changes.get("rules", {}), "[rules]")}}
    for section in ("cards", "guilds"):
        merged[section] = merge_entries(base[section], changes.get(section, []), section)
    merged["wonders"] = merge_entries(base["wonders"], changes.get("wonders", []), "wonders", _merge_wonder)
    return merged


def _merge_wonder(wonder: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**wonder, **change}
    if "sides" in change:
        merged["sides"] = _merge_sides(wonder["sides"], change["sides"], f"wonder {wonder['id']!r}")
    return merged


def _merge_sides(sides: list[dict[str, Any]], changes: Any, where: str) -> list[Mapping[str, Any]]:
    if not isinstance(changes, list):
        raise TableError(f"{where}: sides must be a list, written as [[wonders.sides]]")
    named = {str(mapping(side, f"{where}: side").get("side")): side for side in changes}
    if len(named) < len(changes):
        raise TableError(f"{where}: a side is given twice")
    kept = [named.pop(side["side"], side) for side in sides]
    return [*kept, *named.values()]


FILES: Final = TableFiles(
    "seven_wonders_env",
    {name: (name,) for name in BUILT_IN},
    option="cards",
    headings=HEADINGS,
    merge=_merge,
    check=check_table,
)


def read_table(cards: str | Path) -> dict[str, Any]:
    """The table as plain data, with everything it extends merged in and all checks passed.

    Args:
        cards: ``"second_edition"``, ``"second_edition_print"`` or the path of a TOML file.

    Raises:
        TableError: a broken table; the message names the file and the entry.
    """
    return FILES.read(cards)


def subset_counts(symbols: Iterable[Iterable[str]]) -> list[int]:
    """For every subset T of the resources (16 raw, then 8 manufactured) how many symbols can make something in T."""
    makes = [frozenset(symbol) for symbol in symbols]
    counts = []
    for goods in (s.RAW, s.MANUFACTURED):
        for subset in range(1 << len(goods)):
            wanted = {name for bit, name in enumerate(goods) if subset >> bit & 1}
            counts.append(sum(1 for symbol in makes if symbol & wanted))
    return counts


def pack(counts: Iterable[int]) -> np.ndarray:
    """24 bytes as three little-endian words, uint64[3]."""
    return np.array(list(counts), dtype="u1").view("<u8").astype("u8")


def cost_word(cost: Mapping[str, int]) -> np.ndarray:
    """A cost as ``need`` words, uint64[3]: 128 - units in T for every subset T."""
    units = subset_counts([[name] for name, number in cost.items() for _ in range(number)])
    return pack(128 - count for count in units)


def _symbols(effects: Iterable[Mapping[str, Any]]) -> list[list[str]]:
    symbols: list[list[str]] = []
    for effect in effects:
        if effect["type"] == "produce":
            symbols += [[name] for name, number in effect["resources"].items() for _ in range(number)]
        elif effect["type"] == "produce_choice":
            symbols.append(list(effect["one_of"]))
    return symbols


def _write_item(tables: np.void, item: int, entry: Mapping[str, Any]) -> None:
    effects = entry["effects"]
    tables["need"][item] = cost_word(entry.get("cost", {}))
    tables["bank"][item] = entry.get("cost_coins", 0)
    production = pack(subset_counts(_symbols(effects)))
    tables["own"][item] = production
    if entry.get("colour") in ("brown", "grey"):
        tables["sell"][item] = production
    for effect in effects:
        kind, amount = effect["type"], effect.get("amount", 0)
        if kind == "coins":
            tables["coins"][item] += amount
        elif kind == "vp":
            tables["vp"][item] += amount
        elif kind == "shields":
            tables["shields"][item] += amount
        elif kind == "end_vp_if_wonder_complete":
            tables["vp_complete"][item] += amount
        elif kind == "science":
            tables["science"][item, s.SCIENCE.index(effect["symbol"])] += 1
        elif kind == "science_choice":
            tables["science"][item, s.SCIENCE.index("choice")] += 1
        elif kind == "power":
            tables["powers"][item] |= s.POWERS[effect["power"]]
        elif kind == "trade_discount":
            left, right = (
                (s.RAW_LEFT, s.RAW_RIGHT)
                if effect["goods"] == "raw"
                else (s.MANUFACTURED_LEFT, s.MANUFACTURED_RIGHT)
            )
            side = effect["side"]
            tables["discounts"][item] |= (left if side != "right" else 0) | (right if side != "left" else 0)
        elif kind in ("coins_per", "end_vp_per"):
            field = "coins_per" if kind == "coins_per" else "vp_per"
            for city in effect["cities"]:
                for counted in effect["count"]:
                    column = s.COUNTED.index(counted.removesuffix("_cards"))
                    tables[field][item, CITIES.index(city), column] += amount
    tables["counts"][item] = bool(tables["coins_per"][item].any())


def _bits(kinds: Iterable[int]) -> list[int]:
    words = [0, 0]
    for kind in kinds:
        words[kind // 64] |= 1 << kind % 64
    return words


def compile_table(data: Mapping[str, Any]) -> np.ndarray:
    """The tables record of a checked table: read-only array of shape (1,), dtype ``TABLES_DTYPE``."""
    array = np.zeros(1, TABLES_DTYPE)
    tables = array[0]
    kinds = [*data["cards"], *data["guilds"]]
    number = {entry["id"]: kind for kind, entry in enumerate(kinds)}
    for kind, entry in enumerate(kinds):
        _write_item(tables, kind, entry)
        tables["kind_name"][kind] = name_bytes(entry["name"], NAME_BYTES)
        tables["colour"][kind] = s.COLOURS.index(entry["colour"])
        tables["age_of"][kind] = entry["age"] - 1
        tables["same_name"][kind] = _bits(
            k for k, other in enumerate(kinds) if other["name"] == entry["name"]
        )
        tables["free_from"][kind] = _bits(number[parent] for parent in entry.get("free_from", []))
    for players in range(s.MIN_PLAYERS, s.MAX_SEATS + 1):
        for age in range(3):
            deck = [
                kind
                for kind, entry in enumerate(data["cards"])
                if entry["age"] == age + 1
                for copy in entry["copies"]
                if copy <= players
            ]
            tables["deck_size"][players - s.MIN_PLAYERS, age] = len(deck)
            tables["deck"][players - s.MIN_PLAYERS, age, : len(deck)] = deck
            tables["_sums"][players - s.MIN_PLAYERS, age:] += WEIGHTS[:, deck].sum(axis=1)
    guilds = [number[entry["id"]] for entry in data["guilds"] if entry["copies"]]
    tables["guild_count"] = len(guilds)
    tables["guilds"][: len(guilds)] = guilds
    worth = (tables["vp"] > 0) | (tables["vp_complete"] > 0) | tables["vp_per"].any(axis=(1, 2))
    scorers = np.flatnonzero(worth[: s.KINDS])
    tables["scorer_count"] = len(scorers)
    tables["scorers"][: len(scorers)] = scorers
    for wonder, entry in enumerate(data["wonders"]):
        tables["board_name"][wonder] = name_bytes(entry["name"], NAME_BYTES)
        tables["board_id"][wonder] = name_bytes(entry["id"], NAME_BYTES)
        for side in entry["sides"]:
            board = s.SIDES * wonder + SIDE_NAMES.index(side["side"])
            tables["start"][board] = pack(subset_counts([[entry["resource"]]]))
            tables["stage_count"][board] = len(side["stages"])
            for stage, built in enumerate(side["stages"]):
                _write_item(tables, s.KINDS + board * s.MAX_STAGES + stage, built)
    bytes_ = [tables["science"][:, symbol] for symbol in range(len(s.SCIENCE))] + [tables["shields"]]
    tables["_marks"] = sum(
        each.astype(np.uint64) << np.uint64(8 * place) for place, each in enumerate(bytes_)
    )
    tables["_traits"] = tables["discounts"].astype(np.uint16) | tables["powers"].astype(np.uint16) << 8
    tables["_vp_counts"] = tables["vp_per"].any(axis=(1, 2))
    for entry in kinds:
        for parent in entry.get("free_from", []):
            tables["_heirs"][number[parent], : entry["age"] - 1] += 1
    rules = data["rules"]
    tables["start_coins"] = rules["start_coins"]
    tables["sell_coins"] = rules["sell_card_coins"]
    tables["price"] = [rules["resource_price"], rules["discount_price"]]
    tables["win_vp"] = [rules["military_win_vp"][f"age{age}"] for age in (1, 2, 3)]
    tables["loss_vp"] = -rules["military_loss_vp"]
    tables["coins_per_vp"] = rules["coins_per_vp"]
    tables["set_vp"] = rules["science_per_full_set"]
    array.flags.writeable = False
    return array


@lru_cache(maxsize=8)
def _compiled(name: str) -> np.ndarray:
    return compile_table(read_table(name))


def load_tables(cards: str | Path) -> np.ndarray:
    """The tables record for a name or a path, see :func:`read_table`; shape (1,), read-only."""
    return _compiled(str(cards)) if str(cards) in BUILT_IN else compile_table(read_table(cards))
