"""Records from outside: what no game could have come to is refused by name, and changes nothing; the rest is safe.

``ANTIQUITY_FUZZ_RECORDS`` sets with how many records of each game :func:`test_fuzzed_records_are_refused_or_harmless`
tampers (``make fuzz RECORDS=10000``).
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toy_game
from antiquity import Batch, make_game
from antiquity.game import CUT_OFF, ENDED, HEADER, require_sound
from antiquity.testing import fuzz_records, mutants
from record_fuzz import OPTIONS

GAMES = tuple(OPTIONS)
FEW = 120
"""Records of each game that are tampered with in a usual run."""


def begun(game: Any, steps: int = 0, games: int = 8, players: int | None = 4, **settings: Any) -> Batch:
    batch = Batch(game, games, players, seed=1, **settings)
    batch.reset()
    for step in range(steps):
        batch.step(batch.sample("greedy", salt=step))
    return batch


def garbled(batch: Batch, seed: int) -> np.ndarray:
    """The records with random bytes behind the header, and nothing committed."""
    records = batch.games.copy()
    rows = records.view("u1").reshape(batch.num_games, -1)
    rows[:, HEADER.itemsize :] = np.random.default_rng(seed).integers(
        0, 256, rows[:, HEADER.itemsize :].shape
    )
    records["chosen"] = 0
    return records


# --- what made it necessary -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_garbage_is_refused_and_changes_nothing(name: str) -> None:
    """It ended the process in 7 Wonders, and one time in five in Dice; rollouts did not return."""
    batch = begun(name, 3)
    held = [batch.games, batch.observations, batch.masks, batch.player_counts, batch.legal_lists]
    before = [each.copy() for each in held]
    for seed in range(10):
        with pytest.raises(
            ValueError, match=rf"record 0 is no game of {batch.game.title} .* is .*, expected \w"
        ):
            batch.set_games(garbled(batch, seed))
    for each, was in zip(held, before, strict=True):
        assert np.array_equal(each, was)
    batch.step(batch.sample())


@pytest.mark.parametrize("name", GAMES)
def test_garbage_is_refused_after_a_change_by_hand(name: str) -> None:
    batch = begun(name, 3)
    sound = batch.games.copy()
    batch.games[5:6] = garbled(batch, 0)[5:6]
    masks = batch.masks.copy()
    with pytest.raises(ValueError, match=f"record 5 is no game of {batch.game.title}"):
        batch.refresh()
    assert np.array_equal(batch.masks, masks)
    batch.games[:] = sound
    batch.refresh()
    batch.step(batch.sample())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("begin", [True, False])
def test_garbage_in_a_saved_batch_is_refused(name: str, begin: bool, tmp_path: Path) -> None:
    """A forged file: whole as an archive, with records that no game could have come to."""
    path = tmp_path / "batch.npz"
    batch = begun(name, 3) if begin else Batch(name, 8, 4, seed=1)
    batch.save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    arrays["games"] = garbled(batch, 0) if begin else garbled(begun(name), 0)
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match="record 0 is no game" if begin else "slot 0 is none"):
        Batch.load(path)


def test_a_start_marker_that_nobody_has() -> None:
    """Stone Age went round for ever."""
    batch = begun("stone_age")
    records = batch.games.copy()
    records["start"] = 255
    with pytest.raises(ValueError, match=r"record 0 .*: start is 255, expected a seat at the table"):
        batch.set_games(records)


# --- fields and words -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("num_players", 9, "num_players is 9, expected as many seats as the game is for"),
        ("over", 3, r"over is 3, expected (0, or )?1 "),
        ("over", ENDED, r"deciders is \d+, expected the seat"),
        ("deciders", 0, "deciders is 0, expected the seat"),
        ("deciders", 1 << 5, "deciders is 32, expected the seat"),
        ("forfeits", 1, "forfeits is 1, expected a bit"),
    ],
)
def test_fields_of_all_games(name: str, field: str, value: int, words: str) -> None:
    batch = begun(name, 2)
    records = batch.games.copy()
    records[field][6] = value
    with pytest.raises(ValueError, match=f"record 6 is no game of .*: {words}"):
        batch.set_games(records)


@pytest.mark.parametrize(
    ("name", "field", "place", "value", "words"),
    [
        ("dice", "coins", [2], 60_000, "coins of seat 2 is 60000, expected"),
        ("dice", "board", [1], 7, "board of seat 1 is 7, expected 0 to 6"),
        ("dice", "crossed", [3], 1 << 63, "crossed of seat 3 is"),
        ("dice", "turn", [], 5_000, "turn is 5000, expected less than max_turns"),
        ("dice", "bonuses", [0], 7, "bonuses of seat 0 is 7"),
        ("dice", "start_discount", [0], 1, "start_discount of seat 0 is 1"),
        ("dice", "coins", [6], 3, "board of seat 6 is 0, expected .*nothing where nobody sits"),
        ("dice", "unused", [1], 7, r"unused is \[0, 7, 0\], expected 0"),
        ("stone_age", "thrown", [2], 1, r"thrown is \[0, 0, 1, .*, expected the dice of a roll"),
        ("seven_wonders", "unused", [0], 7, r"unused is \[7, .*, expected 0"),
        ("stone_age", "in_hand", [1], 9, "in_hand of seat 1 is 9, expected the people who are at no place"),
        ("stone_age", "phase", [], 6, "phase is 6"),
        ("stone_age", "deck_next", [], 37, "deck_next is 37, expected 0 to 36"),
        ("stone_age", "food", [0], 40_000, "food of seat 0 is 40000, expected no more than the rounds"),
        ("stone_age", "owner", [3], 1, r"deck is \[255, .*, expected cards that are nowhere else"),
        ("seven_wonders", "own", [0, 0], 1, r"own of seat 0 is \[1, .*, expected the production"),
        ("seven_wonders", "hand_size", [2], 3, "hand_size of seat 2 is 3"),
        ("seven_wonders", "hands", [1, 0], 255, r"hands of seat 1 is \[255, "),
        ("seven_wonders", "coins", [3], 60_000, "coins of seat 3 is 60000, expected no more than"),
        ("seven_wonders", "shields", [1], 9, "shields of seat 1 is 9, expected those of all that is built"),
        ("seven_wonders", "age", [], 3, "age is 3, expected 0 to 2"),
        ("seven_wonders", "discard", [4], 1, r"discard is \[.*\.\.\., expected the cards that the history"),
    ],
)
def test_fields_of_one_game(name: str, field: str, place: list[int], value: int, words: str) -> None:
    batch = begun(name, 1)
    records = batch.games.copy()
    records[field][(0, *place)] = value
    with pytest.raises(ValueError, match=f"record 0 is no game of .*: {words}"):
        batch.set_games(records)


@pytest.mark.parametrize("name", GAMES)
def test_every_field_has_words(name: str) -> None:
    game = make_game(name)
    own = set(game.dtype.names or ()) - set(HEADER.names or ()) - {"chosen"}
    assert own <= game.allowed.keys()


@pytest.mark.parametrize("name", GAMES)
def test_what_was_committed_is_legal(name: str) -> None:
    batch = begun(name, 2, games=1)
    seat = batch.deciders()[0]
    records = batch.games.copy()
    legal = batch.legal_actions(0, seat).tolist()
    records["chosen"][0, seat] = legal[-1]
    batch.set_games(records)
    for action in sorted(set(range(1, batch.num_actions)) - set(legal))[::5]:
        records["chosen"][0, seat] = action
        with pytest.raises(ValueError, match=f"chosen of seat {seat} is {action}, expected a legal action"):
            batch.set_games(records)


def test_a_game_may_declare_bounds_alone() -> None:
    batch = begun(toy_game.GAME, games=3, players=3)
    game = toy_game.GAME
    records = batch.games.copy()
    records["hands"][1, 2, 0] = 77
    require_sound(game, records, batch.tables)
    object.__setattr__(game, "bounds", {"hands": (0, 3), "round": (0, 2)})
    try:
        with pytest.raises(ValueError, match=r"record 1 .*: hands of seat 2 is \[77, .*, expected 0 to 3"):
            require_sound(game, records, batch.tables)
        require_sound(game, records, batch.tables, np.array([False, True, False]))
        records["hands"][1] = batch.games["hands"][1]
        require_sound(game, records, batch.tables)
    finally:
        object.__setattr__(game, "bounds", {})


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_the_number_of_players_is_not_changed_by_hand() -> None:
    batch = begun("dice", games=2, players=4)
    batch.games[1] = begun("dice", games=1, players=3).games[0]
    with pytest.raises(
        ValueError, match=r"record 1 has 3 players, and game 1 was begun with 4: set_games\(\)"
    ):
        batch.refresh()


def test_a_game_that_is_ended_by_hand_stays_ended() -> None:
    batch = begun("stone_age", games=2, players=2, autoreset=False)
    ended = begun("stone_age", games=1, players=2, autoreset=False, max_rounds=1)
    while not ended.games["over"].any():
        ended.step(ended.sample())
    assert ended.games["over"][0] == CUT_OFF
    batch.games[1] = ended.games[0]
    batch.refresh()
    assert batch.deciders(1) == () and batch.deciders(0) != ()
    batch.step(batch.sample())
    assert batch.games[1].tobytes() == ended.games[0].tobytes()


# --- tampering ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_fuzzed_records_are_refused_or_harmless(name: str) -> None:
    number = os.environ.get("ANTIQUITY_FUZZ_RECORDS", str(FEW))
    script = Path(__file__).with_name("record_fuzz.py")
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(script.parents[1])}
    done = subprocess.run(
        [sys.executable, str(script), name, number],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120 + int(number),  # seconds: compiling, and games that never end
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    refused, accepted = json.loads(done.stdout)
    assert refused + accepted == int(number) and refused > accepted > 0


def test_fuzzing_finds_what_is_let_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the check before the use is left out, so that whatever is used with a fault in it is reported."""
    monkeypatch.setattr(mutants, "require_sound", lambda *_: None)
    with pytest.raises(
        AssertionError, match=r"Toy bids, 2 players, .*, seed 3, record \d+: accepted, and then"
    ):
        fuzz_records(toy_game.GAME, 300, players=[2], seed=3)


