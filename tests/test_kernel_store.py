"""The store of compiled kernels: what it notices, and what it must not mind."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from antiquity.kernels import mode
from tiny_package import INNER, NUMBERS, ROOT, RUN, Runner, environment, python

LEFT_OUT = {"antiquity.cli.__main__"}
"""It starts the command line."""


def test_a_second_process_compiles_nothing(run_tiny: Runner) -> None:
    assert run_tiny() == (16, {"hits": 0, "misses": 2})
    assert run_tiny() == (16, {"hits": 1, "misses": 0})


def test_a_change_of_a_kernel_in_another_file_is_noticed(run_tiny: Runner, tiny_package: Path) -> None:
    run_tiny()
    (tiny_package / "inner.py").write_text(INNER.replace("+ 1", "+ 5"))
    assert run_tiny() == (32, {"hits": 0, "misses": 2})
    (tiny_package / "inner.py").write_text(INNER)
    assert run_tiny() == (16, {"hits": 1, "misses": 0})


def test_a_changed_number_that_came_from_a_data_file_is_noticed(run_tiny: Runner, tiny_package: Path) -> None:
    run_tiny()
    (tiny_package / "factor.txt").write_text("3")
    assert run_tiny() == (22, {"hits": 0, "misses": 2})


def test_files_that_no_kernel_imports_do_not_matter(run_tiny: Runner, tiny_package: Path) -> None:
    run_tiny()
    (tiny_package / "drawing.py").write_text("from . import outer\n")
    (tiny_package / "__init__.py").write_text("'''A docstring.'''\n")
    assert run_tiny()[1] == {"hits": 1, "misses": 0}


def test_what_is_no_part_of_a_kernel_compiles_nothing(run_tiny: Runner, tiny_package: Path) -> None:
    run_tiny()
    (tiny_package / "views").mkdir()
    (tiny_package / "views" / "picture.py").write_text("from .. import outer\n")
    (tiny_package / "page.html").write_text("<p>")
    for file in ("inner.py", "outer.py", "numbers.py"):
        text = (tiny_package / file).read_text()
        (tiny_package / file).write_text(
            f"# A comment.\n\n\nUNUSED = 5\n{text}\n\ndef draw():\n    return scale\n"
        )
    assert run_tiny() == (16, {"hits": 1, "misses": 0})


CONSTANTS = """
import enum
class Kind(enum.IntEnum):
    LOW = 1
    HIGH = 2
PAIR = (1, 2)
ONE = 1
import numpy
TABLE = numpy.array([1, 2])
"""


@pytest.mark.parametrize(
    ("term", "old", "new"),
    [
        ("numbers.ONE", "ONE = 1", "ONE = 3"),
        ("numbers.PAIR[1]", "(1, 2)", "(1, 4)"),
        ("numbers.TABLE[1]", "array([1, 2])", "array([1, 4])"),
        ("np.int64(numbers.Kind.HIGH)", "HIGH = 2", "HIGH = 4"),
        ("np.int64(Kind.HIGH)", "HIGH = 2", "HIGH = 4"),
        ("helper(value)", "", ""),
    ],
)
def test_a_changed_constant_is_noticed(
    run_tiny: Runner, tiny_package: Path, term: str, old: str, new: str
) -> None:
    """Whichever way a kernel comes by it; and the default argument of one that it calls."""
    (tiny_package / "numbers.py").write_text(NUMBERS + CONSTANTS)
    text = (
        "import numpy as np\nfrom . import numbers\nfrom .numbers import Kind\n"
        + INNER.replace(
            "@kernel\n", "@kernel\ndef helper(value, more=2):\n    return value * 0 + more\n\n@kernel\n"
        )
    ).replace("+ 1", f"+ {term}")
    (tiny_package / "inner.py").write_text(text)
    before, counts = run_tiny()
    assert counts == {"hits": 0, "misses": 3 if "helper" in term else 2}
    assert run_tiny() == (before, {"hits": 1, "misses": 0})
    (tiny_package / "numbers.py").write_text(
        (NUMBERS + CONSTANTS).replace(old, new) if old else NUMBERS + CONSTANTS
    )
    (tiny_package / "inner.py").write_text(text.replace("more=2", "more=4"))
    after, counts = run_tiny()
    assert after == before + 8 and counts["misses"] > 0


def test_a_changed_order_of_a_bundles_fields_is_noticed(run_tiny: Runner, tiny_package: Path) -> None:
    text = """
