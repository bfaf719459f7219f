"""Files of printed tables, for every game alike: found, read, laid over one another, and refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.game.tables import TableError, TableFiles, merge_entries, printed
from dice_env import GAME as DICE
from dice_env.data.checks import check_sheet
from dice_env.data.reading import FILES as DICE_FILES
from seven_wonders_env import GAME as SEVEN_WONDERS
from seven_wonders_env.data.checks import check_table as check_seven_wonders
from seven_wonders_env.data.tables import FILES as SEVEN_WONDERS_FILES
from stone_age_env import GAME as STONE_AGE
from stone_age_env.data.checks import check_table as check_stone_age
from stone_age_env.data.tables import FILES as STONE_AGE_FILES

GAMES = {
    "seven_wonders": (SEVEN_WONDERS, SEVEN_WONDERS_FILES, check_seven_wonders),
    "stone_age": (STONE_AGE, STONE_AGE_FILES, check_stone_age),
    "dice": (DICE, DICE_FILES, check_sheet),
}


@pytest.fixture(params=GAMES)
def files(request: pytest.FixtureRequest) -> TableFiles:
    return GAMES[request.param][1]


def first(files: TableFiles) -> str:
    return next(iter(files.built_in))


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", GAMES)
def test_a_read_table_is_the_callers_own(name: str, tmp_path: Path) -> None:
    _, files, check = GAMES[name]
    tables: list[str | Path] = [*files.built_in]
    tables.append(write(tmp_path / "mine.toml", f'extends = "{first(files)}"'))
    for table in tables:
        before = files.read(table)
        read = files.read(table)
        for heading in files.headings:
            read[heading].clear()
        assert files.read(table) == before
        check(files.read(table))


def test_what_a_file_does_not_name_stays(files: TableFiles, tmp_path: Path) -> None:
    base = files.read(first(files))
    mine = files.read(write(tmp_path / "mine.toml", f'extends = "{first(files)}"\nname = "mine"'))
    assert mine["name"] == "mine" and base["name"] != "mine" and mine["title"] == base["title"]
    assert {heading: mine[heading] for heading in files.headings if heading in mine} == {
        heading: base[heading] for heading in files.headings if heading in base
    }


def test_tables_extend_each_other(files: TableFiles, tmp_path: Path) -> None:
    """A path in a file is relative to that file."""
    key = next(key for key, value in files.read(first(files))["rules"].items() if type(value) is int)
    (tmp_path / "below").mkdir()
    write(tmp_path / "below" / "one.toml", f'extends = "{first(files)}"\ntitle = "one"\n[rules]\n{key} = 3\n')
    path = write(tmp_path / "two.toml", 'extends = "below/one.toml"\nname = "two"\n')
    two = files.read(path)
    assert (two["name"], two["title"], two["rules"][key]) == ("two", "one", 3)
    assert files.read(write(path, f'extends = "below/one.toml"\n[rules]\n{key} = 4\n'))["rules"][key] == 4


def test_a_circle_of_tables(files: TableFiles, tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.toml", 'extends = "other.toml"')
    write(tmp_path / "other.toml", 'extends = "mine.toml"')
    with pytest.raises(TableError, match=r"mine\.toml: .*other\.toml: .*mine\.toml: extends itself"):
        files.read(mine)
    with pytest.raises(TableError, match=r"mine\.toml: .*mine\.toml: extends itself"):
        files.read(write(mine, 'extends = "mine.toml"'))


@pytest.mark.parametrize("name", GAMES)
def test_no_such_table(name: str, tmp_path: Path) -> None:
    game, files, _ = GAMES[name]
    names = ", ".join(files.built_in)
    message = f"{files.option}='nothing': no such table; use {names} or the path of a TOML file"
    with pytest.raises(TableError, match=message):
        files.read("nothing")
    with pytest.raises(ValueError, match=message):  # as an option of an environment
        game.setup(4, **{files.option: "nothing"})
    with pytest.raises(TableError, match="no such table"):
        files.read(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends = ", "not valid TOML: Invalid value"),
        ("extends = 3", "extends = 3: neither a table of the package"),
        ('extends = ["base"]', r"extends = \['base'\]: neither a table of the package"),
        ('extends = "nothing"', "extends = 'nothing': neither a table of the package"),
        ('extends = "BASE"\n[treasures]', "unknown entry 'treasures'; a table has .*rules"),
        ('extends = "BASE"\nschema = 2', "schema = 2: this release reads schema 1"),
        ('extends = "BASE"\nrules = 3', r"rules\]? = 3: must be a table"),
        ('name = "mine"\nschema = 2', "schema = 2|extends is missing"),
        (
            'name = "mine"',
            r"has exactly|rules\] = None|extends is missing: a table begins with extends = 'base'",
        ),
    ],
)
def test_broken_files_are_refused(files: TableFiles, text: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "mine.toml", text.replace("BASE", first(files)))
    with pytest.raises(TableError, match=rf"mine\.toml: .*({message})"):
        files.read(path)


def test_a_file_that_is_no_text(files: TableFiles, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(TableError, match=r"mine\.toml: not valid TOML"):
        files.read(path)


ENTRIES = [{"id": "a", "n": 1}, {"id": "b", "n": 2}]


def test_entries_are_changed_in_their_places() -> None:
    changes = [{"id": "b", "n": 3}, {"replaces": "a", "id": "c"}]
    assert merge_entries(ENTRIES, changes, "cards") == [{"id": "c", "n": 1}, {"id": "b", "n": 3}]
    added = merge_entries(ENTRIES, [{"id": "d"}, {"id": "d", "n": 4}], "cards", may_add=True)
    assert added == [*ENTRIES, {"id": "d", "n": 4}]
    fresh: Callable[[Any, Any], dict[str, Any]] = lambda entry, change: dict(change)  # noqa: E731
    assert merge_entries(ENTRIES, [{"id": "b"}], "cards", fresh) == [ENTRIES[0], {"id": "b"}]
    assert ENTRIES == [{"id": "a", "n": 1}, {"id": "b", "n": 2}]


@pytest.mark.parametrize(
    ("changes", "may_add", "message"),
    [
        ({"id": "a"}, False, r"cards = .*: must be a list, written as \[\[cards\]\]"),
        ([3], False, r"\[\[cards\]\] = 3: must be a table of keys"),
        ([{"id": "d"}], False, r"\[\[cards\]\] id = 'd': .* no such entry"),
        ([{"n": 1}], False, r"\[\[cards\]\] id = None: .* no such entry"),
        ([{"replaces": "a"}], True, r"\[\[cards\]\] replaces = 'a': give the new entry an id"),
        ([{"replaces": "d", "id": "e"}], True, r"\[\[cards\]\] id = 'd': .* no such entry"),
    ],
)
def test_broken_entries_are_refused(changes: Any, may_add: bool, message: str) -> None:
    with pytest.raises(TableError, match=message):
        merge_entries(ENTRIES, changes, "cards", may_add=may_add)


def test_what_is_worked_out_is_no_part_of_what_is_printed() -> None:
    dtype = np.dtype([("cost", "u1", 2), ("_sum", "u8"), ("name", "u1"), ("_twice", "u1")])
    tables = np.array([((1, 2), 3, 4, 8)], dtype)
    found = printed(tables)
    assert found.dtype == np.dtype([("cost", "u1", 2), ("name", "u1")])
    assert found.tobytes() == bytes([1, 2, 4])
    assert printed(found) is found
