"""What a seat knows of hidden cards in 7 Wonders: what stays when the rest is redrawn, and its memory."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from antiquity.testing.table import _choose
from seven_wonders.worlds import (
    PICKING,
    PUBLIC,
    Played,
    card_tables,
    games,
    holder,
    picked,
    redrawn,
    some_positions,
    split,
    view,
)
from seven_wonders_env import GAME
from seven_wonders_env.state import (
    BUILD,
    CHOOSE,
    GUILD_START,
    HAND,
    KINDS,
    NO_CARD,
    PAY,
    PHASES,
    PICK,
    SELL,
    SIDE,
)


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return card_tables(tmp_path_factory.mktemp("tables"))


# ---------------------------------------------------------------------- what stays, what changes


def test_all_that_the_seat_knows_stays() -> None:
    phases: Counter[str] = Counter()
    for game, table in some_positions(48):
        for seat in range(game.n):
            other = redrawn(table, seat, game.rng.getrandbits(63))
            assert view(other, seat, memory=True) == view(table, seat, memory=True)
            assert other.record["hands"][seat].tobytes() == table.record["hands"][seat].tobytes()
            assert (
                other.record["history"][:, :, seat].tobytes() == table.record["history"][:, :, seat].tobytes()
            )
            assert other.record["planned"][seat] == table.record["planned"][seat]
            assert other.record["discard"].sum() == table.record["discard"].sum()
            for name in PUBLIC:
                assert other.record[name].tobytes() == table.record[name].tobytes(), name
            for before, after in zip(table.record["history"].flat, other.record["history"].flat, strict=True):
                assert (before == 0) == (after == 0)
                if before:
                    assert split(int(before))[1] == split(int(after))[1]
                    assert before == after or split(int(before))[1] != BUILD
        phases["over" if table.over else PHASES[int(table.record["phase"])]] += 1
    assert min(phases[name] for name in (*PHASES[:SIDE], "over")) >= 10


def test_choices_of_others_are_forgotten() -> None:
    for game, table in some_positions(16):
        committed = table.copy()
        for seat in table.deciders():
            _choose(committed.games, 0, seat, game.rng.choice(table.legal(seat)))
        for seat in range(game.n):
            seed = game.rng.getrandbits(63)
            world = redrawn(committed, seat, seed).record
            assert [int(action) for action in np.delete(world["chosen"], seat)] == [0] * 6
            assert world["chosen"][seat] == committed.record["chosen"][seat]
            world["chosen"] = 0
            assert world.tobytes() == redrawn(table, seat, seed).record.tobytes()


def test_nothing_hidden_has_a_part_in_it() -> None:
    """Worlds that the seat cannot tell apart give the same bytes, and the true seed is never read."""
    different = 0
    for game, table in some_positions(32):
        for seat in range(game.n):
            one = redrawn(table, seat, game.rng.getrandbits(63))
            different += one.record["hands"].tobytes() != table.record["hands"].tobytes()
            seed = game.rng.getrandbits(63)
            expected = redrawn(table, seat, seed).record.tobytes()
            assert redrawn(one, seat, seed).record.tobytes() == expected
            one.record["seed"] = game.rng.getrandbits(64)
            assert redrawn(one, seat, seed).record.tobytes() == expected
    assert different > 100


def test_the_future_is_redrawn() -> None:
    game = Played(4, 5)
    table = next(game.positions())
    deals = set()
    for seed in range(50):
        other = redrawn(table, 0, seed)
        rng = random.Random(0)
        while other.record["age"] == 0:
            other.step({seat: rng.choice(other.legal(seat)) for seat in other.deciders()})
        deals.add(other.record["hands"].tobytes())
    assert len(deals) == 50


def test_redrawn_games_play_on_and_keep_their_cards() -> None:
    for game, table in some_positions(32):
        other = redrawn(table, game.rng.randrange(game.n), game.rng.getrandbits(63))
        other.play_on(game.rng)
        printed, record = other.tables[0], other.record
        for age in range(3):
            size = int(printed["deck_size"][game.n - 3, age])
            deck = sorted(int(kind) for kind in printed["deck"][game.n - 3, age, :size])
            used = sorted(split(int(action))[0] for action in record["history"][age, :, : game.n].flat)
            assert [kind for kind in used if kind < GUILD_START] == deck
            guilds = [kind for kind in used if kind >= GUILD_START]
            assert len(set(guilds)) == len(guilds) == HAND * game.n - size
        piled = Counter(split(int(a))[0] for a in record["history"].flat if a and split(int(a))[1] == SELL)
        piled.subtract(int(pick) - 1 for pick in record["picks"] if pick)
        assert [piled[kind] for kind in range(KINDS)] == record["discard"].tolist()


def digest() -> str:
    """Of redrawn worlds and memories in two games."""
    digest = hashlib.sha256()
    for n, seed in ((3, 1), (7, 2)):
        game = Played(n, seed, (0.9, 0.5), coins=30, sides="night", boards=PICKING[:n])
        for table in game.positions():
            if table.record["phase"] == PICK or game.rng.random() < 0.1:
                for seat in range(n):
                    world = redrawn(table, seat, len(game.steps))
                    digest.update(world.record.tobytes() + view(world, seat, memory=True))
        assert picked(game.table)
    return digest.hexdigest()


def test_plain_python_draws_the_same_worlds() -> None:
    script = "from seven_wonders.test_knowledge import digest; print(digest())"
    paths = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]
    result = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == digest()


# ---------------------------------------------------------------------- agreement with all that was seen


@pytest.mark.parametrize("table_name", ["second edition", "few names", "few kinds"])
def test_worlds_agree_with_the_whole_game(table_name: str, cards: dict[str, str]) -> None:
    for game, table in some_positions(32, cards=cards[table_name]):
        for seat in range(game.n):
            world = redrawn(table, seat, game.rng.getrandbits(63)).record
            assert game.same_for(seat, world) == ""


# ---------------------------------------------------------------------- memory


class Diary:
    """A seat's perfect memory, written down while the game goes on."""

    def __init__(self, game: Played, seat: int) -> None:
        self.table, self.seat, self.n = game.table, seat, game.n
        self.age = -1
        self.hands: dict[int, Counter[int]] = {}
        self.discard: Counter[int] = Counter()
        self.sold = 0

    def hand_of(self, seat: int) -> int:
        turn = int(self.table.record["turn"])
        return next(hand for hand in range(self.n) if holder(self.n, self.age, hand, turn) == seat)

    def look(self) -> None:
        """Before a decision."""
        game = self.table.record
        if game["age"] != self.age:
            self.age = int(game["age"])
            self.hands = {}
        own = [int(action) for action in game["history"][:, :, self.seat].flat if action]
        sold = [kind for kind, use in map(split, own) if use == SELL]
        self.discard.update(sold[self.sold :])
        self.sold = len(sold)
        if game["phase"] == CHOOSE:
            self.hands[self.hand_of(self.seat)] = Counter(
                int(k) for k in game["hands"][self.seat] if k != NO_CARD
            )
        if self.picks():
            self.discard = Counter({kind: int(game["discard"][kind]) for kind in range(KINDS)})

    def picks(self) -> bool:
        return bool(self.table.record["phase"] == PICK) and self.seat in self.table.deciders()

    def note(self, actions: dict[int, int]) -> None:
        """What the seat learns from a step, before it is done."""
        phase = self.table.record["phase"]
        for seat, action in actions.items():
            if phase == PAY:
                continue
            kind, use = split(action)
            if phase == PICK:
                self.discard[kind] = max(self.discard[kind] - 1, 0)
            elif (use == BUILD or seat == self.seat) and self.hand_of(seat) in self.hands:
                self.hands[self.hand_of(seat)][kind] -= 1

    def vector(self) -> np.ndarray:
        known = np.zeros((7, KINDS), np.float32)
        for step in range(1, self.n):
            other = (self.seat + step) % self.n
            if self.table.record["hand_size"][other]:
                for kind, number in self.hands.get(self.hand_of(other), Counter()).items():
                    known[step - 1, kind] = number
        for kind, number in self.discard.items():
            known[6, kind] = number
        return known.ravel()


def test_memory_is_a_perfect_memory() -> None:
    layout = GAME.memory_layout
    for game in games(40):
        diaries = [Diary(game, seat) for seat in range(game.n)]
        game.listeners += [diary.note for diary in diaries]
        for table in game.positions():
            for diary in diaries:
                diary.look()
                memory = table.observe(diary.seat, memory=True)[GAME.layout.size :]
                assert memory.tobytes() == diary.vector().tobytes()
                assert (memory >= layout.low).all() and (memory <= layout.high).all()
