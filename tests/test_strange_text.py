"""Text of others stays text: in the terminal, in pipes, in pictures, in reports, in any locale."""

from __future__ import annotations

import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import xml.dom.minidom
from pathlib import Path

import pytest

from antiquity import Batch
from antiquity.agents import Agent
from antiquity.arena import Results, play_match, tables, tournament
from antiquity.arena.report import as_html
from antiquity.arena.tournament import summarize
from antiquity.game.checks import printable
from antiquity.game.tables import TableError, name_bytes
from antiquity.render.text import shown
from antiquity.study.recording import Recorder
from antiquity.study.replay import Replay
from arena_games import First
from env_games import TOY

EVIL = "\x1b]0;x\x07\x1b[2J"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def named(name: str) -> Agent:
    agent = First()
    agent.name = name
    return agent


def command(*arguments: str, lines: str = "", **surroundings: str) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own, in a pipe."""
    return subprocess.run(
        [sys.executable, "-m", "antiquity.cli", *arguments],
        input=lines.encode(),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **surroundings},
        check=False,
    )


def test_what_is_printable() -> None:
    for good in ("greedy", "Ägypten 7", "木こり", "a\u200db", "[/b]", "$\\frac{$"):
        assert printable(good) == good
    assert printable("a\x1b[2J\nb\x9b\u202e") == r"a\x1b[2J\x0ab\x9b\x202e"


# --- agents ---------------------------------------------------------------------------------------------------------


def test_a_replay_with_control_characters(tmp_path: Path) -> None:
    """A file that has them is refused, and none that is written has them."""
    batch = Batch("dice", num_players=2, seed=1, autoreset=False)
    recorder = Recorder(batch, agents=[EVIL, "greedy"])
    batch.reset()
    while batch.deciders():
        batch.step(batch.sample())
    path = recorder.replays[0].write(tmp_path / "r.jsonl")
    assert Replay.read(path).agents == (printable(EVIL), "greedy")
    whole = path.read_text(encoding="utf-8")
    for old, new in ((json.dumps(printable(EVIL)), json.dumps(EVIL)), ('"words": "', '"words": "\\u001b[2J')):
        assert old in whole
        path.write_text(whole.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(ValueError, match="it must be a"):
            Replay.read(path)
        found = command("replay", str(path), "--log")
        assert found.returncode == 2 and b"\x1b" not in found.stdout + found.stderr


def test_names_in_tournaments(tmp_path: Path) -> None:
    """From the command, from Python, from a forged file: in tables, in the report, in the terminal."""
    path = tmp_path / "t.sqlite"
    names = [EVIL, r"$\frac{$", "[/b][red]"]
    summary = tournament(TOY, [named(name) for name in names], deals=2, results=path)
    assert summary.names == (printable(EVIL), *names[1:])
    assert "\x1b" not in str(summary) + tables.as_csv(summary)
    pytest.importorskip("matplotlib", reason="the report needs matplotlib")
    page = as_html(summary)
    assert "\x1b" not in page and r"$\frac{$" in page
    db = sqlite3.connect(path)
    db.execute("UPDATE agents SET name = ?, agent = ? WHERE number = 1", (EVIL + "2", EVIL))
    db.execute("INSERT INTO incidents VALUES (3, 0, 0, 0, 0, 1, ?, ?)", (EVIL, EVIL))
    db.commit()
    db.close()
    with Results.open(path, game=TOY) as results:
        forged = summarize(results)
    assert "\x1b" not in repr(forged)


def test_brackets_in_names_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    from antiquity.cli.common import console

    result = play_match(TOY, [named("[/b]"), named("[red]x[/red]"), "greedy"], deals=1)
    console.print(result.table())
    summary = tournament(TOY, [named("[/b]"), named("[red]x[/red]"), "greedy"], deals=2)
    for table in tables.as_tables(summary):
        console.print(table)
    text = capsys.readouterr().out
    assert text.count("[/b]") > 2 and text.count("[red]x[/red]") > 2


# --- tables ---------------------------------------------------------------------------------------------------------

CARDS = 'extends = "second_edition"\n[[cards]]\nid = "altar"\nname = {name}\n'


def test_brackets_in_the_names_of_cards(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    for name in ("Altar [/b]", "[red]Altar[/red]", "[bold", "\\[/b]"):
        path.write_text(CARDS.format(name=json.dumps(name)), encoding="utf-8")
        batch = Batch("seven_wonders", num_players=3, seed=1, cards=str(path))
        batch.reset()
        words = ""
        for seed in range(40):
            batch.reset(seed=seed)
            words = " ".join(batch.describe(0, 0, action) for action in batch.legal_actions(0, 0).tolist())
            if name in words:
                break
        assert name in words
        plain = re.sub(r"\x1b\[[0-9;]*m", "", batch.render(0, 0))
        assert name in re.sub(r"\s*\n\s*", " ", plain)
        xml.dom.minidom.parseString(batch.draw(0))


@pytest.mark.parametrize("name", ["a\u0000b", "\u001b", "a\nb", "\u009b2J", "\u202eabc"])
def test_control_characters_in_tables(tmp_path: Path, name: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(CARDS.format(name=json.dumps(name)), encoding="utf-8")
    with pytest.raises(TableError, match="without control characters"):
        Batch("seven_wonders", num_players=3, cards=str(path))
    with pytest.raises(TableError, match="no control characters"):
        name_bytes(name, 32)


# --- terminals, pipes, locales --------------------------------------------------------------------------------------


def test_colours_go_where_they_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    styled = "\x1b[1mbold\x1b[0m plain"
    assert shown(styled, Terminal()) == styled
    assert shown(styled, io.StringIO()) == "bold plain"
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(styled, Terminal()) == "bold plain"
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "dumb")
    assert shown(styled, Terminal()) == "bold plain"


def test_no_escape_sequences_in_a_pipe(tmp_path: Path) -> None:
    save = tmp_path / "g.jsonl"
    arguments = ("play", "dice", "--terminal", "--against", "random", "--save", str(save))
    found = command(*arguments, lines="1\nq\n", FORCE_COLOR="")
    assert found.returncode == 0 and b"your action" in found.stdout
    assert b"\x1b" not in found.stdout + found.stderr
    again = command("replay", str(save), "--step", "0")
    assert again.returncode == 0 and b"\x1b" not in again.stdout


def test_a_locale_without_the_signs(tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    found = command("tournament", "dice", "greedy", "random", "--players", "2", "--deals", "2", **plain)
    assert found.returncode == 0, found.stderr
    assert b"greedy" in found.stdout and b"points by category" in found.stdout
    found = command(
        "tournament", "dice", "Ä=greedy", "random", "--players", "2", "--deals", "1", "--json", **plain
    )
    assert found.returncode in (0, 2) and b"Traceback" not in found.stderr
