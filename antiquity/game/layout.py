"""The named elements of an observation: :class:`Field`, :class:`Layout`, and the parts that layouts are built from."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # rich takes a tenth of a second to import
    from rich.table import Table

Part = tuple[Any, ...]
"""Name, size, least and greatest value (scaled), scale, meaning; and byte_scale and byte_offset of a :class:`Field`,
where they are not the usual ones."""


@dataclass(frozen=True)
class Field:
    """Some neighbouring elements of an observation.

    Attributes:
        name: unique in its layout.
        start: index of the first element.
        size: number of elements.
        low: least value that an element can have, after scaling.
        high: greatest value.
        scale: what the value in the game is divided by.
        meaning: one line, with units.
        byte_scale: what one unit of a byte is worth in uint8 observations, for all elements or for each; by default
            1 / scale.
        byte_offset: what a byte of 0 stands for, in these units.
    """

    name: str
    start: int
    size: int
    low: float
    high: float
    scale: float
    meaning: str
    byte_scale: float | tuple[float, ...] = field(default=0, repr=False)
    byte_offset: int = field(default=0, repr=False)


class Layout:
    """The named elements of an observation, in order and without gaps.

    Args:
        fields: each starts where the one before ends; the first starts at 0.

    Raises:
        ValueError: there is a gap, an overlap, an empty field, a duplicate name, or low is above high.
    """

    def __init__(self, fields: Iterable[Field]) -> None:
        self.fields = tuple(fields)
        self.size = 0
        """Number of elements of the whole vector."""
        self._by_name: dict[str, Field] = {}
        for each in self.fields:
            if each.name in self._by_name:
                raise ValueError(f"two fields are called {each.name}")
            if each.start != self.size or each.size < 1:
                raise ValueError(
                    f"{each.name} starts at {each.start} with {each.size} elements, expected {self.size}"
                )
            if not each.low <= each.high or each.scale == 0:
                raise ValueError(f"{each.name} has bounds {each.low} to {each.high} and scale {each.scale}")
            self._by_name[each.name] = each
            self.size += each.size
        self.low = self._spread("low")
        """Least values, float32[size], read only."""
        self.high = self._spread("high")
        """Greatest values, float32[size], read only."""
        self.byte_scale = _frozen(
            [np.broadcast_to(each.byte_scale or 1 / each.scale, each.size) for each in self.fields]
        )
        """float32[size], read only: an element is ``(byte + byte_offset) * byte_scale`` (:meth:`floats`)."""
        self.byte_offset = self._spread("byte_offset")
        """float32[size], read only: whole numbers."""

    @classmethod
    def build(cls, *parts: Part) -> Layout:
        """A layout from (name, size, low, high, scale, meaning), with the starts counted up (:data:`Part`)."""
        fields: list[Field] = []
        start = 0
        for name, size, *others in parts:
            fields.append(Field(name, start, size, *others))
            start += size
        return cls(fields)

    def _spread(self, attribute: str) -> NDArray[np.float32]:
        return _frozen([np.full(each.size, getattr(each, attribute)) for each in self.fields])

    def slice(self, name: str) -> slice:
        """Where the field lies: ``observation[layout.slice("coins")]``. KeyError for an unknown name."""
        each = self[name]
        return slice(each.start, each.start + each.size)

    @property
    def starts(self) -> Any:
        """Where each field starts, by name, as constants for kernels: with ``AT = layout.starts``, ``out[AT.coins]``.

        A block that comes several times, such as that of a seat, has a layout of its own, counted from where it begins.
        """
        make: Any = namedtuple  # mypy wants names that it can read
        return make("Starts", self._by_name)(*(each.start for each in self.fields))

    def __getitem__(self, name: str) -> Field:
        if name not in self._by_name:
            raise KeyError(f"no field is called {name!r}; there are {', '.join(self._by_name) or 'none'}")
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def parts(self) -> list[Part]:
        """The arguments for :meth:`build` that give this layout."""
        return [
            (
                *(each.name, each.size, each.low, each.high, each.scale, each.meaning),
                each.byte_scale,
                each.byte_offset,
            )
            for each in self
        ]

    def floats(self, observations: NDArray[Any]) -> NDArray[np.float32]:
        """Observations of uint8[..., size] as the float32 that they stand for: equal but for rounding and for what a
        byte could not hold."""
        return (observations.astype(np.float32) + self.byte_offset) * self.byte_scale

    def split(self, observations: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Observations [..., size] as one array [..., n] for each field, by name: views."""
        if observations.shape[-1] != self.size:
            raise ValueError(f"observations have {self.size} elements here, not {observations.shape[-1]}")
        return {each.name: observations[..., each.start : each.start + each.size] for each in self}

    def __add__(self, other: Layout) -> Layout:
        """This layout with the other's fields behind it, as in an observation with memory."""
        return Layout.build(*self.parts(), *other.parts())

    def table(self, title: str = "") -> Table:
        """The layout as a table for the terminal (needs rich)."""
        from rich.table import Table

        table = Table(title=title or None)
        for heading in ("field", "from", "size", "low", "high", "scale", "meaning"):
            table.add_column(heading, justify="left" if heading in ("field", "meaning") else "right")
        for each in self.fields:
            numbers = (f"{each.low:g}", f"{each.high:g}", f"{each.scale:g}")
            table.add_row(each.name, str(each.start), str(each.size), *numbers, each.meaning)
        return table

    def __str__(self) -> str:
        width = max((len(each.name) for each in self.fields), default=0)
        return "\n".join(
            f"{each.start:5d} +{each.size:<4d} {each.name:{width}s}  "
            f"[{each.low:g}, {each.high:g}] /{each.scale:g}  {each.meaning}"
            for each in self.fields
        )

    def __repr__(self) -> str:
        return f"<Layout of {len(self.fields)} fields, {self.size} elements>"


def _frozen(parts: list[NDArray[Any]]) -> NDArray[np.float32]:
    """One array of several, read only."""
    whole = np.concatenate([*parts, []]).astype(np.float32)
    whole.flags.writeable = False
    return whole


def for_each(names: Iterable[str], parts: Iterable[Part]) -> list[Part]:
    """All parts once for every name, which comes before the part's own: ``me_coins``."""
    parts = tuple(parts)
    return [(f"{name}_{part[0]}", *part[1:]) for name in names for part in parts]
