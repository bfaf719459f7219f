"""Whom a learner meets: :class:`OpponentPool`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.agents.base import Agent, Decisions
from antiquity.agents.names import AgentLike, make_agent
from antiquity.game import Game, make_game

SELF: Final = -1
"""What :meth:`OpponentPool.draw` gives for a game in which the learner plays all seats."""


class OpponentPool:
    """Opponents at chosen shares: fixed agents, and former selves that are added while training goes on.

    What is drawn follows from the seed and the number of the draw alone, so a run that is resumed meets the same
    opponents.

    Args:
        game: a game's name, or a Game.
        fixed: agents by name (see :func:`antiquity.agents.make_agent`), and the share of the games against each.
        past: the share of the games against former selves, each as often as the others.
        seed: of the draws.

    Raises:
        ValueError: shares below 0, or above 1 together.
    """

    def __init__(
        self,
        game: str | Game,
        fixed: Mapping[str, float] | None = None,
        *,
        past: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.game = make_game(game)
        self.fixed = {name: float(share) for name, share in (fixed or {}).items() if share}
        self.past, self.seed = float(past), seed
        shares = [*self.fixed.values(), self.past]
        if min(shares) < 0 or sum(shares) > 1 + 1e-9:
            raise ValueError(f"shares of games: {shares} must be 0 or more, and 1 at most together")
        self._members: list[Agent] = [make_agent(name, self.game) for name in self.fixed]

    def __len__(self) -> int:
        return len(self._members)

    @property
    def names(self) -> list[str]:
        """Of the members, in the order of their numbers: the fixed ones, then the former selves."""
        return [member.name for member in self._members]

    def add(self, agent: AgentLike) -> int:
        """Add a former self; returns its number."""
        self._members.append(make_agent(agent, self.game))
        return len(self._members) - 1

    def shares(self) -> NDArray[np.float64]:
        """float64[1 + members]: the share of the games against oneself, then against each member."""
        former = len(self._members) - len(self.fixed)
        past = [self.past / former] * former if former else []
        shares = np.array([0.0, *self.fixed.values(), *past])
        shares[0] = max(0.0, 1.0 - shares.sum())
        return shares

    def draw(self, count: int, number: int) -> NDArray[np.int64]:
        """Whom each of `count` games is against: int64[count], the number of a member or :data:`SELF`.

        Args:
            count: games.
            number: of the draw; the same number gives the same opponents, as long as nobody is added.
        """
        numbers = np.random.default_rng([self.seed, number]).random(count)
        return np.searchsorted(np.cumsum(self.shares())[:-1], numbers, side="right") - 1

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
            actions[mine] = self._members[member].act(part)
        return actions

    def as_dict(self) -> dict[str, Any]:
        """For JSON: the shares and the seed; former selves are files, which whoever trains adds again."""
        return {"fixed": self.fixed, "past": self.past, "seed": self.seed}
