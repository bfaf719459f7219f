"""What trains, under one name for those that import it late: torch takes seconds to load, and need not be there."""

from __future__ import annotations

from antiquity.train.demo import run_demo
from antiquity.train.run import Training, train
from antiquity.train.settings import Settings, TableKind, settings_for
from antiquity.train.trainer import Budget

__all__ = ["Budget", "Settings", "TableKind", "Training", "run_demo", "settings_for", "train"]
