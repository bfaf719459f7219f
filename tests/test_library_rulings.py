"""Points on which environment libraries are known to go wrong, one named test each, for every game.

More on each of them lies in the tests of the part concerned; these say that it holds for every game that is there.
"""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from antiquity import Batch
from antiquity.envs.aec import AECGameEnv
from antiquity.envs.ids import id_of
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.game import GAMES, make_game
from antiquity.testing.table import Table

COUNTS = [
    (name, players)
    for name in GAMES
    for players in range(make_game(name).min_players, make_game(name).max_players + 1)
]
every_game = pytest.mark.parametrize("name", GAMES)


def parallel(name: str, **options: Any) -> ParallelGameEnv:
    return ParallelGameEnv(make_game(name), **options)


def advanced(name: str, steps: int = 15, seed: int = 3, **options: Any) -> ParallelGameEnv:
    """An environment some steps into a game."""
    env = parallel(name, **options)
    env.reset(seed=seed)
    for step in range(steps):
        env.step(env.sample_actions(step))
    return env


def finished(env: ParallelGameEnv, salt: int = 0) -> tuple[Any, ...]:
    """Play on at random; what the last step returned."""
    result: tuple[Any, ...] = ()
    while env.agents:
        result = env.step(env.sample_actions(salt))
        salt += 1
    return result


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_ruling_01_at_least_one_legal_action(name: str, players: int) -> None:
    batch = Batch(name, 40, players, seed=1, copy=False)
    batch.reset()
    for _ in range(150):
        masks = batch.step(batch.sample()).masks
        deciding = (batch.games["deciders"][:, None] >> np.arange(players)) & 1 == 1
        legal = masks.sum(axis=2)
        assert (legal >= 1).all() and (legal[~deciding] == 1).all()
        assert (masks[:, :, 0] == ~deciding).all()
    assert batch.games["deciders"].all()


@every_game
def test_ruling_02_mask_type_and_length(name: str) -> None:
    env = advanced(name)
    for agent in env.agents:
        mask = env.action_mask(agent)
        assert mask.dtype == np.int8 and mask.shape == (env.game.num_actions,) and set(mask) <= {0, 1}
        assert mask[env.action_space(agent).sample(mask)] == 1


@every_game
def test_ruling_03_mask_equals_step(name: str) -> None:
    env = advanced(name)
    agent = env.deciders[0]
    actions = env.sample_actions(99)
    mask = env.action_mask(agent)
    for action in range(env.game.num_actions):
        other = env.clone()
        if mask[action]:
            other.step({**actions, agent: action})
        else:
            with pytest.raises(ValueError, match="not legal"):
                other.step({**actions, agent: action})
            assert other.state().tobytes() == env.state().tobytes()


@every_game
def test_ruling_04_last_step_and_agent_list(name: str) -> None:
    env = advanced(name, 0)
    results = finished(env)
    assert env.agents == []
    for part in results:
        assert list(part) == env.possible_agents
    assert all(results[2].values()) and not any(results[3].values())


@every_game
def test_ruling_05_after_the_end(name: str) -> None:
    env = advanced(name, 0)
    finished(env)
    before = env.scores()
    assert env.step({}) == ({}, {}, {}, {}, {})
    with pytest.raises(ValueError, match="reset"):
        env.step(dict.fromkeys(env.possible_agents, 0))
    assert env.scores() == before


@every_game
def test_ruling_06_same_seed_same_game(name: str) -> None:
    one, other = advanced(name, 0, seed=7), advanced(name, 4, seed=8)
    other.reset(seed=7)
    while one.agents:
        np.random.random()  # noqa: NPY002
        random.random()
        actions = one.sample_actions(5)
        left, right = one.step(actions), other.step(actions)
        for agent in left[0]:
            assert left[0][agent]["observation"].tobytes() == right[0][agent]["observation"].tobytes()
            assert left[1][agent] == right[1][agent]
            assert (left[4][agent]["action_mask"] == right[4][agent]["action_mask"]).all()


@every_game
def test_ruling_07_copy_and_pickle_in_mid_game(name: str) -> None:
    for steps in (0, 9, 15):
        env = advanced(name, steps, reward="points")
        copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone()]
        rewards = finished(env, 3)[1]
        for other in copies:
            assert finished(other, 3)[1] == rewards
            assert other.scores() == env.scores()


