"""What a seat may not learn: leaks of secret choices, of hidden things and of the future, and redrawn worlds."""

from __future__ import annotations

import random

from antiquity.testing.positions import (
    check_allowed,
    check_header,
    check_legal,
    check_position,
    differing,
    require,
)
from antiquity.testing.table import Table

Look = dict[str, object]


def look(table: Table, seat: int) -> Look:
    """All that a seat is told, by what tells it."""
    game, legal = table.game, table.legal(seat)
    row = table.observe(seat, memory=True)
    told: Look = {
        "observation": row[: game.layout.size].tobytes(),
        "memory part": row[game.layout.size :].tobytes(),
        "legal actions": legal,
        "words of its actions": [table.words(seat, action) for action in legal],
    }
    if game.seen_scores is not None:
        told["points as it counts them"] = game.seen_scores(table.games, 0, table.tables, seat).tobytes()
    told["text"] = table.text(seat)
    if game.draw is not None:
        told["picture"] = game.draw(table.games, 0, table.tables, seat)
    return told


def _alike(table: Table, one: Look, other: Look, why: str, seat: int) -> None:
    for name, told in one.items():
        require(told == other[name], table, f"the {name} must not depend on {why}", seat)


def committed(table: Table, seat: int, rng: random.Random) -> Table:
    """The same game, in which some deciders, the seat itself among them at times, have committed a choice."""
    other = table.copy()
    for decider in table.deciders():
        if decider != seat or rng.random() < 0.5:
            other.commit(decider, rng.choice(table.legal(decider)))
    return other


def check_secrecy(table: Table, seat: int, rng: random.Random) -> None:
    """What others have committed shows nowhere until it is resolved."""
    one = committed(table, seat, rng)
    other = one.copy()
    for decider in table.deciders():
        if decider != seat:
            other.commit(decider, rng.choice(table.legal(decider)))
    mine, theirs = look(one, seat), look(other, seat)
    _alike(table, mine, theirs, "what others have committed in secret", seat)


def check_worlds(table: Table, seat: int, rng: random.Random) -> bool:
    """See that redrawn worlds are new, in agreement with what the seat knows, and playable.

    Returns whether a world differed from the game in more than its seed and what others had committed.
    """
    mine = committed(table, seat, rng)
    seed, seed_2 = rng.getrandbits(63), rng.getrandbits(63)
    world = _redrawn(mine, seat, seed)
    again = _redrawn(mine, seat, seed)
    check_allowed(mine)
    names = differing(world.games, again.games)
    require(not names, table, f"determinize must follow from its seed, and {names} do not", seat)
    for name in ("steps", "num_players", "over", "forfeits"):
        require(world.record[name] == mine.record[name], table, f"determinize must leave {name} alone", seat)
    require(
        world.record["chosen"][seat] == mine.record["chosen"][seat],
        table,
        "determinize must leave the seat's own commitment alone",
        seat,
    )
    decides = seat in table.deciders()
    require(
        (seat in world.deciders()) == decides, table, "determinize must leave whether it decides alone", seat
    )
    why = "what determinize redraws: it shows what is hidden, or determinize redraws what is known"
    _alike(table, look(mine, seat), look(world, seat), why, seat)
    check_allowed(world)
    require(
        int(world.record["seed"]) != int(mine.record["seed"]),
        table,
        "determinize must redraw the seed too: the future's randomness is hidden from everybody",
        seat,
    )
    names = differing(_redrawn(world, seat, seed_2).games, _redrawn(mine, seat, seed_2).games)
    require(
        not names,
        table,
        f"games that a seat can't tell apart must give the same worlds; {names} keep something of what is hidden",
        seat,
    )
    names = differing(world.games, _redrawn(mine, seat, seed_2).games)
    require("seed" in names, table, "determinize with another seed must give another world", seat)
    _play_on(world, seat, rng)
    return bool(set(differing(world.games, mine.games)) - {"seed", "chosen"})


def _redrawn(table: Table, seat: int, seed: int) -> Table:
    world = table.copy()
    world.determinize(seat, seed)
    return world


def _play_on(world: Table, seat: int, rng: random.Random) -> None:
    """Some steps of a world: it is a game like any other."""
    played = world.copy()
    played.seed = int(played.record["seed"])
    played.record["chosen"][:] = 0
    for _ in range(4):
        check_header(played, int(played.record["steps"]))
        check_allowed(played)
        lists = {decider: check_legal(played, decider) for decider in played.deciders()}
        played.step({decider: rng.choice(legal) for decider, legal in lists.items()})
        if played.over:
            break
    check_position(played, rng, int(played.record["steps"]))
