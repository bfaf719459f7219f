"""Checks of what comes from outside, and the words for what is wrong with it."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from antiquity.game import Game
    from antiquity.stepping import Stepping

MOST_NAMED = 8
"""Legal actions that an error message spells out."""


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


def one_of(name: str, value: Any, allowed: Sequence[str]) -> str:
    """`value`, if it is one of `allowed`; ValueError that calls it `name`."""
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, allowed))}")
    return str(value)


def fresh_seed() -> int:
    """A seed from the system's entropy."""
    return secrets.randbits(64)


def one_seed(seed: Any) -> int:
    """`seed` as an int of 64 bits."""
    return whole("seed", seed, 0, (1 << 64) - 1)


def seed_array(seeds: ArrayLike, count: int) -> NDArray[np.uint64]:
    """`seeds` as uint64[count]."""
    # numpy makes floats of a list with large and small ints.
    found = seeds if isinstance(seeds, np.ndarray) else np.array(seeds, dtype=object)
    if found.shape != (count,):
        raise ValueError(
            f"the array of seeds has shape {found.shape}; it needs one seed for each of {count} games"
        )
    if found.dtype.kind not in "iuO":
        raise TypeError(f"seeds must be ints, not {found.dtype}")
    if found.dtype.kind == "u":
        return found.astype(np.uint64)
    return np.array([one_seed(seed) for seed in found.tolist()], dtype=np.uint64)


def slots(index: ArrayLike, count: int) -> NDArray[np.int64]:
    """`index` (ints, or a bool for each of `count` games) as places in a batch."""
    found = np.atleast_1d(np.asarray(index))
    if found.dtype == np.bool_:
        if found.shape != (count,):
            raise ValueError(
                f"index has shape {found.shape}; as bools it needs one for each of {count} games"
            )
        return np.flatnonzero(found)
    if found.size == 0:
        return np.zeros(0, np.int64)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise TypeError(f"index must be ints or bools in one dimension, not {found.dtype}{list(found.shape)}")
    if found.min() < 0 or found.max() >= count:
        raise ValueError(f"index has {found.min()} to {found.max()}; the games are 0 to {count - 1}")
    return found.astype(np.int64)


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


def records(game: Game, games: NDArray[Any], count: int) -> None:
    """See that `games` are `count` records of `game`, with headers that can be."""
    if not isinstance(games, np.ndarray) or games.dtype != game.dtype or games.shape != (count,):
        raise ValueError(f"expected {count} records of {game.title} in a structured array of its dtype")
    players = games["num_players"].astype(np.int64)
    decides = games["deciders"].astype(np.int64)
    sound = (players >= game.min_players) & (players <= game.max_players)
    sound &= (games["over"] <= 2) & ((games["over"] == 0) == (decides != 0))
    sound &= (decides >> players == 0) & (games["forfeits"].astype(np.int64) >> players == 0)
    sound &= (games["chosen"] < game.num_actions).all(axis=1)
    if not sound.all():
        raise ValueError(
            f"record {int(np.argmin(sound))} is no game of {game.title} that could have come about"
        )


def illegal_action(batch: Stepping, index: int, seat: int, action: int) -> str:
    """What is wrong with the action of a seat, and what to do about it."""
    place = f"seat {seat}" if batch.num_games == 1 else f"game {index}, seat {seat}"
    if not 0 <= action < batch.num_actions:
        said = f"{action} (no action of {batch.game.title}, which has 0 to {batch.num_actions - 1})"
    else:
        said = f"{action} ({batch.describe(index, seat, action)})"
    if seat >= batch.player_counts[index]:
        return f"{place}: nobody sits there; the game has {batch.player_counts[index]} players"
    legal = batch.legal_actions(index, seat).tolist()
    if legal == [0]:
        return f"{place} has nothing to choose now and must send 0 (WAIT), not {said}"
    named = ", ".join(f"{each} ({batch.describe(index, seat, each)})" for each in legal[:MOST_NAMED])
    more = f" and {len(legal) - MOST_NAMED} more" if len(legal) > MOST_NAMED else ""
    return (
        f"{place}: action {said} is not legal now. Legal: {named}{more}. "
        'Choose where the action mask is 1, or use on_illegal="lose" or "random".'
    )
