"""The referee of 7 Wonders Dice, checked on its own: the rulings one by one, and whole random games.

A ruling is a situation where game programs go wrong, and its right outcome. Positions are set up by hand; the
name of a test says which rule it is about.
"""

import copy
import random
import tomllib
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from referees.dice import (
    A_SPACE,
    AGAIN,
    COINS,
    DICE,
    FIRST_BONUS,
    FIRST_DIE,
    FIRST_SPACE,
    MIDDLE_BONUS,
    PASS,
    PLACES,
    STOP,
    WAIT,
    WONDER,
    Referee,
    colour_of,
)
from referees.dice_player import CATEGORIES
from referees.dice_sheet import NO_EFFECT, SPECIAL, check_effect, read_sheet

DATA = Path(__file__).parents[1] / "dice_env" / "data"
SHEET = tomllib.loads((DATA / "sheet.toml").read_text(encoding="utf-8"))
PRINTED_DICE = tomllib.loads((DATA / "dice.toml").read_text(encoding="utf-8"))["dice"]
BOARDS = tomllib.loads((DATA / "boards.toml").read_text(encoding="utf-8"))["boards"]
BOARD_IDS = [board["id"] for board in BOARDS]
SPACES = list(read_sheet(SHEET, BOARDS[0]).values())

TRIO = ["giza", "rhodes", "alexandria"]
PAIR = ["giza", "rhodes"]
BONUS_A_SPACE = FIRST_BONUS + A_SPACE
BONUS_AGAIN = FIRST_BONUS + AGAIN
BONUS_COINS = FIRST_BONUS + COINS


def spaces_called(name):
    return [space.slot for space in SPACES if name in (space.building, space.part)]


def first(name, number=None):
    """The numbers of the first so many spaces (or all) of a building, or of a part of one."""
    return spaces_called(name)[:number]


def cross(name, number=1):
    """The action of crossing space 1, 2, ... of a building, or of a part of one."""
    return FIRST_SPACE + spaces_called(name)[number - 1]


def die(name):
    return FIRST_DIE + DICE.index(name)


def lies(name, quadrant, face):
    printed = next(die for die in PRINTED_DICE if die["id"] == name)
    return quadrant, printed["faces"].index(face)


def position(
    boards=TRIO,
    *,
    forum=None,
    crossed=None,
    coins=None,
    bonuses=None,
    sheet=SHEET,
    printed_boards=BOARDS,
    **options,
):
    """A game at the start of a turn. forum: {die: (quadrant, face)}; the dice not named lie in quadrant 3 with
    their first face up. A special die that is named takes the place of a grey one. crossed: {seat: numbers of spaces};
    coins: {seat: coins}, else none; bonuses: {seat: numbers}. All later throws show the same.
    """
    where = {name: lies(name, *place) for name, place in (forum or {}).items()}
    game = Referee(
        sheet,
        PRINTED_DICE,
        printed_boards,
        deal=lambda: boards,
        replaced=lambda colour: greys(game)[-1],
        throw=lambda turn, dice: {name: where.get(name, (3, 0)) for name in dice},
        **options,
    )
    for name in SPECIAL:
        if name in where:
            del game.forum[greys(game)[-1]]
            game.forum[name] = (0, 0)
    for seat, player in enumerate(game.players):
        player.coins = (coins or {}).get(seat, 0)
        player.crossed = set((crossed or {}).get(seat, []))
        player.bonuses = set((bonuses or {}).get(seat, []))
    game._start_turn()
    return game


def greys(game):
    return [name for name in DICE[:3] if name in game.forum]


def play(game, *actions, seat=0):
    """One seat takes these decisions one after the other, the others pass."""
    for action in actions:
        game.step({s: action if s == seat else PASS for s in game.deciders()})
    return game


def seat_of(game, seat=0):
    return game.state()["seats"][seat]


def stack(game, seat=0):
    return seat_of(game, seat)["stack"]


# ---------------------------------------------------------------------- the rulings


@pytest.mark.parametrize("building", ["barracks", "wonder", "warehouse", "market", "agora", "university"])
def test_ruling_01_ties_in_the_guild_court(building):
    lane = first("middle") if building != "university" else []  # who may choose the purple die
    tie = 2 if building != "university" else 6  # the first six spaces have the middle lane in them

    def allowed(own, *others):
        crossed = {seat: first(building, number) for seat, number in enumerate([own, *others])}
        crossed[0] = crossed[0] + lane
        game = position(
            TRIO[: 1 + len(others)], forum={"purple": (0, building)}, crossed=crossed, coins={0: 9}
        )
        return die("purple") in game.legal(0)

    assert allowed(tie, tie, tie - 1)
    assert allowed(tie, tie - 1, tie)
    assert not allowed(tie, tie + 1, tie - 1)
    assert not allowed(tie, tie - 1, tie + 1)
    assert not allowed(tie, tie)
    assert allowed(tie + 1, tie)


def test_ruling_01_spaces_of_this_turn_do_not_count():
    forum = {"purple": (0, "barracks"), "red": (0, "axe"), "blue": (0, "mask")}
    game = position(
        ["giza", "rhodes"], forum=forum, coins={0: 9}, crossed={0: first("middle") + first("wonder", 1)}
    )
    play(game, WONDER)  # another action, Giza's second stage
    assert die("purple") not in game.legal(0)
    play(game, die("red"))  # own 1, other 0, but only since this turn
    assert die("purple") in game.legal(0)  # the next turn

    game = position(
        ["giza", "rhodes"],
        forum=forum,
        coins={0: 9, 1: 9},
        crossed={0: first("middle") + first("wonder", 1) + first("west_attack", 1)},
    )
    game.step({0: WONDER, 1: die("red")})  # the other draws level this turn: too late
    assert die("purple") in game.legal(0)
    play(game, PASS)
    assert die("purple") not in game.legal(0)


def test_ruling_02_resources_stay():
    game = position(
        forum={"blue": (0, "mask")},
        crossed={0: first("warehouse", 3) + first("agora_a", 2) + first("agora_c", 1)},
    )
    play(game, die("blue"))
    game.forum["blue"] = lies("blue", 0, "owl")
    play(game, die("blue"))
    assert set(first("agora_a") + first("agora_c") + first("warehouse", 3)) == set(seat_of(game)["crossed"])
    assert seat_of(game)["coins"] == 0


