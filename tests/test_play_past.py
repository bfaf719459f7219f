"""Looking back during a game: the table as the person saw it then, and nothing more; who is thinking, and how long."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from antiquity.agents.base import CallableAgent
from antiquity.play.server import make_app
from antiquity.play.session import Session
from antiquity.play.thinking import Thinking
from antiquity.play.watching import Watching
from antiquity.study.page import picture
from test_play import HOST, OWN, client_of


@pytest.mark.parametrize(
    ("game", "others", "steps"), [("seven_wonders", 3, 12), ("stone_age", 2, 50), ("dice", 2, 12)]
)
def test_an_earlier_moment_is_shown_as_the_seat_saw_it_then(game: str, others: int, steps: int) -> None:
    session = Session(game, ["greedy"] * others, seat=1, seed=6)
    client, rng = client_of(session), random.Random(4)
    saw: dict[int, str] = {}
    while not session.over and session.step < steps:
        state = client.get("/state", params={"width": 1300}).json()
        saw[state["step"]] = state["table"]
        session.choose(rng.choice(session.legal()))
    log = client.get("/state").json()["log"]
    found = {
        entry["step"]: client.get("/past", params={"step": entry["step"], "width": 1300}).json()
        for entry in log
    }
    assert found.keys() >= saw.keys() - {session.step}
    now = session.batch.games.copy()
    for step, then in found.items():
        assert then["heading"] and then.keys() == {"step", "heading", "table"}
        if step in saw:
            assert then["table"] == saw[step]
        # What was hidden from the seat is not in it: in any other world that it could think of it looked the same.
        world = session.batch.clone()
        world.set_games(session.chronicle.record(step))
        open_table = picture(session.game, world, None, 1300)
        world.determinize(0, 1, 99)
        assert picture(session.game, world, 1, 1300) == then["table"] != open_table
    assert np.array_equal(session.batch.games, now)


def test_moments_that_are_not_in_the_log_are_not_shown() -> None:
    session = Session("dice", ["greedy", "greedy"], seed=3)
    client, rng, hidden = client_of(session), random.Random(2), 0
    while session.step < 12:
        session.choose(rng.choice(session.legal()))
        shown = {entry["step"] for entry in session.log}
        for step in {*range(session.step + 1)} - shown:
            hidden += step < session.step
            assert client.get("/past", params={"step": step}).status_code == 404
    for strange in ("", "-1", "x", "1e3", "9" * 30, "²"):
        assert client.get("/past", params={"step": strange}).status_code == 404
    assert client.post("/past", json={"step": 0}, headers=OWN).status_code == 405
    assert client.get("/past", params={"step": 0}, headers={"Host": "evil.example"}).status_code == 403
    while not session.view()["undo"]:
        session.choose(rng.choice(session.legal()))
    undone = session.step - 1
    session.take_back()
    assert undone >= session.step and client.get("/past", params={"step": undone}).status_code == 404


def test_whoever_watches_looks_back_at_all() -> None:
    watching = Watching("seven_wonders", ["greedy"] * 3, seed=4)
    client = TestClient(make_app(watching, [HOST]), base_url=f"http://{HOST}")
    before = client.get("/state").json()["table"]
    for step in range(3):
        client.post("/next", json={"step": step}, headers=OWN)
    assert client.get("/past", params={"step": 0}).json()["table"] == before


def test_who_is_thinking_is_timed() -> None:
    asked, go_on = threading.Event(), threading.Event()

    def slow(observations: Any, masks: Any) -> Any:
        asked.set()
        assert go_on.wait(30)
        return [int(np.flatnonzero(mask)[0]) for mask in masks]

    session = Session("seven_wonders", [CallableAgent(slow), "search:milliseconds=2000"], seed=1)
    client = client_of(session)
    assert client.get("/thinking").json() == {"seat": None, "seconds": None, "usual": None}
    assert session.thinking.usual(1) is None and session.thinking.usual(2) == 2
    chooser = threading.Thread(target=session.choose, args=(session.legal()[0],))
    chooser.start()
    assert asked.wait(30)
    first = client.get("/thinking").json()
    assert first["seat"] == 1 and first["seconds"] >= 0 and first["usual"] is None
    go_on.set()
    chooser.join(60)
    usual = session.thinking.usual(1)
    assert usual is not None and usual >= first["seconds"]


def test_agents_of_one_name_take_alike_and_single_choices_do_not_count() -> None:
    thinking = Thinking(["human", "expert", "expert"], {})
    for choices, seconds in ((2, 0.02), (1, 0.0), (3, 0.02)):
        with thinking.of(1, choices):
            time.sleep(seconds)
            assert thinking.seat == 1
    usual = thinking.usual(2)
    assert thinking.seat is None and usual is not None and 0.02 <= usual < 10
    assert thinking.usual(0) is None
