"""The rulings on 7 Wonders: the powers of the boards and the end of an Age's turns (numbers 13 to 18).

See test_rulings_paying.py.
"""

from __future__ import annotations

import copy

import pytest

from seven_wonders.positions import (
    ALEXANDRIA,
    BABYLON,
    EACH_SEAT,
    EPHESOS,
    HALIKARNASSOS,
    OLYMPIA,
    TABLE,
    WAIT_ONLY,
    around,
    build,
    night,
    pay,
    sell,
    stage,
)
from seven_wonders.referee_positions import Side


@EACH_SEAT
def test_ruling_13_free_first_card_of_each_colour(position: Side, me: int) -> None:
    """Only a colour that is not in the city yet, whatever the Age; only buildings."""
    left, _ = around(me)
    game = position(
        age=2,
        boards={me: OLYMPIA},
        stages={me: 2},
        coins={me: 0},
        cities={me: ["lumber_yard", "stockade", "altar"]},
        hands={me: ["caravansery", "aqueduct"], left: ["chamber_of_commerce"]},  # Age II passes to the right
    )
    assert game.can(me, build("caravansery"))
    assert not game.can(me, build("aqueduct")) and not game.can(me, stage("aqueduct"))
    game.play({me: build("caravansery"), left: sell("altar")})
    assert game.coins[me] == 0 and "caravansery" in game.city(me)
    assert "chamber_of_commerce" in game.hand(me) and not game.can(me, build("chamber_of_commerce"))


@EACH_SEAT
def test_ruling_13_the_free_card_may_be_of_any_colour_and_saves_its_coin(position: Side, me: int) -> None:
    """Purple is a colour too, and a free building saves the coin of a brown card."""
    for name, age in (("builders_guild", 3), ("tree_farm", 1), ("academy", 3), ("fortifications", 3)):
        game = position(age=age, boards={me: OLYMPIA}, stages={me: 2}, coins={me: 0}, hands={me: [name]})
        game.play({me: build(name)})
        assert game.coins[me] == 0 and game.city(me) == {name}
    without = position(
        age=3, boards={me: OLYMPIA}, stages={me: 1}, coins={me: 0}, hands={me: ["builders_guild"]}
    )
    assert not without.can(me, build("builders_guild"))


@EACH_SEAT
def test_ruling_14_free_first_and_last_card_of_the_age(position: Side, me: int) -> None:
    """On the first turn of an Age, on its sixth, and on no other."""
    first, last = 1, 2  # stages of Olympia's night side; the second keeps the first one's power

    def palace_is_free(age: int, turn: int, stages: int) -> bool:
        game = position(
            age=age,
            turn=turn,
            boards={me: night(OLYMPIA)},
            stages={me: stages},
            coins={me: 0},
            hands={me: ["palace"]},
        )
        assert not game.can(me, stage("palace"))  # never the stage
        return game.can(me, build("palace"))

    for age in (1, 2, 3):
        assert [turn for turn in range(1, 7) if palace_is_free(age, turn, 0)] == []
        assert [turn for turn in range(1, 7) if palace_is_free(age, turn, first)] == [1]
        assert [turn for turn in range(1, 7) if palace_is_free(age, turn, last)] == [1, 6]


@EACH_SEAT
def test_ruling_14_powers_gained_in_the_first_age(position: Side, me: int) -> None:
    """Gained on turn 3 of Age I: "last" works in that Age already, "first" from Age II on."""
    game = position(turn=3, boards={me: night(OLYMPIA)}, cities={me: ["foundry", "brickyard"]})
    game.play({me: stage(game.hand(me)[0])})
    game.play({me: stage(game.hand(me)[0])})
    for turn in (5, 6):
        assert game.when == (1, turn)
        game.set_hand(me, ["palace", *game.hand(me)[1:]])
        assert game.can(me, build("palace")) == (turn == 6)
        game.play({me: sell("palace")})
    for turn in range(1, 7):
        assert game.when == (2, turn)
        game.set_hand(me, ["palace", *game.hand(me)[1:]])
        game.set_coins(me, 0)
        assert game.can(me, build("palace")) == (turn in (1, 6))
        game.play({me: sell("palace")})  # lost for this Age: the next turn is not free instead


