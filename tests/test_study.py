"""Studying games: analysis of decisions, chances to win, mistakes."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import toy_game
from antiquity import Batch
from antiquity.agents.judge import Judge
from antiquity.cli.main import app
from antiquity.game import make_game
from antiquity.study.analysis import Analyst, analyse
from antiquity.study.log import game_log
from antiquity.study.page import replay_page
from antiquity.study.recording import Recorder
from antiquity.study.replay import Replay

WONDERS = make_game("seven_wonders")


@pytest.fixture(scope="module")
def opening() -> Replay:
    """The first turns of a game in which seat 2 plays at random."""
    batch = Batch("seven_wonders", 1, 3, seed=5, autoreset=False, max_cycles=4)
    recorder = Recorder(batch, agents=("greedy", "greedy", "random"))
    batch.reset()
    for _ in range(4):
        row, random = batch.sample("greedy"), batch.sample()
        row[0, 2] = random[0, 2]
        batch.step(row)
    return recorder.replays[0]


def test_an_analysis_judges_every_decision_and_names_only_losses_above_two_errors(opening: Replay) -> None:
    told: list[tuple[int, int]] = []
    found = analyse(opening, agent="expert:simulations=60", told=lambda *step: told.append(step))
    assert told == [(step, 4) for step in range(5)] and found.steps == (0, 1, 2, 3, 4)
    assert [(each.step, each.seat) for each in found.decisions] == [
        (choice_step, seat) for choice_step in range(4) for seat in range(3)
    ]
    for each in found.decisions:
        assert sum(option.share for option in each.options) == pytest.approx(1.0, abs=0.01)
        assert each.options[0].share == max(option.share for option in each.options)
        assert each.mistake == (each.loss > 2 * each.error and each.loss > 0)
        assert (each.loss, each.error) == (0.0, 0.0) or each.played != each.best
        assert all(0 <= option.value <= 1 and option.error > 0 for option in each.options)
    losses = [each.loss for each in found.mistakes()]
    assert losses == sorted(losses, reverse=True)
    assert np.shape(found.chances) == (5, 3) and 0.7 < np.sum(found.chances[0]) < 1.3
    again = analyse(opening, agent="expert:simulations=60", seats=[1])
    assert again.decisions == tuple(each for each in found.decisions if each.seat == 1)
    assert json.loads(json.dumps(found.as_dict()))["analysis"] == 1


def test_random_moves_lose_more_than_those_that_are_recommended() -> None:
    batch = Batch("seven_wonders", 1, 3, seed=8, autoreset=False)
    batch.reset()
    analyst = Analyst(WONDERS, "policy")
    lost, named = 0.0, 0
    for _ in range(6):
        played = int(batch.sample()[0, 0])
        judged = analyst.decision(batch, 0, played)
        lost, named = lost + judged.loss, named + judged.mistake
        batch.step(batch.sample("greedy"))
    assert lost > 0.05 and named >= 2


@pytest.mark.parametrize("name", ["seven_wonders", "stone_age"])
def test_an_analysis_knows_what_its_seat_knows_and_nothing_else(name: str) -> None:
    batch = Batch(name, 1, 3, seed=3, autoreset=False)
    batch.reset()
    for _ in range(8):
        batch.step(batch.sample("greedy"))
    seat = batch.deciders(0)[0]
    found = []
    for salt in range(2):
        other = batch.clone()
        other.determinize(0, seat, salt)
        analyst = Analyst(batch.game, "expert:simulations=40")
        played = int(other.legal_actions(0, seat)[-1])
        found.append(
            (other.games.tobytes(), analyst.decision(other, seat, played), analyst.chance(other, seat, 20))
        )
    assert found[0][0] != found[1][0], "the worlds must differ for this test to say something"
    assert found[0][1:] == found[1][1:]


def test_a_game_without_a_policy_is_judged_by_greedy_rollouts() -> None:
    game = toy_game.GAME
    batch = Batch(game, 1, 2, seed=0, autoreset=False)
    batch.reset()
    seat = batch.deciders(0)[0]
    judge = Judge(game)
    legal = batch.legal_actions(0, seat).astype(np.int64)
    worths = judge.worths(batch.games, batch.tables, 0, seat, legal, 30)
    assert worths.shape == (30, len(legal)) and (worths >= 0).all() and (worths <= 1).all()
    wins = judge.wins(batch.games, batch.tables, 0, seat, 30)
    assert set(np.unique(wins)) <= {0.0, 0.5, 1.0}
    assert Analyst(game, "search:simulations=20").decision(batch, seat).best in legal


def test_analyse_on_the_command_line(opening: Replay, tmp_path: Path) -> None:
    path = opening.write(tmp_path / "game.jsonl")
    page = tmp_path / "game.html"
    arguments = ["analyse", str(path), "--agent", "policy", "--html", str(page)]
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0 and "decisions as recommended" in done.output
    packed = re.search(r'id="data">([^<]+)<', page.read_text(encoding="utf-8"))
    assert packed is not None
    data = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    assert len(data["analysis"]["decisions"]) == 12
    with pytest.raises(ValueError, match="does not say what it thinks"):
        CliRunner().invoke(app, ["analyse", str(path), "--agent", "greedy"], catch_exceptions=False)
    with pytest.raises(ValueError, match="there is no seat 7"):
        CliRunner().invoke(app, ["analyse", str(path), "--seat", "7"], catch_exceptions=False)


def test_a_page_of_one_seat_holds_no_thoughts_of_the_others(opening: Replay) -> None:
    found = analyse(opening, agent="policy")
    text = replay_page(opening, views=[1], analysis=found)
    packed = re.search(r'id="data">([^<]+)<', text)
    assert packed is not None
    shown = json.loads(gzip.decompress(base64.b64decode(packed[1])))["analysis"]
    assert {each["seat"] for each in shown["decisions"]} == {1}
    assert all(row[0] is None and row[2] is None and row[1] is not None for row in shown["chances"])


def test_a_log_can_be_analysed_whole(tmp_path: Path) -> None:
    game_log(toy_game.GAME, ["greedy", "random"], seed=1, replay=tmp_path / "toy.jsonl")
    replay = Replay.read(tmp_path / "toy.jsonl", game=toy_game.GAME)
    found = analyse(replay, agent="search:simulations=30")
    assert found.chances[-1] in {(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)}
