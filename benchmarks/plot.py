"""Throughput against the size of the batch, and against threads, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.measures import KINDS

COLOURS = {"rollout_random": "#1b6ca8", "step": "#c1440e", "step_rows": "#2e7d32", "step_fresh": "#8e6bb0"}
"""By kind; dark enough for print, and told apart by their markers as well."""
MARKERS = {"rollout_random": "o", "step": "s", "step_rows": "^", "step_fresh": "D"}


def draw(results: dict[str, Any], path: Path) -> None:
    """Write the plot (PNG, or what the ending says): a row of two panels for each game.

    Raises:
        ImportError: matplotlib isn't installed (the extra ``antiquity[bench]`` has it).
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    games = results["games"]
    figure = Figure(figsize=(11, 4.1 * len(games) + 0.5), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(games), 2, squeeze=False, width_ratios=(3, 2))
    for row, game in zip(panels, games, strict=True):
        _sizes(row[0], game, _lines(results, game["game"], "sizes"))
        _threads(row[1], game, _lines(results, game["game"], "threads"))
    machine = results["machine"]
    figure.suptitle(
        f"{machine['cpu']}, {machine['date'][:10]}, revision {machine['revision']}; medians and quartiles",
        fontsize=9,
        x=0.01,
        ha="left",
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def _lines(results: dict[str, Any], game: str, group: str) -> dict[str, list[dict[str, Any]]]:
    """The lines of a group by kind."""
    found: dict[str, list[dict[str, Any]]] = {}
    for line in results["measures"]:
        if line["game"] == game and line["group"] == group:
            found.setdefault(line["kind"], []).append(line)
    return found


def _curve(axes: Any, kind: str, xs: list[int], summaries: list[dict[str, float]], scale: float) -> None:
    middle = [each["median"] / scale for each in summaries]
    below = [(each["median"] - each["low"]) / scale for each in summaries]
    above = [(each["high"] - each["median"]) / scale for each in summaries]
    axes.errorbar(
        xs,
        middle,
        yerr=(below, above),
        label=KINDS[kind].title,
        color=COLOURS.get(kind),
        marker=MARKERS.get(kind, "o"),
        markersize=5,
        linewidth=1.6,
        capsize=2.5,
    )


def _sizes(axes: Any, game: dict[str, Any], found: dict[str, list[dict[str, Any]]]) -> None:
    for kind, lines in found.items():
        _curve(
            axes,
            kind,
            [line["games"] for line in lines],
            [line["decisions_per_second"] for line in lines],
            1e6,
        )
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = [mantissa * 10.0**power for power in range(-3, 3) for mantissa in (1, 2, 5)]
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    sizes = sorted({line["games"] for lines in found.values() for line in lines})
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes], rotation=30, ha="right")
    axes.minorticks_off()
    middles = [line["decisions_per_second"]["median"] / 1e6 for lines in found.values() for line in lines]
    if middles:
        axes.set_ylim(min(middles) / 2, max(middles) * 2.5)
    axes.set_xlabel("games in the batch")
    axes.set_ylabel("million decisions per CPU-second")
    axes.set_title(f"{game['title']}, {game['default_players']} players, one thread", fontsize=11)
    _finish(axes, columns=2 if found else 0)


def _threads(axes: Any, game: dict[str, Any], found: dict[str, list[dict[str, Any]]]) -> None:
    most = 1
    for kind, lines in found.items():
        threads = [line["threads"] for line in lines]
        most = max(most, *threads)
        _curve(axes, kind, threads, [line["speedup"] for line in lines], 1.0)
    axes.plot([1, most], [1, most], color="0.6", linestyle=":", label="as many times as threads")
    axes.set_xticks(sorted({line["threads"] for lines in found.values() for line in lines}) or [1])
    axes.set_xlabel("threads")
    axes.set_ylabel("times one thread (wall clock)")
    games = next((lines[0]["games"] for lines in found.values()), 0)
    axes.set_title(f"Threads, {games:,} games" if games else "Threads: not measured", fontsize=11)
    axes.set_ylim(bottom=0)
    _finish(axes, columns=1 if found else 0)


def _finish(axes: Any, columns: int) -> None:
    axes.grid(True, color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    if columns:
        axes.legend(fontsize=8, frameon=False, ncols=columns, loc="upper left")