def test_ruling_03_paying_a_shortage():
    setup = {"forum": {"blue": (2, "temple")}, "crossed": {0: first("warehouse", 2) + first("agora_b", 2)}}
    game = position(coins={0: 4}, **setup)
    play(game, die("blue"))
    assert seat_of(game)["coins"] == 0 and set(first("agora_b")) <= set(seat_of(game)["crossed"])
    assert die("blue") not in position(coins={0: 3}, **setup).legal(0)


def test_ruling_04_a_full_warehouse_gives_no_bonus():
    game = position(forum={"grey1": (0, "textile")}, crossed={0: first("warehouse", 5)})
    play(game, die("grey1"))
    assert game.turn == 1 and seat_of(game)["bonuses"] == []
    assert seat_of(game)["crossed"] == first("warehouse")


def test_ruling_05_special_dice_are_personal():
    game = position(
        forum={"green": (0, "compass"), "black": (0, "market")},
        coins={0: 9, 1: 9},
        crossed={0: first("upper")},
    )
    assert die("black") in game.legal(0) and die("black") not in game.legal(1)
    play(game, die("green"), seat=1)
    play(game, die("green"), seat=1)
    assert die("black") not in game.legal(1)
    game.players[1].coins = 9
    play(game, die("green"), seat=1)
    assert die("black") in game.legal(1) and die("black") not in game.legal(2)


@pytest.mark.parametrize("second", [None, 3, 4])
def test_ruling_06_one_more_turn_after_a_third_bonus(second):
    """Seat 0 crosses its third bonus in turn 3; another seat never, in the same turn, or in the next."""
    complete = {0: first("wonder", 2) + first("warehouse"), 1: first("wonder", 2) + first("warehouse")}
    game = position(crossed=complete, bonuses={0: [0, 1], 1: [0, 1]})
    for turn in range(5):
        assert game.turn == turn and not game.over and game.last_turn == (turn == 4)
        actions = {0: WONDER if turn == 3 else PASS, 1: WONDER if turn == second else PASS, 2: PASS}
        game.step(actions)
    assert game.over and not game.truncated and game.turn == 4 and game.last_turn
    assert game.deciders() == []
    assert seat_of(game)["bonuses"] == [0, 1, 2]
    assert seat_of(game)["coins"] == 3 * 4 + 7 and seat_of(game, 2)["coins"] == 3 * 5


def test_ruling_07_bonuses():
    # The last space of the wonder, and two turns later the last one of the agora.
    almost = first("agora_a", 2) + first("agora_b") + first("agora_c")
    game = position(
        forum={"blue": (0, "mask")},
        coins={0: 9},
        crossed={0: first("warehouse") + first("wonder", 2) + almost},
    )
    play(game, WONDER)
    assert game.turn == 0 and game.deciders() == [0]
    assert game.legal(0) == [BONUS_AGAIN, BONUS_A_SPACE, BONUS_COINS] and game.legal(1) == [WAIT]
    play(game, BONUS_COINS)
    assert seat_of(game)["coins"] == 9 + 7 and game.turn == 1
    play(game, die("blue"))
    assert game.legal(0) == [BONUS_AGAIN, BONUS_A_SPACE]
    play(game, BONUS_AGAIN)
    assert stack(game) == [["action"]] and PASS in game.legal(0)
    play(game, PASS)
    assert seat_of(game)["bonuses"] == [AGAIN, COINS] and seat_of(game)["coins"] == 16 + 3


def test_ruling_08_passing():
    game = position()
    assert game.legal(0) == [PASS]
    assert stack(game) == [["action"]]  # the first action of a turn is asked even so
    play(game, PASS)
    assert seat_of(game)["coins"] == 3
    game = position(forum={"grey1": (0, "stone")}, coins={0: 7})
    assert {die("grey1"), PASS} <= set(game.legal(0))


def test_ruling_09_the_agora_face_tells_the_track():
    game = position(forum={"blue": (0, "mask")}, coins={0: 9})
    play(game, die("blue"))
    game.forum["blue"] = lies("blue", 0, "scales")
    play(game, die("blue"))
    assert seat_of(game)["crossed"] == first("agora_a", 2)


@pytest.mark.parametrize("second", [0, 1])
def test_ruling_10_first_to_fill_the_agora(second):
    """Seat 1 fills it in turn 0, seat 2 in the same turn or the next."""
    almost = first("agora")[:-1]
    game = position(forum={"blue": (0, "owl")}, crossed={1: almost, 2: almost}, coins={1: 9, 2: 9})
    for turn in range(2):
        game.step(
            {0: PASS, 1: die("blue") if turn == 0 else PASS, 2: die("blue") if turn == second else PASS}
        )
        assert game.score()[1]["agora"] == (24 if turn == 0 else 27)  # fixed at the end of the turn
        while game.turn == turn:
            game.step(dict.fromkeys(game.deciders(), BONUS_COINS))
    assert [sheet["agora"] for sheet in game.score()] == [0, 27, 27 if second == 0 else 24]
    assert game.state()["agora_first"] == ([1, 2] if second == 0 else [1])


@pytest.mark.parametrize(("face", "points"), [("axe", [2, 0]), ("sword", [0, 3])])
def test_ruling_11_barracks_with_two_players(face, points):
    game = position(PAIR, forum={"red": (0, face)}, crossed={1: first("east_defence", 1)})
    play(game, die("red"))
    assert seat_of(game)["attack"] == points


@pytest.mark.parametrize(("face", "attacked", "side"), [("axe", 1, "east"), ("sword", 2, "west")])
def test_ruling_11_west_attacks_the_left_neighbour_east_the_right(face, attacked, side):
    for seat, where in product(range(3), ("east", "west")):
        game = position(forum={"red": (0, face)}, crossed={seat: first(f"{where}_defence")})
        play(game, die("red"))
        assert sum(seat_of(game)["attack"]) == (1 if (seat, where) == (attacked, side) else 3)


