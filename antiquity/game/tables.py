"""The printed games as data: TOML tables read, laid over one another and checked.

Each game package has its printed game as TOML files of its own, and a user's file changes what it names in one of
them::

    extends = "second_edition"

    [rules]
    start_coins = 5

:class:`TableFiles` reads such files, however many extend each other. How one is laid over the other, and what the
result must keep, says the game; :func:`merge_entries` and the checks below are what they say it with. Every error is a
:class:`TableError` that names the file and the entry.
"""

from __future__ import annotations

import copy
import difflib
import hashlib
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from antiquity.game.checks import printable
from antiquity.game.files import one_line, read_bytes

Table = Mapping[str, Any]

SCHEMA: Final = 1
COMMON: Final = ("schema", "name", "title", "extends")
"""What every table may say about itself."""
LONGEST: Final = 1000
"""Bytes of what is said for people alone."""
MOST_BYTES: Final = 1 << 20
"""A longer table is not read."""


class TableError(ValueError):
    """A table that breaks a rule; the message names the entry and what would be right."""


def printed(tables: NDArray[Any]) -> NDArray[Any]:
    """What is printed of a record of tables, structured[1]: without the fields that are worked out from the others.

    Those begin with an underscore. Files and hashes leave them out, so that they may change from release to release.
    """
    assert tables.dtype.names is not None and tables.dtype.fields is not None
    names = [name for name in tables.dtype.names if not name.startswith("_")]
    if len(names) == len(tables.dtype.names):
        return tables
    found = np.zeros(tables.shape, [(name, tables.dtype.fields[name][0]) for name in names])
    for name in names:
        found[name] = tables[name]
    return found


def tables_hash(tables: NDArray[Any]) -> str:
    """SHA-256 of a printed game's record, in hexadecimal."""
    return hashlib.sha256(printed(tables).tobytes()).hexdigest()


