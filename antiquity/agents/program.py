"""A program that answers in lines: its process group, its pipes, and bounds on all that it may do to this process.

A program cannot make this process wait longer than it said, neither by not reading nor by not writing; cannot fill its
memory; and is gone, with all that it has started, once it is closed or this process has ended in whatever way. Nothing
here runs in a thread: what is not asked for stays in the pipes, where it stops the program that wrote it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from typing import IO, Final

LONGEST_LINE: Final = 1 << 16
"""Bytes of an answer; a longer one is not read."""
MOST_UNREAD: Final = 1 << 20
"""Bytes of output that are taken while a question is being written."""
LAST_WORDS: Final = 1 << 12
"""Bytes of the standard error that are kept, the last ones."""
CHUNK: Final = 1 << 16
GRACE: Final = 0.5
"""Seconds between the end of a program's input and its own."""

# Waits for a line or for the end of its input; the end means that whoever held the other side has died.
_KEEPER: Final = 'read -r line || kill -s KILL -- "-$1"'


class ProgramError(Exception):
    """The program cannot go on. ``kind`` is that of an :class:`antiquity.agents.external.Incident`."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class Program:
    """A running program, in a process group of its own.

    Args:
        command: the program and its arguments.

    Raises:
        ProgramError: it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ProgramError("crashed", f"it cannot be started: {error}") from error
        self._input, self._output, self._errors = _pipes(self._process)
        try:
            keeper = subprocess.Popen(
                ["/bin/sh", "-c", _KEEPER, "keeper", str(self._process.pid)],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except BaseException:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            raise
        self._end = weakref.finalize(self, _end, self._process, keeper, os.getpid())
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe.fileno(), False)
        self._unread = bytearray()
        self._words = bytearray()
        self._open = {self._output, self._errors}

    def ask(self, question: bytes, seconds: float) -> bytes:
        """Write a line and wait for the answer, all within `seconds`.

        Raises:
            ProgramError: it does not read, does not answer in time, answers with too long a line, or has ended.
        """
        until = time.monotonic() + seconds
        sending = memoryview(question + b"\n")
        while sending or not self._has_line():
            left = until - time.monotonic()
            if left <= 0:
                what = "it did not read the question" if sending else "no answer"
                raise ProgramError("late", f"{what} within {seconds:g} s")
            sending = self._exchange(sending, left)
        line, _, rest = bytes(self._unread).partition(b"\n")
        self._unread = bytearray(rest)
        return line

    def _has_line(self) -> bool:
        length = self._unread.find(b"\n")
        if max(length, len(self._unread) if length < 0 else 0) > LONGEST_LINE:
            raise ProgramError("unreadable", f"its line is longer than {LONGEST_LINE} bytes")
        if length < 0 and self._output not in self._open and not self._unread:
            raise ProgramError("crashed", self._how_it_ended())
        return length >= 0 or self._output not in self._open

    def _exchange(self, sending: memoryview, seconds: float) -> memoryview:
        """Write and read what can be, waiting for it so long; returns what remains to be written."""
        with selectors.PollSelector() as selector:
            for pipe in self._open:
                if pipe is self._errors or len(self._unread) < MOST_UNREAD:
                    selector.register(pipe, selectors.EVENT_READ)
            if sending:
                selector.register(self._input, selectors.EVENT_WRITE)
            for key, _ in selector.select(seconds):
                if key.fileobj is self._input:
                    try:
                        sending = sending[os.write(key.fd, sending) :]
                    except BlockingIOError:
                        continue
                    except OSError:
                        raise ProgramError("crashed", self._how_it_ended()) from None
                else:
                    self._read(self._output if key.fileobj is self._output else self._errors)
        return sending

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            found = os.read(pipe.fileno(), CHUNK)
        except BlockingIOError:
            return
        if not found:
            self._open.discard(pipe)
        elif pipe is self._output:
            self._unread += found
        else:
            self._words = (self._words + found)[-LAST_WORDS:]

    def _how_it_ended(self) -> str:
        """Its status and the end of its standard error, in words."""
        until = time.monotonic() + 1.0
        while self._errors in self._open and (left := until - time.monotonic()) > 0:
            self._exchange(memoryview(b""), left)
        try:
            code: int | None = self._process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            code = None
        ended = "it closed its output" if code is None else f"it ended with status {code}"
        words = self._words.decode(errors="replace").strip()[-400:]
        return f"{ended}: {words}" if words else ended

    def close(self) -> None:
        """End the program, and all that it has started in its process group."""
        self._end()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def _end(process: subprocess.Popen[bytes], keeper: subprocess.Popen[bytes], owner: int) -> None:
    pipes = _pipes(process)
    for pipe in pipes[:1] if os.getpid() == owner else pipes:
        with contextlib.suppress(OSError):
            pipe.close()
    assert keeper.stdin is not None
    if os.getpid() != owner:  # a fork: the program is the parent's
        keeper.stdin.close()
        return
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in pipes[1:]:
        pipe.close()
    with contextlib.suppress(OSError):
        keeper.stdin.write(b"\n")
    keeper.stdin.close()
    keeper.wait()
