"""Counter-based draws: fixed values, uniformity, and the same numbers compiled and uncompiled."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from antiquity.game import random
from antiquity.kernels import entry

SEED = 20_260_101


@entry
def fill(words, draws, order, seed, purpose, n):
    for index in range(len(words)):
        words[index] = random.mix(seed, purpose, index)
        draws[index] = random.below(seed, purpose, index, n)
    random.shuffle(order, len(order), seed, purpose, 3)


def chi_square(counts: np.ndarray) -> float:
    """The statistic against equal chances, in standard deviations above its mean."""
    expected = counts.sum() / counts.size
    statistic = float(((counts - expected) ** 2).sum() / expected)
    freedom = counts.size - 1
    return (statistic - freedom) / math.sqrt(2 * freedom)


def digest() -> str:
    """Numbers that any change of the hash changes, computed by kernels where there are any."""
    words, draws, order = np.zeros(50, np.uint64), np.zeros(50, np.int64), np.arange(20)
    texts = []
    for seed, purpose, n in ((0, 0, 6), (2**64 - 1, random.POLICY, 2**31 - 1), (SEED, 3, 3 << 29)):
        fill(words, draws, order, np.uint64(seed), purpose, n)
        texts.append(f"{words.tolist()}{draws.tolist()}{order.tolist()}")
    return hashlib.sha256("".join(texts).encode()).hexdigest()


def test_the_hash_never_changes() -> None:
    # Recorded games, and the seeds that papers name, rest on these.
    assert random.mix(0, 0, 0) == 0xA706DD2F4D197E6F
    assert random.mix(1, 2, 3) == 0x0EE3BB459E9E297B
    assert random.mix(2**64 - 1, random.BATCH, 12_345) == 0x22886C522B0EB803
    assert [random.below(1, 1, index, 6) for index in range(12)] == [2, 0, 0, 3, 2, 4, 2, 0, 4, 1, 2, 0]


def test_kernels_draw_the_same_as_python() -> None:
    words, draws, order = np.zeros(300, np.uint64), np.zeros(300, np.int64), np.arange(13)
    plain = list(range(13))
    fill(words, draws, order, np.uint64(SEED), 7, 3 << 29)
    random.shuffle(plain, 13, SEED, 7, 3)
    assert words.tolist() == [random.mix(SEED, 7, index) for index in range(300)]
    assert draws.tolist() == [random.below(SEED, 7, index, 3 << 29) for index in range(300)]
    assert order.tolist() == plain


def test_uncompiled_kernels_draw_the_same() -> None:
    code = "import test_random; print(test_random.digest())"
    found = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == digest()


def test_many_at_once_are_the_same() -> None:
    indices = np.arange(100, dtype=np.uint64)
    expected = [random.mix(SEED, random.BATCH, index) for index in range(100)]
    assert random.mix_many(np.uint64(SEED), random.BATCH, indices).tolist() == expected
    seeds = random.mix_many(np.uint64(2**64 - 1), 5, indices)
    assert random.mix_many(seeds, 9, np.uint64(4)).tolist() == [random.mix(int(seed), 9, 4) for seed in seeds]


def test_indices_of_one_purpose_never_collide() -> None:
    assert len({random.mix(5, 2, index) for index in range(20_000)}) == 20_000


@pytest.mark.parametrize("n", [2, 3, 6, 7, 49, 80, 1000])
@pytest.mark.parametrize("varying", ["seed", "purpose", "index"])
def test_draws_are_uniform_whatever_varies(n: int, varying: str) -> None:
    draws = 40 * n + 20_000
    values = {
        "seed": (random.below(number, 1, 2, n) for number in range(draws)),
        "purpose": (random.below(SEED, number, 2, n) for number in range(draws)),
        "index": (random.below(SEED, 1, number, n) for number in range(draws)),
    }[varying]
    counts = np.bincount(np.fromiter(values, np.int64), minlength=n)
    assert counts.size == n
    assert abs(chi_square(counts)) < 4


def test_neighbouring_draws_are_independent() -> None:
    draws = [random.below(SEED, 4, index, 6) for index in range(36_000)]
    pairs = Counter(pairwise(draws))
    assert abs(chi_square(np.array([pairs[a, b] for a in range(6) for b in range(6)]))) < 4


def test_large_ranges_are_unbiased() -> None:
    # Of three neighbours in a range of 3 * 2**29, 32 bits reach two by three words and one by two: only the rejection
    # of words makes them equally likely.
    n = 3 << 29
    counts = np.bincount([random.below(SEED, 8, index, n) % 3 for index in range(30_000)], minlength=3)
    assert abs(chi_square(counts)) < 4


def test_one_bit_of_the_seed_changes_half_of_the_bits() -> None:
    changed = [
        (random.mix(SEED, 1, index) ^ random.mix(SEED ^ (1 << bit), 1, index)).bit_count()
        for bit in range(64)
        for index in range(20)
    ]
    assert abs(np.mean(changed) - 32) < 0.5
    assert min(changed) > 8


def test_all_orders_are_equally_likely() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for index in range(24_000):
        values = [0, 1, 2, 3]
        random.shuffle(values, 4, SEED, 6, index)
        orders[tuple(values)] += 1
    assert len(orders) == 24
    assert abs(chi_square(np.array(list(orders.values())))) < 4


def test_shuffling_a_part_leaves_the_rest() -> None:
    values = np.arange(10)
    random.shuffle(values, 4, 1, 1, 1)
    assert sorted(values[:4]) == [0, 1, 2, 3]
    assert values[4:].tolist() == [4, 5, 6, 7, 8, 9]


def test_reserved_purposes_differ() -> None:
    purposes = [random.POLICY, random.ILLEGAL, random.BATCH, random.SHUFFLE]
    assert len(set(purposes)) == 4
    assert min(purposes) >= random.RESERVED
