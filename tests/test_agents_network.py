"""Policy files: what is saved plays the same when it is loaded; what is none, or for something else, is refused."""

from __future__ import annotations

import io
import itertools
import json
import os
import pickle
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.agents import Decisions, Network, NetworkAgent, checked_actions, make_agent
from antiquity.agents.policy_file import MOST_BYTES, appraisal_names, parse_policy
from antiquity.batch import Batch
from antiquity.game import Game
from env_games import TOY, WONDERS, both_games, same


def made(game: Game, memory: bool = False, seed: int = 0, hidden: Any = (24, 16), **options: Any) -> Network:
    """A network with random weights, a value and appraisals, that reads every other column."""
    rng = np.random.default_rng(seed)
    columns = np.arange(0, game.observation_layout(memory).size, 2)
    sizes = [len(columns), *hidden]

    def layer(inputs: int, outputs: int) -> Any:
        return rng.normal(size=(inputs, outputs)) / np.sqrt(inputs / 4), rng.normal(size=outputs)

    value = layer(sizes[-1], 1)
    return Network.make(
        columns=columns,
        hidden=[layer(*pair) for pair in itertools.pairwise(sizes)],
        policy=layer(sizes[-1], game.num_actions),
        value=(value[0][:, 0], value[1]),
        appraisal=layer(sizes[-1], len(appraisal_names(game))),
        **options,
    )


def plain(game: Game, memory: bool = False, seed: int = 0) -> list[Any]:
    """The layers of a multi-layer perceptron, as files of format 1 hold them."""
    rng = np.random.default_rng(seed)
    sizes = [game.observation_layout(memory).size, 8, game.num_actions]
    return [
        (rng.normal(size=pair).astype(np.float32), rng.normal(size=pair[1]).astype(np.float32))
        for pair in itertools.pairwise(sizes)
    ]


def network(game: Game, memory: bool = False, seed: int = 0, **options: Any) -> NetworkAgent:
    return NetworkAgent(game, made(game, memory, seed), memory, **options)


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
        agent = NetworkAgent(
            game,
            made(game, memory, activation=activation),
            memory,
            players=[3],
            trained_on={"seed": 7, "machine": "a fast one"},
        )
        path = agent.save(tmp_path / "new" / "policy.anything")
        assert path.suffix == ".npz" and list(path.parent.iterdir()) == [path]
        loaded = NetworkAgent.load(path, game)
        assert (loaded.name, loaded.memory, loaded.players) == ("policy", memory, (3,))
        assert loaded.trained_on == {"seed": 7, "machine": "a fast one"}
        assert all(map(same, loaded.network, agent.network))
        assert same(checked_actions(loaded, asked), checked_actions(agent, asked))
        drawn = make_agent(str(path), game, deterministic=False)
        assert same(drawn.act(asked), agent.act(asked))


def by_numpy(network: Network, asked: Decisions, memory: bool) -> tuple[Any, Any]:
    """Logits of all actions without appraisals, and values, by the formula."""
    h = asked.remember(memory).observations[:, network.columns].astype(np.float64)
    for weights, bias in network.hidden():
        h = h @ weights + bias
        h = np.tanh(h) if network.activation == "tanh" else np.maximum(h, 0)
    values = h @ network.value_weights + network.value_bias if network.has_value else np.zeros(len(h))
    return h @ network.policy_weights.T + network.policy_bias, values


@both_games
@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize(("hidden", "memory"), [((), False), ((7,), True), ((32, 24, 16), False)])
def test_the_kernel_follows_the_formula(game: Game, activation: str, hidden: Any, memory: bool) -> None:
    asked = decisions(game)
    full = made(game, memory, hidden=hidden, activation=activation)
    without = full._replace(
        appraisal_weights=full.appraisal_weights[:0], appraisal_bias=full.appraisal_bias[:0]
    )
    agent = NetworkAgent(game, without, memory)
    logits, values = by_numpy(without, asked, memory)
    found = agent.evaluate(asked)
    assert found.logits.shape == asked.legal.shape and same(found.counts, asked.counts)
    np.testing.assert_allclose(found.values, values, atol=1e-5)
    np.testing.assert_allclose(agent.logits(asked.remember(memory).observations), logits, atol=2e-5)
    for row, count in enumerate(asked.counts):
        legal = asked.legal[row, :count]
        np.testing.assert_allclose(found.logits[row, :count], logits[row, legal], atol=2e-5)
        assert not found.logits[row, count:].any()
    best = NetworkAgent(game, without, memory, deterministic=True)
    assert same(checked_actions(best, asked), np.where(asked.masks == 1, logits, -np.inf).argmax(axis=1))


