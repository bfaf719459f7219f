"""The record of one game of 7 Wonders: a game in progress is one element of ``GAME_DTYPE``.

Seats are numbered clockwise: the left neighbour of seat ``s`` is ``(s + 1) % n``. Arrays are sized for seven seats;
absent seats and unused slots are zero (hands: ``NO_CARD``), so equal games are equal bytes.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import HEADER, check_dtype

MIN_PLAYERS: Final = 3
MAX_SEATS: Final = 7
KINDS: Final = 80
"""Slots for card kinds: 0-69 the cards, 70-79 the guilds."""
GUILD_START: Final = 70
BOARDS: Final = 7
SIDES: Final = 2
MAX_STAGES: Final = 4
ITEMS: Final = KINDS + BOARDS * SIDES * MAX_STAGES
"""What can be built and paid for: the kinds, then the stages of every board side."""
HAND: Final = 7
NO_CARD: Final = 255

RAW: Final = ("wood", "stone", "clay", "ore")
MANUFACTURED: Final = ("glass", "loom", "papyrus")
COLOURS: Final = ("brown", "grey", "blue", "yellow", "red", "green", "purple")
COUNTED: Final = (*COLOURS, "wonder_stages")
"""What an effect may count: cards of a colour, or wonder stages. Column order of ``built``."""
STAGES_COLUMN: Final = 7
SCIENCE: Final = ("compass", "gear", "tablet", "choice")

# Phases: who decides what.
CHOOSE: Final = 0  # all seats: a card and its use
PAY: Final = 1  # seats with more than one undominated payment: coins to the left
PICK: Final = 2  # one seat: a card from the discard
LAST: Final = 3  # seats with the last-card power: their seventh card, as one more turn
SIDE: Final = 4  # before Age I is dealt, the seats that may: the side of their wonder board
PHASES: Final = ("choose", "pay", "pick", "last", "side")
TURNS: Final = 6
EXTRA_TURN: Final = 6  # index in ``history``: the seventh card, used or left over

# Bits of ``powers``.
BUILD_FROM_DISCARD: Final = 1
PLAY_LAST_CARD: Final = 2
FREE_COLOUR: Final = 4
FREE_FIRST: Final = 8
FREE_LAST: Final = 16
POWERS: Final = {
    "build_from_discard": BUILD_FROM_DISCARD,
    "play_last_card": PLAY_LAST_CARD,
    "first_card_of_each_colour_free": FREE_COLOUR,
    "first_card_of_each_age_free": FREE_FIRST,
    "last_card_of_each_age_free": FREE_LAST,
}

# Bits of ``discounts``: goods class x side.
RAW_LEFT: Final = 1
RAW_RIGHT: Final = 2
MANUFACTURED_LEFT: Final = 4
MANUFACTURED_RIGHT: Final = 8

# Action numbers: WAIT, then kind-major (build, stage, sell), then payments, then the sides of a board.
WAIT: Final = 0
CARD_ACTIONS: Final = 1
BUILD: Final = 0
STAGE: Final = 1
SELL: Final = 2
USES: Final = 3
PAYMENT_ACTIONS: Final = CARD_ACTIONS + USES * KINDS
MAX_PAYMENT: Final = 14
SIDE_ACTIONS: Final = PAYMENT_ACTIONS + MAX_PAYMENT + 1
NUM_ACTIONS: Final = SIDE_ACTIONS + SIDES

# Production is kept as counts for Hall's condition: one byte for each subset T of the resources, saying how many
# symbols can make something in T. Words 0 and 1 hold the 16 subsets of the raw materials, word 2 the 8 of the
# manufactured goods (see payment.py).
WORDS: Final = 3

# Purposes of random draws: of the game, then of a redrawn world.
DRAW_BOARDS: Final = 1
DRAW_SIDES: Final = 2
DRAW_GUILDS: Final = 3
DRAW_DEAL: Final = 4  # + Age
REDRAW_CARDS: Final = 7
REDRAW_FUTURE: Final = 8

GAME_DTYPE: Final = np.dtype(
    [
        *HEADER.descr,
        ("city", "u8", (MAX_SEATS, 2)),  # bits of the kinds built
        ("own", "u8", (MAX_SEATS, WORDS)),  # production a seat may use
        ("sell", "u8", (MAX_SEATS, WORDS)),  # production its neighbours may buy
        ("chosen", "u2", MAX_SEATS),  # secret action of this decision, 0 = none yet
        ("coins", "u2", MAX_SEATS),
        # During PAY: the card action already revealed (0 = none); coins for the left and right neighbour and the bank.
        ("planned", "u1", MAX_SEATS),
        ("pay", "u1", (MAX_SEATS, 3)),
        ("hands", "u1", (MAX_SEATS, HAND)),  # kinds, ascending, then NO_CARD
        ("hand_size", "u1", MAX_SEATS),
        ("board", "u1", MAX_SEATS),  # 2 * wonder + side (0 day, 1 night; 0 while the side is open)
        ("built", "u1", (MAX_SEATS, 8)),  # cards of each colour, then wonder stages (COUNTED)
        ("shields", "u1", MAX_SEATS),
        ("science", "u1", (MAX_SEATS, 4)),  # compass, gear, tablet, choice
        ("victory", "u1", MAX_SEATS),  # points of the victory tokens
        ("defeats", "u1", MAX_SEATS),  # number of defeat tokens
        ("discounts", "u1", MAX_SEATS),  # bits
        ("powers", "u1", MAX_SEATS),  # bits
        ("discard", "u1", KINDS),  # cards of each kind in the pile
        # Card action of each Age, turn and seat; left-overs as SELL.
        ("history", "u1", (3, TURNS + 1, MAX_SEATS)),
        # Kind + 1 picked from the discard by the stage with that number, 0 = none.
        ("picks", "u1", MAX_STAGES),
        ("picker", "u1"),  # seat + 1 that still has to pick from the discard this turn, 0 = none
        ("phase", "u1"),
        ("age", "u1"),  # 0, 1, 2
        ("turn", "u1"),  # 0-5, EXTRA_TURN while a seventh card is played
        ("payments", "u1"),  # 1 = seats choose how to split a payment, 0 = the cheapest is taken
        ("open_sides", "u1"),  # bits of the seats that have not chosen the side of their board yet
        ("unused", "u1", 5),  # zero; rounds the record to whole words
    ]
)
check_dtype(GAME_DTYPE)

OPTIONS_DTYPE: Final = np.dtype(
    [
        ("payments", "u1"),  # 1 "choose", 0 "cheapest"
        ("wonders", "u1", MAX_SEATS),  # wonder of each seat, RANDOM = dealt
        ("sides", "u1", MAX_SEATS),  # 0 day, 1 night, CHOSEN = the seat's own choice, RANDOM = drawn
    ]
)
CHOSEN: Final = 2
"""In a record of options: the seat chooses the side of its board."""
