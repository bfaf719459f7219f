"""What a tournament plays, worked out in advance: who sits where, with which deal.

A deal of a player count is a number, and everything about it follows from that number and the tournament's seed: the
seed of its games, the line-up and the order at the table. So it does not matter which worker plays it, where or
when, and a tournament can be stopped, resumed and extended at any point.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import AGENTS, Agent, AgentLike, make_agent
from antiquity.agents.names import is_path
from antiquity.agents.network import NetworkAgent
from antiquity.arena.identity import code_of_game, fingerprint, printed_games, release
from antiquity.arena.play import rotations
from antiquity.batch import Batch
from antiquity.game import Game, make_game
from antiquity.game.checks import one_seed, printable
from antiquity.game.files import plain
from antiquity.game.random import RESERVED, mix, mix_many

DEALS: Final = RESERVED + 10
LINE_UPS: Final = RESERVED + 11
ORDERS: Final = RESERVED + 12
PLAYERS: Final = RESERVED + 13
MOST_LINE_UPS: Final = 5000
"""Up to this many different line-ups are all played in turn; if there are more, groups are drawn."""
FAST, SLOW = 256, 2
"""Deals in a block: with kernel agents and networks; with slow agents."""


@dataclass(frozen=True)
class Entrant:
    """A participant of a tournament.

    Attributes:
        name: in all tables; unique.
        agent: what :func:`antiquity.agents.make_agent` understands.
        digest: of the policy file's content; empty without one.
        content: of the policy file, so that workers elsewhere need no copy of it.
        fingerprint: of its code and settings, see :mod:`antiquity.arena.identity`.
    """

    name: str
    agent: AgentLike
    digest: str = ""
    content: bytes = field(default=b"", repr=False)
    fingerprint: str = ""

    def make(self, game: Game) -> Agent:
        """The agent itself."""
        if self.content:
            return NetworkAgent.from_bytes(self.content, str(self.agent), game)
        return make_agent(self.agent, game)

    @property
    def text(self) -> str:
        """What it is, for the results file."""
        return self.agent if isinstance(self.agent, str) else f"python:{type(self.agent).__name__}"


def entrant(agent: AgentLike, game: Game, trust: bool = False) -> Entrant:
    """A participant from ``"greedy"``, ``"name=search:simulations=500"``, ``"runs/policy.npz"`` or an Agent.

    Raises:
        ValueError, TypeError, FileNotFoundError: it cannot play this game; the message says why.
    """
    if isinstance(agent, tuple):
        name, agent = agent
    elif isinstance(agent, str):
        # An = before any colon or slash belongs to a name.
        match = re.match(r"([\w .+-]+)=(.+)", agent)
        if match and agent not in AGENTS:
            name, agent = match[1].strip(), match[2]
        else:
            name = ""
    else:
        name = ""
    made = Entrant(name, agent)
    if isinstance(agent, str) and is_path(agent):
        path = Path(agent)
        if path.suffix == ".zip" and not trust:
            raise ValueError(
                f"{agent}: opening a stable-baselines3 file runs code that is in it. Say that you trust it "
                "(--trust-zip, trust=True), or turn it into an .npz with NetworkAgent.from_sb3(...).save(...)"
            )
        if not path.is_file():
            raise FileNotFoundError(f"no policy file {path}")
        content = path.read_bytes()
        digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        made = Entrant(name or path.stem, agent, digest, content if path.suffix == ".npz" else b"")
    elif isinstance(agent, str):
        made = Entrant(name or agent, agent)
    built = made.make(game)  # raises here if it is invalid
    close = getattr(built, "close", None)
    if close is not None:
        close()
    return replace(made, name=printable(made.name or built.name), fingerprint=fingerprint(built))


class Block(NamedTuple):
    """Some neighbouring deals of one player count: what a worker plays in one go."""

    players: int
    first: int
    stop: int


@dataclass(frozen=True, eq=False)
class Plan:
    """A tournament. Make it with :func:`make_plan`.

    Attributes:
        game: what is played.
        entrants: who plays.
        seed: everything random follows from it.
        options: the game's own options.
        block: the most deals of a block.
        tables: number of players -> hash of the printed game.
    """

    game: Game
    entrants: tuple[Entrant, ...]
    seed: int
    options: dict[str, Any]
    block: int
    tables: dict[str, str] = field(default_factory=dict)

    @functools.cached_property
    def key(self) -> str:
        """Two plans with the same key play the same games."""
        return hashlib.blake2b(repr(self.about()).encode(), digest_size=16).hexdigest()

    def about(self) -> dict[str, Any]:
        """What the games depend on, as plain values."""
        return {
            "game": self.game.name,
            "version": self.game.version,
            "agents": [[each.name, each.digest or each.text] for each in self.entrants],
            "seed": self.seed,
            "options": {name: plain(name, value) for name, value in sorted(self.options.items())},
            "release": release(),
            "tables": self.tables,
            "code": {"": code_of_game(self.game)} | {each.name: each.fingerprint for each in self.entrants},
        }

    def agents(self) -> list[Agent]:
        """Make all agents."""
        return [each.make(self.game) for each in self.entrants]

    def deal_seeds(self, players: int, first: int, stop: int) -> NDArray[np.uint64]:
        """uint64[stop - first]: the seeds of the games of these deals."""
        return deal_seeds(self.seed, players, first, stop)

    def line_ups(self, players: int, first: int, stop: int) -> NDArray[np.int64]:
        """int64[stop - first, players]: who plays these deals, in the order at the table.

        Everybody has the same number of seats where that is possible; the seats left over go to groups of different
        entrants. All possible groups take their turn, in a different order in each cycle; if there are too many,
        each cycle splits all entrants into groups, some sitting out.
        """
        count, left = len(self.entrants), players % len(self.entrants)
        everybody = list(range(count)) * (players // count)
        rows = [everybody + self._group(players, left, deal) for deal in range(first, stop)]
        found = np.array(rows, np.int64).reshape(stop - first, players)
        seeds = self.deal_seeds(players, first, stop)
        keys = mix_many(seeds[:, None], ORDERS, np.arange(players, dtype=np.uint64)[None, :])
        return np.take_along_axis(found, np.argsort(keys, axis=1), axis=1)

    def _group(self, players: int, left: int, deal: int) -> list[int]:
        count = len(self.entrants)
        if left == 0:
            return []
        if math.comb(count, left) <= MOST_LINE_UPS:
            groups = _groups(count, left)
            cycle, place = divmod(deal, len(groups))
            return list(groups[_order(self.seed, players, cycle, len(groups))[place]])
        cycle, place = divmod(deal, count // left)
        return list(_order(self.seed, players, cycle, count)[place * left : (place + 1) * left])

    def seating(self, block: Block) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Who sits where, int64[deals * players, players], and the seeds of the games."""
        line_ups = self.line_ups(*block)
        return rotations(line_ups), np.repeat(self.deal_seeds(*block), block.players)

    def missing(self, players: int, have: Iterable[tuple[int, int]], deals: int) -> list[Block]:
        """The blocks still to be played to reach this many deals, given the deals [first, stop) in `have`."""
        blocks, start = [], 0
        for first, stop in [*sorted(have), (deals, deals)]:
            while start < min(first, deals):
                end = min(first, deals, (start // self.block + 1) * self.block)
                blocks.append(Block(players, start, end))
                start = end
            start = max(start, stop)
        return blocks


def deal_seeds(seed: int, players: int, first: int, stop: int) -> NDArray[np.uint64]:
    """uint64[stop - first]: the seeds of the games of some deals of a tournament."""
    stream = np.uint64(mix(seed, PLAYERS, players))
    return np.asarray(mix_many(stream, DEALS, np.arange(first, stop, dtype=np.uint64)), np.uint64)


@functools.lru_cache(maxsize=32)
def _groups(count: int, size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(itertools.combinations(range(count), size))


@functools.lru_cache(maxsize=256)
def _order(seed: int, players: int, cycle: int, count: int) -> tuple[int, ...]:
    stream = np.uint64(mix(mix(seed, PLAYERS, players), LINE_UPS, cycle))
    return tuple(np.argsort(mix_many(stream, LINE_UPS, np.arange(count, dtype=np.uint64))).tolist())


def make_plan(
    game: str | Game,
    agents: Sequence[AgentLike],
    *,
    seed: int = 0,
    options: dict[str, Any] | None = None,
    block: int | None = None,
    trust: bool = False,
) -> Plan:
    """Check the participants of a tournament.

    Args:
        game: a game's name, or a Game.
        agents: two or more; strings as in :func:`entrant`, Agents, functions, or (name, one of these).
        seed: an int in [0, 2**64).
        options: the game's own.
        block: deals of a block; None: many for fast agents, few for slow ones. No result depends on it.
        trust: whether ``.zip`` files of stable-baselines3, which can run code, may be opened.

    Raises:
        ValueError, TypeError, KeyError, FileNotFoundError: an agent or an option is invalid; the message says why.
    """
    game = make_game(game)
    if len(agents) < 2:
        raise ValueError(f"a tournament needs two agents or more, not {len(agents)}")
    entrants = tuple(entrant(agent, game, trust) for agent in agents)
    names = [each.name for each in entrants]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two agents are called {twice[0]!r}; give names: 'first={twice[0]}'")
    if block is None:
        block = SLOW if any(each.make(game).slow for each in entrants) else FAST
    if block < 1:
        raise ValueError(f"block is {block}; it must be 1 or more deals")
    Batch(game, 1, seed=0, **options or {})  # raises for invalid options
    return Plan(
        game, entrants, one_seed(seed), dict(options or {}), block, printed_games(game, options or {})
    )
