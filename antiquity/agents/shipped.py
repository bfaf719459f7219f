"""The policies that come with the games: ``data/policy.npz`` of a game's package."""

from __future__ import annotations

import importlib.resources
from typing import Final

from antiquity.agents.network import NetworkAgent
from antiquity.game import Game

FILE: Final = "data/policy.npz"
"""Where a game's package keeps its policy."""


def shipped_policy(game: Game) -> bytes | None:
    """The file of the policy that a game's package brings; None if it brings none."""
    package = game.origin.partition(":")[0]
    try:
        file = importlib.resources.files(package).joinpath(FILE)
        return file.read_bytes() if file.is_file() else None
    except (ModuleNotFoundError, TypeError):  # a game that is no package
        return None


def load_policy(game: Game, path: str | None = None, deterministic: bool = True) -> NetworkAgent:
    """A policy file, or the game's own.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: not a policy file of the game; or the game brings none, and no path is given.
    """
    if path is not None:
        return NetworkAgent.load(path, game, deterministic)
    content = shipped_policy(game)
    if content is None:
        raise ValueError(
            f"{game.title} brings no policy of its own: give one as path=FILE.npz, made by `antiquity train`"
        )
    return NetworkAgent.from_bytes(content, "policy.npz", game, deterministic)
