"""Memory set to zero: records, and rows of arrays."""

from __future__ import annotations

from typing import Any

from antiquity.kernels.dispatch import in_place_of, twin
from antiquity.kernels.mode import LINKED, MODE, PLAIN


def clear(record: Any) -> None:
    """Set every byte of a record of numbers to zero."""
    for name in record.dtype.names:
        record[name] = 0


def clear_rows(array: Any, start: int, stop: int) -> None:
    """Set ``array[start:stop]`` of a C-contiguous array of two dimensions to zero."""
    array[start:stop] = 0


if MODE == LINKED:
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def _clear(_context: Any, record: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            size = ir.Constant(ir.IntType(64), signature.args[0].size)
            data = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
            cgutils.memset(builder, data, size, 0)
            return context.get_dummy_value()

        return types.void(record), generate

    @twin(clear)
    def _compiled_clear(record: Any) -> None:
        _clear(record)

    @intrinsic
    def _clear_rows(_context: Any, array: Any, start: Any, stop: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            made = context.make_array(signature.args[0])(context, builder, arguments[0])
            row = builder.extract_value(made.strides, 0)
            data = builder.bitcast(made.data, ir.IntType(8).as_pointer())
            size = builder.mul(builder.sub(arguments[2], arguments[1]), row)
            cgutils.memset(builder, builder.gep(data, [builder.mul(arguments[1], row)]), size, 0)
            return context.get_dummy_value()

        return types.void(array, types.intp, types.intp), generate

    @twin(clear_rows)
    def _compiled_clear_rows(array: Any, start: Any, stop: Any) -> None:
        _clear_rows(array, start, stop)

elif MODE == PLAIN:
    from numba import types

    def _clearing(record: Any) -> Any:
        """A function that clears the fields of a numba record one by one."""
        arrays = {name for name, field in record.fields.items() if isinstance(field.type, types.NestedArray)}
        lines = [f"    record[{name!r}]{'[...]' if name in arrays else ''} = 0" for name in record.fields]
        made: dict[str, Any] = {}
        exec("\n".join(["def clear(record):", *lines]), made)
        return made["clear"]

    in_place_of(clear, _clearing)

    @twin(clear_rows)
    def _plain_clear_rows(array: Any, start: Any, stop: Any) -> None:
        for row in range(start, stop):
            for column in range(array.shape[1]):
                array[row, column] = 0
