"""What a seat of 7 Wonders Dice sees, field by field."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from antiquity.testing import Table
from dice_env import GAME
from dice_env.seats.memory import BLOCKS, FIRST_ACTIONS, seat_of_block
from dice_env.state import GAME_DTYPE, MAX_SEATS, NUM_DICE, PASS, WONDER

from .on_kernels import OnKernels

PLAYERS = pytest.mark.parametrize("players", range(2, MAX_SEATS + 1))


def look(table: Table, seat: int) -> bytes:
    """All that a seat is told."""
    return table.observe(seat, memory=True).tobytes() + bytes(table.legal(seat))


def block(observation: np.ndarray, name: str) -> dict[str, list[float]]:
    """The fields of a block, without its name."""
    return {
        field.name.removeprefix(f"{name}_"): observation[GAME.layout.slice(field.name)].tolist()
        for field in GAME.layout
        if field.name.startswith(f"{name}_")
    }


@PLAYERS
def test_blocks_are_relative(players: int) -> None:
    table = Table(GAME, players, seed=players)
    rng = random.Random(players)
    for _ in range(12):
        table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})
    while len(table.deciders()) < players:  # at the start of a turn everything is open
        table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})
    views = [table.observe(seat) for seat in range(players)]
    for viewer in range(players):
        for number, name in enumerate(BLOCKS):
            seen = block(views[viewer], name)
            if number < max(players, 3):
                seat = int(seat_of_block(number, viewer, players))
                assert seen == block(views[seat], "me")
            else:
                assert not any(map(any, seen.values()))
        assert block(views[viewer], "left") == block(views[(viewer + 1) % players], "me")
        assert block(views[viewer], "right") == block(views[(viewer - 1) % players], "me")


@PLAYERS
def test_rotated_table_is_seen_alike(players: int) -> None:
    """Seats moved on by k: seat i sees what seat i + k has seen."""
    table = Table(GAME, players, seed=1)
    rng = random.Random(2)
    for _ in range(25):
        table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})
    for k in range(1, players):
        moved = table.copy()
        game = moved.record
        for field in GAME_DTYPE.names or ():
            if GAME_DTYPE[field].shape[:1] == (MAX_SEATS,):
                game[field][:players] = np.roll(table.record[field][:players], -k, axis=0)
        for field in ("deciders", "agora_first", "guild"):
            bits = [int(table.record[field]) >> (seat + k) % players & 1 for seat in range(players)]
            game[field] = sum(bit << seat for seat, bit in enumerate(bits))
        for seat in range(players):
            assert look(moved, seat) == look(table, (seat + k) % players)


def test_own_block_is_now_and_others_are_the_start_of_the_turn() -> None:
    position = OnKernels(coins=40)
    position.cross(0, "wonder1")
    table = position.table
    before = table.observe(1)
    table.step({0: WONDER, 1: WONDER, 2: PASS})
    assert table.deciders() == [0, 1]  # another action for one, two spaces of the barracks for the other
    mine, theirs = table.observe(0), table.observe(1)
    assert block(mine, "me")["coins"] == pytest.approx([3.9])
    assert block(theirs, "right") == block(before, "right")
    assert block(mine, "me")["crossed"][61] == 1 and block(theirs, "right")["crossed"][61] == 0


def test_what_is_pending_shows() -> None:
    position = OnKernels(coins=40)
    position.unlock(0, "white")
    position.all_but(0, "west", "WA5")
    position.lay("white", "red_leader", quadrant=3)
    table = position.table
    layout = GAME.layout
    assert table.observe(0)[layout.slice("pending")].tolist() == [1, 0, 0, 0, 0]
    assert table.observe(0)[layout.slice("die_cost")].tolist() == [0] * (NUM_DICE - 1) + [1]
    position.do(0, "white")
    seen = table.observe(0)
    assert seen[layout.slice("pending")].tolist() == [0, 0, 0, 0, 1]
    assert seen[layout.slice("pending_buildings")].tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
    assert seen[layout.slice("pending_more")] == 1
    position.do(0, "WA5")
    seen = table.observe(0)
    assert seen[layout.slice("pending")].tolist() == [0, 0, 1, 0, 0]
    assert seen[layout.slice("pending_later")].tolist() == [0, 0, 0, 0, 0.25]
    waiting = table.observe(1)
    assert not waiting[layout.slice("pending")].any() and table.legal(1) == [0]


def test_points_are_those_of_the_score() -> None:
    rng = random.Random(1)
    table = Table(GAME, 5, seed=9)
    while not table.over:
        table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})
        for seat, points in enumerate(table.score()[:, -2]):
            assert table.observe(seat)[GAME.layout.slice("me_points")] * 50 == pytest.approx(points, abs=1e-3)


@PLAYERS
def test_memory_is_the_turn_before(players: int) -> None:
    rng = random.Random(players)
    table = Table(GAME, players, seed=players)
    begun: dict[int, dict[int, int]] = {}
    size = GAME.layout.size
    while not table.over:
        turn = int(table.record["turn"])
        for viewer in range(players):
            memory = table.observe(viewer, memory=True)[size:].reshape(MAX_SEATS, FIRST_ACTIONS)
            for number in range(max(players, 3)):
                seat = int(seat_of_block(number, viewer, players))
                action = begun[turn - 1][seat] if turn else 0
                expected = [float(action == number + 1) for number in range(FIRST_ACTIONS)]
                assert memory[number].tolist() == expected
        actions = {seat: rng.choice(table.legal(seat)) for seat in table.deciders()}
        begun.setdefault(turn, actions)
        table.step(actions)


def test_die_faces_and_quadrants_show() -> None:
    position = OnKernels(coins=5)
    position.lay("blue", "owl", quadrant=2)
    seen = position.table.observe(2)
    assert seen[GAME.layout.slice("blue_present")] == 1
    assert seen[GAME.layout.slice("blue_face")].tolist() == [0, 0, 0, 0, 1, 0]
    assert seen[GAME.layout.slice("blue_quadrant")].tolist() == [0, 0, 1, 0]
    assert not seen[GAME.layout.slice("red_face")].any()


def test_reveal_shows_what_observations_hide() -> None:
    position = OnKernels(coins=40)
    position.lay("yellow", "camel")
    yellow = position.number(0, "yellow")
    table, one = position.table, position.table.copy()
    table.step({0: yellow, 1: WONDER, 2: PASS})
    one.step({0: yellow, 1: PASS, 2: PASS})
    assert (table.observe(0) == one.observe(0)).all()
    difference = Counter((table.reveal() != one.reveal()).tolist())
    assert difference[True] > 0
