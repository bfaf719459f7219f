"""A game as a PettingZoo ``AECEnv``: one agent after the other, and only those with something to decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from pettingzoo.utils.env import AECEnv

from antiquity.batch import begin_game
from antiquity.envs.helpers import action_number
from antiquity.envs.pettingzoo import Info, Observation, OneGame


class AECGameEnv(OneGame, AECEnv):  # type: ignore[misc]
    """One game, its agents ``player_0`` ... acting in turn.

    Only agents that have something to choose are visited; of those that decide at the same time, one after the other by
    seat, each without knowing what the others have chosen. When the last of them has chosen all choices are resolved,
    and rewards arrive. At the end every agent is visited once more and wants the action None.

    Observations, infos, rewards and options are those of :class:`antiquity.envs.parallel.ParallelGameEnv`. This is the
    environment itself, without PettingZoo's wrappers: it checks actions, order and ends on its own.
    """

    agent_selection: str
    _queue: list[str]

    is_parallelizable = False  # PettingZoo's converter wants every agent to act in every round

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: begins the stream of games anew; None goes on with the next game of the stream.
            options: ``position``: an :class:`antiquity.game.position.Position` or the path of its file, to begin there.
        """
        begin_game(self.batch, seed, options)
        self.agents = self.possible_agents.copy()
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._rewarded = False
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._inform()
        self._select()
        self._show()

    def step(self, action: Any) -> None:
        """Take the action of ``agent_selection``; None for an agent of a game that has ended.

        Raises:
            ValueError: the action is illegal, or no game is going on; nothing has changed.
            TypeError: the action is no whole number.
        """
        if not self.agents:
            raise ValueError("no game is going on: it has ended, or none has begun; call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            missing = self.batch.commit(0, self._seats[agent], action)
        except (TypeError, OverflowError):
            missing = self._commit_converted(agent, action)
        if self._rewarded:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._rewarded = False
        self._cumulative_rewards[agent] = 0.0
        if missing:
            self.agent_selection = self._queue.pop(0)
        else:
            self._resolve()

    def _commit_converted(self, agent: str, action: Any) -> int:
        try:
            number = action_number(action)
        except TypeError as error:
            raise self._explain(agent, action, error) from None
        return self.batch.commit(0, self._seats[agent], number)

    def _resolve(self) -> None:
        """Everybody has chosen: go on to the next decision, or to the end."""
        agents = self.agents
        self.batch.resolve(0, complete=True)
        gained = self._reward_row.tolist()
        self._inform()
        if any(gained):
            self._rewarded = True
            self.rewards = dict(zip(agents, gained))
            for agent, reward in zip(agents, gained):
                self._cumulative_rewards[agent] += reward
        terminated, truncated = bool(self._terminated[0]), bool(self._truncated[0])
        if terminated or truncated:
            self._inform_of_end(self._final_scores())
            self.terminations = dict.fromkeys(agents, terminated)
            self.truncations = dict.fromkeys(agents, truncated)
            self._queue = []
            self.agent_selection = agents[0]
        else:
            self._select()
        self._show()

    def _select(self) -> None:
        """Line up those who decide now."""
        bits = self._deciders[0]
        self._queue = [agent for agent, seat in self._seats.items() if bits >> seat & 1]
        self.agent_selection = self._queue.pop(0)

    def _inform(self) -> None:
        masks = self._mask_rows.copy()
        self.infos: dict[str, Info] = {
            agent: {"action_mask": mask} for agent, mask in zip(self.possible_agents, masks)
        }

    def _inform_of_end(self, scores: Mapping[str, Info]) -> None:
        for agent, result in scores.items():
            self.infos[agent].update(result)

    def last(self, observe: bool = True) -> tuple[Observation, float, bool, bool, Info]:
        """Observation, summed reward, termination, truncation and info of ``agent_selection``."""
        self._require_begun()
        found: tuple[Observation, float, bool, bool, Info] = super().last(observe)
        return found

    def agent_iter(self, max_iter: int = 2**63) -> Iterable[str]:
        """The agents in the order in which they act, until the game is over."""
        self._require_begun()
        order: Iterable[str] = super().agent_iter(max_iter)
        return order

    def sample_action(self, salt: int = 0) -> int | None:
        """A uniformly random legal action of ``agent_selection`` (see ``sample_actions``); None after the end."""
        self._require_begun()
        if (
            not self.agents
            or self.terminations[self.agent_selection]
            or self.truncations[self.agent_selection]
        ):
            return None
        return self._sample(salt)[self._seats[self.agent_selection]]

    # --- copies and files ---

    def determinized(self, agent: str, seed: int) -> Self:
        """As in :class:`OneGame`; the other agents choose again, and ``agent``, if it is still to choose, is first."""
        twin = super().determinized(agent, seed)
        missing = [self.possible_agents[seat] for seat in twin.batch.missing(0)]
        if missing:
            twin._queue = sorted(missing, key=lambda each: (each != agent, self._seats[each]))
            twin.agent_selection = twin._queue.pop(0)
        return twin

    def _notes(self) -> dict[str, Any]:
        notes = super()._notes()
        notes["begun"] = hasattr(self, "agent_selection")
        if notes["begun"]:
            notes |= {
                "agent_selection": self.agent_selection,
                "queue": self._queue,
                "rewards": self.rewards,
                "cumulative_rewards": self._cumulative_rewards,
                "terminated": any(self.terminations.values()),
                "truncated": any(self.truncations.values()),
            }
        return notes

    def _take_notes(self, notes: Mapping[str, Any]) -> None:
        super()._take_notes(notes)
        if not notes["begun"]:
            return
        agents = self.agents
        self.rewards = {agent: float(notes["rewards"][agent]) for agent in agents}
        self._rewarded = any(self.rewards.values())
        self._cumulative_rewards = {agent: float(notes["cumulative_rewards"][agent]) for agent in agents}
        self.terminations = dict.fromkeys(agents, bool(notes["terminated"]))
        self.truncations = dict.fromkeys(agents, bool(notes["truncated"]))
        self._skip_agent_selection = None
        self._inform()
        if notes["terminated"] or notes["truncated"]:
            self._inform_of_end(self.scores())
        self.infos = {agent: self.infos[agent] for agent in agents}
        self._queue = [agent for agent in notes["queue"] if self._seat(agent) >= 0]
        self.agent_selection = notes["agent_selection"]
        self._seat(self.agent_selection)
        for seat, action in notes.get("illegal", {}).items():  # files of 0.1 had these beside the batch
            self.batch.commit(0, int(seat), int(action))
