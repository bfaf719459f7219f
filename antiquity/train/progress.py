"""Telling how training goes: a progress bar, TensorBoard, and the learning curve as a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from antiquity.train.runs import Check, State
from antiquity.train.update import Progress as Learnt


class Bar:
    """A line in the terminal that moves, and keeps the last measurement in sight."""

    def __init__(self, console: Console) -> None:
        self.progress = Progress(
            TextColumn("[bold]training"),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn(
                "{task.fields[games]:>7,} games  {task.fields[speed]:>7,.0f} decisions/s  {task.fields[note]}"
            ),
            console=console,
        )
        self.task = self.progress.add_task("", total=1.0, games=0, speed=0.0, note="compiling")

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.progress.stop()

    def updated(self, state: State, done: float, progress: Learnt) -> None:
        """Move the bar."""
        speed = state.decisions / max(state.seconds, 1e-9)
        self.progress.update(self.task, completed=done, games=state.games, speed=speed)

    def checked(self, state: State, check: Check) -> None:
        """Say how good the policy is."""
        shares = ", ".join(f"{share:.0%}" for share in check.shares)
        note = f"{shares} of wins against greedy, {check.points:.1f} points to {check.greedy_points:.1f}"
        self.progress.update(self.task, note=note)


class TensorBoard:
    """Curves for TensorBoard, over decisions."""

    def __init__(self, folder: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.writer: Any = SummaryWriter(str(folder))

    def updated(self, state: State, done: float, progress: Learnt) -> None:
        """Entropy, errors and speed."""
        for name, value in progress._asdict().items():
            self.writer.add_scalar(f"learning/{name}", value, state.decisions)
        speed = state.decisions / max(state.seconds, 1e-9)
        self.writer.add_scalar("speed/decisions_a_second", speed, state.decisions)
        self.writer.flush()

    def checked(self, state: State, check: Check) -> None:
        """Wins and points against greedy."""
        for name in ("win_share", "selection", "points", "greedy_points"):
            self.writer.add_scalar(f"against_greedy/{name}", getattr(check, name), state.decisions)
        self.writer.flush()


def plot_curve(checks: Sequence[Check], players: Sequence[int], title: str, path: str | Path) -> Path:
    """The learning curve as a PNG: shares of wins against greedy at each kind of table, and points.

    `players`: seats of each kind of table.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    decisions = [check.decisions / 1e6 for check in checks]
    figure, (wins, points) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for seats in dict.fromkeys(players):
        # Kinds of tables of one size differ by the game's options: one line for all of them.
        places = [number for number, other in enumerate(players) if other == seats]
        shares = [100 * sum(check.shares[k] for k in places) / len(places) for check in checks]
        (line,) = wins.plot(decisions, shares, marker="o", markersize=3, label=f"{seats} players")
        if len(players) == 1:
            half = [100 * check.interval / seats for check in checks]
            low, high = (
                [share + sign * each for share, each in zip(shares, half, strict=True)] for sign in (-1, 1)
            )
            wins.fill_between(decisions, low, high, alpha=0.2, color=line.get_color())
        wins.axhline(100 / seats, color=line.get_color(), linestyle="--", linewidth=0.8)
    wins.set(
        xlabel="decisions trained on (millions)",
        ylabel="wins (%), dashed: par",
        title="One seat against greedy",
        ylim=(0, 100 if max(max(check.shares) for check in checks) > 0.6 else math.ceil(8) * 10),
    )
    wins.legend()
    points.plot(decisions, [check.points for check in checks], marker="o", markersize=3, label="policy")
    points.plot(
        decisions,
        [check.greedy_points for check in checks],
        marker="o",
        markersize=3,
        label="greedy (the others)",
    )
    points.set(xlabel="decisions trained on (millions)", ylabel="mean points", title="Points at the table")
    points.legend()
    figure.suptitle(title)
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return path
