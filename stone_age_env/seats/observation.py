"""What a seat sees, as a vector of float32 or uint8 with named fields, the same for 2 to 4 players.

Blocks: the seat itself (``me``), then the others clockwise (``left``, ``left_2``, ``left_3``); the lower halves of
the own cards; the table (phase, roll, dice, payment, open cards, piles). Of the cards that others bought their
number is shown; what the lower halves of those were is for a memory (``memory=True``), what an opponent's extra
card is nobody but its owner knows.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.game.entities import Entity, entities_of
from antiquity.game.layout import Part, for_each
from antiquity.kernels import add, kernel, lacking, put, put_above, put_scaled
from stone_age_env import state as s
from stone_age_env.data.checks import MOST
from stone_age_env.data.tables import CARD_FEATURES, CARD_SCALES, TILE_FEATURES, TILE_SCALES

from .memory import BOTTOM_AT, BOTTOM_FIELDS, BOTTOM_SIZE, MEMORY_LAYOUT, memory

LEAST_POINTS: Final = -60
"""What a byte of 0 stands for: hunger costs points."""
_SEAT_FIELDS: Final[tuple[Part, ...]] = (
    ("present", 1, 0, 1, 1, "1 where somebody sits"),
    ("decides", 1, 0, 1, 1, "1 when the seat must choose now"),
    ("active", 1, 0, 1, 1, "1 when it is the seat's turn: it places, resolves or is fed"),
    ("start", 1, 0, 1, 1, "1 for the seat with the start marker"),
    ("people", 1, 0, 1, 10, "people"),
    (
        "in_hand",
        1,
        0,
        1,
        10,
        "people at home, to be placed or back from work; newcomers of this round not counted",
    ),
    ("food", 1, 0, 65_535 / 20, 20, "food"),
    ("resources", 4, 0, 65_535 / 10, 10, f"resources: {', '.join(s.RESOURCES)}"),
    ("agriculture", 1, 0, 2, 10, "food marker"),
    ("tools", s.TOOL_SLOTS, 0, 1, s.MAX_TOOL, "values of the normal tools, left to right"),
    ("unused_tools", s.TOOL_SLOTS, 0, 1, s.MAX_TOOL, "those not used in this round, the others 0"),
    ("one_use", s.MAX_TOOL, 0, s.CARDS, 1, "one-use tools of value 1 to 4 that are still face up"),
    ("free_cards", 1, 0, s.CARDS, 1, "cards of two free resources that are still face up"),
    ("buildings", 1, 0, s.TILES / 7, 7, "tiles built"),
    ("cards", 1, 0, s.CARDS / 10, 10, "cards bought, extra cards included"),
    (
        "points",
        1,
        -32_768 / 50,
        32_767 / 50,
        50,
        "points scored so far, before the lower halves are counted",
        1 / 50,
        LEAST_POINTS,
    ),
    ("placed", s.NUM_PLACES, 0, 1, 10, f"people at each place: {', '.join(s.PLACES)}"),
)
BLOCKS: Final = ("me", "left", "left_2", "left_3")
_TABLE_FIELDS: Final[tuple[Part, ...]] = (
    ("phase", len(s.PHASES), 0, 1, 1, f"one-hot: {', '.join(s.PHASES)}"),
    ("players", 3, 0, 1, 1, "one-hot: 2, 3, 4 players"),
    ("round", 1, 0, (s.MOST_ROUNDS - 1) / 20, 20, "rounds played"),
    ("place", s.NUM_PLACES, 0, 1, 1, "one-hot: the place that is being resolved, in tools, lottery and pay"),
    ("gather", len(s.GOODS), 0, 1, 1, f"one-hot, in tools: what the roll brings, {', '.join(s.GOODS)}"),
    ("total", 1, 0, 65_535 / 20, 20, "in tools: dice and tools added so far"),
    ("dice", 6, 0, s.MAX_SEATS, 1, "in lottery: dice of each face still to be taken"),
    ("pay_left", 1, 0, 1, 10, "in feed and pay: resources still to be paid"),
    ("pay_kinds", 1, 0, 1, 4, "in pay: exactly so many kinds must still be used, 0 = any"),
    ("pay_kind", 3, 0, 1, 1, "one-hot, in pay: the number of wood, clay, stone is chosen"),
    ("deck", 1, 0, 1, s.CARDS, "cards in the deck"),
    *(
        (
            f"card_{spot}",
            CARD_FEATURES,
            0,
            MOST / 2,
            1,
            f"the card at price {spot + 1}: present; top: lottery, food / 5, four resources / 2, two dice for four "
            "resources, points / 3, tool, agriculture, extra card, one-use tool / 4, two free resources; bottom: eight "
            "symbols, four persons / 3",
            tuple(1 / scale for scale in CARD_SCALES),
        )
        for spot in range(s.SPOTS)
    ),
    *(
        (
            f"pile_{pile}",
            TILE_FEATURES + 1,
            0,
            6,
            1,
            f"pile {pile}: tiles left / 7; the top tile: fixed, choice, any; its cost / 2, points / 10, fewest and "
            "most resources / 7, kinds / 4",
            tuple(1 / scale for scale in (s.PILE, *TILE_SCALES)),
        )
        for pile in range(s.PILES)
    ),
    ("unseen_tiles", s.TILE_KINDS, 0, s.TILES / 2, 2, "tiles of each kind that have not been seen"),
)

_SEATS: Final = tuple(f"seat_{seat}" for seat in range(s.MAX_SEATS))
LAYOUT: Final = Layout.build(
    *for_each(BLOCKS, _SEAT_FIELDS),
    *for_each(["me"], BOTTOM_FIELDS),
    *_TABLE_FIELDS,
)
STATE_LAYOUT: Final = Layout.build(
    *for_each(_SEATS, _SEAT_FIELDS),
    *for_each(_SEATS, BOTTOM_FIELDS),
    *_TABLE_FIELDS,
    ("deck_cards", s.CARDS, 0, 1, 1, "1 for each card in the deck"),
    (
        "buried_tiles",
        s.TILE_KINDS,
        0,
        s.TILES / 2,
        2,
        "tiles of each kind under the tops of the piles in play",
    ),
)

ENTITIES: Final = (
    *entities_of("seat", BLOCKS, _SEAT_FIELDS, players=range(1, s.MAX_SEATS + 1)),
    *(Entity("card", f"card_{spot}", (f"card_{spot}",)) for spot in range(s.SPOTS)),
    *(Entity("pile", f"pile_{pile}", (f"pile_{pile}",)) for pile in range(s.PILES)),
)
"""For structured observations: seats, open cards, piles of tiles, and the table."""

# Of the blocks, counted from where each begins.
SEAT: Final = Layout.build(*_SEAT_FIELDS)
SEAT_AT: Final = SEAT.starts
SEAT_SIZE: Final = SEAT.size
TABLE: Final = Layout.build(*_TABLE_FIELDS)
TABLE_AT: Final = TABLE.starts
BOTTOM_START: Final = LAYOUT["me_culture"].start
BASE_SIZE: Final = LAYOUT.size
MEMORY_SIZE: Final = MEMORY_LAYOUT.size
# Behind the blocks, counted from the lower halves on.
TABLE_BEHIND: Final = LAYOUT["phase"].start - BOTTOM_START
MEMORY_AT: Final = BASE_SIZE - BOTTOM_START
STATE_BOTTOM_START: Final = STATE_LAYOUT["seat_0_culture"].start
STATE_TABLE_START: Final = STATE_LAYOUT["phase"].start
DECK_CARDS: Final = STATE_LAYOUT["deck_cards"].start
BURIED_TILES: Final = STATE_LAYOUT["buried_tiles"].start

_ONE: Final = np.float32(1)
_HALF: Final = np.float32(0.5)
_THIRD: Final = np.float32(1 / 3)
_QUARTER: Final = np.float32(0.25)
_SEVENTH: Final = np.float32(1 / 7)
_TENTH: Final = np.float32(0.1)
_TWENTIETH: Final = np.float32(0.05)
_FIFTIETH: Final = np.float32(0.02)
_DECK: Final = np.float32(1 / s.CARDS)
_CARD_SCALES: Final = np.array(CARD_SCALES, np.float32)
_TILE_SCALES: Final = np.array(TILE_SCALES, np.float32)


@kernel
def _write_seat(game, seat, start, out):
    put(out, start + SEAT_AT.present, 1, _ONE)
    put(out, start + SEAT_AT.decides, (np.int64(game["deciders"]) >> seat) & 1, _ONE)
    put(out, start + SEAT_AT.active, np.int64(game["active"] == seat and not game["over"]), _ONE)
    put(out, start + SEAT_AT.start, np.int64(game["start"] == seat), _ONE)
    put(out, start + SEAT_AT.people, np.int64(game["people"][seat]), _TENTH)
    put(out, start + SEAT_AT.in_hand, np.int64(game["in_hand"][seat]), _TENTH)
    put(out, start + SEAT_AT.food, np.int64(game["food"][seat]), _TWENTIETH)
    for resource in range(4):
        put(out, start + SEAT_AT.resources + resource, np.int64(game["resources"][seat, resource]), _TENTH)
    put(out, start + SEAT_AT.agriculture, np.int64(game["agriculture"][seat]), _TENTH)
    for slot in range(s.TOOL_SLOTS):
        tool = np.int64(game["tools"][seat, slot])
        put(out, start + SEAT_AT.tools + slot, tool, _QUARTER)
        put(
            out,
            start + SEAT_AT.unused_tools + slot,
            np.int64(0) if game["used"][seat, slot] else tool,
            _QUARTER,
        )
    for value in range(s.MAX_TOOL):
        put(out, start + SEAT_AT.one_use + value, np.int64(game["one_use"][seat, value]), _ONE)
    points = np.int64(0)
    for column in range(3):
        points += np.int64(game["points"][seat, column])
    put(out, start + SEAT_AT.free_cards, np.int64(game["free_cards"][seat]), _ONE)
    put(out, start + SEAT_AT.buildings, np.int64(game["buildings"][seat]), _SEVENTH)
    put(out, start + SEAT_AT.cards, np.int64(game["cards"][seat]), _TENTH)
    put_above(out, start + SEAT_AT.points, points, LEAST_POINTS, _FIFTIETH)
    for place in range(s.NUM_PLACES):
        put(out, start + SEAT_AT.placed + place, np.int64(game["placed"][seat, place]), _TENTH)


@kernel
def _write_absent(players, blocks, out):
    """Seats that nobody sits at have no points, which is not a byte of 0."""
    for block in range(players, blocks):
        put_above(out, block * SEAT_SIZE + SEAT_AT.points, 0, LEAST_POINTS, _FIFTIETH)


@kernel
def _write_bottoms(game, seat, start, out):
    for symbol in range(8):
        put(out, start + BOTTOM_AT.culture + symbol, np.int64(game["culture"][seat, symbol]), _ONE)
    for person in range(4):
        put(out, start + BOTTOM_AT.figures + person, np.int64(game["figures"][seat, person]), _THIRD)


@kernel
def _write_decision(game, start, out):
    """Phase to payment; of a game that is over the phase, the players and the round alone."""
    phase = np.int64(game["phase"])
    put(out, start + TABLE_AT.phase + phase, 1, _ONE)
    put(out, start + TABLE_AT.players + np.int64(game["num_players"]) - s.MIN_PLAYERS, 1, _ONE)
    put(out, start + TABLE_AT.round, np.int64(game["round"]), _TWENTIETH)
    if game["over"]:
        return
    place = np.int64(game["place"])
    if place and place < s.NUM_PLACES:
        put(out, start + TABLE_AT.place + place, 1, _ONE)
    if game["total"]:
        put(out, start + TABLE_AT.gather + np.int64(game["gather"]), 1, _ONE)
        put(out, start + TABLE_AT.total, np.int64(game["total"]), _TWENTIETH)
    if phase == s.LOTTERY:
        for face in range(6):
            put(out, start + TABLE_AT.dice + face, np.int64(game["dice"][face]), _ONE)
    put(out, start + TABLE_AT.pay_left, np.int64(game["pay_left"]), _TENTH)
    if phase == s.PAY:
        kinds = np.int64(game["pay_kinds"])
        if kinds != s.ANY_KINDS:
            put(out, start + TABLE_AT.pay_kinds, kinds, _QUARTER)
        put(out, start + TABLE_AT.pay_kind + np.int64(game["pay_kind"]), 1, _ONE)


@kernel
def _write_table(game, tables, start, out):
    _write_decision(game, start, out)
    put(out, start + TABLE_AT.deck, s.CARDS - np.int64(game["deck_next"]), _DECK)
    for spot in range(s.SPOTS):
        card = np.int64(game["open"][spot])
        row = card if card != s.NO_CARD else np.int64(s.CARDS)
        place = start + TABLE_AT.card_0 + spot * CARD_FEATURES
        for feature in range(CARD_FEATURES):
            put_scaled(out, place + feature, tables["card_features"][row, feature], _CARD_SCALES[feature])
    for pile in range(s.PILES):
        left = np.int64(game["pile_left"][pile])
        row = np.int64(game["piles"][pile, left - 1]) - 1 if left else np.int64(s.TILE_KINDS)
        place = start + TABLE_AT.pile_0 + pile * (TILE_FEATURES + 1)
        put(out, place, left, _SEVENTH)
        for feature in range(TILE_FEATURES):
            put_scaled(out, place + 1 + feature, tables["tile_features"][row, feature], _TILE_SCALES[feature])
        hidden = left - 1
        if pile >= np.int64(game["num_players"]):
            hidden = np.int64(s.PILE)
        for position in range(hidden):
            add(out, start + TABLE_AT.unseen_tiles + np.int64(game["piles"][pile, position]) - 1, 1, _HALF)


@kernel
def observe(game, tables, seat, out):
    """Write what the seat may see into ``out`` (float32 or uint8, zeros).

    Length ``LAYOUT.size``, or more by ``MEMORY_LAYOUT.size`` to have the memory behind it, or less by the blocks of
    seats that nobody sits at.
    """
    players = np.int64(game["num_players"])
    blocks = _blocks(out.shape[0])
    for block in range(players):
        _write_seat(game, (seat + block) % players, block * SEAT_SIZE, out)
    _write_absent(players, blocks, out)
    rest = out[blocks * SEAT_SIZE :]
    _write_bottoms(game, seat, 0, rest)
    _write_table(game, tables, TABLE_BEHIND, rest)
    if rest.shape[0] > MEMORY_AT:
        memory(game, tables, seat, rest[MEMORY_AT:])


@kernel
def _blocks(size):
    """How many seats have a block in an observation of `size` elements."""
    return s.MAX_SEATS - lacking(size, BASE_SIZE, MEMORY_SIZE, SEAT_SIZE) // SEAT_SIZE


@kernel
def observe_seats(game, tables, seats, out):
    """The observations of several seats (bits), in their order, into the rows of ``out`` (zeros, [k, F]).

    Seats and table look the same to all: they are written once and copied into the other rows.
    """
    players = np.int64(game["num_players"])
    blocks = _blocks(out.shape[1])
    first = np.int64(-1)
    row = 0
    for seat in range(players):
        if not (seats >> seat) & 1:
            continue
        target = out[row]
        row += 1
        if first < 0:
            first = np.int64(seat)
            observe(game, tables, seat, target)
            continue
        for block in range(players):
            place = block * SEAT_SIZE
            shown = (seat + block - first) % players * SEAT_SIZE
            for index in range(SEAT_SIZE):
                target[place + index] = out[0, shown + index]
        _write_absent(players, blocks, target)
        rest, shown_first = target[blocks * SEAT_SIZE :], out[0, blocks * SEAT_SIZE :]
        _write_bottoms(game, seat, 0, rest)
        for index in range(TABLE_BEHIND, MEMORY_AT):
            rest[index] = shown_first[index]
        if rest.shape[0] > MEMORY_AT:
            memory(game, tables, seat, rest[MEMORY_AT:])


@kernel
def reveal(game, tables, out):
    """Write the whole table, hidden cards and tiles too, into ``out`` (float32[STATE_LAYOUT.size], zeros)."""
    players = np.int64(game["num_players"])
    for seat in range(players):
        _write_seat(game, seat, seat * SEAT_SIZE, out)
        _write_bottoms(game, seat, STATE_BOTTOM_START + seat * BOTTOM_SIZE, out)
    _write_table(game, tables, STATE_TABLE_START, out)
    for position in range(np.int64(game["deck_next"]), s.CARDS):
        put(out, DECK_CARDS + np.int64(game["deck"][position]), 1, _ONE)
    for pile in range(players):
        for position in range(np.int64(game["pile_left"][pile]) - 1):
            add(out, BURIED_TILES + np.int64(game["piles"][pile, position]) - 1, 1, _HALF)
