"""The contract between a game and the rest: records, layouts, and how games are found."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

import toy_game
from antiquity import make_game
from antiquity.game import GAMES, HEADER, Field, Game, Layout, check_dtype, flow, verbs
from antiquity.kernels.dispatch import bound
from toy_game import GAME, GAME_DTYPE

HEADER_FIELDS = [(name, HEADER[name]) for name in HEADER.names or ()]


def test_the_header_is_sixteen_bytes() -> None:
    assert HEADER.itemsize == 16
    assert HEADER.names == ("seed", "steps", "num_players", "over", "deciders", "forfeits")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([*HEADER_FIELDS, ("x", "u8")], "needs a field chosen"),
        ([*HEADER_FIELDS, ("chosen", "u1", (8,))], "needs a field chosen"),
        ([*HEADER_FIELDS[1:], ("seed", "u8"), ("chosen", "u2", (4,))], "seed is"),
        ([*HEADER_FIELDS, ("chosen", "u2", (3,))], "multiple of 8"),
        ([*HEADER_FIELDS, ("chosen", "u2", (4,)), ("flags", "?", (8,))], "flags is bool"),
        ([*HEADER_FIELDS, ("chosen", "u2", (4,)), ("thing", "O")], "thing is object"),
    ],
)
def test_records_that_cannot_be_a_game(fields: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_dtype(np.dtype(fields))


def test_padding_is_refused() -> None:
    names = [name for name, *_ in HEADER_FIELDS]
    padded = np.dtype(
        {
            "names": [*names, "chosen"],
            "formats": [*(HEADER[name] for name in names), ("u2", (4,))],
            "offsets": [0, 8, 12, 13, 14, 15, 24],
            "itemsize": 32,
        }
    )
    with pytest.raises(ValueError, match="no padding"):
        check_dtype(padded)
    with pytest.raises(ValueError, match="structured"):
        check_dtype(np.dtype("f4"))


# --- layouts ---


def test_a_layout_knows_its_fields() -> None:
    layout = Layout.build(("a", 2, 0, 1, 10, "first"), ("b", 3, -1, 2, 1, "second"))
    assert layout.size == 5 and len(layout) == 2
    assert layout.slice("b") == slice(2, 5)
    assert layout.starts == (0, 2) and layout.starts.b == 2
    assert layout["a"] == Field("a", 0, 2, 0, 1, 10, "first")
    assert layout.low.tolist() == [0, 0, -1, -1, -1] and layout.high.tolist() == [1, 1, 2, 2, 2]
    assert layout.low.dtype == np.float32 and not layout.low.flags.writeable
    assert "b" in layout and "c" not in layout
    with pytest.raises(KeyError, match="there are a, b"):
        layout.slice("c")


def test_a_layout_shows_itself() -> None:
    text = str(toy_game.LAYOUT)
    assert len(text.splitlines()) == len(toy_game.LAYOUT)
    assert "cards of value" in text
    assert toy_game.LAYOUT.table("toy").row_count == len(toy_game.LAYOUT)


def test_layouts_are_put_together() -> None:
    both = GAME.observation_layout(memory=True)
    assert both.size == GAME.layout.size + GAME.memory_layout.size
    assert both.slice("bids").start == GAME.layout.size
    assert both.slice("points") == GAME.layout.slice("points")
    assert GAME.observation_layout() is GAME.layout


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([Field("a", 1, 1, 0, 1, 1, "")], "expected 0"),
        ([Field("a", 0, 2, 0, 1, 1, ""), Field("b", 1, 1, 0, 1, 1, "")], "expected 2"),
        ([Field("a", 0, 0, 0, 1, 1, "")], "a starts at 0 with 0 elements"),
        ([Field("a", 0, 1, 2, 1, 1, "")], "bounds 2 to 1"),
        ([Field("a", 0, 1, 0, 1, 0, "")], "scale 0"),
        ([Field("a", 0, 1, 0, 1, 1, ""), Field("a", 1, 1, 0, 1, 1, "")], "two fields are called a"),
    ],
)
def test_layouts_that_do_not_fit(fields: list[Field], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Layout(fields)


# --- games ---


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"min_players": 0}, "players"),
        ({"default_players": 5}, "players"),
        ({"max_players": 5}, "chosen must have 5"),
        ({"max_legal": 7}, "max_legal"),
        ({"num_actions": 70_000}, "16-bit"),
        ({"earlier": {1: (6, 5)}}, r"earlier\[1\] = \(6, 5\): an earlier version than 1"),
        ({"earlier": {0: (7, 5)}}, "at most 6 actions and"),
        ({"earlier": {0: (6, 5_000)}}, "elements of the observation"),
    ],
)
def test_games_that_contradict_themselves(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(GAME, **changes)


def test_a_game_says_whose_files_it_reads() -> None:
    assert GAME.reads(1) and not GAME.reads(0) and not GAME.reads([1])
    newer = dataclasses.replace(GAME, version=3, earlier={1: (6, GAME.layout.size - 1)})
    assert [newer.reads(version) for version in (0, 1, 2, 3, 4, None)] == [
        False,
        True,
        False,
        True,
        False,
        False,
    ]


def test_options_are_found_by_name() -> None:
    assert GAME.option("gift").default == 2
    with pytest.raises(KeyError, match="its own options are: gift, bonus, limit"):
        GAME.option("gifts")


def test_a_game_travels_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(GAME)) is GAME
    assert copy.deepcopy(GAME) is GAME


def test_games_are_found() -> None:
    assert make_game(GAME) is GAME
    assert make_game("toy_game:GAME") is GAME
    for name in GAMES:
        found = make_game(name)
        assert isinstance(found, Game) and found.name == name
        assert make_game(name.replace("_", "-")) is found


def test_games_that_are_not_there() -> None:
    with pytest.raises(KeyError, match="no game is called 'eight_wonders'; installed are: "):
        make_game("eight_wonders")
    with pytest.raises(KeyError, match="is not a Game"):
        make_game("toy_game:LAYOUT")
    with pytest.raises(TypeError, match="not as int"):
        make_game(7)  # type: ignore[arg-type]


def test_a_game_whose_own_imports_fail_says_so(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_env.py").write_text("import a_package_that_is_not_there\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="a_package_that_is_not_there"):
        make_game("broken")


# --- verbs ---


def kernels() -> dict[str, Any]:
    return {name: kernel for name in verbs.NAMES if (kernel := getattr(GAME, name)) is not None}


def test_verbs_are_registered_once_and_whole() -> None:
    dtype = np.dtype([*HEADER_FIELDS, ("chosen", "u2", (4,)), ("unused", "u8", (3,))])
    incomplete = kernels()
    del incomplete["score"]
    with pytest.raises(TypeError, match="missing: score"):
        verbs.register(dtype, **incomplete)
    with pytest.raises(
        TypeError, match=r"the verb legal takes \(game, tables, seat, out\), not \(game, tables\)"
    ):
        verbs.register(dtype, **kernels() | {"legal": toy_game.advance})
    with pytest.raises(KeyError, match="no game has registered"):
        bound(dtype)
    verbs.register(GAME_DTYPE, **kernels())  # the same again: a module that is loaded anew


def test_verbs_work_from_python() -> None:
    games, (tables, options) = np.zeros(1, GAME_DTYPE), GAME.setup(3)
    flow.begin(games[0], tables[0], 3, options[0], 5)
    out = np.zeros(GAME.max_legal, np.uint16)
    count = verbs.legal(games[0], tables[0], 1, out)
    assert 1 <= count <= 3 and games["num_players"][0] == 3
    flow.choose(games[0], 1, int(out[0]))
    assert games["chosen"][0].tolist() == [0, out[0], 0, 0]


def test_another_game_with_the_same_record_is_refused() -> None:
    foreign = {}
    for name, function in kernels().items():
        plain = getattr(function, "py_func", function)
        namesake = type(plain)(plain.__code__, plain.__globals__, name)
        namesake.__module__ = "another_game"
        foreign[name] = namesake
    with pytest.raises(ValueError, match="same as that of another game"):
        verbs.register(GAME_DTYPE, **foreign)
