"""The 158 actions of Stone Age as tuples of words and numbers, and the places and goods they speak of.

("wait",)                                 0
("place", place, people)                  1 .. 49
("resolve", place)                       50 .. 57     tool maker ... hunt
("buy", price) ("decline card", price)   58 .. 65
("build", pile, pieces)                  66 .. 93     the top tile, paying so many pieces in all
("decline tile", pile)                   94 .. 97
("cash", kind, kind)                     98 .. 107    a card with two resources of free choice
("no more tools",)                      108
("tool", value) ("one-use tool", value) 109 .. 116
("die", face)                           117 .. 122
("feed",) ("go hungry",)                123, 124
("pay", kind, pieces)                   125 .. 157    wood, clay, stone; gold is what remains
"""

from itertools import combinations_with_replacement

RESOURCES = ["wood", "clay", "stone", "gold"]
WOOD, CLAY, STONE, GOLD = range(4)

# The places of the board.
TOOL_MAKER, FIELD, HUT = 0, 1, 2
FOREST, CLAY_PIT, QUARRY, RIVER = 3, 4, 5, 6
HUNT = 7
VILLAGE = [TOOL_MAKER, FIELD, HUT]
GATHERING = {FOREST: WOOD, CLAY_PIT: CLAY, QUARRY: STONE, RIVER: GOLD}  # what each resource place yields
NUMBER_OF_PLACES = 16
FEEDING = 16  # not a place, but where a payment of food happens


def card_spot(price):
    """The place of the card that costs 1-4."""
    return 7 + price


def pile_place(pile):
    """The place of the pile 0-3."""
    return 12 + pile


CARD_SPOTS = [card_spot(price) for price in range(1, 5)]
PILES = [pile_place(pile) for pile in range(4)]


def _all_actions():
    yield ("wait",)
    yield ("place", TOOL_MAKER, 1)
    yield ("place", FIELD, 1)
    yield ("place", HUT, 2)
    for place in GATHERING:
        for people in range(1, 8):
            yield ("place", place, people)
    for people in range(1, 11):
        yield ("place", HUNT, people)
    for place in CARD_SPOTS + PILES:
        yield ("place", place, 1)
    for place in range(TOOL_MAKER, HUNT + 1):
        yield ("resolve", place)
    for price in range(1, 5):
        yield ("buy", price)
    for price in range(1, 5):
        yield ("decline card", price)
    for pile in range(4):
        for pieces in range(1, 8):
            yield ("build", pile, pieces)
    for pile in range(4):
        yield ("decline tile", pile)
    for first, second in combinations_with_replacement(range(4), 2):
        yield ("cash", first, second)
    yield ("no more tools",)
    for value in range(1, 5):
        yield ("tool", value)
    for value in range(1, 5):
        yield ("one-use tool", value)
    for face in range(1, 7):
        yield ("die", face)
    yield ("feed",)
    yield ("go hungry",)
    for kind in (WOOD, CLAY, STONE):
        for pieces in range(11):
            yield ("pay", kind, pieces)


ACTIONS = list(_all_actions())  # by number
NUMBER = {action: number for number, action in enumerate(ACTIONS)}
WAIT = 0
