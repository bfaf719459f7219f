"""One call that examines a whole game: :func:`check_game`."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from antiquity.game import Game, check_dtype
from antiquity.testing.environments import check_environments
from antiquity.testing.positions import (
    check_header,
    check_legal,
    check_position,
    check_views,
    differing,
    located,
    require,
)
from antiquity.testing.referee import Choose, at_random
from antiquity.testing.table import Table
from antiquity.testing.worlds import check_secrecy, check_worlds

THOROUGH = 8
"""Positions of a game, about, in which worlds, pictures and every legal action are tried."""

_ENDLESS = "a game must end, and this one goes on"


def check_game(
    game: Game,
    *,
    games: int = 3,
    players: Iterable[int] | None = None,
    options: Sequence[Mapping[str, Any]] = ({},),
    seed: int = 0,
    choose: Choose = at_random,
    max_steps: int = 10_000,
    environments: bool = True,
) -> None:
    """See that a game keeps the contract of :mod:`antiquity.game`, by playing it. A test needs no more than::

        def test_the_game_keeps_the_contract() -> None:
            check_game(GAME)

    In every position: legal lists (ascending, WAIT alone for who waits, within ``max_legal``), observations within
    the declared bounds, ``observe_seats`` like ``observe``, points that add up, a legal greedy choice, words for
    every action and for what a step has brought, that ``check`` lets the record pass, and that looking changes
    nothing. In some positions: every legal action leads on and every other says why it is not possible; copies and
    saved records go on equally, in whatever order the seats commit; nothing a seat is told (observation, mask,
    memory, text, picture) depends on what others have committed or on what ``determinize`` redraws; its worlds
    follow from the seed, differ, and can be played. Then the environments: the suites of PettingZoo and Gymnasium,
    and batches that are split, copied and saved.

    What it cannot know are the rules themselves: :func:`antiquity.testing.compare_with_referee` is for these.

    Args:
        game: the game.
        games: how many are played for each number of players and each set of options.
        players: numbers of players; None: all.
        options: sets of the game's own options, each to be played with.
        seed: of the first game; what is chosen follows from it too.
        choose: how the seats play, where random play does not get far.
        max_steps: a game that has not ended after so many counts as one that never ends.
        environments: False leaves the environments and batches out.

    Raises:
        AssertionError: a fault; the message names players, options, seed, step, seat and what was expected.
    """
    check_dtype(game.dtype)
    counts = list(range(game.min_players, game.max_players + 1) if players is None else players)
    _check_description(game, counts)
    hidden = False
    for count in counts:
        for chosen in options:
            first = Table(game, count, seed=seed, **chosen)
            with located(first, "playing"):
                length = _length(first, choose, max_steps)
            for number in range(games):
                table = Table(game, count, seed=seed + number, **chosen)
                _check_beginning(table)
                rng = random.Random(f"{seed + number}-{count}")
                with located(table, "playing"):
                    hidden |= _play(table, rng, choose, THOROUGH / length, max_steps)
    if game.hidden and games:
        assert hidden, (
            f"{game.title}: determinize has redrawn nothing but the seed in {games} games for each of {counts} "
            "players; declare hidden=False, or redraw what a seat cannot know"
        )
    if environments:
        for chosen in options:
            check_environments(game, counts, chosen, seed)


def _check_description(game: Game, counts: list[int]) -> None:
    """What the Game says of itself."""
    assert len(set(game.categories)) == len(game.categories), f"{game.title}: categories must differ"
    assert not {"total", "tiebreak"} & set(game.categories), f"{game.title}: total and tiebreak are added"
    assert np.isfinite(game.observation_layout(True).low).all(), f"{game.title}: bounds must be finite"
    assert np.isfinite(game.observation_layout(True).high).all(), f"{game.title}: bounds must be finite"
    assert game.margin_scale > 0, f"{game.title}: margin_scale must be positive"
    defaults = {each.name: each.default for each in game.options}
    for count in counts:
        found = game.setup(count)
        for array, dtype, name in zip(
            found, (game.tables_dtype, game.options_dtype), ("tables", "options"), strict=True
        ):
            assert array.shape == (1,) and array.dtype == dtype, (
                f"{game.title}: setup({count}) must give {name} of shape (1,) and the declared dtype, "
                f"not {array.shape}, {array.dtype}"
            )
        for array, same in zip(found, game.setup(count, **defaults), strict=True):
            assert array.tobytes() == same.tobytes(), (
                f"{game.title}: setup({count}) must be the same as with the defaults that its options declare"
            )
        try:
            game.setup(count, no_such_option=1)
        except TypeError:
            continue
        raise AssertionError(f"{game.title}: setup must refuse an option that does not exist, by a TypeError")


def _check_beginning(table: Table) -> None:
    """The same seed begins the same game."""
    twin = Table(table.game, table.num_players, seed=table.seed, **table.game_options)
    names = differing(table.games, twin.games)
    require(not names, table, f"init must give the same game for the same seed, and {names} differ")
    require(not table.over, table, "a new game must not be over")


def _length(table: Table, choose: Choose, max_steps: int) -> int:
    """How many steps one game takes."""
    rng = random.Random(table.seed)
    for steps in range(max_steps):
        if table.over:
            return max(steps, 1)
        lists = {seat: check_legal(table, seat) for seat in table.deciders()}
        table.step({seat: choose(rng, table, seat, legal) for seat, legal in lists.items()})
        check_header(table, steps + 1)
    raise AssertionError(f"{table.where()}: {_ENDLESS}")


def _play(table: Table, rng: random.Random, choose: Choose, share: float, max_steps: int) -> bool:
    """One game to its end; whether something hidden was redrawn."""
    hidden, steps = False, 0
    seats = itertools.cycle(range(table.num_players))
    while True:
        check_position(table, rng, steps)
        thorough = rng.random() < share
        if table.over or steps == 0 or thorough:
            check_views(table)
        if table.over:
            return hidden
        require(steps < max_steps, table, _ENDLESS)
        if steps == 0 or thorough:
            for seat in itertools.islice(seats, min(2, table.num_players)):
                check_secrecy(table, seat, rng)
                hidden |= _check_redrawing(table, seat, rng)
            _check_every_choice(table, rng, steps)
            _check_words(table, steps)
        actions = {seat: choose(rng, table, seat, table.legal(seat)) for seat in table.deciders()}
        _step(table, actions)
        steps += 1


def _check_redrawing(table: Table, seat: int, rng: random.Random) -> bool:
    hidden = check_worlds(table, seat, rng)
    require(
        table.game.hidden or not hidden,
        table,
        "hidden=False says that all is open, and determinize redraws more than the seed",
        seat,
    )
    return hidden


def _check_words(table: Table, steps: int) -> None:
    """A line of words for what an action costs, for why others are not possible, and for the part of the game."""
    game, asked = table.game, (table.games, 0, table.tables)
    before, rng = table.games.tobytes(), random.Random(f"words-{table.seed}-{steps}")
    seat = rng.choice(table.deciders())
    legal = set(table.legal(seat))
    illegal = [action for action in range(game.num_actions) if action not in legal]
    said = {f"price of action {action}": game.price(*asked, seat, action) for action in legal}
    said["heading"] = game.heading(table.games, 0)
    for action in rng.sample(illegal, min(len(illegal), 40)):
        why = game.why_not(*asked, seat, action)
        require(bool(why), table, f"why_not of action {action} must say something", seat)
        said[f"why_not of action {action}"] = why
    for what, words in said.items():
        right = isinstance(words, str) and words == words.strip() and "\n" not in words
        require(right, table, f"{what} must be one line of words, not {words!r}", seat)
    require(table.games.tobytes() == before, table, "saying words must change nothing", seat)


def _step(table: Table, actions: Mapping[int, int]) -> None:
    """One step, and the same once more from a saved record with the seats in the opposite order."""
    saved = table.copy()
    saved.games = np.frombuffer(table.games.tobytes(), table.game.dtype).copy()
    before, record = table.where(), table.games.copy()
    for seat, action in actions.items():
        record["chosen"][0, seat] = action
    with located(table, "advance"):
        table.step(actions)
    news = table.game.news(record, table.games, table.tables)
    assert all(words == words.strip() and words and "\n" not in words for words in news), (
        f"{before}: news must be lines of words, not {news}"
    )
    saved.step(dict(reversed(list(actions.items()))))
    names = differing(table.games, saved.games)
    assert not names, (
        f"{before}: a copy that takes the same actions {dict(actions)}, in whatever order, must go on equally, "
        f"and differs in {names}"
    )


def _check_every_choice(table: Table, rng: random.Random, steps: int) -> None:
    """Whatever one seat may do, the game goes on to a decision or to its end."""
    seat = rng.choice(table.deciders())
    others = {each: rng.choice(table.legal(each)) for each in table.deciders()}
    actions = table.legal(seat)
    for action in rng.sample(actions, min(len(actions), 24)):
        after = table.copy()
        try:
            after.step(others | {seat: action})
            check_header(after, steps + 1)
            for each in after.deciders():
                check_legal(after, each)
        except Exception as error:
            error.add_note(f"after action {action} ({table.words(seat, action)}) at {table.where(seat)}")
            raise
