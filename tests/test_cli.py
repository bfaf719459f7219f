"""The command line: help with examples, output for people and for programs, errors in one line, exit statuses."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.main import get_command
from typer.testing import CliRunner

import antiquity
from antiquity.cli import looks
from antiquity.cli import main as cli
from antiquity.cli.common import read_options
from antiquity.cli.looks import READABLE, how_to_play
from antiquity.cli.play import default_opponent
from antiquity.cli.replay import step_through
from antiquity.game import GAMES, make_game
from antiquity.game.checks import printable
from antiquity.study.log import game_log
from antiquity.study.replay import Replay

RUNNER = CliRunner()
COMMANDS: dict[str, Any] = get_command(cli.app).commands  # type: ignore[attr-defined]


def run(*arguments: str, lines: str = "") -> str:
    """The output of a command that must succeed."""
    result = RUNNER.invoke(cli.app, arguments, input=lines, env={"COLUMNS": "160"}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The message of a command that must be refused."""
    monkeypatch.setattr(sys, "argv", ["antiquity", *arguments])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == cli.REFUSED
    error = capsys.readouterr().err
    assert "Traceback" not in error
    return error


@pytest.fixture(scope="module")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replay") / "game.jsonl"
    game_log("seven_wonders", ["greedy", "greedy", "random"], seed=1, replay=path)
    return path


# --- help ---


def test_help_names_every_command() -> None:
    text = run("--help")
    assert {
        "games",
        "play",
        "replay",
        "train",
        "demo",
        "bench",
        "warmup",
        "layout",
        "rules",
    } <= COMMANDS.keys()
    assert all(f" {name} " in text for name in COMMANDS)


def test_the_version_and_the_short_form_of_help() -> None:
    assert run("--version") == f"antiquity {antiquity.__version__}\n"
    assert run("-h") == run("--help") and "--install-completion" in run("-h")
    assert run("bench", "-h") == run("bench", "--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    assert f"antiquity {name}" in run(name, "--help").replace("Usage: antiquity", "")


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    heavy = {"torch", "matplotlib", "starlette", "uvicorn"}
    code = f"import sys, antiquity.cli.main; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- what there is ---


def test_games() -> None:
    text = run("games")
    assert all(name in text and make_game(name).title in text for name in GAMES)
    found = {each["name"]: each for each in json.loads(run("games", "--json"))}
    assert set(found) == set(GAMES)
    assert found["seven_wonders"]["num_actions"] == 258
    assert {"name": "sides", "default": "day"}.items() <= found["seven_wonders"]["options"][0].items()


@pytest.mark.parametrize("name", GAMES)
def test_layout_has_every_field_and_every_action(name: str) -> None:
    game = make_game(name)
    found = json.loads(run("layout", name, "--memory", "--json"))
    assert [field["name"] for field in found["observation"]] == [
        field.name for field in game.observation_layout(memory=True)
    ]
    assert len(found["actions"]) == game.num_actions
    assert found["actions"][0] == "wait"
    text = run("layout", name)
    assert all(field.name in text for field in game.layout)
    assert found["actions"][-1] in text


@pytest.mark.parametrize("name", GAMES)
def test_rules_say_how_a_game_is_played(name: str) -> None:
    game = make_game(name)
    text = run("rules", name)
    assert "how to play" in text and "Observation" not in text
    for part in (
        "The table",
        "A turn" if name != "stone_age" else "A round",
        "The end",
        "Words in the actions",
    ):
        assert part in text
    assert max(map(len, text.partition("Options")[0].splitlines())) <= READABLE
    # Every kind of points is explained, and all that the package says is shown.
    how = how_to_play(game)
    assert how is not None and len(how.splitlines()) <= 90
    assert all(word in how for category in game.categories for word in category.split("_"))
    assert all(option.name in text for option in game.options)
    page = run("rules", name, "--more")
    assert "Actions" in page and "Observation" in page and "how to play" not in page


@pytest.mark.parametrize("name", GAMES)
def test_rules_end_with_what_was_open(name: str) -> None:
    text = run("rules", name)
    page = inspect.cleandoc(importlib.import_module(f"{name}_env").__doc__ or "")
    opened = page[page.index("**Open questions") : page.index("**Versions.")]
    words = " ".join(text.split())
    assert len(re.findall(r"^\* ", opened, flags=re.MULTILINE)) >= 6
    for bullet in re.findall(r"^\* ((?:\w+ ){3})", opened, flags=re.MULTILINE):
        assert bullet in words
    assert "Versions" not in text and "Decisions." not in text


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("more", [False, True])
@pytest.mark.parametrize("columns", [60, 120])
def test_rules_are_wrapped_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, more: bool, name: str
) -> None:
    screen = Console(
        file=io.StringIO(),
        width=columns,
        force_terminal=True,
        color_system=None,
        markup=False,
        highlight=False,
    )
    monkeypatch.setattr(looks, "console", screen)
    looks.rules(name, more=more)
    text = re.sub(r"\x1b\[[0-9;]*m", "", screen.file.getvalue())  # type: ignore[attr-defined]
    widths = [len(line) for line in text.splitlines()]
    assert min(columns, READABLE) - 10 < max(widths) <= columns
    assert all(printable(line) == line for line in text.splitlines())