def test_ruling_12_points_of_an_attack_are_written_down():
    game = position(forum={"red": (0, "axe")}, coins={0: 9, 1: 9})
    play(game, die("red"))
    for number in (1, 2):
        game.forum["red"] = lies("red", 0, "shield")
        play(game, die("red"), cross("east_defence", number), seat=1)
    assert set(first("east_defence")) <= set(seat_of(game, 1)["crossed"])
    assert seat_of(game)["attack"] == [3, 0] and game.score()[0]["barracks west"] == 3
    game.forum["red"] = lies("red", 0, "axe")
    play(game, die("red"))  # the second attack: 3 - 2
    assert seat_of(game)["attack"] == [4, 0]


def test_ruling_12_defences_of_this_turn_come_too_late():
    game = position(
        forum={"black": (0, "barracks"), "red": (0, "shield")},
        coins={0: 9, 1: 9},
        crossed={0: first("upper"), 1: first("west_defence")},
    )
    game.step({0: die("black"), 1: die("red"), 2: PASS})
    assert set(first("east_defence", 1)) <= set(seat_of(game, 1)["crossed"]) and game.deciders() == [0]
    game.step({0: cross("west_attack")})
    assert seat_of(game)["attack"] == [3, 0]
    play(game, die("black"), cross("west_attack", 2))
    assert seat_of(game)["attack"] == [3 + 2, 0]


def test_ruling_13_extra_action():
    # The red die completes the west barracks, the bonus is another action.
    forum = {"red": (0, "axe"), "blue": (1, "mask")}
    done = first("west_attack", 4) + first("west_defence")
    game = position(forum=forum, crossed={0: done + first("warehouse")}, coins={0: 0})
    play(game, die("red"), BONUS_AGAIN)
    assert seat_of(game)["attack"] == [6, 0]
    assert game.turn == 0 and game.legal(0) == [WONDER, PASS]  # the track is full, the blue die costs a coin

    game = position(
        ["babylon", "giza"],
        forum={"green": (1, "gear"), "red": (0, "sword")},
        coins={0: 20},
        crossed={0: first("lower", 1)},
    )
    play(game, die("green"))  # 1 + 3 coins; Babylon's space gives another action
    assert game.turn == 0 and seat_of(game)["coins"] == 16
    assert {die("green"), die("red"), WONDER, PASS} <= set(game.legal(0))
    assert game.state()["forum"]["green"] == [1, 2]  # as it lay
    play(game, die("green"))  # the same die, paid again: 1 + 6
    assert seat_of(game)["coins"] == 9 and game.turn == 1


@pytest.mark.parametrize(("coins", "legal"), [(3, True), (2, False)])
def test_ruling_14_an_action_without_die_cost(coins, legal):
    game = position(
        ["halicarnassus", "giza"],
        forum={"green": (3, "tablet"), "red": (0, "axe")},
        crossed={0: first("warehouse", 2) + first("wonder", 1) + first("middle", 2)},
        coins={0: 2 + coins},
    )
    play(game, WONDER)  # cost 4, 2 resources
    assert stack(game) == [["free"]] and seat_of(game)["coins"] == coins
    assert (die("green") in game.legal(0)) == legal
    assert {die("red"), STOP} <= set(game.legal(0)) and not {WONDER, PASS} & set(game.legal(0))
    if legal:
        play(game, die("green"))
        assert seat_of(game)["coins"] == 0 and set(first("middle")) <= set(seat_of(game)["crossed"])
    else:
        play(game, STOP)
        assert seat_of(game)["coins"] == coins and game.turn == 1


def test_ruling_15_discounts():
    def after(board, crossed, quadrant, coins=9):
        game = position(
            [board, "rhodes"], forum={"grey1": (quadrant, "stone")}, crossed={0: crossed}, coins={0: coins}
        )
        assert (die("grey1") in game.legal(0)) == (coins > 0)
        return seat_of(play(game, die("grey1")))["coins"] if coins else None

    two_discounts = first("wonder", 1) + first("market_right")[1:2]  # Olympia's first stage and R2
    assert after("olympia", [], 1) == 8
    assert after("olympia", first("wonder", 1), 1) == 9
    assert after("olympia", two_discounts, 1) == 9
    assert after("olympia", two_discounts, 3) == 8
    assert after("olympia", two_discounts, 3, coins=0) is None
    assert after("alexandria", first("wonder", 1), 3) == 9  # grey dice cost nothing
    assert after("alexandria", two_discounts, 1) == 9


def test_ruling_16_ranks():
    def ranks(totals, coins):
        game = position(coins=dict(enumerate(coins)))
        for player, total in zip(game.players, totals, strict=True):
            player.attack["west"] = total
        assert [sheet["total"] for sheet in game.score()] == totals
        assert [sheet["tiebreak"] for sheet in game.score()] == coins
        return game.ranks()

    assert ranks([60, 60, 55], [4, 4, 9]) == [1, 1, 3]
    assert ranks([60, 60, 55], [4, 5, 9]) == [2, 1, 3]
    assert ranks([55, 60, 60], [9, 4, 4]) == [3, 1, 1]


