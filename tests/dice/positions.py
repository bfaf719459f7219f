"""Positions of 7 Wonders Dice in words, the same on the kernels and on the referee: see the fixture ``position``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from referees.dice import (
    A_SPACE,
    AGAIN,
    COINS,
    DICE,
    FIRST_BONUS,
    FIRST_DIE,
    FIRST_SPACE,
    PASS,
    STOP,
    WAIT,
    WONDER,
)

TRIO = ("giza", "rhodes", "alexandria")
PAIR = ("giza", "rhodes")
RICH = 40
"""Coins that pay for anything."""
BONUS_AGAIN, BONUS_SPACE, BONUS_COINS = FIRST_BONUS + AGAIN, FIRST_BONUS + A_SPACE, FIRST_BONUS + COINS
BONUSES = [BONUS_AGAIN, BONUS_SPACE, BONUS_COINS]
ACTION, FREE, BONUS = ["action"], ["free"], ["bonus"]
"""What may be pending, beside ``["pick", die]`` and ``["cross", buildings, how many]``."""
LANES = {"black": "upper3", "purple": "middle3", "white": "lower3"}
"""The space that unlocks each special die."""


class Position(ABC):
    """A game at the start of its first turn: nothing crossed, the forum empty, and every seat has `coins`.

    Dice that are laid into the forum lie there as they are, turn after turn. A special die that comes in by itself
    needs a grey one to replace.

    Spaces and dice go by their names; an action is a number, or the name of the die or space that it chooses.

    Args:
        boards: of each seat.
        coins: of every seat.
        sheet: ``"base"`` or a file.
        options: the game's own.
    """

    boards: tuple[str, ...]

    def __init__(
        self, boards: Iterable[str] = TRIO, coins: int = 0, sheet: str = "base", **options: Any
    ) -> None:
        self.boards = tuple(boards)
        self.lying: dict[str, tuple[str, int]] = {}
        self.start(sheet, options)
        for seat in range(len(self.boards)):
            self.give(seat, coins=coins)

    @abstractmethod
    def start(self, sheet: str, options: dict[str, Any]) -> None:
        """A new game with an empty forum."""

    # --- setting up ---

    @abstractmethod
    def give(
        self,
        seat: int,
        *,
        coins: int | None = None,
        bonuses: Iterable[int] | None = None,
        attack: tuple[int, int] | None = None,
    ) -> None:
        """What a seat has had since before this turn: coins, numbers of bonuses, points of attacks west and east."""

    @abstractmethod
    def cross(self, seat: int, *names: str | int) -> None:
        """Spaces crossed in earlier turns, with their lasting effects; coins and attack points are left alone."""

    @abstractmethod
    def slot(self, seat: int, name: str) -> int:
        """The number of a space."""

    @abstractmethod
    def name(self, seat: int, slot: int) -> str:
        """The name of a space."""

    @abstractmethod
    def slots(self, seat: int, name: str) -> list[int]:
        """The numbers of the spaces of a building, or of one side of the barracks, or of a track."""

    @abstractmethod
    def relay(self) -> None:
        """Make the dice in the forum lie as they were laid, and compare for the purple one."""

    def first(self, seat: int, name: str, number: int) -> None:
        """The first so many spaces of a building or track are crossed, those already crossed among them."""
        crossed = self.crossed(seat)
        names = [self.name(seat, slot) for slot in self.slots(seat, name)[:number]]
        self.cross(seat, *(each for each in names if each not in crossed))

    def all_but(self, seat: int, name: str, *missing: str) -> None:
        """All spaces of a building or track are crossed but those named."""
        crossed = self.crossed(seat)
        names = [self.name(seat, slot) for slot in self.slots(seat, name)]
        self.cross(seat, *(each for each in names if each not in missing and each not in crossed))

    def unlock(self, seat: int, *dice: str) -> None:
        """The seat may choose these special dice: the spaces that unlock them are crossed, out of order."""
        self.cross(seat, *(LANES[die] for die in dice))

    def lay(self, die: str, symbol: str, quadrant: int = 0) -> None:
        """Put a die into the forum."""
        self.lying[die] = (symbol, quadrant)
        self.relay()

    @abstractmethod
    def clear_forum(self) -> None:
        """Take all dice out of the forum."""

    # --- playing ---

    @abstractmethod
    def legal(self, seat: int) -> list[int]:
        """The legal actions of a seat."""

    @abstractmethod
    def deciders(self) -> list[int]:
        """The seats that decide."""

    @abstractmethod
    def carry_out(self, actions: dict[int, int]) -> None:
        """The decisions of all deciders."""

    def number(self, seat: int, action: int | str) -> int:
        """The number of an action."""
        if isinstance(action, int):
            return action
        return FIRST_DIE + DICE.index(action) if action in DICE else FIRST_SPACE + self.slot(seat, action)

    def can(self, seat: int, action: int | str) -> bool:
        """Whether an action is legal."""
        return self.number(seat, action) in self.legal(seat)

    def together(self, actions: Mapping[int, int | str]) -> None:
        """What these seats do, all at once."""
        self.carry_out({seat: self.number(seat, action) for seat, action in actions.items()})

    def do(self, seat: int, *actions: int | str) -> None:
        """One action after the other of a seat; whoever decides beside it passes."""
        for action in actions:
            others = {other: PASS for other in self.deciders() if other != seat}
            self.together({seat: action, **others})

    # --- looking ---

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """The position in plain values, as the referee writes it."""

    @abstractmethod
    def score(self) -> list[dict[str, int]]:
        """Points of all seats by category, total and tiebreak."""

    @abstractmethod
    def ranks(self) -> list[int]:
        """The rank of each seat, as if the game ended now."""

    def _of(self, seat: int) -> dict[str, Any]:
        seats: list[dict[str, Any]] = self.state()["seats"]
        return seats[seat]

    def coins(self, seat: int) -> int:
        """How many coins the seat has."""
        return int(self._of(seat)["coins"])

    def crossed(self, seat: int) -> set[str]:
        """The spaces that the seat has crossed."""
        return {self.name(seat, slot) for slot in self._of(seat)["crossed"]}

    def has(self, seat: int, *names: str) -> bool:
        """Whether the seat has crossed all these spaces."""
        return self.crossed(seat) >= set(names)

    def bonuses(self, seat: int) -> list[int]:
        """The numbers of the bonuses taken."""
        return list(self._of(seat)["bonuses"])

    def attack(self, seat: int) -> list[int]:
        """Points written down for attacks, west and east."""
        return list(self._of(seat)["attack"])

    def unlocked(self, seat: int) -> list[str]:
        """The special dice that the seat may choose."""
        return list(self._of(seat)["unlocked"])

    def pending(self, seat: int) -> list[list[Any]]:
        """What the seat has to resolve, the next last."""
        return list(self._of(seat)["stack"])

    def forum(self) -> dict[str, list[int]]:
        """The dice in the forum: quadrant and number of the face."""
        return dict(self.state()["forum"])

    def __getattr__(self, name: str) -> Any:
        if name not in ("turn", "over", "truncated", "last_turn", "agora_first"):
            raise AttributeError(name)
        return self.state()[name]

    def points(self, seat: int, category: str) -> int:
        """The points of the seat in one category."""
        return self.score()[seat][category]

    def offered(self, seat: int) -> set[str]:
        """The spaces among the legal actions."""
        return {self.name(seat, action - FIRST_SPACE) for action in self.legal(seat) if action >= FIRST_SPACE}

    def dice_offered(self, seat: int) -> set[str]:
        """The dice among the legal actions."""
        return {DICE[action - FIRST_DIE] for action in self.legal(seat) if FIRST_DIE <= action < WONDER}


__all__ = [
    "ACTION",
    "BONUS",
    "BONUSES",
    "BONUS_AGAIN",
    "BONUS_COINS",
    "BONUS_SPACE",
    "FREE",
    "PAIR",
    "PASS",
    "RICH",
    "STOP",
    "TRIO",
    "WAIT",
    "WONDER",
    "Position",
]
