"""Starting a training run, in this process or in several: :func:`train`."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from rich.console import Console

from antiquity.agents import NetworkAgent
from antiquity.game import Game, make_game
from antiquity.train.attention import AttentionAgent
from antiquity.train.progress import Bar, TensorBoard, plot_curve
from antiquity.train.runs import Check, RunFolder, State
from antiquity.train.settings import Settings
from antiquity.train.trainer import Budget, Observer, Trainer


@dataclass(frozen=True, eq=False)
class Training:
    """A finished training run.

    Attributes:
        game: what was played.
        settings: of the run.
        folder: where its files are.
        policy: the best policy, by deals of their own.
        checks: the measurements, in order.
        decisions, games: what was trained on.
        seconds: how long it took, by the clock of the budget and without measurements.
        spent: CPU-seconds of the first process, by what took them.
    """

    game: Game
    settings: Settings
    folder: RunFolder
    policy: NetworkAgent | AttentionAgent
    checks: list[Check]
    decisions: int
    games: int
    seconds: float
    spent: dict[str, float]


def train(
    game: str | Game,
    settings: Settings,
    budget: Budget,
    folder: str | Path,
    *,
    processes: int = 1,
    resume: bool = False,
    init: str | Path | None = None,
    console: Console | None = None,
) -> Training:
    """Train one policy for all seats by self-play.

    Under ``torchrun`` every process calls this, and `processes` is what torchrun says.

    Args:
        game: a game's name, or a Game.
        settings: see :func:`antiquity.train.settings.settings_for`; ignored by a run that is resumed.
        budget: how long.
        folder: of the run: ``policy.npz`` (the best), ``latest.npz``, ``history/policy_NNN.npz``, ``checkpoint.npz``,
            ``curve.json``, ``curve.png`` and TensorBoard's files.
        processes: of this machine; each plays its part of the games.
        resume: go on from the folder's checkpoint, with its settings.
        init: a policy file to begin with; its layers have the sizes that the settings say.
        console: where to show progress; None is silent.

    Raises:
        FileExistsError: the folder holds a run, and it is not to be resumed.
        FileNotFoundError: there is nothing to resume.
        ValueError: the checkpoint is damaged, or of another game.
    """
    game, place = make_game(game), RunFolder(folder)
    under_torchrun = "RANK" in os.environ and "WORLD_SIZE" in os.environ
    first = not under_torchrun or os.environ["RANK"] == "0"
    if resume:
        about, _ = place.read()
        if about["game"] != game.name:
            raise ValueError(f"{place.path} is a run of {about['game']}, not of {game.title}")
        settings = Settings.from_dict(about["settings"])
    elif first:
        place.begin()
    if under_torchrun:
        dist.init_process_group("gloo")
        try:
            state = _train(game, settings, budget, place, resume, init, console if first else None)
        finally:
            dist.destroy_process_group()
    elif processes == 1:
        state = _train(game, settings, budget, place, resume, init, console)
    else:
        with tempfile.TemporaryDirectory() as meeting:
            arguments = (
                processes,
                meeting,
                game,
                settings,
                budget,
                place.path,
                resume,
                init,
                console is not None,
            )
            torch.multiprocessing.start_processes(  # type: ignore[no-untyped-call, attr-defined, unused-ignore]
                _process, arguments, nprocs=processes, start_method="spawn"
            )
        about, _ = place.read()
        state = _state(about["state"])
    if not first:
        state = _state(place.read()[0]["state"])
    kinds = [kind.players for kind in settings.tables]
    if first:
        plot_curve(state.checks, kinds, f"{game.title}: self-play", place.path / "curve.png")
    kind = NetworkAgent if settings.network == "layers" else AttentionAgent
    policy = kind.load(place.policy, game, deterministic=True)
    return Training(
        game, settings, place, policy, state.checks, state.decisions, state.games, state.seconds, state.spent
    )


def _state(given: dict[str, Any]) -> State:
    checks = [Check(**(check | {"shares": tuple(check["shares"])})) for check in given["checks"]]
    return replace(State(), **(given | {"checks": checks}))


def _process(
    rank: int,
    processes: int,
    meeting: str,
    game: Game,
    settings: Settings,
    budget: Budget,
    folder: Path,
    resume: bool,
    init: str | Path | None,
    shown: bool,
) -> None:
    """One of several processes of this machine."""
    place = f"file://{meeting}/meeting"
    dist.init_process_group("gloo", init_method=place, rank=rank, world_size=processes)
    try:
        console = Console() if shown and rank == 0 else None
        _train(game, settings, budget, RunFolder(folder), resume, init, console)
        dist.barrier()
    finally:
        dist.destroy_process_group()
    # At a regular exit a thread of gloo that is still about may abort the process.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _train(
    game: Game,
    settings: Settings,
    budget: Budget,
    folder: RunFolder,
    resume: bool,
    init: str | Path | None,
    console: Console | None,
) -> State:
    # Networks this small lose more time to threads that wait for each other than they gain.
    torch.set_num_threads(1)
    first = not dist.is_initialized() or dist.get_rank() == 0
    with ExitStack() as stack:
        observers: list[Observer] = []
        if first:
            try:
                observers.append(TensorBoard(folder.path / "tensorboard"))
            except ImportError:
                warnings.warn("no TensorBoard: pip install tensorboard for its curves", stacklevel=2)
        if console is not None:
            observers.append(stack.enter_context(Bar(console)))
        begin = None if init is None or resume else NetworkAgent.load(init, game)
        return Trainer(game, settings, budget, folder, resume, tuple(observers), begin).run()
