"""Batch.choices: legal lists with rows, and what the games say of each action; and the reward "mix"."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from antiquity import Batch
from antiquity.batch import Choices, Rows, RowStep
from env_games import TOY

GAMES = (("seven_wonders", 4), ("stone_age", 2), ("dice", 3))


def in_use(choices: Choices) -> NDArray[np.bool_]:
    return np.arange(choices.legal.shape[1]) < choices.counts[:, None]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_greedy_takes_what_is_appraised_highest(game: str, players: int) -> None:
    """At thousands of decisions, off the greedy agent's own paths as well."""
    batch = Batch(game, 64, players, seed=11)
    batch.reset()
    rows: Rows | RowStep = batch.rows()
    decisions, chance = 0, np.random.default_rng(0)
    for step in range(60):
        choices = batch.choices(rows.game, rows.seat)
        values = np.where(in_use(choices), choices.appraisals[:, :, 0], -np.inf)
        greedy, random = batch.sample_rows("greedy"), batch.sample_rows("random", salt=step)
        taken = (choices.legal == greedy[:, None]) & in_use(choices)
        assert (taken.sum(axis=1) == 1).all()
        # The noise that breaks ties stays below a thousandth.
        assert (values[taken] >= values.max(axis=1) - 0.00101).all()
        decisions += len(greedy)
        rows = batch.step_rows(np.where(chance.random(len(greedy)) < 0.7, greedy, random))
    assert decisions > 3_000


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_choices_are_the_legal_lists_with_numbers(game: str, players: int, threads: int) -> None:
    batch = Batch(game, 10, players, seed=2, threads=threads)
    batch.reset()
    for _ in range(20):
        index, seats = (each.ravel() for each in np.indices((10, players)))
        choices = batch.choices(index, seats)
        assert choices.legal.shape == (len(index), batch.game.max_legal)
        assert choices.appraisals.shape == (*choices.legal.shape, batch.game.appraisal.size)
        assert choices.appraisals.dtype == np.float32 and choices.legal.dtype == np.uint16
        assert np.isfinite(choices.appraisals).all()
        unused = ~in_use(choices)
        assert not choices.legal[unused].any() and not choices.appraisals[unused].any()
        assert not choices.appraisals[choices.legal[:, 0] == 0].any()
        for row, (i, s) in enumerate(zip(index.tolist(), seats.tolist(), strict=True)):
            assert choices.legal[row, : choices.counts[row]].tolist() == batch.legal_actions(i, s).tolist()
        low, high = batch.game.appraisal.low, batch.game.appraisal.high
        assert (choices.appraisals >= low).all() and (choices.appraisals <= high).all()
        batch.step(batch.sample())


def test_choices_are_the_callers_own() -> None:
    """Later calls change nothing in arrays that are still held, whatever ``copy`` says."""
    batch = Batch("seven_wonders", 4, 3, seed=2, copy=False)
    batch.reset()
    held, copies = [], []
    for _ in range(6):
        rows = batch.rows()
        held.append(batch.choices(rows.game, rows.seat))
        copies.append([each.copy() for each in held[-1]])
        batch.step(batch.sample())
    for choices, copied in zip(held, copies, strict=True):
        for one, other in zip(choices, copied, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_game_without_opinions_appraises_by_zeros() -> None:
    batch = Batch(TOY, 3, seed=0)
    batch.reset()
    choices = batch.choices([0, 2], [0, 1])
    assert choices.legal.shape[0] == 2 and choices.appraisals.shape[2] == 1
    assert not choices.appraisals.any()
    assert batch.choices([], []).legal.shape[0] == 0


def test_rows_that_do_not_exist_are_refused() -> None:
    batch = Batch("dice", 3, 2, seed=0)
    with pytest.raises(ValueError, match="call reset"):
        batch.choices([0], [0])
    batch.reset()
    with pytest.raises(ValueError, match="index has 3 to 3; there are 0 to 2"):
        batch.choices([3], [0])
    with pytest.raises(ValueError, match="seats has -1 to 0; there are 0 to 1"):
        batch.choices([0, 0], [0, -1])
    with pytest.raises(ValueError, match="as many of both"):
        batch.choices([0, 0], [0])
    with pytest.raises(TypeError, match="ints in one dimension"):
        batch.choices([0.0], [0])


# --- reward="mix" ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_mix_is_half_the_win_and_half_the_lead(game: str, players: int) -> None:
    batch = Batch(game, 12, players, seed=4, reward="mix", autoreset=False)
    batch.reset()
    paid = np.zeros((12, players))
    while not (batch.terminated | batch.truncated).all():
        rewards = batch.step(batch.sample()).rewards
        over = batch.terminated
        assert not rewards[~over].any()
        paid[over & (paid.sum(axis=1) == 0)] = rewards[over & (paid.sum(axis=1) == 0)]
    totals, ranks = batch.scores()[:, :, -2].astype(float), batch.ranks()
    lead = totals - (totals.sum(axis=1, keepdims=True) - totals) / (players - 1)
    share = (ranks == 1) / (ranks == 1).sum(axis=1, keepdims=True)
    expected = 0.5 * share + 0.5 / (1 + np.exp(-lead / batch.game.margin_scale))
    np.testing.assert_allclose(paid, expected, atol=1e-6)


def test_who_has_lost_by_an_illegal_action_counts_as_behind_all_others() -> None:
    batch = Batch("seven_wonders", 1, 3, seed=0, reward="mix", on_illegal="lose")
    batch.reset()
    actions = batch.sample()
    actions[0, 1] = 255
    rewards = batch.step(actions).rewards[0]
    # All have the points of three coins; the offender one margin_scale less.
    assert rewards[1] == pytest.approx(0.5 / (1 + np.exp(1)))
    assert rewards[0] == pytest.approx(0.25 + 0.5 / (1 + np.exp(-0.5)))
    assert rewards[2] == rewards[0]
