"""Results files never mix what is not the same, and give each of their games back."""

from __future__ import annotations

import importlib
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from antiquity.agents import make_agent
from antiquity.agents.base import CallableAgent
from antiquity.arena import Results, tournament
from antiquity.arena.block import play_block
from antiquity.arena.identity import _code, fingerprint
from antiquity.arena.plan import Block
from antiquity.arena.store import ResultsError
from antiquity.cli.main import app
from antiquity.study.replay import Replay
from antiquity.study.tournaments import replay_of
from arena_games import First, toy_plan
from dice_env import GAME as DICE
from env_games import TOY


def sheet(path: Path, coins: int) -> str:
    path.write_text(f'extends = "base"\n[rules]\nstart_coins = {coins}\n')
    return str(path)


def play(path: Path, agents: Any = ("greedy", "random"), deals: int = 2, **more: Any) -> Any:
    return tournament("dice", list(agents), players=[2], deals=deals, results=path, **more)


def run_sql(path: Path, text: str, *values: Any) -> None:
    db = sqlite3.connect(path)
    db.execute(text, values)
    db.commit()
    db.close()


def test_another_table_behind_the_same_path(tmp_path: Path) -> None:
    path, own = tmp_path / "t.sqlite", tmp_path / "my.toml"
    play(path, sheet=sheet(own, 5))
    before = path.read_bytes()
    sheet(own, 6)
    with pytest.raises(
        ResultsError, match=r"the printed game \(sheet=.*my\.toml\) has changed since.*another file"
    ):
        play(path, deals=4, sheet=str(own))
    assert path.read_bytes() == before
    sheet(own, 5)
    assert play(path, deals=3, sheet=str(own)).tables[0].deals == 3


