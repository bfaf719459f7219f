"""A transformer on tokens: training, going on, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from antiquity import Batch, make_game
from antiquity.agents import Decisions
from antiquity.arena import play_match
from antiquity.train.attention import AttentionAgent, AttentionPolicyValue
from antiquity.train.run import train
from antiquity.train.runs import RunFolder
from antiquity.train.settings import Settings, TableKind
from antiquity.train.trainer import Budget

STONE = make_game("stone_age")
SMALL: dict[str, Any] = {
    "tables": (TableKind(2),),
    "network": "attention",
    "games": 4,
    "hidden": (16, 16),
    "minibatch": 512,
    "snapshots": 2,
    "checks": 2,
    "deals": 2,
    "bf16": False,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("attention")
    train(STONE, Settings(**SMALL), Budget(decisions=3000), place)
    return place


def test_it_learns_and_goes_on_to_the_same_weights(folder: Path, tmp_path: Path) -> None:
    train(STONE, Settings(**SMALL), Budget(decisions=1500), tmp_path)
    done = train(STONE, Settings(**SMALL), Budget(decisions=3000), tmp_path, resume=True)
    assert isinstance(done.policy, AttentionAgent)
    once, twice = RunFolder(folder).read()[1], RunFolder(tmp_path).read()[1]
    started = AttentionPolicyValue(STONE, (16, 16), STONE.num_actions, STONE.appraisal.size)
    assert {f"model/{name}" for name, _ in started.named_parameters()} <= once.keys()
    assert any(key.startswith("model/trunk.blocks") for key in once)
    # Learning rates follow what is done of the budget, so the runs are alike, and no more than that.
    assert once.keys() == twice.keys()


def test_it_plays_every_table_from_its_file(folder: Path) -> None:
    agent = AttentionAgent.load(folder / "policy.npz", STONE)
    for players in (2, 4):
        result = play_match(STONE, [agent, *["random"] * (players - 1)], deals=2, seed=1)
        assert result.shares[:, :, 0].mean() > 1 / players
    batch = Batch(STONE, 4, 3, seed=1, autoreset=False)
    batch.reset()
    rows = batch.rows()
    decisions = Decisions(STONE, batch.games, batch.tables, rows.game, rows.seat)
    again = AttentionAgent.load(folder / "policy.npz", STONE, deterministic=True)
    again.save(folder / "copy.npz")
    copied = AttentionAgent.load(folder / "copy.npz", STONE, deterministic=True)
    assert (again.act(decisions) == copied.act(decisions)).all()
    assert (agent.act(decisions) == agent.act(decisions)).all()


def test_padding_changes_nothing() -> None:
    """What one row is worth does not depend on the rows beside it, which bring tokens of their own."""
    torch.manual_seed(0)
    wonders = make_game("seven_wonders")
    model = AttentionPolicyValue(wonders, (16,), wonders.num_actions, 0)
    torch.nn.init.normal_(model.policy.weight)
    batch = Batch(wonders, 8, 4, seed=1)
    batch.reset()
    for _ in range(9):
        batch.step(batch.sample("greedy"))
    rows = batch.rows()
    legal = torch.from_numpy(batch.choices(rows.game, rows.seat).legal.astype(np.int64))
    counts = torch.from_numpy(batch.choices(rows.game, rows.seat).counts)
    seen = torch.from_numpy(rows.observations)
    with torch.no_grad():
        together, _ = model(seen, legal, counts, None)
        for row in range(len(seen)):
            alone, _ = model(seen[row : row + 1], legal[row : row + 1], counts[row : row + 1], None)
            torch.testing.assert_close(alone[0], together[row], rtol=1e-4, atol=1e-4)


def test_decisions_say_what_the_batch_says_of_actions() -> None:
    batch = Batch("dice", 6, 3, seed=2)
    batch.reset()
    for _ in range(5):
        rows = batch.rows()
        legal, counts, appraisals = batch.choices(rows.game, rows.seat)
        decisions = Decisions(batch.game, batch.games, batch.tables, rows.game, rows.seat)
        assert (decisions.counts == counts).all()
        for row, count in enumerate(counts):
            assert (decisions.legal[row, :count] == legal[row, :count]).all()
            assert (decisions.appraisals()[row, :count] == appraisals[row, :count]).all()
        batch.step(batch.sample())


def test_files_of_others_are_refused(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "broken.npz"
    path.write_bytes((folder / "policy.npz").read_bytes()[:-300])
    with pytest.raises(ValueError, match=r"broken\.npz"):
        AttentionAgent.load(path, STONE)
    with pytest.raises(ValueError, match="its game is 'stone_age'"):
        AttentionAgent.load(folder / "policy.npz", make_game("dice"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network": "graph"}, "network is 'graph'"),
        ({"hidden": (16, 32)}, "blocks of one size"),
        ({"hidden": (18,)}, "a multiple of 4"),
        ({"past": 0.5}, "former selves"),
    ],
)
def test_settings_that_do_not_go_together(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Settings(**(SMALL | changes))


def test_a_policy_file_is_not_taken_up(tmp_path: Path) -> None:
    layers = {"network": "layers", "hidden": (8,)}
    train(STONE, Settings(**(SMALL | layers)), Budget(decisions=200), tmp_path / "layers")
    with pytest.raises(ValueError, match="--init"):
        train(
            STONE,
            Settings(**SMALL),
            Budget(decisions=200),
            tmp_path / "attention",
            init=tmp_path / "layers" / "policy.npz",
        )
