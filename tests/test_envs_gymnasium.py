"""The Gymnasium environments: one seat against opponents, alone and many at once."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from antiquity.agents import Agent, Decisions, make_agent
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.envs.vector import GameVectorEnv
from antiquity.game import Game
from env_games import TOY, WONDERS, both_games, first_illegal, legal_choice, same

MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]


def play(env: SingleAgentEnv, rng: np.random.Generator, **reset: Any) -> list[Any]:
    """One game of random legal actions: the reset and every step."""
    steps: list[Any] = [env.reset(**reset)]
    info = steps[0][1]
    while True:
        steps.append(env.step(legal_choice(rng, info["action_mask"])))
        info = steps[-1][4]
        if steps[-1][2] or steps[-1][3]:
            return steps


def choose_all(rng: np.random.Generator, masks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.array([legal_choice(rng, mask) for mask in masks])


def unordered(nest: Any) -> Any:
    """The same with the keys of all dicts in order."""
    if isinstance(nest, dict):
        return {key: unordered(nest[key]) for key in sorted(nest)}
    if isinstance(nest, tuple | list):
        return type(nest)(map(unordered, nest))
    if isinstance(nest, np.ndarray) and nest.dtype == object:
        return [unordered(each) for each in nest]
    return nest


def greedy_mask(observations: np.ndarray[Any, Any], masks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A player as a function: the last legal action."""
    return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))


# --- one game -------------------------------------------------------------------------------------------------------