@pytest.mark.parametrize("name", GAMES)
def test_rules_in_a_pipe_are_plain_text(name: str) -> None:
    code = "import sys; from antiquity.cli.main import main; sys.argv[1:] = ['rules', sys.argv[1]]; main()"
    done = subprocess.run([sys.executable, "-c", code, name], capture_output=True, check=True)
    text = done.stdout.decode()
    assert "how to play" in text and all(printable(line) == line for line in text.splitlines())


def test_rules_of_others_cannot_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "how_to_play", lambda game: "# Nim\n\n\x1b]0;x\x07\tTake \x1b[2Jone.\n")
    text = run("rules", "dice")
    assert "Take" in text and all(printable(line) == line for line in text.splitlines())


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_the_same_lists_everywhere(name: str) -> None:
    """The site's Markdown wants four spaces before what belongs to a numbered step; others take any number."""
    how = how_to_play(make_game(name))
    assert how is not None
    assert not re.search(r"^ {1,3}[-*] ", how, flags=re.MULTILINE)


def test_a_game_without_rules_for_people_shows_its_page() -> None:
    assert how_to_play(dataclasses.replace(make_game("dice"), origin="toy_game:GAME")) is None


# --- replay ---


def test_replay_as_a_log(game_file: Path) -> None:
    text = run("replay", str(game_file))
    assert "step 1: Age I, turn 1\n  seat 0, greedy: " in text
    assert "The end: terminated" in text
    found = json.loads(run("replay", str(game_file), "--json"))
    assert found["agents"] == ["greedy", "greedy", "random"]
    assert str(found["scores"][0]["total"]) in text


def test_replay_of_one_step_hides_what_the_seat_does_not_see(game_file: Path) -> None:
    everything = run("replay", str(game_file), "--step", "2")
    assert "hand of 0" in everything and "hand of 1" in everything
    own = run("replay", str(game_file), "--step", "2", "--seat", "1")
    assert "hand of 1" in own and "hand of 0" not in own


def test_replay_steps_through(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["", "", "b", "v", "what", "9999", "0", "q"])
    step_through(Replay.read(game_file), None, lambda prompt: next(answers))
    text = capsys.readouterr().out
    shown = [line.split(",")[0] for line in text.splitlines() if line.startswith("step ")]
    last = shown[0].split()[-1]
    assert [line.split()[1] for line in shown] == ["0", "1", "2", "1", "1", "1", last, "0"]
    assert "as seat 0, greedy sees it" in text
    assert "'what'?" in text


