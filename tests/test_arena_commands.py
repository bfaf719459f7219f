"""The commands tournament, report and ladder, as one calls them; and the ladder behind the last."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.agents import Network, NetworkAgent
from antiquity.arena.ladder import ladder, save_plot, versions
from antiquity.cli import main as cli
from env_games import TOY, WONDERS


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Call the command line: (exit status, output, messages)."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["antiquity", *map(str, words)])
        try:
            cli.main()
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        return status, *capsys.readouterr()

    return call


def test_a_tournament_and_its_report(run: Any, tmp_path: Path) -> None:
    path, html = tmp_path / "t.sqlite", tmp_path / "t.html"
    command = [
        "tournament",
        "toy_game:GAME",
        "greedy",
        "random",
        "other=random",
        "--players",
        "2-3",
        "--deals",
        6,
    ]
    status, out, _ = run(*command, "--results", path, "--json", "--report", html)
    assert status == 0 and html.stat().st_size > 10_000
    found = json.loads(out)
    assert [table["games"] for table in found["tables"]] == [12, 18]
    assert found["agents"] == {"greedy": "greedy", "random": "random", "other": "random"}
    status, out, _ = run("report", path, "--game", "toy_game:GAME", "--json")
    assert status == 0 and json.loads(out) == found
    status, out, _ = run("report", path, "--game", "toy_game:GAME", "--csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert len(rows) == 6 and {row["agent"] for row in rows} == set(found["agents"])
    status, out, _ = run("report", path, "--game", "toy_game:GAME")
    assert status == 0 and "3 players: 18 games of 6 deals" in out and "Plackett-Luce" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tournament", "toy_game:GAME", "greedy", "clever"], "no agent is called 'clever'"),
        (["tournament", "chess", "greedy", "random"], "no game is called 'chess'"),
        (["tournament", "toy_game:GAME", "greedy", "random", "--players", "many"], "write 4, 3-7 or 3,5"),
        (["tournament", "toy_game:GAME", "greedy", "random", "--players", "5-4"], "names no player count"),
        (["tournament", "toy_game:GAME", "greedy", "random", "--option", "bonus"], "NAME=VALUE"),
        (
            ["tournament", "toy_game:GAME", "greedy", "random", "--results", "{tmp}/text"],
            "is no results file",
        ),
        (["report", "{tmp}/none.sqlite"], "no results file"),
        (["ladder", "toy_game:GAME", "{tmp}"], "has no policy files"),
    ],
)
def test_what_is_refused(run: Any, tmp_path: Path, words: list[str], message: str) -> None:
    (tmp_path / "text").write_text("not a database, but somebody's notes, which must stay")
    status, _, err = run(*(word.replace("{tmp}", str(tmp_path)) for word in words))
    assert status == 2 and message in err and "Traceback" not in err
    assert (tmp_path / "text").read_text().endswith("must stay")


def policy(likes: float) -> NetworkAgent:
    """Prefers its highest card the more, the more it `likes` it; a stronger player of the toy game for it."""
    weights = np.zeros((TOY.layout.size, TOY.num_actions), np.float32)
    bias = np.zeros(TOY.num_actions, np.float32)
    bias[3], bias[4] = likes, 2 * likes
    return NetworkAgent(TOY, Network.of_layers([(weights, bias)]))


def test_a_ladder_climbs(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "history"
    for number, likes in ((2, -4.0), (10, 0.0), (100, 4.0)):
        policy(likes).save(folder / f"policy_{number}.npz")
    assert [path.stem for path in versions(folder)] == ["policy_2", "policy_10", "policy_100"]
    assert [path.stem for path in versions(folder, 2)] == ["policy_2", "policy_100"]
    found = ladder(TOY, folder, players=2, deals=60, results=tmp_path / "results")
    assert [step.place for step in found.steps] == [2, 10, 100]
    skills = [step.rating.mu for step in found.steps]
    assert skills == sorted(skills) and skills[2] - skills[0] > 5
    assert set(found.anchors) == {"random", "greedy"}
    # Nothing is played again, and a new version begins a new file.
    again = ladder(TOY, folder, players=2, deals=60, results=tmp_path / "results")
    assert again == found
    policy(8.0).save(folder / "policy_200.npz")
    assert len(ladder(TOY, folder, players=2, deals=2, results=tmp_path / "results").steps) <= 4
    assert len(list((tmp_path / "results").glob("*.sqlite"))) == 2
    for name in ("curve.png", "curve.svg", "curve.html"):
        assert save_plot(found, tmp_path / "plots" / name).stat().st_size > 5_000
    status, out, _ = run("ladder", "toy_game:GAME", folder, "--players", 2, "--deals", 15, "--json")
    assert status == 0 and [step["place"] for step in json.loads(out)["steps"]] == [2, 10, 100, 200]
    with pytest.raises(ValueError, match="is a policy for toy, not for 7 Wonders"):
        ladder(WONDERS, folder)
    with pytest.raises(FileNotFoundError, match="no folder"):
        versions(tmp_path / "nowhere")
