"""A package of a few kernels in files of its own, to be edited and run in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

INNER = """
from antiquity.kernels import kernel
from .numbers import FACTOR

@kernel
def scale(value):
    return value * FACTOR + 1
"""

OUTER = """
from antiquity.kernels import entry
from . import inner

@entry
def total(values):
    result = 0
    for value in values:
        result += inner.scale(value)
    return result
"""

NUMBERS = """
from pathlib import Path
FACTOR = int((Path(__file__).parent / "factor.txt").read_text())
"""

RUN = """
import json, sys
import numpy as np
from antiquity.kernels import jit
from tiny import outer
print(json.dumps([int(outer.total(np.arange(4))), jit.statistics()]))
"""

Runner = Callable[..., tuple[int, dict[str, int]]]


def environment(path: list[Path], **changes: str | None) -> dict[str, str]:
    """Environment variables for a process that imports from `path`; those given as None are removed."""
    places = (*path, ROOT, *filter(None, [os.environ.get("PYTHONPATH")]))
    # Python takes a file of the same second and size for unchanged.
    own = {"PYTHONPATH": os.pathsep.join(map(str, places)), "PYTHONDONTWRITEBYTECODE": "1"}
    variables = {**os.environ, **own, **changes}
    return {name: value for name, value in variables.items() if value is not None}


def python(code: str, path: list[Path], /, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run `code` in a fresh Python; environment variables given as None are removed."""
    variables = environment(path, **options.pop("env", {}))
    return subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True, **options
    )


def write(home: Path) -> None:
    """Two files with kernels, a third with a constant, and a number in a data file."""
    home.mkdir()
    texts = {
        "__init__.py": "",
        "inner.py": INNER,
        "outer.py": OUTER,
        "numbers.py": NUMBERS,
        "factor.txt": "2",
    }
    for name, text in texts.items():
        (home / name).write_text(text)
