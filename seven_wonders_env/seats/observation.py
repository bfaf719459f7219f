"""What a seat sees, as a vector of float32 with named fields, the same for 3 to 7 players.

Blocks: the seat itself (``me``), its left and right neighbour, the others clockwise from the left neighbour's left;
then Age, turn, phase, players, the own hand, the discard (for the picker at its pick, else zero) and the payments to
choose from. What lies face down - sold, tucked and left-over cards, other hands, choices of this turn - is not in it.

Writing is fast because it trusts what stands in ``out``: zeros, or what an earlier call wrote there. Blocks of absent
seats, the discard and the payments are touched only where something is to be written or cleared.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.game.layout import Part, for_each, size_of
from antiquity.kernels import kernel
from seven_wonders_env.rules.legality import item_of
from seven_wonders_env.rules.payment import NONE, frontier, payment_right
from seven_wonders_env.state import (
    BOARDS,
    CARD_ACTIONS,
    COLOURS,
    HAND,
    KINDS,
    MAX_PAYMENT,
    MAX_SEATS,
    MIN_PLAYERS,
    PAY,
    PHASES,
    PICK,
    SCIENCE,
    SIDES,
    STAGE,
    STAGES_COLUMN,
    TURNS,
    USES,
)

from .determinize.knowledge import MEMORY_FIELDS, memory

COINS_SCALE: Final = 10.0
_SEAT_FIELDS: Final[tuple[Part, ...]] = (
    ("present", 1, 0, 1, 1, "1 where somebody sits"),
    ("decides", 1, 0, 1, 1, "1 when the seat must choose now"),
    ("coins", 1, 0, 65_535 / COINS_SCALE, COINS_SCALE, "coins"),
    ("shields", 1, 0, 25.5, 10, "shields"),
    ("victory", 1, 0, 25.5, 10, "points of victory tokens"),
    ("defeats", 1, 0, 1, 6, "number of defeat tokens"),
    ("stages", 1, 0, 1, 4, "wonder stages built"),
    ("wonder_size", 1, 0, 1, 4, "wonder stages of the board"),
    ("science", 4, 0, 63.75, 4, f"science symbols: {', '.join(SCIENCE)}"),
    ("built", 7, 0, 5, 10, f"cards of each colour: {', '.join(COLOURS)}"),
    (
        "makes",
        9,
        0,
        31.75,
        4,
        "symbols that make wood, stone, clay, ore, any raw; glass, loom, papyrus, any of these",
    ),
    ("sells", 9, 0, 31.75, 4, "of them those that neighbours may buy from"),
    ("discounts", 4, 0, 1, 1, "discount on raw left, raw right, manufactured left, manufactured right"),
    ("powers", 5, 0, 1, 1, "discard pick, last card, first of a colour free, first and last of an Age free"),
    ("board", BOARDS * SIDES, 0, 1, 1, "one-hot: 2 * wonder + side"),
    ("revealed_stage", 1, 0, 1, 1, "1 when a wonder stage is announced and still to be paid"),
    ("city", KINDS, 0, 1, 1, "1 for each kind built, 0.5 for a building announced and still to be paid"),
)
SEAT_SIZE: Final = size_of(_SEAT_FIELDS)
CITY: Final = SEAT_SIZE - KINDS
BLOCKS: Final = ("me", "left", "right", "other_1", "other_2", "other_3", "other_4")

_TABLE_FIELDS: Final[tuple[Part, ...]] = (
    ("age", 3, 0, 1, 1, "one-hot: Age I, II, III"),
    ("turn", TURNS + 1, 0, 1, 1, "one-hot: turn of the Age, the seventh card last"),
    ("phase", len(PHASES), 0, 1, 1, f"one-hot: {', '.join(PHASES)}"),
    ("players", 5, 0, 1, 1, "one-hot: 3 to 7 players"),
)
TABLE_SIZE: Final = size_of(_TABLE_FIELDS)

_SEATS: Final = tuple(f"seat_{seat}" for seat in range(MAX_SEATS))
LAYOUT: Final = Layout.build(
    *for_each(BLOCKS, _SEAT_FIELDS),
    *_TABLE_FIELDS,
    (
        "hand",
        KINDS,
        0,
        HAND,
        1,
        "cards of each kind in the own hand; one announced and still to be paid counts half",
    ),
    ("discard", KINDS, 0, 49, 1, "cards of each kind in the discard, at the own pick only"),
    (
        "payments",
        MAX_PAYMENT + 1,
        0,
        1,
        15,
        "own payment: 1 + coins to the right that go with l to the left, 0 = none",
    ),
)
MEMORY_LAYOUT: Final = Layout.build(*MEMORY_FIELDS)
STATE_LAYOUT: Final = Layout.build(
    *for_each(_SEATS, _SEAT_FIELDS),
    *_TABLE_FIELDS,
    *(
        (f"seat_{seat}_hand", KINDS, 0, HAND, 1, "cards of each kind in the hand; one announced counts half")
        for seat in range(MAX_SEATS)
    ),
    ("discard", KINDS, 0, 49, 1, "cards of each kind in the discard"),
)

TABLE_START: Final = MAX_SEATS * SEAT_SIZE
PHASE_START: Final = TABLE_START + 3 + TURNS + 1
PLAYERS_START: Final = PHASE_START + len(PHASES)
HAND_START: Final = TABLE_START + TABLE_SIZE
DISCARD_START: Final = HAND_START + KINDS
PAYMENTS_START: Final = DISCARD_START + KINDS
BASE_SIZE: Final = LAYOUT.size

_ZERO: Final = np.float32(0)
_HALF: Final = np.float32(0.5)
_ONE: Final = np.float32(1)
_BYTE: Final = np.uint64(255)
_TENTH: Final = np.float32(0.1)
_SIXTH: Final = np.float32(1 / 6)
_QUARTER: Final = np.float32(0.25)
_FIFTEENTH: Final = np.float32(1 / 15)

BYTE_BITS: Final = np.array([[byte >> bit & 1 for bit in range(8)] for byte in range(256)], np.float32)
"""The bits of a byte as floats: copying eight at a time is several times faster than testing them one by one."""


@kernel
def _write_bytes(word, count, start, out):
    """Spread the lowest ``count`` bytes of a word over ``out``, a float of 0 or 1 for each bit."""
    for index in range(count):
        byte = np.int64((word >> np.uint64(8 * index)) & _BYTE)
        for bit in range(8):
            out[start + 8 * index + bit] = BYTE_BITS[byte, bit]


@kernel
def _write_bits(word, count, start, out):
    """The lowest ``count`` bits of a word, at most 8, as 0 and 1."""
    for bit in range(count):
        out[start + bit] = BYTE_BITS[word, bit]


@kernel
def _write_symbols(words, seat, start, out):
    """Nine counts from the production bytes: each raw material, all of them, each manufactured good, all of them."""
    for resource in range(3):
        shift = np.uint64(8 << resource)
        out[start + resource] = np.float32(np.int64((words[seat, 0] >> shift) & _BYTE)) * _QUARTER
        out[start + 5 + resource] = np.float32(np.int64((words[seat, 2] >> shift) & _BYTE)) * _QUARTER
    out[start + 3] = np.float32(np.int64(words[seat, 1] & _BYTE)) * _QUARTER
    out[start + 4] = np.float32(np.int64(words[seat, 1] >> np.uint64(56))) * _QUARTER
    out[start + 8] = np.float32(np.int64(words[seat, 2] >> np.uint64(56))) * _QUARTER


@kernel
def _write_seat(game, tables, seat, out):
    """One block, ``out`` float32[SEAT_SIZE]. Places count from 0: no index can be negative, so loops become vectors."""
    start = 0
    board = np.int64(game["board"][seat])
    out[start] = _ONE
    out[start + 1] = np.float32((np.int64(game["deciders"]) >> seat) & 1)
    out[start + 2] = np.float32(np.int64(game["coins"][seat])) * _TENTH
    out[start + 3] = np.float32(np.int64(game["shields"][seat])) * _TENTH
    out[start + 4] = np.float32(np.int64(game["victory"][seat])) * _TENTH
    out[start + 5] = np.float32(np.int64(game["defeats"][seat])) * _SIXTH
    out[start + 6] = np.float32(np.int64(game["built"][seat, STAGES_COLUMN])) * _QUARTER
    out[start + 7] = np.float32(np.int64(tables["stage_count"][board])) * _QUARTER
    start += 8
    for symbol in range(4):
        out[start + symbol] = np.float32(np.int64(game["science"][seat, symbol])) * _QUARTER
    start += 4
    for colour in range(7):
        out[start + colour] = np.float32(np.int64(game["built"][seat, colour])) * _TENTH
    start += 7
    _write_symbols(game["own"], seat, start, out)
    _write_symbols(game["sell"], seat, start + 9, out)
    start += 18
    _write_bits(game["discounts"][seat], 4, start, out)
    _write_bits(game["powers"][seat], 5, start + 4, out)
    start += 9
    for index in range(BOARDS * SIDES):
        out[start + index] = _ZERO
    out[start + board] = _ONE
    start += BOARDS * SIDES
    city = start + 1
    _write_bytes(game["city"][seat, 0], 8, city, out)
    _write_bytes(game["city"][seat, 1], (KINDS - 64) // 8, city + 64, out)
    out[start] = _ZERO
    planned = np.int64(game["planned"][seat])
    if planned:
        use = (planned - CARD_ACTIONS) % USES
        if use == STAGE:
            out[start] = _ONE
        elif use == 0:
            out[city + (planned - CARD_ACTIONS) // USES] = _HALF


@kernel
def _clear_absent(players, out):
    """Clear the blocks that an earlier observation of more players has left behind."""
    for block in range(players, MAX_SEATS):
        if out[PLAYERS_START + block + 1 - MIN_PLAYERS] != _ZERO:
            for index in range(players * SEAT_SIZE, (block + 1) * SEAT_SIZE):
                out[index] = _ZERO


@kernel
def _write_table(game, start, out):
    for index in range(TABLE_SIZE):
        out[start + index] = _ZERO
    out[start + np.int64(game["age"])] = _ONE
    out[start + 3 + np.int64(game["turn"])] = _ONE
    out[start + 3 + TURNS + 1 + np.int64(game["phase"])] = _ONE
    out[start + 3 + TURNS + 1 + len(PHASES) + np.int64(game["num_players"]) - MIN_PLAYERS] = _ONE


@kernel
def _write_hand(game, seat, start, out):
    for kind in range(KINDS):
        out[start + kind] = _ZERO
    for position in range(np.int64(game["hand_size"][seat])):
        out[start + np.int64(game["hands"][seat, position])] += _ONE
    if game["planned"][seat]:
        out[start + (np.int64(game["planned"][seat]) - CARD_ACTIONS) // USES] -= _HALF


@kernel
def _write_discard(game, shown, start, out):
    for kind in range(KINDS):
        out[start + kind] = np.float32(np.int64(game["discard"][kind])) if shown else _ZERO


@kernel
def _write_payments(game, tables, seat, shown, out):
    for to_left in range(MAX_PAYMENT + 1):
        out[PAYMENTS_START + to_left] = _ZERO
    if shown:
        word = frontier(game, tables, seat, item_of(game, tables, seat, np.int64(game["planned"][seat])))
        for to_left in range(MAX_PAYMENT + 1):
            to_right = payment_right(word, to_left)
            if to_right != NONE:
                out[PAYMENTS_START + to_left] = np.float32(to_right + 1) * _FIFTEENTH


@kernel
def _block(relative, players):
    """Which block shows the seat that sits ``relative`` places clockwise."""
    if relative == players - 1:
        return 2
    return relative if relative < 2 else relative + 1


@kernel
def _copy(source, target):
    for index in range(len(target)):
        target[index] = source[index]


@kernel
def _write_own(game, tables, seat, had_discard, had_payments, out):
    """What the seat alone sees: hand, discard, payments and, where ``out`` has room for it, memory."""
    decides = (np.int64(game["deciders"]) >> seat) & 1
    _write_hand(game, seat, HAND_START, out)
    picking = decides != 0 and game["phase"] == PICK
    if picking or had_discard:
        _write_discard(game, picking, DISCARD_START, out)
    paying = decides != 0 and game["phase"] == PAY
    if paying or had_payments:
        _write_payments(game, tables, seat, paying, out)
    if out.shape[0] > BASE_SIZE:
        memory(game, tables, seat, out[BASE_SIZE:])


@kernel
def observe(game, tables, seat, out):
    """Write what the seat may see into ``out`` (float32, zeros or an earlier observation).

    Length ``LAYOUT.size``, or more by ``MEMORY_LAYOUT.size`` to have the memory behind it.
    """
    players = np.int64(game["num_players"])
    had_discard = out[1] != _ZERO and out[PHASE_START + PICK] != _ZERO
    had_payments = out[1] != _ZERO and out[PHASE_START + PAY] != _ZERO
    for relative in range(players):
        place = _block(relative, players) * SEAT_SIZE
        _write_seat(game, tables, (seat + relative) % players, out[place : place + SEAT_SIZE])
    _clear_absent(players, out)
    _write_table(game, TABLE_START, out)
    _write_own(game, tables, seat, had_discard, had_payments, out)


@kernel
def observe_seats(game, tables, seats, out):
    """The observations of several seats (a bit each) into the rows of ``out`` (float32[k, F]), in order of seats.

    What a seat shows is the same for all who look at it: it is written once and copied into the other rows.
    """
    players = np.int64(game["num_players"])
    first = np.int64(-1)
    row = 0
    for seat in range(players):
        if not (seats >> seat) & 1:
            continue
        if first < 0:
            first = np.int64(seat)
            observe(game, tables, seat, out[0])
        else:
            target = out[row]
            had_discard = target[1] != _ZERO and target[PHASE_START + PICK] != _ZERO
            had_payments = target[1] != _ZERO and target[PHASE_START + PAY] != _ZERO
            for relative in range(players):
                shown = _block((seat + relative - first) % players, players) * SEAT_SIZE
                place = _block(relative, players) * SEAT_SIZE
                _copy(out[0, shown : shown + SEAT_SIZE], target[place : place + SEAT_SIZE])
            _clear_absent(players, target)
            _copy(out[0, TABLE_START:HAND_START], target[TABLE_START:HAND_START])
            _write_own(game, tables, seat, had_discard, had_payments, target)
        row += 1


@kernel
def reveal(game, tables, out):
    """Write the whole table, hidden cards included, into ``out`` (float32[STATE_LAYOUT.size], every element)."""
    players = np.int64(game["num_players"])
    for seat in range(players):
        _write_seat(game, tables, seat, out[seat * SEAT_SIZE : (seat + 1) * SEAT_SIZE])
    for index in range(players * SEAT_SIZE, TABLE_START):
        out[index] = _ZERO
    for seat in range(MAX_SEATS):
        _write_hand(game, seat, HAND_START + seat * KINDS, out)
    _write_table(game, TABLE_START, out)
    _write_discard(game, True, HAND_START + MAX_SEATS * KINDS, out)
