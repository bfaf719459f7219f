"""A greedy agent: takes the action that looks best one ply ahead.

It estimates, in points at the end of the game, what an action brings now and what it is likely to be good for: printed
points, conflicts won or no longer lost, science, production that later Ages will want, coins; less the coins it costs.
The weights are ours, chosen by playing variants against each other; they are no part of the rules.

Of the sides of its board it takes the one whose stages together are worth more by the same estimate, less what their
resources would cost if all were bought; a stage that makes resources counts as one symbol there.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.game.random import next_word
from antiquity.kernels import kernel
from seven_wonders_env import state as s
from seven_wonders_env.rules.legality import has_name, is_free, item_of, next_stage
from seven_wonders_env.rules.payment import cheapest_payment, city_of, frontier, payment_right
from seven_wonders_env.rules.scoring import end_points, science_points

from .timeline import discard_known, kind_of

COIN: Final = 0.42  # points a coin is worth in the hand
LATE_COIN: Final = 1 / 3  # in the last Age
PRODUCTION: Final = (2.6, 1.5, 0.0)  # the first symbol of a resource, by Age
AGAIN: Final = (1.0, 0.55, 0.2, 0.05)  # the next ones
SOLD: Final = 0.25  # what neighbours will pay for it
DISCOUNT: Final = (1.6, 0.8, 0.0)
SCIENCE_GROWTH: Final = (2.4, 1.6, 0.0)  # a symbol is a start for more, by Age
CHAIN: Final = 0.6  # each later building that becomes free
LATER_CONFLICT: Final = 0.5  # a shield counts for later Ages too, less surely
UNSEEN: Final = (3.0, 5.0, 7.0)  # the best of many cards of the discard that the seat has not seen, by Age
FEW: Final = 2.0  # so many unseen cards promise half of it
PICK: Final = 3.0  # a pick at some time of the game
LAST_CARD: Final = (3.5, 2.5, 1.0)
FREE_BUILDING: Final = 2.0  # the first or last one of an Age
FREE_COLOUR: Final = 0.7  # the first building of a colour
NOISE: Final = 1e-3  # below any real difference: breaks ties


@kernel
def _coin(game):
    """What a coin is worth in points."""
    return LATE_COIN if game["age"] == 2 else COIN


@kernel
def _conflict(mine, theirs, win):
    """Points of one conflict, seen from one side."""
    if mine > theirs:
        return np.float64(win)
    return np.float64(-1.0) if mine < theirs else np.float64(0.0)


@kernel
def _shield_value(game, tables, seat, shields):
    age = np.int64(game["age"])
    mine = np.int64(game["shields"][seat])
    value = 0.0
    for city in (1, 2):
        theirs = np.int64(game["shields"][city_of(game, seat, city)])
        weight = 1.0
        for later in range(age, 3):
            # The opponent is expected to arm as well before a later conflict.
            expected = theirs + 2 * (later - age)
            win = np.int64(tables["win_vp"][later])
            value += weight * (_conflict(mine + shields, expected, win) - _conflict(mine, expected, win))
            # A lead is worth something even where it does not turn the conflict yet.
            value += weight * 0.08 * win
            weight *= LATER_CONFLICT
    return value


@kernel
def _production_value(game, tables, seat, item):
    age = np.int64(game["age"])
    if PRODUCTION[age] == 0.0:
        return 0.0
    if (tables["own"][item, 0] | tables["own"][item, 1] | tables["own"][item, 2]) == np.uint64(0):
        return 0.0
    value = 0.0
    # Words and bytes of the single-resource subsets: wood, stone, clay, ore; glass, loom, papyrus.
    for resource in range(7):
        word = 0 if resource < 3 else (1 if resource == 3 else 2)
        byte = 1 << resource if resource < 3 else (0 if resource == 3 else 1 << (resource - 4))
        shift = np.uint64(8 * byte)
        new = np.int64((tables["own"][item, word] >> shift) & np.uint64(255))
        if new:
            have = np.int64((game["own"][seat, word] >> shift) & np.uint64(255))
            for extra in range(new):
                value += PRODUCTION[age] * AGAIN[min(have + extra, 3)]
    if (tables["sell"][item, 0] | tables["sell"][item, 1] | tables["sell"][item, 2]) != np.uint64(0):
        value += SOLD
    return value


@kernel
def item_value(game, tables, seat, item):
    """Points that building an item is expected to bring, not counting its cost."""
    age = np.int64(game["age"])
    value = np.float64(end_points(game, tables, seat, item))
    if tables["vp_complete"][item]:
        missing = np.int64(tables["stage_count"][game["board"][seat]]) - np.int64(
            game["built"][seat, s.STAGES_COLUMN]
        )
        if missing > 0:
            value += np.float64(tables["vp_complete"][item]) * (0.6 if missing == 1 else 0.2)
    coins = np.int64(tables["coins"][item])
    if tables["counts"][item]:
        for city in range(3):
            owner = city_of(game, seat, city)
            for column in range(8):
                coins += np.int64(tables["coins_per"][item, city, column]) * np.int64(
                    game["built"][owner, column]
                )
    if item < s.KINDS:
        # The card itself will be among the cards of its colour.
        colour = np.int64(tables["colour"][item])
        value += np.float64(tables["vp_per"][item, 0, colour])
        coins += np.int64(tables["coins_per"][item, 0, colour])
    value += np.float64(coins) * _coin(game)

    shields = np.int64(tables["shields"][item])
    if shields:
        value += _shield_value(game, tables, seat, shields)
    compass = np.int64(tables["science"][item, 0])
    gear = np.int64(tables["science"][item, 1])
    tablet = np.int64(tables["science"][item, 2])
    choice = np.int64(tables["science"][item, 3])
    if compass + gear + tablet + choice:
        have_compass = np.int64(game["science"][seat, 0])
        have_gear = np.int64(game["science"][seat, 1])
        have_tablet = np.int64(game["science"][seat, 2])
        have_choice = np.int64(game["science"][seat, 3])
        set_vp = np.int64(tables["set_vp"])
        after = science_points(
            have_gear + gear, have_tablet + tablet, have_compass + compass, have_choice + choice, set_vp
        )
        before = science_points(have_gear, have_tablet, have_compass, have_choice, set_vp)
        value += np.float64(after - before) + SCIENCE_GROWTH[age]
    value += _production_value(game, tables, seat, item)
    discounts = np.int64(tables["discounts"][item])
    for bit in range(4):
        if (discounts >> bit) & 1 and not (np.int64(game["discounts"][seat]) >> bit) & 1:
            value += DISCOUNT[age]
    powers = np.int64(tables["powers"][item])
    if powers & s.PLAY_LAST_CARD:
        value += LAST_CARD[age]
    if powers & s.FREE_COLOUR:
        for colour in range(2 if age == 2 else 0, 7):  # brown and grey come no more in the last Age
            if game["built"][seat, colour] == 0:
                value += FREE_COLOUR
    if powers & s.FREE_FIRST:
        value += FREE_BUILDING * (2 - age)
    if powers & s.FREE_LAST:
        value += FREE_BUILDING * (3 - age - np.int64(game["turn"] >= s.TURNS - 1))
    if item < s.KINDS:
        for _ in range(np.int64(tables["_heirs"][item, age])):
            value += CHAIN
    return value


@kernel
def sale_value(game, tables):
    """Points that selling a card is expected to bring."""
    return np.float64(tables["sell_coins"]) * _coin(game)


@kernel
def cheapest(game, tables, seat, item):
    """Coins to the left and to the right neighbour in the cheapest payment for an item that can be paid for."""
    word = frontier(game, tables, seat, item)
    to_left = cheapest_payment(word)
    return to_left, payment_right(word, to_left)


@kernel
def spent_value(game, tables, item, to_neighbours):
    """Points that are given away for an item with so many coins for the neighbours."""
    return np.float64(to_neighbours + np.int64(tables["bank"][item])) * _coin(game)


@kernel
def pick_value(game, tables, seat, card):
    """What a pick from the discard is worth if a stage is built now with this card of the hand.

    The best of what the seat knows to lie there, or what others have sold out of its sight may hold. On the sixth turn
    the left-overs join the pile before the pick, the seat's own among them.
    """
    low, high, unseen = discard_known(game, tables, seat)
    if game["turn"] == s.TURNS - 1:
        unseen += np.int64(game["num_players"]) - 1
        for position in range(np.int64(game["hand_size"][seat])):
            kind = np.int64(game["hands"][seat, position])
            if kind != card and kind < 64:
                low |= np.uint64(1) << np.uint64(kind)
            elif kind != card:
                high |= np.uint64(1) << np.uint64(kind - 64)
    best = UNSEEN[np.int64(game["age"])] * np.float64(unseen) / (np.float64(unseen) + FEW)
    for kind in range(s.KINDS):
        word = low if kind < 64 else high
        if (word >> np.uint64(kind & 63)) & np.uint64(1) and not has_name(game, tables, seat, kind):
            best = max(best, item_value(game, tables, seat, kind))
    return best


@kernel
def stage_value(game, tables, seat, item, card):
    """Points that the next stage is expected to bring, its cost apart, with this card of the hand under it."""
    value = item_value(game, tables, seat, item)
    if np.int64(tables["powers"][item]) & s.BUILD_FROM_DISCARD:
        value += pick_value(game, tables, seat, card)
    return value


@kernel
def stages_alike(game, tables, seat):
    """Whether the next stage is worth the same whatever card goes under it.

    Not so on the sixth turn, if the seat may then pick the card that it has left.
    """
    if game["turn"] != s.TURNS - 1 or game["phase"] != s.CHOOSE:
        return True
    item = next_stage(game, tables, seat)
    return item < 0 or np.int64(tables["powers"][item]) & s.BUILD_FROM_DISCARD == 0


@kernel
def _action_value(game, tables, seat, action):
    if (action - s.CARD_ACTIONS) % s.USES == s.SELL:
        return sale_value(game, tables)
    item = item_of(game, tables, seat, action)
    if item >= s.KINDS:
        value = stage_value(game, tables, seat, item, kind_of(action))
    else:
        value = item_value(game, tables, seat, item)
        if is_free(game, tables, seat, item):
            return value
    to_left, to_right = cheapest(game, tables, seat, item)
    return value - spent_value(game, tables, item, to_left + to_right)


@kernel
def side_value(game, tables, seat, side):
    """Points that the stages on a side of the seat's board are expected to bring, their cost deducted."""
    board = np.int64(game["board"][seat]) // s.SIDES * s.SIDES + side
    age = np.int64(game["age"])
    value = 0.0
    for stage in range(np.int64(tables["stage_count"][board])):
        item = s.KINDS + board * s.MAX_STAGES + stage
        value += item_value(game, tables, seat, item)
        if np.int64(tables["powers"][item]) & s.BUILD_FROM_DISCARD:
            value += PICK
        production = _production_value(game, tables, seat, item)
        if production > 0.0:  # a choice of resources makes one of them at a time
            value += PRODUCTION[age] - production
        # The last byte of a class holds all its resources: 128 less the units of the cost.
        units = 128 - np.int64(tables["need"][item, 1] >> np.uint64(56))
        units += 128 - np.int64(tables["need"][item, 2] >> np.uint64(56))
        coins = units * np.int64(tables["price"][0]) + np.int64(tables["bank"][item])
        value -= np.float64(coins) * COIN
    return value


