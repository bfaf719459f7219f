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

from antiquity.game import WAIT
from stone_age_env import state as s

from .data.checks import TOPS
from .data.tables import ANY, CHOICE, FIXED

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
    if not 0 <= place < s.NUM_PLACES:
        raise ValueError(f"place {place}: places are 0 to {s.NUM_PLACES - 1}")
    if place < s.FOREST:
        low = high = 2 if place == 2 else 1
        action = s.PLACE_ACTIONS + place
    elif place < s.CARD_SPOT - 1:
        low, high, action = 1, s.RINGS, s.PLACE_RESOURCE + s.RINGS * (place - s.FOREST) + people - 1
    elif place < s.CARD_SPOT:
        low, high, action = 1, 10, s.PLACE_HUNT + people - 1
    else:
        low, high, action = 1, 1, s.PLACE_CARD + place - s.CARD_SPOT
    if not low <= people <= high:
        raise ValueError(f"{people} people on the {s.PLACES[place]}: it takes {low} to {high} at once")
    return action


def build_action(pile: int, pieces: int) -> int:
    """Number of the action that builds the top tile of a pile, paying so many resources in all."""
    if not 0 <= pile < 4 or not 1 <= pieces <= s.MAX_PIECES:
        raise ValueError(
            f"pile {pile} with {pieces} resources: piles are 0 to 3, resources 1 to {s.MAX_PIECES}"
        )
    return s.BUILD + s.MAX_PIECES * pile + pieces - 1


def pay_action(resource: str, number: int) -> int:
    """Number of the action that pays so many of wood, clay or stone."""
    if resource not in s.RESOURCES[:3] or not 0 <= number < s.COUNTS:
        raise ValueError(f"pay {number} {resource}: 0 to {s.COUNTS - 1} of wood, clay or stone; gold follows")
    return s.PAY_COUNT + s.COUNTS * s.RESOURCES.index(resource) + number


def card_name(tables: np.ndarray, card: int) -> str:
    """A civilization card in words, top / bottom: ``"7 food / pottery"``."""
    if card == s.NO_CARD:
        return "-"
    table: Any = tables[0]
    kind = TOPS[int(table["top"][card])]
    what, number = int(table["top_what"][card]), int(table["top_n"][card])
    if kind == "food":
        top = f"{number} food"
    elif kind == "resource":
        top = f"{number} {s.RESOURCES[what]}"
    elif kind == "dice_resource":
        top = f"2 dice {s.RESOURCES[what]}"
    elif kind == "points":
        top = f"{number} points"
    elif kind == "one_use_tool":
        top = f"one-use tool {what}"
    else:
        top = _TOP_WORDS[kind]
    if int(table["symbol"][card]) != s.NO_CARD:
        return f"{top} / {s.SYMBOLS[int(table['symbol'][card])]}"
    figures, person = int(table["figures"][card]), s.PERSONS[int(table["person"][card])]
    return f"{top} / {figures} {person}{'s' if figures > 1 else ''}"


