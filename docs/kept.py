"""Measurements that were kept in ``docs/results``: the newest of a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def newest(folder: Path, schema: int) -> dict[str, Any] | None:
    """The newest results in the folder, or None.

    Raises:
        ValueError: a file that holds no results, or those of another release of the benchmarks.
    """
    found = []
    for path in sorted(folder.glob("*.json")):
        results = json.loads(path.read_text(encoding="utf-8"))
        if results.get("schema") != schema:
            raise ValueError(f"{path} has schema {results.get('schema')}; tables are made of schema {schema}")
        found.append(results)
    return max(found, key=lambda each: str(each["machine"]["date"]), default=None)
