"""Records that were tampered with: refused, or safe for everything that is done with a game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.batch import Batch
from antiquity.game import NO_SEAT, Game, Layout, require_sound
from antiquity.game.faults import first_fault

MOST_STEPS = 20_000
"""A game that takes more counts as one that never ends."""
MENDED = 0.5
"""The share of records that are changed further where a fault is found: some pass, far from where they began."""
PATIENCE = 120
"""Changes tried for them."""
POOL = 24
"""Games of which positions are taken, for each number of players and each set of options."""


class Fuzzed(NamedTuple):
    """What became of the records that were tampered with."""

    refused: int
    accepted: int


def fuzz_records(
    game: Game,
    mutants: int = 1_000,
    *,
    players: Iterable[int] | None = None,
    options: Sequence[Mapping[str, Any]] = ({},),
    seed: int = 0,
    draw: float = 0.02,
) -> Fuzzed:
    """Tamper with records of random games, and see that each is refused or harmless.

    Bits are flipped, fields set to values that are extreme or one too large, seats exchanged, parts taken from other
    games. What is accepted is looked at by every seat, redrawn, and played to its end by random and by greedy choices;
    in every position on the way the record is accepted again. Run it under ``NUMBA_BOUNDSCHECK=1``, where an index out
    of bounds is an IndexError instead of somebody else's memory.

    Args:
        game: the game.
        mutants: how many records are tampered with.
        players: numbers of players; None: all.
        options: sets of the game's own options, each to be played with.
        seed: of the games and of what is done to them.
        draw: the share of accepted records that every seat gets a picture of, which takes longest.

    Raises:
        AssertionError: one that was accepted did harm; the message tells the seed and what was done to the record.
    """
    rng = random.Random(seed)
    counts = list(range(game.min_players, game.max_players + 1) if players is None else players)
    tables = [_Tampering(game, count, chosen, rng) for count in counts for chosen in options]
    accepted = 0
    for number in range(mutants):
        accepted += tables[number % len(tables)].try_one(f"seed {seed}, record {number}", draw)
    return Fuzzed(mutants - accepted, accepted)


class _Tampering:
    """Positions of games with one number of players and one set of options, and what is done to them."""

    def __init__(self, game: Game, players: int, options: Mapping[str, Any], rng: random.Random) -> None:
        self.game, self.rng, self.where = game, rng, f"{game.title}, {players} players, {dict(options)}"
        settings: dict[str, Any] = {
            "autoreset": False,
            "seed": rng.getrandbits(60),
            "memory": True,
            **options,
        }
        self.batch = Batch(game, 1, players, **settings)
        self.batch.reset()
        self.pool = positions(game, players, options, rng)

    def try_one(self, which: str, draw: float) -> bool:
        """Tamper with one record; whether it was accepted."""
        mutant = self.pool[[self.rng.randrange(len(self.pool))]]
        before = mutant.tobytes()
        done = []
        while mutant.tobytes() == before or self.rng.random() < 0.2:
            done.append(self.rng.choice(_WAYS)(mutant, self.pool, self.rng))
        if self.rng.random() < MENDED and self._mend(mutant):
            done.append("mended")
        players = self.batch.games["num_players"]
        if first_fault(self.game, mutant, self.batch.tables) or mutant["num_players"] != players:
            return False  # a batch is made for certain numbers of players
        try:
            self._use(mutant, self.rng.random() < draw)
        except Exception as error:
            raise AssertionError(
                f"{self.where}, {which}: accepted, and then {type(error).__name__}: {error}; {'; '.join(done)}"
            ) from error
        return True

    def _mend(self, mutant: NDArray[Any]) -> bool:
        """Change the field that is found at fault, step by step, until the record passes or patience ends."""
        fault = first_fault(self.game, mutant, self.batch.tables)
        for _ in range(PATIENCE):
            if fault is None:
                return True
            kept = mutant.copy()
            name, seat = fault[1:]
            values = mutant[name]
            if seat < NO_SEAT and values.shape[1:2] == (self.game.max_players,):
                values = values[:, seat]
            self.rng.choice((_nudge, _nudge, _nudge, _borrow))(values, self.pool[name], seat, self.rng)
            now = first_fault(self.game, mutant, self.batch.tables)
            if now == fault and self.rng.random() < 0.7:
                mutant[:] = kept
            fault = now
        return False

    def _use(self, mutant: NDArray[Any], draw: bool) -> None:
        """Do all that is done with games."""
        batch, rng, seats = self.batch, self.rng, range(int(mutant["num_players"][0]))
        batch.set_games(mutant)
        _look(batch, (None, *seats) if draw else (None, rng.choice(seats)), draw)
        for seat in rng.sample(seats, min(3, len(seats))):
            batch.set_games(mutant)
            batch.determinize(0, seat, rng.getrandbits(63))
            require_sound(self.game, batch.games, batch.tables)
            _look(batch, (), draw=False)
            batch.rollout()
        for policy in ("random", "greedy"):
            batch.set_games(mutant)
            steps = 0
            while not batch.games["over"][0]:
                batch.step(batch.sample(policy, salt=steps))
                require_sound(self.game, batch.games, batch.tables)
                steps += 1
                assert steps < MOST_STEPS, "this game never ends"
            _look(batch, (rng.choice(seats),) if draw else (), draw)


def _look(batch: Batch, viewers: Iterable[int | None], draw: bool) -> None:
    """Look at the game of a batch in every way."""
    players = int(batch.games["num_players"][0])
    _within(batch.observations[0, :players], batch.layout)
    _within(batch.state(), batch.game.state_layout)
    batch.scores()
    batch.ranks()
    decides = np.array(batch.deciders(), np.int64)
    batch.choices(np.zeros_like(decides), decides)
    for seat in decides.tolist():
        for action in batch.legal_actions(0, seat).tolist():
            batch.describe(0, seat, action)
    for viewer in viewers:
        batch.render(0, viewer)
        if draw and batch.game.draw is not None:
            batch.draw(0, viewer)


def _within(rows: NDArray[np.float32], layout: Layout) -> None:
    """Observations are finite and within the bounds that spaces declare."""
    wrong = np.flatnonzero(~((rows >= layout.low) & (rows <= layout.high)).all(axis=0))
    if len(wrong):
        place = int(wrong[0])
        name = next(each.name for each in layout if each.start <= place < each.start + each.size)
        raise AssertionError(
            f"{name} is {rows[:, place].tolist()}, declared from {layout.low[place]} to {layout.high[place]}"
        )


def positions(game: Game, players: int, options: Mapping[str, Any], rng: random.Random) -> NDArray[Any]:
    """Records from all over some games, played at random and by greedy: as seats see them, half chosen, ended."""
    settings: dict[str, Any] = {"autoreset": False, "seed": rng.getrandbits(60), **options}
    batch = Batch(game, POOL, players, **settings)
    batch.reset()
    found = []
    for step in range(MOST_STEPS):
        for index in range(POOL):
            if rng.random() < 0.3:
                found.append(batch.games[[index]])
                seat = rng.randrange(players)
                if rng.random() < 0.3 and (choice := batch.deciders(index)):
                    seat = rng.choice(choice)
                    found[-1]["chosen"][0, seat] = rng.choice(batch.legal_actions(index, seat).tolist())
                if rng.random() < 0.3:
                    world = Batch(game, 1, players, **settings)
                    world.set_games(found[-1])
                    world.determinize(0, seat, rng.getrandbits(63))
                    found[-1] = world.games
        if batch.games["over"].all():
            break
        batch.step(batch.sample("greedy" if step % 2 else "random", salt=step))
    return np.concatenate(found)


def _nudge(values: NDArray[Any], pool: NDArray[Any], seat: int, rng: random.Random) -> None:
    """Another value for one element, most often a near one."""
    place = (0, *(rng.randrange(size) for size in values.shape[1:]))
    limits, value = np.iinfo(values.dtype), int(values[place])
    near = value + rng.choice((1, -1, 1, -1, 2, -2, 3, -3))
    given = rng.choice((near, near, near, 0, value ^ 1 << rng.randrange(limits.bits)))
    values[place] = min(max(given, limits.min), limits.max)


def _borrow(values: NDArray[Any], pool: NDArray[Any], seat: int, rng: random.Random) -> None:
    """What another position has."""
    other = pool[rng.randrange(len(pool))]
    values[0] = other if other.shape == values[0].shape else other[seat]


Way = Callable[[NDArray[Any], NDArray[Any], random.Random], str]


def _flip(mutant: NDArray[Any], pool: NDArray[Any], rng: random.Random) -> str:
    """Flip bits."""
    size = mutant.dtype.itemsize
    places = [(rng.randrange(size), rng.randrange(8)) for _ in range(rng.choice((1, 1, 1, 2, 5, 30)))]
    for byte, bit in places:
        mutant.view("u1")[byte] ^= 1 << bit
    return f"bits flipped: {places}"


def _set(mutant: NDArray[Any], pool: NDArray[Any], rng: random.Random) -> str:
    """Set one element of a field to a value that is extreme, or one too many or too few."""
    name, values = _field(mutant, rng)
    place = rng.randrange(values.size)
    limits = np.iinfo(values.dtype)
    value = int(values[place])
    near = rng.choice((value + 1, value - 1, value + 2, 2 * value, int(rng.choice(values))))
    given = rng.choice(
        (near, near, limits.min, limits.max, limits.max - 1, limits.max // 2 + 1, 0, 1, 2, 7, 8)
    )
    values[place] = min(max(given, limits.min), limits.max)
    return f"{name}[{place}] from {value} to {values[place]}"


def _garble(mutant: NDArray[Any], pool: NDArray[Any], rng: random.Random) -> str:
    """Fill a field with random bytes, or with one value."""
    name, values = _field(mutant, rng)
    one = rng.random() < 0.5
    values.view("u1")[:] = rng.randrange(256) if one else np.frombuffer(rng.randbytes(values.nbytes), "u1")
    return f"{name} {'filled' if one else 'garbled'}"


def _move(mutant: NDArray[Any], pool: NDArray[Any], rng: random.Random) -> str:
    """Exchange two elements of a field, or what two seats have of it."""
    name, values = _field(mutant, rng)
    rows = values.reshape(mutant[name].shape[1:] or 1)
    one, other = rng.randrange(len(rows)), rng.randrange(len(rows))
    rows[[one, other]] = rows[[other, one]]
    return f"{name}: {one} and {other} exchanged"


def _take(mutant: NDArray[Any], pool: NDArray[Any], rng: random.Random) -> str:
    """Take a field from another game."""
    name, values = _field(mutant, rng)
    other = rng.randrange(len(pool))
    values[:] = pool[[other]][name].reshape(-1)
    return f"{name} of position {other}"


def _splice(mutant: NDArray[Any], pool: NDArray[Any], rng: random.Random) -> str:
    """Take a stretch of bytes from another game, or random ones."""
    start, stop = sorted(rng.sample(range(mutant.dtype.itemsize + 1), 2))
    other = rng.randrange(len(pool))
    taken = pool[[other]].view("u1")[start:stop]
    if rng.random() < 0.3:
        taken = np.frombuffer(rng.randbytes(stop - start), "u1")
    mutant.view("u1")[start:stop] = taken
    return f"bytes {start} to {stop} of position {other}, or random"


def _seat(mutant: NDArray[Any], pool: NDArray[Any], rng: random.Random) -> str:
    """Take all that one seat has from another game, or from another seat."""
    seats = mutant["chosen"].shape[1]
    other, to, by = rng.randrange(len(pool)), rng.randrange(seats), rng.randrange(seats)
    source = mutant if rng.random() < 0.5 else pool[[other]]
    for name in mutant.dtype.names or ():
        if mutant[name].shape[1:2] == (seats,):
            mutant[name][0, to] = source[name][0, by]
    return f"seat {to} from seat {by}, position {other} or its own"


def _field(mutant: NDArray[Any], rng: random.Random) -> tuple[str, NDArray[Any]]:
    name = rng.choice(mutant.dtype.names or ())
    return name, mutant[name].reshape(-1)


_WAYS: tuple[Way, ...] = (_flip, _flip, _set, _set, _set, _set, _garble, _move, _take, _take, _splice, _seat)
