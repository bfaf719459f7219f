"""Asking the processor to fetch memory ahead of its use.

An observation is written in pieces all over a row of some kilobytes. Where the rows of a batch no longer fit in the
cache every piece waits for memory, unless it was asked for while something else was computed. The processor can wait
for about a dozen lines at a time, so they are asked for a few at a time: many at once are waited for on the spot.
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


def prefetch_line(array: Any, index: int, offset: int) -> None:
    """Fetch the one line with the byte at ``offset`` from the beginning of ``array[index]``. Otherwise as above."""


if jit.ENABLED:

    def _element(context: Any, builder: Any, signature: Any, arguments: Any) -> tuple[Any, Any]:
        """Address and length in bytes of ``array[index]``, the first two arguments."""
        made = context.make_array(signature.args[0])(context, builder, arguments[0])
        length = builder.extract_value(made.strides, 0)
        data = builder.bitcast(made.data, ir.IntType(8).as_pointer())
        return builder.gep(data, [builder.mul(length, arguments[1])]), length

    def _emit(builder: Any, address: Any) -> None:
        """The instruction that fetches the line of an address."""
        flag = ir.IntType(32)
        fetch = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag]),
            "llvm.prefetch.p0",
        )
        to_write, keep, data = (ir.Constant(flag, value) for value in (1, 3, 1))
        builder.call(fetch, [address, to_write, keep, data])

    @intrinsic
    def _fetch(_context: Any, array: types.Array, index: types.Integer) -> tuple[Any, Callable[..., Any]]:
        """Emit the instructions of :func:`prefetch`."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start, length = _element(context, builder, signature, arguments)
            zero, step = ir.Constant(length.type, 0), ir.Constant(length.type, LINE)
            with cgutils.for_range_slice(builder, zero, length, step) as (offset, _):
                _emit(builder, builder.gep(start, [offset]))
            return context.get_dummy_value()

        return types.void(array, types.intp), generate

    @intrinsic
    def _fetch_line(
        _context: Any, array: types.Array, index: types.Integer, offset: types.Integer
    ) -> tuple[Any, Callable[..., Any]]:
        """Emit the instructions of :func:`prefetch_line`."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start, _ = _element(context, builder, signature, arguments)
            _emit(builder, builder.gep(start, [arguments[2]]))
            return context.get_dummy_value()

        return types.void(array, types.intp, types.intp), generate

    @jit.twin(prefetch)
    def _prefetch(array: Any, index: Any) -> None:
        _fetch(array, index)

    @jit.twin(prefetch_line)
    def _prefetch_line(array: Any, index: Any, offset: Any) -> None:
        _fetch_line(array, index, offset)
