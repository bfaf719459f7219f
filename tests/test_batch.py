"""Batches: the same games however they are cut, what ended, decision rows, sampling and rollouts."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import toy_game
from antiquity import Batch
from antiquity.game import flow, random
from antiquity.kernels import ENABLED
from toy_game import GAME

STEPS = 14  # two to four games in every slot


def record(batch: Batch, steps: int = STEPS) -> dict[str, np.ndarray[Any, Any]]:
    """Everything that a batch gives in so many steps of its own samples, stacked by step."""
    observations, masks = batch.reset()
    found: dict[str, list[Any]] = {"observations": [observations.copy()], "masks": [masks.copy()]}
    for _ in range(steps):
        actions = batch.sample()
        step = batch.step(actions)
        for name, value in [*step._asdict().items(), ("actions", actions), ("games", batch.games)]:
            found.setdefault(name, []).append(value.copy())
    return {name: np.stack(values) for name, values in found.items()}


def assert_same(found: dict[str, Any], expected: dict[str, Any], games: slice = slice(None)) -> None:
    assert found.keys() == expected.keys()
    for name, values in found.items():
        assert np.array_equal(values, expected[name][:, games]), name


# --- shapes ---


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("copy", [False, True])
def test_shapes_and_types(memory: bool, copy: bool) -> None:
    batch = Batch(GAME, 5, 3, seed=1, memory=memory, copy=copy)
    size = GAME.layout.size + memory * GAME.memory_layout.size
    assert batch.observation_size == batch.layout.size == size
    observations, masks = batch.reset()
    step = batch.step(batch.sample())
    for seen in (observations, step.observations):
        assert seen.shape == (5, 3, size) and seen.dtype == np.float32
    for mask in (masks, step.masks):
        assert mask.shape == (5, 3, GAME.num_actions) and mask.dtype == np.int8
        assert set(np.unique(mask)) <= {0, 1}
    assert step.rewards.shape == (5, 3) and step.rewards.dtype == np.float32
    for done in (step.terminated, step.truncated):
        assert done.shape == (5,) and done.dtype == np.bool_
    assert batch.sample().shape == (5, 3) and batch.sample().dtype == np.int64
    assert batch.scores().shape == (5, 3, len(GAME.categories) + 2) and batch.scores().dtype == np.int32
    assert batch.ranks().shape == (5, 3)
    assert batch.state().shape == (5, GAME.state_layout.size)
    assert (batch.num_games, batch.num_seats, batch.num_actions) == (5, 3, GAME.num_actions)
    assert batch.begun and "5 games of Toy bids" in repr(batch)


def test_spaces_hold_what_is_seen_and_chosen() -> None:
    batch = Batch("seven_wonders", 3, 4, seed=0, memory=True)
    observations, masks = batch.reset()
    assert batch.observation_space.contains(observations) and batch.action_space.contains(batch.sample())
    assert batch.single_observation_space.contains(observations[2, 3])
    assert batch.single_action_space.n == masks.shape[-1]
    assert batch.action_space.shape == observations.shape[:2]


def test_masks_are_the_legal_lists() -> None:
    batch = Batch(GAME, 40, 4, seed=3)
    _, masks = batch.reset()
    out = np.zeros(GAME.max_legal, np.uint16)
    for _ in range(STEPS):
        for index in range(40):
            for seat in range(4):
                n = flow.legal(batch.games[index], batch.tables[0], seat, out)
                expected = out[:n].tolist()
                assert np.flatnonzero(masks[index, seat]).tolist() == expected
                assert batch.legal_actions(index, seat).tolist() == expected
                assert batch.legal_lists[index, seat, :n].tolist() == expected
                assert batch.legal_counts[index, seat] == n
        masks = batch.step(batch.sample()).masks


# --- the same games ---


@pytest.mark.parametrize("threads", [1, 2, 3, 50])
@pytest.mark.parametrize("copy", [False, True])
def test_threads_and_copies_change_nothing(threads: int, copy: bool) -> None:
    expected = record(Batch(GAME, 23, 4, seed=7))
    assert_same(record(Batch(GAME, 23, 4, seed=7, threads=threads, copy=copy)), expected)


@pytest.mark.parametrize("games", [1, 2, 8])
def test_the_size_of_the_batch_changes_nothing(games: int) -> None:
    expected = record(Batch(GAME, 23, 4, seed=7))
    assert_same(record(Batch(GAME, games, 4, seed=7)), expected, slice(games))


def test_seeds_follow_the_documented_formula() -> None:
    batch = Batch(GAME, 4, 2, seed=99)
    seen: list[list[int]] = [[] for _ in range(4)]
    batch.reset()
    for _ in range(3 * STEPS):
        for slot, game in enumerate(batch.games):
            if game["steps"] == 0:
                seen[slot].append(int(game["seed"]))
        batch.step(batch.sample())
    for slot, seeds in enumerate(seen):
        stream = random.mix(99, random.BATCH, slot)
        assert len(seeds) > 3
        assert seeds == [random.mix(stream, random.BATCH, number) for number in range(len(seeds))]


def test_an_array_of_seeds() -> None:
    seeds = np.array([5, 2**64 - 1, 5], np.uint64)
    batch = Batch(GAME, 3, 2, seed=seeds)
    batch.reset()
    assert batch.games["seed"].tolist() == seeds.tolist()
    assert batch.games[0].tobytes() == batch.games[2].tobytes()
    batch.reset()
    assert batch.games["seed"].tolist() == [random.mix(int(seed), random.BATCH, 1) for seed in seeds]
    batch.reset(seed=[7, 8], index=[2, 0])
    assert batch.games["seed"][[2, 0]].tolist() == [7, 8]


def test_reset_with_a_seed_begins_the_streams_anew() -> None:
    batch = Batch(GAME, 3, 2, seed=1)
    first = batch.reset()[0]
    second = batch.reset()[0]
    assert not np.array_equal(first, second)
    assert np.array_equal(batch.reset(seed=1)[0], first)
    assert np.array_equal(batch.reset()[0], second)


def test_without_a_seed_games_differ() -> None:
    one, other = Batch(GAME, 8, 4), Batch(GAME, 8, 4)
    one.reset()
    other.reset()
    assert one.seed != other.seed
    assert not np.array_equal(one.games["seed"], other.games["seed"])
    again = Batch(GAME, 8, 4, seed=one.seed)
    again.reset()
    assert again.games.tobytes() == one.games.tobytes()


def test_mixed_numbers_of_players() -> None:
    counts = [2, 4, 3, 4, 2]
    mixed = record(Batch(GAME, 5, counts, seed=7, memory=True))
    for slot, players in enumerate(counts):
        alone = record(Batch(GAME, 5, players, seed=7, memory=True))
        for name in ("rewards", "actions", "observations", "masks"):
            assert np.array_equal(mixed[name][:, slot, :players], alone[name][:, slot]), name
            absent = mixed[name][:, slot, players:]
            if name == "masks":
                assert (absent[..., 0] == 1).all() and not absent[..., 1:].any()
            else:
                assert not absent.any()
        assert np.array_equal(mixed["games"][:, slot], alone["games"][:, slot])


def digest() -> str:
    """Of all that two batches give."""
    total = hashlib.sha256()
    settings: list[dict[str, Any]] = [
        {"num_players": [2, 3, 4, 4, 3, 2], "reward": "points", "memory": True},
        {"num_players": 4, "reward": "margin", "max_cycles": 4, "on_illegal": "random", "threads": 2},
    ]
    for options in settings:
        batch = Batch(GAME, 6, seed=11, **options)
        for name, values in record(batch).items():
            total.update(name.encode() + np.ascontiguousarray(values).tobytes())
        for policy in ("random", "greedy"):
            total.update(batch.rollout(policy).tobytes())
        batch.reset()
        batch.determinize(1, 0, 2**63 + 5)
        total.update(batch.games.tobytes() + batch.state().tobytes() + batch.ranks().tobytes())
        batch.step_rows(batch.sample_rows("greedy"))
        total.update(batch.games.tobytes())
    return total.hexdigest()


@pytest.mark.skipif(not ENABLED, reason="there is nothing to compare with")
def test_uncompiled_kernels_do_the_same() -> None:
    found = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import test_batch; print(test_batch.digest())"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == digest()


# --- what ended ---


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("max_cycles", [None, 4])
def test_what_ended_is_what_the_game_alone_would_have_been(threads: int, max_cycles: int | None) -> None:
    options: dict[str, Any] = {"reward": "margin", "memory": True, "max_cycles": max_cycles}
    batch = Batch(GAME, 30, 3, seed=5, threads=threads, copy=False, **options)
    batch.reset()
    seeds, seen = batch.games["seed"].copy(), 0
    for _ in range(STEPS):
        step = batch.step(batch.sample())
        ended = batch.ended
        assert ended.index.tolist() == np.flatnonzero(step.terminated | step.truncated).tolist()
        for k, index in enumerate(ended.index):
            alone = Batch(GAME, 1, 3, seed=seeds[[index]], autoreset=False, **options)
            alone.reset()
            for _ in range(ended.lengths[k]):
                alone.step(alone.sample())
            assert (alone.terminated[0], alone.truncated[0]) == (
                step.terminated[index],
                step.truncated[index],
            )
            assert np.array_equal(ended.observations[k], alone.observations[0])
            assert np.array_equal(ended.scores[k], alone.scores()[0])
            assert np.array_equal(ended.ranks[k], alone.ranks()[0])
            assert np.array_equal(ended.rewards[k], alone.rewards[0])
            assert np.array_equal(ended.rewards[k], step.rewards[index])
            if step.terminated[index]:
                assert ended.masks[k].sum() == 3 and ended.masks[k][:, 0].all()
            else:
                bits = int(alone.games["deciders"][0])
                assert [mask[0] == 0 for mask in ended.masks[k]] == [
                    bits >> seat & 1 == 1 for seat in range(3)
                ]
            seen += 1
        begun = batch.games["steps"] == 0
        assert np.array_equal(np.flatnonzero(begun), ended.index)
        seeds = batch.games["seed"].copy()
    assert seen > 60


def test_many_games_that_end_in_one_step() -> None:
    batch = Batch(GAME, 300, 2, seed=5, max_cycles=2, threads=2)
    batch.reset()
    assert batch.ended.index.size == 0
    for number in range(1, 7):
        step = batch.step(batch.sample())
        assert batch.ended.index.tolist() == (list(range(300)) if number % 2 == 0 else [])
        assert batch.ended.observations.shape == (batch.ended.index.size, 2, batch.observation_size)
        assert step.truncated.all() == (number % 2 == 0)
    assert batch.ended is batch.ended


def test_what_ended_is_the_callers_own() -> None:
    batch = Batch(GAME, 4, 2, seed=5, max_cycles=1, copy=False)
    batch.reset()
    batch.step(batch.sample())
    ended = batch.ended
    before = ended.observations.copy()
    batch.step(batch.sample())
    assert np.array_equal(ended.observations, before)


def test_without_autoreset_games_stay_as_they_are() -> None:
    batch = Batch(GAME, 6, 2, seed=5, autoreset=False, reward="points")
    batch.reset()
    ends: set[int] = set()
    for _ in range(8):
        step = batch.step(batch.sample())
        new = set(batch.ended.index.tolist())
        assert not new & ends
        ends |= new
        assert set(np.flatnonzero(step.terminated)) == ends
        stopped = sorted(ends - new)
        assert not step.rewards[stopped].any()
        assert step.masks[stopped][..., 0].all() and step.masks[stopped].sum() == 2 * len(stopped)
    assert ends == set(range(6))
    final = batch.games.copy()
    batch.step(np.zeros((6, 2), int))
    assert batch.games.tobytes() == final.tobytes()
    with pytest.raises(ValueError, match=r"game 2, seat 1 has nothing to choose now and must send 0"):
        batch.step((np.arange(12).reshape(6, 2) == 5).astype(int))
    batch.reset(index=[1, 4])
    assert np.flatnonzero(batch.games["over"]).tolist() == [0, 2, 3, 5]
    assert not batch.terminated[[1, 4]].any() and batch.terminated[[0, 2, 3, 5]].all()
    batch.reset(index=np.array([True] * 6))
    assert not batch.games["over"].any()


# --- decision rows ---


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("copy", [False, True])
def test_rows_are_the_full_arrays_without_those_who_wait(threads: int, copy: bool) -> None:
    counts = [2, 3, 4] * 5
    full = Batch(GAME, 15, counts, seed=2, memory=True)
    rows = Batch(GAME, 15, counts, seed=2, memory=True, threads=threads, copy=copy)
    observations, masks = full.reset()
    rows.reset()
    found: Any = rows.rows()
    for _ in range(STEPS):
        game, seat = np.nonzero(masks[..., 0] == 0)
        assert np.array_equal(found.game, game) and np.array_equal(found.seat, seat)
        assert np.array_equal(found.observations, observations[game, seat])
        assert np.array_equal(found.masks, masks[game, seat])
        actions = full.sample()
        assert np.array_equal(rows.sample_rows(), actions[game, seat])
        step = full.step(actions)
        observations, masks = step.observations, step.masks
        found = rows.step_rows(actions[game, seat])
        assert np.array_equal(found.rewards, step.rewards)
        assert np.array_equal(found.terminated, step.terminated)
        assert np.array_equal(found.truncated, step.truncated)
        assert rows.games.tobytes() == full.games.tobytes()
        assert np.array_equal(rows.ended.observations, full.ended.observations)


def test_rows_and_full_arrays_may_be_mixed() -> None:
    batch = Batch(GAME, 9, 3, seed=2)
    batch.reset()
    batch.step_rows(batch.sample_rows())
    batch.step(batch.sample())
    assert len(batch.rows().game) == np.count_nonzero(batch.masks[..., 0] == 0)
    assert np.array_equal(batch.step(batch.sample()).observations[0, 0], batch.observations[0, 0])


def test_rows_of_another_number_are_refused() -> None:
    batch = Batch(GAME, 9, 3, seed=2)
    batch.reset()
    before = batch.games.tobytes()
    with pytest.raises(ValueError, match=r"actions have shape \(26,\); here they need \(27,\)"):
        batch.step_rows(batch.sample_rows()[:-1])
    with pytest.raises(
        ValueError, match=r"game 8, seat 2: action 5 \(give the prize away\) is not legal now"
    ):
        batch.step_rows(np.where(np.arange(27) == 26, 5, batch.sample_rows()))
    assert batch.games.tobytes() == before


# --- sampling and rollouts ---


def test_samples_are_uniform_over_the_legal_actions() -> None:
    batch = Batch(GAME, 60, 4, seed=8)
    batch.reset()
    batch.step(batch.sample())
    draws = 3000
    counts = np.zeros((60, 4, GAME.num_actions))
    places = np.indices((60, 4))
    for salt in range(draws):
        counts[(*places, batch.sample(salt=salt))] += 1
    assert np.array_equal(counts > 0, batch.masks == 1)
    legal = batch.masks.sum(axis=2, keepdims=True)
    expected = draws / legal
    several = legal[..., 0] > 1
    statistic = (((counts - expected) ** 2 / expected) * batch.masks).sum(axis=2)[several]
    freedom = (legal[..., 0] - 1)[several]
    assert several.sum() > 80
    assert abs(statistic.sum() - freedom.sum()) < 4 * np.sqrt(2 * freedom.sum())


def test_the_same_sample_in_the_same_position() -> None:
    batch = Batch(GAME, 20, 4, seed=8)
    batch.reset()
    assert np.array_equal(batch.sample(), batch.sample())
    assert not np.array_equal(batch.sample(), batch.sample(salt=1))


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("threads", [1, 4])
def test_rollouts_are_the_steps_of_samples(policy: str, threads: int) -> None:
    counts = [2, 3, 4, 4] * 5
    stepped = Batch(GAME, 20, counts, seed=6, autoreset=False)
    stepped.reset()
    while not stepped.games["over"].all():
        stepped.step(stepped.sample(policy))
    played = Batch(GAME, 20, counts, seed=6, threads=threads)
    totals = played.rollout(policy)
    assert totals.dtype == np.int32 and totals.shape == (20, 4)
    assert np.array_equal(totals, stepped.scores()[:, :, -2])
    assert np.array_equal(played.games, stepped.games)
    assert np.array_equal(played.scores()[:, :, -2], totals)


def test_rollouts_one_after_the_other() -> None:
    batch, expected = Batch(GAME, 10, 3, seed=6), Batch(GAME, 10, 3, seed=6)
    first, second = batch.rollout(), batch.rollout()
    assert not np.array_equal(first, second)
    expected.reset()
    expected.reset()
    assert np.array_equal(expected.rollout(), second)
    assert batch.games["over"].all()
    step = batch.step(np.zeros((10, 3), int))
    assert step.terminated.all() and not step.rewards.any() and batch.ended.index.size == 0
    batch.reset()
    assert not batch.games["over"].any()


def test_rollouts_go_on_from_where_the_games_stand() -> None:
    batch = Batch(GAME, 10, 3, seed=6, autoreset=False)
    batch.reset()
    for _ in range(3):
        batch.step(batch.sample())
    seeds, steps = batch.games["seed"].copy(), batch.games["steps"].copy()
    totals = batch.rollout()
    assert np.array_equal(batch.games["seed"], seeds)
    assert (batch.games["steps"] >= steps).all()
    assert np.array_equal(batch.rollout(), totals)  # nothing left to play


def test_the_toy_game_is_worth_testing_with() -> None:
    batch = Batch(GAME, 200, 4, seed=1)
    batch.reset()
    phases, lengths = set(), set()
    for _ in range(STEPS):
        batch.step(batch.sample())
        phases |= set(batch.games["phase"].tolist())
        lengths |= set(batch.ended.lengths.tolist())
    assert phases == {toy_game.BID, toy_game.CHOICE}
    assert lengths == {3, 4, 5, 6}
