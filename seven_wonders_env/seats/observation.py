"""What a seat sees, as a vector of float32 or uint8 with named fields, the same for 3 to 7 players.

Blocks: the seat itself (``me``), its left and right neighbour, the others clockwise from the left neighbour's left;
then Age, turn, phase, players, the seat's hand, the discard (while the seat picks from it, else zero), the payments to
choose from and whether sides are being chosen. What is face down (sold, tucked and left-over cards, other hands,
choices of this turn) is not in it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.game.entities import Entity, entities_of
from antiquity.game.layout import Part, for_each
from antiquity.kernels import add, kernel, lacking, put, put_bits
from seven_wonders_env import state as s
from seven_wonders_env.rules.legality import item_of
from seven_wonders_env.rules.payment import NONE, frontier, payment_right

from .memory import MEMORY_LAYOUT, memory

COINS_SCALE: Final = 10.0
_SEAT_FIELDS: Final[tuple[Part, ...]] = (
    ("present", 1, 0, 1, 1, "1 where somebody sits"),
    ("decides", 1, 0, 1, 1, "1 when the seat must choose now"),
    ("coins", 1, 0, 65_535 / COINS_SCALE, COINS_SCALE, "coins"),
    ("shields", 1, 0, 25.5, 10, "shields"),
    ("victory", 1, 0, 25.5, 10, "points of victory tokens"),
    ("defeats", 1, 0, 1, 6, "number of defeat tokens"),
    ("stages", 1, 0, 1, 4, "wonder stages built"),
    ("wonder_size", 1, 0, 1, 4, "wonder stages of the board, 0 while its side is open"),
    ("science", 4, 0, 63.75, 4, f"science symbols: {', '.join(s.SCIENCE)}"),
    ("built", 7, 0, 5, 10, f"cards of each colour: {', '.join(s.COLOURS)}"),
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
    (
        "board",
        s.BOARDS * s.SIDES,
        0,
        1,
        1,
        "one-hot: 2 * wonder + side; 0.5 for both while the side is open",
        0.5,
    ),
    ("revealed_stage", 1, 0, 1, 1, "1 when a wonder stage is announced and still to be paid"),
    (
        "city",
        s.KINDS,
        0,
        1,
        1,
        "1 for each kind built, 0.5 for a building announced and still to be paid",
        0.5,
    ),
)
_MOST_BUILT: Final = 3 * (s.TURNS + 1) + s.MAX_STAGES
"""Cards of a city: one for each turn, and picks from the discard."""
BLOCKS: Final = ("me", "left", "right", "other_1", "other_2", "other_3", "other_4")

_TABLE_FIELDS: Final[tuple[Part, ...]] = (
    ("age", 3, 0, 1, 1, "one-hot: Age I, II, III"),
    ("turn", s.TURNS + 1, 0, 1, 1, "one-hot: turn of the Age, the seventh card last"),
    ("phase", s.SIDE, 0, 1, 1, f"one-hot: {', '.join(s.PHASES[: s.SIDE])}; none while sides are chosen"),
    ("players", 5, 0, 1, 1, "one-hot: 3 to 7 players"),
)
# Came with version 1: behind all that version 0 had.
_SIDES_FIELD: Final[Part] = (
    "sides",
    1,
    0,
    1,
    1,
    "1 while seats choose the side of their board, before Age I",
)
_SEATS: Final = tuple(f"seat_{seat}" for seat in range(s.MAX_SEATS))
LAYOUT: Final = Layout.build(
    *for_each(BLOCKS, _SEAT_FIELDS),
    *_TABLE_FIELDS,
    (
        "hand",
        s.KINDS,
        0,
        s.HAND,
        1,
        "cards of each kind in the hand; one announced and still to be paid counts half",
        0.5,
    ),
    ("discard", s.KINDS, 0, 49, 1, "cards of each kind in the discard, while the seat picks from it"),
    (
        "payments",
        s.MAX_PAYMENT + 1,
        0,
        1,
        15,
        "payments to choose from: 1 + coins to the right that go with l to the left, 0 = none",
    ),
    _SIDES_FIELD,
)
STATE_LAYOUT: Final = Layout.build(
    *for_each(_SEATS, _SEAT_FIELDS),
    *_TABLE_FIELDS,
    *(
        (
            f"seat_{seat}_hand",
            s.KINDS,
            0,
            s.HAND,
            1,
            "cards of each kind in the hand; one announced counts half",
            0.5,
        )
        for seat in range(s.MAX_SEATS)
    ),
    ("discard", s.KINDS, 0, 49, 1, "cards of each kind in the discard"),
    _SIDES_FIELD,
)
ENTITIES: Final = (
    *entities_of("seat", BLOCKS, _SEAT_FIELDS, but=("city",), players=range(1, s.MAX_SEATS + 1)),
    *(
        Entity("card", f"{block}_city", (f"{block}_city",), block, _MOST_BUILT, players)
        for players, block in enumerate(BLOCKS, 1)
    ),
    Entity("card", "hand", ("hand",), most=s.HAND),
    Entity("discard", "discard", ("discard",)),
)
"""For structured observations: seats, the cards in their cities and in the hand, the discard, the table."""
EARLIER: Final = {0: (s.SIDE_ACTIONS, LAYOUT["sides"].start)}
"""Number of actions and of observation columns in earlier versions, for ``Game.earlier``."""

_SEAT_LAYOUT: Final = Layout.build(*_SEAT_FIELDS)
_TABLE_LAYOUT: Final = Layout.build(*_TABLE_FIELDS)
SEAT: Final = _SEAT_LAYOUT.starts
"""Where the fields of a block start, from the block's own start on."""
SEAT_SIZE: Final = _SEAT_LAYOUT.size
TABLE: Final = _TABLE_LAYOUT.starts
"""Likewise what is the same for all seats: Age, turn, phase, players."""
TABLE_SIZE: Final = _TABLE_LAYOUT.size
TABLE_START: Final = LAYOUT["age"].start
# Behind the blocks, counted from there.
HAND_AT: Final = LAYOUT["hand"].start - TABLE_START
DISCARD_AT: Final = LAYOUT["discard"].start - TABLE_START
PAYMENTS_AT: Final = LAYOUT["payments"].start - TABLE_START
SIDES_AT: Final = LAYOUT["sides"].start - TABLE_START
MEMORY_AT: Final = LAYOUT.size - TABLE_START
STATE_HANDS_START: Final = STATE_LAYOUT["seat_0_hand"].start
STATE_DISCARD_START: Final = STATE_LAYOUT["discard"].start
STATE_SIDES_START: Final = STATE_LAYOUT["sides"].start
BASE_SIZE: Final = LAYOUT.size
MEMORY_SIZE: Final = MEMORY_LAYOUT.size

