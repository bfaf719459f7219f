"""A headless Chromium for the tests of pages, driven over its debugging pipe: nothing to install but the browser."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PATH = next(
    filter(
        None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))
    ),
    None,
)
needs_chromium = pytest.mark.skipif(
    PATH is None, reason="no Chromium or Chrome is installed, and this test drives one"
)
SECONDS = 60.0
"""How long a command or a condition may take, on a busy machine."""


class Page:
    """One page of a running Chromium."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.errors: list[str] = []
        """What the page's scripts threw, and what it logged as errors."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._session = session
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """A command of the DevTools protocol."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = os.read(self._answers, 1 << 16)
            assert piece, "Chromium has closed its pipe"
            self._buffer += piece
        text, _, self._buffer = self._buffer.partition(b"\0")
        answer: dict[str, Any] = json.loads(text)
        if answer.get("method") == "Runtime.exceptionThrown":
            details = answer["params"]["exceptionDetails"]
            self.errors.append(str(details.get("exception", details).get("description", details)))
        if answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
            self.errors.append(answer["params"]["entry"]["text"])
        return answer

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, condition: str) -> Any:
        """The value of an expression as soon as it is truthy."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            value = self.run(condition)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"{condition} did not come true; errors of the page: {self.errors}")

    def open(self, address: str, condition: str = "document.readyState === 'complete'") -> None:
        """Go to an address, and wait for the condition there."""
        self.call("Page.navigate", url=address)
        self.wait(f"location.href !== 'about:blank' && ({condition})")

    def look(self, width: int, height: int, dark: bool = False) -> None:
        """Size of the window, light or dark."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def screenshot(self, path: Path) -> None:
        """Write what the window shows as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """Start Chromium with an empty profile in the folder `profile`; it is stopped at the end."""
    assert PATH is not None
    read_commands, commands = os.pipe()
    answers, write_answers = os.pipe()

    def connect() -> None:  # in the child: the browser reads from descriptor 3 and writes to 4
        os.dup2(read_commands, 30)
        os.dup2(write_answers, 31)
        os.dup2(30, 3)
        os.dup2(31, 4)
        os.set_inheritable(3, True)
        os.set_inheritable(4, True)

    flags = [
        "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
        "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
        f"--user-data-dir={profile}",
    ]  # fmt: skip
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # root has no sandbox to give
    process = subprocess.Popen(
        [PATH, *flags],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=False,
        preexec_fn=connect,  # noqa: PLW1509 (no threads here)
    )
    try:
        yield Page(commands, answers)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for descriptor in (read_commands, commands, answers, write_answers):
            os.close(descriptor)
