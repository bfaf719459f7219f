"""One face for the kernels and the referee, so that each ruling is written once and tried on both."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Self

from antiquity.testing import Table
from referees.stone_age import Referee
from referees.stone_age_actions import ACTIONS, NUMBER
from stone_age.positions import Position, referee_at
from stone_age_env import GAME, plain_state

COLUMNS = (*GAME.categories, "total", "tiebreak")
WHEN_OVER = ("phase", "place", "total", "dice", "pay_left", "pay_kinds", "pay_kind")
"""Parts of a state that say nothing any more when the game is over."""
Words = tuple[Any, ...]
"""An action in words and numbers, such as ``("place", FOREST, 3)``: see :mod:`referees.stone_age_actions`."""


class Play(ABC):
    """A game from some position on; every action is one of the seat that decides then."""

    @classmethod
    @abstractmethod
    def at(cls, *args: Any, **setup: Any) -> Self:
        """The game at a position, which :class:`Position` describes; what is forced there has happened."""

    @abstractmethod
    def legal(self, seat: int) -> list[int]: ...

    @abstractmethod
    def deciders(self) -> list[int]: ...

    @abstractmethod
    def step(self, seat: int, action: int) -> None: ...

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """The whole game in plain values, without what says nothing when it is over."""

    @abstractmethod
    def sheet(self, seat: int) -> dict[str, int]:
        """Points of a seat by category, their total and the tie-break."""

    def __getitem__(self, name: str) -> Any:
        """A part of the state."""
        return self.state()[name]

    def of(self, seat: int, name: str) -> Any:
        """What a seat has."""
        return self.state()[name][seat]

    @property
    def decider(self) -> int:
        [seat] = self.deciders()
        return seat

    @property
    def phase(self) -> str:
        return "over" if self["over"] else str(self["phase"])

    @property
    def offers(self) -> list[Words]:
        """The legal actions of the seat that decides."""
        return [ACTIONS[number] for number in self.legal(self.decider)]

    def offered(self, verb: str) -> list[Words]:
        """Those that begin with that word."""
        return [words for words in self.offers if words[0] == verb]

    @property
    def places(self) -> set[int]:
        """Where the seat that decides may put people."""
        return {words[1] for words in self.offered("place")}

    def do(self, *words: Any) -> Self:
        """One action."""
        self.step(self.decider, NUMBER[words])
        return self

    def after(self, *words: Any) -> Self:
        """A copy, one action on."""
        return copy.deepcopy(self).do(*words)

    def go_home(self) -> Self:
        """What is left to resolve is declined; nothing else may be there."""
        while self.phase == "resolve":
            self.do(*next(words for words in self.offers if words[0].startswith("decline")))
        return self

    def payments(self, *words: Any) -> dict[tuple[int, ...], int]:
        """Every payment that an action can be paid with: what is paid -> points; each may come up only once."""
        found: dict[tuple[int, ...], int] = {}
        seat = self.decider
        stock, before = self.of(seat, "resources"), self.sheet(seat)["buildings"]

        def follow(at: Play) -> None:
            if at.phase == "pay":
                for number in at.offers:
                    follow(at.after(*number))
                return
            paid = tuple(had - has for had, has in zip(stock, at.of(seat, "resources"), strict=True))
            assert paid not in found
            found[paid] = at.sheet(seat)["buildings"] - before

        follow(self.after(*words))
        return found


At = Callable[..., Play]
"""The fixture ``position``: sets up what :class:`Position` describes."""


class OnKernels(Play):
    """A game on the kernels."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @classmethod
    def at(cls, *args: Any, **setup: Any) -> Self:
        table = Position(*args, **setup)
        table.settle()
        return cls(table)

    def __deepcopy__(self, _memo: Any) -> Self:
        return type(self)(self.table.copy())

    def legal(self, seat: int) -> list[int]:
        return self.table.legal(seat)

    def deciders(self) -> list[int]:
        return self.table.deciders()

    def step(self, seat: int, action: int) -> None:
        self.table.step({seat: action})

    def state(self) -> dict[str, Any]:
        found = plain_state(self.table.games, 0, self.table.tables)
        return {name: value for name, value in found.items() if not (found["over"] and name in WHEN_OVER)}

    def sheet(self, seat: int) -> dict[str, int]:
        return dict(zip(COLUMNS, self.table.score()[seat].tolist(), strict=True))


class OnReferee(Play):
    """A game on the referee."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee

    def __deepcopy__(self, _memo: Any) -> Self:
        here = self.referee
        return type(self)(
            copy.deepcopy(here, {id(fixed): fixed for fixed in (here.rules, here.cards, here.tiles)})
        )

    @classmethod
    def at(cls, *args: Any, **setup: Any) -> Self:
        table = Position(*args, **setup)
        referee = referee_at(table, table.printed)
        referee._take_forced_actions()
        return cls(referee)

    def legal(self, seat: int) -> list[int]:
        return list(self.referee.legal(seat))

    def deciders(self) -> list[int]:
        return list(self.referee.deciders())

    def step(self, seat: int, action: int) -> None:
        self.referee.step({seat: action})

    def state(self) -> dict[str, Any]:
        found = self.referee.state()
        return {name: value for name, value in found.items() if not (found["over"] and name in WHEN_OVER)}

    def sheet(self, seat: int) -> dict[str, int]:
        return dict(self.referee.score()[seat])
