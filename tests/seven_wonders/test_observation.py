"""What a seat sees in 7 Wonders: all that is public, its own hand, and nothing else.

The whole vector is built once more by view.py; the kernels' vector must be the same at random positions
of random games.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from antiquity.testing.table import Table
from seven_wonders.positions import (
    SEAT_FIELDS,
    KernelPosition,
    build,
    random_tables,
    rotated,
    stage,
)
from seven_wonders.view import Values, expected_observation, expected_state
from seven_wonders_env import GAME
from seven_wonders_env.state import KINDS, PHASES


def check(vector: np.ndarray, layout: Any, expected: Values) -> None:
    assert set(expected) == {field.name for field in layout}  # every element is accounted for
    for field in layout:
        found = vector[layout.slice(field.name)] * field.scale
        assert np.allclose(found, expected[field.name], atol=1e-4), field.name


def test_layouts_are_without_gaps() -> None:
    for layout in (GAME.layout, GAME.memory_layout, GAME.state_layout):
        end = 0
        for field in layout:
            assert field.start == end and field.meaning
            end += field.size
        assert end == layout.size == len(layout.low) == len(layout.high)
        assert bool(np.all(layout.low <= layout.high))
    assert GAME.observation_layout(memory=True).size == GAME.layout.size + GAME.memory_layout.size


def test_every_field_says_what_the_record_says() -> None:
    rng = random.Random(0)
    phases = set()
    for table in random_tables(1, 12):
        phases.add((int(table.record["phase"]), len(table.deciders())))
        if table.record["phase"] == 0 and rng.random() < 0.5:
            continue
        seat = rng.choice([*table.deciders(), rng.randrange(table.num_players)])
        check(table.observe(seat), GAME.layout, expected_observation(table, seat))
        if rng.random() < 0.2:
            check(table.reveal(), GAME.state_layout, expected_state(table))
    assert {phase for phase, _ in phases} == set(range(len(PHASES)))


def test_what_is_announced_and_still_to_be_paid() -> None:
    """While a seat chooses its payment: its building, or that it builds a stage, is open to all; its card is not."""
    position: dict[str, Any] = {
        "payments": "choose",
        "boards": {0: ("babylon", "day")},
        "cities": {1: ["brickyard", "clay_pit"], 2: ["brickyard", "clay_pit"]},
        "coins": {0: 9},
        "hands": {0: ["guard_tower"]},
    }
    layout = GAME.layout
    kind = (build("guard_tower") - 1) // 3
    for action, city, announced in ((build("guard_tower"), 0.5, 0.0), (stage("guard_tower"), 0.0, 1.0)):
        game = KernelPosition(**position).play({0: action})
        assert game.phase == "pay"
        for viewer, block in ((0, "me"), (1, "right"), (2, "left")):
            seen = game.observe(viewer)
            assert seen[layout.slice(f"{block}_city")][kind] == city
            assert seen[layout.slice(f"{block}_revealed_stage")] == [announced]
            assert seen[layout.slice("hand")][kind] == (0.5 if viewer == 0 else 0.0)
            assert bool(seen[layout.slice("payments")].any()) == (viewer == 0)


def test_extreme_values_stay_inside_their_space() -> None:
    game = KernelPosition(players=7)
    record = game.record
    record["coins"], record["shields"], record["victory"], record["defeats"] = 65_535, 255, 252, 6
    record["science"], record["built"][:, :7], record["discard"] = 100, 25, 49
    record["own"] = record["sell"] = np.uint64(0x7F7F7F7F7F7F7F7F)
    record["hands"][:] = 3
    for vector, layout in ((game.observe(3), GAME.layout), (game.reveal(), GAME.state_layout)):
        assert (vector >= layout.low).all() and (vector <= layout.high).all()


# ---------------------------------------------------------------------- what is hidden, and what is not


def hide(table: Table, viewer: int, rng: random.Random) -> Table:
    """The same table with everything replaced that the viewer does not see."""
    other = table.copy()
    game = other.record
    decides_here = bool(int(game["deciders"]) >> viewer & 1)
    game["seed"] = rng.getrandbits(62)
    for seat in range(table.num_players):
        if seat == viewer:
            continue
        game["chosen"][seat] = rng.randrange(1, 241) if int(game["deciders"]) >> seat & 1 else 0
        size = int(game["hand_size"][seat])
        game["hands"][seat][:size] = sorted(rng.randrange(KINDS) for _ in range(size))
        planned = int(game["planned"][seat])
        if planned and (planned - 1) % 3:  # a stage or a sale: the card is not shown
            game["planned"][seat] = 1 + 3 * rng.randrange(KINDS) + (planned - 1) % 3
    if not (decides_here and PHASES[int(game["phase"])] == "pick"):
        game["discard"] = [rng.randrange(4) for _ in range(KINDS)]
    history = game["history"].reshape(-1)
    for index in np.flatnonzero(history):
        if (history[index] - 1) % 3:  # tucked, sold or left over
            history[index] = 1 + 3 * rng.randrange(KINDS) + (history[index] - 1) % 3
    game["picks"] = [rng.randrange(KINDS + 1) for _ in range(4)]
    return other


def test_nothing_hidden_is_seen() -> None:
    """Tables that differ in hands, pile, tucked cards, seed and secret choices look the same, and allow the same."""
    rng = random.Random(3)
    seen = set()
    for table in random_tables(4, 30):
        if rng.random() < 0.5:
            continue
        viewer = rng.choice([*table.deciders(), rng.randrange(table.num_players)])
        other = hide(table, viewer, rng)
        assert table.observe(viewer).tobytes() == other.observe(viewer).tobytes()
        assert table.legal(viewer) == other.legal(viewer)
        if any(not np.array_equal(table.record[name], other.record[name]) for name in ("hands", "discard")):
            assert table.reveal().tobytes() != other.reveal().tobytes()  # the whole table shows it
        seen.add((int(table.record["phase"]), viewer in table.deciders()))
    assert {(0, True), (1, True), (1, False), (2, True), (2, False), (3, True), (3, False)} <= seen


@pytest.mark.parametrize("memory", [False, True])
def test_public_differences_show(memory: bool) -> None:
    """Every public field of every seat is in the view of every seat."""
    table = Table(GAME, 5, seed=6, sides="night")
    changes = {
        "coins": 9, "shields": 3, "victory": 4, "defeats": 1, "discounts": 5, "powers": 3, "board": 13,
    }  # fmt: skip
    for viewer in range(5):
        before = table.observe(viewer, memory=memory).tobytes()
        for seat in range(5):
            for name, value in changes.items():
                other = table.copy()
                other.record[name][seat] = value
                assert other.observe(viewer, memory=memory).tobytes() != before, (name, seat)
            for name, at in (
                ("built", 3),
                ("built", 7),
                ("science", 2),
                ("own", 0),
                ("sell", 2),
                ("city", 0),
            ):
                other = table.copy()
                other.record[name][seat, at] += 1 << (8 if name in ("own", "sell") else 0)
                assert other.observe(viewer, memory=memory).tobytes() != before, (name, seat)


def test_reveal_shows_every_hand_and_the_pile() -> None:
    table = Table(GAME, 4, seed=7)
    before = table.reveal().tobytes()
    for seat in range(4):
        other = table.copy()
        hand = other.record["hands"][seat]
        hand[:] = sorted([*hand[1:].tolist(), 79])
        assert other.reveal().tobytes() != before
    other = table.copy()
    other.record["discard"][5] = 1
    assert other.reveal().tobytes() != before


# ---------------------------------------------------------------------- the same from every seat


def test_every_seat_has_the_same_relative_view() -> None:
    rng = random.Random(8)
    for table in random_tables(9, 25):
        if rng.random() < 0.6:
            continue
        n = table.num_players
        steps, seat = rng.randrange(1, n), rng.randrange(n)
        turned = table.copy()
        turned.games = rotated(table.games, steps)
        there = (seat + steps) % n
        assert table.observe(seat, memory=True).tobytes() == turned.observe(there, memory=True).tobytes()
        assert table.legal(seat) == turned.legal(there)
        here, layout = table.reveal(), GAME.state_layout
        for name in ("coins", "city", "hand"):
            block = turned.reveal()[layout.slice(f"seat_{there}_{name}")]
            assert np.array_equal(here[layout.slice(f"seat_{seat}_{name}")], block)
    assert {"hands", "city", "board"} <= set(SEAT_FIELDS)
