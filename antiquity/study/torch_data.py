"""Data sets of decisions for torch: :class:`ShardStream` for training, :class:`ShardDataset` for random access.

Needs torch (``pip install "antiquity[train]"``).
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game import Game
from antiquity.study.shards import Shard, floats_of, read_shard, shards_in

try:
    import torch
    from torch.utils.data import Dataset, IterableDataset, get_worker_info
except ImportError as error:  # pragma: no cover (the tests have it)
    raise ImportError('antiquity.study.torch_data needs torch: pip install "antiquity[train]"') from error

Row = dict[str, Any]
"""``observation`` float32[F], ``mask`` bool[A], ``action`` int64, ``reward`` and ``return`` float32, ``game``,
``seat``, ``step`` and ``agent`` int64; as a batch with a dimension more in front."""
OPEN_SHARDS = 4
"""Shards that :class:`ShardDataset` keeps in memory."""


def _rows(shard: Shard, index: Any) -> Row:
    """Decisions of a shard, as tensors."""
    whole: dict[str, NDArray[Any]] = {
        "action": shard.action,
        "game": shard.game,
        "seat": shard.seat,
        "step": shard.step,
        "agent": shard.agent,
    }
    masks = np.unpackbits(shard.mask[index], axis=-1, count=shard.game_played.num_actions).astype(np.bool_)
    return {
        "observation": torch.from_numpy(floats_of(shard.game_played, shard.observation[index])),
        "mask": torch.from_numpy(masks),
        "reward": torch.as_tensor(shard.reward[index]),
        "return": torch.as_tensor(shard.returns[index]),
        **{name: torch.as_tensor(np.asarray(values[index], np.int64)) for name, values in whole.items()},
    }


class ShardDataset(Dataset[Row]):  # type: ignore[misc]
    """All decisions of a folder by number, for a ``DataLoader``; in order it reads each shard once.

    Args:
        folder: with the shards.
        game: what was played, where that is not installed.

    Raises:
        FileNotFoundError, ValueError: there are no shards, or one is damaged.
    """

    def __init__(self, folder: str | os.PathLike[str], game: str | Game | None = None) -> None:
        self.paths = shards_in(folder)
        self._read = functools.lru_cache(OPEN_SHARDS)(lambda number: read_shard(self.paths[number], game))
        self._game = game
        self._ends = np.cumsum([len(self._read(number)) for number in range(len(self.paths))])

    def __len__(self) -> int:
        return int(self._ends[-1])

    def __getitem__(self, number: int) -> Row:
        number = range(len(self))[number]
        shard = int(np.searchsorted(self._ends, number, side="right"))
        return _rows(self._read(shard), number - (int(self._ends[shard - 1]) if shard else 0))

    def __getstate__(self) -> Mapping[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_read"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        game = self._game
        self._read = functools.lru_cache(OPEN_SHARDS)(lambda number: read_shard(self.paths[number], game))


class ShardStream(IterableDataset[Row]):  # type: ignore[misc]
    """Whole batches of a folder's decisions, for ``DataLoader(stream, batch_size=None)``.

    Shards come in an order drawn anew in every epoch, and so do the decisions within a shard. Several workers share the
    shards. The last batch of a shard may be smaller.

    Args:
        folder: with the shards.
        batch_size: decisions of a batch.
        shuffle: False: everything in order.
        seed: of the orders.
        part: ``(k, n)``: only every n-th shard, beginning with the k-th; to keep some for validation.
        game: what was played, where that is not installed.

    Raises:
        FileNotFoundError, ValueError: there are no shards, or one is damaged.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        batch_size: int = 1024,
        *,
        shuffle: bool = True,
        seed: int = 0,
        part: tuple[int, int] = (0, 1),
        game: str | Game | None = None,
    ) -> None:
        self.paths = shards_in(folder)[part[0] :: part[1]]
        self.batch_size, self.shuffle, self.seed, self.game = batch_size, shuffle, seed, game
        self.epoch = 0
        """Raised by one whenever an epoch begins."""

    def __iter__(self) -> Iterator[Row]:
        rng = np.random.default_rng([self.seed, self.epoch])
        self.epoch += 1
        order = rng.permutation(len(self.paths)) if self.shuffle else np.arange(len(self.paths))
        worker = get_worker_info()
        mine = order if worker is None else order[worker.id :: worker.num_workers]
        for number in mine:
            shard = read_shard(self.paths[number], self.game)
            rows = rng.permutation(len(shard)) if self.shuffle else np.arange(len(shard))
            for start in range(0, len(rows), self.batch_size):
                yield _rows(shard, rows[start : start + self.batch_size])
