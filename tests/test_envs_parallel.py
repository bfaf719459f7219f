"""The PettingZoo ParallelEnv."""

from __future__ import annotations

import copy
import pickle
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete

import seven_wonders_env
from antiquity.agents import make_agent
from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.game import Game
from env_games import TOY, WONDERS, both_games, fill_up, first_illegal, legal_choice, play_parallel, same


@both_games
def test_spaces_hold_all_that_is_seen_and_stay_the_same_objects(game: Game) -> None:
    env = ParallelGameEnv(game, memory=True)
    rng = np.random.default_rng(0)
    for number in range(3):
        observations, infos = env.reset(seed=0 if number == 0 else None)
        for step in play_parallel(env, rng):
            observations, infos = step[0], step[4]
            for agent in env.possible_agents:
                assert env.observation_space(agent).contains(observations[agent])
                assert observations[agent]["observation"].dtype == np.float32
                mask = infos[agent]["action_mask"]
                assert mask.dtype == np.int8 and mask.shape == (game.num_actions,)
                assert same(mask, observations[agent]["action_mask"])
                assert env.action_space(agent).sample(mask) in np.flatnonzero(mask)
            assert env.state_space.contains(env.state())
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    assert env.state_space is env.state_space
    assert env.action_space("player_0") is not env.action_space("player_1")
    assert isinstance(env.observation_space("player_0"), Dict)
    assert env.action_space("player_0") == Discrete(game.num_actions)


@both_games
def test_flat_observations_are_the_vector_alone_and_the_mask_is_in_the_infos(game: Game) -> None:
    env, other = ParallelGameEnv(game, flat_observations=True), ParallelGameEnv(game)
    observations, infos = env.reset(seed=1)
    expected, _ = other.reset(seed=1)
    assert isinstance(env.observation_space("player_0"), Box)
    for agent in env.agents:
        assert env.observation_space(agent).contains(observations[agent])
        assert same(observations[agent], expected[agent]["observation"])
        assert same(infos[agent]["action_mask"], expected[agent]["action_mask"])
        assert same(env.observe(agent), observations[agent])


@both_games
def test_one_seed_is_one_game_whatever_happens_around_it(game: Game) -> None:
    def record(env: ParallelGameEnv, seed: int) -> list[Any]:
        rng = np.random.default_rng(5)
        return [env.reset(seed=seed), *play_parallel(env, rng)]

    env, other = ParallelGameEnv(game), ParallelGameEnv(game)
    fill_up(other, np.random.default_rng(1), 3)
    first = record(env, 7)
    np.random.seed(0)  # noqa: NPY002 (the global generator must not matter)
    random.random()
    assert same(first, record(other, 7))
    assert same(first, record(env, 7))
    assert not same(first, record(env, 8))


def test_seed_zero_is_a_seed_and_no_seed_goes_on_with_the_stream() -> None:
    env, other = ParallelGameEnv(TOY), ParallelGameEnv(TOY)
    games = [env.reset(seed=0)[0], *(env.reset()[0] for _ in range(5))]
    again = [other.reset(seed=0)[0], *(other.reset()[0] for _ in range(5))]
    assert same(games, again)
    assert len({game["player_0"]["observation"].tobytes() for game in games}) > 1


def test_unknown_reset_options_are_tolerated() -> None:
    env = ParallelGameEnv(TOY)
    assert same(env.reset(seed=3, options={"options": 1}), env.reset(seed=3))


