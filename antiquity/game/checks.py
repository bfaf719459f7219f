"""Checks of arguments, with errors that name them."""

from __future__ import annotations

import difflib
import inspect
import operator
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_JOINERS = "\u200c\u200d"
"""Not printable by themselves, and part of words and emoji."""


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """`value` as an int within [low, high]; TypeError or ValueError that calls it `name`."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {value!r} ({type(value).__name__})") from None
    if number < low or (high is not None and number > high):
        limits = f"{low} or more" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} is {number}; it must be {limits}")
    return number


def printable(text: str) -> str:
    """A text of somebody else's as one line: control characters, which a terminal obeys, as their numbers."""
    return "".join(each if each.isprintable() or each in _JOINERS else f"\\x{ord(each):02x}" for each in text)


def one_of(name: str, value: Any, allowed: Sequence[str]) -> str:
    """`value`, if it is one of `allowed`; ValueError that calls it `name`."""
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, allowed))}")
    return str(value)


def known_options(title: str, own: Iterable[str], given: Iterable[str], *takers: Callable[..., Any]) -> None:
    """Check the names of keyword arguments, before anything is made of them.

    Args:
        title: of the game.
        own: the names of its own options.
        given: the names to check.
        takers: the classes or functions that take them, whose parameters are known as well.

    Raises:
        TypeError: one is unknown. It begins as Python's own error does, by which some libraries know that they may try
            again without it; it names what is written alike, and everything that is known.
    """
    own = sorted(own)
    if not (strange := [name for name in given if name not in own]):
        return
    named = (inspect.signature(taker).parameters.values() for taker in takers)
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    general = sorted(
        {each.name for parameters in named for each in parameters if each.kind in kinds} - {"game"}
    )
    for name in strange:
        if name not in general:
            near = difflib.get_close_matches(name, own + general, n=3)
            meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ";"
            raise TypeError(
                f"unexpected keyword argument {name!r}{meant} own options of {title} are: {', '.join(own) or 'none'}; "
                f"beside them there are: {', '.join(general)}"
            )


def fresh_seed() -> int:
    """A seed from the system's entropy."""
    return secrets.randbits(64)


def one_seed(seed: Any) -> int:
    """`seed` as an int of 64 bits."""
    return whole("seed", seed, 0, (1 << 64) - 1)


def copy_actions(actions: ArrayLike, out: NDArray[np.int64]) -> None:
    """Copy `actions` to `out`, if they are integers of its shape."""
    if actions is out:
        return
    given = actions if isinstance(actions, np.ndarray) else np.asarray(actions)
    if given.shape != out.shape:
        raise ValueError(f"actions have shape {given.shape}; here they need {out.shape}")
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"actions must be integers, not {given.dtype}")
    np.copyto(out, given, casting="unsafe")
