"""The rulings on 7 Wonders: conflicts and coins (numbers 19 to 22, and 30).

See test_rulings_paying.py.
"""

from __future__ import annotations

import copy

import pytest

from seven_wonders.positions import (
    BABYLON,
    EACH_SEAT,
    EPHESOS,
    GIZAH,
    RHODOS,
    TABLE,
    around,
    build,
    night,
    sell,
    stage,
)
from seven_wonders.referee_positions import Side


@EACH_SEAT
def test_ruling_19_conflicts_once_an_age(position: Side, me: int) -> None:
    """With extra decisions at the end of every Age; at most 18 points in all, at least -6."""
    left, right = around(me)
    game = position(boards={me: night(BABYLON)}, stages={me: 1}, cities={me: ["walls"], left: ["barracks"]})
    seen = set()
    while not game.over:
        seen.add((game.when, game.phase))
        done = game.when[0] - 1  # conflicts so far
        won = (0, 1, 1 + 3)[done]
        tokens = {me: (2 * won, 0), left: (won, done), right: (0, 2 * done)}
        assert game.tokens == [tokens[seat] for seat in range(3)]
        game.play()
    assert {((age, 7), "last") for age in (1, 2, 3)} <= seen
    assert [game.tokens[seat] for seat in (me, left, right)] == [(18, 0), (9, 3), (0, 6)]
    assert [game.points(seat, "military") for seat in (me, left, right)] == [18, 6, -6]


@EACH_SEAT
@pytest.mark.parametrize("mirrored", [False, True])
def test_ruling_20_conflicts_two_sides(position: Side, me: int, mirrored: bool) -> None:
    """Left and right are separate; equal takes nothing; shields and tokens stay for the next Age."""
    one, other = around(me)[:: -1 if mirrored else 1]
    mine = ["walls", "training_ground"]  # 4 shields

    def tokens(theirs: list[str]) -> tuple[int, int]:
        game = position(age=2, turn=6, cities={me: mine, one: theirs, other: ["stables"]}).play()
        assert game.when == (3, 1) and game.shields[me] == 4
        return game.tokens[me]

    assert tokens([*mine, "stockade"]) == (3, 1)
    assert tokens(mine) == (3, 0)

    game = position(age=2, turn=6, cities={me: mine, one: [*mine, "stockade"], other: ["stables"]}).play()
    while not game.over:
        game.play()
    assert game.tokens[me] == (3 + 5, 1 + 1)
    assert game.points(me, "military") == 8 - 2


@EACH_SEAT
def test_ruling_21_income_from_neighbours_cards(position: Side, me: int) -> None:
    """Own and both neighbours' cards of the colour, those of this very turn included, from the bank."""
    for first in around(me):
        second = next(seat for seat in range(3) if seat not in (me, first))
        game = position(
            age=2,
            hands={me: ["vineyard"], first: ["stone_pit"], second: ["clay_pool"]},
            cities={me: ["lumber_yard"], first: ["lumber_yard"]},
            coins=dict.fromkeys(range(3), 0),
        )
        game.play({me: build("vineyard"), first: build("stone_pit"), second: build("clay_pool")})
        assert game.coins[me] == 4 and game.coins[first] == game.coins[second] == 0


@EACH_SEAT
def test_ruling_21_bazar_pays_two_coins_a_grey_card(position: Side, me: int) -> None:
    left, right = around(me)
    game = position(
        age=2,
        hands={me: ["bazar"], right: ["press_2"]},
        cities={me: ["loom_1"], left: ["glassworks_1", "press_1"]},
        coins={me: 0},
    )
    game.play({me: build("bazar"), right: build("press_2")})
    assert game.coins[me] == 2 * 4