@pytest.mark.parametrize("middle_bonus", ["any", "four_colours"])
def test_ruling_17_the_middle_bonus(middle_bonus):
    game = position(
        crossed={0: first("wonder", 2) + first("warehouse", 4) + first("agora_a", 1)},
        coins={0: 2 + 1},
        middle_bonus=middle_bonus,
    )
    play(game, WONDER, BONUS_A_SPACE)  # 6 - 4; one coin is left, 4 resources
    places = ["agora", "market", "barracks", "university"]
    if middle_bonus == "any":
        places = ["warehouse", "agora", "market", "barracks", "university", "gallery"]
    assert stack(game) == [["cross", places, 1]]
    expected = [cross("agora_a", 2), cross("agora_b"), cross("agora_c")]
    expected += [cross(part, number) for part in ("market_left", "market_right") for number in (1, 2, 3)]
    expected += [cross(f"{side}_{track}") for side in ("west", "east") for track in ("attack", "defence")]
    expected += [cross("upper"), cross("middle"), cross("lower")]
    if middle_bonus == "any":
        expected += [cross("papyrus"), cross("textile"), cross("laurel")]
        expected += [cross(f"{colour}_leader") for colour in ("red", "green", "blue", "yellow")]
    assert game.legal(0) == sorted([*expected, STOP])
    play(game, cross("agora_a", 2))
    assert set(first("agora_a", 2)) <= set(seat_of(game)["crossed"]) and game.turn == 1

    game = position(
        crossed={0: first("wonder", 2) + first("agora_b", 2)}, coins={0: 6 + 3}, middle_bonus=middle_bonus
    )
    play(game, WONDER, BONUS_A_SPACE)  # the third space of B costs 4
    assert cross("agora_b", 3) not in game.legal(0) and cross("agora_a") in game.legal(0)
    assert cross("agora_a", 2) not in game.legal(0)
    play(game, cross("market_left", 3))
    assert seat_of(game)["coins"] == 0


def test_ruling_18_an_effect_within_an_effect_comes_first():
    # The green leader, two spaces of the university; the first is Babylon's extra action.
    game = position(
        ["babylon", "giza"],
        forum={"white": (0, "green_leader"), "red": (0, "axe")},
        coins={0: 20},
        crossed={0: first("warehouse") + first("lower", 1) + first("lower")[2:]},
    )  # white, out of order
    play(game, die("white"))
    assert stack(game) == [["cross", ["university"], 2]]
    play(game, cross("lower", 2))
    assert stack(game) == [["cross", ["university"], 1], ["action"]]
    play(game, die("red"))
    assert stack(game) == [["cross", ["university"], 1]]
    play(game, STOP)
    assert game.turn == 1


def test_ruling_18_a_bonus_comes_before_the_second_space():
    done = first("west_attack", 4) + first("west_defence")
    game = position(forum={"white": (0, "red_leader")}, coins={0: 20}, crossed={0: first("lower") + done})
    play(game, die("white"), cross("west_attack", 5))
    assert stack(game) == [["cross", ["barracks"], 1], ["bonus"]]
    play(game, BONUS_A_SPACE)
    assert stack(game)[0] == ["cross", ["barracks"], 1] and stack(game)[1][0] == "cross"
    play(game, cross("laurel"))
    assert game.legal(0) == sorted([cross("east_attack"), cross("east_defence"), STOP])


def test_ruling_18_the_effect_comes_before_the_bonus():
    gallery = [slot for slot in first("gallery") if slot not in first("red_leader")]
    game = position(forum={"white": (0, "red_leader")}, coins={0: 20}, crossed={0: first("lower") + gallery})
    play(game, die("white"))
    assert stack(game) == [["bonus"], ["cross", ["barracks"], 2]]
    play(game, cross("west_attack"), cross("west_attack", 2))
    assert stack(game) == [["bonus"]] and game.legal(0) == [BONUS_AGAIN, BONUS_A_SPACE, BONUS_COINS]


# ---------------------------------------------------------------------- other rules


@pytest.mark.parametrize("players", range(2, 8))
def test_setup(players):
    game = random_game(players, random.Random(players))
    state = game.state()
    assert (
        state["num_players"] == players and state["turn"] == 0 and state["deciders"] == list(range(players))
    )
    assert set(state["forum"]) == {"grey1", "grey2", "grey3", "green", "blue", "red", "yellow"}
    for seat in state["seats"]:
        assert seat == {
            "board": seat["board"],
            "coins": 7,
            "crossed": [],
            "bonuses": [],
            "attack": [0, 0],
            "unlocked": [],
            "stack": [["action"]],
        }
    assert len({seat["board"] for seat in state["seats"]}) == players
    assert all(sheet["total"] == 0 and sheet["tiebreak"] == 7 for sheet in game.score())


def test_the_numbers_of_the_spaces():
    sizes = {
        "warehouse": 6,
        "agora": 8,
        "market": 6,
        "barracks": 14,
        "university": 9,
        "guild_court": 3,
        "gallery": 7,
        "wonder": 3,
    }
    assert Counter(space.building for space in SPACES) == sizes
    begins = {
        "warehouse": 0,
        "agora_a": 6,
        "agora_b": 9,
        "agora_c": 12,
        "market_left": 16,
        "market_right": 20,
        "west_attack": 24,
        "west_defence": 29,
        "east_attack": 31,
        "east_defence": 36,
        "upper": 38,
        "middle": 41,
        "lower": 44,
        "guild_court": 47,
        "laurel": 51,
        "red_leader": 56,
        "green_leader": 57,
        "blue_leader": 58,
        "yellow_leader": 59,
        "wonder": 60,
    }
    assert {name: first(name)[0] for name in begins} == begins
    assert first("warehouse") == [
        first(name)[0] for name in ("stone", "wood", "clay", "glass", "papyrus", "textile")
    ]


def test_the_data_say_what_the_rules_say():
    rules = SHEET["rules"]
    assert rules["start_coins"] == 7 and rules["pass_coins"] == 3
    assert rules["quadrant_cost"] == [0, 1, 2, 3] and rules["first_agora_vp"] == 3
    assert [printed["id"] for printed in PRINTED_DICE] == list(DICE)
    for printed in PRINTED_DICE:
        for symbol in printed["symbols"]:
            if printed["id"] == "purple":
                assert symbol["spaces"] == ["guild_court"] and symbol["compares"] == symbol["id"]
            elif symbol["id"] == "coins7":
                assert symbol["coins"] == 7
            else:
                assert set(symbol["spaces"]) == set(PLACES[colour_of(printed["id"])][symbol["id"]])
        assert set(printed["faces"]) <= {symbol["id"] for symbol in printed["symbols"]}
    again, a_space, coins = SHEET["bonuses"]
    assert again["effect"] == {"kind": "extra_action"} and coins["effect"] == {"kind": "coins", "n": 7}
    assert a_space["effect"]["up_to"] == 1
    assert set(a_space["effect"]["buildings"]) == set(MIDDLE_BONUS["any"])
    assert set(a_space["narrow_buildings"]) == set(MIDDLE_BONUS["four_colours"])


