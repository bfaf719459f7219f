"""antiquity.testing: a table, the examination of a whole game, the comparison with a referee, playthroughs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from antiquity.testing import Stories, Table, check_game, compare_with_referee, environments, fuzz, fuzzing
from broken_games import FAULTS
from toy_game import GAME, TAKE

ROOT = Path(__file__).parents[1]

# --- check_game ---


def test_a_sound_game_passes() -> None:
    check_game(GAME, options=({}, {"gift": 0, "bonus": 5, "limit": 4}))


def test_what_the_suites_find_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(env: Any, num_cycles: int) -> None:
        raise ValueError("no such thing")

    monkeypatch.setattr(environments, "parallel_api_test", fault)
    with pytest.raises(ValueError, match="no such thing") as caught:
        check_game(GAME, games=0, players=[4])
    assert caught.value.__notes__ == ["Toy bids: pettingzoo.test.parallel_api_test, with num_players=4"]


REPORTED = {
    "descending": r"step 0, seat 0: legal actions must ascend: \[3, 1\]",
    "with_wait": "never has WAIT",
    "dead_end": "at least one legal action",
    "legal_writes": "legal must change nothing, and has changed padding",
    "legal_beyond": "wrote beyond max_legal=3",
    "max_legal": "IndexError: index 2",
    "num_actions": "action 5 is not below num_actions=5",
    "sees_a_hand": "the observation must not depend on what determinize redraws",
    "sees_the_future": "the observation must not depend on what determinize redraws",
    "sees_a_commitment": "the observation must not depend on what others have committed",
    "memory_tells_hands": "the memory part must not depend on what determinize redraws",
    "unscaled": r"observation field prize\[0\] is \d.0, declared from 0 to 1",
    "not_a_number": r"observation field present\[3\] is nan",
    "adds_up": "observe must write the same again|observe must change nothing",
    "rows_swapped": r"observe_seats for seats \[0, 1, 2\] must equal observe",
    "state_too_large": r"state field hands\[0\] is 4.0, declared from 0 to 3",
    "score_skips": "score must write every element",
    "score_of_the_absent": "absent seats must be 0",
    "score_off": "must add up to the total",
    "greedy_gives": r"greedy chose 5, legal are \[1, 3\]",
    "redraws_nothing": "determinize has redrawn nothing but the seed",
    "keeps_the_future": "must redraw the seed too",
    "redraws_ones_own": "must not depend on what determinize redraws",
    "swaps_hands": "the same worlds; .*hands.* keep something",
    "by_chance": "must follow from its seed",  # by chance the hands alone, or other cards, too
    "forgets_its_own": "own commitment alone",
    "not_hidden": "hidden=False says that all is open",
    "counts_outside": "must go on equally, and differs in .*padding",
    "counts_steps": "Antiquity counts steps, here to 1",
    "nobody_decides": "step 1: somebody must decide",
    "decides_when_over": "the game is over, and seats .0. decide",
    "never_ends": "step 60: a game must end",
    "fails": "raised IndexError: out of bounds",
    "reseeds": "the seed must stay 0, and is 1",
    "begins_by_chance": "the same game for the same seed, and .*padding.* differ",
    "no_words": "describe must give action 5 words",
    "shows_hands": "the text must not depend on what determinize redraws",
    "too_wide": "render for 80 columns has a line of 100",
    "no_svg": "well-formed SVG",
    "offers_anything": r"the picture offers \[4\]",
    "takes_any_option": "refuse an option that does not exist",
    "other_default": "the defaults that its options declare",
}


@pytest.fixture(scope="module")
def verdicts() -> dict[str, str]:
    """Of tests/broken_games.py, where kernels are plain functions: a fault need not be compiled."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(ROOT / "tests" / "broken_games.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    assert found.keys() == {"sound"} | FAULTS.keys()
    assert found["sound"] == ""
    return found


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(fault: str, verdicts: dict[str, str]) -> None:
    assert re.search(REPORTED[fault], verdicts[fault]), verdicts[fault]
    assert verdicts[fault].startswith("Toy bids")


# --- the comparison with a referee ---


