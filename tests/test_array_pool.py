"""Arrays that are written again once nobody holds them: never while anybody does, and whatever was left in them."""

from __future__ import annotations

import copy
import pickle
import weakref
from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from antiquity.batch.pool import KEPT, ArrayPool
from antiquity.game import Game
from env_games import both_games


def test_an_array_comes_back_when_nobody_holds_it() -> None:
    spare = ArrayPool((2, 3), np.float32)
    first = spare.take()
    assert first.shape == (2, 3) and first.dtype == np.float32 and not first.any()
    second = spare.take()
    assert second is not first
    place = id(first)
    view: Any = first.reshape(-1)[2:]
    del first
    assert id(spare.take()) != place
    memory = memoryview(view)
    del view
    assert id(spare.take()) != place
    del memory
    assert id(spare.take()) == place


def test_tensors_hold_their_array() -> None:
    torch = pytest.importorskip("torch")
    spare = ArrayPool((8,), np.float32)
    tensor = torch.as_tensor(spare.take())
    tensor[:] = 7
    assert not any(spare.take() is spare.take() for _ in range(4))
    assert (tensor == 7).all()


def test_a_copy_remembers_none() -> None:
    spare = ArrayPool((8,), np.int8)
    held = spare.take()
    for again in (copy.deepcopy(spare), pickle.loads(pickle.dumps(spare))):
        other = again.take()
        assert other is not held and other.shape == (8,) and not other.any()
    assert len(pickle.dumps(ArrayPool((1_000_000,), np.int8))) < 1000
    assert len(pickle.dumps(spare)) < 1000


def test_few_arrays_are_remembered() -> None:
    spare = ArrayPool((8,), np.int8)
    held = [spare.take() for _ in range(KEPT + 2)]
    gone = [weakref.ref(each) for each in held]
    held.clear()
    assert [reference() is not None for reference in gone] == [False] * 2 + [True] * KEPT


@both_games
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_left_in_an_array_does_not_matter(game: Game, threads: int) -> None:
    counts = [game.min_players, game.max_players] * 2
    clean = Batch(game, 4, counts, seed=2, memory=True, copy=False)
    spoiled, rows = (Batch(game, 4, counts, seed=2, memory=True, threads=threads) for _ in range(2))
    places = set()
    for batch in (clean, spoiled, rows):
        batch.reset()
    shown: Any = rows.rows()
    rng = np.random.default_rng(0)
    for _ in range(60):
        places.add(spoiled.observations.__array_interface__["data"][0])
        assert np.array_equal(spoiled.observations, clean.observations)
        assert np.array_equal(spoiled.masks, clean.masks)
        assert np.array_equal(shown.observations, clean.observations[shown.game, shown.seat])
        assert np.array_equal(shown.masks, clean.masks[shown.game, shown.seat])
        actions = clean.sample()
        for array in (spoiled.observations, spoiled.masks, shown.observations, shown.masks):
            array[:] = rng.choice([0, 77], array.shape)  # flags of what stands elsewhere among them
        clean.step(actions)
        spoiled.step(actions)
        shown = rows.step_rows(actions[shown.game, shown.seat])
    assert len(places) <= KEPT  # so the spoiled ones have come back


def test_what_is_held_is_never_written() -> None:
    batch = Batch("seven_wonders", 6, 3, seed=1)
    observations, masks = batch.reset()
    kept = [(observations, observations.copy(), masks, masks.copy())]
    for number in range(40):
        step = batch.step(batch.sample()) if number % 3 else batch.step_rows(batch.sample_rows())
        row = step.observations[..., -1, :]  # a part is enough
        kept.append((row, row.copy(), step.masks, step.masks.copy()))
        del kept[: number % 4 // 3 * 2]
        for held, value, mask, mask_value in kept:
            assert np.array_equal(held, value) and np.array_equal(mask, mask_value)
