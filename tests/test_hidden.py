"""What is hidden from a seat changes nothing that the seat can look at: every view of every game.

Hidden things are changed in two ways: by the games' own ``determinize``, and by hands-on changes written for this test
alone, so that a fault that both a view and ``determinize`` share is seen as well.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from antiquity import Batch
from antiquity.game import GAMES
from antiquity.render import notebook
from antiquity.render.svg import ROOMS
from antiquity.study.page import open_words, picture, replay_page
from antiquity.study.recording import Recorder
from antiquity.study.replay import Replay

POSITIONS = int(os.environ.get("ANTIQUITY_HIDDEN_POSITIONS", "60"))
"""Of each game; 10,000 is a long run."""
Scramble = Callable[[Any, int, np.random.Generator], None]


def seven_wonders(game: Any, seat: int, rng: np.random.Generator) -> None:
    """Hands that the seat has not held yet may hold each other's cards."""
    players, turn = int(game["num_players"]), int(game["turn"])
    step = -1 if game["age"] == 1 else 1
    # A hand that the seat held is further on by as many seats as turns have passed.
    others = [(seat + step * k) % players for k in range(turn + 1, players)]
    if game["phase"] == 0 and len(others) > 1:
        size = 7 - turn
        cards = np.concatenate([game["hands"][other][:size] for other in others])
        rng.shuffle(cards)
        for place, other in enumerate(others):
            game["hands"][other][:size] = np.sort(cards[size * place : size * (place + 1)])
    game["seed"] = rng.integers(1 << 63)


def stone_age(game: Any, seat: int, rng: np.random.Generator) -> None:
    """The deck's order, the tiles below the top ones, and which extra cards the others have."""
    players = int(game["num_players"])
    top = int(game["deck_next"])
    hidden = [card for card in range(36) if game["owner"][card] > 4 and game["owner"][card] - 5 != seat]
    holders = [int(game["owner"][card]) for card in hidden]
    deck = [int(card) for card in game["deck"][top:]]
    pool = rng.permutation(hidden + deck).tolist()
    game["owner"][hidden] = 0
    for card, owner in zip(pool, holders, strict=False):
        game["owner"][card] = owner
    game["deck"][top:] = pool[len(hidden) :]
    places = [
        (pile, height)
        for pile in range(4)
        for height in range(7)
        if pile >= players or height < int(game["pile_left"][pile]) - 1
    ]
    kinds = rng.permutation([int(game["piles"][place]) for place in places])
    for place, kind in zip(places, kinds.tolist(), strict=True):
        game["piles"][place] = kind
    game["seed"] = rng.integers(1 << 63)
    # What the hidden cards give their owners belongs to them: symbols and figures are counted anew.
    count_again(game)


def count_again(game: Any) -> None:
    tables = Batch("stone_age", 1, 2, seed=0).tables[0]
    for other in range(int(game["num_players"])):
        owned = [card for card in range(36) if game["owner"][card] and (game["owner"][card] - 1) % 4 == other]
        game["culture"][other] = game["figures"][other] = 0
        for card in owned:
            if tables["symbol"][card] != 255:
                game["culture"][other, tables["symbol"][card]] += 1
            if tables["person"][card] != 255:
                game["figures"][other, tables["person"][card]] += tables["figures"][card]


def dice(game: Any, seat: int, rng: np.random.Generator) -> None:
    """What the others have done in this turn is not seen before it ends: they may as well have done nothing yet."""
    for other in range(int(game["num_players"])):
        if other != seat and game["deciders"] >> other & 1:
            for name in game.dtype.names:
                if name.startswith("start_"):
                    game[name.removeprefix("start_")][other] = game[name][other]
            game["stack"][other] = 0
            game["stack"][other, 0] = 1
            game["depth"][other], game["first_action"][other] = 1, 0
    game["seed"] = rng.integers(1 << 63)


