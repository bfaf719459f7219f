"""Many games in one array: :class:`Batch`, and :class:`Driver`, which plays them until a seat must be asked.

May import :mod:`antiquity.kernels`, :mod:`antiquity.game` and :mod:`antiquity.render`.
"""

from antiquity.batch.batch import Batch
from antiquity.batch.drive import GREEDY, OUTSIDE, PLAYERS, RANDOM, STREAM, choose, play_to_end
from antiquity.batch.driver import Driver
from antiquity.batch.files import replacing
from antiquity.batch.forms import Form
from antiquity.batch.own_rewards import Reward
from antiquity.batch.positions import batch_of, begin_game, read_position, stand_in, write_position
from antiquity.batch.results import Choices, Ended, Rows, RowStep, Step, standing
from antiquity.batch.rewards import outcome, rank
from antiquity.batch.settings import Hook, Settings

__all__ = [
    "GREEDY",
    "OUTSIDE",
    "PLAYERS",
    "RANDOM",
    "STREAM",
    "Batch",
    "Choices",
    "Driver",
    "Ended",
    "Form",
    "Hook",
    "Reward",
    "RowStep",
    "Rows",
    "Settings",
    "Step",
    "batch_of",
    "begin_game",
    "choose",
    "outcome",
    "play_to_end",
    "rank",
    "read_position",
    "replacing",
    "stand_in",
    "standing",
    "write_position",
]
