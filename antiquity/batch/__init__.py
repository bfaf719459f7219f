"""Many games in one array: :class:`Batch`, and :class:`Driver`, which plays them on to somebody's choice.

May import :mod:`antiquity.kernels`, :mod:`antiquity.game` and :mod:`antiquity.render`.
"""

from antiquity.batch.batch import Batch
from antiquity.batch.drive import GREEDY, OUTSIDE, RANDOM
from antiquity.batch.driver import Driver
from antiquity.batch.results import Ended, Rows, RowStep, Step, standing
from antiquity.batch.settings import Hook, Settings

__all__ = [
    "GREEDY",
    "OUTSIDE",
    "RANDOM",
    "Batch",
    "Driver",
    "Ended",
    "Hook",
    "RowStep",
    "Rows",
    "Settings",
    "Step",
    "standing",
]
