"""Training by self-play: proximal policy optimisation over whole games, in one process or several.

What happens in iteration n follows from the weights, the settings and n alone, so a run that was killed and is resumed
ends in the same weights as one that never was - if its length is given in decisions, and not by a clock.
"""

from __future__ import annotations

import platform
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
import torch.distributed as dist

from antiquity.agents import NetworkAgent, OpponentPool
from antiquity.game import Game
from antiquity.game.random import mix
from antiquity.train.attention import AttentionAgent, AttentionPolicyValue
from antiquity.train.columns import live_columns
from antiquity.train.measure import against_greedy
from antiquity.train.model import Heads, PolicyValue
from antiquity.train.rollout import TRAINING, Player
from antiquity.train.runs import Check, RunFolder, State
from antiquity.train.settings import Settings
from antiquity.train.update import Progress, Updater, total

SEARCH = "search:simulations=50"
"""The search that a pool holds."""
BEST, SHOWN = 1, 2
"""Deals by which the best policy is kept, and those that are shown; seeds beside the run's own."""


@dataclass(frozen=True)
class Budget:
    """How long to train: one of the three.

    Attributes:
        seconds: on the wall clock, without measurements and compilation.
        cpu_seconds: of the first process, likewise.
        decisions: of all processes; a run that is resumed then repeats itself exactly.
    """

    seconds: float | None = None
    cpu_seconds: float | None = None
    decisions: int | None = None

    def __post_init__(self) -> None:
        given = [each for each in (self.seconds, self.cpu_seconds, self.decisions) if each is not None]
        if len(given) != 1 or given[0] <= 0:
            raise ValueError(
                "how long to train: give seconds, cpu_seconds or decisions, and one of them alone"
            )

    def clock(self) -> float:
        """Now, on the clock of the budget."""
        return time.process_time() if self.cpu_seconds is not None else time.perf_counter()

    def done(self, seconds: float, decisions: int) -> float:
        """How much of the training is over, from 0 to 1."""
        if self.decisions is not None:
            return min(1.0, decisions / self.decisions)
        return min(1.0, seconds / (self.seconds or self.cpu_seconds or 1.0))


class Observer(Protocol):
    """Who is told how training goes; see :mod:`antiquity.train.progress`."""

    def updated(self, state: State, done: float, progress: Progress) -> None:
        """After every iteration."""

    def checked(self, state: State, check: Check) -> None:
        """After every measurement."""