@both_games
def test_the_last_step_is_complete_and_then_nobody_is_left(game: Game) -> None:
    env = ParallelGameEnv(game, reward="rank")
    env.reset(seed=2)
    everybody = env.agents
    *_, last = play_parallel(env, np.random.default_rng(0))
    observations, rewards, terminations, truncations, infos = last
    for part in last:
        assert list(part) == everybody
    assert set(terminations.values()) == {True} and set(truncations.values()) == {False}
    assert env.agents == [] and env.possible_agents == everybody
    for agent in everybody:
        info = infos[agent]
        assert list(info["scores"]) == list(game.categories)
        assert sum(info["scores"].values()) == info["total"]
        assert all(type(value) is int for value in (*info["scores"].values(), info["total"], info["rank"]))
        assert info["action_mask"].tolist() == [1] + [0] * (game.num_actions - 1)
        assert env.observation_space(agent).contains(observations[agent])
    best = min(infos[agent]["rank"] for agent in everybody)
    assert best == 1
    assert env.scores() == {
        agent: {name: value for name, value in infos[agent].items() if name != "action_mask"}
        for agent in everybody
    }
    assert sum(rewards.values()) == pytest.approx(len(everybody) / 2)


def test_after_the_end_a_step_without_actions_is_empty_and_one_with_actions_is_refused() -> None:
    env = ParallelGameEnv(TOY)
    env.reset(seed=0)
    list(play_parallel(env, np.random.default_rng(0)))
    scores = env.scores()
    assert env.step({}) == ({}, {}, {}, {}, {})
    with pytest.raises(ValueError, match=r"no game is going on.*reset"):
        env.step(dict.fromkeys(env.possible_agents, 0))
    assert env.scores() == scores
    assert env.sample_actions() == {}


def test_a_step_before_the_first_reset_is_refused() -> None:
    env = ParallelGameEnv(TOY)
    assert env.agents == []
    assert "not begun" in repr(env) and "3 players" in repr(env)
    looks: list[Callable[[], Any]] = [
        lambda: env.step({"player_0": 1, "player_1": 1, "player_2": 1}),
        lambda: env.step({}),
        lambda: env.observe("player_0"),
        lambda: env.action_mask("player_0"),
        lambda: env.legal_actions("player_0"),
        lambda: env.describe("player_0", 0),
        lambda: env.decisions("player_0"),
        lambda: env.deciders,
        env.sample_actions,
        env.scores,
        env.state,
    ]
    for look in looks:
        with pytest.raises(ValueError, match="reset"):
            look()
    env.reset(seed=0)
    assert "at step 0" in repr(env)


@both_games
@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda actions: actions.pop("player_1"), ValueError, "no action for player_1"),
        (lambda actions: actions.update(player_9=0), ValueError, "'player_9'"),
        (lambda actions: actions.update(player_1=None), TypeError, "player_1 must be a whole number"),
        (lambda actions: actions.update(player_1=1.5), TypeError, "player_1 must be a whole number"),
        (lambda actions: actions.update(player_1=0), ValueError, "seat 1"),
        (lambda actions: actions.update(player_1=10**30), ValueError, "seat 1"),
        (lambda actions: actions.update(player_1=-1), ValueError, "seat 1"),
    ],
    ids=["missing", "unknown", "none", "fraction", "waiting", "huge", "negative"],
)
def test_bad_actions_are_refused_and_change_nothing(game: Game, change: Any, error: Any, words: str) -> None:
    env = ParallelGameEnv(game)
    env.reset(seed=4)
    actions = env.sample_actions()
    before = env.batch.games.tobytes()
    bad = dict(actions)
    change(bad)
    with pytest.raises(error, match=words):
        env.step(bad)
    assert env.batch.games.tobytes() == before
    other = ParallelGameEnv(game)
    other.reset(seed=4)
    assert same(env.step(actions), other.step(actions))


@both_games
def test_actions_may_be_any_whole_number_in_any_order(game: Game) -> None:
    env, other = ParallelGameEnv(game), ParallelGameEnv(game)
    env.reset(seed=4)
    other.reset(seed=4)
    actions = env.sample_actions()
    kinds: list[Any] = [np.int32, np.array, lambda action: np.array([action]), np.uint8, int]
    strange = {agent: kind(action) for (agent, action), kind in zip(actions.items(), kinds, strict=False)}
    assert same(env.step(dict(reversed(strange.items()))), other.step(actions))


