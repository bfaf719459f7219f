"""What the two PettingZoo environments share: one game, its agents, spaces, views, copies and files."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from gymnasium import logger
from gymnasium.spaces import Box, Discrete, Space
from numpy.typing import DTypeLike, NDArray

from antiquity.agents.base import Decisions
from antiquity.batch import Batch, Reward, standing
from antiquity.envs.helpers import (
    action_number,
    copy_spaces,
    flat_or_not,
    save_environment,
    saved_notes,
    told,
)
from antiquity.game import Game, make_game
from antiquity.game.checks import whole
from antiquity.render.modes import RENDER_MODES, SHOWN_AT_ONCE, Rendered, Screen, check_render_mode, listed
from antiquity.render.notebook import mimebundle

Observation = Any
"""float32[F], or a dict with int8[A] as ``"action_mask"``: of that as ``"observation"``, or of its blocks or tokens."""
Info = dict[str, Any]

_SPACES = ("_action_spaces", "_observation_spaces", "_state_space")
_MADE_ANEW = (
    "_observation_rows",
    "_mask_rows",
    "_seat_rows",
    "_action_row",
    "_reward_row",
    "_terminated",
    "_truncated",
    "_deciders",
    "_sampled",
    "_sampler",
)
"""What :meth:`OneGame._bind` makes, and copies and files do without."""


def observation_space(batch: Batch, flat: bool) -> Space[Any]:
    """The observations of one agent: the vector alone, or a Dict with ``"action_mask"``."""
    return batch.single_observation_space if flat else batch.form.masked_space()


def _numbers(array: Any) -> memoryview[Any]:
    """The same memory, as Python numbers: one at a time they are read and written several times faster than numpy's."""
    return memoryview(array)