def test_actions_follow_the_logits() -> None:
    """Drawn in proportion to exp(logit), illegal ones never; or the most probable one."""
    asked = decisions(TOY, 4000)
    agent = network(TOY)
    logits = np.full(asked.masks.shape, -np.inf)
    found = agent.evaluate(asked)
    for row, count in enumerate(asked.counts):
        logits[row, asked.legal[row, :count]] = found.logits[row, :count]
    weights = np.exp(logits)
    chances = weights / weights.sum(axis=1, keepdims=True)
    counts = np.bincount(checked_actions(agent, asked), minlength=TOY.num_actions)
    errors = np.sqrt((chances * (1 - chances)).sum(axis=0))
    assert (np.abs(counts - chances.sum(axis=0)) <= 5 * errors + 1e-9).all()
    best = checked_actions(network(TOY, deterministic=True), asked)
    assert same(best, logits.argmax(axis=1))


def test_logits_are_those_of_torch(tmp_path: Path) -> None:
    """A model of stable-baselines3 and the network made from it say the same."""
    pytest.importorskip("sb3_contrib", reason='needs pip install "antiquity[sb3]"')
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


def test_a_network_in_torch_and_in_the_kernel() -> None:
    """Within 1e-4, and the same best action."""
    torch = pytest.importorskip("torch", reason='needs pip install "antiquity[train]"')
    asked = decisions(WONDERS, 200)
    agent = network(WONDERS, deterministic=True)
    net, h = agent.network, torch.as_tensor(asked.observations[:, agent.network.columns])
    for weights, bias in net.hidden():
        h = torch.relu(h @ torch.tensor(weights) + torch.tensor(bias))
    values = h @ torch.tensor(net.value_weights) + torch.tensor(net.value_bias)
    found = agent.evaluate(asked)
    np.testing.assert_allclose(found.values, values.numpy(), atol=1e-4)
    plain = NetworkAgent(
        WONDERS,
        net._replace(appraisal_weights=net.appraisal_weights[:0], appraisal_bias=net.appraisal_bias[:0]),
        deterministic=True,
    )
    logits = (h @ torch.tensor(net.policy_weights).T + torch.tensor(net.policy_bias)).numpy()
    np.testing.assert_allclose(plain.logits(asked.observations), logits, atol=1e-4)
    best = np.where(asked.masks == 1, logits, -np.inf).argmax(axis=1)
    assert (checked_actions(plain, asked) == best).mean() >= 0.999


def test_only_the_arrays_that_are_meant(tmp_path: Path) -> None:
    for array in network(TOY).network[:-1]:
        assert not array.flags.writeable
    with pytest.raises(ValueError, match="ascending"):
        Network.make(columns=[1, 0], hidden=[], policy=(np.zeros((2, 3)), np.zeros(3)))
    layers = [(np.zeros((2, 2)), np.zeros(2)), (np.zeros((3, 2)), np.zeros(2))]
    with pytest.raises(ValueError, match=r"layer 1 has weights \(3, 2\)"):
        Network.make(columns=[0, 1], hidden=layers, policy=(np.zeros((2, 3)), np.zeros(3)))
    with pytest.raises(ValueError, match="the value has weights"):
        Network.make(
            columns=[0], hidden=[], policy=(np.zeros((1, 6)), np.zeros(6)), value=(np.zeros(1), np.zeros(2))
        )
    with pytest.raises(ValueError, match="reads column 99"):
        NetworkAgent(TOY, Network.make(columns=[99], hidden=[], policy=(np.zeros((1, 6)), np.zeros(6))))
    with pytest.raises(ValueError, match="observations are"):
        network(TOY).logits(np.zeros((1, 3), np.float32))
    with pytest.raises(ValueError, match="what JSON does"):
        NetworkAgent(TOY, made(TOY), trained_on={"a": object()}).save(tmp_path / "a.npz")


