"""What a seat knows in Stone Age: nothing hidden reaches its observation, and redrawn worlds agree with what it saw."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from antiquity.testing.table import Table
from stone_age.policies import buys
from stone_age_env import GAME
from stone_age_env.state import CARDS, GAME_DTYPE, NO_CARD

HIDDEN = ("seed", "chosen", "owner", "deck", "piles", "culture", "figures")
PUBLIC = [name for name in GAME_DTYPE.names or () if name not in HIDDEN]
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def positions(players: int, seed: int, every: int = 1) -> Iterator[Table]:
    """A game as it goes, at every so many decisions and at the end."""
    rng = random.Random(seed)
    table = Table(GAME, players, seed=seed)
    count = 0
    while not table.over:
        if count % every == 0:
            yield table
        count += 1
        [seat] = table.deciders()
        legal = table.legal(seat)
        table.step({seat: rng.choice([action for action in legal if buys(action)] or legal)})
    yield table


def with_extra_cards(players: int, seed: int) -> Iterator[Table]:
    """Positions in which every seat has an extra card, dealt by hand from the deck."""
    for table in positions(players, seed, every=40):
        game = table.record
        if int(game["deck_next"]) + players >= CARDS:
            continue
        copy = table.copy()
        for seat in range(players):
            give_extra(copy, seat)
        yield copy


def count_bottom(table: Table, seat: int, card: int, sign: int) -> None:
    symbol, person = (int(table.tables[0][name][card]) for name in ("symbol", "person"))
    if symbol != NO_CARD:
        table.record["culture"][seat, symbol] = int(table.record["culture"][seat, symbol]) + sign
    else:
        figures = int(table.tables[0]["figures"][card]) * sign
        table.record["figures"][seat, person] = int(table.record["figures"][seat, person]) + figures


def give_extra(table: Table, seat: int) -> None:
    game = table.record
    top = int(game["deck_next"])
    card = int(game["deck"][top])
    game["deck"][top] = NO_CARD
    game["deck_next"] = top + 1
    game["owner"][card] = 5 + seat
    game["cards"][seat] += 1
    count_bottom(table, seat, card, 1)


def sees(table: Table, seat: int) -> bytes:
    """All that the seat is told."""
    return table.observe(seat, memory=True).tobytes() + bytes(table.legal(seat))


def hidden_cards(table: Table, seat: int) -> set[int]:
    game = table.record
    shown = {int(card) for card in game["open"]} | {
        card for card in range(CARDS) if 1 <= game["owner"][card] <= 4 or game["owner"][card] == 5 + seat
    }
    return set(range(CARDS)) - shown


def check_world(table: Table) -> None:
    """Every card and tile is there once, and what seats have of lower halves is that of their cards."""
    game, n = table.record, table.num_players
    owner = game["owner"]
    deck = game["deck"][int(game["deck_next"]) :].tolist()
    opened = [int(card) for card in game["open"] if card != NO_CARD]
    owned = [card for card in range(CARDS) if owner[card]]
    assert sorted(deck + opened + owned) == list(range(CARDS))
    assert (game["deck"][: int(game["deck_next"])] == NO_CARD).all()
    for seat in range(n):
        expected = table.copy()
        expected.record["culture"][seat] = 0
        expected.record["figures"][seat] = 0
        mine = [card for card in range(CARDS) if owner[card] in (1 + seat, 5 + seat)]
        assert len(mine) == game["cards"][seat]
        for card in mine:
            count_bottom(expected, seat, card, 1)
        assert expected.games.tobytes() == table.games.tobytes()
    for pile in range(4):
        left = 7 if pile >= n else int(game["pile_left"][pile])
        assert (game["piles"][pile, :left] > 0).all() and not game["piles"][pile, left:].any()


@PLAYERS
def test_a_redrawn_world_agrees_with_what_the_seat_saw(players: int) -> None:
    for table in (*positions(players, 3, every=60), *with_extra_cards(players, 4)):
        tiles = Counter(table.record["piles"].ravel().tolist())
        for seat in range(players):
            world = table.copy()
            world.determinize(seat, 77)
            check_world(world)
            assert sees(world, seat) == sees(table, seat)
            for name in PUBLIC:
                assert (world.record[name] == table.record[name]).all(), name
            assert (world.record["culture"][seat] == table.record["culture"][seat]).all()
            # The cards bought openly, and the own extra cards, stay with their owners.
            for card in set(range(CARDS)) - hidden_cards(table, seat):
                assert world.record["owner"][card] == table.record["owner"][card]
            assert Counter((world.record["owner"]).tolist()) == Counter((table.record["owner"]).tolist())
            assert Counter(world.record["piles"].ravel().tolist()) == tiles
            assert world.record["seed"] != table.record["seed"]
            for pile in range(players):
                left = int(table.record["pile_left"][pile])
                if left:
                    assert world.record["piles"][pile, left - 1] == table.record["piles"][pile, left - 1]


@PLAYERS
def test_redrawn_worlds_differ_and_play_on(players: int) -> None:
    for table in with_extra_cards(players, 5):
        if table.over:
            continue
        [seat] = table.deciders()
        worlds = set()
        for seed in range(4):
            world = table.copy()
            world.determinize(seat, seed)
            worlds.add(world.games.tobytes())
        assert len(worlds) == 4
        again = table.copy()
        again.determinize(seat, 3)
        assert again.games.tobytes() in worlds
        again.play_on(random.Random(1))
        check_world(again)


@PLAYERS
def test_the_truth_has_no_part_in_a_redrawn_world(players: int) -> None:
    """Two tables that differ in what the seat cannot know come out the same."""
    for table in with_extra_cards(players, 6):
        for seat in range(players):
            other = table.copy()
            other.determinize(seat, 1234)
            assert other.games.tobytes() != table.games.tobytes()
            first, second = table.copy(), other
            first.determinize(seat, 9)
            second.determinize(seat, 9)
            assert first.games.tobytes() == second.games.tobytes()


@PLAYERS
def test_hidden_things_are_not_seen(players: int) -> None:
    """Pairs of tables that differ in hidden things alone look the same, byte for byte."""
    rng = random.Random(players)
    compared = 0
    for table in with_extra_cards(players, 7):
        for seat in range(players):
            other = table.copy()
            shuffle_hidden(other, seat, rng)
            check_world(other)
            compared += other.games.tobytes() != table.games.tobytes()
            assert sees(other, seat) == sees(table, seat)
    assert compared > 10


def shuffle_hidden(table: Table, seat: int, rng: random.Random) -> None:
    """Swap hidden cards and tiles by hand; nothing of the kernels' determinize is used."""
    game = table.record
    game["seed"] = rng.getrandbits(64)
    cards = sorted(hidden_cards(table, seat))
    holders = [int(game["owner"][card]) for card in cards]
    for card, owner in zip(cards, holders, strict=True):
        if owner:
            count_bottom(table, owner - 5, card, -1)
    rng.shuffle(holders)
    for card, owner in zip(cards, holders, strict=True):
        game["owner"][card] = owner
        if owner:
            count_bottom(table, owner - 5, card, 1)
    deck = [card for card in cards if not game["owner"][card]]
    rng.shuffle(deck)
    game["deck"][int(game["deck_next"]) :] = deck
    places = [
        (pile, position)
        for pile in range(4)
        for position in range(7 if pile >= table.num_players else max(0, int(game["pile_left"][pile]) - 1))
    ]
    tiles = [int(game["piles"][place]) for place in places]
    rng.shuffle(tiles)
    for place, tile in zip(places, tiles, strict=True):
        game["piles"][place] = tile


