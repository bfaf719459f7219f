"""Your own agent, measured against the built-in ones: a small, complete program.

Run it: python examples/own_agent.py
"""

from __future__ import annotations

import numpy as np

from antiquity.agents.base import Agent, Decisions
from antiquity.arena import play_match
from antiquity.game import make_game

GAME = make_game("seven_wonders")
CIVILIAN = {
    "Altar",
    "Theater",
    "Well",
    "Baths",
    "Statue",
    "Aqueduct",
    "Temple",
    "Courthouse",
    "Pantheon",
    "Gardens",
}


class Builder(Agent):
    """Builds blue cards if it can, else any card, and sells only when nothing can be built."""

    name = "builder"

    def act(self, decisions: Decisions) -> np.ndarray:
        """One action for every row; a row is one seat of one game that must choose now."""
        chosen = np.empty(len(decisions), np.int64)
        for row, (index, seat) in enumerate(zip(decisions.index, decisions.seats)):
            legal = decisions.legal[row, : decisions.counts[row]]
            chosen[row] = max(
                legal, key=lambda action: self.worth(decisions, int(index), int(seat), int(action))
            )
        return chosen

    def worth(self, decisions: Decisions, index: int, seat: int, action: int) -> int:
        words = GAME.describe(decisions.games, index, decisions.tables, seat, action)
        verb, _, name = words.partition(" ")
        return 2 * (verb == "build") + (name in CIVILIAN)


if __name__ == "__main__":
    for opponent in ("random", "greedy"):
        result = play_match(GAME, [Builder(), opponent, opponent], deals=20, seed=1)
        print(f"one builder against two {opponent}, every deal in all seatings (par is 33%)")
        print(result)
