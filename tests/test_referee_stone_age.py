"""The referee of Stone Age, checked on its own: the rulings one by one, and whole random games.

A ruling is a situation where game programs go wrong, and its right outcome. Positions are set up by hand; the
name of a test says which rule it is about.
"""

import copy
import random
import tomllib
from collections import Counter
from itertools import chain, pairwise, product
from pathlib import Path

import pytest

from referees.stone_age import Referee
from referees.stone_age_actions import (
    ACTIONS,
    CLAY,
    CLAY_PIT,
    FIELD,
    FOREST,
    GATHERING,
    GOLD,
    HUNT,
    HUT,
    NUMBER,
    QUARRY,
    RIVER,
    STONE,
    TOOL_MAKER,
    VILLAGE,
    WAIT,
    WOOD,
    card_spot,
    pile_place,
)
from referees.stone_age_payment import all_payments
from referees.stone_age_player import CATEGORIES

DATA = Path(__file__).parents[1] / "stone_age_env" / "data" / "base.toml"
TABLE = tomllib.loads(DATA.read_text(encoding="utf-8"))
CARDS = {card["id"]: number for number, card in enumerate(TABLE["cards"])}
TILES = {tile["id"]: number for number, tile in enumerate(TABLE["tiles"])}
ALL_TILES = [number for number, tile in enumerate(TABLE["tiles"]) for _ in range(tile["copies"])]

# Some cards by their tops.
FOOD_7, LOTTERY, EXTRA, FIELD_CARD, TWO_FREE, TOOL_CARD = "C01", "C02", "C03", "C07", "C10", "C11"
POINTS_3, ONE_USE_4, DICE_WOOD = "C13", "C22", "C36"

SPOTS = {card_spot(3): 1, card_spot(4): 1}  # where somebody without resources can only decline, in two orders


def deck(*first):
    """All cards, the named ones on top."""
    top = [CARDS[name] for name in first]
    return top + [card for card in range(len(CARDS)) if card not in top]


def piles(*tops):
    """Four piles of seven, with the named tiles on top of the first ones."""
    rest = list(ALL_TILES)
    for name in tops:
        rest.remove(TILES[name])
    found = []
    for pile in range(4):
        top = [TILES[name] for name in tops[pile : pile + 1]]
        found.append(top + [rest.pop(0) for _ in range(7 - len(top))])
    return found


def dice(faces):
    """{(seat, place): faces}; all other dice show 1."""
    return lambda rounds, seat, place, number: faces.get((seat, place), [1] * number)


def position(players=2, *, cards=(), tiles=(), rolls=None, table=TABLE, seats=None, **options):
    """A game at the first placement. seats: {seat: {attribute of the player: value}}."""
    game = Referee(table, players, deck(*cards), piles(*tiles), dice(rolls or {}), **options)
    for seat, attributes in (seats or {}).items():
        for name, value in attributes.items():
            assert hasattr(game.players[seat], name)
            setattr(game.players[seat], name, copy.deepcopy(value))
            if name == "people":
                game.players[seat].in_hand = value
    return game


def placing(on_board, players=2, **setup):
    """A game where people stand on the board already, {seat: {place: people}}, and seat `active` places next."""
    active = setup.pop("active", 0)
    game = position(players, **setup)
    game.active = active
    for seat, places in on_board.items():
        for place, people in places.items():
            game.players[seat].placed[place] = people
            game.players[seat].in_hand -= people
    return game


def working(on_board, players=2, **setup):
    """The same, when placing is over: the seats resolve what they have, clockwise from the start seat."""
    game = placing(on_board, players, **setup)
    for player in game.players:
        player.in_hand = player.people - sum(player.placed)
    game.queue = game.clockwise_from(game.start)
    game._next_to_resolve()
    return game


def offers(game):
    """What the seat that decides may do, in words."""
    return [ACTIONS[number] for number in game.legal(game.decider())]


def act(game, *words):
    game.step({game.decider(): NUMBER[words]})
    return game


def go_home(game):
    """Everything that is left is declined, and nothing else is there."""
    while game.phase == "resolve":
        act(game, *next(words for words in offers(game) if words[0].startswith("decline")))
    return game


def pieces(wood=0, clay=0, stone=0, gold=0):
    return [wood, clay, stone, gold]


def payments(game):
    """Every payment that the phase "pay" lets through, and what is left of the stock afterwards."""
    if game.phase != "pay":
        return []
    found = []
    for words in offers(game):
        later = act(copy.deepcopy(game), *words)
        found += payments(later) if later.phase == "pay" else [later]
    return found


# ---------------------------------------------------------------------- the rulings


def test_ruling_01_harvest_above_need_stays():
    game = go_home(working({0: SPOTS}, seats={0: {"agriculture": 8, "food": 0}}))
    assert game.round == 1 and game.state()["food"] == [3, 12 - 5]
    assert game.score()[0]["hunger"] == 0


def test_ruling_02_feeding_with_resources_is_a_choice():
    def hungry():
        return go_home(
            working(
                {0: SPOTS},
                seats={0: {"people": 6, "agriculture": 1, "food": 3, "resources": pieces(wood=1, gold=2)}},
            )
        )

    game = hungry()
    assert game.phase == "feed" and offers(game) == [("feed",), ("go hungry",)]
    assert game.state()["pay_left"] == 2 and game.state()["place"] is None

    act(game, "feed")
    assert game.phase == "pay" and game.state()["place"] == 16
    assert offers(game) == [("pay", WOOD, 0), ("pay", WOOD, 1)]
    left = [later.players[0].resources for later in payments(game)]
    assert left == [pieces(wood=1), pieces(gold=1)]  # gold+gold; wood+gold
    assert all(later.score()[0]["hunger"] == 0 and later.players[0].food == 0 for later in payments(game))

    game = act(hungry(), "go hungry")
    assert game.players[0].resources == pieces(wood=1, gold=2) and game.players[0].food == 0
    assert game.score()[0]["hunger"] == -10


def test_ruling_03_the_penalty_is_always_ten_and_points_may_be_negative():
    game = go_home(
        working(
            {0: SPOTS},
            seats={0: {"food": 4, "points": {"buildings": 3, "cards": 0, "hunger": 0}}, 1: {"food": 0}},
        )
    )
    assert [sheet["total"] for sheet in game.score()] == [-7, -10]
    assert game.state()["people"] == [5, 5] and game.round == 1


def test_ruling_03_every_shortage_adds_its_own_ten():
    game = go_home(
        working({0: SPOTS}, seats={0: {"food": 0, "points": {"buildings": 0, "cards": 0, "hunger": -10}}})
    )
    assert game.score()[0]["hunger"] == -20


