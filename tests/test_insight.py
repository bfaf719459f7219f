"""Insight: what is chosen and what it is worth, counted over games."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import toy_game
from antiquity.arena import Results, tournament
from antiquity.cli.main import app
from antiquity.game import GAMES, make_game
from antiquity.study.insight import from_replays, from_results, play_and_study, study
from antiquity.study.insight_page import write_csv, write_insight
from antiquity.study.log import game_log
from antiquity.study.replay import Replay
from antiquity.study.tournaments import replay_of


@pytest.mark.parametrize("name", GAMES)
def test_games_that_are_played_and_games_that_were_played_count_the_same(name: str, tmp_path: Path) -> None:
    game = make_game(name)
    path = tmp_path / "t.sqlite"
    tournament(game, ["greedy", "random"], players=2 + (name == "seven_wonders"), deals=3, results=path)
    with Results.open(path) as results:
        found = study(game, from_results(results), compare=False)
        replays = []
        for deal in range(3):
            for rotation in range(2 + (name == "seven_wonders")):
                replays.append(replay_of(results, deal, rotation=rotation))
    again = study(game, from_replays(replays), compare=False)
    assert found.games == again.games == len(replays)
    for one in ("taken", "offered", "wins", "squares", "by_rank", "board_games", "board_wins", "points"):
        assert np.array_equal(getattr(found, one), getattr(again, one)), one
    assert (found.taken <= found.offered).all() and found.taken.sum() > 50
    assert np.array_equal(found.by_rank.sum(axis=-1), found.taken)
    assert found.rank_seats.sum() == len(replays) * replays[0].num_players


def test_counts_are_those_of_a_replay_by_hand(tmp_path: Path) -> None:
    game_log("seven_wonders", ["greedy"] * 3, seed=4, replay=tmp_path / "a.jsonl")
    replay = Replay.read(tmp_path / "a.jsonl")
    found = study(replay.game, from_replays([replay]), compare=False)
    # Forced moves are no choice; all others that concern a card from a hand are counted.
    expected: dict[tuple[int, str, str], int] = {}
    for position in replay.positions():
        age, phase = (int(position.batch.games[0][name]) for name in ("age", "phase"))
        for choice in position.choices:
            if len(position.legal[choice.seat]) > 1 and 1 <= choice.action <= 240 and phase in (0, 3):
                key = (age, found.items[(choice.action - 1) // 3], found.ways[(choice.action - 1) % 3])
                expected[key] = expected.get(key, 0) + 1
    counted = {
        (int(m), found.items[i], found.ways[w]): int(found.taken[m, i, w])
        for m, i, w in np.argwhere(found.taken)
    }
    assert counted == expected


def test_wins_of_all_that_is_taken_add_up_to_par_where_all_take_alike() -> None:
    found = play_and_study("dice", ["greedy"], 300, compare=False)
    # Every seat's first choice of the game: over all seats the wins are par by construction.
    assert found.board_wins.sum() == pytest.approx(found.board_games.sum())
    rates = [found.board_rate(board) for board in range(len(found.boards))]
    assert np.mean([rate.value for rate in rates]) == pytest.approx(1.0, abs=0.1)
    assert all(rate.half < 0.6 for rate in rates)


def test_building_a_good_card_is_worth_more_than_selling_it() -> None:
    found = play_and_study("seven_wonders", ["greedy"], 150, compare=True)
    pairs = [pair for each in found.gains.values() for pair in each]
    assert len(pairs) > 100
    assert np.mean([out for _, out in pairs]) > 0 and np.mean([policy for policy, _ in pairs]) > 0


def test_page_and_csv(tmp_path: Path) -> None:
    page, folder = tmp_path / "i.html", tmp_path / "csv"
    arguments = [
        "insight",
        "seven_wonders",
        "--games",
        "60",
        "--against",
        "greedy,random",
        "--html",
        str(page),
    ]
    done = CliRunner().invoke(app, [*arguments, "--csv", str(folder)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    text = page.read_text(encoding="utf-8")
    assert "Age III" in text and "Mean points by rank" in text and "<script" not in text
    rows = list(csv.DictReader((folder / "items.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["way"] for row in rows} == {"build", "wonder stage", "sell"}
    assert all(int(row["taken"]) <= int(row["offered"]) for row in rows)
    assert sorted(path.name for path in folder.iterdir()) == [
        "boards.csv",
        "gains.csv",
        "items.csv",
        "points.csv",
    ]


def test_a_folder_of_replays_is_studied(tmp_path: Path) -> None:
    for seed in range(3):
        game_log("stone_age", ["greedy", "greedy"], seed=seed, replay=tmp_path / f"{seed}.jsonl")
    page = tmp_path / "i.html"
    arguments = ["insight", str(tmp_path), "--html", str(page), "--no-compare"]
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0 and "3 games" in done.output


def test_what_cannot_be_studied_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not say what its actions are about"):
        play_and_study(toy_game.GAME, ["random"], 2)
    with pytest.raises(ValueError, match="no finished games"):
        study(make_game("dice"), from_replays([]))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="no replays in"):
        CliRunner().invoke(app, ["insight", str(tmp_path / "empty")], catch_exceptions=False)


def test_names_from_files_are_text_in_the_page(tmp_path: Path) -> None:
    found = play_and_study("dice", ["random"], 40, compare=False)
    found.items = ("<b>x</b>", *found.items[1:])
    found.boards = ("<i>y</i>", *found.boards[1:])
    text = write_insight(found, tmp_path / "x.html", "a <title>").read_text(encoding="utf-8")
    assert "<b>" not in text and "<i>" not in text and "a &lt;title&gt;" in text
    assert len(write_csv(found, tmp_path)) == 4
