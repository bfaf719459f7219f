"""Positions on the referee."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dice_env.data.reading import read_sheet
from referees.dice import DICE, Referee
from referees.dice_sheet import TRACKS

from .positions import Position


class Lying(Referee):
    """A referee whose dice lie as a position says, the first face up in quadrant 3 where it says nothing."""

    def __init__(self, position: OnReferee, printed: dict[str, Any], options: dict[str, Any]) -> None:
        self.position = position
        super().__init__(
            printed,
            printed["dice"],
            printed["boards"],
            deal=lambda: position.boards,
            throw=lambda turn, dice: {die: self.place(die) for die in dice},
            replaced=lambda colour: [die for die in DICE[:3] if die in self.forum][-1],
            **options,
        )

    def place(self, die: str) -> tuple[int, int]:
        """Quadrant and number of the face."""
        if die not in self.position.lying:
            return 3, 0
        symbol, quadrant = self.position.lying[die]
        six = die.startswith("grey") and self.grey_dice == "six_resources"
        return quadrant, self.dice[die]["six_faces" if six else "faces"].index(symbol)


class OnReferee(Position):
    """A position on the referee; ``game`` is its game."""

    def start(self, sheet: str, options: dict[str, Any]) -> None:
        printed = read_sheet(sheet)
        self.game: Any = Lying(self, printed, options)
        self._slots: dict[str, int] = {
            space["id"]: TRACKS[track["id"]][0] + number
            for track in printed["tracks"]
            for number, space in enumerate(track["spaces"])
        }
        self._names: dict[int, str] = {slot: name for name, slot in self._slots.items()}
        self.clear_forum()

    def give(
        self,
        seat: int,
        *,
        coins: int | None = None,
        bonuses: Iterable[int] | None = None,
        attack: tuple[int, int] | None = None,
    ) -> None:
        player = self.game.players[seat]
        if coins is not None:
            player.coins = coins
        if bonuses is not None:
            player.bonuses = set(bonuses)
        if attack is not None:
            player.attack = {"west": attack[0], "east": attack[1]}

    def slot(self, seat: int, name: str) -> int:
        return self._slots[name]

    def name(self, seat: int, slot: int) -> str:
        return self._names[slot]

    def slots(self, seat: int, name: str) -> list[int]:
        spaces = self.game.players[seat].spaces.values()
        if name in ("west", "east"):
            return [space.slot for space in spaces if space.building == "barracks" and space.side == name]
        if name == "leaders":
            return [space.slot for space in spaces if space.part.endswith("_leader")]
        return [space.slot for space in spaces if name in (space.building, space.part)]

    def cross(self, seat: int, *names: str | int) -> None:
        player = self.game.players[seat]
        for name in names:
            slot = name if isinstance(name, int) else self._slots[name]
            assert slot not in player.crossed
            player.crossed.add(slot)
        self.game.before[seat] = frozenset(player.crossed)

    def relay(self) -> None:
        self.game.forum.update({die: self.game.place(die) for die in self.lying})
        self.game.forum = {die: self.game.forum[die] for die in DICE if die in self.game.forum}

    def clear_forum(self) -> None:
        self.lying.clear()
        self.game.forum = {}

    def legal(self, seat: int) -> list[int]:
        legal: list[int] = self.game.legal(seat)
        return legal

    def deciders(self) -> list[int]:
        deciders: list[int] = self.game.deciders()
        return deciders

    def carry_out(self, actions: dict[int, int]) -> None:
        self.game.step(actions)

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.game.state()
        return state

    def score(self) -> list[dict[str, int]]:
        return [{name.replace(" ", "_"): n for name, n in sheet.items()} for sheet in self.game.score()]

    def ranks(self) -> list[int]:
        ranks: list[int] = self.game.ranks()
        return ranks