def test_what_is_public_is_seen() -> None:
    """Changes of what lies open change what everybody sees."""
    table = Table(GAME, 3, seed=1)
    before = [sees(table, seat) for seat in range(3)]
    changes: list[Any] = [
        lambda game: game["open"].__setitem__(0, game["deck"][4]),
        lambda game: game["piles"].__setitem__((1, 6), 1 + game["piles"][1, 6] % 22),
        lambda game: game["resources"].__setitem__((2, 3), 1),
        lambda game: game["tools"].__setitem__((1, 0), 1),
        lambda game: game["one_use"].__setitem__((0, 2), 1),
        lambda game: game["free_cards"].__setitem__(0, 1),
        lambda game: game["placed"].__setitem__((2, 7), 1),
        lambda game: game["cards"].__setitem__(1, 1),
        lambda game: game["points"].__setitem__((1, 0), 5),
    ]
    for change in changes:
        other = table.copy()
        change(other.record)
        assert all(sees(other, seat) != before[seat] for seat in range(3))


def test_memory_knows_what_was_bought_openly() -> None:
    """The lower halves of others' cards as everybody saw them, extra cards left out; and the cards never seen."""
    for table in with_extra_cards(3, 8):
        game, tables = table.record, table.tables[0]
        for seat in range(3):
            found = table.observe(seat, memory=True)[GAME.layout.size :]
            layout = GAME.memory_layout
            for step, block in ((1, "left"), (2, "left_2")):
                other = (seat + step) % 3
                bought = [card for card in range(CARDS) if game["owner"][card] == 1 + other]
                culture = [sum(tables["symbol"][card] == symbol for card in bought) for symbol in range(8)]
                figures = [
                    sum(int(tables["figures"][card]) for card in bought if tables["person"][card] == person)
                    / 3
                    for person in range(4)
                ]
                assert found[layout.slice(f"memory_{block}_culture")].tolist() == culture
                assert found[layout.slice(f"memory_{block}_figures")] == pytest.approx(figures)
            assert not found[layout.slice("memory_left_3_culture")].any()
            unseen = set(np.flatnonzero(found[layout.slice("memory_unseen_cards")]))
            assert unseen == hidden_cards(table, seat)


