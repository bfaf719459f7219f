"""What the author of a game needs: the record, the layout, the verbs, and the Game that holds them together.

May import :mod:`antiquity.kernels`, and nothing else of Antiquity.
"""

from antiquity.game import flow, random, verbs
from antiquity.game.faults import require_sound
from antiquity.game.layout import Field, Layout
from antiquity.game.record import CUT_OFF, ENDED, HEADER, NO_SEAT, WAIT, check_dtype, fault_codes
from antiquity.game.registry import GAMES
from antiquity.game.spec import Game, Option, make_game
from antiquity.kernels import entry, kernel

__all__ = [
    "CUT_OFF",
    "ENDED",
    "GAMES",
    "HEADER",
    "NO_SEAT",
    "WAIT",
    "Field",
    "Game",
    "Layout",
    "Option",
    "check_dtype",
    "entry",
    "fault_codes",
    "flow",
    "kernel",
    "make_game",
    "random",
    "require_sound",
    "verbs",
]
