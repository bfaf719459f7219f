"""What the page is told of a game, in the same words for whoever plays and whoever watches."""

from __future__ import annotations

from typing import Any, Protocol

from antiquity.batch import Batch
from antiquity.game import Game
from antiquity.play.chronicle import Chronicle, point_rows
from antiquity.study.page import picture


class Shown(Protocol):
    """A game at the page."""

    game: Game
    batch: Batch
    names: tuple[str, ...]
    chronicle: Chronicle

    @property
    def step(self) -> int:
        """How many steps the game has taken."""
        ...

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        ...


def common(shown: Shown, eyes: int | None, room: int | None) -> dict[str, Any]:
    """The part that is the same for all, as plain values for JSON.

    Args:
        eyes: who sees the table; None: all of it is open.
        room: the width for the picture in CSS pixels; None: it is drawn in full width, to be scaled.
    """
    game, batch, over = shown.game, shown.batch, shown.over
    return {
        "title": game.title,
        "step": shown.step,
        "names": list(shown.names),
        "drawn": game.draw is not None,
        "fits": game.draw_at is not None,
        "table": picture(game, batch, eyes, room),
        "log": shown.chronicle.entries(over),
        "columns": [*game.categories, "total", "tie-break"],
        # Before the end a full count would tell what lies hidden in front of the others.
        "points": point_rows(batch) if over else [],
        "over": over,
        "ranks": batch.ranks()[0].tolist() if over else [],
    }


def past(shown: Shown, step: int, room: int | None) -> dict[str, Any]:
    """The table as it was before a step, as who plays or watches saw it then.

    Args:
        step: one of those in the log.
        room: as for :func:`common`.

    Raises:
        ValueError: there is no such step, or it is not shown yet.
    """
    for entry in shown.chronicle.entries(shown.over):
        if entry["step"] == step:
            batch = shown.batch.clone()
            batch.set_games(shown.chronicle.record(step))
            table = picture(shown.game, batch, shown.chronicle.seat, room)
            return {"step": step, "heading": entry["heading"], "table": table}
    raise ValueError(f"step {step} is not in the log")
