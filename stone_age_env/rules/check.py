"""The verb check: whether a record is a position of a game of Stone Age, so that kernels may trust it.

What can be worked out from elsewhere is compared with that: a seat's symbols, figures and card points with the cards
it owns, and all cards and tiles with the box. Goods and points for buildings, whose past the record does not keep, are
held to what the rounds so far can have brought.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import ENDED, NO_SEAT
from antiquity.kernels import kernel
from stone_age_env import state as s
from stone_age_env.data import tables as t

from .check_seats import AT, IN_HAND, OWNER, PEOPLE, PLACED, RESOURCES, nobody, seat_of
from .legality import decider, menu

THROWN = AT["thrown"]
ROUND, MAX_ROUNDS, TOTAL, BUILDINGS, OPEN, DECK, DECK_NEXT = (
    AT[name] for name in ("round", "max_rounds", "total", "buildings", "open", "deck", "deck_next")
)
PILES, PILE_LEFT, DICE, START, ACTIVE, PICKER, PHASE, PLACE, GATHER = (
    AT[name]
    for name in ("piles", "pile_left", "dice", "start", "active", "picker", "phase", "place", "gather")
)
PAY_LEFT, PAY_KINDS, PAY_KIND, OVER, DECIDERS = (
    AT[name] for name in ("pay_left", "pay_kinds", "pay_kind", "over", "deciders")
)
_ONE: Final = np.uint64(1)


ALLOWED: Final = {
    "points": "what buildings, tops of cards and hunger can have brought by now",
    "resources": "no more than the rounds so far can have brought",
    "food": "no more than the rounds so far can have brought",
    "round": "less than max_rounds",
    "max_rounds": f"1 to {s.MOST_ROUNDS}",
    "thrown": "the dice of a roll, and none while nothing is rolled",
    "total": "the dice and tools of a roll, and 0 while nothing is rolled",
    "placed": "as many people as the place holds; nobody where it is that seat's turn no more, or nothing is left",
    "people": "5 to 10, one more a round at most, and none where nobody sits",
    "in_hand": "the people who are at no place, without the newcomer of this round",
    "agriculture": "no more than the track is long",
    "tools": "0 to 4, in the order in which they are raised",
    "used": "1 for a tool that was used in this round, else 0",
    "one_use": "no more than on the cards bought",
    "free_cards": "no more than the cards bought",
    "buildings": "as many in all as are missing from the piles",
    "cards": "as many as the seat owns",
    "culture": "the symbols of the cards that the seat owns",
    "figures": "the figures of the cards that the seat owns",
    "owner": "a seat at the table for each card that is neither in the deck nor open",
    "open": "cards that are nowhere else, all four of them while people are placed",
    "deck": "cards that are nowhere else, from deck_next on",
    "deck_next": "0 to 36",
    "piles": "tiles of the box, from the bottom up",
    "pile_left": "0 to 7, some while people are placed, and 0 for piles out of play",
    "dice": "a die for each seat that still takes one, and none but in the lottery",
    "start": "a seat at the table",
    "active": "a seat at the table",
    "picker": "a seat at the table, and 0 but in the lottery",
    "phase": "one in which somebody has two actions or more to choose from",
    "place": "the place that is rolled or paid for",
    "gather": "the good that is rolled for",
    "pay_left": "as many resources as can be due",
    "pay_kinds": "as many kinds as the tile asks for, 255 for any",
    "pay_kind": "0 to 2 while resources are paid",
    "over": "1 once a pile is empty or cards are too few, and 2 after max_rounds",
    "deciders": "the seat whose decision it is, and none once the game is over",
}
"""What the fields may hold, in words."""


@kernel
def check(game, tables):
    """0 for a position of a game, else where it is none: see :func:`antiquity.game.fault_codes`."""
    code = _moment(game)
    if code == 0:
        code = _cards(game, tables)
    if code == 0:
        code = _tiles(game, tables)
    if code == 0:
        code = _places(game)
    if code == 0:
        code = _order(game, tables)
    if code == 0:
        code = _phase(game, tables)
    for seat in range(s.MAX_SEATS if code == 0 else 0):
        code = seat_of(game, tables, seat) if seat < game["num_players"] else nobody(game, seat)
        if code != 0:
            return code
    if code == 0 and not game["over"]:
        word = menu(game, tables)
        # Whoever has one action or none is not asked.
        if word & (word - _ONE) == np.uint64(0):
            return PHASE
        if game["deciders"] != 1 << decider(game):
            return DECIDERS
    return code


@kernel
def _moment(game):
    """Round, phase and the seats that are named."""
    players = np.int64(game["num_players"])
    if game["max_rounds"] == 0 or game["max_rounds"] > s.MOST_ROUNDS:
        return MAX_ROUNDS
    if game["round"] >= game["max_rounds"]:
        return ROUND
    if game["phase"] > s.PAY:
        return PHASE
    if game["start"] >= players:
        return START
    if game["active"] >= players:
        return ACTIVE
    if game["picker"] >= players:
        return PICKER
    return np.int64(0)


@kernel
def _cards(game, tables):
    """Every civilization card is in the deck, open or somebody's, and what lies before a seat counts for it."""
    next_ = np.int64(game["deck_next"])
    if next_ > s.CARDS:
        return DECK_NEXT
    seen = np.uint64(0)
    for place in range(s.CARDS + s.SPOTS):
        in_deck = place < s.CARDS
        card = np.int64(game["deck"][place]) if in_deck else np.int64(game["open"][place - s.CARDS])
        code = DECK if in_deck else OPEN
        if in_deck and place < next_:
            if card != s.NO_CARD:
                return code
        elif card >= s.CARDS:
            if in_deck or card != s.NO_CARD:
                return code
        else:
            if (seen >> np.uint64(card)) & _ONE or game["owner"][card]:
                return code
            seen |= _ONE << np.uint64(card)
    for card in range(s.CARDS):
        owner = np.int64(game["owner"][card]) - 1
        if owner < 0:
            if (seen >> np.uint64(card)) & _ONE == np.uint64(0):
                return OWNER
        elif owner >= 2 * s.MAX_SEATS or owner % s.MAX_SEATS >= game["num_players"]:
            return OWNER
    return np.int64(0)


