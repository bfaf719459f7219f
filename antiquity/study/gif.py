"""A recorded game as an animated GIF, to share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from antiquity.batch import replacing
from antiquity.render import pixels
from antiquity.study.replay import Replay

MOST_FRAMES = 400
"""More would be a file that nobody wants to open."""
COLOURS = 64
"""Of a frame's palette: the pictures have flat colours."""


def write_gif(
    replay: Replay,
    path: str | os.PathLike[str],
    *,
    seat: int | None = None,
    width: int = 900,
    seconds: float = 1.0,
    every: int = 1,
    theme: str = "light",
    told: Callable[[int, int], None] = lambda _done, _all: None,
) -> Path:
    """Write the game as a GIF that goes round for ever; the file appears whole or not at all.

    Args:
        replay: the game, which has pictures.
        path: of the file.
        seat: through whose eyes; None: all open.
        width: of the picture, in pixels.
        seconds: that a frame stays; the last one stays four times as long.
        every: a frame for every so many steps; the start and the end are always there.
        theme: ``"light"`` or ``"dark"``.
        told: is called with how many frames are done, and how many there are.

    Raises:
        ImportError: resvg-py or Pillow is not installed.
        ValueError: the game has no pictures, the replay does not fit the rules, or there would be too many frames.
    """
    pixels.require()
    from PIL import Image

    if replay.game.draw is None:
        raise ValueError(f"{replay.game.title} has no pictures")
    if seat is not None and not 0 <= seat < replay.num_players:
        raise ValueError(f"there is no seat {seat}; they are 0 to {replay.num_players - 1}")
    if every < 1 or not 0.02 <= seconds <= 60 or not 100 <= width <= 4000:
        raise ValueError("every is 1 or more, seconds are 0.02 to 60 and width is 100 to 4000")
    last = len(replay.steps)
    shown = sorted({*range(0, last + 1, every), last})
    if len(shown) > MOST_FRAMES:
        remedy = f"every={-(-last // (MOST_FRAMES - 2))} (--every) makes fewer"
        raise ValueError(f"these are {len(shown)} frames, and at most {MOST_FRAMES} are written: {remedy}")
    frames = []
    for position in replay.positions():
        if position.step in shown:
            svg = position.batch.draw(0, seat)
            frame = Image.fromarray(pixels.to_rgb(svg, width=width, theme=theme))
            frames.append(frame.quantize(COLOURS, dither=Image.Dither.NONE))
            told(len(frames), len(shown))
    # Pictures of one game may differ by a line in height.
    height = max(frame.height for frame in frames)
    frames = [
        frame if frame.height == height else frame.crop((0, 0, frame.width, height)) for frame in frames
    ]
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    stay = [round(1000 * seconds)] * (len(frames) - 1) + [round(4000 * seconds)]
    with replacing(target) as partial:
        frames[0].save(partial, "GIF", save_all=True, append_images=frames[1:], duration=stay, loop=0)
    return target
