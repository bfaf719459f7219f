"""What a seat knows of hidden cards in 7 Wonders, and redrawn worlds.

The judge of a redrawn world is the game itself: the cards of the world are dealt anew and the whole game is played once
more with the same actions; then the seat must see at every decision what it has really seen. Nothing here knows how
the kernels sort the hidden cards.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import Table, _choose
from seven_wonders_env import GAME
from seven_wonders_env.state import (
    BUILD,
    CARD_ACTIONS,
    CHOOSE,
    GAME_DTYPE,
    GUILD_START,
    HAND,
    KINDS,
    LAST,
    NO_CARD,
    PAY,
    PAYMENT_ACTIONS,
    PHASES,
    PICK,
    SELL,
    STAGE,
    TURNS,
    USES,
)
from seven_wonders_env.tables import read_table

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


# ---------------------------------------------------------------------- games to look at

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


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Card tables. "few names": all cards share six names, so that a pick often finds nothing, or little.

    "few kinds": four kinds an Age, with many copies, so that the same kinds come from several hands.
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
    folder = tmp_path_factory.mktemp("tables")
    paths = {"second edition": "second_edition"}
    for name, lines in (("few names", names), ("few kinds", kinds)):
        paths[name] = str(folder / f"{name}.toml")
        Path(paths[name]).write_text("\n".join(lines))
    return paths


# ---------------------------------------------------------------------- what stays, what changes


def test_all_that_the_seat_knows_stays() -> None:
    phases: Counter[str] = Counter()
    for game, table in some_positions(48):
        for seat in range(game.n):
            other = redrawn(table, seat, game.rng.getrandbits(63))
            assert view(other, seat, memory=True) == view(table, seat, memory=True)
            assert other.record["hands"][seat].tobytes() == table.record["hands"][seat].tobytes()
            assert (
                other.record["history"][:, :, seat].tobytes() == table.record["history"][:, :, seat].tobytes()
            )
            assert other.record["planned"][seat] == table.record["planned"][seat]
            assert other.record["discard"].sum() == table.record["discard"].sum()
            for name in PUBLIC:
                assert other.record[name].tobytes() == table.record[name].tobytes(), name
            for before, after in zip(table.record["history"].flat, other.record["history"].flat, strict=True):
                assert (before == 0) == (after == 0)
                if before:
                    assert split(int(before))[1] == split(int(after))[1]
                    assert before == after or split(int(before))[1] != BUILD
        phases["over" if table.over else PHASES[int(table.record["phase"])]] += 1
    assert min(phases[name] for name in (*PHASES, "over")) >= 10


def test_choices_of_others_are_forgotten() -> None:
    for game, table in some_positions(16):
        committed = table.copy()
        for seat in table.deciders():
            _choose(committed.games, 0, committed.tables, seat, game.rng.choice(table.legal(seat)))
        for seat in range(game.n):
            seed = game.rng.getrandbits(63)
            world = redrawn(committed, seat, seed).record
            assert [int(action) for action in np.delete(world["chosen"], seat)] == [0] * 6
            assert world["chosen"][seat] == committed.record["chosen"][seat]
            world["chosen"] = 0
            assert world.tobytes() == redrawn(table, seat, seed).record.tobytes()


def test_nothing_hidden_has_a_part_in_it() -> None:
    """Worlds that the seat cannot tell apart give the same bytes, and the true seed is never read."""
    different = 0
    for game, table in some_positions(32):
        for seat in range(game.n):
            one = redrawn(table, seat, game.rng.getrandbits(63))
            different += one.record["hands"].tobytes() != table.record["hands"].tobytes()
            seed = game.rng.getrandbits(63)
            expected = redrawn(table, seat, seed).record.tobytes()
            assert redrawn(one, seat, seed).record.tobytes() == expected
            one.record["seed"] = game.rng.getrandbits(64)
            assert redrawn(one, seat, seed).record.tobytes() == expected
    assert different > 100


def test_the_future_is_redrawn() -> None:
    game = Played(4, 5)
    table = next(game.positions())
    deals = set()
    for seed in range(50):
        other = redrawn(table, 0, seed)
        rng = random.Random(0)
        while other.record["age"] == 0:
            other.step({seat: rng.choice(other.legal(seat)) for seat in other.deciders()})
        deals.add(other.record["hands"].tobytes())
    assert len(deals) == 50


def test_redrawn_games_play_on_and_keep_their_cards() -> None:
    for game, table in some_positions(32):
        other = redrawn(table, game.rng.randrange(game.n), game.rng.getrandbits(63))
        other.play_on(game.rng)
        printed, record = other.tables[0], other.record
        for age in range(3):
            size = int(printed["deck_size"][game.n - 3, age])
            deck = sorted(int(kind) for kind in printed["deck"][game.n - 3, age, :size])
            used = sorted(split(int(action))[0] for action in record["history"][age, :, : game.n].flat)
            assert [kind for kind in used if kind < GUILD_START] == deck
            guilds = [kind for kind in used if kind >= GUILD_START]
            assert len(set(guilds)) == len(guilds) == HAND * game.n - size
        piled = Counter(split(int(a))[0] for a in record["history"].flat if a and split(int(a))[1] == SELL)
        piled.subtract(int(pick) - 1 for pick in record["picks"] if pick)
        assert [piled[kind] for kind in range(KINDS)] == record["discard"].tolist()


def digest() -> str:
    """Of redrawn worlds and memories in two games."""
    digest = hashlib.sha256()
    for n, seed in ((3, 1), (7, 2)):
        game = Played(n, seed, (0.9, 0.5), coins=30, sides="night", boards=PICKING[:n])
        for table in game.positions():
            if table.record["phase"] == PICK or game.rng.random() < 0.1:
                for seat in range(n):
                    world = redrawn(table, seat, len(game.steps))
                    digest.update(world.record.tobytes() + view(world, seat, memory=True))
        assert picked(game.table)
    return digest.hexdigest()


def test_plain_python_draws_the_same_worlds() -> None:
    script = "import test_seven_wonders_knowledge; print(test_seven_wonders_knowledge.digest())"
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    result = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == digest()


# ---------------------------------------------------------------------- agreement with all that was seen


@pytest.mark.parametrize("table_name", ["second edition", "few names", "few kinds"])
def test_worlds_agree_with_the_whole_game(table_name: str, cards: dict[str, str]) -> None:
    for game, table in some_positions(32, cards=cards[table_name]):
        for seat in range(game.n):
            world = redrawn(table, seat, game.rng.getrandbits(63)).record
            assert game.same_for(seat, world) == ""


def identity(world: Any) -> bytes:
    world = world.copy()
    world["seed"] = 0
    world["chosen"] = 0
    return bytes(world.tobytes())


def deviation(expected: Counter[bytes], drawn: Counter[bytes]) -> float:
    """Of the counts from what is expected, as a standard normal deviate (chi-squared, Wilson-Hilferty)."""
    freedom = len(expected) - 1
    draws, total = sum(drawn.values()), sum(expected.values())
    squares: float = sum(
        (drawn[key] - draws * n / total) ** 2 / (draws * n / total) for key, n in expected.items()
    )
    variance = 2 / (9 * freedom)
    return (math.cbrt(squares / freedom) - 1 + variance) / math.sqrt(variance)


def found_nothing(table: Table) -> bool:
    """The picking seat (0) has a stage without a pick, though cards were in the pile."""
    stages = int(table.record["built"][0, 7])
    return stages > 0 and table.record["phase"] != PICK and not table.record["picks"][:stages].all()


SITUATIONS: dict[str, tuple[Callable[[Table], bool], str, bool]] = {
    # name: (which positions, card table, whether seat 0, the picker, looks)
    "no picks": (lambda t: not picked(t) and t.record["built"][0, 7] == 0, "second edition", False),
    "payments": (lambda t: bool(t.record["phase"] == PAY), "second edition", False),
    "after a pick": (picked, "second edition", False),
    "after a pick, few kinds": (picked, "few kinds", False),
    "after the own pick": (picked, "second edition", True),
    "after the own pick, few kinds": (picked, "few kinds", True),
    "at the own pick": (lambda t: bool(t.record["phase"] == PICK), "second edition", True),
    "another picks": (lambda t: bool(t.record["phase"] == PICK), "few names", False),
    "nothing to pick": (found_nothing, "few names", False),
    "nothing to pick oneself": (found_nothing, "few names", True),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_world_comes_out(situation: str, cards: dict[str, str]) -> None:
    """Small positions of three players: the redrawn worlds are all that agree with what was seen, equally likely."""
    fits, table_name, picker_looks = SITUATIONS[situation]
    looked_at = 0
    most = 0.0
    for seed in itertools.count():
        game = Played(
            3, seed, (0.75, 0.75), coins=30, sides="night", boards=PICKING[:3], cards=cards[table_name]
        )
        for table in game.positions():
            if table.record["age"] == 2:
                break
            if not fits(table):
                continue
            seat = 0 if picker_looks else game.rng.randrange(1, 3)
            if not 20 <= number_of_worlds(table, seat) <= 800:
                continue
            judged = [(game.same_for(seat, world), identity(world)) for world in all_worlds(table, seat)]
            if situation == "another picks" and all(fault != OTHERWISE_NOW for fault, _ in judged):
                continue  # the pile offers a card in every world
            expected = Counter(world for fault, world in judged if fault == "")
            drawn = Counter(
                identity(redrawn(table, seat, number).record) for number in range(300 * len(expected))
            )
            assert drawn.keys() == expected.keys()
            if len(expected) > 1:
                most = max(most, deviation(expected, drawn))
                looked_at += 1
        if looked_at >= (3 if situation == "another picks" else 6):
            break
    assert most < 4


def test_every_choice_of_guilds_comes_out() -> None:
    """At the start of Age III nothing is known of the guilds but that n + 2 of them are in play."""
    game = Played(3, 1, (0.0, 0.9))
    table = next(table for table in game.positions() if table.record["age"] == 2)
    own = {int(kind) for kind in table.record["hands"][0] if GUILD_START <= kind < KINDS}
    guilds = {int(kind) for kind in table.tables[0]["guilds"][: int(table.tables[0]["guild_count"])]}
    expected = Counter(
        {
            bytes(sorted(own | set(more))): 1
            for more in itertools.combinations(sorted(guilds - own), 5 - len(own))
        }
    )
    drawn: Counter[bytes] = Counter()
    for number in range(100 * len(expected)):
        hands = redrawn(table, 0, number).record["hands"]
        drawn[bytes(sorted(int(kind) for kind in hands.flat if GUILD_START <= kind < KINDS))] += 1
    assert drawn.keys() == expected.keys()
    assert deviation(expected, drawn) < 4


# ---------------------------------------------------------------------- memory


class Diary:
    """A seat's perfect memory, written down while the game goes on."""

    def __init__(self, game: Played, seat: int) -> None:
        self.table, self.seat, self.n = game.table, seat, game.n
        self.age = -1
        self.hands: dict[int, Counter[int]] = {}
        self.discard: Counter[int] = Counter()
        self.sold = 0

    def hand_of(self, seat: int) -> int:
        turn = int(self.table.record["turn"])
        return next(hand for hand in range(self.n) if holder(self.n, self.age, hand, turn) == seat)

    def look(self) -> None:
        """Before a decision."""
        game = self.table.record
        if game["age"] != self.age:
            self.age = int(game["age"])
            self.hands = {}
        own = [int(action) for action in game["history"][:, :, self.seat].flat if action]
        sold = [kind for kind, use in map(split, own) if use == SELL]
        self.discard.update(sold[self.sold :])
        self.sold = len(sold)
        if game["phase"] == CHOOSE:
            self.hands[self.hand_of(self.seat)] = Counter(
                int(k) for k in game["hands"][self.seat] if k != NO_CARD
            )
        if self.picks():
            self.discard = Counter({kind: int(game["discard"][kind]) for kind in range(KINDS)})

    def picks(self) -> bool:
        return bool(self.table.record["phase"] == PICK) and self.seat in self.table.deciders()

    def note(self, actions: dict[int, int]) -> None:
        """What the seat learns from a step, before it is done."""
        phase = self.table.record["phase"]
        for seat, action in actions.items():
            if phase == PAY:
                continue
            kind, use = split(action)
            if phase == PICK:
                self.discard[kind] = max(self.discard[kind] - 1, 0)
            elif (use == BUILD or seat == self.seat) and self.hand_of(seat) in self.hands:
                self.hands[self.hand_of(seat)][kind] -= 1

    def vector(self) -> np.ndarray:
        known = np.zeros((7, KINDS), np.float32)
        for step in range(1, self.n):
            other = (self.seat + step) % self.n
            if self.table.record["hand_size"][other]:
                for kind, number in self.hands.get(self.hand_of(other), Counter()).items():
                    known[step - 1, kind] = number
        for kind, number in self.discard.items():
            known[6, kind] = number
        return known.ravel()


def test_memory_is_a_perfect_memory() -> None:
    layout = GAME.memory_layout
    for game in games(40):
        diaries = [Diary(game, seat) for seat in range(game.n)]
        game.listeners += [diary.note for diary in diaries]
        for table in game.positions():
            for diary in diaries:
                diary.look()
                memory = table.observe(diary.seat, memory=True)[GAME.layout.size :]
                assert memory.tobytes() == diary.vector().tobytes()
                assert (memory >= layout.low).all() and (memory <= layout.high).all()
