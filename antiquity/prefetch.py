"""Asking the processor to fetch memory ahead of its use.

An observation is written in pieces all over a row of some kilobytes. Where the rows of a batch no longer fit in the
cache every piece waits for memory; asking for the next row while this one is written nearly halves the time of a step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic

from antiquity import jit

LINE = 64
"""Bytes that come at once."""


def prefetch(array: Any, index: int) -> None:
    """Fetch ``array[index]`` (C-contiguous), soon to be written. No index is too large; uncompiled, nothing happens."""


if jit.ENABLED:

    @intrinsic
    def _fetch(_context: Any, array: types.Array, index: types.Integer) -> tuple[Any, Callable[..., Any]]:
        """Emit the instructions of :func:`prefetch`."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            made = context.make_array(kind)(context, builder, arguments[0])
            length = builder.extract_value(made.strides, 0)
            word, flag, address = length.type, ir.IntType(32), ir.IntType(8).as_pointer()
            start = builder.gep(builder.bitcast(made.data, address), [builder.mul(length, arguments[1])])
            fetch = cgutils.get_or_insert_function(
                builder.module,
                ir.FunctionType(ir.VoidType(), [address, flag, flag, flag]),
                "llvm.prefetch.p0",
            )
            to_write, keep, data = (ir.Constant(flag, value) for value in (1, 3, 1))
            zero, step = ir.Constant(word, 0), ir.Constant(word, LINE)
            with cgutils.for_range_slice(builder, zero, length, step) as (offset, _):
                builder.call(fetch, [builder.gep(start, [offset]), to_write, keep, data])
            return context.get_dummy_value()

        return types.void(array, types.intp), generate

    @jit.twin(prefetch)
    def _prefetch(array: Any, index: Any) -> None:
        _fetch(array, index)
