"""Many games as a stable-baselines3 ``VecEnv`` with action masks: what ``MaskablePPO`` learns on.

>>> from sb3_contrib import MaskablePPO
>>> from antiquity.envs.sb3 import GameVecEnv
>>> env = GameVecEnv("seven_wonders", num_games=64, num_players=4)
>>> model = MaskablePPO("MlpPolicy", env).learn(100_000)  # doctest: +SKIP

Needs stable-baselines3 (``pip install "antiquity[sb3]"``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from antiquity.batch import Batch
from antiquity.envs.opponents import LearnerGames, Opponents
from antiquity.envs.pettingzoo import Info
from antiquity.game import Game, make_game
from antiquity.game.checks import copy_actions, one_of, whole
from antiquity.render.modes import check_render_mode
from antiquity.render.pixels import to_rgb

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:  # pragma: no cover (the tests have it)
    raise ImportError('antiquity.envs.sb3 needs stable-baselines3: pip install "antiquity[sb3]"') from error

ROWS = ("seats", "learner")
Indices = None | int | Sequence[int] | NDArray[np.integer[Any]]


class GameVecEnv(VecEnv):
    """Many games; each row (an "environment" of stable-baselines3) is a seat.

    * ``rows="seats"``: every seat of every game is a row, so a policy plays all seats against itself. Row
      ``game * num_players + seat``. A seat that waits has WAIT (0) as its one legal action. The default for games whose
      decisions are mostly simultaneous.
    * ``rows="learner"``: a game is one row, the learning seat's; the others are played inside by ``opponents``, and
      there are no WAIT rows. The default for the other games.

    Observations are float32[num_envs, F], rewards float32[num_envs]. Masks come from ``env_method("action_masks")``,
    and all at once from :meth:`masks`. The step that ends a game returns the first observation of the next one; its
    last observation and result are in the info: ``terminal_observation``, ``TimeLimit.truncated``, ``seat``,
    ``scores`` (points by category), ``total``, ``tiebreak``, ``rank``, and ``episode`` with the return ``r`` and the
    length ``l`` of the row.

    Args:
        game: a game's name, or a Game.
        num_games: how many games.
        num_players: seats at the table; the game's default when None.
        rows: ``"seats"``, ``"learner"``, or None for the game's default.
        seed: an int, or None for fresh entropy; ``seed()`` sets it for the next reset.
        seat: rows="learner": the learning seat, a number or ``"rotate"`` (the default: another one in every game).
        opponents: rows="learner": see :class:`antiquity.envs.single.SingleAgentEnv`.
        threads: the number of shards that a pool of threads steps.
        render_mode: None or ``"rgb_array"``: :meth:`get_images` then gives pixels, and ``render()`` all of them as one
            picture, which is what ``VecVideoRecorder`` records.
        reward, on_illegal, memory, max_cycles, dtype, game_options: as for :class:`antiquity.Batch`.
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int = 1,
        num_players: int | None = None,
        *,
        rows: str | None = None,
        seed: int | None = None,
        seat: int | str | None = None,
        opponents: Opponents | None = None,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = make_game(game)
        game.check_options(options, GameVecEnv, LearnerGames)
        if num_players is not None:
            num_players = whole("num_players", num_players, 1)
        if rows is None:
            rows = "seats" if game.simultaneous and opponents is None and seat is None else "learner"
        self.rows = one_of("rows", rows, ROWS)
        self.game = game
        self.games: LearnerGames | None = None
        if rows == "learner":
            self.games = LearnerGames(
                game,
                num_games,
                num_players,
                seat="rotate" if seat is None else seat,
                opponents="random" if opponents is None else opponents,
                threads=threads,
                **options,
            )
            self.batch = self.games.batch
        else:
            if seat is not None or opponents is not None:
                raise ValueError(
                    'with rows="seats" every seat learns: seat and opponents are for rows="learner"'
                )
            self.batch = Batch(game, num_games, num_players, threads=threads, **options)
        self._seed = seed
        self._per_game = self.batch.num_seats if rows == "seats" else 1
        count = self.batch.num_games * self._per_game
        self._masks = np.zeros((count, game.num_actions), np.int8)
        self._returns = np.zeros(count, np.float64)
        self._lengths = np.zeros(count, np.int64)
        self._actions = np.zeros(count, np.int64)
        self.render_mode = check_render_mode(game, render_mode, ("rgb_array",))
        super().__init__(count, self.batch.single_observation_space, Discrete(game.num_actions))

    # --- stepping ---

    def reset(self) -> Any:
        """Begin all games anew: float32[num_envs, F], or a dict. After ``seed()`` the streams of seeds start again."""
        seed = self._seed if self._seeds[0] is None else self._seeds[0]
        self._seed = None
        self._reset_seeds()
        self._reset_options()
        self._returns[:], self._lengths[:] = 0, 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        if self.games is None:
            _, masks = self.batch.reset(seed)
            return self._keep(self.batch.observations, masks)
        self.games.begin(seed)
        return self._keep(*self.games.show(np.arange(self.num_envs)))

    def _keep(self, observations: NDArray[Any], masks: NDArray[np.int8]) -> Any:
        """Keep the masks; the observations as rows, in the batch's form."""
        self._masks = masks.reshape(self.num_envs, -1)
        return self.batch.form.of(observations.reshape(self.num_envs, -1))

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions, int[num_envs], which ``step_wait`` then plays."""
        copy_actions(np.asarray(actions).reshape(-1), self._actions)

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[Info]]:
        """Play the actions: observations float32[num_envs, F], rewards float32[num_envs], dones, infos."""
        if not self.batch.begun:
            raise ValueError("these games have not begun: call reset()")
        infos: list[Info] = [{} for _ in range(self.num_envs)]
        if self.games is None:
            observations, rewards, dones = self._step_seats(infos)
        else:
            observations, rewards, dones = self._step_learners(self.games, infos)
        return observations, rewards, dones, infos

    def _step_seats(self, infos: list[Info]) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_]]:
        batch, seats = self.batch, self._per_game
        step = batch.step(self._actions.reshape(-1, seats))
        rewards = step.rewards.reshape(-1)
        dones = np.repeat(step.terminated | step.truncated, seats)
        self._returns += rewards
        self._lengths += 1
        if dones.any():
            ended = batch.ended
            self._end(
                infos,
                np.flatnonzero(dones),
                np.tile(np.arange(seats), len(ended.index)),
                _rows(ended.observations),
                np.repeat(step.truncated[ended.index], seats),
                ended.scores.reshape(-1, ended.scores.shape[-1]),
                ended.ranks.reshape(-1),
            )
        return self._keep(batch.observations, step.masks), rewards, dones

    def _step_learners(
        self, games: LearnerGames, infos: list[Info]
    ) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_]]:
        everywhere = np.arange(self.num_envs)
        gained, ended = games.step(everywhere, self._actions)
        truncated = games.truncated
        dones = games.terminated | truncated
        self._returns += gained
        self._lengths += 1
        if len(ended):
            seats = games.learners[ended]
            self._end(
                infos,
                ended,
                seats,
                self.batch.form.rows(games.show(ended)[0]),
                truncated[ended],
                games.results[ended, seats],
                games.ranks[ended, seats],
            )
            games.begin(None, ended)
        observations = self._keep(*games.show(everywhere))
        return observations, gained.astype(np.float32), dones

    def _end(
        self,
        infos: list[Info],
        rows: NDArray[np.int64],
        seats: NDArray[np.int64],
        observations: Sequence[Any],
        truncated: NDArray[np.bool_],
        scores: NDArray[np.int32],
        ranks: NDArray[np.int64],
    ) -> None:
        """Fill in the infos of rows whose game has ended; the arrays have an entry for each of them."""
        categories = self.game.categories
        parts = (rows, seats, truncated, scores, ranks, self._returns[rows], self._lengths[rows])
        lists = (part.tolist() for part in parts)
        for observation, row, seat, cut, points, rank, total, length in zip(
            observations, *lists, strict=True
        ):
            infos[row] = {
                "terminal_observation": observation,
                "TimeLimit.truncated": cut,
                "episode": {"r": total, "l": length},
                "seat": seat,
                "scores": dict(zip(categories, points, strict=False)),
                "total": points[-2],
                "tiebreak": points[-1],
                "rank": rank,
            }
        self._returns[rows], self._lengths[rows] = 0, 0

    def get_images(self) -> list[NDArray[np.uint8] | None]:
        """Pixels, uint8[height, width, 3], for each row: as its seat sees it with rows="seats", else all open."""
        if self.render_mode is None:
            raise ValueError(
                'there are no pictures without a render mode: GameVecEnv(..., render_mode="rgb_array")'
            )
        rows = (divmod(row, self._per_game) for row in range(self.num_envs))
        return [to_rgb(self.batch.draw(game, None if self.games else seat)) for game, seat in rows]

    def __repr__(self) -> str:
        games = self.games
        about = f"{self.batch.num_seats} players" if games is None else games.about()
        begun = "" if self.batch.begun else ", not begun"
        return f"<GameVecEnv of {self.batch.num_games} games of {self.game.title}, rows={self.rows!r}, {about}{begun}>"

    def close(self) -> None:
        """Nothing to release; here because the interface has it."""

    # --- masks, and methods and attributes of rows ---

    def masks(self) -> NDArray[np.bool_]:
        """bool[num_envs, A]: which actions are legal now; the caller's own."""
        if not self.batch.begun:
            raise ValueError("these games have not begun: call reset()")
        return self._masks.astype(np.bool_)

    def set_opponents(self, opponents: Opponents) -> None:
        """rows="learner": replace the opponents, also in games in progress."""
        if self.games is None:
            raise ValueError('with rows="seats" there are no opponents')
        self.games.set_opponents(opponents)

    def _rows(self, indices: Indices) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        rows = [indices] if isinstance(indices, int | np.integer) else list(indices)
        return [range(self.num_envs)[row] for row in rows]

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """``action_masks`` (bool[A] a row), ``legal_actions``, ``describe(action)`` or ``render`` of the rows."""
        return [method(*method_args, **method_kwargs) for method in self.get_attr(method_name, indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the rows: a method of :meth:`env_method`, ``seat``, or one of this environment itself."""
        rows = self._rows(indices)
        if attr_name == "action_masks":
            masks = self.masks()
            return [_Constant(masks[row]) for row in rows]
        if attr_name == "seat":
            return [self._seat(row) for row in rows]
        if attr_name in ("legal_actions", "describe", "render"):
            return [_RowMethod(self, attr_name, row) for row in rows]
        if not hasattr(self, attr_name):
            raise AttributeError(f"a row of GameVecEnv has no {attr_name!r}")
        return [getattr(self, attr_name)] * len(rows)

    def _seat(self, row: int) -> int:
        return row % self._per_game if self.games is None else int(self.games.learners[row])

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of this environment; all rows share it."""
        if indices is not None and len(self._rows(indices)) != self.num_envs:
            raise ValueError("the rows of GameVecEnv share their attributes; set one for all of them")
        setattr(self, attr_name, value)

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """False: nothing is wrapped around a row."""
        return [False] * len(self._rows(indices))


def _rows(observations: Any) -> list[Any]:
    """Observations [k, S, ...] one by one, whatever their form."""
    if not isinstance(observations, dict):
        return list(observations.reshape(-1, observations.shape[-1]))
    flat = {name: part.reshape(-1, *part.shape[2:]) for name, part in observations.items()}
    count = len(next(iter(flat.values())))
    return [{name: part[row] for name, part in flat.items()} for row in range(count)]


class _Constant:
    """A method that returns a known value."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __call__(self) -> Any:
        return self._value


class _RowMethod:
    """A method of one row."""

    def __init__(self, env: GameVecEnv, name: str, row: int) -> None:
        self._env, self._name, self._row = env, name, row

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        batch = self._env.batch
        game, seat = self._row // self._env._per_game, self._env._seat(self._row)
        if self._name == "legal_actions":
            return batch.legal_actions(game, seat).tolist()
        if self._name == "describe":
            return batch.describe(game, seat, *args, **kwargs)
        return batch.render(game, *args, **kwargs)
