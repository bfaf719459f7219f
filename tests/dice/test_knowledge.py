"""Redrawn worlds of 7 Wonders Dice, and secrecy: nothing of what others do in the running turn, or of the future."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from antiquity.testing import Table
from dice_env import GAME
from dice_env.state import ACTION, MAX_SEATS, PASS, STARTED, WONDER

from .on_kernels import OnKernels

PLAYERS = pytest.mark.parametrize("players", range(2, MAX_SEATS + 1))


def look(table: Table, seat: int) -> bytes:
    """All that a seat is told."""
    return table.observe(seat, memory=True).tobytes() + bytes(table.legal(seat))


def pairs(players: int, seed: int) -> Iterator[tuple[Table, Table, int]]:
    """Tables that differ only in what others than the viewer do in the running turn."""
    rng = random.Random(seed)
    table = Table(GAME, players, seed=seed)
    while not table.over:
        viewer = rng.randrange(players)
        for _ in range(4):
            one, other = table.copy(), table.copy()
            if viewer not in table.deciders():
                break
            mine = rng.choice(table.legal(viewer))
            for each in (one, other):
                each.step({s: mine if s == viewer else rng.choice(each.legal(s)) for s in each.deciders()})
            if one.record["turn"] == other.record["turn"] == table.record["turn"] and not (
                one.over or other.over
            ):
                yield one, other, viewer
        table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})


@PLAYERS
def test_nothing_of_the_running_turn_shows(players: int) -> None:
    found = different = 0
    for seed in range(4):
        for one, other, viewer in pairs(players, 100 * players + seed):
            found += 1
            different += one.games.tobytes() != other.games.tobytes()
            assert look(one, viewer) == look(other, viewer)
    assert found > 25 and different > found / 2


@PLAYERS
def test_worlds_know_no_more_than_the_seat(players: int) -> None:
    """Two tables that look alike to a seat have the same worlds, byte for byte."""
    for seed in range(2):
        for one, other, viewer in pairs(players, 200 * players + seed):
            one.determinize(viewer, 77)
            other.determinize(viewer, 77)
            assert one.games.tobytes() == other.games.tobytes()


@PLAYERS
def test_in_worlds_all_others_choose(players: int) -> None:
    """Also those that wait in the game itself; the seat alone goes on waiting if it does."""
    rng = random.Random(players)
    table = Table(GAME, players, seed=players, max_turns=12)
    while not table.over:
        for seat in range(players):
            world = table.copy()
            world.determinize(seat, rng.getrandbits(63))
            assert set(world.deciders()) == set(range(players)) - ({seat} - set(table.deciders()))
        table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})


def test_others_are_put_back_to_the_start_of_the_turn() -> None:
    position = OnKernels(coins=40)
    position.lay("yellow", "camel")
    position.cross(2, "wonder1", "L1", "stone")
    table = position.table
    start = {field: table.record[field].copy() for field in STARTED}
    position.together({0: "yellow", 1: WONDER, 2: WONDER})
    assert table.record["coins"][2] != start["coins"][2]
    table.determinize(0, 1)
    for field in STARTED:
        assert (table.record[field][1:] == start[field][1:]).all(), field
    assert table.record["coins"][0] == start["coins"][0]
    assert table.deciders() == [0, 1, 2]
    assert table.record["stack"][1].tolist()[:2] == [ACTION, 0]


def test_worlds_have_different_futures() -> None:
    """Over many worlds the next throw of a die is uniform, whatever it really will be (24 outcomes, chi-squared)."""
    table = Table(GAME, 2, seed=4)
    counts = np.zeros((7, 24))
    for seed in range(1_200):
        world = table.copy()
        world.determinize(0, seed)
        world.step({0: PASS, 1: PASS})
        for die in range(7):
            counts[die, int(world.record["face"][die]) * 4 + int(world.record["quadrant"][die])] += 1
    chi = ((counts - 50) ** 2 / 50).sum(axis=1)
    assert (chi < 49.7).all(), chi