@kernel
def _tiles(game, tables):
    """The piles hold tiles of the box, from the bottom up, and the rest was built."""
    players = np.int64(game["num_players"])
    built = np.int64(0)
    for seat in range(players):
        built += np.int64(game["buildings"][seat])
    for pile in range(s.PILES):
        left = np.int64(game["pile_left"][pile])
        in_play = pile < players
        if left > (s.PILE if in_play else 0):
            return PILE_LEFT
        built -= s.PILE - left if in_play else 0
        for height in range(s.PILE):
            kind = np.int64(game["piles"][pile, height])
            lies = height < left or not in_play
            if kind > s.TILE_KINDS or (kind != 0) != lies:
                return PILES
    if built != 0:
        return BUILDINGS
    # Kinds are few and copies fewer: four bits for each of sixteen kinds a word.
    for first in range(0, s.TILE_KINDS, 16):
        count = np.uint64(0)
        for pile in range(s.PILES):
            for height in range(s.PILE):
                kind = np.int64(game["piles"][pile, height]) - 1
                if first <= kind < first + 16:
                    copies = (count >> np.uint64(4 * (kind - first))) & np.uint64(15)
                    if copies >= np.uint64(min(15, np.int64(tables["tile_copies"][kind]))):
                        return PILES
                    count += _ONE << np.uint64(4 * (kind - first))
    return np.int64(0)


