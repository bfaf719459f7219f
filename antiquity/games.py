"""The games of a batch as they stand: their records, the streams of seeds, and ways to look at them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity import checks, playouts, random
from antiquity.checks import whole
from antiquity.game import Game, make_game
from antiquity.show.text import NARROWEST, WIDTH
from antiquity.slices import Array, Team, code
from antiquity.slots import slot_dtype


class Games:
    """The part of :class:`antiquity.Batch` that holds the games."""

    _team: Team

    def __init__(
        self,
        game: str | Game,
        num_games: int,
        num_players: Any,
        seed: Any,
        threads: int,
        game_options: dict[str, Any],
    ) -> None:
        self.game = make_game(game)
        self.num_games = whole("num_games", num_games, 1)
        self.threads = whole("threads", threads, 1)
        self.game_options = dict(game_options)
        self.player_counts = self._count_players(num_players)
        """int64[G]: the seats of each game."""
        self.num_seats = int(self.player_counts.max())
        self.num_actions = self.game.num_actions
        self._known_counts = frozenset(self.player_counts.tolist())
        self.tables, self._options = self._set_up()
        self.games: Array = np.zeros(self.num_games, self.game.dtype)
        """The records, structured[G]. Call :meth:`antiquity.Batch.refresh` after changing them by hand."""
        self._slots = np.zeros(self.num_games, slot_dtype(self.game.max_players))
        self._slots["num_players"] = self.player_counts
        self._slots["stopped"] = 1
        self.seed: int | NDArray[np.uint64]
        """What the streams of all slots began with."""
        self._seed_slots(checks.fresh_seed() if seed is None else seed)
        self._begun = False

    def _count_players(self, num_players: Any) -> NDArray[np.int64]:
        game = self.game
        given = np.asarray(game.default_players if num_players is None else num_players)
        if given.ndim == 0:
            given = np.full(self.num_games, given)
        if given.shape != (self.num_games,):
            raise ValueError(
                f"num_players has shape {given.shape}; give one number, or one for each of {self.num_games} games"
            )
        for count in set(given.tolist()):
            if not game.min_players <= whole("num_players", count, 1) <= game.max_players:
                limits = f"{game.min_players} to {game.max_players}"
                raise ValueError(f"{game.title} is for {limits} players, not {count}")
        return given.astype(np.int64)

    def _set_up(self) -> tuple[Array, Array]:
        """The tables [1], and the options [max_players + 1] by number of players."""
        game = self.game
        known = {option.name for option in game.options}
        for name in self.game_options:
            if name not in known:
                raise TypeError(
                    f"Batch has no argument {name!r}, and {game.title} no such option; "
                    f"its own options are: {', '.join(sorted(known)) or 'none'}"
                )
        options = np.zeros(game.max_players + 1, game.options_dtype)
        tables = None
        for count in sorted(self._known_counts):
            found, chosen = game.setup(count, **self.game_options)
            if tables is not None and found.tobytes() != tables.tobytes():
                raise ValueError(
                    f"{game.title}: with these options, games of {count} players need tables of their own; "
                    "make a batch for each number of players"
                )
            tables, options[count] = found, chosen[0]
        if tables is None or tables.dtype != game.tables_dtype or tables.shape != (1,):
            raise TypeError(f"{game.title}: setup gave no tables of the game's tables_dtype")
        return tables, options

    def _seed_slots(self, seed: Any, places: Any = None) -> None:
        """Give the slots at `places` (None: all) new streams."""
        where = np.arange(self.num_games)[slice(None) if places is None else places]
        if np.ndim(seed) == 0:
            checked: int | NDArray[np.uint64] = checks.one_seed(seed)
            streams = random.mix_many(np.uint64(checked), random.BATCH, where)
            first = random.mix_many(streams, random.BATCH, np.uint64(0))
        else:
            checked = streams = first = checks.seed_array(seed, len(where))
        slots = self._slots
        slots["seed"][where], slots["next"][where], slots["episode"][where] = streams, first, 0
        if len(where) == self.num_games:
            self.seed = checked

    # --- looking ---

    @property
    def begun(self) -> bool:
        """Whether there are games yet: False before the first reset."""
        return self._begun

    def _require_begun(self) -> None:
        if not self._begun:
            raise ValueError("this batch has not begun: call reset() first")

    def _place(self, index: int, seat: int) -> tuple[int, int]:
        """Checked: the place of a game and a seat of it."""
        index = whole("the index of a game", index, 0, self.num_games - 1)
        return index, whole("the seat", seat, 0, int(self.player_counts[index]) - 1)

    def deciders(self, index: int = 0) -> tuple[int, ...]:
        """The seats of game `index` that must choose at this decision."""
        bits = 0 if self._slots["stopped"][index] else int(self.games["deciders"][index])
        return tuple(seat for seat in range(self.num_seats) if bits >> seat & 1)

    def missing(self, index: int = 0) -> tuple[int, ...]:
        """The deciders of game `index` that have not committed a choice yet."""
        chosen, pending = self.games["chosen"][index], int(self._slots["pending"][index])
        return tuple(seat for seat in self.deciders(index) if not chosen[seat] and not pending >> seat & 1)

    def scores(self) -> NDArray[np.int32]:
        """The points as they stand, int32[G, S, C + 2]: by category, their total, the value that breaks ties."""
        return self._standings()[0]

    def ranks(self) -> NDArray[np.int64]:
        """The ranks as they stand, int64[G, S], from 1; equals share the best of their ranks, absent seats have 0."""
        return self._standings()[1]

    def _standings(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        self._require_begun()
        players, columns = self.game.max_players, len(self.game.categories) + 2
        scores = np.empty((self.num_games, players, columns), np.int32)
        ranks = np.empty((self.num_games, players), np.int64)
        arrays = (self.games, self.tables, scores, ranks)
        call = code(playouts.standings, arrays, 2)
        self._team.map(lambda each: call(*arrays, each.start, each.stop))
        return scores[:, : self.num_seats].copy(), ranks[:, : self.num_seats].copy()

    def state(self) -> NDArray[np.float32]:
        """The whole table of every game, for centralised critics: float32[G, state_layout.size]."""
        self._require_begun()
        out = np.zeros((self.num_games, self.game.state_layout.size), np.float32)
        arrays = (self.games, self.tables, out)
        call = code(playouts.reveal, arrays, 2)
        self._team.map(lambda each: call(*arrays, each.start, each.stop))
        return out

    def describe(self, index: int, seat: int, action: int) -> str:
        """An action of a seat in game `index`, in words."""
        index, seat = self._place(index, seat)
        return self.game.describe(self.games, index, self.tables, seat, action)

    def render(self, index: int = 0, seat: int | None = None, width: int = WIDTH) -> str:
        """The table of game `index` as text for the terminal: as one seat sees it, or (None) all of it.

        Args:
            index: which game.
            seat: whose view.
            width: columns of the terminal, 80 or more; more than 118 are not used.
        """
        self._require_begun()
        if seat is not None:
            index, seat = self._place(index, seat)
        return self.game.render(self.games, index, self.tables, seat, min(max(width, NARROWEST), WIDTH))

    def draw(self, index: int = 0, seat: int | None = None) -> str:
        """The table of game `index` as one self-contained SVG: as one seat sees it, or (None) all of it.

        Raises:
            ValueError: the batch has not begun, there is no such game or seat, or the game has no picture.
        """
        self._require_begun()
        if self.game.draw is None:
            raise ValueError(f"{self.game.title} has no picture, only text: use render()")
        if seat is not None:
            index, seat = self._place(index, seat)
        return self.game.draw(self.games, index, self.tables, seat)
