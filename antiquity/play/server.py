"""The page for playing, served to this machine alone.

What another page in the same browser could try is refused: requests under another host name (DNS rebinding), and
changes that don't come from our own page. Nothing changes by GET, and nothing is loaded from elsewhere.
"""

from __future__ import annotations

import json
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from antiquity.play.opening import Opening
from antiquity.play.session import Session, StaleError
from antiquity.play.watching import Watching
from antiquity.study.page import fill, policy, read_asset, replay_page

HOST = "127.0.0.1"
MOST_BYTES = 1000
"""The longest body of a request."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Accepts requests of our own page alone, and puts :data:`HEADERS` on every response.

    Args:
        hosts: what the Host header may be.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                added = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *added]}
            await send(message)

        refusal = self._refusal(Request(scope))
        app = self.app if refusal is None else PlainTextResponse(refusal, 403)
        await app(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> str | None:
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            return "refused: this server answers under its own address alone"
        if request.method in ("GET", "HEAD"):
            return None
        if request.headers.getlist("origin") != [f"http://{hosts[0]}"]:
            return "refused: the request does not come from this server's own page"
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return "refused: JSON is expected"
        return None


def make_app(session: Session | Watching, hosts: Sequence[str]) -> Starlette:
    """The application.

    ``GET /``: the page. ``GET /state``: what the person sees, as JSON (:meth:`Session.view`). ``POST /choose`` with
    ``{"step": 7, "action": 12}``: take a choice and respond with the new state; 409 if that decision is over, 400 if
    the action is not legal. ``POST /undo`` with ``{"step": 7}``: take it back. ``GET /thinking``: the seat whose agent
    is thinking, for how long, and its usual time. ``GET /past?step=3``: the table before a step of the log, as the
    person saw it then; 404 if that step is not in the log. ``GET /advice``: what an analysis says of the decision,
    once it is worked out. A game that is watched has ``POST /next`` with ``{"step": 7}`` instead. With
    ``?width=374`` the picture is laid out for a room so wide. ``GET /game.jsonl`` and ``GET /replay.html``: the
    replay, once the game is over.

    Args:
        session: the game.
        hosts: what the Host header of a request may be, such as ``"127.0.0.1:8642"``.
    """
    script = read_asset("play.js", "antiquity.play")
    page = fill(
        read_asset("play.html", "antiquity.play"),
        title=session.game.title,
        style=read_asset("page.css") + read_asset("play.css", "antiquity.play"),
        script=script,
    )
    page_policy = policy(script, connect="'self'") + "; frame-ancestors 'none'"

    async def index(request: Request) -> Response:
        return HTMLResponse(page, headers={"Content-Security-Policy": page_policy})

    async def state(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(session.view, _room(request)))

    def changing(names: Sequence[str], change: Callable[..., None]) -> Callable[[Request], Any]:
        """What is done with a body of these whole numbers; the answer is the new state."""

        async def endpoint(request: Request) -> Response:
            try:
                await run_in_threadpool(change, *_read_whole(await _body(request), names))
            except ClientDisconnect:
                return Response(status_code=400)  # nobody is there to read it
            except _TooLongError:
                return JSONResponse({"error": "the request is too long"}, 413)
            except StaleError as error:
                return JSONResponse({"error": str(error)}, 409)
            except (ValueError, TypeError) as error:
                return JSONResponse({"error": str(error)}, 400)
            return await state(request)

        return endpoint

    def once_over(make: Callable[[], Response]) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            if not session.over:
                return JSONResponse(
                    {"error": "the game is not over, and its replay shows everybody's cards"}, 409
                )
            return await run_in_threadpool(make)

        return endpoint

    def game_file() -> Response:
        text = "".join(f"{line}\n" for line in session.replay().lines())
        name = f'attachment; filename="{session.game.name}.jsonl"'
        return Response(text, media_type="application/x-ndjson", headers={"Content-Disposition": name})

    def replay() -> Response:
        return HTMLResponse(replay_page(session.replay()))

    async def advice(request: Request) -> Response:
        assert isinstance(session, Session)
        return JSONResponse({"step": session.step, "judged": await run_in_threadpool(session.advice)})

    async def thinking(request: Request) -> Response:
        assert isinstance(session, Session)
        return JSONResponse(session.thinking.report())

    async def past(request: Request) -> Response:
        asked = request.query_params.get("step", "")
        try:
            step = int(asked) if asked.isdecimal() and len(asked) < 7 else -1
            return JSONResponse(await run_in_threadpool(session.past, step, _room(request)))
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 404)

    if isinstance(session, Watching):
        own = [Route("/next", changing(("step",), session.next), methods=["POST"])]
    else:
        person = session
        own = [
            Route(
                "/choose",
                changing(("step", "action"), lambda step, action: person.choose(action, step)),
                methods=["POST"],
            ),
            Route("/undo", changing(("step",), person.take_back), methods=["POST"]),
            Route("/thinking", thinking),
            Route("/advice", advice),
        ]
    routes = [
        Route("/", index),
        Route("/state", state),
        Route("/past", past),
        *own,
        Route("/game.jsonl", once_over(game_file)),
        Route("/replay.html", once_over(replay)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, hosts=hosts)])


class Welcome:
    """Answers with a page that says what is waited for until the game is there, then as :func:`make_app` does.

    ``GET /opening``: how far it is (:meth:`antiquity.play.opening.Opening.status`).

    Args:
        opening: the game that is being set up.
        hosts: as for :func:`make_app`.
    """

    def __init__(self, opening: Opening[Any], hosts: Sequence[str]) -> None:
        self._opening, self._hosts = opening, hosts
        self._app: ASGIApp | None = None
        routes = [Route("/", self._index), Route("/opening", self._status)]
        self._waiting = Starlette(routes=routes, middleware=[Middleware(Guard, hosts=hosts)])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._app is None and self._opening.ready and not self._opening.status()["error"]:
            self._app = make_app(self._opening.result(), self._hosts)
        app = self._waiting if self._app is None or scope.get("path") == "/opening" else self._app
        await app(scope, receive, send)

    async def _index(self, request: Request) -> Response:
        script = read_asset("opening.js", "antiquity.play")
        page = fill(
            read_asset("opening.html", "antiquity.play"),
            title=self._opening.title,
            style=read_asset("page.css"),
            script=script,
        )
        allowed = policy(script, connect="'self'") + "; frame-ancestors 'none'"
        return HTMLResponse(page, headers={"Content-Security-Policy": allowed})

    async def _status(self, request: Request) -> Response:
        return JSONResponse(self._opening.status())


class _TooLongError(ValueError):
    """A body that is longer than any of ours."""


def _room(request: Request) -> int | None:
    """The width that the page has for the picture, in CSS pixels."""
    asked = request.query_params.get("width", "")
    return int(asked) if asked.isdecimal() and len(asked) < 6 else None


async def _body(request: Request) -> bytes:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise _TooLongError("the request is too long")
    return body


def _read_whole(body: bytes, names: Sequence[str]) -> list[int]:
    """The whole numbers of an object that has these keys."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or value.keys() != set(names):
        raise ValueError('a choice is {"step": 7, "action": 12}')
    if any(type(value[name]) is not int for name in names):
        raise ValueError("step and action are whole numbers")
    return [value[name] for name in names]


