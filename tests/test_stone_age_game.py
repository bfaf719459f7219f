"""Stone Age's options, action numbers and words, pictures, the greedy agent, and other ways to run the kernels."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from antiquity import Batch
from antiquity.game import verbs
from antiquity.game.random import mix
from antiquity.kernels import entry
from antiquity.testing.table import Table
from stone_age_env import GAME, plain_state, roll
from stone_age_env.actions import action_name, build_action, pay_action, place_action
from stone_age_env.state import NUM_ACTIONS, PHASES, TAKE_DIE
from test_stone_age_positions import ANY_TILE, FOOD_7, Position, gather

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
    for refused in (lambda: place_action(16, 1), lambda: place_action(3, 8), lambda: pay_action("gold", 1)):
        with pytest.raises(ValueError, match=r"are 0 to 15|takes 1 to 7|gold follows"):
            refused()


def test_actions_in_their_game() -> None:
    game = Position(
        2,
        seats={0: {"resources": [3, 0, 0, 0], "tools": [2, 0, 0]}},
        placed={0: {8: 1, 12: 1, 3: 2}},
        cards=[FOOD_7],
        tiles=[ANY_TILE],
        rolls={(0, 3): [3, 4]},
    )
    words = [game.words(0, action) for action in game.menu]
    assert words == [
        "resolve the forest",
        "buy the card at 1 (7 food / pottery)",
        "decline the card at 1 (7 food / pottery)",
        "build from pile 0 with 1 resource (1-7 of any kind)",
        "build from pile 0 with 2 resources (1-7 of any kind)",
        "build from pile 0 with 3 resources (1-7 of any kind)",
        "decline the tile of pile 0 (1-7 of any kind)",
    ]
    game.play(gather(3))
    assert [game.words(0, action) for action in game.menu] == [
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
    game = Position(2, seats={0: {"resources": [9, 9, 9, 9]}}, phase="place")
    card = int(game.record["deck"][4])
    game.record["deck"][4] = 255
    game.record["deck_next"] = 5
    game.record["owner"][card] = 5
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


# --- the greedy agent -----------------------------------------------------------------------------------------------


@entry
def _matches(games, tables, options, num_players, first, count, greedy_seats, legal, scores, wins):
    """Games with the greedy agent on some seats, random players on the others; counts the games each seat has won."""
    for number in range(count):
        game = games[0]
        verbs.init(game, tables[0], num_players, options[0], np.uint64(first + number))
        while not game["over"]:
            seat = 0
            while not (np.int64(game["deciders"]) >> seat) & 1:
                seat += 1
            n = verbs.legal(game, tables[0], seat, legal)
            noise = mix(game["seed"], 77, np.int64(game["steps"]))
            if (greedy_seats >> seat) & 1:
                action = np.int64(verbs.greedy(game, tables[0], seat, legal, n, noise))
                found = False
                for index in range(n):
                    found = found or legal[index] == action
                if not found:
                    wins[num_players] += 1
            else:
                action = np.int64(legal[np.int64(noise % np.uint64(n))])
            verbs.choose(game, tables[0], seat, action)
            verbs.advance(game, tables[0])
        verbs.score(game, tables[0], scores)
        best = 0
        for seat in range(1, num_players):
            if scores[seat, 9] > scores[best, 9]:
                best = seat
        wins[best] += 1


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_greedy_beats_random(num_players: int) -> None:
    """More than 95 of 100 games against random players, from every seat, with legal actions alone."""
    tables, options = GAME.setup(num_players)
    games, legal = np.zeros(1, GAME.dtype), np.zeros(GAME.max_legal, np.uint16)
    scores = np.zeros((4, 11), np.int32)
    for seat in range(num_players):
        wins = np.zeros(num_players + 1, np.int64)
        _matches(games, tables, options, num_players, 1000 * seat, 200, 1 << seat, legal, scores, wins)
        assert wins[seat] > 190 and wins[num_players] == 0


# --- other ways to run ----------------------------------------------------------------------------------------------

PLAY = """
import hashlib, random, sys, warnings
sys.path.insert(0, {tests!r})
warnings.simplefilter("error", RuntimeWarning)
import numpy as np
from antiquity.game.verbs import kernel
from antiquity.testing.table import Table
from stone_age_env import GAME
digest = hashlib.sha256()
for players in (2, 3, 4):
    table = Table(GAME, players, seed=2**63 - players)
    rng = random.Random(players)
    for step in range(250):
        if table.over:
            break
        [seat] = table.deciders()
        legal = table.legal(seat)
        table.step({{seat: rng.choice(legal)}})
        digest.update(table.games.tobytes() + bytes(legal))
        if step % 25 == 0:
            digest.update(table.observe(seat, memory=True).tobytes() + table.reveal().tobytes())
            digest.update(table.score().tobytes())
            world = table.copy()
            world.determinize(seat, step)
            digest.update(world.games.tobytes())
print(digest.hexdigest())
"""


def test_plain_python_plays_the_same_game() -> None:
    """Compiled or not (NUMBA_DISABLE_JIT): the same bytes, and no overflow."""
    digests = set()
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        code = PLAY.format(tests=str(Path(__file__).parent))
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            cwd=Path(__file__).parents[1],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        digests.add(done.stdout)
    assert len(digests) == 1


def test_record_is_small() -> None:
    assert GAME.dtype.itemsize == 400 and GAME.num_actions == NUM_ACTIONS
