"""The part of the verb check that looks at one seat: people, tools, goods, and what its cards give."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import fault_codes
from antiquity.kernels import kernel
from stone_age_env import state as s
from stone_age_env.data import tables as t
from stone_age_env.data.checks import MOST

AT: Final = fault_codes(s.GAME_DTYPE)
"""The codes of the fields."""
POINTS, RESOURCES, FOOD, PLACED, PEOPLE, IN_HAND = (
    AT[name] for name in ("points", "resources", "food", "placed", "people", "in_hand")
)
AGRICULTURE, TOOLS, USED, ONE_USE, FREE_CARDS = (
    AT[name] for name in ("agriculture", "tools", "used", "one_use", "free_cards")
)
CARDS, CULTURE, FIGURES, OWNER = (AT[name] for name in ("cards", "culture", "figures", "owner"))

MOST_A_ROUND: Final = 64
"""More of a good than a round can bring a seat beside cards: ten people hunt with all tools, and the fields."""
MOST_OF_CARDS: Final = s.CARDS * (MOST + s.MAX_TOOL // 2)
"""The same of all cards of the game, whatever a table says of them."""
MOST_FOR_A_BUILDING: Final = 255
_ONE: Final = np.uint64(1)


@kernel
def seat_of(game, tables, seat):
    """People, tools and goods of a seat, and what its cards give."""
    people, rounds = np.int64(game["people"][seat]), np.int64(game["round"]) + 1
    if people < tables["start_people"] or people > s.MAX_PEOPLE - np.int64(game["placed"][seat, s.HUT] != 0):
        return PEOPLE + seat
    if game["agriculture"][seat] > tables["max_agriculture"]:
        return AGRICULTURE + seat
    for slot in range(s.TOOL_SLOTS):
        value = np.int64(game["tools"][seat, slot])
        if value > s.MAX_TOOL or (slot and not -1 <= value - np.int64(game["tools"][seat, slot - 1]) <= 0):
            return TOOLS + seat
        if value < np.int64(game["tools"][seat, 0]) - 1:
            return TOOLS + seat
        if game["used"][seat, slot] > (1 if value and game["phase"] != s.PLACE else 0):
            return USED + seat
    most = MOST_A_ROUND * rounds + MOST_OF_CARDS
    if game["food"][seat] > np.int64(tables["start_food"]) + most:
        return FOOD + seat
    for resource in range(4):
        if game["resources"][seat, resource] > most:
            return RESOURCES + seat
    hunger = -np.int64(game["points"][seat, s.HUNGER_POINTS])
    penalty = np.int64(tables["hunger_penalty"])
    fed = rounds if _is_fed(game, seat) else rounds - 1
    if hunger < 0 or hunger > penalty * fed or (penalty and hunger % penalty):
        return POINTS + seat
    built = np.int64(game["points"][seat, s.BUILDING_POINTS])
    if built < 0 or built > MOST_FOR_A_BUILDING * (np.int64(game["buildings"][seat]) + 1):
        return POINTS + seat
    return _owned(game, tables, seat)


@kernel
def _is_fed(game, seat):
    """Whether the seat has been fed in this round."""
    if game["over"] and game["forfeits"] == 0:
        return True
    players, start = np.int64(game["num_players"]), np.int64(game["start"])
    feeding = game["phase"] == s.FEED or game["place"] == s.FEEDING
    return (
        feeding
        and (seat - start + players) % players < (np.int64(game["active"]) - start + players) % players
    )


@kernel
def _owned(game, tables, seat):
    """What the cards before a seat bring: symbols and figures of all, the tops of those that were bought."""
    cards, points, free, extra, draws = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    culture, figures, one_use = np.uint64(0), np.uint64(0), np.uint64(0)
    for card in range(s.CARDS):
        owner = np.int64(game["owner"][card]) - 1
        if owner < 0 or owner % s.MAX_SEATS != seat:
            continue
        cards += 1
        if tables["symbol"][card] != s.NO_CARD:
            culture += _ONE << np.uint64(8 * np.int64(tables["symbol"][card]))
        if tables["person"][card] != s.NO_CARD:
            figures += np.uint64(tables["figures"][card]) << np.uint64(16 * np.int64(tables["person"][card]))
        if owner >= s.MAX_SEATS:
            extra += 1
            continue
        if tables["top"][card] == t.POINTS:
            points += np.int64(tables["top_n"][card])
        elif tables["top"][card] == t.ONE_USE_TOOL:
            one_use += _ONE << np.uint64(8 * (np.int64(tables["top_what"][card]) - 1))
        elif tables["top"][card] == t.ANY_RESOURCES:
            free += 1
        elif tables["top"][card] == t.EXTRA_CARD:
            draws += 1
    if extra > draws or (extra < draws and game["deck_next"] < s.CARDS):
        return OWNER
    if game["cards"][seat] != cards:
        return CARDS + seat
    for symbol in range(8):
        if np.uint64(game["culture"][seat, symbol]) != (culture >> np.uint64(8 * symbol)) & np.uint64(255):
            return CULTURE + seat
    for person in range(4):
        if np.uint64(game["figures"][seat, person]) != (figures >> np.uint64(16 * person)) & np.uint64(
            0xFFFF
        ):
            return FIGURES + seat
    for value in range(s.MAX_TOOL):
        if np.uint64(game["one_use"][seat, value]) > (one_use >> np.uint64(8 * value)) & np.uint64(255):
            return ONE_USE + seat
    if game["free_cards"][seat] > free:
        return FREE_CARDS + seat
    return np.int64(0) if game["points"][seat, s.CARD_POINTS] == points else POINTS + seat


@kernel
def nobody(game, seat):
    """A seat that is not there leaves no trace."""
    left = np.int64(game["food"][seat]) | np.int64(game["people"][seat]) | np.int64(game["in_hand"][seat])
    left |= np.int64(game["agriculture"][seat]) | np.int64(game["free_cards"][seat])
    left |= np.int64(game["buildings"][seat]) | np.int64(game["cards"][seat])
    for column in range(3):
        left |= np.int64(game["points"][seat, column] != 0)
        left |= np.int64(game["tools"][seat, column]) | np.int64(game["used"][seat, column])
    for column in range(4):
        left |= np.int64(game["resources"][seat, column]) | np.int64(game["one_use"][seat, column])
        left |= np.int64(game["figures"][seat, column])
    for column in range(8):
        left |= np.int64(game["culture"][seat, column])
    for place in range(s.NUM_PLACES):
        left |= np.int64(game["placed"][seat, place])
    return np.int64(0) if left == 0 else PEOPLE + seat
