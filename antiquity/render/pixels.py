"""Drawings as pixels, by resvg (``pip install "antiquity[show]"``)."""

from __future__ import annotations

import functools
import importlib.util
import io
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from antiquity.render.svg import resolved

_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text x="2" y="16" {}>Mg</text></svg>'
)


def require() -> None:
    """Check that the packages that make pixels are installed; ImportError with the remedy if not."""
    for module in ("resvg_py", "PIL"):
        if importlib.util.find_spec(module) is None:
            raise ImportError(
                f'pictures as pixels need {module}: pip install "antiquity[show]" '
                "(text and the SVG itself need nothing)"
            )


def to_png(svg: str, *, width: int | None = None, theme: str = "light") -> bytes:
    """The drawing as a PNG file.

    Args:
        svg: as the ``draw`` of a game gives it.
        width: pixels; None is the drawing's own width. The height follows.
        theme: ``"light"`` or ``"dark"``.

    Raises:
        ImportError: resvg-py is not installed; the message says how to install it.
    """
    require()
    import resvg_py

    skip, fonts = _fonts()
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=resolved(svg, theme), width=width, skip_system_fonts=skip, font_files=list(fonts)
        )
    )


def to_rgb(svg: str, *, width: int | None = None, theme: str = "light") -> NDArray[np.uint8]:
    """The drawing as pixels, uint8[height, width, 3], both even, as video encoders want it.

    Arguments and errors as for :func:`to_png`.
    """
    png = to_png(svg, width=width, theme=theme)
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        pixels = np.asarray(image.convert("RGB"))
    height, across = pixels.shape[0] // 2 * 2, pixels.shape[1] // 2 * 2
    return np.ascontiguousarray(pixels[:height, :across])


@functools.cache
def _fonts() -> tuple[bool, tuple[str, ...]]:
    """Whether to skip the system's fonts, and the font files to use.

    A machine without fonts, such as a container, would draw no text at all; the fonts of matplotlib are used there, if
    it is installed.
    """
    import resvg_py

    def blank(family: str, files: list[str]) -> bool:
        probe = _PROBE.format(f'font-family="{family}"')
        drawn = resvg_py.svg_to_bytes(svg_string=probe, font_files=files, skip_system_fonts=bool(files))
        empty = resvg_py.svg_to_bytes(svg_string=_PROBE.replace("Mg", "").format(""))
        return bytes(drawn) == bytes(empty)

    if not blank("Arial, 'Liberation Sans', Helvetica, 'DejaVu Sans', sans-serif", []):
        return False, ()
    found = importlib.util.find_spec("matplotlib")
    if found is not None and found.origin is not None:
        folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
        files = [os.fspath(folder / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]
        if all(map(os.path.exists, files)) and not blank("DejaVu Sans", files):
            return True, tuple(files)
    import warnings

    warnings.warn(
        "this machine has no fonts, so the pictures have no letters; install some, such as fonts-dejavu, or matplotlib",
        stacklevel=4,
    )
    return False, ()
