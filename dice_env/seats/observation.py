"""What a seat sees, as a vector of float32 with named fields, the same for 2 to 7 players.

Blocks: the seat itself (``me``), its left and right neighbour (with two players both are the opponent), the others
clockwise from the left neighbour's left; then the dice, the turn, and what the seat has to resolve. The own block is
the position now, those of the others are the position at the start of the turn: what they do in it stays unknown until
it ends, even whether they have something left to decide.

Writing is fast because it trusts what stands in ``out``: zeros, or what an earlier call wrote there. Blocks of absent
seats are touched only where something is to be cleared.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.game.layout import Part, for_each, size_of
from antiquity.kernels import kernel
from dice_env.rules.legality import die_cost
from dice_env.rules.scoring import spaces_total
from dice_env.state import (
    ARGUMENT,
    BOARDS,
    BUILDING_MASK,
    BUILDINGS,
    COLOURS,
    CROSS,
    DICE,
    FACES,
    ITEM_KINDS,
    KIND_MASK,
    MAX_SEATS,
    MIN_PLAYERS,
    NUM_BONUSES,
    NUM_DICE,
    PICK,
    QUADRANTS,
    REMAINING,
    SPACES,
    SPECIALS,
)

from .knowledge import BLOCKS, MEMORY_FIELDS, block_of_seat, memory, seat_of_block

_SEAT_FIELDS: Final[tuple[Part, ...]] = (
    ("present", 1, 0, 1, 1, "1 where somebody sits"),
    ("coins", 1, 0, 6_553.5, 10, "coins"),
    ("points", 1, 0, 400, 50, "points so far, as if the game ended"),
    ("resources", 1, 0, 1, 6, "warehouse spaces crossed"),
    ("attack", 2, 0, 10, 20, "points written down for attacks: west, east"),
    ("bonuses", NUM_BONUSES, 0, 1, 1, "1 for each bonus crossed"),
    ("discount", 1, 0, 127.5, 2, "coins off every die"),
    ("free", len(COLOURS), 0, 1, 1, f"1 where dice cost nothing: {', '.join(COLOURS)}"),
    ("income", len(COLOURS), 0, 63.75, 4, f"coins for choosing a die: {', '.join(COLOURS)}"),
    ("unlocked", len(SPECIALS), 0, 1, 1, f"1 for each special die that may be chosen: {', '.join(SPECIALS)}"),
    ("agora_first", 1, 0, 1, 1, "1 when the agora was filled first"),
    ("guild", 1, 0, 1, 1, "1 when the comparison of the purple face holds in this turn"),
    ("board", BOARDS, 0, 1, 1, "one-hot: board, in the order of data/boards.toml"),
    ("crossed", SPACES, 0, 1, 1, "1 for each space crossed, by slot (dice_env.state.GROUPS)"),
)
SEAT_SIZE: Final = size_of(_SEAT_FIELDS)

_DIE_FIELDS: Final[tuple[Part, ...]] = (
    ("present", 1, 0, 1, 1, "1 when the die lies in the forum"),
    ("face", FACES, 0, 1, 1, "one-hot: face, in the order of data/dice.toml"),
    ("quadrant", QUADRANTS, 0, 1, 1, "one-hot: quadrant of the forum"),
)
DIE_SIZE: Final = size_of(_DIE_FIELDS)
_TURN_FIELDS: Final[tuple[Part, ...]] = (
    ("turn", 1, 0, 20, 50, "number of the turn, from 0"),
    ("turns_left", 1, 0, 20, 50, "turns until max_turns truncates the game, this one not counted"),
    ("last_turn", 1, 0, 1, 1, "1 in the last turn"),
    ("agora_open", 1, 0, 1, 1, "1 while nobody has filled the agora"),
    ("players", MAX_SEATS - MIN_PLAYERS + 1, 0, 1, 1, "one-hot: 2 to 7 players"),
)
TURN_SIZE: Final = size_of(_TURN_FIELDS)
_PENDING_FIELDS: Final[tuple[Part, ...]] = (
    ("pending", len(ITEM_KINDS), 0, 1, 1, f"one-hot: what is to be decided: {', '.join(ITEM_KINDS)}"),
    ("pending_die", NUM_DICE, 0, 1, 1, "one-hot: the die whose space is to be picked"),
    ("pending_buildings", len(BUILDINGS), 0, 1, 1, f"buildings that may be crossed: {', '.join(BUILDINGS)}"),
    ("pending_more", 1, 0, 1, 2, "spaces of them that may still be crossed"),
    ("pending_later", len(ITEM_KINDS), 0, 4, 4, f"how much lies beneath it: {', '.join(ITEM_KINDS)}"),
)
PENDING_SIZE: Final = size_of(_PENDING_FIELDS)

_SEATS: Final = tuple(f"seat_{seat}" for seat in range(MAX_SEATS))
LAYOUT: Final = Layout.build(
    *for_each(BLOCKS, _SEAT_FIELDS),
    *for_each(DICE, _DIE_FIELDS),
    *_TURN_FIELDS,
    (
        "die_cost",
        NUM_DICE,
        0,
        5,
        3,
        "coins that choosing each die costs the seat, 0 for dice outside the forum",
    ),
    *_PENDING_FIELDS,
)
MEMORY_LAYOUT: Final = Layout.build(*MEMORY_FIELDS)
STATE_LAYOUT: Final = Layout.build(
    *for_each(_SEATS, _SEAT_FIELDS),
    *for_each(DICE, _DIE_FIELDS),
    *_TURN_FIELDS,
    *for_each(_SEATS, _PENDING_FIELDS),
)

DICE_START: Final = MAX_SEATS * SEAT_SIZE
TURN_START: Final = DICE_START + NUM_DICE * DIE_SIZE
COST_START: Final = TURN_START + TURN_SIZE
PENDING_START: Final = COST_START + NUM_DICE
STATE_PENDING_START: Final = COST_START
BASE_SIZE: Final = LAYOUT.size

_ZERO: Final = np.float32(0)
_UNIT: Final = np.float32(1)
_BIT: Final = np.uint64(1)
_HALF: Final = np.float32(0.5)
_THIRD: Final = np.float32(1 / 3)
_QUARTER: Final = np.float32(0.25)
_SIXTH: Final = np.float32(1 / 6)
_TENTH: Final = np.float32(0.1)
_TWENTIETH: Final = np.float32(0.05)
_FIFTIETH: Final = np.float32(0.02)
_NUM_KINDS: Final = len(ITEM_KINDS)
_NUM_COLOURS: Final = len(COLOURS)
_NUM_SPECIALS: Final = len(SPECIALS)
_NUM_BUILDINGS: Final = len(BUILDINGS)


@kernel
def _write_bits(bits, count, start, out):
    """Spread the lowest ``count`` bits of a number over ``out``, as 0 and 1."""
    for bit in range(count):
        out[start + bit] = np.float32((bits >> bit) & 1)


@kernel
def _write_seat(game, tables, seat, now, start, out):
    """The position of a seat, now or at the start of the turn."""
    board = np.int64(game["board"][seat])
    crossed = game["start_crossed"][seat]
    coins = np.int64(game["start_coins"][seat])
    resources = np.int64(game["start_resources"][seat])
    west = np.int64(game["start_attack"][seat, 0])
    east = np.int64(game["start_attack"][seat, 1])
    bonuses = np.int64(game["start_bonuses"][seat])
    discount = np.int64(game["start_discount"][seat])
    free = np.int64(game["start_free"][seat])
    unlocked = np.int64(game["start_unlocked"][seat])
    if now:
        crossed = game["crossed"][seat]
        coins = np.int64(game["coins"][seat])
        resources = np.int64(game["resources"][seat])
        west = np.int64(game["attack"][seat, 0])
        east = np.int64(game["attack"][seat, 1])
        bonuses = np.int64(game["bonuses"][seat])
        discount = np.int64(game["discount"][seat])
        free = np.int64(game["free"][seat])
        unlocked = np.int64(game["unlocked"][seat])
    first = (np.int64(game["agora_first"]) >> seat) & 1
    points = spaces_total(tables, board, crossed) + west + east
    if first:
        points += np.int64(tables["first_agora_vp"])
    out[start] = _UNIT
    out[start + 1] = np.float32(coins) * _TENTH
    out[start + 2] = np.float32(points) * _FIFTIETH
    out[start + 3] = np.float32(resources) * _SIXTH
    out[start + 4] = np.float32(west) * _TWENTIETH
    out[start + 5] = np.float32(east) * _TWENTIETH
    start += 6
    _write_bits(bonuses, NUM_BONUSES, start, out)
    start += NUM_BONUSES
    out[start] = np.float32(discount) * _HALF
    start += 1
    _write_bits(free, _NUM_COLOURS, start, out)
    start += _NUM_COLOURS
    for colour in range(_NUM_COLOURS):
        income = np.int64(game["start_income"][seat, colour])
        if now:
            income = np.int64(game["income"][seat, colour])
        out[start + colour] = np.float32(income) * _QUARTER
    start += _NUM_COLOURS
    _write_bits(unlocked, _NUM_SPECIALS, start, out)
    start += _NUM_SPECIALS
    out[start] = np.float32(first)
    out[start + 1] = np.float32((np.int64(game["guild"]) >> seat) & 1)
    start += 2
    for index in range(BOARDS):
        out[start + index] = _ZERO
    out[start + board] = _UNIT
    start += BOARDS
    for space in range(SPACES):
        out[start + space] = np.float32(np.int64((crossed >> np.uint64(space)) & _BIT))


@kernel
def _clear_seat(start, out):
    if out[start] != _ZERO:
        for index in range(SEAT_SIZE):
            out[start + index] = _ZERO


@kernel
def _write_table(game, out):
    forum = np.int64(game["forum"])
    for index in range(DICE_START, COST_START):
        out[index] = _ZERO
    for die in range(NUM_DICE):
        if (forum >> die) & 1:
            start = DICE_START + die * DIE_SIZE
            out[start] = _UNIT
            out[start + 1 + np.int64(game["face"][die])] = _UNIT
            out[start + 1 + FACES + np.int64(game["quadrant"][die])] = _UNIT
    turn = np.int64(game["turn"])
    out[TURN_START] = np.float32(turn) * _FIFTIETH
    out[TURN_START + 1] = np.float32(np.int64(game["max_turns"]) - 1 - turn) * _FIFTIETH
    out[TURN_START + 2] = np.float32(np.int64(game["last_turn"]))
    out[TURN_START + 3] = _UNIT if game["agora_first"] == 0 else _ZERO
    out[TURN_START + 4 + np.int64(game["num_players"]) - MIN_PLAYERS] = _UNIT


@kernel
def _write_pending(game, seat, start, out):
    """What a seat has to resolve; zeros when nothing."""
    for index in range(PENDING_SIZE):
        out[start + index] = _ZERO
    depth = np.int64(game["depth"][seat])
    if depth == 0:
        return
    item = np.int64(game["stack"][seat, depth - 1])
    kind = item & KIND_MASK
    out[start + kind - 1] = _UNIT
    start += _NUM_KINDS
    if kind == PICK:
        out[start + (item >> ARGUMENT)] = _UNIT
    start += NUM_DICE
    if kind == CROSS:
        _write_bits((item >> ARGUMENT) & BUILDING_MASK, _NUM_BUILDINGS, start, out)
        out[start + _NUM_BUILDINGS] = np.float32(item >> REMAINING) * _HALF
    start += _NUM_BUILDINGS + 1
    for place in range(depth - 1):
        out[start + (np.int64(game["stack"][seat, place]) & KIND_MASK) - 1] += _QUARTER


@kernel
def _write_own(game, tables, seat, out):
    """What depends on who looks, the blocks of the seats apart."""
    forum = np.int64(game["forum"])
    for die in range(NUM_DICE):
        cost = np.int64(0)
        if (forum >> die) & 1:
            cost = die_cost(game, tables, seat, die)
        out[COST_START + die] = np.float32(cost) * _THIRD
    _write_pending(game, seat, PENDING_START, out)
    if out.shape[0] > BASE_SIZE:
        memory(game, seat, BASE_SIZE, out)


@kernel
def _copy(source, target):
    for index in range(source.shape[0]):
        target[index] = source[index]


@kernel
def observe(game, tables, seat, out):
    """Write what the seat may see into ``out`` (float32, zeros or an earlier observation).

    Length ``LAYOUT.size``, or more by ``MEMORY_LAYOUT.size`` to have the memory behind it.
    """
    players = np.int64(game["num_players"])
    _write_seat(game, tables, seat, True, 0, out)
    for block in range(1, MAX_SEATS):
        if block < players:
            _write_seat(game, tables, seat_of_block(block, seat, players), False, block * SEAT_SIZE, out)
        elif block == 2:
            # With two players the opponent is shown as left and as right neighbour.
            _copy(out[SEAT_SIZE : 2 * SEAT_SIZE], out[2 * SEAT_SIZE : 3 * SEAT_SIZE])
        else:
            _clear_seat(block * SEAT_SIZE, out)
    _write_table(game, out)
    _write_own(game, tables, seat, out)


@kernel
def observe_seats(game, tables, seats, out):
    """The observations of several seats (a bit each) into the rows of ``out`` (float32[k, F]), in order of seats.

    Others show the start of the turn, the same to all who look at them: written once, then copied to the other rows.
    """
    players = np.int64(game["num_players"])
    first = np.int64(-1)
    second = np.int64(-1)
    row = 0
    for seat in range(players):
        if not (seats >> seat) & 1:
            continue
        if first < 0:
            first = np.int64(seat)
            observe(game, tables, seat, out[0])
            row = 1
            continue
        target = out[row]
        _write_seat(game, tables, seat, True, 0, target)
        for block in range(1, MAX_SEATS):
            place = block * SEAT_SIZE
            if block >= max(players, 3):
                _clear_seat(place, target)
                continue
            other = seat_of_block(block, seat, players)
            if other != first:
                source = out[0]
                shown = block_of_seat(other, first, players) * SEAT_SIZE
            elif row > 1:
                # The first seat's own row shows it as it is now; the second row has it as others see it.
                source = out[1]
                shown = block_of_seat(first, second, players) * SEAT_SIZE
            else:
                _write_seat(game, tables, other, False, place, target)
                continue
            _copy(source[shown : shown + SEAT_SIZE], target[place : place + SEAT_SIZE])
        if row == 1:
            second = np.int64(seat)
        _copy(out[0, DICE_START:COST_START], target[DICE_START:COST_START])
        _write_own(game, tables, seat, target)
        row += 1


@kernel
def reveal(game, tables, out):
    """Write the whole table as it is now into ``out`` (float32[STATE_LAYOUT.size])."""
    players = np.int64(game["num_players"])
    for seat in range(MAX_SEATS):
        if seat < players:
            _write_seat(game, tables, seat, True, seat * SEAT_SIZE, out)
        else:
            _clear_seat(seat * SEAT_SIZE, out)
        _write_pending(game, seat, STATE_PENDING_START + seat * PENDING_SIZE, out)
    _write_table(game, out)