@EACH_SEAT
def test_ruling_14_the_seventh_card_is_not_covered(position: Side, me: int) -> None:
    """A left-over seventh card, played by another power, costs what it costs."""
    table = copy.deepcopy(TABLE)
    babylon = next(wonder for wonder in table["wonders"] if wonder["id"] == "babylon")
    side = next(side for side in babylon["sides"] if side["side"] == "night")
    side["stages"][0]["effects"] += [
        {"type": "power", "power": f"{which}_card_of_each_age_free"} for which in ("first", "last")
    ]
    game = position(
        table=table,
        turn=6,
        boards={me: night(BABYLON)},
        cities={me: ["quarry"]},
        hands={me: ["altar", "palace"]},
    )
    game.play({me: stage("altar")})
    assert game.phase == "last" and game.deciders() == [me]
    assert game.legal(me) == [sell("palace")]


@EACH_SEAT
@pytest.mark.parametrize(("age", "points"), [(1, 1), (3, 5)])
def test_ruling_15_discard_pick_on_the_last_turn(position: Side, me: int, age: int, points: int) -> None:
    """The pick comes at the end of the very turn, before the conflicts and before the end of the game."""
    left, right = around(me)
    game = position(
        age=age,
        turn=6,
        boards={me: HALIKARNASSOS, left: EPHESOS, right: ALEXANDRIA},
        stages={me: 1},
        cities={me: ["press_1"]},
        discard=["stockade"],
        hands={me: ["theater", "well"]},
    )
    game.play({me: stage("theater")})
    assert game.phase == "pick" and game.when == (age, 6) and not game.over
    assert game.deciders() == [me] and game.legal(left) == game.legal(right) == WAIT_ONLY
    # What was sold and left over this very turn lies there too; the card under the stage does not.
    assert game.legal(me) == sorted(build(name) for name in ("altar", "well", "stockade"))
    assert game.stages[me] == 2
    game.play({me: build("stockade")})
    assert game.tokens[me] == (2 * points, 0) and game.tokens[left] == game.tokens[right] == (0, 1)
    assert game.over == (age == 3)
    assert "stockade" not in game.pile and "stockade" in game.city(me)


@EACH_SEAT
@pytest.mark.parametrize("pile", [[], ["altar", "press_2"]])
def test_ruling_16_discard_pick_with_nothing_to_take(position: Side, me: int, pile: list[str]) -> None:
    """A name already owned may not be built from the pile either; with nothing to take the game goes on."""
    left, right = around(me)
    game = position(
        boards={me: HALIKARNASSOS, left: EPHESOS, right: ALEXANDRIA},
        stages={me: 1},
        cities={me: ["press_1", "altar"]},
        discard=pile,
        hands={me: ["theater"]},
    )
    game.play({me: stage("theater"), left: build("altar"), right: build("altar")})
    assert game.stages[me] == 2
    assert game.phase == "choose" and game.when == (1, 2) and game.pile == pile


@EACH_SEAT
def test_ruling_16_the_pick_pays_at_once(position: Side, me: int) -> None:
    """A picked card costs nothing, and its coins count what stands at that moment."""
    left, right = around(me)
    game = position(
        boards={me: HALIKARNASSOS, left: EPHESOS, right: ALEXANDRIA},
        stages={me: 1},
        cities={me: ["press_1", "glassworks_1"], left: ["lumber_yard"]},
        coins={me: 0},
        discard=["vineyard", "palace"],
        hands={me: ["theater"]},
    )
    game.play({me: stage("theater"), left: build("stone_pit"), right: build("stone_pit")})
    assert game.phase == "pick" and game.legal(me) == [build("vineyard"), build("palace")]
    game.play({me: build("vineyard")})
    assert game.coins[me] == 3 and game.phase == "choose" and game.when == (1, 2)


