"""The environments and batches of a game: PettingZoo's and Gymnasium's own suites, and games that come out the same."""

from __future__ import annotations

import contextlib
import io
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from antiquity.batch import Batch
from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.envs.vector import GameVectorEnv
from antiquity.game import Game

CYCLES = 40


def check_environments(game: Game, counts: Sequence[int], options: Mapping[str, Any], seed: int) -> None:
    """See that a game runs in every environment with each number of players, under the suites of their libraries.

    Raises:
        AssertionError: and whatever else the suites raise; a note says which suite, and with how many players.
    """
    for players in counts:
        own: dict[str, Any] = {"num_players": players, **options}
        with _named(game, "a batch split, copied and saved", own):
            check_batch(game, players, options, seed)
        anything: dict[str, Any] = {**own, "on_illegal": "random"}  # the suites sample without masks
        with _named(game, "pettingzoo.test.parallel_api_test", own):
            parallel_api_test(ParallelGameEnv(game, **anything), num_cycles=CYCLES)
        with _named(game, "pettingzoo.test.api_test", own):
            api_test(AECGameEnv(game, **anything), num_cycles=CYCLES)
        with _named(game, "pettingzoo.test.seed_test", own):
            seed_test(lambda own=own: AECGameEnv(game, **own), num_cycles=CYCLES)
            parallel_seed_test(lambda anything=anything: ParallelGameEnv(game, **anything), num_cycles=CYCLES)
        with _named(game, "gymnasium.utils.env_checker.check_env", own):
            check_env(SingleAgentEnv(game, seat="rotate", **anything), skip_render_check=True)
        with _named(game, "a Gymnasium vector environment", own):
            _check_vector(game, own, seed)


@contextlib.contextmanager
def _named(game: Game, suite: str, own: Mapping[str, Any]) -> Iterator[None]:
    """Quietly: the suites print, and warn of what their own classic games do too."""
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    except Exception as error:
        error.add_note(f"{game.title}: {suite}, with {', '.join(f'{k}={v!r}' for k, v in own.items())}")
        raise


def check_batch(game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
    """A batch, one in slices, a copy and one from a file go the same way; greedy and random rollouts end."""
    batch = Batch(game, 6, players, seed=seed, reward="points", **options)
    sliced = Batch(game, 6, players, seed=seed, threads=2, reward="points", **options)
    batch.reset()
    sliced.reset()
    others = [sliced]
    for step in range(CYCLES):
        if step == CYCLES // 4:
            others += [batch.clone(), _reloaded(batch, game)]
        actions = batch.sample()
        results = [each.step(actions) for each in (batch, *others)]
        for other, result in zip(others, results[1:], strict=True):
            assert other.games.tobytes() == batch.games.tobytes(), f"step {step}: games must be the same"
            for one, two in zip(map(np.asarray, results[0]), map(np.asarray, result), strict=True):
                assert np.array_equal(one, two), f"step {step}: results must be the same"
    for policy in ("random", "greedy"):
        totals = batch.rollout(policy)
        assert np.array_equal(totals, batch.scores()[:, :, -2]), f"totals of a {policy} rollout"


def _reloaded(batch: Batch, game: Game) -> Batch:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "batch.npz"
        batch.save(path)
        return Batch.load(path, game=game)


def _check_vector(game: Game, own: Mapping[str, Any], seed: int) -> None:
    envs = GameVectorEnv(game, num_envs=3, **own)
    observations, infos = envs.reset(seed=seed)
    for step in range(CYCLES):
        assert envs.observation_space.contains(observations), f"step {step}: observations outside their space"
        actions = np.array([np.flatnonzero(mask)[-1] for mask in infos["action_mask"]])
        observations, _, _, _, infos = envs.step(actions)
    envs.close()
