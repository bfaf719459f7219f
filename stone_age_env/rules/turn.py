"""The course of a round: placing people, resolving the places, and feeding.

One ``advance`` carries out the chosen action and then every action that is forced, until somebody has at least two to
choose from or the game is over. Rules document, sections from "placing" to "the two signals of the end".
"""

from __future__ import annotations

import numpy as np

from antiquity.kernels import kernel
from stone_age_env import state as s
from stone_age_env.data.tables import CHOICE, FIXED

from .effects import (
    gather_place,
    harvest,
    raise_agriculture,
    raise_tool,
    take_card,
    take_die,
    use_tool,
)
from .legality import decider, menu
from .rounds import end_round

_ONE = np.uint64(1)


@kernel
def advance(game, tables):
    """The decider has chosen: carry the action out, and all forced ones behind it."""
    run_on(game, tables, np.int64(game["chosen"][decider(game)]))


@kernel
def run_on(game, tables, action):
    """Carry out an action (0 = none) and what is forced, until somebody has a choice or the game is over."""
    idle = 0  # seats in a row that cannot place
    while True:
        if action:
            idle = 0
            _act(game, tables, decider(game), action)
            action = np.int64(0)
            if game["over"]:
                break
        word = menu(game, tables)
        phase = np.int64(game["phase"])
        if word == 0:
            if phase == s.PLACE:
                game["active"] = (np.int64(game["active"]) + 1) % np.int64(game["num_players"])
                idle += 1
                if idle == np.int64(game["num_players"]):
                    game["active"] = game["start"]
                    game["phase"] = s.RESOLVE
            else:
                _next_seat(game, tables)
                if game["over"]:
                    break
        elif word & (word - _ONE):
            game["deciders"] = 1 << decider(game)
            return
        else:
            action = np.int64(s.PHASE_BASE[phase])
            while word != _ONE:
                word >>= _ONE
                action += 1
    game["deciders"] = 0


@kernel
def _act(game, tables, seat, action):
    """Carry out one action of a seat."""
    phase = game["phase"]
    if phase == s.PLACE:
        _put(game, seat, action)
    elif phase == s.RESOLVE:
        _resolve(game, tables, seat, action)
    elif phase == s.TOOLS:
        if action == s.STOP:
            harvest(game, tables)
        elif action < s.USE_ONE_USE:
            use_tool(game, seat, action - s.USE_TOOL + 1)
        else:
            game["one_use"][seat, action - s.USE_ONE_USE] -= 1
            game["total"] += action - s.USE_ONE_USE + 1
    elif phase == s.LOTTERY:
        take_die(game, tables, seat, action - s.TAKE_DIE)
    elif phase == s.FEED:
        _feed(game, tables, seat, action)
    else:
        _pay(game, tables, seat, (action - s.PAY_COUNT) % s.COUNTS)


# --- placing --------------------------------------------------------------------------------------------------------


@kernel
def _put(game, seat, action):
    people = np.int64(1)
    if action < s.PLACE_RESOURCE:
        place = action - s.PLACE_ACTIONS
        if place == s.HUT:
            people = np.int64(s.HUT_PEOPLE)
    elif action < s.PLACE_HUNT:
        place = s.FOREST + (action - s.PLACE_RESOURCE) // s.RINGS
        people = 1 + (action - s.PLACE_RESOURCE) % s.RINGS
    elif action < s.PLACE_CARD:
        place = np.int64(s.HUNT)
        people = 1 + action - s.PLACE_HUNT
    elif action < s.PLACE_BUILDING:
        place = s.CARD_SPOT + action - s.PLACE_CARD
    else:
        place = s.BUILDING + action - s.PLACE_BUILDING
    game["placed"][seat, place] = people
    game["in_hand"][seat] -= people
    game["active"] = (seat + 1) % np.int64(game["num_players"])


# --- resolving ------------------------------------------------------------------------------------------------------


@kernel
def _next_seat(game, tables):
    """The seat has resolved all its places: the next one clockwise does, or all are fed."""
    seat = (np.int64(game["active"]) + 1) % np.int64(game["num_players"])
    game["active"] = seat
    if seat == np.int64(game["start"]):
        _feed_from(game, tables, seat)


@kernel
def _go_home(game, seat, place):
    """Take the people off a place; returns how many they were."""
    people = np.int64(game["placed"][seat, place])
    game["placed"][seat, place] = 0
    game["in_hand"][seat] += people
    return people


@kernel
def _cash(game, seat, pair):
    game["free_cards"][seat] -= 1
    for each in range(2):
        game["resources"][seat, s.PAIRS[pair][each]] += 1


