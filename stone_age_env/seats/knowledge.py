"""What a seat knows beyond what it sees now: its memory, and other worlds that agree with all it has seen.

Everybody saw each card that was bought while it lay open, so a perfect memory knows all lower halves but those of
other seats' extra cards. Hidden are the order of the deck, the extra cards of others, the tiles under the tops of
the piles and those that are out of play.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game.random import below, mix
from antiquity.kernels import kernel
from stone_age_env.state import CARDS, MAX_SEATS, NO_CARD, PERSONS, PILE, PILES, SYMBOLS, TILES

# Purposes of draws with the seed of a determinization.
REDRAW_CARDS: Final = 1
REDRAW_TILES: Final = 2
FUTURE: Final = 3

MEMORY_FIELDS: Final = (
    *(
        part
        for step, block in enumerate(("left", "left_2", "left_3"), 1)
        for part in (
            (
                f"memory_{block}_culture",
                8,
                0,
                CARDS,
                1,
                f"culture symbols of the cards that the seat {step} to the left bought openly: {', '.join(SYMBOLS)}",
            ),
            (f"memory_{block}_figures", 4, 0, 60, 3, f"figures on them: {', '.join(PERSONS)}"),
        )
    ),
    (
        "memory_unseen_cards",
        CARDS,
        0,
        1,
        1,
        "1 for each card never seen: it is in the deck, or another seat's extra card",
    ),
)
"""(name, size, low, high, scale, meaning) of the parts of a memory."""
MEMORY_SIZE: Final = 12 * (MAX_SEATS - 1) + CARDS

_ZERO: Final = np.float32(0)
_ONE: Final = np.float32(1)
_THIRD: Final = np.float32(1 / 3)


@kernel
def _is_open(game, card):
    for spot in range(game["open"].shape[0]):
        if game["open"][spot] == card:
            return True
    return False


@kernel
def is_hidden(game, seat, card):
    """Whether the seat does not know where the card is: in the deck, or another seat's extra card."""
    owner = np.int64(game["owner"][card])
    if owner == 0:
        return not _is_open(game, card)
    return owner > MAX_SEATS and owner != 1 + seat + MAX_SEATS


@kernel
def memory(game, tables, seat, out):
    """Write what a perfect memory knows beyond the observation into ``out`` (float32[MEMORY_SIZE], every element)."""
    for index in range(MEMORY_SIZE):
        out[index] = _ZERO
    players = np.int64(game["num_players"])
    for card in range(CARDS):
        if is_hidden(game, seat, card):
            out[12 * (MAX_SEATS - 1) + card] = _ONE
        owner = np.int64(game["owner"][card])
        if owner == 0 or owner > MAX_SEATS or owner == 1 + seat:
            continue
        start = 12 * ((owner - 1 - seat) % players - 1)
        symbol = np.int64(tables["symbol"][card])
        if symbol != NO_CARD:
            out[start + symbol] += _ONE
        person = np.int64(tables["person"][card])
        if person != NO_CARD:
            out[start + 8 + person] += np.float32(np.int64(tables["figures"][card])) * _THIRD


@kernel
def _count_bottom(game, tables, seat, card, sign):
    symbol = np.int64(tables["symbol"][card])
    if symbol != NO_CARD:
        game["culture"][seat, symbol] = np.int64(game["culture"][seat, symbol]) + sign
    person = np.int64(tables["person"][card])
    if person != NO_CARD:
        game["figures"][seat, person] = np.int64(game["figures"][seat, person]) + sign * np.int64(
            tables["figures"][card]
        )


@kernel
def determinize(game, tables, seat, seed):
    """Redraw in place all that a seat cannot know, the future included, in agreement with all that it has seen.

    The deck, the extra cards of other seats, the tiles under the tops and those out of play are dealt anew, every deal
    being equally likely; everything else stays. The result depends on what the seat knows and on ``seed`` (64 bits)
    alone: the game's own seed is never read, and is replaced by a hash of ``seed``.
    """
    _redraw_cards(game, tables, seat, seed)
    _redraw_tiles(game, seed)
    game["seed"] = mix(seed, FUTURE, 0)


@kernel
def _redraw_cards(game, tables, seat, seed):
    """Hidden cards are dealt one by one, in the order of their numbers, to the extra cards' owners and the deck.

    The deal is a random order of the owners of the hidden cards; the deck then gets its share in a random order too.
    """
    # How many cards each other seat has as extra cards, and how many are hidden in all.
    hidden = np.int64(0)
    held = np.int64(0)  # eight bits for each seat
    for card in range(CARDS):
        if is_hidden(game, seat, card):
            hidden += 1
            owner = np.int64(game["owner"][card])
            if owner:
                held += 1 << (8 * (owner - 1 - MAX_SEATS))
                _count_bottom(game, tables, owner - 1 - MAX_SEATS, card, -1)
    top = np.int64(game["deck_next"])
    placed = np.int64(0)  # cards put into the deck
    left = hidden
    for card in range(CARDS):
        if not is_hidden(game, seat, card):
            continue
        # Each remaining place is equally likely for this card.
        pick = below(seed, REDRAW_CARDS, card, left)
        left -= 1
        new_owner = np.int64(-1)
        for other in range(MAX_SEATS):
            share = (held >> (8 * other)) & 255
            if new_owner < 0 and pick < share:
                new_owner = np.int64(other)
            pick -= share
        if new_owner >= 0:
            held -= 1 << (8 * new_owner)
            game["owner"][card] = 1 + MAX_SEATS + new_owner
            _count_bottom(game, tables, new_owner, card, 1)
        else:
            game["owner"][card] = 0
            # Inside-out shuffle: the new card takes a random position, and its card moves to the end.
            other = below(seed, REDRAW_CARDS, CARDS + card, placed + 1)
            game["deck"][top + placed] = game["deck"][top + other]
            game["deck"][top + other] = card
            placed += 1


@kernel
def _hidden_tiles(game, pile):
    """Tiles of a pile that nobody has seen: all but the top, or all of a pile out of play."""
    if pile >= np.int64(game["num_players"]):
        return np.int64(PILE)
    return max(np.int64(0), np.int64(game["pile_left"][pile]) - 1)


@kernel
def _redraw_tiles(game, seed):
    """Sort the hidden tiles, so that their old order has no part in the new one, then shuffle them."""
    hidden = np.int64(0)
    for pile in range(PILES):
        hidden += _hidden_tiles(game, pile)
    for index in range(1, hidden):
        kind = _tile(game, index)
        slot = index
        while slot > 0 and _tile(game, slot - 1) > kind:
            _set_tile(game, slot, _tile(game, slot - 1))
            slot -= 1
        _set_tile(game, slot, kind)
    for index in range(hidden - 1, 0, -1):
        other = below(seed, REDRAW_TILES, index, index + 1)
        kind = _tile(game, index)
        _set_tile(game, index, _tile(game, other))
        _set_tile(game, other, kind)


@kernel
def _tile(game, index):
    """The hidden tile with that number, counted through the piles."""
    for pile in range(PILES):
        size = _hidden_tiles(game, pile)
        if index < size:
            return np.int64(game["piles"][pile, index])
        index -= size
    return np.int64(TILES)


@kernel
def _set_tile(game, index, kind):
    for pile in range(PILES):
        size = _hidden_tiles(game, pile)
        if index < size:
            game["piles"][pile, index] = kind
            return
        index -= size
