"""What release 0.1.0 computes, kept as hashes: a change that is meant to change nothing leaves all of them alone.

Actions and fields of observations that have come since are left out, and must be zero in the games played here.

Everything goes through the public interface, so the file runs on any tree that has one::

    python tests/test_fingerprints.py --write     # keep the hashes of the tree that is imported
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity import Batch, make_game
from antiquity.arena import tournament
from release_0_1_0 import as_released, records_as_released

KEPT = Path(__file__).with_name("data") / "fingerprints.json"
RANDOM, LONG = 130, {"stone_age": 450}
"""Steps at random, and steps of the greedy agent after them, where games last longer."""
REWARDS = ("win", "rank", "margin", "points")
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "seven_wonders": [
        {"payments": "cheapest", "sides": "night"},
        {"sides": "random", "cards": "second_edition_print"},
    ],
    "stone_age": [{"max_rounds": 9, "start_player": 1}],
    "dice": [
        {"wonder_bonus": False, "barracks_bonus": "both_sides", "max_turns": 25},
        {"grey_dice": "six_resources", "middle_bonus": "four_colours"},
    ],
}


class Hash:
    """SHA-256 over arrays, their shapes and dtypes."""

    def __init__(self) -> None:
        self._sum = hashlib.sha256()

    def add(self, *arrays: Any) -> None:
        for array in map(np.ascontiguousarray, arrays):
            self._sum.update(f"{array.dtype.str}{array.shape}".encode())
            self._sum.update(array.tobytes())

    def add_seen(self, batch: Batch, *arrays: Any) -> None:
        """What a batch shows, as far as the release showed it."""
        self.add(*as_released(batch, *arrays))

    def text(self) -> str:
        return self._sum.hexdigest()[:32]


def policies(batch: Batch) -> list[str]:
    """Who chooses in each step, so that games come to their end."""
    return ["random"] * RANDOM + ["greedy"] * LONG.get(batch.game.name, 0)


def add_ended(found: Hash, batch: Batch) -> None:
    ended = batch.ended
    found.add_seen(batch, ended.index, ended.observations, ended.masks, ended.scores, ended.ranks)
    found.add(ended.rewards, ended.lengths)


def steps(found: Hash, make: Callable[..., Batch]) -> None:
    """Random play with memory, the whole table, lists of legal actions; games end and begin anew."""
    batch = make(18, memory=True, reward="margin")
    found.add_seen(batch, *batch.reset())
    for number, policy in enumerate(policies(batch)):
        step = batch.step(batch.sample(policy))
        found.add(records_as_released(batch), step.rewards, step.terminated, step.truncated)
        add_ended(found, batch)
        if number < RANDOM or number % 8 == 0:
            found.add_seen(batch, step.observations, step.masks)
        if number % 8 == 0:
            found.add_seen(batch, batch.state(), batch.scores(), batch.ranks())
            for seat in range(batch.player_counts[2]):
                found.add(batch.legal_actions(2, seat))


def rows(found: Hash, make: Callable[..., Batch]) -> None:
    """Decision rows under random play, in place, in two shards."""
    batch = make(20, copy=False, threads=2)
    batch.reset()
    found.add_seen(batch, *batch.rows())
    for policy in policies(batch):
        found.add_seen(batch, *batch.step_rows(batch.sample_rows(policy, salt=5)))


def rewards(found: Hash, make: Callable[..., Batch]) -> None:
    """All kinds of rewards, with illegal actions and a limit to the steps."""
    for reward in REWARDS:
        for on_illegal in ("lose", "random"):
            batch = make(12, reward=reward, on_illegal=on_illegal, max_cycles=320)
            batch.reset()
            for number, policy in enumerate(policies(batch)):
                actions = batch.sample(policy)
                actions[number % 12, number % 2] += number % 3
                step = batch.step(actions)
                found.add(step.rewards, step.terminated, step.truncated)
                found.add(batch.ended.scores, batch.ended.ranks, batch.ended.rewards)


def greedy(found: Hash, make: Callable[..., Batch]) -> None:
    """The greedy agent, by steps and in rollouts; random rollouts, to the end and from the middle on."""
    batch = make(8, reward="points", autoreset=False)
    batch.reset()
    for number in range(60 + LONG.get(batch.game.name, 0)):
        actions = batch.sample("greedy", salt=2)
        step = batch.step(actions)
        found.add(actions, step.rewards, step.terminated)
        if number % 4 == 0:
            found.add_seen(batch, step.observations, step.masks)
    for policy in ("greedy", "random"):
        for _ in range(2):
            found.add(batch.rollout(policy), records_as_released(batch), batch.scores(), batch.ranks())
            batch.reset()
            batch.step(batch.sample())


def worlds(found: Hash, make: Callable[..., Batch]) -> None:
    """What seats cannot know, drawn anew, and how these games go on."""
    batch = make(12, memory=True)
    batch.reset()
    for number in range(70):
        batch.step(batch.sample())
        index = number % 12
        twin = batch.clone()
        twin.determinize(index, number % int(batch.player_counts[index]), 1000 + number)
        found.add_seen(batch, records_as_released(twin), twin.observations[index], twin.masks[index])
        if number % 10 == 0:
            found.add(twin.rollout())


def matches(found: Hash, game: str) -> None:
    """A small tournament with the tree search."""
    players = make_game(game).min_players
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        entrants = ["search:simulations=30", "search:simulations=20,rollout=greedy", "greedy", "random"]
        tournament(game, entrants, players=players + 1, deals=2, seed=7, results=path)
        with sqlite3.connect(path) as database:
            for columns, table in (("players, deal, rotation, length", "games"), ("*", "seats")):
                query = f"SELECT {columns} FROM {table} ORDER BY players, deal, rotation"
                found.add(sorted(database.execute(query).fetchall()))
        database.close()


PARTS = (steps, rows, rewards, greedy, worlds)


def cases() -> Iterator[tuple[str, str, list[int], dict[str, Any]]]:
    """(name, game, player counts by turns, options): the defaults at every table, the options at mixed ones."""
    for name, options in OPTIONS.items():
        game = make_game(name)
        counts = list(range(game.min_players, game.max_players + 1))
        for players in counts:
            yield f"{name}-{players}", name, [players], {}
        for number, chosen in enumerate(options, 1):
            yield f"{name}-options-{number}", name, counts, chosen


CASES = {name: (game, counts, options) for name, game, counts, options in cases()}


def fingerprints(case: str) -> dict[str, str]:
    """The hash of each part of a case."""
    game, counts, options = CASES[case]

    def make(games: int, **settings: Any) -> Batch:
        return Batch(game, games, np.resize(counts, games), seed=2026, **settings, **options)

    found = {part.__name__: Hash() for part in PARTS}
    for part in PARTS:
        part(found[part.__name__], make)
    return {name: each.text() for name, each in found.items()}


def tournament_fingerprint(game: str) -> str:
    found = Hash()
    matches(found, game)
    return found.text()


@pytest.mark.parametrize("case", CASES)
def test_everything_a_batch_gives_is_as_it_was(case: str) -> None:
    assert fingerprints(case) == json.loads(KEPT.read_text())[case]


@pytest.mark.parametrize("game", OPTIONS)
def test_a_tournament_with_the_search_is_as_it_was(game: str) -> None:
    assert tournament_fingerprint(game) == json.loads(KEPT.read_text())[f"{game}-tournament"]


if __name__ == "__main__":
    hashes: dict[str, Any] = {case: fingerprints(case) for case in CASES}
    hashes |= {f"{game}-tournament": tournament_fingerprint(game) for game in OPTIONS}
    text = json.dumps(hashes, indent=1) + "\n"
    if "--write" in sys.argv:
        KEPT.write_text(text)
    print(text, end="")
