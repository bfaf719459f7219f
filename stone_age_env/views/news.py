"""What a step brings beside what was chosen: rolls and what they gave, people fed, a new round."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from stone_age_env import state as s

from .rolls import faces


def heading(games: NDArray[Any], index: int) -> str:
    """The round."""
    return f"round {int(games[index]['round']) + 1}"


def news(before: NDArray[Any], after: NDArray[Any], tables: NDArray[Any]) -> list[str]:
    """What was thrown, what all got, who was fed and who went hungry."""
    old: Any = before[0]
    new: Any = after[0]
    found = []
    thrown = faces(new)
    if thrown and (old["phase"] != s.TOOLS or int(old["place"]) != int(new["place"])):
        good = s.GOODS[int(new["gather"])]
        found.append(
            f"seat {int(new['active'])} throws {' '.join(map(str, thrown))} = {sum(thrown)} for {good}"
        )
    fed = int(new["round"]) > int(old["round"]) or bool(new["over"])
    for seat in range(int(old["num_players"])):
        parts = []
        for name, number in zip(
            s.RESOURCES, (new["resources"][seat].astype(int) - old["resources"][seat]).tolist(), strict=True
        ):
            if number > 0:
                parts.append(f"+{number} {name}")
        food = int(new["food"][seat]) - int(old["food"][seat])
        if food > 0 or (food < 0 and fed):
            parts.append(f"{food:+d} food")
        for name, column in (("people", "person"), ("agriculture", "field")):
            if new[name][seat] > old[name][seat]:
                parts.append(f"+1 {column}")
        if int(new["tools"][seat].sum()) > int(old["tools"][seat].sum()):
            parts.append("a better tool")
        lost = int(old["points"][seat, 2]) - int(new["points"][seat, 2])
        gained = int(new["points"][seat, :2].sum()) - int(old["points"][seat, :2].sum())
        parts += [f"{gained:+d} points"] if gained else []
        parts += [f"-{lost} points for hunger"] if lost else []
        if parts:
            found.append(f"seat {seat}: {', '.join(parts)}")
    return found
