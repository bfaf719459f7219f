"""Observations as dicts of blocks and as tokens: the same facts as the vector's, in other places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity import Batch, make_game
from antiquity.batch import Form
from antiquity.envs.aec import AECGameEnv
from antiquity.envs.parallel import ParallelGameEnv
from antiquity.envs.single import SingleAgentEnv
from antiquity.envs.vector import GameVectorEnv
from antiquity.game import Layout
from antiquity.game.entities import Entity, completed
from env_games import TOY

NAMES = ("seven_wonders", "stone_age", "dice")
FORMS = ("dict", "tokens")


def batches(name: str, form: str, players: int, **options: Any) -> tuple[Batch, Batch]:
    return (
        Batch(name, 6, players, seed=4, **options),
        Batch(name, 6, players, seed=4, observation=form, **options),
    )


def vector_of(form: Form, tokens: dict[str, Any]) -> Any:
    """One observation's vector, put together again from its tokens alone."""
    layout, whole = form.token_layout, np.zeros(form.layout.size, np.float32)
    features, kinds = layout.features, layout.kinds
    for token, to, column, size in layout.copies:
        whole[column : column + size] = tokens["tokens"][token, to : to + size]
    for first, most, column, size, to in layout.scans:
        for token in range(first, first + most):
            row = tokens["tokens"][token]
            if tokens["present"][token]:
                assert row[to : to + size].sum() == 1
                whole[column + int(row[to : to + size].argmax())] = row[to + size]
    for token, kind in enumerate(tokens["types"]):
        row = tokens["tokens"][token]
        assert not row[len(features[kinds[kind]]) :].any()
        if not tokens["present"][token]:
            assert not row.any()
        elif layout.marks[token] >= 0:
            assert row[layout.marks[token]] == 1
    return whole


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_tokens_say_what_the_vector_says(name: str, memory: bool) -> None:
    game = make_game(name)
    for players in (game.min_players, game.max_players):
        plain, formed = batches(name, "tokens", players, memory=memory)
        vectors = plain.reset()[0]
        tokens: Any = formed.reset()[0]
        for step in range(60):
            if step % 6 == 0:
                for index in range(plain.num_games):
                    for seat in range(players):
                        one = {key: part[index, seat] for key, part in tokens.items()}
                        assert (vector_of(formed.form, one) == vectors[index, seat]).all()
            actions = plain.sample("greedy")
            vectors, tokens = plain.step(actions).observations, formed.step(actions).observations
            assert (formed.observations == plain.observations).all()


@pytest.mark.parametrize("name", NAMES)
def test_tokens_are_as_many_as_the_table_needs(name: str) -> None:
    game = make_game(name)
    few = Batch(game, 1, game.min_players, observation="tokens").form.token_layout
    many = Batch(game, 1, game.max_players, observation="tokens").form.token_layout
    assert few.shape[0] < many.shape[0] and few.shape[1] == many.shape[1]
    assert set(few.kinds) == set(many.kinds) and few.features == many.features


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_views_of_all_columns(name: str, dtype: str) -> None:
    plain, formed = batches(name, "dict", 4, dtype=dtype, memory=True)
    vectors = plain.reset()[0]
    blocks: Any = formed.reset()[0]
    seen = np.zeros(plain.layout.size, int)
    for block, columns in formed.form.blocks.items():
        seen[columns] += 1
        assert (blocks[block] == vectors[..., columns]).all() and blocks[block].dtype == dtype
    assert (seen == 1).all()
    assert {"me", "left", "table"} <= blocks.keys()
    fields = plain.layout.split(vectors)
    assert fields.keys() == {each.name for each in plain.layout}
    assert fields[plain.layout.fields[0].name].base is not None


