"""Stone Age's options, action numbers and words, pictures, dice and the greedy agent."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from antiquity.arena import play_match
from antiquity.testing.table import Table
from stone_age.play import OnKernels
from stone_age.positions import ANY_TILE, FOOD_7, Position
from stone_age_env import GAME, plain_state, roll
from stone_age_env.actions import action_name, build_action, pay_action, place_action
from stone_age_env.state import NUM_ACTIONS, PHASES, TAKE_DIE

# --- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_players": 1}, ValueError, "from 2 to 4"),
        ({"num_players": 5}, ValueError, "from 2 to 4"),
        ({"num_players": "2"}, TypeError, "num_players must be an int, not '2'"),
        ({"num_players": 2, "max_rounds": 0}, ValueError, "from 1 to 1000"),
        ({"num_players": 2, "max_rounds": 1001}, ValueError, "from 1 to 1000"),
        ({"num_players": 2, "max_rounds": None}, TypeError, "max_rounds must be an int, not None"),
        ({"num_players": 2, "start_player": 2}, ValueError, r"a seat \(0 to 1\) or 'random'"),
        ({"num_players": 2, "start_player": "me"}, ValueError, "or 'random'"),
        ({"num_players": 2, "start_player": True}, TypeError, "or 'random'"),
        ({"num_players": 2, "colour": "red"}, TypeError, "colour"),
    ],
)
def test_refused_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        GAME.setup(**options)


def test_options() -> None:
    assert {option.name: option.default for option in GAME.options} == {
        "cards": "base",
        "max_rounds": 100,
        "start_player": "random",
    }
    for seat in range(3):
        assert Table(GAME, 3, start_player=seat).record["start"] == seat
    assert not GAME.simultaneous and GAME.default_players == 4


def test_max_rounds_truncates() -> None:
    """A game that is cut off pays nothing and is not terminated, whoever is ahead."""
    batch = Batch(GAME, 8, 3, seed=1, max_rounds=2, autoreset=False)
    batch.reset()
    rewards = np.zeros((8, 3), np.float32)
    cut_off = np.zeros(8, np.bool_)
    for _ in range(500):
        step = batch.step(batch.sample())
        rewards += step.rewards
        cut_off |= step.truncated
        assert not step.terminated.any()
    assert cut_off.all() and (batch.games["round"] == 1).all() and not rewards.any()


# --- words ----------------------------------------------------------------------------------------------------------


def test_every_action_has_its_own_words() -> None:
    names = [action_name(action) for action in range(NUM_ACTIONS)]
    assert len(set(names)) == NUM_ACTIONS == 158
    assert "158" in action_name(158) and "there are" in action_name(-1)
    assert place_action(7, 10) == 41 and place_action(15, 1) == 49 and place_action(3, 1) == 4
    assert build_action(3, 7) == 93 and pay_action("stone", 10) == 157
    for refused in (
        lambda: place_action(16, 1),
        lambda: place_action(3, 8),
        lambda: place_action(2, 1),
        lambda: pay_action("gold", 1),
    ):
        with pytest.raises(ValueError, match=r"are 0 to 15|takes 1 to 7|the hut: it takes 2|gold follows"):
            refused()


def test_actions_in_their_game() -> None:
    game = OnKernels.at(
        2,
        seats={0: {"resources": [3, 0, 0, 0], "tools": [2, 0, 0]}},
        placed={0: {8: 1, 12: 1, 3: 2}},
        cards=[FOOD_7],
        tiles=[ANY_TILE],
        rolls={(0, 3): [3, 4]},
    )
    words = [game.table.words(0, action) for action in game.legal(0)]
    assert words == [
        "resolve the forest",
        "buy the card at 1 (7 food / pottery)",
        "decline the card at 1 (7 food / pottery)",
        "build from pile 0 with 1 resource (1-7 of any kind)",
        "build from pile 0 with 2 resources (1-7 of any kind)",
        "build from pile 0 with 3 resources (1-7 of any kind)",
        "decline the tile of pile 0 (1-7 of any kind)",
    ]
    game.do("resolve", 3)
    assert [game.table.words(0, action) for action in game.legal(0)] == [
        "use no more tools, total 7 for wood",
        "use a tool of value 2, total 7 for wood",
    ]
    assert action_name(TAKE_DIE + 4) == "take the die that shows 5 (tool)"


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_pictures() -> None:
    """A picture of every phase; what a seat does not know is not in its picture."""
    rng = random.Random(3)
    seen = set()
    for players in (2, 3, 4):
        table = Table(GAME, players, seed=players)
        while not table.over:
            phase = PHASES[int(table.record["phase"])]
            if phase not in seen or rng.random() < 0.004:
                seen.add(phase)
                for seat in (None, *range(players)):
                    text = plain(GAME.render(table.games, 0, table.tables, seat))
                    assert "Stone Age" in text and f"round {int(table.record['round']) + 1}: seat" in text
                    assert text.count("(you)") == (seat is not None)
            [seat] = table.deciders()
            table.step({seat: rng.choice(table.legal(seat))})
        assert "the game is over" in plain(GAME.render(table.games, 0, table.tables, None))
    assert seen == set(PHASES)
    game = Position(2, seats={0: {"extra": ["C05"]}}, phase="place")
    pictures = [plain(GAME.render(game.games, 0, game.tables, seat)) for seat in (None, 0, 1)]
    assert ["(extra)" in text for text in pictures] == [True, True, True]
    bottom = pictures[0][pictures[0].index("(extra)") - 25 : pictures[0].index("(extra)")].split()[-1]
    assert [f"{bottom} (extra)" in text for text in pictures] == [True, True, False]


def test_plain_state_and_dice() -> None:
    table = Table(GAME, 2, seed=4)
    view = plain_state(table.games, 0, table.tables)
    assert view["phase"] == "place" and view["decider"] == view["start"] == view["active"]
    assert (
        view["food"] == [12, 12]
        and len(view["deck"]) == 32
        and [len(pile) for pile in view["piles"]] == [7, 7]
    )
    assert view["place"] is None and view["pay_kind"] is None
    assert roll(4, 0, 0, 3, 5) == roll(4, 0, 0, 3, 5) != roll(5, 0, 0, 3, 5)
    assert all(1 <= face <= 6 for face in roll(2**63, 999, 3, 11, 10))


# --- chance ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_new_game(players: int) -> None:
    """Absent seats are empty; every card and tile is there; any seat may begin; nobody sees what lies hidden."""
    game = Table(GAME, players, seed=9)
    record, absent = game.record, [0] * (4 - players)
    assert (
        record["people"].tolist() == [5] * players + absent
        and record["food"].tolist() == [12] * players + absent
    )
    assert record["pile_left"].tolist() == [7] * players + absent
    assert sorted([*record["open"], *record["deck"][4:]]) == list(range(36)) and record["deck_next"] == 4
    assert (np.bincount(record["piles"].ravel() - 1, minlength=28) == game.tables[0]["tile_copies"]).all()
    assert game.observe(0)[GAME.layout.slice("unseen_tiles")].sum() * 2 == 28 - players
    starts = {int(Table(GAME, players, seed=seed).record["start"]) for seed in range(60)}
    assert starts == set(range(players))


def test_ruling_10_dice() -> None:
    """Ordinary dice: 20,000 of one seed."""
    faces = Counter(
        face
        for when in range(250)
        for seat in range(4)
        for place, number in ((3, 7), (7, 10), (8, 3))
        for face in roll(2026, when, seat, place, number)
    )
    total = sum(faces.values())
    assert total == 20_000 and set(faces) == {1, 2, 3, 4, 5, 6}
    # Five standard deviations: 5 * sqrt(20000 * 5) / 6 = 264; of the mean 5 * 1.708 / sqrt(20000) = 0.06.
    assert all(abs(number - total / 6) < 264 for number in faces.values())
    assert abs(sum(face * number for face, number in faces.items()) / total - 3.5) < 0.06


# --- the greedy agent -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_greedy_beats_random(num_players: int) -> None:
    """More than 95 of 100 games against random players, from every seat."""
    result = play_match(GAME, ["greedy", *["random"] * (num_players - 1)], deals=200, seed=1)
    assert (result.shares[:, :, 0].mean(axis=0) > 0.95).all()


def test_record_is_small() -> None:
    assert GAME.dtype.itemsize == 400 and GAME.num_actions == NUM_ACTIONS
