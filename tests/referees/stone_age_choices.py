"""Who may do what: the decisions that a position of Stone Age offers, in words (see stone_age_actions)."""

from .stone_age_actions import (
    CARD_SPOTS,
    GATHERING,
    HUNT,
    HUT,
    PILES,
    VILLAGE,
    card_spot,
    pile_place,
)
from .stone_age_payment import all_payments
from .stone_age_player import MOST_PEOPLE
from .stone_age_table import cost_of

PRICES = [1, 2, 3, 4]
HEADS_PER_RESOURCE_PLACE = 7
SEATS_PER_RESOURCE_PLACE = {2: 1, 3: 2, 4: 4}  # by players
VILLAGE_PLACES_PER_ROUND = {2: 2, 3: 2, 4: 3}  # by players


def choices(game):
    """What the decider may do, in words."""
    if game.phase == "place":
        return placements(game, game.active)
    if game.phase == "resolve":
        return things_to_resolve(game)
    if game.phase == "tools":
        return tools_to_add(game)
    if game.phase == "lottery":
        return [("die", face) for face in sorted(set(game.dice))]
    if game.phase == "pay":
        return numbers_to_pay(game)
    return ways_to_feed(game)


def placements(game, seat):
    """Nobody adds to a place where he already has people, the hunt included."""
    in_hand = game.players[seat].in_hand
    found = []
    for place in VILLAGE:
        people = 2 if place == HUT else 1
        if people <= in_hand and is_village_place_open(game, seat, place):
            found.append(("place", place, people))
    for place in GATHERING:
        for people in range(1, HEADS_PER_RESOURCE_PLACE + 1):
            if people <= in_hand and is_resource_place_open(game, seat, place, people):
                found.append(("place", place, people))
    if not is_on(game, seat, HUNT):
        found += [("place", HUNT, people) for people in range(1, in_hand + 1)]
    for place in CARD_SPOTS + PILES:
        if in_hand >= 1 and is_something_on_offer(game, place) and not seats_on(game, place):
            found.append(("place", place, 1))
    return found


def is_village_place_open(game, seat, place):
    """With 2 or 3 players only two of tool maker, field and hut are used in a round. Ten people need no hut."""
    taken = [p for p in VILLAGE if seats_on(game, p)]
    if place in taken or len(taken) >= VILLAGE_PLACES_PER_ROUND[game.num_players]:
        return False
    return place != HUT or game.players[seat].people < MOST_PEOPLE


def is_resource_place_open(game, seat, place, people):
    """Seven heads; with 2 players one of them, with 3 players two of them."""
    seats = seats_on(game, place)
    if seat in seats or len(seats) >= SEATS_PER_RESOURCE_PLACE[game.num_players]:
        return False
    heads = sum(player.placed[place] for player in game.players)
    return heads + people <= HEADS_PER_RESOURCE_PLACE


def is_something_on_offer(game, place):
    """Does a card lie on the spot, a tile on the pile?"""
    if place in CARD_SPOTS:
        return game.open[CARD_SPOTS.index(place)] is not None
    pile = PILES.index(place)
    return pile < game.num_players and bool(game.piles[pile])


def is_on(game, seat, place):
    return game.players[seat].placed[place] > 0


def seats_on(game, place):
    return [seat for seat in range(game.num_players) if is_on(game, seat, place)]


def things_to_resolve(game):
    """One's places in any order; a card with free resources in between."""
    player = game.players[game.active]
    found = []
    for place in [*VILLAGE, *GATHERING, HUNT]:
        if player.placed[place]:
            found.append(("resolve", place))
    for price in PRICES:
        if player.placed[card_spot(price)]:
            found.append(("decline card", price))
            if all_payments(player.resources, price):
                found.append(("buy", price))
    for pile in range(game.num_players):
        if player.placed[pile_place(pile)]:
            found.append(("decline tile", pile))
            found += [("build", pile, pieces) for pieces in pieces_for_tile(game, game.piles[pile][0])]
    return found + pairs_to_cash(game)


def pieces_for_tile(game, kind):
    """With how many pieces the active player can pay for a tile."""
    stock, tile = game.players[game.active].resources, game.tiles[kind]
    if tile["kind"] == "fixed":
        cost = cost_of(tile)
        enough = all(have >= need for have, need in zip(stock, cost, strict=True))
        return [sum(cost)] if enough else []
    if tile["kind"] == "choice":
        return [tile["pieces"]] if all_payments(stock, tile["pieces"], tile["kinds"]) else []
    return [
        pieces for pieces in range(tile["pieces_min"], tile["pieces_max"] + 1) if all_payments(stock, pieces)
    ]


def pairs_to_cash(game):
    if game.players[game.active].free_cards == 0:
        return []
    return [("cash", first, second) for first in range(4) for second in range(first, 4)]


def tools_to_add(game):
    player = game.players[game.active]
    return (
        [("no more tools",)]
        + [("tool", value) for value in player.unused_tools()]
        + [("one-use tool", value) for value in player.unused_one_use_tools()]
    )


def numbers_to_pay(game):
    """How many of the kind that is asked: all numbers that are the start of a whole payment."""
    kind = len(game.paid)
    numbers = {way[kind] for way in game.ways if list(way[:kind]) == game.paid}
    return [("pay", kind, number) for number in sorted(numbers)]


def ways_to_feed(game):
    found = [("go hungry",)]
    if all_payments(game.players[game.active].resources, game.shortage):
        found.append(("feed",))
    return found + pairs_to_cash(game)
