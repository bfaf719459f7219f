"""What holds in every game of 7 Wonders, whoever plays and however."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from antiquity.game import flow
from antiquity.kernels import entry
from antiquity.testing.table import Table
from seven_wonders.positions import CARDS, SEAT_FIELDS, TABLE, kinds_built, rotated
from seven_wonders_env import GAME
from seven_wonders_env.state import HAND, KINDS, NO_CARD, PHASES, SIDE

BUILD, STAGE, SELL = 0, 1, 2
FIRST_PAYMENT = 241

deterministic = settings(derandomize=True, database=None, max_examples=40)
tables = st.builds(
    Table,
    st.just(GAME),
    st.integers(3, 7),
    seed=st.integers(0, 2**62),
    sides=st.sampled_from(["day", "night", "random", "choose"]),
    payments=st.sampled_from(["choose", "cheapest"]),
)
styles = st.sampled_from([0.0, 0.5, 0.9])
seeds = st.integers(0, 2**32)


@entry
def _init_over(games, index, tables, num_players, options, seed):
    flow.begin(games[index], tables[0], num_players, options[0], np.uint64(seed))


def card_and_use(action: int) -> tuple[int, int]:
    return divmod(action - 1, 3)


def some_actions(table: Table, rng: random.Random, style: float) -> dict[int, int]:
    """Legal actions of all deciders; ``style``: how often a seat builds if it can."""
    actions = {}
    for seat in table.deciders():
        legal = table.legal(seat)
        building = [a for a in legal if a >= FIRST_PAYMENT or card_and_use(a)[1] != SELL]
        actions[seat] = rng.choice(building if building and rng.random() < style else legal)
    return actions


def steps(table: Table, seed: int, style: float) -> Iterator[dict[int, int]]:
    """Play to the end; at every decision the actions that are about to be taken."""
    rng = random.Random(seed)
    while not table.over:
        actions = some_actions(table, rng, style)
        yield actions
        table.step(actions)


def history(table: Table) -> list[tuple[int, int]]:
    """(kind, use) of every card action so far."""
    return [card_and_use(int(action)) for action in table.record["history"].ravel() if action]


def hands(table: Table) -> list[list[int]]:
    game = table.record
    return [game["hands"][s][: int(game["hand_size"][s])].tolist() for s in range(table.num_players)]


# ---------------------------------------------------------------------- cards and coins


@deterministic
@given(tables, seeds, styles)
def test_cards_are_conserved(table: Table, seed: int, style: float) -> None:
    """Every card dealt is in a hand, in a city, in the pile or under a wonder, once; a deal is the Age's deck."""
    n = table.num_players
    dealt: Counter[int] = Counter()
    age = -1
    for _ in steps(table, seed, style):
        game = table.record
        if game["phase"] == SIDE:  # before the first deal
            assert not any(hands(table))
            continue
        if int(game["age"]) != age:
            age = int(game["age"])
            deal = Counter(kind for hand in hands(table) for kind in hand)
            guilds = [kind for kind in deal if CARDS[kind]["colour"] == "purple"]
            assert len(guilds) == (n + 2 if age == 2 else 0)
            for kind, card in enumerate(TABLE["cards"]):
                wanted = sum(least <= n for least in card["copies"]) if card["age"] == age + 1 else 0
                assert deal[kind] == wanted
            dealt += deal
        found = Counter(kind for hand in hands(table) for kind in hand)
        for seat in range(n):
            found.update(kinds_built(game, seat))
        found.update({kind: int(count) for kind, count in enumerate(game["discard"]) if count})
        found.update(kind for kind, use in history(table) if use == STAGE)
        assert found == dealt
    assert hands(table) == [[] for _ in range(n)]


