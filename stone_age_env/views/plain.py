"""A game as plain numbers and lists, and its dice: what the tests' referee, a notebook or a debugger wants to see."""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.game import CUT_OFF
from antiquity.game.random import below
from stone_age_env import state as s
from stone_age_env.rules.effects import POWERS_OF_SIX


def roll(seed: int, round: int, seat: int, place: int, number: int) -> list[int]:
    """The faces of the dice that a seat rolls in a round for a place (3-7, or the spot 8-11 of a card it bought).

    Args:
        seed: the game's seed, ``games["seed"][index]``.
        round: from 0.
        seat: who resolves the place; the buyer for the dice of a card.
        place: number of the place.
        number: how many dice, up to ten.

    Returns:
        `number` faces, 1 to 6.
    """
    index = (round * s.MAX_SEATS + seat) * s.NUM_PLACES + place
    word = below(int(seed), s.DRAW_DICE, index, POWERS_OF_SIX[number])
    return [1 + word // 6**die % 6 for die in range(number)]


def plain_state(games: np.ndarray, index: int, tables: np.ndarray) -> dict[str, Any]:
    """The whole game, hidden cards and tiles included, as plain ints, lists and texts."""
    del tables  # the game says it all; the argument is that of its neighbours
    game: Any = games[index]
    players = int(game["num_players"])
    phase = int(game["phase"])
    over = bool(game["over"])
    decider = int(game["picker" if phase == s.LOTTERY else "active"])
    owner = game["owner"].tolist()
    piles = [
        [int(kind) - 1 for kind in game["piles"][pile][: int(game["pile_left"][pile])][::-1]]
        for pile in range(players)
    ]
    seats = {
        name: game[name][:players].tolist()
        for name in (
            "people",
            "in_hand",
            "placed",
            "food",
            "resources",
            "agriculture",
            "tools",
            "used",
            "one_use",
            "free_cards",
            "buildings",
        )
    }
    return {
        "round": int(game["round"]),
        "start": int(game["start"]),
        "phase": s.PHASES[phase],
        "decider": None if over else decider,
        "over": over,
        "truncated": int(game["over"]) == CUT_OFF,
        **seats,
        "cards": [[card for card in range(s.CARDS) if owner[card] == 1 + seat] for seat in range(players)],
        "extra": [[card for card in range(s.CARDS) if owner[card] == 5 + seat] for seat in range(players)],
        "open": [None if card == s.NO_CARD else int(card) for card in game["open"]],
        "deck": game["deck"][int(game["deck_next"]) :].tolist(),
        "piles": piles,
        "active": None if over else int(game["active"]),
        "place": int(game["place"]) if phase in (s.TOOLS, s.LOTTERY, s.PAY) else None,
        "total": int(game["total"]) if phase == s.TOOLS else 0,
        "dice": game["dice"].tolist(),
        "pay_left": int(game["pay_left"]) if phase in (s.PAY, s.FEED) else 0,
        "pay_kinds": int(game["pay_kinds"]) if phase == s.PAY and game["pay_kinds"] != s.ANY_KINDS else None,
        "pay_kind": int(game["pay_kind"]) if phase == s.PAY else None,
    }
