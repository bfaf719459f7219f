"""The seven sheets of a data file, space by space: the common source of tables, checks and words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from antiquity.game.tables import TableError
from dice_env.state import AGORA_TRACKS, BUILDINGS, GROUPS


class Space(NamedTuple):
    """One space of a sheet."""

    slot: int
    id: str
    track: str
    building: str
    unit: str | None
    first: bool
    """Nothing has to be crossed before it."""
    cost: int
    vp: int
    effect: Mapping[str, Any] | None


_GROUP: Final = {group[0]: group for group in GROUPS}


def group_of(track: str) -> tuple[str, int, int, str, str | None, bool] | None:
    """The group whose slots a track takes, as in :data:`dice_env.state.GROUPS`."""
    return _GROUP.get("agora" if track.startswith("agora_") else track)


def board_spaces(data: Mapping[str, Any], board: Mapping[str, Any]) -> list[Space]:
    """All spaces of one board's sheet, by slot.

    Raises:
        TableError: a board that names no space of the sheet, or more spaces than a group has slots.
    """
    tracks = {track["id"]: [dict(space) for space in track["spaces"]] for track in data["tracks"]}
    known = {space["id"]: space for spaces in tracks.values() for space in spaces}
    for change in board.get("spaces", []):
        if change["id"] in known:
            known[change["id"]].update(change)
        elif change.get("track") in tracks:
            tracks[change["track"]].append(dict(change))
        else:
            raise TableError(
                f'board {board["id"]!r}: no track has a space {change["id"]!r}; a new space says track = "its track"'
            )
    spaces: list[Space] = []
    taken = dict.fromkeys(_GROUP, 0)
    if sum(track.startswith("agora_") for track in tracks) > AGORA_TRACKS:
        raise TableError(f"the agora has at most {AGORA_TRACKS} tracks, one for each face of the blue die")
    for track, entries in tracks.items():
        group = group_of(track)
        if group is None:
            raise TableError(
                f"track {track!r}: there are {', '.join(_GROUP)} (the agora's are called agora_...)"
            )
        name, start, slots, building, unit, ordered = group
        for place, entry in enumerate(entries):
            if taken[name] >= slots:
                raise TableError(
                    f"board {board['id']!r}, {name}: there is room for {slots} spaces, {entry['id']!r} is one more"
                )
            first = not ordered or place == 0
            spaces.append(
                Space(
                    start + taken[name],
                    entry["id"],
                    track,
                    building,
                    unit,
                    first,
                    entry.get("cost", -1),
                    entry.get("vp", 0),
                    entry.get("effect"),
                )
            )
            taken[name] += 1
    return sorted(spaces)


def reached(
    data: Mapping[str, Any], board: Mapping[str, Any], names: list[str], spaces: list[Space] | None = None
) -> int:
    """The slots of tracks, buildings and spaces on a board, as bits. `spaces`: of the board, if they are at hand.

    Raises:
        TableError: an unknown name.
    """
    spaces = board_spaces(data, board) if spaces is None else spaces
    bits = 0
    for name in names:
        found = [space.slot for space in spaces if name in (space.id, space.track, space.building)]
        if not found and name not in (*BUILDINGS, *(track["id"] for track in data["tracks"])):
            raise TableError(f"{name!r} is no space, track or building of the board {board['id']!r}")
        for slot in found:
            bits |= 1 << slot
    return bits
