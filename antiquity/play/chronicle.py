"""What happens in a game, step by step, in words that one seat may read; and why something is not possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.batch import Batch
from antiquity.study.page import open_words
from antiquity.study.replay import results

MOST_ALIKE = 6
"""Actions that may share a reason for which they are not possible, to be shown with it."""


class Chronicle:
    """The record of a game as one seat may read it.

    Args:
        batch: of one game.
        seat: who reads; None: somebody to whom all is open.
    """

    def __init__(self, batch: Batch, seat: int | None) -> None:
        self.batch, self.game, self.seat = batch, batch.game, seat
        self._entries: list[dict[str, Any]] = []
        self._records: list[NDArray[Any]] = []
        self._before = batch.games.copy()

    @property
    def steps(self) -> int:
        """How many steps are written down."""
        return len(self._entries)

    def back_to(self, steps: int) -> None:
        """Forget what came after so many steps."""
        del self._entries[steps:], self._records[steps:]

    def moment(self) -> int:
        """A number that stays the same as long as the others' choices stay hidden."""
        record = self.batch.games[0]
        return int(record[self.game.revealed_with or "steps"])

    def before(self, row: NDArray[np.int64]) -> None:
        """Write down a step that is about to be made. `row`: int64[1, S], what is chosen."""
        batch = self.batch
        self._records.append(batch.games.copy())
        self._before = batch.games.copy()
        self._before["chosen"][0, : batch.num_seats] = row[0]
        choices = []
        for seat in batch.deciders(0):
            action = int(row[0, seat])
            known = self.seat is None or seat == self.seat
            words = batch.describe(0, seat, action) if known else open_words(batch, seat, action)
            # What a hidden choice costs would tell what it is.
            told = words == batch.describe(0, seat, action)
            price = batch.price(0, seat, action) if told else ""
            if seat != self.seat:
                price = price.removesuffix(" (yours)")  # said to the seat that chooses
            choices.append({"seat": seat, "words": words, "price": price})
        self._entries.append(
            {
                "step": int(batch.games[0]["steps"]),
                "heading": self.game.heading(batch.games, 0),
                "moment": self.moment(),
                "choices": choices,
                "news": [],
            }
        )

    def record(self, step: int) -> NDArray[Any]:
        """The game before a step that is written down, structured array of one."""
        steps = [entry["step"] for entry in self._entries]
        return self._records[steps.index(step)]

    def after(self) -> None:
        """Add what the step has brought."""
        self._entries[-1]["news"] = self.game.news(self._before, self.batch.games, self.batch.tables)

    def entries(self, over: bool) -> list[dict[str, Any]]:
        """The steps so far: ``step``, ``heading``, ``choices`` (``seat``, ``words``, ``price``) and ``news``.

        Choices of others that are revealed later come when they are.
        """
        found = []
        for entry in self._entries:
            hidden = self.seat is not None and not over and bool(self.game.revealed_with)
            hidden = hidden and entry["moment"] == self.moment()
            seen = [each for each in entry["choices"] if not hidden or each["seat"] == self.seat]
            if seen or entry["news"]:
                found.append({**entry, "choices": seen})
        return found


def reasons(batch: Batch, seat: int, legal: Sequence[int]) -> list[list[str]]:
    """What a seat may not choose now, and why, as far as it is about something at hand.

    A reason that many actions share, such as that a card is not in the hand, is about nothing at hand.
    """
    found: dict[str, list[str]] = {}
    for action in range(1, batch.num_actions) if legal else ():
        if action not in legal:
            why = batch.why_not(0, seat, action)
            found.setdefault(why, []).append(batch.describe(0, seat, action))
    return [[words, why] for why, alike in found.items() if len(alike) <= MOST_ALIKE for words in alike]


def point_rows(batch: Batch) -> list[list[int]]:
    """The points of each seat by category, their total and the tie-break."""
    return [[*row["scores"].values(), row["total"], row["tiebreak"]] for row in results(batch)]
