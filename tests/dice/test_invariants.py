"""What always holds in a game of 7 Wonders Dice, in random games that hypothesis chooses."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antiquity.game import CUT_OFF
from antiquity.game.flow import advance, begin, choose, legal
from antiquity.game.random import below, mix
from antiquity.game.verbs import greedy, score
from antiquity.kernels import entry, jit
from antiquity.testing.table import Table
from dice_env import GAME
from dice_env.data.checks import stack_bound
from dice_env.data.reading import read_sheet
from dice_env.state import (
    ACTION,
    ALL_BONUSES,
    ATTACKS,
    BONUS,
    DICE,
    EAST_ATTACK,
    GAME_DTYPE,
    GROUPS,
    KIND_MASK,
    MAX_LEGAL,
    MAX_SEATS,
    SPECIAL_DIE,
    STACK,
    UNITS,
    WEST_ATTACK,
)

SEEDS = st.integers(0, 2**63 - 1)
PLAYERS = st.integers(2, MAX_SEATS)
BOUNDS = [stack_bound(read_sheet("base"), board) for board in read_sheet("base")["boards"]]


def bits(word: int) -> list[int]:
    return [i for i in range(64) if word >> i & 1]


def check(table: Table) -> None:
    """Everything that holds at any decision, and at the end."""
    game, tables, n = table.record, table.tables[0], table.num_players
    assert bin(int(game["forum"])).count("1") == 7
    unlocked = 0
    for seat in range(n):
        board = int(game["board"][seat])
        crossed = bits(int(game["crossed"][seat]))
        assert not int(game["crossed"][seat]) & ~int(tables["printed"][board])
        assert not int(game["start_crossed"][seat]) & ~int(game["crossed"][seat])  # nothing is ever uncrossed
        for _, start, size, _, _, ordered in GROUPS:
            if ordered:
                for slot in range(start + 1, start + size):
                    first = int(tables["first"][board]) >> slot & 1
                    assert slot not in crossed or first or slot - 1 in crossed
        assert game["resources"][seat] == sum(slot < 6 for slot in crossed)
        assert game["discount"][seat] == sum(int(tables["discount"][board, slot]) for slot in crossed)
        free = income = 0
        for slot in crossed:
            free |= int(tables["free"][board, slot])
            income += int(tables["income"][board, slot])
        assert game["free"][seat] == free and game["income"][seat].sum() == income
        unlocked |= int(game["unlocked"][seat])
        completed = sum(
            1 for unit in range(len(UNITS)) if set(bits(int(tables["unit"][board, unit]))) <= set(crossed)
        )
        stack = [int(item) for item in game["stack"][seat]]
        depth = int(game["depth"][seat])
        assert depth <= BOUNDS[board]
        assert all(stack[:depth]) and not any(stack[depth:])
        waiting = sum(item == BONUS for item in stack)
        taken = bin(int(game["bonuses"][seat])).count("1")
        assert taken + waiting == min(completed, 3)
        # Only the rest of an effect, and bonuses, ever lie beneath something else.
        assert all(item == BONUS or item & KIND_MASK == 5 for item in stack[: max(depth - 1, 0)])
        assert (depth > 0) == (seat in table.deciders())
        for side, first in enumerate((WEST_ATTACK, EAST_ATTACK)):
            printed = sum(
                int(tables["attack"][board, slot]) for slot in crossed if first <= slot < first + ATTACKS
            )
            assert printed - 2 * ATTACKS <= int(game["attack"][seat, side]) <= printed
        actions = table.legal(seat)
        if seat in table.deciders():
            # Only the first action of a turn is asked where there is nothing to choose.
            assert len(actions) > 1 or (stack[:depth] == [ACTION] and game["first_action"][seat] == 0)
            words = [table.words(seat, action) for action in actions]
            assert len(set(words)) == len(words)
    for bit, die in enumerate(SPECIAL_DIE):
        in_forum = int(game["forum"]) >> die & 1
        assert not in_forum or unlocked >> bit & 1
        if len(table.deciders()) == n:
            assert in_forum or not unlocked >> bit & 1 or any(int(game["first_action"][s]) for s in range(n))
    for field in GAME_DTYPE.names or ():
        if GAME_DTYPE[field].shape[:1] == (MAX_SEATS,):
            assert not game[field][n:].any()  # absent seats
    assert not game["unused"].any()
    for die in range(len(DICE)):
        if not int(game["forum"]) >> die & 1:
            assert game["face"][die] == 0 and game["quadrant"][die] == 0
    points = table.score()
    assert (points[:, -1] == game["coins"][:n]).all()


@settings(max_examples=12)
@given(seed=SEEDS, players=PLAYERS, choices=st.randoms(use_true_random=False))
def test_random_games_keep_all_invariants(seed: int, players: int, choices: random.Random) -> None:
    table = Table(GAME, players, seed=seed)
    style = choices.random()
    steps = 0
    while not table.over:
        check(table)
        actions = {}
        for seat in table.deciders():
            actions_of = table.legal(seat)
            building = [action for action in actions_of if action not in (12, 13)]
            actions[seat] = choices.choice(building if building and choices.random() < style else actions_of)
        table.step(actions)
        steps += 1
        assert table.record["steps"] == steps
    check(table)
    assert table.deciders() == []
    ended = [s for s in range(players) if int(table.record["bonuses"][s]) == ALL_BONUSES]
    assert bool(ended and table.record["last_turn"]) != (table.record["over"] == CUT_OFF)


@entry(allocates=True)
def _play(games, tables, options, players, seed, count, share, seen):
    """Random games, one seat greedy if asked; seen: decisions, depth, most actions, truncated, coins, greedy wins."""
    game = games[0]
    scratch = np.zeros(MAX_LEGAL, np.uint16)
    scores = np.zeros((MAX_SEATS, 10), np.int32)
    for g in range(count):
        begin(game, tables[0], players, options[0], mix(np.uint64(seed), 1, g))
        cunning = g % players
        while not game["over"]:
            deciders = np.int64(game["deciders"])
            base = np.int64(game["steps"]) * 8
            for s in range(players):
                if (deciders >> s) & 1:
                    n = legal(game, tables[0], s, scratch)
                    seen[0] += 1
                    seen[1] = max(seen[1], np.int64(game["depth"][s]))
                    seen[2] = max(seen[2], n)
                    action = np.int64(scratch[below(game["seed"], 99, base + s, n)])
                    if s == cunning and share:
                        action = np.int64(
                            greedy(game, tables[0], s, scratch, n, mix(game["seed"], 98, base + s))
                        )
                    choose(game, s, action)
                    seen[4] = max(seen[4], np.int64(game["coins"][s]))
            advance(game, tables[0])
        seen[3] += game["over"] == CUT_OFF
        score(game, tables[0], scores)
        best = 0
        for s in range(players):
            if scores[s, 8] * 10000 + scores[s, 9] > scores[best, 8] * 10000 + scores[best, 9]:
                best = s
        seen[5] += best == cunning


def play(players: int, count: int, greedy_seat: bool, **options: object) -> list[int]:
    tables, opts = GAME.setup(players, **options)
    seen = np.zeros(6, np.int64)
    _play(np.zeros(1, GAME_DTYPE), tables, opts, players, 7, count, greedy_seat, seen)
    return seen.tolist()


compiled_only = pytest.mark.skipif(not jit.ENABLED, reason="too many games without compilation")


@compiled_only
@pytest.mark.parametrize("players", range(2, MAX_SEATS + 1))
def test_many_games_stay_within_stack_and_lists(players: int) -> None:
    decisions, depth, most, truncated, _, _ = play(players, 3_000, False)
    assert decisions > 200_000 and truncated == 0
    assert depth <= max(BOUNDS) <= STACK and most <= MAX_LEGAL


@compiled_only
def test_deep_chains_stay_within_the_stack(tmp_path: Path) -> None:
    """A sheet full of effects that cross two spaces and cost nothing: chains as deep as data allows."""
    effect = (
        'effect = { kind = "cross", buildings = ["market", "university", "gallery", "agora"], up_to = 2 }'
    )
    spaces = {
        "leaders": ["red_leader", "green_leader", "blue_leader", "yellow_leader"],
        "market_left": ["L1", "L2", "L3"],
        "market_right": ["R1", "R2", "R3"],
    }
    body = ['extends = "base"']
    for track, names in spaces.items():
        entries = ", ".join(f'{{ id = "{name}", cost = 0, {effect} }}' for name in names)
        body.append(f'[[tracks]]\nid = "{track}"\nspaces = [{entries}]')
    plain = 'effect = { kind = "vp", n = 1 }'
    body.append('[[tracks]]\nid = "upper"\nspaces = [{ id = "upper1", cost = 0 }]')
    for board in read_sheet("base")["boards"]:
        lane = ", ".join(f'{{ id = "wonder{step}", cost = 0, {plain} }}' for step in (1, 2, 3))
        body.append(f'[[boards]]\nid = "{board["id"]}"\nspaces = [{{ id = "upper1", {effect} }}, {lane}]')
    path = tmp_path / "deep.toml"
    path.write_text("\n".join(body), encoding="utf-8")
    data = read_sheet(path)
    bound = max(stack_bound(data, board) for board in data["boards"])
    assert bound == 15
    for players in (2, 7):
        _, depth, _, _, _, _ = play(players, 3_000, False, sheet=str(path))
        assert 7 <= depth <= bound


@compiled_only
def test_greedy_beats_random() -> None:
    assert play(2, 500, True)[5] > 0.9 * 500
    assert play(4, 500, True)[5] > 0.9 * 500


@compiled_only
def test_coins_never_run_over(tmp_path: Path) -> None:
    """A sheet as rich as data may be, and as many turns as there may be."""
    body = """
    extends = "base"
    [rules]
    start_coins = 20
    pass_coins = 20
    """
    path = tmp_path / "rich.toml"
    path.write_text(body, encoding="utf-8")
    table = Table(GAME, 2, max_turns=1_000, sheet=str(path))
    before = 20
    while not table.over:
        table.step({0: 12, 1: 12})
        assert table.record["coins"][0] == before + 20
        before += 20
    assert table.record["over"] == CUT_OFF and before == 20 * 1_001