def serve(
    session: Session | Watching | Opening[Any],
    *,
    port: int = 0,
    browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the page until the person presses Ctrl-C.

    Args:
        session: the game, or one that is being set up: what goes wrong there is raised here.
        port: where; 0 takes a free one.
        browser: open the page in the person's browser.
        say: called with the address.

    Raises:
        OSError: the port is taken.
    """
    import uvicorn

    opening = session if isinstance(session, Opening) else None
    title = opening.title if opening is not None else session.game.title  # type: ignore[union-attr]

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
        port = listener.getsockname()[1]
        hosts = [f"{HOST}:{port}", f"localhost:{port}"]
        address = f"http://{HOST}:{port}/"
        say(f"{title} is at {address} (Ctrl-C ends it)")
        config = uvicorn.Config(
            Welcome(session, hosts) if isinstance(session, Opening) else make_app(session, hosts),
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        if browser:
            webbrowser.open(address)
        server = uvicorn.Server(config)
        if opening is not None:
            threading.Thread(target=_stop_if_it_fails, args=(opening, server), daemon=True).start()
        server.run(sockets=[listener])
    if opening is not None and opening.ready:
        opening.result()


def _stop_if_it_fails(opening: Opening[Any], server: Any) -> None:
    """Stop the server when the game cannot be set up, once the page has had time to say so."""
    try:
        opening.result()
    except BaseException:
        time.sleep(2)
        server.should_exit = True
