"""The benchmarks: what is measured runs and counts rightly, the arithmetic, what is written. No timing is judged."""

from __future__ import annotations

import ast
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

import toy_game
from antiquity import Batch
from antiquity.game import make_game
from antiquity.kernels import cache, jit
from benchmarks import (
    __main__,
    adapters,
    clock,
    compare,
    curves,
    goals,
    machine,
    measures,
    plan,
    plot,
    positions,
    report,
    running,
    starts,
    worker,
    yardsticks,
)
from benchmarks.clock import Count, Sample, Series, Summary, Task, calibrate, interleave
from benchmarks.measures import KINDS, Spec
from benchmarks.positions import middle_of_play, tally
from benchmarks.worker import Worker

TOY = "toy_game:GAME"
TINY = plan.Effort(repetitions=2, seconds=0.001, sizes=(2, 8), all_players=True, warm_starts=1)


class FakeClock:
    """A clock that only tasks move."""

    def __init__(self) -> None:
        self.now = 0.0
        self.order: list[str] = []

    def __call__(self) -> float:
        return self.now

    def task(self, name: str, seconds: float | Callable[[], float]) -> Task:
        """Takes so long a unit; a unit is two decisions and half a game."""

        def play(units: int) -> Count:
            self.order.append(name)
            self.now += units * (seconds() if callable(seconds) else seconds)
            return Count(2 * units, units / 2)

        return play


# --- the clock ------------------------------------------------------------------------------------------------------


def test_a_repetition_is_calibrated_to_the_seconds_that_are_wanted() -> None:
    clock = FakeClock()
    assert calibrate(clock.task("quick", 0.001), 0.5, clock) == 500
    assert calibrate(clock.task("slow", 3.0), 0.5, clock) == 1


def test_rates_are_medians_with_quartiles() -> None:
    series = Series([Sample(2.0, 8.0, 1.0), Sample(1.0, 8.0, 1.0), Sample(4.0, 8.0, 2.0)])
    assert series.decisions == Summary(4.0, 3.0, 6.0)
    assert series.games == Summary(0.5, 0.5, 0.75)
    with pytest.raises(ValueError, match="no values"):
        Summary.of([])


def test_a_ratio_is_one_to_the_yardstick_just_before_and_after() -> None:
    clock = FakeClock()
    pace = iter([1.0] * 2 + [1.0, 0.5, 0.25])  # the first two calibrate it
    found = interleave(
        [clock.task("one", 0.1), clock.task("two", 0.2)],
        1,
        0.1,
        yardstick=clock.task("yardstick", lambda: next(pace)),
        clock=clock,
    )
    assert [each.samples[0].rate for each in found] == pytest.approx([20.0, 10.0])
    # Rates of the yardstick: 2, 4 and 8 decisions a second.
    assert found[0].ratios == pytest.approx([20 / 3])
    assert found[1].ratios == pytest.approx([10 / 6])


def test_tasks_take_turns_and_every_other_round_goes_backwards() -> None:
    clock = FakeClock()
    found = interleave([clock.task("one", 1.0), clock.task("two", 1.0)], 3, 1.0, clock=clock)
    assert clock.order[4:] == ["one", "two", "two", "one", "one", "two"]
    assert [len(each.samples) for each in found] == [3, 3]
    assert all(each.ratios == [] for each in found)


# --- what is measured -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_runs_and_counts(kind: str) -> None:
    games = 4 if KINDS[kind].batched else 1
    count = measures.build(Spec(kind, "dice" if KINDS[kind].needs else TOY, 3, games))(60)
    assert count.games > 0
    assert count.decisions >= count.games


def test_the_same_games_count_the_same_in_every_environment() -> None:
    parallel, aec = (measures.build(Spec(kind, TOY, 4))(25) for kind in ("parallel", "aec"))
    assert parallel == aec
    kinds = ("step", "step_fresh", "step_rows", "rows_fresh")
    assert len({measures.build(Spec(kind, TOY, 4, 16))(40) for kind in kinds}) == 1


