"""The card table of 7 Wonders, entry by entry, against a list written for this test from the printed game.

The list is literal on purpose: it shares nothing with the package's data files, and it is compared with the compiled
record of arrays that the kernels read.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from antiquity.game.tables import text
from seven_wonders_env.data.tables import BUILT_IN, load_tables
from seven_wonders_env.state import COLOURS, COUNTED, KINDS, MAX_STAGES, POWERS, SCIENCE

# name | Age and colour | least player count of each copy | cost (coins, resources by their first letter) | effects
CARDS = """
Lumber Yard         | 1 brown  | 3 4   | -       | W
Stone Pit           | 1 brown  | 3 5   | -       | S
Clay Pool           | 1 brown  | 3 5   | -       | C
Ore Vein            | 1 brown  | 3 4   | -       | O
Tree Farm           | 1 brown  | 6     | 1       | W/C
Excavation          | 1 brown  | 4     | 1       | S/C
Clay Pit            | 1 brown  | 3     | 1       | C/O
Timber Yard         | 1 brown  | 3     | 1       | W/S
Forest Cave         | 1 brown  | 5     | 1       | W/O
Mine                | 1 brown  | 6     | 1       | S/O
Loom                | 1 grey   | 3 6   | -       | L
Glassworks          | 1 grey   | 3 6   | -       | G
Press               | 1 grey   | 3 6   | -       | P
Well                | 1 blue   | 4 7   | -       | 3 vp
Baths               | 1 blue   | 3 7   | S       | 3 vp
Altar               | 1 blue   | 3 5   | -       | 3 vp
Theater             | 1 blue   | 3 6   | -       | 3 vp
Tavern              | 1 yellow | 4 5 7 | -       | 5 coins
East Trading Post   | 1 yellow | 3 7   | -       | raw right
West Trading Post   | 1 yellow | 3 7   | -       | raw left
Marketplace         | 1 yellow | 3 6   | -       | manufactured both
Stockade            | 1 red    | 3 7   | W       | 1 shields
Barracks            | 1 red    | 3 5   | O       | 1 shields
Guard Tower         | 1 red    | 3 4   | C       | 1 shields
Apothecary          | 1 green  | 3 5   | L       | compass
Workshop            | 1 green  | 3 7   | G       | gear
Scriptorium         | 1 green  | 3 4   | P       | tablet
Sawmill             | 2 brown  | 3 4   | 1       | WW
Quarry              | 2 brown  | 3 4   | 1       | SS
Brickyard           | 2 brown  | 3 4   | 1       | CC
Foundry             | 2 brown  | 3 4   | 1       | OO
Loom                | 2 grey   | 3 5   | -       | L
Glassworks          | 2 grey   | 3 5   | -       | G
Press               | 2 grey   | 3 5   | -       | P
Statue              | 2 blue   | 3 7   | WOO     | 4 vp
Aqueduct            | 2 blue   | 3 7   | SSS     | 5 vp
Temple              | 2 blue   | 3 6   | WCG     | 4 vp
Courthouse          | 2 blue   | 3 5   | CCL     | 4 vp
Caravansery         | 2 yellow | 3 5 6 | WW      | W/S/C/O
Forum               | 2 yellow | 3 6 7 | CC      | G/L/P
Vineyard            | 2 yellow | 3 6   | -       | 1 coins per brown of self+left+right
Bazar               | 2 yellow | 4 7   | -       | 2 coins per grey of self+left+right
Stables             | 2 red    | 3 5   | WCO     | 2 shields
Archery Range       | 2 red    | 3 6   | WWO     | 2 shields
Walls               | 2 red    | 3 7   | SSS     | 2 shields
Training Ground     | 2 red    | 4 6 7 | WOO     | 2 shields
Dispensary          | 2 green  | 3 4   | OOG     | compass
Laboratory          | 2 green  | 3 5   | CCP     | gear
Library             | 2 green  | 3 6   | SSL     | tablet
School              | 2 green  | 3 7   | WP      | tablet
Pantheon            | 3 blue   | 3 6   | CCOGLP  | 7 vp
Gardens             | 3 blue   | 3 4   | WCC     | 5 vp
Town Hall           | 3 blue   | 3 6   | SSOG    | 6 vp
Palace              | 3 blue   | 3 7   | WSCOGLP | 8 vp
Senate              | 3 blue   | 3 5   | WWSO    | 6 vp
Lighthouse          | 3 yellow | 3 6   | SG      | 1 coins per yellow of self, 1 vp per yellow of self
Haven               | 3 yellow | 3 4   | WOL     | 1 coins per brown of self, 1 vp per brown of self
Chamber of Commerce | 3 yellow | 4 6   | CCP     | 2 coins per grey of self, 2 vp per grey of self
Ludus               | 3 yellow | 5 7   | SO      | 3 coins per red of self, 1 vp per red of self
Arena               | 3 yellow | 3 5   | SSO     | 3 coins per wonder_stages of self, 1 vp per wonder_stages of self
Castrum             | 3 red    | 4 7   | WCCP    | 3 shields
Fortifications      | 3 red    | 3 7   | COOO    | 3 shields
Circus              | 3 red    | 4 6   | SSSO    | 3 shields
Arsenal             | 3 red    | 3 5   | WWOL    | 3 shields
Siege Workshop      | 3 red    | 3 5   | WCCC    | 3 shields
Lodge               | 3 green  | 3 6   | CCLP    | compass
Academy             | 3 green  | 3 7   | SSSG    | compass
Observatory         | 3 green  | 3 7   | OOGL    | gear
Study               | 3 green  | 3 5   | WLP     | gear
University          | 3 green  | 3 4   | WWGP    | tablet
Workers Guild       | 3 purple | 3     | WSCOO   | 1 vp per brown of left+right
Craftsmens Guild    | 3 purple | 3     | SSOO    | 2 vp per grey of left+right
Magistrates Guild   | 3 purple | 3     | WWWSL   | 1 vp per blue of left+right
Traders Guild       | 3 purple | 3     | GLP     | 1 vp per yellow of left+right
Spies Guild         | 3 purple | 3     | CCG     | 1 vp per red of left+right
Philosophers Guild  | 3 purple | 3     | CCCLP   | 1 vp per green of left+right
Shipowners Guild    | 3 purple | 3     | WWWGP   | 1 vp per brown+grey+purple of self
Scientists Guild    | 3 purple | 3     | WWOOP   | any science
Builders Guild      | 3 purple | 3     | SSSCCG  | 1 vp per wonder_stages of self+left+right
Decorators Guild    | 3 purple | 3     | SOOL    | 7 vp if complete
"""

# Board side and starting resource: the stages, cost = effects.
BOARDS = """
Alexandria day G: SS = 3 vp; OO = W/S/C/O; LP = 7 vp
Alexandria night G: CC = W/S/C/O; OOO = G/L/P; WWWW = 7 vp
Babylon day W: CC = 3 vp; OOL = any science; WWWW = 7 vp
Babylon night W: SS = play_last_card; CCCG = any science
Ephesos day P: CC = 3 vp; WW = 9 coins; OOG = 7 vp
Ephesos night P: SS = 4 coins, 2 vp; WW = 4 coins, 3 vp; OOL = 4 coins, 5 vp
Gizah day S: WW = 3 vp; CCL = 5 vp; SSSS = 7 vp
Gizah night S: WW = 3 vp; SSS = 5 vp; CCC = 5 vp; SSSSP = 7 vp
Halikarnassos day L: OO = 3 vp; GP = build_from_discard; SSS = 7 vp
Halikarnassos night L: CC = 2 vp, build_from_discard; GP = 1 vp, build_from_discard; WWW = build_from_discard
Olympia day C: SS = 3 vp; WW = first_card_of_each_colour_free; CCC = 7 vp
Olympia night C: OO = 2 vp, first_card_of_each_age_free; CCC = 3 vp, last_card_of_each_age_free; GLP = 5 vp
Rhodos day O: WW = 3 vp; CCC = 2 shields; OOOO = 7 vp
Rhodos night O: SSS = 1 shields, 3 coins, 3 vp; OOOO = 1 shields, 4 coins, 4 vp
"""

# These buildings are free for a city that has one of those.
CHAINS = """
Statue < Well
Aqueduct < Baths
Courthouse < Scriptorium
Caravansery < Marketplace
Forum < East Trading Post, West Trading Post
Stables < Apothecary
Archery Range < Workshop
Dispensary < Apothecary
Laboratory < Workshop
Library < Scriptorium
Pantheon < Altar
Gardens < Theater
Senate < Library
Lighthouse < Caravansery
Haven < Forum
Arena < Dispensary
Fortifications < Walls
Circus < Training Ground
Siege Workshop < Laboratory
Lodge < Dispensary
Academy < School
Observatory < Laboratory
Study < School
University < Library
"""

RESOURCES = "WSCO", "GLP"
CITIES = ("self", "left", "right")
AGE_CARDS = {
    3: (21, 21, 16),
    4: (28, 28, 22),
    5: (35, 35, 28),
    6: (42, 42, 34),
    7: (49, 49, 40),
}  # without guilds


def rows(table: str) -> list[list[str]]:
    return [[part.strip() for part in line.split("|")] for line in table.strip().splitlines()]


def counts(symbols: list[str]) -> list[int]:
    """Of 24 subsets of the resources (16 raw, 8 manufactured), how many symbols can make something in each."""
    return [
        sum(
            any(letter in symbol for bit, letter in enumerate(goods) if subset >> bit & 1)
            for symbol in symbols
        )
        for goods in RESOURCES
        for subset in range(1 << len(goods))
    ]


def unpack(words: Any) -> list[int]:
    return [int(word) >> 8 * byte & 255 for word in words for byte in range(8)]


def effects_of(words: str) -> dict[str, Any]:
    """The fields of the compiled record that the words stand for."""
    wanted: dict[str, Any] = {
        **dict.fromkeys(("coins", "vp", "shields", "vp_complete", "discounts", "powers"), 0),
        "science": [0] * 4,
        "coins_per": np.zeros((3, 8), int),
        "vp_per": np.zeros((3, 8), int),
    }
    symbols: list[str] = []
    for effect in words.split(", "):
        if match := re.fullmatch(r"(\d+) (vp|coins|shields)", effect):
            wanted[match[2]] += int(match[1])
        elif match := re.fullmatch(r"(\d+) (vp|coins) per (\S+) of (\S+)", effect):
            for city in match[4].split("+"):
                for thing in match[3].split("+"):
                    wanted[f"{match[2]}_per"][CITIES.index(city), COUNTED.index(thing)] += int(match[1])
        elif match := re.fullmatch(r"(\d+) vp if complete", effect):
            wanted["vp_complete"] += int(match[1])
        elif match := re.fullmatch(r"(raw|manufactured) (left|right|both)", effect):
            sides = {"left": 1, "right": 2, "both": 3}[match[2]]
            wanted["discounts"] |= sides << (0 if match[1] == "raw" else 2)
        elif effect in (*SCIENCE, "any science"):
            wanted["science"][SCIENCE.index(effect) if effect in SCIENCE else 3] += 1
        elif effect in POWERS:
            wanted["powers"] |= POWERS[effect]
        else:
            assert re.fullmatch(r"[WSCOGLP]+|[WSCO](/[WSCO])+|G/L/P", effect), effect
            symbols += [effect] if "/" in effect else list(effect)
    return {**wanted, "own": counts(symbols)}


def check_item(item: int, cost: str, effects: str, *, sold: bool) -> None:
    tables = load_tables("second_edition")[0]
    coins, resources = re.fullmatch(r"(\d*)([WSCOGLP]*)", cost.replace("-", "")).groups()  # type: ignore[union-attr]
    assert int(tables["bank"][item]) == int(coins or 0)
    assert [128 - byte for byte in unpack(tables["need"][item])] == counts(list(resources))
    for field, value in effects_of(effects).items():
        found = unpack(tables["own"][item]) if field == "own" else tables[field][item].tolist()
        assert np.array_equal(found, value), field
    assert unpack(tables["sell"][item]) == (unpack(tables["own"][item]) if sold else [0] * 24)
    assert bool(tables["counts"][item]) == bool(tables["coins_per"][item].any())


@pytest.mark.parametrize("kind", range(KINDS), ids=[row[0].replace(" ", "_") for row in rows(CARDS)])
def test_every_card(kind: int) -> None:
    name, age_and_colour, copies, cost, effects = rows(CARDS)[kind]
    age, colour = age_and_colour.split()
    tables = load_tables("second_edition")[0]
    assert text(tables["kind_name"][kind]) == name
    assert int(tables["age_of"][kind]) == int(age) - 1
    assert COLOURS[tables["colour"][kind]] == colour
    if name == "Theater":
        effects = "2 vp"  # the rules document; the printed value is in the table second_edition_print
    check_item(kind, cost, effects, sold=colour in ("brown", "grey"))
    namesakes = [other for other, row in enumerate(rows(CARDS)) if row[0] == name]
    assert bits(tables["same_name"][kind]) == namesakes
    for players in range(3, 8):
        for column in range(3):
            size = int(tables["deck_size"][players - 3, column])
            in_deck = tables["deck"][players - 3, column, :size].tolist().count(kind)
            wanted = sum(int(least) <= players for least in copies.split())
            assert in_deck == (wanted if column == int(age) - 1 and colour != "purple" else 0)


def bits(words: Any) -> list[int]:
    return [kind for kind in range(KINDS) if int(words[kind // 64]) >> kind % 64 & 1]


def test_names_that_exist_twice() -> None:
    """Loom, Glassworks and Press are one building each, printed in two Ages."""
    names = Counter(row[0] for row in rows(CARDS))
    assert {name for name, number in names.items() if number > 1} == {"Loom", "Glassworks", "Press"}


def test_chains() -> None:
    names = [row[0] for row in rows(CARDS)]
    wanted = {}
    for line in CHAINS.strip().splitlines():
        child, parents = line.split(" < ")
        wanted[names.index(child)] = sorted(names.index(parent) for parent in parents.split(", "))
    tables = load_tables("second_edition")[0]
    found = {kind: bits(tables["free_from"][kind]) for kind in range(KINDS)}
    assert {kind: parents for kind, parents in found.items() if parents} == wanted
    assert len(wanted) == 24 and sum(map(len, wanted.values())) == 25  # the Forum has two parents


@pytest.mark.parametrize("board", range(14))
def test_every_board(board: int) -> None:
    heading, stages = BOARDS.strip().splitlines()[board].split(": ")
    name, side, resource = heading.split()
    tables = load_tables("second_edition")[0]
    assert text(tables["board_name"][board // 2]) == name and ("day", "night")[board % 2] == side
    assert text(tables["board_id"][board // 2]) == name.lower()
    assert unpack(tables["start"][board]) == counts([resource])
    listed = stages.split("; ")
    assert int(tables["stage_count"][board]) == len(listed)
    for number, stage in enumerate(listed):
        cost, effects = stage.split(" = ")
        check_item(KINDS + board * MAX_STAGES + number, cost, effects, sold=False)
    for number in range(len(listed), MAX_STAGES):
        unused = KINDS + board * MAX_STAGES + number
        assert not any(tables[field][unused].any() for field in ("need", "own", "vp", "coins", "powers"))


@pytest.mark.parametrize("players", range(3, 8))
def test_decks(players: int) -> None:
    """7n cards an Age, n+2 of them guilds in Age III; 49, 49 and 40 cards in the box."""
    tables = load_tables("second_edition")[0]
    sizes = tables["deck_size"][players - 3].tolist()
    assert tuple(sizes) == AGE_CARDS[players]
    assert [7 * players - size for size in sizes] == [0, 0, players + 2]
    assert tables["guilds"][: int(tables["guild_count"])].tolist() == list(range(70, 80))


def test_numbers_of_the_rules() -> None:
    tables = load_tables("second_edition")[0]
    assert int(tables["start_coins"]) == 3 and int(tables["sell_coins"]) == 3
    assert tables["price"].tolist() == [2, 1]
    assert tables["win_vp"].tolist() == [1, 3, 5] and int(tables["loss_vp"]) == 1
    assert int(tables["coins_per_vp"]) == 3 and int(tables["set_vp"]) == 7


def test_the_printed_table_differs_in_the_theater_alone() -> None:
    document, printed = (load_tables(name)[0] for name in BUILT_IN)
    theater = [row[0] for row in rows(CARDS)].index("Theater")
    assert int(document["vp"][theater]) == 2 and int(printed["vp"][theater]) == 3
    for name in document.dtype.names:
        if name == "vp":
            assert np.flatnonzero(document["vp"] != printed["vp"]).tolist() == [theater]
        else:
            assert np.array_equal(document[name], printed[name]), name


def test_tables_are_read_only() -> None:
    tables = load_tables("second_edition")
    with pytest.raises(ValueError, match="read-only"):
        tables["start_coins"] = 9
    assert load_tables("second_edition") is tables  # compiled once


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_is_worked_out_follows_from_what_is_printed(name: str) -> None:
    tables = load_tables(name)[0]
    for kind in range(KINDS):
        children = [
            child for child in range(KINDS) if int(tables["free_from"][child, kind // 64]) >> kind % 64 & 1
        ]
        for age in range(3):
            later = [child for child in children if tables["age_of"][child] > age]
            assert tables["_heirs"][kind, age] == len(later)
    assert tables["_heirs"].any()
    for item, counts in enumerate(tables["_vp_counts"]):
        assert counts == (tables["vp_per"][item] != 0).any()
    assert tables["_vp_counts"].any() and not tables["_vp_counts"].all()
