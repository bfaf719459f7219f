"""Data sets of decisions: games of any agents, written as shards that learners read (``antiquity dataset``)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import Agent, AgentLike, Decisions, checked_actions, make_agent
from antiquity.batch import PLAYERS, Batch
from antiquity.game import Game, make_game
from antiquity.game.checks import one_seed, whole
from antiquity.game.files import plain
from antiquity.game.random import RESERVED, mix_many
from antiquity.study.shards import (
    COLUMNS,
    FORMAT,
    name_of,
    observation_dtype,
    read_about,
    same_data,
    write_shard,
)

DATASET: Final = RESERVED + 60
"""Purpose of the seeds of a data set's games. Index: the number of the game."""
SHARD_BYTES: Final = 24 << 20
"""What the observations of a shard take, about: anybody's reader unpacks twice as much without a question."""
_KERNELS: Final = {number: name for name, number in PLAYERS.items()}


class Written(NamedTuple):
    """What :func:`write_dataset` has done."""

    folder: Path
    games: int
    decisions: int
    """Written by this call; those of shards that were there already are not counted."""
    skipped: int
    """Shards that were there already."""


def write_dataset(
    game: str | Game,
    agents: Sequence[AgentLike],
    games: int,
    folder: str | os.PathLike[str],
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    reward: str = "win",
    seed: int = 0,
    told: Callable[[int], None] | None = None,
) -> Written:
    """Play games and write every decision.

    Each game depends on the seed, its number and the agents alone, so shards that are there already (of a run that was
    stopped, or of fewer games) are kept, and only the others are played.

    Args:
        game: a game's name, or a Game.
        agents: the players by name or themselves: one for all seats, or one for each. In game g, agent a sits in seat
            (a + g) mod players.
        games: how many.
        folder: where the shards go.
        players: seats at the table; the game's default if None.
        options: the game's own.
        reward: by name, see :class:`antiquity.batch.Settings`.
        seed: of the games.
        told: called with the number of games that are done, after each shard.

    Raises:
        ValueError: the folder holds another data set, or there are more or fewer agents than seats.
    """
    game, folder = make_game(game), Path(folder)
    games, players = whole("games", games, 1), whole("players", players or game.default_players, 1)
    made = [make_agent(agent, game) for agent in agents]
    if len(made) not in (1, players):
        raise ValueError(f"{len(made)} agents for {players} seats; give one for all, or one for each")
    own = {name: plain(name, value) for name, value in (options or {}).items()}
    size = _games_a_shard(game, players, own)
    about = {
        "format": FORMAT,
        "game": game.name,
        "version": game.version,
        "options": own,
        "players": players,
        "agents": [agent.name for agent in made],
        "reward": reward,
        "seed": one_seed(seed),
    }
    decisions = skipped = 0
    waiting: Future[None] | None = None
    with ThreadPoolExecutor(1) as writer:  # packs one shard while the next is played
        for number, first in enumerate(range(0, games, size)):
            path, count = folder / name_of(number), min(size, games - first)
            notes = about | {"first": first, "games": count}
            if _is_there(path, notes):
                skipped += 1
            else:
                columns = play_shard(game, made, notes)
                decisions += len(columns["action"])
                if waiting is not None:
                    waiting.result()
                waiting = writer.submit(write_shard, path, notes, columns)
            if told is not None:
                told(first + count)
        if waiting is not None:
            waiting.result()
    return Written(folder, games, decisions, skipped)


def _is_there(path: Path, notes: Mapping[str, Any]) -> bool:
    """Whether a shard is there, whole; ValueError if it is one of another data set."""
    try:
        found = read_about(path)
    except FileNotFoundError:
        return False
    differs = same_data(notes, found, [name for name in notes if name != "games"])
    if differs:
        raise ValueError(
            f"{path} belongs to another data set: its {differs} is {str(found[differs])[:80]}, not {notes[differs]}"
        )
    return bool(found["games"] == notes["games"])


def _games_a_shard(game: Game, players: int, options: Mapping[str, Any]) -> int:
    """How many games make about :data:`SHARD_BYTES` of observations, by the length of random games."""
    batch = Batch(game, 32, players, seed=0, autoreset=False, copy=False, **options)
    batch.reset()
    decisions = 0
    while len(actions := batch.sample_rows()):
        decisions += len(actions)
        batch.step_rows(actions)
    row = game.layout.size * observation_dtype(game).itemsize
    return max(1, int(SHARD_BYTES * batch.num_games / max(decisions, 1) / row))


def play_shard(game: Game, agents: Sequence[Agent], about: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """The columns (``observation`` and :data:`antiquity.study.shards.COLUMNS`) of the games that a shard is about."""
    first, count, players = about["first"], about["games"], about["players"]
    numbers = np.arange(first, first + count)
    batch = Batch(
        game,
        count,
        players,
        seed=mix_many(np.uint64(about["seed"]), DATASET, numbers),
        reward=about["reward"],
        autoreset=False,
        copy=False,
        dtype=np.uint8 if game.bytes else np.float32,
        **about["options"],
    )
    sitting = (np.arange(players) - numbers[:, None]) % players % len(agents)
    batch.reset()
    rows = batch.rows()
    dtypes = {"observation": observation_dtype(game), **COLUMNS}
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in dtypes}
    paid = [np.zeros((count, players))]
    step = 0
    while len(rows.game):
        asking = sitting[rows.game, rows.seat]
        actions = _chosen(game, agents, batch, rows.game, rows.seat, asking)
        kept = {
            "observation": rows.observations,
            "mask": np.packbits(rows.masks.view(np.uint8), axis=1),
            "action": actions,
            "game": rows.game,
            "seat": rows.seat,
            "step": np.full(len(actions), step),
            "agent": asking,
        }
        for name, values in kept.items():
            parts[name].append(values.astype(dtypes[name]))
        rows = batch.step_rows(actions)  # type: ignore[assignment]
        paid.append(paid[-1] + batch.rewards)
        step += 1
    columns = {name: np.concatenate(found) for name, found in parts.items() if found}
    order = np.lexsort((columns["step"], columns["seat"], columns["game"]))
    columns = {name: values[order] for name, values in columns.items()}
    index, seat, at = (columns[name].astype(np.int64) for name in ("game", "seat", "step"))
    totals = np.array(paid)
    before, end = totals[at, index, seat], totals[-1][index, seat]
    goes_on = np.zeros(len(at), np.bool_)
    goes_on[:-1] = (index[1:] == index[:-1]) & (seat[1:] == seat[:-1])
    after = np.where(goes_on, np.roll(before, -1), end)
    columns["reward"], columns["return"] = (
        (after - before).astype(np.float32),
        (end - before).astype(np.float32),
    )
    columns["game"] = (index + first).astype(np.uint32)
    return {name: columns[name] for name in dtypes}


def _chosen(
    game: Game,
    agents: Sequence[Agent],
    batch: Batch,
    index: NDArray[np.int64],
    seats: NDArray[np.int64],
    asking: NDArray[np.int64],
) -> NDArray[np.int64]:
    """What the agents choose, int64[R]; `asking`: int64[R], which of them decides each row."""
    actions = np.zeros(len(index), np.int64)
    for number, agent in enumerate(agents):
        mine = np.flatnonzero(asking == number)
        if not len(mine):
            continue
        if agent.kernel in _KERNELS:
            actions[mine] = batch.sample_rows(_KERNELS[agent.kernel])[mine]
        else:
            asked = Decisions(game, batch.games, batch.tables, index[mine], seats[mine])
            actions[mine] = checked_actions(agent, asked)
    return actions
