"""Playing against agents: the session, its saved file, the server's manners, the page, the terminal."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from antiquity.agents.base import CallableAgent
from antiquity.cli.play import split_agents
from antiquity.play.advice import judge
from antiquity.play.opening import Opening
from antiquity.play.server import Welcome, make_app
from antiquity.play.session import Session, StaleError
from antiquity.play.terminal import play_in_terminal
from antiquity.play.watching import Watching
from antiquity.study.replay import Replay
from chromium import Page, chromium, needs_chromium

HOST = "127.0.0.1:8642"
OWN = {"Origin": f"http://{HOST}"}


def client_of(session: Session) -> TestClient:
    return TestClient(make_app(session, [HOST]), base_url=f"http://{HOST}")


def choose(client: TestClient, state: dict[str, Any], action: int) -> dict[str, Any]:
    answer = client.post("/choose", json={"step": state["step"], "action": action}, headers=OWN)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def client() -> TestClient:
    return client_of(Session("seven_wonders", ["greedy", "random"], seed=1))


# --- whole games over HTTP ---


@pytest.mark.parametrize(
    ("game", "against"),
    [
        ("seven_wonders", ["search:simulations=4", "greedy", "random"]),
        ("stone_age", ["random"]),
        ("dice", ["greedy"]),
    ],
)
def test_a_whole_game_over_http(game: str, against: list[str], tmp_path: Path) -> None:
    session = Session(game, against, seat=1, seed=2, save=tmp_path / "game.jsonl")
    client = client_of(session)
    state = client.get("/state").json()
    assert state["names"][1] == "human"
    assert client.get("/replay.html").status_code == 409
    while not state["over"]:
        assert state["points"] == []
        action, words, _ = state["actions"][state["step"] % len(state["actions"])]
        step = state["step"]
        state = choose(client, state, action)
        assert [step, 1, words] in state["events"]
    replay = Replay.read(tmp_path / "game.jsonl")
    assert replay.end == "terminated"
    assert [row[-2] for row in state["points"]] == [row["total"] for row in replay.scores]
    assert state["ranks"] == [row["rank"] for row in replay.scores]
    assert client.get("/game.jsonl").text == (tmp_path / "game.jsonl").read_text(encoding="utf-8")
    answer = client.post("/choose", json={"step": state["step"], "action": 1}, headers=OWN)
    assert answer.status_code == 409


def test_payments_and_picks_from_the_discard_are_decisions() -> None:
    seen = set()
    boards = ["halikarnassos", None, None]
    for seed in range(8):
        client = client_of(Session("seven_wonders", ["greedy", "greedy"], seed=seed, boards=boards))
        state = client.get("/state").json()
        while not state["over"]:
            best = max(
                state["actions"],
                key=lambda pair: ("wonder stage" in pair[1], pair[1].startswith("build"), pair[0]),
            )
            seen |= {kind for kind in ("pay ", "from the discard") if kind in best[1]}
            state = choose(client, state, best[0])
        if len(seen) == 2:
            break
    assert seen == {"pay ", "from the discard"}


def test_the_end_can_be_looked_back_at() -> None:
    session = Session("seven_wonders", ["greedy", "greedy"], seed=1)
    while not session.over:
        session.choose(session.legal()[0])
    page = client_of(session).get("/replay.html")
    assert page.status_code == 200
    assert "7 Wonders: replay" in page.text


# --- what a person may see ---


def test_nothing_hidden_is_sent(client: TestClient) -> None:
    session = Session("seven_wonders", ["random", "random"], seed=1)
    client = client_of(session)
    state = client.get("/state").json()
    sales = 0
    while not state["over"]:
        for _, seat, words in state["events"]:
            sales += seat != 0 and words == "sell a card"
            assert seat == 0 or not re.match(r"sell (?!a card)|build wonder stage \d with", words)
        state = choose(client, state, state["actions"][0][0])
    assert sales


def test_choices_of_a_turn_that_is_revealed_as_a_whole_are_told_at_its_end() -> None:
    session = Session("dice", ["greedy", "greedy"], seed=3)
    told: set[tuple[int, int]] = set()
    within = 0
    while not session.over:
        turn, legal = int(session.batch.games[0]["turn"]), session.legal()
        session.choose(legal[session.step % len(legal)])
        others = {(step, seat) for step, seat, _ in session.events if seat != 0}
        if not session.over and int(session.batch.games[0]["turn"]) == turn:
            within += 1
            assert not others
        assert not others & told
        told |= others
    steps = session.replay().steps
    assert within
    assert told == {(k, choice.seat) for k, step in enumerate(steps) for choice in step if choice.seat != 0}


# --- the server's manners ---


def test_the_page_loads_nothing_and_cannot_be_framed(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert (
        "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe-eval" not in policy
    )
    assert page.headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"""(src|href)=["'](https?:)?//""", page.text)


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", f"{HOST}.evil.example", "localhost"]
)
def test_another_host_name_is_refused(client: TestClient, host: str) -> None:
    for path in ("/", "/state", "/past?step=0", "/thinking", "/advice"):
        assert client.get(path, headers={"Host": host}).status_code == 403
    body = {"step": 0, "action": 1}
    assert (
        client.post("/choose", json=body, headers={"Host": host, "Origin": f"http://{host}"}).status_code
        == 403
    )


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://127.0.0.1:8642", "http://127.0.0.1:1"]
)
def test_only_our_own_page_may_choose(client: TestClient, origin: str | None) -> None:
    state = client.get("/state").json()
    headers = {} if origin is None else {"Origin": origin}
    body = {"step": state["step"], "action": state["actions"][0][0]}
    assert client.post("/choose", json=body, headers=headers).status_code == 403
    assert client.post("/undo", json={"step": state["step"]}, headers=headers).status_code == 403
    assert client.get("/state").json() == state


