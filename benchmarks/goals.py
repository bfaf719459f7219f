"""The goals, and whether they are reached: by the medians as measured, nothing rounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.clock import Summary
from benchmarks.measures import KINDS

Results = dict[str, Any]
Value = Callable[[str, Results], float | None]
"""The measured value for a game; None when it wasn't measured."""

HEARTS_GOALS: dict[str, tuple[tuple[str, float], ...]] = {
    "seven_wonders": (
        ("rollout_random", 44.0),
        ("step_fresh", 9.5),
        ("rows_fresh", 10.0),
        ("step_bytes", 15.0),
        ("rows_bytes", 15.0),
        ("parallel", 1.5),
        ("aec", 0.8),
        ("sb3_seats", 6.5),
        ("sb3_bytes", 9.0),
    )
}
"""By game: kinds and how many times the yardstick they should reach, at the default number of players and rules."""

WITHIN = 1.25
"""Fastest over slowest of what is called flat."""


@dataclass(frozen=True)
class Goal:
    """One line of the table of goals."""

    what: str
    bound: float
    at_least: bool
    unit: str
    value: Value

    def judge(self, game: str, results: Results) -> dict[str, Any]:
        """For JSON: ``reached`` is None when the value wasn't measured."""
        value = self.value(game, results)
        reached = None
        if value is not None:
            reached = value >= self.bound if self.at_least else value <= self.bound
        return {
            "game": game,
            "goal": self.what,
            "at_least": self.at_least,
            "bound": self.bound,
            "unit": self.unit,
            "value": value,
            "reached": reached,
        }


def lines(results: Results, game: str, group: str, kind: str) -> list[dict[str, Any]]:
    """The measured lines of a game by the rules' defaults."""
    return [
        line
        for line in results["measures"]
        if (line["game"], line["group"], line["kind"], line["options"]) == (game, group, kind, {})
    ]


def _ratio(kind: str) -> Value:
    def value(game: str, results: Results) -> float | None:
        players = next(each["default_players"] for each in results["games"] if each["game"] == game)
        for line in lines(results, game, "players", kind):
            if line["players"] == players and line["ratio"] is not None:
                return float(line["ratio"]["median"])
        return None

    return value


def _speedup(kind: str) -> Value:
    def value(game: str, results: Results) -> float | None:
        for line in lines(results, game, "threads", kind):
            if line["threads"] == 2:
                return float(line["speedup"]["median"])
        return None

    return value


def spread(found: Sequence[dict[str, Any]]) -> float | None:
    """Fastest over slowest, in ratios to the yardstick where there are any; None for fewer than two."""
    if len(found) < 2:
        return None
    with_ratio = all(line["ratio"] is not None for line in found)
    speeds = [(line["ratio"] if with_ratio else line["decisions_per_second"])["median"] for line in found]
    return float(max(speeds) / min(speeds))


def _flat_over_sizes(kind: str, most: int) -> Value:
    """Over batches of up to so many games; None unless the largest of them was measured."""

    def value(game: str, results: Results) -> float | None:
        found = [line for line in lines(results, game, "sizes", kind) if line["games"] <= most]
        return spread(found) if any(line["games"] == most for line in found) else None

    return value


def _flat_over_players(kind: str) -> Value:
    def value(game: str, results: Results) -> float | None:
        return spread(lines(results, game, "players", kind))

    return value


def _record(game: str, results: Results) -> float | None:
    return next((float(each["record"]) for each in results["memory"] if each["game"] == game), None)


def _cold(game: str, results: Results) -> float | None:
    return next((float(each["cold"]["seconds"]) for each in results["starts"] if each["game"] == game), None)


def _warm(game: str, results: Results) -> float | None:
    for each in results["starts"]:
        if each["game"] == game:
            return Summary.of([start["seconds"] for start in each["warm"]]).median
    return None


def of(game: str) -> list[Goal]:
    """The goals of a game."""
    found = [
        Goal(KINDS[kind].title, bound, True, "x hearts", _ratio(kind))
        for kind, bound in HEARTS_GOALS.get(game, ())
    ]
    for kind in ("step", "rollout_random"):
        found.append(Goal(f"{KINDS[kind].title}: two threads", 1.7, True, "x one", _speedup(kind)))
    rollouts, step, flat = KINDS["rollout_random"].title, KINDS["step"].title, "fastest / slowest"
    found += [
        Goal(f"{rollouts}: to 65,536 games", WITHIN, False, flat, _flat_over_sizes("rollout_random", 65536)),
        Goal(f"{rollouts}: all player counts", WITHIN, False, flat, _flat_over_players("rollout_random")),
        Goal(f"{step}: to 8,192 games", WITHIN, False, flat, _flat_over_sizes("step", 8192)),
        Goal(f"{step}: to 65,536 games", 2.0, False, flat, _flat_over_sizes("step", 65536)),
        Goal("the record of one game", 2000, False, "bytes", _record),
        Goal("cold first step of one game", 15.0, False, "s", _cold),
        Goal("warm start, import to first step", 1.0, False, "s", _warm),
    ]
    return found


def judge(game: str, results: Results) -> list[dict[str, Any]]:
    """The table of goals of a game, for JSON."""
    return [goal.judge(game, results) for goal in of(game)]
