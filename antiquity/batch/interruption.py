"""What Ctrl-C may not do: leave a batch between two decisions.

Python delivers it between two calls of kernels, so a single call is made or not made. What takes several of them is
:class:`Deferred`; what Python does around them is done again (:func:`settled`).
"""

from __future__ import annotations

import functools
import signal
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])


class Deferred:
    """A block that Ctrl-C does not divide: the handler of the signal is called at its end.

    Python calls handlers in the main thread alone; in others there is nothing to defer.
    """

    def __enter__(self) -> None:
        self._waiting: list[tuple[int, Any]] = []
        self._handler: Any = None
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._handler = handler
                signal.signal(signal.SIGINT, lambda number, frame: self._waiting.append((number, frame)))

    def __exit__(self, *_: object) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            if self._waiting:
                self._handler(*self._waiting[0])


def settled(method: Method) -> Method:
    """A method of a batch after whose interruption everything shows the games as they stand, before it or after."""

    @functools.wraps(method)
    def call(batch: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return method(batch, *arguments, **named)
        except (ValueError, TypeError):  # refused: nothing has changed
            raise
        except BaseException:
            batch._written()
            raise

    return cast("Method", call)
