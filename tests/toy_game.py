"""A tiny game for testing the core: hidden hands, simultaneous bids, and now and then a decision of one seat alone.

Everybody holds three hidden cards worth 1 to 3. In each of three rounds all bid a card at the same time. A prize of 1
to 6 points lies open; who bid the highest card alone must then choose, alone, to take the prize or to give it to the
left neighbour for two points. If the highest bid is shared nobody gets anything. Ties at the end go to the seat with
the lower bids in all. With ``limit`` the game cuts itself off after so many steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game import CUT_OFF, HEADER, Game, Layout, Option, random
from antiquity.kernels import kernel

PLAYERS, ROUNDS, KINDS = 4, 3, 3
TAKE, GIVE, NUM_ACTIONS = 4, 5, 6  # 1 to 3 bid that card
BID, CHOICE = 0, 1  # phases
DEAL, PRIZE, REDEAL, RESEED = 1, 2, 3, 4  # purposes of random draws

GAME_DTYPE = np.dtype(
    [
        *((name, HEADER[name]) for name in HEADER.names or ()),
        ("points", "i2", (PLAYERS,)),
        ("chosen", "u2", (PLAYERS,)),
        ("hands", "u1", (PLAYERS, KINDS)),  # how many cards of each value
        ("bids", "u1", (PLAYERS, ROUNDS)),  # 0 = not yet
        ("round", "u1"),
        ("phase", "u1"),
        ("prize", "u1"),
        ("winner", "u1"),
        ("limit", "u1"),
        ("padding", "u1", (3,)),
    ]
)
TABLES_DTYPE = np.dtype([("gift", "i8")])
OPTIONS_DTYPE = np.dtype([("bonus", "i8"), ("limit", "i8")])

LAYOUT = Layout.build(
    ("round", 1, 0, 1, ROUNDS, "rounds finished"),
    ("phase", 1, 0, 1, 1, "1 while the winner of a round chooses"),
    ("prize", 1, 0, 1, 6, "points of the prize"),
    ("hand", KINDS, 0, 1, 3, "own cards of value 1, 2, 3"),
    ("present", PLAYERS, 0, 1, 1, "1 for each seat at the table, beginning with one's own"),
    ("points", PLAYERS, 0, 1, 40, "points of each seat"),
)
MEMORY = Layout.build(("bids", PLAYERS * ROUNDS, 0, 1, 3, "the bids that each seat has made"))
STATE = Layout.build(("hands", PLAYERS * KINDS, 0, 3, 1, "everybody's cards"))


@kernel
def init(game: Any, tables: Any, options: Any) -> None:
    n = np.int64(game["num_players"])
    game["deciders"] = (1 << n) - 1
    game["phase"] = BID
    game["limit"] = options["limit"]
    for seat in range(n):
        game["points"][seat] = options["bonus"]
        for card in range(ROUNDS):
            game["hands"][seat, random.below(game["seed"], DEAL, seat * ROUNDS + card, KINDS)] += 1
    game["prize"] = 1 + random.below(game["seed"], PRIZE, 0, 6)


@kernel
def legal(game: Any, tables: Any, seat: Any, out: Any) -> int:
    if game["phase"] == CHOICE:
        out[0] = TAKE
        out[1] = GIVE
        return 2
    n = 0
    for kind in range(KINDS):
        if game["hands"][seat, kind] > 0:
            out[n] = kind + 1
            n += 1
    return n


@kernel
def advance(game: Any, tables: Any) -> None:
    resolve(game, tables)
    if not game["over"] and game["steps"] + 1 == game["limit"]:
        game["over"] = CUT_OFF
        game["deciders"] = 0


@kernel
def resolve(game: Any, tables: Any) -> None:
    n = np.int64(game["num_players"])
    if game["phase"] == BID:
        best, holders, winner = 0, 0, 0
        for seat in range(n):
            bid = np.int64(game["chosen"][seat])
            game["hands"][seat, bid - 1] -= 1
            game["bids"][seat, game["round"]] = bid
            if bid > best:
                best, holders, winner = bid, 1, seat
            elif bid == best:
                holders += 1
        if holders == 1:
            game["phase"] = CHOICE
            game["winner"] = winner
            game["deciders"] = 1 << winner
            return
    else:
        winner = np.int64(game["winner"])
        if game["chosen"][winner] == TAKE:
            game["points"][winner] += game["prize"]
        else:
            game["points"][winner] += tables["gift"]
            game["points"][(winner + 1) % n] += game["prize"]
    game["phase"] = BID
    game["winner"] = 0
    game["round"] += 1
    if game["round"] == ROUNDS:
        game["over"] = 1
        game["deciders"] = 0
        game["prize"] = 0
        return
    game["deciders"] = (1 << n) - 1
    game["prize"] = 1 + random.below(game["seed"], PRIZE, game["round"], 6)


@kernel
def observe(game: Any, tables: Any, seat: Any, out: Any) -> None:
    n = np.int64(game["num_players"])
    out[0] = game["round"] / ROUNDS
    out[1] = game["phase"]
    out[2] = game["prize"] / 6
    for kind in range(KINDS):
        out[3 + kind] = game["hands"][seat, kind] / 3
    for i in range(n):
        other = (seat + i) % n
        out[6 + i] = 1
        out[10 + i] = game["points"][other] / 40
        if len(out) > 14:
            for k in range(ROUNDS):
                out[14 + i * ROUNDS + k] = game["bids"][other, k] / 3


@kernel
def reveal(game: Any, tables: Any, out: Any) -> None:
    for seat in range(PLAYERS):
        for kind in range(KINDS):
            out[seat * KINDS + kind] = game["hands"][seat, kind]


@kernel
def score(game: Any, tables: Any, out: Any) -> None:
    out[:] = 0
    for seat in range(np.int64(game["num_players"])):
        out[seat, 0] = game["points"][seat]
        out[seat, 1] = out[seat, 0]
        for k in range(ROUNDS):
            out[seat, 2] -= game["bids"][seat, k]


@kernel
def determinize(game: Any, tables: Any, seat: Any, seed: Any) -> None:
    for other in range(np.int64(game["num_players"])):
        if other == seat:
            continue
        held = 0
        for kind in range(KINDS):
            held += np.int64(game["hands"][other, kind])
            game["hands"][other, kind] = 0
        for card in range(held):
            game["hands"][other, random.below(seed, REDEAL, other * ROUNDS + card, KINDS)] += 1
    game["seed"] = random.mix(seed, RESEED, 0)


@kernel
def greedy(game: Any, tables: Any, seat: Any, legal: Any, n: Any, noise: Any) -> int:
    if game["phase"] == CHOICE:
        return TAKE
    return np.int64(legal[n - 1])


def setup(
    num_players: int, *, gift: int = 2, bonus: int = 0, limit: int = 0
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The tables and the options of a game."""
    if not 0 <= gift <= 4:
        raise ValueError(f"gift is {gift}; it must lie from 0 to 4")
    tables, options = np.zeros(1, TABLES_DTYPE), np.zeros(1, OPTIONS_DTYPE)
    tables["gift"], options["bonus"], options["limit"] = gift, bonus, limit
    return tables, options