@both_games
def test_losing_by_an_illegal_action(game: Game) -> None:
    env = ParallelGameEnv(game, on_illegal="lose")
    _, infos = env.reset(seed=0)
    actions = env.sample_actions()
    actions["player_1"] = first_illegal(game, infos["player_1"]["action_mask"])
    _, rewards, terminations, _, infos = env.step(actions)
    assert all(terminations.values()) and env.agents == []
    assert infos["player_1"]["rank"] == env.num_players and rewards["player_1"] == 0
    assert env.reset()[1]["player_1"]["action_mask"][0] == 0


@both_games
def test_a_legal_action_instead_of_an_illegal_one_from_a_stream_of_its_own(game: Game) -> None:
    def play(seed: int) -> list[Any]:
        env = ParallelGameEnv(game, on_illegal="random")
        steps: list[Any] = [env.reset(seed=seed)]
        while env.agents:
            steps.append(env.step(dict.fromkeys(env.agents, 10**30)))
        return steps

    assert same(play(1), play(1))


@both_games
@pytest.mark.parametrize("reward", ["win", "rank", "margin", "points"])
def test_rewards_add_up(game: Game, reward: str) -> None:
    env = ParallelGameEnv(game, reward=reward)
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    sums = dict.fromkeys(env.agents, 0.0)
    infos: dict[str, Any] = {}
    for _, rewards, _, _, infos in play_parallel(env, rng):  # noqa: B007 (the last ones are looked at)
        assert all(type(value) is float for value in rewards.values())
        for agent, value in rewards.items():
            sums[agent] += value
    if reward == "points":
        assert sums == {agent: infos[agent]["total"] for agent in sums}
    if reward == "win":
        assert sum(sums.values()) == pytest.approx(1)
        assert {agent for agent in sums if sums[agent] > 0} == {a for a in sums if infos[a]["rank"] == 1}
    if reward == "margin":
        assert max(sums.values()) >= 0


@both_games
def test_truncation_is_not_termination_and_pays_nothing(game: Game) -> None:
    env = ParallelGameEnv(game, max_cycles=2)
    env.reset(seed=0)
    *_, (_, rewards, terminations, truncations, infos) = play_parallel(env, np.random.default_rng(0))
    assert env.agents == []
    assert set(rewards.values()) == {0.0}
    assert not any(terminations.values()) and all(truncations.values())
    assert "total" in infos["player_0"]
    env.max_cycles = 1
    env.reset()
    assert len(list(play_parallel(env, np.random.default_rng(0)))) == 1
    env.max_cycles = None
    env.reset()
    *_, last = play_parallel(env, np.random.default_rng(0))
    assert all(last[2].values())
    with pytest.raises(ValueError, match="max_cycles"):
        env.max_cycles = 0


@both_games
@pytest.mark.parametrize("ending", ["rules", "limit", "illegal action"])
def test_results_in_the_infos_are_the_scores_as_they_stand(game: Game, ending: str) -> None:
    options: dict[str, Any] = {"on_illegal": "lose", "max_cycles": 3 if ending == "limit" else None}
    parallel, env = ParallelGameEnv(game, **options), AECGameEnv(game, **options)
    for seed in range(3):  # a later game must not show the results of an earlier one
        parallel.reset(seed=seed)
        env.reset(seed=seed)
        infos: dict[str, Any] = {}
        while parallel.agents:
            actions = parallel.sample_actions()
            deciders = parallel.deciders
            if ending == "illegal action":
                last = deciders[-1]
                actions[last] = first_illegal(game, parallel.action_mask(last))
            *_, infos = parallel.step(actions)
            for agent in deciders:
                env.step(actions[agent])
        for each, found in ((parallel, infos), (env, env.infos)):
            for info in found.values():
                del info["action_mask"]
            assert same(found, each.scores())


