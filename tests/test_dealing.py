"""What seats are dealt and may ask for: the words for what is wrong, and the deal itself."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from antiquity.game.random import below
from antiquity.game.setup import RANDOM, asked_for, deal, nth_bit
from antiquity.kernels import entry

IDS = ("giza", "rhodes", "olympia")
PURPOSE = 7


@entry
def _deal(wanted, kinds, num_players, seed, out):
    deal(wanted, kinds, num_players, np.uint64(seed), PURPOSE, out)


@entry
def _nth_bit(bits, n):
    return nth_bit(bits, n)


def dealt(wanted: list[int], kinds: int, seed: int) -> list[int]:
    out = np.full(len(wanted) + 1, 99, np.uint8)
    _deal(np.array([*wanted, 0], np.uint8), kinds, len(wanted), seed, out)
    assert out[-1] == 99  # nothing is written for absent seats
    return [int(kind) for kind in out[:-1]]


def test_nth_bit() -> None:
    for bits in (0b1, 0b1000, 0b101101, 0b1111111, 1 << 40 | 1):
        places = [place for place in range(64) if bits >> place & 1]
        assert [_nth_bit(bits, n) for n in range(len(places))] == places


def test_a_seat_draws_from_what_nobody_has_or_asked_for() -> None:
    for seed in range(300):
        wanted = [RANDOM, 3, RANDOM, 0, RANDOM]
        left = [kind for kind in range(7) if kind not in wanted]
        expected = list(wanted)
        for seat, kind in enumerate(wanted):
            if kind == RANDOM:
                expected[seat] = left.pop(below(seed, PURPOSE, seat, len(left)))
        assert dealt(wanted, 7, seed) == expected


def test_every_deal_comes_up() -> None:
    counts = Counter(tuple(dealt([RANDOM] * 3, 3, seed)) for seed in range(1200))
    assert set(counts) == set(permutations(range(3)))
    assert min(counts.values()) > 140  # 200 expected of each; 140 lies 4.6 standard deviations below


def test_asked_for() -> None:
    assert asked_for("boards", None, 3, IDS) == [RANDOM] * 3
    assert asked_for("boards", ["olympia", None], 2, IDS) == [2, RANDOM]
    assert asked_for("boards", ("random", "giza"), 2, IDS) == [RANDOM, 0]


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ("giza", TypeError, "boards='giza': must be a list with one entry for each seat"),
        (b"giza", TypeError, "must be a list"),
        (3, TypeError, "boards=3: must be a list"),
        (["giza"], ValueError, "boards has 1 entries for 2 players"),
        (
            ["giza", "thebes"],
            ValueError,
            r"boards\[1\]='thebes': there are giza, rhodes, olympia, or 'random'",
        ),
        (["giza", 1], ValueError, r"boards\[1\]=1: there are giza"),
        (["giza", "giza"], ValueError, r"boards\[1\]='giza': there is one of each, and another seat has it"),
    ],
)
def test_what_cannot_be_asked_for(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        asked_for("boards", value, 2, IDS)
