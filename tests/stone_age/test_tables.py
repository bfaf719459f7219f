"""The printed cards and tiles of Stone Age: their totals, and what a table of one's own may change."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.testing.table import Table
from stone_age_env import GAME, TableError
from stone_age_env.actions import card_name, tile_name
from stone_age_env.data.checks import TOPS, check_table
from stone_age_env.data.tables import compile_table, load_tables, read_table
from stone_age_env.state import PERSONS, RESOURCES, SYMBOLS

TABLE = read_table("base")
CARDS: list[dict[str, Any]] = TABLE["cards"]
TILES: list[dict[str, Any]] = TABLE["tiles"]
VALUE = {"wood": 3, "clay": 4, "stone": 5, "gold": 6}


def tops(kind: str) -> list[dict[str, Any]]:
    return [card["top"] for card in CARDS if card["top"]["kind"] == kind]


def test_numbers_of_tops() -> None:
    assert Counter(card["top"]["kind"] for card in CARDS) == {
        "lottery": 10,
        "food": 7,
        "resource": 5,
        "dice_resource": 3,
        "points": 3,
        "one_use_tool": 3,
        "agriculture": 2,
        "tool": 1,
        "extra_card": 1,
        "any_resources": 1,
    }
    assert set(TOPS) == {card["top"]["kind"] for card in CARDS}
    assert sorted(top["n"] for top in tops("food")) == [1, 2, 3, 3, 4, 5, 7]
    assert [top["n"] for top in tops("points")] == [3, 3, 3]
    assert sorted((top["resource"], top["n"]) for top in tops("resource")) == [
        ("clay", 1),
        ("gold", 1),
        ("stone", 1),
        ("stone", 1),
        ("stone", 2),
    ]
    assert sorted(top["resource"] for top in tops("dice_resource")) == ["gold", "stone", "wood"]
    assert sorted(top["value"] for top in tops("one_use_tool")) == [2, 3, 4]


def test_lower_halves() -> None:
    symbols = Counter(card["bottom"]["symbol"] for card in CARDS if "symbol" in card["bottom"])
    assert symbols == dict.fromkeys(SYMBOLS, 2)
    figures = {
        person: sorted(card["bottom"]["figures"] for card in CARDS if card["bottom"].get("person") == person)
        for person in PERSONS
    }
    assert figures == {
        "farmer": [1, 1, 1, 2, 2],
        "toolmaker": [1, 1, 2, 2, 2],
        "builder": [1, 1, 2, 2, 3],
        "shaman": [1, 1, 1, 2, 2],
    }
    assert {person: sum(numbers) for person, numbers in figures.items()} == {
        "farmer": 7,
        "toolmaker": 8,
        "builder": 9,
        "shaman": 7,
    }
    lotteries = [card["bottom"] for card in CARDS if card["top"]["kind"] == "lottery"]
    found = sorted(bottom.get("symbol") or f"{bottom['person']} {bottom['figures']}" for bottom in lotteries)
    assert found == sorted(
        ["pottery", "writing", "transport", "time", "farmer 1", "farmer 2"]
        + ["builder 1", "builder 2", "toolmaker 2", "toolmaker 2"]
    )


def test_upper_and_lower_halves_go_together() -> None:
    """Both halves of every card that is no lottery."""
    tables = load_tables("base")
    names = [card_name(tables, card) for card in range(36)]
    assert sorted(name for name in names if not name.startswith("dice")) == sorted(
        [
            "7 food / pottery",
            "extra card / writing",
            "2 stone / transport",
            "agriculture / time",
            "5 food / healing",
            "2 free resources / healing",
            "tool / art",
            "2 dice gold / art",
            "3 points / music",
            "3 points / music",
            "1 food / weaving",
            "3 food / weaving",
            "1 stone / 1 farmer",
            "agriculture / 1 farmer",
            "3 food / 2 farmers",
            "one-use tool 4 / 1 toolmaker",
            "one-use tool 3 / 1 toolmaker",
            "one-use tool 2 / 2 toolmakers",
            "4 food / 1 builder",
            "2 food / 2 builders",
            "3 points / 3 builders",
            "1 stone / 1 shaman",
            "1 gold / 1 shaman",
            "2 dice stone / 1 shaman",
            "1 clay / 2 shamans",
            "2 dice wood / 2 shamans",
        ]
    )


def test_tiles() -> None:
    assert sum(tile["copies"] for tile in TILES) == 28
    kinds: Counter[str] = Counter()
    for tile in TILES:
        kinds[tile["kind"]] += tile["copies"]
    assert kinds == {"fixed": 17, "choice": 8, "any": 3}
    fixed = [tile for tile in TILES if tile["kind"] == "fixed"]
    for tile in fixed:
        assert tile["points"] == sum(VALUE[name] * number for name, number in tile["cost"].items())
        assert sum(tile["cost"].values()) == 3
    points = sorted(tile["points"] for tile in fixed for _ in range(tile["copies"]))
    assert points == [10, 11, 11, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 16]
    # Two kinds: every pair without a double gold once; three kinds: every triple twice.
    two = {
        (max(t["cost"], key=t["cost"].get), min(t["cost"], key=t["cost"].get))
        for t in fixed
        if len(t["cost"]) == 2
    }
    assert two == {(a, b) for a in RESOURCES[:3] for b in RESOURCES if a != b}
    three = [(frozenset(t["cost"]), t["copies"]) for t in fixed if len(t["cost"]) == 3]
    assert sorted(copies for _, copies in three) == [2, 2, 2, 2] and len({kinds for kinds, _ in three}) == 4
    choice = sorted((tile["pieces"], tile["kinds"]) for tile in TILES if tile["kind"] == "choice")
    assert choice == [(pieces, number) for pieces in (4, 5) for number in (1, 2, 3, 4)]
    [any_tile] = [tile for tile in TILES if tile["kind"] == "any"]
    assert (any_tile["pieces_min"], any_tile["pieces_max"]) == (1, 7)


def test_rules_in_numbers() -> None:
    assert TABLE["rules"] == {
        "start_people": 5,
        "start_food": 12,
        "max_agriculture": 10,
        "hunger_penalty": 10,
        "resource_vp": 1,
        "divisor": {"food": 2, "wood": 3, "clay": 4, "stone": 5, "gold": 6},
        "value": VALUE,
    }


def test_record_of_the_tables() -> None:
    tables = load_tables("base")
    assert tables.shape == (1,) and not tables.flags.writeable and load_tables("base") is tables
    record = tables[0]
    assert (np.bincount(record["tiles"], minlength=28) == record["tile_copies"]).all()
    assert not record["card_features"][36].any() and not record["tile_features"][28].any()
    assert (record["card_features"][:36, 0] == 1).all()
    # Cards that differ in anything look different.
    looks = {row.tobytes() for row in record["card_features"][:36]}
    assert len(looks) == 34  # two pairs are the same card twice
    assert tile_name(tables, 0) == "2 wood + 1 clay = 10" and tile_name(tables, 21) == "1-7 of any kind"


# --- tables of one's own --------------------------------------------------------------------------------------------


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_extending(tmp_path: Path) -> None:
    own = write(
        tmp_path / "own.toml",
        """
        extends = "base"
        name = "own"
        [rules]
        start_food = 20
        divisor = { gold = 7 }
        [[cards]]
        replaces = "C02"
        id = "seven_points"
        top = { kind = "points", n = 7 }
        bottom = { person = "shaman", figures = 3 }
        [[tiles]]
        id = "wood2_clay1"
        points = 30
        [[tiles]]
        id = "any_1_to_7"
        copies = 2
        [[tiles]]
        id = "two_gold"
        kind = "choice"
        pieces = 2
        kinds = 1
        copies = 1
        """,
    )
    tables = load_tables(own)
    record = tables[0]
    assert record["start_food"] == 20 and record["divisor"].tolist() == [2, 3, 4, 5, 7]
    assert card_name(tables, 1) == "7 points / 3 shamans" and card_name(tables, 0) == "7 food / pottery"
    assert tile_name(tables, 0) == "2 wood + 1 clay = 30"
    assert tile_name(tables, 22) == "2 of 1 kind" and record["tile_copies"][21:23].tolist() == [2, 1]
    game = Table(GAME, 3, cards=str(own))
    assert game.record["food"][:3].tolist() == [20, 20, 20]
    # A table may extend one that extends another, by a path relative to it.
    next_one = write(tmp_path / "next.toml", 'extends = "own.toml"\n[rules]\nhunger_penalty = 5\n')
    assert load_tables(next_one)[0]["start_food"] == 20 and load_tables(next_one)[0]["hunger_penalty"] == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends = 'base'\n[[cards]]\nid = 'C99'", "no such entry"),
        ("extends = 'base'\n[[guilds]]\nid = 'C99'", "unknown entry 'guilds'"),
        ("extends = 'base'\n[[tiles]]\nreplaces = 'hut'\nid = 'x'", "no such entry"),
        ("extends = 'base'\n[[tiles]]\nreplaces = 'any_1_to_7'\ncopies = 1", "give the new entry an id"),
        ("extends = 'base'\n[[tiles]]\ncopies = 1\n[[tiles]]\nid = 'x'", "id is missing"),
        ("extends = 'base'\n[[tiles]]\nid = 'any_1_to_7'\ncopies = 4", "add up to 29"),
        ("extends = 'base'\nrules = 3", "must be a table"),
        ("extends = 'base'\ncards = 3", r"cards = 3: must be a list, written as \[\[cards\]\]"),
        ("extends = 'base'\ncards = [3]", r"\[\[cards\]\] = 3: must be a table"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path / "own.toml", text)
    with pytest.raises(TableError, match=message) as error:
        GAME.setup(4, cards=path)
    assert "own.toml" in str(error.value)


Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["cards"].pop(), "exactly 36"),
        (lambda data: data.update(tiles=[]), "1 to 28 kinds"),
        (lambda data: data["cards"][3].update(id="C01"), "'C01': the id is used twice"),
        (lambda data: data["tiles"][3].update(id="wood2_clay1"), "'wood2_clay1': the id is used twice"),
        (lambda data: data["cards"][3].update(id=""), "id is missing"),
        (lambda data: data["cards"][3].update(colour="red"), "'C04': key = 'colour'"),
        (lambda data: data["cards"][3]["top"].update(kind="wonder"), "'C04': top.kind = 'wonder'"),
        (lambda data: data["cards"][3]["top"].update(n=3), "'C04': top: key = 'n'"),
        (lambda data: data["cards"][0]["top"].update(n=0), "'C01': top.n = 0"),
        (lambda data: data["cards"][0]["top"].update(n=16), "'C01': top.n = 16"),
        (lambda data: data["cards"][4]["top"].update(resource="food"), "'C05': top.resource = 'food'"),
        (lambda data: data["cards"][21]["top"].update(value=5), "'C22': top.value = 5"),
        (lambda data: data["cards"][0].update(bottom={}), "'C01': bottom.person = None"),
        (lambda data: data["cards"][0]["bottom"].update(symbol="iron"), "'C01': bottom.symbol = 'iron'"),
        (lambda data: data["cards"][0]["bottom"].update(figures=1), "'C01': bottom: key = 'figures'"),
        (lambda data: data["cards"][20]["bottom"].update(figures=6), "'C21': bottom.figures = 6"),
        (lambda data: data["tiles"][0].update(kind="hut"), "'wood2_clay1': kind = 'hut'"),
        (lambda data: data["tiles"][0].update(cost={}), "number of resources = 0"),
        (lambda data: data["tiles"][0].update(cost={"wood": 8}), "cost.wood = 8"),
        (lambda data: data["tiles"][0].update(cost={"wood": 4, "clay": 4}), "number of resources = 8"),
        (lambda data: data["tiles"][0].update(points=-1), "points = -1"),
        (lambda data: data["tiles"][0].update(pieces=3), "key = 'pieces'"),
        (lambda data: data["tiles"][13].update(kinds=5), "kinds = 5"),
        (lambda data: data["tiles"][16].update(pieces=3), "pieces = 3"),
        (lambda data: data["tiles"][21].update(pieces_min=0), "pieces_min = 0"),
        (lambda data: data["tiles"][21].update(pieces_max=8), "pieces_max = 8"),
        (lambda data: data["rules"].update(start_people=11), "start_people = 11"),
        (lambda data: data["rules"].update(start_food="many"), "start_food = 'many'"),
        (lambda data: data["rules"].update(price=2), r"\[rules\]: key = 'price'"),
        (lambda data: data["rules"]["divisor"].update(food=1), "divisor.food = 1"),
        (lambda data: data["rules"]["value"].update(gold=True), "value.gold = True"),
        (lambda data: data["rules"]["value"].pop("gold"), "value.gold = None"),
        (lambda data: data.pop("rules"), r"\[rules\] = None: must be"),
    ],
)
def test_checks(change: Change, message: str) -> None:
    """Every condition, with an error that names the entry; the printed table keeps them all."""
    data = copy.deepcopy(TABLE)
    check_table(data)
    compile_table(data)
    change(data)
    with pytest.raises(TableError, match=message):
        check_table(data)
