"""Policy files: what is saved plays the same when it is loaded; what is none, or for something else, is refused."""

from __future__ import annotations

import io
import itertools
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.agents import Decisions, checked_actions, make_agent
from antiquity.agents.network import NetworkAgent
from antiquity.batch import Batch
from antiquity.game import Game
from env_games import TOY, WONDERS, both_games, same


def network(game: Game, memory: bool = False, seed: int = 0, **options: Any) -> NetworkAgent:
    """A network of one hidden layer with random weights."""
    rng = np.random.default_rng(seed)
    sizes = [game.observation_layout(memory).size, 8, game.num_actions]
    layers = [
        (rng.normal(size=(a, b)).astype(np.float32), rng.normal(size=b).astype(np.float32))
        for a, b in itertools.pairwise(sizes)
    ]
    return NetworkAgent(game, layers, memory=memory, **options)


def decisions(game: Game, games: int = 30) -> Decisions:
    batch = Batch(game, games, seed=2)
    batch.reset()
    batch.step(batch.sample())
    rows = batch.rows()
    return Decisions(game, batch.games, batch.tables, rows.game, rows.seat)


@both_games
@pytest.mark.parametrize("memory", [False, True])
def test_saved_and_loaded(game: Game, memory: bool, tmp_path: Path) -> None:
    asked = decisions(game)
    for activation in ("tanh", "relu"):
        agent = network(game, memory, activation=activation)
        path = agent.save(tmp_path / "new" / "policy.anything")
        assert path.suffix == ".npz" and list(path.parent.iterdir()) == [path]
        loaded = NetworkAgent.load(path, game)
        assert (loaded.name, loaded.memory, loaded.activation) == ("policy", memory, activation)
        assert same(checked_actions(loaded, asked), checked_actions(agent, asked))
        assert same(make_agent(str(path), game).act(asked), agent.act(asked))


def test_actions_follow_the_logits() -> None:
    """Drawn in proportion to exp(logit), illegal ones never; or the most probable one."""
    asked = decisions(TOY, 4000)
    agent = network(TOY)
    logits = agent.logits(asked.observations).astype(np.float64)
    weights = np.exp(logits) * asked.masks
    chances = weights / weights.sum(axis=1, keepdims=True)
    counts = np.bincount(checked_actions(agent, asked), minlength=TOY.num_actions)
    errors = np.sqrt((chances * (1 - chances)).sum(axis=0))
    assert (np.abs(counts - chances.sum(axis=0)) <= 5 * errors + 1e-9).all()
    best = checked_actions(network(TOY, deterministic=True), asked)
    assert same(best, np.where(asked.masks == 1, logits, -np.inf).argmax(axis=1))


def test_logits_are_those_of_torch(tmp_path: Path) -> None:
    """A model of stable-baselines3 and the network made from it say the same."""
    pytest.importorskip("sb3_contrib", reason='needs pip install "antiquity[train]"')
    import torch
    from sb3_contrib import MaskablePPO

    from antiquity.envs.sb3 import GameVecEnv

    for memory in (False, True):
        env = GameVecEnv(TOY, num_games=2, memory=memory)
        model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, seed=1, device="cpu")
        agent = NetworkAgent.from_sb3(model, TOY)
        assert agent.memory == memory
        observations = decisions(TOY).remember(memory).observations
        with torch.no_grad():
            policy: Any = model.policy
            found = policy.get_distribution(torch.as_tensor(observations)).distribution.logits.numpy()
        mine = agent.logits(observations)
        # torch normalises its logits.
        mine = mine - np.log(np.exp(mine).sum(axis=1, keepdims=True))
        np.testing.assert_allclose(mine, found, atol=1e-5)
        env.close()


def test_what_is_no_policy_file(tmp_path: Path) -> None:
    path = network(TOY).save(tmp_path / "policy.npz")
    good = path.read_bytes()
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(60):
        bad = bytearray(good)
        kind = rng.integers(3)
        if kind == 0:
            bad = bad[: rng.integers(len(bad))]
        elif kind == 1:
            bad[rng.integers(len(bad))] ^= 1 << rng.integers(8)
        else:
            place = rng.integers(len(bad))
            bad[place : place + 40] = rng.bytes(40)
        try:
            agent = NetworkAgent.from_bytes(bytes(bad), path, TOY)
        except ValueError:
            refused += 1
        else:
            # A bit that nobody reads, such as the time of a file in the archive.
            assert same(agent.layers[0][0], network(TOY).layers[0][0])
    assert refused > 40
    with pytest.raises(FileNotFoundError, match="no policy file"):
        NetworkAgent.load(tmp_path / "none.npz", TOY)


class Evil:
    """Unpickling it would be noticed."""

    def __reduce__(self) -> Any:
        return open_it, ()


OPENED: list[bool] = []


def open_it() -> None:
    OPENED.append(True)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "evil.npz"
    np.savez(path, allow_pickle=True, header=np.array([Evil()], dtype=object))
    with pytest.raises(ValueError, match="no policy file"):
        NetworkAgent.load(path, TOY)
    path.write_bytes(pickle.dumps(Evil()))
    with pytest.raises(ValueError, match="no policy file"):
        NetworkAgent.load(path, TOY)
    assert not OPENED


def with_header(path: Path, **changes: Any) -> Path:
    """The same file with another header."""
    with np.load(path) as data:
        arrays = {name: data[name] for name in data.files}
    header = {**json.loads(bytes(arrays["header"]).decode()), **changes}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": 99}, "was trained on version 99"),
        ({"format": 2}, "has format 2"),
        ({"game": "stone_age"}, "is a policy for stone_age, not for"),
        ({"game": "../../x"}, "names the game"),
        ({"memory": True}, "layer 0 has weights"),
        ({"layers": 1}, "ends in 8 logits"),
        ({"layers": 5}, "no policy file"),
        ({"layers": "many"}, "no policy file"),
        ({"activation": "gelu"}, "must be one of tanh, relu"),
    ],
)
def test_what_does_not_fit(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    path = with_header(network(TOY).save(tmp_path / "policy.npz"), **changes)
    with pytest.raises(ValueError, match=words):
        NetworkAgent.load(path, TOY)


def test_numbers_that_are_none() -> None:
    agent = network(TOY)
    agent.layers[0][0][0, 0] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        NetworkAgent(TOY, agent.layers)
    with pytest.raises(ValueError, match="policy 'policy' plays"):
        network(WONDERS).act(decisions(TOY))


def test_an_interrupted_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = network(TOY).save(tmp_path / "policy.npz")
    before = path.read_bytes()

    def fail(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(KeyboardInterrupt):
        network(TOY, seed=5).save(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    assert zipfile.is_zipfile(io.BytesIO(before))
