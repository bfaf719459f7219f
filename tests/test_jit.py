"""How kernels are compiled, and the store of machine code: what it notices, and where it still works."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from antiquity.kernels import cache as kernel_cache
from antiquity.kernels import jit

ROOT = Path(__file__).parent.parent
STRANGER = 54_321  # a user that the system does not know

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


def python(code: str, path: list[Path], /, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run `code` in a fresh Python; environment variables given as None are removed."""
    variables: dict[str, str | None] = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*path, ROOT)))}
    variables |= options.pop("env", {})
    environment = {name: value for name, value in variables.items() if value is not None}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, **options
    )


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of two files with kernels, a third with a constant, and a number in a data file."""
    home = tmp_path / "tiny"
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
    return home


@pytest.fixture
def run(package: Path, tmp_path: Path) -> Runner:
    """Run the package in a process of its own: the sum it computes, and the hits and misses of the store."""

    def start(**options: Any) -> tuple[int, dict[str, int]]:
        options["env"] = {"ANTIQUITY_CACHE_DIR": str(tmp_path / "store")} | options.get("env", {})
        result, counts = json.loads(python(options.pop("before", "") + RUN, [tmp_path], **options).stdout)
        return result, counts

    return start


# --- the store ---


def test_a_second_process_compiles_nothing(run: Runner) -> None:
    assert run() == (16, {"hits": 0, "misses": 2})
    assert run() == (16, {"hits": 1, "misses": 0})


def test_a_change_of_a_kernel_in_another_file_is_noticed(run: Runner, package: Path) -> None:
    run()
    (package / "inner.py").write_text(INNER.replace("+ 1", "+ 5"))
    assert run() == (32, {"hits": 0, "misses": 2})
    (package / "inner.py").write_text(INNER)
    assert run() == (16, {"hits": 1, "misses": 0})


def test_a_changed_number_that_came_from_a_data_file_is_noticed(run: Runner, package: Path) -> None:
    run()
    (package / "factor.txt").write_text("3")
    assert run() == (22, {"hits": 0, "misses": 2})


def test_files_that_no_kernel_imports_do_not_matter(run: Runner, package: Path) -> None:
    run()
    (package / "drawing.py").write_text("from . import outer\n")
    (package / "__init__.py").write_text("'''A docstring.'''\n")
    assert run()[1] == {"hits": 1, "misses": 0}


def test_damaged_files_are_compiled_anew(run: Runner, tmp_path: Path) -> None:
    run()
    stored = list((tmp_path / "store").rglob("*.kernel"))
    assert len(stored) == 2
    for path in stored:
        path.write_bytes(path.read_bytes()[:-100])
    assert run() == (16, {"hits": 0, "misses": 2})
    for path in stored:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    assert run() == (16, {"hits": 0, "misses": 2})
    assert run() == (16, {"hits": 1, "misses": 0})


def test_processes_that_start_together(package: Path, tmp_path: Path, run: Runner) -> None:
    environment = os.environ | {
        "ANTIQUITY_CACHE_DIR": str(tmp_path / "store"),
        "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT))),
    }
    started = [
        subprocess.Popen([sys.executable, "-c", RUN], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    outputs = [process.communicate()[0] for process in started]
    assert [json.loads(output)[0] for output in outputs] == [16, 16, 16]
    assert run() == (16, {"hits": 1, "misses": 0})
    assert not list((tmp_path / "store").rglob("*.partial"))


def test_closures_are_not_mixed_up(package: Path, tmp_path: Path, run: Runner) -> None:
    (package / "outer.py").write_text(
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
    assert run()[0] == 7
    result = python(RUN.replace("import json, sys", "import json, sys; sys.argv = [1, 2, 3]"), [tmp_path])
    assert json.loads(result.stdout)[0] == 9


def test_names_of_machine_code_differ_between_processes(package: Path, tmp_path: Path) -> None:
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
        "from antiquity import Batch, jit\n"
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


# --- where it lies ---


def test_the_folders_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("one", "two", "three", "four"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("ANTIQUITY_CACHE_DIR", str(tmp_path / "one"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "two"))
    monkeypatch.setenv("HOME", str(tmp_path / "three"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert kernel_cache.folders() == ((tmp_path / "one",), tmp_path / "one")
    monkeypatch.setenv("ANTIQUITY_CACHE_DIR", "/dev/null/nowhere")
    two = tmp_path / "two" / "antiquity"
    assert kernel_cache.folders() == ((Path("/dev/null/nowhere"), two), two)
    monkeypatch.delenv("ANTIQUITY_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME")
    three = tmp_path / "three" / ".cache" / "antiquity"
    assert kernel_cache.folders() == ((three,), three)
    monkeypatch.setenv("HOME", "/dev/null/nowhere")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "four"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "four"))
    found = kernel_cache.writable_folder()
    assert found is not None and found.parent == tmp_path / "four"
    assert stat.S_IMODE(found.stat().st_mode) == 0o700


def test_with_a_folder_of_its_own_a_process_leaves_the_users_alone(run: Runner, tmp_path: Path) -> None:
    user = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    assert run(env=user | {"ANTIQUITY_CACHE_DIR": None}) == (16, {"hits": 0, "misses": 2})
    kept = [path for path in tmp_path.rglob("*.kernel") if "store" not in path.parts]
    assert len(kept) == 2
    assert run(env=user) == (16, {"hits": 0, "misses": 2})
    assert run(env=user | {"ANTIQUITY_CACHE_DIR": None}) == (16, {"hits": 1, "misses": 0})


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of files are a matter of Unix")
def test_a_temporary_folder_that_others_can_write_to_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    folder = tmp_path / f"antiquity-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    assert kernel_cache._temporary_folder() is None
    folder.chmod(0o700)
    assert kernel_cache._temporary_folder() == folder
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    assert kernel_cache._temporary_folder() is None


def test_with_no_folder_at_all_kernels_still_run(run: Runner, tmp_path: Path) -> None:
    nowhere = dict.fromkeys(("ANTIQUITY_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), "/dev/null/nowhere")
    (tmp_path / "sitecustomize.py").write_text("import tempfile; tempfile.tempdir = '/dev/null/nowhere'\n")
    for _ in range(2):
        assert run(env=nowhere) == (16, {"hits": 0, "misses": 2})


def test_without_a_home(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    variables = {
        "ANTIQUITY_CACHE_DIR": None,
        "XDG_CACHE_HOME": None,
        "HOME": "relative",
        "TMPDIR": str(tmp_path / "temporary"),
    }
    assert run(env=variables) == (16, {"hits": 0, "misses": 2})
    assert run(env=variables) == (16, {"hits": 1, "misses": 0})


@pytest.fixture
def open_path(tmp_path: Path) -> Iterator[None]:
    """Let a stranger walk down to tmp_path."""
    changed = []
    for folder in (tmp_path, *tmp_path.parents):
        mode = stat.S_IMODE(folder.stat().st_mode)
        if not mode & 0o001:
            changed.append((folder, mode))
            folder.chmod(mode | 0o055)
    yield
    for folder, mode in changed:
        folder.chmod(mode)


BECOME_A_STRANGER = f"""
import os
import numpy
from antiquity.kernels import jit
from antiquity.kernels import cache as kernel_cache
store = os.environ.pop("ANTIQUITY_CACHE_DIR")
os.environ["ANTIQUITY_CACHE_DIR"] = os.environ["FIRST"]
jit.entry(lambda values: values.sum())(numpy.arange(3.0))  # numba loads the rest of itself, which strangers may not
os.environ["ANTIQUITY_CACHE_DIR"] = store
os.setuid({STRANGER})
kernel_cache.COUNTS.update(misses=-kernel_cache.COUNTS["misses"])
"""


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can become another user")
@pytest.mark.usefixtures("open_path")
def test_an_unknown_user_with_a_store_that_can_only_be_read(run: Runner, tmp_path: Path) -> None:
    shared = tmp_path / "temporary"
    shared.mkdir()
    shared.chmod(0o777)
    (tmp_path / "store").mkdir(mode=0o755)
    stranger = {"HOME": None, "XDG_CACHE_HOME": None, "TMPDIR": str(shared), "FIRST": str(tmp_path / "first")}
    # Nothing of one's own but what is among the temporary files.
    assert run(env=stranger, before=BECOME_A_STRANGER) == (16, {"hits": 0, "misses": 2})
    assert run(env=stranger, before=BECOME_A_STRANGER) == (16, {"hits": 1, "misses": 0})
    assert {path.stat().st_uid for path in shared.rglob("*.kernel")} == {STRANGER}
    # A store that root has filled, as in an image built ahead.
    for path in sorted(shared.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    run()
    assert run(env=stranger, before=BECOME_A_STRANGER) == (16, {"hits": 1, "misses": 0})


def test_old_folders_are_cleaned_up(tmp_path: Path) -> None:
    for name, age in (("new", 1), ("old", 40), ("kept", 40)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "f.kernel").write_bytes(b"")
        then = time.time() - age * 86_400
        os.utime(folder, (then, then))
    assert kernel_cache.clean(tmp_path, keep="kept") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "new"]


# --- the rest ---


def test_the_terminal_is_told_once(run: Runner, tmp_path: Path, package: Path) -> None:
    store = {"ANTIQUITY_CACHE_DIR": str(tmp_path / "store")}
    loud = python(RUN, [tmp_path], env=store | {"ANTIQUITY_VERBOSE": "1"})
    assert loud.stderr.count("\n") == 1
    assert "compiling" in loud.stderr and str(tmp_path / "store") in loud.stderr
    assert python(RUN, [tmp_path], env=store | {"ANTIQUITY_VERBOSE": "1"}).stderr == ""
    quiet = {"ANTIQUITY_CACHE_DIR": str(tmp_path / "other"), "ANTIQUITY_VERBOSE": None}
    assert python(RUN, [tmp_path], env=quiet).stderr == ""


def test_numba_is_left_as_it_is() -> None:
    code = (
        "import numba.core.config as config\n"
        "from numba.core import caching\n"
        "def look():\n"
        "    values = {name: repr(value) for name, value in vars(config).items() if name.isupper()}\n"
        "    return values, list(caching.CacheImpl._locator_classes)\n"
        "before = look()\n"
        "import antiquity.batch\n"
        "print(look() == before)\n"
    )
    assert python(code, []).stdout.strip() == "True"


def test_without_compilation_decorators_do_nothing(tmp_path: Path) -> None:
    code = (
        "from antiquity import jit\n"
        "def function(): pass\n"
        "print(jit.kernel(function) is function, jit.entry(function) is function, jit.ENABLED)\n"
    )
    assert python(code, [], env={"NUMBA_DISABLE_JIT": "1"}).stdout.split() == ["True", "True", "False"]


def test_entries_release_the_lock_and_divide_as_numpy_does() -> None:
    @jit.entry
    def divide(values: Any) -> Any:
        return values[0] / values[1]

    assert divide(np.array([1.0, 0.0])) == (np.inf if jit.ENABLED else pytest.approx(np.inf))
    if jit.ENABLED:
        assert getattr(divide, "targetoptions")["nogil"] is True


REFUSE = """
@kernel
def refuse(value):
    if value > 2:
        raise ValueError("three")
