"""Whose arrays are whose; copies, files and other processes; games that are set, redrawn and looked at."""

from __future__ import annotations

import copy
import dataclasses
import json
import multiprocessing
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from antiquity.batch import files as saving
from toy_game import GAME, PLAYERS, ROUNDS


def begun(num_games: int = 6, steps: int = 4, **options: Any) -> Batch:
    """A batch in the middle of its games."""
    batch = Batch(GAME, num_games, options.pop("num_players", 3), seed=12, **options)
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def goes_on(batch: Batch, steps: int = 9) -> list[bytes]:
    """What a batch gives from here."""
    found = []
    for _ in range(steps):
        step = batch.step(batch.sample())
        found += [value.tobytes() for value in (*step, batch.games)]
    return found


# --- whose arrays ---


def test_copies_are_the_callers_own() -> None:
    batch, other = begun(), begun()
    actions = batch.sample()
    step = batch.step(actions)
    rows = batch.rows()
    kept = [value.copy() for value in (*step, *rows)]
    actions[:] = 77
    goes_on(batch)
    batch.step_rows(batch.sample_rows())
    for value, before in zip((*step, *rows), kept, strict=True):
        assert np.asarray(value).tobytes() == before.tobytes()
    other.step(other.sample())
    for value in (*step, *rows):
        value[...] = 1  # and writing to them disturbs nothing
    batch = begun()
    batch.step(batch.sample())[0][...] = 5
    assert goes_on(batch) == goes_on(other)


def test_without_copies_the_same_arrays_come_back() -> None:
    batch = begun(copy=False)
    first, second = batch.step(batch.sample()), batch.step(batch.sample())
    for name in first._fields:
        assert np.shares_memory(getattr(first, name), getattr(second, name))
    assert batch.sample() is batch.actions
    rows, again = batch.rows(), batch.step_rows(batch.sample_rows())
    assert np.shares_memory(rows.observations, again.observations)
    assert np.shares_memory(batch.reset()[0], first.observations)


def test_play_is_a_step_in_place() -> None:
    batch, other = begun(copy=False), begun()
    for _ in range(5):
        batch.sample()
        batch.play()
        step = other.step(other.sample())
        assert np.array_equal(batch.observations, step.observations)
        assert np.array_equal(batch.rewards, step.rewards)


# --- copies ---


@pytest.mark.parametrize(
    "duplicate",
    [Batch.clone, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))],
    ids=["clone", "deepcopy", "pickle"],
)
@pytest.mark.parametrize(
    "options", [{}, {"copy": False, "threads": 3, "reward": "points", "memory": True, "gift": 1}]
)
def test_a_copy_goes_on_alone(duplicate: Callable[[Batch], Batch], options: dict[str, Any]) -> None:
    batch = begun(num_players=[2, 3, 4, 4, 3, 2], max_cycles=5, **options)
    batch.commit(1, 0, int(batch.legal_actions(1, 0)[0]))
    twin = duplicate(batch)
    assert np.array_equal(twin.observations, batch.observations) and np.array_equal(twin.masks, batch.masks)
    assert np.array_equal(twin.rewards, batch.rewards) and np.array_equal(twin.terminated, batch.terminated)
    assert twin.missing(1) == batch.missing(1)
    before = batch.games.tobytes()
    found = goes_on(twin)
    assert batch.games.tobytes() == before
    assert goes_on(batch) == found
    assert batch.max_cycles == twin.max_cycles == 5 and batch.game is twin.game


def test_a_copy_of_a_batch_that_has_not_begun() -> None:
    twin = Batch(GAME, 3, seed=1).clone()
    with pytest.raises(ValueError, match="has not begun"):
        twin.step(np.zeros((3, 3), int))
    assert np.array_equal(twin.reset()[0], Batch(GAME, 3, seed=1).reset()[0])


# --- other processes ---