SCRAMBLES: dict[str, Scramble] = {"seven_wonders": seven_wonders, "stone_age": stone_age, "dice": dice}


def views(batch: Batch, seat: int, rng_seed: int) -> dict[str, Any]:
    """Everything that a seat can look at."""
    game, games, tables = batch.game, batch.games, batch.tables
    legal = batch.legal_actions(0, seat).tolist()
    rng = np.random.default_rng(rng_seed)
    room = ROOMS[int(rng.integers(len(ROOMS)))]
    illegal = [int(each) for each in rng.integers(1, game.num_actions, 12) if each not in legal]
    return {
        "observation with memory": batch.observations[0, seat].tobytes(),
        "mask": batch.masks[0, seat].tobytes(),
        "text": batch.render(0, seat),
        "picture": picture(game, batch, seat),
        "picture for a room": game.draw_at and game.draw_at(games, 0, tables, seat, room),
        "words": [batch.describe(0, seat, action) for action in legal],
        "prices": [batch.price(0, seat, action) for action in legal],
        "reasons": [batch.why_not(0, seat, action) for action in illegal],
        "points": None if game.seen_scores is None else game.seen_scores(games, 0, tables, seat).tobytes(),
    }


def told_by(batch: Batch, redrawn: Batch, seat: int) -> None:
    """What is told of the others' choices, and of what a step brings, does not depend on what is hidden.

    `redrawn` is the same game as far as the seat knows.
    """
    game, mine = batch.game, batch.games.copy()
    for other in batch.deciders(0):
        common = set(batch.legal_actions(0, other)) & set(redrawn.legal_actions(0, other))
        # What is revealed at the end of a turn may speak of all that has happened in it.
        if other != seat and not game.revealed_with:
            for action in map(int, common):
                assert open_words(batch, other, action) == open_words(redrawn, other, action)
    row = batch.sample("greedy")
    if all(int(row[0, each]) in redrawn.legal_actions(0, each) for each in batch.deciders(0)):
        before, after = redrawn.games, batch.clone()
        after.step(row)
        again = after.clone()
        again.determinize(0, seat, 7)
        told = game.news(mine, after.games, batch.tables)
        assert game.news(mine, again.games, batch.tables) == told, "news of what is hidden afterwards"
        assert game.news(before, after.games, batch.tables) == told, "news of what was hidden before"


def secret_choices(batch: Batch, seat: int, rng: np.random.Generator) -> None:
    """What the others have committed, and the seat has not, shows nowhere: neither what nor whether two differ."""
    others = [other for other in batch.deciders(0) if other != seat]
    if seat not in batch.deciders(0) or not others:
        return
    seen = []
    for _ in range(2):
        committed = batch.clone()
        for other in others:
            committed.commit(0, other, int(rng.choice(committed.legal_actions(0, other))))
        committed.refresh()
        seen.append(views(committed, seat, 3))
    assert seen[0] == seen[1], [what for what in seen[0] if seen[0][what] != seen[1][what]]


def positions(name: str, count: int) -> Any:
    """Positions of games in which random and greedy moves mix, with a seat."""
    rng = np.random.default_rng(count)
    number = 0
    while number < count:
        players = int(
            rng.choice({"seven_wonders": [4, 5, 7], "stone_age": [2, 3, 4], "dice": [2, 4, 7]}[name])
        )
        options: dict[str, Any] = {}
        if name == "seven_wonders":
            options["sides"] = str(rng.choice(["day", "night", "choose"]))
        batch = Batch(
            name, 1, players, seed=int(rng.integers(1 << 40)), autoreset=False, memory=True, **options
        )
        batch.reset()
        stride = {"seven_wonders": 4, "stone_age": 40, "dice": 8}[name]
        wait = int(rng.integers(stride))
        while batch.deciders():
            if wait == 0:
                yield batch, int(rng.integers(players)), rng
                number += 1
                wait = int(rng.integers(1, 2 * stride))
                if number == count:
                    return
            wait -= 1
            batch.step(batch.sample("greedy" if rng.random() < 0.6 else "random"))


