"""The rules that sheet data must follow, so that action numbers and kernels stay valid; errors name the entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from antiquity.game.tables import (
    LONGEST,
    TableError,
    as_built_in,
    integer,
    known_keys,
    list_of,
    mapping,
    one_of,
    short_text,
)
from dice_env.state import (
    BOARDS,
    BUILDINGS,
    COLOURS,
    DICE,
    FACES,
    GROUPS,
    MAX_LEGAL,
    NUM_BONUSES,
    QUADRANTS,
    SPECIALS,
    STACK,
    WAREHOUSE,
)

from .reading import BUILT_IN, FLAGS, LEVELS, evidence, is_flag, read_sheet
from .sheets import Space, board_spaces, reached

MAX_COST: Final = 15
MAX_COINS: Final = 20
MAX_PER_SPACE: Final = 5
MAX_POINTS: Final = 20
MAX_INCOME: Final = 30
"""Of one colour, all spaces of a sheet together: with the other limits, 1,000 turns of coins fit into 16 bits."""
CROSSABLE: Final = ("warehouse", "agora", "market", "barracks", "university", "gallery")
"""Buildings that an effect may cross spaces of: not the wonder (no die), not the guild court (its comparison)."""
BARRACKS_BONUS: Final = ("each_side", "both_sides")

EFFECTS: Final[dict[str, tuple[str, ...]]] = {
    "cross": ("buildings", "up_to"),
    "coins": ("n",),
    "build_free_die": (),
    "extra_action": (),
    "per_space": ("building", "coins", "vp"),
    "die_discount": ("n",),
    "die_free": ("color",),
    "die_income": ("color", "coins"),
    "unlock": ("die",),
    "vp": ("n",),
    "gallery_vp": (),
}
BONUS_EFFECTS: Final = ("cross", "coins", "build_free_die", "extra_action")
KEYS: Final = {
    "tracks": ("id", "spaces"),
    "spaces": ("id", "cost", "vp", "effect", "track"),
    "bonuses": ("id", "effect", "narrow_buildings"),
    "dice": ("id", "faces", "six_faces", "symbols"),
    "symbols": ("id", "spaces", "coins", "compares"),
    "boards": ("id", "city", "wonder", "spaces"),
}
MAX_DISCOUNT: Final = 30
"""Coins off every die, all spaces of a sheet together."""
RULES: Final = {"start_coins": MAX_COINS, "pass_coins": MAX_COINS, "first_agora_vp": MAX_POINTS}


READ: Final = {"rules": (*RULES, "quadrant_cost"), "switches": ("wonder_bonus", "barracks_bonus")}
"""What can be changed under these headings; the rest says how the game is."""


def legal_bound(spaces: list[Space], slots: int) -> int:
    """The most spaces in these slots (bits) that can be open at once: one of a track, all where there is no order."""
    found: dict[str, int] = {}
    for space in spaces:
        if (slots >> space.slot) & 1:
            ordered = next(group[5] for group in GROUPS if group[1] <= space.slot < group[1] + group[2])
            found[space.track] = 1 if ordered else found.get(space.track, 0) + 1
    return sum(found.values())


def stack_bound(data: Mapping[str, Any], board: Mapping[str, Any]) -> int:
    """The most items that a seat with this board can have to resolve at once.

    What is carried out has left the stack; what it leaves behind is the rest of an "up to two", at most one bonus to
    choose, and at most one item more on top. So only rests and bonuses ever lie beneath another item: a rest for each
    "up to two" on the sheet and among its bonuses, three bonuses, and the top.
    """
    effects = [space.effect for space in board_spaces(data, board)]
    effects += [bonus["effect"] for bonus in data["bonuses"]]
    rests = sum(1 for effect in effects if effect and effect["kind"] == "cross" and effect["up_to"] > 1)
    return rests + NUM_BONUSES + 1


def check_sheet(data: Mapping[str, Any]) -> None:
    """Raise :class:`TableError` unless the data follows every rule that the rest relies on."""
    for section, number in (("dice", len(DICE)), ("boards", BOARDS), ("bonuses", NUM_BONUSES)):
        entries = data.get(section)
        if not isinstance(entries, list) or len(entries) != number:
            raise TableError(f"[[{section}]]: there are exactly {number} of them")
        _distinct([entry["id"] for entry in entries], section)
    _check_keys(data)
    _check_rules(data["rules"], data["switches"])
    tracks = [track["id"] for track in data["tracks"]]
    _distinct(tracks, "tracks")
    wanted = {group[0] for group in GROUPS} - {"agora"}
    missing = wanted - set(tracks)
    if missing:
        raise TableError(f"[[tracks]]: {min(missing)!r} is missing; leave its spaces out instead")
    for bonus in data["bonuses"]:
        where = f"bonus {bonus['id']!r}"
        _check_effect(bonus.get("effect"), where, BONUS_EFFECTS)
        narrow = bonus.get("narrow_buildings")
        if narrow is not None:
            list_of(narrow, CROSSABLE, f"{where}: narrow_buildings")
    for board in data["boards"]:
        _check_board(data, board)
    sheets = [(board, board_spaces(data, board)) for board in data["boards"]]
    for number, die in enumerate(data["dice"]):
        _check_die(data, sheets, number, die)
    _check_all_read(data)
    evidence(data)
    _check_all_flags(data)


def _check_keys(data: Mapping[str, Any]) -> None:
    """Refuse unknown keys: a misspelt one would silently have no effect."""
    known = read_sheet(BUILT_IN)
    for section in ("rules", "switches"):
        _known(data[section], tuple(known[section]), f"[{section}]")
        for key, value in data[section].items():
            if not is_flag(key) and key not in READ[section]:
                as_built_in(value, known[section][key], f"[{section}] {key}")
    for section in ("tracks", "bonuses", "dice", "boards"):
        for entry in data[section]:
            where = f"{section}.{entry['id']}"
            _known(entry, KEYS[section], where)
            for part in ("spaces", "symbols"):
                for inner in entry.get(part, []):
                    short_text(mapping(inner, f"{where}: {part}").get("id"), 16, f"{where}: {part}: id")
                    _known(inner, KEYS[part], f"{where}.{inner['id']}")


def _check_all_flags(data: Mapping[str, Any]) -> None:
    for section in ("rules", "switches"):
        _check_flags(data[section], f"[{section}]")
    for section in ("tracks", "bonuses", "dice", "boards"):
        for entry in data[section]:
            where = f"{section}.{entry['id']}"
            _check_flags(entry, where)
            for part in ("spaces", "symbols"):
                for inner in entry.get(part, []):
                    _check_flags(inner, f"{where}.{inner['id']}")


def _check_flags(entry: Mapping[str, Any], where: str) -> None:
    """See that flags say something, and of a key that is there."""
    for key, value in entry.items():
        if not is_flag(key):
            continue
        flag = next(each for each in FLAGS if key == each or key.endswith(f"_{each}"))
        about = key.removesuffix(f"_{flag}") if key != flag else ""
        if about and about not in entry and about != "count":
            raise TableError(f"{where}: {key} speaks of {about!r}, which is not there")
        if flag == "verified":
            one_of(value, LEVELS, f"{where}: {key}")
        elif flag == "note":
            short_text(value, LONGEST, f"{where}: {key}")
        elif not isinstance(value, bool):
            raise TableError(f"{where}: {key} = {value!r}: must be true or false")


def _check_all_read(data: Mapping[str, Any]) -> None:
    """Refuse what a file says of a track's space where every board says something else: nothing reads it."""
    changes = [{each["id"]: each for each in board.get("spaces", [])} for board in data["boards"]]
    for track in data["tracks"]:
        for space in track["spaces"]:
            for key in ("cost", "vp", "effect"):
                changed = space.get(f"{key}_verified", space.get("verified")) == "user"
                if key in space and changed and all(key in each.get(space["id"], {}) for each in changes):
                    raise TableError(
                        f"tracks.{track['id']}.{space['id']}: every board has its own {key} there, so this one is "
                        "never read; change the boards"
                    )