def test_ruling_04_the_newcomer_eats_now_and_works_later():
    game = working({0: {HUT: 2, **SPOTS}})
    act(game, "resolve", HUT)
    assert game.state()["people"][0] == 6 and game.state()["in_hand"][0] == 3  # two still at the cards
    go_home(game)
    assert game.state()["food"] == [6, 7]
    assert game.round == 1 and game.state()["in_hand"] == [6, 5]


def test_ruling_05_no_topping_up_the_hunt_included():
    game = placing({0: {FOREST: 3, HUNT: 1}}, players=4, seats={0: {"people": 6}})
    places = {place for _, place, _ in offers(game)}
    assert places == {TOOL_MAKER, FIELD, HUT, CLAY_PIT, QUARRY, RIVER, *range(8, 16)}
    game.active = 1
    assert ("place", FOREST, 4) in offers(game) and ("place", HUNT, 5) in offers(game)


def test_ruling_06_the_hut_takes_a_pair_and_nobody_with_ten_people():
    assert ("place", HUT, 2) not in offers(placing({0: {HUNT: 4}}))
    assert ("place", HUT, 2) in offers(placing({0: {HUNT: 3}}))
    assert ("place", HUT, 2) not in offers(placing({0: {HUNT: 8}}, seats={0: {"people": 10}}))
    assert ("place", HUT, 2) in offers(placing({0: {HUNT: 7}}, seats={0: {"people": 9}}))
    assert ("place", HUT, 1) not in NUMBER


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("closed", VILLAGE)
def test_ruling_07_village_places_in_a_round(players, closed):
    taken = {place: (2 if place == HUT else 1) for place in VILLAGE if place != closed}
    shut = players < 4
    for board in ({0: taken}, {seat: {place: n} for seat, (place, n) in enumerate(taken.items())}):
        game = placing(board, players=players, seats={0: {"people": 8}})
        for seat in range(players):
            game.active = seat
            open_places = {place for _, place, _ in offers(game)} & set(VILLAGE)
            assert open_places == (set() if shut else {closed})


def test_ruling_07_next_round_all_three_are_open_again():
    game = working({0: {TOOL_MAKER: 1, FIELD: 1}}, players=3)
    act(game, "resolve", FIELD)
    assert game.round == 1 and {place for _, place, _ in offers(game)} >= set(VILLAGE)


@pytest.mark.parametrize("place", GATHERING)
def test_ruling_08_players_per_resource_place(place):
    def numbers(game):
        return [people for _, where, people in offers(game) if where == place]

    game = placing({0: {place: 3}, 1: {place: 2}}, players=3, active=2)
    assert numbers(game) == []
    assert numbers(placing({0: {place: 3}}, players=3, active=1)) == [1, 2, 3, 4]
    assert numbers(placing({0: {place: 1}}, players=2, active=1)) == []
    assert numbers(placing({0: {place: 2}, 1: {place: 2}, 2: {place: 2}}, players=4, active=3)) == [1]
    assert numbers(placing({0: {place: 3}, 1: {place: 2}, 2: {place: 2}}, players=4, active=3)) == []
    assert numbers(position(seats={0: {"people": 10}})) == [1, 2, 3, 4, 5, 6, 7]


def test_ruling_08_no_such_limit_at_the_hunt_cards_and_buildings():
    game = placing({0: {HUNT: 5}}, players=2, active=1)
    assert [people for _, place, people in offers(game) if place == HUNT] == [1, 2, 3, 4, 5]
    board = {0: {card_spot(1): 1, pile_place(0): 1}, 1: {card_spot(2): 1, pile_place(1): 1}}
    game = placing(board, players=3, active=2)
    places = {place for _, place, _ in offers(game)}
    assert {card_spot(3), card_spot(4), pile_place(2)} <= places  # each for one person
    assert not {card_spot(1), card_spot(2), pile_place(0), pile_place(1), pile_place(3)} & places
    game.active = 0
    assert {card_spot(3), pile_place(2)} <= {place for _, place, _ in offers(game)}  # several by one player


def test_ruling_09_no_passing():
    game = placing({0: {FOREST: 3}})
    assert game.decider() == 0 and offers(game)
    assert {verb for verb, *_ in offers(game)} == {"place"}
    with pytest.raises(ValueError, match="cannot do 0"):
        game.step({0: WAIT})


def test_ruling_10_one_die_for_each_person_and_its_faces_as_they_fall():
    asked = []
    game = working({0: {HUNT: 8, **SPOTS}}, seats={0: {"people": 10}})
    game.roll = lambda *what: asked.append(what) or [1, 2, 3, 4, 5, 6, 1, 3]
    act(game, "resolve", HUNT)
    assert asked == [(0, 0, HUNT, 8)]  # more than seven dice are one total: 25
    assert game.players[0].food == 12 + 12
    for wrong in ([1, 2], [1, 2, 7], [0, 1, 2]):
        game = working({0: {HUNT: 3, **SPOTS}}, rolls={(0, HUNT): wrong})
        with pytest.raises(ValueError, match="dice"):
            act(game, "resolve", HUNT)


def test_ruling_11_divisors():
    twenty = [5, 5, 5, 5]
    for place, good in GATHERING.items():
        game = working({0: {place: 4, **SPOTS}}, seats={0: {"people": 6}}, rolls={(0, place): twenty})
        act(game, "resolve", place)
        assert game.players[0].resources[good] == [6, 5, 4, 3][good] and game.players[0].food == 12
    game = working({0: {HUNT: 4, **SPOTS}}, seats={0: {"people": 6}}, rolls={(0, HUNT): twenty})
    assert act(game, "resolve", HUNT).players[0].food == 22


def test_ruling_12_tools_whole_once_a_round_after_the_dice():
    game = working(
        {0: {RIVER: 2, FOREST: 1, **SPOTS}},
        seats={0: {"tools": [2, 2, 2]}},
        rolls={(0, RIVER): [3, 4], (0, FOREST): [5]},
    )
    act(game, "resolve", RIVER)
    state = game.state()
    assert (state["phase"], state["place"], state["total"], state["decider"]) == ("tools", RIVER, 7, 0)
    for used in ([0, 0, 1], [0, 1, 1]):
        assert offers(game) == [("no more tools",), ("tool", 2)]
        act(game, "tool", 2)
        assert game.state()["used"][0] == used
    act(game, "tool", 2)  # nothing else to decide: the gold is taken
    assert game.state()["used"][0] == [1, 1, 1] and game.players[0].resources == pieces(gold=2)
    act(game, "resolve", FOREST)
    assert game.phase == "resolve" and game.players[0].resources == pieces(wood=1, gold=2)


