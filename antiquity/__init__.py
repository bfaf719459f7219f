"""Antiquity: fast, exact reinforcement-learning environments for board games of civilisation.

The names below load on first use, so that ``import antiquity`` alone stays light:

* :class:`antiquity.Batch`: many games in one array, stepped together.
* :func:`antiquity.make_game`: a game by its name, such as ``make_game("seven_wonders")``.

Importing this package registers the installed games with Gymnasium and PettingZoo (see :mod:`antiquity.envs.ids`).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from antiquity.batch import Batch
    from antiquity.game import Game, make_game

__version__ = "0.1.0"
__all__ = ["Batch", "Game", "__version__", "make_game"]

_HOMES = {"Batch": "antiquity.batch", "Game": "antiquity.game", "make_game": "antiquity.game"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'antiquity' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))


from antiquity.envs.ids import register_installed  # noqa: E402 (needs the package to be there)

register_installed()
