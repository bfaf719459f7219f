"""A run as tables for the terminal, and as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from benchmarks.clock import Summary
from benchmarks.measures import KINDS
from benchmarks.yardsticks import HEARTS

Line = dict[str, Any]


def short(value: float) -> str:
    """Three figures: 4.12 M, 987 k, 12.3."""
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if value >= unit * 0.9995:
            return f"{value / unit:.3g}{name}" if value < 999.5 * unit else f"{value / unit:.0f}{name}"
    return f"{value:.3g}"


def exact(value: float, bound: float) -> str:
    """Enough figures that a value on the wrong side of the bound never reads as the bound itself."""
    for digits in range(2, 12):
        text = f"{value:,.{digits}f}"
        if (float(text.replace(",", "")) >= bound) == (value >= bound) and float(
            text.replace(",", "")
        ) != bound:
            return text
    return f"{value:,}"


def spread(values: dict[str, float]) -> str:
    """The median, and the quartiles in brackets."""
    return f"{short(values['median'])} [dim]({short(values['low'])} to {short(values['high'])})[/]"


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", header_style="")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True, overflow="fold")
    return table


def _times(values: dict[str, float] | None) -> str:
    return (
        "-"
        if values is None
        else f"{values['median']:.2f} [dim]({values['low']:.2f} to {values['high']:.2f})[/]"
    )


def _setting(line: Line) -> str:
    return ", ".join(f"{name}={value}" for name, value in line["options"].items())


def head(results: dict[str, Any]) -> Text:
    """Where, when and with what it was measured."""
    machine = results["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items() if number)
    busy = max(machine["load"][0], results["load_after"][0] - 1) / machine["cores"]
    lines = [
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']} GiB, {machine['system']}",
        f"{machine['date']}, revision {machine['revision']}; Python {machine['python']}, {versions}",
        f"Load before {machine['load'][0]}, after {results['load_after'][0]} (this run is 1 of it)."
        + (
            " Others were busy: absolute figures are too low, and so are even ratios of batches"
            " in the thousands, which wait for memory as the yardstick does not."
            if busy > 0.5
            else ""
        ),
        "Medians with quartiles; per CPU-second, but wall clock where threads are compared. x hearts: beside "
        f"{HEARTS}, random playouts from Python, in the same run.",
    ]
    return Text("\n".join(lines))


def _by_group(results: dict[str, Any], game: str, group: str) -> list[Line]:
    return [line for line in results["measures"] if line["game"] == game and line["group"] == group]


def players_table(results: dict[str, Any], game: Line) -> Table:
    """Every kind by number of players."""
    table = _table(
        f"{game['title']}: kinds of use",
        "what",
        "players",
        "games",
        "decisions/s",
        "free decisions/s",
        "games/s",
        "x hearts",
    )
    kind = None
    for line in _by_group(results, game["game"], "players"):
        if kind not in (None, line["kind"]):
            table.add_section()
        title = "" if line["kind"] == kind else KINDS[line["kind"]].title
        kind = line["kind"]
        setting = _setting(line)
        table.add_row(
            f"{title} [{setting}]".strip().replace("[", "\\[") if setting else title,
            str(line["players"]),
            f"{line['games']:,}",
            spread(line["decisions_per_second"]),
            short(line["free_decisions_per_second"]["median"]),
            short(line["games_per_second"]["median"]),
            _times(line["ratio"]),
        )
    return table


def shape_table(results: dict[str, Any], game: Line) -> Table:
    """What a random game is made of."""
    table = _table(
        f"{game['title']}: random games (means)",
        "rules",
        "players",
        "steps",
        "decisions",
        "free decisions",
        "rows that wait",
    )
    for line in _by_group(results, game["game"], "players"):
        if line["kind"] == "rollout_random":
            table.add_row(
                _setting(line) or "default",
                str(line["players"]),
                f"{line['steps_per_game']:.1f}",
                f"{line['decisions_per_game']:.1f}",
                f"{line['decisions_per_game'] * line['free_share']:.1f}",
                f"{line['waiting_share']:.1%}",
            )
    return table


def sizes_table(results: dict[str, Any], game: Line) -> Table:
    """Decisions a second by size of the batch."""
    found = _by_group(results, game["game"], "sizes")
    kinds = list(dict.fromkeys(line["kind"] for line in found))
    table = _table(
        f"{game['title']}: decisions/s by size of the batch, {game['default_players']} players",
        "games",
        *(KINDS[kind].title for kind in kinds),
    )
    cells = {(line["games"], line["kind"]): spread(line["decisions_per_second"]) for line in found}
    for size in sorted({line["games"] for line in found}):
        table.add_row(f"{size:,}", *(cells.get((size, kind), "-") for kind in kinds))
    return table


def threads_table(results: dict[str, Any], game: Line) -> Table:
    """Wall clock by number of threads."""
    table = _table(
        f"{game['title']}: threads (wall clock)", "what", "games", "threads", "decisions/s", "x one thread"
    )
    for line in _by_group(results, game["game"], "threads"):
        table.add_row(
            KINDS[line["kind"]].title,
            f"{line['games']:,}",
            str(line["threads"]),
            spread(line["decisions_per_second"]),
            _times(line["speedup"]),
        )
    return table


def starts_table(results: dict[str, Any]) -> Table:
    """First steps in new processes."""
    table = _table(
        "First step of one game (ParallelEnv) in a new process, in seconds from the first import",
        "game",
        "cold",
        "CPU",
        "kernels",
        "MB on disk",
        "warm",
        "CPU",
        "of it imports",
    )
    for start in results["starts"]:
        cold = start["cold"]
        warm, cpu, imports = (
            Summary.of([each[name] for each in start["warm"]])
            for name in ("seconds", "cpu_seconds", "import_seconds")
        )
        table.add_row(
            start["game"],
            f"{cold['seconds']:.2f}",
            f"{cold['cpu_seconds']:.2f}",
            str(cold["compiled"]),
            f"{start['cache_bytes'] / 1e6:.1f}",
            _times(warm._asdict()),
            f"{cpu.median:.2f}",
            f"{imports.median:.2f}",
        )
    return table


def memory_table(results: dict[str, Any]) -> Table:
    """Bytes a game."""
    table = _table("Bytes a game", "game", "players", "record", "batch in place, all in all", "of it outputs")
    for memory in results["memory"]:
        sizes = (f"{memory[name]:,.0f}" for name in ("record", "batch", "outputs"))
        table.add_row(memory["game"], str(memory["players"]), *sizes)
    return table


def peers_table(results: dict[str, Any]) -> RenderableType:
    """The libraries of others, and what is to be known about them."""
    table = _table("Others, in this run", "what", "decisions/s", "games/s", "x hearts")
    for peer in results["peers"]:
        table.add_row(
            peer["title"],
            spread(peer["decisions_per_second"]),
            short(peer["games_per_second"]["median"]),
            _times(peer["ratio"]),
        )
    return Group(table, *(Text(f"- {note}") for note in results["peer_notes"]))


def goals_table(results: dict[str, Any]) -> Table:
    """The goals, and whether they are reached."""
    table = _table("Goals", "what", "goal", "measured", "", "reached")
    game = None
    for goal in results["goals"]:
        if goal["game"] != game:
            table.add_section()
            table.add_row(f"[bold]{goal['game']}[/]")
            game = goal["game"]
        verdict = {True: "yes", False: "[bold red]no[/]", None: "not measured"}[goal["reached"]]
        table.add_row(
            goal["goal"],
            f"{'at least' if goal['at_least'] else 'at most'} {goal['bound']:,g}",
            "-" if goal["value"] is None else exact(goal["value"], goal["bound"]),
            goal["unit"],
            verdict,
        )
    return table


def _parts(results: dict[str, Any]) -> Iterator[RenderableType]:
    yield head(results)
    for game in results["games"]:
        for make in (players_table, sizes_table, threads_table, shape_table):
            table = make(results, game)
            if table.row_count:
                yield table
    if results["starts"]:
        yield starts_table(results)
    yield memory_table(results)
    yield peers_table(results)
    yield goals_table(results)
    if results["left_out"]:
        yield Text("Left out:\n" + "\n".join(f"- {line}" for line in results["left_out"]))


def show(results: dict[str, Any], console: Console) -> None:
    """All tables, the goals last."""
    for part in _parts(results):
        console.print(part)
        console.print()
    console.print(f"{results['seconds']:.0f} s", highlight=False)


def write_json(results: dict[str, Any], path: Path) -> None:
    """The file appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(json.dumps(results, indent=1) + "\n")
    os.replace(partial, path)
