"""Ctrl-C at any line of a step: the batch stands before the step or after it, and goes on from there."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from toy_game import GAME

Act = Callable[[Batch], object]


def interrupted(act: Act, batch: Batch, line: int) -> bool:
    """Do it with a SIGINT at so many lines of the batch's code; whether it came to that."""
    left = line
    hit = False

    def trace(frame: Any, event: str, argument: object) -> Any:
        nonlocal left, hit
        if "/antiquity/batch/" not in frame.f_code.co_filename:
            return None
        if event == "line" and not hit:
            left -= 1
            if left == 0:
                hit = True
                signal.raise_signal(signal.SIGINT)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act(batch)
    except KeyboardInterrupt:
        assert hit
    else:
        assert not hit, "the interruption was lost"
    finally:
        sys.settrace(before)
    return hit


def shown(batch: Batch) -> list[np.ndarray]:
    """What follows from the games as they stand."""
    lists = [batch.legal_actions(i, s) for i in range(batch.num_games) for s in range(batch.num_seats)]
    return [batch.observations, batch.masks, *lists, np.array([batch.deciders(i) for i in range(1)])]


def rows(batch: Batch) -> object:
    return batch.step_rows(batch.sample_rows())


def resolve(batch: Batch) -> None:
    for seat in batch.missing(0):
        batch.commit(0, seat, int(batch.legal_actions(0, seat)[0]))
    batch.resolve(0)


ACTS: dict[str, Act] = {
    "step": lambda batch: batch.step(batch.sample()),
    "step_rows": rows,
    "resolve": resolve,
    "determinize": lambda batch: batch.determinize(0, 1, 5),
}


def settings() -> Iterator[dict[str, Any]]:
    for games in (
        2,
        30,
    ):  # with more games than there is room for ended ones at first, a step is several calls
        for copy in (True, False):
            yield {"num_games": games, "copy": copy}
    yield {"num_games": 30, "copy": True, "threads": 3}


@pytest.fixture(autouse=True)
def usual_handler() -> Iterator[None]:
    known = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, known)


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("how", list(settings()), ids=str)
def test_before_or_after(name: str, how: dict[str, Any]) -> None:
    act = ACTS[name]
    start = Batch(GAME, seed=3, num_players=3, reward="points", **how)
    start.reset()
    for _ in range(5):  # many games end in the next step
        start.step(start.sample())
    after = start.clone()
    act(after)
    after.refresh()
    records = {each.games.tobytes(): each for each in (start, after)}
    found = []
    line = 1
    while True:
        batch = start.clone()
        if not interrupted(act, batch, line):
            break
        batch.games["chosen"] = 0  # what was committed before the interruption is no step
        assert batch.games.tobytes() in records, f"line {line}: neither before nor after"
        twin = records[batch.games.tobytes()]
        found.append(twin is after)
        if name != "step_rows":
            for one, two in zip(shown(batch), shown(twin), strict=True):
                assert np.array_equal(one, two), f"line {line}"
        if twin is after and name == "step":
            assert np.array_equal(batch.rewards, after.rewards), f"line {line}"
            assert np.array_equal(batch.terminated, after.terminated), f"line {line}"
            assert batch.ended.index.tolist() == np.flatnonzero(batch.terminated).tolist()
        twin = twin.clone()
        for _ in range(3):
            actions = batch.sample()
            assert np.array_equal(actions, twin.sample())
            batch.step(actions.copy())
            twin.step(twin.sample())
        assert batch.games.tobytes() == twin.games.tobytes()
        line += 1
    assert line > 10 and True in found and False in found