_HALF: Final = np.float32(0.5)
_ONE: Final = np.float32(1)
_BYTE: Final = np.uint64(255)
_TENTH: Final = np.float32(0.1)
_SIXTH: Final = np.float32(1 / 6)
_QUARTER: Final = np.float32(0.25)
_FIFTEENTH: Final = np.float32(1 / 15)


@kernel
def _write_city(word, count, start, out):
    """Spread the lowest ``count`` bytes of a word over ``out``, an element for each bit."""
    for index in range(count):
        put_bits(out, start + 8 * index, np.int64((word >> np.uint64(8 * index)) & _BYTE), 8, 2)


@kernel
def _write_symbols(words, seat, start, out):
    """Nine counts from the production bytes: each raw material, all of them, each manufactured good, all of them."""
    for resource in range(3):
        shift = np.uint64(8 << resource)
        put(out, start + resource, np.int64((words[seat, 0] >> shift) & _BYTE), _QUARTER)
        put(out, start + 5 + resource, np.int64((words[seat, 2] >> shift) & _BYTE), _QUARTER)
    put(out, start + 3, np.int64(words[seat, 1] & _BYTE), _QUARTER)
    put(out, start + 4, np.int64(words[seat, 1] >> np.uint64(56)), _QUARTER)
    put(out, start + 8, np.int64(words[seat, 2] >> np.uint64(56)), _QUARTER)


