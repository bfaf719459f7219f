"""Positions of 7 Wonders Dice in words.

Spaces are named by their id on the sheet (``"A1"``, ``"wonder1"``). Of the table: ``turn`` (from 1), ``max_turns``,
``forum`` (the dice in it, each with its ``die``, ``face`` and ``quadrant`` 1 to 4; thrown by the seed where nothing is
said), ``agora_first`` (seats), ``last_turn``. Of a seat: ``board`` (id), ``crossed`` spaces, ``coins``, ``bonuses``
(ids), ``attack`` (points written down west and east), ``last_action``; and in the middle of a turn ``start``, a table
with what of these was otherwise when the turn began, ``first_action`` and ``pending``, what is still to be resolved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game.position import Words, index_of
from antiquity.game.tables import text
from antiquity.kernels import entry
from dice_env import state as s
from dice_env.rules.rounds import compare_guild

ACTIONS = ("none", *s.DICE, "wonder", "pass")
_DERIVED = ("resources", "discount", "free", "unlocked", "income")


@entry
def _compare(games: Any, tables: Any) -> None:
    compare_guild(games[0], tables[0])


def _spaces(tables: NDArray[Any], board: int) -> list[str]:
    return [text(name) for name in tables[0]["space_name"][board]]


def place(
    record: NDArray[Any], tables: NDArray[Any], said: Words, seats: list[Words], options: Mapping[str, Any]
) -> None:
    """Fill a record; see :class:`antiquity.game.Game`."""
    game: Any = record[0]
    table = tables[0]
    rng = np.random.default_rng([int(game["seed"]), len(seats)])
    game["turn"] = said.take("turn", int, 1, low=1, high=65_535) - 1
    game["max_turns"] = said.take("max_turns", int, int(options.get("max_turns", 200)), low=1, high=65_535)
    ids = [text(name) for name in table["board_id"]]
    wanted = [seat.name("board", ids, "") if "board" in seat else -1 for seat in seats]
    free = [board for board in range(s.BOARDS) if board not in wanted]
    bonuses = [text(name) for name in table["bonus_name"]]
    for number, seat in enumerate(seats):
        board = wanted[number] if wanted[number] >= 0 else free.pop(0)
        game["board"][number] = board
        now = _stands(seat, tables, board, bonuses)
        began = Words(seat.take("start", dict, {}), f"{seat.where}: start")
        start = now if not began.given else _stands(began, tables, board, bonuses, now)
        began.finish()
        _write(game, tables, number, board, now, "")
        _write(game, tables, number, board, start, "start_")
        game["last_action"][number] = seat.name("last_action", ACTIONS, "none")
        game["first_action"][number] = seat.name("first_action", ACTIONS, "none")
        pending = seat.take("pending", list, ["action"])
        for depth, item in enumerate(pending[: s.STACK]):
            game["stack"][number, depth] = _item(item, f"{seat.where}: pending")
        game["depth"][number] = min(len(pending), s.STACK)
        game["deciders"] |= (len(pending) > 0) << number
    _forum(game, tables, said, rng)
    game["last_turn"] = said.take("last_turn", bool, bool((game["start_bonuses"] == s.ALL_BONUSES).any()))
    first = said.take("agora_first", list, _agora(game, tables, len(seats)))
    game["agora_first"] = sum(1 << seat for seat in first if type(seat) is int and 0 <= seat < len(seats))
    if (int(game["forum"]) >> s.PURPLE) & 1:
        now_crossed = game["crossed"].copy()
        game["crossed"] = game["start_crossed"]  # comparisons look at the start of the turn
        _compare(record, tables)
        game["crossed"] = now_crossed
    for seat in seats:
        seat.finish()


def _stands(
    seat: Words, tables: NDArray[Any], board: int, bonuses: list[str], base: dict[str, Any] | None = None
) -> dict[str, Any]:
    """What is crossed, had and written down."""
    names = _spaces(tables, board)
    base = base or {"crossed": 0, "coins": int(tables[0]["start_coins"]), "bonuses": 0, "attack": [0, 0]}
    crossed = (
        sum(1 << slot for slot in set(seat.names("crossed", names))) if "crossed" in seat else base["crossed"]
    )
    taken = (
        sum(1 << bonus for bonus in set(seat.names("bonuses", bonuses)))
        if "bonuses" in seat
        else base["bonuses"]
    )
    return {
        "crossed": crossed,
        "coins": seat.take("coins", int, base["coins"], low=0, high=65_535),
        "bonuses": taken,
        "attack": seat.numbers("attack", 2, base["attack"], high=255),
    }


def _write(
    game: Any, tables: NDArray[Any], seat: int, board: int, stands: dict[str, Any], prefix: str
) -> None:
    """Write it down, with what follows from the spaces."""
    table = tables[0]
    for name, value in stands.items():
        game[f"{prefix}{name}"][seat] = value
    slots = [slot for slot in range(s.SPACES) if stands["crossed"] >> slot & 1]
    game[f"{prefix}resources"][seat] = sum(table["building_of"][slot] == s.WAREHOUSE for slot in slots)
    game[f"{prefix}discount"][seat] = sum(int(table["discount"][board, slot]) for slot in slots)
    for name, column in (("free", "free"), ("unlocked", "unlock")):
        game[f"{prefix}{name}"][seat] = int(np.bitwise_or.reduce(table[column][board, slots], initial=0))
    for slot in slots:
        if table["income"][board, slot]:
            game[f"{prefix}income"][seat, table["income_colour"][board, slot]] += table["income"][board, slot]


def _forum(game: Any, tables: NDArray[Any], said: Words, rng: np.random.Generator) -> None:
    given = said.take("forum", list, None)
    if given is None:
        unlocked = int(np.bitwise_or.reduce(game["start_unlocked"]))
        specials = [die for special, die in enumerate(s.SPECIAL_DIE) if unlocked >> special & 1]
        greys = rng.permutation(s.GREYS).tolist()[: s.GREYS - len(specials)]
        dice = [*greys, *range(s.GREYS, s.PURPLE), *specials]
        given = [
            {"die": s.DICE[die], "face": text(tables[0]["face_name"][die, int(rng.integers(s.FACES))])}
            for die in dice
        ]
    forum = 0
    for number, entry_ in enumerate(given):
        one = Words(entry_, f"forum {number}")
        die = one.name("die", s.DICE, "")
        names = [text(name) for name in tables[0]["face_name"][die]]
        forum |= 1 << die
        game["face"][die] = (
            one.take("number", int, 0, low=1, high=s.FACES) - 1
            if "number" in one
            else one.name("face", names, names[0])
        )
        game["quadrant"][die] = (
            one.take("quadrant", int, int(rng.integers(s.QUADRANTS)) + 1, low=1, high=4) - 1
        )
        one.take("face", str, "")
        one.finish()
    game["forum"] = forum


def _agora(game: Any, tables: NDArray[Any], players: int) -> list[int]:
    """The seats whose agora was full when the turn began."""
    full = tables[0]["building"][game["board"][:players], s.AGORA]
    return [
        seat
        for seat in range(players)
        if full[seat] and int(game["start_crossed"][seat]) & int(full[seat]) == int(full[seat])
    ]


def _item(item: Any, where: str) -> int:
    """An item of the stack: its number, or "action", "free", "bonus", "pick DIE", "cross N BUILDING BUILDING..."."""
    if type(item) is int:
        return item & 0xFFFF
    parts = item.split() if isinstance(item, str) else []
    kind = 1 + index_of(parts[0] if parts else item, s.ITEM_KINDS, where)
    if kind == s.PICK:
        return s.PICK | index_of(parts[1] if len(parts) > 1 else "", s.DICE, where) << s.ARGUMENT
    if kind == s.CROSS:
        number = int(parts[1]) if len(parts) > 1 and parts[1].isdecimal() else 1
        buildings = sum(1 << index_of(name, s.BUILDINGS, where) for name in parts[2:])
        return s.CROSS | buildings << s.ARGUMENT | (number & 31) << s.REMAINING
    return kind


def _item_words(item: int) -> str:
    kind = item & s.KIND_MASK
    name = s.ITEM_KINDS[kind - 1]
    if kind == s.PICK:
        return f"{name} {s.DICE[item >> s.ARGUMENT]}"
    if kind == s.CROSS:
        sets = (item >> s.ARGUMENT) & s.BUILDING_MASK
        names = " ".join(building for bit, building in enumerate(s.BUILDINGS) if sets >> bit & 1)
        return f"{name} {item >> s.REMAINING} {names}"
    return name


def words(games: NDArray[Any], index: int, tables: NDArray[Any]) -> dict[str, Any]:
    """A record in words; see :class:`antiquity.game.Game`."""
    game: Any = games[index]
    table = tables[0]
    players = int(game["num_players"])
    bonuses = [text(name) for name in table["bonus_name"]]
    forum = []
    for die in range(s.NUM_DICE):
        if int(game["forum"]) >> die & 1:
            face = int(game["face"][die])
            names = [text(name) for name in table["face_name"][die]]
            said: dict[str, Any] = {"die": s.DICE[die], "face": names[face]}
            if names.count(names[face]) > 1:
                said["number"] = face + 1
            forum.append(said | {"quadrant": int(game["quadrant"][die]) + 1})
    seats = []
    for seat in range(players):
        board = int(game["board"][seat])

        def stands(prefix: str, seat: int = seat, board: int = board) -> dict[str, Any]:
            crossed = int(game[f"{prefix}crossed"][seat])
            names = _spaces(tables, board)
            taken = int(game[f"{prefix}bonuses"][seat])
            return {
                "crossed": [names[slot] for slot in range(s.SPACES) if crossed >> slot & 1],
                "coins": int(game[f"{prefix}coins"][seat]),
                "bonuses": [name for bit, name in enumerate(bonuses) if taken >> bit & 1],
                "attack": game[f"{prefix}attack"][seat].tolist(),
            }

        now, start = stands(""), stands("start_")
        said = {"board": text(table["board_id"][board]), **now}
        if start != now:
            said["start"] = start
        said["last_action"] = ACTIONS[int(game["last_action"][seat])]
        said["first_action"] = ACTIONS[int(game["first_action"][seat])]
        said["pending"] = [
            _item_words(item) for item in game["stack"][seat][: int(game["depth"][seat])].tolist()
        ]
        seats.append(said)
    return {
        "turn": int(game["turn"]) + 1,
        "max_turns": int(game["max_turns"]),
        "forum": forum,
        "agora_first": [seat for seat in range(players) if int(game["agora_first"]) >> seat & 1],
        "last_turn": bool(game["last_turn"]),
        "seats": seats,
    }