@both_games
@pytest.mark.parametrize("flat", [True, False])
def test_gymnasiums_own_check(game: Game, flat: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*alternative render modes.*")
        # It samples without masks.
        env = SingleAgentEnv(
            game, on_illegal="random", seat="rotate", flat_observations=flat, render_mode="ansi"
        )
        check_env(env)
    assert isinstance(env.observation_space, Box if flat else Dict)


@both_games
@pytest.mark.parametrize("opponents", ["random", "greedy", greedy_mask], ids=["random", "greedy", "function"])
def test_it_returns_at_real_decisions_of_its_own_seat(game: Game, opponents: Any) -> None:
    env = SingleAgentEnv(game, seat=1, opponents=opponents, reward="points")
    rng = np.random.default_rng(0)
    for number in range(4):
        (observation, info), *steps = play(env, rng, seed=1 if number == 0 else None)
        assert info["seat"] == 1 and info["action_mask"][0] == 0
        for observation, _, terminated, _, info in steps:
            assert env.observation_space.contains(observation)
            assert terminated == (info["action_mask"][0] == 1)
        assert sum(step[1] for step in steps) == info["total"]
        assert sum(info["scores"].values()) == info["total"]


@both_games
def test_it_is_the_parallel_game_with_the_others_played(game: Game) -> None:
    env, table = SingleAgentEnv(game, seat="player_2", opponents="random"), ParallelGameEnv(game)
    _, info = env.reset(seed=9)
    observations, infos = table.reset(seed=9)
    rng = np.random.default_rng(4)
    done, rewarded, rewarded_here = False, 0.0, 0.0
    while not done:
        action = legal_choice(rng, info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        rewarded += reward
        done = terminated or truncated
        # The random agent plays what the table's own sampler draws.
        actions = table.sample_actions() | {"player_2": action}
        while True:
            observations, rewards, _, _, infos = table.step(actions)
            rewarded_here += rewards["player_2"]
            if not table.agents or "player_2" in table.deciders:
                break
            actions = table.sample_actions()
        assert same(observation, observations["player_2"]["observation"])
    assert same(unordered(info), unordered(infos["player_2"] | {"seat": 2}))
    assert rewarded == rewarded_here


def test_one_seed_is_one_game_and_its_opponents() -> None:
    mixed = ["greedy", greedy_mask]
    env = SingleAgentEnv(TOY, opponents=mixed, seat="rotate")
    other = SingleAgentEnv(TOY, opponents=mixed, seat="rotate")
    play(other, np.random.default_rng(3))
    first = [play(env, np.random.default_rng(0), seed=5), play(env, np.random.default_rng(0))]
    again = [play(other, np.random.default_rng(0), seed=5), play(other, np.random.default_rng(0))]
    assert same(first, again)


def test_a_rotating_seat_is_another_one_in_every_game() -> None:
    env = SingleAgentEnv(WONDERS, 5, seat="rotate")
    seats = [env.reset(seed=2 if number == 0 else None)[1]["seat"] for number in range(10)]
    assert sorted(seats[:5]) == list(range(5)) and seats[:5] == seats[5:]
    assert len({env.reset(seed=seed)[1]["seat"] for seed in range(30)}) == 5


def test_opponents_sit_clockwise_from_the_learner() -> None:
    asked: list[tuple[str, int]] = []

    class Watcher(Agent):
        def __init__(self, name: str) -> None:
            self.name = name

        def act(self, decisions: Decisions) -> np.ndarray[Any, Any]:
            asked.extend((self.name, int(seat)) for seat in decisions.seats)
            return decisions.legal[:, 0]

    env = SingleAgentEnv(WONDERS, 3, seat=2, opponents=[Watcher("left"), Watcher("right")])
    play(env, np.random.default_rng(0), seed=0)
    assert {seat for name, seat in asked if name == "left"} == {0}
    assert {seat for name, seat in asked if name == "right"} == {1}


def test_an_opponent_that_plays_nonsense_is_named() -> None:
    def broken(observations: Any, masks: Any) -> Any:
        return np.zeros(len(masks), int)

    env = SingleAgentEnv(TOY, opponents=broken)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="'broken' chose the illegal action 0"):
        env.step(env.legal_actions()[0])


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"seat": 3}, ValueError, "seat"),
        ({"seat": "north"}, ValueError, "rotate"),
        ({"seat": 1.0}, TypeError, "seat"),
        ({"opponents": "nobody"}, ValueError, "no agent is called 'nobody'"),
        ({"opponents": ["random"]}, ValueError, "1 opponents for 2 other seats"),
        ({"opponents": 3}, TypeError, "an agent is"),
        ({"opponents": "nowhere.zip"}, FileNotFoundError, "nowhere"),
        ({"num_players": 7}, ValueError, "2 to 4 players"),
        ({"colour": "red"}, TypeError, r"^unexpected keyword argument 'colour'.*opponents"),
        ({"oponents": "greedy"}, TypeError, "did you mean 'opponents'"),
        ({"render_mode": "rgb_array"}, ValueError, "render_mode"),
    ],
)
def test_bad_options_are_refused_with_words(options: dict[str, Any], error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        SingleAgentEnv(TOY, **options)


@both_games
def test_bad_actions_are_refused_and_change_nothing(game: Game) -> None:
    env, other = SingleAgentEnv(game), SingleAgentEnv(game)
    with pytest.raises(ValueError, match="reset"):
        env.step(1)
    _, info = env.reset(seed=0)
    other.reset(seed=0)
    for action in (0, first_illegal(game, info["action_mask"]), -1, 10**30):
        with pytest.raises(ValueError, match="Legal"):
            env.step(action)
    with pytest.raises(TypeError, match="whole number"):
        env.step(0.5)
    action = env.legal_actions()[-1]
    assert env.describe(action)
    assert same(env.step(np.int64(action)), other.step(action))
    assert same(play(env, np.random.default_rng(0)), play(other, np.random.default_rng(0)))
    with pytest.raises(ValueError, match="reset"):
        env.step(1)


def test_illegal_actions_under_the_other_rules() -> None:
    losing = SingleAgentEnv(TOY, on_illegal="lose")
    losing.reset(seed=0)
    _, reward, terminated, _, info = losing.step(0)
    assert terminated and reward == 0 and info["rank"] == 3
    forgiving = SingleAgentEnv(TOY, on_illegal="random")
    forgiving.reset(seed=0)
    while not forgiving.step(10**6)[2]:
        pass


def test_truncation_and_drawing() -> None:
    env = SingleAgentEnv(TOY, max_cycles=1, render_mode="ansi")
    steps = play(env, np.random.default_rng(0), seed=0)
    assert len(steps) == 2 and steps[1][2:4] == (False, True) and "rank" in steps[1][4]
    assert isinstance(env.render(), str)
    assert env.state().shape == (TOY.state_layout.size,)


@both_games
@pytest.mark.parametrize(
    "way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)
def test_copies_go_on_alike_and_apart(game: Game, way: Any) -> None:
    env = SingleAgentEnv(game, opponents=["greedy"] + [greedy_mask] * (game.default_players - 2))
    _, info = env.reset(seed=1)
    env.step(legal_choice(np.random.default_rng(0), info["action_mask"]))
    twin = way(env)
    action = env.legal_actions()[0]

    def rest(each: SingleAgentEnv) -> list[Any]:
        return [each.step(action), *play(each, np.random.default_rng(1))]

    before = env.games.batch.games.tobytes()
    ahead = rest(twin)
    assert env.games.batch.games.tobytes() == before
    assert same(rest(env), ahead)


# --- many games -----------------------------------------------------------------------------------------------------


class Seeded(SingleAgentEnv):
    """A single environment whose seed is that of a batch's slot, so that it plays the slot's games."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        self.games.begin(None if seed is None else np.array([seed], np.uint64))
        return self._view()


@both_games
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("flat", [True, False], ids=["flat", "dict"])
def test_the_same_as_gymnasiums_vector_of_single_games(game: Game, mode: AutoresetMode, flat: bool) -> None:
    options: dict[str, Any] = {
        "reward": "points",
        "opponents": "greedy",
        "seat": 1,
        "flat_observations": flat,
    }
    count = 3
    native = GameVectorEnv(game, count, autoreset_mode=mode, **options)
    singles = SyncVectorEnv([lambda: Seeded(game, **options)] * count, autoreset_mode=mode)
    assert native.metadata["autoreset_mode"] is mode
    assert native.observation_space == singles.observation_space
    assert native.action_space == singles.action_space
    seeds: list[int | None] = [3, 4, 5]
    assert same(unordered(native.reset(seed=seeds)), unordered(singles.reset(seed=seeds)))
    rng = np.random.default_rng(0)
    endings = 0
    for _ in range(60):
        actions = choose_all(rng, native.action_masks())
        step = native.step(actions)
        assert same(unordered(step), unordered(singles.step(actions)))
        ended = step[2] | step[3]
        endings += ended.sum()
        if mode is AutoresetMode.DISABLED and ended.any():
            with pytest.raises(ValueError, match="have ended"):
                native.step(actions)
            observations, infos = native.reset(options={"reset_mask": ended.copy()})
            expected_observations, expected_infos = singles.reset(options={"reset_mask": ended.copy()})
            assert same(unordered(observations), unordered(expected_observations))
            # Gymnasium leaves zeros at the games that go on; here their masks are there as well.
            assert same(infos["_action_mask"], expected_infos["_action_mask"])
            assert same(infos["action_mask"][ended], expected_infos["action_mask"][ended])
    assert endings > 2


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_episode_statistics_by_gymnasiums_wrapper(mode: AutoresetMode) -> None:
    env = RecordEpisodeStatistics(GameVectorEnv(TOY, 4, autoreset_mode=mode, reward="points", seat="rotate"))
    _, infos = env.reset(seed=0)
    rng = np.random.default_rng(0)
    compared = 0
    for _ in range(80):
        _, _, terminated, _, infos = env.step(choose_all(rng, infos["action_mask"]))
        if not terminated.any():
            continue
        final = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
        assert same(final["_total"], terminated)
        returns, lengths = infos["episode"]["r"], infos["episode"]["l"]
        assert (returns[terminated] == final["total"][terminated]).all()
        assert (lengths[terminated] >= 3).all() and (lengths[terminated] <= 6).all()
        compared += terminated.sum()
        if mode is AutoresetMode.DISABLED:
            _, infos = env.reset(options={"reset_mask": terminated})
    assert compared > 20 and env.episode_count == compared


def test_next_step_ignores_one_action_and_same_step_shows_the_last_observation() -> None:
    nexts = GameVectorEnv(TOY, 1, autoreset_mode="NextStep", max_cycles=1)
    sames = GameVectorEnv(TOY, 1, autoreset_mode="SameStep", max_cycles=1)
    nexts.reset(seed=[7])
    sames.reset(seed=[7])
    action = np.flatnonzero(nexts.action_masks()[0])[:1]
    last, reward, terminated, truncated, infos = nexts.step(action)
    first, *_, infos_here = sames.step(action)
    assert (bool(terminated[0]), bool(truncated[0])) == (False, True)
    assert same(infos_here["final_obs"][0], last[0])
    assert infos_here["final_info"]["rank"][0] == infos["rank"][0]
    begun, reward, terminated, truncated, infos = nexts.step([-5])
    assert same(begun, first) and reward[0] == 0 and not truncated[0] and "rank" not in infos
    assert same(infos["action_mask"], infos_here["action_mask"])


@both_games
def test_a_batch_of_any_size_plays_the_same_games(game: Game) -> None:
    def record(count: int, threads: int) -> list[Any]:
        env = GameVectorEnv(
            game,
            count,
            threads=threads,
            autoreset_mode="SameStep",
            opponents=["greedy"] + [greedy_mask] * (game.default_players - 2),
            seat="rotate",
        )
        _, infos = env.reset(seed=0)
        found = []
        for _ in range(25):
            # The first legal action everywhere.
            observations, rewards, terminated, _, infos = env.step(infos["action_mask"].argmax(axis=1))
            found.append((observations[:2].copy(), rewards[:2].copy(), terminated[:2].copy()))
        return found

    assert same(record(2, 1), record(7, 1))
    assert same(record(2, 1), record(7, 3))


def test_a_rotating_seat_covers_all_seats_at_once() -> None:
    env = GameVectorEnv(WONDERS, 8, num_players=4, seat="rotate")
    _, infos = env.reset(seed=0)
    assert np.bincount(infos["seat"]).tolist() == [2, 2, 2, 2]


def test_mixed_player_counts() -> None:
    env = GameVectorEnv(
        WONDERS, 5, num_players=[3, 4, 5, 6, 7], seat="rotate", autoreset_mode="SameStep", opponents="greedy"
    )
    _, infos = env.reset(seed=0)
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(30):
        assert (infos["seat"] < [3, 4, 5, 6, 7]).all()
        observations, _, terminated, _, infos = env.step(choose_all(rng, infos["action_mask"]))
        assert env.observation_space.contains(observations)
        ended += terminated.sum()
    assert ended >= 5


def test_returned_arrays_are_the_callers_own() -> None:
    env, other = GameVectorEnv(TOY, 2), GameVectorEnv(TOY, 2)
    observations, infos = env.reset(seed=0)
    other.reset(seed=0)
    kept = observations.copy()
    actions = infos["action_mask"].argmax(axis=1)
    step = env.step(actions)
    assert same(observations, kept)
    step[0][:] = -1
    step[4]["action_mask"][:] = 1
    env.action_masks()[:] = True
    other.step(actions)
    assert same(env.action_masks(), other.action_masks())
    following = other.action_masks().argmax(axis=1)
    assert same(env.step(following), other.step(following))


def test_bad_calls_are_refused_and_change_nothing() -> None:
    env = GameVectorEnv(TOY, 2)
    with pytest.raises(ValueError, match="reset"):
        env.step([1, 1])
    with pytest.raises(ValueError, match="reset"):
        env.reset(options={"reset_mask": np.array([True, False])})
    _, infos = env.reset(seed=0)
    before = env.games.batch.games.tobytes()
    legal = infos["action_mask"].argmax(axis=1)
    with pytest.raises(ValueError, match="game 1, seat 0"):
        env.step([legal[0], 0])
    with pytest.raises(ValueError, match="shape"):
        env.step([1])
    with pytest.raises(TypeError, match="integers"):
        env.step([0.5, 1.0])
    with pytest.raises(ValueError, match="2 games"):
        env.reset(seed=[1])
    with pytest.raises(TypeError, match="reset_mask"):
        env.reset(options={"reset_mask": [True, False]})
    with pytest.raises(ValueError, match="nothing to begin"):
        env.reset(options={"reset_mask": np.zeros(2, bool)})
    assert env.games.batch.games.tobytes() == before
    with pytest.raises(ValueError, match="not a valid AutoresetMode"):
        GameVectorEnv(TOY, 2, autoreset_mode="Sometimes")
    env.reset(options={"reset_mask": np.array([True, False]), "unknown": 1})
    assert env.games.batch.games[1:].tobytes() == before[len(before) // 2 :]


def test_opponents_may_change_during_games() -> None:
    env = GameVectorEnv(TOY, 3, opponents=greedy_mask)
    _, infos = env.reset(seed=0)
    env.set_opponents("greedy")
    _, *_, infos = env.step(infos["action_mask"].argmax(axis=1))
    env.set_opponents(["random", greedy_mask])
    for _ in range(20):
        *_, infos = env.step(infos["action_mask"].argmax(axis=1))
    with pytest.raises(ValueError, match="no agent"):
        env.set_opponents("nobody")
    twin = pickle.loads(pickle.dumps(env))
    actions = infos["action_mask"].argmax(axis=1)
    assert same(env.step(actions), twin.step(actions))


def test_drawing_many() -> None:
    env = GameVectorEnv(TOY, 2, render_mode="ansi")
    env.reset(seed=0)
    texts = env.render()
    assert texts is not None and len(texts) == 2
    assert GameVectorEnv(TOY, 2).render() is None


@both_games
def test_searching_and_looking_from_the_learners_seat(game: Game) -> None:
    env = SingleAgentEnv(game, seat=1, opponents=["random"] * 2, num_players=3)
    with pytest.raises(ValueError, match="reset"):
        env.determinized(0)
    env.reset(seed=4)
    search = make_agent("search:simulations=8", game)
    for number in range(6):
        before = env.games.batch.games.copy()
        worlds = [env.determinized(seed) for seed in (number, number + 1)]
        assert same(env.games.batch.games, before)
        for world in worlds:
            assert same(world.games.show(np.zeros(1, np.int64))[0], env.games.show(np.zeros(1, np.int64))[0])
            assert world.legal_actions() == env.legal_actions()
            while len(world.games.going()):
                world.step(world.legal_actions()[0])
        action = search.choose(env, "player_1")
        assert action in env.legal_actions() and action == int(search.act(env.clone().decisions())[0])
        assert env.scores()["player_2"]["total"] == env.games.batch.scores()[0, 2, -2]
        if env.step(action)[2]:
            break
    with pytest.raises(ValueError, match="player_1"):
        env.decisions("player_0")
    env.set_opponents("greedy")
    assert "against greedy" in repr(env)


def test_before_the_first_reset_everything_says_so() -> None:
    env, envs = SingleAgentEnv(TOY), GameVectorEnv(TOY, 2)
    for look in (
        lambda: env.step(0),
        env.action_masks,
        env.legal_actions,
        lambda: env.describe(0),
        env.state,
        lambda: envs.step(np.zeros(2, np.int64)),
        envs.action_masks,
    ):
        with pytest.raises(ValueError, match="reset"):
            look()
    assert "seat 0 against random, not begun" in repr(env) and "2 games of Toy" in repr(envs)


def test_a_seed_of_none_among_others_continues_its_stream() -> None:
    env, twin = GameVectorEnv(TOY, 3), GameVectorEnv(TOY, 3)
    env.reset(seed=[1, 2, 3])
    twin.reset(seed=[1, 2, 3])
    env.reset(seed=[7, None, 9])
    twin.reset()
    seeds, streams = env.games.batch.games["seed"], twin.games.batch.games["seed"]
    assert seeds[1] == streams[1] and seeds[0] == 7 and seeds[2] == 9
    env.reset(seed=[5, 6, None], options={"reset_mask": np.array([False, True, True])})
    assert env.games.batch.games["seed"][0] == 7 and env.games.batch.games["seed"][1] == 6
    with pytest.raises(ValueError, match="seed is -1"):
        env.reset(seed=[None, -1, None])
    assert env.games.batch.games["seed"][1] == 6
    fresh = GameVectorEnv(TOY, 2)
    fresh.reset(seed=[1, None])
    assert fresh.games.batch.games["seed"][0] == 1


def test_wrappers_see_masks_through() -> None:
    env = gymnasium.wrappers.RecordEpisodeStatistics(SingleAgentEnv(TOY))
    _, info = env.reset(seed=0)
    assert same(env.get_wrapper_attr("action_masks")(), info["action_mask"].astype(bool))


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_masks_reach_through_processes(start: str) -> None:
    single = make_wonders()
    _, info = single.reset(seed=0)
    env = AsyncVectorEnv([make_wonders], context=start)
    try:
        env.reset(seed=[0])
        for _ in range(3):
            (mask,) = env.call("action_masks")
            assert same(mask, info["action_mask"].astype(bool))
            action = int(mask.argmax())
            observation, *_, infos = env.step(np.array([action]))
            expected, *_, info = single.step(action)
            assert same(observation[0], expected) and same(infos["action_mask"][0], info["action_mask"])
    finally:
        env.close()


def make_wonders() -> SingleAgentEnv:
    return SingleAgentEnv(WONDERS, seat=1)