class TableFiles:
    """Where the printed game of a package lies, and how a file changes it.

    Args:
        package: name of the game's package; its tables lie in ``data/``.
        built_in: tables of the package by name, each with the files (without ``.toml``) that make it up. The first is
            the one that errors suggest.
        option: the option of the game that names a table, for errors.
        headings: what a table has, beside :data:`COMMON`.
        merge: ``merge(base, changes)`` is the table `base` with `changes` laid over it; it changes neither.
        check: raises :class:`TableError` unless a table, everything merged in, keeps what the game relies on.
        stands_alone: whether a file may do without ``extends``.
    """

    def __init__(
        self,
        package: str,
        built_in: Mapping[str, Sequence[str]],
        *,
        option: str,
        headings: Sequence[str],
        merge: Callable[[Table, Table], dict[str, Any]],
        check: Callable[[Table], None] | None = None,
        stands_alone: bool = True,
    ) -> None:
        self.package = package
        self.built_in = dict(built_in)
        self.option = option
        self.headings = tuple(headings)
        self._merge = merge
        self._check = check
        self._stands_alone = stands_alone
        self._kept: dict[str, dict[str, Any]] = {}

    def read(self, table: str | Path) -> dict[str, Any]:
        """The table as plain data, the caller's own, with everything that it extends merged in, and checked.

        Args:
            table: the name of a table of the package, or the path of a TOML file.

        Raises:
            TableError: no such table, no TOML, or a table that breaks a rule.
        """
        if str(table) in self.built_in:
            return copy.deepcopy(self._built_in(str(table)))
        path = Path(table)
        if not path.is_file():
            raise TableError(
                f"{self.option}={str(table)!r}: no such table; use {', '.join(self.built_in)} or the path of a TOML "
                "file"
            )
        return copy.deepcopy(self._file(path, ()))

    def _built_in(self, name: str) -> dict[str, Any]:
        if name not in self._kept:
            folder = resources.files(self.package).joinpath("data")
            data: dict[str, Any] = {}
            for file in self.built_in[name]:
                data.update(tomllib.loads(folder.joinpath(f"{file}.toml").read_text(encoding="utf-8")))
            self._kept[name] = self._resolve(data, Path(), ())
        return self._kept[name]

    def _file(self, path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
        path = path.resolve()
        if path in seen:
            raise TableError(f"{path}: extends itself")
        try:
            data = tomllib.loads(read_bytes(path, MOST_BYTES).decode("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise TableError(f"{path}: not valid TOML: {one_line(error)}") from error
        try:
            if "extends" not in data and not self._stands_alone:
                raise TableError(
                    f"extends is missing: a table begins with extends = {next(iter(self.built_in))!r} or the path of "
                    "another one"
                )
            return self._resolve(data, path.parent, (*seen, path))
        except TableError as error:
            raise TableError(f"{path}: {error}") from error

    def _resolve(self, data: dict[str, Any], folder: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
        check_headings(data, self.headings)
        base = data.get("extends")
        if base is not None:
            if isinstance(base, str) and base in self.built_in:
                parent = self._built_in(base)
            elif isinstance(base, str) and (folder / base).is_file():
                parent = self._file(folder / base, seen)
            else:
                names = ", ".join(self.built_in)
                raise TableError(f"extends = {base!r}: neither a table of the package ({names}) nor a file")
            about: dict[str, Any] = {key: data[key] for key in ("schema", "name", "title") if key in data}
            data = self._merge(parent, data) | about
        if self._check is not None:
            self._check(data)
        return data


def merge_entries(
    base: Iterable[Table],
    changes: Any,
    section: str,
    change_entry: Callable[[Table, Table], Mapping[str, Any]] = lambda entry, change: {**entry, **change},
    *,
    may_add: bool = False,
) -> list[dict[str, Any]]:
    """The entries of a list with those of a change in their places.

    An entry of `changes` with a known ``id`` changes the keys it gives; ``replaces = "old_id"`` puts a new entry into
    the place, and so the number, of an old one.

    Args:
        base: entries, each with an ``id``.
        changes: what the file has under this heading, however broken.
        section: the heading, for errors.
        change_entry: ``change_entry(entry, change)`` is the entry changed.
        may_add: whether an unknown ``id`` is a new entry at the end, and no error.
    """
    entries = [dict(entry) for entry in base]
    if not isinstance(changes, list):
        raise TableError(f"{section} = {changes!r}: must be a list, written as [[{section}]]")
    for given in changes:
        change = dict(mapping(given, f"[[{section}]]"))
        replaces = "replaces" in change
        target = change.pop("replaces") if replaces else change.get("id")
        if replaces and "id" not in change:
            raise TableError(f"[[{section}]] replaces = {target!r}: give the new entry an id")
        number = next((place for place, entry in enumerate(entries) if entry.get("id") == target), None)
        if number is not None:
            entries[number] = dict(change_entry(entries[number], change))
        elif may_add and not replaces:
            entries.append(change)
        else:
            raise TableError(
                f"[[{section}]] id = {target!r}: the extended table has no such entry; a new one takes the place of "
                'another with replaces = "its id"'
            )
    return entries


# --- checks ---------------------------------------------------------------------------------------------------------


def check_headings(data: Table, headings: Sequence[str]) -> None:
    """See that a table has no other headings than these and :data:`COMMON`, and is of this schema."""
    for key in data:
        if key not in (*COMMON, *headings):
            near = alike(key, (*COMMON, *headings))
            raise TableError(f"unknown entry {key!r}; a table has {', '.join(headings)}{near}")
    schema = data.get("schema", SCHEMA)
    if schema != SCHEMA or isinstance(schema, bool) or not isinstance(schema, int):
        raise TableError(f"schema = {schema!r}: this release reads schema {SCHEMA}")
    for key in ("name", "title"):
        if key in data:
            short_text(data[key], LONGEST, key)


def mapping(value: Any, where: str) -> Table:
    """The value, when it is a table of keys; otherwise a :class:`TableError`, as from all of these."""
    if not isinstance(value, Mapping):
        raise TableError(f"{where} = {value!r}: must be a table of keys")
    return value


def known_keys(entry: Table, known: Sequence[str], where: str) -> None:
    """See that an entry has no key but these: a misspelt one would do nothing, and nobody would notice."""
    for key in entry:
        one_of(key, known, f"{where}: key")


def notes(entry: Table, where: str) -> None:
    """See that ``verified`` and ``note``, which are for people, are texts where an entry has them."""
    for key in ("verified", "note"):
        if key in entry:
            short_text(entry[key], LONGEST, f"{where}: {key}")


def as_built_in(value: Any, built_in: Any, where: str) -> None:
    """See that a value is as the package has it: it says how the game is, nothing reads it, so a change is an error."""
    if value != built_in or type(value) is not type(built_in):
        raise TableError(
            f"{where} = {value!r}: this says how the game is, {built_in!r}, and cannot be changed"
        )


def integer(value: Any, low: int, high: int, where: str) -> None:
    """See that it is a whole number within [low, high]."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise TableError(f"{where} = {value!r}: must be a whole number from {low} to {high}")


def one_of(value: Any, known: Sequence[str], where: str) -> None:
    """See that it is one of these names."""
    if value not in known:
        raise TableError(f"{where} = {value!r}: must be one of {', '.join(known)}{alike(value, known)}")


def alike(value: Any, known: Sequence[str]) -> str:
    """What may have been meant by a name that is none of these, to be put behind an error; "" if none is near."""
    near = difflib.get_close_matches(value, known, 3) if isinstance(value, str) else []
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def list_of(value: Any, known: Sequence[str], where: str) -> None:
    """See that it is a list of some of these names, none of them twice."""
    if not isinstance(value, list) or not value or len(set(map(str, value))) != len(value):
        raise TableError(f"{where} = {value!r}: must be a list without repeats")
    for name in value:
        one_of(name, known, where)


def short_text(value: Any, longest: int, where: str) -> None:
    """Check that it is a string that fits into this many bytes, and not empty."""
    if not isinstance(value, str) or not 1 <= len(value.encode()) <= longest or printable(value) != value:
        raise TableError(
            f"{where} = {value!r}: must be a text of 1 to {longest} bytes without control characters"
        )


def distinct(names: Sequence[Any], label: str) -> None:
    """See that no two entries have the same id."""
    for name in names:
        if names.count(name) > 1:
            raise TableError(f"{label} {name!r}: the id is used twice")


# --- names in a tables record ---------------------------------------------------------------------------------------


def name_bytes(name: str, size: int) -> NDArray[np.uint8]:
    """A name as UTF-8, zero padded: uint8[size]. TableError for control characters, which no picture can hold."""
    if printable(name) != name:
        raise TableError(f"{name!r}: a name has no control characters")
    return np.frombuffer(name.encode("utf-8")[:size].ljust(size, b"\0"), dtype="u1")


def text(name: NDArray[np.uint8]) -> str:
    """A name field of a tables record, uint8[...], as a string."""
    return bytes(name).rstrip(b"\0").decode("utf-8")
