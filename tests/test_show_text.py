"""Tables as text: they fit the terminal, and say the same at every width."""

from __future__ import annotations

import re

import pytest

from antiquity.batch import Batch
from antiquity.cli.replay import _choice_lines, _screen
from antiquity.game import make_game
from antiquity.play.session import Session
from antiquity.play.terminal import play_in_terminal
from antiquity.render.text import NARROWEST, WIDTH, hanging, in_columns, result_lines, terminal_width
from antiquity.study.page import unseen_choices

NAMES = ("seven_wonders", "stone_age", "dice")
EVERY = {"seven_wonders": 6, "stone_age": 60, "dice": 12}
"""One decision in so many is looked at."""


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def widest(text: str) -> int:
    return max(map(len, plain(text).splitlines()))


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_wider_than_the_terminal(name: str) -> None:
    game = make_game(name)
    for players in (3, game.max_players):
        batch = Batch(game, num_players=players, seed=1, autoreset=False)
        batch.reset()
        step = 0
        while batch.deciders(0):
            if step % EVERY[name] == 0:
                for width in (NARROWEST, 100, WIDTH):
                    for seat in (None, players - 1):
                        text = batch.render(0, seat, width)
                        assert widest(text) <= width
                        assert "…" not in text
            batch.step(batch.sample())
            step += 1
        assert step > EVERY[name]
        assert batch.render(0, width=10) == batch.render(0, width=NARROWEST)
        assert batch.render(0, width=500) == batch.render(0) == batch.render(0, width=WIDTH)
        # Nothing is left out where there is less room.
        words = {width: set(re.findall(r"\w+", plain(batch.render(0, None, width)))) for width in (80, 118)}
        assert {word for word in words[118] - words[80] if word.isdecimal()} == set()


@pytest.mark.parametrize("name", NAMES)
def test_playing_in_a_narrow_terminal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    said: list[str] = []
    game = make_game(name)
    session = Session(name, ["random"] * (game.max_players - 1), seed=2)
    play_in_terminal(session, lambda prompt: "1", said.append)
    assert session.over
    assert max(map(widest, said[1:])) <= 80
    replay = session.replay()
    *_, end = replay.positions()
    screen = _screen(replay, end, 0, {})
    assert widest(screen) <= 80
    for row in replay.scores:
        assert str(row["total"]) in screen.rpartition("total")[2]


def test_a_seats_replay_tells_choices_when_that_seat_sees_them() -> None:
    session = Session("dice", ["greedy", "greedy"], seed=4)
    while not session.over:
        session.choose(session.legal()[-1])
    replay = session.replay()
    unseen, told = unseen_choices(replay), 0
    for position in replay.positions():
        if not position.choices:
            break
        lines = list(_choice_lines(replay, position, 0, unseen))
        others = [choice.seat for choice in position.choices if choice.seat]
        late = [line for line in lines if "not seen before the turn is over" in line]
        assert len(late) == (len(others) if position.step in unseen else 0)
        told += len(others) - len(late) + sum("earlier in this turn" in line for line in lines)
    assert unseen
    assert told == sum(choice.seat != 0 for step in replay.steps for choice in step)


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns, width in (("40", NARROWEST), ("96", 96), ("300", WIDTH)):
        monkeypatch.setenv("COLUMNS", columns)
        assert terminal_width() == width


def test_lines_stand_side_by_side_downwards_first() -> None:
    lines = [f"line {number}" for number in range(5)]
    assert in_columns(lines, 19) == ["line 0   line 3", "line 1   line 4", "line 2"]
    assert in_columns(lines, 5) == lines
    assert in_columns([], 80) == []


def test_long_lines_are_set_in() -> None:
    assert hanging("  you: ", "build a very long wall", 18) == [
        "  you: build a",
        "      very long",
        "      wall",
    ]
    assert hanging("  you: ", "wait", 18) == ["  you: wait"]


def test_results_fit_with_long_names() -> None:
    row = {"scores": {"barracks_west": 12}, "total": 12, "tiebreak": 3, "rank": 1}
    names = [f"seat {seat}" for seat in range(7)]
    lines = result_lines(names, ["search:simulations=2000,rollout=greedy"] * 7, [row] * 7, 80)
    assert max(map(len, lines)) <= 80
    assert lines[1].count("search…") == 7 or lines[1].count("…") == 7
    assert lines[2].split() == ["barracks", "west", *["12"] * 7]
