"""Sheets of 7 Wonders Dice that users change: what may be changed, what is refused, and how deep a chain may go."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import dice_env
from antiquity.game.tables import TableError
from antiquity.testing import Table
from dice_env.data.checks import check_sheet, stack_bound
from dice_env.data.reading import read_sheet, verified
from dice_env.data.sheets import board_spaces
from dice_env.data.tables import load_tables
from dice_env.state import STACK

from .on_kernels import OnKernels
from .positions import BONUS_AGAIN, PAIR, PASS, WONDER

BASE = read_sheet("base")
BOARDS = {board["id"]: board for board in BASE["boards"]}


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
    table = OnKernels(PAIR, coins=4, sheet=sheet)
    table.lay("yellow", "camel")
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
    table = OnKernels(coins=40, sheet=sheet)
    table.lay("blue", "caduceus")
    table.do(0, "blue")
    assert table.has(0, "D1")
    table.all_but(0, "wonder", "wonder4")
    table.do(0, WONDER)
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
        ("[rules]\nstarting_coins = 3", "key = 'starting_coins': .*did you mean 'start_coins'"),
        (
            '[[tracks]]\nid = "upper"\nspaces = [{ id = "upper1", costs = 3 }]',
            "upper1: key = 'costs'.*mean 'cost'",
        ),
        (
            '[[dice]]\nid = "red"\nsymbols = [{ id = "axe", space = ["upper"] }]',
            "axe: key = 'space'.*mean 'spaces'",
        ),
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
    table = OnKernels(("rhodes", "giza", "olympia"), coins=60, sheet=sheet)
    table.cross(0, "laurel1", "laurel2", "laurel3", "WA1", "WA2", "WA3", "WA4", "WD1", "WD2")
    table.unlock(0, "white")
    table.lay("white", "red_leader")
    table.lay("yellow", "coins7")
    table.do(0, "white")
    chain = "green_leader blue_leader yellow_leader L1 L2 L3 R1 R2 R3 upper1 middle1 WA5"
    for depth, name in enumerate(chain.split(), start=1):
        assert table.record["depth"][0] >= depth
        # Every effect may cross any building, so each first crossing leaves the second one behind.
        table.do(0, name)
    assert table.record["depth"][0] == STACK
    kinds = Counter(kind for kind, *_ in table.pending(0))
    assert kinds == {"cross": 12, "bonus": 3, "action": 1}
    table.do(0, PASS)
    for _ in range(200):
        if table.turn:
            break
        legal = table.legal(0)
        table.do(0, BONUS_AGAIN if BONUS_AGAIN in legal else legal[-1])
    assert table.turn == 1


def test_too_deep_a_sheet_is_refused(tmp_path: Path) -> None:
    sheet = nested(tmp_path, market="L1 L2 L3 L4")
    with pytest.raises(TableError, match="too many effects that cross two spaces; 12 at most"):
        load_tables(sheet)
