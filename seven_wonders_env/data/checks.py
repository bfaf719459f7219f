"""What a card table must keep for the action numbers and the kernels to hold; every error names the entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from antiquity.game.tables import (
    LONGEST,
    TableError,
    as_built_in,
    check_headings,
    distinct,
    integer,
    known_keys,
    list_of,
    mapping,
    notes,
    one_of,
    short_text,
)
from seven_wonders_env import state as s

NAME_BYTES: Final = 32
BYTE: Final = 255
COINS: Final = 65_535
MAX_SYMBOLS: Final = 100
"""Symbols that three neighbouring cities could have at most: production bytes must not run into each other."""
RULES: Final = {
    "start_coins": (0, 99),
    "sell_card_coins": (0, 99),
    "resource_price": (1, s.MAX_PAYMENT),
    "discount_price": (1, s.MAX_PAYMENT),
    "coins_per_vp": (1, BYTE),
    "science_per_full_set": (0, BYTE),
    "military_loss_vp": (-BYTE, 0),
}
HEADINGS: Final = ("raw", "manufactured", "rules", "cards", "guilds", "wonders")
_NOTES: Final = ("verified", "note")
CARD_KEYS: Final = (
    "id",
    "name",
    "age",
    "colour",
    "copies",
    "cost",
    "cost_coins",
    "free_from",
    "effects",
    *_NOTES,
)
WONDER_KEYS: Final = ("id", "name", "wonder", "resource", "sides", *_NOTES)
SIDE_KEYS: Final = ("side", "stages", *_NOTES)
STAGE_KEYS: Final = ("cost", "cost_coins", "effects", *_NOTES)
MOST_BUILT: Final = 3 * s.HAND + s.MAX_STAGES
"""Cards and stages that a city could have at most: a card a turn, seventh cards, and a pick for every stage."""
COUNT_NAMES: Final = tuple(name if name == "wonder_stages" else f"{name}_cards" for name in s.COUNTED)
SINGLE_BOARD_POWERS: Final = ("build_from_discard",)


def check_table(data: Mapping[str, Any]) -> None:
    """Raise :class:`TableError` unless the (merged) table keeps everything that the rest relies on."""
    check_headings(data, HEADINGS)
    for section, number in (
        ("cards", s.GUILD_START),
        ("guilds", s.KINDS - s.GUILD_START),
        ("wonders", s.BOARDS),
    ):
        entries = data.get(section)
        if not isinstance(entries, list) or len(entries) != number:
            raise TableError(
                f"[[{section}]]: a table has exactly {number} of them (copies = [] leaves a card out)"
            )
        for position, entry in enumerate(entries):
            mapping(entry, f"[[{section}]] number {position + 1}")
    for key, goods in (("raw", s.RAW), ("manufactured", s.MANUFACTURED)):
        as_built_in(data.get(key, list(goods)), list(goods), key)
    _check_rules(data.get("rules"))
    prices = data["rules"]
    highest = max(prices["resource_price"], prices["discount_price"])
    kinds = [*data["cards"], *data["guilds"]]
    ids = [entry.get("id") for entry in kinds]
    for entry in kinds:
        _check_card(entry, ids, highest, guild=any(entry is guild for guild in data["guilds"]))
    for wonder in data["wonders"]:
        _check_wonder(wonder, highest)
    for label, entries in (("card", kinds), ("wonder", data["wonders"])):
        distinct([entry["id"] for entry in entries], label)
    _check_decks(data)
    _check_symbols(data)
    _check_totals(data)
    for power in SINGLE_BOARD_POWERS:
        owners = [w["id"] for w in data["wonders"] if any(power in _powers(side) for side in w["sides"])]
        if len(owners) > 1:
            raise TableError(
                f"wonder {owners[1]!r}: power {power!r} may be on one wonder only, {owners[0]!r} has it"
            )


def _powers(side: Mapping[str, Any]) -> set[str]:
    return {e["power"] for stage in side["stages"] for e in stage["effects"] if e["type"] == "power"}


def _check_rules(rules: Any) -> None:
    if not isinstance(rules, Mapping):
        raise TableError("[rules] is missing")
    known = {*RULES, "military_win_vp"}
    for key in rules:
        one_of(key, sorted(known), "[rules] key")
    for key, (low, high) in RULES.items():
        integer(rules.get(key), low, high, f"[rules] {key}")
    wins = rules.get("military_win_vp")
    if not isinstance(wins, Mapping) or set(wins) != {"age1", "age2", "age3"}:
        raise TableError("[rules] military_win_vp: must give age1, age2 and age3")
    for age, value in wins.items():
        integer(value, 0, 42, f"[rules] military_win_vp.{age}")


def _check_card(entry: Mapping[str, Any], ids: list[Any], highest: int, *, guild: bool) -> None:
    where = f"card {entry.get('id')!r}"
    known_keys(entry, CARD_KEYS, where)
    notes(entry, where)
    short_text(entry.get("id"), BYTE, f"{where}: id")
    short_text(entry.get("name"), NAME_BYTES, f"{where}: name")
    integer(entry.get("age"), 3 if guild else 1, 3, f"{where}: age")
    one_of(entry.get("colour"), ("purple",) if guild else s.COLOURS[:-1], f"{where}: colour")
    copies = entry.get("copies")
    if not isinstance(copies, list):
        raise TableError(f"{where}: copies must be a list of least player counts")
    for copy in copies:
        integer(copy, s.MIN_PLAYERS, s.MAX_SEATS, f"{where}: copies")
    if guild and copies not in ([], [s.MIN_PLAYERS]):
        raise TableError(f"{where}: copies of a guild are [{s.MIN_PLAYERS}], or [] to leave it out")
    free_from = entry.get("free_from", [])
    if not isinstance(free_from, list):
        raise TableError(f"{where}: free_from must be a list of card ids")
    for parent in free_from:
        if parent not in ids:
            raise TableError(f"{where}: free_from names {parent!r}, which is no card")
    integer(entry.get("cost_coins", 0), 0, BYTE, f"{where}: cost_coins")
    _check_cost(entry.get("cost", {}), highest, where)
    _check_effects(entry.get("effects"), where, stage=False)
    for effect in entry["effects"]:
        if effect["type"] in ("produce", "produce_choice"):
            sold = entry["colour"] in ("brown", "grey")
            if effect.get("neighbours_may_buy", sold) != sold:
                raise TableError(f"{where}: neighbours may buy from brown and grey cards, and from no others")


def _check_wonder(wonder: Mapping[str, Any], highest: int) -> None:
    where = f"wonder {wonder.get('id')!r}"
    known_keys(wonder, WONDER_KEYS, where)
    notes(wonder, where)
    short_text(wonder.get("wonder", "-"), LONGEST, f"{where}: wonder")
    for key in ("id", "name"):
        short_text(wonder.get(key), NAME_BYTES, f"{where}: {key}")
    one_of(wonder.get("resource"), (*s.RAW, *s.MANUFACTURED), f"{where}: resource")
    sides = wonder.get("sides")
    if not isinstance(sides, list):
        raise TableError(f"{where}: sides must be a list")
    if sorted(str(mapping(side, f"{where}: side").get("side")) for side in sides) != ["day", "night"]:
        raise TableError(f"{where}: needs the sides day and night, once each")
    for side in sides:
        known_keys(side, SIDE_KEYS, f"{where}, side {side['side']}")
        notes(side, f"{where}, side {side['side']}")
        stages = side.get("stages")
        if not isinstance(stages, list) or not 1 <= len(stages) <= s.MAX_STAGES:
            raise TableError(f"{where}, side {side['side']}: must have 1 to {s.MAX_STAGES} stages")
        for number, stage in enumerate(stages, 1):
            here = f"{where}, side {side['side']}, stage {number}"
            known_keys(mapping(stage, here), STAGE_KEYS, here)
            notes(stage, here)
            integer(stage.get("cost_coins", 0), 0, BYTE, f"{here}: cost_coins")
            _check_cost(stage.get("cost", {}), highest, here)
            _check_effects(stage.get("effects"), here, stage=True)
            if any(effect.get("neighbours_may_buy", False) for effect in stage["effects"]):
                raise TableError(f"{here}: neighbours may not buy from wonder stages")


def _check_cost(cost: Any, highest: int, where: str) -> None:
    for name, number in mapping(cost, f"{where}: cost").items():
        one_of(name, (*s.RAW, *s.MANUFACTURED), f"{where}: cost")
        integer(number, 1, s.MAX_PAYMENT, f"{where}: cost.{name}")
    units = sum(cost.values())
    if units * highest > s.MAX_PAYMENT:
        raise TableError(
            f"{where}: {units} units at {highest} coins each are more than the {s.MAX_PAYMENT} coins that a payment "
            "holds"
        )


def _amount(effect: Mapping[str, Any], where: str) -> None:
    integer(effect.get("amount"), 0, 50, f"{where}: amount")


def _check_produce(effect: Mapping[str, Any], where: str) -> None:
    made = effect.get("resources")
    if not isinstance(made, Mapping) or not made:
        raise TableError(f"{where}: resources must be a table such as {{ wood = 1 }}")
    for name, number in made.items():
        one_of(name, (*s.RAW, *s.MANUFACTURED), f"{where}: resources")
        integer(number, 1, 4, f"{where}: resources.{name}")


def _check_choice(effect: Mapping[str, Any], where: str) -> None:
    list_of(effect.get("one_of"), (*s.RAW, *s.MANUFACTURED), f"{where}: one_of")
    if set(effect["one_of"]) & set(s.RAW) and set(effect["one_of"]) & set(s.MANUFACTURED):
        raise TableError(f"{where}: one symbol may not choose between raw and manufactured goods")


def _check_discount(effect: Mapping[str, Any], where: str) -> None:
    one_of(effect.get("goods"), ("raw", "manufactured"), f"{where}: goods")
    one_of(effect.get("side"), ("left", "right", "both"), f"{where}: side")
    if "price" in effect and (effect["price"] != 1 or isinstance(effect["price"], bool)):
        raise TableError(
            f"{where}: the reduced price is [rules] discount_price for all; leave price out or at 1"
        )


def _check_count(effect: Mapping[str, Any], where: str) -> None:
    integer(effect.get("amount"), 0, 20, f"{where}: amount")
    list_of(effect.get("count"), COUNT_NAMES, f"{where}: count")
    list_of(effect.get("cities"), ("self", "left", "right"), f"{where}: cities")


def _check_science_choice(effect: Mapping[str, Any], where: str) -> None:
    symbols = effect.get("one_of", list(s.SCIENCE[:3]))
    if not isinstance(symbols, list) or sorted(map(str, symbols)) != sorted(s.SCIENCE[:3]):
        raise TableError(f"{where}: a science choice is between all of {', '.join(s.SCIENCE[:3])}")


EFFECTS: Final[dict[str, tuple[frozenset[str], Callable[[Mapping[str, Any], str], None]]]] = {
    "produce": (frozenset({"resources", "neighbours_may_buy"}), _check_produce),
    "produce_choice": (frozenset({"one_of", "neighbours_may_buy"}), _check_choice),
    "trade_discount": (frozenset({"goods", "side", "price"}), _check_discount),
    "coins": (frozenset({"amount"}), _amount),
    "vp": (frozenset({"amount"}), _amount),
    "shields": (frozenset({"amount"}), _amount),
    "end_vp_if_wonder_complete": (frozenset({"amount"}), _amount),
    "coins_per": (frozenset({"count", "amount", "cities"}), _check_count),
    "end_vp_per": (frozenset({"count", "amount", "cities"}), _check_count),
    "science": (
        frozenset({"symbol"}),
        lambda e, where: one_of(e.get("symbol"), s.SCIENCE[:3], f"{where}: symbol"),
    ),
    "science_choice": (frozenset({"one_of"}), _check_science_choice),
    "power": (
        frozenset({"power"}),
        lambda e, where: one_of(e.get("power"), list(s.POWERS), f"{where}: power"),
    ),
}


def _check_effects(effects: Any, where: str, *, stage: bool) -> None:
    if not isinstance(effects, list):
        raise TableError(f"{where}: effects must be a list")
    totals: dict[str, int] = {}
    for effect in effects:
        mapping(effect, f"{where}: an effect")
        one_of(effect.get("type"), list(EFFECTS), f"{where}: effect type")
        kind = effect["type"]
        here = f"{where}, effect {kind}"
        keys, check = EFFECTS[kind]
        for key in effect:
            one_of(key, sorted({*keys, "type"}), f"{here}: key")
        if not isinstance(effect.get("neighbours_may_buy", False), bool):
            raise TableError(f"{here}: neighbours_may_buy must be true or false")
        if kind == "power" and not stage:
            raise TableError(f"{here}: powers belong to wonder stages")
        check(effect, here)
        totals[kind] = totals.get(kind, 0) + effect.get("amount", 1)
    for kind, total in totals.items():
        if total > 100:
            raise TableError(f"{where}: effects of type {kind} add up to {total}, more than 100")


def _check_decks(data: Mapping[str, Any]) -> None:
    guilds = sum(1 for entry in data["guilds"] if entry["copies"])
    for players in range(s.MIN_PLAYERS, s.MAX_SEATS + 1):
        drawn = players + 2
        if guilds < drawn:
            raise TableError(
                f"[[guilds]]: {players} players draw {drawn} guilds, the table has {guilds} in play"
            )
        for age in (1, 2, 3):
            cards = sum(
                sum(1 for copy in entry["copies"] if copy <= players)
                for entry in data["cards"]
                if entry["age"] == age
            )
            wanted = s.HAND * players - (drawn if age == 3 else 0)
            if cards != wanted:
                raise TableError(
                    f"copies of the Age {'I' * age} cards: {players} players need {wanted}, the table has {cards}"
                )


def _check_symbols(data: Mapping[str, Any]) -> None:
    def symbols(effects: list[Mapping[str, Any]]) -> int:
        return sum(
            sum(e["resources"].values())
            if e["type"] == "produce"
            else 1
            if e["type"] == "produce_choice"
            else 0
            for e in effects
        )

    cards = sum(symbols(entry["effects"]) for entry in [*data["cards"], *data["guilds"]])
    boards = max(
        1 + sum(symbols(stage["effects"]) for stage in side["stages"])
        for wonder in data["wonders"]
        for side in wonder["sides"]
    )
    if 3 * (cards + boards) > MAX_SYMBOLS:
        raise TableError(
            f"the table has {cards + boards} production symbols for one city, more than can be counted"
        )


def _check_totals(data: Mapping[str, Any]) -> None:
    """What one city could gather must fit its field: shields and science a byte, coins two bytes."""

    def total(effects: list[Mapping[str, Any]], kinds: tuple[str, ...]) -> int:
        return sum(effect.get("amount", 1) for effect in effects if effect["type"] in kinds)

    def most_coins(effects: list[Mapping[str, Any]]) -> int:
        coins = total(effects, ("coins",))
        for effect in effects:
            if effect["type"] == "coins_per":
                # Every card or stage is one of the things counted at most.
                coins += effect["amount"] * len(effect["cities"]) * MOST_BUILT
        return coins

    cards = [entry["effects"] for entry in [*data["cards"], *data["guilds"]]]
    sides = [
        [stage["effects"] for stage in side["stages"]]
        for wonder in data["wonders"]
        for side in wonder["sides"]
    ]
    for what, kinds in (("shields", ("shields",)), ("science symbols", ("science", "science_choice"))):
        number = sum(total(effects, kinds) for effects in cards)
        number += max(sum(total(effects, kinds) for effects in side) for side in sides)
        if number > BYTE:
            raise TableError(f"the table has {number} {what} for one city, more than {BYTE}")
    best = max(most_coins(effects) for effects in [*cards, *(stage for side in sides for stage in side)])
    trade = 2 * s.MAX_PAYMENT
    rules = data["rules"]
    coins = rules["start_coins"] + MOST_BUILT * (max(best, rules["sell_card_coins"]) + trade)
    if coins > COINS:
        raise TableError(
            f"one city could gather {coins} coins, more than {COINS}; lower the amounts of coins_per"
        )
