"""Whole games by self-play, as the decision rows that are learnt from."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from antiquity.agents import SELF, Decisions, OpponentPool
from antiquity.batch import Batch, Rows
from antiquity.game import Game
from antiquity.game.random import RESERVED, mix
from antiquity.train.advantages import Decided, advantages
from antiquity.train.model import Heads
from antiquity.train.settings import TableKind

TRAINING = RESERVED + 40
"""Purpose of the seeds of training games, of draws and of opponents. Index: iteration, process, and what it is for."""


class Rollout(NamedTuple):
    """N decisions in which the learner had a choice."""

    observations: Tensor
    """[N, columns], float32 or bfloat16"""
    legal: Tensor
    """int64[N, L]"""
    counts: Tensor
    """int64[N], 2 or more"""
    appraisals: Tensor | None
    """float32[N, L, K]"""
    slots: Tensor
    """int64[N]: what was chosen, as a slot of ``legal``"""
    chances: Tensor
    """float32[N]: the logarithm of its probability"""
    advantages: Tensor
    """float32[N]"""
    returns: Tensor
    """float32[N]"""


class _Rows(NamedTuple):
    """The learner's rows of one table at one step."""

    game: NDArray[np.int64]
    seat: NDArray[np.int64]
    observations: NDArray[np.float32]
    legal: NDArray[np.int64]
    counts: NDArray[np.int64]
    appraisals: NDArray[np.float32]


class Table:
    """Games of one kind of table, played side by side."""

    def __init__(self, game: Game, kind: TableKind, games: int, columns: NDArray[np.int32]) -> None:
        self.batch = Batch(
            game,
            games,
            kind.players,
            seed=0,
            reward="mix",
            copy=False,
            autoreset=False,
            **kind.options,
        )
        self.columns = columns

    def begin(self, pool: OpponentPool, seed: int) -> None:
        """Begin new games, and draw who plays against whom."""
        batch = self.batch
        batch.reset(seed=mix(seed, TRAINING, 0))
        self.rows = batch.rows()
        self.outcome = np.zeros((batch.num_games, batch.num_seats), np.float32)
        members = pool.draw(batch.num_games, mix(seed, TRAINING, 1))
        self.pool, self.members = pool, members
        learner = mix(seed, TRAINING, 2) + np.arange(batch.num_games, dtype=np.uint64)
        seats = np.arange(batch.num_seats)[None, :]
        # In a game against others one seat learns, and every seat does so equally often.
        one = seats == (learner % np.uint64(batch.num_seats)).astype(np.int64)[:, None]
        self.learns = one | (members == SELF)[:, None]

    def ask(self) -> _Rows | None:
        """The rows in which the learner must choose; all other choices of the step are made. None: all have ended."""
        game, seat, observations, _ = self.rows[:4]
        if not len(game):
            return None
        batch = self.batch
        legal, counts, appraisals = batch.choices(game, seat)
        self.actions = legal[:, 0].astype(np.int64)
        choosing = counts > 1
        learning = self.learns[game, seat]
        others = np.flatnonzero(choosing & ~learning)
        if len(others):
            decisions = Decisions(batch.game, batch.games, batch.tables, game[others], seat[others])
            self.actions[others] = self.pool.act(self.members[game[others]], decisions)
        self.mine = np.flatnonzero(choosing & learning)
        found = (game, seat, observations, legal, counts, appraisals)
        if len(self.mine) < len(game):
            found = tuple(part[self.mine] for part in found)  # type: ignore[assignment]
        game, seat, observations, legal, counts, appraisals = found
        seen = observations.take(self.columns, axis=1)
        return _Rows(game.copy(), seat.copy(), seen, legal.astype(np.int64), counts, appraisals)

    def answer(self, actions: NDArray[np.int64]) -> None:
        """The learner's choices, for the rows of :meth:`ask`: resolve."""
        self.actions[self.mine] = actions
        step = self.batch.step_rows(self.actions)
        self.outcome += step.rewards
        self.rows = Rows(*step[:4])