def test_threads_and_options_reach_the_batch() -> None:
    one, two = (measures.build(Spec("step", TOY, 4, 16, threads, {"gift": 1}))(20) for threads in (1, 2))
    assert one == two
    with pytest.raises(ValueError, match="gift is 9"):
        measures.build(Spec("step", TOY, 4, 16, options={"gift": 9}))


def test_a_tally_is_the_mean_of_whole_games() -> None:
    found = tally(toy_game.GAME, 4, {}, games=300)
    # Three bids of all four seats, of which one that holds a single kind of card isn't free; a shared highest bid is
    # not followed by a choice.
    assert 12 < found.decisions < 15
    assert found.decisions - 12 == pytest.approx(found.steps - 3)
    assert found.free < found.decisions
    assert found.rows == pytest.approx(4 * found.steps)


def test_positions_are_from_all_over_the_games() -> None:
    records = middle_of_play(toy_game.GAME, 4, {}, 500, 5.0)
    assert records.shape == (500,) and records.dtype == toy_game.GAME_DTYPE
    assert not records["over"].any()
    assert set(records["round"].tolist()) == {0, 1, 2} and set(records["phase"].tolist()) == {0, 1}
    assert len(np.unique(records[["seed", "steps"]])) == 500
    batch = Batch(TOY, 500, 4, seed=0)
    _, masks = batch.set_games(records)
    assert masks.any(axis=2).all()


def test_memory_is_that_of_the_arrays() -> None:
    found = starts.memory(TOY, 3, games=64)
    assert found["record"] == toy_game.GAME_DTYPE.itemsize
    assert found["outputs"] == 3 * (4 * toy_game.GAME.layout.size + toy_game.NUM_ACTIONS)
    assert found["batch"] > found["record"] + found["outputs"]


def test_a_first_step_is_taken_in_a_process_of_its_own() -> None:
    store = str(cache.folders()[-1])
    measures.build(Spec("parallel", TOY, 3))(1)  # so that its kernels are on disk
    found = starts.first_step(TOY, store)
    assert 0 < found["import_seconds"] < found["seconds"] < found["process_seconds"]
    assert found["cpu_seconds"] > 0
    with pytest.raises(RuntimeError, match="no_such_game"):
        starts.first_step("no_such_game", store)


def test_the_cold_start_finds_an_empty_folder_and_the_warm_ones_what_it_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[list[str]] = []
    compiled = 3

    def first_step(game: str, cache: str) -> dict[str, Any]:
        seen.append([path.name for path in Path(cache).iterdir()])
        (Path(cache) / "kernel").write_bytes(bytes(7))
        return {"seconds": float(len(seen)), "compiled": compiled}

    monkeypatch.setattr(starts, "first_step", first_step)
    found = starts.starts(TOY, warm=2)
    assert seen == [[], ["kernel"], ["kernel"], ["kernel"]]
    assert (found["cold"]["seconds"], [each["seconds"] for each in found["warm"]]) == (1.0, [3.0, 4.0])
    assert found["cache_bytes"] == 7
    compiled = 0
    if jit.ENABLED:
        with pytest.raises(RuntimeError, match="has compiled none"):
            starts.starts(TOY, warm=2)


def test_the_yardstick_plays_whole_games() -> None:
    pytest.importorskip("pyspiel")
    for task in yardsticks.peers().values():
        count = task(2)
        assert count.games == 2
        assert 2 * 52 <= count.decisions <= 2 * (52 + 12)  # 12 cards are passed, but not in every fourth deal