def test_a_die_that_allows_nothing_cannot_be_chosen():
    game = position(
        forum={"grey1": (0, "stone"), "red": (0, "shield"), "blue": (0, "mask")},
        coins={0: 1},
        crossed={0: first("stone") + first("west_defence") + first("east_defence") + first("agora_a")},
    )
    assert game.legal(0) == [PASS]
    game = position(forum={"grey1": (3, "stone")}, coins={0: 3})
    assert game.legal(0)[0] == die("grey1")
    assert die("grey1") not in position(forum={"grey1": (3, "stone")}, coins={0: 2}).legal(0)


def test_the_only_space_is_crossed_unasked_and_a_choice_is_asked():
    game = position(forum={"red": (0, "shield")}, coins={0: 2}, crossed={0: first("east_defence")})
    play(game, die("red"))
    assert game.turn == 1 and set(first("west_defence", 1)) <= set(seat_of(game)["crossed"])

    game = position(forum={"red": (0, "shield")}, coins={0: 2})
    play(game, die("red"))
    assert stack(game) == [["pick", "red"]]
    assert game.legal(0) == [
        cross("west_defence"),
        cross("east_defence"),
    ]  # having chosen a die one must build
    assert seat_of(game)["coins"] == 2 and game.legal(1) == [WAIT]


def test_only_affordable_spaces_are_offered():
    game = position(forum={"yellow": (1, "chest")}, coins={0: 3})
    play(game, die("yellow"))
    assert game.legal(0) == [cross("market_right", 1), cross("market_right", 2)]  # 2 coins are left


def test_halves_of_the_market_have_no_order():
    game = position(forum={"yellow": (0, "camel")}, coins={0: 20})
    play(game, die("yellow"), cross("market_left", 3), die("yellow"), cross("market_left", 1), die("yellow"))
    assert seat_of(game)["crossed"] == first("market_left")


def test_seven_coins_of_the_yellow_die():
    game = position(forum={"yellow": (2, "coins7")}, coins={0: 2, 1: 1}, crossed={1: first("market_left", 1)})
    assert die("yellow") not in game.legal(1)  # the income comes after the die is paid
    play(game, die("yellow"))
    assert seat_of(game)["coins"] == 2 - 2 + 7 and seat_of(game)["crossed"] == []
    game = position(
        forum={"yellow": (2, "coins7")}, coins={1: 2}, crossed={1: first("market")}
    )  # L1: yellow income
    play(game, die("yellow"), seat=1)  # the discount of R2
    assert seat_of(game, 1)["coins"] == 2 - 1 + 2 + 7


def test_income_pays_for_the_space_but_not_for_the_die():
    # Giza's upper lane begins with 2 coins for the red die.
    def legal(coins, quadrant=1):
        game = position(
            forum={"red": (quadrant, "axe")},
            coins={0: coins},
            crossed={0: first("upper", 1) + first("west_attack", 3)},
        )  # the next costs 3
        return die("red") in game.legal(0)

    assert legal(2) and not legal(1) and not legal(2, quadrant=3)
    game = position(
        forum={"red": (1, "axe")}, coins={0: 2}, crossed={0: first("upper", 1) + first("west_attack", 3)}
    )
    play(game, die("red"))
    assert seat_of(game)["coins"] == 0

    game = position(["rhodes", "giza"], forum={"green": (0, "compass"), "blue": (0, "mask")}, coins={0: 2})
    play(game, die("green"))  # the space that gives income for blue dice
    play(game, die("blue"))
    assert seat_of(game)["coins"] == 2


def test_income_without_die_cost():
    game = position(
        ["halicarnassus", "giza"],
        forum={"yellow": (3, "coins7")},
        coins={0: 4},
        crossed={0: first("wonder", 1) + first("market_left", 1)},
    )
    play(game, WONDER, die("yellow"))
    assert seat_of(game)["coins"] == 2 + 7 and game.turn == 1


def test_a_free_action_may_use_the_die_that_gave_it():
    game = position(
        ["rhodes", "giza"], forum={"green": (2, "gear")}, coins={0: 2 + 3 + 6}, crossed={0: first("lower", 1)}
    )
    play(game, die("green"))
    assert stack(game) == [["free"]] and {die("green"), STOP} <= set(game.legal(0))
    play(game, die("green"))
    assert seat_of(game)["coins"] == 0 and seat_of(game)["unlocked"] == ["white"]


def test_coins_for_spaces_now_and_points_at_the_end():
    game = position(forum={"yellow": (0, "chest")}, coins={0: 3}, crossed={0: first("agora", 5)})
    play(game, die("yellow"), cross("market_right", 3))
    assert seat_of(game)["coins"] == 5 and game.score()[0]["market"] == 5
    game.players[0].crossed.add(first("agora")[5])
    assert seat_of(game)["coins"] == 5 and game.score()[0]["market"] == 6

    game = position(coins={0: 3})
    play(game, WONDER)  # Giza's first stage counts itself
    assert seat_of(game)["coins"] == 2 and game.score()[0]["wonder"] == 2
    game = position(
        forum={"yellow": (0, "camel")},
        coins={0: 3},
        crossed={0: first("west_attack", 2) + first("east_attack", 1) + first("east_defence", 2)},
    )
    play(game, die("yellow"), cross("market_left", 3))  # both sides together
    assert seat_of(game)["coins"] == 5 and game.score()[0]["market"] == 5


def test_score_sheet():
    game = position(
        ["giza", "rhodes"],
        crossed={
            0: (
                first("warehouse", 4)
                + first("agora_a", 2)
                + first("agora_c", 2)  # 1 + 3 + 2 + 4
                + first("market")  # 2 x 3 stages, 3 barracks, 4 warehouse, 4 agora
                + first("west_attack", 2)
                + first("east_defence", 1)
                + first("middle", 2)
                + first("lower", 1)  # 3 spaces of the university
                + first("guild_court", 2)  # 5 + 6
                + first("laurel", 2)
                + first("blue_leader")  # 2 x 3 spaces
                + first("wonder")  # 2 x 3 stages, and 7
            )
        },
    )
    game.players[0].attack = {"west": 5, "east": 0}
    game.agora_first = [1]
    assert game.score()[0] == {
        "wonder": 13,
        "barracks west": 5,
        "barracks east": 0,
        "agora": 10,
        "market": 17,
        "university": 3,
        "guild court": 11,
        "gallery": 6,
        "total": 65,
        "tiebreak": 0,
    }
    assert game.score()[1] == {**dict.fromkeys(CATEGORIES, 0), "agora": 3, "total": 3, "tiebreak": 0}


