"""Looking at single games of a batch: who decides, the points, the table in words and pictures."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
from numpy.typing import ArrayLike, NDArray

from antiquity.batch.core import Array
from antiquity.batch.engine import Engine
from antiquity.batch.forms import Form
from antiquity.game import Game, Layout
from antiquity.game.checks import whole
from antiquity.render.text import NARROWEST, WIDTH


class Views:
    """The part of a batch that only looks; see :class:`antiquity.Batch`."""

    game: Game
    layout: Layout
    games: Array
    tables: Array
    form: Form
    player_counts: NDArray[np.int64]
    num_games: int
    num_seats: int
    _engine: Engine

    def _checked(self, index: int, seat: int) -> tuple[int, int]:
        """The index of a game and a seat of it, checked."""
        index = whole("the index of a game", index, 0, self.num_games - 1)
        return index, whole("the seat", seat, 0, int(self.player_counts[index]) - 1)

    @property
    def single_observation_space(self) -> Box | Dict:
        """One seat's observation, a Box [F] or a Dict, as Gymnasium's vector environments call it."""
        return self.form.space()

    @property
    def single_action_space(self) -> Discrete:
        """``Discrete(A)``: one seat's actions."""
        return Discrete(self.game.num_actions)

    @property
    def observation_space(self) -> Box | Dict:
        """All observations, a Box [G, S, F] or a Dict."""
        return self.form.space(self.num_games, self.num_seats)

    @property
    def action_space(self) -> MultiDiscrete:
        """``MultiDiscrete`` of all actions, int64[G, S]; legal are those in the masks."""
        return MultiDiscrete(np.full((self.num_games, self.num_seats), self.game.num_actions))

    def deciders(self, index: int = 0) -> tuple[int, ...]:
        """The seats of game `index` that must choose at this decision."""
        self._engine.require_begun()
        bits = 0 if self._engine.slots["stopped"][index] else int(self.games["deciders"][index])
        return tuple(seat for seat in range(self.num_seats) if bits >> seat & 1)

    def missing(self, index: int = 0) -> tuple[int, ...]:
        """The deciders of game `index` that have not committed a choice yet."""
        chosen, pending = self.games["chosen"][index], int(self._engine.slots["pending"][index])
        return tuple(seat for seat in self.deciders(index) if not chosen[seat] and not pending >> seat & 1)

    def scores(self, index: ArrayLike | None = None) -> NDArray[np.int32]:
        """The points of all games (or those at `index`), int32[G, S, C + 2]: by category, total, tie-break value."""
        return self._engine.standings(index)[0]

    def ranks(self, index: ArrayLike | None = None) -> NDArray[np.int64]:
        """The ranks likewise, int64[G, S], from 1; ties share the best rank, absent seats have 0."""
        return self._engine.standings(index)[1]

    def state(self) -> NDArray[np.float32]:
        """The whole table of every game, for centralised critics: float32[G, state_layout.size]."""
        return self._engine.reveal()

    def describe(self, index: int, seat: int, action: int) -> str:
        """An action of a seat in game `index`, in words."""
        self._engine.require_begun()
        index, seat = self._checked(index, seat)
        return self.game.describe(self.games, index, self.tables, seat, action)

    def price(self, index: int, seat: int, action: int) -> str:
        """What a legal action of a seat in game `index` costs or brings, and why, in words; "" for nothing."""
        self._engine.require_begun()
        index, seat = self._checked(index, seat)
        return self.game.price(self.games, index, self.tables, seat, action)

    def why_not(self, index: int, seat: int, action: int) -> str:
        """Why an action of a seat in game `index` is not legal now, in words, from what that seat sees."""
        self._engine.require_begun()
        index, seat = self._checked(index, seat)
        return self.game.why_not(self.games, index, self.tables, seat, action)

    def render(self, index: int = 0, seat: int | None = None, width: int = WIDTH) -> str:
        """The table of game `index` as text, as one seat sees it or (None) all of it, for 80 to 118 columns."""
        return self.game.render(*self._view(index, seat), min(max(width, NARROWEST), WIDTH))

    def draw(self, index: int = 0, seat: int | None = None) -> str:
        """The same as one self-contained SVG. ValueError where the game has no picture."""
        view = self._view(index, seat)
        if self.game.draw is None:
            raise ValueError(f"{self.game.title} has no picture, only text: use render()")
        return self.game.draw(*view)

    def _view(self, index: int, seat: int | None) -> tuple[Array, int, Array, int | None]:
        self._engine.require_begun()
        index, checked = self._checked(index, 0 if seat is None else seat)
        return self.games, index, self.tables, None if seat is None else checked
