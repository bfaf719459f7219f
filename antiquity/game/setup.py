"""Dealing what seats may also choose in the options, such as the boards of 7 Wonders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from antiquity.game.random import below
from antiquity.kernels import kernel

RANDOM: Final = 255
"""In a record of options: no choice, so it is drawn at random."""


def for_each_seat(name: str, value: Any, num_players: int) -> list[Any]:
    """`value` as a list with one entry for each seat; TypeError or ValueError that calls it `name`."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"{name}={value!r}: must be a list with one entry for each seat")
    if len(value) != num_players:
        raise ValueError(f"{name} has {len(value)} entries for {num_players} players: give one for each seat")
    return list(value)


def asked_for(
    name: str, value: Sequence[str | None] | None, num_players: int, ids: Sequence[str]
) -> list[int]:
    """What every seat is to have, as :func:`deal` reads it: an index into `ids`, or :data:`RANDOM`.

    Args:
        name: of the option, for errors.
        value: for each seat one of `ids`, ``"random"`` or None; None alone: all at random.
        num_players: seats at the table.
        ids: what can be dealt, one of each.

    Raises:
        TypeError, ValueError: not a list, of another length, an unknown id, or one that two seats want.
    """
    if value is None:
        return [RANDOM] * num_players
    wanted: list[int] = []
    for seat, each in enumerate(for_each_seat(name, value, num_players)):
        if each is None or each == "random":
            wanted.append(RANDOM)
            continue
        if each not in ids:
            raise ValueError(f"{name}[{seat}]={each!r}: there are {', '.join(ids)}, or 'random'")
        if ids.index(each) in wanted:
            raise ValueError(
                f"{name}[{seat}]={each!r}: there is one of each, and another seat has it already"
            )
        wanted.append(ids.index(each))
    return wanted


@kernel
def nth_bit(bits: Any, n: Any) -> Any:
    """The position of the n-th set bit, both counted from 0. At least n + 1 bits must be set."""
    place = np.int64(0)
    while n > 0 or not (bits >> place) & 1:
        n -= (bits >> place) & 1
        place += 1
    return place


@kernel
def deal(wanted: Any, kinds: Any, num_players: Any, seed: Any, purpose: Any, out: Any) -> None:
    """Write to ``out[:num_players]`` what each seat wants, or one of the rest at random; nothing twice.

    ``wanted``: for each seat one of 0 ... ``kinds - 1``, or RANDOM. The draw of a seat is that of ``purpose`` with the
    index of the seat.
    """
    free = (1 << kinds) - 1
    left = kinds
    for seat in range(num_players):
        if wanted[seat] != RANDOM:
            free &= ~(1 << np.int64(wanted[seat]))
            left -= 1
    for seat in range(num_players):
        kind = np.int64(wanted[seat])
        if kind == RANDOM:
            kind = nth_bit(free, below(seed, purpose, seat, left))
            free &= ~(1 << kind)
            left -= 1
        out[seat] = kind
