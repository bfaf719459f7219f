"""Many games as one TorchRL environment: a batch of games instead of a process for each.

>>> from antiquity.envs.torchrl import GameEnv
>>> env = GameEnv("seven_wonders", num_games=64, num_players=4, seed=1)
>>> episode = env.rollout(10)
>>> episode["player", "observation"].shape[:3]
torch.Size([64, 10, 4])

Needs torchrl (``pip install torchrl``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Dict
from numpy.typing import NDArray

from antiquity.batch import Batch
from antiquity.game import Game

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:  # pragma: no cover (the tests have it)
    raise ImportError("antiquity.envs.torchrl needs torchrl: pip install torchrl") from error

GROUP = "player"
"""All seats are one group of agents, as TorchRL's own wrapper of the PettingZoo environment makes them."""


class GameEnv(EnvBase):  # type: ignore[misc]  # TorchRL's types are not read
    """G games with S seats each, all seats deciding at once, on the CPU.

    | key | value |
    | --- | --- |
    | ``("player", "observation")`` | float32[G, S, F], or a tensordict for ``observation="dict"`` and ``"tokens"`` |
    | ``("player", "action_mask")`` | bool[G, S, A]: what is legal; a seat that waits has WAIT (0) alone |
    | ``("player", "action")`` | int64[G, S] |
    | ``("player", "reward")`` | float32[G, S, 1] |
    | ``done``, ``terminated``, ``truncated`` | bool[G, 1] |

    Games that have ended wait for a reset, which TorchRL does by itself in collectors and, with
    ``break_when_any_done=False``, in rollouts. The action spec knows the masks of the current step, so random actions
    are legal ones. Tensors share the memory of the batch's arrays and are the caller's own.

    Args:
        game: a game's name, or a Game.
        num_games: how many games.
        num_players: an int for all games, or one for each; the game's default when None.
        seed: of the first reset; None for fresh entropy. ``set_seed`` sets it for the next one.
        options: of the :class:`antiquity.Batch` (but for copy and autoreset), and the game's own.
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int = 1,
        num_players: int | Sequence[int] | None = None,
        *,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        self.games = Batch(game, num_games, num_players, autoreset=False, **options)
        """The batch behind it, for words, pictures and scores."""
        super().__init__(device=torch.device("cpu"), batch_size=torch.Size([num_games]))
        self._next_seed = seed
        seats = (num_games, self.games.num_seats)
        actions = self.games.num_actions
        self.observation_spec = self._group(
            observation=_spec(self.games.observation_space, seats),
            action_mask=Binary(n=actions, shape=(*seats, actions), dtype=torch.bool),
        )
        self.action_spec = self._group(action=Categorical(actions, shape=seats, dtype=torch.int64))
        self.reward_spec = self._group(reward=Unbounded(shape=(*seats, 1), dtype=torch.float32))
        flag = Categorical(2, shape=(num_games, 1), dtype=torch.bool)
        names = ("done", "terminated", "truncated")
        self.done_spec = Composite({name: flag.clone() for name in names}, shape=(num_games,))

    def _group(self, **specs: Any) -> Composite:
        shape = (self.games.num_games, self.games.num_seats)
        return Composite({GROUP: Composite(specs, shape=shape)}, shape=shape[:1])

    def __repr__(self) -> str:
        return f"<GameEnv of {self.games.num_games} games of {self.games.game.title}>"

    def _set_seed(self, seed: int | None) -> None:
        self._next_seed = seed

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        wanted = None if tensordict is None else tensordict.get("_reset", None)
        index = None if wanted is None or bool(wanted.all()) else wanted.reshape(-1).numpy()
        if index is None:
            observations, masks = self.games.reset(self._next_seed)
            self._next_seed = None
        else:
            observations, masks = self.games.reset(index=index)
        none = torch.zeros(self.games.num_games, 1, dtype=torch.bool)
        seen = self._seen(observations, masks)
        return self._told({GROUP: seen}, none, none.clone())

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        step = self.games.step(tensordict[GROUP, "action"].numpy())
        seen = self._seen(step.observations, step.masks)
        seen["reward"] = torch.from_numpy(step.rewards)[..., None]
        ends = (torch.from_numpy(each.copy())[:, None] for each in (step.terminated, step.truncated))
        return self._told({GROUP: seen}, *ends)

    def _seen(self, observations: Any, masks: NDArray[np.int8]) -> TensorDict:
        """The group's tensordict, and the masks for the action spec."""
        shape = masks.shape[:2]
        legal = torch.from_numpy(masks).view(torch.bool)
        self.full_action_spec[GROUP, "action"].update_mask(legal)
        given: Any = observations
        if isinstance(given, dict):
            given = TensorDict(
                {name: torch.from_numpy(part) for name, part in given.items()}, batch_size=shape
            )
        else:
            given = torch.from_numpy(given)
        return TensorDict({"observation": given, "action_mask": legal}, batch_size=shape)

    def _told(self, parts: dict[str, Any], terminated: Any, truncated: Any) -> TensorDict:
        flags = {"done": terminated | truncated, "terminated": terminated, "truncated": truncated}
        return TensorDict(parts | flags, batch_size=self.batch_size)


def _spec(space: Any, seats: tuple[int, int]) -> Any:
    """TorchRL's name for a space."""
    if isinstance(space, Dict):
        return Composite({name: _spec(part, seats) for name, part in space.items()}, shape=seats)
    dtype = torch.from_numpy(np.zeros(0, space.dtype)).dtype
    low, high = (torch.from_numpy(np.array(bound)) for bound in (space.low, space.high))
    return Bounded(low, high, shape=space.shape, dtype=dtype)
