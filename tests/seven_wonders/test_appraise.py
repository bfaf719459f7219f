"""The columns of appraise against what the actions then do."""

from __future__ import annotations

import random

import numpy as np
import pytest

from antiquity import Batch
from antiquity.testing import Table
from seven_wonders_env import GAME
from seven_wonders_env import state as s
from seven_wonders_env.rules.scoring import CATEGORIES

COLUMNS = {each.name: each for each in GAME.appraisal}
SCORED = [CATEGORIES.index(name) for name in ("wonder", "civilian", "commerce", "guilds")]


def columns(table: Table, seat: int) -> dict[int, dict[str, float]]:
    """What appraise says of each legal action, in the game's own units."""
    batch = Batch(GAME, 1, table.num_players, **table.game_options)
    batch.set_games(table.games)
    choices = batch.choices([0], [seat])
    return {
        int(action): {name: float(row[each.start]) * each.scale for name, each in COLUMNS.items()}
        for action, row in zip(choices.legal[0, : choices.counts[0]], choices.appraisals[0], strict=False)
    }


def capped(value: float, name: str) -> float:
    return min(float(value), COLUMNS[name].high * COLUMNS[name].scale)


@pytest.mark.parametrize(("players", "sides"), [(3, "day"), (4, "night"), (5, "random"), (7, "random")])
def test_what_is_announced_happens(players: int, sides: str) -> None:
    """One seat acts while the others sell, which disturbs nothing."""
    rng = random.Random(players)
    seen: set[str] = set()
    for seed in range(6):
        table = Table(GAME, players, seed=seed, sides=sides, payments="cheapest")
        while not table.over:
            if table.record["phase"] == s.CHOOSE and rng.random() < 0.8:
                seen |= announced(table, rng.randrange(players), rng)
            table.step({seat: table.greedy(seat, rng.getrandbits(63)) for seat in table.deciders()})
    assert seen >= {"build", "stage", "sell", "cost", "to_left", "to_right", "shields", "points", "science"}


def announced(table: Table, seat: int, rng: random.Random) -> set[str]:
    """Try one of the seat's actions; the columns in which something was seen."""
    said = columns(table, seat)
    action, said_of_it = rng.choice(sorted(said.items(), key=lambda item: item[0]))
    sales = {
        other: min(each for each in table.legal(other) if (each - s.CARD_ACTIONS) % s.USES == s.SELL)
        for other in range(table.num_players)
    }
    before, after = table.copy(), table.copy()
    after.step(sales | {seat: action})
    if after.record["age"] != before.record["age"] or after.over:  # conflicts came in between
        return set()
    left, right = (seat + 1) % table.num_players, (seat - 1) % table.num_players
    use = ("build", "stage", "sell")[(action - s.CARD_ACTIONS) % s.USES]
    assert (said_of_it["stage"], said_of_it["sell"]) == (use == "stage", use == "sell")
    paid = {}
    for side, other in (("to_left", left), ("to_right", right)):
        paid[side] = int(after.record["coins"][other]) - int(before.record["coins"][other]) - 3
        assert said_of_it[side] == pytest.approx(paid[side])
    # A pick from the discard may bring more than the stage itself.
    if after.record["phase"] == s.PICK:
        return {use, "pick"}
    spent = said_of_it["cost"] - paid["to_left"] - paid["to_right"]
    assert min(abs(spent), abs(spent - 1)) < 1e-4  # the coin of a brown card
    assert said_of_it["coins"] == pytest.approx(capped(after.record["coins"][seat], "coins"), abs=1e-4)
    gained = after.score()[seat].astype(int) - before.score()[seat]
    assert said_of_it["science"] == pytest.approx(capped(gained[CATEGORIES.index("science")], "science"))
    shields = int(after.record["shields"][seat]) - int(before.record["shields"][seat])
    assert said_of_it["shields"] == pytest.approx(shields)
    for side, other in (("conflict_left", left), ("conflict_right", right)):
        theirs = int(before.record["shields"][other])
        turned = np.sign(int(after.record["shields"][seat]) - theirs)
        turned -= np.sign(int(before.record["shields"][seat]) - theirs)
        assert said_of_it[side] == turned
    points = sum(int(gained[category]) for category in SCORED)
    # What stood there before may count the new card as well.
    assert capped(points, "points") >= said_of_it["points"] - 1e-4
    return {use, *(name for name, value in said_of_it.items() if value)}


def test_what_a_card_is_worth_to_the_next_holder() -> None:
    """The seat that gets the hand next would be told the same of the card, if it held it."""
    rng = random.Random(3)
    compared = 0
    for seed in range(8):
        table = Table(GAME, 4, seed=seed, sides="random", payments="cheapest")
        for _ in range(seed):
            table.step({seat: table.greedy(seat, rng.getrandbits(63)) for seat in table.deciders()})
        if table.record["phase"] != s.CHOOSE or table.record["turn"] >= s.TURNS - 1:
            continue
        following = 3 if table.record["age"] == 1 else 1
        theirs = table.copy()
        theirs.record["hands"][[0, following]] = table.record["hands"][[following, 0]]
        told = columns(theirs, following)
        for action, said in columns(table, 0).items():
            build = action - (action - s.CARD_ACTIONS) % s.USES
            worth = told[build]["greedy"] if build in told else 0.0
            assert said["denied"] == pytest.approx(min(max(worth, 0.0), 15.0), abs=1e-4)
            compared += worth > 0
    assert compared > 50


def test_payments_have_their_prices() -> None:
    rng = random.Random(1)
    seen = 0
    for seed in range(5):
        table = Table(GAME, 5, seed=seed)
        while not table.over:
            if table.record["phase"] == s.PAY:
                for seat in table.deciders():
                    for action, said in columns(table, seat).items():
                        assert said["to_left"] == pytest.approx(action - s.PAYMENT_ACTIONS)
                        assert said["cost"] >= said["to_left"] + said["to_right"] - 1e-4
                        words = table.words(seat, action)
                        right = f"{round(said['to_right'])} coin"
                        assert right in words.partition(" to the left")[2]
                        seen += 1
            table.step({seat: rng.choice(table.legal(seat)) for seat in table.deciders()})
    assert seen > 20


def test_greedy_knows_what_a_pick_from_the_discard_is_worth() -> None:
    """With fixed values by Age, Halikarnassos by night won 12% among four greedy agents, the fewest of all sides."""
    batch = Batch(
        "seven_wonders",
        1500,
        4,
        seed=5,
        autoreset=False,
        sides="night",
        boards=["halikarnassos", None, None, None],
    )
    batch.reset()
    batch.rollout("greedy")
    winners = batch.ranks() == 1
    share = (winners[:, 0] / winners.sum(axis=1)).mean()
    assert 0.23 < share < 0.34
