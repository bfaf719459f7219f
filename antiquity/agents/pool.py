"""Whom a learner meets: :class:`OpponentPool`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity.agents.base import Agent, Decisions
from antiquity.agents.names import AGENTS, AgentLike, make_agent
from antiquity.batch import replacing
from antiquity.game import Game, make_game
from antiquity.game.checks import one_of, whole
from antiquity.game.files import installed_game, one_line, read_bytes
from antiquity.game.random import RESERVED, mix, mix_many

SELF: Final = -1
"""What :meth:`OpponentPool.draw` gives for a game in which the learner plays all seats."""
OPPONENT: Final = RESERVED + 21
"""Purpose of the draws of opponents. Index: the seat, counted as the caller does."""
FORMAT: Final = 1
"""Number of the format of :meth:`OpponentPool.as_dict`."""
LONGEST: Final = 16 << 20
"""Bytes of a file of a pool."""
MEMORY: Final = 0.01
"""A result counts at least so much: win rates follow a learner that gets better, as AlphaStar's payoffs do."""
STEP: Final = 16.0
"""Elo points that a result moves a rating by at most."""


@dataclass
class Member:
    """An agent of a pool, and how the learner did against it.

    Attributes:
        name: in the pool and in its files.
        agent: who plays.
        named: whether the name alone says what agent it is; False for an Agent or a function that was handed over.
        games: results that were recorded.
        win_rate: what the learner got per game, 1 a win and 0.5 a tie: the mean of all results and of one tie to
            begin with, and from 100 games on a running mean.
        rating: in Elo points over the learner, 0 to begin with.
    """

    name: str
    agent: Agent
    named: bool
    games: int = 0
    win_rate: float = 0.5
    rating: float = 0.0


def name_of(agent: AgentLike, made: Agent) -> tuple[str, bool]:
    """The name that files call an agent by, and whether that alone says what agent it is."""
    if isinstance(agent, str | os.PathLike):
        return os.fspath(agent), True
    return made.name, False


def from_file(name: Any, named: Any, game: Game, agents: Mapping[str, AgentLike]) -> Agent:
    """The agent that a file names: the caller's of that name, or one that needs no more than a word.

    Paths, commands and options in a file are not followed.

    Raises:
        ValueError: it must be handed over.
    """
    if not isinstance(name, str):
        raise ValueError(f"the name of an agent is a text, not {name!r}"[:200])
    if name in agents:
        return make_agent(agents[name], game)
    if named is not True or not name.isidentifier() or name not in AGENTS:
        raise ValueError(
            f"it does not hold the agent {name!r} itself: hand it over, agents={{{name!r}: ...}}"
        )
    return make_agent(name, game)


def _uniform(members: Sequence[Member]) -> NDArray[np.float64]:
    return np.ones(len(members))


def _by_rating(members: Sequence[Member]) -> NDArray[np.float64]:
    ratings = np.array([member.rating for member in members], np.float64)
    # Over the best of them, so that no power overflows.
    return np.asarray(10.0 ** ((ratings - ratings.max(initial=0.0)) / 400), np.float64)


def _pfsp(members: Sequence[Member]) -> NDArray[np.float64]:
    return (1.0 - np.array([member.win_rate for member in members], np.float64)) ** 2


SAMPLING: Final[dict[str, Callable[[Sequence[Member]], NDArray[np.float64]]]] = {
    "uniform": _uniform,
    "rating": _by_rating,
    "pfsp": _pfsp,
}
"""How those that are added share their games: the weights of each, by what is known of them."""