def test_get_and_other_bodies_change_nothing(client: TestClient) -> None:
    state = client.get("/state").json()
    action = state["actions"][0][0]
    assert client.get("/choose", params={"step": 0, "action": action}).status_code == 405
    form = client.post("/choose", data={"step": 0, "action": action}, headers=OWN)
    assert form.status_code == 403
    plain = client.post(
        "/choose", content='{"step": 0, "action": 1}', headers={**OWN, "Content-Type": "text/plain"}
    )
    assert plain.status_code == 403
    assert client.get("/state").json() == state


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ('{"step": 0, "action": 250}', 400, "not legal"),
        ('{"step": 0, "action": 99999}', 400, "from 0 to 257"),
        ('{"step": 0, "action": "1"}', 400, "whole numbers"),
        ('{"step": 0, "action": true}', 400, "whole numbers"),
        ('{"step": 0}', 400, "a choice is"),
        ("[" * 900, 400, "a choice is"),
        ("{", 400, "a choice is"),
        ('{"step": 3, "action": 1}', 409, "over"),
        (" " * 2000, 413, "too long"),
    ],
)
def test_a_bad_choice_is_explained_and_changes_nothing(
    client: TestClient, body: str, status: int, message: str
) -> None:
    before = client.get("/state").json()
    answer = client.post("/choose", content=body, headers={**OWN, "Content-Type": "application/json"})
    assert answer.status_code == status
    assert message in answer.json()["error"]
    assert client.get("/state").json() == before


# --- saving and going on ---


def test_a_saved_game_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    straight = Session("stone_age", ["greedy", "greedy"], seat=2, seed=4)
    broken = Session("stone_age", ["greedy", "greedy"], seat=2, seed=4, save=path)
    for _ in range(6):
        action = straight.legal()[-1]
        straight.choose(action)
        broken.choose(action)
        broken = Session.resume(path)
    assert (broken.seat, broken.names) == (2, ("greedy", "greedy", "human"))
    assert broken.batch.games[0].tobytes() == straight.batch.games[0].tobytes()
    assert broken.legal() == straight.legal()