def is_free(table: Table, seat: int, kind: int) -> bool:
    """Whether a building costs nothing, from the printed table."""
    game = table.record
    city = [CARDS[k] for k in kinds_built(game, seat)]
    if {card["id"] for card in city} & set(CARDS[kind].get("free_from", [])):
        return True
    board = int(game["board"][seat])
    stages = TABLE["wonders"][board // 2]["sides"][board % 2]["stages"][: int(game["built"][seat, 7])]
    powers = {effect.get("power") for stage in stages for effect in stage["effects"]}
    return (
        (
            "first_card_of_each_colour_free" in powers
            and CARDS[kind]["colour"] not in {c["colour"] for c in city}
        )
        or ("first_card_of_each_age_free" in powers and game["turn"] == 0)
        or ("last_card_of_each_age_free" in powers and game["turn"] == 5)
    )


def immediate_coins(thing: dict[str, Any], game: Any, seat: int, n: int) -> int:
    """Coins from the bank for a card or stage, with the cities as they are now."""
    columns = (
        "brown_cards",
        "grey_cards",
        "blue_cards",
        "yellow_cards",
        "red_cards",
        "green_cards",
        "purple_cards",
    )
    places = {"self": seat, "left": (seat + 1) % n, "right": (seat - 1) % n}
    coins = 0
    for effect in thing["effects"]:
        if effect["type"] == "coins":
            coins += effect["amount"]
        elif effect["type"] == "coins_per":
            for city in effect["cities"]:
                for what in effect["count"]:
                    coins += effect["amount"] * int(
                        game["built"][places[city], (*columns, "wonder_stages").index(what)]
                    )
    return coins


@deterministic
@given(tables, seeds, styles)
def test_coins_are_conserved(table: Table, seed: int, style: float) -> None:
    """All coins come from the bank by sales and effects and go to it by printed costs; trade moves them only."""
    n = table.num_players
    before = table.copy()
    planned: dict[int, int] = {}
    for actions in steps(table, seed, style):
        after = table.record
        phase_now = PHASES[int(after["phase"])]
        change = int(after["coins"].sum()) - int(before.record["coins"].sum())
        phase = PHASES[int(before.record["phase"])]
        expected = 0
        if planned and not after["planned"].any():
            for seat, action in planned.items():
                kind, use = card_and_use(action)
                if use == SELL:
                    expected += 3
                elif use == STAGE:
                    board, number = int(after["board"][seat]), int(before.record["built"][seat, 7])
                    stage = TABLE["wonders"][board // 2]["sides"][board % 2]["stages"][number]
                    expected += immediate_coins(stage, after, seat, n)
                elif phase == "pick":
                    expected += immediate_coins(CARDS[kind], after, seat, n)
                else:
                    expected += immediate_coins(CARDS[kind], after, seat, n)
                    expected -= 0 if is_free(before, seat, kind) else CARDS[kind].get("cost_coins", 0)
        assert change == expected
        if not after["planned"].any():
            before, planned = table.copy(), {} if phase_now == "side" else actions
        assert int(after["coins"].max()) < 1_000


# ---------------------------------------------------------------------- who may do what


@deterministic
@given(tables, seeds, styles)
def test_every_card_may_be_sold(table: Table, seed: int, style: float) -> None:
    """In whatever state the city is; and nobody is asked for a payment without a choice."""
    for _ in steps(table, seed, style):
        phase = PHASES[int(table.record["phase"])]
        for seat in table.deciders():
            legal = table.legal(seat)
            if phase in ("choose", "last"):
                assert {action for action in legal if card_and_use(action)[1] == SELL} == {
                    1 + 3 * kind + SELL for kind in hands(table)[seat]
                }
            elif phase == "pay":
                assert len(legal) > 1


# ---------------------------------------------------------------------- the same game is the same record


@deterministic
@given(tables, seeds, styles, st.integers(1, 6))
def test_results_do_not_depend_on_seat_numbers(table: Table, seed: int, style: float, turns: int) -> None:
    """Everybody moved some seats on: the same actions give the same game, moved by as many seats."""
    n = table.num_players
    turned = table.copy()
    turned.games = rotated(table.games, turns)
    for actions in steps(table, seed, style):
        assert turned.games.tobytes() == rotated(table.games, turns).tobytes()
        for seat in range(n):
            assert table.legal(seat) == turned.legal((seat + turns) % n)
        age, undealt = int(table.record["age"]), table.record["phase"] == SIDE
        following = table.copy()
        following.step(actions)
        turned.step({(seat + turns) % n: action for seat, action in actions.items()})
        if (
            undealt or int(following.record["age"]) != age
        ):  # seats are dealt new hands by number: deal the others alike
            turned.record["hands"] = rotated(following.games, turns)[0]["hands"]
    assert turned.games.tobytes() == rotated(table.games, turns).tobytes()
    assert np.array_equal(np.roll(table.score(), turns, axis=0), turned.score())


@deterministic
@given(tables, seeds, styles)
def test_equal_games_are_equal_bytes(table: Table, seed: int, style: float) -> None:
    """Whatever lay in the memory before, and in whatever order the seats commit."""
    other = table.copy()
    rng = random.Random(seed)
    other.games = np.frombuffer(rng.randbytes(GAME.dtype.itemsize), GAME.dtype).copy()
    _init_over(other.games, 0, table.tables, table.num_players, table.options, int(table.record["seed"]))
    for number, actions in enumerate(steps(table, seed, style)):
        assert other.games.tobytes() == table.games.tobytes()
        assert int(table.record["steps"]) == number
        order = list(actions.items())
        rng.shuffle(order)
        other.step(dict(order))
    assert other.games.tobytes() == table.games.tobytes()


@deterministic
@given(tables, seeds, styles)
def test_unused_places_stay_clear(table: Table, seed: int, style: float) -> None:
    """Absent seats, empty places of a hand, what belongs to another phase."""
    n = table.num_players

    def check() -> None:
        game = table.record
        for name in SEAT_FIELDS:
            assert (game[name][n:] == (NO_CARD if name == "hands" else 0)).all(), name
        assert not game["history"][:, :, n:].any() and not game["unused"].any() and not game["chosen"].any()
        assert not int(game["deciders"]) >> n and game["forfeits"] == 0
        for seat in range(n):
            size = int(game["hand_size"][seat])
            assert game["hands"][seat, :size].tolist() == sorted(game["hands"][seat, :size])
            assert (game["hands"][seat, :size] < KINDS).all() and (
                game["hands"][seat, size:] == NO_CARD
            ).all()
            assert size <= HAND
        phase = PHASES[int(game["phase"])]
        if phase != "pay":
            assert not game["planned"].any() and not game["pay"].any()
        assert bool(game["picker"]) == (phase == "pick" and not game["over"])

    for _ in steps(table, seed, style):
        check()
    check()
    assert table.record["over"] == 1 and table.record["age"] == 2


@deterministic
@given(tables, seeds, styles)
def test_the_history_is_complete(table: Table, seed: int, style: float) -> None:
    """At the end it tells how every card dealt was used; what was built or picked stands in the cities."""
    for _ in steps(table, seed, style):
        pass
    n, game = table.num_players, table.record
    assert (game["history"][:, :, :n] > 0).all()
    assert len(history(table)) == 3 * 7 * n
    built = Counter(kind for kind, use in history(table) if use == BUILD)
    built.update(int(kind) - 1 for kind in game["picks"] if kind)
    assert built == Counter(kind for seat in range(n) for kind in kinds_built(game, seat))
    for seat in range(n):
        used = [card_and_use(int(action))[1] for action in game["history"][:, :, seat].ravel()]
        assert used.count(STAGE) == int(game["built"][seat, 7])
    # Of three conflicts with both neighbours, each is won by one and lost by the other, or drawn.
    won = int(game["victory"].sum())
    lost = int(game["defeats"].sum())
    assert lost <= 3 * n and lost <= won <= 5 * lost