@EACH_SEAT
def test_ruling_17_the_left_over_card(position: Side, me: int) -> None:
    """Face down to the pile, unpaid; six actions an Age; no hand is left before the war."""
    game = position(turn=6, coins={me: 0}, hands={me: ["theater", "palace"]})
    game.play({me: build("theater")})
    assert "palace" in game.pile and "palace" not in game.city(me) and game.coins[me] == 0
    assert game.when == (2, 1)
    last = position(age=3, turn=6, hands={me: ["theater", "palace"]}).play({me: build("theater")})
    assert last.over and all(last.hand(seat) == [] for seat in range(3))


@EACH_SEAT
def test_ruling_18_last_card_power_gained_on_turn_six(position: Side, me: int) -> None:
    """It covers the last card of this Age already; played after all others, who can only wait."""
    left, right = around(me)
    game = position(
        turn=6, boards={me: night(BABYLON)}, cities={me: ["quarry"]}, hands={me: ["altar", "theater"]}
    )
    game.play({me: stage("altar")})
    assert game.phase == "last" and game.when == (1, 7) and game.deciders() == [me]
    assert game.legal(left) == game.legal(right) == WAIT_ONLY
    assert game.legal(me) == [build("theater"), sell("theater")]
    assert sorted(game.pile) == ["altar", "altar", "well", "well"]  # sold and left over by the others
    assert game.tokens == [(0, 0)] * 3  # no conflict yet
    game.play({me: build("theater")})
    assert game.phase == "choose" and game.when == (2, 1) and "theater" in game.city(me)


@EACH_SEAT
def test_ruling_18_the_seventh_card_is_a_turn_of_its_own(position: Side, me: int) -> None:
    """With the coins and production of that moment, its own payment, and before the conflicts."""
    left, right = around(me)
    game = position(
        payments="choose",
        turn=6,
        boards={me: night(BABYLON)},
        stages={me: 1},
        cities={left: ["clay_pool"], right: ["clay_pool"]},
        coins={me: 0},
        hands={me: ["altar", "guard_tower"]},
    )
    game.play({me: sell("altar")})
    assert game.phase == "last" and game.legal(me) == [build("guard_tower"), sell("guard_tower")]
    before = game.coins
    game.play({me: build("guard_tower")})
    assert game.phase == "pay" and game.when == (1, 7) and game.legal(me) == [pay(0), pay(2)]
    game.play({me: pay(2)})
    assert (game.coins[me], game.coins[left], game.coins[right]) == (
        before[me] - 2,
        before[left] + 2,
        before[right],
    )
    assert game.tokens[me] == (2, 0)


@EACH_SEAT
def test_ruling_18_the_seventh_card_may_be_sold(position: Side, me: int) -> None:
    """For three coins, as any other."""
    game = position(
        turn=6, boards={me: night(BABYLON)}, stages={me: 1}, coins={me: 0}, hands={me: ["altar", "well"]}
    )
    game.play({me: build("altar")}).play({me: sell("well")})
    assert game.coins[me] == 3 and game.pile.count("well") == 3 and game.when == (2, 1)


@EACH_SEAT
def test_ruling_18_the_pick_of_turn_six_comes_before_the_seventh_card(position: Side, me: int) -> None:
    """Left-overs, then the pick from them, then the seventh card, which never lay in the pile."""
    left, _ = around(me)
    game = position(
        turn=6,
        boards={me: night(BABYLON), left: HALIKARNASSOS},
        stages={me: 1, left: 1},
        cities={left: ["glassworks_1", "press_1"]},
        hands={me: ["altar", "stockade"]},
    )
    game.play({me: build("altar"), left: stage("altar")})
    assert game.phase == "pick" and game.deciders() == [left] and game.legal(me) == WAIT_ONLY
    assert game.can(left, build("well")) and not game.can(left, build("stockade"))
    game.play({left: build("well")})
    assert game.phase == "last" and game.deciders() == [me] and game.hand(me) == ["stockade"]
