"""The printed game of 7 Wonders Dice as data: its numbers, and how sure they are."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

import dice_env
from dice_env.data.reading import LEVELS, read_sheet, verified
from dice_env.data.sheets import board_spaces
from dice_env.data.tables import load_tables
from dice_env.state import DICE, GAME_DTYPE, GROUPS, SPACES

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
        ("spaces.glass.cost", "guess", False, True),
        ("spaces.A1.cost", "guess", False, False),
        ("tracks.agora_a.count", "guess", True, False),
        ("spaces.L1.cost", "guess", False, False),
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
        ("boards.olympia.city", "guess", True, False),
        ("dice.grey1.faces", "guess", False, True),
        ("dice.red.faces", "2+ sources", False, False),
        ("dice.yellow.coins7", "2+ sources", False, False),
        ("bonuses.cross.effect", "1 source", False, True),
        ("rules.counts_own_space", "guess", True, False),
        ("rules.gallery_vp", "guess", True, False),
        ("rules.after_the_third_bonus", "guess", True, False),
        ("bonuses.coins.effect", "2+ sources", False, False),
        ("switches.wonder_bonus", "1 source", False, True),
    ],
)
def test_flags(name: str, level: str, reconstructed: bool, conflict: bool) -> None:
    fact = dice_env.facts()[name]
    assert (fact.verified, fact.reconstructed, fact.conflict) == (level, reconstructed, conflict)
    assert dice_env.verified(name) == level


def test_what_is_a_guess_says_why() -> None:
    known = dice_env.facts()
    for die in ("grey1", "grey2", "grey3"):
        assert "guess" in known[f"dice.{die}.faces"].note
    assert "ours" in known["tracks.agora_a.count"].note
    cities = [name for name, fact in known.items() if name.endswith(".city") and fact.reconstructed]
    assert cities == ["boards.olympia.city", "boards.ephesus.city", "boards.halicarnassus.city"]


def test_verified_of_a_part_is_its_least_sure_value() -> None:
    assert verified("boards.giza") == "guess"
    assert verified("spaces.WA2") == "1 source"
    assert verified("bonuses.again") == "2+ sources"
    assert [level for level in LEVELS if level != "user"] == ["2+ sources", "1 source", "guess"]
    with pytest.raises(KeyError, match=r"no value 'spaces\.Z9'"):
        verified("spaces.Z9")


def test_slots_cover_the_sheet() -> None:
    ends = [start + size for _, start, size, *_ in GROUPS]
    assert [start for _, start, *_ in GROUPS] == [0, *ends[:-1]] and ends[-1] == SPACES