def test_ruling_13_gaining_tools():
    game = position()
    player = game.players[0]
    ladder = [[0, 0, 0]]
    for _ in range(12):
        player.improve_tool()
        ladder.append(list(player.tools))
    assert ladder == [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 1],
        [2, 1, 1],
        [2, 2, 1],
        [2, 2, 2],
        [3, 2, 2],
        [3, 3, 2],
        [3, 3, 3],
        [4, 3, 3],
        [4, 4, 3],
        [4, 4, 4],
    ]
    player.improve_tool()
    assert player.tools == [4, 4, 4]
    # by the tool maker, a card, a die
    game = working(
        {0: {TOOL_MAKER: 1, card_spot(1): 1, **SPOTS}},
        cards=[TOOL_CARD],
        seats={0: {"tools": [4, 3, 3], "resources": pieces(wood=1)}},
    )
    act(game, "resolve", TOOL_MAKER)
    assert game.players[0].tools == [4, 4, 3]
    act(game, "buy", 1)
    assert game.players[0].tools == [4, 4, 4] and game.players[0].cards == [CARDS[TOOL_CARD]]
    game = working({0: {TOOL_MAKER: 1, **SPOTS}}, seats={0: {"tools": [4, 4, 4]}})
    assert act(game, "resolve", TOOL_MAKER).players[0].tools == [4, 4, 4]


def test_ruling_14_gather_then_pay():
    game = working({0: {card_spot(1): 1, FOREST: 3}}, cards=[FOOD_7], rolls={(0, FOREST): [3, 3, 3]})
    assert offers(game) == [("resolve", FOREST), ("decline card", 1)]
    act(game, "resolve", FOREST)
    assert offers(game) == [("buy", 1), ("decline card", 1)]
    act(game, "buy", 1)
    assert game.players[0].resources == pieces(wood=2) and game.players[0].cards == [CARDS[FOOD_7]]
    assert game.players[0].food == 12 + 7 - 5

    game = working(
        {0: {card_spot(1): 1, FOREST: 3, TOOL_MAKER: 1}},
        cards=[DICE_WOOD],
        seats={0: {"resources": pieces(gold=1)}},
        rolls={(0, card_spot(1)): [6, 3], (0, FOREST): [1, 1, 1]},
    )
    act(game, "buy", 1)
    assert game.players[0].resources == pieces(wood=3)


def test_ruling_15_tools_change_the_two_dice_of_a_card():
    game = working(
        {0: {card_spot(1): 1, **SPOTS}},
        cards=[DICE_WOOD],
        seats={0: {"resources": pieces(gold=1), "tools": [1, 0, 0]}},
        rolls={(0, card_spot(1)): [2, 3]},
    )
    act(game, "buy", 1)
    assert game.state()["place"] == card_spot(1) and offers(game) == [("no more tools",), ("tool", 1)]
    assert game.open[0] is None and game.players[0].cards == [CARDS[DICE_WOOD]]
    act(game, "tool", 1)
    assert game.players[0].resources == pieces(wood=2)


def test_ruling_15_tools_do_not_change_the_row_of_faces():
    game = working(
        {0: {card_spot(1): 1, **SPOTS}},
        cards=[LOTTERY],
        rolls={(0, card_spot(1)): [4, 1]},
        seats={0: {"resources": pieces(gold=1), "tools": [1, 0, 0]}},
    )
    act(game, "buy", 1)
    assert game.phase == "lottery" and offers(game) == [("die", 1), ("die", 4)]


def three_dice(faces):
    return working(
        {1: {card_spot(1): 1, **SPOTS}},
        players=3,
        cards=[LOTTERY],
        seats={1: {"resources": pieces(wood=1)}},
        rolls={(1, card_spot(1)): faces},
    )


def test_ruling_16_the_row_of_faces_for_everyone():
    game = act(three_dice([5, 6, 6]), "buy", 1)
    assert game.decider() == 1 and game.active == 1 and offers(game) == [("die", 5), ("die", 6)]
    assert game.state()["dice"] == [0, 0, 0, 0, 1, 2] and game.state()["place"] == card_spot(1)
    later = act(copy.deepcopy(game), "die", 5)  # two equal dice are left: no choice for the others
    assert later.state()["tools"] == [[0, 0, 0], [1, 0, 0], [0, 0, 0]] and later.state()["agriculture"] == [
        1,
        0,
        1,
    ]
    assert later.phase == "resolve" and later.decider() == 1 and later.state()["dice"] == [0] * 6

    act(game, "die", 6)
    assert game.decider() == 2 and game.active == 1 and offers(game) == [("die", 5), ("die", 6)]
    assert game.legal(0) == game.legal(1) == [WAIT]
    act(game, "die", 6)  # seat 0 takes the 5
    assert game.state()["tools"] == [[1, 0, 0], [0, 0, 0], [0, 0, 0]] and game.state()["agriculture"] == [
        0,
        1,
        1,
    ]


def test_ruling_16_every_face():
    for face in range(1, 7):
        game = act(three_dice([face] * 3), "buy", 1)
        for player in game.players:
            assert player.resources == [int(face == kind + 1) for kind in range(4)]
            assert player.tools == ([1, 0, 0] if face == 5 else [0, 0, 0]) and player.agriculture == int(
                face == 6
            )


def test_ruling_17_cards_slide_only_at_the_end_of_the_round():
    w, x, y, z, first, second = (CARDS[name] for name in ("C01", "C09", "C13", "C16", "C14", "C15"))
    game = working(
        {0: {card_spot(2): 1, card_spot(3): 1, card_spot(4): 1, card_spot(1): 1}},
        cards=["C01", "C09", "C13", "C16", "C14", "C15"],
        seats={0: {"resources": pieces(wood=10)}},
    )
    act(game, "buy", 2)
    act(game, "buy", 3)
    assert game.open == [w, None, None, z] and len(game.deck) == 32
    assert ("buy", 1) in offers(game) and ("buy", 4) in offers(game)
    assert game.players[0].resources == pieces(wood=5)
    go_home(game)
    assert game.round == 1 and game.open == [w, z, first, second] and len(game.deck) == 30
    assert game.players[0].cards == [x, y] and game.score()[0]["cards"] == 3
    assert game.score()[0]["buildings"] == 0 and game.score()[0]["resources"] == 5


