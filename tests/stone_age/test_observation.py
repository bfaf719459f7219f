"""What a seat sees in Stone Age: the whole vector is built once more here, from the game in plain numbers."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from antiquity.testing.table import Table
from stone_age.play import OnKernels
from stone_age.policies import buys
from stone_age_env import GAME, plain_state
from stone_age_env.data.checks import TOPS
from stone_age_env.data.tables import read_table
from stone_age_env.state import (
    BUILDING,
    FOREST,
    HUT,
    PERSONS,
    PHASES,
    RESOURCES,
    SYMBOLS,
)

BLOCKS = ("me", "left", "left_2", "left_3")
TABLE = read_table("base")
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
Values = dict[str, Any]


def seat_values(view: Values, scores: np.ndarray, seat: int) -> Values:
    tools = view["tools"][seat]
    return {
        "present": 1,
        "decides": view["decider"] == seat,
        "active": view["active"] == seat,
        "start": view["start"] == seat,
        **{
            name: view[name][seat]
            for name in ("people", "in_hand", "food", "resources", "agriculture", "tools")
        },
        "unused_tools": [0 if used else value for value, used in zip(tools, view["used"][seat], strict=True)],
        **{name: view[name][seat] for name in ("one_use", "free_cards", "buildings", "placed")},
        "cards": len(view["cards"][seat]) + len(view["extra"][seat]),
        "points": scores[seat, :3].sum(),
    }


def bottom_values(cards: list[int]) -> Values:
    bottoms = [TABLE["cards"][card]["bottom"] for card in cards]
    return {
        "culture": [sum(bottom.get("symbol") == symbol for bottom in bottoms) for symbol in SYMBOLS],
        "figures": [
            sum(bottom["figures"] for bottom in bottoms if bottom.get("person") == person)
            for person in PERSONS
        ],
    }


def card_values(card: int | None) -> list[float]:
    if card is None:
        return [0] * 29
    top, bottom = TABLE["cards"][card]["top"], TABLE["cards"][card]["bottom"]
    kind, n = top["kind"], top.get("n", 1)
    assert kind in TOPS

    def of(name: str, value: float) -> float:
        return value if kind == name else 0

    return [
        1,
        of("lottery", 1),
        of("food", n / 5),
        *(of("resource", n / 2) * (top.get("resource") == name) for name in RESOURCES),
        *(of("dice_resource", 1) * (top.get("resource") == name) for name in RESOURCES),
        of("points", n / 3),
        of("tool", 1),
        of("agriculture", 1),
        of("extra_card", 1),
        of("one_use_tool", top.get("value", 0) / 4),
        of("any_resources", 1),
        *(bottom.get("symbol") == symbol for symbol in SYMBOLS),
        *(bottom.get("figures", 0) / 3 * (bottom.get("person") == person) for person in PERSONS),
    ]


def pile_values(pile: list[int] | None) -> list[float]:
    if not pile:
        return [0] * 12
    tile = TABLE["tiles"][pile[0]]
    cost = [tile.get("cost", {}).get(name, 0) for name in RESOURCES]
    least = tile.get("pieces_min", tile.get("pieces", sum(cost)))
    most = tile.get("pieces_max", tile.get("pieces", sum(cost)))
    return [
        len(pile) / 7,
        *(tile["kind"] == kind for kind in ("fixed", "choice", "any")),
        *(number / 2 for number in cost),
        tile.get("points", 0) / 10,
        least / 7,
        most / 7,
        tile.get("kinds", 0) / 4,
    ]


def one_hot(size: int, index: int | None) -> list[int]:
    return [int(each == index) for each in range(size)]


def table_values(view: Values, table: Table) -> Values:
    players, over = len(view["people"]), view["over"]
    place = None if over or view["place"] == 16 else view["place"]
    tools = view["phase"] == "tools"
    game = table.record
    hidden: Counter[int] = Counter()
    for pile in range(4):
        kinds = view["piles"][pile][1:] if pile < players else [int(kind) - 1 for kind in game["piles"][pile]]
        hidden.update(kinds)
    piles = [*view["piles"], None, None][:4]
    return {
        "phase": one_hot(6, PHASES.index(view["phase"])),
        "players": one_hot(3, players - 2),
        "round": view["round"],
        "place": one_hot(16, place),
        "gather": one_hot(5, int(game["gather"]) if tools else None),
        "total": view["total"],
        "dice": view["dice"],
        "pay_left": view["pay_left"],
        "pay_kinds": view["pay_kinds"] or 0,
        "pay_kind": one_hot(3, view["pay_kind"]),
        "deck": len(view["deck"]),
        **{f"card_{spot}": card_values(card) for spot, card in enumerate(view["open"])},
        **{f"pile_{pile}": pile_values(piles[pile]) for pile in range(4)},
        "unseen_tiles": [hidden[kind] for kind in range(28)],
    }


def expected_observation(table: Table, seat: int) -> Values:
    view, scores, n = plain_state(table.games, 0, table.tables), table.score(), table.num_players
    if view["over"]:
        view |= {"place": None, "pay_left": 0, "pay_kinds": None, "pay_kind": None, "total": 0}
    values = table_values(view, table)
    for step, block in enumerate(BLOCKS):
        empty = dict.fromkeys(seat_values(view, scores, 0), 0)
        shown = seat_values(view, scores, (seat + step) % n) if step < n else empty
        values |= {f"{block}_{name}": value for name, value in shown.items()}
    mine = bottom_values(view["cards"][seat] + view["extra"][seat])
    return values | {f"me_{name}": value for name, value in mine.items()}


def check(vector: np.ndarray, layout: Any, expected: Values) -> None:
    assert set(expected) == {field.name for field in layout}  # every element is accounted for
    for field in layout:
        found = vector[layout.slice(field.name)] * field.scale
        assert np.allclose(found, expected[field.name], atol=1e-3), field.name
    assert (vector >= layout.low).all() and (vector <= layout.high).all()


def play(rng: random.Random, table: Table) -> None:
    [seat] = table.deciders()
    legal = table.legal(seat)
    wanted = [action for action in legal if buys(action)]
    table.step({seat: rng.choice(wanted if wanted and rng.random() < 0.7 else legal)})


@PLAYERS
def test_every_element(players: int) -> None:
    """Of all phases, from every seat."""
    rng = random.Random(players)
    seen: Counter[str] = Counter()
    for seed in range(2):
        table = Table(GAME, players, seed=seed)
        while True:
            phase = PHASES[int(table.record["phase"])] if not table.over else "over"
            if seen[phase] < 12 or rng.random() < 0.01:
                seen[phase] += 1
                for seat in range(players):
                    check(table.observe(seat), GAME.layout, expected_observation(table, seat))
            if table.over:
                break
            play(rng, table)
    assert min(seen[phase] for phase in (*PHASES, "over")) >= 1


@PLAYERS
def test_the_whole_table(players: int) -> None:
    rng = random.Random(players)
    table = Table(GAME, players, seed=players)
    while not table.over:
        for _ in range(30):
            if not table.over:
                play(rng, table)
        view, scores = plain_state(table.games, 0, table.tables), table.score()
        if table.over:
            view |= {"place": None, "pay_left": 0, "pay_kinds": None, "pay_kind": None, "total": 0}
        expected = table_values(view, table)
        for seat in range(4):
            shown = seat_values(view, scores, seat % players)
            bottoms = bottom_values(view["cards"][seat % players] + view["extra"][seat % players])
            for name, value in (*shown.items(), *bottoms.items()):
                expected[f"seat_{seat}_{name}"] = value if seat < players else 0
        expected["deck_cards"] = [card in view["deck"] for card in range(36)]
        buried = Counter(kind for pile in view["piles"] for kind in pile[1:])
        expected["buried_tiles"] = [buried[kind] for kind in range(28)]
        check(table.reveal(), GAME.state_layout, expected)


@PLAYERS
def test_rows_of_several_seats(players: int) -> None:
    """Rows that are copied from another seat's are those that the seat would have had."""
    rng = random.Random(players)
    table = Table(GAME, players, seed=6)
    for _ in range(40):
        play(rng, table)
        for memory in (False, True):
            rows = np.zeros((players, GAME.observation_layout(memory).size), np.float32)
            table.observe_seats((1 << players) - 1, rows)
            for seat in range(players):
                assert rows[seat].tobytes() == table.observe(seat, memory=memory).tobytes()


