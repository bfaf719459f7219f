"""The ids under which Gymnasium and PettingZoo make the games, such as ``antiquity/SevenWonders-v1``.

``import antiquity`` registers every game that is installed, without importing any: the name of its entry
point is the id::

    [project.entry-points."antiquity.games"]
    "SevenWonders-v1" = "seven_wonders_env:GAME"

The number behind the v is :attr:`antiquity.game.Game.version`: it is raised when the rules, the action numbers or the
observation layout change.

* ``gymnasium.make(id)``: :class:`antiquity.envs.single.SingleAgentEnv`, one seat against opponents.
* ``gymnasium.make_vec(id, num_envs=n)``: :class:`antiquity.envs.vector.GameVectorEnv`, the same on the batch.
* ``pettingzoo.make("parallel", id)``, ``pettingzoo.make("aec", id)``: one agent per seat. PettingZoo 1.27 and later.
"""

from __future__ import annotations

import importlib.metadata
import re
from typing import TYPE_CHECKING, Any

import gymnasium

if TYPE_CHECKING:
    from antiquity.game import Game

NAMESPACE = "antiquity"


def id_of(game: Game) -> str:
    """``antiquity/SevenWonders-v1`` for the game ``seven_wonders``, version 1."""
    camel = "".join(part.capitalize() for part in game.name.split("_"))
    return f"{NAMESPACE}/{camel}-v{game.version}"


def register(game: Game) -> None:
    """Register a game with Gymnasium and PettingZoo. Doing it again changes nothing."""
    _register(id_of(game), game.origin)


def register_installed() -> None:
    """Register every installed game under the name of its entry point."""
    for point in importlib.metadata.entry_points(group="antiquity.games"):
        if re.fullmatch(r"\w+-v\d+", point.name):
            _register(f"{NAMESPACE}/{point.name}", point.value)


def _register(name: str, place: str) -> None:
    """`place` is what :func:`antiquity.game.make_game` takes, a plain string, so that specs can be written as JSON."""
    kwargs: dict[str, Any] = {"game": place}
    if name not in gymnasium.registry:
        gymnasium.register(
            id=name,
            entry_point="antiquity.envs.single:SingleAgentEnv",
            vector_entry_point="antiquity.envs.vector:GameVectorEnv",
            kwargs=kwargs,
        )
    try:
        import pettingzoo
        from pettingzoo import aec_registry, parallel_registry
    except ImportError:  # before PettingZoo 1.27 there is no registry
        return
    if name not in parallel_registry:
        pettingzoo.register("parallel", name, "antiquity.envs.parallel:ParallelGameEnv", kwargs=kwargs)
    if name not in aec_registry:
        pettingzoo.register("aec", name, "antiquity.envs.aec:AECGameEnv", kwargs=kwargs)
