"""What a turn brings beside what was chosen: payments between neighbours, and the conflicts at the end of an Age."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from seven_wonders_env import state as s

AGES = ("I", "II", "III")


def heading(games: NDArray[Any], index: int) -> str:
    """The Age and the turn."""
    game = games[index]
    if game["phase"] == s.SIDE:
        return "the sides of the boards"
    turn = int(game["turn"])
    return f"Age {AGES[int(game['age'])]}, " + (f"turn {turn + 1}" if turn < s.TURNS else "the seventh card")


def news(before: NDArray[Any], after: NDArray[Any], tables: NDArray[Any]) -> list[str]:
    """Who has paid whom, who won which conflict, and what each seat has gained."""
    old: Any = before[0]
    new: Any = after[0]
    players, found = int(old["num_players"]), []
    table = tables[0]
    ended = int(new["age"]) > int(old["age"]) or (new["over"] and not old["over"] and not new["forfeits"])
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