@both_games
def test_returned_arrays_are_the_callers_own(game: Game) -> None:
    env, other = ParallelGameEnv(game), ParallelGameEnv(game)
    observations, _ = env.reset(seed=0)
    other.reset(seed=0)
    kept = copy.deepcopy(observations)
    actions = other.sample_actions()
    step: Any = env.step(actions)
    assert same(observations, kept)
    for agent in env.possible_agents:
        step[0][agent]["observation"][:] = -1
        step[4][agent]["action_mask"][:] = 1
        env.observe(agent)["observation"][:] = -1
        env.action_mask(agent)[:] = 0
    env.state()[:] = 5
    other.step(actions)
    follow = other.sample_actions()
    assert env.sample_actions() == follow
    assert same(env.step(follow), other.step(follow))


@both_games
@pytest.mark.parametrize("way", ["clone", "deepcopy", "pickle", "file"])
def test_copies_at_every_decision_go_on_alike_and_apart(game: Game, way: str, tmp_path: Path) -> None:
    env = ParallelGameEnv(game, reward="points", memory=True, flat_observations=True, render_mode="ansi")
    rng = np.random.default_rng(1)
    env.reset(seed=11)
    env.action_space("player_0").seed(3)
    assert env.render()
    decisions = 0
    while env.agents:
        decisions += 1
        actions = {agent: legal_choice(rng, env.action_mask(agent)) for agent in env.agents}
        twin = _copy(env, way, tmp_path)
        before = env.batch.games.tobytes()
        assert same(twin.observe("player_1"), env.observe("player_1"))
        ahead = [twin.step(actions), *play_parallel(twin, np.random.default_rng(2)), twin.reset()]
        assert env.batch.games.tobytes() == before
        if decisions % 5 == 1:
            late = _copy(env, way, tmp_path)
            assert same(
                ahead, [late.step(actions), *play_parallel(late, np.random.default_rng(2)), late.reset()]
            )
        env.step(actions)
    twin = _copy(env, way, tmp_path)
    assert twin.agents == [] and twin.scores() == env.scores()
    assert same(twin.reset(), env.reset())


def _copy(env: ParallelGameEnv, way: str, folder: Path) -> ParallelGameEnv:
    if way == "clone":
        return env.clone()
    if way == "deepcopy":
        return copy.deepcopy(env)
    if way == "pickle":
        found = pickle.loads(pickle.dumps(env))
        assert isinstance(found, ParallelGameEnv)
        return found
    env.save(folder / "game.npz")
    return ParallelGameEnv.load(folder / "game.npz", game=env.game)


def test_copies_have_samplers_of_their_own() -> None:
    env = ParallelGameEnv(TOY)
    env.reset(seed=0)
    env.action_space("player_0").seed(1)
    twin = env.clone()
    drawn = [int(env.action_space("player_0").sample()) for _ in range(8)]
    assert drawn == [int(twin.action_space("player_0").sample()) for _ in range(8)]


@pytest.mark.filterwarnings(
    "ignore:unclosed file:ResourceWarning"
)  # numpy's own, of archives that end too early
def test_files_that_are_damaged_or_of_another_kind_are_refused(tmp_path: Path) -> None:
    from antiquity.envs.aec import AECGameEnv

    env = ParallelGameEnv(TOY)
    env.reset(seed=0)
    path = tmp_path / "game.npz"
    env.save(path)
    with pytest.raises(ValueError, match="ParallelGameEnv"):
        AECGameEnv.load(path, game=TOY)
    with pytest.raises(ValueError, match="seven_wonders"):
        ParallelGameEnv.load(path, game=WONDERS)
    env.batch.save(path)
    with pytest.raises(ValueError, match="no saved environment"):
        ParallelGameEnv.load(path, game=TOY)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ValueError, match="damaged"):
        ParallelGameEnv.load(path, game=TOY)
    with pytest.raises(FileNotFoundError):
        ParallelGameEnv.load(tmp_path / "nothing.npz")
    assert [each.name for each in tmp_path.iterdir()] == ["game.npz"]


