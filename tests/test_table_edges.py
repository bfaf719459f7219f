"""Tables with numbers as high as the checks let pass: nothing wraps, as the referees, which count in Python, agree.

The numbers of a table are raised one after another to the highest that is still accepted, so that what limits their
sums is reached as well; then games are played through kernels and referee.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

import dice.test_against_referee as of_dice
import dice_env
import seven_wonders.test_against_referee as of_wonders
import seven_wonders_env
import stone_age.test_against_referee as of_stones
import stone_age_env
from antiquity.game import Game
from antiquity.game.tables import TableError
from antiquity.testing import Table, compare_with_referee
from dice.on_kernels import plain_state
from stone_age.policies import buyer, miser
from stone_age.positions import referee_at
from test_table_leaves import leaves, printed_game

KEPT = {
    # What makes a building dear would keep it from being built.
    "seven_wonders": ("cost", "cost_coins", "copies", "age", "resource_price", "discount_price", "resources"),
    "stone_age": ("cost", "copies", "pieces", "pieces_min", "pieces_max", "kinds"),
    # The referee of Dice knows by heart what is neither a space nor a board.
    "dice": ("cost", "up_to", "rules", "dice", "bonuses"),
}
LOWEST = ("divisor", "coins_per_vp", "military_loss_vp")
"""What counts for most where it is lowest."""
TRIES = (255, 100, 60, 50, 42, 30, 20, 15, 10, 5, 2, 1)
Play = Callable[[Game, Mapping[str, Any], int], Table]


def highest(name: str, rng: random.Random, share: float) -> dict[str, Any]:
    """The table of a game with a share of its numbers as high as they may be."""
    game = printed_game(name)
    data = copy.deepcopy(game.data)
    places = [
        path
        for path, value in leaves(data)
        if type(value) is int and not set(path) & set(KEPT[name]) and rng.random() < share
    ]
    rng.shuffle(places)
    for path in places:
        entry: Any = data
        for part in path[:-1]:
            entry = entry[part]
        before = entry[path[-1]]
        tries = sorted((-255, *TRIES)) if set(path) & set(LOWEST) else TRIES
        for value in tries:
            entry[path[-1]] = value
            try:
                game.check(data)
                break
            except TableError:
                entry[path[-1]] = before
    return data


def with_table(game: Game, compiled: Any) -> Game:
    """The game with a table of its own."""
    known = game.setup
    return replace(game, setup=lambda players, **options: (compiled, known(players, **options)[1]))


def play_wonders(game: Game, data: Mapping[str, Any], seed: int) -> Table:
    table = Table(game, 3 + seed % 5, seed=seed, sides="random")
    referee = of_wonders.referee_for(table, dict(data), "choose")
    choose = of_wonders.building(random.Random(seed), 0.9)
    compare_with_referee(table, referee, state=of_wonders.plain_state, choose=choose)
    return table


def play_stones(game: Game, data: Mapping[str, Any], seed: int) -> Table:
    table = Table(game, 2 + seed % 3, seed=seed, max_rounds=25)
    choose = (buyer, miser)[seed % 2]
    compare_with_referee(
        table,
        referee_at(table, data),
        state=of_stones.state,
        choose=choose,
        score_when=of_stones.now_and_then,
    )
    return table


def play_dice(game: Game, data: Mapping[str, Any], seed: int) -> Table:
    table = Table(game, 2 + seed % 6, seed=seed)
    chance = of_dice.Chance(table)
    referee = of_dice.Remembering(
        data,
        data["dice"],
        data["boards"],
        deal=chance.deal,
        throw=chance.throw,
        replaced=chance.replaced,
    )
    compare_with_referee(table, referee, state=plain_state, choose=of_dice.builder(0.9))
    return table


PLAY: dict[str, tuple[Game, Play]] = {
    "seven_wonders": (seven_wonders_env.GAME, play_wonders),
    "stone_age": (stone_age_env.GAME, play_stones),
    "dice": (dice_env.GAME, play_dice),
}


@pytest.mark.parametrize("name", PLAY)
def test_the_highest_numbers_that_are_accepted_count_as_they_should(name: str) -> None:
    game, play = PLAY[name]
    rng = random.Random(1)
    printed = printed_game(name)
    most = 0
    for seed, share in enumerate((0.3, 1.0)):
        data = highest(name, rng, share)
        changed = with_table(game, printed.compiled(data))
        for number in range(3):
            table = play(changed, data, 3 * seed + number)
            most = max(most, int(table.score()[: table.num_players].max()))
    # Far beyond what the printed table brings, and beyond a byte.
    assert most > 300, most
