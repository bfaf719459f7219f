"""Random games through the kernels and through the referee: both must agree at every decision."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from antiquity.testing import Table, compare_with_referee
from antiquity.testing.referee import Choose, fuzz, fuzzing
from referees.seven_wonders import Referee
from seven_wonders_env import GAME
from seven_wonders_env.data.tables import SIDE_NAMES, read_table
from seven_wonders_env.state import BOARDS, GUILD_START, KINDS, PHASES

GAMES = 300  # in all, over the parameters below
STYLES = (0.0, 0.6, 0.9)


def plain_state(table: Table) -> dict[str, Any]:
    """The kernel's record in the referee's words."""
    game, n = table.record, table.num_players
    return {
        "phase": "over" if game["over"] else PHASES[int(game["phase"])],
        "age": int(game["age"]) + 1,
        "turn": int(game["turn"]) + 1,
        "sides": [
            None if int(game["open_sides"]) >> s & 1 else SIDE_NAMES[int(game["board"][s]) % 2]
            for s in range(n)
        ],
        "coins": [int(coins) for coins in game["coins"][:n]],
        "hands": [[int(k) for k in game["hands"][s][: int(game["hand_size"][s])]] for s in range(n)],
        "discard": [kind for kind in range(KINDS) for _ in range(int(game["discard"][kind]))],
        "cities": [
            [kind for kind in range(KINDS) if int(game["city"][s][kind // 64]) >> kind % 64 & 1]
            for s in range(n)
        ],
        "stages": [int(game["built"][s][7]) for s in range(n)],
        "shields": [int(value) for value in game["shields"][:n]],
        "victory_points": [int(value) for value in game["victory"][:n]],
        "defeats": [int(value) for value in game["defeats"][:n]],
        "science": [[int(value) for value in game["science"][s]] for s in range(n)],
    }


def referee_for(table: Table, cards: dict[str, Any], payments: str) -> Referee:
    """A referee at the same table: it takes boards and deals from the kernel's game."""
    boards = [
        (cards["wonders"][int(board) // 2]["id"], side or "choose")
        for board, side in zip(table.record["board"], plain_state(table)["sides"], strict=False)
    ]

    def deal(age: int) -> list[list[int]]:
        assert int(table.record["age"]) == age - 1 and int(table.record["turn"]) == 0
        return [[int(kind) for kind in hand] for hand in table.record["hands"][: table.num_players]]

    return Referee(cards, boards, deal, payments=payments)


def building(rng: random.Random, style: float) -> Choose:
    """Plays at random; ``style``: how often a seat builds if it can, for rich cities with payments and powers."""

    def choose(_: random.Random, table: Table, seat: int, legal: list[int]) -> int:
        preferred = [action for action in legal if (action - 1) % 3 != 2 or action > 240]
        return rng.choice(preferred if preferred and rng.random() < style else legal)

    return choose


def compare_game(
    cards_name: str, num_players: int, sides: str | list[str], payments: str, seed: int, style: float
) -> int:
    """One game through both; returns the number of decisions."""
    table = Table(GAME, num_players, seed=seed, sides=sides, cards=cards_name, payments=payments)
    referee = referee_for(table, read_table(cards_name), payments)
    return compare_with_referee(
        table, referee, state=plain_state, choose=building(random.Random(seed), style)
    )


CASES = [
    (cards, n, sides, payments)
    for n in range(3, 8)
    for sides in ("day", "night", "random", "choose")
    for payments in ("choose", "cheapest")
    for cards in ("second_edition",)
]


@pytest.mark.parametrize(("cards", "num_players", "sides", "payments"), CASES)
def test_random_games_agree(cards: str, num_players: int, sides: str, payments: str) -> None:
    for number in range(GAMES // len(CASES)):
        seed = 1_000_000 * num_players + 10_000 * CASES.index((cards, num_players, sides, payments)) + number
        compare_game(cards, num_players, sides, payments, seed, style=STYLES[number % 3])


def test_some_seats_choose_their_side() -> None:
    rng = random.Random(3)
    for number in range(10):
        players = 3 + number % 5
        sides = ["choose", *rng.choices(["choose", "day", "night", "random"], k=players - 1)]
        rng.shuffle(sides)
        compare_game("second_edition", players, sides, "choose", number, 0.8)


def test_printed_table_agrees() -> None:
    for number in range(10):
        compare_game("second_edition_print", 3 + number % 5, "random", "choose", number, 0.7)


def shuffled_table(rng: random.Random, path: Path) -> None:
    """A table in which effects, costs and chains have changed places: what no printed card combines."""
    cards = read_table("second_edition")
    lines = ['extends = "second_edition"', 'name = "shuffled"', "[rules]"]
    lines += [f"start_coins = {rng.randint(0, 9)}", f"sell_card_coins = {rng.randint(1, 5)}"]
    price = rng.choice([(2, 1), (1, 1), (2, 2), (1, 2)])
    lines += [f"resource_price = {price[0]}", f"discount_price = {price[1]}"]
    kinds = [*cards["cards"], *cards["guilds"]]
    producing = [k for k in kinds if any(e["type"].startswith("produce") for e in k["effects"])]
    effects = [k["effects"] for k in kinds if k not in producing]
    costs = [(k.get("cost", {}), k.get("cost_coins", 0)) for k in kinds]
    rng.shuffle(effects)
    rng.shuffle(costs)
    for number, kind in enumerate(kinds):
        cost, coins = costs.pop()
        lines.append("[[guilds]]" if number >= GUILD_START else "[[cards]]")
        lines += [f'id = "{kind["id"]}"', f"cost = {_toml(cost)}", f"cost_coins = {coins}"]
        parents = rng.sample([k["id"] for k in kinds if k["age"] < kind["age"]] or [kind["id"]], 1)
        lines.append(f"free_from = {_toml(parents if rng.random() < 0.3 and kind['age'] > 1 else [])}")
        if kind not in producing:
            lines.append(f"effects = {_toml(effects.pop())}")
    stages = [stage for w in cards["wonders"] for side in w["sides"] for stage in side["stages"]]
    picking = [s for s in stages if any(e.get("power") == "build_from_discard" for e in s["effects"])]
    free = [s for s in stages if s not in picking]
    rng.shuffle(free)
    for wonder in range(BOARDS):
        entry = cards["wonders"][wonder]
        lines += ["[[wonders]]", f'id = "{entry["id"]}"']
        for side in SIDE_NAMES:
            count = rng.randint(1, 4)
            chosen = [
                rng.choice(picking if wonder == 4 and rng.random() < 0.6 else free) for _ in range(count)
            ]
            lines += ["[[wonders.sides]]", f'side = "{side}"', "stages = ["]
            lines += [f"{{ cost = {_toml(s['cost'])}, effects = {_toml(s['effects'])} }}," for s in chosen]
            lines.append("]")
    path.write_text("\n".join(lines))
    tomllib.loads(path.read_text())


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def test_changed_tables_agree(tmp_path: Path) -> None:
    rng = random.Random(7)
    for number in range(15):
        path = tmp_path / f"table_{number}.toml"
        shuffled_table(rng, path)
        sides = ("random", "choose")[number % 2]
        compare_game(str(path), 3 + number % 5, sides, "choose", number, 0.8)


@pytest.mark.skipif(not fuzzing(), reason="long run: make fuzz")
def test_fuzz() -> None:
    def play(seed: int) -> int:
        return compare_game(*CASES[seed % len(CASES)], seed, style=STYLES[seed % 3])

    fuzz(play)
