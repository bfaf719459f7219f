"""Broken card tables of 7 Wonders: every check, with an error that names the entry."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from antiquity.testing.table import Table
from seven_wonders.positions import KIND, TABLE
from seven_wonders_env import GAME, TableError
from seven_wonders_env.data.checks import check_table
from seven_wonders_env.data.tables import compile_table

Data = dict[str, Any]
Change = Callable[[Data], Any]

PATH_JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "wood",
    [],
    ["wood"],
    [[]],
    {},
    {"wood": 1},
    [{}],
)


def card(data: Data, name: str) -> Data:
    kinds: list[Data] = [*data["cards"], *data["guilds"]]
    return kinds[KIND[name]]


def wonder(data: Data, name: str) -> Data:
    return next(entry for entry in data["wonders"] if entry["id"] == name)


def a_stage(data: Data, name: str = "gizah", number: int = 1) -> Data:
    """A stage of the wonder's day side."""
    return wonder(data, name)["sides"][0]["stages"][number - 1]  # type: ignore[no-any-return]


def put(name: str, /, **keys: Any) -> Change:
    return lambda data: card(data, name).update(keys)


def put_effect(name: str, /, **effect: Any) -> Change:
    return lambda data: card(data, name).update(effects=[effect])


def put_stage(**keys: Any) -> Change:
    return lambda data: a_stage(data).update(keys)


def put_rule(**keys: Any) -> Change:
    return lambda data: data["rules"].update(keys)


def drop(name: str, key: str) -> Change:
    return lambda data: card(data, name).pop(key)


