"""Games of 7 Wonders to be looked at through one seat's eyes, and all worlds that this seat may be in.

The judge of a world is the game itself: its cards are dealt anew and the whole game is played once more with the same
actions; then the seat must see at every decision what it has really seen. Nothing here knows how the kernels sort the
hidden cards.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from antiquity.testing.table import Table
from seven_wonders_env import GAME
from seven_wonders_env.data.tables import read_table
from seven_wonders_env.state import (
    BUILD,
    CARD_ACTIONS,
    CHOOSE,
    GAME_DTYPE,
    GUILD_START,
    KINDS,
    LAST,
    NO_CARD,
    PAYMENT_ACTIONS,
    SELL,
    STAGE,
    TURNS,
    USES,
)

HIDDEN = ("seed", "chosen", "planned", "hands", "discard", "history")
PUBLIC = [name for name in GAME_DTYPE.names or () if name not in HIDDEN]
PICKING = ["halikarnassos", "babylon", "gizah", "rhodos", "olympia", "ephesos", "alexandria"]
OTHERWISE_NOW = "the seat sees or remembers something else now"


def split(action: int) -> tuple[int, int]:
    """(kind, use) of a card action."""
    return (action - CARD_ACTIONS) // USES, (action - CARD_ACTIONS) % USES


def card_action(kind: int, use: int) -> int:
    return CARD_ACTIONS + USES * kind + use


def holder(n: int, age: int, hand: int, turn: int) -> int:
    """Who holds the hand that was dealt to seat ``hand``."""
    turn = min(turn, TURNS - 1)
    return (hand - turn if age == 1 else hand + turn) % n


def view(table: Table, seat: int, *, memory: bool = False) -> bytes:
    """All that a seat can see, its legal actions included."""
    return table.observe(seat, memory=memory).tobytes() + bytes(table.legal(seat))


class Played:
    """A game with everything that happened in it: the actions of each step, and what each seat saw before it."""

    def __init__(
        self, n: int, seed: int, style: tuple[float, float] = (0.0, 0.0), coins: int = 3, **options: Any
    ) -> None:
        self.n, self.rng = n, random.Random(seed)
        self.table = Table(GAME, n, seed=seed, **options)
        self.table.record["coins"][:n] = coins
        self.first = self.table.copy()
        self.style = style
        self.steps: list[dict[int, int]] = []
        self.seen: list[list[bytes]] = []
        self.listeners: list[Callable[[dict[int, int]], None]] = []

    def see(self) -> list[bytes]:
        return [view(self.table, seat) for seat in range(self.n)]

    def step(self) -> None:
        """One step; ``style``: how often a stage, else a building, is preferred."""
        actions = {}
        for seat in self.table.deciders():
            legal = self.table.legal(seat)
            for use, often in zip((STAGE, BUILD), self.style, strict=True):
                some = [action for action in legal if action < PAYMENT_ACTIONS and split(action)[1] == use]
                if some and self.rng.random() < often:
                    legal = some
                    break
            actions[seat] = self.rng.choice(legal)
        self.seen.append(self.see())
        self.steps.append(actions)
        for listener in self.listeners:
            listener(actions)
        self.table.step(actions)

    def positions(self) -> Iterator[Table]:
        """The table at every decision, and at the end."""
        while True:
            yield self.table
            if self.table.over:
                return
            self.step()

    def same_for(self, seat: int, world: Any) -> str:
        """Play the world's cards with the same actions; what is wrong with it for the seat, or "" when nothing is."""
        if any(world[name].tobytes() != self.table.record[name].tobytes() for name in PUBLIC):
            return "a public field differs"
        table = self.first.copy()
        age = -1
        for number, (actions, seen) in enumerate(zip(self.steps, self.seen, strict=True)):
            if age != table.record["age"]:
                age = int(table.record["age"])
                deal(table, world)
            here = f"at step {number} (Age {age + 1}, turn {int(table.record['turn']) + 1})"
            if table.deciders() != sorted(actions):
                return f"others decide {here}"
            if view(table, seat) != seen[seat]:
                return f"the seat sees something else {here}"
            if table.record["phase"] in (CHOOSE, LAST):
                actions = {s: translate(world, table.record, s, action) for s, action in actions.items()}
            if any(action not in table.legal(s) for s, action in actions.items()):
                return f"an action is illegal {here}"
            table.step(actions)
        if age != table.record["age"]:
            deal(table, world)
        if view(table, seat, memory=True) != view(self.table, seat, memory=True):
            return OTHERWISE_NOW
        end = table.record.copy()
        for name in ("seed", "chosen"):
            end[name] = world[name]
        return "" if end.tobytes() == world.tobytes() else "the end is not the world"