def test_ruling_18_the_last_tile_of_a_pile():
    game = working(
        {0: {pile_place(0): 1, **SPOTS}, 1: {TOOL_MAKER: 1, FIELD: 1}, 2: {FOREST: 3, HUNT: 1}},
        players=3,
        tiles=["wood2_clay1"],
        seats={0: {"resources": pieces(wood=2, clay=1)}, 2: {"food": 4}},
    )
    game.piles[0] = game.piles[0][:1]
    act(game, "build", 0, 3)
    assert game.piles[0] == [] and not game.over
    act(game, "decline card", 3)
    assert game.decider() == 1
    act(game, "resolve", FIELD)
    assert game.players[1].tools == [1, 0, 0] and game.players[1].agriculture == 1 and game.decider() == 2
    act(game, "resolve", HUNT)  # a die of 1 gives no food; then the forest, three dice of 1, one wood
    assert game.phase == "feed" and game.decider() == 2
    act(game, "go hungry")
    assert game.over and not game.truncated and game.round == 0 and game.decider() is None
    assert [sheet["hunger"] for sheet in game.score()] == [0, 0, -10]
    assert game.score()[0]["buildings"] == 10 and game.state()["buildings"] == [1, 0, 0]
    assert game.deciders() == [] and game.legal(0) == [WAIT]
    with pytest.raises(ValueError, match="over"):
        game.step({0: WAIT})


def test_ruling_19_the_new_top_tile_waits_for_the_next_round():
    board = {0: {pile_place(0): 1, card_spot(1): 1}, 1: {pile_place(1): 1, card_spot(2): 1}}
    setup = {
        "tiles": ["wood2_clay1"],
        "seats": {0: {"resources": pieces(wood=3, clay=1)}, 1: {"resources": pieces(9, 9, 9, 9)}},
    }
    game = working(board, **setup)
    second = game.piles[0][1]
    act(game, "build", 0, 3)
    assert game.piles[0][0] == second
    act(game, "decline card", 1)
    assert game.decider() == 1 and {what[1] for what in offers(game) if what[0] == "build"} == {1}

    game = working(board, **setup)
    act(game, "decline tile", 0)
    assert game.piles[0][0] == TILES["wood2_clay1"] and len(game.piles[0]) == 7
    assert game.players[0].placed[pile_place(0)] == 0 and game.players[0].in_hand == 4
    assert game.players[0].tiles == 0 and game.players[0].resources == pieces(wood=3, clay=1)


def building(tile, stock, seat_attributes=None):
    """Seat 0 stands on a pile with that tile."""
    return working(
        {0: {pile_place(0): 1, **SPOTS}},
        tiles=[tile],
        seats={0: {"resources": stock, **(seat_attributes or {})}},
    )


def test_ruling_20_free_choice_buildings():
    game = building("choice_4_of_2", pieces(wood=4, stone=3, gold=1))
    assert [what for what in offers(game) if what[0] == "build"] == [("build", 0, 4)]
    act(game, "build", 0, 4)
    state = game.state()
    assert (state["phase"], state["pay_left"], state["pay_kinds"], state["pay_kind"]) == ("pay", 4, 2, WOOD)
    assert state["place"] == pile_place(0) and state["placed"][0][pile_place(0)] == 0
    used = {tuple(later.players[0].resources) for later in payments(game)}
    assert used == {
        (4 - w, 0, 3 - s, 1 - g) for w, s, g in [(1, 3, 0), (2, 2, 0), (3, 1, 0), (3, 0, 1), (0, 3, 1)]
    }
    act(game, "pay", WOOD, 1)  # clay is out of the question, and gold would be a third kind
    assert game.phase == "resolve" and game.players[0].resources == pieces(wood=3, stone=0, gold=1)
    assert game.score()[0]["buildings"] == 18 and game.players[0].tiles == 1


def test_paying_kind_by_kind():
    game = act(building("choice_5_of_3", pieces(3, 3, 3, 3)), "build", 0, 5)
    seen = []
    for words in (("pay", WOOD, 2), ("pay", CLAY, 0), ("pay", STONE, 1)):
        state = game.state()
        seen.append((state["pay_kind"], state["pay_left"], state["pay_kinds"], game.score()[0]["buildings"]))
        if words[1] == STONE:
            assert offers(game) == [("pay", STONE, 1), ("pay", STONE, 2)]
        assert game.players[0].tiles == 0 and len(game.piles[0]) == 7
        act(game, *words)
    assert seen == [(WOOD, 5, 3, 0), (CLAY, 3, 2, 6), (STONE, 3, 2, 6)]
    assert game.score()[0]["buildings"] == 6 + 5 + 12 and game.players[0].resources == pieces(1, 3, 2, 1)
    assert game.players[0].tiles == 1 and len(game.piles[0]) == 6
    assert [game.state()[name] for name in ("pay_left", "pay_kinds", "pay_kind", "place")] == [
        0,
        None,
        None,
        None,
    ]


def test_feeding_from_the_start_seat_clockwise():
    stocks = {seat: {"food": 0, "resources": pieces(wood=5)} for seat in range(3)}
    game = working({1: {card_spot(1): 1}}, players=3, start=1, seats=stocks)
    assert game.decider() == 1
    act(game, "decline card", 1)
    order = []
    while game.phase == "feed":
        order.append(game.decider())
        act(game, "go hungry")
    assert order == [1, 2, 0]


@pytest.mark.parametrize(
    ("tile", "stock", "possible"),
    [
        ("choice_4_of_1", pieces(4, 3, 0, 0), True),
        ("choice_4_of_1", pieces(3, 3, 3, 3), False),
        ("choice_4_of_2", pieces(9, 0, 0, 0), False),
        ("choice_5_of_2", pieces(2, 2, 0, 0), False),
        ("choice_5_of_3", pieces(1, 3, 0, 1), True),
        ("choice_5_of_4", pieces(9, 9, 9, 0), False),
        ("choice_4_of_4", pieces(1, 1, 1, 1), True),
        ("choice_5_of_4", pieces(1, 1, 1, 1), False),
    ],
)
def test_ruling_20_when_a_choice_building_can_be_had(tile, stock, possible):
    assert any(what[0] == "build" for what in offers(building(tile, stock))) == possible


def test_ruling_21_buildings_of_one_to_seven():
    game = building("any_1_to_7", pieces(wood=1, gold=9))
    assert [what for what in offers(game) if what[0] == "build"] == [("build", 0, n) for n in range(1, 8)]
    seven = act(copy.deepcopy(game), "build", 0, 7)
    assert seven.state()["pay_kinds"] is None and offers(seven) == [("pay", WOOD, 0), ("pay", WOOD, 1)]
    act(seven, "pay", WOOD, 0)
    assert seven.score()[0]["buildings"] == 42 and seven.players[0].resources == pieces(wood=1, gold=2)
    act(game, "build", 0, 1)
    act(game, "pay", WOOD, 1)
    assert game.score()[0]["buildings"] == 3 and game.players[0].resources == pieces(gold=9)
    assert ("build", 0, 0) not in NUMBER and ("build", 0, 8) not in NUMBER
    few = building("any_1_to_7", pieces(wood=1, stone=1))
    assert [what for what in offers(few) if what[0] == "build"] == [("build", 0, 1), ("build", 0, 2)]


