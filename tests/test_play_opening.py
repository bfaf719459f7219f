"""The page while a game is being set up, which compiles the rules at the first start on a machine."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from antiquity.agents.base import CallableAgent
from antiquity.play.opening import Opening, warm
from antiquity.play.server import Welcome, serve
from antiquity.play.session import Session
from antiquity.play.watching import Watching
from test_play import HOST


def client_of(opening: Opening[Session]) -> TestClient:
    return TestClient(Welcome(opening, [HOST]), base_url=f"http://{HOST}")


def test_the_page_is_there_before_the_game_and_becomes_it() -> None:
    go_on = threading.Event()

    def make() -> Session:
        assert go_on.wait(30)
        return Session("dice", ["greedy"], seed=1)

    opening = Opening(make, "7 Wonders Dice")
    client = client_of(opening)
    page = client.get("/")
    assert "7 Wonders Dice" in page.text and "Compiling the rules" in page.text
    rules = page.headers["content-security-policy"]
    assert "default-src 'none'" in rules and "frame-ancestors 'none'" in rules
    assert page.headers["x-frame-options"] == "DENY"
    status = client.get("/opening").json()
    assert status.keys() == {"ready", "compiling", "seconds", "error"} and not status["ready"]
    for path in ("/", "/opening"):
        assert client.get(path, headers={"Host": "evil.example"}).status_code == 403
    assert client.post("/opening", headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.get("/state").status_code == 404
    opening.wait(0.01)
    assert not opening.ready
    go_on.set()
    opening.wait(30)
    assert opening.result().seat == 0
    assert client.get("/opening").json()["ready"]
    assert client.get("/opening", headers={"Host": "evil.example"}).status_code == 403
    assert client.get("/state").json()["step"] == 0
    opening.close()


def test_what_fails_while_it_is_set_up_is_said_there_and_raised() -> None:
    def make() -> Session:
        raise ValueError("no such table")

    opening = Opening(make)
    with pytest.raises(ValueError, match="no such table"):
        opening.result()
    client = client_of(opening)
    assert client.get("/opening").json()["error"] == "no such table"
    assert client.get("/").status_code == 200 and client.get("/state").status_code == 404
    opening.close()
    said: list[str] = []
    with pytest.raises(ValueError, match="no such table"):
        serve(opening, browser=False, say=said.append)
    assert said[0].startswith("Antiquity is at http://127.0.0.1:")


@pytest.mark.parametrize("game", ["seven_wonders", "stone_age", "dice"])
def test_warming_up_changes_nothing_and_asks_no_program(game: str) -> None:
    asked = []

    def ask(observations: Any, masks: Any) -> Any:
        asked.append(observations)
        return masks.argmax(axis=1)

    session = Session(game, ["search:simulations=9", "expert:simulations=2", CallableAgent(ask)], seed=1)
    record, state, times = session.batch.games.copy(), session.view(), len(asked)
    warm(session)
    assert len(asked) == times and np.array_equal(session.batch.games, record) and session.view() == state
    watching = Watching(game, ["random", "greedy", "expert:simulations=2"], seed=2)
    record = watching.batch.games.copy()
    warm(watching)
    assert np.array_equal(watching.batch.games, record) and watching.step == 0
    while not watching.over:
        watching.next(watching.step)
    warm(watching)
