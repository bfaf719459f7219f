"""The options of a game of 7 Wonders Dice, checked and put into the records that the kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import Final

import numpy as np

from antiquity.game import Option
from antiquity.game.checks import whole
from antiquity.game.setup import asked_for
from antiquity.game.tables import text

from .data.checks import BARRACKS_BONUS
from .data.tables import load_tables
from .state import BOARDS, MAX_SEATS, MAX_TURNS, MIN_PLAYERS, OPTIONS_DTYPE

GREY_DICE: Final = ("photographed", "six_resources")
MIDDLE_BONUS: Final = ("any", "four_colours")
DEFAULT_TURNS: Final = 200

OPTIONS: Final = (
    Option(
        "boards", None, "board of each seat by id, 'random' or None for one dealt at random; None deals all"
    ),
    Option("max_turns", DEFAULT_TURNS, f"the game is truncated after so many turns, 1 to {MAX_TURNS}"),
    Option(
        "wonder_bonus", None, "whether a complete wonder gives a bonus; None: as the sheet says (base: True)"
    ),
    Option(
        "barracks_bonus",
        None,
        "'each_side': west and east barracks give a bonus each; 'both_sides': one for both together; "
        "None: as the sheet says (base: 'each_side')",
    ),
    Option(
        "grey_dice",
        "photographed",
        "'photographed': every grey die has five resources, one of them twice; 'six_resources': each resource once",
    ),
    Option(
        "middle_bonus",
        "any",
        "'any': the second bonus crosses a space of any building but wonder and guild court; 'four_colours': of "
        "barracks, agora, market or university",
    ),
    Option("sheet", "base", "'base' or the path of a TOML file that extends it (see dice_env.data.reading)"),
)


def setup(
    num_players: int,
    boards: Sequence[str | None] | None = None,
    max_turns: int = DEFAULT_TURNS,
    wonder_bonus: bool | None = None,
    barracks_bonus: str | None = None,
    grey_dice: str = "photographed",
    middle_bonus: str = "any",
    sheet: str | PathLike[str] = "base",
) -> tuple[np.ndarray, np.ndarray]:
    """Check the options; returns (tables[1], options[1]).

    Raises:
        ValueError: an option that is not what :data:`OPTIONS` says, or a sheet that breaks a rule.
        TypeError: an option of the wrong type.
    """
    whole("num_players", num_players, MIN_PLAYERS, MAX_SEATS)
    whole("max_turns", max_turns, 1, MAX_TURNS)
    if wonder_bonus is not None and not isinstance(wonder_bonus, (bool, np.bool_)):
        raise TypeError(f"wonder_bonus={wonder_bonus!r}: must be True, False or None")
    for name, value, known in (
        ("barracks_bonus", barracks_bonus, (None, *BARRACKS_BONUS)),
        ("grey_dice", grey_dice, GREY_DICE),
        ("middle_bonus", middle_bonus, MIDDLE_BONUS),
    ):
        if value not in known:
            raise ValueError(f"{name}={value!r}: must be one of {', '.join(map(repr, known))}")
    tables = load_tables(
        fspath(sheet),
        wonder_bonus=None if wonder_bonus is None else bool(wonder_bonus),
        barracks_bonus=barracks_bonus,
        grey_dice=grey_dice,
        middle_bonus=middle_bonus,
    )
    options = np.zeros(1, OPTIONS_DTYPE)
    options["max_turns"] = max_turns
    ids = [text(tables[0]["board_id"][number]) for number in range(BOARDS)]
    options["boards"][0, :num_players] = asked_for("boards", boards, num_players, ids)
    return tables, options
