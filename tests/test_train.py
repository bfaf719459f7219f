"""Training: advantages, opponents, rollouts, runs that are killed and resumed, several processes, the command."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from antiquity.agents import SELF, NetworkAgent, OpponentPool
from antiquity.cli.main import app
from antiquity.game import make_game
from antiquity.train.advantages import Decided, advantages
from antiquity.train.columns import live_columns
from antiquity.train.model import PolicyValue
from antiquity.train.rollout import Player
from antiquity.train.run import train
from antiquity.train.runs import RunFolder
from antiquity.train.settings import Settings, TableKind, settings_for
from antiquity.train.trainer import Budget

ROOT = Path(__file__).parent.parent
DICE = make_game("dice")
SMALL = {
    "tables": (TableKind(2), TableKind(3)),
    "games": 8,
    "hidden": (16, 8),
    "minibatch": 256,
    "snapshots": 3,
    "checks": 2,
    "deals": 4,
    "past": 0.4,
    "greedy": 0.2,
    "bf16": False,
    "appraisals": True,
}
DECISIONS = 1500


def small(**changes: object) -> Settings:
    return Settings(**(SMALL | changes))  # type: ignore[arg-type]


def arrays(folder: RunFolder) -> dict[str, np.ndarray]:
    return folder.read()[1]


def same(one: RunFolder, other: RunFolder) -> bool:
    first, second = arrays(one), arrays(other)
    return first.keys() == second.keys() and all(np.array_equal(first[key], second[key]) for key in first)


# --- advantages ------------------------------------------------------------------------------------------------------


def test_advantages_follow_each_seat_of_its_own() -> None:
    random = np.random.default_rng(0)
    outcome = random.random((3, 2)).astype(np.float32)
    steps = []
    for _ in range(6):
        game, seat = np.nonzero(random.random((3, 2)) < 0.6)
        steps.append(Decided(game, seat, random.random(len(game)).astype(np.float32)))
    lam = 0.7
    found, returns = advantages(steps, outcome, lam)
    start = 0
    for number, step in enumerate(steps):
        for row, (game, seat, value) in enumerate(zip(*step, strict=True)):
            own = [value]
            for later in steps[number + 1 :]:
                own += [v for g, s, v in zip(*later, strict=True) if (g, s) == (game, seat)]
            own.append(outcome[game, seat])
            # The definition: errors of one step ahead, each lambda times less than the one before.
            expected = sum(lam**k * (own[k + 1] - own[k]) for k in range(len(own) - 1))
            assert found[start + row] == pytest.approx(expected, abs=1e-5)
            assert returns[start + row] == pytest.approx(expected + value, abs=1e-5)
        start += len(step.game)
    assert len(found) == start


# --- opponents -------------------------------------------------------------------------------------------------------


def test_pool_keeps_its_shares() -> None:
    pool = OpponentPool(DICE, {"greedy": 0.25, "random": 0.1}, past=0.3, seed=5)
    alone = np.bincount(pool.draw(50_000, 1) + 1, minlength=3) / 50_000
    np.testing.assert_allclose(alone, [0.65, 0.25, 0.1], atol=0.01)  # nobody is past yet
    pool.add("greedy")
    pool.add("random")
    found = np.bincount(pool.draw(50_000, 2) + 1, minlength=5) / 50_000
    np.testing.assert_allclose(found, [0.35, 0.25, 0.1, 0.15, 0.15], atol=0.01)
    again = OpponentPool(DICE, {"greedy": 0.25, "random": 0.1}, past=0.3, seed=5)
    again.add("greedy")
    again.add("random")
    np.testing.assert_array_equal(pool.draw(100, 7), again.draw(100, 7))
    assert (pool.draw(100, 7) != pool.draw(100, 8)).any()


def test_pool_of_nobody_is_self_play() -> None:
    assert (OpponentPool(DICE).draw(50, 0) == SELF).all()


@pytest.mark.parametrize("shares", [{"greedy": -0.1}, {"greedy": 0.8, "random": 0.3}])
def test_pool_refuses_shares_that_are_none(shares: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="shares"):
        OpponentPool(DICE, shares)


# --- rollouts --------------------------------------------------------------------------------------------------------


def player(pool: OpponentPool, games: int = 6) -> tuple[Player, PolicyValue]:
    kinds = (TableKind(2), TableKind(4))
    columns = live_columns(DICE, kinds)
    torch.manual_seed(0)
    model = PolicyValue(len(columns), (16,), DICE.num_actions, DICE.appraisal.size)
    return Player(DICE, kinds, (games, games), columns, pool, 0.95, bf16=False), model


def test_rollouts_follow_from_model_and_seed() -> None:
    plays, model = player(OpponentPool(DICE, {"greedy": 0.5}))
    one, other = plays.play(model, 3), plays.play(model, 3)
    for first, second in zip(one, other, strict=True):
        assert first is not None and second is not None and torch.equal(first, second)
    assert not torch.equal(one.returns, plays.play(model, 4).returns)


def test_rollouts_hold_real_choices_and_what_they_brought() -> None:
    plays, model = player(OpponentPool(DICE), games=20)
    found = plays.play(model, 1)
    assert found.counts.min() >= 2 and (found.slots < found.counts).all()
    assert (found.chances <= 0).all() and found.legal.shape[1] == found.counts.max()
    with torch.no_grad():
        logits, _ = model(found.observations, found.legal, found.counts, found.appraisals)
    again = torch.log_softmax(logits, 1).gather(1, found.slots[:, None])[:, 0]
    torch.testing.assert_close(again, found.chances, atol=1e-5, rtol=1e-5)
    # What two players share is one win in all and two squashed leads that add up to 1.
    two = plays.tables[0]
    np.testing.assert_allclose(two.outcome.sum(axis=1), 1.0, atol=1e-5)


def test_only_one_seat_learns_against_others() -> None:
    plays, model = player(OpponentPool(DICE, {"greedy": 1.0}), games=40)
    plays.play(model, 1)
    for table in plays.tables:
        assert (table.learns.sum(axis=1) == 1).all()
        assert np.unique(table.learns.argmax(axis=1)).size == table.batch.num_seats


def test_dead_columns_are_dropped() -> None:
    few, all_ = live_columns(DICE, (TableKind(2),)), live_columns(DICE, (TableKind(2), TableKind(7)))
    assert set(few) < set(all_) and (np.diff(all_) > 0).all() and all_[-1] < DICE.layout.size


def test_an_untrained_network_trusts_greedy() -> None:
    model = PolicyValue(4, (8,), DICE.num_actions, 1, trust=3.0)
    legal, counts = torch.tensor([[3, 5, 0]]), torch.tensor([2])
    logits, value = model(torch.zeros(1, 4), legal, counts, torch.tensor([[[0.5], [2.0], [0.0]]]))
    assert (logits[0, 1] - logits[0, 0]).item() == pytest.approx(4.5, abs=0.01)
    assert logits[0, 2] < -1e8 and value.item() == 0.0


# --- runs ------------------------------------------------------------------------------------------------------------


def test_a_run_leaves_what_it_says(tmp_path: Path) -> None:
    done = train(DICE, small(games=4), Budget(decisions=DECISIONS), tmp_path / "run")
    folder = done.folder
    kept = [path.name for path in sorted(folder.history.iterdir())]
    assert kept == [f"policy_{k:03d}.npz" for k in range(4)]
    assert len(done.checks) == 3 and done.checks[0].decisions == 0 and done.decisions >= DECISIONS
    assert all(path.is_file() for path in (folder.policy, folder.latest, folder.curve))
    assert (folder.path / "curve.png").stat().st_size > 1000
    assert list((folder.path / "tensorboard").iterdir())
    assert done.policy.trained_on["decisions"] in [check.decisions for check in done.checks]
    # The best of the checks, by the deals that are not shown.
    best = max(done.checks, key=lambda check: check.selection)
    assert done.policy.trained_on["decisions"] == best.decisions


def test_learning_beats_what_it_began_with(tmp_path: Path) -> None:
    settings = small(games=64, past=0.0, greedy=0.0, hidden=(64,), deals=60, appraisals=False)
    done = train(DICE, settings, Budget(decisions=40_000), tmp_path / "run")
    first, last = done.checks[0], done.checks[-1]
    assert last.points > first.points + 8


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    train(DICE, small(), Budget(decisions=200), tmp_path / "run")
    before = (tmp_path / "run" / "checkpoint.npz").read_bytes()
    with pytest.raises(FileExistsError, match="--resume"):
        train(DICE, small(), Budget(decisions=200), tmp_path / "run")
    assert (tmp_path / "run" / "checkpoint.npz").read_bytes() == before


def test_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no training run"):
        train(DICE, small(), Budget(decisions=200), tmp_path / "run", resume=True)


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    train(DICE, small(), Budget(decisions=200), tmp_path / "run")
    path = tmp_path / "run" / "checkpoint.npz"
    content = path.read_bytes()
    for damaged in (content[: len(content) // 2], b"", content[:60] + b"\xff" * 40 + content[100:]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="damaged"):
            train(DICE, small(), Budget(decisions=200), tmp_path / "run", resume=True)
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is a run of dice"):
        train("stone_age", small(), Budget(decisions=200), tmp_path / "run", resume=True)


COMMAND = ["train", "dice", "--players", "2,3", "--decisions", "6000", "--json"]
SETTINGS = [
    word
    for name in (
        "games=8",
        "hidden=[16,8]",
        "minibatch=256",
        "snapshots=12",
        "checks=6",
        "deals=4",
        "past=0.4",
        "bf16=false",
    )
    for word in ("--set", name)
]


def test_killed_and_resumed_ends_in_the_same_weights(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "antiquity.cli", *COMMAND, *SETTINGS]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    subprocess.run([*words, "--folder", str(whole)], check=True, capture_output=True, cwd=ROOT)
    running = subprocess.Popen(
        [*words, "--folder", str(broken)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT
    )
    waited = time.monotonic()
    while not (broken / "dice" / "history" / "policy_003.npz").exists():
        assert running.poll() is None and time.monotonic() - waited < 120
        time.sleep(0.005)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    one, other = RunFolder(whole / "dice"), RunFolder(broken / "dice")
    assert other.read()[0]["state"]["decisions"] < one.read()[0]["state"]["decisions"]
    subprocess.run([*words, "--folder", str(broken), "--resume"], check=True, capture_output=True, cwd=ROOT)
    assert same(one, other)
    for file in sorted(one.history.iterdir()):
        first, second = (NetworkAgent.load(place.history / file.name, DICE).network for place in (one, other))
        assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True)), file.name  # type: ignore[arg-type]


def test_two_processes_of_torchrun_learn_as_one_family(tmp_path: Path) -> None:
    words = ["--nproc-per-node", "2", "--standalone", "-m", "antiquity.cli", *COMMAND, *SETTINGS]
    words[words.index("6000")] = "1500"
    run = [sys.executable, "-m", "torch.distributed.run", *words, "--folder", str(tmp_path)]
    subprocess.run(run, check=True, capture_output=True, cwd=ROOT, timeout=300)
    folder = RunFolder(tmp_path / "dice")
    about, weights = folder.read()
    assert about["state"]["decisions"] >= 1500
    assert all(np.isfinite(each).all() for each in weights.values())
    assert NetworkAgent.load(folder.policy, DICE).trained_on["processes"] == 2


def test_processes_of_the_command_repeat_themselves(tmp_path: Path) -> None:
    folders = []
    for name in ("one", "other"):
        settings = small(past=0.0, greedy=0.0)
        done = train(DICE, settings, Budget(decisions=800), tmp_path / name, processes=2)
        folders.append(done.folder)
    assert same(*folders)


def test_the_example_learns_the_same(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("ppo_example", ROOT / "examples" / "ppo.py")
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = example
    spec.loader.exec_module(example)
    args = example.Args(
        game="stone_age", games=4, hidden=(16, 8), minibatch=256, decisions=5000, bf16=False, seed=3
    )
    model, columns, curve = example.train(args, told=lambda _: None)
    game = make_game("stone_age")
    settings = settings_for(
        game, games=4, hidden=(16, 8), minibatch=256, bf16=False, seed=3, checks=1, snapshots=1, deals=2
    )
    done = train(game, settings, Budget(decisions=5000), tmp_path / "run")
    about, arrays_ = done.folder.read()
    assert about["state"]["iteration"] == len(curve) >= 3
    for name, parameter in model.named_parameters():
        np.testing.assert_allclose(
            parameter.detach().numpy(), arrays_[f"model/{name}"], atol=1e-5, err_msg=name
        )
    np.testing.assert_array_equal(columns, live_columns(game, settings.tables))


# --- settings and the command ---------------------------------------------------------------------------------------


def test_settings_travel_as_json() -> None:
    settings = small()
    assert Settings.from_dict(json.loads(json.dumps(settings.as_dict()))) == settings


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "games"),
        ({"hidden": ()}, "hidden"),
        ({"past": 0.9, "greedy": 0.2}, "shares"),
        ({"tables": ()}, "tables"),
    ],
)
def test_settings_are_checked(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        small(**changes)


def test_a_budget_is_one_thing() -> None:
    for given in ({}, {"seconds": 1.0, "decisions": 5}, {"seconds": 0.0}):
        with pytest.raises(ValueError, match="how long"):
            Budget(**given)  # type: ignore[arg-type]


def test_greedy_is_trusted_where_it_helps() -> None:
    assert settings_for(make_game("seven_wonders")).appraisals and not settings_for(DICE).appraisals


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--table", "sides=day"], "how many players"),
        (["--table", "players=4", "--players", "3"], "leave --players"),
        (["--players", "two"], "whole numbers"),
        (["--set", "hidden"], "NAME=VALUE"),
    ],
)
def test_what_the_command_refuses(words: list[str], message: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["train", "seven_wonders", *words, "--folder", str(tmp_path)])
    assert result.exit_code != 0 and message in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_tables_are_mixed(tmp_path: Path) -> None:
    words = ["train", "seven_wonders", "--decisions", "400", "--json", "--folder", str(tmp_path), *SETTINGS]
    tables = ["--table", "players=3,payments=cheapest", "--table", "players=5,sides=random,weight=3"]
    result = CliRunner().invoke(app, [*words, *tables])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [kind["players"] for kind in found["settings"]["tables"]] == [3, 5]
    assert len(found["curve"][-1]["shares"]) == 2