def translate(world: Any, record: Any, seat: int, action: int) -> int:
    """The action with the card that it has in the world."""
    there = int(world["history"][record["age"], record["turn"], seat]) or int(world["planned"][seat])
    return card_action(split(there)[0], split(action)[1])


def deal(table: Table, world: Any) -> None:
    """Deal the cards that the world says were in the hands at the start of the Age."""
    n, age = table.num_players, int(table.record["age"])
    for hand in range(n):
        cards = []
        for turn in range(TURNS + 1):
            action = int(world["history"][age, turn, holder(n, age, hand, turn)])
            if action == 0:
                owner = holder(n, age, hand, int(world["turn"]))
                cards += [int(kind) for kind in world["hands"][owner] if kind != NO_CARD]
                break
            cards.append(split(action)[0])
        assert len(cards) == TURNS + 1
        table.record["hands"][hand] = sorted(cards)


def picked(table: Table) -> bool:
    return bool(table.record["picks"].any())


def redrawn(table: Table, seat: int, seed: int) -> Table:
    other = table.copy()
    other.determinize(seat, seed)
    return other


VARIED: list[dict[str, Any]] = [
    {"n": 3, "sides": "day", "boards": PICKING[:3]},
    {"n": 3, "sides": "night", "boards": PICKING[:3]},
    {"n": 4, "sides": "random", "payments": "cheapest"},
    {"n": 4, "sides": "night", "boards": PICKING[:4]},
    {"n": 5, "sides": "night"},
    {"n": 6, "sides": "night"},
    {"n": 7, "sides": "day"},
    {"n": 7, "sides": "night"},
]
STYLES = ((0.0, 0.0), (0.6, 0.3), (0.9, 0.0), (0.7, 0.9))


