"""Files of games that were played: their names, and which agents may be started because one names them."""

from __future__ import annotations

from pathlib import Path

SAFE_AGENTS = ("random", "greedy", "search", "expert", "policy")
"""Agents that are taken from a saved game by name; others, which may be files or programs, must be named again."""


def free_path(path: Path) -> Path:
    """The path itself, or where there is a file already the next one with a number: ``game-2.jsonl``."""
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found


def is_safe(name: str) -> bool:
    """Whether an agent may be started because a file names it: one of ours, and none that opens a file itself."""
    kind, _, rest = name.partition(":")
    return kind in SAFE_AGENTS and all(
        part.partition("=")[1] and part.partition("=")[0].strip() != "path"
        for part in rest.split(",")
        if part
    )
