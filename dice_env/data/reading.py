"""Reads and merges the data files, and answers how sure each value is.

A sheet is data under six headings: ``rules``, ``switches``, ``tracks``, ``bonuses``, ``dice``, ``boards``. The
package's own, ``"base"``, lies in three files (``data/sheet.toml``, ``data/dice.toml``, ``data/boards.toml``). A file
that starts with ``extends = "base"``, or with the path of another file, names only what it changes:

* keys of a table replace those of the same name;
* entries of a list with an ``id`` change the entry of that id, key by key; an unknown id is a new entry, at the end;
  ``remove = true`` takes one away;
* whatever else is named is replaced as a whole (an ``effect``, ``faces``).

Every value carries how sure it is, see ``data/sheet.toml``. A value that is changed takes its flag from the table that
changes it, and counts as ``"user"`` where that says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from antiquity.game.tables import TableError, TableFiles, mapping

BUILT_IN: Final = "base"
SECTIONS: Final = ("rules", "switches", "tracks", "bonuses", "dice", "boards")
LEVELS: Final = ("2+ sources", "user", "1 source", "guess")
"""From sure to unsure. "user": put in by whoever changed the data."""
FLAGS: Final = ("verified", "reconstructed", "conflict", "note")


class Evidence(NamedTuple):
    """One value of the data, and how sure it is."""

    value: Any
    verified: str
    """``"2+ sources"``, ``"1 source"``, ``"guess"`` or, for changed data, ``"user"``."""
    reconstructed: bool
    """Public material gives no usable value; this one stands in so that the game can be played."""
    conflict: bool
    """Sources disagree."""
    note: str


def is_flag(key: str) -> bool:
    """Whether a key describes other keys instead of holding a value."""
    return key in FLAGS or any(key.endswith(f"_{flag}") for flag in FLAGS)


def _has_ids(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, Mapping) and "id" in entry for entry in value)


def merge(base: Mapping[str, Any], change: Mapping[str, Any], where: str) -> dict[str, Any]:
    """`base` with the values of `change` in place, and with their flags."""
    merged = dict(base)
    for key, value in change.items():
        here = f"{where}.{key}" if where else key
        if is_flag(key) or key in ("id", "extends"):
            if key == "note" or (is_flag(key) and key not in FLAGS):
                merged[key] = value
        elif _has_ids(base.get(key)) and base[key]:
            merged[key] = _merge_entries(base[key], value, here)
        elif isinstance(base.get(key), Mapping) and key != "effect":
            merged[key] = merge(base[key], mapping(value, here), here)
        else:
            merged[key] = value
            for flag in FLAGS[:-1]:
                merged.pop(f"{key}_{flag}", None)
                given = change.get(f"{key}_{flag}", change.get(flag))
                if given is not None:
                    merged[f"{key}_{flag}"] = given
            merged.setdefault(f"{key}_verified", "user")
    return merged


def _merge_entries(base: list[Mapping[str, Any]], changes: Any, where: str) -> list[dict[str, Any]]:
    if not _has_ids(changes):
        raise TableError(f"{where}: must be a list of tables, each with the id of what it changes")
    entries = [dict(entry) for entry in base]
    for change in changes:
        place = next((i for i, entry in enumerate(entries) if entry["id"] == change["id"]), None)
        if change.get("remove"):
            if place is None:
                raise TableError(f"{where}: there is no {change['id']!r} to remove")
            del entries[place]
        elif place is None:
            entries.append({"verified": "user", **change})
        else:
            entries[place] = merge(entries[place], change, f"{where}.{change['id']}")
    return entries


FILES: Final = TableFiles(
    "dice_env",
    {BUILT_IN: ("sheet", "dice", "boards")},
    option="sheet",
    headings=SECTIONS,
    merge=lambda base, changes: merge(base, changes, ""),
    stands_alone=False,
)


def read_sheet(sheet: str | Path) -> dict[str, Any]:
    """The data of a sheet, merged over everything it extends. Not yet checked (see :mod:`dice_env.data.checks`).

    Args:
        sheet: ``"base"`` or the path of a TOML file.

    Raises:
        TableError: no such file, no TOML, or not laid out as data of this game.
    """
    return FILES.read(sheet)


# --- how sure it is -------------------------------------------------------------------------------------------------


class _Flags(NamedTuple):
    verified: str | None
    reconstructed: bool
    conflict: bool
    note: str

    def of_table(self, table: Mapping[str, Any]) -> _Flags:
        """What holds for the values of a table inside one with these flags."""
        return self._updated(table, *FLAGS)

    def of_key(self, table: Mapping[str, Any], key: str) -> _Flags:
        return self._updated(table, *(f"{key}_{flag}" for flag in FLAGS))

    def _updated(self, table: Mapping[str, Any], verified: str, *others: str) -> _Flags:
        reconstructed, conflict, note = others
        # A flag of its own starts afresh; the rest of what was said above no longer speaks about this value.
        fresh = verified in table
        return _Flags(
            table.get(verified, self.verified),
            bool(table.get(reconstructed, False if fresh else self.reconstructed)),
            bool(table.get(conflict, False if fresh else self.conflict)),
            str(table.get(note, self.note)),
        )


_NOTHING: Final = _Flags(None, False, False, "")


def evidence(data: Mapping[str, Any]) -> dict[str, Evidence]:
    """Every value of the data under its name, such as ``"rules.start_coins"``, ``"spaces.A1.cost"``,
    ``"tracks.upper.count"``, ``"dice.grey1.faces"``, ``"bonuses.cross.effect"``, ``"boards.giza.wonder1.cost"``.

    Raises:
        TableError: a value that does not say how sure it is.
    """
    return dict(_values(data))


def _values(data: Mapping[str, Any]) -> Iterator[tuple[str, Evidence]]:
    for section in ("rules", "switches"):
        yield from _table(section, data[section], _NOTHING.of_table(data[section]))
    for track in data["tracks"]:
        flags = _NOTHING.of_table(track)
        yield _leaf(f"tracks.{track['id']}.count", len(track["spaces"]), flags.of_key(track, "count"))
        for space in track["spaces"]:
            yield from _table(f"spaces.{space['id']}", space, flags.of_table(space))
    for section in ("bonuses", "dice", "boards"):
        for entry in data[section]:
            name = f"{section}.{entry['id']}"
            flags = _NOTHING.of_table(entry)
            yield from _table(name, entry, flags)
            for symbol in entry.get("symbols", []):
                own = flags.of_key(entry, "symbols").of_table(symbol)
                means = {key: value for key, value in symbol.items() if key != "id" and not is_flag(key)}
                yield _leaf(f"{name}.{symbol['id']}", means, own)
            for space in entry.get("spaces", []):
                yield from _table(
                    f"{name}.{space['id']}", space, flags.of_key(entry, "spaces").of_table(space)
                )


def _table(name: str, table: Mapping[str, Any], flags: _Flags) -> Iterator[tuple[str, Evidence]]:
    for key, value in table.items():
        if key not in ("id", "symbols", "spaces", "track", "remove") and not is_flag(key):
            yield _leaf(f"{name}.{key}", value, flags.of_key(table, key))


def _leaf(name: str, value: Any, flags: _Flags) -> tuple[str, Evidence]:
    if flags.verified not in LEVELS:
        raise TableError(f"{name}: verified is {flags.verified!r}; say one of {', '.join(map(repr, LEVELS))}")
    return name, Evidence(value, flags.verified, flags.reconstructed, flags.conflict, flags.note)


def verified(name: str, sheet: str | Path = BUILT_IN) -> str:
    """How sure the data is.

    >>> import dice_env
    >>> dice_env.verified("rules.start_coins")
    '2+ sources'
    >>> dice_env.verified("boards.rhodes")
    'guess'

    Args:
        name: of a value, as in :func:`dice_env.facts`, or what several names begin with: a track, a board, a heading.
        sheet: ``"base"`` or the path of a file that extends it.

    Returns:
        ``"2+ sources"``, ``"1 source"``, ``"guess"`` or, for a value that the file changes, ``"user"``. For several
        values the least sure of their flags.

    Raises:
        KeyError: no value has such a name.
    """
    known = evidence(read_sheet(sheet))
    found = [each for key, each in known.items() if key == name or key.startswith(f"{name}.")]
    if not found:
        headings = sorted({key.split(".")[0] for key in known})
        raise KeyError(f"the data has no value {name!r}; names begin with {', '.join(headings)}")
    return max((each.verified for each in found), key=LEVELS.index)


def facts(sheet: str | Path = BUILT_IN) -> dict[str, Evidence]:
    """Every value of the data with how sure it is: name -> :class:`Evidence`.

    >>> import dice_env
    >>> [name for name, fact in dice_env.facts().items() if fact.reconstructed][:2]
    ['rules.first_agora_tie', 'rules.throw']
    """
    return evidence(read_sheet(sheet))
