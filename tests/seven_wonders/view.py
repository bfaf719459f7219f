"""What a seat of 7 Wonders sees, worked out once more by name, in plain Python, from the record and the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from antiquity.kernels import entry
from antiquity.testing.table import Table
from seven_wonders.positions import CARDS, TABLE, kinds_built
from seven_wonders_env.rules.legality import item_of
from seven_wonders_env.rules.payment import NONE, frontier, payment_right
from seven_wonders_env.seats.observation import BLOCKS
from seven_wonders_env.state import KINDS, MANUFACTURED, MAX_PAYMENT, MAX_SEATS, PHASES, RAW

Values = dict[str, list[float]]
"""Unscaled values of each field of a layout."""

POWERS = (
    "build_from_discard",
    "play_last_card",
    "first_card_of_each_colour_free",
    "first_card_of_each_age_free",
    "last_card_of_each_age_free",
)
COLOURS = ("brown", "grey", "blue", "yellow", "red", "green", "purple")


@entry
def _payments(games, index, tables, seat, out):
    game = games[index]
    word = frontier(game, tables[0], seat, item_of(game, tables[0], seat, np.int64(game["planned"][seat])))
    for to_left in range(MAX_PAYMENT + 1):
        out[to_left] = payment_right(word, to_left)


def seat_values(table: Table, seat: int) -> Values:
    """The public fields of a seat, unscaled."""
    game = table.record
    board = int(game["board"][seat])
    wonder = TABLE["wonders"][board // 2]
    stages = next(side for side in wonder["sides"] if side["side"] == ("day", "night")[board % 2])["stages"]
    open_side = seat in table.deciders() and PHASES[int(game["phase"])] == "side"
    kinds = kinds_built(game, seat)
    cards = [CARDS[kind] for kind in kinds]
    built = [*cards, *stages[: int(game["built"][seat, 7])]]
    effects = [effect for thing in built for effect in thing["effects"]]
    sold = [effect for card in cards if card["colour"] in ("brown", "grey") for effect in card["effects"]]
    planned = int(game["planned"][seat])
    city: list[float] = [float(kind in kinds) for kind in range(KINDS)]
    if planned and (planned - 1) % 3 == 0:
        city[(planned - 1) // 3] = 0.5

    def symbols(effects: list[dict[str, Any]]) -> list[float]:
        made = [[wonder["resource"]]]
        for effect in effects:
            if effect["type"] == "produce":
                made += [[name] for name, number in effect["resources"].items() for _ in range(number)]
            elif effect["type"] == "produce_choice":
                made.append(effect["one_of"])
        groups = [*([name] for name in RAW), RAW, *([name] for name in MANUFACTURED), MANUFACTURED]
        return [float(sum(any(name in group for name in symbol) for symbol in made)) for group in groups]

    def science(symbol: str) -> float:
        return float(sum(e.get("symbol") == symbol for e in effects if e["type"] == "science"))

    def discount(goods: str, side: str) -> float:
        given = [e for e in effects if e["type"] == "trade_discount" and e["goods"] == goods]
        return float(any(e["side"] in (side, "both") for e in given))

    return {
        "present": [1],
        "decides": [float(seat in table.deciders())],
        "coins": [float(game["coins"][seat])],
        "shields": [float(sum(e["amount"] for e in effects if e["type"] == "shields"))],
        "victory": [float(game["victory"][seat])],
        "defeats": [float(game["defeats"][seat])],
        "stages": [float(game["built"][seat, 7])],
        "wonder_size": [0.0 if open_side else float(len(stages))],
        "science": [
            *map(science, ("compass", "gear", "tablet")),
            float(sum(e["type"] == "science_choice" for e in effects)),
        ],
        "built": [float(sum(card["colour"] == colour for card in cards)) for colour in COLOURS],
        "makes": symbols(effects),
        "sells": symbols(sold),
        "discounts": [
            discount(goods, side) for goods in ("raw", "manufactured") for side in ("left", "right")
        ],
        "powers": [float(any(e.get("power") == power for e in effects)) for power in POWERS],
        "board": [
            0.5 * (index // 2 == board // 2) if open_side else float(index == board) for index in range(14)
        ],
        "revealed_stage": [float(planned > 0 and (planned - 1) % 3 == 1)],
        "city": city,
    }


def table_values(table: Table) -> Values:
    game = table.record
    return {
        "age": [float(index == game["age"]) for index in range(3)],
        "turn": [float(index == game["turn"]) for index in range(7)],
        "phase": [float(index == game["phase"]) for index in range(4)],
        "players": [float(index == table.num_players - 3) for index in range(5)],
    }


def hand_values(table: Table, seat: int) -> list[float]:
    game = table.record
    hand = game["hands"][seat][: int(game["hand_size"][seat])].tolist()
    values = [float(hand.count(kind)) for kind in range(KINDS)]
    if game["planned"][seat]:
        values[(int(game["planned"][seat]) - 1) // 3] -= 0.5
    return values


def expected_observation(table: Table, seat: int) -> Values:
    n, game = table.num_players, table.record
    order = [seat, (seat + 1) % n, (seat - 1) % n, *((seat + step) % n for step in range(2, n - 1))]
    values: Values = {}
    for position, block in enumerate(BLOCKS):
        for name, value in seat_values(table, order[position] if position < n else seat).items():
            values[f"{block}_{name}"] = value if position < n else [0.0] * len(value)
    values |= table_values(table)
    values["hand"] = hand_values(table, seat)
    decides, phase = seat in table.deciders(), PHASES[int(game["phase"])]
    picks = decides and phase == "pick"
    values["discard"] = [float(count) for count in game["discard"]] if picks else [0.0] * KINDS
    rights = np.full(MAX_PAYMENT + 1, NONE, np.int64)
    if decides and phase == "pay":
        _payments(table.games, 0, table.tables, seat, rights)
    values["payments"] = [0.0 if right == NONE else float(right) + 1 for right in rights]
    values["sides"] = [float(phase == "side")]
    return values


def expected_state(table: Table) -> Values:
    n = table.num_players
    values: Values = {}
    for seat in range(MAX_SEATS):
        for name, value in seat_values(table, seat % n).items():
            values[f"seat_{seat}_{name}"] = value if seat < n else [0.0] * len(value)
        values[f"seat_{seat}_hand"] = hand_values(table, seat) if seat < n else [0.0] * KINDS
    values |= table_values(table)
    values["discard"] = [float(count) for count in table.record["discard"]]
    values["sides"] = [float(PHASES[int(table.record["phase"])] == "side")]
    return values
