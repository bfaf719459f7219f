"""Data sets of decisions: what is written is what was played, whatever becomes of the process that writes."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dice_env
from antiquity.batch import Batch
from antiquity.game.random import mix
from antiquity.study import dataset as writing
from antiquity.study.dataset import DATASET, write_dataset
from antiquity.study.shards import read_about, read_shard, shards_in
from env_games import TOY

GAME = dice_env.GAME
FORMAT_1 = Path(__file__).parent / "data" / "shard_format_1.npz"
"""One random game."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("data")
    write_dataset(GAME, ["greedy", "random", "greedy"], 5, found, players=3, reward="points", seed=7)
    return found


def test_decisions_are_those_of_the_games(folder: Path) -> None:
    """Played again with the batch's own samplers, all seats at once."""
    (path,) = shards_in(folder)
    shard = read_shard(path)
    assert shard.about["players"] == 3 and shard.about["agents"] == ["greedy", "random", "greedy"]
    for game in range(5):
        batch = Batch(GAME, 1, 3, seed=[mix(7, DATASET, game)], reward="points", autoreset=False)
        batch.reset()
        gained, step = np.zeros(3), 0
        earned: list[tuple[int, int, float]] = []
        while not batch.games["over"][0]:
            rows = batch.rows()
            choices = {"greedy": batch.sample("greedy")[0], "random": batch.sample("random")[0]}
            actions = np.zeros((1, 3), np.int64)
            for row, seat in enumerate(rows.seat.tolist()):
                here = np.flatnonzero((shard.game == game) & (shard.seat == seat) & (shard.step == step))
                assert len(here) == 1
                at = int(here[0])
                agent = shard.about["agents"][shard.agent[at]]
                assert shard.agent[at] == (seat - game) % 3
                actions[0, seat] = choices[agent][seat]
                assert shard.action[at] == actions[0, seat]
                assert shard.observations[at] == pytest.approx(rows.observations[row], abs=1e-6)
                assert (shard.masks[at] == rows.masks[row]).all()
                earned.append((at, seat, gained[seat]))
            gained += batch.step(actions).rewards[0]
            step += 1
        for at, seat, before in earned:
            assert shard.returns[at] == pytest.approx(gained[seat] - before)
    ends = shard.episodes
    assert len(ends) == 16 and ends[-1] == len(shard)
    for start, stop in itertools.pairwise(ends.tolist()):
        assert (np.diff(shard.step[start:stop].astype(int)) > 0).all()
        assert shard.reward[start:stop].sum() == pytest.approx(shard.returns[start])


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in shards_in(folder)}


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "SHARD_BYTES", 1 << 20)
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    write_dataset(GAME, ["random"], 20, whole, players=2, seed=1)
    assert len(shards_in(whole)) >= 3

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(GAME, ["random"], 20, halves, players=2, seed=1, told=stop)
    shards_in(halves)[0].with_name("shard_00001.npz.abc.partial").write_bytes(
        b"half"
    )  # of a kill while writing
    first = digests(halves)
    assert 0 < len(first) < len(digests(whole))
    again = write_dataset(GAME, ["random"], 20, halves, players=2, seed=1)
    assert again.skipped == len(first) and again.decisions > 0
    assert digests(halves) == digests(whole)
    more = write_dataset(GAME, ["random"], 21, halves, players=2, seed=1)
    assert more.skipped >= len(digests(whole)) - 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 8}, "its seed is 7, not 8"),
        ({"reward": "win"}, "its reward is points, not win"),
        ({"agents": ["greedy"]}, "its agents is"),
    ],
)
def test_a_folder_of_another_data_set_is_refused(folder: Path, changes: dict[str, Any], words: str) -> None:
    arguments: dict[str, Any] = {
        "agents": ["greedy", "random", "greedy"],
        "players": 3,
        "reward": "points",
        "seed": 7,
    } | changes
    before = digests(folder)
    with pytest.raises(ValueError, match=words):
        write_dataset(GAME, games=5, folder=folder, **arguments)
    assert digests(folder) == before


def test_agents_in_python_are_asked(tmp_path: Path) -> None:
    def last_legal(observations: Any, masks: Any) -> Any:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    write_dataset(GAME, [last_legal], 2, tmp_path, players=2)
    shard = read_shard(shards_in(tmp_path)[0])
    assert (shard.action == [np.flatnonzero(mask)[-1] for mask in shard.masks]).all()
    assert shard.about["agents"] == ["last_legal"]
    with pytest.raises(ValueError, match="2 agents for 3 seats"):
        write_dataset(GAME, ["random", "random"], 2, tmp_path, players=3)