def test_ruling_22_food_buys_nothing():
    game = working({0: {card_spot(1): 1, pile_place(0): 1}}, seats={0: {"food": 20}}, tiles=["any_1_to_7"])
    first_card, first_tile = game.open[0], game.piles[0][0]
    assert offers(game) == [("decline card", 1), ("decline tile", 0)]
    act(game, "decline card", 1)
    assert game.open[0] == first_card and game.piles[0][0] == first_tile
    assert game.state()["food"][0] == 15 and game.state()["in_hand"][0] == 5


def sheet_with(bottoms, table=TABLE, **attributes):
    """The score sheet of a player with cards of these bottoms."""
    table = copy.deepcopy(table)
    for card, bottom in zip(table["cards"], bottoms, strict=False):
        card["bottom"] = bottom
    game = position(table=table, seats={0: {"cards": list(range(len(bottoms))), **attributes}})
    return game.score()[0]


def symbols(*names):
    return [{"symbol": name} for name in names]


def people(person, *figures):
    return [{"person": person, "figures": number} for number in figures]


def test_ruling_23_culture_sets():
    eight = ["pottery", "writing", "transport", "time", "healing", "art", "music", "weaving"]
    assert sheet_with(symbols(*eight[:5], eight[0]))["culture"] == 26
    assert sheet_with(symbols(*eight, *eight))["culture"] == 128
    assert sheet_with(symbols(*eight[:3], *eight[:3]))["culture"] == 18
    assert sheet_with(symbols(*eight[:5], *eight[:2]))["culture"] == 29
    assert sheet_with([])["culture"] == 0


def test_ruling_24_people_on_sand_cards():
    nobody = sheet_with(symbols("art"), agriculture=7, tools=[4, 4, 4], people=10, tiles=9)
    assert [nobody[name] for name in ("farmers", "toolmakers", "builders", "shamans")] == [0, 0, 0, 0]
    assert sheet_with(people("farmer", 2, 2, 1), agriculture=7)["farmers"] == 35
    assert sheet_with(people("shaman", 2), people=9)["shamans"] == 18
    assert sheet_with(people("builder", 3), tiles=4)["builders"] == 12
    toolmakers = people("toolmaker", 1, 2)
    assert sheet_with(toolmakers, tools=[3, 2, 2], one_use=[0, 1, 1, 1])["toolmakers"] == 21


def test_ruling_25_left_over_resources():
    sheet = sheet_with([], resources=pieces(wood=2, gold=3), food=11)
    assert sheet["resources"] == 5 and sheet["total"] == 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_26_starting_values(players):
    game = Referee(TABLE, players, deck(), piles(), dice({}), start=players - 1)
    state = game.state()
    assert state["people"] == state["in_hand"] == [5] * players and state["food"] == [12] * players
    assert state["agriculture"] == [0] * players and state["resources"] == [[0, 0, 0, 0]] * players
    assert state["tools"] == state["used"] == [[0, 0, 0]] * players
    assert [sheet["total"] for sheet in game.score()] == [0] * players
    assert [len(pile) for pile in state["piles"]] == [7] * players
    assert state["open"] == deck()[:4] and state["deck"] == deck()[4:] and len(deck()) == 36
    assert (state["round"], state["phase"], state["decider"], state["start"]) == (
        0,
        "place",
        players - 1,
        players - 1,
    )
    assert {place for _, place, _ in offers(game)} == set(range(12 + players))


def test_ruling_27_round_order():
    a, b, c, d = range(4)
    game = position(
        4, start=b, seats={a: {"tools": [1, 0, 0]}}, rolls={(a, HUNT): [1, 2], (a, QUARRY): [4, 1, 1]}
    )
    act(game, "place", HUNT, 5)
    placed = []
    for seat in (c, d, a):
        placed.append(game.decider())
        assert game.decider() == seat
        act(game, "place", HUNT, 2)
    for place in (FOREST, CLAY_PIT, QUARRY):
        placed.append(game.decider())
        act(game, "place", place, 3)
    assert placed == [c, d, a, c, d, a]
    resolved = []
    while game.phase == "resolve":  # of b's only place there was nothing to decide; each second place neither
        resolved.append(game.decider())
        assert not any(any(game.players[seat].placed) for seat in [b, c, d, a] if seat in resolved[:-1])
        act(game, "resolve", HUNT)
        if game.phase == "tools":
            assert game.total == 3
            act(game, "tool", 1)
    assert resolved == [c, d, a]
    assert game.players[a].food == 12 + 2 - 5 and game.players[a].resources == pieces(stone=1)
    assert game.round == 1 and game.state()["start"] == game.decider() == c
    assert game.state()["used"] == [[0, 0, 0]] * 4


def test_ruling_28_upper_limits():
    game = working(
        {0: {FIELD: 1, card_spot(1): 1, card_spot(2): 1}},
        cards=[FIELD_CARD, LOTTERY],
        seats={0: {"agriculture": 10, "resources": pieces(wood=3)}},
        rolls={(0, card_spot(2)): [6, 6]},
    )
    act(game, "resolve", FIELD)
    act(game, "buy", 1)
    act(game, "buy", 2)
    assert game.round == 1 and game.state()["agriculture"] == [10, 1]
    game = position(seats={0: {"people": 10, "agriculture": 10, "tools": [4, 4, 4]}})
    assert ("place", HUT, 2) not in offers(game)
    assert {("place", FIELD, 1), ("place", TOOL_MAKER, 1)} <= set(offers(game))  # to keep others away


# ---------------------------------------------------------------------- what the rulings leave out


def test_every_action_has_one_number():
    assert len(ACTIONS) == len(NUMBER) == 158
    expected = {
        ("wait",): 0,
        ("place", TOOL_MAKER, 1): 1,
        ("place", FIELD, 1): 2,
        ("place", HUT, 2): 3,
        ("place", FOREST, 1): 4,
        ("place", RIVER, 7): 31,
        ("place", HUNT, 10): 41,
        ("place", card_spot(1), 1): 42,
        ("place", pile_place(3), 1): 49,
        ("resolve", TOOL_MAKER): 50,
        ("resolve", HUNT): 57,
        ("buy", 1): 58,
        ("decline card", 4): 65,
        ("build", 0, 1): 66,
        ("build", 2, 5): 84,
        ("build", 3, 7): 93,
        ("decline tile", 0): 94,
        ("cash", WOOD, WOOD): 98,
        ("cash", WOOD, GOLD): 101,
        ("cash", CLAY, CLAY): 102,
        ("cash", STONE, STONE): 105,
        ("cash", GOLD, GOLD): 107,
        ("no more tools",): 108,
        ("tool", 1): 109,
        ("one-use tool", 4): 116,
        ("die", 1): 117,
        ("feed",): 123,
        ("go hungry",): 124,
        ("pay", WOOD, 0): 125,
        ("pay", CLAY, 0): 136,
        ("pay", STONE, 10): 157,
    }
    assert {words: NUMBER[words] for words in expected} == expected


