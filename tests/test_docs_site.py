"""What makes the documentation: docstrings as Markdown, pages of the games, tables of speed, and the whole site."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import antiquity
import balance
import evaluations
import gallery
import game_page
import markup
import playing
import speed
from antiquity.agents import shipped_policy
from antiquity.batch import Batch
from antiquity.game import GAMES, make_game
from antiquity.game.tables import printed
from benchmarks import strength
from benchmarks.running import SCHEMA
from test_docs import ROOT, blocks


def test_the_gallery_has_every_table() -> None:
    games = [make_game(name) for name in ("seven_wonders", "dice", "stone_age")]
    page = gallery.page(games)
    for game in games:
        for players in range(game.min_players, game.max_players + 1):
            assert gallery.table_name(game, players, "light") in page
    found = gallery.tables(games[2], 3)
    assert len(found) == 2 and all(svg.startswith("<svg") for svg in found.values())
    linked = set(
        re.findall(r"gallery/\w+\.\w+", (ROOT / "docs/pages/gallery.md").read_text(encoding="utf-8"))
    )
    assert linked == set(gallery.pages(games))


def test_cards_and_boards_are_those_of_the_game() -> None:
    folder = ROOT / "docs" / "results" / "insight"
    game = make_game("seven_wonders")
    assert game.subjects is not None and game.subjects.boards is not None
    tables = Batch(game, 1).tables
    published = balance.read(folder / "published_cards.csv")
    assert {row["item"] for row in published} < set(game.subjects.names(tables)) and len(published) == 76
    text = balance.cards(folder)
    assert all(f"| {row['item']} |" in text for row in published)
    assert {row["board"] for row in balance.read(folder / "published_boards.csv")} < set(
        game.subjects.boards(tables)
    )
    # Every seat has a board: the shares of the wins of the boards come to the whole.
    for agent in balance.AGENTS:
        games, wins = zip(*((n, w) for n, w, _ in balance.board_shares(folder, agent).values()), strict=True)
        assert np.average(wins, weights=games) == pytest.approx(balance.PAR, abs=0.01)
    correlations = [float(cell) for cell in balance.agreement(folder).splitlines()[-1].split("|")[3:6]]
    assert min(correlations) > 0.5


def test_docstrings_become_markdown() -> None:
    text = inspect.cleandoc(
        """
        Says :meth:`reset` and :class:`~antiquity.batch.Batch`, as in::

            x = 1
              y

        Then.

        >>> f(x)  # doctest: +SKIP
        3

        ====  =======
        0     wait
        1-2   go | or
              stay
        ====  =======
        """
    )
    link = {"reset": "antiquity.Batch.reset"}
    assert markup.to_markdown(text, lambda name: link.get(name, name)).splitlines() == [
        'Says <autoref optional identifier="antiquity.Batch.reset"><code>reset</code></autoref> and '
        '<autoref optional identifier="antiquity.batch.Batch"><code>Batch</code></autoref>, as in:',
        "",
        "```python",
        "x = 1",
        "  y",
        "```",
        "",
        "Then.",
        "",
        "```pycon",
        ">>> f(x)",
        "3",
        "```",
        "",
        "",
        "|   |   |",
        "| --- | --- |",
        "| 0 | wait |",
        "| 1-2 | go \\| or stay |",
    ]
    assert markup.to_markdown(":attr:`games`") == "`games`"


def test_shared_entries_are_given_to_each_name() -> None:
    text = (
        "Args:\n    a, b: one\n        two\n    c: three, four: five\nRaises:\n    A, B: bad\n\nOf a, b: no"
    )
    assert markup.one_each(text).splitlines() == [
        "Args:",
        "    a: one",
        "        two",
        "    b: one",
        "        two",
        "    c: three, four: five",
        "Raises:",
        "    A: bad",
        "    B: bad",
        "",
        "Of a, b: no",
    ]


@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_has_a_page(name: str) -> None:
    game = make_game(name)
    page = game_page.page(game)
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    assert headings[0] == game.title
    for heading in (
        "Example",
        "Observation",
        "Actions",
        "Decisions",
        "Rewards",
        "Score",
        "Options",
        "Versions",
    ):
        assert headings.count(heading) == 1, heading
    assert any(heading.startswith("Open questions") for heading in headings)
    for each in (*game.layout, *game.memory_layout, *game.state_layout):
        assert f"| `{each.name}` |" in page
    for option in game.options:
        assert f"| `{option.name}` | `{option.default!r}` |" in page
    assert f"| {game.num_actions - 1} |" in page
    assert f"v{game.version}" in page.rpartition("## Versions")[2]
    example = next(block for block in blocks(page) if block.language == "python")
    exec(compile(example.text, f"{name}.md", "exec"), {})


def test_a_game_page_without_a_section_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("seven_wonders")
    module = importlib.import_module("seven_wonders_env")
    monkeypatch.setattr(module, "__doc__", str(module.__doc__).replace("**Actions.**", "**Acts.**"))
    with pytest.raises(ValueError, match="no section Actions"):
        game_page.page(game)


SUMMARY = {"median": 1234567.0, "low": 1.2e6, "high": 1.3e6}
SLOW = {"median": 4.5, "low": 4.0, "high": 5.0}
MEASURE = {
    "kind": "step",
    "game": "seven_wonders",
    "players": 4,
    "games": 1024,
    "threads": 1,
    "options": {},
    "group": "players",
    "decisions_per_second": SUMMARY,
    "games_per_second": SUMMARY,
    "ratio": SLOW,
    "speedup": None,
}
RUN: dict[str, Any] = {
    "schema": SCHEMA,
    "machine": {
        "date": "2026-05-04T03:02:01+00:00",
        "revision": "abc",
        "cpu": "Some CPU",
        "cores": 2,
        "memory_gib": 8.0,
        "system": "Linux",
        "python": "3.11.7",
        "versions": {"numba": "0.1", "open_spiel": None},
        "load": [0.1, 0, 0],
    },
    "load_after": [1.0, 0, 0],
    "games": [{"game": "seven_wonders", "title": "7 Wonders", "default_players": 4}],
    "measures": [
        MEASURE,
        MEASURE | {"options": {"payments": "cheapest"}, "decisions_per_second": SLOW},
        MEASURE | {"group": "sizes", "games": 64},
        MEASURE | {"group": "threads", "threads": 2, "speedup": SLOW},
    ],
    "starts": [
        {"game": "seven_wonders", "cold": {"seconds": 12.34}, "warm": [{"seconds": 0.5}, {"seconds": 0.7}]}
    ],
    "memory": [{"game": "seven_wonders", "record": 944, "batch": 30000.4}],
    "peers": [{"title": "Hearts", "decisions_per_second": SUMMARY, "games_per_second": SLOW, "ratio": None}],
    "peer_notes": ["a note"],
    "goals": [
        {
            "game": "seven_wonders",
            "goal": "the goal",
            "at_least": True,
            "bound": 10.0,
            "unit": "x",
            "value": 9.999,
            "reached": False,
        }
    ],
    "left_out": ["something"],
}


def test_tables_of_speed(tmp_path: Path) -> None:
    assert speed.summary(tmp_path) == speed.report(tmp_path) == speed.NONE
    assert speed.plot(tmp_path) is None
    older = RUN | {"machine": RUN["machine"] | {"date": "2025-01-01T00:00:00+00:00", "cpu": "Old CPU"}}
    for name, run_ in (("a", RUN), ("b", older)):
        (tmp_path / f"{name}.json").write_text(json.dumps(run_), encoding="utf-8")
    summary = speed.summary(tmp_path)
    assert "| batch step, in place | 1.23 M |" in summary
    assert "Measured on 2026-05-04 at revision `abc`: Some CPU, 2 cores" in summary
    report = speed.report(tmp_path)
    for line in (
        "With numba 0.1.",
        "| batch step, in place | 4 | 1,024 | 1.23 M (1.2 M to 1.3 M) | 1.23 M | 4.50 (4.00 to 5.00) |",
        '| batch step, in place, `payments="cheapest"` | 4 | 1,024 | 4.5 (4 to 5) | 1.23 M | 4.50 (4.00 to 5.00) |',
        "| 64 | 1.23 M |",
        "| batch step, in place | 1,024 | 2 | 1.23 M (1.2 M to 1.3 M) | 4.50 (4.00 to 5.00) |",
        "| `seven_wonders` | 12.3 | 0.60 | 944 | 30,000 |",
        "| Hearts | 1.23 M (1.2 M to 1.3 M) | 4.5 | - |",
        "| 7 Wonders | the goal | at least 10 | 9.999 | x | **no** |",
        "- a note",
        "- something",
    ):
        assert line in report.splitlines(), line
    assert "were busy" not in report
    plot = speed.plot(tmp_path)
    assert plot is not None and plot == speed.plot(tmp_path) and "batch step, in place" in plot
    (tmp_path / "c.json").write_text(json.dumps(RUN | {"load_after": [5, 0, 0]}), encoding="utf-8")
    (tmp_path / "a.json").unlink()
    assert "were busy" in speed.report(tmp_path)
    (tmp_path / "d.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="schema None"):
        speed.report(tmp_path)


README_ROWS = {
    "rollouts inside the kernel": "rollout_random",
    "batch of 1,024 games, fresh arrays": "step_fresh",
    "batch of 1,024 games as bytes": "step_bytes",
    "decision rows as bytes": "rows_bytes",
    "PettingZoo `ParallelEnv`": "parallel",
    "stable-baselines3 `VecEnv`, all seats": "sb3_seats",
    "stable-baselines3 `VecEnv` as bytes": "sb3_bytes",
    "TorchRL `GameEnv`": "torchrl",
}


def test_figures_of_the_readme_are_those_of_the_reference_run() -> None:
    results = speed.read(ROOT / "docs" / "results")
    assert results is not None
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## How fast\n")[2]
    rows = [line.strip("| ").split("|") for line in section.splitlines() if line.startswith("|")]
    titles = [cell.strip() for cell in rows[0]]
    games = {game["title"]: game for game in results["games"]}
    assert set(titles) == set(games)
    seen = set()
    for label, *cells in rows[2 : 2 + len(README_ROWS)]:
        (kind,) = (kind for start, kind in README_ROWS.items() if label.startswith(start))
        seen.add(kind)
        for title, cell in zip(titles, cells, strict=True):
            number, unit = cell.split()
            scale = {"k": 1e3, "M": 1e6}[unit]
            half = 0.5 * scale * 10.0 ** -len(number.partition(".")[2])
            line = speed.default_line(results, games[title], kind)
            assert line is not None
            measured = line["decisions_per_second"]["median"]
            assert abs(float(number) * scale - measured) <= half, f"{label}, {title}: {measured:,.0f}"
    assert seen == set(README_ROWS.values())


def test_agents_of_the_readme_play_as_well_as_in_the_tournaments_that_were_kept() -> None:
    results = playing.read(ROOT / "docs" / "results" / "strength")
    assert results is not None
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("\n## How well the agents play\n")[2].partition("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("| ").split("|")]
        for line in section.splitlines()
        if line[:1] == "|"
    ]
    assert tuple(rows[0]) == strength.headings(results)
    assert [tuple(row) for row in rows[2:]] == strength.rows(results)
    for measured in results["games"].values():
        assert f"{measured['simulations_a_second']['random']:,.0f}" in section
        # Expert and search beat greedy beats random, by more than the intervals.
        for table in measured["tables"]:
            for better, worse in (("expert 100", "greedy"), ("search 100", "greedy"), ("greedy", "random")):
                assert table["duels"][better][worse]["low"] > 0.5


def test_policies_of_the_readme_play_as_well_as_in_the_reports_that_were_kept() -> None:
    folder = ROOT / "docs" / "results" / "evaluation"
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("\n## Policies and experts\n")[2].partition("\n## ")[0]
    assert evaluations.summary(folder) in section
    for report in evaluations.reports(folder):
        # Of the policy that is shipped, and none before it.
        shipped = hashlib.blake2b(
            shipped_policy(make_game(report["game"])) or b"", digest_size=16
        ).hexdigest()
        assert report["hashes"]["shipped_policy"] == shipped and report["protocol"] == "v1"


def test_every_line_of_the_leaderboard_is_of_what_is_here() -> None:
    folder = ROOT / "docs" / "results" / "evaluation"
    text = evaluations.leaderboard(folder)
    kept = list(evaluations.reports(folder))
    assert kept and len(text.splitlines()) == 2 + sum(len(report["results"]) for report in kept)
    for report in kept:
        game = make_game(report["game"])
        tables = {name: value for name, value in report["hashes"].items() if name.startswith("tables_")}
        assert {f"tables_{line['players']}" for line in report["results"]} <= tables.keys()
        for name, value in tables.items():
            own = printed(Batch(game, 1, int(name.removeprefix("tables_")), seed=0).tables)
            assert hashlib.blake2b(own.tobytes(), digest_size=16).hexdigest() == value, (report["game"], name)
        for line in report["results"]:
            low, high = line["interval"]
            assert (
                0 <= low <= line["win_share"] <= high + 1e-9 <= 1 + 2e-9
                and line["games"] == line["deals"] * line["players"]
            )
            assert re.fullmatch("[0-9a-f]{32}", line["digest"]) and line["par"] == 1 / line["players"]


def test_the_site_is_whole(tmp_path: Path) -> None:
    """Built strictly, so a link or an anchor that leads nowhere is an error; and it needs nothing from elsewhere."""
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {
        path.relative_to(tmp_path).as_posix(): path.read_text("utf-8") for path in tmp_path.rglob("*.html")
    }
    assert {"index.html", "contributing.html", *(f"games/{name}.html" for name in GAMES)} <= pages.keys()
    for name, page in pages.items():
        outside = re.findall(r"<(?:script|img|iframe|link)\b[^>]*(?:src|href)=\"?https?:[^>]*>", page)
        assert not outside, name
        assert not re.search(r"<!-- table|:(?:class|meth|attr|func|mod|data):`", page), name
    public = {f"antiquity.{each}" for each in antiquity.__all__ if not each.startswith("_")}
    public |= {f"antiquity.arena.match.{each}" for each in ("play_match", "MatchResult", "Standing")}
    anchors = set(re.findall(r'id="(antiquity[\w.]*)"', "".join(pages.values())))
    assert public - {"antiquity.Game", "antiquity.make_game"} <= anchors
    assert {"antiquity.game.Game", "antiquity.game.make_game", "antiquity.Batch.legal_lists"} <= anchors
