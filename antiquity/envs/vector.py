"""Many games as a ``gymnasium.vector.VectorEnv``: in each, one seat learns and the others are its opponents."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from antiquity.envs.helpers import flat_or_not
from antiquity.envs.opponents import LearnerGames, Opponents
from antiquity.envs.pettingzoo import Info, OneGame, observation_space
from antiquity.game import Game, make_game
from antiquity.game.checks import copy_actions, fresh_seed
from antiquity.render.modes import check_render_mode
from antiquity.render.modes import listed as listed_modes
from antiquity.render.pixels import to_rgb
from antiquity.render.text import shown

Observations = Any
"""float32[num_envs, F], or a dict of that as ``"observation"`` and int8[num_envs, A] as ``"action_mask"``."""
Flags = NDArray[np.bool_]

_RENDER_MODES = ("ansi", "human", "rgb_array")


class GameVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """:class:`antiquity.envs.single.SingleAgentEnv` many times over, on one batch.

    Spaces, rewards and infos are those of the single environment, stacked; info arrays come with a bool array of the
    same name behind an underscore, as everywhere in Gymnasium. ``infos["action_mask"]`` (int8[num_envs, A]) always
    belongs to the observation that is returned with it. Arrays that are returned are the caller's own.

    When a game ends:

    * ``NEXT_STEP``: its last observation and results are returned; the next step ignores that game's action and returns
      the first observation of the next game, with reward 0.
    * ``SAME_STEP``: the first observation of the next game is returned at once; the last one is in
      ``infos["final_obs"]``, its info in ``infos["final_info"]``.
    * ``DISABLED``: it stays ended until ``reset(options={"reset_mask": bool[num_envs]})``; a step before that is
      refused.

    Args:
        game: a game's name, or a Game.
        num_envs: how many games.
        num_players: seats at the table: one number for all games, or one for each.
        autoreset_mode: an ``AutoresetMode`` or its value; also in ``metadata["autoreset_mode"]``.
        seat, opponents, flat_observations: as in the single environment; ``"rotate"`` begins one seat further on in
            each game.
        threads: the number of shards that a pool of threads steps.
        reward, on_illegal, memory, max_cycles, dtype, game_options: as for :class:`antiquity.Batch`.
        render_mode: None, ``"ansi"``: :meth:`render` gives the text of every game, ``"human"``: prints it, or
            ``"rgb_array"``: gives the pixels of every game.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        num_players: int | Sequence[int] | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        seat: int | str = 0,
        opponents: Opponents = "random",
        flat_observations: bool | None = None,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = make_game(game)
        game.check_options(options, GameVectorEnv, OneGame)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.games = LearnerGames(
            game, num_envs, num_players, seat=seat, opponents=opponents, threads=threads, **options
        )
        self.game = self.games.game
        self.num_envs = self.games.num_games
        self.flat_observations = flat_or_not(self.games.batch.form, flat_observations, True)
        self.render_mode = check_render_mode(self.game, render_mode, _RENDER_MODES)
        self.metadata = {
            "render_modes": [mode for mode in listed_modes(self.game) if mode in _RENDER_MODES],
            "render_fps": 1,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = observation_space(self.games.batch, self.flat_observations)
        self.single_action_space = Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._all = np.arange(self.num_envs)
        self._actions = np.zeros(self.num_envs, np.int64)
        self._masks = np.zeros((self.num_envs, self.game.num_actions), np.int8)

    def __repr__(self) -> str:
        begun = "" if self.games.batch.begun else ", not begun"
        return f"<GameVectorEnv of {self.num_envs} games of {self.game.title}, {self.games.about()}{begun}>"

    def reset(
        self, *, seed: int | Iterable[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Begin new games.

        Args:
            seed: an int begins the streams of all games anew; a sequence of ints that of each, but for those with None
                in it, whose streams continue, or begin with fresh entropy if none has begun; None continues all.
            options: ``reset_mask``: bool[num_envs], which games to begin; the others continue.
        """
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
        given = self._read_seeds(seed)
        index = None if not options or "reset_mask" not in options else self._read_mask(options["reset_mask"])
        if index is not None and not self.games.batch.begun:
            raise ValueError("these games have not begun: call reset() without a reset_mask first")
        if index is not None and isinstance(given, list):
            given = [given[each] for each in index]
        self._begin(given, index)
        observations, infos = self._view()
        if index is not None:
            self._flag(infos, index)
        return observations, infos

    def _read_seeds(self, seed: int | Iterable[int | None] | None) -> Any:
        if seed is None or isinstance(seed, int | np.integer):
            return None if seed is None else int(seed)
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} games")
        return seeds if any(each is not None for each in seeds) else None

    def _begin(self, given: Any, index: NDArray[np.int64] | None) -> None:
        """Begin games, of which some may have a seed (not None in a list) while the streams of others continue."""
        if not isinstance(given, list) or None not in given:
            self.games.begin(given, index)
            return
        if not self.games.batch.begun:
            self.games.begin([fresh_seed() if each is None else each for each in given], index)
            return
        where = self._all if index is None else index
        known = np.array([each is not None for each in given])
        self.games.begin([each for each in given if each is not None], where[known])
        self.games.begin(None, where[~known])

    def _read_mask(self, mask: Any) -> NDArray[np.int64]:
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError("options['reset_mask'] must be an array of bools")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"options['reset_mask'] has shape {mask.shape}; it must be ({self.num_envs},)")
        if not mask.any():
            raise ValueError("options['reset_mask'] is True nowhere: there is nothing to begin")
        return np.flatnonzero(mask)

    def step(self, actions: ArrayLike) -> tuple[Observations, NDArray[np.float64], Flags, Flags, Info]:
        """Take the learners' actions, int[num_envs].

        Raises:
            ValueError: an action is illegal, games have ended and not begun anew (``DISABLED``), or none has begun;
                nothing has changed.
            TypeError: the actions are not integers.
        """
        games = self.games
        copy_actions(actions, self._actions)
        going = games.going()
        if len(going) < self.num_envs:
            self._check_ended(going)
        rewards = np.zeros(self.num_envs)
        rewards[going], ended = games.step(going, self._actions[going])
        terminated, truncated = games.terminated, games.truncated
        results = self._results(ended) if len(ended) else {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and len(ended):
            results = self._final(ended, results)
            games.begin(None, ended)
        elif len(going) < self.num_envs:
            games.begin(None, np.setdiff1d(self._all, going, assume_unique=True))
        observations, infos = self._view()
        return observations, rewards, terminated, truncated, infos | results

    def _check_ended(self, going: NDArray[np.int64]) -> None:
        if not self.games.batch.begun:
            raise ValueError("these games have not begun: call reset()")
        if self.autoreset_mode == AutoresetMode.DISABLED:
            ended = np.setdiff1d(self._all, going).tolist()
            raise ValueError(
                f"games {ended} have ended; begin them with reset(options={{'reset_mask': ...}}) before the next step"
            )

    def _view(self) -> tuple[Observations, Info]:
        """The current observations and infos of all learners."""
        vectors, self._masks = self.games.show(self._all)
        everywhere = np.ones(self.num_envs, np.bool_)
        infos: Info = {
            "action_mask": self._masks.copy(),
            "_action_mask": everywhere,
            "seat": self.games.learners.copy(),
            "_seat": everywhere.copy(),
        }
        if self.flat_observations:
            return vectors, infos
        form = self.games.batch.form
        return form.with_mask(form.of(vectors), self._masks.copy()), infos

    def _flag(self, infos: Info, index: NDArray[np.int64]) -> None:
        """After a reset of some games, infos are about these alone."""
        for name in [name for name in infos if not name.startswith("_")]:
            flags = np.zeros(self.num_envs, np.bool_)
            flags[index] = True
            infos[f"_{name}"] = flags

    def _results(self, ended: NDArray[np.int64]) -> Info:
        """The results of the games that have ended, laid out as Gymnasium does it: zeros and False elsewhere."""
        games, flags = self.games, np.zeros(self.num_envs, np.bool_)
        flags[ended] = True
        seats = games.learners[ended]

        def spread(values: NDArray[Any]) -> NDArray[np.int64]:
            column = np.zeros(self.num_envs, np.int64)
            column[ended] = values
            return column

        scores: Info = {}
        for number, category in enumerate(self.game.categories):
            scores[category] = spread(games.results[ended, seats, number])
            scores[f"_{category}"] = flags.copy()
        return {
            "scores": scores,
            "_scores": flags,
            "total": spread(games.results[ended, seats, -2]),
            "_total": flags.copy(),
            "tiebreak": spread(games.results[ended, seats, -1]),
            "_tiebreak": flags.copy(),
            "rank": spread(games.ranks[ended, seats]),
            "_rank": flags.copy(),
        }

    def _final(self, ended: NDArray[np.int64], results: Info) -> Info:
        """The last observations and infos of games that have just been replaced by the next ones."""
        vectors, masks = self.games.show(ended)
        flags = results["_scores"].copy()
        final_obs = np.full(self.num_envs, None, dtype=object)
        final_masks = np.zeros_like(self._masks)
        final_masks[ended] = masks
        form = self.games.batch.form
        for row, (index, vector) in enumerate(zip(ended, form.rows(vectors.copy()), strict=True)):
            final_obs[index] = vector if self.flat_observations else form.with_mask(vector, masks[row].copy())
        seats = np.zeros(self.num_envs, np.int64)
        seats[ended] = self.games.learners[ended]
        final_info = {
            "action_mask": final_masks,
            "_action_mask": flags.copy(),
            "seat": seats,
            "_seat": flags.copy(),
            **results,
        }
        return {
            "final_obs": final_obs,
            "_final_obs": flags.copy(),
            "final_info": final_info,
            "_final_info": flags,
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[num_envs, A]: which actions the learners may take now."""
        if not self.games.batch.begun:
            raise ValueError("these games have not begun: call reset()")
        return self._masks.astype(np.bool_)

    def set_opponents(self, opponents: Opponents) -> None:
        """Replace the opponents, also in games in progress."""
        self.games.set_opponents(opponents)

    def render(self) -> tuple[Any, ...] | None:
        """The text or the pixels of every game in modes ``"ansi"`` and ``"rgb_array"``; printed in mode ``"human"``."""
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return tuple(to_rgb(self.games.batch.draw(index)) for index in range(self.num_envs))
        texts = tuple(self.games.batch.render(index) for index in range(self.num_envs))
        if self.render_mode == "ansi":
            return texts
        print(shown("\n\n".join(texts), sys.stdout), flush=True)
        return None