class OpponentPool:
    """Opponents at chosen shares: fixed agents, and others, such as former selves, that are added at any time.

    What is drawn follows from the seed and from what the draw is for; there is no other state. So a run that is
    resumed meets the same opponents.

    The environments (``opponents=pool``) draw a member for each seat but the learner's at the beginning of every
    episode, and record how it ended. With `sampling`, those that were added share their part:

    * ``"uniform"``: each as often as the others.
    * ``"rating"``: the strong more often: the weight is 10 ** (rating / 400), the odds that a rating stands for.
    * ``"pfsp"``: prioritised fictitious self-play as in AlphaStar: the weight is (1 - win rate of the learner) ** 2.

    Args:
        game: a game's name, or a Game.
        fixed: agents by name (see :func:`antiquity.agents.make_agent`), and the share of the games against each.
        past: the share of the games against those that are added; None: all that `fixed` leaves.
        sampling: ``"uniform"``, ``"rating"`` or ``"pfsp"``.
        seed: of the draws, 0 to 2**64 - 1.

    Raises:
        ValueError: shares below 0, or above 1 together, or an unknown way of sampling.
    """

    def __init__(
        self,
        game: str | Game,
        fixed: Mapping[str, float] | None = None,
        *,
        past: float | None = None,
        sampling: str = "uniform",
        seed: int = 0,
    ) -> None:
        self.game = make_game(game)
        self.fixed = {name: float(share) for name, share in (fixed or {}).items() if share}
        self.past = max(0.0, 1.0 - sum(self.fixed.values())) if past is None else float(past)
        self.sampling = one_of("sampling", sampling, tuple(SAMPLING))
        self.seed = whole("seed", seed, 0, (1 << 64) - 1)
        self._check_shares()
        self.members = [Member(name, make_agent(name, self.game), True) for name in self.fixed]
        """The fixed ones, then those that were added; the place in this list is the number of a member."""

    def _check_shares(self) -> None:
        shares = [*self.fixed.values(), self.past]
        if not (min(shares) >= 0 and sum(shares) <= 1 + 1e-9):  # NaN is refused, too
            raise ValueError(f"shares of games: {shares} must be 0 or more, and 1 at most together")

    def __len__(self) -> int:
        return len(self.members)

    def __repr__(self) -> str:
        return f"<OpponentPool of {len(self)} for {self.game.title}, {self.sampling}>"

    @property
    def names(self) -> list[str]:
        """Of the members, in the order of their numbers."""
        return [member.name for member in self.members]

    def add(self, agent: AgentLike, name: str | None = None) -> int:
        """Add an agent, which is drawn from the next episode on; returns its number.

        Args:
            agent: a name, the path of a policy file, a function or an Agent.
            name: in the pool and in its files; None: its own, or the path.

        Raises:
            ValueError, TypeError: no agent; nobody is added.
        """
        made = make_agent(agent, self.game)
        own, named = name_of(agent, made)
        self.members.append(Member(own if name is None else name, made, named and name in (None, own)))
        return len(self.members) - 1

    def shares(self) -> NDArray[np.float64]:
        """float64[1 + members]: the share of the games against oneself, then against each member."""
        added = self.members[len(self.fixed) :]
        weights = SAMPLING[self.sampling](added)
        total = weights.sum()
        # Against all of whom the learner wins always: nobody is harder than the others.
        parts = weights / total if total > 0 else np.full(len(added), 1 / max(1, len(added)))
        shares = np.array([0.0, *self.fixed.values(), *(self.past * parts)])
        shares[0] = max(0.0, 1.0 - shares.sum())
        return shares

    def draw(self, count: int, number: int) -> NDArray[np.int64]:
        """Whom each of `count` games is against: int64[count], the number of a member or :data:`SELF`.

        Args:
            count: games.
            number: of the draw; the same number gives the same opponents, as long as shares are the same.
        """
        numbers = np.random.default_rng([self.seed, number]).random(count)
        return np.searchsorted(np.cumsum(self.shares())[:-1], numbers, side="right") - 1

    def draw_seats(self, seeds: ArrayLike, seats: int) -> NDArray[np.int64]:
        """Who sits in each of `seats` seats of some games: int64[N, seats], the numbers of members.

        The share of :data:`SELF` falls to the members in proportion.

        Args:
            seeds: uint64[N], of the games, such as ``batch.games["seed"]``. The same seed gives the same opponents, in
                whatever games beside it, as long as shares are the same.
            seats: how many seats to fill.

        Raises:
            ValueError: no member has a share of the games.
        """
        shares = self.shares()[1:]
        if not shares.sum() > 0:
            raise ValueError("no member of the pool has a share of the games: add() an agent")
        keys = np.asarray(seeds, np.uint64).reshape(-1, 1) ^ np.uint64(mix(self.seed, OPPONENT, 0))
        words = mix_many(keys, OPPONENT, np.arange(seats, dtype=np.uint64))
        numbers = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
        ends = np.cumsum(shares)
        last = int(np.flatnonzero(shares)[-1])
        return np.minimum(np.searchsorted(ends / ends[-1], numbers, side="right"), last).astype(np.int64)

    def record(self, members: ArrayLike, points: ArrayLike) -> None:
        """Tell how games against members ended; what is told first counts first.

        Args:
            members: int64[N], their numbers.
            points: float64[N], what the learner got against each: 1 ahead of it, 0.5 level, 0 behind.

        Raises:
            ValueError: there is no such member, or points are not from 0 to 1; nothing has changed.
        """
        asked = np.asarray(members, np.int64).reshape(-1)
        got = np.asarray(points, np.float64).reshape(-1)
        if got.shape != asked.shape:
            raise ValueError(f"{len(got)} results for {len(asked)} members")
        if len(asked) and not (asked.min() >= 0 and asked.max() < len(self)):
            raise ValueError(
                f"members {asked.min()} to {asked.max()} of a pool that has 0 to {len(self) - 1}"
            )
        if not ((got >= 0) & (got <= 1)).all():
            raise ValueError("points are from 0 to 1")
        for number, point in zip(asked.tolist(), got.tolist(), strict=True):
            member = self.members[number]
            member.games += 1
            member.win_rate += (point - member.win_rate) * max(MEMORY, 1 / (member.games + 1))
            expected = 1 / (1 + 10 ** (min(member.rating, 4000.0) / 400))
            member.rating += STEP * (expected - point)

    def act(self, members: NDArray[np.int64] | Sequence[int], decisions: Decisions) -> NDArray[np.int64]:
        """What the opponents choose: int64[R]. `members`: int64[R], the number of the member that decides each row."""
        asked = np.asarray(members)
        actions = np.zeros(len(asked), np.int64)
        for member in np.unique(asked):
            mine = np.flatnonzero(asked == member)
            part = Decisions(
                decisions.game,
                decisions.games,
                decisions.tables,
                decisions.index[mine],
                decisions.seats[mine],
            )
            actions[mine] = self.members[member].agent.act(part)
        return actions

    # --- files ---

    def as_dict(self) -> dict[str, Any]:
        """All of it for JSON, but for the agents, of which there are the names.

        Raises:
            ValueError: members that no name tells apart, so that a file could not say which is which.
        """
        check_names([(member.name, member.agent, member.named) for member in self.members])
        return {
            "format": FORMAT,
            "game": self.game.name,
            "version": self.game.version,
            "fixed": self.fixed,
            "past": self.past,
            "sampling": self.sampling,
            "seed": self.seed,
            "members": [
                {
                    "name": member.name,
                    "named": member.named,
                    "games": member.games,
                    "win_rate": member.win_rate,
                    "rating": member.rating,
                }
                for member in self.members
            ],
        }

    @classmethod
    def from_dict(
        cls,
        about: Mapping[str, Any],
        *,
        game: str | Game | None = None,
        agents: Mapping[str, AgentLike] | None = None,
    ) -> OpponentPool:
        """The pool that :meth:`as_dict` has told of; see :meth:`load`."""
        if about["format"] != FORMAT:
            raise ValueError(f"format {about['format']!r}, and this Antiquity reads {FORMAT}"[:200])
        found, given = installed_game(about["game"], about["version"], game), agents or {}
        pool = cls(found, past=float(about["past"]), sampling=about["sampling"], seed=about["seed"])
        pool.fixed = {str(name): float(share) for name, share in about["fixed"].items()}
        pool._check_shares()
        for row in about["members"]:
            member = Member(
                str(row["name"]), from_file(row["name"], row["named"], found, given), row["named"]
            )
            member.games = whole("games", row["games"], 0, 1 << 62)
            member.win_rate, member.rating = float(row["win_rate"]), float(row["rating"])
            if not (0 <= member.win_rate <= 1 and abs(member.rating) <= 1e6):
                raise ValueError(f"the results of {member.name!r} are none")
            pool.members.append(member)
        if pool.names[: len(pool.fixed)] != list(pool.fixed):
            raise ValueError("its first members are not the fixed ones")
        return pool

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file (JSON), whole or not at all: shares, seed, results, and the names of the members.

        Raises:
            ValueError: two agents that were handed over have the same name; give them others with :meth:`add`.
        """
        text = json.dumps(self.as_dict(), indent=1)
        with replacing(path) as partial:
            partial.write_text(text, encoding="utf-8")

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        game: str | Game | None = None,
        agents: Mapping[str, AgentLike] | None = None,
    ) -> OpponentPool:
        """The pool of a file that :meth:`save` has written; it goes on as the saved one would.

        A file holds no agents. Those that a word names, such as ``"greedy"``, are made anew; all others, policy files
        and what has options among them, are handed over again, so that no file says what is opened or started.

        Args:
            path: of the file.
            game: where it is, if not installed.
            agents: by their names in the file: ``{"runs/one.npz": "runs/one.npz"}``.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it is damaged or no pool, of another game, or an agent is missing.
        """
        try:
            return cls.from_dict(json.loads(read_bytes(path, LONGEST)), game=game, agents=agents)
        except FileNotFoundError:
            raise
        # Damage reaches the parsers, which raise whatever they like.
        except Exception as error:
            raise ValueError(f"{path} is damaged or no opponent pool: {one_line(error)}") from error


def check_names(agents: Sequence[tuple[str, Agent, bool]]) -> None:
    """See that each name of agents for a file (name, agent, whether that says all) means one agent."""
    known: dict[str, tuple[Agent, bool]] = {}
    for name, agent, named in agents:
        other, both = known.setdefault(name, (agent, named))
        if other is not agent and not (both and named):
            raise ValueError(f"two agents are called {name!r}: a file could not tell them apart")
