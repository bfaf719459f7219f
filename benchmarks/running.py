"""A whole run: every group of every game, and everything beside them, as one nest of plain values for JSON."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

from antiquity import make_game
from benchmarks import machine, measures, plan, starts, yardsticks
from benchmarks.clock import CLOCKS, Series, Summary, Task, interleave
from benchmarks.goals import judge

SCHEMA = 1
"""Raised when the meaning of the JSON changes."""

Say = Callable[[str], None]


def summary(values: Summary, factor: float = 1.0) -> dict[str, float]:
    """For JSON, all three times `factor`."""
    return {name: value * factor for name, value in values._asdict().items()}


def run(
    games: Sequence[str], effort: plan.Effort, *, with_starts: bool = True, say: Say = lambda _line: None
) -> dict[str, Any]:
    """Measure everything.

    Args:
        games: names.
        with_starts: also a cold start of each game, which compiles all its kernels.
        say: told what is being done, a line at a time.

    Returns:
        What goes to the JSON file: ``schema``, ``machine``, ``effort``, ``peers``, ``peer_notes``, ``games``,
        ``measures``, ``starts``, ``memory``, ``goals``, ``left_out``, ``seconds``, ``load_after``.
    """
    started = time.perf_counter()
    results: dict[str, Any] = {
        "schema": SCHEMA,
        "machine": machine.describe(),
        "effort": {**dataclasses.asdict(effort), "sizes": list(effort.sizes)},
        "peer_notes": list(yardsticks.NOTES),
    }
    for name in ("peers", "games", "measures", "starts", "memory", "goals", "left_out"):
        results[name] = []
    yardstick: Task | None = None
    if yardsticks.open_spiel_version() is None:
        results["left_out"].append("ratios: open_spiel is not installed (the extra antiquity[bench] has it)")
    else:
        say("yardstick")
        yardstick = yardsticks.hearts()
        results["peers"] = _peers(effort, yardstick)
    for game in games:
        _one_game(game, effort, yardstick, with_starts, results, say)
    results["goals"] = [goal for game in games for goal in judge(game, results)]
    results["seconds"] = time.perf_counter() - started
    results["load_after"] = machine.load()
    return results


def _peers(effort: plan.Effort, yardstick: Task) -> list[dict[str, Any]]:
    tasks = yardsticks.peers()
    found = interleave(list(tasks.values()), effort.repetitions, effort.seconds, yardstick=yardstick)
    return [{"title": title, **figures(series)} for title, series in zip(tasks, found, strict=True)]


def figures(series: Series) -> dict[str, Any]:
    """A series for JSON; ratio is None where no yardstick ran beside it."""
    return {
        "decisions_per_second": summary(series.decisions),
        "games_per_second": summary(series.games),
        "ratio": summary(Summary.of(series.ratios)) if series.ratios else None,
        "repetitions": [each.rate for each in series.samples],
        "ratios": series.ratios,
    }


def _one_game(
    game: str,
    effort: plan.Effort,
    yardstick: Task | None,
    with_starts: bool,
    results: dict[str, Any],
    say: Say,
) -> None:
    found = make_game(game)
    results["games"].append(
        {
            "game": game,
            "title": found.title,
            "version": found.version,
            "default_players": found.default_players,
            "observation_size": found.layout.size,
            "num_actions": found.num_actions,
        }
    )
    if with_starts:
        say(f"{game}: cold and warm starts")
        results["starts"].append(starts.starts(game, effort.warm_starts))
    results["memory"].append(starts.memory(game, found.default_players))
    groups, left_out = plan.groups(game, effort)
    results["left_out"] += left_out
    for group in groups:
        say(f"{game}: {measures.KINDS[group.specs[0].kind].title}, by {group.purpose}")
        try:
            results["measures"] += measure(group, effort, yardstick)
        except ImportError as error:
            results["left_out"].append(f"{group.specs[0]}: {error}")


def measure(group: plan.Group, effort: plan.Effort, yardstick: Task | None) -> list[dict[str, Any]]:
    """The lines of a group, for JSON."""
    tasks = [measures.build(spec) for spec in group.specs]
    # Threads are compared with one another, by the wall; the yardstick is measured by CPU-seconds.
    beside = yardstick if group.clock == "cpu" else None
    found = interleave(tasks, effort.repetitions, effort.seconds, yardstick=beside, clock=CLOCKS[group.clock])
    lines = []
    for spec, series in zip(group.specs, found, strict=True):
        counted = measures.tally_of(spec)
        free = counted.free / counted.decisions
        pairs = zip(series.samples, found[0].samples, strict=True)
        lines.append(
            {
                **spec.as_dict(),
                "group": group.purpose,
                "clock": group.clock,
                "decisions_per_game": counted.decisions,
                "steps_per_game": counted.steps,
                "free_share": free,
                "waiting_share": 1 - counted.decisions / counted.rows,
                **figures(series),
                "free_decisions_per_second": summary(series.decisions, free),
                "speedup": summary(Summary.of([own.rate / one.rate for own, one in pairs]))
                if group.purpose == "threads"
                else None,
            }
        )
    return lines