def test_the_table_is_the_whole_printed_game():
    tops = Counter(card["top"]["kind"] for card in TABLE["cards"])
    assert tops == {
        "lottery": 10,
        "food": 7,
        "resource": 5,
        "dice_resource": 3,
        "points": 3,
        "one_use_tool": 3,
        "agriculture": 2,
        "tool": 1,
        "extra_card": 1,
        "any_resources": 1,
    }
    bottoms = [card["bottom"] for card in TABLE["cards"]]
    cultures = Counter(bottom["symbol"] for bottom in bottoms if "symbol" in bottom)
    assert len(cultures) == 8 and set(cultures.values()) == {2}
    figures = {
        person: sorted(b["figures"] for b in bottoms if b.get("person") == person)
        for person in ("farmer", "toolmaker", "builder", "shaman")
    }
    assert figures == {
        "farmer": [1, 1, 1, 2, 2],
        "toolmaker": [1, 1, 2, 2, 2],
        "builder": [1, 1, 2, 2, 3],
        "shaman": [1, 1, 1, 2, 2],
    }
    printed = [TABLE["tiles"][number] for number in ALL_TILES]
    assert Counter(tile["kind"] for tile in printed) == {"fixed": 17, "choice": 8, "any": 3}
    assert sum(tile["points"] for tile in printed if tile["kind"] == "fixed") == 222
    for tile in printed:
        if tile["kind"] == "fixed":
            assert tile["points"] == sum(
                TABLE["rules"]["value"][kind] * n for kind, n in tile["cost"].items()
            )


def test_what_is_forced_is_not_asked():
    game = working({0: {HUNT: 5}, 1: {TOOL_MAKER: 1, HUNT: 4}}, rolls={(0, HUNT): [6] * 5})
    assert game.legal(0) == [NUMBER["resolve", HUNT]]  # only a position set up by hand stands here
    act(game, "resolve", HUNT)
    assert game.decider() == 1 and game.players[0].food == 27 and len(offers(game)) == 2


def test_a_seat_that_cannot_place_is_skipped():
    full = dict.fromkeys([*range(8, 14), CLAY_PIT, QUARRY], 1)
    game = placing(
        {0: {TOOL_MAKER: 1, FIELD: 1, HUNT: 1, FOREST: 1}, 1: full}, seats={1: {"people": 10}}, active=1
    )
    assert {place for _, place, _ in offers(game)} == {RIVER, HUNT}
    act(game, "place", RIVER, 1)  # seat 0 has one person and no place left, seat 1 only the hunt
    assert game.phase == "resolve" and game.state()["in_hand"] == [1, 0] and game.players[1].placed[HUNT] == 1


def test_a_fixed_tile_costs_what_is_printed():
    game = building("wood1_clay1_stone1", pieces(wood=1, clay=1, stone=1))
    act(game, "build", 0, 3)
    assert (
        game.score()[0]["buildings"] == 12
        and game.players[0].resources == pieces()
        and game.players[0].tiles == 1
    )
    assert not any(what[0] == "build" for what in offers(building("wood1_clay1_stone1", pieces(9, 9, 0, 9))))


def test_raised_tools_stay_used_and_new_ones_are_fresh():
    def with_tools(tools, used):
        return working({0: {TOOL_MAKER: 1, FOREST: 2, **SPOTS}}, seats={0: {"tools": tools, "used": used}})

    game = with_tools([1, 1, 1], [True, False, True])
    act(game, "resolve", TOOL_MAKER)
    assert game.players[0].tools == [2, 1, 1] and game.state()["used"][0] == [1, 0, 1]
    act(game, "resolve", FOREST)
    assert offers(game) == [("no more tools",), ("tool", 1)]
    game = with_tools([1, 0, 0], [True, False, False])
    act(game, "resolve", TOOL_MAKER)
    act(game, "resolve", FOREST)  # a tool made this round is usable this round
    assert offers(game) == [("no more tools",), ("tool", 1)]
    act(game, "tool", 1)
    assert game.players[0].resources == pieces(wood=1) and game.state()["used"][0] == [1, 1, 0]


def test_one_use_tools():
    game = working(
        {0: {card_spot(1): 1, FOREST: 1, CLAY_PIT: 1, **SPOTS}},
        cards=[ONE_USE_4],
        seats={0: {"resources": pieces(gold=1), "tools": [1, 0, 0]}},
    )
    act(game, "buy", 1)
    assert game.state()["one_use"][0] == [0, 0, 0, 1]
    act(game, "resolve", FOREST)
    assert offers(game) == [("no more tools",), ("tool", 1), ("one-use tool", 4)]
    act(game, "one-use tool", 4)
    act(game, "tool", 1)
    assert game.players[0].resources == pieces(wood=2) and game.state()["one_use"][0] == [0, 0, 0, 0]
    act(game, "resolve", CLAY_PIT)
    assert game.phase == "resolve"  # nothing is left to add
    go_home(game)
    assert (
        game.round == 1
        and game.state()["one_use"][0] == [0, 0, 0, 0]
        and game.state()["used"][0] == [0, 0, 0]
    )
    assert sheet_with(people("toolmaker", 2), one_use=[0, 0, 0, 1])["toolmakers"] == 0


def test_two_free_resources_while_resolving():
    game = working(
        {0: {card_spot(1): 1, card_spot(3): 1, TOOL_MAKER: 1}},
        cards=[TWO_FREE],
        seats={0: {"resources": pieces(gold=2)}},
    )
    act(game, "buy", 1)
    assert game.state()["free_cards"] == [1, 0] and ("buy", 3) not in offers(game)
    assert sum(what[0] == "cash" for what in offers(game)) == 10
    assert game.score()[0]["resources"] == 1 + 2
    act(game, "cash", CLAY, CLAY)
    assert game.players[0].resources == pieces(clay=2, gold=1) and game.state()["free_cards"] == [0, 0]
    assert game.players[0].placed[card_spot(3)] == 1 and ("buy", 3) in offers(game)
    assert not any(what[0] == "cash" for what in offers(game)) and game.players[0].cards == [CARDS[TWO_FREE]]