def in_child(batch: Batch, connection: Any) -> None:
    connection.send(goes_on(batch))
    connection.close()


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_batches_work_in_processes_that_are_forked_or_spawned(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    batch = begun(threads=3)  # its threads run, and its kernels are compiled
    context: Any = multiprocessing.get_context(method)
    mine, theirs = context.Pipe()
    child = context.Process(target=in_child, args=(batch, theirs))
    child.start()
    try:
        assert mine.poll(120), "the child does not answer"
        found = mine.recv()
    finally:
        child.join(10)
        if child.is_alive():
            child.kill()
    assert child.exitcode == 0
    assert found == goes_on(batch)


# --- files ---


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"num_players": [2, 3, 4, 2, 3, 4], "reward": "points", "memory": True, "max_cycles": 4, "bonus": 2},
        {"on_illegal": "lose", "autoreset": False, "threads": 2},
    ],
)
def test_a_saved_batch_goes_on(tmp_path: Path, options: dict[str, Any]) -> None:
    batch = begun(**options)
    path = tmp_path / "batch.npz"
    batch.save(path)
    loaded = Batch.load(path, game=GAME)
    for name in ("observations", "masks", "rewards", "terminated", "truncated", "games"):
        assert np.array_equal(getattr(loaded, name), getattr(batch, name)), name
    for name in ("reward", "memory", "max_cycles", "on_illegal", "autoreset", "game_options", "seed"):
        assert getattr(loaded, name) == getattr(batch, name), name
    batch.reset(), loaded.reset()
    if batch.autoreset:
        assert goes_on(loaded) == goes_on(batch)
    assert sorted(os.listdir(tmp_path)) == ["batch.npz"]


def test_a_batch_that_has_not_begun_is_saved_too(tmp_path: Path) -> None:
    seeds = [1, 2, 2**64 - 1]
    Batch(GAME, 3, seed=np.array(seeds, np.uint64)).save(tmp_path / "b")
    loaded = Batch.load(tmp_path / "b", game=GAME)
    assert not loaded.begun
    loaded.reset()
    assert loaded.games["seed"].tolist() == seeds


def test_files_hold_no_pickles_and_are_read_without(tmp_path: Path) -> None:
    path = tmp_path / "batch.npz"
    begun().save(path)
    with np.load(path, allow_pickle=False) as archive:
        arrays = dict(archive)
    arrays["games"] = np.array([{"a": "pickle"}], dtype=object)
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match="damaged or no saved batch: Object arrays cannot be loaded"):
        Batch.load(path, game=GAME)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "batch.npz"
    begun().save(path)
    whole = path.read_bytes()
    for damaged in (
        whole[:-50],
        whole[: len(whole) // 2],
        b"",
        b"no archive",
        whole[:200] + b"xxxx" + whole[204:],
    ):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="is damaged or no saved batch"):
            Batch.load(path, game=GAME)
    np.save(path.with_suffix(".npy"), np.zeros(3))
    with pytest.raises(ValueError, match="is damaged or no saved batch"):
        Batch.load(path.with_suffix(".npy"), game=GAME)
    with pytest.raises(FileNotFoundError):
        Batch.load(tmp_path / "nothing", game=GAME)


def change(path: Path, **arrays: Any) -> None:
    with np.load(path) as archive:
        kept = dict(archive)
    np.savez(path, **kept | arrays)


def test_files_of_other_games_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "batch.npz"
    batch = begun(gift=3)
    batch.save(path)
    for other in (dataclasses.replace(GAME, version=2), dataclasses.replace(GAME, name="other")):
        with pytest.raises(ValueError, match="has games of toy version 1; this is"):
            Batch.load(path, game=other)
    changed = batch.tables.copy()
    changed["gift"] = 4
    change(path, tables=changed)
    with pytest.raises(ValueError, match=r"the printed game \(gift\) has changed since it was saved"):
        Batch.load(path, game=GAME)
    wider = np.dtype([*((name, GAME.dtype[name]) for name in GAME.dtype.names or ()), ("more", "u8")])
    change(path, games=np.zeros(6, wider))
    with pytest.raises(ValueError, match="the records are not those of Toy bids as it is here"):
        Batch.load(path, game=GAME)


def test_files_of_an_earlier_version_are_read(tmp_path: Path) -> None:
    path = tmp_path / "batch.npz"
    batch = begun(gift=3)
    batch.save(path)
    newer = dataclasses.replace(GAME, version=2, earlier={1: (GAME.num_actions, GAME.layout.size)})
    again = Batch.load(path, game=newer)
    assert again.game is newer and again.games.tobytes() == batch.games.tobytes()
    again.save(path)  # as a file of today's version
    with pytest.raises(ValueError, match="has games of toy version 2; this is toy version 1"):
        Batch.load(path, game=GAME)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("num_players", 9),
        ("num_players", 2),
        ("over", 1),
        ("deciders", 0),
        ("deciders", 8),
        ("forfeits", 16),
        ("chosen", 6),
    ],
)
def test_records_that_cannot_be_are_refused(tmp_path: Path, field: str, value: int) -> None:
    path = tmp_path / "batch.npz"
    batch = begun()
    assert not batch.games["over"].any()
    batch.save(path)
    games = batch.games.copy()
    games[field][2] = value
    change(path, games=games)
    with pytest.raises(ValueError, match=r"record 2 is no game of Toy bids|different numbers of players"):
        Batch.load(path, game=GAME)
    if field != "num_players":
        with pytest.raises(ValueError, match="record 2 is no game"):
            batch.set_games(games)


