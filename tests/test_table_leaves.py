"""The printed games as data, value by value: every key is read or refused, and no value of a wrong type gets in."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import dice_env.data.checks
import dice_env.data.reading
import dice_env.data.tables
import seven_wonders_env.data.checks
import seven_wonders_env.data.tables
import stone_age_env.data.checks
import stone_age_env.data.tables
from antiquity.game.tables import TableError
from dice_env.state import BUILDINGS

Path = tuple[str | int, ...]
OF_A_KIND = 2
"""Values tried of each kind, such as the costs of all cards."""
WRONG: tuple[Any, ...] = (True, 1.5, 10**9, -(10**9), "no such thing", [], {}, None)


class Data(NamedTuple):
    data: dict[str, Any]
    check: Callable[[Any], None]
    compiled: Callable[[Any], np.ndarray]
    people: tuple[str, ...]
    """Keys that are for people alone, or name an entry for other files."""


def printed_game(name: str) -> Data:
    if name == "seven_wonders":
        tables = seven_wonders_env.data.tables
        names = ("name", "title", "id", "verified", "wonder", "note")
        check = seven_wonders_env.data.checks.check_table
        return Data(tables.read_table("second_edition"), check, tables.compile_table, names)
    if name == "stone_age":
        of_stones = stone_age_env.data.tables
        check = stone_age_env.data.checks.check_table
        of_stone = ("name", "title", "id", "verified")
        return Data(of_stones.read_table("base"), check, of_stones.compile_table, of_stone)
    read, of_dice = dice_env.data.reading, dice_env.data.tables
    data = {key: value for key, value in read.read_sheet("base").items() if key in read.SECTIONS}
    # What the option grey_dice="six" reads, and symbols that those faces alone have.
    six = ("id", "six_faces", "symbols")
    return Data(data, dice_env.data.checks.check_sheet, of_dice.compile_tables, six)


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from leaves(each, (*path, number))
    else:
        yield path, value


def tables_of_keys(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        yield path
        for key, each in value.items():
            yield from tables_of_keys(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from tables_of_keys(each, (*path, number))


def kind(path: Path) -> Path:
    return tuple("*" if isinstance(part, int) else part for part in path)


def some(paths: Iterator[tuple[Path, Any]]) -> Iterator[tuple[Path, Any]]:
    seen: dict[Path, int] = {}
    for path, value in paths:
        seen[kind(path)] = seen.get(kind(path), 0) + 1
        if seen[kind(path)] <= OF_A_KIND:
            yield path, value


def changed(data: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    found = copy.deepcopy(data)
    place: Any = found
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    return found


def for_people(game: Data, path: Path) -> bool:
    named = [part for part in path if isinstance(part, str)]
    return bool(set(named) & set(game.people)) or dice_env.data.reading.is_flag(named[-1])


@pytest.mark.parametrize("name", ["seven_wonders", "stone_age", "dice"])
def test_a_value_of_a_wrong_type_is_refused(name: str) -> None:
    game = printed_game(name)
    game.check(game.data)
    before = game.compiled(game.data).tobytes()
    accepted = []
    for path, value in some(leaves(game.data)):
        for wrong in WRONG:
            if type(wrong) is type(value) and (wrong == value or for_people(game, path)):
                continue
            data = changed(game.data, path, wrong)
            try:
                game.check(data)
            except TableError:
                continue
            # A text that is shown may be any text.
            if type(wrong) is not type(value) or game.compiled(data).tobytes() == before:
                accepted.append((path, wrong))
    assert accepted == []


@pytest.mark.parametrize("name", ["seven_wonders", "stone_age", "dice"])
def test_a_key_that_nothing_reads_is_refused(name: str) -> None:
    game = printed_game(name)
    accepted = []
    for path, _ in some((path, None) for path in tables_of_keys(game.data)):
        if path == ():
            continue  # headings are looked at where files are read
        try:
            game.check(changed(game.data, (*path, "no_such_key"), 1))
        except TableError:
            continue
        accepted.append(path)
    assert accepted == []


@pytest.mark.parametrize("name", ["seven_wonders", "stone_age", "dice"])
def test_a_value_that_may_be_changed_changes_the_game(name: str) -> None:
    """Every other value that is found elsewhere under the same key, and is accepted, reaches the record."""
    game = printed_game(name)
    before = game.compiled(game.data).tobytes()
    known: dict[str, list[Any]] = {}
    for path, value in leaves(game.data):
        key = next(part for part in reversed(path) if isinstance(part, str))
        known.setdefault(key, [])
        if value not in known[key]:
            known[key].append(value)
    unread, tried = [], 0
    for path, value in some(leaves(game.data)):
        if for_people(game, path):
            continue
        key = next(part for part in reversed(path) if isinstance(part, str))
        for other in known[key]:
            if type(other) is not type(value) or other == value:
                continue
            data = changed(game.data, path, other)
            try:
                game.check(data)
            except TableError:
                continue
            tried += 1
            if game.compiled(data).tobytes() == before:
                unread.append((path, other))
            break
    assert tried > 20 and unread == []


def dice_with(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    data = copy.deepcopy(printed_game("dice").data)
    change(data)
    return data


def test_sums_that_would_not_fit_their_field_are_refused() -> None:
    def discounts(data: dict[str, Any]) -> None:
        for board in data["boards"]:
            ids = [space["id"] for track in data["tracks"] for space in track["spaces"]][8:22]
            taken = {space["id"]: space for space in board["spaces"]}
            for each in ids:
                taken.setdefault(each, {"id": each, "verified": "user"})
                taken[each]["effect"] = {"kind": "die_discount", "n": 20}
            board["spaces"] = list(taken.values())

    with pytest.raises(TableError, match="coins off every die"):
        dice_env.data.checks.check_sheet(dice_with(discounts))


def test_more_choices_than_a_list_holds_are_refused() -> None:
    def wide(data: dict[str, Any]) -> None:
        black = next(die for die in data["dice"] if die["id"] == "black")
        for symbol in black["symbols"]:
            if "spaces" in symbol:
                symbol["spaces"] = list(BUILDINGS)
        for track in data["tracks"]:
            if track["id"] in ("market_left", "market_right"):
                while len(track["spaces"]) < 4:
                    number = len(track["spaces"])
                    new = {"id": f"{track['id'][7]}X{number}", "cost": 1, "vp": 0, "verified": "user"}
                    track["spaces"].append(new)
        agora = [track for track in data["tracks"] if track["id"].startswith("agora_")]
        place = data["tracks"].index(agora[0])
        spaces = [space for track in agora for space in track["spaces"]]
        data["tracks"] = [track for track in data["tracks"] if track not in agora]
        for number in range(6):
            part = {"id": f"agora_{'abcdef'[number]}", "count_verified": "user", "verified": "user"}
            data["tracks"].insert(place + number, {**part, "spaces": spaces[number::6]})

    with pytest.raises(TableError, match=r"at once.*33 at most"):
        dice_env.data.checks.check_sheet(dice_with(wide))


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [("rules", "defence_vp", 2), ("rules", "end", "never"), ("rules", "special_die_order", ["white"])],
)
def test_what_says_how_the_game_is_cannot_be_changed(section: str, key: str, value: Any) -> None:
    data = dice_with(lambda data: data[section].update({key: value}))
    with pytest.raises(TableError, match=f"{key} = .*cannot be changed"):
        dice_env.data.checks.check_sheet(data)


def test_a_comparison_with_an_unknown_building_is_refused_on_every_die() -> None:
    for die in ("purple", "red"):

        def compare(data: dict[str, Any], die: str = die) -> None:
            found = next(each for each in data["dice"] if each["id"] == die)
            found["symbols"][0] |= {"compares": "castle", "coins": 2}
            found["symbols"][0].pop("spaces", None)

        with pytest.raises(TableError, match="compares"):
            dice_env.data.checks.check_sheet(dice_with(compare))
