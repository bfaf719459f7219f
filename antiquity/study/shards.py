"""The files of a data set of decisions: shards of whole games, as plain numpy archives without any pickle.

A folder holds ``shard_00000.npz``, ``shard_00001.npz`` ... Every shard tells on its own what it holds, so folders
may be split and read in part.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.batch import replacing
from antiquity.game import Game
from antiquity.game.archive import Archive, reading
from antiquity.game.files import installed_game

FORMAT: Final = 2
"""Number of the file format. 1: observations are float16. 2: bytes, where the game has them."""
COLUMNS: Final[Mapping[str, type[np.generic]]] = {
    "mask": np.uint8,
    "action": np.uint16,
    "reward": np.float32,
    "return": np.float32,
    "game": np.uint32,
    "seat": np.uint8,
    "step": np.uint32,
    "agent": np.uint8,
}
"""What a shard holds of each decision beside the observation, and its dtype."""
_NOTES = ("format", "game", "version", "options", "players", "agents", "reward", "seed", "first", "games")


@dataclass(frozen=True, eq=False)
class Shard:
    """N decisions of some games, sorted by game, seat and step.

    Attributes:
        about: ``game``, ``version``, ``options``, ``players``, ``agents`` (names), ``reward``, ``seed``, ``first``
            (number of the first game) and ``games`` (how many).
        observation: uint8[N, F], or float16 if the game has no bytes or the shard has format 1; see
            :attr:`observations`.
        mask: uint8[N, ceil(A / 8)]: the legal actions as bits, see :attr:`masks`.
        action: uint16[N].
        reward: float32[N]: what the seat got from this decision to its next one, or to the end.
        returns: float32[N]: what it got from this decision to the end, not discounted.
        game: uint32[N]: the number of the game in the data set; with the seat it names an episode.
        seat, step, agent: uint8[N], uint32[N], uint8[N]: who decided, at which step of the game, and which of
            ``agents`` that was.
    """

    game_played: Game
    about: Mapping[str, Any]
    observation: NDArray[Any]
    mask: NDArray[np.uint8]
    action: NDArray[np.uint16]
    reward: NDArray[np.float32]
    returns: NDArray[np.float32]
    game: NDArray[np.uint32]
    seat: NDArray[np.uint8]
    step: NDArray[np.uint32]
    agent: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.action)

    @property
    def observations(self) -> NDArray[np.float32]:
        """float32[N, F]: what the seats saw."""
        return floats_of(self.game_played, self.observation)

    @property
    def masks(self) -> NDArray[np.bool_]:
        """bool[N, A]: the legal actions."""
        return np.unpackbits(self.mask, axis=1, count=self.game_played.num_actions).view(np.bool_)

    @property
    def episodes(self) -> NDArray[np.int64]:
        """int64[E + 1]: where the decisions of one seat in one game begin, and N."""
        changed = (np.diff(self.game.astype(np.int64)) != 0) | (np.diff(self.seat.astype(np.int64)) != 0)
        inside = np.flatnonzero(changed) + 1
        return np.concatenate([[0], inside, [len(self)]]) if len(self) else np.zeros(1, np.int64)


def observation_dtype(game: Game, number: int = FORMAT) -> np.dtype[Any]:
    """What observations of a game are stored as, in the format of this number."""
    return np.dtype(np.uint8 if number > 1 and game.bytes else np.float16)


def floats_of(game: Game, observation: NDArray[Any]) -> NDArray[np.float32]:
    """float32[..., F] of observations as they are stored."""
    if observation.dtype == np.uint8:
        return game.layout.floats(observation)
    return observation.astype(np.float32)


def name_of(number: int) -> str:
    """``shard_00012.npz``."""
    return f"shard_{number:05d}.npz"


def shards_in(folder: str | os.PathLike[str]) -> list[Path]:
    """The shards of a folder, by number.

    Raises:
        FileNotFoundError: there are none.
    """
    found = sorted(Path(folder).glob("shard_*.npz"))
    if not found:
        raise FileNotFoundError(f"{os.fspath(folder)} holds no data set: there is no shard_*.npz in it")
    return found


def write_shard(path: Path, about: Mapping[str, Any], columns: Mapping[str, NDArray[Any]]) -> None:
    """Write a shard, whole or not at all. The same decisions are the same bytes."""
    note = np.frombuffer(json.dumps({"format": FORMAT, **about}, sort_keys=True).encode(), np.uint8)
    with (
        replacing(path) as partial,
        zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        for name, array in {"about": note, **columns}.items():
            member = zipfile.ZipInfo(f"{name}.npy")
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)


def read_about(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a shard says of itself, without reading its decisions.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is damaged or no shard.
    """
    with reading(path, "shard of a data set") as archive:
        return _about(archive)


def read_shard(path: str | os.PathLike[str], game: str | Game | None = None) -> Shard:
    """A shard.

    Args:
        path: of the file. It may be anybody's: nothing in it is run, and it is unpacked within bounds.
        game: what was played, where that is not installed.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is damaged, no shard, or of another game or version.
    """
    with reading(path, "shard of a data set") as archive:
        about = _about(archive)
        found = installed_game(about["game"], about["version"], game)
        columns = {name: archive.array(name) for name in ("observation", *COLUMNS)}
        _check(found, about, columns)
    returns = columns.pop("return")
    return Shard(found, about, returns=returns, **columns)


def _about(archive: Archive) -> dict[str, Any]:
    about = archive.json("about")
    if not isinstance(about, dict) or about.get("format") not in range(1, FORMAT + 1):
        raise ValueError(f"this Antiquity reads shards of formats 1 to {FORMAT}")
    if missing := [name for name in _NOTES if name not in about]:
        raise ValueError(f"it lacks {', '.join(missing)}")
    agents = about["agents"]
    if not isinstance(agents, list) or not all(isinstance(name, str) for name in agents):
        raise ValueError("its agents are no list of names")
    return about


def _check(game: Game, about: Mapping[str, Any], columns: Mapping[str, NDArray[Any]]) -> None:
    """See that columns have the right shapes and dtypes, and numbers that mean something."""
    rows = len(columns["action"])
    wide = {"observation": (rows, game.layout.size), "mask": (rows, -(-game.num_actions // 8))}
    dtypes: dict[str, Any] = {"observation": observation_dtype(game, about["format"]), **COLUMNS}
    for name, dtype in dtypes.items():
        shape, array = wide.get(name, (rows,)), columns[name]
        if array.shape != shape or array.dtype != dtype:
            wanted = f"{np.dtype(dtype)}{list(shape)}"
            raise ValueError(f"{name} is {array.dtype}{list(array.shape)} instead of {wanted}")
    limits = {"action": game.num_actions, "seat": game.max_players, "agent": len(about["agents"])}
    for name, limit in limits.items():
        if rows and int(columns[name].max()) >= limit:
            raise ValueError(f"{name} has {columns[name].max()}, and there are {limit}")
    action = columns["action"].astype(np.int64)
    bits = columns["mask"][np.arange(rows), action >> 3] >> (7 - (action & 7)) & 1
    if not bits.all():
        raise ValueError(f"decision {int(np.argmin(bits))} chose an action that its mask does not allow")


def same_data(about: Mapping[str, Any], other: Mapping[str, Any], names: Sequence[str] = _NOTES) -> str:
    """The first of `names` in which two descriptions differ, or ""."""
    return next((name for name in names if about.get(name) != other.get(name)), "")
