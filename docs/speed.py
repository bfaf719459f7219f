"""How fast the games run, as tables: from what ``python -m benchmarks --json docs/results/...`` has written."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measures import KINDS
from benchmarks.report import exact, short
from benchmarks.running import SCHEMA
from game_page import table
from kept import newest

Results = dict[str, Any]
Line = dict[str, Any]

PLOT = "throughput.svg"
"""The file of :func:`plot` in the site."""
NONE = "No reference run has been kept yet. `python -m benchmarks` measures your machine."


def read(folder: Path) -> Results | None:
    """The newest run in the folder, or None.

    Raises:
        ValueError: a file that is no run, or one of another release of the benchmarks.
    """
    results = newest(folder, SCHEMA)
    if results is not None:
        results["games"].sort(key=lambda game: str(game["title"]))
    return results


def summary(folder: Path) -> str:
    """For the first page: every kind of use, one column per game, by the games' defaults."""
    results = read(folder)
    if results is None:
        return NONE
    games = results["games"]
    rows = []
    for kind in KINDS:
        found = [default_line(results, game, kind) for game in games]
        if any(found):
            cells = (short(line["decisions_per_second"]["median"]) if line else "-" for line in found)
            rows.append((KINDS[kind].title, *cells))
    headings = (f"{game['title']}, {game['default_players']} players" for game in games)
    return "\n\n".join(
        (
            table(("decisions a second", *headings), rows, right=range(1, len(games) + 1)),
            f"{_machine(results)} Medians. A decision is a seat that has something to choose; seats that wait don't "
            "count. One core, per CPU-second.",
        )
    )


def report(folder: Path) -> str:
    """The whole run."""
    results = read(folder)
    if results is None:
        return NONE
    return "\n\n".join(_report(results))


def plot(folder: Path) -> str | None:
    """The plot of the newest run as SVG, or None. Needs matplotlib."""
    results = read(folder)
    if results is None:
        return None
    import matplotlib as mpl

    from benchmarks.plot import draw

    # The same run always gives the same text, and letters stay letters.
    with (
        tempfile.TemporaryDirectory() as place,
        mpl.rc_context({"svg.hashsalt": "a", "svg.fonttype": "none"}),
    ):
        path = Path(place) / PLOT
        draw(results, path)
        return re.sub("<dc:date>.*?</dc:date>", "", path.read_text(encoding="utf-8"))


def _report(results: Results) -> Iterator[str]:
    versions = results["machine"]["versions"]
    yield _machine(results)
    yield f"![Decisions a second by size of the batch, and by threads]({PLOT})"
    yield "With " + ", ".join(f"{name} {number}" for name, number in versions.items() if number) + "."
    for game in results["games"]:
        yield f"## {game['title']}"
        yield _kinds(results, game)
        for heading, made in (
            ("Size of the batch", _sizes(results, game)),
            ("Threads", _threads(results, game)),
        ):
            if made:
                yield f"### {heading}: {game['title']}"
                yield made
    if results["starts"] or results["memory"]:
        yield "## First step and memory"
        yield _starts(results)
    if results["peers"]:
        yield "## Others in the same run"
        yield _peers(results)
    if results["goals"]:
        yield "## Goals"
        yield _goals(results)
    if results["left_out"]:
        yield "## Left out"
        yield "\n".join(f"- {line}" for line in results["left_out"])


def _machine(results: Results) -> str:
    machine = results["machine"]
    text = (
        f"Measured on {machine['date'][:10]} at revision `{machine['revision']}`: {machine['cpu']}, "
        f"{machine['cores']} cores, {machine['memory_gib']} GiB, {machine['system']}, Python {machine['python']}."
    )
    busy = max(machine["load"][0], results["load_after"][0] - 1) / machine["cores"]
    if busy > 0.5:
        text += " Other programs were busy meanwhile: trust the ratios more than the figures."
    return text


def _of(results: Results, game: Line, group: str) -> list[Line]:
    return [line for line in results["measures"] if (line["game"], line["group"]) == (game["game"], group)]


def default_line(results: Results, game: Line, kind: str) -> Line | None:
    """The line of a kind of use, by the defaults of the game; None when it was not measured."""
    for line in _of(results, game, "players"):
        if (line["kind"], line["players"], line["options"]) == (kind, game["default_players"], {}):
            return line
    return None


