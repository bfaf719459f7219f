"""What can be measured of how the pages look: overlaps, scrolling sideways, the size of letters and of targets."""

from __future__ import annotations

from pathlib import Path

import pytest

from chromium import chromium, needs_chromium
from looking import NARROW, PLAYERS, looks, measured, played


@needs_chromium
@pytest.mark.parametrize("most", [False, True], ids=["fewest", "most"])
@pytest.mark.parametrize("game", PLAYERS)
def test_pages_can_be_read_and_pointed_at(game: str, most: bool, tmp_path: Path) -> None:
    amiss = []
    with chromium(tmp_path / "profile") as page:
        for part in (0.4, 1.0) if not most else (0.6,):
            session = played(game, PLAYERS[game][-1 if most else 0], part, tmp_path)
            for name in looks(page, session, tmp_path, [False]):
                found = measured(page)
                if f"-{NARROW}-" not in name:
                    found.pop("targets")  # a mouse points at less
                amiss += [f"{name}: {what} {value}" for what, value in found.items() if value and value != 0]
        assert page.errors == []
    assert not amiss, "\n".join(amiss)
