"""Which games are installed, and how they are found by name."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import re
from collections.abc import Iterator, Mapping
from typing import Any

GROUP = "antiquity.games"
"""The group of entry points by which a game package says where its Game is::

    [project.entry-points."antiquity.games"]
    "SevenWonders-v1" = "seven_wonders_env:GAME"

The name is the one Gymnasium and PettingZoo know the game by (``antiquity/SevenWonders-v1``): the game's own name in
capitals, and its version.
"""


def name_of(identifier: str) -> str:
    """``"seven_wonders"`` of ``"SevenWonders-v1"``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier.partition("-v")[0]).lower()


class _Games(Mapping[str, str]):
    """The games that are installed: name -> where they are, as ``"module:attribute"``. Importing none of them."""

    @functools.cached_property
    def _places(self) -> dict[str, str]:
        points = importlib.metadata.entry_points(group=GROUP)
        return {name_of(point.name): point.value for point in points}

    def __getitem__(self, name: str) -> str:
        return self._places[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return f"GAMES({', '.join(self)})"


GAMES = _Games()
"""Names of the installed games, from the entry points of the group ``antiquity.games``; they are read once."""


def load(place: str, name: str) -> Any:
    """The object at ``"module:attribute"``.

    Raises:
        KeyError: there is no such module; the message calls the game `name`, and lists those that are installed.
    """
    module_name, _, attribute = place.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # the game is there, but not something that it needs
        raise KeyError(f"no game is called {name!r}; installed are: {', '.join(GAMES) or 'none'}") from None
    return getattr(module, attribute, None)
