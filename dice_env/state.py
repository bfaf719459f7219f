"""The record of one game of 7 Wonders Dice: a game in progress is one element of ``GAME_DTYPE``.

Seats are numbered clockwise: the left neighbour of seat ``s`` is ``(s + 1) % n``. Arrays are sized for seven seats;
absent seats and unused slots are zero, so equal games are equal bytes.

A seat's sheet is one word of 64 bits, a bit for each space. Spaces have fixed slots, so a number means the same on
every board and in every edited table; the spaces of an ordered track lie one after the other and fill up from its first
bit.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import HEADER, check_dtype

MIN_PLAYERS: Final = 2
MAX_SEATS: Final = 7
MAX_TURNS: Final = 1_000
"""Limit of the option ``max_turns``."""
BOARDS: Final = 7
SPACES: Final = 64
STACK: Final = 16
"""Items that a seat may have to resolve at once. Data is checked for it (:func:`dice_env.data.checks.stack_bound`)."""

BUILDINGS: Final = (
    "warehouse",
    "agora",
    "market",
    "barracks",
    "university",
    "guild_court",
    "gallery",
    "wonder",
)
"""What effects and comparisons name; the bits of a set of buildings."""
NUM_BUILDINGS: Final = len(BUILDINGS)
WAREHOUSE: Final = 0
AGORA: Final = 1
WONDER_BUILDING: Final = 7

UNITS: Final = (
    "wonder",
    "barracks_west",
    "barracks_east",
    "agora",
    "market",
    "university",
    "guild_court",
    "gallery",
)
"""What gives a bonus when complete, and the rows of the score sheet."""
UNIT_WEST: Final = 1
UNIT_EAST: Final = 2
UNIT_AGORA: Final = 3
NO_UNIT: Final = 255

# Slots: (name of the track or group, first slot, slots, building, unit, ordered). Several agora tracks share its slots.
GROUPS: Final = (
    ("warehouse", 0, 6, "warehouse", None, False),
    ("agora", 6, 10, "agora", "agora", True),
    ("market_left", 16, 4, "market", "market", False),
    ("market_right", 20, 4, "market", "market", False),
    ("west_attack", 24, 5, "barracks", "barracks_west", True),
    ("west_defence", 29, 2, "barracks", "barracks_west", True),
    ("east_attack", 31, 5, "barracks", "barracks_east", True),
    ("east_defence", 36, 2, "barracks", "barracks_east", True),
    ("upper", 38, 3, "university", "university", True),
    ("middle", 41, 3, "university", "university", True),
    ("lower", 44, 3, "university", "university", True),
    ("guild_court", 47, 4, "guild_court", "guild_court", True),
    ("laurel", 51, 5, "gallery", "gallery", True),
    ("leaders", 56, 4, "gallery", "gallery", False),
    ("wonder", 60, 4, "wonder", "wonder", True),
)
AGORA_TRACKS: Final = 6
"""At most: one for each face of the blue die."""
RESOURCES: Final = 6
WEST_ATTACK: Final = 24
WEST_DEFENCE: Final = 29
EAST_ATTACK: Final = 31
EAST_DEFENCE: Final = 36
ATTACKS: Final = 5
DEFENCES: Final = 2
WONDER_START: Final = 60
WONDER_SPACES: Final = 4

DICE: Final = ("grey1", "grey2", "grey3", "green", "blue", "red", "yellow", "purple", "black", "white")
NUM_DICE: Final = len(DICE)
FACES: Final = 6
QUADRANTS: Final = 4
GREYS: Final = 3
PURPLE: Final = 7
COLOURS: Final = ("grey", "green", "blue", "red", "yellow", "purple", "black", "white")
NUM_COLOURS: Final = len(COLOURS)
DIE_COLOUR: Final = (0, 0, 0, 1, 2, 3, 4, 5, 6, 7)
SPECIALS: Final = ("black", "purple", "white")
"""Bits of ``unlocked``, and the order in which they come into the forum."""
NUM_SPECIALS: Final = len(SPECIALS)
SPECIAL_DIE: Final = (8, 7, 9)
DIE_UNLOCK: Final = (0, 0, 0, 0, 0, 0, 0, 2, 1, 4)
"""Bit of ``unlocked`` that a die needs; 0 for those that all may choose."""
FIRST_FORUM: Final = 0b0001111111

NUM_BONUSES: Final = 3
ALL_BONUSES: Final = (1 << NUM_BONUSES) - 1

# What a seat has to resolve is a stack of 16-bit items: the kind in the lowest three bits, then its arguments.
NOTHING: Final = 0
ACTION: Final = 1  # any action: a die, the wonder, a pass
FREE: Final = 2  # a die, its die cost waived
BONUS: Final = 3  # one of the bonuses that are left
PICK: Final = 4  # a space that the die (from bit 3) allows
CROSS: Final = 5  # spaces of the buildings (8 bits from bit 3), as many as the number from bit 11
ITEM_KINDS: Final = ("action", "free", "bonus", "pick", "cross")
NUM_KINDS: Final = len(ITEM_KINDS)
KIND_MASK: Final = 7
ARGUMENT: Final = 3
REMAINING: Final = 11
BUILDING_MASK: Final = 255

# Action numbers.
WAIT: Final = 0
DIE_ACTIONS: Final = 1
WONDER: Final = 11
PASS: Final = 12
STOP: Final = 13
BONUS_ACTIONS: Final = 14
SPACE_ACTIONS: Final = BONUS_ACTIONS + NUM_BONUSES
NUM_ACTIONS: Final = SPACE_ACTIONS + SPACES
MAX_LEGAL: Final = 33
"""A space of every track of the six buildings that an effect can name, and STOP."""

GAME_DTYPE: Final = np.dtype(
    [
        *HEADER.descr,
        ("crossed", "u8", MAX_SEATS),  # bit i: the space in slot i is crossed
        ("start_crossed", "u8", MAX_SEATS),  # the same at the start of the turn, as for all fields start_...
        ("chosen", "u2", MAX_SEATS),  # secret action of this decision, 0 = none yet
        ("coins", "u2", MAX_SEATS),
        ("start_coins", "u2", MAX_SEATS),
        ("stack", "u2", (MAX_SEATS, STACK)),  # what the seat has still to resolve, the top last
        ("turn", "u2"),  # 0 is the first
        ("max_turns", "u2"),
        ("forum", "u2"),  # bit d: die d lies in the forum
        ("depth", "u1", MAX_SEATS),  # items on the stack
        ("board", "u1", MAX_SEATS),
        ("bonuses", "u1", MAX_SEATS),  # bits of the bonuses crossed
        ("resources", "u1", MAX_SEATS),  # warehouse spaces crossed
        ("attack", "u1", (MAX_SEATS, 2)),  # points written down for attacks: west, east
        ("discount", "u1", MAX_SEATS),  # coins off every die
        ("free", "u1", MAX_SEATS),  # bits of the colours whose dice cost nothing
        ("unlocked", "u1", MAX_SEATS),  # bits of SPECIALS
        ("income", "u1", (MAX_SEATS, NUM_COLOURS)),  # coins for choosing a die of the colour
        ("start_bonuses", "u1", MAX_SEATS),
        ("start_resources", "u1", MAX_SEATS),
        ("start_attack", "u1", (MAX_SEATS, 2)),
        ("start_discount", "u1", MAX_SEATS),
        ("start_free", "u1", MAX_SEATS),
        ("start_unlocked", "u1", MAX_SEATS),
        ("start_income", "u1", (MAX_SEATS, NUM_COLOURS)),
        ("first_action", "u1", MAX_SEATS),  # of this turn: die, WONDER or PASS; 0 = not yet taken
        ("last_action", "u1", MAX_SEATS),  # the first action of the turn before
        ("face", "u1", NUM_DICE),  # 0-5; 0 for dice outside the forum
        ("quadrant", "u1", NUM_DICE),  # 0-3, likewise
        ("agora_first", "u1"),  # bits of the seats that filled the agora first
        ("guild", "u1"),  # bits of the seats for which the comparison of the purple face holds
        ("last_turn", "u1"),  # 1 while the last turn is played, and after it
        ("unused", "u1", 3),  # zero; rounds the record to whole words
    ]
)
check_dtype(GAME_DTYPE)

STARTED: Final = tuple(
    name.removeprefix("start_") for name in GAME_DTYPE.names or () if name.startswith("start_")
)
"""What is kept twice: as it is now, and as it was at the start of the turn, which is all that others see."""

OPTIONS_DTYPE: Final = np.dtype([("max_turns", "u2"), ("boards", "u1", MAX_SEATS), ("unused", "u1", 7)])
"""``boards``: the board of each seat, RANDOM (antiquity.game.setup) = dealt."""
