"""The toy game with one fault at a time, and what check_game says of each; a script for NUMBA_DISABLE_JIT=1.

Without compilation a kernel is a plain function, so a fault is a few lines around the toy's own.
"""

from __future__ import annotations

import itertools
import json
import random as chance
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import toy_game as toy
from antiquity.game import random
from antiquity.testing import check_game

COUNTER = itertools.count()


def descending(game: Any, tables: Any, seat: Any, out: Any) -> int:
    n = toy.legal(game, tables, seat, out)
    out[:n] = sorted(out[:n].tolist(), reverse=True)
    return n


def with_wait(game: Any, tables: Any, seat: Any, out: Any) -> int:
    n = toy.legal(game, tables, seat, out)
    out[0] = 0
    return n


def dead_end(game: Any, tables: Any, seat: Any, out: Any) -> int:
    return 0 if game["phase"] == toy.CHOICE else toy.legal(game, tables, seat, out)


def legal_writes(game: Any, tables: Any, seat: Any, out: Any) -> int:
    game["padding"][0] = 1 + seat
    return toy.legal(game, tables, seat, out)


def legal_beyond(game: Any, tables: Any, seat: Any, out: Any) -> int:
    out.base[-1] = 9
    return toy.legal(game, tables, seat, out)


def sees_a_hand(game: Any, tables: Any, seat: Any, out: Any) -> None:
    toy.observe(game, tables, seat, out)
    out[1] = game["hands"][(seat + 1) % game["num_players"], 0] / 3


def sees_the_future(game: Any, tables: Any, seat: Any, out: Any) -> None:
    toy.observe(game, tables, seat, out)
    out[2] = (1 + random.below(game["seed"], toy.PRIZE, game["round"] + 1, 6)) / 6


def sees_a_commitment(game: Any, tables: Any, seat: Any, out: Any) -> None:
    toy.observe(game, tables, seat, out)
    out[1] = game["chosen"][(seat + 1) % game["num_players"]] / toy.NUM_ACTIONS


def memory_tells_hands(game: Any, tables: Any, seat: Any, out: Any) -> None:
    toy.observe(game, tables, seat, out)
    if len(out) > toy.LAYOUT.size:
        out[-1] = game["hands"][(seat + 1) % game["num_players"], 2] / 3


def unscaled(game: Any, tables: Any, seat: Any, out: Any) -> None:
    toy.observe(game, tables, seat, out)
    out[2] = game["prize"]


def not_a_number(game: Any, tables: Any, seat: Any, out: Any) -> None:
    toy.observe(game, tables, seat, out)
    out[9] = np.nan


def adds_up(game: Any, tables: Any, seat: Any, out: Any) -> None:
    toy.observe(game, tables, seat, out)
    game["padding"][1] += 1
    out[0] = game["padding"][1] / 255


def rows_swapped(game: Any, tables: Any, seats: Any, out: Any) -> None:
    wanted = [seat for seat in range(game["num_players"]) if seats >> seat & 1]
    for row, seat in zip(out, reversed(wanted), strict=True):
        toy.observe(game, tables, seat, row)


def state_too_large(game: Any, tables: Any, out: Any) -> None:
    toy.reveal(game, tables, out)
    out[0] = 4


def score_skips(game: Any, tables: Any, out: Any) -> None:
    for seat in range(game["num_players"]):
        out[seat, :2] = game["points"][seat]


def score_of_the_absent(game: Any, tables: Any, out: Any) -> None:
    toy.score(game, tables, out)
    out[toy.PLAYERS - 1, :2] = 1


def score_off(game: Any, tables: Any, out: Any) -> None:
    toy.score(game, tables, out)
    out[: game["num_players"], 1] += 1


def greedy_gives(game: Any, tables: Any, seat: Any, legal: Any, n: Any, noise: Any) -> int:
    return toy.GIVE


def redraws_nothing(game: Any, tables: Any, seat: Any, seed: Any) -> None:
    game["seed"] = random.mix(seed, toy.RESEED, 0)


def keeps_the_future(game: Any, tables: Any, seat: Any, seed: Any) -> None:
    before = game["seed"]
    toy.determinize(game, tables, seat, seed)
    game["seed"] = before


def redraws_ones_own(game: Any, tables: Any, seat: Any, seed: Any) -> None:
    toy.determinize(game, tables, (seat + 1) % game["num_players"], seed)


def swaps_hands(game: Any, tables: Any, seat: Any, seed: Any) -> None:
    others = [each for each in range(game["num_players"]) if each != seat]
    game["hands"][others] = game["hands"][others[::-1]].copy()
    game["seed"] = random.mix(seed, toy.RESEED, 0)


def by_chance(game: Any, tables: Any, seat: Any, seed: Any) -> None:
    toy.determinize(game, tables, seat, chance.getrandbits(62))


def forgets_its_own(game: Any, tables: Any, seat: Any, seed: Any) -> None:
    toy.determinize(game, tables, seat, seed)
    game["chosen"][:] = 0