CHANGED = {
    "dice": ("sheet", "base", "start_coins = 20\npass_coins = 20\nquadrant_cost = [0, 0, 0, 0]"),
    "stone_age": (
        "cards",
        "base",
        "start_people = 10\nstart_food = 99\nmax_agriculture = 20\nhunger_penalty = 30",
    ),
    "seven_wonders": (
        "cards",
        "second_edition",
        "start_coins = 99\nsell_card_coins = 99\nresource_price = 1",
    ),
}
"""For each game an option that names a table, the table that is changed, and rules at their limits."""


@pytest.mark.parametrize("name", GAMES)
def test_what_play_and_search_reach_is_not_refused(name: str, tmp_path: Path) -> None:
    """All numbers of players and options, at every decision, half committed, and in worlds that are played on."""
    game, rng = make_game(name), random.Random(name)
    option, extended, rules = CHANGED[name]
    table = tmp_path / "table.toml"
    table.write_text(f'extends = "{extended}"\n[rules]\n{rules}\n', encoding="utf-8")
    for players in range(game.min_players, game.max_players + 1):
        for options in (*OPTIONS[name], {option: str(table)}):
            batch = Batch(
                game, 10, players, seed=rng.getrandbits(60), autoreset=False, on_illegal="lose", **options
            )
            batch.reset()
            worlds = batch.clone()
            step = 0
            while not batch.games["over"].all():
                actions = batch.sample(rng.choice(("random", "greedy")), salt=step)
                for seat in batch.deciders(step % 10):
                    if rng.random() < 0.5:
                        batch.commit(step % 10, seat, int(actions[step % 10, seat]))
                require_sound(game, batch.games, batch.tables)
                worlds.set_games(batch.games)
                worlds.determinize(step % 10, rng.randrange(players), rng.getrandbits(60))
                for _ in range(2):
                    require_sound(game, worlds.games, worlds.tables)
                    worlds.step(worlds.sample("random", salt=rng.getrandbits(40)))
                if step == 9:
                    actions[3] = batch.num_actions - 1  # an illegal action ends a game
                batch.step(actions)
                step += 1
            require_sound(game, batch.games, batch.tables)
