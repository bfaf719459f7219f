"""The named elements of an observation: :class:`Field`, :class:`Layout`, and the parts that layouts are built from."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # rich takes a tenth of a second to import
    from rich.table import Table

Part = tuple[str, int, float, float, float, str]
"""Name, size, least and greatest value (scaled), scale, meaning."""


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
    """

    name: str
    start: int
    size: int
    low: float
    high: float
    scale: float
    meaning: str


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

    @classmethod
    def build(cls, *parts: tuple[str, int, float, float, float, str]) -> Layout:
        """A layout from (name, size, low, high, scale, meaning), with the starts counted up."""
        fields, start = [], 0
        for name, size, low, high, scale, meaning in parts:
            fields.append(Field(name, start, size, low, high, scale, meaning))
            start += size
        return cls(fields)

    def _spread(self, attribute: str) -> NDArray[np.float32]:
        values = np.array([getattr(each, attribute) for each in self.fields], dtype=np.float32)
        spread = np.repeat(values, [each.size for each in self.fields])
        spread.flags.writeable = False
        return spread

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
        return [(each.name, each.size, each.low, each.high, each.scale, each.meaning) for each in self]

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


def for_each(names: Iterable[str], parts: Iterable[Part]) -> list[Part]:
    """All parts once for every name, which comes before the part's own: ``me_coins``."""
    parts = tuple(parts)
    return [(f"{name}_{part[0]}", *part[1:]) for name in names for part in parts]