@both_games
def test_a_determinized_copy_looks_the_same_to_its_agent(game: Game) -> None:
    env = ParallelGameEnv(game, memory=True)
    rng = np.random.default_rng(3)
    env.reset(seed=5)
    fill_up(env, rng, 4)
    before = env.batch.games.tobytes()
    worlds = [env.determinized("player_2", seed) for seed in range(6)]
    assert env.batch.games.tobytes() == before
    for world in worlds:
        assert same(world.observe("player_2"), env.observe("player_2"))
        assert world.legal_actions("player_2") == env.legal_actions("player_2")
        list(play_parallel(world, np.random.default_rng(0)))
        assert world.agents == []
    assert len({world.batch.games.tobytes() for world in worlds}) > 1
    with pytest.raises(ValueError, match="player_99"):
        env.determinized("player_99", 0)


@both_games
def test_words_numbers_and_agents(game: Game) -> None:
    env = ParallelGameEnv(game)
    env.reset(seed=0)
    assert env.deciders == env.agents
    for agent in env.agents:
        legal = env.legal_actions(agent)
        assert legal == np.flatnonzero(env.action_mask(agent)).tolist()
        assert len({env.describe(agent, action) for action in legal}) == len(legal)
        for name in ("random", "greedy"):
            assert make_agent(name, game).choose(env, agent) in legal
    with pytest.raises(ValueError, match="nobody"):
        env.observe("nobody")


def test_waiting_agents_have_wait_alone() -> None:
    env = ParallelGameEnv(TOY)
    rng = np.random.default_rng(0)
    waited = 0
    for _ in range(5):
        env.reset(seed=waited)
        while env.agents:
            for agent in env.agents:
                legal = env.legal_actions(agent)
                assert (legal == [0]) == (agent not in env.deciders)
                waited += legal == [0]
            env.step({agent: legal_choice(rng, env.action_mask(agent)) for agent in env.agents})
    assert waited


@both_games
def test_drawing(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    env = ParallelGameEnv(game, render_mode="ansi")
    assert "reset" in str(env.render())
    env.reset(seed=0)
    assert isinstance(env.render(), str)
    human = ParallelGameEnv(game, render_mode="human")
    human.reset(seed=0)
    assert capsys.readouterr().out
    human.step(human.sample_actions())
    assert capsys.readouterr().out
    assert human.render() is None
    silent = ParallelGameEnv(game)
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="render mode"):
        assert silent.render() is None
    with pytest.raises(ValueError, match="render_mode"):
        ParallelGameEnv(game, render_mode="painting")


def test_bad_options_are_refused_with_words() -> None:
    with pytest.raises(ValueError, match="3 to 7 players"):
        seven_wonders_env.parallel_env(num_players=9)
    with pytest.raises(TypeError, match="num_players"):
        seven_wonders_env.parallel_env(num_players="four")
    with pytest.raises(TypeError, match=r"^unexpected keyword argument 'sidez'; did you mean 'sides'"):
        seven_wonders_env.parallel_env(sidez="day")
    with pytest.raises(TypeError, match=r"did you mean 'num_players'.*render_mode.*reward"):
        seven_wonders_env.parallel_env(numplayers=3)
    with pytest.raises(ValueError, match="sides"):
        seven_wonders_env.parallel_env(sides="top")
    with pytest.raises(ValueError, match="reward"):
        seven_wonders_env.parallel_env(reward="gold")


def test_names_and_metadata() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = seven_wonders_env.parallel_env(num_players=5)
    assert str(env) == "seven_wonders_v1"
    assert env.possible_agents == [f"player_{seat}" for seat in range(5)]
    assert env.max_num_agents == env.num_players == 5 and env.num_agents == 0
    assert env.metadata["render_modes"][:3] == ["ansi", "human", "rgb_array"]
    assert env.unwrapped is env
    env.close()
