"""Whole games as text that a person can follow: :class:`Stories`.

A game's test has the options and seeds, says how a decision and a turn read, and what must come up somewhere. The
stories are files that must come out exactly, so a change of the rules, the printed numbers, the draws or the action
numbers shows as a diff. When it is meant, write them anew and read the diff before committing it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from antiquity.game import CUT_OFF, Game
from antiquity.game.random import below
from antiquity.testing.table import Table

PURPOSE = 77
"""Purpose of the draws made here; the purposes of a game must be smaller."""


def draw(table: Table, seat: int, n: int, index: int) -> int:
    """A draw that is the same in every release of Python."""
    game = table.record
    return int(below(int(game["seed"]), PURPOSE + index, int(game["steps"]) * 8 + seat, n))


def decide(table: Table, seat: int, often: int, dull: Callable[[int], bool]) -> int:
    """A legal action at random; all but one of `often` decisions do not look at dull ones while there is another."""
    legal = table.legal(seat)
    if draw(table, seat, often, 0) < often - 1:
        legal = [action for action in legal if not dull(action)] or legal
    return legal[draw(table, seat, len(legal), 1)]


def numbers(columns: Mapping[str, Iterable[int]]) -> str:
    """A line of numbers, for every seat under each name."""
    return "  = " + " | ".join(
        f"{name} {' '.join(str(int(x)) for x in column)}" for name, column in columns.items()
    )


def plain_story(table: Table) -> Iterator[str]:
    """Any game, told by what all seats do at every decision: their actions in words, and the points afterwards."""
    while not table.over:
        yield ""
        yield f"Decision {int(table.record['steps']) + 1}"
        legal = {seat: table.legal(seat) for seat in table.deciders()}
        actions = {seat: choices[draw(table, seat, len(choices), 1)] for seat, choices in legal.items()}
        for seat, action in actions.items():
            yield f"  seat {seat}: {table.words(seat, action)} ({len(legal[seat])} legal)"
        table.step(actions)
        yield numbers({"points": table.score()[:, -2]})


class Stories:
    """The stories of one game, one for each player count. Run as a script, such a test file writes them anew::

        STORIES = Stories(GAME, {2: {"seed": 1}, 3: {"seed": 4}}, folder=Path(__file__).parent / "playthroughs")

        @pytest.mark.parametrize("players", STORIES.games)
        def test_playthrough(players: int) -> None:
            assert STORIES.text(players) == STORIES.kept(players)

        if __name__ == "__main__":
            STORIES.write()

    Args:
        game: the game.
        games: options and seed for each player count.
        folder: where the stories are kept, as ``<name>_<players>.txt``.
        name: the game's own unless given, for a second set of stories.
        story: plays a game to its end and tells it, line by line.
        seat_line: what there is to say of a seat at the start; None: nothing.
        tie: what the last column of the score is called.
        width: of a column of the score.
    """

    def __init__(
        self,
        game: Game,
        games: dict[int, dict[str, Any]],
        *,
        folder: Path,
        story: Callable[[Table], Iterator[str]] = plain_story,
        seat_line: Callable[[Table, int], str] | None = None,
        tie: str = "tie-break",
        width: int = 11,
        name: str = "",
    ) -> None:
        self.game = game
        self.games = games
        self._seat_line = seat_line
        self._story = story
        self._folder = folder
        self._tie = tie
        self._width = width
        self._name = name or game.name

    def _lines(self, players: int) -> Iterator[str]:
        options = self.games[players]
        table = Table(self.game, players, **options)
        yield f"{self.game.title}, {players} players"
        yield from (f"{name}: {value}" for name, value in options.items())
        yield ""
        if self._seat_line is not None:
            yield from (f"seat {seat}: {self._seat_line(table, seat)}" for seat in range(players))
        yield "The left neighbour of a seat is the next one, that of the last is seat 0."
        yield from self._story(table)
        assert table.over
        yield ""
        yield "The final score" + (" (cut off)" if table.record["over"] == CUT_OFF else "")
        columns = (*(name.replace("_", " ") for name in self.game.categories), "total", self._tie)
        yield " " * 8 + "".join(f"{name:>{self._width}}" for name in columns)
        yield from (
            f"  seat {seat}" + "".join(f"{int(points):>{self._width}}" for points in row)
            for seat, row in enumerate(table.score())
        )

    def text(self, players: int) -> str:
        """The story as it comes out now."""
        return "\n".join(self._lines(players)) + "\n"

    def _file(self, players: int) -> Path:
        return self._folder / f"{self._name}_{players}.txt"

    def kept(self, players: int) -> str:
        """The story as it is kept. FileNotFoundError where :meth:`write` has not kept one yet."""
        return self._file(players).read_text(encoding="utf-8")

    def how_many_tell(self, words: str) -> int:
        """In how many of the stories kept these words stand."""
        return sum(words in self.kept(players) for players in self.games)

    def write(self) -> None:
        """Keep all stories as they come out now, and say where."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for players in self.games:
            self._file(players).write_text(self.text(players), encoding="utf-8")
            print(f"written: {self._file(players)}")