def test_what_is_no_policy_file(tmp_path: Path) -> None:
    """Cut, with flipped bits, with other bytes in the middle: refused in one line, or the bit was one nobody reads."""
    path = network(TOY).save(tmp_path / "policy.npz")
    good = path.read_bytes()
    rng = np.random.default_rng(0)
    messages = []
    for _ in range(3000):
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
        except ValueError as error:
            messages.append(str(error))
        else:
            assert all(map(same, agent.network, network(TOY).network))
    assert len(messages) > 2000
    assert all("\n" not in message and message.startswith(str(path)) for message in messages)
    with pytest.raises(FileNotFoundError, match="no policy file"):
        NetworkAgent.load(tmp_path / "none.npz", TOY)
    os.mkfifo(tmp_path / "pipe.npz")
    with pytest.raises(FileNotFoundError, match="no policy file"):
        NetworkAgent.load(tmp_path / "pipe.npz", TOY)


def archive(**members: bytes) -> bytes:
    """A zip archive of these members, as deflated arrays."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(f"{name}.npy", content)
    return file.getvalue()


def npy(head: str, content: bytes = b"") -> bytes:
    text = head.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content


def refused(content: bytes, words: str) -> None:
    """Refused in one line, quickly and with little memory."""
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=words) as caught:
            parse_policy(content, "policy.npz", TOY)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
        assert tracemalloc.get_traced_memory()[1] < 3 * len(content) + (8 << 20)
    finally:
        tracemalloc.stop()


FLOATS = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }"
TEXT = "{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (archive(header=bytes(MOST_BYTES + 1)), "out of proportion"),
        (archive(**{f"a{k}": b"" for k in range(300)}), "more than 256 arrays"),
        (archive(header=npy(FLOATS % "1000000000000,", b"1234")), "policy.npz is damaged"),
        (archive(header=npy(FLOATS % ("9" * 39 + ","), b"1234")), "policy.npz is damaged"),
        (archive(header=npy("[" * 5000)), "no policy file"),
        (
            archive(header=npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }")),
            "no policy file",
        ),
        (archive(header=npy(FLOATS % "1,", b"1234")), "no policy file"),
        (archive(header=npy(TEXT % 200_000, b"[" * 200_000)), "damaged or no policy file"),
        (archive(header=npy(TEXT % 2, b"[]")), "header is no JSON object"),
        (archive(header=b"hello"), "no policy file"),
        (archive(other=npy(TEXT % 2, b"{}")), "header.npy"),
        (b"", "damaged or no policy file"),
    ],
)
def test_forged_archives(content: bytes, words: str) -> None:
    refused(content, words)


def test_an_archive_that_lies_about_a_size(tmp_path: Path) -> None:
    """Unpacked only as far as the directory says, so that a bomb behind a small number does not go off."""
    content = bytearray(archive(header=bytes(100 << 20)))
    size = (100 << 20).to_bytes(4, "little")
    while size in content:
        place = content.index(size)
        content[place : place + 4] = (64).to_bytes(4, "little")
    refused(bytes(content), "damaged or no policy file")


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
    header = {key: value for key, value in header.items() if value is not GONE}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(path, **arrays)
    return path


GONE = object()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": 99}, "was trained on version 99"),
        ({"version": GONE}, "was trained on version None"),
        ({"version": True}, "was trained on version True"),
        ({"format": 3}, "has format 3"),
        ({"format": GONE}, "has format None"),
        ({"format": [1] * 5000}, "has format "),
        ({"game": "stone_age"}, "is a policy for stone_age, not for"),
        ({"game": "../../x"}, "names the game"),
        ({"game": 3}, "names the game 3"),
        ({"game": "x" * 100_000}, "names the game"),
        ({"memory": True}, "has 14 inputs"),
        ({"memory": 1}, "memory is 1"),
        ({"hidden": [24]}, "has weights"),
        ({"hidden": [24, 16, 8]}, "'weights_2'"),
        ({"hidden": [24, 17]}, "layers of"),
        ({"hidden": float("inf")}, "hidden is inf"),
        ({"hidden": GONE}, "'hidden'"),
        ({"inputs": 13}, "has 13 inputs"),
        ({"activation": "gelu"}, "must be one of relu, tanh"),
        ({"activation": GONE}, "'activation'"),
        ({"activation": ["relu"]}, "must be one of relu, tanh"),
        ({"appraisals": ["cost"]}, "has no such appraisals"),
        ({"appraisals": GONE}, "has no such appraisals"),
        ({"players": 4}, "players is a list"),
        ({"players": [99]}, "players are"),
        ({"trained_on": 4}, "trained_on an object"),
    ],
)
def test_what_does_not_fit(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    path = with_header(network(TOY).save(tmp_path / "policy.npz"), **changes)
    with pytest.raises(ValueError, match=words) as caught:
        NetworkAgent.load(path, TOY)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


def format_1(path: Path, network: list[Any], **changes: Any) -> Path:
    """A policy file as release 0.1.0 wrote it."""
    header = {
        "format": 1,
        "game": "toy",
        "version": TOY.version,
        "memory": False,
        "activation": "tanh",
        "layers": len(network),
    }
    text = json.dumps({key: value for key, value in (header | changes).items() if value is not GONE})
    arrays: Any = {f"weights_{k}": weights for k, (weights, _) in enumerate(network)}
    arrays |= {f"bias_{k}": bias for k, (_, bias) in enumerate(network)}
    np.savez_compressed(path, header=np.frombuffer(text.encode(), np.uint8), **arrays)
    return path


@pytest.mark.parametrize("memory", [False, True])
def test_files_of_format_1(memory: bool, tmp_path: Path) -> None:
    asked = decisions(TOY).remember(memory)
    layers = plain(TOY, memory)
    agent = NetworkAgent.load(format_1(tmp_path / "old.npz", layers, memory=memory), TOY)
    logits = np.tanh(asked.observations @ layers[0][0] + layers[0][1]) @ layers[1][0] + layers[1][1]
    np.testing.assert_allclose(agent.logits(asked.observations), logits, atol=1e-5)
    assert agent.memory == memory and not agent.network.has_value
    again = NetworkAgent.load(agent.save(tmp_path / "new.npz"), TOY)
    assert all(map(same, again.network, agent.network))
    assert same(again.act(asked), agent.act(asked))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"memory": True}, "layer 0 has weights"),
        ({"layers": 1}, "ends in 8 logits"),
        ({"layers": 5}, "'weights_2'"),
        ({"layers": "many"}, "'many' layers"),
        ({"layers": float("inf")}, "inf layers"),
        ({"layers": 10**9}, "1000000000 layers"),
        ({"layers": GONE}, "'layers'"),
    ],
)
def test_what_does_not_fit_in_format_1(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    path = format_1(tmp_path / "old.npz", plain(TOY), **changes)
    with pytest.raises(ValueError, match=words):
        NetworkAgent.load(path, TOY)


def test_files_of_an_earlier_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions that came later are not chosen, and greedy chooses among them alone; new columns are not read."""
    columns, actions = TOY.layout.size - 2, TOY.num_actions - 2  # without the choice, TAKE or GIVE
    monkeypatch.setitem(vars(TOY), "version", 2)
    monkeypatch.setitem(vars(TOY), "earlier", {1: (actions, columns)})
    rng = np.random.default_rng(1)
    memory = TOY.memory_layout.size
    layers = [(rng.normal(size=(columns + memory, actions)), rng.normal(size=actions))]
    layers = [(weights.astype(np.float32), bias.astype(np.float32)) for weights, bias in layers]
    agent = NetworkAgent.load(format_1(tmp_path / "old.npz", layers, version=1, memory=True), TOY)
    choices = 0
    batch = Batch(TOY, 40, seed=3)
    batch.reset()
    asked = decisions(TOY).remember(True)
    for _ in range(4):
        rows = batch.rows()
        asked = Decisions(TOY, batch.games, batch.tables, rows.game, rows.seat, memory=True)
        seen = np.delete(asked.observations, [columns, columns + 1], axis=1)
        np.testing.assert_allclose(
            agent.logits(asked.observations), seen @ layers[0][0] + layers[0][1], atol=1e-5
        )
        chosen = checked_actions(agent, asked)
        new = asked.legal[:, 0] >= actions
        choices += int(new.sum())
        assert same(chosen[new], make_agent("greedy", TOY).act(asked)[new])
        batch.step(batch.sample())
    assert choices
    with pytest.raises(ValueError, match="was trained on version 3"):
        NetworkAgent.load(format_1(tmp_path / "newer.npz", layers, version=3), TOY)
    # What is written again is of today's version.
    again = NetworkAgent.load(agent.save(tmp_path / "again.npz"), TOY)
    assert same(again.act(asked), agent.act(asked))


def test_a_game_is_only_imported_if_it_is_installed(tmp_path: Path) -> None:
    path = network(TOY).save(tmp_path / "policy.npz")
    with pytest.raises(ValueError, match="toy, which is not installed; give the game"):
        NetworkAgent.load(path)
    wonders = network(WONDERS).save(tmp_path / "wonders.npz")
    assert NetworkAgent.load(wonders).game is WONDERS


def test_numbers_that_are_none() -> None:
    layers = plain(TOY)
    layers[0][0][0, 0] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        Network.of_layers(layers)
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
