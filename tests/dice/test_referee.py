"""The referee of 7 Wonders Dice on its own: its numbers, what it refuses, and whole random games."""

import copy
import random
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from referees.dice import (
    DICE,
    FIRST_DIE,
    FIRST_SPACE,
    MIDDLE_BONUS,
    PASS,
    PLACES,
    STOP,
    WAIT,
    Referee,
    colour_of,
)
from referees.dice_player import CATEGORIES
from referees.dice_sheet import NO_EFFECT, SPECIAL, check_effect, read_sheet

from .positions import PAIR, TRIO

DATA = Path(__file__).parents[2] / "dice_env" / "data"
SHEET = tomllib.loads((DATA / "sheet.toml").read_text(encoding="utf-8"))
PRINTED_DICE = tomllib.loads((DATA / "dice.toml").read_text(encoding="utf-8"))["dice"]
BOARDS = tomllib.loads((DATA / "boards.toml").read_text(encoding="utf-8"))["boards"]
BOARD_IDS = [board["id"] for board in BOARDS]
SPACES = list(read_sheet(SHEET, BOARDS[0]).values())


def first(name, number=None):
    """The numbers of the first so many spaces (or all) of a building, or of a part of one."""
    return [space.slot for space in SPACES if name in (space.building, space.part)][:number]


def table(boards=TRIO, *, place=(0, 0), replaced=lambda colour: "grey1"):
    """A game in which all dice always lie alike."""
    return Referee(
        SHEET,
        PRINTED_DICE,
        BOARDS,
        deal=lambda: boards,
        replaced=replaced,
        throw=lambda turn, dice: dict.fromkeys(dice, place),
    )


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


def test_several_new_dice_in_one_turn_until_no_grey_is_left():
    left = iter(["grey3", "grey1", "grey2"])
    asked = []

    def replaced(colour):
        asked.append(colour)
        return next(left)

    game = table(replaced=replaced)
    for player, lane in zip(game.players, ("upper", "lower", "middle"), strict=True):
        player.crossed = set(first(lane))
    game.step(dict.fromkeys(range(3), PASS))
    assert asked == ["black", "purple", "white"]
    assert set(game.forum) == {"green", "blue", "red", "yellow", "black", "purple", "white"}
    game.step(dict.fromkeys(range(3), PASS))
    assert len(asked) == 3


def test_the_grey_die_that_leaves_is_the_one_that_chance_says():
    game = table(replaced={"black": "grey2"}.get)
    game.players[1].crossed = set(first("upper"))
    game.step(dict.fromkeys(range(3), PASS))
    assert set(game.forum) == {"grey1", "grey3", "green", "blue", "red", "yellow", "black"}


def test_illegal_steps_raise_and_change_nothing():
    game = table()
    game.forum["red"] = (0, 2)
    before = game.state()
    red, black = FIRST_DIE + DICE.index("red"), FIRST_DIE + DICE.index("black")
    for actions in (
        {},
        {0: PASS},
        {0: WAIT, 1: PASS, 2: PASS},
        {0: STOP, 1: PASS, 2: PASS},
        {0: red, 1: black, 2: PASS},
        {0: FIRST_SPACE + first("west_defence")[0], 1: PASS, 2: PASS},
        {0: PASS, 1: PASS, 2: PASS, 3: PASS},
    ):
        with pytest.raises(ValueError, match=r"decide, not|cannot do"):
            game.step(actions)
        assert game.state() == before


def test_chance_is_checked():
    table(PAIR)
    for wrong in ({"boards": PAIR[:1]}, {"place": (4, 0)}, {"place": (0, 6)}):
        with pytest.raises(ValueError, match=r"not a game for|cannot lie"):
            table(**wrong)
    for wrong in ("blue", "black"):
        game = table(PAIR, replaced=lambda colour, wrong=wrong: wrong)
        game.players[0].crossed = set(first("upper"))
        with pytest.raises(ValueError, match="not a grey die"):
            game.step(dict.fromkeys(range(2), PASS))


def test_unknown_effects_are_refused():
    for wrong in (
        {"kind": "teleport"},
        {"kind": "coins"},
        {"kind": "unlock", "die": "red"},
        {"kind": "cross", "buildings": ["harbour"], "up_to": 1},
    ):
        with pytest.raises(ValueError, match="effect"):
            check_effect(wrong)


# --- whole games ---


def random_game(players, rng, boards=BOARDS, sheet=SHEET, **options):
    game = Referee(
        sheet,
        PRINTED_DICE,
        boards,
        deal=lambda: rng.sample(BOARD_IDS, players),
        throw=lambda turn, dice: {name: (rng.randrange(4), rng.randrange(6)) for name in dice},
        replaced=lambda colour: rng.choice([die for die in DICE[:3] if die in game.forum]),
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
