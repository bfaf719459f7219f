"""The statistics of finished games: shares of wins with intervals, duels, points, ratings.

Games of one deal depend on each other, through the cards and the rotations; deals do not. So all errors are computed
over deals (clusters): a mean is a ratio of sums over deals, and its variance that of ratio estimates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.arena.store import Games

SIGMAS: Final = 1.96
"""Half width of a 95% interval, in standard errors."""
MOST_RATED: Final = 20_000
"""Games that ratings are computed from; if there are more, this many are taken, evenly spaced."""


class Share(NamedTuple):
    """A share with its 95% interval; NaN if there are no games."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.value:.1%} ± {self.half:.1%}"


def share(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> Share:
    """A share from what each deal contributes: a sum, and the number it is out of. Both float64[D].

    Wilson's interval, which stays within 0 and 1 and says something at 0 and 1, too, with as many independent trials as
    would have the variance that is seen between deals (at a share of 0 or 1: the number of deals).
    """
    used = counts > 0
    sums, counts = sums[used], counts[used]
    deals, total = len(sums), counts.sum()
    if deals == 0:
        return Share(float("nan"), float("nan"), float("nan"))
    value = float(sums.sum() / total)
    if deals == 1:
        return Share(value, 0.0, 1.0)
    spread = float(((sums - value * counts) ** 2).sum()) * deals / (deals - 1) / total**2
    plain = value * (1 - value)
    # Rounding leaves something of an exact 0.
    if plain < 1e-12:
        trials = float(deals)
    elif spread < 1e-15:
        return Share(value, value, value)
    else:
        trials = plain / spread
    squared = SIGMAS**2
    middle = (value + squared / (2 * trials)) / (1 + squared / trials)
    half = SIGMAS / (1 + squared / trials) * np.sqrt(plain / trials + squared / (4 * trials**2))
    return Share(value, max(0.0, float(middle - half)), min(1.0, float(middle + half)))


@dataclass(frozen=True)
class Standing:
    """An agent at tables of one size.

    Attributes:
        name: of the agent.
        games: games that it took part in.
        wins: share of wins of one of its seats; a win shared by k counts 1/k. Par is 1 / players.
        rank: mean rank, ties sharing the mean of their ranks.
        points: mean points by category, then the total.
    """

    name: str
    games: int
    wins: Share
    rank: float
    points: dict[str, float]


@dataclass(frozen=True)
class Table:
    """The figures for tables of one size.

    Attributes:
        players: how many sit at the table.
        deals, games: how many were played.
        standings: best first.
        duels: ``duels[a][b]``: how often a seat of a ends before a seat of b, ties counting half.
        length: mean, standard deviation, least and most steps of a game.
        lengths: (steps, games) of the histogram.
    """

    players: int
    deals: int
    games: int
    standings: list[Standing]
    duels: dict[str, dict[str, Share]]
    length: tuple[float, float, int, int]
    lengths: list[tuple[int, int]]


def by_deal(games: Games, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of ``values`` float64[G] over the games of each deal, float64[D]."""
    _, inverse = np.unique(games.deals, return_inverse=True)
    return np.bincount(inverse, values).astype(np.float64)


def wins(games: Games, agent: int) -> Share:
    """The share of wins of one agent's seats."""
    mine = games.seating == agent
    sums = (games.played.shares * mine).sum(axis=1)
    return share(by_deal(games, sums), by_deal(games, mine.sum(axis=1).astype(np.float64)))


def duel(games: Games, one: int, other: int) -> Share:
    """How often a seat of one agent ends before a seat of the other, over all pairs of their seats."""
    ranks = games.played.ranks
    ahead = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    pairs = (games.seating == one)[:, :, None] & (games.seating == other)[:, None, :]
    sums, counts = (ahead * pairs).sum(axis=(1, 2)), pairs.sum(axis=(1, 2)).astype(np.float64)
    return share(by_deal(games, sums), by_deal(games, counts))


def table(games: Games, names: tuple[str, ...], categories: tuple[str, ...]) -> Table:
    """The figures for one player count."""
    columns = (*categories, "total")
    standings = []
    for number, name in enumerate(names):
        mine = games.seating == number
        if mine.any():
            points = games.played.scores[mine][:, : len(columns)].mean(axis=0)
            standings.append(
                Standing(
                    name=name,
                    games=int(mine.any(axis=1).sum()),
                    wins=wins(games, number),
                    rank=float(games.played.mean_ranks[mine].mean()),
                    points=dict(zip(columns, map(float, points), strict=True)),
                )
            )
    standings.sort(key=lambda each: -each.wins.value)
    order = [names.index(each.name) for each in standings]
    lengths = games.played.lengths
    steps, counts = np.unique(lengths, return_counts=True)
    return Table(
        players=games.players,
        deals=len(np.unique(games.deals)),
        games=len(games),
        standings=standings,
        duels={
            names[one]: {names[two]: duel(games, one, two) for two in order if two != one} for one in order
        },
        length=(float(lengths.mean()), float(lengths.std()), int(lengths.min()), int(lengths.max())),
        lengths=list(zip(steps.tolist(), counts.tolist(), strict=True)),
    )


class Rating(NamedTuple):
    """Skill by openskill's Plackett-Luce model: mean, standard deviation, games it was computed from."""

    mu: float
    sigma: float
    games: int

    @property
    def ordinal(self) -> float:
        """mu - 3 sigma: a skill that the agent very probably has."""
        return self.mu - 3 * self.sigma


def ratings(all_games: list[Games], names: tuple[str, ...]) -> dict[str, Rating]:
    """Ratings over all player counts together, best first.

    The games are rated one after the other, in the order of deals, player counts taking turns. An agent in several
    seats of a game gets the mean of what its seats get. Games with one agent in all seats are left out.

    Raises:
        ImportError: openskill isn't installed.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise ImportError('ratings need openskill: pip install "antiquity[arena]"') from error
    model = PlackettLuce()
    found: dict[int, Any] = {number: model.rating() for number in range(len(names))}
    counts = dict.fromkeys(found, 0)
    # Player counts take turns: how far along its own games a game is.
    order = sorted(
        (place / len(games), number, place)
        for number, games in enumerate(all_games)
        for place in range(len(games))
    )
    order = order[:: max(1, -(-len(order) // MOST_RATED))]
    for _, which, place in order:
        games = all_games[which]
        seats = games.seating[place].tolist()
        if len(set(seats)) == 1:
            continue
        ranks = games.played.ranks[place].tolist()
        rated = model.rate([[model.rating(mu=found[n].mu, sigma=found[n].sigma)] for n in seats], ranks=ranks)
        for number in set(seats):
            mine = [team[0] for team, seat in zip(rated, seats, strict=True) if seat == number]
            mu, sigma = (sum(getattr(r, field) for r in mine) / len(mine) for field in ("mu", "sigma"))
            found[number] = model.rating(mu=mu, sigma=sigma)
            counts[number] += 1
    best = sorted(found, key=lambda number: -found[number].mu)
    return {names[n]: Rating(float(found[n].mu), float(found[n].sigma), counts[n]) for n in best if counts[n]}
