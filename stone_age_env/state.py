"""The record of one game of Stone Age: a game in progress is one element of ``GAME_DTYPE``.

Seats are numbered clockwise: the left neighbour of seat ``s`` is ``(s + 1) % n``. Arrays are sized for four seats;
absent seats and unused slots are zero (cards: ``NO_CARD``), so equal games are equal bytes.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import HEADER, WAIT, check_dtype

MIN_PLAYERS: Final = 2
MAX_SEATS: Final = 4
MAX_PEOPLE: Final = 10
MOST_ROUNDS: Final = 1000
"""Limit of the option ``max_rounds``."""
CARDS: Final = 36
SPOTS: Final = 4
"""Civilization cards that lie open; spot i costs i + 1 resources, the first is the rightmost on the board."""
PILES: Final = 4
PILE: Final = 7
TILES: Final = PILES * PILE
TILE_KINDS: Final = 28
"""Slots for kinds of building tiles."""
MAX_PIECES: Final = 7
"""The most resources that a building costs."""
TOOL_SLOTS: Final = 3
MAX_TOOL: Final = 4
NO_CARD: Final = 255

RESOURCES: Final = ("wood", "clay", "stone", "gold")
GOODS: Final = ("food", *RESOURCES)
"""What dice bring: number 0 is food, 1 + r the resource r."""
SYMBOLS: Final = ("pottery", "writing", "transport", "time", "healing", "art", "music", "weaving")
PERSONS: Final = ("farmer", "toolmaker", "builder", "shaman")
FARMER: Final = 0
TOOLMAKER: Final = 1
BUILDER: Final = 2
SHAMAN: Final = 3

# Places.
TOOL_MAKER: Final = 0
FIELD: Final = 1
HUT: Final = 2
FOREST: Final = 3
"""The four places of resources follow each other: clay pit, quarry, river."""
HUNT: Final = 7
CARD_SPOT: Final = 8
BUILDING: Final = 12
NUM_PLACES: Final = 16
FEEDING: Final = 16
"""In ``place``: resources are paid for food and not at a place."""
PLACES: Final = (
    "tool maker",
    "field",
    "hut",
    "forest",
    "clay pit",
    "quarry",
    "river",
    "hunt",
    *(f"card at {price}" for price in range(1, SPOTS + 1)),
    *(f"pile {pile}" for pile in range(PILES)),
)
HUT_PEOPLE: Final = 2
RINGS: Final = 7
"""People that a place of resources holds."""
SEATS_AT_RESOURCE: Final = (1, 2, 4)
"""Seats that a place of resources holds, with 2, 3 and 4 players."""
OPEN_VILLAGE: Final = (2, 2, 3)
"""How many of tool maker, field and hut may be used in a round, with 2, 3 and 4 players."""

# Phases: who decides what.
PLACE: Final = 0  # the seat whose turn it is: a place and a number of people
RESOLVE: Final = 1  # the seat that resolves its places: which is next, and whether it buys
TOOLS: Final = 2  # that seat, after a roll: tools to add
LOTTERY: Final = 3  # each seat in turn: one of the dice
FEED: Final = 4  # the seat that is short of food: resources, or the loss of points
PAY: Final = 5  # the seat that pays: how many of a kind
PHASES: Final = ("place", "resolve", "tools", "lottery", "feed", "pay")

ANY_KINDS: Final = 255
"""In ``pay_kinds``: the payment may use as many kinds as it likes."""

# Purposes of random draws.
DRAW_DICE: Final = (
    1  # index: (round * MAX_SEATS + seat) * NUM_PLACES + place, one draw for all dice of a roll
)
DRAW_DECK: Final = 2
DRAW_TILES: Final = 3
DRAW_START: Final = 4
# And those of draws with the seed of a determinization.
REDRAW_CARDS: Final = 1
REDRAW_TILES: Final = 2
REDRAW_FUTURE: Final = 3

# Columns of ``points``.
BUILDING_POINTS: Final = 0
CARD_POINTS: Final = 1
HUNGER_POINTS: Final = 2

# Action numbers (see actions.py). The actions of a phase lie within 64 numbers from PHASE_BASE on, so a set of them is
# one word.
PLACE_ACTIONS: Final = WAIT + 1  # + place for tool maker, field and hut
PLACE_RESOURCE: Final = PLACE_ACTIONS + 3  # + RINGS * resource + people - 1
PLACE_HUNT: Final = PLACE_RESOURCE + 4 * RINGS  # + people - 1
PLACE_CARD: Final = PLACE_HUNT + MAX_PEOPLE  # + spot
PLACE_BUILDING: Final = PLACE_CARD + SPOTS  # + pile
RESOLVE_ACTIONS: Final = PLACE_BUILDING + PILES  # + place, up to the hunt
BUY_CARD: Final = RESOLVE_ACTIONS + CARD_SPOT  # + spot
DECLINE_CARD: Final = BUY_CARD + SPOTS  # + spot
BUILD: Final = DECLINE_CARD + SPOTS  # + MAX_PIECES * pile + pieces - 1
DECLINE_BUILDING: Final = BUILD + MAX_PIECES * PILES  # + pile
CASH: Final = DECLINE_BUILDING + PILES  # + pair
PAIRS: Final = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3))
"""The two resources of each way to cash a card of two free resources."""
STOP: Final = CASH + len(PAIRS)
USE_TOOL: Final = STOP + 1  # + value - 1
USE_ONE_USE: Final = USE_TOOL + MAX_TOOL  # + value - 1
TAKE_DIE: Final = USE_ONE_USE + MAX_TOOL  # + face - 1
FEED_RESOURCES: Final = TAKE_DIE + 6
FEED_NOTHING: Final = FEED_RESOURCES + 1
PAY_COUNT: Final = FEED_NOTHING + 1  # + COUNTS * resource + number
COUNTS: Final = MAX_PEOPLE + 1
NUM_ACTIONS: Final = PAY_COUNT + 3 * COUNTS
PHASE_BASE: Final = (PLACE_ACTIONS, RESOLVE_ACTIONS, STOP, TAKE_DIE, CASH, PAY_COUNT)
MAX_LEGAL: Final = STOP - RESOLVE_ACTIONS

GAME_DTYPE: Final = np.dtype(
    [
        *HEADER.descr,
        ("points", "i2", (MAX_SEATS, 3)),  # scored so far: buildings, tops of cards, hunger (negative)
        ("resources", "u2", (MAX_SEATS, 4)),  # wood, clay, stone, gold
        ("food", "u2", MAX_SEATS),
        ("chosen", "u2", MAX_SEATS),  # action of this decision, 0 = none yet
        ("round", "u2"),  # from 0
        ("max_rounds", "u2"),  # the game is cut off after so many rounds
        ("total", "u2"),  # TOOLS: dice and tools so far
        ("placed", "u1", (MAX_SEATS, NUM_PLACES)),  # people of each seat at each place
        ("people", "u1", MAX_SEATS),
        ("in_hand", "u1", MAX_SEATS),  # people at home, newcomers of this round not counted
        ("agriculture", "u1", MAX_SEATS),
        ("tools", "u1", (MAX_SEATS, TOOL_SLOTS)),  # values, left to right
        ("used", "u1", (MAX_SEATS, TOOL_SLOTS)),  # 1 = used in this round
        ("one_use", "u1", (MAX_SEATS, MAX_TOOL)),  # one-use tools of value 1 to 4, still face up
        ("free_cards", "u1", MAX_SEATS),  # cards of two free resources, still face up
        ("buildings", "u1", MAX_SEATS),  # tiles built
        ("cards", "u1", MAX_SEATS),  # civilization cards, extra cards included
        ("culture", "u1", (MAX_SEATS, 8)),  # own symbols of each kind, extra cards included
        ("figures", "u1", (MAX_SEATS, 4)),  # own figures of each person, extra cards included
        ("owner", "u1", CARDS),  # 0 = in the deck or open, 1 + seat = bought, 5 + seat = an extra card
        ("open", "u1", SPOTS),  # card at each price, NO_CARD = taken
        ("deck", "u1", CARDS),  # the draw order; NO_CARD where drawn
        ("deck_next", "u1"),  # position of the top card
        # Kind + 1, from the bottom up; 0 where built. Nobody has seen the piles from num_players on, which are out of
        # play: their pile_left is 0.
        ("piles", "u1", (PILES, PILE)),
        ("pile_left", "u1", PILES),
        ("dice", "u1", 6),  # LOTTERY: dice of each face still to be taken
        ("start", "u1"),  # seat with the start marker
        ("active", "u1"),  # seat that places, resolves or is fed; the buyer during the lottery
        ("picker", "u1"),  # LOTTERY: seat that takes a die
        ("phase", "u1"),
        ("place", "u1"),  # TOOLS, LOTTERY, PAY: place that is resolved, or FEEDING
        ("gather", "u1"),  # TOOLS: number in GOODS
        ("pay_left", "u1"),  # PAY, FEED: resources still to be paid
        ("pay_kinds", "u1"),  # PAY: kinds that these must be of, ANY_KINDS = as many as one likes
        ("pay_kind", "u1"),  # PAY: the resource whose number is chosen now
        (
            "thrown",
            "u1",
            6,
        ),  # TOOLS: dice of each face that were thrown; 0 in games saved before this was kept
    ]
)
check_dtype(GAME_DTYPE)

OPTIONS_DTYPE: Final = np.dtype(
    [
        ("max_rounds", "u2"),
        ("start_player", "u1"),  # seat, or dealing.RANDOM
        ("unused", "u1"),
    ]
)