@pytest.mark.parametrize("form", FORMS)
def test_all_results_of_a_batch_have_the_form(form: str, tmp_path: Path) -> None:
    plain, formed = batches("dice", form, 3)
    plain.reset()
    assert formed.observation_space.contains(formed.reset()[0])
    part = "me" if form == "dict" else "tokens"
    rows: Any = formed.rows()
    expected: Any = plain.rows()
    for _ in range(60):
        assert len(rows.observations[part]) == len(expected.game)
        for mine, own in zip(formed.form.rows(expected.observations), range(len(rows.game)), strict=True):
            assert (mine[part] == rows.observations[part][own]).all()
        if len(formed.ended.index):
            ended: Any = formed.ended.observations
            assert ended[part].shape[:2] == (len(formed.ended.index), 3)
        actions = plain.sample_rows("greedy")
        rows, expected = formed.step_rows(actions), plain.step_rows(actions)
    formed.save(tmp_path / "batch.npz")
    again = Batch.load(tmp_path / "batch.npz")
    assert again.form.name == form
    found: Any = again.rows().observations
    rows = formed.rows()
    assert (found[part] == rows.observations[part]).all()
    assert formed.clone().form.name == form


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", ["seven_wonders", TOY])
def test_environments_give_them_with_the_mask(form: str, game: Any, tmp_path: Path) -> None:
    env = ParallelGameEnv(game, 3, observation=form)
    observations, infos = env.reset(seed=1)
    space = env.observation_space("player_1")
    assert space.contains(observations["player_1"])
    assert (observations["player_1"]["action_mask"] == infos["player_1"]["action_mask"]).all()
    observations = env.step(env.sample_actions())[0]
    assert space.contains(observations["player_1"])
    seen = env.observe("player_1")
    assert all((seen[key] == part).all() for key, part in observations["player_1"].items())
    env.save(tmp_path / "env.npz")
    again = ParallelGameEnv.load(tmp_path / "env.npz", game=env.game)
    assert all((again.observe("player_1")[key] == part).all() for key, part in seen.items())
    aec = AECGameEnv(game, 3, observation=form)
    aec.reset(seed=1)
    assert aec.observation_space(aec.agent_selection).contains(aec.last()[0])
    one = SingleAgentEnv(game, 3, observation=form)
    assert one.observation_space.contains(one.reset(seed=1)[0])
    many = GameVectorEnv(game, 4, 3, observation=form, autoreset_mode="SameStep")
    found, infos = many.reset(seed=1)
    assert many.observation_space.contains(found)
    rng = np.random.default_rng(0)
    for _ in range(40):
        actions = [rng.choice(np.flatnonzero(mask)) for mask in many.action_masks()]
        found, _, terminated, _, infos = many.step(np.array(actions))
        assert many.observation_space.contains(found)
        for index in np.flatnonzero(terminated).tolist():
            finals: Any = infos["final_obs"]
            assert many.single_observation_space.contains(finals[index])


@pytest.mark.parametrize("rows", ["seats", "learner"])
@pytest.mark.parametrize("form", FORMS)
def test_stable_baselines_learns_from_them(form: str, rows: str) -> None:
    contrib = pytest.importorskip("sb3_contrib")
    sb3 = pytest.importorskip("antiquity.envs.sb3")
    env = sb3.GameVecEnv("dice", 4, 2, observation=form, rows=rows, seed=1)
    assert env.observation_space.contains({key: part[0] for key, part in env.reset().items()})
    model = contrib.MaskablePPO("MultiInputPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=0)
    model.learn(256)
    env.reset()
    ends = 0
    for _ in range(120):
        masks = env.masks()
        actions = np.array([np.flatnonzero(mask)[0] for mask in masks])
        _, _, dones, infos = env.step(actions)
        for row in np.flatnonzero(dones):
            assert env.observation_space.contains(infos[row]["terminal_observation"])
            ends += 1
    assert ends


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(ValueError, match="observation is 'graph'"):
        Batch("dice", observation="graph")
    with pytest.raises(ValueError, match=r"tokens.*float32.*uint8"):
        Batch("dice", observation="tokens", dtype="uint8")
    for make in (ParallelGameEnv, AECGameEnv, SingleAgentEnv):
        with pytest.raises(ValueError, match="flat_observations=True is the vector alone"):
            make("dice", 2, observation="dict", flat_observations=True)
    with pytest.raises(ValueError, match="flat_observations=True is the vector alone"):
        GameVectorEnv("dice", 2, 2, observation="tokens", flat_observations=True)


def test_entities_fit_the_layout() -> None:
    layout = Layout.build(*((name, size, 0, 1, 1, "") for name, size in (("a_x", 2), ("b_x", 3), ("c", 1))))
    named = [each.name for each in completed([Entity("a", "a", ("a_x",))], layout, 6)]
    assert named == ["table", "a"]
    assert [each.kind for each in completed([Entity("a", "a", ("a_x",))], layout, 5)] == [
        "table",
        "a",
        "memory",
    ]
    assert [each.name for each in completed([], layout, 6)] == ["a_x", "b_x", "c"]
    for wrong in (
        [Entity("a", "a", ("nothing",))],
        [Entity("a", "a", ("a_x",)), Entity("b", "b", ("a_x",))],
        [Entity("a", "a", ("a_x",)), Entity("a", "b", ("b_x",))],
    ):
        with pytest.raises(ValueError, match=r"field|columns"):
            completed(wrong, layout, 6)