@PLAYERS
def test_the_view_is_relative(players: int) -> None:
    """With everybody moved one seat on, every seat sees what its neighbour saw."""
    rng = random.Random(players)
    table = Table(GAME, players, seed=11)
    by_seat = [
        "points",
        "resources",
        "food",
        "chosen",
        "placed",
        "people",
        "in_hand",
        "agriculture",
        "tools",
        "used",
    ]
    by_seat += ["one_use", "free_cards", "buildings", "cards", "culture", "figures"]
    for _ in range(120):
        if table.over:
            break
        play(rng, table)
        moved = table.copy()
        game = moved.record
        for name in by_seat:
            game[name][:players] = np.roll(game[name][:players], 1, axis=0)
        for name in ("start", "active"):
            game[name] = (int(game[name]) + 1) % players
        if PHASES[int(game["phase"])] == "lottery":
            game["picker"] = (int(game["picker"]) + 1) % players
        game["deciders"] = sum(1 << (seat + 1) % players for seat in table.deciders())
        owner = game["owner"]
        bought = (owner > 0) & (owner < 5)
        owner[bought] = 1 + owner[bought] % players
        owner[owner > 4] = 5 + (owner[owner > 4] - 4) % players
        for seat in range(players):
            before = table.observe(seat, memory=True)
            after = moved.observe((seat + 1) % players, memory=True)
            assert before.tobytes() == after.tobytes()
            assert table.legal(seat) == moved.legal((seat + 1) % players)


