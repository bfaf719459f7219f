"""TorchRL's environment on a batch: specs, steps like the batch's own, resets of some games, collectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")

from tensordict import TensorDict  # noqa: E402 (torchrl is optional)
from torchrl.collectors import Collector  # noqa: E402
from torchrl.envs import check_env_specs  # noqa: E402

from antiquity import Batch  # noqa: E402
from antiquity.envs.torchrl import GameEnv  # noqa: E402
from env_games import TOY  # noqa: E402


@pytest.mark.parametrize(
    "options", [{}, {"dtype": "uint8"}, {"observation": "dict"}, {"observation": "tokens"}, {"memory": True}]
)
def test_it_keeps_torchrls_own_contract(options: dict[str, Any]) -> None:
    check_env_specs(GameEnv("dice", 5, 3, seed=1, **options))
    check_env_specs(GameEnv("seven_wonders", 3, [3, 5, 4], seed=1, **options))


def test_steps_are_those_of_the_batch() -> None:
    env = GameEnv(TOY, 6, 3, seed=7, reward="points")
    batch = Batch(TOY, 6, 3, seed=7, reward="points", autoreset=False)
    found, (observations, masks) = env.reset(), batch.reset()
    for salt in range(40):
        assert (found["player", "observation"].numpy() == observations).all()
        assert (found["player", "action_mask"].numpy() == masks).all()
        actions = batch.sample(salt=salt)
        found["player", "action"] = torch.from_numpy(actions)
        step = batch.step(actions)
        found = env.step(found)["next"]
        observations, masks = step.observations, step.masks
        assert (found["player", "reward"][..., 0].numpy() == step.rewards).all()
        assert (found["terminated"][:, 0].numpy() == step.terminated).all()
        assert (found["done"][:, 0].numpy() == (step.terminated | step.truncated)).all()


def test_games_that_have_ended_begin_anew_and_the_others_go_on() -> None:
    env = GameEnv(TOY, 8, 2, seed=1)
    first = env.reset()
    env.step(env.rand_action(first))
    before = env.games.games.copy()
    begun = torch.zeros(8, 1, dtype=torch.bool)
    begun[[2, 5]] = True
    env.reset(TensorDict({"_reset": begun}, batch_size=[8]))
    steps = env.games.games["steps"]
    assert (steps[[2, 5]] == 0).all()
    others = [0, 1, 3, 4, 6, 7]
    assert (env.games.games[others] == before[others]).all()


def test_rollouts_go_through_many_games() -> None:
    env = GameEnv("dice", 16, 2, seed=3)
    found = env.rollout(150, break_when_any_done=False)
    ends = found["next", "done"][..., 0]
    assert ends.sum() >= 16
    assert (found["next", "player", "reward"].sum(dim=2)[..., 0] == ends).all(), "one win is shared a game"
    legal = found["player", "action_mask"].gather(-1, found["player", "action"][..., None])
    assert legal.all(), "random actions go by the masks"


def test_equal_seeds_are_equal_games() -> None:
    env = GameEnv("stone_age", 4, 2)
    env.set_seed(11)
    one = env.reset()["player", "observation"]
    env.set_seed(11)
    two = env.reset()["player", "observation"]
    assert (one == two).all() and not (env.reset()["player", "observation"] == one).all()


def test_collectors_learn_from_it() -> None:
    env = GameEnv(TOY, 4, 3, seed=1)
    collector = Collector(env, env.rand_action, frames_per_batch=40, total_frames=120)
    batches = list(collector)
    assert len(batches) == 3 and all(each.numel() == 40 for each in batches)
    collector.shutdown()


def test_what_is_returned_stays_as_it_is() -> None:
    env = GameEnv(TOY, 4, 3, seed=1)
    first = env.reset()
    kept = first["player", "observation"].clone()
    after = first
    for _ in range(6):
        after = env.step(env.rand_action(after))["next"]
    assert (first["player", "observation"] == kept).all()
    assert "games of Toy bids" in repr(env) and np.asarray(env.games.scores()).shape[0] == 4
