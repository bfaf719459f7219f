"""A game as a ``gymnasium.Env``: one seat learns, the others are its opponents."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium import logger
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from antiquity.agents import AgentLike, Decisions
from antiquity.batch import Batch, standing
from antiquity.envs.helpers import action_number, flat_or_not, save_environment, saved_notes, told
from antiquity.envs.opponents import LearnerGames, Opponents
from antiquity.envs.pettingzoo import Info, Observation, OneGame, observation_space
from antiquity.game import Game, make_game
from antiquity.game.checks import whole
from antiquity.render.modes import RENDER_MODES, SHOWN_AT_ONCE, Rendered, Screen, check_render_mode, listed
from antiquity.render.notebook import mimebundle

_ALL = np.zeros(1, np.int64)


class SingleAgentEnv(gymnasium.Env[Any, Any]):
    """One seat of a game, against opponents that the environment plays.

    ``reset`` and ``step`` return when the learning seat has something to choose (there is no WAIT), or the game has
    ended; rewards in between are summed.

    * Observation: float32[F], what the learning seat sees; with ``flat_observations=False``
      ``{"observation": float32[F], "action_mask": int8[A]}``, with ``observation="dict"`` or ``"tokens"`` the arrays of
      an :class:`antiquity.batch.Form` and the mask beside them.
    * Action: ``Discrete(A)``. :meth:`action_masks` is what ``MaskablePPO`` asks for.
    * Replays: :class:`antiquity.study.recording.Recorder` records its games, with the choices of all seats.
    * Info: ``action_mask`` and ``seat``; at the end also ``scores`` (points by category), ``total``, ``tiebreak``,
      ``rank``.

    Args:
        game: a game's name, or a Game.
        num_players: seats at the table; the game's default when None.
        seat: the learning seat: a number, a name such as ``"player_2"``, or ``"rotate"``: the next one in every game,
            beginning with a seat that follows from the seed.
        opponents: one agent for all other seats, or a sequence with one for each, clockwise from the learner's left
            neighbour: ``"random"``, ``"greedy"``, the path of a policy file, a function
            ``(observations float32[R, F], masks int8[R, A]) -> int[R]`` or an :class:`antiquity.agents.Agent`. Or an
            :class:`antiquity.agents.OpponentPool`, from which every game draws a member for each of these seats.
        flat_observations: True: the vector alone, the default for vectors. False: a dict with the mask.
        reward, on_illegal, memory, max_cycles, dtype, game_options: as for
            :class:`antiquity.envs.parallel.ParallelGameEnv`.
        render_mode: None, ``"ansi"`` (text), ``"human"`` (printed to the terminal at every step), ``"rgb_array"``
            (pixels, as ``gymnasium.wrappers.RecordVideo`` wants them) or ``"window"`` (shown in a window at every
            step); see :mod:`antiquity.render.modes`.
    """

    metadata = {"render_modes": listed(), "render_fps": 1}  # noqa: RUF012 (gymnasium reads it from the class)

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        *,
        seat: int | str = 0,
        opponents: Opponents = "random",
        flat_observations: bool | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = make_game(game)
        game.check_options(options, SingleAgentEnv, OneGame)
        if num_players is not None:
            num_players = whole("num_players", num_players, 1)
        games = LearnerGames(game, 1, num_players, seat=seat, opponents=opponents, **options)
        self._set_up(games, flat_or_not(games.batch.form, flat_observations, True), render_mode)

    def _set_up(self, games: LearnerGames, flat: bool, render_mode: str | None) -> None:
        self.games = games
        self.game = games.game
        self.metadata = {**self.metadata, "render_modes": listed(self.game)}
        self.flat_observations = flat
        self.render_mode = check_render_mode(self.game, render_mode)
        self._screen = None if render_mode is None else Screen(render_mode)
        self.observation_space = observation_space(self.games.batch, self.flat_observations)
        self.action_space = Discrete(self.game.num_actions)

    @property
    def seat(self) -> int:
        """The learning seat of this game."""
        return int(self.games.learners[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a game and play to the learner's first decision.

        Args:
            seed: begins the stream of games anew; None continues with the next game of the stream.
            options: ``position``: an :class:`antiquity.game.position.Position` or the path of its file, to begin there.
        """
        super().reset(seed=seed)
        self.games.begin(seed, position=(options or {}).get("position"))
        if self.render_mode in SHOWN_AT_ONCE:
            self.render()
        return self._view()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Take the learner's action and play to its next decision, or to the end.

        Raises:
            ValueError: the action is illegal, or no game is in progress; nothing has changed.
            TypeError: the action is not an integer.
        """
        games = self.games
        if not len(games.going()):
            raise ValueError("no game is going on: it has ended, or none has begun; call reset()")
        try:
            number = action_number(action)
        except TypeError as error:
            raise TypeError(f"an action must be a whole number, not {action!r} ({error})") from None
        rewards, ended = games.step(_ALL, np.array([number]))
        observation, info = self._view()
        if len(ended):
            info.update(games.result(0))
        if self.render_mode in SHOWN_AT_ONCE:
            self.render()
        return observation, float(rewards[0]), bool(games.terminated[0]), bool(games.truncated[0]), info

    def _view(self) -> tuple[Observation, Info]:
        observations, masks = self.games.show(_ALL)
        info = {"action_mask": masks[0], "seat": self.seat}
        if self.flat_observations:
            return observations[0], info
        form = self.games.batch.form
        return form.with_mask(form.of(observations[0]), masks[0].copy()), info

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[A]: which actions the learner may take now."""
        self._require_begun()
        return np.array(self.games.show(_ALL)[1][0], np.bool_)

    def _require_begun(self) -> None:
        if not self.games.batch.begun:
            raise ValueError("no game has begun: call reset() first")

    def legal_actions(self) -> list[int]:
        """The numbers of the learner's legal actions, ascending."""
        found: list[int] = self.games.batch.legal_actions(0, self.seat).tolist()
        return found

    def describe(self, action: int) -> str:
        """An action of the learner in words."""
        self._require_begun()
        return self.games.batch.describe(0, self.seat, action_number(action))

    def decisions(self, agent: str | None = None) -> Decisions:
        """The learner's decision as an :class:`antiquity.agents.Agent` takes it: ``agent.act(env.decisions())``.

        `agent`: the learner's own name, such as ``"player_2"``, which :meth:`antiquity.agents.Agent.choose` gives.
        """
        self._require_begun()
        if agent not in (None, f"player_{self.seat}"):
            raise ValueError(f"the learner is player_{self.seat}, and the environment plays {agent!r} itself")
        batch = self.games.batch
        return Decisions(self.game, batch.games, batch.tables, np.zeros(1, np.int64), np.array([self.seat]))

    def scores(self) -> dict[str, Info]:
        """Points as they stand, one entry per seat: ``scores`` by category, ``total``, ``tiebreak``, ``rank``."""
        points, ranks = self.games.batch.scores()[0], self.games.batch.ranks()[0]
        return {
            f"player_{seat}": standing(self.game, points[seat], ranks[seat]) for seat in range(len(ranks))
        }

    def set_opponents(self, opponents: Opponents) -> None:
        """Replace the opponents, also in a game in progress. ValueError, TypeError: no agents, or not as many."""
        self.games.set_opponents(opponents)

    def clone(self) -> Self:
        """An independent copy that continues as this one would; the same as ``copy.deepcopy``."""
        return copy.deepcopy(self)

    def determinized(self, seed: int) -> Self:
        """A copy in which all that the learner can't know is redrawn, in agreement with all that it has seen.

        What it sees and may do is the same there; only the future differs. `seed`: an int in [0, 2**64).
        """
        self._require_begun()
        if not len(self.games.going()):
            raise ValueError("no game is going on: it has ended; call reset()")
        twin = self.clone()
        twin.games.batch.determinize(0, self.seat, seed)
        return twin

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file, at any decision: a numpy archive without any pickle in it.

        The file appears whole or not at all. Of the opponents there are the names, of a pool its results and seed
        besides. Not in it: what the spaces' own samplers have drawn, and the render mode.

        Raises:
            ValueError: the reward is a function, or no name tells two opponents apart; nothing is written.
        """
        notes = {"kind": "SingleAgentEnv", "flat_observations": self.flat_observations}
        save_environment(path, self.games.batch, notes | self.games.notes())

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        game: str | Game | None = None,
        agents: Mapping[str, AgentLike] | None = None,
        render_mode: str | None = None,
        **game_options: Any,
    ) -> Self:
        """An environment from a file that :meth:`save` has written; it continues as the saved one would.

        Args:
            game, game_options: as for :meth:`antiquity.Batch.load`.
            agents: the opponents that a word does not name, by their names in the file, as for
                :meth:`antiquity.agents.OpponentPool.load`.
            render_mode: see :class:`SingleAgentEnv`.

        Raises:
            ValueError: the file is damaged or not a saved environment of this kind, its game has changed since, or an
                opponent is missing.
        """
        batch = Batch.load(path, game=game, copy=False, **game_options)
        with saved_notes(path, "SingleAgentEnv") as notes:
            if batch.num_games != 1 or batch.autoreset:
                raise ValueError("its batch is not that of one game without autoreset")
            env = object.__new__(cls)
            games = LearnerGames.restored(batch, notes, agents or {})
            env._set_up(games, bool(notes["flat_observations"]), render_mode)
        return env

    def state(self) -> NDArray[np.float32]:
        """The whole table, hidden parts included: float32[state_layout.size]."""
        return np.array(self.games.batch.state()[0])

    def draw(self, seat: int | None = None) -> str:
        """The table as one self-contained SVG: as a seat sees it, or (None) all open."""
        return self.games.batch.draw(0, seat)

    def __repr__(self) -> str:
        return f"<SingleAgentEnv of {self.game.title}, {self.games.about()}, {told(self.games.batch)}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Info:
        return mimebundle(self.games.batch, repr(self))

    def render(self) -> Rendered:
        """The table as text or pixels, by the mode (:mod:`antiquity.render.modes`); None where it is shown at once."""
        if self._screen is None:
            logger.warn(
                f"render() does nothing without a render mode; give render_mode= one of {RENDER_MODES}"
            )
            return None
        return self._screen.show(self.games.batch)

    def close(self) -> None:
        """Close the window of mode ``"window"``."""
        if self._screen is not None:
            self._screen.close()
