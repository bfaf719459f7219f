"""Card tables of 7 Wonders as files: how one extends another, and what a broken file is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from antiquity.game.tables import text
from antiquity.testing.table import Table
from seven_wonders.positions import KIND
from seven_wonders_env import GAME, TableError
from seven_wonders_env.data.tables import load_tables, read_table


def write(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


EXTENDS = 'extends = "second_edition"\n'


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        EXTENDS
        + """
        name = "mine"
        [rules]
        start_coins = 5
        [[cards]]
        id = "altar"
        effects = [{ type = "vp", amount = 4 }]
        [[guilds]]
        id = "spies_guild"
        cost = { ore = 1 }
        [[wonders]]
        id = "gizah"
        resource = "ore"
        [[wonders.sides]]
        side = "night"
        stages = [{ cost = { wood = 1 }, effects = [{ type = "vp", amount = 9 }] }]
        """,
    )
    mine, base = load_tables(path)[0], load_tables("second_edition")[0]
    assert int(mine["start_coins"]) == 5 and int(mine["sell_coins"]) == 3
    assert np.flatnonzero(mine["vp"][:80] != base["vp"][:80]).tolist() == [KIND["altar"]]
    assert int(mine["vp"][KIND["altar"]]) == 4
    assert np.flatnonzero((mine["need"][:80] != base["need"][:80]).any(axis=1)).tolist() == [
        KIND["spies_guild"]
    ]
    changed = mine["stage_count"] != base["stage_count"]
    assert (
        np.flatnonzero(changed).tolist() == [2 * 3 + 1] and int(mine["stage_count"][7]) == 1
    )  # Gizah, night
    assert not np.array_equal(mine["start"][6], base["start"][6])
    game = Table(GAME, 3, cards=str(path))
    assert game.record["coins"][:3].tolist() == [5, 5, 5]


def test_a_new_card_takes_the_place_of_an_old_one(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        EXTENDS
        + """
        [[cards]]
        replaces = "altar"
        id = "shrine"
        name = "Shrine"
        effects = [{ type = "science", symbol = "gear" }]
        [[cards]]
        id = "pantheon"
        free_from = ["shrine"]
        """,
    )
    tables = load_tables(path)[0]
    assert text(tables["kind_name"][KIND["altar"]]) == "Shrine"
    assert tables["science"][KIND["altar"]].tolist() == [0, 1, 0, 0] and int(tables["vp"][KIND["altar"]]) == 0
    assert int(tables["free_from"][KIND["pantheon"], 0]) == 1 << KIND["altar"]
    broken = write(tmp_path, EXTENDS + '[[cards]]\nreplaces = "altar"\nid = "shrine"\n')
    with pytest.raises(TableError, match=r"card 'pantheon': free_from names 'altar', which is no card"):
        load_tables(broken)


def test_a_card_is_left_out_with_no_copies(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        EXTENDS
        + """
        [[cards]]
        id = "altar"
        copies = []
        [[cards]]
        id = "well"
        copies = [3, 4, 5, 7]
        [[guilds]]
        id = "spies_guild"
        copies = []
        """,
    )
    tables = load_tables(path)[0]
    assert int(tables["guild_count"]) == 9 and KIND["spies_guild"] not in tables["guilds"][:9]
    for players in range(3, 8):
        deck = tables["deck"][players - 3, 0, : 7 * players].tolist()
        assert KIND["altar"] not in deck and deck.count(KIND["well"]) == sum(
            n <= players for n in (3, 4, 5, 7)
        )
    for seed in range(5):
        game = Table(GAME, 7, seed=seed, cards=str(path))
        while game.record["age"] < 2:
            game.step({seat: game.legal(seat)[-1] for seat in game.deciders()})
        assert KIND["spies_guild"] not in game.record["hands"]


def test_tables_extend_each_other(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    write(tmp_path / "base", EXTENDS + "[rules]\nstart_coins = 7\nsell_card_coins = 1\n")
    path = write(tmp_path, 'extends = "base/mine.toml"\n[rules]\nsell_card_coins = 2\n')
    rules = read_table(path)["rules"]
    assert (rules["start_coins"], rules["sell_card_coins"], rules["resource_price"]) == (7, 2, 2)


BROKEN_FILES: dict[str, tuple[str, str]] = {
    "no_base_and_little": ('name = "mine"', r"mine\.toml: \[\[cards\]\]: a table has exactly 70"),
    "unknown_section": (EXTENDS + "[[card]]", r"mine\.toml: unknown entry 'card'"),
    "unknown_entry": (EXTENDS + '[[cards]]\nid = "altr"', r"mine\.toml: \[\[cards\]\] id = 'altr'.*replaces"),
    "no_id": (EXTENDS + "[[cards]]\nage = 1", r"mine\.toml: \[\[cards\]\] id = None"),
    "replaces_nothing": (
        EXTENDS + '[[cards]]\nreplaces = "x"\nid = "y"',
        r"id = 'x': the extended table has no such",
    ),
    "replaces_without_id": (
        EXTENDS + '[[cards]]\nreplaces = "altar"',
        r"replaces = 'altar': give the new entry an id",
    ),
    "rules_no_table": (EXTENDS + "rules = 3", r"mine\.toml: \[rules\] = 3"),
    "cards_no_list": (EXTENDS + "cards = 3", r"mine\.toml: cards = 3: must be a list"),
    "cards_a_table": (EXTENDS + '[cards]\nid = "altar"', r"mine\.toml: cards = .*must be a list"),
    "card_no_table": (EXTENDS + "cards = [3]", r"mine\.toml: \[\[cards\]\] = 3"),
    "sides_no_list": (
        EXTENDS + '[[wonders]]\nid = "gizah"\nsides = 1',
        r"wonder 'gizah': sides must be a list",
    ),
    "side_no_table": (
        EXTENDS + '[[wonders]]\nid = "gizah"\nsides = ["day"]',
        r"wonder 'gizah': side = 'day'",
    ),
    "side_unknown": (
        EXTENDS + '[[wonders]]\nid = "gizah"\n[[wonders.sides]]\nside = "dusk"\nstages = []',
        r"wonder 'gizah': needs the sides day and night",
    ),
    "side_twice": (
        EXTENDS + '[[wonders]]\nid = "gizah"\n' + '[[wonders.sides]]\nside = "day"\nstages = []\n' * 2,
        r"wonder 'gizah': a side is given twice",
    ),
    "side_list": (
        EXTENDS + '[[wonders]]\nid = "gizah"\nsides = [{side = []}]',
        r"wonder 'gizah': needs the sides",
    ),
    "check": (EXTENDS + '[[cards]]\nid = "altar"\ncost = { wood = 9 }', r"mine\.toml: card 'altar': 9 units"),
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_broken_files_are_refused(name: str, tmp_path: Path) -> None:
    content, message = BROKEN_FILES[name]
    path = write(tmp_path, content)
    for read in (read_table, load_tables):
        with pytest.raises(TableError, match=message):
            read(path)
