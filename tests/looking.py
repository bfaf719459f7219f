"""Pictures of the pages as people see them, and what can be measured in them: ``python tests/looking.py [FOLDER]``."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from antiquity.play.session import Session
from antiquity.study.page import write_page
from chromium import PATH, Page, chromium
from test_play import running

PLAYERS = {"seven_wonders": (3, 4, 7), "stone_age": (2, 3, 4), "dice": (2, 3, 4, 7)}
SIZES = ((1440, 900), (768, 1024), (390, 844))
LETTERS, TARGET = 11, 40
NARROW = 390
"""The window in which fingers point at things."""

MEASURE = (Path(__file__).parent / "data" / "measure.js").read_text(encoding="utf-8")


def measured(page: Page) -> dict[str, Any]:
    """What is amiss: small letters, overlapping texts of the picture, small targets, pixels beyond the window."""
    found: dict[str, Any] = page.run(f"{MEASURE}({{ LETTERS: {LETTERS}, TARGET: {TARGET} }})")
    return found


def played(game: str, players: int, part: float, folder: Path) -> Session:
    """A game against greedy agents, about so far on its way to its end."""
    session = Session(
        game, ["greedy"] * (players - 1), seed=7, save=folder / f"{game}-{players}-{part}.jsonl"
    )
    decisions = {"seven_wonders": 19, "stone_age": 90, "dice": 25}[game]
    for _ in range(int(part * decisions)):
        if not session.over:
            legal = session.legal()
            session.choose(legal[session.step % len(legal)])
    while part >= 1 and not session.over:
        session.choose(session.legal()[0])
    return session


def looks(
    page: Page, session: Session, folder: Path, schemes: Sequence[bool] = (False, True)
) -> Iterator[str]:
    """The play page, and of a game that is over the replay, in all windows, light (False) and dark; where each is."""
    with running(session) as address:
        pages = [("play", address, "document.body?.dataset.step")]
        if session.over:
            replay = write_page(session.replay(), views=[None, 0], path=folder / f"{session.game.name}.html")
            pages.append(("replay", replay.as_uri() + "#step=20", "document.body?.dataset.ready === 'yes'"))
        for kind, where, ready in pages:
            for width, height in SIZES:
                for dark in schemes:
                    page.look(width, height, dark)
                    page.call(
                        "Page.navigate", url="about:blank"
                    )  # so that another step of one page is a new page
                    page.wait("location.href === 'about:blank'")
                    page.open(where, ready)
                    yield f"{kind}-{session.game.name}-{len(session.names)}-{width}-{'dark' if dark else 'light'}"


def main() -> None:
    """Write pictures of all pages, the whole page each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/screenshots"))
    target = parser.parse_args().folder
    if PATH is None:
        raise SystemExit("no Chromium or Chrome is installed, and this drives one: apt install chromium")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, chromium(Path(place) / "profile") as page:
        for game, counts in PLAYERS.items():
            for players in counts:
                for part in (0.4, 1):
                    session = played(game, players, part, Path(place))
                    for name in looks(page, session, Path(place)):
                        height = page.run("document.documentElement.scrollHeight")
                        width = int(name.split("-")[-2])
                        page.look(width, min(6000, max(844, height)), name.endswith("dark"))
                        page.screenshot(target / f"{name}-{'end' if part == 1 else 'middle'}.png")
        print(f"{len(list(target.glob('*.png')))} pictures are in {target}")


if __name__ == "__main__":
    main()
