"""Data sets of decisions as Minari data sets, an episode for each seat of each game.

Needs Minari (``pip install "antiquity[minari]"``).
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from antiquity.game import Game
from antiquity.study.shards import Shard, floats_of, read_shard, shards_in

try:
    import minari
    from minari import MinariDataset
    from minari.data_collector import EpisodeBuffer
except ImportError as error:  # pragma: no cover (not everybody has it)
    raise ImportError('antiquity.study.minari_data needs Minari: pip install "antiquity[minari]"') from error


def to_minari(
    folder: str | os.PathLike[str], dataset_id: str, game: str | Game | None = None, **about: Any
) -> MinariDataset:
    """Make a Minari data set, in Minari's own folder, of the shards in `folder`.

    Observations are float32[F], actions the numbers; ``infos["action_mask"]`` has the masks, int8[A], and ``infos``
    also ``game`` and ``seat``. The observation that Minari wants after the last action is zeros.

    Args:
        folder: with the shards.
        dataset_id: such as ``"antiquity/dice-greedy-v0"``.
        game: what was played, where that is not installed.
        about: author, description ..., see ``minari.create_dataset_from_buffers``.

    Raises:
        FileNotFoundError, ValueError: there are no shards, or one is damaged; Minari has such a data set already.
    """
    buffers: list[EpisodeBuffer] = []
    played: Game | None = None
    for path in shards_in(folder):
        shard = read_shard(path, game)
        played = shard.game_played
        ends = shard.episodes
        for start, stop in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            buffers.append(_episode(shard, start, stop, len(buffers)))
    assert played is not None
    return minari.create_dataset_from_buffers(
        dataset_id,
        buffers,
        observation_space=Box(played.layout.low, played.layout.high, dtype=np.float32),
        action_space=Discrete(played.num_actions),
        **about,
    )


def _episode(shard: Shard, start: int, stop: int, number: int) -> EpisodeBuffer:
    count = stop - start
    observations = np.zeros((count + 1, shard.observation.shape[1]), np.float32)
    observations[:count] = floats_of(shard.game_played, shard.observation[start:stop])
    masks = np.zeros((count + 1, shard.game_played.num_actions), np.int8)
    masks[:count] = np.unpackbits(shard.mask[start:stop], axis=1, count=masks.shape[1])
    terminations = np.arange(1, count + 1) == count
    whole = np.ones(count + 1, np.int64)
    return EpisodeBuffer(
        id=number,
        observations=observations,
        actions=shard.action[start:stop].astype(np.int64),
        rewards=shard.reward[start:stop].astype(np.float64),
        terminations=terminations,
        truncations=np.zeros(count, np.bool_),
        infos={
            "action_mask": masks,
            "game": whole * int(shard.game[start]),
            "seat": whole * int(shard.seat[start]),
        },
    )