def describe(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int, action: int) -> str:
    """The action in words."""
    words = ("wait", "bid 1", "bid 2", "bid 3", "take the prize", "give the prize away")
    return words[action] if 0 <= action < len(words) else "no action of this game"


def render(games: NDArray[Any], index: int, tables: NDArray[Any], seat: int | None, width: int) -> str:
    """The table as text."""
    game = games[index]
    return f"round {game['round'] + 1}: points {game['points'][: game['num_players']].tolist()}"


GAME = Game(
    name="toy",
    title="Toy bids",
    version=1,
    dtype=GAME_DTYPE,
    tables_dtype=TABLES_DTYPE,
    options_dtype=OPTIONS_DTYPE,
    num_actions=NUM_ACTIONS,
    max_legal=KINDS,
    min_players=2,
    max_players=PLAYERS,
    default_players=3,
    categories=("prizes",),
    layout=LAYOUT,
    memory_layout=MEMORY,
    state_layout=STATE,
    options=(
        Option("gift", 2, "points for giving the prize away"),
        Option("bonus", 0, "points to begin with"),
        Option("limit", 0, "steps after which the game cuts itself off; 0: never"),
    ),
    margin_scale=10.0,
    simultaneous=True,
    init=init,
    legal=legal,
    advance=advance,
    observe=observe,
    reveal=reveal,
    score=score,
    determinize=determinize,
    greedy=greedy,
    setup=setup,
    describe=describe,
    render=render,
    origin=f"{__name__}:GAME",
)