from typing import Any, NamedTuple
import numpy as np
from antiquity.kernels import entry

class Bundle(NamedTuple):
    first: Any
    second: Any

@entry
def add(bundle):
    return bundle.first[0] + 10 * bundle.second[0]

def total(values):
    return add(Bundle(values[1:2], values[2:3]))
"""
    (tiny_package / "outer.py").write_text(text)
    assert run_tiny() == (21, {"hits": 0, "misses": 1})
    swapped = text.replace("    first: Any\n    second: Any\n", "    second: Any\n    first: Any\n")
    (tiny_package / "outer.py").write_text(swapped)
    assert run_tiny() == (12, {"hits": 0, "misses": 1})


def test_a_changed_rule_is_noticed_by_the_shared_loops(tmp_path: Path) -> None:
    text = (ROOT / "tests" / "toy_game.py").read_text()
    assert text.count("1 + random.below") == 2
    code = (
        "from antiquity import Batch\n"
        "from antiquity.kernels import statistics\n"
        "import toy_copy\n"
        "batch = Batch(toy_copy.GAME, 50, 4, seed=1)\n"
        "print(batch.rollout().sum().item(), *statistics().values())\n"
    )

    def play(**env: str) -> list[int]:
        store = {"ANTIQUITY_CACHE_DIR": str(tmp_path / "store")}
        return [int(word) for word in python(code, [tmp_path], env=store | env).stdout.split()]

    (tmp_path / "toy_copy.py").write_text(text)
    before = play()
    assert play()[0] == before[0] and play()[2] == 0
    (tmp_path / "toy_copy.py").write_text(text.replace("1 + random.below", "7 + random.below"))
    after = play()
    assert after[0] > before[0] and after[2] > 0
    assert after[0] == play(NUMBA_DISABLE_JIT="1")[0]


def test_damaged_files_are_compiled_anew(run_tiny: Runner, tmp_path: Path) -> None:
    run_tiny()
    stored = list((tmp_path / "store").rglob("*.kernel"))
    assert len(stored) == 2
    for path in stored:
        path.write_bytes(path.read_bytes()[:-100])
    assert run_tiny() == (16, {"hits": 0, "misses": 2})
    for path in stored:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    assert run_tiny() == (16, {"hits": 0, "misses": 2})
    assert run_tiny() == (16, {"hits": 1, "misses": 0})


def test_processes_that_start_together(tiny_package: Path, tmp_path: Path, run_tiny: Runner) -> None:
    variables = environment([tmp_path], ANTIQUITY_CACHE_DIR=str(tmp_path / "store"))
    started = [
        subprocess.Popen([sys.executable, "-c", RUN], env=variables, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    outputs = [process.communicate()[0] for process in started]
    assert [json.loads(output)[0] for output in outputs] == [16, 16, 16]
    assert run_tiny() == (16, {"hits": 1, "misses": 0})
    assert not list((tmp_path / "store").rglob("*.partial"))


def test_closures_are_not_mixed_up(tiny_package: Path, tmp_path: Path, run_tiny: Runner) -> None:
    (tiny_package / "outer.py").write_text(
        "from antiquity.kernels import entry\n"
        "def make(number):\n"
        "    @entry\n"
        "    def total(values):\n"
        "        return values.sum() + number\n"
        "    return total\n"
        "import sys\n"
        "total = make(len(sys.argv))\n"
        "other = make(100)\n"
        "import numpy\n"
        "assert other(numpy.arange(4)) == 106\n"
    )
    assert run_tiny()[0] == 7
    result = python(RUN.replace("import json, sys", "import json, sys; sys.argv = [1, 2, 3]"), [tmp_path])
    assert json.loads(result.stdout)[0] == 9


def test_names_of_machine_code_differ_between_processes(tiny_package: Path, tmp_path: Path) -> None:
    # Numba counts its names up in each process; stored code of one game could then pass for fresh code of another.
    code = RUN + "print([found.fndesc.mangled_name for found in outer.total.overloads.values()])"
    stores = ({"ANTIQUITY_CACHE_DIR": str(tmp_path / name)} for name in ("one", "two"))
    names = [python(code, [tmp_path], env=store).stdout.splitlines()[-1] for store in stores]
    assert "total" in names[0] and names[0] != names[1]


def test_two_games_in_one_process(tmp_path: Path) -> None:
    """The twin pays prizes six points higher; its record differs in the name of a field."""
    text = (ROOT / "tests" / "toy_game.py").read_text()
    assert text.count("1 + random.below") == 2 and '("prize", "u1")' in text
    text = text.replace("1 + random.below", "7 + random.below").replace('"prize"', '"price"')
    (tmp_path / "toy_twin.py").write_text(text.replace('name="toy"', 'name="twin"'))
    code = (
        "import importlib, json, sys\n"
        "from antiquity import Batch\n"
        "from antiquity.kernels import jit\n"
        "found = {}\n"
        "for name in sys.argv[1:]:\n"
        "    batch = Batch(importlib.import_module(name).GAME, 50, 4, seed=1)\n"
        "    found[name] = batch.rollout().sum().item()\n"
        "print(json.dumps([found, jit.statistics()]))\n"
    )

    def play(*names: str, **env: str) -> tuple[dict[str, int], dict[str, int]]:
        prelude = f"import sys; sys.argv = {['', *names]!r}\n"
        found, counts = json.loads(python(prelude + code, [tmp_path, ROOT / "tests"], env=env).stdout)
        return found, counts

    store = str(tmp_path / "store")
    expected, _ = play("toy_game", "toy_twin", NUMBA_DISABLE_JIT="1")
    assert expected["toy_game"] < expected["toy_twin"]
    play("toy_game", ANTIQUITY_CACHE_DIR=store)
    mixed, counts = play("toy_twin", "toy_game", ANTIQUITY_CACHE_DIR=store)
    assert mixed == expected  # the twin was compiled beside the stored code of the other
    assert counts["misses"] > 0 and counts["hits"] > 0
    for names in (("toy_game", "toy_twin"), ("toy_twin", "toy_game")):
        assert play(*names, ANTIQUITY_CACHE_DIR=store) == (expected, {"hits": 2, "misses": 0})


@pytest.mark.skipif(mode.MODE != mode.LINKED, reason="nothing is stored otherwise")
@pytest.mark.parametrize("package", ["antiquity", "dice_env", "seven_wonders_env", "stone_age_env"])
def test_every_kernel_can_be_stored(package: str) -> None:
    from antiquity.kernels.cache import fingerprint
    from antiquity.kernels.linked import Kernel

    for file in (ROOT / package).rglob("*.py"):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name not in LEFT_OUT:
            try:
                importlib.import_module(name)
            except ImportError as error:
                if "pip install" not in str(error):  # one around a package of an extra has no kernels
                    raise
    kernels = {
        each
        for name, module in sys.modules.items()
        if name.partition(".")[0] == package
        for each in vars(module).values()
        if isinstance(each, Kernel)
    }
    assert len(kernels) > 30
    assert [each.py_func.__qualname__ for each in kernels if fingerprint(each.py_func, ()) == ""] == []