class OneGame:
    """One game as agents ``player_0`` ... see it: the common part of ``ParallelGameEnv`` and ``AECGameEnv``."""

    metadata: dict[str, Any]
    agents: list[str]
    possible_agents: list[str]

    is_parallelizable: ClassVar[bool] = True

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        *,
        reward: Reward = "win",
        on_illegal: str = "raise",
        flat_observations: bool = False,
        memory: bool = False,
        max_cycles: int | None = None,
        dtype: DTypeLike = "float32",
        observation: str = "vector",
        seats: str = "all",
        render_mode: str | None = None,
        **game_options: Any,
    ) -> None:
        game = make_game(game)
        game.check_options(game_options, OneGame)
        if num_players is not None:
            num_players = whole("num_players", num_players, 1)
        batch = Batch(
            game,
            1,
            num_players,
            copy=False,
            reward=reward,
            on_illegal=on_illegal,
            memory=memory,
            max_cycles=max_cycles,
            autoreset=False,
            dtype=dtype,
            observation=observation,
            seats=seats,
            **game_options,
        )
        self._set_up(batch, flat_or_not(batch.form, flat_observations, False), render_mode)

    def _set_up(self, batch: Batch, flat_observations: bool, render_mode: str | None) -> None:
        check_render_mode(batch.game, render_mode)
        self.batch = batch
        self.game = batch.game
        self.flat_observations = flat_observations
        self.render_mode = render_mode
        self._screen = None if render_mode is None else Screen(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(batch.num_seats)]
        self.agents = []
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.version}",
            "render_modes": listed(self.game),
            "render_fps": 1,
            "is_parallelizable": self.is_parallelizable,
        }
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action_spaces: dict[str, Space[Any]] = {}
        self._observation_spaces: dict[str, Space[Any]] = {}
        self._state_space: Space[Any] | None = None
        self._bind()

    def _bind(self) -> None:
        """Make the views into the batch's buffers, and the sampler, which copies and pickles leave out."""
        batch = self.batch
        self._observation_rows = batch.observations[0]
        self._mask_rows = batch.masks[0]
        self._seat_rows = list(zip(self._observation_rows, self._mask_rows))
        self._action_row, self._reward_row = _numbers(batch.actions[0]), _numbers(batch.rewards[0])
        self._terminated, self._truncated = _numbers(batch.terminated), _numbers(batch.truncated)
        self._deciders = _numbers(batch.games["deciders"])
        self._sampler: Callable[[int], NDArray[np.int64]] | None = None

    # --- spaces ---

    @property
    def action_spaces(self) -> dict[str, Space[Any]]:
        """One ``Discrete`` per agent, always the same object."""
        if not self._action_spaces:
            self._action_spaces = {agent: Discrete(self.game.num_actions) for agent in self.possible_agents}
        return self._action_spaces

    @property
    def observation_spaces(self) -> dict[str, Space[Any]]:
        """One space per agent, always the same object."""
        if not self._observation_spaces:
            self._observation_spaces = {
                agent: observation_space(self.batch, self.flat_observations) for agent in self.possible_agents
            }
        return self._observation_spaces

    def action_space(self, agent: str) -> Space[Any]:
        """``Discrete(num_actions)``."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Space[Any]:
        """``Dict({"observation": Box float32[F], "action_mask": Box int8[A]})``, or the first Box alone."""
        return self.observation_spaces[agent]

    @property
    def state_space(self) -> Space[Any]:
        """The Box of :meth:`state`."""
        if self._state_space is None:
            layout = self.game.state_layout
            self._state_space = Box(layout.low, layout.high, dtype=np.float32)
        return self._state_space

    # --- looking ---

    @property
    def num_players(self) -> int:
        """How many seats the table has."""
        return len(self.possible_agents)

    @property
    def max_cycles(self) -> int | None:
        """Steps after which the game is cut off; it can be changed at any time."""
        return self.batch.max_cycles

    @max_cycles.setter
    def max_cycles(self, value: int | None) -> None:
        self.batch.max_cycles = value

    @property
    def deciders(self) -> list[str]:
        """The agents that have something to choose at this decision; the others wait."""
        self._require_begun()
        return [self.possible_agents[seat] for seat in self.batch.deciders(0)]

    def state(self) -> NDArray[np.float32]:
        """The whole table, hidden parts included: float32[state_layout.size]."""
        return np.array(self.batch.state()[0])

    def observe(self, agent: str) -> Observation:
        """What the agent sees now, in arrays of the caller's own."""
        vector, mask = self._seat_rows[self._begun_seat(agent)]
        if self.flat_observations:
            return vector.copy()
        form = self.batch.form
        return form.with_mask(form.of(vector.copy()), mask.copy())

    def action_mask(self, agent: str) -> NDArray[np.int8]:
        """int8[A]: 1 for each action that the agent may take now."""
        return np.array(self._mask_rows[self._begun_seat(agent)])

    def legal_actions(self, agent: str) -> list[int]:
        """The numbers of the agent's legal actions, ascending; ``[0]`` (WAIT) for one that waits."""
        found: list[int] = self.batch.legal_actions(0, self._seat(agent)).tolist()
        return found

    def describe(self, agent: str, action: int) -> str:
        """An action in words, such as "build Altar"."""
        return self.batch.describe(0, self._begun_seat(agent), action_number(action))

    def scores(self) -> dict[str, Info]:
        """Points as they stand, one entry per agent: ``scores`` by category, ``total``, ``tiebreak``, ``rank``."""
        return self._standings(self.batch.scores()[0], self.batch.ranks()[0])

    def _final_scores(self) -> dict[str, Info]:
        """:meth:`scores` in the step that has ended the game: kept then, so that nothing is computed again."""
        ended = self.batch.ended
        return self._standings(ended.scores[0], ended.ranks[0])

    def _standings(self, scores: NDArray[np.int32], ranks: NDArray[np.int64]) -> dict[str, Info]:
        return {agent: standing(self.game, scores[seat], ranks[seat]) for agent, seat in self._seats.items()}

    def decisions(self, agent: str) -> Decisions:
        """The agent's decision as an :class:`antiquity.agents.Agent` takes it (:meth:`Agent.choose` uses this)."""
        seat = np.array([self._begun_seat(agent)])
        return Decisions(self.game, self.batch.games, self.batch.tables, np.zeros(1, np.int64), seat)

    def _seat(self, agent: str) -> int:
        seat = self._seats.get(agent)
        if seat is None:
            raise ValueError(
                f"no agent is called {agent!r}; the agents are {', '.join(self.possible_agents)}"
            )
        return seat

    def _begun_seat(self, agent: str) -> int:
        """The seat of an agent in a game that has begun."""
        if not self.agents:  # before the first reset, or after the end
            self._require_begun()
        return self._seat(agent)

    def _require_begun(self) -> None:
        if not self.batch.begun:
            raise ValueError("no game has begun: call reset() first")

    def _explain(self, agent: str, action: Any, error: Exception) -> Exception:
        return TypeError(f"the action of {agent} must be a whole number, not {action!r} ({error})")

    # --- choosing ---

    def _sample(self, salt: int) -> list[int]:
        """A random legal action for every seat."""
        if self._sampler is None:
            self._sampler = self.batch.sampler()
            self._sampled = self._sampler(salt)[0]
        self._sampler(salt)
        actions: list[int] = self._sampled.tolist()
        return actions

    def sample_actions(self, salt: int = 0) -> dict[str, int]:
        """A uniformly random legal action for every agent, from the stored lists of legal actions.

        The draw is a hash of the game's seed, its position and ``salt``: the same call in the same position gives the
        same actions. For draws of your own use ``action_space(agent).sample(mask)``.
        """
        if not self.agents:
            self._require_begun()
            return {}
        return dict(zip(self.possible_agents, self._sample(salt)))

    # --- drawing ---

    def draw(self, agent: str | None = None) -> str:
        """The table as one self-contained SVG: as the agent sees it, or (None) all open.

        Raises:
            ValueError: no game has begun, there is no such agent, or the game has no picture.
        """
        return self.batch.draw(0, None if agent is None else self._seat(agent))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.title}, {self.num_players} players, {told(self.batch)}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Info:
        return mimebundle(self.batch, repr(self))

    def _show(self) -> None:
        """Show the table if the mode does so at every step."""
        if self.render_mode in SHOWN_AT_ONCE:
            self.render()

    def render(self) -> Rendered:
        """The table as text or pixels, by the mode (:mod:`antiquity.render.modes`); None where it is shown at once."""
        if self._screen is None:
            logger.warn(
                f"render() does nothing without a render mode; give render_mode= one of {RENDER_MODES}"
            )
            return None
        return self._screen.show(self.batch)

    def close(self) -> None:
        """Close the window of mode ``"window"``."""
        if self._screen is not None:
            self._screen.close()

    # --- copies and files ---

    def clone(self) -> Self:
        """An independent copy that continues as this one would; the same as ``copy.deepcopy``."""
        return copy.deepcopy(self)

    def determinized(self, agent: str, seed: int) -> Self:
        """A copy in which all that ``agent`` can't know is redrawn, in agreement with all that it has seen.

        What it sees and may do is the same there; only the future differs. A search plays on such copies.

        Args:
            seed: an int in [0, 2**64); another seed gives another world.
        """
        seat = self._begun_seat(agent)
        twin = self.clone()
        twin.batch.determinize(0, seat, seed)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        state = self.__getstate__()
        spaces = {name: copy_spaces(state.pop(name)) for name in _SPACES}
        twin.__setstate__(copy.deepcopy(state, memo) | spaces)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _MADE_ANEW}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file, at any decision: a numpy archive without any pickle in it.

        The file appears whole or not at all. Not in it: what the spaces' own samplers have drawn, and the render mode.
        """
        save_environment(path, self.batch, self._notes())

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        game: str | Game | None = None,
        render_mode: str | None = None,
        **game_options: Any,
    ) -> Self:
        """An environment from a file that :meth:`save` has written; it continues as the saved one would.

        Args:
            game, game_options: as for :meth:`antiquity.Batch.load`.

        Raises:
            ValueError: the file is damaged or not a saved environment of this kind, or its game has changed since.
        """
        batch = Batch.load(path, game=game, copy=False, **game_options)
        with saved_notes(path, cls.__name__) as notes:
            env = object.__new__(cls)
            env._set_up(batch, bool(notes["flat_observations"]), render_mode)
            env._take_notes(notes)
        return env

    def _notes(self) -> dict[str, Any]:
        """What is to be saved beside the batch, as JSON knows it."""
        return {
            "kind": type(self).__name__,
            "flat_observations": self.flat_observations,
            "agents": self.agents,
        }

    def _take_notes(self, notes: Mapping[str, Any]) -> None:
        self.agents = [agent for agent in notes["agents"] if self._seat(agent) >= 0]
