"""Words of eight bytes, looked at byte by byte at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.kernels.dispatch import twin
from antiquity.kernels.jit import ENABLED


def least_byte(a: Any, b: Any) -> Any:
    """The smallest of the 16 bytes of two words (uint64), int64 from 0 to 255."""
    least = np.int64(255)
    for place in range(8):
        shift = np.uint64(8 * place)
        least = min(least, np.int64((a >> shift) & np.uint64(255)), np.int64((b >> shift) & np.uint64(255)))
    return least


if ENABLED:
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    _BYTE, _WORD = ir.IntType(8), ir.IntType(64)
    _WORDS, _BYTES = ir.VectorType(_WORD, 2), ir.VectorType(_BYTE, 16)

    @intrinsic
    def _least_byte(_context: Any, a: Any, b: Any) -> Any:
        """As one reduction of a vector: three instructions on x86, one on ARM, where the loop would be 40."""

        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            words = ir.Constant(_WORDS, ir.Undefined)
            for place, word in enumerate(arguments):
                words = builder.insert_element(words, word, ir.Constant(ir.IntType(32), place))
            kind = ir.FunctionType(_BYTE, [_BYTES])
            least = cgutils.get_or_insert_function(builder.module, kind, "llvm.vector.reduce.umin.v16i8")
            return builder.zext(builder.call(least, [builder.bitcast(words, _BYTES)]), _WORD)

        return types.int64(types.uint64, types.uint64), generate

    @twin(least_byte, plain=least_byte)
    def _compiled_least_byte(a: Any, b: Any) -> Any:
        return _least_byte(a, b)
