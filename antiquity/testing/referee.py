"""A game's kernels beside its referee, which has the rules once more in slow plain Python."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from antiquity.game import WAIT
from antiquity.testing.table import Table

FUZZ = "ANTIQUITY_FUZZ_DECISIONS"
"""The environment variable that says how many decisions :func:`fuzz` makes (``make fuzz`` sets it)."""
Choose = Callable[[random.Random, Table, int, list[int]], int]
"""``choose(rng, table, seat, legal)`` -> one of `legal`, which are at least one."""


class Referee(Protocol):
    """What a referee offers. It is written from the rules, without looking at the kernels."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    def deciders(self) -> Sequence[int]:
        """The seats that must choose now, ascending."""

    def legal(self, seat: int) -> Sequence[int]:
        """The seat's legal actions, ascending; WAIT alone for one that waits."""

    def step(self, actions: dict[int, int]) -> None:
        """What all deciders choose, resolved at once."""

    def state(self) -> Mapping[str, Any]:
        """The position in plain values."""

    def score(self) -> Sequence[Mapping[str, int]]:
        """For each seat the points by category, ``total`` and ``tiebreak``; blanks in names count as underscores."""


def at_random(rng: random.Random, table: Table, seat: int, legal: list[int]) -> int:
    """Any legal action."""
    return rng.choice(legal)


def compare_with_referee(
    table: Table,
    referee: Referee,
    *,
    state: Callable[[Table], Mapping[str, Any]],
    choose: Choose = at_random,
    seed: int | None = None,
    score_when: Callable[[Table], bool] | None = None,
) -> int:
    """Play one game to its end through the kernels and through the referee, which must agree at every decision.

    Compared are the state, who decides, what every seat may do, and every seat's points by category.

    Args:
        table: a new game.
        referee: at the same table: it has the same boards, deals and dice.
        state: the kernels' record in the referee's words. What it leaves out is not compared.
        choose: how the seats play; random play seldom gets far in a rich game.
        seed: of `choose`; the game's own when None.
        score_when: in which positions the points are compared; None: in all. At the end they always are.

    Returns:
        How many decisions were made.

    Raises:
        AssertionError: they differ; the message names the game, its seed, the step, the seat and both sides.
    """
    rng = random.Random(table.seed if seed is None else seed)
    decisions = 0
    while True:
        _compare_states(table, state(table), referee.state())
        if table.over or score_when is None or score_when(table):
            _compare_scores(table, referee.score())
        deciders = table.deciders()
        _agree(table, "deciders", deciders, list(referee.deciders()))
        _agree(table, "over", table.over, bool(referee.over))
        lists = []
        for seat in range(table.num_players):
            lists.append(table.legal(seat))
            _agree(table, "legal actions", lists[seat], list(referee.legal(seat)), seat)
            assert (seat in deciders) == (lists[seat] != [WAIT]), (
                f"{table.where(seat)}: legal are {lists[seat]}"
            )
        if table.over:
            return decisions
        actions = {seat: choose(rng, table, seat, lists[seat]) for seat in deciders}
        decisions += len(actions)
        table.step(actions)
        referee.step(actions)


def fuzzing() -> bool:
    """Whether long runs are asked for: tests that call :func:`fuzz` are skipped otherwise."""
    return FUZZ in os.environ


def fuzz(play: Callable[[int], int]) -> None:
    """Play games of ever new seeds until as many decisions were made as :data:`FUZZ` says; each seed is printed.

    Args:
        play: plays one game of a seed, an int in [0, 2**41), to its end and returns how many decisions were made.
    """
    wanted, done = int(os.environ[FUZZ]), 0
    seed = random.SystemRandom().randrange(1 << 40)
    while done < wanted:
        print(f"seed {seed} ({done:,} decisions)")
        done += play(seed)
        seed += 1


def _agree(table: Table, what: str, ours: Any, theirs: Any, seat: int | None = None) -> None:
    assert ours == theirs, f"{table.where(seat)}: {what}: the kernels say {ours}, the referee {theirs}"


def _compare_states(table: Table, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> None:
    if all(name in theirs and ours[name] == theirs[name] for name in ours):
        return
    for name, value in ours.items():
        assert name in theirs, f"{table.where()}: the referee's state has no {name}"
        _agree(table, name, value, theirs[name])


def _compare_scores(table: Table, sheets: Sequence[Mapping[str, int]]) -> None:
    names = (*table.game.categories, "total", "tiebreak")
    rows = table.score().tolist()
    _agree(table, "number of score sheets", len(rows), len(sheets))
    for seat, (row, sheet) in enumerate(zip(rows, sheets, strict=True)):
        theirs = {name.replace(" ", "_"): points for name, points in sheet.items()}
        _agree(table, "points", dict(zip(names, row, strict=True)), theirs, seat)
