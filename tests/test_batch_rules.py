"""Rewards, illegal actions, cut-off games, and choices that are committed one seat at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from toy_game import CHOICE, GAME, GIVE, TAKE

Array = np.ndarray[Any, Any]


def ends(reward: str, num_players: Any = 4, **options: Any) -> list[tuple[int, Array, Array, Array]]:
    """Seats, scores, ranks and last rewards of some hundred games."""
    batch = Batch(GAME, 150, num_players, seed=4, reward=reward, **options)
    batch.reset()
    found = []
    for _ in range(12):
        players = batch.player_counts.copy()
        batch.step(batch.sample())
        ended = batch.ended
        for k, index in enumerate(ended.index):
            n = int(players[index])
            found.append((n, ended.scores[k], ended.ranks[k], ended.rewards[k]))
    assert len(found) > 300
    return found


# --- rewards ---

MIXED = [2, 3, 4] * 50


def test_ranks_go_by_total_and_then_by_the_tie_break() -> None:
    shared = 0
    for players, scores, ranks, _ in ends("win", MIXED):
        keys = [(int(total), int(tie)) for total, tie in scores[:players, -2:]]
        assert ranks[:players].tolist() == [1 + sum(other > key for other in keys) for key in keys]
        assert not ranks[players:].any()
        shared += len(set(keys)) < players
    assert shared > 5


def test_win_is_shared_by_the_winners() -> None:
    winners = set()
    for players, _, ranks, rewards in ends("win", MIXED):
        best = ranks[:players] == 1
        winners.add(int(best.sum()))
        assert np.allclose(rewards[:players], best / best.sum())
        assert not rewards[players:].any()
    assert winners >= {1, 2}


def test_rank_runs_from_one_to_zero_and_equals_share() -> None:
    for players, _, ranks, rewards in ends("rank", MIXED):
        mean = [np.mean([rank + i for i in range((ranks == rank).sum())]) for rank in ranks[:players]]
        assert np.allclose(rewards[:players], [(players - m) / (players - 1) for m in mean])
        assert rewards[:players].sum() == pytest.approx(players / 2)


def test_margin_is_the_lead_over_the_best_other() -> None:
    for players, scores, _, rewards in ends("margin", MIXED):
        totals = scores[:players, -2].tolist()
        for seat in range(players):
            others = totals[:seat] + totals[seat + 1 :]
            assert rewards[seat] == pytest.approx((totals[seat] - max(others)) / GAME.margin_scale)


@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
def test_nothing_before_the_end(reward: str) -> None:
    batch = Batch(GAME, 50, 3, seed=4, reward=reward)
    batch.reset()
    for _ in range(12):
        step = batch.step(batch.sample())
        assert not step.rewards[~step.terminated].any()


@pytest.mark.parametrize("autoreset", [True, False])
def test_points_add_up_to_the_score(autoreset: bool) -> None:
    batch = Batch(GAME, 60, MIXED[:60], seed=4, reward="points", bonus=3, autoreset=autoreset)
    batch.reset()
    sums, seen = np.zeros((60, 4)), 0
    for number in range(12):
        step = batch.step(batch.sample())
        if number == 0:
            present = np.arange(4) < batch.player_counts[:, None]
            assert np.array_equal(step.rewards >= 3, present)  # the first step has the points to begin with
        sums += step.rewards
        for k, index in enumerate(batch.ended.index):
            assert sums[index].tolist() == batch.ended.scores[k][:, -2].tolist()
            sums[index] = 0
            seen += 1
    assert seen >= 60


# --- cut-off games ---


@pytest.mark.parametrize("reward", ["win", "rank", "margin", "points"])
def test_games_that_are_cut_off(reward: str) -> None:
    batch = Batch(GAME, 80, 3, seed=4, reward=reward, max_cycles=4)
    batch.reset()
    cut = 0
    for _ in range(12):
        totals = batch.scores()[:, :, -2] * (batch.games["steps"] > 0)[:, None]
        step = batch.step(batch.sample())
        assert not (step.terminated & step.truncated).any()
        for k, index in enumerate(batch.ended.index):
            assert batch.ended.lengths[k] <= 4
            if step.truncated[index]:
                cut += 1
                assert batch.ended.lengths[k] == 4
                change = batch.ended.scores[k][:, -2] - totals[index]
                assert step.rewards[index].tolist() == (change.tolist() if reward == "points" else [0, 0, 0])
    assert cut > 50


def test_a_game_that_ends_at_the_limit_is_not_cut_off() -> None:
    batch = Batch(GAME, 80, 3, seed=4, max_cycles=6, autoreset=False)
    batch.reset()
    for _ in range(6):
        batch.step(batch.sample())
    assert batch.terminated.all() and not batch.truncated.any()
    assert (batch.games["steps"] == 6).any()


def test_cut_off_games_stand_still_without_autoreset() -> None:
    batch = Batch(GAME, 5, 3, seed=4, max_cycles=2, autoreset=False)
    batch.reset()
    batch.step(batch.sample())
    step = batch.step(batch.sample())
    assert step.truncated.all() and step.masks[..., 0].all()
    before = batch.games.tobytes()
    step = batch.step(np.zeros((5, 3), int))
    assert step.truncated.all() and not step.terminated.any()
    assert batch.games.tobytes() == before and batch.deciders(0) == ()
    batch.max_cycles = None
    batch.reset()
    for _ in range(6):
        step = batch.step(batch.sample())
    assert batch.max_cycles is None and step.terminated.all()


@pytest.mark.parametrize("autoreset", [True, False])
def test_a_game_that_cuts_itself_off_is_truncated(autoreset: bool) -> None:
    own = Batch(GAME, 40, 3, seed=4, reward="margin", limit=4, autoreset=autoreset)
    ours = Batch(GAME, 40, 3, seed=4, reward="margin", max_cycles=4, autoreset=autoreset)
    own.reset()
    ours.reset()
    for _ in range(9):
        one, other = own.step(own.sample()), ours.step(ours.sample())
        for name in ("rewards", "terminated", "truncated"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
        for name in ("index", "scores", "ranks", "lengths"):
            assert np.array_equal(getattr(own.ended, name), getattr(ours.ended, name)), name
        cut = one.truncated[own.ended.index]
        assert own.ended.masks[cut][..., 0].all()  # by its own rules nobody has anything to choose any more
    assert autoreset or own.truncated.sum() > 10


# --- illegal actions ---


@pytest.mark.parametrize("threads", [1, 3])
def test_a_refused_step_changes_nothing(threads: int) -> None:
    batch = Batch(GAME, 9, 3, seed=4, threads=threads, max_cycles=1)
    batch.reset()
    last = batch.step(batch.sample())
    ended = batch.ended
    actions = batch.sample()
    actions[7, 2], actions[4, 1] = 17, TAKE
    before = (batch.games.tobytes(), batch.observations.tobytes(), batch.masks.tobytes())
    with pytest.raises(
        ValueError, match=r"game 4, seat 1: action 4 \(take the prize\) is not legal now"
    ) as error:
        batch.step(actions)
    assert 'on_illegal="lose" or "random"' in str(error.value)
    legal = batch.legal_actions(4, 1).tolist()
    assert f"Legal: {', '.join(f'{action} (bid {action})' for action in legal)}." in str(error.value)
    assert (batch.games.tobytes(), batch.observations.tobytes(), batch.masks.tobytes()) == before
    assert batch.terminated is last.terminated or np.array_equal(batch.terminated, last.terminated)
    assert batch.truncated.all() and batch.ended is ended
    batch.step(batch.sample())


@pytest.mark.parametrize(
    ("action", "words"), [(17, "no action of Toy bids, which has 0 to 5"), (-1, "no action of Toy")]
)
def test_numbers_that_are_no_actions(action: int, words: str) -> None:
    batch = Batch(GAME, 1, 3, seed=4)
    batch.reset()
    actions = batch.sample()
    actions[0, 0] = action
    with pytest.raises(ValueError, match=f"seat 0: action {action} .{words}"):
        batch.step(actions)


def test_who_must_choose_cannot_wait_and_who_waits_cannot_choose() -> None:
    batch = Batch(GAME, 30, 3, seed=4)
    batch.reset()
    with pytest.raises(ValueError, match=r"action 0 \(wait\) is not legal now"):
        batch.step(np.zeros((30, 3), int))
    batch.step(batch.sample())
    choosing = np.flatnonzero(batch.games["phase"] == CHOICE)[0]
    waiting = (int(batch.games["winner"][choosing]) + 1) % 3
    actions = batch.sample()
    actions[choosing, waiting] = TAKE
    with pytest.raises(
        ValueError, match=rf"seat {waiting} has nothing to choose now and must send 0 \(WAIT\), not 4"
    ):
        batch.step(actions)


def test_what_is_sent_for_absent_seats_is_ignored() -> None:
    batch, other = (Batch(GAME, 2, [2, 4], seed=4) for _ in range(2))
    batch.reset()
    other.reset()
    actions = batch.sample()
    other.step(actions)
    actions[0, 2:] = [99, -7]
    batch.step(actions)
    assert batch.games.tobytes() == other.games.tobytes()


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        (np.zeros((2, 2), int), ValueError, r"actions have shape \(2, 2\); here they need \(2, 3\)"),
        (np.zeros((2, 3)), TypeError, "actions must be integers, not float64"),
        (np.zeros((2, 3), bool), TypeError, "not bool"),
        ([[1, 1, 1]], ValueError, "shape"),
    ],
)
def test_actions_of_another_shape_or_type(actions: Any, error: type[Exception], message: str) -> None:
    batch = Batch(GAME, 2, 3, seed=4)
    batch.reset()
    with pytest.raises(error, match=message):
        batch.step(actions)


def spoil(batch: Batch) -> tuple[Array, Array]:
    """Samples with an illegal action in every third game; which games."""
    actions = batch.sample()
    spoiled = np.arange(batch.num_games) % 3 == 0
    actions[spoiled, 1] = 9
    return actions, spoiled


@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
def test_an_illegal_action_may_lose_the_game(reward: str) -> None:
    batch = Batch(GAME, 60, 3, seed=4, on_illegal="lose", reward=reward, threads=2)
    batch.reset()
    for _ in range(3):
        actions, spoiled = spoil(batch)
        step = batch.step(actions)
        assert step.terminated[spoiled].all()
        for index, ranks, scores, rewards in zip(
            batch.ended.index, batch.ended.ranks, batch.ended.scores, batch.ended.rewards, strict=True
        ):
            if not spoiled[index]:
                continue
            assert ranks[1] == 3
            keys = [tuple(scores[seat, -2:]) for seat in (0, 2)]
            assert ranks[[0, 2]].tolist() == [1 + (keys[1] > keys[0]), 1 + (keys[0] > keys[1])]
            totals = scores[:, -2].astype(float)
            totals[1] = totals.min() - GAME.margin_scale
            expected = {
                "win": (ranks == 1) / (ranks == 1).sum(),
                "rank": np.array([0.75, 0, 0.75]) if keys[0] == keys[1] else (3 - ranks) / 2,
                "margin": [(totals[s] - max(np.delete(totals, s))) / GAME.margin_scale for s in range(3)],
            }[reward]
            assert np.allclose(rewards, expected)


def test_all_may_lose_at_once() -> None:
    batch = Batch(GAME, 1, 2, seed=4, on_illegal="lose", autoreset=False)
    batch.reset()
    step = batch.step([[9, 9]])
    assert step.terminated[0] and batch.games["forfeits"][0] == 3
    assert batch.ended.lengths[0] == 1
    assert step.rewards[0].sum() == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_an_illegal_action_may_be_replaced(threads: int) -> None:
    batch, alone = (Batch(GAME, n, 3, seed=4, on_illegal="random", threads=threads) for n in (30, 4))
    batch.reset()
    alone.reset()
    for _ in range(8):
        actions, spoiled = spoil(batch)
        legal = [batch.legal_actions(int(index), 1).tolist() for index in np.flatnonzero(spoiled)]
        before = batch.games.copy()
        batch.step(actions)
        alone.step(actions[:4])
        assert batch.games[:4].tobytes() == alone.games.tobytes()
        for index, choices in zip(np.flatnonzero(spoiled), legal, strict=True):
            if choices != [0] and before["phase"][index] != CHOICE and batch.games["steps"][index]:
                bid = batch.games["bids"][index, 1, before["round"][index]]
                assert bid in choices


def test_the_stand_in_is_uniform() -> None:
    batch = Batch(GAME, 4000, 2, seed=4, on_illegal="random", autoreset=False)
    batch.reset()
    three = batch.legal_counts[:, 0] == 3
    actions = batch.sample()
    actions[:, 0] = 9
    batch.step(actions)
    counts = np.bincount(batch.games["bids"][three, 0, 0], minlength=4)[1:]
    assert counts.sum() > 700
    assert abs(counts - counts.mean()).max() < 4 * np.sqrt(counts.mean())


# --- one seat at a time ---


@pytest.mark.parametrize("copy", [True, False])
def test_committed_choices_do_what_a_step_does(copy: bool) -> None:
    stepped = Batch(GAME, 4, 3, seed=4, reward="points")
    committed = Batch(GAME, 4, 3, seed=4, reward="points", copy=copy, threads=2)
    stepped.reset()
    committed.reset()
    for _ in range(12):
        actions = stepped.sample()
        step = stepped.step(actions)
        ended = []
        for index in reversed(range(4)):
            before = committed.observations.tobytes()
            deciders = committed.deciders(index)
            for left, seat in enumerate(reversed(deciders)):
                assert seat in committed.missing(index)
                assert committed.commit(index, seat, int(actions[index, seat])) == len(deciders) - 1 - left
            assert committed.observations.tobytes() == before  # choices are secret
            committed.resolve(index)
            assert np.array_equal(committed.rewards[index], step.rewards[index])
            ended += committed.ended.index.tolist()
        assert committed.games.tobytes() == stepped.games.tobytes()
        assert np.array_equal(committed.observations, step.observations)
        assert np.array_equal(committed.masks, step.masks)
        assert np.array_equal(committed.terminated, step.terminated)
        assert sorted(ended) == stepped.ended.index.tolist()
        assert len(committed.rows().game) == len(stepped.rows().game)


def test_commits_are_checked_and_may_be_replaced() -> None:
    batch = Batch(GAME, 2, 3, seed=4)
    with pytest.raises(ValueError, match="has not begun"):
        batch.commit(0, 0, 1)
    batch.reset()
    with pytest.raises(ValueError, match=r"game 1, seat 2: action 5 \(give the prize away\) is not"):
        batch.commit(1, 2, GIVE)
    with pytest.raises(TypeError):
        batch.commit(1, 2, 1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the seat is 3; it must be from 0 to 2"):
        batch.commit(1, 3, 1)
    with pytest.raises(ValueError, match="the index of a game is 2"):
        batch.commit(2, 0, 1)
    choices = batch.legal_actions(0, 0).tolist()
    for action in choices:
        assert batch.commit(0, 0, action) == 2
        assert batch.games["chosen"][0, 0] == action
    with pytest.raises(ValueError, match="seats 1, 2 of game 0 have not chosen yet"):
        batch.resolve(0)
    batch.step(batch.sample())  # a step goes by its own actions
    assert not batch.games["chosen"].any()


def test_nobody_need_be_looked_for_once_all_have_chosen() -> None:
    batches = [Batch(GAME, games, 3, seed=4) for games in (1, 1, 3, 3)]
    for batch in batches:
        batch.reset()
        last = batch.num_games - 1
        choices = [int(batch.legal_actions(last, seat)[-1]) for seat in range(3)]
        assert [batch.commit(last, seat, choice) for seat, choice in enumerate(choices)] == [2, 1, 0]
        batch.resolve(last, complete=batch in batches[::2])
        with pytest.raises(ValueError, match=f"the index of a game is {batch.num_games}"):
            batch.resolve(batch.num_games, complete=True)
    for one, other in (batches[:2], batches[2:]):
        assert one.games.tobytes() == other.games.tobytes() and one.games["steps"].max() == 1
        assert np.array_equal(one.observations, other.observations)


def test_waiting_may_be_committed() -> None:
    batch = Batch(GAME, 20, 3, seed=4)
    batch.reset()
    batch.step(batch.sample())
    index = int(np.flatnonzero(batch.games["phase"] == CHOICE)[0])
    winner = int(batch.games["winner"][index])
    assert batch.deciders(index) == batch.missing(index) == (winner,)
    assert batch.commit(index, (winner + 1) % 3, 0) == 1
    assert batch.commit(index, winner, TAKE) == 0
    batch.resolve(index)
    assert batch.games["points"][index, winner] > 0


@pytest.mark.parametrize("on_illegal", ["lose", "random"])
def test_illegal_commits(on_illegal: str) -> None:
    stepped = Batch(GAME, 1, 3, seed=4, on_illegal=on_illegal, autoreset=False)
    committed = Batch(GAME, 1, 3, seed=4, on_illegal=on_illegal, autoreset=False)
    stepped.reset()
    committed.reset()
    actions = stepped.sample()
    actions[0, 1] = GIVE
    committed.commit(0, 1, int(committed.legal_actions(0, 1)[0]))
    assert committed.commit(0, 1, GIVE) == 2
    assert committed.missing() == (0, 2)
    for seat in (0, 2):
        committed.commit(0, seat, int(actions[0, seat]))
    committed.resolve()
    step = stepped.step(actions)
    assert committed.games.tobytes() == stepped.games.tobytes()
    assert np.array_equal(committed.rewards, step.rewards)
    assert step.terminated[0] == (on_illegal == "lose")
