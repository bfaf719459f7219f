"""What the figures are held against: a game of another library, played at random from Python in the same run."""

from __future__ import annotations

import random
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks.clock import Count, Task

HEARTS = "OpenSpiel hearts"
HEARTS_TENSOR = "OpenSpiel hearts, with the information-state tensor and the mask"
HEARTS_UNIFORM = "OpenSpiel hearts, chance drawn from the legal actions"

NOTES = (
    "OpenSpiel hearts (C++ rules, 4 seats, about 60 decisions a game) is played from Python with the random module: "
    "legal_actions, random.choice, apply_action; the 52 chance nodes of the deal by chance_outcomes and "
    "random.choices, which is most of its time. The line in which chance is drawn from the legal actions is valid in "
    "this game alone, where all chances are equal.",
    "7Wonder-RL-Lib 0.1.1 (PyPI) is not in the table because it cannot finish a game: installed, it cannot be "
    "imported (its modules name a package that lies in another folder); with the path set by hand and started in its "
    "own folder, 40 of 40 random four-player games and 40 of 40 of its rule-based agent stopped with an IndexError or "
    "KeyError within eight of the 18 turns.",
)
"""What is to be known about the peers."""

SEED = 20260101


def open_spiel_version() -> str | None:
    """The release of open_spiel that is installed, or None."""
    try:
        return version("open_spiel")
    except PackageNotFoundError:
        return None


def hearts(*, tensor: bool = False, uniform: bool = False) -> Task:
    """Random playouts of OpenSpiel's hearts; a unit is a game, a decision an action of a seat (chance isn't counted).

    Args:
        tensor: also write the information-state tensor and the mask at every decision.
        uniform: draw chance as if all outcomes were equally likely, which they are here; much faster.

    Raises:
        ImportError: open_spiel isn't installed.
    """
    import pyspiel

    game = pyspiel.load_game("hearts")
    rng = random.Random(SEED)

    def play(units: int) -> Count:
        return Count(sum(_playout(game, rng, tensor, uniform) for _ in range(units)), units)

    return play


def _playout(game: Any, rng: random.Random, tensor: bool, uniform: bool) -> int:
    """One game. Returns the number of decisions."""
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node() and not uniform:
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
            continue
        if not state.is_chance_node():
            decisions += 1
            if tensor:
                state.information_state_tensor(state.current_player())
                state.legal_actions_mask()
        state.apply_action(rng.choice(state.legal_actions()))
    return decisions


def peers() -> dict[str, Task]:
    """Everything of others that can be measured here, by title; empty without open_spiel."""
    if open_spiel_version() is None:
        return {}
    return {
        HEARTS: hearts(),
        HEARTS_TENSOR: hearts(tensor=True),
        HEARTS_UNIFORM: hearts(uniform=True),
    }
