"""Games that are played on to somebody's choice."""

from __future__ import annotations

import numpy as np
import pytest

from antiquity import Batch
from antiquity.batch import GREEDY, OUTSIDE, RANDOM, Driver
from toy_game import GAME

PLAYERS = np.array([OUTSIDE, GREEDY, OUTSIDE, RANDOM])


class Watch:
    """A hook that counts steps."""

    steps = 0

    def before_step(self) -> None:
        self.steps += 1

    def after_step(self, committed: bool) -> None:
        assert committed


def begun(players: np.ndarray = PLAYERS, *, forced: bool = False, **settings: object) -> Driver:
    batch = Batch(GAME, 12, 4, seed=3, autoreset=False, **settings)  # type: ignore[arg-type]
    driver = Driver(batch, players, forced=forced)
    driver.begin()
    return driver


def play_out(driver: Driver) -> np.ndarray:
    """First legal actions from outside, to the end; the rewards in all."""
    rewards = np.zeros((12, 4))
    while True:
        index, seats = driver.play()
        rewards += driver.batch.rewards
        if not len(index):
            return rewards
        actions = [driver.batch.legal_actions(*row)[0] for row in zip(index, seats, strict=True)]
        driver.commit(index, seats, actions)


@pytest.mark.parametrize("reward", ["win", "points"])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_hook_sees_the_same_games_step_by_step(reward: str, threads: int) -> None:
    plain, watched = begun(reward=reward, threads=threads), begun(reward=reward)
    watch = watched.batch.hook = Watch()
    assert np.array_equal(play_out(plain), play_out(watched))
    assert plain.batch.games.tobytes() == watched.batch.games.tobytes()
    assert watch.steps == plain.batch.games["steps"].sum() > 0
    assert not plain.running.any() and plain.batch.games["over"].all()


def test_legal_actions_are_those_of_the_position_for_every_seat() -> None:
    driver = begun()
    while True:
        index, seats = driver.play()
        if not len(index):
            break
        fresh = Batch(GAME, 12, 4, autoreset=False)
        fresh.set_games(driver.batch.games)
        observations, masks = driver.observe(index, seats)
        for row, (game, seat) in enumerate(zip(index, seats, strict=True)):
            assert np.array_equal(observations[row], fresh.observations[game, seat])
            assert np.array_equal(masks[row], fresh.masks[game, seat])
        for game in range(12):
            if driver.running[game]:
                for seat in range(4):
                    found = driver.batch.legal_actions(game, seat).tolist()
                    assert found == fresh.legal_actions(game, seat).tolist()
        driver.commit(
            index, seats, [driver.batch.legal_actions(*row)[-1] for row in zip(index, seats, strict=True)]
        )


def test_who_is_forced_is_not_asked() -> None:
    asked = begun()
    forced = begun(forced=True)
    play_out(asked)
    while len((rows := forced.play())[0]):
        counts = [len(forced.batch.legal_actions(*row)) for row in zip(*rows, strict=True)]
        assert min(counts) > 1
        forced.commit(*rows, [forced.batch.legal_actions(*row)[0] for row in zip(*rows, strict=True)])
    assert asked.batch.games.tobytes() == forced.batch.games.tobytes()


def test_an_illegal_choice_is_refused_and_changes_nothing() -> None:
    driver = begun()
    index, seats = driver.play()
    before = driver.batch.games.copy()
    actions = [int(driver.batch.legal_actions(*row)[0]) for row in zip(index, seats, strict=True)]
    actions[2] = 5  # giving a prize away while all bid
    for call in (driver.check, driver.commit):
        with pytest.raises(ValueError, match=f"game {index[2]}, seat {seats[2]}: action 5"):
            call(index, seats, actions)
    assert driver.batch.games.tobytes() == before.tobytes()


def test_who_loses_by_an_illegal_choice_ranks_last() -> None:
    driver = begun(on_illegal="lose")
    index, seats = driver.play()
    actions = np.array([driver.batch.legal_actions(*row)[0] for row in zip(index, seats, strict=True)])
    actions[(index == 4) & (seats == 2)] = 5
    driver.commit(index, seats, actions)
    driver.play()
    assert driver.batch.terminated.tolist() == [game == 4 for game in range(12)]
    assert driver.batch.ranks(4)[0, 2] == 4 and driver.batch.games["forfeits"][4] == 1 << 2


def test_what_cannot_be_driven() -> None:
    with pytest.raises(ValueError, match="autoreset=False"):
        Driver(Batch(GAME, 2, 4), OUTSIDE)
    with pytest.raises(ValueError, match="RANDOM, GREEDY or OUTSIDE"):
        Driver(Batch(GAME, 2, 4, autoreset=False), 7)
    with pytest.raises(ValueError, match="has not begun"):
        Driver(Batch(GAME, 2, 4, autoreset=False), OUTSIDE).play()


@pytest.mark.parametrize("threads", [1, 3])
def test_what_is_recorded_leads_to_the_same_games(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """Played again by the choices alone, also where the log had to grow several times."""
    plain = begun(threads=threads, reward="points")
    rewards = play_out(plain)
    monkeypatch.setattr("antiquity.batch.driver.FIRST_LOG", 4)
    batch = Batch(GAME, 12, 4, seed=3, autoreset=False, threads=threads, reward="points")
    driver = Driver(batch, PLAYERS, record=True)
    driver.begin()
    assert np.array_equal(play_out(driver), rewards)
    assert batch.games.tobytes() == plain.batch.games.tobytes()
    actions, counts = driver.history()
    assert actions.dtype == np.uint16 and counts.sum() == len(actions) and counts.min() > 4
    again = Batch(GAME, 12, 4, seed=3, autoreset=False)
    again.reset()
    for index, row in enumerate(np.split(actions, np.cumsum(counts)[:-1])):
        left = row.tolist()
        while again.deciders(index):
            for seat in again.deciders(index):
                again.commit(index, seat, left.pop(0))
            again.resolve(index)
        assert not left
    assert again.games.tobytes() == batch.games.tobytes()
    driver.begin(index=[0])
    assert driver.history()[1][1:].tolist() == counts[1:].tolist()
    driver.play()
    assert driver.history()[1][0] < counts[0]
    batch.hook = Watch()
    with pytest.raises(ValueError, match="take the hook off"):
        driver.play()


def test_what_is_awaited_is_listed_also_when_the_log_had_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("antiquity.batch.driver.FIRST_LOG", 4)
    batch = Batch("stone_age", 12, 3, seed=5, autoreset=False, max_rounds=4)
    driver = Driver(batch, np.array([OUTSIDE, RANDOM, OUTSIDE]), forced=True, record=True)
    driver.begin()
    while len((asked := driver.play())[0]):
        again = driver.play()  # nothing was chosen, so nothing happens
        assert np.array_equal(asked, again)
        listed = [batch.legal_lists[at][: batch.legal_counts[at]].tolist() for at in zip(*asked, strict=True)]
        batch.refresh()
        assert listed == [batch.legal_actions(*at).tolist() for at in zip(*asked, strict=True)]
        driver.commit(*asked, [row[-1] for row in listed])