@kernel
def _resolve(game, tables, seat, action):
    if action >= s.CASH:
        _cash(game, seat, action - s.CASH)
        return
    if action < s.BUY_CARD:
        place = action - s.RESOLVE_ACTIONS
        people = _go_home(game, seat, place)
        if place == s.TOOL_MAKER:
            raise_tool(game, seat)
        elif place == s.FIELD:
            raise_agriculture(game, tables, seat)
        elif place == s.HUT:
            game["people"][seat] += 1
        else:
            gather_place(game, tables, place, people)
    elif action < s.BUILD:
        spot = (action - s.BUY_CARD) % s.SPOTS
        _go_home(game, seat, s.CARD_SPOT + spot)
        if action < s.DECLINE_CARD:
            _ask_payment(game, tables, seat, s.CARD_SPOT + spot, spot + 1, s.ANY_KINDS)
    elif action < s.DECLINE_BUILDING:
        pile = (action - s.BUILD) // s.MAX_PIECES
        _go_home(game, seat, s.BUILDING + pile)
        _build(game, tables, seat, pile, 1 + (action - s.BUILD) % s.MAX_PIECES)
    else:
        _go_home(game, seat, s.BUILDING + action - s.DECLINE_BUILDING)


@kernel
def _build(game, tables, seat, pile, pieces):
    kind = np.int64(game["piles"][pile, np.int64(game["pile_left"][pile]) - 1]) - 1
    mode = tables["tile_mode"][kind]
    if mode == FIXED:
        for resource in range(4):
            game["resources"][seat, resource] -= tables["tile_cost"][kind, resource]
        game["points"][seat, s.BUILDING_POINTS] += tables["tile_points"][kind]
        _take_tile(game, seat, pile)
    else:
        kinds = np.int64(tables["tile_kinds"][kind]) if mode == CHOICE else np.int64(s.ANY_KINDS)
        _ask_payment(game, tables, seat, s.BUILDING + pile, pieces, kinds)


@kernel
def _take_tile(game, seat, pile):
    left = np.int64(game["pile_left"][pile]) - 1
    game["piles"][pile, left] = 0
    game["pile_left"][pile] = left
    game["buildings"][seat] += 1
    game["place"] = 0
    game["phase"] = s.RESOLVE


# --- paying ---------------------------------------------------------------------------------------------------------


@kernel
def _ask_payment(game, tables, seat, place, pieces, kinds):
    game["place"] = place
    game["pay_left"] = pieces
    game["pay_kinds"] = kinds
    game["pay_kind"] = 0
    game["phase"] = s.PAY


@kernel
def _pay(game, tables, seat, number):
    """Pay so many of the kind asked for; the next kind is asked for, or the payment is complete."""
    kind = np.int64(game["pay_kind"])
    _hand_over(game, tables, seat, kind, number)
    left = np.int64(game["pay_left"])
    if left and kind < 2:
        game["pay_kind"] = kind + 1
        return
    _hand_over(game, tables, seat, 3, left)
    place = np.int64(game["place"])
    game["pay_kinds"] = 0
    game["pay_kind"] = 0
    if place == s.FEEDING:
        game["place"] = 0
        _feed_next(game, tables, seat)
    elif place >= s.BUILDING:
        _take_tile(game, seat, place - s.BUILDING)
    else:
        take_card(game, tables, seat, place - s.CARD_SPOT)


@kernel
def _hand_over(game, tables, seat, kind, number):
    if number == 0:
        return
    game["resources"][seat, kind] -= number
    game["pay_left"] -= number
    if game["pay_kinds"] != s.ANY_KINDS:
        game["pay_kinds"] -= 1
    place = np.int64(game["place"])
    if s.BUILDING <= place < s.FEEDING:
        game["points"][seat, s.BUILDING_POINTS] += number * np.int64(tables["value"][kind])


# --- feeding --------------------------------------------------------------------------------------------------------


@kernel
def _feed_from(game, tables, seat):
    """Feed one seat after the other, until one is short of food or all are fed."""
    players = np.int64(game["num_players"])
    while True:
        food = (
            np.int64(game["food"][seat])
            + np.int64(game["agriculture"][seat])
            - np.int64(game["people"][seat])
        )
        game["food"][seat] = max(food, 0)
        if food < 0:
            game["active"] = seat
            game["pay_left"] = -food
            game["phase"] = s.FEED
            return
        seat = (seat + 1) % players
        if seat == np.int64(game["start"]):
            end_round(game, tables)
            return


@kernel
def _feed_next(game, tables, seat):
    game["pay_left"] = 0
    seat = (seat + 1) % np.int64(game["num_players"])
    if seat == np.int64(game["start"]):
        end_round(game, tables)
    else:
        _feed_from(game, tables, seat)


@kernel
def _feed(game, tables, seat, action):
    if action < s.STOP:
        _cash(game, seat, action - s.CASH)
    elif action == s.FEED_RESOURCES:
        _ask_payment(game, tables, seat, s.FEEDING, np.int64(game["pay_left"]), s.ANY_KINDS)
    else:
        game["points"][seat, s.HUNGER_POINTS] -= np.int64(tables["hunger_penalty"])
        _feed_next(game, tables, seat)
