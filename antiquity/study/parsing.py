"""Reading a replay file strictly: every line, every key, every type, every range."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from antiquity.game.checks import printable

FORMAT = 1
"""Number of the file format."""
ENDS = ("terminated", "truncated", "unfinished")


@dataclass(frozen=True)
class Choice:
    """What one seat chose.

    Attributes:
        seat: whose choice.
        action: its number.
        words: the action in words.
        illegal: the seat lost by this action.
    """

    seat: int
    action: int
    words: str
    illegal: bool = False


MAX_SEATS = 8
MAX_ACTION = 65_535
_SEED = re.compile(r"0|[1-9]\d{0,19}")
_HASH = re.compile(r"[0-9a-f]{64}")


def parse(data: bytes) -> dict[str, Any]:
    """The fields of a :class:`~antiquity.study.replay.Replay`, with ``game`` (its name) and ``version``.

    Raises:
        ValueError: the file is invalid; the message says what is wrong, and in which line.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"no replay: it is no UTF-8 text ({error.reason} at byte {error.start})") from None
    rows = text.split("\n")
    if rows[-1]:
        raise ValueError("the last line has no end: the file has been cut off")
    records = [_Line(number, row) for number, row in enumerate(rows[:-1], 1)]
    if len(records) < 2:
        raise ValueError("no replay: it has fewer than two lines")
    fields = _head(records[0])
    fields["steps"] = tuple(
        _step(line, number, fields["num_players"]) for number, line in enumerate(records[1:-1], 1)
    )
    fields["end"], fields["scores"] = _end(records[-1], len(records) - 2, fields["num_players"])
    return fields


class _Line:
    """One JSON object, whose keys are taken one by one."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        try:
            value = json.loads(text, parse_constant=self._no_constant, object_pairs_hook=self._object)
        except (ValueError, RecursionError) as error:
            self.fail(f"is no JSON: {error}")
        if not isinstance(value, dict):
            self.fail("is no JSON object")
        self.values: dict[str, Any] = value

    def fail(self, what: str) -> NoReturn:
        raise ValueError(f"line {self.number} {what}")

    def _no_constant(self, name: str) -> NoReturn:
        raise ValueError(f"{name} is no number here")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("a key appears twice")
        return found

    def take(
        self, key: str, sound: Callable[[Any], bool], what: str, record: dict[str, Any] | None = None
    ) -> Any:
        """Take a key out of the line (or of an object in it), and check its value."""
        values = self.values if record is None else record
        if key not in values:
            self.fail(f"has no {key!r}")
        value = values.pop(key)
        if not sound(value):
            self.fail(f"has {key} {_short(value)}: it must be {what}")
        return value

    def finish(self, record: dict[str, Any] | None = None) -> None:
        values = self.values if record is None else record
        if values:
            self.fail(f"has the unknown key {min(values)!r}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 1000 and printable(value) == value


def _objects(count: int | None = None) -> Callable[[Any], bool]:
    def sound(value: Any) -> bool:
        return (
            isinstance(value, list)
            and all(isinstance(each, dict) for each in value)
            and (count is None or len(value) == count)
        )

    return sound


def _option(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= 64 and all(not isinstance(each, list) and _option(each) for each in value)
    return value is None or type(value) in (bool, int, float) or _text(value)


def _head(line: _Line) -> dict[str, Any]:
    if "replay" not in line.values:
        raise ValueError("no replay: its first line has no 'replay'")
    line.take("replay", lambda value: value == FORMAT, f"{FORMAT}, the format that this Antiquity reads")
    players = line.take("players", _whole(1, MAX_SEATS), f"a number from 1 to {MAX_SEATS}")
    fields = {
        "game": line.take("game", _text, "a text"),
        "version": line.take("version", _whole(0, 1 << 31), "a number"),
        "num_players": players,
        "seed": int(
            line.take(
                "seed",
                lambda value: (
                    isinstance(value, str) and bool(_SEED.fullmatch(value)) and int(value) < 1 << 64
                ),
                "a number of 64 bits as a text",
            )
        ),
        "options": line.take(
            "options",
            lambda value: isinstance(value, dict) and all(map(_option, value.values())),
            "an object of plain values",
        ),
        "tables": line.take(
            "tables", lambda value: isinstance(value, str) and bool(_HASH.fullmatch(value)), "a SHA-256"
        ),
        "agents": tuple(
            line.take(
                "agents",
                lambda value: isinstance(value, list) and len(value) == players and all(map(_text, value)),
                f"a list of {players} texts",
            )
        ),
        "max_cycles": line.take(
            "max_cycles", lambda value: value is None or _whole(1, 1 << 62)(value), "a number or null"
        ),
    }
    if "branch" in line.values:
        fields["branch"] = line.take("branch", _text, "a text")
    line.finish()
    return fields


def _step(line: _Line, number: int, players: int) -> tuple[Choice, ...]:
    line.take("step", lambda value: type(value) is int and value == number, f"{number}")
    choices = []
    for record in line.take("choices", _objects(), "a list of objects"):
        seat = line.take("seat", _whole(0, players - 1), f"a number from 0 to {players - 1}", record)
        action = line.take("action", _whole(-MAX_ACTION, MAX_ACTION), "the number of an action", record)
        words = line.take("words", _text, "a text", record)
        illegal = "illegal" in record and line.take("illegal", lambda value: value is True, "true", record)
        line.finish(record)
        choices.append(Choice(seat, action, words, illegal))
    line.finish()
    return tuple(choices)


def _end(line: _Line, steps: int, players: int) -> tuple[str, tuple[dict[str, Any], ...]]:
    if "end" not in line.values:
        raise ValueError("the line that tells the end is missing: the file has been cut off")
    end = line.take("end", lambda value: value in ENDS, f"one of {', '.join(ENDS)}")
    line.take("steps", lambda value: type(value) is int and value == steps, f"{steps}")
    scores = []
    for record in line.take("scores", _objects(players), f"a list of {players} objects"):
        points = line.take(
            "points",
            lambda value: isinstance(value, dict) and all(type(each) is int for each in value.values()),
            "an object of numbers",
            record,
        )
        row = {"scores": points}
        for key in ("total", "tiebreak", "rank"):
            row[key] = line.take(key, _whole(-(1 << 31), 1 << 31), "a number", record)
        line.finish(record)
        scores.append(row)
    line.finish()
    return end, tuple(scores)
