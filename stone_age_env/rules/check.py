"""The verb check: whether a record is a position of a game of Stone Age, so that kernels may trust it.

What can be worked out from elsewhere is compared with that: a seat's symbols, figures and card points with the cards
it owns, and all cards and tiles with the box. Goods and points for buildings, whose past the record does not keep, are
held to what the rounds so far can have brought.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import fault_codes
from antiquity.kernels import kernel
from stone_age_env import state as s
from stone_age_env.data import tables as t

from .legality import decider, menu

_AT: Final = fault_codes(s.GAME_DTYPE)
POINTS, RESOURCES, FOOD, ROUND, MAX_ROUNDS, TOTAL, PLACED = (
    _AT[name] for name in ("points", "resources", "food", "round", "max_rounds", "total", "placed")
)
PEOPLE, IN_HAND, AGRICULTURE, TOOLS, USED, ONE_USE, FREE_CARDS = (
    _AT[name] for name in ("people", "in_hand", "agriculture", "tools", "used", "one_use", "free_cards")
)
BUILDINGS, CARDS, CULTURE, FIGURES, OWNER, OPEN, DECK, DECK_NEXT = (
    _AT[name] for name in ("buildings", "cards", "culture", "figures", "owner", "open", "deck", "deck_next")
)
PILES, PILE_LEFT, DICE, START, ACTIVE, PICKER, PHASE, PLACE, GATHER = (
    _AT[name]
    for name in ("piles", "pile_left", "dice", "start", "active", "picker", "phase", "place", "gather")
)
PAY_LEFT, PAY_KINDS, PAY_KIND, DECIDERS, UNUSED = (
    _AT[name] for name in ("pay_left", "pay_kinds", "pay_kind", "deciders", "unused")
)

MOST_A_ROUND: Final = 100
"""More of a good than a round can bring a seat: hunting with all people and tools, cards and harvest bring 78."""
MOST_FOR_A_BUILDING: Final = 255
_ONE: Final = np.uint64(1)


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
        code = _phase(game, tables)
    for seat in range(s.MAX_SEATS if code == 0 else 0):
        code = _seat(game, tables, seat) if seat < game["num_players"] else _nobody(game, seat)
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
    if game["max_rounds"] == 0 or game["round"] >= game["max_rounds"]:
        return ROUND
    if game["phase"] > s.PAY:
        return PHASE
    if game["start"] >= players:
        return START
    if game["active"] >= players:
        return ACTIVE
    if game["picker"] >= players:
        return PICKER
    for place in range(len(game["unused"])):
        if game["unused"][place]:
            return UNUSED
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
def _phase(game, tables):
    """What is being rolled, taken, fed or paid, and nothing of it where it is not."""
    phase, place = np.int64(game["phase"]), np.int64(game["place"])
    live = not game["over"]
    rolls, takes, feeds, pays = (phase == s.TOOLS, phase == s.LOTTERY, phase == s.FEED, phase == s.PAY)
    if not live and game["forfeits"] == 0:
        return np.int64(0)
    dice = np.int64(0)
    for face in range(6):
        dice += np.int64(game["dice"][face])
    players = np.int64(game["num_players"])
    waiting = (np.int64(game["active"]) - np.int64(game["picker"]) + players - 1) % players + 1
    if dice != (waiting if takes else 0) or dice > players:
        return DICE
    if not takes and game["picker"]:
        return PICKER
    if game["gather"] > (4 if rolls else 0):
        return GATHER
    # Ten people throw, three tools and all one-use tools are added.
    if (game["total"] != 0) != rolls or game["total"] > 60 + 12 + 255:
        return TOTAL
    if takes:
        fits = s.CARD_SPOT <= place < s.BUILDING
    elif rolls:
        fits = place == s.HUNT if game["gather"] == 0 else place == s.FOREST + game["gather"] - 1
        fits |= game["gather"] != 0 and s.CARD_SPOT <= place < s.BUILDING
    elif pays:
        fits = s.CARD_SPOT <= place <= s.FEEDING
    else:
        fits = place == 0
    if not fits:
        return PLACE
    seat = np.int64(game["active"])
    left = np.int64(game["pay_left"])
    if (left != 0) != (feeds or pays) or left > 2 * s.MAX_PEOPLE:
        return PAY_LEFT
    kinds = np.int64(game["pay_kinds"])
    if pays:
        if game["pay_kind"] > 2:
            return PAY_KIND
        if left > s.MAX_PEOPLE:
            return PAY_LEFT
        if s.CARD_SPOT <= place < s.BUILDING:
            if kinds != s.ANY_KINDS or left > place - s.CARD_SPOT + 1:
                return PAY_KINDS
            if game["open"][place - s.CARD_SPOT] == s.NO_CARD:
                return PLACE
        elif place == s.FEEDING:
            if kinds != s.ANY_KINDS or left > game["people"][seat]:
                return PAY_KINDS
        else:
            pile = place - s.BUILDING
            if game["pile_left"][pile] == 0:
                return PLACE
            kind = np.int64(game["piles"][pile, np.int64(game["pile_left"][pile]) - 1]) - 1
            chosen = tables["tile_mode"][kind] == t.CHOICE
            if tables["tile_mode"][kind] == t.FIXED or left > tables["tile_most"][kind]:
                return PLACE
            if (kinds == s.ANY_KINDS) == chosen or (chosen and kinds > tables["tile_kinds"][kind]):
                return PAY_KINDS
    elif kinds or game["pay_kind"]:
        return PAY_KINDS
    return np.int64(0)


@kernel
def _seat(game, tables, seat):
    """People, tools and goods of a seat, and what its cards give."""
    people, away = np.int64(game["people"][seat]), np.int64(game["in_hand"][seat])
    rounds = np.int64(game["round"]) + 1
    for place in range(s.NUM_PLACES):
        away += np.int64(game["placed"][seat, place])
    if people < tables["start_people"] or people > s.MAX_PEOPLE or people - tables["start_people"] > rounds:
        return PEOPLE + seat
    # A newcomer of this round is not at home yet.
    newcomers = people - away
    if newcomers < 0 or newcomers > (0 if game["phase"] == s.PLACE and not game["over"] else 1):
        return IN_HAND + seat
    if game["agriculture"][seat] > tables["max_agriculture"]:
        return AGRICULTURE + seat
    for slot in range(s.TOOL_SLOTS):
        value = np.int64(game["tools"][seat, slot])
        if value > s.MAX_TOOL or (slot and not -1 <= value - np.int64(game["tools"][seat, slot - 1]) <= 0):
            return TOOLS + seat
        if value < np.int64(game["tools"][seat, 0]) - 1:
            return TOOLS + seat
        if game["used"][seat, slot] > (1 if value else 0):
            return USED + seat
    if game["food"][seat] > np.int64(tables["start_food"]) + MOST_A_ROUND * rounds:
        return FOOD + seat
    for resource in range(4):
        if game["resources"][seat, resource] > MOST_A_ROUND * rounds:
            return RESOURCES + seat
    hunger = -np.int64(game["points"][seat, s.HUNGER_POINTS])
    penalty = np.int64(tables["hunger_penalty"])
    if hunger < 0 or hunger > penalty * rounds or (penalty and hunger % penalty):
        return POINTS + seat
    built = np.int64(game["points"][seat, s.BUILDING_POINTS])
    if built < 0 or built > MOST_FOR_A_BUILDING * (np.int64(game["buildings"][seat]) + 1):
        return POINTS + seat
    return _owned(game, tables, seat)


@kernel
def _owned(game, tables, seat):
    """What the cards before a seat bring: symbols and figures of all, the tops of those that were bought."""
    cards, points, free = np.int64(0), np.int64(0), np.int64(0)
    culture, figures, one_use = np.uint64(0), np.uint64(0), np.uint64(0)
    for card in range(s.CARDS):
        owner = np.int64(game["owner"][card]) - 1
        if owner < 0 or owner % s.MAX_SEATS != seat:
            continue
        cards += 1
        if tables["symbol"][card] != s.NO_CARD:
            culture += _ONE << np.uint64(8 * np.int64(tables["symbol"][card]))
        if tables["person"][card] != s.NO_CARD:
            figures += np.uint64(tables["figures"][card]) << np.uint64(16 * np.int64(tables["person"][card]))
        if owner >= s.MAX_SEATS:
            continue
        if tables["top"][card] == t.POINTS:
            points += np.int64(tables["top_n"][card])
        elif tables["top"][card] == t.ONE_USE_TOOL:
            one_use += _ONE << np.uint64(8 * (np.int64(tables["top_what"][card]) - 1))
        elif tables["top"][card] == t.ANY_RESOURCES:
            free += 1
    if game["cards"][seat] != cards:
        return CARDS + seat
    for symbol in range(8):
        if np.uint64(game["culture"][seat, symbol]) != (culture >> np.uint64(8 * symbol)) & np.uint64(255):
            return CULTURE + seat
    for person in range(4):
        if np.uint64(game["figures"][seat, person]) != (figures >> np.uint64(16 * person)) & np.uint64(
            0xFFFF
        ):
            return FIGURES + seat
    for value in range(s.MAX_TOOL):
        if np.uint64(game["one_use"][seat, value]) > (one_use >> np.uint64(8 * value)) & np.uint64(255):
            return ONE_USE + seat
    if game["free_cards"][seat] > free:
        return FREE_CARDS + seat
    return np.int64(0) if game["points"][seat, s.CARD_POINTS] == points else POINTS + seat


@kernel
def _nobody(game, seat):
    """A seat that is not there leaves no trace."""
    left = np.int64(game["food"][seat]) | np.int64(game["people"][seat]) | np.int64(game["in_hand"][seat])
    left |= np.int64(game["agriculture"][seat]) | np.int64(game["free_cards"][seat])
    left |= np.int64(game["buildings"][seat]) | np.int64(game["cards"][seat])
    for column in range(3):
        left |= np.int64(game["points"][seat, column] != 0)
        left |= np.int64(game["tools"][seat, column]) | np.int64(game["used"][seat, column])
    for column in range(4):
        left |= np.int64(game["resources"][seat, column]) | np.int64(game["one_use"][seat, column])
        left |= np.int64(game["figures"][seat, column])
    for column in range(8):
        left |= np.int64(game["culture"][seat, column])
    for place in range(s.NUM_PLACES):
        left |= np.int64(game["placed"][seat, place])
    return np.int64(0) if left == 0 else PEOPLE + seat