def test_a_saved_game_starts_no_program_and_opens_no_model(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    Session("dice", ["greedy"], seed=1, save=path)
    for name in (
        "external:touch owned",
        "model.zip",
        "policy:model.zip",
        "policy:path=model.zip",
        "expert:simulations=9,path=model.npz",
    ):
        path.write_text(path.read_text(encoding="utf-8").replace('"greedy"', f'"{name}"'), encoding="utf-8")
        with pytest.raises(ValueError, match="--against"):
            Session.resume(path)
        assert Session.resume(path, against=["random"]).names == ("human", "random")
        path.write_text(path.read_text(encoding="utf-8").replace(f'"{name}"', '"greedy"'), encoding="utf-8")
    with pytest.raises(ValueError, match="1 agents are needed"):
        Session.resume(path, against=["random", "random"])


def test_closing_a_session_ends_what_its_agents_have_started() -> None:
    class Closing(CallableAgent):
        closed = False

        def close(self) -> None:
            self.closed = True

    agent = Closing(lambda observations, masks: masks.argmax(axis=1))
    session = Session("dice", [agent], seed=1)
    session.choose(session.legal()[0])
    session.close()
    assert agent.closed


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no agent is called"):
        Session("dice", ["clever"])
    with pytest.raises(ValueError, match="from 0 to 1"):
        Session("dice", ["greedy"], seat=2)
    with pytest.raises(ValueError, match="3 to 7"):
        Session("seven_wonders", ["greedy"])
    session = Session("dice", ["greedy"], seed=1)
    with pytest.raises(StaleError):
        session.choose(1, step=5)
    with pytest.raises(FileNotFoundError):
        Session.resume(tmp_path / "missing.jsonl")


def test_agents_are_told_apart_from_their_options() -> None:
    assert split_agents("search,greedy,random") == ["search", "greedy", "random"]
    assert split_agents("search:simulations=9,rollout=greedy,greedy") == [
        "search:simulations=9,rollout=greedy",
        "greedy",
    ]
    with pytest.raises(ValueError, match="name an agent"):
        split_agents("greedy,,greedy")


# --- the terminal ---


def test_a_game_in_the_terminal(tmp_path: Path) -> None:
    said: list[str] = []
    answers = iter(["", "0", "x", *["1"] * 200])
    session = Session("seven_wonders", ["greedy", "greedy"], seed=1, save=tmp_path / "game.jsonl")
    play_in_terminal(session, lambda prompt: next(answers), said.append)
    text = "\n".join(said)
    assert session.over
    assert "'x'? a number: choose" in text
    assert "you: build" in text and "seat 1, greedy: build" in text
    assert "tie-break" in said[-1] and "antiquity replay" in said[-1]


def test_stopping_in_the_terminal_says_how_to_go_on(tmp_path: Path) -> None:
    said: list[str] = []
    answers = iter(["1", "q"])
    path = tmp_path / "game.jsonl"
    play_in_terminal(
        Session("dice", ["greedy"], seed=1, save=path), lambda prompt: next(answers), said.append
    )
    assert said[-1] == f"the game is saved: antiquity play --resume {path}"
    assert Session.resume(path).step >= 1


# --- the page in a browser ---


@contextmanager
def running(session: Session | Opening[Session]) -> Iterator[str]:
    """Serve a session from this process, also one that is being set up; the address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        host = f"127.0.0.1:{listener.getsockname()[1]}"
        app = Welcome(session, [host]) if isinstance(session, Opening) else make_app(session, [host])
        config = uvicorn.Config(app, log_level="warning", lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://{host}/"
        finally:
            server.should_exit = True
            thread.join(30)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a game that the command line serves."""
    command = [
        sys.executable, "-m", "antiquity.cli", "play", "seven_wonders", "--against", "greedy,random", "--no-browser",
        "--seed", "3", "--save", str(tmp_path / "game.jsonl"),
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert found is not None
        yield found[0]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert re.search("the game is (in|saved)", process.stdout.read())


def press(page: Page, key: str) -> None:
    code, text = {"Tab": (9, ""), " ": (32, " "), "Escape": (27, ""), "ArrowDown": (40, "")}[key]
    for kind in ("keyDown", "keyUp"):
        typed = {"text": text} if text and kind == "keyDown" else {}
        page.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **typed)


@needs_chromium
def test_the_table_by_keyboard(served: str, tmp_path: Path) -> None:
    with chromium(tmp_path / "profile") as page:
        page.look(1280, 900)
        page.open(served, "document.body?.dataset.step")
        words = set(
            page.run("[...document.querySelectorAll('#actions button')].map((each) => each.textContent)")
        )
        labels = "[...document.querySelectorAll('#table [tabindex=\"0\"]')].map((each) => each.ariaLabel)"
        # One stop for each action that the table shows, and it says what it does.
        assert sorted(page.run(labels)) == sorted(words)
        assert page.run("document.querySelector('#table svg').role") == "group"
        page.run("document.getElementById('theme').focus()")
        press(page, "Tab")
        chosen = page.run("document.activeElement.ariaLabel")
        assert chosen in words
        press(page, " ")
        page.wait("document.body.dataset.step !== '0' && !document.body.classList.contains('busy')")
        assert f"you: {chosen}" in page.run("document.getElementById('events').textContent")
        assert page.run("document.activeElement.id") == "what"
        # An entry of the log leads to that moment, and Escape back to now.
        table = page.run("document.getElementById('table').innerHTML")
        page.run("document.querySelector('#events button.row').click()")
        page.wait("document.body.dataset.past === '0' && !document.getElementById('then').hidden")
        assert page.run("document.getElementById('then').textContent").startswith(
            "The table as it was: Age I"
        )
        assert page.run("document.getElementById('choice').inert")
        assert page.run("document.getElementById('table').innerHTML") != table
        press(page, "Escape")
        page.wait("document.getElementById('then').hidden && !document.getElementById('choice').inert")
        assert page.run("document.getElementById('table').innerHTML") == table
        # A card's menu: arrows go through it, and Escape leads back to the card.
        page.run(
            "document.querySelector('#table [data-actions*=\" \"]').dispatchEvent(new MouseEvent('click'))"
        )
        press(page, "ArrowDown")
        assert page.run("document.activeElement.previousElementSibling.role") == "menuitem"
        press(page, "Escape")
        assert " " in page.run("document.activeElement.dataset.actions")
        assert page.run("document.getElementById('menu').hidden")
        assert page.errors == []


@needs_chromium
def test_pages_fit_windows_of_all_sizes(tmp_path: Path) -> None:
    with chromium(tmp_path / "profile") as page:
        for game, others in (("seven_wonders", 6), ("stone_age", 3), ("dice", 6)):
            session = Session(
                game, ["random"] * others, seed=5, save=tmp_path / "a_long_name_for_a_game.jsonl"
            )
            with running(session) as address:
                for over in (False, True):
                    while over and not session.over:
                        session.choose(session.legal()[-1])
                    for width in (1440, 1000, 768, 390):
                        page.look(width, 900)
                        page.open(address, f"document.body?.dataset.over === '{str(over).lower()}'")
                        assert page.run("document.documentElement.scrollWidth") <= width, (game, width)
                        # The picture fits its room, and is never shown smaller than it is drawn.
                        assert page.run("document.getElementById('table').scrollWidth") <= width
                        shown = page.run(
                            "(() => { const svg = document.querySelector('#table svg');"
                            " return svg.clientWidth / svg.viewBox.baseVal.width; })()"
                        )
                        assert shown >= 1, (game, width)
                        assert page.run("document.getElementById('choice').offsetHeight > 0") != over
        assert page.errors == []


@needs_chromium
def test_the_page_says_what_it_waits_for_and_when_a_choice_was_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session("dice", ["random"], seed=5, save=tmp_path / "game.jsonl")
    go_on = threading.Event()
    monkeypatch.setattr(Opening, "compiling", property(lambda self: True))

    def make() -> Session:
        assert go_on.wait(60)
        return session

    opening = Opening(make, "7 Wonders Dice")
    said = "document.getElementById('message').textContent"
    click = "document.querySelector('#actions button').click()"
    with chromium(tmp_path / "profile") as page:
        with running(opening) as address:
            page.open(address, "document.body?.dataset.compiling")
            assert "once after installing" in page.run("document.body.textContent")
            go_on.set()
            page.wait("document.body?.dataset.step")  # it comes by itself
            assert page.errors == []
            session.choose(session.legal()[0])  # in another window
            page.run(click)
            page.wait(f"{said} === 'Not taken: this decision is over'")
            page.wait(f"document.body.dataset.step === '{session.step}'")
            page.run(click)
            page.wait("document.getElementById('message').hidden")
        page.run(click)
        assert f"--resume {session.path}" in page.wait(f"{said}.includes('does not answer') && {said}")
        asked = threading.Event()

        def slow(observations: Any, masks: Any) -> Any:
            assert asked.wait(60)
            return masks.argmax(axis=1)

        with running(Session("dice", [CallableAgent(slow)], seed=5)) as address:
            page.look(768, 600)
            page.open(address, "document.body?.dataset.step")
            page.run(click)
            # The actions lie below the table, far out of sight: the foot of the window says it.
            foot = "document.getElementById('waiting')"
            page.wait(f"{foot}.textContent.includes('is thinking, 1 s')")
            assert page.run(f"{foot}.getBoundingClientRect().bottom === innerHeight")
            asked.set()
            page.wait(f"{foot}.hidden")
            page.look(1440, 900)
            assert page.run(f"getComputedStyle({foot}).display") == "none"


@needs_chromium
def test_a_whole_game_by_clicks(served: str, tmp_path: Path) -> None:
    with chromium(tmp_path / "profile") as page:
        page.look(1280, 900)
        page.open(served, "document.body?.dataset.step")
        clicks = {"table": 0, "menu": 0, "list": 0}
        while page.run("document.body.dataset.over") != "true":
            step = page.run("document.body.dataset.step")
            groups = page.run("document.querySelectorAll('#table [data-actions]').length")
            if groups and sum(clicks.values()) % 4 < 3:
                where = f"document.querySelectorAll('#table [data-actions]')[{sum(clicks.values()) % groups}]"
                page.run(f"{where}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
                clicks["table"] += 1
                if page.run("!document.getElementById('menu').hidden"):
                    page.run("document.querySelector('#menu button').click()")
                    clicks["menu"] += 1
            else:
                page.run("document.querySelector('#actions button').click()")
                clicks["list"] += 1
            page.wait(f"document.body.dataset.step !== '{step}' && !document.body.classList.contains('busy')")
        assert min(clicks.values()) > 0
        replay = Replay.read(tmp_path / "game.jsonl")
        assert replay.end == "terminated"
        shown = page.run("document.getElementById('points').textContent")
        assert all(str(row["total"]) in shown for row in replay.scores)
        page.run("document.querySelector('a[href=\"/replay.html\"]').click()")
        page.wait("document.body?.dataset.ready === 'yes'")
        assert page.run("document.getElementById('step').textContent") == f"0 / {len(replay.steps)}"
        assert page.errors == []


# --- advice and watching ---


def test_advice_comes_beside_the_game_and_knows_what_the_seat_knows() -> None:
    with contextlib.closing(Session("seven_wonders", ["greedy", "random"], seed=1)) as session:
        client = client_of(session)
        started, answer = time.monotonic(), client.get("/advice").json()
        # Nothing waits for it.
        assert answer == {"step": 0, "judged": None} and time.monotonic() - started < 30
        while not answer["judged"]:
            assert time.monotonic() - started < 120
            time.sleep(0.2)
            answer = client.get("/advice").json()
        judged = answer["judged"]
        assert {each["action"] for each in judged["options"]} == set(session.legal())
        assert judged["played"] is None and 0 <= judged["chance"] <= 1
        here = judge(session.batch, session.seat, None)
        assert here["options"][0]["action"] == judged["options"][0]["action"]


def test_agents_are_watched_step_by_step(tmp_path: Path) -> None:
    watching = Watching("dice", ["greedy", "random"], seed=4, save=tmp_path / "game.jsonl")
    client = TestClient(make_app(watching, [HOST]), base_url=f"http://{HOST}")
    state = client.get("/state").json()
    assert state["watch"] and state["actions"] == [] and state["step"] == 0
    headers = {"origin": f"http://{HOST}"}
    assert client.post("/next", json={"step": 5}, headers=headers).status_code == 409
    assert client.post("/next", json={"step": "0"}, headers=headers).status_code == 400
    assert client.post("/next", json={"step": 0}, headers={"origin": "http://evil"}).status_code == 403
    assert client.post("/choose", json={"step": 0, "action": 1}, headers=headers).status_code == 404
    while not state["over"]:
        state = client.post("/next", json={"step": state["step"]}, headers=headers).json()
    assert len(state["log"]) == state["step"] and state["points"]
    assert Replay.read(tmp_path / "game.jsonl").agents == ("greedy", "random")
