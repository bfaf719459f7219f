"""Evaluation that can be cited: fixed deals, fixed opponents, all table sizes, and hashes of all that took part.

A protocol never changes: other deals, opponents or numbers of games are another protocol. What may differ between two
evaluations - the game's printed tables, the shipped policy, the agent itself - is in the report as a hash, so two
reports can be compared when the hashes of everything but the agent agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.table import Table

from antiquity.agents import Agent, AgentLike, make_agent, shipped_policy
from antiquity.arena.match import MatchResult, play_match
from antiquity.arena.statistics import Share, share
from antiquity.batch import Batch
from antiquity.game import Game, make_game
from antiquity.game.tables import printed


@dataclass(frozen=True)
class Opponent:
    """Who sits in all other seats.

    Attributes:
        name: in reports.
        agent: as :func:`antiquity.agents.make_agent` takes it.
        deals: each is played in all seatings.
    """

    name: str
    agent: str
    deals: int


@dataclass(frozen=True)
class Protocol:
    """What is played: one seat of the agent among opponents of one kind, by the game's default options.

    Attributes:
        name: by which it is cited.
        seed: of the deals, beside the number of players.
        opponents: one after the other.
        slow: deals at most for an agent that takes milliseconds for a decision: the first ones of the same deals.
    """

    name: str
    seed: int
    opponents: tuple[Opponent, ...]
    slow: int = 40


PROTOCOLS: Final = {
    "v1": Protocol(
        "v1",
        seed=20_261_201,
        opponents=(
            Opponent("random", "random", 250),
            Opponent("greedy", "greedy", 500),
            Opponent("search 100", "search:simulations=100", 40),
            Opponent("policy", "policy", 250),
            Opponent("expert 100", "expert:simulations=100", 40),
        ),
    )
}


@dataclass(frozen=True)
class Line:
    """One match of an evaluation.

    Attributes:
        players: seats at the table.
        opponent: in all seats but one.
        deals: each played in all seatings.
        wins: share of wins of the agent's seat; par is 1 / players.
        points, opponent_points: mean totals.
        digest: hash of all scores of all games, in their order.
    """

    players: int
    opponent: str
    deals: int
    wins: Share
    points: float
    opponent_points: float
    digest: str


@dataclass(frozen=True)
class Evaluation:
    """What :func:`evaluate` returns."""

    protocol: str
    game: Game
    agent: str
    hashes: dict[str, str]
    lines: tuple[Line, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        lines = [
            {
                "players": line.players,
                "opponent": line.opponent,
                "deals": line.deals,
                "games": line.deals * line.players,
                "par": 1 / line.players,
                "win_share": line.wins.value,
                "interval": [line.wins.low, line.wins.high],
                "points": line.points,
                "opponent_points": line.opponent_points,
                "digest": line.digest,
            }
            for line in self.lines
        ]
        return {
            "protocol": self.protocol,
            "game": self.game.name,
            "game_version": self.game.version,
            "antiquity": version("antiquity"),
            "agent": self.agent,
            "hashes": self.hashes,
            "results": lines,
        }

    def table(self) -> Table:
        """A line for each table size, a column for each opponent."""
        names = list(dict.fromkeys(line.opponent for line in self.lines))
        title = f"{self.game.title}: {self.agent}, share of wins among (protocol {self.protocol})"
        table = Table(title=title)
        table.add_column("players (par)")
        for name in names:
            table.add_column(name, justify="right")
        for players in dict.fromkeys(line.players for line in self.lines):
            found = {line.opponent: line for line in self.lines if line.players == players}
            cells = [str(found[name].wins) if name in found else "" for name in names]
            table.add_row(f"{players} ({1 / players:.0%})", *cells)
        return table


def evaluate(
    agent: AgentLike,
    game: str | Game,
    protocol: str | Protocol = "v1",
    *,
    players: Sequence[int] = (),
    opponents: Sequence[str] = (),
    told: Callable[[str], None] = lambda _: None,
) -> Evaluation:
    """Play an agent by a protocol.

    Args:
        agent: a policy file, a name, a function or an Agent.
        game: a game's name, or a Game.
        protocol: by name, or one's own.
        players: table sizes, and
        opponents: names of opponents, to play a part of the protocol; all if none. The lines are the same as in the
            whole.
        told: is called with what is being played.

    Raises:
        ValueError: no such protocol, opponent or table size.
    """
    game = make_game(game)
    if isinstance(protocol, str):
        if protocol not in PROTOCOLS:
            raise ValueError(f"no protocol {protocol!r}; there are {', '.join(PROTOCOLS)}")
        protocol = PROTOCOLS[protocol]
    known = [each.name for each in protocol.opponents]
    if unknown := set(opponents) - set(known):
        raise ValueError(
            f"protocol {protocol.name} has no opponent {', '.join(sorted(unknown))}: {', '.join(known)}"
        )
    sizes = range(game.min_players, game.max_players + 1)
    if wrong := set(players) - set(sizes):
        raise ValueError(f"{game.title} has no table of {', '.join(map(str, sorted(wrong)))}")
    measured = make_agent(agent, game)
    lines = []
    for opponent in protocol.opponents:
        if opponents and opponent.name not in opponents:
            continue
        other = make_agent(opponent.agent, game)
        deals = min(opponent.deals, protocol.slow) if measured.slow else opponent.deals
        for seats in players or sizes:
            told(f"{seats} players, among {opponent.name}")
            result = play_match(
                game,
                [_Named(measured, "agent"), *[_Named(other, "opponent")] * (seats - 1)],
                deals=deals,
                seed=protocol.seed + seats,
            )
            lines.append(_line(seats, opponent, deals, result))
    return Evaluation(protocol.name, game, measured.name, _hashes(agent, game), tuple(lines))


class _Named(Agent):
    """An agent under another name, so that it can sit beside itself."""

    def __init__(self, agent: Agent, name: str) -> None:
        self.name, self.act = name, agent.act  # type: ignore[method-assign]
        self.kernel, self.slow, self.reproducible = agent.kernel, agent.slow, agent.reproducible

    def act(self, decisions: Any) -> Any:
        """The other agent's."""
        raise NotImplementedError


def _line(players: int, opponent: Opponent, deals: int, result: MatchResult) -> Line:
    """The agent is the first of the line-up."""
    by_deal = result.shares[:, :, 0].sum(axis=1)
    totals = result.scores[..., -2].mean(axis=(0, 1))
    return Line(
        players,
        opponent.name,
        deals,
        share(by_deal, np.full(len(by_deal), float(players))),
        float(totals[0]),
        float(totals[1:].mean()),
        _digest(np.ascontiguousarray(result.scores, "<i4").tobytes()),
    )


def _hashes(agent: AgentLike, game: Game) -> dict[str, str]:
    """Of all that takes part and may change."""
    found = {}
    for players in range(game.min_players, game.max_players + 1):
        tables = Batch(game, 1, players, seed=0).tables
        found[f"tables_{players}"] = _digest(np.ascontiguousarray(printed(tables)).tobytes())
    shipped = shipped_policy(game)
    if shipped is not None:
        found["shipped_policy"] = _digest(shipped)
    if isinstance(agent, (str, Path)) and Path(agent).is_file():
        found["agent"] = _digest(Path(agent).read_bytes())
    return found


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