@every_game
def test_ruling_08_own_generator_per_instance(name: str) -> None:
    env = advanced(name, 0, seed=1)
    other = env.clone()
    env.reset()
    other.reset()
    assert env.state().tobytes() == other.state().tobytes()
    other.reset(seed=2)
    env.reset()
    assert env.state().tobytes() != other.state().tobytes()


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_ruling_09_observations_inside_their_space(name: str, players: int) -> None:
    env = parallel(name, num_players=players, memory=True)
    for seed in range(3):
        env.reset(seed=seed)
        while env.agents:
            observations, *_ = env.step(env.sample_actions(seed))
            for agent, seen in observations.items():
                assert env.observation_space(agent).contains(seen)


@every_game
def test_ruling_10_hidden_information(name: str) -> None:
    for steps in (1, 10, 30):
        env = advanced(name, steps, memory=True)
        for agent in env.agents:
            for seed in (1, 2):
                other = env.determinized(agent, seed)
                assert (
                    env.observe(agent)["observation"].tobytes()
                    == other.observe(agent)["observation"].tobytes()
                )
                assert (env.action_mask(agent) == other.action_mask(agent)).all()


def test_ruling_11_same_view_for_every_seat() -> None:
    game = make_game("seven_wonders")
    for players in (3, 5, 7):
        table = Table(game, players, seed=players, sides="night")
        rng = random.Random(players)
        for _ in range(25):
            table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})
            if table.over:
                break
            rotated = table.copy()
            for field in game.dtype.names or ():
                value = table.games[field]
                axis = value.ndim - 1 if field == "history" else 1
                if value.ndim > axis and value.shape[axis] == game.max_players and field != "seed":
                    seats = np.take(value, range(players), axis=axis)
                    index = [slice(None)] * value.ndim
                    index[axis] = slice(0, players)
                    rotated.games[field][tuple(index)] = np.roll(seats, 1, axis=axis)
            bits = int(table.record["deciders"])
            rotated.record["deciders"] = (bits << 1 | bits >> (players - 1)) & ((1 << players) - 1)
            if table.record["picker"]:
                rotated.record["picker"] = int(table.record["picker"]) % players + 1
            for seat in range(players):
                assert table.observe(seat).tobytes() == rotated.observe((seat + 1) % players).tobytes()
                assert table.legal(seat) == rotated.legal((seat + 1) % players)


@every_game
def test_ruling_12_illegal_actions(name: str) -> None:
    env = advanced(name)
    before = env.state().tobytes()
    actions = env.sample_actions(1)
    agent = env.deciders[0]
    illegal = int(np.flatnonzero(env.action_mask(agent) == 0)[0])
    for wrong in ({**actions, agent: illegal}, {**actions, agent: 10_000}, {**actions, "nobody": 0}):
        with pytest.raises(ValueError, match=r".+"):
            env.step(wrong)
    with pytest.raises(ValueError, match=agent):
        env.step({other: action for other, action in actions.items() if other != agent})
    assert env.state().tobytes() == before
    env.reset(seed=5)
    assert env.state().tobytes() == advanced(name, 0, seed=5).state().tobytes()
    lose = advanced(name, on_illegal="lose")
    _, _, ended, _, infos = lose.step({**lose.sample_actions(1), agent: illegal})
    assert all(ended.values()) and lose.agents == []
    assert infos[agent]["rank"] == len(lose.possible_agents)


@every_game
def test_ruling_13_rewards_add_up(name: str) -> None:
    env = parallel(name, reward="points")
    env.reset(seed=2)
    sums = dict.fromkeys(env.agents, 0.0)
    infos: dict[str, Any] = {}
    while env.agents:
        _, rewards, *_, infos = env.step(env.sample_actions(4))
        for agent, reward in rewards.items():
            sums[agent] += reward
    assert {agent: info["total"] for agent, info in infos.items()} == sums
    turns = AECGameEnv(make_game(name), reward="win")
    turns.reset(seed=2)
    gained = dict.fromkeys(turns.possible_agents, 0.0)
    for agent in turns.agent_iter():
        _, reward, terminated, truncated, _ = turns.last()
        gained[agent] += reward
        turns.step(None if terminated or truncated else turns.sample_action())
    assert sum(gained.values()) == pytest.approx(1.0)


