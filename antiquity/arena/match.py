"""A match: one line-up of agents, every deal played in all seatings.

A line-up of n agents is played in all its n rotations, each with the same deal (the same game seed), so that every
agent sits in every seat behind the same cards. Whatever luck gives a seat, it gives to all agents; what remains is
skill, and the interval is computed over deals, not over games that depend on each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import AgentLike, make_agent
from antiquity.arena.play import Played, Progress, play_games, rotations
from antiquity.batch import Batch
from antiquity.game import Game, make_game
from antiquity.game.checks import one_seed, whole
from antiquity.game.random import RESERVED, mix_many

if TYPE_CHECKING:
    from rich.table import Table

DEALS = RESERVED + 10
"""Purpose of the seeds of a match's deals. Index: the number of the deal."""
SIGMAS = 1.96
"""Half width of a 95% interval, in standard errors."""
PIECE = 2048
"""Games that are played side by side; it bounds memory and changes no result."""


@dataclass(frozen=True)
class Standing:
    """The results of one position of the line-up, over all its games.

    Attributes:
        name: of the agent.
        games: how many games.
        win_share: mean of 1/k for a win shared by k seats, else 0.
        interval: half width of the 95% interval of ``win_share``.
        rank: mean rank; ties share the mean of their ranks.
        points: mean points by category; the last entry is the total.
    """

    name: str
    games: int
    win_share: float
    interval: float
    rank: float
    points: dict[str, float]


@dataclass(frozen=True, eq=False)
class MatchResult:
    """A played match.

    Attributes:
        game: what was played.
        names: the line-up.
        shares: float64[deals, rotations, n]: win share by position in the line-up.
        scores: int32[deals, rotations, n, categories + 2]: by position in the line-up.
        ranks: float64[deals, rotations, n]: by position in the line-up; ties share the mean of their ranks.
        lengths: int64[deals, rotations]: steps of each game.
    """

    game: Game
    names: tuple[str, ...]
    shares: NDArray[np.float64]
    scores: NDArray[np.int32]
    ranks: NDArray[np.float64]
    lengths: NDArray[np.int64]

    def standings(self) -> list[Standing]:
        """One entry for each name of the line-up, positions of the same name pooled, best first."""
        columns = (*self.game.categories, "total")
        found = []
        for name in dict.fromkeys(self.names):
            places = [place for place, other in enumerate(self.names) if other == name]
            by_deal = self.shares[:, :, places].mean(axis=(1, 2))
            error = by_deal.std(ddof=1) / np.sqrt(len(by_deal)) if len(by_deal) > 1 else float("nan")
            points = self.scores[:, :, places, : len(columns)].mean(axis=(0, 1, 2))
            found.append(
                Standing(
                    name=name,
                    games=self.shares[:, :, places].size,
                    win_share=float(by_deal.mean()),
                    interval=float(SIGMAS * error),
                    rank=float(self.ranks[:, :, places].mean()),
                    points=dict(zip(columns, map(float, points), strict=True)),
                )
            )
        return sorted(found, key=lambda standing: -standing.win_share)

    def table(self, title: str = "") -> Table:
        """The standings as a table for the terminal (needs rich)."""
        from rich.table import Table
        from rich.text import Text

        table = Table(title=title or None)
        table.add_column("agent")
        for heading in ("games", "wins", "± (95%)", "rank", "points", *self.game.categories):
            table.add_column(heading, justify="right")
        for standing in self.standings():
            table.add_row(
                Text(standing.name),
                f"{standing.games:,}",
                f"{standing.win_share:.1%}",
                f"{standing.interval:.1%}",
                f"{standing.rank:.2f}",
                f"{standing.points['total']:.1f}",
                *(f"{standing.points[category]:.1f}" for category in self.game.categories),
            )
        return table

    def __str__(self) -> str:
        return "\n".join(
            f"{s.name:16s} {s.win_share:6.1%} ± {s.interval:.1%}  rank {s.rank:.2f}  points {s.points['total']:.1f}"
            for s in self.standings()
        )


def play_match(
    game: str | Game,
    agents: Sequence[AgentLike],
    *,
    deals: int = 100,
    seed: int = 0,
    duplicate: bool = True,
    progress: Progress | None = None,
    **game_options: Any,
) -> MatchResult:
    """Play a line-up, one agent per seat, in all rotations of every deal.

    Args:
        game: a game's name, or a Game.
        agents: the line-up; its length is the number of players. Names, policy files, functions or Agents.
        deals: how many deals; ``deals * len(agents)`` games are played.
        seed: the same seed gives the same deals and, with agents that depend on nothing else, the same results.
        duplicate: False: every rotation gets a deal of its own, to measure what playing the same deals gains.
        progress: called with the number of games that ended, each time some did.
        game_options: the game's own options.

    Raises:
        ValueError, TypeError, KeyError: the line-up, the deals or the options are invalid; the message says why.
    """
    game = make_game(game)
    named = {agent: make_agent(agent, game) for agent in agents if isinstance(agent, str)}
    line_up = [named[agent] if isinstance(agent, str) else make_agent(agent, game) for agent in agents]
    players = len(line_up)
    deals = whole("deals", deals, 1)
    Batch(game, 1, players, seed=0, **game_options)  # raises for invalid options
    # The same agent in several positions answers all its decisions at once.
    distinct = list(dict.fromkeys(line_up))
    numbers = np.array([[distinct.index(agent) for agent in line_up]])
    count = deals * players
    seeds = mix_many(np.uint64(one_seed(seed)), DEALS, np.arange(count, dtype=np.uint64))
    seeds = np.repeat(seeds[:deals], players) if duplicate else seeds
    seating = rotations(np.repeat(numbers, deals, axis=0))
    pieces = [
        play_games(
            game,
            distinct,
            seating[start : start + PIECE],
            seeds[start : start + PIECE],
            game_options,
            progress,
        )
        for start in range(0, count, PIECE)
    ]
    played = Played(
        np.concatenate([piece.scores for piece in pieces]),
        np.concatenate([piece.ranks for piece in pieces]),
        np.concatenate([piece.lengths for piece in pieces]),
    )
    # From seats to positions in the line-up.
    seats = (np.arange(players)[None, :] + np.arange(count)[:, None] % players) % players
    shape = (deals, players, players)
    return MatchResult(
        game=game,
        names=tuple(agent.name for agent in line_up),
        shares=np.take_along_axis(played.shares, seats, axis=1).reshape(shape),
        scores=np.take_along_axis(played.scores, seats[:, :, None], axis=1).reshape(*shape, -1),
        ranks=np.take_along_axis(played.mean_ranks, seats, axis=1).reshape(shape),
        lengths=played.lengths.reshape(deals, players),
    )
