"""How well training works: the same run with several seeds, and with other settings beside it, as curves with bands."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from antiquity.arena import play_match
from antiquity.arena.statistics import share
from antiquity.game import Game, make_game
from antiquity.train.api import Budget, settings_for, train
from benchmarks.machine import describe

SCHEMA = 1
"""Of the results as JSON; a change that readers notice raises it."""
SEED = 77_000
"""Of the deals on which finished policies are measured: other ones than those of the curves."""


@dataclasses.dataclass(frozen=True)
class Variant:
    """Settings that differ from the game's own."""

    name: str
    changes: dict[str, Any]


def measure(
    name: str,
    variants: Sequence[Variant],
    seeds: int,
    cpu_seconds: float,
    deals: int,
    folder: Path,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Train at the game's usual table, and measure what came out against greedy.

    Runs that lie in ``folder`` are not repeated, and an interrupted one goes on.
    """
    game = make_game(name)
    found = []
    for variant in variants:
        runs = []
        for seed in range(seeds):
            say(f"{game.title}, {variant.name}, seed {seed}")
            place = folder / f"{game.name}-{variant.name.replace(' ', '-')}-{cpu_seconds:.0f}-{seed}"
            runs.append(_run(game, variant, seed, cpu_seconds, deals, place))
        found.append({"variant": variant.name, "changes": variant.changes, "runs": runs})
    return {
        "schema": SCHEMA,
        "machine": describe(),
        "game": game.name,
        "players": game.default_players,
        "cpu_seconds": cpu_seconds,
        "deals": deals,
        "variants": found,
    }


def _run(
    game: Game, variant: Variant, seed: int, cpu_seconds: float, deals: int, place: Path
) -> dict[str, Any]:
    settings = settings_for(game, seed=seed, **variant.changes)
    resume = (place / "checkpoint.npz").exists()
    done = train(game, settings, Budget(cpu_seconds=cpu_seconds), place, resume=resume)
    # The last policy, not the best: which one was best is itself a measurement, and a lucky one.
    policy = type(done.policy).load(place / "latest.npz", game, deterministic=True)
    others = game.default_players - 1
    result = play_match(game, [policy, *["greedy"] * others], deals=deals, seed=SEED)
    wins = share(result.shares[:, :, 0].sum(axis=1), np.full(deals, float(others + 1)))
    return {
        "seed": seed,
        "decisions": done.decisions,
        "spent": done.spent,
        "wins": {"value": wins.value, "low": wins.low, "high": wins.high},
        "curve": [
            {"seconds": each.seconds, "decisions": each.decisions, "wins": each.shares[0]}
            for each in done.checks
        ],
    }


def wins(variant: dict[str, Any]) -> tuple[float, float]:
    """Mean share of wins over the seeds, and half its 95% interval from how the seeds differ (Student's t)."""
    values = np.array([run["wins"]["value"] for run in variant["runs"]])
    if len(values) < 2:
        return float(values.mean()), float("nan")
    student = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78}.get(len(values), 2.5)
    return float(values.mean()), float(student * values.std(ddof=1) / len(values) ** 0.5)


HEADINGS = ("game", "settings", "seeds", "decisions", "each seed", "mean ± half its 95% interval")


def rows(results: dict[str, Any]) -> list[tuple[str, ...]]:
    """One row a variant."""
    found: list[tuple[str, ...]] = []
    for variant in results["variants"]:
        runs, (mean, half) = variant["runs"], wins(variant)
        found.append(
            (
                make_game(results["game"]).title,
                variant["variant"],
                f"{len(runs)}",
                f"{np.mean([run['decisions'] for run in runs]) / 1e6:.1f} M",
                ", ".join(f"{run['wins']['value']:.1%}" for run in runs),
                f"{mean:.1%} ± {half:.1%}",
            )
        )
    return found


def as_table(results: dict[str, Any]) -> Table:
    """For the terminal."""
    table = Table(
        title=f"one seat among greedy after {results['cpu_seconds']:.0f} CPU-seconds; {results['deals']} deals"
    )
    for place, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="right" if place > 1 else "left")
    for row in rows(results):
        table.add_row(*row)
    return table


def draw(results: Sequence[dict[str, Any]], path: Path) -> None:
    """A panel for each game: the mean over the seeds, with a band from the worst to the best."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.2 * len(results), 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(results), squeeze=False)[0]
    for axes, result in zip(panels, results, strict=True):
        grid = np.linspace(0, result["cpu_seconds"], 60)
        for variant in result["variants"]:
            curves = [
                np.interp(
                    grid,
                    [check["seconds"] for check in run["curve"]],
                    [100 * check["wins"] for check in run["curve"]],
                )
                for run in variant["runs"]
            ]
            (line,) = axes.plot(grid, np.mean(curves, axis=0), label=variant["variant"])
            axes.fill_between(
                grid, np.min(curves, axis=0), np.max(curves, axis=0), alpha=0.2, color=line.get_color()
            )
        par = 100 / result["players"]
        axes.axhline(par, color="#666666", linestyle="--", linewidth=0.8, label="as good as greedy")
        axes.set(
            title=f"{make_game(result['game']).title}, {result['players']} players",
            xlabel="CPU-seconds of training",
            ylabel="wins of one seat among greedy (%)",
            ylim=(0, 100),
        )
        axes.legend(fontsize=8, loc="lower right")
        axes.grid(axis="y", alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def read(path: Path) -> dict[str, Any]:
    """Results as they were written. ValueError for those of another release."""
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if results.get("schema") != SCHEMA:
        raise ValueError(f"{path} has schema {results.get('schema')}; curves are made of schema {SCHEMA}")
    return results
