"""Tree search: it plays by the rules, plays well, sees only what its seat sees, and is the same every time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dice_env
import stone_age_env
from antiquity.agents import Decisions, checked_actions, make_agent
from antiquity.agents.search import MAX_ENTRIES, SearchAgent
from antiquity.arena import play_match
from antiquity.batch import Batch
from antiquity.game import Game
from env_games import TOY, WONDERS, same

GAMES = [TOY, WONDERS, stone_age_env.GAME, dice_env.GAME]
all_games = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def somewhere(game: Game, steps: int, num_games: int = 4, seed: int = 5) -> tuple[Batch, Decisions]:
    """The decisions of some games after random steps."""
    batch = Batch(game, num_games, seed=seed)
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    rows = batch.rows()
    return batch, Decisions(game, batch.games, batch.tables, rows.game, rows.seat)


@all_games
def test_legal_and_the_same_every_time(game: Game) -> None:
    for steps in (0, 5):
        batch, asked = somewhere(game, steps, num_games=3)
        before = batch.games.copy()
        agent = SearchAgent(game, simulations=20)
        actions = checked_actions(agent, asked)
        assert same(checked_actions(agent, asked), actions)
        assert same(checked_actions(SearchAgent(game, simulations=20), asked), actions)
        assert batch.games.tobytes() == before.tobytes()
        # Alone, too: what is played beside it has no part in it.
        last = Decisions(game, batch.games, batch.tables, asked.index[-1:], asked.seats[-1:])
        assert agent.act(last)[0] == actions[-1]


@all_games
def test_what_is_hidden_has_no_part_in_it(game: Game) -> None:
    batch, asked = somewhere(game, 4)
    agent = SearchAgent(game, simulations=60)
    different = 0
    for index, seat in zip(asked.index.tolist(), asked.seats.tolist(), strict=True):
        found = agent.decide(batch.games, batch.tables, index, seat)
        other = batch.clone()
        other.determinize(index, seat, 99)
        different += other.games[index].tobytes() != batch.games[index].tobytes()
        assert agent.decide(other.games, other.tables, index, seat) == found
    assert different == len(asked)


@pytest.mark.parametrize("rollout", ["random", "greedy"])
def test_shares_of_tries_add_up(rollout: str) -> None:
    batch, asked = somewhere(WONDERS, 2)
    agent = SearchAgent(WONDERS, simulations=200, rollout=rollout)
    for row in range(len(asked)):
        index, seat = int(asked.index[row]), int(asked.seats[row])
        action, shares = agent.decide(batch.games, batch.tables, index, seat)
        assert list(shares) == asked.legal[row, : asked.counts[row]].tolist()
        assert sum(shares.values()) == pytest.approx(1)
        assert shares[action] == max(shares.values())
        # As many tries as simulations: those of the root add up to them.
        assert agent.done == 200
        tree = agent._tree
        assert tree.entries["visits"].max() <= 200
        assert tree.used[0] == np.count_nonzero(tree.entries["key"])


def test_a_seed_gives_another_search() -> None:
    batch, asked = somewhere(WONDERS, 1, num_games=1)
    place = (batch.games, batch.tables, 0, int(asked.seats[0]))
    one, two = (SearchAgent(WONDERS, simulations=100, seed=seed).decide(*place)[1] for seed in (1, 2))
    assert one != two


@all_games
def test_others_choose_as_they_are_said_to(game: Game) -> None:
    _, asked = somewhere(game, 4)
    shares = {}
    row = int(np.flatnonzero(asked.counts > 1)[0])
    place = (asked.games, asked.tables, int(asked.index[row]), int(asked.seats[row]))
    for opponents in ("search", "greedy", "random"):
        agent = SearchAgent(game, simulations=40, opponents=opponents)
        again = SearchAgent(game, simulations=40, opponents=opponents)
        shares[opponents] = agent.decide(*place)
        assert shares[opponents] == again.decide(*place)
        assert checked_actions(agent, asked).shape == (len(asked),)
    assert shares["search"] == SearchAgent(game, simulations=40).decide(*place)
    if game is not TOY:
        assert shares["greedy"] != shares["random"]


def test_forced_moves_are_not_searched() -> None:
    batch = Batch(TOY, 8, seed=1)
    batch.reset()
    agent = SearchAgent(TOY, simulations=10)
    forced = 0
    for _ in range(12):
        rows = batch.rows()
        asked = Decisions(TOY, batch.games, batch.tables, rows.game, rows.seat)
        for row in range(len(asked)):
            alone = Decisions(
                TOY, batch.games, batch.tables, rows.game[row : row + 1], rows.seat[row : row + 1]
            )
            chosen = agent.act(alone)[0]
            assert agent.done == (0 if asked.counts[row] == 1 else 10)
            if asked.counts[row] == 1:
                assert chosen == asked.legal[row, 0]
                forced += 1
        batch.step(batch.sample())
    assert forced


def test_a_full_table_ends_the_search() -> None:
    batch, asked = somewhere(WONDERS, 0, num_games=1)
    agent = SearchAgent(WONDERS, simulations=3000)
    agent._tree.entries = np.zeros(1 << 10, agent._tree.entries.dtype)
    action, shares = agent.decide(batch.games, batch.tables, 0, int(asked.seats[0]))
    assert 0 < agent.done < 3000
    assert agent._tree.used[0] <= (1 << 10) // 2 + 4
    assert action in shares


def test_a_budget_of_time() -> None:
    batch, asked = somewhere(TOY, 0, num_games=1)
    agent = SearchAgent(TOY, milliseconds=30)
    assert len(agent._tree.entries) == MAX_ENTRIES and not agent.reproducible
    agent.decide(batch.games, batch.tables, 0, int(asked.seats[0]))
    few = agent.done
    agent.milliseconds = 300
    agent.decide(batch.games, batch.tables, 0, int(asked.seats[0]))
    assert few % 128 == 0 and agent.done > few


@pytest.mark.parametrize("game", [TOY, WONDERS], ids=["toy", "seven_wonders"])
def test_what_was_found_is_kept_for_the_next_move(game: Game) -> None:
    def play(indices: list[int]) -> list[list[int]]:
        """Choices of a searching seat 0, everybody else playing at random, in these games of a batch."""
        agent = SearchAgent(game, simulations=40, reuse=True)
        batch = Batch(game, 3, seed=8, autoreset=False)
        batch.reset()
        chosen: list[list[int]] = [[] for _ in range(3)]
        for _ in range(6):
            actions = batch.sample()
            rows = batch.rows()
            for index in indices:
                if 0 in rows.seat[rows.game == index]:
                    place = np.array([index])
                    asked = Decisions(game, batch.games, batch.tables, place, np.zeros(1, np.int64))
                    actions[index, 0] = agent.act(asked)[0]
                    chosen[index].append(int(actions[index, 0]))
            batch.step(actions)
        if game is WONDERS:
            assert all(tree.used[0] > 0 for tree in agent._kept.values())
        return chosen

    together = play([0, 1, 2])
    assert together[1] == play([1])[1]
    assert together[2] == play([2, 0])[2]


def beats(game: Game, rival: str, simulations: int, deals: int) -> bool:
    """Whether a search wins more than its share at the smallest table, by more than the interval."""
    players = max(2, game.min_players)
    agent = SearchAgent(game, simulations=simulations)
    result = play_match(game, [agent, *[rival] * (players - 1)], deals=deals, seed=3)
    standing = {each.name: each for each in result.standings()}["search"]
    return standing.win_share - standing.interval > 1 / players


@all_games
def test_beats_random(game: Game) -> None:
    assert beats(game, "random", simulations=20, deals=4 if game is stone_age_env.GAME else 8)


@pytest.mark.parametrize("game", GAMES[1:], ids=[game.name for game in GAMES[1:]])
def test_beats_greedy(game: Game) -> None:
    assert beats(game, "greedy", simulations=60, deals=6 if game is stone_age_env.GAME else 16)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"simulations": 0}, ValueError, "simulations is 0"),
        ({"simulations": 1.5}, TypeError, "simulations must be an int"),
        ({"milliseconds": -1}, ValueError, "milliseconds is -1"),
        ({"rollout": "clever"}, ValueError, "'random', 'greedy'"),
        ({"exploration": "much"}, TypeError, "exploration must be a number"),
    ],
)
def test_what_cannot_be(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        SearchAgent(TOY, **options)


def test_names_carry_options() -> None:
    agent = make_agent("search:simulations=70,rollout=greedy,reuse=true", TOY)
    assert isinstance(agent, SearchAgent)
    assert (agent.simulations, agent.rollout, agent.reuse) == (70, 1, True)
    with pytest.raises(ValueError, match=r"unexpected keyword argument 'depth'.*simulations"):
        make_agent("search:depth=3", TOY)
    with pytest.raises(ValueError, match="option=value"):
        make_agent("search:500", TOY)
    _, asked = somewhere(TOY, 0)
    with pytest.raises(ValueError, match="plays 7 Wonders, not"):
        SearchAgent(WONDERS).act(asked)