def test_the_black_die_crosses_any_next_space_of_its_building():
    def offered(face):
        game = position(
            forum={"black": (0, face)},
            coins={0: 20},
            crossed={
                0: (first("upper") + first("agora_a", 1) + first("market_left", 1) + first("west_attack", 5))
            },
        )
        return play(game, die("black")).legal(0)

    barracks = [cross("west_defence"), cross("east_attack"), cross("east_defence")]
    agora = [cross("agora_a", 2), cross("agora_b"), cross("agora_c")]
    market = [cross("market_left", 2), cross("market_left", 3)]
    market += [cross("market_right", number) for number in (1, 2, 3)]
    university = [cross("middle"), cross("lower")]
    assert offered("barracks") == barracks
    assert offered("agora") == agora
    assert offered("market") == market
    assert offered("university") == university
    assert offered("warehouse") == [FIRST_SPACE + slot for slot in first("warehouse")]
    assert offered("any") == sorted(barracks + agora + market + university)


@pytest.mark.parametrize(
    ("face", "name"),
    [(f"{c}_leader",) * 2 for c in ("red", "green", "blue", "yellow")] + [("laurel", "laurel")],
)
def test_the_white_die(face, name):
    game = position(forum={"white": (0, face)}, coins={0: 2}, crossed={0: first("lower")})
    play(game, die("white"))
    assert set(seat_of(game)["crossed"]) == set(first("lower") + first(name, 1))


@pytest.mark.parametrize(
    ("face", "lane", "special"),
    [("compass", "upper", "black"), ("tablet", "middle", "purple"), ("gear", "lower", "white")],
)
def test_a_first_unlock_replaces_a_grey_die_at_the_end_of_the_turn(face, lane, special):
    # Two seats unlock the same die in the same turn, seat 2 later; only one grey die leaves.
    game = position(
        forum={"green": (0, face)},
        coins={0: 9, 1: 9, 2: 9},
        crossed={seat: first(lane, 2) for seat in range(3)},
    )
    game.replaced = {special: "grey2"}.get
    game.step({0: die("green"), 1: die("green"), 2: PASS})
    assert set(game.forum) == {"grey1", "grey3", "green", "blue", "red", "yellow", special}
    assert [seat_of(game, seat)["unlocked"] for seat in range(3)] == [[special], [special], []]
    game.step({0: PASS, 1: PASS, 2: die("green")})
    assert set(game.forum) == {"grey1", "grey3", "green", "blue", "red", "yellow", special}
    assert seat_of(game, 2)["unlocked"] == [special]


def test_the_new_die_comes_after_the_turn():
    # The middle bonus unlocks black; a following action cannot use it yet, but could if it lay in the forum.
    def after(forum):
        game = position(
            ["babylon", "giza"],
            forum={"green": (0, "compass"), **forum},
            coins={0: 30},
            crossed={0: first("upper", 2) + first("middle") + first("lower")},
        )
        return play(game, die("green"), BONUS_AGAIN)

    assert die("black") not in after({}).legal(0)
    game = after({"black": (0, "agora")})
    assert die("black") in game.legal(0) and game.turn == 0


def test_several_new_dice_in_one_turn_until_no_grey_is_left():
    left = iter(["grey3", "grey1", "grey2"])
    asked = []

    def replaced(colour):
        asked.append(colour)
        return next(left)

    game = position(
        forum={"green": (0, "compass")},
        coins={0: 9},
        crossed={0: first("upper", 2), 1: first("lower"), 2: first("middle")},
    )
    game.replaced = replaced
    play(game, die("green"))
    assert asked == ["black", "purple", "white"]
    assert set(game.forum) == {"green", "blue", "red", "yellow", "black", "purple", "white"}
    play(game, PASS)
    assert len(asked) == 3


def test_a_new_die_at_the_very_end_is_not_thrown():
    game = position(
        forum={"green": (0, "compass")}, coins={0: 9}, crossed={0: first("upper", 2)}, max_turns=1
    )
    play(game, die("green"))
    assert game.over and game.truncated and game.turn == 0 and not game.last_turn
    assert game.state()["forum"]["black"] == [0, 0] and game.state()["forum"]["red"] == [3, 0]


def test_up_to_two_spaces_may_be_declined_and_void_effects_are_skipped():
    game = position(forum={"white": (0, "blue_leader")}, coins={0: 2}, crossed={0: first("lower")})
    play(game, die("white"))  # A1 costs nothing, then nothing is affordable
    assert game.legal(0) == [STOP, cross("agora_a")]
    play(game, cross("agora_a"))
    assert game.turn == 1

    game = position(
        forum={"white": (0, "blue_leader")}, coins={0: 9}, crossed={0: first("lower") + first("agora")}
    )
    play(game, die("white"))
    assert game.turn == 1 and seat_of(game)["coins"] == 7


def test_up_to_two_spaces_are_of_one_building():
    boards = copy.deepcopy(BOARDS)
    stage = next(space for space in boards[0]["spaces"] if space["id"] == "wonder1")
    stage["effect"] = {"kind": "cross", "buildings": ["agora", "barracks", "market"], "up_to": 2}
    game = position(printed_boards=boards, coins={0: 20})
    play(game, WONDER)
    assert stack(game) == [["cross", ["agora", "market", "barracks"], 2]]
    play(game, cross("west_defence"))
    assert stack(game) == [["cross", ["barracks"], 1]]
    assert cross("east_attack") in game.legal(0) and cross("agora_a") not in game.legal(0)