def test_replay_as_a_page(game_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "game.html"
    assert str(target) in run("replay", str(game_file), "--html", str(target)).replace("\n", "")
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")


# --- play, bench, warmup, train ---


def test_play_in_the_terminal_and_go_on(tmp_path: Path) -> None:
    save = tmp_path / "game.jsonl"
    start = ("play", "dice", "--against", "greedy", "--seed", "1", "--save", str(save), "--terminal")
    assert f"antiquity play --resume {save}" in run(*start, lines="1\nq\n")
    assert "your action" in run("play", "--resume", str(save), "--terminal", lines="1\nq\n")


def test_bench_measures() -> None:
    found = json.loads(
        run("bench", "seven_wonders", "--players", "3", "--games", "16", "--seconds", "0.05", "--json")
    )
    assert found["players"] == 3
    assert [row["way"] for row in found["results"]] == ["rollout", "decision rows", "full steps"]
    assert all(row["games_per_second"] >= 0 for row in found["results"])
    assert all(row["decisions_per_second"] > 0 for row in found["results"])


def test_warmup() -> None:
    assert run("warmup", "seven_wonders").startswith("seven_wonders: ")


def test_train_leaves_a_policy_that_plays(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra train")
    small = ("games=4", "hidden=[8]", "checks=1", "snapshots=1", "deals=2")
    arguments = ["--players", "2", "--decisions", "300", "--folder", str(tmp_path), "--json"]
    arguments += [word for each in small for word in ("--set", each)]
    found = json.loads(run("train", "stone_age", *arguments, "--option", "max_rounds=2"))
    assert [kind["players"] for kind in found["settings"]["tables"]] == [2] and len(found["curve"]) == 2
    policy = str(tmp_path / "stone_age" / "policy.npz")
    save = str(tmp_path / "game.jsonl")
    assert "is saved" in run(
        "play", "stone_age", "--against", policy, "--save", save, "--terminal", lines="1\nq\n"
    )


def test_the_best_agent_that_a_game_brings_is_the_opponent() -> None:
    assert default_opponent(make_game("toy_game:GAME")) == "search"
    for name in ("dice", "stone_age"):
        assert default_opponent(make_game(name)) == "expert"


# --- what goes wrong ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["layout", "chess"], "no game is called 'chess'; installed are: dice"),
        (["rules", "chess"], "no game is called"),
        (["play"], "name a GAME"),
        (
            ["play", "seven_wonders", "--against", "clever,greedy", "--terminal"],
            "no agent is called 'clever'",
        ),
        (["play", "seven_wonders", "--against", "greedy", "--terminal"], "3 to 7 players"),
        (["play", "dice", "--option", "sides", "--terminal"], "--option NAME=VALUE"),
        (["play", "dice", "--option", "sides=night", "--terminal"], "unexpected keyword argument 'sides'"),
        (["play", "dice", "--resume", "game.jsonl", "--terminal"], "give no GAME"),
        (["play", "--resume", "missing.jsonl", "--terminal"], "missing.jsonl"),
        (["replay", "missing.jsonl"], "missing.jsonl"),
        (["bench", "seven_wonders", "--players", "9"], "3 to 7 players"),
        (["warmup", "chess"], "no game is called"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    error = refused(monkeypatch, capsys, *arguments)
    assert error.startswith("antiquity: ")
    assert error.count("\n") == 1
    assert message in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["games", "--nonsense"], ["bench"], ["bench", "dice", "--games", "0"]]
)
def test_usage_errors(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "Usage: " in refused(monkeypatch, capsys, *arguments)


def test_a_reader_that_has_enough_is_no_error() -> None:
    command = f"{sys.executable} -m antiquity.cli layout seven_wonders | head -1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert result.stderr == ""


def test_options_are_json_where_they_can_be() -> None:
    assert read_options(["sides=night", "max_rounds=20", 'boards=["rhodos", null]', "cards=my.toml"]) == {
        "sides": "night",
        "max_rounds": 20,
        "boards": ["rhodos", None],
        "cards": "my.toml",
    }
    with pytest.raises(ValueError, match="twice"):
        read_options(["sides=day", "sides=night"])
