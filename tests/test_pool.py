"""Pools of opponents in the environments: who is drawn, what is learnt of them, and files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dice_env
from antiquity.agents import Decisions, NetworkAgent, OpponentPool
from antiquity.agents.search import SearchAgent
from antiquity.batch import Batch
from antiquity.envs.opponents import LearnerGames
from antiquity.envs.sb3 import GameVecEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.envs.vector import GameVectorEnv

GAME = dice_env.GAME


def first_legal(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def pool_of(sampling: str = "uniform", seed: int = 4) -> OpponentPool:
    pool = OpponentPool(GAME, {"greedy": 0.25}, sampling=sampling, seed=seed)
    pool.add("random")
    pool.add(first_legal)
    return pool


def play(games: LearnerGames, steps: int) -> list[Any]:
    """Games of a learner that takes its first legal action, and what happened in them."""
    found: list[Any] = []
    for _ in range(steps):
        index = games.going()
        _, masks = games.show(index)
        rewards, ended = games.step(index, masks.argmax(axis=1))
        found.append((rewards.tolist(), [games.seat_names(int(each)) for each in ended]))
        if len(ended):
            games.begin(index=ended)
    return found


# --- who is drawn ---------------------------------------------------------------------------------------------------


def test_the_same_seed_draws_the_same_wherever_a_game_is() -> None:
    pool = pool_of()
    seeds = np.arange(200, dtype=np.uint64) * np.uint64(7919)
    drawn = pool.draw_seats(seeds, 3)
    assert drawn.shape == (200, 3) and set(drawn.ravel()) == {0, 1, 2}
    assert (pool.draw_seats(seeds[::-1], 3)[::-1] == drawn).all()
    assert (pool.draw_seats(seeds[50:60], 3) == drawn[50:60]).all()
    assert (pool.draw_seats(seeds, 2) == drawn[:, :2]).all()
    assert (pool_of(seed=5).draw_seats(seeds, 3) != drawn).any()


@pytest.mark.parametrize("sampling", ["uniform", "rating", "pfsp"])
def test_those_that_were_added_share_by_what_is_known_of_them(sampling: str) -> None:
    pool = pool_of(sampling)
    assert pool.shares() == pytest.approx([0, 0.25, 0.375, 0.375])
    # The learner beats one always, and loses to the other three times of four.
    pool.record([1] * 40, [1.0] * 40)
    pool.record([2] * 40, [0.0, 0.0, 0.0, 1.0] * 10)
    easy, hard = pool.members[1:]
    assert easy.games == hard.games == 40
    assert easy.win_rate == pytest.approx(40.5 / 41) and hard.win_rate == pytest.approx(10.5 / 41)
    assert easy.rating < -150 < 100 < hard.rating
    weights = {
        "uniform": (1.0, 1.0),
        "rating": (10 ** (easy.rating / 400), 10 ** (hard.rating / 400)),
        "pfsp": ((1 - easy.win_rate) ** 2, (1 - hard.win_rate) ** 2),
    }[sampling]
    wanted = [0.25, *(0.75 * each / sum(weights) for each in weights)]
    assert pool.shares()[1:] == pytest.approx(wanted)
    drawn = pool.draw_seats(np.arange(20_000, dtype=np.uint64), 2)
    assert np.bincount(drawn.ravel(), minlength=3) / drawn.size == pytest.approx(wanted, abs=0.012)


def test_nobody_to_play_against_is_an_error() -> None:
    with pytest.raises(ValueError, match="no member of the pool has a share"):
        SingleAgentEnv(GAME, 2, opponents=OpponentPool(GAME)).reset(seed=0)
    with pytest.raises(ValueError, match="Stone Age"):
        SingleAgentEnv(GAME, 2, opponents=OpponentPool("stone_age", {"greedy": 1.0}))
    with pytest.raises(ValueError, match="uniform"):
        OpponentPool(GAME, sampling="best")


def test_unsound_results_change_nothing() -> None:
    pool = pool_of()
    before = [(each.games, each.win_rate, each.rating) for each in pool.members]
    for members, points in (([3], [1.0]), ([-1], [1.0]), ([0], [1.5]), ([0], [np.nan]), ([0, 1], [1.0])):
        with pytest.raises(ValueError, match=r"members|points|results"):
            pool.record(members, points)
    assert [(each.games, each.win_rate, each.rating) for each in pool.members] == before


# --- in the environments --------------------------------------------------------------------------------------------


def test_equal_seeds_meet_equal_opponents() -> None:
    runs = []
    for _ in range(2):
        games = LearnerGames(GAME, 3, [2, 3, 4], opponents=pool_of("pfsp"), seat="rotate")
        games.begin(11)
        runs.append(play(games, 150))
    assert runs[0] == runs[1]
    ended = [names for _, over in runs[0] for names in over]
    assert len(ended) > 4 and {name for names in ended for name in names} == {
        "learner",
        "greedy",
        "random",
        "first_legal",
    }


def test_results_are_those_of_the_games() -> None:
    pool = pool_of()
    games = LearnerGames(GAME, 2, 3, opponents=pool)
    games.begin(3)
    told: dict[int, list[float]] = {0: [], 1: [], 2: []}
    for _ in range(120):
        index = games.going()
        drawn = games.drawn.copy()
        _, ended = games.step(index, games.show(index)[1].argmax(axis=1))
        for game in ended.tolist():
            for offset in (1, 2):
                points = np.sign(games.ranks[game, offset] - games.ranks[game, 0]) / 2 + 0.5
                told[int(drawn[game, offset - 1])].append(float(points))
        if len(ended):
            games.begin(index=ended)
    assert sum(map(len, told.values())) >= 8
    for number, points in told.items():
        assert pool.members[number].games == len(points)
        if points:
            assert pool.members[number].win_rate == pytest.approx((sum(points) + 0.5) / (len(points) + 1))


def test_what_is_added_plays_from_the_next_episode_on() -> None:
    pool = OpponentPool(GAME, {"greedy": 1e-9}, seed=1)
    pool.add("random")
    env = SingleAgentEnv(GAME, 2, opponents=pool)
    env.reset(seed=2)
    assert env.games.seat_names(0) == ("learner", "random")
    for _ in range(2000):
        pool.add("greedy", "later")
    assert env.games.seat_names(0) == ("learner", "random")
    env.reset()
    assert env.games.seat_names(0)[1] == "greedy" and env.games.drawn[0, 0] > 1


@pytest.mark.parametrize("make", [GameVecEnv, GameVectorEnv], ids=["sb3", "gymnasium"])
def test_vectors_of_environments_take_a_pool(make: Callable[..., Any]) -> None:
    words: dict[str, Any] = {"rows": "learner", "seed": 5} if make is GameVecEnv else {}
    env = make(GAME, 4, num_players=3, opponents=pool_of(), **words)
    env.reset() if make is GameVecEnv else env.reset(seed=5)
    for _ in range(60):
        masks = env.env_method("action_masks") if make is GameVecEnv else env.action_masks()
        env.step(np.asarray(masks).argmax(axis=1))
    assert sum(member.games for member in env.games.pool.members) > 0


def test_snapshots_are_added_while_maskable_ppo_learns(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="stable-baselines3 needs the extra sb3")
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

    pool = OpponentPool(GAME, {"random": 0.5}, seed=3)
    pool.add("greedy")

    class Snapshots(BaseCallback):
        def _on_step(self) -> bool:
            return True

        def _on_rollout_end(self) -> None:
            path = tmp_path / f"{len(pool)}.npz"
            NetworkAgent.from_sb3(self.model, GAME).save(path)
            pool.add(str(path))

    env = GameVecEnv(GAME, 4, num_players=2, rows="learner", opponents=pool, seed=1)
    MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=0, device="cpu").learn(
        3 * 64, callback=Snapshots()
    )
    assert len(pool) == 5 and isinstance(pool.members[-1].agent, NetworkAgent)
    pool.save(tmp_path / "pool.json")
    paths = {name: name for name in pool.names if name.endswith(".npz")}
    again = OpponentPool.load(tmp_path / "pool.json", agents=paths)
    seeds = np.arange(100, dtype=np.uint64)
    assert (again.draw_seats(seeds, 1) == pool.draw_seats(seeds, 1)).all()
    assert again.as_dict() == pool.as_dict()


def test_a_batch_plays_against_a_pool() -> None:
    pool = pool_of()
    batch = Batch(GAME, 6, 3, seed=2, autoreset=False)
    batch.reset()
    members = pool.draw_seats(batch.games["seed"], 2)
    rows = batch.rows()
    while len(rows.game):
        actions = rows.masks.argmax(axis=1)
        others = rows.seat > 0
        asked = Decisions(GAME, batch.games, batch.tables, rows.game[others], rows.seat[others])
        actions[others] = pool.act(members[rows.game[others], rows.seat[others] - 1], asked)
        rows = type(rows)(*batch.step_rows(actions)[:4])
    assert batch.games["over"].all()


# --- files ----------------------------------------------------------------------------------------------------------


def test_a_pool_goes_on_from_a_file(tmp_path: Path) -> None:
    agents = {"first_legal": first_legal}
    whole = LearnerGames(GAME, 2, 3, opponents=pool_of("rating"))
    whole.begin(8)
    play(whole, 60)
    assert whole.pool is not None
    whole.pool.save(tmp_path / "pool.json")
    again = OpponentPool.load(tmp_path / "pool.json", agents=agents)
    assert again.as_dict() == whole.pool.as_dict()
    with pytest.raises(ValueError, match="hand it over, agents="):
        OpponentPool.load(tmp_path / "pool.json")
    whole.pool.add(lambda observations, masks: masks.argmax(axis=1), "first_legal")
    with pytest.raises(ValueError, match="two agents are called 'first_legal'"):
        whole.pool.save(tmp_path / "pool.json")
    assert OpponentPool.load(tmp_path / "pool.json", agents=agents).as_dict() == again.as_dict()


def forged(about: dict[str, Any], **changes: Any) -> str:
    return json.dumps(about | changes)


def test_files_of_strangers_are_refused_in_a_line(tmp_path: Path) -> None:
    pool = OpponentPool(GAME, {"greedy": 0.5}, seed=1)
    pool.add("random")
    about, path = pool.as_dict(), tmp_path / "pool.json"
    member = about["members"][1]

    def with_member(**changes: Any) -> str:
        return forged(about, members=[about["members"][0], member | changes])

    for text in (
        "",
        "[1]",
        "{",
        "[" * 100_000,
        forged(about, format=99),
        forged(about, game="os:system"),
        forged(about, past=float("nan")),
        forged(about, past=3),
        forged(about, fixed={"greedy": -1}),
        forged(about, fixed={"random": 0.5}),
        forged(about, sampling="by chance"),
        forged(about, seed=-1),
        forged(about, members=[]),
        with_member(name="external:rm -rf /"),
        with_member(name=str(tmp_path / "policy.npz")),
        with_member(name=7),
        with_member(games=-1),
        with_member(win_rate=float("inf")),
        with_member(rating="high"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match="damaged or no opponent pool") as raised:
            OpponentPool.load(path)
        assert "\n" not in str(raised.value) and len(str(raised.value)) < 600
    with pytest.raises(FileNotFoundError):
        OpponentPool.load(tmp_path / "none.json")


@pytest.mark.parametrize("opponents", ["pool", "names", "function"])
def test_an_environment_goes_on_from_a_file(opponents: str, tmp_path: Path) -> None:
    kinds: dict[str, Any] = {"pool": pool_of(), "names": ["greedy", "random"], "function": first_legal}
    given = kinds[opponents]
    env = SingleAgentEnv(GAME, 3, seat="rotate", opponents=given, reward="points")
    env.reset(seed=6)

    def go_on(env: SingleAgentEnv, steps: int) -> list[Any]:
        seen: list[Any] = []
        for _ in range(steps):
            observation, reward, terminated, truncated, info = env.step(env.action_masks().argmax())
            seen.append((observation.tobytes(), reward, terminated, truncated, info["seat"]))
            if terminated or truncated:
                env.reset()
                seen.append(env.games.seat_names(0))
        return seen

    go_on(env, 37)
    env.save(tmp_path / "env.npz")
    agents = {"first_legal": first_legal}
    twin = SingleAgentEnv.load(tmp_path / "env.npz", agents=agents)
    copy = env.clone()
    expected = go_on(env, 90)
    assert go_on(twin, 90) == expected
    assert go_on(copy, 90) == expected
    if opponents != "names":
        with pytest.raises(ValueError, match="hand it over"):
            SingleAgentEnv.load(tmp_path / "env.npz")


def test_a_search_plays_in_the_environment() -> None:
    env = SingleAgentEnv(GAME, 2, opponents=pool_of(), seat=1)
    env.reset(seed=9)
    agent = SearchAgent(GAME, simulations=20, seed=1)
    over = False
    while not over:
        assert env.determinized(3).action_masks().tolist() == env.action_masks().tolist()
        action = int(agent.act(env.decisions())[0])
        *_, terminated, truncated, _info = env.step(action)
        over = terminated or truncated
    assert env.scores()["player_1"]["rank"] in (1, 2)
