"""The examples that train run for a moment, and leave what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from antiquity.agents import NetworkAgent
from antiquity.study.dataset import write_dataset

ROOT = Path(__file__).parent.parent


def run(example: str, *words: str, folder: Path) -> str:
    command = [sys.executable, str(ROOT / "examples" / example), *words]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ppo_in_one_file(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra train")
    said = run(
        "ppo.py", "--game", "dice", "--decisions", "500", "--games", "4", "--hidden", "8,8", folder=tmp_path
    )
    assert "one policy against 3 greedy" in said
    assert NetworkAgent.load(tmp_path / "dice_policy.npz", "dice").network.has_value


def test_behaviour_cloning(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra train")
    write_dataset("dice", ["greedy"], 6, tmp_path / "data", players=2)
    said = run(
        "behaviour_cloning.py", "data", "--epochs", "1", "--hidden", "8", "--deals", "1", folder=tmp_path
    )
    assert "epoch 1" in said and "cloned" in said


@pytest.mark.parametrize("game", ["seven_wonders", "dice"])
def test_maskable_ppo(game: str, tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="stable-baselines3 needs the extra sb3")
    words = ("--game", game, "--seconds", "0.5", "--games", "2", "--deals", "1", "--players", "3")
    said = run("maskable_ppo_sb3.py", *words, folder=tmp_path)
    assert "one policy among 2 random" in said and (tmp_path / "runs" / "sb3" / "model.zip").is_file()
    NetworkAgent.load(tmp_path / "runs" / "sb3" / "policy.npz", game)


def test_rllib_trains_under_masks_and_goes_on(tmp_path: Path) -> None:
    """An illegal action is a ValueError in its environment, so that a run that ends has sampled none."""
    pytest.importorskip("ray.rllib", reason="RLlib has an environment of its own: make rllib-test")
    small = ("--runners", "1", "--deals", "1", "--folder", str(tmp_path / "run"))
    first = ("--game", "dice", "--players", "2", "--games", "2", "--batch", "200", "--minibatch", "100")
    said = run("rllib_ppo.py", *first, "--iterations", "1", *small, folder=tmp_path)
    assert "iteration 1" in said and "one policy among 1 greedy" in said
    said = run("rllib_ppo.py", "--resume", "--iterations", "2", *small, folder=tmp_path)
    assert "going on after iteration 1" in said and "iteration 2" in said
    NetworkAgent.load(tmp_path / "run" / "policy.npz", "dice")
