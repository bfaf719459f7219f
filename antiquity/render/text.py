"""Tables as text: how wide they are, and the parts that games and commands have in common."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from rich.console import Console

WIDTH: Final = 118
"""Default width of a table as text, in columns."""
NARROWEST: Final = 80
"""The fewest columns for which the games lay out their tables."""
WIDE: Final = 112
"""From this width on, a table has a separate column for each number."""

_STYLES = re.compile(r"\x1b\[[0-9;]*m")


def terminal_width() -> int:
    """Columns of the terminal, from :data:`NARROWEST` to :data:`WIDTH`; :data:`WIDTH` where there is none."""
    return max(NARROWEST, min(WIDTH, shutil.get_terminal_size((WIDTH, 40)).columns))


def ansi_console(out: TextIO, width: int) -> Console:
    """A rich console that writes ANSI colours, whatever `out` is."""
    from rich.console import Console

    return Console(file=out, force_terminal=True, color_system="truecolor", width=width, highlight=False)


def literal(words: str) -> str:
    """A text from a table or a person for a rich console, which would take what stands in its brackets for styles."""
    from rich.markup import escape

    return escape(words)


def shown(words: str, out: TextIO) -> str:
    """A text with ANSI colours as `out` can take it: without them where nobody looks, or asks for none."""
    if out.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR"):
        return words
    return _STYLES.sub("", words)


def in_columns(lines: Sequence[str], width: int, gap: int = 3) -> list[str]:
    """Short lines side by side, downwards first, in as many columns as fit."""
    if not lines:
        return []
    wide = max(map(len, lines)) + gap
    rows = -(-len(lines) // max(1, (width + gap) // wide))
    return [
        "".join(line.ljust(wide) for line in lines[row::rows]).rstrip() for row in range(rows)
    ]  # fmt: skip


def hanging(start: str, words: str, width: int) -> list[str]:
    """A line that begins with `start`, wrapped where it would be too long, with the rest indented."""
    return textwrap.wrap(
        words, width, initial_indent=start, subsequent_indent=" " * min(len(start), 6), break_on_hyphens=False
    )


def result_lines(
    names: Sequence[str], agents: Sequence[str], results: Sequence[Mapping[str, Any]], width: int
) -> list[str]:
    """How a game ended: a line for each category, a column for each seat.

    Args:
        names: of the seats.
        agents: who sat there; cut where they would be too long.
        results: for each seat ``scores`` by category, ``total``, ``tiebreak`` and ``rank``.
        width: columns of the terminal.
    """
    labels = [name.replace("_", " ") for name in (*results[0]["scores"], "total", "tie-break", "rank")]
    left = max(map(len, labels))
    room = (width - left) // len(results) - 2
    short = [name if len(name) <= room else f"{name[: room - 1]}…" for name in agents]
    wide = max(map(len, (*names, *short)))
    lines = [" " * left + "".join(f"  {name:>{wide}}" for name in names)]
    if any(short):
        lines.append(" " * left + "".join(f"  {name:>{wide}}" for name in short))
    rows = [[*row["scores"].values(), row["total"], row["tiebreak"], row["rank"]] for row in results]
    for label, values in zip(labels, zip(*rows, strict=True), strict=True):
        lines.append(f"{label:{left}}" + "".join(f"  {value:{wide}d}" for value in values))
    return lines
