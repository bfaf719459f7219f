"""Memory of records."""

from __future__ import annotations

from typing import Any

from antiquity.kernels import jit


def clear(record: Any) -> None:
    """Set every byte of a record of numbers to zero."""
    for name in record.dtype.names:
        record[name] = 0


if jit.ENABLED:
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def _clear(_context: Any, record: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            size = ir.Constant(ir.IntType(64), signature.args[0].size)
            data = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
            cgutils.memset(builder, data, size, 0)
            return context.get_dummy_value()

        return types.void(record), generate

    @jit.twin(clear)
    def _compiled_clear(record: Any) -> None:
        _clear(record)