BROKEN: dict[str, tuple[Change, str]] = {
    # The whole table
    "unknown_section": (lambda d: d.update(card=[]), r"unknown entry 'card'"),
    "schema": (lambda d: d.update(schema=2), r"schema = 2"),
    "cards_missing": (lambda d: d.pop("cards"), r"\[\[cards\]\].*exactly 70"),
    "a_card_too_few": (lambda d: d["cards"].pop(), r"\[\[cards\]\].*exactly 70"),
    "a_guild_too_many": (lambda d: d["guilds"].append(d["guilds"][0]), r"\[\[guilds\]\].*exactly 10"),
    "wonders_no_list": (lambda d: d.update(wonders={}), r"\[\[wonders\]\].*exactly 7"),
    "card_no_table": (lambda d: d["cards"].__setitem__(3, "ore vein"), r"\[\[cards\]\] number 4"),
    # Rules
    "rules_missing": (lambda d: d.pop("rules"), r"\[rules\]"),
    "rules_unknown": (put_rule(start_coin=3), r"\[rules\] key = 'start_coin'"),
    "rules_negative": (put_rule(start_coins=-1), r"\[rules\] start_coins = -1"),
    "rules_not_whole": (put_rule(sell_card_coins=2.5), r"\[rules\] sell_card_coins = 2.5"),
    "rules_truth_value": (put_rule(coins_per_vp=True), r"\[rules\] coins_per_vp = True"),
    "rules_zero_divisor": (put_rule(coins_per_vp=0), r"\[rules\] coins_per_vp = 0"),
    "rules_price": (put_rule(resource_price=0), r"\[rules\] resource_price = 0"),
    "rules_loss": (put_rule(military_loss_vp=1), r"\[rules\] military_loss_vp = 1"),
    "rules_win_ages": (put_rule(military_win_vp={"age1": 1}), r"\[rules\] military_win_vp"),
    "rules_win_value": (
        put_rule(military_win_vp={"age1": 1, "age2": 3, "age3": 43}),
        r"\[rules\] military_win_vp.age3 = 43",
    ),
    # Cards
    "card_unknown_key": (put("altar", color="blue"), r"card 'altar': key = 'color'"),
    "card_no_id": (drop("altar", "id"), r"card None: id = None: must be a text"),
    "card_no_name": (put("altar", name=""), r"card 'altar': name = '': must be a text of 1 to 32"),
    "card_long_name": (put("altar", name="A" * 33), r"card 'altar': name = 'A+': must be a text of 1 to 32"),
    "card_age": (put("altar", age=4), r"card 'altar': age = 4"),
    "card_colour": (put("altar", colour="purple"), r"card 'altar': colour = 'purple'"),
    "guild_age": (put("spies_guild", age=2), r"card 'spies_guild': age = 2"),
    "guild_colour": (put("spies_guild", colour="blue"), r"card 'spies_guild': colour = 'blue'"),
    "guild_copies": (put("spies_guild", copies=[3, 3]), r"card 'spies_guild': copies of a guild"),
    "guild_from_five": (put("spies_guild", copies=[5]), r"card 'spies_guild': copies of a guild"),
    "copies_missing": (drop("altar", "copies"), r"card 'altar': copies must be a list"),
    "copies_of_two_players": (put("altar", copies=[2, 5]), r"card 'altar': copies = 2"),
    "chain_no_list": (put("statue", free_from="well"), r"card 'statue': free_from must be a list"),
    "chain_unknown": (put("statue", free_from=["wel"]), r"card 'statue': free_from names 'wel'"),
    "id_twice": (put("palace", id="baths"), r"card 'baths': the id is used twice"),
    "cost_coins": (put("altar", cost_coins=-1), r"card 'altar': cost_coins = -1"),
    "cost_no_table": (put("altar", cost=[1]), r"card 'altar': cost = \[1\]"),
    "cost_unknown": (put("altar", cost={"gold": 1}), r"card 'altar': cost = 'gold'"),
    "cost_zero": (put("altar", cost={"wood": 0}), r"card 'altar': cost.wood = 0"),
    "cost_too_high": (put("altar", cost={"wood": 8}), r"card 'altar': 8 units at 2 coins.*14"),
    "prices_too_high": (put_rule(resource_price=3), r"units at 3 coins"),
    # Effects
    "effects_missing": (drop("altar", "effects"), r"card 'altar': effects must be a list"),
    "effect_no_table": (put("altar", effects=["vp"]), r"card 'altar': an effect = 'vp'"),
    "effect_unknown": (put_effect("altar", type="copy_guild"), r"card 'altar': effect type = 'copy_guild'"),
    "effect_unknown_key": (
        put_effect("altar", type="vp", amout=3),
        r"card 'altar', effect vp: key = 'amout'",
    ),
    "effect_no_amount": (put_effect("altar", type="vp"), r"card 'altar', effect vp: amount = None"),
    "effect_amount": (put_effect("altar", type="shields", amount=51), r"effect shields: amount = 51"),
    "effect_sum": (
        put("altar", effects=[{"type": "vp", "amount": 40}] * 3),
        r"card 'altar': effects of type vp add up to 120",
    ),
    "produce_nothing": (put_effect("mine", type="produce", resources={}), r"card 'mine', effect produce"),
    "produce_unknown": (
        put_effect("mine", type="produce", resources={"gold": 1}),
        r"card 'mine', effect produce: resources = 'gold'",
    ),
    "produce_many": (
        put_effect("mine", type="produce", resources={"ore": 5}),
        r"card 'mine', effect produce: resources.ore = 5",
    ),
    "choice_of_none": (put_effect("mine", type="produce_choice", one_of=[]), r"card 'mine'.*one_of = \[\]"),
    "choice_repeats": (
        put_effect("mine", type="produce_choice", one_of=["ore", "ore"]),
        r"card 'mine'.*without repeats",
    ),
    "choice_unknown": (
        put_effect("mine", type="produce_choice", one_of=["ore", "gold"]),
        r"card 'mine'.*'gold'",
    ),
    "choice_mixes": (
        put_effect("mine", type="produce_choice", one_of=["ore", "glass"]),
        r"card 'mine'.*between raw and manufactured",
    ),
    "sold_no_truth_value": (
        put_effect("mine", type="produce", resources={"ore": 1}, neighbours_may_buy=1),
        r"card 'mine'.*neighbours_may_buy must be true or false",
    ),
    "brown_not_sold": (
        put_effect("mine", type="produce", resources={"ore": 1}, neighbours_may_buy=False),
        r"card 'mine': neighbours may buy from brown and grey",
    ),
    "yellow_sold": (
        put_effect("forum", type="produce_choice", one_of=["glass"], neighbours_may_buy=True),
        r"card 'forum': neighbours may buy from brown and grey",
    ),
    "discount_goods": (
        put_effect("marketplace", type="trade_discount", goods="all", side="left"),
        r"goods = 'all'",
    ),
    "discount_side": (
        put_effect("marketplace", type="trade_discount", goods="raw", side="up"),
        r"side = 'up'",
    ),
    "discount_price": (
        put_effect("marketplace", type="trade_discount", goods="raw", side="left", price=0),
        r"card 'marketplace'.*discount_price",
    ),
    "count_amount": (
        put_effect("vineyard", type="coins_per", count=["brown_cards"], cities=["self"], amount=21),
        r"card 'vineyard', effect coins_per: amount = 21",
    ),
    "count_unknown": (
        put_effect("vineyard", type="coins_per", count=["brown"], cities=["self"], amount=1),
        r"card 'vineyard', effect coins_per: count = 'brown'",
    ),
    "count_cities": (
        put_effect("vineyard", type="end_vp_per", count=["brown_cards"], cities="self", amount=1),
        r"card 'vineyard', effect end_vp_per: cities = 'self'",
    ),
    "science_unknown": (
        put_effect("school", type="science", symbol="lens"),
        r"card 'school'.*symbol = 'lens'",
    ),
    "science_choice": (
        put_effect("school", type="science_choice", one_of=["gear", "tablet"]),
        r"card 'school'.*between all of",
    ),
    "power_on_a_card": (
        put_effect("altar", type="power", power="play_last_card"),
        r"powers belong to wonder stages",
    ),
    # Wonders
    "wonder_unknown_key": (lambda d: wonder(d, "gizah").update(side="day"), r"wonder 'gizah': key = 'side'"),
    "wonder_name": (
        lambda d: wonder(d, "gizah").update(name="G" * 33),
        r"wonder 'gizah': name = 'G+': must be a text",
    ),
    "wonder_id_twice": (
        lambda d: wonder(d, "gizah").update(id="rhodos"),
        r"wonder 'rhodos': the id is used twice",
    ),
    "wonder_resource": (
        lambda d: wonder(d, "gizah").update(resource="gold"),
        r"wonder 'gizah': resource = 'gold'",
    ),
    "sides_no_list": (
        lambda d: wonder(d, "gizah").update(sides="day"),
        r"wonder 'gizah': sides must be a list",
    ),
    "side_no_table": (
        lambda d: wonder(d, "gizah").update(sides=["day", "night"]),
        r"wonder 'gizah': side = 'day'",
    ),
    "side_missing": (
        lambda d: wonder(d, "gizah")["sides"].pop(),
        r"wonder 'gizah': needs the sides day and night",
    ),
    "side_unknown_key": (
        lambda d: wonder(d, "gizah")["sides"][0].update(stage=[]),
        r"wonder 'gizah', side day: key = 'stage'",
    ),
    "no_stage": (
        lambda d: wonder(d, "gizah")["sides"][0].update(stages=[]),
        r"'gizah', side day: must have 1 to 4",
    ),
    "five_stages": (
        lambda d: wonder(d, "gizah")["sides"][1]["stages"].append({"effects": []}),
        r"'gizah', side night: must have 1 to 4",
    ),
    "stage_no_table": (
        lambda d: wonder(d, "gizah")["sides"][0]["stages"].__setitem__(1, 3),
        r"wonder 'gizah', side day, stage 2 = 3",
    ),
    "stage_unknown_key": (put_stage(vp=3), r"wonder 'gizah', side day, stage 1: key = 'vp'"),
    "stage_cost": (put_stage(cost={"stone": 8}), r"wonder 'gizah', side day, stage 1: 8 units"),
    "stage_cost_coins": (put_stage(cost_coins="3"), r"wonder 'gizah', side day, stage 1: cost_coins = '3'"),
    "stage_power": (
        put_stage(effects=[{"type": "power", "power": "fly"}]),
        r"wonder 'gizah', side day, stage 1, effect power: power = 'fly'",
    ),
    "stage_sold": (
        put_stage(effects=[{"type": "produce", "resources": {"ore": 1}, "neighbours_may_buy": True}]),
        r"wonder 'gizah', side day, stage 1: neighbours may not buy",
    ),
    "two_discard_wonders": (
        put_stage(effects=[{"type": "power", "power": "build_from_discard"}]),
        r"wonder 'halikarnassos': power 'build_from_discard' may be on one wonder only, 'gizah'",
    ),
    # Sums
    "deck_too_small": (put("altar", copies=[3]), r"Age I cards: 5 players need 35, the table has 34"),
    "deck_of_age_three": (
        put("palace", copies=[]),
        r"Age III cards: 3 players need 16, the table has 15",
    ),
    "guilds_too_few": (
        lambda d: [put(name, copies=[])(d) for name in ("spies_guild", "workers_guild")],
        r"\[\[guilds\]\]: 7 players draw 9 guilds, the table has 8",
    ),
    "symbols": (
        lambda d: [put_effect(name, type="produce", resources={"ore": 4})(d) for name in ("mine", "foundry")],
        r"production symbols for one city",
    ),
    "shields": (
        lambda d: [entry.update(effects=[{"type": "shields", "amount": 5}]) for entry in d["cards"][13:]],
        r"shields for one city, more than 255",
    ),
    "science": (
        lambda d: [
            entry.update(effects=[{"type": "science", "symbol": "gear"}] * 5) for entry in d["cards"][13:]
        ],
        r"science symbols for one city, more than 255",
    ),
    "coins": (
        lambda d: card(d, "bazar").update(
            effects=[
                {
                    "type": "coins_per",
                    "count": ["grey_cards"],
                    "amount": 20,
                    "cities": ["self", "left", "right"],
                }
            ]
            * 2
        ),
        r"coins, more than 65535",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_tables_are_refused(name: str) -> None:
    change, message = BROKEN[name]
    data = copy.deepcopy(TABLE)
    change(data)
    with pytest.raises(TableError, match=message):
        check_table(data)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value in the table."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


def test_junk_anywhere_is_a_table_error_or_harmless() -> None:
    """One value replaced, removed or given a strange neighbour: refused by name, or a table that can be played."""
    rng = random.Random(1)
    everywhere = places(TABLE)
    refused = accepted = 0
    for number in range(300):
        data = copy.deepcopy(TABLE)
        *path, last = rng.choice(everywhere)
        holder = data
        for key in path:
            holder = holder[key]
        how = rng.random()
        if how < 0.15:
            del holder[last]
        elif how < 0.3 and isinstance(holder, dict):
            holder[rng.choice(("amount", "cost", "x", "side", "type"))] = rng.choice(PATH_JUNK)
        else:
            holder[last] = copy.deepcopy(rng.choice(PATH_JUNK))
        try:
            check_table(data)
        except TableError:
            refused += 1
        else:
            accepted += 1
            tables = compile_table(data)
            if number % 10 == 0:
                play(tables, number)
    assert refused > 150 and accepted > 10


def play(tables: np.ndarray, seed: int) -> None:
    game = Table(GAME, 3, seed=seed, sides="random")
    game.tables = tables
    game.play_on(random.Random(seed))
