"""The PettingZoo AECEnv."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.game import Game
from env_games import TOY, both_games, first_illegal, legal_choice, play_aec, same


@both_games
def test_only_agents_with_something_to_decide_are_visited(game: Game) -> None:
    env = AECGameEnv(game)
    env.reset(seed=0)
    visits = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        if not (terminated or truncated):
            visits += 1
            assert agent in env.deciders
            assert observation["action_mask"][0] == 0
            assert same(observation["action_mask"], info["action_mask"])
        env.step(env.sample_action())
    assert visits and env.agents == []


@both_games
@pytest.mark.parametrize("reward", ["win", "points"])
def test_the_same_game_as_in_parallel(game: Game, reward: str) -> None:
    parallel, env = ParallelGameEnv(game, reward=reward), AECGameEnv(game, reward=reward)
    parallel.reset(seed=6)
    env.reset(seed=6)
    sums, sums_here = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0)
    infos: dict[str, Any] = {}
    while parallel.agents:
        actions = parallel.sample_actions()
        for agent in parallel.deciders:
            assert env.agent_selection == agent
            observation, reward_here, *_ = env.last()
            assert same(observation, parallel.observe(agent))
            sums_here[agent] += reward_here
            env.step(actions[agent])
        _, rewards, _, _, infos = parallel.step(actions)
        for agent, value in rewards.items():
            sums[agent] += value
        for agent in env.agents:
            assert same(env.observe(agent), parallel.observe(agent))
    for agent in env.agent_iter():
        _, reward_here, terminated, _, info = env.last()
        sums_here[agent] += reward_here
        assert terminated and same(info, infos[agent])
        env.step(None)
    assert sums == sums_here
    assert env.batch.games.tobytes() == parallel.batch.games.tobytes()


def test_before_the_first_reset_everything_says_so() -> None:
    env = AECGameEnv(TOY)
    looks: list[Callable[[], Any]] = [
        lambda: list(env.agent_iter()),
        env.last,
        lambda: env.observe("player_0"),
        lambda: env.step(0),
        env.sample_action,
    ]
    for look in looks:
        with pytest.raises(ValueError, match="reset"):
            look()
    assert "not begun" in repr(env)


def test_choices_stay_secret_until_all_have_chosen() -> None:
    env = AECGameEnv(TOY, memory=True)
    env.reset(seed=1)
    before = {agent: env.observe(agent) for agent in env.agents}
    for _ in range(env.num_players - 1):
        env.step(env.sample_action())
        for agent in env.agents:
            assert same(env.observe(agent), before[agent])
    env.step(env.sample_action())
    assert not same(env.observe("player_0"), before["player_0"])


def test_a_dead_agent_takes_none_alone() -> None:
    env = AECGameEnv(TOY)
    env.reset(seed=0)
    while not any(env.terminations.values()):
        env.step(env.sample_action())
    with pytest.raises(ValueError, match="None"):
        env.step(1)
    for agent in env.possible_agents:
        assert env.agent_selection == agent
        env.step(None)
    with pytest.raises(ValueError, match="reset"):
        env.step(None)


@pytest.mark.parametrize("action", [0, 99, -1, 10**30])
def test_an_illegal_action_is_refused_and_changes_nothing(action: int) -> None:
    env = AECGameEnv(TOY)
    env.reset(seed=0)
    env.step(env.sample_action())
    before = env.batch.games.tobytes()
    with pytest.raises(ValueError, match="seat 1"):
        env.step(action)
    with pytest.raises(TypeError, match="player_1"):
        env.step("a")
    assert env.agent_selection == "player_1" and env.batch.games.tobytes() == before
    env.step(env.sample_action())
    assert env.agent_selection == "player_2"
    with pytest.raises(ValueError, match="reset"):
        AECGameEnv(TOY).step(1)


@both_games
@pytest.mark.parametrize("on_illegal", ["lose", "random"])
def test_illegal_actions_do_the_same_as_in_parallel(game: Game, on_illegal: str) -> None:
    parallel, env = ParallelGameEnv(game, on_illegal=on_illegal), AECGameEnv(game, on_illegal=on_illegal)
    parallel.reset(seed=3)
    env.reset(seed=3)
    actions = parallel.sample_actions()
    actions["player_1"] = first_illegal(game, parallel.action_mask("player_1"))
    for agent in parallel.deciders:
        assert not any(env.terminations.values())
        env.step(actions[agent])
    parallel.step(actions)
    assert env.batch.games.tobytes() == parallel.batch.games.tobytes()
    assert all(env.terminations.values()) == (on_illegal == "lose")


@both_games
@pytest.mark.parametrize("way", ["clone", "pickle", "file"])
def test_copies_at_every_decision_go_on_alike_and_apart(game: Game, way: str, tmp_path: Path) -> None:
    env = AECGameEnv(game, reward="points", on_illegal="random")
    rng = np.random.default_rng(0)
    env.reset(seed=8)
    visits = 0
    while env.agents:
        visits += 1
        twin = _copy(env, way, tmp_path)
        before = env.batch.games.tobytes()
        assert twin.agent_selection == env.agent_selection and same(twin.last(), env.last())
        if visits % 7 == 1:
            late = _copy(env, way, tmp_path)
            assert same(_rest(twin), _rest(late))
        assert env.batch.games.tobytes() == before
        dead = env.terminations[env.agent_selection]
        # Now and then one that is illegal, so that a copy is made while it is pending.
        legal = legal_choice(rng, env.action_mask(env.agent_selection))
        env.step(None if dead else 10**6 if visits % 5 == 2 else legal)
    assert _copy(env, way, tmp_path).agents == []


def _rest(env: AECGameEnv) -> list[Any]:
    """The rest of the game, and the beginning of the next one."""
    found = [*play_aec(env, np.random.default_rng(1))]
    env.reset()
    return [*found, env.last()]


def _copy(env: AECGameEnv, way: str, folder: Path) -> AECGameEnv:
    if way == "clone":
        return env.clone()
    if way == "pickle":
        found = pickle.loads(pickle.dumps(env))
        assert isinstance(found, AECGameEnv)
        return found
    env.save(folder / "game.npz")
    return AECGameEnv.load(folder / "game.npz", game=env.game)


def test_a_file_from_before_the_first_reset(tmp_path: Path) -> None:
    AECGameEnv(TOY).save(tmp_path / "new.npz")
    env = AECGameEnv.load(tmp_path / "new.npz", game=TOY)
    assert env.agents == []
    env.reset(seed=0)
    assert env.agents


@both_games
def test_in_a_determinized_copy_the_others_choose_again(game: Game) -> None:
    env = AECGameEnv(game)
    env.reset(seed=2)
    env.step(env.sample_action())
    env.step(env.sample_action())
    before = env.batch.games.tobytes()
    world = env.determinized("player_2", 1)
    assert world.agent_selection == "player_2" and same(world.observe("player_2"), env.observe("player_2"))
    assert world._queue[:2] == ["player_0", "player_1"]
    assert world.batch.games["chosen"].max() == 0
    own = env.determinized("player_1", 1)
    assert (
        own.agent_selection == "player_0"
        and own.batch.games["chosen"][0, 1] == env.batch.games["chosen"][0, 1]
    )
    for each in (world, own):
        list(play_aec(each, np.random.default_rng(0)))
        assert each.agents == []
    assert env.batch.games.tobytes() == before


def test_truncation() -> None:
    env = AECGameEnv(TOY, max_cycles=1)
    env.reset(seed=0)
    for _ in range(3):
        env.step(env.sample_action())
    assert all(env.truncations.values()) and not any(env.terminations.values())
    for agent in env.agent_iter():
        assert env.last()[2:4] == (False, True), agent
        env.step(None)


def test_drawing(capsys: pytest.CaptureFixture[str]) -> None:
    env = AECGameEnv(TOY, render_mode="human")
    env.reset(seed=0)
    env.step(env.sample_action())
    assert capsys.readouterr().out.count("round 1") == 1
    assert not env.metadata["is_parallelizable"]
    assert env.sample_action(salt=1) is not None
    assert copy.deepcopy(env).agent_selection == env.agent_selection
