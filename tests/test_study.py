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
from antiquity.play.session import Session
from antiquity.study.analysis import Analyst, analyse
from antiquity.study.compare import compare
from antiquity.study.gif import write_gif
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


# --- play on from here ------------------------------------------------------------------------------------------------


def test_a_game_is_played_on_from_any_step_and_says_where_it_branched(
    opening: Replay, tmp_path: Path
) -> None:
    path = opening.write(tmp_path / "game.jsonl")
    before = path.read_bytes()
    save = tmp_path / "other.jsonl"
    session = Session.play_on(path, 2, seat=1, against=["greedy", "random"], save=save)
    assert session.step == 2 and session.seat == 1
    other = next(each for each in session.legal() if each != opening.steps[2][1].action)
    session.choose(other)
    made = Replay.read(save)
    assert made.branch == "game.jsonl, step 2"
    # Nothing before differs, and the move that was tried another way does.
    assert [each.action for step in made.steps[:2] for each in step] == [
        each.action for step in opening.steps[:2] for each in step
    ]
    assert made.steps[2][1].action == other and path.read_bytes() == before
    # It is an ordinary saved game, which goes on and remembers.
    again = Session.resume(save, against=["greedy", "random"])
    assert again.step == session.step and again.replay().branch == made.branch
    for step in (0, len(opening.steps)):
        assert Session.play_on(path, step, seat=0, against=["greedy", "greedy"]).step == step
    with pytest.raises(ValueError, match="the step"):
        Session.play_on(path, 99)
    with pytest.raises(ValueError, match="the seat"):
        Session.play_on(path, 0, seat=3)


def test_no_saved_game_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda _: "q")
    arguments = ["play", "dice", "--against", "greedy", "--seed", "3", "--terminal"]
    for _ in range(3):
        assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    names = sorted(file.name for file in (tmp_path / "runs" / "play").iterdir())
    assert names == ["dice-3-2.jsonl", "dice-3-3.jsonl", "dice-3.jsonl"]
    with pytest.raises(ValueError, match="there is a file already"):
        CliRunner().invoke(app, [*arguments, "--save", "runs/play/dice-3.jsonl"], catch_exceptions=False)
    onward = ["play", "--resume", "runs/play/dice-3.jsonl", "--step", "0", "--seat", "1", "--terminal"]
    assert CliRunner().invoke(app, [*onward, "--against", "greedy"], catch_exceptions=False).exit_code == 0
    assert Replay.read("runs/play/dice-3-from-0.jsonl").branch == "dice-3.jsonl, step 0"
    with pytest.raises(ValueError, match="--step goes with --resume"):
        CliRunner().invoke(app, [*arguments, "--step", "2"], catch_exceptions=False)


# --- comparing, sharing -----------------------------------------------------------------------------------------------


def test_two_agents_are_compared_on_the_same_positions() -> None:
    found = compare("seven_wonders", "policy", "random", games=2, players=3)
    again = compare("seven_wonders", "random", "policy", games=2, players=3)
    assert found.decisions > 30 and 0 < len(found.differences) < found.decisions
    assert found.gain()[0] > 0 > again.gain()[0]
    assert compare("dice", "greedy", "greedy", games=1).agreement[0] == 1.0
    done = CliRunner().invoke(
        app, ["compare", "dice", "greedy", "random", "--games", "1"], catch_exceptions=False
    )
    assert done.exit_code == 0 and "agree on" in done.output
    assert json.loads(json.dumps(found.as_dict()))["decisions"] == found.decisions


def test_a_game_as_a_gif(opening: Replay, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="pictures as pixels need Pillow")
    path = opening.write(tmp_path / "game.jsonl")
    target = tmp_path / "game.gif"
    arguments = ["replay", str(path), "--gif", str(target), "--every", "3"]
    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
    with image.open(target) as found:
        # The start, the third step and the end.
        assert found.format == "GIF" and found.n_frames == 3 and found.width == 900
    game_log(toy_game.GAME, ["random", "random"], seed=1, replay=tmp_path / "toy.jsonl")
    toy = Replay.read(tmp_path / "toy.jsonl", game=toy_game.GAME)
    with pytest.raises(ValueError, match="no pictures"):
        write_gif(toy, target)
    with pytest.raises(ValueError, match="there is no seat 5"):
        write_gif(opening, target, seat=5)
