"""What places and cards bring: rolls, tools, the tops of cards, the dice for everybody. Each ends in the next phase."""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game.random import below
from antiquity.kernels import kernel
from stone_age_env import state as s
from stone_age_env.data import tables as t

from .legality import tools

POWERS_OF_SIX: Final = tuple(6**number for number in range(11))
CARD_DICE: Final = 2


@kernel
def draw_dice(game, place, number):
    """The faces of a roll, less one, as the digits to base six of one number. One draw, up to ten dice."""
    index = (np.int64(game["round"]) * s.MAX_SEATS + np.int64(game["active"])) * s.NUM_PLACES + place
    return below(game["seed"], s.DRAW_DICE, index, POWERS_OF_SIX[number])


@kernel
def raise_tool(game, seat):
    """One step of the ladder: the lowest tool, leftmost of equal ones. It keeps its mark."""
    lowest = 0
    for slot in range(1, s.TOOL_SLOTS):
        if game["tools"][seat, slot] < game["tools"][seat, lowest]:
            lowest = slot
    if game["tools"][seat, lowest] < s.MAX_TOOL:
        game["tools"][seat, lowest] += 1


@kernel
def raise_agriculture(game, tables, seat):
    """One step, up to the limit."""
    if game["agriculture"][seat] < tables["max_agriculture"]:
        game["agriculture"][seat] += 1


@kernel
def gather(game, tables, place, good, number):
    """Roll for a good; asks for tools where the seat has any left."""
    seat = np.int64(game["active"])
    faces = draw_dice(game, place, number)
    total = number
    for _ in range(number):
        total += faces % 6
        game["thrown"][faces % 6] += 1
        faces //= 6
    game["total"] = total
    game["gather"] = good
    game["place"] = place
    if tools(game, seat) == np.uint64(1):
        harvest(game, tables)
    else:
        game["phase"] = s.TOOLS


@kernel
def harvest(game, tables):
    """Take what the total brings, divided by the good's divisor and rounded down."""
    seat = np.int64(game["active"])
    good = np.int64(game["gather"])
    number = np.int64(game["total"]) // np.int64(tables["divisor"][good])
    if good:
        game["resources"][seat, good - 1] += number
    else:
        game["food"][seat] += number
    game["total"] = 0
    for face in range(6):
        game["thrown"][face] = 0
    game["gather"] = 0
    game["place"] = 0
    game["phase"] = s.RESOLVE


@kernel
def gather_place(game, tables, place, number):
    """The hunt or a place of resources, with so many people."""
    gather(game, tables, place, 0 if place == s.HUNT else place - s.FOREST + 1, number)


@kernel
def use_tool(game, seat, value):
    """Add the rightmost unused tool of a value to the roll."""
    for slot in range(s.TOOL_SLOTS - 1, -1, -1):
        if game["tools"][seat, slot] == value and not game["used"][seat, slot]:
            game["used"][seat, slot] = 1
            game["total"] += value
            return


@kernel
def keep_card(game, tables, seat, card, extra):
    """Put a card before a seat; its bottom counts from now on."""
    game["owner"][card] = 1 + seat + (s.MAX_SEATS if extra else 0)
    game["cards"][seat] += 1
    symbol = np.int64(tables["symbol"][card])
    if symbol != s.NO_CARD:
        game["culture"][seat, symbol] += 1
    person = np.int64(tables["person"][card])
    if person != s.NO_CARD:
        game["figures"][seat, person] += tables["figures"][card]


@kernel
def draw_card(game):
    """Take the top card of the deck; -1 when there is none."""
    top = np.int64(game["deck_next"])
    if top >= s.CARDS:
        return np.int64(-1)
    card = np.int64(game["deck"][top])
    game["deck"][top] = s.NO_CARD
    game["deck_next"] = top + 1
    return card


@kernel
def take_card(game, tables, seat, spot):
    """The card at a price is paid: it goes to the seat, and its top happens."""
    card = np.int64(game["open"][spot])
    game["open"][spot] = s.NO_CARD
    keep_card(game, tables, seat, card, False)
    game["place"] = 0
    game["phase"] = s.RESOLVE
    top = tables["top"][card]
    what = np.int64(tables["top_what"][card])
    if top == t.LOTTERY:
        _roll_lottery(game, s.CARD_SPOT + spot)
    elif top == t.FOOD:
        game["food"][seat] += tables["top_n"][card]
    elif top == t.RESOURCE:
        game["resources"][seat, what] += tables["top_n"][card]
    elif top == t.DICE_RESOURCE:
        gather(game, tables, s.CARD_SPOT + spot, what + 1, CARD_DICE)
    elif top == t.POINTS:
        game["points"][seat, s.CARD_POINTS] += tables["top_n"][card]
    elif top == t.TOOL:
        raise_tool(game, seat)
    elif top == t.AGRICULTURE:
        raise_agriculture(game, tables, seat)
    elif top == t.EXTRA_CARD:
        extra = draw_card(game)
        if extra >= 0:
            keep_card(game, tables, seat, extra, True)
    elif top == t.ONE_USE_TOOL:
        game["one_use"][seat, what - 1] += 1
    elif top == t.ANY_RESOURCES:
        game["free_cards"][seat] += 1


@kernel
def _roll_lottery(game, place):
    """As many dice as players; the buyer takes the first."""
    players = np.int64(game["num_players"])
    faces = draw_dice(game, place, players)
    for _ in range(players):
        game["dice"][faces % 6] += 1
        faces //= 6
    game["place"] = place
    game["picker"] = game["active"]
    game["phase"] = s.LOTTERY


@kernel
def take_die(game, tables, seat, face):
    """A seat takes a die (face 0 to 5); the next seat clockwise is asked, or the buyer goes on."""
    game["dice"][face] -= 1
    if face < 4:
        game["resources"][seat, face] += 1
    elif face == 4:
        raise_tool(game, seat)
    else:
        raise_agriculture(game, tables, seat)
    picker = (seat + 1) % np.int64(game["num_players"])
    if picker == np.int64(game["active"]):
        game["picker"] = 0
        game["place"] = 0
        game["phase"] = s.RESOLVE
    else:
        game["picker"] = picker