def test_every_world_is_equally_likely() -> None:
    """Who has the other's extra card, which card is on top, which tile is where: 2,000 worlds of one position."""
    table = next(with_extra_cards(2, 9)).copy()
    hidden = sorted(hidden_cards(table, 0))
    extra: Counter[int] = Counter()
    top: Counter[int] = Counter()
    last: Counter[int] = Counter()
    any_tile: Counter[tuple[int, int]] = Counter()
    worlds = 2_000
    for seed in range(worlds):
        world = table.copy()
        world.determinize(0, seed)
        [held] = [card for card in range(CARDS) if world.record["owner"][card] == 6]
        extra[held] += 1
        top[int(world.record["deck"][int(world.record["deck_next"])])] += 1
        last[int(world.record["deck"][CARDS - 1])] += 1
        for pile in range(4):
            for position in range(7 if pile >= 2 else 6):
                any_tile[pile, position] += int(world.record["piles"][pile, position] == 22)
    for counter in (extra, top, last):
        assert set(counter) == set(hidden)
        share = worlds / len(hidden)
        # Sum of squares over its mean: chi-square with as many degrees of freedom, less one; five deviations.
        chi = sum((counter[card] - share) ** 2 / share for card in hidden)
        assert abs(chi - (len(hidden) - 1)) < 5 * (2 * (len(hidden) - 1)) ** 0.5
    assert len(any_tile) == 26 and max(any_tile.values()) < 2 * min(any_tile.values())


def test_every_deal_is_equally_likely() -> None:
    """Which tile lies at the bottom of the first pile, above it, and on top of the last: 2,000 new games."""
    deals = 2_000
    found: dict[int, Counter[int]] = {place: Counter() for place in (0, 1, 27)}
    for seed in range(deals):
        tiles = Table(GAME, 2, seed=seed).record["piles"].ravel()
        for place, counter in found.items():
            counter[int(tiles[place]) - 1] += 1
    copies = Table(GAME, 2).tables[0]["tile_copies"]
    kinds = np.flatnonzero(copies)
    for counter in found.values():
        shares = {int(kind): deals * int(copies[kind]) / 28 for kind in kinds}
        chi = sum((counter[kind] - share) ** 2 / share for kind, share in shares.items())
        assert abs(chi - (len(kinds) - 1)) < 5 * (2 * (len(kinds) - 1)) ** 0.5
