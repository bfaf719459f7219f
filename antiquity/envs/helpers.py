"""Small things that all environments do: actions as numbers, copies of spaces, files, how far a game has come."""

from __future__ import annotations

import contextlib
import copy
import json
import operator
import os
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium.spaces import Dict

from antiquity.batch import Batch, Form, replacing
from antiquity.game.archive import reading

_ACTION_SPAN = 1 << 62
_MEMBER = "environment.json"


def told(batch: Batch) -> str:
    """How far the game of a batch of one has come, in a word or two, for the reprs of environments."""
    if not batch.begun:
        return "not begun"
    return f"{'ended after' if batch.games[0]['over'] else 'at'} step {batch.games[0]['steps']}"


def flat_or_not(form: Form, flat: bool | None, usual: bool) -> bool:
    """Whether observations are the vector alone: `usual`, unless `flat` says so or the form is another.

    ValueError where both are wanted.
    """
    if form.name == "vector":
        return usual if flat is None else bool(flat)
    if flat:
        raise ValueError(
            f"flat_observations=True is the vector alone, and observation={form.name!r} a dict: leave one of them out"
        )
    return False


def action_number(action: Any) -> int:
    """An action as an int; TypeError if it is not an integer."""
    if isinstance(action, np.ndarray) and action.size == 1 and action.dtype.kind in "iu":
        action = action.item()  # some libraries pass arrays of one element
    number = operator.index(action)
    return max(-_ACTION_SPAN, min(number, _ACTION_SPAN))


def copy_spaces(spaces: Any) -> Any:
    """Copies of spaces, or of dicts of them, with generators of their own; the bounds, never changed, are shared."""
    if spaces is None:
        return None
    if isinstance(spaces, dict):
        return {name: copy_spaces(space) for name, space in spaces.items()}
    twin = copy.copy(spaces)
    twin._np_random = copy.deepcopy(spaces._np_random)
    if isinstance(twin, Dict):
        twin.spaces = copy_spaces(twin.spaces)
    return twin


def save_environment(path: str | os.PathLike[str], batch: Batch, notes: dict[str, Any]) -> None:
    """Write the file of an environment, whole or not at all: that of its batch, and `notes` beside it as JSON."""
    with replacing(path) as partial:
        batch.save(partial)
        with zipfile.ZipFile(partial, "a") as archive:
            archive.writestr(_MEMBER, json.dumps(notes))


@contextlib.contextmanager
def saved_notes(path: str | os.PathLike[str], kind: str) -> Iterator[dict[str, Any]]:
    """The notes in the file of an environment; what goes wrong with them is a ValueError of one line.

    `kind`: what they must say that they are of.
    """
    with reading(path, "saved environment") as archive:
        notes = archive.json_member(_MEMBER)
        if notes["kind"] != kind:
            raise ValueError(f"it holds a {notes['kind']}, not a {kind}")
        yield notes
