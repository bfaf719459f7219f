"""Files that release 0.1.0 has written are read by every later one, and say the same.

They lie in ``data/release_0_1_0``: for each game a saved batch and a replay, the results of a tournament, a policy.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity import Batch, make_game
from antiquity.agents import make_agent
from antiquity.agents.network import NetworkAgent
from antiquity.arena import Results, summarize, tournament
from antiquity.arena.store import ResultsError
from antiquity.study.replay import Replay
from release_0_1_0 import as_released

FILES = Path(__file__).with_name("data") / "release_0_1_0"
# game -> player counts, options, steps of the games so far, hash of how they go on
BATCHES = {
    "seven_wonders": ([3, 5, 7], {"sides": "random"}, [4, 23, 23], "23ff8993d9cfc595b677cd22fd7e4653"),
    "stone_age": ([2, 3, 4], {"max_rounds": 60}, [23, 23, 23], "c94ccfeee2a0162eaf311e47be62b15a"),
    "dice": ([2, 4, 7], {"middle_bonus": "four_colours"}, [23, 23, 23], "3ecc30e88b599326e525edf7800174b5"),
}
# game -> steps, (total, tiebreak, rank) of each seat, a choice of the first step in words
REPLAYS = {
    "seven_wonders": (23, [(61, 4, 1), (27, 24, 3), (44, 8, 2)], "build Timber Yard"),
    "stone_age": (433, [(292, 22, 1), (0, 8, 3), (170, 19, 2)], "place 1 person on pile 1 (1-7 of any kind)"),
    "dice": (51, [(81, 36, 1), (57, 21, 3), (78, 0, 2)], "choose the yellow die (camel) for 2 coins"),
}
ENTRANTS = ["greedy", "random", "also=random"]


@pytest.mark.parametrize("game", BATCHES)
def test_a_saved_batch_goes_on(game: str) -> None:
    counts, options, steps, expected = BATCHES[game]
    batch = Batch.load(FILES / f"{game}.npz")
    assert batch.game is make_game(game) and batch.player_counts.tolist() == counts
    assert (batch.reward, batch.memory, batch.max_cycles, batch.seed) == ("margin", True, 900, 34)
    assert batch.game_options == options
    assert batch.games["steps"].tolist() == steps
    found = hashlib.sha256()
    for array in as_released(batch, batch.observations):
        found.update(array.tobytes())
    for _ in range(40):
        for array in as_released(batch, *batch.step(batch.sample())):
            found.update(array.tobytes())
    assert found.hexdigest()[:32] == expected


@pytest.mark.parametrize("game", BATCHES)
def test_a_saved_batch_is_saved_as_before(game: str, tmp_path: Path) -> None:
    """So that what is saved today can be read by the release as well, unless the game has another version now."""
    Batch.load(FILES / f"{game}.npz").save(tmp_path / "again.npz")
    version = make_game(game).version
    with np.load(FILES / f"{game}.npz") as before, np.load(tmp_path / "again.npz") as now:
        assert set(before.files) <= set(now.files)
        about, released = json.loads(now["about"].tobytes()), json.loads(before["about"].tobytes())
        # What came later has the value of what there was.
        later = {"dtype": "float32", "observation": "vector", "seats": "all"}
        assert about == released | {"version": version, "settings": released["settings"] | later}
        for name in set(before.files) - {"about"}:
            # Of records, bytes that were spare may have got a name.
            assert before[name].dtype == now[name].dtype or name == "games", name
            assert before[name].tobytes() == now[name].tobytes(), name


@pytest.mark.parametrize("game", REPLAYS)
def test_a_replay_plays_again(game: str) -> None:
    steps, standings, words = REPLAYS[game]
    replay = Replay.read(FILES / f"{game}.jsonl")  # which plays it to its end, and compares
    assert (replay.game.name, replay.num_players, replay.end) == (game, 3, "terminated")
    assert replay.agents == ("greedy", "random", "greedy")
    assert len(replay.steps) == steps and replay.steps[0][0].words == words
    assert [(each["total"], each["tiebreak"], each["rank"]) for each in replay.scores] == standings
    batch = replay.check()
    assert batch.ranks()[0].tolist() == [rank for _, _, rank in standings]
    text = (FILES / f"{game}.jsonl").read_text(encoding="utf-8")
    assert f"{chr(10).join(replay.lines())}\n" == text.replace(
        '"version": 0', f'"version": {replay.game.version}', 1
    )


def test_results_of_a_tournament_are_read() -> None:
    with Results.open(FILES / "results.sqlite") as results:
        summary = summarize(results)
    assert summary.game == "seven_wonders" and summary.names == ("greedy", "random", "also")
    (table,) = summary.tables
    assert (table.players, table.deals, table.games) == (3, 8, 24)
    greedy, other, also = table.standings
    assert (greedy.name, greedy.wins.value, greedy.rank) == ("greedy", 1.0, 1.0)
    assert (other.wins.value, also.wins.value) == (0.0, 0.0)
    assert [round(each.points["total"], 1) for each in table.standings] == [60.6, 25.1, 23.0]


def test_a_tournament_does_not_go_on_but_is_seated_the_same_again(tmp_path: Path) -> None:
    """The old file does not say what its games followed from, so nobody can know whether new ones would fit.

    They would not: the greedy agent of 7 Wonders has learnt to look into the discard since.
    """
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    shutil.copy(FILES / "results.sqlite", old)
    settings: dict[str, Any] = {"players": 3, "seed": 37, "payments": "cheapest"}
    with pytest.raises(ResultsError, match=r"begun by an earlier release.*give another file"):
        tournament("seven_wonders", ENTRANTS, deals=9, results=old, **settings)
    assert old.read_bytes() == (FILES / "results.sqlite").read_bytes()
    with Results.open(old) as results, pytest.raises(ResultsError, match="did not keep what was chosen"):
        results.game_played(3, 0)
    tournament("seven_wonders", ENTRANTS, deals=8, results=new, **settings)
    seats = []
    for path in (old, new):
        database = sqlite3.connect(path)
        columns = "deal, rotation, seat, agent"
        seats.append(
            database.execute(f"SELECT {columns} FROM seats ORDER BY deal, rotation, seat").fetchall()
        )
        database.close()
    assert len(seats[0]) == 8 * 3 * 3
    assert seats[0] == seats[1]


def test_a_policy_answers_as_before() -> None:
    policy = make_agent(str(FILES / "policy.npz"), "dice")
    assert isinstance(policy, NetworkAgent)
    assert (policy.name, policy.memory, policy.network.activation) == ("policy", False, "tanh")
    assert policy.network.sizes[1:].tolist() == [6] and not policy.network.has_value
    size = make_game("dice").layout.size
    logits = policy.logits((np.arange(size)[None] % 7 / 8).astype(np.float32))[0]
    np.testing.assert_allclose(
        logits[[0, 1, 50, -1]], [-0.86882353, 0.05823202, -0.38484722, 0.38644117], rtol=1e-4
    )
