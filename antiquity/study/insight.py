"""Insight: what is chosen and what it is worth, over thousands of games.

Games come from replays, from the results of a tournament, or are played on the spot; they are stepped through side by
side, so a hundred thousand of them take a minute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import Agent, AgentLike, Decisions, make_agent
from antiquity.agents.judge import Judge
from antiquity.arena.plan import deal_seeds
from antiquity.arena.store import Results
from antiquity.batch import Batch, Rows
from antiquity.game import Game, make_game
from antiquity.game.files import file_options
from antiquity.game.subjects import Subjects
from antiquity.study.replay import Replay
from antiquity.study.tally import Tally

CHUNK: Final = 2_000
"""Games that are stepped through side by side."""
SAMPLES: Final = 500
"""Decisions of a chunk, spread over its steps, in which the first way is compared with the last."""
WORLDS: Final = 16
"""Worlds in which such a comparison is played out."""


class Sequences(NamedTuple):
    """Games to be stepped through again, of one number of players.

    Attributes:
        players: seats at the table.
        options: the game's own.
        seeds: uint64[G].
        actions: of each game what was chosen, in order: of each step the choices of its deciders by seat.
    """

    players: int
    options: dict[str, Any]
    seeds: NDArray[np.uint64]
    actions: list[NDArray[np.int64]]


def subjects_of(game: Game) -> Subjects:
    """ValueError for a game that does not say what its actions are about."""
    if game.subjects is None:
        raise ValueError(f"{game.title} does not say what its actions are about (Game.subjects)")
    return game.subjects


# --- where games come from ------------------------------------------------------------------------------------------


def from_replays(replays: Sequence[Replay]) -> Iterator[Sequences]:
    """The games of replays, by number of players and options. Those that were not played to their end are left out."""
    groups: dict[tuple[int, str], list[Replay]] = {}
    for replay in replays:
        if replay.end == "terminated" and not any(each.illegal for step in replay.steps for each in step):
            groups.setdefault((replay.num_players, repr(sorted(replay.options.items()))), []).append(replay)
    for (players, _), found in groups.items():
        seeds = np.array([replay.seed for replay in found], np.uint64)
        actions = [
            np.array([choice.action for step in replay.steps for choice in step], np.int64)
            for replay in found
        ]
        yield Sequences(players, dict(found[0].options), seeds, actions)


def from_results(results: Results) -> Iterator[Sequences]:
    """The games of a tournament.

    ValueError where its options name files, or its release did not keep what was chosen.
    """
    options = dict(results.about["options"])
    if missing := file_options(options, {}):
        raise ValueError(
            f"its games were played with {missing[0]}, a file that a file names; study replays instead"
        )
    for players in results.player_counts():
        found = results.games(players)
        deals = found.deals.tolist()
        rotation = 0
        seeds, actions = [], []
        for number, deal in enumerate(deals):
            rotation = rotation + 1 if number and deals[number - 1] == deal else 0
            one = results.game_played(players, deal, rotation)
            seeds.append(deal_seeds(int(results.about["seed"]), players, deal, deal + 1)[0])
            actions.append(one.played.actions.astype(np.int64))
        yield Sequences(players, options, np.array(seeds, np.uint64), actions)


# --- stepping through them ------------------------------------------------------------------------------------------


class _Collector:
    """Steps through games side by side, and adds up what is chosen in them."""

    def __init__(self, game: Game, tables: NDArray[Any], compare: bool) -> None:
        self.subjects = subjects = subjects_of(game)
        boards = () if subjects.boards is None else subjects.boards(tables)
        self.tally = Tally(game, subjects.names(tables), subjects.ways, subjects.moments, boards)
        self.steps = 50  # of a game, until some have been played
        self.judges = [Judge(game, rollouts=share) for share in (0.0, 1.0)] if compare else []

    def play(self, batch: Batch, choose: Callable[[NDArray[Any], NDArray[Any]], NDArray[np.int64]]) -> None:
        """Games from their beginning to their end. `choose`: index and seats of rows -> actions, int64[R] each."""
        tally, subjects = self.tally, self.subjects
        batch.reset()
        rows = batch.rows()
        kept: list[tuple[NDArray[np.int64], ...]] = []
        shape = tally.taken.shape
        while len(rows.game):
            index, seats = rows.game.copy(), rows.seat.copy()
            actions = choose(index, seats)
            moments = subjects.moment(batch.games)
            counts = batch.legal_counts[index, seats].astype(np.int64)
            # Whoever has one action only has chosen nothing.
            free = np.flatnonzero(counts > 1)
            places = np.repeat(free, counts[free])
            slots = np.arange(len(places)) - np.repeat(np.cumsum(counts[free]) - counts[free], counts[free])
            offered = batch.legal_lists[index[places], seats[places], slots].astype(np.int64)
            items, ways = subjects.find(batch.games, index[places], seats[places], offered, batch.tables)
            known = items >= 0
            keys = np.ravel_multi_index((moments[index[places[known]]], items[known], ways[known]), shape)
            # Of several actions that are one choice here, such as a die for each of its spaces, one counts.
            once = np.unique(places[known] * tally.taken.size + keys)
            tally.offered += np.bincount(once % tally.taken.size, minlength=tally.taken.size).reshape(shape)
            found, way = subjects.find(batch.games, index[free], seats[free], actions[free], batch.tables)
            about = np.flatnonzero(found >= 0)
            chosen = np.ravel_multi_index((moments[index[free[about]]], found[about], way[about]), shape)
            kept.append((index[free[about]], seats[free[about]], chosen))
            if self.judges:
                self._compare(
                    batch, index, seats, (places[known], offered[known], items[known], ways[known]), moments
                )
            rows = Rows(*batch.step_rows(actions)[:4])
        self.steps = int(batch.games["steps"].max())
        self._ended(batch, kept)

    def _compare(
        self,
        batch: Batch,
        index: NDArray[np.int64],
        seats: NDArray[np.int64],
        legal: tuple[NDArray[np.int64], ...],
        moments: NDArray[np.int64],
    ) -> None:
        """What the first way is worth beside the last, in some decisions where both can be had."""
        places, offered, items, ways = legal
        last = len(self.subjects.ways) - 1
        if last == 0:
            return
        size = len(self.tally.items)
        first, other = (places[ways == way] * size + items[ways == way] for way in (0, last))
        both = np.intersect1d(first, other)
        rng = np.random.default_rng(int(batch.games["steps"][0]) + self.tally.games)
        for key in rng.choice(both, min(len(both), max(1, SAMPLES // self.steps)), replace=False).tolist():
            place, item = divmod(key, size)
            here = (places == place) & (items == item)
            # Where there are several, as many as the rules count pieces, the first stands for all.
            pair = np.array([offered[here & (ways == way)][0] for way in (0, last)], np.int64)
            game, seat = int(index[place]), int(seats[place])
            found = [
                judge.worths(batch.games, batch.tables, game, seat, pair, WORLDS) for judge in self.judges
            ]
            gains = [float((worths[:, 0] - worths[:, 1]).mean()) for worths in found]
            self.tally.gains.setdefault((int(moments[game]), item), []).append((gains[0], gains[1]))

    def _ended(self, batch: Batch, kept: list[tuple[NDArray[np.int64], ...]]) -> None:
        """Add what the games have come to."""
        tally, players = self.tally, batch.num_seats
        ranks, scores = batch.ranks(), batch.scores()
        winners = ranks == 1
        shares = players * winners / winners.sum(axis=1, keepdims=True)
        tally.games += len(ranks)
        index, seats, chosen = (np.concatenate(parts) for parts in zip(*kept, strict=True))
        won = shares[index, seats]
        size = tally.taken.size
        for array, weights in ((tally.taken, None), (tally.wins, won), (tally.squares, won**2)):
            added = np.bincount(chosen, weights, minlength=size).reshape(array.shape)
            array += added.astype(array.dtype)
        ranked = chosen * tally.by_rank.shape[-1] + ranks[index, seats] - 1
        tally.by_rank += np.bincount(ranked, minlength=tally.by_rank.size).reshape(tally.by_rank.shape)
        for rank in range(1, players + 1):
            here = ranks == rank
            tally.points[rank - 1] += scores[here][:, :-1].sum(axis=0)
            tally.rank_seats[rank - 1] += int(here.sum())
        if self.subjects.board is not None:
            boards = self.subjects.board(batch.games)[:, :players]
            where = (boards.ravel(), np.tile(np.arange(players), len(boards)))
            np.add.at(tally.board_games, where, 1)
            np.add.at(tally.board_wins, where, shares.ravel())
            np.add.at(tally.board_squares, where, shares.ravel() ** 2)


def study(
    game: Game,
    sources: Iterator[Sequences],
    *,
    compare: bool = True,
    told: Callable[[int], None] = lambda _games: None,
) -> Tally:
    """What was chosen in games that were played before.

    Args:
        game: what was played.
        sources: from :func:`from_replays` or :func:`from_results`.
        compare: also what the first way of choosing something is worth beside the last.
        told: is called with how many games have been stepped through.

    Raises:
        ValueError: what was chosen does not fit the rules, there is nothing to study, or the game does not say what its
            actions are about.
    """
    collector = None
    for source in sources:
        for first in range(0, len(source.actions), CHUNK):
            actions = source.actions[first : first + CHUNK]
            seeds = source.seeds[first : first + CHUNK]
            batch = Batch(
                game, len(actions), source.players, seed=seeds, copy=False, autoreset=False, **source.options
            )
            if collector is None:
                collector = _Collector(game, batch.tables, compare)
            ends = np.cumsum([len(each) for each in actions])
            given, places = np.concatenate(actions), ends - [len(each) for each in actions]

            def choose(
                index: NDArray[Any],
                seats: NDArray[Any],
                given: NDArray[np.int64] = given,
                places: NDArray[np.int64] = places,
                ends: NDArray[np.int64] = ends,
            ) -> NDArray[np.int64]:
                # Rows come game by game, as the actions do.
                starts = np.flatnonzero(np.diff(index, prepend=-1))
                within = np.arange(len(index)) - np.repeat(starts, np.diff([*starts, len(index)]))
                at = places[index] + within
                if (at >= ends[index]).any():
                    raise ValueError("a game goes on where what was chosen ends")
                np.add.at(places, index, 1)
                return np.asarray(given[at])

            collector.play(batch, choose)
            if (places != ends).any():
                raise ValueError("a game has ended where choices are left")
            told(collector.tally.games)
    if collector is None:
        raise ValueError("there are no finished games to study")
    return collector.tally


def play_and_study(
    game: str | Game,
    agents: Sequence[AgentLike],
    games: int,
    *,
    players: int | None = None,
    seed: int = 0,
    compare: bool = True,
    told: Callable[[int], None] = lambda _games: None,
    **options: Any,
) -> Tally:
    """Play games on the spot and study them.

    Agent k sits in the seats k, k + len(agents), and so on, one seat further in each game.

    Args:
        game: a game's name, or a Game.
        agents: who plays; kernel agents and policies play a hundred thousand games in a minute or a few.
        games: how many.
        players: seats at the table; the game's default if None.
        seed: of the games.
        compare, told: as for :func:`study`.
        options: the game's own.

    Raises:
        ValueError, TypeError: an argument is invalid; the message says why.
    """
    game = make_game(game)
    made: list[Agent] = [make_agent(agent, game) for agent in agents]
    players = players or game.default_players
    collector = None
    for first in range(0, games, CHUNK):
        count = min(CHUNK, games - first)
        seeds = deal_seeds(seed, players, first, first + count)
        batch = Batch(game, count, players, seed=seeds, copy=False, autoreset=False, **options)
        if collector is None:
            collector = _Collector(game, batch.tables, compare)

        def choose(
            index: NDArray[Any], seats: NDArray[Any], batch: Batch = batch, first: int = first
        ) -> NDArray[np.int64]:
            actions = np.zeros(len(index), np.int64)
            who = (seats + index + first) % len(made)
            for number, agent in enumerate(made):
                mine = np.flatnonzero(who == number)
                if len(mine):
                    asked = Decisions(batch.game, batch.games, batch.tables, index[mine], seats[mine])
                    actions[mine] = agent.act(asked)
            return actions

        collector.play(batch, choose)
        told(collector.tally.games)
    if collector is None:
        raise ValueError(f"games is {games}; play at least one")
    return collector.tally
