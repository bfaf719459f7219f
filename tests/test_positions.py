"""Positions from words, their files, and where they are used."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

import dice_env
import seven_wonders_env
import stone_age_env
import toy_game
from antiquity import Batch
from antiquity.batch import batch_of, read_position, write_position
from antiquity.cli.main import app
from antiquity.game import GAMES, make_game
from antiquity.game.position import Position
from antiquity.study.log import game_log

GAMES_PLAYED = {"seven_wonders": 24, "stone_age": 6, "dice": 12}
OFTEN = {"seven_wonders": 0.15, "stone_age": 0.04, "dice": 0.12}


@pytest.mark.parametrize("name", GAMES)
def test_any_position_of_a_game_goes_through_words_and_a_file_to_the_last_byte(
    name: str, tmp_path: Path
) -> None:
    game, rng, count = make_game(name), np.random.default_rng(3), 0
    for number in range(GAMES_PLAYED[name]):
        players = game.min_players + number % (game.max_players - game.min_players + 1)
        options: dict[str, Any] = {}
        if name == "seven_wonders":
            options = {
                "sides": ["day", "night", "choose"][number % 3],
                "payments": ["choose", "cheapest"][number % 2],
            }
        batch = Batch(game, 1, players, seed=number, autoreset=False, **options)
        batch.reset()
        while batch.deciders():
            if rng.random() < OFTEN[name]:
                position = game.position_of(batch.games, 0, batch.tables, options)
                found = read_position(write_position(position, tmp_path / "p.toml"))
                for field in game.dtype.names or ():
                    assert found.record[field].tobytes() == batch.games[field].tobytes(), field
                assert found.render(0) == batch.render(0, 0)
                count += 1
            batch.step(batch.sample("greedy" if rng.random() < 0.6 else "random"))
    assert count > 40


def test_a_few_words_make_a_position_of_7_wonders() -> None:
    seats: list[dict[str, Any]] = [
        {
            "board": "gizah",
            "built": ["Stone Pit", "Altar", "Aqueduct"],
            "stages": 1,
            "coins": 5,
            "hand": ["Forum"],
        },
        {"board": "rhodos", "side": "night", "victory": 1},
        {},
    ]
    position = seven_wonders_env.GAME.position(age=2, turn=3, seats=seats, seed=5)
    batch = batch_of(position)
    game: Any = batch.games[0]
    assert (game["age"], game["turn"], game["num_players"]) == (1, 2, 3)
    assert game["coins"].tolist()[:3] == [5, 3, 3] and game["built"][0, 7] == 1
    assert (
        "Aqueduct" in position.render()
        and "Forum" in position.render(0)
        and position.draw(0).startswith("<svg")
    )
    # It plays on like any other.
    while batch.deciders():
        batch.step(batch.sample())
    # What was not said follows from the seed.
    same, other = (seven_wonders_env.GAME.position(age=2, turn=3, seats=seats, seed=seed) for seed in (5, 6))
    assert same.record.tobytes() == position.record.tobytes() != other.record.tobytes()


def test_a_few_words_make_positions_of_the_other_games() -> None:
    stone = stone_age_env.GAME.position(
        round=3,
        seats=[
            {
                "people": 6,
                "resources": {"gold": 2},
                "placed": {"forest": 3},
                "cards": ["C07"],
                "tools": [2, 1, 1],
            },
            {"food": 4},
        ],
    )
    batch = batch_of(stone)
    assert batch.games[0]["in_hand"].tolist()[:2] == [3, 5] and batch.games[0]["culture"][0].sum() == 1
    sheet = dice_env.GAME.position(
        turn=4,
        seats=[{"board": "rhodes", "crossed": ["stone", "A1", "upper1"], "coins": 9}, {}],
        forum=[
            {"die": die, "face": face, "quadrant": 1}
            for die, face in (
                ("grey1", "stone"),
                ("grey2", "wood"),
                ("grey3", "clay"),
                ("green", "gear"),
                ("blue", "owl"),
                ("red", "sword"),
                ("yellow", "camel"),
            )
        ],
    )
    batch = batch_of(sheet)
    assert batch.games[0]["coins"].tolist()[:2] == [9, 7] and batch.games[0]["resources"][0] == 1
    for each in (stone, sheet):
        playing = batch_of(each)
        while playing.deciders():
            playing.step(playing.sample())


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"seats": [{}, {}, {"coin": 4}]}, "seat 2: nothing is called 'coin'; did you mean 'coins'"),
        ({"seats": [{"built": ["Altr"]}, {}, {}], "turn": 3}, "did you mean 'Altar'"),
        ({"seats": [{}, {}]}, "3 to 7 players"),
        ({"seats": [{"built": ["Altar"]}, {}, {}]}, "it has played 1 cards, and by then it is 0"),
        ({"seats": [{"built": ["Altar"]}, {"built": ["Altar"]}, {}], "turn": 2}, "there is no further Altar"),
        ({"seats": [{"coins": 900}, {}, {}]}, "coins"),
        ({"seats": [{"victory": 3}, {}, {}]}, "victory"),
        ({"seats": [{"coins": True}, {}, {}]}, "must be a whole number"),
        ({"seats": [{"hand": ["Palace"]}, {}, {}]}, "nothing is called 'Palace'"),
        ({"seats": [{}, {}, {}], "age": 4}, "age = 4: it is 1 to 3"),
        ({"seats": [{}, {}, {}], "phase": "pick"}, "nobody has just built a stage"),
    ],
)
def test_what_cannot_be_says_why(said: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        batch_of(seven_wonders_env.GAME.position(**said))


def test_environments_begin_in_a_position(tmp_path: Path) -> None:
    position = seven_wonders_env.GAME.position(age=3, turn=6, seats=[{}, {"coins": 7}, {}, {}], seed=2)
    path = write_position(position, tmp_path / "p.toml")
    parallel = seven_wonders_env.parallel_env(num_players=4)
    for given in (position, str(path)):
        observations, infos = parallel.reset(seed=1, options={"position": given})
        assert parallel.batch.games[0]["age"] == 2 and infos["player_0"]["action_mask"].sum() > 1
        seen: Any = observations["player_0"]
        assert seen["observation"].sum() != parallel.reset(seed=1)[0]["player_0"]["observation"].sum()
    turn_by_turn = seven_wonders_env.env(num_players=4)
    turn_by_turn.reset(seed=1, options={"position": position})
    assert turn_by_turn.unwrapped.batch.games[0]["turn"] == 5
    one: Any = gymnasium.make("antiquity/SevenWonders-v1", num_players=4, opponents="greedy")
    one.reset(seed=1, options={"position": position})
    assert one.unwrapped.games.batch.games[0]["age"] == 2
    with pytest.raises(ValueError, match="with 4 players, and this is 7 Wonders with 3"):
        seven_wonders_env.parallel_env(num_players=3).reset(options={"position": position})
    with pytest.raises(ValueError, match="is of Stone Age"):
        parallel.reset(options={"position": stone_age_env.GAME.position(seats=[{}, {}])})


def test_a_position_of_a_replay_is_written_in_words(tmp_path: Path) -> None:
    game_log("dice", ["greedy", "greedy"], seed=2, replay=tmp_path / "g.jsonl")
    target = tmp_path / "p.toml"
    arguments = ["replay", str(tmp_path / "g.jsonl"), "--position", str(target)]
    done = CliRunner().invoke(app, [*arguments, "--step", "9"], catch_exceptions=False)
    assert done.exit_code == 0 and tomllib.loads(target.read_text(encoding="utf-8"))["game"] == "dice"
    assert isinstance(read_position(target), Position)
    with pytest.raises(ValueError, match="goes with --step"):
        CliRunner().invoke(app, arguments, catch_exceptions=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "position = 2",
        'position = 1\ngame = "nowhere"\nversion = 0\n',
        'position = 1\ngame = "dice"\nversion = 77\nseats = []\n',
        'position = 1\ngame = "dice"\nversion = 0\nseats = [1, 2]\n',
        'position = 1\ngame = "dice"\nversion = 0\nevil = 1\n[[seats]]\n[[seats]]\n',
        'position = 1\ngame = "dice"\nversion = 0\n[options]\nsheet = "/etc/passwd"\n[[seats]]\n[[seats]]\n',
        "a=" + "[" * 5000,
        "\x00",
    ],
)
def test_files_that_hold_no_position_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"p\.toml: .") as caught:
        read_position(path)
    assert "\n" not in str(caught.value)


def test_a_game_without_words_says_so() -> None:
    with pytest.raises(ValueError, match="makes no positions from words"):
        toy_game.GAME.position(seats=[{}, {}])