def counts_outside(game: Any, tables: Any) -> None:
    toy.advance(game, tables)
    game["padding"][2] = next(COUNTER) % 251


def counts_steps(game: Any, tables: Any) -> None:
    toy.advance(game, tables)
    game["steps"] += 1


def nobody_decides(game: Any, tables: Any) -> None:
    toy.advance(game, tables)
    if game["phase"] == toy.CHOICE:
        game["deciders"] = 0


def decides_when_over(game: Any, tables: Any) -> None:
    toy.advance(game, tables)
    if game["over"]:
        game["deciders"] = 1


def never_ends(game: Any, tables: Any) -> None:
    if game["phase"] == toy.BID:
        game["phase"], game["deciders"] = toy.CHOICE, 1
    else:
        game["phase"], game["deciders"] = toy.BID, (1 << game["num_players"]) - 1


def fails(game: Any, tables: Any) -> None:
    raise IndexError("out of bounds")


def reseeds(game: Any, tables: Any) -> None:
    toy.advance(game, tables)
    game["seed"] += 1


def begins_by_chance(game: Any, tables: Any, options: Any) -> None:
    toy.init(game, tables, options)
    game["padding"][0] = next(COUNTER) % 251


def no_words(games: Any, index: int, tables: Any, seat: int, action: int) -> str:
    return "" if action == toy.GIVE else toy.describe(games, index, tables, seat, action)


def shows_hands(games: Any, index: int, tables: Any, seat: int | None, width: int) -> str:
    return str(games[index]["hands"].ravel().tolist())


def too_wide(games: Any, index: int, tables: Any, seat: int | None, width: int) -> str:
    return "x" * 100


def no_svg(games: Any, index: int, tables: Any, seat: int | None) -> str:
    return "<svg><g></svg>"


def offers_anything(games: Any, index: int, tables: Any, seat: int | None) -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg"><g data-actions="4"/></svg>'


def takes_any_option(num_players: int, **options: Any) -> Any:
    options.pop("no_such_option", None)
    return toy.setup(num_players, **options)


FAULTS: dict[str, dict[str, Any]] = {
    "descending": {"legal": descending},
    "with_wait": {"legal": with_wait},
    "dead_end": {"legal": dead_end},
    "legal_writes": {"legal": legal_writes},
    "legal_beyond": {"legal": legal_beyond},
    "max_legal": {"max_legal": 2},
    "num_actions": {"num_actions": 5},
    "sees_a_hand": {"observe": sees_a_hand},
    "sees_the_future": {"observe": sees_the_future},
    "sees_a_commitment": {"observe": sees_a_commitment},
    "memory_tells_hands": {"observe": memory_tells_hands},
    "unscaled": {"observe": unscaled},
    "not_a_number": {"observe": not_a_number},
    "adds_up": {"observe": adds_up},
    "rows_swapped": {"observe_seats": rows_swapped},
    "state_too_large": {"reveal": state_too_large},
    "score_skips": {"score": score_skips},
    "score_of_the_absent": {"score": score_of_the_absent},
    "score_off": {"score": score_off},
    "greedy_gives": {"greedy": greedy_gives},
    "redraws_nothing": {"determinize": redraws_nothing},
    "keeps_the_future": {"determinize": keeps_the_future},
    "redraws_ones_own": {"determinize": redraws_ones_own},
    "swaps_hands": {"determinize": swaps_hands},
    "by_chance": {"determinize": by_chance},
    "forgets_its_own": {"determinize": forgets_its_own},
    "not_hidden": {"hidden": False},
    "counts_outside": {"advance": counts_outside},
    "counts_steps": {"advance": counts_steps},
    "nobody_decides": {"advance": nobody_decides},
    "decides_when_over": {"advance": decides_when_over},
    "never_ends": {"advance": never_ends},
    "fails": {"advance": fails},
    "reseeds": {"advance": reseeds},
    "begins_by_chance": {"init": begins_by_chance},
    "no_words": {"describe": no_words},
    "shows_hands": {"render": shows_hands},
    "too_wide": {"render": too_wide},
    "no_svg": {"draw": no_svg},
    "offers_anything": {"draw": offers_anything},
    "takes_any_option": {"setup": takes_any_option},
    "other_default": {"options": (replace(toy.GAME.options[0], default=3), *toy.GAME.options[1:])},
}


def verdicts() -> Iterator[tuple[str, str]]:
    """Each fault, and what check_game says of it; "" where it says nothing."""
    games: dict[str, dict[str, Any]] = {"sound": {}} | FAULTS
    for name, changes in games.items():
        game = replace(toy.GAME, **changes)
        try:
            check_game(game, games=4, players=[3], max_steps=60, environments=False)
        except AssertionError as error:
            yield name, "\n".join((str(error), *getattr(error, "__notes__", ())))
        else:
            yield name, ""


if __name__ == "__main__":
    print(json.dumps(dict(verdicts())))