def test_two_free_resources_against_hunger():
    game = go_home(working({0: SPOTS}, seats={0: {"food": 3, "free_cards": 1}}))
    assert game.phase == "feed" and ("feed",) not in offers(game) and len(offers(game)) == 11
    act(game, "cash", WOOD, GOLD)
    assert offers(game) == [("feed",), ("go hungry",)]
    act(game, "feed")  # both, without asking
    assert game.round == 1 and game.players[0].resources == pieces() and game.score()[0]["hunger"] == 0
    game = go_home(working({0: SPOTS}, seats={0: {"food": 3, "free_cards": 1, "people": 6}}))
    act(game, "cash", WOOD, GOLD)  # two of three: hunger is all that is left
    assert (
        game.round == 1
        and game.players[0].resources == pieces(1, 0, 0, 1)
        and game.score()[0]["hunger"] == -10
    )


def test_the_extra_card_counts_with_its_bottom_only():
    game = working(
        {0: {card_spot(1): 1, **SPOTS}},
        cards=[EXTRA, "C02", "C04", "C05", TWO_FREE],
        seats={0: {"resources": pieces(gold=1)}},
    )
    act(game, "buy", 1)
    assert game.state()["extra"] == [[CARDS[TWO_FREE]], []] and game.state()["cards"] == [[CARDS[EXTRA]], []]
    assert game.state()["free_cards"] == [0, 0] and len(game.deck) == 31
    assert game.score()[0]["culture"] == 4  # writing and healing


def test_the_extra_card_of_an_empty_deck():
    game = working({0: {card_spot(1): 1, **SPOTS}}, cards=[EXTRA], seats={0: {"resources": pieces(gold=1)}})
    game.deck = []
    act(game, "buy", 1)
    assert game.state()["extra"] == [[], []]
    assert go_home(game).over and not game.truncated


@pytest.mark.parametrize("in_deck", [0, 1])
def test_too_few_cards_end_the_game_after_feeding(in_deck):
    game = working(
        {0: {card_spot(1): 1, card_spot(2): 1}},
        cards=[FOOD_7],
        seats={0: {"resources": pieces(gold=1)}, 1: {"food": 1}},
    )
    game.deck = game.deck[:in_deck]
    act(game, "buy", 1)
    assert game.over == (in_deck == 0) and game.score()[1]["hunger"] == -10
    assert game.round == (0 if game.over else 1) and game.start == (0 if game.over else 1)
    assert (game.open[0] is None) == game.over


def test_the_most_rounds_truncate():
    game = go_home(working({0: SPOTS}, max_rounds=1))
    assert game.over and game.truncated and game.round == 0 and game.start == 0
    game = working(
        {0: {pile_place(0): 1, **SPOTS}},
        max_rounds=1,
        tiles=["any_1_to_7"],
        seats={0: {"resources": pieces(wood=1)}},
    )
    game.piles[0] = game.piles[0][:1]
    assert go_home(act(game, "build", 0, 1)).over and not game.truncated  # an ordinary end in the same round


