"""What tests of a game need, here and in any other repository.

May import everything below it, but no game.
"""

from antiquity.testing.check import check_game
from antiquity.testing.mutants import Fuzzed, fuzz_records
from antiquity.testing.playthroughs import Stories
from antiquity.testing.referee import Referee, at_random, compare_with_referee, fuzz, fuzzing
from antiquity.testing.table import Table

__all__ = [
    "Fuzzed",
    "Referee",
    "Stories",
    "Table",
    "at_random",
    "check_game",
    "compare_with_referee",
    "fuzz",
    "fuzz_records",
    "fuzzing",
]
