"""Matches and tournaments: who sits where, what is counted, and when it is enough."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.agents import Network, NetworkAgent, make_agent
from antiquity.arena import play_match, tournament
from antiquity.arena.plan import make_plan
from antiquity.arena.play import play_games, rotations
from antiquity.arena.report import as_html, write_report
from antiquity.arena.statistics import share
from antiquity.arena.tables import as_csv, as_dict, as_tables
from antiquity.arena.tournament import looks
from antiquity.batch import Batch
from arena_games import AGENTS, First, Wrong, toy_plan
from env_games import TOY, WONDERS, both_games, same

# --- games ---


@both_games
def test_games_are_those_of_the_batch(game: Any) -> None:
    agents = [make_agent("greedy", game), make_agent("random", game)]
    seats = game.default_players
    seeds = np.arange(1, 9, dtype=np.uint64)
    for policy in (0, 1):
        played = play_games(game, agents, np.full((8, seats), policy), seeds)
        batch = Batch(game, 8, seats, seed=seeds)
        batch.reset()
        batch.rollout("greedy" if policy == 0 else "random")
        assert same(played.scores, batch.scores()) and same(played.ranks, batch.ranks())
        assert played.lengths.tolist() == batch.games["steps"].tolist()


@both_games
def test_a_game_does_not_depend_on_what_is_played_beside_it(game: Any) -> None:
    # Python's agents and kernel agents at one table; one game after the other or all at once.
    agents = [First(), make_agent("greedy", game), make_agent("random", game)]
    rng = np.random.default_rng(1)
    seating = rng.integers(0, 3, (6, game.default_players))
    seeds = rng.integers(0, 2**63, 6).astype(np.uint64)
    together = play_games(game, agents, seating, seeds)
    for k in range(6):
        alone = play_games(game, agents, seating[k : k + 1], seeds[k : k + 1])
        assert same(alone.scores[0], together.scores[k])
        assert alone.lengths[0] == together.lengths[k]


def test_a_kernel_plays_as_python_does() -> None:
    class Outside(First):
        """The greedy agent, asked by Python."""

        def act(self, decisions: Any) -> Any:
            return make_agent("greedy", WONDERS).act(decisions)

    seating = rotations(np.array([[0, 1, 1]]).repeat(4, axis=0))
    seeds = np.arange(12, dtype=np.uint64)
    random = make_agent("random", WONDERS)
    inside = play_games(WONDERS, [make_agent("greedy", WONDERS), random], seating, seeds)
    assert same(play_games(WONDERS, [Outside(), random], seating, seeds).scores, inside.scores)


def test_rotations_keep_the_neighbours() -> None:
    assert rotations(np.array([[5, 6, 7]])).tolist() == [[5, 6, 7], [7, 5, 6], [6, 7, 5]]


# --- who plays ---


def test_everybody_gets_the_same_number_of_seats() -> None:
    agents = [f"a{k}=random" for k in range(5)]
    for players, exact in ((2, 10), (3, 10), (4, 5)):
        plan = make_plan(TOY, agents, seed=1)
        line_ups = plan.line_ups(players, 0, exact)
        seats = Counter(line_ups.ravel().tolist())
        assert set(seats.values()) == {exact * players // 5}
        pairs = Counter(frozenset(row) for row in line_ups.tolist())
        assert set(pairs.values()) == {1}
    plan = make_plan(TOY, agents[:3], seed=1)
    line_ups = plan.line_ups(4, 0, 3)
    assert sorted(Counter(line_ups.ravel().tolist()).values()) == [4, 4, 4]
    assert all(len(set(row)) == 3 for row in line_ups.tolist())


def test_too_many_for_all_groups() -> None:
    plan = make_plan(TOY, [f"a{k}=random" for k in range(60)], seed=1)
    line_ups = plan.line_ups(4, 0, 15)
    assert sorted(line_ups.ravel().tolist()) == list(range(60))
    assert not same(line_ups, plan.line_ups(4, 15, 30))
    assert same(plan.line_ups(4, 7, 9), line_ups[7:9])


def test_blocks_fill_the_gaps() -> None:
    plan = toy_plan(block=4)
    assert [tuple(b) for b in plan.missing(2, [], 10)] == [(2, 0, 4), (2, 4, 8), (2, 8, 10)]
    assert [tuple(b) for b in plan.missing(2, [(0, 4), (8, 10)], 14)] == [(2, 4, 8), (2, 10, 12), (2, 12, 14)]
    assert plan.missing(2, [(0, 20)], 14) == []
    assert [tuple(b) for b in plan.missing(2, [(0, 3), (3, 6)], 7)] == [(2, 6, 7)]


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        (["greedy"], "two agents or more"),
        (["greedy", "clever"], "no agent is called 'clever'"),
        (["greedy", "greedy"], "two agents are called 'greedy'"),
        (["greedy", "search:simulations=many"], "simulations must be an int"),
        (["greedy", "nothing.npz"], "no policy file"),
        (["greedy", "model.zip"], "runs code"),
        (["greedy", 3], "not int"),
    ],
)
def test_who_cannot_play(agents: list[Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=words):
        make_plan(TOY, agents)


def test_an_agent_for_another_game(tmp_path: Path) -> None:
    layer = (np.zeros((TOY.layout.size, TOY.num_actions), np.float32), np.zeros(TOY.num_actions, np.float32))
    path = NetworkAgent(TOY, Network.of_layers([layer])).save(tmp_path / "mine.npz")
    assert make_plan(TOY, ["greedy", str(path)]).entrants[1].name == "mine"
    with pytest.raises(ValueError, match=r"is a policy for toy, not for 7 Wonders"):
        make_plan(WONDERS, ["greedy", str(path)])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"players": 9}, "is for 2 to 4 players, not 9"),
        ({"deals": 0}, "deals is 0"),
        ({"precision": 2.0}, "precision is 2.0"),
        ({"colour": "red"}, "unexpected keyword argument 'colour'"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_what_cannot_be_played(options: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        tournament(TOY, ["greedy", "random"], **options)


def test_an_illegal_answer_names_the_agent() -> None:
    with pytest.raises(ValueError, match="agent 'first' chose the illegal action 99"):
        tournament(TOY, ["greedy", Wrong()], deals=2)


# --- what is counted ---


def test_intervals_hold_what_they_promise() -> None:
    """Of many samples with ties within deals, 95% of the intervals contain the truth."""
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(600):
        # A deal moves all its games together: chance 0.1 to 0.5, four games each.
        chance = rng.uniform(0.1, 0.5, 80)
        sums = rng.binomial(4, chance).astype(float)
        found = share(sums, np.full(80, 4.0))
        hits += found.low <= 0.3 <= found.high
    assert 0.92 <= hits / 600 <= 0.98


def test_intervals_at_the_ends() -> None:
    none = share(np.zeros(50), np.full(50, 4.0))
    assert none.value == none.low == 0 and 0.05 < none.high < 0.1
    always = share(np.full(50, 4.0), np.full(50, 4.0))
    assert always.value == always.high == 1 and 0.9 < always.low < 0.95
    assert share(np.ones(50), np.full(50, 4.0)) == (0.25, 0.25, 0.25)  # every deal alike
    assert share(np.ones(1), np.ones(1)) == (1.0, 0.0, 1.0)  # one deal says nothing
    assert np.isnan(share(np.zeros(3), np.zeros(3)).value)


def test_equals_are_equal() -> None:
    """An agent against itself under another name: in every deal, rotations give both the same."""
    result = tournament(TOY, ["one=greedy", "two=greedy"], players=2, deals=40, seed=2)
    table = result.tables[0]
    assert table.duels["one"]["two"] == (0.5, 0.5, 0.5)
    assert [each.wins for each in table.standings] == [(0.5, 0.5, 0.5)] * 2
    match = play_match(TOY, ["greedy", "greedy"], deals=40, seed=2, duplicate=False)
    assert match.shares.mean(axis=(1, 2)).std() == 0  # one name: always the whole
    assert match.shares[:, :, 0].mean(axis=1).std() > 0  # deals of their own are not balanced


def test_figures_agree_with_the_games() -> None:
    agents = ["greedy", "random", "search:simulations=100"]
    result = tournament(TOY, agents, players=[2, 3, 4], deals=30, seed=1)
    assert [table.players for table in result.tables] == [2, 3, 4]
    for table in result.tables:
        assert (table.deals, table.games) == (30, 30 * table.players)
        seats = {each.name: each.games for each in table.standings}
        if table.players < 4:
            assert sum(seats.values()) == table.games * table.players
            total = sum(each.wins.value * each.games for each in table.standings)
            assert total == pytest.approx(table.games)
        for one in table.duels:
            for two, found in table.duels[one].items():
                assert found.value + table.duels[two][one].value == pytest.approx(1)
        assert sum(count for _, count in table.lengths) == table.games
        for each in table.standings:
            parts = sum(each.points[name] for name in TOY.categories)
            assert each.points["total"] == pytest.approx(parts)
        assert table.standings[-1].name == "random"
    assert [*result.ratings][-1] == "random"
    assert result.incidents == []


def test_enough_is_when_the_intervals_are_narrow() -> None:
    assert list(looks(1000, 0.01)) == [100, 150, 225, 337, 505, 757, 1000]
    assert list(looks(1000, None)) == [1000]
    wide = tournament(TOY, ["greedy", "random"], players=2, deals=2000, precision=0.05, seed=1)
    narrow = tournament(TOY, ["greedy", "random"], players=2, deals=2000, precision=0.015, seed=1)
    assert wide.tables[0].deals < narrow.tables[0].deals < 2000
    assert max(each.wins.half for each in narrow.tables[0].standings) <= 0.015
    few = tournament(TOY, ["greedy", "random"], players=2, deals=130, precision=0.0001, seed=1)
    assert few.tables[0].deals == 130


# --- what is shown ---


def test_tables_json_and_csv() -> None:
    result = tournament(TOY, AGENTS, players=[2, 3], deals=10)
    found = json.loads(json.dumps(as_dict(result), allow_nan=False))
    assert (
        found["tables"][1]["standings"][0]["wins"]["low"]
        <= found["tables"][1]["standings"][0]["wins"]["value"]
    )
    lines = as_csv(result).splitlines()
    assert len(lines) == 1 + 6 and lines[0].startswith("players,agent,games,wins,wins_low")
    assert {len(line.split(",")) for line in lines} == {10 + len(TOY.categories)}
    assert len(as_tables(result)) == 2 * 3 + 1
    assert "2 players: 20 games of 10 deals" in str(result)


def test_the_report_needs_nothing_else(tmp_path: Path) -> None:
    result = tournament(TOY, ["greedy", ("<b>&", "random")], deals=5)
    text = as_html(result)
    assert "<b>&" not in text and "&lt;b&gt;&amp;" in text
    assert text.count("<svg") == 2
    # Names of XML formats are no addresses that anybody opens.
    loaded = re.findall(r"(?:src|href|url)\s*[=(]\s*[\"']?(?!#)([^\"')\s>]+)", text)
    assert [each for each in loaded if not each.startswith("#")] == []
    assert "<script" not in text and "@import" not in text
    path = write_report(result, tmp_path / "new" / "report.html")
    assert path.read_text() == text and as_html(result) == text
    assert list(path.parent.iterdir()) == [path]