@kernel
def _places(game):
    """Nowhere stand more people or seats than there may."""
    players = np.int64(game["num_players"])
    village = np.int64(0)
    for place in range(s.NUM_PLACES):
        heads, seats = np.int64(0), np.int64(0)
        for seat in range(players):
            there = np.int64(game["placed"][seat, place])
            heads += there
            seats += 1 if there else 0
        if heads == 0:
            continue
        if place <= s.HUT:
            village += 1
            fits = seats == 1 and heads == (s.HUT_PEOPLE if place == s.HUT else 1)
        elif place < s.HUNT:
            fits = seats <= s.SEATS_AT_RESOURCE[players - s.MIN_PLAYERS] and heads <= s.RINGS
        elif place == s.HUNT:
            fits = True
        elif place < s.BUILDING:
            fits = heads == 1 and game["open"][place - s.CARD_SPOT] != s.NO_CARD
        else:
            fits = heads == 1 and game["pile_left"][place - s.BUILDING] > 0
        if not fits:
            return PLACED
    return np.int64(0) if village <= s.OPEN_VILLAGE[players - s.MIN_PLAYERS] else PLACED


@kernel
def _ended(game):
    """Whether the game was played to its end, or cut off: no round is under way."""
    return game["over"] != 0 and game["forfeits"] == 0


@kernel
def _order(game, tables):
    """Seats resolve one after the other: before the active one nobody is out, behind it nobody has begun."""
    players, phase = np.int64(game["num_players"]), np.int64(game["phase"])
    start, newcomers, hut, born = np.int64(game["start"]), np.int64(0), np.int64(0), np.int64(0)
    places = phase == s.PLACE and not _ended(game)
    fed = _ended(game) or phase == s.FEED or game["place"] == s.FEEDING
    turn = players if fed else (np.int64(game["active"]) - start + players) % players
    for behind in range(players):
        seat = (start + behind) % players
        out = np.int64(0)
        for place in range(s.NUM_PLACES):
            out += np.int64(game["placed"][seat, place])
        if behind < turn and out and not places:
            return PLACED + seat
        new = np.int64(game["people"][seat]) - np.int64(game["in_hand"][seat]) - out
        if new != 0 and (places or behind > turn or new < 0):
            return IN_HAND + seat
        newcomers += new
        hut += np.int64(game["placed"][seat, s.HUT] != 0)
        born += np.int64(game["people"][seat]) - np.int64(tables["start_people"])
    # One hut a round, where a newcomer is to come or has come from.
    if newcomers + hut > 1:
        return IN_HAND + NO_SEAT
    if born - newcomers > np.int64(game["round"]):
        return PEOPLE + NO_SEAT
    for spot in range(s.SPOTS if places else 0):
        if game["open"][spot] == s.NO_CARD:
            return OPEN
    for pile in range(players if places else 0):
        if game["pile_left"][pile] == 0:
            return PILE_LEFT
    return np.int64(0)


@kernel
def _phase(game, tables):
    """What is being rolled, taken, fed or paid, and nothing of it where it is not."""
    phase, place = np.int64(game["phase"]), np.int64(game["place"])
    if _ended(game):
        return _end(game)
    rolls, takes, feeds, pays = (phase == s.TOOLS, phase == s.LOTTERY, phase == s.FEED, phase == s.PAY)
    dice = np.int64(0)
    for face in range(6):
        dice += np.int64(game["dice"][face])
    players = np.int64(game["num_players"])
    waiting = (np.int64(game["active"]) - np.int64(game["picker"]) + players - 1) % players + 1
    if dice != (waiting if takes else 0):
        return DICE
    if not takes and game["picker"]:
        return PICKER
    if game["gather"] > (4 if rolls else 0):
        return GATHER
    # Ten people throw, three tools and all one-use tools are added.
    if (game["total"] != 0) != rolls or game["total"] > 60 + 12 + 255:
        return TOTAL
    thrown, faces = np.int64(0), np.int64(0)
    for face in range(6):
        thrown += np.int64(game["thrown"][face])
        faces += (face + 1) * np.int64(game["thrown"][face])
    if thrown > (s.MAX_PEOPLE if rolls else 0) or game["total"] < faces:
        return THROWN
    on_card = s.CARD_SPOT <= place < s.BUILDING
    if takes:
        fits = on_card
    elif rolls:
        fits = place == s.HUNT if game["gather"] == 0 else place == s.FOREST + game["gather"] - 1 or on_card
    elif pays:
        fits = s.CARD_SPOT <= place <= s.FEEDING
    else:
        fits = place == 0
    if not fits:
        return PLACE
    if (takes or rolls) and on_card and game["open"][place - s.CARD_SPOT] != s.NO_CARD:
        return OPEN
    # Who resolves a place has gone home from it, and where one may stand nobody is left.
    if s.CARD_SPOT <= place < s.FEEDING:
        for seat in range(players):
            if game["placed"][seat, place]:
                return PLACED + seat
    elif rolls and game["placed"][np.int64(game["active"]), place]:
        return PLACED + np.int64(game["active"])
    return _payment(game, tables, feeds, pays)


