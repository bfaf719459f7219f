"""Programs as players: the protocol, the time limit, and what becomes of the moves of those that fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.agents import Decisions, make_agent
from antiquity.agents.external import ExternalAgent
from antiquity.arena import Results, tournament
from antiquity.batch import Batch
from arena_games import First
from env_games import TOY, WONDERS, same

PLAYER = """
import json, os, sys, time
mode, log = sys.argv[1], open(sys.argv[2], "a")
asked = 0
for line in sys.stdin:
    question = json.loads(line)
    log.write(line); log.flush()
    if question["type"] == "hello":
        answer = {"type": "ready", "name": "stranger"}
        if mode == "rude":
            answer = {"hello": 1}
    else:
        asked += 1
        answer = {"id": question["id"], "action": question["legal"][0]}
        if asked == 3:
            if mode == "crash":
                sys.exit("out of ideas")
            if mode == "late":
                time.sleep(30)
            if mode == "illegal":
                answer["action"] = 77
            if mode == "words":
                answer["action"] = "first"
            if mode == "nonsense":
                print("hm?", flush=True)
                continue
            if mode == "list":
                answer = [1]
            if mode == "old":
                answer["id"] -= 1
            if mode == "silent":
                os.close(1)
                time.sleep(30)
            if mode == "long":
                answer["more"] = "x" * 200000
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def player(tmp_path: Path) -> Any:
    """Command of a player that takes the first legal action but does what `mode` says at the third question."""
    path = tmp_path / "player.py"
    path.write_text(PLAYER)

    def command(mode: str) -> list[str]:
        return [sys.executable, "-S", str(path), mode, str(tmp_path / "log.jsonl")]

    return command


def ask(game: Any = TOY, games: int = 6) -> Decisions:
    batch = Batch(game, games, seed=1)
    batch.reset()
    rows = batch.rows()
    return Decisions(game, batch.games, batch.tables, rows.game, rows.seat)


def test_a_game_with_a_program(player: Any, tmp_path: Path) -> None:
    agent = ExternalAgent(TOY, player("good"), words=True)
    asked = ask()
    assert same(agent.act(asked), First().act(asked))
    assert agent.name == "stranger" and agent.incidents == []
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert lines[0]["protocol"] == 1 and lines[0]["num_actions"] == TOY.num_actions
    assert lines[0]["observation"][0][:3] == ["round", 0, 1]
    choices = np.flatnonzero(asked.counts > 1)
    assert len(lines) == 1 + len(choices)
    for line, row in zip(lines[1:], choices, strict=True):
        assert line["legal"] == asked.legal[row, : asked.counts[row]].tolist()
        assert line["words"] == [TOY.describe(asked.games, 0, asked.tables, 0, a) for a in line["legal"]]
        assert line["observation"] == pytest.approx(asked.observations[row].tolist())
        assert (line["seat"], line["num_players"], line["step"]) == (asked.seats[row], 3, 0)
        assert 0 <= line["noise"] < 2**53
        assert str(int(asked.games[asked.index[row]]["seed"])) not in json.dumps(line)
    assert len({line["match"] for line in lines[1:]}) == len(set(asked.index[choices]))
    assert len({line["noise"] for line in lines[1:]}) == len(choices)
    agent.close()


@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        ("illegal", "illegal", "77 is not among the legal"),
        ("words", "illegal", "'first' is not among the legal"),
        ("late", "late", "no answer within 0.5 s"),
        ("crash", "crashed", "ended with status 1: out of ideas"),
        ("silent", "crashed", "closed its output"),
        ("nonsense", "unreadable", "no JSON object: b'hm"),
        ("list", "unreadable", "no JSON object"),
        ("old", "unreadable", "the answer to 2, not to 3"),
        ("long", "unreadable", "line is longer than 65536 bytes"),
    ],
)
def test_a_forfeited_move(player: Any, mode: str, kind: str, words: str) -> None:
    asked = ask(WONDERS, 2)
    agent = ExternalAgent(WONDERS, player(mode), seconds=0.5)
    actions = agent.act(asked)
    first = First().act(asked)
    found = agent.take_incidents()
    rows = [list(zip(asked.index, asked.seats, strict=True)).index((each.index, each.seat)) for each in found]
    assert found and found[0].kind == kind and words in found[0].detail
    assert rows[0] == 2
    for row in range(len(asked)):
        assert actions[row] in asked.legal[row, : asked.counts[row]]
        if row not in rows:
            assert actions[row] == first[row]
    assert agent.take_incidents() == []
    # The forfeited move is the same every time.
    again = ExternalAgent(WONDERS, player(mode), seconds=0.5)
    assert again.act(asked)[2] == actions[2]
    again.close()
    agent.close()


def test_it_is_not_started_for_ever(player: Any, tmp_path: Path) -> None:
    agent = ExternalAgent(TOY, player("rude"), restarts=2)
    asked = ask()
    agent.act(asked)
    kinds = [each.kind for each in agent.take_incidents()]
    assert kinds[:3] == ["unreadable"] * 3 and set(kinds[3:]) == {"gone"}
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 3
    nowhere = ExternalAgent(TOY, [str(tmp_path / "nowhere")], restarts=0)
    nowhere.act(asked)
    incidents = nowhere.take_incidents()
    assert "cannot be started" in incidents[0].detail and incidents[1].kind == "gone"


def test_a_tournament_reports_forfeited_moves(player: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    command = " ".join(player("illegal"))
    result = tournament(
        TOY, ["greedy", f"stranger=external:seconds=2,command={command}"], deals=3, results=path
    )
    assert len(result.incidents) == 1
    incident = result.incidents[0]
    assert (incident["agent"], incident["kind"], incident["players"]) == ("stranger", "illegal", 3)
    with Results.open(path, game=TOY) as results:
        assert results.incidents() == result.incidents
    assert result.tables[0].games == 9


def test_names_and_what_cannot_be(player: Any) -> None:
    agent = make_agent("external:seconds=0.25,memory=true,command=my player --fast=1,2", TOY)
    assert isinstance(agent, ExternalAgent)
    assert agent.command == ["my", "player", "--fast=1,2"] and agent.seconds == 0.25 and agent.memory
    assert make_agent("external:./player -x", TOY).command == ["./player", "-x"]  # type: ignore[attr-defined]
    for command, words in (("", "needs a command"), ([], "needs a command")):
        with pytest.raises(ValueError, match=words):
            ExternalAgent(TOY, command)
    with pytest.raises(ValueError, match="needs some time"):
        ExternalAgent(TOY, "x", seconds=0)
    with pytest.raises(ValueError, match="nothing behind the colon"):
        make_agent("external:", TOY)
    other = ask(WONDERS, 1)
    with pytest.raises(ValueError, match=r"plays .*, not 7 Wonders"):
        ExternalAgent(TOY, "x").act(other)