def test_an_older_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "batch.npz"
    begun().save(path)
    with np.load(path) as archive:
        about = json.loads(archive["about"].tobytes())
    about["format"] = saving.FORMAT + 1
    change(path, about=np.frombuffer(json.dumps(about).encode(), np.uint8))
    with pytest.raises(ValueError, match="format 2, and this Antiquity reads 1"):
        Batch.load(path, game=GAME)


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "batch.npz"
    begun().save(path)
    before = path.read_bytes()

    def fail(file: Any, **_arrays: Any) -> None:
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OSError, match="disk full"):
        begun().save(path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["batch.npz"]


# --- setting, redrawing, looking ---


def test_going_on_from_given_records() -> None:
    batch = begun(reward="points", num_players=[2, 3, 4, 2, 3, 4])
    other = Batch(GAME, 6, [4, 3, 2, 3, 3, 3], seed=1, reward="points")
    observations, masks = other.set_games(batch.games)
    assert np.array_equal(observations, batch.observations) and np.array_equal(masks, batch.masks)
    one, two = batch.step(batch.sample()), other.step(other.sample())
    assert np.array_equal(one.rewards, two.rewards)
    assert other.player_counts.tolist() == [2, 3, 4, 2, 3, 4]
    with pytest.raises(ValueError, match="there are records of 2 players; this batch was made for 4"):
        Batch(GAME, 6, 4).set_games(batch.games)
    with pytest.raises(ValueError, match="expected 6 records of Toy bids"):
        other.set_games(batch.games[:5])
    with pytest.raises(ValueError, match="expected 6 records"):
        other.set_games(np.zeros((6, 64), np.uint8))


def test_changing_records_by_hand() -> None:
    batch = begun(steps=0)
    batch.games["hands"][0, 0] = [0, 0, 3]
    observations, masks = batch.refresh()
    assert np.flatnonzero(masks[0, 0]).tolist() == [3]
    assert observations[0, 0][GAME.layout.slice("hand")].tolist() == [0, 0, 1]
    batch.step(batch.sample())


def test_redrawn_worlds_agree_with_what_the_seat_has_seen() -> None:
    batch = begun(num_players=4, memory=True, steps=2)
    index = int(np.flatnonzero(batch.games["phase"] == 0)[0])
    before, view, mask = batch.games.copy(), batch.observations.copy(), batch.masks.copy()
    seat = 2
    own = int(batch.legal_actions(index, seat)[0])
    batch.commit(index, seat, own)
    batch.commit(index, 0, int(batch.legal_actions(index, 0)[0]))
    hands = set()
    for seed in (0, 1, 2, 2**64 - 1):
        batch.determinize(index, seat, seed)
        game = batch.games[index]
        assert np.array_equal(game["hands"][seat], before["hands"][index, seat])
        assert np.array_equal(game["hands"].sum(axis=1), before["hands"][index].sum(axis=1))
        assert np.array_equal(batch.observations[index, seat], view[index, seat])
        assert np.array_equal(batch.masks[index, seat], mask[index, seat])
        assert game["seed"] != before["seed"][index]
        assert game["chosen"].tolist() == [0, 0, own, 0]  # others' choices are unknown, and to be made again
        hands.add(game["hands"].tobytes())
        others = np.arange(6) != index
        assert batch.games[others].tobytes() == before[others].tobytes()
    assert len(hands) > 1
    assert len(batch.rows().game) == np.count_nonzero(batch.masks[..., 0] == 0)
    for wrong in ((6, 0, 1), (0, 4, 1), (0, 0, -1)):
        with pytest.raises(ValueError, match="must be from 0 to"):
            batch.determinize(*wrong)


def test_words_and_pictures() -> None:
    batch = begun()
    assert batch.describe(0, 1, 3) == "bid 3"
    assert batch.render(2).startswith("round")
    assert batch.render(2, seat=1) == batch.render(2)
    state = batch.state()
    assert np.array_equal(state[:, : 3 * 3], batch.games["hands"][:, :3].reshape(6, -1))
    assert not state[:, 3 * 3 :].any() and state.shape == (6, PLAYERS * ROUNDS)
    for call in (
        lambda: batch.describe(0, 3, 1),
        lambda: batch.render(0, seat=3),
        lambda: batch.legal_actions(6, 0),
    ):
        with pytest.raises(ValueError, match="must be from 0 to"):
            call()


# --- arguments ---


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"num_games": 0}, ValueError, "num_games is 0; it must be 1 or more"),
        ({"num_games": 2.0}, TypeError, r"num_games must be an int, not 2.0 \(float\)"),
        ({"threads": 0}, ValueError, "threads is 0"),
        ({"num_players": 5}, ValueError, "Toy bids is for 2 to 4 players, not 5"),
        ({"num_players": [2, 3]}, ValueError, "give one number, or one for each of 1 games"),
        ({"num_players": 2.5}, TypeError, "num_players must be an int"),
        ({"num_players": True}, TypeError, "num_players must be an int"),
        ({"seed": -1}, ValueError, "seed is -1; it must be from 0 to"),
        ({"seed": 2**64}, ValueError, "seed is 18446744073709551616"),
        ({"seed": 1.5}, TypeError, "seed must be an int"),
        ({"seed": [1, 2]}, ValueError, "one seed for each of 1 games"),
        ({"seed": [1.5]}, TypeError, "seed must be an int"),
        ({"seed": np.array([1.5])}, TypeError, "seeds must be ints, not float64"),
        ({"seed": [-1]}, ValueError, "seed is -1"),
        (
            {"reward": "score"},
            ValueError,
            "reward is 'score'; it must be one of 'win', 'rank', 'margin', 'points'",
        ),
        ({"on_illegal": "ignore"}, ValueError, "on_illegal is 'ignore'"),
        ({"max_cycles": 0}, ValueError, "max_cycles is 0"),
        (
            {"gifts": 1},
            TypeError,
            "unexpected keyword argument 'gifts'; did you mean 'gift'.*Toy bids are: bonus, gift.*num_players",
        ),
        ({"gift": 9}, ValueError, "gift is 9; it must lie from 0 to 4"),
    ],
)
def test_arguments_that_cannot_be_used(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Batch(GAME, **arguments)


def test_numpy_numbers_are_numbers() -> None:
    numbers: Any = np.array([2, 3, 7, 1, 9], np.uint8)
    batch = Batch(GAME, numbers[0], numbers[1], seed=numbers[2], threads=numbers[3], max_cycles=numbers[4])
    assert (batch.num_games, batch.num_seats, batch.seed, batch.max_cycles) == (2, 3, 7, 9)


def test_tables_must_serve_all_numbers_of_players() -> None:
    def setup(num_players: int, **options: Any) -> Any:
        tables, chosen = GAME.setup(num_players, **options)
        tables["gift"] = num_players
        return tables, chosen

    game = dataclasses.replace(GAME, setup=setup)
    Batch(game, 2, 3)
    with pytest.raises(ValueError, match="games of 3 players need tables of their own"):
        Batch(game, 2, [2, 3])


def test_nothing_goes_before_the_first_reset() -> None:
    batch = Batch(GAME, 2, 3)
    actions = np.zeros((2, 3), int)
    for call in (
        lambda: batch.step(actions),
        batch.play,
        batch.sample,
        batch.rows,
        batch.sample_rows,
        batch.scores,
        batch.ranks,
        batch.state,
        batch.render,
        batch.refresh,
        lambda: batch.step_rows([]),
        lambda: batch.legal_actions(0, 0),
        batch.deciders,
        batch.missing,
        lambda: batch.describe(0, 0, 0),
        lambda: batch.price(0, 0, 0),
        lambda: batch.why_not(0, 0, 0),
        lambda: batch.determinize(0, 0, 1),
        lambda: batch.reset(index=[0]),
    ):
        with pytest.raises(ValueError, match=r"this batch has not begun: call reset\(\) first"):
            call()
    assert not batch.begun


def test_which_slots_to_reset() -> None:
    batch = begun()
    before = batch.games.copy()
    batch.reset(index=[])
    assert batch.games.tobytes() == before.tobytes()
    batch.reset(index=3)
    assert np.flatnonzero(batch.games["seed"] != before["seed"]).tolist() == [3]
    for wrong, error in (([6], ValueError), ([-1], ValueError), ([True], ValueError), ([0.5], TypeError)):
        with pytest.raises(error, match="index"):
            batch.reset(index=wrong)


def test_unknown_policies() -> None:
    batch = begun()
    for call in (batch.sample, batch.sample_rows, batch.rollout):
        with pytest.raises(ValueError, match="policy is 'best'; it must be one of 'random', 'greedy'"):
            call("best")
    with pytest.raises(ValueError, match="salt is -1"):
        batch.sample(salt=-1)
