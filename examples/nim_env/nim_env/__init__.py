"""Nim for two players: a complete game to copy.

Three heaps of 1 to 7 stones. Seat 0 begins; in turn each takes as many stones as it likes, at least one, from one heap.
Whoever takes the last stone wins.

>>> import nim_env
>>> env = nim_env.parallel_env()
>>> observations, infos = env.reset(seed=0)

**Observation.** float32[4]: the heaps in sevenths, and whether it is one's own turn.

**Actions.** ``Discrete(22)``: 0 waits; ``1 + 7 * heap + k`` takes ``k + 1`` stones from a heap.

**Versions.** v0: first version.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.envs.makers import makers
from antiquity.game import ENDED, HEADER, Game, Layout, fault_codes, kernel, random

HEAPS, MOST = 3, 7
DEAL = 1  # purpose of the random draws
GAME_DTYPE = np.dtype(
    [
        *HEADER.descr,
        ("chosen", "u2", (2,)),  # what each seat has committed
        ("heaps", "u1", (HEAPS,)),  # stones in each heap
        ("winner", "u1"),  # 1 + the seat that took the last stone
    ]
)
BOUNDS = {"heaps": (0, MOST), "winner": (0, 2), "deciders": (0, 2)}  # of what comes from outside
NO_HEAPS, NO_WINNER = (fault_codes(GAME_DTYPE)[name] for name in ("heaps", "winner"))
LAYOUT = Layout.build(
    ("heaps", HEAPS, 0, 1, MOST, "stones in each heap"),
    ("my_turn", 1, 0, 1, 1, "1 if the seat is to take stones"),
)


@kernel
def init(game: Any, tables: Any, options: Any) -> None:
    for heap in range(HEAPS):
        game["heaps"][heap] = 1 + random.below(game["seed"], DEAL, heap, MOST)
    game["deciders"] = 1


@kernel
def legal(game: Any, tables: Any, seat: Any, out: Any) -> int:
    n = 0
    for heap in range(HEAPS):
        for k in range(np.int64(game["heaps"][heap])):
            out[n] = 1 + MOST * heap + k
            n += 1
    return n


@kernel
def advance(game: Any, tables: Any) -> None:
    seat = np.int64(game["deciders"]) - 1  # bit 0 or bit 1
    heap, k = divmod(np.int64(game["chosen"][seat]) - 1, MOST)
    game["heaps"][heap] -= k + 1
    game["deciders"] = 2 - seat
    if game["heaps"].sum() == 0:
        game["winner"] = 1 + seat
        game["over"] = ENDED
        game["deciders"] = 0


@kernel
def observe(game: Any, tables: Any, seat: Any, out: Any) -> None:
    for heap in range(HEAPS):
        out[heap] = game["heaps"][heap] / MOST
    out[HEAPS] = game["deciders"] >> seat & 1


@kernel
def score(game: Any, tables: Any, out: Any) -> None:
    for seat in range(2):
        won = game["winner"] == 1 + seat
        out[seat, 0] = won  # the points
        out[seat, 1] = won  # their total
        out[seat, 2] = 0  # nothing breaks a tie


@kernel
def check(game: Any, tables: Any) -> Any:
    stones = game["heaps"].sum() > 0
    if game["forfeits"] == 0 and stones != (game["over"] == 0):
        return NO_HEAPS
    return 0 if stones == (game["winner"] == 0) else NO_WINNER


def describe(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    """The action in words."""
    heap, k = divmod(action - 1, MOST)
    return f"take {k + 1} from heap {heap + 1}" if action else "wait"


GAME = Game(
    name="nim",
    title="Nim",
    dtype=GAME_DTYPE,
    layout=LAYOUT,
    num_actions=1 + HEAPS * MOST,
    min_players=2,
    max_players=2,
    hidden=False,
    init=init,
    legal=legal,
    advance=advance,
    observe=observe,
    score=score,
    check=check,
    bounds=BOUNDS,
    describe=describe,
)

parallel_env, env = makers(GAME)
