"""What an observation is about: seats, cards, dice. Structured observations are made of this description.

A game names its :class:`Entity` s once. Of what no entity has, the fields of the layout itself make up the entity
``"table"``, and each field of the memory is one of its own. A game that names none has one for every field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from antiquity.game.layout import Layout, Part

TABLE = "table"
MEMORY = "memory"


@dataclass(frozen=True)
class Entity:
    """A thing that some fields of the layout describe, or several things of which one field tells the numbers.

    Attributes:
        kind: what it is; all of a kind have the same columns.
        name: which one it is.
        fields: the names of its fields.
        block: the block of a dict observation that they belong to; `name` unless given.
        most: 0, or: each column of the one field that is not zero is a thing of its own, and there are at most so many.
        players: with fewer players at the table it is never there.
    """

    kind: str
    name: str
    fields: tuple[str, ...]
    block: str = ""
    most: int = 0
    players: int = 0


def entities_of(
    kind: str,
    names: Sequence[str],
    parts: Iterable[Part],
    *,
    players: Sequence[int] = (),
    but: Sequence[str] = (),
) -> list[Entity]:
    """An entity for every name, of the fields that :func:`antiquity.game.layout.for_each` makes of the same arguments.

    Args:
        players: for each of them, see :class:`Entity`.
        but: parts that are left out.
    """
    kept = [part[0] for part in parts if part[0] not in but]
    needed = players or (0,) * len(names)
    return [
        Entity(kind, name, tuple(f"{name}_{part}" for part in kept), players=least)
        for name, least in zip(names, needed, strict=True)
    ]


def completed(entities: Sequence[Entity], layout: Layout, size: int) -> list[Entity]:
    """The same, with entities for the other fields of a layout, of which `size` columns are no memory.

    Raises:
        ValueError: an entity names a field that is not there or that another has, or is unlike others of its kind.
    """
    named = Counter(field for each in entities for field in each.fields)
    strange = [field for field, times in named.items() if times > 1 or field not in layout]
    if strange:
        raise ValueError(f"the field {strange[0]} is in two entities, or not in the layout")
    rest = [each for each in layout if each.name not in named]
    if not entities:
        return [Entity(each.name, each.name, (each.name,)) for each in rest]
    table = tuple(each.name for each in rest if each.start < size)
    found = [*([Entity(TABLE, TABLE, table)] if table else []), *entities]
    found += [Entity(MEMORY, each.name, (each.name,)) for each in rest if each.start >= size]
    for kind, widths in _widths(found, layout).items():
        if len(widths) > 1 and kind != MEMORY:
            raise ValueError(f"entities of the kind {kind} have {sorted(widths)} columns")
    return found


def _widths(entities: Sequence[Entity], layout: Layout) -> dict[str, set[int]]:
    widths: dict[str, set[int]] = {}
    for each in entities:
        columns = sum(layout[field].size for field in each.fields)
        widths.setdefault(each.kind, set()).add(columns + (each.most > 0))
    return widths


def blocks_of(entities: Sequence[Entity], layout: Layout) -> dict[str, NDArray[np.int64] | slice]:
    """The columns of every block of a dict observation, in the order of the layout: a slice where they lie together."""
    columns: dict[str, list[int]] = {}
    for each in entities:
        for field in each.fields:
            found = layout[field]
            columns.setdefault(each.block or each.name, []).extend(
                range(found.start, found.start + found.size)
            )
    blocks: dict[str, NDArray[np.int64] | slice] = {}
    for name, numbers in sorted(columns.items(), key=lambda item: min(item[1])):
        numbers.sort()
        together = numbers[-1] - numbers[0] + 1 == len(numbers)
        blocks[name] = slice(numbers[0], numbers[-1] + 1) if together else np.array(numbers)
    return blocks


class TokenLayout:
    """Where the columns of an observation go when every entity becomes a row, a token.

    The features of a token are first, one-hot, which of its kind it is (where there are several), then its columns. For
    an entity with `most`, they are: which field it comes from, the number of the column, one-hot, and its value.

    Args:
        entities: all of them, see :func:`completed`.
        layout: the observation.
        players: the most seats at the table.
    """

    def __init__(self, entities: Sequence[Entity], layout: Layout, players: int) -> None:
        self.kinds = tuple(dict.fromkeys(each.kind for each in entities))
        """The kinds of entities; a token's type is a number in here."""
        places = {kind: [each.name for each in entities if each.kind == kind] for kind in self.kinds}
        self.features: dict[str, tuple[str, ...]] = {}
        """What the features of each kind are, in words; those behind them are 0."""
        types: list[int] = []
        marks: list[int] = []
        copies: list[tuple[int, int, int, int]] = []
        scans: list[tuple[int, int, int, int, int]] = []
        for each in entities:
            if each.players > players:
                continue
            names = places[each.kind] if len(places[each.kind]) > 1 else []
            at, token = len(names), len(types)
            features = (*names, *_names(each, layout))
            self.features[each.kind] = max(self.features.get(each.kind, ()), features, key=len)
            if each.most:
                field = layout[each.fields[0]]
                scans.append((token, each.most, field.start, field.size, at))
            else:
                for name in each.fields:
                    field = layout[name]
                    copies.append((token, at, field.start, field.size))
                    at += field.size
            types += [self.kinds.index(each.kind)] * max(each.most, 1)
            marks += [names.index(each.name) if names else -1] * max(each.most, 1)
        self.types = np.array(types, np.int8)
        """int8[E]: the kind of every token."""
        self.marks = np.array(marks, np.int64)
        """int64[E]: the feature that says which of its kind it is, or -1."""
        self.copies = np.array(copies, np.int64).reshape(-1, 4)
        """int64[n, 4]: token, feature, column, how many."""
        self.scans = np.array(scans, np.int64).reshape(-1, 5)
        """int64[m, 5]: first token, how many at most, first column, how many, first feature."""
        widths = [at + size for _, at, _, size in copies] + [at + size + 1 for *_, size, at in scans]
        self.shape = (len(types), max(widths))
        """(E, C): tokens and features."""


def _names(entity: Entity, layout: Layout) -> list[str]:
    """What the columns of an entity are called."""
    if entity.most:
        size = layout[entity.fields[0]].size
        return [*(f"number {number}" for number in range(size)), "value"]
    names = []
    for field in entity.fields:
        short, size = field.removeprefix(f"{entity.name}_"), layout[field].size
        if field == entity.name:
            short = "column"
        names += [short] if size == 1 else [f"{short} {number}" for number in range(size)]
    return names
