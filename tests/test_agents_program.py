"""Programs that do not read, do not stop writing or do not go away: none of it reaches the process that asked them."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.agents.external import ExternalAgent
from antiquity.agents.program import LAST_WORDS, Program, ProgramError
from env_games import TOY, WONDERS
from test_agents_external import ask


def program(tmp_path: Path, text: str) -> list[str]:
    """Command of a Python program."""
    path = tmp_path / "program.py"
    path.write_text(f"import json, os, sys, time\n{text}")
    return [sys.executable, "-S", str(path)]


def descriptors() -> int:
    return len(os.listdir("/dev/fd"))


def gone(pid: int, seconds: float = 10.0) -> bool:
    """Whether a process ends within so long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        state = Path(f"/proc/{pid}/stat")
        if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
            return True  # nobody has asked for its status
        time.sleep(0.02)
    return False


def pid_in(path: Path) -> int:
    until = time.monotonic() + 10
    while not (path.exists() and path.read_text().strip().isdigit()):
        assert time.monotonic() < until, f"nothing in {path}"
        time.sleep(0.02)
    return int(path.read_text())


def test_a_program_that_does_not_read(tmp_path: Path) -> None:
    """It answers before it is asked, so the pipe with the questions fills up."""
    command = program(
        tmp_path,
        """
print(json.dumps({"type": "ready"}), flush=True)
for number in range(1, 200):
    print(json.dumps({"id": number, "action": -1}), flush=True)
time.sleep(60)
""",
    )
    asked = ask(WONDERS, 40)
    agent = ExternalAgent(WONDERS, command, seconds=0.3, restarts=0)
    started = time.monotonic()
    agent.act(asked)
    kinds = [each.kind for each in agent.take_incidents()]
    agent.close()
    assert time.monotonic() - started < 20
    assert kinds[0] == "illegal" and "late" in kinds and kinds[-1] == "gone"


def test_a_flood_stays_in_the_pipe(tmp_path: Path) -> None:
    running = Program(program(tmp_path, 'while True: os.write(1, b"{}\\n" * 20000)'))
    assert running.ask(b"hello", 10.0) == b"{}"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(20):
        assert running.ask(b"x" * 100, 10.0) == b"{}"
        time.sleep(0.02)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # KiB on Linux
    running.close()


def test_a_flood_while_it_is_asked(tmp_path: Path) -> None:
    """A question longer than the pipe, to a program that only writes."""
    running = Program(program(tmp_path, 'while True: os.write(1, b"{}\\n" * 20000)'))
    with pytest.raises(ProgramError, match="did not read the question within 1 s"):
        running.ask(b"x" * 1_000_000, 1.0)
    running.close()


def test_a_line_without_end(tmp_path: Path) -> None:
    running = Program(program(tmp_path, 'while True: os.write(1, b"x" * 20000)'))
    with pytest.raises(ProgramError, match="longer than 65536 bytes"):
        running.ask(b"hello", 10.0)
    running.close()


def test_of_its_standard_error_the_end_is_kept(tmp_path: Path) -> None:
    text = """
sys.stderr.write("x" * 3_000_000 + "the last words")
sys.stderr.flush()
print(sys.stdin.readline().strip(), flush=True)
sys.stdin.readline()
sys.exit("farewell")
"""
    running = Program(program(tmp_path, text))
    assert running.ask(b"first", 10.0) == b"first"
    assert len(running._words) <= LAST_WORDS
    with pytest.raises(ProgramError, match=r"ended with status 1: .*the last wordsfarewell"):
        running.ask(b"second", 10.0)
    running.close()


def test_nothing_is_left_of_programs(tmp_path: Path) -> None:
    """A script that starts what does the work, which hangs: neither stays, nor a thread or a descriptor of ours."""
    inner = tmp_path / "inner.pid"
    script = tmp_path / "wrap.sh"
    script.write_text(f"#!/bin/sh\nsleep 300 &\necho $! > {inner}\nwait\n")
    script.chmod(0o755)
    asked = ask(TOY, 3)
    before = threading.active_count(), descriptors()
    pids = []
    agent = ExternalAgent(TOY, [str(script)], seconds=0.2, restarts=2)
    agent._running = lambda: hasten(agent)  # type: ignore[method-assign]
    for _ in range(3):
        inner.unlink(missing_ok=True)
        with pytest.raises(ProgramError, match="no answer within"):
            agent._ask(asked, 0, asked.legal[0, : asked.counts[0]].tolist(), 0)
        pids.append(pid_in(inner))
    agent.close()
    assert all(map(gone, pids)) and len(set(pids)) == 3
    assert (threading.active_count(), descriptors()) == before


def hasten(agent: ExternalAgent) -> Program:
    """The agent's program, without the long wait for its first line."""
    if agent._program is None:
        agent._program = Program(agent.command)
    return agent._program


DRIVER = """
import sys, time
from antiquity.agents.program import Program
running = Program(sys.argv[1:])
print(running.ask(b"hello", 30.0).decode(), flush=True)
time.sleep(300)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_program_ends_with_the_process_that_started_it(tmp_path: Path, number: signal.Signals) -> None:
    """Also one that takes no notice of the end of its input."""
    command = program(tmp_path, "print(os.getpid(), flush=True)\ntime.sleep(300)")
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", DRIVER, *command], env=surroundings, stdout=subprocess.PIPE
    ) as driver:
        assert driver.stdout is not None
        pid = int(driver.stdout.readline())
        driver.send_signal(number)
        driver.wait()
    assert gone(pid)


def test_an_interruption_ends_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else its answer would be taken for that to the next question."""
    command = program(
        tmp_path,
        """
for line in sys.stdin:
    question = json.loads(line)
    answer = {"type": "ready"}
    if question["type"] == "act":
        answer = {"id": question["id"], "action": question["legal"][-1]}
    print(json.dumps(answer), flush=True)
""",
    )
    asked = ask(TOY, 6)
    agent = ExternalAgent(TOY, command)
    expected = agent.act(asked)
    whole: Callable[..., Any] = Program.ask

    def interrupted(self: Program, question: bytes, seconds: float) -> bytes:
        whole(self, question, seconds)
        raise KeyboardInterrupt

    monkeypatch.setattr(Program, "ask", interrupted)
    with pytest.raises(KeyboardInterrupt):
        agent.act(asked)
    monkeypatch.undo()
    assert agent._program is None
    assert np.array_equal(agent.act(asked), expected) and agent.incidents == []
    agent.close()