"""


def test_an_exception_of_an_inner_kernel_arrives(package: Path, tmp_path: Path) -> None:
    # Kernels are not to raise. Should one do so all the same, it must be an error and no crash.
    (package / "inner.py").write_text(INNER + REFUSE)
    (package / "outer.py").write_text(OUTER.replace("result +=", "inner.refuse(value)\n        result +="))
    code = (
        "import numpy\n"
        "from tiny import outer\n"
        "try:\n"
        "    outer.total(numpy.arange(4))\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    store = {"ANTIQUITY_CACHE_DIR": str(tmp_path / "store")}
    for comment in ("", "", "# compiled anew, with a stored inner kernel\n"):
        with open(package / "outer.py", "a") as file:
            file.write(comment)
        assert python(code, [tmp_path], env=store).stdout.strip() == "three"


def test_constants_are_numbers_like_others(package: Path, run: Runner) -> None:
    text = OUTER.replace("inner.scale(value)", "inner.scale(value) + inner.scale(0) * inner.scale(1)")
    (package / "outer.py").write_text(text)
    assert run() == (28, {"hits": 0, "misses": 2})


def test_an_inner_kernel_may_be_called_from_python() -> None:
    from toy_game import GAME, legal

    games, out = np.zeros(1, GAME.dtype), np.zeros(3, np.uint16)
    assert legal(games[0], np.zeros(1, GAME.tables_dtype)[0], 0, out) == 1


def test_a_twin_stands_in_for_a_python_function() -> None:
    def plain(value: int) -> int:
        return value + 1000

    @jit.twin(plain, (numba.int64,))
    def compiled(value: Any) -> Any:
        return value + 1

    @jit.entry
    def call(values: Any) -> int:
        return plain(values[0])

    assert compiled(1) == 2
    assert call(np.array([1], np.uint8)) == (2 if jit.ENABLED else 1001)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import a.b, c as d", [("a.b", ""), ("c", "")]),
        ("from a import b", [("a", "b")]),
        ("    from a.b import c as d, e", [("a.b", "c"), ("a.b", "e")]),
        ("from . import x", [("pack", "x")]),
        ("from .x import y", [("pack.x", "y")]),
        ("from .. import z", [("", "z")]),
        ("from a import (\n    b,  # why\n    c,\n)", [("a", "b"), ("a", "c")]),
        ("x = 'no import here'", []),
    ],
)
def test_imports_are_found(line: str, expected: list[tuple[str, str]]) -> None:
    assert list(kernel_cache.imports(line + "\n", "pack.module", is_package=False)) == expected