def test_batches_too_large_for_the_memory_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "CAP", measures.bytes_of_outputs(Spec("step", TOY, 3, 8)))
    found, left_out = plan.groups(TOY, TINY)
    sizes = {
        group.specs[0].kind: [spec.games for spec in group.specs]
        for group in found
        if group.purpose == "sizes"
    }
    assert sizes == {"rollout_random": [2, 8], "step": [2], "step_rows": [2], "step_fresh": [2]}
    assert sum("GiB" in line for line in left_out) == 3


# --- a whole run ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """A run on the tiny game, with a yardstick that only counts and no cold start."""

    def idle(units: int) -> Count:
        return Count(units, sum(1 for _ in range(units)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yardsticks, "open_spiel_version", lambda: "0")
        patch.setattr(yardsticks, "hearts", lambda: idle)
        patch.setattr(yardsticks, "peers", lambda: {yardsticks.HEARTS: idle})
        patch.setattr(plan, "BATCH", 8)
        patch.setattr(plan, "THREADED", 8)
        patch.setattr(machine, "usable_cores", lambda: 2)
        patch.setitem(plan.VARIANTS, TOY, [{"gift": 1}])
        return running.run([TOY], TINY, with_starts=False)


def test_a_run_is_written_as_json_with_all_its_parts(results: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "results.json"
    report.write_json(results, path)
    assert json.loads(path.read_text()) == results
    assert [each.name for each in path.parent.iterdir()] == ["results.json"]
    assert results["schema"] == 1 and results["starts"] == [] and len(results["memory"]) == 1
    assert {"date", "revision", "cpu", "cores", "python", "versions", "load"} <= results["machine"].keys()
    lines = results["measures"]
    groups = {
        name: [line for line in lines if line["group"] == name] for name in ("players", "sizes", "threads")
    }
    assert len(lines) == sum(map(len, groups.values()))
    assert {line["kind"] for line in groups["players"]} == {
        name for name, kind in KINDS.items() if not kind.needs
    }
    settings = [(line["players"], line["options"]) for line in groups["players"] if line["kind"] == "step"]
    assert settings == [(2, {}), (3, {}), (4, {}), (3, {"gift": 1})]
    assert {line["games"] for line in groups["sizes"]} == {2, 8}
    assert {line["threads"] for line in groups["threads"]} == {1, 2}
    for line in lines:
        speed = line["decisions_per_second"]
        assert 0 < speed["low"] <= speed["median"] <= speed["high"]
        assert len(line["repetitions"]) == TINY.repetitions
        assert (line["ratio"] is None) == (line["clock"] == "wall") == (line["speedup"] is not None)
        assert line["free_decisions_per_second"]["median"] == pytest.approx(
            speed["median"] * line["free_share"]
        )
        assert 0 < line["waiting_share"] < 1


def test_a_run_is_shown_with_every_table(results: dict[str, Any]) -> None:
    console = Console(record=True, width=200, file=io.StringIO())
    report.show(results, console)
    text = console.export_text()
    for title in (
        "kinds of use",
        "size of the batch",
        "threads (wall clock)",
        "random games",
        "Others",
        "Goals",
    ):
        assert title in text
    for kind in KINDS.values():
        assert (kind.title in text) == (not kind.needs), "a game without bytes"
    assert "[gift=1]" in text and "not measured" in text


def test_the_plot_is_written(results: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "new folder" / "plot.png"
    plot.draw(results, path)
    assert path.read_bytes().startswith(b"\x89PNG\r\n")
    plot.draw({**results, "measures": []}, path)  # nothing was measured


def test_the_command_line_writes_what_it_was_asked_for(
    results: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def run(names: list[str], effort: plan.Effort, *, with_starts: bool, say: running.Say) -> dict[str, Any]:
        asked.append((names, effort, with_starts))
        return results

    monkeypatch.setattr(__main__, "run", run)
    arguments = [
        "--quick",
        "--no-starts",
        "--game",
        TOY,
        "--json",
        f"{tmp_path}/a.json",
        "--plot",
        f"{tmp_path}/b.png",
    ]
    done = CliRunner().invoke(__main__.app, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    assert asked == [([TOY], plan.QUICK, False)]
    assert json.loads((tmp_path / "a.json").read_text()) == results and (tmp_path / "b.png").exists()
    with pytest.raises(KeyError, match="no game is called"):
        CliRunner().invoke(__main__.app, ["--game", "no_such_game"], catch_exceptions=False)


AGENTS = ("random", "greedy", "search 3")
"""Of a game without a policy."""


def test_strength_plays_every_table_size_and_goes_on_from_its_file(tmp_path: Path) -> None:
    game = make_game(TOY)
    arguments = ["strength", "--game", TOY, "--simulations", "3", "--deals", "6", "--folder", f"{tmp_path}"]
    found = []
    for _ in range(2):
        done = CliRunner().invoke(
            __main__.app, [*arguments, "--json", f"{tmp_path}/a.json"], catch_exceptions=False
        )
        assert done.exit_code == 0 and "ms a decision" in done.output
        found.append(json.loads((tmp_path / "a.json").read_text())["games"][TOY])
    for measured in found:
        speeds = measured["simulations_a_second"]
        assert speeds["random"] > 0 and speeds["greedy"] > 0
        tables = measured["tables"]
        assert [each["players"] for each in tables] == list(range(game.min_players, game.max_players + 1))
        assert all(each["deals"] == 6 and set(each["ratings"]) == set(AGENTS) for each in tables)
        assert set(measured["milliseconds"]) == {*AGENTS, "search 30"}
    # What was played the first time is not played again.
    assert found[0]["tables"] == found[1]["tables"] and found[0]["longer"] == found[1]["longer"]


def test_curves_of_several_seeds_go_on_from_their_folder(tmp_path: Path) -> None:
    arguments = ["curves", "dice", "--seeds", "2", "--cpu-seconds", "0.5", "--deals", "4"]
    arguments += ["--variant", "small:hidden=[8,8];games=8;checks=2;deals=2", "--folder", f"{tmp_path}/runs"]
    found = []
    for number in range(2):
        places = ["--json", f"{tmp_path}/{number}.json", "--plot", f"{tmp_path}/{number}.png"]
        done = CliRunner().invoke(__main__.app, [*arguments, *places], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        found.append(curves.read(tmp_path / f"{number}.json"))
        assert (tmp_path / f"{number}.png").read_bytes()[:4] == b"\x89PNG"
    runs = found[0]["variants"][0]["runs"]
    assert [run["seed"] for run in runs] == [0, 1] and all(len(run["curve"]) == 3 for run in runs)
    assert found[0]["variants"] == found[1]["variants"]
    mean, half = curves.wins({"runs": [{"wins": {"value": value}} for value in (0.4, 0.5, 0.6)]})
    assert mean == pytest.approx(0.5) and half == pytest.approx(4.30 * 0.1 / 3**0.5)


# --- goals ----------------------------------------------------------------------------------------------------------


def goal_results(**lines: Any) -> dict[str, Any]:
    """Results of 7 Wonders with ratios to hearts by kind."""
    common = {"game": "seven_wonders", "group": "players", "options": {}, "players": 4}
    return {
        "games": [{"game": "seven_wonders", "default_players": 4}],
        "measures": [{**common, "kind": kind, "ratio": {"median": ratio}} for kind, ratio in lines.items()],
        "starts": [],
        "memory": [],
    }


def test_a_goal_just_missed_is_missed_and_not_rounded() -> None:
    found = {
        goal["goal"]: goal
        for goal in goals.judge("seven_wonders", goal_results(step_fresh=9.4996, rows_fresh=10.0))
    }
    step, rows = found[KINDS["step_fresh"].title], found[KINDS["rows_fresh"].title]
    assert (step["reached"], rows["reached"]) == (False, True)
    assert report.exact(step["value"], step["bound"]) == "9.4996"
    assert report.exact(14.2, 15.0) == "14.20" and report.exact(15.0, 15.0) == "15.0"
    assert found[KINDS["parallel"].title]["reached"] is None


def test_flat_is_fastest_over_slowest_and_needs_the_largest_size() -> None:
    results = goal_results()
    results["measures"] = [
        {
            "game": "seven_wonders",
            "group": "sizes",
            "kind": "step",
            "options": {},
            "games": games,
            "ratio": {"median": ratio},
        }
        for games, ratio in ((64, 10.0), (1024, 9.0), (8192, 8.0))
    ]
    found = {goal["goal"]: goal for goal in goals.judge("seven_wonders", results)}
    title = KINDS["step"].title
    assert found[f"{title}: to 8,192 games"]["value"] == pytest.approx(1.25)
    assert found[f"{title}: to 65,536 games"]["reached"] is None


# --- comparing ------------------------------------------------------------------------------------------------------


def test_a_verdict_needs_nearly_all_pairs_on_one_side() -> None:
    assert compare.judge([(2.0, 1.0)] * 10)["verdict"] == "faster"
    assert compare.judge([(1.0, 2.0)] * 9 + [(3.0, 2.0)])["verdict"] == "slower"
    mixed = compare.judge([(1.0, 2.0), (2.0, 1.0), (3.0, 1.0), (4.0, 1.0)])
    assert mixed["verdict"] == "no difference seen"
    assert mixed["ratio"]["median"] == pytest.approx(2.5) and mixed["ratios"] == [0.5, 2.0, 3.0, 4.0]
    assert (mixed["this"], mixed["other"]) == (2.5, 1.0)


def test_a_worker_measures_on_request_and_tells_what_it_cannot() -> None:
    worker = Worker()
    assert Path(worker.answer({"where": None})["where"]) == machine.ROOT
    assert "no task is open" in worker.answer({"sample": None})["error"]
    spec = Spec("step", TOY, 3, 4).as_dict()
    assert worker.answer({"open": spec, "seconds": 0.001})["units"] >= 1
    assert worker.answer({"sample": None})["rate"] > 0
    assert (
        "no game is called"
        in worker.answer({"open": {**spec, "game": "no_such_game"}, "seconds": 1})["error"]
    )
    assert "no task is open" in worker.answer({"sample": None})["error"]


def test_a_side_runs_the_tree_that_it_is_given(tmp_path: Path) -> None:
    code = tmp_path / "code"
    shutil.copytree(Path(compare.__file__).parent, code / "benchmarks")
    with compare.Side(machine.ROOT, code, tmp_path) as side:
        request = {"open": Spec("step", "no_such_game", 3).as_dict(), "seconds": 1}
        assert "no game is called" in side.ask(request)["error"]
    with pytest.raises(RuntimeError, match="from elsewhere"):
        compare.Side(tmp_path, code, tmp_path)


def test_a_side_finds_the_games_of_its_own_tree(tmp_path: Path) -> None:
    tree, code = tmp_path / "tree", tmp_path / "code"
    shutil.copytree(machine.ROOT / "antiquity", tree / "antiquity")
    shutil.copytree(Path(compare.__file__).parent, code / "benchmarks")
    shutil.copy(Path(__file__).with_name("toy_game.py"), tree)
    project = (machine.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    group, point = '[project.entry-points."antiquity.games"]', '"TinyGame-v3" = "toy_game:GAME"'
    assert group in project
    (tree / "pyproject.toml").write_text(project.replace(group, f"{group}\n{point}"), encoding="utf-8")
    with compare.Side(tree, code, tmp_path / "cache") as side:
        request = {"open": Spec("step", "no_such_game", 3).as_dict(), "seconds": 1}
        assert "tiny_game" in side.ask(request)["error"]


def test_what_both_sides_run_imports_only_what_every_revision_has() -> None:
    shared = re.compile(r"antiquity|antiquity\.agents|antiquity\.envs\.(aec|parallel|sb3|single|vector)")
    seen = []
    for module in (adapters, measures, positions, clock, worker):
        for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            seen += [name for name in names if name.startswith("antiquity")]
    assert "antiquity.envs.aec" in seen
    assert [name for name in seen if not shared.fullmatch(name)] == []


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with one commit, in place of this one."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path / "repository"
    root.mkdir()
    (root / "file").write_text("old")
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "file"], [*who, "commit", "-qm", "one"]):
        subprocess.run(["git", "-C", str(root), *command], check=True)
    (root / "file").write_text("new")
    monkeypatch.setattr(machine, "ROOT", root)
    return root


def test_the_other_revision_lies_in_a_folder_of_its_own_and_is_cleared_away(repository: Path) -> None:
    assert (machine.revision() or "").endswith("-dirty")
    with compare.worktree("HEAD") as (commit, tree):
        assert (tree / "file").read_text() == "old" and len(commit) == 40
    assert not tree.exists() and len(machine.git("worktree", "list").splitlines()) == 1
    with pytest.raises(RuntimeError, match="nothing_like_it"), compare.worktree("nothing_like_it"):
        pass


def test_a_comparison_pairs_what_both_sides_have_measured(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    class FakeSide(compare.Side):
        def __init__(self, tree: Path, code: Path, cache: Path) -> None:
            self.name, self.kind = cache.name, ""
            assert (tree / "file").read_text() == ("new" if self.name == "this" else "old")
            assert (code / "benchmarks" / "worker.py").exists()

        def ask(self, request: dict[str, Any]) -> dict[str, Any]:
            if "open" in request:
                self.kind = request["open"]["kind"]
                missing = self.name == "other" and self.kind == "aec"
                return {"error": "ImportError: no such module"} if missing else {"units": 1}
            if self.kind == "step":
                order.append(self.name)
            return {"rate": 3.0 if self.name == "this" else 2.0}

        def close(self) -> None:
            pass

    monkeypatch.setattr(compare, "Side", FakeSide)
    results = compare.compare("HEAD", [TOY], compare.Effort(processes=2, pairs=2, seconds=0.1))
    lines = {line["kind"]: line for line in results["lines"]}
    assert set(lines) == set(compare.KINDS)
    assert lines["step"]["ratios"] == [1.5] * 4 and lines["step"]["verdict"] == "faster"
    assert lines["aec"]["error"] == "the other revision: ImportError: no such module"
    assert order == ["this", "other", "other", "this"] * 2
    console = Console(record=True, width=200, file=io.StringIO())
    console.print(compare.table(json.loads(json.dumps(results))))
    assert "1.500 (1.500 to 1.500)" in console.export_text()
    assert compare.failures(results) == [f"{Spec('aec', TOY, 3)}: {lines['aec']['error']}"]


@pytest.mark.parametrize(("line", "status"), [({"error": "this tree: no such name"}, 1), ({}, 0)])
def test_a_comparison_with_a_line_that_cannot_be_run_has_failed(
    line: dict[str, Any], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = line or compare.judge([(2.0, 1.0)] * 4)
    results = {
        "machine": {"revision": "here"},
        "revision": "there",
        "commit": "0" * 40,
        "effort": {"processes": 1, "pairs": 4},
        "lines": [{**Spec("step", "dice", 3).as_dict(), **judged}],
    }
    monkeypatch.setattr(compare, "compare", lambda *_args, **_options: results)
    path = tmp_path / "compare.json"
    done = CliRunner().invoke(__main__.app, ["compare", "there", "--game", "dice", "--json", str(path)])
    assert done.exit_code == status, done.output
    assert json.loads(path.read_text())["lines"][0].get("error") == line.get("error")
    assert ("failed, dice: batch step, in place, 3 players: this tree: no such name" in done.stderr) == bool(
        line
    )