@EACH_SEAT
def test_ruling_22_coins_now_points_at_the_end(position: Side, me: int) -> None:
    """Yellow cards count themselves: coins by the number when built, points by the final number."""
    _, right = around(me)
    game = position(
        age=3,
        hands={me: ["lighthouse"], right: ["tavern"]},
        cities={me: ["marketplace", "caravansery"]},
        coins={me: 0},
    )
    game.play({me: build("lighthouse"), right: sell("altar")})
    assert game.coins[me] == 3 and game.points(me, "commerce") == 3
    game.play({me: build("tavern")})
    assert game.coins[me] == 3 + 5 and game.points(me, "commerce") == 4


@EACH_SEAT
def test_ruling_22_the_other_yellow_cards_of_age_three(position: Side, me: int) -> None:
    """Own city only: brown, grey, red cards and wonder stages."""
    left, right = around(me)
    crowd = ["lumber_yard", "quarry", "press_1", "walls", "stockade", "tavern"]
    for name, city, stages, coins, points in (
        ("haven", ["lumber_yard", "quarry", "scriptorium", "forum"], 0, 2, 2),
        ("chamber_of_commerce", ["loom_1", "brickyard", "press_1"], 0, 4, 4),
        ("ludus", ["walls", "stockade", "stone_pit", "ore_vein"], 0, 6, 2),
        ("arena", ["dispensary"], 2, 6, 2),
    ):
        game = position(
            age=3,
            hands={me: [name]},
            cities={me: city, left: crowd, right: crowd},
            stages={me: stages, left: 1},
        )
        before = game.coins[me]
        game.play({me: build(name)})
        assert game.coins[me] == before + coins and game.points(me, "commerce") == points, name


@EACH_SEAT
def test_ruling_30_shields_of_the_rhodes_stage(position: Side, me: int) -> None:
    """Shields from stages count in every later conflict."""
    left, right = around(me)
    game = position(boards={me: RHODOS}, stages={me: 2}, turn=6, cities={left: ["stockade"]})
    assert game.shields[me] == 2
    game.play()
    assert game.tokens[me] == (2, 0)
    game = position(boards={me: RHODOS}, stages={me: 1}, cities={me: ["brickyard", "clay_pool"]}, turn=6)
    game.play({me: stage("altar")})  # built on the last turn, in time for the conflicts
    assert game.tokens[me] == (2, 0) and game.tokens[right] == (0, 1)


# What the rules document says beside the rulings.


@EACH_SEAT
def test_immediate_coins_of_stages(position: Side, me: int) -> None:
    for board, stages, coins, points in (
        (EPHESOS, 1, 9, 3),
        (night(EPHESOS), 0, 4, 2),
        (night(EPHESOS), 1, 4, 2 + 3),
        (night(RHODOS), 0, 3, 3),
        (night(RHODOS), 1, 4, 3 + 4),
    ):
        cities = {me: ["quarry", "sawmill", "foundry", "stone_pit", "ore_vein"]}
        game = position(boards={me: board}, stages={me: stages}, cities=cities, coins={me: 0})
        game.play({me: stage("altar")})
        assert game.coins[me] == coins and game.points(me, "wonder") == points


@EACH_SEAT
def test_selling_pays_three_and_the_card_goes_to_the_pile(position: Side, me: int) -> None:
    table = copy.deepcopy(TABLE)
    table["rules"]["sell_card_coins"] = 4
    for cards, coins in ((None, 3), (table, 4)):
        game = position(table=cards, hands={me: ["palace"]}, coins={me: 0})
        game.play({me: sell("palace")})
        assert game.coins[me] == coins and "palace" in game.pile and game.city(me) == set()


@EACH_SEAT
def test_a_card_under_a_stage_is_out_of_the_game(position: Side, me: int) -> None:
    """It lies neither in the city nor in the pile, and its effects don't count."""
    game = position(boards={me: GIZAH}, cities={me: ["sawmill"]}, coins={me: 0})
    game.play({me: stage("altar"), **dict.fromkeys(around(me), sell("well"))})
    assert game.coins[me] == 0 and game.stages[me] == 1 and game.city(me) == {"sawmill"}
    assert game.pile == ["well", "well"] and all(game.coins[seat] == 6 for seat in around(me))
    assert game.points(me, "civilian") == 0
