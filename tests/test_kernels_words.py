"""Words of eight bytes: the compiled functions against what they are said to do."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from antiquity.kernels import entry, least_byte

WORDS = st.integers(0, 2**64 - 1)


@entry
def _least_bytes(a, b, out):
    for k in range(len(out)):
        out[k] = least_byte(a[k], b[k])


def compiled(a: np.ndarray, b: np.ndarray) -> list[int]:
    out = np.empty(len(a), np.int64)
    _least_bytes(a, b, out)
    return [int(value) for value in out]


@given(WORDS, WORDS)
def test_least_byte_is_the_least_of_all_sixteen(a: int, b: int) -> None:
    expected = min(a.to_bytes(8, "little") + b.to_bytes(8, "little"))
    assert compiled(np.array([a], np.uint64), np.array([b], np.uint64)) == [expected]
    assert least_byte(np.uint64(a), np.uint64(b)) == expected


def test_least_byte_finds_every_place_and_value() -> None:
    table = np.full((256, 16), 255, np.uint8)
    for place in range(16):
        table[:, place] = np.arange(256)  # one small byte among large ones
        words = table.view(np.uint64)
        assert compiled(words[:, 0].copy(), words[:, 1].copy()) == list(range(256))
        table[:, place] = 255
