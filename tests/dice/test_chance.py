"""What chance decides in 7 Wonders Dice: boards, throws, and the grey die that a special die replaces."""

from __future__ import annotations

import random

import numpy as np
import pytest

from antiquity.testing import Table
from dice_env import GAME
from dice_env.state import PASS

from .on_kernels import OnKernels, plain_state


@pytest.mark.parametrize("players", range(2, 8))
def test_the_start(players: int) -> None:
    table = Table(GAME, players, seed=players)
    state = plain_state(table)
    assert state["num_players"] == players and state["turn"] == 0
    assert state["deciders"] == list(range(players))
    assert set(state["forum"]) == {"grey1", "grey2", "grey3", "green", "blue", "red", "yellow"}
    for seat in state["seats"]:
        assert seat == {
            "board": seat["board"],
            "coins": 7,
            "crossed": [],
            "bonuses": [],
            "attack": [0, 0],
            "unlocked": [],
            "stack": [["action"]],
        }
    assert len({seat["board"] for seat in state["seats"]}) == players
    assert table.score()[:, -2].tolist() == [0] * players and table.score()[:, -1].tolist() == [7] * players


def test_boards_are_dealt_without_repeats() -> None:
    seen = set()
    for seed in range(60):
        boards = Table(GAME, 7, seed=seed).record["board"].tolist()
        assert sorted(boards) == list(range(7))
        seen.add(boards[0])
    assert seen == set(range(7))
    assert Table(GAME, 2, boards=[None, "giza"]).record["board"][1] == 0


def test_throws_are_uniform() -> None:
    """24 outcomes of each die, chi-squared with 23 degrees of freedom: 49.7 is passed once in a thousand."""
    counts = np.zeros((7, 24), int)
    for seed in range(40):
        table = Table(GAME, 2, seed=seed, max_turns=60)
        while not table.over:
            for die in range(7):
                counts[die, int(table.record["face"][die]) * 4 + int(table.record["quadrant"][die])] += 1
            table.step({0: PASS, 1: PASS})
    expected = counts.sum(axis=1) / 24
    chi = ((counts - expected[:, None]) ** 2 / expected[:, None]).sum(axis=1)
    assert (chi < 49.7).all(), chi


def test_same_seed_same_game_whatever_is_chosen() -> None:
    """Dice do not depend on what the seats do."""
    one, other = Table(GAME, 3, seed=5), Table(GAME, 3, seed=5)
    rng = random.Random(1)
    other_turns: dict[int, list[int]] = {}
    while not other.over:
        other_turns.setdefault(int(other.record["turn"]), other.record["quadrant"][3:7].tolist())
        other.step({seat: rng.choice(other.legal(seat)) for seat in other.deciders()})
    for turn in range(10):
        assert one.record["quadrant"][3:7].tolist() == other_turns[turn]
        one.step(dict.fromkeys(range(3), PASS))


@pytest.mark.parametrize("die", ["black", "purple", "white"])
def test_special_die_replaces_any_grey_one(die: str) -> None:
    lane, symbol = {
        "black": ("upper", "compass"),
        "purple": ("middle", "tablet"),
        "white": ("lower", "gear"),
    }[die]
    left = set()
    for seed in range(12):
        table = OnKernels(coins=40)
        for grey in ("grey1", "grey2", "grey3"):
            table.lay(grey, "stone")
        table.lying.clear()
        table.first(0, lane, 2)
        table.lay("green", symbol)
        table.record["seed"] = seed
        table.do(0, "green")
        forum = set(table.forum())
        assert table.turn == 1 and len(forum) == 4 and die in forum
        left |= {"grey1", "grey2", "grey3"} - forum
    assert left == {"grey1", "grey2", "grey3"}