@kernel
def _value(game, tables, seat, action):
    """What the agent thinks of an action, payments apart."""
    if action >= s.SIDE_ACTIONS:
        return side_value(game, tables, seat, action - s.SIDE_ACTIONS)
    if game["picker"] == seat + 1:
        return item_value(game, tables, seat, np.int64((action - s.CARD_ACTIONS) // s.USES))
    return _action_value(game, tables, seat, action)


@kernel
def greedy(game, tables, seat, legal, n, noise):
    """The action of the greedy agent among ``legal[:n]``; ``noise`` (64 bits) breaks ties."""
    if n == 1:
        return np.int64(legal[0])
    if game["phase"] == s.PAY:
        return _cheapest(game, tables, seat, legal, n)
    best = -1e9
    best_action = np.int64(legal[0])
    alike = stages_alike(game, tables, seat)
    known, of_stage = False, 0.0
    bits = noise
    for index in range(n):
        action = np.int64(legal[index])
        if action >= s.SIDE_ACTIONS or (action - s.CARD_ACTIONS) % s.USES != s.STAGE:
            value = _value(game, tables, seat, action)
        else:
            if not (known and alike):
                known, of_stage = True, _value(game, tables, seat, action)
            value = of_stage
        bits = next_word(bits)
        value += NOISE * np.float64(np.int64(bits & np.uint64(0xFFFF))) / 65536.0
        if value > best:
            best = value
            best_action = action
    return best_action


@kernel
def left_bias(game, seat):
    """What a coin to the left costs beyond a coin to the right: the weaker neighbour (by tokens and coins) is paid."""
    players = np.int64(game["num_players"])
    left = np.int64(game["victory"][(seat + 1) % players]) + np.int64(game["coins"][(seat + 1) % players])
    right = np.int64(game["victory"][(seat - 1) % players]) + np.int64(game["coins"][(seat - 1) % players])
    return 0.01 if left > right else -0.01


@kernel
def payment_value(word, bias, action):
    """Coins of a payment, less being better."""
    to_left = np.int64(action) - s.PAYMENT_ACTIONS
    return -(np.float64(to_left + payment_right(word, to_left)) + bias * np.float64(to_left))


@kernel
def _cheapest(game, tables, seat, legal, n):
    """The payment that costs least; of several, the one that pays the weaker neighbour."""
    word = frontier(game, tables, seat, item_of(game, tables, seat, np.int64(game["planned"][seat])))
    bias = left_bias(game, seat)
    best = -2.0 * 15
    best_action = np.int64(legal[0])
    for index in range(n):
        value = payment_value(word, bias, legal[index])
        if value > best:
            best = value
            best_action = np.int64(legal[index])
    return best_action