def test_every_top_once():
    for card in TABLE["cards"]:
        top = card["top"]
        game = working(
            {0: {card_spot(1): 1, **SPOTS}},
            cards=[card["id"]],
            seats={0: {"resources": pieces(gold=1)}},
            rolls={(0, card_spot(1)): [6, 6]},
        )
        act(game, "buy", 1)
        player, other = game.players
        assert player.cards == [CARDS[card["id"]]] and game.open[0] is None and game.phase == "resolve"
        assert player.food == 12 + (top["n"] if top["kind"] == "food" else 0)
        gained = pieces()
        if top["kind"] == "resource":
            gained = pieces(**{top["resource"]: top["n"]})
        if top["kind"] == "dice_resource":
            gained = pieces(**{top["resource"]: 12 // TABLE["rules"]["divisor"][top["resource"]]})
        assert player.resources == gained and player.points["cards"] == (3 if top["kind"] == "points" else 0)
        assert player.agriculture == int(top["kind"] in ("agriculture", "lottery"))
        assert other.agriculture == int(top["kind"] == "lottery")
        assert player.tools == ([1, 0, 0] if top["kind"] == "tool" else [0, 0, 0])
        assert player.one_use == [int(top.get("value") == value) for value in range(1, 5)]
        assert player.free_cards == int(top["kind"] == "any_resources")
        assert len(player.extra) == int(top["kind"] == "extra_card")


def test_ranks():
    game = position(4)
    for player, (points, agriculture) in zip(game.players, [(5, 1), (9, 0), (5, 1), (5, 2)], strict=True):
        player.points["buildings"], player.agriculture = points, agriculture
    assert game.ranks() == [3, 1, 3, 2]
    assert [sheet["tiebreak"] for sheet in game.score()] == [6, 5, 6, 7]


def test_illegal_steps_raise_and_change_nothing():
    game = position()
    before = game.state()
    for actions in (
        {},
        {0: WAIT},
        {1: WAIT},
        {0: NUMBER["resolve", HUNT]},
        {0: NUMBER["place", HUNT, 6]},
        {0: NUMBER["place", HUNT, 1], 1: WAIT},
        {0: -1},
        {0: 158},
    ):
        with pytest.raises(ValueError, match="seat"):
            game.step(actions)
        assert game.state() == before
    for wrong in ({"players": 5}, {"players": 1}, {"start": 2}, {"max_rounds": 0}):
        with pytest.raises(ValueError, match=r"players|seat|round"):
            position(**wrong)
    with pytest.raises(ValueError, match="deck"):
        Referee(TABLE, 2, deck()[1:], piles(), dice({}))
    for too_few in (piles()[:1], [piles()[0], []]):
        with pytest.raises(ValueError, match="pile"):
            Referee(TABLE, 2, deck(), too_few, dice({}))


@pytest.mark.parametrize(
    ("where", "wrong"),
    [
        ("top", {"kind": "steal"}),
        ("top", {"kind": "resource", "resource": "food", "n": 1}),
        ("bottom", {"person": "king", "figures": 1}),
    ],
)
def test_unknown_words_in_the_table_are_refused(where, wrong):
    table = copy.deepcopy(TABLE)
    table["cards"][0][where] = wrong
    with pytest.raises(ValueError, match="unknown"):
        position(table=table)


# ---------------------------------------------------------------------- payments against an inequality


def can_be_completed(pieces_left, kinds_left, later_stocks):
    """Whether so many pieces can be paid in exactly so many of the kinds that are still to come."""
    if kinds_left is None:
        return 0 <= pieces_left <= sum(later_stocks)
    if kinds_left < 0:
        return False
    if kinds_left == 0:
        return pieces_left == 0
    largest = sorted(later_stocks, reverse=True)[:kinds_left]
    return len(largest) == kinds_left and min(largest) > 0 and kinds_left <= pieces_left <= sum(largest)


@pytest.mark.parametrize("kinds", [None, 1, 2, 3, 4])
def test_payments_are_those_of_the_inequality(kinds):
    for stock in product(range(5), repeat=4):
        for number in (1, 4, 5, 7):
            ways = all_payments(stock, number, kinds)
            assert bool(ways) == can_be_completed(number, kinds, stock)
            first = {way[0] for way in ways}
            assert first == {
                x
                for x in range(min(stock[0], number) + 1)
                if can_be_completed(number - x, None if kinds is None else kinds - (x > 0), stock[1:])
            }


def test_numbers_of_payments():
    # Facts that do not depend on how they are found: C(n+3, 3) ways for n free pieces, and those of exact kinds.
    assert [len(all_payments([10] * 4, n)) for n in range(1, 11)] == [
        4,
        10,
        20,
        35,
        56,
        84,
        120,
        165,
        220,
        286,
    ]
    assert [len(all_payments([9] * 4, 4, kinds)) for kinds in range(1, 5)] == [4, 18, 12, 1]
    assert [len(all_payments([9] * 4, 5, kinds)) for kinds in range(1, 5)] == [4, 24, 24, 4]


# ---------------------------------------------------------------------- whole games


class Dice:
    """Dice of one game; each is thrown once only."""

    def __init__(self, rng):
        self.rng = rng
        self.thrown = set()

    def __call__(self, rounds, seat, place, number):
        assert (rounds, seat, place) not in self.thrown and 3 <= place <= 11
        self.thrown.add((rounds, seat, place))
        return [self.rng.randint(1, 6) for _ in range(number)]


def random_game(players, rng, table=TABLE, **options):
    cards = rng.sample(range(len(table["cards"])), len(table["cards"]))
    tiles = [number for number, tile in enumerate(table["tiles"]) for _ in range(tile["copies"])]
    rng.shuffle(tiles)
    four = [tiles[7 * pile : 7 * pile + 7] for pile in range(4)]
    return Referee(table, players, cards, four, Dice(rng), start=rng.randrange(players), **options)


def check_position(game, players):
    state = game.state()
    cards = [card for card in state["open"] if card is not None] + state["deck"]
    cards += chain.from_iterable(state["cards"] + state["extra"])
    assert sorted(cards) == list(range(len(game.cards)))
    assert sum(state["buildings"]) + sum(map(len, state["piles"])) == 7 * players
    for seat in range(players):
        at_work = state["in_hand"][seat] + sum(state["placed"][seat])
        newcomers = state["people"][seat] - at_work
        assert newcomers == 0 if state["phase"] == "place" else newcomers in (0, 1)
        assert 5 <= state["people"][seat] <= 10 and 0 <= state["agriculture"][seat] <= 10
        assert state["food"][seat] >= 0 and min(state["resources"][seat]) >= 0
        assert all(0 <= value <= 4 for value in state["tools"][seat])
        assert max(state["tools"][seat]) - min(state["tools"][seat]) <= 1
        assert all(
            value or not used for value, used in zip(state["tools"][seat], state["used"][seat], strict=True)
        )
        sheet = game.score()[seat]
        assert list(sheet) == [*CATEGORIES, "total", "tiebreak"]
        assert sheet["total"] == sum(sheet[category] for category in CATEGORIES)
        assert sheet["hunger"] % 10 == 0
    village = [place for place in VILLAGE if any(state["placed"][seat][place] for seat in range(players))]
    assert len(village) <= (3 if players == 4 else 2)
    for place in GATHERING:
        heads = [state["placed"][seat][place] for seat in range(players)]
        assert sum(heads) <= 7 and sum(map(bool, heads)) <= {2: 1, 3: 2, 4: 4}[players]
    assert all(sum(state["placed"][seat][place] for seat in range(players)) <= 1 for place in range(8, 16))


def play_to_the_end(game, rng, choose):
    players = game.num_players
    rounds = [(game.round, game.start)]
    phases = Counter()
    while not game.over:
        check_position(game, players)
        decider = game.decider()
        assert game.deciders() == [decider]
        for seat in range(players):
            legal = game.legal(seat)
            assert legal == sorted(set(legal))
            if seat == decider:
                assert len(legal) >= 2 and legal[0] > 0 and legal[-1] < 158
            else:
                assert legal == [WAIT]
        assert (decider == game.active) or game.phase == "lottery"
        phases[game.phase] += 1
        game.step({decider: choose(game.legal(decider), rng)})
        if (game.round, game.start) != rounds[-1]:
            rounds.append((game.round, game.start))
    check_position(game, players)
    for (before, seat), (after, next_seat) in pairwise(rounds):
        assert after == before + 1 and next_seat == (seat + 1) % players
    assert not any(any(player.placed) for player in game.players) and min(game.ranks()) == 1
    return phases


def any_of_all(legal, rng):
    return rng.choice(legal)


def no_declining(legal, rng):
    """Cards and tiles are bought, and hunger is avoided, where possible: richer and shorter games."""
    return rng.choice(
        [action for action in legal if action not in (*range(62, 66), *range(94, 98), 124)] or legal
    )


@pytest.mark.parametrize("choose", [any_of_all, no_declining])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_to_the_end(players, choose):
    phases = Counter()
    for seed in range(3):
        rng = random.Random(f"{players} {choose.__name__} {seed}")
        game = random_game(players, rng)
        phases += play_to_the_end(game, rng, choose)
        full_row = len(game.deck) + sum(card is not None for card in game.open) >= 4
        assert game.truncated == (all(game.piles) and full_row)
    assert set(phases) == {"place", "resolve", "tools", "lottery", "pay", "feed"}


@pytest.mark.parametrize("seed", range(3))
def test_random_games_with_tops_and_bottoms_shuffled(seed):
    rng = random.Random(f"shuffled {seed}")
    table = copy.deepcopy(TABLE)
    for half in ("top", "bottom"):
        halves = [card[half] for card in table["cards"]]
        if half == "top":
            halves = rng.choices(halves, k=20) + [{"kind": "any_resources"}, {"kind": "extra_card"}] * 8
        rng.shuffle(halves)
        for card, its_half in zip(table["cards"], halves, strict=True):
            card[half] = its_half
    play_to_the_end(random_game(rng.choice([2, 3, 4]), rng, table), rng, no_declining)


def test_the_same_chance_and_choices_make_the_same_game():
    ends = []
    for _ in range(2):
        rng = random.Random("again")
        game = random_game(3, rng)
        play_to_the_end(game, rng, any_of_all)
        ends.append((game.state(), game.score()))
    assert ends[0] == ends[1]


def test_a_game_where_nobody_buys_is_truncated():
    rng = random.Random("nobody buys")
    game = random_game(2, rng, max_rounds=12)
    play_to_the_end(
        game,
        rng,
        lambda legal, rng: rng.choice(
            [action for action in legal if not 42 <= action <= 49 and not 58 <= action <= 61] or legal
        ),
    )
    assert game.truncated and game.round == 11
