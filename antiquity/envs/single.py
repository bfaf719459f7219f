"""A game as a ``gymnasium.Env``: one seat learns, the others are its opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import logger
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from antiquity.agents import AgentLike
from antiquity.checks import one_of, whole
from antiquity.envs.learner import LearnerGames
from antiquity.envs.one_game import RENDER_MODES, Info, Observation, action_number, observation_space
from antiquity.game import Game

_ALL = np.zeros(1, np.int64)


class SingleAgentEnv(gymnasium.Env[Any, Any]):
    """One seat of a game, against opponents that are played inside.

    ``reset`` and ``step`` return when the learning seat has something to choose (there is no WAIT), or the game has
    ended; rewards in between are summed.

    * Observation: float32[F], what the learning seat sees; with ``flat_observations=False``
      ``{"observation": float32[F], "action_mask": int8[A]}``.
    * Action: ``Discrete(A)``. :meth:`action_masks` is what ``MaskablePPO`` asks for.
    * Info: ``action_mask`` and ``seat``; at the end also ``scores`` (points by category), ``total``, ``tiebreak``,
      ``rank``.

    Args:
        game: a game's name, or a Game.
        num_players: seats at the table; the game's default when None.
        seat: the learning seat: a number, a name such as ``"player_2"``, or ``"rotate"``: the next one in every game,
            beginning with one that follows from the seed.
        opponents: one agent for all other seats, or a sequence with one for each, clockwise from the learner's left
            neighbour: ``"random"``, ``"greedy"``, the path of a policy file, a function
            ``(observations float32[R, F], masks int8[R, A]) -> int[R]`` or an :class:`antiquity.agents.Agent`.
        flat_observations: True: the vector alone. False: a dict with the mask.
        reward, on_illegal, memory, max_cycles, game_options: as for
            :class:`antiquity.envs.parallel.ParallelGameEnv`.
        render_mode: None, ``"ansi"`` (text) or ``"human"`` (printed to the terminal at every step).
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 (gymnasium reads it from the class)

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        *,
        seat: int | str = 0,
        opponents: AgentLike | Sequence[AgentLike] = "random",
        flat_observations: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        if num_players is not None:
            num_players = whole("num_players", num_players, 1)
        self.table = LearnerGames(game, 1, num_players, seat=seat, opponents=opponents, **options)
        self.game = self.table.game
        self.flat_observations = bool(flat_observations)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game, self.table.batch.memory, self.flat_observations)
        self.action_space = Discrete(self.game.num_actions)

    @property
    def seat(self) -> int:
        """The learning seat of this game."""
        return int(self.table.learners[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a game and play to the learner's first decision.

        Args:
            seed: begins the stream of games anew; None goes on with the next game of the stream.
            options: nothing here reads them.
        """
        super().reset(seed=seed)
        self.table.begin(seed)
        if self.render_mode == "human":
            self.render()
        return self._view()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Take the learner's action and play to its next decision, or to the end.

        Raises:
            ValueError: the action is illegal, or no game is going on; nothing has changed.
            TypeError: the action is no whole number.
        """
        table = self.table
        if not len(table.going()):
            raise ValueError("no game is going on: it has ended, or none has begun; call reset()")
        try:
            number = action_number(action)
        except TypeError as error:
            raise TypeError(f"an action must be a whole number, not {action!r} ({error})") from None
        rewards, ended = table.step(_ALL, np.array([number]))
        observation, info = self._view()
        if len(ended):
            info.update(table.result(0))
        if self.render_mode == "human":
            self.render()
        done = table.batch._done[:, 0]
        return observation, float(rewards[0]), bool(done[0]), bool(done[1]), info

    def _view(self) -> tuple[Observation, Info]:
        observations, masks = self.table.show(_ALL)
        info = {"action_mask": masks[0], "seat": self.seat}
        if self.flat_observations:
            return observations[0], info
        return {"observation": observations[0], "action_mask": masks[0].copy()}, info

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[A]: which actions the learner may take now."""
        return np.array(self.table.show(_ALL)[1][0], np.bool_)

    def legal_actions(self) -> list[int]:
        """The numbers of the learner's legal actions, ascending."""
        found: list[int] = self.table.batch.legal_actions(0, self.seat).tolist()
        return found

    def describe(self, action: int) -> str:
        """An action of the learner in words."""
        return self.table.batch.describe(0, self.seat, action_number(action))

    def state(self) -> NDArray[np.float32]:
        """The whole table, hidden parts included: float32[state_layout.size]."""
        return np.array(self.table.batch.state()[0])

    def render(self) -> str | None:
        """The table as text: returned in mode ``"ansi"``, printed in mode ``"human"``."""
        if self.render_mode is None:
            logger.warn(
                f"render() does nothing without a render mode; give render_mode= one of {RENDER_MODES}"
            )
            return None
        text = self.table.batch.render(0) if self.table.batch.begun else "not begun: call reset()"
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None
