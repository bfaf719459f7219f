"""How kernels are compiled, and what they may rely on."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from antiquity.kernels import jit, mode, twin
from tiny_package import INNER, OUTER, RUN, Runner, python


def test_the_terminal_is_told_once(run_tiny: Runner, tmp_path: Path, tiny_package: Path) -> None:
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
        "from antiquity.kernels import jit\n"
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
        assert getattr(divide, "targetoptions")["nogil"] is True  # noqa: B009 (a dispatcher, which its type hides)


REFUSE = """
@kernel
def refuse(value):
    if value > 2:
        raise ValueError("three")
"""


def test_an_exception_of_an_inner_kernel_arrives(tiny_package: Path, tmp_path: Path) -> None:
    # Kernels are not to raise. Should one do so all the same, it must be an error and no crash.
    (tiny_package / "inner.py").write_text(INNER + REFUSE)
    (tiny_package / "outer.py").write_text(
        OUTER.replace("result +=", "inner.refuse(value)\n        result +=")
    )
    code = (
        "import numpy\n"
        "from tiny import outer\n"
        "try:\n"
        "    outer.total(numpy.arange(4))\n"
        "except ValueError as error:\n"
        "    print(error)\n"
    )
    store = {"ANTIQUITY_CACHE_DIR": str(tmp_path / "store")}
    text = (tiny_package / "outer.py").read_text()
    for name in ("result", "result", "compiled_anew_with_a_stored_inner_kernel"):
        (tiny_package / "outer.py").write_text(text.replace("result", name))
        assert python(code, [tmp_path], env=store).stdout.strip() == "three"


def test_constants_are_numbers_like_others(tiny_package: Path, run_tiny: Runner) -> None:
    text = OUTER.replace("inner.scale(value)", "inner.scale(value) + inner.scale(0) * inner.scale(1)")
    (tiny_package / "outer.py").write_text(text)
    assert run_tiny() == (28, {"hits": 0, "misses": 2})


def test_an_inner_kernel_may_be_called_from_python() -> None:
    from toy_game import GAME, legal

    games, out = np.zeros(1, GAME.dtype), np.zeros(3, np.uint16)
    games["hands"][0, 0, 1] = 1
    assert legal(games[0], np.zeros(1, GAME.tables_dtype)[0], 0, out) == 1


def test_a_twin_stands_in_for_a_python_function() -> None:
    def plain(value: int) -> int:
        return value + 1000

    @twin(plain, (np.int64,))
    def compiled(value: Any) -> Any:
        return value + 1

    @jit.entry
    def call(values: Any) -> int:
        return plain(values[0])

    assert compiled(1) == 2
    assert call(np.array([1], np.uint8)) == (2 if jit.ENABLED else 1001)


def _made(values: Any) -> Any:
    return np.zeros(3, np.uint16).sum() + 6 * values[1]


def _added(values: Any) -> Any:
    return (values + 1).sum()


@pytest.mark.parametrize("total", [_added, _made])
def test_a_kernel_that_allocates_says_so(total: Any) -> None:
    assert jit.entry(allocates=True)(total)(np.arange(3)) == 6
    if mode.MODE == mode.LINKED:
        with pytest.raises(numba.core.errors.NumbaError) as error:
            jit.entry(total)(np.arange(3))
        assert "allocates=True" in error.value.__notes__[0]


def test_an_inner_kernel_that_allocates_may_be_called_by_one_that_does_not() -> None:
    @jit.kernel(allocates=True)
    def total(values: Any) -> Any:
        return (values + 1).sum()

    @jit.entry
    def twice(values: Any) -> Any:
        return total(values) + total(values[1:])

    assert twice(np.arange(3)) == 6 + 5


def test_garbage_is_collected_again_after_compiling() -> None:
    @jit.entry
    def add(values: Any) -> Any:
        return values[0] + values[1]

    for before in (True, False):
        gc.enable() if before else gc.disable()
        try:
            assert add(np.arange(2, dtype=np.int8 if before else np.int16)) == 1
            assert gc.isenabled() == before
        finally:
            gc.enable()


def test_garbage_is_collected_again_after_a_failure_to_compile() -> None:
    @jit.entry
    def refuse(values: Any) -> Any:
        return values.no_such_attribute

    with pytest.raises((numba.TypingError, AttributeError)):
        refuse(np.arange(2))
    assert gc.isenabled()
