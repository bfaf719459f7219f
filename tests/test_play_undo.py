"""Taking back one's own choice, and clients that leave."""

from __future__ import annotations

import asyncio
import random
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.agents.base import CallableAgent
from antiquity.play.server import make_app
from antiquity.play.session import Session, StaleError
from antiquity.study.replay import Replay
from stone_age_env import state as stone_age
from test_play import OWN, client_of


def play(session: Session, rng: random.Random) -> None:
    legal = session.legal()
    session.choose(rng.choice(legal))


@pytest.mark.parametrize("game", ["stone_age", "dice"])
def test_a_choice_that_has_shown_nothing_new_can_be_taken_back(game: str, tmp_path: Path) -> None:
    session = Session(game, ["greedy"], seed=4, save=tmp_path / "game.jsonl")
    rng, taken = random.Random(1), 0
    while not session.over:
        before, step = session.view(), session.step
        record = session.batch.games.copy()
        play(session, rng)
        if not session.over and session.view()["undo"]:
            taken += 1
            session.take_back()
            after = session.view()
            assert np.array_equal(session.batch.games, record)
            # The one before it can be taken back, too, if it could be before.
            assert after == before
            assert session.step == step == len(Replay.read(tmp_path / "game.jsonl", check=False).steps)
            play(session, rng)
    assert taken > 5
    assert Replay.read(tmp_path / "game.jsonl").end == "terminated"


def test_what_was_revealed_stays() -> None:
    """The choices of others, and dice: nobody rolls, looks, and rolls for something else."""
    session = Session("seven_wonders", ["greedy", "greedy"], seed=1)
    session.choose(session.legal()[0])
    with pytest.raises(ValueError, match="nothing can be taken back"):
        session.take_back()
    with pytest.raises(StaleError):
        session.take_back(0)
    session = Session("stone_age", ["greedy"], seed=2)
    rng, rolled, spent = random.Random(3), 0, 0
    while not session.over:
        phase = int(session.batch.games[0]["phase"])
        dice = any(action >= stone_age.RESOLVE_ACTIONS + stone_age.FOREST for action in session.legal())
        play(session, rng)
        now = session.batch.games[0]
        if session.over or len({seat for _, seat, _ in session.events}) > 1:
            continue
        if phase != stone_age.TOOLS and int(now["phase"]) == stone_age.TOOLS and dice:
            rolled += 1
            assert not session.view()["undo"]
        elif phase == int(now["phase"]) == stone_age.PAY:
            spent += 1
            assert session.view()["undo"]
    assert rolled and spent


def test_a_choice_that_others_still_think_about_can_be_taken_back() -> None:
    asked, go_on = threading.Event(), threading.Event()

    def slow(observations: Any, masks: Any) -> Any:
        asked.set()
        assert go_on.wait(30)
        return [int(np.flatnonzero(mask)[0]) for mask in masks]

    session = Session("seven_wonders", [CallableAgent(slow), "greedy"], seed=1)
    record, first = session.batch.games.copy(), session.legal()[0]
    chooser = threading.Thread(target=session.choose, args=(first,))
    chooser.start()
    assert asked.wait(30)
    assert session.thinking.seat == 1
    undoer = threading.Thread(target=session.take_back)
    undoer.start()
    while not session._cancelled:
        pass
    go_on.set()
    chooser.join(30)
    undoer.join(30)
    assert np.array_equal(session.batch.games, record) and session.events == [] and session.log == []
    session.choose(first)
    assert session.step


def test_taking_back_over_http() -> None:
    session = Session("dice", ["greedy"], seed=5)
    client = client_of(session)
    rng = random.Random(2)
    while not session.view()["undo"]:
        play(session, rng)
    state = client.get("/state").json()
    assert client.get("/undo").status_code == 405
    assert client.post("/undo", json={"step": state["step"] - 1}, headers=OWN).status_code == 409
    assert client.post("/undo", json={"action": 1}, headers=OWN).status_code == 400
    assert client.get("/thinking").json() == {"seat": None, "seconds": None, "usual": None}
    answer = client.post("/undo", json={"step": state["step"]}, headers=OWN)
    assert answer.status_code == 200 and answer.json()["step"] == session.step < state["step"]


def test_pictures_over_http_fit_the_room() -> None:
    client = client_of(Session("dice", ["greedy"], seed=5))
    for asked, width in (
        ("374", 360),
        ("1100", 1040),
        ("", 1280),
        ("-1", 1280),
        ("9" * 400, 1280),
        ("1", 360),
    ):
        state = client.get("/state", params={"width": asked}).json()
        assert f'viewBox="0 0 {width} ' in state["table"], asked


@pytest.mark.parametrize("path", ["/choose", "/undo"])
def test_a_client_that_leaves_is_no_fault(path: str) -> None:
    session = Session("dice", ["greedy"], seed=5)
    app = make_app(session, ["127.0.0.1:1"])
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [
        (b"host", b"127.0.0.1:1"),
        (b"origin", b"http://127.0.0.1:1"),
        (b"content-type", b"application/json"),
    ]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""}
    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 400 and session.step == 0
