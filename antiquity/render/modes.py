"""The render modes of the environments, in one place.

============== =======================================================================================
``"ansi"``     ``render()`` returns the table as text with ANSI colours
``"human"``    the same text is printed to the terminal at every step
``"rgb_array"`` ``render()`` returns the picture as pixels, uint8[height, width, 3] (extra ``show``)
``"window"``   the picture in a window of its own, shown at every step (extra ``show``, tkinter, a display)
============== =======================================================================================

``"human"`` stays in the terminal, so that it works everywhere; a window opens only on request. All frames of an
environment have the same size.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from antiquity.game import Game
from antiquity.game.checks import one_of
from antiquity.render.pixels import require, to_rgb
from antiquity.render.text import WIDTH, shown, terminal_width
from antiquity.render.window import Window

RENDER_MODES = ("ansi", "human", "rgb_array", "window")
SHOWN_AT_ONCE = ("human", "window")
"""Modes in which every step shows the table by itself."""


def listed(game: Game | None = None) -> list[str]:
    """The modes for an environment's ``metadata``: those that work here, as checkers try every mode that is listed.

    Without a picture there are no pixels, and ``"window"`` is listed where there is a screen to open one on.
    """
    if game is not None and game.draw is None:
        return ["ansi", "human"]
    screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY")
    return list(RENDER_MODES if screen else RENDER_MODES[:-1])


Rendered = str | NDArray[np.uint8] | None


def check_render_mode(game: Game, mode: str | None, modes: tuple[str, ...] = RENDER_MODES) -> str | None:
    """The mode, if this game can be shown so on this machine.

    Raises:
        ValueError: no such mode, or the game has no picture.
        ImportError: the packages that make pixels are not installed.
    """
    if mode is None:
        return None
    one_of("render_mode", mode, modes)
    if mode in ("rgb_array", "window"):
        if game.draw is None:
            raise ValueError(
                f"render_mode={mode!r}: {game.title} has no picture, only text: use 'ansi' or 'human'"
            )
        require()
    return mode


class Shown(Protocol):
    """What can be shown: a batch, as far as drawing knows it."""

    game: Game
    games: NDArray[Any]
    tables: NDArray[Any]

    @property
    def begun(self) -> bool: ...

    def render(self, index: int = 0, seat: int | None = None, width: int = WIDTH) -> str: ...

    def draw(self, index: int = 0, seat: int | None = None) -> str: ...


class Screen:
    """Shows a game of a batch in one of the modes; owns the window, if there is one."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self._window: Window | None = None

    def show(self, batch: Shown, index: int = 0) -> Rendered:
        """The text or the pixels; None where they went to the terminal or to the window."""
        if self.mode in ("ansi", "human"):
            width = terminal_width() if self.mode == "human" else WIDTH
            text = batch.render(index, width=width) if batch.begun else "not begun: call reset()"
            if self.mode == "ansi":
                return text
            print(shown(text, sys.stdout), flush=True)
            return None
        svg = batch.draw(index)
        if self.mode == "rgb_array":
            return to_rgb(svg)
        if self._window is None or not self._window.open:
            self._window = Window(batch.game.title)
        self._window.show(svg)
        return None

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __deepcopy__(self, _memo: dict[int, Any]) -> Screen:
        return Screen(self.mode)

    def __reduce__(self) -> tuple[type[Screen], tuple[str]]:
        # A window stays with the environment that opened it.
        return Screen, (self.mode,)
