"""The record of a game: the header of every record, and the checks of its dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

WAIT = 0
"""The action of a seat that has nothing to choose, in every game."""
ENDED = 1
"""Value of ``over`` in the record of a game that has ended by its rules."""
CUT_OFF = 2
"""Value of ``over`` in the record of a game that a limit of its own has cut off: truncated, not terminated."""

HEADER = np.dtype(
    [
        ("seed", "u8"),  # everything random in the game is a hash of it
        ("steps", "u4"),  # decisions resolved so far
        ("num_players", "u1"),
        ("over", "u1"),  # ENDED or CUT_OFF when nobody decides any more
        ("deciders", "u1"),  # bit s: seat s must choose now
        ("forfeits", "u1"),  # bit s: seat s has lost by an illegal action, and ranks after all others
    ]
)
"""The first 16 bytes of every game's record."""


def check_dtype(dtype: np.dtype[Any]) -> None:
    """Check that `dtype` can be the record of a game.

    Raises:
        ValueError: it does not begin with :data:`HEADER`, has no field ``chosen`` (u2, one for each seat), has padding
            bytes (equal games would differ in them), a size that is no multiple of 8, or a bool or object field.
    """
    if dtype.names is None or dtype.fields is None:
        raise ValueError(f"a game's record is a structured dtype, not {dtype}")
    for name in HEADER.names or ():
        found, expected = dtype.fields.get(name), HEADER.fields[name]  # type: ignore[index]
        if found is None or found[:2] != expected[:2]:
            raise ValueError(
                f"the record must begin with the fields of antiquity.game.HEADER; {name} is {found}"
            )
    chosen = dtype.fields.get("chosen")
    if chosen is None or chosen[0].base != np.dtype("u2") or len(chosen[0].shape) != 1:
        raise ValueError("the record needs a field chosen, one u2 for each seat")
    used = 0
    for name in dtype.names:
        kind = dtype.fields[name][0]
        used += kind.itemsize
        if kind.base.kind in "bOV" or kind.base.hasobject:
            raise ValueError(
                f"the field {name} is {kind.base}; use integers and floats (u1 for a truth value)"
            )
    if used != dtype.itemsize or dtype.itemsize % 8:
        raise ValueError(
            f"the record has {dtype.itemsize} bytes, its fields {used}: leave no padding, and make it a multiple of 8"
        )


CODES = 16
"""Codes of each field, of which the first is that of seat 0."""
NO_SEAT = 8
"""In place of a seat, where a fault in a field that has one for each is none of a single seat."""


def fault_codes(dtype: np.dtype[Any]) -> dict[str, int]:
    """What the verb ``check`` returns for a fault in each field: this number, plus the seat (or NO_SEAT) if it has one.

    The numbers are above 0, and follow from the order of the fields alone.
    """
    return {name: CODES * number + 1 for number, name in enumerate(dtype.names or ())}
