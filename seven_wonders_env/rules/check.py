"""The verb check: whether a record is a position of a game of 7 Wonders, so that kernels may trust it.

What can be worked out from elsewhere is compared with that: cities, discard, production and all other effects with the
cards that the history says were played, and all cards of an Age with its deck. Coins and military tokens, whose past
the record does not keep, are held to the most that could have been had.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game import ENDED, NO_SEAT
from antiquity.kernels import kernel
from seven_wonders_env import state as s
from seven_wonders_env.data.tables import WEIGHTS

from .check_picks import PICKER, PICKS, picks
from .check_seats import AT, ended, nobody, played, stands
from .legality import has_name, is_free, item_of
from .payment import EMPTY_FRONTIER, cheapest_payment, count_payments, frontier, is_covered, payment_right

COINS, PLANNED, PAY, HANDS, VICTORY, DEFEATS = (
    AT[name] for name in ("coins", "planned", "pay", "hands", "victory", "defeats")
)
DISCARD, HISTORY, PHASE, AGE, TURN = (AT[name] for name in ("discard", "history", "phase", "age", "turn"))
PAYMENTS, OPEN_SIDES, DECIDERS, OVER, UNUSED = (
    AT[name] for name in ("payments", "open_sides", "deciders", "over", "unused")
)
ALLOWED: Final = {
    "city": "the kinds that the history says were built, and those picked from the discard",
    "own": "the production of the board and of all that is built",
    "sell": "the production that the neighbours may buy, of the board and of all that is built",
    "coins": "no more than all seats together can have gained, and none where nobody sits",
    "planned": "a card of the hand and what it can be used for while others pay, else 0",
    "pay": "the coins due for what is planned, else 0",
    "hands": "cards of this Age, ascending, then 255: all that the decks and the history leave",
    "hand_size": "as many cards as the Age and turn leave",
    "board": "0 to 13, a wonder for each seat, on the day side while the side is open",
    "built": "the cards of each colour and the stages that are built",
    "shields": "those of all that is built",
    "science": "the symbols of all that is built",
    "victory": "no more than the conflicts so far can have brought",
    "defeats": "no more than there were conflicts",
    "discounts": "those of all that is built",
    "powers": "those of all that is built",
    "discard": "the cards that the history says were sold, without those picked",
    "history": "a card of the Age for each seat and turn so far, all of them cards of the decks, none built twice",
    "picks": "a card that lay in the discard, for a stage that is built and allows it",
    "picker": "the seat that picks from the discard, where it finds something, else 0",
    "phase": "0 to 4; sides are chosen before the first Age, and payments where there are several",
    "age": "0 to 2",
    "turn": "0 to 5, and 6 while a seventh card is played",
    "payments": "0 or 1",
    "open_sides": "the seats that choose the side of their board now",
    "over": "1 after the third Age",
    "deciders": "the seats that the phase asks, and none once the game is over",
    "unused": "0",
}
"""What the fields may hold, in words."""


@kernel
def check(game, tables):
    """0 for a position of a game, else where it is none: see :func:`antiquity.game.fault_codes`."""
    code = _moment(game)
    if code != 0:
        return code
    cards, more, sold, most = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    guilds, piled = np.int64(0), np.int64(0)
    for seat in range(s.MAX_SEATS):
        if seat >= game["num_players"]:
            code = nobody(game, seat)
        else:
            code = stands(game, tables, seat)
            if code == 0:
                code, one, two, three, gained, built, away = played(game, tables, seat)
                cards, more, sold, most = cards + one, more + two, sold + three, most + gained
                if guilds & built:
                    code = HISTORY
                guilds |= built
                piled |= away
            for position in range(np.int64(game["hand_size"][seat]) if code == 0 else 0):
                kind = np.int64(game["hands"][seat, position])
                cards += WEIGHTS[0, kind]
                more += WEIGHTS[1, kind]
                if kind >= s.GUILD_START:
                    if (guilds >> kind - s.GUILD_START) & 1:
                        return HANDS + seat
                    guilds |= 1 << kind - s.GUILD_START
        if code != 0:
            return code
    code = _cards(game, tables, cards, more, sold)
    if code == 0:
        code = _guilds(game, tables, guilds, piled)
    if code == 0:
        code = picks(game, tables)
    if code == 0:
        code = _purses(game, tables, most)
    if code == 0:
        code = _deciders(game, tables)
    return code


@kernel
def _moment(game):
    """Age, turn and phase, and what exists in some phases alone."""
    phase, turn = np.int64(game["phase"]), np.int64(game["turn"])
    if phase > s.SIDE:
        return PHASE
    if game["age"] > 2:
        return AGE
    if turn > s.EXTRA_TURN or (phase == s.LAST) > (turn == s.EXTRA_TURN):
        return TURN
    if phase == s.CHOOSE and turn == s.EXTRA_TURN:
        return TURN
    if game["payments"] > 1:
        return PAYMENTS
    if phase == s.SIDE and (game["age"] != 0 or turn != 0):
        return PHASE
    if (phase == s.SIDE) != (game["open_sides"] != 0) or np.int64(game["open_sides"]) >> np.int64(
        game["num_players"]
    ):
        return OPEN_SIDES
    if ended(game) and (game["over"] != ENDED or game["age"] != 2 or turn < s.TURNS - 1):
        return OVER
    if game["picker"] > game["num_players"]:
        return PICKER
    if (game["picker"] != 0) != (phase == s.PICK and not ended(game)):
        return PICKER
    for place in range(len(game["unused"])):
        if game["unused"][place]:
            return UNUSED
    ahead = np.int64(0)
    for age in range(np.int64(game["age"]) + 1, 3):
        for turn in range(s.TURNS + 1):
            for seat in range(s.MAX_SEATS):
                ahead |= np.int64(game["history"][age, turn, seat])
    return np.int64(0) if ahead == 0 else HISTORY


@kernel
def _cards(game, tables, cards, more, sold):
    """All cards of the Ages dealt lie in hands and history, and in the discard those sold and not picked."""
    players = np.int64(game["num_players"])
    if game["phase"] != s.SIDE:
        cards -= tables["_sums"][players - s.MIN_PLAYERS, np.int64(game["age"]), 0]
        more -= tables["_sums"][players - s.MIN_PLAYERS, np.int64(game["age"]), 1]
    if cards or more:
        return HISTORY
    for kind in range(s.GUILD_START):
        copies = np.int64(game["discard"][kind])
        if copies > s.MAX_SEATS * s.HAND:
            return DISCARD
        sold -= copies * WEIGHTS[0, kind]
    return np.int64(0) if sold == 0 else DISCARD


@kernel
def _guilds(game, tables, guilds, piled):
    """Each guild in play is one of the box, and each in the discard was sold and not picked."""
    boxed = np.int64(0)
    for number in range(np.int64(tables["guild_count"])):
        boxed |= 1 << np.int64(tables["guilds"][number]) - s.GUILD_START
    if guilds & ~boxed:
        return HISTORY
    for stage in range(s.MAX_STAGES):
        guild = np.int64(game["picks"][stage]) - 1 - s.GUILD_START
        if 0 <= guild < s.KINDS - s.GUILD_START:
            if (piled >> guild) & 1 == 0:
                return PICKS
            piled &= ~(1 << guild)
    for guild in range(s.KINDS - s.GUILD_START):
        if game["discard"][s.GUILD_START + guild] != (piled >> guild) & 1:
            return DISCARD
    return np.int64(0)


@kernel
def _purses(game, tables, most):
    """No more coins than all can have gained, and no more tokens than there were conflicts."""
    players = np.int64(game["num_players"])
    conflicts = np.int64(3) if ended(game) else np.int64(game["age"])
    worth = np.int64(0)
    for age in range(conflicts):
        worth += 2 * np.int64(tables["win_vp"][age])
    coins, lost = np.int64(0), np.int64(0)
    for seat in range(players):
        coins += np.int64(game["coins"][seat])
        lost += np.int64(game["defeats"][seat])
        if game["coins"][seat] > most:
            return COINS + seat
        if game["victory"][seat] > worth:
            return VICTORY + seat
        if game["defeats"][seat] > 2 * conflicts:
            return DEFEATS + seat
    if coins > most:
        return COINS + NO_SEAT
    return np.int64(0) if lost <= players * conflicts else DEFEATS + NO_SEAT


@kernel
def _deciders(game, tables):
    """Who is asked, and what is planned where payments are."""
    players = np.int64(game["num_players"])
    phase = game["phase"]
    asked = np.int64(0)
    for seat in range(players):
        if phase == s.PAY and not ended(game):
            code = _planned(game, tables, seat)
            if code < 0:
                asked |= 1 << seat
            elif code > 0:
                return code
        elif game["planned"][seat]:
            return PLANNED + seat
        elif game["pay"][seat, 0] or game["pay"][seat, 1] or game["pay"][seat, 2]:
            return PAY + seat
        elif (phase == s.LAST and game["hand_size"][seat]) or phase == s.CHOOSE:
            asked |= 1 << seat
    if phase == s.SIDE:
        asked = np.int64(game["open_sides"])
    if phase == s.PICK and not ended(game):
        seat = np.int64(game["picker"]) - 1
        asked = 1 << seat
        action = np.int64(game["history"][game["age"], game["turn"], seat])
        stage = (
            s.KINDS
            + np.int64(game["board"][seat]) * s.MAX_STAGES
            + np.int64(game["built"][seat, s.STAGES_COLUMN])
        )
        if action == 0 or (action - s.CARD_ACTIONS) % s.USES != s.STAGE:
            return PICKER
        if not np.int64(tables["powers"][stage - 1]) & s.BUILD_FROM_DISCARD:
            return PICKER
    if phase == s.PAY and not ended(game) and asked == 0:
        return PHASE
    return np.int64(0) if game["over"] or game["deciders"] == asked else DECIDERS


@kernel
def _planned(game, tables, seat):
    """A choice that is revealed while others pay: a code, 0, or -1 if this seat is to say how it pays."""
    action = np.int64(game["planned"][seat])
    pay = (
        np.int64(game["pay"][seat, 0])
        | np.int64(game["pay"][seat, 1]) << 8
        | np.int64(game["pay"][seat, 2]) << 16
    )
    if (action != 0) != (game["hand_size"][seat] != 0) or action >= s.PAYMENT_ACTIONS:
        return PLANNED + seat
    if action == 0:
        return np.int64(0) if pay == 0 else PAY + seat
    kind = (action - s.CARD_ACTIONS) // s.USES
    held = False
    for position in range(np.int64(game["hand_size"][seat])):
        held |= game["hands"][seat, position] == kind
    item = item_of(game, tables, seat, action)
    use = action - s.CARD_ACTIONS - s.USES * kind
    if not held or (use == s.STAGE and item < 0) or (use == s.BUILD and has_name(game, tables, seat, kind)):
        return PLANNED + seat
    if use == s.SELL or (use == s.BUILD and is_free(game, tables, seat, item)):
        return np.int64(0) if pay == 0 else PAY + seat
    bank = np.int64(tables["bank"][item])
    if is_covered(game, tables, seat, item):
        if game["coins"][seat] < bank:
            return PLANNED + seat
        return np.int64(0) if pay == bank << 16 else PAY + seat
    word = frontier(game, tables, seat, item)
    if word == EMPTY_FRONTIER:
        return PLANNED + seat
    if game["payments"] and count_payments(word) > 1:
        return np.int64(-1) if pay == bank << 16 else PAY + seat
    to_left = cheapest_payment(word)
    due = to_left | payment_right(word, to_left) << 8 | bank << 16
    return np.int64(0) if pay == due else PAY + seat
