"""Replays: one game as a small file of JSON lines that anyone can read, and that reproduces the game exactly.

A replay holds no position, only how the game began and what was chosen; the rules give the rest. UTF-8, one JSON object
per line, nothing pickled:

=====  =================================================================================================================
line   what is in it
=====  =================================================================================================================
first  ``replay`` 1 (the format), ``game`` and ``version``, ``players``, ``seed`` (decimal digits in a text, because
       numbers of 64 bits do not survive every JSON reader), ``options`` (the game's own, every one of them), ``tables``
       (SHA-256 of the printed game's record), ``agents`` (a name for each seat), ``max_cycles`` (a number or null);
       ``branch``, a text, where the game was played on from a moment of another
steps  ``step`` (from 1) and ``choices``: for each seat that had to choose ``seat``, ``action``, ``words``, and
       ``illegal`` true where a seat lost by an illegal action (``on_illegal="lose"``), which ends the game
last   ``end``: ``"terminated"``, ``"truncated"`` or ``"unfinished"``; ``steps``; ``scores``: for each seat ``points``
       by category, ``total``, ``tiebreak`` and ``rank``
=====  =================================================================================================================

The words are for people; they are not read back.

>>> from antiquity.study.replay import Replay
>>> replay = Replay.read("game.jsonl")          # doctest: +SKIP
>>> for position in replay.positions():         # doctest: +SKIP
...     print(position.batch.render(0))
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.batch import Batch, replacing, standing
from antiquity.game import ENDED, Game
from antiquity.game.files import file_options, installed_game, one_line, plain, read_bytes
from antiquity.game.tables import tables_hash
from antiquity.study.parsing import FORMAT, Choice, parse

MAX_BYTES = 2 << 20
"""Bytes; a longer file is refused."""


@dataclass(frozen=True)
class Position:
    """One moment of a replayed game.

    Attributes:
        step: how many steps have been made, 0 at the start.
        batch: the game as it stands, a batch of one; the next position changes it.
        choices: what is chosen now; empty at the end.
        legal: for each seat that chooses now the numbers of its legal actions, ascending.
        scores: int32[S, categories + 2] as they stand.
    """

    step: int
    batch: Batch
    choices: tuple[Choice, ...]
    legal: dict[int, tuple[int, ...]]
    scores: NDArray[np.int32]

    def words(self, seat: int, action: int) -> str:
        """An action of a seat in words."""
        return self.batch.describe(0, seat, action)


@dataclass(frozen=True, eq=False)
class Replay:
    """One game: how it began, what was chosen, how it stood at the end.

    Attributes:
        game: what was played.
        num_players: seats at the table.
        seed: of this game.
        options: the game's own options, all of them.
        tables: SHA-256 of the printed game's record, in hexadecimal.
        agents: who sat where; "" for a seat without a name.
        steps: for each step the choices of all seats that had one.
        end: one of :data:`ENDS`.
        scores: for each seat ``scores`` by category, ``total``, ``tiebreak``, ``rank``.
        max_cycles: the limit that the game was played with, or None.
        branch: from which game and step it was played on, in words; "" for a game of its own.
    """

    game: Game
    num_players: int
    seed: int
    options: Mapping[str, Any]
    tables: str
    agents: tuple[str, ...]
    steps: tuple[tuple[Choice, ...], ...]
    end: str
    scores: tuple[Mapping[str, Any], ...]
    max_cycles: int | None = None
    branch: str = ""
    _missing: tuple[str, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        return (
            f"<Replay of {self.game.title}, {self.num_players} players, {len(self.steps)} steps, {self.end}>"
        )

    # --- playing again ---

    def begin(self) -> Batch:
        """The game at its start, as a batch of one.

        Raises:
            ValueError: the printed game is not the one that was played, or an option names a file that may not be
                opened (see :meth:`read`).
        """
        if self._missing:
            names = ", ".join(f"{name}={self.options[name]!r}" for name in self._missing)
            raise ValueError(
                f"this game was played with {names}, which looks like a file, and a replay opens none by itself: "
                f'say where it is, such as Replay.read(path, options={{"{self._missing[0]}": "table.toml"}}), '
                f"or antiquity replay FILE --option {self._missing[0]}=table.toml"
            )
        loses = any(choice.illegal for step in self.steps for choice in step)
        batch = Batch(
            self.game,
            num_players=self.num_players,
            seed=np.array([self.seed], np.uint64),
            autoreset=False,
            on_illegal="lose" if loses else "raise",
            max_cycles=self.max_cycles,
            **self.options,
        )
        found = tables_hash(batch.tables)
        if found != self.tables:
            raise ValueError(
                f"the printed game (options {dict(self.options)}) is not the one that was played: its hash is "
                f"{found[:12]}..., the replay's {self.tables[:12]}..."
            )
        batch.reset()
        return batch

    def positions(self) -> Iterator[Position]:
        """Every moment of the game, from the start to the end: one more than there are steps.

        Raises:
            ValueError: what was chosen does not fit the rules, or the game does not end as the replay says.
        """
        batch = self.begin()
        for number, choices in enumerate(self.steps):
            yield self._position(batch, number, choices)
            self._advance(batch, number + 1, choices)
        self._check_end(batch)
        yield self._position(batch, len(self.steps), ())

    def check(self) -> Batch:
        """Play it again and compare; returns the game at its end. ValueError as from :meth:`positions`."""
        last = None
        for position in self.positions():
            last = position.batch
        assert last is not None
        return last

    def _position(self, batch: Batch, number: int, choices: tuple[Choice, ...]) -> Position:
        words = tuple(replace(each, words=batch.describe(0, each.seat, each.action)) for each in choices)
        legal = {seat: tuple(batch.legal_actions(0, seat).tolist()) for seat in batch.deciders(0)}
        return Position(number, batch, words, legal, batch.scores()[0])

    def _advance(self, batch: Batch, number: int, choices: tuple[Choice, ...]) -> None:
        deciders = batch.deciders(0)
        seats = [choice.seat for choice in choices]
        expected = sorted({*deciders, *(choice.seat for choice in choices if choice.illegal)})
        if seats != expected or not deciders:
            raise ValueError(
                f"step {number} has choices of seats {seats}, and by the rules seats {list(deciders)} choose"
            )
        row = np.zeros((1, batch.num_seats), np.int64)
        for choice in choices:
            legal = batch.legal_actions(0, choice.seat).tolist()
            if (choice.action in legal) == choice.illegal:
                raise ValueError(
                    f"step {number}: action {choice.action} of seat {choice.seat} is "
                    f"{'legal' if choice.illegal else 'illegal'}, and the replay says otherwise; "
                    f"legal are {legal}"
                )
            row[0, choice.seat] = choice.action
        batch.step(row)

    def _check_end(self, batch: Batch) -> None:
        over, steps = int(batch.games[0]["over"]), int(batch.games[0]["steps"])
        cut = not over and self.max_cycles is not None and steps >= self.max_cycles
        end = "terminated" if over == ENDED else "truncated" if over or cut else "unfinished"
        if end != self.end:
            raise ValueError(f"the game is {end} after {steps} steps, and the replay says {self.end}")
        for seat, (found, said) in enumerate(zip(results(batch), self.scores, strict=True)):
            if found != said:
                raise ValueError(f"seat {seat} ends with {found}, and the replay says {dict(said)}")

    # --- files ---

    def lines(self) -> Iterator[str]:
        """The file's lines, without their ends."""
        yield _json(
            {
                "replay": FORMAT,
                "game": self.game.name,
                "version": self.game.version,
                "players": self.num_players,
                "seed": str(self.seed),
                "options": dict(self.options),
                "tables": self.tables,
                "agents": list(self.agents),
                "max_cycles": self.max_cycles,
            }
            | ({"branch": self.branch} if self.branch else {})
        )
        for number, choices in enumerate(self.steps):
            yield _json({"step": number + 1, "choices": [_written(choice) for choice in choices]})
        scores = [
            {"points" if key == "scores" else key: value for key, value in row.items()} for row in self.scores
        ]
        yield _json({"end": self.end, "steps": len(self.steps), "scores": scores})

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the file; it appears whole or not at all."""
        target = Path(path)
        with replacing(target) as partial:
            partial.write_text("".join(f"{line}\n" for line in self.lines()), encoding="utf-8", newline="\n")
        return target

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        game: str | Game | None = None,
        options: Mapping[str, Any] | None = None,
        check: bool = True,
    ) -> Replay:
        """A replay from a file.

        Nothing in the file is trusted: no game is imported that isn't installed, no file is opened that it names.

        Args:
            game: where the game is found, when it isn't installed under its name.
            options: replacements for some of the options; needed for those that name a file, such as a changed
                card table, which may lie elsewhere now (its hash must still be the same).
            check: play the game again, and compare the results.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it is not a replay, or one of another game, version or table, or it does not fit the rules.
        """
        try:
            fields = parse(read_bytes(path, MAX_BYTES))
            found = installed_game(fields.pop("game"), fields.pop("version"), game)
            given = dict(options or {})
            strange = given.keys() - {option.name for option in found.options}
            if strange:
                raise ValueError(f"{found.title} has no option {min(strange)!r}")
            missing = file_options(fields["options"], given)
            fields["options"] = fields["options"] | given
            replay = cls(found, **fields, _missing=missing)
            if check:
                replay.check()
        except FileNotFoundError:
            raise
        except (ValueError, TypeError, OSError, OverflowError) as error:
            raise ValueError(f"{path}: {one_line(error)}") from error
        return replay


def results(batch: Batch, index: int = 0) -> tuple[dict[str, Any], ...]:
    """How a game stands, seat by seat: ``scores`` by category, ``total``, ``tiebreak``, ``rank``."""
    scores, ranks = batch.scores()[index], batch.ranks()[index]
    return tuple(
        standing(batch.game, scores[seat], int(ranks[seat]))
        for seat in range(int(batch.player_counts[index]))
    )


def all_options(batch: Batch) -> dict[str, Any]:
    """The game's own options, defaults included, as JSON can hold them; ValueError if it cannot."""
    options = {option.name: option.default for option in batch.game.options} | batch.game_options
    return {name: plain(name, value) for name, value in options.items()}


def _written(choice: Choice) -> dict[str, Any]:
    found: dict[str, Any] = {"seat": choice.seat, "action": choice.action, "words": choice.words}
    return found | {"illegal": True} if choice.illegal else found


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
