"""Recording games as they are played: :class:`Recorder`.

>>> from antiquity import Batch
>>> from antiquity.study.recording import Recorder
>>> batch = Batch("seven_wonders", 2, 4, seed=0)
>>> recorder = Recorder(batch)
>>> _ = batch.reset()
>>> while len(recorder.replays) < 2:
...     _ = batch.step(batch.sample())
>>> recorder.replays[0].write("runs/game.jsonl")  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiquity.agents import Decisions
from antiquity.batch import Batch, standing
from antiquity.envs.single import SingleAgentEnv
from antiquity.game import random
from antiquity.game.checks import printable, whole
from antiquity.game.tables import tables_hash
from antiquity.study.parsing import Choice
from antiquity.study.replay import Replay, all_options, results

Standing = tuple[NDArray[Any], NDArray[Any]]
"""How a game has ended: int32[P, categories + 2] scores and int[P] ranks."""


class Recorder:
    """Records games of a batch, or the game of an environment, step by step.

    Every game that is seen from its first step on becomes a :class:`~antiquity.study.replay.Replay`. Games that
    ``rollout`` plays, and those of the vector environments with one learning seat per game, run inside kernels and are
    not seen. The Gymnasium environment of one game plays the same games while it is recorded, one step at a time.

    Args:
        source: a :class:`antiquity.Batch`, ``ParallelGameEnv``, ``AECGameEnv`` or ``SingleAgentEnv``; a Gymnasium
            environment may be inside its wrappers.
        folder: where finished games are written, as ``<game>-<seed>.jsonl``; None keeps them in :attr:`replays`.
        games: the indices of the games to be recorded; None: all of them.
        agents: a name for each seat. Without them, the seats of a ``SingleAgentEnv`` have the names of its opponents,
            and ``learner``.

    Raises:
        TypeError: the source is none of these.
        ValueError: it is being recorded already, there is no such game, or an option cannot be written.
    """

    def __init__(
        self,
        source: Any,
        folder: str | os.PathLike[str] | None = None,
        *,
        games: Iterable[int] | None = None,
        agents: Sequence[str] = (),
    ) -> None:
        batch, self._names = _found(source)
        if batch is None:
            raise TypeError(
                f"a batch or an environment of one game is recorded, not {type(source).__name__}; "
                "of many games record a Batch, or a ParallelGameEnv or SingleAgentEnv beside the training"
            )
        if batch.hook is not None:
            raise ValueError("this batch has a hook already: it is being recorded")
        if len(agents) not in (0, batch.num_seats):
            raise ValueError(f"there are {batch.num_seats} seats and names for {len(agents)} agents")
        self.batch = batch
        self.folder = None if folder is None else Path(folder)
        places = range(batch.num_games) if games is None else games
        self.places = [whole("the index of a game", index, 0, batch.num_games - 1) for index in places]
        self.agents = tuple(agents)
        self.branch = ""
        """What the replays say of the game that they were played on from."""
        self.replays: list[Replay] = []
        """The finished games that were not written to a folder."""
        self.paths: list[Path] = []
        """The files that were written."""
        self._options = all_options(batch)
        self._tables = tables_hash(batch.tables)
        self._going: dict[int, tuple[int, list[tuple[Choice, ...]]]] = {}
        batch.hook = self

    def stop(self) -> None:
        """Stop recording."""
        if self.batch.hook is self:
            self.batch.hook = None

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def replay(self, index: int = 0) -> Replay:
        """The game in progress at an index, so far. ValueError if its beginning was not seen."""
        record = self.batch.games[index]
        seed, steps = int(record["seed"]), int(record["steps"])
        going = self._going.get(index)
        if steps == 0:
            going = (seed, [])
        if going is None or going[0] != seed or len(going[1]) != steps:
            raise ValueError(
                f"game {index} was not recorded from its beginning on, or has ended and was kept already"
            )
        return self._made(index, seed, going[1], "unfinished", results(self.batch, index))

    def back_to(self, steps: int, index: int = 0) -> None:
        """Forget what came after so many steps of the game in progress at an index, which was set back to there."""
        seed, known = self._going[index]
        self._going[index] = seed, known[:steps]

    # --- what the batch calls ---

    def before_step(self) -> None:
        """Remember the recorded games as they stand."""
        self._before = self.batch.games[self.places]

    def after_step(self, committed: bool) -> None:
        """Record what the step has done."""
        batch, before = self.batch, self._before
        for row, index in enumerate(self.places):
            record = before[row]
            if not record["deciders"]:
                continue
            seed, steps = int(record["seed"]), int(record["steps"])
            now = batch.games[index]
            if (int(now["seed"]), int(now["steps"])) == (seed, steps):
                continue  # it was not stepped
            if steps == 0:
                self._going[index] = (seed, [])
            known = self._going.get(index)
            if known is None or known[0] != seed or len(known[1]) != steps:
                self._going.pop(index, None)
                continue
            known[1].append(self._choices(before, row, index, committed))
            if batch.terminated[index] or batch.truncated[index]:
                self._finish(index, seed, bool(batch.terminated[index]), self._ended(index))

    def _ended(self, index: int) -> Standing:
        ended = self.batch.ended
        k = ended.index.tolist().index(index)
        return ended.scores[k], ended.ranks[k]

    def _choices(self, before: NDArray[Any], row: int, index: int, committed: bool) -> tuple[Choice, ...]:
        batch = self.batch
        record = before[row]
        choices = []
        for seat in range(int(record["num_players"])):
            decides = bool(int(record["deciders"]) >> seat & 1)
            action = int(batch.actions[index, seat])
            if committed:
                action = int(record["chosen"][seat]) or (action if decides else 0)
            if not decides and (not action or batch.on_illegal == "random"):
                continue
            legal = _legal_before(batch, before, row, seat)
            illegal = action not in legal
            if illegal and batch.on_illegal == "random":
                draw = int(record["steps"]) * random.SEAT_INDEX + seat
                action = legal[random.below(int(record["seed"]), random.ILLEGAL, draw, len(legal))]
                illegal = False
            words = batch.game.describe(before, row, batch.tables, seat, action)
            choices.append(Choice(seat, action, words, illegal))
        return tuple(choices)

    def _finish(self, index: int, seed: int, terminated: bool, ended: Standing) -> None:
        points, ranks = ended
        scores = tuple(
            standing(self.batch.game, points[seat], int(ranks[seat]))
            for seat in range(int(self.batch.player_counts[index]))
        )
        _, steps = self._going.pop(index)
        replay = self._made(index, seed, steps, "terminated" if terminated else "truncated", scores)
        if self.folder is None:
            self.replays.append(replay)
        else:
            self.paths.append(replay.write(self.folder / f"{self.batch.game.name}-{seed}.jsonl"))

    def _seat_names(self, index: int) -> tuple[str, ...]:
        if self.agents:
            return self.agents
        return ("",) * self.batch.num_seats if self._names is None else self._names(index)

    def _made(
        self,
        index: int,
        seed: int,
        steps: list[tuple[Choice, ...]],
        end: str,
        scores: tuple[dict[str, Any], ...],
    ) -> Replay:
        players = int(self.batch.player_counts[index])
        return Replay(
            game=self.batch.game,
            num_players=players,
            seed=seed,
            options=self._options,
            tables=self._tables,
            agents=tuple(printable(name)[:1000] for name in self._seat_names(index)[:players]),
            steps=tuple(steps),
            end=end,
            scores=scores,
            max_cycles=self.batch.max_cycles,
            branch=printable(self.branch)[:1000],
        )


def _found(source: Any) -> tuple[Batch | None, Callable[[int], tuple[str, ...]] | None]:
    """The batch to record, and a function that names the seats of one of its games."""
    for each in (source, getattr(source, "unwrapped", None)):
        if isinstance(each, Batch):
            return each, None
        if isinstance(each, SingleAgentEnv):
            return each.games.batch, each.games.seat_names
        batch = getattr(each, "batch", None)
        if isinstance(batch, Batch):
            return batch, None
    return None, None


def _legal_before(batch: Batch, records: NDArray[Any], row: int, seat: int) -> list[int]:
    """The legal actions in a record that is no longer in its batch."""
    decision = Decisions(batch.game, records, batch.tables, np.array([row]), np.array([seat]))
    actions: list[int] = decision.legal[0, : decision.counts[0]].tolist()
    return actions
