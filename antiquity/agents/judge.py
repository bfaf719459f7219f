"""Judging a position by playing on from it many times: what actions are worth to a seat, how likely it is to win.

Where the expert spends its simulations on what looks best, a judge tries all actions in question equally often and in
the same worlds, so that the differences between them come with a standard error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.agents.forward import Scratch
from antiquity.agents.puct import BY_BOTH, BY_GREEDY, BY_POLICY, Space, Terms, chance_rows, trial_rows
from antiquity.agents.shipped import load_policy, shipped_policy
from antiquity.agents.weights import Network
from antiquity.game import Game, make_game
from antiquity.game.checks import one_seed


class Judge:
    """Plays on from positions, with the game's policy where there is one, else with its greedy agent.

    It knows what the seat in question knows and nothing more: the worlds are drawn by the verb ``determinize``, and the
    draws follow from what the seat sees.

    Args:
        game: a game's name, or a Game.
        path: a policy file with a value; None: the policy that comes with the game, if any.
        seed: another one draws other worlds.
        rollouts: weight of a greedy rollout beside the policy's value in what a position is worth, from 0 to 1; 1 where
            there is no policy.
    """

    def __init__(
        self, game: str | Game, path: str | None = None, seed: int = 0, rollouts: float = 0.5
    ) -> None:
        self.game = game = make_game(game)
        with_policy = path is not None or shipped_policy(game) is not None
        self.network = load_policy(game, path).network if with_policy else _nothing()
        if with_policy and not self.network.has_value:
            raise ValueError(f"the policy {path or 'of the game'} has no value, which judging needs")
        opponents, share = (BY_BOTH, rollouts) if with_policy else (BY_GREEDY, 1.0)
        self._trial = Terms(0, 0.0, 1.0, share, opponents, float(game.margin_scale))
        self._chance = self._trial._replace(opponents=BY_POLICY if with_policy else BY_GREEDY)
        self._scratch = Scratch.make(game, self.network)
        self._space = Space.make(game)
        self._seed = np.array([one_seed(seed)], np.uint64)

    def worths(
        self,
        games: NDArray[Any],
        tables: NDArray[Any],
        index: int,
        seat: int,
        actions: NDArray[np.int64],
        worlds: int,
        salt: int = 0,
    ) -> NDArray[np.float32]:
        """What actions are worth to a seat that must choose now, float32[worlds, K], from 0 to 1.

        Row w is one world that agrees with all the seat knows; every action is tried in it. A worth is half the share
        of the win and half a squashed lead in points, as far as the policy's value and a rollout can tell.

        Args:
            games, tables, index: the record.
            seat: whose decision it is.
            actions: int64[K], legal ones.
            worlds: how many are drawn.
            salt: another one draws other worlds.
        """
        found = np.zeros((worlds, len(actions)), np.float32)
        trial_rows(
            games,
            index,
            tables,
            seat,
            np.ascontiguousarray(actions, np.int64),
            self.network,
            self._scratch,
            self._space,
            self._trial,
            self._seed + np.uint64(salt),
            found,
        )
        return found

    def wins(
        self, games: NDArray[Any], tables: NDArray[Any], index: int, seat: int, worlds: int
    ) -> NDArray[np.float32]:
        """A seat's share of the win in as many worlds, float32[worlds], if all play on as the policy does.

        1 for a win, 1/k for one shared by k seats. Greedy plays where the game has no policy.
        """
        found = np.zeros(worlds, np.float32)
        chance_rows(
            games,
            index,
            tables,
            seat,
            self.network,
            self._scratch,
            self._space,
            self._chance,
            self._seed,
            found,
        )
        return found


def _nothing() -> Network:
    """A network that is never asked, for games without a policy."""
    return Network.make(
        columns=(),
        hidden=[(np.zeros((0, 1), np.float32), np.zeros(1, np.float32))],
        policy=(np.zeros((1, 0), np.float32), np.zeros(0, np.float32)),
    )
