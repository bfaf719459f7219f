"""The printed game of 7 Wonders Dice as data: numbers, how sure they are, what may be changed, and what is refused."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dice_env
from antiquity.game.tables import TableError, text
from antiquity.testing.table import Table
from dice_env.data.checks import check_sheet, stack_bound
from dice_env.data.reading import LEVELS, read_sheet, verified
from dice_env.data.sheets import board_spaces
from dice_env.data.tables import load_tables
from dice_env.state import DICE, GAME_DTYPE, GROUPS, KIND_MASK, NUM_ACTIONS, PASS, SPACES, STACK
from dice_env.views.text import render
from dice_positions import AGAIN, TRIO, Position

BASE = read_sheet("base")
BOARDS = {board["id"]: board for board in BASE["boards"]}


def sheet_of(board: str) -> dict[str, Any]:
    return {space.id: space for space in board_spaces(BASE, BOARDS[board])}


def costs(board: str, *tracks: str) -> list[int]:
    return [space.cost for space in board_spaces(BASE, BOARDS[board]) if space.track in tracks]


# --- the facts ------------------------------------------------------------------------------------------------------


def test_spaces_of_every_sheet() -> None:
    for board in BOARDS.values():
        spaces = board_spaces(BASE, board)
        count = Counter(space.building for space in spaces)
        assert count == {
            "warehouse": 6,
            "agora": 8,
            "market": 6,
            "barracks": 14,
            "university": 9,
            "guild_court": 3,
            "gallery": 7,
            "wonder": 3,
        }
        assert all(0 <= space.cost <= 6 for space in spaces)
        assert len({space.slot for space in spaces}) == len({space.id for space in spaces}) == 56


@pytest.mark.parametrize("board", BOARDS)
def test_costs_and_points_common_to_all_sheets(board: str) -> None:
    assert costs(board, "warehouse") == [0, 0, 0, 2, 2, 2]
    assert sorted(costs(board, "agora_a", "agora_b", "agora_c")) == [0, 1, 1, 2, 2, 3, 3, 4]
    assert sorted(costs(board, "market_left", "market_right")) == [1, 1, 2, 2, 3, 3]
    for side in ("west", "east"):
        assert costs(board, f"{side}_attack") == [0, 1, 2, 3, 4]
        assert costs(board, f"{side}_defence") == [1, 2]
    assert [costs(board, lane) for lane in ("upper", "middle", "lower")] == [[2, 3, 4], [3, 4, 5], [0, 3, 6]]
    assert costs(board, "guild_court") == [2, 3, 4]
    assert costs(board, "laurel") == [2, 3, 4] and costs(board, "leaders") == [2, 2, 2, 2]
    spaces = board_spaces(BASE, BOARDS[board])
    points = {
        track: [space.vp for space in spaces if space.track == track]
        for track in ("west_attack", "east_attack")
    }
    assert points == {"west_attack": [3, 3, 4, 5, 6], "east_attack": [3, 3, 4, 5, 6]}
    assert sorted(space.vp for space in spaces if space.building == "agora") == [1, 2, 2, 3, 3, 4, 4, 5]
    assert [space.vp for space in spaces if space.building == "guild_court"] == [5, 6, 7]
    assert [sheet_of(board)[f"{lane}3"].effect for lane in ("upper", "middle", "lower")] == [
        {"kind": "unlock", "die": die} for die in ("black", "purple", "white")
    ]


def test_boards_differ_in_wonder_and_university_alone() -> None:
    sheets = {board: sheet_of(board) for board in BOARDS}
    for one, other in itertools.combinations(sheets, 2):
        different = {space.building for name, space in sheets[one].items() if space != sheets[other][name]}
        assert different == {"wonder", "university"}
    assert list(BOARDS) == ["giza", "rhodes", "alexandria", "babylon", "olympia", "ephesus", "halicarnassus"]
    assert costs("giza", "wonder") == [3, 1, 6]


def test_dice() -> None:
    dice = {die["id"]: die for die in BASE["dice"]}
    assert list(dice) == list(DICE)
    shapes = {name: sorted(Counter(die["faces"]).values()) for name, die in dice.items()}
    for grey in ("grey1", "grey2", "grey3"):
        assert shapes[grey] == [1, 1, 1, 1, 2]
        assert sorted(dice[grey]["six_faces"]) == ["clay", "glass", "papyrus", "stone", "textile", "wood"]
    assert shapes["green"] == shapes["red"] == shapes["yellow"] == [2, 2, 2]
    assert shapes["blue"] == shapes["purple"] == shapes["black"] == [1] * 6
    assert Counter(dice["white"]["faces"])["laurel"] == 2 and len(set(dice["white"]["faces"])) == 5
    all_greys = Counter(face for grey in ("grey1", "grey2", "grey3") for face in dice[grey]["faces"])
    assert sorted(all_greys.values()) == [2, 2, 2, 4, 4, 4]
    tables = load_tables()[0]
    assert np.count_nonzero(tables["face_coins"]) == 2 and tables["face_coins"].max() == 7
    assert sorted(tables["face_compares"][DICE.index("purple")].tolist()) == [1, 2, 3, 4, 5, 8]


def test_rules() -> None:
    tables = load_tables()[0]
    assert (tables["start_coins"], tables["pass_coins"], tables["first_agora_vp"]) == (7, 3, 3)
    assert tables["quadrant_cost"].tolist() == [0, 1, 2, 3]
    assert tables["bonus_coins"].tolist() == [0, 0, 7]


def test_record_is_small_and_tables_are_read_only() -> None:
    assert GAME_DTYPE.itemsize < 1024
    with pytest.raises(ValueError, match="read-only"):
        load_tables()["pass_coins"] = 4


# --- how sure it is -------------------------------------------------------------------------------------------------


def test_every_value_says_how_sure_it_is() -> None:
    known = dice_env.facts()
    assert len(known) > 250
    assert {fact.verified for fact in known.values()} == {"2+ sources", "1 source", "guess"}
    for board in BOARDS.values():
        for space in board_spaces(BASE, board):
            own = f"boards.{board['id']}.{space.id}"
            assert f"{own}.cost" in known or f"spaces.{space.id}.cost" in known
            if space.effect:
                assert f"{own}.effect" in known or f"spaces.{space.id}.effect" in known


@pytest.mark.parametrize(
    ("name", "level", "reconstructed", "conflict"),
    [
        ("rules.start_coins", "2+ sources", False, False),
        ("rules.quadrant_cost", "2+ sources", False, False),
        ("rules.end", "2+ sources", False, False),
        ("rules.throw", "guess", True, False),
        ("spaces.glass.cost", "1 source", False, True),
        ("spaces.A1.cost", "1 source", False, False),
        ("tracks.agora_a.count", "guess", True, False),
        ("spaces.L1.cost", "1 source", False, False),
        ("spaces.L1.effect", "guess", True, False),
        ("spaces.WA1.vp", "1 source", False, False),
        ("tracks.west_defence.count", "2+ sources", False, False),
        ("spaces.laurel1.cost", "guess", True, False),
        ("spaces.red_leader.effect", "1 source", False, False),
        ("spaces.upper3.effect", "2+ sources", False, False),
        ("boards.giza.wonder1.cost", "1 source", False, False),
        ("boards.giza.wonder3.cost", "guess", False, False),
        ("boards.giza.upper1.effect", "guess", True, False),
        ("boards.rhodes.wonder1.cost", "guess", True, False),
        ("boards.rhodes.city", "1 source", False, False),
        ("boards.olympia.city", "guess", False, False),
        ("dice.grey1.faces", "1 source", False, True),
        ("dice.red.faces", "2+ sources", False, False),
        ("dice.yellow.coins7", "2+ sources", False, False),
        ("bonuses.cross.effect", "1 source", False, True),
        ("bonuses.coins.effect", "2+ sources", False, False),
        ("switches.wonder_bonus", "1 source", False, True),
    ],
)
def test_flags(name: str, level: str, reconstructed: bool, conflict: bool) -> None:
    fact = dice_env.facts()[name]
    assert (fact.verified, fact.reconstructed, fact.conflict) == (level, reconstructed, conflict)
    assert dice_env.verified(name) == level


def test_verified_of_a_part_is_its_least_sure_value() -> None:
    assert verified("boards.giza") == "guess"
    assert verified("spaces.A1") == "1 source"
    assert verified("bonuses.again") == "2+ sources"
    assert [level for level in LEVELS if level != "user"] == ["2+ sources", "1 source", "guess"]
    with pytest.raises(KeyError, match=r"no value 'spaces\.Z9'"):
        verified("spaces.Z9")


# --- changed data ---------------------------------------------------------------------------------------------------


def changed(tmp_path: Path, body: str, name: str = "mine.toml") -> str:
    path = tmp_path / name
    path.write_text(f'extends = "base"\n{body}', encoding="utf-8")
    return str(path)


def test_changed_numbers_are_played_and_flagged(tmp_path: Path) -> None:
    sheet = changed(
        tmp_path,
        """
        [rules]
        start_coins = 9
        pass_coins = 5
        pass_coins_verified = "2+ sources"
        [[tracks]]
        id = "market_left"
        spaces = [{ id = "L1", cost = 4, effect = { kind = "coins", n = 7 }, verified = "2+ sources" }]
        [[boards]]
        id = "rhodes"
        spaces = [{ id = "wonder1", cost = 5 }]
        """,
    )
    assert (
        verified("rules.start_coins", sheet) == "user" and verified("rules.pass_coins", sheet) == "2+ sources"
    )
    assert (
        verified("spaces.L1.cost", sheet) == "2+ sources"
        and verified("spaces.L1.effect", sheet) == "2+ sources"
    )
    assert dice_env.facts(sheet)["spaces.L1.effect"].reconstructed is False
    assert verified("boards.rhodes.wonder1.cost", sheet) == "user"
    assert verified("boards.rhodes.wonder1.effect", sheet) == "guess"  # not changed
    assert verified("spaces.L2.effect", sheet) == "guess"
    table = Position(("giza", "rhodes"), coins=4, sheet=sheet)
    table.lies("yellow", "camel")
    table.do(0, "yellow", "L1")
    assert table.coins(0) == 7
    assert Table(dice_env.GAME, 2, sheet=sheet).record["coins"][0] == 9
    assert load_tables()[0]["cost"][0][16] == 1  # the package's own data is untouched


def test_extends_a_file_that_extends(tmp_path: Path) -> None:
    changed(tmp_path, "[rules]\nstart_coins = 9\npass_coins = 4\n", "one.toml")
    path = tmp_path / "two.toml"
    path.write_text('extends = "one.toml"\n[rules]\npass_coins = 6\n', encoding="utf-8")
    tables = load_tables(str(path))[0]
    assert (tables["start_coins"], tables["pass_coins"]) == (9, 6)


def test_spaces_come_and_go(tmp_path: Path) -> None:
    sheet = changed(
        tmp_path,
        """
        [[tracks]]
        id = "laurel"
        spaces = [{ id = "laurel4", cost = 5, vp = 2 }]
        [[tracks]]
        id = "agora_c"
        spaces = [{ id = "C2", remove = true }]
        [[tracks]]
        id = "agora_d"
        spaces = [{ id = "D1", cost = 3, vp = 4 }]
        [[dice]]
        id = "blue"
        symbols = [{ id = "caduceus", spaces = ["agora_d"] }]
        [[boards]]
        id = "giza"
        spaces = [{ id = "wonder4", track = "wonder", cost = 2, vp = 3 }]
        """,
    )
    data = read_sheet(sheet)
    giza = {space.id: space for space in board_spaces(data, data["boards"][0])}
    assert giza["laurel4"].slot == 54 and giza["wonder4"].slot == 63 and "C2" not in giza
    assert giza["D1"].first and giza["D1"].slot == 13
    assert verified("spaces.laurel4", sheet) == "user"
    table = Position(coins=40, sheet=sheet)
    table.lies("blue", "caduceus")
    table.do(0, "blue")
    assert table.has(0, "D1")
    table.all_but(0, "wonder", "wonder4")
    table.do(0, 11)
    assert table.has(0, "wonder4") and table.deciders() == [0]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            '[[tracks]]\nid = "market_left"\nspaces = [{ id = "L1", cost = 16 }]',
            r"'L1': cost = 16: .* 0 to 15",
        ),
        (
            '[[tracks]]\nid = "market_left"\nspaces = [{ id = "L1", effect = { kind = "fly" } }]',
            "effect kind = 'fly'",
        ),
        (
            '[[tracks]]\nid = "market_left"\nspaces = [{ id = "L1", effect = { kind = "coins" } }]',
            "coins needs n",
        ),
        (
            '[[tracks]]\nid = "market_left"\nspaces = [{ id = "L1", effect = '
            '{ kind = "cross", buildings = ["wonder"], up_to = 1 } }]',
            "buildings = 'wonder'",
        ),
        ('[[tracks]]\nid = "garden"\nspaces = [{ id = "G1", cost = 1 }]', "track 'garden'"),
        ('[[tracks]]\nid = "leaders"\nspaces = [{ id = "fifth", cost = 1 }]', "room for 4 spaces, 'fifth'"),
        (
            '[[tracks]]\nid = "warehouse"\nspaces = [{ id = "stone", vp = 1 }]',
            "gives its resource and nothing else",
        ),
        (
            '[[boards]]\nid = "giza"\nspaces = [{ id = "nowhere", cost = 1 }]',
            "no track has a space 'nowhere'",
        ),
        ('[[boards]]\nid = "atlantis"\ncity = "A"\nwonder = "W"', "exactly 7"),
        ('[[dice]]\nid = "red"\nfaces = ["axe", "axe"]', "faces must name 6 symbols"),
        ('[[dice]]\nid = "red"\nfaces = ["axe", "axe", "axe", "axe", "axe", "bow"]', "faces = 'bow'"),
        ('[[dice]]\nid = "red"\nsymbols = [{ id = "axe", spaces = ["moat"] }]', "'moat' is no space"),
        ('[[dice]]\nid = "red"\nsymbols = [{ id = "axe", compares = "market" }]', "only the purple die"),
        ("[rules]\nstart_coins = -1", "start_coins = -1"),
        ("[rules]\nquadrant_cost = [0, 1, 2]", "list of 4 costs"),
        ("[switches]\nbarracks_bonus = 'none'", "barracks_bonus = 'none'"),
        ("[cards]\na = 1", "unknown entry 'cards'"),
        (
            '[[tracks]]\nid = "upper"\nspaces = [{ id = "x", cost = 1, verified = "surely" }]',
            "room for 3 spaces",
        ),
        (
            '[[tracks]]\nid = "laurel"\nspaces = [{ id = "x", cost = 1, verified = "surely" }]',
            "verified is 'surely'",
        ),
        ("rules = 3", "must be a table"),
        ("boards = 3", "list of tables"),
        ("[rules]\nstarting_coins = 3", "'starting_coins' is no key"),
        ('[[tracks]]\nid = "upper"\nspaces = [{ id = "upper1", costs = 3 }]', "upper1: 'costs' is no key"),
        ('[[dice]]\nid = "red"\nsymbols = [{ id = "axe", space = ["upper"] }]', "axe: 'space' is no key"),
        ("[[bonuses]]\nid = 'coins'\neffect = { kind = 'vp', n = 3 }", "effect kind = 'vp'"),
    ],
)
def test_broken_data_is_refused(tmp_path: Path, body: str, message: str) -> None:
    sheet = changed(tmp_path, body)
    with pytest.raises(TableError, match=message):
        load_tables(sheet)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_players": 1}, ValueError, "num_players"),
        ({"num_players": 8}, ValueError, "num_players"),
        ({"num_players": 2.0}, TypeError, "num_players"),
        ({"max_turns": 0}, ValueError, "max_turns"),
        ({"max_turns": 1001}, ValueError, "max_turns"),
        ({"wonder_bonus": "yes"}, TypeError, "wonder_bonus='yes'"),
        ({"barracks_bonus": "one"}, ValueError, "barracks_bonus='one'"),
        ({"grey_dice": "none"}, ValueError, "grey_dice='none'"),
        ({"middle_bonus": "all"}, ValueError, "middle_bonus='all'"),
        ({"boards": "giza"}, TypeError, "boards='giza'"),
        ({"boards": ["giza"]}, ValueError, "1 entries for 3 players"),
        ({"boards": ["giza", "giza", None]}, ValueError, r"boards\[1\]='giza': there is one of each"),
        ({"boards": ["gizeh", None, None]}, ValueError, r"boards\[0\]='gizeh'"),
        ({"sheet": "nowhere.toml"}, ValueError, "no such table"),
    ],
)
def test_options_are_checked(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        dice_env.GAME.setup(**{"num_players": 3, **options})


# --- the stack ------------------------------------------------------------------------------------------------------

WILD = '["market", "university", "gallery", "barracks"]'


def two(names: str) -> str:
    """These spaces, each with an effect that crosses two spaces of nearly any building."""
    effect = f'{{ kind = "cross", buildings = {WILD}, up_to = 2 }}'
    return ", ".join(f'{{ id = "{name}", cost = 0, effect = {effect} }}' for name in names.split())


def nested(tmp_path: Path, market: str = "L1 L2 L3") -> str:
    """A sheet with twelve effects that cross two spaces: as many as the stack can hold with three bonuses on it."""
    plain = 'effect = { kind = "vp", n = 1 }'
    return changed(
        tmp_path,
        f"""
        [[tracks]]
        id = "leaders"
        spaces = [{two("red_leader green_leader blue_leader yellow_leader")}]
        [[tracks]]
        id = "market_left"
        spaces = [{two(market)}]
        [[tracks]]
        id = "market_right"
        spaces = [{two("R1 R2 R3")}]
        [[tracks]]
        id = "west_attack"
        spaces = [{{ id = "WA5", cost = 0, effect = {{ kind = "extra_action" }} }}]
        [[boards]]
        id = "rhodes"
        spaces = [{{ id = "wonder2", {plain} }}, {two("upper1 middle1")}]
        [[boards]]
        id = "babylon"
        spaces = [{{ id = "wonder2", {plain} }}]
        """,
    )


def test_stack_bound_of_the_printed_boards() -> None:
    bounds = {name: stack_bound(BASE, board) for name, board in BOARDS.items()}
    assert bounds == {name: 9 if name in ("rhodes", "babylon") else 8 for name in BOARDS}
    assert max(bounds.values()) <= STACK


def test_stack_bound_is_reached_and_never_passed(tmp_path: Path) -> None:
    sheet = nested(tmp_path)
    data = read_sheet(sheet)
    check_sheet(data)
    assert stack_bound(data, data["boards"][1]) == STACK
    table = Position(("rhodes", "giza", "olympia"), coins=60, sheet=sheet)
    table.crossed(0, "laurel1", "laurel2", "laurel3", "WA1", "WA2", "WA3", "WA4", "WD1", "WD2")
    table.unlocked(0, "white")
    table.lies("white", "red_leader")
    table.lies("yellow", "coins7")
    table.do(0, "white")
    chain = "green_leader blue_leader yellow_leader L1 L2 L3 R1 R2 R3 upper1 middle1 WA5"
    for depth, name in enumerate(chain.split(), start=1):
        assert table.record["depth"][0] >= depth
        # Every effect may cross any building, so each first crossing leaves the second one behind.
        table.do(0, name)
    assert table.record["depth"][0] == STACK
    kinds = Counter(int(item) & KIND_MASK for item in table.record["stack"][0])
    assert kinds == {5: 12, 3: 3, 1: 1}
    table.do(0, PASS)
    for _ in range(200):
        if table.record["turn"]:
            break
        legal = table.legal(0)
        table.do(0, AGAIN if AGAIN in legal else legal[-1])
    assert table.record["turn"] == 1


def test_too_deep_a_sheet_is_refused(tmp_path: Path) -> None:
    sheet = nested(tmp_path, market="L1 L2 L3 L4")
    with pytest.raises(TableError, match="too many effects that cross two spaces; 12 at most"):
        load_tables(sheet)


# --- words ----------------------------------------------------------------------------------------------------------


def test_slots_cover_the_sheet() -> None:
    ends = [start + size for _, start, size, *_ in GROUPS]
    assert [start for _, start, *_ in GROUPS] == [0, *ends[:-1]] and ends[-1] == SPACES


def test_actions_in_words() -> None:
    table = Position(coins=20)
    table.lies("red", "shield", quadrant=2)
    table.lies("yellow", "coins7", quadrant=3)
    table.crossed(0, "R2", "stone")
    words = {action: table.words(0, action) for action in range(NUM_ACTIONS)}
    assert words[0] == "wait" and words[6] == "choose the red die (shield) for 1 coin"
    assert words[7] == "choose the yellow die (coins7) for 2 coins"
    assert words[11] == "build wonder1 for 2 coins" and words[12] == "pass for 3 coins"
    assert words[13] == "cross nothing more" and words[14] == "take the bonus again"
    assert words[17 + table.slot(0, "middle3")] == "cross middle3 for 4 coins"
    assert words[1] == "choose the grey1 die"  # it is not in the forum
    assert len(set(words.values())) == NUM_ACTIONS
    assert "there are 81" in table.words(0, 81)


def test_drawing_shows_the_table_and_hides_this_turn() -> None:
    table = Position(coins=40)
    table.crossed(0, "wonder1")
    table.lies("red", "shield", quadrant=1)
    table.lies("yellow", "camel")
    seen = render(table.games, 0, table.tables, 0)
    assert "shield" in seen and "Giza" in seen and "(you)" in seen
    red, yellow = table.number(1, "red"), table.number(0, "yellow")
    table.step({0: yellow, 1: red, 2: PASS})
    same = table.copy()
    table.step({0: table.number(0, "L1"), 1: table.number(1, "WD1")})
    assert render(same.games, 0, same.tables, 0) != render(same.games, 0, same.tables, None)
    assert "pick a space for the yellow die" in render(same.games, 0, same.tables, 0)
    assert "pick a space for the red die" not in render(same.games, 0, same.tables, 0)
    table.record["over"] = 1
    assert "over" in render(table.games, 0, table.tables)
    assert text(table.tables[0]["city"][0]) == "Giza" and TRIO[0] == "giza"
