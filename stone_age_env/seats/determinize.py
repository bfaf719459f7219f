"""Other worlds that agree with all that a seat has seen, every one of them equally likely.

Hidden are the order of the deck, the extra cards of others, the tiles under the tops of the piles and those that are
out of play.
"""

from __future__ import annotations

import numpy as np

from antiquity.game.random import below, mix
from antiquity.kernels import kernel
from stone_age_env import state as s

from .memory import is_hidden


@kernel
def _count_bottom(game, tables, seat, card, sign):
    symbol = np.int64(tables["symbol"][card])
    if symbol != s.NO_CARD:
        game["culture"][seat, symbol] = np.int64(game["culture"][seat, symbol]) + sign
    person = np.int64(tables["person"][card])
    if person != s.NO_CARD:
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
    game["seed"] = mix(seed, s.REDRAW_FUTURE, 0)


@kernel
def _redraw_cards(game, tables, seat, seed):
    """Hidden cards are dealt one by one, in the order of their numbers, to the extra cards' owners and the deck.

    The deal is a random order of the owners of the hidden cards; the deck then gets its share in a random order too.
    """
    # How many cards each other seat has as extra cards, and how many are hidden in all.
    hidden = np.int64(0)
    held = np.int64(0)  # eight bits for each seat
    for card in range(s.CARDS):
        if is_hidden(game, seat, card):
            hidden += 1
            owner = np.int64(game["owner"][card])
            if owner:
                held += 1 << (8 * (owner - 1 - s.MAX_SEATS))
                _count_bottom(game, tables, owner - 1 - s.MAX_SEATS, card, -1)
    top = np.int64(game["deck_next"])
    placed = np.int64(0)  # cards put into the deck
    left = hidden
    for card in range(s.CARDS):
        if not is_hidden(game, seat, card):
            continue
        # Each remaining place is equally likely for this card.
        pick = below(seed, s.REDRAW_CARDS, card, left)
        left -= 1
        new_owner = np.int64(-1)
        for other in range(s.MAX_SEATS):
            share = (held >> (8 * other)) & 255
            if new_owner < 0 and pick < share:
                new_owner = np.int64(other)
            pick -= share
        if new_owner >= 0:
            held -= 1 << (8 * new_owner)
            game["owner"][card] = 1 + s.MAX_SEATS + new_owner
            _count_bottom(game, tables, new_owner, card, 1)
        else:
            game["owner"][card] = 0
            # Inside-out shuffle: the new card takes a random position, and its card moves to the end.
            other = below(seed, s.REDRAW_CARDS, s.CARDS + card, placed + 1)
            game["deck"][top + placed] = game["deck"][top + other]
            game["deck"][top + other] = card
            placed += 1


@kernel
def _hidden_tiles(game, pile):
    """Tiles of a pile that nobody has seen: all but the top, or all of a pile out of play."""
    if pile >= np.int64(game["num_players"]):
        return np.int64(s.PILE)
    return max(np.int64(0), np.int64(game["pile_left"][pile]) - 1)


@kernel
def _redraw_tiles(game, seed):
    """Sort the hidden tiles, so that their old order has no part in the new one, then shuffle them."""
    hidden = np.int64(0)
    for pile in range(s.PILES):
        hidden += _hidden_tiles(game, pile)
    for index in range(1, hidden):
        kind = _tile(game, index)
        slot = index
        while slot > 0 and _tile(game, slot - 1) > kind:
            _set_tile(game, slot, _tile(game, slot - 1))
            slot -= 1
        _set_tile(game, slot, kind)
    for index in range(hidden - 1, 0, -1):
        other = below(seed, s.REDRAW_TILES, index, index + 1)
        kind = _tile(game, index)
        _set_tile(game, index, _tile(game, other))
        _set_tile(game, other, kind)


@kernel
def _tile(game, index):
    """The hidden tile with that number, counted through the piles."""
    for pile in range(s.PILES):
        size = _hidden_tiles(game, pile)
        if index < size:
            return np.int64(game["piles"][pile, index])
        index -= size
    return np.int64(s.TILES)


@kernel
def _set_tile(game, index, kind):
    for pile in range(s.PILES):
        size = _hidden_tiles(game, pile)
        if index < size:
            game["piles"][pile, index] = kind
            return
        index -= size