def test_an_extra_action_with_nothing_but_passing_is_passed():
    game = position(["giza", "rhodes"], coins={0: 1}, crossed={0: first("wonder", 1)})
    play(game, WONDER)
    assert game.turn == 1 and seat_of(game)["coins"] == 3


def test_the_middle_bonus_may_be_wasted():
    everything = [s.slot for s in SPACES if s.building in MIDDLE_BONUS["any"]]
    game = position(crossed={0: everything + first("wonder", 2)})
    play(game, WONDER, BONUS_A_SPACE)
    assert game.turn == 1 and seat_of(game)["bonuses"] == [A_SPACE]


def test_the_last_bonus_is_taken_unasked_and_there_is_none_after_it():
    done = first("warehouse") + first("wonder", 2)
    game = position(crossed={0: done}, bonuses={0: [AGAIN, A_SPACE]})
    play(game, WONDER)
    assert game.turn == 1 and seat_of(game)["coins"] == 7 and game.last_turn
    game = position(crossed={0: done}, bonuses={0: [AGAIN, A_SPACE, COINS]})
    play(game, WONDER)
    assert game.turn == 1 and seat_of(game)["coins"] == 0


def test_no_more_bonuses_wait_than_are_left():
    # The red leader completes the gallery and then the west barracks; only one bonus is left.
    gallery = [slot for slot in first("gallery") if slot not in first("red_leader")]
    done = first("lower") + gallery + first("west_attack", 4) + first("west_defence")
    game = position(
        forum={"white": (0, "red_leader")}, coins={0: 20}, crossed={0: done}, bonuses={0: [AGAIN, A_SPACE]}
    )
    play(game, die("white"), cross("west_attack", 5))
    assert stack(game) == [["bonus"], ["cross", ["barracks"], 1]]
    play(game, STOP)
    assert seat_of(game)["bonuses"] == [AGAIN, A_SPACE, COINS] and game.turn == 1

    game = position(
        forum={"white": (0, "red_leader")}, coins={0: 20}, crossed={0: done}, bonuses={0: [AGAIN]}
    )
    play(game, die("white"), cross("west_attack", 5))
    assert stack(game) == [["bonus"], ["cross", ["barracks"], 1], ["bonus"]]
    play(game, BONUS_COINS, STOP)  # the other one, a space, follows unasked
    assert stack(game)[-1][0] == "cross" and seat_of(game)["bonuses"] == [AGAIN, A_SPACE, COINS]


@pytest.mark.parametrize(
    "building", ["wonder", "west", "east", "agora", "market", "university", "guild_court", "gallery"]
)
def test_every_building_of_the_city_gives_a_bonus(building):
    if building in ("west", "east"):
        spaces = first(f"{building}_attack") + first(f"{building}_defence")
    else:
        spaces = first(building)
    game = position(crossed={0: spaces[:-1]}, coins={0: 50})
    player = game.players[0]
    player.stack.clear()
    game._cross(0, player.spaces[spaces[-1]])
    assert ("bonus",) in player.stack


def test_the_wonder_without_a_bonus():
    game = position(crossed={0: first("warehouse") + first("wonder", 2)}, wonder_bonus=False)
    play(game, WONDER)
    assert game.turn == 1 and seat_of(game)["coins"] == 0


def test_both_sides_of_the_barracks_as_one_building():
    setup = {"forum": {"red": (0, "axe")}, "coins": {0: 9}, "barracks_bonus": "both_sides"}
    west = first("west_attack", 4) + first("west_defence")
    assert play(position(crossed={0: west}, **setup), die("red")).turn == 1
    both = west + first("east_attack") + first("east_defence")
    assert stack(play(position(crossed={0: both}, **setup), die("red"))) == [["bonus"]]


def test_grey_dice_with_all_six_resources():
    for number, name in enumerate(["stone", "wood", "clay", "textile", "glass", "papyrus"]):
        game = position(coins={0: 9}, grey_dice="six_resources")
        game.forum["grey2"] = (0, number)
        play(game, die("grey2"))
        assert seat_of(game)["crossed"] == first(name)
    game = position(coins={0: 9})
    game.forum["grey2"] = (0, 2)
    assert seat_of(play(game, die("grey2")))["crossed"] == first("wood")


def test_max_turns_truncates():
    game = position(max_turns=2)
    play(game, PASS, PASS)
    assert game.over and game.truncated and game.turn == 1 and game.deciders() == []
    # The last turn of a game that ends by itself is no truncation.
    game = position(crossed={0: first("warehouse") + first("wonder", 2)}, bonuses={0: [0, 1]}, max_turns=2)
    play(game, WONDER, PASS)
    assert game.over and not game.truncated and game.last_turn


def test_seats_decide_at_once():
    game = position(forum={"red": (0, "shield"), "yellow": (0, "camel")}, coins={0: 9, 1: 9})
    game.step({0: die("red"), 1: die("yellow"), 2: PASS})
    assert game.deciders() == [0, 1] and game.legal(2) == [WAIT] and stack(game, 2) == []
    game.step({0: cross("west_defence"), 1: cross("market_left", 2)})
    assert game.turn == 1 and game.deciders() == [0, 1, 2]


def test_illegal_steps_raise_and_change_nothing():
    game = position(forum={"red": (0, "shield")}, coins={0: 9})
    before = game.state()
    for actions in (
        {},
        {0: PASS},
        {0: WAIT, 1: PASS, 2: PASS},
        {0: STOP, 1: PASS, 2: PASS},
        {0: die("red"), 1: die("black"), 2: PASS},
        {0: cross("west_defence"), 1: PASS, 2: PASS},
        {0: PASS, 1: PASS, 2: PASS, 3: PASS},
    ):
        with pytest.raises(ValueError, match=r"decide, not|cannot do"):
            game.step(actions)
        assert game.state() == before


