"""Games of a tournament as replays.

>>> from antiquity.arena import Results
>>> from antiquity.study.tournaments import replay_of
>>> with Results.open("results.sqlite") as results:         # doctest: +SKIP
...     replay_of(results, deal=7).write("game.jsonl")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from antiquity.arena.plan import deal_seeds
from antiquity.arena.store import Results
from antiquity.batch import Batch
from antiquity.game.files import file_options
from antiquity.game.tables import tables_hash
from antiquity.study.recording import Recorder
from antiquity.study.replay import Replay


def replay_of(
    results: Results,
    deal: int,
    *,
    players: int | None = None,
    rotation: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Replay:
    """One game of a results file, played again by what was chosen in it.

    Args:
        results: the open file.
        deal: number of the deal.
        players: at the table; may be left out where all games have the same number of players.
        rotation: which of the deal's games; in each the line-up sits one seat further.
        options: replacements for some of the game's options, needed for those that name a file.

    Raises:
        ValueError: there is no such game, the printed game is not the one that was played, or the choices do not fit
            the rules or the points.
    """
    counts = results.player_counts()
    if players is None:
        if len(counts) != 1:
            raise ValueError(f"{results.path} has games of {counts} players: say of how many")
        players = counts[0]
    found = results.game_played(players, deal, rotation)
    own, given = dict(results.about["options"]), dict(options or {})
    if missing := file_options(own, given):
        raise ValueError(
            f"{results.path}: its games were played with {missing[0]}={own[missing[0]]!r}, which looks like a file, "
            f"and files that a file names are not opened: say where it is, --option {missing[0]}=table.toml"
        )
    seed = deal_seeds(int(results.about["seed"]), players, deal, deal + 1)
    batch = Batch(results.game, num_players=players, seed=seed, autoreset=False, **own | given)
    if tables_hash(batch.tables) != results.about["tables"].get(str(players)):
        raise ValueError(
            f"{results.path}: the printed game (options {own | given}) is not the one that was played"
        )
    names = [results.names[number] for number in found.seating[0].tolist()]
    recorder = Recorder(batch, agents=names)
    batch.reset()
    _play(batch, found.played.actions.tolist(), f"{results.path}: deal {deal}, rotation {rotation}")
    points, ranks = batch.scores()[0], batch.ranks()[0]
    if not np.array_equal(points, found.played.scores[0]) or not np.array_equal(ranks, found.played.ranks[0]):
        raise ValueError(
            f"{results.path}: deal {deal}, rotation {rotation} ends with other points than are written"
        )
    return recorder.replays[0]


def _play(batch: Batch, actions: list[int], where: str) -> None:
    """Play a game by its choices."""
    at = 0
    while deciders := batch.deciders():
        if at + len(deciders) > len(actions):
            break
        row = np.zeros((1, batch.num_seats), np.int64)
        row[0, list(deciders)] = actions[at : at + len(deciders)]
        at += len(deciders)
        try:
            batch.step(row)
        except ValueError as error:
            raise ValueError(f"{where}, step {int(batch.games['steps'][0])}: {error}") from error
    if batch.deciders() or at != len(actions):
        raise ValueError(f"{where}: the game and its {len(actions)} choices do not end together")
