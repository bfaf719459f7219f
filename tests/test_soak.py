"""The long run: its parts do what they say, for a moment."""

from __future__ import annotations

from pathlib import Path

import pytest

import soak
from antiquity.arena import tournament


def test_parts_take_all_of_the_time_and_no_more() -> None:
    assert sum(part.share for part in soak.parts(60)) == pytest.approx(1.0, abs=0.05)
    assert len({part.name for part in soak.parts(60)}) == len(soak.parts(60))


@pytest.mark.parametrize("only", ["dice: records", "long runs"])
def test_parts_run_for_a_moment(only: str) -> None:
    table = soak.soak(0.01, only)
    assert table.title == "soak: all well" and table.row_count == 1


def test_a_part_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(seconds: float) -> str:
        raise AssertionError("no")

    monkeypatch.setattr(soak, "parts", lambda minutes: [soak.Part("bad", 1.0, fail)])
    table = soak.soak(0.01)
    assert table.title == "soak: something failed"
    monkeypatch.setattr("sys.argv", ["soak.py", "--minutes", "0.01"])
    with pytest.raises(SystemExit) as ended:
        soak.main()
    assert ended.value.code


def test_other_games_have_another_hash(tmp_path: Path) -> None:
    found = []
    for number, seed in enumerate((0, 0, 1)):
        path = tmp_path / f"{number}.sqlite"
        tournament("dice", ["greedy", "random"], players=2, deals=2, seed=seed, results=path)
        found.append(soak.content(path))
    assert found[0] == found[1] != found[2]
