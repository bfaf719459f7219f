"""Random games through the kernels and through the referee: both must agree at every decision.

``ANTIQUITY_FUZZ_DECISIONS`` sets how many decisions the long run makes (``make fuzz``); by default the games below.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from antiquity.testing import Table, at_random, compare_with_referee, fuzz, fuzzing
from stone_age.play import OnKernels
from stone_age.policies import buyer, hermit, miser
from stone_age.positions import referee_at
from stone_age_env import GAME
from stone_age_env import state as s
from stone_age_env.data.tables import read_table

PLAYERS = (2, 3, 4)
GAMES = 30  # for each number of players and way of playing
PARTS = 4  # so that several processes can share them
Policy = Callable[[random.Random, Table, int, list[int]], int]


POLICIES: dict[str, Policy] = {"random": at_random, "buyer": buyer, "miser": miser}


def agree(players: int, seed: int, policy: Policy, **options: Any) -> Table:
    """One game through both; the table at its end."""
    table = Table(GAME, players, seed=seed, **options)
    referee = referee_at(table, read_table(options.get("cards", "base")))
    compare_with_referee(table, referee, state=state, choose=policy, score_when=now_and_then)
    return table


def state(table: Table) -> Mapping[str, Any]:
    return OnKernels(table).state()


def now_and_then(table: Table) -> bool:
    """Points are counted after every purchase and payment of food, where they change, and at random moments."""
    return int(table.record["phase"]) != s.PLACE or int(table.record["steps"]) % 5 == 0


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_random_games_agree(players: int, policy: str, part: int) -> None:
    for number in range(part, GAMES, PARTS):
        agree(players, 1_000_000 * players + number, POLICIES[policy])


@pytest.mark.parametrize("players", PLAYERS)
def test_games_cut_off_agree(players: int) -> None:
    for max_rounds in (1, 2, 5):
        agree(players, max_rounds, miser, max_rounds=max_rounds)


def test_a_game_where_nobody_buys_is_cut_off() -> None:
    view = state(agree(2, 1, hermit, max_rounds=12))
    assert view["truncated"] and view["round"] == 11


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
        agree(2 + number % 3, number, buyer, cards=str(path))


@pytest.mark.skipif(not fuzzing(), reason="long run: make fuzz")
def test_fuzz() -> None:
    policies = list(POLICIES.values())
    fuzz(lambda seed: int(agree(2 + seed % 3, seed, policies[seed // 3 % 3]).record["steps"]))