def test_chance_is_checked():
    def game(deal=PAIR, throw=(0, 0), replaced="grey1"):
        return Referee(
            SHEET,
            PRINTED_DICE,
            BOARDS,
            deal=lambda: deal,
            replaced=lambda colour: replaced,
            throw=lambda turn, dice: dict.fromkeys(dice, throw),
        )

    game()
    for wrong in ({"deal": PAIR[:1]}, {"throw": (4, 0)}, {"throw": (0, 6)}):
        with pytest.raises(ValueError, match=r"not a game for|cannot lie"):
            game(**wrong)
    for wrong in ("blue", "black"):
        unlocking = game(replaced=wrong)
        unlocking.players[0].crossed = set(first("upper"))
        with pytest.raises(ValueError, match="not a grey die"):
            play(unlocking, PASS)


def test_unknown_effects_are_refused():
    for wrong in (
        {"kind": "teleport"},
        {"kind": "coins"},
        {"kind": "unlock", "die": "red"},
        {"kind": "cross", "buildings": ["harbour"], "up_to": 1},
    ):
        with pytest.raises(ValueError, match="effect"):
            check_effect(wrong)


# ---------------------------------------------------------------------- whole games


def random_game(players, rng, boards=BOARDS, sheet=SHEET, **options):
    game = Referee(
        sheet,
        PRINTED_DICE,
        boards,
        deal=lambda: rng.sample(BOARD_IDS, players),
        throw=lambda turn, dice: {name: (rng.randrange(4), rng.randrange(6)) for name in dice},
        replaced=lambda colour: rng.choice(greys(game)),
        **options,
    )
    return game


def random_actions(game, rng):
    """Any legal actions, but passing and stopping only where nothing else is possible: richer games."""
    legal = {seat: game.legal(seat) for seat in game.deciders()}
    return {
        seat: rng.choice([a for a in actions if a not in (PASS, STOP)] or actions)
        for seat, actions in legal.items()
    }


def check_position(game):
    """What holds at every moment of every game."""
    state = game.state()
    assert len(state["forum"]) == 7
    for seat, (player, here) in enumerate(zip(game.players, state["seats"], strict=True)):
        assert here["coins"] >= 0 and here["bonuses"] == sorted(set(here["bonuses"]))
        for space in player.crossed_spaces():
            assert player.crossed.issuperset(space.needs)
        for side, points in zip(("west", "east"), here["attack"], strict=True):
            printed = [s.vp for s in player.crossed_spaces("barracks") if s.part == f"{side}_attack"]
            assert sum(max(0, vp - 2) for vp in printed) <= points <= sum(printed)
        assert here["unlocked"] == [
            special
            for lane, special in (("upper", "black"), ("middle", "purple"), ("lower", "white"))
            if first(lane)[2] in here["crossed"]
        ]
        assert len(here["bonuses"]) + here["stack"].count(["bonus"]) <= 3
        legal = game.legal(seat)
        assert legal == sorted(set(legal)) and legal[0] >= 0 and legal[-1] <= 80
        assert (legal == [WAIT]) == (seat not in state["deciders"]) == (not here["stack"])
        if len(legal) == 1:  # asked without a choice: only the first action of a turn
            assert legal[0] in (WAIT, PASS) and len(here["stack"]) <= 1
    for sheet in game.score():
        assert list(sheet) == [*CATEGORIES, "total", "tiebreak"]
        assert sheet["total"] == sum(sheet[category] for category in CATEGORIES)


def finish(game, rng):
    """Play a game to its end, with every rule about its turns checked."""
    seats = range(game.num_players)
    ends = None  # the turn of the first third bonus, and one more
    while not game.over:
        check_position(game)
        before = game.state()
        game.step(random_actions(game, rng))
        after = game.state()
        for seat in seats:
            assert set(before["seats"][seat]["crossed"]) <= set(after["seats"][seat]["crossed"])
            assert set(before["seats"][seat]["bonuses"]) <= set(after["seats"][seat]["bonuses"])
        assert after["turn"] - before["turn"] in (0, 1)
        if after["turn"] > before["turn"]:
            assert all(here["stack"] == [["action"]] for here in after["seats"])
        if after["turn"] > before["turn"] or after["over"]:
            unlocked = {special for here in after["seats"] for special in here["unlocked"]}
            assert {name for name in after["forum"] if name in SPECIAL} == unlocked
            full = [seat for seat in seats if set(first("agora")) <= set(after["seats"][seat]["crossed"])]
            assert after["agora_first"] == (before["agora_first"] or full)
            if ends is None and any(len(here["bonuses"]) == 3 for here in after["seats"]):
                ends = before["turn"] + 1
        else:
            assert after["forum"] == before["forum"] and after["agora_first"] == before["agora_first"]
            assert after["deciders"]
    check_position(game)
    assert game.truncated == (game.turn != ends)
    assert game.deciders() == [] and all(game.legal(seat) == [WAIT] for seat in seats)
    assert min(game.ranks()) == 1
    with pytest.raises(ValueError, match="over"):
        game.step({})


OPTIONS = [
    {},
    {"wonder_bonus": False, "barracks_bonus": "both_sides"},
    {"grey_dice": "six_resources", "middle_bonus": "four_colours"},
    {"max_turns": 12},
]


@pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: "-".join(map(str, options.values())) or "default"
)
@pytest.mark.parametrize("players", range(2, 8))
def test_random_games_to_the_end(players, options):
    rng = random.Random(f"{players} {options}")
    game = random_game(players, rng, **options)
    finish(game, rng)
    assert game.truncated == ("max_turns" in options) and game.turn < 150


@pytest.mark.parametrize("seed", range(12))
def test_random_games_with_effects_shuffled_over_all_boards_and_buildings(seed):
    rng = random.Random(seed)
    sheet, boards = copy.deepcopy(SHEET), copy.deepcopy(BOARDS)
    on_boards = {space["id"] for space in boards[0]["spaces"]}
    places = [
        space
        for track in sheet["tracks"]
        if track["id"] != "warehouse"
        for space in track["spaces"]
        if space["id"] not in on_boards and space.get("effect", NO_EFFECT)["kind"] != "unlock"
    ]
    places += [space for board in boards for space in board["spaces"]]
    effects = [place.get("effect", NO_EFFECT) for place in places]
    rng.shuffle(effects)
    for place, effect in zip(places, effects, strict=True):
        place["effect"] = effect
    finish(random_game(rng.randrange(2, 8), rng, boards, sheet), rng)