def tile_name(tables: np.ndarray, kind: int) -> str:
    """A kind of building tile in words: its cost, and its points where they are printed."""
    table: Any = tables[0]
    mode, least, most = (int(table[key][kind]) for key in ("tile_mode", "tile_least", "tile_most"))
    if mode == FIXED:
        cost = [
            f"{int(number)} {name}"
            for number, name in zip(table["tile_cost"][kind], s.RESOURCES, strict=True)
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
    if not 0 <= action < s.NUM_ACTIONS:
        return f"action {action} (there are {s.NUM_ACTIONS}: 0 to {s.NUM_ACTIONS - 1})"
    if action == WAIT:
        return "wait"
    if action < s.RESOLVE_ACTIONS:
        return _placement_name(action)
    if action < s.BUY_CARD:
        return f"resolve the {s.PLACES[action - s.RESOLVE_ACTIONS]}"
    if action < s.BUILD:
        return (
            f"{'buy' if action < s.DECLINE_CARD else 'decline'} the card at {(action - s.BUY_CARD) % 4 + 1}"
        )
    if action < s.DECLINE_BUILDING:
        pile, pieces = divmod(action - s.BUILD, s.MAX_PIECES)
        return f"build from pile {pile} with {_number(pieces + 1, 'resource')}"
    if action < s.CASH:
        return f"decline the tile of pile {action - s.DECLINE_BUILDING}"
    if action < s.STOP:
        first, second = s.PAIRS[action - s.CASH]
        return f"take {s.RESOURCES[first]} and {s.RESOURCES[second]} from a card of free resources"
    if action < s.TAKE_DIE:
        return _tool_name(action)
    if action < s.FEED_RESOURCES:
        face = action - s.TAKE_DIE
        return f"take the die that shows {face + 1} ({DIE_NAMES[face]})"
    if action < s.PAY_COUNT:
        return "pay with resources for the missing food" if action == s.FEED_RESOURCES else "go hungry"
    kind, number = divmod(action - s.PAY_COUNT, s.COUNTS)
    return f"pay {number} {s.RESOURCES[kind]}"


def _number(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number} people"


def _placement_name(action: int) -> str:
    if action < s.PLACE_RESOURCE:
        place = action - s.PLACE_ACTIONS
        return f"place {_people(2 if place == 2 else 1)} on the {s.PLACES[place]}"
    if action < s.PLACE_HUNT:
        place, people = divmod(action - s.PLACE_RESOURCE, s.RINGS)
        return f"place {_people(people + 1)} on the {s.PLACES[s.FOREST + place]}"
    if action < s.PLACE_CARD:
        return f"place {_people(1 + action - s.PLACE_HUNT)} on the hunt"
    if action < s.PLACE_BUILDING:
        return f"place 1 person on the card at {action - s.PLACE_CARD + 1}"
    return f"place 1 person on pile {action - s.PLACE_BUILDING}"


def _tool_name(action: int) -> str:
    if action == s.STOP:
        return "use no more tools"
    if action < s.USE_ONE_USE:
        return f"use a tool of value {action - s.USE_TOOL + 1}"
    return f"use a one-use tool of value {action - s.USE_ONE_USE + 1}"


def describe(games: np.ndarray, index: int, tables: np.ndarray, seat: int, action: int) -> str:
    """An action of a seat in words, in its game: which card, which tile, what the roll is for."""
    words = action_name(action)
    game: Any = games[index]
    if s.PLACE_CARD <= action < s.PLACE_BUILDING:
        card = int(game["open"][action - s.PLACE_CARD])
        return f"{words} ({card_name(tables, card)})" if card != s.NO_CARD else words
    if s.BUY_CARD <= action < s.BUILD:
        card = int(game["open"][(action - s.BUY_CARD) % 4])
        return f"{words} ({card_name(tables, card)})" if card != s.NO_CARD else words
    pile = -1
    if s.PLACE_BUILDING <= action < s.RESOLVE_ACTIONS:
        pile = action - s.PLACE_BUILDING
    elif s.BUILD <= action < s.DECLINE_BUILDING:
        pile = (action - s.BUILD) // s.MAX_PIECES
    elif s.DECLINE_BUILDING <= action < s.CASH:
        pile = action - s.DECLINE_BUILDING
    if pile >= 0 and game["pile_left"][pile]:
        kind = int(game["piles"][pile, int(game["pile_left"][pile]) - 1]) - 1
        return f"{words} ({tile_name(tables, kind)})"
    if s.STOP <= action < s.TAKE_DIE and game["total"]:
        return f"{words}, total {int(game['total'])} for {s.GOODS[int(game['gather'])]}"
    if s.PAY_COUNT <= action < s.NUM_ACTIONS and game["pay_left"]:
        what = "food" if game["place"] == s.FEEDING else s.PLACES[int(game["place"])]
        return f"{words} of the {int(game['pay_left'])} still due for the {what}"
    return words
