"""A script for a process of its own: tamper with records of a game. Arguments: the game, how many records, and a seed.

Bounds checks are a matter of compilation, so of the whole process (NUMBA_BOUNDSCHECK=1), and what a record does that
should have been refused may be to end the process or to go round for ever.
"""

from __future__ import annotations

import faulthandler
import json
import random
import sys
from typing import Any

from antiquity import make_game
from antiquity.testing import fuzz_records

OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "dice": (
        {"max_turns": 40},
        {"max_turns": 12, "barracks_bonus": "both_sides", "middle_bonus": "four_colours"},
    ),
    "stone_age": ({}, {"max_rounds": 4}),
    "seven_wonders": ({"sides": "choose"}, {"sides": "random"}, {"sides": "night", "payments": "cheapest"}),
}


def main(game: str, mutants: int, seed: int | None = None) -> None:
    faulthandler.enable()
    if seed is None:
        seed = random.SystemRandom().randrange(1 << 32) if mutants > 1_000 else 0
    print(json.dumps(fuzz_records(make_game(game), mutants, options=OPTIONS[game], seed=seed)))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