@kernel
def _end(game):
    """Nothing is under way in a game that is over."""
    left = np.int64(game["place"]) | np.int64(game["gather"]) | np.int64(game["total"])
    left |= np.int64(game["picker"]) | np.int64(game["pay_left"])
    left |= np.int64(game["pay_kinds"]) | np.int64(game["pay_kind"])
    for face in range(6):
        left |= np.int64(game["dice"][face]) | np.int64(game["thrown"][face])
    phase = game["phase"]
    if left or not (phase == s.RESOLVE or phase == s.FEED or phase == s.PAY):
        return PHASE
    cards, signal = s.CARDS - np.int64(game["deck_next"]), False
    for spot in range(s.SPOTS):
        cards += np.int64(game["open"][spot] != s.NO_CARD)
    for pile in range(np.int64(game["num_players"])):
        signal |= game["pile_left"][pile] == 0
    signal |= cards < s.SPOTS
    last = np.int64(game["round"]) + 1 == np.int64(game["max_rounds"])
    fits = signal if game["over"] == ENDED else last and not signal
    return np.int64(0) if fits else OVER


@kernel
def _payment(game, tables, feeds, pays):
    """What is still to be paid, and of how many kinds."""
    seat, place = np.int64(game["active"]), np.int64(game["place"])
    left, kinds = np.int64(game["pay_left"]), np.int64(game["pay_kinds"])
    if not pays and (kinds or game["pay_kind"]):
        return PAY_KINDS
    if not feeds and not pays:
        return PAY_LEFT if left else np.int64(0)
    if left == 0:
        return PAY_LEFT
    if feeds or place == s.FEEDING:
        # The food is eaten, and what is left are those for whom there was none.
        if left > np.int64(game["people"][seat]) - np.int64(game["agriculture"][seat]) or game["food"][seat]:
            return PAY_LEFT
    if not pays:
        return np.int64(0)
    if game["pay_kind"] > 2:
        return PAY_KIND
    have = np.int64(0)
    for kind in range(np.int64(game["pay_kind"]), 4):
        have += np.int64(game["resources"][seat, kind])
    if have < left:
        return RESOURCES + seat
    if place < s.BUILDING:
        if game["open"][place - s.CARD_SPOT] == s.NO_CARD:
            return OPEN
        if left > place - s.CARD_SPOT + 1:
            return PAY_LEFT
    if place < s.BUILDING or place == s.FEEDING:
        return np.int64(0) if kinds == s.ANY_KINDS else PAY_KINDS
    height = np.int64(game["pile_left"][place - s.BUILDING])
    if height == 0:
        return PLACE
    kind = np.int64(game["piles"][place - s.BUILDING, height - 1]) - 1
    if tables["tile_mode"][kind] == t.FIXED:
        return PLACE
    if left > tables["tile_most"][kind]:
        return PAY_LEFT
    chosen = tables["tile_mode"][kind] == t.CHOICE
    fits = kinds <= tables["tile_kinds"][kind] if chosen else kinds == s.ANY_KINDS
    return np.int64(0) if fits else PAY_KINDS