def test_another_release_or_other_code(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    play(path)
    with Results.open(path) as results:
        about = results.about
    for name, value, words in (
        ("release", "0.0.9", r"played by Antiquity 0\.0\.9, and this is"),
        ("tables", {"2": "0" * 64}, "the printed game .no options. has changed"),
        ("code", about["code"] | {"greedy": "0"}, "agent 'greedy' has changed"),
        ("code", about["code"] | {"": "0"}, "the game's code has changed"),
        ("code", {}, "has changed"),
    ):
        run_sql(path, "UPDATE plan SET value = ? WHERE key = 'about'", json.dumps(about | {name: value}))
        with pytest.raises(ResultsError, match=words):
            play(path)
    run_sql(path, "UPDATE plan SET value = ? WHERE key = 'about'", json.dumps(about))
    play(path)


AGENT = """
import numpy as np
from antiquity.agents import Agent

class Mine(Agent):
    def __init__(self, depth=1):
        self.depth = depth
    def act(self, decisions):
        return decisions.legal[:, {column}].astype(np.int64)

def mine(observations, masks):
    return masks.argmax(axis=1) + {column}
"""


def test_fingerprints_of_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code, settings, weights and programs count, and nothing else does."""
    monkeypatch.syspath_prepend(tmp_path)
    found, module = [], None
    for column in (0, 0, 1):
        (tmp_path / "my_agents.py").write_text(AGENT.format(column=column))
        sys.modules.pop("my_agents", None)
        _code.cache_clear()
        importlib.invalidate_caches()
        module = importlib.import_module("my_agents")
        found.append((fingerprint(module.Mine()), fingerprint(CallableAgent(module.mine))))
    assert module is not None
    assert found[0] == found[1] and not set(found[0]) & set(found[2])
    assert fingerprint(module.Mine(2)) != fingerprint(module.Mine())
    weights = module.Mine()
    weights.table = np.arange(4.0)
    known = fingerprint(weights)
    weights.table[2] = 9
    assert fingerprint(weights) != known
    program = tmp_path / "player.py"
    program.write_text("pass")
    agent = make_agent(f"external:{sys.executable} {program}", TOY)
    known = fingerprint(agent)
    program.write_text("exit()")
    assert fingerprint(agent) != known
    for name in ("random", "greedy", "search:simulations=9"):
        assert fingerprint(make_agent(name, TOY)) == fingerprint(make_agent(name, TOY))
    assert fingerprint(make_agent("search:simulations=8", TOY)) != fingerprint(make_agent("search", TOY))


def test_every_game_of_a_tournament_comes_back(tmp_path: Path) -> None:
    """Kernel agents, Python agents, forced moves; several processes write the same."""
    path = tmp_path / "t.sqlite"
    agents = ["greedy", First(), "random"]
    summary = tournament(TOY, agents, players=[2, 3], deals=3, results=path)
    tournament(TOY, agents, players=[2, 3], deals=3, results=tmp_path / "p.sqlite", workers=2)
    with Results.open(path, game=TOY) as results, Results.open(tmp_path / "p.sqlite", game=TOY) as other:
        for players in (2, 3):
            games = results.games(players)
            for row, deal in enumerate(games.deals.tolist()):
                rotation = row % players
                replay = replay_of(results, deal, players=players, rotation=rotation)
                replay.check()
                assert [each["rank"] for each in replay.scores] == games.played.ranks[row].tolist()
                assert len(replay.steps) == games.played.lengths[row]
                assert replay.agents == tuple(results.names[each] for each in games.seating[row])
                one, two = (file.game_played(players, deal, rotation) for file in (results, other))
                assert one.played.actions.tolist() == two.played.actions.tolist()
        with pytest.raises(ValueError, match=r"has games of \[2, 3\] players: say of how many"):
            replay_of(results, 0)
        with pytest.raises(ResultsError, match="has no deal 9 in rotation 0 with 2 players"):
            replay_of(results, 9, players=2)
    assert summary.tables[0].games == 6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE games SET actions = substr(actions, 3)", r"is not legal now|do not end together"),
        ("UPDATE games SET actions = substr(actions, 1, 10)", "do not end together"),
        ("UPDATE games SET actions = CAST(actions || x'0100' AS BLOB)", "do not end together"),
        ("UPDATE games SET actions = x'010203'", "is damaged"),
        ("UPDATE games SET actions = 'text'", "is damaged"),
        ("UPDATE seats SET total = total + 1", "ends with other points than are written"),
        ("UPDATE seats SET rank = 3 - rank", "ends with other points than are written"),
    ],
)
def test_forged_games(tmp_path: Path, change: str, words: str) -> None:
    path = tmp_path / "t.sqlite"
    play(path)
    run_sql(path, change)
    with Results.open(path) as results, pytest.raises(ValueError, match=words):
        replay_of(results, 1)


def test_replay_of_a_deal_in_the_terminal(tmp_path: Path) -> None:
    path, own = tmp_path / "t.sqlite", tmp_path / "my.toml"
    play(path, sheet=sheet(own, 5))
    run = CliRunner().invoke
    refused = run(app, ["replay", str(path), "--deal", "1", "--log"])
    assert isinstance(refused.exception, ValueError) and "looks like a file" in str(refused.exception)
    shown = run(
        app, ["replay", str(path), "--deal", "1", "--rotation", "1", "--log", "--option", f"sheet={own}"]
    )
    assert shown.exit_code == 0 and "step 1" in shown.output and "greedy" in shown.output
    about = run(app, ["replay", str(path), "--deal", "1", "--json", "--option", f"sheet={own}"])
    assert json.loads(about.output)["agents"] in (["greedy", "random"], ["random", "greedy"])
    sheet(own, 6)
    changed = run(app, ["replay", str(path), "--deal", "1", "--log", "--option", f"sheet={own}"])
    assert "not the one that was played" in str(changed.exception)


def test_a_game_of_a_tournament_is_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    play(path)
    with Results.open(path) as results:
        replay = replay_of(results, 0, rotation=1)
    assert Replay.read(replay.write(tmp_path / "g.jsonl")).game is DICE


def test_a_results_file_imports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "imported"
    (tmp_path / "evilmod.py").write_text(f"from pathlib import Path\nPath({str(mark)!r}).touch()\n")
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "t.sqlite"
    play(path)
    run_sql(path, "INSERT OR REPLACE INTO plan VALUES ('origin', 'evilmod:GAME')")
    with Results.open(path) as results:
        assert results.game is DICE
    run_sql(
        path, "UPDATE plan SET value = replace(value, '\"dice\"', '\"evilmod:GAME\"') WHERE key = 'about'"
    )
    with pytest.raises(ResultsError, match="evilmod:GAME', which is not installed"):
        Results.open(path)
    assert not mark.exists()


def test_a_full_disk_is_called_that(tmp_path: Path) -> None:
    plan = toy_plan(("greedy", "random"))
    with Results.create_or_resume(tmp_path / "t.sqlite", plan) as results:
        pages = results._db.execute("PRAGMA page_count").fetchone()[0]
        results._db.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(ResultsError, match="database or disk is full; what it holds is kept"):
            results.add(play_block(plan, Block(2, 0, 400)))
        assert Results.open(tmp_path / "t.sqlite", game=TOY).names == ("greedy", "random")