def copy_with(batch: Batch, record: NDArray[Any]) -> Batch:
    copy = batch.clone()
    copy.set_games(record)
    return copy


@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_is_hidden_can_be_looked_at(name: str) -> None:
    differed = {"determinize": 0, "scramble": 0}
    for batch, seat, rng in positions(name, POSITIONS):
        chances = int(rng.integers(1 << 40))
        seen = views(batch, seat, chances)
        if rng.random() < 0.3:
            secret_choices(batch, seat, rng)
        redrawn = batch.clone()
        redrawn.determinize(0, seat, int(rng.integers(1 << 40)))
        record = batch.games.copy()
        SCRAMBLES[name](record[0], seat, rng)
        for how, other in (("determinize", redrawn), ("scramble", copy_with(batch, record))):
            found = views(other, seat, chances)
            for what, value in seen.items():
                assert found[what] == value, (
                    f"{name}, seat {seat}, step {batch.games['steps'][0]}: {what}, {how}"
                )
            told_by(batch, other, seat)
            before, after = batch.games.copy(), other.games.copy()
            before["seed"] = after["seed"] = 0
            differed[how] += before.tobytes() != after.tobytes()
    # A test in which nothing was hidden would say nothing.
    assert min(differed.values()) > POSITIONS // 8, differed


def test_extra_cards_of_others_look_alike_wherever_their_numbers_stand() -> None:
    """A card that is only counted must not show by its place in a list which one it is."""
    batch = Batch("stone_age", 1, 2, seed=4, autoreset=False)
    batch.reset()
    start = batch.games[0].copy()
    deck = [int(card) for card in start["deck"][int(start["deck_next"]) :]]
    bought = sorted(deck)[len(deck) // 2]
    texts, pictures = set(), set()
    for extra in deck:
        if extra == bought:
            continue
        changed = start.copy()
        changed["owner"][bought], changed["owner"][extra] = 2, 6
        rest = [card for card in deck if card not in (bought, extra)]
        changed["deck"][:] = 255
        changed["deck_next"] = 36 - len(rest)
        changed["deck"][36 - len(rest) :] = rest
        changed["cards"][1] = 2
        count_again(changed)
        other = batch.clone()
        other.games[0] = changed
        texts.add(other.render(0, 0))
        pictures.add(other.draw(0, 0))
    assert len(texts) == len(pictures) == 1


@pytest.mark.parametrize("name", GAMES)
def test_notebooks_and_replays_show_a_seat_no_more_than_its_picture(name: str) -> None:
    batch = Batch(name, 1, seed=5, autoreset=False, max_cycles=15)
    recorded = record_of(batch)
    shown = data_of(replay_page(recorded, views=[1]))
    assert shown["views"] == ["1"] and shown["seed"] == ""
    frames = {room: shown["frames"][f"1 {room}"] for room in shown["rooms"]}
    for number, (position, step) in enumerate(zip(recorded.positions(), shown["steps"], strict=True)):
        for room, drawn in frames.items():
            pieces = "".join(shown["pieces"][piece] for piece in drawn[number])
            assert pieces == picture(batch.game, position.batch, 1, room or None)
        cell = picture(batch.game, position.batch, 1, notebook.CELL)
        assert notebook.picture(position.batch, 0, 1)._repr_svg_() == cell
        for choice in step:
            assert choice["seat"] == 1 or choice.keys() == {"seat", "open", "illegal"}


def record_of(batch: Batch) -> Replay:
    recorder = Recorder(batch)
    batch.reset()
    while not recorder.replays:
        batch.step(batch.sample())
    return recorder.replays[0]


def data_of(page: str) -> dict[str, Any]:
    packed = max(re.findall(r">\s*([A-Za-z0-9+/=]{200,})\s*<", page), key=len)
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed)))
    return found