class Trainer:
    """One process of a training run.

    Args:
        game: what is played.
        settings: of the run.
        budget: how long to train.
        folder: of the run.
        resume: go on from the folder's checkpoint.
        init: a policy to begin with.
        observers: who is told; in the first process alone.

    Raises:
        ValueError: the checkpoint does not fit.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings,
        budget: Budget,
        folder: RunFolder,
        resume: bool = False,
        observers: tuple[Observer, ...] = (),
        init: NetworkAgent | None = None,
    ) -> None:
        self.game, self.settings, self.budget, self.folder = game, settings, budget, folder
        self.observers = observers
        several = dist.is_initialized()
        self.rank: int = dist.get_rank() if several else 0
        self.world: int = dist.get_world_size() if several else 1
        bf16 = native_bf16() if settings.bf16 is None else settings.bf16
        self.columns = live_columns(game, settings.tables)
        torch.manual_seed(settings.seed)
        self.model = self._model()
        if init is not None:
            if not isinstance(self.model, PolicyValue):
                raise ValueError('--init takes up policy files, which network="attention" cannot')
            self.model.take_over(init.network, self.columns)
        self.updater = Updater(self.model, settings, bf16)
        shares = {"greedy": settings.greedy, SEARCH: settings.search}
        self.pool = OpponentPool(game, shares, past=settings.past, seed=settings.seed)
        self.state = State()
        if resume:
            about, arrays = folder.read()
            self.state = folder.restore(self.updater, about["state"], arrays)
            for number in range(self.state.snapshots if settings.past else 0):
                self.pool.add(str(folder.snapshot(number)))
        self.player = Player(
            game, settings.tables, self._games(), self.columns, self.pool, settings.lam, bf16
        )
        self.player.seconds |= self.state.spent
        self.player.seconds.setdefault("update", 0.0)

    def _model(self) -> Heads:
        game, settings = self.game, self.settings
        heads = (game.num_actions, _appraisals(game, settings), settings.trust)
        if settings.network == "layers":
            return PolicyValue(len(self.columns), settings.hidden, *heads)
        self.columns = np.arange(game.layout.size, dtype=np.int32)
        return AttentionPolicyValue(game, settings.hidden, *heads)

    def _games(self) -> list[int]:
        """How many games of each kind of table this process plays."""
        kinds = self.settings.tables
        weights = np.array([kind.weight for kind in kinds], np.float64)
        ends = np.round(np.cumsum(weights) / weights.sum() * self.settings.games).astype(int)
        games = np.diff([0, *ends])
        return [int((number + self.rank) // self.world) for number in games]

    @property
    def done(self) -> float:
        """How much of the training is over, from 0 to 1; the first process says."""
        own = self.budget.done(self.state.seconds, self.state.decisions)
        return total(own if self.rank == 0 else 0.0)[0]

    def run(self) -> State:
        """Train to the end of the budget."""
        settings, state = self.settings, self.state
        if state.iteration == 0:
            self._snapshot_and_check(0.0)
        done = self.done
        while done < 1.0:
            started = self.budget.clock()
            seed = mix(settings.seed, TRAINING, (state.iteration << 8) + self.rank)
            rollout = self.player.play(self.model, seed)
            played = time.process_time()
            progress = self.updater.update(rollout, done, seed >> 1)
            self.player.seconds["update"] += time.process_time() - played
            state.iteration += 1
            state.decisions += int(total(len(rollout.slots))[0])
            state.games += settings.games
            state.seconds += self.budget.clock() - started
            state.spent = dict(self.player.seconds)
            done = self.done
            for observer in self.observers:
                observer.updated(state, done, progress)
            self._snapshot_and_check(done)
        return state

    def _snapshot_and_check(self, done: float) -> None:
        """Keep a former self, measure and write the checkpoint, wherever one of them is due."""
        settings, state = self.settings, self.state
        snapshot = state.snapshots <= int(done * settings.snapshots)
        check = len(state.checks) <= int(done * settings.checks)
        if snapshot:
            if self.rank == 0:
                self.agent().save(self.folder.snapshot(state.snapshots))
            if dist.is_initialized():
                dist.barrier()
            if settings.past:
                self.pool.add(str(self.folder.snapshot(state.snapshots)))
            state.snapshots += 1
        if check:
            found = self._check(done) if self.rank == 0 else None
            state.checks.append(found)  # type: ignore[arg-type]  # the other processes only count
        if (snapshot or check) and self.rank == 0:
            self.folder.save(self.game.name, settings, self.updater, state)

    def _check(self, done: float) -> Check:
        settings, state, agent = self.settings, self.state, self.agent(deterministic=True)
        shown, other = (
            against_greedy(
                self.game,
                agent,
                settings.tables,
                deals=settings.deals,
                seed=mix(settings.seed, TRAINING, purpose) >> 1,
            )
            for purpose in (SHOWN, BEST)
        )
        check = Check(done, state.seconds, state.decisions, state.games, *shown, selection=other.win_share)
        agent.save(self.folder.latest)
        if other.win_share > state.best:
            state.best = other.win_share
            agent.save(self.folder.policy)
        for observer in self.observers:
            observer.checked(state, check)
        return check

    def agent(self, deterministic: bool = False) -> NetworkAgent | AttentionAgent:
        """The policy as it is now."""
        about = {
            "command": " ".join(
                Path(word).name if not number else word for number, word in enumerate(sys.argv)
            ),
            "settings": self.settings.as_dict(),
            "decisions": self.state.decisions,
            "games": self.state.games,
            "seconds": round(self.state.seconds, 1),
            "processes": self.world,
            "machine": machine(),
        }
        if isinstance(self.model, AttentionPolicyValue):
            return AttentionAgent(self.game, self.model, deterministic=deterministic, trained_on=about)
        assert isinstance(self.model, PolicyValue)
        return NetworkAgent(
            self.game,
            self.model.network(self.columns),
            deterministic=deterministic,
            trained_on=about,
        )


def _appraisals(game: Game, settings: Settings) -> int:
    """How many columns of the verb ``appraise`` the policy reads."""
    size = game.appraisal.size
    return (
        size * settings.appraisals
        if isinstance(settings.appraisals, bool)
        else min(size, settings.appraisals)
    )


def native_bf16() -> bool:
    """Whether the processor multiplies bfloat16 natively."""
    found: Any = torch.cpu
    return bool(found._is_avx512_bf16_supported() or found._is_amx_tile_supported())


def machine() -> str:
    """The processor, in words."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()
