"""What a seat sees, as a vector of float32 with named fields, the same for 2 to 4 players.

Blocks: the seat itself (``me``), then the others clockwise (``left``, ``left_2``, ``left_3``); the lower halves of
the own cards; the table (phase, roll, dice, payment, open cards, piles). Of the cards that others bought their
number is shown; what the lower halves of those were is for a memory (``memory=True``), what an opponent's extra
card is nobody but its owner knows.

Writing is fast because it trusts what stands in ``out``: zeros, or what an earlier call wrote there. Blocks of
absent seats are touched only where something is to be cleared.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.game.layout import Part, for_each, size_of
from antiquity.kernels import kernel
from stone_age_env.data.checks import MOST
from stone_age_env.data.tables import CARD_FEATURES, TILE_FEATURES
from stone_age_env.options import MOST_ROUNDS
from stone_age_env.state import (
    ANY_KINDS,
    CARDS,
    GOODS,
    LOTTERY,
    MAX_SEATS,
    MAX_TOOL,
    MIN_PLAYERS,
    NO_CARD,
    NUM_PLACES,
    PAY,
    PERSONS,
    PHASES,
    PILES,
    PLACES,
    RESOURCES,
    SPOTS,
    SYMBOLS,
    TILE_KINDS,
    TILES,
    TOOL_SLOTS,
)

from .knowledge import MEMORY_FIELDS, memory

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
    ("resources", 4, 0, 65_535 / 10, 10, f"resources: {', '.join(RESOURCES)}"),
    ("agriculture", 1, 0, 2, 10, "food marker"),
    ("tools", TOOL_SLOTS, 0, 1, MAX_TOOL, "values of the normal tools, left to right"),
    ("unused_tools", TOOL_SLOTS, 0, 1, MAX_TOOL, "those not used in this round, the others 0"),
    ("one_use", MAX_TOOL, 0, CARDS, 1, "one-use tools of value 1 to 4 that are still face up"),
    ("free_cards", 1, 0, CARDS, 1, "cards of two free resources that are still face up"),
    ("buildings", 1, 0, TILES / 7, 7, "tiles built"),
    ("cards", 1, 0, CARDS / 10, 10, "cards bought, extra cards included"),
    ("points", 1, -32_768 / 50, 32_767 / 50, 50, "points scored so far, before the lower halves are counted"),
    ("placed", NUM_PLACES, 0, 1, 10, f"people at each place: {', '.join(PLACES)}"),
)
SEAT_SIZE: Final = size_of(_SEAT_FIELDS)
PLACED: Final = SEAT_SIZE - NUM_PLACES
BLOCKS: Final = ("me", "left", "left_2", "left_3")
_BOTTOM_FIELDS: Final[tuple[Part, ...]] = (
    ("culture", 8, 0, CARDS, 1, f"culture symbols of the cards: {', '.join(SYMBOLS)}"),
    ("figures", 4, 0, 60, 3, f"figures on the cards: {', '.join(PERSONS)}"),
)
BOTTOM_SIZE: Final = 12

_TABLE_FIELDS: Final[tuple[Part, ...]] = (
    ("phase", len(PHASES), 0, 1, 1, f"one-hot: {', '.join(PHASES)}"),
    ("players", 3, 0, 1, 1, "one-hot: 2, 3, 4 players"),
    ("round", 1, 0, (MOST_ROUNDS - 1) / 20, 20, "rounds played"),
    ("place", NUM_PLACES, 0, 1, 1, "one-hot: the place that is being resolved, in tools, lottery and pay"),
    ("gather", len(GOODS), 0, 1, 1, f"one-hot, in tools: what the roll brings, {', '.join(GOODS)}"),
    ("total", 1, 0, 65_535 / 20, 20, "in tools: dice and tools added so far"),
    ("dice", 6, 0, MAX_SEATS, 1, "in lottery: dice of each face still to be taken"),
    ("pay_left", 1, 0, 1, 10, "in feed and pay: resources still to be paid"),
    ("pay_kinds", 1, 0, 1, 4, "in pay: exactly so many kinds must still be used, 0 = any"),
    ("pay_kind", 3, 0, 1, 1, "one-hot, in pay: the number of wood, clay, stone is chosen"),
    ("deck", 1, 0, 1, CARDS, "cards in the deck"),
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
        )
        for spot in range(SPOTS)
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
        )
        for pile in range(PILES)
    ),
    ("unseen_tiles", TILE_KINDS, 0, TILES / 2, 2, "tiles of each kind that have not been seen"),
)
TABLE_SIZE: Final = size_of(_TABLE_FIELDS)

_SEATS: Final = tuple(f"seat_{seat}" for seat in range(MAX_SEATS))
LAYOUT: Final = Layout.build(
    *for_each(BLOCKS, _SEAT_FIELDS),
    *for_each(["me"], _BOTTOM_FIELDS),
    *_TABLE_FIELDS,
)
MEMORY_LAYOUT: Final = Layout.build(*MEMORY_FIELDS)
STATE_LAYOUT: Final = Layout.build(
    *for_each(_SEATS, _SEAT_FIELDS),
    *for_each(_SEATS, _BOTTOM_FIELDS),
    *_TABLE_FIELDS,
    ("deck_cards", CARDS, 0, 1, 1, "1 for each card in the deck"),
    ("buried_tiles", TILE_KINDS, 0, TILES / 2, 2, "tiles of each kind under the tops of the piles in play"),
)

BOTTOM_START: Final = MAX_SEATS * SEAT_SIZE
BASE_SIZE: Final = LAYOUT.size

_ZERO: Final = np.float32(0)
_ONE: Final = np.float32(1)
_HALF: Final = np.float32(0.5)
_THIRD: Final = np.float32(1 / 3)
_QUARTER: Final = np.float32(0.25)
_SEVENTH: Final = np.float32(1 / 7)
_TENTH: Final = np.float32(0.1)
_TWENTIETH: Final = np.float32(0.05)
_FIFTIETH: Final = np.float32(0.02)
_DECK: Final = np.float32(1 / CARDS)


@kernel
def _write_seat(game, seat, start, out):
    out[start] = _ONE
    out[start + 1] = np.float32((np.int64(game["deciders"]) >> seat) & 1)
    out[start + 2] = _ONE if game["active"] == seat and not game["over"] else _ZERO
    out[start + 3] = _ONE if game["start"] == seat else _ZERO
    out[start + 4] = np.float32(np.int64(game["people"][seat])) * _TENTH
    out[start + 5] = np.float32(np.int64(game["in_hand"][seat])) * _TENTH
    out[start + 6] = np.float32(np.int64(game["food"][seat])) * _TWENTIETH
    start += 7
    for resource in range(4):
        out[start + resource] = np.float32(np.int64(game["resources"][seat, resource])) * _TENTH
    out[start + 4] = np.float32(np.int64(game["agriculture"][seat])) * _TENTH
    start += 5
    for slot in range(TOOL_SLOTS):
        value = np.float32(np.int64(game["tools"][seat, slot])) * _QUARTER
        out[start + slot] = value
        out[start + TOOL_SLOTS + slot] = _ZERO if game["used"][seat, slot] else value
    start += 2 * TOOL_SLOTS
    for value in range(MAX_TOOL):
        out[start + value] = np.float32(np.int64(game["one_use"][seat, value]))
    start += MAX_TOOL
    points = np.int64(0)
    for column in range(3):
        points += np.int64(game["points"][seat, column])
    out[start] = np.float32(np.int64(game["free_cards"][seat]))
    out[start + 1] = np.float32(np.int64(game["buildings"][seat])) * _SEVENTH
    out[start + 2] = np.float32(np.int64(game["cards"][seat])) * _TENTH
    out[start + 3] = np.float32(points) * _FIFTIETH
    start += 4
    for place in range(NUM_PLACES):
        out[start + place] = np.float32(np.int64(game["placed"][seat, place])) * _TENTH


@kernel
def _clear_seat(start, out):
    if out[start] != _ZERO:
        for index in range(SEAT_SIZE):
            out[start + index] = _ZERO


@kernel
def _write_bottoms(game, seat, start, out):
    for symbol in range(8):
        out[start + symbol] = np.float32(np.int64(game["culture"][seat, symbol]))
    for person in range(4):
        out[start + 8 + person] = np.float32(np.int64(game["figures"][seat, person])) * _THIRD


@kernel
def _write_decision(game, start, out):
    """Phase to payment; returns where the next field begins."""
    fields = len(PHASES) + 3 + 1 + NUM_PLACES + len(GOODS) + 1 + 6 + 1 + 1 + 3
    for index in range(fields):
        out[start + index] = _ZERO
    phase = np.int64(game["phase"])
    out[start + phase] = _ONE
    start += len(PHASES)
    out[start + np.int64(game["num_players"]) - MIN_PLAYERS] = _ONE
    out[start + 3] = np.float32(np.int64(game["round"])) * _TWENTIETH
    start += 4
    if game["over"]:
        return start + fields - len(PHASES) - 4
    place = np.int64(game["place"])
    if place and place < NUM_PLACES:
        out[start + place] = _ONE
    start += NUM_PLACES
    if game["total"]:
        out[start + np.int64(game["gather"])] = _ONE
        out[start + len(GOODS)] = np.float32(np.int64(game["total"])) * _TWENTIETH
    start += len(GOODS) + 1
    if phase == LOTTERY:
        for face in range(6):
            out[start + face] = np.float32(np.int64(game["dice"][face]))
    start += 6
    out[start] = np.float32(np.int64(game["pay_left"])) * _TENTH
    if phase == PAY:
        kinds = np.int64(game["pay_kinds"])
        if kinds != ANY_KINDS:
            out[start + 1] = np.float32(kinds) * _QUARTER
        out[start + 2 + np.int64(game["pay_kind"])] = _ONE
    return start + 5


@kernel
def _write_table(game, tables, start, out):
    start = _write_decision(game, start, out)
    out[start] = np.float32(CARDS - np.int64(game["deck_next"])) * _DECK
    start += 1
    for spot in range(SPOTS):
        card = np.int64(game["open"][spot])
        row = card if card != NO_CARD else np.int64(CARDS)
        for feature in range(CARD_FEATURES):
            out[start + feature] = tables["card_features"][row, feature]
        start += CARD_FEATURES
    unseen = start + PILES * (TILE_FEATURES + 1)
    for kind in range(TILE_KINDS):
        out[unseen + kind] = _ZERO
    for pile in range(PILES):
        left = np.int64(game["pile_left"][pile])
        out[start] = np.float32(left) * _SEVENTH
        row = np.int64(game["piles"][pile, left - 1]) - 1 if left else np.int64(TILE_KINDS)
        for feature in range(TILE_FEATURES):
            out[start + 1 + feature] = tables["tile_features"][row, feature]
        start += TILE_FEATURES + 1
        hidden = left - 1
        if pile >= np.int64(game["num_players"]):
            hidden = np.int64(game["piles"].shape[1])
        for position in range(hidden):
            out[unseen + np.int64(game["piles"][pile, position]) - 1] += _HALF


@kernel
def observe(game, tables, seat, out):
    """Write what the seat may see into ``out`` (float32, zeros or an earlier observation).

    Length ``LAYOUT.size``, or more by ``MEMORY_LAYOUT.size`` to have the memory behind it.
    """
    players = np.int64(game["num_players"])
    for block in range(MAX_SEATS):
        if block < players:
            _write_seat(game, (seat + block) % players, block * SEAT_SIZE, out)
        else:
            _clear_seat(block * SEAT_SIZE, out)
    _write_bottoms(game, seat, BOTTOM_START, out)
    _write_table(game, tables, BOTTOM_START + BOTTOM_SIZE, out)
    if out.shape[0] > BASE_SIZE:
        memory(game, tables, seat, out[BASE_SIZE:])


@kernel
def observe_seats(game, tables, seats, out):
    """The observations of several seats (a bit each) into the rows of ``out`` (float32[k, F]), in order of seats.

    Seats and table look the same to all: they are written once and copied into the other rows.
    """
    players = np.int64(game["num_players"])
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
        for block in range(MAX_SEATS):
            place = block * SEAT_SIZE
            if block < players:
                shown = (seat + block - first) % players * SEAT_SIZE
                for index in range(SEAT_SIZE):
                    target[place + index] = out[0, shown + index]
            else:
                _clear_seat(place, target)
        _write_bottoms(game, seat, BOTTOM_START, target)
        for index in range(BOTTOM_START + BOTTOM_SIZE, BASE_SIZE):
            target[index] = out[0, index]
        if target.shape[0] > BASE_SIZE:
            memory(game, tables, seat, target[BASE_SIZE:])


@kernel
def reveal(game, tables, out):
    """Write the whole table, hidden cards and tiles too, into ``out`` (float32[STATE_LAYOUT.size])."""
    players = np.int64(game["num_players"])
    for seat in range(MAX_SEATS):
        bottoms = BOTTOM_START + seat * BOTTOM_SIZE
        if seat < players:
            _write_seat(game, seat, seat * SEAT_SIZE, out)
            _write_bottoms(game, seat, bottoms, out)
        else:
            for index in range(SEAT_SIZE):
                out[seat * SEAT_SIZE + index] = _ZERO
            for index in range(BOTTOM_SIZE):
                out[bottoms + index] = _ZERO
    start = BOTTOM_START + MAX_SEATS * BOTTOM_SIZE
    _write_table(game, tables, start, out)
    start += TABLE_SIZE
    for card in range(CARDS + TILE_KINDS):
        out[start + card] = _ZERO
    for position in range(np.int64(game["deck_next"]), CARDS):
        out[start + np.int64(game["deck"][position])] = _ONE
    start += CARDS
    for pile in range(players):
        for position in range(np.int64(game["pile_left"][pile]) - 1):
            out[start + np.int64(game["piles"][pile, position]) - 1] += _HALF
