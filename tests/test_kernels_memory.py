"""What sets memory to zero, compiled and as plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from antiquity.kernels import clear, clear_rows, entry

RECORD = np.dtype(
    [("seed", "u8"), ("coins", "u2", (3,)), ("age", "u1"), ("share", "f4"), ("hands", "u1", (2, 4))]
)


@entry
def _clear(records: Any, index: int) -> None:
    clear(records[index])


@entry
def _clear_rows(array: Any, start: int, stop: int) -> None:
    clear_rows(array, start, stop)


def test_a_record_is_cleared_and_its_neighbours_are_not() -> None:
    for call in (lambda records: _clear(records, 1), lambda records: clear(records[1])):
        records = np.frombuffer(bytes(range(1, 3 * RECORD.itemsize + 1)), RECORD).copy()
        before = records.copy()
        call(records)
        assert records[1].tobytes() == bytes(RECORD.itemsize)
        assert records[::2].tobytes() == before[::2].tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.int8])
@pytest.mark.parametrize(("start", "stop"), [(0, 5), (1, 3), (2, 2), (4, 5)])
def test_rows_are_cleared_and_no_others(dtype: type, start: int, stop: int) -> None:
    for call in (_clear_rows, clear_rows):
        array: np.ndarray = np.ones((5, 7), dtype)
        call(array, start, stop)
        expected: np.ndarray = np.ones((5, 7), dtype)
        expected[start:stop] = 0
        assert array.tobytes() == expected.tobytes()
