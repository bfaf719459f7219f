"""What a seat sees, as a vector of float32 or uint8 with named fields, the same for 2 to 7 players.

Blocks: the seat itself (``me``), its left and right neighbour (with two players both are the opponent), the others
clockwise from the left neighbour's left; then the dice, the turn, and what the seat has to resolve. The own block is
the position now, those of the others are the position at the start of the turn: what they do in it stays unknown until
it ends, even whether they have something left to decide.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import Layout
from antiquity.game.entities import entities_of
from antiquity.game.layout import Part, for_each
from antiquity.kernels import add, kernel, lacking, put
from dice_env import state as s
from dice_env.rules.legality import die_cost
from dice_env.rules.scoring import spaces_total

from .memory import BLOCKS, MEMORY_LAYOUT, block_of_seat, memory, seat_of_block

_SEAT_FIELDS: Final[tuple[Part, ...]] = (
    ("present", 1, 0, 1, 1, "1 where somebody sits"),
    ("coins", 1, 0, 6_553.5, 10, "coins"),
    ("points", 1, 0, 400, 50, "points so far, as if the game ended"),
    ("resources", 1, 0, 1, 6, "warehouse spaces crossed"),
    ("attack", 2, 0, 10, 20, "points written down for attacks: west, east"),
    ("bonuses", s.NUM_BONUSES, 0, 1, 1, "1 for each bonus crossed"),
    ("discount", 1, 0, 127.5, 2, "coins off every die"),
    ("free", s.NUM_COLOURS, 0, 1, 1, f"1 where dice cost nothing: {', '.join(s.COLOURS)}"),
    ("income", s.NUM_COLOURS, 0, 63.75, 4, f"coins for choosing a die: {', '.join(s.COLOURS)}"),
    (
        "unlocked",
        s.NUM_SPECIALS,
        0,
        1,
        1,
        f"1 for each special die that may be chosen: {', '.join(s.SPECIALS)}",
    ),
    ("agora_first", 1, 0, 1, 1, "1 when the agora was filled first"),
    ("guild", 1, 0, 1, 1, "1 when the comparison of the purple face holds in this turn"),
    ("board", s.BOARDS, 0, 1, 1, "one-hot: board, in the order of data/boards.toml"),
    ("crossed", s.SPACES, 0, 1, 1, "1 for each space crossed, by slot (dice_env.state.GROUPS)"),
)

_DIE_FIELDS: Final[tuple[Part, ...]] = (
    ("present", 1, 0, 1, 1, "1 when the die lies in the forum"),
    ("face", s.FACES, 0, 1, 1, "one-hot: face, in the order of data/dice.toml"),
    ("quadrant", s.QUADRANTS, 0, 1, 1, "one-hot: quadrant of the forum"),
)
_TURN_FIELDS: Final[tuple[Part, ...]] = (
    ("turn", 1, 0, 20, 50, "number of the turn, from 0"),
    ("turns_left", 1, 0, 20, 50, "turns until max_turns truncates the game, this one not counted"),
    ("last_turn", 1, 0, 1, 1, "1 in the last turn"),
    ("agora_open", 1, 0, 1, 1, "1 while nobody has filled the agora"),
    ("players", s.MAX_SEATS - s.MIN_PLAYERS + 1, 0, 1, 1, "one-hot: 2 to 7 players"),
)
_PENDING_FIELDS: Final[tuple[Part, ...]] = (
    ("pending", s.NUM_KINDS, 0, 1, 1, f"one-hot: what is to be decided: {', '.join(s.ITEM_KINDS)}"),
    ("pending_die", s.NUM_DICE, 0, 1, 1, "one-hot: the die whose space is to be picked"),
    (
        "pending_buildings",
        s.NUM_BUILDINGS,
        0,
        1,
        1,
        f"buildings that may be crossed: {', '.join(s.BUILDINGS)}",
    ),
    ("pending_more", 1, 0, 1, 2, "spaces of them that may still be crossed"),
    ("pending_later", s.NUM_KINDS, 0, 4, 4, f"how much lies beneath it: {', '.join(s.ITEM_KINDS)}"),
)

_SEATS: Final = tuple(f"seat_{seat}" for seat in range(s.MAX_SEATS))
LAYOUT: Final = Layout.build(
    *for_each(BLOCKS, _SEAT_FIELDS),
    *for_each(s.DICE, _DIE_FIELDS),
    *_TURN_FIELDS,
    (
        "die_cost",
        s.NUM_DICE,
        0,
        5,
        3,
        "coins that choosing each die costs the seat, 0 for dice outside the forum",
    ),
    *_PENDING_FIELDS,
)
STATE_LAYOUT: Final = Layout.build(
    *for_each(_SEATS, _SEAT_FIELDS),
    *for_each(s.DICE, _DIE_FIELDS),
    *_TURN_FIELDS,
    *for_each(_SEATS, _PENDING_FIELDS),
)

ENTITIES: Final = (
    *entities_of("seat", BLOCKS, _SEAT_FIELDS, players=(1, 2, 2, *range(4, s.MAX_SEATS + 1))),
    *entities_of("die", s.DICE, _DIE_FIELDS),
)
"""For structured observations: seats, dice, and the table with what is to be resolved."""

_SEAT: Final = Layout.build(*_SEAT_FIELDS)
_DIE: Final = Layout.build(*_DIE_FIELDS)
_TURN: Final = Layout.build(*_TURN_FIELDS)
_PENDING: Final = Layout.build(*_PENDING_FIELDS)
# Where fields start in the block of a seat, and so on; then sizes of the blocks, where the dice start, and where the
# others do, counted from there.
_AT: Final = _SEAT.starts
_DIE_AT: Final = _DIE.starts
_TURN_AT: Final = _TURN.starts
_PENDING_AT: Final = _PENDING.starts
SEAT_SIZE: Final = _SEAT.size
_DIE_SIZE: Final = _DIE.size
_PENDING_SIZE: Final = _PENDING.size
_DICE_START: Final = LAYOUT[f"{s.DICE[0]}_present"].start
_TURN_START: Final = LAYOUT["turn"].start - _DICE_START
_COST_START: Final = LAYOUT["die_cost"].start - _DICE_START
_PENDING_START: Final = LAYOUT["pending"].start - _DICE_START
_MEMORY_START: Final = LAYOUT.size - _DICE_START
_STATE_DICE_START: Final = STATE_LAYOUT[f"{s.DICE[0]}_present"].start
_STATE_PENDING_START: Final = STATE_LAYOUT["seat_0_pending"].start
_BASE_SIZE: Final = LAYOUT.size
_MEMORY_SIZE: Final = MEMORY_LAYOUT.size

_ONE: Final = np.float32(1)
_BIT: Final = np.uint64(1)
_HALF: Final = np.float32(0.5)
_THIRD: Final = np.float32(1 / 3)
_QUARTER: Final = np.float32(0.25)
_SIXTH: Final = np.float32(1 / 6)
_TENTH: Final = np.float32(0.1)
_TWENTIETH: Final = np.float32(0.05)
_FIFTIETH: Final = np.float32(0.02)


@kernel
def _write_bits(bits, count, start, out):
    """Spread the lowest ``count`` bits of a number over ``out``, as 0 and 1."""
    for bit in range(count):
        put(out, start + bit, (bits >> bit) & 1, _ONE)


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
    put(out, start + _AT.present, 1, _ONE)
    put(out, start + _AT.coins, coins, _TENTH)
    put(out, start + _AT.points, points, _FIFTIETH)
    put(out, start + _AT.resources, resources, _SIXTH)
    put(out, start + _AT.attack, west, _TWENTIETH)
    put(out, start + _AT.attack + 1, east, _TWENTIETH)
    _write_bits(bonuses, s.NUM_BONUSES, start + _AT.bonuses, out)
    put(out, start + _AT.discount, discount, _HALF)
    _write_bits(free, s.NUM_COLOURS, start + _AT.free, out)
    for colour in range(s.NUM_COLOURS):
        income = np.int64(game["start_income"][seat, colour])
        if now:
            income = np.int64(game["income"][seat, colour])
        put(out, start + _AT.income + colour, income, _QUARTER)
    _write_bits(unlocked, s.NUM_SPECIALS, start + _AT.unlocked, out)
    put(out, start + _AT.agora_first, first, _ONE)
    put(out, start + _AT.guild, (np.int64(game["guild"]) >> seat) & 1, _ONE)
    put(out, start + _AT.board + board, 1, _ONE)
    for space in range(s.SPACES):
        put(out, start + _AT.crossed + space, np.int64((crossed >> np.uint64(space)) & _BIT), _ONE)


@kernel
def _write_table(game, out):
    """The dice in the forum, and the turn; ``out`` begins with them."""
    forum = np.int64(game["forum"])
    for die in range(s.NUM_DICE):
        if (forum >> die) & 1:
            start = die * _DIE_SIZE
            put(out, start + _DIE_AT.present, 1, _ONE)
            put(out, start + _DIE_AT.face + np.int64(game["face"][die]), 1, _ONE)
            put(out, start + _DIE_AT.quadrant + np.int64(game["quadrant"][die]), 1, _ONE)
    turn = np.int64(game["turn"])
    put(out, _TURN_START + _TURN_AT.turn, turn, _FIFTIETH)
    put(out, _TURN_START + _TURN_AT.turns_left, np.int64(game["max_turns"]) - 1 - turn, _FIFTIETH)
    put(out, _TURN_START + _TURN_AT.last_turn, np.int64(game["last_turn"]), _ONE)
    put(out, _TURN_START + _TURN_AT.agora_open, np.int64(game["agora_first"] == 0), _ONE)
    put(out, _TURN_START + _TURN_AT.players + np.int64(game["num_players"]) - s.MIN_PLAYERS, 1, _ONE)


@kernel
def _write_pending(game, seat, start, out):
    """What a seat has to resolve, if anything."""
    depth = np.int64(game["depth"][seat])
    if depth == 0:
        return
    item = np.int64(game["stack"][seat, depth - 1])
    kind = item & s.KIND_MASK
    put(out, start + _PENDING_AT.pending + kind - 1, 1, _ONE)
    if kind == s.PICK:
        put(out, start + _PENDING_AT.pending_die + (item >> s.ARGUMENT), 1, _ONE)
    if kind == s.CROSS:
        buildings = (item >> s.ARGUMENT) & s.BUILDING_MASK
        _write_bits(buildings, s.NUM_BUILDINGS, start + _PENDING_AT.pending_buildings, out)
        put(out, start + _PENDING_AT.pending_more, item >> s.REMAINING, _HALF)
    for place in range(depth - 1):
        beneath = np.int64(game["stack"][seat, place]) & s.KIND_MASK
        add(out, start + _PENDING_AT.pending_later + beneath - 1, 1, _QUARTER)


@kernel
def _write_own(game, tables, seat, out):
    """What differs from viewer to viewer, apart from the blocks of the seats; ``out`` begins behind them."""
    forum = np.int64(game["forum"])
    for die in range(s.NUM_DICE):
        if (forum >> die) & 1:
            put(out, _COST_START + die, die_cost(game, tables, seat, die), _THIRD)
    _write_pending(game, seat, _PENDING_START, out)
    if out.shape[0] > _MEMORY_START:
        memory(game, seat, _MEMORY_START, out)


@kernel
def _copy(source, target):
    for index in range(source.shape[0]):
        target[index] = source[index]


@kernel
def observe(game, tables, seat, out):
    """Write what the seat may see into ``out`` (float32 or uint8, zeros).

    Length ``LAYOUT.size``, or more by ``MEMORY_LAYOUT.size`` to have the memory behind it, or less by the blocks of
    seats that nobody sits at.
    """
    players = np.int64(game["num_players"])
    _write_seat(game, tables, seat, True, 0, out)
    for block in range(1, players):
        _write_seat(game, tables, seat_of_block(block, seat, players), False, block * SEAT_SIZE, out)
    if players == 2:  # the opponent is shown as left and as right neighbour
        _copy(out[SEAT_SIZE : 2 * SEAT_SIZE], out[2 * SEAT_SIZE : 3 * SEAT_SIZE])
    rest = out[_rest(out.shape[0]) :]
    _write_table(game, rest)
    _write_own(game, tables, seat, rest)


@kernel
def _rest(size):
    """Where what is behind the blocks starts, in an observation of `size` elements."""
    return _DICE_START - lacking(size, _BASE_SIZE, _MEMORY_SIZE, SEAT_SIZE)


@kernel
def observe_seats(game, tables, seats, out):
    """Write the observations of several seats (a bit each) into the rows of ``out`` (zeros, [k, F]), in order.

    Others show the start of the turn, the same to all who look at them: written once, then copied to the other rows.
    """
    players = np.int64(game["num_players"])
    rest = _rest(out.shape[1])
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
        for block in range(1, max(players, 3)):
            place = block * SEAT_SIZE
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
        _copy(out[0, rest : rest + _COST_START], target[rest : rest + _COST_START])
        _write_own(game, tables, seat, target[rest:])
        row += 1


@kernel
def reveal(game, tables, out):
    """Write the whole table as it is now into ``out`` (float32[STATE_LAYOUT.size], zeros)."""
    for seat in range(np.int64(game["num_players"])):
        _write_seat(game, tables, seat, True, seat * SEAT_SIZE, out)
        _write_pending(game, seat, _STATE_PENDING_START + seat * _PENDING_SIZE, out)
    _write_table(game, out[_STATE_DICE_START:])
