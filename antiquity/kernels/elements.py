"""Elements of an observation, which is float32 or uint8: the same source for both, chosen while compiling.

A kernel that writes through these functions serves both. Where `out` is float32, an element is ``value * scale``; where
it is uint8, the whole number itself, which readers multiply by the scale. What a byte cannot hold becomes the nearest
that it can.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.kernels.dispatch import by_dtype
from antiquity.kernels.jit import kernel

_ONES = np.array([[byte >> bit & 1 for bit in range(8)] for byte in range(256)], np.uint8)
BITS = np.stack([0 * _ONES, _ONES, 2 * _ONES])
FLOAT_BITS = _ONES.astype(np.float32)
"""The bits of a byte: copying eight at a time is several times faster than testing them one by one."""


def _put_float(out: Any, at: Any, value: Any, scale: Any) -> None:
    """Element `at` is `value` (int64) times `scale` (float32)."""
    out[at] = np.float32(value) * scale


def _put_byte(out: Any, at: Any, value: Any, scale: Any) -> None:
    out[at] = np.uint8(min(max(value, 0), 255))


put = by_dtype(_put_float, _put_byte)


def _put_above_float(out: Any, at: Any, value: Any, least: Any, scale: Any) -> None:
    """As :func:`put`, where bytes count from `least`: that is the ``byte_offset`` of the layout's field."""
    out[at] = np.float32(value) * scale


def _put_above_byte(out: Any, at: Any, value: Any, least: Any, scale: Any) -> None:
    out[at] = np.uint8(min(max(value - least, 0), 255))


put_above = by_dtype(_put_above_float, _put_above_byte)


def _add_float(out: Any, at: Any, value: Any, scale: Any) -> None:
    """Add to element `at` what :func:`put` would write; the sum must fit a byte."""
    out[at] += np.float32(value) * scale


def _add_byte(out: Any, at: Any, value: Any, scale: Any) -> None:
    out[at] = np.uint8(np.int64(out[at]) + value)


add = by_dtype(_add_float, _add_byte)


def _put_bits_float(out: Any, at: Any, byte: Any, count: Any, value: Any) -> None:
    """The lowest `count` bits of a byte, at most 8: 0 or 1; in bytes 0 or `value`."""
    for bit in range(count):
        out[at + bit] = FLOAT_BITS[byte, bit]


def _put_bits_byte(out: Any, at: Any, byte: Any, count: Any, value: Any) -> None:
    for bit in range(count):
        out[at + bit] = BITS[value, byte, bit]


put_bits = by_dtype(_put_bits_float, _put_bits_byte)


def _put_scaled_float(out: Any, at: Any, value: Any, units: Any) -> None:
    """Element `at` is `value`, float32, which is a whole number of at most 255 divided by `units`."""
    out[at] = value


def _put_scaled_byte(out: Any, at: Any, value: Any, units: Any) -> None:
    out[at] = np.uint8(np.int32(value * units + np.float32(0.5)))


put_scaled = by_dtype(_put_scaled_float, _put_scaled_byte)


@kernel
def lacking(size: Any, base: Any, memory: Any, block: Any) -> Any:
    """How many elements an observation of `size` lacks because blocks of seats were left out of it.

    `base`: of the whole observation, `memory`: of the memory that may be behind it, `block`: of one seat. `memory` is
    no multiple of `block`, so that `size` alone says what is left out.
    """
    short = base + memory - size
    return short if short % block == 0 else base - size