def _changed(path: Path, **changes: Any) -> bytes:
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    about = json.loads(arrays["about"].tobytes())
    notes = {name.removesuffix("_name"): changes.pop(name) for name in list(changes) if name not in arrays}
    arrays |= {"about": np.frombuffer(json.dumps(about | notes).encode(), np.uint8)} | changes
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def test_shards_of_strangers_are_read_safely(folder: Path, tmp_path: Path) -> None:
    (good,) = shards_in(folder)
    shard, bad = read_shard(good), tmp_path / "bad.npz"
    forged: list[tuple[dict[str, Any], str]] = [
        ({"format": 99}, "reads shards of format"),
        ({"game_name": "evil:GAME"}, "not installed"),
        ({"agents": "greedy"}, "no list of names"),
        ({"action": shard.action[:-1]}, "instead of"),
        ({"action": np.full_like(shard.action, 999)}, "there are 81"),
        ({"action": np.zeros_like(shard.action)}, "mask does not allow"),
        ({"agent": np.full_like(shard.agent, 3)}, "agent has 3, and there are 3"),
        ({"observation": np.array([{}], object)}, "Object arrays"),
        ({"observation": shard.observations}, "observation is float32"),
        ({"format": 1}, "observation is uint8"),
    ]
    for changes, words in forged:
        bad.write_bytes(_changed(good, **changes))
        with pytest.raises(ValueError, match=words):
            read_shard(bad)
    bad.write_bytes(good.read_bytes()[:-200])
    with pytest.raises(ValueError, match="damaged or no shard"):
        read_about(bad)
    bad.write_bytes(pickle.dumps([1]))
    with pytest.raises(ValueError, match="damaged or no shard"):
        read_shard(bad)
    with zipfile.ZipFile(good) as archive:
        assert archive.testzip() is None
    with pytest.raises(FileNotFoundError, match="holds no data set"):
        shards_in(tmp_path / "nowhere")


def test_a_game_that_is_not_installed_is_given(tmp_path: Path) -> None:
    write_dataset(TOY, ["random"], 3, tmp_path)
    (path,) = shards_in(tmp_path)
    with pytest.raises(ValueError, match="not installed"):
        read_shard(path)
    shard = read_shard(path, TOY)
    assert shard.game_played is TOY and shard.observation.dtype == np.float16  # it has no bytes


def test_shards_of_format_1_are_read(tmp_path: Path) -> None:
    old = read_shard(FORMAT_1)
    write_dataset(GAME, old.about["agents"], 1, tmp_path, players=2, seed=old.about["seed"])
    new = read_shard(shards_in(tmp_path)[0])
    assert old.observation.dtype == np.float16 and new.observation.dtype == np.uint8
    assert (old.action == new.action).all() and (old.masks == new.masks).all()
    assert old.observations == pytest.approx(new.observations, rel=1e-3)


def test_torch_reads_everything_once(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra train")
    from torch.utils.data import DataLoader

    from antiquity.study.torch_data import ShardDataset, ShardStream

    monkeypatch.setattr(writing, "SHARD_BYTES", 1 << 20)
    write_dataset(GAME, ["random"], 20, tmp_path, players=2)
    shards = [read_shard(path) for path in shards_in(tmp_path)]
    expected = np.concatenate([shard.action for shard in shards])
    random_access = ShardDataset(tmp_path)
    assert len(random_access) == len(expected)
    for number in (0, len(shards[0]) - 1, len(shards[0]), -1):
        assert random_access[number]["action"] == expected[number]
    row = pickle.loads(pickle.dumps(random_access))[3]
    assert row["observation"].dtype == torch.float32 and row["mask"].dtype == torch.bool
    assert row["mask"].shape == (GAME.num_actions,) and row["mask"][row["action"]]

    def keys(stream: Any, **arguments: Any) -> list[tuple[int, ...]]:
        batches = list(DataLoader(stream, batch_size=None, **arguments))
        assert all(
            batch["mask"][torch.arange(len(batch["action"])), batch["action"]].all() for batch in batches
        )
        names = ("game", "seat", "step")
        return [
            key for batch in batches for key in zip(*(batch[name].tolist() for name in names), strict=True)
        ]

    in_order = keys(ShardStream(tmp_path, 100, shuffle=False))
    assert in_order == sorted(in_order) and len(in_order) == len(expected)
    shuffled = ShardStream(tmp_path, 100)
    once, twice = keys(shuffled), keys(shuffled)
    assert once != twice and sorted(once) == sorted(twice) == in_order
    assert keys(ShardStream(tmp_path, 100)) == once
    assert sorted(keys(ShardStream(tmp_path, 100), num_workers=2)) == in_order
    halves = [keys(ShardStream(tmp_path, 100, part=(part, 2))) for part in (0, 1)]
    assert sorted(halves[0] + halves[1]) == in_order


def test_minari(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("minari", reason="needs the extra minari")
    pytest.importorskip("h5py", reason="needs the extra minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    from antiquity.study.minari_data import to_minari

    made = to_minari(folder, "antiquity/dice-test-v0")
    shard = read_shard(shards_in(folder)[0])
    assert made.total_steps == len(shard) and made.total_episodes == 15
    episode = next(iter(made.iterate_episodes([0])))
    stop = int(shard.episodes[1])
    assert (episode.actions == shard.action[:stop]).all()
    assert episode.rewards.sum() == pytest.approx(shard.returns[0])
    assert (episode.infos["action_mask"][:stop] == shard.masks[:stop]).all()
