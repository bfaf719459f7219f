"""A greedy agent: takes the action that looks best one ply ahead.

It estimates, in points at the end of the game, what crossing a space brings now and what it is likely to be good for:
printed points, points for what it counts or is counted by, coins, cheaper dice, resources for later costs, further
crossings, the way to a bonus; less the coins it costs. The weights are ours; they are no part of the rules.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from antiquity.kernels import kernel
from dice_env import state as s
from dice_env.rules.bits import NONE, ONE, count, lowest
from dice_env.rules.legality import allowed, die_cost, payable, price
from dice_env.rules.scoring import spaces_total

COIN: Final = 0.38  # points a coin in the hand is worth
RICH: Final = 14  # coins beyond these are worth less
RICH_COIN: Final = 0.15
RESOURCE: Final = (2.6, 2.3, 2.0, 1.7, 1.4, 1.1, 0.0)  # the next resource, by those there are
DISCOUNT: Final = 2.0
FREE_COLOUR: Final = 1.2
INCOME: Final = 0.5  # for each coin of it
UNLOCK: Final = 2.0
EXTRA: Final = 3.5  # another action
FREE_BUILD: Final = 3.5  # another building without die cost
CROSS_ONE: Final = 2.5
CROSS_MORE: Final = 1.5
GROWTH: Final = 0.4  # part of what a space counts that is still to be crossed
PROGRESS: Final = 2.2  # a space of a unit, rising with how much of it is crossed
BONUS: Final = 4.5
ENDING: Final = 3.0  # the third bonus, ahead or behind
DEFENCE: Final = 0.4
NOISE: Final = 1e-3  # below any real difference: breaks ties
HOPELESS: Final = -1e9


@kernel
def _coins_value(game, seat, coins):
    """What gaining coins (or paying them, if negative) is worth in points."""
    if game["last_turn"]:
        return 0.01 * coins
    return coins * (RICH_COIN if np.int64(game["coins"][seat]) > RICH else COIN)


@kernel
def _future(game):
    """The share of their full worth that lasting effects still have: 1 at the start, 0 in the last turn."""
    if game["last_turn"]:
        return 0.0
    most = np.int64(0)
    for seat in range(np.int64(game["num_players"])):
        bonuses = np.int64(game["start_bonuses"][seat])
        most = max(most, (bonuses & 1) + ((bonuses >> 1) & 1) + ((bonuses >> 2) & 1))
    return 1.0 - 0.3 * most


@kernel
def _attack_value(game, tables, seat, space):
    players = np.int64(game["num_players"])
    if space < s.EAST_ATTACK:
        wall = game["start_crossed"][(seat + 1) % players] >> np.uint64(s.EAST_DEFENCE)
    else:
        wall = game["start_crossed"][(seat + players - 1) % players] >> np.uint64(s.WEST_DEFENCE)
    defences = count(wall & np.uint64(3))
    return max(np.int64(tables["attack"][np.int64(game["board"][seat]), space]) - defences, np.int64(0))


@kernel
def _unit_value(game, tables, seat, crossed, space, future):
    """What a space brings towards a bonus, and to the end of the game."""
    board = np.int64(game["board"][seat])
    unit = np.int64(tables["unit_of"][space])
    if unit == s.NO_UNIT:
        return 0.0
    value = 0.0
    whole = tables["unit"][board, unit]
    bonuses = np.int64(game["bonuses"][seat])
    if whole != NONE and bonuses != s.ALL_BONUSES:
        done, size = count(crossed & whole), count(whole)
        if done + 1 == size:
            value += BONUS if future > 0.0 else 2.0
            missing = s.ALL_BONUSES & ~bonuses
            if missing & (missing - 1) == 0 and not game["last_turn"]:
                value += ENDING if _ahead(game, tables, seat) else -ENDING
        elif future > 0.0:
            value += PROGRESS * (done + 1) / size * future
    if unit == s.UNIT_AGORA and game["agora_first"] == 0:
        agora = tables["building"][board, 1]
        if count(crossed & agora) + 1 == count(agora):
            value += np.int64(tables["first_agora_vp"])
    return value


@kernel
def _ahead(game, tables, seat):
    """Whether the seat has at least as many points as all others had at the start of the turn."""
    own = spaces_total(tables, np.int64(game["board"][seat]), game["crossed"][seat])
    own += np.int64(game["attack"][seat, 0]) + np.int64(game["attack"][seat, 1])
    for other in range(np.int64(game["num_players"])):
        if other != seat:
            points = spaces_total(tables, np.int64(game["board"][other]), game["start_crossed"][other])
            points += np.int64(game["start_attack"][other, 0]) + np.int64(game["start_attack"][other, 1])
            if points > own:
                return False
    return True


@kernel
def _item_value(item):
    """What an effect that is still to be resolved is worth."""
    kind = item & s.KIND_MASK
    if kind == s.ACTION:
        return EXTRA
    if kind == s.FREE:
        return FREE_BUILD
    if kind == s.CROSS:
        return CROSS_ONE + CROSS_MORE * ((item >> s.REMAINING) - 1)
    return 0.0


@kernel
def _space_value(game, tables, seat, space, future):
    """Points that crossing a space is expected to bring, its cost paid."""
    board = np.int64(game["board"][seat])
    crossed = game["crossed"][seat]
    value = _coins_value(game, seat, -price(game, tables, seat, space))
    building = np.int64(tables["building_of"][space])
    # Crossed spaces that count this building gain by it.
    left = crossed & tables["scoring"][board]
    while left != NONE:
        other = lowest(left)
        if tables["vp_per"][board, other] and tables["counted"][board, other] == building:
            value += np.float64(tables["vp_per"][board, other])
        left &= left - ONE
    if building == s.WAREHOUSE:
        return value + RESOURCE[min(np.int64(game["resources"][seat]), s.RESOURCES)] * future
    value += np.float64(tables["vp"][board, space])
    if tables["attack"][board, space]:
        value += np.float64(_attack_value(game, tables, seat, space))
    elif (
        s.WEST_ATTACK + s.ATTACKS <= space < s.EAST_ATTACK
        or s.EAST_ATTACK + s.ATTACKS <= space < s.EAST_DEFENCE + 2
    ):
        value += DEFENCE * future
    if tables["acts"][board, space] or tables["vp_per"][board, space]:
        counted = tables["building"][board, np.int64(tables["counted"][board, space])]
        have = count(crossed & counted)
        if (counted >> np.uint64(space)) & ONE:
            have += 1
        later = GROWTH * future * np.float64(count(counted) - have)
        value += np.float64(tables["vp_per"][board, space]) * (np.float64(have) + later)
        gained = np.int64(tables["coins"][board, space]) + np.int64(tables["coins_per"][board, space]) * have
        value += _coins_value(game, seat, gained)
        lasting = DISCOUNT * np.float64(tables["discount"][board, space])
        lasting += INCOME * np.float64(tables["income"][board, space])
        if tables["free"][board, space]:
            lasting += FREE_COLOUR
        if tables["unlock"][board, space]:
            lasting += UNLOCK
        value += lasting * future
    value += _item_value(np.int64(tables["item"][board, space]))
    return value + _unit_value(game, tables, seat, crossed, space, future)


@kernel
def _best_value(game, tables, seat, spaces, future):
    best = HOPELESS
    while spaces != NONE:
        best = max(best, _space_value(game, tables, seat, lowest(spaces), future))
        spaces &= spaces - ONE
    return best


@kernel
def _die_value(game, tables, seat, die, costs_nothing, future):
    coins = np.int64(0)
    if not costs_nothing:
        coins -= die_cost(game, tables, seat, die)
    coins += np.int64(game["income"][seat, s.DIE_COLOUR[die]])
    face_coins = np.int64(tables["face_coins"][die, np.int64(game["face"][die])])
    value = _coins_value(game, seat, coins + face_coins)
    if face_coins:
        return value
    spaces = allowed(game, tables, seat, die) & payable(
        game, tables, seat, np.int64(game["coins"][seat]) + coins
    )
    return value + _best_value(game, tables, seat, spaces, future)


@kernel
def _bonus_value(game, tables, seat, bonus, future):
    value = _coins_value(game, seat, np.int64(tables["bonus_coins"][bonus]))
    item = np.int64(tables["bonus_item"][bonus])
    if item & s.KIND_MASK != s.CROSS:
        return value + _item_value(item)
    board = np.int64(game["board"][seat])
    spaces = NONE
    for building in range(s.WONDER_BUILDING + 1):
        if (((item >> s.ARGUMENT) & s.BUILDING_MASK) >> building) & 1:
            spaces |= tables["building"][board, building]
    spaces &= payable(game, tables, seat, np.int64(game["coins"][seat]))
    return max(value + _best_value(game, tables, seat, spaces, future), 0.0)


@kernel
def _item(game, seat):
    """The effect that the seat resolves."""
    return np.int64(game["stack"][seat, np.int64(game["depth"][seat]) - 1])


@kernel
def _value(game, tables, seat, action, item, future):
    """What the agent thinks of an action."""
    if action >= s.SPACE_ACTIONS:
        return _space_value(game, tables, seat, action - s.SPACE_ACTIONS, future)
    if action >= s.BONUS_ACTIONS:
        return _bonus_value(game, tables, seat, action - s.BONUS_ACTIONS, future)
    if action == s.STOP:
        return 0.0
    if action == s.PASS:
        return _coins_value(game, seat, np.int64(tables["pass_coins"]))
    if action == s.WONDER:
        wonder = tables["building"][np.int64(game["board"][seat]), s.WONDER_BUILDING]
        spaces = wonder & payable(game, tables, seat, np.int64(game["coins"][seat]))
        return _best_value(game, tables, seat, spaces, future)
    costs_nothing = item & s.KIND_MASK == s.FREE
    return _die_value(game, tables, seat, action - s.DIE_ACTIONS, costs_nothing, future)


@kernel
def greedy(game, tables, seat, legal, n, noise):
    """The action that looks best; ``noise``, 64 bits, breaks ties."""
    best_action = np.int64(legal[0])
    if n == 1:
        return best_action
    future = _future(game)
    item = _item(game, seat)
    best = 2.0 * HOPELESS
    for index in range(n):
        action = np.int64(legal[index])
        value = _value(game, tables, seat, action, item, future)
        # Each action takes its own slice of the noise.
        word = (noise >> np.uint64(index & 31)) & np.uint64(0xFFFF)
        value += NOISE * np.float64(np.int64(word)) / 65536.0
        if value > best:
            best = value
            best_action = action
    return best_action


@kernel
def appraise(game, tables, seat, legal, n, out):
    """Write the value of each action into ``out[:n, 0]``: see :mod:`antiquity.game.verbs`."""
    future, item = _future(game), _item(game, seat)
    for index in range(n):
        value = _value(game, tables, seat, np.int64(legal[index]), item, future)
        out[index, 0] = min(max(value, -20.0), 20.0)
