"""Action numbers and words.

158 actions, the same for every seat and option. Each kind of decision has its own numbers:

======== ================================================================================================
0        wait
1-49     place people: tool maker 1, field 2, hut 3; forest, clay pit, quarry, river with 1-7 people 4-31;
         hunt with 1-10 people 32-41; card at price 1-4 42-45; pile 0-3 46-49
50-57    resolve the tool maker, field, hut, forest, clay pit, quarry, river, hunt
58-65    buy the card at price 1-4 58-61; decline it 62-65
66-97    build the tile of pile p with k resources ``66 + 7 * p + k - 1``; decline it 94-97
98-107   cash a card of two free resources: the pairs of ``PAIRS``
108-116  after a roll: no more tools 108; a tool of value 1-4 109-112; a one-use tool of value 1-4 113-116
117-122  take a die that shows 1-6
123-124  short of food: pay with resources, or lose the points
125-157  pay 0-10 wood 125-135, clay 136-146, stone 147-157; gold follows
======== ================================================================================================
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .data.checks import TOPS
from .data.tables import ANY, CHOICE, FIXED
from .state import (
    BUILD,
    BUY_CARD,
    CARD_SPOT,
    CASH,
    COUNTS,
    DECLINE_BUILDING,
    DECLINE_CARD,
    FEED_RESOURCES,
    FEEDING,
    FOREST,
    GOODS,
    MAX_PIECES,
    NO_CARD,
    NUM_ACTIONS,
    NUM_PLACES,
    PAIRS,
    PAY_COUNT,
    PERSONS,
    PLACE_ACTIONS,
    PLACE_BUILDING,
    PLACE_CARD,
    PLACE_HUNT,
    PLACE_RESOURCE,
    PLACES,
    RESOLVE_ACTIONS,
    RESOURCES,
    RINGS,
    STOP,
    SYMBOLS,
    TAKE_DIE,
    USE_ONE_USE,
    USE_TOOL,
    WAIT,
)

DIE_NAMES: Final = ("wood", "clay", "stone", "gold", "tool", "agriculture")
_TOP_WORDS: Final = {
    "lottery": "dice for all",
    "tool": "tool",
    "agriculture": "agriculture",
    "extra_card": "extra card",
    "any_resources": "2 free resources",
}


def place_action(place: int, people: int) -> int:
    """Number of the action that places people: on tool maker and field 1, on the hut 2, on cards and piles 1."""
    if not 0 <= place < NUM_PLACES:
        raise ValueError(f"place {place}: places are 0 to {NUM_PLACES - 1}")
    if place < FOREST:
        low = high = 2 if place == 2 else 1
        action = PLACE_ACTIONS + place
    elif place < CARD_SPOT - 1:
        low, high, action = 1, RINGS, PLACE_RESOURCE + RINGS * (place - FOREST) + people - 1
    elif place < CARD_SPOT:
        low, high, action = 1, 10, PLACE_HUNT + people - 1
    else:
        low, high, action = 1, 1, PLACE_CARD + place - CARD_SPOT
    if not low <= people <= high:
        raise ValueError(f"{people} people on the {PLACES[place]}: it takes {low} to {high} at once")
    return action


def build_action(pile: int, pieces: int) -> int:
    """Number of the action that builds the top tile of a pile, paying so many resources in all."""
    if not 0 <= pile < 4 or not 1 <= pieces <= MAX_PIECES:
        raise ValueError(
            f"pile {pile} with {pieces} resources: piles are 0 to 3, resources 1 to {MAX_PIECES}"
        )
    return BUILD + MAX_PIECES * pile + pieces - 1


def pay_action(resource: str, number: int) -> int:
    """Number of the action that pays so many of wood, clay or stone."""
    if resource not in RESOURCES[:3] or not 0 <= number < COUNTS:
        raise ValueError(f"pay {number} {resource}: 0 to {COUNTS - 1} of wood, clay or stone; gold follows")
    return PAY_COUNT + COUNTS * RESOURCES.index(resource) + number


def card_name(tables: np.ndarray, card: int) -> str:
    """A civilization card in words, top / bottom: ``"7 food / pottery"``."""
    if card == NO_CARD:
        return "-"
    table: Any = tables[0]
    kind = TOPS[int(table["top"][card])]
    what, number = int(table["top_what"][card]), int(table["top_n"][card])
    if kind == "food":
        top = f"{number} food"
    elif kind == "resource":
        top = f"{number} {RESOURCES[what]}"
    elif kind == "dice_resource":
        top = f"2 dice {RESOURCES[what]}"
    elif kind == "points":
        top = f"{number} points"
    elif kind == "one_use_tool":
        top = f"one-use tool {what}"
    else:
        top = _TOP_WORDS[kind]
    if int(table["symbol"][card]) != NO_CARD:
        return f"{top} / {SYMBOLS[int(table['symbol'][card])]}"
    figures, person = int(table["figures"][card]), PERSONS[int(table["person"][card])]
    return f"{top} / {figures} {person}{'s' if figures > 1 else ''}"


def tile_name(tables: np.ndarray, kind: int) -> str:
    """A kind of building tile in words: its cost, and its points where they are printed."""
    table: Any = tables[0]
    mode, least, most = (int(table[key][kind]) for key in ("tile_mode", "tile_least", "tile_most"))
    if mode == FIXED:
        cost = [
            f"{int(number)} {name}"
            for number, name in zip(table["tile_cost"][kind], RESOURCES, strict=True)
            if number
        ]
        return f"{' + '.join(cost)} = {int(table['tile_points'][kind])}"
    if mode == CHOICE:
        kinds = int(table["tile_kinds"][kind])
        return f"{least} of {kinds} kind{'s' if kinds > 1 else ''}"
    assert mode == ANY
    return f"{least}-{most} of any kind"


def action_name(action: int) -> str:
    """An action in words, without the game it is taken in."""
    if not 0 <= action < NUM_ACTIONS:
        return f"action {action} (there are {NUM_ACTIONS}: 0 to {NUM_ACTIONS - 1})"
    if action == WAIT:
        return "wait"
    if action < RESOLVE_ACTIONS:
        return _placement_name(action)
    if action < BUY_CARD:
        return f"resolve the {PLACES[action - RESOLVE_ACTIONS]}"
    if action < BUILD:
        return f"{'buy' if action < DECLINE_CARD else 'decline'} the card at {(action - BUY_CARD) % 4 + 1}"
    if action < DECLINE_BUILDING:
        pile, pieces = divmod(action - BUILD, MAX_PIECES)
        return f"build from pile {pile} with {_number(pieces + 1, 'resource')}"
    if action < CASH:
        return f"decline the tile of pile {action - DECLINE_BUILDING}"
    if action < STOP:
        first, second = PAIRS[action - CASH]
        return f"take {RESOURCES[first]} and {RESOURCES[second]} from a card of free resources"
    if action < TAKE_DIE:
        return _tool_name(action)
    if action < FEED_RESOURCES:
        face = action - TAKE_DIE
        return f"take the die that shows {face + 1} ({DIE_NAMES[face]})"
    if action < PAY_COUNT:
        return "pay with resources for the missing food" if action == FEED_RESOURCES else "go hungry"
    kind, number = divmod(action - PAY_COUNT, COUNTS)
    return f"pay {number} {RESOURCES[kind]}"


def _number(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number} people"


def _placement_name(action: int) -> str:
    if action < PLACE_RESOURCE:
        place = action - PLACE_ACTIONS
        return f"place {_people(2 if place == 2 else 1)} on the {PLACES[place]}"
    if action < PLACE_HUNT:
        place, people = divmod(action - PLACE_RESOURCE, RINGS)
        return f"place {_people(people + 1)} on the {PLACES[FOREST + place]}"
    if action < PLACE_CARD:
        return f"place {_people(1 + action - PLACE_HUNT)} on the hunt"
    if action < PLACE_BUILDING:
        return f"place 1 person on the card at {action - PLACE_CARD + 1}"
    return f"place 1 person on pile {action - PLACE_BUILDING}"


def _tool_name(action: int) -> str:
    if action == STOP:
        return "use no more tools"
    if action < USE_ONE_USE:
        return f"use a tool of value {action - USE_TOOL + 1}"
    return f"use a one-use tool of value {action - USE_ONE_USE + 1}"


def describe(games: np.ndarray, index: int, tables: np.ndarray, seat: int, action: int) -> str:
    """An action of a seat in words, in its game: which card, which tile, what the roll is for."""
    words = action_name(action)
    game: Any = games[index]
    if PLACE_CARD <= action < PLACE_BUILDING:
        card = int(game["open"][action - PLACE_CARD])
        return f"{words} ({card_name(tables, card)})" if card != NO_CARD else words
    if BUY_CARD <= action < BUILD:
        card = int(game["open"][(action - BUY_CARD) % 4])
        return f"{words} ({card_name(tables, card)})" if card != NO_CARD else words
    pile = -1
    if PLACE_BUILDING <= action < RESOLVE_ACTIONS:
        pile = action - PLACE_BUILDING
    elif BUILD <= action < DECLINE_BUILDING:
        pile = (action - BUILD) // MAX_PIECES
    elif DECLINE_BUILDING <= action < CASH:
        pile = action - DECLINE_BUILDING
    if pile >= 0 and game["pile_left"][pile]:
        kind = int(game["piles"][pile, int(game["pile_left"][pile]) - 1]) - 1
        return f"{words} ({tile_name(tables, kind)})"
    if STOP <= action < TAKE_DIE and game["total"]:
        return f"{words}, total {int(game['total'])} for {GOODS[int(game['gather'])]}"
    if PAY_COUNT <= action < NUM_ACTIONS and game["pay_left"]:
        what = "food" if game["place"] == FEEDING else PLACES[int(game["place"])]
        return f"{words} of the {int(game['pay_left'])} still due for the {what}"
    return words
