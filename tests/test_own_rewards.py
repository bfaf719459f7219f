"""Rewards of a user's own: weights by category, and functions of the scores before and after."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.envs.vector import GameVectorEnv
from antiquity.game import Game
from env_games import TOY, WONDERS, both_games, same

WEIGHTS = {"military": 1.0, "science": 0.25, "total": -0.5}


def points(before: Any, after: Any, ended: Any, ranks: Any) -> Any:
    """What reward="points" pays, as a function."""
    return after[:, :, -2] - before[:, :, -2]


def win(before: Any, after: Any, ended: Any, ranks: Any) -> Any:
    winners = ranks == 1
    return ended[:, None] * winners / np.maximum(winners.sum(axis=1, keepdims=True), 1)


@both_games
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize(("named", "own"), [("points", points), ("win", win)])
def test_functions_that_say_what_a_name_says_pay_the_same(
    game: Game, named: str, own: Any, threads: int, copies: bool
) -> None:
    settings: dict[str, Any] = {"seed": 3, "threads": threads, "copy": copies}
    batches = [Batch(game, 5, reward=reward, **settings) for reward in (named, own)]
    for batch in batches:
        batch.reset()
    for number in range(150):
        rows = number % 3 == 1
        actions = batches[0].sample_rows() if rows else batches[0].sample()
        steps = [batch.step_rows(actions) if rows else batch.step(actions) for batch in batches]
        assert steps[0].rewards == pytest.approx(steps[1].rewards, abs=1e-6)
        assert batches[0].ended.rewards == pytest.approx(batches[1].ended.rewards, abs=1e-6)
        if number % 50 == 20:
            for batch in batches:
                batch.reset(index=[1, 3])


def test_weights_add_up_to_the_weighted_score() -> None:
    batch = Batch(WONDERS, 6, 3, seed=1, reward=WEIGHTS)
    batch.reset()
    gained = np.zeros((6, 3))
    columns = [*WONDERS.categories, "total", "tiebreak"]
    seen = 0
    for _ in range(60):
        step = batch.step(batch.sample())
        gained += step.rewards
        for row, index in enumerate(batch.ended.index):
            scores = batch.ended.scores[row]
            expected = sum(weight * scores[:, columns.index(name)] for name, weight in WEIGHTS.items())
            assert gained[index] == pytest.approx(expected, abs=1e-4)
            gained[index], seen = 0, seen + 1
    assert seen > 6


def test_weights_are_kept_in_copies_and_files(tmp_path: Path) -> None:
    batch = Batch(WONDERS, 4, 3, seed=1, reward=WEIGHTS)
    batch.reset()
    for _ in range(9):
        batch.step(batch.sample())
    batch.save(tmp_path / "batch.npz")
    twins = [batch.clone(), pickle.loads(pickle.dumps(batch)), Batch.load(tmp_path / "batch.npz")]
    for _ in range(20):
        step = batch.step(batch.sample())
        for twin in twins:
            assert same(twin.step(twin.sample()).rewards, step.rewards)


def test_functions_go_with_copies_and_not_with_files(tmp_path: Path) -> None:
    batch = Batch(WONDERS, 4, 3, seed=1, reward=points)
    batch.reset()
    for _ in range(9):
        batch.step(batch.sample())
    twins = [batch.clone(), pickle.loads(pickle.dumps(batch))]
    for _ in range(20):
        step = batch.step(batch.sample())
        for twin in twins:
            assert same(twin.step(twin.sample()).rewards, step.rewards)
    with pytest.raises(ValueError, match="reward is a function cannot be saved"):
        batch.save(tmp_path / "batch.npz")
    assert not list(tmp_path.iterdir())
    other = Batch(WONDERS, 4, 3, seed=2, reward=points)
    other.set_games(batch.games)
    before = other.scores()[:, :, -2]
    done = other.step(other.sample())
    going = ~(done.terminated | done.truncated)
    assert same(done.rewards[going], (other.scores()[:, :, -2] - before)[going].astype(np.float32))


@both_games
@pytest.mark.parametrize("named", ["points", "win"])
def test_environments(game: Game, named: str) -> None:
    own = {"points": points, "win": win}[named]
    one, other = (ParallelGameEnv(game, reward=reward) for reward in (named, own))
    turn = AECGameEnv(game, reward=own)
    for env in (one, other, turn):
        env.reset(seed=5)
    gained = dict.fromkeys(turn.possible_agents, 0.0)
    while one.agents:
        actions = one.sample_actions()
        rewards = one.step(actions)[1]
        assert other.step(actions)[1] == pytest.approx(rewards)
        for agent, reward in rewards.items():
            gained[agent] += reward
    total = dict.fromkeys(turn.possible_agents, 0.0)
    for agent in turn.agent_iter():
        _, reward, ended, _, _ = turn.last()
        total[agent] += reward
        turn.step(None if ended else turn.sample_action())
    assert total == pytest.approx(gained)


@both_games
@pytest.mark.parametrize("opponents", ["random", lambda observations, masks: masks.argmax(axis=1)])
@pytest.mark.parametrize("named", ["points", "win"])
def test_one_seat_against_others(game: Game, opponents: Any, named: str) -> None:
    own = {"points": points, "win": win}[named]
    envs = [GameVectorEnv(game, 4, opponents=opponents, reward=reward) for reward in (named, own)]
    masks = [env.reset(seed=2)[1]["action_mask"] for env in envs]
    for _ in range(60):
        results = [env.step(mask.argmax(axis=1)) for env, mask in zip(envs, masks, strict=True)]
        assert results[0][1] == pytest.approx(results[1][1], abs=1e-5)
        masks = [result[4]["action_mask"] for result in results]


def test_a_game_of_one_seat_copied() -> None:
    env = SingleAgentEnv(TOY, reward=points)
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    action = env.legal_actions()[0]
    assert env.step(action)[1] == twin.step(action)[1]


@pytest.mark.parametrize(
    ("reward", "error", "words"),
    [
        ("gold", ValueError, "reward is 'gold'; it must be one of 'win'"),
        (3, TypeError, "a dict of weights by category, or a function"),
        ({}, ValueError, "empty dict"),
        ({"militery": 1.0}, ValueError, "'militery'; it must be one of .*'military'"),
        ({"military": "much"}, TypeError, "names of categories to numbers"),
        ({"military": float("nan")}, ValueError, "the weight nan"),
    ],
)
def test_rewards_that_cannot_be(reward: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Batch(WONDERS, 1, 3, reward=reward)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda scores: scores[:, 0, 0], r"gave int32\[4\]; it must give float\[games, seats\] = \[4, 3\]"),
        (lambda scores: scores[:, :, 0].astype(str), r"gave <U\d+\[4, 3\]"),
        (lambda scores: np.full(scores.shape[:2], np.nan), "gave nan for game 0, seat 0"),
        (lambda scores: np.full(scores.shape[:2], np.inf), "gave inf for game 0, seat 0"),
    ],
)
def test_what_a_function_may_not_give(given: Any, words: str) -> None:
    batch = Batch(WONDERS, 4, 3, seed=0, reward=lambda before, after, ended, ranks: given(after))
    plain = Batch(WONDERS, 4, 3, seed=0)
    for each in (batch, plain):
        each.reset()
    with pytest.raises(ValueError, match=words):
        batch.step(batch.sample())
    plain.step(plain.sample())
    assert same(batch.games, plain.games) and same(batch.masks, plain.masks)  # the step is made


def test_absent_seats_may_be_given_anything() -> None:
    batch = Batch(
        WONDERS, 2, [3, 5], seed=0, reward=lambda before, after, ended, ranks: np.ones(after.shape[:2])
    )
    batch.reset()
    assert batch.step(batch.sample()).rewards.tolist() == [[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]


def test_a_game_that_is_over_is_paid_once() -> None:
    batch = Batch(WONDERS, 3, 3, seed=0, autoreset=False, reward=lambda *given: np.ones(given[1].shape[:2]))
    batch.reset()
    while not batch.games["over"].all():
        over = batch.games["over"] != 0
        assert same(batch.step(batch.sample()).rewards[:, 0] == 0, over)
    assert not batch.step(batch.sample()).rewards.any()