def _spread(values: dict[str, float] | None, digits: int = 2) -> str:
    if values is None:
        return "-"
    return "{0:.{d}f} ({1:.{d}f} to {2:.{d}f})".format(
        values["median"], values["low"], values["high"], d=digits
    )


def _rate(values: dict[str, float]) -> str:
    return f"{short(values['median'])} ({short(values['low'])} to {short(values['high'])})"


def _kinds(results: Results, game: Line) -> str:
    rows = []
    before = ""
    for line in _of(results, game, "players"):
        options = ", ".join(f'`{name}="{value}"`' for name, value in line["options"].items())
        title = KINDS[line["kind"]].title + (f", {options}" if options else "")
        rows.append(
            (
                title if title != before else "",
                line["players"],
                f"{line['games']:,}",
                _rate(line["decisions_per_second"]),
                short(line["games_per_second"]["median"]),
                _spread(line["ratio"]),
            )
        )
        before = title
    headings = ("what", "players", "games", "decisions/s", "games/s", "x hearts")
    return (
        "Medians with quartiles, per CPU-second. x hearts: beside OpenSpiel's hearts, played at random from Python, in "
        "the same run.\n\n" + table(headings, rows, right=range(1, 6))
    )


def _sizes(results: Results, game: Line) -> str:
    found = _of(results, game, "sizes")
    kinds = list(dict.fromkeys(line["kind"] for line in found))
    cells = {(line["games"], line["kind"]): short(line["decisions_per_second"]["median"]) for line in found}
    rows = [
        (f"{size:,}", *(cells.get((size, kind), "-") for kind in kinds))
        for size in sorted({line["games"] for line in found})
    ]
    headings = ("games", *(KINDS[kind].title for kind in kinds))
    if not rows:
        return ""
    return "Decisions a second; the plot shows the quartiles.\n\n" + table(
        headings, rows, right=range(len(headings))
    )


def _threads(results: Results, game: Line) -> str:
    rows = [
        (
            KINDS[line["kind"]].title,
            f"{line['games']:,}",
            line["threads"],
            _rate(line["decisions_per_second"]),
            _spread(line["speedup"]),
        )
        for line in _of(results, game, "threads")
    ]
    headings = ("what", "games", "threads", "decisions/s, wall clock", "x one thread")
    return table(headings, rows, right=range(1, 5)) if rows else ""


def _starts(results: Results) -> str:
    starts = {each["game"]: each for each in results["starts"]}
    rows = []
    for memory in results["memory"]:
        start = starts.get(memory["game"])
        cold = f"{start['cold']['seconds']:.1f}" if start else "-"
        warm = f"{median(each['seconds'] for each in start['warm']):.2f}" if start else "-"
        rows.append((f"`{memory['game']}`", cold, warm, memory["record"], f"{memory['batch']:,.0f}"))
    headings = (
        "game",
        "first step, cold, s",
        "first step, warm, s",
        "record, bytes",
        "batch in place, bytes per game",
    )
    return (
        "From the first import to the end of the first step of a ParallelEnv, in a new process. Cold: with no compiled "
        "kernels on disk. The bytes per game of a batch include the observations and masks of all seats.\n\n"
        + table(headings, rows, right=range(1, 5))
    )


def _goals(results: Results) -> str:
    titles = {game["game"]: game["title"] for game in results["games"]}
    verdicts = {True: "yes", False: "**no**", None: "not measured"}
    rows = [
        (
            titles[goal["game"]],
            goal["goal"],
            f"{'at least' if goal['at_least'] else 'at most'} {goal['bound']:,g}",
            "-" if goal["value"] is None else exact(goal["value"], goal["bound"]),
            goal["unit"],
            verdicts[goal["reached"]],
        )
        for goal in results["goals"]
    ]
    headings = ("game", "what", "goal", "measured", "unit", "reached")
    return table(headings, rows, right=(2, 3))


def _peers(results: Results) -> str:
    rows = [
        (
            peer["title"],
            _rate(peer["decisions_per_second"]),
            short(peer["games_per_second"]["median"]),
            _spread(peer["ratio"]),
        )
        for peer in results["peers"]
    ]
    headings = ("what", "decisions/s", "games/s", "x hearts")
    notes = "\n".join(f"- {note}" for note in results["peer_notes"])
    return table(headings, rows, right=range(1, 4)) + "\n\n" + notes
