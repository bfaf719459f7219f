"""The folder of a training run: settings, checkpoint, former selves, the best policy, the curve.

Everything is plain arrays and JSON, without any pickle, and every file appears whole or not at all.
"""

from __future__ import annotations

import dataclasses
import json
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from antiquity.batch import replacing
from antiquity.train.settings import Settings
from antiquity.train.update import Updater

FORMAT = 1
"""Number of the format of checkpoints."""


@dataclass(frozen=True)
class Check:
    """One measurement during training, against the greedy agent, one seat against all others.

    Attributes:
        done: how much of the training was over, from 0 to 1.
        seconds: of training on the clock of the run, without measurements.
        decisions: trained on so far.
        games: finished in training.
        win_share: of wins, over the kinds of tables, in units of par: 1 is as good as greedy.
        interval: half the width of its 95% interval.
        shares: the share of wins at each kind of table.
        points, greedy_points: mean totals.
        selection: the win share on the other deals, by which the best policy is kept.
    """

    done: float
    seconds: float
    decisions: int
    games: int
    win_share: float
    interval: float
    shares: tuple[float, ...]
    points: float
    greedy_points: float
    selection: float


@dataclass
class State:
    """How far a run has come; all of it is in the checkpoint."""

    iteration: int = 0
    decisions: int = 0
    games: int = 0
    seconds: float = 0.0
    snapshots: int = 0
    best: float = -1.0
    checks: list[Check] = field(default_factory=list)
    spent: dict[str, float] = field(default_factory=dict)
    """CPU-seconds of the first process, by what took them."""


class RunFolder:
    """Where a run keeps its files."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.checkpoint = self.path / "checkpoint.npz"
        self.policy = self.path / "policy.npz"
        """The best policy so far."""
        self.latest = self.path / "latest.npz"
        self.curve = self.path / "curve.json"
        self.history = self.path / "history"

    def snapshot(self, number: int) -> Path:
        """The file of a former self."""
        return self.history / f"policy_{number:03d}.npz"

    def begin(self) -> None:
        """Make room for a new run. FileExistsError where there is one: nothing is overwritten."""
        if self.checkpoint.exists():
            raise FileExistsError(
                f"{self.path} holds a training run: go on with --resume, or name another --folder"
            )
        self.history.mkdir(parents=True, exist_ok=True)

    def save(self, game: str, settings: Settings, updater: Updater, state: State) -> None:
        """Write the checkpoint."""
        about = {
            "format": FORMAT,
            "game": game,
            "settings": settings.as_dict(),
            "state": dataclasses.asdict(state),
        }
        arrays: dict[str, NDArray[Any]] = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
        for name, parameter in updater.model.named_parameters():
            arrays[f"model/{name}"] = parameter.detach().numpy()
            for kind, value in updater.optimizer.state.get(parameter, {}).items():
                arrays[f"{kind}/{name}"] = value.numpy()
        with replacing(self.checkpoint) as partial, open(partial, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        curve = [dataclasses.asdict(check) for check in state.checks]
        with replacing(self.curve) as partial:
            partial.write_text(json.dumps(curve, indent=1), encoding="utf-8")

    def read(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """What :meth:`save` has written. FileNotFoundError; ValueError if it is damaged."""
        try:
            with open(self.checkpoint, "rb") as file, np.load(file, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
            about = json.loads(arrays.pop("about").tobytes())
            if about["format"] != FORMAT:
                raise ValueError(f"format {about['format']}, and this Antiquity reads {FORMAT}")
        except FileNotFoundError:
            raise FileNotFoundError(f"{self.path} holds no training run to go on with") from None
        except (ValueError, KeyError, TypeError, EOFError, OSError, RecursionError) as error:
            raise ValueError(f"{self.checkpoint} is damaged or no checkpoint: {error}") from None
        except (zipfile.BadZipFile, zlib.error) as error:
            raise ValueError(f"{self.checkpoint} is damaged or no checkpoint: {error}") from None
        return about, arrays

    def restore(self, updater: Updater, state: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> State:
        """Put a checkpoint's arrays into a model and its optimizer; returns how far it had come."""
        try:
            for name, parameter in updater.model.named_parameters():
                with torch.no_grad():
                    parameter.copy_(torch.from_numpy(arrays[f"model/{name}"]))
                kept = {
                    kind: torch.from_numpy(arrays[f"{kind}/{name}"].copy())
                    for kind in ("step", "exp_avg", "exp_avg_sq")
                    if f"{kind}/{name}" in arrays
                }
                if kept:
                    updater.optimizer.state[parameter] = kept
            checks = [Check(**(check | {"shares": tuple(check["shares"])})) for check in state["checks"]]
            return State(**(state | {"checks": checks}))
        except (KeyError, TypeError, RuntimeError) as error:
            raise ValueError(f"{self.checkpoint} does not fit its settings: {error}") from None
