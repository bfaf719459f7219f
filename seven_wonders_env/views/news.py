"""What a turn brings beside what was chosen: payments, coins gained, and the conflicts at the end of an Age."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.kernels import entry
from seven_wonders_env import state as s
from seven_wonders_env.rules.legality import item_of
from seven_wonders_env.rules.turn import plan, settle_chosen_payments

from .prices import coins_in_words, goods_in_words, purchase

AGES = ("I", "II", "III")


def heading(games: NDArray[Any], index: int) -> str:
    """The Age and the turn."""
    game = games[index]
    if game["phase"] == s.SIDE:
        return "the sides of the boards"
    turn = int(game["turn"])
    return f"Age {AGES[int(game['age'])]}, " + (f"turn {turn + 1}" if turn < s.TURNS else "the seventh card")


@entry
def _settle(games: Any, tables: Any, items: Any) -> Any:
    """Carry the choices on to the payments, if nobody has to be asked any more; what each seat takes, -1: it sells."""
    game, table = games[0], tables[0]
    if game["phase"] == s.PAY:
        settle_chosen_payments(game, table)
    elif game["phase"] == s.CHOOSE or game["phase"] == s.LAST:
        if plan(game, table):
            return False
    else:
        return False
    for seat in range(np.int64(game["num_players"])):
        action = np.int64(game["planned"][seat])
        items[seat] = item_of(game, table, seat, action) if action else -1
    return True


def _payments(before: NDArray[Any], tables: NDArray[Any], paid: NDArray[np.int64]) -> list[str]:
    """Who has paid whom, and for which goods; `paid`: int64[S], what each seat has less (or more) for it."""
    games, found = before.copy(), []
    game: Any = games[0]
    players = len(paid)
    items = np.full(players, -1, np.int64)
    if not _settle(games, tables, items):
        return []
    for seat in range(players):
        to_left, to_right, bank = (int(coins) for coins in game["pay"][seat])
        paid[seat] += to_left + to_right + bank
        bought = (
            purchase(before, 0, tables, seat, int(items[seat]), to_left, to_right)
            if to_left + to_right
            else ((), ())
        )
        for other, coins, goods in zip((seat + 1, seat - 1), (to_left, to_right), bought, strict=True):
            if coins:
                paid[other % players] -= coins
                found.append(
                    f"seat {seat} pays {coins_in_words(coins)} to seat {other % players} for {goods_in_words(goods)}"
                )
        if bank:
            found.append(f"seat {seat} pays {coins_in_words(bank)} to the bank")
    return found


def news(before: NDArray[Any], after: NDArray[Any], tables: NDArray[Any]) -> list[str]:
    """Who has paid whom, what each seat has gained beside, and who won which conflict."""
    old: Any = before[0]
    new: Any = after[0]
    if new["forfeits"]:
        return []
    players = int(old["num_players"])
    paid = np.zeros(players, np.int64)
    found = _payments(before, tables, paid)
    gained = new["coins"][:players].astype(np.int64) - old["coins"][:players] + paid
    found += [f"seat {seat}: +{coins_in_words(int(coins))}" for seat, coins in enumerate(gained) if coins > 0]
    table = tables[0]
    ended = int(new["age"]) > int(old["age"]) or (new["over"] and not old["over"])
    if ended:
        age = int(old["age"])
        for seat in range(players):
            left = (seat + 1) % players
            mine, theirs = int(new["shields"][seat]), int(new["shields"][left])
            words = f"conflict, seat {seat} ({mine}) and seat {left} ({theirs}): "
            if mine == theirs:
                found.append(f"{words}nobody wins")
            else:
                winner = seat if mine > theirs else left
                found.append(
                    f"{words}seat {winner} wins, +{int(table['win_vp'][age])} and -{int(table['loss_vp'])} points"
                )
    return found