@kernel
def _write_seat(game, tables, seat, out):
    """One block, ``out`` float32[SEAT_SIZE]. Indices count from 0 so that none is negative: loops become vectors."""
    board = np.int64(game["board"][seat])
    put(out, SEAT.present, 1, _ONE)
    put(out, SEAT.decides, (np.int64(game["deciders"]) >> seat) & 1, _ONE)
    put(out, SEAT.coins, np.int64(game["coins"][seat]), _TENTH)
    put(out, SEAT.shields, np.int64(game["shields"][seat]), _TENTH)
    put(out, SEAT.victory, np.int64(game["victory"][seat]), _TENTH)
    put(out, SEAT.defeats, np.int64(game["defeats"][seat]), _SIXTH)
    put(out, SEAT.stages, np.int64(game["built"][seat, s.STAGES_COLUMN]), _QUARTER)
    if (np.int64(game["open_sides"]) >> seat) & 1:
        for side in range(s.SIDES):
            put(out, SEAT.board + board + side, 1, _HALF)
    else:
        put(out, SEAT.board + board, 2, _HALF)
        put(out, SEAT.wonder_size, np.int64(tables["stage_count"][board]), _QUARTER)
    for symbol in range(4):
        put(out, SEAT.science + symbol, np.int64(game["science"][seat, symbol]), _QUARTER)
    for colour in range(7):
        put(out, SEAT.built + colour, np.int64(game["built"][seat, colour]), _TENTH)
    _write_symbols(game["own"], seat, SEAT.makes, out)
    _write_symbols(game["sell"], seat, SEAT.sells, out)
    put_bits(out, SEAT.discounts, np.int64(game["discounts"][seat]), 4, 1)
    put_bits(out, SEAT.powers, np.int64(game["powers"][seat]), 5, 1)
    _write_city(game["city"][seat, 0], 8, SEAT.city, out)
    _write_city(game["city"][seat, 1], (s.KINDS - 64) // 8, SEAT.city + 64, out)
    planned = np.int64(game["planned"][seat])
    if planned:
        use = (planned - s.CARD_ACTIONS) % s.USES
        if use == s.STAGE:
            put(out, SEAT.revealed_stage, 1, _ONE)
        elif use == s.BUILD:
            put(out, SEAT.city + (planned - s.CARD_ACTIONS) // s.USES, 1, _HALF)


@kernel
def _write_table(game, out):
    """What all seats see alike, ``out`` float32[TABLE_SIZE]."""
    put(out, TABLE.age + np.int64(game["age"]), 1, _ONE)
    put(out, TABLE.turn + np.int64(game["turn"]), 1, _ONE)
    if game["phase"] != s.SIDE:
        put(out, TABLE.phase + np.int64(game["phase"]), 1, _ONE)
    put(out, TABLE.players + np.int64(game["num_players"]) - s.MIN_PLAYERS, 1, _ONE)


@kernel
def _write_hand(game, seat, start, out):
    for position in range(np.int64(game["hand_size"][seat])):
        add(out, start + np.int64(game["hands"][seat, position]), 2, _HALF)
    if game["planned"][seat]:
        add(out, start + (np.int64(game["planned"][seat]) - s.CARD_ACTIONS) // s.USES, -1, _HALF)


@kernel
def _write_discard(game, start, out):
    for kind in range(s.KINDS):
        put(out, start + kind, np.int64(game["discard"][kind]), _ONE)


@kernel
def _write_payments(game, tables, seat, out):
    word = frontier(game, tables, seat, item_of(game, tables, seat, np.int64(game["planned"][seat])))
    for to_left in range(s.MAX_PAYMENT + 1):
        to_right = payment_right(word, to_left)
        if to_right != NONE:
            put(out, PAYMENTS_AT + to_left, to_right + 1, _FIFTEENTH)


@kernel
def _block(relative, players):
    """Which block shows the seat that sits ``relative`` places clockwise."""
    if relative == players - 1:
        return 2
    return relative if relative < 2 else relative + 1


@kernel
def observe(game, tables, seat, out):
    """Write what the seat may see into ``out`` (float32 or uint8, zeros).

    Length ``LAYOUT.size``, or more by ``MEMORY_LAYOUT.size`` to have the memory behind it, or less by the blocks of
    seats that nobody sits at.
    """
    players = np.int64(game["num_players"])
    for relative in range(players):
        start = _block(relative, players) * SEAT_SIZE
        _write_seat(game, tables, (seat + relative) % players, out[start : start + SEAT_SIZE])
    rest = out[_rest(out.shape[0]) :]
    _write_table(game, rest)
    _write_own(game, tables, seat, rest)


@kernel
def _rest(size):
    """Where what is behind the blocks starts, in an observation of `size` elements."""
    return TABLE_START - lacking(size, BASE_SIZE, MEMORY_SIZE, SEAT_SIZE)


@kernel
def _write_own(game, tables, seat, out):
    """What the seat alone sees, ``out`` what is behind the blocks."""
    _write_hand(game, seat, HAND_AT, out)
    put(out, SIDES_AT, np.int64(game["phase"] == s.SIDE), _ONE)
    if (np.int64(game["deciders"]) >> seat) & 1:
        if game["phase"] == s.PICK:
            _write_discard(game, DISCARD_AT, out)
        elif game["phase"] == s.PAY:
            _write_payments(game, tables, seat, out)
    if out.shape[0] > MEMORY_AT:
        memory(game, tables, seat, out[MEMORY_AT:])


@kernel
def _copy(source, target):
    for index in range(target.shape[0]):
        target[index] = source[index]


@kernel
def observe_seats(game, tables, seats, out):
    """Write the observations of several seats (a bit each) into the rows of ``out`` (zeros, [k, F]), in order.

    What a seat shows is the same to all who look at it: it is written once, and copied into the other rows.
    """
    players = np.int64(game["num_players"])
    rest = _rest(out.shape[1])
    first = np.int64(-1)
    row = 0
    for seat in range(players):
        if not (seats >> seat) & 1:
            continue
        if first < 0:
            first = np.int64(seat)
            observe(game, tables, seat, out[0])
        else:
            for relative in range(players):
                start = _block(relative, players) * SEAT_SIZE
                shown = _block((seat + relative - first) % players, players) * SEAT_SIZE
                _copy(out[0, shown : shown + SEAT_SIZE], out[row, start : start + SEAT_SIZE])
            _write_table(game, out[row, rest:])
            _write_own(game, tables, seat, out[row, rest:])
        row += 1


@kernel
def reveal(game, tables, out):
    """Write the whole table, hidden cards included, into ``out`` (float32[STATE_LAYOUT.size], zeros)."""
    for seat in range(np.int64(game["num_players"])):
        _write_seat(game, tables, seat, out[seat * SEAT_SIZE : (seat + 1) * SEAT_SIZE])
        _write_hand(game, seat, STATE_HANDS_START + seat * s.KINDS, out)
    _write_table(game, out[TABLE_START : TABLE_START + TABLE_SIZE])
    _write_discard(game, STATE_DISCARD_START, out)
    put(out, STATE_SIDES_START, np.int64(game["phase"] == s.SIDE), _ONE)
