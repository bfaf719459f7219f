"""A game as a PettingZoo ``ParallelEnv``: everybody acts at once, seats that wait send WAIT (0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo.utils.env import ParallelEnv

from antiquity.batch import begin_game
from antiquity.envs.helpers import action_number
from antiquity.envs.pettingzoo import Info, Observation, OneGame

Results = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]


class ParallelGameEnv(OneGame, ParallelEnv):  # type: ignore[misc]
    """One game, all agents ``player_0`` ... stepping together.

    Every agent acts at every step; one that has nothing to choose has the single legal action 0 (WAIT), see
    :attr:`deciders`. The game ends for all agents in the same step, whose dicts are complete; then ``agents`` is empty.

    * Observation: ``{"observation": float32[F], "action_mask": int8[A]}``, or the vector alone; with
      ``observation="dict"`` or ``"tokens"`` the arrays of an :class:`antiquity.batch.Form` and the mask beside them.
    * Action: ``Discrete(A)``; a number means the same throughout the game and for every seat.
    * Info: ``action_mask``; at the end also ``scores`` (points by category), ``total``, ``tiebreak`` and ``rank``.
    * Arrays that are returned are the caller's own.

    Args:
        game: a game's name, or a Game.
        num_players: seats at the table; the game's default when None.
        reward: ``"win"`` (1/k to each of k winners, at the end), ``"rank"`` (at the end, 1 for the first to 0 for the
            last), ``"margin"`` (lead over the best other, at the end, divided by the game's ``margin_scale``),
            ``"points"`` (the change of the score at every step), ``"mix"`` (half the win, half the lead, at the end).
        on_illegal: ``"raise"`` (ValueError, nothing is changed), ``"lose"`` (the game ends, the offender ranks last) or
            ``"random"`` (a legal action is drawn instead).
        flat_observations: observations are the vector alone; the mask is still in the infos.
        memory: observations end with the memory block.
        max_cycles: the game is truncated after this many steps.
        dtype, observation, seats: as for :class:`antiquity.batch.Settings`.
        render_mode: None, ``"ansi"`` (text), ``"human"`` (printed to the terminal at every step), ``"rgb_array"``
            (pixels) or ``"window"`` (shown in a window at every step); see :mod:`antiquity.render.modes`.
        game_options: the game's own options.
    """

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Begin a game.

        Args:
            seed: begins the stream of games anew; None continues with the next game of the stream.
            options: ``position``: an :class:`antiquity.game.position.Position` or the path of its file, to begin there.
        """
        begin_game(self.batch, seed, options)
        self.agents = self.possible_agents.copy()
        self._show()
        return self._views()

    def step(self, actions: Mapping[str, Any]) -> Results:
        """Take everybody's action.

        Args:
            actions: one for each of ``agents``, and none besides. After the end: nothing, which gives empty dicts.

        Raises:
            ValueError: an agent is missing or unknown, an action is illegal, or no game is in progress; nothing has
                changed.
            TypeError: an action is not an integer.
        """
        agents = self.agents
        if len(actions) != len(agents) or not agents:
            return self._reject_step(actions)
        row = self._action_row
        try:
            for seat, agent in enumerate(agents):
                row[seat] = actions[agent]
        except (KeyError, TypeError, ValueError):
            self._convert_actions(actions)
        self.batch.play()
        observations, infos = self._views()
        rewards: dict[str, float] = dict(zip(agents, self._reward_row.tolist()))
        terminated, truncated = bool(self._terminated[0]), bool(self._truncated[0])
        if terminated or truncated:
            for agent, result in self._final_scores().items():
                infos[agent].update(result)
            self.agents = []
        self._show()
        return (
            observations,
            rewards,
            dict.fromkeys(agents, terminated),
            dict.fromkeys(agents, truncated),
            infos,
        )

    def _views(self) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Observations and infos of all agents: rows of arrays that are new at every step."""
        agents = self.possible_agents
        vectors, masks = self._observation_rows.copy(), self._mask_rows.copy()
        infos: dict[str, Info] = {}
        observations: dict[str, Observation] = {}
        if self.flat_observations:
            for agent, vector, mask in zip(agents, vectors, masks):
                observations[agent] = vector
                infos[agent] = {"action_mask": mask}
        else:
            form = self.batch.form
            for agent, vector, mask in zip(agents, form.rows(vectors), masks):
                observations[agent] = form.with_mask(vector, mask)
                infos[agent] = {"action_mask": mask}
        return observations, infos

    def _reject_step(self, actions: Mapping[str, Any]) -> Results:
        """The step of a game that has ended, which takes no actions; ValueError for anything else."""
        if not self.agents:
            if not actions and self.batch.begun:
                return {}, {}, {}, {}, {}
            raise ValueError("no game is going on: it has ended, or none has begun; call reset()")
        raise ValueError(self._wrong_names(actions))

    def _wrong_names(self, actions: Mapping[str, Any]) -> str:
        """What is wrong with the names of the agents that act; empty if nothing is."""
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            return (
                f"no action for {', '.join(missing)}: step() needs one for every agent, 0 for those that wait"
            )
        unknown = [repr(agent) for agent in actions if agent not in self._seats]
        if unknown:
            return f"no agents are called {', '.join(unknown)}; the agents are {', '.join(self.agents)}"
        return ""

    def _convert_actions(self, actions: Mapping[str, Any]) -> None:
        """Convert actions that are not plain ints; raise an error that says which of them is invalid."""
        wrong = self._wrong_names(actions)
        if wrong:
            raise ValueError(wrong)
        for seat, agent in enumerate(self.agents):
            try:
                self._action_row[seat] = action_number(actions[agent])
            except TypeError as error:
                raise self._explain(agent, actions[agent], error) from None

    def _take_notes(self, notes: Mapping[str, Any]) -> None:
        super()._take_notes(notes)
        if self.agents and self.agents != self.possible_agents:
            raise ValueError(f"its agents are {self.agents}")
