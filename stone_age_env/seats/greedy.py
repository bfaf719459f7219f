"""A greedy agent: takes the action that looks best one ply ahead.

It estimates, in points at the end of the game, what an action brings now and what it is likely to be good for: people,
fields and tools by the rounds that may be left, food by what will be missing, cards by both halves, buildings by what
they are worth beyond their cost. The weights are guesses of ours, and no part of the rules.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game.random import next_word
from antiquity.kernels import kernel
from stone_age_env import state as s
from stone_age_env.data import tables as t
from stone_age_env.rules.scoring import tool_sum

PERSON: Final = 3.0  # points that a person brings elsewhere in a round
WORTH: Final = 0.9  # of the points that a resource is worth in a building
SPENT: Final = 0.8  # of them, where a resource is spent
MISSING_FOOD: Final = 3.2
SPARE_FOOD: Final = 1.1
FOOD_A_ROUND: Final = 1.3  # agriculture, for each round left
TOOL_A_ROUND: Final = 1.0
PERSON_A_ROUND: Final = 1.9  # a newcomer eats as well
SYMBOL_GROWTH: Final = 2.0
DICE_FOR_ALL_VALUE: Final = 6.0
EXTRA_CARD_VALUE: Final = 6.0
UNCERTAIN: Final = 0.35  # of the value of a purchase that is not paid for yet
NOISE: Final = 1e-3  # below any real difference: breaks ties
PIPS: Final = 3.5
FIRST: Final = 100.0  # values from here on are no points: they say what is done before all else


@kernel
def _rounds_left(game):
    """A guess, from the shortest pile and the deck."""
    players = np.int64(game["num_players"])
    left = np.int64(9)
    for pile in range(players):
        left = min(left, np.int64(game["pile_left"][pile]))
    cards = np.float64(s.CARDS - np.int64(game["deck_next"])) / np.float64(players)
    return min(1.4 * np.float64(left), 1.3 * cards) + 0.3


@kernel
def _resource_value(tables, resource):
    return WORTH * np.float64(np.int64(tables["value"][resource]))


@kernel
def _expected(game, tables, seat, resource):
    """What a seat has of a resource, with what its people at work are likely to bring."""
    people = np.int64(game["placed"][seat, s.FOREST + resource])
    have = np.float64(np.int64(game["resources"][seat, resource]))
    if people:
        have += PIPS * np.float64(people) / np.float64(np.int64(tables["divisor"][1 + resource])) - 0.3
    return have


@kernel
def _missing_food(game, tables, seat):
    """Food that will be missing in this round, counting what the hunt is likely to bring; may be negative."""
    missing = np.float64(np.int64(game["people"][seat]))
    missing -= np.float64(np.int64(game["food"][seat]) + np.int64(game["agriculture"][seat]))
    if game["placed"][seat, s.HUT]:
        missing += 1.0
    if game["placed"][seat, s.FIELD]:
        missing -= 1.0
    return missing - PIPS * np.float64(np.int64(game["placed"][seat, s.HUNT])) / np.float64(
        np.int64(tables["divisor"][0])
    )


@kernel
def _food_value(game, tables, seat, food):
    missing = max(0.0, _missing_food(game, tables, seat))
    needed = min(food, missing)
    return MISSING_FOOD * needed + SPARE_FOOD * (food - needed)


@kernel
def _tool_value(game, seat, rounds):
    if tool_sum(game, seat) >= 12:
        return 0.0
    return TOOL_A_ROUND * rounds + np.float64(np.int64(game["figures"][seat, s.TOOLMAKER]))


@kernel
def _field_value(game, tables, seat, rounds):
    if game["agriculture"][seat] >= tables["max_agriculture"]:
        return 0.0
    return FOOD_A_ROUND * rounds + np.float64(np.int64(game["figures"][seat, s.FARMER]))


@kernel
def _bottom_value(game, tables, seat, card, rounds):
    symbol = np.int64(tables["symbol"][card])
    if symbol != s.NO_CARD:
        owned = np.int64(game["culture"][seat, symbol])
        size = np.int64(0)
        for other in range(8):
            size += 1 if game["culture"][seat, other] > owned else 0
        return np.float64(2 * size + 1) + (SYMBOL_GROWTH if owned == 0 else 0.5)
    person = np.int64(tables["person"][card])
    level = np.float64(np.int64(game["people"][seat])) + 0.25 * rounds
    if person == s.FARMER:
        level = np.float64(np.int64(game["agriculture"][seat])) + 0.4 * rounds
    elif person == s.TOOLMAKER:
        level = np.float64(tool_sum(game, seat)) + 0.4 * rounds
    elif person == s.BUILDER:
        level = np.float64(np.int64(game["buildings"][seat])) + 0.6 * rounds
    return np.float64(np.int64(tables["figures"][card])) * level


@kernel
def _top_value(game, tables, seat, card, rounds):
    top = tables["top"][card]
    what = np.int64(tables["top_what"][card])
    number = np.float64(np.int64(tables["top_n"][card]))
    if top == t.FOOD:
        return _food_value(game, tables, seat, number)
    if top == t.RESOURCE:
        return number * _resource_value(tables, what)
    if top == t.DICE_RESOURCE:
        return (
            (2 * PIPS - 1.0)
            / np.float64(np.int64(tables["divisor"][1 + what]))
            * _resource_value(tables, what)
        )
    if top == t.POINTS:
        return number
    if top == t.TOOL:
        return _tool_value(game, seat, rounds)
    if top == t.AGRICULTURE:
        return _field_value(game, tables, seat, rounds)
    if top == t.EXTRA_CARD:
        return EXTRA_CARD_VALUE
    if top == t.ONE_USE_TOOL:
        return np.float64(what)
    if top == t.ANY_RESOURCES:
        return 2.0 * _resource_value(tables, 3)
    return DICE_FOR_ALL_VALUE


@kernel
def _card_value(game, tables, seat, card, rounds):
    return _top_value(game, tables, seat, card, rounds) + _bottom_value(game, tables, seat, card, rounds)


@kernel
def _price_value(game, tables, seat, pieces):
    """Points given away with so many resources of free choice: the cheapest are paid."""
    value = 0.0
    left = np.float64(pieces)
    for resource in range(4):
        number = min(left, _expected(game, tables, seat, resource))
        if number > 0.0:
            value += number * SPENT * np.float64(np.int64(tables["value"][resource]))
            left -= number
    return value + max(0.0, left) * 5.0


@kernel
def _stock_expected(game, tables, seat):
    total = 0.0
    for resource in range(4):
        total += _expected(game, tables, seat, resource)
    return total


@kernel
def _top_tile(game, pile):
    return np.int64(game["piles"][pile, np.int64(game["pile_left"][pile]) - 1]) - 1


@kernel
def _tile_gain(game, tables, seat, kind):
    """What a building is worth beyond its resources, and less when they are not there yet."""
    figures = np.float64(np.int64(game["figures"][seat, s.BUILDER]))
    missing = 0.0
    points = 0.0
    if tables["tile_mode"][kind] == t.FIXED:
        for resource in range(4):
            cost = np.float64(np.int64(tables["tile_cost"][kind, resource]))
            points += (1.0 - SPENT) * cost * np.float64(np.int64(tables["value"][resource]))
            missing += max(0.0, cost - _expected(game, tables, seat, resource))
    else:
        pieces = np.float64(np.int64(tables["tile_most"][kind]))
        have = _stock_expected(game, tables, seat)
        if tables["tile_mode"][kind] == t.CHOICE:
            missing = max(0.0, pieces - have)
            kinds = 0
            for resource in range(4):
                kinds += 1 if _expected(game, tables, seat, resource) >= 1.0 else 0
            missing += max(0.0, np.float64(np.int64(tables["tile_kinds"][kind]) - kinds))
        else:
            pieces = min(pieces, max(have, 1.0))
            missing = max(0.0, 1.0 - have)
        points = (1.0 - SPENT) * pieces * 4.5
    gain = points + 6.0 + figures
    return gain * (1.0 if missing <= 0.0 else (UNCERTAIN if missing <= 1.0 else 0.0))


@kernel
def _placement_value(game, tables, seat, action):
    """What people bring at a place, less what as many bring elsewhere."""
    rounds = _rounds_left(game)
    if action < s.PLACE_RESOURCE:
        place = action - s.PLACE_ACTIONS
        if place == s.TOOL_MAKER:
            return _tool_value(game, seat, rounds) - PERSON
        if place == s.FIELD:
            return _field_value(game, tables, seat, rounds) - PERSON
        return PERSON_A_ROUND * rounds + np.float64(np.int64(game["figures"][seat, s.SHAMAN])) - 2.0 * PERSON
    tools = np.float64(tool_sum(game, seat))
    if action < s.PLACE_HUNT:
        resource = (action - s.PLACE_RESOURCE) // s.RINGS
        people = np.float64(1 + (action - s.PLACE_RESOURCE) % s.RINGS)
        divisor = np.float64(np.int64(tables["divisor"][1 + resource]))
        number = max(0.0, (PIPS * people + 0.4 * tools) / divisor - 0.35)
        # The second dozen of a kind is of less use than the first.
        glut = max(0.0, np.float64(np.int64(game["resources"][seat, resource])) + number - 6.0)
        return number * _resource_value(tables, resource) - 0.5 * glut - PERSON * people
    if action < s.PLACE_CARD:
        people = np.float64(1 + action - s.PLACE_HUNT)
        food = max(0.0, (PIPS * people + 0.4 * tools) / np.float64(np.int64(tables["divisor"][0])) - 0.25)
        return _food_value(game, tables, seat, food) - PERSON * people
    if action < s.PLACE_BUILDING:
        spot = action - s.PLACE_CARD
        card = np.int64(game["open"][spot])
        gain = _card_value(game, tables, seat, card, rounds) - _price_value(game, tables, seat, spot + 1)
        if _stock_expected(game, tables, seat) < np.float64(spot + 1):
            gain *= UNCERTAIN
        return gain - PERSON
    return _tile_gain(game, tables, seat, _top_tile(game, action - s.PLACE_BUILDING)) - PERSON


@kernel
def _resolution_value(game, tables, seat, action):
    """People and tools first, then what is gathered, then what is bought; to decline comes last."""
    if action < s.BUY_CARD:
        place = action - s.RESOLVE_ACTIONS
        # The dearest roll has the first choice of the tools.
        return 1000.0 - np.float64(place) if place <= s.HUT else 500.0 + np.float64(place % s.HUNT)
    if action < s.DECLINE_CARD:
        spot = action - s.BUY_CARD
        card = np.int64(game["open"][spot])
        gain = _card_value(game, tables, seat, card, _rounds_left(game))
        return gain - _price_value(game, tables, seat, spot + 1)
    if action < s.BUILD:
        return -0.5
    if action < s.DECLINE_BUILDING:
        pile = (action - s.BUILD) // s.MAX_PIECES
        pieces = np.float64(1 + (action - s.BUILD) % s.MAX_PIECES)
        kind = _top_tile(game, pile)
        figures = np.float64(np.int64(game["figures"][seat, s.BUILDER]))
        if tables["tile_mode"][kind] == t.FIXED:
            return 5.0 + figures + 0.2 * np.float64(np.int64(tables["tile_points"][kind]))
        return 2.0 + figures + 1.5 * pieces
    if action < s.CASH:
        return -0.5
    first, second = s.PAIRS[action - s.CASH]
    return 400.0 + np.float64(first + second)


@kernel
def _tools_value(game, tables, seat, action):
    """A tool is used when it brings one more, alone or with the others."""
    if action == s.STOP:
        return 0.0
    value = (
        np.int64(action - s.USE_TOOL + 1) if action < s.USE_ONE_USE else np.int64(action - s.USE_ONE_USE + 1)
    )
    good = np.int64(game["gather"])
    divisor = np.int64(tables["divisor"][good])
    total = np.int64(game["total"])
    before = total // divisor
    worth = _resource_value(tables, good - 1) if good else SPARE_FOOD
    gain = np.float64((total + value) // divisor - before) * worth - 0.3 * np.float64(value)
    if action >= s.USE_ONE_USE:
        return gain - 1.5
    if (total + value) // divisor == before:
        left = np.int64(0)
        for slot in range(3):
            if not game["used"][seat, slot]:
                left += np.int64(game["tools"][seat, slot])
        gain = 0.1 if (total + left) // divisor > before else -1.0
    return gain


@kernel
def _feeding_value(game, tables, seat, action):
    if action == s.FEED_NOTHING:
        return -np.float64(np.int64(tables["hunger_penalty"]))
    if action == s.FEED_RESOURCES:
        return -_price_value(game, tables, seat, np.int64(game["pay_left"]))
    # A card of free resources comes before going hungry, and after what is there.
    return -9.0


@kernel
def _count_value(game, action):
    """For food and cards the cheapest is paid, for a building of free choice the dearest."""
    number = np.float64((action - s.PAY_COUNT) % s.COUNTS)
    place = np.int64(game["place"])
    return -number if s.BUILDING <= place < s.FEEDING else number


@kernel
def _value(game, tables, seat, action):
    phase = game["phase"]
    if phase == s.PLACE:
        return _placement_value(game, tables, seat, action)
    if phase == s.RESOLVE:
        return _resolution_value(game, tables, seat, action)
    if phase == s.TOOLS:
        return _tools_value(game, tables, seat, action)
    if phase == s.LOTTERY:
        face = action - s.TAKE_DIE
        if face < 4:
            return _resource_value(tables, face)
        rounds = _rounds_left(game)
        if face == 4:
            return _tool_value(game, seat, rounds)
        return _field_value(game, tables, seat, rounds)
    if phase == s.FEED:
        return _feeding_value(game, tables, seat, action)
    return _count_value(game, action)


@kernel
def greedy(game, tables, seat, legal, n, noise):
    """The action of the greedy agent among ``legal[:n]``; ``noise`` (64 bits) breaks ties."""
    best = -1e9
    best_action = np.int64(legal[0])
    if n == 1:
        return best_action
    bits = noise
    for index in range(n):
        action = np.int64(legal[index])
        value = np.float64(_value(game, tables, seat, action))
        bits = next_word(bits)
        value += NOISE * np.float64(np.int64(bits & np.uint64(0xFFFF))) / 65536.0
        if value > best:
            best = value
            best_action = action
    return best_action


@kernel
def appraise(game, tables, seat, legal, n, out):
    """Write the value of each action into ``out[:n, 0]``: see :mod:`antiquity.game.verbs`."""
    for index in range(n):
        out[index, 0] = _bounded(np.float64(_value(game, tables, seat, np.int64(legal[index]))))


@kernel
def _bounded(value):
    """A value between -20 and 20, in the same order: those that only say what comes first end above the points."""
    if value < FIRST:
        return max(min(value, 15.0 + 0.01 * value), -20.0)
    return 16.0 + value / 250.0
