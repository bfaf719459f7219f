"""Random games through the kernels and through the referee: both must agree at every decision.

``ANTIQUITY_FUZZ_DECISIONS`` sets how many decisions the long run makes (``make fuzz``); by default the games below.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from antiquity.testing.table import Table
from referees.stone_age import Referee
from stone_age_env import GAME, plain_state, roll
from stone_age_env.data.tables import read_table
from stone_age_env.state import (
    BUILD,
    BUY_CARD,
    CASH,
    DECLINE_BUILDING,
    DECLINE_CARD,
    FEED_RESOURCES,
    RESOLVE_ACTIONS,
    STOP,
)

WAIT_ONLY = [0]
GAMES = 2_000  # for each number of players, over the ways of playing
PARTS = 8  # so that several processes can share them
PLAYERS = (2, 3, 4)
COLUMNS = (*GAME.categories, "total", "tiebreak")
WHEN_OVER = ("phase", "place", "total", "dice", "pay_left", "pay_kinds", "pay_kind")
"""What says nothing any more when the game is over."""


def at_random(rng: random.Random, table: Table, legal: list[int]) -> int:
    return rng.choice(legal)


def buyer(rng: random.Random, table: Table, legal: list[int]) -> int:
    """Gathers before it buys, and buys what it can: cards and buildings of all kinds, many payments."""
    if rng.random() < 0.1:
        return rng.choice(legal)
    gather = [action for action in legal if RESOLVE_ACTIONS <= action < BUY_CARD]
    buy = [
        action for action in legal if BUY_CARD <= action < DECLINE_CARD or BUILD <= action < DECLINE_BUILDING
    ]
    if legal[0] < RESOLVE_ACTIONS and rng.random() < 0.6:
        return rng.choice(legal[-10:])
    return rng.choice(gather or buy or legal)


def miser(rng: random.Random, table: Table, legal: list[int]) -> int:
    """Keeps what it has: hoards of resources, cards of free resources kept for long, hunger rather than payment."""
    if rng.random() < 0.25:
        return rng.choice(legal)
    kept = [action for action in legal if not CASH <= action < STOP and action != FEED_RESOURCES]
    return rng.choice((kept or legal)[: max(1, len(legal) // 2)])


POLICIES: dict[str, Callable[[random.Random, Table, list[int]], int]] = {
    "random": at_random,
    "buyer": buyer,
    "miser": miser,
}


def referee_for(table: Table, cards: dict[str, Any], max_rounds: int) -> Referee:
    """A referee at the same table: it takes deck, piles, start marker and dice from the kernel's game."""
    found = plain_state(table.games, 0, table.tables)
    seed = int(table.record["seed"])
    return Referee(
        cards,
        table.num_players,
        [card for card in found["open"] if card is not None] + found["deck"],
        found["piles"],
        lambda rounds, seat, place, number: roll(seed, rounds, seat, place, number),
        start=found["start"],
        max_rounds=max_rounds,
    )


