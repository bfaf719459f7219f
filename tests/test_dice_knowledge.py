"""What a seat of 7 Wonders Dice sees, and redrawn worlds: nothing of what others do in the turn, or of the future."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from antiquity.testing.table import Table
from dice_env import GAME
from dice_env.seats.memory import BLOCKS, FIRST_ACTIONS, seat_of_block
from dice_env.state import ACTION, GAME_DTYPE, MAX_SEATS, NUM_DICE, PASS, WONDER
from dice_positions import START_FIELDS, TRIO, Position

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
    for seed in range(8):
        for one, other, viewer in pairs(players, 100 * players + seed):
            found += 1
            different += one.games.tobytes() != other.games.tobytes()
            assert look(one, viewer) == look(other, viewer)
    assert found > 50 and different > found / 2


@PLAYERS
def test_worlds_know_no_more_than_the_seat(players: int) -> None:
    """Two tables that look alike to a seat have the same worlds, byte for byte."""
    for seed in range(4):
        for one, other, viewer in pairs(players, 200 * players + seed):
            one.determinize(viewer, 77)
            other.determinize(viewer, 77)
            assert one.games.tobytes() == other.games.tobytes()


@PLAYERS
def test_worlds_look_alike_and_play_on(players: int) -> None:
    rng = random.Random(players)
    table = Table(GAME, players, seed=players)
    while not table.over:
        for seat in range(players):
            world = table.copy()
            world.determinize(seat, rng.getrandbits(63))
            assert look(world, seat) == look(table, seat)
            assert world.record["forum"] == table.record["forum"]
            assert (world.record["face"] == table.record["face"]).all()
            assert seat in world.deciders() or seat not in table.deciders()
            assert set(world.deciders()) == set(range(players)) - ({seat} - set(table.deciders()))
            if rng.random() < 0.05:
                world.play_on(rng)
                assert world.record["over"] == 1
        table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})
    world = table.copy()
    world.determinize(0, 1)
    assert world.over and look(world, 0) == look(table, 0)
    assert (world.score() == table.score()).all()


def test_own_committed_choice_stays_and_others_go() -> None:
    table = Table(GAME, 4, seed=3)
    table.record["chosen"][:4] = [PASS, PASS, PASS, PASS]
    before = look(table, 1)
    table.record["chosen"][:4] = [0, PASS, 0, 0]
    assert look(table, 1) == before
    table.record["chosen"][:4] = PASS
    table.determinize(1, 9)
    assert table.record["chosen"][:4].tolist() == [0, PASS, 0, 0]


def test_others_are_put_back_to_the_start_of_the_turn() -> None:
    table = Position(coins=40)
    table.lies("yellow", "camel")
    yellow = table.number(0, "yellow")
    table.crossed(2, "wonder1", "L1", "stone")
    start = {field: table.record[field].copy() for field in START_FIELDS}
    table.step({0: yellow, 1: WONDER, 2: WONDER})
    assert table.coins(2) != start["coins"][2]
    table.determinize(0, 1)
    for field in START_FIELDS:
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


# --- the observation ------------------------------------------------------------------------------------------------


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
    table = Position(coins=40)
    table.crossed(0, "wonder1")
    before = table.observe(1)
    table.step({0: WONDER, 1: WONDER, 2: PASS})
    assert table.deciders() == [0, 1]  # another action for one, two spaces of the barracks for the other
    mine, theirs = table.observe(0), table.observe(1)
    assert block(mine, "me")["coins"] == pytest.approx([3.9])
    assert block(theirs, "right") == block(before, "right")
    assert block(mine, "me")["crossed"][61] == 1 and block(theirs, "right")["crossed"][61] == 0


def test_what_is_pending_shows() -> None:
    table = Position(coins=40)
    table.unlocked(0, "white")
    table.all_but(0, "barracks_west", "WA5")
    table.lies("white", "red_leader", quadrant=3)
    layout = GAME.layout
    assert table.observe(0)[layout.slice("pending")].tolist() == [1, 0, 0, 0, 0]
    assert table.observe(0)[layout.slice("die_cost")].tolist() == [0] * (NUM_DICE - 1) + [1]
    table.do(0, "white")
    seen = table.observe(0)
    assert seen[layout.slice("pending")].tolist() == [0, 0, 0, 0, 1]
    assert seen[layout.slice("pending_buildings")].tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
    assert seen[layout.slice("pending_more")] == 1
    table.do(0, "WA5")
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


@PLAYERS
def test_several_seats_at_once(players: int) -> None:
    """The same as one by one, for any set of seats."""
    rng = random.Random(players)
    table = Table(GAME, players, seed=players)
    size = GAME.observation_layout(True).size
    while not table.over:
        out = np.zeros((MAX_SEATS, size), np.float32)
        seats = rng.randrange(1, 1 << players)
        wanted = [seat for seat in range(players) if seats >> seat & 1]
        table.observe_seats(seats, out[: len(wanted)])
        for row, seat in zip(out, wanted, strict=False):
            assert (row == table.observe(seat, memory=True)).all()
        table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})


def test_die_faces_and_quadrants_show() -> None:
    table = Position(TRIO, coins=5)
    table.lies("blue", "owl", quadrant=2)
    seen = table.observe(2)
    assert seen[GAME.layout.slice("blue_present")] == 1
    assert seen[GAME.layout.slice("blue_face")].tolist() == [0, 0, 0, 0, 1, 0]
    assert seen[GAME.layout.slice("blue_quadrant")].tolist() == [0, 0, 1, 0]
    assert not seen[GAME.layout.slice("red_face")].any()


def test_reveal_shows_what_observations_hide() -> None:
    table = Position(coins=40)
    table.lies("yellow", "camel")
    yellow = table.number(0, "yellow")
    one = table.copy()
    table.step({0: yellow, 1: WONDER, 2: PASS})
    one.step({0: yellow, 1: PASS, 2: PASS})
    assert (table.observe(0) == one.observe(0)).all()
    difference = Counter((table.reveal() != one.reveal()).tolist())
    assert difference[True] > 0