class Player:
    """Plays whole games with a model, and remembers its decisions.

    Args:
        game: what is played.
        kinds: of tables.
        games: games of each kind.
        columns: int32[I], the columns of the observation that the model reads.
        pool: whom the model meets.
        lam: lambda of the advantages.
        bf16: compute in bfloat16.
    """

    def __init__(
        self,
        game: Game,
        kinds: Sequence[TableKind],
        games: Sequence[int],
        columns: NDArray[np.int32],
        pool: OpponentPool,
        lam: float,
        bf16: bool,
    ) -> None:
        self.tables = [Table(game, *each, columns) for each in zip(kinds, games, strict=True) if each[1]]
        self.pool, self.lam, self.bf16 = pool, lam, bf16
        self.seconds = {"environment": 0.0, "forward": 0.0}
        """CPU-seconds, by what took them."""

    @torch.no_grad()
    def play(self, model: Heads, seed: int) -> Rollout:
        """Play one game in every slot to its end. All that happens follows from the model and the seed."""
        generator = torch.Generator().manual_seed(mix(seed, TRAINING, 3) >> 1)
        for number, table in enumerate(self.tables):
            table.begin(self.pool, mix(seed, TRAINING, 4 + number))
        first_game = np.cumsum([0, *(table.batch.num_games for table in self.tables)])
        steps: list[Decided] = []
        kept: list[tuple[Tensor, ...]] = []
        while True:
            started = time.process_time()
            asked = [table.ask() for table in self.tables]
            if all(rows is None for rows in asked):
                break
            live = [(number, rows) for number, rows in enumerate(asked) if rows is not None]
            observations = _joined([rows.observations for _, rows in live])
            legal = _joined([rows.legal for _, rows in live])
            counts = _joined([rows.counts for _, rows in live])
            appraisals = _joined([rows.appraisals for _, rows in live])
            # Lists have room for the longest that the rules allow; most are a tenth of that.
            width = int(counts.max()) if len(counts) else 1
            legal, appraisals = legal[:, :width], appraisals[:, :width]
            if self.bf16:
                observations = observations.bfloat16()
            asked_at = time.process_time()
            with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
                logits, values = model(observations, legal, counts, appraisals)
            chances = torch.log_softmax(logits, 1)
            # Gumbel's trick: the greatest of the perturbed logarithms is a draw.
            noise = torch.rand(chances.shape, generator=generator).clamp_(1e-9, 1 - 1e-7)
            slots = (chances - (-noise.log()).log()).argmax(1, keepdim=True)
            actions = legal.gather(1, slots)[:, 0].numpy()
            kept.append(
                (observations, legal, counts, appraisals, slots[:, 0], chances.gather(1, slots)[:, 0])
            )
            answered_at = time.process_time()
            start = 0
            for number, rows in live:
                stop = start + len(rows.game)
                self.tables[number].answer(actions[start:stop])
                start = stop
            game = np.concatenate([rows.game + first_game[number] for number, rows in live])
            steps.append(Decided(game, np.concatenate([rows.seat for _, rows in live]), values.numpy()))
            self.seconds["forward"] += answered_at - asked_at
            self.seconds["environment"] += asked_at - started + time.process_time() - answered_at
        gains, returns = advantages(steps, self._outcome(), self.lam)
        joined = [_stacked(parts) for parts in zip(*kept, strict=True)]
        joined += [torch.from_numpy(gains), torch.from_numpy(returns)]
        return Rollout(*joined)

    def _outcome(self) -> NDArray[np.float32]:
        """float32[all games, most seats]: what every game brought each seat."""
        most = max(table.batch.num_seats for table in self.tables)
        return np.concatenate(
            [np.pad(table.outcome, ((0, 0), (0, most - table.outcome.shape[1]))) for table in self.tables]
        )


def _stacked(parts: Sequence[Tensor]) -> Tensor:
    """One behind the other, with lists of actions as wide as the widest."""
    if parts[0].ndim == 1:
        return torch.cat(list(parts))
    shape = (sum(len(part) for part in parts), max(part.shape[1] for part in parts), *parts[0].shape[2:])
    out = parts[0].new_zeros(shape)
    start = 0
    for part in parts:
        out[start : start + len(part), : part.shape[1]] = part
        start += len(part)
    return out


def _joined(parts: Sequence[NDArray[np.generic]]) -> Tensor:
    return torch.from_numpy(np.concatenate(parts) if len(parts) > 1 else parts[0])
