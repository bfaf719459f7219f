"""What a turn brings beside what was chosen: spaces that had to be crossed, bonuses, coins, special dice."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.game.tables import text
from dice_env import state as s
from dice_env.actions import die_words, space_words

BONUS_WORDS = {"again": "another action", "cross": "cross a space", "coins": "coins"}


def heading(games: NDArray[Any], index: int) -> str:
    """The turn."""
    last = ", the last one" if games[index]["last_turn"] else ""
    return f"turn {int(games[index]['turn']) + 1}{last}"


def news(before: NDArray[Any], after: NDArray[Any], tables: NDArray[Any]) -> list[str]:
    """At the end of a turn: what each seat has crossed and gained, and which dice come in."""
    old: Any = before[0]
    new: Any = after[0]
    if int(new["turn"]) == int(old["turn"]) and not new["over"]:
        return []
    found = []
    for seat in range(int(old["num_players"])):
        board = int(new["board"][seat])
        crossed = int(new["crossed"][seat]) & ~int(old["start_crossed"][seat])
        parts = [space_words(tables, board, slot) for slot in range(s.SPACES) if crossed >> slot & 1]
        words = [f"crossed {', '.join(parts)}"] if parts else []
        taken = int(new["bonuses"][seat]) & ~int(old["start_bonuses"][seat])
        names = [text(name) for name in tables[0]["bonus_name"]]
        words += [
            f"bonus: {BONUS_WORDS.get(names[bit], names[bit])}"
            for bit in range(s.NUM_BONUSES)
            if taken >> bit & 1
        ]
        coins = int(new["coins"][seat]) - int(old["start_coins"][seat])
        words += [f"{coins:+d} coin{'s' * (abs(coins) != 1)}"] if coins else []
        attack = (new["attack"][seat].astype(np.int64) - old["start_attack"][seat]).sum()
        words += [f"+{int(attack)} points for attacks"] if attack else []
        if words:
            found.append(f"seat {seat}: {'; '.join(words)}")
    for die in range(s.NUM_DICE):
        if int(new["forum"]) >> die & 1 and not int(old["forum"]) >> die & 1:
            found.append(f"{die_words(die)} comes into the forum")
    return found
