"""A window for the picture, for ``render_mode="window"``. tkinter is imported only when one is opened."""

from __future__ import annotations

import base64
import contextlib

from antiquity.render.pixels import to_png


class Window:
    """A window that shows one picture after the other.

    Args:
        title: of the window.
        theme: ``"light"`` or ``"dark"``.

    Raises:
        RuntimeError: there is no tkinter or no display; the message names what works without them.
    """

    def __init__(self, title: str, theme: str = "light") -> None:
        without = "use render_mode='human' (text in the terminal) or 'rgb_array' (pixels)"
        try:
            import tkinter
        except ImportError as error:
            raise RuntimeError(f"a window needs tkinter, which this Python lacks; {without}") from error
        try:
            self._root = tkinter.Tk()
        except tkinter.TclError as error:
            raise RuntimeError(f"no window can be opened here ({error}); {without}") from error
        self.theme = theme
        self.open = True
        """False once somebody has closed it."""
        self._error = tkinter.TclError
        self._make = tkinter.PhotoImage
        self._root.title(title)
        self._root.resizable(False, False)
        self._root.protocol("WM_DELETE_WINDOW", self.close)
        self._label = tkinter.Label(self._root, borderwidth=0)
        self._label.pack()

    def show(self, svg: str) -> None:
        """Show a drawing, as wide as the screen allows."""
        width = min(1280, int(self._root.winfo_screenwidth() * 0.95))
        png = to_png(svg, width=width, theme=self.theme)
        self._image = self._make(master=self._root, data=base64.b64encode(png))  # tkinter keeps no reference
        self._label.configure(image=self._image)
        self._root.update()

    def close(self) -> None:
        """Close the window; more than once does no harm."""
        if self.open:
            self.open = False
            with contextlib.suppress(self._error):
                self._root.destroy()