def compare_game(
    num_players: int, seed: int, policy: str, *, cards: str = "base", max_rounds: int = 100
) -> int:
    """One game through both; returns the number of decisions."""
    rng = random.Random(seed)
    table = Table(GAME, num_players, seed=seed, cards=cards, max_rounds=max_rounds)
    referee = referee_for(table, read_table(cards), max_rounds)
    decisions = 0
    while True:
        mine, theirs = plain_state(table.games, 0, table.tables), referee.state()
        if table.over:
            mine = {key: value for key, value in mine.items() if key not in WHEN_OVER}
        assert mine == {key: theirs[key] for key in mine}
        score = table.score()
        for seat, points in enumerate(referee.score()):
            assert dict(zip(COLUMNS, score[seat].tolist(), strict=True)) == points, f"score of seat {seat}"
        deciders = table.deciders()
        assert deciders == referee.deciders()
        if table.over:
            assert referee.over and deciders == []
            return decisions
        [decider] = deciders
        for seat in range(num_players):
            legal = table.legal(seat)
            assert legal == referee.legal(seat), f"legal actions of seat {seat}"
            assert (len(legal) >= 2) if seat == decider else (legal == WAIT_ONLY)
        action = POLICIES[policy](rng, table, table.legal(decider))
        decisions += 1
        table.step({decider: action})
        referee.step({decider: action})


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_random_games_agree(num_players: int, policy: str, part: int) -> None:
    for number in range(part, -(-GAMES // len(POLICIES)), PARTS):
        compare_game(num_players, 1_000_000 * num_players + number, policy)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_games_cut_off_agree(num_players: int) -> None:
    for max_rounds in (1, 2, 5):
        compare_game(num_players, max_rounds, "miser", max_rounds=max_rounds)


def shuffled_table(rng: random.Random, path: Path) -> None:
    """A table in which tops and bottoms have changed places and tiles cost other things: what none printed combines."""
    base = read_table("base")
    tops = [card["top"] for card in base["cards"]]
    tops[:8] = [rng.choice(tops) for _ in range(8)]
    tops[8:12] = [
        {"kind": "any_resources"},
        {"kind": "extra_card"},
        {"kind": "extra_card"},
        {"kind": "lottery"},
    ]
    bottoms = [card["bottom"] for card in base["cards"]]
    rng.shuffle(tops)
    rng.shuffle(bottoms)
    lines = ['extends = "base"', 'name = "shuffled"', "[rules]"]
    lines += [f"start_people = {rng.randint(1, 9)}", f"start_food = {rng.randint(0, 20)}"]
    lines += [f"max_agriculture = {rng.randint(0, 12)}", f"hunger_penalty = {rng.randint(0, 20)}"]
    lines += [f"divisor = {{ food = {rng.randint(2, 4)}, wood = {rng.randint(2, 7)} }}"]
    for card, top, bottom in zip(base["cards"], tops, bottoms, strict=True):
        lines += ["[[cards]]", f'id = "{card["id"]}"', f"top = {_toml(top)}", f"bottom = {_toml(bottom)}"]
    for tile in base["tiles"]:
        if rng.random() < 0.5:
            continue
        lines += ["[[tiles]]", f'replaces = "{tile["id"]}"', f'id = "{tile["id"]}_changed"']
        kind = rng.choice(("fixed", "choice", "any"))
        lines.append(f'kind = "{kind}"')
        if kind == "fixed":
            cost = {name: rng.randint(1, 2) for name in rng.sample(("wood", "clay", "stone", "gold"), 2)}
            lines += [f"cost = {_toml(cost)}", f"points = {rng.randint(0, 20)}"]
        elif kind == "choice":
            kinds = rng.randint(1, 4)
            lines += [f"kinds = {kinds}", f"pieces = {rng.randint(kinds, 7)}"]
        else:
            least = rng.randint(1, 4)
            lines += [f"pieces_min = {least}", f"pieces_max = {rng.randint(least, 7)}"]
    path.write_text("\n".join(lines))


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


def test_changed_tables_agree(tmp_path: Path) -> None:
    rng = random.Random(5)
    for number in range(9):
        path = tmp_path / f"table_{number}.toml"
        shuffled_table(rng, path)
        compare_game(2 + number % 3, number, "buyer", cards=str(path))


@pytest.mark.skipif("ANTIQUITY_FUZZ_DECISIONS" not in os.environ, reason="long run: make fuzz")
def test_fuzz() -> None:
    wanted, done, seed = (
        int(os.environ["ANTIQUITY_FUZZ_DECISIONS"]),
        0,
        random.SystemRandom().randrange(1 << 40),
    )
    while done < wanted:
        policy = list(POLICIES)[seed // 3 % 3]
        print(f"seed {seed}: {2 + seed % 3} players, {policy} ({done:,} decisions)")
        done += compare_game(2 + seed % 3, seed, policy)
        seed += 1