@every_game
def test_ruling_14_vector_reset_modes(name: str) -> None:
    for mode in gymnasium.vector.AutoresetMode:
        if mode is gymnasium.vector.AutoresetMode.DISABLED:
            continue
        env = gymnasium.make_vec(id_of(make_game(name)), num_envs=4, autoreset_mode=mode)
        assert env.metadata["autoreset_mode"] == mode
        _, infos = env.reset(seed=1)
        ended = np.zeros(4, bool)
        seen = 0
        while seen < 6:
            masks = np.asarray(infos["action_mask"])
            actions = np.array([np.flatnonzero(mask)[0] for mask in masks])
            was = ended
            _, rewards, terminated, truncated, infos = env.step(actions)
            ended = terminated | truncated
            seen += int(ended.sum())
            if mode is gymnasium.vector.AutoresetMode.NEXT_STEP:
                assert not ended[was].any() and (rewards[was] == 0).all()
            elif ended.any():
                assert all((infos["final_obs"][k] is not None) for k in np.flatnonzero(ended))
        env.close()


@every_game
def test_ruling_15_masks_through_wrappers(name: str) -> None:
    env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(id_of(make_game(name))))
    _, info = env.reset(seed=1)
    assert (env.get_wrapper_attr("action_masks")() == info["action_mask"]).all()


@every_game
def test_ruling_16_stable_space_objects(name: str) -> None:
    env = advanced(name)
    for agent in env.possible_agents:
        space = env.action_space(agent)
        assert space is env.action_space(agent)
        assert env.observation_space(agent) is env.observation_space(agent)
        space.seed(4)
        first = [space.sample() for _ in range(5)]
        space.seed(4)
        assert first == [space.sample() for _ in range(5)]
        env.reset()
        assert space is env.action_space(agent)


PLAY = """
import sys
from antiquity import Batch
batch = Batch(sys.argv[1], 2, seed=11, threads=int(sys.argv[2]))
batch.reset()
batch.rollout()
print(batch.games.tobytes().hex())
"""


def played(name: str, threads: int = 1, **environment: str) -> bytes:
    """Two games in a process of their own; the records at their end."""
    result = subprocess.run(
        [sys.executable, "-c", PLAY, name, str(threads)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return bytes.fromhex(result.stdout.strip())


def test_ruling_17_read_only_install(tmp_path: Path) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("a file, so that no folder can be made here")
    environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "XDG_CACHE_HOME")}
    program = (
        "import dice_env; env = dice_env.parallel_env(num_players=2); env.reset(seed=1);"
        "env.step(env.sample_actions(0)); print('played')"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**environment, "ANTIQUITY_CACHE_DIR": str(nowhere / "below"), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == "played"


def test_ruling_18_changed_tables_are_used() -> None:
    game = make_game("seven_wonders")
    points = []
    for cards in ("second_edition", "second_edition_print"):
        table = Table(game, 3, seed=1, cards=cards)
        theater = next(kind for kind in range(70) if "Theater" in table.words(0, 1 + 3 * kind))
        table.record["city"][0][theater // 64] |= np.uint64(1 << theater % 64)
        points.append(int(table.score()[0][game.categories.index("civilian")]))
    assert points == [2, 3]


@every_game
def test_ruling_19_chance_in_compiled_code(name: str) -> None:
    here = Batch(name, 2, seed=11, threads=2)
    here.reset()
    np.random.seed(0)  # noqa: NPY002
    here.rollout()
    assert played(name, NUMBA_DISABLE_JIT="1") == here.games.tobytes() == played(name)


def total_of(name: str) -> int:
    batch = Batch(name, 2, seed=3)
    batch.reset()
    return int(batch.rollout().sum())


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_ruling_20_fork_after_compiling(method: str) -> None:
    wanted = total_of("seven_wonders")
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.apply_async(total_of, ("seven_wonders",)).get(timeout=120) == wanted
