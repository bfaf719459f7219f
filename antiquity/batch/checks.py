"""Checks of the arguments of a batch, and the messages of its errors."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from antiquity.game import Game, random, require_sound
from antiquity.game.checks import one_seed, whole

MOST_NAMED = 8
"""Legal actions that an error message spells out."""


class Described(Protocol):
    """What :func:`illegal_action` asks of a batch."""

    game: Game
    num_games: int
    num_actions: int
    player_counts: NDArray[np.int64]
    games: NDArray[Any]
    tables: NDArray[Any]
    actions: NDArray[np.int64]

    def describe(self, index: int, seat: int, action: int) -> str: ...

    def legal_actions(self, index: int, seat: int) -> NDArray[np.uint16]: ...


def players(game: Game, num_games: int, num_players: Any) -> NDArray[np.int64]:
    """`num_players` (None, one number, or one for each game) as int64[num_games]."""
    given = np.asarray(game.default_players if num_players is None else num_players)
    if given.ndim == 0:
        given = np.full(num_games, given)
    if given.shape != (num_games,):
        raise ValueError(
            f"num_players has shape {given.shape}; give one number, or one for each of {num_games} games"
        )
    for count in set(given.tolist()):
        if not game.min_players <= whole("num_players", count, 1) <= game.max_players:
            limits = f"{game.min_players} to {game.max_players}"
            raise ValueError(f"{game.title} is for {limits} players, not {count}")
    return given.astype(np.int64)


def setup(game: Game, counts: NDArray[np.int64], given: dict[str, Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The tables [1], and the options [max_players + 1] by number of players, of a game's own options."""
    options = np.zeros(game.max_players + 1, game.options_dtype)
    tables = None
    for count in np.unique(counts).tolist():
        found, chosen = game.setup(count, **given)
        if tables is not None and found.tobytes() != tables.tobytes():
            raise ValueError(
                f"{game.title}: with these options, games of {count} players need tables of their own; "
                "make a batch for each number of players"
            )
        tables, options[count] = found, chosen[0]
    if tables is None or tables.dtype != game.tables_dtype or tables.shape != (1,):
        raise TypeError(f"{game.title}: setup gave no tables of the game's tables_dtype")
    return tables, options


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


def streams(
    seed: Any, index: NDArray[np.int64]
) -> tuple[int | NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """The seed, checked, and for the slots `index` the seed of their stream and that of their first game."""
    if np.ndim(seed) == 0:
        checked = one_seed(seed)
        found = random.mix_many(np.uint64(checked), random.BATCH, index)
        return checked, found, random.mix_many(found, random.BATCH, np.uint64(0))
    given = seed_array(seed, len(index))
    return given, given, given


def slots(index: ArrayLike, count: int) -> NDArray[np.int64]:
    """`index` (ints, or a bool for each of `count` games) as indices in a batch."""
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


def places(
    index: ArrayLike, seats: ArrayLike, games: int, room: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`index` and `seats` of rows, one seat of one game each, as int64[R]."""
    found = []
    for name, given, most in (("index", index, games - 1), ("seats", seats, room - 1)):
        array = np.asarray(given)
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise TypeError(f"{name} must be ints in one dimension, not {array.dtype}{list(array.shape)}")
        if array.size and (array.min() < 0 or array.max() > most):
            raise ValueError(f"{name} has {array.min()} to {array.max()}; there are 0 to {most}")
        found.append(np.ascontiguousarray(array, np.int64))
    if len(found[0]) != len(found[1]):
        raise ValueError(f"index has {len(found[0])} rows and seats {len(found[1])}; give as many of both")
    return found[0], found[1]


def not_chosen(index: int, missing: tuple[int, ...]) -> str:
    """The message for a game that is resolved too early."""
    return (
        f"seats {', '.join(map(str, missing))} of game {index} have not chosen yet; "
        "commit an action for each of batch.missing(index) first"
    )


def records(
    game: Game, games: Any, tables: NDArray[Any], count: int, known: NDArray[np.bool_] | None = None
) -> None:
    """Check that `games` are `count` records of games that could have come about, for players that are `known`."""
    if not isinstance(games, np.ndarray) or games.dtype != game.dtype or games.shape != (count,):
        raise ValueError(f"expected {count} records of {game.title} in a structured array of its dtype")
    require_sound(game, games, tables)
    if known is not None:
        made_for = np.flatnonzero(known)
        strange = np.setdiff1d(games["num_players"], made_for)
        if len(strange):
            counts = ", ".join(map(str, made_for))
            raise ValueError(f"there are records of {strange[0]} players; this batch was made for {counts}")


def illegal_step(batch: Described, offender: int) -> str:
    """The message for the illegal action of a step, at this index (game * S + seat)."""
    index, seat = divmod(offender, batch.actions.shape[1])
    return illegal_action(batch, index, seat, int(batch.actions[index, seat]))


def illegal_action(batch: Described, index: int, seat: int, action: int) -> str:
    """The message for an illegal action: what is wrong, and the remedy."""
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
    reason = (
        batch.game.why_not(batch.games, index, batch.tables, seat, action)
        if 0 <= action < batch.num_actions
        else ""
    )
    more = f" and {len(legal) - MOST_NAMED} more" if len(legal) > MOST_NAMED else ""
    return (
        f"{place}: action {said} is not legal now{f': {reason}' if reason else ''}. Legal: {named}{more}. "
        'Choose where the action mask is 1, or use on_illegal="lose" or "random".'
    )
