"""Records from outside: whether they are games that could have come about, so that kernels may trust them.

A kernel reads a record without looking: an index in it is an index, a phase a phase. So whatever comes from a caller or
a file is checked at the border, by the verb ``check`` of its game, and never again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game import flow, verbs
from antiquity.game.record import CODES, CUT_OFF, ENDED, HEADER, NO_SEAT, fault_codes
from antiquity.game.spec import Game
from antiquity.kernels import entry, kernel

MOST_SHOWN = 80
"""Characters of a field's value that an error shows."""
_AT = fault_codes(HEADER)  # the same in every record, which begins with these fields
_PLAYERS, _OVER, _DECIDERS, _FORFEITS = (
    _AT[name] for name in ("num_players", "over", "deciders", "forfeits")
)
_EXPECTED = {
    "num_players": "as many seats as the game is for",
    "over": "0, or 1 for a game that has ended and 2 for one that was cut off",
    "deciders": "a bit for each seat that decides now, and none once the game is over",
    "forfeits": "a bit for each seat that has lost by an illegal action, which ends the game",
    "chosen": "a legal action of a seat that decides now, or 0",
}


@kernel
def _header(game: Any, fewest: Any, most: Any) -> Any:
    """The code of the first fault in what every record begins with, or 0."""
    players = np.int64(game["num_players"])
    if players < fewest or players > most:
        return _PLAYERS
    over = np.int64(game["over"])
    if over != 0 and over != ENDED and over != CUT_OFF:
        return _OVER
    deciders = np.int64(game["deciders"])
    if deciders >> players or (deciders == 0) != (over != 0):
        return _DECIDERS
    forfeits = np.int64(game["forfeits"])
    if forfeits >> players or (forfeits != 0 and over != ENDED):
        return _FORFEITS
    return 0


@kernel
def _choices(game: Any, tables: Any, chosen: Any, legal: Any) -> Any:
    """The code of the first seat that has committed what it may not, or 0."""
    for seat in range(len(game["chosen"])):
        action = np.int64(game["chosen"][seat])
        if action == 0:
            continue
        found = False
        if (np.int64(game["deciders"]) >> seat) & 1:
            for k in range(np.int64(flow.legal(game, tables, seat, legal))):
                found |= np.int64(legal[k]) == action
        if not found:
            return chosen + seat
    return 0


@kernel
def _code(game: Any, tables: Any, chosen: Any, legal: Any, fewest: Any, most: Any) -> Any:
    code = np.int64(_header(game, fewest, most))
    if code == 0:
        code = np.int64(verbs.check(game, tables))
    return code if code != 0 else np.int64(_choices(game, tables, chosen, legal))


@entry
def _first_fault(
    games: Any, tables: Any, skipped: Any, legal: Any, found: Any, chosen: int, fewest: int, most: int
) -> int:
    """The index of the first record that is no game, or -1; the code of its fault goes to ``found`` (int64[1])."""
    for index in range(len(games)):
        if not skipped[index]:
            found[0] = _code(games[index], tables[0], chosen, legal, fewest, most)
            if found[0] != 0:
                return index
    return -1


def first_fault(
    game: Game, games: NDArray[Any], tables: NDArray[Any], skipped: NDArray[np.bool_] | None = None
) -> tuple[int, str, int] | None:
    """The first of some records that is no game that could have come about, the field and the seat (or NO_SEAT).

    Arguments as for :func:`require_sound`. None where all could have come about.
    """
    if not isinstance(games, np.ndarray) or games.dtype != game.dtype or games.ndim != 1:
        raise ValueError(f"expected records of {game.title} in a structured array of its dtype")
    unseen = np.zeros(len(games), np.bool_) if skipped is None else np.asarray(skipped, np.bool_)
    for name, (low, high) in game.bounds.items():
        outside = ((games[name] < low) | (games[name] > high)).reshape(len(games), -1)
        outside[unseen] = False
        if outside.any():
            index, place = (int(each[0]) for each in np.nonzero(outside))
            return index, name, place * game.max_players // outside.shape[1]
    found = np.zeros(1, np.int64)
    legal = np.zeros(game.max_legal, np.uint16)
    # Kernels are compiled for arrays that are contiguous and can be written to.
    own = games if games.flags.c_contiguous and games.flags.writeable else np.array(games)
    arguments = (own, tables, unseen, legal, found)
    chosen = fault_codes(game.dtype)["chosen"]
    index = _first_fault(*arguments, chosen, game.min_players, game.max_players)
    if index < 0:
        return None
    number, seat = divmod(int(found[0]) - 1, CODES)
    return index, (game.dtype.names or ())[number], seat


def require_sound(
    game: Game, games: NDArray[Any], tables: NDArray[Any], skipped: NDArray[np.bool_] | None = None
) -> None:
    """See that records are games that could have come about.

    Args:
        game: whose they are.
        games: structured[N] of its dtype; left as it is.
        tables: the printed game, structured[1].
        skipped: bool[N]: records that nobody looks at, whatever they hold.

    Raises:
        ValueError: one is not; the message names the record, the field, the seat and what was expected.
    """
    found = first_fault(game, games, tables, skipped)
    if found is not None:
        raise ValueError(_message(game, games, *found))


def _message(game: Game, games: NDArray[Any], index: int, name: str, seat: int) -> str:
    value, whose = games[index][name], ""
    if seat < NO_SEAT and value.shape and len(value) == game.max_players:
        value, whose = value[seat], f" of seat {seat}"
    shown = str(value.tolist())
    if len(shown) > MOST_SHOWN:
        shown = f"{shown[:MOST_SHOWN]}..."
    low, high = game.bounds.get(name, (0, 0))
    bounds = f"{low} to {high}" if name in game.bounds else "what the rules and the rest of the record allow"
    expected = game.allowed.get(name) or _EXPECTED.get(name) or bounds
    return (
        f"record {index} is no game of {game.title} that could have come about: {name}{whose} is {shown}, "
        f"expected {expected}"
    )