def test_extremes_stay_within_bounds() -> None:
    """Deep debts, hoards of food and resources, thousand rounds."""
    table = Table(GAME, 2, max_rounds=1000)
    game = table.record
    game["points"][0, 2] = -10_000
    game["points"][1, 0] = 28 * 42
    game["food"] = 65_535
    game["resources"] = 65_535
    game["round"] = 999
    for seat in range(2):
        for memory in (False, True):
            seen, layout = table.observe(seat, memory=memory), GAME.observation_layout(memory)
            assert np.isfinite(seen).all() and (seen >= layout.low).all() and (seen <= layout.high).all()
    assert table.observe(0)[GAME.layout.slice("me_points")][0] == pytest.approx(-200)


def test_what_is_paid_is_shown() -> None:
    """Everybody sees what is due; the roll is shown to those who wait too."""
    game = OnKernels.at(
        2,
        seats={0: {"resources": [2, 2, 2, 2], "tools": [1, 0, 0]}},
        placed={0: {BUILDING: 1, FOREST: 2}},
        tiles=["choice_5_of_3"],
    ).do("build", 0, 5)
    seen = game.table.observe(1)
    assert seen[GAME.layout.slice("pay_left")][0] == pytest.approx(0.5)
    assert seen[GAME.layout.slice("pay_kinds")][0] == pytest.approx(0.75)
    assert seen[GAME.layout.slice("pay_kind")].tolist() == [1, 0, 0]
    assert np.flatnonzero(seen[GAME.layout.slice("place")]).tolist() == [BUILDING]
    game = OnKernels.at(
        2,
        seats={0: {"tools": [1, 0, 0]}},
        placed={0: {FOREST: 2, HUT: 2}},
        rolls={(0, FOREST): [3, 4]},
    ).do("resolve", FOREST)
    for seat in range(2):
        seen = game.table.observe(seat)
        assert seen[GAME.layout.slice("total")][0] == pytest.approx(7 / 20)
        assert seen[GAME.layout.slice("gather")].tolist() == [0, 1, 0, 0, 0]


def test_the_next_tile_is_shown() -> None:
    """As soon as the one above it is built."""
    game = OnKernels.at(
        2,
        seats={0: {"resources": [2, 1, 0, 0]}},
        placed={0: {BUILDING: 1, HUT: 2}},
        tiles=["wood2_clay1"],
    ).do("build", 0, 3)
    seen = game.table.observe(1)[GAME.layout.slice("pile_0")]
    assert seen[0] == pytest.approx(6 / 7)
    assert (seen[1:] == game.table.tables[0]["tile_features"][game["piles"][0][0]]).all()


@pytest.mark.parametrize("me", range(3))
def test_points_below_zero_are_shown(me: int) -> None:
    game = OnKernels.at(seats={me: {"food": 4, "points": {"buildings": 3}}, (me + 1) % 3: {"food": 0}})
    for seat in range(3):
        seen, layout = game.table.observe(seat), GAME.layout
        assert (seen >= layout.low).all() and (seen <= layout.high).all()
        assert seen[layout.slice("me_points")][0] == pytest.approx([-7, -10, 0][(seat - me) % 3] / 50)