class Mirror:
    """A referee that copies a table, but for one answer."""

    def __init__(self, table: Table, **wrong: Any) -> None:
        self.table, self.wrong = table.copy(), wrong

    @property
    def over(self) -> bool:
        return bool(self.wrong.get("over", self.table.over))

    def deciders(self) -> list[int]:
        return list(self.wrong.get("deciders", self.table.deciders()))

    def legal(self, seat: int) -> list[int]:
        return list(self.wrong.get("legal", self.table.legal(seat)))

    def step(self, actions: dict[int, int]) -> None:
        self.table.step(actions)

    def state(self) -> Mapping[str, Any]:
        changes: dict[str, Any] = self.wrong.get("state", {})
        return state(self.table) | changes

    def score(self) -> list[dict[str, int]]:
        names = ("prizes", "total", "tiebreak")
        sheets = [dict(zip(names, row, strict=True)) for row in self.table.score().tolist()]
        return sheets if not self.table.over else [sheet | self.wrong.get("score", {}) for sheet in sheets]


def state(table: Table) -> dict[str, Any]:
    return {"round": int(table.record["round"]), "prize": int(table.record["prize"])}


def test_a_referee_that_agrees() -> None:
    table = Table(GAME, 3, seed=5)
    seen = []

    def choose(rng: Any, table: Table, seat: int, legal: list[int]) -> int:
        seen.append((seat, tuple(legal)))
        return legal[-1]

    decisions = compare_with_referee(table, Mirror(table), state=state, choose=choose)
    assert table.over and decisions == len(seen) >= 9


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"over": True},
            "Toy bids, 3 players, seed 5, step 0: over: the kernels say False, the referee True",
        ),
        ({"deciders": [1]}, r"deciders: the kernels say \[0, 1, 2\], the referee \[1\]"),
        ({"legal": [9]}, r"seat 0: legal actions: the kernels say \[.*\], the referee \[9\]"),
        ({"state": {"prize": 77}}, "prize: the kernels say .*, the referee 77"),
        ({"score": {"total": 77}}, r"step \d+, seat 0: points: .*'total': 77"),
    ],
)
def test_where_a_referee_differs_is_said(wrong: dict[str, Any], message: str) -> None:
    table = Table(GAME, 3, seed=5)
    with pytest.raises(AssertionError, match=message):
        compare_with_referee(table, Mirror(table, **wrong), state=state, score_when=lambda table: False)


def test_long_runs_go_by_decisions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ANTIQUITY_FUZZ_DECISIONS", raising=False)
    assert not fuzzing()
    monkeypatch.setenv("ANTIQUITY_FUZZ_DECISIONS", "25")
    assert fuzzing()
    seeds: list[int] = []

    def play(seed: int) -> int:
        seeds.append(seed)
        return 10

    fuzz(play)
    assert seeds == [seeds[0], seeds[0] + 1, seeds[0] + 2]
    printed = capsys.readouterr().out.splitlines()
    assert printed == [f"seed {seed} ({10 * number} decisions)" for number, seed in enumerate(seeds)]


# --- the table ---


def test_a_table_refuses_what_is_illegal_and_says_where() -> None:
    table = Table(GAME, 2, seed=1, gift=3)
    assert table.where(1) == "Toy bids, 2 players, gift=3, seed 1, step 0, seat 1"
    with pytest.raises(AssertionError, match=r"\[0, 1\] decide, not \[0\]"):
        table.step({0: table.legal(0)[0]})
    with pytest.raises(AssertionError, match="seat 1: illegal: take the prize"):
        table.step({0: table.legal(0)[0], 1: TAKE})


def test_a_copy_goes_its_own_way() -> None:
    table = Table(GAME, 2, seed=1)
    twin = table.copy()
    twin.step({seat: twin.greedy(seat) for seat in twin.deciders()})
    assert table.record["steps"] == 0 and twin.record["steps"] == 1


# --- playthroughs ---


def test_stories_are_kept_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stories = Stories(GAME, {2: {"seed": 1}, 3: {"seed": 2, "limit": 2}}, folder=tmp_path / "kept")
    with pytest.raises(FileNotFoundError):
        stories.kept(2)
    stories.write()
    assert "toy_3.txt" in capsys.readouterr().out
    for players in (2, 3):
        assert stories.kept(players) == stories.text(players)
    told = stories.kept(3)
    assert told.startswith("Toy bids, 3 players\nseed: 2\nlimit: 2\n") and "seat 0: bid" in told
    assert stories.how_many_tell("(cut off)") == 1
