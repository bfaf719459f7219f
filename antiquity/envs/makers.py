"""The functions by which a game package offers its environments: ``parallel_env`` and ``env``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.game import Game


def makers(game: Game) -> tuple[Callable[..., ParallelGameEnv], Callable[..., AECGameEnv]]:
    """``parallel_env`` and ``env`` of a game::

    parallel_env, env = makers(GAME)
    """

    def parallel_env(num_players: int = game.default_players, **options: Any) -> ParallelGameEnv:
        return ParallelGameEnv(game, num_players=num_players, **options)

    def env(num_players: int = game.default_players, **options: Any) -> AECGameEnv:
        return AECGameEnv(game, num_players=num_players, **options)

    own = ", ".join(f"``{option.name}={option.default!r}``" for option in game.options) or "none"
    parallel_env.__doc__ = f"""{game.title} as a PettingZoo ``ParallelEnv``: all seats act together.

    Args:
        num_players: {game.min_players} to {game.max_players}.
        options: the game's own: {own} (see ``OPTIONS``); and those of every Antiquity environment:
            ``reward="win"``, ``on_illegal="raise"``, ``flat_observations=False``, ``memory=False``,
            ``max_cycles=None``, ``render_mode=None`` (:class:`antiquity.envs.parallel.ParallelGameEnv`).

    Raises:
        ValueError, TypeError: an option that is not what it should be; the message says what would be right.
    """
    env.__doc__ = f"""{game.title} as a PettingZoo ``AECEnv`` that visits only seats with something to decide.

    Arguments and errors as for ``parallel_env``.
    """
    for made in (parallel_env, env):
        made.__qualname__ = made.__name__
    return parallel_env, env