def _known(entry: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    wanted = [key for key in keys if not is_flag(key)]
    known_keys({key: None for key in entry if not is_flag(key)}, wanted, where)


def _distinct(names: list[str], where: str) -> None:
    for name in names:
        if not isinstance(name, str) or not name or names.count(name) > 1:
            raise TableError(f"[[{where}]]: {name!r} must be a name that no other entry has")


def _check_rules(rules: Mapping[str, Any], switches: Mapping[str, Any]) -> None:
    for key, highest in RULES.items():
        integer(rules.get(key), 0, highest, f"[rules] {key}")
    costs = rules.get("quadrant_cost")
    if not isinstance(costs, list) or len(costs) != QUADRANTS:
        raise TableError(f"[rules] quadrant_cost = {costs!r}: must be a list of {QUADRANTS} costs")
    for cost in costs:
        integer(cost, 0, MAX_COST, "[rules] quadrant_cost")
    if not isinstance(switches.get("wonder_bonus"), bool):
        raise TableError(f"[switches] wonder_bonus = {switches.get('wonder_bonus')!r}: must be true or false")
    one_of(switches.get("barracks_bonus"), BARRACKS_BONUS, "[switches] barracks_bonus")


def _check_board(data: Mapping[str, Any], board: Mapping[str, Any]) -> None:
    where = f"board {board['id']!r}"
    for key in ("id", "city", "wonder"):
        short_text(board.get(key), 32, f"{where}: {key}")
    spaces = board_spaces(data, board)
    _distinct([space.id for space in spaces], f"spaces of {where}")
    for space in spaces:
        _check_space(space, f"{where}, space {space.id!r}")
    for colour in COLOURS:
        income = sum(
            space.effect["coins"]
            for space in spaces
            if space.effect and space.effect["kind"] == "die_income" and space.effect["color"] == colour
        )
        if income > MAX_INCOME:
            raise TableError(
                f"{where}: {income} coins for choosing a {colour} die; {MAX_INCOME} at most in all"
            )
    discount = sum(
        space.effect["n"] for space in spaces if space.effect and space.effect["kind"] == "die_discount"
    )
    if discount > MAX_DISCOUNT:
        raise TableError(f"{where}: {discount} coins off every die; {MAX_DISCOUNT} at most in all")
    crossing = {
        tuple(effect["buildings"]): effect
        for effect in [space.effect for space in spaces] + [bonus["effect"] for bonus in data["bonuses"]]
        if effect and effect["kind"] == "cross"
    }
    for effect in crossing.values():
        most = legal_bound(spaces, reached(data, board, effect["buildings"], spaces)) + 1
        if most > MAX_LEGAL:
            raise TableError(
                f"{where}: an effect that crosses spaces of {', '.join(effect['buildings'])} gives {most} choices at "
                f"once; {MAX_LEGAL} at most"
            )
    if stack_bound(data, board) > STACK:
        raise TableError(
            f"{where}: too many effects that cross two spaces; {STACK - NUM_BONUSES - 1} at most"
        )


def _check_space(space: Space, where: str) -> None:
    short_text(space.id, 16, where)
    integer(space.cost, 0, MAX_COST, f"{where}: cost")
    integer(space.vp, 0, MAX_POINTS, f"{where}: vp")
    if space.building == BUILDINGS[WAREHOUSE]:
        if space.vp or space.effect:
            raise TableError(f"{where}: a warehouse space gives its resource and nothing else")
    elif space.effect is not None:
        _check_effect(space.effect, where, tuple(EFFECTS))


def _check_effect(effect: Any, where: str, kinds: tuple[str, ...]) -> None:
    if not isinstance(effect, Mapping) or "kind" not in effect:
        raise TableError(f'{where}: effect = {effect!r}: must be a table such as {{ kind = "coins", n = 7 }}')
    kind = effect["kind"]
    one_of(kind, kinds, f"{where}: effect kind")
    if set(effect) - {"kind"} != set(EFFECTS[kind]):
        wanted = ", ".join(EFFECTS[kind]) or "nothing"
        given = ", ".join(sorted(set(effect) - {"kind"})) or "nothing"
        raise TableError(f"{where}: {kind} needs {wanted} and has {given}")
    if kind == "cross":
        list_of(effect["buildings"], CROSSABLE, f"{where}: buildings")
        integer(effect["up_to"], 1, 2, f"{where}: up_to")
    coins = MAX_PER_SPACE if kind == "per_space" else MAX_COINS
    for key, highest in (("n", MAX_COINS), ("coins", coins), ("vp", MAX_POINTS)):
        if key in effect:
            integer(effect[key], 0, highest, f"{where}: {key}")
    if "building" in effect:
        one_of(effect["building"], BUILDINGS, f"{where}: building")
    if "color" in effect:
        one_of(effect["color"], COLOURS, f"{where}: color")
    if "die" in effect:
        one_of(effect["die"], SPECIALS, f"{where}: die")


def _check_die(
    data: Mapping[str, Any],
    sheets: list[tuple[Mapping[str, Any], list[Space]]],
    number: int,
    die: Mapping[str, Any],
) -> None:
    if die["id"] != DICE[number]:
        raise TableError(
            f"[[dice]] number {number + 1} is {die['id']!r}: they are {', '.join(DICE)}, in this order"
        )
    where = f"die {die['id']!r}"
    symbols = [symbol["id"] for symbol in die.get("symbols", [])]
    _distinct(symbols, f"symbols of {where}")
    for key in ("faces", "six_faces"):
        faces = die.get(key, die.get("faces"))
        if not isinstance(faces, list) or len(faces) != FACES:
            raise TableError(f"{where}: {key} must name {FACES} symbols")
        for face in faces:
            one_of(face, tuple(symbols), f"{where}: {key}")
    for symbol in die["symbols"]:
        here = f"{where}, symbol {symbol['id']!r}"
        short_text(symbol["id"], 16, here)
        if "compares" in symbol:
            if die["id"] != "purple":
                raise TableError(f"{here}: only the purple die compares buildings")
            one_of(symbol["compares"], BUILDINGS, f"{here}: compares")
        if "coins" in symbol:
            integer(symbol["coins"], 1, MAX_COINS, f"{here}: coins")
            if "spaces" in symbol:
                raise TableError(f"{here}: a symbol gives coins or crosses spaces, not both")
            continue
        if not isinstance(symbol.get("spaces"), list) or not symbol["spaces"]:
            raise TableError(f"{here}: spaces must be a list of spaces, tracks or buildings")
        try:
            for board, spaces in sheets:
                most = legal_bound(spaces, reached(data, board, symbol["spaces"], spaces))
                if most > MAX_LEGAL:
                    raise TableError(f"it allows {most} spaces at once on a board; {MAX_LEGAL} at most")
        except TableError as error:
            raise TableError(f"{here}: {error}") from error
