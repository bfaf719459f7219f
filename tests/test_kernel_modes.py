"""The ways in which kernels run: Antiquity's own use of numba's compiler, plain njit, and no compilation at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from antiquity.kernels import mode
from tiny_package import RUN, Runner, python

PLAY = """
import hashlib, sys
import numpy as np
from antiquity import Batch
from antiquity.kernels.mode import MODE
found = hashlib.sha256()
batch = Batch({game!r}, 6, num_players={players}, seed=4)
batch.reset()
for number in range(12):
    step = batch.step(batch.sample())
    for array in (batch.games, step.observations, step.masks, step.rewards):
        found.update(np.ascontiguousarray(array).tobytes())
found.update(batch.rollout().tobytes())
batch.reset()
batch.step(batch.sample())
batch.determinize(0, 1, 7)
for array in (batch.games, batch.observations, batch.scores()):
    found.update(np.ascontiguousarray(array).tobytes())
print(MODE, found.hexdigest())
"""


@pytest.mark.parametrize(("game", "players"), [("seven_wonders", 5), ("stone_age", 3), ("dice", 4)])
def test_plain_njit_gives_the_same(game: str, players: int) -> None:
    code = PLAY.format(game=game, players=players)
    # Without optimising, which is what most of the time would go into.
    plain = python(code, [], env={"ANTIQUITY_PLAIN_NJIT": "1", "NUMBA_OPT": "0"})
    linked = python(code, [], env={"ANTIQUITY_PLAIN_NJIT": None})
    assert plain.stderr == ""
    assert (
        plain.stdout.split() == ["plain", linked.stdout.split()[1]] and linked.stdout.split()[0] == "linked"
    )


def test_plain_njit_stores_nothing(run_tiny: Runner, tmp_path: Path) -> None:
    for _ in range(2):
        assert run_tiny(env={"ANTIQUITY_PLAIN_NJIT": "1"}) == (16, {"hits": 0, "misses": 2})
    assert not list(tmp_path.rglob("*.kernel"))


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("import numba; numba.__version__ = '0.99.1'", "numba 0.99.1 is not one of the releases"),
        ("import numba; numba.__version__ = '0.60.0'", "numba 0.60.0 is not one of the releases"),
        ("from numba.core.compiler import CompileResult as c; del c._rebuild", "not as expected"),
        ("import numba; del numba.core.environment.lookup_environment", "not as expected"),
    ],
)
@pytest.mark.usefixtures("tiny_package")
def test_an_unknown_numba_is_used_plainly_with_one_warning(before: str, reason: str, tmp_path: Path) -> None:
    environment = {"ANTIQUITY_PLAIN_NJIT": None, "ANTIQUITY_CACHE_DIR": str(tmp_path / "store")}
    found = python(f"{before}\n{RUN}", [tmp_path], env=environment)
    assert found.stdout.split()[0] == "[16,"
    assert found.stderr.count("UserWarning") == 1 and reason in found.stderr
    assert mode.name(mode.NEWEST) in found.stderr
    quiet = python(f"{before}\n{RUN}", [tmp_path], env=environment | {"ANTIQUITY_PLAIN_NJIT": "1"})
    assert quiet.stdout.split()[0] == "[16," and quiet.stderr == ""


def test_a_numba_that_was_tried_is_not_warned_of() -> None:
    found = python(
        "from antiquity.kernels.mode import MODE\nprint(MODE)", [], env={"ANTIQUITY_PLAIN_NJIT": None}
    )
    assert found.stdout.strip() == "linked" and found.stderr == ""


def test_the_package_asks_for_the_releases_that_were_tried() -> None:
    """What pip installs is what kernels are linked with."""
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text()
    after = (mode.NEWEST[0], mode.NEWEST[1] + 1)
    assert f'"numba>={mode.name(mode.OLDEST)},<{mode.name(after)}"' in text
