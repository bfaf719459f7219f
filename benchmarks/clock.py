"""Measuring a task in short repetitions, in turn with others and with a yardstick."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

Clock = Callable[[], float]

CLOCKS: dict[str, Clock] = {"cpu": time.process_time, "wall": time.perf_counter}
"""``"cpu"``: CPU-seconds of the process, all threads together. ``"wall"``: seconds."""


class Count(NamedTuple):
    """What a task has done."""

    decisions: float
    games: float


Task = Callable[[int], Count]
"""Does so many units of its work."""


class Sample(NamedTuple):
    """One repetition."""

    seconds: float
    decisions: float
    games: float

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds


class Summary(NamedTuple):
    """Some values: their median and quartiles."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Summary:
        """ValueError when there are none."""
        if not values:
            raise ValueError("no values to summarise")
        low, median, high = np.percentile(np.asarray(values, np.float64), [25, 50, 75])
        return cls(float(median), float(low), float(high))


@dataclass
class Series:
    """All repetitions of one task."""

    samples: list[Sample] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    """Rate over that of the yardstick just before and after, one a sample; empty without a yardstick."""

    @property
    def decisions(self) -> Summary:
        """Decisions a second."""
        return Summary.of([each.rate for each in self.samples])

    @property
    def games(self) -> Summary:
        """Games a second."""
        return Summary.of([each.games / each.seconds for each in self.samples])


def sample(task: Task, units: int, clock: Clock) -> Sample:
    """One repetition of so many units."""
    started = clock()
    count = task(units)
    return Sample(max(clock() - started, 1e-9), *count)


def calibrate(task: Task, seconds: float, clock: Clock) -> int:
    """How many units take about so long, at least 1.

    A first unit, which may compile kernels and touch memory for the first time, isn't counted.
    """
    task(1)
    units = 1
    while True:
        taken = sample(task, units, clock).seconds
        wanted = units * seconds / taken
        if taken >= seconds / 3 or wanted <= 1:
            return max(1, round(wanted))
        units = max(2 * units, min(16 * units, int(wanted)))


def interleave(
    tasks: Sequence[Task],
    repetitions: int,
    seconds: float,
    *,
    yardstick: Task | None = None,
    clock: Clock = time.process_time,
) -> list[Series]:
    """Measure tasks in turn, every other round backwards, each between two runs of the yardstick.

    Args:
        repetitions: of each task, 1 or more.
        seconds: how long a repetition takes, about; the yardstick takes a third of that.
    """
    units = [calibrate(task, seconds, clock) for task in tasks]
    paces: list[float] = []
    order: list[int] = []
    found = [Series() for _ in tasks]
    yardstick_units = calibrate(yardstick, seconds / 3, clock) if yardstick else 0
    gc.collect()
    for repetition in range(repetitions):
        turn = range(len(tasks)) if repetition % 2 == 0 else reversed(range(len(tasks)))
        for number in turn:
            if yardstick:
                paces.append(sample(yardstick, yardstick_units, clock).rate)
            found[number].samples.append(sample(tasks[number], units[number], clock))
            order.append(number)
    if yardstick:
        paces.append(sample(yardstick, yardstick_units, clock).rate)
        for place, number in enumerate(order):
            done = found[number]
            done.ratios.append(done.samples[len(done.ratios)].rate * 2 / (paces[place] + paces[place + 1]))
    return found