def games(number: int, **options: Any) -> Iterator[Played]:
    for seed in range(number):
        chosen = {**VARIED[seed % len(VARIED)], **options}
        yield Played(chosen.pop("n"), seed, STYLES[seed // len(VARIED) % len(STYLES)], **chosen)


def some_positions(number: int, **options: Any) -> Iterator[tuple[Played, Table]]:
    """Decisions of all kinds (and ends) of random games."""
    for game in games(number, **options):
        for table in game.positions():
            if table.over or game.rng.random() < (0.05 if table.record["phase"] == CHOOSE else 0.4):
                yield game, table


def card_tables(folder: Path) -> dict[str, str]:
    """Card tables to play with, written into a folder: their paths by name.

    "few names": all cards share six names, so that a pick often finds nothing, or little. "few kinds": four kinds an
    Age, with many copies, so that the same kinds come from several hands.
    """
    table = read_table("second_edition")
    names = ['extends = "second_edition"']
    for section in ("cards", "guilds"):
        for number, card in enumerate(table[section]):
            names += [f"[[{section}]]", f'id = "{card["id"]}"', f'name = "Name {number % 6}"']
    kinds = ['extends = "second_edition"']
    for age in (1, 2, 3):
        # Cards for three players, and more for each player above; Age III has n + 2 guilds besides.
        copies = [3] * (16 if age == 3 else 21) + [
            n for n in range(4, 8) for _ in range(6 if age == 3 else 7)
        ]
        for number, card in enumerate(card for card in table["cards"] if card["age"] == age):
            kinds += [
                "[[cards]]",
                f'id = "{card["id"]}"',
                f"copies = {copies[number::4] if number < 4 else []}",
            ]
    paths = {"second edition": "second_edition"}
    for name, lines in (("few names", names), ("few kinds", kinds)):
        paths[name] = str(folder / f"{name}.toml")
        Path(paths[name]).write_text("\n".join(lines))
    return paths


def arrangements(cards: list[int]) -> Iterator[tuple[int, ...]]:
    """All different orders."""
    if not cards:
        yield ()
    for kind in sorted(set(cards)):
        rest = cards.copy()
        rest.remove(kind)
        for more in arrangements(rest):
            yield (kind, *more)


def hidden_places(table: Table, seat: int) -> dict[int, list[tuple[int, ...]]]:
    """Where cards lie that others hold or have put face down, by Age: (turn, seat) or (seat,) for a card in hand."""
    places: dict[int, list[tuple[int, ...]]] = {}
    game, n = table.record, table.num_players
    for age in range(int(game["age"]) + 1):
        others = [other for other in range(n) if other != seat]
        places[age] = [
            (turn, other)
            for turn in range(TURNS + 1)
            for other in others
            if game["history"][age, turn, other] and split(int(game["history"][age, turn, other]))[1] != BUILD
        ]
        if age == game["age"]:
            places[age] += [(other,) for other in others for _ in range(int(game["hand_size"][other]))]
    return places


def guilds_in_box(table: Table) -> list[int]:
    game = table.record
    if game["age"] < 2:
        return []
    out = {int(kind) for kind in table.tables[0]["guilds"][: int(table.tables[0]["guild_count"])]}
    out -= {split(int(action))[0] for action in game["history"][2].flat if action}
    return sorted(out - {int(kind) for kind in game["hands"].flat})


def hidden_cards(table: Table, seat: int) -> dict[int, list[int]]:
    """The cards in the hidden places, by Age; in Age III the guilds in the box stand behind them."""
    game = table.record
    cards: dict[int, list[int]] = {}
    for age, places in hidden_places(table, seat).items():
        cards[age] = [split(int(game["history"][age, p[0], p[1]]))[0] for p in places if len(p) == 2]
        if age == game["age"]:
            cards[age] += [int(kind) for kind in np.delete(game["hands"], seat, axis=0).flat if kind < KINDS]
        if age == 2:
            cards[age] += guilds_in_box(table)
    return cards


def number_of_worlds(table: Table, seat: int) -> int:
    """How many :func:`all_worlds` has at most."""
    number = 1
    for cards in hidden_cards(table, seat).values():
        number *= math.factorial(len(cards)) // math.prod(map(math.factorial, Counter(cards).values()))
    return number


def all_worlds(table: Table, seat: int) -> Iterator[Any]:
    """Every way to give the hidden cards of each Age to the hidden places, sensible or not; as records."""
    game = table.record
    places = hidden_places(table, seat)
    by_age = []
    for age, cards in hidden_cards(table, seat).items():
        box = slice(len(places[age]), None)
        by_age.append(
            [order for order in arrangements(cards) if min(order[box], default=KINDS) >= GUILD_START]
        )
    for orders in itertools.product(*by_age):
        world = game.copy()
        world["chosen"] = 0
        hands: dict[int, list[int]] = {}
        for (age, some), order in zip(places.items(), orders, strict=True):
            for place, kind in zip(some, order, strict=False):
                if len(place) == 1:
                    hands.setdefault(place[0], []).append(kind)
                    continue
                turn, other = place
                use = split(int(game["history"][age, turn, other]))[1]
                world["history"][age, turn, other] = card_action(kind, use)
        for other, cards in hands.items():
            world["hands"][other, : len(cards)] = sorted(cards)
        possible = True
        for other in range(table.num_players):
            planned = int(game["planned"][other])
            if other != seat and planned:
                # The first card of the hand takes the part of the one announced.
                kind, use = hands[other][0], split(planned)[1]
                possible &= use != BUILD or kind == split(planned)[0]
                world["planned"][other] = card_action(kind, use)
        sold = Counter(split(int(a))[0] for a in world["history"].flat if a and split(int(a))[1] == SELL)
        sold.subtract(int(pick) - 1 for pick in world["picks"] if pick)
        if possible and min(sold.values(), default=0) >= 0:
            world["discard"] = [sold[kind] for kind in range(KINDS)]
            yield world
