"""The results file: nothing that is finished is lost, nothing that is broken is believed or written to."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.arena.block import play_block
from antiquity.arena.plan import Block
from antiquity.arena.store import Results, ResultsError
from antiquity.arena.tournament import summarize, tournament
from arena_games import Wrong, played, toy_plan
from env_games import TOY, WONDERS, same


def contents(path: Path) -> list[tuple[object, ...]]:
    """All results, without what depends on the clock and on who played."""
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT * FROM seats ORDER BY 1, 2, 3, 4").fetchall()
        rows += db.execute("SELECT * FROM games ORDER BY 1, 2, 3").fetchall()
    db.close()
    return rows


def test_what_is_written_is_read(tmp_path: Path) -> None:
    plan = toy_plan()
    result = play_block(plan, Block(3, 4, 8))
    with Results.create_or_resume(tmp_path / "new" / "t.sqlite", plan) as results:
        assert results.add(result)
        assert not results.add(result)
        # Part of it is there already.
        assert not results.add(play_block(plan, Block(3, 6, 9)))
        games = results.games(3)
        assert same(games.seating, result.seating)
        assert same(games.played.scores, result.played.scores)
        assert same(games.played.ranks, result.played.ranks)
        assert same(games.played.lengths, result.played.lengths)
        assert games.deals.tolist() == np.arange(4, 8).repeat(3).tolist()
        assert results.have(3) == [(4, 8)] and results.have(2) == [] and results.player_counts() == [3]
        assert len(results.games(3, 7)) == 0 or len(results.games(3, 8)) == 12
        assert len(results.games(2)) == 0


def test_resuming_plays_what_is_missing_and_gives_the_same(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole.sqlite", toy_plan(block=7), 20)
    path = tmp_path / "parts.sqlite"
    seen: list[Any] = []
    played(path, toy_plan(), 6)
    played(path, toy_plan(), 6, observer=seen.append)
    assert seen == []
    parts = played(path, toy_plan(block=5), 20, observer=seen.append)
    assert sum(result.seating.shape[0] for result in seen) == 14 * (2 + 3)
    assert parts == whole
    assert contents(path) == contents(tmp_path / "whole.sqlite")


def test_another_tournament_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    tournament(TOY, ["greedy", "random"], deals=2, results=path)
    before = path.read_bytes()
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"agents": ["random", "greedy"]}, "agents"),
        ({"seed": 5}, r"seed is 0, not 5"),
        ({"game": WONDERS}, "has games of toy version 1"),
        ({"bonus": 2}, "options"),
    )
    for options, words in cases:
        arguments: dict[str, Any] = {
            "game": TOY,
            "agents": ["greedy", "random"],
            "deals": 2,
            "results": path,
            **options,
        }
        with pytest.raises(ResultsError, match=words):
            tournament(arguments.pop("game"), arguments.pop("agents"), **arguments)
    assert path.read_bytes() == before


def test_an_error_keeps_what_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    plan = toy_plan(("greedy", "random", "third=random"), block=2)
    with Results.create_or_resume(path, plan) as results:

        def tired(result: object) -> None:
            if len(results.have(2)) == 3:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            played(path, plan, 20, observer=tired)
        assert results.have(2) == [(0, 2), (2, 4), (4, 6)]
    with pytest.raises(ValueError, match="illegal action 99"):
        tournament(TOY, ["greedy", Wrong()], deals=2, results=tmp_path / "wrong.sqlite")


SCRIPT = """
import sys
from pathlib import Path
from arena_games import Slow, played, toy_plan
played(Path(sys.argv[1]), toy_plan([Slow(), "greedy"], block=1), 400, players=[2])
"""


def test_a_killed_tournament_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(path)], env=surroundings)
    try:
        deadline = time.monotonic() + 60
        blocks = 0
        while blocks < 5 and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.1)
            if path.exists() and path.stat().st_size:
                try:
                    with Results.open(path, game=TOY) as results:
                        blocks = len(results.have(2))
                except (ResultsError, sqlite3.Error):
                    continue  # it is being made
        assert process.poll() is None and blocks >= 5
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    from arena_games import Slow

    plan = toy_plan([Slow(), "greedy"], block=1)
    with Results.open(path, game=TOY) as results:
        done = results.have(2)
    assert blocks <= len(done) < 400
    enough = len(done) + 2
    played(path, plan, enough, players=[2])
    played(tmp_path / "other.sqlite", plan, enough, players=[2])
    assert contents(path) == contents(tmp_path / "other.sqlite")


def damage_head(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[:8] = b"nonsense"
    path.write_bytes(data)


def damage_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    first, last = len(data) // 3, 2 * len(data) // 3
    data[first:last] = b"\xa5" * (last - first)
    path.write_bytes(data)


def cut(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3 // 512 * 512 + 100])


def run_sql(text: str) -> object:
    def change(path: Path) -> None:
        db = sqlite3.connect(path, isolation_level=None)
        db.executescript(text)
        db.close()

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (damage_head, "is no results file"),
        (damage_middle, "is damaged"),
        (cut, "is damaged"),
        (
            run_sql("UPDATE seats SET total = total + 1 WHERE deal = 3 AND seat = 1 AND rotation = 0"),
            "deals 0 to 3",
        ),
        (run_sql("DELETE FROM seats WHERE deal = 3"), "is damaged"),
        (run_sql("DELETE FROM blocks WHERE first = 4"), "is damaged"),
        (run_sql("DROP TABLE incidents"), "incidents"),
        (run_sql("PRAGMA user_version = 7"), "tables of version 7"),
        (run_sql("PRAGMA application_id = 7"), "something else"),
        (run_sql("DELETE FROM plan"), "is damaged"),
    ],
)
def test_a_broken_file_is_refused_and_left_alone(tmp_path: Path, change: object, words: str) -> None:
    path = tmp_path / "t.sqlite"
    plan = toy_plan(("greedy", "random"))
    played(path, plan, 20)
    change(path)  # type: ignore[operator]
    before = path.read_bytes()
    with pytest.raises(ResultsError, match=words):
        played(path, plan, 20)
    with pytest.raises(ResultsError, match=words), Results.open(path, game=TOY) as results:
        summarize(results)
    assert path.read_bytes() == before


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no results file"):
        Results.open(tmp_path / "none.sqlite", game=TOY)
    with pytest.raises((ResultsError, OSError)):
        Results.create_or_resume(tmp_path, toy_plan())
    (tmp_path / "empty.sqlite").touch()  # a start that was killed
    assert played(tmp_path / "empty.sqlite", toy_plan(("greedy", "random")), 2).tables[0].games == 4


def test_two_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    plan = toy_plan(("greedy", "random"))
    with Results.create_or_resume(path, plan) as one, Results.create_or_resume(path, plan) as two:
        assert one.add(play_block(plan, Block(2, 0, 4)))
        assert two.add(play_block(plan, Block(2, 4, 8)))
        assert not two.add(play_block(plan, Block(2, 0, 4)))
        assert one.have(2) == two.have(2) == [(0, 4), (4, 8)]
